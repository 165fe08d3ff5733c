/* Parts of an answer: uniqueness of its forces, and the intervals of those asked for. */
#include "solve/answer.h"

#include <math.h>

/* THUD_EXAMINE_SMALL: up to these sizes and with so many convex programs, milliseconds as a rule. */
enum { EXAMINED_COMPONENTS = 240, EXAMINED_NDOF = 2000, EXAMINED_PROGRAMS = 32 };
/* Velocities within this many tolerances of the solver count as 0, and impulses may be moved by that many. */
static const double VELOCITY_TOLERANCES = 100, IMPULSE_TOLERANCES = 1e4;
/* Largest tolerance of either kind. */
static const double LOOSEST = 0.1;

thud_error thud_answer_check_intervals(thud_context *context, const thud_contact_problem *problem,
                                       const thud_answer_options *options) {
  if (options->interval_count > 0 && options->interval_contacts == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "intervals of forces: the contacts are missing");
  for (size_t k = 0; k < options->interval_count; k++)
    if (options->interval_contacts[k] < 0 || options->interval_contacts[k] >= problem->contacts)
      return thud_fail(context, THUD_ERROR_ARGUMENT,
                       "intervals of forces: there is no contact %d among %d, counted from 0",
                       (int)options->interval_contacts[k], (int)problem->contacts);
  return THUD_OK;
}

static thud_force_set_options options_for(answer_work *work) {
  thud_force_set_options options = thud_force_set_options_default();
  double tolerance = work->options->solver.tolerance;
  options.velocity_tolerance = fmin(LOOSEST, fmax(options.velocity_tolerance, VELOCITY_TOLERANCES * tolerance));
  options.impulse_tolerance = fmin(LOOSEST, fmax(options.impulse_tolerance, IMPULSE_TOLERANCES * tolerance));
  if (work->options->forces == THUD_EXAMINE_SMALL) options.max_programs = EXAMINED_PROGRAMS;
  options.stop = (thud_stop){.ask = thud_answer_time_is_over, .user = work};
  return options;
}

static thud_error find_intervals(answer_work *work, thud_force_set *set) {
  size_t count = work->options->interval_count, size = work->found.size, entries;
  if (!thud_size_multiply(count, size, &entries)) return THUD_ERROR_MEMORY;
  work->found.intervals = work->intervals = THUD_NEW_ARRAY(work->context, thud_force_interval, count);
  work->found.rays = work->rays = THUD_NEW_ARRAY(work->context, double, entries);
  if (work->intervals == NULL || work->rays == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < count; k++) {
    thud_error error = thud_force_set_interval(set, work->options->interval_contacts[k], &work->intervals[k], NULL,
                                               work->rays + k * size);
    if (error != THUD_OK) return error;
    work->found.interval_count++;
  }
  return THUD_OK;
}

static bool is_examined(const answer_work *work) {
  const thud_answer *found = &work->found;
  if (found->verdict != THUD_ANSWER_SOLVED || found->interrupted) return false;
  if (work->options->forces != THUD_EXAMINE_SMALL) return work->options->forces == THUD_EXAMINE_ALWAYS;
  size_t unknowns = found->size + (size_t)work->problem->bilateral;
  return unknowns <= EXAMINED_COMPONENTS && thud_contact_ndof(work->problem) <= EXAMINED_NDOF;
}

/* The examination ended before its end: the caller, the clock, or a problem that is not for it. */
static void note_unfinished(answer_work *work) {
  work->found.has_uniqueness = false;
  if (work->options->forces == THUD_EXAMINE_ALWAYS) {
    work->found.forces_are_cut = true;
    thud_text_print(thud_answer_warn(work, THUD_ANSWER_FORCES_CUT), "the forces were not examined to the end: %s",
                    thud_context_last_message(work->context));
  }
  work->found.interrupted = thud_answer_is_interrupted(work);
}

thud_error thud_answer_examine_forces(answer_work *work) {
  if (!is_examined(work)) return THUD_OK;
  thud_force_set_options options = options_for(work);
  thud_force_set *set = NULL;
  thud_error error = thud_force_set_create(work->context, work->problem, work->r, work->u, &options, &set);
  if (error == THUD_OK) error = thud_force_set_uniqueness(set, &work->found.uniqueness);
  work->found.has_uniqueness = error == THUD_OK;
  if (error == THUD_OK && work->options->forces == THUD_EXAMINE_ALWAYS) error = find_intervals(work, set);
  if (error == THUD_OK && work->options->forces == THUD_EXAMINE_ALWAYS && work->options->closest)
    error = thud_answer_find_closest(work, set);
  thud_force_set_destroy(set);
  if (error == THUD_OK || error == THUD_ERROR_MEMORY) return error;
  note_unfinished(work);
  return THUD_OK;
}
