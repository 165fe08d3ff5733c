/* Arcs that lead through a point at which the gradients of equations are dependent (docs/verification.md).
 *
 * There the multipliers of the equations may grow without bound, and the record then has NaN in their place: it says no more
 * than that the force of the constraints, r = M a - F, is made of the gradients. At every point that is looked at the
 * multipliers of these rows are those that leave the least of the equations of motion, in the kinetic metric; what they
 * leave is judged like the defect of other arcs. The gradients must turn out dependent on the arc, or next to it where a run
 * begins behind the point or ends before it: on other arcs reactions are polynomials. */
#include "verify/math/verify_dense.h"
#include "verify/event/verify_event_proof.h"

#include <math.h>
#include <string.h>

/* Gradients of which no more than this is left beside others, at length 1, are not used. */
#define DEPENDENT 1e-10
/* Directions turn round within a step between two points where less than this is left of one. */
#define NEARLY 0.5
/* Points at which dependences are looked for: on the arc and as far again before and behind it. */
enum { PLACES = 64, BEFORE = -PLACES, BEHIND = 2 * PLACES };

bool thud_verify_event_is_unresolved(const verify_event_rows *f, size_t k, size_t i) {
  return f->status[k] == VERIFY_ARC_PASSAGE && i < f->m && f->system->constraints[i].kind == VERIFY_EQUATION &&
         isnan(f->reaction[k * (f->force_degree + 1) * (f->m + f->s) + i]);
}

/* Row i without its components along the basis; what is left of it at length 1. mix (may be NULL): which multiples of the
 * unit gradients the basis is made of. */
static double add_gradient(verify_event_rows *f, size_t i, size_t count, double *basis, double *mix) {
  size_t n = f->n, m = f->m;
  double *left = basis + count * n, *own = mix + count * m, length;
  thud_verify_cholesky_forward(n, f->at.factor, f->at.gradient + i * n, left);
  length = thud_verify_norm(n, left);
  if (!(length > 0)) return 0;
  memset(own, 0, m * sizeof *own);
  own[i] = 1 / length;
  for (size_t c = 0; c < n; c++) left[c] /= length;
  for (int turn = 0; turn < 2; turn++)
    for (size_t b = 0; b < count; b++) {
      double part = thud_verify_dot(n, left, basis + b * n);
      for (size_t c = 0; c < n; c++) left[c] -= part * basis[b * n + c];
      for (size_t j = 0; j < m; j++) own[j] -= part * mix[b * m + j];
    }
  double size = thud_verify_norm(n, left);
  for (size_t c = 0; c < n && size > 0; c++) left[c] /= size;
  for (size_t j = 0; j < m && size > 0; j++) own[j] /= size;
  return size;
}

double thud_verify_event_resolve(verify_event_rows *f, size_t k) {
  size_t n = f->n, m = f->m, count = 0;
  double *basis = f->passage, *mix = basis + (m + 1) * n, *rest = mix + (m + 1) * m, square = 0;
  bool any = false;
  for (size_t i = 0; i < m; i++) any = any || thud_verify_event_is_unresolved(f, k, i);
  if (!any) return 0;
  thud_verify_apply_mass(f->system, &f->at, f->state + 2 * n, rest);
  for (size_t c = 0; c < n; c++) rest[c] -= f->at.force[c];
  for (size_t i = 0; i < m + f->s; i++) {
    if (thud_verify_event_is_unresolved(f, k, i)) {
      f->r[i] = 0;
      continue;
    }
    for (size_t c = 0; c < n; c++) rest[c] -= verify_reaction_row(f->system, &f->at, i)[c] * f->r[i];
  }
  thud_verify_cholesky_forward(n, f->at.factor, rest, rest);
  for (size_t i = 0; i < m; i++) {
    if (!thud_verify_event_is_unresolved(f, k, i) || add_gradient(f, i, count, basis, mix) <= DEPENDENT) continue;
    double part = thud_verify_dot(n, rest, basis + count * n);
    for (size_t c = 0; c < n; c++) rest[c] -= part * basis[count * n + c];
    for (size_t j = 0; j < m; j++) f->r[j] += part * mix[count * m + j];
    square += part * part;
    count++;
  }
  return sqrt(square);
}

/* Bases of all equations one place after the other: whether a row turns round. */
static bool turns_between(verify_event_rows *f, bool first) {
  size_t n = f->n, m = f->m, count = 0;
  double *basis = f->passage, *mix = basis + (m + 1) * n, *before = mix + (m + 1) * m + n, *left = before + m * n;
  bool turns = false;
  for (size_t i = 0; i < m; i++) {
    if (f->system->constraints[i].kind != VERIFY_EQUATION) continue;
    double now = add_gradient(f, i, count, basis, mix);
    if (now <= DEPENDENT && !first && left[i] > DEPENDENT) return true;
    bool near = now < NEARLY || left[i] < NEARLY;
    if (!first && near && thud_verify_dot(n, basis + count * n, before + i * n) < 0) turns = true;
    memcpy(before + i * n, basis + count * n, n * sizeof *before);
    left[i] = now;
    if (now > DEPENDENT) count++;
  }
  return turns;
}

void thud_verify_event_check_passage(verify_event_rows *f, size_t k) {
  double h = f->t_end[k] - f->t[k];
  if (f->status[k] != VERIFY_ARC_PASSAGE || !verify_event_has_arc(f, k)) return;
  for (size_t i = 0; i < f->m; i++)
    if (verify_is_one_sided(f->system->constraints[i].kind) && verify_event_mode(f, k, i) != VERIFY_MODE_OPEN)
      thud_verify_fail(&f->checks.proof, f->t[k], k, "'%s' is in contact on the way through a dependence of equations",
                       f->system->constraints[i].name);
  for (int place = BEFORE; place <= BEHIND; place++) {
    double s = h * place / PLACES;
    thud_verify_event_state(f, k, s, f->state, f->state + f->n, f->state + 2 * f->n);
    if (!thud_verify_system_at(f->system, f->t[k] + s, f->state, f->state + f->n, &f->at)) break;
    if (turns_between(f, place == BEFORE)) return;
  }
  thud_verify_fail(
      &f->checks.proof, f->t[k], k,
      "the record says that the arc leads through a dependence of equations; their gradients are independent "
      "on it");
}
