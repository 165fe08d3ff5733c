/* thud_verify_record: from a file to a list of checks. */
#include "verify/channels.h"
#include "verify/checks.h"
#include "verify/frames.h"
#include "verify/line.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static const thud_option_key verify_keys[] = {
    {.name = "tolerance",
     .type = THUD_OPTION_REAL,
     .offset = offsetof(thud_verify_options, tolerance),
     .default_value = 0,
     .minimum = 0,
     .maximum = 1,
     .unit = "1",
     .help = "relative to the largest |u|; 0: the larger of 1e-8 and the scene's own tolerance"},
    {.name = "trajectory_tolerance",
     .type = THUD_OPTION_REAL,
     .offset = offsetof(thud_verify_options, trajectory_tolerance),
     .default_value = 0.01,
     .minimum = 0,
     .maximum = 1,
     .unit = "rad",
     .help = "accepted angle between an increment of a trajectory and the normal cone; of motions: accepted part of "
             "the largest acceleration"},
    {.name = "trajectory_samples",
     .type = THUD_OPTION_INT,
     .offset = offsetof(thud_verify_options, trajectory_samples),
     .default_value = 32,
     .minimum = 1,
     .maximum = 1000000,
     .unit = "1",
     .help = "times at which each piece of a trajectory of expressions is asked"},
};

static const thud_option_table verify_table = {.name = "verify",
                                               .struct_size = sizeof(thud_verify_options),
                                               .keys = verify_keys,
                                               .count = sizeof verify_keys / sizeof *verify_keys};

const thud_option_table *thud_verify_option_table(void) { return &verify_table; }

thud_verify_options thud_verify_options_default(void) {
  thud_verify_options options;
  thud_options_set_defaults(&verify_table, &options);
  return options;
}

/* ---- reading ------------------------------------------------------------------------------------------------ */

static void check_names(const verify_scene *scene, const thud_record_reader *reader, thud_verify_check *structure) {
  size_t channel;
  if (thud_record_find_role(reader, "state", &channel) != THUD_OK) return;
  const thud_record_channel *state = thud_record_reader_channel(reader, channel);
  for (size_t i = 0; i < state->width && i < scene->n; i++)
    if (strcmp(state->components[i], scene->names[i]) != 0)
      verify_fail(structure, NAN, SIZE_MAX, "component %zu of the state is '%s', the scene says '%s'", i,
                  state->components[i], scene->names[i]);
}

static thud_error read_frames(verify_motion *m, thud_record_reader *reader, thud_verify_check *structure) {
  thud_record_info info = thud_record_reader_info(reader);
  m->n = m->scene->n;
  m->count = info.rows;
  m->complete = m->scene->record_every == 0;
  thud_error error = verify_read_channel(m->context, reader, m->count, "time", 1, &m->t, structure);
  if (error == THUD_OK) error = verify_read_channel(m->context, reader, m->count, "side", 1, &m->side, structure);
  if (error == THUD_OK) error = verify_read_channel(m->context, reader, m->count, "state", m->n, &m->state, structure);
  if (error == THUD_OK)
    error = verify_read_channel(m->context, reader, m->count, "reaction", m->n, &m->reaction, structure);
  if (error == THUD_OK) error = verify_read_channel(m->context, reader, m->count, "atom", 1, &m->atom, structure);
  if (error == THUD_OK)
    error = verify_read_channel(m->context, reader, m->count, "variation", 1, &m->variation, structure);
  if (error == THUD_OK)
    error = verify_read_channel(m->context, reader, m->count, "residual", 1, &m->residual, structure);
  if (error != THUD_OK) return error;
  check_names(m->scene, reader, structure);
  if (strcmp(info.method, m->scene->method) != 0)
    verify_fail(structure, NAN, SIZE_MAX, "the record was made by the method '%s', its scene says '%s'", info.method,
                m->scene->method);
  if (m->count == 0) verify_fail(structure, NAN, SIZE_MAX, "the record has no frames");
  return THUD_OK;
}

static bool frames_usable(const verify_motion *m) {
  return m->count > 0 && m->t != NULL && m->side != NULL && m->state != NULL && m->reaction != NULL &&
         m->atom != NULL && m->variation != NULL && m->residual != NULL;
}

/* ---- the checks in their order ------------------------------------------------------------------------------------
 */

enum { STRUCTURE, INITIAL, MEMBERSHIP, LAW, REACTION, STEP, VARIATION, JUMPS, RESIDUAL, SUMMARY, FINISHED, CHECKS };
static const char *const names[CHECKS] = {"structure", "initial", "membership", "law",     "reaction", "step",
                                          "variation", "jumps",   "residual",   "summary", "finished"};

/* A step of catching-up is right when its state is a member, its reaction is normal, and the two belong together. */
static void conclude_step(thud_verify_check *checks) {
  const int parts[] = {MEMBERSHIP, LAW, REACTION};
  for (int k = 0; k < 3; k++) {
    thud_verify_status status = checks[parts[k]].status;
    if (status == THUD_VERIFY_FAILED) {
      verify_fail(&checks[STEP], checks[parts[k]].t,
                  checks[parts[k]].frame < 0 ? SIZE_MAX : (size_t)checks[parts[k]].frame, "not a projection: see %s",
                  names[parts[k]]);
      return;
    }
    if (status != THUD_VERIFY_PASSED) {
      verify_skip(&checks[STEP], status, "follows from membership, law and reaction: see %s", names[parts[k]]);
      return;
    }
  }
  verify_explain(&checks[STEP], "u_k = proj(C, u_(k-1)) follows from membership, law and reaction");
}

static thud_error check_motion(verify_motion *m, const thud_record_info *info, thud_verify_check *checks) {
  bool good = strcmp(info->verdict, "good") == 0;
  verify_check_frames(m, good, &checks[STRUCTURE]);
  verify_check_initial(m, &checks[INITIAL]);
  verify_check_jumps(m, &checks[JUMPS]);
  verify_check_reaction(m, &checks[REACTION]);
  verify_check_variation(m, &checks[VARIATION]);
  thud_error error = verify_check_summary(m, info, &checks[SUMMARY]);
  if (error != THUD_OK) return error;
  if (m->scene->regularised) {
    verify_skip(&checks[RESIDUAL], THUD_VERIFY_NOT_APPLICABLE,
                "a regularised motion records its penetration: see step");
    return verify_check_regularised(m, &checks[MEMBERSHIP], &checks[LAW], &checks[STEP]);
  }
  error = verify_check_catching_up(m, &checks[MEMBERSHIP], &checks[LAW], &checks[RESIDUAL]);
  if (error == THUD_OK) conclude_step(checks);
  return error;
}

static void mark_not_checkable(thud_verify_check *checks, const char *why) {
  for (int k = INITIAL; k < FINISHED; k++) verify_skip(&checks[k], THUD_VERIFY_NOT_CHECKABLE, "%s", why);
}

static thud_error check_with_scene(thud_context *context, thud_record_reader *reader, const verify_scene *scene,
                                   const thud_verify_options *options, thud_verify_check *checks) {
  verify_motion motion = {.context = context, .scene = scene, .claimed_gap = NAN};
  thud_record_info info = thud_record_reader_info(reader);
  thud_error error = read_frames(&motion, reader, &checks[STRUCTURE]);
  if (error == THUD_OK && !frames_usable(&motion)) {
    mark_not_checkable(checks, "the frames cannot be used: see structure");
  } else if (error == THUD_OK) {
    error = verify_motion_prepare(&motion, options->tolerance);
    if (error == THUD_OK) error = check_motion(&motion, &info, checks);
  }
  verify_motion_free(&motion);
  return error;
}

/* tree is NULL when the scene could not be read: the context's message says why. */
static thud_error check_sweeping(thud_context *context, thud_record_reader *reader, const thud_tree *tree,
                                 thud_error error, const thud_verify_options *options, thud_verify_check *checks) {
  thud_record_info info = thud_record_reader_info(reader);
  verify_scene *scene = NULL;
  if (error == THUD_OK) error = verify_scene_create(context, tree, &scene);
  if (error == THUD_OK) {
    error = check_with_scene(context, reader, scene, options, checks);
  } else if (error != THUD_ERROR_MEMORY) {
    verify_fail(&checks[STRUCTURE], NAN, SIZE_MAX, "the scene in the record cannot be used: %s",
                thud_context_last_message(context));
    mark_not_checkable(checks, "the scene cannot be used: see structure");
    error = THUD_OK;
  }
  verify_check_finished(&info, &checks[FINISHED]);
  verify_scene_destroy(scene);
  return error;
}

static thud_error check_record(thud_context *context, thud_record_reader *reader, const thud_verify_options *options,
                               thud_verify_result *result) {
  thud_record_info info = thud_record_reader_info(reader);
  thud_tree *tree = NULL;
  thud_verify_check checks[CHECKS];
  thud_error error = thud_tree_read_text(context, "scene", info.scene, strlen(info.scene), &tree);
  if (error == THUD_OK && verify_is_system(tree)) {
    error = verify_system_record(context, reader, tree, options->tolerance, result);
    thud_tree_destroy(tree);
    return error;
  }
  if (error == THUD_OK && verify_is_line(tree)) {
    error = verify_line_record(context, reader, tree, options->tolerance, result);
    thud_tree_destroy(tree);
    return error;
  }
  for (int k = 0; k < CHECKS; k++) checks[k] = verify_check_new(names[k]);
  error = check_sweeping(context, reader, tree, error, options, checks);
  thud_tree_destroy(tree);
  if (error != THUD_OK) return error;
  *result = (thud_verify_result){0};
  for (int k = 0; k < CHECKS; k++) verify_result_add(result, &checks[k]);
  verify_result_judge(result);
  return THUD_OK;
}

thud_error thud_verify_record(thud_context *context, const char *path, const thud_verify_options *options,
                              thud_verify_result *result) {
  if (path == NULL || result == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "verify: a record and a place for the result are needed");
  thud_verify_options defaults = thud_verify_options_default();
  if (options == NULL) options = &defaults;
  thud_error error = thud_options_check(context, &verify_table, options);
  if (error != THUD_OK) return error;
  thud_record_reader *reader = NULL;
  error = thud_record_open(context, path, &reader);
  if (error != THUD_OK) return error;
  error = check_record(context, reader, options, result);
  thud_record_reader_destroy(reader);
  return error;
}
