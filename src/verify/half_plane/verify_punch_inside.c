/* Stress and displacement inside a half-plane, by quadrature of the solution for one force on the surface (Flamant): the
 * solver has primitives. */
#include "verify/half_plane/verify_punch.h"
#include "verify/verify_channels.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* Gauss' rule with 8 points on [-1, 1], half of it; on intervals not longer than half of their distance from the point it errs
 * by less than 1e-12. */
static const double points[4] = {0.18343464249564980494, 0.52553240991632898582, 0.79666647741362673959,
                                 0.96028985649753623168};
static const double weights[4] = {0.36268378337836198297, 0.31370664587788728734, 0.22238103445337447054,
                                  0.10122853629037625915};
static const double RULE = 1e-11;
enum { MOST_POINTS = 48, MOST_FRAMES = 6 };

/* What the force density (p, q) at the distance X to the left of a point at depth y gives there. */
static void add_force(const verify_punch *punch, double X, double y, double p, double q, double factor,
                      double sum[VERIFY_PUNCH_INSIDE]) {
  double r2 = X * X + y * y, push = -2 / pi * (q * X + p * y) / (r2 * r2),
         log_of = log(r2 / (punch->datum * punch->datum));
  double nu = (1 - 2 * punch->coupling) / (2 * (1 - punch->coupling)), E = punch->modulus * (1 - nu * nu);
  double straight = (1 - nu * nu) / (pi * E), round = (1 + nu) / (pi * E), across = (1 - 2 * nu) * (1 + nu) / (pi * E);
  double turn = atan2(X, y);
  sum[0] += factor * push * X * X;
  sum[1] += factor * push * y * y;
  sum[2] += factor * push * X * y;
  sum[4] += factor * (q * (-straight * log_of - round * y * y / r2) + p * (-across * turn + round * X * y / r2));
  sum[5] += factor * (p * (-straight * log_of + round * y * y / r2) + q * (across * turn + round * X * y / r2));
}

/* Forces at the distances from a to b. */
static void integrate(const verify_punch *punch, double a, double b, double y, double p, double q,
                      double sum[VERIFY_PUNCH_INSIDE]) {
  double middle = (a + b) / 2, half = (b - a) / 2, near = a > 0 ? a : b < 0 ? -b : 0;
  if (2 * half > hypot(near, y) / 2) {
    integrate(punch, a, middle, y, p, q, sum);
    integrate(punch, middle, b, y, p, q, sum);
    return;
  }
  for (int k = 0; k < 4; k++) {
    add_force(punch, middle - half * points[k], y, p, q, half * weights[k], sum);
    add_force(punch, middle + half * points[k], y, p, q, half * weights[k], sum);
  }
}

/* One point of one frame, beside the numbers of the record. */
static void compare_point(const verify_punch_motion *m, size_t k, size_t i, thud_verify_check *check) {
  static const char *const names[VERIFY_PUNCH_INSIDE] = {"sxx", "syy", "sxy", "tau", "ux", "uy"};
  const verify_punch *punch = m->punch;
  const double *p = m->pressure + k * punch->n, *q = m->traction + k * punch->n;
  double sum[VERIFY_PUNCH_INSIDE] = {0}, largest = 0, x = punch->inside[2 * i], y = punch->inside[2 * i + 1];
  for (size_t j = 0; j < punch->n; j++) {
    if (p[j] == 0 && q[j] == 0) continue;
    largest = fmax(largest, fabs(p[j]) + fabs(q[j]));
    integrate(punch, x - punch->edges[j + 1], x - punch->edges[j], y, p[j], q[j], sum);
  }
  sum[3] = hypot((sum[0] - sum[1]) / 2, sum[2]);
  double displaced = thud_verify_punch_size(m, k) * (1 + fabs(log(y / punch->datum)));
  for (size_t c = 0; c < VERIFY_PUNCH_INSIDE; c++) {
    double found = m->inside[c][k * punch->inside_count + i], size = c < 4 ? largest : displaced;
    if (thud_verify_tally(check, fabs(found - sum[c]), RULE * size + DBL_MIN, 0, m->t[k], k))
      thud_verify_explain(check, "'%s' at (%g, %g)", names[c], x, y);
  }
}

/* `tau` follows from the stresses at every point. */
static void compare_shear(const verify_punch_motion *m, size_t k, thud_verify_check *check) {
  size_t count = m->punch->inside_count;
  for (size_t i = 0; i < count; i++) {
    size_t at = k * count + i;
    double tau = hypot((m->inside[0][at] - m->inside[1][at]) / 2, m->inside[2][at]);
    double size = fabs(m->inside[0][at]) + fabs(m->inside[1][at]) + fabs(m->inside[2][at]);
    thud_verify_tally(check, fabs(m->inside[3][at] - tau), 8 * DBL_EPSILON * size + DBL_MIN, 0, m->t[k], k);
  }
}

void thud_verify_punch_look_inside(const verify_punch_motion *m, thud_verify_check *check) {
  size_t count = m->punch->inside_count, looks = count < MOST_POINTS ? count : MOST_POINTS;
  if (count == 0) return;
  size_t frames = m->count < MOST_FRAMES ? m->count : MOST_FRAMES;
  for (size_t c = 0; c < VERIFY_PUNCH_INSIDE; c++)
    if (!thud_verify_all_finite(m->count * count, m->inside[c]))
      thud_verify_fail(check, NAN, SIZE_MAX, "a number inside is NaN or infinite");
  for (size_t k = 0; k < m->count; k++) compare_shear(m, k, check);
  for (size_t f = 0; f < frames; f++) {
    size_t k = m->count - 1 - f * (m->count - 1) / (frames > 1 ? frames - 1 : 1);
    for (size_t i = 0; i < looks; i++) compare_point(m, k, (f + i * count / looks) % count, check);
  }
  if (check->status == THUD_VERIFY_PASSED && (looks < count || frames < m->count))
    thud_verify_explain(check, "by quadrature at %zu of %zu points in %zu of %zu rows", looks, count, frames, m->count);
}

void thud_verify_punch_inside_names(const verify_punch_motion *m, const thud_record_reader *reader,
                                    thud_verify_check *structure) {
  static const char *const names[VERIFY_PUNCH_INSIDE] = {"sxx", "syy", "sxy", "tau", "ux", "uy"};
  const verify_punch *punch = m->punch;
  for (size_t c = 0; c < VERIFY_PUNCH_INSIDE && punch->inside_count > 0; c++) {
    size_t index;
    if (thud_record_find_role(reader, THUD_RECORD_FRAMES, names[c], &index) != THUD_OK) continue;
    const thud_record_channel *channel = thud_record_reader_channel(reader, THUD_RECORD_FRAMES, index);
    for (size_t i = 0; i < punch->inside_count && i < channel->width; i++) {
      char x[THUD_DOUBLE_CAPACITY], y[THUD_DOUBLE_CAPACITY], expected[2 * THUD_DOUBLE_CAPACITY + 8];
      thud_format_double(punch->inside[2 * i], x, sizeof x);
      thud_format_double(punch->inside[2 * i + 1], y, sizeof y);
      snprintf(expected, sizeof expected, "%s(%s,%s)", names[c], x, y);
      if (strcmp(channel->components[i], expected) == 0) continue;
      thud_verify_fail(structure, NAN, SIZE_MAX, "component %zu of '%s' is called '%s', not '%s'", i, names[c],
                       channel->components[i], expected);
      return;
    }
  }
}

static thud_error read_list(verify_punch *punch, const thud_node *list, size_t count, double *numbers) {
  if (thud_node_get_kind(list) != THUD_NODE_SEQUENCE || thud_node_count(list) != count)
    return thud_node_fail(list, THUD_ERROR_SCHEMA, "%zu numbers are needed", count);
  thud_error error = THUD_OK;
  for (size_t k = 0; k < count && error == THUD_OK; k++)
    error = thud_verify_read_constant(&punch->scene, thud_node_item(list, k), &numbers[k]);
  return error;
}

thud_error thud_verify_punch_read_inside(verify_punch *punch, const thud_node *section) {
  const thud_node *inside = thud_node_find(section, "inside"), *list, *cells;
  double box[3], count[2] = {0, 0};
  if (inside == NULL) return THUD_OK;
  list = thud_node_find(inside, "points");
  thud_error error = list != NULL ? thud_node_expect(list, THUD_NODE_SEQUENCE) : THUD_OK;
  if (list == NULL) {
    error = thud_node_require(inside, "grid", &list);
    if (error == THUD_OK) error = read_list(punch, list, 3, box);
    if (error == THUD_OK) error = thud_node_require(inside, "cells", &cells);
    if (error == THUD_OK) error = read_list(punch, cells, 2, count);
    if (error == THUD_OK && !(count[0] >= 1 && count[1] >= 1 && count[0] * count[1] <= 1e6))
      error = thud_node_fail(cells, THUD_ERROR_SCHEMA, "no numbers of cells");
  }
  if (error != THUD_OK) return error;
  bool grid = count[0] > 0;
  punch->inside_count = grid ? (size_t)count[0] * (size_t)count[1] : thud_node_count(list);
  punch->inside = THUD_NEW_ARRAY(punch->scene.context, double, 2 * punch->inside_count);
  if (punch->inside == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < punch->inside_count && error == THUD_OK; k++) {
    double *at = punch->inside + 2 * k;
    if (!grid) error = read_list(punch, thud_node_item(list, k), 2, at);
    if (grid) {
      size_t row = k / (size_t)count[0], column = k % (size_t)count[0];
      at[0] = box[0] + (box[1] - box[0]) * ((double)column + 0.5) / count[0];
      at[1] = box[2] * ((double)row + 0.5) / count[1];
    }
    if (error == THUD_OK && !(at[1] > 0)) error = thud_node_fail(list, THUD_ERROR_SCHEMA, "point %zu is not inside", k);
  }
  return error;
}
