/* Units that make a problem of order 1. All factors are powers of 2: scaling and unscaling change no digit. */
#include "contact/contact_check.h"
#include "contact/owned.h"
#include "contact/problem.h"
#include "base/base.h"

#include <math.h>

/* The power of 2 next to x > 0; 1 when x is 0, or so far out that its inverse would overflow. */
static double power_of_two(double x) {
  enum { REACH = 500 };
  if (!(x > 0) || !isfinite(x)) return 1;
  int exponent = (int)lround(log2(x));
  return exponent < -REACH || exponent > REACH ? 1 : ldexp(1, exponent);
}

/* ---- choice --------------------------------------------------------------------------------------------- */

/* Mean size of the nonzero numbers among x[0], x[stride], ...; 0 when there is none. */
static double mean_size(size_t count, size_t stride, const double *x) {
  double sum = 0;
  size_t used = 0;
  for (size_t k = 0; k < count; k++)
    if (x[k * stride] != 0) {
      sum += fabs(x[k * stride]);
      used++;
    }
  return used > 0 ? sum / (double)used : 0;
}

/* A typical mass: impulse per velocity. */
static thud_error typical_mass(thud_context *context, const thud_contact_problem *problem, double *mass) {
  bool global = problem->form == THUD_FORM_GLOBAL;
  const thud_matrix *A = global ? &problem->M : &problem->W;
  size_t n = global ? thud_contact_ndof(problem) : thud_contact_size(problem);
  double *largest = THUD_NEW_ARRAY(context, double, n), *diagonal = THUD_NEW_ARRAY(context, double, n);
  thud_error error = largest == NULL || diagonal == NULL ? THUD_ERROR_MEMORY : THUD_OK;
  if (error == THUD_OK) {
    size_t stride = global ? 1 : (size_t)problem->dimension;
    thud_matrix_row_figures(A, false, largest, diagonal);
    double size = power_of_two(mean_size(n / stride, stride, diagonal));
    *mass = global ? size : 1 / size;
  }
  thud_free(context, largest);
  thud_free(context, diagonal);
  return error;
}

/* Mean of the first diagonal entries (translations come first). */
static double typical_body_mass(const thud_two_block *two) {
  size_t stride = (size_t)two->block * (size_t)two->block;
  return 1 / power_of_two(mean_size((size_t)two->bodies, stride, two->inverse_mass));
}

thud_error thud_contact_choose_scaling(thud_context *context, const thud_contact_problem *problem,
                                       thud_contact_scaling *scaling) {
  THUD_REQUIRE(context, context, problem, scaling);
  thud_contact_evaluator *evaluator = NULL;
  double mass = 1;
  thud_error error = thud_contact_evaluator_create(context, problem, &evaluator);
  if (error != THUD_OK) return error;
  size_t size = thud_contact_size(problem);
  double velocity = power_of_two(thud_norm_max(context, size, thud_contact_evaluator_q(evaluator), NULL));
  thud_contact_evaluator_destroy(evaluator);
  if (problem->form == THUD_FORM_TWO_BLOCK)
    mass = typical_body_mass(&problem->two_block);
  else
    error = typical_mass(context, problem, &mass);
  if (error == THUD_OK) *scaling = (thud_contact_scaling){.velocity = velocity, .impulse = mass * velocity};
  return error;
}

/* ---- change of units -------------------------------------------------------------------------------------- */

/* Multiplies an array of an owned problem, which its problem shows as const. */
static void multiply(size_t count, const double *array, double factor) {
  double *writable = (double *)array;
  for (size_t k = 0; array != NULL && k < count; k++) writable[k] *= factor;
}

static void multiply_matrix(const thud_matrix *A, double factor) {
  if (A->storage == THUD_MATRIX_DENSE) multiply((size_t)A->rows * (size_t)A->columns, A->dense, factor);
  if (A->storage == THUD_MATRIX_SPARSE) multiply((size_t)A->sparse.column_start[A->columns], A->sparse.value, factor);
  if (A->storage == THUD_MATRIX_BLOCKS)
    multiply((size_t)A->blocks.row_start[A->blocks.block_rows] * (size_t)A->blocks.rows_per_block *
                 (size_t)A->blocks.columns_per_block,
             A->blocks.values, factor);
}

/* u = a u', r = c r', l = c l', v = a v': W' = (c/a) W, q' = q/a; M' = (a/c) M, f' = f/c, w' = w/a. */
static void change_units(const thud_contact_problem *copy, const thud_contact_scaling *scaling) {
  double per_velocity = 1 / scaling->velocity, mobility = scaling->impulse / scaling->velocity;
  size_t size = thud_contact_size(copy), bilateral = (size_t)copy->bilateral, ndof = thud_contact_ndof(copy);
  if (copy->form == THUD_FORM_TWO_BLOCK) {
    multiply(ndof * (size_t)copy->two_block.block, copy->two_block.inverse_mass, mobility);
    multiply(ndof, copy->two_block.free_velocity, per_velocity);
    multiply(size, copy->two_block.w, per_velocity);
    multiply(bilateral, copy->two_block.joint_w, per_velocity);
    return;
  }
  multiply_matrix(&copy->W, mobility);
  multiply_matrix(&copy->V, mobility);
  multiply_matrix(&copy->R, mobility);
  multiply(size, copy->q, per_velocity);
  multiply(bilateral, copy->s, per_velocity);
  multiply_matrix(&copy->M, 1 / mobility);
  multiply(ndof, copy->f, 1 / scaling->impulse);
  multiply(size, copy->w, per_velocity);
  multiply(bilateral, copy->b, per_velocity);
}

thud_error thud_contact_scale(thud_context *context, const thud_contact_problem *problem,
                              const thud_contact_scaling *scaling, thud_owned_problem **scaled) {
  THUD_REQUIRE(context, context, problem, scaling, scaled);
  if (!(scaling->velocity > 0) || !(scaling->impulse > 0) || !isfinite(scaling->velocity) ||
      !isfinite(scaling->impulse))
    return thud_fail(context, THUD_ERROR_ARGUMENT, "scaling: velocity %g and impulse %g must be positive and finite",
                     scaling->velocity, scaling->impulse);
  thud_error error = thud_contact_copy(context, problem, scaled);
  if (error == THUD_OK) change_units(thud_owned_problem_view(*scaled), scaling);
  return error;
}

void thud_contact_unscale_answer(const thud_contact_problem *problem, const thud_contact_scaling *scaling, double *r,
                                 double *u, double *v, double *l) {
  THUD_REQUIRE_OR(, problem, scaling);
  size_t size = thud_contact_size(problem);
  multiply(size, r, scaling->impulse);
  multiply(size, u, scaling->velocity);
  multiply(thud_contact_ndof(problem), v, scaling->velocity);
  multiply((size_t)problem->bilateral, l, scaling->impulse);
}
