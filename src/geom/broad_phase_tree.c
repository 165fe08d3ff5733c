/* The second method of the broad phase, for boxes that grids do not tell apart: many long or flat ones in one place, as
 * stacked plates or a bundle of needles. A balanced tree of boxes, halved at the median along the axis on which the
 * centres spread most relative to the sizes; n log n to build, and every box descends it once. */
#include "geom/broad_phase.h"
#include "geom/ray.h"
#include "geom/shape.h"

enum { LEAF = 4 };

/* ---- the median --------------------------------------------------------------------------------------------------------- */

static bool before(thud_broad_key a, thud_broad_key b) { return a.x < b.x || (a.x == b.x && a.box < b.box); }

static void exchange(thud_broad_key *a, thud_broad_key *b) {
  thud_broad_key held = *a;
  *a = *b;
  *b = held;
}

/* Hoare's selection: afterwards keys[0..middle-1] come before keys[middle..count-1]. Pivots are drawn (with a fixed seed),
 * so that no order of the boxes makes it slow; the result does not depend on them because the order is strict. */
static void select_middle(thud_broad_key *keys, thud_index count, thud_index middle, thud_random *random) {
  thud_index first = 0, last = count - 1;
  while (first < last) {
    thud_broad_key pivot = keys[first + (thud_index)thud_random_below(random, (uint32_t)(last - first + 1))];
    thud_index i = first, k = last;
    while (i <= k) {
      while (before(keys[i], pivot)) i++;
      while (before(pivot, keys[k])) k--;
      if (i <= k) exchange(&keys[i++], &keys[k--]);
    }
    if (middle <= k)
      last = k;
    else if (middle >= i)
      first = i;
    else
      return;
  }
}

/* ---- the tree ------------------------------------------------------------------------------------------------------------- */

static double component(thud_vec3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

/* Half of it first: sums of boxes up to 2^1000 do not overflow, but there is no need to come near. */
static double centre(const thud_bounds *box, int axis) {
  return 0.5 * component(box->low, axis) + 0.5 * component(box->high, axis);
}

typedef struct axis_spread {
  double low, high, size; /* of the centres; sum of the sizes */
} axis_spread;

static axis_spread spread_along(const thud_broad_phase *phase, const thud_broad_key *keys, thud_index count, int axis) {
  axis_spread spread = {INFINITY, -INFINITY, 0};
  for (thud_index i = 0; i < count; i++) {
    const thud_bounds *box = &phase->at.entries[keys[i].box].bounds;
    double x = centre(box, axis);
    spread.low = x < spread.low ? x : spread.low;
    spread.high = thud_larger(spread.high, x);
    spread.size += component(box->high, axis) - component(box->low, axis);
  }
  return spread;
}

/* The axis along which boxes overlap least: largest spread of centres per size. */
static int choose_axis(const thud_broad_phase *phase, const thud_broad_key *keys, thud_index count) {
  int best = 0;
  double most = -1;
  for (int axis = 0; axis < 3; axis++) {
    axis_spread spread = spread_along(phase, keys, count, axis);
    double width = spread.high - spread.low;
    double ratio = width > 0 ? width / thud_larger(spread.size, DBL_MIN) : 0;
    if (!(ratio > most)) continue;
    most = ratio;
    best = axis;
  }
  return best;
}

static thud_bounds bounds_of(const thud_broad_phase *phase, const thud_broad_key *keys, thud_index count) {
  thud_bounds all = phase->at.entries[keys[0].box].bounds;
  for (thud_index i = 1; i < count; i++) {
    const thud_bounds *box = &phase->at.entries[keys[i].box].bounds;
    all.low = thud_vec3_make(fmin(all.low.x, box->low.x), fmin(all.low.y, box->low.y), fmin(all.low.z, box->low.z));
    all.high =
        thud_vec3_make(fmax(all.high.x, box->high.x), fmax(all.high.y, box->high.y), fmax(all.high.z, box->high.z));
  }
  return all;
}

/* Nodes in preorder; `skip` is the node behind the subtree. The depth is that of halving: at most 31. */
static void build(thud_broad_phase *phase, thud_index first, thud_index count, thud_random *random) {
  thud_broad_key *keys = phase->at.keys + first;
  thud_broad_node *node = &phase->nodes[phase->node_count++];
  *node = (thud_broad_node){.bounds = bounds_of(phase, keys, count), .first = first, .count = count};
  if (count > LEAF) {
    node->count = 0;
    int axis = choose_axis(phase, keys, count);
    for (thud_index i = 0; i < count; i++) keys[i].x = centre(&phase->at.entries[keys[i].box].bounds, axis);
    select_middle(keys, count, count / 2, random);
    build(phase, first, count / 2, random);
    build(phase, first + count / 2, count - count / 2, random);
  }
  node->skip = phase->node_count;
}

thud_error thud_broad_phase_plant(thud_broad_phase *phase) {
  thud_error error = thud_array_reserve(phase->context, &phase->nodes, &phase->node_capacity, (size_t)phase->gridded,
                                        sizeof *phase->nodes);
  if (error != THUD_OK) return error;
  thud_random random = thud_random_seed(1);
  for (thud_index i = 0; i < phase->gridded; i++) phase->at.keys[i].box = i;
  phase->node_count = 0;
  if (phase->gridded > 0) build(phase, 0, phase->gridded, &random);
  return THUD_OK;
}

/* ---- one box against the tree ------------------------------------------------------------------------------------------ */

/* Boxes in front of it in the order of entries have asked for it already. */
void thud_broad_phase_descend(const thud_broad_phase *phase, thud_index entry, thud_broad_task *task) {
  const thud_broad_entry *a = &phase->at.entries[entry];
  for (thud_index k = 0; k < phase->node_count;) {
    const thud_broad_node *node = &phase->nodes[k];
    task->tests++;
    if (!thud_broad_overlap(&a->bounds, &node->bounds)) {
      k = node->skip;
      continue;
    }
    for (thud_index i = node->first; i < node->first + node->count; i++) {
      thud_index other = phase->at.keys[i].box;
      task->tests++;
      if (other > entry) thud_broad_test(task, a, &phase->at.entries[other]);
    }
    k++;
  }
}

/* ---- questions ---------------------------------------------------------------------------------------------------------- */

void thud_broad_phase_meet_box(const thud_broad_phase *phase, const thud_bounds *box, thud_broad_visit_fn visit,
                               void *user) {
  const thud_broad_entry *entries = phase->at.entries;
  for (thud_index k = 0; k < phase->node_count;) {
    const thud_broad_node *node = &phase->nodes[k];
    if (!thud_broad_overlap(box, &node->bounds)) {
      k = node->skip;
      continue;
    }
    for (thud_index i = node->first; i < node->first + node->count; i++) {
      const thud_broad_entry *entry = &entries[phase->at.keys[i].box];
      if (thud_broad_overlap(box, &entry->bounds)) visit(user, entry->box);
    }
    k++;
  }
  for (thud_index k = phase->gridded; k < phase->entry_count; k++)
    if (thud_broad_overlap(box, &entries[k].bounds)) visit(user, entries[k].box);
}

static bool is_met(const thud_ray *ray, const thud_bounds *box, double limit) {
  double from = 0, to = limit;
  return thud_ray_in_box(ray, box, &from, &to);
}

void thud_broad_phase_meet_ray(const thud_broad_phase *phase, const thud_ray *ray, const double *limit,
                               thud_broad_visit_fn visit, void *user) {
  const thud_broad_entry *entries = phase->at.entries;
  for (thud_index k = phase->gridded; k < phase->entry_count; k++)
    if (is_met(ray, &entries[k].bounds, *limit)) visit(user, entries[k].box);
  for (thud_index k = 0; k < phase->node_count;) {
    const thud_broad_node *node = &phase->nodes[k];
    if (!is_met(ray, &node->bounds, *limit)) {
      k = node->skip;
      continue;
    }
    for (thud_index i = node->first; i < node->first + node->count; i++) {
      const thud_broad_entry *entry = &entries[phase->at.keys[i].box];
      if (is_met(ray, &entry->bounds, *limit)) visit(user, entry->box);
    }
    k++;
  }
}
