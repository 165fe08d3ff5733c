/* Motions of rigid bodies as objects: options, arrays, the state and its checkpoints, creation and end. The step is in
 * body_step.c. */
#include "motions/bodies/body_motion.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

/* ---- options --------------------------------------------------------------------------------------------------------- */

#define FIELD(name) offsetof(thud_body_motion_options, name)

static const char *const law_names[] = {"canonical", "newton", "sequential", "lzb", NULL};
static const char *const gain_names[] = {"reduce_e", "refuse", "allow", NULL};

static const thud_option_key option_keys[] = {
    {"start", THUD_OPTION_REAL, FIELD(start), 0, -DBL_MAX, DBL_MAX, false, NULL, "s", "initial time"},
    {"end", THUD_OPTION_REAL, FIELD(end), 1, -DBL_MAX, DBL_MAX, false, NULL, "s", "final time"},
    {"steps", THUD_OPTION_INT, FIELD(steps), 1000, 1, 2147483647, false, NULL, "1", "number of equal steps"},
    {"tolerance", THUD_OPTION_REAL, FIELD(tolerance), 1e-8, 0, 1, true, NULL, "1",
     "accepted residual of every island in every step, relative to its free relative velocities"},
    {"penetration", THUD_OPTION_REAL, FIELD(penetration), 1e-4, 0, 1, true, NULL, "1",
     "overlap that is left alone, relative to the thickness of the thinner shape"},
    {"predicted", THUD_OPTION_BOOL, FIELD(predicted), 1, 0, 1, false, NULL, "1",
     "contacts without restitution act before they close, wherever a step could close them, so that they close without "
     "overlap"},
    {"continuous", THUD_OPTION_BOOL, FIELD(continuous), 1, 0, 1, false, NULL, "1",
     "fast bodies do not pass through thin ones between two steps; impacts of two bodies with restitution act where "
     "they "
     "meet, before and behind the midpoint"},
    {"gyroscopic", THUD_OPTION_BOOL, FIELD(gyroscopic), 1, 0, 1, false, NULL, "1", "torques of Euler's equations"},
    {"relax", THUD_OPTION_BOOL, FIELD(relax), 0, 0, 1, false, NULL, "1",
     "an interpenetrating start is moved apart instead of refused"},
    {"sleep", THUD_OPTION_BOOL, FIELD(sleep), 0, 0, 1, false, NULL, "1",
     "islands at rest stop, and wake within the step in which their impulses do not hold them any more"},
    {"sleep_speed", THUD_OPTION_REAL, FIELD(sleep_speed), 1e-3, 0, DBL_MAX, true, NULL, "m/s",
     "a body slower than this is at rest (also the speed of its farthest point about its centre); the default is "
     "converted to the scene's units"},
    {"sleep_time", THUD_OPTION_REAL, FIELD(sleep_time), 0.5, 0, DBL_MAX, true, NULL, "s",
     "time at rest after which an island falls asleep; the default is converted to the scene's units"},
    {"impact_velocity", THUD_OPTION_REAL, FIELD(impact_velocity), 0, 0, DBL_MAX, false, NULL, "m/s",
     "contacts approached faster than this are impacts and rebound with their restitution; 0: twice what gravity gives "
     "in a step"},
    {"impact_law", THUD_OPTION_CHOICE, FIELD(impact_law), THUD_IMPACT_NEWTON, 0, 0, false, law_names, "",
     "law of multiple impacts (docs/impact-laws.md)"},
    {"on_energy_gain", THUD_OPTION_CHOICE, FIELD(on_energy_gain), THUD_GAIN_REDUCE_E, 0, 0, false, gain_names, "",
     "what to do where restitution and friction together would create energy in an island"},
    {"energy_tolerance", THUD_OPTION_REAL, FIELD(energy_tolerance), 1e-9, 0, 1, false, NULL, "1",
     "energy that an island may gain at its contacts, relative to the kinetic energy of its bodies"},
    {"contacts_per_body", THUD_OPTION_INT, FIELD(contacts_per_body), 16, 1, 100000, false, NULL, "1",
     "room for warm starts: impulses of contacts beyond it are not remembered"},
    {"blow_up", THUD_OPTION_REAL, FIELD(blow_up), 1e6, 1, DBL_MAX, false, NULL, "1",
     "the motion ends when a speed exceeds this times those of the start and what the forces give over the run"},
};

static const thud_option_part option_parts[] = {{offsetof(thud_body_motion_options, solver), thud_solver_option_table}};
static const thud_option_table option_table = {.name = "motion of bodies",
                                               .struct_size = sizeof(thud_body_motion_options),
                                               .keys = option_keys,
                                               .count = sizeof option_keys / sizeof *option_keys,
                                               .parts = option_parts,
                                               .part_count = 1};

const thud_option_table *thud_body_motion_option_table(void) { return &option_table; }

/* ---- arrays that grow together and end together ---------------------------------------------------------------------- */

thud_error thud_bodies_grow(thud_context *context, size_t count, const body_array *arrays, size_t *capacity,
                            size_t needed) {
  size_t grown = *capacity;
  if (needed <= *capacity) return THUD_OK;
  for (size_t k = 0; k < count; k++) {
    grown = *capacity;
    thud_error error = thud_array_reserve(context, arrays[k].array, &grown, needed, arrays[k].size);
    if (error != THUD_OK) return error;
  }
  *capacity = grown;
  return THUD_OK;
}

void thud_bodies_release(thud_context *context, size_t count, const body_array *arrays) {
  for (size_t k = 0; k < count; k++) {
    void *data; /* copied by bytes: reading a T * through a void ** would break the aliasing rules */
    memcpy(&data, arrays[k].array, sizeof data);
    thud_free(context, data);
  }
}

/* ---- the state: one block without pointers, so that a checkpoint is a copy ------------------------------------------- */

static const double SAME_STEP = 1e-9; /* lengths of steps differ by rounding only */

enum { STATE_ALIGNMENT = 16 };

/* Takes room for count elements off the block that begins at `base` (NULL: only counts). */
static void *take(unsigned char *base, size_t *used, size_t count, size_t size) {
  size_t bytes = (count * size + STATE_ALIGNMENT - 1) / STATE_ALIGNMENT * STATE_ALIGNMENT, at = *used;
  *used += bytes;
  return base != NULL ? base + at : NULL;
}

/* Points the arrays into the block, or measures it. */
static size_t lay_out(body_state *state, size_t n, size_t parts, size_t joints) {
  unsigned char *base = state->block;
  size_t used = 0;
  state->now = take(base, &used, 1, sizeof(body_scalars));
  state->pose = take(base, &used, n, sizeof(thud_pose));
  thud_vec3 **vectors[] = {&state->velocity,  &state->spin, &state->velocity_left,
                           &state->spin_left, &state->lift, &state->turn};
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) *vectors[k] = take(base, &used, n, sizeof(thud_vec3));
  state->rest = take(base, &used, n, sizeof(double));
  bool **flags[] = {&state->asleep, &state->absent, &state->removed, &state->jolted};
  for (size_t k = 0; k < sizeof flags / sizeof *flags; k++) *flags[k] = take(base, &used, n, sizeof(bool));
  for (int k = 0; k < 2; k++) state->pushed[k] = take(base, &used, n, sizeof(body_pushes));
  state->material = take(base, &used, parts, sizeof(thud_index));
  state->owner = take(base, &used, parts, sizeof(thud_index));
  state->rate = take(base, &used, THUD_JOINT_ROWS * joints, sizeof *state->rate);
  state->usual = take(base, &used, joints, sizeof *state->usual);
  state->coordinate = take(base, &used, THUD_JOINT_LAWS * joints, sizeof *state->coordinate);
  state->law_impulse = take(base, &used, (size_t)THUD_JOINT_LAWS * BODY_LAW_KINDS * joints, sizeof *state->law_impulse);
  state->counted = take(base, &used, 2 * joints, sizeof *state->counted);
  state->origin = take(base, &used, 2 * joints, sizeof *state->origin);
  state->begun = take(base, &used, joints, sizeof *state->begun);
  state->off = take(base, &used, joints, sizeof *state->off);
  state->serial = take(base, &used, joints, sizeof *state->serial);
  state->motor = take(base, &used, THUD_JOINT_LAWS * joints, sizeof *state->motor);
  state->out = take(base, &used, joints, sizeof *state->out);
  state->carry = take(base, &used, state->carry_capacity, sizeof(body_carry));
  return used;
}

thud_error thud_body_state_create(body_motion *motion) {
  const thud_bodies_view *model = &motion->model;
  body_state *state = &motion->state;
  size_t n = (size_t)model->count, parts = (size_t)model->part_count, joints = (size_t)model->joint_count;
  state->joint_count = model->joint_count;
  state->body_count = model->count;
  state->part_count = model->part_count;
  state->carry_capacity = 64 + n * (size_t)motion->options.contacts_per_body;
  if (state->carry_capacity > SIZE_MAX / 2 / (sizeof(body_carry) + 1))
    return thud_fail(motion->base.context, THUD_ERROR_MEMORY, "warm starts of %zu contacts do not fit into memory",
                     state->carry_capacity);
  state->size = lay_out(state, n, parts, joints);
  state->block = thud_alloc(motion->base.context, 1, state->size);
  if (state->block == NULL) return THUD_ERROR_MEMORY;
  lay_out(state, n, parts, joints);
  for (size_t i = 0; i < n; i++) {
    state->pose[i] = model->pose[i];
    state->velocity[i] = state->velocity_left[i] = model->velocity[i];
    state->spin[i] = state->spin_left[i] = model->spin[i];
    state->absent[i] = model->def[i].absent;
    if (state->absent[i])
      state->velocity[i] = state->velocity_left[i] = state->spin[i] = state->spin_left[i] = (thud_vec3){0};
  }
  for (size_t k = 0; k < joints; k++) {
    const char *name = model->joints[k].name;
    state->off[k] = model->joints[k].absent;
    state->serial[k] = (int64_t)thud_names_find(&motion->bodies->joint_names, name, strlen(name));
    for (size_t c = 0; c < THUD_JOINT_LAWS; c++) {
      const thud_joint_law *law = &model->joints[k].law[c];
      state->coordinate[k * THUD_JOINT_LAWS + c] = law->start;
      state->motor[k * THUD_JOINT_LAWS + c] = (body_motor){.kind = law->motor, .drives = true, .at_most = law->at_most};
    }
  }
  for (size_t p = 0; p < parts; p++) {
    state->material[p] = model->part_material[p];
    state->owner[p] = model->part_body[p];
  }
  return THUD_OK;
}

/* ---- snapshots ------------------------------------------------------------------------------------------------------ */

static size_t state_size(const thud_motion *motion) { return ((const body_motion *)motion)->state.size; }

static void save(const thud_motion *motion, void *state) {
  const body_motion *own = (const body_motion *)motion;
  memcpy(state, own->state.block, own->state.size);
}

static const char *find_fault_of_scalars(const body_motion *motion, const body_scalars *now) {
  const thud_body_motion_options *options = &motion->options;
  const thud_body_motion_info *info = &now->info;
  const thud_index named[] = {now->penetration_a,        now->penetration_b,        info->worst_a,   info->worst_b,
                              info->worst_penetration_a, info->worst_penetration_b, info->passing_a, info->passing_b};
  thud_index materials = motion->model.material_count;
  for (size_t k = 0; k < sizeof named / sizeof *named; k++)
    if (!thud_state_has_index(named[k], motion->model.count)) return "a body";
  if (now->steps < 0 || now->steps > (int64_t)options->steps) return "a number of steps";
  if (!thud_state_has_time(now->t, options->start, options->end)) return "a time";
  if (!thud_state_has_status(info->status)) return "a status";
  if (now->carry_count < 0 || (uint64_t)now->carry_count > motion->state.carry_capacity) return "a number of contacts";
  if (now->begun < 0 || now->begun > 1) return "flags";
  if (now->once < 0 || now->lasting < 0) return "a number of forces";
  if (!isfinite(info->joint_loss)) return "an energy";
  if (now->pair_count < 0 || now->pair_count > THUD_BODY_PAIRS_CHANGED) return "a number of laws";
  for (int64_t k = 0; k < now->pair_count; k++)
    if (!thud_state_has_index(now->pairs[k].first, materials) || !thud_state_has_index(now->pairs[k].second, materials))
      return "a material";
  return NULL;
}

static bool has_carries(const body_state *state, size_t count) {
  for (size_t k = 0; k < count; k++) {
    const body_carry *x = &state->carry[k];
    if (x->part_a < 0 || x->part_b < 0 || x->part_a >= state->part_count || x->part_b >= state->part_count)
      return false;
    if (x->acted > 1) return false;
  }
  return true;
}

/* Motors that a change could have made of those of the model, and joints that are those of the model. */
static bool has_motors(const body_motion *motion, const body_state *state) {
  for (thud_index k = 0; k < state->joint_count; k++) {
    if (state->serial[k] != motion->state.serial[k]) return false;
    for (int c = 0; c < THUD_JOINT_LAWS; c++) {
      const body_motor *motor = &state->motor[(size_t)k * THUD_JOINT_LAWS + (size_t)c];
      const thud_joint_law *law = &motion->model.joints[k].law[c];
      if (motor->kind < THUD_JOINT_MOTOR_NONE || motor->kind > THUD_JOINT_MOTOR_POSITION) return false;
      if (motor->drives < 0 || motor->drives > 1 || (motor->drives && motor->kind != law->motor)) return false;
      if (!(motor->at_most >= 0) || !isfinite(motor->at_most) || !isfinite(motor->target)) return false;
    }
  }
  return true;
}

/* The arrays of a block that has been laid out. */
static const char *find_fault_of_arrays(const body_motion *motion, const body_state *state) {
  size_t n = (size_t)motion->model.count, parts = (size_t)motion->model.part_count;
  const bool *const flags[] = {state->asleep, state->absent, state->removed, state->jolted};
  const thud_vec3 *const vectors[] = {state->velocity,  state->spin, state->velocity_left,
                                      state->spin_left, state->lift, state->turn};
  for (size_t k = 0; k < sizeof flags / sizeof *flags; k++)
    if (!thud_state_has_flags(flags[k], n)) return "flags of bodies";
  if (!thud_state_is_finite(n * sizeof(thud_pose) / sizeof(double), state->pose)) return "a position";
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
    if (!thud_state_is_finite(n * sizeof(thud_vec3) / sizeof(double), vectors[k])) return "a velocity";
  if (!thud_state_is_finite(THUD_JOINT_ROWS * (size_t)state->joint_count, state->rate)) return "rates of joints";
  if (!thud_state_is_finite((size_t)state->joint_count, state->usual)) return "rates of joints";
  if (!thud_state_is_finite(THUD_JOINT_LAWS * (size_t)state->joint_count, state->coordinate) ||
      !thud_state_is_finite((size_t)THUD_JOINT_LAWS * BODY_LAW_KINDS * (size_t)state->joint_count, state->law_impulse))
    return "coordinates of joints";
  if (!thud_state_is_finite(2 * (size_t)state->joint_count, state->counted) ||
      !thud_state_is_finite(2 * (size_t)state->joint_count, state->origin))
    return "turns of joints";
  if (!thud_state_has_flags(state->begun, (size_t)state->joint_count) ||
      !thud_state_has_flags(state->off, (size_t)state->joint_count))
    return "flags of joints";
  if (!has_motors(motion, state)) return "motors of joints";
  for (thud_index k = 0; k < state->joint_count; k++) {
    if (state->usual[k] < 0) return "rates of joints";
    if (!thud_bodies_joint_has_rows(motion, k, state->out[k])) return "rows of joints";
  }
  for (size_t p = 0; p < parts; p++) {
    if (!thud_state_has_index(state->material[p], motion->model.material_count)) return "a material";
    if (state->owner[p] != motion->model.part_body[p]) return "parts";
  }
  return has_carries(state, (size_t)state->now->carry_count) ? NULL : "contacts";
}

/* What of the block cannot be the state of the motion; NULL: nothing. */
static thud_error find_fault(const body_motion *motion, const void *block, const char **fault) {
  body_state given = motion->state;
  *fault = NULL;
  given.block = thud_alloc(motion->base.context, 1, given.size); /* aligned */
  if (given.block == NULL) return THUD_ERROR_MEMORY;
  memcpy(given.block, block, given.size);
  lay_out(&given, (size_t)given.body_count, (size_t)given.part_count, (size_t)given.joint_count);
  *fault = find_fault_of_scalars(motion, given.now);
  if (*fault == NULL) *fault = find_fault_of_arrays(motion, &given);
  thud_free(motion->base.context, given.block);
  return THUD_OK;
}

static thud_error restore(thud_motion *base, const void *state, size_t size) {
  body_motion *motion = (body_motion *)base;
  thud_error error = thud_bodies_follow_model(motion);
  if (error != THUD_OK) return error;
  if (size != motion->state.size)
    return thud_fail(motion->base.context, THUD_ERROR_FORMAT,
                     "[state-of-another-run] a state of %zu bytes is not one of this motion, which has %zu: it is of "
                     "another scene or version",
                     size, motion->state.size);
  body_scalars saved;
  memcpy(&saved, state, sizeof saved);
  if (saved.steps > 0 && !(fabs(saved.step - motion->h) <= SAME_STEP * motion->h))
    return thud_fail(motion->base.context, THUD_ERROR_ARGUMENT,
                     "[state-of-another-run] the saved state was reached by steps of %.10g, not of %.10g: choose an "
                     "end that is a whole number "
                     "of those after the start",
                     saved.step, motion->h);
  const char *fault;
  error = find_fault(motion, state, &fault);
  if (error == THUD_OK && fault != NULL) error = thud_motion_refuse_state(base, fault);
  if (error != THUD_OK) return error;
  memcpy(motion->state.block, state, size);
  motion->is_held = false;
  thud_bodies_list_joined(motion);
  if (saved.info.status == THUD_MOTION_COMPLETED && saved.steps < motion->options.steps)
    motion->state.now->info.status = THUD_MOTION_RUNNING; /* of a motion with an earlier end */
  for (thud_index i = 0; i < motion->model.count; i++)
    motion->moves[i] = motion->model.role[i] == THUD_BODY_DYNAMIC && thud_bodies_is_there(motion, i);
  motion->contacts.count = 0; /* the contacts of the last step are not part of the state */
  motion->problem.island_count = motion->problem.with_contacts = 0;
  motion->worst_contact = -1;
  motion->method = "none";
  return THUD_OK;
}

/* FNV-1a over eight bytes at a time. */
static uint64_t mix(uint64_t hash, const void *bytes, size_t count) {
  const unsigned char *at = bytes;
  for (size_t k = 0; k + 8 <= count; k += 8) {
    uint64_t word;
    memcpy(&word, at + k, 8);
    hash = (hash ^ word) * UINT64_C(1099511628211);
    hash ^= hash >> 29;
  }
  return hash;
}

uint64_t thud_body_motion_hash(const thud_motion *motion) {
  THUD_MOTION_OF_OR(0, motion, &thud_body_motion_type);
  const body_motion *own = (const body_motion *)motion;
  const body_state *state = &own->state;
  size_t n = (size_t)own->model.count;
  uint64_t hash = UINT64_C(14695981039346656037);
  hash = mix(hash, &state->now->t, sizeof(double));
  hash = mix(hash, state->pose, n * sizeof *state->pose);
  hash = mix(hash, state->velocity, n * sizeof *state->velocity);
  return mix(hash, state->spin, n * sizeof *state->spin);
}

/* ---- what the model asks for ------------------------------------------------------------------------------------------- */

thud_index thud_bodies_find_dimension(const body_motion *motion) {
  const thud_bodies_view *model = &motion->model;
  bool rolls = false, spins = false;
  for (thud_index i = -1; i < model->material_count; i++)
    for (thud_index j = i; j < model->material_count; j++) {
      thud_surface_law law = thud_bodies_pair_law(motion->bodies, i, j, NULL);
      rolls = rolls || law.rolling > 0;
      spins = spins || law.spinning > 0;
    }
  if (model->planar) return rolls ? 3 : 2;
  return rolls && spins ? 6 : rolls ? 5 : spins ? 4 : 3;
}

/* Inertia is a multiple of 1: it does not turn with the body. */
static bool is_isotropic(thud_mat3 I) {
  return I.cx.x == I.cy.y && I.cy.y == I.cz.z && I.cx.y == 0 && I.cx.z == 0 && I.cy.x == 0 && I.cy.z == 0 &&
         I.cz.x == 0 && I.cz.y == 0;
}

/* An array whose length the model gives. */
typedef struct fixed_array {
  void *array;
  size_t count, size;
} fixed_array;
enum { FIXED_ARRAYS = 54 };

static void list_arrays(body_motion *motion, fixed_array *list) {
  size_t n = (size_t)motion->model.count, parts = (size_t)motion->model.part_count;
  size_t block = (size_t)motion->problem.block;
  body_problem *p = &motion->problem;
  body_overlaps *o = &motion->overlaps;
  body_implicit *m = &motion->implicit;
  body_joints *j = &motion->joints;
  size_t springs = (size_t)motion->model.spring_count, joints = (size_t)motion->model.joint_count;
  const fixed_array arrays[FIXED_ARRAYS] = {
      {&motion->ids, n, sizeof(thud_body_id)},
      {&motion->part_pose, parts, sizeof(thud_pose)},
      {&motion->boxes, parts, sizeof(thud_bounds)},
      {&motion->still, parts, sizeof(bool)},
      {&motion->velocity_free, n, sizeof(thud_vec3)},
      {&motion->spin_free, n, sizeof(thud_vec3)},
      {&motion->path_left, n, sizeof(thud_vec3)},
      {&motion->path_end, n, sizeof(thud_vec3)},
      {&motion->inverse_inertia, n, sizeof(thud_mat3)},
      {&motion->force, n, sizeof(thud_vec3)},
      {&motion->torque, n, sizeof(thud_vec3)},
      {&motion->isotropic, n, sizeof(bool)},
      {&motion->moves, n, sizeof(bool)},
      {&motion->woken, n, sizeof(bool)},
      {&motion->next, motion->state.carry_capacity, sizeof(body_carry)},
      {&p->parent, n, sizeof(thud_index)},
      {&p->number, n, sizeof(thud_index)},
      {&p->body, n, sizeof(thud_index)},
      {&p->inverse_mass, n, block * block * sizeof(double)},
      {&p->free_velocity, n, block * sizeof(double)},
      {&p->group_mass, n, block * block * sizeof(double)},
      {&p->group_velocity, n, block * sizeof(double)},
      {&m->soft, n, sizeof(bool)},
      {&m->response, n, block * block * sizeof(double)},
      {&m->load, n, block * sizeof(double)},
      {&m->kappa, n, sizeof(double)},
      {&m->zeta, n, sizeof(double)},
      {&m->elastic, n, sizeof(thud_vec3)},
      {&m->elastic_torque, n, sizeof(thud_vec3)},
      {&m->stiff_torque, n, sizeof(thud_vec3)},
      {&m->cluster, n, sizeof(thud_index)},
      {&m->parent, n, sizeof(thud_index)},
      {&m->first_row, n, sizeof(size_t)},
      {&p->map, 6, sizeof(double)},
      {&o->shift, n, sizeof(thud_vec3)},
      {&o->twist, n, sizeof(thud_vec3)},
      {&m->own, n, sizeof(bool)},
      {&j->order, springs + joints, sizeof(thud_index)},
      {&j->apart, joints, sizeof(thud_index_pair)},
      {&j->row, THUD_JOINT_ROWS * joints, sizeof(thud_joint_row)},
      {&j->row_count, joints, sizeof(unsigned char)},
      {&j->rate, THUD_JOINT_ROWS * joints, sizeof(double)},
      {&j->settles, joints, sizeof(body_settling)},
      {&j->open, joints, sizeof(double)},
      {&j->force, joints, sizeof(thud_vec3)},
      {&j->moment, joints, sizeof(thud_vec3)},
      {&j->answer_force, joints, sizeof(thud_vec3)},
      {&j->answer_moment, joints, sizeof(thud_vec3)},
      {&j->turned, n, sizeof(thud_vec3)},
      {&j->torque, n, sizeof(thud_vec3)},
      {&j->beyond, THUD_JOINT_LAWS * joints, sizeof(thud_joint_row)},
      {&j->is_beyond, THUD_JOINT_LAWS * joints, sizeof(bool)},
      {&motion->laws.spring, THUD_JOINT_LAWS * joints, sizeof(double)},
      {&motion->laws.shown, THUD_JOINT_LAWS * joints, sizeof(thud_body_coordinate)}};
  for (size_t k = 0; k < FIXED_ARRAYS; k++) list[k] = arrays[k];
}

static void release(body_motion *motion) {
  fixed_array arrays[FIXED_ARRAYS];
  list_arrays(motion, arrays);
  for (size_t k = 0; k < FIXED_ARRAYS; k++) {
    const body_array one = {arrays[k].array, arrays[k].size};
    thud_bodies_release(motion->base.context, 1, &one);
  }
}

thud_error thud_bodies_allocate(body_motion *motion) {
  fixed_array arrays[FIXED_ARRAYS];
  void *made[FIXED_ARRAYS];
  size_t count = 0;
  list_arrays(motion, arrays);
  for (; count < FIXED_ARRAYS; count++)
    if ((made[count] = thud_alloc(motion->base.context, arrays[count].count, arrays[count].size)) == NULL) break;
  if (count < FIXED_ARRAYS) {
    while (count > 0) thud_free(motion->base.context, made[--count]);
    return THUD_ERROR_MEMORY;
  }
  release(motion);
  for (size_t k = 0; k < FIXED_ARRAYS; k++) memcpy(arrays[k].array, &made[k], sizeof made[k]);
  return THUD_OK;
}

/* ---- the start ----------------------------------------------------------------------------------------------------------- */

static void start_info(body_motion *motion) {
  body_scalars *now = motion->state.now;
  now->t = now->info.time = motion->options.start;
  now->penetration_a = now->penetration_b = -1;
  now->info.worst_a = now->info.worst_b = -1;
  now->info.worst_penetration_a = now->info.worst_penetration_b = -1;
  motion->worst_contact = -1;
  motion->method = "none";
}

/* A speed that is usual: of the start, of what gravity gives over the run, of kinematic bodies; 1 when there is none. */
static double find_usual_speed(const body_motion *motion) {
  const body_state *state = &motion->state;
  double most = motion->gravity * (motion->options.end - motion->options.start);
  for (thud_index i = 0; i < motion->model.count; i++) most = fmax(most, thud_vec3_norm(state->velocity[i]));
  return most > 0 ? most : 1;
}

void thud_bodies_note_model(body_motion *motion) {
  const thud_bodies_view *model = &motion->model;
  motion->revision = motion->bodies->revision;
  motion->is_held = false;
  for (thud_index i = 0; i < model->count; i++) {
    motion->ids[i] = thud_bodies_id(motion->bodies, i);
    motion->moves[i] = model->role[i] == THUD_BODY_DYNAMIC && thud_bodies_is_there(motion, i);
    motion->isotropic[i] = is_isotropic(model->inertia[i]);
  }
}

static thud_error start(body_motion *motion) {
  const thud_bodies_view *model = &motion->model;
  body_scalars *now = motion->state.now;
  thud_bodies_note_model(motion);
  start_info(motion);
  thud_error error = thud_bodies_follow_paths(motion, motion->options.start);
  if (error == THUD_OK) error = thud_bodies_check_start(motion);
  if (error == THUD_OK) error = thud_bodies_check_joints(motion);
  if (error != THUD_OK) return error;
  thud_bodies_show_coordinates(motion);
  for (thud_index i = 0; i < model->count; i++) {
    motion->state.velocity_left[i] = motion->state.velocity[i];
    motion->state.spin_left[i] = motion->state.spin[i];
  }
  now->usual_speed = find_usual_speed(motion);
  now->ledger.kinetic = thud_bodies_kinetic(motion);
  now->ledger.potential = thud_bodies_potential(motion);
  now->initial_energy = now->ledger.kinetic + now->ledger.potential;
  now->info.projections = 0;
  return THUD_OK;
}

static thud_error check_options(thud_context *context, const thud_body_motion_options *options) {
  if (!(options->end > options->start))
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[bad-span] the end (%g) is not after the start (%g)", options->end,
                     options->start);
  return THUD_OK;
}

static void destroy(thud_motion *base) {
  body_motion *motion = (body_motion *)base;
  thud_broad_phase_destroy(motion->broad_phase);
  thud_broad_phase_destroy(motion->held);
  thud_solver_destroy(motion->solver);
  for (size_t i = 0; i < THUD_BODY_DIRECT; i++) {
    thud_solver_destroy(motion->direct[i]);
    thud_solver_destroy(motion->coupled_direct[i]);
  }
  thud_bodies_free_crew(motion);
  thud_solver_destroy(motion->coupled);
  thud_bodies_free_implicit(motion);
  thud_bodies_free_joint_rows(motion);
  thud_bodies_free_laws(motion);
  thud_bodies_free_impact(motion);
  thud_bodies_free_islands(motion);
  thud_bodies_free_contacts(motion);
  thud_free(motion->base.context, motion->overlaps.list);
  thud_free(motion->base.context, motion->overlaps.pairs);
  release(motion);
  thud_free(motion->base.context, motion->state.block);
  thud_free(motion->base.context, motion);
}

const thud_motion_type thud_body_motion_type = {.name = "body",
                                                .frame_size = sizeof(thud_body_frame),
                                                .info_size = sizeof(thud_body_motion_info),
                                                .step = thud_bodies_step,
                                                .present = thud_bodies_present,
                                                .info = thud_bodies_info,
                                                .state_size = state_size,
                                                .save = save,
                                                .restore = restore,
                                                .destroy = destroy};

thud_error thud_body_motion_create(thud_context *context, thud_bodies *bodies, const thud_body_motion_options *options,
                                   thud_motion **motion) {
  THUD_REQUIRE(context, context, bodies, motion);
  body_motion *made = THUD_NEW(context, body_motion);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->base = (thud_motion){.type = &thud_body_motion_type, .context = context};
  made->bodies = bodies;
  bodies->refused = made->refused = -1;
  thud_error error = thud_options_take(context, thud_body_motion_option_table(), options, &made->options);
  if (error == THUD_OK) error = check_options(context, &made->options);
  if (error == THUD_OK) error = thud_bodies_get(bodies, &made->model);
  if (error == THUD_OK) {
    made->h = (made->options.end - made->options.start) / (double)made->options.steps;
    made->gravity = thud_vec3_norm(made->model.gravity);
    if (made->options.impact_velocity == 0) made->options.impact_velocity = 2 * made->h * made->gravity;
    made->problem.d = thud_bodies_find_dimension(made);
    made->problem.block = made->model.planar ? 3 : 6;
    error = thud_body_state_create(made);
  }
  if (error == THUD_OK) error = thud_bodies_allocate(made);
  if (error == THUD_OK) error = thud_bodies_order_joints(made);
  if (error == THUD_OK) error = thud_bodies_create_impact(made);
  if (error == THUD_OK) error = thud_broad_phase_create(context, &made->broad_phase);
  if (error == THUD_OK) error = start(made);
  if (error != THUD_OK) {
    if (made->refused >= 0) bodies->refused = made->refused;
    destroy(&made->base);
    return error;
  }
  *motion = &made->base;
  return THUD_OK;
}

thud_error thud_body_motion_set_filter(thud_motion *motion, thud_body_filter_fn filter, void *user) {
  THUD_REQUIRE(motion != NULL ? motion->context : NULL, motion);
  THUD_MOTION_OF(motion, &thud_body_motion_type);
  body_motion *own = (body_motion *)motion;
  own->filter = filter;
  own->filter_user = user;
  return THUD_OK;
}
