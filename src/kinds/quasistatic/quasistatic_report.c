/* What is said of a quasi-static motion: critical coefficients of friction, what cyclic loads tend to, figures, warnings. */
#include "base/base.h"
#include "kinds/quasistatic/quasistatic_scene.h"
#include "run/run.h"
#include "thud/critical.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- critical coefficients --------------------------------------------------------------------------------------- */

/* Contacts for which a run looks at all combinations by itself (milliseconds), and beyond which `check` samples less. */
enum { EXACT_IN_RUNS = 6, MANY = 60, FEW_SAMPLES = 200 };

static double largest_mu(const quasistatic_scene *built) {
  double largest = 0;
  for (thud_index i = 0; i < built->problem.contacts; i++) largest = fmax(largest, built->mu[i]);
  return largest;
}

static thud_error find_critical(const quasistatic_scene *built, const thud_motion *motion, thud_critical **critical) {
  const thud_quasistatic_problem *problem = &built->problem;
  thud_context *context = built->scene->context;
  thud_critical_options options = thud_critical_options_default();
  double most = largest_mu(built), *ratio = most > 0 ? THUD_NEW_ARRAY(context, double, problem->contacts) : NULL;
  if (most > 0 && ratio == NULL) return THUD_ERROR_MEMORY;
  for (thud_index i = 0; ratio != NULL && i < problem->contacts; i++) ratio[i] = built->mu[i] / most;
  options.continuum = built->continuum;
  if (problem->contacts > MANY) options.samples = FEW_SAMPLES;
  thud_error error = thud_critical_find(context, problem->contacts, problem->dimension,
                                        thud_quasistatic_motion_stiffness(motion), ratio, &options, critical);
  thud_free(context, ratio);
  return error;
}

thud_error thud_quasistatic_report_critical(const quasistatic_scene *built, const thud_motion *motion,
                                            thud_report *report) {
  const thud_quasistatic_problem *problem = &built->problem;
  thud_critical *critical = NULL;
  char text[600], key[80];
  if (problem->dimension == 1) return THUD_OK;
  if (thud_quasistatic_motion_stiffness(motion) == NULL ||
      problem->contacts * problem->dimension > THUD_CRITICAL_MAX_SIZE) {
    thud_report_line(report, "friction", "critical coefficients are not known: %s",
                     thud_quasistatic_motion_stiffness(motion) == NULL ? "rows of the contacts depend on each other"
                                                                       : "there are too many contacts");
    return THUD_OK;
  }
  thud_error error = find_critical(built, motion, &critical);
  if (error != THUD_OK) return error;
  double mu = largest_mu(built);
  for (size_t k = 0; k < critical->row_count; k++) {
    const thud_critical_row *row = &critical->rows[k];
    thud_critical_describe(row, mu, text, sizeof text);
    thud_report_line(report, k == 0 ? "friction" : "", "%s", text);
    snprintf(key, sizeof key, "critical_%s", thud_critical_name(row->id));
    for (char *p = key; *p != '\0'; p++)
      if (*p == '-') *p = '_';
    thud_report_number(report, key, row->value);
    snprintf(key + strlen(key), sizeof key - strlen(key),
             "_kind"); /* the number is null for every mu, and for unknown */
    thud_report_string(report, key, isinf(row->value) ? "every mu" : thud_critical_kind_name(row->kind));
  }
  const thud_critical_row *rate = thud_critical_get(critical, THUD_CRITICAL_RATE);
  if (rate != NULL && mu >= rate->value)
    thud_report_warning(report, NAN, "beyond-critical",
                        "mu = %.6g is at or above %.6g, from where on rate solutions may be missing or several", mu,
                        rate->value);
  thud_critical_destroy(critical);
  return THUD_OK;
}

/* Whether one rate solution was guaranteed, or found, or not looked for. */
static void report_uniqueness(const quasistatic_scene *built, const thud_motion *motion, thud_report *report) {
  const thud_quasistatic_problem *problem = &built->problem;
  const thud_quasistatic_motion_info info = thud_quasistatic_motion_get_info(motion);
  thud_critical *critical = NULL;
  bool coulomb = problem->dimension > 1 && built->method != THUD_QUASISTATIC_THRESHOLD;
  bool known = coulomb && problem->contacts <= EXACT_IN_RUNS && thud_quasistatic_motion_stiffness(motion) != NULL;
  if (!coulomb) return;
  thud_error error = known ? find_critical(built, motion, &critical) : THUD_OK;
  if (error == THUD_ERROR_MEMORY) { /* other errors: the coefficient is not known */
    report->error = error;
    return;
  }
  const thud_critical_row *rate = critical != NULL ? thud_critical_get(critical, THUD_CRITICAL_RATE) : NULL;
  bool below = rate != NULL && largest_mu(built) < (1 - THUD_CRITICAL_MARGIN) * rate->low,
       proved = below || info.proved;
  const char *what = proved ? "proved" : info.examined ? "examined" : "not examined";
  thud_report_string(report, "uniqueness", what);
  if (proved && !below)
    thud_report_line(report, "uniqueness", "one rate solution for every load: mu is below lmin(K)/|K_N|");
  else if (proved)
    thud_report_line(report, "uniqueness", "one rate solution for every load: mu is below %.6g", rate->low);
  else if (info.examined)
    thud_report_line(report, "uniqueness", "all solutions were looked for: at most %zu at a node", info.most_solutions);
  else if (rate != NULL)
    thud_report_line(
        report, "uniqueness",
        "not examined, and mu = %.6g is not below %.6g: there may be other motions (method event-driven and "
        "--branch look for them)",
        largest_mu(built), rate->low);
  else
    thud_report_line(report, "uniqueness", "not examined: other solutions were not looked for");
  thud_critical_destroy(critical);
}

/* ---- cyclic loads ------------------------------------------------------------------------------------------------ */

/* Changes below this part of the largest displacement, and losses below this part of the largest energy, count as 0. */
static const double SETTLED = 1e-9;

static size_t block_count(const cycle_history *history) { return 3 + CYCLE_KEPT * (history->n + 1); }
static double *state_at(const cycle_history *history, size_t k) { return history->block + 3 + k * (history->n + 1); }

thud_error thud_cycle_create(thud_context *context, size_t n, double period, double start, double end,
                             cycle_history *history) {
  (void)end;
  *history = (cycle_history){.n = n, .period = period, .start = start};
  if (period == 0) return THUD_OK;
  history->block = THUD_NEW_ARRAY(context, double, block_count(history));
  return history->block != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

void thud_cycle_free(thud_context *context, cycle_history *history) { thud_free(context, history->block); }

void thud_cycle_note(cycle_history *history, const thud_quasistatic_frame *frame) {
  if (history->period == 0) return;
  size_t n = history->n;
  double cycles = (frame->t - history->start) / history->period, whole = round(cycles);
  history->block[1] = fmax(history->block[1], thud_norm_max(NULL, n, frame->U, NULL));
  history->block[2] = fmax(history->block[2], fmax(fabs(frame->ledger.stored), fabs(frame->ledger.work)));
  if (fabs(cycles - whole) > 1e-9 * fmax(1, whole) || frame->side == THUD_SIDE_LEFT) return;
  if (whole > history->block[0] || whole == 0)
    memmove(state_at(history, 1), state_at(history, 0), (CYCLE_KEPT - 1) * (n + 1) * sizeof(double));
  history->block[0] = whole;
  memcpy(state_at(history, 0), frame->U, n * sizeof *frame->U);
  state_at(history, 0)[n] = frame->ledger.friction;
}

size_t thud_cycle_size(const cycle_history *history) {
  return history->period == 0 ? 0 : block_count(history) * sizeof(double);
}

/* Largest component of the change over the k-th cycle from the end, and how it differs from that of the cycle before. */
static double change_over(const cycle_history *history, size_t k) {
  double largest = 0;
  for (size_t i = 0; i < history->n; i++)
    largest = fmax(largest, fabs(state_at(history, k)[i] - state_at(history, k + 1)[i]));
  return largest;
}

static double change_of_change(const cycle_history *history) {
  double largest = 0;
  for (size_t i = 0; i < history->n; i++) {
    double last = state_at(history, 0)[i] - state_at(history, 1)[i];
    double before = state_at(history, 1)[i] - state_at(history, 2)[i];
    largest = fmax(largest, fabs(last - before));
  }
  return largest;
}

static void report_cycles(const cycle_history *history, bool semidefinite, thud_report *report) {
  if (history->period == 0) return;
  size_t n = history->n, cycles = (size_t)history->block[0];
  thud_report_integer(report, "cycles", (int64_t)cycles);
  if (cycles < 3) {
    thud_report_string(report, "cycle", "too few");
    thud_report_line(report, "cycle", "%zu whole cycles, at least 3 are needed to say what they tend to", cycles);
    return;
  }
  double size = history->block[1], advance = change_over(history, 0);
  double loss = state_at(history, 0)[n] - state_at(history, 1)[n], total = state_at(history, 0)[n];
  bool lossless = fabs(loss) <= SETTLED * fmax(history->block[2], fabs(total));
  bool repeats = advance <= SETTLED * size || lossless; /* what does not slip returns */
  /* a definite K pulls back: what advances evenly now is bounded */
  bool even = !repeats && change_of_change(history) <= SETTLED * size, ratchets = even && semidefinite;
  const char *what = ratchets ? "ratchetting" : !repeats ? "transient" : lossless ? "shakedown" : "limit cycle";
  double before = change_over(history, 1), factor = before > 0 ? advance / before : NAN;
  thud_report_string(report, "cycle", what);
  thud_report_number(report, "cycle_advance", advance);
  thud_report_number(report, "cycle_loss", loss);
  thud_report_number(report, "cycle_factor", repeats || ratchets ? NAN : factor);
  if (repeats && lossless)
    thud_report_line(report, "cycle",
                     "shakedown from this start: no friction loss in the last of %zu cycles, %.10g in all", cycles,
                     total);
  else if (repeats)
    thud_report_line(report, "cycle", "limit cycle from this start, loss %.10g per cycle (%zu cycles)", loss, cycles);
  else if (ratchets)
    thud_report_line(report, "cycle", "ratchetting from this start: %.10g per cycle, loss %.10g (%zu cycles)", advance,
                     loss, cycles);
  else if (even)
    thud_report_line(
        report, "cycle",
        "not periodic yet after %zu cycles: %.10g per cycle, loss %.10g; the stiffness matrix is definite, "
        "so that this does not go on for ever",
        cycles, advance, loss);
  else
    thud_report_line(
        report, "cycle",
        "not periodic yet after %zu cycles: the last one moved by %.3g, %.3g times the one before; loss %.6g", cycles,
        advance, factor, loss);
}

/* ---- figures and warnings ---------------------------------------------------------------------------------------- */

bool thud_quasistatic_is_coarse(const quasistatic_scene *built, const thud_quasistatic_motion_info *info) {
  double most = built->options.coarse_above;
  return info->status == THUD_MOTION_COMPLETED && most > 0 && info->error_estimate > most * info->largest_motion;
}

static void write_figures(const quasistatic_scene *built, const thud_quasistatic_motion_info *info,
                          thud_report *report) {
  bool fixed_point = built->method == THUD_QUASISTATIC_FIXED_POINT;
  thud_report_integer(report, "steps", (int64_t)info->steps);
  thud_report_integer(report, "changes", (int64_t)info->changes);
  thud_report_integer(report, "jumps", (int64_t)info->jumps);
  thud_report_integer(report, "load_jumps", (int64_t)info->load_jumps);
  thud_report_number(report, "first_jump", info->first_jump);
  thud_report_integer(report, "forks", (int64_t)info->forks);
  thud_report_flag(report, "examined", info->examined);
  thud_report_integer(report, "unexamined_modes", (int64_t)info->unexamined_modes);
  thud_report_flag(report, "held_by_contacts", info->held_by_contacts);
  if (!report->for_record || built->scene->record_every == 0) { /* the record has all steps */
    thud_report_number(report, "residual", info->solves > 0 ? info->worst_residual : NAN);
    thud_report_number(report, "residual_time", info->worst_residual_time);
  }
  if (!report->for_record) {
    thud_report_number(report, "error_estimate", info->error_estimate);
    thud_report_number(report, "largest_motion", info->largest_motion);
    thud_report_integer(report, "solves", (int64_t)info->solves);
    thud_report_integer(report, "ambiguous", (int64_t)info->ambiguous);
    thud_report_integer(report, "most_solutions", (int64_t)info->most_solutions);
    if (fixed_point) thud_report_integer(report, "most_iterations", info->most_iterations);
    if (fixed_point) thud_report_number(report, "contraction", info->worst_contraction);
  }
  if (!fixed_point) return;
  if (isnan(info->worst_contraction))
    thud_report_line(report, "fixed point", "at most %d iterations, too few to measure a contraction",
                     info->most_iterations);
  else
    thud_report_line(report, "fixed point", "%s %.3g at worst, at most %d iterations",
                     info->worst_contraction < 1 ? "contracts: changes shrink by"
                                                 : "does not contract: changes follow each other by the factor",
                     info->worst_contraction, info->most_iterations);
}

static void warn_coarse(const quasistatic_scene *built, const thud_quasistatic_motion_info *info, thud_report *report) {
  if (!thud_quasistatic_is_coarse(built, info)) return;
  double part = info->error_estimate / info->largest_motion, share = built->options.coarse_above;
  thud_report_warning(
      report, info->time, "coarse",
      "the error of the increments is estimated at %.3g, %.3g %% of the largest displacement %.3g: "
      "the method is of first order, about %.0f steps (simulate.steps) would bring it below %.3g %%; "
      "simulate.error_tolerance divides steps as needed, and in the plane method: event-driven is exact",
      info->error_estimate, 100 * part, info->largest_motion, ceil((double)built->scene->steps * part / share),
      100 * share);
}

static void warn(const thud_quasistatic_motion_info *info, thud_report *report) {
  if (info->ambiguous > 0)
    thud_report_warning(
        report, info->first_fork, "not-unique",
        "the next state was not unique at %zu node%s, with up to %zu solutions; the run stays in its modes "
        "where it can, sticks before it slips and slips before it opens%s",
        info->ambiguous, info->ambiguous == 1 ? "" : "s", info->most_solutions,
        info->forks > 0 ? " (--branch follows the others)" : "");
  if (info->unexamined_modes > 0)
    thud_report_warning(report, info->unexamined_modes_time, "unexamined-modes",
                        "more contacts than simulate.enumerate_up_to had a choice of modes, %zu time%s (first at t = "
                        "%.10g): the motion is consistent, whether it is the only one was not examined",
                        info->unexamined_modes, thud_plural(info->unexamined_modes), info->unexamined_modes_time);
  if (info->jumps > info->load_jumps)
    thud_report_warning(report, info->first_jump, "jump",
                        "no continuous motion goes on at %zu time%s, where the state jumps to another equilibrium",
                        info->jumps - info->load_jumps, info->jumps - info->load_jumps == 1 ? "" : "s");
}

void thud_quasistatic_report(const quasistatic_scene *built, const thud_motion *motion, const cycle_history *cycles,
                             thud_report *report) {
  const thud_quasistatic_motion_info info = thud_quasistatic_motion_get_info(motion);
  const thud_quasistatic_ledger ledger = thud_quasistatic_motion_present(motion).ledger;
  thud_report_method(report, "%zu steps", info.steps);
  write_figures(built, &info, report);
  thud_report_line(report, "residual", "%.3g (worst, at t = %.6g)", info.worst_residual, info.worst_residual_time);
  if (!isnan(info.error_estimate))
    thud_report_line(report, "error",
                     "about %.3g (increments against parts of them, summed up), largest displacement %.3g",
                     info.error_estimate, info.largest_motion);
  thud_report_line(report, "energy", "stored %.6g, work of the loads %.6g, defect %.3g", ledger.stored, ledger.work,
                   ledger.defect);
  thud_report_line(report, "losses", "friction %.6g, jumps and steps %.6g", ledger.friction,
                   ledger.quadratic - ledger.normal);
  thud_report_line(report, "changes", "%zu of mode, %zu jumps (%zu of the load)", info.changes, info.jumps,
                   info.load_jumps);
  report_uniqueness(built, motion, report);
  if (!report->for_record || built->scene->record_every == 0) report_cycles(cycles, info.held_by_contacts, report);
  thud_report_events(report, 12);
  warn(&info, report);
  warn_coarse(built, &info, report);
  if (built->not_enclosed)
    thud_report_warning(
        report, NAN, "load-not-enclosed",
        "a load turns too often for all of its turns to be found: it is known at the nodes only, and what "
        "it does between them is not seen");
}
