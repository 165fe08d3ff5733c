/* The equations of a punch on a uniform mesh without a matrix: GMRES with products by FFT, preconditioned on the right
 * by the inverse of the circulant matrix that the kernel is a part of. Unknowns: forces of all elements (0 where an
 * equation says so), depth, shift and tilt; see half_plane_system.c for the equations. */
#include "motions/half_plane/half_plane_punch.h"
#include "base/base.h"

#include <math.h>
#include <string.h>

enum { BASIS = 120, RESTARTS = 20 };

/* x = (f, t, depth, shift, tilt) of 2n + 3 numbers; entries of elements that are not unknown are 0. */
typedef struct iteration {
  thud_punch *punch;
  size_t n, size;
  double *basis;                 /* [size * (BASIS+1)] */
  double *y, *z, *f, *t, *u, *v; /* [size], [size], [n] ... */
  double h[BASIS + 1][BASIS];    /* R of the Hessenberg matrix */
  double c[BASIS], s[BASIS], g[BASIS + 1];
} iteration;

/* Forces of all elements from the unknowns. */
static void expand(const iteration *work, const double *x, double *f, double *t) {
  const thud_punch *punch = work->punch;
  for (thud_index i = 0; i < punch->n; i++) {
    bool open = punch->state[i] == THUD_PUNCH_OPEN, stuck = thud_punch_is_stuck(punch, i);
    f[i] = open ? 0 : x[i];
    t[i] = open ? 0 : stuck ? x[work->n + (size_t)i] : thud_punch_slip_ratio(punch, i) * x[i];
  }
}

static void apply(iteration *work, const double *x, double *out) {
  thud_punch *punch = work->punch;
  size_t n = work->n;
  expand(work, x, work->f, work->t);
  thud_half_plane_product(punch->plane, work->f, work->t, work->u, work->v);
  for (thud_index i = 0; i < punch->n; i++) {
    bool open = punch->state[i] == THUD_PUNCH_OPEN, stuck = thud_punch_is_stuck(punch, i);
    out[i] = open ? x[i] : work->u[i] - x[2 * n] + x[2 * n + 2] * (punch->plane->middle[i] - punch->pivot);
    out[n + (size_t)i] = stuck ? work->v[i] + x[2 * n + 1] : x[n + (size_t)i];
  }
  const thud_punch_drive *drive = &punch->drive;
  double l = punch->log_length, f = thud_sum(punch->context, n, work->f), t = thud_sum(punch->context, n, work->t);
  out[2 * n] = drive->depth_given ? x[2 * n] - l * f : f;
  out[2 * n + 1] = !thud_punch_has_shift(punch) ? x[2 * n + 1] : drive->shift_given ? x[2 * n + 1] + l * t : t;
  out[2 * n + 2] = x[2 * n + 2];
  if (!drive->moment_given) return;
  for (size_t i = 0; i < n; i++) work->u[i] = work->f[i] * (punch->plane->middle[i] - punch->pivot);
  out[2 * n + 2] = thud_sum(punch->context, n, work->u);
}

/* The inverse of the circulant matrix on the elements of one block that are unknown, the identity elsewhere. */
static void precondition(iteration *work, const double *x, double *out) {
  thud_punch *punch = work->punch;
  size_t n = work->n;
  memcpy(out, x, work->size * sizeof *x);
  for (thud_index i = 0; i < punch->n; i++) {
    work->f[i] = punch->state[i] == THUD_PUNCH_OPEN ? 0 : x[i];
    work->t[i] = thud_punch_is_stuck(punch, i) ? x[n + (size_t)i] : 0;
  }
  thud_half_plane_unproduct(punch->plane, work->f, work->u);
  thud_half_plane_unproduct(punch->plane, work->t, work->v);
  for (thud_index i = 0; i < punch->n; i++) {
    if (punch->state[i] != THUD_PUNCH_OPEN) out[i] = work->u[i];
    if (thud_punch_is_stuck(punch, i)) out[n + (size_t)i] = work->v[i];
  }
}

static void right_hand_side(const iteration *work, double *b) {
  const thud_punch *punch = work->punch;
  size_t n = work->n;
  for (thud_index i = 0; i < punch->n; i++) {
    b[i] = punch->state[i] == THUD_PUNCH_OPEN ? 0 : -punch->gap0[i];
    b[n + (size_t)i] = thud_punch_is_stuck(punch, i) ? punch->v0[i] : 0;
  }
  b[2 * n] = punch->normal;
  b[2 * n + 1] = thud_punch_has_shift(punch) ? punch->tangential : 0;
  b[2 * n + 2] = punch->drive.moment_given ? punch->moment : 0;
}

/* Turns column k of the Hessenberg matrix into one of R; |g[k+1]| is the residual then. */
static void rotate(iteration *work, int k) {
  for (int j = 0; j < k; j++) {
    double a = work->h[j][k], b = work->h[j + 1][k];
    work->h[j][k] = work->c[j] * a + work->s[j] * b;
    work->h[j + 1][k] = -work->s[j] * a + work->c[j] * b;
  }
  double a = work->h[k][k], b = work->h[k + 1][k], r = hypot(a, b);
  work->c[k] = r > 0 ? a / r : 1;
  work->s[k] = r > 0 ? b / r : 0;
  work->h[k][k] = r;
  work->g[k + 1] = -work->s[k] * work->g[k];
  work->g[k] *= work->c[k];
}

/* One vector more; returns the residual. */
static double extend(iteration *work, int k) {
  thud_context *context = work->punch->context;
  double *next = work->basis + (size_t)(k + 1) * work->size;
  precondition(work, work->basis + (size_t)k * work->size, work->z);
  apply(work, work->z, next);
  for (int j = 0; j <= k; j++) {
    const double *old = work->basis + (size_t)j * work->size;
    work->h[j][k] = thud_dot(context, work->size, next, old);
    for (size_t i = 0; i < work->size; i++) next[i] -= work->h[j][k] * old[i];
  }
  double norm = thud_norm2(context, work->size, next);
  work->h[k + 1][k] = norm;
  for (size_t i = 0; i < work->size && norm > 0; i++) next[i] /= norm;
  rotate(work, k);
  return fabs(work->g[k + 1]);
}

/* x += preconditioner (basis y), R y = g. */
static void update(iteration *work, int count, double *x) {
  double y[BASIS];
  for (int k = count - 1; k >= 0; k--) {
    y[k] = work->g[k];
    for (int j = k + 1; j < count; j++) y[k] -= work->h[k][j] * y[j];
    y[k] = work->h[k][k] != 0 ? y[k] / work->h[k][k] : 0;
  }
  memset(work->y, 0, work->size * sizeof *work->y);
  for (int k = 0; k < count; k++)
    for (size_t i = 0; i < work->size; i++) work->y[i] += y[k] * work->basis[(size_t)k * work->size + i];
  precondition(work, work->y, work->z);
  for (size_t i = 0; i < work->size; i++) x[i] += work->z[i];
}

/* GMRES from x; true when the residual has come below error |b|. */
static bool iterate(iteration *work, const double *b, double error, double *x) {
  thud_context *context = work->punch->context;
  double target = error * thud_norm2(context, work->size, b);
  for (int restart = 0; restart < RESTARTS; restart++) {
    double *first = work->basis;
    apply(work, x, first);
    for (size_t i = 0; i < work->size; i++) first[i] = b[i] - first[i];
    double norm = thud_norm2(context, work->size, first);
    if (norm <= target) return true;
    for (size_t i = 0; i < work->size; i++) first[i] /= norm;
    work->g[0] = norm;
    int count = 0;
    while (count < BASIS && extend(work, count) > 0.5 * target) count++;
    update(work, count < BASIS ? count + 1 : count, x);
  }
  return false;
}

static void take(const iteration *work, const double *x) {
  thud_punch *punch = work->punch;
  expand(work, x, punch->f, punch->t);
  punch->depth = x[2 * work->n];
  punch->shift = thud_punch_has_shift(punch) ? x[2 * work->n + 1] : 0;
  punch->tilt = punch->drive.moment_given ? x[2 * work->n + 2] : 0;
}

thud_error thud_punch_iterate(thud_punch *punch) {
  thud_context *context = punch->context;
  iteration *work = THUD_NEW(context, iteration);
  if (work == NULL) return THUD_ERROR_MEMORY;
  size_t n = (size_t)punch->n, size = 2 * n + 3;
  work->punch = punch;
  work->n = n;
  work->size = size;
  work->basis = THUD_NEW_ARRAY(context, double, size *(BASIS + 1));
  double *room = THUD_NEW_ARRAY(context, double, 4 * size + 4 * n);
  thud_error error = work->basis != NULL && room != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  if (error == THUD_OK) {
    double *b = room, *x = room + size;
    work->y = room + 2 * size;
    work->z = room + 3 * size;
    work->f = room + 4 * size;
    work->t = work->f + n;
    work->u = work->t + n;
    work->v = work->u + n;
    right_hand_side(work, b);
    if (iterate(work, b, punch->options.linear_error, x))
      take(work, x);
    else
      error = thud_fail(context, THUD_ERROR_NOT_CONVERGED,
                        "punch: the equations of %d elements in contact are not solved to %g by iteration; raise "
                        "linear_error or dense_elements",
                        (int)punch->contact_count, punch->options.linear_error);
  }
  thud_free(context, room);
  thud_free(context, work->basis);
  thud_free(context, work);
  return error;
}
