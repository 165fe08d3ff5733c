/* Membranes on rectangles: truncated nonsmooth Newton multigrid (Graeser and Kornhuber) with nested iteration. A projected
 * sweep finds nodes in contact; for the others one V-cycle of linear multigrid, on every level without the nodes in contact;
 * the correction is projected and its length chosen by the energy, which never rises. Work per unknown does not depend on
 * their number. */
#include "base/base.h"
#include "motions/surface/elastic_surface.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- levels ------------------------------------------------------------------------------------------------------ */

enum { GRID_MOST_LEVELS = 24, GRID_PAD = 2 };

/* A symmetric matrix on the nodes: each is coupled with itself, with its neighbours in the east, the north and the
 * north-east (the diagonals of the cells), and with those in the other directions. */
typedef struct grid_stencil {
  double *centre, *east, *north, *diagonal;
} grid_stencil;

/* Arrays have two columns right of the nodes and two rows below and above them, which stay 0: neighbours need no questions.
 * Pointers are to node (0, 0). */
typedef struct grid_level {
  thud_index nx, ny;   /* cells */
  ptrdiff_t stride;    /* from row to row */
  size_t size;         /* of an array, with what surrounds it */
  grid_stencil K, A;   /* stiffness; that of the unknowns that are not fixed, seen from the finest level of the cycle */
  double *v, *f, *psi; /* of the problem on this level */
  double *r, *c;       /* residual and correction of a cycle */
  unsigned char *fixed; /* 1: held, or on the obstacle */
  unsigned char *held;
  double *block; /* what the arrays of numbers lie in */
} grid_level;

struct surface_grid {
  thud_context *context;
  int levels; /* level[0] is the finest */
  grid_level level[GRID_MOST_LEVELS];
  thud_sparse coarse;  /* A of the coarsest level, unknowns that are fixed: identity */
  thud_factor *factor; /* of it */
  double *coarse_rhs;
  double visits; /* of unknowns by sweeps */
};

static inline ptrdiff_t grid_at(const grid_level *level, thud_index i, thud_index j) {
  return (ptrdiff_t)j * level->stride + i;
}

/* (A x) at k */
static inline double grid_row(const grid_stencil *A, const double *x, ptrdiff_t k, ptrdiff_t stride) {
  return A->centre[k] * x[k] + (A->east[k] * x[k + 1] + A->east[k - 1] * x[k - 1]) +
         (A->north[k] * x[k + stride] + A->north[k - stride] * x[k - stride]) +
         (A->diagonal[k] * x[k + stride + 1] + A->diagonal[k - stride - 1] * x[k - stride - 1]);
}

/* ---- sweeps ------------------------------------------------------------------------------------------------------ */

/* Rows of even number are swept first, then those of odd number, each from left to
 * right: rows of one parity are not coupled, so the bits do not depend on the number of threads. */

enum { ROWS_PER_TASK = 32 };

typedef struct sweep {
  const grid_level *level;
  const grid_level *coarse;
  int parity; /* -1: all rows */
  thud_index rows;
  void (*row)(const grid_level *level, const grid_level *coarse, thud_index j);
} sweep;

static void sweep_some(void *user, size_t task) {
  const sweep *s = user;
  thud_index first = (thud_index)task * ROWS_PER_TASK, end = first + ROWS_PER_TASK;
  if (end > s->rows) end = s->rows;
  for (thud_index j = first; j < end; j++)
    if (s->parity < 0 || j % 2 == s->parity) s->row(s->level, s->coarse, j);
}

static void sweep_rows(surface_grid *grid, const sweep *given) {
  sweep s = *given;
  size_t tasks = ((size_t)s.rows + ROWS_PER_TASK - 1) / ROWS_PER_TASK;
  thud_parallel_for(grid->context, tasks, sweep_some, &s);
  double part = s.parity < 0 ? 1 : 0.5;
  grid->visits +=
      part * (double)s.rows * (double)((s.coarse != NULL && s.rows == s.coarse->ny + 1 ? s.coarse : s.level)->nx + 1);
}

static void project_row(const grid_level *level, const grid_level *coarse, thud_index j) {
  (void)coarse;
  ptrdiff_t first = grid_at(level, 0, j);
  for (ptrdiff_t k = first; k <= first + level->nx; k++) {
    if (level->held[k] != 0) continue;
    double moved = level->v[k] + (level->f[k] - grid_row(&level->K, level->v, k, level->stride)) / level->K.centre[k];
    level->v[k] = moved > level->psi[k] ? moved : level->psi[k];
  }
}

/* One projected sweep of Gauss and Seidel for v >= psi. */
static void project(surface_grid *grid, int level) {
  for (int parity = 0; parity < 2; parity++)
    sweep_rows(grid, &(sweep){.level = &grid->level[level],
                              .parity = parity,
                              .rows = grid->level[level].ny + 1,
                              .row = project_row});
}

static void smooth_row(const grid_level *level, const grid_level *coarse, thud_index j) {
  (void)coarse;
  ptrdiff_t first = grid_at(level, 0, j);
  for (ptrdiff_t k = first; k <= first + level->nx; k++)
    if (level->A.centre[k] > 0)
      level->c[k] += (level->r[k] - grid_row(&level->A, level->c, k, level->stride)) / level->A.centre[k];
}

static void smooth(surface_grid *grid, int level, bool upwards) {
  for (int pass = 0; pass < 2; pass++)
    sweep_rows(grid, &(sweep){.level = &grid->level[level],
                              .parity = upwards ? 1 - pass : pass,
                              .rows = grid->level[level].ny + 1,
                              .row = smooth_row});
}

static void residual_row(const grid_level *level, const grid_level *coarse, thud_index j) {
  (void)coarse;
  ptrdiff_t first = grid_at(level, 0, j);
  for (ptrdiff_t k = first; k <= first + level->nx; k++)
    level->r[k] = level->held[k] != 0 ? 0 : level->f[k] - grid_row(&level->K, level->v, k, level->stride);
}

/* r = f - K v where v is not held, 0 there. */
static void find_residual(surface_grid *grid, int level) {
  sweep_rows(
      grid,
      &(sweep){.level = &grid->level[level], .parity = -1, .rows = grid->level[level].ny + 1, .row = residual_row});
}

/* ---- between levels ---------------------------------------------------------------------------------------------- */

/* A coarse node carries the fine node in its place and half of each of its six neighbours. */
static void restrict_row(const grid_level *level, const grid_level *coarse, thud_index j) {
  ptrdiff_t s = level->stride;
  for (thud_index i = 0; i <= coarse->nx; i++) {
    ptrdiff_t at = grid_at(coarse, i, j), k = grid_at(level, 2 * i, 2 * j);
    double sum = 0;
    const ptrdiff_t around[7] = {k, k + 1, k - 1, k + s, k - s, k + s + 1, k - s - 1};
    for (int m = 0; m < 7; m++) {
      ptrdiff_t p = around[m];
      double out = level->A.centre[p] > 0 ? level->r[p] - grid_row(&level->A, level->c, p, s) : 0;
      sum += m == 0 ? out : out / 2;
    }
    coarse->r[at] = sum;
    coarse->c[at] = 0;
  }
}

static void prolong_row(const grid_level *level, const grid_level *coarse, thud_index j) {
  for (thud_index i = 0; i <= level->nx; i++) {
    ptrdiff_t k = grid_at(level, i, j), first = grid_at(coarse, i / 2, j / 2);
    ptrdiff_t second = grid_at(coarse, (i + 1) / 2, (j + 1) / 2);
    if (level->A.centre[k] > 0) level->c[k] += (coarse->c[first] + coarse->c[second]) / 2;
  }
}

/* ---- the matrices of a cycle ------------------------------------------------------------------------------------- */

static void truncate_row(const grid_level *level, const grid_level *coarse, thud_index j) {
  (void)coarse;
  const unsigned char *fixed = level->fixed;
  ptrdiff_t s = level->stride, first = grid_at(level, 0, j);
  for (ptrdiff_t k = first; k <= first + level->nx; k++) {
    bool off = fixed[k] != 0;
    level->A.centre[k] = off ? 0 : level->K.centre[k];
    level->A.east[k] = off || fixed[k + 1] != 0 ? 0 : level->K.east[k];
    level->A.north[k] = off || fixed[k + s] != 0 ? 0 : level->K.north[k];
    level->A.diagonal[k] = off || fixed[k + s + 1] != 0 ? 0 : level->K.diagonal[k];
  }
}

/* Entry of the fine matrix between nodes at offsets (x, y) and (x, y) + (dx, dy); 0: none. */
static double entry(const grid_level *level, ptrdiff_t k, int dx, int dy) {
  if (dx < 0 || dy < 0) {
    k += (ptrdiff_t)dy * level->stride + dx;
    dx = -dx;
    dy = -dy;
  }
  if (dx == 0 && dy == 0) return level->A.centre[k];
  if (dx == 1 && dy == 0) return level->A.east[k];
  if (dx == 0 && dy == 1) return level->A.north[k];
  return level->A.diagonal[k];
}

static const int around_x[7] = {0, 1, -1, 0, 0, 1, -1}, around_y[7] = {0, 0, 0, 1, -1, 1, -1};

/* Coupling of the coarse node at fine place k with the one `to` (fine offsets) away: sum of w_a A_ab w_b. */
static double galerkin(const grid_level *level, ptrdiff_t k, int to_x, int to_y) {
  double sum = 0;
  for (int a = 0; a < 7; a++)
    for (int b = 0; b < 7; b++) {
      int dx = to_x + around_x[b] - around_x[a], dy = to_y + around_y[b] - around_y[a];
      if (dx < -1 || dx > 1 || dy < -1 || dy > 1 || dx * dy < 0) continue;
      double weight = (a == 0 ? 1 : 0.5) * (b == 0 ? 1 : 0.5);
      sum += weight * entry(level, k + (ptrdiff_t)around_y[a] * level->stride + around_x[a], dx, dy);
    }
  return sum;
}

/* Far from fixed nodes the coarse matrix is the stiffness of the coarse mesh. */
static bool is_plain(const grid_level *level, thud_index i, thud_index j) {
  for (int y = -2; y <= 2; y++)
    for (int x = -2; x <= 2; x++) {
      ptrdiff_t k = grid_at(level, 2 * i + x, 2 * j + y);
      if (level->A.centre[k] != level->K.centre[k] || level->A.diagonal[k] != 0) return false;
    }
  return true;
}

static void coarsen_row(const grid_level *level, const grid_level *coarse, thud_index j) {
  for (thud_index i = 0; i <= coarse->nx; i++) {
    ptrdiff_t at = grid_at(coarse, i, j), k = grid_at(level, 2 * i, 2 * j);
    bool inside = i > 1 && j > 1 && i + 1 < coarse->nx && j + 1 < coarse->ny;
    if (inside && is_plain(level, i, j)) {
      coarse->A.centre[at] = coarse->K.centre[at];
      coarse->A.east[at] = galerkin(level, k, 2, 0);
      coarse->A.north[at] = galerkin(level, k, 0, 2);
      coarse->A.diagonal[at] = galerkin(level, k, 2, 2);
      continue;
    }
    coarse->A.centre[at] = galerkin(level, k, 0, 0);
    coarse->A.east[at] = i < coarse->nx ? galerkin(level, k, 2, 0) : 0;
    coarse->A.north[at] = j < coarse->ny ? galerkin(level, k, 0, 2) : 0;
    coarse->A.diagonal[at] = i < coarse->nx && j < coarse->ny ? galerkin(level, k, 2, 2) : 0;
  }
}

/* Shape functions of the coarsest level may agree on what is left of them: this part of the diagonal is added. */
static const double dependent = 1e-8;

/* Nodes of the coarsest level in rows, as unknowns of its sparse matrix. */
static thud_error factorize_coarsest(surface_grid *grid) {
  const grid_level *level = &grid->level[grid->levels - 1];
  thud_sparse *M = &grid->coarse;
  thud_index width = level->nx + 1;
  for (thud_index p = 0; p < M->columns; p++)
    for (thud_index m = M->column_start[p]; m < M->column_start[p + 1]; m++) {
      thud_index q = M->row[m];
      ptrdiff_t at = grid_at(level, p % width, p / width);
      double value = entry(level, at, q % width - p % width, q / width - p / width);
      M->value[m] = p == q && !(value > 0) ? 1 : value;
      if (p == q) grid->coarse_rhs[p] = dependent * M->value[m];
    }
  return thud_factor_factorize(grid->factor, M, grid->coarse_rhs);
}

/* A of this level and all coarser ones, and the coarsest factor, after the set of fixed nodes has changed. */
static thud_error truncate_levels(surface_grid *grid, int level) {
  sweep_rows(
      grid,
      &(sweep){.level = &grid->level[level], .parity = -1, .rows = grid->level[level].ny + 1, .row = truncate_row});
  for (int k = level; k + 1 < grid->levels; k++)
    sweep_rows(grid, &(sweep){.level = &grid->level[k],
                              .coarse = &grid->level[k + 1],
                              .parity = -1,
                              .rows = grid->level[k + 1].ny + 1,
                              .row = coarsen_row});
  return factorize_coarsest(grid);
}

/* ---- cycles ------------------------------------------------------------------------------------------------------ */

static thud_error solve_coarsest(surface_grid *grid) {
  const grid_level *level = &grid->level[grid->levels - 1];
  thud_index width = level->nx + 1, count = grid->coarse.columns;
  for (thud_index p = 0; p < count; p++) {
    ptrdiff_t at = grid_at(level, p % width, p / width);
    grid->coarse_rhs[p] = level->A.centre[at] > 0 ? level->r[at] : 0;
  }
  thud_error error = thud_factor_solve(grid->factor, 0, grid->coarse_rhs, grid->coarse_rhs, NULL);
  for (thud_index p = 0; p < count && error == THUD_OK; p++)
    level->c[grid_at(level, p % width, p / width)] = grid->coarse_rhs[p];
  return error;
}

/* c of this level: a V-cycle for A c = r. */
static thud_error cycle(surface_grid *grid, int level) {
  const grid_level *now = &grid->level[level], *next = now + 1;
  if (level == grid->levels - 1) return solve_coarsest(grid);
  smooth(grid, level, false);
  sweep_rows(grid, &(sweep){.level = now, .coarse = next, .parity = -1, .rows = next->ny + 1, .row = restrict_row});
  thud_error error = cycle(grid, level + 1);
  if (error != THUD_OK) return error;
  sweep_rows(grid, &(sweep){.level = now, .coarse = next, .parity = -1, .rows = now->ny + 1, .row = prolong_row});
  smooth(grid, level, true);
  return THUD_OK;
}

/* ---- making the levels ------------------------------------------------------------------------------------------- */

enum { FINE_ITERATIONS = 200, NESTED_ITERATIONS = 6, MOST_COARSE = 20000, LEAST_FINE = 20000, SMALLEST = 4 };
/* Forces out of balance relative to the largest terms: wanted on the finest level, on the others. */
static const double fine_balance = 1e-14, nested_balance = 1e-6;
/* Accepted when it does not become better. */
static const double poor_balance = 1e-12;

static bool can_halve(thud_index nx, thud_index ny) {
  return nx % 2 == 0 && ny % 2 == 0 && nx > SMALLEST && ny > SMALLEST;
}

bool thud_surface_grid_suits(const thud_surface *surface, bool wanted) {
  thud_index nx = surface->mesh->cells[0], ny = surface->mesh->cells[1];
  if (surface->kind != THUD_SURFACE_MEMBRANE || nx == 0) return false;
  if (!wanted && surface->n < LEAST_FINE) return false;
  for (; can_halve(nx, ny); nx /= 2) ny /= 2;
  return (nx + 1) * (ny + 1) <= MOST_COARSE && nx < surface->mesh->cells[0];
}

void thud_surface_grid_destroy(thud_context *context, surface_grid *grid) {
  if (grid == NULL) return;
  for (int k = 0; k < grid->levels; k++) {
    thud_free(context, grid->level[k].block);
    thud_free(context,
              grid->level[k].fixed - (grid->level[k].fixed != NULL ? GRID_PAD * (grid->level[k].stride + 1) : 0));
    thud_free(context,
              grid->level[k].held - (grid->level[k].held != NULL ? GRID_PAD * (grid->level[k].stride + 1) : 0));
  }
  thud_factor_destroy(grid->factor);
  thud_sparse_destroy(context, &grid->coarse);
  thud_free(context, grid->coarse_rhs);
  thud_free(context, grid);
}

static thud_error make_level(thud_context *context, thud_index nx, thud_index ny, grid_level *level) {
  enum { ARRAYS = 13 };
  *level = (grid_level){.nx = nx, .ny = ny, .stride = nx + 1 + GRID_PAD};
  ptrdiff_t before = GRID_PAD * (level->stride + 1);
  level->size = (size_t)(level->stride * (ny + 1 + 2 * GRID_PAD) + (ptrdiff_t)(2 * GRID_PAD + 2));
  level->block = THUD_NEW_ARRAY(context, double, ARRAYS * level->size);
  unsigned char *fixed = THUD_NEW_ARRAY(context, unsigned char, level->size);
  unsigned char *held = THUD_NEW_ARRAY(context, unsigned char, level->size);
  level->fixed = fixed != NULL ? fixed + before : NULL;
  level->held = held != NULL ? held + before : NULL;
  if (level->block == NULL || fixed == NULL || held == NULL) return THUD_ERROR_MEMORY;
  double **const arrays[ARRAYS] = {&level->K.centre, &level->K.east, &level->K.north, &level->K.diagonal,
                                   &level->A.centre, &level->A.east, &level->A.north, &level->A.diagonal,
                                   &level->v,        &level->f,      &level->psi,     &level->r,
                                   &level->c};
  for (int k = 0; k < ARRAYS; k++) *arrays[k] = level->block + (size_t)k * level->size + before;
  return THUD_OK;
}

/* Two right-angled triangles per cell: T hy/(2 hx) on each horizontal side, T hx/(2 hy) on each vertical one. */
static void fill_stiffness(grid_level *level, double tension, double hx, double hy) {
  double across = tension * hy / (2 * hx), up = tension * hx / (2 * hy);
  for (thud_index j = 0; j < level->ny; j++)
    for (thud_index i = 0; i < level->nx; i++) {
      ptrdiff_t a = grid_at(level, i, j), c = a + level->stride;
      level->K.east[a] -= across;
      level->K.east[c] -= across;
      level->K.north[a] -= up;
      level->K.north[a + 1] -= up;
      for (int k = 0; k < 4; k++) level->K.centre[k < 2 ? a + k : c + k - 2] += across + up;
    }
}

static thud_error make_coarse(surface_grid *grid) {
  const grid_level *level = &grid->level[grid->levels - 1];
  thud_index width = level->nx + 1, count = width * (level->ny + 1);
  size_t entries = 0, room = 7 * (size_t)count;
  thud_index *row = THUD_NEW_ARRAY(grid->context, thud_index, room),
             *column = THUD_NEW_ARRAY(grid->context, thud_index, room);
  double *value = THUD_NEW_ARRAY(grid->context, double, room);
  grid->coarse_rhs = THUD_NEW_ARRAY(grid->context, double, count);
  thud_error error =
      row != NULL && column != NULL && value != NULL && grid->coarse_rhs != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  for (thud_index p = 0; p < count && error == THUD_OK; p++)
    for (int k = 0; k < 9; k++) {
      thud_index x = p % width + k % 3 - 1, y = p / width + k / 3 - 1;
      if (k == 2 || k == 6 || x < 0 || y < 0 || x > level->nx || y > level->ny) continue;
      row[entries] = y * width + x;
      column[entries++] = p;
    }
  if (error == THUD_OK)
    error = thud_sparse_from_triplets(grid->context, count, count, entries, row, column, value, &grid->coarse);
  if (error == THUD_OK) error = thud_factor_create(grid->context, &grid->coarse, THUD_FACTOR_CHOLESKY, &grid->factor);
  thud_free(grid->context, row);
  thud_free(grid->context, column);
  thud_free(grid->context, value);
  return error;
}

static void hold(surface_grid *grid, const unsigned char *held) {
  thud_index step = 1, width = grid->level[0].nx + 1;
  for (int k = 0; k < grid->levels; k++, step *= 2)
    for (thud_index j = 0; j <= grid->level[k].ny; j++)
      for (thud_index i = 0; i <= grid->level[k].nx; i++)
        grid->level[k].held[grid_at(&grid->level[k], i, j)] = held[step * j * width + step * i];
}

thud_error thud_surface_grid_create(thud_surface *surface) {
  const thud_mesh *mesh = surface->mesh;
  thud_index nx = mesh->cells[0], ny = mesh->cells[1];
  const double *last = mesh->xy + 2 * (ptrdiff_t)(mesh->nodes - 1);
  double hx = (last[0] - mesh->xy[0]) / nx, hy = (last[1] - mesh->xy[1]) / ny;
  surface_grid *grid = surface->grid = THUD_NEW(surface->context, surface_grid);
  if (grid == NULL) return THUD_ERROR_MEMORY;
  grid->context = surface->context;
  thud_error error = THUD_OK;
  for (bool more = true; more && error == THUD_OK; nx /= 2, ny /= 2, hx *= 2, hy *= 2) {
    grid_level *level = &grid->level[grid->levels++];
    error = make_level(grid->context, nx, ny, level);
    if (error == THUD_OK) fill_stiffness(level, surface->stiffness, hx, hy);
    more = can_halve(nx, ny) && grid->levels < GRID_MOST_LEVELS;
  }
  if (error == THUD_OK) error = make_coarse(grid);
  if (error == THUD_OK) hold(grid, surface->held);
  return error;
}

/* ---- solving ----------------------------------------------------------------------------------------------------- */

/* Problems of the coarser levels: obstacle and held values in their places, forces of the shape functions. */
static void pose(surface_grid *grid, const double *forces, const double *psi, const double *v) {
  grid_level *fine = &grid->level[0];
  for (thud_index j = 0; j <= fine->ny; j++)
    for (thud_index i = 0; i <= fine->nx; i++) {
      ptrdiff_t at = grid_at(fine, i, j), from = (ptrdiff_t)j * (fine->nx + 1) + i;
      fine->f[at] = forces[from];
      fine->psi[at] = psi[from];
      fine->v[at] = v[from];
    }
  for (int k = 1; k < grid->levels; k++) {
    const grid_level *above = &grid->level[k - 1];
    grid_level *level = &grid->level[k];
    for (thud_index j = 0; j <= level->ny; j++)
      for (thud_index i = 0; i <= level->nx; i++) {
        ptrdiff_t at = grid_at(level, i, j), p = grid_at(above, 2 * i, 2 * j), s = above->stride;
        const double *f = above->f + p;
        level->f[at] = f[0] + (f[1] + f[-1] + f[s] + f[-s] + f[s + 1] + f[-s - 1]) / 2;
        level->psi[at] = above->psi[p];
        level->v[at] = above->v[p];
      }
  }
}

/* The largest force out of balance, relative to the terms, after find_residual. Nodes on the obstacle are fixed;
 * *changed: the set of them has. */
static double judge(grid_level *level, bool *changed) {
  double worst = 0, largest = 0, height = 0;
  *changed = false;
  for (thud_index j = 0; j <= level->ny; j++) {
    ptrdiff_t first = grid_at(level, 0, j);
    for (ptrdiff_t k = first; k <= first + level->nx; k++) {
      unsigned char fixed = level->held[k] != 0 || level->v[k] <= level->psi[k];
      double out = level->held[k] != 0 ? 0 : fixed != 0 ? thud_larger(level->r[k], 0) : fabs(level->r[k]);
      *changed = *changed || fixed != level->fixed[k];
      level->fixed[k] = fixed;
      worst = thud_larger(worst, out);
      largest = thud_larger(largest, fabs(level->f[k]));
      height = thud_larger(height, fabs(level->v[k]));
    }
  }
  largest += 2 * level->K.centre[grid_at(level, level->nx / 2, level->ny / 2)] * height;
  return largest > 0 ? worst / largest : 0;
}

/* v + t c, never below psi: the projected correction and the length that minimises the energy along it. */
static void add_correction(grid_level *level) {
  double gain = 0, curvature = 0, most = INFINITY;
  ptrdiff_t s = level->stride;
  for (thud_index j = 0; j <= level->ny; j++)
    for (ptrdiff_t k = grid_at(level, 0, j); k <= grid_at(level, level->nx, j); k++) {
      if (level->fixed[k] != 0)
        level->c[k] = 0;
      else if (level->c[k] < level->psi[k] - level->v[k])
        level->c[k] = level->psi[k] - level->v[k];
    }
  for (thud_index j = 0; j <= level->ny; j++)
    for (ptrdiff_t k = grid_at(level, 0, j); k <= grid_at(level, level->nx, j); k++) {
      double c = level->c[k];
      gain += level->r[k] * c;
      curvature += c * grid_row(&level->K, level->c, k, s);
      if (c < 0 && level->v[k] + 2 * c < level->psi[k]) most = fmin(most, (level->psi[k] - level->v[k]) / c);
    }
  if (!(gain > 0) || !(curvature > 0)) return;
  double t = fmin(fmin(gain / curvature, 2), fmax(most, 0));
  for (thud_index j = 0; j <= level->ny; j++)
    for (ptrdiff_t k = grid_at(level, 0, j); k <= grid_at(level, level->nx, j); k++)
      if (level->fixed[k] == 0) level->v[k] = thud_larger(level->v[k] + t * level->c[k], level->psi[k]);
}

/* Iterates on one level; the number of iterations. */
static thud_error iterate(surface_grid *grid, int k, int most, double wanted, thud_surface_info *info) {
  grid_level *level = &grid->level[k];
  thud_error error = THUD_OK;
  bool changed, begun = false;
  double before = INFINITY;
  info->solved = false;
  for (info->iterations = 0; error == THUD_OK; info->iterations++) {
    project(grid, k);
    find_residual(grid, k);
    info->residual = judge(level, &changed);
    bool stuck = !changed && info->residual <= poor_balance && info->residual > 0.5 * before;
    info->solved = info->residual <= wanted || stuck;
    before = info->residual;
    if (info->solved || info->iterations == most) break;
    if (changed || !begun) error = truncate_levels(grid, k);
    begun = true;
    memset(level->c - GRID_PAD * (level->stride + 1), 0, level->size * sizeof *level->c);
    if (error == THUD_OK) error = cycle(grid, k);
    if (error == THUD_OK) add_correction(level);
  }
  return error;
}

/* The solution of level k+1 between its nodes, not below the obstacle, as the beginning on level k. */
static void begin_from(surface_grid *grid, int k) {
  const grid_level *coarse = &grid->level[k + 1];
  grid_level *level = &grid->level[k];
  for (thud_index j = 0; j <= level->ny; j++)
    for (thud_index i = 0; i <= level->nx; i++) {
      ptrdiff_t at = grid_at(level, i, j);
      if (level->held[at] != 0) continue;
      double mean =
          (coarse->v[grid_at(coarse, i / 2, j / 2)] + coarse->v[grid_at(coarse, (i + 1) / 2, (j + 1) / 2)]) / 2;
      level->v[at] = thud_larger(mean, level->psi[at]);
    }
}

static void hand_out(const grid_level *level, double *v, double *s, thud_surface_info *info) {
  for (thud_index j = 0; j <= level->ny; j++)
    for (thud_index i = 0; i <= level->nx; i++) {
      ptrdiff_t at = grid_at(level, i, j), to = (ptrdiff_t)j * (level->nx + 1) + i;
      bool touches = level->held[at] == 0 && level->fixed[at] != 0;
      v[to] = level->v[at];
      s[to] = touches ? thud_larger(-level->r[at], 0) : 0;
      info->active += touches;
    }
}

thud_error thud_surface_grid_solve(thud_surface *surface, const double *forces, const double *psi, double *v, double *s,
                                   thud_surface_info *info) {
  surface_grid *grid = surface->grid;
  thud_error error = THUD_OK;
  grid->visits = 0;
  pose(grid, forces, psi, v);
  for (int k = grid->levels - 1; k >= 0 && error == THUD_OK; k--) {
    bool last = k == 0, first = k == grid->levels - 1;
    if (!first) begin_from(grid, k);
    error = iterate(grid, k, last || first ? FINE_ITERATIONS : NESTED_ITERATIONS, last ? fine_balance : nested_balance,
                    info);
  }
  info->work = grid->visits / surface->n;
  if (error == THUD_OK) hand_out(&grid->level[0], v, s, info);
  return error;
}

double thud_surface_grid_energy(const thud_surface *surface, const double *v) {
  grid_level *level = &surface->grid->level[0];
  for (thud_index j = 0; j <= level->ny; j++) {
    memcpy(level->c + grid_at(level, 0, j), v + (ptrdiff_t)j * (level->nx + 1), (size_t)(level->nx + 1) * sizeof *v);
    for (ptrdiff_t k = grid_at(level, 0, j); k <= grid_at(level, level->nx, j); k++) level->r[k] = 0;
  }
  for (thud_index j = 0; j <= level->ny; j++)
    for (ptrdiff_t k = grid_at(level, 0, j); k <= grid_at(level, level->nx, j); k++)
      level->r[k] = grid_row(&level->K, level->c, k, level->stride);
  ptrdiff_t before = GRID_PAD * (level->stride + 1);
  return thud_dot(surface->context, level->size, level->r - before, level->c - before) / 2;
}
