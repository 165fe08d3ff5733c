/* What acts at the coordinates of a joint in `bodies` scenes: limits, clearance, motor, friction and spring. */
#include "kinds/bodies/bodies_scene.h"
#include "model/joint.h"
#include "scene/scene_options.h"

#include <math.h>

static const char *const law_keys[] = {"start", "limits", "restitution", "clearance", "motor", "friction", "spring"};
static const char *const law_sections[] = {"second", "turning"};
static const thud_option_table *const no_tables[] = {NULL};
enum { LAW_KEYS = sizeof law_keys / sizeof *law_keys };

static thud_error fail_law(const bodies_scene *made, const thud_node *node, const char *message) {
  thud_error error = thud_node_fail(node, THUD_ERROR_SCHEMA, "%s", message);
  return thud_fail_with_code(made->context, error, (thud_code){"bad-joint-law"});
}

static bool has(const thud_node *node, const char *key) { return thud_node_find(node, key) != NULL; }

/* ---- limits ---------------------------------------------------------------------------------------------------------- */

/* A number, or null: none. */
static thud_error read_limit(bodies_scene *made, const thud_node *list, size_t k, thud_joint_law *law) {
  const thud_node *node = thud_node_item(list, k);
  if (thud_node_get_kind(node) == THUD_NODE_NULL) return THUD_OK;
  thud_error error = thud_scene_read_constant(made->scene, node, &law->limit[k]);
  law->limited[k] = true;
  return error;
}

static thud_error read_limits(bodies_scene *made, const thud_node *node, thud_joint_law *law) {
  const thud_node *limits = thud_node_find(node, "limits"), *clearance = thud_node_find(node, "clearance");
  thud_error error = THUD_OK;
  double play = 0;
  if (limits != NULL && clearance != NULL)
    return fail_law(made, clearance, "'clearance' is a pair of limits around the start: leave out 'limits'");
  if (limits != NULL) {
    error = thud_node_expect(limits, THUD_NODE_SEQUENCE);
    if (error == THUD_OK && thud_node_count(limits) != 2)
      error = fail_law(made, limits, "limits are [lower, upper]; null where there is none");
    for (size_t k = 0; k < 2 && error == THUD_OK; k++) error = read_limit(made, limits, k, law);
  }
  if (error == THUD_OK) error = thud_bodies_read_positive(made, node, "clearance", &play);
  if (clearance != NULL) {
    law->limited[0] = law->limited[1] = true;
    law->limit[0] = law->start - 0.5 * play;
    law->limit[1] = law->start + 0.5 * play;
  }
  if (error == THUD_OK) error = thud_bodies_read_not_negative(made, node, "restitution", &law->restitution);
  if (error == THUD_OK && law->restitution > 1)
    error = fail_law(made, thud_node_find(node, "restitution"), "the restitution is at most 1");
  return error;
}

/* ---- motors ---------------------------------------------------------------------------------------------------------- */

static double drive_at(void *user, double t) {
  const bodies_drive *drive = user;
  double variables[BODIES_DRIVE_VARIABLES] = {0};
  variables[drive->time_slot] = t;
  return drive->value.expr != NULL ? thud_expr_evaluate(drive->value.expr, variables) : drive->value.constant;
}

static thud_error read_target(bodies_scene *made, const thud_node *node, thud_joint_law *law) {
  thud_error error = thud_array_reserve(made->context, &made->drives, &made->drive_capacity, made->drive_count + 1,
                                        sizeof *made->drives);
  bodies_drive *drive = error == THUD_OK ? THUD_NEW(made->context, bodies_drive) : NULL;
  if (drive == NULL) return THUD_ERROR_MEMORY;
  made->drives[made->drive_count++] = drive;
  drive->time_slot = made->scene->time_slot;
  law->drive = drive_at;
  law->drive_user = drive;
  if (thud_expr_scope_variable_count(made->scene->scope) > BODIES_DRIVE_VARIABLES) return THUD_ERROR_INTERNAL;
  return thud_scene_read_value(made->scene, node, &drive->value);
}

static thud_error read_motor(bodies_scene *made, const thud_node *node, thud_joint_law *law) {
  static const char *const keys[] = {"speed", "position", "at_most", "time"};
  if (node == NULL) return THUD_OK;
  thud_error error = thud_node_expect(node, THUD_NODE_MAP);
  if (error == THUD_OK) error = thud_scene_check_keys(made->scene, node, sizeof keys / sizeof *keys, keys, no_tables);
  if (error != THUD_OK) return error;
  bool speed = has(node, "speed"), position = has(node, "position");
  if (speed == position)
    return fail_law(made, node, "a motor has a 'speed' or a 'position' to reach, as a number or an expression of t");
  if (!has(node, "at_most"))
    return fail_law(made, node,
                    "this motor has no bound: 'at_most' is the largest force, at an angle the largest torque, it has");
  if (has(node, "time") && speed)
    return fail_law(made, thud_node_find(node, "time"), "only motors with a 'position' have a 'time'");
  law->motor = speed ? THUD_JOINT_MOTOR_SPEED : THUD_JOINT_MOTOR_POSITION;
  error = thud_bodies_read_positive(made, node, "at_most", &law->at_most);
  if (error == THUD_OK) error = thud_bodies_read_positive(made, node, "time", &law->time);
  return error == THUD_OK ? read_target(made, thud_node_find(node, speed ? "speed" : "position"), law) : error;
}

/* ---- friction ---------- -------------------------------------------------------------------------------------------- */

/* The moment of a pin of radius R whose coefficient is mu is at most R sin(atan mu) times its force; that of a slider mu. */
static thud_error read_friction(bodies_scene *made, const thud_node *node, bool angle, thud_joint_law *law) {
  static const char *const keys[] = {"bound", "mu", "radius", "rho"};
  double mu = 0, radius = 0;
  if (node == NULL) return THUD_OK;
  thud_error error = thud_node_expect(node, THUD_NODE_MAP);
  if (error == THUD_OK) error = thud_scene_check_keys(made->scene, node, sizeof keys / sizeof *keys, keys, no_tables);
  if (error != THUD_OK) return error;
  bool by_force = has(node, "mu") || has(node, "rho");
  if (has(node, "bound") == by_force || (has(node, "mu") && has(node, "rho")))
    return fail_law(made, node,
                    "friction of a joint has either 'bound', or 'mu' (with the 'radius' of a pin), or 'rho'");
  if (has(node, "mu") && angle != has(node, "radius"))
    return fail_law(made, node,
                    angle ? "friction of a pin has 'mu' and 'radius'" : "a slider's friction has no 'radius'");
  if (has(node, "rho") && !angle) return fail_law(made, node, "only pins have 'rho'; a slider has 'mu'");
  error = thud_bodies_read_not_negative(made, node, "bound", &law->friction);
  if (error == THUD_OK) error = thud_bodies_read_not_negative(made, node, "rho", &law->pin);
  if (error == THUD_OK) error = thud_bodies_read_not_negative(made, node, "mu", &mu);
  if (error == THUD_OK) error = thud_bodies_read_not_negative(made, node, "radius", &radius);
  if (has(node, "mu")) law->pin = angle ? radius * mu / sqrt(1 + mu * mu) : mu;
  return error;
}

/* The thread of a screw: mu at a radius, or a bound. */
static thud_error read_thread(bodies_scene *made, const thud_node *node, thud_joint_law *law) {
  static const char *const keys[] = {"bound", "mu", "radius"};
  if (node == NULL) return THUD_OK;
  thud_error error = thud_node_expect(node, THUD_NODE_MAP);
  if (error == THUD_OK) error = thud_scene_check_keys(made->scene, node, sizeof keys / sizeof *keys, keys, no_tables);
  if (error != THUD_OK) return error;
  if (has(node, "bound") == has(node, "mu") || has(node, "mu") != has(node, "radius"))
    return fail_law(made, node, "friction of a screw has either 'bound', or 'mu' with the 'radius' of its thread");
  error = thud_bodies_read_not_negative(made, node, "bound", &law->friction);
  if (error == THUD_OK) error = thud_bodies_read_not_negative(made, node, "mu", &law->pin);
  return error == THUD_OK ? thud_bodies_read_positive(made, node, "radius", &law->thread) : error;
}

/* ---- springs --------------------------------------------------------------------------------------------------------- */

static thud_error read_spring(bodies_scene *made, const thud_node *node, thud_joint_law *law) {
  static const char *const keys[] = {"stiffness", "damping", "rest"};
  if (node == NULL) return THUD_OK;
  thud_error error = thud_node_expect(node, THUD_NODE_MAP);
  if (error == THUD_OK) error = thud_scene_check_keys(made->scene, node, sizeof keys / sizeof *keys, keys, no_tables);
  if (error != THUD_OK) return error;
  if (!has(node, "stiffness") && !has(node, "damping"))
    return fail_law(made, node, "the spring of a joint has a 'stiffness', a 'damping' or both");
  error = thud_bodies_read_not_negative(made, node, "stiffness", &law->stiffness);
  if (error == THUD_OK) error = thud_bodies_read_not_negative(made, node, "damping", &law->damping);
  return error == THUD_OK ? thud_bodies_read_number(made, node, "rest", &law->rest) : error;
}

/* ---- the whole ------------------------------------------------------------------------------------------------------- */

static const char *first_key(const thud_node *node) {
  for (size_t k = 0; k < LAW_KEYS; k++)
    if (has(node, law_keys[k])) return law_keys[k];
  for (size_t k = 0; k < sizeof law_sections / sizeof *law_sections; k++)
    if (has(node, law_sections[k])) return law_sections[k];
  return NULL;
}

static thud_error read_law(bodies_scene *made, const thud_node *node, int joint, int c, thud_joint_law *law) {
  thud_coordinate_kind kind = thud_joint_free(joint, made->planar, c);
  bool distance = kind == THUD_COORDINATE_DISTANCE;
  if (distance && has(node, "friction"))
    return fail_law(made, thud_node_find(node, "friction"), "a rope has no friction");
  if (distance && (has(node, "start") || has(node, "clearance")))
    return fail_law(made, node,
                    "the coordinate of a rope is the distance of its ends, which has neither 'start' nor 'clearance'");
  thud_error error = thud_bodies_read_number(made, node, "start", &law->start);
  if (error == THUD_OK) error = read_limits(made, node, law);
  if (error == THUD_OK) error = read_motor(made, thud_node_find(node, "motor"), law);
  if (error == THUD_OK) error = read_spring(made, thud_node_find(node, "spring"), law);
  if (error != THUD_OK) return error;
  const thud_node *friction = thud_node_find(node, "friction");
  return joint == THUD_JOINT_SCREW ? read_thread(made, friction, law)
                                   : read_friction(made, friction, thud_coordinate_is_angle(kind), law);
}

bool thud_bodies_has_joint_laws(const thud_node *node) { return first_key(node) != NULL; }

/* The laws of further coordinates, in sections of their own. */
static thud_error read_sections(bodies_scene *made, const thud_node *node, thud_joint_def *def) {
  const thud_joint_class *class = thud_joint_class_of(def->kind);
  int count = thud_joint_coordinates(def->kind, made->planar), found = 0, given = 0;
  thud_error error = THUD_OK;
  for (int c = 1; c < count && error == THUD_OK; c++) {
    const thud_node *section = thud_node_find(node, class->sections[c]);
    if (section == NULL) continue;
    found++;
    error = thud_node_expect(section, THUD_NODE_MAP);
    if (error == THUD_OK) error = thud_scene_check_keys(made->scene, section, LAW_KEYS, law_keys, no_tables);
    if (error == THUD_OK) error = read_law(made, section, def->kind, c, &def->law[c]);
  }
  for (size_t k = 0; k < sizeof law_sections / sizeof *law_sections; k++) given += has(node, law_sections[k]);
  if (error != THUD_OK || given == found) return error;
  return fail_law(
      made, node,
      "this joint has no further coordinate of that name: cylindrical, planar and ball joints have 'turning', "
      "universal and planar ones 'second'; write what acts at its own one beside the other keys");
}

thud_error thud_bodies_read_joint_laws(bodies_scene *made, const thud_node *node, thud_joint_def *def) {
  int count = thud_joint_coordinates(def->kind, made->planar);
  const char *key = first_key(node);
  if (key == NULL) return THUD_OK;
  if (count == 0) {
    thud_error error =
        thud_node_fail(thud_node_find(node, key), THUD_ERROR_SCHEMA, "a %s joint has no coordinate for '%s'",
                       thud_joint_class_of(def->kind)->name, key);
    return thud_fail_with_code(made->context, error, (thud_code){"bad-joint-law"});
  }
  thud_error error = read_law(made, node, def->kind, 0, &def->law[0]);
  return error == THUD_OK ? read_sections(made, node, def) : error;
}

void thud_bodies_free_drives(bodies_scene *made) {
  for (size_t k = 0; k < made->drive_count; k++) {
    thud_scene_value_free(&made->drives[k]->value);
    thud_free(made->context, made->drives[k]);
  }
  thud_free(made->context, (void *)made->drives);
}
