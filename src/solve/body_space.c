#include "solve/body_space.h"
#include "contact/discs.h"

#include <math.h>
#include <string.h>

enum { DIMENSION_MAX = THUD_CONTACT_DIMENSION_MAX, BLOCK_MAX = THUD_BLOCK_FACTOR_MAX };
/* Masses count as symmetric up to this part of their largest entry. */
static const double SYMMETRIC = 1e-14;

/* ---- create, update, destroy ---------------------------------------------------------------------------------------- */

bool thud_body_space_takes(const thud_contact_problem *problem) {
  return problem->form == THUD_FORM_TWO_BLOCK && problem->bilateral == 0 && problem->contacts > 0;
}

thud_error thud_body_space_create(thud_context *context, const thud_contact_problem *problem, thud_body_space **space) {
  thud_body_space *made = THUD_NEW(context, thud_body_space);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->context = context;
  made->d = (size_t)problem->dimension;
  made->n = (size_t)problem->two_block.block;
  made->contacts = (size_t)problem->contacts;
  made->bodies = (size_t)problem->two_block.bodies;
  made->mass = THUD_NEW_ARRAY(context, double, made->bodies * made->n * made->n);
  made->moves = THUD_NEW_ARRAY(context, bool, made->bodies);
  made->load = THUD_NEW_ARRAY(context, double, made->bodies * made->n);
  thud_error error = made->mass != NULL && made->moves != NULL && made->load != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  if (error == THUD_OK) error = thud_block_factor_create(context, made->bodies, made->n, &made->factor);
  if (error != THUD_OK) {
    thud_body_space_destroy(made);
    return error;
  }
  *space = made;
  return THUD_OK;
}

void thud_body_space_destroy(thud_body_space *space) {
  if (space == NULL) return;
  thud_context *context = space->context;
  thud_block_factor_destroy(space->factor);
  thud_free(context, space->mass);
  thud_free(context, space->moves);
  thud_free(context, space->load);
  thud_free(context, space);
}

/* M of one body from its inverse. False when that is singular to working precision. */
static bool invert_mass(size_t n, const double *inverse, double *mass) {
  memcpy(mass, inverse, n * n * sizeof *mass);
  if (!thud_block_invert(n, mass)) return false;
  for (size_t i = 0; i < n * n; i++)
    if (!isfinite(mass[i])) return false;
  return true;
}

static bool body_moves(size_t n, const double *inverse) {
  bool moves = false;
  for (size_t i = 0; i < n * n; i++) moves = moves || inverse[i] != 0;
  return moves;
}

bool thud_body_space_fits(const thud_contact_problem *problem) {
  size_t n = (size_t)problem->two_block.block;
  for (size_t b = 0; b < (size_t)problem->two_block.bodies; b++) {
    const double *inverse = problem->two_block.inverse_mass + b * n * n;
    double mass[BLOCK_MAX * BLOCK_MAX];
    if (body_moves(n, inverse) && !invert_mass(n, inverse, mass)) return false;
  }
  return true;
}

static bool is_symmetric(size_t n, const double *inverse) {
  double largest = 0, difference = 0;
  for (size_t i = 0; i < n * n; i++) largest = fmax(largest, fabs(inverse[i]));
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < i; j++) difference = fmax(difference, fabs(inverse[i * n + j] - inverse[j * n + i]));
  return difference <= SYMMETRIC * largest;
}

static bool invert_masses(thud_body_space *space) {
  size_t block = space->n * space->n;
  space->symmetric = true;
  for (size_t b = 0; b < space->bodies; b++) {
    const double *inverse = space->problem->two_block.inverse_mass + b * block;
    space->moves[b] = body_moves(space->n, inverse);
    space->symmetric = space->symmetric && is_symmetric(space->n, inverse);
    if (space->moves[b] && !invert_mass(space->n, inverse, space->mass + b * block)) return false;
  }
  return true;
}

thud_error thud_body_space_update(thud_body_space *space, const thud_contact_problem *problem, const double *scale,
                                  bool *fits) {
  space->problem = problem;
  space->scale = scale;
  *fits = invert_masses(space);
  if (!*fits) return THUD_OK;
  return thud_block_factor_analyse(space->factor, space->contacts, problem->two_block.body_a,
                                   problem->two_block.body_b);
}

/* ---- factorization ------------------------------------------------------------------------------------------------------ */

/* S J of a contact on one side, row-major; zeros where the body does not move or is the world. */
static inline void read_jacobian(const thud_body_space *space, size_t k, bool second, size_t d, size_t n, double *J) {
  const thud_two_block *two = &space->problem->two_block;
  const double *given = (second ? two->jacobian_b : two->jacobian_a) + k * d * n, *scale = space->scale + k * d;
  for (size_t i = 0; i < d; i++)
    for (size_t j = 0; j < n; j++) J[i * n + j] = scale[i] * given[i * n + j];
}

/* block += J' G, column-major; J and G are d x n, row-major. */
static inline void add_block(size_t d, size_t n, const double *J, const double *G, double *block) {
  for (size_t j = 0; j < n; j++)
    for (size_t m = 0; m < d; m++)
      for (size_t i = 0; i < n; i++) block[j * n + i] += J[m * n + i] * G[m * n + j];
}

/* G = K J, row-major. */
static inline void apply_block(size_t d, size_t n, const double *K, const double *J, double *G) {
  for (size_t i = 0; i < d; i++)
    for (size_t j = 0; j < n; j++) {
      double sum = 0;
      for (size_t m = 0; m < d; m++) sum += K[m * d + i] * J[m * n + j];
      G[i * n + j] = sum;
    }
}

static inline __attribute__((always_inline)) void add_contact(thud_body_space *space, size_t k, size_t d, size_t n) {
  const thud_two_block *two = &space->problem->two_block;
  double J[2][DIMENSION_MAX * BLOCK_MAX], G[2][DIMENSION_MAX * BLOCK_MAX];
  const double *K = space->K + k * d * d;
  thud_index body[2] = {two->body_a[k], two->body_b[k]};
  bool acts[2] = {space->moves[body[0]], body[1] >= 0 && space->moves[body[1]]};
  bool any = false;
  for (size_t i = 0; i < d * d; i++) any = any || K[i] != 0;
  if (!any) return; /* open */
  for (int s = 0; s < 2; s++)
    if (acts[s]) {
      read_jacobian(space, k, s == 1, d, n, J[s]);
      apply_block(d, n, K, J[s], G[s]);
      add_block(d, n, J[s], G[s], thud_block_factor_diagonal(space->factor, body[s]));
    }
  if (!acts[0] || !acts[1]) return;
  double *ab, *ba;
  thud_block_factor_pair(space->factor, k, &ab, &ba);
  if (ab != NULL) add_block(d, n, J[0], G[1], ab);
  if (ba != NULL) add_block(d, n, J[1], G[0], ba);
}

static void add_masses(thud_body_space *space) {
  size_t n = space->n;
  for (size_t b = 0; b < space->bodies; b++) {
    double *block = thud_block_factor_diagonal(space->factor, (thud_index)b);
    if (space->moves[b])
      memcpy(block, space->mass + b * n * n, n * n * sizeof *block);
    else
      for (size_t i = 0; i < n; i++) block[i * n + i] = 1;
  }
}

bool thud_body_space_factorize(thud_body_space *space, const double *K, bool symmetric) {
  size_t d = space->d, n = space->n;
  space->K = K;
  thud_block_factor_clear(space->factor, symmetric && space->symmetric);
  add_masses(space);
  if (d == 3 && n == 6)
    for (size_t k = 0; k < space->contacts; k++) add_contact(space, k, 3, 6);
  else if (d == 2 && n == 3)
    for (size_t k = 0; k < space->contacts; k++) add_contact(space, k, 2, 3);
  else
    for (size_t k = 0; k < space->contacts; k++) add_contact(space, k, d, n);
  return thud_block_factor_factorize(space->factor);
}

/* ---- solve -------------------------------------------------------------------------------------------------------------- */

/* load += J' x of one side. */
static void add_load(thud_body_space *space, size_t k, bool second, thud_index body, const double *x) {
  const thud_two_block *two = &space->problem->two_block;
  size_t d = space->d, n = space->n;
  const double *J = (second ? two->jacobian_b : two->jacobian_a) + k * d * n, *scale = space->scale + k * d;
  double *load = space->load + (size_t)body * n;
  if (!space->moves[body]) return;
  for (size_t i = 0; i < d; i++)
    for (size_t j = 0; j < n; j++) load[j] += J[i * n + j] * (scale[i] * x[i]);
}

/* u += J w of one side. */
static void add_velocity(const thud_body_space *space, size_t k, bool second, thud_index body, double *u) {
  const thud_two_block *two = &space->problem->two_block;
  size_t d = space->d, n = space->n;
  const double *J = (second ? two->jacobian_b : two->jacobian_a) + k * d * n, *scale = space->scale + k * d;
  const double *w = space->load + (size_t)body * n;
  if (!space->moves[body]) return;
  for (size_t i = 0; i < d; i++) {
    double sum = 0;
    for (size_t j = 0; j < n; j++) sum += J[i * n + j] * w[j];
    u[i] += scale[i] * sum;
  }
}

void thud_body_space_solve(thud_body_space *space, const double *g, double *dx) {
  const thud_two_block *two = &space->problem->two_block;
  size_t d = space->d;
  memset(space->load, 0, space->bodies * space->n * sizeof(double));
  for (size_t k = 0; k < space->contacts; k++) {
    add_load(space, k, false, two->body_a[k], g + k * d);
    if (two->body_b[k] >= 0) add_load(space, k, true, two->body_b[k], g + k * d);
  }
  thud_block_factor_solve(space->factor, space->load);
  for (size_t k = 0; k < space->contacts; k++) {
    double u[DIMENSION_MAX] = {0};
    const double *K = space->K + k * d * d;
    add_velocity(space, k, false, two->body_a[k], u);
    if (two->body_b[k] >= 0) add_velocity(space, k, true, two->body_b[k], u);
    for (size_t i = 0; i < d; i++) {
      double sum = g[k * d + i];
      for (size_t j = 0; j < d; j++) sum -= K[j * d + i] * u[j];
      dx[k * d + i] = sum;
    }
  }
}
