/* The state of a motion of bodies: one block without pointers, so that a checkpoint is a copy. */
#include "motions/bodies/body_motion.h"

#include <math.h>
#include <string.h>

static const double SAME_STEP = 1e-9; /* lengths of steps differ by rounding only */

enum { STATE_ALIGNMENT = 16 };

/* Takes room for count elements off the block that begins at `base` (NULL: only counts). */
static void *take(unsigned char *base, size_t *used, size_t count, size_t size) {
  size_t bytes = (count * size + STATE_ALIGNMENT - 1) / STATE_ALIGNMENT * STATE_ALIGNMENT, at = *used;
  *used += bytes;
  return base != NULL ? base + at : NULL;
}

/* Points the arrays into the block, or measures it. */
static size_t lay_out(body_state *state, size_t n, size_t parts) {
  unsigned char *base = state->block;
  size_t used = 0;
  state->now = take(base, &used, 1, sizeof(body_scalars));
  state->pose = take(base, &used, n, sizeof(thud_pose));
  thud_vec3 **vectors[] = {&state->velocity,  &state->spin, &state->velocity_left,
                           &state->spin_left, &state->lift, &state->turn};
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) *vectors[k] = take(base, &used, n, sizeof(thud_vec3));
  state->rest = take(base, &used, n, sizeof(double));
  bool **flags[] = {&state->asleep, &state->absent, &state->removed};
  for (size_t k = 0; k < sizeof flags / sizeof *flags; k++) *flags[k] = take(base, &used, n, sizeof(bool));
  for (int k = 0; k < 2; k++) state->pushed[k] = take(base, &used, n, sizeof(body_pushes));
  state->material = take(base, &used, parts, sizeof(thud_index));
  state->owner = take(base, &used, parts, sizeof(thud_index));
  state->carry = take(base, &used, state->carry_capacity, sizeof(body_carry));
  return used;
}

thud_error thud_body_state_create(body_motion *motion) {
  const thud_bodies_view *model = &motion->model;
  body_state *state = &motion->state;
  size_t n = (size_t)model->count, parts = (size_t)model->part_count;
  state->body_count = model->count;
  state->part_count = model->part_count;
  state->carry_capacity = 64 + n * (size_t)motion->options.contacts_per_body;
  if (state->carry_capacity > SIZE_MAX / 2 / (sizeof(body_carry) + 1))
    return thud_fail(motion->base.context, THUD_ERROR_MEMORY, "warm starts of %zu contacts do not fit into memory",
                     state->carry_capacity);
  state->size = lay_out(state, n, parts);
  state->block = thud_alloc(motion->base.context, 1, state->size);
  if (state->block == NULL) return THUD_ERROR_MEMORY;
  lay_out(state, n, parts);
  for (size_t i = 0; i < n; i++) {
    state->pose[i] = model->pose[i];
    state->velocity[i] = state->velocity_left[i] = model->velocity[i];
    state->spin[i] = state->spin_left[i] = model->spin[i];
    state->absent[i] = model->def[i].absent;
    if (state->absent[i])
      state->velocity[i] = state->velocity_left[i] = state->spin[i] = state->spin_left[i] = (thud_vec3){0};
  }
  for (size_t p = 0; p < parts; p++) {
    state->material[p] = model->part_material[p];
    state->owner[p] = model->part_body[p];
  }
  return THUD_OK;
}

/* ---- snapshots ------------------------------------------------------------------------------------------------------ */

size_t thud_bodies_state_size(const thud_motion *motion) { return ((const body_motion *)motion)->state.size; }

void thud_bodies_save(const thud_motion *motion, void *state) {
  const body_motion *own = (const body_motion *)motion;
  memcpy(state, own->state.block, own->state.size);
}

thud_error thud_bodies_restore(thud_motion *base, const void *state, size_t size) {
  body_motion *motion = (body_motion *)base;
  thud_error error = thud_bodies_follow_model(motion);
  if (error != THUD_OK) return error;
  if (size != motion->state.size)
    return thud_fail(motion->base.context, THUD_ERROR_FORMAT,
                     "a state of %zu bytes is not one of this motion, which has %zu: it is of another scene or version",
                     size, motion->state.size);
  body_scalars saved;
  memcpy(&saved, state, sizeof saved);
  if (saved.steps > 0 && !(fabs(saved.step - motion->h) <= SAME_STEP * motion->h))
    return thud_fail(
        motion->base.context, THUD_ERROR_ARGUMENT,
        "the saved state was reached by steps of %.10g, not of %.10g: choose an end that is a whole number "
        "of those after the start",
        saved.step, motion->h);
  memcpy(motion->state.block, state, size);
  motion->is_held = false;
  if (saved.info.status == THUD_MOTION_COMPLETED && saved.steps < motion->options.steps)
    motion->state.now->info.status = THUD_MOTION_RUNNING; /* of a motion with an earlier end */
  for (thud_index i = 0; i < motion->model.count; i++)
    motion->moves[i] = motion->model.role[i] == THUD_BODY_DYNAMIC && thud_bodies_is_there(motion, i);
  motion->contacts.count = 0; /* the contacts of the last step are not part of the state */
  motion->problem.island_count = 0;
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
