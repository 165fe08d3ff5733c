/* `changes` of a `bodies` scene: what happens to the running motion at given times (thud/body_motion.h). */
#include "kinds/bodies/bodies_scene.h"

#include <math.h>
#include <string.h>

/* Times of nodes are rounded: a node this part of a step before the given time is at it. */
static const double AT_NODE = 1e-9;

static const char *const words[THUD_BODY_CHANGES + 1] = {"add",     "remove",   "set",  "impulse", "force",
                                                         "release", "material", "pair", NULL};

/* ---- reading ------------------------------------------------------------------------------------------------------------ */

static bool is_given(const thud_node *node, const char *key) { return thud_node_find(node, key) != NULL; }

/* Position of the frame, rotation, velocity and spin; what is left out stays, or is as the body's definition says. */
static thud_error read_state(bodies_scene *made, const thud_node *node, bodies_change *change) {
  thud_error error = thud_bodies_read_vector(made, node, "position", &change->state.position);
  if (error == THUD_OK) error = thud_bodies_read_rotation(made, node, "rotation", &change->state.rotation);
  if (error == THUD_OK) error = thud_bodies_read_vector(made, node, "velocity", &change->state.velocity);
  if (error == THUD_OK) error = thud_bodies_read_spin(made, node, "spin", &change->state.spin);
  change->has_position = is_given(node, "position");
  change->has_rotation = is_given(node, "rotation");
  change->has_velocity = is_given(node, "velocity");
  change->has_spin = is_given(node, "spin");
  return error;
}

static thud_error read_push(bodies_scene *made, const thud_node *node, bodies_change *change) {
  bool impulse = change->kind == THUD_BODY_CHANGE_IMPULSE;
  change->push = thud_body_push_default();
  thud_error error = thud_bodies_read_vector(made, node, impulse ? "impulse" : "force", &change->push.force);
  if (error == THUD_OK) error = thud_bodies_read_spin(made, node, impulse ? "moment" : "torque", &change->push.torque);
  if (error == THUD_OK) error = thud_bodies_read_vector(made, node, "point", &change->point);
  change->push.at_point = is_given(node, "point");
  return error == THUD_OK && !impulse ? thud_bodies_read_flag(node, "lasting", &change->push.lasting) : error;
}

static thud_error read_material(bodies_scene *made, const thud_node *node, bodies_change *change) {
  const thud_node *material;
  size_t number = 0, part = 0;
  thud_error error = thud_node_require(node, "material", &material);
  if (error == THUD_OK) error = thud_bodies_find_name(made, material, &made->materials, "material", &number);
  if (error == THUD_OK) error = thud_bodies_read_count(made, node, "part", 0, INT32_MAX, &part);
  change->material = (thud_index)number;
  change->part = is_given(node, "part") ? (thud_index)part : -1;
  return error;
}

static thud_error read_pair(bodies_scene *made, const thud_node *node, bodies_change *change) {
  return thud_bodies_read_pair(made, node, &change->part, &change->material, &change->law);
}

/* Keys that go with each kind, besides `at`, `do` and, but for pairs, `body`. */
static thud_error check_keys(const thud_node *node, int kind) {
  static const char *const state[] = {"at", "do", "body", "position", "rotation", "velocity", "spin"};
  static const char *const impulse[] = {"at", "do", "body", "impulse", "moment", "point"};
  static const char *const force[] = {"at", "do", "body", "force", "torque", "point", "lasting"};
  static const char *const material[] = {"at", "do", "body", "material", "part"};
  static const char *const pair[] = {"at", "do", "materials", "friction", "axis", "restitution", "rolling", "spinning"};
  switch (kind) {
  case THUD_BODY_CHANGE_ADD:
  case THUD_BODY_CHANGE_STATE: return thud_node_check_keys(node, state, sizeof state / sizeof *state);
  case THUD_BODY_CHANGE_IMPULSE: return thud_node_check_keys(node, impulse, sizeof impulse / sizeof *impulse);
  case THUD_BODY_CHANGE_FORCE: return thud_node_check_keys(node, force, sizeof force / sizeof *force);
  case THUD_BODY_CHANGE_MATERIAL: return thud_node_check_keys(node, material, sizeof material / sizeof *material);
  case THUD_BODY_CHANGE_PAIR: return thud_node_check_keys(node, pair, sizeof pair / sizeof *pair);
  default: return thud_node_check_keys(node, state, 3);
  }
}

static thud_error read_at(bodies_scene *made, const thud_node *node, double *at) {
  const thud_node *time;
  const thud_body_motion_options *options = &made->options;
  thud_error error = thud_node_require(node, "at", &time);
  if (error == THUD_OK) error = thud_bodies_read_number(made, node, "at", at);
  if (error == THUD_OK && !(*at >= options->start && *at < options->end))
    error = thud_node_fail(time, THUD_ERROR_SCHEMA,
                           "a change at t = %g must not be before the start %g, and must be before the end %g", *at,
                           options->start, options->end);
  return error;
}

static thud_error read_change(bodies_scene *made, const thud_node *node, bodies_change *change) {
  const thud_node *word, *body;
  size_t number = 0;
  *change = (bodies_change){.state = {.rotation = thud_quat_identity()}};
  thud_error error = thud_node_expect(node, THUD_NODE_MAP);
  if (error == THUD_OK) error = thud_node_require(node, "do", &word);
  if (error == THUD_OK) error = thud_node_read_choice(word, words, &change->kind);
  if (error == THUD_OK) error = check_keys(node, change->kind);
  if (error == THUD_OK) error = read_at(made, node, &change->at);
  if (error != THUD_OK) return error;
  if (change->kind == THUD_BODY_CHANGE_PAIR) return read_pair(made, node, change);
  error = thud_node_require(node, "body", &body);
  if (error == THUD_OK) error = thud_bodies_find_name(made, body, &made->names, "body", &number);
  if (error != THUD_OK) return error;
  change->body = made->ids[number];
  switch (change->kind) {
  case THUD_BODY_CHANGE_ADD:
  case THUD_BODY_CHANGE_STATE: return read_state(made, node, change);
  case THUD_BODY_CHANGE_IMPULSE:
  case THUD_BODY_CHANGE_FORCE: return read_push(made, node, change);
  case THUD_BODY_CHANGE_MATERIAL: return read_material(made, node, change);
  default: return THUD_OK;
  }
}

thud_error thud_bodies_read_changes(bodies_scene *made, const thud_node *list) {
  if (list == NULL) return THUD_OK;
  thud_error error = thud_node_expect(list, THUD_NODE_SEQUENCE);
  if (error != THUD_OK) return error;
  size_t count = thud_node_count(list);
  made->changes = THUD_NEW_ARRAY(made->context, bodies_change, count);
  if (made->changes == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < count; k++) {
    bodies_change change;
    error = read_change(made, thud_node_item(list, k), &change);
    if (error != THUD_OK) return error;
    size_t place = made->change_count++; /* in the order of their times, of equal ones as they are given */
    for (; place > 0 && made->changes[place - 1].at > change.at; place--)
      made->changes[place] = made->changes[place - 1];
    made->changes[place] = change;
  }
  return THUD_OK;
}

/* ---- applying ----------------------------------------------------------------------------------------------------------- */

/* The state that is asked for: what is given, on top of `now`. Positions are those of the body's frame. */
static void complete_state(const bodies_change *change, thud_vec3 centre, thud_body_state *now) {
  thud_vec3 frame = thud_vec3_subtract(now->position, thud_quat_rotate(now->rotation, centre));
  if (change->has_position) frame = change->state.position;
  if (change->has_rotation) now->rotation = change->state.rotation;
  if (change->has_velocity) now->velocity = change->state.velocity;
  if (change->has_spin) now->spin = change->state.spin;
  now->position = thud_vec3_add(frame, thud_quat_rotate(now->rotation, centre));
}

static thud_error apply_state(const bodies_scene *made, thud_motion *motion, const bodies_change *change) {
  thud_bodies_view view;
  thud_error error = thud_bodies_get(made->bodies, &view);
  if (error != THUD_OK) return error;
  thud_index i = thud_bodies_number(made->bodies, change->body);
  bool comes = change->kind == THUD_BODY_CHANGE_ADD;
  bool plain = !change->has_position && !change->has_rotation && !change->has_velocity && !change->has_spin;
  thud_body_state state = {view.pose[i].position, view.pose[i].rotation, view.velocity[i], view.spin[i]};
  if (comes && plain) return thud_body_motion_add(motion, change->body, NULL);
  if (!comes) error = thud_body_motion_get_state(motion, change->body, &state);
  if (error != THUD_OK) return error;
  complete_state(change, view.centre[i], &state);
  return comes ? thud_body_motion_add(motion, change->body, &state)
               : thud_body_motion_set_state(motion, change->body, &state);
}

/* `point` is a place of the body's frame, so that it can be given before it is known where the body is. */
static thud_error apply_push(const bodies_scene *made, thud_motion *motion, const bodies_change *change) {
  thud_body_push push = change->push;
  thud_pose frame = thud_body_motion_frame_pose(motion, thud_bodies_number(made->bodies, change->body));
  push.point = thud_pose_point(&frame, change->point);
  return change->kind == THUD_BODY_CHANGE_IMPULSE ? thud_body_motion_apply_impulse(motion, change->body, &push)
                                                  : thud_body_motion_apply_force(motion, change->body, &push);
}

static thud_error apply(const bodies_scene *made, thud_motion *motion, const bodies_change *change) {
  switch (change->kind) {
  case THUD_BODY_CHANGE_ADD:
  case THUD_BODY_CHANGE_STATE: return apply_state(made, motion, change);
  case THUD_BODY_CHANGE_REMOVE: return thud_body_motion_remove(motion, change->body);
  case THUD_BODY_CHANGE_IMPULSE:
  case THUD_BODY_CHANGE_FORCE: return apply_push(made, motion, change);
  case THUD_BODY_CHANGE_RELEASE: return thud_body_motion_release_forces(motion, change->body);
  case THUD_BODY_CHANGE_MATERIAL:
    return thud_body_motion_set_material(motion, change->body, change->part, change->material);
  default: return thud_body_motion_set_pair(motion, change->part, change->material, &change->law);
  }
}

thud_error thud_bodies_apply_changes(const bodies_scene *made, thud_motion *motion, double t, size_t *next) {
  double h = (made->options.end - made->options.start) / (double)made->options.steps;
  thud_error error = THUD_OK;
  for (; *next < made->change_count && made->changes[*next].at <= t + AT_NODE * h && error == THUD_OK; ++*next) {
    error = apply(made, motion, &made->changes[*next]);
    if (error != THUD_OK)
      return thud_fail_within(made->context, error, "the change '%s' at t = %g", words[made->changes[*next].kind],
                              made->changes[*next].at);
  }
  return error;
}
