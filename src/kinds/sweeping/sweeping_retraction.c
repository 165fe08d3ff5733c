/* ret(C; s, t) = sup of sum e(C(t_i), C(t_{i+1})) over s <= t_0 <= t_1 ... <= t: the speed of the retraction is enclosed on
 * pieces of every interval of the partition, and its jumps are added. */
#include "kinds/sweeping/sweeping_scene.h"

#include "convex/excess.h"
#include "expr/rates.h"

#include <string.h>

/* A piece is cut again when that lowers its bound by more than this part of it, and of what such a time retracts on
 * average. */
static const double gain = 0.005;
/* Values of expressions at single times are good to this part of themselves, as far as jumps are concerned. */
static const double value_rounding = 1e-14;
enum {
  MOST_CUTS = 45,
  CUTS_PER_INTERVAL = 16,
  LEAST_CUTS = 4096,
  DIRECTIONS = 32,
  MOST_SAMPLES = 512,
  SAMPLED_SPEEDS = 32
};

typedef struct retraction {
  const sweeping_scene *built;
  const thud_scene *scene;
  size_t count;                     /* parameters */
  expr_interval *value, *rate, *by; /* [count] */
  expr_rate *work;
  size_t room;
  long cuts;    /* that may still be made */
  double speed; /* mean one, by samples */
} retraction;

/* ---- parameters over an interval of time ------------------------------------------------------------------------- */

/* The piece of data that holds on the whole interval, by its expression. */
static void data_over(const expr_rates *how, const thud_regulated *function, const expr_rate *x, expr_rate *work,
                      size_t room, expr_rate *out) {
  const scene_data *data = function->user;
  size_t piece = 0;
  while (piece < data->break_count && data->breaks[piece] <= x->middle) piece++;
  if (piece > 0 && x->value.low < data->breaks[piece - 1]) return;
  if (piece < data->break_count && x->value.high > data->breaks[piece]) return;
  const scene_value *value = &data->pieces[piece];
  if (value->expr != NULL)
    *out = thud_expr_rate_over(value->expr, how, x, work, room);
  else
    *out = (expr_rate){expr_interval_point(value->constant), {0, 0}, value->constant};
}

static void enclose_parameters(retraction *r, double from, double to) {
  const expr_rates how = {.slot = r->scene->time_slot, .function = data_over};
  const expr_rate t = {.value = {from, to}, .rate = {1, 1}, .middle = from + (to - from) / 2};
  for (size_t k = 0; k < r->count; k++) {
    const scene_value *value = &r->built->numbers.values.items[k];
    r->value[k] = expr_interval_point(value->constant);
    r->rate[k] = (expr_interval){0, 0};
    if (value->expr == NULL) continue;
    expr_rate over = thud_expr_rate_over(value->expr, &how, &t, r->work, r->room);
    r->value[k] = over.value;
    r->rate[k] = over.rate;
  }
}

/* Integrates a rate over the time from `from` to `to`, rounded outwards. */
static expr_interval over_time(expr_interval rate, double from, double to) {
  double time = to - from, least = expr_down(time), most = expr_up(time);
  double low = rate.low * (rate.low < 0 ? most : least), high = rate.high * (rate.high > 0 ? most : least);
  return (expr_interval){low == 0 ? 0 : expr_down(low), high == 0 ? 0 : expr_up(high)};
}

static expr_interval excess(const retraction *r) {
  return thud_set_excess(r->built->set, r->built->metric, r->value, r->by);
}

/* The retraction on [from, to], inside of which nothing jumps: at most the time times the largest speed. */
static expr_interval measure(retraction *r, double from, double to) {
  enclose_parameters(r, from, to);
  for (size_t k = 0; k < r->count; k++) r->by[k] = over_time(r->rate[k], from, to);
  r->cuts--;
  return excess(r);
}

/* The change of a parameter between two sides of times; one that does not change does not move by rounding. */
static expr_interval change_of(const retraction *r, size_t k, double from, thud_side side, double to,
                               thud_side to_side) {
  const scene_value *value = &r->built->numbers.values.items[k];
  double a = thud_scene_value_at(r->scene, value, from, side), b = thud_scene_value_at(r->scene, value, to, to_side);
  if (a == b) return (expr_interval){0, 0};
  double rounding = value_rounding * fmax(fabs(a), fabs(b));
  return expr_interval_of(b - a - rounding, b - a + rounding);
}

/* Speeds without bound: where a parameter only rises or only falls, its variation is the difference of its ends, and the
 * variations of several add up, *exact with one. */
static expr_interval measure_monotone(retraction *r, double from, double to, bool *exact) {
  const expr_interval still = {0, 0};
  double sum = 0;
  size_t moving = 0;
  enclose_parameters(r, from, to);
  for (size_t k = 0; k < r->count; k++) r->by[k] = still;
  for (size_t k = 0; k < r->count; k++) {
    expr_interval rate = r->rate[k];
    if (rate.low == 0 && rate.high == 0) continue;
    moving++;
    r->by[k] = expr_interval_is_finite(rate) || (rate.low < 0 && rate.high > 0)
                   ? over_time(rate, from, to)
                   : expr_interval_hull(still, change_of(r, k, from, THUD_SIDE_RIGHT, to, THUD_SIDE_LEFT));
    sum += excess(r).high;
    r->by[k] = still;
  }
  *exact = moving == 1;
  return (expr_interval){0, expr_up(sum)};
}

/* Adds the retraction on [from, to], which is known to lie in `whole`. */
static void cut(retraction *r, double from, double to, expr_interval whole, int depth, expr_interval *sum) {
  double middle = from + (to - from) / 2;
  bool possible = depth > 0 && r->cuts > 0 && middle > from && middle < to, exact = false;
  if (isinf(whole.high)) {
    expr_interval ends = measure_monotone(r, from, to, &exact);
    exact = exact && isfinite(ends.high);
    if (exact || !possible) whole = ends;
  }
  bool finite = isfinite(whole.high);
  if (possible && !exact && !isnan(whole.high) && whole.high > 0) {
    expr_interval left = measure(r, from, middle), right = measure(r, middle, to);
    double matters = fmax(whole.high, r->speed * (to - from));
    if (!finite || whole.high - left.high - right.high > gain * matters) {
      cut(r, from, middle, left, depth - 1, sum);
      cut(r, middle, to, right, depth - 1, sum);
      return;
    }
    whole = expr_interval_add(left, right);
  }
  *sum = (expr_interval){sum->low + whole.low, sum->high + whole.high};
}

/* From one side of t to another. */
static expr_interval jump(retraction *r, double t, thud_side from, thud_side to) {
  for (size_t k = 0; k < r->count; k++) {
    double before = thud_scene_value_at(r->scene, &r->built->numbers.values.items[k], t, from);
    double size = value_rounding * (isfinite(before) ? fabs(before) : 0);
    r->by[k] = change_of(r, k, t, from, t, to);
    r->value[k] = expr_interval_of(before - size, before + size);
  }
  return excess(r);
}

static void add_jumps(retraction *r, const thud_partition *partition, expr_interval *sum) {
  const scene_times *jumps = &r->built->numbers.jumps;
  double start = thud_partition_interval(partition, 0).left, end = r->scene->end;
  for (size_t k = 0; k < jumps->count; k++) {
    double t = jumps->items[k];
    const expr_interval none = {0, 0};
    if (t < start || t > end) continue;
    expr_interval before = t > start ? jump(r, t, THUD_SIDE_LEFT, THUD_SIDE_VALUE) : none;
    expr_interval after = t < end ? jump(r, t, THUD_SIDE_VALUE, THUD_SIDE_RIGHT) : none;
    *sum = (expr_interval){sum->low + before.low + after.low, sum->high + before.high + after.high};
  }
}

/* Mean retraction of the set per time, by the excess between some times: pieces that hardly matter are not cut. */
static double mean_speed(retraction *r) {
  double start = r->scene->start, span = r->scene->end - start, sum = 0;
  for (int j = 0; j < SAMPLED_SPEEDS; j++) {
    double from = start + span * j / SAMPLED_SPEEDS, to = start + span * (j + 1) / SAMPLED_SPEEDS;
    for (size_t k = 0; k < r->count; k++) {
      r->by[k] = change_of(r, k, from, THUD_SIDE_RIGHT, to, THUD_SIDE_LEFT);
      r->value[k] =
          expr_interval_point(thud_scene_value_at(r->scene, &r->built->numbers.values.items[k], from, THUD_SIDE_RIGHT));
    }
    double way = excess(r).high;
    sum += isfinite(way) ? way : 0;
  }
  return sum / span;
}

static void enclose(retraction *r, const thud_partition *partition, sweeping_retraction *found) {
  expr_interval all = {0, 0};
  size_t count = thud_partition_count(partition);
  double mesh = 0, slack = (double)count * EXPR_ROUNDING;
  r->cuts = LEAST_CUTS + CUTS_PER_INTERVAL * (long)count;
  r->speed = mean_speed(r);
  for (size_t k = 0; k < count; k++) {
    thud_interval interval = thud_partition_interval(partition, k);
    expr_interval sum = {0, 0};
    if (!(interval.right > interval.left)) continue;
    cut(r, interval.left, interval.right, measure(r, interval.left, interval.right), MOST_CUTS, &sum);
    mesh = sum.high > mesh || isnan(sum.high) ? sum.high : mesh;
    all = (expr_interval){all.low + sum.low, all.high + sum.high};
  }
  add_jumps(r, partition, &all);
  *found = (sweeping_retraction){.source = isnan(all.high)      ? RETRACTION_ESTIMATED
                                           : isfinite(all.high) ? RETRACTION_ENCLOSED
                                                                : RETRACTION_UNBOUNDED,
                                 .low = all.low * (1 - slack),
                                 .high = all.high * (1 + slack),
                                 .mesh = mesh * (1 + slack)};
}

/* ---- samples ----------------------------------------------------------------------------------------------------- */

/* Directions of dual length 1: both ways along the axes, then others by a fixed rule (quadratic residues spread them). */
static void direction(const sweeping_scene *built, size_t k, double *d) {
  thud_index n = built->scene->dimension;
  for (thud_index i = 0; i < n; i++)
    d[i] = k < 2 * (size_t)n ? (i == (thud_index)(k / 2) ? (k % 2 == 0 ? 1 : -1) : 0)
                             : cos(2.399963229728653 * (double)((k + 1) * (size_t)(i + 1) * (size_t)(i + 1)));
  double size = thud_metric_dual_norm(built->metric, n, d);
  for (thud_index i = 0; i < n; i++) d[i] /= size > 0 ? size : 1;
}

/* sup of h_C(d) - h_C'(d) over the directions is the excess where they are all directions. */
static thud_error sample(const retraction *r, const thud_partition *partition, sweeping_retraction *found) {
  const thud_scene *scene = r->scene;
  size_t intervals = thud_partition_count(partition), stride = (intervals + MOST_SAMPLES - 1) / MOST_SAMPLES;
  size_t directions = 2 * (size_t)scene->dimension + DIRECTIONS;
  const thud_moving_set moving = thud_sweeping_scene_set(r->built);
  double *heights = THUD_NEW_ARRAY(scene->context, double, directions);
  double *d = THUD_NEW_ARRAY(scene->context, double, scene->dimension);
  double *scratch = THUD_NEW_ARRAY(scene->context, double, r->count);
  double sum = 0, most = 0;
  thud_error error = heights != NULL && d != NULL && scratch != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  for (size_t k = 0; k < intervals && error == THUD_OK; k += stride) {
    thud_interval interval = thud_partition_interval(partition, k);
    double step = 0;
    error = thud_moving_set_place(&moving, interval.left, interval.left_closed ? THUD_SIDE_VALUE : THUD_SIDE_RIGHT,
                                  scratch);
    for (size_t j = 0; j < directions && error == THUD_OK; j++) {
      double height = 0;
      direction(r->built, j, d);
      error = thud_set_support(r->built->set, d, &height, NULL, NULL);
      if (k > 0 && heights[j] - height > step) step = heights[j] - height; /* NaN: both are infinite */
      heights[j] = height;
    }
    sum += step;
    most = fmax(most, step);
  }
  thud_free(scene->context, heights);
  thud_free(scene->context, d);
  thud_free(scene->context, scratch);
  bool refused = error != THUD_OK && error != THUD_ERROR_MEMORY;
  *found = (sweeping_retraction){.source = refused || isinf(sum) ? RETRACTION_UNBOUNDED : RETRACTION_ESTIMATED,
                                 .low = refused ? 0 : sum,
                                 .high = refused ? INFINITY : sum,
                                 .mesh = refused ? INFINITY : most / (double)stride};
  return refused ? THUD_OK : error;
}

/* ---- both -------------------------------------------------------------------------------------------------------- */

static size_t longest_tape(const sweeping_scene *built) {
  const thud_scene *scene = built->scene;
  size_t most = 0, inner = 0;
  for (size_t k = 0; k < built->numbers.values.count; k++) {
    const thud_expr *expr = built->numbers.values.items[k].expr;
    if (expr != NULL && (size_t)expr->count > most) most = (size_t)expr->count;
  }
  for (size_t k = 0; k < scene->data_count; k++)
    for (size_t j = 0; j <= scene->data[k].break_count; j++) {
      const thud_expr *expr = scene->data[k].pieces[j].expr;
      inner += expr != NULL ? (size_t)expr->count : 0;
    }
  return most + inner;
}

thud_error thud_sweeping_retract(const sweeping_scene *built, const thud_partition *partition,
                                 sweeping_retraction *found) {
  const thud_scene *scene = built->scene;
  retraction r = {.built = built, .scene = scene, .count = built->numbers.values.count, .room = longest_tape(built)};
  *found = (sweeping_retraction){.source = RETRACTION_ENCLOSED};
  if (!built->numbers.moves) return THUD_OK;
  r.value = THUD_NEW_ARRAY(scene->context, expr_interval, r.count);
  r.rate = THUD_NEW_ARRAY(scene->context, expr_interval, r.count);
  r.by = THUD_NEW_ARRAY(scene->context, expr_interval, r.count);
  r.work = THUD_NEW_ARRAY(scene->context, expr_rate, r.room);
  thud_error error = r.value != NULL && r.rate != NULL && r.by != NULL && r.work != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  if (error == THUD_OK) enclose(&r, partition, found);
  if (error == THUD_OK && found->source == RETRACTION_ESTIMATED) error = sample(&r, partition, found);
  thud_free(scene->context, r.value);
  thud_free(scene->context, r.rate);
  thud_free(scene->context, r.by);
  thud_free(scene->context, r.work);
  return error;
}
