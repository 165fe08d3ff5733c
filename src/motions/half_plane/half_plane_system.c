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
#include "motions/half_plane/half_plane_punch.h"
#include "base/base.h"
#include "linalg/dense.h"

#include <math.h>
#include <string.h>

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

thud_error thud_punch_solve_states(thud_punch *punch) {
  list_elements(punch);
  memset(punch->f, 0, (size_t)punch->n * sizeof *punch->f);
  memset(punch->t, 0, (size_t)punch->n * sizeof *punch->t);
  bool iterate = punch->plane->uniform && punch->contact_count > punch->options.dense_elements;
  thud_error error = iterate ? thud_punch_iterate(punch) : solve_dense(punch);
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
