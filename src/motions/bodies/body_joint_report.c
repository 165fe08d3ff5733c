/* Which forces of joints are determined. Impulses l of the rows act alike when they differ by n with H'n = 0. With E = H M^-1 H'
 * over the rows that are kept (K) and each row r that depends on them,
 *   n_r = 1,   n_K = -E_KK^-1 E_Kr,
 * which is a basis. A component of a joint's force or moment is determined where it is 0 for all of these. */
#include "motions/bodies/body_motion.h"

#include <math.h>
#include <string.h>

/* Parts of a joint's force below this, beside the largest of n, are rounding. */
static const double ROUNDING = 1e-7;

typedef struct extent {
  thud_vec3 *force, *moment; /* [joints] of one n */
  double *n;                 /* [rows] */
} extent;

/* n of row r. */
static void find_null_vector(const body_motion *motion, size_t count, size_t r, double *n) {
  const body_joints *j = &motion->joints;
  size_t block = (size_t)motion->problem.block;
  const body_link *x = &j->links[r];
  memset(n, 0, count * sizeof *n);
  for (size_t q = 0; q < count; q++) {
    const body_link *y = &j->links[q];
    if (y->is_out) continue;
    if (x->a == y->a) n[q] -= body_dot(block, y->J_a, x->N_a);
    if (x->a == y->b) n[q] -= body_dot(block, y->J_b, x->N_a);
    if (x->b >= 0 && x->b == y->a) n[q] -= body_dot(block, y->J_a, x->N_b);
    if (x->b >= 0 && x->b == y->b) n[q] -= body_dot(block, y->J_b, x->N_b);
  }
  thud_bodies_solve_lower(&j->envelope, 0, count, n);
  thud_bodies_solve_upper(&j->envelope, 0, count, n);
  n[r] = 1;
}

/* Marks what n changes. Forces and moments are compared by the extent of the mechanism. */
static void mark_forces(const body_motion *motion, size_t count, extent *e, unsigned char *components) {
  const body_joints *j = &motion->joints;
  double length = j->extent > 0 ? j->extent : 1, largest = 0;
  thud_index joints = motion->model.joint_count;
  for (thud_index k = 0; k < joints; k++) e->force[k] = e->moment[k] = (thud_vec3){0};
  for (size_t r = 0; r < count; r++) {
    thud_index k = j->links[r].joint;
    const thud_joint_row *row = &j->row[(size_t)k * THUD_JOINT_ROWS + (size_t)j->links[r].row];
    thud_bodies_add_joint_force(motion, k, row, e->n[r], &e->force[k], &e->moment[k]);
  }
  for (thud_index k = 0; k < joints; k++)
    largest = fmax(largest, fmax(thud_vec3_norm(e->force[k]), thud_vec3_norm(e->moment[k]) / length));
  for (thud_index k = 0; k < joints; k++) {
    double x[6];
    thud_vec3_store(e->force[k], x);
    thud_vec3_store(thud_vec3_scale(1 / length, e->moment[k]), x + 3);
    for (int c = 0; c < 6; c++)
      if (fabs(x[c]) > ROUNDING * largest) components[k] |= (unsigned char)(1u << c);
  }
}

static thud_error mark_all(body_motion *motion, size_t count, unsigned char *components) {
  thud_context *context = motion->base.context;
  size_t joints = (size_t)motion->model.joint_count;
  extent e = {.force = THUD_NEW_ARRAY(context, thud_vec3, joints),
              .moment = THUD_NEW_ARRAY(context, thud_vec3, joints),
              .n = THUD_NEW_ARRAY(context, double, count)};
  bool made = e.force != NULL && e.moment != NULL && e.n != NULL;
  for (size_t r = 0; r < count && made; r++) {
    if (!motion->joints.links[r].is_out) continue;
    find_null_vector(motion, count, r, e.n);
    mark_forces(motion, count, &e, components);
  }
  thud_free(context, e.force);
  thud_free(context, e.moment);
  thud_free(context, e.n);
  return made ? THUD_OK : THUD_ERROR_MEMORY;
}

thud_error thud_body_motion_undetermined(thud_motion *motion, thud_index *equations, unsigned char *components) {
  THUD_REQUIRE(motion != NULL ? motion->context : NULL, motion);
  THUD_MOTION_OF(motion, &thud_body_motion_type);
  body_motion *own = (body_motion *)motion;
  size_t count = 0, out = 0;
  thud_error error = THUD_OK;
  if (own->model.joint_count > 0) error = thud_bodies_factorize_joints(own, &count);
  if (error != THUD_OK) return error;
  for (size_t r = 0; r < count; r++) out += own->joints.links[r].is_out;
  if (components != NULL) memset(components, 0, (size_t)own->model.joint_count);
  if (components != NULL && out > 0) error = mark_all(own, count, components);
  if (error == THUD_OK && equations != NULL) *equations = (thud_index)out;
  return error;
}
