/* Units of single components. A channel has a unit when all of its components have the same one; what those of a state
 * with angles beside lengths are is in the scene that the record holds: `units` of the coordinates, and of t. */
#include "base/base.h"
#include "record/record_names.h"
#include "record/reader.h"
#include "record/unit.h"
#include "thud/tree.h"

#include <stdio.h>
#include <string.h>

/* ---- units of the coordinates ---------------------------------------------------------------------------------------- */

static const char *text_of(const thud_node *node) {
  return node != NULL && thud_node_get_kind(node) == THUD_NODE_STRING ? thud_node_string(node) : "";
}

static thud_error keep_units(thud_record_reader *reader, const thud_node *units) {
  size_t count = units != NULL && thud_node_get_kind(units) == THUD_NODE_MAP ? thud_node_count(units) : 0;
  thud_named_unit *kept = thud_arena_alloc(reader->texts, count + 1, sizeof *kept);
  if (kept == NULL) return THUD_ERROR_MEMORY;
  thud_error error = THUD_OK;
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    error = thud_reader_keep(reader, thud_node_key(units, k), &kept[k].name);
    if (error == THUD_OK) error = thud_reader_keep(reader, text_of(thud_node_item(units, k)), &kept[k].unit);
  }
  if (error != THUD_OK) return error;
  reader->units = kept;
  reader->unit_count = count;
  return THUD_OK;
}

/* Read when they are first asked for: most records have one unit per channel, and scenes of bodies are long. A scene that
 * cannot be read has no units. */
static thud_error read_units(thud_record_reader *reader) {
  thud_tree *tree = NULL;
  if (reader->units_read) return THUD_OK;
  const char *text = reader->info.resolved;
  thud_error error = thud_tree_read_text(reader->context, "resolved scene", text, strlen(text), &tree);
  if (error == THUD_OK) error = keep_units(reader, thud_node_find(thud_tree_root(tree), "units"));
  thud_tree_destroy(tree);
  reader->units_read = error != THUD_ERROR_MEMORY;
  return error == THUD_ERROR_MEMORY ? error : THUD_OK;
}

/* Components have the order of the coordinates as a rule: place is looked at first. NULL: no coordinate has this name. */
static const char *unit_of(const thud_record_reader *reader, const char *name, size_t length, size_t place) {
  for (size_t k = 0; k < reader->unit_count; k++) {
    const thud_named_unit *unit = &reader->units[(place + k) % reader->unit_count];
    if (strlen(unit->name) == length && strncmp(unit->name, name, length) == 0) return unit->unit;
  }
  return NULL;
}

/* ---- units that follow from them ------------------------------------------------------------------------------------- */

static thud_error put_rate(thud_record_reader *reader, const char *of, const char **unit) {
  char text[RECORD_UNIT];
  const char *time = unit_of(reader, "t", 1, 0);
  if (of[0] == '\0' || time == NULL || time[0] == '\0') return THUD_OK;
  snprintf(text, sizeof text, "%.*s/%.*s", THUD_RECORD_NAME_LENGTH, of, THUD_RECORD_NAME_LENGTH, time);
  return thud_reader_keep(reader, text, unit);
}

/* Lengths in m, angles in rad, t in s: then energies are in J, as they are where all coordinates are lengths. */
static bool is_mechanical(const thud_record_reader *reader) {
  bool any = false;
  const char *time = unit_of(reader, "t", 1, 0);
  for (size_t k = 0; k < reader->unit_count; k++) {
    const thud_named_unit *unit = &reader->units[k];
    if (strcmp(unit->name, "t") == 0) continue;
    if (strcmp(unit->unit, "m") != 0 && strcmp(unit->unit, "rad") != 0) return false;
    any = any || strcmp(unit->unit, "m") == 0;
  }
  return any && time != NULL && strcmp(time, "s") == 0;
}

static bool is_one_of(const char *role, size_t count, const char *const *roles) {
  for (size_t k = 0; k < count; k++)
    if (strcmp(role, roles[k]) == 0) return true;
  return false;
}

/* x in a channel of coordinates has the unit of x, x' that per time wherever it is. */
static thud_error derive(thud_record_reader *reader, const thud_record_channel *channel, size_t component,
                         const char **unit) {
  static const char *const states[] = {"position", "position_series", "state", "before", "after"};
  const char *name = channel->components[component];
  size_t length = strlen(name);
  bool prime = length > 1 && name[length - 1] == '\'';
  bool state = is_one_of(channel->role, sizeof states / sizeof *states, states);
  bool energy = strcmp(channel->role, "ledger") == 0, force = strcmp(channel->role, "defect_bound") == 0;
  if (!prime && !state && !energy && !force) return THUD_OK;
  thud_error error = read_units(reader);
  if (error != THUD_OK) return error;
  const char *own = energy ? NULL : unit_of(reader, name, length - prime, component);
  if (energy) {
    *unit = is_mechanical(reader) ? "J" : "";
  } else if (own != NULL && force) {
    *unit = !is_mechanical(reader) ? "" : strcmp(own, "rad") == 0 ? "N m" : "N";
  } else if (own != NULL && prime) {
    error = put_rate(reader, own, unit);
  } else if (own != NULL) {
    *unit = own;
  }
  return error;
}

thud_error thud_record_component_unit(thud_record_reader *reader, thud_record_table table, size_t channel,
                                      size_t component, const char **unit) {
  THUD_REQUIRE_OF(reader, unit);
  const thud_record_channel *about = thud_record_reader_channel(reader, table, channel);
  if (about == NULL || component >= thud_record_component_count(about))
    return thud_fail(reader->context, THUD_ERROR_ARGUMENT, "[time-outside] the record has no such component");
  bool ledger = strcmp(about->role, "ledger") == 0;
  bool relative =
      ledger && strcmp(about->components[component], "identity") == 0; /* beside the energies, a part of them */
  const char *found = relative ? "" : about->unit;
  thud_error error = found[0] == '\0' && !relative ? derive(reader, about, component, &found) : THUD_OK;
  if (error == THUD_OK) *unit = found;
  return error;
}
