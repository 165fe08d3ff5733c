/* A trajectory from elsewhere against a `system` scene: the exact statement, not that of a scheme. The laws at one instant, and
 * between the rows of a table. */
#include "verify/math/verify_dense.h"
#include "verify/system/verify_system_arcs.h"
#include "verify/system/verify_system_frames.h"

#include <float.h>
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

/* ---- the laws of a motion at one instant ------------------------------------------------------------------------- */

/* The laws of a motion at one instant: constraints, admissible reactions, impacts. */

static double response_root(verify_flight *f, size_t i) {
  double response = thud_verify_response(f->system, &f->at, verify_reaction_row(f->system, &f->at, i), f->work);
  return response > 0 ? sqrt(response) : 1;
}

static void tally_constraint(verify_flight *f, thud_verify_check *check, double value, double tolerance, double t,
                             size_t row, size_t i, const char *what) {
  if (thud_verify_tally(check, value, tolerance, 0, t, row))
    thud_verify_explain(check, "%s of '%s'", what, f->system->constraints[i].name);
}

/* |L^-1 p|: length of the momentum p, M = LL'. */
double thud_verify_kinetic_length(const verify_flight *f, const verify_values *values, const double *momentum) {
  return thud_verify_momentum_length(f->system, values, momentum, f->work + 11 * f->n);
}

static double gap_tolerance(const verify_flight *f, size_t i) { return f->tolerance * f->gap_size[i]; }

void thud_verify_flight_constraints(verify_flight *f, double t, size_t row, const double *v) {
  for (size_t i = 0; i < f->m; i++) {
    verify_constraint_kind kind = f->system->constraints[i].kind;
    thud_verify_check *check = &f->checks.constraints;
    double gap = f->at.gap[i], u = thud_verify_constraint_velocity(f->system, &f->at, i, v) / response_root(f, i);
    if (kind == VERIFY_UNILATERAL) {
      tally_constraint(f, check, fmax(0, -gap), gap_tolerance(f, i), t, row, i, "penetration");
      continue;
    }
    if (kind == VERIFY_EQUATION) tally_constraint(f, check, fabs(gap), gap_tolerance(f, i), t, row, i, "equation");
    tally_constraint(f, check, kind == VERIFY_ONE_SIDED ? fmax(0, -u) : fabs(u), f->tolerance * f->speed, t, row, i,
                     "velocity");
  }
}

void thud_verify_flight_lasting(verify_flight *f, const double *v) {
  for (size_t i = 0; i < f->m; i++) {
    verify_constraint_kind kind = f->system->constraints[i].kind;
    double u = thud_verify_constraint_velocity(f->system, &f->at, i, v) / response_root(f, i);
    bool engaged = fabs(u) <= f->tolerance * f->speed;
    f->closed[i] =
        !verify_is_one_sided(kind) || (engaged && (kind == VERIFY_ONE_SIDED || f->at.gap[i] <= gap_tolerance(f, i)));
  }
}

/* ---- reactions ------------------------------------------------------------------------------------------------------
 */

static size_t add_column(verify_flight *f, size_t count, size_t i, bool is_free) {
  thud_verify_cholesky_forward(f->n, f->at.factor, verify_reaction_row(f->system, &f->at, i),
                               f->columns + count * f->n);
  f->source[count] = i;
  f->is_free[count] = is_free;
  return count + 1;
}

/* Columns of the closed constraints and of the friction laws that may act. own: laws by themselves too. */
static size_t gather_columns(verify_flight *f, bool own) {
  const verify_system *system = f->system;
  size_t count = 0;
  for (size_t i = 0; i < f->m; i++)
    if (f->closed[i]) count = add_column(f, count, i, !verify_is_one_sided(system->constraints[i].kind));
  for (size_t k = 0; k < system->law_count; k++) {
    const verify_law *law = &system->laws[k];
    if (law->constraint == SIZE_MAX ? !own && !law->coupled : !f->closed[law->constraint]) continue;
    if (f->at.friction[k] == 0) continue;
    for (size_t d = 0; d < law->directions; d++) count = add_column(f, count, f->m + law->first + d, true);
  }
  return count;
}

/* The reactions next to the momentum: x [m+s] by rows, distance in the kinetic metric. */
static thud_error fit_reactions(verify_flight *f, const double *momentum, bool own, double *distance, bool *unique) {
  size_t n = f->n, count = gather_columns(f, own);
  double *b = f->work + n, *found = f->found;
  thud_verify_cholesky_forward(n, f->at.factor, momentum, b);
  verify_fit fit = {.rows = n, .columns = count, .B = f->columns, .is_free = f->is_free, .b = b, .x = f->x};
  thud_error error = thud_verify_fit_solve(f->context, &fit);
  if (error != THUD_OK) return error;
  *distance = fit.distance;
  *unique = fit.unique;
  memcpy(found, f->x, count * sizeof(double));
  memset(f->x, 0, (f->m + f->s) * sizeof(double));
  for (size_t c = 0; c < count; c++) f->x[f->source[c]] = found[c];
  return THUD_OK;
}

/* Friction by its natural map |r_T - proj(radius C, r_T - c u_T)|, c so that the fastest slip of the trajectory shifts
 * by the radius; relative to the reactions. */
static thud_error check_friction(verify_flight *f, double t, size_t row, const double *v, double duration,
                                 double relative, double size, bool unique) {
  const verify_system *system = f->system;
  thud_error error = THUD_OK;
  for (size_t k = 0; k < system->law_count && error == THUD_OK; k++) {
    const verify_law *law = &system->laws[k];
    bool own = law->constraint == SIZE_MAX;
    if (own ? !(duration > 0) && !law->coupled : !f->closed[law->constraint]) continue;
    double normal = own ? duration : fabs(f->x[law->constraint]), radius = f->at.friction[k] * normal;
    if (law->coupled) radius = thud_verify_threshold_of_impulses(system, &f->at, law, f->x, duration);
    double value = 0, accuracy = 0;
    error = thud_verify_friction_error(system, &f->at, law, radius, own ? (double)INFINITY : normal,
                                       f->x + f->m + law->first, v, f->slip_size, f->shifted, &value, &accuracy);
    if (error != THUD_OK) return error;
    bool kept = thud_verify_tally(&f->checks.friction, value, relative * size,
                                  unique || value <= relative * size ? accuracy : (double)INFINITY, t, row);
    if (kept && f->checks.friction.status == THUD_VERIFY_NOT_CHECKABLE)
      thud_verify_explain(&f->checks.friction, "law '%s': the reactions are not determined by the motion", law->name);
    else if (kept)
      thud_verify_explain(&f->checks.friction, "law '%s'", law->name);
  }
  return error;
}

thud_error thud_verify_flight_reactions(verify_flight *f, double t, size_t row, const double *v, const double *momentum,
                                        double scale, double relative, double duration) {
  double distance;
  bool unique;
  thud_error error = fit_reactions(f, momentum, true, &distance, &unique);
  if (error != THUD_OK) return error;
  if (thud_verify_tally(&f->checks.motion, distance, relative * scale, 0, t, row) &&
      f->checks.motion.status == THUD_VERIFY_FAILED)
    thud_verify_explain(&f->checks.motion,
                        "no admissible reaction makes up for the acceleration: %.3g of %.3g are left", distance, scale);
  return check_friction(f, t, row, v, duration, relative, scale, unique);
}

/* ---- impacts --------------------------------------------------------------------------------------------------------
 */

static double largest_restitution(const verify_flight *f) {
  double e = 0;
  for (size_t i = 0; i < f->m; i++)
    if (f->system->constraints[i].kind == VERIFY_UNILATERAL && f->at.gap[i] <= gap_tolerance(f, i))
      e = fmax(e, f->at.restitution[i]);
  return e;
}

/* Which constraints may have an impulse, and whether the velocities obey the law. Newton, canonical: u+ + e u- >= 0
 * where the gap is closed, and an impulse only where it is 0. Other laws: u+ >= 0. */
static void judge_velocities(verify_flight *f, double t, size_t row, const double *left, const double *right) {
  const verify_system *system = f->system;
  bool newton = system->law == VERIFY_NEWTON || system->law == VERIFY_CANONICAL;
  double canonical = system->law == VERIFY_CANONICAL ? largest_restitution(f) : 0, accepted = f->tolerance * f->speed;
  for (size_t i = 0; i < f->m; i++) {
    verify_constraint_kind kind = system->constraints[i].kind;
    f->closed[i] = kind != VERIFY_UNILATERAL || f->at.gap[i] <= gap_tolerance(f, i);
    if (!f->closed[i] || !verify_is_one_sided(kind)) continue;
    double root = response_root(f, i), e = canonical > 0 ? canonical : f->at.restitution[i];
    double after = thud_verify_constraint_velocity(system, &f->at, i, right) / root;
    double before = thud_verify_constraint_velocity(system, &f->at, i, left) / root;
    double w = newton ? after + e * before : after;
    tally_constraint(f, &f->checks.impact, fmax(0, -w), accepted, t, row, i, newton ? "law" : "velocity afterwards");
    f->closed[i] = !newton || fabs(w) <= accepted;
  }
}

thud_error thud_verify_flight_impact(verify_flight *f, double t, size_t row, const double *left, const double *right) {
  const verify_system *system = f->system;
  size_t n = f->n;
  double *change = f->work + 9 * n, *momentum = f->work + 10 * n, distance;
  bool unique;
  judge_velocities(f, t, row, left, right);
  for (size_t i = 0; i < n; i++) change[i] = right[i] - left[i];
  thud_verify_apply_mass(system, &f->at, change, momentum);
  thud_error error = fit_reactions(f, momentum, false, &distance, &unique);
  if (error != THUD_OK) return error;
  if (thud_verify_tally(&f->checks.impact, distance, f->tolerance * f->speed, 0, t, row))
    thud_verify_explain(&f->checks.impact, "what the closed constraints leave of the jump's impulse");
  bool newton = system->law == VERIFY_NEWTON || system->law == VERIFY_CANONICAL;
  if (newton) error = check_friction(f, t, row, right, 0, f->tolerance, f->speed, unique);
  double after = thud_verify_kinetic(system, &f->at, right), before = thud_verify_kinetic(system, &f->at, left);
  double gain = after - before, fastest = sqrt(2 * fmax(0, fmax(before, after)));
  for (size_t i = 0; i < f->m; i++) gain += f->x[i] * f->at.rate[i]; /* what moving constraints do */
  for (size_t i = 0; i < f->s; i++) gain += f->x[f->m + i] * f->at.slip_rate[i];
  if (system->on_gain != VERIFY_ALLOW &&
      thud_verify_tally(&f->checks.energy, fmax(0, gain), f->tolerance * f->speed * fastest, 0, t, row))
    thud_verify_explain(&f->checks.energy, "energy that a jump creates");
  return error;
}

/* ---- rows of a table --------------------------------------------------------------------------------------------- */

/* Rows of a table: between two of them the motion is known at the ends only. With v and the smooth accelerations
 * a = M^-1 F at both ends and at the middle (of Hermite's cubic)
 *
 *   q_(k+1) - q_k = h (v_k + v_(k+1))/2 - h^2/12 (a_(k+1) - a_k),
 *   v_(k+1) - v_k = h/6 (a_k + 4 a_m + a_(k+1)) + reaction,
 *
 * to the fourth order in h. What is left must be small
 * against h times the largest acceleration of the arc. */

/* Rounding errors of a position or a time in a table, in units in the last place. */
static const double ROW_NOISE = 8;

/* out = M^-1 F of the values. */
static void accelerate(const verify_flight *f, const verify_values *values, double *out) {
  memcpy(out, values->force, f->n * sizeof(double));
  thud_verify_cholesky_solve(f->n, values->factor, out);
}

static const double *row_q(const verify_flight *f, size_t k) { return f->path->q + k * f->n; }
static const double *row_v(const verify_flight *f, size_t k) { return f->path->v + k * f->n; }

/* Largest sizes of |a| and |dv|/h on the arc, per coordinate and in the kinetic metric. */
static double find_scale(verify_flight *f, const verify_arc *arc, double *sizes) {
  double largest = 0, *a = f->work + 3 * f->n;
  memset(sizes, 0, f->n * sizeof(double));
  for (size_t k = arc->first; k <= arc->last; k++) {
    if (!thud_verify_system_at(f->system, f->path->t[k], row_q(f, k), row_v(f, k), &f->at)) continue;
    accelerate(f, &f->at, a);
    for (size_t i = 0; i < f->n; i++) {
      sizes[i] = fmax(sizes[i], fabs(a[i]));
      if (k == arc->first) continue;
      double h = f->path->t[k] - f->path->t[k - 1];
      sizes[i] = fmax(sizes[i], fabs(row_v(f, k)[i] - row_v(f, k - 1)[i]) / h);
    }
    largest = fmax(largest, sqrt(2 * fmax(0, thud_verify_kinetic(f->system, &f->at, sizes))));
  }
  return largest;
}

static void check_velocity(verify_flight *f, size_t k, const double *a_begin, const double *a_end,
                           const double *sizes) {
  double h = f->path->t[k + 1] - f->path->t[k];
  for (size_t i = 0; i < f->n; i++) {
    double moved = h * (row_v(f, k)[i] + row_v(f, k + 1)[i]) / 2 - h * h / 12 * (a_end[i] - a_begin[i]);
    double speed = fabs(row_v(f, k)[i]) + fabs(row_v(f, k + 1)[i]);
    double rounding = f->tolerance * (f->q_size[i] * f->tolerance + h * speed) +
                      ROW_NOISE * DBL_EPSILON * (f->q_size[i] + fabs(f->path->t[k + 1]) * speed);
    if (thud_verify_tally(&f->checks.velocity, fabs(row_q(f, k + 1)[i] - row_q(f, k)[i] - moved),
                          10 * f->row_tolerance * h * h * sizes[i] + rounding, 0, f->path->t[k + 1], k + 1))
      thud_verify_explain(&f->checks.velocity, "'%s' against the increments of '%s'", f->system->velocities[i],
                          f->system->scene.names[i]);
  }
}

/* A gap that is closed at both rows lasts between them; velocity constraints likewise. */
static void find_lasting(verify_flight *f, size_t k) {
  bool *before = f->closed + f->m;
  if (!thud_verify_system_at(f->system, f->path->t[k], row_q(f, k), row_v(f, k), &f->at)) return;
  thud_verify_flight_lasting(f, row_v(f, k));
  memcpy(before, f->closed, f->m * sizeof(bool));
  if (!thud_verify_system_at(f->system, f->path->t[k + 1], row_q(f, k + 1), row_v(f, k + 1), &f->at)) return;
  thud_verify_flight_lasting(f, row_v(f, k + 1));
  for (size_t i = 0; i < f->m; i++) f->closed[i] = f->closed[i] && before[i];
}

static thud_error check_interval(verify_flight *f, size_t k, const double *sizes, double scale) {
  size_t n = f->n;
  double t = f->path->t[k], h = f->path->t[k + 1] - t;
  double *a_begin = f->work + 3 * n, *a_end = a_begin + n, *a = a_begin + 2 * n, *q = a_begin + 3 * n,
         *v = a_begin + 4 * n, *momentum = a_begin + 5 * n;
  double *kept = f->kept;
  find_lasting(f, k);
  if (!thud_verify_system_at(f->system, t, row_q(f, k), row_v(f, k), &f->at)) return THUD_OK;
  accelerate(f, &f->at, a_begin);
  if (!thud_verify_system_at(f->system, t + h, row_q(f, k + 1), row_v(f, k + 1), &f->at)) return THUD_OK;
  accelerate(f, &f->at, a_end);
  for (size_t i = 0; i < n; i++) {
    double q0 = row_q(f, k)[i], q1 = row_q(f, k + 1)[i], v0 = row_v(f, k)[i], v1 = row_v(f, k + 1)[i];
    q[i] = (q0 + q1) / 2 + h / 8 * (v0 - v1);
    v[i] = 1.5 * (q1 - q0) / h - (v0 + v1) / 4;
  }
  check_velocity(f, k, a_begin, a_end, sizes);
  if (!thud_verify_system_at(f->system, t + h / 2, q, v, &f->at)) {
    thud_verify_fail(&f->checks.motion, t, k, "the system cannot be evaluated between these rows");
    return THUD_OK;
  }
  accelerate(f, &f->at, a);
  for (size_t i = 0; i < n; i++) v[i] = (2 * a[i] - a_begin[i] - a_end[i]) / 3; /* what a poorer rule would miss */
  if (scale > 0) f->resolved = fmax(f->resolved, sqrt(2 * fmax(0, thud_verify_kinetic(f->system, &f->at, v))) / scale);
  for (size_t i = 0; i < n; i++) {
    a[i] = row_v(f, k + 1)[i] - row_v(f, k)[i] - h / 6 * (a_begin[i] + 4 * a[i] + a_end[i]);
    v[i] = 1.5 * (row_q(f, k + 1)[i] - row_q(f, k)[i]) / h - (row_v(f, k)[i] + row_v(f, k + 1)[i]) / 4;
  }
  thud_verify_apply_mass(f->system, &f->at, a, momentum);
  memcpy(kept, momentum, n * sizeof(double));
  memcpy(kept + n, v, n * sizeof(double));
  return thud_verify_flight_reactions(f, t + h / 2, k + 1, kept + n, kept, h * scale + f->tolerance * f->speed,
                                      f->row_tolerance, h);
}

thud_error thud_verify_flight_rows(verify_flight *f, const verify_arc *arc) {
  double *sizes = f->kept + 2 * f->n, scale = find_scale(f, arc, sizes);
  thud_error error = THUD_OK;
  for (size_t k = arc->first; k <= arc->last; k++) {
    if (!thud_verify_system_at(f->system, f->path->t[k], row_q(f, k), row_v(f, k), &f->at)) {
      thud_verify_fail(&f->checks.structure, f->path->t[k], k, "the system cannot be evaluated at this row");
      return THUD_OK;
    }
    thud_verify_flight_constraints(f, f->path->t[k], k, row_v(f, k));
  }
  for (size_t k = arc->first; k < arc->last && error == THUD_OK; k++) error = check_interval(f, k, sizes, scale);
  return error;
}
