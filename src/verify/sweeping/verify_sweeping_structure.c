/* Times, sides, numbers, the start, and where impulses may be. */
#include "verify/sweeping/verify_sweeping_checks.h"
#include "verify/math/verify_dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Two frames may be one step apart, or one recording interval and one step, but for the rounding of their times. */
static const double STEP_ROUNDING = 1e-9;

static bool row_finite(size_t n, const double *x) {
  for (size_t i = 0; i < n; i++)
    if (!isfinite(x[i])) return false;
  return true;
}

static void check_numbers(const verify_motion *m, size_t k, thud_verify_check *check) {
  bool finite = isfinite(m->t[k]) && row_finite(m->n, verify_state(m, k));
  if (m->reaction != NULL)
    finite =
        finite && row_finite(m->n, m->reaction + k * m->n) && isfinite(m->variation[k]) && isfinite(m->residual[k]);
  if (!finite) thud_verify_fail(check, m->t[k], k, "a number of this frame is NaN or infinite");
  if (!(m->side[k] == -1 || m->side[k] == 0 || m->side[k] == 1))
    thud_verify_fail(check, m->t[k], k, "the side is %g; -1, 0 and 1 have a meaning", m->side[k]);
  if (m->atom != NULL && !(m->atom[k] == 0 || m->atom[k] == 1))
    thud_verify_fail(check, m->t[k], k, "the atom mark is %g; 0 and 1 have a meaning", m->atom[k]);
  if (!(m->t[k] >= m->scene->start && m->t[k] <= m->scene->end))
    thud_verify_fail(check, m->t[k], k, "this time lies outside the run, from %.10g to %.10g", m->scene->start,
                     m->scene->end);
}

static void check_order(const verify_motion *m, size_t k, double longest, thud_verify_check *check) {
  double elapsed = m->t[k] - m->t[k - 1];
  if (!(elapsed >= 0))
    thud_verify_fail(check, m->t[k], k, "time runs backwards, from %.10g to %.10g", m->t[k - 1], m->t[k]);
  else if (elapsed == 0 && !(m->side[k] > m->side[k - 1]))
    thud_verify_fail(check, m->t[k], k, "two frames at one time are not in the order left, value, right");
  else if (elapsed > longest * (1 + STEP_ROUNDING) + 8 * DBL_EPSILON * fabs(m->t[k]))
    thud_verify_fail(check, m->t[k], k, "frames are missing: %.6g after the frame before, the scene records every %.6g",
                     elapsed, longest);
}

/* Only the rows of a jump, which share their time, have sides: the left limit stands before another row, the right one
 * after. A record that was interrupted may end between them. */
static void check_side(const verify_motion *m, size_t k, bool finished, thud_verify_check *check) {
  bool before = k + 1 < m->count ? m->t[k + 1] == m->t[k] : !finished, after = k > 0 && m->t[k - 1] == m->t[k];
  if ((m->side[k] < 0 && !before) || (m->side[k] > 0 && !after))
    thud_verify_fail(check, m->t[k], k, "a %s limit stands alone", m->side[k] < 0 ? "left" : "right");
}

void thud_verify_check_frames(const verify_motion *m, bool finished, thud_verify_check *check) {
  const verify_scene *scene = m->scene;
  double longest = m->reaction == NULL ? INFINITY : (scene->end - scene->start) / scene->steps + scene->record_every;
  for (size_t k = 0; k < m->count; k++) {
    check_numbers(m, k, check);
    if (k > 0) check_order(m, k, longest, check);
    if (m->reaction != NULL) check_side(m, k, finished, check);
  }
  if (m->t[0] != scene->start)
    thud_verify_fail(check, m->t[0], 0, "the first frame is at t = %.10g, the run starts at %.10g", m->t[0],
                     scene->start);
  if (finished && m->t[m->count - 1] != scene->end)
    thud_verify_fail(check, m->t[m->count - 1], m->count - 1, "the last frame is at t = %.10g, the run ends at %.10g",
                     m->t[m->count - 1], scene->end);
  if (check->status == THUD_VERIFY_PASSED) thud_verify_explain(check, "%zu frames", m->count);
}

/* The first frame carries the initial state, unless it is an admissible trajectory's first row after the projection. */
void thud_verify_check_initial(verify_motion *m, thud_verify_check *check) {
  thud_verify_tally(check, thud_verify_distance(m->n, verify_state(m, 0), m->scene->initial), DBL_EPSILON * m->scale, 0,
                    m->t[0], 0);
  if (check->status == THUD_VERIFY_FAILED) thud_verify_explain(check, "the motion does not start at the initial state");
}

/* ---- jumps ------------------------------------------------------------------------------------------------------ */

/* Frames at the start, before time has passed, may carry the projection of the initial state. */
static bool at_start(const verify_motion *m, size_t k) { return m->t[k] == m->scene->start && m->side[k] <= 0; }

static void check_jump_frame(const verify_motion *m, size_t k, thud_verify_check *check) {
  bool declared = thud_verify_scene_jumps_at(m->scene, m->t[k]);
  double moved = thud_verify_distance(m->n, verify_state(m, k), verify_state_before(m, k));
  bool same_time = k > 0 && m->t[k] == m->t[k - 1], atom = m->atom != NULL && m->atom[k] != 0;
  if (m->scene->regularised && m->atom != NULL) {
    if (atom || same_time) thud_verify_fail(check, m->t[k], k, "a regularised motion has no jumps");
    return;
  }
  if ((atom || same_time) && !declared && !at_start(m, k))
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
