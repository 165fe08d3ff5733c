/* A unit ball whose centre is (t, 0) sweeps the point u(0) = (0, 1/2) along: Moreau's catching-up algorithm, compared
 * with the exact motion. The point rests until the ball's edge reaches it at t1 = sqrt(3)/2; from then on
 *   u = (t - cos th, sin th),  tan(th/2) = tan(pi/12) exp(-(t - t1)).
 *
 * Usage: sweep [STEPS]. Exit status: 0 good, 1 the run did not complete, 2 thud reported an error. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <thud/thud.h>

/* The parameters of the ball as a regulated function of time, in the order of thud_set_ball: centre[2], radius. They
 * are continuous, so that the left limit, the value and the right limit are the same. */
static int ball_at(void *user, double t, thud_side side, double *parameters) {
  (void)user;
  (void)side;
  parameters[0] = t;
  parameters[1] = 0;
  parameters[2] = 1;
  return 0;
}

static void exact_motion(double t, double *u) {
  const double pi = acos(-1), t1 = sqrt(3) / 2;
  double angle = t < t1 ? pi / 6 : 2 * atan(tan(pi / 12) * exp(t1 - t));
  u[0] = t < t1 ? 0 : t - cos(angle);
  u[1] = sin(angle);
}

/* What the sink keeps between frames. */
typedef struct comparison {
  double next_row; /* time of the next line to print */
  double error;    /* sup over the frames of |u - exact| */
} comparison;

static int on_frame(void *user, const void *given) {
  const thud_sweep_frame *frame = given;
  comparison *found = user;
  double exact[2];
  exact_motion(frame->t, exact);
  found->error = fmax(found->error, hypot(frame->state[0] - exact[0], frame->state[1] - exact[1]));
  if (frame->t < found->next_row) return 0;
  printf("%6.3f %12.6f %12.6f %12.3e\n", frame->t, frame->state[0], frame->state[1], frame->residual);
  found->next_row += 0.5;
  return 0;
}

/* Runs and reports; thud's errors are handed up. */
static thud_error sweep(thud_context *context, thud_index steps, int *status) {
  const double initial[2] = {0, 0.5}, centre[2] = {0, 0}, start = 0, end = 3;
  const thud_regulated motion = {.dimension = 3, .evaluate = ball_at};
  const thud_sweep_options options = thud_sweep_options_default();
  thud_set *ball = NULL;
  thud_partition *partition = NULL;
  thud_motion *swept = NULL;
  comparison found = {0};
  thud_error error = thud_set_ball(context, 2, centre, 1, &ball);
  if (error == THUD_OK) error = thud_partition_uniform(context, start, end, steps, 0, NULL, &partition);
  const thud_sweep_problem problem = {.set = {.set = ball, .parameters = &motion}, .initial = initial};
  if (error == THUD_OK)
    error = thud_sweep_motion_create(context, THUD_SWEEP_CATCHING_UP, &problem, partition, &options, &swept);
  if (error == THUD_OK) {
    const thud_motion_sink sink = {.frame = on_frame, .user = &found};
    printf("%6s %12s %12s %12s\n", "t", "x", "y", "residual");
    error = thud_motion_run(swept, &sink, NULL);
  }
  if (error == THUD_OK) {
    const thud_sweep_motion_info info = thud_sweep_motion_get_info(swept);
    *status = info.status == THUD_MOTION_COMPLETED ? 0 : 1;
    if (*status != 0) fprintf(stderr, "sweep: stopped at t = %g: %s\n", info.time, thud_context_last_message(context));
    printf("projections %zu, worst residual %.3e, error %.6e\n", info.projections, info.worst_residual, found.error);
  }
  thud_motion_destroy(swept);
  thud_partition_destroy(partition);
  thud_set_destroy(ball);
  return error;
}

int main(int argc, char **argv) {
  int status = 2;
  thud_context *context = NULL;
  thud_error error = thud_context_create(NULL, &context);
  /* A word that is not a number reads as 0, which thud refuses. */
  thud_index steps = argc > 1 ? (thud_index)strtol(argv[1], NULL, 10) : 300;
  if (error == THUD_OK) error = sweep(context, steps, &status);
  if (error != THUD_OK)
    fprintf(stderr, "sweep: %s\n", context != NULL ? thud_context_last_message(context) : thud_error_text(error));
  thud_context_destroy(context);
  return status;
}
