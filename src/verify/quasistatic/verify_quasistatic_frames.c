/* Frames of a quasi-static motion: times and ways, loads, equilibrium, gaps. */
#include "verify/quasistatic/verify_quasistatic.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* What is left by contact problems that are solved to 1e-10. */
static const double DEFAULT_TOLERANCE = 1e-8;
/* A given initial state may miss equilibrium by so much, relative; it is not corrected. */
static const double INITIAL_TOLERANCE = 1e-7;
/* Loads at one time that differ by less than this part of the largest load so far are one load. A factor of 2 on both sides
 * is left to the rounding of the expressions: there a motion may take them for one or for two. */
static const double SAME_LOAD = 1e-10;

thud_error thud_verify_quasi_prepare(verify_quasi_motion *m, double tolerance) {
  const verify_quasi *q = m->quasi;
  size_t loads, displacements;
  if (!thud_size_multiply(m->count, q->n, &loads) || !thud_size_multiply(m->count, q->m, &displacements))
    return THUD_ERROR_OVERFLOW;
  m->tolerance = tolerance > 0 ? tolerance : fmax(DEFAULT_TOLERANCE, 100 * q->scene.tolerance);
  m->F = THUD_NEW_ARRAY(m->context, double, loads);
  m->u = THUD_NEW_ARRAY(m->context, double, displacements);
  m->way = THUD_NEW_ARRAY(m->context, verify_quasi_way, m->count);
  m->u_start = THUD_NEW_ARRAY(m->context, double, q->m);
  m->work = THUD_NEW_ARRAY(m->context, double, 4 * q->n);
  if (m->F == NULL || m->u == NULL || m->way == NULL || m->u_start == NULL || m->work == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < m->count; k++)
    for (size_t i = 0; i < q->m; i++) m->u[k * q->m + i] = thud_verify_row_dot(&q->H, i, verify_quasi_U(m, k));
  for (size_t i = 0; i < q->m && q->has_initial; i++) m->u_start[i] = thud_verify_row_dot(&q->H, i, q->scene.initial);
  return THUD_OK;
}

void thud_verify_quasi_motion_free(verify_quasi_motion *m) {
  void *arrays[] = {m->t, m->side, m->U,   m->load,    m->r,    m->gap,     m->mode,     m->ledger,   m->residual,
                    m->F, m->u,    m->way, m->u_start, m->work, m->release, m->friction, m->solutions};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(m->context, arrays[k]);
  thud_verify_events_free(m->context, &m->events);
}

size_t thud_verify_quasi_first_event(const verify_quasi_motion *m, size_t k) {
  return thud_verify_times_before(m->events.frame, m->events.count, (double)k);
}

/* ---- times and ways ------------------------------------------------------------------------------------------------ */

static bool all_finite(size_t n, const double *x) {
  for (size_t i = 0; i < n; i++)
    if (!isfinite(x[i])) return false;
  return true;
}

static void check_numbers(const verify_quasi_motion *m, size_t k, thud_verify_check *check) {
  const verify_quasi *q = m->quasi;
  bool finite = isfinite(m->t[k]) && all_finite(q->n, verify_quasi_U(m, k)) && all_finite(q->m, verify_quasi_r(m, k));
  if (m->ledger != NULL)
    finite = finite && all_finite(q->c, m->gap + k * q->c) && isfinite(m->residual[k]) &&
             all_finite(VERIFY_QUASI_LEDGER, m->ledger + k * VERIFY_QUASI_LEDGER);
  if (!finite) thud_verify_fail(check, m->t[k], k, "a number of this frame is NaN or infinite");
  for (size_t i = 0; m->mode != NULL && i < q->c; i++)
    if (!(m->mode[k * q->c + i] >= 0 && m->mode[k * q->c + i] < (q->d == 1 ? VERIFY_MODE_SLIP : VERIFY_MODE_COUNT)))
      thud_verify_fail(check, m->t[k], k, "contact '%s' is in no mode that has a name", q->contacts[i]);
  if (!(m->side[k] == -1 || m->side[k] == 0 || m->side[k] == 1))
    thud_verify_fail(check, m->t[k], k, "the side is %g; -1, 0 and 1 have a meaning", m->side[k]);
  if (!(m->t[k] >= q->scene.start && m->t[k] <= q->scene.end))
    thud_verify_fail(check, m->t[k], k, "this time lies outside the run, from %.10g to %.10g", q->scene.start,
                     q->scene.end);
}

/* Events that a frame shows and that lie between it and the frame before: steps in between were left out. */
static bool has_event_between(const verify_quasi_motion *m, size_t k) {
  size_t end = thud_verify_quasi_first_event(m, k + 1);
  for (size_t e = thud_verify_quasi_first_event(m, k); e < end; e++)
    if (m->events.t[e] > m->t[k - 1] && m->events.t[e] < m->t[k]) return true;
  return false;
}

static verify_quasi_way jump_of(const verify_quasi_motion *m, size_t k) {
  size_t end = thud_verify_quasi_first_event(m, k + 1);
  for (size_t e = thud_verify_quasi_first_event(m, k); e < end; e++) {
    if (m->events.kind[e] == VERIFY_QUASI_JUMP) return VERIFY_WAY_JUMP;
    if (m->events.kind[e] == VERIFY_QUASI_LOAD) return VERIFY_WAY_LOAD;
  }
  return m->ledger == NULL ? VERIFY_WAY_LOAD : VERIFY_WAY_START;
}

static verify_quasi_way way_to(const verify_quasi_motion *m, size_t k, thud_verify_check *check) {
  const verify_quasi *q = m->quasi;
  double elapsed = m->t[k] - m->t[k - 1];
  size_t node, next;
  if (m->side[k] > 0) {
    verify_quasi_way way = jump_of(m, k);
    if (elapsed != 0 || m->side[k - 1] >= 0) thud_verify_fail(check, m->t[k], k, "a right limit stands alone");
    if (way == VERIFY_WAY_START) thud_verify_fail(check, m->t[k], k, "the state jumps without an event");
    return way;
  }
  if (!(elapsed >= 0)) thud_verify_fail(check, m->t[k], k, "time runs backwards from %.10g", m->t[k - 1]);
  if (m->side[k - 1] < 0) thud_verify_fail(check, m->t[k], k, "a left limit stands before no right one");
  if (elapsed == 0 && m->side[k] < 0) return VERIFY_WAY_SAME;
  if (elapsed == 0 && q->method != VERIFY_QUASI_EVENTS)
    thud_verify_fail(check, m->t[k], k, "two frames at one time without sides");
  bool at_node = thud_verify_quasi_node(q, m->t[k], &node);
  /* increments divide steps that one of them would be wrong about; each part obeys the laws of an increment */
  if (!at_node && m->side[k] == 0 && q->method != VERIFY_QUASI_EVENTS && q->method != VERIFY_QUASI_INCREMENTS)
    thud_verify_fail(check, m->t[k], k, "this time is no node of the run");
  next = thud_verify_quasi_node(q, m->t[k - 1], &next) ? next + 1 : next;
  bool step = node <= next && (m->complete || !has_event_between(m, k));
  if (!step && m->complete) thud_verify_fail(check, m->t[k], k, "frames are missing before this one");
  return step ? VERIFY_WAY_STEP : VERIFY_WAY_FAR;
}

void thud_verify_quasi_structure(verify_quasi_motion *m, bool finished, thud_verify_check *check) {
  const verify_scene *scene = &m->quasi->scene;
  size_t steps = 0, last = m->count - 1;
  for (size_t k = 0; k < m->count; k++) {
    check_numbers(m, k, check);
    m->way[k] = k > 0 ? way_to(m, k, check) : VERIFY_WAY_START;
    steps += m->way[k] == VERIFY_WAY_STEP;
  }
  if (m->t[0] != scene->start || m->side[0] != 0)
    thud_verify_fail(check, m->t[0], 0, "the first frame is not the start");
  if (finished && (m->t[last] != scene->end || m->side[last] < 0))
    thud_verify_fail(check, m->t[last], last, "the last frame is not the end, t = %.10g", scene->end);
  if (check->status == THUD_VERIFY_PASSED)
    thud_verify_explain(check, "%zu frames, %zu of them with the frame one step before", m->count, steps);
}

const double *thud_verify_quasi_before(const verify_quasi_motion *m, size_t k) {
  if (m->quasi->method == VERIFY_QUASI_STATIC && k > 0 && m->ledger != NULL) return m->u_start;
  switch (m->way[k]) {
  case VERIFY_WAY_START: return m->quasi->has_initial ? NULL : m->u_start;
  case VERIFY_WAY_STEP:
  case VERIFY_WAY_JUMP:
  case VERIFY_WAY_LOAD: return verify_quasi_u(m, k - 1);
  case VERIFY_WAY_SAME:
  case VERIFY_WAY_FAR: break;
  }
  return NULL;
}

/* ---- loads ----------------------------------------------------------------------------------------------------------- */

bool thud_verify_quasi_same_load(const verify_quasi *q, double t, const double *a, const double *b, double factor) {
  size_t k = thud_verify_times_before(q->nodes, q->node_count, t);
  double size = q->largest[k < q->node_count && q->nodes[k] <= t ? k : k > 0 ? k - 1 : 0];
  for (size_t i = 0; i < q->n; i++)
    if (!(fabs(a[i] - b[i]) <= factor * SAME_LOAD * size)) return false;
  return true;
}

/* The load with which the way behind a node begins: that of the last frame there, which has come to the right limit unless
 * both are the same; without such a frame the right limit. */
static void load_behind(const verify_quasi_motion *m, size_t k, size_t node, double *F) {
  size_t at, before = k;
  while (before > 0 && m->t[before - 1] > m->quasi->nodes[node]) before--;
  if (before > 0 && thud_verify_quasi_node(m->quasi, m->t[before - 1], &at) && at == node)
    memcpy(F, verify_quasi_F(m, before - 1), m->quasi->n * sizeof *F);
  else
    thud_verify_quasi_load(m->quasi, m->quasi->nodes[node], THUD_SIDE_RIGHT, F);
}

/* At a node the left limit; between nodes the load of records is linear. */
static void place_load(const verify_quasi_motion *m, size_t k, double *F) {
  const verify_quasi *q = m->quasi;
  size_t node;
  double t = m->t[k], *end = m->work;
  bool at_node = thud_verify_quasi_node(q, t, &node);
  if (m->ledger == NULL || node >= q->node_count ||
      (at_node && fabs(q->nodes[node] - t) <= 4 * DBL_EPSILON * fabs(t)) || (node == 0 && t <= q->nodes[0])) {
    thud_verify_quasi_load(q, t, k > 0 ? THUD_SIDE_LEFT : THUD_SIDE_VALUE, F);
    return;
  }
  if (t > q->nodes[node]) node++; /* a change just behind it */
  if (node >= q->node_count) node = q->node_count - 1;
  double from = q->nodes[node - 1], to = q->nodes[node], part = (t - from) / (to - from);
  load_behind(m, k, node - 1, F);
  thud_verify_quasi_load(q, to, THUD_SIDE_LEFT, end);
  for (size_t i = 0; i < q->n; i++) F[i] += part * (end[i] - F[i]);
}

/* Left limit, value, right limit: the next one that differs from the load before. */
static bool next_load(const verify_quasi_motion *m, size_t k, thud_side *side, double *F) {
  const double *before = verify_quasi_F(m, k - 1);
  while (*side < THUD_SIDE_RIGHT) {
    *side = (thud_side)(*side + 1);
    thud_verify_quasi_load(m->quasi, m->t[k], *side, F);
    if (!thud_verify_quasi_same_load(m->quasi, m->t[k], before, F, 0.5)) return true;
  }
  return false;
}

/* Before a way leads on, the load has come to its right limit. */
static void check_left_behind(const verify_quasi_motion *m, size_t k, thud_verify_check *jumps) {
  double *right = m->work;
  if (!thud_verify_scene_jumps_at(&m->quasi->scene, m->t[k - 1]) || m->t[k] == m->t[k - 1]) return;
  thud_verify_quasi_load(m->quasi, m->t[k - 1], THUD_SIDE_RIGHT, right);
  if (!thud_verify_quasi_same_load(m->quasi, m->t[k - 1], verify_quasi_F(m, k - 1), right, 2))
    thud_verify_fail(jumps, m->t[k - 1], k - 1, "the load jumps here, and the motion goes on without");
}

void thud_verify_quasi_loads(verify_quasi_motion *m, thud_verify_check *jumps) {
  size_t n = m->quasi->n;
  thud_side side = THUD_SIDE_VALUE;
  for (size_t k = 0; k < m->count; k++) {
    double *F = m->F + k * n;
    switch (m->way[k]) {
    case VERIFY_WAY_START:
    case VERIFY_WAY_STEP:
    case VERIFY_WAY_FAR:
      if (k > 0) check_left_behind(m, k, jumps);
      place_load(m, k, F);
      side = k > 0 ? THUD_SIDE_LEFT : THUD_SIDE_VALUE;
      break;
    case VERIFY_WAY_SAME:
    case VERIFY_WAY_JUMP: memcpy(F, F - n, n * sizeof *F); break;
    case VERIFY_WAY_LOAD:
      if (!next_load(m, k, &side, F)) {
        memcpy(F, F - n, n * sizeof *F);
        thud_verify_fail(jumps, m->t[k], k, "the load does not jump here");
      }
      break;
    }
    if (!all_finite(n, F)) thud_verify_fail(jumps, m->t[k], k, "the load is not finite at this time");
  }
  thud_verify_quasi_sizes(m);
}

/* Forces of unknowns count by what they are at contacts: in units of energy both are the same. */
void thud_verify_quasi_sizes(verify_quasi_motion *m) {
  const verify_quasi *q = m->quasi;
  for (size_t k = 0; k < m->count; k++) {
    for (size_t i = 0; i < q->n; i++) {
      m->size_U = fmax(m->size_U, fabs(verify_quasi_U(m, k)[i]) / q->unit[i]);
      m->size_r = fmax(m->size_r, fabs(verify_quasi_F(m, k)[i]) * q->unit[i] / q->contact_unit);
    }
    for (size_t i = 0; i < q->m; i++) {
      m->size_u = fmax(m->size_u, thud_verify_row_size(&q->H, i, verify_quasi_U(m, k)));
      m->size_r = fmax(m->size_r, fabs(verify_quasi_r(m, k)[i]));
    }
  }
  for (size_t i = 0; i < q->c; i++) m->size_u = fmax(m->size_u, fabs(q->gap[i]));
  /* Of displacements that vanish rounding is left: that of what the forces would do. */
  m->size_u = fmax(m->size_u, m->size_r * q->contact_unit * q->contact_unit);
  m->size_U = fmax(m->size_U, m->size_u / q->contact_unit);
  if (!(m->size_u > 0)) m->size_u = 1;
  if (!(m->size_U > 0)) m->size_U = 1;
  if (!(m->size_r > 0)) m->size_r = 1;
}

/* Between nodes the load is interpolated at a time that is rounded: by DBL_EPSILON t, of a step. */
void thud_verify_quasi_claimed_loads(const verify_quasi_motion *m, thud_verify_check *check) {
  const verify_quasi *q = m->quasi;
  double step = (q->scene.end - q->scene.start) / q->scene.steps;
  for (size_t k = 0; k < m->count; k++) {
    double part = 64 * DBL_EPSILON * (1 + (fabs(m->t[k]) + fabs(q->scene.start)) / step);
    for (size_t i = 0; i < q->n; i++) {
      double claimed = m->load[k * q->n + i], own = verify_quasi_F(m, k)[i];
      double size = m->size_r * q->contact_unit / q->unit[i];
      if (thud_verify_tally(check, fabs(claimed - own), part * size, 0, m->t[k], k))
        thud_verify_explain(check, "the load of '%s' is %.15g, not %.15g", q->scene.names[i], own, claimed);
    }
  }
}

/* ---- values ------------------------------------------------------------------------------------------------------------ */

void thud_verify_quasi_initial(const verify_quasi_motion *m, thud_verify_check *check) {
  const verify_quasi *q = m->quasi;
  if (!q->has_initial) {
    thud_verify_explain(check, "the increment from 0 under the first load: see equilibrium and friction");
    return;
  }
  for (size_t i = 0; i < q->n; i++)
    if (thud_verify_tally(check, fabs(m->U[i] - q->scene.initial[i]),
                          m->ledger != NULL ? 0 : m->tolerance * m->size_U * q->unit[i], 0, m->t[0], 0))
      thud_verify_explain(check, "'%s'", q->scene.names[i]);
}

/* Frame j lies at a node other than that of frame k. */
static bool at_other_node(const verify_quasi_motion *m, size_t j, size_t k) {
  size_t node, own;
  bool at_own = thud_verify_quasi_node(m->quasi, m->t[k], &own);
  return thud_verify_quasi_node(m->quasi, m->t[j], &node) && !(at_own && node == own);
}

/* Rounding of the load at frame k, in units of u. Inside a step the load is interpolated between those of its ends at a
 * rounded time; the terms of both may cancel and leave their rounding. */
static double load_rounding(const verify_quasi_motion *m, size_t k) {
  const verify_quasi *q = m->quasi;
  size_t first = k, last = k;
  while (first > 0 && !at_other_node(m, first, k)) first--;
  while (last + 1 < m->count && !at_other_node(m, last, k)) last++;
  double size = 0;
  for (size_t j = first; j <= last; j++)
    for (size_t i = 0; i < q->n; i++) size = fmax(size, q->unit[i] * fabs(verify_quasi_F(m, j)[i]));
  return 4 * DBL_EPSILON * size;
}

/* K U - F - H r, relative to the largest terms of the frame: rounding of U, condition included. Where K is semidefinite
 * U comes from an iteration, which the tolerance of the scene ends. */
void thud_verify_quasi_equilibrium(const verify_quasi_motion *m, thud_verify_check *check) {
  const verify_quasi *q = m->quasi;
  double part = q->rounding;
  if (!q->definite && q->method != VERIFY_QUASI_EVENTS) part += 100 * q->scene.tolerance;
  if (m->ledger == NULL) part = fmax(part, m->tolerance);
  for (size_t k = 0; k < m->count; k++) {
    const double *U = verify_quasi_U(m, k), *F = verify_quasi_F(m, k), *r = verify_quasi_r(m, k);
    double size = DBL_MIN;
    for (size_t i = 0; i < q->n; i++)
      size = fmax(size, q->unit[i] * (thud_verify_row_size(&q->K, i, U) + fabs(F[i]) +
                                      thud_verify_row_size(&q->H_columns, i, r)));
    if (m->ledger == NULL) size = fmax(size, m->size_r * q->contact_unit); /* decimal numbers from elsewhere */
    double tolerance = (k == 0 && q->has_initial ? fmax(part, INITIAL_TOLERANCE) : part) * size + load_rounding(m, k);
    for (size_t i = 0; i < q->n; i++) {
      double left = thud_verify_row_dot(&q->K, i, U) - F[i] - thud_verify_row_dot(&q->H_columns, i, r);
      if (thud_verify_tally(check, fabs(left), tolerance / q->unit[i], 0, m->t[k], k))
        thud_verify_explain(check, "at '%s'", q->scene.names[i]);
    }
  }
}

void thud_verify_quasi_gaps(const verify_quasi_motion *m, thud_verify_check *check) {
  const verify_quasi *q = m->quasi;
  double part = q->rounding + (q->definite || q->method == VERIFY_QUASI_EVENTS ? 0 : 100 * q->scene.tolerance);
  for (size_t k = 0; k < m->count; k++)
    for (size_t i = 0; i < q->c; i++) {
      double gap = q->gap[i] + verify_quasi_u(m, k)[i * q->d];
      if (thud_verify_tally(check, fabs(gap - m->gap[k * q->c + i]), part * m->size_u, 0, m->t[k], k))
        thud_verify_explain(check, "at '%s'", q->contacts[i]);
    }
}
