#include "study/level.h"
#include "kinds/quasistatic/quasistatic_scene.h"
#include "study/orders.h"

#include <math.h>

thud_error thud_study_check(thud_context *context, const thud_study_options *options, const thud_scene *scene) {
  if (options->last_level < options->first_level + 2)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "a study needs at least three levels, not %d to %d",
                     options->first_level, options->last_level);
  if (thud_scene_lagrangian(scene) == NULL && thud_quasistatic_scene_of(scene) == NULL)
    return thud_fail(
        context, THUD_ERROR_UNSUPPORTED,
        "refinement studies are for 'system' and 'quasistatic' scenes; sweeping processes have "
        "simulate.refinements, strings and beams simulate.classify; of others compare runs with different steps "
        "(thud run --set)");
  return THUD_OK;
}

/* All levels together take 2^(last+1) - 2^first steps. */
double thud_study_share_done(const thud_study_options *options, int level, double inside) {
  double first = exp2(options->first_level), steps = exp2(level);
  return (steps - first + inside * steps) / (exp2(options->last_level + 1) - first);
}

static int on_frame(void *user, const void *handed) {
  const thud_stepping_frame *frame = handed;
  study_level *level = user;
  thud_stepping_frame seen = *frame;
  if (level->on_frame != NULL) level->error = level->on_frame(level->user, level->path, &seen);
  if (level->error != THUD_OK) return -1;
  thud_study_path_add(level->path, &seen);
  const thud_study_options *options = level->options;
  if (options->progress == NULL) return 0;
  double inside = (frame->t - level->motion.start) / (level->motion.end - level->motion.start);
  return options->progress(options->progress_user, thud_study_share_done(options, level->level, inside), 0, 1) != 0;
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

void thud_study_flag_run(thud_context *context, double time, int level, unsigned *flags, char *message,
                         size_t capacity) {
  thud_study_flag(flags, message, capacity, THUD_STUDY_RUN_FAILED, "the run with %d steps ended at t = %.10g: %s",
                  1 << level, time, thud_context_last_message(context));
}
