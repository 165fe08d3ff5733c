/* Sweeps, coarser matrices and cycles. Rows of even number are swept first, then those of odd number, each from left to
 * right: rows of one parity are not coupled, so the bits do not depend on the number of threads. */
#include "motions/surface/surface_grid.h"
#include "base/base.h"

#include <math.h>
#include <string.h>

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

/* ---- sweeps ------------------------------------------------------------------------------------------------------ */

static void project_row(const grid_level *level, const grid_level *coarse, thud_index j) {
  (void)coarse;
  ptrdiff_t first = grid_at(level, 0, j);
  for (ptrdiff_t k = first; k <= first + level->nx; k++) {
    if (level->held[k] != 0) continue;
    double moved = level->v[k] + (level->f[k] - grid_row(&level->K, level->v, k, level->stride)) / level->K.centre[k];
    level->v[k] = moved > level->psi[k] ? moved : level->psi[k];
  }
}

void thud_grid_project(surface_grid *grid, int level) {
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

void thud_grid_residual(surface_grid *grid, int level) {
  sweep_rows(
      grid,
      &(sweep){.level = &grid->level[level], .parity = -1, .rows = grid->level[level].ny + 1, .row = residual_row});
}

/* ---- between levels ------------------------------------------------------------------------------------------------ */

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

/* ---- the matrices of a cycle --------------------------------------------------------------------------------------- */

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

thud_error thud_grid_truncate(surface_grid *grid, int level) {
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

/* ---- cycles -------------------------------------------------------------------------------------------------------- */

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

thud_error thud_grid_cycle(surface_grid *grid, int level) {
  const grid_level *now = &grid->level[level], *next = now + 1;
  if (level == grid->levels - 1) return solve_coarsest(grid);
  smooth(grid, level, false);
  sweep_rows(grid, &(sweep){.level = now, .coarse = next, .parity = -1, .rows = next->ny + 1, .row = restrict_row});
  thud_error error = thud_grid_cycle(grid, level + 1);
  if (error != THUD_OK) return error;
  sweep_rows(grid, &(sweep){.level = now, .coarse = next, .parity = -1, .rows = now->ny + 1, .row = prolong_row});
  smooth(grid, level, true);
  return THUD_OK;
}
