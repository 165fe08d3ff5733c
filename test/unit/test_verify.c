/* The checker on records: real runs pass, and every single corrupted quantity is caught by the check it belongs to. */
#include "failing_allocator.h"
#include "record_copy.h"
#include "scratch_folder.h"
#include "testing.h"
#include "thud/run.h"
#include "thud/verify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- scenes ------------------------------------------------------------------------------------------------- */

/* A ball that slides and jumps, in a metric; the point is caught before the jump and thrown by it. */
static const char jumping_scene[] =
    "{thud: 1, parameters: {radius: 1.0}, data: {shift: {breaks: [1], pieces: [t, 2.5 + t], at_breaks: [2 + t]}},"
    " sweeping: {coordinates: [x, y], metric: [[1.0, 0.25], [0.25, 0.5]],"
    "            set: {ball: {centre: [2*shift, 0], radius: radius}}},"
    " initial: {x: 0, y: 0.5}, simulate: {method: catching-up, end: 2, steps: 100, refinements: 0}}";
static const char sliding_scene[] =
    "{thud: 1, sweeping: {coordinates: [x, y], set: {ball: {centre: [2*t, 0], radius: 1}}},"
    " initial: {x: 0, y: 0.5}, simulate: {method: catching-up, end: 2, steps: 400, refinements: 0},"
    " record: {every: 0.05}}";
static const char regularised_scene[] =
    "{thud: 1, data: {shift: {breaks: [1], pieces: [t, 0.5 + t]}},"
    " sweeping: {coordinates: [x, y], metric: [2, 0.5], set: {ball: {centre: [2*shift, 0], radius: 1}}},"
    " initial: {x: 0, y: 0.5},"
    " simulate: {method: regularised, end: 2, steps: 100, lambda: 0.05, refinements: 0}}";

static const thud_verify_check *find_check(const thud_verify_result *result, const char *name) {
  for (size_t k = 0; k < result->check_count; k++)
    if (strcmp(result->checks[k].name, name) == 0) return &result->checks[k];
  fail_msg("no check is called %s", name);
  return NULL;
}

static thud_verify_result verify(thud_context *context, const char *path) {
  thud_verify_result result;
  if (thud_verify_record(context, path, NULL, &result) != THUD_OK) fail_msg("%s", thud_context_last_message(context));
  return result;
}

static void assert_good(thud_context *context, const char *path, const char *what) {
  thud_verify_result result = verify(context, path);
  if (result.verdict != THUD_VERIFY_GOOD) fail_msg("%s: %s", what, result.reason);
}

/* ---- corruptions ---------------------------------------------------------------------------------------------------
 */

static const double jumping_metric[] = {1.0, 0.25, 0.25, 0.5};
/* A frame on the boundary, between the catch and the jump. */
enum { CAUGHT = 45 };

static void state_is_perturbed(record_copy *c) { c->values[RECORD_COPY_STATE][2 * CAUGHT] += 1e-9; }
static void state_leaves_the_set(record_copy *c) {
  c->values[RECORD_COPY_STATE][2 * CAUGHT] -= 1e-6;
  record_copy_fit(c, jumping_metric);
}
/* Within the tolerance, but not what the record claims of itself. */
static void state_is_worse_than_claimed(record_copy *c) {
  c->values[RECORD_COPY_STATE][2 * CAUGHT] -= 1e-8;
  record_copy_fit(c, jumping_metric);
}
/* Along the circle around the centre 2 t: stays a member, but is not a projection. */
static void state_slides_along_the_boundary(record_copy *c) {
  double *u = c->values[RECORD_COPY_STATE] + 2 * CAUGHT, centre = 2 * c->values[RECORD_COPY_T][CAUGHT], angle = 1e-5;
  double x = u[0] - centre, y = u[1];
  u[0] = centre + cos(angle) * x - sin(angle) * y;
  u[1] = sin(angle) * x + cos(angle) * y;
  record_copy_fit(c, jumping_metric);
}
static void state_creeps_inside_the_set(record_copy *c) {
  for (size_t k = 5; k < 10; k++) c->values[RECORD_COPY_STATE][2 * k + 1] += 1e-6;
  record_copy_fit(c, jumping_metric);
}
static void reaction_is_flipped(record_copy *c) {
  c->values[RECORD_COPY_REACTION][2 * CAUGHT] *= -1;
  c->values[RECORD_COPY_REACTION][2 * CAUGHT + 1] *= -1;
}
static void reaction_is_longer(record_copy *c) {
  c->values[RECORD_COPY_REACTION][2 * CAUGHT] *= 1 + 1e-9;
  c->values[RECORD_COPY_REACTION][2 * CAUGHT + 1] *= 1 + 1e-9;
}
static void impulse_is_turned(record_copy *c) {
  size_t k = record_copy_find(c, 1, 0);
  c->values[RECORD_COPY_REACTION][2 * k + 1] += 1e-5;
}
static void density_without_time(record_copy *c) {
  size_t k = record_copy_find(c, 1, 1);
  c->values[RECORD_COPY_ATOM][k] = 0;
}
static void times_are_swapped(record_copy *c) {
  double held = c->values[RECORD_COPY_T][7];
  c->values[RECORD_COPY_T][7] = c->values[RECORD_COPY_T][8];
  c->values[RECORD_COPY_T][8] = held;
}
static void time_is_shifted(record_copy *c) { c->values[RECORD_COPY_T][CAUGHT] += 1e-6; }
static void time_is_outside(record_copy *c) { c->values[RECORD_COPY_T][c->rows - 1] += 1; }
static void frame_is_missing(record_copy *c) { record_copy_drop(c, 5); }
static void last_frame_is_missing(record_copy *c) { record_copy_drop(c, c->rows - 1); }
static void first_frame_is_missing(record_copy *c) { record_copy_drop(c, 0); }
static void all_frames_are_missing(record_copy *c) { c->rows = 0; }
static void sides_are_swapped(record_copy *c) {
  size_t k = record_copy_find(c, 1, 0);
  c->values[RECORD_COPY_SIDE][k] = 1;
  c->values[RECORD_COPY_SIDE][k + 1] = 0;
}
static void a_number_is_nan(record_copy *c) { c->values[RECORD_COPY_STATE][21] = NAN; }
static void a_reaction_is_infinite(record_copy *c) { c->values[RECORD_COPY_REACTION][21] = INFINITY; }
static void a_residual_is_nan(record_copy *c) { c->values[RECORD_COPY_RESIDUAL][21] = NAN; }
static void a_name_is_wrong(record_copy *c) { strcpy(c->names[1], "z"); }
static void a_channel_is_missing(record_copy *c) { c->role[RECORD_COPY_VARIATION] = NULL; }
static void a_width_is_wrong(record_copy *c) { c->width[RECORD_COPY_REACTION] = 1; }
static void variation_is_wrong(record_copy *c) {
  for (size_t k = 30; k < c->rows; k++) c->values[RECORD_COPY_VARIATION][k] += 1e-9;
}
static void variation_decreases(record_copy *c) { c->values[RECORD_COPY_VARIATION][c->rows - 2] -= 0.01; }
static void initial_is_edited(record_copy *c) { record_copy_edit(&c->scene, "\"y\": 0.5", "\"y\": 0.50000001"); }
static void radius_is_edited(record_copy *c) { record_copy_edit(&c->scene, "\"radius\": 1", "\"radius\": 0.999999"); }
static void metric_is_edited(record_copy *c) { record_copy_edit(&c->scene, "0.5]", "0.500000001]"); }
static void method_is_edited(record_copy *c) { record_copy_edit(&c->scene, "catching-up", "regularised"); }
static void break_is_moved(record_copy *c) { record_copy_edit(&c->scene, "\"breaks\": [1", "\"breaks\": [1.01"); }
static void break_is_added(record_copy *c) {
  record_copy_edit(&c->scene, "\"breaks\": [1", "\"breaks\": [0.5, 1");
  record_copy_edit(&c->scene, "\"t\",", "\"t\", \"t\",");
  record_copy_edit(&c->scene, "\"2 + t\"", "0.5, \"2 + t\"");
}
static void value_at_the_break_is_edited(record_copy *c) { record_copy_edit(&c->scene, "2 + t", "2.01 + t"); }
static void scene_is_cut(record_copy *c) { c->scene[strlen(c->scene) / 2] = '\0'; }
static void scene_has_no_set(record_copy *c) { record_copy_edit(&c->scene, "\"ball\"", "\"bell\""); }
static void atom_mark_is_cleared(record_copy *c) { c->values[RECORD_COPY_ATOM][record_copy_find(c, 1, 0)] = 0; }
static void atom_mark_is_added(record_copy *c) { c->values[RECORD_COPY_ATOM][CAUGHT] = 1; }
static void left_limit_is_missing(record_copy *c) { record_copy_drop(c, record_copy_find(c, 1, -1)); }
static void right_limit_is_missing(record_copy *c) { record_copy_drop(c, record_copy_find(c, 1, 1)); }
static void residual_is_larger(record_copy *c) { c->values[RECORD_COPY_RESIDUAL][17] = 1e-6; }
static void residual_is_negative(record_copy *c) { c->values[RECORD_COPY_RESIDUAL][CAUGHT] = -1e-20; }
static void summary_tells_another_state(record_copy *c) { record_copy_edit(&c->summary, "\"y\": ", "\"y\": 1"); }
static void summary_tells_another_verdict(record_copy *c) { record_copy_edit(&c->summary, "\"good\"", "\"failed\""); }
static void summary_is_no_json(record_copy *c) { record_copy_edit(&c->summary, "{", "["); }
static void summary_counts_other_frames(record_copy *c) {
  record_copy_edit(&c->summary, "\"frames\": ", "\"frames\": 1");
}
static void run_failed(record_copy *c) { record_copy_edit(&c->verdict, "good", "failed"); }
static void lambda_is_larger(record_copy *c) { record_copy_edit(&c->scene, "0.05", "0.050001"); }
static void lambda_is_smaller(record_copy *c) { record_copy_edit(&c->scene, "0.05", "0.049999"); }
static void penetration_is_wrong(record_copy *c) { c->values[RECORD_COPY_RESIDUAL][CAUGHT] *= 1 + 1e-6; }
static double *of_event(record_copy *c, const char *name) { return record_table_number(&c->events, name, 0, 0); }
static void event_is_later(record_copy *c) { *of_event(c, "t") += 1e-12; }
static void event_has_another_side(record_copy *c) { *of_event(c, "side") = 1 - *of_event(c, "side"); }
static void event_has_another_kind(record_copy *c) { *of_event(c, "kind") = 1; }
static void event_begins_elsewhere(record_copy *c) { *of_event(c, "before") += 1e-15; }
static void event_ends_elsewhere(record_copy *c) { of_event(c, "after")[1] += 1e-15; }
static void event_has_another_impulse(record_copy *c) { *of_event(c, "impulse") *= 1 + 1e-15; }
static void event_has_another_frame(record_copy *c) { *of_event(c, "frame") -= 1; }
static void event_has_no_frame(record_copy *c) { *of_event(c, "frame") = (double)c->rows; }
static void event_is_missing(record_copy *c) { c->events.rows--; }
static void kind_is_edited(record_copy *c) { record_copy_edit(&c->kind, "sweeping", "stepping"); }
/* The density on the tangent instead of the normal, with the states that belong to it. */
static void regularised_path_bends(record_copy *c) {
  static const double M[] = {2, 0, 0, 0.5};
  for (size_t k = CAUGHT; k < c->rows; k++) c->values[RECORD_COPY_STATE][2 * k + 1] += 1e-4;
  record_copy_fit(c, M);
}

/* Of a record that leaves steps out. */
enum { KEPT = 30 };
static void kept_state_leaves_the_set(record_copy *c) { c->values[RECORD_COPY_STATE][2 * KEPT] -= 1e-6; }
static void kept_state_is_moved_inside(record_copy *c) { c->values[RECORD_COPY_STATE][2 * KEPT] += 1e-3; }
static void kept_reaction_is_turned(record_copy *c) { c->values[RECORD_COPY_REACTION][2 * KEPT + 1] += 1e-3; }
static void last_state_is_perturbed(record_copy *c) { c->values[RECORD_COPY_STATE][2 * c->rows - 1] += 1e-12; }

typedef struct corruption {
  const char *scene;
  const char *name;
  void (*apply)(record_copy *);
  const char *caught_by;
} corruption;

#define OF(scene, function, check)                                                                                     \
  { scene, #function, function, check }

static const corruption corruptions[] = {
    OF(jumping_scene, state_is_perturbed, "reaction"),
    OF(jumping_scene, state_is_perturbed, "variation"),
    OF(jumping_scene, state_leaves_the_set, "membership"),
    OF(jumping_scene, state_leaves_the_set, "step"),
    OF(jumping_scene, state_slides_along_the_boundary, "law"),
    OF(jumping_scene, state_creeps_inside_the_set, "law"),
    OF(jumping_scene, reaction_is_flipped, "law"),
    OF(jumping_scene, reaction_is_flipped, "reaction"),
    OF(jumping_scene, reaction_is_longer, "reaction"),
    OF(jumping_scene, impulse_is_turned, "law"),
    OF(jumping_scene, density_without_time, "reaction"),
    OF(jumping_scene, density_without_time, "jumps"),
    OF(jumping_scene, times_are_swapped, "structure"),
    OF(jumping_scene, time_is_shifted, "membership"),
    OF(jumping_scene, time_is_shifted, "reaction"),
    OF(jumping_scene, time_is_outside, "structure"),
    OF(jumping_scene, frame_is_missing, "structure"),
    OF(jumping_scene, last_frame_is_missing, "structure"),
    OF(jumping_scene, last_frame_is_missing, "summary"),
    OF(jumping_scene, first_frame_is_missing, "structure"),
    OF(jumping_scene, all_frames_are_missing, "structure"),
    OF(jumping_scene, sides_are_swapped, "structure"),
    OF(jumping_scene, a_number_is_nan, "structure"),
    OF(jumping_scene, a_reaction_is_infinite, "structure"),
    OF(jumping_scene, a_residual_is_nan, "structure"),
    OF(jumping_scene, a_name_is_wrong, "structure"),
    OF(jumping_scene, a_channel_is_missing, "structure"),
    OF(jumping_scene, a_width_is_wrong, "structure"),
    OF(jumping_scene, variation_is_wrong, "variation"),
    OF(jumping_scene, variation_is_wrong, "summary"),
    OF(jumping_scene, initial_is_edited, "initial"),
    OF(jumping_scene, radius_is_edited, "membership"),
    OF(jumping_scene, metric_is_edited, "reaction"),
    OF(jumping_scene, method_is_edited, "structure"),
    OF(jumping_scene, break_is_moved, "jumps"),
    OF(jumping_scene, break_is_added, "jumps"),
    OF(jumping_scene, value_at_the_break_is_edited, "membership"),
    OF(jumping_scene, scene_is_cut, "structure"),
    OF(jumping_scene, scene_has_no_set, "structure"),
    OF(jumping_scene, atom_mark_is_cleared, "jumps"),
    OF(jumping_scene, atom_mark_is_cleared, "reaction"),
    OF(jumping_scene, atom_mark_is_added, "jumps"),
    OF(jumping_scene, left_limit_is_missing, "jumps"),
    OF(jumping_scene, right_limit_is_missing, "jumps"),
    OF(jumping_scene, residual_is_larger, "summary"),
    OF(jumping_scene, residual_is_negative, "residual"),
    OF(jumping_scene, state_is_worse_than_claimed, "residual"),
    OF(jumping_scene, summary_tells_another_verdict, "summary"),
    OF(jumping_scene, summary_tells_another_state, "summary"),
    OF(jumping_scene, summary_is_no_json, "summary"),
    OF(jumping_scene, summary_counts_other_frames, "summary"),
    OF(jumping_scene, event_is_later, "events"),
    OF(jumping_scene, event_has_another_side, "events"),
    OF(jumping_scene, event_has_another_kind, "events"),
    OF(jumping_scene, event_begins_elsewhere, "events"),
    OF(jumping_scene, event_ends_elsewhere, "events"),
    OF(jumping_scene, event_has_another_impulse, "events"),
    OF(jumping_scene, event_has_another_frame, "events"),
    OF(jumping_scene, event_has_no_frame, "events"),
    OF(jumping_scene, event_is_missing, "events"),
    OF(jumping_scene, event_is_missing, "summary"),
    OF(jumping_scene, kind_is_edited, "structure"),
    OF(jumping_scene, run_failed, "finished"),
    OF(sliding_scene, kept_state_leaves_the_set, "membership"),
    OF(sliding_scene, kept_state_is_moved_inside, "law"),
    OF(sliding_scene, kept_reaction_is_turned, "law"),
    OF(sliding_scene, last_state_is_perturbed, "summary"),
    OF(sliding_scene, frame_is_missing, "structure"),
    OF(sliding_scene, variation_decreases, "variation"),
    OF(regularised_scene, state_is_perturbed, "reaction"),
    OF(regularised_scene, reaction_is_flipped, "law"),
    OF(regularised_scene, reaction_is_longer, "reaction"),
    OF(regularised_scene, regularised_path_bends, "law"),
    OF(regularised_scene, lambda_is_larger, "law"),
    OF(regularised_scene, lambda_is_larger, "step"),
    OF(regularised_scene, lambda_is_smaller, "membership"),
    OF(regularised_scene, penetration_is_wrong, "step"),
    OF(regularised_scene, atom_mark_is_added, "jumps"),
    OF(regularised_scene, radius_is_edited, "membership"),
    OF(regularised_scene, residual_is_negative, "step"),
};

static void every_corruption_is_caught_by_its_check(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (size_t k = 0; k < sizeof corruptions / sizeof *corruptions; k++) {
    const corruption *bad = &corruptions[k];
    record_copy c;
    record_copy_run(context, bad->scene, thud_test_path("good.h5"));
    record_copy_load(context, thud_test_path("good.h5"), &c);
    record_copy_save(context, thud_test_path("same.h5"), &c);
    assert_good(context, thud_test_path("same.h5"), "a faithful copy");
    bad->apply(&c);
    record_copy_save(context, thud_test_path("bad.h5"), &c);
    thud_verify_result result = verify(context, thud_test_path("bad.h5"));
    const thud_verify_check *check = find_check(&result, bad->caught_by);
    if (result.verdict != THUD_VERIFY_BAD || check->status != THUD_VERIFY_FAILED)
      fail_msg("%s: %s says %s, the verdict is %s %s", bad->name, bad->caught_by,
               thud_verify_status_name(check->status), thud_verify_verdict_name(result.verdict), result.reason);
    thud_assert_different(result.reason[0], '\0');
    record_copy_free(&c);
  }
  thud_test_context_end(context);
}

/* ---- what the result says -----------------------------------------------------------------------------------------
 */

/* Texts of the files named .yaml in the folder of the examples. */
static char *read_text(const char *path) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) fail_msg("%s cannot be opened", path);
  char *text = calloc(1, 100000);
  assert_non_null(text);
  thud_assert_greater(fread(text, 1, 99999, file), 0);
  fclose(file);
  return text;
}

static void every_example_passes(void **state) {
  (void)state;
  static const char *const examples[] = {
      "jump", "plasticity", "play", "regularised-ball", "rotating-segment", "translating-ball", "wedge"};
  const char *root = getenv("THUD_SOURCE_DIR");
  if (root == NULL) thud_skip("needs the sources: set THUD_SOURCE_DIR to their folder");
  thud_context *context = thud_test_context(1);
  for (size_t k = 0; k < sizeof examples / sizeof *examples; k++) {
    char path[1000];
    snprintf(path, sizeof path, "%s/examples/%s.yaml", root, examples[k]);
    char *text = read_text(path);
    record_copy_run(context, text, thud_test_path("example.h5"));
    assert_good(context, thud_test_path("example.h5"), examples[k]);
    free(text);
  }
  thud_test_context_end(context);
}

static void a_thinned_record_says_what_it_cannot_tell(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  record_copy_run(context, sliding_scene, thud_test_path("a.h5"));
  thud_verify_result result = verify(context, thud_test_path("a.h5"));
  assert_int_equal(result.verdict, THUD_VERIFY_GOOD);
  assert_int_equal(find_check(&result, "reaction")->status, THUD_VERIFY_NOT_APPLICABLE);
  assert_int_equal(find_check(&result, "step")->status, THUD_VERIFY_NOT_APPLICABLE);
  assert_int_equal(find_check(&result, "law")->status, THUD_VERIFY_PASSED);
  thud_assert_at_least(find_check(&result, "law")->worst, 0);
  thud_test_context_end(context);
}

/* Frames of an unfinished record are checked all the same. */
static void an_unfinished_record_is_good_as_far_as_it_goes(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  record_copy c;
  record_copy_run(context, jumping_scene, thud_test_path("a.h5"));
  record_copy_load(context, thud_test_path("a.h5"), &c);
  c.finished = false;
  c.rows = 60;
  record_copy_save(context, thud_test_path("cut.h5"), &c);
  thud_verify_result result = verify(context, thud_test_path("cut.h5"));
  assert_int_equal(result.verdict, THUD_VERIFY_UNFINISHED);
  assert_non_null(strstr(result.reason, "finished: good so far: the record is unfinished, the run is still going on"));
  for (size_t k = 0; k < result.check_count; k++) {
    const char *name = result.checks[k].name;
    bool of_summary =
        strcmp(name, "summary") == 0 || strcmp(name, "retraction") == 0 || strcmp(name, "refinement") == 0;
    thud_verify_status expected = strcmp(name, "finished") == 0 ? THUD_VERIFY_INCOMPLETE
                                  : of_summary                  ? THUD_VERIFY_NOT_APPLICABLE
                                                                : THUD_VERIFY_PASSED;
    if (result.checks[k].status != expected) fail_msg("%s: %s", name, result.checks[k].detail);
  }
  record_copy_free(&c);
  thud_test_context_end(context);
}

/* A set for which no certificate can be found (its operand is empty) makes the verdict undecided, not good. */
static void what_cannot_be_decided_is_not_called_good(void **state) {
  (void)state;
  static const char resting[] = "{thud: 1, sweeping: {coordinates: [x, y], set: {ball: {centre: [0, 0], radius: 1}}},"
                                " initial: {x: 0, y: 0.5}, simulate: {method: catching-up, end: 1, steps: 5}}";
  static const char empty[] =
      "{thud: 1, sweeping: {coordinates: [x, y], set: {sum: [{ball: {centre: [0, 0], radius: 1}},"
      " {intersection: [{ball: {centre: [0, 0], radius: 1}}, {ball: {centre: [9, 0], radius: 1}}]}]}},"
      " initial: {x: 0, y: 0.5}, simulate: {method: catching-up, end: 1, steps: 5}}";
  thud_context *context = thud_test_context(1);
  record_copy c;
  record_copy_run(context, resting, thud_test_path("a.h5"));
  record_copy_load(context, thud_test_path("a.h5"), &c);
  free(c.scene);
  c.scene = strcpy(malloc(sizeof empty), empty);
  record_copy_save(context, thud_test_path("b.h5"), &c);
  thud_verify_result result = verify(context, thud_test_path("b.h5"));
  assert_int_equal(result.verdict, THUD_VERIFY_UNDECIDED);
  assert_int_equal(find_check(&result, "membership")->status, THUD_VERIFY_NOT_CHECKABLE);
  record_copy_free(&c);
  thud_test_context_end(context);
}

/* Of a kind that the checker does not know it says so, and checks what holds of every record. */
static void other_kinds_are_not_called_good(void **state) {
  (void)state;
  static const struct {
    void (*apply)(record_copy *);
    const char *check;
  } wrong[] = {{times_are_swapped, "structure"},  {a_number_is_nan, "structure"},
               {event_has_no_frame, "structure"}, {all_frames_are_missing, "structure"},
               {event_is_missing, "summary"},     {summary_counts_other_frames, "summary"}};
  thud_context *context = thud_test_context(1);
  for (size_t k = 0; k <= sizeof wrong / sizeof *wrong; k++) {
    bool good = k == sizeof wrong / sizeof *wrong;
    record_copy c;
    record_copy_run(context, jumping_scene, thud_test_path("a.h5"));
    record_copy_load(context, thud_test_path("a.h5"), &c);
    record_copy_edit(&c.kind, "sweeping", "toy");
    if (!good) wrong[k].apply(&c);
    record_copy_save(context, thud_test_path("b.h5"), &c);
    thud_verify_result result = verify(context, thud_test_path("b.h5"));
    assert_int_equal(find_check(&result, "kind")->status, THUD_VERIFY_NOT_CHECKABLE);
    assert_int_equal(result.verdict, good ? THUD_VERIFY_UNDECIDED : THUD_VERIFY_BAD);
    if (good)
      assert_non_null(strstr(result.reason, "kind: motions of the kind 'toy' cannot be checked, only their structure"));
    if (!good) assert_int_equal(find_check(&result, wrong[k].check)->status, THUD_VERIFY_FAILED);
    record_copy_free(&c);
  }
  thud_test_context_end(context);
}

static void the_tolerance_is_the_caller_s(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_verify_options options = thud_verify_options_default();
  thud_verify_result result;
  record_copy c;
  record_copy_run(context, jumping_scene, thud_test_path("a.h5"));
  record_copy_load(context, thud_test_path("a.h5"), &c);
  state_leaves_the_set(&c);
  record_copy_save(context, thud_test_path("b.h5"), &c);
  options.tolerance = 1e-5;
  assert_int_equal(thud_verify_record(context, thud_test_path("b.h5"), &options, &result), THUD_OK);
  assert_int_equal(find_check(&result, "membership")->status, THUD_VERIFY_PASSED);
  options.tolerance = 2;
  assert_int_equal(thud_verify_record(context, thud_test_path("b.h5"), &options, &result), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "verify: 'tolerance' must be at most 1, not 2", NULL);
  options = thud_verify_options_default();
  options.size++;
  assert_int_equal(thud_verify_record(context, thud_test_path("b.h5"), &options, &result), THUD_ERROR_ARGUMENT);
  record_copy_free(&c);
  thud_test_context_end(context);
}

static void files_that_are_no_records_are_errors(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_verify_result result = {.check_count = 77};
  assert_int_equal(thud_verify_record(context, thud_test_path("nowhere.h5"), NULL, &result), THUD_ERROR_FILE);
  FILE *file = fopen(thud_test_path("text.h5"), "w");
  assert_non_null(file);
  fputs("not a record", file);
  fclose(file);
  assert_int_equal(thud_verify_record(context, thud_test_path("text.h5"), NULL, &result), THUD_ERROR_FORMAT);
  assert_int_equal(thud_verify_record(context, NULL, NULL, &result), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_verify_record(context, thud_test_path("text.h5"), NULL, NULL), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_verify_trajectory(context, NULL, "a", NULL, &result), THUD_ERROR_ARGUMENT);
  assert_int_equal(result.check_count, 77);
  thud_test_context_end(context);
}

static void the_json_text_holds_every_check(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_tree *tree;
  char *json, *report;
  record_copy_run(context, jumping_scene, thud_test_path("a.h5"));
  thud_verify_result result = verify(context, thud_test_path("a.h5"));
  assert_int_equal(thud_verify_write_json(context, "a.h5", &result, &json), THUD_OK);
  assert_int_equal(thud_tree_read_text(context, "json", json, strlen(json), &tree), THUD_OK);
  const thud_node *root = thud_tree_root(tree), *checks = thud_node_find(root, "checks");
  assert_string_equal(thud_node_string(thud_node_find(root, "verdict")), "good");
  assert_string_equal(thud_node_string(thud_node_find(root, "file")), "a.h5");
  assert_int_equal(thud_node_count(checks), result.check_count);
  for (size_t k = 0; k < result.check_count; k++) {
    static const char *const keys[] = {"name", "status", "worst", "tolerance", "t", "frame", "detail"};
    const thud_node *entry = thud_node_item(checks, k);
    assert_int_equal(thud_node_check_keys(entry, keys, 7), THUD_OK);
    assert_int_equal(thud_node_count(entry), 7);
    assert_string_equal(thud_node_string(thud_node_find(entry, "name")), result.checks[k].name);
  }
  assert_int_equal(thud_verify_write_report(context, "a.h5", &result, &report), THUD_OK);
  assert_non_null(strstr(report, "verdict: good"));
  thud_verify_free_text(context, report);
  thud_verify_free_text(context, json);
  thud_tree_destroy(tree);
  thud_test_context_end(context);
}

static thud_verify_check check_of(const char *name, double worst, double tolerance, double t, int64_t frame,
                                  const char *detail) {
  thud_verify_check check = {.name = name, .worst = worst, .tolerance = tolerance, .t = t, .frame = frame};
  check.status = worst > tolerance ? THUD_VERIFY_FAILED : THUD_VERIFY_PASSED;
  snprintf(check.detail, sizeof check.detail, "%s", detail);
  return check;
}

/* What is compared exactly has no numbers to show; any other worst value, also a good one, has its place. */
static void the_report_says_where(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  char *report;
  thud_verify_result result = {.check_count = 3,
                               .checks = {check_of("gap", 1e-12, 1e-8, 0.75, 12, "penetration of 'floor' on the arc"),
                                          check_of("events", 0, 0, 0.25, 1, "7 events"),
                                          check_of("structure", NAN, NAN, NAN, -1, "9 rows")}};
  assert_int_equal(thud_verify_write_report(context, "a.h5", &result, &report), THUD_OK);
  assert_non_null(strstr(
      report, "passed         1e-12 (tolerance 1e-08) at t = 0.75, frame 12; penetration of 'floor' on the arc\n"));
  assert_non_null(strstr(report, "passed         exact; 7 events\n"));
  assert_non_null(strstr(report, "passed         9 rows\n"));
  assert_null(strstr(report, "tolerance 0)"));
  thud_verify_free_text(context, report);
  thud_test_context_end(context);
}

/* ---- memory ---------------------------------------------------------------------------------------------------------
 */

static thud_error verify_once(thud_context *context, void *user) {
  thud_verify_result result = {.check_count = 77};
  char *json = NULL, *report = NULL;
  thud_error error = thud_verify_record(context, user, NULL, &result);
  if (error != THUD_OK) assert_int_equal(result.check_count, 77);
  if (error == THUD_OK) error = thud_verify_write_json(context, "a", &result, &json);
  if (error == THUD_OK) error = thud_verify_write_report(context, "a", &result, &report);
  thud_verify_free_text(context, json);
  thud_verify_free_text(context, report);
  return error;
}

static void no_allocation_failure_leaks(void **state) {
  (void)state;
  static const char conic[] =
      "{thud: 1, data: {shift: {breaks: [0.5], pieces: [0, 3*t]}}, sweeping: {coordinates: [x, y],"
      " metric: [[1, 0], [0, 2]],"
      " set: {translation: {by: [shift, 0], set: {polar: {ellipsoid: {centre: [0, 0], shape: [[1, 0], [0, 4]]}}}}}},"
      " initial: {x: 0, y: 0.5}, simulate: {method: catching-up, end: 1, steps: 2, refinements: 0, tolerance: 1e-6}}";
  thud_context *context = thud_test_context(1);
  char path[512];
  snprintf(path, sizeof path, "%s", thud_test_path("conic.h5"));
  record_copy_run(context, conic, path);
  thud_test_context_end(context);
  thud_assert_greater(thud_test_sweep_allocations(verify_once, path), 50);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_corruption_is_caught_by_its_check),
      cmocka_unit_test(every_example_passes),
      cmocka_unit_test(a_thinned_record_says_what_it_cannot_tell),
      cmocka_unit_test(an_unfinished_record_is_good_as_far_as_it_goes),
      cmocka_unit_test(what_cannot_be_decided_is_not_called_good),
      cmocka_unit_test(other_kinds_are_not_called_good),
      cmocka_unit_test(the_tolerance_is_the_caller_s),
      cmocka_unit_test(files_that_are_no_records_are_errors),
      cmocka_unit_test(the_json_text_holds_every_check),
      cmocka_unit_test(the_report_says_where),
      cmocka_unit_test(no_allocation_failure_leaks),
  };
  return cmocka_run_group_tests(tests, thud_test_folder_make, thud_test_folder_remove);
}
