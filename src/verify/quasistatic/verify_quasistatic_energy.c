/* The ledger of a quasi-static motion, and what its jumps release.
 *
 *   increments, jumps  stored = work - friction - quadratic + normal with the last load and reactions
 *   pieces             the same with mean values, which are exact there, and without quadratic */
#include "verify/quasistatic/verify_quasistatic.h"

#include <float.h>
#include <math.h>
#include <string.h>

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
