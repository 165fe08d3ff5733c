/* The ledger, the variation and the events of a string or beam, from its frames. */
#include "verify/line/verify_line.h"

#include <float.h>
#include <math.h>

enum { STORED, WORK, FRICTION, QUADRATIC, DEFECT };

/* integral of k w'^2, with the size of its terms. */
static double energy(const verify_line *line, const double *a, const double *b, double *size) {
  double sum = 0;
  for (size_t c = 0; c + 1 < line->n; c++) {
    double h = line->x[c + 1] - line->x[c], rise = a[c + 1] - a[c] - (b != NULL ? b[c + 1] - b[c] : 0);
    double most = fabs(a[c + 1]) + fabs(a[c]) + (b != NULL ? fabs(b[c + 1]) + fabs(b[c]) : 0);
    sum += rise * rise / h;
    *size += (most + fabs(rise)) * fabs(rise) / h;
  }
  return line->extension * sum;
}

/* ---- variation --------------------------------------------------------------------------------------------------------- */

void thud_verify_line_variation(verify_line_motion *m, thud_verify_check *check) {
  const verify_line *line = m->line;
  for (size_t k = 0; k < m->count; k++) {
    const double *u = m->u + k * line->n, *before = thud_verify_line_before(m, k);
    const double *from = before != NULL ? before : k > 0 ? m->u + (k - 1) * line->n : line->initial;
    double size = 0, grown = m->variation[k] - (k > 0 ? m->variation[k - 1] : 0);
    double moved = sqrt(energy(line, u, from, &size) / line->extension), past = 16 * DBL_EPSILON * m->variation[k];
    /* Of the root of a small difference of large numbers as much is left as of their squares. */
    double most = 0;
    for (size_t c = 0; c + 1 < line->n; c++)
      most += (fabs(u[c]) + fabs(from[c])) * (fabs(u[c]) + fabs(from[c])) / (line->x[c + 1] - line->x[c]);
    double tolerance = past + 16 * DBL_EPSILON * sqrt(most) + (double)line->n * DBL_EPSILON * moved;
    m->moved[k] = before != NULL ? moved : NAN;
    double off =
        before != NULL ? fabs(grown - moved) : fmax(0, moved - grown); /* steps between are longer than the whole */
    thud_verify_tally(check, off, tolerance, 0, m->t[k], k);
  }
}

/* ---- ledger ------------------------------------------------------------------------------------------------------------ */

typedef struct line_account {
  double entry[4], size[4];
} line_account;

/* Work of the loads, integral f du, without the shares of the ends, and of the forces on the ends in the new state. */
static void book_work(verify_line_motion *m, const double *u, const double *before, line_account *account) {
  const verify_line *line = m->line;
  size_t last = line->n - 2;
  double sum = 0, size = 0;
  for (size_t c = 0; c <= last; c++) {
    double h = line->x[c + 1] - line->x[c], a = u[c] - before[c], b = u[c + 1] - before[c + 1];
    double right = m->cells.G[c][0] - m->cells.G[c][1] / h, left = m->cells.G[c][1] / h, pull;
    pull = line->extension * (u[c + 1] - u[c]) / h;
    if (c == 0) left = -pull;
    if (c == last) right = pull;
    sum += left * a + right * b;
    size += fabs(left) * (fabs(u[c]) + fabs(before[c])) + fabs(right) * (fabs(u[c + 1]) + fabs(before[c + 1]));
    if (c == 0 || c == last) size += line->extension * (fabs(u[c]) + fabs(u[c + 1])) / h * fmax(fabs(a), fabs(b));
  }
  account->entry[WORK] = sum;
  account->size[WORK] = size;
}

static line_account account_of(verify_line_motion *m, size_t k, const double *before) {
  const verify_line *line = m->line;
  const double *u = m->u + k * line->n, *s = m->s + k * line->n;
  line_account account = {0};
  double sizes[3] = {0};
  account.entry[STORED] = (energy(line, u, NULL, &sizes[0]) - energy(line, line->initial, NULL, &sizes[1])) / 2;
  account.entry[QUADRATIC] = energy(line, u, before, &sizes[2]) / 2;
  account.size[STORED] = line->extension * (sizes[0] + sizes[1]);
  account.size[QUADRATIC] = line->extension * sizes[2];
  for (size_t i = 1; i + 1 < line->n; i++) {
    account.entry[FRICTION] += line->mu * s[i] * fabs(u[i] - before[i]);
    account.size[FRICTION] += line->mu * s[i] * (fabs(u[i]) + fabs(before[i]));
  }
  thud_verify_line_loads(line, true, m->t[k], verify_line_side(m, k), &m->cells);
  book_work(m, u, before, &account);
  return account;
}

static void compare(const verify_line_motion *m, size_t k, int entry, double off, double tolerance,
                    thud_verify_check *check) {
  static const char *const names[] = {"stored", "work", "friction", "quadratic", "defect"};
  if (thud_verify_tally(check, fabs(off), tolerance, 0, m->t[k], k)) thud_verify_explain(check, "'%s'", names[entry]);
}

void thud_verify_line_energy(verify_line_motion *m, thud_verify_check *check) {
  static const double nothing[VERIFY_LINE_LEDGER] = {0};
  double rounding = 8 * DBL_EPSILON * ((double)m->line->n + 16);
  for (size_t k = 0; k < m->count; k++) {
    const double *before = thud_verify_line_before(m, k), *now = m->ledger + k * VERIFY_LINE_LEDGER;
    const double *then = k > 0 ? now - VERIFY_LINE_LEDGER : nothing;
    double sum = fabs(now[STORED]) + fabs(now[WORK]) + now[FRICTION] + now[QUADRATIC];
    double defect = now[STORED] - (now[WORK] - now[FRICTION] - now[QUADRATIC]);
    compare(m, k, DEFECT, now[DEFECT] - defect, 8 * DBL_EPSILON * sum, check);
    if (before == NULL) continue;
    const line_account account = account_of(m, k, before);
    compare(m, k, STORED, now[STORED] - account.entry[STORED], rounding * account.size[STORED], check);
    for (int e = WORK; e <= QUADRATIC; e++) {
      double grown = now[e] - then[e], past = 4 * DBL_EPSILON * (fabs(now[e]) + fabs(then[e]));
      compare(m, k, e, grown - account.entry[e], rounding * account.size[e] + past, check);
    }
  }
}

/* ---- events -------------------------------------------------------------------------------------------------------------- */

/* A jump of u where the data jump has an event, with its size; nothing else has one. */
void thud_verify_line_events(const verify_line_motion *m, thud_verify_check *check) {
  size_t e = 0;
  for (size_t k = 0; k < m->count; k++) {
    bool may = m->side[k] >= 0 && thud_verify_scene_jumps_at(&m->line->scene, m->t[k]);
    double grown = m->variation[k] - (k > 0 ? m->variation[k - 1] : 0);
    double tolerance = 16 * DBL_EPSILON * m->variation[k] + (double)m->line->n * DBL_EPSILON * fmax(0, m->moved[k]);
    if (e < m->events.count && m->events.frame[e] == (double)k) {
      if (!may || m->events.t[e] != m->t[k])
        thud_verify_fail(check, m->t[k], k, "event %zu is of no jump of the data", e);
      thud_verify_tally(check, fabs(m->event_moved[e] - grown), tolerance, 0, m->t[k], k);
      if (!(m->event_moved[e] > 0)) thud_verify_fail(check, m->t[k], k, "event %zu is of no jump", e);
      e++;
    } else if (may && grown > tolerance) {
      thud_verify_fail(check, m->t[k], k, "u jumps without an event");
    }
  }
  if (e != m->events.count) thud_verify_fail(check, NAN, SIZE_MAX, "event %zu belongs to no jump", e);
  if (check->status == THUD_VERIFY_PASSED) thud_verify_explain(check, "%zu of them", e);
}
