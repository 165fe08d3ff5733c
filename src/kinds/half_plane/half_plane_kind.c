/* A punch on an elastic half-plane as a kind of motion: one row per node of time, each the answer to the load there. */
#include "kinds/kinds.h"
#include "kinds/half_plane/half_plane_scene.h"
#include "run/run.h"
#include "run/view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { F_TIME, F_LOAD, F_MOTION, F_CONTACT, F_STICK, F_BOOK, F_FIELDS, FIELDS = 6, FRAME_CHANNELS = F_FIELDS + FIELDS };
enum { PRESSURE, TRACTION, GAP, DISPLACEMENT, SLIP, MODE };
enum { E_TIME, E_KIND, E_BEFORE, EVENT_CHANNELS };
enum { STORED, WORK, FRICTION, NORMAL, DEFECT, LEDGER };
enum { LIFTED, STICKS, PARTIAL, SLIDES, REGIMES };

static const char *const regime_names[REGIMES] = {"lifted", "sticks", "slips-partly", "slides"};
static const char *const mode_names[] = {"backward", "stick", "forward", "open"};
static const char *const load_names[] = {"P", "Q", "M"}, *const motion_names[] = {"depth", "shift", "tilt"};
static const char *const contact_names[] = {"contact_left", "contact_right"};
static const char *const stick_names[] = {"stick_left", "stick_right"};
static const char *const ledger_names[LEDGER] = {"stored", "work", "friction", "normal", "defect"};
static const char *const field_names[FIELDS] = {"p", "q", "gap", "v", "slip", "mode"};
static const char *const field_roles[FIELDS] = {"pressure", "traction", "gap", "displacement", "slip", "mode"};

/* Everything that changes, without pointers; the fields [FIELDS x n] come behind it in a checkpoint. */
typedef struct punch_state {
  double next; /* number of the row that comes next */
  double t, regime, sweeps, law_error, largest_pressure;
  double load[PUNCH_DRIVES], motion[PUNCH_DRIVES], contact[2], stick[2];
  double ledger[LEDGER];
  double creep; /* rolling */
} punch_state;

typedef struct half_plane_motion {
  punch_scene built;
  punch_state state;
  double *fields;     /* [FIELDS x n] */
  double *reference;  /* [n] */
  signed char *guess; /* [n] */
  char **places;      /* [FIELDS x n] "p(0.25)" */
  thud_record_channel frames[FRAME_CHANNELS], events[EVENT_CHANNELS];
  thud_record_layout layout;
} half_plane_motion;

static double *field(const half_plane_motion *made, int k) { return made->fields + (ptrdiff_t)k * made->built.n; }

static bool has_ledger(const half_plane_motion *made) { return made->built.method == PUNCH_INCREMENTAL; }
static bool has_creep(const half_plane_motion *made) { return made->built.method == PUNCH_ROLLING; }

/* ---- channels ---------------------------------------------------------------------------------------------------- */

static thud_error name_places(half_plane_motion *made) {
  thud_context *context = made->built.scene->context;
  size_t n = (size_t)made->built.n;
  char place[THUD_DOUBLE_CAPACITY], name[THUD_DOUBLE_CAPACITY + 12];
  made->fields = THUD_NEW_ARRAY(context, double, FIELDS *n);
  made->reference = THUD_NEW_ARRAY(context, double, n);
  made->guess = THUD_NEW_ARRAY(context, signed char, n);
  made->places = THUD_NEW_ARRAY(context, char *, FIELDS *n);
  if (made->fields == NULL || made->reference == NULL || made->guess == NULL || made->places == NULL)
    return THUD_ERROR_MEMORY;
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
  for (thud_index i = 0; made->places != NULL && i < FIELDS * made->built.n; i++) thud_free(context, made->places[i]);
  thud_free(context, made->places);
  thud_free(context, made->fields);
  thud_free(context, made->reference);
  thud_free(context, made->guess);
  thud_punch_scene_free(&made->built);
  thud_free(context, made);
}

static thud_error build(thud_scene *scene, const thud_node *root, void **motion) {
  const thud_node *initial = thud_node_find(root, "initial");
  if (initial != NULL)
    return thud_node_fail(initial, THUD_ERROR_SCHEMA, "a half-plane starts without tractions: 'initial' says nothing");
  half_plane_motion *made = THUD_NEW(scene->context, half_plane_motion);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->built.scene = scene;
  thud_error error = thud_punch_scene_build(scene, root, &made->built);
  if (error == THUD_OK) error = name_places(made);
  if (error != THUD_OK) {
    destroy(made);
    return error;
  }
  made->state.t = scene->start;
  describe(made);
  *motion = made;
  return THUD_OK;
}

static const char *method(const void *motion) {
  return thud_punch_method_names[((const half_plane_motion *)motion)->built.method];
}

static const thud_record_layout *layout(const void *motion) { return &((const half_plane_motion *)motion)->layout; }

/* ---- one row ------------------------------------------------------------------------------------------------------ */

/* The displacement that slip is counted from: 0, that of the row before, or that of the element which the surface has
 * come from. */
static thud_error set_reference(half_plane_motion *made) {
  thud_index n = made->built.n, roll = has_creep(made) ? made->built.roll : 0;
  const double *v = field(made, DISPLACEMENT);
  bool history = made->state.next > 0 && (has_ledger(made) || has_creep(made));
  for (thud_index i = 0; i < n; i++) {
    thud_index from = i + roll < 0 ? 0 : i + roll >= n ? n - 1 : i + roll;
    made->reference[i] = history ? v[from] : 0;
  }
  return thud_punch_set_reference(made->built.punch, made->reference);
}

/* The states of the row before are a good guess; what does not come out from there is tried from the contact without
 * friction. */
static thud_error solve(half_plane_motion *made, const thud_punch_drive *drive, thud_punch_result *result) {
  thud_punch *punch = made->built.punch;
  const double *mode = field(made, MODE);
  bool guessed = made->state.next > 0 && made->state.regime != LIFTED && (has_ledger(made) || has_creep(made));
  thud_error error = THUD_OK;
  int sweeps = 0;
  for (thud_index i = 0; i < made->built.n; i++) made->guess[i] = (signed char)(mode[i] - 1);
  if (guessed) error = thud_punch_move(punch, drive, made->guess, result);
  bool again = !guessed || (error == THUD_OK && result->status == THUD_PUNCH_NOT_CONVERGED) ||
               error == THUD_ERROR_SINGULAR || error == THUD_ERROR_NOT_CONVERGED;
  if (!again) return error;
  if (guessed && error == THUD_OK) sweeps = result->sweeps;
  error = thud_punch_move(punch, drive, NULL, result);
  result->sweeps += sweeps;
  return error;
}

static int regime_of(const half_plane_motion *made, const thud_punch_result *result) {
  bool stuck = false, slips = false;
  for (thud_index i = 0; i < made->built.n; i++) {
    stuck = stuck || result->state[i] == THUD_PUNCH_STICK;
    slips = slips || result->state[i] == THUD_PUNCH_FORWARD || result->state[i] == THUD_PUNCH_BACKWARD;
  }
  return stuck ? (slips ? PARTIAL : STICKS) : slips ? SLIDES : LIFTED;
}

/* Sums over elements of forces times displacements. The surface follows the punch where p > 0: u = depth - g0 -
 * tilt (x - pivot). */
static double stored_energy(const half_plane_motion *made, const thud_punch_result *result) {
  const punch_scene *built = &made->built;
  double sum = 0;
  for (thud_index i = 0; i < built->n; i++) {
    double h = built->edges[i + 1] - built->edges[i];
    double u = result->depth - built->gap[i] - result->tilt * (built->x[i] - built->drive.pivot);
    double v = result->displacement[i] - result->shift;
    sum += 0.5 * h * (result->pressure[i] * u + result->traction[i] * v);
  }
  return sum;
}

/* Work and losses of a step by the mean forces of its ends: for symmetric matrices the change of the stored energy is
 * the mean forces' work exactly, so that the defect is that of the mesh (0 for equal elements). */
static void book(half_plane_motion *made, const thud_punch_result *result) {
  const punch_scene *built = &made->built;
  punch_state *state = &made->state;
  const double *p = field(made, PRESSURE), *q = field(made, TRACTION), *gap = field(made, GAP);
  const double load[PUNCH_DRIVES] = {result->normal, result->tangential, result->moment};
  const double motion[PUNCH_DRIVES] = {result->depth, result->shift, result->tilt};
  static const double sign[PUNCH_DRIVES] = {1, -1, -1};
  double *ledger = state->ledger, before = ledger[STORED], work = 0, friction = 0, normal = 0;
  ledger[STORED] = stored_energy(made, result);
  if (state->next == 0) return;
  for (int k = 0; k < PUNCH_DRIVES; k++)
    work += sign[k] * 0.5 * (state->load[k] + load[k]) * (motion[k] - state->motion[k]);
  for (thud_index i = 0; i < built->n; i++) {
    double h = built->edges[i + 1] - built->edges[i];
    friction -= 0.5 * h * (q[i] + result->traction[i]) * result->slip[i];
    normal -= 0.5 * h * (p[i] + result->pressure[i]) * (result->gap[i] - gap[i]);
  }
  ledger[WORK] += work;
  ledger[FRICTION] += friction;
  ledger[NORMAL] += normal;
  ledger[DEFECT] += work - (ledger[STORED] - before) - friction - normal;
}

/* A zone that is empty is one point: where the punch is lowest, or the middle of the contact. */
static void keep_zones(half_plane_motion *made, const thud_punch_result *result) {
  punch_state *state = &made->state;
  thud_index lowest = 0;
  for (thud_index i = 1; i < made->built.n; i++)
    if (result->gap[i] < result->gap[lowest]) lowest = i;
  bool touches = result->contact.left <= result->contact.right, sticks = result->stick.left <= result->stick.right;
  state->contact[0] = touches ? result->contact.left : made->built.x[lowest];
  state->contact[1] = touches ? result->contact.right : made->built.x[lowest];
  double middle = 0.5 * (state->contact[0] + state->contact[1]);
  state->stick[0] = sticks ? result->stick.left : middle;
  state->stick[1] = sticks ? result->stick.right : middle;
}

static void take(half_plane_motion *made, double t, const thud_punch_result *result) {
  punch_state *state = &made->state;
  size_t bytes = (size_t)made->built.n * sizeof(double);
  double shift = state->motion[PUNCH_TANGENTIAL], largest = 0;
  if (has_ledger(made)) book(made, result);
  memcpy(field(made, PRESSURE), result->pressure, bytes);
  memcpy(field(made, TRACTION), result->traction, bytes);
  memcpy(field(made, GAP), result->gap, bytes);
  memcpy(field(made, DISPLACEMENT), result->displacement, bytes);
  memcpy(field(made, SLIP), result->slip, bytes);
  for (thud_index i = 0; i < made->built.n; i++) {
    field(made, MODE)[i] = result->state[i] + 1;
    largest = fmax(largest, result->pressure[i]);
  }
  double h = (made->built.edges[made->built.n] - made->built.edges[0]) / made->built.n;
  state->creep = state->next > 0 ? (result->shift - shift) / (h * made->built.roll) : 0;
  state->t = t;
  state->largest_pressure = fmax(state->largest_pressure, largest);
  state->law_error = fmax(state->law_error, result->law_error);
  state->sweeps += result->sweeps;
  state->load[PUNCH_NORMAL] = result->normal;
  state->load[PUNCH_TANGENTIAL] = result->tangential;
  state->load[PUNCH_ROTATION] = result->moment;
  state->motion[PUNCH_NORMAL] = result->depth;
  state->motion[PUNCH_TANGENTIAL] = result->shift;
  state->motion[PUNCH_ROTATION] = result->tilt;
  keep_zones(made, result);
}

/* ---- going on ------------------------------------------------------------------------------------------------------ */

static int hand_out(half_plane_motion *made, const thud_row_sink *sink, unsigned flags) {
  punch_state *state = &made->state;
  thud_record_cell cells[FRAME_CHANNELS];
  size_t count = 0;
  cells[count++] = (thud_record_cell){.values = &state->t, .count = 1};
  cells[count++] = (thud_record_cell){.values = state->load, .count = PUNCH_DRIVES};
  cells[count++] = (thud_record_cell){.values = state->motion, .count = PUNCH_DRIVES};
  cells[count++] = (thud_record_cell){.values = state->contact, .count = 2};
  cells[count++] = (thud_record_cell){.values = state->stick, .count = 2};
  if (has_ledger(made)) cells[count++] = (thud_record_cell){.values = state->ledger, .count = LEDGER};
  if (has_creep(made)) cells[count++] = (thud_record_cell){.values = &state->creep, .count = 1};
  for (int k = 0; k < FIELDS; k++)
    cells[count++] = (thud_record_cell){.values = field(made, k), .count = (size_t)made->built.n};
  return sink->frame(sink->user, state->t, flags, cells);
}

static int hand_out_change(half_plane_motion *made, const thud_row_sink *sink, double before) {
  const thud_record_cell cells[EVENT_CHANNELS] = {[E_TIME] = {.values = &made->state.t, .count = 1},
                                                  [E_KIND] = {.values = &made->state.regime, .count = 1},
                                                  [E_BEFORE] = {.values = &before, .count = 1}};
  return sink->event(sink->user, made->state.t, cells);
}

static double row_time(const half_plane_motion *made, double k) {
  const thud_scene *scene = made->built.scene;
  return k < scene->steps ? scene->start + k / scene->steps * (scene->end - scene->start) : scene->end;
}

/* Why there is no answer, in the context's message and in a few words. */
static const char *explain(const half_plane_motion *made, double t, const thud_punch_result *result) {
  thud_context *context = made->built.scene->context;
  double F = made->built.options.friction, P = result->normal, Q = result->tangential;
  if (result->status == THUD_PUNCH_NOT_CONVERGED) {
    (void)thud_fail(context, THUD_ERROR_NOT_CONVERGED,
                    "t = %.15g: the states of the elements go on changing after %d sweeps; more (sweeps), smaller "
                    "steps or another mesh may help",
                    t, result->sweeps);
    return "not converged";
  }
  if (P < 0)
    (void)thud_fail(context, THUD_ERROR_UNSUPPORTED,
                    "t = %.15g: P = %g pulls the punch off: there is no equilibrium without adhesion", t, P);
  else if (fabs(Q) > F * P)
    (void)thud_fail(context, THUD_ERROR_UNSUPPORTED,
                    "t = %.15g: |Q| = %g is more than F P = %g: the punch slides away, there is no equilibrium", t,
                    fabs(Q), F * P);
  else
    (void)thud_fail(context, THUD_ERROR_UNSUPPORTED,
                    "t = %.15g: no pressure under the punch has this moment: it topples, there is no equilibrium", t);
  return "no equilibrium";
}

static thud_error advance(void *motion, const thud_row_sink *sink, thud_reached *reached) {
  half_plane_motion *made = motion;
  punch_state *state = &made->state;
  thud_punch_drive drive;
  thud_punch_result result;
  double t = row_time(made, state->next), before = state->regime;
  *reached = (thud_reached){.t = state->t, .status = THUD_MOTION_FAILED, .what = "bad data"};
  if (!thud_punch_scene_drive(&made->built, t, &drive)) return THUD_OK;
  thud_error error = set_reference(made);
  if (error == THUD_OK) error = solve(made, &drive, &result);
  if (error != THUD_OK) return error;
  if (result.status != THUD_PUNCH_SOLVED && result.status != THUD_PUNCH_LIFTED) {
    reached->what = explain(made, t, &result);
    return THUD_OK;
  }
  take(made, t, &result);
  state->regime = regime_of(made, &result);
  bool changed = state->next > 0 && state->regime != before;
  int answer = changed ? hand_out_change(made, sink, before) : 0;
  if (answer == 0) answer = hand_out(made, sink, changed ? THUD_ROW_KEEP : 0);
  *reached = (thud_reached){.t = t};
  if (state->next >= made->built.scene->steps) reached->status = THUD_MOTION_COMPLETED;
  state->next++;
  if (answer > 0) reached->status = THUD_MOTION_STOPPED;
  return answer < 0 ? THUD_ERROR_CALLBACK : THUD_OK;
}

/* A run that fails at once has no row. */
static thud_error finish(void *motion, const thud_row_sink *sink) {
  half_plane_motion *made = motion;
  if (made->state.next == 0) return THUD_OK;
  return hand_out(made, sink, THUD_ROW_AGAIN) < 0 ? THUD_ERROR_CALLBACK : THUD_OK;
}

/* ---- checkpoints --------------------------------------------------------------------------------------------------- */

static size_t fields_size(const half_plane_motion *made) { return FIELDS * (size_t)made->built.n * sizeof(double); }

static size_t state_size(const void *motion) { return sizeof(punch_state) + fields_size(motion); }

static void save(const void *motion, void *state) {
  const half_plane_motion *made = motion;
  memcpy(state, &made->state, sizeof made->state);
  memcpy((char *)state + sizeof made->state, made->fields, fields_size(made));
}

static thud_error restore(void *motion, const void *state, size_t size) {
  half_plane_motion *made = motion;
  if (size != state_size(made))
    return thud_fail(made->built.scene->context, THUD_ERROR_FORMAT, "the state is not of this half-plane");
  memcpy(&made->state, state, sizeof made->state);
  memcpy(made->fields, (const char *)state + sizeof made->state, fields_size(made));
  return THUD_OK;
}

/* ---- reporting ------------------------------------------------------------------------------------------------------ */

static void report_zones(const punch_state *state, thud_report *report) {
  thud_report_number(report, "contact_left", state->contact[0]);
  thud_report_number(report, "contact_right", state->contact[1]);
  thud_report_number(report, "stick_left", state->stick[0]);
  thud_report_number(report, "stick_right", state->stick[1]);
  thud_report_string(report, "regime", regime_names[(int)state->regime]);
  if (state->regime != LIFTED)
    thud_report_line(report, "contact", "%.8g to %.8g at the end, %s", state->contact[0], state->contact[1],
                     regime_names[(int)state->regime]);
  if (state->stick[0] < state->stick[1])
    thud_report_line(report, "stick", "%.8g to %.8g", state->stick[0], state->stick[1]);
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
static void report_edges(const half_plane_motion *made, thud_report *report) {
  static const char *const keys[2][4] = {{"left_exponent", "left_oscillation", "left_coefficient", "left_error"},
                                         {"right_exponent", "right_oscillation", "right_coefficient", "right_error"}};
  if (made->state.next <= made->built.scene->steps) return;
  for (int side = -1; side <= 1; side += 2) {
    const char *const *key = keys[side > 0];
    thud_punch_edge_law law;
    if (made->state.regime == LIFTED || thud_punch_get_edge_law(made->built.punch, side, &law) != THUD_OK) continue;
    thud_report_number(report, key[0], law.exponent);
    thud_report_number(report, key[1], law.oscillation);
    thud_report_number(report, key[2], law.coefficient);
    thud_report_number(report, key[3], law.error);
    report_edge(made, side, &law, report);
  }
  thud_run_forget_message(made->built.scene->context);
}

static void report(const void *motion, thud_report *report) {
  const half_plane_motion *made = motion;
  const punch_state *state = &made->state;
  thud_report_method(report, "%.0f rows, %d elements", state->next, (int)made->built.n);
  thud_report_integer(report, "rows", (int64_t)state->next);
  thud_report_integer(report, "elements", made->built.n);
  thud_report_number(report, "largest_pressure", state->largest_pressure);
  report_zones(state, report);
  const double *edges = made->built.edges;
  bool sharp = state->contact[0] <= edges[0] || state->contact[1] >= edges[made->built.n]; /* p is unbounded there */
  thud_report_line(report, "largest p", "%.8g%s; laws to %.2g, %.0f linear systems", state->largest_pressure,
                   sharp ? " (mean of an element; it grows with the mesh)" : "", state->law_error, state->sweeps);
  report_edges(made, report);
  if (has_creep(made)) {
    thud_report_number(report, "creep", state->creep);
    thud_report_line(report, "creep", "%.8g", state->creep);
  }
  if (has_ledger(made)) {
    const double *ledger = state->ledger;
    thud_report_number(report, "dissipation", ledger[FRICTION]);
    thud_report_number(report, "defect", ledger[DEFECT]);
    thud_report_line(report, "energy", "stored %.8g, work %.8g, defect %.3g", ledger[STORED], ledger[WORK],
                     ledger[DEFECT]);
    thud_report_line(report, "losses", "friction %.8g, changes of the contact %.3g", ledger[FRICTION], ledger[NORMAL]);
  }
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

static const char *const of_section[] = {"friction", NULL};
static const thud_kind_keys options[] = {{.place = "simulate", .table = thud_punch_scene_option_table},
                                         {.place = "simulate", .table = thud_punch_option_table, .without = of_section},
                                         {.place = NULL}};

const thud_kind thud_kind_half_plane = {.name = "half-plane",
                                        .section = "half_plane",
                                        .options = options,
                                        .resolve = thud_punch_scene_resolve,
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
