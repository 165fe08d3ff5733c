/* Systems given by functions in C at one state, and the first orders of an arc by differences along the motion.
 *
 * The convective part gamma of u' = A a + gamma is the derivative of A(q,t) v + b(q,t) along (t + e, q + e v) with v
 * fixed: a central difference of order 6. Order k of the outputs is their derivative along the motion as far as it is
 * known, by differences to the right alone: friction coefficients may have a kink where slip begins. The spacing is
 * found by comparison with differences of an order that is lower by two: as large as both agree, because of rounding.
 * Systems of expressions have a program for all of these derivatives (model/jets.h), which is exact to rounding: differences
 * leave 1e-12 of the terms open, and mu times that of margins of sticking. */
#include "motions/event/arc_functions.h"

#include "model/factors.h"
#include "model/gradients.h"
#include "motions/stepping/stepping.h"

#include <float.h>

enum { SIDE = 3, PLACES = 2 * SIDE };

/* The differences of higher order are then wrong by about 1e-12, of second derivatives by 1e-10. */
#define AGREEMENT 1e-8
#define AGREEMENT_OF_SECOND 1e-6
/* Differences this small, in units of eps |f|/e^k, are rounding. */
#define ROUNDING 64.0
#define SPACING_FACTOR 4.0
/* Differences that cannot be made to agree are wrong by at most so many times what they are apart. */
#define DOUBT 4.0
/* Spacings beside the longest step: at first, at least and at most. */
#define FIRST_SPACING 1e-2
#define SMALLEST_SPACING 1e-9
#define LARGEST_SPACING 10.0
/* Local errors cannot be kept below this by a method that sees its own rounding errors. */
#define SMALLEST_TOLERANCE 1e-13
/* Nor below this by CVODE's methods of order 1 to 5. */
#define SMALLEST_OF_CVODE 1e-12

/* ---- one state --------------------------------------------------------------------------------------------------- */

bool thud_arc_functions_may_retry(const sim_arc *arc, thud_error error) {
  switch (error) {
  case THUD_ERROR_CALLBACK: return arc->functions->values->callback_status > 0;
  case THUD_ERROR_NOT_FINITE:
  case THUD_ERROR_NOT_SPD:
  case THUD_ERROR_UNQUALIFIED: return true;
  default: return false;
  }
}

static thud_error evaluate_parts(sim_arc *arc, double t, const double *q, const double *v, unsigned parts) {
  struct arc_functions *functions = arc->functions;
  thud_error error = thud_system_evaluate(arc->system, t, q, v, parts, functions->values);
  if (error == THUD_OK && arc->s > 0 && (parts & THUD_AT_FRICTION) != 0) {
    memcpy(functions->slip, functions->values->slip, arc->s * arc->n * sizeof(double));
    memcpy(functions->slip_rate, functions->values->slip_rate, arc->s * sizeof(double));
    thud_model_rows_into_frames(arc->system, arc->n, functions->slip);
    thud_model_rows_into_frames(arc->system, 1, functions->slip_rate);
  }
  /* A number out of its range is bad data like NaN. */
  return error == THUD_ERROR_ARGUMENT ? THUD_ERROR_NOT_FINITE : error;
}

/* A v + b of all rows from the values; sizes may be NULL. */
static void velocities(const sim_arc *arc, const double *v, double *velocity, double *sizes) {
  const thud_system_values *values = arc->functions->values;
  for (size_t row = 0; row < arc->rows; row++) {
    bool slip = row >= arc->m;
    size_t i = slip ? row - arc->m : row;
    const double *gradient = (slip ? arc->functions->slip : values->gradient) + i * arc->n;
    double rate = (slip ? arc->functions->slip_rate : values->rate)[i], sum = rate, size = fabs(rate);
    for (size_t c = 0; c < arc->n; c++) {
      sum += gradient[c] * v[c];
      size += fabs(gradient[c] * v[c]);
    }
    velocity[row] = sum;
    if (sizes != NULL) sizes[row] = size;
  }
}

/* Weights of the values at 0, e, 2e ... of the first and half the second derivative, of orders 6, 5 and 4, 3. */
static const double forward_fine[2][1 + PLACES] = {
    {-147.0 / 60, 6, -15.0 / 2, 20.0 / 3, -15.0 / 4, 6.0 / 5, -1.0 / 6},
    {203.0 / 90, -87.0 / 10, 117.0 / 8, -127.0 / 9, 33.0 / 4, -27.0 / 10, 137.0 / 360}};
static const double forward_coarse[2][1 + PLACES] = {{-25.0 / 12, 4, -3, 4.0 / 3, -1.0 / 4},
                                                     {35.0 / 24, -13.0 / 3, 19.0 / 4, -7.0 / 3, 11.0 / 24}};
/* Of the values at -3e .. 3e without 0: the first derivative, of orders 6 and 4. */
static const double central_fine[PLACES] = {-1.0 / 60, 9.0 / 60, -45.0 / 60, 45.0 / 60, -9.0 / 60, 1.0 / 60};
static const double central_coarse[PLACES] = {0, 1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12, 0};
/* Of their differences to the value at 0: the second derivative, of orders 6 and 4. */
static const double bend_fine[PLACES] = {2.0 / 180, -27.0 / 180, 270.0 / 180, 270.0 / 180, -27.0 / 180, 2.0 / 180};
static const double bend_coarse[PLACES] = {0, -1.0 / 12, 16.0 / 12, 16.0 / 12, -1.0 / 12, 0};

/* Sum of weights[place] values[place*count + i]/power for each of `count` functions. */
static void combine(size_t count, size_t places, const double *weights, const double *values, double power,
                    double *result) {
  for (size_t i = 0; i < count; i++) {
    double sum = 0;
    for (size_t p = 0; p < places; p++) sum += weights[p] * values[p * count + i];
    result[i] = sum / power;
  }
}

/* Place number p of the differences: -3, -2, -1, 1, 2, 3. */
static double offset(int p) { return p < SIDE ? p - SIDE : p - SIDE + 1; }

/* Velocities at the places around a state, v being fixed. */
static thud_error velocities_around(sim_arc *arc, double t, const double *q, const double *v, double e) {
  struct arc_functions *functions = arc->functions;
  const unsigned parts = THUD_AT_GRADIENT | (arc->s > 0 ? THUD_AT_FRICTION : 0u);
  thud_error error = THUD_OK;
  for (int p = 0; p < PLACES && error == THUD_OK; p++) {
    for (size_t i = 0; i < arc->n; i++) functions->displaced[i] = q[i] + offset(p) * e * v[i];
    error = evaluate_parts(arc, t + offset(p) * e, functions->displaced, v, parts);
    if (error == THUD_OK) velocities(arc, v, functions->near + (size_t)p * arc->rows, NULL);
  }
  return error;
}

/* How far the differences of both orders are apart in units of what is accepted, the worst of them; power: e^k. */
static double disagreement(size_t count, double agreement, double power, const double *fine, const double *coarse,
                           const double *sizes) {
  double worst = 0;
  for (size_t i = 0; i < count; i++) {
    double noise = ROUNDING * DBL_EPSILON * fabs(sizes[i]) / power, apart = fabs(fine[i] - coarse[i]);
    if (apart > 0) worst = fmax(worst, apart / fmax(agreement * fabs(fine[i]), noise));
  }
  return worst;
}

/* ---- derivatives of expressions ---------------------------------------------------------------------------------- */

static void set_variables(const arc_expressions *exact, size_t n, double t, const double *q, const double *v) {
  exact->variables[exact->jets.slot_t] = t;
  for (size_t i = 0; i < n; i++) {
    exact->variables[exact->jets.slot_q[i]] = q[i];
    exact->variables[exact->jets.slot_v[i]] = v[i];
  }
}

static bool all_finite(size_t count, const double *x) {
  for (size_t i = 0; i < count; i++)
    if (!isfinite(x[i])) return false;
  return true;
}

/* gamma and dV/dt by the program; false: it has none here (a form such as 0/0 whose limit only differences see). */
static bool take_exact(const sim_arc *arc, double t, const double *q, const double *v, double *outputs) {
  const arc_expressions *exact = arc->functions->exact;
  const model_jet_layout *at = &arc->jets.layout;
  if (exact == NULL) return false;
  set_variables(exact, arc->n, t, q, v);
  thud_expr_work_evaluate(exact->work, exact->variables, exact->outputs);
  if (!all_finite(arc->m, exact->outputs + at->convective) ||
      !all_finite(arc->s, exact->outputs + at->slip_convective) || !isfinite(exact->outputs[at->potential_rate]))
    return false;
  if (arc->m > 0) memcpy(outputs + at->convective, exact->outputs + at->convective, arc->m * sizeof(double));
  if (arc->s > 0) memcpy(outputs + at->slip_convective, exact->outputs + at->slip_convective, arc->s * sizeof(double));
  outputs[at->potential_rate] = exact->outputs[at->potential_rate];
  return true;
}

/* Order k of all outputs along the motion, whose q and v are known to order k; false: it is not finite. */
static bool expand_exactly(sim_arc *arc, int k) {
  const arc_expressions *exact = arc->functions->exact;
  size_t count = arc->jets.layout.count;
  if (exact == NULL) return false;
  for (int j = 0; j <= k; j++) {
    set_variables(exact, arc->n, j == 0 ? arc->t0 : j == 1, arc->q + (size_t)j * arc->n, arc->v + (size_t)j * arc->n);
    if (thud_expr_work_jet(exact->work, j, exact->variables, exact->outputs) != THUD_OK) return false;
  }
  if (!all_finite(count, exact->outputs)) return false;
  memcpy(arc->jet + (size_t)k * count, exact->outputs, count * sizeof(double));
  return true;
}

/* ---- differences ------------------------------------------------------------------------------------------------- */

/* gamma with the present spacing; *apart: its disagreement. A function that is even in e has a derivative that is 0
 * with any spacing, so that second derivatives are compared as well. */
static thud_error add_convective(sim_arc *arc, double t, const double *q, const double *v, double *outputs,
                                 double *apart) {
  struct arc_functions *functions = arc->functions;
  const model_jet_layout *at = &arc->jets.layout;
  double e = functions->control->spacing, *near = functions->near, *fine = functions->fine, *coarse = functions->coarse;
  size_t rows = arc->rows;
  thud_error error = velocities_around(arc, t, q, v, e);
  if (error != THUD_OK) return error;
  combine(rows, PLACES, central_fine, near, e, fine);
  combine(rows, PLACES, central_coarse, near, e, coarse);
  memcpy(outputs + at->convective, fine, arc->m * sizeof(double));
  if (arc->s > 0) memcpy(outputs + at->slip_convective, fine + arc->m, arc->s * sizeof(double));
  *apart = disagreement(rows, AGREEMENT, e, fine, coarse, functions->speed);
  for (size_t p = 0; p < PLACES; p++)
    for (size_t row = 0; row < rows; row++)
      near[p * rows + row] -= outputs[row < arc->m ? at->velocity + row : at->slip_velocity + (row - arc->m)];
  combine(rows, PLACES, bend_fine, near, e * e, fine);
  combine(rows, PLACES, bend_coarse, near, e * e, coarse);
  *apart = fmax(*apart, disagreement(rows, AGREEMENT_OF_SECOND, e * e, fine, coarse, functions->speed));
  return THUD_OK;
}

/* dV/dt at fixed q. */
static thud_error add_potential_rate(sim_arc *arc, double t, const double *q, const double *v, double *outputs) {
  struct arc_functions *functions = arc->functions;
  double values[PLACES], e = functions->control->spacing;
  thud_error error = THUD_OK;
  for (int p = 0; p < PLACES && error == THUD_OK; p++) {
    error = evaluate_parts(arc, t + offset(p) * e, q, v, THUD_AT_POTENTIAL);
    values[p] = functions->values->potential;
  }
  if (error == THUD_OK) combine(1, PLACES, central_fine, values, e, outputs + arc->jets.layout.potential_rate);
  return error;
}

static bool rows_vary(const sim_arc *arc) {
  const unsigned arrays =
      MODEL_BIT(MODEL_GRADIENT) | MODEL_BIT(MODEL_RATE) | MODEL_BIT(MODEL_SLIP) | MODEL_BIT(MODEL_SLIP_RATE);
  return arc->rows > 0 && (arc->system->variable & arrays) != 0;
}

static thud_error evaluate(sim_arc *arc, double t, const double *q, const double *v, double *outputs, double *apart) {
  struct arc_functions *functions = arc->functions;
  const thud_system_values *values = functions->values;
  const model_jet_layout *at = &arc->jets.layout;
  size_t n = arc->n, m = arc->m, s = arc->s;
  const unsigned parts = THUD_AT_MASS | THUD_AT_FORCE | THUD_AT_CONSTRAINT | THUD_AT_GRADIENT | THUD_AT_FRICTION;
  *apart = 0;
  thud_error error = evaluate_parts(arc, t, q, v, parts);
  if (error != THUD_OK) return error;
  memcpy(outputs + at->mass, values->mass, n * n * sizeof(double));
  memcpy(outputs + at->force, values->force, n * sizeof(double));
  memcpy(outputs + at->applied, values->applied, n * sizeof(double));
  outputs[at->potential_rate] = 0;
  if (m > 0) memcpy(outputs + at->gap, values->gap, m * sizeof(double));
  if (m > 0) memcpy(outputs + at->gradient, values->gradient, m * n * sizeof(double));
  if (s > 0) memcpy(outputs + at->slip, functions->slip, s * n * sizeof(double));
  if (s > 0) memcpy(outputs + at->friction, values->friction, arc->system->laws * sizeof(double));
  velocities(arc, v, functions->near, functions->speed);
  for (size_t row = 0; row < arc->rows; row++) {
    outputs[row < m ? at->velocity + row : at->slip_velocity + (row - m)] = functions->near[row];
    outputs[thud_arc_convective(arc, row)] = 0;
  }
  bool convective = functions->convective && rows_vary(arc);
  bool working = functions->working && (arc->system->variable & MODEL_BIT(MODEL_POTENTIAL)) != 0;
  functions->differs = false;
  if ((convective || working) && take_exact(arc, t, q, v, outputs)) return THUD_OK;
  functions->differs = convective;
  if (convective) error = add_convective(arc, t, q, v, outputs, apart);
  if (error == THUD_OK && working) error = add_potential_rate(arc, t, q, v, outputs);
  return error;
}

/* What the equations of motion consist of. */
static thud_error evaluate_plainly(sim_arc *arc, double t, const double *q, const double *v, double *outputs) {
  struct arc_functions *functions = arc->functions;
  bool convective = functions->convective, working = functions->working;
  double apart;
  functions->convective = functions->working = false;
  thud_error error = evaluate(arc, t, q, v, outputs, &apart);
  functions->convective = convective;
  functions->working = working;
  return error;
}

/* ---- orders ------------------------------------------------------------------------------------------------------ */

bool thud_arc_functions_closer(struct arc_functions *functions) {
  arc_control *control = functions->control;
  if (functions->exact != NULL || control->spacing / SPACING_FACTOR < SMALLEST_SPACING * functions->longest)
    return false;
  control->spacing /= SPACING_FACTOR;
  return true;
}

/* Differences with the present spacing; *apart: their disagreement. */
typedef thud_error (*difference_fn)(sim_arc *arc, int k, double *apart);

/* Makes differences with spacings that fall until both orders agree, or until rounding takes over: then with the one
 * before. With `grows` the spacing first rises as long as they agree. */
static thud_error find_spacing(sim_arc *arc, int k, difference_fn make, bool grows, double *apart) {
  struct arc_functions *functions = arc->functions;
  arc_control *control = functions->control;
  double before;
  *apart = INFINITY;
  thud_error error = make(arc, k, apart);
  while (grows && error == THUD_OK && *apart <= 1 && control->spacing < LARGEST_SPACING * functions->longest) {
    control->spacing *= SPACING_FACTOR;
    error = make(arc, k, apart);
  }
  while (error == THUD_OK ? *apart > 1 : thud_arc_functions_may_retry(arc, error)) {
    before = error == THUD_OK ? *apart : INFINITY;
    if (!thud_arc_functions_closer(functions)) return error;
    error = make(arc, k, apart);
    if (error != THUD_OK || *apart < before) continue;
    control->spacing *= SPACING_FACTOR;
    return make(arc, k, apart);
  }
  return error;
}

static thud_error make_start(sim_arc *arc, int k, double *apart) {
  (void)k;
  return evaluate(arc, arc->t0, arc->q, arc->v, arc->jet, apart);
}

/* The outputs at the start of the arc, with the spacing for the rest of it. */
static thud_error expand_start(sim_arc *arc) {
  struct arc_functions *functions = arc->functions;
  double apart;
  bool leads = functions->stage != NULL, varies = rows_vary(arc);
  if (leads) functions->control->length = 0;
  thud_error error = leads && varies ? find_spacing(arc, 0, make_start, true, &apart) : make_start(arc, 0, &apart);
  for (size_t row = 0; row < arc->rows; row++)
    arc->noise[row] =
        functions->differs ? ROUNDING * DBL_EPSILON * functions->speed[row] / functions->control->spacing : 0;
  return error;
}

/* The motion as far as order k knows it, at s: q to its coefficient k + 1, v to k. */
static void known_state(const sim_arc *arc, int k, double s, double *q, double *v) {
  size_t n = arc->n;
  for (size_t i = 0; i < n; i++) {
    q[i] = v[i] = 0;
    for (int j = k + 1; j >= 0; j--) q[i] = q[i] * s + arc->q[(size_t)j * n + i];
    for (int j = k; j >= 0; j--) v[i] = v[i] * s + arc->v[(size_t)j * n + i];
  }
}

/* Outputs at 0, e, 2e ... along the motion. */
static thud_error outputs_ahead(sim_arc *arc, int k, double e) {
  struct arc_functions *functions = arc->functions;
  size_t count = arc->jets.layout.count;
  double *q = functions->displaced + arc->n, *v = q + arc->n, apart;
  thud_error error = THUD_OK;
  memcpy(functions->around, arc->jet, count * sizeof(double));
  for (int p = 1; p <= PLACES && error == THUD_OK; p++) {
    known_state(arc, k, p * e, q, v);
    error = evaluate(arc, arc->t0 + p * e, q, v, functions->around + (size_t)p * count, &apart);
  }
  return error;
}

static double largest_of(size_t count, const double *x) {
  double largest = 0;
  for (size_t i = 0; i < count; i++) largest = fmax(largest, fabs(x[i]));
  return largest;
}

/* Sizes beside which differences are rounding: of a matrix its largest entry, of gamma those of u over the spacing that
 * gave it. Nothing depends on the orders of gaps and powers. */
static void set_sizes(const sim_arc *arc, double *sizes) {
  const struct arc_functions *functions = arc->functions;
  const model_jet_layout *at = &arc->jets.layout;
  size_t n = arc->n, count = at->count;
  double mass = largest_of(n * n, arc->jet + at->mass), force = largest_of(2 * n, arc->jet + at->force);
  for (size_t i = 0; i < count; i++) sizes[i] = INFINITY;
  for (size_t i = 0; i < n * n; i++) sizes[at->mass + i] = mass;
  for (size_t i = 0; i < n; i++) sizes[at->force + i] = force;
  for (size_t row = 0; row < arc->rows; row++) {
    const double *gradient = arc->jet + thud_arc_row(arc, row);
    for (size_t i = 0; i < n; i++) sizes[thud_arc_row(arc, row) + i] = largest_of(n, gradient);
    sizes[thud_arc_convective(arc, row)] = functions->speed[row] / functions->control->spacing;
    if (row >= arc->m) sizes[at->slip_velocity + (row - arc->m)] = functions->speed[row];
  }
  for (size_t k = 0; k < arc->system->laws; k++) sizes[at->friction + k] = arc->jet[at->friction + k];
}

static thud_error make_order(sim_arc *arc, int k, double *apart) {
  struct arc_functions *functions = arc->functions;
  size_t count = arc->jets.layout.count;
  double e = functions->control->spacing, power = k == 1 ? e : e * e, *out = arc->jet + (size_t)k * count;
  thud_error error = outputs_ahead(arc, k, e);
  if (error != THUD_OK) return error;
  combine(count, 1 + PLACES, forward_fine[k - 1], functions->around, power, out);
  combine(count, 1 + PLACES, forward_coarse[k - 1], functions->around, power, functions->coarse);
  set_sizes(arc, functions->samples);
  *apart =
      disagreement(count, k == 1 ? AGREEMENT : AGREEMENT_OF_SECOND, power, out, functions->coarse, functions->samples);
  return THUD_OK;
}

/* What the disagreement of the differences may make of u' of each row: where no spacing makes them agree there is no
 * such derivative. */
static void add_disagreement(sim_arc *arc, int k) {
  const struct arc_functions *functions = arc->functions;
  const model_jet_layout *at = &arc->jets.layout;
  const double *fine = thud_arc_jet(arc, k), *coarse = functions->coarse;
  double *force = functions->displaced;
  for (size_t i = 0; i < arc->n; i++) force[i] = fine[at->force + i] - coarse[at->force + i];
  thud_model_to_orthonormal(arc->n, arc->factor, force, force);
  double length = sqrt(motion_dot((thud_index)arc->n, force, force));
  for (size_t row = 0; row < arc->rows; row++) {
    size_t gamma = thud_arc_convective(arc, row);
    arc->noise[(size_t)k * arc->rows + row] += DOUBT * (arc->own[row] * length + fabs(fine[gamma] - coarse[gamma]));
  }
}

static thud_error expand(sim_arc *arc, int k) {
  struct arc_functions *functions = arc->functions;
  double apart;
  if (k == 0) return expand_start(arc);
  if (k == 1) memcpy(functions->base_size, arc->size, arc->rows * sizeof(double));
  if (expand_exactly(arc, k)) {
    /* what does not change the terms of order 0 beyond their rounding within any step */
    for (size_t row = 0; row < arc->rows; row++)
      arc->noise[(size_t)k * arc->rows + row] =
          ROUNDING * DBL_EPSILON * functions->base_size[row] / pow(functions->longest, k);
    return THUD_OK;
  }
  thud_error error = find_spacing(arc, k, make_order, false, &apart);
  double e = functions->control->spacing;
  for (size_t row = 0; row < arc->rows; row++)
    arc->noise[(size_t)k * arc->rows + row] =
        ROUNDING * DBL_EPSILON * (functions->base_size[row] + functions->speed[row] / e) / pow(e, k);
  if (error == THUD_OK && apart > 1) add_disagreement(arc, k);
  return error;
}

/* ---- errors, step, life ------------------------------------------------------------------------------------------ */

static double step_of(const sim_arc *arc, double longest) {
  const arc_control *control = arc->functions->control;
  return fmin(longest, control->length > 0 ? control->length : control->pace);
}

static double error_of(const sim_arc *arc, size_t series, int known, int skip, double h) {
  const struct arc_functions *functions = arc->functions;
  size_t width = arc->jets.layout.count + arc->rows;
  double largest = 0, length = functions->control->length;
  int divided = skip < known ? skip : known;
  for (size_t c = 0; c < ARC_CHECKS; c++)
    largest = fmax(largest, functions->error[c * width + series] * functions->interpolation.gain[known][divided][c]);
  largest *= pow(h / length, known - divided) / pow(length, skip);
  size_t gap = series - arc->jets.layout.gap; /* wraps around below it */
  return skip == 0 && gap < arc->m ? largest + functions->blur[gap] : largest;
}

static double rounding_of(const sim_arc *arc, size_t c) { return arc->functions->rounding[c]; }

static void destroy_exact(thud_context *context, arc_expressions *exact) {
  if (exact == NULL) return;
  thud_expr_work_destroy(exact->work);
  thud_free(context, exact->variables);
  thud_free(context, exact->outputs);
  thud_free(context, exact);
}

static void destroy(sim_arc *arc) {
  struct arc_functions *functions = arc->functions;
  if (functions == NULL) return;
  if (functions->stage != NULL) destroy_exact(arc->context, functions->exact);
  thud_arc_destroy(functions->stage);
  thud_arc_cvode_destroy(arc->context, functions->cvode);
  thud_arc_collocation_destroy(arc->context, functions->collocation);
  thud_system_values_destroy(arc->context, functions->values);
  thud_free(arc->context, functions->numbers);
  thud_free(arc->context, functions->pivots);
  thud_free(arc->context, functions);
}

/* The program of the expressions; NULL: the system has none. */
static thud_error create_exact(thud_context *context, const thud_system *system, arc_expressions **exact) {
  model_jets jets;
  *exact = NULL;
  if (!thud_model_has_expressions(system)) return THUD_OK;
  thud_error error = thud_model_get_jets(system, context, &jets);
  if (error == THUD_ERROR_UNSUPPORTED) return THUD_OK;
  arc_expressions *made = error == THUD_OK ? THUD_NEW(context, arc_expressions) : NULL;
  if (made == NULL) return error == THUD_OK ? THUD_ERROR_MEMORY : error;
  *made = (arc_expressions){.jets = jets,
                            .variables = THUD_NEW_ARRAY(context, double, 1 + 2 * system->n),
                            .outputs = THUD_NEW_ARRAY(context, double, jets.layout.count)};
  error = made->variables != NULL && made->outputs != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  if (error == THUD_OK) error = thud_expr_work_create(context, jets.program, ARC_FUNCTIONS_DECIDE, &made->work);
  if (error == THUD_OK)
    *exact = made;
  else
    destroy_exact(context, made);
  return error;
}

static thud_error allocate_functions(sim_arc *arc, struct arc_functions *functions, bool leads) {
  size_t n = arc->n, rows = arc->rows, count = arc->jets.layout.count, total = 0, y = leads ? 2 * n : 0;
  dop853 *method = &functions->method;
  const struct {
    double **array;
    size_t size;
  } parts[] = {{&functions->speed, rows},
               {&functions->base_size, rows},
               {&functions->slip, arc->s * n},
               {&functions->slip_rate, arc->s},
               {&functions->around, leads ? (1 + PLACES) * count : 0},
               {&functions->near, PLACES * rows},
               {&functions->fine, rows},
               {&functions->coarse, count},
               {&functions->displaced, 3 * n},
               {&functions->samples, leads ? ARC_SAMPLES * (count + rows + n) : 0},
               {&functions->states, ARC_SAMPLES * y},
               {&functions->estimate, 2 * y},
               {&functions->second, leads ? n : 0},
               {&functions->row_factor, leads ? rows * rows : 0},
               {&functions->row_values, leads ? rows : 0},
               {&functions->pull, leads ? rows : 0},
               {&functions->given, leads ? rows : 0},
               {&functions->basis, leads ? 2 * (rows + 1) * rows : 0},
               {&method->start, y},
               {&method->end, y},
               {&method->slope, DOP853_ALL * y},
               {&method->dense, DOP853_DENSE * y},
               {&method->trial, y}};
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) total += parts[k].size;
  double *next = functions->numbers = THUD_NEW_ARRAY(arc->context, double, total);
  functions->pivots = THUD_NEW_ARRAY(arc->context, thud_index, 2 * rows);
  if (next == NULL || functions->pivots == NULL) return THUD_ERROR_MEMORY;
  functions->order = functions->pivots + rows;
  for (size_t k = 0; k < sizeof parts / sizeof *parts; next += parts[k].size, k++) *parts[k].array = next;
  method->count = y;
  return THUD_OK;
}

static const arc_backend backend = {.expand = expand,
                                    .evaluate = evaluate_plainly,
                                    .step = step_of,
                                    .follow = thud_arc_functions_follow,
                                    .error = error_of,
                                    .rounding = rounding_of,
                                    .destroy = destroy};

/* An arc, or with leads = false the right-hand side of one. */
static thud_error create(thud_context *context, const thud_system *system, bool leads, sim_arc **arc) {
  const size_t control = sizeof(arc_control) / sizeof(double);
  sim_arc *made, seed = {.context = context, .system = system, .backend = &backend};
  thud_model_lay_out_jets(system, &seed.jets.layout);
  seed.order = leads ? ARC_FUNCTIONS_ORDER : 0;
  seed.decide = leads ? ARC_FUNCTIONS_DECIDE : 0;
  seed.extra_count =
      control + (leads ? ARC_CHECKS * (seed.jets.layout.count + system->m + system->s) + system->m + system->n : 0);
  thud_error error = thud_arc_make(&seed, &made);
  if (error != THUD_OK) return error;
  struct arc_functions *functions = made->functions = THUD_NEW(context, struct arc_functions);
  if (functions == NULL) error = THUD_ERROR_MEMORY;
  if (error == THUD_OK) error = allocate_functions(made, functions, leads);
  if (error == THUD_OK) error = thud_system_values_create(context, system, &functions->values);
  if (error == THUD_OK && leads) error = create(context, system, false, &functions->stage);
  if (error == THUD_OK && leads) error = create_exact(context, system, &functions->exact);
  if (error != THUD_OK) {
    thud_arc_destroy(made);
    return error;
  }
  functions->control = (arc_control *)made->extra;
  functions->error = made->extra + control;
  functions->blur = functions->error + ARC_CHECKS * (made->jets.layout.count + made->rows);
  functions->rounding = functions->blur + made->m;
  functions->convective = leads;
  functions->working = true;
  if (leads) functions->stage->functions->control = functions->control;
  if (leads) functions->stage->functions->exact = functions->exact;
  *arc = made;
  return THUD_OK;
}

/* What CVODE's arcs need beside the others. */
static thud_error prepare_cvode(sim_arc *arc, double tolerance) {
  struct arc_functions *functions = arc->functions;
  functions->attempt = thud_arc_by_cvode;
  functions->cvode_tolerance = fmax(tolerance, SMALLEST_OF_CVODE);
  thud_error error = thud_arc_cvode_create(arc->context, 2 * arc->n, functions->cvode_tolerance, &functions->cvode);
  if (error != THUD_OK) return error;
  return thud_arc_collocation_create(arc->context, &functions->interpolation, arc->n, &functions->collocation);
}

/* Coordinates up to which collocation is worth its matrices. */
enum { MOST_COLLOCATED = 100 };

static bool slips_turn(const thud_system *system, size_t n) {
  for (size_t k = 0; k < system->laws; k++)
    if (system->friction[k].directions > 1) return n <= MOST_COLLOCATED;
  return false;
}

thud_error thud_arc_create_functions(thud_context *context, const thud_system *system, bool cvode, double tolerance,
                                     double longest, sim_arc **arc) {
  sim_arc *made;
  thud_error error = create(context, system, true, &made);
  if (error != THUD_OK) return error;
  struct arc_functions *functions = made->functions;
  functions->attempt = thud_arc_runge_kutta;
  functions->tolerance = fmax(tolerance, SMALLEST_TOLERANCE);
  functions->longest = longest;
  *functions->control = (arc_control){.spacing = FIRST_SPACING * longest, .pace = longest};
  thud_arc_interpolation_make(&functions->interpolation);
  error = cvode ? prepare_cvode(made, tolerance)
          : slips_turn(system, made->n)
              ? thud_arc_collocation_create(context, &functions->interpolation, made->n, &functions->collocation)
              : THUD_OK;
  if (error != THUD_OK) {
    thud_arc_destroy(made);
    return error;
  }
  *arc = made;
  return THUD_OK;
}
