/* Forbidden regions in the plane of a curve: marching squares on a grid find where a gap is negative. Only gaps that depend
 * on the two components of the plane and on t are drawn. */
#include "plot/expression.h"

#include <math.h>
#include <string.h>

enum { CELLS = 360, MOVING_CELLS = 120, MOMENTS = 33, MOST_OBSTACLES = 24, OUTLINE_COLOUR = 7 };

typedef struct obstacle {
  const char *name;
  thud_expr *expr;
  double sign; /* admissible where sign * expr >= 0; 0: only where it is 0 */
  bool moves;
} obstacle;

typedef struct obstacle_grid {
  thud_picture *picture;
  const plot_scope *scope;
  thud_index axes[2];
  double *variables; /* of the scope */
  double start, end; /* times that are drawn */
  double low[2], high[2];
  size_t cells;
  double *values; /* [(cells+1)^2] row by row, upwards */
} obstacle_grid;

/* ---- which constraints --------------------------------------------------------------------------------------------------- */

/* True if the expression is one of the plane: of its axes and t, and of at least one axis. */
static bool is_of_plane(const obstacle_grid *grid, const thud_expr *expr) {
  bool any = false;
  for (size_t k = 0; k < thud_plot_scope_size(grid->scope); k++) {
    thud_index slot = (thud_index)k;
    bool axis = slot == grid->axes[0] || slot == grid->axes[1];
    if (!thud_expr_depends_on(expr, slot)) continue;
    if (!axis && slot != thud_plot_scope_time(grid->scope)) return false;
    any = any || axis;
  }
  return any;
}

/* A constraint that says nothing here is none; expr stays NULL. */
static thud_error read_obstacle(const obstacle_grid *grid, const thud_node *constraint, obstacle *read) {
  static const struct {
    const char *key;
    double sign;
  } forms[] = {{"gap", 1}, {"phi", -1}, {"equation", 0}};
  const char *name = thud_plot_text_at(constraint, "name");
  *read = (obstacle){.name = name != NULL ? name : ""};
  for (size_t k = 0; k < sizeof forms / sizeof *forms && read->expr == NULL; k++) {
    const char *text = thud_plot_text_at(constraint, forms[k].key);
    if (text == NULL) continue;
    thud_error error = thud_plot_scope_compile(grid->scope, text, &read->expr);
    if (error == THUD_ERROR_MEMORY) return error;
    read->sign = forms[k].sign;
  }
  if (read->expr != NULL && !is_of_plane(grid, read->expr)) {
    thud_expr_destroy(read->expr);
    read->expr = NULL;
  }
  read->moves = read->expr != NULL && thud_expr_depends_on(read->expr, thud_plot_scope_time(grid->scope));
  return THUD_OK;
}

static thud_error read_obstacles(const obstacle_grid *grid, obstacle *found, size_t *count) {
  const thud_node *system = thud_plot_section(thud_plot_scope_root(grid->scope));
  const thud_node *list = system != NULL ? thud_node_find(system, "constraints") : NULL;
  thud_error error = THUD_OK;
  if (list == NULL || thud_node_get_kind(list) != THUD_NODE_SEQUENCE) return THUD_OK;
  for (size_t k = 0; k < thud_node_count(list) && *count < MOST_OBSTACLES && error == THUD_OK; k++) {
    error = read_obstacle(grid, thud_node_item(list, k), &found[*count]);
    *count += error == THUD_OK && found[*count].expr != NULL;
  }
  return error;
}

/* ---- the grid ------------------------------------------------------------------------------------------------------------- */

/* Far enough around the curves that the axes do not reach its edge: with equal scales one of them may be much longer than
 * its data. */
static void choose_box(obstacle_grid *grid, bool equal_aspect) {
  const thud_picture *picture = grid->picture;
  double width[2];
  for (int d = 0; d < 2; d++) {
    grid->low[d] = INFINITY;
    grid->high[d] = -INFINITY;
    for (size_t k = 0; k < picture->series_count; k++) {
      const thud_plot_series *series = &picture->series[k];
      for (size_t i = 0; i < series->count; i++) {
        double value = d == 0 ? series->x[i] : series->y[i];
        grid->low[d] = fmin(grid->low[d], value);
        grid->high[d] = fmax(grid->high[d], value);
      }
    }
    width[d] = grid->high[d] - grid->low[d];
    if (!(width[d] > 0)) width[d] = 0.4 * fmax(fabs(grid->high[d]), 1);
  }
  double larger = fmax(width[0], width[1]);
  for (int d = 0; d < 2; d++) {
    double centre = 0.5 * (grid->low[d] + grid->high[d]), half = equal_aspect ? 1.25 * larger : 0.75 * width[d];
    grid->low[d] = centre - half;
    grid->high[d] = centre + half;
  }
}

static double place(const obstacle_grid *grid, int d, size_t k) {
  return grid->low[d] + (grid->high[d] - grid->low[d]) * (double)k / (double)grid->cells;
}

/* The largest value that it takes from the first to the last of these moments: negative where it is forbidden always. */
static void evaluate(obstacle_grid *grid, const obstacle *one, size_t moments, double first, double last) {
  size_t side = grid->cells + 1;
  double factor = one->sign != 0 ? one->sign : 1;
  for (size_t k = 0; k < side * side; k++) {
    double most = -INFINITY;
    grid->variables[grid->axes[0]] = place(grid, 0, k % side);
    grid->variables[grid->axes[1]] = place(grid, 1, k / side);
    for (size_t m = 0; m < moments; m++) {
      double part = moments > 1 ? (double)m / (double)(moments - 1) : 0;
      grid->variables[thud_plot_scope_time(grid->scope)] = first + part * (last - first);
      double value = factor * thud_expr_evaluate(one->expr, grid->variables);
      most = isnan(value) ? value : fmax(most, value);
      if (isnan(value)) break;
    }
    grid->values[k] = most;
  }
}

/* ---- marching squares ------------------------------------------------------------------------------------------------------ */

typedef struct corner {
  double x, y, value;
} corner;

static void corners_of(const obstacle_grid *grid, size_t i, size_t j, corner corners[4]) {
  static const size_t right[] = {0, 1, 1, 0}, up[] = {0, 0, 1, 1};
  for (int k = 0; k < 4; k++) {
    size_t a = i + right[k], b = j + up[k];
    corners[k] = (corner){place(grid, 0, a), place(grid, 1, b), grid->values[b * (grid->cells + 1) + a]};
  }
}

/* Where the value passes through 0 between two corners of different signs. */
static corner zero_between(corner a, corner b) {
  double part = a.value / (a.value - b.value);
  return (corner){a.x + part * (b.x - a.x), a.y + part * (b.y - a.y), 0};
}

static size_t negative_corners(const corner corners[4]) {
  size_t count = 0;
  for (int k = 0; k < 4; k++) {
    if (!isfinite(corners[k].value)) return SIZE_MAX; /* not known: nothing is drawn */
    count += corners[k].value < 0;
  }
  return count;
}

static void add_polygon(plot_points *area, size_t count, const corner *corners) {
  area->gap = area->count > 0;
  for (size_t k = 0; k < count; k++) thud_plot_points_add(area, corners[k].x, corners[k].y);
}

/* The part of a cell in which the value is negative, its corners and zeros in their order. */
static void add_part(plot_points *area, const corner corners[4]) {
  corner part[8];
  size_t count = 0;
  for (int k = 0; k < 4; k++) {
    corner here = corners[k], next = corners[(k + 1) % 4];
    if (here.value < 0) part[count++] = here;
    if ((here.value < 0) != (next.value < 0)) part[count++] = zero_between(here, next);
  }
  add_polygon(area, count, part);
}

static void add_run(const obstacle_grid *grid, plot_points *area, size_t first, size_t last, size_t j) {
  double left = place(grid, 0, first), right = place(grid, 0, last), low = place(grid, 1, j),
         high = place(grid, 1, j + 1);
  const corner box[4] = {{left, low, -1}, {right, low, -1}, {right, high, -1}, {left, high, -1}};
  add_polygon(area, 4, box);
}

/* Whole cells of a row are joined to one rectangle. */
static void fill_area(const obstacle_grid *grid, plot_points *area) {
  for (size_t j = 0; j < grid->cells; j++) {
    size_t run = 0; /* whole cells in front of this one */
    for (size_t i = 0; i < grid->cells; i++) {
      corner corners[4];
      corners_of(grid, i, j, corners);
      size_t negative = negative_corners(corners);
      if (negative != 4 && run > 0) add_run(grid, area, i - run, i, j);
      run = negative == 4 ? run + 1 : 0;
      if (negative > 0 && negative < 4) add_part(area, corners);
    }
    if (run > 0) add_run(grid, area, grid->cells - run, grid->cells, j);
  }
}

/* ---- outlines -------------------------------------------------------------------------------------------------------------- */

enum { NO_EDGE = -1 };

/* The zero lines within the cells join the zeros on edges of the grid: every edge has at most two neighbours. Edges are
 * numbered: that to the right of a corner 2 k, that above it 2 k + 1, k the corner's number. */
typedef struct zero_edge {
  corner zero;
  thud_index next[2]; /* NO_EDGE: none */
  bool crossed, used;
} zero_edge;

static void link_edges(zero_edge *edges, thud_index a, thud_index b) {
  edges[a].next[edges[a].next[0] != NO_EDGE] = b;
  edges[b].next[edges[b].next[0] != NO_EDGE] = a;
}

/* A cell with a saddle has two lines. */
static void link_cell(const obstacle_grid *grid, size_t i, size_t j, zero_edge *edges) {
  corner corners[4];
  thud_index crossed[4], side = (thud_index)grid->cells + 1, k = (thud_index)j * side + (thud_index)i;
  const thud_index numbers[4] = {2 * k, 2 * (k + 1) + 1, 2 * (k + side), 2 * k + 1};
  size_t count = 0;
  corners_of(grid, i, j, corners);
  if (negative_corners(corners) == SIZE_MAX) return;
  for (int e = 0; e < 4; e++) {
    corner here = corners[e], next = corners[(e + 1) % 4];
    if ((here.value < 0) == (next.value < 0)) continue;
    zero_edge *edge = &edges[numbers[e]];
    if (!edge->crossed) edge->zero = zero_between(here, next);
    edge->crossed = true;
    crossed[count++] = numbers[e];
  }
  for (size_t e = 0; e + 1 < count; e += 2) link_edges(edges, crossed[e], crossed[e + 1]);
}

static void follow(zero_edge *edges, thud_index start, plot_points *outline) {
  outline->gap = outline->count > 0;
  thud_index here = start, last = start, count = 0;
  while (here != NO_EDGE && !edges[here].used) {
    edges[here].used = true;
    last = here;
    count++;
    thud_plot_points_add(outline, edges[here].zero.x, edges[here].zero.y);
    thud_index first = edges[here].next[0], second = edges[here].next[1];
    here = first != NO_EDGE && !edges[first].used ? first : second;
  }
  bool closed = count > 2 && (edges[last].next[0] == start || edges[last].next[1] == start);
  if (closed) thud_plot_points_add(outline, edges[start].zero.x, edges[start].zero.y);
}

/* Lines that end at the border of the grid first, then closed ones. */
static thud_error fill_outline(const obstacle_grid *grid, plot_points *outline) {
  size_t side = grid->cells + 1, count = 2 * side * side;
  zero_edge *edges = THUD_NEW_ARRAY(grid->picture->context, zero_edge, count);
  if (edges == NULL) return THUD_ERROR_MEMORY;
  for (size_t e = 0; e < count; e++) edges[e].next[0] = edges[e].next[1] = NO_EDGE;
  for (size_t j = 0; j < grid->cells; j++)
    for (size_t i = 0; i < grid->cells; i++) link_cell(grid, i, j, edges);
  for (int closed = 0; closed < 2; closed++)
    for (size_t e = 0; e < count; e++)
      if (edges[e].crossed && !edges[e].used && (closed || edges[e].next[1] == NO_EDGE))
        follow(edges, (thud_index)e, outline);
  thud_free(grid->picture->context, edges);
  return THUD_OK;
}

/* ---- series ---------------------------------------------------------------------------------------------------------------- */

/* Cells that are neither forbidden nor admissible as a whole. */
static size_t mixed_cells(const obstacle_grid *grid) {
  size_t count = 0;
  for (size_t k = 0; k < grid->cells * grid->cells; k++) {
    corner corners[4];
    corners_of(grid, k % grid->cells, k / grid->cells, corners);
    size_t negative = negative_corners(corners);
    count += negative != 0 && negative != 4;
  }
  return count;
}

static thud_error add_outline(obstacle_grid *grid, const obstacle *one, double t, thud_plot_dash dash,
                              const char *label) {
  evaluate(grid, one, 1, t, t);
  plot_points outline = thud_plot_points_begin(grid->picture, 6 * mixed_cells(grid));
  if (outline.error != THUD_OK) return outline.error;
  thud_error error = fill_outline(grid, &outline);
  if (error != THUD_OK) return error;
  return thud_plot_points_end(
      &outline,
      (thud_plot_series){.label = label, .dash = dash, .colour = OUTLINE_COLOUR, .no_jumps = true, .no_range = true});
}

static thud_error add_shade(obstacle_grid *grid, const obstacle *one, bool *named) {
  evaluate(grid, one, one->moves ? MOMENTS : 1, grid->start, grid->end);
  size_t mixed = mixed_cells(grid); /* up to eight points each, and each may end a run of whole ones */
  plot_points area = thud_plot_points_begin(grid->picture, 8 * mixed + 4 * (mixed + grid->cells));
  if (area.error != THUD_OK) return area.error;
  fill_area(grid, &area);
  const char *label = *named ? "" : "forbidden";
  *named = *named || area.count > 0;
  return thud_plot_points_end(
      &area, (thud_plot_series){.label = label, .style = THUD_PLOT_AREA, .no_jumps = true, .no_range = true});
}

/* Shaded where it is forbidden at all times that are drawn; one that moves has its outlines at the first and last. */
static thud_error add_obstacle(obstacle_grid *grid, const obstacle *one, bool *named) {
  size_t side = (grid->cells = one->moves ? MOVING_CELLS : CELLS) + 1;
  thud_error error = thud_plot_new_values(grid->picture, side, side, one->name, &grid->values);
  if (error == THUD_OK && one->sign != 0) error = add_shade(grid, one, named);
  const char *first = one->sign != 0 ? "" : one->name, *last = first;
  if (error == THUD_OK && one->moves) {
    first = thud_plot_text(grid->picture, "%s at the start", one->name);
    last = thud_plot_text(grid->picture, "%s at the end", one->name);
    error = first != NULL && last != NULL ? add_outline(grid, one, grid->start, THUD_PLOT_DASHED, first)
                                          : THUD_ERROR_MEMORY;
  }
  if (error == THUD_OK) error = add_outline(grid, one, grid->end, THUD_PLOT_SOLID, last);
  thud_free(grid->picture->context, grid->values);
  grid->values = NULL;
  return error;
}

thud_error thud_plot_add_obstacles(thud_picture *picture, plot_record *record, const char *const names[2]) {
  obstacle_grid grid = {.picture = picture};
  obstacle found[MOST_OBSTACLES];
  size_t count = 0;
  bool named = false;
  plot_scope *scope;
  thud_error error = thud_plot_scope(picture, record, &scope);
  if (error != THUD_OK) return error;
  grid.scope = scope;
  for (int d = 0; d < 2; d++) grid.axes[d] = thud_plot_scope_find(scope, names[d]);
  if (grid.axes[0] < 0 || grid.axes[1] < 0) return THUD_OK;
  grid.start = fmax(record->t[0], picture->from);
  grid.end = fmin(thud_plot_last_time(record), picture->to);
  grid.variables = THUD_NEW_ARRAY(picture->context, double, thud_plot_scope_size(scope));
  error = grid.variables != NULL ? read_obstacles(&grid, found, &count) : THUD_ERROR_MEMORY;
  choose_box(&grid, picture->figure.equal_aspect);
  for (size_t k = 0; k < count && error == THUD_OK; k++) error = add_obstacle(&grid, &found[k], &named);
  for (size_t k = 0; k < count; k++) thud_expr_destroy(found[k].expr);
  thud_free(picture->context, grid.variables);
  return error;
}
