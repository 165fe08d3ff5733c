/* Forks: where a motion has several ways on they are collected as outcomes, and the run ends until one is chosen.
 *
 * The run goes back to before the event, and with the choice goes through it again: what happens at one time may fork
 * more than once (an impact, then modes of friction), so that choices are a list, used up in the order of the forks. */
#include "sim/event/event.h"

#include <stdarg.h>
#include <stdio.h>

void event_append(char *text, size_t capacity, const char *format, ...) {
  size_t used = strlen(text);
  va_list arguments;
  va_start(arguments, format);
  int more = vsnprintf(text + used, capacity - used, format, arguments);
  va_end(arguments);
  if (more >= 0 && used + (size_t)more >= capacity) memcpy(text + capacity - 4, "...", 4);
}

/* ---- storage ----------------------------------------------------------------------------------------------------- */

void event_outcomes_clear(thud_event_motion *motion) {
  motion->outcome_count = 0;
  motion->outcomes_cut = motion->outcomes_by_order = false;
}

void event_outcomes_destroy(thud_event_motion *motion) {
  for (size_t k = 0; k < motion->outcome_capacity; k++) {
    thud_free(motion->context, motion->outcomes[k].numbers);
    thud_free(motion->context, motion->outcomes[k].integers);
  }
  thud_free(motion->context, motion->outcomes);
}

static thud_error allocate(const thud_event_motion *motion, event_outcome *outcome) {
  size_t n = motion->n, rows = motion->m + motion->s, p = (size_t)motion->arc->order;
  outcome->numbers = THUD_NEW_ARRAY(motion->context, double, n + rows + (p + 1) * n);
  outcome->integers = THUD_NEW_ARRAY(motion->context, int, motion->m + event_choice_count(motion));
  if (outcome->numbers == NULL || outcome->integers == NULL) return THUD_ERROR_MEMORY;
  outcome->v = outcome->numbers;
  outcome->impulse = outcome->v + n;
  outcome->series = outcome->impulse + rows;
  outcome->mode = outcome->integers;
  outcome->chosen = outcome->mode + motion->m;
  return THUD_OK;
}

/* Room for one more, which is not counted yet. Past max_outcomes there is none: *next = NULL. */
static thud_error reserve(thud_event_motion *motion, event_outcome **next) {
  *next = NULL;
  if (motion->outcome_count == (size_t)motion->options.max_outcomes) {
    motion->outcomes_cut = true;
    return THUD_OK;
  }
  if (motion->outcome_count == motion->outcome_capacity) {
    size_t capacity = motion->outcome_capacity + 1;
    event_outcome *grown = thud_realloc(motion->context, motion->outcomes, capacity, sizeof *motion->outcomes);
    if (grown == NULL) return THUD_ERROR_MEMORY;
    motion->outcomes = grown;
    grown[motion->outcome_capacity] = (event_outcome){.numbers = NULL};
    motion->outcome_capacity = capacity;
  }
  event_outcome *made = &motion->outcomes[motion->outcome_count];
  thud_error error = made->numbers == NULL || made->integers == NULL ? allocate(motion, made) : THUD_OK;
  if (error == THUD_OK) *next = made;
  return error;
}

/* ---- what is the same -------------------------------------------------------------------------------------------- */

/* Whether the series of the arc is that of the outcome, within the step and beside the terms that it is the sum of. */
static bool same_motion(const thud_event_motion *motion, const event_outcome *outcome) {
  const sim_arc *arc = motion->arc;
  double h = fmin(outcome->step, thud_arc_step(arc, motion->options.end - motion->t));
  double power = 1, size = 0, difference = 0;
  for (int k = 0; k <= arc->decide; k++, power *= h) {
    size_t at = (size_t)k * motion->n;
    size = fmax(size, motion->order_size[k] * power);
    difference = fmax(difference, thud_arc_distance(motion->arc, arc->a + at, outcome->series + at) * power);
  }
  return difference <= sqrt(motion->options.decision_tolerance) * size;
}

/* Velocities after a jump, beside the jumps and the motion. */
static bool same_velocity(const thud_event_motion *motion, const double *v, const event_outcome *outcome) {
  double size = fmax(thud_arc_distance(motion->arc, v, motion->v_struck),
                     thud_arc_distance(motion->arc, outcome->v, motion->v_struck));
  double limit =
      fmax(sqrt(motion->options.decision_tolerance) * size, motion->options.fork_tolerance * motion->top_speed);
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
static void describe_modes(const thud_event_motion *motion, event_outcome *outcome) {
  outcome->text[0] = 0;
  for (size_t b = 0; b < motion->item_count; b++) {
    size_t item = (size_t)motion->items[b];
    const event_law *law = event_law_of(motion, item);
    int mode = item < motion->m ? motion->mode[item] : motion->law_mode[item - motion->m];
    event_append(outcome->text, sizeof outcome->text, "%s'%s' %s", b > 0 ? ", " : "", event_item_name(motion, item),
                 words_of(law, mode));
  }
}

thud_error event_outcomes_add_modes(thud_event_motion *motion) {
  const sim_arc *arc = motion->arc;
  event_outcome *next;
  for (size_t k = 0; k < motion->outcome_count; k++)
    if (same_motion(motion, &motion->outcomes[k])) return THUD_OK;
  thud_error error = reserve(motion, &next);
  if (error != THUD_OK || next == NULL) return error;
  memcpy(next->v, motion->v, motion->n * sizeof(double));
  memset(next->impulse, 0, (motion->m + motion->s) * sizeof(double));
  memcpy(next->series, arc->a, (size_t)(arc->order + 1) * motion->n * sizeof(double));
  next->step = thud_arc_step(arc, motion->options.end - motion->t);
  memcpy(next->mode, motion->mode, motion->m * sizeof(int));
  memcpy(next->chosen, motion->chosen, event_choice_count(motion) * sizeof(int));
  next->search = (int)motion->search;
  describe_modes(motion, next);
  motion->outcome_count++;
  return THUD_OK;
}

thud_error event_outcomes_add_jump(thud_event_motion *motion, const char *text) {
  event_outcome *next;
  for (size_t k = 0; k < motion->outcome_count; k++)
    if (same_velocity(motion, motion->v, &motion->outcomes[k])) return THUD_OK;
  thud_error error = reserve(motion, &next);
  if (error != THUD_OK || next == NULL) return error;
  memcpy(next->v, motion->v, motion->n * sizeof(double));
  memcpy(next->impulse, motion->impulse, (motion->m + motion->s) * sizeof(double));
  memcpy(next->mode, motion->mode_before, motion->m * sizeof(int));
  next->percussion = motion->percussion_info;
  snprintf(next->text, sizeof next->text, "%s", text);
  motion->outcome_count++;
  return THUD_OK;
}

void event_outcomes_take_jump(thud_event_motion *motion, size_t k) {
  const event_outcome *outcome = &motion->outcomes[k];
  memcpy(motion->v, outcome->v, motion->n * sizeof(double));
  memcpy(motion->impulse, outcome->impulse, (motion->m + motion->s) * sizeof(double));
  motion->percussion_info = outcome->percussion;
}

/* ---- choosing ---------------------------------------------------------------------------------------------------- */

thud_error event_outcomes_pick(thud_event_motion *motion, const char *what, size_t *k) {
  char list[400] = "";
  *k = 0;
  if (motion->outcome_count == 1) return THUD_OK;
  if (motion->choice_cursor < motion->choice_count) {
    *k = (size_t)motion->choices[motion->choice_cursor++];
    return *k < motion->outcome_count
               ? THUD_OK
               : thud_fail(motion->context, THUD_ERROR_INTERNAL, "t = %.10g: outcome %zu was chosen of %zu", motion->t,
                           *k + 1, motion->outcome_count);
  }
  for (size_t j = 0; j < motion->outcome_count; j++)
    event_append(list, sizeof list, "%s%s", j > 0 ? "; or " : "", motion->outcomes[j].text);
  motion->finding = motion->options.fork ? THUD_EVENT_FORK : THUD_EVENT_INDETERMINATE;
  return thud_fail(motion->context, THUD_ERROR_UNQUALIFIED, "t = %.10g: %s%zu %s: %s", motion->t,
                   motion->outcomes_cut ? "more than " : "", motion->outcome_count, what, list);
}

thud_index thud_event_motion_outcome_count(const thud_event_motion *motion) {
  return (thud_index)motion->outcome_count;
}

static thud_error check_number(const thud_event_motion *motion, thud_index k) {
  if (k >= 0 && (size_t)k < motion->outcome_count) return THUD_OK;
  if (motion->outcome_count == 0)
    return thud_fail(motion->context, THUD_ERROR_ARGUMENT,
                     "there is nothing to choose: the last run did not end at a fork");
  return thud_fail(motion->context, THUD_ERROR_ARGUMENT, "outcome %d was asked for, but there are %zu, from 0 on",
                   (int)k, motion->outcome_count);
}

thud_error thud_event_motion_outcome(const thud_event_motion *motion, thud_index k, thud_event_outcome *outcome) {
  thud_error error = check_number(motion, k);
  if (error != THUD_OK) return error;
  const event_outcome *found = &motion->outcomes[k];
  *outcome = (thud_event_outcome){
      .v = found->v, .impulse = found->impulse, .mode = found->mode, .by_order = motion->outcomes_by_order};
  memcpy(outcome->text, found->text, sizeof outcome->text);
  return THUD_OK;
}

thud_error thud_event_motion_choose(thud_event_motion *motion, thud_index k) {
  thud_error error = check_number(motion, k);
  if (error != THUD_OK) return error;
  if (motion->choice_cursor == EVENT_MAX_CHOICES)
    return thud_fail(motion->context, THUD_ERROR_UNSUPPORTED, "t = %.10g: more than %d forks at one time", motion->t,
                     EVENT_MAX_CHOICES);
  motion->choices[motion->choice_cursor] = (int)k;
  motion->choice_count = motion->choice_cursor + 1;
  return THUD_OK;
}
