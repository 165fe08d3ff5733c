/* Motions of systems whose functions are in C: run and recorded by the driver of all scenes, and verified from the
 * numbers that the functions gave. */
#include "as_functions.h"
#include "failing_allocator.h"
#include "record_channels.h"
#include "record_copy.h"
#include "kinds/system/system_scene.h"
#include "scratch_folder.h"
#include "testing.h"
#include "verifying.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct sample_scene {
  const char *name;
  const char *text; /* all but simulate */
  bool friction;    /* mabrouk does not take it */
  bool restitution; /* regularised does not take it */
  bool projections; /* mabrouk takes it: no equations beside restitution */
  bool events;      /* the event-driven method takes it */
  double end;
} sample_scene;

static const sample_scene scenes[] = {
    {"particle",
     "system: {coordinates: [q], kinetic_energy: \"0.5*q'^2\", forces: {q: 2},"
     " constraints: [{name: floor, phi: q, restitution: 0.5}]}, initial: {q: -1}",
     false, true, true, true, 2.7},
    {"klarbring",
     "system: {coordinates: [n, s], kinetic_energy: \"0.5*(n'^2 + s'^2)\", potential_energy: \"n^2 + n*s + s^2\","
     " forces: {n: 3}, constraints: [{name: wall, phi: n, friction: {mu: 0.4, slip: [\"s'\"]}}]},"
     " initial: {n: -0.2, s: 0, \"n'\": 1, \"s'\": 4}",
     true, false, true, true, 1.5},
    {"space",
     "system: {coordinates: [n, x, y], mass: [1, 1, 2], forces: {n: 1, x: 0.3}, constraints: [{name: wall, phi: n,"
     " restitution: 0.5, friction: {mu: 0.2, slip: [\"x'\", \"y'\"]}}]},"
     " initial: {n: -0.5, x: 0, y: 0, \"n'\": 1, \"x'\": 0.6, \"y'\": 0.8}",
     true, true, true, true, 1.2},
    {"pendulum",
     "parameters: {l: 1.5}, system: {coordinates: [x, y, a], kinetic_energy: \"0.5*(x'^2 + y'^2) + 0.3*a'^2\","
     " potential_energy: \"9.81*y\", constraints: [{name: rod, equation: x^2 + y^2 - l^2},"
     " {name: spin, velocity_form: \"a' - x'\"}, {name: wall, gap: x + 0.4, restitution: 0.7}]},"
     " initial: {x: 1.5, y: 0, a: 0}",
     false, true, false, true, 1},
    {"moving table",
     "system: {coordinates: [z], kinetic_energy: \"0.5*z'^2\", forces: {z: -9.81 - 0.2*z'},"
     " constraints: [{name: table, gap: z - 0.01*sin(20*t), restitution: 0.5}]}, initial: {z: 0.1}",
     false, true, true, true, 0.3},
    {"freewheel",
     "system: {coordinates: [a, b], kinetic_energy: \"0.25*(a'^2 + b'^2)\", forces: {a: 1},"
     " constraints: [{name: wheel, velocity_form: \"b' - a'\", one_sided: true}]}, initial: {a: 0, b: 0, \"a'\": -1}",
     false, false, true, false, 2},
    {"brake",
     "system: {coordinates: [x, y, p], mass: [3, 3, 0.75], friction: [{name: legs, threshold: 12,"
     " slip: [\"x'\", \"y'\", \"0.5*p'\"], law: {ball: {centre: [0, 0, 0], radius: 1}}}]},"
     " initial: {x: 0, y: 0, p: 0, \"x'\": 1.2, \"y'\": -0.8, \"p'\": 3}",
     true, false, true, false, 1},
    {"double pendulum",
     "system: {coordinates: [p, r], kinetic_energy: \"0.5*(4/3*p'^2 + 2*cos(p-r)*p'*r' + 4/3*r'^2)\","
     " potential_energy: \"p^2/2 + (r-p)^2/2\", constraints: [{name: joint, phi: -sin(p), restitution: 0.8},"
     " {name: tip, phi: -sin(p) - 2*sin(r), restitution: 0.8}]}, initial: {p: 1.5, r: 0}",
     false, true, true, true, 3},
    {"soft corner",
     "system: {coordinates: [x, y], kinetic_energy: \"(x'^2 + y'^2)/2\", forces: {x: 4}, impact_law: canonical,"
     " constraints: [{name: roof, phi: y}, {name: slope, phi: x + y}]},"
     " initial: {x: 0, y: -1, \"x'\": -1, \"y'\": 2}",
     false, false, true, true, 2},
    {"chain",
     "system: {coordinates: [a, b, c], mass: [1, 2, 1], impact_law: sequential, constraints: [{name: left, gap: b - a "
     "- 1,"
     " restitution: 0.8}, {name: right, gap: c - b - 1, restitution: 0.8}]},"
     " initial: {a: 0, b: 1.2, c: 2.2, \"a'\": 1}",
     false, true, false, true, 1},
    {"table",
     "system: {coordinates: [q], kinetic_energy: \"0.5*q'^2\", forces: {q: 2}, impact_law: {table: {q: "
     "\"if(q' > 0, -0.3*q', q')\"}},"
     " constraints: [{name: floor, phi: q}]}, initial: {q: -1}",
     false, true, false, true, 1.3}};
enum { SCENES = sizeof scenes / sizeof *scenes };

static const char *const simulations[] = {"method: moreau, steps: 200",
                                          "method: mabrouk, steps: 200",
                                          "method: moreau-jean, steps: 200",
                                          "method: stabilised, steps: 200",
                                          "method: second-order, steps: 200",
                                          "method: regularised, steps: 200",
                                          "method: moreau, tolerance: 1e-2",
                                          "method: moreau-jean, tolerance: 1e-2",
                                          "method: moreau-jean, steps: 200, theta: 0.7",
                                          "method: event-driven"};
enum { SIMULATIONS = sizeof simulations / sizeof *simulations };

static bool takes(const sample_scene *scene, const char *simulate) {
  if (strstr(simulate, "mabrouk") != NULL) return !scene->friction && scene->projections;
  if (strstr(simulate, "event-driven") != NULL) return scene->events;
  return strstr(simulate, "regularised") == NULL || !scene->restitution;
}

/* ---- one motion in two ways ----------------------------------------------------------------------------------------
 */

typedef struct both {
  thud_context *context;
  thud_scene *formulas, *functions;
  as_functions *wrapped;
} both;

static thud_scene *build(thud_context *context, const char *text) {
  thud_tree *tree = NULL;
  thud_scene *scene = NULL;
  thud_error error = thud_tree_read_text(context, "scene", text, strlen(text), &tree);
  if (error == THUD_OK) error = thud_scene_build(context, tree, &scene);
  if (error != THUD_OK) fail_msg("%s: %s", text, thud_context_last_message(context));
  thud_tree_destroy(tree);
  return scene;
}

static thud_system_scene definition(const both *made, double record_every, double checkpoint_every) {
  const scene_system *from = thud_scene_lagrangian(made->formulas);
  return (thud_system_scene){.system = thud_test_as_functions_system(made->wrapped),
                             .q0 = from->q0,
                             .v0 = from->v0,
                             .title = "functions in C",
                             .stepping = from->event_driven ? NULL : &from->motion,
                             .event = from->event_driven ? &from->event : NULL,
                             .record_every = record_every,
                             .checkpoint_every = checkpoint_every};
}

static both make(thud_context *context, const sample_scene *scene, const char *simulate, double record_every,
                 double checkpoint_every) {
  char text[4096];
  snprintf(text, sizeof text, "{thud: 1, %s, simulate: {%s, end: %g}}", scene->text, simulate, scene->end);
  both made = {.context = context, .formulas = build(context, text)};
  made.wrapped = thud_test_as_functions(context, thud_scene_lagrangian(made.formulas)->system);
  thud_system_scene def = definition(&made, record_every, checkpoint_every);
  if (thud_scene_create_system(context, &def, &made.functions) != THUD_OK)
    fail_msg("%s, %s: %s", scene->name, simulate, thud_context_last_message(context));
  return made;
}

static void end(both *made) {
  thud_scene_destroy(made->functions);
  thud_test_as_functions_destroy(made->wrapped);
  thud_scene_destroy(made->formulas);
}

static void run(thud_scene *scene, const char *path, bool resume) {
  thud_run_options options = thud_run_options_default();
  thud_run_result result;
  options.record = path;
  options.overwrite = !resume;
  options.resume = resume;
  if (thud_scene_run(scene, &options, &result) != THUD_OK)
    fail_msg("%s", thud_context_last_message(thud_scene_context(scene)));
  if (result.verdict != THUD_VERDICT_GOOD) fail_msg("%s", result.reason);
  thud_run_result_free(thud_scene_context(scene), &result);
}

static void assert_same_end(const char *what, both *made) {
  size_t n = (size_t)made->formulas->dimension;
  record_channels one, two;
  record_channels_load(made->context, thud_test_path("formulas.h5"), &one);
  record_channels_load(made->context, thud_test_path("functions.h5"), &two);
  size_t last = one.frames.rows - 1, own = two.frames.rows - 1;
  for (size_t i = 0; i < n; i++) {
    double a = *record_table_number(&one.frames, "q", last, i), b = *record_table_number(&two.frames, "q", own, i);
    if (!(fabs(a - b) <= 1e-7 * (1 + fabs(a)))) fail_msg("%s: %.17g by formulas, %.17g by functions", what, a, b);
  }
  record_channels_free(&one);
  record_channels_free(&two);
}

static void motions_are_those_of_formulas_and_verify(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  size_t runs = 0;
  for (int k = 0; k < SCENES; k++)
    for (int j = k % thud_test_share(10); j < SIMULATIONS; j += thud_test_share(10)) {
      if (!takes(&scenes[k], simulations[j])) continue;
      char what[256];
      snprintf(what, sizeof what, "%s, %s", scenes[k].name, simulations[j]);
      both made = make(context, &scenes[k], simulations[j], 0, 0);
      run(made.formulas, thud_test_path("formulas.h5"), false);
      run(made.functions, thud_test_path("functions.h5"), false);
      assert_same_end(what, &made);
      thud_verify_result result = thud_test_verify(context, thud_test_path("functions.h5"));
      if (result.verdict != THUD_VERIFY_GOOD) fail_msg("%s: %s", what, result.reason);
      const thud_verify_check *check = thud_test_check_of(&result, "functions");
      assert_int_equal(check->status, THUD_VERIFY_NOT_CHECKED);
      assert_non_null(strstr(check->detail, "forces"));
      end(&made);
      runs++;
    }
  print_message("%zu motions\n", runs);
  thud_test_context_end(context);
}

static void thinned_records_verify(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (int k = 0; k < SCENES; k++) {
    both made = make(context, &scenes[k], "method: moreau, steps: 200", scenes[k].end / 20, 0);
    run(made.functions, thud_test_path("functions.h5"), false);
    thud_verify_result result = thud_test_verify(context, thud_test_path("functions.h5"));
    if (result.verdict != THUD_VERIFY_GOOD) fail_msg("%s: %s", scenes[k].name, result.reason);
    end(&made);
  }
  thud_test_context_end(context);
}

/* ---- wrong numbers -------------------------------------------------------------------------------------------------
 */

static double largest_of(const record_table *table, size_t channel) {
  double size = 0;
  for (size_t row = 0; row < table->rows; row++)
    for (size_t i = 0; i < record_table_size(table, channel, row); i++)
      size = fmax(size, fabs(record_table_cell(table, channel, row)[i]));
  return size > 0 ? size : 1;
}

/* Changes every number of the row, one after the other. */
static void tamper_row(thud_context *context, record_channels *record, const record_table *table, size_t row,
                       const char *const *without) {
  for (size_t c = 0; c < table->count; c += (size_t)thud_test_share(10)) {
    const record_column *column = &table->columns[c];
    bool left_out = column->bytes != NULL;
    for (size_t k = 0; without[k] != NULL; k++) left_out = left_out || strcmp(without[k], column->about.name) == 0;
    for (size_t i = 0; !left_out && i < record_table_size(table, c, row); i++) {
      double kept = record_table_cell(table, c, row)[i];
      double change = column->about.type == THUD_RECORD_REAL ? 1e-4 * largest_of(table, c) : 1;
      record_channels_try(context, column->about.name, record, table, c, i, row,
                          kept == 1 && change == 1 ? 0 : kept + change);
    }
  }
}

static size_t find_impact(const record_channels *record, size_t number) {
  for (size_t row = 1; row < record->frames.rows; row++)
    if (*record_table_number(&record->frames, "atom", row, 0) != 0 && number-- == 0) return row;
  fail_msg("there is no such impact");
  return 0;
}

static void tamper(thud_context *context, int scene, const char *simulate, size_t impact, const char *const *without) {
  both made = make(context, &scenes[scene], simulate, 0, 0);
  record_channels record;
  run(made.functions, thud_test_path("functions.h5"), false);
  record_channels_load(context, thud_test_path("functions.h5"), &record);
  if (strstr(simulate, "event-driven") != NULL)
    tamper_row(context, &record, &record.events, impact, without);
  else
    tamper_row(context, &record, &record.frames, find_impact(&record, impact), without);
  record_channels_free(&record);
  end(&made);
}

/* Residuals may be anything below their tolerance. Where the velocity problem is not posed at a node, gaps are held
 * against their velocities only while the contact lasts. */
static void every_wrong_number_of_a_step_is_found(void **state) {
  (void)state;
  static const char *const nothing[] = {NULL}, *const elsewhere[] = {"residual", "gap", "posed_gap", NULL};
  thud_context *context = thud_test_context(1);
  tamper(context, 2, "method: moreau, steps: 60", 0, nothing);
  tamper(context, 7, "method: moreau, steps: 60", 0, nothing);
  tamper(context, 4, "method: mabrouk, steps: 60", 0, nothing);
  tamper(context, 2, "method: moreau-jean, steps: 60", 0, elsewhere);
  tamper(context, 4, "method: moreau-jean, steps: 60, theta: 0.7", 0, elsewhere);
  tamper(context, 0, "method: second-order, steps: 60", 0, elsewhere);
  thud_test_context_end(context);
}

/* Errors of times are estimates; figures of limits are none of an impact; functions have no proved brackets (NaN). */
static void every_wrong_number_of_an_impact_is_found(void **state) {
  (void)state;
  static const char *const without[] = {"t_error", "residual",    "begin", "duration", "ratio",
                                        "impacts", "limit_error", "t_low", "t_high",   NULL};
  thud_context *context = thud_test_context(1);
  tamper(context, 2, "method: event-driven", 0, without);
  tamper(context, 0, "method: event-driven", 1, without);
  tamper(context, 7, "method: event-driven", 0, without);
  thud_test_context_end(context);
}

/* A floor that pulls, however little it presses elsewhere: the sign is judged beside the largest reaction. */
static void reactions_that_pull_are_found_at_any_size(void **state) {
  (void)state;
  static const double weights[] = {1e-6, 1, 1e6};
  for (size_t k = 0; k < sizeof weights / sizeof *weights; k++) {
    thud_context *context = thud_test_context(1);
    char text[512];
    snprintf(text, sizeof text,
             "system: {coordinates: [q], mass: [%g], forces: {q: %g}, constraints: [{name: floor, gap: q}]}, initial: "
             "{q: 0}",
             weights[k], -weights[k]);
    const sample_scene resting = {.name = "resting", .text = text, .end = 1};
    both made = make(context, &resting, "method: event-driven", 0, 0);
    record_channels record;
    run(made.functions, thud_test_path("functions.h5"), false);
    record_channels_load(context, thud_test_path("functions.h5"), &record);
    double *reaction = record_table_number(&record.frames, "reaction", 0, 0);
    thud_assert_near(*reaction, weights[k], 1e-12 * weights[k]);
    *reaction = -1e-3 * weights[k];
    record_channels_save(context, thud_test_path("pulling.h5"), &record);
    thud_verify_result result = thud_test_verify(context, thud_test_path("pulling.h5"));
    const thud_verify_check *law = thud_test_check_of(&result, "law");
    assert_int_equal(law->status, THUD_VERIFY_FAILED);
    assert_string_equal(law->detail, "sign of the reaction of 'floor'");
    thud_assert_near(law->worst, 1e-3 * weights[k], 1e-15 * weights[k]);
    thud_assert_less(law->tolerance, 1e-7 * weights[k]);
    record_channels_free(&record);
    end(&made);
    thud_test_context_end(context);
    thud_test_folder_empty();
  }
}

/* What a penalty lets in grows with the time since the start, not with the time. */
static void tolerances_of_penalties_count_from_the_start(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const sample_scene falling = {.name = "falling",
                                .text = "system: {coordinates: [q], mass: [1], forces: {q: -2}, constraints: [{name: "
                                        "floor, gap: q}]}, initial: {q: 1}",
                                .end = 1002};
  both made = make(context, &falling, "method: regularised, steps: 200, start: 1000", 0, 0);
  run(made.functions, thud_test_path("functions.h5"), false);
  thud_verify_result result = thud_test_verify(context, thud_test_path("functions.h5"));
  const thud_verify_check *found = thud_test_check_of(&result, "penetration");
  assert_int_equal(found->status, THUD_VERIFY_PASSED);
  thud_assert_less(found->tolerance, 10); /* 2 s at 2 m/s, and a little */
  end(&made);
  thud_test_context_end(context);
}

/* ---- records -------------------------------------------------------------------------------------------------------
 */

static void a_killed_run_is_resumed_to_the_same_bits(void **state) {
  (void)state;
  static const char *const ways[] = {"method: moreau-jean, steps: 200", "method: moreau, tolerance: 1e-3",
                                     "method: event-driven"};
  thud_context *context = thud_test_context(1);
  for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
    both made = make(context, &scenes[7], ways[w], 0, 0.25);
    run(made.functions, thud_test_path("whole.h5"), false);
    thud_run_options options = thud_run_options_default();
    thud_run *half = NULL;
    bool going = true;
    options.record = thud_test_path("half.h5");
    options.overwrite = true;
    assert_int_equal(thud_run_create(made.functions, &options, &half), THUD_OK);
    for (int step = 0; step < (w == 2 ? 12 : 130) && going; step++)
      assert_int_equal(thud_run_step(half, &going), THUD_OK);
    thud_run_destroy(half);
    run(made.functions, thud_test_path("half.h5"), true);
    record_channels one, two;
    record_channels_load(context, thud_test_path("whole.h5"), &one);
    record_channels_load(context, thud_test_path("half.h5"), &two);
    assert_string_equal(one.summary, two.summary);
    assert_int_equal(one.frames.rows, two.frames.rows);
    for (size_t c = 0; c < one.frames.count; c++)
      for (size_t row = 0; row < one.frames.rows; row++) {
        size_t count = record_table_size(&one.frames, c, row);
        assert_int_equal(record_table_size(&two.frames, c, row), count);
        assert_memory_equal(record_table_cell(&one.frames, c, row), record_table_cell(&two.frames, c, row),
                            count * sizeof(double));
      }
    record_channels_free(&one);
    record_channels_free(&two);
    thud_verify_result result = thud_test_verify(context, thud_test_path("half.h5"));
    if (result.verdict != THUD_VERIFY_GOOD) fail_msg("%s", result.reason);
    end(&made);
  }
  thud_test_context_end(context);
}

static void the_description_is_a_scene_that_says_where_its_functions_are(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  both made = make(context, &scenes[0], simulations[0], 0, 0);
  thud_tree *tree = NULL;
  thud_scene *scene = NULL;
  const char *text = made.functions->text;
  assert_int_equal(thud_tree_read_text(context, "scene", text, strlen(text), &tree), THUD_OK);
  assert_int_equal(thud_scene_build(context, tree, &scene), THUD_ERROR_UNSUPPORTED);
  assert_non_null(strstr(thud_context_last_message(context), "in a program"));
  thud_tree_destroy(tree);
  end(&made);
  thud_test_context_end(context);
}

static void wrong_definitions_are_refused(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  both made = make(context, &scenes[0], simulations[0], 0, 0);
  thud_scene *scene = NULL;
  thud_system_scene def = definition(&made, 0, 0);
  def.system = NULL;
  assert_int_equal(thud_scene_create_system(context, &def, &scene), THUD_ERROR_ARGUMENT);
  def = definition(&made, -1, 0);
  assert_int_equal(thud_scene_create_system(context, &def, &scene), THUD_ERROR_ARGUMENT);
  def = definition(&made, 0, 0);
  def.event = &thud_scene_lagrangian(made.formulas)->event;
  assert_int_equal(thud_scene_create_system(context, &def, &scene), THUD_ERROR_ARGUMENT);
  double below = 1;
  def = definition(&made, 0, 0);
  def.q0 = &below;
  assert_int_equal(thud_scene_create_system(context, &def, &scene), THUD_ERROR_ARGUMENT);
  assert_non_null(strstr(thud_context_last_message(context), "floor"));
  end(&made);
  thud_test_context_end(context);
}

/* ---- memory --------------------------------------------------------------------------------------------------------
 */

typedef struct sweep {
  const char *simulate;
  const char *path; /* of a record; NULL: the scene and its run */
} sweep;

static int fall(void *user, double t, const double *q, const double *v, double *out) {
  (void)user, (void)t, (void)q, (void)v;
  out[0] = 0;
  out[1] = -9.81;
  return 0;
}

static int height(void *user, double t, const double *q, const double *v, double *out) {
  (void)user, (void)t, (void)v;
  out[0] = q[1];
  return 0;
}

static int up(void *user, double t, const double *q, const double *v, double *out) {
  (void)user, (void)t, (void)q, (void)v;
  out[0] = 0;
  out[1] = 1;
  return 0;
}

static int along(void *user, double t, const double *q, const double *v, double *out) {
  (void)user, (void)t, (void)q, (void)v;
  out[0] = 1;
  out[1] = 0;
  return 0;
}

static int coefficient(void *user, double t, const double *q, const double *v, double *out) {
  (void)user, (void)t, (void)q, (void)v;
  out[0] = 0.3;
  return 0;
}

static thud_error make_ball(thud_context *context, thud_system **ball) {
  static const char *const names[] = {"x", "y"};
  static const double mass[] = {2, 0, 0, 2};
  static const thud_constraint_def floor = {.name = "floor", .restitution = 0.5};
  static const thud_friction_def friction = {.name = "floor", .kind = THUD_FRICTION_DISC, .directions = 1};
  const thud_system_def def = {
      .n = 2,
      .coordinates = names,
      .mass = mass,
      .m = 1,
      .constraints = &floor,
      .laws = 1,
      .friction = &friction,
      .functions = {.force = fall, .constraint = height, .gradient = up, .slip = along, .friction = coefficient}};
  return thud_system_create(context, &def, ball);
}

static thud_error run_ball(thud_context *context, const sweep *how, const char *path) {
  const double q0[] = {0, 0.1}, v0[] = {1, 0};
  thud_stepping_options stepping = thud_stepping_options_default();
  thud_event_options event = thud_event_options_default();
  stepping.steps = 8;
  stepping.end = event.end = 0.2;
  thud_system *ball = NULL;
  thud_scene *scene = NULL;
  bool events = strcmp(how->simulate, "event-driven") == 0;
  thud_error error = make_ball(context, &ball);
  const thud_system_scene def = {.system = ball,
                                 .q0 = q0,
                                 .v0 = v0,
                                 .stepping = events ? NULL : &stepping,
                                 .event = events ? &event : NULL,
                                 .checkpoint_every = 0.1};
  if (error == THUD_OK) error = thud_scene_create_system(context, &def, &scene);
  thud_run_options options = thud_run_options_default();
  thud_run_result result = {0};
  options.record = path;
  options.overwrite = true;
  if (error == THUD_OK) error = thud_scene_run(scene, &options, &result);
  /* Once started, what happens is the verdict. */
  if (error == THUD_OK && result.verdict != THUD_VERDICT_GOOD) error = THUD_ERROR_MEMORY;
  thud_run_result_free(context, &result);
  thud_scene_destroy(scene);
  thud_system_destroy(ball);
  return error;
}

static thud_error sweep_run(thud_context *context, void *user) { return run_ball(context, user, NULL); }

static thud_error sweep_verify(thud_context *context, void *user) {
  thud_verify_result result;
  thud_error error = thud_verify_record(context, ((const sweep *)user)->path, NULL, &result);
  if (error == THUD_OK) assert_int_equal(result.verdict, THUD_VERIFY_GOOD);
  return error;
}

static void every_lack_of_memory_is_reported(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (int k = 0; k < 2; k++) {
    sweep how = {.simulate = k == 0 ? "moreau" : "event-driven", .path = thud_test_path("ball.h5")};
    assert_int_equal(run_ball(context, &how, how.path), THUD_OK);
    thud_assert_greater(thud_test_sweep_allocations(sweep_run, &how), 0);
    thud_assert_greater(thud_test_sweep_allocations(sweep_verify, &how), 0);
  }
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(motions_are_those_of_formulas_and_verify),
      cmocka_unit_test(thinned_records_verify),
      cmocka_unit_test(every_wrong_number_of_a_step_is_found),
      cmocka_unit_test(every_wrong_number_of_an_impact_is_found),
      cmocka_unit_test(reactions_that_pull_are_found_at_any_size),
      cmocka_unit_test(tolerances_of_penalties_count_from_the_start),
      cmocka_unit_test(a_killed_run_is_resumed_to_the_same_bits),
      cmocka_unit_test(the_description_is_a_scene_that_says_where_its_functions_are),
      cmocka_unit_test(wrong_definitions_are_refused),
      cmocka_unit_test(every_lack_of_memory_is_reported),
  };
  return cmocka_run_group_tests(tests, thud_test_folder_make, thud_test_folder_remove);
}
