/* `joints` of `bodies` scenes: where a joint is and which way it points, from places in the world at the start or in the
 * frames of its bodies. What is given of one body alone follows for the other from the start. */
#include "kinds/bodies/bodies_scene.h"
#include "model/bodies.h"
#include "model/joint.h"
#include "scene/scene_options.h"

#include <math.h>
#include <string.h>

/* A joint at work: the frames of its bodies at the start. */
typedef struct joint_reader {
  bodies_scene *made;
  const thud_node *node;
  const thud_joint_class *kind;
  thud_pose pose[2];
  thud_joint_def def;
} joint_reader;

static bool has(const joint_reader *r, const char *key) { return thud_node_find(r->node, key) != NULL; }

static thud_error fail(const joint_reader *r, const char *key, const char *message) {
  const thud_node *at = thud_node_find(r->node, key);
  thud_error error = thud_node_fail(at != NULL ? at : r->node, THUD_ERROR_SCHEMA, message, r->kind->name);
  return thud_fail_with_code(r->made->context, error, (thud_code){"bad-joint"});
}

static thud_error read_bodies(joint_reader *r) {
  static const char *const keys[2] = {"a", "b"};
  bodies_scene *made = r->made;
  thud_body_id *ids[2] = {&r->def.a, &r->def.b};
  const thud_node *node;
  thud_error error = thud_node_require_as(r->node, "a", "the name of a body", &node);
  for (size_t k = 0; k < 2 && error == THUD_OK; k++) {
    size_t number = 0;
    r->pose[k] = thud_pose_identity();
    if ((node = thud_node_find(r->node, keys[k])) == NULL) continue;
    error = thud_bodies_find_name(made, node, &made->names, "body", &number);
    if (error != THUD_OK) return error;
    *ids[k] = made->ids[number];
    r->pose[k] = made->bodies->rows[thud_bodies_row(made->bodies, made->ids[number])].pose;
  }
  return error;
}

/* A ball joint of space with laws, whose axes are those between which it swings. */
static bool swings(const joint_reader *r) {
  return r->def.kind == THUD_JOINT_BALL && !r->made->planar && thud_bodies_has_joint_laws(r->node);
}

/* ---- points ---------------------------------------------------------------------------------------------------------- */

static thud_vec3 into(const thud_pose *pose, thud_vec3 point) {
  return thud_quat_rotate_inverse(pose->rotation, thud_vec3_subtract(point, pose->position));
}

static thud_error read_points(joint_reader *r) {
  thud_vec3 point = r->pose[0].position;
  bool at = has(r, "at"), at_a = has(r, "at_a"), at_b = has(r, "at_b"), ends = r->kind->has_ends;
  if (at && (at_a || at_b || ends))
    return fail(r, "at",
                ends ? "a %s has two points, 'at_a' and 'at_b' in the frames of its bodies"
                     : "a %s has 'at' in the world, or 'at_a' and 'at_b' in the frames of its bodies, not both");
  if (!at && !at_a && !at_b && !ends && r->def.kind != THUD_JOINT_FIXED)
    return fail(r, "joint", "where is this %s? Give 'at' in the world at the start, or 'at_a' in the frame of a");
  thud_error error = thud_bodies_read_vector(r->made, r->node, "at", &point);
  if (error == THUD_OK) error = thud_bodies_read_vector(r->made, r->node, "at_a", &r->def.point_a);
  if (error == THUD_OK) error = thud_bodies_read_vector(r->made, r->node, "at_b", &r->def.point_b);
  if (error != THUD_OK || ends) return error;
  if (at_a) point = thud_pose_point(&r->pose[0], r->def.point_a);
  if (!at_a && at_b) point = thud_pose_point(&r->pose[1], r->def.point_b);
  if (!at_a) r->def.point_a = into(&r->pose[0], point);
  if (!at_b) r->def.point_b = into(&r->pose[1], point);
  return THUD_OK;
}

/* Numbers and places of couplings. */
static thud_error read_coupling(joint_reader *r) {
  static const struct {
    int kind;
    const char *keys[2];
  } needed[] = {{THUD_JOINT_GEAR, {"radius_a", "radius_b"}},
                {THUD_JOINT_RACK, {"radius", NULL}},
                {THUD_JOINT_SCREW, {"lead", NULL}},
                {THUD_JOINT_PULLEY, {"over_a", "over_b"}}};
  const thud_node *node;
  thud_error error = THUD_OK;
  for (size_t k = 0; k < sizeof needed / sizeof *needed; k++)
    for (int i = 0; i < 2 && error == THUD_OK && r->def.kind == needed[k].kind; i++)
      if (needed[k].keys[i] != NULL) error = thud_node_require(r->node, needed[k].keys[i], &node);
  if (error == THUD_OK)
    error = thud_bodies_read_number(r->made, r->node, r->def.kind == THUD_JOINT_RACK ? "radius" : "radius_a",
                                    &r->def.radius_a);
  if (error == THUD_OK) error = thud_bodies_read_number(r->made, r->node, "radius_b", &r->def.radius_b);
  if (error == THUD_OK) error = thud_bodies_read_number(r->made, r->node, "lead", &r->def.lead);
  if (error == THUD_OK) error = thud_bodies_read_positive(r->made, r->node, "ratio", &r->def.ratio);
  if (error == THUD_OK) error = thud_bodies_read_vector(r->made, r->node, "over_a", &r->def.over_a);
  return error == THUD_OK ? thud_bodies_read_vector(r->made, r->node, "over_b", &r->def.over_b) : error;
}

/* As long as its points are apart at the start, unless it says otherwise. */
static thud_error read_length(joint_reader *r) {
  thud_vec3 a = thud_pose_point(&r->pose[0], r->def.point_a), b = thud_pose_point(&r->pose[1], r->def.point_b);
  r->def.length = thud_vec3_distance(a, b);
  if (r->def.kind == THUD_JOINT_PULLEY)
    r->def.length = thud_vec3_distance(a, r->def.over_a) + r->def.ratio * thud_vec3_distance(b, r->def.over_b);
  return thud_bodies_read_positive(r->made, r->node, "length", &r->def.length);
}

/* ---- axes ------------------------------------------------------------------------------------------------------------ */

/* A rotation of the world that turns x into the axis, in the plane about z. */
static thud_quat frame_of(const joint_reader *r, thud_vec3 axis) {
  thud_vec3 turn = thud_vec3_cross(thud_vec3_make(1, 0, 0), axis);
  thud_quat half = thud_quat_make(1 + axis.x, turn.x, turn.y, turn.z);
  if (r->made->planar) return thud_quat_from_rotation_vector(thud_vec3_make(0, 0, atan2(axis.y, axis.x)));
  return thud_quat_norm(half) > 1e-6 ? thud_quat_normalise(half) : thud_quat_make(0, 0, 0, 1);
}

/* The frame turned by as little as possible so that its x is the axis. */
static thud_quat turn_to(const joint_reader *r, thud_quat frame, thud_vec3 axis) {
  thud_quat between = frame_of(r, thud_quat_rotate_inverse(frame, axis));
  return thud_quat_multiply(frame, between);
}

/* The frame whose x is the axis and whose y is in the plane of both, on the side of y. */
static thud_quat frame_with(const joint_reader *r, thud_vec3 axis, thud_vec3 y) {
  thud_quat frame = frame_of(r, axis);
  thud_vec3 seen = thud_quat_rotate_inverse(frame, y);
  double half = 0.5 * atan2(seen.z, seen.y);
  return thud_quat_multiply(frame, thud_quat_make(cos(half), sin(half), 0, 0));
}

/* As long as 1; an axis that is not given stays. */
static thud_error read_axis(joint_reader *r, const char *key, thud_vec3 *axis) {
  thud_error error = thud_bodies_read_vector(r->made, r->node, key, axis);
  if (error == THUD_OK && !thud_vec3_normalise(*axis, axis))
    return fail(r, key, "the axis of this %s is 0: it has no direction");
  return error;
}

/* The key of an axis of b of its own, in the world at the start. */
static const char *second_axis(const joint_reader *r) {
  return r->def.kind == THUD_JOINT_UNIVERSAL ? "across" : r->def.kind == THUD_JOINT_RACK ? "along" : NULL;
}

/* Axes in the world at the start: axis[k] of body k; *given[k]: it is. */
static thud_error read_axes(joint_reader *r, thud_vec3 axis[2], bool given[2]) {
  static const char *const keys[2] = {"axis_a", "axis_b"};
  thud_vec3 world = {1, 0, 0};
  const char *world_key = second_axis(r), *second = world_key != NULL && has(r, world_key) ? world_key : keys[1];
  thud_error error = read_axis(r, "axis", &world);
  if (error == THUD_OK && has(r, "axis") && has(r, "axis_a"))
    error = fail(r, "axis", "a %s has 'axis' in the world, or 'axis_a' in the frame of a, not both");
  if (error == THUD_OK && second == world_key && has(r, "axis_b"))
    error = fail(r, "axis_b", "a %s has its second axis in the world, or 'axis_b' in the frame of b, not both");
  for (int k = 0; k < 2 && error == THUD_OK; k++) {
    const char *key = k == 0 ? keys[0] : second;
    thud_vec3 direction = {1, 0, 0};
    given[k] = has(r, key);
    if (!given[k]) continue;
    error = read_axis(r, key, &direction);
    axis[k] = key == keys[k] ? thud_quat_rotate(r->pose[k].rotation, direction) : direction;
  }
  if (error != THUD_OK) return error;
  if (has(r, "axis")) axis[0] = world, given[0] = true;
  if (!given[0] && given[1] && world_key == NULL) axis[0] = axis[1], given[0] = true;
  return THUD_OK;
}

static thud_error read_frames(joint_reader *r) {
  thud_vec3 axis[2] = {{1, 0, 0}, {1, 0, 0}};
  bool given[2] = {false, false};
  thud_error error = read_axes(r, axis, given);
  if (error != THUD_OK) return error;
  bool needed = swings(r) || (r->kind->has_axis && (!r->made->planar || r->def.kind == THUD_JOINT_SLIDER));
  if (needed && !given[0])
    return fail(r, "joint",
                "which axis has this %s? Give 'axis' in the world at the start, or 'axis_a' in the frame of a");
  if (second_axis(r) != NULL && !given[1])
    return fail(r, "joint",
                r->def.kind == THUD_JOINT_RACK
                    ? "along which way does this %s move? Give 'along' in the world at the start, or 'axis_b' in the "
                      "frame of b"
                    : "a %s joint has two axes: give 'across' in the world at the start, or 'axis_b' in the frame of "
                      "b");
  thud_quat frame = frame_of(r, axis[0]), other = given[1] ? turn_to(r, frame, axis[1]) : frame;
  if (r->def.kind == THUD_JOINT_UNIVERSAL && !r->made->planar) { /* both angles are 0 at the start */
    frame = frame_with(r, axis[0], axis[1]);
    other = frame_with(r, axis[1], axis[0]);
  }
  if (r->def.kind == THUD_JOINT_PLANAR && has(r, "along")) {
    thud_vec3 along = {1, 0, 0};
    error = read_axis(r, "along", &along);
    if (error == THUD_OK && !(thud_vec3_norm(thud_vec3_cross(along, axis[0])) > 1e-6))
      error = fail(r, "along", "'along' is a direction in the plane of this %s joint, across its axis");
    if (error != THUD_OK) return error;
    frame = other = frame_with(r, axis[0], along);
  }
  r->def.frame_a = thud_quat_normalise(thud_quat_multiply(thud_quat_conjugate(r->pose[0].rotation), frame));
  r->def.frame_b = thud_quat_normalise(thud_quat_multiply(thud_quat_conjugate(r->pose[1].rotation), other));
  return THUD_OK;
}

/* ---- the whole ------------------------------------------------------------------------------------------------------- */

/* Keys that would do nothing. */
static thud_error check_keys(const joint_reader *r) {
  static const char *const axes[] = {"axis", "axis_a", "axis_b"};
  static const struct {
    const char *key;
    int kind;
    const char *message;
  } own[] = {{"across", THUD_JOINT_UNIVERSAL, "only a universal joint has 'across', a %s does not"},
             {"along", THUD_JOINT_RACK, "only racks and planar joints have 'along', a %s does not"},
             {"radius", THUD_JOINT_RACK, "only a rack has 'radius', a %s does not (a gear: 'radius_a', 'radius_b')"},
             {"radius_a", THUD_JOINT_GEAR, "only a gear has 'radius_a', a %s does not"},
             {"radius_b", THUD_JOINT_GEAR, "only a gear has 'radius_b', a %s does not"},
             {"lead", THUD_JOINT_SCREW, "only a screw has a lead, a %s does not"},
             {"ratio", THUD_JOINT_PULLEY, "only a pulley has a ratio, a %s does not"},
             {"over_a", THUD_JOINT_PULLEY, "only a pulley has 'over_a', a %s does not"},
             {"over_b", THUD_JOINT_PULLEY, "only a pulley has 'over_b', a %s does not"}};
  bool turns_about_z = r->made->planar && (r->def.kind == THUD_JOINT_HINGE || r->def.kind == THUD_JOINT_GEAR);
  for (size_t k = 0; k < sizeof own / sizeof *own; k++) {
    bool planar = r->def.kind == THUD_JOINT_PLANAR && strcmp(own[k].key, "along") == 0;
    if (has(r, own[k].key) && r->def.kind != own[k].kind && !planar) return fail(r, own[k].key, own[k].message);
  }
  for (size_t k = 0; k < sizeof axes / sizeof *axes; k++)
    if (has(r, axes[k]) && ((!r->kind->has_axis && !swings(r)) || turns_about_z))
      return fail(r, axes[k],
                  turns_about_z ? "in the plane a %s turns about z and takes no axis" : "a %s joint has no axis");
  if (has(r, "length") && !r->kind->has_length)
    return fail(r, "length", "only rods, pulleys and ropes have a length, a %s joint does not");
  return THUD_OK;
}

thud_error thud_bodies_read_joint(bodies_scene *made, const thud_node *node) {
  static const char *const keys[] = {
      "joint",  "name",   "a",           "b",         "at",       "at_a",     "at_b",    "axis",   "axis_a", "axis_b",
      "across", "length", "along",       "radius",    "radius_a", "radius_b", "lead",    "ratio",  "over_a", "over_b",
      "start",  "limits", "restitution", "clearance", "motor",    "friction", "turning", "absent", "spring", "second"};
  joint_reader r = {.made = made, .node = node, .def = thud_joint_def_default()};
  const thud_node *named;
  thud_error error = thud_node_expect(node, THUD_NODE_MAP);
  if (error == THUD_OK)
    error = thud_scene_check_keys(made->scene, node, sizeof keys / sizeof *keys, keys,
                                  THUD_TABLES(thud_bodies_joint_table()));
  if (error == THUD_OK) error = thud_node_require_choice(node, "joint", thud_joint_names(), &r.def.kind);
  if (error != THUD_OK) return error;
  r.kind = thud_joint_class_of(r.def.kind);
  if ((named = thud_node_find(node, "name")) != NULL) error = thud_bodies_read_name(named, &r.def.name);
  if (error == THUD_OK) error = check_keys(&r);
  if (error == THUD_OK) error = read_bodies(&r);
  if (error == THUD_OK) error = read_points(&r);
  if (error == THUD_OK) error = read_coupling(&r);
  if (error == THUD_OK && r.kind->has_length) error = read_length(&r);
  if (error == THUD_OK) error = read_frames(&r);
  if (error == THUD_OK) error = thud_bodies_read_joint_laws(made, node, &r.def);
  if (error == THUD_OK) error = thud_bodies_read_flag(node, "touch", &r.def.touch);
  if (error == THUD_OK) error = thud_bodies_read_flag(node, "absent", &r.def.absent);
  return error == THUD_OK ? thud_bodies_blame(node, thud_bodies_add_joint(made->bodies, &r.def)) : error;
}
