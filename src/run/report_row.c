/* Rows of tables as JSON and as lines, by the descriptions of their channels alone. */
#include "run/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool is(const char *a, const char *b) { return a != NULL && strcmp(a, b) == 0; }

size_t thud_report_find_name(size_t count, const thud_record_channel *channels, const char *name) {
  for (size_t k = 0; k < count; k++)
    if (is(channels[k].name, name)) return k;
  return SIZE_MAX;
}

size_t thud_report_find_role(size_t count, const thud_record_channel *channels, const char *role) {
  for (size_t k = 0; k < count; k++)
    if (is(channels[k].role, role)) return k;
  return SIZE_MAX;
}

static const char *label_of(const thud_record_channel *channel, double value) {
  bool known = value >= 0 && value < (double)channel->label_count;
  return known ? channel->labels[(size_t)value] : NULL;
}

/* The label of a value, or the value itself where there is none; the text is good until the next call with it. */
static const char *name_of(const thud_record_channel *channel, double value, char number[THUD_DOUBLE_CAPACITY]) {
  const char *label = label_of(channel, value);
  snprintf(number, THUD_DOUBLE_CAPACITY, "%.6g", value);
  return label != NULL ? label : number;
}

/* Two labels, false and true: a flag. */
static bool is_flag(const thud_record_channel *channel) {
  return channel->label_count == 2 && strcmp(channel->labels[0], "false") == 0 &&
         strcmp(channel->labels[1], "true") == 0;
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

static void write_value(thud_json *json, const thud_record_channel *channel, double value) {
  if (is_flag(channel))
    thud_json_bool(json, value != 0);
  else if (channel->label_count > 0)
    thud_json_string(json, label_of(channel, value));
  else if (channel->type == THUD_RECORD_REAL || value != (double)(int64_t)value)
    thud_json_number(json, value);
  else
    thud_json_integer(json, (int64_t)value);
}

static void write_components(thud_json *json, const thud_record_channel *channel, const thud_record_cell *cell) {
  char name[THUD_RECORD_NAME_LENGTH + 24];
  thud_json_begin_object(json);
  for (size_t c = 0; c < cell->count; c++) {
    snprintf(name, sizeof name, "%s[%zu]", channel->name, c);
    thud_json_key(json, channel->components != NULL ? channel->components[c] : name);
    write_value(json, channel, cell->values[c]);
  }
  thud_json_end_object(json);
}

static void write_list(thud_json *json, const thud_record_channel *channel, const thud_record_cell *cell) {
  thud_json_begin_flat_array(json);
  for (size_t c = 0; c < cell->count; c++) write_value(json, channel, cell->values[c]);
  thud_json_end_array(json);
}

/* Length of the name that a component belongs to: "floor.t1" belongs to "floor". */
static size_t owner_length(const char *name) {
  const char *dot = strrchr(name, '.');
  bool slip = dot != NULL && dot[1] == 't' && dot[2] >= '1' && dot[2] <= '9';
  return slip ? (size_t)(dot - name) : strlen(name);
}

/* owner -> [values]: `group` values for each entry of the index, or those of all components with the same owner. */
static void write_owned(thud_json *json, const thud_record_channel *channel, const thud_record_cell *cell,
                        const thud_record_channel *index, const thud_record_cell *entries) {
  size_t group = channel->group > 0 ? channel->group : 1;
  char owner[256] = "";
  bool open = false;
  thud_json_begin_object(json);
  for (size_t k = 0; k < entries->count && (k + 1) * group <= cell->count; k++) {
    const char *name = label_of(index, entries->values[k]);
    size_t length = name == NULL ? 0 : group > 1 ? strlen(name) : owner_length(name);
    bool same = open && channel->group <= 1 && strlen(owner) == length && strncmp(owner, name, length) == 0;
    if (!same) {
      if (open) thud_json_end_array(json);
      if (length >= sizeof owner) length = sizeof owner - 1;
      memcpy(owner, name != NULL ? name : "", length);
      owner[length] = '\0';
      thud_json_key(json, owner);
      thud_json_begin_flat_array(json);
      open = true;
    }
    for (size_t i = 0; i < group; i++) write_value(json, channel, cell->values[k * group + i]);
  }
  if (open) thud_json_end_array(json);
  thud_json_end_object(json);
}

/* Columns that are no news to a reader of the result. */
static bool is_left_out(const thud_record_channel *channel, const thud_record_cell *cell) {
  bool of_functions = channel->role != NULL && strncmp(channel->role, "posed_", 6) == 0; /* for verification alone */
  if (of_functions || is(channel->role, "index") || is(channel->role, "ledger") || is(channel->role, "frame"))
    return true;
  if (!channel->optional) return false;
  if (channel->type == THUD_RECORD_TEXT || channel->width == 0) return cell->count == 0;
  return channel->label_count > 0 ? cell->values[0] < 0 : isnan(cell->values[0]);
}

void thud_report_json_row(thud_json *json, size_t count, const thud_record_channel *channels,
                          const thud_record_cell *cells) {
  for (size_t k = 0; k < count; k++) {
    const thud_record_channel *channel = &channels[k];
    const thud_record_cell *cell = &cells[k];
    if (is_left_out(channel, cell)) continue;
    size_t index = channel->at != NULL ? thud_report_find_name(count, channels, channel->at) : SIZE_MAX;
    thud_json_key(json, channel->name);
    if (channel->type == THUD_RECORD_TEXT)
      thud_json_string(json, cell->text);
    else if (index != SIZE_MAX)
      write_owned(json, channel, cell, &channels[index], &cells[index]);
    else if (channel->width == 1 && channel->components == NULL)
      write_value(json, channel, cell->values[0]);
    else if (channel->width >= 1)
      write_components(json, channel, cell);
    else
      write_list(json, channel, cell);
  }
}

/* ---- lines ------------------------------------------------------------------------------------------------------- */

/* What an event did to an entry of its list: its impulse, or how its mode changed. */
static void write_effect(thud_text *text, size_t count, const thud_record_channel *channels,
                         const thud_record_cell *cells, const char *name, bool impulses) {
  char entry[THUD_DOUBLE_CAPACITY], from[THUD_DOUBLE_CAPACITY], to[THUD_DOUBLE_CAPACITY];
  for (size_t k = 0; k < count; k++) {
    const thud_record_channel *channel = &channels[k];
    size_t index = channel->at != NULL ? thud_report_find_name(count, channels, channel->at) : SIZE_MAX;
    bool pair = channel->group == 2 && channel->label_count > 0;
    if (index == SIZE_MAX || pair == impulses || (!pair && !is(channel->role, "impulse"))) continue;
    size_t group = pair ? 2 : 1;
    for (size_t i = 0; i < cells[index].count && (i + 1) * group <= cells[k].count; i++) {
      if (strcmp(name_of(&channels[index], cells[index].values[i], entry), name) != 0) continue;
      const double *value = &cells[k].values[group * i];
      if (!pair)
        thud_text_print(text, " (impulse %.6g)", *value);
      else if (value[0] != value[1])
        thud_text_print(text, " (%s to %s)", name_of(channel, value[0], from), name_of(channel, value[1], to));
    }
  }
}

void thud_report_event_line(thud_text *text, size_t count, const thud_record_channel *channels,
                            const thud_record_cell *cells) {
  enum { SHOWN = 8 };
  const size_t t = 0, kind = 1; /* as thud/kind.h demands */
  char number[THUD_DOUBLE_CAPACITY];
  size_t list = thud_report_find_role(count, channels, "constraints"),
         note = thud_report_find_role(count, channels, "note");
  size_t impulse = thud_report_find_role(count, channels, "impulse");
  bool impulses = impulse != SIZE_MAX && cells[impulse].count > 0;
  if (count < 2) return;
  bool text_kind = channels[kind].type == THUD_RECORD_TEXT;
  thud_text_print(text, "    %-18.13g %-7s ", cells[t].values[0],
                  !text_kind                 ? name_of(&channels[kind], cells[kind].values[0], number)
                  : cells[kind].text != NULL ? cells[kind].text
                                             : "");
  size_t names = list != SIZE_MAX ? cells[list].count : 0, shown = 0;
  for (size_t i = 0; i < names && shown < SHOWN; i++) {
    const char *name = name_of(&channels[list], cells[list].values[i], number);
    thud_text_print(text, "%s%s", shown++ > 0 ? ", " : "", name);
    write_effect(text, count, channels, cells, name, impulses);
  }
  size_t laws = thud_report_find_role(count, channels, "laws");
  for (size_t i = 0; laws != SIZE_MAX && i < cells[laws].count; i++, names++)
    if (shown < SHOWN)
      thud_text_print(text, "%s%s", shown++ > 0 ? ", " : "", name_of(&channels[laws], cells[laws].values[i], number));
  if (names > SHOWN) thud_text_print(text, " and %zu more", names - SHOWN);
  bool noted = note != SIZE_MAX && cells[note].count > 0;
  thud_text_print(text, "%s%s\n", noted && names > 0 ? " " : "", noted ? cells[note].text : "");
}
