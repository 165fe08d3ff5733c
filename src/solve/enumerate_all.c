/* thud_contact_enumerate: which enumeration a problem goes to. */
#include "solve/enumerate.h"
#include "solve/entries.h"
#include "base/base.h"

#include <string.h>

/* [[W, V], [V', R]] and (q, s) of a local problem. */
static void assemble(const thud_contact_problem *local, double *full, double *load) {
  size_t size = thud_contact_size(local), rows = (size_t)local->bilateral, order = size + rows;
  thud_matrix_copy_dense(&local->W, order, full);
  memcpy(load, local->q, size * sizeof *load);
  if (rows == 0) return;
  thud_matrix_copy_dense(&local->V, order, full + size * order);
  thud_matrix_copy_dense(&local->R, order, full + size * order + size);
  for (size_t j = 0; j < rows; j++)
    for (size_t i = 0; i < size; i++) full[i * order + size + j] = full[(size + j) * order + i];
  memcpy(load + size, local->s, rows * sizeof *load);
}

typedef struct lcp_relay {
  thud_solution_fn found;
  void *user;
} lcp_relay;

static int relay(void *user, const double *z, const double *w, bool unique) {
  const lcp_relay *to = user;
  thud_solution solution = {.r = z, .u = w, .isolated = unique};
  return to->found != NULL ? to->found(to->user, &solution) : 0;
}

static thud_error enumerate_local(thud_context *context, const thud_contact_problem *local, double tolerance,
                                  const thud_stop *stop, thud_solution_fn found, void *user, size_t *count) {
  if (local->contacts == 0 && local->bilateral == 0) { /* nothing to solve: one solution without components */
    const thud_solution solution = {.isolated = true};
    if (found != NULL) found(user, &solution);
    if (count != NULL) *count = 1;
    return THUD_OK;
  }
  size_t order = thud_contact_size(local) + (size_t)local->bilateral;
  double *full = THUD_NEW_ARRAY(context, double, order *order);
  double *load = THUD_NEW_ARRAY(context, double, order);
  thud_error error = THUD_ERROR_MEMORY;
  if (full != NULL && load != NULL) {
    assemble(local, full, load);
    lcp_relay to = {.found = found, .user = user};
    error = local->dimension == 1
                ? thud_lcp_enumerate_until(context, local->contacts, full, load, tolerance, stop, relay, &to, count)
                : thud_enumerate_plane(context, local, full, load, tolerance, stop, found, user, count);
  }
  thud_free(context, full);
  thud_free(context, load);
  return error;
}

static thud_error check(thud_context *context, const thud_contact_problem *problem, double tolerance) {
  if (!(tolerance > 0 && tolerance < 1))
    return thud_fail(context, THUD_ERROR_ARGUMENT, "enumeration: the tolerance must lie between 0 and 1, not %g",
                     tolerance);
  bool lcp = problem->dimension == 1 && problem->bilateral == 0, plane = problem->dimension == 2;
  if (!(lcp || plane) || problem->laws != NULL)
    return thud_fail(context, THUD_ERROR_UNSUPPORTED,
                     "only LCPs without bilateral rows and planar Coulomb friction can be enumerated, not %s%s",
                     thud_contact_kind_name(problem),
                     problem->laws != NULL    ? " with general laws"
                     : problem->bilateral > 0 ? " with bilateral rows"
                                              : "");
  if (problem->form == THUD_FORM_LOCAL && problem->W.storage == THUD_MATRIX_OPERATOR)
    return thud_fail(context, THUD_ERROR_UNSUPPORTED, "enumeration: W is an operator, its entries are needed");
  thud_index limit = lcp ? THUD_ENUMERATE_MAX_LCP : THUD_ENUMERATE_MAX_CONTACTS;
  if (problem->contacts > limit || problem->bilateral > THUD_ENUMERATE_MAX_ROWS)
    return thud_fail(context, THUD_ERROR_UNSUPPORTED, "%d contacts are too many to enumerate all solutions; at most %d",
                     (int)problem->contacts, (int)limit);
  return THUD_OK;
}

thud_error thud_contact_enumerate(thud_context *context, const thud_contact_problem *problem, double tolerance,
                                  thud_solution_fn found, void *user, size_t *count) {
  THUD_REQUIRE(context, context, problem);
  return thud_contact_enumerate_until(context, problem, tolerance, NULL, found, user, count);
}

thud_error thud_contact_enumerate_until(thud_context *context, const thud_contact_problem *problem, double tolerance,
                                        const thud_stop *stop, thud_solution_fn found, void *user, size_t *count) {
  THUD_REQUIRE(context, context, problem);
  thud_error error = thud_contact_validate(context, problem, NULL);
  if (error == THUD_OK) error = check(context, problem, tolerance);
  if (error != THUD_OK) return error;
  if (problem->form == THUD_FORM_LOCAL) return enumerate_local(context, problem, tolerance, stop, found, user, count);
  thud_owned_problem *local = NULL;
  error = thud_contact_to_local(context, problem, THUD_MATRIX_DENSE, &local);
  if (error == THUD_OK)
    error = enumerate_local(context, thud_owned_problem_view(local), tolerance, stop, found, user, count);
  thud_owned_problem_destroy(local);
  return error;
}
