/* A recorded motion of rigid bodies: rows one after the other, the start, and of whole rows the step that ended with them. */
#include "verify/bodies/verify_bodies.h"
#include "verify/verify_channels.h"
#include "verify/verify_summary.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double DEFAULT_TOLERANCE = 1e-8;
typedef struct checking {
  thud_context *context;
  verify_bodies *bodies;
  verify_body_reader *reader;
  thud_verify_check *checks;
  size_t rows, whole, linked;
  size_t contacts; /* whose laws were asked */
  size_t touching; /* rows of steps with contacts, whole or not */
  double tolerance, initial_energy, h;
  verify_body_row row, before;
  verify_body_step step;
  verify_place *place;
  double *times; /* [rows] */
  verify_near near;
  verify_body_figures figures;
  verify_body_events events;
  verify_body_changes changes;
} checking;

/* ---- times ------------------------------------------------------------------------------------------------------------------- */

/* Every whole_every-th row is whole. */
static void check_time(const checking *c, thud_verify_check *check) {
  const verify_scene *scene = &c->bodies->scene;
  const verify_body_row *row = &c->row;
  const verify_times times = thud_verify_equal_steps(scene, true, VERIFY_TIMES_INCREASE);
  thud_verify_check_time(&times, row->number, row->t, 0, c->before.t, 0, check);
  bool nothing = row->residual == 0 && row->usual_residual == 0 && row->islands == 0 && row->contact_count == 0 &&
                 row->worst[0] == -1 && row->worst[1] == -1;
  if (row->number == 0 && !(row->t == scene->start && row->step == 0))
    thud_verify_fail(check, row->t, 0, "the first row is not the start, t = %.10g", scene->start);
  if (row->number == 0 && !nothing) thud_verify_fail(check, row->t, 0, "the start has figures of a step");
  if (row->number == 0) return;
  if (!(fabs(row->step - c->h) <= 1e-9 * c->h + 8 * DBL_EPSILON * fabs(row->t)))
    thud_verify_fail(check, row->t, row->number, "the step is %.17g long, those of the scene %.17g", row->step, c->h);
  double every = c->bodies->whole_every;
  if (every > 0 && fmod((double)row->number, every) == 0 && !row->whole)
    thud_verify_fail(check, row->t, row->number, "this row does not have the whole step, every %g-th one has", every);
}

static bool is_linked(const checking *c) {
  return c->row.number > 0 && c->before.usable && fabs(c->row.t - c->row.step - c->before.t) <= 1e-6 * c->h;
}

/* ---- one row ----------------------------------------------------------------------------------------------------------------- */

static thud_error check_step(checking *c) {
  thud_verify_check *checks = c->checks;
  verify_body_step *step = &c->step;
  c->whole++;
  thud_verify_body_step_rebuild(&c->row, step);
  thud_verify_body_contacts(step, &checks[BODIES_CONTACTS]);
  thud_error error = thud_verify_body_missing(c->context, step, &c->near, &checks[BODIES_MISSING]);
  if (error == THUD_OK)
    error = thud_verify_body_passing(c->context, step,
                                     is_linked(c) && (c->before.whole || c->bodies->contacts) ? &c->before : NULL,
                                     &c->near, &checks[BODIES_MISSING]);
  if (error == THUD_OK)
    error = thud_verify_body_law(c->context, step, c->tolerance, &checks[BODIES_LAW], &checks[BODIES_RESIDUAL]);
  if (error == THUD_OK) error = thud_verify_body_momentum(c->context, step, &checks[BODIES_MOMENTUM]);
  if (error == THUD_OK) error = thud_verify_body_lift(c->context, step, c->place, &c->near, &checks[BODIES_LIFT]);
  if (error != THUD_OK) return error;
  c->contacts += c->row.contact_count;
  thud_verify_body_impacts(&c->events, step, &checks[BODIES_EVENTS]);
  if (!is_linked(c)) return THUD_OK;
  c->linked++;
  thud_verify_body_drift(step, &c->before, &checks[BODIES_DRIFT]);
  bool listed = c->before.step == 0 || c->before.whole || c->bodies->contacts;
  if (listed) error = thud_verify_body_changes(c->context, &c->events, step, &c->before, &checks[BODIES_EVENTS]);
  if (error != THUD_OK) return error;
  return thud_verify_body_work(c->context, step, &c->before, &checks[BODIES_ENERGY]);
}

/* Fixed bodies are where the first row has them, to the last bit; the check holds it against the scene. */
static void begin(checking *c) {
  verify_bodies *bodies = c->bodies;
  double size;
  for (size_t i = 0; i < bodies->count; i++) {
    bodies->body[i].x = c->row.end[i].x;
    bodies->body[i].q = c->row.end[i].q;
  }
  c->initial_energy =
      thud_verify_bodies_kinetic(bodies, c->row.end) + thud_verify_bodies_potential(bodies, c->row.end, &size);
  thud_verify_body_initial(bodies, &c->row, &c->checks[BODIES_INITIAL]);
}

static thud_error check_row(checking *c) {
  thud_verify_check *checks = c->checks;
  check_time(c, &checks[BODIES_STRUCTURE]);
  if (!c->row.usable) return THUD_OK;
  thud_error error = THUD_OK;
  if (c->row.number == 0) begin(c);
  if (c->row.number > 0)
    error = thud_verify_body_changes_apply(&c->changes, &c->events, c->bodies, &c->row, &c->before, is_linked(c),
                                           &checks[BODIES_EVENTS]);
  if (error != THUD_OK) return error;
  c->step.kick = c->changes.kick;
  c->step.brought = c->changes.brought;
  c->step.brought_size = c->changes.brought_size;
  thud_verify_body_presence(c->bodies, &c->row, &checks[BODIES_STRUCTURE]);
  thud_verify_body_paths(c->bodies, &c->row, &checks[BODIES_PATHS]);
  thud_verify_body_energies(c->bodies, &c->row, c->initial_energy, &checks[BODIES_ENERGY]);
  thud_verify_body_figures_take(&c->figures, &c->row);
  thud_verify_body_sleepers(&c->events, c->bodies, &c->row, &checks[BODIES_EVENTS]);
  c->touching += c->row.islands > 0 || c->row.contact_count > 0;
  error = thud_verify_body_penetration(c->context, c->bodies, &c->row, c->place, &c->near, &checks[BODIES_PENETRATION]);
  return error == THUD_OK && c->row.whole && c->row.step > 0 ? check_step(c) : error;
}

static thud_error check_rows(checking *c) {
  thud_error error = THUD_OK;
  for (size_t k = 0; k < c->rows && error == THUD_OK; k++) {
    if (k > 0) { /* the row before stays */
      verify_body_row row = c->row;
      c->row = c->before;
      c->before = row;
    }
    error = thud_verify_body_row_read(c->reader, k, &c->row, &c->checks[BODIES_STRUCTURE]);
    c->times[k] = c->row.t;
    if (error == THUD_OK) error = check_row(c);
  }
  return error;
}

/* ---- all rows ------------------------------------------------------------------------------------------------------------------ */

static thud_error prepare(checking *c, thud_record_reader *record) {
  thud_error error = thud_verify_body_row_create(c->context, c->bodies, &c->row);
  if (error == THUD_OK) error = thud_verify_body_row_create(c->context, c->bodies, &c->before);
  if (error == THUD_OK) error = thud_verify_body_step_create(c->context, c->bodies, &c->step);
  if (error == THUD_OK) error = thud_verify_near_create(c->context, c->bodies->part_count, &c->near);
  if (error == THUD_OK)
    error = thud_verify_body_events_read(c->context, record, c->bodies, &c->checks[BODIES_EVENTS], &c->events);
  if (error == THUD_OK) error = thud_verify_body_changes_create(c->context, c->bodies, &c->changes);
  c->place = THUD_NEW_ARRAY(c->context, verify_place, c->bodies->part_count);
  c->times = THUD_NEW_ARRAY(c->context, double, c->rows);
  return error == THUD_OK && (c->place == NULL || c->times == NULL) ? THUD_ERROR_MEMORY : error;
}

static void release(checking *c) {
  thud_verify_body_row_free(c->context, &c->row);
  thud_verify_body_row_free(c->context, &c->before);
  thud_verify_body_step_free(c->context, &c->step);
  thud_verify_near_free(c->context, &c->near);
  thud_free(c->context, c->place);
  thud_free(c->context, c->times);
  thud_verify_body_events_free(c->context, &c->events);
  thud_verify_body_changes_free(c->context, &c->changes);
  thud_verify_body_reader_destroy(c->reader);
}

/* What could not be asked because no row has a whole step, or none has the node before it. A motion with contacts, or with
 * impacts, none of which is in a whole step, was not checked for what matters. */
static void explain(checking *c, const thud_record_info *info) {
  static const int of_steps[] = {BODIES_CONTACTS, BODIES_MISSING,  BODIES_MOMENTUM,
                                 BODIES_LAW,      BODIES_RESIDUAL, BODIES_LIFT};
  thud_verify_check *checks = c->checks, *law = &checks[BODIES_LAW];
  size_t impacts = thud_verify_body_impact_count(&c->events);
  for (size_t k = 0; c->whole == 0 && k < sizeof of_steps / sizeof *of_steps; k++)
    thud_verify_skip(&checks[of_steps[k]], THUD_VERIFY_NOT_CHECKABLE, "no row has a whole step");
  if (c->linked == 0)
    thud_verify_skip(&checks[BODIES_DRIFT], THUD_VERIFY_NOT_APPLICABLE, "no whole row follows the node before it");
  bool passed = law->status == THUD_VERIFY_PASSED;
  if (passed && c->touching > 0 && c->contacts == 0)
    thud_verify_skip(law, THUD_VERIFY_NOT_CHECKABLE,
                     "%zu rows are of steps with contacts, and no contact could be checked", c->touching);
  else if (passed && impacts > 0 && c->events.shown == 0)
    thud_verify_skip(law, THUD_VERIFY_NOT_CHECKABLE, "none of the %zu impacts is in a whole step", impacts);
  thud_verify_check_ends(&c->bodies->scene, c->rows, c->times[0], c->row.t, thud_verify_ran_to_end(info),
                         &checks[BODIES_STRUCTURE]);
  if (checks[BODIES_STRUCTURE].status == THUD_VERIFY_PASSED)
    thud_verify_explain(&checks[BODIES_STRUCTURE], "%zu frames, %zu whole steps, %zu of them after the node before",
                        c->rows, c->whole, c->linked);
}

/* Steps of the run up to its last row. */
static size_t steps_of(const checking *c) {
  double steps = round((c->row.t - c->bodies->scene.start) / c->h);
  return steps > (double)c->whole && steps <= c->bodies->scene.steps ? (size_t)steps : c->whole;
}

static thud_error read_scene(const verify_record *record, void *scene) {
  return thud_verify_bodies_read(record->context, record->tree, scene);
}

static thud_error compare_summary(verify_record *record, void *motion, const thud_node *summary,
                                  thud_verify_check *check) {
  const checking *c = motion;
  return thud_verify_body_summary(record, summary, c->bodies, &c->figures, &c->row, check);
}

static thud_error check(verify_record *record, void *scene) {
  verify_bodies *bodies = scene;
  thud_context *context = record->context;
  const thud_node *root = thud_tree_root(record->tree);
  double asked = record->options->tolerance;
  thud_verify_check *checks = record->checks;
  checking c = {.context = context,
                .bodies = bodies,
                .checks = checks,
                .rows = record->info.rows[THUD_RECORD_FRAMES],
                .tolerance = asked > 0 ? asked : fmax(DEFAULT_TOLERANCE, bodies->options.tolerance),
                .figures = thud_verify_body_figures_none(),
                .h = (bodies->scene.end - bodies->scene.start) / bodies->scene.steps};
  thud_verify_check_made_by(&record->info, "bodies", "moreau-midpoint", &checks[BODIES_STRUCTURE]);
  if (bodies->told_size > 0)
    thud_verify_skip(
        &checks[BODIES_FUNCTIONS], THUD_VERIFY_NOT_CHECKED,
        "the functions are in a program: whether forces, their derivatives and paths are those functions of t "
        "and of the state");
  thud_error error = thud_verify_bodies_check_model(bodies, root, &checks[BODIES_MODEL]);
  if (error == THUD_OK)
    error = thud_verify_body_reader_create(context, record->reader, bodies, &checks[BODIES_STRUCTURE], &c.reader);
  bool usable = error == THUD_OK && c.reader != NULL && c.rows > 0;
  if (usable) error = prepare(&c, record->reader);
  if (usable && error == THUD_OK) error = check_rows(&c);
  if (usable && error == THUD_OK)
    error = thud_verify_body_scene_changes(bodies, root, &c.events, c.h, c.row.t, &checks[BODIES_EVENTS]);
  if (usable && error == THUD_OK) {
    thud_verify_body_events_check(&c.events, c.rows, c.times, &checks[BODIES_EVENTS]);
    explain(&c, &record->info);
    record->asked = c.whole;
    record->all = steps_of(&c);
    record->contacts = c.contacts;
    error = thud_verify_check_summary(record, &c, NULL);
  }
  release(&c);
  return error;
}

static void release_scene(void *scene) { thud_verify_bodies_free(scene); }

static const char *const names_of_checks[] = {[BODIES_STRUCTURE] = "structure",
                                              [BODIES_INITIAL] = "initial",
                                              [BODIES_MODEL] = "model",
                                              [BODIES_DRIFT] = "drift",
                                              [BODIES_PATHS] = "paths",
                                              [BODIES_CONTACTS] = "contacts",
                                              [BODIES_MISSING] = "missing",
                                              [BODIES_MOMENTUM] = "momentum",
                                              [BODIES_LAW] = "law",
                                              [BODIES_RESIDUAL] = "residual",
                                              [BODIES_PENETRATION] = "penetration",
                                              [BODIES_LIFT] = "lift",
                                              [BODIES_ENERGY] = "energy",
                                              [BODIES_EVENTS] = "events",
                                              [BODIES_SUMMARY] = "summary",
                                              [BODIES_FINISHED] = "finished",
                                              [BODIES_FUNCTIONS] = "functions",
                                              [BODIES_FUNCTIONS + 1] = NULL};

static bool leaves_out(const void *scene, size_t k) {
  return k == BODIES_FUNCTIONS && (scene == NULL || ((const verify_bodies *)scene)->told_size == 0);
}

/* Defaults of its scenes: written after docs/scene-format.md, not after the tables of src. */
static const verify_default defaults[] = {
    {"/units/length", "m", NULL, NULL}, /* in which defaults with dimensions are stated */
    {"/units/mass", "kg", NULL, NULL},
    {"/units/time", "s", NULL, NULL},
    {"/planar", "false", "*", NULL},
    {"/gravity", "0 -9.81|0 0 -9.81", "*", NULL},
    {"/materials/*/friction", "0", "*", NULL},
    {"/materials/*/restitution", "0", "*", NULL},
    {"/materials/*/rolling", "0", "*", NULL},
    {"/materials/*/spinning", "0", "*", NULL},
    {"/materials/*/density", "0", NULL, NULL},
    {"/springs/*/length", "0", "*", NULL},
    {"/springs/*/stiffness", "0", "*", NULL},
    {"/springs/*/damping", "0", "*", NULL},
    {"/record/contacts", NULL, NULL, NULL},
    {"/record/whole_every", NULL, NULL, NULL},
    {"/simulate/tolerance", "1e-8", "*", NULL},
    {"/simulate/penetration", "1e-4", "*", NULL},
    {"/simulate/predicted", "true", "*", NULL},
    {"/simulate/continuous", "true", NULL, NULL},
    {"/simulate/gyroscopic", "true", "*", NULL},
    {"/simulate/relax", "false", "*", NULL},
    {"/simulate/sleep", "false", "*", NULL},
    {"/simulate/sleep_speed", "1e-3", NULL, NULL},
    {"/simulate/sleep_time", "0.5", NULL, NULL},
    {"/simulate/impact_velocity", "0", "*", NULL},
    {"/simulate/impact_law", "newton", "*", NULL},
    {"/simulate/on_energy_gain", "reduce_e", "*", NULL},
    {"/simulate/energy_tolerance", "1e-9", "*", NULL},
    {"/simulate/contacts_per_body", "16", NULL, NULL},
    {"/simulate/blow_up", "1e6", NULL, NULL},
    {NULL, NULL, NULL, NULL}};

const verify_record_kind thud_verify_bodies_kind = {.name = "bodies",
                                                    .section = "bodies",
                                                    .checks = names_of_checks,
                                                    .defaults = {defaults},
                                                    .added = "all_bodies",
                                                    .unit = "steps",
                                                    .has_contacts = true,
                                                    .size = sizeof(verify_bodies),
                                                    .read = read_scene,
                                                    .check = check,
                                                    .release = release_scene,
                                                    .leaves_out = leaves_out,
                                                    .compare = compare_summary};

/* ---- the first row beside what the scene says of the start ------------------------------------------------------- */

static void compare_start(const verify_rigid *body, const verify_start *given, const verify_body_row *row,
                          const verify_body_state *found, bool placed, thud_verify_check *check) {
  thud_quat between = thud_quat_multiply(given->state.q, thud_quat_conjugate(found->q));
  const struct {
    double error, size;
    const char *what;
  } parts[4] = {{thud_vec3_distance(given->state.v, found->v), thud_vec3_norm(given->state.v), "velocity"},
                {thud_vec3_distance(given->state.w, found->w), thud_vec3_norm(given->state.w), "spin"},
                {thud_vec3_distance(given->state.x, found->x), given->size, "position"},
                {thud_vec3_norm(thud_quat_to_rotation_vector(between)), 1, "rotation"}};
  for (int k = 0; k < (placed ? 4 : 2); k++)
    if (thud_verify_tally(check, parts[k].error, VERIFY_SUMS * parts[k].size, 0, row->t, row->number))
      thud_verify_explain(check, "%s of '%s'", parts[k].what, body->name);
}

/* Bodies on paths are asked about there; with `relax` overlapping ones were moved apart, which leaves the velocities. */
void thud_verify_body_initial(const verify_bodies *bodies, const verify_body_row *row, thud_verify_check *check) {
  size_t asked = 0;
  for (size_t i = 0; i < bodies->count; i++) {
    const verify_rigid *body = &bodies->body[i];
    verify_start given = bodies->start[i];
    if (body->role == VERIFY_KINEMATIC) continue;
    if (body->absent) given.state.v = given.state.w = (thud_vec3){0}; /* it has them when it comes */
    bool placed = !bodies->options.relax || body->role == VERIFY_FIXED;
    compare_start(body, &given, row, &row->end[i], placed, check);
    asked++;
  }
  if (asked == 0) thud_verify_skip(check, THUD_VERIFY_NOT_APPLICABLE, "every body follows a path");
}

/* ---- rows of a record of rigid bodies, read in blocks; lists that do not fit together fail the structure --------- */

enum {
  T,
  STEP,
  WHOLE,
  POSITION,
  ROTATION,
  VELOCITY,
  SPIN,
  RESIDUAL,
  USUAL_RESIDUAL,
  WORST_A,
  WORST_B,
  PENETRATION,
  PENETRATION_A,
  PENETRATION_B,
  ISLANDS,
  LEDGER,
  FIXED, /* those in front have as many numbers in every row */
  VELOCITY_LEFT = FIXED,
  SPIN_LEFT,
  LIFT_BODY,
  LIFT,
  TURN,
  ASLEEP,
  ABSENT,
  CONTACT_A,
  CONTACT_B,
  CONTACT_PART_A,
  CONTACT_PART_B,
  CONTACT_POINT,
  CONTACT_NORMAL,
  CONTACT_GAP,
  CONTACT_IMPULSE,
  CONTACT_MOMENT,
  CONTACT_LAW,
  CONTACT_TANGENT,
  CONTACT_TIME,
  FUNCTION_VALUES, /* only where functions of a program move bodies */
  CHANNELS
};

static const char *const roles[CHANNELS] = {"time",
                                            "step",
                                            "whole",
                                            "position",
                                            "rotation",
                                            "velocity",
                                            "spin",
                                            "residual",
                                            "usual_residual",
                                            "worst_a",
                                            "worst_b",
                                            "penetration",
                                            "penetration_a",
                                            "penetration_b",
                                            "islands",
                                            "ledger",
                                            "velocity_left",
                                            "spin_left",
                                            "lift_body",
                                            "lift",
                                            "turn",
                                            "asleep",
                                            "absent",
                                            "contact_a",
                                            "contact_b",
                                            "contact_part_a",
                                            "contact_part_b",
                                            "contact_point",
                                            "contact_normal",
                                            "contact_gap",
                                            "contact_impulse",
                                            "contact_moment",
                                            "contact_law",
                                            "contact_tangent",
                                            "contact_time",
                                            "function_values"};

enum { LAW = 6, BLOCK_NUMBERS = 400000 };

/* The numbers of a channel in the block; those of row k from starts[k - first] to starts[k - first + 1]. */
typedef struct block_channel {
  size_t index, width; /* width: of a row, or of a group */
  double *values;
  size_t value_capacity, *starts;
} block_channel;

struct verify_body_reader {
  thud_context *context;
  thud_record_reader *record;
  const verify_bodies *bodies;
  size_t rows, first, count, most; /* of the block */
  size_t d, s, q;                  /* numbers of a vector, a spin, a rotation */
  int known;                       /* channels */
  block_channel channel[CHANNELS];
};

/* ---- channels ------------------------------------------------------------------------------------------------------------ */

static size_t width_of(const verify_body_reader *r, int k) {
  size_t n = r->bodies->count;
  switch (k) {
  case POSITION:
  case VELOCITY: return n * r->d;
  case ROTATION: return n * r->q;
  case SPIN: return n * r->s;
  case LEDGER: return BODY_LEDGER;
  case VELOCITY_LEFT:
  case LIFT:
  case CONTACT_POINT:
  case CONTACT_NORMAL:
  case CONTACT_IMPULSE:
  case CONTACT_TANGENT: return r->d;
  case SPIN_LEFT:
  case TURN:
  case CONTACT_MOMENT: return r->s;
  case CONTACT_LAW: return LAW;
  default: return 1;
  }
}

static bool names_bodies(int k) {
  return k == WORST_A || k == WORST_B || k == PENETRATION_A || k == PENETRATION_B || k == LIFT_BODY || k == ASLEEP ||
         k == ABSENT || k == CONTACT_A || k == CONTACT_B;
}

static void check_names(const verify_body_reader *r, int k, const thud_record_channel *found,
                        thud_verify_check *structure) {
  size_t n = r->bodies->count;
  if (!names_bodies(k)) return;
  bool same = found->label_count == n;
  for (size_t i = 0; same && i < n; i++) same = strcmp(found->labels[i], r->bodies->body[i].name) == 0;
  if (!same) thud_verify_fail(structure, NAN, SIZE_MAX, "the labels of '%s' are not the names of the bodies", roles[k]);
}

static bool find_channel(verify_body_reader *r, int k, thud_verify_check *structure) {
  block_channel *channel = &r->channel[k];
  channel->width = width_of(r, k);
  if (thud_record_find_role(r->record, THUD_RECORD_FRAMES, roles[k], &channel->index) != THUD_OK) {
    thud_verify_fail(structure, NAN, SIZE_MAX, "the frames have no channel for the %s", roles[k]);
    return false;
  }
  const thud_record_channel *found = thud_record_reader_channel(r->record, THUD_RECORD_FRAMES, channel->index);
  size_t fixed = k < FIXED ? channel->width : 0, group = k < FIXED ? 0 : channel->width;
  if (found->type == THUD_RECORD_TEXT || found->width != fixed || (k >= FIXED && found->group != group)) {
    thud_verify_fail(structure, NAN, SIZE_MAX, "the channel for the %s does not have the form that the scene asks for",
                     roles[k]);
    return false;
  }
  check_names(r, k, found, structure);
  return true;
}

static void check_channels(const verify_body_reader *r, thud_verify_check *structure) {
  static const char *const ledger[BODY_LEDGER] = {"kinetic",        "potential",   "work",
                                                  "kinematic_work", "impact_loss", "friction_loss",
                                                  "contact_loss",   "lift",        "defect"};
  static const char *const law[LAW] = {"mu", "mu_across", "e", "rolling", "spinning", "e_factor"};
  thud_record_info info = thud_record_reader_info(r->record);
  thud_verify_check_components(r->record, THUD_RECORD_FRAMES, "ledger", BODY_LEDGER, ledger, structure);
  thud_verify_check_components(r->record, THUD_RECORD_FRAMES, "contact_law", LAW, law, structure);
  if (info.channel_count[THUD_RECORD_FRAMES] != (size_t)r->known)
    thud_verify_fail(structure, NAN, SIZE_MAX, "frames have %zu channels, %d are known", info.channel_count[0],
                     r->known);
  if (r->rows == 0) thud_verify_fail(structure, NAN, SIZE_MAX, "the record has no frames");
}

thud_error thud_verify_body_reader_create(thud_context *context, thud_record_reader *record,
                                          const verify_bodies *bodies, thud_verify_check *structure,
                                          verify_body_reader **made) {
  *made = NULL;
  verify_body_reader *r = THUD_NEW(context, verify_body_reader);
  if (r == NULL) return THUD_ERROR_MEMORY;
  bool planar = bodies->planar;
  *r = (verify_body_reader){.context = context,
                            .record = record,
                            .bodies = bodies,
                            .rows = thud_record_reader_info(record).rows[THUD_RECORD_FRAMES],
                            .d = planar ? 2 : 3,
                            .s = planar ? 1 : 3,
                            .q = planar ? 1 : 4,
                            .known = bodies->told_size > 0 ? CHANNELS : FUNCTION_VALUES};
  size_t each = 20 * (bodies->count + 1);
  r->most = each < BLOCK_NUMBERS ? BLOCK_NUMBERS / each : 1;
  if (r->most > r->rows) r->most = r->rows + 1;
  bool good = true;
  for (int k = 0; k < r->known; k++) good = find_channel(r, k, structure) && good;
  if (good) check_channels(r, structure);
  thud_error error = THUD_OK;
  for (int k = FIXED; k < CHANNELS; k++) {
    r->channel[k].starts = THUD_NEW_ARRAY(context, size_t, r->most + 1);
    if (r->channel[k].starts == NULL) error = THUD_ERROR_MEMORY;
  }
  if (error == THUD_OK && good)
    *made = r;
  else
    thud_verify_body_reader_destroy(r);
  return error;
}

void thud_verify_body_reader_destroy(verify_body_reader *reader) {
  if (reader == NULL) return;
  for (int k = 0; k < CHANNELS; k++) {
    thud_free(reader->context, reader->channel[k].values);
    thud_free(reader->context, reader->channel[k].starts);
  }
  thud_free(reader->context, reader);
}

/* ---- blocks ----------------------------------------------------------------------------------------------------------------- */

static thud_error read_fixed(verify_body_reader *r, block_channel *channel) {
  size_t total;
  if (!thud_size_multiply(r->count, channel->width, &total)) return THUD_ERROR_OVERFLOW;
  thud_error error =
      thud_array_reserve(r->context, &channel->values, &channel->value_capacity, total, sizeof *channel->values);
  return error == THUD_OK
             ? thud_record_read(r->record, THUD_RECORD_FRAMES, channel->index, r->first, r->count, channel->values)
             : error;
}

/* The reader refuses lists that do not follow each other. */
static thud_error read_lists(verify_body_reader *r, int k) {
  block_channel *channel = &r->channel[k];
  size_t start = 0;
  thud_error error = thud_record_read_ends(r->record, THUD_RECORD_FRAMES, channel->index, r->first, r->count, &start,
                                           channel->starts + 1);
  if (error != THUD_OK) return error;
  channel->starts[0] = start;
  size_t total = channel->starts[r->count] - start;
  error = thud_array_reserve(r->context, &channel->values, &channel->value_capacity, total, sizeof *channel->values);
  if (error == THUD_OK && total > 0)
    error = thud_record_read_values(r->record, THUD_RECORD_FRAMES, channel->index, start, total, channel->values);
  for (size_t i = r->count + 1; i-- > 0;) channel->starts[i] -= start;
  return error;
}

static thud_error read_block(verify_body_reader *r, size_t first) {
  thud_error error = THUD_OK;
  r->first = first;
  r->count = r->rows - first < r->most ? r->rows - first : r->most;
  for (int k = 0; k < r->known && error == THUD_OK; k++)
    error = k < FIXED ? read_fixed(r, &r->channel[k]) : read_lists(r, k);
  return error;
}

/* The numbers of row k of a channel, and how many. */
static const double *cell(const verify_body_reader *r, int channel, size_t k, size_t *count) {
  const block_channel *from = &r->channel[channel];
  size_t row = k - r->first;
  if (channel < FIXED) {
    if (count != NULL) *count = from->width;
    return from->values + row * from->width;
  }
  *count = from->starts[row + 1] - from->starts[row];
  return from->values + from->starts[row];
}

/* ---- rows ------------------------------------------------------------------------------------------------------------------- */

thud_error thud_verify_body_row_create(thud_context *context, const verify_bodies *bodies, verify_body_row *row) {
  size_t n = bodies->count;
  *row = (verify_body_row){.end = THUD_NEW_ARRAY(context, verify_body_state, n)};
  thud_vec3 **vectors[] = {&row->v_left, &row->w_left, &row->lift, &row->turn};
  bool made = row->end != NULL;
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) {
    *vectors[k] = THUD_NEW_ARRAY(context, thud_vec3, n);
    made = made && *vectors[k] != NULL;
  }
  row->asleep = THUD_NEW_ARRAY(context, bool, n);
  row->absent = THUD_NEW_ARRAY(context, bool, n);
  row->told = THUD_NEW_ARRAY(context, double, bodies->told_size);
  return made && row->told != NULL && row->asleep != NULL && row->absent != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

void thud_verify_body_row_free(thud_context *context, verify_body_row *row) {
  void *const arrays[] = {row->end,    row->v_left, row->w_left,  row->lift, row->turn,
                          row->asleep, row->absent, row->contact, row->told};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(context, arrays[k]);
}

static thud_vec3 vector(const double *from, size_t width) {
  return thud_vec3_make(from[0], from[1], width == 3 ? from[2] : 0);
}

static thud_vec3 spin(const double *from, size_t width) {
  return width == 3 ? thud_vec3_load(from) : thud_vec3_make(0, 0, from[0]);
}

static void take_state(const verify_body_reader *r, size_t k, verify_body_row *row, thud_verify_check *structure) {
  const double *x = cell(r, POSITION, k, NULL), *q = cell(r, ROTATION, k, NULL), *v = cell(r, VELOCITY, k, NULL),
               *w = cell(r, SPIN, k, NULL);
  for (size_t i = 0; i < r->bodies->count; i++) {
    verify_body_state *state = &row->end[i];
    state->x = vector(x + i * r->d, r->d);
    state->v = vector(v + i * r->d, r->d);
    state->w = spin(w + i * r->s, r->s);
    if (r->q == 1) {
      state->q = thud_quat_make(cos(0.5 * q[i]), 0, 0, sin(0.5 * q[i]));
      continue;
    }
    state->q = thud_quat_make(q[4 * i], q[4 * i + 1], q[4 * i + 2], q[4 * i + 3]);
    if (!(fabs(thud_quat_norm(state->q) - 1) <= 64 * DBL_EPSILON)) {
      thud_verify_fail(structure, row->t, k, "the rotation of '%s' has the norm %.17g, not 1", r->bodies->body[i].name,
                       thud_quat_norm(state->q));
      row->usable = false;
    }
  }
}

static bool is_body(const verify_body_reader *r, double number) {
  return number >= 0 && number < (double)r->bodies->count && number == floor(number);
}

/* Lists fit together: `count` numbers, or none where that is allowed too. */
static bool has(const verify_body_reader *r, int channel, size_t k, size_t count, bool or_none,
                thud_verify_check *structure) {
  size_t found;
  cell(r, channel, k, &found);
  if (found == count || (or_none && found == 0)) return true;
  thud_verify_fail(structure, *cell(r, T, k, NULL), k, "there are %zu numbers of '%s', %zu belong here", found,
                   roles[channel], count);
  return false;
}

static bool check_lists(const verify_body_reader *r, size_t k, bool whole, thud_verify_check *structure) {
  size_t n = r->bodies->count, lifted, contacts;
  bool good = true;
  cell(r, LIFT_BODY, k, &lifted);
  cell(r, CONTACT_A, k, &contacts);
  good = has(r, VELOCITY_LEFT, k, whole ? n * r->d : 0, false, structure) && good;
  good = has(r, SPIN_LEFT, k, whole ? n * r->s : 0, false, structure) && good;
  good = has(r, LIFT, k, lifted * r->d, false, structure) && good;
  good = has(r, TURN, k, lifted * r->s, false, structure) && good;
  for (int channel = CONTACT_B; channel <= CONTACT_TIME; channel++) {
    bool may_miss = channel == CONTACT_MOMENT || channel >= CONTACT_TANGENT;
    good = has(r, channel, k, contacts * width_of(r, channel), may_miss, structure) && good;
  }
  if (r->known == CHANNELS)
    good = has(r, FUNCTION_VALUES, k, whole ? r->bodies->told_size : 0, false, structure) && good;
  for (int channel = 0; channel < r->known; channel++) {
    size_t count;
    const double *values = cell(r, channel, k, &count);
    if (thud_verify_all_finite(count, values)) continue;
    thud_verify_fail(structure, *cell(r, T, k, NULL), k, "a number of '%s' is NaN or infinite", roles[channel]);
    good = false;
  }
  return good;
}

/* Only scenes with the option have sleepers. */
static void check_sleeper(const verify_body_reader *r, size_t i, verify_body_row *row, thud_verify_check *structure) {
  row->asleep[i] = true;
  if (!r->bodies->options.sleep)
    thud_verify_fail(structure, row->t, row->number, "'%s' sleeps, in this scene nothing does",
                     r->bodies->body[i].name);
}

static bool take_bodies(const verify_body_reader *r, size_t k, verify_body_row *row, thud_verify_check *structure) {
  size_t lifted, sleepers, missing;
  const double *body = cell(r, LIFT_BODY, k, &lifted), *asleep = cell(r, ASLEEP, k, &sleepers),
               *absent = cell(r, ABSENT, k, &missing);
  size_t unused;
  const double *lift = cell(r, LIFT, k, &unused), *turn = cell(r, TURN, k, &unused);
  bool good = true;
  for (size_t i = 0; i < r->bodies->count; i++) {
    row->lift[i] = row->turn[i] = (thud_vec3){0};
    row->asleep[i] = row->absent[i] = false;
  }
  for (size_t i = 0; i < lifted; i++) {
    if (!is_body(r, body[i]) || (i > 0 && !(body[i] > body[i - 1]))) {
      good = false;
      continue;
    }
    row->lift[(size_t)body[i]] = vector(lift + i * r->d, r->d);
    row->turn[(size_t)body[i]] = spin(turn + i * r->s, r->s);
  }
  for (size_t i = 0; i < sleepers; i++) {
    good = good && is_body(r, asleep[i]) && r->bodies->body[(size_t)asleep[i]].role == VERIFY_DYNAMIC;
    good = good && (i == 0 || asleep[i] > asleep[i - 1]);
    if (good) check_sleeper(r, (size_t)asleep[i], row, structure);
  }
  for (size_t i = 0; i < missing; i++) {
    good = good && is_body(r, absent[i]);
    if (good) row->absent[(size_t)absent[i]] = true;
  }
  if (!good) thud_verify_fail(structure, row->t, k, "a list of bodies has numbers of none, or not in their order");
  return good;
}

static bool part_of(const verify_body_reader *r, double body, double part, size_t *number) {
  if (!is_body(r, body)) return false;
  const verify_rigid *owner = &r->bodies->body[(size_t)body];
  if (!(part >= 0 && part < (double)owner->part_count && part == floor(part))) return false;
  *number = owner->first_part + (size_t)part;
  return true;
}

static bool take_contact(const verify_body_reader *r, size_t k, size_t i, verify_body_contact *to) {
  size_t unused, moments, tangents, times;
  double a = cell(r, CONTACT_A, k, &unused)[i], b = cell(r, CONTACT_B, k, &unused)[i];
  const double *law = cell(r, CONTACT_LAW, k, &unused) + i * LAW;
  const double *moment = cell(r, CONTACT_MOMENT, k, &moments), *tangent = cell(r, CONTACT_TANGENT, k, &tangents);
  const double *time = cell(r, CONTACT_TIME, k, &times);
  *to = (verify_body_contact){.mu = law[0],
                              .mu_across = law[1],
                              .e = law[2],
                              .rolling = law[3],
                              .spinning = law[4],
                              .factor = law[5],
                              .gap = cell(r, CONTACT_GAP, k, &unused)[i]};
  if (!part_of(r, a, cell(r, CONTACT_PART_A, k, &unused)[i], &to->part_a) ||
      !part_of(r, b, cell(r, CONTACT_PART_B, k, &unused)[i], &to->part_b) || a == b)
    return false;
  to->a = (size_t)a;
  to->b = (size_t)b;
  to->point = vector(cell(r, CONTACT_POINT, k, &unused) + i * r->d, r->d);
  to->normal = vector(cell(r, CONTACT_NORMAL, k, &unused) + i * r->d, r->d);
  to->impulse = vector(cell(r, CONTACT_IMPULSE, k, &unused) + i * r->d, r->d);
  if (moments > 0) to->moment = spin(moment + i * r->s, r->s);
  if (times > 0) to->ahead = time[i];
  if (tangents > 0) to->tangent = vector(tangent + i * r->d, r->d);
  return to->mu >= 0 && to->mu_across >= 0 && to->rolling >= 0 && to->spinning >= 0;
}

static thud_error take_contacts(const verify_body_reader *r, size_t k, verify_body_row *row,
                                thud_verify_check *structure) {
  size_t count, tangents;
  cell(r, CONTACT_A, k, &count);
  cell(r, CONTACT_TANGENT, k, &tangents);
  row->directed = tangents > 0;
  row->contact_count = 0;
  thud_error error = thud_array_reserve(r->context, &row->contact, &row->contact_capacity, count, sizeof *row->contact);
  for (size_t i = 0; error == THUD_OK && i < count; i++) {
    if (!take_contact(r, k, i, &row->contact[row->contact_count++])) {
      thud_verify_fail(structure, row->t, k,
                       "contact %zu is not one of two parts of the scene, or has a law of no sense", i);
      row->usable = false;
    }
  }
  return error;
}

static void take_figures(const verify_body_reader *r, size_t k, verify_body_row *row, thud_verify_check *structure) {
  row->residual = *cell(r, RESIDUAL, k, NULL);
  row->usual_residual = *cell(r, USUAL_RESIDUAL, k, NULL);
  row->penetration = *cell(r, PENETRATION, k, NULL);
  row->islands = *cell(r, ISLANDS, k, NULL);
  for (int i = 0; i < 2; i++) {
    row->worst[i] = *cell(r, WORST_A + i, k, NULL);
    row->deepest[i] = *cell(r, PENETRATION_A + i, k, NULL);
    if ((row->worst[i] != -1 && !is_body(r, row->worst[i])) || (row->deepest[i] != -1 && !is_body(r, row->deepest[i])))
      thud_verify_fail(structure, row->t, k, "the row names a body that is not there");
  }
  if (!(row->residual >= 0 && row->usual_residual >= 0 && row->penetration >= 0))
    thud_verify_fail(structure, row->t, k, "a residual or an overlap is negative");
  memcpy(row->ledger, cell(r, LEDGER, k, NULL), sizeof row->ledger);
}

thud_error thud_verify_body_row_read(verify_body_reader *r, size_t k, verify_body_row *row,
                                     thud_verify_check *structure) {
  thud_error error = k < r->first || k >= r->first + r->count ? read_block(r, k) : THUD_OK;
  if (error != THUD_OK) return error;
  row->number = k;
  row->t = *cell(r, T, k, NULL);
  row->step = *cell(r, STEP, k, NULL);
  row->whole = *cell(r, WHOLE, k, NULL) != 0;
  row->usable = check_lists(r, k, row->whole, structure);
  row->contact_count = 0;
  if (!row->usable) return THUD_OK;
  take_figures(r, k, row, structure);
  take_state(r, k, row, structure);
  row->usable = take_bodies(r, k, row, structure) && row->usable;
  size_t unused;
  const double *v = cell(r, VELOCITY_LEFT, k, &unused), *w = cell(r, SPIN_LEFT, k, &unused);
  for (size_t i = 0; row->whole && i < r->bodies->count; i++) {
    row->v_left[i] = vector(v + i * r->d, r->d);
    row->w_left[i] = spin(w + i * r->s, r->s);
  }
  if (row->whole && r->known == CHANNELS)
    memcpy(row->told, cell(r, FUNCTION_VALUES, k, &unused), r->bodies->told_size * sizeof *row->told);
  return take_contacts(r, k, row, structure);
}
