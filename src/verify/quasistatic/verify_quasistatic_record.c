/* A recorded quasi-static motion: from its file to a list of checks. */
#include "verify/verify_channels.h"
#include "verify/quasistatic/verify_quasistatic.h"

#include <math.h>
#include <string.h>

enum {
  STRUCTURE,
  INITIAL,
  EQUILIBRIUM,
  GAP,
  LAW,
  FRICTION,
  MODES,
  JUMPS,
  ENERGY,
  RESIDUAL,
  EVENTS,
  SUMMARY,
  FINISHED,
  CHECKS
};
static const char *const names[CHECKS] = {"structure", "initial", "equilibrium", "gap",    "law",
                                          "friction",  "modes",   "jumps",       "energy", "residual",
                                          "events",    "summary", "finished"};

static thud_error read_frames(verify_quasi_motion *m, thud_record_reader *reader, thud_verify_check *structure) {
  static const char *const modes[] = {"open", "stick", "slip+", "slip-"};
  static const char *const ledger[] = {"stored", "work", "friction", "quadratic", "normal", "defect"};
  const verify_quasi *q = m->quasi;
  thud_record_info info = thud_record_reader_info(reader);
  m->count = info.rows[THUD_RECORD_FRAMES];
  m->complete = q->scene.record_every == 0;
  m->pieces = q->method == VERIFY_QUASI_EVENTS;
  const verify_channel channels[] = {{"time", 1, &m->t},           {"side", 1, &m->side},
                                     {"state", q->n, &m->U},       {"reaction", q->m, &m->r},
                                     {"load", q->n, &m->load},     {"gap", q->c, &m->gap},
                                     {"mode", q->c, &m->mode},     {"ledger", VERIFY_QUASI_LEDGER, &m->ledger},
                                     {"residual", 1, &m->residual}};
  thud_error error = thud_verify_read_channels(m->context, reader, THUD_RECORD_FRAMES,
                                               sizeof channels / sizeof *channels, channels, structure);
  if (error != THUD_OK) return error;
  thud_verify_check_components(reader, THUD_RECORD_FRAMES, "state", q->n, q->scene.names, structure);
  thud_verify_check_components(reader, THUD_RECORD_FRAMES, "reaction", q->m, (const char *const *)q->reactions,
                               structure);
  thud_verify_check_components(reader, THUD_RECORD_FRAMES, "load", q->n, q->scene.names, structure);
  thud_verify_check_components(reader, THUD_RECORD_FRAMES, "gap", q->c, q->contacts, structure);
  thud_verify_check_components(reader, THUD_RECORD_FRAMES, "mode", q->c, q->contacts, structure);
  thud_verify_check_components(reader, THUD_RECORD_FRAMES, "ledger", VERIFY_QUASI_LEDGER, ledger, structure);
  thud_verify_check_labels(reader, THUD_RECORD_FRAMES, "mode", VERIFY_MODE_COUNT, modes, structure);
  thud_verify_check_made_by(&info, "quasistatic", q->scene.method, structure);
  if (m->count == 0) thud_verify_fail(structure, NAN, SIZE_MAX, "the record has no frames");
  return THUD_OK;
}

/* Pieces have none; where the load jumps, contact problems are solved there, too. */
static void check_residuals(const verify_quasi_motion *m, thud_verify_check *check) {
  const verify_quasi *q = m->quasi;
  bool solved = !m->pieces;
  for (size_t k = 0; k < m->count; k++) solved = solved || m->way[k] == VERIFY_WAY_LOAD;
  double tolerance = solved ? fmax(m->tolerance, q->scene.tolerance) : 0;
  for (size_t k = 0; k < m->count; k++) thud_verify_tally(check, fabs(m->residual[k]), tolerance, 0, m->t[k], k);
}

/* The left limit at a jump is the frame before once more. */
static void check_same(const verify_quasi_motion *m, thud_verify_check *check) {
  const verify_quasi *q = m->quasi;
  for (size_t k = 1; k < m->count; k++)
    if (m->way[k] == VERIFY_WAY_SAME &&
        !(thud_verify_same_numbers(q->n, verify_quasi_U(m, k), verify_quasi_U(m, k - 1)) &&
          thud_verify_same_numbers(q->m, verify_quasi_r(m, k), verify_quasi_r(m, k - 1)) &&
          thud_verify_same_numbers(q->c, m->gap + k * q->c, m->gap + (k - 1) * q->c)))
      thud_verify_fail(check, m->t[k], k, "the left limit is not the frame before");
}

static thud_error check_motion(verify_quasi_motion *m, thud_record_reader *reader, thud_verify_check *checks) {
  thud_record_info info = thud_record_reader_info(reader);
  thud_verify_quasi_structure(m, thud_verify_ran_to_end(&info), &checks[STRUCTURE]);
  if (checks[STRUCTURE].status == THUD_VERIFY_FAILED) return THUD_OK;
  check_same(m, &checks[STRUCTURE]);
  thud_verify_quasi_loads(m, &checks[JUMPS]);
  thud_verify_quasi_initial(m, &checks[INITIAL]);
  thud_verify_quasi_claimed_loads(m, &checks[EQUILIBRIUM]);
  thud_verify_quasi_equilibrium(m, &checks[EQUILIBRIUM]);
  thud_verify_quasi_gaps(m, &checks[GAP]);
  thud_verify_quasi_law(m, &checks[LAW]);
  thud_verify_quasi_friction(m, &checks[FRICTION]);
  thud_verify_quasi_modes(m, &checks[MODES]);
  thud_verify_quasi_jumps(m, &checks[JUMPS]);
  thud_verify_quasi_energy(m, &checks[ENERGY]);
  check_residuals(m, &checks[RESIDUAL]);
  thud_verify_quasi_events(m, &checks[EVENTS]);
  return thud_verify_quasi_summary(m, reader, &checks[SUMMARY]);
}

static thud_error check_with_scene(thud_context *context, thud_record_reader *reader, const verify_quasi *quasi,
                                   double tolerance, thud_verify_check *checks) {
  verify_quasi_motion motion = {.context = context, .quasi = quasi};
  thud_error error = read_frames(&motion, reader, &checks[STRUCTURE]);
  if (error == THUD_OK) error = thud_verify_quasi_read_events(&motion, reader, &checks[STRUCTURE]);
  if (error == THUD_OK && checks[STRUCTURE].status != THUD_VERIFY_FAILED) {
    error = thud_verify_quasi_prepare(&motion, tolerance);
    if (error == THUD_OK) error = check_motion(&motion, reader, checks);
  }
  thud_verify_quasi_motion_free(&motion);
  return error;
}

thud_error thud_verify_quasi_record(thud_context *context, thud_record_reader *reader, const thud_tree *tree,
                                    thud_error error, const thud_verify_options *options, thud_verify_result *result) {
  thud_record_info info = thud_record_reader_info(reader);
  thud_verify_check checks[CHECKS];
  verify_quasi *quasi = NULL;
  for (int k = 0; k < CHECKS; k++) checks[k] = thud_verify_check_new(names[k]);
  if (error == THUD_OK) error = thud_verify_quasi_create(context, tree, &quasi);
  if (error == THUD_OK) {
    error = check_with_scene(context, reader, quasi, options->tolerance, checks);
  } else if (error != THUD_ERROR_MEMORY) {
    thud_verify_fail(&checks[STRUCTURE], NAN, SIZE_MAX, "the scene in the record cannot be used: %s",
                     thud_context_last_message(context));
    error = THUD_OK;
  }
  thud_verify_quasi_destroy(quasi);
  if (error != THUD_OK) return error;
  thud_verify_gather(&info, CHECKS, checks, result);
  return THUD_OK;
}
