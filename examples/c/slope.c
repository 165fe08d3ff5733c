/* A box on four feet slides down a slope: time steps with one solver that is updated and warm-started.
 *
 * Each step asks for the impulses r at the feet (N, T1, T2 each) such that the velocity v = v_free + M^-1 J' r obeys
 * Coulomb's law at every foot; v_free is the velocity before the step plus that of gravity. Four feet are one too many:
 * the forces are not unique, the motion is. It sticks when tan(angle) <= mu, and otherwise slides at
 * g (sin(angle) - mu cos(angle)) t.
 *
 * Usage: slope [ANGLE in degrees, default 30]. Exit status: 0 every step is solved, 1 one is not, 2 thud reported an
 * error. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <thud/thud.h>

enum { FEET = 4, DIMENSION = 3, DOF = 6, SIZE = FEET * DIMENSION, STEPS = 100 };
static const double MU = 0.3, GRAVITY = 9.81, STEP = 0.01, HALF = 0.5, HEIGHT = 0.4, MASS = 2, INERTIA = 0.3;

/* Rows of J for the foot at (x, y, -HEIGHT): velocity v + omega x p along the normal z and the tangents x and y. */
static void foot_rows(double x, double y, double *rows) {
  const double made[DIMENSION * DOF] = {
      0, 0, 1, y,      -x,      0,  /* N */
      1, 0, 0, 0,      -HEIGHT, -y, /* T1, down the slope */
      0, 1, 0, HEIGHT, 0,       x,  /* T2 */
  };
  for (int k = 0; k < DIMENSION * DOF; k++) rows[k] = made[k];
}

static void print_attempts(int step, const thud_solver_info *info) {
  for (size_t k = 0; k < info->attempt_count; k++)
    printf("step %d: %s, %d iterations, residual %.2e: %s\n", step, info->attempts[k].method,
           info->attempts[k].iterations, info->attempts[k].residual, info->attempts[k].reason);
  if (info->status != THUD_SOLVED) printf("step %d: %s\n", step, info->why);
}

/* Time steps from rest; *iterations and *worst: of all of them. velocity[DOF] is free_velocity of the problem, which
 * the solver borrows: the numbers change in place and update informs the solver. */
static thud_error slide(thud_solver *solver, const thud_contact_problem *problem, double angle, double *velocity,
                        int *iterations, double *worst) {
  double r[SIZE] = {0}; /* warm start of the next step */
  for (int step = 1; step <= STEPS; step++) {
    thud_solver_info info;
    velocity[0] += STEP * GRAVITY * sin(angle);
    velocity[2] -= STEP * GRAVITY * cos(angle);
    thud_error error = thud_solver_update(solver, problem);
    if (error == THUD_OK) error = thud_solver_solve(solver, r, NULL, velocity, NULL, &info);
    if (error != THUD_OK) return error;
    if (step <= 2 || info.status != THUD_SOLVED) print_attempts(step, &info);
    *iterations += info.iterations;
    *worst = fmax(*worst, info.residual.residual);
  }
  return THUD_OK;
}

int main(int count, char **arguments) {
  double angle = (count > 1 ? strtod(arguments[1], NULL) : 30) * acos(-1) / 180;
  double inverse_mass[DOF * DOF] = {0}, velocity[DOF] = {0}, jacobian[SIZE * DOF], worst = 0;
  const double mu[FEET] = {MU, MU, MU, MU}, no_jacobian[SIZE * DOF] = {0};
  const thud_index box[FEET] = {0, 0, 0, 0}, world[FEET] = {-1, -1, -1, -1};
  for (int k = 0; k < DOF; k++) inverse_mass[k * DOF + k] = k < 3 ? 1 / MASS : 1 / INERTIA;
  for (int k = 0; k < FEET; k++)
    foot_rows(k < 2 ? HALF : -HALF, k % 2 == 0 ? HALF : -HALF, jacobian + k * DIMENSION * DOF);
  const thud_contact_problem problem = {.form = THUD_FORM_TWO_BLOCK,
                                        .dimension = DIMENSION,
                                        .contacts = FEET,
                                        .mu = mu,
                                        .two_block = {.bodies = 1,
                                                      .block = DOF,
                                                      .inverse_mass = inverse_mass,
                                                      .free_velocity = velocity,
                                                      .body_a = box,
                                                      .body_b = world,
                                                      .jacobian_a = jacobian,
                                                      .jacobian_b = no_jacobian}};
  thud_context *context = NULL;
  thud_solver *solver = NULL;
  thud_solver_options options = thud_solver_options_default();
  options.tolerance = 1e-10;
  int iterations = 0;
  if (thud_context_create(NULL, &context) != THUD_OK) return 2;
  thud_error error = thud_solver_create(context, NULL, &problem, &options, &solver); /* NULL: auto */
  if (error == THUD_OK) error = slide(solver, &problem, angle, velocity, &iterations, &worst);
  if (error == THUD_OK)
    printf("after %g s: v = %.6f, expected %.6f; %d iterations, worst residual %.2e\n", STEPS * STEP, velocity[0],
           fmax(0, GRAVITY * (sin(angle) - MU * cos(angle))) * STEPS * STEP, iterations, worst);
  else
    fprintf(stderr, "%s\n", thud_context_last_message(context));
  thud_solver_destroy(solver);
  thud_context_destroy(context);
  return error != THUD_OK ? 2 : worst <= options.tolerance ? 0 : 1;
}
