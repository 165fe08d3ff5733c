/* The first row beside what the scene says of the start. */
#include "verify/bodies/verify_bodies.h"

#include <math.h>

static void compare_start(const verify_rigid *body, const verify_start *given, const verify_body_row *row,
                          const verify_body_state *found, bool placed, thud_verify_check *check) {
  thud_quat between = thud_quat_multiply(given->state.q, thud_quat_conjugate(found->q));
  const struct {
    double error, size;
    const char *what;
  } parts[4] = {{thud_vec3_distance(given->state.v, found->v), thud_vec3_norm(given->state.v), "velocity"},
                {thud_vec3_distance(given->state.w, found->w), thud_vec3_norm(given->state.w), "spin"},
                {thud_vec3_distance(given->state.x, found->x), given->size, "position"},
                {thud_vec3_norm(thud_quat_to_rotation_vector(between)), 1, "rotation"}};
  for (int k = 0; k < (placed ? 4 : 2); k++)
    if (thud_verify_tally(check, parts[k].error, VERIFY_SUMS * parts[k].size, 0, row->t, row->number))
      thud_verify_explain(check, "%s of '%s'", parts[k].what, body->name);
}

/* Bodies on paths are asked about there; with `relax` overlapping ones were moved apart, which leaves the velocities. */
void thud_verify_body_initial(const verify_bodies *bodies, const verify_body_row *row, thud_verify_check *check) {
  size_t asked = 0;
  for (size_t i = 0; i < bodies->count; i++) {
    const verify_rigid *body = &bodies->body[i];
    verify_start given = bodies->start[i];
    if (body->role == VERIFY_KINEMATIC) continue;
    if (body->absent) given.state.v = given.state.w = (thud_vec3){0}; /* it has them when it comes */
    bool placed = !bodies->options.relax || body->role == VERIFY_FIXED;
    compare_start(body, &given, row, &row->end[i], placed, check);
    asked++;
  }
  if (asked == 0) thud_verify_skip(check, THUD_VERIFY_NOT_APPLICABLE, "every body follows a path");
}
