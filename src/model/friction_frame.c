/* Is the gap of a contact with friction a distance, and is its slip tangential?
 *
 * Coulomb's law compares r_T with r_N, so both have to be forces in one unit: u_N = dg/dt and u_T have to be components
 * of one relative velocity. In generalized coordinates that cannot be seen in general, but a body that translates shows
 * it: with equal masses m along its directions the part of W that its translation gives is isotropic,
 *   sum_k a_k^2/m = sum_k s_k^2/m,   sum_k a_k s_k/m = 0      (a: gradient of the gap, s: row of a slip velocity)
 * over its coordinates k. So groups of coordinates are looked at that are not coupled in M and have the same mass. One
 * group (or part of it, since an inertia may equal a mass by accident) for which it holds is a witness that all is well;
 * without a witness the first group of two or more coordinates counts against the law. Angles are no translations:
 * coordinates are left out along which everything has the period 2 pi without being constant. A slip whose whole row is a
 * multiple of the gradient is that of the gap itself, whatever the masses. */
#include "model/system.h"

#include "base/base.h"

#include <math.h>
#include <string.h>

enum { MOST_COORDINATES = 48, MOST_PARTS = 10, MOST_NEWTON = 30 };
static const double same = 1e-3;       /* relative: what a scene may round */
static const double same_mass = 1e-12; /* relative */

typedef struct judge {
  const thud_system *system;
  thud_system_values *values;
  const thud_friction_def *law;
  size_t n, first;   /* coordinates; first slip row of the law */
  double t, scale;   /* scale: expected |a| / |s| */
  const double *v;   /* [n] */
  double *q, *other; /* [n] the place of contact, and another */
  double *mass;      /* [n*n] at the start */
  double *rows;      /* [(1+directions)*n] gradient of the gap, rows of the slips */
  bool *angle;       /* [n] */
  bool *done;        /* [n] */
} judge;

/* ---- the place ---------------------------------------------------------------------------------------------------- */

static bool evaluate(judge *j, const double *q, unsigned parts) {
  return thud_system_evaluate(j->system, j->t, q, j->v, parts, j->values) == THUD_OK;
}

/* Newton's method along the gradient, from the start to g = 0; where it fails the rows are those of the start. */
static bool go_to_contact(judge *j, const double *start) {
  size_t i = (size_t)j->law->constraint;
  memcpy(j->q, start, j->n * sizeof *start);
  for (int k = 0; k < MOST_NEWTON; k++) {
    if (!evaluate(j, j->q, THUD_AT_CONSTRAINT | THUD_AT_GRADIENT)) break;
    const double *row = j->values->gradient + i * j->n;
    double square = 0, gap = j->values->gap[i], size = 0;
    for (size_t c = 0; c < j->n; c++) square += row[c] * row[c];
    if (!(square > 0)) break;
    for (size_t c = 0; c < j->n; c++) {
      j->q[c] -= gap * row[c] / square;
      size = fmax(size, fabs(j->q[c]));
    }
    if (fabs(gap) / sqrt(square) <= 1e-9 * (1 + size)) return evaluate(j, j->q, THUD_AT_GRADIENT | THUD_AT_FRICTION);
  }
  memcpy(j->q, start, j->n * sizeof *start);
  return evaluate(j, j->q, THUD_AT_GRADIENT | THUD_AT_FRICTION);
}

/* Row d of the values at hand: 0 the gradient, then the slips. */
static const double *row_at(const judge *j, size_t d) {
  return d == 0 ? j->values->gradient + (size_t)j->law->constraint * j->n : j->values->slip + (j->first + d - 1) * j->n;
}

/* Largest difference of the rows from those at the place of contact, moved by `step` along coordinate k. */
static double change_along(judge *j, size_t k, double step) {
  double most = 0;
  memcpy(j->other, j->q, j->n * sizeof *j->q);
  j->other[k] += step;
  if (!evaluate(j, j->other, THUD_AT_GRADIENT | THUD_AT_FRICTION)) return INFINITY;
  for (size_t d = 0; d <= (size_t)j->law->directions; d++)
    for (size_t c = 0; c < j->n; c++) most = fmax(most, fabs(row_at(j, d)[c] - j->rows[d * j->n + c]));
  return most;
}

/* Whether coordinate k moves the gap or a slip. */
static bool moves(const judge *j, size_t k) {
  for (size_t d = 0; d <= (size_t)j->law->directions; d++)
    if (j->rows[d * j->n + k] != 0) return true;
  return false;
}

static void find_rows(judge *j) {
  const double turn = 6.283185307179586;
  double size = 0;
  for (size_t d = 0; d <= (size_t)j->law->directions; d++)
    memcpy(j->rows + d * j->n, row_at(j, d), j->n * sizeof *j->rows);
  for (size_t c = 0; c < (1 + (size_t)j->law->directions) * j->n; c++) size = fmax(size, fabs(j->rows[c]));
  for (size_t k = 0; k < j->n; k++)
    j->angle[k] = moves(j, k) && change_along(j, k, 1) > same * size && change_along(j, k, turn) <= 1e-9 * size;
}

/* ---- groups ------------------------------------------------------------------------------------------------------- */

static double product(const judge *j, size_t d, size_t e, size_t count, const size_t *group, unsigned part) {
  double sum = 0;
  for (size_t k = 0; k < count; k++)
    if (part >> k & 1U) sum += j->rows[d * j->n + group[k]] * j->rows[e * j->n + group[k]];
  return sum;
}

/* What a part of a group shows: the largest |cosine| between gap and slips, and the ratio of their lengths that is
 * nearest to the expected one. NaN: nothing. */
static thud_model_frame look(const judge *j, size_t count, const size_t *group, unsigned part) {
  thud_model_frame found = {.scale = NAN};
  double normal = product(j, 0, 0, count, group, part);
  for (size_t d = 1; normal > 0 && d <= (size_t)j->law->directions; d++) {
    double slip = product(j, d, d, count, group, part);
    if (!(slip > 0)) continue;
    double cosine = fabs(product(j, 0, d, count, group, part)) / sqrt(normal * slip), scale = sqrt(normal / slip);
    if (cosine > found.cosine || isnan(found.scale)) found.direction = (thud_index)d - 1;
    found.cosine = fmax(found.cosine, cosine);
    if (isnan(found.scale) || fabs(log(scale / j->scale)) < fabs(log(found.scale / j->scale))) found.scale = scale;
  }
  return found;
}

static bool is_good(const judge *j, thud_model_frame found) {
  return !isnan(found.scale) && found.cosine <= same && fabs(found.scale - j->scale) <= same * j->scale;
}

/* Not coupled with other coordinates, and moves the gap or a slip. */
static bool is_separate(const judge *j, size_t k) {
  for (size_t c = 0; c < j->n; c++)
    if (c != k && j->mass[k * j->n + c] != 0) return false;
  return moves(j, k) && !j->angle[k];
}

/* The coordinates with the mass of coordinate k, at most MOST_PARTS of them. */
static size_t group_of(judge *j, size_t k, size_t group[MOST_PARTS]) {
  size_t count = 0;
  double mass = j->mass[k * j->n + k];
  for (size_t c = k; c < j->n && count < MOST_PARTS; c++) {
    if (j->done[c] || !is_separate(j, c) || fabs(j->mass[c * j->n + c] - mass) > same_mass * mass) continue;
    j->done[c] = true;
    group[count++] = c;
  }
  return count;
}

static void judge_groups(judge *j, thud_model_frame *found) {
  for (size_t k = 0; k < j->n; k++) {
    size_t group[MOST_PARTS], count = group_of(j, k, group);
    unsigned whole = (1U << count) - 1;
    if (count < 2) continue;
    thud_model_frame here = look(j, count, group, whole);
    for (unsigned part = 1; part <= whole; part++)
      if (is_good(j, look(j, count, group, part))) {
        *found = (thud_model_frame){.scale = NAN};
        return;
      }
    if (isnan(found->scale)) *found = here;
  }
}

/* A slip that is the velocity of the gap, also one of a single coordinate. */
static void judge_rows(const judge *j, thud_model_frame *found) {
  for (size_t k = 0; k < j->n; k++)
    if (j->angle[k] && j->rows[k] != 0) return;
  for (size_t d = 1; d <= (size_t)j->law->directions; d++) {
    double normal = 0, slip = 0, both = 0;
    for (size_t k = 0; k < j->n; k++) {
      normal += j->rows[k] * j->rows[k];
      slip += j->rows[d * j->n + k] * j->rows[d * j->n + k];
      both += j->rows[k] * j->rows[d * j->n + k];
    }
    if (!(slip > 0) || fabs(both) < (1 - 1e-12) * sqrt(normal * slip)) continue;
    *found = (thud_model_frame){.scale = sqrt(normal / slip), .cosine = 1, .direction = (thud_index)d - 1};
  }
}

/* ---- the whole ---------------------------------------------------------------------------------------------------- */

static void end_judge(thud_context *context, judge *j) {
  thud_system_values_destroy(context, j->values);
  thud_free(context, j->q);
  thud_free(context, j->other);
  thud_free(context, j->mass);
  thud_free(context, j->rows);
  thud_free(context, j->angle);
  thud_free(context, j->done);
}

static thud_error begin_judge(thud_context *context, const thud_system *system, judge *j) {
  size_t n = system->n;
  j->n = n;
  j->q = THUD_NEW_ARRAY(context, double, n);
  j->other = THUD_NEW_ARRAY(context, double, n);
  j->mass = THUD_NEW_ARRAY(context, double, n *n);
  j->rows = THUD_NEW_ARRAY(context, double, (1 + (size_t)j->law->directions) * n);
  j->angle = THUD_NEW_ARRAY(context, bool, n);
  j->done = THUD_NEW_ARRAY(context, bool, n);
  bool complete =
      j->q != NULL && j->other != NULL && j->mass != NULL && j->rows != NULL && j->angle != NULL && j->done != NULL;
  return complete ? thud_system_values_create(context, system, &j->values) : THUD_ERROR_MEMORY;
}

/* The scale that is expected at the place of contact. */
static bool find_scale(judge *j, thud_index law, thud_model_fn scales, void *user, double *room) {
  if (scales(user, j->t, j->q, j->v, room) != 0) return false;
  j->scale = room[law];
  return j->scale > 0;
}

thud_error thud_model_friction_frame(thud_context *context, const thud_system *system, thud_index law, double t,
                                     const double *q, const double *v, thud_model_fn scales, void *user, double *room,
                                     thud_model_frame *found) {
  *found = (thud_model_frame){.scale = NAN};
  judge j = {.system = system, .law = thud_system_friction(system, law), .t = t, .v = v};
  if (j.law->constraint < 0 || j.law->kind == THUD_FRICTION_FIRM || system->n > MOST_COORDINATES ||
      !thud_system_has_constant_mass(system))
    return THUD_OK;
  for (thud_index k = 0; k < law; k++) j.first += (size_t)thud_system_friction(system, k)->directions;
  thud_error error = begin_judge(context, system, &j);
  if (error == THUD_OK && evaluate(&j, q, THUD_AT_MASS)) {
    memcpy(j.mass, j.values->mass, j.n * j.n * sizeof *j.mass);
    if (go_to_contact(&j, q) && find_scale(&j, law, scales, user, room)) {
      find_rows(&j);
      judge_groups(&j, found);
      if (isnan(found->scale)) judge_rows(&j, found);
      found->expected = j.scale;
    }
  }
  end_judge(context, &j);
  return error;
}

bool thud_model_frame_tangential(const thud_model_frame *found) { return isnan(found->scale) || found->cosine <= same; }
