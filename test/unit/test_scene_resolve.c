/* Resolved scenes: what was given stays, resolving again changes nothing, wrong forms pass through to the builder, and
 * the checker finds every default that is not the documented one. */
#include "testing.h"
#include "failing_allocator.h"
#include "record_copy.h"
#include "scratch_folder.h"
#include "thud/verify.h"
#include "verify/verify_defaults.h"
#include "verify/verify_result.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char sweeping[] =
    "{thud: 1, data: {d: {breaks: [1], pieces: [0, t]}}, sweeping: {coordinates: [x, y], set: {intersection: [{ball: "
    "{centre: [d, 0], radius: 3}}, {polyhedron: {A: [[1, 0]], b: [3]}}, {translation: {by: [-9, 0], set: "
    "{coulomb_cone: "
    "{mu: 1}}}}, {image: {matrix: [[1, 0], [0, 1]], set: {coulomb_dual_cone: {mu: 0}}}}]}}, initial: {x: 0, y: 0}, "
    "simulate: {method: regularised, end: 2, steps: 10}}";
static const char stepping[] =
    "{thud: 1, definitions: {r2: x^2 + y^2}, system: {coordinates: [x, y, w], mass: [1, 1, 1], forces: {x: t}, "
    "impact_law: {table: {y: \"-0.5*y'\"}}, constraints: [{gap: y}, {phi: y - 3}, {velocity_form: \"w' - 2*x'\"}, "
    "{equation: \"w - 2*x\"}, {string: {length: 9, distance: sqrt(r2 + 1)}, friction: {slip: [\"x'\"], law: "
    "{polyhedron: "
    "{A: [[1], [-1]], b: [1, 1]}}}}], friction: [{name: brake, threshold: 0.1, slip: [\"w'\"]}]}, initial: {x: 0, y: "
    "1, "
    "w: 0}, simulate: {method: moreau-jean, end: 1, steps: 10}}";
static const char events[] =
    "{thud: 1, system: {coordinates: [x, y], kinetic_energy: \"0.5*(x'^2 + y'^2)\", potential_energy: 9*y, "
    "constraints: [{name: floor, gap: y, friction: {mu: 0.1, slip: [\"x'\"]}}]}, initial: {x: 0, y: 1}, "
    "simulate: {method: event-driven, end: 1}}";
static const char chain[] = "{thud: 1, system: {coordinates: [x], mass: [[1]], impact_law: {lzb: {}}, constraints: "
                            "[{gap: x}]}, initial: {x: 1}, "
                            "simulate: {method: moreau, end: 1, tolerance: 1e-3}}";
static const char line[] =
    "{thud: 1, system: {coordinates: [q], mass: [1], friction: [{name: line, slip: [\"q'\"], threshold: 0.5}], "
    "percussions: [{time: \"1 - 2^-n\", weight: \"2^(-n-1)\", tail: \"2^-n\", threshold: 1}]}, initial: {q: 0, \"q'\": "
    "2}, "
    "simulate: {method: event-driven, end: 2}}";
static const char *const scenes[] = {sweeping, stepping, events, chain, line};
enum { SCENES = sizeof scenes / sizeof *scenes };

static thud_tree *read(thud_context *context, const char *text) {
  thud_tree *tree = NULL;
  if (thud_tree_read_text(context, "scene", text, strlen(text), &tree) != THUD_OK)
    fail_msg("%s", thud_context_last_message(context));
  return tree;
}

static thud_verify_check compare(const thud_tree *given, const thud_tree *resolved, thud_verify_result *result) {
  thud_verify_check check = thud_verify_check_new("resolved");
  *result = (thud_verify_result){0};
  thud_verify_check_resolved(given, resolved, &check, result);
  return check;
}

static void resolving_again_changes_nothing(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (size_t k = 0; k < SCENES; k++) {
    char *once = record_copy_resolve(context, scenes[k]), *twice = record_copy_resolve(context, once);
    assert_string_equal(once, twice);
    thud_tree *given = read(context, scenes[k]), *resolved = read(context, once);
    thud_scene *from_given = NULL, *from_resolved = NULL;
    if (thud_scene_build(context, given, &from_given) != THUD_OK) fail_msg("%s", thud_context_last_message(context));
    assert_int_equal(thud_scene_build(context, resolved, &from_resolved), THUD_OK);
    assert_string_equal(thud_scene_resolved_text(from_given), once);
    assert_string_equal(thud_scene_text(from_resolved), once);
    thud_scene_destroy(from_given);
    thud_scene_destroy(from_resolved);
    thud_tree_destroy(given);
    thud_tree_destroy(resolved);
    free(once);
    free(twice);
  }
  thud_test_context_end(context);
}

/* Values that no check uses, or that the reader itself finds wrong. */
static bool is_free(const char *path) {
  return strcmp(path, "/title") == 0 || strncmp(path, "/units/", 7) == 0 || strcmp(path, "/record/every_step") == 0 ||
         strstr(path, "/dimension") != NULL;
}

/* "/a/0/b" -> "a.0.b" */
static void to_dots(char *path) {
  memmove(path, path + 1, strlen(path));
  for (; *path != '\0'; path++)
    if (*path == '/') *path = '.';
}

/* Every scalar that is in `node` and not in `given` is changed, one at a time; returns how many. */
static size_t change_each(thud_context *context, const char *text, const thud_tree *original, const thud_node *given,
                          const thud_node *node) {
  size_t changed = 0;
  for (size_t k = 0; thud_node_get_kind(node) >= THUD_NODE_SEQUENCE && k < thud_node_count(node); k++) {
    const thud_node *item = thud_node_item(node, k), *other = NULL;
    if (given != NULL)
      other = thud_node_get_kind(node) == THUD_NODE_MAP ? thud_node_find(given, thud_node_key(node, k))
                                                        : thud_node_item(given, k);
    changed += change_each(context, text, original, other, item);
    char path[200], value[80];
    thud_node_path(item, path, sizeof path);
    if (other != NULL || thud_node_get_kind(item) >= THUD_NODE_SEQUENCE || is_free(path)) continue;
    static const char *const wrong[] = {"0.125", "wrong", "[0]", "{a: 0}"};
    for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++) {
      thud_tree *tampered = read(context, text);
      char dots[200];
      snprintf(dots, sizeof dots, "%s", path);
      to_dots(dots);
      assert_int_equal(thud_tree_set(tampered, dots, wrong[w]), THUD_OK);
      thud_verify_result result;
      thud_verify_check check = compare(original, tampered, &result);
      thud_node_describe(item, value, sizeof value);
      if (check.status != THUD_VERIFY_FAILED) fail_msg("%s: %s instead of %s is not found", path, wrong[w], value);
      assert_non_null(strstr(check.detail, path));
      thud_tree_destroy(tampered);
    }
    changed++;
  }
  return changed;
}

static void every_wrong_default_is_found(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  static const size_t least[SCENES] = {7, 25, 25, 10, 7};
  for (size_t k = 0; k < SCENES; k++) {
    char *text = record_copy_resolve(context, scenes[k]);
    thud_tree *given = read(context, scenes[k]), *resolved = read(context, text);
    thud_verify_result result;
    thud_verify_check check = compare(given, resolved, &result);
    if (check.status != THUD_VERIFY_PASSED) fail_msg("%s", check.detail);
    thud_assert_at_least(result.relied_count, result.default_count);
    thud_assert_greater(result.default_count, 0);
    size_t changed = change_each(context, text, given, thud_tree_root(given), thud_tree_root(resolved));
    if (changed < least[k]) fail_msg("only %zu defaults", changed);
    thud_tree_destroy(given);
    thud_tree_destroy(resolved);
    free(text);
  }
  thud_test_context_end(context);
}

/* The tree as text, without one of its nodes. */
static void write_without(FILE *out, const thud_node *node, const thud_node *left_out) {
  thud_node_kind kind = thud_node_get_kind(node);
  bool first = true, map = kind == THUD_NODE_MAP;
  switch (kind) {
  case THUD_NODE_NULL: fprintf(out, "null"); return;
  case THUD_NODE_BOOL: fprintf(out, thud_node_bool(node) ? "true" : "false"); return;
  case THUD_NODE_NUMBER: fprintf(out, "%.17g", thud_node_number(node)); return;
  case THUD_NODE_STRING: fprintf(out, "\"%s\"", thud_node_string(node)); return;
  case THUD_NODE_SEQUENCE:
  case THUD_NODE_MAP: break;
  }
  fprintf(out, map ? "{" : "[");
  for (size_t k = 0; k < thud_node_count(node); k++) {
    if (thud_node_item(node, k) == left_out) continue;
    fprintf(out, first ? "" : ", ");
    if (map) fprintf(out, "\"%s\": ", thud_node_key(node, k));
    write_without(out, thud_node_item(node, k), left_out);
    first = false;
  }
  fprintf(out, map ? "}" : "]");
}

static thud_tree *read_without(thud_context *context, const thud_tree *tree, const thud_node *left_out) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  assert_non_null(out);
  write_without(out, thud_tree_root(tree), left_out);
  assert_int_equal(fclose(out), 0);
  thud_tree *made = read(context, text);
  free(text);
  return made;
}

/* Everything that is in `node` and not in `given` is left out, one at a time; returns how many. */
static size_t leave_out_each(thud_context *context, const thud_tree *original, const thud_tree *resolved,
                             const thud_node *given, const thud_node *node) {
  size_t left_out = 0;
  for (size_t k = 0; thud_node_get_kind(node) >= THUD_NODE_SEQUENCE && k < thud_node_count(node); k++) {
    const thud_node *item = thud_node_item(node, k), *other = NULL;
    bool map = thud_node_get_kind(node) == THUD_NODE_MAP;
    if (given != NULL) other = map ? thud_node_find(given, thud_node_key(node, k)) : thud_node_item(given, k);
    left_out += leave_out_each(context, original, resolved, other, item);
    char path[200];
    thud_node_path(item, path, sizeof path);
    if (other != NULL || !map || is_free(path)) continue;
    thud_tree *tampered = read_without(context, resolved, item);
    thud_verify_result result;
    thud_verify_check check = compare(original, tampered, &result);
    if (check.status != THUD_VERIFY_FAILED) fail_msg("%s is missing, which is not found", path);
    assert_non_null(strstr(check.detail, path));
    assert_non_null(strstr(check.detail, "is missing in the resolved scene"));
    thud_tree_destroy(tampered);
    left_out++;
  }
  return left_out;
}

static void every_missing_default_is_found(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  static const size_t least[SCENES] = {9, 25, 25, 10, 7};
  for (size_t k = 0; k < SCENES; k++) {
    char *text = record_copy_resolve(context, scenes[k]);
    thud_tree *given = read(context, scenes[k]), *resolved = read(context, text);
    size_t left_out = leave_out_each(context, given, resolved, thud_tree_root(given), thud_tree_root(resolved));
    if (left_out < least[k]) fail_msg("only %zu defaults", left_out);
    thud_tree_destroy(given);
    thud_tree_destroy(resolved);
    free(text);
  }
  thud_test_context_end(context);
}

/* What was given and is changed, dropped or moved, and what was neither given nor is a default. */
static void other_changes_are_found(void **state) {
  (void)state;
  static const struct {
    const char *given, *resolved, *says;
  } cases[] = {
      {"{a: 1}", "{a: 2}", "/a is the number 1 in the scene that was given, in the resolved one the number 2"},
      {"{a: \"1\"}", "{a: 1}", "/a is the string '1' in the scene that was given, in the resolved one the number 1"},
      {"{a: x + 1}", "{a: x+1}",
       "/a is the string 'x + 1' in the scene that was given, in the resolved one the string 'x+1'"},
      {"{a: true}", "{a: false}", "/a is true in the scene that was given, in the resolved one false"},
      {"{a: [1, 2]}", "{a: [1, 2, 3]}",
       "/a is a sequence of 2 in the scene that was given, in the resolved one a sequence of 3"},
      {"{a: [1, 2]}", "{a: [1, 3]}",
       "/a/1 is the number 2 in the scene that was given, in the resolved one the number 3"},
      {"{a: 1, b: 2}", "{b: 2, a: 1}",
       "/a is the number 1 in the scene that was given; in the resolved one it is not at its place"},
      {"{a: 1, b: 2}", "{a: 1}",
       "/b is the number 2 in the scene that was given; in the resolved one it is not at its place"},
      {"{a: 1}", "[1]", "the scene is a map of 1 in the scene that was given, in the resolved one a sequence of 1"},
      {"{system: {}}", "{system: {friction: []}}",
       "/system/friction is a sequence of 0 in the resolved scene, neither given nor a default of the format"},
      {"{system: {}}", "{system: {damping: 0}}",
       "/system/damping is the number 0 in the resolved scene, neither given nor a default of the format"},
      {"{initial: {x: 1}}", "{initial: {x: 1, y: 0}}",
       "/initial/y is the number 0 in the resolved scene, neither given nor a default of the format"},
      {"{record: {}}", "{record: {every: 1}}",
       "/record/every is the number 1 in the resolved scene, neither given nor a default of the format"},
      {"{system: {}}", "{system: {}, parameters: {}}",
       "/parameters is a map of 0 in the resolved scene, neither given nor a default of the format"},
      {"{simulate: {}}", "{simulate: {start: null}}",
       "/simulate/start is nothing (null) in the resolved scene; the default of the format is 0"},
  };
  thud_context *context = thud_test_context(1);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    thud_tree *given = read(context, cases[k].given), *resolved = read(context, cases[k].resolved);
    thud_verify_result result;
    thud_verify_check check = compare(given, resolved, &result);
    if (check.status != THUD_VERIFY_FAILED || strstr(check.detail, cases[k].says) == NULL)
      fail_msg("%s and %s: %s", cases[k].given, cases[k].resolved, check.detail);
    thud_tree_destroy(given);
    thud_tree_destroy(resolved);
  }
  thud_test_context_end(context);
}

/* The defaults that were relied on, and a record whose resolved scene was changed. */
static void records_carry_both_scenes(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const char *path = thud_test_path("motion.h5");
  thud_verify_result result;
  record_copy copy;
  char *report, *json;
  record_copy_run(context,
                  "{thud: 1, sweeping: {coordinates: [x], set: {interval: {lower: t, upper: 9}}}, initial: {x: 0}, "
                  "simulate: {method: catching-up, end: 1, steps: 10}}",
                  path);
  assert_int_equal(thud_verify_record(context, path, NULL, &result), THUD_OK);
  if (result.verdict != THUD_VERIFY_GOOD) fail_msg("%s", result.reason);
  assert_int_equal(result.default_count, 3);
  assert_string_equal(result.defaults[1].path, "/simulate/start");
  assert_string_equal(result.defaults[1].value, "0");
  assert_int_equal(thud_verify_write_report(context, path, &result, &report), THUD_OK);
  assert_non_null(strstr(report, "relied on 3 defaults: /sweeping/metric = euclidean, /simulate/start = 0, "
                                 "/simulate/tolerance = 1e-09\n"));
  assert_int_equal(thud_verify_write_json(context, path, &result, &json), THUD_OK);
  assert_non_null(strstr(json, "\"path\": \"/sweeping/metric\""));
  thud_verify_free_text(context, report);
  thud_verify_free_text(context, json);
  static const char *const edits[][2] = {{"\"start\": 0", "\"start\": -1"},
                                         {"\"metric\": \"euclidean\"", "\"metric\": [2]"},
                                         {"\"upper\": 9", "\"upper\": 8"},
                                         {"\"end\": 1", "\"end\": 1, \"lambda\": 2"},
                                         {"\"end\": 1,", ""}};
  for (size_t k = 0; k < sizeof edits / sizeof *edits; k++) {
    record_copy_load(context, path, &copy);
    copy.resolved = record_copy_resolve(context, copy.scene);
    record_copy_edit(&copy.resolved, edits[k][0], edits[k][1]);
    record_copy_save(context, thud_test_path("tampered.h5"), &copy);
    record_copy_free(&copy);
    assert_int_equal(thud_verify_record(context, thud_test_path("tampered.h5"), NULL, &result), THUD_OK);
    assert_int_equal(result.verdict, THUD_VERIFY_BAD);
    assert_string_equal(result.checks[1].name, "resolved");
    /* A key that stands twice makes no scene, which is reported by structure. */
    if ((k == 3 ? result.checks[0] : result.checks[1]).status != THUD_VERIFY_FAILED)
      fail_msg("%zu: %s", k, result.reason);
  }
  thud_test_context_end(context);
  thud_test_folder_empty();
}

/* Whatever has the wrong form is handed on: the builder says what is wrong, at the place in the file. */
static void wrong_forms_pass_through(void **state) {
  (void)state;
  static const char *const wrong[] = {
      "3",
      "[]",
      "{thud: 1, system: 3, initial: 4, simulate: 5, record: 6, units: 7, data: 8, title: 9}",
      "{thud: 1, system: {coordinates: 3, constraints: 4, friction: 5, forces: 6, impact_law: 7}, simulate: {method: "
      "1}}",
      "{thud: 1, system: {coordinates: [1, [x], null], constraints: [1, {friction: 2}, {gap: 0, friction: {law: "
      "[3]}}]}}",
      "{thud: 1, sweeping: {coordinates: {}, set: {product: 1, sum: [2], image: {matrix: [], set: 3}, polar: 4}}}",
      "{thud: 1, system: {percussions: 1, impact_law: {lzb: 1, table: 2}}, data: {a: 1, b: []}}",
  };
  thud_context *context = thud_test_context(1);
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    thud_tree *given = read(context, wrong[k]), *resolved = NULL;
    thud_scene *scene = NULL;
    assert_int_equal(thud_scene_resolve(context, given, &resolved), THUD_OK);
    assert_int_not_equal(thud_scene_build(context, given, &scene), THUD_OK);
    assert_non_null(strstr(thud_context_last_message(context), "scene:1:"));
    thud_tree_destroy(given);
    thud_tree_destroy(resolved);
  }
  thud_tree *given = read(context, "{thud: 1, system: {coordinates: [x], mass: [1], constraints: [\n  {gap: x, name: "
                                   "constraint1},\n  {gap: x + 1}]}, initial: {x: 1}, simulate: {method: moreau, end: "
                                   "1, steps: 1}}");
  thud_scene *scene = NULL;
  assert_int_equal(thud_scene_build(context, given, &scene), THUD_ERROR_SCHEMA);
  assert_string_equal(thud_context_last_message(context), "scene:3:3: /system/constraints/1/name: the constraint "
                                                          "'constraint1' is named twice");
  thud_tree_destroy(given);
  assert_int_equal(thud_scene_resolve(context, NULL, &given), THUD_ERROR_ARGUMENT);
  thud_test_context_end(context);
}

static thud_error resolve_once(thud_context *context, void *user) {
  thud_tree *given = NULL, *resolved = NULL;
  const char *text = user;
  thud_error error = thud_tree_read_text(context, "scene", text, strlen(text), &given);
  if (error == THUD_OK) error = thud_scene_resolve(context, given, &resolved);
  thud_tree_destroy(given);
  thud_tree_destroy(resolved);
  return error;
}

static void no_allocation_failure_leaks(void **state) {
  (void)state;
  for (size_t k = 0; k < SCENES; k++) {
    char *text = strcpy(malloc(strlen(scenes[k]) + 1), scenes[k]);
    thud_test_sweep_allocations(resolve_once, text);
    free(text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(resolving_again_changes_nothing), cmocka_unit_test(every_wrong_default_is_found),
      cmocka_unit_test(every_missing_default_is_found),  cmocka_unit_test(other_changes_are_found),
      cmocka_unit_test(records_carry_both_scenes),       cmocka_unit_test(wrong_forms_pass_through),
      cmocka_unit_test(no_allocation_failure_leaks),
  };
  return cmocka_run_group_tests(tests, thud_test_folder_make, thud_test_folder_remove);
}
