/* What can be said of a state before anything moves: do the constraints leave a motion, is the state compatible with
 * them, how well is M conditioned.
 *
 * Everything is done with unit gradients y_i = L^-1 a_i / |L^-1 a_i| in orthonormal coordinates of the kinetic metric
 * M = LL', so that neither the units of the coordinates nor the scale of a constraint function matter. Equations
 * (bilateral and velocity constraints) act both ways: unilateral gradients are looked at in the complement of theirs.
 * The set is qualified (Mangasarian-Fromovitz) iff some v keeps all equations and opens all gaps that act. */
#include "model/diagnose.h"
#include "model/gradients.h"
#include "model/model_rows.h"

#include "base/base.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct acting_set {
  size_t n, count, equations;   /* as in model_acting */
  const thud_index *constraint; /* [count] */
  double *unit;                 /* [m*n] unit gradients */
  double *projected;            /* [m*n] unilateral ones in the complement of the equations */
  double *basis;                /* [m*n] of the equations */
  double *certificate;          /* [m] */
  double *gram;                 /* [max(m,n)^2] */
  double *eigenvalues;          /* [max(m,n)] */
  double *family;               /* [n] */
  bool *use;                    /* [m] */
} acting_set;

static void end_set(thud_context *context, acting_set *set) {
  thud_free(context, set->unit);
  thud_free(context, set->projected);
  thud_free(context, set->basis);
  thud_free(context, set->certificate);
  thud_free(context, set->gram);
  thud_free(context, set->eigenvalues);
  thud_free(context, set->family);
  thud_free(context, set->use);
}

static thud_error begin_set(thud_context *context, size_t n, const model_acting *acting, acting_set *set) {
  size_t m = acting->count, larger = n > m ? n : m;
  *set = (acting_set){.n = n,
                      .count = m,
                      .equations = acting->equations,
                      .constraint = acting->constraint,
                      .unit = THUD_NEW_ARRAY(context, double, m *n),
                      .projected = THUD_NEW_ARRAY(context, double, m *n),
                      .basis = THUD_NEW_ARRAY(context, double, m *n),
                      .certificate = THUD_NEW_ARRAY(context, double, m),
                      .gram = THUD_NEW_ARRAY(context, double, larger *larger),
                      .eigenvalues = THUD_NEW_ARRAY(context, double, larger),
                      .family = THUD_NEW_ARRAY(context, double, n),
                      .use = THUD_NEW_ARRAY(context, bool, m)};
  bool complete = set->unit != NULL && set->projected != NULL && set->basis != NULL && set->certificate != NULL &&
                  set->gram != NULL && set->eigenvalues != NULL && set->family != NULL && set->use != NULL;
  if (complete) return THUD_OK;
  end_set(context, set);
  return THUD_ERROR_MEMORY;
}

/* Unilateral constraints act when their gap is closed, all others always. */
static bool acts(const thud_system *system, const thud_system_values *values, size_t i, double gap_tolerance) {
  return system->constraints[i].kind != THUD_CONSTRAINT_UNILATERAL || values->gap[i] <= gap_tolerance;
}

static void find_acting(const thud_system *system, const thud_system_values *values, double gap_tolerance,
                        model_acting *acting) {
  for (int unilateral = 0; unilateral < 2; unilateral++)
    for (size_t i = 0; i < system->m; i++) {
      if (thud_model_is_equation(system, i) == (unilateral == 1) || !acts(system, values, i, gap_tolerance)) continue;
      acting->constraint[acting->count++] = (thud_index)i;
      if (unilateral == 0) acting->equations++;
    }
}

static void find_units(const thud_system_values *values, acting_set *set) {
  for (size_t k = 0; k < set->count; k++) {
    double *unit = set->unit + k * set->n;
    thud_model_to_orthonormal(set->n, values->mass_factor, values->gradient + (size_t)set->constraint[k] * set->n,
                              unit);
    thud_model_normalise(set->n, unit);
  }
}

/* Gradients that a change of q in its last places changes by as much as themselves are 0. The signs of the changes differ
 * from turn to turn. */
static thud_error find_vanishing(thud_context *context, const thud_system *system, const thud_system_values *values,
                                 double t, const double *q, const double *v, acting_set *set,
                                 thud_system_diagnosis *found) {
  const double last_places = 4 * DBL_EPSILON;
  size_t n = set->n;
  double *moved = set->family, *difference = set->eigenvalues;
  thud_system_values *there = NULL;
  thud_error error = set->count > 0 ? thud_system_values_create(context, system, &there) : THUD_OK;
  for (size_t turn = 0; turn < 2 && set->count > 0 && error == THUD_OK; turn++) {
    for (size_t c = 0; c < n; c++) moved[c] = q[c] * (1 + last_places * ((c + 1) * (turn + 1) % 3 == 0 ? -1 : 1));
    error = thud_system_evaluate(system, t, moved, v, THUD_AT_GRADIENT, there);
    for (size_t k = 0; k < set->count && error == THUD_OK; k++) {
      size_t row = (size_t)set->constraint[k] * n;
      double *unit = set->unit + k * n, length, change;
      thud_model_to_orthonormal(n, values->mass_factor, values->gradient + row, difference);
      length = thud_model_normalise(n, difference);
      for (size_t c = 0; c < n; c++) difference[c] = there->gradient[row + c] - values->gradient[row + c];
      thud_model_to_orthonormal(n, values->mass_factor, difference, difference);
      change = thud_model_normalise(n, difference);
      if (length > 2 * change) continue;
      memset(unit, 0, n * sizeof *unit);
      if (found->vanishing == 0) found->vanishing = (uint64_t)set->constraint[k] + 1;
    }
  }
  thud_system_values_destroy(context, there);
  return error;
}

/* ---- rank, condition, angles ------------------------------------------------------------------------------------ */

static thud_error condition_of(thud_context *context, size_t size, const double *matrix, double *eigenvalues,
                               double *condition) {
  thud_error error = thud_dense_eigen_symmetric(context, (thud_index)size, matrix, eigenvalues, NULL);
  if (error == THUD_OK) *condition = eigenvalues[0] > 0 ? eigenvalues[size - 1] / eigenvalues[0] : INFINITY;
  return error;
}

/* The Gram matrix of unit vectors: its entries are the kinetic cosines. */
static void find_cosines(acting_set *set, thud_system_diagnosis *found) {
  for (size_t i = 0; i < set->count; i++)
    for (size_t j = 0; j <= i; j++) {
      double cosine = 0;
      for (size_t k = 0; k < set->n; k++) cosine += set->unit[i * set->n + k] * set->unit[j * set->n + k];
      set->gram[i * set->count + j] = set->gram[j * set->count + i] = cosine;
      if (j == i || j < set->equations) continue;
      if (found->cosine_first >= 0 && !(fabs(cosine) > found->worst_cosine)) continue;
      found->worst_cosine = fabs(cosine);
      found->cosine_first = set->constraint[j];
      found->cosine_second = set->constraint[i];
    }
}

static thud_error find_rank(thud_context *context, acting_set *set, thud_system_diagnosis *found) {
  found->active_count = (thud_index)set->count;
  found->equation_count = (thud_index)set->equations;
  found->condition = 1;
  if (set->count == 0) return THUD_OK;
  thud_error error = thud_dense_rank(context, (thud_index)set->n, (thud_index)set->count, set->unit,
                                     MODEL_RANK_TOLERANCE, &found->rank);
  if (error != THUD_OK) return error;
  if ((size_t)found->rank < set->count) {
    found->condition = INFINITY;
    return THUD_OK;
  }
  return condition_of(context, set->count, set->gram, set->eigenvalues, &found->condition);
}

/* ---- qualification ---------------------------------------------------------------------------------------------- */

static void add_dependent(thud_index constraint, thud_system_diagnosis *found) {
  if (found->dependent != NULL) found->dependent[found->dependent_count] = constraint;
  found->dependent_count++;
}

/* Which of the equations set->use are needed to make set->family out of their gradients: drops those without which it
 * still works, and reports the rest. */
static void report_equations(acting_set *set, thud_system_diagnosis *found) {
  double *rest = set->eigenvalues;
  for (size_t i = 0; i < set->equations; i++) {
    if (!set->use[i]) continue;
    set->use[i] = false;
    size_t rank = thud_model_basis(set->n, set->equations, set->unit, set->use, set->basis);
    memcpy(rest, set->family, set->n * sizeof *rest);
    set->use[i] = thud_model_complement(set->n, rank, set->basis, rest) > MODEL_RANK_TOLERANCE;
  }
  for (size_t i = 0; i < set->equations; i++)
    if (set->use[i]) add_dependent(set->constraint[i], found);
}

/* The first equation whose gradient the ones before it give already, and those. */
static void report_dependent_equations(acting_set *set, thud_system_diagnosis *found) {
  for (size_t i = 0; i < set->equations; i++) {
    for (size_t j = 0; j < set->equations; j++) set->use[j] = j <= i;
    if (thud_model_basis(set->n, i + 1, set->unit, NULL, set->basis) == i + 1) continue;
    set->use[i] = false;
    memcpy(set->family, set->unit + i * set->n, set->n * sizeof *set->family);
    report_equations(set, found);
    add_dependent(set->constraint[i], found);
    return;
  }
}

/* sum l_i y_i over the unilateral constraints of the certificate lies in the span of the equations. */
static void report_unqualified(acting_set *set, thud_system_diagnosis *found) {
  memset(set->family, 0, set->n * sizeof *set->family);
  for (size_t i = set->equations; i < set->count; i++) {
    double weight = set->certificate[i - set->equations];
    if (!(weight > 0)) continue;
    add_dependent(set->constraint[i], found);
    for (size_t j = 0; j < set->n; j++) set->family[j] += weight * set->unit[i * set->n + j];
  }
  for (size_t i = 0; i < set->equations; i++) set->use[i] = true;
  report_equations(set, found);
}

static thud_error find_qualification(thud_context *context, acting_set *set, thud_system_diagnosis *found) {
  size_t rank = thud_model_basis(set->n, set->equations, set->unit, NULL, set->basis);
  size_t unilateral = set->count - set->equations;
  thud_qualification_info info;
  found->equation_rank = (thud_index)rank;
  for (size_t i = 0; i < unilateral; i++) {
    double *row = set->projected + i * set->n;
    memcpy(row, set->unit + (set->equations + i) * set->n, set->n * sizeof *row);
    if (thud_model_complement(set->n, rank, set->basis, row) <= MODEL_RANK_TOLERANCE)
      memset(row, 0, set->n * sizeof *row);
  }
  thud_error error = thud_qualification_test(context, NULL, (thud_index)unilateral, (thud_index)set->n, set->projected,
                                             MODEL_RANK_TOLERANCE, &info, set->certificate);
  if (error != THUD_OK) return error;
  found->qualified = info.qualification != THUD_UNQUALIFIED;
  if (!found->qualified)
    report_unqualified(set, found);
  else if (rank < set->equations)
    report_dependent_equations(set, found);
  return THUD_OK;
}

/* ---- compatibility ---------------------------------------------------------------------------------------------- */

/* Keeps the number that violates its constraint most: x != 0 for equations, x < 0 for the others. */
static void keep_worst(bool equation, size_t i, double x, double *worst, thud_index *constraint) {
  double violation = equation ? fabs(x) : -x;
  if (violation <= 0 || (*constraint >= 0 && !(violation > fabs(*worst)))) return;
  *worst = x;
  *constraint = (thud_index)i;
}

static void find_violations(const thud_system *system, const thud_system_values *values, const double *v,
                            double gap_tolerance, thud_system_diagnosis *found) {
  for (size_t i = 0; i < system->m; i++) {
    if (system->constraints[i].kind < THUD_CONSTRAINT_VELOCITY)
      keep_worst(thud_model_is_equation(system, i), i, values->gap[i], &found->worst_gap, &found->worst_gap_constraint);
    if (!acts(system, values, i, gap_tolerance)) continue;
    double u = values->rate[i] + thud_row_dot(thud_gradient_row(values, (thud_index)system->n, (thud_index)i), v);
    keep_worst(thud_model_is_equation(system, i), i, u, &found->worst_velocity, &found->worst_velocity_constraint);
  }
}

/* Everything dense: exact, and cubic in the number of constraints that act. */
static thud_error diagnose_dense(thud_context *context, const thud_system *system, const thud_system_values *values,
                                 double t, const double *q, const double *v, const model_acting *acting,
                                 thud_system_diagnosis *found) {
  acting_set set;
  thud_error error = begin_set(context, system->n, acting, &set);
  if (error != THUD_OK) return error;
  find_units(values, &set);
  error = find_vanishing(context, system, values, t, q, v, &set, found);
  find_cosines(&set, found);
  if (error == THUD_OK) error = find_rank(context, &set, found);
  if (error == THUD_OK) error = find_qualification(context, &set, found);
  end_set(context, &set);
  return error;
}

static thud_error find_mass_condition(thud_context *context, const thud_system *system,
                                      const thud_system_values *values, thud_system_diagnosis *found) {
  if (system->n > MODEL_DENSE_DIAGNOSIS) return thud_model_mass_condition(context, system, values, found);
  double *eigenvalues = THUD_NEW_ARRAY(context, double, system->n);
  if (eigenvalues == NULL) return THUD_ERROR_MEMORY;
  thud_error error = condition_of(context, system->n, values->mass, eigenvalues, &found->mass_condition);
  thud_free(context, eigenvalues);
  return error;
}

/* The parts that are asked for, with matrices of either kind. */
static thud_error evaluate(thud_context *context, const thud_system *system, bool sparse, double t, const double *q,
                           const double *v, thud_system_values **values) {
  thud_error error = sparse ? thud_system_values_create_sparse(context, system, false, values)
                            : thud_system_values_create(context, system, values);
  if (error != THUD_OK) return error;
  return thud_system_evaluate(system, t, q, v, THUD_AT_MASS | THUD_AT_CONSTRAINT | THUD_AT_GRADIENT, *values);
}

/* Where sparse means have not settled the rank. */
static thud_error diagnose_further(thud_context *context, const thud_system *system, const thud_system_values *values,
                                   double t, const double *q, const double *v, const model_acting *acting,
                                   thud_system_diagnosis *found) {
  if (values->sparse == NULL) return diagnose_dense(context, system, values, t, q, v, acting, found);
  if (system->n > MODEL_DENSE_FALLBACK || acting->count > MODEL_DENSE_FALLBACK)
    return thud_model_diagnose_unsettled(context, system, values, acting, found);
  thud_system_values *full = NULL;
  thud_error error = evaluate(context, system, false, t, q, v, &full);
  if (error == THUD_OK) error = diagnose_dense(context, system, full, t, q, v, acting, found);
  thud_system_values_destroy(context, full);
  return error;
}

static thud_error diagnose(thud_context *context, const thud_system *system, const thud_system_values *values, double t,
                           const double *q, const double *v, double gap_tolerance, thud_system_diagnosis *found) {
  model_acting acting = {.constraint = THUD_NEW_ARRAY(context, thud_index, system->m)};
  if (acting.constraint == NULL) return THUD_ERROR_MEMORY;
  bool settled = false;
  thud_error error = THUD_OK;
  find_acting(system, values, gap_tolerance, &acting);
  find_violations(system, values, v, gap_tolerance, found);
  if (system->n > MODEL_DENSE_DIAGNOSIS || acting.count > MODEL_DENSE_DIAGNOSIS)
    error = thud_model_diagnose_sparse(context, system, values, &acting, found, &settled);
  if (error == THUD_OK && !settled) error = diagnose_further(context, system, values, t, q, v, &acting, found);
  if (error == THUD_OK) error = find_mass_condition(context, system, values, found);
  thud_free(context, acting.constraint);
  return error;
}

thud_error thud_system_diagnose(thud_context *context, const thud_system *system, double t, const double *q,
                                const double *v, double gap_tolerance, thud_system_diagnosis *diagnosis) {
  THUD_REQUIRE(context, context, system, q, v, diagnosis);
  if (!(gap_tolerance >= 0 && isfinite(gap_tolerance)))
    return thud_fail(context, THUD_ERROR_ARGUMENT, "diagnosis: gap tolerance %g; needed: finite and >= 0",
                     gap_tolerance);
  thud_system_diagnosis found = {.dependent = diagnosis->dependent,
                                 .worst_gap_constraint = -1,
                                 .worst_velocity_constraint = -1,
                                 .cosine_first = -1,
                                 .cosine_second = -1};
  thud_system_values *values = NULL;
  bool sparse = system->has_patterns && system->n > MODEL_DENSE_DIAGNOSIS;
  thud_error error = evaluate(context, system, sparse, t, q, v, &values);
  if (error == THUD_OK && system->source->check_state != NULL)
    error = system->source->check_state(system, (model_state *)values, t, q);
  if (error == THUD_OK) error = diagnose(context, system, values, t, q, v, gap_tolerance, &found);
  thud_system_values_destroy(context, values);
  if (error == THUD_OK) *diagnosis = found;
  return error;
}

thud_error thud_model_name_dependent(thud_context *context, const thud_system *system, double t, const double *q,
                                     const double *v, double gap_tolerance, size_t capacity, char *text) {
  thud_system_diagnosis found = {.dependent = THUD_NEW_ARRAY(context, thud_index, system->m)};
  char names[256] = "";
  size_t used = 0, equations = 0;
  thud_error error = found.dependent != NULL ? thud_system_diagnose(context, system, t, q, v, gap_tolerance, &found)
                                             : THUD_ERROR_MEMORY;
  text[0] = '\0';
  for (thud_index k = 0; k < found.dependent_count && error == THUD_OK; k++) {
    size_t i = (size_t)found.dependent[k];
    equations += thud_model_is_equation(system, i) ? 1 : 0;
    if (used < sizeof names)
      used +=
          (size_t)snprintf(names + used, sizeof names - used, "%s%s", k > 0 ? ", " : "", system->constraints[i].name);
  }
  bool all = equations == (size_t)found.dependent_count;
  if (used > 0)
    snprintf(text, capacity, "%s%s %s",
             all              ? "equation"
             : equations == 0 ? "gap"
                              : "constraint",
             found.dependent_count > 1 ? "s" : "", names);
  thud_free(context, found.dependent);
  return error;
}
