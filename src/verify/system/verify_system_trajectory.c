/* A trajectory from elsewhere against a `system` scene: the exact statement, not that of a scheme. */
#include "verify/system/verify_system_arcs.h"
#include "verify/math/verify_dense.h"
#include "verify/system/verify_system_frames.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double DEFAULT_TOLERANCE = 1e-8;
/* Part of the largest acceleration that may stay unexplained between rows: a change of a parameter by 1 % is seen. */
static const double DEFAULT_PART = 1e-3;

/* ---- the ends of arcs ----------------------------------------------------------------------------------------------
 */

/* State at the beginning (end: false) or the end of an arc; row: its number there. */
static bool end_state(verify_flight *f, const verify_arc *arc, bool end, double *q, double *v, size_t *row) {
  size_t n = f->n;
  *row = end ? arc->last : arc->first;
  if (!verify_path_is_table(f->path)) {
    *row = (size_t)(arc - f->path->arcs);
    return thud_verify_path_at(f->path, arc, end ? arc->to : arc->from, q, v, NULL);
  }
  memcpy(q, f->path->q + *row * n, n * sizeof(double));
  memcpy(v, f->path->v + *row * n, n * sizeof(double));
  return true;
}

/* q is continuous, v jumps by the impact law, from (q, left) to the beginning of the arc. */
static thud_error check_join(verify_flight *f, const verify_arc *arc, const double *q, const double *left) {
  double *q_right = f->ends + 2 * f->n, *right = f->ends + 3 * f->n;
  size_t row;
  if (!end_state(f, arc, false, q_right, right, &row)) return THUD_OK; /* reported by the arc itself */
  for (size_t i = 0; i < f->n; i++)
    if (thud_verify_tally(&f->checks.position, fabs(q_right[i] - q[i]), f->tolerance * f->q_size[i], 0, arc->from, row))
      thud_verify_explain(&f->checks.position, "jump of '%s'", f->system->scene.names[i]);
  size_t loads = thud_verify_loads_before(f->system, arc->from, false);
  if (loads < thud_verify_loads_before(f->system, arc->from, true)) {
    thud_verify_skip(&f->checks.impact, THUD_VERIFY_NOT_CHECKABLE,
                     "jumps at percussions of the scene are not looked at");
    return THUD_OK;
  }
  if (!thud_verify_system_at(f->system, arc->from, q, left, &f->at)) return THUD_OK;
  return thud_verify_flight_impact(f, arc->from, row, left, right);
}

/* The motion begins with the scene's initial state, as a left limit. */
static thud_error check_start(verify_flight *f) {
  const verify_system *system = f->system;
  const verify_arc *first = &f->path->arcs[0];
  double *q = f->ends, *v = f->ends + f->n;
  size_t row;
  if (!end_state(f, first, false, q, v, &row)) return THUD_OK;
  bool left = verify_path_is_table(f->path) && f->path->side[0] < 0;
  for (size_t i = 0; i < f->n; i++) {
    if (thud_verify_tally(&f->checks.initial, fabs(q[i] - system->scene.initial[i]), f->tolerance * f->q_size[i], 0,
                          first->from, 0))
      thud_verify_explain(&f->checks.initial, "position '%s'", system->scene.names[i]);
    if (left && thud_verify_tally(&f->checks.initial, fabs(v[i] - system->initial_v[i]), f->tolerance * fabs(v[i]), 0,
                                  first->from, 0))
      thud_verify_explain(&f->checks.initial, "velocity '%s'", system->velocities[i]);
  }
  return left ? THUD_OK : check_join(f, first, system->scene.initial, system->initial_v);
}

/* ---- pieces --------------------------------------------------------------------------------------------------------
 */

static double sample_time(const verify_flight *f, const verify_arc *arc, double k) {
  return arc->from + (arc->to - arc->from) * (k + 0.5) / f->samples;
}

/* Largest |F| + |M a| on the arc. */
static double piece_scale(verify_flight *f, const verify_arc *arc) {
  double scale = 0, *q = f->kept, *v = q + f->n, *a = v + f->n, *momentum = f->work + 3 * f->n;
  for (double k = 0; k < f->samples; k++) {
    double t = sample_time(f, arc, k);
    if (!thud_verify_path_at(f->path, arc, t, q, v, a) || !thud_verify_system_at(f->system, t, q, v, &f->at)) continue;
    thud_verify_apply_mass(f->system, &f->at, a, momentum);
    scale = fmax(scale,
                 thud_verify_kinetic_length(f, &f->at, momentum) + thud_verify_kinetic_length(f, &f->at, f->at.force));
  }
  return scale + VERIFY_ROUNDING / f->tolerance * f->force;
}

static thud_error check_piece(verify_flight *f, const verify_arc *arc) {
  double scale = piece_scale(f, arc), *q = f->kept, *v = q + f->n, *a = v + f->n, *momentum = a + f->n;
  size_t row = (size_t)(arc - f->path->arcs);
  thud_error error = THUD_OK;
  for (double k = 0; k < f->samples && error == THUD_OK; k++) {
    double t = sample_time(f, arc, k);
    if (!thud_verify_path_at(f->path, arc, t, q, v, a) || !thud_verify_system_at(f->system, t, q, v, &f->at)) {
      thud_verify_fail(&f->checks.structure, t, row, "the piece or the system cannot be evaluated here");
      return THUD_OK;
    }
    thud_verify_flight_constraints(f, t, row, v);
    thud_verify_flight_lasting(f, v);
    thud_verify_apply_mass(f->system, &f->at, a, momentum);
    for (size_t i = 0; i < f->n; i++) momentum[i] -= f->at.force[i];
    error = thud_verify_flight_reactions(f, t, row, v, momentum, scale, f->tolerance, 1);
  }
  for (int end = 0; end < 2 && error == THUD_OK; end++) {
    double t = end == 0 ? arc->from : arc->to;
    if (thud_verify_path_at(f->path, arc, t, q, v, a) && thud_verify_system_at(f->system, t, q, v, &f->at))
      thud_verify_flight_constraints(f, t, row, v);
  }
  return error;
}

/* ---- the whole -----------------------------------------------------------------------------------------------------
 */

static void gather_state(verify_flight *f, double t, const double *q, const double *v) {
  const verify_system *system = f->system;
  if (!thud_verify_system_at(f->system, t, q, v, &f->at)) return;
  for (size_t i = 0; i < f->n; i++) f->q_size[i] = fmax(f->q_size[i], fabs(q[i]));
  for (size_t i = 0; i < f->m; i++) {
    double size = fabs(f->at.gap[i]);
    for (size_t j = 0; j < f->n; j++) size += fabs(f->at.gradient[i * f->n + j] * q[j]);
    f->gap_size[i] = fmax(f->gap_size[i], size);
  }
  for (size_t k = 0; k < f->s; k++) { /* a slip of 0 is a difference of velocities: rounding errors of these count */
    double terms = fabs(f->at.slip_rate[k]);
    for (size_t i = 0; i < f->n; i++) terms += fabs(f->at.slip[k * f->n + i] * v[i]);
    double slip = fabs(thud_verify_slip_velocity(system, &f->at, k, v)) + VERIFY_ROUNDING / f->tolerance * terms;
    f->slip_size[k] = fmax(f->slip_size[k], slip);
  }
  f->speed = fmax(f->speed, sqrt(2 * fmax(0, thud_verify_kinetic(system, &f->at, v))));
  f->force = fmax(f->force, thud_verify_kinetic_length(f, &f->at, f->at.force));
}

static void gather_sizes(verify_flight *f) {
  verify_path *path = f->path;
  double *q = f->kept, *v = q + f->n;
  gather_state(f, f->system->scene.start, f->system->scene.initial, f->system->initial_v);
  for (size_t k = 0; k < path->rows; k++) gather_state(f, path->t[k], path->q + k * f->n, path->v + k * f->n);
  for (size_t j = 0; j < path->arc_count && !verify_path_is_table(path); j++)
    for (double k = -0.5; k <= f->samples - 0.5; k += 0.5) {
      double t = sample_time(f, &path->arcs[j], k);
      if (thud_verify_path_at(path, &path->arcs[j], t, q, v, NULL)) gather_state(f, t, q, v);
    }
}

static void check_span(verify_flight *f) {
  const verify_scene *scene = &f->system->scene;
  const verify_path *path = f->path;
  double from = path->arcs[0].from, to = path->arcs[path->arc_count - 1].to;
  double rounding = VERIFY_ROUNDING * fmax(fabs(scene->start), fabs(scene->end));
  f->checks.unit = verify_path_is_table(path) ? "rows" : "pieces";
  f->checks.asked = verify_path_is_table(path) ? path->rows : path->arc_count;
  if (fabs(from - scene->start) > rounding)
    thud_verify_fail(&f->checks.structure, from, 0, "the trajectory begins at t = %.10g, the scene at %.10g", from,
                     scene->start);
  if (fabs(to - scene->end) > rounding)
    thud_verify_fail(&f->checks.structure, to, SIZE_MAX, "the trajectory ends at t = %.10g, the scene at %.10g", to,
                     scene->end);
  if (f->checks.structure.status != THUD_VERIFY_PASSED) return;
  if (verify_path_is_table(path))
    thud_verify_explain(&f->checks.structure, "%zu rows, %zu jumps", path->rows, path->arc_count - 1);
  else
    thud_verify_explain(&f->checks.structure, "%zu pieces, each asked at %g times", path->arc_count, f->samples);
}

static thud_error check_arcs(verify_flight *f) {
  verify_path *path = f->path;
  gather_sizes(f);
  check_span(f);
  thud_error error = check_start(f);
  for (size_t j = 0; j < path->arc_count && error == THUD_OK; j++) {
    error = verify_path_is_table(path) ? thud_verify_flight_rows(f, &path->arcs[j]) : check_piece(f, &path->arcs[j]);
    double *q = f->ends, *v = f->ends + f->n;
    size_t row;
    if (error == THUD_OK && j + 1 < path->arc_count && end_state(f, &path->arcs[j], true, q, v, &row))
      error = check_join(f, &path->arcs[j + 1], q, v);
  }
  if (!verify_path_is_table(path) && f->checks.velocity.status == THUD_VERIFY_PASSED)
    thud_verify_explain(&f->checks.velocity, "the velocities are the derivatives of the pieces");
  if (verify_path_is_table(path) && f->checks.motion.status == THUD_VERIFY_PASSED) {
    char text[96];
    snprintf(text, sizeof text, "the rows resolve accelerations to %.2g of the largest, or better", f->resolved);
    thud_verify_add(&f->checks.motion, text);
  }
  if (f->system->law_count == 0)
    thud_verify_skip(&f->checks.friction, THUD_VERIFY_NOT_APPLICABLE, "the scene has no friction");
  return error;
}

static thud_error allocate_flight(verify_flight *f) {
  size_t n = f->n, m = f->m, s = f->s, contacts = m + s;
  size_t room = 13 * n + contacts + 2 * s + 6 * n + 4 * n + contacts * n + contacts + m + s + n;
  double *next = THUD_NEW_ARRAY(f->context, double, room);
  f->memory = next;
  f->source = THUD_NEW_ARRAY(f->context, size_t, contacts);
  f->is_free = THUD_NEW_ARRAY(f->context, bool, contacts);
  f->closed = THUD_NEW_ARRAY(f->context, bool, 2 * m);
  if (next == NULL || f->source == NULL || f->is_free == NULL || f->closed == NULL) return THUD_ERROR_MEMORY;
  const struct {
    double **array;
    size_t count;
  } parts[] = {{&f->work, 12 * n}, {&f->found, contacts}, {&f->shifted, 2 * s + n},
               {&f->kept, 6 * n},  {&f->ends, 4 * n},     {&f->columns, contacts * n},
               {&f->x, contacts},  {&f->gap_size, m},     {&f->slip_size, s},
               {&f->q_size, n}};
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
    *parts[k].array = next;
    next += parts[k].count;
  }
  thud_error error = thud_verify_values_create(f->system, &f->at);
  return error;
}

static thud_error check_path(verify_flight *f, verify_path_checks *checks) {
  thud_error error = allocate_flight(f);
  if (error == THUD_OK) error = check_arcs(f);
  *checks = f->checks;
  thud_verify_values_free(f->system, &f->at);
  thud_free(f->context, f->memory);
  thud_free(f->context, f->source);
  thud_free(f->context, f->is_free);
  thud_free(f->context, f->closed);
  return error;
}

static thud_error check_with_system(thud_context *context, verify_system *system, const thud_tree *scene,
                                    const char *file, const thud_verify_options *options, verify_path_checks *checks) {
  verify_path path = {.context = context, .system = system, .n = system->n, .names = {.context = context}};
  thud_error error = thud_verify_path_read(&path, scene, file);
  if (error == THUD_OK) {
    verify_flight flight = {.context = context,
                            .system = system,
                            .path = &path,
                            .n = system->n,
                            .m = system->m,
                            .s = system->s,
                            .tolerance = options->tolerance > 0 ? options->tolerance : DEFAULT_TOLERANCE,
                            .row_tolerance =
                                options->trajectory_tolerance > 0 ? options->trajectory_tolerance : DEFAULT_PART,
                            .samples = options->trajectory_samples,
                            .checks = *checks};
    error = check_path(&flight, checks);
  }
  thud_verify_path_free(&path);
  return error;
}

thud_error thud_verify_system_trajectory(thud_context *context, const thud_tree *scene, const char *file,
                                         const thud_verify_options *options, thud_verify_result *result) {
  verify_system *system = NULL;
  verify_path_checks c = {.structure = thud_verify_check_new("structure"),
                          .initial = thud_verify_check_new("initial"),
                          .position = thud_verify_check_new("position"),
                          .velocity = thud_verify_check_new("velocity"),
                          .constraints = thud_verify_check_new("constraints"),
                          .motion = thud_verify_check_new("motion"),
                          .friction = thud_verify_check_new("friction"),
                          .impact = thud_verify_check_new("impact"),
                          .energy = thud_verify_check_new("energy")};
  thud_error error = thud_verify_system_create(context, scene, &system);
  if (error == THUD_OK) error = check_with_system(context, system, scene, file, options, &c);
  thud_verify_system_destroy(system);
  if (error != THUD_OK) return error;
  *result = (thud_verify_result){0};
  const thud_verify_check *order[] = {&c.structure, &c.initial,  &c.position, &c.velocity, &c.constraints,
                                      &c.motion,    &c.friction, &c.impact,   &c.energy};
  for (size_t k = 0; k < sizeof order / sizeof *order; k++) thud_verify_result_add(result, order[k]);
  thud_verify_result_cover(result, c.unit, c.asked, c.asked, -1);
  thud_verify_result_judge(result);
  return THUD_OK;
}
