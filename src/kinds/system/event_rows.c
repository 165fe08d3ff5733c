/* Rows of an event-driven motion: one frame row per arc, with its polynomials, and one more where the motion ends; one
 * event row per event. An event comes before the frame row that begins at its time. */
#include "base/base.h"
#include "record/rows.h"

#include <math.h>
#include <string.h>

enum { T, T_END, Q, REACTION, MODE, ORDER, V_LEFT, MODE_LEFT, ACCUMULATION, PROOF, DEFECT, LEDGER, CHANNELS };
enum {
  EVENT_T,
  EVENT_KIND,
  EVENT_T_ERROR,
  EVENT_T_LOW,
  EVENT_T_HIGH,
  EVENT_CONSTRAINTS,
  EVENT_LAWS,
  EVENT_BEFORE,
  EVENT_AFTER,
  EVENT_REACTIONS,
  EVENT_IMPULSE,
  EVENT_CHANGED,
  EVENT_MODES,
  EVENT_ORDER,
  EVENT_COSINE,
  EVENT_TANGENTIAL,
  EVENT_RESIDUAL,
  EVENT_BEGIN,
  EVENT_DURATION,
  EVENT_RATIO,
  EVENT_IMPACTS,
  EVENT_LIMIT_ERROR,
  EVENT_TOTAL,
  EVENT_NOTE,
  EVENT_LEDGER,
  EVENT_CHANNELS
};

/* What is remembered: whether anything has come, then velocity[n], modes[m] and orders[m] at the end of the last arc or
 * after the last event; and whether an event waits for the row that follows it, with the ones that stood before it. */
enum { ANY, WAITING, REMEMBERED };

struct rows_work {
  double t_end, accumulation, proof, ledger[ROWS_LEDGER];
  double *defect;                   /* [n] */
  double *mode, *order, *mode_left; /* [m] */
  double *v_left;                   /* [n] */
  double *ends;                     /* [2n] q and v */
  /* the event: */
  double kind, deepest, cosine, tangential, residual, impacts, event_ledger[ROWS_LEDGER];
  double begin, duration, ratio, limit_error;
  double *constraints, *changed, *modes; /* [m], [m], [2m] */
  double *laws;                          /* [laws] */
  double *reactions, *impulse, *total;   /* [m+s] */
  bool *struck;                          /* [m] involved, or with an impulse */
};

static double *remembered_v(const thud_rows *rows) { return rows->memory + REMEMBERED; }
static double *remembered_mode(const thud_rows *rows) { return rows->memory + REMEMBERED + rows->n; }
static double *remembered_order(const thud_rows *rows) { return remembered_mode(rows) + rows->m; }
/* What stood before the first event that waits. */
static double *before_v(const thud_rows *rows) { return remembered_order(rows) + rows->m; }
static double *before_mode(const thud_rows *rows) { return before_v(rows) + rows->n; }

/* ---- channels ---------------------------------------------------------------------------------------------------- */

enum { MODES = THUD_CONTACT_SLIDING + 1, KINDS = THUD_EVENT_PERCUSSION + 1, PROOFS = THUD_ARC_PASSAGE + 1 };

/* Names of the values of an enum, in the arena. */
static const char *const *names_of_modes(thud_rows *rows) {
  const char **names = thud_arena_alloc(rows->arena, MODES, sizeof *names);
  for (int k = 0; k < MODES && names != NULL; k++) names[k] = thud_contact_mode_name((thud_contact_mode)k);
  return names;
}

static const char *const *names_of_proofs(thud_rows *rows) {
  const char **names = thud_arena_alloc(rows->arena, PROOFS, sizeof *names);
  for (int k = 0; k < PROOFS && names != NULL; k++) names[k] = thud_arc_status_name((thud_arc_status)k);
  return names;
}

static const char *const *names_of_kinds(thud_rows *rows) {
  const char **names = thud_arena_alloc(rows->arena, KINDS, sizeof *names);
  for (int k = 0; k < KINDS && names != NULL; k++) names[k] = thud_event_kind_name((thud_event_kind)k);
  return names;
}

/* A channel of polynomials: groups of numbers, one for each power of t - t0. */
static rows_channel series(const char *name, const char *role, size_t group, const char *const *components,
                           const char *unit, const char *description) {
  rows_channel made = thud_rows_list(name, role, REAL, group > 0, 0, NULL, NULL, description);
  made.channel.look = THUD_LOOK_SERIES;
  made.channel.group = group;
  made.channel.components = components;
  made.channel.unit = unit;
  return made;
}

static thud_error describe_frames(thud_rows *rows, const char *rate, const char *const *modes,
                                  const char *const *proofs) {
  const thud_row_names *names = &rows->names;
  const char *const *constraints = rows->constraints;
  size_t n = rows->n, m = rows->m;
  rows_channel frames[CHANNELS] = {
      [T] = thud_rows_time(rows, "start of the arc"),
      [T_END] = thud_rows_fixed("t_end", "end", REAL, 1, NULL, names->time_unit, POINT, "end of the arc"),
      [Q] = series("q", "position_series", n, names->coordinates, names->unit,
                   "coordinates: coefficients of (t - t0)^k, k after k"),
      [REACTION] = series("reaction", "reaction_series", m + rows->s, rows->reactions, thud_rows_force_unit(rows),
                          "forces: coefficients of (t - t0)^k, k after k"),
      [MODE] = thud_rows_fixed("mode", "mode", SMALL, m, constraints, "", HOLD, "state of the constraint on the arc"),
      [ORDER] = thud_rows_fixed("order", "order", SMALL, m, constraints, "", HOLD,
                                "order of the series that decided the mode, -1: none"),
      [V_LEFT] = thud_rows_fixed("v_left", "velocity_left", REAL, n, names->velocities, rate, POINT,
                                 "velocities, left limits at t"),
      [MODE_LEFT] = thud_rows_fixed("mode_left", "mode_left", SMALL, m, constraints, "", POINT, "modes before t"),
      [ACCUMULATION] = thud_rows_fixed("accumulation", "accumulation", SMALL, 1, NULL, "", HOLD,
                                       "1: the arc replaces the rest of an accumulation of impacts"),
      [PROOF] =
          thud_rows_fixed("proof", "proof", SMALL, 1, NULL, "", HOLD, "what is known between the ends of the arc"),
      [DEFECT] =
          thud_rows_fixed("defect_bound", "defect_bound", REAL, n, names->coordinates, thud_rows_force_unit(rows), HOLD,
                          "proved bound of |M q'' - F - A'r| on the arc; NaN: none"),
      [LEDGER] = thud_rows_fixed("ledger", "ledger", REAL, ROWS_LEDGER, thud_rows_ledger_names(),
                                 thud_rows_energy_unit(rows), LINE, "where the energy went until t")};
  frames[DEFECT].channel.optional = true;
  frames[PROOF].channel.label_count = PROOFS;
  frames[PROOF].channel.labels = proofs;
  frames[Q].channel.state = true;
  frames[Q].channel.left = "v_left";
  frames[MODE].channel.left = "mode_left";
  frames[MODE].channel.label_count = frames[MODE_LEFT].channel.label_count = MODES;
  frames[MODE].channel.labels = frames[MODE_LEFT].channel.labels = modes;
  return thud_rows_add(rows, &rows->frames, CHANNELS, frames, &rows->cell);
}

/* A figure that only some events have. */
static rows_channel figure(const char *name, const char *unit, const char *description) {
  rows_channel made = thud_rows_fixed(name, name, REAL, 1, NULL, unit, LINE, description);
  made.channel.optional = true;
  return made;
}

/* Names of the friction laws, in the arena. */
static const char *const *names_of_laws(thud_rows *rows) {
  thud_index count = thud_system_friction_count(rows->system);
  const char **names = thud_arena_alloc(rows->arena, (size_t)count + 1, sizeof *names);
  for (thud_index k = 0; k < count && names != NULL; k++) {
    const char *name = thud_system_friction(rows->system, k)->name;
    names[k] = name != NULL ? name : "";
  }
  return names;
}

static thud_error describe_events(thud_rows *rows, const char *rate, const char *const *modes, const char *const *kinds,
                                  const char *const *laws) {
  static const char *const flags[] = {"false", "true"};
  size_t law_count = (size_t)thud_system_friction_count(rows->system);
  const char *time = rows->names.time_unit, *const *v = rows->names.velocities;
  size_t n = rows->n, m = rows->m, all = rows->m + rows->s;
  rows_channel events[EVENT_CHANNELS] = {
      [EVENT_T] = thud_rows_time(rows, "time"),
      [EVENT_KIND] = thud_rows_kind(KINDS, kinds),
      [EVENT_T_ERROR] = thud_rows_fixed("t_error", "time_error", REAL, 1, NULL, time, LINE, "bound of the error of t"),
      [EVENT_T_LOW] = figure("t_low", time, "the root lies between t + t_low"),
      [EVENT_T_HIGH] = figure("t_high", time, "and t + t_high"),
      [EVENT_CONSTRAINTS] = thud_rows_list("constraints", "constraints", INDEX, true, m, rows->constraints, NULL,
                                           "at which something happens"),
      [EVENT_LAWS] =
          thud_rows_list("laws", "laws", INDEX, law_count > 0, law_count, laws, NULL,
                         "friction laws at which something happens, where no constraint above has their name"),
      [EVENT_BEFORE] = thud_rows_fixed("before", "before", REAL, n, v, rate, LINE, "velocities, left limits"),
      [EVENT_AFTER] = thud_rows_fixed("after", "after", REAL, n, v, rate, LINE, "velocities, right limits"),
      [EVENT_REACTIONS] = thud_rows_list("reactions", "index", INDEX, all > 0, all, rows->reactions, NULL,
                                         "components of the impulses"),
      [EVENT_IMPULSE] = thud_rows_list("impulse", "impulse", REAL, all > 0, 0, NULL, "reactions",
                                       "impulses at t; of a limit: what was left to come"),
      [EVENT_CHANGED] = thud_rows_list("changed", "index", INDEX, true, m, rows->constraints, NULL,
                                       "constraints whose modes are listed"),
      [EVENT_MODES] = thud_rows_list("modes", "modes", SMALL, true, MODES, modes, "changed", "modes before and after"),
      [EVENT_ORDER] = thud_rows_fixed("order", "order", SMALL, 1, NULL, "", LINE,
                                      "deepest order of the series that decided a mode, -1: none"),
      [EVENT_COSINE] = figure("cosine", "", "largest kinetic cosine of a multiple impact"),
      [EVENT_TANGENTIAL] = thud_rows_fixed("tangential", "tangential", SMALL, 1, NULL, "", LINE,
                                           "an impact without collision, by friction alone"),
      [EVENT_RESIDUAL] = figure("residual", "", "of the impact's velocity problem"),
      [EVENT_BEGIN] = figure("begin", time, "first impact of the accumulation"),
      [EVENT_DURATION] = figure("duration", time, "from there to the limit"),
      [EVENT_RATIO] = figure("ratio", "", "of successive flight times"),
      [EVENT_IMPACTS] = figure("impacts", "", "computed impacts of the accumulation"),
      [EVENT_LIMIT_ERROR] = figure("limit_error", "", "estimated error of the limit, relative"),
      [EVENT_TOTAL] = thud_rows_list("total_impulse", "total_impulse", REAL, all > 0, 0, NULL, "reactions",
                                     "impulses of the whole accumulation"),
      [EVENT_NOTE] = thud_rows_list("note", "note", THUD_RECORD_TEXT, true, 0, NULL, NULL, "a word on it"),
      [EVENT_LEDGER] =
          thud_rows_fixed("ledger", "ledger", REAL, ROWS_LEDGER, thud_rows_ledger_names(), thud_rows_energy_unit(rows),
                          LINE, "where the energy went until after the event")};
  static const size_t optional[] = {EVENT_LAWS,       EVENT_REACTIONS, EVENT_IMPULSE,
                                    EVENT_TANGENTIAL, EVENT_TOTAL,     EVENT_NOTE};
  for (size_t k = 0; k < sizeof optional / sizeof *optional; k++) events[optional[k]].channel.optional = true;
  events[EVENT_IMPULSE].channel.unit = events[EVENT_TOTAL].channel.unit = thud_rows_impulse_unit(rows);
  events[EVENT_MODES].channel.group = 2;
  events[EVENT_TANGENTIAL].channel.label_count = 2;
  events[EVENT_TANGENTIAL].channel.labels = flags;
  thud_error error = thud_rows_add(rows, &rows->events, EVENT_CHANNELS, events, &rows->event_cell);
  return error == THUD_OK ? thud_rows_add_posed(rows, &rows->events) : error;
}

static thud_error describe(thud_rows *rows) {
  const char *rate = thud_rows_velocity_unit(rows);
  const char *const *modes = names_of_modes(rows), *const *kinds = names_of_kinds(rows);
  const char *const *proofs = names_of_proofs(rows), *const *laws = names_of_laws(rows);
  if (rate == NULL || modes == NULL || kinds == NULL || proofs == NULL || laws == NULL) return THUD_ERROR_MEMORY;
  thud_error error = describe_frames(rows, rate, modes, proofs);
  return error == THUD_OK ? describe_events(rows, rate, modes, kinds, laws) : error;
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

static thud_error prepare(thud_rows *rows) {
  size_t n = rows->n, m = rows->m, all = m + rows->s, laws = (size_t)thud_system_friction_count(rows->system);
  struct rows_work *work = rows->work = thud_arena_alloc(rows->arena, 1, sizeof *work);
  if (work == NULL) return THUD_ERROR_MEMORY;
  struct {
    double **array;
    size_t count;
  } parts[] = {{&work->mode, m},        {&work->order, m},       {&work->mode_left, m}, {&work->v_left, n},
               {&work->ends, 2 * n},    {&work->constraints, m}, {&work->changed, m},   {&work->modes, 2 * m},
               {&work->reactions, all}, {&work->impulse, all},   {&work->total, all},   {&work->defect, n},
               {&work->laws, laws}};
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
    if ((*parts[k].array = thud_rows_numbers(rows, parts[k].count)) == NULL) return THUD_ERROR_MEMORY;
  work->struck = thud_arena_alloc(rows->arena, m + 1, sizeof *work->struck);
  if (work->struck == NULL) return THUD_ERROR_MEMORY;
  rows_table *frames = &rows->frames, *events = &rows->events;
  const size_t *cell = rows->cell, *place = rows->event_cell;
  thud_rows_set(frames, cell, T_END, &work->t_end, 1);
  thud_rows_set(frames, cell, MODE, work->mode, m);
  thud_rows_set(frames, cell, ORDER, work->order, m);
  thud_rows_set(frames, cell, V_LEFT, work->v_left, n);
  thud_rows_set(frames, cell, MODE_LEFT, work->mode_left, m);
  thud_rows_set(frames, cell, ACCUMULATION, &work->accumulation, 1);
  thud_rows_set(frames, cell, PROOF, &work->proof, 1);
  thud_rows_set(frames, cell, DEFECT, work->defect, n);
  thud_rows_set(frames, cell, LEDGER, work->ledger, ROWS_LEDGER);
  thud_rows_set(events, place, EVENT_KIND, &work->kind, 1);
  thud_rows_set(events, place, EVENT_ORDER, &work->deepest, 1);
  thud_rows_set(events, place, EVENT_COSINE, &work->cosine, 1);
  thud_rows_set(events, place, EVENT_TANGENTIAL, &work->tangential, 1);
  thud_rows_set(events, place, EVENT_RESIDUAL, &work->residual, 1);
  thud_rows_set(events, place, EVENT_BEGIN, &work->begin, 1);
  thud_rows_set(events, place, EVENT_DURATION, &work->duration, 1);
  thud_rows_set(events, place, EVENT_RATIO, &work->ratio, 1);
  thud_rows_set(events, place, EVENT_IMPACTS, &work->impacts, 1);
  thud_rows_set(events, place, EVENT_LIMIT_ERROR, &work->limit_error, 1);
  thud_rows_set(events, place, EVENT_LEDGER, work->event_ledger, ROWS_LEDGER);
  return THUD_OK;
}

thud_error thud_rows_create_event(thud_context *context, const thud_system *system, const thud_row_names *names,
                                  thud_rows **rows) {
  THUD_REQUIRE(context, context, system, rows);
  thud_rows *made = NULL;
  if (rows == NULL || system == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "rows: a system and a place for the result are needed");
  size_t n = (size_t)thud_system_dimension(system), m = (size_t)thud_system_constraint_count(system);
  thud_error error = thud_rows_create(context, system, n, names, REMEMBERED + 2 * n + 3 * m, &made);
  if (error != THUD_OK) return error;
  error = describe(made);
  if (error == THUD_OK) error = prepare(made);
  if (error == THUD_OK)
    *rows = made;
  else
    thud_rows_destroy(made);
  return error;
}

/* ---- what stood before ------------------------------------------------------------------------------------------- */

static void remember(thud_rows *rows, const double *v, const int *mode) {
  memmove(remembered_v(rows), v, rows->n * sizeof(double));
  for (size_t i = 0; i < rows->m; i++) remembered_mode(rows)[i] = mode[i];
  rows->memory[ANY] = 1;
}

/* Left limits of the row that begins: what stood before the events that wait, or before the arc. At the start, where
 * nothing did, the row's own. */
static void set_left(thud_rows *rows, const double *v, const int *mode) {
  struct rows_work *work = rows->work;
  bool waiting = rows->memory[WAITING] != 0, any = rows->memory[ANY] != 0;
  const double *left = waiting ? before_v(rows) : any ? remembered_v(rows) : v;
  const double *modes = waiting ? before_mode(rows) : any ? remembered_mode(rows) : NULL;
  memmove(work->v_left, left, rows->n * sizeof(double));
  for (size_t i = 0; i < rows->m; i++) work->mode_left[i] = modes != NULL ? modes[i] : mode != NULL ? mode[i] : 0;
  rows->memory[WAITING] = 0;
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

static void list_impulses(thud_rows *rows, const thud_event *event, bool jumps) {
  struct rows_work *work = rows->work;
  bool limit = event->kind == THUD_EVENT_ZENO;
  for (size_t i = 0; i < rows->m; i++) work->struck[i] = jumps && (event->involved[i] || event->impulse[i] != 0);
  size_t count = thud_rows_list_reactions(rows, work->struck, work->reactions);
  if (event->kind == THUD_EVENT_PERCUSSION) count += thud_rows_list_own_laws(rows, work->reactions + count);
  for (size_t k = 0; k < count; k++) {
    size_t component = (size_t)work->reactions[k];
    work->impulse[k] = event->impulse[component];
    work->total[k] = limit ? event->total_impulse[component] : 0;
  }
  thud_rows_set(&rows->events, rows->event_cell, EVENT_REACTIONS, work->reactions, count);
  thud_rows_set(&rows->events, rows->event_cell, EVENT_IMPULSE, work->impulse, count);
  thud_rows_set(&rows->events, rows->event_cell, EVENT_TOTAL, work->total, limit ? count : 0);
}

static void list_modes(thud_rows *rows, const thud_event *event) {
  struct rows_work *work = rows->work;
  size_t count = 0, involved = thud_rows_list_marked(rows, event->involved, work->constraints);
  work->deepest = -1;
  for (size_t i = 0; i < rows->m; i++) {
    work->deepest = fmax(work->deepest, event->order[i]);
    if (!event->involved[i] && event->mode_before[i] == event->mode_after[i]) continue;
    work->modes[2 * count] = event->mode_before[i];
    work->modes[2 * count + 1] = event->mode_after[i];
    work->changed[count++] = (double)i;
  }
  thud_rows_set(&rows->events, rows->event_cell, EVENT_CONSTRAINTS, work->constraints, involved);
  thud_rows_set(&rows->events, rows->event_cell, EVENT_CHANGED, work->changed, count);
  thud_rows_set(&rows->events, rows->event_cell, EVENT_MODES, work->modes, 2 * count);
}

/* A constraint at which something happens has the name. */
static bool is_named(const thud_rows *rows, const thud_event *event, const char *name) {
  for (size_t i = 0; i < rows->m; i++)
    if (event->involved[i] && strcmp(rows->constraints[i], name) == 0) return true;
  return false;
}

/* Laws that stick or slip, and laws by themselves with an impulse. */
static void list_laws(thud_rows *rows, const thud_event *event) {
  struct rows_work *work = rows->work;
  size_t count = 0, next = rows->m;
  for (thud_index k = 0; k < thud_system_friction_count(rows->system); k++) {
    const thud_friction_def *law = thud_system_friction(rows->system, k);
    bool acts = event->involved_law[k];
    for (thud_index d = 0; d < law->directions; d++, next++)
      acts = acts || (event->kind == THUD_EVENT_PERCUSSION && law->constraint < 0 && event->impulse[next] != 0);
    if (acts && !is_named(rows, event, law->name != NULL ? law->name : "")) work->laws[count++] = k;
  }
  thud_rows_set(&rows->events, rows->event_cell, EVENT_LAWS, work->laws, count);
}

/* Slip that goes on in another direction: every sliding contact of the event slid before. */
static bool is_reversal(const thud_rows *rows, const thud_event *event) {
  bool any = false;
  for (size_t i = 0; i < rows->m; i++) {
    if (!event->involved[i] || event->mode_after[i] != THUD_CONTACT_SLIDING) continue;
    if (event->mode_before[i] != THUD_CONTACT_SLIDING) return false;
    any = true;
  }
  return event->kind == THUD_EVENT_SLIP && any;
}

static void set_figures(thud_rows *rows, const thud_event *event) {
  struct rows_work *work = rows->work;
  bool impact = event->kind == THUD_EVENT_IMPACT || event->kind == THUD_EVENT_PERCUSSION;
  bool limit = event->kind == THUD_EVENT_ZENO;
  const thud_percussion_info *percussion = &event->percussion;
  work->kind = event->kind;
  work->cosine = impact ? percussion->cosine_first >= 0 ? percussion->worst_cosine : 0 : (double)NAN;
  work->tangential = impact ? event->tangential : -1;
  work->residual = impact ? percussion->residual : (double)NAN;
  work->begin = limit ? event->begin : (double)NAN;
  work->duration = limit ? event->duration : (double)NAN;
  work->ratio = limit ? event->ratio : (double)NAN;
  work->impacts = limit ? (double)event->impacts : (double)NAN;
  work->limit_error = limit ? event->limit_error : (double)NAN;
  thud_rows_ledger_numbers(&event->ledger, work->event_ledger);
  thud_rows_set_text(&rows->events, rows->event_cell, EVENT_NOTE,
                     impact && event->tangential                                   ? "without collision"
                     : is_reversal(rows, event)                                    ? "turns round"
                     : event->kind == THUD_EVENT_SWITCH && event->switched != NULL ? event->switched
                                                                                   : "");
}

/* The first event after an arc: what was before it is what is before the next row. */
static void begin_waiting(thud_rows *rows, const thud_event *event) {
  if (rows->memory[WAITING] != 0) return;
  rows->memory[WAITING] = 1;
  memmove(before_v(rows), event->v_before, rows->n * sizeof(double));
  for (size_t i = 0; i < rows->m; i++) before_mode(rows)[i] = event->mode_before[i];
}

/* Data jump across a surface, and closed constraints have part in it. */
static bool pushes_at_surface(const thud_rows *rows, const thud_event *event) {
  for (size_t i = 0; i < rows->m && event->kind == THUD_EVENT_SWITCH; i++)
    if (event->impulse[i] != 0) return true;
  return false;
}

int thud_rows_event(void *user, const void *handed) {
  const thud_event *event = handed;
  THUD_REQUIRE_OR(-1, user, event);
  thud_rows *rows = user;
  bool jumps = event->kind == THUD_EVENT_IMPACT || event->kind == THUD_EVENT_ZENO ||
               event->kind == THUD_EVENT_PERCUSSION || pushes_at_surface(rows, event);
  begin_waiting(rows, event);
  list_impulses(rows, event, jumps);
  list_modes(rows, event);
  list_laws(rows, event);
  set_figures(rows, event);
  thud_rows_set(&rows->events, rows->event_cell, EVENT_T, &event->t, 1);
  thud_rows_set(&rows->events, rows->event_cell, EVENT_T_ERROR, &event->t_error, 1);
  thud_rows_set(&rows->events, rows->event_cell, EVENT_T_LOW, &event->t_low, 1);
  thud_rows_set(&rows->events, rows->event_cell, EVENT_T_HIGH, &event->t_high, 1);
  thud_rows_set(&rows->events, rows->event_cell, EVENT_BEFORE, event->v_before, rows->n);
  thud_rows_set(&rows->events, rows->event_cell, EVENT_AFTER, event->v_after, rows->n);
  thud_rows_set_posed(rows, &rows->events, event->posed);
  remember(rows, event->v_after, event->mode_after);
  for (size_t i = 0; i < rows->m; i++) remembered_order(rows)[i] = event->order[i];
  return thud_rows_emit_event(rows, event->t);
}

/* ---- arcs -------------------------------------------------------------------------------------------------------- */

static void set_proof(thud_rows *rows, thud_arc_status status, const double *defect) {
  rows->work->proof = status;
  for (size_t i = 0; i < rows->n; i++) rows->work->defect[i] = defect != NULL ? defect[i] : (double)NAN;
}

int thud_rows_arc(void *user, const void *handed) {
  const thud_event_arc *arc = handed;
  THUD_REQUIRE_OR(-1, user, arc);
  thud_rows *rows = user;
  struct rows_work *work = rows->work;
  size_t n = rows->n, all = rows->m + rows->s;
  set_left(rows, arc->q + n, arc->mode);
  for (size_t i = 0; i < rows->m; i++) {
    work->mode[i] = arc->mode[i];
    work->order[i] = arc->accumulation ? remembered_order(rows)[i] : arc->order[i];
  }
  work->t_end = arc->t1;
  work->accumulation = arc->accumulation;
  set_proof(rows, (thud_arc_status)arc->proof, arc->defect);
  thud_rows_ledger_numbers(&arc->ledger, work->ledger);
  thud_rows_set(&rows->frames, rows->cell, T, &arc->t0, 1);
  thud_rows_set(&rows->frames, rows->cell, Q, arc->q, ((size_t)arc->degree + 1) * n);
  size_t forces = arc->accumulation ? 0 : ((size_t)arc->force_degree + 1) * all; /* those of impacts are not forces */
  thud_rows_set(&rows->frames, rows->cell, REACTION, arc->reaction, forces);
  thud_event_arc_evaluate(arc, (thud_index)n, arc->t1, work->ends, work->ends + n);
  remember(rows, work->ends + n, arc->mode);
  return thud_rows_emit_frame(rows, arc->t0, THUD_ROW_KEEP);
}

int thud_rows_end_event(thud_rows *rows, const thud_event_frame *present) {
  THUD_REQUIRE_OR(-1, rows, present);
  struct rows_work *work = rows->work;
  size_t n = rows->n;
  bool waiting = rows->memory[WAITING] != 0;
  set_left(rows, present->v, NULL);
  memcpy(work->ends, present->q, n * sizeof(double));
  memcpy(work->ends + n, present->v, n * sizeof(double));
  for (size_t i = 0; i < rows->m; i++) {
    work->mode[i] = remembered_mode(rows)[i];
    work->order[i] = waiting ? remembered_order(rows)[i] : -1;
  }
  work->t_end = present->t;
  work->accumulation = 0;
  set_proof(rows, THUD_ARC_PROVED, NULL); /* nothing between its ends */
  thud_rows_ledger_numbers(&present->ledger, work->ledger);
  thud_rows_set(&rows->frames, rows->cell, T, &work->t_end, 1);
  thud_rows_set(&rows->frames, rows->cell, Q, work->ends, 2 * n);
  thud_rows_set(&rows->frames, rows->cell, REACTION, NULL, 0);
  return thud_rows_emit_frame(rows, present->t, THUD_ROW_KEEP);
}
