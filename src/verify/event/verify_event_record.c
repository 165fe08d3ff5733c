/* An event-driven record of a `system` scene: from its rows to a list of checks. */
#include "verify/verify_channels.h"
#include "verify/event/verify_event_proof.h"

#include <math.h>
#include <string.h>

/* Relative tolerance when the caller asks for none: this, or what the scene's own tolerances let pass, times a factor:
 * a run measures every component by itself, here the kinetic metric does, and errors add up. */
static const double DEFAULT_TOLERANCE = 1e-8, OVER_TOLERANCE = 100;

static double default_tolerance(const verify_system *system) {
  return fmax(DEFAULT_TOLERANCE, OVER_TOLERANCE * fmax(system->defect_tolerance, system->zeno_tolerance));
}

static verify_event_checks checks_new(void) {
  return (verify_event_checks){.structure = thud_verify_check_new("structure"),
                               .initial = thud_verify_check_new("initial"),
                               .continuity = thud_verify_check_new("continuity"),
                               .motion = thud_verify_check_new("motion"),
                               .gap = thud_verify_check_new("gap"),
                               .law = thud_verify_check_new("law"),
                               .friction = thud_verify_check_new("friction"),
                               .modes = thud_verify_check_new("modes"),
                               .impacts = thud_verify_check_new("impacts"),
                               .zeno = thud_verify_check_new("zeno"),
                               .energy = thud_verify_check_new("energy"),
                               .residual = thud_verify_check_new("residual"),
                               .events = thud_verify_check_new("events"),
                               .summary = thud_verify_check_new("summary"),
                               .proof = thud_verify_check_new("proof")};
}

static void skip_what_is_not_there(verify_event_rows *f) {
  bool impacts = false, zeno = false;
  for (size_t k = 0; k < f->count; k++) {
    impacts = impacts || verify_event_is_struck(f, k);
    zeno = zeno || f->event[k] == VERIFY_EVENT_ZENO;
  }
  if (f->m == 0) {
    thud_verify_skip(&f->checks.gap, THUD_VERIFY_NOT_APPLICABLE, "the scene has no constraints");
    thud_verify_skip(&f->checks.law, THUD_VERIFY_NOT_APPLICABLE, "the scene has no constraints");
  }
  if (f->system->law_count == 0)
    thud_verify_skip(&f->checks.friction, THUD_VERIFY_NOT_APPLICABLE, "the scene has no friction");
  if (!impacts && f->checks.impacts.status == THUD_VERIFY_PASSED)
    thud_verify_skip(&f->checks.impacts, THUD_VERIFY_NOT_APPLICABLE, "there are no impacts");
  if (!zeno) thud_verify_skip(&f->checks.zeno, THUD_VERIFY_NOT_APPLICABLE, "no impacts accumulate");
}

static thud_error check_row(verify_event_rows *f, size_t k, verify_event_books *books) {
  thud_error error = THUD_OK;
  thud_verify_event_modes(f, k);
  if (verify_event_is_struck(f, k)) error = thud_verify_event_impact(f, k);
  if (f->event[k] == VERIFY_EVENT_ZENO) error = thud_verify_event_zeno(f, k);
  thud_verify_event_ledger(f, k, books); /* of the arc before */
  thud_verify_tally(&f->checks.residual, f->residual[k], fmax(f->tolerance, f->system->residual_tolerance), 0, f->t[k],
                    k);
  f->arcs += f->t_end[k] > f->t[k];
  if (error == THUD_OK && f->system->functions) { /* the arc is asked for its reactions, the row for its impact */
    f->asked += (f->t_end[k] > f->t[k] && f->m + f->s > 0) || verify_event_is_struck(f, k);
    thud_verify_event_reactions(f, k);
    return THUD_OK;
  }
  if (error != THUD_OK) return error;
  thud_verify_proof_bracket(f, k);
  thud_verify_proof_arc(f, k);
  return thud_verify_event_arc(f, k, books);
}

static thud_error check_rows(verify_event_rows *f, thud_record_reader *reader) {
  thud_record_info info = thud_record_reader_info(reader);
  thud_verify_event_structure(f, strcmp(info.verdict, "good") == 0);
  if (f->checks.structure.status == THUD_VERIFY_FAILED) return THUD_OK;
  thud_verify_event_sizes(f);
  char branch[THUD_VERIFY_DETAIL / 2];
  verify_event_books books = {0};
  thud_error error = thud_verify_event_length(f, reader);
  if (error == THUD_OK) error = thud_verify_event_forks(f, reader, branch, sizeof branch);
  if (error == THUD_OK) error = thud_verify_event_joins(f);
  if (error == THUD_OK) error = thud_verify_proof_create(f);
  for (size_t k = 0; k < f->count && error == THUD_OK; k++) error = check_row(f, k, &books);
  if (error == THUD_OK) thud_verify_event_percussions(f);
  if (error == THUD_OK) error = thud_verify_event_notes(f, reader);
  if (error == THUD_OK) error = thud_verify_event_summary(f, reader);
  if (f->system->functions) thud_verify_event_leave_out(f);
  thud_verify_proof_report(f);
  skip_what_is_not_there(f);
  if (branch[0] != '\0') thud_verify_add(&f->checks.impacts, branch);
  return error;
}

thud_error thud_verify_event_record(thud_context *context, thud_record_reader *reader, verify_system *system,
                                    double tolerance, thud_verify_result *result) {
  verify_event_rows f = {.context = context,
                         .system = system,
                         .tolerance = tolerance > 0 ? tolerance : default_tolerance(system),
                         .checks = checks_new()};
  thud_record_info info = thud_record_reader_info(reader);
  bool usable = false;
  thud_error error = thud_verify_event_read(&f, reader, &usable);
  if (error == THUD_OK && usable) error = check_rows(&f, reader);
  verify_event_checks *c = &f.checks;
  thud_verify_check *list[] = {&c->structure, &c->initial, &c->continuity, &c->motion, &c->gap,
                               &c->proof,     &c->law,     &c->friction,   &c->modes,  &c->impacts,
                               &c->zeno,      &c->energy,  &c->residual,   &c->events, &c->summary};
  const size_t count = sizeof list / sizeof *list;
  for (size_t k = 0; k < count && usable; k++) /* from rows to the frames of the record */
    if (list[k]->frame >= 0) list[k]->frame = (int64_t)f.frame[list[k]->frame];
  thud_verify_event_free(&f);
  if (error != THUD_OK) return error;
  thud_verify_check finished = thud_verify_check_new("finished");
  thud_verify_check_finished(&info, &finished);
  bool unusable = c->structure.status == THUD_VERIFY_FAILED;
  *result = (thud_verify_result){0};
  for (size_t k = 0; k < count; k++) {
    if (unusable && k > 0)
      thud_verify_skip(list[k], THUD_VERIFY_NOT_CHECKABLE, "the rows cannot be used: see structure");
    thud_verify_result_add(result, list[k]);
  }
  thud_verify_result_add(result, &finished);
  thud_verify_result_cover(result, "arcs", unusable ? 0 : f.asked, f.arcs, -1);
  if (system->functions) {
    thud_verify_check unchecked = thud_verify_check_new("functions");
    thud_verify_functions_name_unchecked(system, &unchecked);
    thud_verify_result_add(result, &unchecked);
  }
  return THUD_OK;
}
