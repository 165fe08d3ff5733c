/* The summary of a record beside its tables: numbers, texts, lists, and classes by refinement. */
#include "verify/verify_summary.h"

#include <math.h>
#include <string.h>

bool thud_verify_note_find(const thud_node *map, const char *key, double *value) {
  const thud_node *node = map != NULL && thud_node_get_kind(map) == THUD_NODE_MAP ? thud_node_find(map, key) : NULL;
  if (node == NULL || thud_node_get_kind(node) != THUD_NODE_NUMBER) return false;
  *value = thud_node_number(node);
  return true;
}

void thud_verify_note_number(const thud_node *map, const char *key, double expected, double tolerance, double t,
                             size_t k, thud_verify_check *check) {
  double found;
  if (!thud_verify_note_find(map, key, &found)) {
    thud_verify_fail(check, t, k, "there is no number '%s'", key);
    return;
  }
  if (thud_verify_tally(check, fabs(found - expected), tolerance, 0, t, k) && check->status == THUD_VERIFY_FAILED)
    thud_verify_explain(check, "'%s' is %.17g, %.17g in the frames", key, found, expected);
}

void thud_verify_note_numbers(const thud_node *map, size_t count, const char *const *keys, const double *values,
                              double t, size_t k, thud_verify_check *check) {
  for (size_t i = 0; i < count; i++) thud_verify_note_number(map, keys[i], values[i], 0, t, k, check);
}

static void compare_text(const thud_node *map, const char *key, const char *expected, thud_verify_check *check) {
  const thud_node *node = thud_node_find(map, key);
  if (node == NULL || thud_node_get_kind(node) != THUD_NODE_STRING || strcmp(thud_node_string(node), expected) != 0)
    thud_verify_fail(check, NAN, SIZE_MAX, "'%s' is not '%s', as elsewhere in the record", key, expected);
}

bool thud_verify_note_missing(const thud_node *map, const char *key) { return thud_node_find(map, key) == NULL; }

void thud_verify_summary_keys(const thud_node *summary, size_t count, const char *const *figures,
                              thud_verify_check *check) {
  /* Of every run; `path` is that of a branch, `samples` are what the caller has asked for. */
  static const char *const common[] = {"verdict", "reason",   "title",        "method",       "time",   "path",
                                       "state",   "events",   "ledger",       "events_total", "record", "frames",
                                       "samples", "warnings", "samples_left", "until"};
  for (size_t k = 0; k < thud_node_count(summary); k++) {
    const char *key = thud_node_key(summary, k);
    bool known = false;
    for (size_t i = 0; i < sizeof common / sizeof *common; i++) known = known || strcmp(key, common[i]) == 0;
    for (size_t i = 0; i < count; i++) known = known || strcmp(key, figures[i]) == 0;
    if (!known) thud_verify_fail(check, NAN, SIZE_MAX, "the summary has '%s', which means nothing here", key);
  }
}

thud_error thud_verify_summary_open(thud_context *context, thud_record_reader *reader, thud_verify_check *check,
                                    thud_tree **tree) {
  const thud_record_info found = thud_record_reader_info(reader), *info = &found;
  *tree = NULL;
  if (info->summary[0] == '\0') {
    thud_verify_skip(check, THUD_VERIFY_NOT_APPLICABLE, "the record has no summary");
    return THUD_OK;
  }
  thud_error error = thud_tree_read_text(context, "summary", info->summary, strlen(info->summary), tree);
  if (error == THUD_ERROR_MEMORY) return error;
  const thud_node *map = error == THUD_OK ? thud_tree_root(*tree) : NULL;
  if (map == NULL || thud_node_get_kind(map) != THUD_NODE_MAP) {
    thud_verify_fail(check, NAN, SIZE_MAX, "the summary cannot be read: %s", thud_context_last_message(context));
    thud_tree_destroy(*tree);
    *tree = NULL;
    return THUD_OK;
  }
  compare_text(map, "verdict", info->verdict, check);
  compare_text(map, "reason", info->reason, check);
  compare_text(map, "title", info->title, check);
  compare_text(map, "method", info->method, check);
  thud_verify_note_number(map, "frames", (double)info->rows[THUD_RECORD_FRAMES], 0, NAN, SIZE_MAX, check);
  thud_verify_note_number(map, "events_total", (double)info->rows[THUD_RECORD_EVENTS], 0, NAN, SIZE_MAX, check);
  error = thud_verify_summary_rows(reader, map, check);
  if (error != THUD_OK) {
    thud_tree_destroy(*tree);
    *tree = NULL;
  }
  return error;
}

bool thud_verify_note_warns(const thud_node *summary, const char *code) {
  const thud_node *list = thud_node_find(summary, "warnings");
  for (size_t k = 0; list != NULL && k < thud_node_count(list); k++) {
    const thud_node *found = thud_node_find(thud_node_item(list, k), "code");
    bool named = found != NULL && thud_node_get_kind(found) == THUD_NODE_STRING;
    if (named && strcmp(thud_node_string(found), code) == 0) return true;
  }
  return false;
}

/* ---- the lists of a summary, its first events and its warnings, against the tables of the record ----------------- */

/* The lists of a summary, its first events and its warnings, against the tables of the record: the same rows, number by
 * number. */

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

/* ---- the class of a motion by the levels of its summary ---------------------------------------------------------- */

/* The class of a motion by the levels of its summary: the checker's own fit. */

/* Below this part of the variation a figure is rounding. Exponents: of what tends to 0, of what does not, of growth. */
static const double NOTHING = 1e-8, FALLS = 0.2, STAYS = 0.3, GROWS = 0.1, SINGLE = 0.25;
enum { MOST = 32 };

typedef struct level {
  double steps, variation, largest, distance;
} level;

typedef struct exponent {
  double p, error;
} exponent;

static level level_of(const thud_node *list, size_t k) {
  level found = {NAN, NAN, NAN, NAN};
  const thud_node *row = thud_node_item(list, k);
  thud_verify_note_find(row, "steps", &found.steps);
  thud_verify_note_find(row, "variation", &found.variation);
  thud_verify_note_find(row, "largest_move", &found.largest);
  thud_verify_note_find(row, "distance", &found.distance);
  return found;
}

/* figure ~ 2^(-p k) by the normal equations of log2 = a - p k, from the last figure that is rounding on. */
static exponent fit(size_t count, const double *figures, double nothing) {
  double n = 0, sk = 0, skk = 0, sy = 0, sky = 0, syy = 0;
  if (figures[count - 1] <= nothing) return (exponent){INFINITY, 0};
  size_t first = 0;
  for (size_t k = 0; k < count; k++)
    if (!(figures[k] > nothing)) first = k + 1;
  for (size_t k = first; k < count; k++, n++) {
    double x = (double)(k - first), y = log2(figures[k]);
    sk += x, skk += x * x, sy += y, sky += x * y, syy += y * y;
  }
  double determinant = n * skk - sk * sk;
  if (!(n >= 2)) return (exponent){NAN, NAN};
  double slope = (n * sky - sk * sy) / determinant, start = (sy - slope * sk) / n, left = 0;
  for (size_t k = first; k < count; k++) {
    double rest = log2(figures[k]) - start - slope * (double)(k - first);
    left += rest * rest;
  }
  return (exponent){-slope, n > 2 ? sqrt(left / (n - 2) * n / determinant) : SINGLE};
}

static int tends_to_zero(exponent e) { return e.p - e.error > FALLS ? 1 : e.p + e.error < STAYS ? -1 : 0; }

/* 1: without bound, -1: bounded, 0: not decided. */
static int growth_of(size_t count, const level *rows, exponent *growth) {
  double steps[MOST] = {0}, nothing = NOTHING * rows[count - 1].variation;
  bool down = false;
  for (size_t k = 0; k + 1 < count; k++) {
    double step = rows[k + 1].variation - rows[k].variation;
    down = down || step < -nothing;
    steps[k] = fabs(step);
  }
  exponent decay = fit(count - 1, steps, nothing);
  *growth = (exponent){-decay.p, decay.error};
  bool falls = steps[count - 2] < steps[count - 3] || steps[count - 2] <= nothing;
  if (decay.p - decay.error > GROWS) return falls ? -1 : 0;
  return -decay.p - decay.error > GROWS && !down && steps[count - 2] > steps[count - 3] ? 1 : 0;
}

static const char *class_of(size_t count, const level *rows, double nothing, exponent *growth) {
  double figures[MOST] = {0};
  for (size_t k = 1; k < count; k++) figures[k - 1] = rows[k].distance;
  int approach = tends_to_zero(fit(count - 1, figures, nothing)), grows = growth_of(count, rows, growth);
  for (size_t k = 0; k < count; k++) figures[k] = rows[k].largest;
  int smooth = tends_to_zero(fit(count, figures, NOTHING * rows[count - 1].variation));
  if (approach < 0) return "no uniform limit";
  if (approach == 0 || grows == 0) return "undecided";
  if (grows > 0) return "weak only";
  return smooth > 0 ? "strong" : smooth < 0 ? "bounded variation" : "undecided";
}

/* Every level has twice the steps of the one before, or about: jumps of the data add some. */
static bool is_halved(size_t count, const level *rows) {
  for (size_t k = 1; k < count; k++)
    if (!(rows[k].steps > 1.5 * rows[k - 1].steps && rows[k].steps <= 2 * rows[k - 1].steps)) return false;
  return true;
}

bool thud_verify_limit(const thud_node *map, const char *key, double levels, double nothing, thud_verify_check *check) {
  const thud_node *list = thud_node_find(map, key), *class = thud_node_find(map, "class");
  level rows[MOST];
  if (levels == 0 || list == NULL) {
    if (list != NULL || class != NULL) thud_verify_fail(check, NAN, SIZE_MAX, "a judgement that nobody asked for");
    thud_verify_skip(check, THUD_VERIFY_NOT_APPLICABLE, "no judgement");
    return false;
  }
  if (thud_node_get_kind(list) != THUD_NODE_SEQUENCE || (double)thud_node_count(list) != levels || levels < 3 ||
      levels > MOST) {
    thud_verify_fail(check, NAN, SIZE_MAX, "'%s' does not have %g levels", key, levels);
    return false;
  }
  size_t count = (size_t)levels;
  for (size_t k = 0; k < count; k++) rows[k] = level_of(list, k);
  const char *given =
      class != NULL && thud_node_get_kind(class) == THUD_NODE_STRING ? thud_node_string(class) : "not there";
  bool complete = true;
  for (size_t k = 0; k < count; k++) complete = complete && isfinite(rows[k].variation);
  if (!complete && strcmp(given, "undecided") == 0) return false; /* a run did not complete */
  exponent growth;
  const char *expected = class_of(count, rows, nothing, &growth);
  if (!is_halved(count, rows)) thud_verify_fail(check, NAN, SIZE_MAX, "'%s' does not halve the steps", key);
  if (strcmp(given, expected) != 0)
    thud_verify_fail(check, NAN, SIZE_MAX, "'class' is %s, the levels show '%s'", given, expected);
  if (isfinite(growth.p))
    thud_verify_note_number(map, "growth", growth.p, 1e-9 * (1 + fabs(growth.p)), NAN, SIZE_MAX, check);
  return true;
}
