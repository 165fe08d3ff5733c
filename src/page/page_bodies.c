/* Recorded rigid bodies: what they are, and where at each of the frames. */
#include "model/joint.h"
#include "page/page_bodies.h"
#include "record/unit.h"

#include <math.h>

/* ---- what they are ------------------------------------------------------------------------------------------------------- */

static const char *unit_of(const page_bodies *bodies, size_t channel) {
  if (channel == SIZE_MAX) return "";
  return thud_record_reader_channel(bodies->record->reader, THUD_RECORD_FRAMES, channel)->unit;
}

static void write_vector(thud_json *json, const char *key, int dimension, thud_vec3 v) {
  const double numbers[3] = {v.x, v.y, v.z};
  thud_json_key(json, key);
  thud_json_begin_flat_array(json);
  for (int i = 0; i < dimension; i++) thud_json_number(json, numbers[i]);
  thud_json_end_array(json);
}

/* Against gravity; without any, the last axis. */
static thud_vec3 up_of(const thud_bodies_view *view) {
  double g = thud_vec3_norm(view->gravity);
  if (g > 0) return thud_vec3_scale(-1 / g, view->gravity);
  return view->planar ? thud_vec3_make(0, 1, 0) : thud_vec3_make(0, 0, 1);
}

static void write_about(page_bodies *bodies) {
  page_build *page = bodies->record->page;
  thud_json *json = &page->json;
  const thud_bodies_view *view = &bodies->rows.view;
  char force[RECORD_UNIT];
  thud_record_unit_per(unit_of(bodies, bodies->rows.channels.impulse), bodies->record->time_unit, sizeof force, force);
  thud_json_key(json, "planar");
  thud_json_bool(json, view->planar);
  thud_json_integer_field(json, "count", (int64_t)bodies->count);
  thud_json_key(json, "names");
  thud_json_begin_flat_array(json);
  for (size_t k = 0; k < bodies->count; k++) thud_json_string(json, view->name[k]);
  thud_json_end_array(json);
  thud_page_bytes(page, "roles", bodies->count, view->role);
  thud_json_string_field(json, "length_unit", unit_of(bodies, bodies->rows.channels.position));
  thud_json_string_field(json, "force_unit", force);
  write_vector(json, "up", 3, up_of(view));
}

/* ---- what does not move -------------------------------------------------------------------------------------------------- */

static void write_still(page_bodies *bodies) {
  enum { POSE = 7 };
  page_build *page = bodies->record->page;
  size_t count = 0;
  int32_t *still = THUD_NEW_ARRAY(page->context, int32_t, bodies->count);
  double *poses = thud_alloc(page->context, bodies->count, POSE * sizeof(double));
  if (thud_page_take(page, still != NULL && poses != NULL ? THUD_OK : THUD_ERROR_MEMORY)) {
    for (size_t b = 0; b < bodies->count; b++) {
      if (bodies->moves[b]) continue;
      const thud_pose *pose = &bodies->first[b];
      double *x = poses + POSE * count;
      thud_vec3_store(pose->position, x);
      x[3] = pose->rotation.w;
      x[4] = pose->rotation.x;
      x[5] = pose->rotation.y;
      x[6] = pose->rotation.z;
      still[count++] = (int32_t)b;
    }
    thud_page_indices(page, "still", count, still);
    thud_page_floats(page, "still_pose", POSE * count, poses);
    thud_page_indices(page, "moving", bodies->moving_count, bodies->moving);
  }
  thud_free(page->context, still);
  thud_free(page->context, poses);
}

static void write_room(page_bodies *bodies) {
  page_build *page = bodies->record->page;
  const thud_bounds *room = &bodies->room;
  const double corners[6] = {room->low.x, room->low.y, room->low.z, room->high.x, room->high.y, room->high.z};
  thud_page_doubles(page, "t", bodies->frame_count, bodies->t);
  thud_json_key(&page->json, "room");
  thud_json_begin_flat_array(&page->json);
  for (int i = 0; i < 6; i++) thud_json_number(&page->json, isfinite(corners[i]) ? corners[i] : i < 3 ? -1 : 1);
  thud_json_end_array(&page->json);
  thud_page_floats(page, "radius", bodies->count, bodies->radius);
}

static void write_spring(thud_json *json, thud_index a, thud_index b, thud_vec3 point_a, thud_vec3 point_b) {
  thud_json_begin_object(json);
  thud_json_integer_field(json, "a", a);
  thud_json_integer_field(json, "b", b);
  write_vector(json, "point_a", 3, point_a);
  write_vector(json, "point_b", 3, point_b);
  thud_json_end_object(json);
}

/* A spring along which the points of joint k part, which acts all the time. */
static bool has_long_spring(const body_record *rows, thud_index k) {
  const thud_joint *joint = &rows->view.joints[k];
  bool found = false, planar = rows->view.planar;
  if (joint->absent) return false;
  for (size_t i = 0; i < rows->joint_change_count; i++)
    if (rows->joint_changes[i].joint == k) return false;
  if (joint->kind == THUD_JOINT_GEAR || joint->kind == THUD_JOINT_RACK || joint->kind == THUD_JOINT_PULLEY)
    return false;
  for (int c = 0; c < thud_joint_coordinates(joint->kind, planar); c++)
    found =
        found || (joint->law[c].stiffness > 0 && !thud_coordinate_is_angle(thud_joint_free(joint->kind, planar, c)));
  return found;
}

static void write_springs(page_bodies *bodies) {
  thud_json *json = &bodies->record->page->json;
  const thud_bodies_view *view = &bodies->rows.view;
  thud_json_key(json, "springs");
  thud_json_begin_array(json);
  for (thud_index k = 0; k < view->spring_count; k++) {
    const thud_spring_def *spring = &view->springs[k];
    write_spring(json, view->spring_a[k], view->spring_b[k], spring->point_a, spring->point_b);
  }
  for (thud_index k = 0; k < view->joint_count; k++) {
    const thud_joint *joint = &view->joints[k];
    if (has_long_spring(&bodies->rows, k)) write_spring(json, joint->a, joint->b, joint->point_a, joint->point_b);
  }
  thud_json_end_array(json);
}

/* Times at which a joint begins or ceases to act. */
static void write_switches(page_bodies *bodies, thud_index joint) {
  thud_json *json = &bodies->record->page->json;
  const body_record *rows = &bodies->rows;
  thud_json_key(json, "switches");
  thud_json_begin_flat_array(json);
  for (size_t k = 0; k < rows->joint_change_count; k++)
    if (rows->joint_changes[k].joint == joint) thud_json_number(json, rows->joint_changes[k].t);
  thud_json_end_array(json);
}

/* Ends at the bodies, the axis in the frame of a (in the plane only sliders have one), where a pulley leads its rope, and how
 * long ropes are. */
static void write_joint(page_bodies *bodies, thud_index k) {
  thud_json *json = &bodies->record->page->json;
  const thud_joint *joint = &bodies->rows.view.joints[k];
  const thud_joint_class *kind = thud_joint_class_of(joint->kind);
  bool shifts = kind->free_count > 0 && kind->free[0] == THUD_COORDINATE_SHIFT;
  thud_json_begin_object(json);
  thud_json_string_field(json, "name", joint->name);
  thud_json_string_field(json, "kind", kind->name);
  thud_json_integer_field(json, "a", joint->a);
  thud_json_integer_field(json, "b", joint->b);
  write_vector(json, "point_a", 3, joint->point_a);
  write_vector(json, "point_b", 3, joint->point_b);
  if (kind->has_axis && (shifts || !bodies->rows.view.planar))
    write_vector(json, "axis", 3, thud_quat_rotate(joint->frame_a, thud_vec3_make(1, 0, 0)));
  if (joint->kind == THUD_JOINT_PULLEY) {
    write_vector(json, "over_a", 3, joint->over_a);
    write_vector(json, "over_b", 3, joint->over_b);
  }
  if (joint->kind == THUD_JOINT_ROPE) thud_json_number_field(json, "length", joint->law[0].limit[1]);
  thud_json_key(json, "absent");
  thud_json_bool(json, joint->absent);
  write_switches(bodies, k);
  thud_json_end_object(json);
}

/* Gears and racks hold no place. */
static void write_joints(page_bodies *bodies) {
  thud_json *json = &bodies->record->page->json;
  const thud_bodies_view *view = &bodies->rows.view;
  thud_json_key(json, "joints");
  thud_json_begin_array(json);
  for (thud_index k = 0; k < view->joint_count; k++)
    if (view->joints[k].kind != THUD_JOINT_GEAR && view->joints[k].kind != THUD_JOINT_RACK) write_joint(bodies, k);
  thud_json_end_array(json);
}

/* ---- what is known of the steps ------------------------------------------------------------------------------------------- */

/* -1: none; a damaged record may hold anything. */
static int32_t whole_number(double value) { return value >= 0 && value <= INT32_MAX ? (int32_t)value : -1; }

/* A channel of one number at the frames that are shown; nothing when there is none. */
static void write_channel(page_bodies *bodies, const char *role, bool whole) {
  page_build *page = bodies->record->page;
  double *values = NULL;
  int32_t *numbers = THUD_NEW_ARRAY(page->context, int32_t, bodies->frame_count);
  if (thud_page_take(page, numbers != NULL ? thud_page_read_role(bodies->record, THUD_RECORD_FRAMES, role, &values)
                                           : THUD_ERROR_MEMORY) &&
      values != NULL) {
    for (size_t k = 0; k < bodies->frame_count; k++) values[k] = values[bodies->frames[k]]; /* frames[k] >= k */
    for (size_t k = 0; k < bodies->frame_count && whole; k++) numbers[k] = whole_number(values[k]);
    if (whole)
      thud_page_indices(page, role, bodies->frame_count, numbers);
    else
      thud_page_doubles(page, role, bodies->frame_count, values);
  }
  thud_free(page->context, numbers);
  thud_free(page->context, values);
}

static void write_all(page_bodies *bodies) {
  page_build *page = bodies->record->page;
  if (!thud_page_take(page, thud_page_blocks_cut(&page->blocks))) return;
  thud_json_begin_object(&page->json);
  write_about(bodies);
  write_room(bodies);
  thud_page_write_shapes(bodies);
  write_still(bodies);
  write_springs(bodies);
  write_joints(bodies);
  write_channel(bodies, "residual", false);
  write_channel(bodies, "penetration", false);
  write_channel(bodies, "worst_a", true);
  write_channel(bodies, "worst_b", true);
  thud_page_write_motion(bodies);
  thud_page_write_contacts(bodies);
  thud_json_end_object(&page->json);
}

void thud_page_write_bodies(page_record *record, thud_scene *scene) {
  page_build *page = record->page;
  page_bodies bodies = {.record = record, .rows = {.context = page->context}};
  thud_json_key(&page->json, "bodies");
  if (thud_page_take(page, thud_page_bodies_survey(&bodies, scene))) {
    write_all(&bodies);
    if (bodies.frame_count < bodies.rows.rows)
      thud_page_note(record, "the moving picture shows %zu of %zu rows", bodies.frame_count, bodies.rows.rows);
  }
  thud_page_bodies_free(&bodies);
}
