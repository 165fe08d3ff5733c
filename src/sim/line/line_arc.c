/* Arcs: Taylor coefficients of the data and of the motion, and which particles stick.
 *
 * At order k, with f_k = p_k - V u_k - K q_k, the reaction r_k solves a box problem with the matrix M^-1:
 *   (k+1) w_{k+1} - M^-1 (f_k + r_k)  in the normal cone of the bounds at r_k.
 * A sliding particle has r_k = -mode g_k (both bounds), a stuck one no bounds. A particle at rest that is undecided has
 * [-g_0, g_0] at order 0. An acceleration away from the ground decides for sliding, a reaction inside its bounds for
 * sticking. Where it lies on a bound and the acceleration is 0, that bound passes on to the next order, the other one
 * is dropped: the first order at which something moves decides. */
#include "sim/line/line.h"

#include <math.h>
#include <string.h>

/* ---- memory ------------------------------------------------------------------------------------------------------ */

thud_error line_arc_create(line_motion *motion, line_arc *arc) {
  thud_context *context = motion->context;
  size_t n = (size_t)motion->n, rows = (size_t)motion->options->order + 2;
  *arc = (line_arc){.order = motion->options->order,
                    .switch_count = thud_expr_program_switch_count(thud_line_program(motion->line))};
  size_t switches = (size_t)arc->switch_count;
  double **const arrays[] = {&arc->q, &arc->u, &arc->r, &arc->g, &arc->p, &arc->w, &arc->vu};
  bool good = true;
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
    *arrays[k] = THUD_NEW_ARRAY(context, double, rows *n);
    good = good && *arrays[k] != NULL;
  }
  arc->particles = THUD_NEW_ARRAY(context, line_particle, n);
  arc->choices = THUD_NEW_ARRAY(context, line_choice, n);
  arc->force = THUD_NEW_ARRAY(context, double, n);
  arc->switches = THUD_NEW_ARRAY(context, double, rows *switches);
  arc->signs = THUD_NEW_ARRAY(context, int8_t, switches);
  arc->switch_orders = THUD_NEW_ARRAY(context, int, switches);
  arc->switch_at_zero = THUD_NEW_ARRAY(context, bool, switches);
  arc->without_friction = THUD_NEW_ARRAY(context, bool, n);
  arc->roots = THUD_NEW_ARRAY(context, double, 4 * n + switches);
  good = good && arc->particles != NULL && arc->choices != NULL && arc->force != NULL && arc->switches != NULL &&
         arc->signs != NULL && arc->switch_orders != NULL && arc->switch_at_zero != NULL &&
         arc->without_friction != NULL && arc->roots != NULL;
  return good ? THUD_OK : THUD_ERROR_MEMORY;
}

void line_arc_free(line_motion *motion, line_arc *arc) {
  double *const arrays[] = {arc->q, arc->u,  arc->r,        arc->g,     arc->p,
                            arc->w, arc->vu, arc->switches, arc->roots, arc->force};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(motion->context, arrays[k]);
  thud_free(motion->context, arc->particles);
  thud_free(motion->context, arc->choices);
  thud_free(motion->context, arc->signs);
  thud_free(motion->context, arc->switch_orders);
  thud_free(motion->context, arc->switch_at_zero);
  thud_free(motion->context, arc->without_friction);
}

/* ---- data -------------------------------------------------------------------------------------------------------- */

static thud_error read_jets(line_motion *motion, line_arc *arc) {
  thud_index n = motion->n, slot = thud_line_time_slot(motion->line);
  const double *gamma = thud_line_friction(motion->line);
  thud_error error = THUD_OK;
  for (int k = 0; k <= arc->order + 1 && error == THUD_OK; k++) {
    size_t row = (size_t)k * (size_t)n;
    motion->variables[slot] = k == 0 ? motion->t : k == 1 ? 1 : 0;
    error = thud_expr_work_jet(motion->work, k, motion->variables, motion->values);
    if (error == THUD_OK && arc->switch_count > 0)
      error = thud_expr_work_switch_jet(motion->work, k, arc->switches + (size_t)k * (size_t)arc->switch_count);
    for (thud_index i = 0; i < n && error == THUD_OK; i++) {
      arc->g[row + (size_t)i] = gamma[i] * motion->values[i];
      arc->p[row + (size_t)i] = motion->values[n + i];
      arc->w[row + (size_t)i] = motion->values[2 * n + i];
    }
    for (thud_index i = 0; i < 3 * n && error == THUD_OK; i++) {
      static const char *const names[] = {"normal reaction", "force", "velocity of the ground"};
      if (isfinite(motion->values[i])) continue;
      thud_expr_trouble trouble = {.message = ""};
      thud_expr_work_explain_jet(motion->work, i, k, &trouble);
      thud_fail(motion->context, THUD_ERROR_NOT_FINITE,
                "the %s of particle %d has no Taylor series at t = %.10g (coefficient %d): %s", names[i / n],
                (int)(i % n) + 1, motion->t, k, trouble.message);
      line_find(motion, THUD_LINE_BAD_DATA);
      return THUD_OK;
    }
  }
  return error;
}

/* Leading coefficients of column i that are 0 beside the others: at least `zeros` of them; -1 when all are. */
static int leading_zeros(int degree, const double *c, thud_index stride, thud_index i, int zeros, double tolerance) {
  double largest = 0;
  for (int k = 0; k <= degree; k++) largest = fmax(largest, fabs(c[(size_t)k * (size_t)stride + (size_t)i]));
  for (int k = zeros; k <= degree; k++)
    if (fabs(c[(size_t)k * (size_t)stride + (size_t)i]) > tolerance * largest) return k;
  return -1;
}

/* On which side every switch is to the right of the present time. */
static thud_error hold_switches(line_motion *motion, line_arc *arc, bool *changed) {
  thud_error error = THUD_OK;
  *changed = false;
  for (thud_index j = 0; j < arc->switch_count && error == THUD_OK; j++) {
    bool zero = arc->switch_at_zero[j] || arc->switches[j] == 0;
    int first = zero ? leading_zeros(arc->order, arc->switches, arc->switch_count, j, 1, motion->options->decision) : 0;
    double value = first >= 0 ? arc->switches[(size_t)first * (size_t)arc->switch_count + (size_t)j] : 1;
    int8_t sign = value < 0 ? -1 : 1;
    arc->switch_orders[j] = first >= 0 ? first : arc->order + 1;
    *changed = *changed || sign != arc->signs[j];
    arc->signs[j] = sign;
    error = thud_expr_work_hold(motion->work, j, sign);
  }
  return error;
}

/* N must not be negative, rounding apart; leading coefficients that are 0 beside the others are made so. */
static void check_normal(line_motion *motion, line_arc *arc) {
  thud_index n = motion->n;
  for (thud_index i = 0; i < n; i++) {
    int first = leading_zeros(arc->order, arc->g, n, i, 0, motion->options->decision);
    arc->without_friction[i] = first < 0;
    if (first == 0 && arc->g[i] < 0) {
      thud_fail(motion->context, THUD_ERROR_ARGUMENT, "the normal reaction of particle %d is negative at t = %.10g",
                (int)i + 1, motion->t);
      line_find(motion, THUD_LINE_BAD_DATA);
    }
    for (int k = 0; k < (first >= 0 ? first : arc->order + 2); k++) arc->g[(size_t)k * (size_t)n + (size_t)i] = 0;
  }
}

thud_error line_arc_read_data(line_motion *motion, line_arc *arc) {
  bool changed = false;
  thud_error error = read_jets(motion, arc);
  /* Arguments may depend on other switches: as many rounds as there are switches settle them all. */
  for (thud_index round = 0; round <= arc->switch_count && error == THUD_OK; round++) {
    error = hold_switches(motion, arc, &changed);
    if (error != THUD_OK || !changed) break;
    error = read_jets(motion, arc);
  }
  if (error == THUD_OK && motion->info.status == THUD_LINE_COMPLETED) check_normal(motion, arc);
  return error;
}

/* ---- decisions --------------------------------------------------------------------------------------------------- */

/* Which particles rest on the ground now, and which way the others slide. */
static void begin_modes(line_motion *motion, line_arc *arc) {
  double speed = 0;
  for (thud_index i = 0; i < motion->n; i++) speed = fmax(speed, fmax(fabs(motion->v[i]), fabs(arc->w[i])));
  for (thud_index i = 0; i < motion->n; i++) {
    line_particle *particle = &arc->particles[i];
    double relative = motion->v[i] - arc->w[i];
    double rounding = particle->at_rest ? motion->options->decision * speed : 0;
    particle->free = arc->without_friction[i];
    particle->at_rest = fabs(relative) <= rounding;
    if (particle->at_rest && !particle->free) motion->v[i] = arc->w[i];
    particle->mode = particle->at_rest ? 0 : relative > 0 ? 1 : -1;
    particle->slide_order = particle->low_order = particle->high_order = 0;
    bool undecided = particle->at_rest && !particle->free;
    arc->choices[i] = (line_choice){.open = undecided, .low = undecided, .high = undecided};
    arc->q[i] = motion->q[i];
    arc->u[i] = motion->v[i];
  }
}

static bool is_stuck(const line_particle *particle) { return particle->mode == 0 && !particle->free; }

static void set_bounds(line_motion *motion, const line_arc *arc, int k) {
  const line_choice *choices = arc->choices;
  for (thud_index i = 0; i < motion->n; i++) {
    const line_particle *particle = &arc->particles[i];
    double g = arc->g[(size_t)k * (size_t)motion->n + (size_t)i];
    if (is_stuck(particle)) {
      if (choices[i].low && choices[i].high) g = fmax(g, 0); /* next to a zero of N: rounding */
      motion->lower[i] = choices[i].low ? -g : -(double)INFINITY;
      motion->upper[i] = choices[i].high ? g : (double)INFINITY;
    } else {
      motion->lower[i] = motion->upper[i] = particle->free ? 0 : -particle->mode * g;
    }
  }
}

/* One order for particle i; acceleration: (k+1)(u - w)_{k+1}, known up to `blur`; force: size of what r balances. */
static void decide(line_motion *motion, line_arc *arc, line_choice *choice, thud_index i, int k, double acceleration,
                   double blur, double force) {
  line_particle *particle = &arc->particles[i];
  double tolerance = motion->options->decision * force;
  if (fabs(acceleration) > blur) {
    particle->mode = acceleration > 0 ? 1 : -1;
    particle->slide_order = k + 1;
    choice->open = false;
  } else {
    if (choice->low && motion->x[i] > motion->lower[i] + tolerance) {
      choice->low = false;
      particle->low_order = k;
    }
    if (choice->high && motion->x[i] < motion->upper[i] - tolerance) {
      choice->high = false;
      particle->high_order = k;
    }
    choice->open = choice->low || choice->high;
  }
  if (!choice->open && k > motion->info.deciding_order) motion->info.deciding_order = k;
}

/* f_k, its size, the right-hand side and the bounds of order k. */
static void begin_order(line_motion *motion, line_arc *arc, int k) {
  double *f = arc->force;
  thud_index n = motion->n;
  size_t row = (size_t)k * (size_t)n;
  const thud_line *line = motion->line;
  line_multiply(n, thud_line_viscosity(line), arc->u + row, arc->vu + row, motion->sizes);
  for (thud_index i = 0; i < n; i++) motion->rhs[i] = motion->sizes[i];
  line_multiply(n, thud_line_stiffness(line), arc->q + row, motion->scratch, motion->sizes);
  for (thud_index i = 0; i < n; i++) {
    size_t at = row + (size_t)i;
    f[i] = arc->p[at] - arc->vu[at] - motion->scratch[i];
    motion->sizes[i] += motion->rhs[i] + fabs(arc->p[at]) + fabs(arc->g[at]);
  }
  set_bounds(motion, arc, k);
  line_multiply(n, thud_line_inverse_mass(line), f, motion->scratch, NULL);
  for (thud_index i = 0; i < n; i++)
    motion->rhs[i] = (k + 1) * arc->w[row + (size_t)n + (size_t)i] - motion->scratch[i];
}

static void decide_open(line_motion *motion, line_arc *arc, int k) {
  line_choice *choices = arc->choices;
  thud_index n = motion->n;
  const double *inverse = thud_line_inverse_mass(motion->line);
  for (thud_index i = 0; i < n; i++) {
    if (!choices[i].open) continue;
    double blur = (k + 1) * fabs(arc->w[(size_t)(k + 1) * (size_t)n + (size_t)i]);
    for (thud_index j = 0; j < n; j++) blur += fabs(inverse[thud_at(n, i, j)]) * motion->sizes[j];
    decide(motion, arc, &choices[i], i, k, -motion->slack[i], motion->options->decision * blur, motion->sizes[i]);
  }
}

/* u_{k+1}, q_{k+1} and r_k. */
static void end_order(line_motion *motion, line_arc *arc, int k) {
  thud_index n = motion->n;
  size_t row = (size_t)k * (size_t)n, next = row + (size_t)n;
  for (thud_index i = 0; i < n; i++) {
    arc->r[row + (size_t)i] = motion->x[i];
    motion->sizes[i] = arc->force[i] + motion->x[i];
  }
  line_multiply(n, thud_line_inverse_mass(motion->line), motion->sizes, motion->scratch, NULL);
  for (thud_index i = 0; i < n; i++) {
    size_t at = next + (size_t)i;
    arc->u[at] = is_stuck(&arc->particles[i]) ? arc->w[at] : motion->scratch[i] / (k + 1);
    arc->q[at] = arc->u[row + (size_t)i] / (k + 1);
  }
}

/* Coefficients of the powers of force and ground, friction, viscosity. */
static void multiply_powers(const line_motion *motion, line_arc *arc) {
  thud_index n = motion->n;
  int degree = arc->order - 1;
  memset(arc->power, 0, sizeof arc->power);
  for (int a = 0; a <= degree; a++)
    for (int b = 0; b <= degree; b++)
      for (thud_index i = 0; i < n; i++) {
        size_t at = (size_t)a * (size_t)n + (size_t)i, by = (size_t)b * (size_t)n + (size_t)i;
        arc->power[0][a + b] += arc->p[at] * arc->u[by] + arc->r[at] * arc->w[by];
        arc->power[1][a + b] -= arc->r[at] * (arc->u[by] - arc->w[by]);
        arc->power[2][a + b] += arc->vu[at] * arc->u[by];
      }
}

thud_error line_arc_decide(line_motion *motion, line_arc *arc) {
  begin_modes(motion, arc);
  for (int k = 0; k < arc->order; k++) {
    begin_order(motion, arc, k);
    thud_error error = line_solve_box(motion, thud_line_inverse_mass(motion->line), motion->diagonal);
    if (error != THUD_OK) return error;
    decide_open(motion, arc, k);
    end_order(motion, arc, k);
  }
  for (thud_index i = 0; i < motion->n; i++) {
    line_particle *particle = &arc->particles[i];
    if (arc->choices[i].low) particle->low_order = arc->order;
    if (arc->choices[i].high) particle->high_order = arc->order;
    motion->info.undecided += arc->choices[i].open;
    motion->modes[i] = particle->mode;
  }
  multiply_powers(motion, arc);
  return THUD_OK;
}

/* ---- length ------------------------------------------------------------------------------------------------------ */

/* The last two terms beside the largest of the first half; where these are all 0 there is nothing to compare with. */
static bool converges(thud_index n, int degree, const double *c, double h, double precision) {
  double first = 0, last = 0, power = 1;
  for (int k = 0; k <= degree; k++, power *= h) {
    double term = 0;
    for (thud_index i = 0; i < n; i++) term = fmax(term, fabs(c[(size_t)k * (size_t)n + (size_t)i]));
    term *= power;
    if (2 * k <= degree) first = fmax(first, term);
    if (k >= degree - 1) last += term;
  }
  return first == 0 || !(last > precision * first);
}

void line_arc_measure(const line_motion *motion, line_arc *arc, double most) {
  const double shorter = 0.8;
  thud_index n = motion->n;
  double precision = motion->options->precision;
  int degree = arc->order;
  arc->length = most;
  const double *const arrays[] = {arc->q, arc->u, arc->r, arc->g, arc->w};
  const int degrees[] = {degree, degree, degree - 1, degree, degree};
  for (size_t a = 0; a < sizeof arrays / sizeof *arrays; a++)
    while (arc->length > 0 && !converges(n, degrees[a], arrays[a], arc->length, precision)) arc->length *= shorter;
  if (arc->switch_count > 0)
    while (arc->length > 0 && !converges(arc->switch_count, degree, arc->switches, arc->length, precision))
      arc->length *= shorter;
}

double line_arc_value(int degree, const double *coefficients, thud_index stride, thud_index i, double s) {
  double value = 0;
  for (int k = degree; k >= 0; k--) value = value * s + coefficients[(size_t)k * (size_t)stride + (size_t)i];
  return value;
}

double line_arc_integral(int degree, const double *coefficients, thud_index stride, thud_index i, double s) {
  double value = 0;
  for (int k = degree; k >= 0; k--) value = value * s + coefficients[(size_t)k * (size_t)stride + (size_t)i] / (k + 1);
  return value * s;
}
