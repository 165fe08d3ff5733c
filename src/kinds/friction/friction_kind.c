/* Composed friction laws as a kind of motion: the velocities are given functions of time. */
#include "kinds/kinds.h"
#include "run/run.h"
#include "kinds/friction/friction_scene.h"
#include "thud/friction.h"

#include <stdio.h>

enum { FRAME_CHANNELS = 14, EVENT_CHANNELS = 5 };
static const char *const event_kinds[THUD_FRICTION_EVENT_KINDS] = {"several-forces", "several-velocities"};

typedef struct friction {
  thud_kind_object object;
  friction_scene laws;
  const thud_row_sink *sink; /* of the advance in progress */
  char **labels;             /* [2 driven + internal] components of the state, [rows] those of the laws, */
  char **places;             /* [driven + internal] and the coordinates */
  char **components;         /* what an event is about: those of the force, then of the internal velocities */
  size_t label_count;
  thud_record_channel frames[FRAME_CHANNELS], events[EVENT_CHANNELS];
  thud_record_layout layout;
  friction_outline *outline; /* of the view; no part of the motion */
} friction;

static void destroy(void *motion) {
  friction *made = motion;
  thud_context *context = made->laws.scene->context;
  thud_motion_destroy(made->object.motion);
  for (size_t k = 0; made->labels != NULL && k < made->label_count; k++) thud_free(context, made->labels[k]);
  thud_free(context, made->labels);
  thud_free(context, made->components);
  thud_friction_outline_destroy(context, made->outline);
  thud_friction_scene_free(&made->laws);
  thud_free(context, made);
}

/* ---- channels ---------------------------------------------------------------------------------------------------- */

static thud_error add_label(friction *made, const char *format, const char *name, size_t number) {
  char text[2 * THUD_RECORD_NAME_LENGTH];
  snprintf(text, sizeof text, format, name, number); /* NOLINT: the formats are those of this file */
  char *copy = thud_strdup(made->laws.scene->context, text);
  if (copy == NULL) return THUD_ERROR_MEMORY;
  made->labels[made->label_count++] = copy;
  return THUD_OK;
}

/* x' and F_x of the driven velocities, those of the internal ones, and the rows of the laws: ground, or ground.1 ... */
static thud_error name_components(friction *made) {
  const friction_scene *laws = &made->laws;
  thud_error error = THUD_OK;
  for (size_t j = 0; j < made->laws.driven && error == THUD_OK; j++) error = add_label(made, "%s'", laws->names[j], 0);
  for (size_t j = 0; j < made->laws.driven && error == THUD_OK; j++) error = add_label(made, "F_%s", laws->names[j], 0);
  for (size_t j = made->laws.driven; j < made->laws.driven + made->laws.internal && error == THUD_OK; j++)
    error = add_label(made, "%s'", laws->names[j], 0);
  for (size_t k = 0; k < laws->laws; k++) {
    size_t count = laws->first[k + 1] - laws->first[k];
    for (size_t i = 0; i < count && error == THUD_OK; i++)
      error = add_label(made, count == 1 ? "%s" : "%s.%zu", laws->law_names[k], i + 1);
  }
  made->places = made->labels + made->label_count;
  for (size_t j = 0; j < laws->driven + laws->internal && error == THUD_OK; j++)
    error = add_label(made, "%s", laws->names[j], 0);
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
  char *const *velocity = made->labels, *const *force = velocity + made->laws.driven,
              *const *inner = force + made->laws.driven, *const *rows = inner + made->laws.internal;
  size_t count = 0;
  thud_record_channel *frames = made->frames;
  frames[count++] = (thud_record_channel){
      .name = "t", .width = 1, .unit = made->laws.scene->time_unit, .role = "time", .description = "time"};
  frames[count] = channel("velocity", made->laws.driven, velocity, "driven velocities, as given");
  frames[count++].state = true;
  frames[count] =
      channel("force", made->laws.driven, force, "resistance to them; one of several where its range is open");
  frames[count++].state = true;
  if (made->laws.internal > 0) {
    frames[count] = channel("internal", made->laws.internal, inner, "internal velocities of least dissipation");
    frames[count++].state = true;
    frames[count++] = channel("internal-low", made->laws.internal, inner, "least internal velocities of all answers");
    frames[count++] =
        channel("internal-high", made->laws.internal, inner, "largest internal velocities of all answers");
  }
  frames[count++] = channel("force-low", made->laws.driven, force, "least forces of all answers");
  frames[count++] = channel("force-high", made->laws.driven, force, "largest forces of all answers");
  frames[count++] = channel("slip", made->laws.rows, rows, "slip velocities of the laws");
  frames[count++] = channel("forces", made->laws.rows, rows, "forces of the laws");
  frames[count++] = channel("dissipation", 1, NULL, "dissipated power");
  frames[count++] = channel("gap", 1, NULL, "difference of the dissipation from above and from below");
  if (made->laws.initial != NULL) {
    frames[count] = channel("configuration", made->laws.driven + made->laws.internal, made->places,
                            "coordinates, driven and internal");
    frames[count++].state = true;
  }
  made->layout.count[THUD_RECORD_FRAMES] = count;
}

static void describe_events(friction *made) {
  thud_record_channel *events = made->events;
  events[0] = (thud_record_channel){
      .name = "t", .width = 1, .unit = made->laws.scene->time_unit, .role = "time", .description = "time"};
  events[1] = (thud_record_channel){.name = "kind",
                                    .type = THUD_RECORD_SMALL,
                                    .width = 1,
                                    .role = "kind",
                                    .description = "what there are several of",
                                    .label_count = THUD_FRICTION_EVENT_KINDS,
                                    .labels = event_kinds};
  events[2] = (thud_record_channel){.name = "component",
                                    .type = THUD_RECORD_INTEGER,
                                    .width = 1,
                                    .role = "component",
                                    .description = "which component",
                                    .label_count = made->laws.driven + made->laws.internal,
                                    .labels = (const char *const *)made->components};
  events[3] = channel("low", 1, NULL, "its least value");
  events[4] = channel("high", 1, NULL, "its largest value");
  made->layout.count[THUD_RECORD_EVENTS] = EVENT_CHANNELS;
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

static thud_error make_labels(friction *made) {
  thud_context *context = made->laws.scene->context;
  size_t driven = made->laws.driven, internal = made->laws.internal;
  made->labels = THUD_NEW_ARRAY(context, char *, 3 * driven + 2 * internal + made->laws.rows);
  made->components = THUD_NEW_ARRAY(context, char *, driven + internal);
  if (made->labels == NULL || made->components == NULL) return THUD_ERROR_MEMORY;
  thud_error error = name_components(made);
  for (size_t k = 0; error == THUD_OK && k < driven + internal; k++) made->components[k] = made->labels[driven + k];
  return error;
}

static thud_error place(void *user, double t, double *W) { return thud_friction_scene_place(user, t, W); }

static thud_error place_at(void *user, double t, const double *q, double *W) {
  thud_friction_scene_at(user, q);
  return thud_friction_scene_place(user, t, W);
}

static thud_error start(friction *made) {
  friction_scene *laws = &made->laws;
  const thud_scene *scene = laws->scene;
  const thud_friction_problem problem = {.composition = laws->composition,
                                         .driven = laws->driven,
                                         .internal = laws->internal,
                                         .rows = laws->rows,
                                         .place = place,
                                         .user = laws,
                                         .start = scene->start,
                                         .end = scene->end,
                                         .steps = (size_t)scene->steps,
                                         .initial = laws->initial,
                                         .place_at = place_at};
  thud_error error = thud_friction_motion_create(scene->context, &problem, &made->object.motion);
  return error == THUD_OK ? make_labels(made) : error;
}

/* With a motion, or without one for pictures. */
static thud_error make(thud_scene *scene, const thud_node *root, bool moves, void **motion) {
  friction *made = THUD_NEW(scene->context, friction);
  if (made == NULL) return THUD_ERROR_MEMORY;
  thud_error error = thud_friction_scene_build(scene, root, &made->laws);
  if (error == THUD_OK && moves) error = start(made);
  if (error == THUD_OK) error = thud_friction_outline_create(&made->laws, &made->outline);
  if (error != THUD_OK) {
    destroy(made);
    return error;
  }
  made->layout.channels[THUD_RECORD_FRAMES] = made->frames;
  made->layout.channels[THUD_RECORD_EVENTS] = made->events;
  if (moves) describe_frames(made);
  if (moves) describe_events(made);
  *motion = made;
  return THUD_OK;
}

static thud_error build(thud_scene *scene, const thud_node *root, void **motion) {
  return make(scene, root, true, motion);
}

static thud_error build_view(thud_scene *scene, const thud_node *root, void **motion) {
  return make(scene, root, false, motion);
}

static const char *method(const void *motion) {
  (void)motion;
  return "minimum-dissipation";
}

static const thud_record_layout *layout(const void *motion) { return &((const friction *)motion)->layout; }

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static int hand_out(const friction *made, const thud_friction_frame *frame, unsigned flags) {
  thud_record_cell cells[FRAME_CHANNELS];
  size_t count = 0, driven = made->laws.driven, internal = made->laws.internal, rows = made->laws.rows;
  const struct {
    const double *values;
    size_t width;
  } wanted[] = {{&frame->t, 1},
                {frame->velocity, driven},
                {frame->force, driven},
                {frame->inner, internal},
                {frame->inner_low, internal},
                {frame->inner_high, internal},
                {frame->force_low, driven},
                {frame->force_high, driven},
                {frame->slip, rows},
                {frame->forces, rows},
                {&frame->dissipation, 1},
                {&frame->gap, 1},
                {frame->configuration, frame->configuration != NULL ? driven + internal : 0}};
  for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
    if (wanted[k].width > 0) cells[count++] = (thud_record_cell){.values = wanted[k].values, .count = wanted[k].width};
  return made->sink->frame(made->sink->user, frame->t, flags, cells);
}

static int on_frame(void *user, const void *frame) { return hand_out(user, frame, 0); }

static int on_event(void *user, const void *given) {
  const friction *made = user;
  const thud_friction_event *event = given;
  size_t first = event->kind == THUD_FRICTION_SEVERAL_FORCES ? 0 : made->laws.driven;
  double kind = event->kind, component = (double)(first + event->component);
  const thud_record_cell cells[EVENT_CHANNELS] = {{.values = &event->t, .count = 1},
                                                  {.values = &kind, .count = 1},
                                                  {.values = &component, .count = 1},
                                                  {.values = &event->low, .count = 1},
                                                  {.values = &event->high, .count = 1}};
  return made->sink->event(made->sink->user, event->t, cells);
}

static thud_error advance(void *motion, const thud_row_sink *sink, thud_reached *reached) {
  friction *made = motion;
  const thud_motion_sink inner = {.frame = on_frame, .event = on_event, .user = made};
  made->sink = sink;
  return thud_motion_step(made->object.motion, &inner, reached);
}

static thud_error finish(void *motion, const thud_row_sink *sink) {
  friction *made = motion;
  const thud_friction_frame frame = thud_friction_motion_present(made->object.motion);
  made->sink = sink;
  return hand_out(made, &frame, THUD_ROW_AGAIN) < 0 ? THUD_ERROR_CALLBACK : THUD_OK;
}

/* ---- reporting --------------------------------------------------------------------------------------------------- */

/* The state itself is in the report already. */
static void report_events(const friction *made, const thud_friction_motion_info *info, thud_report *report) {
  enum { SHOWN = 6 };
  size_t kept = thud_report_kept_count(report), total = info->events[0] + info->events[1];
  for (size_t k = 0; k < kept && k < SHOWN; k++) {
    const thud_record_cell *cells = thud_report_kept_event(report, k);
    thud_report_line(report, "several", "at t = %.6g: %s from %.10g to %.10g", cells[0].values[0],
                     made->components[(size_t)cells[2].values[0]], cells[3].values[0], cells[4].values[0]);
  }
  if (total > SHOWN) thud_report_line(report, "several", "%zu more", total - SHOWN);
}

static void report(const void *motion, thud_report *report) {
  const friction *made = motion;
  const thud_friction_motion_info info = thud_friction_motion_get_info(made->object.motion);
  bool thinned = report->for_record && made->laws.scene->record_every > 0; /* the record lacks rows */
  thud_report_method(report, "%zu rows", info.rows);
  thud_report_integer(report, "rows", (int64_t)info.rows);
  thud_report_number(report, "dissipation", info.dissipation);
  if (!thinned) {
    thud_report_number(report, "largest_dissipation", info.largest_dissipation);
    thud_report_number(report, "largest_dissipation_time", info.largest_dissipation_time);
    thud_report_number(report, "gap", info.gap);
    thud_report_integer(report, "several_forces", (int64_t)info.events[THUD_FRICTION_SEVERAL_FORCES]);
    thud_report_integer(report, "several_velocities", (int64_t)info.events[THUD_FRICTION_SEVERAL_VELOCITIES]);
  }
  thud_report_line(report, "dissipation", "%.10g (largest %.10g, at t = %.6g)", info.dissipation,
                   info.largest_dissipation, info.largest_dissipation_time);
  thud_report_line(report, "gap", "%.3g (of the dissipation, worst)", info.gap);
  if (made->laws.initial != NULL) {
    thud_report_number(report, "contraction", info.contraction);
    thud_report_line(report, "contraction", "%.3g (largest ratio of successive changes of iterates of a step)",
                     info.contraction);
  }
  report_events(made, &info, report);
}

static thud_error check(const void *motion, thud_report *report) {
  const friction *made = motion;
  const thud_scene *scene = made->laws.scene;
  thud_report_line(report, "kind", "composed friction: %zu laws, %zu driven and %zu internal velocities",
                   made->laws.laws, made->laws.driven, made->laws.internal);
  thud_report_integer(report, "laws", (int64_t)made->laws.laws);
  thud_report_integer(report, "internal", (int64_t)made->laws.internal);
  thud_report_line(report, "run", "%d steps, t = %g to %g", (int)scene->steps, scene->start, scene->end);
  return THUD_OK;
}

static thud_error draw(const void *motion, thud_moment *moment, thud_drawing *drawing) {
  const friction *made = motion;
  return thud_view_friction(&made->laws, made->outline, moment, drawing);
}

const thud_kind thud_kind_friction = {.name = "friction",
                                      .section = "friction",
                                      .options = thud_friction_keys,
                                      .resolve = thud_friction_scene_resolve,
                                      .build = build,
                                      .build_view = build_view,
                                      .destroy = destroy,
                                      .method = method,
                                      .layout = layout,
                                      .advance = advance,
                                      .finish = finish,
                                      .report = report,
                                      .check = check,
                                      .draw = draw};
