/* Recorded bodies, row by row: poses, velocities and contacts as the channels of docs/bodies.md give them; surfaces of their
 * shapes, where these are, and how much room they take. */
#include "base/base.h"
#include "run/run.h"
#include "run/run_bodies.h"

#include <math.h>
#include <string.h>

/* ---- channels ------------------------------------------------------------------------------------------------------- */

static size_t find_channel(const thud_record_reader *reader, const char *name) {
  size_t index;
  return thud_record_find_channel(reader, THUD_RECORD_FRAMES, name, &index) == THUD_OK ? index : SIZE_MAX;
}

/* The channel of this name has so many numbers in every row. */
static thud_error need_channel(const body_record *record, const char *name, size_t width, size_t *channel) {
  *channel = find_channel(record->reader, name);
  if (*channel == SIZE_MAX)
    return thud_fail(record->context, THUD_ERROR_FORMAT, "[unknown-channel] the record has no channel '%s'", name);
  const thud_record_channel *about = thud_record_reader_channel(record->reader, THUD_RECORD_FRAMES, *channel);
  if (about->width == width) return THUD_OK;
  return thud_fail(record->context, THUD_ERROR_FORMAT, "channel '%s' has %zu numbers, not %zu: other bodies", name,
                   about->width, width);
}

static thud_error find_channels(body_record *record) {
  size_t n = (size_t)record->view.count, time;
  bool planar = record->view.planar;
  body_channels *channels = &record->channels;
  thud_error error = thud_record_find_role(record->reader, THUD_RECORD_FRAMES, "time", &time);
  if (error == THUD_OK) error = thud_record_read(record->reader, THUD_RECORD_FRAMES, time, 0, record->rows, record->t);
  if (error == THUD_OK) error = need_channel(record, "position", planar ? 2 * n : 3 * n, &channels->position);
  if (error == THUD_OK)
    error = need_channel(record, planar ? "angle" : "rotation", planar ? n : 4 * n, &channels->rotation);
  if (error == THUD_OK) error = need_channel(record, "velocity", planar ? 2 * n : 3 * n, &channels->velocity);
  if (error == THUD_OK) error = need_channel(record, "spin", planar ? n : 3 * n, &channels->spin);
  const struct {
    const char *name;
    size_t *channel;
  } optional[] = {{"step", &channels->step},
                  {"contact_a", &channels->a},
                  {"contact_b", &channels->b},
                  {"contact_point", &channels->point},
                  {"contact_normal", &channels->normal},
                  {"contact_gap", &channels->gap},
                  {"contact_impulse", &channels->impulse},
                  {"absent", &channels->absent}};
  for (size_t k = 0; k < sizeof optional / sizeof *optional; k++)
    *optional[k].channel = find_channel(record->reader, optional[k].name);
  return error;
}

/* ---- opening ---------------------------------------------------------------------------------------------------------- */

thud_error thud_body_record_open(thud_record_reader *reader, const thud_scene *scene, body_record *record) {
  thud_context *context = thud_scene_context(scene);
  *record = (body_record){.context = context, .reader = reader};
  if (scene->kind->bodies == NULL)
    return thud_fail(
        context, THUD_ERROR_ARGUMENT,
        "[usage] motions of the kind '%s' have no bodies to show: draw their channels over time (thud plot "
        "without --snapshot)",
        scene->kind->name);
  thud_error error = scene->kind->bodies(scene->motion, &record->view);
  if (error != THUD_OK) return error;
  size_t n = (size_t)record->view.count;
  record->rows = thud_record_reader_info(reader).rows[THUD_RECORD_FRAMES];
  if (record->rows == 0 || n == 0)
    return thud_fail(context, THUD_ERROR_FORMAT, "%s",
                     n == 0 ? "the record has no bodies" : "the record has no frames");
  record->t = THUD_NEW_ARRAY(context, double, record->rows);
  record->work = thud_alloc(context, n, 4 * sizeof(double));
  record->pose = THUD_NEW_ARRAY(context, thud_pose, n);
  record->velocity = THUD_NEW_ARRAY(context, thud_vec3, n);
  record->spin = THUD_NEW_ARRAY(context, thud_vec3, n);
  record->absent = THUD_NEW_ARRAY(context, bool, n);
  if (record->t == NULL || record->work == NULL || record->pose == NULL || record->velocity == NULL ||
      record->spin == NULL || record->absent == NULL)
    return THUD_ERROR_MEMORY;
  error = find_channels(record);
  return error == THUD_OK ? thud_body_record_read_joint_changes(record) : error;
}

void thud_body_record_close(body_record *record) {
  void *const arrays[] = {record->t,      record->work,     record->pose, record->velocity,     record->spin,
                          record->absent, record->contacts, record->off,  record->joint_changes};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(record->context, arrays[k]);
}

thud_error thud_body_record_find(const body_record *record, double t, size_t *row) {
  const double *times = record->t;
  size_t low = 0, high = record->rows - 1;
  if (!(t >= times[low] && t <= times[high]))
    return thud_fail(record->context, THUD_ERROR_ARGUMENT,
                     "[time-outside] the time %g lies outside the record, from %g to %g", t, times[low], times[high]);
  while (high - low > 1) { /* times[low] <= t <= times[high] */
    size_t middle = low + (high - low) / 2;
    if (times[middle] <= t)
      low = middle;
    else
      high = middle;
  }
  *row = t - times[low] < times[high] - t ? low : high;
  return THUD_OK;
}

/* ---- rows ------------------------------------------------------------------------------------------------------------- */

static thud_error read_numbers(const body_record *record, size_t channel, size_t row) {
  return thud_record_read(record->reader, THUD_RECORD_FRAMES, channel, row, 1, record->work);
}

/* Vector k of an array of vectors of the plane or of space. */
static thud_vec3 vector_of(const body_record *record, const double *values, size_t k) {
  return record->view.planar ? thud_vec3_make(values[2 * k], values[2 * k + 1], 0) : thud_vec3_load(values + 3 * k);
}

static thud_error read_vectors(body_record *record, size_t channel, size_t row, thud_vec3 *vectors) {
  thud_error error = read_numbers(record, channel, row);
  for (size_t k = 0; k < (size_t)record->view.count && error == THUD_OK; k++)
    vectors[k] = vector_of(record, record->work, k);
  return error;
}

static thud_error read_spins(body_record *record, size_t row) {
  if (!record->view.planar) return read_vectors(record, record->channels.spin, row, record->spin);
  thud_error error = read_numbers(record, record->channels.spin, row);
  for (size_t k = 0; k < (size_t)record->view.count && error == THUD_OK; k++)
    record->spin[k] = thud_vec3_make(0, 0, record->work[k]);
  return error;
}

static thud_error read_poses(body_record *record, size_t row) {
  const double *work = record->work;
  thud_error error = read_numbers(record, record->channels.position, row);
  if (error != THUD_OK) return error;
  for (size_t k = 0; k < (size_t)record->view.count; k++) record->pose[k].position = vector_of(record, work, k);
  error = read_numbers(record, record->channels.rotation, row);
  if (error != THUD_OK) return error;
  for (size_t k = 0; k < (size_t)record->view.count; k++)
    record->pose[k].rotation = record->view.planar
                                   ? thud_quat_make(cos(work[k] / 2), 0, 0, sin(work[k] / 2))
                                   : thud_quat_make(work[4 * k], work[4 * k + 1], work[4 * k + 2], work[4 * k + 3]);
  return THUD_OK;
}

/* The cell of a contact channel, with `group` numbers for each of `count` contacts. */
static thud_error read_cell(const body_record *record, size_t channel, size_t row, size_t count, size_t group,
                            thud_record_cell *cell) {
  thud_error error = thud_record_read_cell(record->reader, THUD_RECORD_FRAMES, channel, row, cell);
  if (error != THUD_OK || (cell->values != NULL && cell->count == count * group) || cell->count == 0) return error;
  return thud_fail(record->context, THUD_ERROR_FORMAT, "row %zu: channel '%s' has %zu numbers for %zu contacts", row,
                   thud_record_reader_channel(record->reader, THUD_RECORD_FRAMES, channel)->name, cell->count, count);
}

static bool is_body(const body_record *record, double number) {
  return number >= 0 && number < (double)record->view.count;
}

static thud_error read_contact_bodies(body_record *record, size_t row, size_t *count) {
  thud_record_cell a, b;
  thud_error error = thud_record_read_cell(record->reader, THUD_RECORD_FRAMES, record->channels.a, row, &a);
  if (error == THUD_OK) error = read_cell(record, record->channels.b, row, a.count, 1, &b);
  if (error == THUD_OK)
    error = thud_array_reserve(record->context, &record->contacts, &record->contact_capacity, a.count,
                               sizeof *record->contacts);
  if (error != THUD_OK) return error;
  for (size_t k = 0; k < a.count; k++) {
    if (b.count != a.count || !is_body(record, a.values[k]) || !is_body(record, b.values[k]))
      return thud_fail(record->context, THUD_ERROR_FORMAT, "row %zu: contact %zu is not between two bodies", row, k);
    record->contacts[k] = (body_contact){.a = (thud_index)a.values[k], .b = (thud_index)b.values[k]};
  }
  *count = a.count;
  return THUD_OK;
}

static thud_error read_contacts(body_record *record, size_t row, size_t *count) {
  const body_channels *channels = &record->channels;
  *count = 0;
  if (channels->a == SIZE_MAX || channels->b == SIZE_MAX) return THUD_OK;
  thud_error error = read_contact_bodies(record, row, count);
  const size_t vectors[3] = {channels->point, channels->normal, channels->impulse};
  for (int which = 0; which < 3 && error == THUD_OK; which++) {
    thud_record_cell cell = {0};
    if (vectors[which] != SIZE_MAX)
      error = read_cell(record, vectors[which], row, *count, record->view.planar ? 2 : 3, &cell);
    for (size_t k = 0; k < *count && error == THUD_OK && cell.count > 0; k++) {
      body_contact *contact = &record->contacts[k];
      *(which == 0   ? &contact->point
        : which == 1 ? &contact->normal
                     : &contact->impulse) = vector_of(record, cell.values, k);
    }
  }
  thud_record_cell gaps = {0};
  if (error == THUD_OK && channels->gap != SIZE_MAX) error = read_cell(record, channels->gap, row, *count, 1, &gaps);
  for (size_t k = 0; k < *count && error == THUD_OK && gaps.count > 0; k++) record->contacts[k].gap = gaps.values[k];
  return error;
}

/* Records of programs before there were absent bodies have no such channel. */
static thud_error read_absent(body_record *record, size_t row) {
  thud_record_cell cell;
  memset(record->absent, 0, (size_t)record->view.count * sizeof *record->absent);
  if (record->channels.absent == SIZE_MAX) return THUD_OK;
  thud_error error = thud_record_read_cell(record->reader, THUD_RECORD_FRAMES, record->channels.absent, row, &cell);
  for (size_t k = 0; error == THUD_OK && k < cell.count; k++)
    if (is_body(record, cell.values[k])) record->absent[(size_t)cell.values[k]] = true;
  return error;
}

thud_error thud_body_record_read(body_record *record, size_t row, body_row *read) {
  size_t contacts = 0;
  double step = 0;
  thud_error error = read_poses(record, row);
  if (error == THUD_OK) error = read_vectors(record, record->channels.velocity, row, record->velocity);
  if (error == THUD_OK) error = read_spins(record, row);
  if (error == THUD_OK) error = read_contacts(record, row, &contacts);
  if (error == THUD_OK) error = read_absent(record, row);
  if (error == THUD_OK && record->channels.step != SIZE_MAX)
    error = thud_record_read(record->reader, THUD_RECORD_FRAMES, record->channels.step, row, 1, &step);
  if (error == THUD_OK && record->off != NULL) thud_body_record_switch_joints(record, record->t[row]);
  if (error == THUD_OK)
    *read = (body_row){.t = record->t[row],
                       .step = step,
                       .pose = record->pose,
                       .velocity = record->velocity,
                       .spin = record->spin,
                       .contact_count = contacts,
                       .contacts = record->contacts,
                       .absent = record->absent,
                       .off = record->off};
  return error;
}

/* ---- surfaces of shapes ---------------------------------------------------------------------------------------------- */

thud_error thud_body_surfaces_make(thud_context *context, const thud_bodies_view *view, int segments, double extent,
                                   thud_shape_surface **surfaces) {
  size_t count = (size_t)view->shape_count;
  thud_shape_surface *made = THUD_NEW_ARRAY(context, thud_shape_surface, count > 0 ? count : 1);
  if (made == NULL) return THUD_ERROR_MEMORY;
  thud_error error = THUD_OK;
  for (size_t k = 0; k < count && error == THUD_OK; k++)
    error = thud_shape_make_surface(context, view->shapes[k], segments, extent, &made[k]);
  if (error == THUD_OK)
    *surfaces = made;
  else
    thud_body_surfaces_free(context, view, made);
  return error;
}

void thud_body_surfaces_free(thud_context *context, const thud_bodies_view *view, thud_shape_surface *surfaces) {
  for (size_t k = 0; surfaces != NULL && k < (size_t)view->shape_count; k++)
    thud_shape_surface_free(context, &surfaces[k]);
  thud_free(context, surfaces);
}

/* ---- where parts are ------------------------------------------------------------------------------------------------- */

bool thud_body_is_endless(const thud_bodies_view *view, thud_index part) {
  return thud_shape_radius(view->part_shape[part]) == INFINITY;
}

thud_pose thud_body_place(const thud_bodies_view *view, thud_index part, const thud_pose *pose, thud_vec3 centre) {
  thud_pose place = thud_pose_compose(pose, &view->part_pose[part]);
  if (!thud_body_is_endless(view, part)) return place;
  thud_vec3 near = thud_pose_point_inverse(&place, centre);
  near.z = 0;
  if (view->planar) near.y = 0;
  place.position = thud_pose_point(&place, near);
  return place;
}

/* ---- how much room bodies take --------------------------------------------------------------------------------------- */

thud_bounds thud_body_bounds_empty(void) {
  return (thud_bounds){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

static void join(thud_bounds *box, const thud_bounds *other) {
  box->low =
      thud_vec3_make(fmin(box->low.x, other->low.x), fmin(box->low.y, other->low.y), fmin(box->low.z, other->low.z));
  box->high = thud_vec3_make(fmax(box->high.x, other->high.x), fmax(box->high.y, other->high.y),
                             fmax(box->high.z, other->high.z));
}

size_t thud_body_held_count(const thud_bodies_view *view) {
  return (size_t)view->spring_count + 3 * (size_t)view->joint_count;
}

bool thud_body_held_at(const thud_bodies_view *view, size_t k, thud_vec3 *x) {
  if (k < (size_t)view->spring_count) {
    *x = view->springs[k].point_b;
    return view->spring_b[k] < 0;
  }
  k -= (size_t)view->spring_count;
  const thud_joint *joint = &view->joints[k / 3];
  bool is_pulley = joint->kind == THUD_JOINT_PULLEY;
  bool at_point = joint->kind == THUD_JOINT_BALL || joint->kind == THUD_JOINT_HINGE ||
                  joint->kind == THUD_JOINT_UNIVERSAL || joint->kind == THUD_JOINT_ROD ||
                  joint->kind == THUD_JOINT_ROPE;
  *x = k % 3 == 0 ? joint->point_b : k % 3 == 1 ? joint->over_a : joint->over_b;
  return k % 3 == 0 ? joint->b < 0 && at_point : is_pulley;
}

void thud_body_bounds_add_held(const thud_bodies_view *view, thud_bounds *box) {
  for (size_t k = 0; k < thud_body_held_count(view); k++) {
    thud_bounds point;
    if (!thud_body_held_at(view, k, &point.low)) continue;
    point.high = point.low;
    join(box, &point);
  }
}

static bool some_move(const thud_bodies_view *view) {
  for (thud_index k = 0; k < view->count; k++)
    if (view->role[k] == THUD_BODY_DYNAMIC) return true;
  return false;
}

void thud_body_bounds_add(const thud_bodies_view *view, const thud_pose *pose, thud_bounds *box) {
  bool moving_only = some_move(view);
  for (thud_index part = 0; part < view->part_count; part++) {
    thud_index body = view->part_body[part];
    if (thud_body_is_endless(view, part) || (moving_only && view->role[body] != THUD_BODY_DYNAMIC)) continue;
    thud_pose place = thud_pose_compose(&pose[body], &view->part_pose[part]);
    thud_bounds one = thud_shape_bounds(view->part_shape[part], &place, 0);
    join(box, &one);
  }
}
