/* What readers of the library rely on by name, against lists that are changed only on purpose (test/lists, as test/abi
 * for the interface): the keys of every option table with ranges, defaults and help, and the channels of records of every
 * kind of motion. THUD_UPDATE_LISTS=1 writes the lists anew. */
#include "scratch_folder.h"
#include "testing.h"
#include "thud/io.h"
#include "thud/thud.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *source_folder(void) {
  const char *folder = getenv("THUD_SOURCE_DIR");
  return folder != NULL ? folder : "../..";
}

/* Reads a whole file; the caller frees it. */
static char *read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) return NULL;
  char *text = calloc(1, 1 << 20);
  assert_non_null(text);
  size_t length = fread(text, 1, (1 << 20) - 1, file);
  fclose(file);
  thud_assert_less(length, (1 << 20) - 1);
  return text;
}

/* The file at `found` is, line by line, the list of this name. */
static void expect_list(const char *name, const char *found) {
  char path[1024];
  snprintf(path, sizeof path, "%s/test/lists/%s.txt", source_folder(), name);
  char *here = read_file(found);
  assert_non_null(here);
  if (getenv("THUD_UPDATE_LISTS") != NULL) {
    FILE *list = fopen(path, "wb");
    assert_non_null(list);
    fputs(here, list);
    fclose(list);
  }
  char *known = read_file(path);
  if (known == NULL) fail_msg("%s cannot be read", path);
  char *a_rest = NULL, *b_rest = NULL;
  char *a = strtok_r(here, "\n", &a_rest), *b = strtok_r(known, "\n", &b_rest);
  for (; a != NULL || b != NULL; a = strtok_r(NULL, "\n", &a_rest), b = strtok_r(NULL, "\n", &b_rest)) {
    if (a != NULL && b != NULL && strcmp(a, b) == 0) continue;
    fail_msg("%s says\n  %s\nbut the library\n  %s\nif this is meant: THUD_UPDATE_LISTS=1, and commit the list", path,
             b != NULL ? b : "(nothing more)", a != NULL ? a : "(nothing more)");
  }
  free(here);
  free(known);
}

static void print_key(FILE *out, const thud_option_key *key) {
  fprintf(out, "  %s: ", key->name);
  if (key->type == THUD_OPTION_CHOICE)
    for (size_t k = 0; key->choices[k] != NULL; k++) fprintf(out, "%s%s", k > 0 ? "|" : "", key->choices[k]);
  else if (key->type == THUD_OPTION_BOOL)
    fprintf(out, "flag");
  else
    fprintf(out, "%s in %c%g, %g]", key->type == THUD_OPTION_INT ? "whole" : "real", key->minimum_open ? '(' : '[',
            key->minimum, key->maximum);
  fprintf(out, ", default %.17g, unit %s: %s\n", key->default_value, key->unit != NULL ? key->unit : "none", key->help);
}

static void option_tables_are_those_of_the_list(void **state) {
  (void)state;
  const thud_option_table *tables[] = {
      thud_event_option_table(),       thud_force_set_option_table(),    thud_percussion_option_table(),
      thud_plot_option_table(),        thud_problem_read_option_table(), thud_record_csv_option_table(),
      thud_record_option_table(),      thud_solver_option_table(),       thud_stepping_option_table(),
      thud_study_option_table(),       thud_rates_option_table(),        thud_sweep_option_table(),
      thud_verify_option_table(),      thud_compare_option_table(),      thud_body_motion_option_table(),
      thud_quasistatic_option_table(), thud_punch_option_table(),        thud_critical_option_table()};
  const char *path = thud_test_path("options.txt");
  FILE *out = fopen(path, "wb");
  assert_non_null(out);
  for (size_t k = 0; k < sizeof tables / sizeof *tables; k++) {
    fprintf(out, "%s\n", tables[k]->name);
    for (size_t i = 0; i < tables[k]->count; i++) print_key(out, &tables[k]->keys[i]);
  }
  fclose(out);
  expect_list("options", path);
}

static void print_channel(FILE *out, const thud_record_channel *channel) {
  static const char *const types[] = {"real", "small", "integer", "text"};
  static const char *const looks[] = {"line", "hold", "density", "impulse", "series", "point"};
  fprintf(out, "    %s: %s, ", channel->name, types[channel->type]);
  if (channel->width > 0)
    fprintf(out, "%zu wide", channel->width);
  else
    fprintf(out, "ragged by %zu", channel->group);
  fprintf(out, ", unit '%s', role '%s', %s", channel->unit, channel->role, looks[channel->look]);
  if (channel->left != NULL) fprintf(out, ", left %s", channel->left);
  if (channel->atom != NULL) fprintf(out, ", atom %s", channel->atom);
  if (channel->at != NULL) fprintf(out, ", at %s", channel->at);
  fprintf(out, "%s%s: %s\n", channel->optional ? ", optional" : "", channel->state ? ", state" : "",
          channel->description);
  for (size_t k = 0; k < channel->label_count; k++)
    fprintf(out, "%s%s%s", k == 0 ? "      labels " : ", ", channel->labels[k],
            k + 1 == channel->label_count ? "\n" : "");
}

/* Runs a scene of the examples, and prints the channels of its record. */
static void print_record(FILE *out, thud_context *context, const char *name) {
  char place[1024];
  snprintf(place, sizeof place, "%s/examples/%s.yaml", source_folder(), name);
  const char *path = thud_test_path("record.h5");
  thud_tree *tree = NULL;
  thud_scene *scene = NULL;
  assert_int_equal(thud_tree_read_file(context, place, &tree), THUD_OK);
  assert_int_equal(thud_scene_build(context, tree, &scene), THUD_OK);
  thud_tree_destroy(tree);
  thud_run_options options = thud_run_options_default();
  options.record = path;
  options.overwrite = true;
  thud_run_result result;
  assert_int_equal(thud_scene_run(scene, &options, &result), THUD_OK);
  assert_int_equal(result.verdict, THUD_VERDICT_GOOD);
  thud_run_result_free(context, &result);
  thud_scene_destroy(scene);
  thud_record_reader *reader = NULL;
  assert_int_equal(thud_record_open(context, path, &reader), THUD_OK);
  thud_record_info info = thud_record_reader_info(reader);
  fprintf(out, "%s: %s, %s\n", name, info.kind, info.method);
  for (int table = 0; table < THUD_RECORD_TABLES; table++) {
    fprintf(out, "  %s\n", thud_record_table_name((thud_record_table)table));
    const thud_record_channel *channel;
    for (size_t k = 0; (channel = thud_record_reader_channel(reader, (thud_record_table)table, k)) != NULL; k++)
      print_channel(out, channel);
  }
  thud_record_reader_destroy(reader);
}

static void channels_of_records_are_those_of_the_list(void **state) {
  (void)state;
  static const char *const scenes[] = {"translating-ball",
                                       "regularised-ball",
                                       "pendulum-with-wall",
                                       "bouncing-ball",
                                       "block-on-belt",
                                       "event-driven/bouncing-ball-to-rest",
                                       "event-driven/thrown-sphere",
                                       "friction/coupled-percussion",
                                       "bodies/ball-on-slope",
                                       "bodies/drum"};
  thud_context *context = thud_test_context(1);
  const char *path = thud_test_path("channels.txt");
  char kept[1024];
  snprintf(kept, sizeof kept, "%s", path);
  FILE *out = fopen(kept, "wb");
  assert_non_null(out);
  for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++) print_record(out, context, scenes[k]);
  fclose(out);
  expect_list("channels", kept);
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(option_tables_are_those_of_the_list),
      cmocka_unit_test(channels_of_records_are_those_of_the_list),
  };
  return cmocka_run_group_tests(tests, thud_test_folder_make, thud_test_folder_remove);
}
