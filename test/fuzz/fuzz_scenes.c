/* Scenes as the fuzz targets need them: bounded, built and moved a little; small samples of every kind with their records. */
#include "fuzz_support.h"

#include "run/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- bounds ---------------------------------------------------------------------------------------------------------- */

typedef struct bound {
  const char *key;
  double most;
} bound;

static const bound bounds[] = {{"end", 10},
                               {"steps", 20},
                               {"classify", 2},
                               {"refinements", 2},
                               {"nodes", 20},
                               {"elements", 20},
                               {"rings", 4},
                               {"cells", 5},
                               {"count", 20},
                               {"max_events", 20},
                               {"max_iterations", 200},
                               {"levels", 3},
                               {"max_outcomes", 20},
                               {"counts", 4},
                               {"grid", 4},
                               {"max_steps", 200},
                               {"samples", 200},
                               {"local_iterations", 20}};

static double most_of(const char *key) {
  for (size_t k = 0; key != NULL && k < sizeof bounds / sizeof *bounds; k++)
    if (strcmp(bounds[k].key, key) == 0) return bounds[k].most;
  return HUGE_VAL;
}

/* Entries under a key, also those of lists, are at most what the table says. */
static thud_error bound_node(thud_tree *tree, const thud_node *node, const char *path, double most, int depth) {
  char inside[400], value[40];
  thud_error error = THUD_OK;
  thud_node_kind kind = thud_node_get_kind(node);
  if (kind == THUD_NODE_NUMBER && thud_node_number(node) > most) {
    snprintf(value, sizeof value, "%g", most);
    return thud_tree_set(tree, path, value);
  }
  if ((kind != THUD_NODE_MAP && kind != THUD_NODE_SEQUENCE) || depth > 12) return THUD_OK;
  for (size_t k = 0; k < thud_node_count(node) && error != THUD_ERROR_MEMORY; k++) {
    const char *key = kind == THUD_NODE_MAP ? thud_node_key(node, k) : NULL;
    int length = key != NULL ? snprintf(inside, sizeof inside, "%s%s%s", path, path[0] != '\0' ? "." : "", key)
                             : snprintf(inside, sizeof inside, "%s.%zu", path, k);
    if (length < (int)sizeof inside)
      error = bound_node(tree, thud_node_item(node, k), inside, key != NULL ? most_of(key) : most, depth + 1);
  }
  return error;
}

thud_error fuzz_bound_scene(thud_tree *tree) {
  thud_error error = bound_node(tree, thud_tree_root(tree), "", HUGE_VAL, 0);
  return error == THUD_ERROR_MEMORY ? error : THUD_OK; /* a key with a dot cannot be named */
}

/* ---- building and moving --------------------------------------------------------------------------------------------- */

static void make_steps(thud_context *context, thud_scene *scene, int steps) {
  thud_run_options options = thud_run_options_default();
  thud_run *run = NULL;
  thud_run_result result = {0};
  bool going = true;
  thud_error error = thud_run_create(scene, &options, &run);
  fuzz_check_error(context, error);
  if (error != THUD_OK) return;
  for (int k = 0; k < steps && going && error == THUD_OK; k++) error = thud_run_step(run, &going);
  if (error == THUD_OK) error = thud_run_finish(run, &result);
  fuzz_check_error(context, error);
  thud_run_result_free(context, &result);
  thud_run_destroy(run);
}

void fuzz_try_scene(thud_context *context, const thud_tree *tree, int steps) {
  thud_scene *scene = NULL;
  char *json = NULL, *text = NULL;
  thud_error error = thud_scene_build(context, tree, &scene);
  fuzz_check_error(context, error);
  fuzz_demand((error == THUD_OK) == (scene != NULL), "success and only success makes a scene");
  if (error != THUD_OK) return;
  error = thud_scene_check(scene, "input", &json, &text);
  fuzz_check_error(context, error);
  if (error == THUD_OK) {
    thud_scene_free_text(scene, json);
    thud_scene_free_text(scene, text);
    make_steps(context, scene, steps);
  }
  thud_scene_destroy(scene);
}

void fuzz_try_beside(const char *scene, const char *name, const void *data, size_t size) {
  fuzz_file_make(name, data, size);
  char path[FUZZ_PATH];
  fuzz_path("scene.yaml", path);
  thud_context *context = fuzz_small_context(20000000);
  thud_tree *tree = NULL;
  thud_error error = thud_tree_read_text(context, path, scene, strlen(scene), &tree);
  fuzz_demand(error == THUD_OK, "the scene around the input can be read");
  fuzz_try_scene(context, tree, 2);
  thud_tree_destroy(tree);
  fuzz_check_h5();
  fuzz_context_end(context);
}

/* ---- samples --------------------------------------------------------------------------------------------------------- */

enum { MOST_SETTINGS = 4 };

/* An example, made small; every: length of time between two checkpoints. */
static const struct {
  const char *file, *every;
  struct {
    const char *path, *value;
  } settings[MOST_SETTINGS];
} samples[FUZZ_SAMPLES] = {
    {"translating-ball.yaml", "0.9", {{"simulate.steps", "6"}, {"simulate.refinements", "1"}}},
    {"regularised-ball.yaml", "0.9", {{"simulate.step", "0.5"}, {"simulate.lambda", "0.2"}}},
    {"bouncing-ball.yaml", "0.2", {{"simulate.end", "0.6"}, {"simulate.steps", "12"}}},
    {"dynamics/incline.yaml", "0.02", {{"simulate.end", "0.06"}, {"simulate.steps", "6"}}},
    {"event-driven/thrown-sphere.yaml", "0.1", {{NULL, NULL}}},
    {"quasistatic/self-stress.yaml", "0.6", {{NULL, NULL}}},
    {"composed/bar-end.yaml", "0.3", {{NULL, NULL}}},
    {"elastic/string-on-floor.yaml", "0.5", {{"string.nodes", "9"}, {"simulate.steps", "6"}}},
    {"elastic/beam-rolls.yaml", "0.3", {{"beam.nodes", "9"}, {"simulate.steps", "6"}, {"simulate.classify", "0"}}},
    {"elastic/membrane-dragged.yaml", "0.9", {{"membrane.mesh.rings", "2"}, {"simulate.steps", "6"}}},
    {"elastic/plate-over-pin.yaml", "0.4", {{"plate.mesh.cells", "[4, 4]"}, {"simulate.steps", "3"}}},
    {"elastic/punch-coulomb.yaml", "0.3", {{"half_plane.mesh.elements", "8"}}},
    {"bodies/sliding-brick.yaml", "0.01", {{"simulate.end", "0.03"}}},
    {"bodies/cradle.yaml", "0.004", {{"simulate.end", "0.01"}}},
    {"joints/two-hinge-door.yaml", "0.02", {{"simulate.end", "0.06"}}},
    {"joints/slider-crank.yaml", "0.0002", {{"simulate.end", "0.0006"}, {"simulate.steps", "6"}}},
};

thud_tree *fuzz_sample_tree(thud_context *context, size_t sample, bool checkpoints) {
  char path[1024], record[80];
  thud_tree *tree = NULL;
  snprintf(path, sizeof path, "%s/%s", FUZZ_EXAMPLES, samples[sample].file);
  thud_error error = thud_tree_read_file(context, path, &tree);
  for (size_t k = 0; error == THUD_OK && k < MOST_SETTINGS && samples[sample].settings[k].path != NULL; k++)
    error = thud_tree_set(tree, samples[sample].settings[k].path, samples[sample].settings[k].value);
  snprintf(record, sizeof record, "{checkpoint_every: %s}", checkpoints ? samples[sample].every : "null");
  if (error == THUD_OK) error = thud_tree_put(tree, "record", record);
  if (error != THUD_OK) fprintf(stderr, "%s: %s\n", path, thud_context_last_message(context));
  fuzz_demand(error == THUD_OK, "a sample can be read");
  return tree;
}

/* Stops where two thirds of the time are over. */
static int stop_late(void *user, double t, double start, double end) {
  (void)user;
  return t > start + 0.6 * (end - start);
}

static void run_sample(size_t sample, bool stopped, const char *path) {
  thud_context *context = NULL;
  thud_scene *scene = NULL;
  thud_run_result result = {0};
  fuzz_demand(thud_context_create(NULL, &context) == THUD_OK, "a context can be made");
  thud_tree *tree = fuzz_sample_tree(context, sample, stopped);
  thud_run_options options = thud_run_options_default();
  options.record = path;
  options.overwrite = true;
  if (stopped) options.progress = stop_late;
  thud_error error = thud_scene_build(context, tree, &scene);
  if (error == THUD_OK) error = thud_scene_run(scene, &options, &result);
  if (error != THUD_OK) fprintf(stderr, "%s: %s\n", samples[sample].file, thud_context_last_message(context));
  fuzz_demand(error == THUD_OK, "a sample can be run");
  thud_run_result_free(context, &result);
  thud_scene_destroy(scene);
  thud_tree_destroy(tree);
  thud_context_destroy(context);
}

const fuzz_record *fuzz_sample_record(size_t sample, bool stopped) {
  static fuzz_record records[FUZZ_SAMPLES][2];
  fuzz_record *record = &records[sample][stopped];
  char path[FUZZ_PATH];
  if (record->bytes != NULL) return record;
  fuzz_path("sample.h5", path);
  run_sample(sample, stopped, path);
  FILE *stream = fopen(path, "rb");
  fuzz_demand(stream != NULL && fseek(stream, 0, SEEK_END) == 0, "a record can be opened");
  record->size = (size_t)ftell(stream);
  record->bytes = malloc(record->size);
  rewind(stream);
  fuzz_demand(record->bytes != NULL && fread(record->bytes, 1, record->size, stream) == record->size,
              "a record can be read");
  fclose(stream);
  return record;
}
