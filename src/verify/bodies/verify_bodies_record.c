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
  double tolerance, initial_energy, initial_doubt, h;
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
  if (error == THUD_OK) error = thud_verify_joint_step(c->context, step, &checks[BODIES_JOINTS]);
  thud_verify_law_step(step, &checks[BODIES_JOINTS]);
  thud_verify_joint_spring_forces(step, &checks[BODIES_JOINTS]);
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
  for (size_t i = 0; i < bodies->count; i++) {
    bodies->body[i].x = c->row.end[i].x;
    bodies->body[i].q = c->row.end[i].q;
  }
  thud_verify_body_initial(bodies, &c->row, &c->checks[BODIES_INITIAL]);
}

/* Where couplings are counted from: their coordinates are those from the first row on. */
static void find_initial_energy(checking *c) {
  double size, kinetic = thud_verify_bodies_kinetic(c->bodies, c->row.end);
  c->initial_energy = kinetic + thud_verify_bodies_potential(c->bodies, c->row.end, &size);
  c->initial_doubt = 64 * DBL_EPSILON * (kinetic + size);
}

static thud_error check_row(checking *c) {
  thud_verify_check *checks = c->checks;
  check_time(c, &checks[BODIES_STRUCTURE]);
  if (!c->row.usable) return THUD_OK;
  thud_error error = THUD_OK;
  if (c->row.number == 0) begin(c);
  if (c->row.number == 0) thud_verify_joint_extent(c->bodies, c->row.end);
  if (c->row.number > 0 && error == THUD_OK)
    error = thud_verify_body_changes_apply(&c->changes, &c->events, c->bodies, &c->row, &c->before, is_linked(c),
                                           &checks[BODIES_EVENTS]);
  if (error != THUD_OK) return error;
  thud_verify_couplings_count(c->bodies, &c->row, is_linked(c) ? &c->before : NULL);
  thud_verify_law_see(c->bodies, &c->row);
  if (c->row.number == 0) find_initial_energy(c);
  thud_verify_joint_gaps(c->bodies, &c->row, &checks[BODIES_JOINTS]);
  thud_verify_law_nodes(c->bodies, &c->row, &checks[BODIES_JOINTS]);
  if (is_linked(c)) thud_verify_law_turns(c->bodies, &c->row, &c->before, &checks[BODIES_JOINTS]);
  c->step.kick = c->changes.kick;
  c->step.brought = c->changes.brought;
  c->step.brought_size = c->changes.brought_size;
  thud_verify_body_presence(c->bodies, &c->row, &checks[BODIES_STRUCTURE]);
  thud_verify_body_paths(c->bodies, &c->row, &checks[BODIES_PATHS]);
  thud_verify_body_energies(c->bodies, &c->row, c->initial_energy, c->initial_doubt, &checks[BODIES_ENERGY]);
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
  static const int of_steps[] = {BODIES_CONTACTS, BODIES_MISSING, BODIES_MOMENTUM, BODIES_LAW,
                                 BODIES_RESIDUAL, BODIES_LIFT,    BODIES_JOINTS};
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
  thud_error error = thud_verify_body_summary(record, summary, c->bodies, &c->figures, &c->row, check);
  bool ended = thud_verify_ran_to_end(&record->info);
  return error == THUD_OK && ended ? thud_verify_redundancy(record->context, summary, c->bodies, &c->row, check)
                                   : error;
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
    error = thud_verify_body_scene_changes(bodies, root, &c.events, c.h, c.row.t, record->seen.when,
                                           &checks[BODIES_EVENTS]);
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
                                              [BODIES_JOINTS] = "joints",
                                              [BODIES_ENERGY] = "energy",
                                              [BODIES_EVENTS] = "events",
                                              [BODIES_SUMMARY] = "summary",
                                              [BODIES_FINISHED] = "finished",
                                              [BODIES_FUNCTIONS] = "functions",
                                              [BODIES_FUNCTIONS + 1] = NULL};

static bool leaves_out(const void *scene, size_t k) {
  if (k == BODIES_JOINTS) return scene == NULL || ((const verify_bodies *)scene)->joint_count == 0;
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
    {"/joints/*/touch", "false", "*", NULL},
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
    if (!placed && bodies->joint_count > 0) continue; /* velocities, too, may be others then */
    compare_start(body, &given, row, &row->end[i], placed, check);
    asked++;
  }
  if (asked == 0) thud_verify_skip(check, THUD_VERIFY_NOT_APPLICABLE, "every body follows a path");
}
