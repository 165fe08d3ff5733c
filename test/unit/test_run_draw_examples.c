/* Every system among the examples has a `draw`; marks of all that have one are finite over the motion and show it. */
#include "scratch_folder.h"
#include "testing.h"
#include "thud/film.h"
#include "thud/run.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const folders[] = {".", "dynamics", "event-driven", "friction", "composed", "quasistatic"};

/* What holds for most examples and not for these. */
typedef struct exception {
  const char *name;
  bool refused; /* there is no motion */
  bool rests;   /* nothing moves */
} exception;

static const exception exceptions[] = {{"dynamics/unqualified.yaml", true, false},
                                       {"dynamics/energy-gain.yaml", false, true},
                                       {"event-driven/corner-bar.yaml", false, true}}; /* stops at the start */

static exception exception_of(const char *name) {
  for (size_t k = 0; k < sizeof exceptions / sizeof *exceptions; k++)
    if (strcmp(exceptions[k].name, name) == 0) return exceptions[k];
  return (exception){name, false, false};
}

/* Coarse steps of systems are enough to see every expression at work; the other kinds have few. */
static void coarsen(thud_tree *tree) {
  if (thud_node_find(thud_tree_root(tree), "system") == NULL) return;
  const thud_node *simulate = thud_node_find(thud_tree_root(tree), "simulate");
  const thud_node *method = thud_node_find(simulate, "method");
  bool events = method != NULL && strcmp(thud_node_string(method), "event-driven") == 0;
  if (thud_node_find(simulate, "steps") != NULL && !events)
    assert_int_equal(thud_tree_set(tree, "simulate.steps", "400"), THUD_OK);
  if (thud_node_find(simulate, "step") != NULL)
    assert_int_equal(thud_tree_set(tree, "simulate.end", "3000*2e-5"), THUD_OK);
}

/* false: the scene is refused. */
static bool record(thud_context *context, thud_tree *tree, const char *path) {
  thud_scene *scene = NULL;
  thud_run_result result = {0};
  thud_run_options options = thud_run_options_default();
  options.record = path;
  options.overwrite = true;
  coarsen(tree);
  bool built = thud_scene_build(context, tree, &scene) == THUD_OK;
  if (built) assert_int_equal(thud_scene_run(scene, &options, &result), THUD_OK);
  thud_run_result_free(context, &result);
  thud_scene_destroy(scene);
  return built;
}

/* An angle that is not given, gaps in a line, and reactions within an accumulation of impacts are NaN. */
static bool may_be_missing(const thud_mark *mark, size_t k) {
  bool reaction = mark->kind == THUD_MARK_ARROW && mark->paint != THUD_PAINT_VELOCITY && k % 4 >= 2;
  return reaction || (mark->kind == THUD_MARK_CIRCLE && k % 4 == 3) || mark->kind == THUD_MARK_LINE;
}

static void check_numbers(const char *name, size_t m, const thud_mark *mark, size_t width) {
  for (size_t k = 0; k < mark->count * width; k++) {
    double x = mark->numbers[k];
    if (isinf(x) || (isnan(x) && !may_be_missing(mark, k))) fail_msg("%s: number %zu of mark %zu is %g", name, k, m, x);
  }
}

/* A number that tells drawings apart. */
static double check_drawing(const char *name, const thud_drawing *drawing) {
  double sum = 0;
  for (size_t m = 0; m < thud_drawing_mark_count(drawing); m++) {
    size_t panel;
    const thud_mark *mark = thud_drawing_mark_at(drawing, m, &panel);
    size_t width = thud_mark_width(mark->kind, thud_drawing_panel_at(drawing, panel)->space ? 3 : 2);
    check_numbers(name, m, mark, width);
    for (size_t k = 0; k < mark->count * width; k++)
      if (!isnan(mark->numbers[k])) sum += mark->numbers[k] * (double)(1 + m + k);
  }
  return sum;
}

static void check_film(thud_context *context, const char *name, const char *path) {
  thud_record_reader *reader = NULL;
  thud_scene *scene = NULL;
  thud_film *film = NULL;
  thud_film_options options = thud_film_options_default();
  options.most_frames = 40;
  if (thud_record_open(context, path, &reader) != THUD_OK ||
      thud_film_build_scene(context, reader, &scene) != THUD_OK ||
      thud_film_create(reader, scene, &options, &film) != THUD_OK)
    fail_msg("%s: %s", name, thud_context_last_message(context));
  double low = INFINITY, high = -INFINITY;
  for (size_t k = 0; k < thud_film_frame_count(film); k++) {
    const thud_drawing *drawing = NULL;
    assert_int_equal(thud_film_draw(film, k, &drawing), THUD_OK);
    double sum = check_drawing(name, drawing);
    low = fmin(low, sum);
    high = fmax(high, sum);
  }
  if ((high > low) == exception_of(name).rests) fail_msg("%s: %s", name, high > low ? "moves" : "does not move");
  size_t panels = 0;
  const thud_film_room *rooms = NULL;
  assert_int_equal(thud_film_measure(film, &panels, &rooms), THUD_OK);
  for (size_t p = 0; p < panels; p++) thud_assert_greater(rooms[p].high[0] - rooms[p].low[0], 0);
  thud_film_destroy(film);
  thud_scene_destroy(scene);
  thud_record_reader_destroy(reader);
}

/* All of them, some under a sanitizer. */
static bool is_chosen(const char *name) {
  size_t sum = 0;
  for (const char *at = name; *at != '\0'; at++) sum += (unsigned char)*at;
  return sum % THUD_TEST_STRIDE(5) == 0;
}

/* 1 for a system. */
static size_t check_example(thud_context *context, const char *name) {
  const char *source = getenv("THUD_SOURCE_DIR"), *path = thud_test_path("example.h5");
  char place[1024];
  thud_tree *tree = NULL;
  snprintf(place, sizeof place, "%s/examples/%s", source != NULL ? source : "../..", name);
  assert_int_equal(thud_tree_read_file(context, place, &tree), THUD_OK);
  bool is_system = thud_node_find(thud_tree_root(tree), "system") != NULL;
  bool is_drawn = thud_node_find(thud_tree_root(tree), "draw") != NULL;
  if (is_system && !is_drawn) fail_msg("%s: nothing says what it looks like", name);
  if (is_drawn && is_chosen(name)) {
    bool recorded = record(context, tree, path);
    if (recorded == exception_of(name).refused) fail_msg("%s: %s", name, thud_context_last_message(context));
    if (recorded) check_film(context, name, path);
  }
  thud_tree_destroy(tree);
  return is_system;
}

static void every_system_of_the_examples_is_drawn(void **state) {
  (void)state;
  const char *source = getenv("THUD_SOURCE_DIR");
  thud_context *context = thud_test_context(1);
  size_t count = 0;
  for (size_t f = 0; f < sizeof folders / sizeof *folders; f++) {
    char name[600];
    snprintf(name, sizeof name, "%s/examples/%s", source != NULL ? source : "../..", folders[f]);
    DIR *folder = opendir(name);
    assert_non_null(folder);
    for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
      const char *ending = strrchr(entry->d_name, '.');
      if (ending == NULL || strcmp(ending, ".yaml") != 0) continue;
      snprintf(name, sizeof name, "%s%s%s", f > 0 ? folders[f] : "", f > 0 ? "/" : "", entry->d_name);
      count += check_example(context, name);
    }
    closedir(folder);
  }
  thud_assert_at_least(count, 63);
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(every_system_of_the_examples_is_drawn,
                                                                     thud_test_folder_make, thud_test_folder_remove)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
