#include "study/study_path.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define NONE ((size_t)-1)

thud_error thud_study_path_create(thud_context *context, size_t n, size_t capacity, study_path *path) {
  size_t total;
  *path = (study_path){.context = context, .n = n, .capacity = capacity};
  if (!thud_size_multiply(n, capacity, &total)) return THUD_ERROR_OVERFLOW;
  path->t = THUD_NEW_ARRAY(context, double, capacity);
  path->q = THUD_NEW_ARRAY(context, double, total);
  path->v_left = THUD_NEW_ARRAY(context, double, total);
  path->v = THUD_NEW_ARRAY(context, double, total);
  path->length = thud_alloc(context, capacity, 2 * sizeof(double));
  if (path->t != NULL && path->q != NULL && path->v_left != NULL && path->v != NULL && path->length != NULL)
    return THUD_OK;
  thud_study_path_free(path);
  return THUD_ERROR_MEMORY;
}

thud_error thud_study_path_keep_contacts(study_path *path, size_t m, size_t r) {
  size_t marks, numbers;
  if (!thud_size_multiply(m + 1, path->capacity, &marks) || !thud_size_multiply(r, path->capacity, &numbers))
    return THUD_ERROR_OVERFLOW;
  path->m = m;
  path->r = r;
  path->reaction = THUD_NEW_ARRAY(path->context, double, numbers);
  path->atom = THUD_NEW_ARRAY(path->context, bool, marks);
  path->state = THUD_NEW_ARRAY(path->context, unsigned char, marks);
  return path->reaction != NULL && path->atom != NULL && path->state != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

void thud_study_path_free(study_path *path) {
  if (path->context == NULL) return;
  thud_free(path->context, path->t);
  thud_free(path->context, path->q);
  thud_free(path->context, path->v_left);
  thud_free(path->context, path->v);
  thud_free(path->context, path->length);
  thud_free(path->context, path->reaction);
  thud_free(path->context, path->atom);
  thud_free(path->context, path->state);
  *path = (study_path){0};
}

double thud_study_significant(double distance, const study_path *path, const double *values) {
  double size = 0;
  for (size_t k = 0; k < path->count * path->n; k++) size = fmax(size, fabs(values[k]));
  return distance <= (double)path->count * DBL_EPSILON * size ? 0 : distance;
}

double thud_study_distance(size_t n, const double *a, const double *b) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sqrt(sum);
}

/* Length of the filled graph up to the node that was just added. */
static void measure(study_path *path) {
  size_t n = path->n, k = path->count - 1;
  const double *left = path->v_left + k * n, *right = path->v + k * n;
  double *length = path->length + 2 * k;
  length[0] = k > 0 ? length[-1] + hypot(path->t[k] - path->t[k - 1], thud_study_distance(n, right - n, left)) : 0;
  length[1] = length[0] + thud_study_distance(n, left, right);
}

void thud_study_path_add(study_path *path, const thud_stepping_frame *frame) {
  size_t n = path->n, at = path->count * n;
  if (path->count == path->capacity) return;
  if (path->reaction != NULL) {
    memcpy(path->reaction + path->count * path->r, frame->reaction, path->r * sizeof(double));
    memcpy(path->atom + path->count * path->m, frame->atom, path->m * sizeof(bool));
  }
  path->t[path->count++] = frame->t;
  memcpy(path->q + at, frame->q, n * sizeof(double));
  memcpy(path->v_left + at, frame->v_left, n * sizeof(double));
  memcpy(path->v + at, frame->v, n * sizeof(double));
  measure(path);
}

const double *thud_study_arriving(const thud_stepping_frame *frame) { return frame->impact ? frame->v_left : frame->v; }

/* Both paths cover the same time with equal steps, the fine one with a multiple of the coarse one's. */
static size_t ratio_of(const study_path *coarse, const study_path *fine) {
  return coarse->count > 1 ? (fine->count - 1) / (coarse->count - 1) : 1;
}

double thud_study_position_distance(const study_path *coarse, const study_path *fine) {
  size_t ratio = ratio_of(coarse, fine), n = coarse->n;
  double worst = 0;
  for (size_t k = 0; k < coarse->count; k++)
    worst = fmax(worst, thud_study_distance(n, coarse->q + k * n, fine->q + k * ratio * n));
  return worst;
}

double thud_study_velocity_distance(const study_path *coarse, const study_path *fine) {
  size_t ratio = ratio_of(coarse, fine), n = coarse->n;
  double sum = 0;
  for (size_t k = 0; k + 1 < fine->count; k++)
    sum += (fine->t[k + 1] - fine->t[k]) * thud_study_distance(n, coarse->v + k / ratio * n, fine->v + k * n);
  return sum;
}

/* ---- filled graphs ---------------------------------------------------------------------------------------------- */

/* Points of the filled graph, two per node: (t, v_left) and (t, v). */
static const double *point_of(const study_path *path, size_t k, double *t) {
  *t = path->t[k / 2];
  return (k % 2 == 0 ? path->v_left : path->v) + k / 2 * path->n;
}

/* Distance of (t, v) to the segment between points k and k+1. */
static double segment_distance(const study_path *path, size_t k, double t, const double *v) {
  double ta, tb, along = 0, length = 0;
  const double *a = point_of(path, k, &ta), *b = point_of(path, k + 1, &tb);
  along += (t - ta) * (tb - ta);
  length += (tb - ta) * (tb - ta);
  for (size_t i = 0; i < path->n; i++) {
    along += (v[i] - a[i]) * (b[i] - a[i]);
    length += (b[i] - a[i]) * (b[i] - a[i]);
  }
  double s = length > 0 ? fmin(1, fmax(0, along / length)) : 0;
  double dt = ta + s * (tb - ta) - t, sum = dt * dt;
  for (size_t i = 0; i < path->n; i++) {
    double d = a[i] + s * (b[i] - a[i]) - v[i];
    sum += d * d;
  }
  return sqrt(sum);
}

/* The first segment after k that may come nearer to a point than `best` when segment k is `distance` away from it: on
 * a curve the distance changes at most by the length passed. last: number of segments. */
static size_t next_segment(const study_path *path, size_t k, double distance, double best, size_t last) {
  double reach = path->length[k + 1] + (distance - best);
  size_t step = 1, low = k + 1, high; /* segment low ends within reach or is k + 1 */
  while (low + step < last && path->length[low + step + 1] <= reach) {
    low += step;
    step *= 2;
  }
  for (high = low + step < last ? low + step : last; low < high;) { /* the first one that ends beyond */
    size_t middle = low + (high - low) / 2;
    if (path->length[middle + 1] <= reach)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* The same before k; NONE when there is none. */
static size_t segment_before(const study_path *path, size_t k, double distance, double best) {
  double reach = path->length[k] - (distance - best);
  size_t step = 1, high = k; /* segments from high on begin within reach, those before low do not */
  while (step <= high && path->length[high - step] >= reach) {
    high -= step;
    step *= 2;
  }
  for (size_t low = step <= high ? high - step : 0; low < high;) { /* the first one that begins within */
    size_t middle = low + (high - low) / 2;
    if (path->length[middle] >= reach)
      high = middle;
    else
      low = middle + 1;
  }
  return high > 0 ? high - 1 : NONE;
}

/* The first segment that ends at t or later, the last one when there is none. */
static size_t segment_at(const study_path *path, double t) {
  size_t low = 0, high = 2 * path->count - 2;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (path->t[(middle + 1) / 2] < t)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Nearest distance of (t, v) to the segments that were looked at: those around t first, then outwards as long as they
 * may be nearer than `enough`, or (exact) than the nearest so far. It ends when one is not further away than `enough`.
 */
static double search(const study_path *path, double t, const double *v, double enough, bool exact) {
  size_t last = 2 * path->count - 1; /* segments 0 .. last-1 */
  size_t up = segment_at(path, t), down = up;
  double best = segment_distance(path, up, t, v), above = best, below = best;
  while ((up < last || down != NONE) && best > enough) {
    double bound = exact ? best : enough;
    if (up < last) up = next_segment(path, up, above, bound, last);
    if (up < last && path->t[up / 2] - t >= bound) up = last;
    if (up < last) best = fmin(best, above = segment_distance(path, up, t, v));
    if (down != NONE) down = segment_before(path, down, below, bound);
    if (down != NONE && t - path->t[(down + 1) / 2] >= bound) down = NONE;
    if (down != NONE) best = fmin(best, below = segment_distance(path, down, t, v));
  }
  return best;
}

/* Distance of (t, v) to the whole graph; exact only when it is more than `enough`, which few points are. */
static double point_distance(const study_path *path, double t, const double *v, double enough) {
  double near = search(path, t, v, enough, false);
  return near > enough ? search(path, t, v, enough, true) : near;
}

/* sup over the vertices of a: the distance to a convex piece (a segment) is largest at the ends of a segment as long as
 * one piece of b is the nearest; where it changes in between, the next refinement has a vertex. The vertices are
 * visited in strides: a large distance is met early, and most others need not be known exactly. */
static double one_sided(const study_path *a, const study_path *b) {
  enum { STRIDE = 1021 }; /* a prime; passes k, k + STRIDE, ... for k = 0 .. STRIDE-1 */
  size_t count = 2 * a->count;
  double worst = 0, t;
  for (size_t first = 0; first < STRIDE && first < count; first++)
    for (size_t k = first; k < count; k += STRIDE) {
      const double *v = point_of(a, k, &t);
      worst = fmax(worst, point_distance(b, t, v, worst));
    }
  return worst;
}

double thud_study_graph_distance(const study_path *a, const study_path *b) {
  if (a->count < 2 || b->count < 2) return 0;
  return fmax(one_sided(a, b), one_sided(b, a));
}
