/* Changes of a running motion: bodies come and go, states are set, impulses and forces applied, laws switched. Every
 * change acts at a node, between two steps, and books the energy that it brings as work. */
#include "geom/triangles.h"
#include "motions/bodies/body_motion.h"

#include <math.h>
#include <string.h>

/* ---- what the rest of the step asks ---------------------------------------------------------------------------------- */

thud_bounds thud_bodies_part_box(const body_motion *motion, thud_index part, double margin) {
  const thud_bodies_view *model = &motion->model;
  const thud_bounds empty = {thud_vec3_make(1, 1, 1), thud_vec3_make(-1, -1, -1)};
  if (!thud_bodies_is_there(motion, model->part_body[part])) return empty;
  return thud_shape_bounds(model->part_shape[part], &motion->part_pose[part], margin);
}

/* Place of a pair among those that have been changed; pair_count: it has not. */
static int64_t find_pair(const body_scalars *now, thud_index first, thud_index second) {
  int64_t k = 0;
  for (; k < now->pair_count; k++) {
    const body_pair_law *pair = &now->pairs[k];
    bool same = pair->first == first && pair->second == second, turned = pair->first == second && pair->second == first;
    if (same || turned) break;
  }
  return k;
}

thud_surface_law thud_bodies_present_law(const body_motion *motion, thud_index p, thud_index q, bool *swapped) {
  const body_scalars *now = motion->state.now;
  thud_index first = motion->state.material[p], second = motion->state.material[q];
  int64_t k = now->pair_count > 0 ? find_pair(now, first, second) : 0;
  if (k == now->pair_count) return thud_bodies_pair_law(motion->bodies, first, second, swapped);
  *swapped = now->pairs[k].law.friction_across >= 0 && now->pairs[k].first != first;
  return now->pairs[k].law;
}

/* sum (R p) x f of the levers p and forces f, from S = sum p f': with A = R S the axial vector of A - A'. */
static thud_vec3 torque_of(const body_pushes *pushes, thud_quat rotation) {
  const thud_mat3 *S = &pushes->levers;
  thud_vec3 x = thud_quat_rotate(rotation, S->cx), y = thud_quat_rotate(rotation, S->cy),
            z = thud_quat_rotate(rotation, S->cz);
  return thud_vec3_add(pushes->torque, thud_vec3_make(z.y - y.z, x.z - z.x, y.x - x.y));
}

void thud_bodies_add_pushes(body_motion *motion) {
  const body_scalars *now = motion->state.now;
  const int64_t counts[2] = {now->once, now->lasting};
  for (int kind = 0; kind < 2; kind++)
    for (thud_index i = 0; i < motion->model.count && counts[kind] > 0; i++) {
      const body_pushes *pushes = &motion->state.pushed[kind][i];
      if (!motion->moves[i]) continue;
      motion->force[i] = thud_vec3_add(motion->force[i], pushes->force);
      motion->torque[i] = thud_vec3_add(motion->torque[i], torque_of(pushes, motion->state.pose[i].rotation));
    }
}

void thud_bodies_end_pushes(body_motion *motion) {
  body_scalars *now = motion->state.now;
  if (now->once == 0) return;
  memset(motion->state.pushed[0], 0, (size_t)motion->model.count * sizeof(body_pushes));
  now->once = 0;
}

/* ---- a model that has changed ------------------------------------------------------------------------------------------ */

/* Number of each old body in the new view (-1: gone), and whether its parts are still the same. */
static thud_error map_bodies(const body_motion *motion, thud_index old_count, const thud_index *old_parts,
                             const thud_bodies_view *model, thud_index *number) {
  for (thud_index i = 0; i < old_count; i++) {
    thud_index k = number[i] = thud_bodies_number(motion->bodies, motion->ids[i]);
    if (k < 0 || model->part_start[k + 1] - model->part_start[k] == old_parts[i + 1] - old_parts[i]) continue;
    return thud_fail(motion->base.context, THUD_ERROR_ARGUMENT,
                     "body '%s' got further parts while it moves; add another body instead", model->name[k]);
  }
  return THUD_OK;
}

static int32_t mapped(const thud_index *number, int32_t body) { return body >= 0 ? number[body] : -1; }

/* Warm starts of contacts whose bodies are both still there; the order of parts stays what it was. */
static void map_carry(const body_state *old, const thud_index *old_parts, const thud_index *old_owner,
                      const thud_index *number, const thud_bodies_view *model, body_state *state) {
  int64_t kept = 0;
  for (int64_t k = 0; k < old->now->carry_count && (size_t)kept < state->carry_capacity; k++) {
    body_carry x = old->carry[k];
    thud_index a = old_owner[x.part_a], b = old_owner[x.part_b];
    if (number[a] < 0 || number[b] < 0) continue;
    x.part_a = model->part_start[number[a]] + (x.part_a - old_parts[a]);
    x.part_b = model->part_start[number[b]] + (x.part_b - old_parts[b]);
    state->carry[kept++] = x;
  }
  state->now->carry_count = kept;
}

/* Everything of the old bodies to their new places; the others are absent. */
static void map_state(const body_state *old, thud_index old_count, const thud_index *old_parts,
                      const thud_index *number, const thud_bodies_view *model, body_state *state) {
  *state->now = *old->now;
  for (thud_index k = 0; k < model->count; k++) {
    state->absent[k] = true;
    state->velocity[k] = state->velocity_left[k] = state->spin[k] = state->spin_left[k] = (thud_vec3){0};
  }
  for (thud_index i = 0; i < old_count; i++) {
    thud_index k = number[i];
    if (k < 0) continue;
    state->pose[k] = old->pose[i];
    const thud_vec3 *from[] = {old->velocity, old->spin, old->velocity_left, old->spin_left, old->lift, old->turn};
    thud_vec3 *to[] = {state->velocity, state->spin, state->velocity_left, state->spin_left, state->lift, state->turn};
    for (size_t v = 0; v < sizeof to / sizeof *to; v++) to[v][k] = from[v][i];
    state->rest[k] = old->rest[i];
    state->asleep[k] = old->asleep[i];
    state->absent[k] = old->absent[i];
    state->removed[k] = old->removed[i];
    state->jolted[k] = old->jolted[i];
    for (int kind = 0; kind < 2; kind++) state->pushed[kind][k] = old->pushed[kind][i];
    for (thud_index p = old_parts[i]; p < old_parts[i + 1]; p++)
      state->material[model->part_start[k] + (p - old_parts[i])] = old->material[p];
  }
  body_scalars *now = state->now;
  now->penetration_a = mapped(number, now->penetration_a);
  now->penetration_b = mapped(number, now->penetration_b);
  thud_index *named[] = {&now->info.worst_a, &now->info.worst_b, &now->info.worst_penetration_a,
                         &now->info.worst_penetration_b};
  for (size_t k = 0; k < sizeof named / sizeof *named; k++) *named[k] = mapped(number, *named[k]);
}

/* The same of joints: a pass over both, since their order stays. */
static void map_joints(const body_state *old, body_state *state) {
  thud_index i = 0;
  for (thud_index k = 0; k < state->joint_count; k++) {
    while (i < old->joint_count && old->serial[i] < state->serial[k]) i++;
    if (i == old->joint_count || old->serial[i] != state->serial[k]) continue;
    const struct {
      void *to;
      const void *from;
      size_t size;
    } parts[] = {
        {state->rate, old->rate, THUD_JOINT_ROWS * sizeof *old->rate},
        {state->usual, old->usual, sizeof *old->usual},
        {state->coordinate, old->coordinate, THUD_JOINT_LAWS * sizeof *old->coordinate},
        {state->law_impulse, old->law_impulse, (size_t)THUD_JOINT_LAWS * BODY_LAW_KINDS * sizeof *old->law_impulse},
        {state->counted, old->counted, 2 * sizeof *old->counted},
        {state->origin, old->origin, 2 * sizeof *old->origin},
        {state->begun, old->begun, sizeof *old->begun},
        {state->off, old->off, sizeof *old->off},
        {state->motor, old->motor, THUD_JOINT_LAWS * sizeof *old->motor},
        {state->out, old->out, sizeof *old->out}};
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++)
      memcpy((char *)parts[p].to + (size_t)k * parts[p].size, (const char *)parts[p].from + (size_t)i * parts[p].size,
             parts[p].size);
  }
}

/* Energies of the bodies that are left; what went with the others is booked. */
static void book_total(body_motion *motion) {
  thud_body_ledger *ledger = &motion->state.now->ledger;
  double kinetic = thud_bodies_kinetic(motion), potential = thud_bodies_potential(motion);
  ledger->work += kinetic + potential - (ledger->kinetic + ledger->potential);
  ledger->kinetic = kinetic;
  ledger->potential = potential;
}

/* Which parts the motion's bodies had in the view that it knows, since that view is gone as soon as the model is read. */
typedef struct old_parts {
  thud_index count, part_count;
  thud_index *start, *owner; /* [count+1], [part_count] */
  thud_index *number;        /* [count] in the new view */
} old_parts;

static thud_error keep_parts(const body_motion *motion, old_parts *old) {
  const body_state *state = &motion->state;
  *old = (old_parts){.count = state->body_count, .part_count = state->part_count};
  old->start = THUD_NEW_ARRAY(motion->base.context, thud_index, old->count + 1);
  old->owner = THUD_NEW_ARRAY(motion->base.context, thud_index, old->part_count);
  old->number = THUD_NEW_ARRAY(motion->base.context, thud_index, old->count);
  if (old->start == NULL || old->owner == NULL || old->number == NULL) return THUD_ERROR_MEMORY;
  memcpy(old->owner, state->owner, (size_t)old->part_count * sizeof *old->owner);
  for (thud_index p = 0; p < old->part_count; p++) old->start[old->owner[p] + 1]++;
  for (thud_index i = 0; i < old->count; i++) old->start[i + 1] += old->start[i];
  return THUD_OK;
}

static thud_error take_over(body_motion *motion, const old_parts *old, const thud_bodies_view *model) {
  body_state before = motion->state;
  thud_bodies_view known = motion->model;
  motion->model = *model;
  motion->state.block = NULL;
  thud_error error = thud_body_state_create(motion);
  if (error == THUD_OK) error = thud_bodies_allocate(motion);
  if (error == THUD_OK) error = thud_bodies_order_joints(motion);
  if (error != THUD_OK) {
    thud_free(motion->base.context, motion->state.block);
    motion->state = before;
    motion->model = known;
    return error;
  }
  map_state(&before, old->count, old->start, old->number, model, &motion->state);
  map_joints(&before, &motion->state);
  thud_bodies_list_joined(motion);
  map_carry(&before, old->start, old->owner, old->number, model, &motion->state);
  thud_free(motion->base.context, before.block);
  motion->contacts.count = 0; /* they name bodies by numbers of before */
  motion->problem.island_count = 0;
  motion->worst_contact = -1;
  thud_bodies_note_model(motion);
  book_total(motion);
  return THUD_OK;
}

thud_error thud_bodies_follow_model(body_motion *motion) {
  if (motion->revision == motion->bodies->revision) return THUD_OK;
  if (motion->change != NULL)
    return thud_fail(motion->base.context, THUD_ERROR_ARGUMENT,
                     "the model was changed while its motion is recorded, whose columns are those of the bodies at the "
                     "start; give it all bodies before, those that come later with `absent`");
  thud_bodies_view model;
  old_parts old;
  thud_error error = keep_parts(motion, &old);
  if (error == THUD_OK) error = thud_bodies_get(motion->bodies, &model);
  if (error == THUD_OK) error = map_bodies(motion, old.count, old.start, &model, old.number);
  if (error == THUD_OK && thud_bodies_find_dimension(motion) > motion->problem.d)
    error = thud_fail(
        motion->base.context, THUD_ERROR_ARGUMENT,
        "[bad-change] a material with rolling or spinning friction was added to a motion without any; give the model "
        "such a material before the motion is created");
  if (error == THUD_OK) error = take_over(motion, &old, &model);
  thud_free(motion->base.context, old.start);
  thud_free(motion->base.context, old.owner);
  thud_free(motion->base.context, old.number);
  return error;
}

/* ---- which body -------------------------------------------------------------------------------------------------------- */

/* Number of the body, which must take part in the motion, and be dynamic where `moved`. */
static thud_error find_body(const body_motion *motion, thud_body_id id, bool moved, thud_index *body) {
  thud_index i = thud_bodies_number(motion->bodies, id);
  if (i < 0 || i >= motion->model.count)
    return thud_fail(motion->base.context, THUD_ERROR_NOT_FOUND,
                     "the id (%d, generation %u) names no body; it was removed, or the id is of another model",
                     (int)id.index1, (unsigned)id.generation);
  const char *name = motion->model.name[i];
  if (motion->state.removed[i])
    return thud_fail(motion->base.context, THUD_ERROR_NOT_FOUND,
                     "[bad-change] body '%s' was removed from the motion and does not come back", name);
  if (motion->state.absent[i])
    return thud_fail(motion->base.context, THUD_ERROR_NOT_FOUND,
                     "[bad-change] body '%s' is absent; add it to the motion before", name);
  if (moved && motion->model.role[i] != THUD_BODY_DYNAMIC)
    return thud_fail(motion->base.context, THUD_ERROR_ARGUMENT,
                     "[bad-change] body '%s' is %s: only bodies that forces move are changed so", name,
                     motion->model.role[i] == THUD_BODY_FIXED ? "fixed" : "kinematic");
  *body = i;
  return THUD_OK;
}

thud_error thud_bodies_begin_change(body_motion *motion) {
  if (motion->state.now->info.status != THUD_MOTION_RUNNING)
    return thud_fail(motion->base.context, THUD_ERROR_ARGUMENT,
                     "[bad-change] the motion has ended at t = %g: it is not changed any more", motion->state.now->t);
  return thud_bodies_follow_model(motion);
}

/* The same of a body, as find_body has it. */
static thud_error begin_change_of(body_motion *motion, thud_body_id id, bool moved, thud_index *body) {
  thud_error error = thud_bodies_begin_change(motion);
  return error == THUD_OK ? find_body(motion, id, moved, body) : error;
}

thud_error thud_bodies_tell_change(body_motion *motion, thud_body_change *change) {
  change->t = motion->state.now->t;
  if (motion->change == NULL || motion->change(motion->change_user, change) == 0) return THUD_OK;
  return thud_fail(motion->base.context, THUD_ERROR_CALLBACK, "the function for changes refused a change at t = %g",
                   change->t);
}

/* ---- energy ------------------------------------------------------------------------------------------------------------ */

typedef struct body_energy {
  double kinetic, potential;
} body_energy;

/* Energies of one body that is there, with the springs that hold it. */
static body_energy energy_of(const body_motion *motion, thud_index i) {
  const thud_bodies_view *model = &motion->model;
  body_energy e = {0, 0};
  if (!thud_bodies_is_there(motion, i)) return e;
  if (model->role[i] == THUD_BODY_DYNAMIC) {
    e.kinetic = thud_bodies_kinetic_of(motion, i);
    e.potential = thud_bodies_potential_of(motion, i);
  }
  for (thud_index s = 0; s < model->spring_count; s++)
    if ((model->spring_a[s] == i || model->spring_b[s] == i) && thud_bodies_spring_acts(motion, s))
      e.potential += thud_bodies_spring_energy(motion, s);
  for (thud_index k = 0; k < model->joint_count; k++)
    if (model->joints[k].a == i || model->joints[k].b == i) e.potential += thud_bodies_joint_energy(motion, k);
  return e;
}

static void book(body_motion *motion, thud_index i, body_energy before) {
  body_scalars *now = motion->state.now;
  body_energy after = energy_of(motion, i);
  now->ledger.work += after.kinetic - before.kinetic + (after.potential - before.potential);
  now->ledger.kinetic += after.kinetic - before.kinetic;
  now->ledger.potential += after.potential - before.potential;
  now->usual_speed = fmax(now->usual_speed, thud_vec3_norm(motion->state.velocity[i]));
  motion->state.jolted[i] = true;
}

/* ---- sleepers ---------------------------------------------------------------------------------------------------------- */

/* Part p of a body is as near to a part of body i as bodies are that rest on each other. */
static bool is_near(const body_motion *motion, thud_index p, thud_index i) {
  double margin = motion->h * motion->options.sleep_speed + motion->h * motion->h * motion->gravity;
  thud_bounds box = thud_bodies_part_box(motion, p, margin);
  for (thud_index k = motion->model.part_start[i]; k < motion->model.part_start[i + 1]; k++) {
    double extra = thud_bodies_overlap_tolerance(motion, p < k ? p : k, p < k ? k : p);
    thud_bounds other = thud_bodies_part_box(motion, k, margin + (isfinite(extra) ? extra : 0));
    if (thud_bounds_meet(&box, &other)) return true;
  }
  return false;
}

thud_error thud_bodies_wake_around(body_motion *motion, thud_index i) {
  const thud_bodies_view *model = &motion->model;
  thud_error error = THUD_OK;
  if (!motion->options.sleep) return THUD_OK;
  thud_bodies_place_parts(motion);
  if (motion->state.asleep[i]) error = thud_bodies_wake(motion, i);
  for (thud_index p = 0; p < model->part_count && error == THUD_OK; p++) {
    thud_index body = model->part_body[p];
    if (motion->state.asleep[body] && is_near(motion, p, i)) error = thud_bodies_wake(motion, body);
  }
  return error;
}

static thud_error wake_all(body_motion *motion) {
  thud_error error = THUD_OK;
  for (thud_index i = 0; i < motion->model.count && error == THUD_OK; i++)
    if (motion->state.asleep[i]) error = thud_bodies_wake(motion, i);
  return error;
}

/* ---- states ------------------------------------------------------------------------------------------------------------ */

static thud_body_state state_of(const body_motion *motion, thud_index i) {
  const body_state *state = &motion->state;
  return (thud_body_state){state->pose[i].position, state->pose[i].rotation, state->velocity[i], state->spin[i]};
}

static void put_state(body_motion *motion, thud_index i, const thud_body_state *given) {
  body_state *state = &motion->state;
  motion->is_held = false;
  state->pose[i] = (thud_pose){given->position, given->rotation};
  state->velocity[i] = given->velocity;
  state->spin[i] = given->spin;
}

static thud_error check_state(const body_motion *motion, thud_body_state *state) {
  thud_pose pose = {state->position, state->rotation};
  thud_error error = thud_bodies_check_pose(motion->bodies, &pose);
  if (error == THUD_OK) error = thud_bodies_check_vector(motion->bodies, "velocity", state->velocity);
  if (error == THUD_OK) error = thud_bodies_check_turn(motion->bodies, "spin", state->spin);
  state->rotation = pose.rotation;
  return error;
}

thud_error thud_bodies_check_overlap(body_motion *motion, thud_index i) {
  const thud_bodies_view *model = &motion->model;
  thud_bodies_place_parts(motion);
  for (thud_index p = model->part_start[i]; p < model->part_start[i + 1]; p++)
    for (thud_index q = 0; q < model->part_count; q++) {
      thud_index other = model->part_body[q], first = p < q ? p : q, second = p < q ? q : p;
      bool both_still = model->role[i] != THUD_BODY_DYNAMIC && model->role[other] != THUD_BODY_DYNAMIC;
      if (other == i || both_still || !thud_bodies_is_there(motion, other)) continue;
      thud_bounds a = thud_bodies_part_box(motion, p, 0), b = thud_bodies_part_box(motion, q, 0);
      if (!thud_bounds_meet(&a, &b) || !thud_bodies_may_touch(motion, first, second)) continue;
      double tolerance = thud_bodies_overlap_tolerance(motion, first, second), depth = 0;
      size_t count = 0;
      thud_error error = thud_bodies_touch_pair(motion, first, second, 0, &count);
      if (error != THUD_OK) return error;
      for (size_t k = 0; k < count; k++) depth = fmax(depth, -motion->contacts.touches[k].gap);
      if (depth > tolerance)
        return thud_fail(motion->base.context, THUD_ERROR_ARGUMENT,
                         "[start-overlaps] body '%s' would overlap '%s' by %.3g; place it apart, or set `relax`, which "
                         "moves bodies apart",
                         model->name[i], model->name[other], depth);
    }
  return THUD_OK;
}

/* Changes the state of body i after it was checked for overlaps and told; undone when that fails. */
static thud_error change_state(body_motion *motion, thud_index i, thud_body_state *given, bool comes) {
  thud_body_state old = state_of(motion, i);
  bool absent = motion->state.absent[i];
  thud_body_change change = {.kind = comes ? THUD_BODY_CHANGE_ADD : THUD_BODY_CHANGE_STATE, .body = i, .state = *given};
  body_energy before = energy_of(motion, i);
  thud_error error = THUD_OK;
  put_state(motion, i, given);
  motion->state.absent[i] = false;
  if (!motion->options.relax) error = thud_bodies_check_overlap(motion, i);
  if (error == THUD_OK) error = thud_bodies_tell_change(motion, &change);
  if (error != THUD_OK) {
    put_state(motion, i, &old);
    motion->state.absent[i] = absent;
    return error;
  }
  motion->moves[i] = motion->model.role[i] == THUD_BODY_DYNAMIC;
  book(motion, i, before);
  error = thud_bodies_wake_around(motion, i);
  if (error != THUD_OK || comes) return error;
  put_state(motion, i, &old); /* sleepers that rested on it where it was */
  error = thud_bodies_wake_around(motion, i);
  put_state(motion, i, given);
  return error;
}

thud_error thud_body_motion_get_state(const thud_motion *motion, thud_body_id id, thud_body_state *state) {
  THUD_REQUIRE(motion != NULL ? motion->context : NULL, motion, state);
  THUD_MOTION_OF(motion, &thud_body_motion_type);
  const body_motion *own = (const body_motion *)motion;
  thud_index i;
  thud_error error = thud_bodies_follow_model((body_motion *)own); /* as seen from outside nothing changes */
  if (error == THUD_OK) error = find_body(own, id, false, &i);
  if (error == THUD_OK) *state = state_of(own, i);
  return error;
}

thud_error thud_body_motion_set_state(thud_motion *motion, thud_body_id id, const thud_body_state *state) {
  THUD_REQUIRE(motion != NULL ? motion->context : NULL, motion, state);
  THUD_MOTION_OF(motion, &thud_body_motion_type);
  body_motion *own = (body_motion *)motion;
  thud_body_state given = *state;
  thud_index i;
  thud_error error = begin_change_of(own, id, true, &i);
  if (error != THUD_OK) return error;
  error = check_state(own, &given);
  if (error != THUD_OK) return thud_fail_within(own->base.context, error, "body '%s'", own->model.name[i]);
  return change_state(own, i, &given, false);
}

/* ---- coming and going -------------------------------------------------------------------------------------------------- */

bool thud_body_motion_is_present(const thud_motion *motion, thud_body_id id) {
  THUD_MOTION_OF_OR(false, motion, &thud_body_motion_type);
  const body_motion *own = (const body_motion *)motion;
  thud_index i = thud_bodies_number(own->bodies, id);
  if (i < 0 || thud_bodies_follow_model((body_motion *)own) != THUD_OK) return false;
  return !own->state.absent[i];
}

thud_error thud_body_motion_add(thud_motion *motion, thud_body_id id, const thud_body_state *state) {
  THUD_REQUIRE(motion != NULL ? motion->context : NULL, motion);
  THUD_MOTION_OF(motion, &thud_body_motion_type);
  body_motion *own = (body_motion *)motion;
  thud_error error = thud_bodies_begin_change(own);
  if (error != THUD_OK) return error;
  const thud_bodies_view *model = &own->model;
  thud_index i = thud_bodies_number(own->bodies, id);
  if (i < 0 || own->state.removed[i]) return find_body(own, id, false, &i); /* says what is wrong */
  if (!own->state.absent[i])
    return thud_fail(own->base.context, THUD_ERROR_ARGUMENT, "body '%s' is in the own already", model->name[i]);
  if (state != NULL && model->role[i] != THUD_BODY_DYNAMIC)
    return thud_fail(own->base.context, THUD_ERROR_ARGUMENT,
                     "[bad-change] body '%s' is %s: it is where its definition says; give no state", model->name[i],
                     model->role[i] == THUD_BODY_FIXED ? "fixed" : "kinematic");
  thud_body_state given = {model->pose[i].position, model->pose[i].rotation, model->velocity[i], model->spin[i]};
  if (model->role[i] == THUD_BODY_KINEMATIC) given = state_of(own, i); /* follows its path all the time */
  if (state != NULL) given = *state;
  error = check_state(own, &given);
  if (error != THUD_OK) return thud_fail_within(own->base.context, error, "body '%s'", model->name[i]);
  return change_state(own, i, &given, true);
}

thud_error thud_body_motion_remove(thud_motion *motion, thud_body_id id) {
  THUD_REQUIRE(motion != NULL ? motion->context : NULL, motion);
  THUD_MOTION_OF(motion, &thud_body_motion_type);
  body_motion *own = (body_motion *)motion;
  thud_index i;
  thud_error error = begin_change_of(own, id, false, &i);
  if (error != THUD_OK) return error;
  thud_body_change change = {.kind = THUD_BODY_CHANGE_REMOVE, .body = i};
  error = thud_bodies_tell_change(own, &change);
  if (error == THUD_OK) error = thud_bodies_wake_around(own, i);
  if (error != THUD_OK) return error;
  body_energy before = energy_of(own, i);
  body_state *state = &own->state;
  state->absent[i] = state->removed[i] = true;
  own->is_held = false;
  own->moves[i] = false;
  book(own, i, before);
  if (own->model.role[i] == THUD_BODY_DYNAMIC) state->velocity[i] = state->spin[i] = (thud_vec3){0};
  return THUD_OK;
}

/* ---- impulses and forces ----------------------------------------------------------------------------------------------- */

/* The push as given, checked; *lever from the centre of mass to its point, world. */
static thud_error take_push(const body_motion *motion, thud_index i, const thud_body_push *given, thud_body_push *push,
                            thud_vec3 *lever) {
  *push = thud_body_push_default();
  *lever = (thud_vec3){0};
  thud_error error = thud_bodies_take_def(motion->base.context, "push", given, sizeof *push, push);
  if (error == THUD_OK) error = thud_bodies_check_vector(motion->bodies, "force", push->force);
  if (error == THUD_OK) error = thud_bodies_check_turn(motion->bodies, "torque", push->torque);
  if (error == THUD_OK && push->at_point) error = thud_bodies_check_vector(motion->bodies, "point", push->point);
  if (error != THUD_OK) return thud_fail_within(motion->base.context, error, "body '%s'", motion->model.name[i]);
  if (push->at_point) *lever = thud_vec3_subtract(push->point, motion->state.pose[i].position);
  return THUD_OK;
}

thud_error thud_body_motion_apply_impulse(thud_motion *motion, thud_body_id id, const thud_body_push *impulse) {
  THUD_REQUIRE(motion != NULL ? motion->context : NULL, motion, impulse);
  THUD_MOTION_OF(motion, &thud_body_motion_type);
  body_motion *own = (body_motion *)motion;
  thud_body_push push;
  thud_vec3 lever;
  thud_index i;
  thud_error error = begin_change_of(own, id, true, &i);
  if (error == THUD_OK) error = take_push(own, i, impulse, &push, &lever);
  if (error != THUD_OK) return error;
  thud_body_change change = {
      .kind = THUD_BODY_CHANGE_IMPULSE, .body = i, .force = push.force, .torque = push.torque, .lever = lever};
  error = thud_bodies_tell_change(own, &change);
  if (error == THUD_OK) error = thud_bodies_wake_around(own, i);
  if (error != THUD_OK) return error;
  body_energy before = energy_of(own, i);
  body_state *state = &own->state;
  thud_vec3 moment = thud_vec3_add(push.torque, thud_vec3_cross(lever, push.force));
  state->velocity[i] = thud_vec3_add_scaled(state->velocity[i], 1 / own->model.mass[i], push.force);
  state->spin[i] = thud_vec3_add(state->spin[i], thud_mat3_apply(thud_bodies_world_inverse_inertia(own, i), moment));
  book(own, i, before);
  return THUD_OK;
}

thud_error thud_body_motion_apply_force(thud_motion *motion, thud_body_id id, const thud_body_push *force) {
  THUD_REQUIRE(motion != NULL ? motion->context : NULL, motion, force);
  THUD_MOTION_OF(motion, &thud_body_motion_type);
  body_motion *own = (body_motion *)motion;
  thud_body_push push;
  thud_vec3 lever;
  thud_index i;
  thud_error error = begin_change_of(own, id, true, &i);
  if (error == THUD_OK) error = take_push(own, i, force, &push, &lever);
  if (error != THUD_OK) return error;
  thud_vec3 p = thud_quat_rotate_inverse(own->state.pose[i].rotation, lever), f = push.force;
  thud_body_change change = {.kind = THUD_BODY_CHANGE_FORCE,
                             .body = i,
                             .force = f,
                             .torque = push.torque,
                             .lever = p,
                             .lasting = push.lasting};
  error = thud_bodies_tell_change(own, &change);
  if (error == THUD_OK) error = thud_bodies_wake_around(own, i);
  if (error != THUD_OK) return error;
  body_pushes *sum = &own->state.pushed[push.lasting ? 1 : 0][i];
  sum->force = thud_vec3_add(sum->force, f);
  sum->torque = thud_vec3_add(sum->torque, push.torque);
  thud_mat3 outer = thud_mat3_columns(thud_vec3_scale(f.x, p), thud_vec3_scale(f.y, p), thud_vec3_scale(f.z, p));
  sum->levers = thud_mat3_add(sum->levers, outer);
  if (push.lasting)
    own->state.now->lasting++;
  else
    own->state.now->once++;
  return THUD_OK;
}

thud_error thud_body_motion_release_forces(thud_motion *motion, thud_body_id id) {
  THUD_REQUIRE(motion != NULL ? motion->context : NULL, motion);
  THUD_MOTION_OF(motion, &thud_body_motion_type);
  body_motion *own = (body_motion *)motion;
  thud_index i;
  thud_error error = begin_change_of(own, id, true, &i);
  if (error != THUD_OK) return error;
  thud_body_change change = {.kind = THUD_BODY_CHANGE_RELEASE, .body = i};
  error = thud_bodies_tell_change(own, &change);
  if (error == THUD_OK) error = thud_bodies_wake_around(own, i);
  if (error == THUD_OK) memset(&own->state.pushed[1][i], 0, sizeof(body_pushes));
  return error;
}

/* ---- laws -------------------------------------------------------------------------------------------------------------- */

static thud_error check_material(const body_motion *motion, thud_index material, thud_index least) {
  if (material >= least && material < motion->model.material_count) return THUD_OK;
  return thud_fail(
      motion->base.context, THUD_ERROR_ARGUMENT,
      "[bad-change] there is no material %d; there are %d, numbered from 0 in the order of thud_bodies_add_material",
      (int)material, (int)motion->model.material_count);
}

thud_error thud_body_motion_set_material(thud_motion *motion, thud_body_id id, thud_index part, thud_index material) {
  THUD_REQUIRE(motion != NULL ? motion->context : NULL, motion);
  THUD_MOTION_OF(motion, &thud_body_motion_type);
  body_motion *own = (body_motion *)motion;
  thud_index i;
  thud_error error = begin_change_of(own, id, false, &i);
  if (error == THUD_OK) error = check_material(own, material, -1);
  if (error != THUD_OK) return error;
  thud_index first = own->model.part_start[i], end = own->model.part_start[i + 1];
  if (part < -1 || part >= end - first)
    return thud_fail(own->base.context, THUD_ERROR_ARGUMENT,
                     "[bad-change] body '%s' has no part %d; it has %d, numbered from 0", own->model.name[i], (int)part,
                     (int)(end - first));
  thud_body_change change = {.kind = THUD_BODY_CHANGE_MATERIAL, .body = i, .part = part, .material = material};
  error = thud_bodies_tell_change(own, &change);
  if (error == THUD_OK) error = thud_bodies_wake_around(own, i);
  for (thud_index p = first; p < end && error == THUD_OK; p++)
    if (part < 0 || p == first + part) own->state.material[p] = material;
  return error;
}

/* Contacts have the components that the laws of the model need, and no others. */
static thud_error check_components(const body_motion *motion, const thud_surface_law *law) {
  thud_index d = motion->problem.d;
  bool rolls = motion->model.planar ? d == 3 : d >= 5, spins = d == 4 || d == 6;
  if ((law->rolling > 0 && !rolls) || (law->spinning > 0 && !spins))
    return thud_fail(
        motion->base.context, THUD_ERROR_ARGUMENT,
        "[bad-change] the law has %s friction, and no law of the model had any when the motion was created",
        law->rolling > 0 && !rolls ? "rolling" : "spinning");
  return THUD_OK;
}

thud_error thud_body_motion_set_pair(thud_motion *motion, thud_index first, thud_index second,
                                     const thud_surface_law *law) {
  THUD_REQUIRE(motion != NULL ? motion->context : NULL, motion, law);
  THUD_MOTION_OF(motion, &thud_body_motion_type);
  body_motion *own = (body_motion *)motion;
  thud_surface_law given = *law;
  thud_error error = thud_bodies_begin_change(own);
  if (error == THUD_OK) error = check_material(own, first, 0);
  if (error == THUD_OK) error = check_material(own, second, 0);
  if (error == THUD_OK) error = thud_bodies_check_law(own->bodies, &given);
  if (error == THUD_OK) error = check_components(own, &given);
  if (error != THUD_OK) return error;
  body_scalars *now = own->state.now;
  int64_t place = find_pair(now, first, second);
  if (place == THUD_BODY_PAIRS_CHANGED)
    return thud_fail(own->base.context, THUD_ERROR_OVERFLOW,
                     "[bad-change] %d pairs of materials have got other laws; give bodies other materials instead",
                     THUD_BODY_PAIRS_CHANGED);
  thud_body_change change = {.kind = THUD_BODY_CHANGE_PAIR, .body = -1, .first = first, .second = second, .law = given};
  error = thud_bodies_tell_change(own, &change);
  if (error == THUD_OK) error = wake_all(own);
  if (error != THUD_OK) return error;
  now->pairs[place] = (body_pair_law){first, second, given};
  if (place == now->pair_count) now->pair_count++;
  return THUD_OK;
}

thud_error thud_body_motion_set_changes(thud_motion *motion, thud_body_change_fn change, thud_body_wake_fn wake,
                                        void *user) {
  THUD_REQUIRE(motion != NULL ? motion->context : NULL, motion);
  THUD_MOTION_OF(motion, &thud_body_motion_type);
  body_motion *own = (body_motion *)motion;
  own->change = change;
  own->wake = wake;
  own->change_user = user;
  return THUD_OK;
}
