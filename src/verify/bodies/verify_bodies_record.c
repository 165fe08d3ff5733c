/* A recorded motion of rigid bodies: rows one after the other, and of whole ones the step that ended with them. */
#include "verify/bodies/verify_bodies.h"
#include "verify/verify_channels.h"
#include "verify/verify_notes.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double DEFAULT_TOLERANCE = 1e-8;
static const char *const names[BODIES_CHECKS] = {
    "structure", "initial",  "model",       "drift", "paths",  "contacts", "missing", "momentum",
    "law",       "residual", "penetration", "lift",  "energy", "events",   "summary", "finished"};

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

/* Nodes are equally spaced; with thinning some are left out. Every whole_every-th row is whole. */
static void check_time(const checking *c, thud_verify_check *check) {
  const verify_scene *scene = &c->bodies->scene;
  const verify_body_row *row = &c->row;
  double rounding = 1e-9 * c->h + 8 * DBL_EPSILON * fabs(row->t), k = round((row->t - scene->start) / c->h);
  if (!(fabs(row->t - (scene->start + k * c->h)) <= rounding) || !(row->t <= scene->end))
    thud_verify_fail(check, row->t, row->number, "the scene has no node at this time");
  if (row->number == 0 && !(row->t == scene->start && row->step == 0))
    thud_verify_fail(check, row->t, 0, "the first row is not the start");
  bool nothing = row->residual == 0 && row->usual_residual == 0 && row->islands == 0 && row->contact_count == 0 &&
                 row->worst[0] == -1 && row->worst[1] == -1;
  if (row->number == 0 && !nothing) thud_verify_fail(check, row->t, 0, "the start has figures of a step");
  if (row->number == 0) return;
  double since = row->t - c->before.t;
  if (!(since > 0)) thud_verify_fail(check, row->t, row->number, "time does not go on");
  if (since > c->h + scene->record_every + rounding)
    thud_verify_fail(check, row->t, row->number, "frames are missing before this one");
  if (!(fabs(row->step - c->h) <= rounding))
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
  if (thud_verify_ran_to_end(info) && c->row.t != c->bodies->scene.end)
    thud_verify_fail(&checks[BODIES_STRUCTURE], c->row.t, c->row.number, "the rows do not reach the end %g",
                     c->bodies->scene.end);
  if (checks[BODIES_STRUCTURE].status == THUD_VERIFY_PASSED)
    thud_verify_explain(&checks[BODIES_STRUCTURE], "%zu frames, %zu whole steps, %zu of them after the node before",
                        c->rows, c->whole, c->linked);
}

/* Steps of the run up to its last row. */
static size_t steps_of(const checking *c) {
  double steps = round((c->row.t - c->bodies->scene.start) / c->h);
  return steps > (double)c->whole && steps <= c->bodies->scene.steps ? (size_t)steps : c->whole;
}

/* *covered: the counts of what was checked. */
static thud_error check_with_scene(thud_context *context, thud_record_reader *record, const thud_node *root,
                                   verify_bodies *bodies, const thud_verify_options *options, thud_verify_check *checks,
                                   thud_verify_result *covered) {
  thud_record_info info = thud_record_reader_info(record);
  double chosen = options->tolerance > 0 ? options->tolerance : fmax(DEFAULT_TOLERANCE, bodies->options.tolerance);
  checking c = {.context = context,
                .bodies = bodies,
                .checks = checks,
                .rows = info.rows[THUD_RECORD_FRAMES],
                .tolerance = chosen,
                .figures = thud_verify_body_figures_none(),
                .h = (bodies->scene.end - bodies->scene.start) / bodies->scene.steps};
  thud_verify_check_made_by(&info, "bodies", "moreau-midpoint", &checks[BODIES_STRUCTURE]);
  thud_error error = thud_verify_bodies_check_model(bodies, root, &checks[BODIES_MODEL]);
  if (error == THUD_OK)
    error = thud_verify_body_reader_create(context, record, bodies, &checks[BODIES_STRUCTURE], &c.reader);
  bool usable = error == THUD_OK && c.reader != NULL && c.rows > 0;
  if (usable) error = prepare(&c, record);
  if (usable && error == THUD_OK) error = check_rows(&c);
  if (usable && error == THUD_OK)
    error = thud_verify_body_scene_changes(bodies, root, &c.events, c.h, c.row.t, &checks[BODIES_EVENTS]);
  if (usable && error == THUD_OK) {
    thud_verify_body_events_check(&c.events, c.rows, c.times, &checks[BODIES_EVENTS]);
    explain(&c, &info);
    bool failed = checks[BODIES_STRUCTURE].status == THUD_VERIFY_FAILED;
    thud_verify_result_cover(covered, "steps", failed ? 0 : c.whole, steps_of(&c), failed ? 0 : (int64_t)c.contacts);
  }
  if (usable && error == THUD_OK)
    error = thud_verify_body_summary(context, record, bodies, &c.figures, &c.row, &checks[BODIES_SUMMARY]);
  release(&c);
  return error;
}

thud_error thud_verify_bodies_record(thud_context *context, thud_record_reader *reader, const thud_tree *tree,
                                     thud_error error, const thud_verify_options *options, thud_verify_result *result) {
  thud_verify_check checks[BODIES_CHECKS];
  verify_bodies bodies;
  thud_verify_result covered = {0};
  thud_record_info info = thud_record_reader_info(reader);
  for (int k = 0; k < BODIES_CHECKS; k++) checks[k] = thud_verify_check_new(names[k]);
  if (error == THUD_OK) error = thud_verify_bodies_read(context, tree, &bodies);
  if (error == THUD_ERROR_MEMORY) return error;
  if (error != THUD_OK) {
    bool none = info.resolved[0] == '\0';
    thud_verify_fail(&checks[BODIES_STRUCTURE], NAN, SIZE_MAX, "%s%s",
                     none ? "the record holds no scene that the motion could be held against"
                          : "the scene in the record cannot be used: ",
                     none ? "" : thud_context_last_message(context));
  } else {
    error = check_with_scene(context, reader, thud_tree_root(tree), &bodies, options, checks, &covered);
    thud_verify_bodies_free(&bodies);
    if (error != THUD_OK) return error;
  }
  thud_verify_gather(&info, BODIES_CHECKS, checks, result);
  thud_verify_result_cover(result, "steps", covered.checked_count, covered.checked_of, covered.checked_contacts);
  return THUD_OK;
}
