/* Forks: where a motion has several ways on they are collected as outcomes, and the run ends until one is chosen.
 *
 * The run goes back to before the event, and with the choice goes through it again: what happens at one time may fork
 * more than once (an impact, then modes of friction), so that choices are a list, used up in the order of the forks. */
#include "base/base.h"
#include "motions/event/event.h"

#include <stdarg.h>
#include <stdio.h>

void thud_event_append_text(char *text, size_t capacity, const char *format, ...) {
  size_t used = strlen(text);
  va_list arguments;
  va_start(arguments, format);
  int more = vsnprintf(text + used, capacity - used, format, arguments);
  va_end(arguments);
  if (more >= 0 && used + (size_t)more >= capacity) memcpy(text + capacity - 4, "...", 4);
}

/* ---- storage ----------------------------------------------------------------------------------------------------- */

void thud_event_outcomes_clear(event_forks *forks) {
  forks->count = 0;
  forks->cut = forks->by_order = false;
}

void thud_event_outcomes_destroy(const event_problem *problem, event_forks *forks) {
  for (size_t k = 0; k < forks->capacity; k++) {
    thud_free(problem->context, forks->outcomes[k].numbers);
    thud_free(problem->context, forks->outcomes[k].integers);
  }
  thud_free(problem->context, forks->outcomes);
}

static thud_error allocate_outcome(const event_problem *problem, const sim_arc *arc, event_outcome *outcome) {
  size_t n = problem->n, rows = problem->m + problem->s, p = (size_t)arc->order;
  outcome->numbers = THUD_NEW_ARRAY(problem->context, double, n + rows + (p + 1) * n);
  outcome->integers = THUD_NEW_ARRAY(problem->context, int, problem->m + event_choice_count(problem));
  if (outcome->numbers == NULL || outcome->integers == NULL) return THUD_ERROR_MEMORY;
  outcome->v = outcome->numbers;
  outcome->impulse = outcome->v + n;
  outcome->series = outcome->impulse + rows;
  outcome->mode = outcome->integers;
  outcome->chosen = outcome->mode + problem->m;
  return THUD_OK;
}

/* Room for one more, which is not counted yet. Past max_outcomes there is none: *next = NULL. */
static thud_error reserve(const event_problem *problem, const sim_arc *arc, event_forks *forks, event_outcome **next) {
  *next = NULL;
  if (forks->count == (size_t)problem->options.max_outcomes) {
    forks->cut = true;
    return THUD_OK;
  }
  if (forks->count == forks->capacity) {
    size_t capacity = forks->capacity + 1;
    event_outcome *grown = thud_realloc(problem->context, forks->outcomes, capacity, sizeof *forks->outcomes);
    if (grown == NULL) return THUD_ERROR_MEMORY;
    forks->outcomes = grown;
    grown[forks->capacity] = (event_outcome){.numbers = NULL};
    forks->capacity = capacity;
  }
  event_outcome *made = &forks->outcomes[forks->count];
  thud_error error = made->numbers == NULL || made->integers == NULL ? allocate_outcome(problem, arc, made) : THUD_OK;
  if (error == THUD_OK) *next = made;
  return error;
}

/* ---- what is the same -------------------------------------------------------------------------------------------- */

/* Whether the series of the arc is that of the outcome, within the step and beside the terms that it is the sum of. */
static bool same_motion(const event_motion *motion, const event_outcome *outcome) {
  const sim_arc *arc = motion->arc;
  double h = fmin(outcome->step, thud_arc_step(arc, motion->problem.options.end - motion->state.t));
  double power = 1, size = 0, difference = 0;
  for (int k = 0; k <= arc->decide; k++, power *= h) {
    size_t at = (size_t)k * motion->problem.n;
    size = fmax(size, motion->search.order_size[k] * power);
    difference = fmax(difference, thud_arc_distance(motion->arc, arc->a + at, outcome->series + at) * power);
  }
  return difference <= sqrt(motion->problem.options.decision_tolerance) * size;
}

/* Velocities after a jump, beside the jumps and the motion. */
static bool same_velocity(const event_motion *motion, const double *v, const event_outcome *outcome) {
  double size = fmax(thud_arc_distance(motion->arc, v, motion->collision.v_struck),
                     thud_arc_distance(motion->arc, outcome->v, motion->collision.v_struck));
  double limit = fmax(sqrt(motion->problem.options.decision_tolerance) * size,
                      motion->problem.options.fork_tolerance * motion->scales.top_speed);
  return thud_arc_distance(motion->arc, v, outcome->v) <= limit;
}

/* ---- collecting -------------------------------------------------------------------------------------------------- */

static const char *words_of(const event_law *law, int mode) {
  switch (mode) {
  case THUD_CONTACT_LASTING: return "stays closed";
  case THUD_CONTACT_LEAVING: return "opens";
  case THUD_CONTACT_UNDECIDED: return "stays closed without force";
  case THUD_CONTACT_STICKING: return "sticks";
  default: break;
  }
  if (law == NULL || law->directions != 1) return "slides";
  return law->along[0] > 0 ? "slides forth" : "slides back";
}

/* "'left' sticks, 'right' opens": the contacts, and laws of other kinds, whose modes were sought. */
static void describe_modes(const event_motion *motion, event_outcome *outcome) {
  outcome->text[0] = 0;
  for (size_t b = 0; b < motion->search.item_count; b++) {
    size_t item = (size_t)motion->search.items[b];
    const event_law *law = thud_event_law_of(&motion->problem, &motion->friction, item);
    int mode = item < motion->problem.m ? motion->modes.mode[item] : motion->modes.law_mode[item - motion->problem.m];
    thud_event_append_text(outcome->text, sizeof outcome->text, "%s'%s' %s", b > 0 ? ", " : "",
                           thud_event_item_name(&motion->problem, item), words_of(law, mode));
  }
}

thud_error thud_event_outcomes_add_modes(event_motion *motion) {
  const event_problem *problem = &motion->problem;
  const sim_arc *arc = motion->arc;
  event_outcome *next;
  for (size_t k = 0; k < motion->forks.count; k++)
    if (same_motion(motion, &motion->forks.outcomes[k])) return THUD_OK;
  thud_error error = reserve(problem, arc, &motion->forks, &next);
  if (error != THUD_OK || next == NULL) return error;
  memcpy(next->v, motion->state.v, problem->n * sizeof(double));
  memset(next->impulse, 0, (problem->m + problem->s) * sizeof(double));
  memcpy(next->series, arc->a, (size_t)(arc->order + 1) * problem->n * sizeof(double));
  next->step = thud_arc_step(arc, problem->options.end - motion->state.t);
  memcpy(next->mode, motion->modes.mode, problem->m * sizeof(int));
  memcpy(next->chosen, motion->search.chosen, event_choice_count(problem) * sizeof(int));
  next->search = (int)motion->search.level;
  describe_modes(motion, next);
  motion->forks.count++;
  return THUD_OK;
}

thud_error thud_event_outcomes_add_jump(event_motion *motion, const char *text) {
  event_outcome *next;
  for (size_t k = 0; k < motion->forks.count; k++)
    if (same_velocity(motion, motion->state.v, &motion->forks.outcomes[k])) return THUD_OK;
  thud_error error = reserve(&motion->problem, motion->arc, &motion->forks, &next);
  if (error != THUD_OK || next == NULL) return error;
  memcpy(next->v, motion->state.v, motion->problem.n * sizeof(double));
  memcpy(next->impulse, motion->event.impulse, (motion->problem.m + motion->problem.s) * sizeof(double));
  memcpy(next->mode, motion->modes.mode_before, motion->problem.m * sizeof(int));
  next->percussion = motion->event.percussion;
  snprintf(next->text, sizeof next->text, "%s", text);
  motion->forks.count++;
  return THUD_OK;
}

void thud_event_outcomes_take_jump(event_motion *motion, size_t k) {
  const event_outcome *outcome = &motion->forks.outcomes[k];
  memcpy(motion->state.v, outcome->v, motion->problem.n * sizeof(double));
  memcpy(motion->event.impulse, outcome->impulse, (motion->problem.m + motion->problem.s) * sizeof(double));
  motion->event.percussion = outcome->percussion;
}

/* ---- choosing ---------------------------------------------------------------------------------------------------- */

thud_error thud_event_outcomes_pick(event_motion *motion, const char *what, size_t *k) {
  event_forks *forks = &motion->forks;
  char list[400] = "";
  *k = 0;
  if (forks->count == 1) return THUD_OK;
  if (forks->cursor < forks->choice_count) {
    *k = (size_t)forks->choices[forks->cursor++];
    return *k < forks->count
               ? THUD_OK
               : thud_fail(motion->problem.context, THUD_ERROR_INTERNAL, "t = %.10g: outcome %zu was chosen of %zu",
                           motion->state.t, *k + 1, forks->count);
  }
  for (size_t j = 0; j < forks->count; j++)
    thud_event_append_text(list, sizeof list, "%s%s", j > 0 ? "; or " : "", forks->outcomes[j].text);
  motion->run.finding = motion->problem.options.fork ? THUD_MOTION_FORKED : THUD_MOTION_INDETERMINATE;
  return thud_fail(motion->problem.context, THUD_ERROR_UNQUALIFIED, "t = %.10g: %s%zu %s: %s", motion->state.t,
                   forks->cut ? "more than " : "", forks->count, what, list);
}
