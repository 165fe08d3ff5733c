#include "kinds/quasistatic/quasistatic_slow.h"

#include <math.h>
#include <string.h>

/* ---- functions of the system, in the sense of thud_system_functions -------------------------------------------------
 */

static size_t unknowns_of(const slow_system *slow) { return (size_t)slow->made->problem.unknowns; }

static int force(void *user, double t, const double *q, const double *v, double *out) {
  const slow_system *slow = user;
  const thud_regulated *load = slow->made->problem.load;
  (void)q, (void)v;
  return load->evaluate(load->user, t, THUD_SIDE_VALUE, out);
}

static int potential_gradient(void *user, double t, const double *q, const double *v, double *out) {
  const slow_system *slow = user;
  size_t n = unknowns_of(slow);
  (void)t, (void)v;
  for (size_t i = 0; i < n; i++) {
    out[i] = 0;
    for (size_t j = 0; j < n; j++) out[i] += slow->K[i * n + j] * q[j];
  }
  return 0;
}

static int potential(void *user, double t, const double *q, const double *v, double *out) {
  const slow_system *slow = user;
  size_t n = unknowns_of(slow);
  (void)t, (void)v;
  *out = 0;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) *out += slow->K[i * n + j] * q[i] * q[j] / 2;
  return 0;
}

static int force_dq(void *user, double t, const double *q, const double *v, double *out) {
  const slow_system *slow = user;
  size_t n = unknowns_of(slow);
  (void)t, (void)q, (void)v;
  for (size_t k = 0; k < n * n; k++) out[k] = -slow->K[k];
  return 0;
}

static int force_dv(void *user, double t, const double *q, const double *v, double *out) {
  size_t n = unknowns_of(user);
  (void)t, (void)q, (void)v;
  memset(out, 0, n * n * sizeof *out);
  return 0;
}

static int gap(void *user, double t, const double *q, const double *v, double *out) {
  const slow_system *slow = user;
  const thud_quasistatic_problem *problem = &slow->made->problem;
  size_t n = unknowns_of(slow);
  (void)t, (void)v;
  for (size_t i = 0; i < (size_t)problem->contacts; i++) {
    out[i] = problem->gap[i];
    for (size_t j = 0; j < n; j++) out[i] += slow->rows[i * n + j] * q[j];
  }
  return 0;
}

static int gradient(void *user, double t, const double *q, const double *v, double *out) {
  const slow_system *slow = user;
  (void)t, (void)q, (void)v;
  memcpy(out, slow->rows, (size_t)slow->made->problem.contacts * unknowns_of(slow) * sizeof *out);
  return 0;
}

static int slip(void *user, double t, const double *q, const double *v, double *out) {
  const slow_system *slow = user;
  const thud_quasistatic_problem *problem = &slow->made->problem;
  size_t components = (size_t)problem->contacts * (size_t)(problem->dimension - 1);
  (void)t, (void)q, (void)v;
  memcpy(out, slow->slips, components * unknowns_of(slow) * sizeof *out);
  return 0;
}

static int friction(void *user, double t, const double *q, const double *v, double *out) {
  const slow_system *slow = user;
  (void)t, (void)q, (void)v;
  memcpy(out, slow->made->problem.mu, (size_t)slow->made->problem.contacts * sizeof *out);
  return 0;
}

/* ---- its numbers ---------------------------------------------------------------------------------------------------
 */

/* K as a full matrix, column by column. */
static thud_error fill_stiffness(slow_system *slow) {
  size_t n = unknowns_of(slow);
  thud_context *context = slow->made->scene->context;
  double *unit = THUD_NEW_ARRAY(context, double, n);
  if (unit == NULL) return THUD_ERROR_MEMORY;
  for (size_t j = 0; j < n; j++) {
    unit[j] = 1;
    thud_matrix_multiply_vector(context, &slow->made->problem.K, false, 1, unit, 0, slow->K + j * n);
    unit[j] = 0;
  }
  thud_free(context, unit);
  return THUD_OK;
}

/* By Gershgorin's discs of M^-1/2 K M^-1/2. */
static double bound_stiffness(const slow_system *slow) {
  size_t n = unknowns_of(slow);
  const double *mass = slow->made->mass;
  double worst = 0;
  for (size_t i = 0; i < n; i++) {
    double sum = 0;
    for (size_t j = 0; j < n; j++) sum += fabs(slow->K[i * n + j]) / sqrt(mass[i] * mass[j]);
    worst = fmax(worst, sum);
  }
  return worst;
}

/* Columns of H become rows of gradients and slips. */
static void fill_rows(slow_system *slow) {
  const thud_sparse *H = &slow->made->problem.H;
  size_t n = unknowns_of(slow), d = (size_t)slow->made->problem.dimension;
  for (size_t column = 0; column < (size_t)H->columns; column++) {
    size_t contact = column / d, part = column % d;
    double *row = part == 0 ? slow->rows + contact * n : slow->slips + (contact * (d - 1) + part - 1) * n;
    for (thud_index k = H->column_start[column]; k < H->column_start[column + 1]; k++) row[H->row[k]] = H->value[k];
  }
}

static thud_error fill(slow_system *slow, double rate) {
  const thud_quasistatic_problem *problem = &slow->made->problem;
  thud_context *context = slow->made->scene->context;
  size_t n = unknowns_of(slow), c = (size_t)problem->contacts, d = (size_t)problem->dimension;
  if (n > THUD_METRIC_DENSE_MAX || c > THUD_METRIC_DENSE_MAX)
    return thud_fail(context, THUD_ERROR_UNSUPPORTED,
                     "the dynamics of more than %d unknowns or contacts is not computed", THUD_METRIC_DENSE_MAX);
  slow->K = THUD_NEW_ARRAY(context, double, n *n);
  slow->mass = THUD_NEW_ARRAY(context, double, n *n);
  slow->rows = THUD_NEW_ARRAY(context, double, c *n);
  slow->slips = THUD_NEW_ARRAY(context, double, c *(d - 1) * n);
  if (slow->K == NULL || slow->mass == NULL || slow->rows == NULL || slow->slips == NULL) return THUD_ERROR_MEMORY;
  for (size_t i = 0; i < n; i++) slow->mass[i * n + i] = rate * rate * slow->made->mass[i];
  fill_rows(slow);
  thud_error error = fill_stiffness(slow);
  for (size_t k = 0; k < n * n && error == THUD_OK; k++) slow->largest = fmax(slow->largest, fabs(slow->K[k]));
  slow->stiffness = error == THUD_OK ? bound_stiffness(slow) : 0;
  return error;
}

static thud_error assemble(slow_system *slow) {
  const thud_quasistatic_problem *problem = &slow->made->problem;
  thud_context *context = slow->made->scene->context;
  size_t c = (size_t)problem->contacts;
  bool rough = problem->dimension > 1;
  thud_constraint_def *constraints = THUD_NEW_ARRAY(context, thud_constraint_def, c);
  thud_friction_def *laws = THUD_NEW_ARRAY(context, thud_friction_def, c);
  thud_error error = constraints != NULL && laws != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  for (size_t i = 0; i < c && error == THUD_OK; i++) {
    constraints[i] = (thud_constraint_def){.name = problem->contact_names[i], .kind = THUD_CONSTRAINT_UNILATERAL};
    laws[i] = (thud_friction_def){.name = problem->contact_names[i],
                                  .constraint = (thud_index)i,
                                  .kind = THUD_FRICTION_DISC,
                                  .directions = problem->dimension - 1};
  }
  const thud_system_def def = {.n = problem->unknowns,
                               .coordinates = problem->unknown_names,
                               .mass = slow->mass,
                               .m = problem->contacts,
                               .constraints = constraints,
                               .laws = rough ? problem->contacts : 0,
                               .friction = rough ? laws : NULL,
                               .functions = {.user = slow,
                                             .force = force,
                                             .potential = potential,
                                             .potential_gradient = potential_gradient,
                                             .constraint = gap,
                                             .gradient = gradient,
                                             .slip = rough ? slip : NULL,
                                             .friction = rough ? friction : NULL,
                                             .force_dq = force_dq,
                                             .force_dv = force_dv}};
  if (error == THUD_OK) error = thud_system_create(context, &def, &slow->system);
  thud_free(context, constraints);
  thud_free(context, laws);
  return error;
}

thud_error thud_study_slow_create(const quasistatic_scene *made, double rate, slow_system *slow) {
  *slow = (slow_system){.made = made};
  thud_error error = fill(slow, rate);
  if (error == THUD_OK) error = assemble(slow);
  if (error != THUD_OK) thud_study_slow_free(slow);
  return error;
}

void thud_study_slow_free(slow_system *slow) {
  if (slow->made == NULL) return;
  thud_context *context = slow->made->scene->context;
  thud_system_destroy(slow->system);
  thud_free(context, slow->K);
  thud_free(context, slow->mass);
  thud_free(context, slow->rows);
  thud_free(context, slow->slips);
  *slow = (slow_system){0};
}
