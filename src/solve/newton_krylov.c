/* Semismooth Newton on the natural map, its linear systems solved by products: no matrix is formed or factorised.
 *
 * In the units of scaled_form.h (the diagonal of A is about 1), with the velocities u = A x + q, De Saxce's shift s(u)
 * and p = x - (u + s(u) e_N),
 *   F(x) = x - proj_K(p) = 0,   F'(x) dx = dx - D (dx - B A dx - shift dx),
 * D the derivative of the projection at p and B that of u + s(u) e_N, both contact by contact. The system F' dx = -F is
 * solved by BiCGStab (van der Vorst, SIAM J. Sci. Stat. Comput. 13, 1992), two products per step, to the accuracy of
 * Eisenstat and Walker (SIAM J. Sci. Comput. 17, 1996). The shift (Levenberg) keeps steps short where W is singular or
 * modes change: it grows after steps that had to be shortened and falls after full ones. A step is taken when it
 * lowers |F|; where none does, and at the start, gradient steps with momentum follow, which find the modes. */
#include "solve/first_order.h"
#include "solve/projected_gradient_cone.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { GRADIENT_FIRST = 40, GRADIENT_REFUSED = 20, HALVINGS = 6, PRODUCTS_MAX = 200 };
static const double MOMENTUM = 0.9; /* of the gradient steps */
static const double SHIFT_FIRST = 0.05, SHIFT_LEAST = 1e-8, SHIFT_MOST = 1;
static const double SHIFT_FALL = 0.3, SHIFT_GROW = 3, SHORT_STEP = 0.2;
static const double FORCING_MOST = 0.1, FORCING_LEAST = 1e-4; /* residual of the linear system over |F| */
static const double DESCENT = 1e-4;                           /* of |F|^2, relative to the step */

typedef struct newton_krylov {
  thud_first_order base;
  double *x, *u, *F;                                      /* [total] iterate, its velocities, the map */
  double *point;                                          /* [total] p, where the projection was linearised */
  double *dx, *du;                                        /* [total] step, its velocities */
  double *trial, *trial_u;                                /* [total] */
  double *residual, *shadow, *direction, *image, *second; /* [total] of BiCGStab */
} newton_krylov;

static thud_error create(thud_solver *solver) {
  static const size_t vectors[] = {
      offsetof(newton_krylov, x),      offsetof(newton_krylov, u),         offsetof(newton_krylov, F),
      offsetof(newton_krylov, point),  offsetof(newton_krylov, dx),        offsetof(newton_krylov, du),
      offsetof(newton_krylov, trial),  offsetof(newton_krylov, trial_u),   offsetof(newton_krylov, residual),
      offsetof(newton_krylov, shadow), offsetof(newton_krylov, direction), offsetof(newton_krylov, image),
      offsetof(newton_krylov, second)};
  const thud_first_order_places places = {.count = sizeof vectors / sizeof *vectors, .offsets = vectors};
  return thud_first_order_create(solver, sizeof(newton_krylov), places);
}

/* ---- the map and its derivative ------------------------------------------------------------------------------- */

/* p = x - u - s(u) e_N; bilateral rows alike without s. */
static void find_point(const thud_scaled_form *form, const double *x, const double *u, double *p) {
  for (size_t i = 0; i < form->total; i++) p[i] = x[i] - u[i];
  for (size_t k = 0; k < form->contacts; k++)
    p[k * form->d] -= thud_gradient_cone_shift(&form->scaled, k, u + k * form->d);
}

/* F = x - proj(p), |F|^2; p is overwritten by its projection. */
static double find_map(const thud_scaled_form *form, const double *x, double *p, double *F) {
  thud_gradient_cones_project(&form->scaled, form->contacts, p);
  for (size_t i = 0; i < form->total; i++) F[i] = x[i] - p[i];
  return thud_dot(form->context, form->total, F, F);
}

static double part_length(const double *part, size_t width) {
  return width == 1 ? fabs(part[0]) : hypot(part[0], part[1]);
}

static double part_dot(const double *a, const double *b, size_t width) {
  return a[0] * b[0] + (width == 2 ? a[1] * b[1] : 0);
}

/* w := D w for one contact. The parts A that end on the boundary have x_p = mu_p s p_p/|p_p| with s = (p_N + sum_A mu_p
 * |p_p|)/(1 + sum_A mu_p^2) (projected_gradient_cone.c); `nearest` is the projection, which tells A. */
static void apply_projection(const thud_contact_discs *discs, size_t contact, const double *p, const double *nearest,
                             double *w) {
  const thud_disc_layout *layout = discs->layout;
  double s = nearest[0], numerator = w[0], denominator = 1, length[THUD_CONTACT_DISCS_MAX];
  bool bound[THUD_CONTACT_DISCS_MAX];
  if (!(s > 0)) {
    memset(w, 0, (size_t)layout->dimension * sizeof *w);
    return;
  }
  for (size_t k = 0; k < layout->count; k++) {
    size_t first = layout->first[k], width = layout->width[k];
    double mu = discs->mu[k][contact];
    length[k] = part_length(p + first, width);
    bound[k] = length[k] > mu * s;
    if (!bound[k]) continue;
    numerator += mu * part_dot(p + first, w + first, width) / length[k];
    denominator += mu * mu;
  }
  w[0] = numerator / denominator;
  for (size_t k = 0; k < layout->count; k++) {
    size_t first = layout->first[k], width = layout->width[k];
    if (!bound[k]) continue;
    double mu = discs->mu[k][contact], along = part_dot(p + first, w + first, width) / length[k];
    double shrunk = mu * s / length[k];
    for (size_t i = 0; i < width; i++) {
      double unit = p[first + i] / length[k];
      w[first + i] = mu * w[0] * unit + shrunk * (w[first + i] - along * unit);
    }
  }
}

/* e_N . B du - du_N for one contact: the change of the shift. */
static double shift_change(const thud_contact_discs *discs, size_t contact, const double *u, const double *du) {
  const thud_disc_layout *layout = discs->layout;
  double change = 0;
  for (size_t k = 0; k < layout->count; k++) {
    double length = part_length(u + layout->first[k], layout->width[k]);
    if (length > 0)
      change +=
          discs->mu[k][contact] * part_dot(u + layout->first[k], du + layout->first[k], layout->width[k]) / length;
  }
  return change;
}

/* y = F' x; state->trial holds the projection of state->point, state->trial_u is scratch. */
static void multiply(newton_krylov *state, double shift, const double *x, double *y) {
  const thud_scaled_form *form = &state->base.form;
  double *w = state->trial_u;
  thud_scaled_form_multiply(form, x, w);
  for (size_t k = 0; k < form->contacts; k++) {
    size_t first = k * form->d;
    double change = shift_change(&form->scaled, k, state->u + first, w + first);
    for (size_t i = first; i < first + form->d; i++) w[i] = x[i] - w[i] - shift * x[i];
    w[first] -= change;
    apply_projection(&form->scaled, k, state->point + first, state->trial + first, w + first);
  }
  for (size_t i = form->size; i < form->total; i++) w[i] = x[i] - w[i] - shift * x[i];
  for (size_t i = 0; i < form->total; i++) y[i] = x[i] - w[i];
}

/* ---- the linear system ------------------------------------------------------------------------------------------ */

/* The numbers of BiCGStab that go from step to step. */
typedef struct recurrence {
  double rho, alpha, omega;
} recurrence;

/* One step; false when a number in it vanishes or is not finite. */
static bool krylov_step(newton_krylov *state, double shift, bool first, recurrence *at) {
  thud_context *context = state->base.form.context;
  size_t n = state->base.form.total;
  double *r = state->residual, *p = state->direction, *v = state->image, *t = state->second;
  double rho = thud_dot(context, n, state->shadow, r), beta = first ? 0 : rho / at->rho * at->alpha / at->omega;
  for (size_t i = 0; i < n; i++) p[i] = r[i] + (first ? 0 : beta * (p[i] - at->omega * v[i]));
  multiply(state, shift, p, v);
  at->rho = rho;
  at->alpha = rho / thud_dot(context, n, state->shadow, v);
  if (!isfinite(at->alpha) || at->alpha == 0) return false;
  for (size_t i = 0; i < n; i++) r[i] -= at->alpha * v[i];
  multiply(state, shift, r, t);
  at->omega = thud_dot(context, n, t, r) / thud_dot(context, n, t, t);
  if (!isfinite(at->omega) || at->omega == 0) at->omega = 0;
  for (size_t i = 0; i < n; i++) {
    state->dx[i] += at->alpha * p[i] + at->omega * r[i];
    r[i] -= at->omega * t[i];
  }
  return at->omega != 0;
}

/* Progress is asked for once an iteration: only the clock ends one early. */
static bool is_out_of_time(const thud_solver *solver) {
  double allowed = solver->options.max_seconds;
  return allowed > 0 && thud_seconds() - solver->started > allowed;
}

/* dx with |F' dx + F| <= forcing |F|, or what PRODUCTS_MAX products give. */
static void find_step(thud_solver *solver, double shift, double forcing) {
  newton_krylov *state = solver->state;
  size_t n = state->base.form.total;
  recurrence at = {0};
  for (size_t i = 0; i < n; i++) {
    state->residual[i] = state->shadow[i] = -state->F[i];
    state->dx[i] = 0;
  }
  double goal = forcing * thud_norm2(solver->context, n, state->F);
  for (int k = 0; k < PRODUCTS_MAX / 2 && !is_out_of_time(solver); k++) {
    if (!krylov_step(state, shift, k == 0, &at)) break;
    solver->contact_visits += 2 * state->base.form.contacts;
    if (!(thud_norm2(solver->context, n, state->residual) > goal)) break;
  }
}

/* ---- steps -------------------------------------------------------------------------------------------------------- */

typedef struct walk {
  double square; /* |F|^2 */
  double before; /* of the last iterate */
  double shift;
} walk;

/* F and the point at x, which is kept for the derivative; trial becomes the projection. */
static void linearise(newton_krylov *state, walk *at) {
  const thud_scaled_form *form = &state->base.form;
  find_point(form, state->x, state->u, state->point);
  if (form->total > 0) memcpy(state->trial, state->point, form->total * sizeof(double));
  at->before = at->square;
  at->square = find_map(form, state->x, state->trial, state->F);
}

/* Moves x by the longest of the steps 1, 1/2, ... that lowers |F|; false when none does. */
static bool search(newton_krylov *state, walk *at) {
  const thud_scaled_form *form = &state->base.form;
  thud_scaled_form_multiply(form, state->dx, state->du);
  double step = 1;
  for (int k = 0; k < HALVINGS; k++, step /= 2) {
    for (size_t i = 0; i < form->total; i++) {
      state->trial[i] = state->x[i] + step * state->dx[i];
      state->trial_u[i] = state->u[i] + step * state->du[i];
    }
    find_point(form, state->trial, state->trial_u, state->residual);
    if (!(find_map(form, state->trial, state->residual, state->shadow) <= (1 - DESCENT * step) * at->square)) continue;
    if (form->total > 0) memcpy(state->x, state->trial, form->total * sizeof(double));
    if (step < SHORT_STEP) at->shift = fmin(SHIFT_GROW * at->shift, SHIFT_MOST);
    if (step == 1) at->shift = fmax(SHIFT_FALL * at->shift, SHIFT_LEAST);
    return true;
  }
  at->shift = fmin(SHIFT_GROW * at->shift, SHIFT_MOST);
  return false;
}

/* x = proj(y - (u(y) + s)/L), y extrapolated from the last two. */
static void gradient_steps(thud_solver *solver, int count) {
  newton_krylov *state = solver->state;
  const thud_scaled_form *form = &state->base.form;
  double step = 1 / (1.1 * state->base.curvature), *y = state->trial, *u = state->trial_u, *last = state->point;
  size_t bytes = form->total * sizeof(double);
  if (bytes == 0) return;
  memcpy(y, state->x, bytes);
  for (int k = 0; k < count; k++) {
    memcpy(last, state->x, bytes);
    thud_scaled_form_velocity(form, y, u);
    for (size_t i = 0; i < form->total; i++) state->x[i] = y[i] - step * u[i];
    for (size_t c = 0; c < form->contacts; c++)
      state->x[c * form->d] -= step * thud_gradient_cone_shift(&form->scaled, c, u + c * form->d);
    thud_scaled_form_project(form, state->x);
    for (size_t i = 0; i < form->total; i++) y[i] = state->x[i] + MOMENTUM * (state->x[i] - last[i]);
  }
  solver->contact_visits += (size_t)count * form->contacts;
}

/* As accurate as the last step was good, so that the steps near a solution become quadratic. */
static double forcing_of(const walk *at) {
  double ratio = at->before > 0 && isfinite(at->before) ? at->square / at->before : 1;
  return fmin(fmax(0.9 * ratio, FORCING_LEAST), FORCING_MOST);
}

static thud_error solve(thud_solver *solver) {
  newton_krylov *state = solver->state;
  const thud_scaled_form *form = &state->base.form;
  walk at = {.square = INFINITY, .before = INFINITY, .shift = SHIFT_FIRST};
  thud_error error = THUD_OK;
  thud_scaled_form_load(form, solver->r, solver->l, state->x);
  while (error == THUD_OK && thud_solver_goes_on(solver)) {
    bool first = solver->iterations == 0, moved = false;
    if (!first) {
      linearise(state, &at);
      find_step(solver, at.shift, forcing_of(&at));
      moved = search(state, &at);
    }
    if (!moved) gradient_steps(solver, first ? GRADIENT_FIRST : GRADIENT_REFUSED);
    thud_scaled_form_velocity(form, state->x, state->u);
    solver->iterations++;
    thud_scaled_form_store(form, state->x, solver->r, solver->l);
    error = thud_solver_test(solver);
  }
  return error;
}

const struct thud_solver_method thud_method_newton_krylov = {
    .name = "newton-krylov",
    .summary = "semismooth Newton on the natural map by products (BiCGStab); no matrix is formed or factorised",
    .accepts = (THUD_METHOD_ACCEPTS_ALL & ~(unsigned)THUD_ACCEPTS_LAWS) | THUD_ACCEPTS_OPERATOR,
    .native = THUD_ACCEPTS_LOCAL | THUD_ACCEPTS_TWO_BLOCK,
    .create = create,
    .update = thud_first_order_update,
    .solve = solve,
    .destroy = thud_first_order_destroy,
};
