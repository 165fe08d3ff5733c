/* A record of a `system` scene: from its frames to a list of checks. */
#include "verify/verify_channels.h"
#include "verify/event/verify_event_rows.h"
#include "verify/system/verify_system_frames.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Relative tolerance when the caller asks for none: what is left by velocity problems that are solved to 1e-10. */
static const double DEFAULT_TOLERANCE = 1e-8;

typedef struct record_checks {
  thud_verify_check structure, initial, gap, penetration;
  verify_step_checks steps;
  thud_verify_check residual, events, summary;
  size_t all_steps; /* of the run */
} record_checks;

static record_checks checks_new(void) {
  return (record_checks){.structure = thud_verify_check_new("structure"),
                         .initial = thud_verify_check_new("initial"),
                         .gap = thud_verify_check_new("gap"),
                         .penetration = thud_verify_check_new("penetration"),
                         .steps = {.step = thud_verify_check_new("step"),
                                   .law = thud_verify_check_new("law"),
                                   .friction = thud_verify_check_new("friction"),
                                   .impacts = thud_verify_check_new("impacts"),
                                   .energy = thud_verify_check_new("energy")},
                         .residual = thud_verify_check_new("residual"),
                         .events = thud_verify_check_new("events"),
                         .summary = thud_verify_check_new("summary")};
}

enum { CHECKS = 12 };

static void list_checks(record_checks *c, thud_verify_check **list) {
  thud_verify_check *all[CHECKS] = {
      &c->structure,      &c->initial,       &c->gap,          &c->penetration, &c->steps.step, &c->steps.law,
      &c->steps.friction, &c->steps.impacts, &c->steps.energy, &c->residual,    &c->events,     &c->summary};
  memcpy(list, all, sizeof all);
}

static void check_residuals(const verify_frames *f, thud_verify_check *check) {
  double tolerance = fmax(f->tolerance, f->system->residual_tolerance);
  for (size_t k = 0; k < f->count; k++) thud_verify_tally(check, f->residual[k], tolerance, 0, f->t[k], k);
}

static void find_initial_energy(verify_frames *f) {
  verify_system *system = f->system;
  bool known = system->functions ? thud_verify_frames_here(f, 0)
                                 : thud_verify_system_at(system, system->scene.start, system->scene.initial,
                                                         system->initial_v, &f->here);
  if (known) f->initial_energy = thud_verify_kinetic(system, &f->here, system->initial_v) + *f->here.potential;
}

/* Says what a check had to leave out. */
static void explain_coverage(const verify_frames *f, verify_step_checks *c) {
  if (c->step.status == THUD_VERIFY_PASSED)
    thud_verify_explain(&c->step, "%zu steps rebuilt, %zu of them with the row before", c->smooth, c->linked);
  if (c->energy.status == THUD_VERIFY_PASSED)
    thud_verify_explain(&c->energy, "energies of %zu frames, increments of %zu steps", f->count, c->linked);
  if (c->marks > 0 && c->law.status == THUD_VERIFY_PASSED) {
    char text[96];
    snprintf(text, sizeof text, "not checked: %zu marks 'acting' of contacts that touch within rounding", c->marks);
    thud_verify_add(&c->law, text);
  }
  if (f->m == 0) {
    thud_verify_skip(&c->impacts, THUD_VERIFY_NOT_APPLICABLE, "the scene has no constraints");
    thud_verify_skip(&c->law, THUD_VERIFY_NOT_APPLICABLE, "the scene has no constraints");
  }
  if (f->system->law_count == 0)
    thud_verify_skip(&c->friction, THUD_VERIFY_NOT_APPLICABLE, "the scene has no friction");
}

/* Steps of the run up to the last frame; those of varying length are known as far as they are recorded. */
static size_t steps_of(const verify_frames *f, const verify_step_checks *checks) {
  const verify_scene *scene = &f->system->scene;
  double part = (f->t[f->count - 1] - scene->start) / (scene->end - scene->start);
  double equal = f->system->step_tolerance > 0 || !isfinite(part) ? 0 : round(part * scene->steps);
  return equal > (double)checks->steps ? (size_t)equal : checks->steps;
}

static thud_error check_frames(verify_frames *f, thud_record_reader *reader, record_checks *c) {
  thud_record_info info = thud_record_reader_info(reader);
  thud_verify_frames_structure(f, thud_verify_ran_to_end(&info), &c->structure);
  if (c->structure.status == THUD_VERIFY_FAILED) return THUD_OK;
  find_initial_energy(f);
  thud_verify_frames_initial(f, &c->initial);
  thud_error error = thud_verify_frames_gaps(f, &c->gap, &c->penetration);
  if (error == THUD_OK) error = thud_verify_frames_steps(f, &c->steps);
  if (error == THUD_OK) error = thud_verify_frames_dependent(f, &c->steps.law);
  if (error != THUD_OK) return error;
  c->all_steps = steps_of(f, &c->steps);
  explain_coverage(f, &c->steps);
  check_residuals(f, &c->residual);
  error = thud_verify_frames_events(f, reader, &c->events);
  return error == THUD_OK ? thud_verify_frames_summary(f, reader, &c->summary) : error;
}

static thud_error check_with_system(thud_context *context, thud_record_reader *reader, verify_system *system,
                                    double tolerance, record_checks *c) {
  verify_frames frames = {
      .context = context, .system = system, .tolerance = tolerance > 0 ? tolerance : DEFAULT_TOLERANCE};
  bool usable = false;
  thud_error error = thud_verify_frames_read(&frames, reader, &c->structure, &usable);
  if (error == THUD_OK && usable) error = check_frames(&frames, reader, c);
  thud_verify_frames_free(&frames);
  return error;
}

thud_error thud_verify_system_record(thud_context *context, thud_record_reader *reader, const thud_tree *tree,
                                     double tolerance, thud_verify_result *result) {
  thud_record_info info = thud_record_reader_info(reader);
  verify_system *system = NULL;
  record_checks checks = checks_new();
  thud_error error = thud_verify_system_create(context, tree, &system);
  if (error == THUD_OK && system->method == VERIFY_EVENT_DRIVEN) {
    error = thud_verify_event_record(context, reader, system, tolerance, result);
    thud_verify_system_destroy(system);
    return error;
  }
  if (error == THUD_OK) {
    error = check_with_system(context, reader, system, tolerance, &checks);
  } else if (error != THUD_ERROR_MEMORY) {
    thud_verify_fail(&checks.structure, NAN, SIZE_MAX, "the scene in the record cannot be used: %s",
                     thud_context_last_message(context));
    error = THUD_OK;
  }
  bool functions = system != NULL && system->functions;
  thud_verify_check unchecked = thud_verify_check_new("functions");
  if (functions) thud_verify_functions_name_unchecked(system, &unchecked);
  thud_verify_system_destroy(system);
  if (error != THUD_OK) return error;
  thud_verify_check *list[CHECKS], finished = thud_verify_check_new("finished");
  list_checks(&checks, list);
  thud_verify_check_finished(&info, &finished);
  bool unusable = checks.structure.status == THUD_VERIFY_FAILED;
  *result = (thud_verify_result){0};
  for (size_t k = 0; k < CHECKS; k++) {
    if (unusable && k > 0)
      thud_verify_skip(list[k], THUD_VERIFY_NOT_CHECKABLE, "the frames cannot be used: see structure");
    thud_verify_result_add(result, list[k]);
  }
  thud_verify_result_add(result, &finished);
  thud_verify_result_cover(result, "steps", unusable ? 0 : checks.steps.asked, checks.all_steps,
                           (int64_t)checks.steps.contacts);
  if (functions) thud_verify_result_add(result, &unchecked);
  return THUD_OK;
}
