/* Groups of four contacts for sweeps in lanes: what they hold, and which code visits them. */
#include "solve/exact_space.h"
#include "solve/sweep_two_block.h"

#include <stdatomic.h>
#include <string.h>

enum { STRIDE = THUD_SWEEP_STRIDE, LINE = 64 / sizeof(double), CHUNK = 64 }; /* groups per task of the update */

static const thud_lanes_functions *functions_of(const thud_two_block_sweep *sweep) {
#ifdef __x86_64__
  if (!sweep->choice.plain && __builtin_cpu_supports("avx2")) return &thud_lanes_avx2;
#else
  (void)sweep;
#endif
  return &thud_lanes_plain;
}

double *thud_lanes_align(double *memory) {
  size_t past = (uintptr_t)memory % 64;
  return memory + (past == 0 ? 0 : (64 - past) / sizeof(double));
}

void thud_lanes_free(thud_context *context, thud_lanes *lanes) {
  thud_free(context, lanes->memory);
  thud_free(context, lanes->contact);
  thud_free(context, lanes->inertia_memory);
}

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

static bool is_zero(const double *F, size_t row, size_t first, size_t end) {
  for (size_t j = first; j < end; j++)
    if (F[row * 6 + j] != 0) return false;
  return true;
}

/* F = [f 1, 0; 0, L] */
static bool is_rigid(const double *F) {
  if (F[7] != F[0] || F[14] != F[0]) return false;
  if (!is_zero(F, 1, 0, 1) || !is_zero(F, 2, 0, 2)) return false;
  return is_zero(F, 3, 0, 3) && is_zero(F, 4, 0, 3) && is_zero(F, 5, 0, 3);
}

/* L = s 1 */
static bool is_sphere(const double *F) {
  return F[28] == F[21] && F[35] == F[21] && F[27] == 0 && F[33] == 0 && F[34] == 0;
}

/* What the bodies allow: they are asked first, for there are fewer of them than contacts. */
static thud_lane_kinematics kinematics_of_bodies(const thud_two_block_sweep *sweep) {
  thud_lane_kinematics found = THUD_LANES_SPHERES;
  if (sweep->n != 6 || sweep->choice.general) return THUD_LANES_GENERAL;
  for (size_t b = 0; b < sweep->bodies; b++) {
    if (!sweep->moves[b]) continue;
    if (!is_rigid(sweep->F + b * 36)) return THUD_LANES_GENERAL;
    if (!is_sphere(sweep->F + b * 36)) found = THUD_LANES_FRAMES;
  }
  return found;
}

/* f, s and L to where the visits read them; zeros for general kinematics and the body that never moves. */
static thud_error place_bodies(thud_two_block_sweep *sweep) {
  thud_lanes *lanes = &sweep->lanes;
  if (lanes->kinematics == THUD_LANES_FRAMES && lanes->inertia == NULL) {
    lanes->inertia_memory = THUD_NEW_ARRAY(sweep->context, double, (sweep->bodies + 2) * STRIDE);
    if (lanes->inertia_memory == NULL) return THUD_ERROR_MEMORY;
    lanes->inertia = thud_lanes_align(lanes->inertia_memory);
  }
  memset(sweep->z, 0, (sweep->bodies + 1) * STRIDE * sizeof(double));
  for (size_t b = 0; b < sweep->bodies && lanes->kinematics != THUD_LANES_GENERAL; b++) {
    const double *F = sweep->F + b * 36;
    if (lanes->kinematics == THUD_LANES_FRAMES) memset(lanes->inertia + b * STRIDE, 0, 6 * sizeof(double));
    if (!sweep->moves[b]) continue;
    sweep->z[b * STRIDE + 6] = F[0];
    sweep->z[b * STRIDE + 7] = F[21];
    if (lanes->kinematics != THUD_LANES_FRAMES) continue;
    const double L[6] = {F[21], F[27], F[28], F[33], F[34], F[35]};
    memcpy(lanes->inertia + b * STRIDE, L, sizeof L);
  }
  return THUD_OK;
}

/* ---- groups ------------------------------------------------------------------------------------------------------ */

/* The contacts of the overflow set (bodies of high degree, or the order given) stay in their order: neighbours share a
 * group only when they share no body, so that it does not matter. Returns the contacts of the group that begins at
 * `visit`. */
static size_t group_length(const thud_two_block_sweep *sweep, size_t visit, size_t end) {
  size_t length = 0, contacts = sweep->contacts;
  thud_index bodies[2 * THUD_LANES];
  for (; length < THUD_LANES && visit + length < end; length++) {
    size_t k = (size_t)sweep->order[visit + length];
    for (size_t side = 0; side < 2; side++) {
      thud_index body = sweep->body[side * contacts + k];
      for (size_t i = 0; i < 2 * length; i++)
        if (body >= 0 && bodies[i] == body) return length;
      bodies[2 * length + side] = body;
    }
  }
  return length;
}

/* Deals out the visits of sets start[0..sets] to groups; start becomes that of groups. */
static void deal_out(thud_two_block_sweep *sweep, size_t sets, size_t *start) {
  thud_lanes *lanes = &sweep->lanes;
  size_t groups = 0, begin = start[0];
  for (size_t s = 0; s < sets; s++) {
    size_t end = start[s + 1];
    start[s] = groups;
    for (size_t visit = begin, length; visit < end; visit += length, groups++) {
      length = end - visit < THUD_LANES ? end - visit : THUD_LANES;
      if (s + 1 == sets) length = group_length(sweep, visit, end);
      for (size_t lane = 0; lane < THUD_LANES; lane++)
        lanes->contact[groups * THUD_LANES + lane] = lane < length ? sweep->order[visit + lane] : -1;
    }
    begin = end;
  }
  start[sets] = lanes->groups = groups;
}

/* Room for as many groups as there may be: every colour but the last set ends with one that is not full. */
static thud_error reserve_contacts(thud_two_block_sweep *sweep, size_t sets, const size_t *start) {
  size_t overflow = start[sets] - start[sets - 1];
  size_t most = (start[sets - 1] - start[0]) / THUD_LANES + sets + overflow;
  return thud_array_reserve(sweep->context, &sweep->lanes.contact, &sweep->lanes.contact_capacity, most * THUD_LANES,
                            sizeof(thud_index));
}

static thud_error reserve_groups(thud_two_block_sweep *sweep) {
  thud_lanes *lanes = &sweep->lanes;
  size_t geometry = lanes->kinematics == THUD_LANES_GENERAL ? 6 * sweep->n : 15, needed;
  lanes->stride = sizeof(thud_lane_group) / sizeof(double) + geometry * THUD_LANES;
  if (!thud_size_multiply(lanes->groups, lanes->stride, &needed) || !thud_size_add(needed, LINE, &needed))
    return thud_fail(sweep->context, THUD_ERROR_MEMORY, "%zu groups of contacts do not fit in memory", lanes->groups);
  if (needed > lanes->capacity) {
    thud_free(sweep->context, lanes->memory);
    lanes->capacity = 0;
    lanes->memory = THUD_NEW_ARRAY(sweep->context, double, needed);
    if (lanes->memory == NULL) return THUD_ERROR_MEMORY;
    lanes->capacity = needed;
  }
  lanes->first = thud_lanes_align(lanes->memory);
  return THUD_OK;
}

/* ---- contacts ------------------------------------------------------------------------------------------------------
 */

static void fill_general(const thud_two_block_sweep *sweep, const thud_two_block *bodies, thud_lane_group *group,
                         size_t lane, size_t k) {
  size_t n = sweep->n;
  thud_space_block block;
  double G[6 * THUD_CONTACT_DIMENSION_MAX], q[3], W[9], mu = 0;
  thud_two_block_project(sweep, bodies, k, G, q);
  thud_two_block_diagonal(3, n, G, W);
  thud_contact_discs_at(&sweep->discs, k, &mu);
  thud_space_prepare(W, mu, &block);
  for (size_t i = 0; i < 3; i++) group->q[i][lane] = q[i];
  group->inverse_normal[lane] = block.inverse_normal;
  group->k1[lane] = block.k1;
  group->k2[lane] = block.k2;
  group->s11[lane] = block.s11;
  group->s12[lane] = block.s12;
  group->s22[lane] = block.s22;
  group->mu[lane] = mu;
  for (size_t i = 0; i < 6 * n; i++) group->geometry[i][lane] = G[i];
}

/* r = 0, bodies, and lanes without a contact. */
static void clear_group(const thud_two_block_sweep *sweep, size_t at) {
  thud_lane_group *group = thud_lanes_group(&sweep->lanes, at);
  bool general = sweep->lanes.kinematics == THUD_LANES_GENERAL; /* frames write everything else */
  memset(group, 0, general ? sweep->lanes.stride * sizeof(double) : sizeof group->r);
  for (size_t lane = 0; lane < THUD_LANES; lane++) {
    thud_index k = sweep->lanes.contact[at * THUD_LANES + lane];
    for (size_t side = 0; side < 2; side++) {
      thud_index body = k >= 0 ? sweep->body[side * sweep->contacts + (size_t)k] : -1;
      group->body[side][lane] = body >= 0 ? body : (thud_index)sweep->bodies;
    }
  }
}

typedef struct lane_filling {
  const thud_two_block_sweep *sweep;
  thud_lane_source source;
  atomic_bool failed; /* a contact without a frame */
} lane_filling;

static void fill_task(void *user, size_t task) {
  lane_filling *filling = user;
  const thud_two_block_sweep *sweep = filling->sweep;
  const thud_lanes *lanes = &sweep->lanes;
  size_t first = task * CHUNK, end = first + CHUNK < lanes->groups ? first + CHUNK : lanes->groups;
  if (atomic_load_explicit(&filling->failed, memory_order_relaxed)) return;
  for (size_t at = first; at < end; at++) clear_group(sweep, at);
  if (lanes->kinematics != THUD_LANES_GENERAL) {
    if (!functions_of(sweep)->fill(lanes, &filling->source, first, end))
      atomic_store_explicit(&filling->failed, true, memory_order_relaxed);
    return;
  }
  for (size_t at = first * THUD_LANES; at < end * THUD_LANES; at++)
    if (lanes->contact[at] >= 0)
      fill_general(sweep, filling->source.bodies, thud_lanes_group(lanes, at / THUD_LANES), at % THUD_LANES,
                   (size_t)lanes->contact[at]);
}

/* False when there is a contact without a frame. */
static bool fill(thud_two_block_sweep *sweep, const thud_two_block *bodies) {
  lane_filling filling = {.sweep = sweep, .source = {.bodies = bodies, .mu = sweep->discs.mu[0]}};
  atomic_init(&filling.failed, false);
  thud_parallel_for(sweep->context, (sweep->lanes.groups + CHUNK - 1) / CHUNK, fill_task, &filling);
  return !atomic_load_explicit(&filling.failed, memory_order_relaxed);
}

/* For groups and bodies of the kinematics that have been chosen. */
static thud_error make_room(thud_two_block_sweep *sweep) {
  thud_error error = reserve_groups(sweep);
  return error == THUD_OK ? place_bodies(sweep) : error;
}

thud_error thud_lanes_update(thud_two_block_sweep *sweep, const thud_contact_problem *problem, size_t *start) {
  thud_lanes *lanes = &sweep->lanes;
  size_t sets = (size_t)sweep->colours + 1;
  lanes->n = sweep->n;
  lanes->bodies = sweep->bodies;
  lanes->z = sweep->z;
  lanes->kinematics = kinematics_of_bodies(sweep);
  thud_error error = reserve_contacts(sweep, sets, start);
  if (error != THUD_OK) return error;
  deal_out(sweep, sets, start);
  error = make_room(sweep);
  if (error != THUD_OK || fill(sweep, &problem->two_block)) return error;
  lanes->kinematics = THUD_LANES_GENERAL;
  error = make_room(sweep);
  if (error == THUD_OK) fill(sweep, &problem->two_block);
  return error;
}

/* ---- impulses and visits ------------------------------------------------------------------------------------------ */

void thud_lanes_load(thud_two_block_sweep *sweep, const double *r) {
  thud_lanes *lanes = &sweep->lanes;
  for (size_t at = 0; at < lanes->groups; at++) {
    thud_lane_group *group = thud_lanes_group(lanes, at);
    for (size_t lane = 0; lane < THUD_LANES; lane++) {
      thud_index k = lanes->contact[at * THUD_LANES + lane];
      for (size_t i = 0; i < 3 && k >= 0; i++) group->r[i][lane] = r[3 * (size_t)k + i];
    }
  }
  functions_of(sweep)->push(lanes, 0, lanes->groups);
}

void thud_lanes_store(const thud_lanes *lanes, double *r) {
  for (size_t at = 0; at < lanes->groups; at++) {
    const thud_lane_group *group = thud_lanes_group(lanes, at);
    for (size_t lane = 0; lane < THUD_LANES; lane++) {
      thud_index k = lanes->contact[at * THUD_LANES + lane];
      for (size_t i = 0; i < 3 && k >= 0; i++) r[3 * (size_t)k + i] = group->r[i][lane];
    }
  }
}

thud_one_contact_mode thud_lanes_solve_cold(const thud_lane_group *group, size_t lane, const double *load, double *r) {
  const thud_space_block block = {.inverse_normal = group->inverse_normal[lane],
                                  .k1 = group->k1[lane],
                                  .k2 = group->k2[lane],
                                  .c1 = group->k1[lane],
                                  .c2 = group->k2[lane],
                                  .s11 = group->s11[lane],
                                  .s12 = group->s12[lane],
                                  .s21 = group->s12[lane],
                                  .s22 = group->s22[lane],
                                  .mu = group->mu[lane]};
  const thud_space_load own = {.h = load[0], .b1 = load[1], .b2 = load[2], .alpha = load[3]};
  return thud_space_solve(&block, &own, r);
}

void thud_lanes_run(const thud_two_block_sweep *sweep, size_t first, size_t end, thud_sweep_result *result) {
  functions_of(sweep)->visit(&sweep->lanes, sweep->options, first, end, result);
}
