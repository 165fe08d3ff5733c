/* Refinement of Lagrangian systems: time stepping with 2^level equal steps, kept whole; what sections of sweeps need. */
#include "kinds/system/system_study.h"
#include "kinds/kinds.h"

#include <math.h>
#include <string.h>

static int on_frame(void *user, const void *handed) {
  const thud_stepping_frame *frame = handed;
  study_level *level = user;
  thud_stepping_frame seen = *frame;
  if (level->on_frame != NULL) level->error = level->on_frame(level->user, level->path, &seen);
  if (level->error != THUD_OK) return -1;
  thud_study_path_add(level->path, &seen);
  const thud_study_level told = {.options = level->options, .level = level->level, .steps = level->motion.steps};
  double inside = (frame->t - level->motion.start) / (level->motion.end - level->motion.start);
  return thud_study_progress(&told, inside) != 0;
}

thud_error thud_study_run_level(thud_context *context, study_level *level, thud_stepping_motion_info *info) {
  const scene_system *made = level->made;
  thud_motion *motion;
  level->motion.tolerance = 0;
  level->motion.steps = (thud_index)1 << level->level;
  thud_error error = thud_stepping_motion_create(context, made->system, &level->motion, made->q0, made->v0, &motion);
  if (error != THUD_OK) return error;
  error = thud_motion_run(motion, &(thud_motion_sink){.frame = on_frame, .user = level}, NULL);
  if (error == THUD_OK) *info = thud_stepping_motion_get_info(motion);
  thud_motion_destroy(motion);
  if (level->error != THUD_OK) return level->error;
  if (error == THUD_OK && info->status == THUD_MOTION_STOPPED)
    return thud_fail(context, THUD_ERROR_INTERRUPTED, "interrupted at level %d", level->level);
  return error;
}

/* ---- refinement --------------------------------------------------------------------------------------------------- */

static thud_error check(const thud_scene *scene) {
  if (!thud_scene_lagrangian(scene)->event_driven) return THUD_OK;
  return thud_fail(scene->context, THUD_ERROR_UNSUPPORTED,
                   "an event-driven scene has no steps to refine: compare it with time stepping (--against "
                   "event-driven) or choose a method of time stepping (--set simulate.method=moreau-jean)");
}

static void free_path(void *made) {
  study_path *path = made;
  thud_context *context = path->context;
  thud_study_path_free(path);
  thud_free(context, path);
}

static thud_error run_refined(thud_scene *scene, const thud_study_level *asked, thud_study_run *run) {
  const scene_system *made = thud_scene_lagrangian(scene);
  thud_stepping_motion_info info;
  study_path *path = THUD_NEW(scene->context, study_path);
  if (path == NULL) return THUD_ERROR_MEMORY;
  study_level level = {
      .made = made, .motion = made->motion, .options = asked->options, .level = asked->level, .path = path};
  thud_error error = thud_study_path_create(scene->context, (size_t)scene->dimension, (size_t)asked->steps + 1, path);
  if (error != THUD_OK) {
    thud_free(scene->context, path);
    return error;
  }
  run->path = path;
  error = thud_study_run_level(scene->context, &level, &info);
  if (error != THUD_OK) return error;
  run->penetration = -info.worst_gap;
  run->residual = info.worst_residual;
  run->impacts = info.impacts;
  if (info.status != THUD_MOTION_COMPLETED) run->ended = info.time;
  return THUD_OK;
}

/* Distances of velocities are integrals over the duration. */
static thud_study_distances compare(const thud_scene *scene, const void *coarse, const void *fine, bool graphs) {
  const study_path *a = coarse, *b = fine;
  double velocities = thud_study_velocity_distance(a, b), duration = scene->end - scene->start;
  if (thud_study_significant(velocities / duration, b, b->v) == 0) velocities = 0;
  return (thud_study_distances){.q = thud_study_significant(thud_study_position_distance(a, b), b, b->q),
                                .v = velocities,
                                .graph =
                                    graphs ? thud_study_significant(thud_study_graph_distance(a, b), b, b->v) : NAN};
}

/* `data` of a time-stepping scene are functions without power series: such a scene is built in its event-driven form,
 * in which both methods can use them. Its method is kept in *method when nobody chose one. */
static thud_error rebuild(thud_context *context, thud_tree *tree, int *method, thud_scene **scene) {
  const thud_node *root = thud_tree_root(tree), *simulate = thud_node_find(root, "simulate");
  const scene_system *made = thud_scene_lagrangian(*scene);
  if (made->event_driven || thud_node_find(root, "data") == NULL) return THUD_OK;
  int own = made->motion.method;
  bool controlled = thud_node_find(simulate, "tolerance") != NULL;
  thud_scene_destroy(*scene);
  *scene = NULL;
  if (controlled)
    return thud_fail(
        context, THUD_ERROR_UNSUPPORTED,
        "a scene with 'data' and a 'tolerance' of controlled steps is compared with the event-driven motion "
        "when it has 'steps' instead of the tolerance");
  thud_error error = thud_tree_set(tree, "simulate.method", "event-driven");
  if (error == THUD_OK) error = thud_scene_build(context, tree, scene);
  thud_error restored = thud_tree_set(tree, "simulate.method", thud_stepping_method_name((thud_stepping_method)own));
  if (*method == THUD_AGAINST_SCENE_METHOD) *method = own;
  return error == THUD_OK ? restored : error;
}

/* ---- sections of sweeps -------------------------------------------------------------------------------------------- */

static thud_index find_constraint(const thud_scene *scene, const char *name) {
  const thud_system *system = thud_scene_lagrangian(scene)->system;
  thud_index found = -1;
  for (thud_index i = 0; i < thud_system_constraint_count(system); i++)
    if (strcmp(thud_system_constraint(system, i)->name, name) == 0) found = i;
  return found;
}

static void start(const thud_scene *scene, double *state) {
  const scene_system *made = thud_scene_lagrangian(scene);
  size_t n = (size_t)scene->dimension;
  memcpy(state, made->q0, n * sizeof *state);
  memcpy(state + n, made->v0, n * sizeof *state);
}

const thud_kind_study thud_system_study = {.kind = THUD_STUDY_OF_SYSTEM,
                                           .check = check,
                                           .run = run_refined,
                                           .free = free_path,
                                           .compare = compare,
                                           .rebuild = rebuild,
                                           .against = thud_system_study_against,
                                           .find_constraint = find_constraint,
                                           .start = start};
