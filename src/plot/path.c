#include "plot/path.h"

#include "base/base.h"

#include <math.h>

double thud_plot_axis_place(const thud_plot_axis *axis, double value) {
  double share = axis->log ? log(value / axis->minimum) / log(axis->maximum / axis->minimum)
                           : (value - axis->minimum) / (axis->maximum - axis->minimum);
  return axis->from + share * (axis->to - axis->from);
}

/* ---- collecting ------------------------------------------------------------------------------------------- */

/* Points of one column of paper: the line enters at first, leaves at last and reaches lowest and highest. */
typedef struct column {
  double index; /* NAN: empty */
  size_t count; /* points seen */
  thud_plot_point first, last, lowest, highest;
  size_t lowest_at, highest_at; /* their order */
} column;

/* Squares of paper, as wide as the resolution, that a curve has passed; one bit each. */
typedef struct visited {
  double left, top;
  size_t columns, rows;
  uint8_t *bits;
} visited;

/* Pieces of a curve shorter than this many resolutions may be left out where the curve has been before. */
static const double short_piece = 4;

typedef struct builder {
  thud_context *context;
  thud_plot_path *path;
  double resolution;
  bool monotone;
  bool lifted; /* the next point starts a new line */
  column open;
  visited visited;
  bool first_is_old; /* curves: the square of open.first had been passed before */
  bool skipping;     /* curves: the piece that ends in open.first was left out */
  thud_error error;
} builder;

static void emit(builder *b, thud_plot_point point) {
  thud_plot_path *path = b->path;
  if (b->error != THUD_OK) return;
  b->error =
      thud_array_reserve(b->context, (void **)&path->points, &path->capacity, path->count + 1, sizeof(thud_plot_point));
  if (b->error == THUD_OK) path->points[path->count++] = point;
}

static void emit_again(builder *b, thud_plot_point point, const thud_plot_point *before) {
  if (point.x == before->x && point.y == before->y) return;
  point.start = false;
  emit(b, point);
}

static void close_column(builder *b) {
  column *c = &b->open;
  if (c->count == 0) return;
  emit(b, c->first);
  bool low_first = c->lowest_at < c->highest_at;
  const thud_plot_point *one = low_first ? &c->lowest : &c->highest, *two = low_first ? &c->highest : &c->lowest;
  emit_again(b, *one, &c->first);
  emit_again(b, *two, one);
  emit_again(b, c->last, two);
  c->count = 0;
}

static void add_to_column(builder *b, thud_plot_point point) {
  column *c = &b->open;
  double index = floor(point.x / b->resolution);
  if (c->count > 0 && (point.start || index != c->index)) close_column(b);
  if (c->count == 0) {
    *c = (column){.index = index, .first = point, .lowest = point, .highest = point};
  } else if (point.y < c->lowest.y) {
    c->lowest = point;
    c->lowest_at = c->count;
  } else if (point.y > c->highest.y) {
    c->highest = point;
    c->highest_at = c->count;
  }
  c->last = point;
  c->count++;
}

static thud_error visited_create(thud_context *context, const thud_plot_axis *x_axis, const thud_plot_axis *y_axis,
                                 double resolution, visited *v) {
  v->left = fmin(x_axis->from, x_axis->to);
  v->top = fmin(y_axis->from, y_axis->to);
  v->columns = (size_t)(fabs(x_axis->to - x_axis->from) / resolution) + 1;
  v->rows = (size_t)(fabs(y_axis->to - y_axis->from) / resolution) + 1;
  v->bits = thud_alloc(context, v->columns * v->rows / 8 + 1, 1);
  return v->bits != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

/* Has the curve been here before? It has now. */
static bool visit(builder *b, const thud_plot_point *point) {
  visited *v = &b->visited;
  double column_place = floor((point->x - v->left) / b->resolution);
  double row = floor((point->y - v->top) / b->resolution);
  bool inside = column_place >= 0 && row >= 0 && column_place < (double)v->columns && row < (double)v->rows;
  if (!inside) return false;
  size_t bit = (size_t)row * v->columns + (size_t)column_place;
  bool before = (v->bits[bit / 8] >> (bit % 8) & 1) != 0;
  v->bits[bit / 8] |= (uint8_t)(1u << (bit % 8));
  return before;
}

/* Keeps points further than the resolution from the last one kept, which is open.first; open.last is the newest. */
static void add_to_curve(builder *b, thud_plot_point point) {
  column *c = &b->open;
  double distance = hypot(point.x - c->first.x, point.y - c->first.y);
  if (c->count > 0 && !point.start && distance < b->resolution) {
    c->last = point;
    c->count++;
    return;
  }
  bool old = visit(b, &point);
  bool redundant = !point.start && old && b->first_is_old && distance < short_piece * b->resolution;
  if (point.start && c->count > 1 && !b->skipping) emit(b, c->last);
  if (!redundant) {
    if (b->skipping && !point.start) {
      c->first.start = true;
      emit(b, c->first);
    }
    emit(b, point);
  }
  b->skipping = redundant;
  b->first_is_old = old;
  c->first = c->last = point;
  c->count = 1;
}

static void add_point(builder *b, double x, double y) {
  thud_plot_point point = {.x = x, .y = y, .start = b->lifted};
  b->lifted = false;
  if (b->monotone)
    add_to_column(b, point);
  else
    add_to_curve(b, point);
}

static void finish(builder *b) {
  if (b->monotone)
    close_column(b);
  else if (b->open.count > 1 && !b->skipping)
    emit(b, b->open.last);
}

static void add_jump(builder *b, double x, double y_left, double y_right) {
  thud_plot_path *path = b->path;
  if (b->error != THUD_OK) return;
  b->error = thud_array_reserve(b->context, (void **)&path->jumps, &path->jump_capacity, path->jump_count + 1,
                                sizeof(thud_plot_jump));
  if (b->error == THUD_OK) path->jumps[path->jump_count++] = (thud_plot_jump){x, y_left, y_right};
}

/* ---- walking along the data --------------------------------------------------------------------------------- */

static bool is_monotone(const thud_plot_series *series) {
  for (size_t k = 1; k < series->count; k++)
    if (series->x[k] < series->x[k - 1]) return false;
  return true;
}

static void add_data_point(builder *b, const thud_plot_series *series, size_t k, bool broken,
                           const thud_plot_axis *x_axis, const thud_plot_axis *y_axis) {
  double x = thud_plot_axis_place(x_axis, series->x[k]), y = thud_plot_axis_place(y_axis, series->y[k]);
  if (k > 0 && !broken) {
    double previous = thud_plot_axis_place(y_axis, series->y[k - 1]);
    bool jumps = !series->no_jumps && series->x[k] == series->x[k - 1] && series->y[k] != series->y[k - 1];
    if (jumps) {
      add_jump(b, x, previous, y);
      b->lifted = true;
    } else if (series->style == THUD_PLOT_STEPS) {
      add_point(b, x, previous);
    }
  }
  if (broken) b->lifted = true;
  add_point(b, x, y);
}

thud_error thud_plot_path_build(thud_context *context, const thud_plot_series *series, const thud_plot_axis *x_axis,
                                const thud_plot_axis *y_axis, double resolution, thud_plot_path *path) {
  builder b = {.context = context, .path = path, .resolution = resolution, .lifted = true};
  b.monotone = is_monotone(series);
  path->count = path->jump_count = 0;
  if (!b.monotone) b.error = visited_create(context, x_axis, y_axis, resolution, &b.visited);
  size_t next_break = 0;
  for (size_t k = 0; k < series->count && b.error == THUD_OK; k++) {
    bool broken = next_break < series->break_count && series->breaks[next_break] == k;
    if (broken) next_break++;
    add_data_point(&b, series, k, broken, x_axis, y_axis);
  }
  if (b.error == THUD_OK) finish(&b);
  thud_free(context, b.visited.bits);
  return b.error;
}

void thud_plot_path_release(thud_context *context, thud_plot_path *path) {
  thud_free(context, path->points);
  thud_free(context, path->jumps);
  *path = (thud_plot_path){0};
}
