/* A record of a `system` scene: from its frames to a list of checks. */
#include "verify/channels.h"
#include "verify/event_rows.h"
#include "verify/frames.h"

#include <math.h>
#include <string.h>

/* Relative tolerance when the caller asks for none: what is left by velocity problems that are solved to 1e-10. */
static const double DEFAULT_TOLERANCE = 1e-8;

typedef struct record_checks {
  thud_verify_check structure, initial, gap, penetration;
  verify_step_checks steps;
  thud_verify_check residual, events, summary;
} record_checks;

static record_checks checks_new(void) {
  return (record_checks){.structure = verify_check_new("structure"),
                         .initial = verify_check_new("initial"),
                         .gap = verify_check_new("gap"),
                         .penetration = verify_check_new("penetration"),
                         .steps = {.step = verify_check_new("step"),
                                   .law = verify_check_new("law"),
                                   .friction = verify_check_new("friction"),
                                   .impacts = verify_check_new("impacts"),
                                   .energy = verify_check_new("energy")},
                         .residual = verify_check_new("residual"),
                         .events = verify_check_new("events"),
                         .summary = verify_check_new("summary")};
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
  for (size_t k = 0; k < f->count; k++) verify_tally(check, f->residual[k], tolerance, 0, f->t[k], k);
}

static void find_initial_energy(verify_frames *f) {
  verify_system *system = f->system;
  bool known = system->functions
                   ? verify_frames_here(f, 0)
                   : verify_system_at(system, system->scene.start, system->scene.initial, system->initial_v, &f->here);
  if (known) f->initial_energy = verify_kinetic(system, &f->here, system->initial_v) + *f->here.potential;
}

/* Says what a check had to leave out. */
static void explain_coverage(const verify_frames *f, verify_step_checks *c) {
  if (c->step.status == THUD_VERIFY_PASSED)
    verify_explain(&c->step, "%zu steps rebuilt, %zu of them with the row before", c->smooth, c->linked);
  if (c->energy.status == THUD_VERIFY_PASSED)
    verify_explain(&c->energy, "energies of %zu frames, increments of %zu steps", f->count, c->linked);
  if (f->m == 0) {
    verify_skip(&c->impacts, THUD_VERIFY_NOT_APPLICABLE, "the scene has no constraints");
    verify_skip(&c->law, THUD_VERIFY_NOT_APPLICABLE, "the scene has no constraints");
  }
  if (f->system->law_count == 0) verify_skip(&c->friction, THUD_VERIFY_NOT_APPLICABLE, "the scene has no friction");
}

static thud_error check_frames(verify_frames *f, thud_record_reader *reader, record_checks *c) {
  thud_record_info info = thud_record_reader_info(reader);
  verify_frames_structure(f, strcmp(info.verdict, "good") == 0, &c->structure);
  if (c->structure.status == THUD_VERIFY_FAILED) return THUD_OK;
  find_initial_energy(f);
  verify_frames_initial(f, &c->initial);
  thud_error error = verify_frames_gaps(f, &c->gap, &c->penetration);
  if (error == THUD_OK) error = verify_frames_steps(f, &c->steps);
  if (error != THUD_OK) return error;
  explain_coverage(f, &c->steps);
  check_residuals(f, &c->residual);
  error = verify_frames_events(f, reader, &c->events);
  return error == THUD_OK ? verify_frames_summary(f, &info, &c->summary) : error;
}

static thud_error check_with_system(thud_context *context, thud_record_reader *reader, verify_system *system,
                                    double tolerance, record_checks *c) {
  verify_frames frames = {
      .context = context, .system = system, .tolerance = tolerance > 0 ? tolerance : DEFAULT_TOLERANCE};
  bool usable = false;
  thud_error error = verify_frames_read(&frames, reader, &c->structure, &usable);
  if (error == THUD_OK && usable) error = check_frames(&frames, reader, c);
  verify_frames_free(&frames);
  return error;
}

thud_error verify_system_record(thud_context *context, thud_record_reader *reader, const thud_tree *tree,
                                double tolerance, thud_verify_result *result) {
  thud_record_info info = thud_record_reader_info(reader);
  verify_system *system = NULL;
  record_checks checks = checks_new();
  thud_error error = verify_system_create(context, tree, &system);
  if (error == THUD_OK && system->method == VERIFY_EVENT_DRIVEN) {
    error = verify_event_record(context, reader, system, tolerance, result);
    verify_system_destroy(system);
    return error;
  }
  if (error == THUD_OK) {
    error = check_with_system(context, reader, system, tolerance, &checks);
  } else if (error != THUD_ERROR_MEMORY) {
    verify_fail(&checks.structure, NAN, SIZE_MAX, "the scene in the record cannot be used: %s",
                thud_context_last_message(context));
    error = THUD_OK;
  }
  bool functions = system != NULL && system->functions;
  thud_verify_check unchecked = verify_check_new("functions");
  if (functions) verify_functions_name_unchecked(system, &unchecked);
  verify_system_destroy(system);
  if (error != THUD_OK) return error;
  thud_verify_check *list[CHECKS], finished = verify_check_new("finished");
  list_checks(&checks, list);
  verify_check_finished(&info, &finished);
  bool unusable = checks.structure.status == THUD_VERIFY_FAILED;
  *result = (thud_verify_result){0};
  for (size_t k = 0; k < CHECKS; k++) {
    if (unusable && k > 0) verify_skip(list[k], THUD_VERIFY_NOT_CHECKABLE, "the frames cannot be used: see structure");
    verify_result_add(result, list[k]);
  }
  verify_result_add(result, &finished);
  if (functions) verify_result_add(result, &unchecked);
  return THUD_OK;
}
