/* Bodies of a scene that functions of a program move: `force: {functions: true}`, `path: {functions: true}`. What the functions
 * give in a step is kept, so that the record holds it and the checker does without them. */
#include "kinds/bodies/bodies_scene.h"

#include <math.h>
#include <string.h>

/* ---- which function ---------------------------------------------------------------------------------------------- */

bool thud_bodies_is_told(const thud_node *node) {
  return node != NULL && thud_node_get_kind(node) == THUD_NODE_MAP && thud_node_find(node, "functions") != NULL;
}

/* The program's functions for a body; NULL: there are none of this kind. */
static const thud_body_functions *find_given(const bodies_scene *made, const char *name, bool path) {
  const scene_program *program = made->scene->program;
  for (size_t k = 0; program != NULL && k < program->body_count; k++) {
    const thud_body_functions *given = &program->bodies[k];
    if (strcmp(given->name, name) == 0 && (path ? given->path != NULL : given->force != NULL)) return given;
  }
  return NULL;
}

static thud_error new_told(bodies_scene *made, const thud_node *body, const thud_node *node, bool path,
                           bodies_told **told) {
  static const char *const keys[] = {"functions"};
  const thud_node *named = thud_node_find(body, "name");
  const char *name, *what = path ? "path" : "force";
  bool is_true = false;
  thud_error error = thud_node_check_keys(node, keys, 1);
  if (error == THUD_OK) error = thud_node_read_bool(thud_node_find(node, "functions"), &is_true);
  if (error != THUD_OK) return error;
  if (!is_true || named == NULL)
    return thud_node_fail(node, THUD_ERROR_SCHEMA, "[bad-path] 'functions: true' is of a single body that has a name");
  error = thud_bodies_read_name(named, &name);
  if (error != THUD_OK) return error;
  const thud_body_functions *given = find_given(made, name, path);
  if (given == NULL)
    return thud_node_fail(
        node, THUD_ERROR_SCHEMA,
        "[bad-path] the %s of '%s' is a function of the program that made this scene; it runs there alone "
        "(thud_scene_build_bodies)",
        what, name);
  error =
      thud_array_reserve(made->context, &made->told, &made->told_capacity, made->told_count + 1, sizeof *made->told);
  *told = error == THUD_OK ? THUD_NEW(made->context, bodies_told) : NULL;
  if (*told == NULL) return THUD_ERROR_MEMORY;
  (*told)->given = *given;
  (*told)->planar = made->planar;
  (*told)->path = path;
  made->told[made->told_count++] = *told;
  made->told_size += path ? BODIES_PATH_VALUES : BODIES_FORCE_VALUES;
  return THUD_OK;
}

/* ---- forces ------------------------------------------------------------------------------------------------------ */

/* Behind the slopes of a step comes the force a step later, where the step asks for it. */
static int ask_force(void *user, double t, const thud_body_state *state, thud_vec3 *force, thud_vec3 *torque) {
  bodies_told *told = ((bodies_force *)user)->told;
  int answer = told->given.force(told->given.user, t, state, force, torque);
  if (told->planar) force->z = torque->x = torque->y = 0;
  const double given[6] = {force->x, force->y, force->z, torque->x, torque->y, torque->z};
  memcpy(told->last, given, sizeof given);
  memcpy(told->values + 6, given, sizeof given);
  return answer;
}

/* In the plane a body turns about z alone. */
static void keep_plane(double slopes[36]) {
  for (size_t i = 0; i < 6; i++)
    for (size_t k = 0; k < 6; k++)
      if ((i >= 2 && i <= 4) || (k >= 2 && k <= 4)) slopes[6 * i + k] = 0;
}

static int ask_slope(void *user, double t, const thud_body_state *state, double by_place[36], double by_velocity[36]) {
  bodies_told *told = ((bodies_force *)user)->told;
  int answer = told->given.slope != NULL ? told->given.slope(told->given.user, t, state, by_place, by_velocity) : 0;
  if (told->planar) keep_plane(by_place);
  if (told->planar) keep_plane(by_velocity);
  for (size_t k = 0; k < 36; k++) { /* what is not finite counts as 0 */
    told->values[12 + k] = isfinite(by_place[k]) ? by_place[k] : 0;
    told->values[48 + k] = isfinite(by_velocity[k]) ? by_velocity[k] : 0;
  }
  memcpy(told->values, told->last, sizeof told->last);
  memset(told->values + 6, 0, sizeof told->last);
  return answer;
}

thud_error thud_bodies_read_told_force(bodies_scene *made, const thud_node *body, bodies_force *law,
                                       thud_body_def *def) {
  const thud_node *torque = law->torque;
  if (torque != NULL)
    return thud_node_fail(torque, THUD_ERROR_SCHEMA,
                          "[contradictory-keys] the function of the force gives the torque, too: leave this out");
  thud_error error = new_told(made, body, law->force, false, &law->told);
  def->force = ask_force;
  def->slope = ask_slope;
  return error;
}

/* ---- paths ------------------------------------------------------------------------------------------------------- */

static size_t find_time(const bodies_told *told, double t) {
  size_t k = 0;
  while (k < told->seen && told->times[k] != t) k++;
  return k;
}

static int ask_path(void *user, double t, thud_pose *pose, thud_vec3 *velocity, thud_vec3 *spin) {
  bodies_told *told = ((bodies_path *)user)->told;
  int answer = told->given.path(told->given.user, t, pose, velocity, spin);
  if (told->planar) pose->position.z = velocity->z = spin->x = spin->y = 0;
  size_t at = find_time(told, t);
  if (at == BODIES_TIMES) { /* the oldest one goes */
    at--;
    memmove(told->times, told->times + 1, at * sizeof *told->times);
    memmove(told->poses, told->poses + 1, at * sizeof *told->poses);
  } else if (at == told->seen) {
    told->seen++;
  }
  told->times[at] = t;
  told->poses[at] = (thud_pose){pose->position, thud_quat_normalise(pose->rotation)};
  return answer;
}

thud_error thud_bodies_read_told_path(bodies_scene *made, const thud_node *body, const thud_node *node,
                                      bodies_path *path, thud_body_def *def) {
  thud_vec3 velocity = {0}, spin = {0};
  double start = made->scene->start;
  thud_error error = new_told(made, body, node, true, &path->told);
  if (error != THUD_OK) return error;
  def->path = ask_path;
  def->path_user = path;
  if (ask_path(path, start, &def->pose, &velocity, &spin) != 0)
    return thud_node_fail(node, THUD_ERROR_CALLBACK, "[bad-path] the function of this path failed at t = %g", start);
  thud_vec3 x = def->pose.position;
  if (isfinite(x.x + x.y + x.z + thud_vec3_norm(velocity) + thud_vec3_norm(spin)) &&
      fabs(thud_quat_norm(def->pose.rotation) - 1) <= 1e-3)
    return THUD_OK;
  return thud_node_fail(node, THUD_ERROR_NOT_FINITE,
                        "[bad-path] this path is not finite at t = %g, or its rotation is no unit quaternion", start);
}

/* ---- what the functions gave --------------------------------------------------------------------------------------- */

int thud_bodies_remind_told(bodies_scene *made, double t) {
  thud_pose pose = thud_pose_identity();
  thud_vec3 velocity, spin;
  for (size_t i = 0; i < made->path_count; i++)
    if (made->paths[i]->told != NULL && find_time(made->paths[i]->told, t) == made->paths[i]->told->seen &&
        ask_path(made->paths[i], t, &pose, &velocity, &spin) != 0)
      return -1;
  return 0;
}

static void store_pose(const bodies_told *told, double t, double to[7]) {
  size_t nearest = 0;
  for (size_t k = 1; k < told->seen; k++)
    if (fabs(told->times[k] - t) < fabs(told->times[nearest] - t)) nearest = k;
  const thud_pose *pose = &told->poses[nearest];
  const double numbers[7] = {pose->position.x, pose->position.y, pose->position.z, pose->rotation.w,
                             pose->rotation.x, pose->rotation.y, pose->rotation.z};
  memcpy(to, numbers, sizeof numbers);
}

void thud_bodies_gather_told(const bodies_scene *made, double t, double step) {
  double *to = made->told_values;
  for (size_t k = 0; k < made->told_count; k++) {
    const bodies_told *told = made->told[k];
    if (told->path) {
      store_pose(told, t - step, to);
      store_pose(told, t - 0.5 * step, to + 7);
    } else {
      memcpy(to, told->values, sizeof told->values);
    }
    to += told->path ? BODIES_PATH_VALUES : BODIES_FORCE_VALUES;
  }
}

/* ---- functions that no body has -------------------------------------------------------------------------------------- */

thud_error thud_bodies_check_told(const bodies_scene *made, const scene_program *program) {
  for (size_t k = 0; k < program->body_count; k++) {
    const thud_body_functions *given = &program->bodies[k];
    bool force = given->force == NULL, path = given->path == NULL;
    for (size_t i = 0; i < made->told_count; i++)
      if (strcmp(made->told[i]->given.name, given->name) == 0) (made->told[i]->path ? (path = true) : (force = true));
    if (force && path) continue;
    return thud_fail(made->context, THUD_ERROR_ARGUMENT,
                     "[bad-path] the scene has no body '%s' with '%s: {functions: true}'", given->name,
                     force ? "path" : "force");
  }
  return THUD_OK;
}
