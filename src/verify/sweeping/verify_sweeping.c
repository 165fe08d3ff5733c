/* A recorded sweeping process: from its file to a list of checks. Frames, the law, reaction and variation, events, summary. */
#include "verify/math/verify_dense.h"
#include "verify/math/verify_set_project.h"
#include "verify/sweeping/verify_sweeping.h"
#include "verify/system/verify_system_frames.h"
#include "verify/verify_channels.h"
#include "verify/verify_summary.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The checks in their order. */
enum {
  STRUCTURE,
  INITIAL,
  MEMBERSHIP,
  LAW,
  REACTION,
  STEP,
  VARIATION,
  JUMPS,
  RESIDUAL,
  EVENTS,
  SUMMARY,
  RETRACTION,
  REFINEMENT,
  FINISHED
};

/* ---- a motion in memory ------------------------------------------------------------------------------------------ */

/* Tolerance when neither the caller nor the scene asks for another. */
static const double DEFAULT_TOLERANCE = 1e-8;
/* Rounding errors of a few operations on the set's numbers. */
static const double ROUNDING = 64 * DBL_EPSILON;

enum { WORK_VECTORS = 8 };

thud_error thud_verify_motion_prepare(verify_motion *motion, double tolerance) {
  const verify_scene *scene = motion->scene;
  size_t n = motion->n;
  motion->tolerance = tolerance > 0 ? tolerance : fmax(DEFAULT_TOLERANCE, scene->tolerance);
  motion->scale = thud_verify_norm(n, scene->initial);
  for (size_t k = 0; k < motion->count; k++) {
    double length = thud_verify_norm(n, verify_state(motion, k));
    if (isfinite(length)) motion->scale = fmax(motion->scale, length);
  }
  if (!(motion->scale > 0)) motion->scale = 1;
  motion->numbers = THUD_NEW_ARRAY(motion->context, double, scene->value_count);
  motion->work = THUD_NEW_ARRAY(motion->context, double, WORK_VECTORS *n);
  return motion->numbers != NULL && motion->work != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

void thud_verify_motion_free(verify_motion *motion) {
  double *arrays[] = {motion->t,         motion->side,     motion->state,   motion->reaction, motion->atom,
                      motion->variation, motion->residual, motion->numbers, motion->work};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(motion->context, arrays[k]);
}

bool thud_verify_motion_place(verify_motion *motion, double t, thud_side side) {
  if (!thud_verify_scene_place(motion->scene, t, side, motion->numbers)) return false;
  motion->numbers_size = 0;
  for (size_t k = 0; k < motion->scene->value_count; k++)
    if (isfinite(motion->numbers[k])) motion->numbers_size = fmax(motion->numbers_size, fabs(motion->numbers[k]));
  return true;
}

/* An error of relative size tolerance in the metric's norm is at most sqrt(high/low) times that in the Euclidean. */
double thud_verify_position_tolerance(const verify_motion *motion) {
  const verify_scene *scene = motion->scene;
  return motion->tolerance * motion->scale * sqrt(scene->metric_high / scene->metric_low) +
         ROUNDING * fmax(motion->numbers_size, motion->scale);
}

thud_error thud_verify_member(verify_motion *motion, const double *u, double t, size_t frame,
                              thud_verify_check *check) {
  double violation, accuracy;
  thud_error error = thud_verify_violation(motion->context, &motion->scene->set, motion->numbers, u, motion->scale,
                                           &violation, &accuracy);
  if (error == THUD_OK) thud_verify_tally(check, violation, thud_verify_position_tolerance(motion), accuracy, t, frame);
  return error;
}

/* |u - proj(u + s w)| is 0 for exact data and any s > 0; errors e of u and f of w change it by at most 2 e + s f, and
 * f = tolerance * metric_high * scale when u has the tolerance in the metric's norm. Without an angle to be forgiven s
 * = 1 says it in the unit of the displacement; otherwise the shift s |w| = scale turns angles into distances, and is so
 * long that a point still short of the boundary meets it. A displacement below the tolerance has no direction. */
thud_error thud_verify_normal(verify_motion *motion, const double *u, double *w, double angle, double t, size_t frame,
                              thud_verify_check *check, double *residual) {
  size_t n = motion->n;
  double length = thud_verify_norm(n, w), position = thud_verify_position_tolerance(motion);
  double blur = position * motion->scene->metric_high;
  if (residual != NULL) *residual = 0;
  if (length <= blur) return THUD_OK;
  double s = angle > 0 ? motion->scale / length : 1, accuracy, *p = verify_work(motion, WORK_VECTORS - 1);
  for (size_t i = 0; i < n; i++) w[i] = u[i] + s * w[i];
  thud_error error =
      thud_verify_project(motion->context, &motion->scene->set, motion->numbers, w, motion->scale, p, &accuracy);
  if (error != THUD_OK) return error;
  double value = thud_verify_distance(n, u, p);
  thud_verify_tally(check, value, 2 * position + s * blur + angle * motion->scale, accuracy, t, frame);
  if (residual != NULL) *residual = fmax(0, value - accuracy);
  return THUD_OK;
}

/* ---- times, sides, numbers, the start, and where impulses may be ------------------------------------------------- */

static void check_numbers(const verify_motion *m, size_t k, thud_verify_check *check) {
  bool finite = isfinite(m->t[k]) && thud_verify_all_finite(m->n, verify_state(m, k));
  if (m->reaction != NULL)
    finite = finite && thud_verify_all_finite(m->n, m->reaction + k * m->n) && isfinite(m->variation[k]) &&
             isfinite(m->residual[k]);
  if (!finite) thud_verify_fail(check, m->t[k], k, "a number of this frame is NaN or infinite");
  if (m->atom != NULL && !(m->atom[k] == 0 || m->atom[k] == 1))
    thud_verify_fail(check, m->t[k], k, "the atom mark is %g; 0 and 1 have a meaning", m->atom[k]);
}

/* Only the rows of a jump, which share their time, have sides: the left limit stands before another row, the right one
 * after. A record that was interrupted may end between them. */
static void check_side(const verify_motion *m, size_t k, bool finished, thud_verify_check *check) {
  bool before = k + 1 < m->count ? m->t[k + 1] == m->t[k] : !finished, after = k > 0 && m->t[k - 1] == m->t[k];
  if ((m->side[k] < 0 && !before) || (m->side[k] > 0 && !after))
    thud_verify_fail(check, m->t[k], k, "a %s limit stands alone", m->side[k] < 0 ? "left" : "right");
}

static double longest_step(const verify_scene *scene) {
  double longest = 0;
  for (size_t k = 0; k < (size_t)scene->steps; k++) longest = fmax(longest, scene->nodes[k + 1] - scene->nodes[k]);
  return longest;
}

/* Rows of an explicit partition are at its nodes and at jumps, and where nothing was left out at all of them. */
static void check_listed(const verify_motion *m, size_t k, thud_verify_check *check) {
  const verify_scene *scene = m->scene;
  size_t count = (size_t)scene->steps + 1, at = thud_verify_times_before(scene->nodes, count, m->t[k]);
  bool node = at < count && scene->nodes[at] == m->t[k];
  if (!node && !thud_verify_scene_jumps_at(scene, m->t[k]))
    thud_verify_fail(check, m->t[k], k, "the partition of the scene has no node at this time");
  if (m->complete && k > 0 && at > 0 && m->t[k] > m->t[k - 1] && m->t[k - 1] < scene->nodes[at - 1])
    thud_verify_fail(check, m->t[k], k, "the node of the partition at t = %.10g has no row", scene->nodes[at - 1]);
}

void thud_verify_check_frames(const verify_motion *m, bool finished, thud_verify_check *check) {
  verify_times times = thud_verify_equal_steps(m->scene, false, VERIFY_TIMES_HAVE_SIDES);
  if (m->reaction == NULL) times.longest = INFINITY; /* a trajectory has the rows that it has */
  if (m->scene->nodes != NULL && m->reaction != NULL) times.longest = longest_step(m->scene) + m->scene->record_every;
  for (size_t k = 0; k < m->count; k++) {
    check_numbers(m, k, check);
    if (m->scene->nodes != NULL && m->reaction != NULL) check_listed(m, k, check);
    if (m->reaction != NULL) check_side(m, k, finished, check);
  }
  thud_verify_check_times(&times, m->count, m->t, m->side, finished, check);
}

/* The first frame carries the initial state, unless it is an admissible trajectory's first row after the projection. */
static void check_initial(verify_motion *m, thud_verify_check *check) {
  thud_verify_tally(check, thud_verify_distance(m->n, verify_state(m, 0), m->scene->initial), DBL_EPSILON * m->scale, 0,
                    m->t[0], 0);
  if (check->status == THUD_VERIFY_FAILED) thud_verify_explain(check, "the motion does not start at the initial state");
}

/* ---- jumps ------------------------------------------------------------------------------------------------------ */

/* Frames at the start, before time has passed, may carry the projection of the initial state. */
static bool at_start(const verify_motion *m, size_t k) { return m->t[k] == m->scene->start && m->side[k] <= 0; }

/* Both rows of a point of an explicit partition, where nothing moves unless the data jump. */
static bool is_listed_point(const verify_motion *m, double t) {
  const verify_scene *scene = m->scene;
  size_t count = (size_t)scene->steps + 1;
  size_t at = scene->points != NULL ? thud_verify_times_before(scene->nodes, count, t) : count;
  return at < count && scene->nodes[at] == t && scene->points[at];
}

static void check_jump_frame(const verify_motion *m, size_t k, thud_verify_check *check) {
  bool declared = thud_verify_scene_jumps_at(m->scene, m->t[k]);
  double moved = thud_verify_distance(m->n, verify_state(m, k), verify_state_before(m, k));
  bool same_time = k > 0 && m->t[k] == m->t[k - 1], atom = m->atom != NULL && m->atom[k] != 0;
  if (m->scene->regularised && m->atom != NULL) {
    if (atom || same_time) thud_verify_fail(check, m->t[k], k, "a regularised motion has no jumps");
    return;
  }
  bool listed = !atom && moved <= m->scene->tolerance * m->scale && is_listed_point(m, m->t[k]);
  if ((atom || same_time) && !declared && !at_start(m, k) && !listed)
    thud_verify_fail(check, m->t[k], k, "the state jumps by %.6g, but the data do not jump here", moved);
  if (m->atom == NULL) return;
  if (atom && (m->side[k] < 0 || !(moved > 0)))
    thud_verify_fail(check, m->t[k], k, "the frame is marked as a jump, but %s",
                     m->side[k] < 0 ? "it is the left limit of one" : "the state does not move");
  if (declared && !atom && moved > 0 && m->complete && m->side[k] >= 0)
    thud_verify_fail(check, m->t[k], k, "the data jump here and the state moves by %.6g, but no impulse is recorded",
                     moved);
  if (atom && m->side[k] == 0 && !(same_time && m->side[k - 1] == -1))
    thud_verify_fail(check, m->t[k], k, "the frame with the left limit is missing before this jump");
}

/* Times that are out of order are reported by the structure. */
static bool has_right_limit(const verify_motion *m, double t) {
  for (size_t k = thud_verify_times_before(m->t, m->count, t); k < m->count && m->t[k] == t; k++)
    if (m->side[k] == 1) return true;
  return false;
}

void thud_verify_check_jumps(const verify_motion *m, thud_verify_check *check) {
  for (size_t k = 0; k < m->count; k++) check_jump_frame(m, k, check);
  double last = m->t[m->count - 1];
  for (size_t j = 0; j < m->scene->jump_count && !m->scene->regularised && m->atom != NULL; j++) {
    double t = m->scene->jumps[j];
    if (t >= m->scene->start && t < last && !has_right_limit(m, t))
      thud_verify_fail(check, t, SIZE_MAX, "the data jump at t = %.17g, but the record has no right limit there", t);
  }
  if (check->status == THUD_VERIFY_PASSED) thud_verify_explain(check, "%zu declared jumps", m->scene->jump_count);
}

/* ---- the law of the sweeping process at every frame -------------------------------------------------------------- */

/* Time over which frame k's density acts: since the frame before or, when frames were left out, since the node before
 * it in the partition. */
static double time_step(const verify_motion *m, size_t k) {
  bool is_jump;
  if (m->complete) return k > 0 ? m->t[k] - m->t[k - 1] : 0;
  return m->t[k] - thud_verify_scene_time_before(m->scene, m->t[k], &is_jump);
}

/* The state given at the start need not lie in any set. */
static bool is_given_state(const verify_motion *m, size_t k) { return m->side[k] < 0 && m->t[k] == m->scene->start; }

/* Places the set that the state of frame k was projected onto: C(t-), C(t) or C(t+), that of this state where it follows it.
 * False when its data are not finite. */
static bool place_for_frame(verify_motion *m, size_t k, thud_verify_check *check) {
  thud_verify_scene_at_state(m->scene, verify_state(m, k));
  if (thud_verify_motion_place(m, m->t[k], (thud_side)m->side[k])) return true;
  thud_verify_fail(check, m->t[k], k, "the data of the set are not finite at this time");
  return false;
}

/* Errors below this part of the largest |u|, or within the rounding of the set's numbers, are not worth a quarrel about
 * the recorded residual; nor is what the checker's own projection may be wrong by, which `found` contains. */
static const double RESIDUAL_SLACK = 1e-10;

/* The error of u in the metric is claimed to be at most the recorded residual, or the gap that iterative projections
 * certified; then the residual of the law is at most (2/sqrt(low) + sqrt(high)) times it, by the reckoning of
 * thud_verify_normal. */
static void check_recorded_residual(const verify_motion *m, size_t k, double found, thud_verify_check *check) {
  double factor = 2 / sqrt(m->scene->metric_low) + sqrt(m->scene->metric_high);
  double claimed = fmax(m->residual[k], m->claimed_gap);
  if (!isnan(m->claimed_gap))
    thud_verify_tally(check, found, factor * claimed + RESIDUAL_SLACK * fmax(m->scale, m->numbers_size), 0, m->t[k], k);
  if (m->residual[k] < 0) thud_verify_fail(check, m->t[k], k, "the recorded residual is negative: %g", m->residual[k]);
}

static thud_error check_catching_up(verify_motion *m, thud_verify_check *membership, thud_verify_check *law,
                                    thud_verify_check *residual) {
  double *w = verify_work(m, 0);
  thud_error error = THUD_OK;
  for (size_t k = 0; k < m->count && error == THUD_OK; k++) {
    if (is_given_state(m, k) || !place_for_frame(m, k, membership)) continue;
    error = thud_verify_member(m, verify_state(m, k), m->t[k], k, membership);
    if (error != THUD_OK) continue;
    double factor = m->atom[k] != 0 ? 1 : time_step(m, k);
    for (size_t i = 0; i < m->n; i++) w[i] = -factor * m->reaction[k * m->n + i];
    double found = 0;
    error = thud_verify_normal(m, verify_state(m, k), w, 0, m->t[k], k, law, &found);
    if (error == THUD_OK) check_recorded_residual(m, k, found, residual);
  }
  return error;
}

/* u_k = p + exp(-h/lambda) (u_(k-1) - p) with p the projection of u_(k-1): hence p = u_(k-1) + (u_k - u_(k-1))/c with
 * c = 1 - exp(-h/lambda), and u_k - u_(k-1) = M^-1 reaction h. */
static void recover_target(const verify_motion *m, size_t k, double h, double c, double *before, double *p) {
  thud_verify_scene_solve_metric(m->scene, m->reaction + k * m->n, p);
  for (size_t i = 0; i < m->n; i++) {
    double moved = h * p[i];
    before[i] = verify_state(m, k)[i] - moved;
    p[i] = before[i] + moved / c;
  }
}

static thud_error check_regularised(verify_motion *m, thud_verify_check *membership, thud_verify_check *law,
                                    thud_verify_check *step) {
  double *w = verify_work(m, 0), *p = verify_work(m, 1), *before = verify_work(m, 2), *scratch = verify_work(m, 3);
  double tolerance = m->tolerance, deepest = 0;
  thud_error error = THUD_OK;
  for (size_t k = 1; k < m->count && error == THUD_OK; k++) {
    double h = time_step(m, k), c = -expm1(-h / m->scene->lambda);
    if (!(h > 0)) continue; /* two frames at one time: the structure's and the jumps' business */
    if (!thud_verify_motion_place(m, m->t[k] - h + 0.5 * h, THUD_SIDE_VALUE)) {
      thud_verify_fail(membership, m->t[k], k, "the data of the set are not finite in the middle of the step");
      continue;
    }
    recover_target(m, k, h, c, before, p);
    /* The rounding errors of the two states come out divided by c. */
    m->tolerance = tolerance + 8 * DBL_EPSILON / c;
    error = thud_verify_member(m, p, m->t[k], k, membership);
    for (size_t i = 0; i < m->n; i++) scratch[i] = before[i] - p[i];
    thud_verify_scene_apply_metric(m->scene, scratch, w);
    double depth = sqrt(fmax(0, thud_verify_dot(m->n, scratch, w)));
    deepest = fmax(deepest, depth);
    thud_verify_tally(step, fabs(depth - m->residual[k]),
                      sqrt(m->scene->metric_high) * thud_verify_position_tolerance(m), 0, m->t[k], k);
    if (error == THUD_OK) error = thud_verify_normal(m, p, w, 0, m->t[k], k, law, NULL);
  }
  m->tolerance = tolerance;
  if (membership->status == THUD_VERIFY_PASSED)
    thud_verify_explain(membership, "of the points the motion is drawn to; the motion itself is up to %.3g outside",
                        deepest);
  return error;
}

/* ---- the numbers that a record keeps beside the states ----------------------------------------------------------- */

/* The numbers that a record keeps beside the states: reaction, variation. */

/* Rounding errors of a few operations per component. */
static double rounding(const verify_motion *m) { return (64 + 4 * (double)m->n) * DBL_EPSILON; }

/* out = u_k - u_(k-1) + h f(t_k, u_k), h the time since the frame before; returns |h f|. */
static double pushed(const verify_motion *m, size_t k, double elapsed, double *out) {
  const verify_scene *scene = m->scene;
  double size = 0;
  if (scene->perturbation == NULL || !(elapsed > 0)) return 0;
  thud_verify_scene_at_state(scene, verify_state(m, k));
  for (size_t i = 0; i < m->n; i++) {
    double way = elapsed * thud_verify_value_at(scene, &scene->perturbation[i], m->t[k], (thud_side)m->side[k]);
    out[i] += way;
    size += fabs(way);
  }
  return size;
}

/* Increment of frame k: out = u_k - u_(k-1). */
static void increment(const verify_motion *m, size_t k, double *out) {
  const double *u = verify_state(m, k), *before = verify_state_before(m, k);
  for (size_t i = 0; i < m->n; i++) out[i] = u[i] - before[i];
}

static void check_reaction(verify_motion *m, thud_verify_check *check) {
  if (!m->complete) {
    thud_verify_skip(check, THUD_VERIFY_NOT_APPLICABLE, "the record does not hold every step");
    return;
  }
  double *du = verify_work(m, 0), *covector = verify_work(m, 1);
  for (size_t k = 0; k < m->count; k++) {
    const double *reaction = m->reaction + k * m->n;
    double elapsed = k > 0 ? m->t[k] - m->t[k - 1] : 0, factor = m->atom[k] != 0 ? 1 : elapsed;
    increment(m, k, du);
    double way = pushed(m, k, elapsed, du);
    thud_verify_scene_apply_metric(m->scene, du, covector);
    for (size_t i = 0; i < m->n; i++) covector[i] -= factor * reaction[i];
    double size = m->scene->metric_high * (m->scale + way) + factor * thud_verify_norm(m->n, reaction);
    thud_verify_tally(check, thud_verify_norm(m->n, covector), rounding(m) * size, 0, m->t[k], k);
    /* Where no time has passed a density is nothing. */
    if (factor == 0) thud_verify_tally(check, thud_verify_norm(m->n, reaction), 0, 0, m->t[k], k);
  }
}

static void check_variation(verify_motion *m, thud_verify_check *check) {
  double *du = verify_work(m, 0), *scratch = verify_work(m, 1);
  for (size_t k = 0; k < m->count; k++) {
    double before = k > 0 ? m->variation[k - 1] : 0, grown = m->variation[k] - before;
    increment(m, k, du);
    double moved = thud_verify_scene_metric_norm(m->scene, du, scratch);
    double tolerance = rounding(m) * (fabs(m->variation[k]) + sqrt(m->scene->metric_high) * m->scale);
    /* A record that leaves steps out knows less: the variation grows at least by the distance. */
    thud_verify_tally(check, m->complete ? fabs(grown - moved) : fmax(0, moved - grown), tolerance, 0, m->t[k], k);
  }
  if (!m->complete && check->status == THUD_VERIFY_PASSED)
    thud_verify_explain(check, "grows at least by the distances; the record does not hold every step");
}

/* ---- events of a recorded sweeping process ----------------------------------------------------------------------- */

/* Events of a recorded sweeping process: they report the same as its frames. */

typedef struct sweep_events {
  verify_events common;
  double *side, *impulse; /* [count] 0: to the value, 1: to the right limit; [count x n] */
} sweep_events;

static void compare_event(const verify_motion *m, const sweep_events *events, size_t e, thud_verify_check *check) {
  const verify_events *common = &events->common;
  size_t k = (size_t)common->frame[e], n = m->n;
  if (common->t[e] != m->t[k])
    thud_verify_fail(check, m->t[k], k, "the event of this frame is at t = %.17g", common->t[e]);
  if (m->atom[k] == 0) thud_verify_fail(check, m->t[k], k, "the frame has an event and no impulse");
  if (events->side[e] != (m->side[k] == 1)) thud_verify_fail(check, m->t[k], k, "the event leads to another side");
  if (!thud_verify_same_numbers(n, common->before + e * n, verify_state_before(m, k)) ||
      !thud_verify_same_numbers(n, common->after + e * n, verify_state(m, k)) ||
      !thud_verify_same_numbers(n, events->impulse + e * n, m->reaction + k * n))
    thud_verify_fail(check, m->t[k], k, "the numbers of the event are not those of its frame");
}

/* An impulse that moves the state by more than what the scene calls rounding is an event; one event per frame. */
static void compare_all(const verify_motion *m, const sweep_events *events, thud_verify_check *check) {
  size_t next = 0;
  for (size_t k = 0; k < m->count; k++) {
    size_t first = next;
    while (next < events->common.count && events->common.frame[next] == (double)k)
      compare_event(m, events, next++, check);
    double moved = thud_verify_distance(m->n, verify_state(m, k), verify_state_before(m, k));
    bool jumps = m->atom[k] != 0 && moved > sqrt((double)m->n) * m->scene->tolerance * m->scale;
    if (next - first > 1 || (jumps && next == first))
      thud_verify_fail(check, m->t[k], k, "the state jumps by %.6g and the frame has %zu events", moved, next - first);
  }
  if (check->status == THUD_VERIFY_PASSED) thud_verify_explain(check, "%zu jumps", events->common.count);
}

static thud_error check_sweep_events(const verify_motion *m, thud_record_reader *reader, thud_verify_check *check) {
  static const char *const kinds[] = {"jump"}, *const sides[] = {"value", "right"};
  sweep_events events = {0};
  const verify_channel channels[] = {{"side", 1, &events.side}, {"impulse", m->n, &events.impulse}};
  thud_error error = thud_verify_events_read(m->context, reader, m->n, 1, kinds, &events.common, check);
  if (error == THUD_OK) error = thud_verify_read_channels(m->context, reader, THUD_RECORD_EVENTS, 2, channels, check);
  thud_verify_check_labels(reader, THUD_RECORD_EVENTS, "side", 2, sides, check);
  thud_verify_check_components(reader, THUD_RECORD_EVENTS, "before", m->n, m->scene->names, check);
  thud_verify_check_components(reader, THUD_RECORD_EVENTS, "after", m->n, m->scene->names, check);
  if (error == THUD_OK && check->status == THUD_VERIFY_PASSED) compare_all(m, &events, check);
  thud_verify_events_free(m->context, &events.common);
  thud_free(m->context, events.side);
  thud_free(m->context, events.impulse);
  return error;
}

/* ---- the summary of a recorded sweeping process ------------------------------------------------------------------ */

/* The summary of a recorded sweeping process: the same as its frames. */

typedef struct sweep_summary {
  const verify_motion *m;
  const thud_node *map;
  bool good; /* the run has ended well: the step at which one failed has a residual but no frame */
  thud_verify_check *check;
  size_t last;
  double steps; /* that the summary claims */
} sweep_summary;

static void compare_figure(const sweep_summary *s, const char *key, double value, double tolerance) {
  thud_verify_note_number(s->map, key, value, tolerance, s->m->t[s->last], s->last, s->check);
}

/* Compares values, not bits: projections turn 0 into -0, which is no motion and no frame of its own. */
static bool is_initial_state(const verify_motion *m, size_t k) {
  for (size_t i = 0; i < m->n; i++)
    if (verify_state(m, k)[i] != m->scene->initial[i]) return false;
  return true;
}

/* An interval of the partition that has a length is a step; the projections besides are those at the start and at
 * jumps of the data. Without jumps the scene has all these numbers. */
static void compare_counts(const sweep_summary *s) {
  const verify_motion *m = s->m;
  double steps = m->scene->steps, moved = 0, projections = 0;
  bool outside = !is_initial_state(m, 0);
  for (size_t k = 1; k < m->count; k++) {
    moved += m->t[k] > m->t[k - 1];
    outside = outside || (m->t[k] == m->t[0] && !is_initial_state(m, k));
  }
  if (!s->good || (!m->complete && thud_verify_note_missing(s->map, "steps"))) return;
  if (m->complete) compare_figure(s, "steps", moved, 0);
  if (m->scene->jump_count == 0) compare_figure(s, "steps", steps, 0);
  if (!thud_verify_note_find(s->map, "projections", &projections) || projections < s->steps)
    thud_verify_fail(s->check, m->t[s->last], s->last, "'projections' is less than one per step");
  if (m->scene->regularised)
    compare_figure(s, "projections", s->steps, 0);
  else if (m->complete)
    compare_figure(s, "projections", (double)m->count - (outside ? 1 : 0), 0);
  else if (m->scene->jump_count == 0)
    compare_figure(s, "projections", s->steps + 1, 0);
}

/* The largest residual and its time, in the middle of a step for the regularised method. */
static void compare_residual(const sweep_summary *s) {
  const verify_motion *m = s->m;
  double worst = 0, t = m->t[0];
  for (size_t k = 0; k < m->count; k++) {
    if (!(m->residual[k] > worst)) continue;
    worst = m->residual[k];
    t = m->scene->regularised && k > 0 ? m->t[k - 1] + (m->t[k] - m->t[k - 1]) / 2 : m->t[k];
  }
  if (!m->complete || !s->good) return;
  compare_figure(s, "residual", worst, rounding(m) * worst);
  compare_figure(s, "residual_time", t, rounding(m) * fmax(fabs(m->scene->start), fabs(m->scene->end)));
}

/* How far the initial state is from the set: as far as the first projection moves it. */
static void compare_distance(const sweep_summary *s) {
  const verify_motion *m = s->m;
  size_t first = 0;
  double *d = verify_work(m, 0);
  while (first + 1 < m->count && m->t[first + 1] == m->t[0] && m->side[first + 1] <= 0) first++;
  for (size_t i = 0; i < m->n; i++) d[i] = verify_state(m, first)[i] - m->scene->initial[i];
  double moved = thud_verify_scene_metric_norm(m->scene, d, verify_work(m, 1));
  if (m->scene->regularised || !s->good) return;
  compare_figure(s, "initial_distance", moved,
                 sqrt(m->scene->metric_high) * (thud_verify_position_tolerance(m) + rounding(m) * m->scale));
}

/* ---- contraction ------------------------------------------------------------------------------------------------- */

/* Ratios are compared where both differences are above this part of |u|; to this part of the largest. */
static const double RATIO_LEAST = 1e-9, RATIO_AGREEMENT = 0.05;

/* The largest ratio of successive differences of u <- proj(C(t_k, u), u_(k-1) - h f(t_k, u)), from u_(k-1). */
static thud_error iterate_frame(const verify_motion *m, size_t k, double *largest, bool *exact) {
  enum { MOST = 60 };
  verify_motion *moving = (verify_motion *)m; /* its numbers are scratch */
  double *u = verify_work(m, 0), *next = verify_work(m, 1), *from = verify_work(m, 2), before = NAN, change = INFINITY;
  double elapsed = k > 0 ? m->t[k] - m->t[k - 1] : 0;
  memcpy(u, verify_state_before(m, k), m->n * sizeof(double));
  for (int i = 0; i < MOST && change > RATIO_LEAST * m->scale; i++, before = change) {
    double accuracy;
    thud_verify_scene_at_state(m->scene, u);
    if (!thud_verify_motion_place(moving, m->t[k], (thud_side)m->side[k])) return THUD_OK;
    for (size_t j = 0; j < m->n; j++) {
      double f = m->scene->perturbation == NULL || !(elapsed > 0)
                     ? 0
                     : thud_verify_value_at(m->scene, &m->scene->perturbation[j], m->t[k], (thud_side)m->side[k]);
      from[j] = verify_state_before(m, k)[j] - elapsed * f;
    }
    thud_error error = thud_verify_project(m->context, &m->scene->set, m->numbers, from, m->scale, next, &accuracy);
    if (error != THUD_OK) return error;
    *exact = *exact && accuracy == 0;
    change = thud_verify_distance(m->n, next, u);
    if (i > 0 && change > RATIO_LEAST * m->scale && change / before > *largest) *largest = change / before;
    memcpy(u, next, m->n * sizeof(double));
  }
  return THUD_OK;
}

/* The summary's factor beside that of the checker's own iterations. */
static void compare_contraction(const sweep_summary *s) {
  const verify_motion *m = s->m;
  const verify_scene *scene = m->scene;
  double claimed, largest = 0;
  bool exact = true, wanted = scene->follows || scene->perturbation != NULL;
  bool claims = thud_verify_note_find(s->map, "contraction", &claimed);
  if (claims != wanted) {
    thud_verify_fail(s->check, NAN, SIZE_MAX,
                     "'contraction' belongs to motions whose set or perturbation follows the state");
    return;
  }
  if (!wanted || !s->good || !m->complete || scene->metric != NULL) return;
  for (size_t k = 0; k < m->count; k++)
    if (!is_given_state(m, k) && iterate_frame(m, k, &largest, &exact) != THUD_OK) return;
  if (exact && !(fabs(claimed - largest) <= RATIO_AGREEMENT * largest + RATIO_LEAST))
    thud_verify_fail(s->check, m->t[s->last], s->last, "'contraction' is %.6g, iterations give %.6g", claimed, largest);
}

/* ---- refinements ---------------------------------------------------------------------------------------------------
 */

/* Every level halves the intervals; the orders and the estimate follow from the differences. The differences are those
 * of motions that are not in the record. */
static void compare_levels(const sweep_summary *s, const thud_node *levels, size_t count) {
  double intervals = 0, difference = 0, before = 0, before_intervals = 0, first = 0, order = 1;
  size_t last = s->last;
  for (size_t k = 0; k < count; k++, before = difference, before_intervals = intervals) {
    const thud_node *level = thud_node_item(levels, k);
    if (!thud_verify_note_find(level, "intervals", &intervals) ||
        !thud_verify_note_find(level, "difference", &difference)) {
      thud_verify_fail(s->check, s->m->t[last], last, "refinement %zu is not described", k);
      return;
    }
    bool known = s->m->scene->jump_count == 0, halved = k == 0 || intervals == 2 * before_intervals - 1;
    if (!halved || intervals < s->steps + 1 || (k == 0 && known && intervals != s->steps + 1) || difference < 0)
      thud_verify_fail(s->check, s->m->t[last], last, "refinement %zu does not halve the intervals", k);
    double expected = log2(before / difference);
    if (k > 0 && isfinite(expected))
      thud_verify_note_number(level, "order", expected, 1e-12 * (1 + fabs(expected)), s->m->t[last], last, s->check);
    if (k == 0) first = difference;
    if (k == 1 && expected >= 0.25 && expected <= 2.5) order = expected;
  }
  double estimate = first / (1 - exp2(-order));
  compare_figure(s, "error_estimate", estimate, 1e-12 * estimate);
}

static void compare_refinements(const sweep_summary *s) {
  const thud_node *levels = thud_node_find(s->map, "refinement");
  size_t count = levels != NULL && thud_node_get_kind(levels) == THUD_NODE_SEQUENCE ? thud_node_count(levels) : 0;
  double estimate;
  if (count > 0)
    compare_levels(s, levels, count);
  else if (thud_verify_note_find(s->map, "error_estimate", &estimate))
    thud_verify_fail(s->check, NAN, SIZE_MAX, "there is an estimate of the error and no refinement");
}

/* The first level is the run; the class follows from all of them. */
static void check_levels(const sweep_summary *s, thud_verify_check *refinement) {
  const verify_motion *m = s->m;
  double extent = 0, *d = verify_work(m, 0);
  for (size_t k = 0; k < m->count; k++) {
    for (size_t i = 0; i < m->n; i++) d[i] = verify_state(m, k)[i] - verify_state(m, 0)[i];
    extent = fmax(extent, thud_verify_scene_metric_norm(m->scene, d, verify_work(m, 1)));
  }
  if (!thud_verify_limit(s->map, "levels", m->scene->levels, 1e-10 * extent, refinement)) return;
  const thud_node *own = thud_node_item(thud_node_find(s->map, "levels"), 0);
  double variation = m->variation[s->last];
  if (m->scene->jump_count == 0)
    thud_verify_note_number(own, "steps", m->scene->steps, 0, m->t[s->last], s->last, refinement);
  thud_verify_note_number(own, "variation", variation, rounding(m) * fabs(variation), m->t[s->last], s->last,
                          refinement);
  if (refinement->status == THUD_VERIFY_PASSED)
    thud_verify_skip(
        refinement, THUD_VERIFY_NOT_CHECKED,
        "the first of %g levels is this run, and the class follows from all; the finer runs are not in the "
        "record",
        m->scene->levels);
}

static thud_error compare_summary(verify_record *record, void *motion, const thud_node *map, thud_verify_check *check) {
  verify_motion *m = motion;
  static const char *const figures[] = {
      "steps",      "projections",       "variation",        "residual",    "residual_time",
      "gap",        "initial_distance",  "error_estimate",   "refinement",  "retraction_by",
      "retraction", "retraction_low",    "mesh_retraction",  "error_bound", "class",
      "levels",     "approach",          "approach_scatter", "growth",      "growth_scatter",
      "shrinking",  "shrinking_scatter", "contraction"};
  size_t last = m->count - 1;
  double t = m->t[last], variation = m->variation[last];
  sweep_summary s = {.m = m, .map = map, .good = thud_verify_ran_to_end(&record->info), .check = check, .last = last};
  thud_verify_summary_keys(map, sizeof figures / sizeof *figures, figures, check);
  thud_verify_note_find(map, "gap", &m->claimed_gap);
  thud_verify_note_find(map, "steps", &s.steps);
  compare_figure(&s, "time", t, 0);
  thud_verify_note_numbers(thud_node_find(map, "state"), m->n, m->scene->names, verify_state(m, last), t, last, check);
  compare_figure(&s, "variation", variation, rounding(m) * fabs(variation));
  compare_counts(&s);
  compare_residual(&s);
  compare_distance(&s);
  compare_contraction(&s);
  compare_refinements(&s);
  check_levels(&s, &record->checks[REFINEMENT]);
  return THUD_OK;
}

/* ---- reading ------------------------------------------------------------------------------------------------ */

static thud_error read_frames(verify_motion *m, thud_record_reader *reader, thud_verify_check *structure) {
  thud_record_info info = thud_record_reader_info(reader);
  m->n = m->scene->n;
  m->count = info.rows[THUD_RECORD_FRAMES];
  m->complete = m->scene->record_every == 0;
  const verify_channel channels[] = {{"time", 1, &m->t},           {"side", 1, &m->side},
                                     {"state", m->n, &m->state},   {"reaction", m->n, &m->reaction},
                                     {"atom", 1, &m->atom},        {"variation", 1, &m->variation},
                                     {"residual", 1, &m->residual}};
  thud_error error = thud_verify_read_channels(m->context, reader, THUD_RECORD_FRAMES,
                                               sizeof channels / sizeof *channels, channels, structure);
  if (error != THUD_OK) return error;
  thud_verify_check_components(reader, THUD_RECORD_FRAMES, "state", m->n, m->scene->names, structure);
  thud_verify_check_made_by(&info, "sweeping", m->scene->method, structure);
  if (m->count == 0) thud_verify_fail(structure, NAN, SIZE_MAX, "the record has no frames");
  return THUD_OK;
}

static bool frames_usable(const verify_motion *m) {
  return m->count > 0 && m->t != NULL && m->side != NULL && m->state != NULL && m->reaction != NULL &&
         m->atom != NULL && m->variation != NULL && m->residual != NULL;
}

/* ---- the checks in their order ----------------------------------------------------------------------------------- */

/* A step of catching-up is right when its state is a member, its reaction is normal, and the two belong together. */
static void conclude_step(thud_verify_check *checks) {
  const int parts[] = {MEMBERSHIP, LAW, REACTION};
  for (int k = 0; k < 3; k++) {
    thud_verify_status status = checks[parts[k]].status;
    if (status == THUD_VERIFY_FAILED) {
      thud_verify_fail(&checks[STEP], checks[parts[k]].t,
                       checks[parts[k]].frame < 0 ? SIZE_MAX : (size_t)checks[parts[k]].frame,
                       "not a projection: see %s", checks[parts[k]].name);
      return;
    }
    if (status != THUD_VERIFY_PASSED) {
      thud_verify_skip(&checks[STEP], status, "follows from membership, law and reaction: see %s",
                       checks[parts[k]].name);
      return;
    }
  }
  thud_verify_explain(&checks[STEP], "u_k = proj(C, u_(k-1)) follows from membership, law and reaction");
}

static thud_error check_motion(verify_motion *m, verify_record *record) {
  thud_record_reader *reader = record->reader;
  thud_verify_check *checks = record->checks;
  bool good = thud_verify_ran_to_end(&record->info), compared = false;
  thud_verify_check_frames(m, good, &checks[STRUCTURE]);
  check_initial(m, &checks[INITIAL]);
  thud_verify_check_jumps(m, &checks[JUMPS]);
  check_reaction(m, &checks[REACTION]);
  check_variation(m, &checks[VARIATION]);
  thud_error error = check_sweep_events(m, reader, &checks[EVENTS]);
  if (error == THUD_OK) error = thud_verify_check_summary(record, m, &compared);
  if (!compared) thud_verify_skip(&checks[REFINEMENT], THUD_VERIFY_NOT_APPLICABLE, "no summary");
  if (error == THUD_OK) error = thud_verify_check_retraction(m, reader, &checks[RETRACTION]);
  if (error != THUD_OK) return error;
  if (m->scene->regularised) {
    thud_verify_skip(&checks[RESIDUAL], THUD_VERIFY_NOT_APPLICABLE,
                     "a regularised motion records its penetration: see step");
    return check_regularised(m, &checks[MEMBERSHIP], &checks[LAW], &checks[STEP]);
  }
  error = check_catching_up(m, &checks[MEMBERSHIP], &checks[LAW], &checks[RESIDUAL]);
  if (error == THUD_OK) conclude_step(checks);
  return error;
}

static thud_error read_scene(const verify_record *record, void *scene) {
  return thud_verify_scene_create(record->context, record->tree, scene);
}

static thud_error check(verify_record *record, void *scene) {
  verify_motion motion = {.context = record->context, .scene = *(verify_scene **)scene, .claimed_gap = NAN};
  thud_error error = read_frames(&motion, record->reader, &record->checks[STRUCTURE]);
  record->unusable = !frames_usable(&motion);
  if (error == THUD_OK && !record->unusable) {
    error = thud_verify_motion_prepare(&motion, record->options->tolerance);
    if (error == THUD_OK) error = check_motion(&motion, record);
  }
  thud_verify_motion_free(&motion);
  return error;
}

static void release_scene(void *scene) { thud_verify_scene_destroy(*(verify_scene **)scene); }

static const char *const names_of_checks[] = {
    [STRUCTURE] = "structure",   [INITIAL] = "initial",   [MEMBERSHIP] = "membership", [LAW] = "law",
    [REACTION] = "reaction",     [STEP] = "step",         [VARIATION] = "variation",   [JUMPS] = "jumps",
    [RESIDUAL] = "residual",     [EVENTS] = "events",     [SUMMARY] = "summary",       [RETRACTION] = "retraction",
    [REFINEMENT] = "refinement", [FINISHED] = "finished", [FINISHED + 1] = NULL};

/* Defaults of its scenes: written after docs/scene-format.md, not after the tables of src. */
static const verify_default defaults[] = {
    {"/sweeping/metric", "euclidean", "*", NULL},       {"/sweeping/set/**/polyhedron/equalities", "0", "*", NULL},
    {"/sweeping/set/**/dimension", NULL, NULL, NULL},   {"/simulate/tolerance", "1e-9", "*", NULL},
    {"/simulate/lambda", "1e-3", "regularised", NULL},  {"/simulate/refinements", "1", NULL, NULL},
    {"/simulate/method", "catching-up", "*", NULL},     {"/simulate/classify", "0", NULL, NULL},
    {"/simulate/max_iterations", "100000", NULL, NULL}, {NULL, NULL, NULL, NULL}};

const verify_record_kind thud_verify_sweeping_kind = {.name = "sweeping",
                                                      .checks = names_of_checks,
                                                      .defaults = {defaults},
                                                      .goes_on = true,
                                                      .size = sizeof(verify_scene *),
                                                      .read = read_scene,
                                                      .check = check,
                                                      .release = release_scene,
                                                      .compare = compare_summary,
                                                      .trajectory = thud_verify_sweeping_trajectory};
