/* Refinement of quasi-static motions: 2^level equal increments, kept at their nodes. */
#include "kinds/quasistatic/quasistatic_study.h"
#include "kinds/kinds.h"

#include <float.h>
#include <math.h>

/* ---- a run ---------------------------------------------------------------------------------------------------------
 */

typedef struct keeper {
  thud_scene *scene;
  size_t contacts;
  study_elastic *made;
  thud_error error;
} keeper;

static int on_event(void *user, const void *given) {
  const thud_quasistatic_event *event = given;
  keeper *kept = user;
  bool jump = event->kind == THUD_QUASISTATIC_JUMP;
  if (!jump && event->kind != THUD_QUASISTATIC_LOAD) return 0;
  if (isnan(kept->made->first_jump)) kept->made->first_jump = event->t;
  if (jump) kept->error = thud_scene_times_add(kept->scene, &kept->made->jumps, event->t);
  return kept->error == THUD_OK ? 0 : -1;
}

static int on_frame(void *user, const void *given) {
  const thud_quasistatic_frame *frame = given;
  keeper *kept = user;
  for (size_t i = 0; i < kept->contacts; i++) kept->made->worst_gap = fmin(kept->made->worst_gap, frame->gap[i]);
  return 0;
}

/* The node of the uniform partition at which the motion stands, if it does: jumps of the loads are nodes between them. */
static void keep_node(study_elastic *made, const thud_scene *scene, const thud_quasistatic_frame *frame) {
  double steps = (double)(made->states.capacity - 1), step = (scene->end - scene->start) / steps;
  double expected = scene->start + (scene->end - scene->start) * ((double)made->states.count / steps);
  if (fabs(frame->t - expected) > 1e-6 * step) return;
  thud_stepping_frame node = {.t = frame->t, .q = frame->U, .v_left = frame->U, .v = frame->U};
  thud_study_path_add(&made->states, &node);
  node = (thud_stepping_frame){.t = frame->t, .q = frame->r, .v_left = frame->r, .v = frame->r};
  thud_study_path_add(&made->reactions, &node);
}

static thud_error go_through(const study_elastic_run *run, thud_motion *motion, study_elastic *made) {
  thud_scene *scene = run->made->scene;
  keeper kept = {.scene = scene, .contacts = (size_t)run->made->problem.contacts, .made = made};
  const thud_motion_sink sink = {.frame = on_frame, .event = on_event, .user = &kept};
  do {
    thud_error error = thud_motion_step(motion, &sink, NULL);
    if (kept.error != THUD_OK) return kept.error;
    if (error != THUD_OK) return error;
    made->info = thud_quasistatic_motion_get_info(motion);
    const thud_quasistatic_frame frame = thud_quasistatic_motion_present(motion);
    keep_node(made, scene, &frame);
    made->friction = frame.ledger.friction;
    double done = (frame.t - scene->start) / (scene->end - scene->start);
    if (run->progress != NULL && run->progress(run->progress_user, done, 0, 1) != 0)
      return thud_fail(scene->context, THUD_ERROR_INTERRUPTED, "interrupted at level %d", run->level);
  } while (made->info.status == THUD_MOTION_RUNNING);
  if (made->info.status == THUD_MOTION_COMPLETED && made->states.count != made->states.capacity)
    return thud_fail(scene->context, THUD_ERROR_INTERNAL, "a run has %zu nodes instead of %zu", made->states.count,
                     made->states.capacity);
  return THUD_OK;
}

thud_error thud_study_elastic_create(const study_elastic_run *run, study_elastic *made) {
  const quasistatic_scene *from = run->made;
  thud_scene *scene = from->scene;
  thud_context *context = scene->context;
  size_t steps = (size_t)1 << run->level, c = (size_t)from->problem.contacts;
  thud_partition *partition = NULL;
  thud_motion *motion = NULL;
  *made = (study_elastic){.first_jump = NAN};
  thud_error error = thud_study_path_create(context, (size_t)from->problem.unknowns, steps + 1, &made->states);
  if (error == THUD_OK)
    error = thud_study_path_create(context, c * (size_t)from->problem.dimension, steps + 1, &made->reactions);
  if (error == THUD_OK)
    error = thud_partition_uniform(context, scene->start, scene->end, (thud_index)steps, from->jumps.count,
                                   from->jumps.items, &partition);
  if (error == THUD_OK)
    error = thud_quasistatic_motion_create(context, run->method, &from->problem, partition, &run->motion, &motion);
  if (error == THUD_OK) error = go_through(run, motion, made);
  thud_motion_destroy(motion);
  thud_partition_destroy(partition);
  if (error != THUD_OK) thud_study_elastic_free(made);
  return error;
}

void thud_study_elastic_free(study_elastic *made) {
  thud_context *context = made->states.context;
  if (context != NULL) thud_free(context, made->jumps.items);
  thud_study_path_free(&made->states);
  thud_study_path_free(&made->reactions);
  *made = (study_elastic){0};
}

/* ---- distances -----------------------------------------------------------------------------------------------------
 */

/* Whether a jump lies within a step of t: which of its nodes a run jumps at is a matter of the step. */
static bool is_near_jump(const study_elastic *path, double t, double step) {
  for (size_t j = 0; j < path->jumps.count; j++)
    if (fabs(path->jumps.items[j] - t) <= step * (1 + 1e-6)) return true;
  return false;
}

static double size_of(const study_path *path) {
  double size = 0;
  for (size_t k = 0; k < path->count * path->n; k++) size = fmax(size, fabs(path->q[k]));
  return size;
}

static double significant(double distance, const study_path *fine, double size, double tolerance) {
  return distance <= ((double)fine->count * DBL_EPSILON + tolerance) * size ? 0 : distance;
}

study_elastic_distance thud_study_elastic_compare(const study_elastic *coarse, const study_elastic *fine,
                                                  double tolerance) {
  const study_path *a = &coarse->states, *b = &fine->states, *ra = &coarse->reactions, *rb = &fine->reactions;
  size_t ratio = (b->count - 1) / (a->count - 1), n = a->n, m = ra->n;
  double step = a->t[1] - a->t[0], size = size_of(b), times = fmax(fabs(b->t[0]), fabs(b->t[b->count - 1]));
  study_elastic_distance found = {.graphs =
                                      significant(thud_study_graph_distance(a, b), b, fmax(size, times), tolerance)};
  for (size_t k = 0; k < a->count; k++) {
    if (is_near_jump(coarse, a->t[k], step) || is_near_jump(fine, a->t[k], step)) {
      found.left_out++;
      continue;
    }
    found.states = fmax(found.states, thud_study_distance(n, a->q + k * n, b->q + k * ratio * n));
    found.reactions = fmax(found.reactions, thud_study_distance(m, ra->q + k * m, rb->q + k * ratio * m));
  }
  found.states = significant(found.states, b, size, tolerance);
  found.reactions = significant(found.reactions, rb, size_of(rb), tolerance);
  return found;
}

/* ---- the study ----------------------------------------------------------------------------------------------------- */

static int on_progress(void *user, double t, double start, double end) {
  return thud_study_progress(user, (t - start) / (end - start));
}

static void free_path(void *made) {
  study_elastic *path = made;
  thud_context *context = path->states.context;
  thud_study_elastic_free(path);
  thud_free(context, path);
}

static thud_error run_refined(thud_scene *scene, const thud_study_level *level, thud_study_run *run) {
  const quasistatic_scene *made = thud_quasistatic_scene_of(scene);
  thud_study_level told = *level;
  const study_elastic_run one = {.made = made,
                                 .method = made->method,
                                 .motion = made->options,
                                 .level = level->level,
                                 .progress = level->options->progress != NULL ? on_progress : NULL,
                                 .progress_user = &told};
  study_elastic *path = THUD_NEW(scene->context, study_elastic);
  if (path == NULL) return THUD_ERROR_MEMORY;
  thud_error error = thud_study_elastic_create(&one, path);
  if (error != THUD_OK) {
    thud_free(scene->context, path);
    return error;
  }
  run->path = path;
  run->first_jump = path->first_jump;
  run->penetration = -path->worst_gap;
  run->residual = path->info.worst_residual;
  run->impacts = path->info.jumps;
  if (path->info.status != THUD_MOTION_COMPLETED) run->ended = path->info.time;
  return THUD_OK;
}

static thud_study_distances compare(const thud_scene *scene, const void *coarse, const void *fine, bool graphs) {
  study_elastic_distance found =
      thud_study_elastic_compare(coarse, fine, thud_quasistatic_scene_of(scene)->options.tolerance);
  (void)graphs;
  return (thud_study_distances){
      .q = found.states, .v = found.reactions, .graph = found.graphs, .left_out = found.left_out};
}

const thud_kind_study thud_quasistatic_study = {.kind = THUD_STUDY_OF_QUASISTATIC,
                                                .run = run_refined,
                                                .free = free_path,
                                                .compare = compare,
                                                .against = thud_quasistatic_study_against};
