/* Joints, by formulas of their own: where the scene puts them, how far they are open, how fast they would open, and whether
 * their forces are such as a joint of that kind can have.
 *
 * P_a and P_b are the points, d = P_b - P_a, a and b the axes on either body (x the axis of the joint). Conditions:
 *   e.d = 0, e an axis of a     at the rate e.(v_b - v_a + w_b x r_b - w_a x r_a) + (w_a x e).d
 *   e.f = 0, f an axis of b     at the rate (w_a x e).f + e.(w_b x f)
 *   |d| = length                at the rate of d along it */
#include "verify/bodies/verify_bodies_joints.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST = VERIFY_JOINT_MOST };

/* Joints are closed up to this part of their levers. */
static const double CLOSED = 1e-9;
/* Rates that conditions which depend on others may have, beside how far joints are open at the midpoint; those of rounding alone. */
static const double TURNED = 30, NEARLY = 1e-4;

/* ---- the scene ------------------------------------------------------------------------------------------------------- */

static const char *const kinds[] = {"ball", "hinge", "slider", "cylindrical", "universal", "planar", "fixed",
                                    "rod",  "screw", "gear",   "rack",        "pulley",    "rope",   NULL};

static bool has(const thud_node *node, const char *key) { return thud_node_find(node, key) != NULL; }

/* The frame of a body at the start. */
static thud_error frame_at_start(verify_build *build, size_t i, thud_vec3 *x, thud_quat *q) {
  const verify_bodies *bodies = build->bodies;
  const verify_rigid *body = &bodies->body[i];
  if (body->path == NULL || body->path->told) {
    *q = body->q;
    *x = thud_vec3_subtract(body->x, thud_quat_rotate(body->q, body->centre));
    return THUD_OK;
  }
  double out[8];
  double *variables =
      THUD_NEW_ARRAY(build->context, double, (size_t)thud_expr_scope_variable_count(bodies->scene.scope) + 1);
  if (variables == NULL) return THUD_ERROR_MEMORY;
  variables[bodies->scene.time_slot] = bodies->scene.start;
  thud_expr_work_evaluate(body->path->work, variables, out);
  *x = thud_vec3_load(out);
  *q = thud_quat_from_rotation_vector(thud_vec3_scale(out[3], body->path->axis));
  thud_free(build->context, variables);
  return THUD_OK;
}

/* Axes with this first one: of all such the ones that the smallest turn of the world's axes gives. */
static thud_mat3 axes_of(const verify_build *build, thud_vec3 x) {
  if (build->bodies->planar) return thud_mat3_columns(x, thud_vec3_make(-x.y, x.x, 0), thud_vec3_make(0, 0, 1));
  double k = 1 + x.x; /* Rodrigues' formula for the turn of (1, 0, 0) into x */
  if (!(k > 5e-13))
    return thud_mat3_columns(thud_vec3_make(-1, 0, 0), thud_vec3_make(0, -1, 0), thud_vec3_make(0, 0, 1));
  return thud_mat3_columns(x, thud_vec3_make(-x.y, 1 - x.y * x.y / k, -x.y * x.z / k),
                           thud_vec3_make(-x.z, -x.y * x.z / k, 1 - x.z * x.z / k));
}

/* Axes with this first one, whose second is the part of y across it. */
static thud_mat3 axes_towards(thud_vec3 x, thud_vec3 y) {
  thud_vec3 z = thud_vec3_cross(x, y);
  z = thud_vec3_scale(1 / fmax(thud_vec3_norm(z), DBL_MIN), z);
  return thud_mat3_columns(x, thud_vec3_cross(z, x), z);
}

typedef struct placing {
  thud_vec3 x[2];
  thud_quat q[2];
  thud_mat3 R[2];
} placing;

static thud_error place_points(verify_build *build, const thud_node *node, const placing *p, verify_joint *joint) {
  thud_vec3 world = p->x[0], at[2] = {{0, 0, 0}, {0, 0, 0}};
  bool rod = joint->kind == VERIFY_JOINT_ROD || joint->kind == VERIFY_JOINT_ROPE;
  bool ends = rod || joint->kind == VERIFY_JOINT_GEAR || joint->kind == VERIFY_JOINT_PULLEY;
  bool given[2] = {has(node, "at_a"), has(node, "at_b")};
  thud_error error = thud_verify_given_vector(build, node, "at", &world);
  if (error == THUD_OK) error = thud_verify_given_vector(build, node, "at_a", &at[0]);
  if (error == THUD_OK) error = thud_verify_given_vector(build, node, "at_b", &at[1]);
  if (error != THUD_OK) return error;
  for (int k = 1; k >= 0; k--)
    if (given[k]) world = thud_vec3_add(p->x[k], thud_mat3_apply(p->R[k], at[k]));
  for (int k = 0; k < 2; k++)
    if (!ends && !given[k]) at[k] = thud_mat3_apply_transposed(p->R[k], thud_vec3_subtract(world, p->x[k]));
  joint->at_a = at[0];
  joint->at_b = at[1];
  thud_vec3 a = thud_vec3_add(p->x[0], thud_mat3_apply(p->R[0], at[0]));
  thud_vec3 b = thud_vec3_add(p->x[1], thud_mat3_apply(p->R[1], at[1]));
  joint->length = rod ? thud_vec3_distance(a, b) : 0;
  return rod ? thud_verify_given_number(build, node, "length", &joint->length) : THUD_OK;
}

static thud_error given_axis(verify_build *build, const thud_node *node, const char *key, thud_vec3 *axis) {
  thud_error error = thud_verify_given_vector(build, node, key, axis);
  *axis = thud_vec3_scale(1 / fmax(thud_vec3_norm(*axis), DBL_MIN), *axis);
  return error;
}

static double radius_of_gyration(const verify_rigid *body) {
  return body->mass > 0 ? sqrt(thud_mat3_trace(body->inertia) / body->mass) : 0;
}

static thud_error place_axes(verify_build *build, const thud_node *node, const placing *p, verify_joint *joint) {
  thud_vec3 first = {1, 0, 0}, second = {1, 0, 0};
  bool two = joint->kind == VERIFY_JOINT_UNIVERSAL || joint->kind == VERIFY_JOINT_RACK;
  bool has_second = has(node, "axis_b") || has(node, "across") || has(node, "along");
  thud_error error = given_axis(build, node, "axis", &first);
  if (error == THUD_OK) error = given_axis(build, node, "axis_a", &first);
  if (error == THUD_OK) error = given_axis(build, node, "axis_b", &second);
  if (error == THUD_OK) error = given_axis(build, node, "across", &second);
  if (error == THUD_OK) error = given_axis(build, node, "along", &second);
  if (error != THUD_OK) return error;
  if (has(node, "axis_a")) first = thud_mat3_apply(p->R[0], first);
  if (has(node, "axis_b")) second = thud_mat3_apply(p->R[1], second);
  if (has_second && !two && !has(node, "axis") && !has(node, "axis_a")) first = second;
  thud_mat3 A = axes_of(build, first), B = A;
  if (joint->kind == VERIFY_JOINT_UNIVERSAL) {
    A = axes_towards(first, second);
    B = axes_towards(second, first);
  } else if (joint->kind == VERIFY_JOINT_PLANAR && has(node, "along")) {
    A = B = axes_towards(first, second);
  } else if (has_second)
    B = thud_mat3_multiply(A, axes_of(build, thud_mat3_apply_transposed(A, second)));
  joint->in_a = thud_mat3_multiply(thud_mat3_transpose(p->R[0]), A);
  joint->in_b = thud_mat3_multiply(thud_mat3_transpose(p->R[1]), B);
  return THUD_OK;
}

thud_error thud_verify_read_joint(verify_build *build, const thud_node *node) {
  verify_bodies *bodies = build->bodies;
  verify_joint joint = {.b = SIZE_MAX};
  placing p = {.q = {thud_quat_identity(), thud_quat_identity()}};
  const thud_node *kind;
  int number = 0;
  thud_error error = thud_node_require(node, "joint", &kind);
  if (error == THUD_OK) error = thud_node_read_choice(kind, kinds, &number);
  if (error == THUD_OK) error = thud_verify_given_name(node, "a", &build->names, "body", &joint.a);
  if (error == THUD_OK) error = thud_verify_given_name(node, "b", &build->names, "body", &joint.b);
  if (error == THUD_OK) error = frame_at_start(build, joint.a, &p.x[0], &p.q[0]);
  if (error == THUD_OK && joint.b != SIZE_MAX) error = frame_at_start(build, joint.b, &p.x[1], &p.q[1]);
  for (int k = 0; k < 2; k++) p.R[k] = thud_quat_to_matrix(p.q[k]);
  joint.kind = (verify_joint_kind)number;
  if (error == THUD_OK) error = place_points(build, node, &p, &joint);
  if (error == THUD_OK) error = place_axes(build, node, &p, &joint);
  if (error == THUD_OK) error = thud_verify_read_coupling(build, node, &joint, p.x, p.q);
  if (error == THUD_OK) error = thud_verify_given_flag(node, "touch", &joint.touch);
  if (error == THUD_OK) error = thud_verify_given_flag(node, "absent", &joint.off);
  joint.name = "joint";
  joint.named = has(node, "name");
  if (error == THUD_OK && joint.named) error = thud_node_read_string(thud_node_find(node, "name"), &joint.name);
  if (error == THUD_OK) error = thud_verify_read_joint_laws(build, node, &joint);
  if (error == THUD_OK)
    error = thud_array_reserve(build->context, &bodies->joint, &build->joint_capacity, bodies->joint_count + 1,
                               sizeof *bodies->joint);
  if (error != THUD_OK) return error;
  joint.size = radius_of_gyration(&bodies->body[joint.a]);
  if (joint.b != SIZE_MAX) joint.size += radius_of_gyration(&bodies->body[joint.b]);
  joint.at_a = thud_vec3_subtract(joint.at_a, bodies->body[joint.a].centre);
  if (joint.b != SIZE_MAX) joint.at_b = thud_vec3_subtract(joint.at_b, bodies->body[joint.b].centre);
  bodies->joint[bodies->joint_count++] = joint;
  return THUD_OK;
}

/* ---- conditions ------------------------------------------------------------------------------------------------------ */

typedef verify_joint_placed placed;
typedef verify_joint_condition condition;

placed thud_verify_joint_place(const verify_joint *joint, const verify_body_state *state) {
  const verify_body_state *a = &state[joint->a], *b = joint->b != SIZE_MAX ? &state[joint->b] : NULL;
  placed p;
  p.r[0] = thud_quat_rotate(a->q, joint->at_a);
  p.P[0] = thud_vec3_add(a->x, p.r[0]);
  p.r[1] = b != NULL ? thud_quat_rotate(b->q, joint->at_b) : joint->at_b;
  p.P[1] = b != NULL ? thud_vec3_add(b->x, p.r[1]) : joint->at_b;
  p.R[0] = thud_mat3_multiply(thud_quat_to_matrix(a->q), joint->in_a);
  p.R[1] = b != NULL ? thud_mat3_multiply(thud_quat_to_matrix(b->q), joint->in_b) : joint->in_b;
  p.d = thud_vec3_subtract(p.P[1], p.P[0]);
  p.lever = joint->size + thud_vec3_norm(p.r[0]) + joint->length + (b != NULL ? thud_vec3_norm(p.r[1]) : 0);
  if (joint->kind != VERIFY_JOINT_PULLEY) p.lever += fabs(joint->k[0]);
  if (joint->kind == VERIFY_JOINT_GEAR) p.lever += fabs(joint->k[1]);
  return p;
}

static void set_rates(condition *c, thud_vec3 v_a, thud_vec3 w_a, thud_vec3 v_b, thud_vec3 w_b) {
  thud_vec3_store(v_a, c->rate);
  thud_vec3_store(w_a, c->rate + 3);
  thud_vec3_store(v_b, c->rate + 6);
  thud_vec3_store(w_b, c->rate + 9);
}

condition thud_verify_joint_together(const placed *p, thud_vec3 e) {
  condition c = {.value = thud_vec3_dot(e, p->d)};
  thud_vec3 of_a = thud_vec3_subtract(thud_vec3_cross(e, p->d), thud_vec3_cross(p->r[0], e));
  set_rates(&c, thud_vec3_negate(e), of_a, e, thud_vec3_cross(p->r[1], e));
  return c;
}

static condition square(thud_vec3 e, thud_vec3 f) {
  condition c = {.value = thud_vec3_dot(e, f), .angle = true};
  thud_vec3 none = {0, 0, 0};
  set_rates(&c, none, thud_vec3_cross(e, f), none, thud_vec3_cross(f, e));
  return c;
}

condition thud_verify_joint_apart(const placed *p, double length) {
  double size = thud_vec3_norm(p->d);
  condition c = {.value = size - length};
  thud_vec3 n = thud_vec3_scale(1 / fmax(size, DBL_MIN), p->d);
  set_rates(&c, thud_vec3_negate(n), thud_vec3_cross(n, p->r[0]), n, thud_vec3_cross(p->r[1], n));
  return c;
}

/* Axes along which points stay together, pairs of axes that stay square: letters of a, of b. */
size_t thud_verify_joint_conditions(const verify_joint *joint, bool planar, const placed *p, condition *c) {
  static const char *const space[][2] = {{"xyz", ""},       {"xyz", "xyxz"}, {"yz", "xyxzyz"},
                                         {"yz", "xyxz"},    {"xyz", "xx"},   {"x", "xyxz"},
                                         {"xyz", "xyxzyz"}, {"", ""},        {"yz", "xyxz"}};
  static const char *const plane[][2] = {{"xy", ""}, {"xy", ""},   {"y", "xy"}, {"", ""}, {"", ""},
                                         {"", ""},   {"xy", "xy"}, {"", ""},    {"", ""}};
  size_t count = 0;
  if (verify_is_loose(joint)) return 0;
  if (joint->kind == VERIFY_JOINT_ROD) {
    c[0] = thud_verify_joint_apart(p, joint->length);
    return 1;
  }
  if (thud_verify_is_coupling(joint)) c[count++] = thud_verify_coupling_condition(joint, planar, p);
  if (joint->kind > VERIFY_JOINT_SCREW) return count;
  const char *const *form = planar ? plane[joint->kind] : space[joint->kind];
  for (const char *at = form[0]; *at != '\0'; at++)
    c[count++] = thud_verify_joint_together(p, *at == 'x' ? p->R[0].cx : *at == 'y' ? p->R[0].cy : p->R[0].cz);
  for (const char *at = form[1]; *at != '\0'; at += 2) {
    thud_vec3 e = at[0] == 'x' ? p->R[0].cx : p->R[0].cy;
    thud_vec3 f = at[1] == 'x' ? p->R[1].cx : at[1] == 'y' ? p->R[1].cy : p->R[1].cz;
    c[count++] = square(e, f);
  }
  return count;
}

/* ---- impulses -------------------------------------------------------------------------------------------------------- */

void thud_verify_joint_impulse(const verify_body_step *step, size_t k, int side, bool answer, thud_vec3 *impulse,
                               thud_vec3 *moment) {
  const verify_joint *joint = &step->bodies->joint[k];
  const verify_body_row *row = step->row;
  double h = row->step;
  thud_vec3 force = answer ? row->answer_force[k] : row->joint_force[k];
  thud_vec3 about = answer ? row->answer_moment[k] : row->joint_moment[k];
  placed p = thud_verify_joint_place(joint, step->middle);
  thud_vec3 centre = side == 0 ? step->middle[joint->a].x : step->middle[joint->b].x;
  if (side == 1 && joint->kind == VERIFY_JOINT_PULLEY) { /* the world bears the rest */
    force = thud_verify_pulley_force(joint, &p, force);
    about = (thud_vec3){0, 0, 0};
  }
  about = thud_vec3_add(about, thud_vec3_cross(thud_vec3_subtract(p.P[1], centre), force));
  *impulse = thud_vec3_scale(side == 0 ? h : -h, force);
  *moment = thud_vec3_scale(side == 0 ? h : -h, about);
}

/* ---- levers ---------------------------------------------------------------------------------------------------------- */

double thud_verify_joint_lever(const verify_joint *joint, const verify_body_state *state) {
  return thud_verify_joint_place(joint, state).lever;
}

void thud_verify_joint_extent(verify_bodies *bodies, const verify_body_state *state) {
  bodies->extent = 0;
  for (size_t k = 0; k < bodies->joint_count; k++)
    bodies->extent = fmax(bodies->extent, thud_verify_joint_lever(&bodies->joint[k], state));
}

/* ---- gaps ------------------------------------------------------------------------------------------------------------ */

void thud_verify_joint_gaps(const verify_bodies *bodies, const verify_body_row *row, thud_verify_check *check) {
  double worst = 0;
  for (size_t k = 0; k < bodies->joint_count; k++) {
    const verify_joint *joint = &bodies->joint[k];
    condition c[MOST];
    if (joint->off || row->absent[joint->a] || (joint->b != SIZE_MAX && row->absent[joint->b])) continue;
    placed p = thud_verify_joint_place(joint, row->end);
    size_t count = thud_verify_joint_conditions(joint, bodies->planar, &p, c);
    double rounding = VERIFY_SUMS * (thud_vec3_norm(p.P[0]) + thud_vec3_norm(p.P[1]) +
                                     thud_verify_coupling_size(joint) + bodies->extent);
    for (size_t r = 0; r < count; r++) {
      if (!c[r].angle) worst = fmax(worst, fabs(c[r].value));
      if (thud_verify_tally(check, fabs(c[r].value), c[r].angle ? CLOSED : CLOSED * p.lever + rounding, 0, row->t,
                            row->number))
        thud_verify_explain(check, "opening of '%s'", joint->name);
    }
  }
  if (bodies->joint_count == 0 || row->number == 0) return;
  double size = 0;
  for (size_t i = 0; i < bodies->count; i++) size = fmax(size, thud_vec3_norm(row->end[i].x));
  if (thud_verify_tally(check, fabs(worst - row->joint_gap), CLOSED * (1 + size), 0, row->t, row->number))
    thud_verify_explain(check, "largest gap of all joints");
}

double thud_verify_joint_opening(const verify_bodies *bodies, const verify_body_state *state) {
  double sum = 0;
  for (size_t k = 0; k < bodies->joint_count; k++) {
    const verify_joint *joint = &bodies->joint[k];
    condition c[MOST];
    if (!verify_joint_holds(bodies, joint)) continue;
    placed p = thud_verify_joint_place(joint, state);
    size_t count = thud_verify_joint_conditions(joint, bodies->planar, &p, c);
    for (size_t r = 0; r < count; r++) sum += fabs(c[r].value) * (c[r].angle ? p.lever : 1);
    sum += VERIFY_SUMS * (p.lever + thud_vec3_norm(p.P[0]) + thud_vec3_norm(p.P[1]));
  }
  return sum;
}

/* ---- the step -------------------------------------------------------------------------------------------------------- */

/* Velocities of both bodies of a joint; of the world 0. */
typedef struct motion_of_two {
  thud_vec3 v[2], w[2];
} motion_of_two;

static motion_of_two motion_in(const verify_joint *joint, const verify_body_state *state) {
  motion_of_two m = {.v = {state[joint->a].v}, .w = {state[joint->a].w}};
  if (joint->b == SIZE_MAX) return m;
  m.v[1] = state[joint->b].v;
  m.w[1] = state[joint->b].w;
  return m;
}

/* Without the impulses of contacts and what answers to them. */
static motion_of_two free_motion(const verify_body_step *step, const verify_joint *joint) {
  motion_of_two m = {.v = {step->v_free[joint->a]}, .w = {step->w_free[joint->a]}};
  if (joint->b == SIZE_MAX) return m;
  m.v[1] = step->v_free[joint->b];
  m.w[1] = step->w_free[joint->b];
  return m;
}

static double rate_of(const condition *c, motion_of_two m, double *size) {
  double rate = 0;
  for (int side = 0; side < 2; side++) {
    thud_vec3 along = thud_vec3_load(c->rate + 6 * (size_t)side),
              about = thud_vec3_load(c->rate + 6 * (size_t)side + 3);
    rate += thud_vec3_dot(along, m.v[side]) + thud_vec3_dot(about, m.w[side]);
    *size += thud_vec3_norm(along) * thud_vec3_norm(m.v[side]) + thud_vec3_norm(about) * thud_vec3_norm(m.w[side]);
  }
  return rate;
}

/* Velocities that impulses on the bodies of a joint cancel, at its point. */
static double given_speed(const verify_body_step *step, const verify_joint *joint, const placed *p) {
  const size_t ends[2] = {joint->a, joint->b};
  double speed = 0;
  for (int side = 0; side < 2; side++) {
    if (ends[side] == SIZE_MAX || !step->moves[ends[side]]) continue;
    double impulse = step->implicit[ends[side]].impulse, radius = thud_vec3_norm(p->r[side]);
    double turning = thud_mat3_trace(step->bodies->body[ends[side]].inverse) * radius * radius;
    speed += impulse * (1 / step->bodies->body[ends[side]].mass + turning);
  }
  return speed;
}

/* How far the condition is open at the midpoint, beside its joint. */
static double openness(const condition *c, const placed *p) {
  return c->angle || !(p->lever > 0) ? fabs(c->value) : fabs(c->value) / p->lever;
}

/* The rates before and after the impulses are opposite to each other, or both add up to that at the node before; so are those
 * without contacts. Conditions that depend on others may be left out; from the node, where the others imply them, to the midpoint they
 * turn by `turn` at most, and where joints are open by about as much: how many break the rule counts (verify_bodies_rank.c). */
static void check_rates(const verify_body_step *step, const verify_joint *joint, const placed *p, size_t count,
                        const condition *c, double turn, size_t *broken, size_t loose, thud_verify_check *check) {
  condition before[MOST];
  placed node = thud_verify_joint_place(joint, step->before);
  thud_verify_joint_conditions(joint, step->bodies->planar, &node, before);
  motion_of_two first = motion_in(joint, step->middle), last = motion_in(joint, step->after);
  motion_of_two alone = free_motion(step, joint);
  double spins = 0;
  for (int side = 0; side < 2; side++) spins += thud_vec3_norm(first.w[side]) + thud_vec3_norm(last.w[side]);
  for (size_t r = 0; r < count; r++) {
    double size = 0, start = rate_of(&c[r], first, &size);
    double jolted = rate_of(&before[r], motion_in(joint, step->before), &size);
    double sums[2] = {start + rate_of(&c[r], last, &size), start + rate_of(&c[r], alone, &size)};
    double error = fmax(fmin(fabs(sums[0]), fabs(sums[0] - jolted)), fmin(fabs(sums[1]), fabs(sums[1] - jolted)));
    double tolerance = VERIFY_SUMS * (size + given_speed(step, joint, p));
    double turned = (size + spins * (c[r].angle ? 1 : p->lever)) * turn;
    bool breaks = error > tolerance;
    *broken += breaks;
    if (breaks && *broken <= loose && error <= turned) continue;
    if (thud_verify_tally(check, error, tolerance, 0, step->row->t, step->row->number))
      thud_verify_explain(check, "rate of '%s'", joint->name);
  }
}

static double project_out(size_t n, const double *q, double *x) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += q[i] * x[i];
  for (size_t i = 0; i < n && sum != 0; i++) x[i] -= sum * q[i];
  return sum;
}

/* What is left of force and moment on body a without what the conditions can give. */
static void check_kind(const verify_body_step *step, size_t k, const placed *p, size_t count, const condition *c,
                       bool answer, thud_verify_check *check) {
  const verify_joint *joint = &step->bodies->joint[k];
  double scale = p->lever > 0 ? 1 / p->lever : 0, Q[MOST][6], x[6], size = 0, left = 0;
  thud_vec3 force, moment;
  size_t kept = 0;
  thud_verify_joint_impulse(step, k, 0, answer, &force, &moment);
  thud_vec3_store(force, x);
  thud_vec3_store(thud_vec3_scale(scale, moment), x + 3);
  if (!(p->lever > 0)) memset(x + 3, 0, 3 * sizeof *x);
  for (int i = 0; i < 6; i++) size += x[i] * x[i];
  for (size_t r = 0; r < count; r++) {
    double *q = Q[kept], norm = 0, whole = 0;
    for (int i = 0; i < 6; i++) q[i] = c[r].rate[i] * (i < 3 ? 1 : p->lever > 0 ? scale : 0);
    for (int i = 0; i < 6; i++) whole += q[i] * q[i];
    for (int pass = 0; pass < 2; pass++)
      for (size_t j = 0; j < kept; j++) project_out(6, Q[j], q);
    for (int i = 0; i < 6; i++) norm += q[i] * q[i];
    if (!(norm > 1e-20 * whole)) continue;
    for (int i = 0; i < 6; i++) q[i] /= sqrt(norm);
    kept++;
  }
  for (int pass = 0; pass < 2; pass++)
    for (size_t j = 0; j < kept; j++) project_out(6, Q[j], x);
  for (int i = 0; i < 6; i++) left += x[i] * x[i];
  double places = 1 + scale * (thud_vec3_norm(p->P[0]) + thud_vec3_norm(p->P[1]));
  if (thud_verify_tally(check, sqrt(left), VERIFY_SUMS * places * sqrt(size), 0, step->row->t, step->row->number))
    thud_verify_explain(check, "force of '%s' along what it leaves free", joint->name);
}

/* Sizes of all impulses on bodies with joints. */
static void find_sizes(const verify_body_step *step) {
  const verify_bodies *bodies = step->bodies;
  const verify_body_row *row = step->row;
  for (size_t i = 0; i < bodies->count; i++) {
    double weight = fabs(bodies->body[i].gravity_scale) * thud_vec3_norm(bodies->gravity) * bodies->body[i].mass;
    step->implicit[i].impulse = row->step * (step->size[2 * i] + weight);
  }
  for (size_t k = 0; k < row->contact_count; k++) {
    step->implicit[row->contact[k].a].impulse += thud_vec3_norm(row->contact[k].impulse);
    step->implicit[row->contact[k].b].impulse += thud_vec3_norm(row->contact[k].impulse);
  }
  for (size_t k = 0; k < bodies->joint_count; k++) {
    double size = row->step * (thud_vec3_norm(row->joint_force[k]) + thud_vec3_norm(row->answer_force[k]));
    double lever = thud_verify_joint_lever(&bodies->joint[k], step->middle);
    if (lever > 0)
      size += row->step * (thud_vec3_norm(row->joint_moment[k]) + thud_vec3_norm(row->answer_moment[k])) / lever;
    for (int c = 0; c < bodies->joint[k].law_count; c++) {
      const verify_law_row *law = &row->law[bodies->joint[k].first_law + (size_t)c];
      double of_law = row->step * (fabs(law->motor) + fabs(law->friction)) + fabs(law->limit);
      size += !verify_is_angle(bodies->joint[k].law[c].kind) ? of_law : lever > 0 ? of_law / lever : 0;
    }
    step->implicit[bodies->joint[k].a].impulse += size;
    if (bodies->joint[k].b != SIZE_MAX) step->implicit[bodies->joint[k].b].impulse += size;
  }
}

/* Rates of all joints; returns how many conditions break the rule, of which `loose` are accepted. */
static size_t check_all_rates(const verify_body_step *step, double turn, size_t loose, thud_verify_check *check) {
  const verify_bodies *bodies = step->bodies;
  size_t broken = 0;
  for (size_t k = 0; k < bodies->joint_count; k++) {
    const verify_joint *joint = &bodies->joint[k];
    condition c[MOST];
    if (!verify_joint_holds(bodies, joint)) continue;
    placed p = thud_verify_joint_place(joint, step->middle);
    size_t count = thud_verify_joint_conditions(joint, bodies->planar, &p, c);
    check_rates(step, joint, &p, count, c, turn, &broken, loose, check);
  }
  return broken;
}

/* Most of all joints at the midpoint. */
static double find_openness(const verify_body_step *step) {
  double most = 0;
  for (size_t k = 0; k < step->bodies->joint_count; k++) {
    const verify_joint *joint = &step->bodies->joint[k];
    condition c[MOST];
    if (!verify_joint_holds(step->bodies, joint)) continue;
    placed p = thud_verify_joint_place(joint, step->middle);
    size_t count = thud_verify_joint_conditions(joint, step->bodies->planar, &p, c);
    for (size_t r = 0; r < count; r++) most = fmax(most, openness(&c[r], &p));
  }
  return most;
}

/* By how much conditions may turn from the node to the midpoint, and against those of closed joints. */
static double find_turn(const verify_body_step *step, double open) {
  double spin = 0;
  for (size_t i = 0; i < step->bodies->count; i++)
    if (step->moves[i]) spin = fmax(spin, fmax(thud_vec3_norm(step->middle[i].w), thud_vec3_norm(step->after[i].w)));
  return fmax(fmax(TURNED * open, step->row->step * spin), NEARLY);
}

static void check_force(const verify_body_step *step, size_t k, thud_verify_check *check) {
  const verify_joint *joint = &step->bodies->joint[k];
  condition c[MOST];
  if (!verify_joint_holds(step->bodies, joint)) {
    double force = thud_vec3_norm(step->row->joint_force[k]) + thud_vec3_norm(step->row->joint_moment[k]);
    if (force > 0)
      thud_verify_fail(check, step->row->t, step->row->number, "joint '%s' has a force and does not act", joint->name);
    return;
  }
  placed p = thud_verify_joint_place(joint, step->middle);
  size_t count = thud_verify_joint_conditions(joint, step->bodies->planar, &p, c);
  check_kind(step, k, &p, count, c, false, check);
  check_kind(step, k, &p, count, c, true, check);
}

thud_error thud_verify_joint_step(thud_context *context, const verify_body_step *step, thud_verify_check *check) {
  thud_verify_check trial = {0}; /* only where something breaks the rule ranks matter */
  size_t loose = 0;
  if (step->bodies->joint_count == 0) return THUD_OK;
  find_sizes(step);
  double open = find_openness(step), turn = find_turn(step, open);
  if (check_all_rates(step, turn, 0, &trial) > 0) {
    thud_error error = thud_verify_joint_loose(context, step, open, &loose);
    if (error != THUD_OK) return error;
  }
  check_all_rates(step, turn, loose, check);
  for (size_t k = 0; k < step->bodies->joint_count; k++) check_force(step, k, check);
  return THUD_OK;
}
