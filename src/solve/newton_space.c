#include "solve/newton_space.h"
#include "solve/body_space.h"
#include "solve/product_two_block.h"

#include <math.h>
#include <string.h>

/* Smaller systems are factorised in the local form, which rounds less. */
enum { LOCAL_UP_TO = 120, REFINEMENTS = 3 };
/* The part of the right-hand side that needs no refinement, and what a step of it has to leave at most. */
static const double DEFECT = 1e-10, PROGRESS = 0.5;
/* Least shift: stiffer contacts cost more digits than they win. */
static const double LEAST_SHIFT = 1e-8;

struct thud_newton_space {
  thud_context *context;
  size_t d, contacts, size;
  thud_two_block_product *product;
  thud_two_block_sweep *sweep;
  thud_body_space *bodies;
  double *diagonal, *K;                /* [contacts*d*d] */
  double *q, *unit, *g, *defect, *add; /* [size] */
};

bool thud_newton_sees(const thud_contact_problem *problem) {
  return thud_body_space_takes(problem) && thud_contact_size(problem) > LOCAL_UP_TO && thud_body_space_fits(problem);
}

/* ---- create, update, destroy ------------------------------------------------------------------------------------- */

static thud_error allocate(thud_newton_space *space, const thud_contact_problem *problem) {
  thud_context *context = space->context;
  size_t block = space->d * space->d;
  double **const blocks[] = {&space->diagonal, &space->K};
  double **const vectors[] = {&space->q, &space->unit, &space->g, &space->defect, &space->add};
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++)
    if ((*blocks[k] = THUD_NEW_ARRAY(context, double, space->contacts *block)) == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
    if ((*vectors[k] = THUD_NEW_ARRAY(context, double, space->size)) == NULL) return THUD_ERROR_MEMORY;
  for (size_t i = 0; i < space->size; i++) space->unit[i] = 1;
  thud_error error = thud_two_block_product_create(context, problem, &space->product);
  if (error == THUD_OK) error = thud_two_block_sweep_create(context, problem, &space->sweep);
  return error == THUD_OK ? thud_body_space_create(context, problem, &space->bodies) : error;
}

thud_error thud_newton_space_create(thud_context *context, const thud_contact_problem *problem,
                                    thud_newton_space **space) {
  thud_newton_space *made = THUD_NEW(context, thud_newton_space);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->context = context;
  made->d = (size_t)problem->dimension;
  made->contacts = (size_t)problem->contacts;
  made->size = thud_contact_size(problem);
  thud_error error = allocate(made, problem);
  if (error == THUD_OK)
    *space = made;
  else
    thud_newton_space_destroy(made);
  return error;
}

void thud_newton_space_destroy(thud_newton_space *space) {
  if (space == NULL) return;
  thud_context *context = space->context;
  thud_two_block_product_destroy(space->product);
  thud_two_block_sweep_destroy(space->sweep);
  thud_body_space_destroy(space->bodies);
  double *const arrays[] = {space->diagonal, space->K, space->q, space->unit, space->g, space->defect, space->add};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(context, arrays[k]);
  thud_free(context, space);
}

thud_error thud_newton_space_update(thud_newton_space *space, const thud_contact_problem *problem) {
  bool fits = false;
  thud_two_block_product_update(space->product, problem);
  thud_two_block_product_blocks(space->product, space->diagonal);
  thud_two_block_product_free_velocity(space->product, space->q);
  thud_error error = thud_two_block_sweep_update(space->sweep, problem, true);
  if (error == THUD_OK) error = thud_body_space_update(space->bodies, problem, space->unit, &fits);
  if (error == THUD_OK && !fits) return thud_fail(space->context, THUD_ERROR_SINGULAR, "an inverse mass is singular");
  return error;
}

const double *thud_newton_space_diagonal(const thud_newton_space *space) { return space->diagonal; }
const double *thud_newton_space_q(const thud_newton_space *space) { return space->q; }

double thud_newton_space_work(const thud_newton_space *space) { return space->bodies->factor->work; }

void thud_newton_space_apply(const thud_newton_space *space, const double *r, double *u) {
  thud_two_block_product_apply(space->product, r, u);
}

void thud_newton_space_sweep(thud_newton_space *space, int count, const thud_gauss_seidel_options *options, double *r) {
  thud_two_block_sweep_load(space->sweep, r, NULL);
  for (int k = 0; k < count; k++) thud_two_block_sweep_run(space->sweep, options);
  thud_two_block_sweep_store(space->sweep, r, NULL);
}

/* ---- direction ------------------------------------------------------------------------------------------------------ */

/* E of a line, m x m, column-major. */
static void fill_inner(const thud_newton_line *line, size_t d, double delta, double *E) {
  size_t m = (size_t)line->unknowns;
  for (size_t j = 0; j < m; j++)
    for (size_t i = 0; i < m; i++) {
      double sum = 0;
      for (size_t k = 0; k < d; k++) sum += line->P[i * d + k] * line->S[j * d + k];
      E[j * m + i] = line->D[j * d + i] + delta * sum;
    }
}

/* K and g of one contact. False: E is singular. */
static bool reduce_line(const thud_newton_line *line, size_t d, double delta, double *K, double *g) {
  size_t m = (size_t)line->unknowns;
  double E[THUD_NEWTON_DIMENSION_MAX * THUD_NEWTON_DIMENSION_MAX];
  memset(K, 0, d * d * sizeof *K);
  memcpy(g, line->c, d * sizeof *g);
  if (m == 0) return true;
  fill_inner(line, d, delta, E);
  if (!thud_block_invert(m, E)) return false;
  for (size_t j = 0; j < m; j++) {
    double right = line->b[j], column[THUD_NEWTON_DIMENSION_MAX] = {0}; /* of S E^-1 */
    for (size_t k = 0; k < d; k++) right += delta * line->P[j * d + k] * line->c[k];
    for (size_t k = 0; k < m; k++)
      for (size_t i = 0; i < d; i++) column[i] += line->S[k * d + i] * E[j * m + k];
    for (size_t i = 0; i < d; i++) {
      g[i] -= column[i] * right;
      for (size_t k = 0; k < d; k++) K[k * d + i] += column[i] * line->P[j * d + k];
    }
  }
  return true;
}

/* defect = g - dr - K W dr */
static double find_defect(thud_newton_space *space, const double *dr) {
  size_t d = space->d;
  thud_newton_space_apply(space, dr, space->add);
  for (size_t k = 0; k < space->contacts; k++) {
    const double *K = space->K + k * d * d, *u = space->add + k * d;
    for (size_t i = 0; i < d; i++) {
      double sum = space->g[k * d + i] - dr[k * d + i];
      for (size_t j = 0; j < d; j++) sum -= K[j * d + i] * u[j];
      space->defect[k * d + i] = sum;
    }
  }
  return thud_norm2(space->context, space->size, space->defect);
}

/* Refinement ends when the defect is small, or no longer falls. */
static bool solve_refined(thud_newton_space *space, double *dr) {
  double wanted = DEFECT * thud_norm2(space->context, space->size, space->g), last = INFINITY;
  thud_body_space_solve(space->bodies, space->g, dr);
  for (int k = 0; k < REFINEMENTS; k++) {
    double defect = find_defect(space, dr);
    if (!isfinite(defect)) return false;
    if (defect <= wanted || !(defect < PROGRESS * last)) break;
    last = defect;
    thud_body_space_solve(space->bodies, space->defect, space->add);
    for (size_t i = 0; i < space->size; i++) dr[i] += space->add[i];
  }
  return true;
}

bool thud_newton_space_direction(thud_newton_space *space, const thud_newton_line *lines, double shift,
                                 const double *lambda, double *dr) {
  size_t d = space->d;
  shift = fmax(shift, LEAST_SHIFT);
  for (size_t k = 0; k < space->contacts; k++)
    if (!reduce_line(&lines[k], d, shift * lambda[k], space->K + k * d * d, space->g + k * d)) return false;
  return thud_body_space_factorize(space->bodies, space->K, false) && solve_refined(space, dr);
}
