/* Strings with friction in time: wedges, moving point loads, ledger, classes of solutions. */
#include "failing_allocator.h"
#include "testing.h"

#include "thud/elastic.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 12001 };

static thud_context *context;
static int setup(void **state) {
  (void)state;
  context = thud_test_context(1);
  return 0;
}
static int teardown(void **state) {
  (void)state;
  thud_test_context_end(context);
  return 0;
}

/* A motion with what its data need. */
typedef struct bench {
  thud_line *line;
  thud_partition *partition;
  thud_motion *motion;
  thud_line_problem problem;
  thud_index n;
  double x[MOST], initial[MOST];
  double eps;                                               /* half-width of the load */
  double (*place)(double t);                                /* of the load */
  int (*check)(struct bench *, const thud_elastic_frame *); /* at every frame; NULL: none */
} bench;

typedef int (*data_fn)(void *user, double t, thud_side side, thud_line_data *data);

static bench *make(thud_index n, const double *x, double mu, data_fn data) {
  static bench made;
  memset(&made, 0, sizeof made);
  made.n = n;
  for (thud_index i = 0; i < n; i++) made.x[i] = x != NULL ? x[i] : (double)i / (double)(n - 1);
  const thud_line_definition definition = {
      .kind = THUD_LINE_STRING, .nodes = n, .x = made.x, .stiffness = 1, .extension = 1};
  assert_int_equal(thud_line_create(context, &definition, &made.line), THUD_OK);
  made.problem =
      (thud_line_problem){.line = made.line, .friction = mu, .initial = made.initial, .data = data, .user = &made};
  return &made;
}

static void begin(bench *b, double start, double end, int steps) {
  assert_int_equal(
      thud_partition_uniform(context, start, end, steps, b->problem.jump_count, b->problem.jumps, &b->partition),
      THUD_OK);
  assert_int_equal(thud_line_motion_create(context, &b->problem, b->partition, &b->motion), THUD_OK);
}

static int look(void *user, const void *item) {
  bench *b = user;
  const thud_elastic_frame *frame = item;
  thud_assert_near(frame->ledger.defect, 0, 1e-12);
  return b->check != NULL ? b->check(b, frame) : 0;
}

static thud_elastic_motion_info run(bench *b) {
  const thud_motion_sink sink = {.frame = look, .user = b};
  thud_reached reached;
  assert_int_equal(thud_motion_run(b->motion, &sink, &reached), THUD_OK);
  thud_elastic_motion_info info = thud_line_motion_get_info(b->motion);
  assert_int_equal(reached.status, info.status);
  thud_assert_equal(reached.t, info.time);
  return info;
}

static void end(bench *b) {
  thud_motion_destroy(b->motion);
  thud_partition_destroy(b->partition);
  thud_line_destroy(b->line);
}

static const double at_zero = 0, at_zero_and_one[] = {0, 1};

/* ---- X1, X2: the wedge ----------------------------------------------------------------------------------------------------------- */

static void wedge(const bench *b, double *psi) {
  for (thud_index i = 0; i < b->n; i++) psi[i] = -fabs(b->x[i] - .5);
}

static int ramp(void *user, double t, thud_side side, thud_line_data *data) {
  (void)side;
  wedge(user, data->psi);
  data->v_ends[0] = data->v_ends[1] = -fmin(t, 1) / 4;
  data->u_ends[0] = data->u_ends[1] = fmax(t - 1, 0) / 4;
  return 0;
}

static int check_ramp(bench *b, const thud_elastic_frame *frame) {
  double t = frame->t, mu = b->problem.friction, pull = fmax(t - 1, 0), slip = fmax(pull - mu, 0);
  for (thud_index i = 0; i < b->n; i++) {
    double bent = fabs(b->x[i] - .5) / 2;
    thud_assert_near(frame->v[i], -fmin(t, 1) * bent, 1e-14);
    thud_assert_near(frame->s[i], b->x[i] == .5 ? fmin(t, 1) : 0, 1e-13);
    thud_assert_near(frame->u[i], slip / 4 + (pull - slip) * bent, 1e-14);
    thud_assert_near(frame->r[i], b->x[i] == .5 ? slip - pull : 0, 1e-13);
  }
  thud_assert_near(frame->ledger.friction, mu * slip / 4, 1e-14);
  return 0;
}

static void x1_is_exact_at_every_node(void **state) {
  (void)state;
  const double mu[] = {.3, 1, 2};
  for (int k = 0; k < 3; k++) {
    bench *b = make(33, NULL, mu[k], ramp);
    b->check = check_ramp;
    begin(b, 0, 2, 40);
    assert_int_equal(run(b).status, THUD_MOTION_COMPLETED);
    end(b);
  }
}

static int jumping(void *user, double t, thud_side side, thud_line_data *data) {
  wedge(user, data->psi);
  data->v_ends[0] = data->v_ends[1] = t > 0 || side == THUD_SIDE_RIGHT ? -.25 : 0;
  data->u_ends[0] = data->u_ends[1] = t > 1 || (t == 1 && side != THUD_SIDE_LEFT) ? .25 : 0;
  return 0;
}

static void x2_is_the_same_with_any_number_of_steps(void **state) {
  (void)state;
  const double mu[] = {.25, 1, 3};
  const int steps[] = {1, 2, 7, 100};
  for (int k = 0; k < 12; k++) {
    bench *b = make(17, NULL, mu[k % 3], jumping);
    b->problem.jump_count = 2, b->problem.jumps = at_zero_and_one;
    begin(b, 0, 1, steps[k / 3]);
    assert_int_equal(run(b).status, THUD_MOTION_COMPLETED);
    thud_elastic_frame frame = thud_line_motion_present(b->motion);
    double held = fmin(b->problem.friction, 1);
    for (thud_index i = 0; i < b->n; i++) {
      thud_assert_near(frame.u[i], (1 - held) / 4 + held / 2 * fabs(b->x[i] - .5), 1e-15);
      thud_assert_near(frame.r[i], b->x[i] == .5 ? -held : 0, 1e-14);
    }
    end(b);
  }
}

/* Pulled to 1/4 until just before t = 1, where the ends go back to 0: only the left limit shows the pull. The corner slips to
 * (1 - mu)/4 and back to mu/4. */
static int pulled_and_let_go(void *user, double t, thud_side side, thud_line_data *data) {
  wedge(user, data->psi);
  data->v_ends[0] = data->v_ends[1] = -.25;
  data->u_ends[0] = data->u_ends[1] = t < 1 || side == THUD_SIDE_LEFT ? t / 4 : 0;
  return 0;
}

static void left_limits_of_the_data_are_met(void **state) {
  (void)state;
  bench *b = make(9, NULL, .3, pulled_and_let_go);
  b->problem.jump_count = 1, b->problem.jumps = &at_zero_and_one[1];
  begin(b, 0, 1, 1);
  assert_int_equal(run(b).status, THUD_MOTION_COMPLETED);
  thud_elastic_frame frame = thud_line_motion_present(b->motion);
  thud_assert_near(frame.u[4], .3 / 4, 1e-15);
  thud_assert_near(frame.r[4], .3, 1e-14); /* holds it above its ends */
  thud_assert_near(frame.ledger.friction, .3 * (.7 / 4 + .7 / 4 - .3 / 4), 1e-15);
  end(b);
}

/* ---- X3: a moving point load ---------------------------------------------------------------------------------------------------------- */

/* psi = 0, u(0) = 0, u(1) = 1 for t > 0, a unit load (spread over 2 eps) at place(t). */
static int moving(void *user, double t, thud_side side, thud_line_data *data) {
  bench *b = user;
  double p = b->place(t);
  for (thud_index i = 0; i < b->n; i++) data->psi[i] = 0;
  data->u_ends[1] = t > 0 || side == THUD_SIDE_RIGHT ? 1 : 0;
  if (b->eps > 0)
    return thud_line_add_density(b->line, THUD_LINE_TRANSVERSE, p - b->eps, p + b->eps, -.5 / b->eps, -.5 / b->eps,
                                 data->transverse) != THUD_OK;
  return thud_line_add_atom(b->line, THUD_LINE_TRANSVERSE, p, -1, data->transverse) != THUD_OK;
}

static double to_the_left(double t) { return .5 - t; }

static double hinge(double x, double p) { return fmax(x - p, 0) / (1 - p); }

static int check_hinge(bench *b, const thud_elastic_frame *frame) {
  if (frame->t == 0 && frame->side != THUD_SIDE_RIGHT) return 0;
  double p = .5 - frame->t, stored = 1 / (1 + 2 * frame->t);
  for (thud_index i = 0; i < b->n; i++) {
    thud_assert_near(frame->u[i], hinge(b->x[i], p), 1e-12); /* rounding of up to 400 steps and cells */
    thud_assert_near(frame->r[i], b->x[i] == p ? -1 / (.5 + frame->t) : 0, 1e-11);
  }
  thud_assert_near(frame->ledger.stored, stored, 1e-12);
  thud_assert_near(frame->ledger.friction, 0, 1e-14);
  return 0;
}

/* Ends of the line, the places of the load at the nodes of the partition, and 3/4; x[steps + 4]. */
static thud_index nodes_of_the_load(int steps, double *x) {
  thud_index n = 0;
  x[n++] = 0;
  for (int k = steps; k >= 0; k--) x[n++] = .5 - (k == steps ? 1.0 / 3 : (double)k / steps * (1.0 / 3));
  x[n++] = .75;
  x[n++] = 1;
  return n;
}

static bench *make_moving(thud_index n, const double *x, double mu) {
  bench *b = make(n, x, mu, moving);
  b->problem.jump_count = 1, b->problem.jumps = &at_zero;
  b->place = to_the_left;
  return b;
}

static void x3_is_exact_at_nodes_and_of_order_one_half_between(void **state) {
  (void)state;
  double x[404], largest[2];
  for (int k = 0; k < 2; k++) {
    int steps = k == 0 ? 100 : 400;
    bench *b = make_moving(nodes_of_the_load(steps, x), x, 2.5);
    b->check = check_hinge;
    begin(b, 0, 1.0 / 3, steps);
    double first = 0;
    thud_reached reached = {.status = THUD_MOTION_RUNNING};
    const thud_motion_sink sink = {.frame = look, .user = b};
    largest[k] = 0;
    while (reached.status == THUD_MOTION_RUNNING) {
      double before = thud_line_motion_present(b->motion).t;
      assert_int_equal(thud_motion_step(b->motion, &sink, &reached), THUD_OK);
      thud_elastic_frame frame = thud_line_motion_present(b->motion);
      if (frame.t == 0) first = frame.variation;
      if (frame.t == 0) continue;
      /* A step is the error just before its end. */
      thud_assert_near(frame.moved, sqrt((frame.t - before) / ((.5 + frame.t) * (.5 + before))), 1e-11);
      largest[k] = fmax(largest[k], frame.moved);
    }
    /* The sum over the steps is a rectangle rule of relative order 1/steps^2. */
    double variation = sqrt(3.0 * steps) * log(5.0 / 3);
    thud_assert_near(thud_line_motion_get_info(b->motion).variation - first, variation,
                     variation / (3.0 * steps * steps));
    if (k == 0) thud_assert_near(thud_line_motion_get_info(b->motion).variation - first, 8.84777, 2e-4);
    end(b);
  }
  thud_assert_near(log2(largest[0] / largest[1]) / 2, .5, .01);
}

/* ---- X4: the load spread out ------------------------------------------------------------------------------------------------------------- */

static double edge_of_slip(double t, double eps, double mu) {
  double L = .5 + t - eps;
  return 1 - sqrt(L * L + 4 * eps / mu);
}

static double spread(double x, double t, double eps, double mu) {
  double c = .5 - t + eps, edge = edge_of_slip(t, eps, mu);
  if (x <= edge) return 0;
  return x <= c ? mu / (4 * eps) * (x - edge) * (x - edge) : 1 + mu / (2 * eps) * (c - edge) * (x - 1);
}

/* A mesh that is fine where the load is: [0.1, 0.62], and the two rests. */
static thud_index fine_mesh(thud_index cells, double *x) {
  thud_index n = 0;
  for (int i = 0; i < 8; i++) x[n++] = .1 * i / 8;
  for (thud_index i = 0; i <= cells; i++) x[n++] = .1 + .52 * (double)i / (double)cells;
  for (int i = 1; i <= 8; i++) x[n++] = .62 + .38 * i / 8;
  return n;
}

typedef struct spread_result {
  double dissipation, loss, error, distance; /* distance: sup H1 to the point load's motion */
} spread_result;

static spread_result run_spread(double eps, thud_index cells, int steps) {
  static double x[MOST], exact[MOST];
  bench *b = make_moving(fine_mesh(cells, x), x, 3);
  spread_result result = {0};
  thud_elastic_ledger first = {0};
  b->eps = eps;
  begin(b, 0, 1.0 / 3, steps);
  thud_reached reached = {.status = THUD_MOTION_RUNNING};
  while (reached.status == THUD_MOTION_RUNNING) {
    assert_int_equal(thud_motion_step(b->motion, NULL, &reached), THUD_OK);
    thud_elastic_frame frame = thud_line_motion_present(b->motion);
    if (frame.t == 0) first = frame.ledger;
    if (frame.t == 0 && frame.side != THUD_SIDE_RIGHT) continue;
    for (thud_index i = 0; i < b->n; i++) {
      result.error = fmax(result.error, fabs(frame.u[i] - spread(b->x[i], frame.t, eps, 3)));
      exact[i] = hinge(b->x[i], .5 - frame.t);
    }
    result.distance = fmax(result.distance, thud_line_distance(b->line, frame.u, exact));
  }
  assert_int_equal(reached.status, THUD_MOTION_COMPLETED);
  /* Contact and slip are found before anything is solved. */
  thud_assert_less(thud_line_motion_get_info(b->motion).solves, (size_t)(4 * steps + 8));
  thud_elastic_ledger last = thud_line_motion_present(b->motion).ledger;
  result.dissipation = last.friction - first.friction;
  result.loss = result.dissipation + last.quadratic - first.quadratic;
  end(b);
  return result;
}

/* Whatever the steps, friction and quadratic together are the loss. Friction alone is less by what the steps book as
 * quadratic, of order 1 in the way of the load during a step over eps: three runs give the limit up to order 3. */
static void x4_dissipates_although_its_limit_never_slips(void **state) {
  (void)state;
  thud_assert_near(edge_of_slip(0, .1, 3), .4583974, 1e-7);
  thud_assert_near(edge_of_slip(1.0 / 3, .1, 3), .1807863, 1e-7);
  /* Dissipation and distance to the motion under a point load, known to six and five digits. The mesh has no node at the
   * corner of the latter, which costs its distance up to 2 %. */
  const struct {
    double eps, dissipation, distance, accuracy;
    int cells, steps;
  } cases[] = {{.1, .376556, .26360, 2e-4, 200, 50},
               {.01, .398739, .08769, 6e-4, 800, 250},
               {.001, .399885, .02787, 2e-3, 2000, 400}};
  for (int k = 0; k < 3; k++) {
    spread_result runs[3];
    for (int j = 0; j < 3; j++) {
      runs[j] = run_spread(cases[k].eps, cases[k].cells, cases[k].steps << j);
      thud_assert_near(runs[j].error, 0, 2e-5);
      thud_assert_near(runs[j].loss, cases[k].dissipation, 1e-4);
      thud_assert_near(runs[j].distance, cases[k].distance, .02 * cases[k].distance);
    }
    double left = cases[k].dissipation - runs[1].dissipation, left_then = cases[k].dissipation - runs[2].dissipation;
    thud_assert_near(left / left_then, 2, k < 2 ? .1 : .2);
    double first = 2 * runs[1].dissipation - runs[0].dissipation,
           second = 2 * runs[2].dissipation - runs[1].dissipation;
    thud_assert_near((4 * second - first) / 3, cases[k].dissipation, cases[k].accuracy);
  }
}

static void a_step_from_nothing_takes_one_solve(void **state) {
  (void)state;
  static double x[MOST], s[MOST], u[MOST], r[MOST], before[MOST], forces[MOST];
  bench *b = make_moving(fine_mesh(400, x), x, 3);
  memset(forces, 0, sizeof forces);
  memset(s, 0, sizeof s);
  for (thud_index i = 0; i < b->n; i++) before[i] = spread(x[i], 0, .1, 3);
  assert_int_equal(thud_line_add_density(b->line, THUD_LINE_LONGITUDINAL, .3, .5, 15, 15, s), THUD_OK);
  thud_line_info info;
  assert_int_equal(thud_line_solve_friction(b->line, forces, s, (double[]){0, 1}, before, u, r, &info), THUD_OK);
  assert_true(info.solved);
  thud_assert_at_most(info.solves, 2);
  for (thud_index i = 0; i < b->n; i++) thud_assert_near(u[i], spread(x[i], .1, .1, 3), 2e-5);
  end(b);
}

/* ---- return trips ------------------------------------------------------------------------------------------------------------------------ */

/* From 1/2 to 1/4 on [0, 1], back on [1, 2], and so on. */
static double to_and_fro(double t) {
  double phase = fmod(t, 2);
  return .5 - (phase < 1 ? phase : 2 - phase) / 4;
}

/* u(1/2) after n trips is (1 - 3^-n)/2 and 2/3 of the way at 1/4, where nothing slips; with mu = 1 the first jump slips to
 * u(1/2) = 1/4 and nothing slips later. */
static int check_trips(bench *b, const thud_elastic_frame *frame) {
  bool sticking = b->problem.friction > 2;
  if (frame->t == 0 && frame->side != THUD_SIDE_RIGHT) return 0;
  thud_assert_near(frame->ledger.friction, sticking ? 0 : .25, 1e-13);
  if (fmod(frame->t, 2) != 0) return 0;
  double u = (1 - pow(3, -frame->t / 2)) / 2;
  if (!sticking) u = .5 - .25 * pow(3, -frame->t / 2);
  thud_assert_near(frame->u[64], u, 1e-12);
  thud_assert_near(frame->ledger.stored, u * u + (1 - u) * (1 - u), 1e-12);
  return 0;
}

static void return_trips_lose_energy_without_slip(void **state) {
  (void)state;
  const double mu[] = {2.5, 1};
  for (int k = 0; k < 2; k++) {
    bench *b = make_moving(129, NULL, mu[k]);
    b->place = to_and_fro;
    b->check = check_trips;
    begin(b, 0, 6, 192);
    assert_int_equal(run(b).status, THUD_MOTION_COMPLETED);
    end(b);
  }
}

/* ---- X6: no uniform limit --------------------------------------------------------------------------------------------------------------- */

enum { SCALES = 33 };

static double width(int n) { return 1 / (4.0 * (n + 2)); }

/* t in [4^(-n-1), 4^-n]: away from 1/2 to one side by width(n) and back, the side changing with n. */
static double to_both_sides(double t) {
  if (t <= 0 || t >= 1) return .5;
  int n = 0;
  while (t < pow(4, -n - 1)) n++;
  double low = pow(4, -n - 1), tau = t <= 2 * low ? t / low - 1 : (4 * low - t) / (2 * low);
  return .5 + (n % 2 == 0 ? 1 : -1) * width(n) * tau;
}

static int pressed_at_a_point(void *user, double t, thud_side side, thud_line_data *data) {
  bench *b = user;
  (void)side;
  for (thud_index i = 0; i < b->n; i++) data->psi[i] = 0;
  return thud_line_add_atom(b->line, THUD_LINE_TRANSVERSE, b->place(t), -1, data->transverse) != THUD_OK;
}

static int compare(const void *a, const void *b) {
  double p = *(const double *)a, q = *(const double *)b;
  return (p > q) - (p < q);
}

static bench *make_shaken(void) {
  double x[SCALES + 3];
  thud_index count = 0;
  x[count++] = 0, x[count++] = .5, x[count++] = 1;
  for (int n = 0; n < SCALES; n++) x[count++] = .5 + (n % 2 == 0 ? 1 : -1) * width(n);
  qsort(x, (size_t)count, sizeof *x, compare);
  bench *b = make(count, x, 4.5, pressed_at_a_point);
  b->place = to_both_sides;
  for (thud_index i = 0; i < count; i++) b->initial[i] = 1 - 2 * fabs(x[i] - .5);
  return b;
}

/* [0, 4^-n[, then every 4^-k and 2 4^(-k-1) up to {1}. */
static thud_partition *scales_down_to(int n) {
  thud_interval intervals[2 * SCALES + 2];
  size_t count = 0;
  double last = 0;
  for (int k = n; k >= 0; k--)
    for (int half = 0; half < 2; half++) {
      double t = half == 0 ? pow(4, -k) : 2 * pow(4, -k);
      if (t > 1) continue;
      intervals[count++] = (thud_interval){.left = last, .right = t, .left_closed = true};
      last = t;
    }
  intervals[count++] = (thud_interval){.left = 1, .right = 1, .left_closed = true, .right_closed = true};
  thud_partition *made = NULL;
  assert_int_equal(thud_partition_create(context, count, intervals, &made), THUD_OK);
  return made;
}

static int the_scale; /* of check_shaken */

static int check_shaken(bench *b, const thud_elastic_frame *frame) {
  int exponent;
  thud_index middle = 0;
  while (b->x[middle] != .5) middle++;
  if (frame->t == 0 || frexp(frame->t, &exponent) != .5 || exponent % 2 == 0) return 0;
  int m = (1 - exponent) / 2; /* t = 4^-m = 2^(exponent - 1) */
  thud_assert_near(frame->u[middle], (2.0 * m + 3) / (2.0 * the_scale + 3), 1e-12);
  return 0;
}

static void x6_follows_its_closed_form(void **state) {
  (void)state;
  for (the_scale = 1; the_scale <= 32; the_scale *= 2) {
    bench *b = make_shaken();
    b->check = check_shaken;
    b->partition = scales_down_to(the_scale);
    assert_int_equal(thud_line_motion_create(context, &b->problem, b->partition, &b->motion), THUD_OK);
    assert_int_equal(run(b).status, THUD_MOTION_COMPLETED);
    end(b);
  }
}

/* ---- classes ------------------------------------------------------------------------------------------------------------------------------- */

/* The class on partitions with steps, 2 steps, 4 steps, 8 steps. */
static thud_limit_class class_of(bench *b, double stop, int steps, thud_limit_level rows[4]) {
  thud_partition *partitions[4];
  thud_limit_judgement found;
  for (int k = 0; k < 4; k++)
    assert_int_equal(
        thud_partition_uniform(context, 0, stop, steps << k, b->problem.jump_count, b->problem.jumps, &partitions[k]),
        THUD_OK);
  assert_int_equal(thud_line_classify(context, &b->problem, 4, (const thud_partition *const *)partitions, rows, &found),
                   THUD_OK);
  for (int k = 0; k < 4; k++) thud_partition_destroy(partitions[k]);
  return found.found;
}

static void motions_have_their_classes(void **state) {
  (void)state;
  thud_limit_level rows[4];
  double x[300];
  bench *b = make(17, NULL, .3, ramp); /* X1 */
  assert_string_equal(thud_limit_class_name(class_of(b, 2, 8, rows)), "strong");
  end(b);
  b = make(17, NULL, .3, jumping); /* X2 */
  b->problem.jump_count = 2, b->problem.jumps = at_zero_and_one;
  assert_string_equal(thud_limit_class_name(class_of(b, 1, 8, rows)), "bounded variation");
  end(b);
  b = make_moving(nodes_of_the_load(256, x), x, 2.5); /* X3 */
  assert_string_equal(thud_limit_class_name(class_of(b, 1.0 / 3, 32, rows)), "weak only");
  thud_assert_near(rows[3].variation - sqrt(2), sqrt(3 * 256.0) * log(5.0 / 3), 1e-3);
  end(b);
}

/* From the state that X4 has at 0+ on there is no jump. */
static int already_pulled(void *user, double t, thud_side side, thud_line_data *data) {
  (void)side;
  return moving(user, t, THUD_SIDE_RIGHT, data);
}

static void a_spread_load_gives_a_strong_solution(void **state) {
  (void)state;
  thud_limit_level rows[4];
  double x[417];
  thud_index n = fine_mesh(400, x);
  bench *b = make(n, x, 3, already_pulled);
  b->place = to_the_left;
  b->eps = .1;
  for (thud_index i = 0; i < n; i++) b->initial[i] = spread(x[i], 0, .1, 3);
  assert_string_equal(thud_limit_class_name(class_of(b, 1.0 / 3, 32, rows)), "strong");
  /* It only slips to one side: every partition gives the same nodes. The steps halve. */
  thud_assert_at_most(rows[3].distance, 1e-12);
  thud_assert_near(rows[2].largest_move / rows[3].largest_move, 2, .05);
  end(b);
}

static void x6_has_no_uniform_limit(void **state) {
  (void)state;
  thud_limit_level rows[4];
  thud_partition *partitions[4];
  thud_limit_judgement found;
  bench *b = make_shaken();
  for (int k = 0; k < 4; k++) partitions[k] = scales_down_to(4 << k);
  assert_int_equal(thud_line_classify(context, &b->problem, 4, (const thud_partition *const *)partitions, rows, &found),
                   THUD_OK);
  assert_string_equal(thud_limit_class_name(found.found), "no uniform limit");
  /* At 4^-n the coarser run has u(1/2) = 1, the one with 2n scales (2n+3)/(4n+3). */
  thud_assert_near(rows[3].distance, 1 - 35.0 / 67, 1e-12);
  for (int k = 0; k < 4; k++) thud_partition_destroy(partitions[k]);
  end(b);
}

/* ---- friction steps and the ledger ------------------------------------------------------------------------------------------------------- */

static double energy(const bench *b, const double *f, const double *u) {
  double sum = 0;
  for (thud_index i = 0; i + 1 < b->n; i++) sum += (u[i + 1] - u[i]) * (u[i + 1] - u[i]) / (b->x[i + 1] - b->x[i]) / 2;
  for (thud_index i = 1; i + 1 < b->n; i++) sum -= f[i] * u[i];
  return sum;
}

/* E_i - E_{i+1} = sum bound |Du| + |Du|^2/2, from a state with the same ends and load; friction's conditions; and no
 * neighbour of u has a lower objective. */
static void random_friction_steps_satisfy_identity_and_conditions(void **state) {
  (void)state;
  thud_random random = thud_random_seed(5);
  for (int trial = 0; trial < 300; trial++) {
    thud_index n = 3 + (thud_index)thud_random_below(&random, 40);
    double x[64] = {0}, f[64] = {0}, bound[64] = {0}, before[64], u[64], r[64], move[64];
    for (thud_index i = 0; i < n; i++) {
      if (i > 0) x[i] = x[i - 1] + thud_random_uniform(&random, .01, 1);
      f[i] = thud_random_uniform(&random, -1, 1);
      bound[i] = thud_random_below(&random, 3) == 0 ? 0 : thud_random_uniform(&random, 0, 2);
      before[i] = thud_random_uniform(&random, -1, 1);
    }
    bench *b = make(n, x, 1, ramp);
    thud_line_info info;
    assert_int_equal(
        thud_line_solve_friction(b->line, f, bound, (double[]){before[0], before[n - 1]}, before, u, r, &info),
        THUD_OK);
    assert_true(info.solved);
    double lost = 0;
    for (thud_index i = 0; i < n; i++) move[i] = u[i] - before[i];
    for (thud_index i = 1; i + 1 < n; i++) {
      double bend = (u[i] - u[i - 1]) / (x[i] - x[i - 1]) - (u[i + 1] - u[i]) / (x[i + 1] - x[i]);
      thud_assert_near(bend, f[i] + r[i], 1e-10);
      thud_assert_at_most(fabs(r[i]), bound[i]);
      if (fabs(move[i]) > 1e-12) thud_assert_near(r[i], move[i] > 0 ? -bound[i] : bound[i], 1e-12);
      lost += bound[i] * fabs(move[i]);
    }
    double distance = thud_line_distance(b->line, move, NULL);
    thud_assert_near(energy(b, f, before) - energy(b, f, u), lost + distance * distance / 2, 1e-10);
    thud_line_destroy(b->line);
  }
}

static void bad_steps_are_refused(void **state) {
  (void)state;
  bench *b = make(4, NULL, 1, ramp);
  double f[4] = {0}, bound[4] = {0, 1, -1, 0}, u[4] = {0}, r[4];
  const double ends[2] = {0, 0};
  assert_int_equal(thud_line_solve_friction(b->line, f, bound, ends, u, u, r, NULL), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "node 2", ">= 0", NULL);
  f[1] = INFINITY;
  assert_int_equal(thud_line_solve_friction(b->line, f, bound, ends, u, u, r, NULL), THUD_ERROR_NOT_FINITE);
  thud_line_destroy(b->line);
}

/* ---- state and faults ----------------------------------------------------------------------------------------------------------------------- */

/* Field by field: the padding of structs that are returned by value is not specified. */
static void assert_same_findings(const thud_elastic_motion_info *a, const thud_elastic_motion_info *b) {
  assert_int_equal(a->status, b->status);
  assert_int_equal(a->steps, b->steps);
  assert_int_equal(a->solves, b->solves);
  assert_memory_equal(&a->time, &b->time, sizeof a->time);
  assert_memory_equal(&a->largest_move, &b->largest_move, sizeof a->largest_move);
  assert_memory_equal(&a->variation, &b->variation, sizeof a->variation);
  assert_memory_equal(&a->residual, &b->residual, sizeof a->residual);
}

static void a_restored_motion_gives_the_same_bits(void **state) {
  (void)state;
  double x[416], kept[416];
  thud_index n = fine_mesh(100, x);
  bench *b = make_moving(n, x, 3);
  b->eps = .05;
  begin(b, 0, 1.0 / 3, 40);
  for (int k = 0; k < 20; k++) assert_int_equal(thud_motion_step(b->motion, NULL, NULL), THUD_OK);
  size_t size = thud_motion_state_size(b->motion);
  char *block = malloc(size);
  assert_non_null(block);
  thud_motion_save(b->motion, block);
  thud_elastic_motion_info info = run(b);
  memcpy(kept, thud_line_motion_present(b->motion).u, (size_t)n * sizeof *kept);
  assert_int_equal(thud_motion_restore(b->motion, block, size - 1), THUD_ERROR_FORMAT);
  assert_int_equal(thud_motion_restore(b->motion, block, size), THUD_OK);
  thud_elastic_motion_info again = run(b);
  assert_memory_equal(kept, thud_line_motion_present(b->motion).u, (size_t)n * sizeof *kept);
  assert_same_findings(&info, &again);
  free(block);
  end(b);
}

static int fail_at_the_third(void *user, const void *frame) {
  (void)frame;
  return ++*(int *)user == 3 ? -1 : 0;
}

static void a_motion_goes_on_after_a_failing_sink(void **state) {
  (void)state;
  double x[416];
  thud_index n = fine_mesh(100, x);
  thud_elastic_motion_info infos[2];
  for (int k = 0; k < 2; k++) {
    int frames = k == 0 ? 3 : 0; /* the first sink does not fail */
    bench *b = make_moving(n, x, 3);
    b->eps = .05;
    begin(b, 0, 1.0 / 3, 10);
    const thud_motion_sink sink = {.frame = fail_at_the_third, .user = &frames};
    if (k == 1) assert_int_equal(thud_motion_run(b->motion, &sink, NULL), THUD_ERROR_CALLBACK);
    assert_int_equal(thud_motion_run(b->motion, &sink, NULL), THUD_OK);
    infos[k] = thud_line_motion_get_info(b->motion);
    assert_int_equal(frames, (k == 0 ? 3 : 0) + (int)infos[k].steps); /* no state is handed out twice */
    end(b);
  }
  assert_same_findings(&infos[0], &infos[1]);
}

static int failing_later(void *user, double t, thud_side side, thud_line_data *data) {
  (void)user, (void)side;
  data->v_ends[0] = -t;
  for (int i = 0; i < 5; i++) data->psi[i] = -.5;
  return 0;
}

static void data_below_the_obstacle_end_the_run(void **state) {
  (void)state;
  bench *b = make(5, NULL, 1, failing_later);
  begin(b, 0, 1, 10);
  thud_elastic_motion_info info = run(b);
  assert_int_equal(info.status, THUD_MOTION_BAD_DATA);
  thud_assert_near(info.time, .5, 1e-15);
  thud_test_message_has(context, "left end", "below the obstacle", NULL);
  end(b);
}

static thud_error classify_with(thud_context *own, void *user) {
  bench *b = user;
  thud_partition *partition = NULL;
  thud_line *line = NULL;
  const thud_line_definition definition = {
      .kind = THUD_LINE_STRING, .nodes = b->n, .x = b->x, .stiffness = 1, .extension = 1};
  thud_line_problem problem = b->problem;
  thud_limit_level rows[3];
  thud_limit_judgement found;
  thud_error error = thud_partition_uniform(own, 0, 2, 4, 0, NULL, &partition);
  if (error == THUD_OK) error = thud_line_create(own, &definition, &line);
  problem.line = line;
  const thud_partition *partitions[3] = {partition, partition, partition};
  if (error == THUD_OK) error = thud_line_classify(own, &problem, 3, partitions, rows, &found);
  thud_line_destroy(line);
  thud_partition_destroy(partition);
  return error;
}

static void failing_allocations_leave_nothing(void **state) {
  (void)state;
  bench *b = make(5, NULL, 1, ramp);
  thud_assert_greater(thud_test_sweep_allocations(classify_with, b), 20);
  thud_line_destroy(b->line);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(x1_is_exact_at_every_node),
      cmocka_unit_test(x2_is_the_same_with_any_number_of_steps),
      cmocka_unit_test(left_limits_of_the_data_are_met),
      cmocka_unit_test(x3_is_exact_at_nodes_and_of_order_one_half_between),
      cmocka_unit_test(x4_dissipates_although_its_limit_never_slips),
      cmocka_unit_test(a_step_from_nothing_takes_one_solve),
      cmocka_unit_test(return_trips_lose_energy_without_slip),
      cmocka_unit_test(x6_follows_its_closed_form),
      cmocka_unit_test(motions_have_their_classes),
      cmocka_unit_test(a_spread_load_gives_a_strong_solution),
      cmocka_unit_test(x6_has_no_uniform_limit),
      cmocka_unit_test(random_friction_steps_satisfy_identity_and_conditions),
      cmocka_unit_test(bad_steps_are_refused),
      cmocka_unit_test(a_restored_motion_gives_the_same_bits),
      cmocka_unit_test(a_motion_goes_on_after_a_failing_sink),
      cmocka_unit_test(data_below_the_obstacle_end_the_run),
      cmocka_unit_test(failing_allocations_leave_nothing),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
