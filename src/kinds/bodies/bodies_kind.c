/* Rigid bodies as a kind of motion. */
#include "record/rows.h"
#include "kinds/bodies/bodies_report.h"
#include "kinds/bodies/bodies_scene.h"
#include "kinds/bodies/bodies_vtk.h"
#include "kinds/kinds.h"
#include "run/run.h"

#include <math.h>
#include <string.h>

typedef struct rigid_bodies {
  thud_kind_object object;
  bodies_scene built;
  bodies_findings found;
  thud_error row_error; /* why the row of a node could not be made */
} rigid_bodies;

/* ---- life ----------------------------------------------------------------------------------------------------------------- */

static void destroy(void *motion) {
  rigid_bodies *made = motion;
  thud_context *context = made->built.scene->context;
  thud_motion_destroy(made->object.motion);
  thud_rows_destroy(made->object.rows);
  thud_bodies_scene_free(&made->built);
  thud_free(context, made);
}

/* A change belongs to the row that comes next: the start must be there before. */
static int record_change(void *user, const thud_body_change *change) {
  rigid_bodies *made = user;
  return made->found.begun ? thud_rows_body_change(made->object.rows, change) : -1;
}

static int record_wake(void *user, const thud_body_event *event) {
  return thud_rows_body_event(((rigid_bodies *)user)->object.rows, event);
}

thud_error thud_kind_bodies_motion(void *motion, thud_bodies **bodies, thud_motion **moving) {
  rigid_bodies *made = motion;
  if (!made->found.begun)
    return thud_fail(made->built.scene->context, THUD_ERROR_ARGUMENT,
                     "the run has not begun: its first step, which records the start, comes before changes");
  if (bodies != NULL) *bodies = made->built.bodies;
  *moving = made->object.motion;
  return THUD_OK;
}

static thud_error build(thud_scene *scene, const thud_node *root, void **motion) {
  rigid_bodies *made = THUD_NEW(scene->context, rigid_bodies);
  if (made == NULL) return THUD_ERROR_MEMORY;
  bodies_scene *built = &made->built;
  thud_kind_object *object = &made->object;
  *object = (thud_kind_object){.found = &made->found, .found_size = sizeof made->found};
  thud_error error = thud_bodies_scene_build(scene, root, built);
  if (error == THUD_OK)
    error = thud_bodies_scene_blame(
        built, root, thud_body_motion_create(scene->context, built->bodies, &built->options, &object->motion));
  if (error == THUD_OK) error = thud_rows_create_bodies(scene->context, built->bodies, &built->rows, &object->rows);
  if (error == THUD_OK) error = thud_body_motion_set_changes(object->motion, record_change, record_wake, made);
  thud_bodies_scene_forget_nodes(built);
  if (error == THUD_OK)
    *motion = made;
  else
    destroy(made);
  return error;
}

static thud_error describe(const void *motion, thud_tree *resolved) {
  return thud_bodies_describe(&((const rigid_bodies *)motion)->built, resolved);
}

static const char *method(const void *motion) {
  (void)motion;
  return "moreau-midpoint";
}

static const thud_record_layout *layout(const void *motion) {
  return thud_rows_layout(((const rigid_bodies *)motion)->object.rows);
}

/* ---- going on -------------------------------------------------------------------------------------------------------------- */

/* Processor times are of the run, not of the motion: they would make checkpoints of equal motions differ. */
static thud_body_motion_info info_of(const thud_motion *motion) {
  thud_body_motion_info info = thud_body_motion_get_info(motion);
  info.free_seconds = info.detect_seconds = info.assemble_seconds = info.solve_seconds = info.project_seconds = 0;
  return info;
}

static int take_event(void *user, const void *event) {
  return thud_rows_body_event(((rigid_bodies *)user)->object.rows, event);
}

static int take_node(void *user, const void *given) {
  rigid_bodies *made = user;
  const thud_body_frame *frame = given;
  made->found.largest_kinetic = fmax(made->found.largest_kinetic, frame->ledger.kinetic);
  made->row_error = thud_rows_reserve_bodies(made->object.rows, frame);
  return made->row_error == THUD_OK ? thud_rows_body_step(made->object.rows, frame) : -1;
}

static thud_error advance(void *motion, const thud_row_sink *sink, thud_reached *reached) {
  rigid_bodies *made = motion;
  bodies_findings *found = &made->found;
  thud_motion *moving = made->object.motion;
  const thud_scene *scene = made->built.scene;
  const thud_motion_sink rows = {.frame = take_node, .event = take_event, .user = made};
  thud_error error = THUD_OK;
  thud_rows_set_sink(made->object.rows, *sink);
  thud_rows_bodies_span(made->object.rows, scene->start, scene->record_every > 0);
  made->row_error = THUD_OK;
  if (found->begun)
    error = thud_bodies_apply_changes(&made->built, moving, thud_body_motion_present(moving).t, &found->change);
  found->begun = true;
  if (error == THUD_OK) error = thud_motion_step(moving, &rows, reached);
  found->info = info_of(moving);
  if (error != THUD_OK) return made->row_error != THUD_OK ? made->row_error : error;
  if (reached->status == THUD_MOTION_COMPLETED) {
    thud_body_frame last = thud_body_motion_present(moving);
    reached->verdict = thud_bodies_judge(&made->built, found, &last.ledger, NULL, 0);
  }
  return THUD_OK;
}

static thud_error finish(void *motion, const thud_row_sink *sink) {
  rigid_bodies *made = motion;
  thud_body_frame frame = thud_body_motion_present(made->object.motion);
  thud_rows_set_sink(made->object.rows, *sink);
  return thud_rows_end_body_step(made->object.rows, &frame) < 0 ? THUD_ERROR_CALLBACK : THUD_OK;
}

static thud_error problem(const void *motion, thud_kind_problem *problem) {
  const rigid_bodies *made = motion;
  thud_body_frame frame = thud_body_motion_present(made->object.motion);
  *problem = (thud_kind_problem){.step = made->found.info.steps,
                                 .t = frame.t,
                                 .residual = frame.residual,
                                 .contacts = frame.contacts->count,
                                 .iterations = frame.iterations,
                                 .penetration = frame.penetration};
  if (problem->contacts == 0) return THUD_OK;
  return thud_body_motion_problem(made->object.motion, &problem->problem, &problem->r);
}

/* ---- reporting --------------------------------------------------------------------------------------------------------------- */

static void report(const void *motion, thud_report *report) {
  const rigid_bodies *made = motion;
  thud_body_frame frame = thud_body_motion_present(made->object.motion);
  thud_bodies_report(&made->built, &made->found, &frame, report);
}

static thud_error check(const void *motion, thud_report *report) {
  return thud_bodies_report_check(&((const rigid_bodies *)motion)->built, report);
}

/* The model is final by now. */
static thud_error bodies(const void *motion, thud_bodies_view *view) {
  return thud_bodies_get(((const rigid_bodies *)motion)->built.bodies, view);
}

static const char *const further_keys[] = {"planar", "gravity", "materials", "pairs",
                                           "shapes", "springs", "changes",   "all_bodies"};

const thud_kind thud_kind_bodies = {.name = "bodies",
                                    .section = "bodies",
                                    .data_as_expressions = true,
                                    .own_units = true,
                                    .extendable = true,
                                    .take_files = thud_bodies_scene_take_files,
                                    .resolve = thud_bodies_scene_resolve,
                                    .build = build,
                                    .destroy = destroy,
                                    .method = method,
                                    .layout = layout,
                                    .advance = advance,
                                    .finish = finish,
                                    .report = report,
                                    .check = check,
                                    .keys = further_keys,
                                    .key_count = sizeof further_keys / sizeof *further_keys,
                                    .describe = describe,
                                    .problem = problem,
                                    .bodies = bodies,
                                    .export_vtk = thud_body_vtk_export};

thud_error thud_run_body_motion(thud_run *run, thud_bodies **bodies, thud_motion **motion) {
  THUD_REQUIRE(run != NULL ? run->context : NULL, run, motion);
  if (run->kind != &thud_kind_bodies)
    return thud_fail(run->context, THUD_ERROR_ARGUMENT, "the motion is of the kind '%s', not of rigid bodies",
                     run->kind->name);
  return thud_kind_bodies_motion(run->motion, bodies, motion);
}
