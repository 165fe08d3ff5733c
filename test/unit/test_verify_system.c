/* The checker of motions: good records pass whatever made them, one wrong number is found, texts report the same. */
#include "failing_allocator.h"
#include "record_channels.h"
#include "record_copy.h"
#include "scratch_folder.h"
#include "testing.h"
#include "verifying.h"
#include "verify/math/verify_dense.h"
#include "verify/system/verify_system_frames.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const methods[] = {"moreau", "mabrouk", "moreau-jean", "stabilised", "second-order", "regularised"};
enum { METHODS = 6 };

typedef struct sample_scene {
  const char *name;
  const char *text; /* all but method, steps and record */
  bool friction;    /* mabrouk does not take it */
  bool restitution; /* regularised does not take it */
  bool projections; /* mabrouk takes it: no equations beside restitution */
  double end;
} sample_scene;

static const sample_scene scenes[] = {
    {"particle",
     "system: {coordinates: [q], kinetic_energy: \"0.5*q'^2\", forces: {q: 2},"
     " constraints: [{name: floor, phi: q, restitution: 0.5}]}, initial: {q: -1}",
     false, true, true, 4},
    {"soft corner",
     "system: {coordinates: [x, y], kinetic_energy: \"(x'^2 + y'^2)/2\", forces: {x: 4}, impact_law: canonical,"
     " constraints: [{name: roof, phi: y}, {name: slope, phi: x + y}]},"
     " initial: {x: 0, y: -1, \"x'\": -1, \"y'\": 2}",
     false, false, true, 2},
    {"klarbring",
     "system: {coordinates: [n, s], kinetic_energy: \"0.5*(n'^2 + s'^2)\", potential_energy: \"n^2 + n*s + s^2\","
     " forces: {n: 3}, constraints: [{name: wall, phi: n, friction: {mu: 1, slip: [\"s'\"]}}]},"
     " initial: {n: -0.2, s: 0, \"n'\": 1, \"s'\": 4}",
     true, false, true, 3.5},
    {"space",
     "system: {coordinates: [n, x, y], mass: [1, 1, 2], forces: {n: 1, x: 0.3}, constraints: [{name: wall, phi: n,"
     " restitution: 0.5, friction: {mu: 0.2, slip: [\"x'\", \"y'\"]}}]},"
     " initial: {n: -0.5, x: 0, y: 0, \"n'\": 1, \"x'\": 0.6, \"y'\": 0.8}",
     true, true, true, 2},
    {"pendulum",
     "parameters: {l: 1.5}, system: {coordinates: [x, y, a], kinetic_energy: \"0.5*(x'^2 + y'^2) + 0.3*a'^2\","
     " potential_energy: \"9.81*y\", constraints: [{name: rod, equation: x^2 + y^2 - l^2},"
     " {name: spin, velocity_form: \"a' - x'\"}, {name: wall, gap: x + 0.4, restitution: 0.7}]},"
     " initial: {x: 1.5, y: 0, a: 0}",
     false, true, false, 2},
    {"moving table",
     "system: {coordinates: [z], kinetic_energy: \"0.5*z'^2\", forces: {z: -9.81 - 0.2*z'},"
     " constraints: [{name: table, gap: z - 0.01*sin(20*t), restitution: 0.5}]}, initial: {z: 0.1}",
     false, true, true, 1},
    {"freewheel",
     "system: {coordinates: [a, b], kinetic_energy: \"0.25*(a'^2 + b'^2)\", forces: {a: 1},"
     " constraints: [{name: wheel, velocity_form: \"b' - a'\", one_sided: true}]}, initial: {a: 0, b: 0, \"a'\": -1}",
     false, false, true, 2},
    {"brake",
     "system: {coordinates: [x, y, p], mass: [3, 3, 0.75], friction: [{name: legs, threshold: 12,"
     " slip: [\"x'\", \"y'\", \"0.5*p'\"], law: {ball: {centre: [0, 0, 0], radius: 1}}}]},"
     " initial: {x: 0, y: 0, p: 0, \"x'\": 1.2, \"y'\": -0.8, \"p'\": 3}",
     true, false, true, 1},
    {"double pendulum",
     "system: {coordinates: [p, r], kinetic_energy: \"0.5*(4/3*p'^2 + 2*cos(p-r)*p'*r' + 4/3*r'^2)\","
     " potential_energy: \"p^2/2 + (r-p)^2/2\", constraints: [{name: joint, phi: -sin(p), restitution: 0.8},"
     " {name: tip, phi: -sin(p) - 2*sin(r), restitution: 0.8}]}, initial: {p: 1.5, r: 0}",
     false, true, true, 4}};
enum { SCENES = sizeof scenes / sizeof *scenes };

static bool takes(const sample_scene *scene, const char *method) {
  if (strcmp(method, "mabrouk") == 0) return !scene->friction && scene->projections;
  return strcmp(method, "regularised") != 0 || !scene->restitution;
}

static const char *scene_text(const sample_scene *scene, const char *method, const char *steps, const char *record) {
  static char text[4096];
  snprintf(text, sizeof text, "{thud: 1, %s, simulate: {method: %s, end: %g, %s}, record: {%s}}", scene->text, method,
           scene->end, steps, record);
  return text;
}

static void assert_good(thud_context *context, const char *text, const char *path) {
  record_copy_run(context, text, path);
  thud_verify_result result = thud_test_verify(context, path);
  if (result.verdict != THUD_VERIFY_GOOD) fail_msg("%s\n%s", text, result.reason);
}

/* ---- good records -------------------------------------------------------------------------------------------------
 */

static void good_records_pass_for_every_method_thinning_and_step(void **state) {
  (void)state;
  static const char *const steps[] = {"steps: 200", "steps: 500", "tolerance: 1e-3"};
  static const char *const records[] = {"every_step: true", "every: 0.05"};
  thud_context *context = thud_test_context(1);
  const char *path = thud_test_path("good.h5");
  int tried = 0;
  for (size_t k = 0; k < SCENES; k += (size_t)thud_test_share(5))
    for (int method = 0; method < METHODS; method++)
      for (int step = 0; step < 3 && takes(&scenes[k], methods[method]); step += thud_test_share(2))
        for (int record = 0; record < 2; record++, tried++)
          assert_good(context, scene_text(&scenes[k], methods[method], steps[step], records[record]), path);
  thud_assert_greater(tried, 200 / thud_test_share(11));
  thud_test_context_end(context);
}

static void other_laws_of_impact_are_held_to_the_axioms(void **state) {
  (void)state;
  static const char *const laws[] = {"canonical", "newton", "sequential", "{lzb: {exponent: 1.5}}"};
  thud_context *context = thud_test_context(1);
  for (int k = 0; k < 4; k++) {
    char text[1024];
    snprintf(text, sizeof text,
             "{thud: 1, system: {coordinates: [x, y, z], kinetic_energy: \"(x'^2 + y'^2 + z'^2)/2\", impact_law: %s,"
             " constraints: [{name: left, gap: y - x, restitution: 1}, {name: right, gap: z - y, restitution: 1}]},"
             " initial: {x: -1, y: 0, z: 0, \"x'\": 1}, simulate: {method: moreau, end: 1.5, steps: 150}}",
             laws[k]);
    assert_good(context, text, thud_test_path("law.h5"));
  }
  assert_good(context,
              "{thud: 1, system: {coordinates: [q], kinetic_energy: \"0.5*q'^2\", forces: {q: 2},"
              " impact_law: {table: {q: \"if(q' > 0, -0.6*q', q')\"}}, constraints: [{name: floor, phi: q}]},"
              " initial: {q: -1}, simulate: {method: moreau, end: 3, steps: 300}}",
              thud_test_path("table.h5"));
  thud_test_context_end(context);
}

/* One impact with the floor under the table law v+ = -0.5 v-: v- = -2 gives v+ = 1 and the impulse 3. Answers of other
 * restitutions balance momentum as well, and are not those of the table; in a step that nothing approaches the table is
 * not asked, and what forces close is stopped. */
static void the_answer_of_a_table_is_asked_for(void **state) {
  (void)state;
  static const struct {
    double before, after, impulse;
    bool good;
  } cases[] = {{-2, 1, 3, true}, {-2, .8, 2.8, false}, {-2, 0, 2, false}, {.1, 0, .3, true}, {.1, .2, .5, false}};
  thud_context *context = thud_test_context(1);
  const char *path = thud_test_path("answer.h5");
  record_copy_run(context,
                  "{thud: 1, system: {coordinates: [y], mass: [1], forces: {y: -1},"
                  " impact_law: {table: {y: \"-0.5*y'\"}}, constraints: [{name: floor, gap: y}]},"
                  " initial: {y: 1}, simulate: {method: moreau-jean, end: 1, steps: 10}}",
                  path);
  record_channels record;
  record_channels_load(context, path, &record);
  const char *resolved = thud_record_reader_info(record.reader).resolved;
  thud_tree *tree;
  verify_system *system = NULL;
  assert_int_equal(thud_tree_read_text(context, "resolved", resolved, strlen(resolved), &tree), THUD_OK);
  assert_int_equal(thud_verify_system_create(context, tree, &system), THUD_OK);
  verify_values at;
  assert_int_equal(thud_verify_values_create(system, &at), THUD_OK);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    double q = 0, work[4], acting = 1, restitution = 0;
    assert_true(thud_verify_system_at(system, 0, &q, &cases[k].before, &at));
    verify_percussion p = {.context = context,
                           .system = system,
                           .at = &at,
                           .v_left = &cases[k].before,
                           .v_plus = &cases[k].after,
                           .reaction = &cases[k].impulse,
                           .acting = &acting,
                           .restitution = &restitution,
                           .tolerance = 1e-9,
                           .work = work};
    thud_verify_check check = thud_verify_check_new("law");
    thud_verify_percussion_measure(&p);
    double factor = thud_verify_percussion_factor(&p);
    thud_verify_percussion_normal(&p, factor, &check);
    thud_verify_percussion_gain(&p, factor, &check);
    assert_int_equal(check.status, cases[k].good ? THUD_VERIFY_PASSED : THUD_VERIFY_FAILED);
  }
  thud_verify_values_free(system, &at);
  thud_verify_system_destroy(system);
  thud_tree_destroy(tree);
  record_channels_free(&record);
  thud_test_context_end(context);
}

static void a_reduced_restitution_is_recognised(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const char *path = thud_test_path("rod.h5");
  const char *text = "{thud: 1, system: {coordinates: [x, y, th], mass: [1, 1, 1/12], constraints: [{name: ground,"
                     " gap: y - sin(th)/2, restitution: 0.9, friction: {mu: 0.4, slip: [\"x' + sin(th)*th'/2\"]}}]},"
                     " initial: {x: 0, y: 0.6, th: 0.7853981633974483, \"y'\": -1, \"x'\": 0},"
                     " simulate: {method: moreau, end: 0.5, steps: 500}}";
  assert_good(context, text, path);
  thud_test_context_end(context);
}

static void an_unfinished_record_is_checked_up_to_its_last_frame(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const char *path = thud_test_path("whole.h5"), *cut = thud_test_path("cut.h5");
  record_channels record;
  record_copy_run(context, scene_text(&scenes[0], "moreau-jean", "steps: 200", "every_step: true"), path);
  record_channels_load(context, path, &record);
  record.frames.rows = 120;
  record.finished = false;
  size_t kept = 0;
  while (kept < record.events.rows && *record_table_number(&record.events, "frame", kept, 0) < 120) kept++;
  record.events.rows = kept;
  record_channels_save(context, cut, &record);
  thud_verify_result result = thud_test_verify(context, cut);
  assert_int_equal(result.verdict, THUD_VERIFY_UNFINISHED);
  record_channels_free(&record);
  thud_test_context_end(context);
}

/* ---- one wrong number ----------------------------------------------------------------------------------------------
 */

/* Size of a component; energies are compared with each other, and so are the values of lists. */
static double largest(const record_table *table, size_t channel, size_t component) {
  const thud_record_channel *about = &table->columns[channel].about;
  bool all = about->width == 0 || strcmp(about->role, "ledger") == 0;
  double size = 0;
  if (strcmp(about->role, "residual") == 0) return 1; /* relative already */
  for (size_t k = 0; k < table->rows; k++)
    for (size_t i = 0; i < record_table_size(table, channel, k); i++)
      if (all || i == component) size = fmax(size, fabs(record_table_cell(table, channel, k)[i]));
  return size > 1e-9 ? size : 1; /* drifts and defects may be rounding errors all along */
}

static void tamper(thud_context *context, const char *scene, record_channels *record, const record_table *table,
                   size_t channel, size_t component, size_t row, double change) {
  const thud_record_channel *about = &table->columns[channel].about;
  double number = record_table_cell(table, channel, row)[component];
  if (about->type == THUD_RECORD_REAL)
    number += change * largest(table, channel, component);
  else
    number = about->type == THUD_RECORD_SMALL ? 1 - number : number + (change > 0 ? 1 : -1);
  record_channels_try(context, scene, record, table, channel, component, row, number);
}

static void tamper_everywhere(thud_context *context, const char *scene, record_channels *record,
                              const record_table *table, double change, thud_random *random) {
  for (size_t channel = 0; channel < table->count && table->rows > 0; channel++) {
    for (size_t component = 0, width = 1; component < width; component++) {
      size_t row = thud_random_below(random, (uint32_t)table->rows);
      width = record_table_size(table, channel, row);
      if (component < width)
        tamper(context, scene, record, table, channel, component, row, row % 2 == 0 ? change : -change);
    }
  }
}

static void one_changed_number_of_a_complete_record_is_found(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const char *path = thud_test_path("to-tamper.h5");
  thud_random random = thud_random_seed(20261116);
  for (size_t k = 0; k < SCENES; k += (size_t)thud_test_share(5))
    for (int method = 0; method < METHODS; method++) {
      if ((k + (size_t)method) % (2 * (size_t)thud_test_share(2)) != 0 || !takes(&scenes[k], methods[method])) continue;
      record_channels record;
      /* how far the stabilised scheme may correct positions shrinks with the step, and so does what can be found */
      const char *steps = strcmp(methods[method], "stabilised") == 0 ? "steps: 400" : "steps: 40";
      record_copy_run(context, scene_text(&scenes[k], methods[method], steps, "every_step: true"), path);
      record_channels_load(context, path, &record);
      char name[64];
      snprintf(name, sizeof name, "%s by %s", scenes[k].name, methods[method]);
      tamper_everywhere(context, name, &record, &record.frames, 1e-4, &random);
      tamper_everywhere(context, name, &record, &record.events, 1e-4, &random);
      record_channels_free(&record);
    }
  thud_test_context_end(context);
}

static void events_and_summary_must_tell_the_same(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const char *path = thud_test_path("notes.h5");
  record_channels record;
  record_copy_run(context, scene_text(&scenes[3], "moreau", "steps: 200", "every: 0.1"), path);
  record_channels_load(context, path, &record);
  thud_assert_greater(record.events.rows, 0);
  record_channels_save(context, path, &record);
  assert_int_equal(thud_test_verify(context, path).verdict, THUD_VERIFY_GOOD);

  static const char *const numbers[] = {"t", "constraints", "before", "after", "reactions", "impulse", "frame", "kind"};
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
    double *number = record_table_number(&record.events, numbers[k], 0, 0), kept = *number;
    *number += record.events.columns[record_table_find(&record.events, numbers[k])].about.type == THUD_RECORD_REAL
                   ? 1e-12 * (1 + fabs(kept))
                   : 1;
    record_channels_save(context, path, &record);
    thud_verify_result result = thud_test_verify(context, path);
    if (thud_test_check_of(&result, "events")->status != THUD_VERIFY_FAILED) fail_msg("'%s' is not found", numbers[k]);
    *number = kept;
  }
  static const char *const hall[] = {"hall", "hall.t1", "hall.t2"};
  thud_record_channel *about = &record.events.columns[record_table_find(&record.events, "reactions")].about;
  const char *const *names = about->labels;
  about->labels = hall;
  record_channels_save(context, path, &record);
  thud_verify_result result = thud_test_verify(context, path);
  assert_int_equal(thud_test_check_of(&result, "events")->status, THUD_VERIFY_FAILED);
  about->labels = names;
  record.events.rows--;
  record_channels_save(context, path, &record);
  result = thud_test_verify(context, path);
  assert_int_equal(thud_test_check_of(&result, "events")->status, THUD_VERIFY_FAILED);
  record.events.rows++;

  static const char *const summaries[][2] = {{"\"rejected_steps\": 0", "\"rejected_steps\": 1"},
                                             {"\"events_total\": ", "\"events_total\": 1"},
                                             {"\"verdict\": \"good\"", "\"verdict\": \"bad\""}};
  for (int k = 0; k < 3; k++) {
    char *kept = record.summary;
    record.summary = malloc(strlen(kept) + 1);
    assert_non_null(record.summary);
    strcpy(record.summary, kept);
    record_copy_edit(&record.summary, summaries[k][0], summaries[k][1]);
    record_channels_save(context, path, &record);
    result = thud_test_verify(context, path);
    assert_int_equal(thud_test_check_of(&result, "summary")->status, THUD_VERIFY_FAILED);
    free(record.summary);
    record.summary = kept;
  }
  record_channels_free(&record);
  thud_test_context_end(context);
}

/* ---- the fit -------------------------------------------------------------------------------------------------------
 */

/* Kuhn and Tucker: B'(b - Bx) is 0 where x > 0 or free, <= 0 where x = 0. */
static void the_fit_satisfies_its_optimality_conditions(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(7);
  for (int trial = 0; trial < 2000; trial++) {
    enum { MOST = 6 };
    size_t rows = 1 + thud_random_below(&random, 5), columns = 1 + thud_random_below(&random, 5);
    double B[MOST * MOST], b[MOST], x[MOST];
    bool is_free[MOST];
    for (size_t k = 0; k < rows * columns; k++) B[k] = thud_random_uniform(&random, -1, 1);
    for (size_t k = 0; k < rows; k++) b[k] = thud_random_uniform(&random, -1, 1);
    for (size_t c = 0; c < columns; c++) is_free[c] = thud_random_uniform(&random, 0, 1) < 0.3;
    verify_fit fit = {.rows = rows, .columns = columns, .B = B, .is_free = is_free, .b = b, .x = x};
    assert_int_equal(thud_verify_fit_solve(context, &fit), THUD_OK);
    double rest[MOST], square = 0;
    for (size_t i = 0; i < rows; i++) {
      rest[i] = b[i];
      for (size_t c = 0; c < columns; c++) rest[i] -= x[c] * B[c * rows + i];
      square += rest[i] * rest[i];
    }
    thud_assert_nearer(sqrt(square), fit.distance, 1e-9);
    for (size_t c = 0; c < columns; c++) {
      double along = 0;
      for (size_t i = 0; i < rows; i++) along += B[c * rows + i] * rest[i];
      assert_true(is_free[c] || x[c] >= 0);
      assert_true(is_free[c] || x[c] > 0 ? fabs(along) < 1e-8 : along < 1e-8);
    }
    if (columns > rows) assert_false(fit.unique);
  }
  thud_test_context_end(context);
}

/* ---- memory and damaged input ---------------------------------------------------------------------------------------
 */

static thud_error verify_once(thud_context *context, void *user) {
  thud_verify_result result;
  return thud_verify_record(context, user, NULL, &result);
}

static void no_memory_at_any_allocation_is_an_error_without_leak(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  char path[512];
  snprintf(path, sizeof path, "%s", thud_test_path("sweep.h5"));
  record_copy_run(context, scene_text(&scenes[3], "moreau-jean", "steps: 20", "every_step: true"), path);
  thud_test_context_end(context);
  thud_assert_greater(thud_test_sweep_allocations(verify_once, path), 50);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(good_records_pass_for_every_method_thinning_and_step, thud_test_folder_make,
                                      thud_test_folder_remove),
      cmocka_unit_test_setup_teardown(other_laws_of_impact_are_held_to_the_axioms, thud_test_folder_make,
                                      thud_test_folder_remove),
      cmocka_unit_test_setup_teardown(the_answer_of_a_table_is_asked_for, thud_test_folder_make,
                                      thud_test_folder_remove),
      cmocka_unit_test_setup_teardown(a_reduced_restitution_is_recognised, thud_test_folder_make,
                                      thud_test_folder_remove),
      cmocka_unit_test_setup_teardown(an_unfinished_record_is_checked_up_to_its_last_frame, thud_test_folder_make,
                                      thud_test_folder_remove),
      cmocka_unit_test_setup_teardown(one_changed_number_of_a_complete_record_is_found, thud_test_folder_make,
                                      thud_test_folder_remove),
      cmocka_unit_test_setup_teardown(events_and_summary_must_tell_the_same, thud_test_folder_make,
                                      thud_test_folder_remove),
      cmocka_unit_test(the_fit_satisfies_its_optimality_conditions),
      cmocka_unit_test_setup_teardown(no_memory_at_any_allocation_is_an_error_without_leak, thud_test_folder_make,
                                      thud_test_folder_remove),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
