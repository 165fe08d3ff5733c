/* Rows of tables from the motions: what all of them share. */
#include "base/base.h"
#include "record/rows.h"

#include <stdio.h>
#include <string.h>

enum { NAME_ROOM = THUD_RECORD_NAME_LENGTH + 1, ARENA_BLOCK = 4096 };

/* ---- names ------------------------------------------------------------------------------------------------------- */

static const char *keep_name(thud_rows *rows, const char *format, const char *name, int number) {
  char *text = thud_arena_alloc(rows->arena, NAME_ROOM, 1);
  if (text != NULL) snprintf(text, NAME_ROOM, format, name, number);
  return text;
}

static const char **keep_names(thud_rows *rows, size_t count) {
  return thud_arena_alloc(rows->arena, count + 1, sizeof(const char *));
}

/* Copies of the given names, or names made from others. */
static const char *const *copy_names(thud_rows *rows, const char *const *given, const char *format) {
  const char **names = keep_names(rows, rows->n);
  for (size_t i = 0; i < rows->n && names != NULL; i++)
    if ((names[i] = keep_name(rows, format, given[i], (int)i)) == NULL) return NULL;
  return names;
}

static const char *const *system_coordinates(thud_rows *rows) {
  const char **names = keep_names(rows, rows->n);
  for (size_t i = 0; i < rows->n && names != NULL; i++) names[i] = thud_system_coordinate(rows->system, (thud_index)i);
  return names;
}

static const char *const *numbered_coordinates(thud_rows *rows) {
  const char **names = keep_names(rows, rows->n);
  for (size_t i = 0; i < rows->n && names != NULL; i++)
    if ((names[i] = keep_name(rows, "%s[%d]", "state", (int)i)) == NULL) return NULL;
  return names;
}

static thud_error take_names(thud_rows *rows, const thud_row_names *given) {
  const thud_row_names none = {0};
  if (given == NULL) given = &none;
  thud_row_names *names = &rows->names;
  names->coordinates = given->coordinates != NULL ? copy_names(rows, given->coordinates, "%s")
                       : rows->system != NULL     ? system_coordinates(rows)
                                                  : numbered_coordinates(rows);
  if (names->coordinates == NULL) return THUD_ERROR_MEMORY;
  names->velocities = given->velocities != NULL ? copy_names(rows, given->velocities, "%s")
                                                : copy_names(rows, names->coordinates, "%s'");
  names->functions = given->functions;
  names->unit = keep_name(rows, "%s", given->unit != NULL ? given->unit : "", 0);
  names->time_unit = keep_name(rows, "%s", given->time_unit != NULL ? given->time_unit : "s", 0);
  return names->velocities != NULL && names->unit != NULL && names->time_unit != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

static bool is_in_metres_and_seconds(const thud_rows *rows) {
  return strcmp(rows->names.unit, "m") == 0 && strcmp(rows->names.time_unit, "s") == 0;
}

const char *thud_rows_impulse_unit(const thud_rows *rows) { return is_in_metres_and_seconds(rows) ? "N s" : ""; }
const char *thud_rows_force_unit(const thud_rows *rows) { return is_in_metres_and_seconds(rows) ? "N" : ""; }
const char *thud_rows_energy_unit(const thud_rows *rows) { return is_in_metres_and_seconds(rows) ? "J" : ""; }

const char *thud_rows_velocity_unit(thud_rows *rows) {
  char *unit = thud_arena_alloc(rows->arena, NAME_ROOM, 1);
  if (unit != NULL && rows->names.unit[0] != '\0')
    snprintf(unit, NAME_ROOM, "%s/%s", rows->names.unit, rows->names.time_unit);
  return unit;
}

/* ---- constraints ------------------------------------------------------------------------------------------------- */

/* Names of the reactions: the constraints, then every law's directions NAME.t1, NAME.t2. */
static thud_error name_reactions(thud_rows *rows) {
  rows->constraints = keep_names(rows, rows->m);
  rows->reactions = keep_names(rows, rows->m + rows->s);
  if (rows->constraints == NULL || rows->reactions == NULL) return THUD_ERROR_MEMORY;
  size_t next = rows->m;
  for (size_t i = 0; i < rows->m; i++)
    rows->constraints[i] = rows->reactions[i] = thud_system_constraint(rows->system, (thud_index)i)->name;
  for (thud_index k = 0; k < thud_system_friction_count(rows->system); k++) {
    const thud_friction_def *law = thud_system_friction(rows->system, k);
    for (thud_index d = 0; d < law->directions; d++)
      if ((rows->reactions[next++] = keep_name(rows, "%s.t%d", law->name, (int)d + 1)) == NULL)
        return THUD_ERROR_MEMORY;
  }
  return THUD_OK;
}

static size_t list_components(const thud_rows *rows, thud_index constraint, size_t *components) {
  size_t count = 1, next = rows->m;
  if (components != NULL) components[0] = (size_t)constraint;
  for (thud_index k = 0; k < thud_system_friction_count(rows->system); k++) {
    const thud_friction_def *law = thud_system_friction(rows->system, k);
    for (thud_index d = 0; d < law->directions; d++, next++) {
      if (law->constraint != constraint) continue;
      if (components != NULL) components[count] = next;
      count++;
    }
  }
  return count;
}

static thud_error take_system(thud_rows *rows) {
  if (rows->system == NULL) return THUD_OK;
  rows->m = (size_t)thud_system_constraint_count(rows->system);
  rows->s = (size_t)thud_system_slip_count(rows->system);
  rows->of = thud_arena_alloc(rows->arena, rows->m + 1, sizeof *rows->of);
  thud_error error = rows->of != NULL ? name_reactions(rows) : THUD_ERROR_MEMORY;
  for (size_t i = 0; i < rows->m && error == THUD_OK; i++) {
    rows->of[i].count = list_components(rows, (thud_index)i, NULL);
    rows->of[i].components = thud_arena_alloc(rows->arena, rows->of[i].count, sizeof(size_t));
    if (rows->of[i].components == NULL) return THUD_ERROR_MEMORY;
    list_components(rows, (thud_index)i, rows->of[i].components);
  }
  return error;
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

thud_error thud_rows_create(thud_context *context, const thud_system *system, size_t n, const thud_row_names *names,
                            size_t memory_count, thud_rows **rows) {
  thud_rows *made = THUD_NEW(context, thud_rows);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->context = context;
  made->system = system;
  made->n = n;
  thud_error error = thud_arena_create(context, ARENA_BLOCK, &made->arena);
  if (error == THUD_OK) error = take_system(made);
  if (error == THUD_OK) error = take_names(made, names);
  if (error == THUD_OK) {
    made->memory_count = memory_count;
    made->memory = thud_rows_numbers(made, memory_count);
    if (made->memory == NULL) error = THUD_ERROR_MEMORY;
  }
  if (error == THUD_OK)
    *rows = made;
  else
    thud_rows_destroy(made);
  return error;
}

void thud_rows_destroy(thud_rows *rows) {
  if (rows == NULL) return;
  if (rows->release != NULL) rows->release(rows);
  thud_arena_destroy(rows->arena);
  thud_free(rows->context, rows);
}

double *thud_rows_numbers(thud_rows *rows, size_t count) {
  return thud_arena_alloc(rows->arena, count + 1, sizeof(double));
}

const thud_record_layout *thud_rows_layout(const thud_rows *rows) {
  THUD_REQUIRE_OR(NULL, rows);
  return &rows->layout;
}

void thud_rows_set_sink(thud_rows *rows, thud_row_sink sink) {
  THUD_REQUIRE_OR(, rows);
  rows->sink = sink;
}

size_t thud_rows_state_size(const thud_rows *rows) {
  THUD_REQUIRE_OR(0, rows);
  return rows->memory_count * sizeof(double);
}

void thud_rows_save(const thud_rows *rows, void *state) {
  THUD_REQUIRE_OR(, rows, state);
  memcpy(state, rows->memory, rows->memory_count * sizeof(double));
}

void thud_rows_restore(thud_rows *rows, const void *state) {
  THUD_REQUIRE_OR(, rows, state);
  memcpy(rows->memory, state, rows->memory_count * sizeof(double));
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

thud_error thud_rows_add(thud_rows *rows, rows_table *table, size_t count, const rows_channel *channels,
                         size_t **place) {
  *place = thud_arena_alloc(rows->arena, count, sizeof **place);
  if (*place == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < count; k++) {
    (*place)[k] = SIZE_MAX;
    if (channels[k].channel.width == 0 && !channels[k].ragged) continue;
    if (table->count == ROWS_MOST_CHANNELS)
      return thud_fail(rows->context, THUD_ERROR_INTERNAL, "rows: more than %d channels", ROWS_MOST_CHANNELS);
    (*place)[k] = table->count;
    table->channels[table->count++] = channels[k].channel;
  }
  thud_record_table which = table == &rows->frames ? THUD_RECORD_FRAMES : THUD_RECORD_EVENTS;
  rows->layout.count[which] = table->count;
  rows->layout.channels[which] = table->channels;
  return THUD_OK;
}

rows_channel thud_rows_fixed(const char *name, const char *role, thud_record_type type, size_t width,
                             const char *const *components, const char *unit, thud_record_look look,
                             const char *description) {
  const thud_record_channel channel = {.name = name,
                                       .role = role,
                                       .type = type,
                                       .width = width,
                                       .components = components,
                                       .unit = unit,
                                       .look = look,
                                       .description = description};
  return (rows_channel){.channel = channel, .ragged = false};
}

rows_channel thud_rows_list(const char *name, const char *role, thud_record_type type, bool there, size_t label_count,
                            const char *const *labels, const char *at, const char *description) {
  const thud_record_channel channel = {.name = name,
                                       .role = role,
                                       .type = type,
                                       .label_count = label_count,
                                       .labels = labels,
                                       .at = at,
                                       .look = THUD_LOOK_POINT,
                                       .description = description};
  return (rows_channel){.channel = channel, .ragged = there};
}

rows_channel thud_rows_time(const thud_rows *rows, const char *description) {
  return thud_rows_fixed("t", "time", THUD_RECORD_REAL, 1, NULL, rows->names.time_unit, THUD_LOOK_LINE, description);
}

rows_channel thud_rows_kind(size_t count, const char *const *names) {
  rows_channel kind = thud_rows_fixed("kind", "kind", THUD_RECORD_SMALL, 1, NULL, NULL, THUD_LOOK_LINE, "what happens");
  kind.channel.label_count = count;
  kind.channel.labels = names;
  return kind;
}

void thud_rows_set(rows_table *table, const size_t *place, size_t channel, const double *values, size_t count) {
  if (place[channel] != SIZE_MAX) table->cells[place[channel]] = (thud_record_cell){.values = values, .count = count};
}

void thud_rows_set_text(rows_table *table, const size_t *place, size_t channel, const char *text) {
  if (place[channel] != SIZE_MAX)
    table->cells[place[channel]] = (thud_record_cell){.text = text, .count = strlen(text)};
}

int thud_rows_emit_frame(const thud_rows *rows, double t, unsigned flags) {
  return rows->sink.frame != NULL ? rows->sink.frame(rows->sink.user, t, flags, rows->frames.cells) : 0;
}

int thud_rows_emit_event(const thud_rows *rows, double t) {
  return rows->sink.event != NULL ? rows->sink.event(rows->sink.user, t, rows->events.cells) : 0;
}

size_t thud_rows_list_marked(const thud_rows *rows, const bool *marks, double *list) {
  size_t count = 0;
  for (size_t i = 0; i < rows->m; i++)
    if (marks[i]) list[count++] = (double)i;
  return count;
}

size_t thud_rows_list_reactions(const thud_rows *rows, const bool *marks, double *list) {
  size_t count = 0;
  for (size_t i = 0; i < rows->m; i++)
    for (size_t k = 0; marks[i] && k < rows->of[i].count; k++) list[count++] = (double)rows->of[i].components[k];
  return count;
}

size_t thud_rows_list_own_laws(const thud_rows *rows, double *list) {
  size_t count = 0, next = rows->m;
  for (thud_index k = 0; k < thud_system_friction_count(rows->system); k++) {
    const thud_friction_def *law = thud_system_friction(rows->system, k);
    for (thud_index d = 0; d < law->directions; d++, next++)
      if (law->constraint < 0) list[count++] = (double)next;
  }
  return count;
}

/* ---- ledgers ----------------------------------------------------------------------------------------------------- */

const char *const *thud_rows_ledger_names(void) {
  static const char *const names[ROWS_LEDGER] = {"kinetic",     "potential",     "work",
                                                 "impact_loss", "friction_loss", "contact_loss",
                                                 "scheme_loss", "defect",        "identity"};
  return names;
}

void thud_rows_ledger_numbers(const thud_ledger *ledger, double numbers[ROWS_LEDGER]) {
  const double all[ROWS_LEDGER] = {ledger->kinetic,     ledger->potential,     ledger->work,
                                   ledger->impact_loss, ledger->friction_loss, ledger->contact_loss,
                                   ledger->scheme_loss, ledger->defect,        ledger->identity};
  memcpy(numbers, all, sizeof all);
}

/* ---- into a record ----------------------------------------------------------------------------------------------- */

static int append_frame(void *user, double t, unsigned flags, const thud_record_cell *cells) {
  (void)t;
  if (flags & THUD_ROW_AGAIN) return 0;
  return thud_record_append(user, THUD_RECORD_FRAMES, cells) == THUD_OK ? 0 : -1;
}

static int append_event(void *user, double t, const thud_record_cell *cells) {
  (void)t;
  return thud_record_append(user, THUD_RECORD_EVENTS, cells) == THUD_OK ? 0 : -1;
}

static size_t appended_frames(void *user) { return thud_record_rows_written(user, THUD_RECORD_FRAMES); }

thud_row_sink thud_record_row_sink(thud_record_writer *writer) {
  THUD_REQUIRE_OR((thud_row_sink){0}, writer);
  return (thud_row_sink){.frame = append_frame, .event = append_event, .user = writer, .recorded = appended_frames};
}
