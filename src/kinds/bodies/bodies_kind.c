/* Rigid bodies as a kind of motion. */
#include "record/rows.h"
#include "kinds/bodies/bodies_report.h"
#include "kinds/bodies/bodies_scene.h"
#include "kinds/bodies/bodies_vtk.h"
#include "kinds/kinds.h"
#include "run/run.h"
#include "scene/options.h"

#include <math.h>
#include <string.h>

typedef struct rigid_bodies {
  bodies_scene built;
  thud_body_motion *motion;
  thud_rows *rows;
  bodies_findings found;
} rigid_bodies;

/* ---- life ----------------------------------------------------------------------------------------------------------------- */

static void destroy(void *motion) {
  rigid_bodies *made = motion;
  thud_context *context = made->built.scene->context;
  thud_body_motion_destroy(made->motion);
  thud_rows_destroy(made->rows);
  thud_bodies_scene_free(&made->built);
  thud_free(context, made);
}

/* A change belongs to the row that comes next: the start must be there before. */
static int record_change(void *user, const thud_body_change *change) {
  rigid_bodies *made = user;
  return made->found.begun ? thud_rows_body_change(made->rows, change) : -1;
}

thud_error thud_kind_bodies_motion(void *motion, thud_bodies **bodies, thud_body_motion **moving) {
  rigid_bodies *made = motion;
  if (!made->found.begun)
    return thud_fail(made->built.scene->context, THUD_ERROR_ARGUMENT,
                     "the run has not begun: its first step, which records the start, comes before changes");
  if (bodies != NULL) *bodies = made->built.bodies;
  *moving = made->motion;
  return THUD_OK;
}

static thud_error build(thud_scene *scene, const thud_node *root, void **motion) {
  rigid_bodies *made = THUD_NEW(scene->context, rigid_bodies);
  if (made == NULL) return THUD_ERROR_MEMORY;
  bodies_scene *built = &made->built;
  thud_error error = thud_bodies_scene_build(scene, root, built);
  if (error == THUD_OK)
    error = thud_bodies_scene_blame(
        built, root, thud_body_motion_create(scene->context, built->bodies, &built->options, &made->motion));
  if (error == THUD_OK) error = thud_rows_create_bodies(scene->context, built->bodies, &built->rows, &made->rows);
  if (error == THUD_OK) error = thud_body_motion_set_events(made->motion, thud_rows_body_event, made->rows);
  if (error == THUD_OK) error = thud_body_motion_set_changes(made->motion, record_change, made);
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
  return thud_rows_layout(((const rigid_bodies *)motion)->rows);
}

/* ---- going on -------------------------------------------------------------------------------------------------------------- */

static const char *status_text(thud_motion_status status) {
  switch (status) {
  case THUD_MOTION_NOT_CONVERGED: return "not converged";
  case THUD_MOTION_ENERGY: return "energy created";
  case THUD_MOTION_BLOW_UP: return "blow-up";
  case THUD_MOTION_BAD_DATA: return "bad data";
  case THUD_MOTION_INFEASIBLE: return "infeasible";
  default: return NULL;
  }
}

/* The start has no step, and so no contacts. */
static thud_body_frame present(const rigid_bodies *made) {
  thud_body_frame frame = thud_body_motion_present(made->motion);
  if (made->found.info.steps > 0) return frame;
  frame.contacts = NULL;
  frame.island_count = 0;
  return frame;
}

static thud_motion_status progress_of(thud_motion_status status) {
  return status == THUD_MOTION_RUNNING     ? THUD_MOTION_RUNNING
         : status == THUD_MOTION_COMPLETED ? THUD_MOTION_COMPLETED
         : status == THUD_MOTION_STOPPED   ? THUD_MOTION_STOPPED
                                           : THUD_MOTION_FAILED;
}

/* Processor times are of the run, not of the motion: they would make checkpoints of equal motions differ. */
static void forget_times(thud_body_motion_info *info) {
  info->free_seconds = info->detect_seconds = info->assemble_seconds = info->solve_seconds = info->project_seconds = 0;
}

static thud_error advance(void *motion, const thud_row_sink *sink, thud_reached *reached) {
  rigid_bodies *made = motion;
  bodies_findings *found = &made->found;
  bool node = !found->begun; /* a step that could not be made leads to none */
  size_t before = found->info.steps;
  const thud_scene *scene = made->built.scene;
  thud_error error = THUD_OK;
  thud_rows_set_sink(made->rows, *sink);
  thud_rows_bodies_span(made->rows, scene->start, scene->record_every > 0);
  if (!found->begun) {
    found->begun = true;
    found->info.time = scene->start;
  } else {
    error =
        thud_bodies_apply_changes(&made->built, made->motion, thud_body_motion_present(made->motion).t, &found->change);
    if (error == THUD_OK) error = thud_body_motion_step(made->motion, &found->info);
    forget_times(&found->info);
    node = found->info.steps > before;
  }
  if (error != THUD_OK) return error;
  thud_body_frame frame = present(made);
  found->largest_kinetic = fmax(found->largest_kinetic, frame.ledger.kinetic);
  *reached = (thud_reached){.status = progress_of(found->info.status),
                            .t = found->info.time,
                            .what = status_text(found->info.status),
                            .contacts = (size_t)found->info.contacts};
  error = thud_rows_reserve_bodies(made->rows, &frame);
  if (error != THUD_OK) return error;
  if (node && thud_rows_body_step(made->rows, &frame) < 0) return THUD_ERROR_CALLBACK;
  if (found->info.status == THUD_MOTION_COMPLETED)
    reached->verdict = thud_bodies_judge(&made->built, found, &frame.ledger, NULL, 0);
  return THUD_OK;
}

static thud_error finish(void *motion, const thud_row_sink *sink) {
  rigid_bodies *made = motion;
  thud_body_frame frame = present(made);
  thud_rows_set_sink(made->rows, *sink);
  return thud_rows_end_body_step(made->rows, &frame) < 0 ? THUD_ERROR_CALLBACK : THUD_OK;
}

static thud_error problem(const void *motion, thud_kind_problem *problem) {
  const rigid_bodies *made = motion;
  thud_body_frame frame = present(made);
  *problem = (thud_kind_problem){.step = made->found.info.steps,
                                 .t = frame.t,
                                 .residual = frame.residual,
                                 .contacts = frame.contacts != NULL ? frame.contacts->count : 0,
                                 .iterations = frame.iterations,
                                 .penetration = frame.penetration};
  if (problem->contacts == 0) return THUD_OK;
  return thud_body_motion_problem(made->motion, &problem->problem, &problem->r);
}

/* ---- checkpoints ------------------------------------------------------------------------------------------------------------ */

static kind_state state_of(const rigid_bodies *made) {
  return (kind_state){.context = made->built.scene->context,
                      .motion_size = thud_body_motion_state_size(made->motion),
                      .rows = made->rows,
                      .found_size = sizeof made->found};
}

static size_t state_size(const void *motion) { return thud_kind_state_size(state_of(motion)); }

static void save(const void *motion, void *state) {
  const rigid_bodies *made = motion;
  thud_body_motion_save(made->motion, state);
  thud_kind_state_save(state_of(made), &made->found, state);
}

static thud_error restore(void *motion, const void *state, size_t size) {
  rigid_bodies *made = motion;
  kind_state parts = state_of(made);
  thud_error error = thud_kind_state_check(parts, size);
  if (error == THUD_OK) error = thud_body_motion_restore(made->motion, state, parts.motion_size);
  if (error == THUD_OK) thud_kind_state_restore(parts, state, &made->found);
  return error;
}

/* ---- reporting --------------------------------------------------------------------------------------------------------------- */

static void report(const void *motion, thud_report *report) {
  const rigid_bodies *made = motion;
  thud_body_frame frame = present(made);
  thud_bodies_report(&made->built, &made->found, &frame, report);
}

static thud_error check(const void *motion, thud_report *report) {
  return thud_bodies_report_check(&((const rigid_bodies *)motion)->built, report);
}

/* Of bodies that do not change any more. */
static thud_error bodies(const void *motion, thud_bodies_view *view) {
  return thud_bodies_get(((const rigid_bodies *)motion)->built.bodies, view);
}

static const char *const further_keys[] = {"planar", "gravity", "materials", "pairs",
                                           "shapes", "springs", "changes",   "all_bodies"};

static const char *const of_times[] = {"start", "end", "steps", NULL}, *const of_steps[] = {"tolerance", NULL};
static const char *const by_count[] = {"contacts", "whole_every", NULL};
static const thud_kind_keys options[] = {
    {.place = "simulate", .table = thud_body_motion_option_table, .without = of_times},
    {.place = "simulate.solver",
     .table = thud_scene_solver_option_table,
     .help = "what solves the contact problems of the steps"},
    {.place = "simulate.solver", .table = thud_solver_option_table, .without = of_steps},
    {.place = "record", .table = thud_bodies_record_option_table, .nullable = by_count},
    {.place = NULL}};

const thud_kind thud_kind_bodies = {.name = "bodies",
                                    .section = "bodies",
                                    .options = options,
                                    .data_as_expressions = true,
                                    .take_files = thud_bodies_scene_take_files,
                                    .resolve = thud_bodies_scene_resolve,
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
                                    .keys = further_keys,
                                    .key_count = sizeof further_keys / sizeof *further_keys,
                                    .describe = describe,
                                    .problem = problem,
                                    .bodies = bodies,
                                    .export_vtk = thud_body_vtk_export};

thud_error thud_run_body_motion(thud_run *run, thud_bodies **bodies, thud_body_motion **motion) {
  THUD_REQUIRE(run != NULL ? run->context : NULL, run, motion);
  if (run->kind != &thud_kind_bodies)
    return thud_fail(run->context, THUD_ERROR_ARGUMENT, "the motion is of the kind '%s', not of rigid bodies",
                     run->kind->name);
  return thud_kind_bodies_motion(run->motion, bodies, motion);
}
