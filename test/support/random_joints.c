#include "random_joints.h"
#include "contact/owned.h"
#include "base/base.h"

#include <string.h>

/* Arrays of the joints under construction, of the owned problem. */
typedef struct joint_arrays {
  thud_index *start, *a, *b;
  double *G_a, *G_b, *w, *l;
} joint_arrays;

static thud_error allocate(thud_owned_problem *owned, size_t joints, size_t n, size_t size, joint_arrays *made,
                           double **contact_w) {
  size_t rows = 6 * joints;
  made->start = thud_owned_problem_alloc(owned, joints + 1, sizeof *made->start);
  made->a = thud_owned_problem_alloc(owned, joints, sizeof *made->a);
  made->b = thud_owned_problem_alloc(owned, joints, sizeof *made->b);
  made->G_a = thud_owned_problem_alloc(owned, rows * n, sizeof *made->G_a);
  made->G_b = thud_owned_problem_alloc(owned, rows * n, sizeof *made->G_b);
  made->w = thud_owned_problem_alloc(owned, rows, sizeof *made->w);
  made->l = thud_owned_problem_alloc(owned, rows, sizeof *made->l);
  *contact_w = thud_owned_problem_alloc(owned, size, sizeof **contact_w);
  bool done = made->start != NULL && made->a != NULL && made->b != NULL && made->G_a != NULL && made->G_b != NULL &&
              made->w != NULL && made->l != NULL && *contact_w != NULL;
  return done ? THUD_OK : THUD_ERROR_MEMORY;
}

/* Joint j on random bodies, or on those of the joint before it when it repeats its first row. */
static void fill_joint(thud_random *random, const thud_two_block *two, thud_index j, bool redundant,
                       joint_arrays *made) {
  size_t n = (size_t)two->block, first = (size_t)made->start[j];
  bool repeats = redundant && j % 2 == 1;
  size_t rows = 1 + (size_t)thud_random_below(random, (uint32_t)two->block);
  if (repeats && rows < 3) rows = 3; /* the one before, a new one twice */
  thud_index bodies = two->bodies;
  made->a[j] = repeats ? made->a[j - 1] : (thud_index)thud_random_below(random, (uint32_t)bodies);
  made->b[j] = (thud_index)thud_random_below(random, (uint32_t)bodies + 1) - 1;
  if (made->b[j] == made->a[j]) made->b[j] = -1;
  if (repeats) made->b[j] = made->b[j - 1];
  for (size_t i = first * n; i < (first + rows) * n; i++) {
    made->G_a[i] = thud_random_normal(random);
    made->G_b[i] = made->b[j] >= 0 ? thud_random_normal(random) : 0;
  }
  for (int side = 0; repeats && side < 2; side++) {
    double *G = side == 0 ? made->G_a : made->G_b;
    memcpy(G + first * n, G + (size_t)made->start[j - 1] * n, n * sizeof *G);
    for (size_t k = 0; k < n; k++) G[(first + 2) * n + k] = 2 * G[(first + 1) * n + k];
  }
  made->start[j + 1] = (thud_index)(first + rows);
}

thud_error thud_test_random_joints(thud_context *context, thud_random *random, const thud_test_shape *shape,
                                   thud_index joints, bool redundant, thud_test_problem *made) {
  joint_arrays arrays;
  double *contact_w = NULL;
  thud_contact_evaluator *evaluator = NULL;
  thud_contact_residual residual;
  thud_error error = thud_test_random_two_block(context, random, shape, made);
  if (error != THUD_OK) return error;
  thud_contact_problem *problem = thud_owned_problem_edit(made->owned);
  size_t n = (size_t)problem->two_block.block, size = thud_contact_size(problem);
  error = allocate(made->owned, (size_t)joints, n, size, &arrays, &contact_w);
  for (thud_index j = 0; error == THUD_OK && j < joints; j++)
    fill_joint(random, &problem->two_block, j, redundant, &arrays);
  if (error == THUD_OK) {
    thud_two_block *two = &problem->two_block;
    two->joints = joints;
    two->joint_start = arrays.start;
    two->joint_a = arrays.a;
    two->joint_b = arrays.b;
    two->joint_jacobian_a = arrays.G_a;
    two->joint_jacobian_b = arrays.G_b;
    problem->bilateral = arrays.start[joints];
    for (thud_index i = 0; i < problem->bilateral; i++) arrays.l[i] = thud_random_normal(random);
    if (two->w != NULL) memcpy(contact_w, two->w, size * sizeof *contact_w);
    two->w = contact_w;
    made->l = arrays.l;
    error = thud_contact_evaluator_create(context, problem, &evaluator);
  }
  if (error == THUD_OK) /* the velocities of the bodies, with which w is made to fit */
    error = thud_contact_evaluator_evaluate(evaluator, made->r, NULL, arrays.l, NULL, &residual);
  if (error == THUD_OK) {
    const thud_two_block *two = &problem->two_block;
    const double *v = thud_contact_evaluator_v(evaluator);
    for (size_t i = 0; i < size; i++) contact_w[i] = made->u[i];
    for (size_t i = 0; i < size * n; i++) {
      size_t c = i / n / (size_t)problem->dimension;
      contact_w[i / n] -= two->jacobian_a[i] * v[(size_t)two->body_a[c] * n + i % n];
      if (two->body_b[c] >= 0) contact_w[i / n] -= two->jacobian_b[i] * v[(size_t)two->body_b[c] * n + i % n];
    }
    for (thud_index j = 0; j < joints; j++)
      for (size_t i = (size_t)arrays.start[j] * n; i < (size_t)arrays.start[j + 1] * n; i++) {
        arrays.w[i / n] -= arrays.G_a[i] * v[(size_t)arrays.a[j] * n + i % n];
        if (arrays.b[j] >= 0) arrays.w[i / n] -= arrays.G_b[i] * v[(size_t)arrays.b[j] * n + i % n];
      }
    problem->two_block.joint_w = arrays.w;
  }
  thud_contact_evaluator_destroy(evaluator);
  if (error != THUD_OK) thud_test_problem_destroy(made);
  return error;
}
