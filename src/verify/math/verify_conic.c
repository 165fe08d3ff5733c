/* The interior point method of verify_conic.h. */
#include "verify/math/verify_conic.h"
#include "verify/math/verify_dense.h"

#include <string.h>
#include <tgmath.h>

/* Close to a solution the Newton systems are as ill-conditioned as they can be: with the long double of the machine (11
 * more bits on x86, many more elsewhere, none at worst) the last digits of a double are still reached. */
typedef long double real;

enum { MAX_ITERATIONS = 80, REFINEMENTS = 1, CENTRINGS = 2 };
static const real STEP_FRACTION = 0.99;      /* of the way to the boundary of the cone */
static const real REGULARISATION = 0x1p-45L; /* of the Newton matrix; taken back by refinement */
static const real LATE = 1e-6L;              /* gap from which on iterates are centred */
static const real GOAL = 0x1p-62L;           /* gap and residual below which nothing is to be gained */

/* One solve in progress. Vectors of the cone have `rows` entries. */
typedef struct conic_run {
  const verify_conic *p;
  size_t order;                /* of the Newton matrix: variables + equalities + rows */
  real *x, *y, *z, *s;         /* the iterate */
  real *before;                /* [variables] x before the step */
  real *rx, *ry, *rz;          /* residuals of the dual equation, A x - b, G x + s - h */
  real *lambda;                /* [rows] the scaled point W z = W^-1 s */
  real *weight;                /* [orthant] W of the orthant: sqrt(s/z) */
  real *v;                     /* [rows] the vector of each block's W = beta (2 v v' - J) */
  real *beta;                  /* [block_count] */
  real *newton, *factor;       /* [order x order] the matrix as it is, and its factors after regularisation */
  size_t *exchanges;           /* [order] */
  real *right, *step, *defect; /* [order] */
  real *ds, *affine_ds, *affine_dz, *q, *work; /* [rows] */
} conic_run;

/* ---- plain loops --------------------------------------------------------------------------------------------- */

static real dot(size_t n, const real *x, const real *y) {
  real sum = 0;
  for (size_t i = 0; i < n; i++) sum += x[i] * y[i];
  return sum;
}

static real norm(size_t n, const real *x) { return sqrt(dot(n, x, x)); }

/* row . x for a row of the program */
static real row_dot(size_t n, const double *row, const real *x) {
  real sum = 0;
  for (size_t i = 0; i < n; i++) sum += row[i] * x[i];
  return sum;
}

static void widen(size_t n, const double *from, real *to) {
  for (size_t i = 0; i < n; i++) to[i] = from[i];
}

/* A [n x n], by rows, = P L U in place with row exchanges; false when a pivot is 0 or not finite. */
static bool lu_factor(size_t n, real *A, size_t *exchanges) {
  for (size_t k = 0; k < n; k++) {
    size_t pivot = k;
    for (size_t i = k + 1; i < n; i++)
      if (fabs(A[i * n + k]) > fabs(A[pivot * n + k])) pivot = i;
    exchanges[k] = pivot;
    for (size_t j = 0; pivot != k && j < n; j++) {
      real held = A[k * n + j];
      A[k * n + j] = A[pivot * n + j];
      A[pivot * n + j] = held;
    }
    real diagonal = A[k * n + k];
    if (!(fabs(diagonal) > 0) || !isfinite(diagonal)) return false;
    for (size_t i = k + 1; i < n; i++) {
      real factor = A[i * n + k] / diagonal;
      A[i * n + k] = factor;
      if (factor == 0) continue;
      for (size_t j = k + 1; j < n; j++) A[i * n + j] -= factor * A[k * n + j];
    }
  }
  return true;
}

/* x comes in as the right side and goes out as the solution. */
static void lu_solve(size_t n, const real *LU, const size_t *exchanges, real *x) {
  for (size_t k = 0; k < n; k++) {
    real held = x[k];
    x[k] = x[exchanges[k]];
    x[exchanges[k]] = held;
  }
  for (size_t i = 1; i < n; i++) x[i] -= dot(i, LU + i * n, x);
  for (size_t i = n; i-- > 0;) x[i] = (x[i] - dot(n - i - 1, LU + i * n + i + 1, x + i + 1)) / LU[i * n + i];
}

/* ---- the cone ------------------------------------------------------------------------------------------- */

/* Calls for each second-order block: offset of its rows and size. */
#define FOR_BLOCKS(program, k, offset, size)                                                                           \
  for (size_t k = 0, offset = (program)->orthant, size = (program)->block_count > 0 ? (program)->blocks[0] : 0;        \
       k < (program)->block_count; offset += size, k++, size = k < (program)->block_count ? (program)->blocks[k] : 0)

/* x'Jy, J = diag(1, -1, ..., -1) */
static real hyperbolic(size_t n, const real *x, const real *y) { return x[0] * y[0] - dot(n - 1, x + 1, y + 1); }

/* (x0 - |x1|)(x0 + |x1|): keeps its digits near the boundary. */
static real hyperbolic_square(size_t n, const real *x) {
  real tail = norm(n - 1, x + 1);
  return (x[0] - tail) * (x[0] + tail);
}

static real degree(const verify_conic *p) { return (real)(p->orthant + p->block_count); }

/* Smallest a such that x + a e is in the cone. */
static real shift_into_cone(const verify_conic *p, const real *x) {
  real shift = -INFINITY;
  for (size_t i = 0; i < p->orthant; i++) shift = fmax(shift, -x[i]);
  FOR_BLOCKS(p, k, o, n) shift = fmax(shift, norm(n - 1, x + o + 1) - x[o]);
  return shift;
}

static void add_identity(const verify_conic *p, real a, real *x) {
  for (size_t i = 0; i < p->orthant; i++) x[i] += a;
  FOR_BLOCKS(p, k, o, n) x[o] += a;
}

/* Largest a <= limit with x + a d in the block: the hyperbolic reflection that takes x to a multiple of e takes d to
 * rho, and then e + a rho must be in the cone. */
static real block_step(size_t n, const real *x, const real *d, real limit) {
  real length = sqrt(hyperbolic_square(n, x)), along = hyperbolic(n, x, d) / length, square = 0;
  real factor = (along + d[0]) / (x[0] / length + 1);
  for (size_t i = 1; i < n; i++) {
    real rho = d[i] - factor * (x[i] / length);
    square += rho * rho;
  }
  real decrease = (sqrt(square) - along) / length;
  return decrease > 0 ? fmin(limit, 1 / decrease) : limit;
}

static real longest_step(const verify_conic *p, const real *x, const real *d, real limit) {
  for (size_t i = 0; i < p->orthant; i++)
    if (d[i] < 0) limit = fmin(limit, -x[i] / d[i]);
  FOR_BLOCKS(p, k, o, n) limit = block_step(n, x + o, d + o, limit);
  return limit;
}

/* out = x o y: products in the orthant, (x.y, x0 y1 + y0 x1) in a block. out is neither x nor y. */
static void product(const verify_conic *p, const real *x, const real *y, real *out) {
  for (size_t i = 0; i < p->orthant; i++) out[i] = x[i] * y[i];
  FOR_BLOCKS(p, k, o, n) {
    out[o] = dot(n, x + o, y + o);
    for (size_t i = 1; i < n; i++) out[o + i] = x[o] * y[o + i] + y[o] * x[o + i];
  }
}

/* x with lambda o x = r; may be done in place. */
static void quotient(const verify_conic *p, const real *lambda, const real *r, real *x) {
  for (size_t i = 0; i < p->orthant; i++) x[i] = r[i] / lambda[i];
  FOR_BLOCKS(p, k, o, n) {
    const real *l = lambda + o;
    real determinant = hyperbolic_square(n, l);
    real tail = dot(n - 1, l + 1, r + o + 1), head = (l[0] * r[o] - tail) / determinant;
    for (size_t i = 1; i < n; i++) x[o + i] = (r[o + i] - head * l[i]) / l[0];
    x[o] = head;
  }
}

/* ---- Nesterov-Todd scaling --------------------------------------------------------------------------------- */

/* W = beta (2 v v' - J) with W z = W^-1 s; false when an iterate has left the cone by rounding. */
static bool scale_block(size_t n, const real *s, const real *z, real *v, real *beta) {
  real ss = hyperbolic_square(n, s), zz = hyperbolic_square(n, z);
  if (!(ss > 0) || !(zz > 0)) return false;
  real s_length = sqrt(ss), z_length = sqrt(zz);
  real cosine = dot(n, s, z) / (s_length * z_length), gamma = sqrt((1 + cosine) / 2);
  for (size_t i = 0; i < n; i++) v[i] = (s[i] / s_length + (i == 0 ? z[i] : -z[i]) / z_length) / (2 * gamma);
  v[0] += 1;
  real scale = sqrt(2 * v[0]);
  for (size_t i = 0; i < n; i++) v[i] /= scale;
  *beta = sqrt(s_length / z_length);
  return true;
}

/* out = W x, or W^-1 x = (1/beta) (2 Jv v'J - J) x; out may be x. */
static void apply_scaling(const conic_run *run, bool inverse, const real *x, real *out) {
  const verify_conic *p = run->p;
  for (size_t i = 0; i < p->orthant; i++) out[i] = inverse ? x[i] / run->weight[i] : x[i] * run->weight[i];
  FOR_BLOCKS(p, k, o, n) {
    const real *v = run->v + o;
    real factor = inverse ? 1 / run->beta[k] : run->beta[k], sign = inverse ? -1 : 1;
    real along = 2 * (v[0] * x[o] + sign * dot(n - 1, v + 1, x + o + 1));
    out[o] = factor * (along * v[0] - x[o]);
    for (size_t i = 1; i < n; i++) out[o + i] = factor * (sign * along * v[i] + x[o + i]);
  }
}

static bool update_scaling(conic_run *run) {
  const verify_conic *p = run->p;
  for (size_t i = 0; i < p->orthant; i++) {
    if (!(run->s[i] > 0) || !(run->z[i] > 0)) return false;
    run->weight[i] = sqrt(run->s[i] / run->z[i]);
  }
  FOR_BLOCKS(p, k, o, n) {
    if (!scale_block(n, run->s + o, run->z + o, run->v + o, &run->beta[k])) return false;
  }
  apply_scaling(run, false, run->z, run->lambda);
  return true;
}

/* ---- the Newton system [P A' G'; A 0 0; G 0 -W^2] -------------------------------------------------------------- */

static void put_constraints(const conic_run *run) {
  const verify_conic *p = run->p;
  size_t nx = p->variables, order = run->order;
  memset(run->newton, 0, order * order * sizeof(real));
  for (size_t i = 0; i < p->squares; i++) run->newton[i * order + i] = 1;
  for (size_t i = 0; i < p->equalities + p->rows; i++) {
    const double *row = i < p->equalities ? p->A + i * nx : p->G + (i - p->equalities) * nx;
    for (size_t j = 0; j < nx; j++) {
      run->newton[(nx + i) * order + j] = row[j];
      run->newton[j * order + nx + i] = row[j];
    }
  }
}

/* -W^2 in the lower right corner; identity: W = I. */
static void put_scaling(conic_run *run, bool identity) {
  const verify_conic *p = run->p;
  size_t first = p->variables + p->equalities, order = run->order;
  for (size_t j = 0; j < p->rows; j++) {
    memset(run->work, 0, p->rows * sizeof(real));
    run->work[j] = 1;
    if (!identity) {
      apply_scaling(run, false, run->work, run->work);
      apply_scaling(run, false, run->work, run->work);
    }
    for (size_t i = 0; i < p->rows; i++) run->newton[(first + i) * order + first + j] = -run->work[i];
  }
}

static bool factor_newton(conic_run *run, bool identity) {
  size_t order = run->order, nx = run->p->variables;
  put_constraints(run);
  put_scaling(run, identity);
  memcpy(run->factor, run->newton, order * order * sizeof(real));
  for (size_t i = 0; i < order; i++) run->factor[i * order + i] += i < nx ? REGULARISATION : -REGULARISATION;
  return lu_factor(order, run->factor, run->exchanges);
}

/* step = solution for the right side, refined on the matrix without regularisation. */
static void solve_newton(conic_run *run) {
  size_t order = run->order;
  memcpy(run->step, run->right, order * sizeof(real));
  lu_solve(order, run->factor, run->exchanges, run->step);
  for (int k = 0; k < REFINEMENTS; k++) {
    for (size_t i = 0; i < order; i++) run->defect[i] = run->right[i] - dot(order, run->newton + i * order, run->step);
    lu_solve(order, run->factor, run->exchanges, run->defect);
    for (size_t i = 0; i < order; i++) run->step[i] += run->defect[i];
  }
}

/* ---- the iteration ------------------------------------------------------------------------------------------ */

/* Least-norm points that fulfil the equations, pushed into the cone. With an objective that is linear the two problems
 * are separate. */
static bool start(conic_run *run) {
  const verify_conic *p = run->p;
  size_t nx = p->variables, ne = p->equalities;
  if (!factor_newton(run, true)) return false;
  bool separate = p->squares == 0;
  for (size_t j = 0; j < nx; j++) run->right[j] = separate ? 0 : -p->c[j];
  widen(ne, p->b, run->right + nx);
  widen(p->rows, p->h, run->right + nx + ne);
  solve_newton(run);
  memcpy(run->x, run->step, nx * sizeof(real));
  for (size_t i = 0; i < p->rows; i++) run->s[i] = -run->step[nx + ne + i];
  if (separate) {
    memset(run->right, 0, run->order * sizeof(real));
    for (size_t j = 0; j < nx; j++) run->right[j] = -p->c[j];
    solve_newton(run);
  }
  memcpy(run->y, run->step + nx, ne * sizeof(real));
  memcpy(run->z, run->step + nx + ne, p->rows * sizeof(real));
  real shift = shift_into_cone(p, run->s);
  if (shift >= 0) add_identity(p, 1 + shift, run->s);
  shift = shift_into_cone(p, run->z);
  if (shift >= 0) add_identity(p, 1 + shift, run->z);
  return true;
}

static real largest(size_t n, const real *x, real so_far) {
  for (size_t i = 0; i < n; i++) so_far = isnan(x[i]) ? INFINITY : fmax(so_far, fabs(x[i]));
  return so_far;
}

static verify_conic_answer measure(conic_run *run) {
  const verify_conic *p = run->p;
  size_t nx = p->variables;
  widen(nx, p->c, run->rx);
  for (size_t j = 0; j < p->squares; j++) run->rx[j] += run->x[j];
  for (size_t i = 0; i < p->equalities; i++) {
    const double *row = p->A + i * nx;
    run->ry[i] = row_dot(nx, row, run->x) - p->b[i];
    for (size_t j = 0; j < nx; j++) run->rx[j] += row[j] * run->y[i];
  }
  for (size_t i = 0; i < p->rows; i++) {
    const double *row = p->G + i * nx;
    run->rz[i] = row_dot(nx, row, run->x) + run->s[i] - p->h[i];
    for (size_t j = 0; j < nx; j++) run->rx[j] += row[j] * run->z[i];
  }
  real residual = largest(nx, run->rx, 0);
  residual = largest(p->equalities, run->ry, residual);
  residual = largest(p->rows, run->rz, residual);
  return (verify_conic_answer){.gap = (double)dot(p->rows, run->s, run->z), .residual = (double)residual};
}

/* Direction for the complementarity lambda o (W^-1 ds + W dz) = rc (in run->q, overwritten) and the share of the
 * residuals to be removed: dx, dy, dz in run->step, ds in run->ds. */
static void direction(conic_run *run, real share) {
  const verify_conic *p = run->p;
  size_t nx = p->variables, ne = p->equalities;
  quotient(p, run->lambda, run->q, run->q);
  apply_scaling(run, false, run->q, run->q);
  for (size_t j = 0; j < nx; j++) run->right[j] = -share * run->rx[j];
  for (size_t i = 0; i < ne; i++) run->right[nx + i] = -share * run->ry[i];
  for (size_t i = 0; i < p->rows; i++) run->right[nx + ne + i] = -share * run->rz[i] - run->q[i];
  solve_newton(run);
  for (size_t i = 0; i < p->rows; i++) run->ds[i] = -share * run->rz[i] - row_dot(nx, p->G + i * nx, run->step);
}

static real step_length(const conic_run *run, real limit) {
  const real *dz = run->step + run->p->variables + run->p->equalities;
  return fmin(longest_step(run->p, run->s, run->ds, limit), longest_step(run->p, run->z, dz, limit));
}

static void move(conic_run *run, real length) {
  const verify_conic *p = run->p;
  const real *dy = run->step + p->variables, *dz = dy + p->equalities;
  for (size_t i = 0; i < p->variables; i++) run->x[i] += length * run->step[i];
  for (size_t i = 0; i < p->equalities; i++) run->y[i] += length * dy[i];
  for (size_t i = 0; i < p->rows; i++) run->z[i] += length * dz[i];
  for (size_t i = 0; i < p->rows; i++) run->s[i] += length * run->ds[i];
}

/* q = target e - lambda o lambda */
static void aim_at(conic_run *run, real target) {
  product(run->p, run->lambda, run->lambda, run->q);
  for (size_t i = 0; i < run->p->rows; i++) run->q[i] = -run->q[i];
  add_identity(run->p, target, run->q);
}

/* One Newton step to the point of the central path with the present gap. Where a second-order cone is active, only
 * there are s and z parallel to the order of the gap; elsewhere their angle, and with it the error of x, is of the
 * order of its square root. */
static bool centre(conic_run *run) {
  real gap = dot(run->p->rows, run->s, run->z);
  if (!update_scaling(run) || !factor_newton(run, false)) return false;
  aim_at(run, gap / degree(run->p));
  direction(run, 1);
  move(run, fmin(1, STEP_FRACTION * step_length(run, 2)));
  return true;
}

/* Predictor, corrector, move; *predicted is the length of the predictor in the squared variables. False when rounding
 * errors forbid to go on. */
static bool iterate(conic_run *run, real *predicted) {
  const verify_conic *p = run->p;
  real gap = dot(p->rows, run->s, run->z);
  if (!update_scaling(run) || !factor_newton(run, false)) return false;
  aim_at(run, 0);
  direction(run, 1);
  *predicted = norm(p->squares, run->step);
  real reach = step_length(run, 1), centring = (1 - reach) * (1 - reach) * (1 - reach);
  apply_scaling(run, true, run->ds, run->affine_ds);
  apply_scaling(run, false, run->step + p->variables + p->equalities, run->affine_dz);
  aim_at(run, centring * gap / degree(p));
  product(p, run->affine_ds, run->affine_dz, run->work);
  for (size_t i = 0; i < p->rows; i++) run->q[i] -= run->work[i];
  direction(run, 1 - centring);
  move(run, fmin(1, STEP_FRACTION * step_length(run, 2)));
  return true;
}

/* What an iterate is judged by: its error where that can be claim, otherwise that of its value. */
static double merit(const verify_conic *p, const verify_conic_answer *answer) {
  return fmax(answer->residual, p->squares > 0 ? answer->step : fabs(answer->gap));
}

/* Rounding errors make late iterates worse again: the best one is kept. */
static void loop(conic_run *run, double *best, verify_conic_answer *answer) {
  const verify_conic *p = run->p;
  *answer = (verify_conic_answer){.gap = INFINITY, .residual = INFINITY, .step = INFINITY};
  memset(best, 0, p->variables * sizeof(double));
  if (!start(run)) return;
  bool going = true;
  for (int k = 0; k <= MAX_ITERATIONS && going; k++) {
    verify_conic_answer now = measure(run);
    for (int c = 0; c < CENTRINGS && p->squares > 0 && p->block_count > 0 && now.gap < LATE; c++) {
      if (!centre(run)) return;
      now = measure(run);
    }
    now.iterations = k;
    if (!isfinite(now.gap) || !isfinite(now.residual)) return;
    memcpy(run->before, run->x, p->variables * sizeof(real));
    real predicted = 0;
    bool moved = p->rows > 0 && iterate(run, &predicted);
    if (p->rows > 0 && !moved) predicted = p->squares > 0 ? sqrt(2 * fabs(now.gap)) : 0;
    now.step = (double)predicted;
    going = moved && merit(p, &now) > GOAL;
    if (!(merit(p, &now) <= merit(p, answer))) continue;
    *answer = now;
    for (size_t i = 0; i < p->variables; i++) best[i] = (double)run->before[i];
  }
}

/* Carves the next `count` doubles out of the block. */
static real *carve(real **next, size_t count) {
  real *here = *next;
  *next += count;
  return here;
}

static void carve_all(conic_run *run, real *memory) {
  size_t nx = run->p->variables, ne = run->p->equalities, m = run->p->rows, order = run->order;
  real **cone[] = {&run->z,  &run->s,         &run->rz,        &run->lambda, &run->v,
                   &run->ds, &run->affine_ds, &run->affine_dz, &run->q,      &run->work};
  for (size_t k = 0; k < sizeof cone / sizeof *cone; k++) *cone[k] = carve(&memory, m);
  run->x = carve(&memory, nx);
  run->rx = carve(&memory, nx);
  run->before = carve(&memory, nx);
  run->y = carve(&memory, ne);
  run->ry = carve(&memory, ne);
  run->weight = carve(&memory, run->p->orthant);
  run->beta = carve(&memory, run->p->block_count);
  run->right = carve(&memory, order);
  run->step = carve(&memory, order);
  run->defect = carve(&memory, order);
  run->newton = carve(&memory, order * order);
  run->factor = carve(&memory, order * order);
}

thud_error thud_verify_conic_solve(thud_context *context, const verify_conic *program, double *x,
                                   verify_conic_answer *answer) {
  conic_run run = {.p = program, .order = program->variables + program->equalities + program->rows};
  size_t square, count;
  if (!thud_size_multiply(run.order, run.order, &square) || !thud_size_multiply(square, 2, &square) ||
      !thud_size_add(square, 16 * run.order, &count))
    return thud_fail(context, THUD_ERROR_MEMORY, "verify: a conic program of order %zu is too large", run.order);
  real *memory = THUD_NEW_ARRAY(context, real, count);
  run.exchanges = THUD_NEW_ARRAY(context, size_t, run.order);
  thud_error error = memory == NULL || run.exchanges == NULL ? THUD_ERROR_MEMORY : THUD_OK;
  if (error == THUD_OK) {
    carve_all(&run, memory);
    loop(&run, x, answer);
  }
  thud_free(context, run.exchanges);
  thud_free(context, memory);
  return error;
}
