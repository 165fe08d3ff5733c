/* The record of a Lagrangian motion: its channels, its rows, its checkpoints, and how it is taken up again. */
#include "run/run_event.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CHANNELS = 12, MOST_CHANNELS = EVENT_CHANNELS };
_Static_assert((int)CHANNELS <= (int)MOST_CHANNELS, "room for the channels of either method");

const char *const *system_ledger_names(void) {
  static const char *const names[LEDGER_WIDTH] = {"kinetic",       "potential",    "work",   "impact_loss",
                                                  "friction_loss", "contact_loss", "defect", "identity"};
  return names;
}

void system_ledger_numbers(const thud_ledger *ledger, double numbers[LEDGER_WIDTH]) {
  const double all[LEDGER_WIDTH] = {ledger->kinetic,       ledger->potential,    ledger->work,   ledger->impact_loss,
                                    ledger->friction_loss, ledger->contact_loss, ledger->defect, ledger->identity};
  memcpy(numbers, all, sizeof all);
}

const char *system_velocity_unit(const thud_scene *scene, thud_arena *arena) {
  const char *length = scene_common_unit(scene);
  char *unit = thud_arena_alloc(arena, SYSTEM_NAME_ROOM, 1);
  if (unit == NULL) return NULL;
  unit[0] = '\0';
  if (length[0] != '\0') snprintf(unit, SYSTEM_NAME_ROOM, "%s/%s", length, scene->time_unit);
  return unit;
}

/* ---- channels
 * --------------------------------------------------------------------------------------------------------- */

/* Names of the reaction's components: the constraints, then every law's directions. */
static thud_error reaction_names(const system_run *run, thud_arena *arena, const char ***names) {
  const thud_system *system = run->scene->lagrangian->system;
  const char **made = thud_arena_alloc(arena, (size_t)(run->m + run->s) + 1, sizeof *made);
  if (made == NULL) return THUD_ERROR_MEMORY;
  size_t next = 0;
  for (thud_index i = 0; i < run->m; i++) made[next++] = thud_system_constraint(system, i)->name;
  for (thud_index k = 0; k < thud_system_friction_count(system); k++) {
    const thud_friction_def *law = thud_system_friction(system, k);
    for (thud_index d = 0; d < law->directions; d++) {
      char *name = thud_arena_alloc(arena, SYSTEM_NAME_ROOM, 1);
      if (name == NULL) return THUD_ERROR_MEMORY;
      snprintf(name, SYSTEM_NAME_ROOM, "%s.t%d", law->name, (int)d + 1);
      made[next++] = name;
    }
  }
  *names = made;
  return THUD_OK;
}

/* The channels of docs/record-format.md; those without components are left out. */
static size_t describe_channels(const system_run *run, const char *const *reactions, const char *velocity_unit,
                                thud_record_channel channels[CHANNELS]) {
  const thud_scene *scene = run->scene;
  const char *unit = scene_common_unit(scene);
  size_t n = (size_t)run->n, m = (size_t)run->m, s = (size_t)run->s;
  const char *const *positions = (const char *const *)scene->coordinates;
  const char *const *velocities = (const char *const *)scene->lagrangian->velocities;
  const thud_record_channel all[CHANNELS] = {
      {"t", THUD_RECORD_REAL, 1, NULL, scene->time_unit, "time", "time of the node"},
      {"step", THUD_RECORD_REAL, 1, NULL, scene->time_unit, "step", "length of the step that ended here"},
      {"q", THUD_RECORD_REAL, n, positions, unit, "position", "coordinates"},
      {"v_left", THUD_RECORD_REAL, n, velocities, velocity_unit, "velocity_left", "velocities that the impact law saw"},
      {"v", THUD_RECORD_REAL, n, velocities, velocity_unit, "velocity", "velocities, right limits"},
      {"v_average", THUD_RECORD_REAL, n, velocities, velocity_unit, "velocity_average", "(v + e v_left)/(1 + e)"},
      {"gap", THUD_RECORD_REAL, m, reactions, "", "gap", "gaps and equations at q"},
      {"reaction", THUD_RECORD_REAL, m + s, reactions, "N s", "reaction", "impulses of the step"},
      {"atom", THUD_RECORD_SMALL, m, reactions, "", "atom", "1: the impulse is an impact"},
      {"acting", THUD_RECORD_SMALL, m, reactions, "", "acting", "1: the constraint acts"},
      {"residual", THUD_RECORD_REAL, 1, NULL, "", "residual", "of the step's velocity problem"},
      {"ledger", THUD_RECORD_REAL, LEDGER_WIDTH, system_ledger_names(), "J", "ledger",
       "where the energy went, since the start"}};
  size_t count = 0;
  for (size_t k = 0; k < CHANNELS; k++)
    if (all[k].width > 0) channels[count++] = all[k];
  return count;
}

thud_error system_record_frame(system_run *run, const thud_motion_frame *frame) {
  const thud_scene *scene = run->scene;
  system_counters *counters = &run->counters;
  bool due = scene->record_every == 0 || frame->t >= counters->next_record_time || frame->t >= scene->end;
  if (!due && !frame->impact) return THUD_OK;
  if (due && scene->record_every > 0) {
    double passed = floor((frame->t - scene->start) / scene->record_every * (1 + 1e-12));
    counters->next_record_time = scene->start + (passed + 1) * scene->record_every * (1 - 1e-12);
  }
  double energies[LEDGER_WIDTH];
  system_ledger_numbers(&frame->ledger, energies);
  const struct {
    const double *row;
    thud_index width;
  } all[CHANNELS] = {{&frame->t, 1},        {&frame->step, 1},
                     {frame->q, run->n},    {frame->v_left, run->n},
                     {frame->v, run->n},    {frame->v_average, run->n},
                     {frame->gap, run->m},  {frame->reaction, run->m + run->s},
                     {run->flags, run->m},  {run->flags + run->m, run->m},
                     {&frame->residual, 1}, {energies, LEDGER_WIDTH}};
  const double *rows[CHANNELS];
  size_t count = 0;
  for (size_t k = 0; k < CHANNELS; k++)
    if (all[k].width > 0) rows[count++] = all[k].row;
  thud_error error = thud_record_append(run->writer, rows);
  if (error != THUD_OK) return error;
  counters->recorded++;
  counters->last_recorded = frame->t;
  if (!frame->impact) return THUD_OK;
  char *text = NULL;
  error = system_event_json(run, frame, &text);
  if (error == THUD_OK) error = thud_record_add_event(run->writer, frame->t, "impact", text);
  thud_free(scene->context, text);
  return error;
}

/* ---- checkpoints
 * --------------------------------------------------------------------------------------------------------- */

/* motion, counters, of event-driven runs what stood before the next row, samples: one block of bytes. Samples: their
 * number, how many are settled, the time of the last node, whether there was one; first and last state there; times,
 * right and left limits. */
enum { SAMPLES_HEAD = 4 };

static size_t samples_size(thud_index n, size_t count) {
  return (SAMPLES_HEAD + 2 * (size_t)n + count * (1 + 2 * (size_t)n)) * sizeof(double);
}

static void put(unsigned char **to, const void *from, size_t bytes) {
  if (bytes > 0) memcpy(*to, from, bytes);
  *to += bytes;
}

static void get(const unsigned char **from, void *to, size_t bytes) {
  if (bytes > 0) memcpy(to, *from, bytes);
  *from += bytes;
}

static void put_samples(const collect_samples *samples, unsigned char **to) {
  size_t n = (size_t)samples->n, count = samples->count;
  const double head[SAMPLES_HEAD] = {(double)count, (double)samples->next, samples->last_time, samples->any};
  put(to, head, sizeof head);
  put(to, samples->first_state, n * sizeof(double));
  put(to, samples->last_state, n * sizeof(double));
  put(to, samples->times, count * sizeof(double));
  put(to, samples->right, count * n * sizeof(double));
  put(to, samples->left, count * n * sizeof(double));
}

static size_t motion_size(const system_run *run) {
  return run->event != NULL ? thud_event_motion_state_size(run->event->motion) : thud_motion_state_size(run->motion);
}

static size_t before_size(const system_run *run) {
  return run->event != NULL ? (size_t)(run->n + run->m) * sizeof(double) : 0;
}

static size_t head_size(const system_run *run) { return motion_size(run) + sizeof(system_counters) + before_size(run); }

thud_error system_record_checkpoint(system_run *run, double t) {
  if (run->writer == NULL || !(t >= run->counters.next_checkpoint)) return THUD_OK;
  size_t size = head_size(run) + samples_size(run->samples.n, run->samples.count);
  double every = run->scene->lagrangian->checkpoint_every;
  if (run->block == NULL) run->block = thud_alloc(run->scene->context, size, 1);
  if (run->block == NULL) return THUD_ERROR_MEMORY;
  double passed = floor((t - run->scene->start) / every * (1 + 1e-12));
  run->counters.next_checkpoint = run->scene->start + (passed + 1) * every * (1 - 1e-12);
  unsigned char *to = run->block;
  if (run->event != NULL)
    thud_event_motion_save(run->event->motion, to);
  else
    thud_motion_save(run->motion, to);
  to += motion_size(run);
  put(&to, &run->counters, sizeof run->counters);
  if (run->event != NULL) put(&to, run->event->before, before_size(run));
  put_samples(&run->samples, &to);
  return thud_record_checkpoint(run->writer, run->block, size);
}

static thud_error fail_checkpoint(const system_run *run, const char *what) {
  return thud_fail(run->scene->context, THUD_ERROR_ARGUMENT, "%s: %s", run->options->record, what);
}

/* The samples as they were; the times of a run that was given none now are those of before. */
static thud_error get_samples(system_run *run, const unsigned char *from, size_t size) {
  collect_samples *samples = &run->samples;
  double head[SAMPLES_HEAD];
  size_t n = (size_t)samples->n;
  get(&from, head, sizeof head);
  size_t most = size / sizeof(double);
  bool whole = head[0] >= 0 && head[0] <= (double)most && samples_size(samples->n, (size_t)head[0]) == size &&
               head[1] >= 0 && head[1] <= head[0];
  if (!whole) return fail_checkpoint(run, "the checkpoint is damaged");
  size_t count = (size_t)head[0];
  const unsigned char *times = from + 2 * n * sizeof(double);
  if (samples->count == 0 && count > 0) {
    double *given = THUD_NEW_ARRAY(run->scene->context, double, count);
    if (given == NULL) return THUD_ERROR_MEMORY;
    memcpy(given, times, count * sizeof(double));
    collect_samples_destroy(samples);
    thud_error error = collect_samples_create(run->scene->context, 2 * run->n, count, given, run->scene->start,
                                              run->scene->end, samples);
    thud_free(run->scene->context, given);
    if (error != THUD_OK) return error;
  }
  if (samples->count != count || (count > 0 && memcmp(samples->times, times, count * sizeof(double)) != 0))
    return fail_checkpoint(run, "the run was begun with other sample times: give the same --at as before, or none");
  get(&from, samples->first_state, n * sizeof(double));
  get(&from, samples->last_state, n * sizeof(double));
  from += count * sizeof(double);
  get(&from, samples->right, count * n * sizeof(double));
  get(&from, samples->left, count * n * sizeof(double));
  samples->next = (size_t)head[1];
  samples->last_time = head[2];
  samples->any = head[3] != 0;
  return THUD_OK;
}

static thud_error take_up(system_run *run, const thud_record_resumption *found) {
  size_t motion = motion_size(run), head = head_size(run);
  if (found->size < head + samples_size(run->samples.n, 0))
    return fail_checkpoint(run, "the checkpoint is damaged, or of another version of thud");
  thud_error error = run->event != NULL ? thud_event_motion_restore(run->event->motion, found->state, motion)
                                        : thud_motion_restore(run->motion, found->state, motion);
  if (error != THUD_OK) return thud_fail_within(run->scene->context, error, "%s", run->options->record);
  const unsigned char *from = (const unsigned char *)found->state + motion;
  get(&from, &run->counters, sizeof run->counters);
  if (run->event != NULL) {
    get(&from, run->event->before, before_size(run));
    run->event->any = true;
  }
  return get_samples(run, from, found->size - head);
}

/* ---- resuming
 * ------------------------------------------------------------------------------------------------------------- */

typedef struct event_columns {
  size_t t, left, right, reaction, atom;
} event_columns;

static thud_error find_columns(const thud_record_reader *reader, event_columns *columns) {
  thud_error error = thud_record_find_role(reader, "time", &columns->t);
  if (error == THUD_OK) error = thud_record_find_role(reader, "velocity_left", &columns->left);
  if (error == THUD_OK) error = thud_record_find_role(reader, "velocity", &columns->right);
  if (error == THUD_OK) error = thud_record_find_role(reader, "reaction", &columns->reaction);
  return error == THUD_OK ? thud_record_find_role(reader, "atom", &columns->atom) : error;
}

static thud_error read_event(system_run *run, thud_record_reader *reader, const event_columns *columns, size_t row,
                             double *numbers) {
  size_t n = (size_t)run->n, m = (size_t)run->m, s = (size_t)run->s;
  double t, *left = numbers, *right = numbers + n, *reaction = right + n, *atom = reaction + m + s;
  bool any = false;
  thud_error error = thud_record_read(reader, columns->atom, row, 1, atom);
  for (size_t i = 0; i < m; i++) any = any || atom[i] != 0;
  if (error != THUD_OK || !any) return error;
  error = thud_record_read(reader, columns->t, row, 1, &t);
  if (error == THUD_OK) error = thud_record_read(reader, columns->left, row, 1, left);
  if (error == THUD_OK) error = thud_record_read(reader, columns->right, row, 1, right);
  if (error == THUD_OK) error = thud_record_read(reader, columns->reaction, row, 1, reaction);
  return error == THUD_OK ? system_run_keep_event(run, t, left, right, reaction, atom) : error;
}

/* The impacts before the checkpoint, from the rows that show them: impacts are always recorded. */
static thud_error read_events(system_run *run, thud_record_reader *reader, size_t rows) {
  event_columns columns;
  if (run->m == 0) return THUD_OK;
  double *numbers = THUD_NEW_ARRAY(run->scene->context, double, system_event_size(run));
  if (numbers == NULL) return THUD_ERROR_MEMORY;
  thud_error error = find_columns(reader, &columns);
  for (size_t row = 0; row < rows && error == THUD_OK && run->kept < run->options->max_events; row++)
    error = read_event(run, reader, &columns, row, numbers);
  thud_free(run->scene->context, numbers);
  return error;
}

/* Takes up the newest checkpoint of a record that was made by the same scene and has not ended; of any other nothing is
 * read here. The file is not touched. */
static thud_error read_old(system_run *run, thud_record_reader *reader) {
  thud_record_resumption found = {0};
  thud_record_info info = thud_record_reader_info(reader);
  bool ended = info.finished && strcmp(info.verdict, run_verdict_name(THUD_VERDICT_STOPPED)) != 0;
  if (ended || strcmp(info.scene, run->scene->text) != 0) return THUD_OK;
  thud_error error = thud_record_read_checkpoint(reader, &found);
  if (error == THUD_OK) error = take_up(run, &found);
  if (error == THUD_OK)
    error =
        run->event != NULL ? event_record_read_events(run, reader, found.rows) : read_events(run, reader, found.rows);
  thud_record_resumption_free(run->scene->context, &found);
  return error;
}

/* The record is cut back only when everything else is known to be good; thud_record_resume refuses records of other
 * scenes and those of runs that have ended. */
static thud_error resume(system_run *run) {
  thud_context *context = run->scene->context;
  thud_record_reader *reader;
  thud_record_resumption found = {0};
  thud_error error = thud_record_open(context, run->options->record, &reader);
  if (error != THUD_OK) return error;
  error = read_old(run, reader);
  thud_record_reader_destroy(reader);
  if (error != THUD_OK) return error;
  error = thud_record_resume(context, run->options->record, NULL, run->scene->text,
                             thud_scene_get_info(run->scene).method, &run->writer, &found);
  thud_record_resumption_free(context, &found);
  return error;
}

static thud_error describe(const system_run *run, thud_arena *arena, thud_record_channel channels[MOST_CHANNELS],
                           size_t *count) {
  const char **reactions = NULL;
  thud_error error = reaction_names(run, arena, &reactions);
  if (error != THUD_OK) return error;
  if (run->event != NULL) return event_record_channels(run, arena, reactions, channels, count);
  const char *unit = system_velocity_unit(run->scene, arena);
  if (unit == NULL) return THUD_ERROR_MEMORY;
  *count = describe_channels(run, reactions, unit, channels);
  return THUD_OK;
}

static thud_error create(system_run *run) {
  const thud_scene *scene = run->scene;
  const scene_system *made = scene->lagrangian;
  thud_context *context = scene->context;
  thud_arena *arena;
  thud_error error = thud_arena_create(context, 4096, &arena);
  if (error != THUD_OK) return error;
  char *options = NULL;
  size_t count = 0;
  thud_record_channel channels[MOST_CHANNELS];
  error = describe(run, arena, channels, &count);
  if (error == THUD_OK)
    error = run->event != NULL ? scene_options_json(context, thud_event_option_table(), &made->event, -1, &options)
                               : scene_options_json(context, thud_motion_option_table(), &made->motion, -1, &options);
  if (error == THUD_OK) {
    thud_record_header header = {
        .title = scene->title, .method = thud_scene_get_info(scene).method, .scene = scene->text, .options = options};
    thud_record_options record = thud_record_options_default();
    record.overwrite = run->options->overwrite;
    error = thud_record_create(context, run->options->record, &record, &header, count, channels, &run->writer);
  }
  thud_free(context, options);
  thud_arena_destroy(arena);
  return error;
}

thud_error system_record_start(system_run *run) {
  if (run->options->record == NULL) return THUD_OK;
  return run->options->resume ? resume(run) : create(run);
}
