/* Groups of islands on the threads of the context. Islands do not feel each other, and a group writes to its own bodies and
 * contacts alone: each thread works on a copy of the motion that shares all arrays but those of a group in its own units,
 * and has a context and solvers of its own. Solvers keep nothing from one problem to the next that changes an answer, so
 * that the bits do not depend on who solves which group. Large groups, and
 * islands whose springs couple bodies, are solved one after the other by the motion itself, with all threads. */
#include "motions/bodies/body_motion.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { LARGE_CONTACTS = 512, MESSAGE_ROOM = 1024 };

/* Result of a group. */
typedef struct group_result {
  body_group group;
  thud_error error;
  int32_t iterations;
  size_t reduced;
  const char *method;
  bool infeasible;
  thud_motion_status status;
  char *message; /* NULL: none */
} group_result;

/* One thread: its copy of the motion, with arrays for one group. */
typedef struct crew_mate {
  body_motion motion;
  body_scalars now;
  thud_context *context;
  size_t contact_capacity, body_capacity;
  double map[6];
} crew_mate;

struct body_crew {
  thud_crew *threads;
  size_t count;
  crew_mate *mates; /* [count] */
  thud_index groups;
  size_t group_capacity;
  group_result *results; /* [groups] */
  size_t message_capacity;
  char *messages; /* [groups*MESSAGE_ROOM] */
  atomic_size_t next;
  const body_motion *motion; /* of the step under way */
};

/* ---- life --------------------------------------------------------------------------------------------------------------- */

enum { MATE_BY_CONTACT = 6, MATE_BY_BODY = 2 };

static void list_arrays(crew_mate *mate, body_array *by_contact, body_array *by_body) {
  body_problem *p = &mate->motion.problem;
  size_t d = (size_t)p->d, n = (size_t)p->block;
  const body_array of_contacts[MATE_BY_CONTACT] = {
      {&p->group_w, d * sizeof(double)},    {&p->kept, d * sizeof(double)},    {&p->group_r, d * sizeof(double)},
      {&p->group_kept, d * sizeof(double)}, {&p->group_a, sizeof(thud_index)}, {&p->group_b, sizeof(thud_index)}};
  const body_array of_bodies[MATE_BY_BODY] = {{&p->group_mass, n * n * sizeof(double)},
                                              {&p->group_velocity, n * sizeof(double)}};
  for (size_t k = 0; k < MATE_BY_CONTACT; k++) by_contact[k] = of_contacts[k];
  for (size_t k = 0; k < MATE_BY_BODY; k++) by_body[k] = of_bodies[k];
}

void thud_bodies_free_crew(body_motion *motion) {
  struct body_crew *crew = motion->crew;
  if (crew == NULL) return;
  for (size_t k = 0; k < crew->count; k++) {
    crew_mate *mate = &crew->mates[k];
    body_array by_contact[MATE_BY_CONTACT], by_body[MATE_BY_BODY];
    list_arrays(mate, by_contact, by_body);
    thud_bodies_release(mate->context, MATE_BY_CONTACT, by_contact);
    thud_bodies_release(mate->context, MATE_BY_BODY, by_body);
    thud_solver_destroy(mate->motion.solver);
    thud_solver_destroy(mate->motion.sweeper);
    for (size_t i = 0; i < THUD_BODY_DIRECT; i++) thud_solver_destroy(mate->motion.direct[i]);
  }
  thud_crew_destroy(crew->threads);
  thud_free(motion->base.context, crew->mates);
  thud_free(motion->base.context, crew->results);
  thud_free(motion->base.context, crew->messages);
  thud_free(motion->base.context, crew);
  motion->crew = NULL;
}

static thud_error make_crew(body_motion *motion) {
  if (motion->crew != NULL) return THUD_OK;
  struct body_crew *crew = motion->crew = THUD_NEW(motion->base.context, struct body_crew);
  if (crew == NULL) return THUD_ERROR_MEMORY;
  size_t threads = (size_t)thud_context_threads(motion->base.context);
  thud_error error = thud_crew_create(motion->base.context, &crew->threads);
  if (error == THUD_OK) crew->mates = THUD_NEW_ARRAY(motion->base.context, crew_mate, threads);
  if (error == THUD_OK && crew->mates == NULL) error = THUD_ERROR_MEMORY;
  if (error != THUD_OK) {
    thud_bodies_free_crew(motion);
    return error;
  }
  crew->count = threads;
  for (size_t k = 0; k < threads; k++) {
    crew->mates[k].context = thud_crew_context(crew->threads, (int)k);
    crew->mates[k].motion.problem.d = motion->problem.d;
    crew->mates[k].motion.problem.block = motion->problem.block;
  }
  return THUD_OK;
}

/* ---- one group ---------------------------------------------------------------------------------------------------------- */

/* The mate's copy of the motion as it is now, with what is the mate's own. */
static void take_motion(crew_mate *mate, const body_motion *motion) {
  const body_motion own = mate->motion;
  body_motion *copy = &mate->motion;
  *copy = *motion;
  mate->now = *motion->state.now;
  copy->base.context = mate->context;
  copy->state.now = &mate->now;
  copy->solver = own.solver;
  copy->sweeper = own.sweeper;
  for (size_t i = 0; i < THUD_BODY_DIRECT; i++) copy->direct[i] = own.direct[i];
  copy->problem.group_mass = own.problem.group_mass;
  copy->problem.group_velocity = own.problem.group_velocity;
  copy->problem.group_w = own.problem.group_w;
  copy->problem.group_r = own.problem.group_r;
  copy->problem.group_kept = own.problem.group_kept;
  copy->problem.group_a = own.problem.group_a;
  copy->problem.group_b = own.problem.group_b;
  copy->problem.kept = own.problem.kept;
  copy->problem.map = mate->map;
}

static thud_error make_room(crew_mate *mate, body_group group) {
  const body_problem *p = &mate->motion.problem;
  body_array by_contact[MATE_BY_CONTACT], by_body[MATE_BY_BODY];
  list_arrays(mate, by_contact, by_body);
  thud_error error = thud_bodies_grow(mate->context, MATE_BY_CONTACT, by_contact, &mate->contact_capacity,
                                      (size_t)(p->contact_start[group.end] - p->contact_start[group.first]));
  if (error != THUD_OK) return error;
  return thud_bodies_grow(mate->context, MATE_BY_BODY, by_body, &mate->body_capacity,
                          (size_t)(p->body_start[group.end] - p->body_start[group.first]));
}

/* Solves a group on some motion, be it the original or a mate's copy, and notes what became of it. */
static void solve_one(body_motion *motion, group_result *result) {
  body_scalars *now = motion->state.now;
  const body_scalars before = {.iterations = now->iterations, .info = now->info};
  motion->method = "none";
  result->error = thud_bodies_solve_group(motion, result->group);
  result->iterations = now->iterations - before.iterations;
  result->reduced = now->info.reduced_restitutions - before.info.reduced_restitutions;
  result->status = now->info.status;
  result->method = motion->method;
  result->infeasible = motion->infeasible;
  now->iterations = before.iterations;
  now->info = before.info;
  if (result->error != THUD_OK || result->status != THUD_MOTION_RUNNING)
    snprintf(result->message, MESSAGE_ROOM, "%s", thud_context_last_message(motion->base.context));
}

/* Groups that the motion itself solves: large ones, and islands whose springs couple bodies, which share its rows. */
static bool is_own(const body_motion *motion, body_group group) {
  const body_problem *p = &motion->problem;
  return p->contact_start[group.end] - p->contact_start[group.first] >= LARGE_CONTACTS ||
         thud_bodies_is_coupled(motion, group.first);
}

/* Takes small groups until none is left. */
static void work(void *user, size_t k) {
  struct body_crew *crew = user;
  crew_mate *mate = &crew->mates[k];
  take_motion(mate, crew->motion);
  for (;;) {
    size_t at = atomic_fetch_add_explicit(&crew->next, 1, memory_order_relaxed);
    if (at >= (size_t)crew->groups) return;
    group_result *result = &crew->results[at];
    if (is_own(crew->motion, result->group)) continue;
    result->error = make_room(mate, result->group);
    if (result->error == THUD_OK) solve_one(&mate->motion, result);
  }
}

/* ---- all groups --------------------------------------------------------------------------------------------------------- */

static thud_error list_groups(body_motion *motion) {
  struct body_crew *crew = motion->crew;
  const body_problem *p = &motion->problem;
  size_t islands = (size_t)p->island_count;
  thud_error error =
      thud_array_reserve(motion->base.context, &crew->results, &crew->group_capacity, islands, sizeof *crew->results);
  if (error == THUD_OK)
    error =
        thud_array_reserve(motion->base.context, &crew->messages, &crew->message_capacity, islands * MESSAGE_ROOM, 1);
  crew->groups = 0;
  for (thud_index first = 0; first < p->island_count && error == THUD_OK;) {
    if (p->held[first]) {
      first++;
      continue;
    }
    group_result *result = &crew->results[crew->groups];
    *result = (group_result){.group = thud_bodies_next_group(motion, first),
                             .message = crew->messages + (size_t)crew->groups * MESSAGE_ROOM};
    result->message[0] = '\0';
    first = result->group.end;
    crew->groups++;
  }
  return error;
}

/* In the order of the groups, whoever solved them. */
static thud_error gather(body_motion *motion) {
  const struct body_crew *crew = motion->crew;
  body_scalars *now = motion->state.now;
  motion->infeasible = false;
  for (thud_index k = 0; k < crew->groups; k++) {
    const group_result *result = &crew->results[k];
    if (result->error != THUD_OK)
      return result->error == THUD_ERROR_INTERRUPTED
                 ? result->error
                 : thud_fail(motion->base.context, result->error, "%s", result->message);
    now->iterations += result->iterations;
    now->info.reduced_restitutions += result->reduced;
    motion->method = result->method;
    motion->infeasible = motion->infeasible || result->infeasible;
    if (result->status == now->info.status || result->status == THUD_MOTION_RUNNING) continue;
    now->info.status = result->status;
    thud_fail(motion->base.context, THUD_ERROR_NOT_CONVERGED, "%s", result->message);
  }
  return THUD_OK;
}

/* One after the other, in place. */
static thud_error solve_in_turn(body_motion *motion) {
  const body_problem *p = &motion->problem;
  thud_error error = THUD_OK;
  bool infeasible = false;
  for (thud_index first = 0; first < p->island_count && error == THUD_OK;) {
    if (p->held[first]) {
      first++;
      continue;
    }
    body_group group = thud_bodies_next_group(motion, first);
    error = thud_bodies_solve_group(motion, group);
    infeasible = infeasible || motion->infeasible;
    first = group.end;
  }
  motion->infeasible = infeasible;
  return error;
}

thud_error thud_bodies_solve_groups(body_motion *motion) {
  if (thud_context_threads(motion->base.context) < 2 || motion->problem.island_count < 2) return solve_in_turn(motion);
  thud_error error = make_crew(motion);
  if (error == THUD_OK) error = list_groups(motion);
  if (error != THUD_OK) return error;
  struct body_crew *crew = motion->crew;
  crew->motion = motion;
  atomic_init(&crew->next, 0);
  thud_parallel_for(motion->base.context, crew->count, work, crew);
  for (thud_index k = 0; k < crew->groups; k++)
    if (is_own(motion, crew->results[k].group)) solve_one(motion, &crew->results[k]);
  return gather(motion);
}
