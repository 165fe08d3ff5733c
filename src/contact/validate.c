/* Is a problem well stated? */
#include "contact/contact_check.h"
#include "contact/problem.h"
#include "base/base.h"

#include <math.h>

/* How far from a law's set the origin may be for rounding: sets of friction coefficients are of order 1. */
static const double origin_tolerance = 1e-9;

/* ---- statement ------------------------------------------------------------------------------------------ */

static thud_error check_kind(thud_context *context, const thud_contact_problem *problem) {
  thud_index d = problem->dimension;
  if (problem->form < THUD_FORM_LOCAL || problem->form > THUD_FORM_TWO_BLOCK)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "%d is not a form of a contact problem", (int)problem->form);
  if (problem->friction != THUD_FRICTION_BY_DIMENSION && problem->friction != THUD_FRICTION_PLANE_ROLLING)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "friction is %d: it must be 0 (by dimension) or 1 (plane rolling)",
                     (int)problem->friction);
  if (thud_disc_layout_of(d, problem->friction) == NULL && problem->friction == THUD_FRICTION_PLANE_ROLLING)
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "dimension is %d: rolling friction in the plane has 3 components (normal, sliding, rolling)",
                     (int)d);
  if (thud_disc_layout_of(d, problem->friction) == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "dimension is %d: it must be 1 (no friction), 2, 3 (friction), 4 (spinning friction), 5 (rolling "
                     "friction) or 6 (both)",
                     (int)d);
  if (problem->contacts < 0 || problem->bilateral < 0)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "there are %d contacts and %d bilateral rows: counts are >= 0",
                     (int)problem->contacts, (int)problem->bilateral);
  if (thud_contact_size(problem) > INT32_MAX)
    return thud_fail(context, THUD_ERROR_OVERFLOW, "%d contacts of dimension %d: at most %d components are possible",
                     (int)problem->contacts, (int)d, (int)INT32_MAX);
  return THUD_OK;
}

static thud_error check_coefficients(thud_context *context, const thud_contact_problem *problem, const char *name,
                                     bool wanted, const double *mu) {
  if (!wanted && mu != NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "%s is given, but dimension %d has no such friction: leave it out (NULL)", name,
                     (int)problem->dimension);
  if (!wanted) return THUD_OK;
  if (mu == NULL && problem->contacts > 0)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "%s is NULL: dimension %d needs one coefficient per contact", name,
                     (int)problem->dimension);
  for (thud_index c = 0; c < problem->contacts; c++) {
    if (!isfinite(mu[c]))
      return thud_fail(context, THUD_ERROR_NOT_FINITE, "%s of contact %d is %g", name, (int)c, mu[c]);
    if (mu[c] < 0)
      return thud_fail(context, THUD_ERROR_ARGUMENT, "%s of contact %d is %g: a coefficient of friction is >= 0", name,
                       (int)c, mu[c]);
  }
  return THUD_OK;
}

/* Bounded: otherwise the shift sup -u_T.c is infinite for some velocities. */
static thud_error check_bounded(thud_context *context, thud_index contact, thud_set *law) {
  double d[THUD_CONTACT_DIMENSION_MAX] = {0};
  for (thud_index i = 0; i < thud_set_dimension(law); i++)
    for (int sign = -1; sign <= 1; sign += 2) {
      double value = 0;
      d[i] = sign;
      thud_error error = thud_set_support(law, d, &value, NULL, NULL);
      d[i] = 0;
      if (error != THUD_OK) return thud_fail_within(context, error, "law of contact %d", (int)contact);
      if (!isfinite(value))
        return thud_fail(context, THUD_ERROR_UNSUPPORTED,
                         "law of contact %d: the %s is not bounded: intersect it with a large box", (int)contact,
                         thud_set_kind(law));
    }
  return THUD_OK;
}

static thud_error check_law(thud_context *context, const thud_contact_problem *problem, thud_index c) {
  const double zero[THUD_CONTACT_DIMENSION_MAX] = {0};
  thud_set *law = problem->laws[c];
  double distance = 0;
  if (thud_set_dimension(law) != problem->dimension - 1)
    return thud_fail(context, THUD_ERROR_DIMENSION,
                     "law of contact %d: the %s is a set of dimension %d, tangential forces have %d", (int)c,
                     thud_set_kind(law), (int)thud_set_dimension(law), (int)problem->dimension - 1);
  thud_error error = thud_set_distance(law, NULL, zero, &distance, NULL);
  if (error != THUD_OK) return thud_fail_within(context, error, "law of contact %d", (int)c);
  if (distance > origin_tolerance)
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "law of contact %d: the %s does not contain 0 (its distance is %.3g): friction could push on its "
                     "own",
                     (int)c, thud_set_kind(law), distance);
  return check_bounded(context, c, law);
}

static thud_error check_friction(thud_context *context, const thud_contact_problem *problem) {
  const thud_disc_layout *layout = thud_disc_layout_of(problem->dimension, problem->friction);
  thud_index without = problem->contacts;
  if (problem->laws != NULL && layout->count != 1)
    return thud_fail(context, THUD_ERROR_UNSUPPORTED,
                     "laws are given, but general laws need dimension 2 or 3 without rolling friction, not %d%s",
                     (int)problem->dimension,
                     problem->friction == THUD_FRICTION_PLANE_ROLLING ? " with rolling friction" : "");
  for (thud_index c = 0; problem->laws != NULL && c < problem->contacts; c++) {
    if (problem->laws[c] == NULL) continue;
    thud_error error = check_law(context, problem, c);
    if (error != THUD_OK) return error;
    without--;
  }
  bool all_by_law = problem->mu == NULL && without == 0;
  thud_error error = THUD_OK;
  for (int c = 0; error == THUD_OK && c < THUD_COEFFICIENTS; c++) {
    thud_coefficient coefficient = (thud_coefficient)c;
    bool wanted = thud_disc_layout_uses(layout, coefficient);
    if (coefficient == THUD_COEFFICIENT_SLIDING && all_by_law) wanted = false;
    error = check_coefficients(context, problem, thud_coefficient_name(coefficient), wanted,
                               thud_coefficient_in(problem, coefficient));
  }
  return error;
}

/* ---- forms ------------------------------------------------------------------------------------------------ */

static thud_error check_local(thud_context *context, const thud_contact_problem *problem) {
  size_t size = thud_contact_size(problem), bilateral = (size_t)problem->bilateral;
  thud_error error =
      thud_matrix_check(context, &(thud_matrix_demand){"W", size, size, problem->dimension}, &problem->W);
  if (error == THUD_OK) error = thud_matrix_check(context, &(thud_matrix_demand){"V", size, bilateral, 0}, &problem->V);
  if (error == THUD_OK)
    error = thud_matrix_check(context, &(thud_matrix_demand){"R", bilateral, bilateral, 0}, &problem->R);
  if (error == THUD_OK) error = thud_vector_check(context, "q", size, false, problem->q);
  if (error == THUD_OK) error = thud_vector_check(context, "s", bilateral, false, problem->s);
  return error;
}

static thud_error check_global(thud_context *context, const thud_contact_problem *problem) {
  size_t size = thud_contact_size(problem), bilateral = (size_t)problem->bilateral;
  if (problem->M.rows < 0) return thud_fail(context, THUD_ERROR_DIMENSION, "M has %d rows", (int)problem->M.rows);
  size_t ndof = thud_contact_ndof(problem);
  thud_error error = thud_matrix_check(context, &(thud_matrix_demand){"M", ndof, ndof, -1}, &problem->M);
  if (error == THUD_OK) error = thud_matrix_check(context, &(thud_matrix_demand){"H", ndof, size, 0}, &problem->H);
  if (error == THUD_OK) error = thud_matrix_check(context, &(thud_matrix_demand){"G", ndof, bilateral, 0}, &problem->G);
  if (error == THUD_OK) error = thud_vector_check(context, "f", ndof, false, problem->f);
  if (error == THUD_OK) error = thud_vector_check(context, "w", size, true, problem->w);
  if (error == THUD_OK) error = thud_vector_check(context, "b", bilateral, true, problem->b);
  return error;
}

static thud_error check_pairs(thud_context *context, const thud_contact_problem *problem) {
  const thud_two_block *two = &problem->two_block;
  if (problem->contacts > 0 && (two->body_a == NULL || two->body_b == NULL))
    return thud_fail(context, THUD_ERROR_ARGUMENT, "%s is NULL: every contact needs its bodies",
                     two->body_a == NULL ? "body_a" : "body_b");
  for (thud_index c = 0; c < problem->contacts; c++) {
    thud_index a = two->body_a[c], b = two->body_b[c];
    if (a == -1)
      return thud_fail(context, THUD_ERROR_ARGUMENT,
                       "body_a of contact %d is -1, the world, which only body_b can be: exchange the two bodies and "
                       "their Jacobians",
                       (int)c);
    if (a < 0 || a >= two->bodies)
      return thud_fail(context, THUD_ERROR_ARGUMENT, "body_a of contact %d is %d, outside 0..%d", (int)c, (int)a,
                       (int)two->bodies - 1);
    if (b < -1 || b >= two->bodies)
      return thud_fail(context, THUD_ERROR_ARGUMENT, "body_b of contact %d is %d, outside -1..%d", (int)c, (int)b,
                       (int)two->bodies - 1);
    if (a == b)
      return thud_fail(context, THUD_ERROR_ARGUMENT, "contact %d touches body %d twice: body_a and body_b must differ",
                       (int)c, (int)a);
  }
  return THUD_OK;
}

/* Jacobians of body b are not read where there is no body b. */
static thud_error check_jacobians(thud_context *context, const thud_contact_problem *problem) {
  const thud_two_block *two = &problem->two_block;
  size_t per_contact = (size_t)problem->dimension * (size_t)two->block, contacts = (size_t)problem->contacts;
  thud_error error = thud_vector_check(context, "jacobian_a", contacts * per_contact, false, two->jacobian_a);
  for (size_t c = 0; error == THUD_OK && c < contacts; c++) {
    if (two->body_b[c] < 0) continue;
    const double *J = two->jacobian_b == NULL ? NULL : two->jacobian_b + c * per_contact;
    error = thud_vector_check(context, "jacobian_b", per_contact, false, J);
    if (error != THUD_OK) error = thud_fail_within(context, error, "contact %zu", c);
  }
  return error;
}

/* Rows of a joint, and its bodies. */
static thud_error check_joint(thud_context *context, const thud_contact_problem *problem, thud_index j) {
  const thud_two_block *two = &problem->two_block;
  thud_index rows = two->joint_start[j + 1] - two->joint_start[j], a = two->joint_a[j], b = two->joint_b[j];
  if (rows < 1 || rows > THUD_CONTACT_JOINT_MAX)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "joint %d has %d rows: 1 to %d are possible", (int)j, (int)rows,
                     (int)THUD_CONTACT_JOINT_MAX);
  if (a < 0 || a >= two->bodies || b < -1 || b >= two->bodies)
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "joint %d touches bodies %d and %d: joint_a is 0 to %d, joint_b may also be -1 (the world)",
                     (int)j, (int)a, (int)b, (int)two->bodies - 1);
  if (a == b)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "joint %d touches body %d twice: joint_a and joint_b must differ",
                     (int)j, (int)a);
  if (b < 0) return THUD_OK;
  size_t block = (size_t)two->block, entries = (size_t)rows * block;
  const double *G = two->joint_jacobian_b == NULL ? NULL : two->joint_jacobian_b + (size_t)two->joint_start[j] * block;
  thud_error error = thud_vector_check(context, "joint_jacobian_b", entries, false, G);
  return error == THUD_OK ? THUD_OK : thud_fail_within(context, error, "joint %d", (int)j);
}

static thud_error check_joints(thud_context *context, const thud_contact_problem *problem) {
  const thud_two_block *two = &problem->two_block;
  size_t rows = (size_t)problem->bilateral, block = (size_t)two->block;
  if (two->joints < 0 || (two->joints == 0 && problem->bilateral > 0))
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "there are %d bilateral rows and %d joints: in the two-block form every row belongs to a joint",
                     (int)problem->bilateral, (int)two->joints);
  if (two->joints == 0) return THUD_OK;
  if (two->joint_start == NULL || two->joint_a == NULL || two->joint_b == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "%s is NULL: every joint needs its rows and bodies",
                     two->joint_start == NULL ? "joint_start"
                     : two->joint_a == NULL   ? "joint_a"
                                              : "joint_b");
  if (two->joint_start[0] != 0 || two->joint_start[two->joints] != problem->bilateral)
    return thud_fail(context, THUD_ERROR_DIMENSION,
                     "joint_start goes from %d to %d: it must begin with 0 and end with the %d bilateral rows",
                     (int)two->joint_start[0], (int)two->joint_start[two->joints], (int)problem->bilateral);
  thud_error error = THUD_OK;
  for (thud_index j = 0; error == THUD_OK && j < two->joints; j++) error = check_joint(context, problem, j);
  if (error == THUD_OK)
    error = thud_vector_check(context, "joint_jacobian_a", rows * block, false, two->joint_jacobian_a);
  if (error == THUD_OK) error = thud_vector_check(context, "joint_w", rows, true, two->joint_w);
  return error;
}

static thud_error check_two_block(thud_context *context, const thud_contact_problem *problem) {
  const thud_two_block *two = &problem->two_block;
  if (two->bodies < 0 || two->block < 1 || two->block > THUD_CONTACT_BLOCK_MAX)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "%d bodies with %d degrees of freedom each: 1 to %d are possible",
                     (int)two->bodies, (int)two->block, (int)THUD_CONTACT_BLOCK_MAX);
  if (thud_contact_ndof(problem) > INT32_MAX)
    return thud_fail(context, THUD_ERROR_OVERFLOW, "%d bodies: at most %d degrees of freedom are possible",
                     (int)two->bodies, (int)INT32_MAX);
  size_t ndof = thud_contact_ndof(problem);
  thud_error error = check_pairs(context, problem);
  if (error == THUD_OK)
    error = thud_vector_check(context, "inverse_mass", ndof * (size_t)two->block, false, two->inverse_mass);
  if (error == THUD_OK) error = thud_vector_check(context, "free_velocity", ndof, false, two->free_velocity);
  if (error == THUD_OK) error = check_jacobians(context, problem);
  if (error == THUD_OK) error = thud_vector_check(context, "w", thud_contact_size(problem), true, two->w);
  return error == THUD_OK ? check_joints(context, problem) : error;
}

/* ---- diagnosis --------------------------------------------------------------------------------------------- */

/* Contacts whose normal component has no nonzero entry. */
static thud_index count_zero_rows(const thud_contact_problem *problem, const double *largest) {
  thud_index count = 0;
  for (thud_index c = 0; c < problem->contacts; c++)
    if (largest[(size_t)c * (size_t)problem->dimension] == 0) count++;
  return count;
}

/* `strictly`: zero counts as bad too. */
static thud_index first_bad_diagonal(size_t n, const double *diagonal, bool strictly) {
  for (size_t i = 0; i < n; i++)
    if (diagonal[i] < 0 || (strictly && diagonal[i] == 0)) return (thud_index)i;
  return -1;
}

static thud_error diagnose_matrices(thud_context *context, const thud_contact_problem *problem,
                                    thud_contact_diagnosis *found) {
  bool global = problem->form == THUD_FORM_GLOBAL;
  const thud_matrix *A = global ? &problem->M : &problem->W;
  size_t size = thud_contact_size(problem), n = global ? thud_contact_ndof(problem) : size;
  double *largest = THUD_NEW_ARRAY(context, double, n), *diagonal = THUD_NEW_ARRAY(context, double, n);
  double *columns = THUD_NEW_ARRAY(context, double, size);
  thud_error error = largest == NULL || diagonal == NULL || columns == NULL ? THUD_ERROR_MEMORY : THUD_OK;
  if (error == THUD_OK) {
    found->asymmetry = thud_matrix_asymmetry(A);
    thud_matrix_row_figures(A, false, largest, diagonal);
    found->negative_diagonal = first_bad_diagonal(n, diagonal, global);
    if (global) thud_matrix_row_figures(&problem->H, true, columns, NULL);
    found->zero_rows = count_zero_rows(problem, global ? columns : largest);
  }
  thud_free(context, largest);
  thud_free(context, diagonal);
  thud_free(context, columns);
  return error;
}

/* Square of the length of a row of J in the metric M^-1: 0 when the body does not move or the row vanishes. */
static double row_mobility(const thud_two_block *two, thud_index body, const double *row) {
  size_t n = (size_t)two->block;
  double sum = 0;
  const double *inverse = two->inverse_mass + (size_t)body * n * n;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) sum += row[i] * inverse[i * n + j] * row[j];
  return sum;
}

static void diagnose_two_block(const thud_contact_problem *problem, thud_contact_diagnosis *found) {
  const thud_two_block *two = &problem->two_block;
  size_t n = (size_t)two->block, per_contact = (size_t)problem->dimension * n;
  double largest = 0, skew = 0;
  for (size_t b = 0; b < (size_t)two->bodies; b++)
    for (size_t i = 0; i < n; i++)
      for (size_t j = 0; j < n; j++) {
        double value = two->inverse_mass[(b * n + i) * n + j];
        largest = fmax(largest, fabs(value));
        skew = fmax(skew, fabs(value - two->inverse_mass[(b * n + j) * n + i]));
      }
  found->asymmetry = largest > 0 ? skew / largest : 0;
  for (thud_index c = 0; c < problem->contacts; c++) {
    size_t place = (size_t)c * per_contact;
    double mobility = row_mobility(two, two->body_a[c], two->jacobian_a + place);
    if (two->body_b[c] >= 0) mobility += row_mobility(two, two->body_b[c], two->jacobian_b + place);
    if (mobility == 0) found->zero_rows++;
    if (mobility < 0 && found->negative_diagonal < 0) found->negative_diagonal = c * problem->dimension;
  }
}

thud_error thud_contact_validate(thud_context *context, const thud_contact_problem *problem,
                                 thud_contact_diagnosis *diagnosis) {
  THUD_REQUIRE(context, context, problem);
  thud_contact_diagnosis found = {.negative_diagonal = -1};
  thud_error error = check_kind(context, problem);
  if (error == THUD_OK) error = check_friction(context, problem);
  if (error != THUD_OK) return error;
  if (problem->form == THUD_FORM_LOCAL) error = check_local(context, problem);
  if (problem->form == THUD_FORM_GLOBAL) error = check_global(context, problem);
  if (problem->form == THUD_FORM_TWO_BLOCK) error = check_two_block(context, problem);
  if (error != THUD_OK || diagnosis == NULL) return error;
  if (problem->form == THUD_FORM_TWO_BLOCK)
    diagnose_two_block(problem, &found);
  else
    error = diagnose_matrices(context, problem, &found);
  if (error == THUD_OK) *diagnosis = found;
  return error;
}
