/* Time scales of Lagrangian systems at their start: what a step has to resolve. */
#include "kinds/system/system_scales.h"
#include "linalg/sparse_metric.h"
#include "run/run.h"
#include "run/run_report.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

/* Steps that a period, the decay of a velocity, and the way to the first contact should take; and the fewest. */
static const double PER_PERIOD = 40, PER_DECAY = 10, PER_GAP = 200, PER_LOAD = 10, PER_RUN = 1000;
static const double FEWEST_PER_PERIOD = 4, FEWEST_PER_DECAY = 0.5;
enum { ITERATIONS = 30, MOST_FULL = 300 };

typedef struct probe {
  const thud_scene *scene;
  const thud_system *system;
  thud_system_values *values;
  size_t n, m;
  double *q, *v, *direction, *first, *second; /* [n] */
} probe;

/* ---- accelerations --------------------------------------------------------------------------------------------------- */

/* M^-1 f at a time and a state, without constraints; false: something is not finite there. */
static bool accelerate(probe *p, double t, const double *q, const double *v, double *a) {
  if (thud_system_evaluate(p->system, t, q, v, THUD_AT_MASS | THUD_AT_FORCE, p->values) != THUD_OK) return false;
  memcpy(a, p->values->force, p->n * sizeof *a);
  if (p->values->sparse != NULL) {
    thud_sparse_metric_solve(p->values->sparse->mass, a);
  } else {
    thud_dense_solve_lower((thud_index)p->n, p->values->mass_factor, false, a);
    thud_dense_solve_lower((thud_index)p->n, p->values->mass_factor, true, a);
  }
  for (size_t k = 0; k < p->n; k++)
    if (!isfinite(a[k])) return false;
  return true;
}

static double norm(size_t n, const double *x) {
  double sum = 0;
  for (size_t k = 0; k < n; k++) sum += x[k] * x[k];
  return sqrt(sum);
}

/* Largest |eigenvalue| of the derivative of the acceleration by place or velocity at the start, by power iteration with
 * central differences; 0: none that stands out of rounding. */
static double spectral_radius(probe *p, bool by_place) {
  const scene_system *made = thud_scene_lagrangian(p->scene);
  const double *at = by_place ? made->q0 : made->v0;
  double *moved = by_place ? p->q : p->v, radius = 0, t = p->scene->start;
  double width = 1e-5 * fmax(1, norm(p->n, at));
  thud_random random = thud_random_seed(1);
  for (size_t k = 0; k < p->n; k++) p->direction[k] = thud_random_normal(&random);
  memcpy(p->q, made->q0, p->n * sizeof *p->q);
  memcpy(p->v, made->v0, p->n * sizeof *p->v);
  for (int i = 0; i < ITERATIONS; i++) {
    double length = norm(p->n, p->direction), size = 0;
    if (!(length > 0)) break;
    for (size_t k = 0; k < p->n; k++) moved[k] = at[k] + width * p->direction[k] / length;
    bool good = accelerate(p, t, p->q, p->v, p->first);
    for (size_t k = 0; k < p->n; k++) moved[k] = at[k] - width * p->direction[k] / length;
    if (!good || !accelerate(p, t, p->q, p->v, p->second)) return 0;
    size = norm(p->n, p->first) + norm(p->n, p->second);
    for (size_t k = 0; k < p->n; k++) p->direction[k] = (p->first[k] - p->second[k]) / (2 * width);
    double found = norm(p->n, p->direction);
    if (!(found > 1e-7 * size / width * sqrt(DBL_EPSILON) && found > 1e-12 * size)) return radius;
    radius = found;
  }
  return radius;
}

static void add_vibrations(scene_scales *scales, probe *p) {
  double by_place = spectral_radius(p, true), by_velocity = spectral_radius(p, false);
  if (by_place > 0)
    thud_scales_add(scales, 2 * PI / sqrt(by_place), PER_PERIOD, FEWEST_PER_PERIOD,
                    "the fastest period of the forces at the start");
  if (by_velocity > 0)
    thud_scales_add(scales, 1 / by_velocity, PER_DECAY, FEWEST_PER_DECAY,
                    "the fastest decay of a velocity at the start");
}

/* ---- gaps ------------------------------------------------------------------------------------------------------------ */

/* First positive root of gap + rate t + acceleration t^2/2; 0: there is none. */
static double time_to_close(double gap, double rate, double acceleration) {
  double under = rate * rate - 2 * acceleration * gap;
  if (under < 0) return 0;
  double t = rate < 0 || acceleration < 0 ? 2 * gap / (-rate + sqrt(under)) : 0;
  return t > 0 && isfinite(t) ? t : 0;
}

static double dot_gradient(const probe *p, size_t i, const double *x) {
  double sum = 0;
  if (p->values->sparse == NULL) {
    for (size_t k = 0; k < p->n; k++) sum += p->values->gradient[i * p->n + k] * x[k];
    return sum;
  }
  const thud_row_list *rows = &p->values->sparse->gradient;
  for (thud_index e = rows->start[i]; e < rows->start[i + 1]; e++) sum += rows->value[e] * x[rows->column[e]];
  return sum;
}

/* The first contact; one that comes at once says nothing about the motion. */
static void add_gaps(scene_scales *scales, probe *p) {
  const double at_once = 1e-3;
  const scene_system *made = thud_scene_lagrangian(p->scene);
  if (p->m == 0 || !accelerate(p, p->scene->start, made->q0, made->v0, p->first)) return;
  if (thud_system_evaluate(p->system, p->scene->start, made->q0, made->v0, THUD_AT_CONSTRAINT | THUD_AT_GRADIENT,
                           p->values) != THUD_OK)
    return;
  for (size_t i = 0; i < p->m; i++) {
    const thud_constraint_def *constraint = thud_system_constraint(p->system, (thud_index)i);
    if (constraint->kind != THUD_CONSTRAINT_UNILATERAL || !(p->values->gap[i] > 0)) continue;
    double t = time_to_close(p->values->gap[i], dot_gradient(p, i, made->v0) + p->values->rate[i],
                             dot_gradient(p, i, p->first));
    if (t >= at_once * scales->span && t <= scales->span)
      thud_scales_add(scales, t, PER_GAP, 0, "the time until '%s' closes", constraint->name);
  }
}

/* ---- what is given over time ----------------------------------------------------------------------------------------- */

/* Forces and gaps where the system starts, over the time of the run. */
static bool sample_forces(void *user, double t, double *value) {
  probe *p = user;
  const scene_system *made = thud_scene_lagrangian(p->scene);
  if (thud_system_evaluate(p->system, t, made->q0, made->v0, THUD_AT_FORCE, p->values) != THUD_OK) return false;
  *value = 0;
  for (size_t i = 0; i < p->n; i++) *value += p->values->force[i];
  return true;
}

static bool sample_gaps(void *user, double t, double *value) {
  probe *p = user;
  const scene_system *made = thud_scene_lagrangian(p->scene);
  if (thud_system_evaluate(p->system, t, made->q0, made->v0, THUD_AT_CONSTRAINT, p->values) != THUD_OK) return false;
  *value = 0;
  for (size_t i = 0; i < p->m; i++) *value += p->values->gap[i];
  return true;
}

static thud_error add_data(scene_scales *scales, probe *p) {
  double period = 0;
  thud_error error = thud_scales_period(p->scene, sample_forces, p, &period);
  thud_scales_add(scales, period, PER_PERIOD, FEWEST_PER_PERIOD, "the period of the forces over time");
  if (error != THUD_OK || p->m == 0) return error;
  error = thud_scales_period(p->scene, sample_gaps, p, &period);
  thud_scales_add(scales, period, PER_PERIOD, FEWEST_PER_PERIOD, "the period of the constraints over time");
  return error;
}

static void add_loads(scene_scales *scales, const thud_system *system) {
  enum { FEW = 2 };
  thud_loads loads = thud_system_loads(system);
  if (loads.family_count == 0 && loads.count >= FEW)
    thud_scales_add(scales, scales->span / (double)loads.count, PER_LOAD, 0, "the mean time between percussions");
}

/* ---- the whole ------------------------------------------------------------------------------------------------------- */

static thud_error look(scene_scales *scales, probe *p) {
  thud_context *context = p->scene->context;
  bool sparse = thud_system_has_patterns(p->system);
  if (!sparse && p->n > MOST_FULL) return THUD_OK;
  double *room = THUD_NEW_ARRAY(context, double, 5 * p->n);
  thud_error error = room != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  if (error == THUD_OK)
    error = sparse ? thud_system_values_create_sparse(context, p->system, false, &p->values)
                   : thud_system_values_create(context, p->system, &p->values);
  if (error == THUD_OK) {
    p->q = room;
    p->v = room + p->n;
    p->direction = room + 2 * p->n;
    p->first = room + 3 * p->n;
    p->second = room + 4 * p->n;
    add_vibrations(scales, p);
    add_gaps(scales, p);
    error = add_data(scales, p);
  }
  thud_system_values_destroy(context, p->values);
  thud_free(context, room);
  return error;
}

/* Evaluations where the motion may never come leave no message. */
thud_error thud_system_find_scales(const thud_scene *scene, scene_scales *scales) {
  const scene_system *made = thud_scene_lagrangian(scene);
  probe p = {.scene = scene,
             .system = made->system,
             .n = (size_t)scene->dimension,
             .m = (size_t)thud_system_constraint_count(made->system)};
  *scales = thud_scales_new(scene->end - scene->start);
  scales->asking.parts = PER_RUN;
  uint64_t failures = thud_context_failures(scene->context);
  thud_error error = look(scales, &p);
  add_loads(scales, made->system);
  if (error != THUD_ERROR_MEMORY) error = THUD_OK;
  error = thud_context_settle(scene->context, failures, error);
  if (error == THUD_OK) thud_run_forget_message(scene->context);
  return error;
}

thud_error thud_system_choose_step(thud_scene *scene) {
  scene_system *made = thud_scene_lagrangian(scene);
  scene_scales scales;
  if (made->event_driven || made->motion.tolerance > 0 || scene->steps > 0) return THUD_OK;
  thud_error error = thud_system_find_scales(scene, &scales);
  if (error == THUD_OK) error = thud_scales_choose(scene, &scales);
  made->motion.steps = scene->steps;
  return error;
}

void thud_system_report_step(const thud_scene *scene, thud_report *report) {
  const scene_system *made = thud_scene_lagrangian(scene);
  scene_scales scales;
  if (made->own == NULL || made->functions || made->event_driven || made->motion.tolerance > 0 ||
      scene->chosen[0] != '\0')
    return;
  thud_error error = thud_system_find_scales(scene, &scales);
  if (error == THUD_OK)
    thud_scales_report(scene, &scales, report);
  else
    report->error = error;
}
