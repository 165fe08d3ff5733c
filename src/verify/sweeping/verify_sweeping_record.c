/* A recorded sweeping process: from its file to a list of checks. */
#include "verify/verify_channels.h"
#include "verify/sweeping/verify_sweeping_checks.h"
#include "verify/sweeping/verify_sweeping_retraction.h"

#include <math.h>
#include <string.h>

/* ---- reading ------------------------------------------------------------------------------------------------ */

static thud_error read_frames(verify_motion *m, thud_record_reader *reader, thud_verify_check *structure) {
  thud_record_info info = thud_record_reader_info(reader);
  m->n = m->scene->n;
  m->count = info.rows[THUD_RECORD_FRAMES];
  m->complete = m->scene->record_every == 0;
  const verify_channel channels[] = {{"time", 1, &m->t},           {"side", 1, &m->side},
                                     {"state", m->n, &m->state},   {"reaction", m->n, &m->reaction},
                                     {"atom", 1, &m->atom},        {"variation", 1, &m->variation},
                                     {"residual", 1, &m->residual}};
  thud_error error = thud_verify_read_channels(m->context, reader, THUD_RECORD_FRAMES,
                                               sizeof channels / sizeof *channels, channels, structure);
  if (error != THUD_OK) return error;
  thud_verify_check_components(reader, THUD_RECORD_FRAMES, "state", m->n, m->scene->names, structure);
  thud_verify_check_made_by(&info, "sweeping", m->scene->method, structure);
  if (m->count == 0) thud_verify_fail(structure, NAN, SIZE_MAX, "the record has no frames");
  return THUD_OK;
}

static bool frames_usable(const verify_motion *m) {
  return m->count > 0 && m->t != NULL && m->side != NULL && m->state != NULL && m->reaction != NULL &&
         m->atom != NULL && m->variation != NULL && m->residual != NULL;
}

/* ---- the checks in their order ------------------------------------------------------------------------------------
 */

enum {
  STRUCTURE,
  INITIAL,
  MEMBERSHIP,
  LAW,
  REACTION,
  STEP,
  VARIATION,
  JUMPS,
  RESIDUAL,
  EVENTS,
  SUMMARY,
  RETRACTION,
  REFINEMENT,
  FINISHED,
  CHECKS
};
static const char *const names[CHECKS] = {"structure", "initial",    "membership", "law",      "reaction",
                                          "step",      "variation",  "jumps",      "residual", "events",
                                          "summary",   "retraction", "refinement", "finished"};

/* A step of catching-up is right when its state is a member, its reaction is normal, and the two belong together. */
static void conclude_step(thud_verify_check *checks) {
  const int parts[] = {MEMBERSHIP, LAW, REACTION};
  for (int k = 0; k < 3; k++) {
    thud_verify_status status = checks[parts[k]].status;
    if (status == THUD_VERIFY_FAILED) {
      thud_verify_fail(&checks[STEP], checks[parts[k]].t,
                       checks[parts[k]].frame < 0 ? SIZE_MAX : (size_t)checks[parts[k]].frame,
                       "not a projection: see %s", names[parts[k]]);
      return;
    }
    if (status != THUD_VERIFY_PASSED) {
      thud_verify_skip(&checks[STEP], status, "follows from membership, law and reaction: see %s", names[parts[k]]);
      return;
    }
  }
  thud_verify_explain(&checks[STEP], "u_k = proj(C, u_(k-1)) follows from membership, law and reaction");
}

static thud_error check_motion(verify_motion *m, thud_record_reader *reader, thud_verify_check *checks) {
  thud_record_info info = thud_record_reader_info(reader);
  bool good = thud_verify_ran_to_end(&info);
  thud_verify_check_frames(m, good, &checks[STRUCTURE]);
  thud_verify_check_initial(m, &checks[INITIAL]);
  thud_verify_check_jumps(m, &checks[JUMPS]);
  thud_verify_check_reaction(m, &checks[REACTION]);
  thud_verify_check_variation(m, &checks[VARIATION]);
  thud_error error = thud_verify_check_sweep_events(m, reader, &checks[EVENTS]);
  if (error == THUD_OK) error = thud_verify_check_summary(m, reader, &checks[SUMMARY], &checks[REFINEMENT]);
  if (error == THUD_OK) error = thud_verify_check_retraction(m, reader, &checks[RETRACTION]);
  if (error != THUD_OK) return error;
  if (m->scene->regularised) {
    thud_verify_skip(&checks[RESIDUAL], THUD_VERIFY_NOT_APPLICABLE,
                     "a regularised motion records its penetration: see step");
    return thud_verify_check_regularised(m, &checks[MEMBERSHIP], &checks[LAW], &checks[STEP]);
  }
  error = thud_verify_check_catching_up(m, &checks[MEMBERSHIP], &checks[LAW], &checks[RESIDUAL]);
  if (error == THUD_OK) conclude_step(checks);
  return error;
}

static void mark_not_checkable(thud_verify_check *checks, const char *why) {
  for (int k = INITIAL; k < FINISHED; k++) thud_verify_skip(&checks[k], THUD_VERIFY_NOT_CHECKABLE, "%s", why);
}

static thud_error check_with_scene(thud_context *context, thud_record_reader *reader, const verify_scene *scene,
                                   const thud_verify_options *options, thud_verify_check *checks) {
  verify_motion motion = {.context = context, .scene = scene, .claimed_gap = NAN};
  thud_error error = read_frames(&motion, reader, &checks[STRUCTURE]);
  if (error == THUD_OK && !frames_usable(&motion)) {
    mark_not_checkable(checks, "the frames cannot be used: see structure");
  } else if (error == THUD_OK) {
    error = thud_verify_motion_prepare(&motion, options->tolerance);
    if (error == THUD_OK) error = check_motion(&motion, reader, checks);
  }
  thud_verify_motion_free(&motion);
  return error;
}

/* tree is NULL when the scene could not be read: the context's message says why. */
static thud_error check_sweeping(thud_context *context, thud_record_reader *reader, const thud_tree *tree,
                                 thud_error error, const thud_verify_options *options, thud_verify_check *checks) {
  thud_record_info info = thud_record_reader_info(reader);
  verify_scene *scene = NULL;
  if (error == THUD_OK) error = thud_verify_scene_create(context, tree, &scene);
  if (error == THUD_OK) {
    error = check_with_scene(context, reader, scene, options, checks);
  } else if (error != THUD_ERROR_MEMORY) {
    thud_verify_fail(&checks[STRUCTURE], NAN, SIZE_MAX, "the scene in the record cannot be used: %s",
                     thud_context_last_message(context));
    mark_not_checkable(checks, "the scene cannot be used: see structure");
    error = THUD_OK;
  }
  thud_verify_check_finished(&info, &checks[FINISHED]);
  thud_verify_scene_destroy(scene);
  return error;
}

thud_error thud_verify_sweeping_record(thud_context *context, thud_record_reader *reader, const thud_tree *tree,
                                       thud_error error, const thud_verify_options *options,
                                       thud_verify_result *result) {
  thud_verify_check checks[CHECKS];
  for (int k = 0; k < CHECKS; k++) checks[k] = thud_verify_check_new(names[k]);
  error = check_sweeping(context, reader, tree, error, options, checks);
  if (error != THUD_OK) return error;
  *result = (thud_verify_result){0};
  for (int k = 0; k < CHECKS; k++) thud_verify_result_add(result, &checks[k]);
  return THUD_OK;
}
