#include "run/layout.h"
#include "base/base.h"
#include "record/cells.h"

#include <string.h>

/* What a channel with a role has to be, so that the driver can use it. */
typedef struct role_rule {
  thud_record_table table;
  const char *role, *needs;
  bool (*holds)(const thud_record_channel *channel);
} role_rule;

static bool is_one_number(const thud_record_channel *channel) { return channel->width == 1; }
static bool is_text(const thud_record_channel *channel) { return channel->type == THUD_RECORD_TEXT; }
static bool is_numbers(const thud_record_channel *channel) { return channel->type != THUD_RECORD_TEXT; }
static bool is_named(const thud_record_channel *channel) { return channel->width > 0 && channel->components != NULL; }

static const role_rule rules[] = {
    {THUD_RECORD_FRAMES, "ledger", "the role 'ledger' needs a fixed width and names of its components", is_named},
    {THUD_RECORD_FRAMES, "end", "the role 'end' needs the width 1", is_one_number},
    {THUD_RECORD_FRAMES, "accumulation", "the role 'accumulation' needs the width 1", is_one_number},
    {THUD_RECORD_EVENTS, "constraints", "the role 'constraints' needs numbers, with labels as their names", is_numbers},
    {THUD_RECORD_EVENTS, "impulse", "the role 'impulse' needs numbers", is_numbers},
    {THUD_RECORD_EVENTS, "note", "the role 'note' needs the type text", is_text},
};

typedef struct layout_check {
  thud_context *context;
  const thud_kind *kind;
  const thud_record_layout *layout;
} layout_check;

static thud_error refuse(const layout_check *check, thud_record_table table, size_t k, const char *why) {
  return thud_fail(check->context, THUD_ERROR_ARGUMENT, "kind '%s': %s, channel '%s': %s", check->kind->name,
                   thud_record_table_name(table), check->layout->channels[table][k].name, why);
}

static thud_error check_roles(const layout_check *check, thud_record_table table, size_t k) {
  const thud_record_channel *channel = &check->layout->channels[table][k];
  for (size_t r = 0; channel->role != NULL && r < sizeof rules / sizeof *rules; r++)
    if (rules[r].table == table && strcmp(rules[r].role, channel->role) == 0 && !rules[r].holds(channel))
      return refuse(check, table, k, rules[r].needs);
  return THUD_OK;
}

static thud_error check_time(const layout_check *check, thud_record_table table) {
  const thud_record_channel *first = check->layout->channels[table];
  if (check->layout->count[table] == 0 || (first->width == 1 && first->type == THUD_RECORD_REAL)) return THUD_OK;
  return refuse(check, table, 0, "the first channel is the time: one real number");
}

static thud_error check_frames(const layout_check *check) {
  const thud_record_channel *channels = check->layout->channels[THUD_RECORD_FRAMES];
  for (size_t k = 0; k < check->layout->count[THUD_RECORD_FRAMES]; k++)
    if (channels[k].state && channels[k].width == 0 && channels[k].look != THUD_LOOK_SERIES)
      return refuse(check, THUD_RECORD_FRAMES, k, "a part of the state has a fixed width, or is a series");
  return THUD_OK;
}

static thud_error check_events(const layout_check *check) {
  size_t count = check->layout->count[THUD_RECORD_EVENTS];
  const thud_record_channel *channels = check->layout->channels[THUD_RECORD_EVENTS];
  if (count == 0) return THUD_OK;
  if (count == 1) return refuse(check, THUD_RECORD_EVENTS, 0, "events need a second channel, their kind");
  if (channels[1].width != 1 && channels[1].type != THUD_RECORD_TEXT)
    return refuse(check, THUD_RECORD_EVENTS, 1, "the second channel is the kind: one number, or a text");
  for (size_t k = 0; k < count; k++)
    if (strcmp(channels[k].name, "frame") == 0)
      return refuse(check, THUD_RECORD_EVENTS, k, "the driver adds a channel of this name; use another one");
  return THUD_OK;
}

thud_error thud_run_check_layout(thud_context *context, const thud_kind *kind, const thud_record_layout *layout) {
  const layout_check check = {.context = context, .kind = kind, .layout = layout};
  if (layout == NULL) return thud_fail(context, THUD_ERROR_ARGUMENT, "kind '%s': it has no layout", kind->name);
  thud_error error = thud_record_check_layout(context, layout);
  if (error != THUD_OK) return thud_fail_within(context, error, "kind '%s'", kind->name);
  error = check_frames(&check);
  if (error == THUD_OK) error = check_events(&check);
  for (int t = THUD_RECORD_FRAMES; t <= THUD_RECORD_EVENTS && error == THUD_OK; t++) {
    error = check_time(&check, (thud_record_table)t);
    for (size_t k = 0; k < layout->count[t] && error == THUD_OK; k++)
      error = check_roles(&check, (thud_record_table)t, k);
  }
  return error;
}
