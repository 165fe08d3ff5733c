#include "geom/broad_phase.h"

thud_error thud_broad_phase_create(thud_context *context, thud_broad_phase **phase) {
  THUD_REQUIRE(context, context, phase);
  thud_broad_phase *made = THUD_NEW(context, thud_broad_phase);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->context = context;
  *phase = made;
  return THUD_OK;
}

void thud_broad_phase_destroy(thud_broad_phase *phase) {
  if (phase == NULL) return;
  thud_context *context = phase->context;
  for (size_t k = 0; k < THUD_BROAD_TASKS_MAX; k++) thud_free(context, phase->tasks[k].pairs);
  thud_free(context, phase->at.classes);
  thud_free(context, phase->at.rows);
  thud_free(context, phase->at.keys);
  thud_free(context, phase->at.scratch);
  thud_free(context, phase->at.entries);
  thud_free(context, phase->at.row_table);
  thud_free(context, phase->at.firsts);
  thud_free(context, phase->slots);
  thud_free(context, phase->nodes);
  thud_free(context, phase->seconds);
  thud_free(context, phase->pairs);
  thud_free(context, phase);
}

/* Resizes one of the arrays of boxes; the content is not needed any more. */
static bool resize(thud_context *context, void *array, size_t count, size_t size) {
  void *old, *grown;
  memcpy(&old, array, sizeof old);
  grown = thud_realloc(context, old, count, size);
  if (grown == NULL) return false;
  memcpy(array, &grown, sizeof grown);
  return true;
}

static thud_error reserve_boxes(thud_broad_phase *phase, size_t count) {
  if (count <= phase->box_capacity) return THUD_OK;
  thud_context *context = phase->context;
  thud_broad_boxes *at = &phase->at;
  size_t room = count + count / 4;
  bool good =
      resize(context, &at->classes, room, sizeof *at->classes) && resize(context, &at->rows, room, sizeof *at->rows) &&
      resize(context, &at->keys, room, sizeof *at->keys) && resize(context, &at->scratch, room, sizeof *at->scratch) &&
      resize(context, &at->entries, room, sizeof *at->entries) &&
      resize(context, &at->row_table, room, sizeof *at->row_table) &&
      resize(context, &at->firsts, room + 1, sizeof *at->firsts);
  if (!good) return THUD_ERROR_MEMORY;
  phase->box_capacity = room;
  return THUD_OK;
}

thud_error thud_broad_phase_find(thud_broad_phase *phase, thud_index count, const thud_bounds *boxes, const bool *still,
                                 const thud_index *groups, size_t *pair_count, const thud_index_pair **pairs) {
  THUD_REQUIRE_OF(phase, count == 0 || boxes, pair_count, pairs);
  if (count < 0) return thud_fail(phase->context, THUD_ERROR_ARGUMENT, "thud_broad_phase_find: %d boxes", (int)count);
  phase->count = count;
  phase->boxes = boxes;
  phase->still = still;
  phase->groups = groups;
  thud_error error = reserve_boxes(phase, (size_t)count);
  if (error == THUD_OK) error = thud_broad_phase_fill(phase);
  if (error == THUD_OK) error = thud_broad_phase_search(phase);
  if (error == THUD_OK) error = thud_broad_phase_collect(phase);
  if (error != THUD_OK) return error;
  *pair_count = phase->pair_count;
  *pairs = phase->pairs;
  return THUD_OK;
}

thud_error thud_broad_phase_hold(thud_broad_phase *phase, thud_index count, const thud_bounds *boxes) {
  phase->count = count;
  phase->boxes = boxes;
  phase->still = NULL;
  phase->groups = NULL;
  phase->node_count = phase->gridded = phase->entry_count = 0;
  thud_error error = reserve_boxes(phase, (size_t)count);
  if (error == THUD_OK) error = thud_broad_phase_fill(phase);
  return error == THUD_OK ? thud_broad_phase_plant(phase) : error;
}

uint64_t thud_broad_phase_tests(const thud_broad_phase *phase) {
  uint64_t sum = phase->tests_in_vain;
  for (size_t k = 0; k < phase->task_count; k++) sum += phase->tasks[k].tests;
  return sum;
}

uint64_t thud_broad_phase_lookups(const thud_broad_phase *phase) {
  uint64_t sum = 0;
  for (size_t k = 0; k < phase->task_count; k++) sum += phase->tasks[k].lookups;
  return sum;
}
