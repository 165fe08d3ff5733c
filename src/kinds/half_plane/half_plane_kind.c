/* A punch on an elastic half-plane as a kind of motion: one row per load. */
#include "kinds/kinds.h"
#include "kinds/half_plane/half_plane_scene.h"
#include "kinds/mesh_refine.h"
#include "run/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
  F_TIME,
  F_LOAD,
  F_MOTION,
  F_CONTACT,
  F_STICK,
  F_BOOK,
  F_FIELDS,
  FIELDS = 6,
  FRAME_CHANNELS = F_FIELDS + FIELDS + 6
};
enum { S_XX, S_YY, S_XY, TAU, U_X, U_Y, INSIDE }; /* channels behind those */
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

static const char *const inside_names[INSIDE] = {"sxx", "syy", "sxy", "tau", "ux", "uy"};

typedef struct half_plane_motion {
  thud_kind_object object;
  punch_scene built;
  const thud_row_sink *sink; /* of the advance in progress */
  bool searched;             /* for further solutions: */
  thud_punch_solutions solutions;
  bool changed;                  /* the regime, with the frame that comes next */
  double *mode;                  /* [n] thud_punch_state + 1 */
  char **places;                 /* [FIELDS x n] "p(0.25)" */
  char **inside_places;          /* [INSIDE x inside_count] "sxx(0,0.25)" */
  double *inside;                /* [INSIDE x inside_count] */
  thud_half_plane_inside *found; /* [inside_count] */
  double *corners_at;            /* of the cells inside, for pictures in space: [3 (nx+1)(ny+1)] */
  size_t *corners, *ends;        /* [4 nx ny], [nx ny] */
  unsigned char *types;          /* [nx ny] */
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

static thud_error name_inside(half_plane_motion *made) {
  thud_context *context = made->built.scene->context;
  size_t count = made->built.inside_count;
  made->inside_places = THUD_NEW_ARRAY(context, char *, INSIDE *count);
  made->inside = THUD_NEW_ARRAY(context, double, INSIDE *count);
  made->found = THUD_NEW_ARRAY(context, thud_half_plane_inside, count);
  if (made->inside_places == NULL || made->inside == NULL || made->found == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < INSIDE * count; k++) {
    const double *point = made->built.inside + 2 * (k % count);
    char x[THUD_DOUBLE_CAPACITY], y[THUD_DOUBLE_CAPACITY], name[2 * THUD_DOUBLE_CAPACITY + 8];
    thud_format_double(point[0], x, sizeof x);
    thud_format_double(point[1], y, sizeof y);
    snprintf(name, sizeof name, "%s(%s,%s)", inside_names[k / count], x, y);
    made->inside_places[k] = thud_strdup(context, name);
    if (made->inside_places[k] == NULL) return THUD_ERROR_MEMORY;
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

static size_t describe_inside(half_plane_motion *made, size_t first) {
  static const char *const descriptions[INSIDE] = {"stress inside along x",       "stress inside along the depth",
                                                   "shear stress inside",         "largest shear stress inside",
                                                   "displacement inside along x", "displacement inside, downwards"};
  size_t count = made->built.inside_count;
  for (size_t k = 0; k < INSIDE && count > 0; k++)
    made->frames[first + k] = (thud_record_channel){.name = inside_names[k],
                                                    .width = count,
                                                    .components = (const char *const *)made->inside_places + k * count,
                                                    .unit = "",
                                                    .role = inside_names[k],
                                                    .description = descriptions[k]};
  return count > 0 ? INSIDE : 0;
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
  count += FIELDS;
  count += describe_inside(made, count);
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
  made->layout = (thud_record_layout){.count = {count, EVENT_CHANNELS}, .channels = {frames, events}};
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

static void destroy(void *motion) {
  half_plane_motion *made = motion;
  thud_context *context = made->built.scene->context;
  thud_motion_destroy(made->object.motion);
  for (thud_index i = 0; made->places != NULL && i < FIELDS * made->built.n; i++) thud_free(context, made->places[i]);
  thud_free(context, made->places);
  for (size_t k = 0; made->inside_places != NULL && k < INSIDE * made->built.inside_count; k++)
    thud_free(context, made->inside_places[k]);
  thud_free(context, made->inside_places);
  thud_free(context, made->inside);
  thud_free(context, made->found);
  thud_free(context, made->corners_at);
  thud_free(context, made->corners);
  thud_free(context, made->ends);
  thud_free(context, made->types);
  thud_free(context, made->mode);
  thud_punch_scene_free(&made->built);
  thud_free(context, made);
}

/* The cells inside as quadrilaterals, the depth downwards. */
static thud_error make_cells(half_plane_motion *made) {
  thud_context *context = made->built.scene->context;
  const double *box = made->built.box;
  size_t nx = made->built.cells[0], ny = made->built.cells[1], points = (nx + 1) * (ny + 1);
  made->corners_at = THUD_NEW_ARRAY(context, double, 3 * points);
  made->corners = THUD_NEW_ARRAY(context, size_t, 4 * nx * ny);
  made->ends = THUD_NEW_ARRAY(context, size_t, nx * ny);
  made->types = THUD_NEW_ARRAY(context, unsigned char, nx *ny);
  if (made->corners_at == NULL || made->corners == NULL || made->ends == NULL || made->types == NULL)
    return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < points; k++) {
    size_t row = k / (nx + 1), column = k % (nx + 1);
    made->corners_at[3 * k] = box[0] + (box[1] - box[0]) * (double)column / (double)nx;
    made->corners_at[3 * k + 1] = -box[2] * (double)row / (double)ny;
  }
  for (size_t k = 0; k < nx * ny; k++) {
    size_t corner = k / nx * (nx + 1) + k % nx;
    const size_t around[4] = {corner + nx + 1, corner + nx + 2, corner + 1, corner};
    memcpy(made->corners + 4 * k, around, sizeof around);
    made->ends[k] = 4 * (k + 1);
    made->types[k] = THUD_VTK_QUAD;
  }
  return THUD_OK;
}

static thud_error mesh(const void *motion, thud_vtk_mesh *mesh) {
  const half_plane_motion *made = motion;
  if (made->corners_at == NULL)
    return thud_fail(made->built.scene->context, THUD_ERROR_ARGUMENT,
                     "[missing-key] a half-plane has a mesh where 'inside' has a grid");
  size_t nx = made->built.cells[0], ny = made->built.cells[1];
  *mesh = (thud_vtk_mesh){.points = (nx + 1) * (ny + 1),
                          .places = made->corners_at,
                          .cells = nx * ny,
                          .types = made->types,
                          .ends = made->ends,
                          .corners = made->corners};
  return THUD_OK;
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
  if (error == THUD_OK && moves && made->built.inside_count > 0) error = name_inside(made);
  if (error == THUD_OK && made->built.cells[0] > 0) error = make_cells(made);
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

/* Stress and displacement inside under the tractions of the frame. */
static thud_error look_inside(half_plane_motion *made, const thud_punch_frame *frame) {
  const punch_scene *built = &made->built;
  size_t count = built->inside_count;
  thud_error error = thud_half_plane_get_inside(built->plane, frame->pressure, frame->traction, built->drive.datum,
                                                count, built->inside, made->found);
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    const thud_half_plane_inside *at = &made->found[k];
    const double numbers[INSIDE] = {at->s_xx, at->s_yy, at->s_xy, hypot((at->s_xx - at->s_yy) / 2, at->s_xy),
                                    at->u_x,  at->u_y};
    for (size_t c = 0; c < INSIDE; c++) made->inside[c * count + k] = numbers[c];
  }
  return error;
}

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
  size_t inside = made->built.inside_count;
  if (inside > 0 && look_inside(made, frame) != THUD_OK) return -1;
  for (size_t k = 0; k < INSIDE && inside > 0; k++)
    cells[count++] = (thud_record_cell){.values = made->inside + k * inside, .count = inside};
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

/* Further solutions of the last row, once the motion has arrived there. */
static thud_error conclude(void *motion, const thud_run_watch *watch, bool *stopped) {
  half_plane_motion *made = motion;
  const thud_scene *scene = made->built.scene;
  const thud_punch_frame frame = thud_punch_motion_present(made->object.motion);
  thud_punch_drive drive = made->built.drive;
  *stopped = watch->ask != NULL && watch->ask(watch->user) != 0;
  made->searched = false;
  if (made->built.starts == 0 || *stopped || frame.t != scene->end || frame.regime == THUD_PUNCH_REGIME_LIFTED)
    return THUD_OK;
  thud_punch_scene_drive(&made->built, scene->end, &drive);
  thud_error error =
      thud_punch_find_solutions(made->built.punch, &drive, frame.state, (size_t)made->built.starts, &made->solutions);
  made->searched = error == THUD_OK;
  return error;
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

/* The largest shear stress at the points inside, in the last row, and where it is. */
static void report_inside(const half_plane_motion *made, thud_report *report) {
  size_t count = made->built.inside_count, best = 0;
  if (count == 0) return;
  const double *tau = made->inside + TAU * count, *points = made->built.inside;
  for (size_t k = 1; k < count; k++)
    if (tau[k] > tau[best]) best = k;
  thud_report_number(report, "largest_shear", tau[best]);
  thud_report_number(report, "largest_shear_x", points[2 * best]);
  thud_report_number(report, "largest_shear_depth", points[2 * best + 1]);
  thud_report_line(report, "inside", "largest shear %.8g at x = %.6g, depth %.6g, of %zu points", tau[best],
                   points[2 * best], points[2 * best + 1], count);
}

static void report_solutions(const half_plane_motion *made, thud_report *report) {
  const thud_punch_solutions *found = &made->solutions;
  if (!made->searched) return;
  thud_report_integer(report, "starts", (int64_t)found->starts);
  thud_report_integer(report, "failed_starts", (int64_t)found->failed);
  thud_report_integer(report, "solutions", (int64_t)found->count);
  thud_report_line(report, "solutions", "%zu%s of the last row from %zu starts, %zu of which led nowhere", found->count,
                   found->cut ? " or more" : "", found->starts, found->failed);
  for (size_t k = 0; k < found->count && found->count > 1; k++) {
    const thud_punch_solution *one = &found->items[k];
    thud_report_line(report, "", "%zu start%s: depth %.8g, shift %.8g, contact %.6g to %.6g, stick %.6g to %.6g",
                     one->starts, thud_plural(one->starts), one->depth, one->shift, one->contact.left,
                     one->contact.right, one->stick.left, one->stick.right);
  }
  if (found->count > 1)
    thud_report_warning(report, made->built.scene->end, "not-unique",
                        "the last load has %zu solutions; the motion took the first that it came upon", found->count);
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
  if (info.loads > 0) report_inside(made, report);
  report_solutions(made, report);
  if (has_creep(made)) {
    thud_report_number(report, "creep", frame.creep);
    thud_report_line(report, "creep", "%.8g", frame.creep);
  }
  if (has_ledger(made)) report_energy(&frame.ledger, report);
  thud_report_events(report, 12);
}

/* Of bounded bodies under plane strain a solution is known to exist for F < sqrt(3 - 4 nu)/(2 (1 - nu)) (Eck and Jarusek), where
 * nu = (1 - 2 gamma)/(2 (1 - gamma)). Sufficient, and no bound of a half-plane: it only says how large F is. */
static void report_bound(const half_plane_motion *made, thud_report *report) {
  double gamma = made->built.material.coupling, F = made->built.options.friction;
  if (F == 0 || !(gamma >= 0 && gamma < 0.75)) return;
  double bound = sqrt(1 - gamma * gamma); /* 2 (1 - nu) = 1/(1 - gamma), 3 - 4 nu = (1 + gamma)/(1 - gamma) */
  thud_report_number(report, "existence_bound", bound);
  thud_report_line(report, "existence", "F = %g is %s %.6g, up to which solutions are known to exist in bounded bodies",
                   F, F < bound ? "below" : "not below", bound);
}

static thud_error check(const void *motion, thud_report *report) {
  const half_plane_motion *made = motion;
  const thud_scene *scene = made->built.scene;
  const thud_half_plane_material *material = &made->built.material;
  thud_report_line(report, "kind", "punch on an elastic half-plane, %d %s elements, friction %g", (int)made->built.n,
                   thud_half_plane_is_uniform(made->built.plane) ? "equal" : "different", made->built.options.friction);
  thud_report_line(report, "material", "E' = %.10g, coupling %.10g", material->modulus, material->coupling);
  thud_report_integer(report, "elements", made->built.n);
  report_bound(made, report);
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
                                        .conclude = conclude,
                                        .mesh = mesh,
                                        .draw = draw,
                                        .study = &thud_half_plane_study};
