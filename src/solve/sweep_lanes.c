/* Groups of four contacts for sweeps in lanes: what they hold, and which code visits them. */
#include "solve/exact_space.h"
#include "solve/sweep_two_block.h"

#include <stdatomic.h>
#include <string.h>

enum { STRIDE = THUD_SWEEP_STRIDE, LINE = 64 / sizeof(double), CHUNK = 64 }; /* groups per task of the update */

/* k_i may differ from lever x e_i by this part of |lever|_1 max |e|: a few roundings of a product of a lever and a frame
 * that is orthonormal to a few roundings itself. */
static const double FRAME_ROUNDING = 32 * DBL_EPSILON;

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

static void cross(const double *a, const double *b, double *c) {
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}

/* The lever of J = sign [E, K]: e_i x (lever x e_i) sums up to 2 lever over the rows of an orthonormal E. False when E is
 * another one, or when K is not of that kind. */
static bool find_lever(const double *J, double sign, const double *E, double *lever) {
  double part[3], most = 0;
  lever[0] = lever[1] = lever[2] = 0;
  for (size_t i = 0; i < 3; i++) {
    for (size_t j = 0; j < 3; j++) {
      if (J[6 * i + j] != sign * E[3 * i + j]) return false;
      most = thud_larger(most, fabs(E[3 * i + j]));
    }
    cross(E + 3 * i, J + 6 * i + 3, part);
    for (size_t j = 0; j < 3; j++) lever[j] += 0.5 * sign * part[j];
  }
  double bound = FRAME_ROUNDING * (fabs(lever[0]) + fabs(lever[1]) + fabs(lever[2])) * most;
  for (size_t i = 0; i < 3; i++) {
    cross(lever, E + 3 * i, part);
    for (size_t j = 0; j < 3; j++)
      if (!(fabs(sign * J[6 * i + 3 + j] - part[j]) <= bound)) return false;
  }
  return true;
}

/* W += J F F' J' and q += J v of a body with F = [f 1, 0; 0, L]. */
static void add_side(const double *J, double f, const double *L, const double *v, double *W, double *q) {
  double rows[3][6];
  for (size_t i = 0; i < 3; i++) {
    const double *row = J + 6 * i, *K = row + 3;
    for (size_t j = 0; j < 3; j++) rows[i][j] = row[j] * f;
    rows[i][3] = K[0] * L[0] + K[1] * L[1] + K[2] * L[3];
    rows[i][4] = K[1] * L[2] + K[2] * L[4];
    rows[i][5] = K[2] * L[5];
    for (size_t j = 0; j < 6; j++) q[i] += row[j] * v[j];
    for (size_t j = 0; j <= i; j++) {
      double sum = 0;
      for (size_t c = 0; c < 6; c++) sum += rows[i][c] * rows[j][c];
      W[3 * j + i] += sum;
    }
  }
}

/* What one contact adds to its group. */
typedef struct lane_contact {
  double W[9], q[3];
  double geometry[36];
} lane_contact;

/* E, levers, W and q of contact k; false when it has no frame. */
static bool describe_frame(const thud_two_block_sweep *sweep, const thud_two_block *bodies, size_t k,
                           lane_contact *made) {
  const thud_index given[2] = {bodies->body_a[k], bodies->body_b[k]};
  const double *const J[2] = {bodies->jacobian_a + 18 * k, bodies->jacobian_b + 18 * k};
  double *E = made->geometry, *lever = made->geometry + 9;
  memset(made, 0, sizeof *made - sizeof made->geometry);
  memset(made->geometry, 0, 15 * sizeof(double));
  for (size_t i = 0; i < 3; i++) made->q[i] = bodies->w != NULL ? bodies->w[3 * k + i] : 0;
  for (size_t side = 2; side-- > 0;) { /* E is that of a, unless only b moves */
    double sign = side == 0 ? 1 : -1;
    if (sweep->body[side * sweep->contacts + k] < 0) continue;
    for (size_t i = 0; i < 9; i++) E[i] = sign * J[side][6 * (i / 3) + i % 3];
  }
  for (size_t side = 0; side < 2; side++) {
    if (given[side] < 0) continue;
    bool moves = sweep->body[side * sweep->contacts + k] >= 0;
    if (moves && !find_lever(J[side], side == 0 ? 1 : -1, E, lever + 3 * side)) return false;
    size_t line = (size_t)given[side] * STRIDE;
    double s = sweep->z[line + 7];
    const double sphere[6] = {s, 0, s, 0, 0, s};
    add_side(J[side], sweep->z[line + 6],
             sweep->lanes.kinematics == THUD_LANES_SPHERES ? sphere : sweep->lanes.inertia + line,
             bodies->free_velocity + 6 * (size_t)given[side], made->W, made->q);
  }
  made->W[3] = made->W[1];
  made->W[6] = made->W[2];
  made->W[7] = made->W[5];
  return true;
}

static void describe_general(const thud_two_block_sweep *sweep, const thud_two_block *bodies, size_t k,
                             lane_contact *made) {
  thud_two_block_project(sweep, bodies, k, made->geometry, made->q);
  thud_two_block_diagonal(3, sweep->n, made->geometry, made->W);
}

static bool fill_lane(const thud_two_block_sweep *sweep, const thud_two_block *bodies, thud_lane_group *group,
                      size_t lane, size_t k) {
  lane_contact made;
  thud_space_block block;
  double mu = 0;
  if (sweep->lanes.kinematics == THUD_LANES_GENERAL)
    describe_general(sweep, bodies, k, &made);
  else if (!describe_frame(sweep, bodies, k, &made))
    return false;
  thud_contact_discs_at(&sweep->discs, k, &mu);
  thud_space_prepare(made.W, mu, &block);
  for (size_t side = 0; side < 2; side++) {
    thud_index body = sweep->body[side * sweep->contacts + k];
    if (body >= 0) group->body[side][lane] = body;
  }
  for (size_t i = 0; i < 3; i++) group->q[i][lane] = made.q[i];
  group->inverse_normal[lane] = block.inverse_normal;
  group->k1[lane] = block.k1;
  group->k2[lane] = block.k2;
  group->s11[lane] = block.s11;
  group->s12[lane] = block.s12;
  group->s22[lane] = block.s22;
  group->mu[lane] = mu;
  size_t geometry = (sweep->lanes.stride - sizeof(thud_lane_group) / sizeof(double)) / THUD_LANES;
  for (size_t i = 0; i < geometry; i++) group->geometry[i][lane] = made.geometry[i];
  return true;
}

static bool fill_group(const thud_two_block_sweep *sweep, const thud_two_block *bodies, size_t at) {
  const thud_lanes *lanes = &sweep->lanes;
  thud_lane_group *group = thud_lanes_group(lanes, at);
  memset(group, 0, lanes->stride * sizeof(double));
  for (size_t lane = 0; lane < THUD_LANES; lane++) {
    thud_index k = lanes->contact[at * THUD_LANES + lane];
    for (size_t side = 0; side < 2; side++) group->body[side][lane] = (thud_index)sweep->bodies;
    if (k >= 0 && !fill_lane(sweep, bodies, group, lane, (size_t)k)) return false;
  }
  return true;
}

typedef struct lane_filling {
  const thud_two_block_sweep *sweep;
  const thud_two_block *bodies;
  atomic_bool failed; /* a contact without a frame */
} lane_filling;

static void fill_task(void *user, size_t task) {
  lane_filling *filling = user;
  size_t end = (task + 1) * CHUNK, groups = filling->sweep->lanes.groups;
  for (size_t at = task * CHUNK; at < end && at < groups; at++) {
    if (atomic_load_explicit(&filling->failed, memory_order_relaxed)) return;
    if (!fill_group(filling->sweep, filling->bodies, at))
      atomic_store_explicit(&filling->failed, true, memory_order_relaxed);
  }
}

/* False when there is a contact without a frame. */
static bool fill(thud_two_block_sweep *sweep, const thud_two_block *bodies) {
  lane_filling filling = {.sweep = sweep, .bodies = bodies};
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

static bool has_avx2(const thud_two_block_sweep *sweep) {
#ifdef __x86_64__
  return !sweep->choice.plain && __builtin_cpu_supports("avx2");
#else
  (void)sweep;
  return false;
#endif
}

void thud_lanes_load(thud_two_block_sweep *sweep, const double *r) {
  thud_lanes *lanes = &sweep->lanes;
  for (size_t at = 0; at < lanes->groups; at++) {
    thud_lane_group *group = thud_lanes_group(lanes, at);
    for (size_t lane = 0; lane < THUD_LANES; lane++) {
      thud_index k = lanes->contact[at * THUD_LANES + lane];
      for (size_t i = 0; i < 3 && k >= 0; i++) group->r[i][lane] = r[3 * (size_t)k + i];
    }
  }
  thud_lanes_push_fn *push = thud_lanes_push_plain;
#ifdef __x86_64__
  if (has_avx2(sweep)) push = thud_lanes_push_avx2;
#endif
  push(lanes, 0, lanes->groups);
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
  thud_lanes_visit_fn *visit = thud_lanes_visit_plain;
#ifdef __x86_64__
  if (has_avx2(sweep)) visit = thud_lanes_visit_avx2;
#endif
  visit(&sweep->lanes, sweep->options, first, end, result);
}
