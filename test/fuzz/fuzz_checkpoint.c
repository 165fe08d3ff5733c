/* Checkpoints of every kind: the state of a sample in the middle of its run, changed, is restored; then a few steps. */
#include "fuzz_support.h"

#include "run/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A built sample and its state in the middle of the run. Both stay for the whole process. */
typedef struct middle {
  thud_context *context;
  thud_scene *scene;
  uint8_t *state, *changed;
  size_t size;
} middle;

static int take_frame(void *user, double t, unsigned flags, const thud_record_cell *cells) {
  (void)user, (void)t, (void)flags, (void)cells;
  return 0;
}
static int take_event(void *user, double t, const thud_record_cell *cells) {
  (void)user, (void)t, (void)cells;
  return 0;
}
static const thud_row_sink sink = {.frame = take_frame, .event = take_event};

static thud_error advance(thud_scene *scene, thud_reached *reached) {
  return scene->kind->advance(scene->motion, &sink, reached);
}

static middle all[FUZZ_SAMPLES];

/* A leak checker does not find the blocks of length 0 that a living scene has: they begin where their memory ends. */
static void destroy_all(void) {
  for (size_t k = 0; k < FUZZ_SAMPLES; k++) {
    if (all[k].context == NULL) continue;
    thud_scene_destroy(all[k].scene);
    thud_context_destroy(all[k].context);
    free(all[k].state);
    free(all[k].changed);
  }
}

static middle *middle_of(size_t sample) {
  static bool registered;
  middle *made = &all[sample];
  if (made->scene != NULL) return made;
  if (!registered) fuzz_demand(atexit(destroy_all) == 0, "there is room for what happens at the end");
  registered = true;
  fuzz_demand(thud_context_create(NULL, &made->context) == THUD_OK, "a context can be made");
  thud_tree *tree = fuzz_sample_tree(made->context, sample, false);
  fuzz_demand(thud_scene_build(made->context, tree, &made->scene) == THUD_OK, "a sample can be built");
  thud_tree_destroy(tree);
  thud_reached reached = {.status = THUD_MOTION_RUNNING};
  for (int k = 0; k < 3 && reached.status == THUD_MOTION_RUNNING; k++)
    fuzz_demand(advance(made->scene, &reached) == THUD_OK, "a sample can be moved");
  made->size = thud_run_state_size(made->scene);
  made->state = malloc(made->size);
  made->changed = malloc(made->size);
  fuzz_demand(made->state != NULL && made->changed != NULL, "there is memory");
  thud_run_save_state(made->scene, made->state);
  return made;
}

/* Words of the state, of 4 or 8 bytes or any. */
static void change(fuzz_input *input, uint8_t *state, size_t size) {
  static const double wild[] = {0, -1, 1e300, NAN, INFINITY, -INFINITY, 1e-300, 1e9};
  size_t at = fuzz_word(input) + 65536 * (size_t)(fuzz_byte(input) % 4);
  unsigned kind = fuzz_byte(input) % 4;
  uint8_t bytes[8] = {0};
  size_t width = kind == 0 ? 4 : kind == 3 ? 1 + fuzz_byte(input) % 8 : 8;
  if (width > size) return;
  if (kind == 0) {
    int32_t number = fuzz_number(input, (int)fuzz_byte(input));
    memcpy(bytes, &number, sizeof number);
  } else if (kind == 1) {
    memcpy(bytes, &wild[fuzz_byte(input) % 8], sizeof *wild);
  } else if (kind == 2) {
    int64_t number = fuzz_number(input, (int)fuzz_byte(input));
    memcpy(bytes, &number, sizeof number);
  } else {
    for (size_t k = 0; k < width; k++) bytes[k] = (uint8_t)fuzz_byte(input);
  }
  at = kind == 3 ? at % size : at * (kind == 0 ? 4 : 8) % size;
  memcpy(state + (at + width <= size ? at : size - width), bytes, width);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_input input = {.data = data, .size = size};
  middle *from = middle_of(fuzz_byte(&input) % FUZZ_SAMPLES);
  memcpy(from->changed, from->state, from->size);
  for (int k = 0; k < 8 && input.at < input.size; k++) change(&input, from->changed, from->size);
  thud_error error = thud_run_restore_state(from->scene, from->changed, from->size);
  fuzz_check_error(from->context, error);
  thud_reached reached = {.status = THUD_MOTION_RUNNING};
  for (int k = 0; k < 2 && error == THUD_OK && reached.status == THUD_MOTION_RUNNING; k++)
    error = advance(from->scene, &reached);
  fuzz_demand(size > 0 || error == THUD_OK, "a state that was not changed is restored");
  return 0;
}
