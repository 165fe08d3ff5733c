/* A punch on an elastic half-plane as a kind of motion: one row per load. */
#include "kinds/kinds.h"
#include "kinds/half_plane/half_plane_scene.h"
#include "kinds/mesh_refine.h"
#include "run/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { F_TIME, F_LOAD, F_MOTION, F_CONTACT, F_STICK, F_BOOK, F_FIELDS, FIELDS = 6, FRAME_CHANNELS = F_FIELDS + FIELDS };
enum { PRESSURE, TRACTION, GAP, DISPLACEMENT, SLIP, MODE };
enum { E_TIME, E_KIND, E_BEFORE, EVENT_CHANNELS };
enum { LEDGER = 5, REGIMES = 4 };

static const char *const regime_names[REGIMES] = {"lifted", "sticks", "slips-partly", "slides"};
static const char *const mode_names[] = {"backward", "stick", "forward", "open"};
static const char *const load_names[] = {"P", "Q", "M"}, *const motion_names[] = {"depth", "shift", "tilt"};
static const char *const contact_names[] = {"contact_left", "contact_right"};
static const char *const stick_names[] = {"stick_left", "stick_right"};
static const char *const ledger_names[LEDGER] = {"stored", "work", "friction", "normal", "defect"};
static const char *const field_names[FIELDS] = {"p", "q", "gap", "v", "slip", "mode"};
static const char *const field_roles[FIELDS] = {"pressure", "traction", "gap", "displacement", "slip", "mode"};

typedef struct half_plane_motion {
  thud_kind_object object;
  punch_scene built;
  const thud_row_sink *sink; /* of the advance in progress */
  bool changed;              /* the regime, with the frame that comes next */
  double *mode;              /* [n] thud_punch_state + 1 */
  char **places;             /* [FIELDS x n] "p(0.25)" */
  thud_record_channel frames[FRAME_CHANNELS], events[EVENT_CHANNELS];
  thud_record_layout layout;
} half_plane_motion;

static bool has_ledger(const half_plane_motion *made) { return made->built.method == THUD_PUNCH_INCREMENTAL; }
static bool has_creep(const half_plane_motion *made) { return made->built.method == THUD_PUNCH_ROLLING; }

/* ---- channels ---------------------------------------------------------------------------------------------------- */

static thud_error name_places(half_plane_motion *made) {
  thud_context *context = made->built.scene->context;
  size_t n = (size_t)made->built.n;
  char place[THUD_DOUBLE_CAPACITY], name[THUD_DOUBLE_CAPACITY + 12];
  made->mode = THUD_NEW_ARRAY(context, double, n);
  made->places = THUD_NEW_ARRAY(context, char *, FIELDS *n);
  if (made->mode == NULL || made->places == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < FIELDS * n; k++) {
    thud_format_double(made->built.x[k % n], place, sizeof place);
    snprintf(name, sizeof name, "%s(%s)", field_names[k / n], place);
    made->places[k] = thud_strdup(context, name);
    if (made->places[k] == NULL) return THUD_ERROR_MEMORY;
  }
  return THUD_OK;
}

static thud_record_channel numbers(const char *name, size_t width, const char *const *components,
                                   const char *description) {
  return (thud_record_channel){
      .name = name, .width = width, .components = components, .role = name, .unit = "", .description = description};
}

static void describe_fields(half_plane_motion *made, size_t first) {
  static const char *const descriptions[FIELDS] = {"pressure, constant in each element",
                                                   "shear traction on the solid",
                                                   "distance to the punch in the middles",
                                                   "displacement along x relative to the punch",
                                                   "displacement since the row before, or all of it (static)",
                                                   "what each element does"};
  for (int k = 0; k < FIELDS; k++)
    made->frames[first + (size_t)k] =
        (thud_record_channel){.name = field_roles[k],
                              .type = k == MODE ? THUD_RECORD_SMALL : THUD_RECORD_REAL,
                              .width = (size_t)made->built.n,
                              .components = (const char *const *)made->places + (ptrdiff_t)k * made->built.n,
                              .unit = "",
                              .role = field_roles[k],
                              .label_count = k == MODE ? sizeof mode_names / sizeof *mode_names : 0,
                              .labels = k == MODE ? mode_names : NULL,
                              .description = descriptions[k]};
}

static void describe(half_plane_motion *made) {
  thud_record_channel *frames = made->frames, *events = made->events;
  const char *time = made->built.scene->time_unit;
  size_t count = 0;
  frames[count++] = (thud_record_channel){.name = "t", .width = 1, .unit = time, .role = "time"};
  frames[count++] = numbers("load", PUNCH_DRIVES, load_names, "forces and moment on the punch");
  frames[count++] = numbers("motion", PUNCH_DRIVES, motion_names, "of the punch, against its datum");
  frames[count++] = numbers("contact", 2, contact_names, "outermost edges of the contact");
  frames[count++] = numbers("stick", 2, stick_names, "the longest stick zone");
  for (size_t k = 1; k < count; k++) frames[k].state = true;
  if (has_ledger(made)) frames[count++] = numbers("ledger", LEDGER, ledger_names, "energies since the start");
  if (has_creep(made)) frames[count++] = numbers("creep", 1, NULL, "shift per rolled distance in the last step");
  describe_fields(made, count);
  events[E_TIME] = (thud_record_channel){.name = "t", .width = 1, .unit = time, .role = "time"};
  events[E_KIND] = (thud_record_channel){.name = "kind",
                                         .type = THUD_RECORD_SMALL,
                                         .width = 1,
                                         .role = "kind",
                                         .label_count = REGIMES,
                                         .labels = regime_names,
                                         .description = "what the contact does from here on"};
  events[E_BEFORE] = events[E_KIND];
  events[E_BEFORE].name = events[E_BEFORE].role = "before";
  events[E_BEFORE].description = "what it did before";
  made->layout = (thud_record_layout){.count = {count + FIELDS, EVENT_CHANNELS}, .channels = {frames, events}};
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

static void destroy(void *motion) {
  half_plane_motion *made = motion;
  thud_context *context = made->built.scene->context;
  thud_motion_destroy(made->object.motion);
  for (thud_index i = 0; made->places != NULL && i < FIELDS * made->built.n; i++) thud_free(context, made->places[i]);
  thud_free(context, made->places);
  thud_free(context, made->mode);
  thud_punch_scene_free(&made->built);
  thud_free(context, made);
}

/* With a motion, or without one for pictures. */
static thud_error make(thud_scene *scene, const thud_node *root, bool moves, void **motion) {
  const thud_node *initial = thud_node_find(root, "initial");
  if (initial != NULL)
    return thud_node_fail(initial, THUD_ERROR_SCHEMA,
                          "[misplaced-key] a half-plane starts without tractions: 'initial' says nothing");
  half_plane_motion *made = THUD_NEW(scene->context, half_plane_motion);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->built.scene = scene;
  thud_error error = thud_punch_scene_build(scene, root, &made->built);
  if (error == THUD_OK && moves) error = name_places(made);
  const thud_punch_problem problem = {.punch = made->built.punch,
                                      .edges = made->built.edges,
                                      .method = made->built.method,
                                      .roll = made->built.roll,
                                      .start = scene->start,
                                      .end = scene->end,
                                      .steps = scene->steps,
                                      .given = made->built.drive,
                                      .drive = thud_punch_scene_drive,
                                      .user = &made->built};
  if (error == THUD_OK && moves) error = thud_punch_motion_create(scene->context, &problem, &made->object.motion);
  if (error != THUD_OK) {
    destroy(made);
    return error;
  }
  if (moves) describe(made);
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
  return thud_punch_method_names[((const half_plane_motion *)motion)->built.method];
}

static const thud_record_layout *layout(const void *motion) { return &((const half_plane_motion *)motion)->layout; }

/* ---- rows ---------------------------------------------------------------------------------------------------------- */

static int hand_out(half_plane_motion *made, const thud_punch_frame *frame, unsigned flags) {
  const thud_punch_ledger *book = &frame->ledger;
  const double ledger[LEDGER] = {book->stored, book->work, book->friction, book->normal, book->defect};
  const double contact[2] = {frame->contact.left, frame->contact.right};
  const double stick[2] = {frame->stick.left, frame->stick.right};
  const double *fields[FIELDS] = {
      [PRESSURE] = frame->pressure,         [TRACTION] = frame->traction, [GAP] = frame->gap,
      [DISPLACEMENT] = frame->displacement, [SLIP] = frame->slip,         [MODE] = made->mode};
  thud_record_cell cells[FRAME_CHANNELS];
  size_t count = 0;
  for (thud_index i = 0; i < made->built.n; i++) made->mode[i] = frame->state[i] + 1;
  cells[count++] = (thud_record_cell){.values = &frame->t, .count = 1};
  cells[count++] = (thud_record_cell){.values = frame->load, .count = PUNCH_DRIVES};
  cells[count++] = (thud_record_cell){.values = frame->motion, .count = PUNCH_DRIVES};
  cells[count++] = (thud_record_cell){.values = contact, .count = 2};
  cells[count++] = (thud_record_cell){.values = stick, .count = 2};
  if (has_ledger(made)) cells[count++] = (thud_record_cell){.values = ledger, .count = LEDGER};
  if (has_creep(made)) cells[count++] = (thud_record_cell){.values = &frame->creep, .count = 1};
  for (int k = 0; k < FIELDS; k++)
    cells[count++] = (thud_record_cell){.values = fields[k], .count = (size_t)made->built.n};
  return made->sink->frame(made->sink->user, frame->t, flags, cells);
}

static int on_frame(void *user, const void *frame) {
  half_plane_motion *made = user;
  return hand_out(made, frame, made->changed ? THUD_ROW_KEEP : 0);
}

static int on_event(void *user, const void *item) {
  half_plane_motion *made = user;
  const thud_punch_event *event = item;
  double regime = event->regime, before = event->before;
  const thud_record_cell cells[EVENT_CHANNELS] = {[E_TIME] = {.values = &event->t, .count = 1},
                                                  [E_KIND] = {.values = &regime, .count = 1},
                                                  [E_BEFORE] = {.values = &before, .count = 1}};
  made->changed = true;
  return made->sink->event(made->sink->user, event->t, cells);
}

static thud_error advance(void *motion, const thud_row_sink *sink, thud_reached *reached) {
  half_plane_motion *made = motion;
  const thud_motion_sink inner = {.frame = on_frame, .event = on_event, .user = made};
  made->sink = sink;
  made->changed = false;
  return thud_motion_step(made->object.motion, &inner, reached);
}

/* A run that fails at once has no row. */
static thud_error finish(void *motion, const thud_row_sink *sink) {
  half_plane_motion *made = motion;
  if (thud_punch_motion_get_info(made->object.motion).loads == 0) return THUD_OK;
  const thud_punch_frame frame = thud_punch_motion_present(made->object.motion);
  made->sink = sink;
  return hand_out(made, &frame, THUD_ROW_AGAIN) < 0 ? THUD_ERROR_CALLBACK : THUD_OK;
}

/* ---- reporting ------------------------------------------------------------------------------------------------------ */

static void report_zones(const thud_punch_frame *frame, thud_report *report) {
  const thud_punch_zone *contact = &frame->contact, *stick = &frame->stick;
  const char *regime = regime_names[frame->regime];
  thud_report_number(report, "contact_left", contact->left);
  thud_report_number(report, "contact_right", contact->right);
  thud_report_number(report, "stick_left", stick->left);
  thud_report_number(report, "stick_right", stick->right);
  thud_report_string(report, "regime", regime);
  if (frame->regime != THUD_PUNCH_REGIME_LIFTED)
    thud_report_line(report, "contact", "%.8g to %.8g at the end, %s", contact->left, contact->right, regime);
  if (stick->left < stick->right) thud_report_line(report, "stick", "%.8g to %.8g", stick->left, stick->right);
}

static const char *end_words(const thud_punch_edge_law *law, int side, double friction) {
  if (friction == 0) return "slides";
  return law->state == THUD_PUNCH_STICK ? "sticks" : law->state == side ? "slips inwards" : "slips outwards";
}

static void report_edge(const half_plane_motion *made, int side, const thud_punch_edge_law *law, thud_report *report) {
  const char *name = side < 0 ? "left edge" : "right edge", *ending = thud_plural((size_t)law->elements);
  const char *words = end_words(law, side, made->built.options.friction),
             *law_of = law->oscillation != 0 ? "p + iq" : "p";
  char power[64], coefficient[64] = "";
  bool fitted = !isnan(law->coefficient);
  if (law->oscillation != 0)
    (void)snprintf(power, sizeof power, "d^(%.1f %c %.5fi)", law->exponent, side < 0 ? '+' : '-', law->oscillation);
  else
    (void)snprintf(power, sizeof power, "d^%.5f", law->exponent);
  if (fitted) (void)snprintf(coefficient, sizeof coefficient, "%.5g ", law->coefficient);
  if (fitted)
    thud_report_line(report, name, "%s ~ %s%s, coefficient +- %.1g (%d element%s, %s)", law_of, coefficient, power,
                     law->error, (int)law->elements, ending, words);
  else
    thud_report_line(report, name, "%s ~ %s, coefficient not resolved (%d element%s, %s)", law_of, power,
                     (int)law->elements, ending, words);
}

/* Only completed motions are fitted: a message of the fit must not hide why a motion has stopped. */
static void report_edges(const half_plane_motion *made, thud_punch_regime regime, thud_report *report) {
  static const char *const keys[2][4] = {{"left_exponent", "left_oscillation", "left_coefficient", "left_error"},
                                         {"right_exponent", "right_oscillation", "right_coefficient", "right_error"}};
  if (thud_punch_motion_get_info(made->object.motion).loads <= (size_t)made->built.scene->steps) return;
  for (int side = -1; side <= 1; side += 2) {
    const char *const *key = keys[side > 0];
    thud_punch_edge_law law;
    if (regime == THUD_PUNCH_REGIME_LIFTED || thud_punch_get_edge_law(made->built.punch, side, &law) != THUD_OK)
      continue;
    thud_report_number(report, key[0], law.exponent);
    thud_report_number(report, key[1], law.oscillation);
    thud_report_number(report, key[2], law.coefficient);
    thud_report_number(report, key[3], law.error);
    report_edge(made, side, &law, report);
  }
  thud_run_forget_message(made->built.scene->context);
}

static void report_energy(const thud_punch_ledger *ledger, thud_report *report) {
  thud_report_number(report, "dissipation", ledger->friction);
  thud_report_number(report, "defect", ledger->defect);
  thud_report_line(report, "energy", "stored %.8g, work %.8g, defect %.3g", ledger->stored, ledger->work,
                   ledger->defect);
  thud_report_line(report, "losses", "friction %.8g, changes of the contact %.3g", ledger->friction, ledger->normal);
}

static void report(const void *motion, thud_report *report) {
  const half_plane_motion *made = motion;
  const thud_punch_frame frame = thud_punch_motion_present(made->object.motion);
  const thud_punch_motion_info info = thud_punch_motion_get_info(made->object.motion);
  thud_report_method(report, "%zu rows, %d elements", info.loads, (int)made->built.n);
  thud_report_integer(report, "rows", (int64_t)info.loads);
  thud_report_integer(report, "elements", made->built.n);
  thud_report_number(report, "largest_pressure", info.largest_pressure);
  report_zones(&frame, report);
  const double *edges = made->built.edges;
  bool sharp = frame.contact.left <= edges[0] || frame.contact.right >= edges[made->built.n]; /* p is unbounded there */
  thud_report_line(report, "largest p", "%.8g%s; laws to %.2g, %zu linear systems", info.largest_pressure,
                   sharp ? " (mean of an element; it grows with the mesh)" : "", info.law_error, info.systems);
  report_edges(made, frame.regime, report);
  if (has_creep(made)) {
    thud_report_number(report, "creep", frame.creep);
    thud_report_line(report, "creep", "%.8g", frame.creep);
  }
  if (has_ledger(made)) report_energy(&frame.ledger, report);
  thud_report_events(report, 12);
}

static thud_error check(const void *motion, thud_report *report) {
  const half_plane_motion *made = motion;
  const thud_scene *scene = made->built.scene;
  const thud_half_plane_material *material = &made->built.material;
  thud_report_line(report, "kind", "punch on an elastic half-plane, %d %s elements, friction %g", (int)made->built.n,
                   thud_half_plane_is_uniform(made->built.plane) ? "equal" : "different", made->built.options.friction);
  thud_report_line(report, "material", "E' = %.10g, coupling %.10g", material->modulus, material->coupling);
  thud_report_integer(report, "elements", made->built.n);
  thud_report_line(report, "run", "%s, %d steps, t = %g to %g", method(motion), (int)scene->steps, scene->start,
                   scene->end);
  return THUD_OK;
}

static thud_error draw(const void *motion, thud_moment *moment, thud_drawing *drawing) {
  return thud_view_half_plane(&((const half_plane_motion *)motion)->built, moment, drawing);
}

const thud_kind thud_kind_half_plane = {.name = "half-plane",
                                        .section = "half_plane",
                                        .options = thud_punch_keys,
                                        .resolve = thud_punch_scene_resolve,
                                        .build = build,
                                        .build_view = build_view,
                                        .destroy = destroy,
                                        .method = method,
                                        .layout = layout,
                                        .advance = advance,
                                        .finish = finish,
                                        .report = report,
                                        .check = check,
                                        .draw = draw,
                                        .study = &thud_half_plane_study};
