#include "solve/projected_gradient_cone.h"

#include <float.h>
#include <math.h>

/* ---- discs -------------------------------------------------------------------------------------------- */

static inline void scale_part(double *part, size_t width, double factor) {
  for (size_t i = 0; i < width; i++) part[i] *= factor;
}

static inline double part_length(const double *part, size_t width) {
  if (width == 1) return fabs(part[0]);
  double square = part[0] * part[0] + part[1] * part[1]; /* several times faster than hypot where it is safe */
  return square > 1e-280 && square < 1e280 ? sqrt(square) : hypot(part[0], part[1]);
}

/* Puts the index of a part into the list order[count], which is sorted by falling |x_p| / mu_p. */
static inline void insert_part(size_t count, size_t part, const double *length, const double *mu, size_t *order) {
  size_t at = count;
  for (; at > 0 && length[part] * mu[order[at - 1]] > length[order[at - 1]] * mu[part]; at--) order[at] = order[at - 1];
  order[at] = part;
}

/* K = { |x_p| <= mu_p x_N for the parts p }. With the parts A that end on their boundary the nearest point has
 * x_N = (x_N + sum_A mu_p |x_p|) / (1 + sum_A mu_p^2); A is the set of the parts longer than mu_p x_N for that x_N.
 * Parts enter A by the slope |x_p| / mu_p at which they leave it, the steepest first. The layout is a constant where
 * this is inlined. */
THUD_OF_LAYOUT void project_discs(const thud_disc_layout *layout, const thud_contact_discs *discs, size_t contact,
                                  double *x) {
  double length[THUD_CONTACT_DISCS_MAX], mu[THUD_CONTACT_DISCS_MAX], numerator = x[0], denominator = 1;
  size_t order[THUD_CONTACT_DISCS_MAX], entered = 0;
  for (size_t p = 0; p < layout->count; p++) {
    mu[p] = discs->mu[p][contact];
    length[p] = part_length(x + layout->first[p], layout->width[p]);
    insert_part(p, p, length, mu, order);
  }
  for (; entered < layout->count; entered++) {
    size_t p = order[entered];
    if (!(length[p] * denominator > mu[p] * fmax(numerator, 0))) break;
    numerator += mu[p] * length[p];
    denominator += mu[p] * mu[p];
  }
  x[0] = fmax(numerator / denominator, 0);
  for (size_t k = 0; k < entered; k++) {
    size_t p = order[k];
    scale_part(x + layout->first[p], layout->width[p], length[p] > 0 ? mu[p] * x[0] / length[p] : 0);
  }
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

bool thud_gradient_cone_project(const thud_contact_discs *discs, size_t contact, double *x) {
  thud_set *law = thud_contact_discs_law(discs, contact);
  if (law != NULL) return project_law(law, discs->layout->dimension - 1, x);
  thud_contact_discs one = {.layout = discs->layout};
  for (size_t p = 0; p < one.layout->count; p++) one.mu[p] = discs->mu[p] + contact;
  return thud_gradient_cones_project(&one, 1, x);
}

THUD_OF_LAYOUT void project_all(const thud_disc_layout *layout, const thud_contact_discs *discs, size_t contacts,
                                double *x) {
  for (size_t k = 0; k < contacts; k++) project_discs(layout, discs, k, x + k * (size_t)layout->dimension);
}

bool thud_gradient_cones_project(const thud_contact_discs *discs, size_t contacts, double *x) {
  const thud_disc_layout *layout = discs->layout;
  if (discs->laws != NULL) {
    for (size_t k = 0; k < contacts; k++)
      if (!thud_gradient_cone_project(discs, k, x + k * (size_t)layout->dimension)) return false;
  } else if (layout->count == 0) {
    for (size_t k = 0; k < contacts; k++) x[k] = fmax(x[k], 0);
  } else if (thud_disc_layout_is_plane(layout)) {
    project_all(&thud_plane_layout, discs, contacts, x);
  } else if (thud_disc_layout_is_space(layout)) {
    project_all(&thud_space_layout, discs, contacts, x);
  } else {
    project_all(layout, discs, contacts, x);
  }
  return true;
}

THUD_OF_LAYOUT double shift_of_discs(const thud_disc_layout *layout, const thud_contact_discs *discs, size_t contact,
                                     const double *u) {
  double shift = 0;
  for (size_t p = 0; p < layout->count; p++)
    shift += discs->mu[p][contact] * part_length(u + layout->first[p], layout->width[p]);
  return shift;
}

double thud_gradient_cone_shift(const thud_contact_discs *discs, size_t contact, const double *u) {
  const thud_disc_layout *layout = discs->layout;
  if (layout->count == 0) return 0;
  thud_set *law = thud_contact_discs_law(discs, contact);
  if (law != NULL) {
    double against[TANGENTIAL_MAX] = {-u[1], layout->dimension == 3 ? -u[2] : 0}, value = 0;
    return thud_set_support(law, against, &value, NULL, NULL) == THUD_OK ? value : NAN;
  }
  if (thud_disc_layout_is_plane(layout)) return shift_of_discs(&thud_plane_layout, discs, contact, u);
  if (thud_disc_layout_is_space(layout)) return shift_of_discs(&thud_space_layout, discs, contact, u);
  return shift_of_discs(layout, discs, contact, u);
}
