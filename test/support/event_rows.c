#include "event_rows.h"
#include "testing.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { CHANNELS = 19, NAME = 32, MOST_COMPONENTS = (EVENT_ROWS_DEGREE + 1) * EVENT_ROWS_N };

/* name, name.1, name.2, ... of every coefficient */
static void name_series(size_t width, const char *const *names, size_t count, char made[][NAME], const char **out) {
  for (size_t c = 0; c < count; c++) {
    if (c < width)
      snprintf(made[c], NAME, "%s", names[c]);
    else
      snprintf(made[c], NAME, "%s.%zu", names[c % width], c / width);
    out[c] = made[c];
  }
}

static void write_event(thud_record_writer *writer, const event_system *system, const event_row *row) {
  static const char *const modes[] = {"open", "lasting", "leaving", "undecided", "sticking", "sliding"};
  static const char *const kinds[] = {"impact", "zeno", "close", "open", "graze", "stick", "slip", "switch"};
  char text[2048], before[200] = "", after[200] = "", impulse[200] = "", zeno[300] = "";
  for (size_t i = 0; i < system->n; i++) {
    const char *comma = i > 0 ? ", " : "";
    snprintf(before + strlen(before), 90, "%s\"%s'\": %.17g", comma, system->coordinates[i], row->v_left[i]);
    snprintf(after + strlen(after), 90, "%s\"%s'\": %.17g", comma, system->coordinates[i], row->q[system->n + i]);
  }
  if (row->event <= 1)
    snprintf(impulse, sizeof impulse,
             system->slips > 0 ? ", \"impulse\": {\"%s\": [%.17g, %.17g]}" : ", \"impulse\": {\"%s\": [%.17g]}",
             system->constraint, row->impulse[0], row->impulse[1]);
  if (row->event == 0)
    snprintf(zeno, sizeof zeno, ", \"cosine\": %.17g, \"residual\": %.17g", row->cosine, row->residual);
  if (row->event == 1)
    snprintf(zeno, sizeof zeno,
             ", \"begin\": %.17g, \"duration\": %.17g, \"ratio\": %.17g, \"impacts\": %g, \"limit_error\": %.17g",
             row->zeno[0], row->zeno[1], row->zeno[2], row->zeno[3], row->zeno[4]);
  snprintf(text, sizeof text,
           "{\"constraints\": [\"%s\"], \"before\": {%s}, \"after\": {%s}, \"t_error\": %.17g, \"order\": %g, "
           "\"modes\": {\"%s\": [\"%s\", \"%s\"]}%s%s}",
           system->constraint, before, after, row->t_error, row->order, system->constraint, modes[(int)row->mode_left],
           modes[(int)row->mode], impulse, zeno);
  assert_int_equal(thud_record_add_event(writer, row->t, kinds[(int)row->event], text), THUD_OK);
}

void event_rows_write(thud_context *context, const char *path, const event_system *system, size_t count,
                      const event_row *rows) {
  size_t n = system->n, reactions = 1 + system->slips;
  const char *const constraints[] = {system->constraint, "slip"};
  char q_made[MOST_COMPONENTS][NAME], r_made[MOST_COMPONENTS][NAME];
  const char *q_names[MOST_COMPONENTS], *r_names[MOST_COMPONENTS];
  name_series(n, system->coordinates, (EVENT_ROWS_DEGREE + 1) * n, q_made, q_names);
  name_series(reactions, constraints, (EVENT_ROWS_FORCE + 1) * reactions, r_made, r_names);
#define PLACE(member) offsetof(event_row, member)
  const struct {
    const char *role;
    thud_record_type type;
    size_t width;
    const char *const *components;
    size_t place;
  } all[CHANNELS] = {
      {"time", THUD_RECORD_REAL, 1, NULL, PLACE(t)},
      {"end", THUD_RECORD_REAL, 1, NULL, PLACE(t_end)},
      {"position_series", THUD_RECORD_REAL, (EVENT_ROWS_DEGREE + 1) * n, q_names, PLACE(q)},
      {"reaction_series", THUD_RECORD_REAL, (EVENT_ROWS_FORCE + 1) * reactions, r_names, PLACE(reaction)},
      {"mode", THUD_RECORD_SMALL, 1, constraints, PLACE(mode)},
      {"order", THUD_RECORD_SMALL, 1, constraints, PLACE(order)},
      {"event", THUD_RECORD_SMALL, 1, NULL, PLACE(event)},
      {"time_error", THUD_RECORD_REAL, 1, NULL, PLACE(t_error)},
      {"velocity_left", THUD_RECORD_REAL, n, NULL, PLACE(v_left)},
      {"impulse", THUD_RECORD_REAL, reactions, r_names, PLACE(impulse)},
      {"involved", THUD_RECORD_SMALL, 1, constraints, PLACE(involved)},
      {"mode_left", THUD_RECORD_SMALL, 1, constraints, PLACE(mode_left)},
      {"accumulation", THUD_RECORD_SMALL, 1, NULL, PLACE(accumulation)},
      {"zeno", THUD_RECORD_REAL, 5, NULL, PLACE(zeno)},
      {"zeno_impulse", THUD_RECORD_REAL, reactions, r_names, PLACE(zeno_impulse)},
      {"residual", THUD_RECORD_REAL, 1, NULL, PLACE(residual)},
      {"cosine", THUD_RECORD_REAL, 1, NULL, PLACE(cosine)},
      {"tangential", THUD_RECORD_SMALL, 1, NULL, PLACE(tangential)},
      {"ledger", THUD_RECORD_REAL, 8, NULL, PLACE(ledger)}};
#undef PLACE
  thud_record_channel channels[CHANNELS];
  for (size_t k = 0; k < CHANNELS; k++)
    channels[k] = (thud_record_channel){.name = all[k].role,
                                        .type = all[k].type,
                                        .width = all[k].width,
                                        .components = all[k].components,
                                        .role = all[k].role};
  thud_record_header header = {.method = "event-driven", .scene = system->scene};
  thud_record_options options = thud_record_options_default();
  options.overwrite = true;
  thud_record_writer *writer;
  if (thud_record_create(context, path, &options, &header, CHANNELS, channels, &writer) != THUD_OK)
    fail_msg("%s", thud_context_last_message(context));
  for (size_t row = 0; row < count; row++) {
    const double *numbers[CHANNELS];
    for (size_t k = 0; k < CHANNELS; k++) numbers[k] = (const double *)((const char *)&rows[row] + all[k].place);
    assert_int_equal(thud_record_append(writer, numbers), THUD_OK);
    if (rows[row].event >= 0) write_event(writer, system, &rows[row]);
  }
  assert_int_equal(thud_record_close(writer, "good", "", ""), THUD_OK);
}
