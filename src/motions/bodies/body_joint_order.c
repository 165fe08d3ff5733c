/* The order of rows of springs and joints in their envelope, and which bodies joints keep from touching. */
#include "motions/bodies/body_motion.h"

#include <math.h>
#include <stdlib.h>

/* Springs and joints by the later of their bodies, bodies breadth first from one end of a cluster to the other: rows that share a
 * body are near each other, those of a chain next to each other. */
typedef struct item {
  thud_index a, b, late, early, number; /* bodies that move, -1; their places */
} item;

static int compare_items(const void *x, const void *y) {
  const item *p = x, *q = y;
  if (p->late != q->late) return p->late < q->late ? -1 : 1;
  if (p->early != q->early) return p->early < q->early ? -1 : 1;
  return p->number < q->number ? -1 : 1;
}

typedef struct graph {
  thud_index count, items;
  item *item;
  thud_index *start, *next; /* [count+1], [2*items] items of a body */
  thud_index *place, *queue;
} graph;

static void link_items(graph *g) {
  for (thud_index k = 0; k < g->items; k++) {
    if (g->item[k].a >= 0) g->start[g->item[k].a + 1]++;
    if (g->item[k].b >= 0) g->start[g->item[k].b + 1]++;
  }
  for (thud_index i = 0; i < g->count; i++) g->start[i + 1] += g->start[i];
  for (thud_index i = 0; i < g->count; i++) g->place[i] = g->start[i];
  for (thud_index k = 0; k < g->items; k++) {
    if (g->item[k].a >= 0) g->next[g->place[g->item[k].a]++] = k;
    if (g->item[k].b >= 0) g->next[g->place[g->item[k].b]++] = k;
  }
}

/* Bodies of the cluster of i in g->queue from `from` on, breadth first; returns the end. place: -1 of bodies not seen. */
static thud_index walk(graph *g, thud_index i, thud_index from) {
  thud_index end = from;
  g->queue[end++] = i;
  g->place[i] = from;
  for (thud_index at = from; at < end; at++)
    for (thud_index k = g->start[g->queue[at]]; k < g->start[g->queue[at] + 1]; k++) {
      const item *edge = &g->item[g->next[k]];
      thud_index other = edge->a == g->queue[at] ? edge->b : edge->a;
      if (other < 0 || g->place[other] >= 0) continue;
      g->place[other] = end;
      g->queue[end++] = other;
    }
  return end;
}

static void order_bodies(graph *g) {
  thud_index end = 0;
  for (thud_index i = 0; i < g->count; i++) g->place[i] = -1;
  for (thud_index i = 0; i < g->count; i++) {
    if (g->place[i] >= 0) continue;
    thud_index from = end;
    end = walk(g, i, from);
    thud_index last = g->queue[end - 1]; /* an end of the cluster */
    for (thud_index k = from; k < end; k++) g->place[g->queue[k]] = -1;
    end = walk(g, last, from);
  }
}

static void fill_items(const body_motion *motion, graph *g) {
  const thud_bodies_view *model = &motion->model;
  for (thud_index k = 0; k < g->items; k++) {
    thud_index j = k - model->spring_count;
    thud_index a = j < 0 ? model->spring_a[k] : model->joints[j].a, b = j < 0 ? model->spring_b[k] : model->joints[j].b;
    g->item[k] = (item){.a = model->role[a] == THUD_BODY_DYNAMIC ? a : -1,
                        .b = b >= 0 && model->role[b] == THUD_BODY_DYNAMIC ? b : -1,
                        .number = k};
  }
}

static int compare_pairs(const void *x, const void *y) {
  const thud_index_pair *p = x, *q = y;
  if (p->first != q->first) return p->first < q->first ? -1 : 1;
  return p->second < q->second ? -1 : p->second > q->second;
}

/* Bodies that are held together, and the extent. */
void thud_bodies_list_joined(body_motion *motion) {
  body_joints *j = &motion->joints;
  j->apart_count = 0;
  j->extent = 0;
  for (thud_index k = 0; k < motion->model.joint_count; k++) {
    const thud_joint *joint = &motion->model.joints[k];
    double levers = thud_vec3_norm(joint->point_a) + (joint->b >= 0 ? thud_vec3_norm(joint->point_b) : 0);
    j->extent = fmax(j->extent, levers + joint->length + fabs(joint->radius_a) + fabs(joint->radius_b));
  }
  for (thud_index k = 0; k < motion->model.joint_count; k++) {
    const thud_joint *joint = &motion->model.joints[k];
    if (joint->touch || joint->b < 0 || motion->state.off[k]) continue;
    j->apart[j->apart_count++] =
        (thud_index_pair){joint->a < joint->b ? joint->a : joint->b, joint->a < joint->b ? joint->b : joint->a};
  }
  if (j->apart_count > 1) qsort(j->apart, j->apart_count, sizeof *j->apart, compare_pairs);
}

thud_error thud_bodies_order_joints(body_motion *motion) {
  thud_context *context = motion->base.context;
  size_t n = (size_t)motion->model.count,
         items = (size_t)motion->model.joint_count + (size_t)motion->model.spring_count;
  if (motion->model.joint_count == 0) return THUD_OK;
  graph g = {.count = (thud_index)n,
             .items = (thud_index)items,
             .item = THUD_NEW_ARRAY(context, item, items),
             .start = THUD_NEW_ARRAY(context, thud_index, n + 1),
             .next = THUD_NEW_ARRAY(context, thud_index, 2 * items),
             .place = THUD_NEW_ARRAY(context, thud_index, n),
             .queue = THUD_NEW_ARRAY(context, thud_index, n)};
  bool made = g.item != NULL && g.start != NULL && g.next != NULL && g.place != NULL && g.queue != NULL;
  if (made) {
    fill_items(motion, &g);
    link_items(&g);
    order_bodies(&g);
    for (size_t k = 0; k < items; k++) {
      thud_index a = g.item[k].a >= 0 ? g.place[g.item[k].a] : -1, b = g.item[k].b >= 0 ? g.place[g.item[k].b] : -1;
      g.item[k].late = a > b ? a : b;
      g.item[k].early = a > b ? b : a;
    }
    qsort(g.item, items, sizeof *g.item, compare_items);
    for (size_t k = 0; k < items; k++) motion->joints.order[k] = g.item[k].number;
    thud_bodies_list_joined(motion);
  }
  void *const arrays[] = {g.item, g.start, g.next, g.place, g.queue};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(context, arrays[k]);
  return made ? THUD_OK : THUD_ERROR_MEMORY;
}

bool thud_bodies_are_joined(const body_motion *motion, thud_index a, thud_index b) {
  const body_joints *j = &motion->joints;
  const thud_index_pair pair = {a < b ? a : b, a < b ? b : a};
  size_t low = 0, high = j->apart_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    int order = compare_pairs(&j->apart[middle], &pair);
    if (order == 0) return true;
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return false;
}
