/* Multiple impacts in every order: contacts that are struck one after the other.
 *
 * At a multiple impact whose gradients are not orthogonal the motion depends discontinuously on the data: a little
 * earlier or later the same contacts are struck one by one, each alone with its own e and friction, until none
 * approaches, and each order may give another velocity. Where several approach any of them may be next, so that the
 * orders are the leaves of a tree. It is walked leaf by leaf, from the root each time, with the decisions as the digits
 * of a number. */
#include "motions/event/event.h"

#include <stdio.h>

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

/* ---- all of them ------------------------------------------------------------------------------------------------- */

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
