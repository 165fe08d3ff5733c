/* Islands: bodies that contacts, stiff springs, joints and their laws connect. Fixed and kinematic bodies connect nothing. An island falls
 * asleep and wakes as a whole; groups of islands are solved on several threads. */
#include "motions/bodies/body_motion.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static thud_index find_root(thud_index *parent, thud_index i) {
  while (parent[i] != i) {
    parent[i] = parent[parent[i]];
    i = parent[i];
  }
  return i;
}

/* The smaller number stays the root, so that islands are numbered by their first bodies. */
static void join(thud_index *parent, thud_index i, thud_index j) {
  i = find_root(parent, i);
  j = find_root(parent, j);
  if (i < j)
    parent[j] = i;
  else
    parent[i] = j;
}

enum { BY_CONTACT = 17, BY_ISLAND = 5 };

static void list_problem_arrays(body_problem *p, body_array *by_contact, body_array *by_island) {
  size_t d = (size_t)p->d, n = (size_t)p->block;
  const body_array of_contacts[BY_CONTACT] = {{&p->order, sizeof(thud_index)},
                                              {&p->a, sizeof(thud_index)},
                                              {&p->b, sizeof(thud_index)},
                                              {&p->jacobian_a, d * n * sizeof(double)},
                                              {&p->jacobian_b, d * n * sizeof(double)},
                                              {&p->w, d * sizeof(double)},
                                              {&p->mu, sizeof(double)},
                                              {&p->mu_rolling, sizeof(double)},
                                              {&p->mu_spinning, sizeof(double)},
                                              {&p->r, d * sizeof(double)},
                                              {&p->group_w, d * sizeof(double)},
                                              {&p->kept, d * sizeof(double)},
                                              {&p->group_r, d * sizeof(double)},
                                              {&p->group_u, d * sizeof(double)},
                                              {&p->group_a, sizeof(thud_index)},
                                              {&p->group_b, sizeof(thud_index)},
                                              {&p->group_mu, 3 * sizeof(double)}};
  const body_array of_islands[BY_ISLAND] = {{&p->islands, sizeof(thud_body_island)},
                                            {&p->suspect, sizeof(bool)},
                                            {&p->held, sizeof(bool)},
                                            {&p->body_start, sizeof(thud_index)},
                                            {&p->contact_start, sizeof(thud_index)}};
  for (size_t k = 0; k < BY_CONTACT; k++) by_contact[k] = of_contacts[k];
  for (size_t k = 0; k < BY_ISLAND; k++) by_island[k] = of_islands[k];
}

static thud_error reserve(body_motion *motion, size_t islands, size_t contacts) {
  body_problem *p = &motion->problem;
  body_array by_contact[BY_CONTACT], by_island[BY_ISLAND];
  list_problem_arrays(p, by_contact, by_island);
  thud_error error = thud_bodies_grow(motion->base.context, BY_CONTACT, by_contact, &p->capacity, contacts);
  if (error != THUD_OK) return error;
  return thud_bodies_grow(motion->base.context, BY_ISLAND, by_island, &p->island_capacity, islands);
}

void thud_bodies_free_islands(body_motion *motion) {
  body_array by_contact[BY_CONTACT], by_island[BY_ISLAND];
  list_problem_arrays(&motion->problem, by_contact, by_island);
  thud_bodies_release(motion->base.context, BY_CONTACT, by_contact);
  thud_bodies_release(motion->base.context, BY_ISLAND, by_island);
}

/* parent[i] becomes the number of the island of body i, -1 for bodies without contacts and laws of joints. Islands with contacts
 * come first. */
static void number_islands(body_motion *motion) {
  body_problem *p = &motion->problem;
  const body_contacts *c = &motion->contacts;
  for (thud_index i = 0; i < motion->model.count; i++) {
    p->parent[i] = find_root(p->parent, i);
    p->number[i] = -1; /* of the island of a root */
  }
  for (thud_index k = 0; k < c->count; k++) p->number[p->parent[c->body_a[k]]] = 0;
  p->island_count = 0;
  for (thud_index i = 0; i < motion->model.count; i++) /* a root comes before the others of its island */
    if (p->parent[i] == i && p->number[i] == 0) p->number[i] = p->island_count++;
  p->with_contacts = p->island_count;
  for (size_t l = 0; l < motion->laws.count; l++) {
    thud_index root = p->parent[motion->laws.list[l].a];
    if (p->number[root] < 0) p->number[root] = p->island_count++;
  }
  for (thud_index i = motion->model.count; i-- > 0;) p->parent[i] = p->number[p->parent[i]];
}

/* Bodies and contacts in the order of islands, by counting. */
static void sort_by_islands(body_motion *motion) {
  body_problem *p = &motion->problem;
  body_contacts *c = &motion->contacts;
  for (thud_index s = 0; s <= p->island_count; s++) p->body_start[s] = p->contact_start[s] = 0;
  for (thud_index i = 0; i < motion->model.count; i++)
    if (p->parent[i] >= 0) p->body_start[p->parent[i] + 1]++;
  for (thud_index k = 0; k < c->count; k++) {
    c->island[k] = p->parent[c->body_a[k]];
    p->contact_start[c->island[k] + 1]++;
  }
  for (thud_index s = 0; s < p->island_count; s++) {
    p->islands[s] = (thud_body_island){
        .bodies = p->body_start[s + 1], .contacts = p->contact_start[s + 1], .worst = -1, .restitution_factor = 1};
    p->body_start[s + 1] += p->body_start[s];
    p->contact_start[s + 1] += p->contact_start[s];
  }
  p->bodies = p->body_start[p->island_count];
  for (thud_index i = 0; i < motion->model.count; i++) {
    thud_index s = p->parent[i];
    p->number[i] = s < 0 ? -1 : p->body_start[s]++;
    if (s >= 0) p->body[p->number[i]] = i;
  }
  for (thud_index k = 0; k < c->count; k++) p->order[p->contact_start[c->island[k]]++] = k;
  for (thud_index s = p->island_count; s > 0; s--) { /* the starts have moved to the ends */
    p->body_start[s] = p->body_start[s - 1];
    p->contact_start[s] = p->contact_start[s - 1];
  }
  p->body_start[0] = p->contact_start[0] = 0;
}

thud_error thud_bodies_find_islands(body_motion *motion) {
  body_problem *p = &motion->problem;
  const body_contacts *c = &motion->contacts;
  for (thud_index i = 0; i < motion->model.count; i++) p->parent[i] = i;
  for (thud_index k = 0; k < c->count; k++)
    if (motion->moves[c->body_b[k]]) join(p->parent, c->body_a[k], c->body_b[k]);
  for (size_t r = 0; r < motion->implicit.coupled && motion->implicit.clusters > 0; r++)
    if (motion->implicit.links[r].b >= 0) join(p->parent, motion->implicit.links[r].a, motion->implicit.links[r].b);
  for (thud_index k = 0; k < motion->model.joint_count; k++) { /* taut or slack */
    const thud_joint *joint = &motion->model.joints[k];
    bool rope = thud_joint_is_loose(joint) && joint->b >= 0 && thud_bodies_joint_acts(motion, k);
    if (rope && motion->moves[joint->a] && motion->moves[joint->b]) join(p->parent, joint->a, joint->b);
  }
  number_islands(motion);
  thud_error error = reserve(motion, (size_t)p->island_count + 1, (size_t)c->count + motion->laws.count);
  if (error != THUD_OK) return error;
  sort_by_islands(motion);
  return thud_bodies_sort_laws(motion);
}

/* ---- sleep ----------------------------------------------------------------------------------------------------------- */

/* An island whose bodies have all been slow for a while, none of them speeding up, stops where it is.
 *
 * It stays a part of every step. Its contacts are found at the poses at which it stopped, its forces are those of the time,
 * and the impulses of the last step are judged at rest: as long as they balance the forces up to the tolerance, so that
 *   |v+| <= tolerance * scale   for every point of its bodies, scale being that of the island's residual,
 * and satisfy the law with v+ = 0, nothing is solved and nothing moves. Where they do not, the island is solved; if it would
 * not move then either, it sleeps on with the new impulses. Otherwise all of it wakes within this step, with its new contacts:
 * bodies that touch it, paths and forces that change and supports that leave meet bodies that move. */

/* Speed of the farthest point of a body, at most. */
static double speed_of(const body_motion *motion, thud_index i, thud_vec3 velocity, thud_vec3 spin) {
  const thud_bodies_view *model = &motion->model;
  double radius = 0;
  for (thud_index p = model->part_start[i]; p < model->part_start[i + 1]; p++)
    radius = fmax(radius, thud_vec3_norm(model->part_pose[p].position) + thud_shape_radius(model->part_shape[p]));
  return thud_vec3_norm(velocity) + radius * thud_vec3_norm(spin);
}

/* A speed that a body at rest in the island may get in a step. */
static double speed_at_rest(const body_motion *motion, thud_index s) {
  const thud_body_island *island = &motion->problem.islands[s];
  return fmax(motion->options.tolerance * island->scale, island->noise);
}

void thud_bodies_stop_sleepers(body_motion *motion) {
  body_state *state = &motion->state;
  for (thud_index i = 0; i < motion->model.count; i++)
    if (state->asleep[i]) state->velocity[i] = state->spin[i] = (thud_vec3){0};
}

/* ---- sleep: at rest or not ------------------------------------------------------------------------------------------- */

/* Velocities 0 in an island whose impulses are p->r, if these hold it; otherwise its velocities stay as they are. */
static bool rest_island(body_motion *motion, thud_index s) {
  const body_problem *p = &motion->problem;
  body_state *state = &motion->state;
  body_contacts *c = &motion->contacts;
  double most = 0;
  for (thud_index i = p->body_start[s]; i < p->body_start[s + 1]; i++)
    most = fmax(most, speed_of(motion, p->body[i], state->velocity[p->body[i]], state->spin[p->body[i]]));
  if (!(most <= speed_at_rest(motion, s))) return false;
  for (thud_index i = p->body_start[s]; i < p->body_start[s + 1]; i++)
    state->velocity[p->body[i]] = state->spin[p->body[i]] = (thud_vec3){0};
  for (thud_index at = p->contact_start[s]; at < p->contact_start[s + 1]; at++)
    thud_bodies_relative_velocity(motion, p->order[at], false, state->velocity, state->spin,
                                  c->u + (size_t)p->order[at] * (size_t)p->d);
  if (motion->laws.count > 0) thud_bodies_see_laws(motion, s);
  thud_bodies_judge_island(motion, s);
  return p->islands[s].solved && thud_bodies_laws_rest(motion, s, speed_at_rest(motion, s));
}

/* By the impulses of the last step, else by those of this one. */
static thud_error hold_island(body_motion *motion, thud_index s, bool *held) {
  thud_bodies_scale_island(motion, s);
  thud_bodies_move_island(motion, s);
  *held = rest_island(motion, s);
  if (*held) return THUD_OK;
  thud_error error = thud_bodies_solve_island(motion, s);
  if (error == THUD_OK) *held = rest_island(motion, s);
  return error;
}

static void wake(body_motion *motion, thud_index i) {
  if (!motion->state.asleep[i]) return;
  motion->state.asleep[i] = false;
  motion->state.rest[i] = 0;
  motion->woken[i] = true;
}

thud_error thud_bodies_hold_sleepers(body_motion *motion) {
  body_problem *p = &motion->problem;
  const body_state *state = &motion->state;
  thud_error error = THUD_OK;
  for (thud_index i = 0; i < motion->model.count; i++) {
    motion->woken[i] = false;
    if (p->parent[i] < 0) wake(motion, i);
  }
  for (thud_index s = 0; s < p->island_count && error == THUD_OK; s++) {
    bool all = true, any = false, held = false;
    for (thud_index i = p->body_start[s]; i < p->body_start[s + 1]; i++) {
      all = all && state->asleep[p->body[i]];
      any = any || state->asleep[p->body[i]];
    }
    for (thud_index at = p->contact_start[s]; at < p->contact_start[s + 1]; at++)
      all = all && !motion->contacts.impact[p->order[at]];
    if (all) error = hold_island(motion, s, &held);
    p->held[s] = held;
    for (thud_index i = p->body_start[s]; any && !held && i < p->body_start[s + 1]; i++) wake(motion, p->body[i]);
  }
  return error;
}

/* ---- sleep: falling asleep ------------------------------------------------------------------------------------------- */

static thud_error report(body_motion *motion, int kind, thud_index body) {
  thud_body_event event = {.kind = kind, .t = motion->state.now->t, .body_a = body, .body_b = -1};
  return thud_bodies_hand_out(motion, &event);
}

thud_error thud_bodies_wake(body_motion *motion, thud_index i) {
  motion->state.asleep[i] = false;
  motion->state.rest[i] = 0;
  return report(motion, THUD_BODY_EVENT_WAKE, i);
}

/* Slow, and as fast as a step before: what speeds up would be stopped again and again. */
static bool is_calm(const body_motion *motion, thud_index i) {
  const body_state *state = &motion->state;
  thud_index s = motion->problem.parent[i];
  if (!motion->moves[i] || s < 0) return false;
  thud_vec3 v = thud_vec3_subtract(state->velocity[i], state->velocity_left[i]);
  thud_vec3 w = thud_vec3_subtract(state->spin[i], state->spin_left[i]);
  return speed_of(motion, i, state->velocity[i], state->spin[i]) < motion->options.sleep_speed &&
         speed_of(motion, i, v, w) <= speed_at_rest(motion, s);
}

/* Bodies do not rest on paths that move, however slowly. */
static void stay_awake_on_paths(body_motion *motion) {
  const body_contacts *c = &motion->contacts;
  const body_state *state = &motion->state;
  for (thud_index k = 0; k < c->count; k++) {
    thud_index b = c->body_b[k];
    if (motion->model.role[b] != THUD_BODY_KINEMATIC) continue;
    thud_vec3 lever = thud_vec3_subtract(c->point[k], state->pose[b].position);
    thud_vec3 v = thud_vec3_add(state->velocity[b], thud_vec3_cross(state->spin[b], lever));
    if (thud_vec3_norm(v) > speed_at_rest(motion, c->island[k])) state->rest[c->body_a[k]] = 0;
  }
}

/* Nor where a motor has somewhere to go. */
static void stay_awake_for_motors(body_motion *motion) {
  for (size_t l = 0; l < motion->laws.count; l++) {
    const body_law *law = &motion->laws.list[l];
    if (law->kind == BODY_LAW_MOTOR && law->w != 0) motion->state.rest[law->a] = 0;
  }
}

thud_error thud_bodies_fall_asleep(body_motion *motion) {
  body_problem *p = &motion->problem;
  body_state *state = &motion->state;
  thud_error error = THUD_OK;
  for (thud_index i = 0; i < motion->model.count && error == THUD_OK; i++) {
    state->rest[i] = is_calm(motion, i) ? state->rest[i] + motion->h : 0;
    if (motion->woken[i]) error = report(motion, THUD_BODY_EVENT_WAKE, i);
  }
  stay_awake_on_paths(motion);
  stay_awake_for_motors(motion);
  for (thud_index s = 0; s < p->island_count && error == THUD_OK; s++) {
    bool rests = true;
    for (thud_index i = p->body_start[s]; i < p->body_start[s + 1]; i++)
      rests = rests && state->rest[p->body[i]] >= motion->options.sleep_time;
    for (thud_index i = p->body_start[s]; rests && i < p->body_start[s + 1] && error == THUD_OK; i++) {
      thud_index body = p->body[i];
      if (state->asleep[body]) continue;
      state->asleep[body] = true; /* stops when the next step begins */
      error = report(motion, THUD_BODY_EVENT_SLEEP, body);
    }
  }
  return error;
}

/* ---- threads --------------------------------------------------------------------------------------------------------- */

/* Groups of islands on the threads of the context. Islands do not feel each other, and a group writes to its own bodies and
 * contacts alone: each thread works on a copy of the motion that shares all arrays but those of a group in its own units,
 * and has a context and solvers of its own. Solvers keep nothing from one problem to the next that changes an answer, so
 * that the bits do not depend on who solves which group. Large groups, and
 * islands whose springs couple bodies, are solved one after the other by the motion itself, with all threads. */

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

/* ---- threads: the crew ----------------------------------------------------------------------------------------------- */

enum { MATE_BY_CONTACT = 6, MATE_BY_BODY = 2 };

static void list_mate_arrays(crew_mate *mate, body_array *by_contact, body_array *by_body) {
  body_problem *p = &mate->motion.problem;
  size_t d = (size_t)p->d, n = (size_t)p->block;
  const body_array of_contacts[MATE_BY_CONTACT] = {
      {&p->group_w, d * sizeof(double)}, {&p->kept, d * sizeof(double)},    {&p->group_r, d * sizeof(double)},
      {&p->group_u, d * sizeof(double)}, {&p->group_a, sizeof(thud_index)}, {&p->group_b, sizeof(thud_index)}};
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
    list_mate_arrays(mate, by_contact, by_body);
    thud_bodies_release(mate->context, MATE_BY_CONTACT, by_contact);
    thud_bodies_release(mate->context, MATE_BY_BODY, by_body);
    thud_solver_destroy(mate->motion.solver);
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

/* ---- threads: one group ---------------------------------------------------------------------------------------------- */

/* The mate's copy of the motion as it is now, with what is the mate's own. */
static void take_motion(crew_mate *mate, const body_motion *motion) {
  const body_motion own = mate->motion;
  body_motion *copy = &mate->motion;
  *copy = *motion;
  mate->now = *motion->state.now;
  copy->base.context = mate->context;
  copy->state.now = &mate->now;
  copy->solver = own.solver;
  for (size_t i = 0; i < THUD_BODY_DIRECT; i++) copy->direct[i] = own.direct[i];
  copy->problem.group_mass = own.problem.group_mass;
  copy->problem.group_velocity = own.problem.group_velocity;
  copy->problem.group_w = own.problem.group_w;
  copy->problem.group_r = own.problem.group_r;
  copy->problem.group_u = own.problem.group_u;
  copy->problem.group_a = own.problem.group_a;
  copy->problem.group_b = own.problem.group_b;
  copy->problem.kept = own.problem.kept;
  copy->problem.map = mate->map;
}

static thud_error make_room(crew_mate *mate, body_group group) {
  const body_problem *p = &mate->motion.problem;
  body_array by_contact[MATE_BY_CONTACT], by_body[MATE_BY_BODY];
  list_mate_arrays(mate, by_contact, by_body);
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

/* ---- threads: all groups --------------------------------------------------------------------------------------------- */

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
