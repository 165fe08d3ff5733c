/* Pages of records. */
#include "page/page.h"
#include "record/output.h"

#include <string.h>

#define OFFSET(field) offsetof(thud_page_options, field)

static const thud_option_key page_keys[] = {
    {"overwrite", THUD_OPTION_BOOL, OFFSET(overwrite), 0, 0, 1, false, NULL, "1", "replace an existing page"},
    {"most_frames", THUD_OPTION_INT, OFFSET(most_frames), 500, 2, 100000, false, NULL, "1",
     "times of the moving picture"},
    {"most_points", THUD_OPTION_INT, OFFSET(most_points), 4000, 100, 1000000, false, NULL, "1", "points of a curve"},
    {"most_events", THUD_OPTION_INT, OFFSET(most_events), 1000, 0, 1000000, false, NULL, "1",
     "rows of the table of events"},
};

static const thud_option_table page_table = {.name = "page",
                                             .struct_size = sizeof(thud_page_options),
                                             .keys = page_keys,
                                             .count = sizeof page_keys / sizeof *page_keys};

const thud_option_table *thud_page_option_table(void) { return &page_table; }

/* Title of the first record, or the name of its file. */
static thud_error choose_title(thud_context *context, const char *path, const char *title, char **chosen) {
  thud_record_reader *reader = NULL;
  if (title == NULL) {
    thud_error error = thud_record_open(context, path, &reader);
    if (error != THUD_OK) return error;
    title = thud_record_reader_info(reader).title;
  }
  const char *slash = strrchr(path, '/');
  *chosen = thud_strdup(context, title[0] != '\0' ? title : slash != NULL ? slash + 1 : path);
  thud_record_reader_destroy(reader);
  return *chosen != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

static void write_blocks(page_build *page) {
  thud_json_key(&page->json, "blocks");
  thud_json_begin_array(&page->json);
  for (size_t k = 0; k < page->blocks.count; k++) {
    thud_json_begin_object(&page->json);
    thud_json_integer_field(&page->json, "bytes", (int64_t)page->blocks.items[k].bytes);
    thud_json_end_object(&page->json);
  }
  thud_json_end_array(&page->json);
}

static thud_error fill(page_build *page, size_t count, const char *const *records, const char *title) {
  thud_json *json = &page->json;
  thud_json_begin_object(json);
  thud_json_string_field(json, "format", "thud-page");
  thud_json_integer_field(json, "version", 1);
  thud_json_string_field(json, "thud_version", thud_version());
  thud_json_string_field(json, "title", title);
  thud_json_key(json, "records");
  thud_json_begin_array(json);
  thud_scene *const *scenes = page->options.scenes;
  for (size_t k = 0; k < count && thud_page_state(page) == THUD_OK; k++)
    thud_page_write_record(page, records[k], scenes != NULL ? scenes[k] : NULL);
  thud_json_end_array(json);
  write_blocks(page);
  thud_json_end_object(json);
  return thud_page_state(page);
}

/* Where the page cannot go, the records need not be read. */
static thud_error check_path(const page_build *page, const char *path) {
  thud_output output;
  thud_error error = thud_output_begin(page->context, path, page->options.overwrite, &output);
  if (error == THUD_OK) thud_output_cancel(page->context, &output);
  return error;
}

thud_error thud_page_write(thud_context *context, size_t record_count, const char *const *records, const char *title,
                           const thud_page_options *options, const char *path) {
  THUD_REQUIRE(context, context, records, path);
  if (record_count < 1 || record_count > THUD_PAGE_RECORDS)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "a page shows 1 to %d records, not %zu", THUD_PAGE_RECORDS,
                     record_count);
  for (size_t k = 0; k < record_count; k++)
    if (records[k] == NULL) return thud_fail(context, THUD_ERROR_ARGUMENT, "record %zu has no name", k);
  page_build page = {.context = context, .blocks = thud_page_blocks_new(context), .text = thud_text_new(context)};
  page.json = thud_json_new(&page.text);
  char *chosen = NULL;
  uint64_t failures = thud_context_failures(context);
  thud_error error = thud_options_take(context, &page_table, options, &page.options);
  if (error == THUD_OK) error = check_path(&page, path);
  if (error == THUD_OK) error = choose_title(context, records[0], title, &chosen);
  if (error == THUD_OK) error = fill(&page, record_count, records, chosen);
  if (error == THUD_OK) error = thud_page_write_html(&page, chosen, path);
  thud_free(context, chosen);
  thud_text_free(&page.text);
  thud_page_blocks_free(&page.blocks);
  return thud_context_settle(context, failures, error);
}
