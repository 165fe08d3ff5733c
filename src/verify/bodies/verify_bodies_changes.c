/* Changes that a program made between two steps of a motion of rigid bodies, as the events of the record tell them: they
 * are applied to the model (who is there, forces, materials, laws) and to the states of the node before, from which the
 * next step must go on. The energy that they bring must be in the ledger. */
#include "verify/bodies/verify_bodies.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

thud_error thud_verify_body_changes_create(thud_context *context, const verify_bodies *bodies,
                                           verify_body_changes *changes) {
  *changes = (verify_body_changes){.gone = THUD_NEW_ARRAY(context, bool, bodies->count),
                                   .kick = THUD_NEW_ARRAY(context, double, 2 * bodies->count)};
  return changes->gone != NULL && changes->kick != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

void thud_verify_body_changes_free(thud_context *context, verify_body_changes *changes) {
  thud_free(context, changes->gone);
  thud_free(context, changes->kick);
}

/* ---- one change -------------------------------------------------------------------------------------------------------- */

/* A change with what it applies to. */
typedef struct applying {
  verify_body_changes *changes;
  verify_bodies *bodies;
  verify_body_state *state; /* [n] of the node before; NULL: it is not known */
  bool once;                /* forces over one step act in the step that is checked */
  int kind;
  size_t body;           /* SIZE_MAX: none */
  const double *value;   /* [count] */
  size_t count, d, s, q; /* numbers of a vector, a spin, a rotation */
} applying;

static size_t values_of(const applying *a) {
  switch (a->kind) {
  case VERIFY_CHANGE_ADD:
  case VERIFY_CHANGE_STATE: return 2 * a->d + a->q + a->s;
  case VERIFY_CHANGE_IMPULSE: return 2 * a->d + a->s;
  case VERIFY_CHANGE_FORCE: return 2 * a->d + a->s + 1;
  case VERIFY_CHANGE_MATERIAL: return 2;
  case VERIFY_CHANGE_PAIR: return 10;
  case VERIFY_CHANGE_DETACH:
  case VERIFY_CHANGE_ATTACH: return 1;
  case VERIFY_CHANGE_MOTOR: return 6;
  default: return 0;
  }
}

static thud_vec3 vector_at(const applying *a, size_t at) {
  return thud_vec3_make(a->value[at], a->value[at + 1], a->d == 3 ? a->value[at + 2] : 0);
}

static thud_vec3 spin_at(const applying *a, size_t at) {
  return a->s == 3 ? vector_at(a, at) : thud_vec3_make(0, 0, a->value[at]);
}

static verify_body_state state_at(const applying *a) {
  const double *q = a->value + a->d;
  verify_body_state state = {.x = vector_at(a, 0)};
  state.q = a->q == 4 ? thud_quat_make(q[0], q[1], q[2], q[3]) : thud_quat_make(cos(0.5 * q[0]), 0, 0, sin(0.5 * q[0]));
  state.v = vector_at(a, a->d + a->q);
  state.w = spin_at(a, 2 * a->d + a->q);
  return state;
}

/* NULL, or what is wrong. */
static const char *apply_presence(const applying *a) {
  verify_rigid *body = &a->bodies->body[a->body];
  if (a->kind == VERIFY_CHANGE_REMOVE) {
    if (body->absent) return "removes a body that is not there";
    body->absent = a->changes->gone[a->body] = true;
    if (a->state != NULL && body->role == VERIFY_DYNAMIC) a->state[a->body].v = a->state[a->body].w = (thud_vec3){0};
    return NULL;
  }
  if (!body->absent || a->changes->gone[a->body]) return "adds a body that is there, or was removed";
  body->absent = false;
  if (a->state != NULL && body->role == VERIFY_DYNAMIC) a->state[a->body] = state_at(a);
  return NULL;
}

/* m dv = P, I dw = M + lever x P. */
static void apply_impulse(const applying *a) {
  const verify_rigid *body = &a->bodies->body[a->body];
  if (a->state == NULL) return;
  verify_body_state *state = &a->state[a->body];
  thud_vec3 impulse = vector_at(a, 0), lever = vector_at(a, a->d + a->s);
  thud_vec3 moment = thud_vec3_add(spin_at(a, a->d), thud_vec3_cross(lever, impulse));
  thud_mat3 R = thud_quat_to_matrix(state->q);
  thud_vec3 turn = thud_mat3_apply(R, thud_mat3_apply(body->inverse, thud_mat3_apply_transposed(R, moment)));
  double *kick = a->changes->kick + 2 * a->body;
  kick[0] += thud_vec3_norm(state->v) + thud_vec3_norm(impulse) / body->mass;
  kick[1] += thud_vec3_norm(state->w) +
             thud_mat3_trace(body->inverse) *
                 (thud_vec3_norm(spin_at(a, a->d)) + thud_vec3_norm(lever) * thud_vec3_norm(impulse));
  state->v = thud_vec3_add_scaled(state->v, 1 / body->mass, impulse);
  state->w = thud_vec3_add(state->w, turn);
}

static thud_error apply_force(const applying *a) {
  verify_bodies *bodies = a->bodies;
  bool lasting = a->value[2 * a->d + a->s] != 0;
  if (!lasting && !a->once) return THUD_OK; /* acted in a step that is not recorded */
  thud_error error = thud_array_reserve(bodies->scene.context, &bodies->applied, &bodies->applied_capacity,
                                        bodies->applied_count + 1, sizeof *bodies->applied);
  if (error != THUD_OK) return error;
  bodies->applied[bodies->applied_count++] = (verify_applied){.body = a->body,
                                                              .force = vector_at(a, 0),
                                                              .torque = spin_at(a, a->d),
                                                              .lever = vector_at(a, a->d + a->s),
                                                              .lasting = lasting};
  return THUD_OK;
}

/* Ends the forces over one step, or the lasting ones on a body. */
static void end_forces(verify_bodies *bodies, size_t body) {
  size_t kept = 0;
  for (size_t k = 0; k < bodies->applied_count; k++) {
    const verify_applied *one = &bodies->applied[k];
    bool ends = body == SIZE_MAX ? !one->lasting : one->lasting && one->body == body;
    if (!ends) bodies->applied[kept++] = *one;
  }
  bodies->applied_count = kept;
}

static bool is_material(const verify_bodies *bodies, double number, double least) {
  return number >= least && number < (double)bodies->material_count && number == floor(number);
}

static const char *apply_material(const applying *a) {
  const verify_rigid *body = &a->bodies->body[a->body];
  double part = a->value[0], material = a->value[1];
  if (!is_material(a->bodies, material, -1) || !(part >= -1 && part < (double)body->part_count && part == floor(part)))
    return "names a part or a material that is not there";
  for (size_t p = 0; p < body->part_count; p++)
    if (part < 0 || (double)p == part)
      a->bodies->part[body->first_part + p].material = material >= 0 ? (size_t)material : SIZE_MAX;
  return NULL;
}

static const char *apply_pair(const applying *a) {
  const double *x = a->value;
  verify_contact_law law = {.mu = x[2],
                            .mu_across = x[3] >= 0 ? x[3] : -1,
                            .axis = thud_vec3_make(x[4], x[5], x[6]),
                            .restitution = x[7],
                            .rolling = x[8],
                            .spinning = x[9]};
  bool sense = x[2] >= 0 && x[7] >= 0 && x[7] <= 1 && x[8] >= 0 && x[9] >= 0;
  if (!is_material(a->bodies, x[0], 0) || !is_material(a->bodies, x[1], 0) || !sense)
    return "gives materials that are not there, or a law of no sense";
  for (size_t k = 0; k < a->bodies->pair_count; k++) {
    verify_material_pair *pair = &a->bodies->pair[k];
    bool same = (double)pair->first == x[0] && (double)pair->second == x[1];
    bool turned = (double)pair->first == x[1] && (double)pair->second == x[0];
    if (!same && !turned) continue;
    *pair = (verify_material_pair){(size_t)x[0], (size_t)x[1], law};
    return NULL;
  }
  return "is of materials without a law";
}

/* A motor that reaches a target of its own, or goes on towards that of the scene with another bound. */
static const char *apply_motor(const double *x, verify_joint *joint) {
  if (!(x[1] >= 0 && x[1] < (double)joint->law_count && x[1] == floor(x[1]))) return "is of a coordinate without a law";
  verify_joint_law *law = &joint->law[(size_t)x[1]];
  bool drives = x[3] == 1;
  if (!(x[2] == VERIFY_MOTOR_SPEED || x[2] == VERIFY_MOTOR_POSITION) || !(x[3] == 0 || drives) || !(x[5] >= 0))
    return "gives a motor of no sense";
  if (drives && (law->switched || x[2] != (double)law->motor)) return "gives a motor the target of another one";
  law->motor = (verify_motor)x[2];
  law->switched = !drives;
  law->new_target = x[4];
  law->at_most = x[5];
  return NULL;
}

static const char *apply_joint(const applying *a) {
  verify_bodies *bodies = a->bodies;
  const double *x = a->value;
  if (!(x[0] >= 0 && x[0] < (double)bodies->joint_count && x[0] == floor(x[0]))) return "is of no joint";
  verify_joint *joint = &bodies->joint[(size_t)x[0]];
  if (a->kind == VERIFY_CHANGE_MOTOR) return apply_motor(x, joint);
  bool attach = a->kind == VERIFY_CHANGE_ATTACH;
  if (attach != joint->off) return attach ? "attaches a joint that acts" : "detaches a joint that does not act";
  joint->off = !attach;
  joint->attached = attach;
  for (int c = 0; c < VERIFY_LAWS && attach; c++) joint->law[c].seen = joint->law[c].start;
  bool there = !bodies->body[joint->a].absent && (joint->b == SIZE_MAX || !bodies->body[joint->b].absent);
  return attach && !there ? "attaches a joint to a body that is not there" : NULL;
}

/* NULL, or what is wrong with the numbers of the change themselves. */
static const char *check_values(const applying *a) {
  if (a->count != values_of(a)) return "does not have the numbers of its kind";
  for (size_t k = 0; k < a->count; k++)
    if (!isfinite(a->value[k])) return "has a number that is NaN or infinite";
  bool state = a->kind == VERIFY_CHANGE_ADD || a->kind == VERIFY_CHANGE_STATE;
  if (state && !(fabs(thud_quat_norm(state_at(a).q) - 1) <= 64 * DBL_EPSILON)) return "has a rotation that is none";
  double lasting = a->kind == VERIFY_CHANGE_FORCE ? a->value[2 * a->d + a->s] : 0;
  return lasting == 0 || lasting == 1 ? NULL : "neither lasts nor ends";
}

static thud_error apply(const applying *a, const char **wrong) {
  bool moved = a->kind == VERIFY_CHANGE_STATE || a->kind == VERIFY_CHANGE_IMPULSE || a->kind == VERIFY_CHANGE_FORCE ||
               a->kind == VERIFY_CHANGE_RELEASE;
  *wrong = check_values(a);
  if (*wrong != NULL) return THUD_OK;
  if (a->kind == VERIFY_CHANGE_ADD || a->kind == VERIFY_CHANGE_REMOVE) {
    *wrong = apply_presence(a);
    return THUD_OK;
  }
  if (a->kind >= VERIFY_CHANGE_DETACH) {
    *wrong = apply_joint(a);
    return THUD_OK;
  }
  if (a->kind == VERIFY_CHANGE_PAIR) {
    *wrong = apply_pair(a);
    return THUD_OK;
  }
  const verify_rigid *body = &a->bodies->body[a->body];
  if (body->absent) *wrong = "is of a body that is not there";
  if (moved && body->role != VERIFY_DYNAMIC) *wrong = "is of a body that forces do not move";
  if (*wrong != NULL) return THUD_OK;
  switch (a->kind) {
  case VERIFY_CHANGE_STATE:
    if (a->state != NULL) a->state[a->body] = state_at(a);
    break;
  case VERIFY_CHANGE_IMPULSE: apply_impulse(a); break;
  case VERIFY_CHANGE_FORCE: return apply_force(a);
  case VERIFY_CHANGE_RELEASE: end_forces(a->bodies, a->body); break;
  default: *wrong = apply_material(a); break;
  }
  return THUD_OK;
}

/* ---- the changes of one step ------------------------------------------------------------------------------------------- */

/* Event k, which is a change. A body that was changed is the state of the row before with its energy. */
static thud_error apply_event(verify_body_changes *changes, const verify_body_events *events, size_t k,
                              verify_bodies *bodies, const verify_body_row *row, verify_body_row *before, bool linked,
                              thud_verify_check *check) {
  size_t named = verify_ragged_count(&events->bodies, k);
  const double *who = verify_ragged_row(&events->bodies, k);
  bool valid = named == 1 && who[0] >= 0 && who[0] < (double)bodies->count && who[0] == floor(who[0]);
  double node = row->t - row->step;
  const char *wrong = NULL;
  applying one = {.changes = changes,
                  .bodies = bodies,
                  .state = linked ? before->end : NULL,
                  .once = fabs(events->t[k] - node) <= 1e-6 * row->step,
                  .kind = (int)events->kind[k],
                  .body = valid ? (size_t)who[0] : SIZE_MAX,
                  .value = verify_ragged_row(&events->values, k),
                  .count = verify_ragged_count(&events->values, k),
                  .d = bodies->planar ? 2 : 3,
                  .s = bodies->planar ? 1 : 3,
                  .q = bodies->planar ? 1 : 4};
  if (one.kind < VERIFY_CHANGE_PAIR && !valid) return THUD_OK; /* the check of events says so */
  if (linked && events->t[k] != before->t) wrong = "is not at the node before its frame";
  thud_error error = wrong == NULL ? apply(&one, &wrong) : THUD_OK;
  if (wrong != NULL) thud_verify_fail(check, events->t[k], SIZE_MAX, "the change of event %zu %s", k, wrong);
  return error;
}

static double energy(const verify_bodies *bodies, const verify_body_row *row, double *size) {
  double terms, kinetic = thud_verify_bodies_kinetic(bodies, row->end);
  double potential = thud_verify_bodies_potential(bodies, row->end, &terms);
  *size += kinetic + terms;
  return kinetic + potential;
}

thud_error thud_verify_body_changes_apply(verify_body_changes *changes, const verify_body_events *events,
                                          verify_bodies *bodies, const verify_body_row *row, verify_body_row *before,
                                          bool linked, thud_verify_check *check) {
  size_t end = changes->next;
  bool any = false;
  thud_error error = THUD_OK;
  end_forces(bodies, SIZE_MAX);
  changes->brought = changes->brought_size = 0;
  for (size_t i = 0; i < 2 * bodies->count; i++) changes->kick[i] = 0;
  for (size_t k = 0; k < bodies->joint_count; k++) bodies->joint[k].attached = false;
  for (; events->usable && end < events->count && events->frame[end] <= (double)row->number; end++) {
    any = any || events->kind[end] >= VERIFY_CHANGE_ADD;
    if (linked && events->kind[end] == VERIFY_EVENT_WAKE && events->t[end] == before->t)
      before->asleep[(size_t)*verify_ragged_row(&events->bodies, end)] = false; /* a change has woken it */
  }
  size_t first = changes->next;
  changes->next = end;
  if (!any) return THUD_OK;
  double size = 0, old = linked ? energy(bodies, before, &size) : 0;
  for (size_t k = first; k < end && error == THUD_OK; k++)
    if (events->kind[k] >= VERIFY_CHANGE_ADD)
      error = apply_event(changes, events, k, bodies, row, before, linked, check);
  if (linked) changes->brought = energy(bodies, before, &size) - old;
  changes->brought_size = size;
  return error;
}

void thud_verify_body_presence(const verify_bodies *bodies, const verify_body_row *row, thud_verify_check *check) {
  for (size_t i = 0; i < bodies->count; i++)
    if (row->absent[i] != bodies->body[i].absent)
      thud_verify_fail(check, row->t, row->number, "'%s' is %s in this row, and the changes say otherwise",
                       bodies->body[i].name, row->absent[i] ? "absent" : "there");
  for (size_t k = 0; k < row->contact_count; k++) {
    const verify_body_contact *c = &row->contact[k];
    if (bodies->body[c->a].absent || bodies->body[c->b].absent)
      thud_verify_fail(check, row->t, row->number, "contact %zu is of a body that is not there", k);
  }
}

/* ---- changes of the scene ------------------------------------------------------------------------------------------------ */

/* A list of numbers of an entry, where it is given, beside those of the event; rotations are left to the step that follows. */
static thud_error compare_numbers(verify_bodies *bodies, const thud_node *entry, const char *key, size_t count,
                                  const double *found, bool *same) {
  const thud_node *list = thud_node_find(entry, key);
  if (list == NULL) return THUD_OK;
  bool single = thud_node_get_kind(list) != THUD_NODE_SEQUENCE;
  if (!single && thud_node_count(list) != count) *same = false;
  for (size_t k = 0; k < count && *same; k++) {
    double value = 0;
    thud_error error = thud_verify_read_constant(&bodies->scene, single ? list : thud_node_item(list, k), &value);
    if (error != THUD_OK) return error;
    *same = fabs(value - found[k]) <= VERIFY_SUMS * fabs(value);
  }
  return THUD_OK;
}

/* The place of an entry is that of the body's frame, the event has the centre of mass: x + R centre. */
static thud_error compare_place(verify_bodies *bodies, const thud_node *entry, const verify_rigid *body,
                                const double *value, bool *same) {
  const thud_node *list = thud_node_find(entry, "position");
  size_t d = bodies->planar ? 2 : 3;
  double given[3] = {0};
  if (list == NULL) return THUD_OK;
  *same = thud_node_get_kind(list) == THUD_NODE_SEQUENCE && thud_node_count(list) == d;
  for (size_t k = 0; k < d && *same; k++) {
    thud_error error = thud_verify_read_constant(&bodies->scene, thud_node_item(list, k), &given[k]);
    if (error != THUD_OK) return error;
  }
  if (!*same) return THUD_OK;
  thud_quat q = bodies->planar ? thud_quat_make(cos(0.5 * value[2]), 0, 0, sin(0.5 * value[2]))
                               : thud_quat_make(value[3], value[4], value[5], value[6]);
  thud_vec3 at = thud_vec3_make(given[0], given[1], given[2]), turned = thud_quat_rotate(q, body->centre);
  thud_vec3 found = thud_vec3_make(value[0], value[1], bodies->planar ? 0 : value[2]);
  double size = thud_vec3_norm(at) + thud_vec3_norm(body->centre);
  *same = thud_vec3_distance(thud_vec3_add(at, turned), found) <= VERIFY_SUMS * size;
  return THUD_OK;
}

/* The lever of an event goes from the centre of mass to the point of the entry, which is in the body's frame; that of an impulse
 * is turned into the world, and keeps its length. */
static thud_error compare_lever(verify_bodies *bodies, const thud_node *entry, const verify_rigid *body, bool turned,
                                const double *value, bool *same) {
  const thud_node *list = thud_node_find(entry, "point");
  size_t d = bodies->planar ? 2 : 3;
  double given[3] = {0};
  if (list != NULL && (thud_node_get_kind(list) != THUD_NODE_SEQUENCE || thud_node_count(list) != d)) *same = false;
  for (size_t k = 0; k < d && list != NULL && *same; k++) {
    thud_error error = thud_verify_read_constant(&bodies->scene, thud_node_item(list, k), &given[k]);
    if (error != THUD_OK) return error;
  }
  thud_vec3 at = thud_vec3_make(given[0], given[1], given[2]), lever = {0, 0, 0};
  if (list != NULL) lever = thud_vec3_subtract(at, body->centre);
  thud_vec3 found = thud_vec3_make(value[0], value[1], bodies->planar ? 0 : value[2]);
  double error = turned ? fabs(thud_vec3_norm(found) - thud_vec3_norm(lever)) : thud_vec3_distance(found, lever);
  *same = *same && error <= VERIFY_SUMS * (thud_vec3_norm(at) + thud_vec3_norm(body->centre));
  return THUD_OK;
}

/* The law of an event of the kind `pair` beside what the entry gives; what is left out stays as it was. */
static thud_error compare_pair(verify_bodies *bodies, const thud_node *entry, const double *value, bool *same) {
  static const char *const keys[] = {"restitution", "rolling", "spinning"};
  const thud_node *names = thud_node_find(entry, "materials"), *friction = thud_node_find(entry, "friction");
  *same = names != NULL && thud_node_get_kind(names) == THUD_NODE_SEQUENCE && thud_node_count(names) == 2;
  for (size_t k = 0; k < 2 && *same; k++) {
    const thud_node *name = thud_node_item(names, k);
    *same = thud_node_get_kind(name) == THUD_NODE_STRING && value[k] >= 0 &&
            value[k] < (double)bodies->material_count &&
            strcmp(bodies->material[(size_t)value[k]], thud_node_string(name)) == 0;
  }
  bool two = friction != NULL && thud_node_get_kind(friction) == THUD_NODE_SEQUENCE;
  thud_error error = compare_numbers(bodies, entry, "friction", two ? 2 : 1, value + 2, same);
  for (size_t k = 0; k < 3 && error == THUD_OK; k++)
    error = compare_numbers(bodies, entry, keys[k], 1, value + 7 + k, same);
  return error;
}

/* Joint `number` has this name; without one in the scene it is joint-1, joint-2 ... */
static bool is_joint(const verify_bodies *bodies, double number, const char *name) {
  char plain[32];
  if (!(number >= 0 && number < (double)bodies->joint_count)) return false;
  snprintf(plain, sizeof plain, "joint-%zu", (size_t)number + 1);
  return strcmp(bodies->joint[(size_t)number].name, name) == 0 || strcmp(plain, name) == 0;
}

/* Joint, coordinate and motor of an event beside what the entry gives; what is left out stays as it was. */
static thud_error compare_joint(verify_bodies *bodies, const thud_node *entry, int kind, const double *value,
                                bool *same) {
  const thud_node *name = thud_node_find(entry, "joint"), *coordinate = thud_node_find(entry, "coordinate");
  bool speed = thud_node_find(entry, "speed") != NULL, position = thud_node_find(entry, "position") != NULL;
  *same = name != NULL && thud_node_get_kind(name) == THUD_NODE_STRING &&
          is_joint(bodies, value[0], thud_node_string(name));
  if (kind != VERIFY_CHANGE_MOTOR || !*same) return THUD_OK;
  const verify_joint *joint = &bodies->joint[(size_t)value[0]];
  bool named = coordinate != NULL && thud_node_get_kind(coordinate) == THUD_NODE_STRING;
  if (!(value[1] >= 0 && value[1] < VERIFY_LAWS)) *same = false;
  if (*same && coordinate == NULL) *same = value[1] == 0;
  if (*same && coordinate != NULL)
    *same = named && thud_verify_is_coordinate(joint, (int)value[1], thud_node_string(coordinate));
  if (speed || position)
    *same = *same && value[3] == 0 && value[2] == (double)(speed ? VERIFY_MOTOR_SPEED : VERIFY_MOTOR_POSITION);
  thud_error error = compare_numbers(bodies, entry, speed ? "speed" : "position", 1, value + 4, same);
  return error == THUD_OK ? compare_numbers(bodies, entry, "at_most", 1, value + 5, same) : error;
}

/* A flag of the entry that is given and true. */
static bool has_flag(const thud_node *entry, const char *key) {
  const thud_node *node = thud_node_find(entry, key);
  return node != NULL && thud_node_get_kind(node) == THUD_NODE_BOOL && thud_node_bool(node);
}

/* The event says what the entry of the scene does. */
static thud_error compare_entry(verify_bodies *bodies, const thud_node *entry, int kind, const verify_rigid *body,
                                const double *value, size_t count, bool *same) {
  size_t d = bodies->planar ? 2 : 3, s = bodies->planar ? 1 : 3, q = bodies->planar ? 1 : 4;
  thud_error error = THUD_OK;
  *same = true;
  if ((kind == VERIFY_CHANGE_ADD || kind == VERIFY_CHANGE_STATE) && count == 2 * d + q + s) {
    error = compare_place(bodies, entry, body, value, same);
    if (error == THUD_OK) error = compare_numbers(bodies, entry, "velocity", d, value + d + q, same);
    return error == THUD_OK ? compare_numbers(bodies, entry, "spin", s, value + 2 * d + q, same) : error;
  }
  if (kind == VERIFY_CHANGE_IMPULSE && count == 2 * d + s) {
    error = compare_numbers(bodies, entry, "impulse", d, value, same);
    if (error == THUD_OK) error = compare_numbers(bodies, entry, "moment", s, value + d, same);
    return error == THUD_OK ? compare_lever(bodies, entry, body, true, value + d + s, same) : error;
  }
  if (kind >= VERIFY_CHANGE_DETACH && count == (kind == VERIFY_CHANGE_MOTOR ? 6 : 1))
    return compare_joint(bodies, entry, kind, value, same);
  if (kind == VERIFY_CHANGE_PAIR && count == 10) return compare_pair(bodies, entry, value, same);
  if (kind == VERIFY_CHANGE_FORCE && count == 2 * d + s + 1) {
    *same = has_flag(entry, "lasting") == (value[count - 1] != 0);
    error = compare_numbers(bodies, entry, "force", d, value, same);
    if (error == THUD_OK) error = compare_numbers(bodies, entry, "torque", s, value + d, same);
    return error == THUD_OK ? compare_lever(bodies, entry, body, false, value + d + s, same) : error;
  }
  const thud_node *material = thud_node_find(entry, "material");
  if (kind == VERIFY_CHANGE_MATERIAL && count == 2 && material != NULL &&
      thud_node_get_kind(material) == THUD_NODE_STRING)
    *same = value[1] >= 0 && value[1] < (double)bodies->material_count &&
            strcmp(bodies->material[(size_t)value[1]], thud_node_string(material)) == 0;
  if (kind == VERIFY_CHANGE_MATERIAL && count == 2 && thud_node_find(entry, "part") == NULL)
    *same = *same && value[0] < 0;
  else if (kind == VERIFY_CHANGE_MATERIAL && count == 2)
    return compare_numbers(bodies, entry, "part", 1, value, same);
  return THUD_OK;
}

static const char *text_of(const thud_node *entry, const char *key) {
  const thud_node *node = thud_node_get_kind(entry) == THUD_NODE_MAP ? thud_node_find(entry, key) : NULL;
  return node != NULL && thud_node_get_kind(node) == THUD_NODE_STRING ? thud_node_string(node) : "";
}

/* An event of the kind and the body of the entry, at the first node that is not before its time. */
static thud_error find_event(verify_bodies *bodies, const thud_node *entry, const verify_body_events *events, double at,
                             double h, bool *found) {
  static const char *const words[] = {"add",      "remove", "set",    "impulse", "force", "release",
                                      "material", "pair",   "detach", "attach",  "motor"};
  const char *word = text_of(entry, "do"), *name = text_of(entry, "body");
  thud_error error = THUD_OK;
  *found = false;
  for (size_t k = 0; k < events->count && !*found && error == THUD_OK; k++) {
    int kind = (int)events->kind[k] - VERIFY_CHANGE_ADD;
    bool due = events->t[k] >= at - 1e-6 * h && events->t[k] < at + (1 - 1e-6) * h;
    if (kind < 0 || !due || strcmp(words[kind], word) != 0) continue;
    const double *who = verify_ragged_row(&events->bodies, k);
    bool of_body = verify_ragged_count(&events->bodies, k) == 1 && who[0] >= 0 && who[0] < (double)bodies->count &&
                   strcmp(bodies->body[(size_t)who[0]].name, name) == 0;
    if (of_body || kind + VERIFY_CHANGE_ADD >= VERIFY_CHANGE_PAIR)
      error = compare_entry(bodies, entry, kind + VERIFY_CHANGE_ADD, of_body ? &bodies->body[(size_t)who[0]] : NULL,
                            verify_ragged_row(&events->values, k), verify_ragged_count(&events->values, k), found);
  }
  return error;
}

thud_error thud_verify_body_scene_changes(verify_bodies *bodies, const thud_node *root,
                                          const verify_body_events *events, double h, double reached,
                                          const double *when, thud_verify_check *check) {
  const thud_node *list = thud_node_find(root, "changes");
  thud_error error = THUD_OK;
  if (list == NULL || !events->usable) return THUD_OK;
  for (size_t k = 0; k < thud_node_count(list) && error == THUD_OK; k++) {
    const thud_node *entry = thud_node_item(list, k), *time = NULL;
    bool found = false;
    double at = when != NULL ? when[k] : (double)NAN;
    bool conditional = thud_node_find(entry, "when") != NULL;
    if (conditional && !(at < reached)) continue; /* it holds nowhere, or not before the last row */
    if (!conditional) error = thud_node_require(entry, "at", &time);
    if (!conditional && error == THUD_OK) error = thud_verify_read_constant(&bodies->scene, time, &at);
    if (error == THUD_OK && !conditional && at + h > reached) continue; /* its step is not in the record */
    if (error == THUD_OK) error = find_event(bodies, entry, events, at, h, &found);
    if (error == THUD_OK && !found)
      thud_verify_fail(check, at, SIZE_MAX,
                       "the change '%s' %s%s of the scene is not among the events, or is another one",
                       text_of(entry, "do"), text_of(entry, "body")[0] != '\0' ? "of " : "", text_of(entry, "body"));
  }
  if (error == THUD_OK || error == THUD_ERROR_MEMORY) return error;
  thud_verify_fail(check, NAN, SIZE_MAX, "the changes of the scene cannot be used: %s",
                   thud_context_last_message(bodies->scene.context));
  return THUD_OK;
}
