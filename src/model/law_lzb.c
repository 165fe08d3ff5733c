/* The energetic law of Liu, Zhao and Brogliato for frictionless chains (Proc. R. Soc. A 464, 2008, 3193-3211; 465,
 * 2009, 1-23): the impulses of the contacts grow together at rates given by the energies E_j that they store,
 *
 *   dP_j / dP_i = (K_j/K_i)^(1/(1+eta)) (E_j/E_i)^(eta/(1+eta)),
 *   dE_j = -u_j dP_j while the contact is compressed (u_j < 0),  dE_j = -u_j dP_j / e_j^2 while it expands,
 *
 * so that a contact gives back e_j^2 of the energy it took (energetic restitution). In impulses the rates are singular
 * where a contact begins (E_j = 0). In the variable d_j with E_j = K_j d_j^(1+eta)/(1+eta) and the time s in which
 * dP_j/ds = K_j d_j^eta, they are not, and the law reads
 *
 *   d_j' = -u_j  or  -u_j/e_j^2,   P_j' = K_j max(d_j, 0)^eta,   u = u_free + W P:
 *
 * springs in a time of their own. Only ratios of stiffnesses matter; contact j of the acting ones, in the order of the
 * constraints, has K_j = ratio^j. Ends when nothing is compressed and nothing approaches. Integrated by Dormand and
 * Prince's pair of orders 5 and 4. */
#include "model/percussion.h"

#include <math.h>
#include <string.h>

enum { STAGES = 7, MAX_STEPS = 100000 };
static const double STEP_TOLERANCE = 1e-12; /* local error against the sizes of a single collision */
/* The equations are singular at e = 0; a contact gives back at least the square of this. */
static const double SMALLEST_RESTITUTION = 0.01;

typedef struct lzb_run {
  const thud_percussion *p;
  thud_index count;       /* contacts */
  const thud_index *rows; /* [count] */
  double exponent;
  double *stiffness;                 /* [count] */
  double *depth_unit, *impulse_unit; /* [count] largest of the contact alone at the largest speed */
  double *state;                     /* [2*count] d, P */
  double *trial, *stages;            /* [2*count], [STAGES*2*count] */
} lzb_run;

static double velocity_of(const lzb_run *run, thud_index j, const double *state) {
  const thud_percussion *p = run->p;
  double u = p->u_free[run->rows[j]];
  for (thud_index k = 0; k < run->count; k++)
    u += p->W[run->rows[j] * p->problem.rows + run->rows[k]] * state[run->count + k];
  return u;
}

static void derivative(const lzb_run *run, const double *state, double *out) {
  for (thud_index j = 0; j < run->count; j++) {
    double u = velocity_of(run, j, state), e = fmax(run->p->restitution[run->rows[j]], SMALLEST_RESTITUTION);
    out[j] = u > 0 ? -u / (e * e) : -u;
    out[run->count + j] = state[j] > 0 ? run->stiffness[j] * pow(state[j], run->exponent) : 0;
  }
}

/* One step of length h from run->state to run->trial; error estimate relative to the units. */
static double attempt(lzb_run *run, double h) {
  static const double a[STAGES][STAGES - 1] = {
      {0},
      {1.0 / 5},
      {3.0 / 40, 9.0 / 40},
      {44.0 / 45, -56.0 / 15, 32.0 / 9},
      {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
      {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
      {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
  static const double difference[STAGES] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                            -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
  thud_index size = 2 * run->count;
  for (int s = 0; s < STAGES; s++) {
    for (thud_index i = 0; i < size; i++) {
      double sum = 0;
      for (int k = 0; k < s; k++) sum += a[s][k] * run->stages[k * size + i];
      run->trial[i] = run->state[i] + h * sum;
    }
    derivative(run, run->trial, run->stages + (ptrdiff_t)s * size);
  }
  double worst = 0;
  for (thud_index i = 0; i < size; i++) {
    double error = 0;
    for (int s = 0; s < STAGES; s++) error += difference[s] * run->stages[s * size + i];
    double unit = i < run->count ? run->depth_unit[i] : run->impulse_unit[i - run->count];
    worst = fmax(worst, fabs(h * error) / unit);
  }
  return worst;
}

/* Takes the trial; a contact that has opened begins anew at 0. True when all is over: nothing
 * approaches faster than slowest, and no contact stores the energy for more than that. */
static bool accept(lzb_run *run, double speed, double slowest) {
  double shallow = pow(slowest / speed, 2 / (1 + run->exponent)); /* E ~ d^(1+eta) ~ u^2 */
  bool is_over = true;
  memcpy(run->state, run->trial, (size_t)(2 * run->count) * sizeof *run->state);
  for (thud_index j = 0; j < run->count; j++) {
    double u = velocity_of(run, j, run->state);
    run->state[j] = fmax(run->state[j], 0);
    if (run->state[j] > shallow * run->depth_unit[j] || u < -slowest) is_over = false;
  }
  return is_over;
}

/* A contact alone that approaches with speed u: E = u^2/(2W), d = ((1+eta) E/K)^(1/(1+eta)), P = u/W. The shortest time
 * d/u is the first step. */
static double set_units(lzb_run *run, double speed) {
  double shortest = INFINITY, stiffness = 1;
  for (thud_index j = 0; j < run->count; j++) {
    double W = run->p->W[run->rows[j] * run->p->problem.rows + run->rows[j]], energy = speed * speed / (2 * W);
    run->stiffness[j] = stiffness;
    run->depth_unit[j] = pow((1 + run->exponent) * energy / stiffness, 1 / (1 + run->exponent));
    run->impulse_unit[j] = speed / W;
    shortest = fmin(shortest, run->depth_unit[j] / speed);
    stiffness *= run->p->options.lzb_stiffness_ratio;
  }
  return shortest;
}

static bool integrate(lzb_run *run, double speed, double slowest) {
  double h = 1e-3 * set_units(run, speed);
  for (int k = 0; k < MAX_STEPS; k++) {
    double error = attempt(run, h) / STEP_TOLERANCE;
    double factor = error > 0 ? 0.9 * pow(error, -0.2) : 5;
    if (error <= 1 && accept(run, speed, slowest)) return true;
    h *= fmin(5, fmax(0.2, factor));
    if (!isfinite(h) || !(h > 0)) return false;
  }
  return false;
}

static thud_error lzb(thud_percussion *p, const thud_velocity_data *data, thud_percussion_info *info) {
  (void)data;
  size_t bytes = (size_t)p->problem.rows * sizeof(double);
  memset(p->r, 0, bytes);
  memcpy(p->u, p->u_free, bytes);
  memcpy(p->load, p->u_free, bytes);
  lzb_run run = {.p = p, .rows = p->chosen, .exponent = p->options.lzb_exponent};
  double speed = 0, slowest = p->options.tolerance * thud_percussion_scale(p);
  for (thud_index b = 0; b < p->problem.block_count; b++) {
    if (!p->blocks[b].has_normal) continue;
    if (p->blocks[b].directions > 0)
      return thud_fail(p->context, THUD_ERROR_UNSUPPORTED,
                       "[unsupported-method] impact law 'lzb' is for frictionless contacts, and contact %d has "
                       "friction: use 'newton' or "
                       "'sequential'",
                       (int)p->blocks[b].constraint);
    p->chosen[run.count++] = p->blocks[b].first;
    speed = fmax(speed, -p->u_free[p->blocks[b].first]);
  }
  if (speed > slowest) {
    double *memory = p->past;
    run.stiffness = memory, run.depth_unit = memory + run.count, run.impulse_unit = memory + (ptrdiff_t)2 * run.count;
    run.state = memory + (ptrdiff_t)3 * run.count, run.trial = run.state + (ptrdiff_t)2 * run.count;
    run.stages = run.trial + (ptrdiff_t)2 * run.count;
    memset(run.state, 0, (size_t)(2 * run.count) * sizeof *run.state);
    if (!integrate(&run, speed, slowest)) info->status = THUD_SOLVER_LIMIT;
    for (thud_index j = 0; j < run.count; j++) p->r[run.rows[j]] = run.state[run.count + j];
    for (thud_index i = 0; i < p->problem.rows; i++)
      for (thud_index j = 0; j < p->problem.rows; j++) p->u[i] += p->W[i * p->problem.rows + j] * p->r[j];
  }
  thud_solver_status before = info->status;
  thud_error error = thud_law_finish_inelastic(p, info);
  if (before != THUD_SOLVED) info->status = before;
  return error;
}

static thud_error check_frictionless(thud_percussion *p) {
  for (thud_index k = 0; k < p->law_count; k++)
    if (p->laws[k].constraint >= 0 && !p->laws[k].of_bilateral) {
      const char *name = thud_system_constraint(p->system, p->laws[k].constraint)->name;
      return thud_fail(p->context, THUD_ERROR_UNSUPPORTED,
                       "[unsupported-method] impact law 'lzb' is for frictionless constraints, and '%s' has friction: "
                       "use 'newton' or "
                       "'sequential'",
                       name != NULL ? name : "");
    }
  return THUD_OK;
}

const thud_law_map thud_law_lzb = {
    .name = "lzb", .sees_free_velocity = true, .check = check_frictionless, .apply = lzb};
