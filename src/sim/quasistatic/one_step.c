/* The increment of one contact in closed form: all modes, and among several solutions the one that is nearest to
 * staying (an open contact stays open when it can; otherwise stick before slip before opening). */
#include "base/base.h"
#include "sim/quasistatic/motion.h"

#include <math.h>
#include <string.h>

static void take(thud_quasistatic *motion, const double *u, const double *r, thud_elastic_mode mode) {
  size_t bytes = (size_t)motion->structure.m * sizeof(double);
  memcpy(motion->next.u, u, bytes);
  memcpy(motion->next.r, r, bytes);
  motion->next.modes[0] = mode;
  for (size_t k = 0; k < (size_t)motion->structure.m; k++) {
    motion->now.scale_u = fmax(motion->now.scale_u, fabs(u[k]));
    motion->now.scale_r = fmax(motion->now.scale_r, fabs(r[k]));
  }
}

/* Open: K u = f. False where K does not hold it or the gap is negative. */
static bool is_open(const elastic_structure *structure, double gap, const double *f, double *u) {
  const double *K = structure->stiffness;
  if (structure->d == 1) {
    if (!(K[0] > 0)) return false;
    u[0] = f[0] / K[0];
    return u[0] + gap >= 0;
  }
  double det = K[0] * K[3] - K[1] * K[1];
  if (!(det > 1e-14 * K[0] * K[3])) return false;
  u[0] = (K[3] * f[0] - K[1] * f[1]) / det;
  u[1] = (K[0] * f[1] - K[1] * f[0]) / det;
  return u[0] + gap >= 0;
}

/* Slip with r_T = s mu r_N: (K_TT - s mu K_NT) u_T = f_T - s mu f_N + (K_TN - s mu K_NN) gap. */
static bool slips(const double *K, double mu, double gap, const double *f, double before, double s, double *u,
                  double *r) {
  double D = K[3] - s * mu * K[1];
  if (D == 0) return false;
  u[0] = -gap;
  u[1] = (f[1] - s * mu * f[0] + (K[1] - s * mu * K[0]) * gap) / D;
  r[0] = K[0] * u[0] + K[1] * u[1] - f[0];
  r[1] = s * mu * r[0];
  double rounding = 1e-14 * (fabs(u[1]) + fabs(before) + (fabs(f[1]) + mu * fabs(f[0])) / fabs(D));
  return r[0] >= 0 && (mu == 0 || s * (u[1] - before) < -rounding);
}

static bool solve_plane(thud_quasistatic *motion, const double *f, const double *before) {
  const elastic_structure *structure = &motion->structure;
  const double *K = structure->stiffness;
  double mu = motion->problem.mu[0], gap = motion->problem.gap[0], u[2], r[2] = {0, 0}, none[2] = {0, 0}, open[2];
  bool opens = is_open(structure, gap, f, open), done = false;
  int solutions = 0;
  if (opens && motion->from->modes[0] == THUD_ELASTIC_OPEN) take(motion, open, none, THUD_ELASTIC_OPEN), done = true;
  u[0] = -gap, u[1] = before[1];
  for (size_t i = 0; i < 2; i++) r[i] = K[i] * u[0] + K[i + 2] * u[1] - f[i];
  /* the rounding of the sums: a state on the cone stays there */
  double rounding =
      4e-16 * (fabs(K[1] * u[0]) + fabs(K[3] * u[1]) + fabs(f[1]) + mu * (fabs(K[0] * u[0]) + fabs(f[0])));
  if (mu > 0 && r[0] >= 0 && fabs(r[1]) <= mu * r[0] + rounding) {
    solutions++;
    if (!done) take(motion, u, r, THUD_ELASTIC_STICK), done = true;
  }
  for (int k = 0; k < (mu > 0 ? 2 : 1); k++)
    if (slips(K, mu, gap, f, before[1], k == 0 ? 1 : -1, u, r)) {
      solutions++;
      if (!done) take(motion, u, r, k == 0 ? THUD_ELASTIC_SLIP : THUD_ELASTIC_SLIP_BACK), done = true;
    }
  if (opens && open[0] + gap > 0) solutions++;
  if (opens && !done) take(motion, open, none, THUD_ELASTIC_OPEN), done = true;
  motion->now.info.ambiguous += solutions > 1;
  if ((size_t)solutions > motion->now.info.most_solutions) motion->now.info.most_solutions = (size_t)solutions;
  return done;
}

static bool solve_line(thud_quasistatic *motion, const double *f) {
  double gap = motion->problem.gap[0], u = 0, r = 0;
  if (is_open(&motion->structure, gap, f, &u)) {
    take(motion, &u, &r, THUD_ELASTIC_OPEN);
    return true;
  }
  u = -gap;
  r = motion->structure.stiffness[0] * u - f[0];
  if (r < 0) return false;
  take(motion, &u, &r, THUD_ELASTIC_STICK);
  return true;
}

static bool solve_space(thud_quasistatic *motion, const double *f, const double *before, thud_error *error) {
  const elastic_question question = {.f = f, .before = before, .r = motion->from->r, .tolerance = 1e-13, .most = 1};
  elastic_solutions *found = &motion->found;
  motion->found_jump = false;
  *error = thud_solutions_find(&question, &motion->system, found);
  if (*error != THUD_OK || found->count == 0) return false;
  size_t chosen = 0;
  for (size_t k = 0; k < found->count; k++)
    if (motion->from->modes[0] == THUD_ELASTIC_OPEN && thud_solutions_at(found, k).modes[0] == THUD_ELASTIC_OPEN)
      chosen = k;
  thud_quasistatic_solution taken = thud_solutions_at(found, chosen);
  take(motion, taken.u, taken.r, taken.modes[0]);
  motion->now.info.ambiguous += found->count > 1;
  if (found->count > motion->now.info.most_solutions) motion->now.info.most_solutions = found->count;
  return true;
}

bool thud_elastic_one_contact(thud_quasistatic *motion, const double *f, const double *before, thud_error *error) {
  switch (motion->structure.d) {
  case 1: return solve_line(motion, f);
  case 2: return solve_plane(motion, f, before);
  default: return solve_space(motion, f, before, error);
  }
}
