#include "solve/projected_gradient_cone.h"

#include <float.h>
#include <math.h>

/* ---- discs -------------------------------------------------------------------------------------------- */

static void scale_part(double *part, size_t width, double factor) {
  for (size_t i = 0; i < width; i++) part[i] *= factor;
}

static double part_length(const double *part, size_t width) {
  if (width == 1) return fabs(part[0]);
  double square = part[0] * part[0] + part[1] * part[1]; /* several times faster than hypot where it is safe */
  return square > 1e-280 && square < 1e280 ? sqrt(square) : hypot(part[0], part[1]);
}

/* K = { |x_p| <= mu_p x_N for the parts p }. With the parts A that end on their boundary the nearest point has
 * x_N = (x_N + sum_A mu_p |x_p|) / (1 + sum_A mu_p^2); A is the set of the parts longer than mu_p x_N for that x_N.
 * Parts enter A by the slope |x_p| / mu_p at which they leave it, the steepest first. */
static void project_discs(double *x, size_t width, size_t parts, const double *mu) {
  double length[2] = {0, 0}, numerator = x[0], denominator = 1;
  bool on_boundary[2] = {false, false};
  for (size_t p = 0; p < parts; p++) length[p] = part_length(x + 1 + p * width, width);
  size_t first = parts == 2 && length[1] * mu[0] > length[0] * mu[1] ? 1 : 0;
  for (size_t k = 0; k < parts; k++) {
    size_t p = k == 0 ? first : 1 - first;
    if (!(length[p] * denominator > mu[p] * fmax(numerator, 0))) break;
    on_boundary[p] = true;
    numerator += mu[p] * length[p];
    denominator += mu[p] * mu[p];
  }
  x[0] = fmax(numerator / denominator, 0);
  for (size_t p = 0; p < parts; p++)
    if (on_boundary[p]) scale_part(x + 1 + p * width, width, length[p] > 0 ? mu[p] * x[0] / length[p] : 0);
}

/* ---- general laws --------------------------------------------------------------------------------------- */

enum { TANGENTIAL_MAX = 2, ROOT_STEPS = 100 };

/* The pull of x_T on the normal component s: sup over C of (x_T - p).c, p = proj(x_T, s C), which falls as s grows. */
static bool law_pull(thud_set *law, thud_index width, const double *tangential, double s, double *p, double *pull) {
  double scaled[TANGENTIAL_MAX];
  thud_set_info info;
  for (thud_index i = 0; i < width; i++) scaled[i] = tangential[i] / s;
  if (thud_set_project(law, NULL, scaled, scaled, &info) != THUD_OK || !info.converged) return false;
  *pull = 0;
  for (thud_index i = 0; i < width; i++) {
    p[i] = s * scaled[i];
    *pull += (tangential[i] - p[i]) * scaled[i];
  }
  return true;
}

/* The nearest point (s, p(s)) has s = x_N + pull(s); the difference of the two sides grows at least like s. Secant
 * steps inside a bracket, halved in turn. */
static bool project_law(thud_set *law, thud_index width, double *x) {
  double reach = 0, pull, p[TANGENTIAL_MAX] = {0};
  if (thud_set_support(law, x + 1, &reach, NULL, NULL) != THUD_OK) return false;
  if (x[0] + reach <= 0) {
    for (thud_index i = 0; i <= width; i++) x[i] = 0;
    return true;
  }
  double low = fmax(x[0], 0), high = x[0] + reach, s = high, low_value = low - high, high_value = 0;
  const double enough = 4 * DBL_EPSILON * high;
  for (int step = 0; step < ROOT_STEPS; step++) {
    if (!(s > 0) || !law_pull(law, width, x + 1, s, p, &pull)) return false;
    double value = s - x[0] - pull;
    if (fabs(value) <= enough || high - low <= enough) break;
    if (value > 0) {
      high = s, high_value = value;
    } else {
      low = s, low_value = value;
    }
    double secant = low - low_value * (high - low) / (high_value - low_value);
    s = step % 2 == 0 && secant > low && secant < high ? secant : low + (high - low) / 2;
  }
  x[0] = s;
  for (thud_index i = 0; i < width; i++) x[i + 1] = p[i];
  return true;
}

/* ---- all of them ------------------------------------------------------------------------------------------ */

static thud_set *law_of(const thud_contact_problem *problem, thud_index contact) {
  return problem->laws != NULL ? problem->laws[contact] : NULL;
}

bool thud_gradient_cone_project(const thud_contact_problem *problem, thud_index contact, double *x) {
  if (problem->dimension == 1) {
    x[0] = fmax(x[0], 0);
    return true;
  }
  if (law_of(problem, contact) != NULL) return project_law(law_of(problem, contact), problem->dimension - 1, x);
  bool rolls = problem->dimension == 5;
  double mu[2] = {problem->mu[contact], rolls ? problem->mu_rolling[contact] : 0};
  project_discs(x, problem->dimension == 2 ? 1 : 2, rolls ? 2 : 1, mu);
  return true;
}

double thud_gradient_cone_shift(const thud_contact_problem *problem, thud_index contact, const double *u) {
  if (problem->dimension == 1) return 0;
  if (law_of(problem, contact) != NULL) {
    double against[TANGENTIAL_MAX] = {-u[1], problem->dimension == 3 ? -u[2] : 0}, value = 0;
    return thud_set_support(law_of(problem, contact), against, &value, NULL, NULL) == THUD_OK ? value : NAN;
  }
  double shift = problem->mu[contact] * part_length(u + 1, problem->dimension == 2 ? 1 : 2);
  if (problem->dimension == 5) shift += problem->mu_rolling[contact] * part_length(u + 3, 2);
  return shift;
}
