/* Catching-up of a surface: at every node of the partition the obstacle problem, then one step of friction in the plane
 * under its reaction, booked in the ledger. First the two problems, then the motion; what it shares with those of lines is
 * in elastic_motion.c. */
#include "base/base.h"
#include "motions/line/elastic_motion.h"
#include "motions/surface/elastic_surface.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the obstacle problem ---------------------------------------------------------------------------------------- */

/* By an exact active set. Whole sets are exchanged (primal-dual active set; monotone for membranes on
 * meshes without obtuse angles); when that does not reduce the number of violations for a while, only the last violation
 * is, which is finite for every positive definite matrix (Murty), until their number has fallen (Judice and Pires). */

static const double row_rounding = 64 * DBL_EPSILON;
enum { PATIENCE = 10, MOST_SINGLE = 100000 };

typedef struct active {
  thud_surface *surface;
  const double *forces, *psi;
  double *v, *s;
  double tolerance; /* of displacements: what the last refinement still changed */
} active;

/* v with the set as it is: held values stay, nodes in contact are on the obstacle. */
static thud_error solve_set(active *a) {
  thud_surface *surface = a->surface;
  surface_matrix *matrix = &surface->transverse;
  thud_error error = thud_surface_matrix_fix(matrix, surface->fixed, NULL);
  double change = 0, size = 0;
  for (int pass = 0; pass < 2 && error == THUD_OK; pass++) {
    for (thud_index i = 0; i < surface->freedoms; i++) {
      double force = i < surface->n ? a->forces[i] : 0;
      matrix->rhs[i] = surface->fixed[i] != 0 ? 0 : force - thud_surface_matrix_row(matrix, i, a->v, NULL);
    }
    error = thud_surface_matrix_solve(matrix, matrix->rhs, matrix->rhs);
    change = size = 0;
    for (thud_index i = 0; i < surface->freedoms && error == THUD_OK; i++) {
      a->v[i] += matrix->rhs[i];
      if (i >= surface->n) continue;
      change = thud_larger(change, fabs(matrix->rhs[i]));
      size = thud_larger(size, fabs(a->v[i]));
    }
  }
  a->tolerance = 4 * change + row_rounding * size;
  return error;
}

/* Does node i belong into the other set? */
static bool violates(const active *a, thud_index i) {
  const thud_surface *surface = a->surface;
  if (surface->held[i] != 0 || !(a->psi[i] > -INFINITY)) return false;
  if (surface->fixed[i] == 0) return a->v[i] < a->psi[i] - a->tolerance;
  double size, s = thud_surface_matrix_row(&surface->transverse, i, a->v, &size) - a->forces[i];
  return s < -row_rounding * (size + fabs(a->forces[i]));
}

static void exchange(active *a, thud_index i) {
  unsigned char *fixed = &a->surface->fixed[i];
  *fixed = *fixed == 0;
  if (*fixed != 0) a->v[i] = a->psi[i];
}

/* Exchanges the violations, or the last of them only; returns how many there were. */
static thud_index exchange_all(active *a, bool single) {
  thud_index violations = 0, last = -1;
  unsigned char *wrong = (unsigned char *)a->surface->work; /* found before any is exchanged */
  for (thud_index i = 0; i < a->surface->n; i++) {
    wrong[i] = violates(a, i);
    violations += wrong[i];
    if (wrong[i] != 0) last = i;
  }
  for (thud_index i = 0; i < a->surface->n && !single; i++)
    if (wrong[i] != 0) exchange(a, i);
  if (single && last >= 0) exchange(a, last);
  return violations;
}

static void begin(active *a, const double *s_before) {
  thud_surface *surface = a->surface;
  memcpy(surface->fixed, surface->held, (size_t)surface->freedoms);
  for (thud_index i = 0; i < surface->n && s_before != NULL; i++)
    if (surface->held[i] == 0 && s_before[i] > 0 && a->psi[i] > -INFINITY) exchange(a, i);
}

static void finish(active *a, thud_surface_info *info) {
  thud_surface *surface = a->surface;
  double worst = 0, largest = 0, size;
  for (thud_index i = 0; i < surface->freedoms; i++) {
    double force = i < surface->n ? a->forces[i] : 0;
    double sum = thud_surface_matrix_row(&surface->transverse, i, a->v, &size) - force;
    largest = thud_larger(largest, size + fabs(force));
    if (surface->fixed[i] == 0) worst = thud_larger(worst, fabs(sum));
    if (i >= surface->n) continue;
    bool touches = surface->held[i] == 0 && surface->fixed[i] != 0;
    a->s[i] = touches ? thud_larger(sum, 0) : 0;
    info->active += touches;
    if (touches) a->v[i] = a->psi[i];
  }
  info->residual = largest > 0 ? worst / largest : 0;
}

static thud_error solve_active_set(thud_surface *surface, const double *forces, const double *psi,
                                   const double *s_before, double *v, double *s, thud_surface_info *info) {
  active a = {.surface = surface, .forces = forces, .psi = psi, .v = v, .s = s};
  thud_index best = surface->n + 1;
  thud_error error = THUD_OK;
  begin(&a, s_before);
  for (int waited = 0; error == THUD_OK && !info->solved && info->single < MOST_SINGLE; waited++) {
    error = solve_set(&a);
    info->iterations++;
    bool single = waited > PATIENCE;
    if (error != THUD_OK) break;
    thud_index violations = exchange_all(&a, single);
    info->single += single;
    info->solved = violations == 0;
    if (violations < best) best = violations, waited = 0;
  }
  if (error == THUD_OK) finish(&a, info);
  return error;
}

static const double held_tolerance = 1e-12;

static thud_error check_obstacle(const thud_surface *surface, const double *forces, const double *psi,
                                 const double *held) {
  for (thud_index i = 0; i < surface->n; i++) {
    const double *place = surface->mesh->xy + 2 * (ptrdiff_t)i;
    if (!isfinite(forces[i]))
      return thud_fail(surface->context, THUD_ERROR_NOT_FINITE, "the transverse force at (%g, %g) is not finite",
                       place[0], place[1]);
    if (!(psi[i] < INFINITY))
      return thud_fail(surface->context, THUD_ERROR_NOT_FINITE,
                       "the obstacle at (%g, %g) is not a number (-infinity: no obstacle)", place[0], place[1]);
    if (surface->held[i] == 0) continue;
    if (!isfinite(held[i]))
      return thud_fail(surface->context, THUD_ERROR_NOT_FINITE, "the given v at (%g, %g) is not finite", place[0],
                       place[1]);
    if (held[i] < psi[i] - held_tolerance * (fabs(psi[i]) + fabs(held[i])))
      return thud_fail(surface->context, THUD_ERROR_ARGUMENT,
                       "[obstacle-above-edge] the edge is held at v = %g at (%g, %g), below the obstacle at %g: no "
                       "displacement is admissible",
                       held[i], place[0], place[1], psi[i]);
  }
  return THUD_OK;
}

thud_error thud_surface_solve_obstacle(thud_surface *surface, const double *forces, const double *psi,
                                       const double *held, const double *s_before, double *v, double *s,
                                       thud_surface_info *info) {
  THUD_REQUIRE_OF(surface, forces, psi, held, v, s);
  thud_surface_info found = {0};
  thud_error error = check_obstacle(surface, forces, psi, held);
  if (error != THUD_OK) return error;
  for (thud_index i = 0; i < surface->freedoms; i++) v[i] = i < surface->n && surface->held[i] != 0 ? held[i] : 0;
  error = surface->grid != NULL ? thud_surface_grid_solve(surface, forces, psi, v, s, &found)
                                : solve_active_set(surface, forces, psi, s_before, v, s, &found);
  if (error == THUD_OK && info != NULL) *info = found;
  return error;
}

/* ---- one step of friction ---------------------------------------------------------------------------------------- */

/* One step of friction in the plane: min of u.Ku/2 - f.u + sum b_j |u_j - before_j|, u_j in the plane.
 * Nonsmooth Newton with a descent of its own (Graeser and Kornhuber): a sweep of exact minimisations node by node, which
 * finds the nodes that stick, then Newton's step for all others with a search along the line. The objective never rises;
 * when the sticking nodes do not change any more the convergence is quadratic. */

enum { MOST_ITERATIONS = 300, LINE_STEPS = 40, SECULAR_STEPS = 60 };
/* Accepted forces out of balance, relative to the largest terms. */
static const double balance = 1e-13;
/* Largest curvature in Newton's matrix, relative to the stiffness. */
static const double most_curvature = 1e8;
/* A force beyond its bound by this part of it is on it. */
static const double stick_rounding = 16 * DBL_EPSILON;

typedef struct sliding {
  thud_surface *surface;
  const double *forces, *bound, *before;
  double *u, *r;
  double *step, *blocks; /* [2n], [3n] */
  double residual;
  double least; /* displacements up to this are rounding of u: their direction means nothing */
} sliding;

/* ---- one node ---------------------------------------------------------------------------------------------------- */

/* d minimises d.Md/2 - h.d + b |d| for M = (xx, xy, yy): (M + b/rho) d = h with rho = |d|, by bisection and Newton's method
 * on |d(rho)| = rho; 0 where |h| <= b. */
static void minimise_node(const double M[3], const double h[2], double b, double d[2]) {
  double size = hypot(h[0], h[1]);
  d[0] = d[1] = 0;
  if (size <= b * (1 + stick_rounding)) return;
  double trace = M[0] + M[2], split = hypot(M[0] - M[2], 2 * M[1]), low = (size - b) / ((trace + split) / 2);
  double determinant = M[0] * M[2] - M[1] * M[1];
  double high = (size - b) * (trace + split) / (2 * determinant);
  double rho = b > 0 ? (low + high) / 2 : 1;
  for (int k = 0; k < SECULAR_STEPS; k++) {
    double a = M[0] + b / rho, c = M[2] + b / rho, det = a * c - M[1] * M[1];
    d[0] = (c * h[0] - M[1] * h[1]) / det;
    d[1] = (a * h[1] - M[1] * h[0]) / det;
    double length = hypot(d[0], d[1]);
    if (b == 0 || fabs(length - rho) <= 2 * DBL_EPSILON * rho) return;
    if (length > rho)
      low = rho;
    else
      high = rho;
    rho = length > low && length < high && k % 4 != 3 ? length : (low + high) / 2;
  }
}

/* Diagonal block of node i. */
static void diagonal(const surface_matrix *matrix, thud_index i, double M[3]) {
  const thud_sparse *K = &matrix->K;
  M[0] = M[1] = M[2] = 0;
  for (int p = 0; p < 2; p++)
    for (thud_index k = K->column_start[2 * i + p]; k < K->column_start[2 * i + p + 1]; k++)
      if (K->row[k] / 2 == i && K->row[k] % 2 >= p) M[K->row[k] % 2 + p] = K->value[k];
}

static void sweep(sliding *m) {
  thud_surface *surface = m->surface;
  for (thud_index i = 0; i < surface->n; i++) {
    if (surface->in_held[i] != 0) continue;
    double M[3], h[2], d[2], *u = m->u + 2 * (ptrdiff_t)i;
    const double *before = m->before + 2 * (ptrdiff_t)i;
    diagonal(&surface->plane, i, M);
    double out[2];
    for (int p = 0; p < 2; p++)
      out[p] = m->forces[2 * i + p] - thud_surface_matrix_row(&surface->plane, 2 * i + p, m->u, NULL);
    /* Without friction the place before means nothing: counted from it u would carry its rounding. */
    bool rubs = m->bound[i] > 0;
    double from[2] = {rubs ? u[0] - before[0] : 0, rubs ? u[1] - before[1] : 0};
    h[0] = out[0] + M[0] * from[0] + M[1] * from[1];
    h[1] = out[1] + M[1] * from[0] + M[2] * from[1];
    minimise_node(M, h, m->bound[i], d);
    if (rubs && hypot(d[0], d[1]) <= m->least) d[0] = d[1] = 0;
    u[0] = (rubs ? before[0] : u[0]) + d[0];
    u[1] = (rubs ? before[1] : u[1]) + d[1];
    surface->fixed[2 * (ptrdiff_t)i] = surface->fixed[2 * i + 1] = rubs && d[0] == 0 && d[1] == 0;
  }
}

/* ---- all nodes that move ----------------------------------------------------------------------------------------- */

/* Friction at node i for the displacement d from `before`: -b d/|d|. */
static void slip_force(double b, const double d[2], double r[2]) {
  double length = hypot(d[0], d[1]);
  r[0] = length > 0 ? -b * d[0] / length : 0;
  r[1] = length > 0 ? -b * d[1] / length : 0;
}

/* What a node does in Newton's step: it moves, sticks, or has moved so little that its curvature b/|d| would swamp the
 * stiffness: it waits for the next sweep. */
enum { MOVES = 0, STICKS = 1, WAITS = 2 };

static unsigned char role_of(const sliding *m, thud_index i, double length) {
  double M[3];
  if (m->surface->fixed[2 * (ptrdiff_t)i] == STICKS || !(m->bound[i] > 0))
    return m->surface->fixed[2 * (ptrdiff_t)i] == STICKS;
  diagonal(&m->surface->plane, i, M);
  if (!(length > 0)) return STICKS;
  return m->bound[i] / length > most_curvature * (M[0] + M[2]) ? WAITS : MOVES;
}

/* Force out of balance at node i, which is not held, with its friction r. Returns the sum of the terms. */
static double balance_node(sliding *m, thud_index i, double out[2], double d[2]) {
  double *r = m->r + 2 * (ptrdiff_t)i, size[2];
  for (int p = 0; p < 2; p++) {
    d[p] = m->u[2 * i + p] - m->before[2 * i + p];
    out[p] = thud_surface_matrix_row(&m->surface->plane, 2 * i + p, m->u, &size[p]) - m->forces[2 * i + p];
    size[p] += fabs(m->forces[2 * i + p]);
  }
  slip_force(m->bound[i], d, r);
  return thud_larger(size[0], size[1]);
}

/* Friction, residual of the balance relative to its terms, and blocks b/|d| (1 - dd'/|d|^2) of Newton's matrix. step is
 * the force out of balance at nodes that move. */
static void balance_forces(sliding *m) {
  thud_surface *surface = m->surface;
  double worst = 0, largest = 0;
  for (thud_index i = 0; i < surface->n; i++) {
    double d[2], out[2], *r = m->r + 2 * (ptrdiff_t)i, *block = m->blocks + 3 * (ptrdiff_t)i, b = m->bound[i];
    memset(block, 0, 3 * sizeof *block);
    m->step[2 * (ptrdiff_t)i] = m->step[2 * i + 1] = r[0] = r[1] = 0;
    if (surface->in_held[i] != 0) continue;
    largest = thud_larger(largest, balance_node(m, i, out, d));
    double length = hypot(d[0], d[1]);
    unsigned char role = role_of(m, i, length);
    surface->fixed[2 * (ptrdiff_t)i] = surface->fixed[2 * i + 1] = role;
    if (role == STICKS) {
      memcpy(r, out, sizeof out);
      worst = thud_larger(worst, hypot(out[0], out[1]) - b);
      continue;
    }
    worst = thud_larger(worst, hypot(r[0] - out[0], r[1] - out[1]));
    if (role == WAITS) continue;
    const double across[2] = {length > 0 ? d[1] / length : 0, length > 0 ? -d[0] / length : 0};
    for (int k = 0; k < 3 && b > 0; k++) block[k] = b / length * across[k / 2] * across[(k + 1) / 2];
    for (int p = 0; p < 2; p++) m->step[2 * i + p] = r[p] - out[p];
  }
  m->residual = largest > 0 ? worst / largest : 0;
}

/* Slope of the objective at u + t step. linear: that of its smooth part at t = 0, curvature: of step. */
static double slope(const sliding *m, double t, double linear, double curvature) {
  double sum = linear + t * curvature;
  for (thud_index i = 0; i < m->surface->n; i++) {
    if (m->surface->in_held[i] != 0 || !(m->bound[i] > 0)) continue;
    const double *step = m->step + 2 * (ptrdiff_t)i;
    double d[2] = {m->u[2 * (ptrdiff_t)i] + t * step[0] - m->before[2 * (ptrdiff_t)i],
                   m->u[2 * i + 1] + t * step[1] - m->before[2 * i + 1]},
           r[2];
    slip_force(m->bound[i], d, r);
    sum -= r[0] * step[0] + r[1] * step[1];
  }
  return sum;
}

static double search_line(const sliding *m) {
  const surface_matrix *matrix = &m->surface->plane;
  double linear = 0, curvature = 0, low = 0, high = 1;
  for (thud_index i = 0; i < matrix->K.rows; i++) {
    linear += m->step[i] * (thud_surface_matrix_row(matrix, i, m->u, NULL) - m->forces[i]);
    curvature += m->step[i] * thud_surface_matrix_row(matrix, i, m->step, NULL);
  }
  double start = slope(m, 0, linear, curvature), whole = slope(m, 1, linear, curvature);
  if (!(start < 0)) return 0;
  if (!(whole > -0.1 * start)) return 1;
  for (int k = 0; k < LINE_STEPS && high - low > 1e-3 * high; k++) {
    double middle = (low + high) / 2;
    if (slope(m, middle, linear, curvature) > 0)
      high = middle;
    else
      low = middle;
  }
  return low;
}

/* The objective is smooth as long as nodes that have moved do not come back: who would turn round stops at the place
 * before. */
static void stop_at_kinks(const sliding *m) {
  for (thud_index i = 0; i < m->surface->n; i++) {
    double *step = m->step + 2 * (ptrdiff_t)i;
    const double d[2] = {m->u[2 * (ptrdiff_t)i] - m->before[2 * (ptrdiff_t)i], m->u[2 * i + 1] - m->before[2 * i + 1]};
    if (m->surface->fixed[2 * (ptrdiff_t)i] != MOVES || !(m->bound[i] > 0)) continue;
    if ((d[0] + step[0]) * d[0] + (d[1] + step[1]) * d[1] > 0) continue;
    step[0] = -d[0];
    step[1] = -d[1];
  }
}

static thud_error newton(sliding *m) {
  thud_surface *surface = m->surface;
  for (thud_index i = 0; i < surface->n; i++)
    if (surface->in_held[i] != 0) surface->fixed[2 * (ptrdiff_t)i] = surface->fixed[2 * i + 1] = 1;
  thud_error error = thud_surface_matrix_fix(&surface->plane, surface->fixed, m->blocks);
  if (error == THUD_OK) error = thud_surface_matrix_solve(&surface->plane, m->step, m->step);
  if (error != THUD_OK) return error;
  stop_at_kinks(m);
  double t = search_line(m);
  for (thud_index i = 0; i < surface->n; i++) {
    double *u = m->u + 2 * (ptrdiff_t)i, *step = m->step + 2 * (ptrdiff_t)i;
    const double *before = m->before + 2 * (ptrdiff_t)i;
    for (int p = 0; p < 2; p++) u[p] += t * step[p];
    bool moves = surface->fixed[2 * (ptrdiff_t)i] == MOVES && m->bound[i] > 0;
    if (moves && hypot(u[0] - before[0], u[1] - before[1]) <= m->least) memcpy(u, before, 2 * sizeof *u);
  }
  return THUD_OK;
}

static thud_error check_friction(const thud_surface *surface, const double *forces, const double *bound,
                                 const double *held, const double *before) {
  if (!(surface->stretch > 0))
    return thud_fail(surface->context, THUD_ERROR_ARGUMENT,
                     "the surface has no stretch: it does not move in its plane");
  for (thud_index i = 0; i < 2 * surface->n; i++) {
    bool bad = !isfinite(forces[i]) || !isfinite(before[i]) || (surface->in_held[i / 2] != 0 && !isfinite(held[i]));
    if (bad || !(bound[i / 2] >= 0) || !isfinite(bound[i / 2]))
      return thud_fail(surface->context, THUD_ERROR_NOT_FINITE,
                       "force, displacement or bound of friction of node %td is not a number, or the bound is < 0",
                       (ptrdiff_t)i / 2);
  }
  return THUD_OK;
}

/* No force, no node that is held elsewhere than at 0, no friction at nodes away from 0: u = 0, which steps from the place
 * before would only approach, with a residual that stays as large as its terms. */
static bool nothing_pulls(const sliding *m, const double *held) {
  for (thud_index i = 0; i < 2 * m->surface->n; i++) {
    bool holds = m->surface->in_held[i / 2] != 0;
    if (holds ? held[i] != 0 : m->forces[i] != 0 || (m->bound[i / 2] > 0 && m->before[i] != 0)) return false;
  }
  return true;
}

/* Begins from the place before; held nodes are where they belong. */
static thud_error minimise(sliding *m, const double *held, thud_surface_info *info) {
  thud_surface *surface = m->surface;
  thud_error error = THUD_OK;
  bool home = nothing_pulls(m, held);
  for (thud_index i = 0; i < 2 * surface->n; i++) {
    m->u[i] = surface->in_held[i / 2] != 0 ? held[i] : home ? 0 : m->before[i];
    surface->fixed[i] = 0;
    m->least = thud_larger(m->least, 64 * DBL_EPSILON * fabs(m->u[i]));
  }
  for (int k = 0; k < MOST_ITERATIONS && error == THUD_OK && !info->solved; k++) {
    sweep(m);
    balance_forces(m);
    info->solved = m->residual <= balance;
    if (info->solved) break;
    error = newton(m);
    info->iterations++;
    if (error != THUD_OK) break;
    balance_forces(m);
    info->solved = m->residual <= balance;
  }
  info->residual = m->residual;
  for (thud_index i = 0; i < surface->n; i++) {
    double *r = m->r + 2 * (ptrdiff_t)i, size = hypot(r[0], r[1]);
    bool sticks = surface->in_held[i] == 0 && m->bound[i] > 0 && surface->fixed[2 * (ptrdiff_t)i] == STICKS;
    info->active += sticks;
    for (int p = 0; p < 2 && sticks && size > m->bound[i]; p++) r[p] *= m->bound[i] / size; /* rounding */
  }
  return error;
}

thud_error thud_surface_solve_friction(thud_surface *surface, const double *forces, const double *bound,
                                       const double *held, const double *before, double *u, double *r,
                                       thud_surface_info *info) {
  THUD_REQUIRE_OF(surface, forces, bound, held, before, u, r);
  thud_error error = check_friction(surface, forces, bound, held, before);
  if (error != THUD_OK) return error;
  thud_surface_info found = {0};
  sliding m = {.surface = surface, .forces = forces, .bound = bound, .before = before, .u = u, .r = r};
  m.step = THUD_NEW_ARRAY(surface->context, double, 2 * (size_t)surface->n);
  m.blocks = THUD_NEW_ARRAY(surface->context, double, 3 * (size_t)surface->n);
  error = m.step != NULL && m.blocks != NULL ? minimise(&m, held, &found) : THUD_ERROR_MEMORY;
  thud_free(surface->context, m.step);
  thud_free(surface->context, m.blocks);
  if (error == THUD_OK && info != NULL) *info = found;
  return error;
}

typedef struct surface_motion {
  elastic_motion common; /* moving: 2 n, or 0 without stretch */
  thud_surface_problem problem;
  thud_surface *surface;
  thud_surface_data data; /* its arrays lie in common.work */
} surface_motion;

static const thud_motion_type surface_type = THUD_ELASTIC_TYPE("surface");

/* ---- catching-up ------------------------------------------------------------------------------------------------- */

static thud_error ask_data(surface_motion *own, double t, thud_side side) {
  const elastic_motion *m = &own->common;
  size_t n = (size_t)m->n * sizeof(double), plane = (size_t)m->moving * sizeof(double);
  memset(own->data.transverse, 0, n);
  memset(own->data.held, 0, n);
  memset(own->data.in_plane, 0, plane);
  memset(own->data.in_held, 0, plane);
  for (thud_index i = 0; i < m->n; i++) own->data.psi[i] = -INFINITY;
  thud_elastic_message before = thud_elastic_keep_message(m->base.context);
  if (own->problem.data(own->problem.user, t, side, &own->data) == 0) return THUD_OK;
  return thud_elastic_data_failed(m->base.context, &before, "surface", t);
}

/* The new energies: see thud_elastic_ledger. stress = K u+ holds f + r inside and the forces of the supports where u is
 * held. r holds the move afterwards. */
static void book(surface_motion *own) {
  elastic_motion *m = &own->common;
  thud_elastic_ledger *ledger = &m->now.ledger;
  const surface_matrix *plane = &own->surface->plane;
  double energy = 0, work = 0, friction = 0, quadratic = 0;
  for (thud_index k = 0; k < m->moving; k++) m->stress[k] = thud_surface_matrix_row(plane, k, m->u_new, NULL);
  for (thud_index k = 0; k < m->moving; k++) {
    double move = m->u_new[k] - m->u[k], force = own->data.in_plane[k];
    bool held = own->surface->in_held[k / 2] != 0;
    energy += m->stress[k] * m->u_new[k] / 2;
    work += (held ? m->stress[k] : force) * move;
    friction -= held ? 0 : m->r_new[k] * move;
    m->r[k] = move;
  }
  for (thud_index k = 0; k < m->moving; k++) quadratic += m->r[k] * thud_surface_matrix_row(plane, k, m->r, NULL) / 2;
  ledger->stored = energy - m->now.stored_at_start;
  ledger->work += work;
  ledger->friction += friction;
  ledger->quadratic += quadratic;
  ledger->defect = ledger->stored - (ledger->work - ledger->friction - ledger->quadratic);
}

static void measure_slip(surface_motion *own) {
  elastic_motion *m = &own->common;
  const double *from = m->u, *to = m->u_new;
  for (size_t i = 0; i < (size_t)m->n; i++)
    m->slid[i] = own->surface->in_held[i] != 0 ? 0 : hypot(to[2 * i] - from[2 * i], to[2 * i + 1] - from[2 * i + 1]);
}

static thud_error take_info(elastic_motion *m, double t, const thud_surface_info *info, const char *what) {
  m->now.info.solves += (size_t)info->iterations;
  m->now.info.residual = thud_larger(m->now.info.residual, info->residual);
  if (info->solved) return THUD_OK;
  return thud_fail(m->base.context, THUD_ERROR_NOT_CONVERGED,
                   "[solver-limit] t = %g: the %s did not settle, residual %g", t, what, info->residual);
}

static thud_error catch_up(elastic_motion *m, double t, thud_side side) {
  surface_motion *own = (surface_motion *)m;
  thud_surface *surface = own->surface;
  const thud_surface_data *data = &own->data;
  thud_surface_info info = {0};
  thud_error error = ask_data(own, t, side);
  if (error == THUD_OK)
    error =
        thud_surface_solve_obstacle(surface, data->transverse, data->psi, data->held, m->s, m->v_new, m->s_new, &info);
  if (error == THUD_OK) error = take_info(m, t, &info, "contact with the obstacle");
  if (error != THUD_OK) return error;
  for (thud_index i = 0; i < m->n; i++) m->bound[i] = m->friction * m->s_new[i];
  if (m->moving > 0) {
    error =
        thud_surface_solve_friction(surface, data->in_plane, m->bound, data->in_held, m->u, m->u_new, m->r_new, &info);
    if (error == THUD_OK) error = take_info(m, t, &info, "friction");
    if (error != THUD_OK) return error;
    book(own);
    measure_slip(own);
  }
  m->now.potential =
      thud_surface_energy(surface, m->v_new) - thud_dot(m->base.context, (size_t)m->n, data->transverse, m->v_new);
  return THUD_OK;
}

/* ---- the family -------------------------------------------------------------------------------------------------- */

thud_error thud_surface_motion_create(thud_context *context, const thud_surface_problem *problem,
                                      const thud_partition *partition, thud_motion **motion) {
  THUD_REQUIRE(context, context, problem, partition, motion);
  thud_surface *surface = problem->surface;
  if (surface == NULL || problem->data == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "[out-of-range] a motion needs a surface and a function that gives its data");
  thud_error error = thud_elastic_check(context, problem->friction, problem->jump_count, problem->jumps);
  if (error != THUD_OK) return error;
  surface_motion *made = THUD_NEW(context, surface_motion);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->common = (elastic_motion){.base = {.type = &surface_type, .context = context},
                                  .partition = partition,
                                  .friction = problem->friction,
                                  .jump_count = problem->jump_count,
                                  .jumps = problem->jumps,
                                  .catch_up = catch_up,
                                  .n = surface->n,
                                  .freedoms = surface->freedoms,
                                  .moving = surface->stretch > 0 ? 2 * surface->n : 0};
  made->problem = *problem;
  made->surface = surface;
  size_t n = (size_t)surface->n, plane = (size_t)made->common.moving;
  thud_surface_data *data = &made->data;
  const elastic_array arrays[] = {
      {&data->transverse, n}, {&data->psi, n}, {&data->held, n}, {&data->in_plane, plane}, {&data->in_held, plane}};
  error = thud_elastic_begin(&made->common, true, sizeof arrays / sizeof *arrays, arrays);
  if (error == THUD_OK)
    *motion = &made->common.base;
  else
    thud_elastic_destroy(&made->common.base);
  return error;
}

THUD_MOTION_QUERIES(surface, thud_elastic_frame, thud_elastic_motion_info, &surface_type)
