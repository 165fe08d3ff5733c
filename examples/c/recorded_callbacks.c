/* A ball is thrown onto a plate that shakes, with friction: a system given by functions in C, run and recorded like a
 * scene. `thud verify ball.h5` checks the record, `thud plot ball.h5` draws it.
 *
 * Usage: recorded_callbacks [ball.h5 [event-driven]]. Exit status: 0 good, 1 the run ended early, 2 thud reported an
 * error. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <thud/io.h>

/* The plate stands at the height AMPLITUDE sin(FREQUENCY t). */
static const double AMPLITUDE = 0.01, FREQUENCY = 30, MASS = 0.2;

/* Functions of a system write to `out` and return 0. */
static int force(void *user, double t, const double *q, const double *v, double *out) {
  (void)user, (void)t, (void)q;
  out[0] = -0.05 * v[0]; /* the air */
  out[1] = -0.05 * v[1];
  return 0;
}

static int potential(void *user, double t, const double *q, const double *v, double *out) {
  (void)user, (void)t, (void)v;
  out[0] = 9.81 * MASS * q[1];
  return 0;
}

static int potential_gradient(void *user, double t, const double *q, const double *v, double *out) {
  (void)user, (void)t, (void)q, (void)v;
  out[0] = 0;
  out[1] = 9.81 * MASS;
  return 0;
}

static int gap(void *user, double t, const double *q, const double *v, double *out) {
  (void)user, (void)v;
  out[0] = q[1] - AMPLITUDE * sin(FREQUENCY * t);
  return 0;
}

/* Its derivatives by x and y, and by the time. */
static int gradient(void *user, double t, const double *q, const double *v, double *out) {
  (void)user, (void)t, (void)q, (void)v;
  out[0] = 0;
  out[1] = 1;
  return 0;
}

static int rate(void *user, double t, const double *q, const double *v, double *out) {
  (void)user, (void)q, (void)v;
  out[0] = -AMPLITUDE * FREQUENCY * cos(FREQUENCY * t);
  return 0;
}

/* The slip is x': its coefficients by x' and y'. */
static int slip(void *user, double t, const double *q, const double *v, double *out) {
  (void)user, (void)t, (void)q, (void)v;
  out[0] = 1;
  out[1] = 0;
  return 0;
}

static int friction(void *user, double t, const double *q, const double *v, double *out) {
  (void)user, (void)t, (void)q, (void)v;
  out[0] = 0.3;
  return 0;
}

static thud_error make_ball(thud_context *context, thud_system **ball) {
  static const char *const coordinates[] = {"x", "y"};
  const double mass[] = {MASS, 0, 0, MASS};
  const thud_constraint_def plate = {.name = "plate", .restitution = 0.6};
  const thud_friction_def law = {.name = "plate", .constraint = 0, .kind = THUD_FRICTION_DISC, .directions = 1};
  const thud_system_def def = {.n = 2,
                               .coordinates = coordinates,
                               .mass = mass,
                               .m = 1,
                               .constraints = &plate,
                               .laws = 1,
                               .friction = &law,
                               .functions = {.force = force,
                                             .potential = potential,
                                             .potential_gradient = potential_gradient,
                                             .constraint = gap,
                                             .gradient = gradient,
                                             .rate = rate,
                                             .slip = slip,
                                             .friction = friction}};
  return thud_system_create(context, &def, ball);
}

/* What is said about the system besides its functions; the driver of all scenes does the rest. */
static thud_error make_scene(thud_context *context, const thud_system *ball, bool events, thud_scene **scene) {
  static const char *const units[] = {"m", "m"};
  const double q0[] = {0, 0.3}, v0[] = {1, 0};
  thud_stepping_options stepping = thud_stepping_options_default();
  thud_event_options event = thud_event_options_default();
  stepping.method = THUD_STEPPING_MOREAU_JEAN;
  stepping.steps = 2000;
  stepping.end = event.end = 0.5;
  const thud_system_scene def = {.system = ball,
                                 .q0 = q0,
                                 .v0 = v0,
                                 .title = "A ball on a shaking plate",
                                 .units = units,
                                 .stepping = events ? NULL : &stepping,
                                 .event = events ? &event : NULL,
                                 .checkpoint_every = 0.1};
  return thud_scene_create_system(context, &def, scene);
}

static thud_error run(thud_context *context, const char *record, bool events, bool *good) {
  thud_run_options options = thud_run_options_default();
  thud_run_result result = {0};
  thud_system *ball = NULL;
  thud_scene *scene = NULL;
  options.record = record;
  options.overwrite = true;
  thud_error error = make_ball(context, &ball);
  if (error == THUD_OK) error = make_scene(context, ball, events, &scene);
  if (error == THUD_OK) error = thud_scene_run(scene, &options, &result);
  if (error == THUD_OK) printf("%s", result.report);
  *good = error == THUD_OK && result.verdict == THUD_VERDICT_GOOD;
  thud_run_result_free(context, &result);
  thud_scene_destroy(scene);
  thud_system_destroy(ball);
  return error;
}

int main(int count, char **arguments) {
  thud_context *context = NULL;
  bool good = false, events = count > 2 && strcmp(arguments[2], "event-driven") == 0;
  if (thud_context_create(NULL, &context) != THUD_OK) return 2;
  thud_error error = run(context, count > 1 ? arguments[1] : "ball.h5", events, &good);
  if (error != THUD_OK) fprintf(stderr, "recorded_callbacks: %s\n", thud_context_last_message(context));
  thud_context_destroy(context);
  return error != THUD_OK ? 2 : good ? 0 : 1;
}
