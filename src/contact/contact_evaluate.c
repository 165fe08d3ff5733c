/* How wrong an answer is: the residuals as DESIGN.md defines them, apart from any solver. */
#include "contact/cone.h"
#include "contact/evaluator.h"
#include "contact/problem.h"
#include "contact/velocity.h"
#include "base/base.h"

#include <math.h>
#include <string.h>

/* |q| below which the residual is not divided by it: the figure that everybody quotes uses this number. */
static const double scale_floor = 2.3e-16;

enum { CONTACTS_PER_TASK = 256 };

struct thud_contact_evaluator {
  thud_context *context;
  thud_contact_problem problem; /* a copy of the borrowed struct: the shape stays known when the original goes */
  thud_velocity_map map;
  double *part;       /* [size] natural map */
  double *part_norm;  /* [contacts] its norm, contact by contact */
  double *excess;     /* [contacts] cone excess */
  thud_error *errors; /* [contacts] of the laws */
  double scale, bilateral_scale;
};

thud_error thud_contact_evaluator_create(thud_context *context, const thud_contact_problem *problem,
                                         thud_contact_evaluator **evaluator) {
  THUD_REQUIRE(context, context, problem, evaluator);
  size_t contacts = (size_t)problem->contacts;
  thud_contact_evaluator *made = THUD_NEW(context, thud_contact_evaluator);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->context = context;
  made->problem = *problem;
  thud_error error = thud_velocity_map_create(context, &made->problem, &made->map);
  made->part = THUD_NEW_ARRAY(context, double, thud_contact_size(problem) + 2 * contacts);
  made->errors = THUD_NEW_ARRAY(context, thud_error, contacts);
  if (made->part == NULL || made->errors == NULL) error = THUD_ERROR_MEMORY;
  if (error == THUD_OK) {
    made->part_norm = made->part + thud_contact_size(problem);
    made->excess = made->part_norm + contacts;
    error = thud_contact_evaluator_update(made, problem);
  }
  if (error == THUD_OK)
    *evaluator = made;
  else
    thud_contact_evaluator_destroy(made);
  return error;
}

void thud_contact_evaluator_destroy(thud_contact_evaluator *evaluator) {
  if (evaluator == NULL) return;
  thud_velocity_map_destroy(evaluator->context, &evaluator->map);
  thud_free(evaluator->context, evaluator->part);
  thud_free(evaluator->context, evaluator->errors);
  thud_free(evaluator->context, evaluator);
}

static bool has_same_shape(const thud_contact_problem *a, const thud_contact_problem *b) {
  return a->form == b->form && a->dimension == b->dimension && a->friction == b->friction &&
         a->contacts == b->contacts && a->bilateral == b->bilateral && thud_contact_ndof(a) == thud_contact_ndof(b);
}

static double usable_scale(double norm) { return norm > scale_floor ? norm : 1; }

thud_error thud_contact_evaluator_update(thud_contact_evaluator *evaluator, const thud_contact_problem *problem) {
  THUD_REQUIRE_OF(evaluator, problem);
  thud_velocity_map *map = &evaluator->map;
  thud_context *context = evaluator->context;
  const thud_contact_problem *old = &evaluator->problem;
  if (!has_same_shape(old, problem))
    return thud_fail(context, THUD_ERROR_DIMENSION,
                     "evaluator: made for %d contacts (%s, %zu degrees of freedom, %d bilateral rows); the new problem "
                     "has %d contacts (%s, %zu degrees of freedom, %d bilateral rows)",
                     (int)old->contacts, thud_contact_kind_name(old), thud_contact_ndof(old), (int)old->bilateral,
                     (int)problem->contacts, thud_contact_kind_name(problem), thud_contact_ndof(problem),
                     (int)problem->bilateral);
  if (thud_disc_layout_of(problem->dimension, problem->friction) == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "evaluator: there are no contacts of dimension %d",
                     (int)problem->dimension);
  thud_error error = thud_velocity_map_update(context, problem, map);
  if (error != THUD_OK) return error;
  evaluator->problem = *problem;
  map->problem = &evaluator->problem;
  double q = thud_norm2(context, thud_contact_size(problem), map->q);
  double s = thud_norm2(context, (size_t)problem->bilateral, map->s);
  evaluator->scale = usable_scale(q);
  evaluator->bilateral_scale = usable_scale(hypot(q, s));
  return THUD_OK;
}

const thud_velocity_map *thud_contact_evaluator_map(const thud_contact_evaluator *evaluator) { return &evaluator->map; }

const double *thud_contact_evaluator_q(const thud_contact_evaluator *evaluator) {
  THUD_REQUIRE_OR(NULL, evaluator);
  return evaluator->map.q;
}
const double *thud_contact_evaluator_v(const thud_contact_evaluator *evaluator) {
  THUD_REQUIRE_OR(NULL, evaluator);
  return evaluator->map.v;
}

/* ---- contact by contact ------------------------------------------------------------------------------- */

typedef struct natural_job {
  thud_contact_evaluator *evaluator;
  const double *r;
} natural_job;

static thud_error evaluate_contact(thud_contact_evaluator *evaluator, const thud_contact_discs *discs, const double *r,
                                   size_t c) {
  size_t dimension = (size_t)discs->layout->dimension, first = c * dimension;
  double *part = evaluator->part + first, square = 0;
  thud_error error = thud_cone_judge(discs, c, r + first, evaluator->map.u + first, part, &evaluator->excess[c]);
  for (size_t i = 0; i < dimension; i++) square += part[i] * part[i];
  evaluator->part_norm[c] = sqrt(square);
  return error;
}

static void evaluate_some(void *user, size_t task) {
  natural_job *job = user;
  size_t contacts = (size_t)job->evaluator->map.problem->contacts, first = task * CONTACTS_PER_TASK;
  size_t end = first + CONTACTS_PER_TASK < contacts ? first + CONTACTS_PER_TASK : contacts;
  thud_contact_discs discs = thud_contact_discs_of(job->evaluator->map.problem);
  for (size_t c = first; c < end; c++) job->evaluator->errors[c] = evaluate_contact(job->evaluator, &discs, job->r, c);
}

/* Sets serve one thread at a time, and contacts may share them: problems with laws are evaluated by one thread. */
static thud_error evaluate_contacts(thud_contact_evaluator *evaluator, const double *r) {
  const thud_contact_problem *problem = evaluator->map.problem;
  natural_job job = {evaluator, r};
  size_t contacts = (size_t)problem->contacts, tasks = (contacts + CONTACTS_PER_TASK - 1) / CONTACTS_PER_TASK;
  if (problem->laws == NULL)
    thud_parallel_for(evaluator->context, tasks, evaluate_some, &job);
  else
    for (size_t task = 0; task < tasks; task++) evaluate_some(&job, task);
  for (size_t c = 0; c < contacts; c++)
    if (evaluator->errors[c] == THUD_ERROR_NOT_CONVERGED)
      return thud_fail(evaluator->context, THUD_ERROR_NOT_CONVERGED,
                       "contact %zu: the projection on its law's cone did not converge", c);
    else if (evaluator->errors[c] != THUD_OK)
      return thud_fail_within(evaluator->context, evaluator->errors[c], "law of contact %zu", c);
  return THUD_OK;
}

/* ---- whole answers -------------------------------------------------------------------------------------- */

static thud_error check_finite(thud_context *context, const char *name, size_t n, const double *x) {
  size_t bad = x != NULL ? thud_first_not_finite(n, x) : n;
  if (bad == n) return THUD_OK;
  return thud_fail(context, THUD_ERROR_NOT_FINITE, "%s[%zu] is %g", name, bad, x[bad]);
}

static thud_error check_answer(const thud_contact_evaluator *evaluator, const double *r, const double *v,
                               const double *l) {
  const thud_contact_problem *problem = evaluator->map.problem;
  if (r == NULL && problem->contacts > 0)
    return thud_fail(evaluator->context, THUD_ERROR_ARGUMENT, "evaluate: the impulses r are NULL");
  if (l == NULL && problem->bilateral > 0)
    return thud_fail(evaluator->context, THUD_ERROR_ARGUMENT,
                     "evaluate: there are %d bilateral rows but their impulses l are NULL", (int)problem->bilateral);
  thud_error error = check_finite(evaluator->context, "r", thud_contact_size(problem), r);
  if (error == THUD_OK && problem->form == THUD_FORM_GLOBAL)
    error = check_finite(evaluator->context, "v", thud_contact_ndof(problem), v);
  if (error == THUD_OK) error = check_finite(evaluator->context, "l", (size_t)problem->bilateral, l);
  return error;
}

/* Worst penetration velocity: a loop over normal components. */
static void find_penetration(const thud_contact_problem *problem, const double *u, thud_contact_residual *found) {
  for (thud_index c = 0; c < problem->contacts; c++) {
    double depth = -u[(size_t)c * (size_t)problem->dimension];
    if (!(depth > found->penetration)) continue;
    found->penetration = depth;
    found->penetration_contact = c;
  }
}

static thud_error judge_contacts(thud_contact_evaluator *evaluator, const double *r, thud_contact_residual *found) {
  const thud_contact_problem *problem = evaluator->map.problem;
  thud_context *context = evaluator->context;
  size_t size = thud_contact_size(problem), contacts = (size_t)problem->contacts, where = 0;
  const double *u = evaluator->map.u;
  size_t overflow = thud_first_not_finite(size, u);
  if (overflow < size) {
    found->natural = found->worst_value = found->penetration = INFINITY;
    found->worst_contact = found->penetration_contact = (thud_index)(overflow / (size_t)problem->dimension);
    return THUD_OK;
  }
  thud_error error = evaluate_contacts(evaluator, r);
  if (error != THUD_OK || contacts == 0) return error;
  found->natural = thud_norm2(context, size, evaluator->part) / evaluator->scale;
  found->worst_value = thud_norm_max(context, contacts, evaluator->part_norm, &where);
  found->worst_contact = (thud_index)where;
  find_penetration(problem, u, found);
  found->cone_excess = thud_norm_max(context, contacts, evaluator->excess, &where);
  if (found->cone_excess > 0) found->cone_contact = (thud_index)where;
  found->dissipation = -thud_dot(context, size, r, u);
  return THUD_OK;
}

/* An infinity stands for a number that overflowed: NaN would pass for small in some comparisons. */
static double finite_or_infinite(double x) { return isnan(x) ? INFINITY : x; }

thud_error thud_contact_evaluator_evaluate(thud_contact_evaluator *evaluator, const double *r, const double *v,
                                           const double *l, double *u, thud_contact_residual *residual) {
  THUD_REQUIRE_OF(evaluator, r || thud_contact_size(&evaluator->problem) == 0, residual);
  thud_velocity_map *map = &evaluator->map;
  thud_context *context = evaluator->context;
  thud_contact_residual found = {
      .scale = evaluator->scale, .worst_contact = -1, .penetration_contact = -1, .cone_contact = -1};
  thud_error error = check_answer(evaluator, r, v, l);
  if (error == THUD_OK) error = thud_velocity_map_apply(context, map, r, v, l, &found.dynamics);
  if (error == THUD_OK) error = judge_contacts(evaluator, r, &found);
  if (error != THUD_OK) return error;
  found.bilateral = thud_norm2(context, (size_t)map->problem->bilateral, map->u_b) / evaluator->bilateral_scale;
  found.natural = finite_or_infinite(found.natural);
  found.bilateral = finite_or_infinite(found.bilateral);
  found.dynamics = finite_or_infinite(found.dynamics);
  found.residual = fmax(found.natural, fmax(found.bilateral, found.dynamics));
  if (u != NULL && map->problem->contacts > 0) memcpy(u, map->u, thud_contact_size(map->problem) * sizeof *u);
  *residual = found;
  return THUD_OK;
}

thud_error thud_contact_evaluator_velocity(thud_contact_evaluator *evaluator, const double *r, const double *l,
                                           double *u, double *bilateral) {
  thud_velocity_map *map = &evaluator->map;
  thud_context *context = evaluator->context;
  double dynamics;
  thud_error error = thud_velocity_map_apply(context, map, r, NULL, l, &dynamics);
  if (error != THUD_OK) return error;
  size_t rows = (size_t)map->problem->bilateral, size = thud_contact_size(map->problem);
  *bilateral = finite_or_infinite(thud_norm2(context, rows, map->u_b) / evaluator->bilateral_scale);
  if (size > 0) memcpy(u, map->u, size * sizeof *u);
  return THUD_OK;
}

thud_error thud_contact_evaluate(thud_context *context, const thud_contact_problem *problem, const double *r,
                                 const double *v, const double *l, double *u, thud_contact_residual *residual) {
  THUD_REQUIRE(context, context, problem, r || thud_contact_size(problem) == 0, residual);
  thud_contact_evaluator *evaluator = NULL;
  thud_error error = thud_contact_evaluator_create(context, problem, &evaluator);
  if (error != THUD_OK) return error;
  error = thud_contact_evaluator_evaluate(evaluator, r, v, l, u, residual);
  thud_contact_evaluator_destroy(evaluator);
  return error;
}
