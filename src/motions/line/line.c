/* Lines: stiffness, loads shared out by the shape functions, distances. */
#include "base/base.h"
#include "motions/line/line.h"

#include <math.h>
#include <string.h>

/* ---- shape functions ---------------------------------------------------------------------------------------------------- */

/* Values at the fraction z of a cell of length h, of the freedoms of its left node, then of its right one; returns how
 * many: 2 (linear) or 4 (Hermite: value, slope). */
static int shape(thud_index per_node, double h, double z, double values[4]) {
  if (per_node == 1) {
    values[0] = 1 - z;
    values[1] = z;
    return 2;
  }
  values[0] = (1 + 2 * z) * (1 - z) * (1 - z);
  values[1] = h * z * (1 - z) * (1 - z);
  values[2] = z * z * (3 - 2 * z);
  values[3] = -h * z * z * (1 - z);
  return 4;
}

/* Cell c = [x_c, x_{c+1}] that contains x, which is on the line. */
static thud_index cell_of(const thud_line *line, double x) {
  thud_index low = 0, high = line->n - 1;
  while (high - low > 1) {
    thud_index middle = low + (high - low) / 2;
    if (line->x[middle] <= x)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static thud_index per_node(const thud_line *line, thud_line_direction direction) {
  return direction == THUD_LINE_TRANSVERSE ? line->per_node : 1;
}

static void add_in_cell(const thud_line *line, thud_index freedoms, thud_index cell, double x, double force,
                        double *forces) {
  double values[4], h = line->x[cell + 1] - line->x[cell];
  int count = shape(freedoms, h, (x - line->x[cell]) / h, values);
  for (int k = 0; k < count; k++) forces[cell * freedoms + k] += force * values[k];
}

thud_error thud_line_add_atom(const thud_line *line, thud_line_direction direction, double x, double force,
                              double *forces) {
  THUD_REQUIRE_OF(line, line->x, forces);
  if (!(x >= line->x[0] && x <= line->x[line->n - 1]) || !isfinite(force))
    return thud_fail(line->context, THUD_ERROR_ARGUMENT,
                     "a point force of %g at x = %g: the line goes from %g to %g, forces are finite", force, x,
                     line->x[0], line->x[line->n - 1]);
  add_in_cell(line, per_node(line, direction), cell_of(line, x), x, force, forces);
  return THUD_OK;
}

/* Three Gauss points: exact for a linear density times a cubic. */
static void add_piece(const thud_line *line, thud_index freedoms, thud_index cell, double from, double to,
                      const double density[2], double *forces) {
  static const double places[3] = {-0.77459666924148337704, 0, 0.77459666924148337704};
  static const double weights[3] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
  double middle = (from + to) / 2, half = (to - from) / 2;
  for (int k = 0; k < 3; k++) {
    double x = middle + half * places[k], share = (1 + places[k]) / 2;
    double value = density[0] + share * (density[1] - density[0]);
    add_in_cell(line, freedoms, cell, x, 2 * half * weights[k] * value, forces);
  }
}

thud_error thud_line_add_density(const thud_line *line, thud_line_direction direction, double from, double to,
                                 double density_from, double density_to, double *forces) {
  THUD_REQUIRE_OF(line, line->x, forces);
  if (!(from <= to) || !isfinite(from) || !isfinite(to) || !isfinite(density_from) || !isfinite(density_to))
    return thud_fail(line->context, THUD_ERROR_ARGUMENT,
                     "a density from x = %g (%g) to %g (%g): numbers are finite and the places in order", from,
                     density_from, to, density_to);
  double slope = to > from ? (density_to - density_from) / (to - from) : 0;
  double first = fmax(from, line->x[0]), last = fmin(to, line->x[line->n - 1]);
  if (!(first < last)) return THUD_OK;
  for (thud_index cell = cell_of(line, first); cell < line->n - 1 && line->x[cell] < last; cell++) {
    double left = fmax(first, line->x[cell]), right = fmin(last, line->x[cell + 1]);
    const double density[2] = {density_from + slope * (left - from), density_from + slope * (right - from)};
    add_piece(line, per_node(line, direction), cell, left, right, density, forces);
  }
  return THUD_OK;
}

double thud_line_distance(const thud_line *line, const double *a, const double *b) {
  THUD_REQUIRE_OR(NAN, line, line->x, a);
  double sum = 0;
  for (thud_index i = 0; i + 1 < line->n; i++) {
    double rise = a[i + 1] - a[i] - (b != NULL ? b[i + 1] - b[i] : 0);
    sum += rise * rise / (line->x[i + 1] - line->x[i]);
  }
  return sqrt(sum);
}

/* ---- making one ------------------------------------------------------------------------------------------------------------ */

static thud_error check_definition(thud_context *context, const thud_line_definition *given) {
  if (given->kind != THUD_LINE_STRING && given->kind != THUD_LINE_BEAM)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "a line is a string or a beam, not number %d", (int)given->kind);
  if (given->nodes < 2)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "a line has at least 2 nodes, not %td", (ptrdiff_t)given->nodes);
  if (!(given->stiffness > 0) || !isfinite(given->stiffness) || !(given->extension > 0) || !isfinite(given->extension))
    return thud_fail(context, THUD_ERROR_ARGUMENT, "stiffness %g and extension %g must be positive", given->stiffness,
                     given->extension);
  if (given->x == NULL) return thud_fail(context, THUD_ERROR_ARGUMENT, "the nodes of the line have no places");
  for (thud_index i = 0; i < given->nodes; i++)
    if (!isfinite(given->x[i]) || (i > 0 && !(given->x[i] > given->x[i - 1])))
      return thud_fail(context, THUD_ERROR_ARGUMENT, "node %td at x = %g: places are finite and increase", (ptrdiff_t)i,
                       given->x[i]);
  return THUD_OK;
}

/* Adds stiffness times the matrix of one cell, size x size, whose first freedom is number `at`. */
static void add_cell(elastic_kinks *kinks, thud_index at, int size, double stiffness, const double *cell) {
  for (int i = 0; i < size; i++)
    for (int j = 0; j <= i; j++) kinks->K[(at + i) * (kinks->band + 1) + i - j] += stiffness * cell[i * size + j];
}

static void assemble_linear(const thud_line *line, double stiffness, elastic_kinks *kinks) {
  for (thud_index c = 0; c + 1 < line->n; c++) {
    double h = line->x[c + 1] - line->x[c];
    add_cell(kinks, c, 2, stiffness / h, (const double[]){1, -1, -1, 1});
  }
}

static void assemble_cubic(const thud_line *line, double stiffness, elastic_kinks *kinks) {
  for (thud_index c = 0; c + 1 < line->n; c++) {
    double h = line->x[c + 1] - line->x[c];
    const double cell[16] = {12,  6 * h,  -12, 6 * h,  6 * h, 4 * h * h, -6 * h, 2 * h * h,
                             -12, -6 * h, 12,  -6 * h, 6 * h, 2 * h * h, -6 * h, 4 * h * h};
    add_cell(kinks, 2 * c, 4, stiffness / (h * h * h), cell);
  }
}

enum { SLIP_BREAKS = 4 };

static thud_error allocate(thud_line *line) {
  size_t n = (size_t)line->n, freedoms;
  if (!thud_size_multiply(n, (size_t)line->per_node, &freedoms))
    return thud_fail(line->context, THUD_ERROR_MEMORY, "a line of %zu nodes is too large", n);
  line->x = THUD_NEW_ARRAY(line->context, double, n);
  line->kink = THUD_NEW_ARRAY(line->context, double, freedoms);
  line->lower = THUD_NEW_ARRAY(line->context, double, freedoms);
  line->upper = THUD_NEW_ARRAY(line->context, double, freedoms);
  line->reaction = THUD_NEW_ARRAY(line->context, double, freedoms);
  line->work = THUD_NEW_ARRAY(line->context, double, freedoms);
  line->chain = THUD_NEW_ARRAY(line->context, thud_index, n);
  line->slip = THUD_NEW_ARRAY(line->context, elastic_slip_break, SLIP_BREAKS * n);
  if (line->x == NULL || line->kink == NULL || line->lower == NULL || line->upper == NULL || line->reaction == NULL ||
      line->work == NULL || line->chain == NULL || line->slip == NULL)
    return THUD_ERROR_MEMORY;
  thud_error error =
      thud_kinks_create(line->context, line->per_node * line->n, 2 * line->per_node - 1, &line->transverse);
  if (error == THUD_OK) error = thud_kinks_create(line->context, line->n, 1, &line->longitudinal);
  return error;
}

thud_error thud_line_create(thud_context *context, const thud_line_definition *definition, thud_line **line) {
  THUD_REQUIRE(context, context, definition, line);
  thud_error error = check_definition(context, definition);
  if (error != THUD_OK) return error;
  thud_line *made = THUD_NEW(context, thud_line);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->context = context;
  made->kind = definition->kind;
  made->n = definition->nodes;
  made->extension = definition->extension;
  made->per_node = definition->kind == THUD_LINE_BEAM ? 2 : 1;
  error = allocate(made);
  if (error != THUD_OK) {
    thud_line_destroy(made);
    return error;
  }
  memcpy(made->x, definition->x, (size_t)made->n * sizeof *made->x);
  assemble_linear(made, definition->extension, &made->longitudinal);
  if (made->kind == THUD_LINE_BEAM)
    assemble_cubic(made, definition->stiffness, &made->transverse);
  else
    assemble_linear(made, definition->stiffness, &made->transverse);
  *line = made;
  return THUD_OK;
}

void thud_line_destroy(thud_line *line) {
  if (line == NULL) return;
  thud_context *context = line->context;
  thud_kinks_destroy(&line->transverse);
  thud_kinks_destroy(&line->longitudinal);
  thud_free(context, line->x);
  thud_free(context, line->kink);
  thud_free(context, line->lower);
  thud_free(context, line->upper);
  thud_free(context, line->reaction);
  thud_free(context, line->work);
  thud_free(context, line->chain);
  thud_free(context, line->slip);
  thud_free(context, line);
}

thud_index thud_line_nodes(const thud_line *line) {
  THUD_REQUIRE_OR(0, line);
  return line->n;
}

const double *thud_line_places(const thud_line *line) {
  THUD_REQUIRE_OR(NULL, line);
  return line->x;
}

thud_index thud_line_freedoms(const thud_line *line, thud_line_direction direction) {
  THUD_REQUIRE_OR(0, line);
  return line->n * per_node(line, direction);
}
