/* The closest point once more, from the barrier's: Newton's method on the sides and discs that hold as equations there.
 *
 * With h_j(x) = 0 for these (discs: radius y_N - |y_T|; at the tip of a cone its three coordinates) and multipliers l,
 *   x - target = J l,  h(x) = 0:     (1 + sum l_j K_j) dx - J l = target - x,  J'dx = -h,
 * K_j = v v'/|y_T| the curvature of a disc, v the part of the basis across y_T. Rows that depend on each other share
 * their multipliers by a small term that later steps take out again (the method of multipliers). Which ones hold is a
 * guess, by how small their slack is, where the barrier leaves slacks about 1/t with a multiplier and 1/sqrt(t) without
 * one: several guesses are made, and what a guess is worth is its gap (cone_program.h), not how it came about. */
#include "solve/cone_program.h"
#include "base/base.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Slacks up to these count as 0, in units of the largest impulse. */
static const double guesses[] = {1e-10, 1e-7, 1e-5, 1e-3};
enum { GUESSES = sizeof guesses / sizeof *guesses, STEPS = 12 };
/* Shift relative to the diagonal of J'H^-1 J, for rows that depend on each other. */
static const double SHIFT = 1e-10;
/* Steps end when x moves by less than this part of it. */
static const double FIXED = 1e-15;

/* One equation: sum of factor[i] y[place[i]], or a disc's boundary. */
typedef struct equation {
  int width;
  thud_index place[3];
  double factor[3];
  const thud_cone_disc *disc; /* NULL: linear */
} equation;

typedef struct polish_work {
  const thud_cone_program *program;
  const double *target;
  size_t count, most; /* equations, and places for them */
  equation *equations;
  double *l, *h, *S, *J;       /* [most], [most], [most*most], [freedom*most] */
  double *H, *x, *dx, *across; /* [freedom*freedom], [freedom] */
  double *y, *s, *need;        /* [size] */
} polish_work;

static thud_error allocate(polish_work *w) {
  thud_context *context = w->program->context;
  size_t p = (size_t)w->program->freedom, n = (size_t)w->program->size, m = w->most;
  w->equations = THUD_NEW_ARRAY(context, equation, m);
  w->l = THUD_NEW_ARRAY(context, double, 2 * m);
  w->S = THUD_NEW_ARRAY(context, double, m *m);
  w->J = THUD_NEW_ARRAY(context, double, p *m);
  w->H = THUD_NEW_ARRAY(context, double, p *p);
  w->x = THUD_NEW_ARRAY(context, double, 3 * p);
  w->y = THUD_NEW_ARRAY(context, double, 3 * n);
  if (w->equations == NULL || w->l == NULL || w->S == NULL || w->J == NULL || w->H == NULL || w->x == NULL ||
      w->y == NULL)
    return THUD_ERROR_MEMORY;
  w->h = w->l + m;
  w->dx = w->x + p;
  w->across = w->dx + p;
  w->s = w->y + n;
  w->need = w->s + n;
  return THUD_OK;
}

static void release(polish_work *w) {
  void *const blocks[] = {w->equations, w->l, w->S, w->J, w->H, w->x, w->y};
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) thud_free(w->program->context, blocks[k]);
}

/* ---- equations --------------------------------------------------------------------------------------------------- */

static void add_coordinate(polish_work *w, thud_index place) {
  w->equations[w->count++] = (equation){.width = 1, .place = {place}, .factor = {1}};
}

/* Sides and discs whose slack at w->y is up to `small`. */
static void guess_equations(polish_work *w, double small) {
  const thud_cone_program *program = w->program;
  w->count = 0;
  for (thud_index k = 0; k < program->side_count; k++) {
    const thud_cone_side *side = &program->sides[k];
    if (thud_cone_side_value(side, w->y) > small) continue;
    w->equations[w->count++] = (equation){
        .width = side->second >= 0 ? 2 : 1, .place = {side->first, side->second}, .factor = {side->a, side->b}};
  }
  for (thud_index k = 0; k < program->disc_count; k++) {
    const thud_cone_disc *disc = &program->discs[k];
    double length = hypot(w->y[disc->tangent], w->y[disc->tangent + 1]), reach = disc->radius * w->y[disc->normal];
    if (reach - length > small) continue;
    if (reach + length <= 4 * small) {
      add_coordinate(w, disc->normal);
      add_coordinate(w, disc->tangent);
      add_coordinate(w, disc->tangent + 1);
    } else {
      w->equations[w->count++] =
          (equation){.width = 3, .place = {disc->normal, disc->tangent, disc->tangent + 1}, .disc = disc};
    }
  }
  memset(w->l, 0, w->count * sizeof *w->l);
}

/* column[freedom] = basis' of a vector with these entries. */
static void take_basis(const thud_cone_program *program, int width, const thud_index *place, const double *factor,
                       double *column) {
  for (size_t j = 0; j < (size_t)program->freedom; j++) {
    const double *basis = program->basis + j * (size_t)program->size;
    column[j] = 0;
    for (int i = 0; i < width; i++) column[j] += factor[i] * basis[place[i]];
  }
}

/* h, J and H at w->x, whose y is w->y. */
static void linearise(polish_work *w) {
  const thud_cone_program *program = w->program;
  size_t p = (size_t)program->freedom;
  memset(w->H, 0, p * p * sizeof *w->H);
  for (size_t j = 0; j < p; j++) w->H[j * (p + 1)] = 1;
  for (size_t k = 0; k < w->count; k++) {
    equation *row = &w->equations[k];
    const double *tangent = row->disc != NULL ? w->y + row->disc->tangent : NULL;
    double length = tangent != NULL ? hypot(tangent[0], tangent[1]) : 0;
    if (tangent != NULL) {
      row->factor[0] = row->disc->radius;
      row->factor[1] = -tangent[0] / length;
      row->factor[2] = -tangent[1] / length;
    }
    w->h[k] = 0;
    for (int i = 0; i < row->width; i++) w->h[k] += row->factor[i] * w->y[row->place[i]];
    take_basis(program, row->width, row->place, row->factor, w->J + k * p);
    if (tangent == NULL || !(w->l[k] > 0)) continue;
    const double turned[2] = {row->factor[2], -row->factor[1]};
    take_basis(program, 2, row->place + 1, turned, w->across);
    for (size_t j = 0; j < p; j++)
      for (size_t i = 0; i < p; i++) w->H[j * p + i] += w->l[k] / length * w->across[i] * w->across[j];
  }
}

/* ---- steps --------------------------------------------------------------------------------------------------------- */

/* dx and the new multipliers; false when a matrix is not positive definite in floating point. */
static bool solve_step(polish_work *w) {
  thud_index p = w->program->freedom, m = (thud_index)w->count;
  double shift = 0;
  if (thud_dense_cholesky(w->program->context, p, w->H, NULL) != THUD_OK) return false;
  for (thud_index j = 0; j < p; j++) w->dx[j] = w->x[j] - w->target[j];
  thud_dense_solve_lower(p, w->H, false, w->dx);
  for (size_t k = 0; k < w->count; k++) thud_dense_solve_lower(p, w->H, false, w->J + k * (size_t)p);
  thud_dense_multiply(m, m, p, 1, w->J, true, w->J, false, 0, w->S);
  for (size_t k = 0; k < w->count; k++) shift = fmax(shift, SHIFT * w->S[k * (w->count + 1)]);
  for (size_t k = 0; k < w->count; k++) {
    w->S[k * (w->count + 1)] += shift;
    w->l[k] = shift * w->l[k] - w->h[k];
  }
  thud_dense_multiply_vector(p, m, w->J, true, 1, w->dx, 1, w->l);
  if (m > 0 && thud_dense_cholesky(w->program->context, m, w->S, NULL) != THUD_OK) return false;
  thud_dense_solve_lower(m, w->S, false, w->l);
  thud_dense_solve_lower(m, w->S, true, w->l);
  thud_dense_multiply_vector(p, m, w->J, false, 1, w->l, -1, w->dx);
  thud_dense_solve_lower(p, w->H, true, w->dx);
  return true;
}

/* Newton's steps on the equations; false when they lead nowhere. */
static bool settle(polish_work *w) {
  for (int step = 0; step < STEPS; step++) {
    double moved = 0, size = 0;
    linearise(w);
    if (!solve_step(w)) return false;
    for (thud_index j = 0; j < w->program->freedom; j++) {
      w->x[j] += w->dx[j];
      moved = fmax(moved, fabs(w->dx[j]));
      size = fmax(size, fabs(w->x[j]));
    }
    if (!isfinite(size)) return false;
    thud_cone_program_point(w->program, w->x, w->y);
    if (moved <= FIXED * fmax(1, size)) return true;
  }
  return true;
}

/* ---- what it is worth ------------------------------------------------------------------------------------------------ */

/* Multipliers of the cones from l, moved into the duals where they are outside: s_N >= radius |s_T|, summed over the discs
 * of one normal coordinate. */
static void find_duals(polish_work *w) {
  size_t n = (size_t)w->program->size;
  memset(w->s, 0, 2 * n * sizeof *w->s); /* and need */
  for (size_t k = 0; k < w->count; k++) {
    const equation *row = &w->equations[k];
    bool tip = row->disc == NULL && row->width == 1 && row->factor[0] == 1;
    double l = tip ? w->l[k] : fmax(0, w->l[k]);
    for (int i = 0; i < row->width; i++) w->s[row->place[i]] += l * row->factor[i];
    if (row->disc == NULL && row->width == 2) w->need[row->place[0]] += l * row->factor[0];
  }
  for (thud_index k = 0; k < w->program->disc_count; k++) {
    const thud_cone_disc *disc = &w->program->discs[k];
    w->need[disc->normal] += disc->radius * hypot(w->s[disc->tangent], w->s[disc->tangent + 1]);
  }
  for (size_t i = 0; i < n; i++)
    if (w->need[i] > 0) w->s[i] = fmax(w->s[i], w->need[i]);
  for (thud_index k = 0; k < w->program->side_count; k++) {
    const thud_cone_side *side = &w->program->sides[k];
    if (side->second < 0) w->s[side->first] = fmax(0, w->s[side->first]);
  }
}

thud_error thud_cone_program_polish(const thud_cone_program *program, const double *target, double *z,
                                    thud_cone_optimum *optimum) {
  polish_work w = {.program = program, .target = target};
  w.most = (size_t)program->side_count + 3 * (size_t)program->disc_count;
  size_t bytes = (size_t)program->freedom * sizeof *z;
  thud_error error = allocate(&w);
  double *begin = error == THUD_OK ? THUD_NEW_ARRAY(program->context, double, program->freedom) : NULL;
  if (error == THUD_OK && begin == NULL) error = THUD_ERROR_MEMORY;
  if (error == THUD_OK) memcpy(begin, z, bytes);
  for (int k = 0; k < GUESSES && error == THUD_OK; k++) {
    error = thud_stop_ask(program->context, &program->stop, "closest forces");
    memcpy(w.x, begin, bytes);
    thud_cone_program_point(program, w.x, w.y);
    guess_equations(&w, guesses[k]);
    if (error != THUD_OK || !settle(&w) || !thud_cone_program_holds(program, w.y)) continue;
    double value = 0;
    for (thud_index j = 0; j < program->freedom; j++) value += (w.x[j] - target[j]) * (w.x[j] - target[j]) / 2;
    find_duals(&w);
    double bound = thud_cone_program_nearest_bound(program, target, w.x, w.s);
    if (!(value - bound < optimum->value - optimum->bound)) continue;
    *optimum = (thud_cone_optimum){.value = value, .bound = bound};
    memcpy(z, w.x, bytes);
  }
  thud_free(program->context, begin);
  release(&w);
  return error;
}
