/* Height fields: a grid of cells, each of two triangles. Cell (i, j), column i and row j, has the corners
 *   D C   A = (i, j), B = (i+1, j), C = (i+1, j+1), D = (i, j+1),
 *   A B   triangles 2c: A B C and 2c+1: A C D with c = j (columns-1) + i. */
#include "geom/shape_surface.h"
#include "geom/triangles.h"

/* ---- making ----------------------------------------------------------------------------------------------------------- */

static thud_error check_grid(const thud_shape *shape) {
  const thud_shape_def *def = &shape->def;
  if (def->columns < 2 || def->rows < 2 || def->heights == NULL)
    return thud_fail(
        shape->context, THUD_ERROR_ARGUMENT,
        "[bad-shape] height-field: there are %d columns and %d rows of heights; at least 2 of each are needed",
        (int)def->columns, (int)(def->heights == NULL ? 0 : def->rows));
  if ((int64_t)def->columns * def->rows > THUD_POINTS_MOST)
    return thud_fail(shape->context, THUD_ERROR_OVERFLOW,
                     "[bad-shape] height-field: %d columns and %d rows are too many; at most %d heights are possible",
                     (int)def->columns, (int)def->rows, THUD_POINTS_MOST);
  for (int k = 0; k < 2; k++)
    if (!(def->spacing[k] >= THUD_LENGTH_LEAST && def->spacing[k] <= THUD_LENGTH_MOST))
      return thud_fail(shape->context, THUD_ERROR_ARGUMENT,
                       "[bad-shape] height-field: the spacing along %c is %g; it must be a finite number > 0", "xy"[k],
                       def -> spacing[k]);
  size_t count = (size_t)def->columns * (size_t)def->rows;
  for (size_t i = 0; i < count; i++)
    if (!(fabs(def->heights[i]) <= THUD_LENGTH_MOST))
      return thud_fail(
          shape->context, THUD_ERROR_ARGUMENT,
          "[bad-shape] height-field: the height in column %zu, row %zu (counted from 0) is %g; it must be finite",
          i % (size_t)def->columns, i / (size_t)def->columns, def->heights[i]);
  return THUD_OK;
}

/* The surface's point at a place of the grid. */
static thud_vec3 point_at(const thud_shape *shape, thud_index column, thud_index row) {
  const thud_shape_def *def = &shape->def;
  return thud_vec3_make((column - 0.5 * (def->columns - 1)) * def->spacing[0],
                        (row - 0.5 * (def->rows - 1)) * def->spacing[1],
                        def->heights[(size_t)row * (size_t)def->columns + (size_t)column]);
}

static thud_error build(thud_shape *shape) {
  thud_error error = check_grid(shape);
  if (error != THUD_OK) return error;
  thud_shape_def *def = &shape->def;
  size_t count = (size_t)def->columns * (size_t)def->rows;
  shape->heights = THUD_NEW_ARRAY(shape->context, double, count);
  if (shape->heights == NULL) return THUD_ERROR_MEMORY;
  memcpy(shape->heights, def->heights, count * sizeof *shape->heights);
  def->heights = shape->heights;
  shape->low_height = shape->high_height = shape->heights[0];
  for (thud_index row = 0; row < def->rows; row++)
    for (thud_index column = 0; column < def->columns; column++) {
      thud_vec3 x = point_at(shape, column, row);
      shape->reach = fmax(shape->reach, thud_vec3_norm(x));
      shape->low_height = fmin(shape->low_height, x.z);
      shape->high_height = fmax(shape->high_height, x.z);
    }
  shape->thickness = fmin(def->spacing[0], def->spacing[1]);
  return THUD_OK;
}

/* ---- asking ----------------------------------------------------------------------------------------------------------- */

/* Cells whose interval along one axis meets [low, high]: *first to *last, none when *first > *last. */
static void cells_of(double low, double high, double spacing, thud_index points, thud_index *first, thud_index *last) {
  double origin = -0.5 * (points - 1) * spacing;
  double from = floor((low - origin) / spacing), to = floor((high - origin) / spacing);
  *first = (thud_index)fmin(fmax(from, 0), points - 1);
  *last = (thud_index)fmax(fmin(to, points - 2), -1);
}

static void visit_cells(const thud_shape *surface, const thud_bounds *box, thud_triangle_visit_fn visit, void *user) {
  const thud_shape_def *def = &surface->def;
  thud_index first[2], last[2];
  if (box->low.z > surface->high_height || box->high.z < surface->low_height) return;
  cells_of(box->low.x, box->high.x, def->spacing[0], def->columns, &first[0], &last[0]);
  cells_of(box->low.y, box->high.y, def->spacing[1], def->rows, &first[1], &last[1]);
  for (thud_index j = first[1]; j <= last[1]; j++)
    for (thud_index i = first[0]; i <= last[0]; i++) {
      const double *low = def->heights + (size_t)j * (size_t)def->columns + (size_t)i, *high = low + def->columns;
      const double third[2] = {low[1], high[0]}; /* of the corners A and C both triangles have */
      for (thud_index half = 0; half < 2; half++) {
        double top = fmax(fmax(low[0], high[1]), third[half]), bottom = fmin(fmin(low[0], high[1]), third[half]);
        if (top >= box->low.z && bottom <= box->high.z) visit(user, 2 * (j * (def->columns - 1) + i) + half);
      }
    }
}

/* Places of the corners of both triangles, and of the corners beyond their edges, relative to the cell. */
static const signed char corner_places[2][3][2] = {{{0, 0}, {1, 0}, {1, 1}}, {{0, 0}, {1, 1}, {0, 1}}};
static const signed char beyond_places[2][3][2] = {{{0, -1}, {2, 1}, {0, 1}}, {{1, 0}, {1, 2}, {-1, 0}}};

/* False outside of the grid. */
static bool find_point(const thud_shape *surface, thud_index column, thud_index row, thud_vec3 *point) {
  if (column < 0 || column >= surface->def.columns || row < 0 || row >= surface->def.rows) return false;
  *point = point_at(surface, column, row);
  return true;
}

static void get_triangle(const thud_shape *surface, thud_index number, thud_triangle *triangle) {
  thud_index cell = number / 2, half = number % 2, width = surface->def.columns - 1;
  thud_index column = cell % width, row = cell / width;
  triangle->number = number;
  for (int k = 0; k < 3; k++)
    triangle->corners[k] = point_at(surface, column + corner_places[half][k][0], row + corner_places[half][k][1]);
  thud_vec3 a = triangle->corners[0];
  thud_vec3_normalise(
      thud_vec3_cross(thud_vec3_subtract(triangle->corners[1], a), thud_vec3_subtract(triangle->corners[2], a)),
      &triangle->normal);
  for (int k = 0; k < 3; k++) {
    thud_vec3 beyond;
    triangle->edges[k] = THUD_EDGE_BORDER;
    if (find_point(surface, column + beyond_places[half][k][0], row + beyond_places[half][k][1], &beyond))
      thud_triangle_set_beyond(triangle, k, beyond);
  }
}

static thud_rise rise_at(const thud_shape *surface, thud_index number, int k, thud_vec3 direction) {
  static const signed char around[6][2] = {{1, 0}, {1, 1}, {0, 1}, {-1, 0}, {-1, -1}, {0, -1}};
  thud_index cell = number / 2, half = number % 2, width = surface->def.columns - 1;
  thud_index column = cell % width + corner_places[half][k][0], row = cell / width + corner_places[half][k][1];
  thud_vec3 vertex = point_at(surface, column, row), next;
  thud_rise rise = {INFINITY, -INFINITY, direction};
  for (int i = 0; i < 6; i++)
    if (find_point(surface, column + around[i][0], row + around[i][1], &next))
      thud_rise_add(&rise, vertex, next, direction);
  return rise;
}

static thud_index triangle_above(const thud_shape *surface, thud_vec3 x) {
  const thud_shape_def *def = &surface->def;
  thud_index first[2], last[2];
  cells_of(x.x, x.x, def->spacing[0], def->columns, &first[0], &last[0]);
  cells_of(x.y, x.y, def->spacing[1], def->rows, &first[1], &last[1]);
  if (first[0] > last[0] || first[1] > last[1]) return -1;
  thud_vec3 a = point_at(surface, first[0], first[1]);
  bool upper = (x.y - a.y) * def->spacing[0] > (x.x - a.x) * def->spacing[1]; /* left of the diagonal from A to C */
  thud_triangle triangle;
  get_triangle(surface, 2 * (first[1] * (def->columns - 1) + first[0]) + upper, &triangle);
  return thud_vec3_dot(triangle.normal, thud_vec3_subtract(x, a)) < 0 ? triangle.number : -1;
}

static double count_triangles(const thud_shape *surface) { return 2.0 * surface->def.columns * surface->def.rows; }

/* Extent of the box around it: tight unless it is turned. */
static double extent(const thud_shape *shape, thud_vec3 d) {
  const thud_shape_def *def = &shape->def;
  double x = 0.5 * (def->columns - 1) * def->spacing[0], y = 0.5 * (def->rows - 1) * def->spacing[1];
  return x * fabs(d.x) + y * fabs(d.y) + fmax(d.z * shape->low_height, d.z * shape->high_height);
}

/* ---- drawing ---------------------------------------------------------------------------------------------------------- */

static thud_error draw(const thud_surface_request *request, const thud_shape *shape, thud_shape_surface *surface) {
  size_t columns = (size_t)shape->def.columns, rows = (size_t)shape->def.rows;
  thud_error error = thud_surface_allocate(request->context, columns * rows, 2 * (columns - 1) * (rows - 1), surface);
  if (error != THUD_OK) return error;
  for (thud_index row = 0; row < shape->def.rows; row++)
    for (thud_index column = 0; column < shape->def.columns; column++)
      thud_surface_point(surface, point_at(shape, column, row));
  for (size_t row = 0; row + 1 < rows; row++)
    for (size_t a = row * columns; a + 1 < (row + 1) * columns; a++) {
      thud_surface_triangle(surface, a, a + 1, a + columns + 1);
      thud_surface_triangle(surface, a, a + columns + 1, a + columns);
    }
  return THUD_OK;
}

/* ---- the class ---------------------------------------------------------------------------------------------------------- */

static const thud_surface_class triangles = {
    .count = count_triangles, .visit = visit_cells, .get = get_triangle, .rise = rise_at, .above = triangle_above};

const thud_shape_class thud_shape_height_field = {
    .name = "height-field",
    .scene = {.word = "height_field", .notation = THUD_NOTED_HEIGHTS},
    .pairs = THUD_PAIRS_SURFACE,
    .needs = THUD_NEEDS_HEIGHTS,
    .build = build,
    .extent = extent,
    .triangles = &triangles,
    .surface = draw,
};
