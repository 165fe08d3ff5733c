/* The step that led to a frame, rebuilt from the frame and, where it is there, from the row before:
 *   moreau, regularised   q_k = q_(k-1) + h v_(k-1);  v' = v_(k-1) + h M^-1 F(t_k, q_k, v_(k-1)) is v_left;
 *                         M (v - v') = H r at q_k (regularised: v - v' and r are 1 - exp(-h/lambda) of the law's)
 *   mabrouk               q_k = q_(k-1) + h v_(k-1);  M (v - v_left) = h F(t_k, q_k, v_left) + H r at q_k
 *   moreau-jean           q_k = q_(k-1) + h ((1-theta) v_left + theta v);  M (v - v_left) = h ((1-theta) F(k-1) + theta
 *                         F(k)) + H r at q~ = q_(k-1) + (1-theta) h v_left. stabilised: the same before its correction
 *   implicit              the same with theta = 1, contacts at the time t_k and at q_(k-1)
 *   second-order          q~ = q_(k-1) + h/2 v_left;  M (v - v_left) = h F(t - h/2, q~, v_left + h/2 M^-1 F) + H r
 *                         at q~, whose law sees u- = G v_left + g' - b and u+ = G v + g' + b, b = (G v_left + g')(q~) -
 *                         (G v_left + g')(q_(k-1))
 * F = f - dV/dq - c. v_left is v_(k-1) but in moreau and regularised. The impulses of percussions within the step
 * are beside H r. */
#include "verify/math/verify_dense.h"
#include "verify/math/verify_interval.h"
#include "verify/system/verify_system_frames.h"

#include <math.h>
#include <string.h>

static const double SAME_NODE = 1e-9;
enum { FIXED_POINT_STEPS = 60, VECTORS = 16 };

static thud_error step_create(const verify_frames *f, verify_step *step) {
  verify_system *system = f->system;
  size_t n = f->n, contacts = f->m + f->s;
  *step = (verify_step){.stretch = 1};
  thud_error error = thud_verify_values_create(system, &step->at);
  if (error == THUD_OK) error = thud_verify_values_create(system, &step->other);
  if (error != THUD_OK) return error;
  double *next = THUD_NEW_ARRAY(f->context, double, VECTORS *n + contacts + 3 * f->m + n + system->law_count);
  if (next == NULL) return THUD_ERROR_MEMORY;
  double **vectors[] = {&step->qc,      &step->q_before,   &step->v_before, &step->impulse,        &step->smooth,
                        &step->applied, &step->first_kick, &step->v_plus,   &step->momentum_error, &step->momentum_size,
                        &step->noise,   &step->work};
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++, next += n) *vectors[k] = next;
  step->reaction = step->work + 5 * n;
  step->restitution = step->reaction + contacts;
  step->u_after = step->restitution + f->m;
  step->bend = step->u_after + f->m;
  step->load = step->bend + f->m;
  step->extra = step->load + n;
  if (system->functions ||
      !thud_verify_system_at(system, system->scene.start, system->scene.initial, system->initial_v, &step->at))
    return THUD_OK; /* reported where the frames are evaluated */
  for (size_t i = f->m; i-- > 0;)
    if (system->constraints[i].kind == VERIFY_UNILATERAL) step->one_restitution = step->at.restitution[i];
  return THUD_OK;
}

static void step_free(const verify_frames *f, verify_step *step) {
  thud_free(f->context, step->qc);
  if (step->at.out != NULL) thud_verify_values_free(f->system, &step->at);
  if (step->other.out != NULL) thud_verify_values_free(f->system, &step->other);
}

static double theta_of(const verify_system *system) {
  return isnan(system->scheme->theta) ? system->theta : system->scheme->theta;
}

/* q_before + what the scheme's velocities move: q, but for the correction of the stabilised scheme. */
static void step_move(const verify_frames *f, size_t k, const double *q_before, const double *v_before, double h,
                      double *out) {
  double theta = theta_of(f->system);
  for (size_t i = 0; i < f->n; i++) out[i] = q_before[i] + h * ((1 - theta) * v_before[i] + theta * f->v[k * f->n + i]);
}

/* ---- smooth impulses ------------------------------------------------------------------------------------------------
 */

static void add_impulse(const verify_frames *f, double factor, const verify_values *values, verify_step *s) {
  for (size_t i = 0; i < f->n; i++) {
    s->impulse[i] += factor * values->force[i];
    s->applied[i] += factor * values->applied[i];
  }
}

/* v_before from v_left = v_before + h M^-1 F(t, q, v_before) when the row before is missing. */
static bool find_v_before(const verify_frames *f, size_t k, verify_step *s) {
  size_t n = f->n;
  const double *v_left = f->v_left + k * n;
  memcpy(s->v_before, v_left, n * sizeof(double));
  for (int step = 0; step < FIXED_POINT_STEPS; step++) {
    double change = 0, size = 0;
    if (!thud_verify_system_at(f->system, s->tc, s->qc, s->v_before, &s->other)) return false;
    memcpy(s->work, s->other.force, n * sizeof(double));
    thud_verify_cholesky_solve(n, s->other.factor, s->work);
    for (size_t i = 0; i < n; i++) {
      double next = v_left[i] - s->h * s->work[i];
      change = fmax(change, fabs(next - s->v_before[i]));
      size = fmax(size, fabs(next) + fabs(v_left[i]));
      s->v_before[i] = next;
    }
    if (change <= VERIFY_ROUNDING * size) return true;
  }
  return false;
}

static bool rebuild_kicked(const verify_frames *f, size_t k, verify_step *s) {
  size_t n = f->n;
  const double *q = f->q + k * n, *v_left = f->v_left + k * n;
  memcpy(s->qc, q, n * sizeof(double));
  if (s->linked)
    memcpy(s->v_before, f->v + (k - 1) * n, n * sizeof(double));
  else
    s->knows_smooth = find_v_before(f, k, s);
  for (size_t i = 0; i < n; i++) s->q_before[i] = s->linked ? f->q[(k - 1) * n + i] : q[i] - s->h * s->v_before[i];
  if (s->knows_smooth) {
    if (!thud_verify_system_at(f->system, s->tc, s->qc, s->v_before, &s->other)) return false;
    add_impulse(f, s->h, &s->other, s);
  }
  return thud_verify_system_at(f->system, s->tc, s->qc, v_left, &s->at);
}

static bool rebuild_mabrouk(const verify_frames *f, size_t k, verify_step *s) {
  size_t n = f->n;
  memcpy(s->qc, f->q + k * n, n * sizeof(double));
  for (size_t i = 0; i < n; i++) {
    s->v_before[i] = f->v_left[k * n + i];
    s->q_before[i] = s->linked ? f->q[(k - 1) * n + i] : s->qc[i] - s->h * s->v_before[i];
  }
  if (!thud_verify_system_at(f->system, s->tc, s->qc, s->v_before, &s->at)) return false;
  add_impulse(f, s->h, &s->at, s);
  return true;
}

static bool rebuild_theta(const verify_frames *f, size_t k, verify_step *s) {
  size_t n = f->n;
  double theta = theta_of(f->system);
  const double *v = f->v + k * n;
  for (size_t i = 0; i < n; i++) {
    s->v_before[i] = f->v_left[k * n + i];
    s->q_before[i] =
        s->linked ? f->q[(k - 1) * n + i] : f->q[k * n + i] - s->h * ((1 - theta) * s->v_before[i] + theta * v[i]);
    s->qc[i] = s->q_before[i] + (1 - theta) * s->h * s->v_before[i];
  }
  if (!s->linked && f->system->scheme->corrects)
    s->blur = 4 * s->h * (thud_verify_norm(n, v) + thud_verify_norm(n, s->v_before)) /
              fmax(f->largest_q, s->h * thud_verify_norm(n, v));
  double ahead = f->t[k] - s->h + (1 - theta) * s->h;
  s->tc = f->system->scheme->backward ? s->to : fmin(fmax(ahead, s->from), s->to);
  if (!thud_verify_system_at(f->system, s->from, s->q_before, s->v_before, &s->other)) return false;
  for (size_t i = 0; i < n; i++) s->first_kick[i] = s->h * s->other.force[i];
  add_impulse(f, (1 - theta) * s->h, &s->other, s);
  step_move(f, k, s->q_before, s->v_before, s->h, s->work);
  if (!thud_verify_system_at(f->system, s->to, s->work, v, &s->other)) return false;
  add_impulse(f, theta * s->h, &s->other, s);
  if (!thud_verify_system_at(f->system, s->tc, s->qc, s->v_before, &s->at)) return false;
  thud_verify_cholesky_solve(n, s->at.factor, s->first_kick);
  return true;
}

/* Percussions at the start: no step, no force. */
static bool rebuild_start(const verify_frames *f, verify_step *s) {
  memcpy(s->qc, f->q, f->n * sizeof(double));
  memcpy(s->q_before, f->q, f->n * sizeof(double));
  memcpy(s->v_before, f->v_left, f->n * sizeof(double));
  s->h = 0;
  return thud_verify_system_at(f->system, s->tc, s->qc, s->v_before, &s->at);
}

static bool rebuild_midpoint(const verify_frames *f, size_t k, verify_step *s) {
  size_t n = f->n;
  double half = s->h / 2;
  s->tc = f->t[k] - half;
  for (size_t i = 0; i < n; i++) {
    s->v_before[i] = f->v_left[k * n + i];
    s->qc[i] = s->linked ? f->q[(k - 1) * n + i] + half * s->v_before[i] : f->q[k * n + i] - half * f->v[k * n + i];
    s->q_before[i] = s->qc[i] - half * s->v_before[i];
  }
  if (!thud_verify_system_at(f->system, s->tc, s->qc, s->v_before, &s->at)) return false;
  memcpy(s->work, s->at.force, n * sizeof(double));
  thud_verify_cholesky_solve(n, s->at.factor, s->work);
  for (size_t i = 0; i < n; i++) s->work[i] = s->v_before[i] + half * s->work[i];
  if (!thud_verify_system_at(f->system, s->tc, s->qc, s->work, &s->other)) return false;
  add_impulse(f, s->h, &s->other, s);
  return true;
}

/* ---- the schemes ---------------------------------------------------------------------------------------------------- */

const verify_scheme thud_verify_schemes[VERIFY_SCHEMES] = {
    {.name = "moreau", .kicks_first = true, .posed_at_node = true, .rebuild = rebuild_kicked},
    {.name = "mabrouk",
     .begins_at_once = true,
     .posed_at_node = true,
     .one_restitution = true,
     .rebuild = rebuild_mabrouk},
    {.name = "moreau-jean", .theta = NAN, .implicit = true, .rebuild = rebuild_theta},
    {.name = "stabilised", .theta = NAN, .implicit = true, .corrects = true, .rebuild = rebuild_theta},
    {.name = "second-order", .theta = 0.5, .bends = true, .rebuild = rebuild_midpoint},
    {.name = "regularised", .kicks_first = true, .posed_at_node = true, .penalty = true, .rebuild = rebuild_kicked},
    {.name = "implicit", .theta = 1, .implicit = true, .backward = true, .rebuild = rebuild_theta},
    {.name = "event-driven", .event_driven = true},
};

/* ---- the step's equation --------------------------------------------------------------------------------------------
 */

/* What acts of the percussions between the node before and frame k, of whose time only rounding may be known. */
static void find_loads(const verify_frames *f, size_t k, verify_step *s) {
  const verify_system *system = f->system;
  double before = s->linked ? f->t[k - 1] : f->t[k] - s->h * (1 - SAME_NODE);
  size_t first = k == 0 ? 0 : thud_verify_loads_before(system, before, true);
  size_t end = thud_verify_loads_before(system, f->t[k], true);
  s->has_load = end > first;
  thud_verify_loads_sum(system, first, end, s->at.friction, s->load, s->extra);
}

/* The e with which u+ >= -e' (u- + 2 b) is u+ >= -e u-; 0 where there is none. */
static double bent_restitution(double e, double u_minus, double bend) {
  double seen = u_minus + 2 * bend;
  if (bend == 0 || e == 0) return e;
  return u_minus < 0 && seen < 0 ? fmin(e * (u_minus / seen), fmax(e, 1)) : 0;
}

/* Normal velocities change along curved constraints: by b within the first half of a second-order step, and as much
 * again within the second. Numbers of functions have it in the record. */
static bool find_bends(const verify_frames *f, size_t k, verify_step *s) {
  size_t n = f->n;
  bool bends = f->system->scheme->bends && k > 0;
  if (!f->system->functions) {
    memset(s->bend, 0, f->m * sizeof(double));
    if (!bends || f->m == 0) return true;
    if (!thud_verify_system_at(f->system, s->from, s->q_before, s->v_before, &s->other)) return false;
    for (size_t i = 0; i < f->m; i++)
      if (f->acting[k * f->m + i] != 0)
        s->bend[i] = thud_verify_constraint_velocity(f->system, &s->at, i, s->v_before) -
                     thud_verify_constraint_velocity(f->system, &s->other, i, s->v_before);
  }
  double largest = 0;
  for (size_t i = 0; i < f->m && bends; i++) {
    double u = thud_verify_dot(n, s->at.gradient + i * n, s->v_before) + s->at.rate[i] - s->bend[i];
    s->restitution[i] = bent_restitution(s->at.restitution[i], u, s->bend[i]);
    if (f->acting[k * f->m + i] != 0) largest = fmax(largest, s->restitution[i]);
  }
  for (size_t i = 0; i < f->m && bends && f->system->law == VERIFY_CANONICAL; i++)
    if (f->system->constraints[i].kind == VERIFY_UNILATERAL) s->restitution[i] = largest;
  return true;
}

/* The velocity that obeys the contact laws, with its impulses; e in effect. */
static void set_law(const verify_frames *f, size_t k, verify_step *s) {
  const verify_system *system = f->system;
  bool regularised = system->scheme->penalty && k > 0;
  double done = regularised ? -expm1(-s->h / system->lambda) : 1, largest = 0;
  const double *v = f->v + k * f->n, *v_left = f->v_left + k * f->n;
  double *begin = s->work; /* of the penalty: what is loaded is not part of it */
  memcpy(begin, s->load, f->n * sizeof(double));
  thud_verify_cholesky_solve(f->n, s->at.factor, begin);
  for (size_t i = 0; i < f->n; i++) begin[i] += v_left[i];
  for (size_t i = 0; i < f->n; i++) s->v_plus[i] = regularised ? begin[i] + (v[i] - begin[i]) / done : v[i];
  for (size_t i = 0; i < f->m + f->s; i++) s->reaction[i] = f->reaction[k * (f->m + f->s) + i] / done;
  for (size_t i = 0; i < f->m; i++) {
    s->restitution[i] = s->at.restitution[i];
    if (regularised) s->restitution[i] = 0;
    if (system->scheme->one_restitution) s->restitution[i] = s->one_restitution;
    if (f->acting[k * f->m + i] != 0) largest = fmax(largest, s->restitution[i]);
  }
  if (system->law == VERIFY_CANONICAL)
    for (size_t i = 0; i < f->m; i++)
      if (system->constraints[i].kind == VERIFY_UNILATERAL) s->restitution[i] = largest;
}

static void balance(const verify_frames *f, size_t k, verify_step *s) {
  size_t n = f->n;
  const double *v = f->v + k * n, *v_left = f->v_left + k * n, *r = f->reaction + k * (f->m + f->s);
  bool kicked = f->system->scheme->kicks_first;
  double fastest = 0;
  memcpy(s->work, s->impulse, n * sizeof(double));
  thud_verify_cholesky_solve(n, s->at.factor, s->work);
  for (size_t i = 0; i < n; i++) fastest = fmax(fastest, fmax(fabs(v[i]), fabs(v_left[i] + s->work[i])));
  for (size_t i = 0; i < n; i++) {
    double error = kicked ? 0 : -s->impulse[i], size = kicked ? 0 : fabs(s->impulse[i]), settled = 0;
    for (size_t j = 0; j < n; j++) {
      double mass = s->at.mass[i * n + j];
      error += mass * (v[j] - v_left[j]);
      size += fabs(mass) * (fabs(v[j]) + fabs(v_left[j]));
      settled += fabs(mass) * fastest;
    }
    error -= s->load[i];
    size += fabs(s->load[i]);
    for (size_t c = 0; c < f->m + f->s; c++) {
      double part = (c < f->m ? s->at.gradient[c * n + i] : s->at.slip[(c - f->m) * n + i]) * r[c];
      error -= part;
      size += fabs(part);
    }
    s->momentum_error[i] = error;
    /* Implicit forces settle to the scene's tolerance, relative to the largest velocity, also that of the forces alone:
     * what holds may be at rest. */
    s->momentum_size[i] = size + 100 * f->system->residual_tolerance / f->tolerance * settled;
  }
}

/* The forces of the step are those of its two ends (of one end, or of the middle: twice the same). */
thud_error thud_verify_step_noise(const verify_frames *f, size_t k, verify_step *s) {
  size_t n = f->n;
  double *moved = s->work, *part = s->work + n;
  if (s->has_noise || f->system->functions) {
    if (!s->has_noise) memset(s->noise, 0, n * sizeof(double));
    return THUD_OK;
  }
  for (size_t i = 0; i < n; i++) moved[i] = s->q_before[i] + s->h * f->v[k * n + i];
  const verify_state_at ends[] = {{s->from, s->h, s->q_before, s->v_before}, {s->to, s->h, moved, f->v + k * n}};
  memset(s->noise, 0, n * sizeof(double));
  for (int end = 0; end < 2; end++) {
    thud_error error = thud_verify_force_noise(f->system, &ends[end], &s->at, part);
    if (error != THUD_OK) return error;
    for (size_t i = 0; i < n; i++) s->noise[i] += s->h * part[i];
  }
  s->has_noise = true;
  return THUD_OK;
}

static bool rebuild_by_scheme(const verify_frames *f, size_t k, verify_step *s) {
  const verify_scheme *scheme = f->system->scheme;
  return k == 0 && !scheme->begins_at_once ? rebuild_start(f, s) : scheme->rebuild(f, k, s);
}

bool thud_verify_step_finish(const verify_frames *f, size_t k, verify_step *s) {
  set_law(f, k, s);
  balance(f, k, s);
  return find_bends(f, k, s);
}

/* Where given forces are infinite at some time, steps take the means of these. */
static void set_means(const verify_frames *f, size_t k, const verify_step *s) {
  verify_system *system = f->system;
  double from = k == 0 ? f->t[0] : s->linked ? f->t[k - 1] : f->t[k] - s->h;
  system->singular_from = thud_verify_force_singular(system, from, 1);
  system->singular_to = k > 0 && thud_verify_force_singular(system, f->t[k], -1);
  system->mean_from = from;
  system->mean_of = !system->takes_means ? 0 : k > 0 ? f->t[k] - from : system->singular_from ? -1 : 0;
}

static bool rebuild(const verify_frames *f, size_t k, double h, verify_step *s) {
  size_t n = f->n;
  double elapsed = k > 0 ? f->t[k] - f->t[k - 1] : INFINITY;
  s->h = h;
  /* a half of a step as short as the rounding that is allowed for times is not the whole of it */
  s->linked = fabs(elapsed - h) <= fmin(SAME_NODE * h + VERIFY_ROUNDING * fabs(f->t[k]), h / 4);
  double equal = (f->system->scene.end - f->system->scene.start) / f->system->scene.steps;
  s->stretch = f->system->step_tolerance > 0 || k == 0 ? 1 : fmax(1, equal / h);
  s->knows_smooth = true;
  s->blur = 0;
  s->has_noise = false;
  s->from = thud_verify_data_after(f->system, f->t[k] - (k > 0 ? h : 0));
  s->to = k > 0 ? thud_verify_data_before(f->system, f->t[k]) : s->from;
  s->tc = s->to;
  set_means(f, k, s);
  memset(s->impulse, 0, n * sizeof(double));
  memset(s->applied, 0, n * sizeof(double));
  if (!rebuild_by_scheme(f, k, s)) return false;
  find_loads(f, k, s);
  return thud_verify_step_finish(f, k, s);
}

/* How badly the frame fits the step's equation and, if it is there, the row before; relative. */
static double misfit(const verify_frames *f, size_t k, verify_step *s) {
  double worst = 0;
  size_t n = f->n;
  for (size_t i = 0; i < n; i++)
    if (s->momentum_size[i] > 0) worst = fmax(worst, fabs(s->momentum_error[i]) / s->momentum_size[i]);
  if (!s->linked) return worst;
  const double *v_before = f->v + (k - 1) * n, *v_left = f->v_left + k * n;
  memcpy(s->work + n, s->impulse, n * sizeof(double));
  thud_verify_cholesky_solve(n, s->at.factor, s->work + n);
  step_move(f, k, f->q + (k - 1) * n, v_before, s->h, s->work);
  for (size_t i = 0; i < n; i++) {
    double kick = f->system->scheme->kicks_first ? s->work[n + i] : 0, size = fabs(v_before[i]) + fabs(v_left[i]);
    double q_size = fabs(f->q[k * n + i]) + fabs(s->work[i]) + s->h * (size + fabs(f->v[k * n + i]));
    if (size > 0) worst = fmax(worst, fabs(v_left[i] - v_before[i] - kick) / size);
    if (q_size > 0 && !f->system->scheme->corrects) worst = fmax(worst, fabs(f->q[k * n + i] - s->work[i]) / q_size);
  }
  return worst;
}

/* Rebuilds the step of frame k; false when the system cannot be evaluated there. A controlled step is one step or two
 * halves: the one that fits the frame better. */
static bool step_rebuild(const verify_frames *f, size_t k, verify_step *s) {
  const verify_system *system = f->system;
  if (system->functions) return thud_verify_posed_rebuild(f, k, s);
  double h = f->step[k], length = system->scene.end - system->scene.start;
  bool controlled = system->step_tolerance > 0;
  if (k == 0) h = controlled ? length / 1000 : length / system->scene.steps;
  bool whole = rebuild(f, k, h, s);
  double first = whole ? misfit(f, k, s) : INFINITY;
  if (!controlled || k == 0 || first <= VERIFY_ROUNDING) return whole;
  bool halves = rebuild(f, k, h / 2, s);
  if (halves && misfit(f, k, s) < first) return true;
  return rebuild(f, k, h, s);
}

/* ---- every frame's step ------------------------------------------------------------------------------------------ */

/* Every frame's step: positions, momentum, the laws of contact, what an impact is. */

/* ---- positions and momentum ----------------------------------------------------------------------------------------
 */

static void tally_named(thud_verify_check *check, double value, double tolerance, double t, size_t k, const char *what,
                        const char *name) {
  if (thud_verify_tally(check, value, tolerance, 0, t, k)) thud_verify_explain(check, "%s '%s'", what, name);
}

/* How far the violated constraints at s->other are, as a length in the kinetic metric. */
static double violation_length(const verify_frames *f, verify_step *s) {
  double sum = 0;
  for (size_t i = 0; i < f->m; i++) {
    verify_constraint_kind kind = f->system->constraints[i].kind;
    double gap = s->other.gap[i], violation = kind == VERIFY_UNILATERAL ? fmax(0, -gap) : fabs(gap);
    double response = thud_verify_response(f->system, &s->other, s->other.gradient + i * f->n, s->work + 2 * f->n);
    if (kind <= VERIFY_EQUATION && response > 0) sum += violation / sqrt(response);
  }
  return sum;
}

/* What the constraints' gradients leave of the displacement d, in the kinetic metric: |L'd - sum L^-1 a_i x_i|; push
 * [m]: x. */
static thud_error fit_correction(const verify_frames *f, const verify_values *values, const double *d, double *push,
                                 double *distance) {
  size_t n = f->n, m = f->m;
  const double *L = values->factor;
  double *B = THUD_NEW_ARRAY(f->context, double, m *n + n + m);
  bool *is_free = THUD_NEW_ARRAY(f->context, bool, m);
  thud_error error = B != NULL && is_free != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  if (error == THUD_OK) {
    double *b = B + m * n, *x = b + n;
    for (size_t i = 0; i < m; i++) {
      is_free[i] = !verify_is_one_sided(f->system->constraints[i].kind);
      thud_verify_cholesky_forward(n, L, values->gradient + i * n, B + i * n);
    }
    for (size_t k = 0; k < n; k++)
      for (size_t j = k; j < n; j++) b[k] += L[j * n + k] * d[j];
    verify_fit fit = {.rows = n, .columns = m, .B = B, .is_free = is_free, .b = b, .x = x};
    error = thud_verify_fit_solve(f->context, &fit);
    *distance = fit.distance;
    memcpy(push, x, m * sizeof(double));
  }
  thud_free(f->context, B);
  thud_free(f->context, is_free);
  return error;
}

/* The smallest move: what pushes, beyond rounding of the move, ends closed, up to what was violated. Its length is then
 * what it must be, however heavy the bodies are that a light one has to take with it. */
static bool ends_closed(const verify_frames *f, size_t k, verify_step *s, const double *push, double length) {
  double worst = 0, *room = s->work + 2 * f->n;
  for (size_t i = 0; i < f->m; i++)
    if (f->system->constraints[i].kind == VERIFY_UNILATERAL) worst = fmax(worst, -s->other.gap[i]);
  for (size_t i = 0; i < f->m; i++) {
    double response = thud_verify_response(f->system, &s->other, s->other.gradient + i * f->n, room);
    bool pushes = push[i] * sqrt(fmax(0, response)) > f->tolerance * length;
    if (pushes && f->gap[k * f->m + i] > worst + VERIFY_ROUNDING * f->gap_size[i]) return false;
  }
  return worst > 0;
}

static double kinetic_length(const verify_frames *f, const verify_step *s, const double *x) {
  return sqrt(2 * fmax(0, thud_verify_kinetic(f->system, &s->other, x)));
}

/* The correction of the stabilised scheme moves along M^-1 times the gradients, which turn by about |d|/|q| on the way,
 * and only where something was violated, by about as much. */
static thud_error check_correction(const verify_frames *f, size_t k, verify_step *s, const double *moved,
                                   thud_verify_check *check) {
  size_t n = f->n;
  verify_system *system = f->system;
  if (!thud_verify_system_at(system, s->to, moved, f->v + k * n, &s->other)) return THUD_OK;
  double allowed = violation_length(f, s), *d = s->work + n, across = 0;
  for (size_t i = 0; i < n; i++) d[i] = f->q[k * n + i] - moved[i];
  double length = kinetic_length(f, s, d);
  double size = kinetic_length(f, s, f->q + k * n) + kinetic_length(f, s, f->q + (k - 1) * n);
  /* Terms of the position; what velocity problems may leave, relative to velocities and to those that forces give. */
  double speed = kinetic_length(f, s, f->v + k * n) + kinetic_length(f, s, f->v + (k - 1) * n);
  double left = system->residual_tolerance * (speed + kinetic_length(f, s, s->smooth));
  double rounding = VERIFY_ROUNDING * (size + s->h * speed) + s->h * left;
  double *push = s->bend; /* of second-order steps, which have no correction */
  thud_error error = fit_correction(f, &s->other, d, push, &across);
  if (error != THUD_OK) return error;
  if (length > 10 * allowed + rounding && ends_closed(f, k, s, push, length)) allowed = length;
  if (thud_verify_tally(check, length, 10 * allowed + rounding, 0, f->t[k], k))
    thud_verify_explain(check, "length of the position's correction");
  double turned = size > 0 ? 10 * length * length / size : 0;
  if (thud_verify_tally(check, across, turned + rounding, 0, f->t[k], k))
    thud_verify_explain(check, "part of the position's correction that is not along the constraints");
  return THUD_OK;
}

static thud_error check_positions(const verify_frames *f, size_t k, verify_step *s, thud_verify_check *check) {
  size_t n = f->n;
  double *moved = s->work;
  step_move(f, k, f->q + (k - 1) * n, f->v + (k - 1) * n, s->h, moved);
  bool corrected = f->system->scheme->corrects;
  if (corrected && f->system->functions) return THUD_OK; /* along gradients that are not in the record */
  if (corrected) return check_correction(f, k, s, moved, check);
  for (size_t i = 0; i < n; i++) {
    double size = fabs(f->q[k * n + i]) + fabs(f->q[(k - 1) * n + i]) +
                  s->h * (fabs(f->v[k * n + i]) + fabs(f->v[(k - 1) * n + i]));
    tally_named(check, fabs(f->q[k * n + i] - moved[i]), VERIFY_ROUNDING * size, f->t[k], k, "position",
                f->system->scene.names[i]);
  }
  return THUD_OK;
}

/* v_left is the velocity before, or that after the smooth kick. */
static void check_left(const verify_frames *f, size_t k, verify_step *s, thud_verify_check *check) {
  size_t n = f->n;
  const double *before = f->v + (k - 1) * n, *left = f->v_left + k * n;
  bool kicked = f->system->scheme->kicks_first;
  memcpy(s->work, s->impulse, n * sizeof(double));
  thud_verify_cholesky_solve(n, s->at.factor, s->work);
  for (size_t i = 0; i < n; i++) {
    double kick = kicked ? s->work[i] : 0, size = fabs(before[i]) + fabs(left[i]) + fabs(kick);
    tally_named(check, fabs(left[i] - before[i] - kick), (kicked ? f->tolerance : VERIFY_ROUNDING) * size, f->t[k], k,
                "left velocity", f->system->velocities[i]);
  }
}

/* Where forces cancel, what is left of them is rounding of their terms. */
static thud_error check_momentum(const verify_frames *f, size_t k, verify_step *s, thud_verify_check *check) {
  for (size_t i = 0; i < f->n; i++) {
    double allowed = fmax(f->tolerance, s->blur) * s->momentum_size[i];
    if (fabs(s->momentum_error[i]) > allowed) {
      thud_error error = thud_verify_step_noise(f, k, s);
      if (error != THUD_OK) return error;
      allowed += s->noise[i];
    }
    tally_named(check, fabs(s->momentum_error[i]), allowed, f->t[k], k, "momentum balance of",
                f->system->scene.names[i]);
  }
  return THUD_OK;
}

/* v_average = (v + e v_left)/(1 + e) with the largest e among the constraints that pressed. */
static void check_average(const verify_frames *f, size_t k, const verify_step *s, thud_verify_check *check) {
  size_t n = f->n, m = f->m;
  double e = 0;
  for (size_t i = 0; i < m && verify_has_step(f, k); i++) {
    double own = f->system->scheme->one_restitution ? s->one_restitution
                 : f->system->scheme->penalty       ? 0
                                                    : s->at.restitution[i];
    if (f->acting[k * m + i] != 0 && f->reaction[k * (m + f->s) + i] != 0) e = fmax(e, own);
  }
  for (size_t i = 0; i < n; i++) {
    double v = f->v[k * n + i], left = f->v_left[k * n + i], found = (v + e * left) / (1 + e);
    tally_named(check, fabs(f->v_average[k * n + i] - found),
                fmax(VERIFY_ROUNDING, s->blur) * (fabs(v) + e * fabs(left)), f->t[k], k, "average velocity",
                f->system->velocities[i]);
  }
}

/* Sizes of the impulses that act at once in coordinate j: sum |p_i| |M^-1 a_i|_j, of which the kinetic metric bounds each
 * by |p_i| sqrt(a_i M^-1 a_i') sqrt((M^-1)_jj), whichever way a_i turns. */
static double impact_terms(const verify_frames *f, size_t k, verify_step *s, size_t j) {
  size_t n = f->n, m = f->m;
  const double *r = f->reaction + k * (m + f->s);
  double *unit = s->work + n, *room = s->work + 2 * n, sum = 0;
  for (size_t i = 0; i < m + f->s; i++) {
    if (r[i] == 0) continue;
    const double *row = verify_reaction_row(f->system, &s->at, i);
    sum += fabs(r[i]) * sqrt(fmax(0, thud_verify_response(f->system, &s->at, row, room)));
  }
  memset(unit, 0, n * sizeof(double));
  unit[j] = 1;
  return sum * sqrt(fmax(0, thud_verify_response(f->system, &s->at, unit, room)));
}

/* v_limit = v - M^-1 of the impulses that act at once: those of impacts with their friction, loads, and of steps with
 * loads the friction of laws by themselves. */
static void check_limit(const verify_frames *f, size_t k, verify_step *s, thud_verify_check *check) {
  size_t n = f->n, m = f->m;
  const double *r = f->reaction + k * (m + f->s);
  double *jump = s->work, size = 0;
  bool has_step = verify_has_step(f, k), loaded = has_step && s->has_load;
  memset(jump, 0, n * sizeof(double));
  for (size_t i = 0; i < m && has_step; i++)
    for (size_t j = 0; j < n && f->atom[k * m + i] != 0; j++) jump[j] += s->at.gradient[i * n + j] * r[i];
  for (size_t l = 0; l < f->system->law_count && has_step; l++) {
    const verify_law *law = &f->system->laws[l];
    bool jumps = thud_verify_law_jumps(f, law, k, loaded);
    for (size_t i = law->first; i < law->first + law->directions && jumps; i++)
      for (size_t j = 0; j < n; j++) jump[j] += s->at.slip[i * n + j] * r[m + i];
  }
  for (size_t j = 0; j < n && loaded; j++) jump[j] += s->load[j];
  if (has_step) thud_verify_cholesky_solve(n, s->at.factor, jump);
  for (size_t j = 0; j < n; j++) size = fmax(size, fabs(jump[j]));
  for (size_t j = 0; j < n; j++) {
    double v = f->v[k * n + j], error = fabs(f->v_limit[k * n + j] - v + jump[j]);
    double allowed = fmax(f->tolerance, s->blur) * (fabs(v) + fabs(jump[j])) + VERIFY_ROUNDING * size;
    if (error > allowed && has_step) /* where impulses cancel, what is left is the error of each of them */
      allowed += fmax(VERIFY_ROUNDING, s->blur) * impact_terms(f, k, s, j);
    tally_named(check, error, allowed, f->t[k], k, "left limit of the velocity", f->system->velocities[j]);
  }
}

/* Frame 0 where nothing changes the initial velocity. */
static void check_still(const verify_frames *f, thud_verify_check *check) {
  for (size_t i = 0; i < f->m + f->s; i++)
    if (f->reaction[i] != 0) thud_verify_fail(check, f->t[0], 0, "a reaction before the first step");
  for (size_t i = 0; i < f->m; i++)
    if (f->atom[i] != 0) thud_verify_fail(check, f->t[0], 0, "an impact before the first step");
  for (size_t i = 0; i < f->m; i++) { /* f->here holds the node */
    double gap = f->here.gap[i] - f->system->gap_tolerance, rounding = VERIFY_ROUNDING * f->gap_size[i];
    bool closed = f->system->constraints[i].kind != VERIFY_UNILATERAL || gap <= 0, acts = f->acting[i] != 0;
    if (closed != acts && fabs(gap) > rounding)
      thud_verify_fail(check, f->t[0], 0, "'%s' %s at the start", f->system->constraints[i].name,
                       acts ? "is open and acts" : "is closed and does not act");
  }
  for (size_t i = 0; i < f->n; i++)
    if (f->v_average[i] != f->v[i] || f->v_limit[i] != f->v[i])
      thud_verify_fail(check, f->t[0], 0, "the average velocity or the left limit is not the initial one");
}

static thud_error check_frame(verify_frames *f, size_t k, verify_step *s, verify_step_checks *checks) {
  if (!thud_verify_frames_here(f, k)) {
    if (f->system->functions) thud_verify_fail(checks->energy, f->t[k], k, "the mass at the node is not a mass matrix");
    return THUD_OK;
  }
  thud_verify_frames_energies(f, k, checks->energy);
  if (!verify_has_step(f, k)) {
    check_still(f, checks->step);
    return THUD_OK;
  }
  checks->steps++;
  if (!step_rebuild(f, k, s)) {
    thud_verify_fail(checks->step, f->t[k], k, "the system cannot be evaluated along this step");
    return THUD_OK;
  }
  checks->asked++;
  checks->linked += s->linked;
  checks->smooth += s->knows_smooth && s->blur == 0;
  thud_error error = check_momentum(f, k, s, checks->step);
  check_average(f, k, s, checks->step);
  check_limit(f, k, s, checks->step);
  if (error == THUD_OK) error = thud_verify_velocity_problem(f, k, s, checks);
  for (size_t i = 0; i < f->m; i++) checks->contacts += f->acting[k * f->m + i] != 0;
  if (error == THUD_OK && (s->linked || k == 0)) error = thud_verify_step_energies(f, k, s, checks->energy);
  if (error != THUD_OK || !s->linked) return error;
  check_left(f, k, s, checks->step);
  return check_positions(f, k, s, checks->step);
}

thud_error thud_verify_frames_steps(verify_frames *f, verify_step_checks *checks) {
  verify_step step;
  for (size_t k = 0; k < f->count && !f->system->takes_means; k++)
    f->system->takes_means = thud_verify_force_singular(f->system, f->t[k], 1) ||
                             (k > 0 && thud_verify_force_singular(f->system, f->t[k], -1));
  thud_error error = step_create(f, &step);
  for (size_t k = 0; k < f->count && error == THUD_OK; k++) {
    error = check_frame(f, k, &step, checks);
    f->system->mean_of = 0;
  }
  step_free(f, &step);
  return error;
}
