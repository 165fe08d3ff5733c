/* The lists of a summary, its first events and its warnings, against the tables of the record: the same rows, number by
 * number. */
#include "verify/verify_notes.h"

#include <math.h>
#include <string.h>

/* One row of a table beside its entry of a list. */
typedef struct listed_row {
  thud_record_reader *reader;
  thud_record_table table;
  size_t row;
  const thud_node *entry; /* a map */
  thud_verify_check *check;
} listed_row;

static void fail(const listed_row *r, const char *name) {
  thud_verify_fail(r->check, NAN, SIZE_MAX, "'%s' of entry %zu of the %s in the summary is not that of the table", name,
                   r->row, thud_record_table_name(r->table));
}

static bool is_text(const thud_node *node, const char *text, size_t length) {
  return thud_node_get_kind(node) == THUD_NODE_STRING && strlen(thud_node_string(node)) == length &&
         strncmp(thud_node_string(node), text, length) == 0;
}

/* One value as it is written: a label, a flag, a number, or null where it is none. */
static bool is_value(const thud_node *node, const thud_record_channel *channel, double value) {
  const char *label = value >= 0 && value < (double)channel->label_count ? channel->labels[(size_t)value] : NULL;
  switch (thud_node_get_kind(node)) {
  case THUD_NODE_NULL: return channel->label_count > 0 ? label == NULL : !isfinite(value);
  case THUD_NODE_BOOL: return label != NULL && strcmp(label, thud_node_bool(node) ? "true" : "false") == 0;
  case THUD_NODE_STRING: return label != NULL && strcmp(label, thud_node_string(node)) == 0;
  case THUD_NODE_NUMBER: return channel->label_count == 0 && thud_node_number(node) == value;
  case THUD_NODE_SEQUENCE:
  case THUD_NODE_MAP: break;
  }
  return false;
}

/* The values of a cell in their order, whatever lists and maps they are written in; *next: the first one that is left.
 */
static bool has_values(const thud_node *node, const thud_record_channel *channel, const thud_record_cell *cell,
                       size_t *next) {
  thud_node_kind kind = thud_node_get_kind(node);
  if (kind != THUD_NODE_MAP && kind != THUD_NODE_SEQUENCE)
    return *next < cell->count && is_value(node, channel, cell->values[(*next)++]);
  for (size_t k = 0; k < thud_node_count(node); k++) {
    bool named = kind == THUD_NODE_MAP && channel->width > 0 && channel->components != NULL;
    if (named && (k >= channel->width || strcmp(thud_node_key(node, k), channel->components[k]) != 0)) return false;
    if (!has_values(thud_node_item(node, k), channel, cell, next)) return false;
  }
  return true;
}

/* What a list leaves out: numbers of rows and of functions, ledgers, and what does not apply to the row. */
static bool may_be_left_out(const thud_record_channel *channel, const thud_record_cell *cell) {
  static const char *const roles[] = {"index", "ledger", "frame"};
  for (size_t k = 0; k < sizeof roles / sizeof *roles; k++)
    if (strcmp(channel->role, roles[k]) == 0) return true;
  if (strncmp(channel->role, "posed_", 6) == 0 || cell->count == 0) return true;
  if (!channel->optional || channel->type == THUD_RECORD_TEXT || channel->width == 0) return false;
  return channel->label_count > 0 ? cell->values[0] < 0 : isnan(cell->values[0]);
}

static thud_error compare_channel(const listed_row *r, size_t index) {
  const thud_record_channel *channel = thud_record_reader_channel(r->reader, r->table, index);
  const thud_node *node = thud_node_find(r->entry, channel->name);
  thud_record_cell cell;
  size_t next = 0;
  thud_error error = thud_record_read_cell(r->reader, r->table, index, r->row, &cell);
  if (error != THUD_OK) return error;
  if (node == NULL) {
    if (!may_be_left_out(channel, &cell)) fail(r, channel->name);
    return THUD_OK;
  }
  bool same = channel->type == THUD_RECORD_TEXT ? is_text(node, cell.text, cell.count)
                                                : has_values(node, channel, &cell, &next) && next == cell.count;
  if (!same) fail(r, channel->name);
  return THUD_OK;
}

/* An entry has nothing that is no channel. */
static void check_keys(const listed_row *r) {
  size_t channel;
  for (size_t k = 0; k < thud_node_count(r->entry); k++)
    if (thud_record_find_channel(r->reader, r->table, thud_node_key(r->entry, k), &channel) != THUD_OK)
      fail(r, thud_node_key(r->entry, k));
}

/* Forks of a branch stand in the table for the checker; the summary has them as its path. */
static thud_error is_fork(thud_record_reader *reader, thud_record_table table, size_t row, bool *fork) {
  thud_record_note note = {.kind = ""};
  thud_error error = table == THUD_RECORD_WARNINGS ? thud_record_read_note(reader, table, row, &note) : THUD_OK;
  *fork = error == THUD_OK && strcmp(note.kind, "fork") == 0;
  return error;
}

static thud_error compare_entry(const listed_row *r) {
  thud_error error = THUD_OK;
  if (thud_node_get_kind(r->entry) != THUD_NODE_MAP) {
    fail(r, "all");
    return THUD_OK;
  }
  check_keys(r);
  size_t count = thud_record_reader_info(r->reader).channel_count[r->table];
  for (size_t k = 0; k < count && error == THUD_OK; k++) error = compare_channel(r, k);
  return error;
}

/* all: the list has every row, otherwise the first ones. */
static thud_error compare_list(thud_record_reader *reader, thud_record_table table, const thud_node *list, bool all,
                               thud_verify_check *check) {
  size_t rows = thud_record_reader_info(reader).rows[table], next = 0, wanted = 0;
  bool sound = list != NULL && thud_node_get_kind(list) == THUD_NODE_SEQUENCE;
  size_t count = sound ? thud_node_count(list) : 0;
  for (size_t row = 0; row < rows; row++) {
    bool fork;
    thud_error error = is_fork(reader, table, row, &fork);
    wanted += !fork;
    if (error == THUD_OK && !fork && next < count) {
      listed_row r = {
          .reader = reader, .table = table, .row = row, .entry = thud_node_item(list, next++), .check = check};
      error = compare_entry(&r);
    }
    if (error != THUD_OK) return error;
  }
  if (!sound || next < count || (all && count < wanted))
    thud_verify_fail(check, NAN, SIZE_MAX, "the record has %zu %s, the summary lists %zu", wanted,
                     thud_record_table_name(table), count);
  return THUD_OK;
}

thud_error thud_verify_summary_rows(thud_record_reader *reader, const thud_node *summary, thud_verify_check *check) {
  thud_error error = compare_list(reader, THUD_RECORD_EVENTS, thud_node_find(summary, "events"), false, check);
  if (error != THUD_OK) return error;
  return compare_list(reader, THUD_RECORD_WARNINGS, thud_node_find(summary, "warnings"), true, check);
}
