/* The faces F_k of the contacts, and their columns in the linear part of the problem. */
#include "solve/force_set.h"
#include "contact/problem.h"
#include "solve/entries.h"
#include "solve/lemke_lcp.h"
#include "base/base.h"

#include <math.h>
#include <string.h>

/* ---- faces ----------------------------------------------------------------------------------------------------- */

/* One disc at velocity u: free where it rests, opposite to u where it slides. */
static bool choose_part(size_t width, double low, double high, const double *u, double still, double *ray) {
  double speed = width == 1 ? fabs(u[0]) : hypot(u[0], u[1]);
  if (!(high > low)) {
    ray[0] = high; /* no friction, or a law of one point */
    return false;
  }
  if (speed <= still) return true;
  if (width == 1) {
    ray[0] = u[0] > 0 ? low : high;
  } else {
    ray[0] = -high * u[0] / speed;
    ray[1] = -high * u[1] / speed;
  }
  return false;
}

static thud_error choose_face(const thud_contact_problem *problem, const thud_contact_discs *discs, thud_index k,
                              const double *u, double still, thud_face *face) {
  const thud_disc_layout *layout = discs->layout;
  bool has_law = thud_contact_discs_law(discs, (size_t)k) != NULL;
  *face = (thud_face){.first = -1, .ray = {1}, .length = 1};
  if (u[0] > still) return THUD_OK;
  face->width = 1;
  face->general = has_law && thud_disc_layout_is_space(layout);
  for (size_t p = 0; p < layout->count; p++) {
    if (has_law && !face->general) {
      thud_error error = thud_contact_friction_interval(problem, k, &face->low[p], &face->high[p]);
      if (error != THUD_OK) return error;
    } else if (!face->general) {
      face->high[p] = discs->mu[p][k];
      face->low[p] = -face->high[p];
    }
    size_t first = layout->first[p], width = layout->width[p];
    face->free[p] =
        face->general || choose_part(width, face->low[p], face->high[p], u + first, still, face->ray + first);
    if (face->free[p]) face->width += (thud_index)width;
  }
  return THUD_OK;
}

/* Pulls (y_T1, y_T2) into the disc of this radius. */
static void pull_into_disc(double radius, double *y) {
  double length = hypot(y[0], y[1]);
  double factor = length > radius ? radius / length : 1;
  y[0] *= factor;
  y[1] *= factor;
}

/* Coordinates of the point of F_k near r_k, in the units of r. */
static void enter_face(const thud_face *face, const thud_disc_layout *layout, const double *r, double *y) {
  double *next = y + 1;
  y[0] = fmax(0, r[0]);
  for (size_t p = 0; p < layout->count; p++) {
    if (!face->free[p]) continue;
    for (size_t i = 0; i < layout->width[p]; i++) next[i] = r[layout->first[p] + i];
    if (layout->width[p] == 1)
      *next = fmin(fmax(*next, face->low[p] * y[0]), face->high[p] * y[0]);
    else if (!face->general)
      pull_into_disc(face->high[p] * y[0], next);
    next += layout->width[p];
  }
}

static void leave_face(const thud_face *face, const thud_disc_layout *layout, const double *y, double *r) {
  for (thud_index i = 0; i < layout->dimension; i++) r[i] = face->first < 0 ? 0 : face->length * y[0] * face->ray[i];
  if (face->first < 0) return;
  const double *next = y + 1;
  for (size_t p = 0; p < layout->count; p++)
    for (size_t i = 0; face->free[p] && i < layout->width[p]; i++) r[layout->first[p] + i] = face->length * *next++;
}

static bool slides(const thud_face *face) {
  for (size_t i = 1; i < THUD_CONTACT_DIMENSION_MAX; i++)
    if (face->ray[i] != 0) return true;
  return false;
}

void thud_force_set_impulses(const thud_force_set *set, const double *y, double *r) {
  for (thud_index k = 0; k < set->contacts; k++) {
    const thud_face *face = &set->faces[k];
    leave_face(face, set->layout, face->first < 0 ? NULL : y + face->first, r + (size_t)k * (size_t)set->dimension);
  }
}

/* Velocities up to this count as 0. */
static thud_error still_velocity(const thud_force_set *set, const thud_contact_problem *problem, const double *u,
                                 double *still) {
  thud_contact_evaluator *evaluator = NULL;
  thud_error error = thud_contact_evaluator_create(set->context, problem, &evaluator);
  if (error != THUD_OK) return error;
  const double *q = thud_contact_evaluator_q(evaluator);
  double size = 0;
  for (size_t i = 0; i < thud_contact_size(problem); i++) size = fmax(size, fmax(fabs(u[i]), fabs(q[i])));
  thud_contact_evaluator_destroy(evaluator);
  *still = set->options.velocity_tolerance * size;
  return THUD_OK;
}

/* How far the answer was moved, as a part of its largest component. */
static void measure_move(thud_force_set *set, const double *r, const double *y) {
  double size = 0;
  size_t d = (size_t)set->dimension;
  set->info.moved_contact = -1;
  for (size_t i = 0; i < d * (size_t)set->contacts; i++) size = fmax(size, fabs(r[i]));
  for (thud_index k = 0; k < set->contacts; k++) {
    double entered[THUD_CONTACT_DIMENSION_MAX];
    const thud_face *face = &set->faces[k];
    leave_face(face, set->layout, face->first < 0 ? NULL : y + face->first, entered);
    for (size_t i = 0; i < d && size > 0; i++) {
      double moved = fabs(entered[i] - r[(size_t)k * d + i]) / size;
      if (moved > set->info.moved) {
        set->info.moved = moved;
        set->info.moved_contact = k;
      }
    }
  }
}

thud_error thud_force_set_choose_faces(thud_force_set *set, const thud_contact_problem *problem, const double *r,
                                       const double *u) {
  double still;
  size_t d = (size_t)set->dimension;
  thud_contact_discs discs = thud_contact_discs_of(problem);
  thud_error error = still_velocity(set, problem, u, &still);
  for (thud_index k = 0; k < set->contacts && error == THUD_OK; k++) {
    thud_face *face = &set->faces[k];
    error = choose_face(problem, &discs, k, u + (size_t)k * d, still, face);
    if (face->width == 0) {
      set->info.open++;
      continue;
    }
    set->info.sliding += slides(face);
    set->info.sticking += !slides(face);
    set->has_general = set->has_general || face->general;
    face->first = set->coordinates;
    set->coordinates += face->width;
  }
  if (error != THUD_OK) return error;
  set->info.coordinates = set->coordinates;
  set->origin = THUD_NEW_ARRAY(set->context, double, (size_t)set->coordinates + 1);
  if (set->origin == NULL) return THUD_ERROR_MEMORY;
  for (thud_index k = 0; k < set->contacts; k++)
    if (set->faces[k].first >= 0)
      enter_face(&set->faces[k], set->layout, r + (size_t)k * d, set->origin + set->faces[k].first);
  measure_move(set, r, set->origin);
  return THUD_OK;
}

/* ---- columns ----------------------------------------------------------------------------------------------------- */

static thud_index linear_rows(const thud_contact_problem *problem) {
  return problem->form == THUD_FORM_LOCAL ? (thud_index)thud_contact_size(problem) + problem->bilateral
                                          : (thud_index)thud_contact_ndof(problem);
}

/* M_i^-1 J' of one body of one contact, or of one joint (`dimension` is its number of rows then). */
static void add_body(const thud_two_block *bodies, thud_index body, thud_index dimension, const double *jacobian,
                     size_t rows, double *columns) {
  size_t block = (size_t)bodies->block;
  const double *inverse = bodies->inverse_mass + (size_t)body * block * block;
  for (size_t j = 0; j < (size_t)dimension; j++)
    for (size_t i = 0; i < block; i++)
      for (size_t m = 0; m < block; m++)
        columns[j * rows + (size_t)body * block + i] += inverse[m * block + i] * jacobian[j * block + m];
}

/* The linear part A[rows*(size + bilateral)] of the problem. */
static void linear_part(const thud_contact_problem *problem, size_t rows, double *A) {
  size_t size = thud_contact_size(problem), bilateral = (size_t)problem->bilateral;
  size_t d = (size_t)problem->dimension;
  const thud_two_block *bodies = &problem->two_block;
  switch (problem->form) {
  case THUD_FORM_LOCAL:
    thud_matrix_copy_dense(&problem->W, rows, A);
    if (bilateral == 0) break;
    thud_matrix_copy_dense(&problem->V, rows, A + size * rows);
    thud_matrix_copy_dense(&problem->R, rows, A + size * rows + size);
    for (size_t j = 0; j < bilateral; j++)
      for (size_t i = 0; i < size; i++) A[i * rows + size + j] = A[(size + j) * rows + i];
    break;
  case THUD_FORM_GLOBAL:
    thud_matrix_copy_dense(&problem->H, rows, A);
    if (bilateral > 0) thud_matrix_copy_dense(&problem->G, rows, A + size * rows);
    break;
  case THUD_FORM_TWO_BLOCK:
    for (size_t k = 0; k < (size_t)problem->contacts; k++) {
      size_t place = k * d * (size_t)bodies->block;
      add_body(bodies, bodies->body_a[k], problem->dimension, bodies->jacobian_a + place, rows, A + k * d * rows);
      if (bodies->body_b[k] >= 0)
        add_body(bodies, bodies->body_b[k], problem->dimension, bodies->jacobian_b + place, rows, A + k * d * rows);
    }
    for (thud_index j = 0; j < bodies->joints; j++) {
      thud_index first = bodies->joint_start[j], width = bodies->joint_start[j + 1] - first;
      size_t place = (size_t)first * (size_t)bodies->block;
      double *columns = A + (size + (size_t)first) * rows;
      add_body(bodies, bodies->joint_a[j], width, bodies->joint_jacobian_a + place, rows, columns);
      if (bodies->joint_b[j] >= 0)
        add_body(bodies, bodies->joint_b[j], width, bodies->joint_jacobian_b + place, rows, columns);
    }
    break;
  }
}

/* Columns of one face from those of its contact; they get norm 1 by the choice of the face's length. */
static void face_columns(thud_face *face, const thud_disc_layout *layout, size_t rows, const double *A,
                         double *columns) {
  double sum = 0;
  thud_face unit = *face;
  unit.length = 1;
  for (thud_index j = 0; j < face->width; j++) {
    double y[THUD_CONTACT_DIMENSION_MAX] = {0}, r[THUD_CONTACT_DIMENSION_MAX];
    double *column = columns + (size_t)j * rows;
    y[j] = 1;
    leave_face(&unit, layout, y, r);
    for (thud_index i = 0; i < layout->dimension; i++)
      for (size_t m = 0; m < rows && r[i] != 0; m++) column[m] += r[i] * A[(size_t)i * rows + m];
    for (size_t m = 0; m < rows; m++) sum = hypot(sum, column[m]);
  }
  face->length = sum > 0 ? 1 / sum : 1;
  for (size_t m = 0; m < (size_t)face->width * rows; m++) columns[m] *= face->length;
}

thud_error thud_force_set_columns(thud_force_set *set, const thud_contact_problem *problem, double **columns,
                                  thud_index *rows) {
  size_t height = (size_t)linear_rows(problem), bilateral = (size_t)problem->bilateral, d = (size_t)set->dimension;
  size_t all = thud_contact_size(problem) + bilateral, n = (size_t)set->coordinates, entries;
  if (n + bilateral > THUD_FORCE_SET_MAX_COORDINATES || !thud_size_multiply(height, all, &entries) ||
      entries > THUD_FORCE_SET_MAX_ENTRIES)
    return thud_fail(set->context, THUD_ERROR_UNSUPPORTED,
                     "uniqueness of the forces: the problem is too large (%zu unknowns, at most %d; %zu x %zu entries, "
                     "at most %d)",
                     n + bilateral, THUD_FORCE_SET_MAX_COORDINATES, height, all, THUD_FORCE_SET_MAX_ENTRIES);
  double *A = THUD_NEW_ARRAY(set->context, double, entries);
  double *made = THUD_NEW_ARRAY(set->context, double, height *(n + bilateral));
  thud_error error = THUD_ERROR_MEMORY;
  if (A != NULL && made != NULL) {
    linear_part(problem, height, A);
    for (size_t k = 0; k < (size_t)set->contacts; k++)
      if (set->faces[k].first >= 0)
        face_columns(&set->faces[k], set->layout, height, A + k * d * height,
                     made + (size_t)set->faces[k].first * height);
    size_t free_entries = height * bilateral;
    if (free_entries > 0) memcpy(made + n * height, A + d * (size_t)set->contacts * height, free_entries * sizeof *A);
    *columns = made;
    *rows = (thud_index)height;
    made = NULL;
    error = THUD_OK;
  }
  thud_free(set->context, A);
  thud_free(set->context, made);
  return error;
}
