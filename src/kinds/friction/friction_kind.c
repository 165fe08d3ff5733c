/* Composed friction laws as a kind of motion: the velocities are given functions of time, each row is the answer of the
 * laws at its time. There is no history: the state is the number of the row. */
#include "kinds/kinds.h"
#include "run/run.h"
#include "run/view.h"
#include "kinds/friction/friction_scene.h"
#include "scene/resolve.h"

#include <math.h>
#include <string.h>

/* An answer is one of several when its range is wider than this part of what its component is large or small beside. */
static const double several_width = 1e-6;

enum { FRAME_CHANNELS = 13, EVENT_CHANNELS = 5 };
enum { SEVERAL_FORCES, SEVERAL_VELOCITIES, EVENT_KINDS };
static const char *const event_kinds[EVENT_KINDS] = {"several-forces", "several-velocities"};

/* Everything that changes, without pointers. */
typedef struct friction_state {
  double next; /* number of the row that comes next */
  double t, dissipation, gap;
  double largest, largest_t; /* dissipation */
  double events[EVENT_KINDS];
} friction_state;

typedef struct friction {
  thud_scene *scene;
  friction_state state;
  size_t driven, internal, rows;
  double *velocity, *force, *force_low, *force_high; /* [driven] */
  double *inner, *inner_low, *inner_high;            /* [internal] */
  double *force_scale, *inner_scale;                 /* [driven], [internal] */
  double *slip, *forces;                             /* [rows] */
  char **labels;     /* [2 driven + internal] components of the state, [rows] those of the laws */
  char **components; /* what an event is about: those of the force, then of the internal velocities */
  size_t label_count;
  thud_record_channel frames[FRAME_CHANNELS], events[EVENT_CHANNELS];
  thud_record_layout layout;
  struct thud_friction_outline *outline; /* of the view; no part of the motion */
} friction;

static void destroy(void *motion) {
  friction *made = motion;
  thud_context *context = made->scene->context;
  double *const arrays[] = {made->velocity, made->force,       made->force_low,  made->force_high,
                            made->inner,    made->inner_low,   made->inner_high, made->slip,
                            made->forces,   made->force_scale, made->inner_scale};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(context, arrays[k]);
  for (size_t k = 0; made->labels != NULL && k < made->label_count; k++) thud_free(context, made->labels[k]);
  thud_free(context, made->labels);
  thud_free(context, made->components);
  thud_friction_outline_destroy(context, made->outline);
  thud_free(context, made);
}

/* ---- channels ---------------------------------------------------------------------------------------------------- */

static thud_error add_label(friction *made, const char *format, const char *name, size_t number) {
  char text[2 * THUD_RECORD_NAME_LENGTH];
  snprintf(text, sizeof text, format, name, number); /* NOLINT: the formats are those of this file */
  char *copy = thud_strdup(made->scene->context, text);
  if (copy == NULL) return THUD_ERROR_MEMORY;
  made->labels[made->label_count++] = copy;
  return THUD_OK;
}

/* x' and F_x of the driven velocities, those of the internal ones, and the rows of the laws: ground, or ground.1 ... */
static thud_error name_components(friction *made) {
  const scene_friction *laws = thud_scene_friction(made->scene);
  thud_error error = THUD_OK;
  for (size_t j = 0; j < made->driven && error == THUD_OK; j++) error = add_label(made, "%s'", laws->names[j], 0);
  for (size_t j = 0; j < made->driven && error == THUD_OK; j++) error = add_label(made, "F_%s", laws->names[j], 0);
  for (size_t j = made->driven; j < made->driven + made->internal && error == THUD_OK; j++)
    error = add_label(made, "%s'", laws->names[j], 0);
  for (size_t k = 0; k < laws->laws; k++) {
    size_t count = laws->first[k + 1] - laws->first[k];
    for (size_t i = 0; i < count && error == THUD_OK; i++)
      error = add_label(made, count == 1 ? "%s" : "%s.%zu", laws->law_names[k], i + 1);
  }
  return error;
}

static thud_record_channel channel(const char *name, size_t width, char *const *components, const char *description) {
  return (thud_record_channel){.name = name,
                               .width = width,
                               .components = (const char *const *)components,
                               .role = name,
                               .description = description,
                               .look = THUD_LOOK_LINE};
}

static void describe_frames(friction *made) {
  char *const *velocity = made->labels, *const *force = velocity + made->driven, *const *inner = force + made->driven,
              *const *rows = inner + made->internal;
  size_t count = 0;
  thud_record_channel *frames = made->frames;
  frames[count++] = (thud_record_channel){
      .name = "t", .width = 1, .unit = made->scene->time_unit, .role = "time", .description = "time"};
  frames[count] = channel("velocity", made->driven, velocity, "driven velocities, as given");
  frames[count++].state = true;
  frames[count] = channel("force", made->driven, force, "resistance to them; one of several where its range is open");
  frames[count++].state = true;
  if (made->internal > 0) {
    frames[count] = channel("internal", made->internal, inner, "internal velocities of least dissipation");
    frames[count++].state = true;
    frames[count++] = channel("internal-low", made->internal, inner, "least internal velocities of all answers");
    frames[count++] = channel("internal-high", made->internal, inner, "largest internal velocities of all answers");
  }
  frames[count++] = channel("force-low", made->driven, force, "least forces of all answers");
  frames[count++] = channel("force-high", made->driven, force, "largest forces of all answers");
  frames[count++] = channel("slip", made->rows, rows, "slip velocities of the laws");
  frames[count++] = channel("forces", made->rows, rows, "forces of the laws");
  frames[count++] = channel("dissipation", 1, NULL, "dissipated power");
  frames[count++] = channel("gap", 1, NULL, "difference of the dissipation from above and from below");
  made->layout.count[THUD_RECORD_FRAMES] = count;
}

static void describe_events(friction *made) {
  thud_record_channel *events = made->events;
  events[0] = (thud_record_channel){
      .name = "t", .width = 1, .unit = made->scene->time_unit, .role = "time", .description = "time"};
  events[1] = (thud_record_channel){.name = "kind",
                                    .type = THUD_RECORD_SMALL,
                                    .width = 1,
                                    .role = "kind",
                                    .description = "what there are several of",
                                    .label_count = EVENT_KINDS,
                                    .labels = event_kinds};
  events[2] = (thud_record_channel){.name = "component",
                                    .type = THUD_RECORD_INTEGER,
                                    .width = 1,
                                    .role = "component",
                                    .description = "which component",
                                    .label_count = made->driven + made->internal,
                                    .labels = (const char *const *)made->components};
  events[3] = channel("low", 1, NULL, "its least value");
  events[4] = channel("high", 1, NULL, "its largest value");
  made->layout.count[THUD_RECORD_EVENTS] = EVENT_CHANNELS;
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

static thud_error allocate(friction *made) {
  thud_context *context = made->scene->context;
  size_t driven = made->driven, internal = made->internal, rows = made->rows;
  struct {
    double **place;
    size_t count;
  } const wanted[] = {{&made->velocity, driven},     {&made->force, driven},        {&made->force_low, driven},
                      {&made->force_high, driven},   {&made->inner, internal},      {&made->inner_low, internal},
                      {&made->inner_high, internal}, {&made->slip, rows},           {&made->forces, rows},
                      {&made->force_scale, driven},  {&made->inner_scale, internal}};
  for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
    *wanted[k].place = THUD_NEW_ARRAY(context, double, wanted[k].count);
    if (*wanted[k].place == NULL) return THUD_ERROR_MEMORY;
  }
  made->labels = THUD_NEW_ARRAY(context, char *, 2 * driven + internal + rows);
  made->components = THUD_NEW_ARRAY(context, char *, driven + internal);
  if (made->labels == NULL || made->components == NULL) return THUD_ERROR_MEMORY;
  thud_error error = name_components(made);
  for (size_t k = 0; error == THUD_OK && k < driven + internal; k++) made->components[k] = made->labels[driven + k];
  return error;
}

static thud_error build(thud_scene *scene, const thud_node *root, void **motion) {
  thud_error error = thud_scene_build_friction(scene, root);
  if (error == THUD_OK) error = thud_scene_build_units(scene, root);
  friction *made = error == THUD_OK ? THUD_NEW(scene->context, friction) : NULL;
  if (made == NULL) return error == THUD_OK ? THUD_ERROR_MEMORY : error;
  made->scene = scene;
  made->driven = thud_scene_friction(scene)->driven;
  made->internal = thud_scene_friction(scene)->internal;
  made->rows = thud_scene_friction(scene)->rows;
  made->state.t = scene->start;
  error = allocate(made);
  if (error == THUD_OK) error = thud_friction_outline_create(scene, &made->outline);
  if (error != THUD_OK) {
    destroy(made);
    return error;
  }
  made->layout.channels[THUD_RECORD_FRAMES] = made->frames;
  made->layout.channels[THUD_RECORD_EVENTS] = made->events;
  describe_frames(made);
  describe_events(made);
  *motion = made;
  return THUD_OK;
}

static const char *method(const void *motion) {
  (void)motion;
  return "minimum-dissipation";
}

static const thud_record_layout *layout(const void *motion) { return &((const friction *)motion)->layout; }

/* ---- answers ----------------------------------------------------------------------------------------------------- */

/* Fills everything of a row at t; *why is not NULL when there is no answer, and the context's message says more. */
static thud_error answer_at(friction *made, double t, const char **why) {
  thud_composition *composition = thud_scene_friction(made->scene)->composition;
  thud_composition_answer answer;
  friction_state *state = &made->state;
  thud_error error = thud_scene_place_friction(made->scene, t, made->velocity);
  if (error == THUD_OK) error = thud_composition_solve(composition, made->velocity, &answer);
  if (error != THUD_OK) return error;
  state->t = t;
  *why = NULL;
  if (!answer.admissible) {
    (void)thud_fail(made->scene->context, THUD_ERROR_UNSUPPORTED,
                    "t = %.15g: the laws forbid this velocity: no force of theirs could resist it", t);
    *why = "impossible velocity";
    return THUD_OK;
  }
  if (!answer.info.converged) {
    (void)thud_fail(made->scene->context, THUD_ERROR_NOT_CONVERGED,
                    "t = %.15g: after %d steps the laws hold to %.3g of their sizes only", t,
                    (int)answer.info.iterations, answer.residual);
    *why = "not converged";
    return THUD_OK;
  }
  state->dissipation = answer.dissipation;
  state->gap = fmax(state->gap, answer.gap);
  if (answer.dissipation > state->largest) {
    state->largest = answer.dissipation;
    state->largest_t = t;
  }
  memcpy(made->force, answer.force, made->driven * sizeof(double));
  memcpy(made->inner, answer.velocity, made->internal * sizeof(double));
  memcpy(made->force_scale, answer.force_scale, made->driven * sizeof(double));
  memcpy(made->inner_scale, answer.velocity_scale, made->internal * sizeof(double));
  memcpy(made->slip, answer.slip, made->rows * sizeof(double));
  memcpy(made->forces, answer.forces, made->rows * sizeof(double));
  return thud_composition_ranges(composition, made->force_low, made->force_high, made->inner_low, made->inner_high);
}

static bool is_open(double low, double high, double scale) {
  return isinf(low) || isinf(high) || high - low > several_width * fmax(scale, fmax(fabs(low), fabs(high)));
}

/* One event for every component of which there are several values. */
static int hand_out_ranges(friction *made, const thud_row_sink *sink, int kind, size_t count, size_t first,
                           const double *low, const double *high, const double *scale) {
  int answer = 0;
  for (size_t k = 0; k < count && answer == 0; k++) {
    if (!is_open(low[k], high[k], scale[k])) continue;
    double number = kind, component = (double)(first + k);
    const thud_record_cell cells[EVENT_CHANNELS] = {{.values = &made->state.t, .count = 1},
                                                    {.values = &number, .count = 1},
                                                    {.values = &component, .count = 1},
                                                    {.values = &low[k], .count = 1},
                                                    {.values = &high[k], .count = 1}};
    made->state.events[kind]++;
    answer = sink->event(sink->user, made->state.t, cells);
  }
  return answer;
}

static int hand_out(friction *made, const thud_row_sink *sink, unsigned flags) {
  thud_record_cell cells[FRAME_CHANNELS];
  size_t count = 0;
  struct {
    const double *values;
    size_t width;
  } const wanted[] = {{&made->state.t, 1},
                      {made->velocity, made->driven},
                      {made->force, made->driven},
                      {made->inner, made->internal},
                      {made->inner_low, made->internal},
                      {made->inner_high, made->internal},
                      {made->force_low, made->driven},
                      {made->force_high, made->driven},
                      {made->slip, made->rows},
                      {made->forces, made->rows},
                      {&made->state.dissipation, 1},
                      {&made->state.gap, 1}};
  for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
    if (wanted[k].width > 0) cells[count++] = (thud_record_cell){.values = wanted[k].values, .count = wanted[k].width};
  return sink->frame(sink->user, made->state.t, flags, cells);
}

static double row_time(const friction *made, double k) {
  const thud_scene *scene = made->scene;
  return k < scene->steps ? scene->start + k / scene->steps * (scene->end - scene->start) : scene->end;
}

static thud_error advance(void *motion, const thud_row_sink *sink, thud_reached *reached) {
  friction *made = motion;
  const char *why = NULL;
  double gap = made->state.gap;
  made->state.gap = 0; /* the row has its own */
  thud_error error = answer_at(made, row_time(made, made->state.next), &why);
  if (error != THUD_OK) return error;
  *reached = (thud_reached){.t = made->state.t};
  if (why != NULL) {
    reached->status = THUD_MOTION_FAILED;
    reached->what = why;
    return THUD_OK;
  }
  int answer = hand_out_ranges(made, sink, SEVERAL_FORCES, made->driven, 0, made->force_low, made->force_high,
                               made->force_scale);
  if (answer == 0)
    answer = hand_out_ranges(made, sink, SEVERAL_VELOCITIES, made->internal, made->driven, made->inner_low,
                             made->inner_high, made->inner_scale);
  if (answer == 0) answer = hand_out(made, sink, 0);
  made->state.gap = fmax(gap, made->state.gap);
  if (made->state.next >= made->scene->steps) reached->status = THUD_MOTION_COMPLETED;
  made->state.next++;
  if (answer > 0) reached->status = THUD_MOTION_STOPPED;
  return answer < 0 ? THUD_ERROR_CALLBACK : THUD_OK;
}

static thud_error finish(void *motion, const thud_row_sink *sink) {
  return hand_out(motion, sink, THUD_ROW_AGAIN) < 0 ? THUD_ERROR_CALLBACK : THUD_OK;
}

/* ---- checkpoints ------------------------------------------------------------------------------------------------- */

static size_t state_size(const void *motion) {
  (void)motion;
  return sizeof(friction_state);
}

static void save(const void *motion, void *state) {
  memcpy(state, &((const friction *)motion)->state, sizeof(friction_state));
}

/* The row of the state is found again: it has no history. */
static thud_error restore(void *motion, const void *state, size_t size) {
  friction *made = motion;
  const char *why;
  if (size != sizeof(friction_state)) return THUD_ERROR_FORMAT;
  memcpy(&made->state, state, size);
  if (made->state.next == 0) return THUD_OK;
  friction_state kept = made->state;
  thud_error error = answer_at(made, kept.t, &why);
  made->state = kept;
  return error;
}

/* ---- reporting --------------------------------------------------------------------------------------------------- */

/* The state itself is in the report already. */
static void report_events(const friction *made, thud_report *report) {
  enum { SHOWN = 6 };
  size_t kept = thud_report_kept_count(report), total = (size_t)(made->state.events[0] + made->state.events[1]);
  for (size_t k = 0; k < kept && k < SHOWN; k++) {
    const thud_record_cell *cells = thud_report_kept_event(report, k);
    thud_report_line(report, "several", "at t = %.6g: %s from %.10g to %.10g", cells[0].values[0],
                     made->components[(size_t)cells[2].values[0]], cells[3].values[0], cells[4].values[0]);
  }
  if (total > SHOWN) thud_report_line(report, "several", "%zu more", total - SHOWN);
}

static void report(const void *motion, thud_report *report) {
  const friction *made = motion;
  const friction_state *state = &made->state;
  thud_report_method(report, "%.0f rows", state->next);
  thud_report_integer(report, "rows", (int64_t)state->next);
  thud_report_number(report, "dissipation", state->dissipation);
  thud_report_of_run_alone(report, made->scene->record_every > 0); /* of rows that are not in the record */
  thud_report_number(report, "largest_dissipation", state->largest);
  thud_report_number(report, "largest_dissipation_time", state->largest_t);
  thud_report_number(report, "gap", state->gap);
  thud_report_integer(report, "several_forces", (int64_t)state->events[SEVERAL_FORCES]);
  thud_report_integer(report, "several_velocities", (int64_t)state->events[SEVERAL_VELOCITIES]);
  thud_report_of_run_alone(report, false);
  thud_report_line(report, "dissipation", "%.10g (largest %.10g, at t = %.6g)", state->dissipation, state->largest,
                   state->largest_t);
  thud_report_line(report, "gap", "%.3g (of the dissipation, worst)", state->gap);
  report_events(made, report);
}

static thud_error check(const void *motion, thud_report *report) {
  const friction *made = motion;
  const thud_scene *scene = made->scene;
  thud_report_line(report, "kind", "composed friction: %zu laws, %zu driven and %zu internal velocities",
                   thud_scene_friction(scene)->laws, made->driven, made->internal);
  thud_report_integer(report, "laws", (int64_t)thud_scene_friction(scene)->laws);
  thud_report_integer(report, "internal", (int64_t)made->internal);
  thud_report_line(report, "run", "%d steps, t = %g to %g", (int)scene->steps, scene->start, scene->end);
  return THUD_OK;
}

static thud_error draw(const void *motion, thud_moment *moment, thud_drawing *drawing) {
  const friction *made = motion;
  return thud_view_friction(made->scene, made->outline, moment, drawing);
}

static const thud_kind_keys options[] = {{.place = NULL}};

const thud_kind thud_kind_friction = {.name = "friction",
                                      .section = "friction",
                                      .options = options,
                                      .resolve = thud_resolve_friction,
                                      .build = build,
                                      .destroy = destroy,
                                      .method = method,
                                      .layout = layout,
                                      .advance = advance,
                                      .finish = finish,
                                      .state_size = state_size,
                                      .save = save,
                                      .restore = restore,
                                      .report = report,
                                      .check = check,
                                      .draw = draw};
