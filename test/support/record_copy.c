#include "record_copy.h"
#include "testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void record_copy_run(thud_context *context, const char *text, const char *path) {
  record_copy_run_branches(context, text, path, 0);
}

void record_copy_run_branches(thud_context *context, const char *text, const char *path, size_t branches) {
  thud_tree *tree = NULL;
  thud_scene *scene = NULL;
  thud_run_result result = {0};
  thud_run_options options = thud_run_options_default();
  options.record = path;
  options.overwrite = true;
  options.branches = branches;
  thud_error error = thud_tree_read_text(context, "scene", text, strlen(text), &tree);
  if (error == THUD_OK) error = thud_scene_build(context, tree, &scene);
  if (error == THUD_OK) error = thud_scene_run(scene, &options, &result);
  if (error != THUD_OK) fail_msg("%s: %s", text, thud_context_last_message(context));
  if (result.verdict != THUD_VERDICT_GOOD) fail_msg("%s: %s", text, result.reason);
  thud_run_result_free(context, &result);
  thud_scene_destroy(scene);
  thud_tree_destroy(tree);
}

static char *duplicate(const char *text) {
  char *made = malloc(strlen(text) + 1);
  assert_non_null(made);
  return strcpy(made, text);
}

char *record_copy_resolve(thud_context *context, const char *scene) {
  thud_tree *given = NULL, *resolved = NULL;
  char *text = NULL;
  if (thud_tree_read_text(context, "scene", scene, strlen(scene), &given) != THUD_OK) return duplicate(scene);
  assert_int_equal(thud_scene_resolve(context, given, &resolved), THUD_OK);
  assert_int_equal(thud_tree_write_json(resolved, &text), THUD_OK);
  char *made = duplicate(text);
  thud_tree_free_text(resolved, text);
  thud_tree_destroy(resolved);
  thud_tree_destroy(given);
  return made;
}

void record_copy_load(thud_context *context, const char *path, record_copy *c) {
  static const char *const roles[RECORD_COPY_CHANNELS] = {"time", "side",      "state",   "reaction",
                                                          "atom", "variation", "residual"};
  thud_record_reader *reader;
  assert_int_equal(thud_record_open(context, path, &reader), THUD_OK);
  thud_record_info info = thud_record_reader_info(reader);
  *c = (record_copy){.rows = info.rows[THUD_RECORD_FRAMES], .reader = reader, .finished = true};
  record_table_load(reader, THUD_RECORD_EVENTS, &c->events);
  c->scene = duplicate(info.scene);
  c->summary = duplicate(info.summary);
  c->verdict = duplicate(info.verdict);
  c->reason = duplicate(info.reason);
  c->method = duplicate(info.method);
  c->kind = duplicate(info.kind);
  for (size_t k = 0; k < RECORD_COPY_CHANNELS; k++) {
    size_t channel;
    assert_int_equal(thud_record_find_role(reader, THUD_RECORD_FRAMES, roles[k], &channel), THUD_OK);
    const thud_record_channel *found = thud_record_reader_channel(reader, THUD_RECORD_FRAMES, channel);
    c->role[k] = roles[k];
    c->width[k] = found->width;
    c->values[k] = malloc(info.rows[THUD_RECORD_FRAMES] * found->width * sizeof(double));
    assert_non_null(c->values[k]);
    assert_int_equal(
        thud_record_read(reader, THUD_RECORD_FRAMES, channel, 0, info.rows[THUD_RECORD_FRAMES], c->values[k]), THUD_OK);
    for (size_t i = 0; k == RECORD_COPY_STATE && i < found->width; i++)
      snprintf(c->names[i], sizeof c->names[i], "%s", found->components[i]);
  }
  c->n = c->width[RECORD_COPY_STATE];
}

void record_copy_save(thud_context *context, const char *path, const record_copy *c) {
  const char *components[RECORD_COPY_MAX_DIMENSION] = {c->names[0], c->names[1], c->names[2]};
  thud_record_channel channels[RECORD_COPY_CHANNELS];
  size_t used = 0, source[RECORD_COPY_CHANNELS];
  for (size_t k = 0; k < RECORD_COPY_CHANNELS; k++) {
    if (c->role[k] == NULL) continue;
    bool small = k == RECORD_COPY_SIDE || k == RECORD_COPY_ATOM;
    source[used] = k;
    channels[used++] = (thud_record_channel){.name = c->role[k],
                                             .type = small ? THUD_RECORD_SMALL : THUD_RECORD_REAL,
                                             .width = c->width[k],
                                             .components = k == RECORD_COPY_STATE ? components : NULL,
                                             .role = c->role[k],
                                             .state = k == RECORD_COPY_STATE};
  }
  thud_record_channel events[RECORD_TABLE_MOST];
  record_table_describe(&c->events, events);
  const thud_record_layout layout = {.count = {used, c->events.count}, .channels = {channels, events}};
  char *resolved = c->resolved != NULL ? duplicate(c->resolved) : record_copy_resolve(context, c->scene);
  thud_record_header header = {.kind = c->kind, .method = c->method, .scene = c->scene, .resolved = resolved};
  thud_record_options options = thud_record_options_default();
  options.overwrite = true;
  thud_record_writer *writer;
  assert_int_equal(thud_record_create(context, path, &options, &header, &layout, &writer), THUD_OK);
  free(resolved);
  for (size_t row = 0; row < c->rows; row++) {
    thud_record_cell cells[RECORD_COPY_CHANNELS];
    for (size_t k = 0; k < used; k++) {
      size_t width = c->width[source[k]];
      cells[k] = (thud_record_cell){.values = c->values[source[k]] + row * width, .count = width};
    }
    assert_int_equal(thud_record_append(writer, THUD_RECORD_FRAMES, cells), THUD_OK);
  }
  for (size_t row = 0; row < c->events.rows; row++) record_table_append(writer, &c->events, row);
  if (c->finished)
    assert_int_equal(thud_record_close(writer, c->verdict, c->reason, c->summary), THUD_OK);
  else
    thud_record_abandon(writer);
}

void record_copy_free(record_copy *c) {
  for (size_t k = 0; k < RECORD_COPY_CHANNELS; k++) free(c->values[k]);
  free(c->scene);
  free(c->resolved);
  free(c->summary);
  free(c->verdict);
  free(c->reason);
  free(c->method);
  free(c->kind);
  record_table_free(&c->events);
  thud_record_reader_destroy(c->reader);
}

void record_copy_edit(char **text, const char *from, const char *to) {
  const char *place = strstr(*text, from);
  if (place == NULL) fail_msg("'%s' is not in %s", from, *text);
  size_t head = (size_t)(place - *text);
  char *made = malloc(strlen(*text) + strlen(to) + 1);
  assert_non_null(made);
  memcpy(made, *text, head);
  strcpy(made + head, to);
  strcat(made, place + strlen(from));
  free(*text);
  *text = made;
}

void record_copy_drop(record_copy *c, size_t row) {
  for (size_t k = 0; k < RECORD_COPY_CHANNELS; k++)
    memmove(c->values[k] + row * c->width[k], c->values[k] + (row + 1) * c->width[k],
            (c->rows - row - 1) * c->width[k] * sizeof(double));
  c->rows--;
  for (size_t e = 0; e < c->events.rows; e++) {
    double *frame = record_table_number(&c->events, "frame", e, 0);
    if (*frame > (double)row) *frame -= 1;
  }
}

size_t record_copy_find(const record_copy *c, double t, double side) {
  for (size_t k = 0; k < c->rows; k++)
    if (fabs(c->values[RECORD_COPY_T][k] - t) < 1e-9 && c->values[RECORD_COPY_SIDE][k] == side) return k;
  fail_msg("no frame at t = %g on side %g", t, side);
  return 0;
}

static void fit_events(record_copy *c) {
  size_t bytes = c->n * sizeof(double);
  for (size_t e = 0; e < c->events.rows; e++) {
    size_t k = (size_t)*record_table_number(&c->events, "frame", e, 0);
    const double *u = c->values[RECORD_COPY_STATE] + c->n * k;
    if (k > 0) memcpy(record_table_number(&c->events, "before", e, 0), u - c->n, bytes);
    memcpy(record_table_number(&c->events, "after", e, 0), u, bytes);
    memcpy(record_table_number(&c->events, "impulse", e, 0), c->values[RECORD_COPY_REACTION] + c->n * k, bytes);
  }
}

void record_copy_fit(record_copy *c, const double *M) {
  double total = c->values[RECORD_COPY_VARIATION][0];
  for (size_t k = 1; k < c->rows; k++) {
    const double *u = c->values[RECORD_COPY_STATE] + c->n * k, *before = u - c->n;
    double elapsed = c->values[RECORD_COPY_T][k] - c->values[RECORD_COPY_T][k - 1], square = 0;
    bool atom = c->values[RECORD_COPY_ATOM][k] != 0;
    for (size_t i = 0; i < c->n; i++) {
      double w = 0;
      for (size_t j = 0; j < c->n; j++) w += M[i * c->n + j] * (u[j] - before[j]);
      square += (u[i] - before[i]) * w;
      c->values[RECORD_COPY_REACTION][c->n * k + i] = atom ? w : elapsed > 0 ? w / elapsed : 0;
    }
    total += sqrt(square);
    c->values[RECORD_COPY_VARIATION][k] = total;
  }
  fit_events(c);
}
