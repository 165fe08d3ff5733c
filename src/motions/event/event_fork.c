/* Forks: where a motion has several ways on they are collected as outcomes, and the run ends until one is chosen.
 *
 * The run goes back to before the event, and with the choice goes through it again: what happens at one time may fork
 * more than once (an impact, then modes of friction), so that choices are a list, used up in the order of the forks. */
#include "base/base.h"
#include "motions/event/event.h"

#include <limits.h>
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
  return thud_fail(motion->problem.context, THUD_ERROR_UNQUALIFIED, "[motion-not-determined] t = %.10g: %s%zu %s: %s",
                   motion->state.t, forks->cut ? "more than " : "", forks->count, what, list);
}

thud_error thud_event_motion_follow_forks(thud_motion *base, bool follow, size_t max_outcomes) {
  THUD_MOTION_OF(base, &thud_event_type);
  event_motion *motion = (event_motion *)base;
  thud_event_options *options = &motion->problem.options;
  thud_error error = follow ? thud_event_create_single(motion) : THUD_OK;
  if (error != THUD_OK) return error;
  options->fork = follow;
  if (max_outcomes > 0) options->max_outcomes = max_outcomes < INT_MAX ? (int)max_outcomes : INT_MAX;
  return THUD_OK;
}

size_t thud_event_motion_outcome_count(const thud_motion *motion) {
  THUD_MOTION_OF_OR(0, motion, &thud_event_type);
  return ((const event_motion *)motion)->forks.count;
}

static thud_error check_number(const event_problem *problem, const event_forks *forks, size_t k) {
  if (k < forks->count) return THUD_OK;
  if (forks->count == 0)
    return thud_fail(problem->context, THUD_ERROR_ARGUMENT,
                     "there is nothing to choose: the last run did not end at a fork");
  return thud_fail(problem->context, THUD_ERROR_ARGUMENT, "outcome %zu was asked for, but there are %zu, from 0 on", k,
                   forks->count);
}

thud_error thud_event_motion_outcome(const thud_motion *base, size_t k, thud_event_outcome *outcome) {
  THUD_MOTION_OF(base, &thud_event_type);
  THUD_REQUIRE(base->context, outcome);
  const event_motion *motion = (const event_motion *)base;
  thud_error error = check_number(&motion->problem, &motion->forks, k);
  if (error != THUD_OK) return error;
  const event_outcome *found = &motion->forks.outcomes[k];
  *outcome = (thud_event_outcome){
      .v = found->v, .impulse = found->impulse, .mode = found->mode, .by_order = motion->forks.by_order};
  memcpy(outcome->text, found->text, sizeof outcome->text);
  return THUD_OK;
}

thud_error thud_event_motion_choose(thud_motion *base, size_t k) {
  THUD_MOTION_OF(base, &thud_event_type);
  event_motion *motion = (event_motion *)base;
  thud_error error = check_number(&motion->problem, &motion->forks, k);
  if (error != THUD_OK) return error;
  if (motion->forks.cursor == EVENT_MAX_CHOICES)
    return thud_fail(motion->problem.context, THUD_ERROR_UNSUPPORTED,
                     "[too-many-cases] t = %.10g: more than %d forks at one time", motion->state.t, EVENT_MAX_CHOICES);
  motion->forks.choices[motion->forks.cursor] = (int)k;
  motion->forks.choice_count = motion->forks.cursor + 1;
  return THUD_OK;
}

/* ---- multiple impacts in every order ------------------------------------------------------------------------------- */

/* Multiple impacts in every order: contacts that are struck one after the other.
 *
 * At a multiple impact whose gradients are not orthogonal the motion depends discontinuously on the data: a little
 * earlier or later the same contacts are struck one by one, each alone with its own e and friction, until none
 * approaches, and each order may give another velocity. Where several approach any of them may be next, so that the
 * orders are the leaves of a tree. It is walked leaf by leaf, from the root each time, with the decisions as the digits
 * of a number. */

enum {
  MOST_BRANCHINGS = 64,    /* decisions of one order; further on the first contact is taken */
  ORDERS_PER_OUTCOME = 100 /* orders that are tried for each outcome that the options allow */
};

/* Gradients whose kinetic cosine is below this are orthogonal: their order does not matter. */
static const double ORTHOGONAL = 1e-9;

typedef struct order_walk {
  int decision[MOST_BRANCHINGS], ways[MOST_BRANCHINGS];
  int depth; /* branchings met on the present way */
  int strikes;
  double speed; /* that approaches count beside */
  char text[160];
} order_walk;

/* ---- one order --------------------------------------------------------------------------------------------------- */

static bool approaches(const event_motion *motion, size_t i, double speed) {
  if (!motion->collision.acting[i] || event_is_equation(&motion->problem, i)) return false;
  return thud_event_constraint_velocity(&motion->problem, &motion->state, i, motion->state.v) <
         -thud_event_small_velocity(&motion->problem, motion->arc, &motion->state, i, speed, motion->state.v);
}

/* The contact that is struck next; m: none approaches. */
static size_t next_contact(const event_motion *motion, order_walk *walk) {
  int ways = 0, wanted = 0;
  for (size_t i = 0; i < motion->problem.m; i++) ways += approaches(motion, i, walk->speed) ? 1 : 0;
  if (ways > 1 && walk->depth < MOST_BRANCHINGS) {
    walk->ways[walk->depth] = ways;
    wanted = walk->decision[walk->depth++];
  }
  for (size_t i = 0; i < motion->problem.m; i++)
    if (approaches(motion, i, walk->speed) && wanted-- == 0) return i;
  return motion->problem.m;
}

static void add_info(thud_percussion_info *sum, const thud_percussion_info *one) {
  sum->residual = fmax(sum->residual, one->residual);
  sum->normal_loss += one->normal_loss;
  sum->friction_loss += one->friction_loss;
  sum->moving_work += one->moving_work;
  sum->identity = fmax(sum->identity, one->identity);
  sum->gained = sum->gained || one->gained;
  sum->restitution_factor = fmin(sum->restitution_factor, one->restitution_factor);
  sum->collisions++;
}

/* Contact i alone, with the equations; *possible: the problem has an answer. */
static thud_error strike(event_motion *motion, size_t i, bool *possible) {
  const event_problem *problem = &motion->problem;
  event_present *state = &motion->state;
  event_collision *collision = &motion->collision;
  thud_percussion_info one;
  size_t count = problem->m + problem->s;
  for (size_t k = 0; k < problem->m; k++) collision->alone[k] = event_is_equation(problem, k) || k == i;
  memset(collision->strike, 0, count * sizeof(double));
  thud_error error =
      thud_system_evaluate(problem->system, state->t, state->q, state->v, THUD_AT_RESTITUTION, state->values);
  if (error == THUD_OK)
    error = thud_percussion_solve(collision->single, state->values, collision->alone, 0, state->v, state->v,
                                  collision->strike, collision->strike + problem->m, state->v, &one);
  if (error != THUD_OK) return error;
  *possible = one.status == THUD_SOLVED && !one.refused;
  for (size_t k = 0; k < count; k++) motion->event.impulse[k] += collision->strike[k];
  add_info(&motion->event.percussion, &one);
  return THUD_OK;
}

/* From the velocity that was struck until nothing approaches; *finished: it came to that. */
static thud_error walk_order(event_motion *motion, order_walk *walk, bool *finished) {
  const event_problem *problem = &motion->problem;
  thud_error error = THUD_OK;
  bool possible = true;
  size_t i;
  walk->depth = walk->strikes = 0;
  walk->text[0] = 0;
  memcpy(motion->state.v, motion->collision.v_struck, problem->n * sizeof(double));
  memset(motion->event.impulse, 0, (problem->m + problem->s) * sizeof(double));
  while (error == THUD_OK && possible && walk->strikes < problem->options.percussion.max_collisions &&
         (i = next_contact(motion, walk)) < problem->m) {
    thud_event_append_text(walk->text, sizeof walk->text, "%s'%s'", walk->strikes++ > 0 ? " before " : "",
                           thud_system_constraint(problem->system, (thud_index)i)->name);
    error = strike(motion, i, &possible);
  }
  if (walk->strikes == 1) thud_event_append_text(walk->text, sizeof walk->text, " alone");
  walk->depth = walk->depth < MOST_BRANCHINGS ? walk->depth : MOST_BRANCHINGS;
  *finished = possible && walk->strikes < problem->options.percussion.max_collisions;
  return error;
}

/* The next leaf of the tree; false after the last. */
static bool next_order(order_walk *walk) {
  for (int d = walk->depth - 1; d >= 0; d--) {
    if (++walk->decision[d] < walk->ways[d]) {
      for (int e = d + 1; e < MOST_BRANCHINGS; e++) walk->decision[e] = 0;
      return true;
    }
  }
  return false;
}

/* ---- all orders ---------------------------------------------------------------------------------------------------- */

/* What the law found about the configuration. Nothing approaches after an order, and its impulses only push: the axioms
 * (a) and (b) hold. */
static thud_percussion_info empty_info(const thud_percussion_info *law) {
  return (thud_percussion_info){.worst_constraint = -1,
                                .worst_law = -1,
                                .energy_before = law->energy_before,
                                .restitution_factor = 1,
                                .in_cone = true,
                                .impulse_admissible = true,
                                .worst_cosine = law->worst_cosine,
                                .cosine_first = law->cosine_first,
                                .cosine_second = law->cosine_second,
                                .set_valued = law->set_valued};
}

static thud_error collect_orders(event_motion *motion) {
  const thud_percussion_info law = motion->event.percussion;
  order_walk walk = {.speed = thud_event_approach_speed(motion)};
  bool more = true, finished;
  thud_error error = THUD_OK;
  for (int tried = 0; more && error == THUD_OK && !motion->forks.cut; tried++) {
    motion->event.percussion = empty_info(&law);
    error = walk_order(motion, &walk, &finished);
    motion->event.percussion.energy_after =
        thud_system_kinetic_energy(motion->problem.system, motion->state.values, motion->state.v);
    if (error == THUD_OK && finished) error = thud_event_outcomes_add_jump(motion, walk.text);
    more = next_order(&walk);
    if (more && tried == ORDERS_PER_OUTCOME * motion->problem.options.max_outcomes) motion->forks.cut = true;
  }
  return error;
}

static bool orders_matter(const event_problem *problem, const event_happening *event,
                          const event_collision *collision) {
  size_t contacts = 0;
  for (size_t i = 0; i < problem->m; i++) contacts += collision->acting[i] && !event_is_equation(problem, i) ? 1 : 0;
  return contacts > 1 && (fabs(event->percussion.worst_cosine) > ORTHOGONAL || problem->s > 0);
}

thud_error thud_event_fork_over_orders(event_motion *motion) {
  char law[64], text[160];
  size_t k;
  motion->scales.top_speed = fmax(motion->scales.top_speed, sqrt(2 * motion->event.percussion.energy_before));
  if (!orders_matter(&motion->problem, &motion->event, &motion->collision) ||
      thud_event_zeno_in_tail(&motion->problem, &motion->zeno))
    return THUD_OK;
  const thud_option_table *table = thud_percussion_option_table();
  thud_options_format(thud_options_find(table, "law"), &motion->problem.options.percussion, law, sizeof law);
  snprintf(text, sizeof text, "the law '%s'", law);
  thud_event_outcomes_clear(&motion->forks);
  motion->forks.by_order = true;
  thud_error error = thud_event_outcomes_add_jump(motion, text);
  if (error == THUD_OK) error = collect_orders(motion);
  if (error == THUD_OK) error = thud_event_outcomes_pick(motion, "ways on from a multiple impact", &k);
  if (error == THUD_OK) thud_event_outcomes_take_jump(motion, k);
  return error;
}
