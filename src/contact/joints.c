#include "contact/joints.h"
#include "contact/problem.h"
#include "base/base.h"

#include <limits.h>
#include <string.h>

/* Entries of V or R; with NULL arrays they are only counted. */
typedef struct entry_list {
  thud_index *row, *column;
  double *value;
  size_t count;
} entry_list;

static void add_entry(entry_list *list, size_t row, size_t column, double value) {
  if (list->row != NULL) {
    list->row[list->count] = (thud_index)row;
    list->column[list->count] = (thud_index)column;
    list->value[list->count] = value;
  }
  list->count++;
}

/* Contacts and joints of every body. */
typedef struct coupling {
  const thud_contact_problem *problem;
  const thud_index *contact_start, *contacts;
  thud_index *joint_start, *joints; /* [bodies+1], [2*joints] */
} coupling;

static thud_index joint_body(const thud_two_block *two, thud_index joint, int side) {
  return side == 0 ? two->joint_a[joint] : two->joint_b[joint];
}

static const double *joint_rows(const thud_two_block *two, thud_index joint, int side) {
  const double *rows = side == 0 ? two->joint_jacobian_a : two->joint_jacobian_b;
  return rows + (size_t)two->joint_start[joint] * (size_t)two->block;
}

static thud_error list_joints(thud_context *context, coupling *all) {
  const thud_two_block *two = &all->problem->two_block;
  all->joint_start = THUD_NEW_ARRAY(context, thud_index, (size_t)two->bodies + 2);
  all->joints = THUD_NEW_ARRAY(context, thud_index, 2 * (size_t)two->joints);
  if (all->joint_start == NULL || all->joints == NULL) return THUD_ERROR_MEMORY;
  thud_index *next = all->joint_start + 1; /* shifted by one place while the lists are filled */
  for (thud_index j = 0; j < two->joints; j++)
    for (int side = 0; side < 2; side++)
      if (joint_body(two, j, side) >= 0) next[joint_body(two, j, side) + 1]++;
  for (thud_index b = 0; b < two->bodies; b++) next[b + 1] += next[b];
  for (thud_index j = 0; j < two->joints; j++)
    for (int side = 0; side < 2; side++)
      if (joint_body(two, j, side) >= 0) all->joints[next[joint_body(two, j, side)]++] = j;
  return THUD_OK;
}

static double dot(size_t n, const double *x, const double *y) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += x[i] * y[i];
  return sum;
}

/* The entries of column `row` of V and R that its joint has through one body: `moved` is M^-1 times its row of G. */
static void couple_row(const coupling *all, thud_index body, size_t row, const double *moved, entry_list *V,
                       entry_list *R) {
  const thud_two_block *two = &all->problem->two_block;
  size_t n = (size_t)two->block, d = (size_t)all->problem->dimension;
  for (thud_index p = all->contact_start[body]; p < all->contact_start[body + 1]; p++) {
    size_t c = (size_t)all->contacts[p];
    const double *J = (two->body_a[c] == body ? two->jacobian_a : two->jacobian_b) + c * d * n;
    for (size_t i = 0; i < d; i++) add_entry(V, c * d + i, row, dot(n, J + i * n, moved));
  }
  for (thud_index p = all->joint_start[body]; p < all->joint_start[body + 1]; p++) {
    thud_index k = all->joints[p];
    const double *G = joint_rows(two, k, two->joint_a[k] == body ? 0 : 1);
    for (thud_index i = two->joint_start[k]; i < two->joint_start[k + 1]; i++)
      add_entry(R, (size_t)i, row, dot(n, G + (size_t)(i - two->joint_start[k]) * n, moved));
  }
}

static void couple(const coupling *all, entry_list *V, entry_list *R) {
  const thud_two_block *two = &all->problem->two_block;
  size_t n = (size_t)two->block;
  for (thud_index j = 0; j < two->joints; j++)
    for (int side = 0; side < 2; side++) {
      thud_index body = joint_body(two, j, side);
      if (body < 0) continue;
      const double *inverse = two->inverse_mass + (size_t)body * n * n, *G = joint_rows(two, j, side);
      for (thud_index row = two->joint_start[j]; row < two->joint_start[j + 1]; row++, G += n) {
        double moved[THUD_CONTACT_BLOCK_MAX] = {0};
        for (size_t i = 0; i < n; i++) moved[i] = dot(n, inverse + i * n, G);
        couple_row(all, body, (size_t)row, moved, V, R);
      }
    }
}

static thud_error allocate_list(thud_context *context, entry_list *list) {
  list->row = THUD_NEW_ARRAY(context, thud_index, list->count);
  list->column = THUD_NEW_ARRAY(context, thud_index, list->count);
  list->value = THUD_NEW_ARRAY(context, double, list->count);
  list->count = 0;
  return list->row == NULL || list->column == NULL || list->value == NULL ? THUD_ERROR_MEMORY : THUD_OK;
}

static void free_list(thud_context *context, entry_list *list) {
  thud_free(context, list->row);
  thud_free(context, list->column);
  thud_free(context, list->value);
}

static thud_error store(thud_context *context, const entry_list *list, size_t rows, size_t columns, thud_sparse *made) {
  return thud_sparse_from_triplets(context, (thud_index)rows, (thud_index)columns, list->count, list->row, list->column,
                                   list->value, made);
}

thud_error thud_joint_coupling(thud_context *context, const thud_contact_problem *problem, const thud_index *start,
                               const thud_index *touching, thud_sparse *V, thud_sparse *R) {
  coupling all = {.problem = problem, .contact_start = start, .contacts = touching};
  entry_list V_list = {0}, R_list = {0};
  size_t size = thud_contact_size(problem), rows = (size_t)problem->bilateral;
  thud_error error = list_joints(context, &all);
  if (error == THUD_OK) couple(&all, &V_list, &R_list);
  if (error == THUD_OK && (V_list.count > INT_MAX || R_list.count > INT_MAX))
    error = thud_fail(context, THUD_ERROR_OVERFLOW, "V or R has more than %d entries: too many for the local form",
                      INT_MAX);
  if (error == THUD_OK) error = allocate_list(context, &V_list);
  if (error == THUD_OK) error = allocate_list(context, &R_list);
  if (error == THUD_OK) couple(&all, &V_list, &R_list);
  if (error == THUD_OK) error = store(context, &V_list, size, rows, V);
  if (error == THUD_OK) error = store(context, &R_list, rows, rows, R);
  free_list(context, &V_list);
  free_list(context, &R_list);
  thud_free(context, all.joint_start);
  thud_free(context, all.joints);
  return error;
}
