/* Which channels a record can have. */
#include "base/base.h"
#include "record/cells.h"
#include "record/record_names.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

const char *thud_record_table_name(thud_record_table table) {
  static const char *const names[THUD_RECORD_TABLES] = {"frames", "events", "warnings"};
  return table >= THUD_RECORD_FRAMES && table < THUD_RECORD_TABLES ? names[table] : NULL;
}

static const char *const looks[] = {"line", "hold", "density", "impulse", "series", "point"};
enum { LOOKS = sizeof looks / sizeof *looks };

const char *thud_record_look_name(thud_record_look look) {
  return (int)look >= 0 && (int)look < LOOKS ? looks[look] : NULL;
}

bool thud_record_look_of(const char *name, thud_record_look *look) {
  for (int k = 0; k < LOOKS; k++)
    if (strcmp(looks[k], name) == 0) {
      *look = (thud_record_look)k;
      return true;
    }
  return false;
}

void thud_record_part(thud_record_table table, const char *part, const char *name, const char *rest, char *text) {
  snprintf(text, THUD_RECORD_PART_LENGTH, "%s/%s/%s%s", thud_record_table_name(table), part, name, rest);
}

size_t thud_record_component_count(const thud_record_channel *channel) {
  if (channel->width > 0) return channel->width;
  return channel->group > 0 ? channel->group : 1;
}

size_t thud_record_stored_group(const thud_record_channel *channel) {
  if (channel->width > 0) return 0;
  return channel->group > 0 ? channel->group : 1;
}

static const char *or_empty(const char *text) { return text != NULL ? text : ""; }

thud_error thud_record_check_length(thud_context *context, const char *what, const char *text, size_t limit) {
  if (strlen(or_empty(text)) <= limit) return THUD_OK;
  return thud_fail(context, THUD_ERROR_OVERFLOW, "record: %s has %zu bytes, at most %zu are possible: '%.40s...'", what,
                   strlen(text), limit, text);
}

static bool is_channel_name(const char *name) {
  if (name == NULL || name[0] == '\0' || name[0] == '.') return false;
  for (const unsigned char *c = (const unsigned char *)name; *c != '\0'; c++)
    if (!isalnum(*c) && *c < 0x80 && strchr("_-+'.", *c) == NULL) return false;
  return true;
}

/* The channels of one table, for the checks of one of them. */
typedef struct layout_check {
  thud_context *context;
  const char *table;
  size_t count;
  const thud_record_channel *channels;
} layout_check;

static thud_error refuse(const layout_check *check, const thud_record_channel *channel, const char *why) {
  return thud_fail(check->context, THUD_ERROR_ARGUMENT, "record: %s, channel '%s': %s", check->table, channel->name,
                   why);
}

static thud_error check_name(const layout_check *check, size_t k) {
  const thud_record_channel *channel = &check->channels[k];
  if (!is_channel_name(channel->name))
    return thud_fail(check->context, THUD_ERROR_ARGUMENT,
                     "record: %s, channel %zu: '%s' is not a channel name; use letters, digits and _ - + ' .",
                     check->table, k, or_empty(channel->name));
  for (size_t j = 0; j < k; j++)
    if (strcmp(check->channels[j].name, channel->name) == 0)
      return thud_fail(check->context, THUD_ERROR_ARGUMENT, "record: %s: channels %zu and %zu are both called '%s'",
                       check->table, j, k, channel->name);
  return thud_record_check_length(check->context, "the name of a channel", channel->name, THUD_RECORD_NAME_LENGTH);
}

static thud_error check_shape(const layout_check *check, const thud_record_channel *channel) {
  bool ragged = channel->width == 0;
  if (channel->type < THUD_RECORD_REAL || channel->type > THUD_RECORD_TEXT)
    return refuse(check, channel, "its type is unknown");
  if (thud_record_look_name(channel->look) == NULL) return refuse(check, channel, "its look is unknown");
  if (channel->type == THUD_RECORD_TEXT && (!ragged || channel->group > 1))
    return refuse(check, channel, "texts have width 0 and no groups");
  if (!ragged && (channel->group != 0 || channel->at != NULL))
    return refuse(check, channel, "only ragged channels (width 0) have groups and 'at'");
  if (channel->group > INT32_MAX) return refuse(check, channel, "its groups are too large");
  if (channel->look == THUD_LOOK_SERIES && (!ragged || channel->type != THUD_RECORD_REAL))
    return refuse(check, channel, "a series is ragged (width 0) and real");
  return THUD_OK;
}

static thud_error check_names_of_values(const layout_check *check, const thud_record_channel *channel) {
  size_t count = thud_record_component_count(channel);
  for (size_t c = 0; channel->components != NULL && c < count; c++) {
    if (channel->components[c] == NULL) return refuse(check, channel, "a component has no name");
    thud_error error = thud_record_check_length(check->context, "the name of a component", channel->components[c],
                                                THUD_RECORD_NAME_LENGTH);
    if (error != THUD_OK) return error;
  }
  if (channel->label_count == 0) return THUD_OK;
  if (channel->type != THUD_RECORD_SMALL && channel->type != THUD_RECORD_INTEGER)
    return refuse(check, channel, "only whole numbers have labels");
  for (size_t k = 0; k < channel->label_count; k++)
    if (channel->labels == NULL || channel->labels[k] == NULL) return refuse(check, channel, "a label is missing");
  return THUD_OK;
}

/* The channel that `left`, `atom` or `at` names; NULL: none is named. */
static thud_error find_other(const layout_check *check, const thud_record_channel *channel, const char *name,
                             const thud_record_channel **other) {
  *other = NULL;
  for (size_t k = 0; name != NULL && k < check->count && *other == NULL; k++)
    if (strcmp(or_empty(check->channels[k].name), name) == 0) *other = &check->channels[k];
  if (name == NULL || (*other != NULL && *other != channel)) return THUD_OK;
  return thud_fail(check->context, THUD_ERROR_ARGUMENT,
                   "record: %s, channel '%s': it refers to '%s', which is no other channel of this table", check->table,
                   channel->name, name);
}

static thud_error check_references(const layout_check *check, const thud_record_channel *channel) {
  const thud_record_channel *left, *atom, *at;
  thud_error error = find_other(check, channel, channel->left, &left);
  if (error == THUD_OK) error = find_other(check, channel, channel->atom, &atom);
  if (error == THUD_OK) error = find_other(check, channel, channel->at, &at);
  if (error != THUD_OK) return error;
  size_t width = channel->look == THUD_LOOK_SERIES ? channel->group + (channel->group == 0) : channel->width;
  if (left != NULL && left->width != width)
    return refuse(check, channel, "its 'left' channel needs as many components as it has");
  if (atom != NULL && atom->width == 0) return refuse(check, channel, "its 'atom' channel needs a fixed width");
  if (at != NULL && (at->width != 0 || at->type == THUD_RECORD_TEXT || at->group > 1))
    return refuse(check, channel, "its 'at' channel must be a ragged one of whole numbers");
  return THUD_OK;
}

static thud_error check_channel(const layout_check *check, size_t k) {
  const thud_record_channel *channel = &check->channels[k];
  thud_context *context = check->context;
  thud_error error = check_name(check, k);
  if (error == THUD_OK) error = check_shape(check, channel);
  if (error == THUD_OK) error = check_names_of_values(check, channel);
  if (error == THUD_OK) error = check_references(check, channel);
  if (error == THUD_OK) error = thud_record_check_length(context, "a unit", channel->unit, THUD_RECORD_NAME_LENGTH);
  if (error == THUD_OK) error = thud_record_check_length(context, "a role", channel->role, THUD_RECORD_NAME_LENGTH);
  if (error == THUD_OK)
    error = thud_record_check_length(context, "a description", channel->description, THUD_RECORD_TITLE_LENGTH);
  return error;
}

thud_error thud_record_check_layout(thud_context *context, const thud_record_layout *layout) {
  if (layout == NULL || layout->count[THUD_RECORD_FRAMES] == 0)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "record: frames need at least one channel");
  thud_error error = THUD_OK;
  for (int t = THUD_RECORD_FRAMES; t <= THUD_RECORD_EVENTS; t++) {
    layout_check check = {.context = context,
                          .table = thud_record_table_name((thud_record_table)t),
                          .count = layout->count[t],
                          .channels = layout->channels[t]};
    if (check.count > 0 && check.channels == NULL)
      return thud_fail(context, THUD_ERROR_ARGUMENT, "record: the channels of the %s are missing", check.table);
    for (size_t k = 0; k < check.count && error == THUD_OK; k++) error = check_channel(&check, k);
  }
  return error;
}
