/* First pass over recorded bodies: which rows are shown, which bodies move, where they are, how exactly that is kept. */
#include "page/page_bodies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Contacts of all frames together. */
enum { MOST_CONTACTS = 400000 };

/* ---- exactness ----------------------------------------------------------------------------------------------------------- */

/* Steps per bounding radius and per unit of quaternions, by the number of poses that the page holds: a page of few bodies
 * can be looked at from near, one of many has to be sent. */
static const struct {
  double most_poses, per_radius, per_unit;
} exactness[] = {{1e5, 4096, 32768}, {1e6, 1024, 8192}, {INFINITY, 256, 2048}};

static int compare_numbers(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

/* Median radius of the moving bodies; 0 when they are particles, or none moves. */
static thud_error median_radius(const page_bodies *bodies, double *median) {
  thud_context *context = bodies->record->page->context;
  double *sorted = THUD_NEW_ARRAY(context, double, bodies->moving_count);
  if (sorted == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < bodies->moving_count; k++) sorted[k] = bodies->radius[bodies->moving[k]];
  qsort(sorted, bodies->moving_count, sizeof *sorted, compare_numbers);
  *median = bodies->moving_count > 0 ? sorted[bodies->moving_count / 2] : 0;
  thud_free(context, sorted);
  return THUD_OK;
}

static double diagonal_of(const page_bodies *bodies) {
  double sum = 0;
  for (int i = 0; i < bodies->dimension; i++) {
    double size = bodies->high[i] - bodies->low[i];
    if (isfinite(size)) sum = hypot(sum, size);
  }
  return sum;
}

/* Positions to a part of the bodies' size, however far some of them go (up to 2^20 steps across the room). */
static thud_error choose_steps(page_bodies *bodies) {
  double median = 0, poses = (double)bodies->moving_count * (double)bodies->frame_count, across = diagonal_of(bodies);
  const double most_across = 1 << 20, usual_across = 1 << 14;
  size_t level = 0;
  while (poses > exactness[level].most_poses) level++;
  thud_error error = median_radius(bodies, &median);
  bodies->step = median > 0 ? median / exactness[level].per_radius : across / usual_across;
  bodies->step = thud_larger(bodies->step, across / most_across);
  if (!(bodies->step > 0)) bodies->step = 1;
  bodies->turn_step = 1 / exactness[level].per_unit;
  return error;
}

/* ---- rows ---------------------------------------------------------------------------------------------------------------- */

static void choose_rows(page_bodies *bodies) {
  size_t rows = bodies->rows.rows;
  for (size_t k = 0; k < bodies->frame_count; k++) {
    bodies->frames[k] = bodies->frame_count > 1 ? k * (rows - 1) / (bodies->frame_count - 1) : rows - 1;
    bodies->t[k] = bodies->rows.t[bodies->frames[k]];
  }
}

static thud_error allocate(page_bodies *bodies) {
  thud_context *context = bodies->record->page->context;
  size_t most = (size_t)bodies->record->page->options.most_frames, n = (size_t)bodies->rows.view.count;
  bodies->count = n;
  bodies->dimension = bodies->rows.view.planar ? 2 : 3;
  bodies->frame_count = bodies->rows.rows <= most + 1 ? bodies->rows.rows : most; /* the start, and so many steps */
  bodies->frames = THUD_NEW_ARRAY(context, size_t, bodies->frame_count);
  bodies->t = THUD_NEW_ARRAY(context, double, bodies->frame_count);
  bodies->contact_ends = THUD_NEW_ARRAY(context, int32_t, bodies->frame_count);
  bodies->known = THUD_NEW_ARRAY(context, unsigned char, bodies->frame_count);
  bodies->first = THUD_NEW_ARRAY(context, thud_pose, n);
  bodies->moves = THUD_NEW_ARRAY(context, bool, n);
  bodies->moving = THUD_NEW_ARRAY(context, int32_t, n);
  bodies->radius = THUD_NEW_ARRAY(context, double, n);
  bool good = bodies->frames != NULL && bodies->t != NULL && bodies->contact_ends != NULL && bodies->known != NULL &&
              bodies->first != NULL && bodies->moves != NULL && bodies->moving != NULL && bodies->radius != NULL;
  return good ? THUD_OK : THUD_ERROR_MEMORY;
}

/* Around the centre of mass; what is endless has none. */
static void measure_radii(page_bodies *bodies) {
  const thud_bodies_view *view = &bodies->rows.view;
  for (thud_index part = 0; part < view->part_count; part++) {
    double *radius = &bodies->radius[view->part_body[part]];
    double reach = thud_vec3_norm(view->part_pose[part].position) + thud_shape_radius(view->part_shape[part]);
    if (isfinite(reach) && reach > *radius) *radius = reach;
  }
}

/* ---- the pass ------------------------------------------------------------------------------------------------------------ */

static bool same_pose(const thud_pose *a, const thud_pose *b) {
  return a->position.x == b->position.x && a->position.y == b->position.y && a->position.z == b->position.z &&
         a->rotation.w == b->rotation.w && a->rotation.x == b->rotation.x && a->rotation.y == b->rotation.y &&
         a->rotation.z == b->rotation.z;
}

static void widen(page_bodies *bodies, thud_vec3 position) {
  const double x[3] = {position.x, position.y, position.z};
  for (int i = 0; i < 3; i++) {
    if (x[i] < bodies->low[i]) bodies->low[i] = x[i];
    if (x[i] > bodies->high[i]) bodies->high[i] = x[i];
  }
}

static thud_error look_at_rows(page_bodies *bodies) {
  for (int i = 0; i < 3; i++) {
    bodies->low[i] = INFINITY;
    bodies->high[i] = -INFINITY;
  }
  bodies->room = thud_body_bounds_empty();
  for (size_t k = 0; k < bodies->frame_count; k++) {
    body_row row;
    thud_error error = thud_body_record_read(&bodies->rows, bodies->frames[k], &row);
    if (error != THUD_OK) return error;
    if (k == 0) memcpy(bodies->first, row.pose, bodies->count * sizeof *row.pose);
    thud_body_bounds_add(&bodies->rows.view, row.pose, &bodies->room);
    for (size_t b = 0; b < bodies->count; b++) {
      if (!bodies->moves[b]) bodies->moves[b] = !same_pose(&row.pose[b], &bodies->first[b]);
      if (bodies->moves[b]) widen(bodies, row.pose[b].position);
    }
  }
  thud_body_bounds_add_held(&bodies->rows.view, &bodies->room);
  for (size_t b = 0; b < bodies->count; b++) {
    if (!bodies->moves[b]) continue;
    widen(bodies, bodies->first[b].position);
    bodies->moving[bodies->moving_count++] = (int32_t)b;
  }
  return THUD_OK;
}

thud_error thud_page_bodies_survey(page_bodies *bodies, thud_scene *scene) {
  thud_error error = thud_body_record_open(bodies->record->reader, scene, &bodies->rows);
  if (error == THUD_OK) error = allocate(bodies);
  if (error != THUD_OK) return error;
  choose_rows(bodies);
  measure_radii(bodies);
  bodies->most_contacts = MOST_CONTACTS / bodies->frame_count + 1;
  error = look_at_rows(bodies);
  return error == THUD_OK ? choose_steps(bodies) : error;
}

void thud_page_bodies_free(page_bodies *bodies) {
  void *const arrays[] = {bodies->frames, bodies->t,      bodies->contact_ends, bodies->first, bodies->moves,
                          bodies->moving, bodies->radius, bodies->contacts,     bodies->known};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(bodies->record->page->context, arrays[k]);
  thud_body_record_close(&bodies->rows);
}
