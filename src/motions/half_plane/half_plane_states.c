/* The states of the elements of a punch, open, sticking or slipping: the linear equations of given states, and the search
 * for states that satisfy the laws. */
#include "base/base.h"
#include "linalg/dense.h"
#include "motions/half_plane/half_plane.h"

#include <math.h>
#include <string.h>

/* ---- the equations of given states ------------------------------------------------------------------------------- */

/* The linear equations of a punch whose elements have given states:
 *
 *   N f + gamma C t - depth + tilt (x - pivot) = -gap0    on elements in contact,
 *   N t - gamma C f + shift = v0      on those that stick,         t = s F f on those that slip, f = t = 0 on open ones,
 *   sum f = 1,    or depth - l sum f = a given depth,
 *   sum t = Q/P,  or shift + l sum t = a given shift,       l = ln(half-width/datum)/pi,
 *   sum f (x - pivot) = a given moment, or tilt = 0 (a given tilt is a part of gap0).
 *
 * The punch displacements are unknowns, the resultants equations: on forces with the sum 0 the logarithmic form is
 * positive for any width. */

/* ---- equations without a matrix ---------------------------------------------------------------------------------- */

/* The equations of a punch on a uniform mesh without a matrix: GMRES with products by FFT, preconditioned on the right
 * by the inverse of the circulant matrix that the kernel is a part of. Unknowns: forces of all elements (0 where an
 * equation says so), depth, shift and tilt; the equations are above. */

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

/* f, t, depth, shift and tilt on a uniform mesh; the lists of elements are made. */
static thud_error iterate_states(thud_punch *punch) {
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

/* ---- equations with a matrix ------------------------------------------------------------------------------------- */

static void list_elements(thud_punch *punch) {
  punch->contact_count = punch->stick_count = 0;
  for (thud_index i = 0; i < punch->n; i++) {
    if (punch->state[i] == THUD_PUNCH_OPEN) continue;
    punch->contact[punch->contact_count++] = i;
    if (thud_punch_is_stuck(punch, i)) punch->stick[punch->stick_count++] = i;
  }
}

static void fill_normal_column(thud_punch *punch, thud_index size, thud_index k) {
  const thud_half_plane *plane = punch->plane;
  thud_index n = punch->contact_count, m = punch->stick_count, j = punch->contact[k], row = n + m;
  double gamma = plane->material.coupling, ratio = thud_punch_slip_ratio(punch, j);
  double *column = punch->matrix + thud_at(size, 0, k);
  for (thud_index r = 0; r < n; r++) {
    thud_index i = punch->contact[r];
    column[r] = thud_half_plane_normal(plane, i, j);
    if (ratio != 0) column[r] += gamma * ratio * thud_half_plane_cross(plane, i, j);
  }
  for (thud_index r = 0; r < m; r++) {
    thud_index i = punch->stick[r];
    column[n + r] = -gamma * thud_half_plane_cross(plane, i, j);
    if (ratio != 0) column[n + r] += ratio * thud_half_plane_normal(plane, i, j);
  }
  column[row++] = punch->drive.depth_given ? -punch->log_length : 1;
  if (thud_punch_has_shift(punch)) column[row++] = ratio * (punch->drive.shift_given ? punch->log_length : 1);
  if (punch->drive.moment_given) column[row] = plane->middle[j] - punch->pivot;
}

static void fill_stick_column(thud_punch *punch, thud_index size, thud_index k) {
  const thud_half_plane *plane = punch->plane;
  thud_index n = punch->contact_count, m = punch->stick_count, j = punch->stick[k];
  double *column = punch->matrix + thud_at(size, 0, n + k);
  for (thud_index r = 0; r < n; r++)
    column[r] = plane->material.coupling * thud_half_plane_cross(plane, punch->contact[r], j);
  for (thud_index r = 0; r < m; r++) column[n + r] = thud_half_plane_normal(plane, punch->stick[r], j);
  column[n + m] = 0;
  column[n + m + 1] = punch->drive.shift_given ? punch->log_length : 1;
  if (punch->drive.moment_given) column[n + m + 2] = 0;
}

static void fill(thud_punch *punch, thud_index size) {
  thud_index n = punch->contact_count, m = punch->stick_count, depth = n + m, shift = depth + 1;
  thud_index tilt = shift + (thud_punch_has_shift(punch) ? 1 : 0);
  for (thud_index k = 0; k < n; k++) fill_normal_column(punch, size, k);
  for (thud_index k = 0; k < m; k++) fill_stick_column(punch, size, k);
  memset(punch->matrix + thud_at(size, 0, n + m), 0, (size_t)size * (size_t)(size - n - m) * sizeof *punch->matrix);
  for (thud_index r = 0; r < n; r++) {
    punch->matrix[thud_at(size, r, depth)] = -1;
    if (punch->drive.moment_given)
      punch->matrix[thud_at(size, r, tilt)] = punch->plane->middle[punch->contact[r]] - punch->pivot;
    punch->right[r] = -punch->gap0[punch->contact[r]];
  }
  for (thud_index r = 0; r < m; r++) {
    punch->matrix[thud_at(size, n + r, shift)] = 1;
    punch->right[n + r] = punch->v0[punch->stick[r]];
  }
  if (punch->drive.depth_given) punch->matrix[thud_at(size, depth, depth)] = 1;
  if (punch->drive.shift_given && tilt > shift) punch->matrix[thud_at(size, shift, shift)] = 1;
  punch->right[depth] = punch->normal;
  if (tilt > shift) punch->right[shift] = punch->tangential;
  if (punch->drive.moment_given) punch->right[tilt] = punch->moment;
}

static thud_error reserve(thud_punch *punch, size_t size) {
  size_t entries = 0;
  if (!thud_size_multiply(size, size, &entries))
    return thud_fail(punch->context, THUD_ERROR_OVERFLOW, "punch: a dense system of %zu unknowns", size);
  thud_error error =
      thud_array_reserve(punch->context, &punch->matrix, &punch->matrix_capacity, entries, sizeof *punch->matrix);
  if (error == THUD_OK)
    error = thud_array_reserve(punch->context, &punch->right, &punch->right_capacity, size, sizeof *punch->right);
  if (error == THUD_OK)
    error = thud_array_reserve(punch->context, &punch->pivots, &punch->pivot_capacity, size, sizeof *punch->pivots);
  return error;
}

static thud_error solve_dense(thud_punch *punch) {
  bool moves = thud_punch_has_shift(punch), turns = punch->drive.moment_given;
  thud_index n = punch->contact_count, m = punch->stick_count, size = n + m + 1 + (moves ? 1 : 0) + (turns ? 1 : 0);
  thud_error error = reserve(punch, (size_t)size);
  if (error != THUD_OK) return error;
  fill(punch, size);
  if (!thud_dense_solve_in_place(size, punch->matrix, punch->right, punch->pivots))
    return thud_fail(punch->context, THUD_ERROR_SINGULAR,
                     "punch: the equations of %d elements in contact, %d of them sticking, are singular", (int)n,
                     (int)m);
  for (thud_index k = 0; k < n; k++) {
    thud_index j = punch->contact[k];
    punch->f[j] = punch->right[k];
    punch->t[j] = thud_punch_slip_ratio(punch, j) * punch->f[j];
  }
  for (thud_index k = 0; k < m; k++) punch->t[punch->stick[k]] = punch->right[n + k];
  punch->depth = punch->right[n + m];
  punch->shift = moves ? punch->right[n + m + 1] : 0;
  punch->tilt = turns ? punch->right[size - 1] : 0;
  return THUD_OK;
}

/* s times the slip, without the shift, at an end of the punch that the contact reaches; -infinity where it does not. Under
 * sliding, q = s F p and u = depth - g leave v' = -s F g' - coupling (1 + F^2) p: v at the end is that in the middle of the
 * fifth element less the forces between. (The first ones are too coarse for the singular p.) The profile g and the old
 * displacement are continued along straight lines. */
static double slip_at_end(const thud_punch *punch, int s, int side) {
  enum { INSIDE = 4 };
  const thud_half_plane *plane = punch->plane;
  thud_index last = side < 0 ? 0 : punch->n - 1, i = last;
  double between = 0, F = punch->friction;
  if (plane->period > 0) return -INFINITY; /* the kernels have other terms */
  for (int k = 0; k < INSIDE; k++, i -= side) {
    if (i < 0 || i >= punch->n || punch->state[i] == THUD_PUNCH_OPEN) return -INFINITY;
    between += punch->f[i];
  }
  thud_index inner = i - side;
  if (inner < 0 || inner >= punch->n || punch->state[i] == THUD_PUNCH_OPEN) return -INFINITY;
  double way = plane->edge[side < 0 ? 0 : punch->n] - plane->middle[i];
  double per = way / (plane->middle[i] - plane->middle[inner]);
  double rise = (punch->gap0[i] - punch->gap0[inner]) * per + punch->tilt * way;
  double slip = punch->slip[i] - s * F * rise - (punch->v0[i] - punch->v0[inner]) * per;
  return s * (slip - side * plane->material.coupling * (1 + F * F) * (between + punch->f[i] / 2));
}

/* Every element slips: the punch is about to slide. The shift is the last one for which nothing slips the wrong way: the
 * largest s (v + shift - v0) in contact is 0. At the ends of a punch the slip is largest, with a slope that is not bounded:
 * the ends belong to the contact, or the shift would follow the width of the last element. Without friction every shift is
 * an equilibrium, and 0 is meant: the limit for F -> 0, where the point with half of P on either side, which nothing moves
 * along the surface, is the last one that sticks. */
static void choose_shift(thud_punch *punch) {
  if (punch->friction == 0) return;
  int s = punch->sliding < 0 ? -1 : 1;
  double largest = -INFINITY;
  for (thud_index k = 0; k < punch->contact_count; k++) largest = fmax(largest, s * punch->slip[punch->contact[k]]);
  for (int side = -1; side <= 1; side += 2) largest = fmax(largest, slip_at_end(punch, s, side));
  punch->shift = -s * largest;
  for (thud_index i = 0; i < punch->n; i++) punch->slip[i] += punch->shift;
}

/* f, t, depth, shift and tilt for the states as they are; then gap and slip everywhere. */
static thud_error solve_states(thud_punch *punch) {
  list_elements(punch);
  memset(punch->f, 0, (size_t)punch->n * sizeof *punch->f);
  memset(punch->t, 0, (size_t)punch->n * sizeof *punch->t);
  bool iterate = punch->plane->uniform && punch->contact_count > punch->options.dense_elements;
  thud_error error = iterate ? iterate_states(punch) : solve_dense(punch);
  if (error != THUD_OK) return error;
  thud_half_plane_product(punch->plane, punch->f, punch->t, punch->gap, punch->slip);
  if (punch->drive.shift_given && punch->sliding != 0) /* without friction: there is no t */
    punch->shift = punch->tangential;
  for (thud_index i = 0; i < punch->n; i++) {
    punch->gap[i] += punch->gap0[i] - punch->depth;
    if (punch->tilt != 0) punch->gap[i] += punch->tilt * (punch->plane->middle[i] - punch->pivot);
    punch->slip[i] += punch->shift - punch->v0[i];
  }
  if (punch->stick_count == 0 && !punch->drive.shift_given) choose_shift(punch);
  return THUD_OK;
}

/* ---- the search for states --------------------------------------------------------------------------------------- */

/* Which elements are open, stick and slip: states are changed where the solution of their equations violates a law.
 *
 * An element that sticks under tension first slips: the tension is often the doing of the friction it was given. One
 * that closes slips against the way it has moved: stuck where it is, far from where it would be, it would push its
 * neighbours off. All
 * violations are changed at once as long as no set of states comes back; then, for a number of sweeps that doubles each
 * time, only the outermost quarter, then only one, at last one by lot: slip and opening grow from the edges inwards. */

enum { CAREFUL_SWEEPS = 4, OUTERMOST = 4, FEW_CHANGES = 4 };

/* Unit of displacements: punch displacement and profile where it touches. */
static double displacement_scale(const thud_punch *punch) {
  double scale = fmax(1, fabs(punch->depth));
  for (thud_index k = 0; k < punch->contact_count; k++) scale = fmax(scale, fabs(punch->gap0[punch->contact[k]]));
  return scale;
}

/* Mean force of an element in contact: all of them together have the sum 1, unless the depth is given. */
static double force_scale(const thud_punch *punch) {
  double sum = punch->drive.depth_given ? fabs(thud_sum(punch->context, (size_t)punch->n, punch->f)) : 1;
  return sum / (double)punch->contact_count;
}

/* How far the numbers of an element are from its laws, relative; *wanted is the state to try next. */
static double violation(const thud_punch *punch, thud_index i, double length, double force, signed char *wanted) {
  double f = punch->f[i], t = punch->t[i], limit = punch->friction * f;
  signed char state = punch->state[i];
  *wanted = state;
  if (state == THUD_PUNCH_OPEN) {
    *wanted = punch->sliding != 0 || punch->slip[i] <= 0 ? THUD_PUNCH_FORWARD : THUD_PUNCH_BACKWARD;
    return -punch->gap[i] / length;
  }
  if (punch->sliding != 0) {
    *wanted = THUD_PUNCH_OPEN;
    return -f / force;
  }
  if (state == THUD_PUNCH_STICK) {
    *wanted = t > 0 ? THUD_PUNCH_FORWARD : THUD_PUNCH_BACKWARD;
    return fmax(-f, fabs(t) - limit) / force;
  }
  if (f < 0) {
    *wanted = THUD_PUNCH_OPEN;
    return -f / force;
  }
  *wanted = THUD_PUNCH_STICK;
  return state * punch->slip[i] / length;
}

double thud_punch_violation(const thud_punch *punch) {
  double largest = 0, length = displacement_scale(punch), force = force_scale(punch);
  signed char wanted = 0;
  for (thud_index i = 0; i < punch->n; i++) largest = fmax(largest, violation(punch, i, length, force, &wanted));
  return largest;
}

/* ---- sets that have been visited --------------------------------------------------------------------------------- */

/* FNV-1a of the states. */
static uint64_t digest(const thud_punch *punch) {
  uint64_t hash = UINT64_C(14695981039346656037);
  for (thud_index i = 0; i < punch->n; i++)
    hash = (hash ^ (unsigned char)(punch->state[i] + 1)) * UINT64_C(1099511628211);
  return hash;
}

static thud_error remember(thud_punch *punch, bool *seen) {
  uint64_t hash = digest(punch);
  *seen = false;
  for (size_t k = 0; k < punch->visited_count && !*seen; k++) *seen = punch->visited[k] == hash;
  if (*seen) return THUD_OK;
  thud_error error = thud_array_reserve(punch->context, &punch->visited, &punch->visited_capacity,
                                        punch->visited_count + 1, sizeof *punch->visited);
  if (error == THUD_OK) punch->visited[punch->visited_count++] = hash;
  return error;
}

/* ---- changes ----------------------------------------------------------------------------------------------------- */

static thud_index list_changes(thud_punch *punch) {
  thud_index count = 0;
  double length = displacement_scale(punch), force = force_scale(punch);
  signed char wanted = 0;
  for (thud_index i = 0; i < punch->n; i++)
    if (violation(punch, i, length, force, &wanted) > punch->options.tolerance) punch->changes[count++] = i;
  return count;
}

/* The elements of the list are in order from left to right: the outermost of those left is its first or its last one,
 * whichever is further from the middle of the contact. Puts `wanted` of them in front. */
static void choose_outermost(thud_punch *punch, thud_index count, thud_index wanted) {
  const double *x = punch->plane->middle;
  double middle = 0.5 * (x[punch->contact[0]] + x[punch->contact[punch->contact_count - 1]]);
  thud_index first = 0, last = count - 1;
  while (count - (last - first + 1) < wanted) {
    if (fabs(x[punch->changes[first]] - middle) > fabs(x[punch->changes[last]] - middle))
      first++;
    else
      last--;
  }
  for (thud_index k = last + 1; k < count; k++) punch->changes[first++] = punch->changes[k];
}

/* The shift is known only while something sticks. When the changes would leave nothing, the stuck element that is least
 * over its limit goes on sticking; when it was the only one, the stick zone is smaller than an element and moves: its
 * excess has to be taken by an element that slips the other way, the one that slips least. */
static void keep_one_stuck(thud_punch *punch) {
  if (punch->sliding != 0 || punch->drive.shift_given) return;
  for (thud_index i = 0; i < punch->n; i++)
    if (punch->state[i] == THUD_PUNCH_STICK) return;
  thud_index best = -1, only = punch->stick_count == 1 ? punch->stick[0] : -1;
  double least = INFINITY;
  for (thud_index k = 0; k < punch->contact_count; k++) {
    thud_index i = punch->contact[k];
    double excess = only < 0 ? fabs(punch->t[i]) - punch->friction * punch->f[i] : fabs(punch->slip[i]);
    bool allowed = only < 0 || (i != only && punch->state[i] == -punch->state[only]);
    if (allowed && excess < least) best = i, least = excess;
  }
  if (best < 0) best = only >= 0 ? only : punch->contact[punch->contact_count / 2];
  punch->state[best] = THUD_PUNCH_STICK;
}

/* Edges that move by one element per sweep (a stick zone grows only at its edges) move further: when the few changes lie
 * exactly where those of the last sweep have ended, twice as far as then. */
typedef struct edge_moves {
  thud_index last[FEW_CHANGES];
  thud_index count, stride;
} edge_moves;

static void follow_edges(const thud_punch *punch, thud_index count, edge_moves *moves) {
  bool goes_on = count <= FEW_CHANGES && count == moves->count;
  for (thud_index k = 0; k < count && goes_on; k++) {
    thud_index moved = punch->changes[k] - moves->last[k];
    goes_on = moved == moves->stride || moved == -moves->stride;
  }
  moves->stride = goes_on ? 2 * moves->stride : 1;
  moves->count = count <= FEW_CHANGES ? count : 0;
}

/* With a given moment two elements must touch, on both sides of where the resultant acts: else tilt has no equation. */
static void keep_two_touching(thud_punch *punch) {
  const double *x = punch->plane->middle, place = punch->pivot + punch->moment;
  thud_index touching = 0, left = 0;
  for (thud_index i = 0; i < punch->n; i++) {
    touching += punch->state[i] != THUD_PUNCH_OPEN;
    if (x[i] <= place && i + 1 < punch->n) left = i;
  }
  signed char state = punch->sliding != 0 ? THUD_PUNCH_FORWARD : THUD_PUNCH_STICK;
  for (thud_index i = left; touching < 2 && i <= left + 1; i++)
    if (punch->state[i] == THUD_PUNCH_OPEN) punch->state[i] = state;
}

/* Edges that were moved too far can open everything: then the element that was pressed most stays. */
void thud_punch_keep_touching(thud_punch *punch) {
  thud_index most = 0;
  bool touches = false;
  if (punch->drive.moment_given) keep_two_touching(punch);
  for (thud_index i = 0; i < punch->n; i++) {
    touches = touches || punch->state[i] != THUD_PUNCH_OPEN;
    if (punch->f[i] > punch->f[most]) most = i;
  }
  if (!touches) punch->state[most] = punch->sliding != 0 ? THUD_PUNCH_FORWARD : THUD_PUNCH_STICK;
}

static void change(thud_punch *punch, thud_index count, edge_moves *moves) {
  double length = displacement_scale(punch), force = force_scale(punch);
  for (thud_index k = 0; k < count; k++) {
    thud_index i = punch->changes[k], step = k < moves->count && i < moves->last[k] ? -1 : 1;
    signed char wanted = 0, state = punch->state[i];
    violation(punch, i, length, force, &wanted);
    for (thud_index taken = 0; taken < moves->stride && i >= 0 && i < punch->n; taken++, i += step) {
      if (punch->state[i] != state) break;
      punch->state[i] = wanted;
    }
    if (k < FEW_CHANGES) moves->last[k] = punch->changes[k];
  }
  thud_punch_keep_touching(punch);
  keep_one_stuck(punch);
}

thud_error thud_punch_find_states(thud_punch *punch, int *sweeps, bool *found) {
  int pace = 0, careful = 0;
  thud_random random = thud_random_seed(1);
  edge_moves moves = {.stride = 1};
  *found = false;
  punch->visited_count = 0;
  while (*sweeps < punch->options.sweeps) {
    bool seen = false;
    thud_error error = solve_states(punch);
    if (error == THUD_OK) error = remember(punch, &seen);
    if (error != THUD_OK) return error;
    ++*sweeps;
    thud_index count = list_changes(punch);
    if (count == 0) {
      *found = true;
      return THUD_OK;
    }
    if (seen) {
      pace++;
      punch->visited_count = 0;
      careful = CAREFUL_SWEEPS << (pace < 20 ? pace : 20);
    }
    thud_index wanted = careful == 0 ? count : pace < OUTERMOST ? (count + 3) / 4 : 1;
    if (pace > OUTERMOST && careful > 0)
      punch->changes[0] = punch->changes[thud_random_below(&random, (uint32_t)count)];
    else if (wanted < count)
      choose_outermost(punch, count, wanted);
    follow_edges(punch, wanted, &moves);
    if (careful > 0) moves.stride = 1, careful--;
    change(punch, wanted, &moves);
  }
  return THUD_OK;
}
