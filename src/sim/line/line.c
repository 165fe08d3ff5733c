/* Motions of particles on a line: what both methods share. */
#include "sim/line/line.h"

#include <math.h>
#include <string.h>

void line_multiply(thud_index n, const double *A, const double *x, double *y, double *size) {
  for (thud_index i = 0; i < n; i++) {
    double sum = 0, magnitude = 0;
    for (thud_index j = 0; j < n; j++) {
      double term = A[thud_at(n, i, j)] * x[j];
      sum += term;
      magnitude += fabs(term);
    }
    y[i] = sum;
    if (size != NULL) size[i] = magnitude;
  }
}

void line_find(line_motion *motion, thud_line_status status) {
  if (motion->info.status == THUD_LINE_COMPLETED) motion->info.status = status;
}

/* ---- nodes ------------------------------------------------------------------------------------------------------- */

thud_error line_hand_out(line_motion *motion, double t, thud_line_event event, bool atom, const double *q,
                         const double *v_left, const double *v) {
  motion->info.time = t;
  motion->info.percussions += event == THUD_LINE_PERCUSSION;
  motion->info.stops += event == THUD_LINE_STOP;
  motion->info.slips += event == THUD_LINE_SLIP;
  thud_line_frame frame = {.t = t,
                           .step = t - motion->last_node,
                           .event = event,
                           .q = q,
                           .v_left = v_left,
                           .v = v,
                           .reaction = motion->reaction,
                           .bound = motion->bound,
                           .atom = atom,
                           .involved = motion->involved,
                           .mode = motion->modes,
                           .family = motion->family,
                           .ledger = motion->info.ledger};
  int answer = motion->frame != NULL ? motion->frame(motion->user, &frame) : 0;
  motion->last_node = t;
  memset(motion->reaction, 0, (size_t)motion->n * sizeof(double));
  memset(motion->bound, 0, (size_t)motion->n * sizeof(double));
  if (answer < 0) return thud_fail(motion->context, THUD_ERROR_CALLBACK, "line: the frame function failed");
  if (answer > 0) {
    motion->stopped = true;
    line_find(motion, THUD_LINE_INTERRUPTED);
  }
  return THUD_OK;
}

void line_read_values(line_motion *motion, double t) {
  static const char *const names[] = {"the normal reaction", "the force", "the velocity of the ground"};
  motion->variables[thud_line_time_slot(motion->line)] = t;
  thud_expr_work_evaluate(motion->work, motion->variables, motion->values);
  for (thud_index k = 0; k < 3 * motion->n; k++) {
    double value = motion->values[k];
    if (isfinite(value) && !(k < motion->n && value < 0)) continue;
    thud_expr_trouble trouble;
    bool explained = thud_expr_work_explain(motion->work, k, &trouble);
    thud_fail(motion->context, THUD_ERROR_NOT_FINITE, "%s of particle %d at t = %.10g is %g%s%s", names[k / motion->n],
              (int)(k % motion->n) + 1, t, value, explained ? ": " : "", explained ? trouble.message : "");
    line_find(motion, THUD_LINE_BAD_DATA);
    return;
  }
}

/* ---- the box problem --------------------------------------------------------------------------------------------- */

/* Diagonal A: each unknown by itself. */
static void clip(line_motion *motion, const double *A) {
  for (thud_index i = 0; i < motion->n; i++) {
    double a = A[thud_at(motion->n, i, i)], x = motion->rhs[i] / a;
    motion->side[i] = x < motion->lower[i] ? -1 : x > motion->upper[i] ? 1 : 0;
    motion->x[i] = motion->side[i] < 0 ? motion->lower[i] : motion->side[i] > 0 ? motion->upper[i] : x;
    motion->slack[i] = motion->side[i] == 0 ? 0 : motion->rhs[i] - a * motion->x[i];
  }
}

thud_error line_solve_box(line_motion *motion, const double *A, bool diagonal) {
  if (diagonal) {
    clip(motion, A);
    return THUD_OK;
  }
  thud_box_task task = {motion->n, A, motion->rhs, motion->lower, motion->upper};
  thud_pivot_info found;
  thud_error error = thud_box_solve(motion->box, &task, motion->x, motion->slack, motion->side, &found);
  if (error != THUD_OK) return error;
  double worst = fmax(found.primal_violation, fmax(found.dual_violation, found.stationarity));
  if (worst > motion->info.residual) {
    motion->info.residual = worst;
    motion->info.residual_time = motion->t;
  }
  if (found.status != THUD_PIVOT_SOLVED) {
    thud_fail(motion->context, THUD_ERROR_NOT_CONVERGED,
              "the friction problem at t = %.10g was not solved after %d pivots", motion->t, (int)found.iterations);
    line_find(motion, THUD_LINE_UNSOLVED);
  }
  return THUD_OK;
}

/* M (u+ - u-) = R, |R_i| <= b_i, -(u+ - w) in the normal cone of the box at R. */
thud_error line_strike(line_motion *motion, const thud_line_percussion *atom, const double *w) {
  thud_index n = motion->n;
  const double *inverse = thud_line_inverse_mass(motion->line);
  double before =
      thud_line_kinetic_energy(motion->line, motion->v) + thud_line_potential_energy(motion->line, motion->q);
  for (thud_index i = 0; i < n; i++) {
    motion->upper[i] = motion->bound[i] = atom->bound[i];
    motion->lower[i] = -atom->bound[i];
    motion->rhs[i] = w[i] - motion->v[i];
    motion->v_left[i] = motion->v[i];
  }
  thud_error error = line_solve_box(motion, inverse, motion->diagonal);
  if (error != THUD_OK) return error;
  line_energies energies = {0};
  line_multiply(n, inverse, motion->x, motion->scratch, NULL);
  for (thud_index i = 0; i < n; i++) {
    motion->v[i] = motion->side[i] == 0 ? w[i] : motion->v[i] + motion->scratch[i];
    motion->reaction[i] = motion->x[i];
    energies.work += motion->x[i] * w[i];
    energies.percussion -= motion->x[i] * ((motion->v[i] + motion->v_left[i]) / 2 - w[i]);
  }
  line_account(motion, before, &energies, motion->q, motion->v, &motion->info.ledger);
  return THUD_OK;
}

/* ---- energies ---------------------------------------------------------------------------------------------------- */

void line_account(line_motion *motion, double before, const line_energies *e, const double *q, const double *v,
                  thud_line_ledger *ledger) {
  ledger->kinetic = thud_line_kinetic_energy(motion->line, v);
  ledger->potential = thud_line_potential_energy(motion->line, q);
  ledger->work += e->work;
  ledger->percussion_loss += e->percussion;
  ledger->friction_loss += e->friction;
  ledger->viscous_loss += e->viscous;
  ledger->scheme_loss += e->scheme;
  double after = ledger->kinetic + ledger->potential;
  double lost = e->percussion + e->friction + e->viscous + e->scheme;
  double size = before + after + fabs(e->work) + e->percussion + e->friction + e->viscous + e->scheme;
  double violation = fabs(after - before - e->work + lost);
  if (size > 0) ledger->identity = fmax(ledger->identity, violation / size);
  ledger->defect = after - motion->initial_energy - ledger->work + ledger->percussion_loss + ledger->friction_loss +
                   ledger->viscous_loss + ledger->scheme_loss;
}

/* ---- the run ----------------------------------------------------------------------------------------------------- */

static thud_error check(thud_context *context, const thud_line *line, const thud_line_options *options,
                        const double *q0, const double *u0, size_t output_count, const double *outputs) {
  if (line == NULL || options == NULL || q0 == NULL || u0 == NULL || (output_count > 0 && outputs == NULL))
    return thud_fail(context, THUD_ERROR_ARGUMENT, "line: a line, options and an initial state are needed");
  thud_error error = thud_options_check(context, thud_line_option_table(), options);
  for (thud_index i = 0; i < thud_line_dimension(line) && error == THUD_OK; i++)
    if (!isfinite(q0[i]) || !isfinite(u0[i]))
      error =
          thud_fail(context, THUD_ERROR_NOT_FINITE, "line: the initial state of particle %d is not finite", (int)i + 1);
  for (size_t k = 0; k < output_count && error == THUD_OK; k++)
    if (!isfinite(outputs[k]) || (k > 0 && !(outputs[k] > outputs[k - 1])))
      error = thud_fail(context, THUD_ERROR_ARGUMENT, "line: the times of output must increase");
  return error;
}

static thud_error allocate(line_motion *motion) {
  thud_context *context = motion->context;
  size_t n = (size_t)motion->n;
  double **const vectors[] = {&motion->q,     &motion->v,     &motion->v_left,  &motion->reaction,
                              &motion->bound, &motion->lower, &motion->upper,   &motion->rhs,
                              &motion->x,     &motion->slack, &motion->scratch, &motion->sizes};
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) {
    *vectors[k] = THUD_NEW_ARRAY(context, double, n);
    if (*vectors[k] == NULL) return THUD_ERROR_MEMORY;
  }
  const thud_expr_program *program = thud_line_program(motion->line);
  motion->involved = THUD_NEW_ARRAY(context, bool, n);
  motion->modes = THUD_NEW_ARRAY(context, int8_t, n);
  motion->side = THUD_NEW_ARRAY(context, int8_t, n);
  motion->variables = THUD_NEW_ARRAY(context, double, thud_expr_program_variable_count(program));
  motion->values = THUD_NEW_ARRAY(context, double, 3 * n);
  if (motion->involved == NULL || motion->modes == NULL || motion->side == NULL || motion->variables == NULL ||
      motion->values == NULL)
    return THUD_ERROR_MEMORY;
  int order = motion->options->method == THUD_LINE_EVENT_DRIVEN ? motion->options->order + 1 : 0;
  thud_error error = thud_expr_work_create(context, program, order, &motion->work);
  return error == THUD_OK ? thud_box_solver_create(context, motion->n, &motion->box) : error;
}

static void release(line_motion *motion) {
  thud_context *context = motion->context;
  double *const vectors[] = {motion->q,       motion->v,     motion->v_left,    motion->reaction, motion->bound,
                             motion->lower,   motion->upper, motion->rhs,       motion->x,        motion->slack,
                             motion->scratch, motion->sizes, motion->variables, motion->values};
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) thud_free(context, vectors[k]);
  thud_free(context, motion->involved);
  thud_free(context, motion->modes);
  thud_free(context, motion->side);
  thud_expr_work_destroy(motion->work);
  thud_box_solver_destroy(motion->box);
}

static void set_start(line_motion *motion, const double *q0, const double *u0) {
  thud_index n = motion->n;
  const double *inverse = thud_line_inverse_mass(motion->line);
  motion->diagonal = true;
  for (thud_index j = 0; j < n; j++)
    for (thud_index i = 0; i < n; i++)
      motion->diagonal = motion->diagonal && (i == j || inverse[thud_at(n, i, j)] == 0);
  memcpy(motion->q, q0, (size_t)n * sizeof *q0);
  memcpy(motion->v, u0, (size_t)n * sizeof *u0);
  memcpy(motion->v_left, u0, (size_t)n * sizeof *u0);
  motion->t = motion->last_node = motion->info.time = thud_line_start(motion->line);
  thud_line_ledger *ledger = &motion->info.ledger;
  ledger->kinetic = thud_line_kinetic_energy(motion->line, u0);
  ledger->potential = thud_line_potential_energy(motion->line, q0);
  motion->initial_energy = ledger->kinetic + ledger->potential;
}

thud_error thud_line_run(thud_context *context, const thud_line *line, const thud_line_options *options,
                         const double *q0, const double *u0, size_t output_count, const double *outputs,
                         thud_line_frame_fn frame, void *user, double *final_q, double *final_v, thud_line_info *info) {
  thud_error error = check(context, line, options, q0, u0, output_count, outputs);
  if (error != THUD_OK) return error;
  line_motion motion = {.context = context,
                        .line = line,
                        .options = options,
                        .n = thud_line_dimension(line),
                        .frame = frame,
                        .user = user,
                        .output_count = output_count,
                        .outputs = outputs};
  error = allocate(&motion);
  if (error == THUD_OK) {
    set_start(&motion, q0, u0);
    error = options->method == THUD_LINE_IMPLICIT ? line_run_implicit(&motion) : line_run_event_driven(&motion);
  }
  if (error == THUD_OK) {
    size_t bytes = (size_t)motion.n * sizeof(double);
    if (final_q != NULL) memcpy(final_q, motion.q, bytes);
    if (final_v != NULL) memcpy(final_v, motion.v, bytes);
    if (info != NULL) *info = motion.info;
  }
  release(&motion);
  return error;
}
