/* Steps that are chosen from the time scales of a scene. */
#include "scene/scene_scales.h"
#include "base/base.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

/* Steps of a run at least: what moves should be seen to move. */
static const double LEAST_STEPS = 100;

scene_scales thud_scales_new(double span) {
  scene_scales scales = {.asking = {.time = span, .parts = LEAST_STEPS, .what = "the run"}, .fastest = INFINITY};
  scales.span = span;
  return scales;
}

static bool asks_more(const scene_scale *than, double time, double parts) {
  return parts > 0 && (than->time == 0 || time * than->parts < than->time * parts);
}

void thud_scales_add(scene_scales *scales, double time, double parts, double fewest, const char *format, ...) {
  if (!(time > 0) || !isfinite(time)) return;
  scene_scale made = {.time = time, .parts = parts};
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(made.what, sizeof made.what, format, arguments);
  va_end(arguments);
  scales->fastest = fmin(scales->fastest, time);
  if (asks_more(&scales->asking, time, parts)) scales->asking = made;
  made.parts = fewest;
  if (asks_more(&scales->missed, time, fewest)) scales->missed = made;
}

double thud_scales_step(const scene_scales *scales) {
  static const double mantissas[] = {5, 2, 1};
  const double rounding = 1 + 1e-9; /* 1e-3 stays 1e-3 */
  double wanted = scales->asking.time / scales->asking.parts, power = pow(10, floor(log10(wanted * rounding)));
  for (size_t k = 0; k < 3; k++)
    if (mantissas[k] * power <= wanted * rounding) return mantissas[k] * power;
  return power;
}

/* Turns of the samples between rising and falling; ripples are none. SIZE_MAX: a sample is no number. */
static size_t count_turns(size_t count, const double *samples) {
  const double rounding = 1e-9, ripple = 0.01;
  size_t turns = 0;
  double low = INFINITY, high = -INFINITY, extreme = samples[0];
  int direction = 0;
  for (size_t k = 0; k < count; k++) {
    if (!isfinite(samples[k])) return SIZE_MAX;
    low = fmin(low, samples[k]);
    high = fmax(high, samples[k]);
  }
  double least = rounding * fmax(fabs(low), fabs(high)) + ripple * (high - low);
  for (size_t k = 1; k < count; k++) {
    double change = samples[k] - extreme;
    if (direction * change > 0) extreme = samples[k];
    if (fabs(change) <= least || direction * change > 0) continue;
    turns += direction != 0;
    direction = change > 0 ? 1 : -1;
    extreme = samples[k];
  }
  return turns;
}

/* Samples that turn at every few of them are too far apart to tell: there are eight times as many in the next attempt. */
thud_error thud_scales_period(const thud_scene *scene, scales_sample_fn sample, void *user, double *period) {
  enum { FIRST = 500, ATTEMPTS = 3, PER_TURN = 8, FINER = 8 };
  size_t intervals = FIRST, turns = 0;
  *period = 0;
  for (int k = 0; k < ATTEMPTS; k++, intervals *= FINER) {
    double *samples = THUD_NEW_ARRAY(scene->context, double, intervals + 1);
    if (samples == NULL) return THUD_ERROR_MEMORY;
    bool good = true;
    for (size_t i = 0; i <= intervals && good; i++)
      good = sample(user, scene->start + (scene->end - scene->start) * (double)i / (double)intervals, &samples[i]);
    turns = good ? count_turns(intervals + 1, samples) : SIZE_MAX;
    thud_free(scene->context, samples);
    if (turns == SIZE_MAX || turns < 2) return THUD_OK;
    *period = 2 * (scene->end - scene->start) / (double)turns;
    if (turns * PER_TURN <= intervals) return THUD_OK;
  }
  return THUD_OK;
}

thud_error thud_scales_choose(thud_scene *scene, const scene_scales *scales) {
  double step = thud_scales_step(scales), count = ceil(scales->span / step * (1 - 1e-12));
  char number[THUD_DOUBLE_CAPACITY];
  thud_format_digits(step, 3, number, sizeof number);
  if (!(count <= SCENE_MOST_STEPS))
    return thud_fail(
        scene->context, THUD_ERROR_ARGUMENT,
        "[no-step] the scales of the scene ask for a step of %s (1/%.3g of %.3g, %s), which makes more than "
        "1e9 steps: give simulate.step",
        number, scales->asking.time / step, scales->asking.time, scales->asking.what);
  scene->steps = (thud_index)fmax(1, count);
  scene->chosen_step = step;
  snprintf(scene->chosen, sizeof scene->chosen, "step %s chosen: 1/%.4g of %s, %.3g%s%s", number,
           scales->asking.time / step, scales->asking.what, scales->asking.time,
           scene->time_unit != NULL && scene->time_unit[0] != '\0' ? " " : "",
           scene->time_unit != NULL ? scene->time_unit : "");
  return THUD_OK;
}

thud_error thud_scales_describe(const thud_scene *scene, thud_tree *resolved) {
  if (scene->chosen[0] == '\0') return THUD_OK;
  const thud_node *simulate = thud_node_find(thud_tree_root(resolved), "simulate");
  const thud_node *chosen = NULL;
  const thud_tree_value map = {.kind = THUD_NODE_MAP};
  const thud_tree_value step = {.kind = THUD_NODE_NUMBER, .number = scene->chosen_step};
  const thud_tree_value why = {.kind = THUD_NODE_STRING, .text = scene->chosen};
  thud_error error = thud_tree_add(resolved, simulate, "step", &step, NULL);
  if (error == THUD_OK) error = thud_tree_add(resolved, thud_tree_root(resolved), "chosen", &map, &chosen);
  return error == THUD_OK ? thud_tree_add(resolved, chosen, "step", &why, NULL) : error;
}

/* ---- data ---------------------------------------------------------------------------------------------------------- */

static bool sample_data(void *user, double t, double *value) {
  const scene_data *data = user;
  return thud_regulated_evaluate(data->scene->context, &data->function, t, THUD_SIDE_RIGHT, value) == THUD_OK;
}

static thud_error add_data(scene_scales *scales, thud_scene *scene, scene_data *data) {
  enum { PER_PERIOD = 100 };
  double period = 0;
  if (data->function.dimension != 1) return THUD_OK;
  thud_error error = thud_scales_period(scene, sample_data, data, &period);
  thud_scales_add(scales, period, PER_PERIOD, 0, "the period of the data");
  return error;
}

thud_error thud_scales_choose_by_data(thud_scene *scene) {
  enum { STEPS = 200 };
  scene_scales scales = thud_scales_new(scene->end - scene->start);
  scales.asking.parts = STEPS;
  thud_error error = THUD_OK;
  for (size_t k = 0; k < scene->data_count && error == THUD_OK; k++) error = add_data(&scales, scene, &scene->data[k]);
  return error == THUD_OK ? thud_scales_choose(scene, &scales) : error;
}
