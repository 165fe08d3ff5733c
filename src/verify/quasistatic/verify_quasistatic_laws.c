/* Laws of a quasi-static motion: times and ways, loads, equilibrium, gaps; Signorini's and Coulomb's laws; the ledger. */
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

static void check_numbers(const verify_quasi_motion *m, size_t k, thud_verify_check *check) {
  const verify_quasi *q = m->quasi;
  bool finite = isfinite(m->t[k]) && thud_verify_all_finite(q->n, verify_quasi_U(m, k)) &&
                thud_verify_all_finite(q->m, verify_quasi_r(m, k));
  if (m->ledger != NULL)
    finite = finite && thud_verify_all_finite(q->c, m->gap + k * q->c) && isfinite(m->residual[k]) &&
             thud_verify_all_finite(VERIFY_QUASI_LEDGER, m->ledger + k * VERIFY_QUASI_LEDGER);
  if (!finite) thud_verify_fail(check, m->t[k], k, "a number of this frame is NaN or infinite");
  for (size_t i = 0; m->mode != NULL && i < q->c; i++)
    if (!(m->mode[k * q->c + i] >= 0 && m->mode[k * q->c + i] < (q->d == 1 ? VERIFY_MODE_SLIP : VERIFY_MODE_COUNT)))
      thud_verify_fail(check, m->t[k], k, "contact '%s' is in no mode that has a name", q->contacts[i]);
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
  const verify_times times = {.scene = scene, .order = VERIFY_TIMES_REPEAT, .longest = INFINITY};
  size_t steps = 0, last = m->count - 1;
  for (size_t k = 0; k < m->count; k++) {
    check_numbers(m, k, check);
    m->way[k] = k > 0 ? way_to(m, k, check) : VERIFY_WAY_START;
    steps += m->way[k] == VERIFY_WAY_STEP;
  }
  thud_verify_check_times(&times, m->count, m->t, m->side, finished, check);
  if (m->side[0] != 0) thud_verify_fail(check, m->t[0], 0, "the first row is not the start");
  if (finished && m->side[last] < 0)
    thud_verify_fail(check, m->t[last], last, "the last row is the left limit at the end, t = %.10g", scene->end);
  if (check->status == THUD_VERIFY_PASSED)
    thud_verify_explain(check, "%zu frames, %zu of them with the frame one step before", m->count, steps);
}

/* Contact displacements that the friction of frame k counts from; NULL: of no way. */
static const double *quasi_before(const verify_quasi_motion *m, size_t k) {
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
    if (!thud_verify_all_finite(n, F)) thud_verify_fail(jumps, m->t[k], k, "the load is not finite at this time");
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

/* ---- Signorini's and Coulomb's laws of a quasi-static motion, and the modes that its frames claim ---------------- */

static double length(size_t d, const double *x) { return d == 1 ? 0 : d == 2 ? fabs(x[1]) : hypot(x[1], x[2]); }

/* ---- the normal law and the cone ------------------------------------------------------------------------------------ */

/* Forces in units of the largest one, displacements likewise: 0 <= gap perp r_N >= 0 and |r_T| <= bound. */
static void check_contact(const verify_quasi_motion *m, size_t k, size_t i, thud_verify_check *check) {
  const verify_quasi *q = m->quasi;
  const double *r = verify_quasi_r(m, k) + i * q->d;
  double gap = (q->gap[i] + verify_quasi_u(m, k)[i * q->d]) / m->size_u, press = r[0] / m->size_r;
  if (thud_verify_tally(check, fabs(fmin(gap, press)), m->tolerance, 0, m->t[k], k))
    thud_verify_explain(check, "at '%s': gap %.3g, reaction %.3g", q->contacts[i], gap * m->size_u, r[0]);
  double excess = length(q->d, r) - thud_verify_quasi_bound(q, i, m->t[k], r[0]);
  if (q->d > 1 && thud_verify_tally(check, fmax(0, excess / m->size_r), m->tolerance, 0, m->t[k], k))
    thud_verify_explain(check, "at '%s': friction %.6g, %.3g too much", q->contacts[i], length(q->d, r), excess);
}

/* On a piece the gap is closed while there is a reaction at the other end, too. */
static void check_piece(const verify_quasi_motion *m, size_t k, size_t i, thud_verify_check *check) {
  const verify_quasi *q = m->quasi;
  size_t N = i * q->d;
  for (size_t end = 0; end < 2; end++) {
    double gap = (q->gap[i] + verify_quasi_u(m, k - end)[N]) / m->size_u;
    double press = verify_quasi_r(m, k - 1 + end)[N] / m->size_r;
    if (thud_verify_tally(check, fmax(0, fmin(gap, press)), m->direction > 0 ? m->direction : m->tolerance, 0, m->t[k],
                          k))
      thud_verify_explain(check, "'%s' is open at one end of the way and presses at the other", q->contacts[i]);
  }
}

void thud_verify_quasi_law(const verify_quasi_motion *m, thud_verify_check *check) {
  for (size_t k = 0; k < m->count; k++)
    for (size_t i = 0; i < m->quasi->c; i++) {
      check_contact(m, k, i, check);
      if (m->pieces && m->way[k] == VERIFY_WAY_STEP) check_piece(m, k, i, check);
    }
}

/* ---- the direction of friction --------------------------------------------------------------------------------------- */

/* |r_T + bound du/|du||, which must vanish where there is a slip. A slip is known up to the tolerance: its direction up
 * to twice the tolerance divided by it. */
static void check_slip(const verify_quasi_motion *m, size_t k, size_t at, size_t i, const double *before,
                       thud_verify_check *check) {
  const verify_quasi *q = m->quasi;
  const double *u = verify_quasi_u(m, k) + i * q->d, *r = verify_quasi_r(m, at) + i * q->d;
  double du[3] = {0}, off[3] = {0}, blur = m->tolerance * m->size_u;
  for (size_t j = 1; j < q->d; j++) du[j] = u[j] - before[i * q->d + j];
  double slip = length(q->d, du), bound = thud_verify_quasi_bound(q, i, m->t[at], r[0]);
  if (slip <= blur) return;
  for (size_t j = 1; j < q->d; j++) off[j] = r[j] + bound * du[j] / slip;
  bool between = m->direction > 0 && m->way[k] == VERIFY_WAY_STEP;
  double tolerance = (between ? m->direction : m->tolerance) * m->size_r + (q->d == 3 ? 2 * bound * blur / slip : 0);
  if (thud_verify_tally(check, length(q->d, off), tolerance, 0, m->t[at], k))
    thud_verify_explain(check, "'%s' slips by %.3g, its friction is off by this", q->contacts[i], slip);
}

/* The reaction of frame `at` lets the contact slip by du[d]: it is at its bound, and does not push on. */
static bool may_slip(const verify_quasi_motion *m, size_t at, size_t i, const double *du) {
  const verify_quasi *q = m->quasi;
  const double *r = verify_quasi_r(m, at) + i * q->d;
  double margin = (m->direction > 0 ? m->direction : m->tolerance) * m->size_r, power = 0;
  for (size_t j = 1; j < q->d; j++) power += r[j] * du[j];
  return length(q->d, r) >= thud_verify_quasi_bound(q, i, m->t[at], r[0]) - margin &&
         power <= margin * length(q->d, du);
}

/* Slips too short to have a direction add up: from where a contact began to stick it does not move. What contact problems
 * leave in every increment adds up likewise. */
static void check_creep(const verify_quasi_motion *m, size_t i, thud_verify_check *check) {
  const verify_quasi *q = m->quasi;
  size_t anchor = 0;
  for (size_t k = 1; k < m->count; k++) {
    double du[3] = {0}, crept[3] = {0};
    if (m->way[k] == VERIFY_WAY_SAME && anchor + 1 == k) anchor = k;
    if (m->way[k] == VERIFY_WAY_SAME) continue;
    for (size_t j = 1; j < q->d; j++) {
      du[j] = verify_quasi_u(m, k)[i * q->d + j] - verify_quasi_u(m, k - 1)[i * q->d + j];
      crept[j] = verify_quasi_u(m, k)[i * q->d + j] - verify_quasi_u(m, anchor)[i * q->d + j];
    }
    bool both = !m->pieces || may_slip(m, k - 1, i, du);
    if (m->way[k] != VERIFY_WAY_STEP || (may_slip(m, k, i, du) && both)) {
      anchor = k;
      continue;
    }
    double left = m->ledger != NULL ? 10 * q->scene.tolerance * (double)(k - anchor) : 0;
    double tolerance = fmax(2 * m->tolerance, left) * m->size_u, way = length(q->d, crept);
    if (thud_verify_tally(check, way, tolerance, 0, m->t[k], k))
      thud_verify_explain(check, "'%s' creeps by %.3g from t = %.10g on while it sticks", q->contacts[i], way,
                          m->t[anchor]);
  }
}

void thud_verify_quasi_friction(const verify_quasi_motion *m, thud_verify_check *check) {
  size_t ways = 0;
  if (m->quasi->d == 1) {
    thud_verify_skip(check, THUD_VERIFY_NOT_APPLICABLE, "the contacts have no friction");
    return;
  }
  for (size_t k = 0; k < m->count; k++) {
    const double *before = quasi_before(m, k);
    if (before == NULL) continue;
    ways++;
    for (size_t i = 0; i < m->quasi->c; i++) {
      check_slip(m, k, k, i, before, check);
      if (m->pieces && m->way[k] == VERIFY_WAY_STEP) check_slip(m, k, k - 1, i, before, check);
    }
  }
  for (size_t i = 0; i < m->quasi->c && m->quasi->method != VERIFY_QUASI_STATIC; i++) check_creep(m, i, check);
  if (check->status == THUD_VERIFY_PASSED)
    thud_verify_explain(check, "%zu ways of %zu frames%s", ways, m->count, m->pieces ? ", at both ends" : "");
}

/* ---- modes ------------------------------------------------------------------------------------------------------------- */

/* By how much the values at frame `at` are not those of the mode, relative; du: slip of the way to frame k. */
static double mode_defect(const verify_quasi_motion *m, size_t at, size_t i, int mode, double slip,
                          double signed_slip) {
  const verify_quasi *q = m->quasi;
  const double *r = verify_quasi_r(m, at) + i * q->d;
  double gap = fabs(q->gap[i] + verify_quasi_u(m, at)[i * q->d]) / m->size_u;
  double bound = thud_verify_quasi_bound(q, i, m->t[at], r[0]);
  switch (mode) {
  case VERIFY_MODE_OPEN:
    return q->method == VERIFY_QUASI_THRESHOLD ? fabs(r[0]) / m->size_r : fmax(fabs(r[0]), length(q->d, r)) / m->size_r;
  case VERIFY_MODE_STICK: return fmax(gap, slip / m->size_u);
  default: break;
  }
  if (q->d == 3) return fmax(gap, fabs(length(3, r) - bound) / m->size_r);
  double s = mode == VERIFY_MODE_SLIP ? 1 : -1;
  double wrong_way = q->mu[i] > 0 || q->method == VERIFY_QUASI_THRESHOLD ? fmax(0, s * signed_slip) / m->size_u : 0;
  return fmax(fmax(gap, wrong_way), fabs(r[1] - s * bound) / m->size_r);
}

static void check_mode(const verify_quasi_motion *m, size_t k, size_t at, size_t i, const double *before,
                       thud_verify_check *check) {
  static const char *const names[] = {"open", "stick", "slip+", "slip-"};
  const verify_quasi *q = m->quasi;
  double du[3] = {0};
  int mode = (int)m->mode[k * q->c + i];
  for (size_t j = 1; j < q->d && before != NULL; j++) du[j] = verify_quasi_u(m, k)[i * q->d + j] - before[i * q->d + j];
  double defect = mode_defect(m, at, i, mode, length(q->d, du), du[1]);
  if (thud_verify_tally(check, defect, m->tolerance, 0, m->t[at], k))
    thud_verify_explain(check, "'%s' as '%s'", q->contacts[i], names[mode]);
}

void thud_verify_quasi_modes(const verify_quasi_motion *m, thud_verify_check *check) {
  for (size_t k = 0; k < m->count; k++) {
    const double *before = quasi_before(m, k);
    for (size_t i = 0; i < m->quasi->c; i++) {
      check_mode(m, k, k, i, before, check);
      if (m->pieces && m->way[k] == VERIFY_WAY_STEP) check_mode(m, k, k - 1, i, before, check);
    }
  }
}

/* ---- the ledger of a quasi-static motion, and what its jumps release --------------------------------------------- */

/* The ledger of a quasi-static motion, and what its jumps release.
 *
 *   increments, jumps  stored = work - friction - quadratic + normal with the last load and reactions
 *   pieces             the same with mean values, which are exact there, and without quadratic */

enum { STORED, WORK, FRICTION, QUADRATIC, NORMAL, DEFECT };
static const char *const names[] = {"stored", "work", "friction", "quadratic", "normal", "defect"};

/* Entries of a way, and the sizes of their terms: what their rounding is relative to. */
typedef struct quasi_account {
  double entry[VERIFY_QUASI_LEDGER], size[VERIFY_QUASI_LEDGER];
} quasi_account;

typedef struct quasi_end {
  const double *U, *F, *u, *r;
} quasi_end;

static quasi_end end_of(const verify_quasi_motion *m, size_t k) {
  return (quasi_end){verify_quasi_U(m, k), verify_quasi_F(m, k), verify_quasi_u(m, k), verify_quasi_r(m, k)};
}

static quasi_account account_of(const verify_quasi_motion *m, quasi_end a, quasi_end b, bool mean) {
  const verify_quasi *q = m->quasi;
  quasi_account account = {0};
  double part = mean ? 0.5 : 1, *change = m->work, *sum = m->work + q->n;
  for (size_t i = 0; i < q->n; i++) change[i] = b.U[i] - a.U[i];
  for (size_t i = 0; i < q->n; i++) sum[i] = fabs(b.U[i]) + fabs(a.U[i]);
  for (size_t i = 0; i < q->n; i++) {
    double force = thud_verify_row_dot(&q->K, i, change), size = thud_verify_row_size(&q->K, i, sum);
    account.entry[STORED] += (b.U[i] + a.U[i]) / 2 * force;
    account.entry[QUADRATIC] += mean ? 0 : change[i] / 2 * force;
    account.entry[WORK] += (part * b.F[i] + (1 - part) * a.F[i]) * change[i];
    account.size[STORED] += sum[i] * size;
    account.size[WORK] += (fabs(b.F[i]) + fabs(a.F[i])) * sum[i];
  }
  for (size_t i = 0; i < q->m; i++) {
    double flow = (part * b.r[i] + (1 - part) * a.r[i]) * (b.u[i] - a.u[i]);
    int entry = i % q->d == 0 ? NORMAL : FRICTION;
    account.entry[entry] += entry == NORMAL ? flow : -flow;
    account.size[entry] += (fabs(b.r[i]) + fabs(a.r[i])) * m->size_u;
  }
  account.size[QUADRATIC] = account.size[STORED];
  return account;
}

/* ---- the ledger -------------------------------------------------------------------------------------------------------- */

static const double *ledger_at(const verify_quasi_motion *m, size_t k) { return m->ledger + k * VERIFY_QUASI_LEDGER; }

static void compare(const verify_quasi_motion *m, size_t k, int entry, double found, double expected, double tolerance,
                    thud_verify_check *check) {
  if (thud_verify_tally(check, fabs(found - expected), tolerance, 0, m->t[k], k))
    thud_verify_explain(check, "'%s'", names[entry]);
}

/* Rounding, and where u is not H'U to rounding what the contact problems leave. */
static double part_of(const verify_quasi_motion *m) {
  const verify_quasi *q = m->quasi;
  return q->rounding + (q->definite || q->method == VERIFY_QUASI_EVENTS ? 0 : 100 * q->scene.tolerance);
}

static void check_way(const verify_quasi_motion *m, size_t k, thud_verify_check *check) {
  const verify_quasi *q = m->quasi;
  bool fresh = q->method == VERIFY_QUASI_STATIC, mean = m->pieces && m->way[k] == VERIFY_WAY_STEP;
  static const double nothing[VERIFY_QUASI_LEDGER] = {0};
  const double *before = fresh ? nothing : ledger_at(m, k - 1), *after = ledger_at(m, k);
  quasi_end a = end_of(m, k - 1), b = end_of(m, k);
  if (fresh) a.U = q->scene.initial, a.u = m->u_start;
  quasi_account account = account_of(m, a, b, mean);
  for (int entry = STORED; entry < DEFECT; entry++)
    compare(m, k, entry, after[entry] - before[entry], account.entry[entry],
            part_of(m) * account.size[entry] + 8 * DBL_EPSILON * (fabs(after[entry]) + fabs(before[entry])), check);
}

/* Entries that are known whatever was left out: the stored energy, the defect of the balance, losses that grow. */
static void check_frame(const verify_quasi_motion *m, size_t k, double *sizes, thud_verify_check *check) {
  const double *ledger = ledger_at(m, k);
  double size = 0;
  for (int entry = STORED; entry < DEFECT; entry++) size += fabs(ledger[entry]);
  double defect = ledger[STORED] - ledger[WORK] + ledger[FRICTION] + ledger[QUADRATIC] - ledger[NORMAL];
  compare(m, k, DEFECT, ledger[DEFECT], defect, 8 * DBL_EPSILON * size, check);
  quasi_end a = end_of(m, 0), b = end_of(m, k);
  if (m->quasi->method == VERIFY_QUASI_STATIC && k > 0) a.U = m->quasi->scene.initial, a.u = m->u_start;
  quasi_account account = account_of(m, a, b, false);
  *sizes += part_of(m) * account.size[STORED] + 8 * DBL_EPSILON * size;
  compare(m, k, STORED, ledger[STORED], account.entry[STORED], *sizes, check);
}

void thud_verify_quasi_energy(const verify_quasi_motion *m, thud_verify_check *check) {
  size_t ways = 0, bytes = VERIFY_QUASI_LEDGER * sizeof(double);
  double sizes = 0;
  for (size_t k = 0; k < m->count; k++) {
    verify_quasi_way way = m->way[k];
    bool from_start = m->quasi->method == VERIFY_QUASI_STATIC && way != VERIFY_WAY_SAME && k > 0;
    check_frame(m, k, &sizes, check);
    if (way == VERIFY_WAY_START)
      for (int entry = STORED; entry < DEFECT; entry++) compare(m, k, entry, ledger_at(m, k)[entry], 0, 0, check);
    else if (way == VERIFY_WAY_SAME && memcmp(ledger_at(m, k), ledger_at(m, k - 1), bytes) != 0)
      thud_verify_fail(check, m->t[k], k, "the ledger changes while nothing happens");
    else if (from_start || (way != VERIFY_WAY_SAME && way != VERIFY_WAY_FAR))
      ways++, check_way(m, k, check);
    else if (way == VERIFY_WAY_FAR)
      for (int entry = FRICTION; entry <= QUADRATIC; entry++)
        compare(m, k, entry, fmin(0, ledger_at(m, k)[entry] - ledger_at(m, k - 1)[entry]), 0, sizes, check);
  }
  if (check->status == THUD_VERIFY_PASSED)
    thud_verify_explain(check, "stored energies of %zu frames, entries of %zu ways", m->count, ways);
}

/* ---- jumps of the state -------------------------------------------------------------------------------------------------- */

/* E = U.KU/2 - F.U at one load: E- - E+ - friction. */
static double release_of(const verify_quasi_motion *m, size_t k, double *friction, double *size) {
  quasi_account account = account_of(m, end_of(m, k - 1), end_of(m, k), false);
  *friction = account.entry[FRICTION];
  *size = account.size[WORK] + account.size[STORED] + account.size[FRICTION];
  return account.entry[WORK] - account.entry[STORED] - *friction;
}

void thud_verify_quasi_release(const verify_quasi_motion *m, size_t k, thud_verify_check *check) {
  double friction, size, release = release_of(m, k, &friction, &size);
  if (thud_verify_tally(check, fmax(0, -release), m->tolerance * size, 0, m->t[k], k))
    thud_verify_explain(check, "the jump releases %.6g", release);
}

static void check_event(const verify_quasi_motion *m, size_t e, size_t k, thud_verify_check *check) {
  double friction, size, release = release_of(m, k, &friction, &size), tolerance = part_of(m) * size;
  thud_verify_quasi_release(m, k, check);
  if (isnan(m->release[e]) && isnan(m->friction[e]) && isnan(m->solutions[e])) return; /* equilibria were not listed */
  if (thud_verify_tally(check, fabs(m->release[e] - release), tolerance, 0, m->t[k], k))
    thud_verify_explain(check, "net release of energy %.6g", release);
  if (thud_verify_tally(check, fabs(m->friction[e] - friction), tolerance, 0, m->t[k], k))
    thud_verify_explain(check, "loss in friction %.6g", friction);
  if (!(m->solutions[e] >= 1) || m->solutions[e] != floor(m->solutions[e]))
    thud_verify_fail(check, m->t[k], k, "%g equilibria cannot have been found", m->solutions[e]);
}

void thud_verify_quasi_jumps(const verify_quasi_motion *m, thud_verify_check *check) {
  size_t jumps = 0, loads = 0;
  for (size_t e = 0; e < m->events.count; e++) {
    size_t k = (size_t)m->events.frame[e];
    bool jump = m->events.kind[e] == VERIFY_QUASI_JUMP, load = m->events.kind[e] == VERIFY_QUASI_LOAD;
    if (!jump && !load) continue;
    jumps += jump, loads += load;
    if (k == 0 || m->way[k] != (jump ? VERIFY_WAY_JUMP : VERIFY_WAY_LOAD))
      thud_verify_fail(check, m->events.t[e], k, "event %zu is a jump, and its frame shows none", e);
    else if (jump)
      check_event(m, e, k, check);
  }
  if (check->status == THUD_VERIFY_PASSED)
    thud_verify_explain(check, "%zu of the state, %zu of the load", jumps, loads);
}
