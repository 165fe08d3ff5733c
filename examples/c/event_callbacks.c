/* A particle slides down a dome of radius 1, leaves it and falls to the floor: a system given by functions in C,
 * followed from event to event. Prints every event; its closed form: the dome is left at the height 2/3 + v0^2/(3 g).
 *
 * Usage: event_callbacks [v0]. Exit status: 0 good, 1 the run ended early, 2 thud reported an error. */
#include <stdio.h>
#include <stdlib.h>
#include <thud/thud.h>

static const double GRAVITY = 9.81;

/* Functions of a system write to `out` and return 0. */
static int force(void *user, double t, const double *q, const double *v, double *out) {
  (void)user, (void)t, (void)q, (void)v;
  out[0] = 0;
  out[1] = -GRAVITY;
  return 0;
}

/* Gaps of the dome and of the floor. */
static int gaps(void *user, double t, const double *q, const double *v, double *out) {
  (void)user, (void)t, (void)v;
  out[0] = (q[0] * q[0] + q[1] * q[1] - 1) / 2;
  out[1] = q[1];
  return 0;
}

/* Their derivatives by x and y, row after row. */
static int gradients(void *user, double t, const double *q, const double *v, double *out) {
  (void)user, (void)t, (void)v;
  out[0] = q[0], out[1] = q[1];
  out[2] = 0, out[3] = 1;
  return 0;
}

static int print_event(void *user, const void *handed) {
  const thud_event *event = handed;
  (void)user;
  printf("%s at t = %.10f: x = %.10f, y = %.10f, v = (%.10f, %.10f)\n", thud_event_kind_name(event->kind), event->t,
         event->q[0], event->q[1], event->v_before[0], event->v_before[1]);
  return 0;
}

static thud_error run(thud_context *context, double speed, thud_event_motion_info *info) {
  static const char *const coordinates[] = {"x", "y"};
  const double mass[] = {1, 0, 0, 1}, q0[] = {0, 1}, v0[] = {speed, 0};
  const thud_constraint_def constraints[] = {{.name = "dome"}, {.name = "floor", .restitution = 0}};
  const thud_system_def def = {.n = 2,
                               .coordinates = coordinates,
                               .mass = mass,
                               .m = 2,
                               .constraints = constraints,
                               .functions = {.force = force, .constraint = gaps, .gradient = gradients}};
  thud_event_options options = thud_event_options_default();
  const thud_motion_sink sink = {.event = print_event};
  thud_system *system = NULL;
  thud_motion *motion = NULL;
  options.end = 1;
  thud_error error = thud_system_create(context, &def, &system);
  if (error == THUD_OK) error = thud_event_motion_create(context, system, &options, q0, v0, &motion);
  if (error == THUD_OK) error = thud_motion_run(motion, &sink, NULL);
  if (error == THUD_OK) *info = thud_event_motion_get_info(motion);
  thud_motion_destroy(motion);
  thud_system_destroy(system);
  return error;
}

int main(int count, char **arguments) {
  thud_context *context = NULL;
  thud_event_motion_info info;
  if (thud_context_create(NULL, &context) != THUD_OK) return 2;
  thud_error error = run(context, count > 1 ? atof(arguments[1]) : 1, &info);
  bool completed = error == THUD_OK && info.status == THUD_MOTION_COMPLETED;
  if (completed)
    printf("%zu arcs, energy defect %.1e\n", info.arcs, info.ledger.defect);
  else
    fprintf(stderr, "event_callbacks: %s\n", thud_context_last_message(context));
  thud_context_destroy(context);
  return error != THUD_OK ? 2 : completed ? 0 : 1;
}
