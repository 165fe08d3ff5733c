/* Euclidean projections onto the sets of a scene: in closed form where there is one, otherwise by a conic program. */
#include "verify/math/verify_conic.h"
#include "verify/math/verify_dense.h"
#include "verify/math/verify_set_project.h"

#include <math.h>
#include <string.h>

/* An affine expression of the variables: `width` coefficients and a constant. E, x, tau below are arrays of such rows,
 * one after the other.
 *
 * Every kind of set is written homogeneously: "E in tau C" for an affine vector E and an affine number tau >= 0. With
 * tau = 1 that is E in C, with tau = 0 it is the recession cone, and scalings only multiply tau. */
typedef struct form_rows {
  size_t count, capacity;
  double *rows; /* [capacity x (width+1)] */
} form_rows;

typedef struct form {
  thud_context *context;
  thud_arena *arena;
  size_t width;     /* variables there can be */
  size_t variables; /* in use */
  form_rows equal;  /* = 0 */
  form_rows positive;
  form_rows cones; /* second-order cones, one after the other */
  size_t *blocks, block_count;
  bool contradiction; /* a constraint without variables that does not hold */
  bool exhausted;     /* out of memory */
} form;

/* Upper bounds of what a set needs. */
typedef struct form_shape {
  size_t variables, equal, positive, cones, blocks;
} form_shape;

static form_shape shape_of(const verify_set *set);

static form_shape shape_of_polar(const verify_set *set) {
  form_shape inner = shape_of(&set->operands[0]);
  size_t multipliers = inner.equal + inner.positive + inner.cones;
  return (form_shape){multipliers, set->n + inner.variables, inner.positive + 1, inner.cones, inner.blocks};
}

static form_shape shape_of(const verify_set *set) {
  size_t n = set->n, m = set->rows;
  form_shape shape = {0};
  switch (set->kind) {
  case VERIFY_HALF_SPACE: shape.positive = 1; break;
  case VERIFY_BOX: shape = (form_shape){.equal = n, .positive = 2 * n}; break;
  case VERIFY_BALL:
  case VERIFY_ELLIPSOID:
  case VERIFY_COULOMB_CONE:
  case VERIFY_COULOMB_DUAL_CONE: shape = (form_shape){.equal = n, .positive = 1, .cones = n + 1, .blocks = 1}; break;
  case VERIFY_POLYHEDRON: shape = (form_shape){.equal = set->equalities, .positive = m - set->equalities}; break;
  case VERIFY_GRADIENTS: shape.positive = m; break;
  case VERIFY_GENERATORS: shape = (form_shape){.variables = m, .equal = n, .positive = m}; break;
  case VERIFY_HALF_LINE:
  case VERIFY_SEGMENT: shape = (form_shape){.variables = 1, .equal = n, .positive = 2}; break;
  case VERIFY_SUM: shape.variables = (set->operand_count - 1) * n; break;
  case VERIFY_IMAGE: shape = (form_shape){.variables = set->operands[0].n, .equal = n}; break;
  case VERIFY_POLAR: return shape_of_polar(set);
  case VERIFY_PRODUCT:
  case VERIFY_INTERSECTION:
  case VERIFY_TRANSLATION:
  case VERIFY_SCALING:
  case VERIFY_PREIMAGE: break;
  }
  for (size_t k = 0; k < set->operand_count; k++) {
    form_shape inner = shape_of(&set->operands[k]);
    shape.variables += inner.variables;
    shape.equal += inner.equal;
    shape.positive += inner.positive;
    shape.cones += inner.cones;
    shape.blocks += inner.blocks;
  }
  return shape;
}

/* ---- rows ---------------------------------------------------------------------------------------------------- */

static double *new_rows(form *f, size_t count) {
  size_t stride = f->width + 1, total;
  double *rows = NULL;
  if (thud_size_multiply(count, stride, &total)) rows = thud_arena_alloc(f->arena, total + 1, sizeof(double));
  f->exhausted = f->exhausted || rows == NULL;
  return rows;
}

static double *row_of(const form *f, double *rows, size_t i) { return rows + i * (f->width + 1); }

/* a += factor b */
static void add_row(const form *f, double factor, const double *b, double *a) {
  for (size_t j = 0; j <= f->width; j++) a[j] += factor * b[j];
}

static bool is_constant(const form *f, const double *row) {
  for (size_t j = 0; j < f->width; j++)
    if (row[j] != 0) return false;
  return true;
}

static void append(const form *f, const double *row, form_rows *list) {
  memcpy(row_of(f, list->rows, list->count++), row, (f->width + 1) * sizeof(double));
}

static void require_zero(form *f, const double *row) { append(f, row, &f->equal); }

static void require_positive(form *f, const double *row) {
  if (!is_constant(f, row))
    append(f, row, &f->positive);
  else
    f->contradiction = f->contradiction || row[f->width] < 0;
}

/* rows [count] in the cone { |rows_1..| <= rows_0 }; a cone whose first row is the constant 0 is the point 0. */
static void require_cone(form *f, size_t count, double *rows) {
  if (is_constant(f, rows) && rows[f->width] <= 0) {
    f->contradiction = f->contradiction || rows[f->width] < 0;
    for (size_t i = 1; i < count; i++) require_zero(f, row_of(f, rows, i));
    return;
  }
  for (size_t i = 0; i < count; i++) append(f, row_of(f, rows, i), &f->cones);
  f->blocks[f->block_count++] = count;
}

/* Rows that are each a new variable. */
static double *new_variables(form *f, size_t count) {
  double *rows = new_rows(f, count);
  for (size_t i = 0; rows != NULL && i < count; i++) row_of(f, rows, i)[f->variables++] = 1;
  return rows;
}

/* out = constant tau - factor (a . E) */
static double *offset_minus(form *f, size_t n, double constant, const double *tau, const double *a, double *E) {
  double *row = new_rows(f, 1);
  if (row == NULL) return NULL;
  if (constant != 0) add_row(f, constant, tau, row);
  for (size_t j = 0; j < n; j++)
    if (a[j] != 0) add_row(f, -a[j], row_of(f, E, j), row);
  return row;
}

/* ---- leaves ---------------------------------------------------------------------------------------------------- */

static void write_box(form *f, const verify_set *set, const double *number, double *E, const double *tau) {
  for (size_t i = 0; i < set->n; i++) {
    double low = number[i], high = number[set->n + i], one = 1, minus = -1;
    if (low == high) {
      double *row = offset_minus(f, 1, low, tau, &one, row_of(f, E, i));
      if (row != NULL) require_zero(f, row);
      continue;
    }
    double *below = isfinite(high) ? offset_minus(f, 1, high, tau, &one, row_of(f, E, i)) : NULL;
    double *above = isfinite(low) ? offset_minus(f, 1, -low, tau, &minus, row_of(f, E, i)) : NULL;
    if (below != NULL) require_positive(f, below);
    if (above != NULL) require_positive(f, above);
  }
}

/* (radius tau, E - centre tau) in the cone */
static void write_ball(form *f, const verify_set *set, const double *number, double *E, const double *tau) {
  double *rows = new_rows(f, set->n + 1);
  if (rows == NULL) return;
  add_row(f, number[set->n], tau, rows);
  for (size_t i = 0; i < set->n; i++) {
    add_row(f, 1, row_of(f, E, i), row_of(f, rows, i + 1));
    add_row(f, -number[i], tau, row_of(f, rows, i + 1));
  }
  require_cone(f, set->n + 1, rows);
}

/* shape = L L': (tau, L'(E - centre tau)) in the cone */
static void write_ellipsoid(form *f, const verify_set *set, const double *number, double *E, const double *tau) {
  size_t n = set->n;
  double *rows = new_rows(f, n + 1), *shape = thud_arena_alloc(f->arena, n * n, sizeof(double));
  f->exhausted = f->exhausted || shape == NULL;
  if (rows == NULL || shape == NULL) return;
  memcpy(shape, number + n, n * n * sizeof(double));
  if (!thud_verify_cholesky(n, shape)) {
    f->contradiction = true;
    return;
  }
  add_row(f, 1, tau, rows);
  for (size_t i = 0; i < n; i++)
    for (size_t k = i; k < n; k++) {
      add_row(f, shape[k * n + i], row_of(f, E, k), row_of(f, rows, i + 1));
      add_row(f, -shape[k * n + i] * number[k], tau, row_of(f, rows, i + 1));
    }
  require_cone(f, n + 1, rows);
}

/* (mu E_N, E_T) or (E_N, mu E_T) in the cone, and E_N >= 0, which mu = 0 would not say. */
static void write_coulomb(form *f, const verify_set *set, const double *number, double *E) {
  bool dual = set->kind == VERIFY_COULOMB_DUAL_CONE;
  double *rows = new_rows(f, set->n);
  if (rows == NULL) return;
  for (size_t i = 0; i < set->n; i++) add_row(f, (i == 0) == dual ? 1 : number[0], row_of(f, E, i), row_of(f, rows, i));
  if (number[0] == 0) require_positive(f, E);
  require_cone(f, set->n, rows);
}

/* rows.E <= offsets tau; offsets NULL: 0 */
static void write_inequalities(form *f, const verify_set *set, const double *A, const double *offsets, double *E,
                               const double *tau) {
  for (size_t i = 0; i < set->rows; i++) {
    double *row = offset_minus(f, set->n, offsets != NULL ? offsets[i] : 0, tau, A + i * set->n, E);
    if (row == NULL) return;
    if (i < set->equalities)
      require_zero(f, row);
    else
      require_positive(f, row);
  }
}

/* E = origin tau + sum s_k direction_k with new variables s >= 0, s <= limit tau when there is one. */
static void write_generated(form *f, const verify_set *set, const double *origin, const double *directions,
                            size_t count, bool limited, double *E, const double *tau) {
  double *s = new_variables(f, count), *rows = new_rows(f, set->n);
  if (s == NULL || rows == NULL) return;
  for (size_t i = 0; i < set->n; i++) {
    double *row = row_of(f, rows, i);
    add_row(f, -1, row_of(f, E, i), row);
    if (origin != NULL) add_row(f, origin[i], tau, row);
    for (size_t k = 0; k < count; k++) add_row(f, directions[k * set->n + i], row_of(f, s, k), row);
    require_zero(f, row);
  }
  for (size_t k = 0; k < count; k++) {
    double one = 1;
    require_positive(f, row_of(f, s, k));
    double *room = limited ? offset_minus(f, 1, 1, tau, &one, row_of(f, s, k)) : NULL;
    if (room != NULL) require_positive(f, room);
  }
}

static void write_segment(form *f, const verify_set *set, const double *number, double *E, const double *tau) {
  double *direction = thud_arena_alloc(f->arena, set->n, sizeof(double));
  f->exhausted = f->exhausted || direction == NULL;
  if (direction == NULL) return;
  for (size_t i = 0; i < set->n; i++) direction[i] = number[set->n + i] - number[i];
  write_generated(f, set, number, direction, 1, true, E, tau);
}

/* ---- combinators ------------------------------------------------------------------------------------------------- */

static void write_set(form *f, const verify_set *set, const double *numbers, double *E, const double *tau);

static void write_sum(form *f, const verify_set *set, const double *numbers, double *E, const double *tau) {
  double *rest = new_rows(f, set->n);
  if (rest == NULL) return;
  memcpy(rest, E, set->n * (f->width + 1) * sizeof(double));
  for (size_t k = 0; k + 1 < set->operand_count; k++) {
    double *part = new_variables(f, set->n);
    if (part == NULL) return;
    for (size_t i = 0; i < set->n; i++) add_row(f, -1, row_of(f, part, i), row_of(f, rest, i));
    write_set(f, &set->operands[k], numbers, part, tau);
  }
  write_set(f, &set->operands[set->operand_count - 1], numbers, rest, tau);
}

static void write_translation(form *f, const verify_set *set, const double *numbers, double *E, const double *tau) {
  double *moved = new_rows(f, set->n);
  if (moved == NULL) return;
  memcpy(moved, E, set->n * (f->width + 1) * sizeof(double));
  for (size_t i = 0; i < set->n; i++) add_row(f, -numbers[set->first + i], tau, row_of(f, moved, i));
  write_set(f, &set->operands[0], numbers, moved, tau);
}

static void write_scaling(form *f, const verify_set *set, const double *numbers, double *E, const double *tau) {
  double *scaled = new_rows(f, 1);
  if (scaled == NULL) return;
  f->contradiction = f->contradiction || numbers[set->first] < 0;
  add_row(f, numbers[set->first], tau, scaled);
  write_set(f, &set->operands[0], numbers, E, scaled);
}

/* E = L z, z in tau C */
static void write_image(form *f, const verify_set *set, const double *numbers, double *E, const double *tau) {
  size_t columns = set->operands[0].n;
  double *z = new_variables(f, columns), *rows = new_rows(f, set->n);
  if (z == NULL || rows == NULL) return;
  for (size_t i = 0; i < set->n; i++) {
    double *row = row_of(f, rows, i);
    add_row(f, -1, row_of(f, E, i), row);
    for (size_t j = 0; j < columns; j++) add_row(f, numbers[set->first + i * columns + j], row_of(f, z, j), row);
    require_zero(f, row);
  }
  write_set(f, &set->operands[0], numbers, z, tau);
}

static void write_preimage(form *f, const verify_set *set, const double *numbers, double *E, const double *tau) {
  double *mapped = new_rows(f, set->rows);
  if (mapped == NULL) return;
  for (size_t i = 0; i < set->rows; i++)
    for (size_t j = 0; j < set->n; j++)
      add_row(f, numbers[set->first + i * set->n + j], row_of(f, E, j), row_of(f, mapped, i));
  write_set(f, &set->operands[0], numbers, mapped, tau);
}

static bool form_start(form *f, size_t own_variables, form_shape shape) {
  f->width = own_variables + shape.variables;
  f->equal.rows = new_rows(f, shape.equal);
  f->positive.rows = new_rows(f, shape.positive);
  f->cones.rows = new_rows(f, shape.cones);
  f->blocks = thud_arena_alloc(f->arena, shape.blocks + 1, sizeof(size_t));
  f->exhausted = f->exhausted || f->blocks == NULL;
  return !f->exhausted;
}

/* Adds sum over the list of multiplier_k times coefficient j (or the constant) of its row k. */
static void add_combination(form *f, const form *inner, const form_rows *list, double *multipliers, size_t column,
                            double factor, double *row) {
  for (size_t k = 0; k < list->count; k++)
    add_row(f, factor * row_of(inner, list->rows, k)[column], row_of(f, multipliers, k), row);
}

/* By duality sup { E.x : x in C } = min { constants . l : -coefficients' l = (E, 0) } over multipliers l of the
 * constraints of C, free for equalities and in the (self-dual) cones for the others; it must not exceed tau. */
static void write_polar(form *f, const verify_set *set, const double *numbers, double *E, const double *tau) {
  const verify_set *operand = &set->operands[0];
  form inner = {.context = f->context, .arena = f->arena};
  if (!form_start(&inner, set->n, shape_of(operand))) {
    f->exhausted = true;
    return;
  }
  double *x = new_variables(&inner, set->n), *one = new_rows(&inner, 1);
  if (x != NULL && one != NULL) {
    one[inner.width] = 1;
    write_set(&inner, operand, numbers, x, one);
  }
  f->exhausted = f->exhausted || inner.exhausted;
  f->contradiction = f->contradiction || inner.contradiction;
  if (f->exhausted) return;
  form_rows *lists[] = {&inner.equal, &inner.positive, &inner.cones};
  double *multipliers[3];
  for (int k = 0; k < 3; k++) multipliers[k] = new_variables(f, lists[k]->count);
  double *bound = new_rows(f, 1);
  if (f->exhausted) return;
  add_row(f, 1, tau, bound);
  for (int k = 0; k < 3; k++) add_combination(f, &inner, lists[k], multipliers[k], inner.width, -1, bound);
  require_positive(f, bound);
  for (size_t j = 0; j < inner.variables; j++) {
    double *row = new_rows(f, 1);
    if (row == NULL) return;
    if (j < set->n) add_row(f, 1, row_of(f, E, j), row);
    for (int k = 0; k < 3; k++) add_combination(f, &inner, lists[k], multipliers[k], j, 1, row);
    require_zero(f, row);
  }
  for (size_t k = 0; k < inner.positive.count; k++) require_positive(f, row_of(f, multipliers[1], k));
  for (size_t k = 0, offset = 0; k < inner.block_count; offset += inner.blocks[k++])
    require_cone(f, inner.blocks[k], row_of(f, multipliers[2], offset));
}

static void write_set(form *f, const verify_set *set, const double *numbers, double *E, const double *tau) {
  const double *number = numbers + set->first;
  size_t n = set->n, offset = 0;
  double *row;
  if (f->exhausted || f->contradiction) return;
  switch (set->kind) {
  case VERIFY_HALF_SPACE:
    row = offset_minus(f, n, number[n], tau, number, E);
    if (row != NULL) require_positive(f, row);
    break;
  case VERIFY_BOX: write_box(f, set, number, E, tau); break;
  case VERIFY_BALL: write_ball(f, set, number, E, tau); break;
  case VERIFY_ELLIPSOID: write_ellipsoid(f, set, number, E, tau); break;
  case VERIFY_COULOMB_CONE:
  case VERIFY_COULOMB_DUAL_CONE: write_coulomb(f, set, number, E); break;
  case VERIFY_POLYHEDRON: write_inequalities(f, set, number, number + set->rows * n, E, tau); break;
  case VERIFY_GRADIENTS: write_inequalities(f, set, number, NULL, E, tau); break;
  case VERIFY_GENERATORS: write_generated(f, set, NULL, number, set->rows, false, E, tau); break;
  case VERIFY_HALF_LINE: write_generated(f, set, number, number + n, 1, false, E, tau); break;
  case VERIFY_SEGMENT: write_segment(f, set, number, E, tau); break;
  case VERIFY_PRODUCT:
    for (size_t k = 0; k < set->operand_count; offset += set->operands[k++].n)
      write_set(f, &set->operands[k], numbers, row_of(f, E, offset), tau);
    break;
  case VERIFY_SUM: write_sum(f, set, numbers, E, tau); break;
  case VERIFY_INTERSECTION:
    for (size_t k = 0; k < set->operand_count; k++) write_set(f, &set->operands[k], numbers, E, tau);
    break;
  case VERIFY_TRANSLATION: write_translation(f, set, numbers, E, tau); break;
  case VERIFY_SCALING: write_scaling(f, set, numbers, E, tau); break;
  case VERIFY_IMAGE: write_image(f, set, numbers, E, tau); break;
  case VERIFY_PREIMAGE: write_preimage(f, set, numbers, E, tau); break;
  case VERIFY_POLAR: write_polar(f, set, numbers, E, tau); break;
  }
}

/* ---- from rows to a program ----------------------------------------------------------------------------------------
 */

/* Below this part of its length a row is a combination of the rows before it. */
static const double DEPENDENT = 1e-11;
/* An equation that follows from others must agree with them to this. */
static const double CONSISTENT = 1e-9;

/* Makes the equations orthonormal (Gram and Schmidt, twice) and drops the dependent ones. */
static void orthonormalise(form *f) {
  size_t kept = 0, width = f->width;
  for (size_t k = 0; k < f->equal.count; k++) {
    double *row = row_of(f, f->equal.rows, k), length = thud_verify_norm(width, row);
    if (length > 0)
      for (size_t j = 0; j <= width; j++) row[j] /= length;
    for (int round = 0; round < 2; round++)
      for (size_t i = 0; i < kept; i++) {
        double *other = row_of(f, f->equal.rows, i);
        add_row(f, -thud_verify_dot(width, row, other), other, row);
      }
    double left = thud_verify_norm(width, row);
    if (!(left > DEPENDENT)) {
      f->contradiction = f->contradiction || fabs(row[width]) > CONSISTENT;
      continue;
    }
    double *place = row_of(f, f->equal.rows, kept++);
    for (size_t j = 0; j <= width; j++) place[j] = row[j] / left;
  }
  f->equal.count = kept;
}

/* Divides count rows by the longest of them. */
static void equilibrate(const form *f, double *rows, size_t count) {
  double length = 0;
  for (size_t i = 0; i < count; i++) length = fmax(length, thud_verify_norm(f->width, row_of(f, rows, i)));
  if (!(length > 0)) return;
  for (size_t i = 0; i < count * (f->width + 1); i++) rows[i] /= length;
}

/* Coefficients times sign, constants as they are or with the other sign. */
static void split(const form *f, const form_rows *list, double sign, double constant_sign, double *matrix,
                  double *constants) {
  for (size_t k = 0; k < list->count; k++) {
    const double *row = row_of(f, list->rows, k);
    for (size_t j = 0; j < f->variables; j++) matrix[k * f->variables + j] = sign * row[j];
    constants[k] = constant_sign * row[f->width];
  }
}

/* Minimises half the square of the first `squares` variables or, when there are none, the variable `objective`. */
static thud_error solve(form *f, size_t squares, size_t objective, double *x, verify_conic_answer *answer) {
  orthonormalise(f);
  for (size_t k = 0; k < f->positive.count; k++) equilibrate(f, row_of(f, f->positive.rows, k), 1);
  for (size_t k = 0, offset = 0; k < f->block_count; offset += f->blocks[k++])
    equilibrate(f, row_of(f, f->cones.rows, offset), f->blocks[k]);
  *answer = (verify_conic_answer){.gap = INFINITY, .residual = INFINITY, .step = INFINITY};
  if (f->contradiction) return THUD_OK;
  size_t nx = f->variables, ne = f->equal.count, m = f->positive.count + f->cones.count;
  double *memory = thud_arena_alloc(f->arena, (ne + m) * (nx + 1) + nx, sizeof(double));
  if (memory == NULL) return THUD_ERROR_MEMORY;
  double *A = memory, *b = A + ne * nx, *G = b + ne, *h = G + m * nx, *c = h + m;
  split(f, &f->equal, 1, -1, A, b);
  split(f, &f->positive, -1, 1, G, h);
  split(f, &f->cones, -1, 1, G + f->positive.count * nx, h + f->positive.count);
  if (squares == 0) c[objective] = 1;
  verify_conic program = {.variables = nx,
                          .squares = squares,
                          .equalities = ne,
                          .orthant = f->positive.count,
                          .block_count = f->block_count,
                          .blocks = f->blocks,
                          .rows = m,
                          .A = A,
                          .b = b,
                          .G = G,
                          .h = h,
                          .c = c};
  return thud_verify_conic_solve(f->context, &program, x, answer);
}

/* Starts the program in the variables x (n), then `more` others: y + scale x in C. Returns the rows of x or NULL. */
static double *begin_program(form *f, const verify_set *set, const double *numbers, const double *y, double scale,
                             size_t more) {
  size_t n = set->n;
  form_shape shape = shape_of(set);
  shape.cones += n + 1; /* room for |x| <= t */
  shape.blocks += 1;
  if (!form_start(f, n + more, shape)) return NULL;
  double *x = new_variables(f, n), *E = new_rows(f, n), *one = new_rows(f, 1);
  if (f->exhausted) return NULL;
  f->variables += more;
  one[f->width] = 1;
  for (size_t i = 0; i < n; i++) {
    add_row(f, scale, row_of(f, x, i), row_of(f, E, i));
    row_of(f, E, i)[f->width] = y[i];
  }
  write_set(f, set, numbers, E, one);
  return f->exhausted ? NULL : x;
}

/* minimise |x|^2/2 subject to y + scale x in C */
static thud_error project(form *f, const verify_set *set, const double *numbers, const double *y, double scale,
                          double *p, double *accuracy) {
  if (begin_program(f, set, numbers, y, scale, 0) == NULL) return THUD_ERROR_MEMORY;
  double *solution = thud_arena_alloc(f->arena, f->width, sizeof(double));
  if (solution == NULL) return THUD_ERROR_MEMORY;
  verify_conic_answer answer;
  thud_error error = solve(f, set->n, 0, solution, &answer);
  if (error != THUD_OK) return error;
  for (size_t i = 0; i < set->n; i++) p[i] = y[i] + scale * solution[i];
  *accuracy = scale * fmax(answer.step, answer.residual);
  return THUD_OK;
}

/* minimise t subject to |x| <= t, y + scale x in C */
static thud_error measure(form *f, const verify_set *set, const double *numbers, const double *y, double scale,
                          double *distance, double *accuracy) {
  size_t n = set->n;
  double *x = begin_program(f, set, numbers, y, scale, 1);
  if (x == NULL) return THUD_ERROR_MEMORY;
  double *ball = new_rows(f, n + 1), *solution = thud_arena_alloc(f->arena, f->width, sizeof(double));
  if (ball == NULL || solution == NULL) return THUD_ERROR_MEMORY;
  ball[n] = 1; /* t is the variable after x */
  for (size_t i = 0; i < n; i++) add_row(f, 1, row_of(f, x, i), row_of(f, ball, i + 1));
  require_cone(f, n + 1, ball);
  verify_conic_answer answer;
  thud_error error = solve(f, 0, n, solution, &answer);
  if (error != THUD_OK) return error;
  *distance = scale * thud_verify_norm(n, solution);
  *accuracy = scale * fmax(fabs(answer.gap), answer.residual);
  return THUD_OK;
}

typedef thud_error (*form_question)(form *, const verify_set *, const double *, const double *, double, double *,
                                    double *);

static thud_error ask(thud_context *context, form_question question, const verify_set *set, const double *numbers,
                      const double *y, double scale, double *result, double *accuracy) {
  form f = {.context = context};
  thud_error error = thud_arena_create(context, 65536, &f.arena);
  if (error == THUD_OK) error = question(&f, set, numbers, y, scale, result, accuracy);
  thud_arena_destroy(f.arena);
  return error;
}

thud_error thud_verify_form_project(thud_context *context, const verify_set *set, const double *numbers,
                                    const double *y, double scale, double *p, double *accuracy) {
  return ask(context, project, set, numbers, y, scale, p, accuracy);
}

thud_error thud_verify_form_distance(thud_context *context, const verify_set *set, const double *numbers,
                                     const double *y, double scale, double *distance, double *accuracy) {
  return ask(context, measure, set, numbers, y, scale, distance, accuracy);
}

/* ---- closed forms, and the choice between the two ---------------------------------------------------------------- */

/* ---- closed forms -------------------------------------------------------------------------------------------- */

static void project_half_space(size_t n, const double *number, const double *y, double *p) {
  double square = thud_verify_dot(n, number, number), excess = thud_verify_dot(n, number, y) - number[n];
  for (size_t i = 0; i < n; i++) p[i] = excess > 0 ? y[i] - excess / square * number[i] : y[i];
}

static void project_box(size_t n, const double *number, const double *y, double *p) {
  for (size_t i = 0; i < n; i++) p[i] = fmin(fmax(y[i], number[i]), number[n + i]);
}

static void project_ball(size_t n, const double *number, const double *y, double *p) {
  double distance = thud_verify_distance(n, y, number), radius = number[n];
  for (size_t i = 0; i < n; i++) p[i] = distance > radius ? number[i] + radius / distance * (y[i] - number[i]) : y[i];
}

/* { |x_T| <= slope x_N }, 0 <= slope < infinity: inside, in the polar cone, or onto the nearest ray. */
static void project_round_cone(size_t n, double slope, const double *y, double *p) {
  double tangent = thud_verify_norm(n - 1, y + 1);
  if (tangent <= slope * y[0]) {
    memcpy(p, y, n * sizeof(double));
    return;
  }
  double along = (y[0] + slope * tangent) / (1 + slope * slope);
  p[0] = fmax(0, along);
  for (size_t i = 1; i < n; i++) p[i] = along > 0 && tangent > 0 ? slope * along * (y[i] / tangent) : 0;
}

/* mu |x_T| <= x_N: the cone of slope 1/mu, a half-space for mu = 0. */
static void project_dual_cone(size_t n, double mu, const double *y, double *p) {
  if (mu > 0) {
    project_round_cone(n, 1 / mu, y, p);
    return;
  }
  memcpy(p, y, n * sizeof(double));
  p[0] = fmax(0, y[0]);
}

/* origin + s direction with 0 <= s <= limit */
static void project_ray(size_t n, const double *origin, const double *direction, double limit, const double *y,
                        double *p) {
  double along = 0, square = thud_verify_dot(n, direction, direction);
  for (size_t i = 0; i < n; i++) along += (y[i] - origin[i]) * direction[i];
  double s = square > 0 ? fmin(fmax(along / square, 0), limit) : 0;
  for (size_t i = 0; i < n; i++) p[i] = origin[i] + s * direction[i];
}

/* Between two points: by the direction from the nearer end, so that the ends come out exactly. */
static void project_segment(size_t n, const double *number, const double *y, double *p) {
  const double *a = number, *b = number + n;
  double along = 0, square = 0;
  for (size_t i = 0; i < n; i++) {
    along += (y[i] - a[i]) * (b[i] - a[i]);
    square += (b[i] - a[i]) * (b[i] - a[i]);
  }
  double s = square > 0 ? fmin(fmax(along / square, 0), 1) : 0;
  for (size_t i = 0; i < n; i++) p[i] = (1 - s) * a[i] + s * b[i];
}

/* ---- combinators that keep closed forms ---------------------------------------------------------------------------
 */

static thud_error project_product(thud_context *context, const verify_set *set, const double *numbers, const double *y,
                                  double scale, double *p, double *accuracy) {
  thud_error error = THUD_OK;
  for (size_t k = 0, offset = 0; k < set->operand_count && error == THUD_OK; offset += set->operands[k++].n) {
    double part = 0;
    error = thud_verify_project(context, &set->operands[k], numbers, y + offset, scale, p + offset, &part);
    *accuracy = fmax(*accuracy, part);
  }
  return error;
}

/* by + C, or factor C with factor > 0: proj(y) = by + factor proj((y - by)/factor). */
static thud_error project_moved(thud_context *context, const verify_set *set, const double *numbers, const double *by,
                                double factor, const double *y, double scale, double *p, double *accuracy) {
  double *moved = THUD_NEW_ARRAY(context, double, set->n);
  if (moved == NULL) return THUD_ERROR_MEMORY;
  for (size_t i = 0; i < set->n; i++) moved[i] = (y[i] - (by != NULL ? by[i] : 0)) / factor;
  thud_error error = thud_verify_project(context, &set->operands[0], numbers, moved, scale / factor, p, accuracy);
  for (size_t i = 0; i < set->n && error == THUD_OK; i++) p[i] = (by != NULL ? by[i] : 0) + factor * p[i];
  *accuracy *= factor;
  thud_free(context, moved);
  return error;
}

thud_error thud_verify_project(thud_context *context, const verify_set *set, const double *numbers, const double *y,
                               double scale, double *p, double *accuracy) {
  const double *number = numbers + set->first;
  size_t n = set->n;
  *accuracy = 0;
  switch (set->kind) {
  case VERIFY_HALF_SPACE: project_half_space(n, number, y, p); return THUD_OK;
  case VERIFY_BOX: project_box(n, number, y, p); return THUD_OK;
  case VERIFY_BALL: project_ball(n, number, y, p); return THUD_OK;
  case VERIFY_COULOMB_CONE: project_round_cone(n, number[0], y, p); return THUD_OK;
  case VERIFY_COULOMB_DUAL_CONE: project_dual_cone(n, number[0], y, p); return THUD_OK;
  case VERIFY_HALF_LINE: project_ray(n, number, number + n, INFINITY, y, p); return THUD_OK;
  case VERIFY_SEGMENT: project_segment(n, number, y, p); return THUD_OK;
  case VERIFY_PRODUCT: return project_product(context, set, numbers, y, scale, p, accuracy);
  case VERIFY_TRANSLATION: return project_moved(context, set, numbers, number, 1, y, scale, p, accuracy);
  case VERIFY_SCALING:
    if (number[0] > 0) return project_moved(context, set, numbers, NULL, number[0], y, scale, p, accuracy);
    break;
  case VERIFY_ELLIPSOID:
  case VERIFY_POLYHEDRON:
  case VERIFY_GRADIENTS:
  case VERIFY_GENERATORS:
  case VERIFY_SUM:
  case VERIFY_INTERSECTION:
  case VERIFY_IMAGE:
  case VERIFY_PREIMAGE:
  case VERIFY_POLAR: break;
  }
  return thud_verify_form_project(context, set, numbers, y, scale, p, accuracy);
}

/* ---- violation ----------------------------------------------------------------------------------------------------
 */

/* Largest distance to the half-space or hyperplane of one row; a row of zeros is kept or never. */
static double violation_of_rows(const verify_set *set, const double *A, const double *b, const double *u) {
  double worst = 0;
  for (size_t i = 0; i < set->rows; i++) {
    const double *row = A + i * set->n;
    double excess = thud_verify_dot(set->n, row, u) - (b != NULL ? b[i] : 0), length = thud_verify_norm(set->n, row);
    if (i < set->equalities) excess = fabs(excess);
    if (excess > 0) worst = fmax(worst, length > 0 ? excess / length : INFINITY);
  }
  return worst;
}

/* Distance along the ray from the centre. */
static double violation_of_ellipsoid(size_t n, const double *number, const double *u) {
  double square = 0;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) square += (u[i] - number[i]) * number[n + i * n + j] * (u[j] - number[j]);
  double gauge = sqrt(fmax(0, square));
  return gauge > 1 ? thud_verify_distance(n, u, number) * (1 - 1 / gauge) : 0;
}

/* By the closed form of the projection. */
static thud_error distance(thud_context *context, const verify_set *set, const double *numbers, const double *u,
                           double scale, double *violation, double *accuracy) {
  double *p = THUD_NEW_ARRAY(context, double, set->n);
  if (p == NULL) return THUD_ERROR_MEMORY;
  thud_error error = thud_verify_project(context, set, numbers, u, scale, p, accuracy);
  if (error == THUD_OK) *violation = thud_verify_distance(set->n, u, p);
  thud_free(context, p);
  return error;
}

static thud_error violation_of_parts(thud_context *context, const verify_set *set, const double *numbers,
                                     const double *u, double scale, double *violation, double *accuracy) {
  thud_error error = THUD_OK;
  *violation = *accuracy = 0;
  for (size_t k = 0, offset = 0; k < set->operand_count && error == THUD_OK; k++) {
    double part, part_accuracy;
    error = thud_verify_violation(context, &set->operands[k], numbers, u + offset, scale, &part, &part_accuracy);
    if (error != THUD_OK) break;
    *violation = fmax(*violation, part);
    *accuracy = fmax(*accuracy, part_accuracy);
    if (set->kind == VERIFY_PRODUCT) offset += set->operands[k].n;
  }
  return error;
}

static thud_error violation_of_moved(thud_context *context, const verify_set *set, const double *numbers,
                                     const double *by, double factor, const double *u, double scale, double *violation,
                                     double *accuracy) {
  double *moved = THUD_NEW_ARRAY(context, double, set->n);
  if (moved == NULL) return THUD_ERROR_MEMORY;
  for (size_t i = 0; i < set->n; i++) moved[i] = (u[i] - (by != NULL ? by[i] : 0)) / factor;
  thud_error error =
      thud_verify_violation(context, &set->operands[0], numbers, moved, scale / factor, violation, accuracy);
  *violation *= factor;
  *accuracy *= factor;
  thud_free(context, moved);
  return error;
}

thud_error thud_verify_violation(thud_context *context, const verify_set *set, const double *numbers, const double *u,
                                 double scale, double *violation, double *accuracy) {
  const double *number = numbers + set->first;
  *violation = *accuracy = 0;
  switch (set->kind) {
  case VERIFY_POLYHEDRON: *violation = violation_of_rows(set, number, number + set->rows * set->n, u); return THUD_OK;
  case VERIFY_GRADIENTS: *violation = violation_of_rows(set, number, NULL, u); return THUD_OK;
  case VERIFY_ELLIPSOID: *violation = violation_of_ellipsoid(set->n, number, u); return THUD_OK;
  case VERIFY_PRODUCT:
  case VERIFY_INTERSECTION: return violation_of_parts(context, set, numbers, u, scale, violation, accuracy);
  case VERIFY_TRANSLATION: return violation_of_moved(context, set, numbers, number, 1, u, scale, violation, accuracy);
  case VERIFY_SCALING:
    if (number[0] > 0) return violation_of_moved(context, set, numbers, NULL, number[0], u, scale, violation, accuracy);
    break;
  case VERIFY_HALF_SPACE:
  case VERIFY_BOX:
  case VERIFY_BALL:
  case VERIFY_COULOMB_CONE:
  case VERIFY_COULOMB_DUAL_CONE:
  case VERIFY_HALF_LINE:
  case VERIFY_SEGMENT: return distance(context, set, numbers, u, scale, violation, accuracy);
  case VERIFY_GENERATORS:
  case VERIFY_SUM:
  case VERIFY_IMAGE:
  case VERIFY_PREIMAGE:
  case VERIFY_POLAR: break;
  }
  return thud_verify_form_distance(context, set, numbers, u, scale, violation, accuracy);
}
