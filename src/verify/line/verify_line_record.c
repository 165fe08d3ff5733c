/* A recorded string or beam: from its file to a list of checks. */
#include "verify/verify_channels.h"
#include "verify/line/verify_line.h"

#include <math.h>

enum {
  STRUCTURE,
  ENDS,
  GAP,
  LAW,
  EQUILIBRIUM,
  FRICTION,
  VARIATION,
  ENERGY,
  EVENTS,
  SUMMARY,
  REFINEMENT,
  FINISHED,
  CHECKS
};
static const char *const names[CHECKS] = {"structure", "ends",   "gap",    "law",     "equilibrium", "friction",
                                          "variation", "energy", "events", "summary", "refinement",  "finished"};

static thud_error read_frames(verify_line_motion *m, thud_record_reader *reader, thud_verify_check *structure) {
  static const char *const ledger[] = {"stored", "work", "friction", "quadratic", "defect"};
  static const char *const roles[] = {"state", "transverse", "pressure", "reaction"};
  const verify_line *line = m->line;
  thud_record_info info = thud_record_reader_info(reader);
  m->count = info.rows[THUD_RECORD_FRAMES];
  m->complete = line->scene.record_every == 0;
  const verify_channel channels[] = {{"time", 1, &m->t},
                                     {"side", 1, &m->side},
                                     {"state", line->n, &m->u},
                                     {"transverse", line->n, &m->v},
                                     {"pressure", line->n, &m->s},
                                     {"reaction", line->n, &m->r},
                                     {"variation", 1, &m->variation},
                                     {"ledger", VERIFY_LINE_LEDGER, &m->ledger}};
  thud_error error = thud_verify_read_channels(m->context, reader, THUD_RECORD_FRAMES,
                                               sizeof channels / sizeof *channels, channels, structure);
  if (error != THUD_OK) return error;
  for (size_t k = 0; k < VERIFY_LINE_FIELDS; k++)
    thud_verify_check_components(reader, THUD_RECORD_FRAMES, roles[k], line->n,
                                 (const char *const *)line->names + k * line->n, structure);
  thud_verify_check_components(reader, THUD_RECORD_FRAMES, "ledger", VERIFY_LINE_LEDGER, ledger, structure);
  thud_verify_check_made_by(&info, line->beam ? "beam" : "string", line->scene.method, structure);
  if (m->count == 0) thud_verify_fail(structure, NAN, SIZE_MAX, "the record has no frames");
  return THUD_OK;
}

static thud_error read_events(verify_line_motion *m, thud_record_reader *reader, thud_verify_check *structure) {
  static const char *const kinds[] = {"jump"};
  const verify_channel channels[] = {{"moved", 1, &m->event_moved}};
  thud_error error = thud_verify_events_read(m->context, reader, 0, 1, kinds, &m->events, structure);
  return error == THUD_OK ? thud_verify_read_channels(m->context, reader, THUD_RECORD_EVENTS, 1, channels, structure)
                          : error;
}

static thud_error make_room(verify_line_motion *m) {
  m->stop = THUD_NEW_ARRAY(m->context, size_t, m->count);
  m->moved = THUD_NEW_ARRAY(m->context, double, m->count);
  m->work = THUD_NEW_ARRAY(m->context, double, m->line->n);
  m->cells.G = THUD_NEW_ARRAY(m->context, verify_line_sums, m->line->n);
  return m->stop != NULL && m->moved != NULL && m->work != NULL && m->cells.G != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

static void motion_free(verify_line_motion *m) {
  void *arrays[] = {m->t,      m->side, m->u,     m->v,    m->s,       m->r,          m->variation,
                    m->ledger, m->stop, m->moved, m->work, m->cells.G, m->event_moved};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(m->context, arrays[k]);
  thud_verify_events_free(m->context, &m->events);
}

static thud_error check_motion(verify_line_motion *m, thud_record_reader *reader, thud_verify_check *checks) {
  thud_record_info info = thud_record_reader_info(reader);
  thud_error error = make_room(m);
  if (error != THUD_OK) return error;
  thud_verify_line_structure(m, thud_verify_ran_to_end(&info), &checks[STRUCTURE]);
  if (checks[STRUCTURE].status == THUD_VERIFY_FAILED) return THUD_OK;
  thud_verify_line_ends(m, &checks[ENDS]);
  thud_verify_line_gaps(m, &checks[GAP]);
  thud_verify_line_law(m, &checks[LAW]);
  thud_verify_line_equilibrium(m, &checks[EQUILIBRIUM]);
  thud_verify_line_friction(m, &checks[FRICTION]);
  thud_verify_line_variation(m, &checks[VARIATION]);
  thud_verify_line_energy(m, &checks[ENERGY]);
  thud_verify_line_events(m, &checks[EVENTS]);
  return thud_verify_line_summary(m, reader, &checks[SUMMARY], &checks[REFINEMENT]);
}

static thud_error check_with_scene(thud_context *context, thud_record_reader *reader, const verify_line *line,
                                   thud_verify_check *checks) {
  verify_line_motion motion = {.context = context, .line = line};
  thud_error error = read_frames(&motion, reader, &checks[STRUCTURE]);
  if (error == THUD_OK) error = read_events(&motion, reader, &checks[STRUCTURE]);
  if (error == THUD_OK && checks[STRUCTURE].status != THUD_VERIFY_FAILED) error = check_motion(&motion, reader, checks);
  motion_free(&motion);
  return error;
}

static thud_error check_record(thud_context *context, thud_record_reader *reader, const thud_tree *tree,
                               thud_error error, bool beam, thud_verify_result *result) {
  thud_record_info info = thud_record_reader_info(reader);
  thud_verify_check checks[CHECKS];
  verify_line *line = NULL;
  for (int k = 0; k < CHECKS; k++) checks[k] = thud_verify_check_new(names[k]);
  if (error == THUD_OK) error = thud_verify_line_create(context, tree, beam, &line);
  if (error == THUD_OK) {
    error = check_with_scene(context, reader, line, checks);
  } else if (error != THUD_ERROR_MEMORY) {
    thud_verify_fail(&checks[STRUCTURE], NAN, SIZE_MAX, "the scene in the record cannot be used: %s",
                     thud_context_last_message(context));
    error = THUD_OK;
  }
  thud_verify_line_destroy(line);
  if (error != THUD_OK) return error;
  thud_verify_gather(&info, CHECKS, checks, result);
  return THUD_OK;
}

thud_error thud_verify_string_record(thud_context *context, thud_record_reader *reader, const thud_tree *tree,
                                     thud_error error, const thud_verify_options *options, thud_verify_result *result) {
  (void)options;
  return check_record(context, reader, tree, error, false, result);
}

thud_error thud_verify_beam_record(thud_context *context, thud_record_reader *reader, const thud_tree *tree,
                                   thud_error error, const thud_verify_options *options, thud_verify_result *result) {
  (void)options;
  return check_record(context, reader, tree, error, true, result);
}
