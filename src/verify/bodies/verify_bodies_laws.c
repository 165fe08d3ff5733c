/* Limits, motors and friction at the coordinates of joints, by formulas of their own (springs: verify_bodies_joint_springs.c).
 *
 * A coordinate x of body a beside body b: the angle about the axis, the shift of P_a along the axis of a, the distance of the
 * points. With Q the impulse of a law on x over the step, its bodies get Q dx/dq at the midpoint, and with u the rate of x:
 *   motor     |Q| <= h at_most, u+ = target inside, u+ on the side of the target where the bound keeps it
 *   friction  |Q| <= h bound, u+ = 0 inside, Q u+ <= 0
 *   limit     Q away from it, u+ + w >= 0, 0 where Q acts, u the rate at which the gap opens */
#include "verify/bodies/verify_bodies_joints.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;
/* Forces at their bounds, and bounds of pins beside the forces of their joints, agree up to this. */
static const double AT_BOUND = 1e-8;
/* A gap below this part of the lengths is closed; where rounding decides, both are right. */
static const double CLOSED = 1e-12, TIE = 1e-6;

/* ---- the scene ------------------------------------------------------------------------------------------------------- */

static bool has(const thud_node *node, const char *key) { return thud_node_find(node, key) != NULL; }

/* The coordinates of a joint, and the sections of its entry that have their laws. */
static verify_coordinate kind_of(const verify_bodies *bodies, const verify_joint *joint, int c) {
  static const verify_coordinate kinds[VERIFY_JOINT_KINDS][VERIFY_LAWS] = {
      [VERIFY_JOINT_BALL] = {VERIFY_SWING, VERIFY_TWIST},
      [VERIFY_JOINT_HINGE] = {VERIFY_ANGLE},
      [VERIFY_JOINT_SLIDER] = {VERIFY_SHIFT},
      [VERIFY_JOINT_CYLINDRICAL] = {VERIFY_SHIFT, VERIFY_ANGLE},
      [VERIFY_JOINT_UNIVERSAL] = {VERIFY_PIN_A, VERIFY_PIN_B},
      [VERIFY_JOINT_PLANAR] = {VERIFY_PLACE_Y, VERIFY_PLACE_Z, VERIFY_ANGLE},
      [VERIFY_JOINT_SCREW] = {VERIFY_ANGLE},
      [VERIFY_JOINT_GEAR] = {VERIFY_OPENING},
      [VERIFY_JOINT_RACK] = {VERIFY_OPENING},
      [VERIFY_JOINT_PULLEY] = {VERIFY_OPENING},
      [VERIFY_JOINT_ROPE] = {VERIFY_DISTANCE}};
  if (joint->kind == VERIFY_JOINT_BALL && bodies->planar) return c == 0 ? VERIFY_ANGLE : VERIFY_NO_COORDINATE;
  return kinds[joint->kind][c];
}

static const char *section_of(const verify_joint *joint, int c) {
  return c == 1 && (joint->kind == VERIFY_JOINT_UNIVERSAL || joint->kind == VERIFY_JOINT_PLANAR) ? "second" : "turning";
}

bool thud_verify_is_coordinate(const verify_joint *joint, int c, const char *name) {
  for (int k = 1; k < VERIFY_LAWS; k++)
    if (joint->law[k].kind != VERIFY_NO_COORDINATE && strcmp(section_of(joint, k), name) == 0) return c == k;
  return c == 0 && strcmp(name, verify_is_angle(joint->law[0].kind) ? "turning" : "sliding") == 0;
}

static thud_error read_limits(verify_build *build, const thud_node *node, verify_joint_law *law) {
  const thud_node *limits = thud_node_find(node, "limits");
  double play = 0;
  thud_error error = thud_verify_given_number(build, node, "clearance", &play);
  if (has(node, "clearance"))
    for (int k = 0; k < 2; k++) {
      law->limited[k] = true;
      law->limit[k] = law->start + (k == 0 ? -0.5 : 0.5) * play;
    }
  for (size_t k = 0; limits != NULL && k < 2 && error == THUD_OK; k++) {
    const thud_node *item = thud_node_item(limits, k);
    if (item == NULL || thud_node_get_kind(item) == THUD_NODE_NULL) continue;
    error = thud_verify_read_constant(build->scene, item, &law->limit[k]);
    law->limited[k] = true;
  }
  return error == THUD_OK ? thud_verify_given_number(build, node, "restitution", &law->e) : error;
}

static thud_error read_drives(verify_build *build, const thud_node *node, verify_joint_law *law) {
  const thud_node *motor = thud_node_find(node, "motor"), *friction = thud_node_find(node, "friction");
  double mu = 0, radius = -1;
  thud_error error = THUD_OK;
  if (motor != NULL) {
    law->motor = has(motor, "speed") ? VERIFY_MOTOR_SPEED : VERIFY_MOTOR_POSITION;
    error = thud_verify_given_number(build, motor, "at_most", &law->at_most);
    if (error == THUD_OK) error = thud_verify_given_number(build, motor, "time", &law->time);
    if (error == THUD_OK)
      error = thud_verify_read_value(
          build->scene, thud_node_find(motor, law->motor == VERIFY_MOTOR_SPEED ? "speed" : "position"), &law->target);
  }
  if (friction == NULL || error != THUD_OK) return error;
  error = thud_verify_given_number(build, friction, "bound", &law->friction);
  if (error == THUD_OK) error = thud_verify_given_number(build, friction, "rho", &law->pin);
  if (error == THUD_OK) error = thud_verify_given_number(build, friction, "mu", &mu);
  if (error == THUD_OK) error = thud_verify_given_number(build, friction, "radius", &radius);
  law->thread = radius;
  if (has(friction, "mu")) law->pin = has(friction, "radius") ? radius * sin(atan(mu)) : mu;
  return error;
}

static thud_error read_spring(verify_build *build, const thud_node *node, verify_joint_law *law) {
  const thud_node *spring = thud_node_find(node, "spring");
  if (spring == NULL) return THUD_OK;
  thud_error error = thud_verify_given_number(build, spring, "stiffness", &law->stiffness);
  if (error == THUD_OK) error = thud_verify_given_number(build, spring, "damping", &law->damping);
  return error == THUD_OK ? thud_verify_given_number(build, spring, "rest", &law->rest) : error;
}

static thud_error read_law(verify_build *build, const thud_node *node, verify_joint_law *law) {
  thud_error error = thud_verify_given_number(build, node, "start", &law->start);
  if (error == THUD_OK) error = read_limits(build, node, law);
  if (error == THUD_OK) error = read_spring(build, node, law);
  return error == THUD_OK ? read_drives(build, node, law) : error;
}

thud_error thud_verify_read_joint_laws(verify_build *build, const thud_node *node, verify_joint *joint) {
  verify_bodies *bodies = build->bodies;
  thud_error error = THUD_OK;
  for (int c = 0; c < VERIFY_LAWS; c++) joint->law[c].kind = kind_of(bodies, joint, c);
  if (joint->law[0].kind == VERIFY_NO_COORDINATE) return THUD_OK;
  error = read_law(build, node, &joint->law[0]);
  for (int c = 1; c < VERIFY_LAWS && error == THUD_OK; c++)
    if (joint->law[c].kind != VERIFY_NO_COORDINATE && has(node, section_of(joint, c)))
      error = read_law(build, thud_node_find(node, section_of(joint, c)), &joint->law[c]);
  if (joint->kind == VERIFY_JOINT_SCREW && joint->law[0].pin > 0) /* mu of the thread, not of a pin */
    error = thud_verify_given_number(build, thud_node_find(node, "friction"), "mu", &joint->law[0].pin);
  if (joint->kind == VERIFY_JOINT_ROPE && !joint->law[0].limited[1]) {
    joint->law[0].limited[1] = true;
    joint->law[0].limit[1] = joint->length;
  }
  for (int c = 0; c < VERIFY_LAWS; c++) {
    const verify_joint_law *law = &joint->law[c];
    bool acts = law->limited[0] || law->limited[1] || law->motor != VERIFY_NO_MOTOR || law->friction > 0 ||
                law->pin > 0 || law->stiffness > 0 || law->damping > 0;
    if (acts) joint->law_count = c + 1;
  }
  joint->first_law = bodies->law_count;
  bodies->law_count += (size_t)joint->law_count;
  return error;
}

void thud_verify_free_laws(verify_joint *joint) {
  for (int c = 0; c < VERIFY_LAWS; c++) thud_expr_destroy(joint->law[c].target.expr);
}

/* ---- coordinates ----------------------------------------------------------------------------------------------------- */

static double nearest(double angle, double near) { return angle + 2 * PI * floor((near - angle) / (2 * PI) + 0.5); }

/* An angle whose rate is g.(w_a - w_b). */
static verify_joint_condition turn_about(double value, thud_vec3 g) {
  verify_joint_condition x = {.value = value, .angle = true};
  thud_vec3_store(g, x.rate + 3);
  thud_vec3_store(thud_vec3_negate(g), x.rate + 9);
  return x;
}

/* e.(P_a - P_b), e an axis of b. */
static verify_joint_condition place_along(const verify_joint_law *law, const verify_joint_placed *p) {
  thud_vec3 e = law->kind == VERIFY_PLACE_Y ? p->R[1].cy : p->R[1].cz;
  verify_joint_condition x = {.value = law->start - thud_vec3_dot(e, p->d)};
  thud_vec3_store(e, x.rate);
  thud_vec3_store(thud_vec3_cross(p->r[0], e), x.rate + 3);
  thud_vec3_store(thud_vec3_negate(e), x.rate + 6);
  thud_vec3_store(thud_vec3_negate(thud_vec3_add(thud_vec3_cross(p->r[1], e), thud_vec3_cross(e, p->d))), x.rate + 9);
  return x;
}

/* The angle between unit vectors by the chord; its direction is rounding over the angle. */
static verify_joint_condition swing(const verify_joint_law *law, const verify_joint_placed *p) {
  thud_vec3 a = p->R[0].cx, b = p->R[1].cx, n = thud_vec3_cross(b, a), e = p->R[0].cy;
  double sine = thud_vec3_norm(n), chord = thud_vec3_distance(a, b), far = thud_vec3_norm(thud_vec3_add(a, b));
  thud_vec3_normalise(n, &e);
  verify_joint_condition x = turn_about(law->start + 2 * atan2(chord, far), e);
  x.blur = fmin(1e-14 / fmax(sine, 1e-14), 1);
  return x;
}

/* The smallest turn that takes the axis of a to that of b leaves y_a at y - (x_b.y)/(1 + x_a.x_b) (x_a + x_b). */
static verify_joint_condition twist(const verify_joint_law *law, const verify_joint_placed *p, double near) {
  thud_vec3 a = p->R[0].cx, b = p->R[1].cx, both = thud_vec3_add(a, b), y = p->R[0].cy;
  double factor = 1 / fmax(1 + thud_vec3_dot(a, b), 1e-12);
  y = thud_vec3_add_scaled(y, -factor * thud_vec3_dot(b, y), both);
  double angle = atan2(thud_vec3_dot(p->R[1].cz, y), thud_vec3_dot(p->R[1].cy, y));
  return turn_about(nearest(law->start + angle, near), thud_vec3_scale(factor, both));
}

/* Angles: the one nearest to `near`. */
verify_joint_condition thud_verify_law_coordinate(const verify_bodies *bodies, const verify_joint *joint, int c,
                                                  const verify_joint_placed *p, double near) {
  const verify_joint_law *law = &joint->law[c];
  if (law->kind == VERIFY_DISTANCE) return thud_verify_joint_apart(p, 0);
  if (law->kind == VERIFY_PLACE_Y || law->kind == VERIFY_PLACE_Z) return place_along(law, p);
  if (law->kind == VERIFY_SWING) return swing(law, p);
  if (law->kind == VERIFY_TWIST) return twist(law, p, near);
  if (law->kind == VERIFY_PIN_A || law->kind == VERIFY_PIN_B) {
    verify_joint_condition x = thud_verify_pin_condition(p, law->kind == VERIFY_PIN_A);
    x.value = nearest(law->start + x.value, near);
    return x;
  }
  if (law->kind == VERIFY_OPENING) {
    verify_joint_condition x = thud_verify_coupling_condition(joint, bodies->planar, p);
    x.value += law->start;
    return x;
  }
  if (law->kind == VERIFY_SHIFT) {
    verify_joint_condition x = thud_verify_joint_together(p, p->R[0].cx);
    for (int i = 0; i < 12; i++) x.rate[i] = -x.rate[i];
    x.value = law->start - x.value;
    return x;
  }
  /* the turn of b's axes into a's, about the axis */
  thud_mat3 turn = thud_mat3_multiply(thud_mat3_transpose(p->R[1]), p->R[0]);
  double angle = bodies->planar ? atan2(turn.cx.y, turn.cx.x) : atan2(turn.cy.z, turn.cy.y);
  thud_vec3 e = bodies->planar ? thud_vec3_make(0, 0, 1) : p->R[0].cx;
  return turn_about(nearest(law->start + angle, near), e);
}

void thud_verify_law_see(const verify_bodies *bodies, const verify_body_row *row) {
  for (size_t k = 0; k < bodies->joint_count; k++)
    for (int c = 0; c < bodies->joint[k].law_count; c++)
      bodies->joint[k].law[c].seen = row->law[bodies->joint[k].first_law + (size_t)c].value;
}

/* Part of the rate of x that one side has by its velocities; *size: of the terms. */
static double rate_of_side(const verify_joint_condition *x, int side, const verify_body_state *state, double *size) {
  thud_vec3 along = thud_vec3_load(x->rate + 6 * (size_t)side), about = thud_vec3_load(x->rate + 6 * (size_t)side + 3);
  *size += thud_vec3_norm(along) * thud_vec3_norm(state->v) + thud_vec3_norm(about) * thud_vec3_norm(state->w);
  return thud_vec3_dot(along, state->v) + thud_vec3_dot(about, state->w);
}

static double rate_of(const verify_joint *joint, const verify_joint_condition *x, const verify_body_state *state,
                      double *size) {
  double rate = rate_of_side(x, 0, &state[joint->a], size);
  return joint->b == SIZE_MAX ? rate : rate + rate_of_side(x, 1, &state[joint->b], size);
}

static const verify_law_row *row_of(const verify_body_row *row, const verify_joint *joint, int c) {
  return &row->law[joint->first_law + (size_t)c];
}

static double impulse_of(const verify_body_row *row, const verify_law_row *found) {
  return row->step * (found->motor + found->friction) + found->limit;
}

void thud_verify_law_impulse(const verify_body_step *step, size_t k, int side, thud_vec3 *impulse, thud_vec3 *moment,
                             double *size) {
  const verify_joint *joint = &step->bodies->joint[k];
  verify_joint_placed p = thud_verify_joint_place(joint, step->middle);
  *impulse = *moment = (thud_vec3){0};
  *size = 0;
  for (int c = 0; c < joint->law_count; c++) {
    const verify_law_row *found = row_of(step->row, joint, c);
    verify_joint_condition x = thud_verify_law_coordinate(step->bodies, joint, c, &p, found->value);
    double Q = impulse_of(step->row, found);
    *impulse = thud_vec3_add_scaled(*impulse, Q, thud_vec3_load(x.rate + 6 * (size_t)side));
    *moment = thud_vec3_add_scaled(*moment, Q, thud_vec3_load(x.rate + 6 * (size_t)side + 3));
    *size += step->row->step * (fabs(found->motor) + fabs(found->friction)) + fabs(found->limit);
  }
}

/* ---- nodes ----------------------------------------------------------------------------------------------------------- */

void thud_verify_law_nodes(const verify_bodies *bodies, const verify_body_row *row, thud_verify_check *check) {
  for (size_t k = 0; k < bodies->joint_count; k++) {
    const verify_joint *joint = &bodies->joint[k];
    if (joint->law_count == 0 || !verify_joint_holds(bodies, joint)) continue;
    verify_joint_placed p = thud_verify_joint_place(joint, row->end);
    double rounding = 1e-9 * p.lever + VERIFY_SUMS * (thud_vec3_norm(p.P[0]) + thud_vec3_norm(p.P[1]));
    for (int c = 0; c < joint->law_count; c++) {
      const verify_joint_law *law = &joint->law[c];
      const verify_law_row *found = row_of(row, joint, c);
      verify_joint_condition x = thud_verify_law_coordinate(bodies, joint, c, &p, found->value);
      double size = 0, rate = rate_of(joint, &x, row->end, &size), whole = fabs(found->value) + fabs(law->start) + 1;
      size += thud_vec3_norm(row->end[joint->a].w) * p.lever; /* levers are differences of places */
      if (joint->b != SIZE_MAX) size += thud_vec3_norm(row->end[joint->b].w) * p.lever;
      double near = x.angle ? VERIFY_SUMS * whole : rounding;
      if (thud_verify_tally(check, fabs(x.value - found->value), near, 0, row->t, row->number))
        thud_verify_explain(check, "coordinate of '%s'", joint->name);
      if (thud_verify_tally(check, fabs(rate - found->rate), (VERIFY_SUMS + x.blur) * size, 0, row->t, row->number))
        thud_verify_explain(check, "rate of the coordinate of '%s'", joint->name);
      double beyond = 0;
      if (law->limited[0]) beyond = fmax(beyond, law->limit[0] - x.value);
      if (law->limited[1]) beyond = fmax(beyond, x.value - law->limit[1]);
      if (thud_verify_tally(check, beyond, x.angle ? 1e-9 : rounding, 0, row->t, row->number))
        thud_verify_explain(check, "'%s' beyond its limit", joint->name);
    }
  }
}

double thud_verify_law_opening(const verify_bodies *bodies, const verify_body_row *row,
                               const verify_body_state *state) {
  double sum = 0;
  for (size_t k = 0; k < bodies->joint_count; k++) {
    const verify_joint *joint = &bodies->joint[k];
    if (joint->law_count == 0 || !verify_joint_holds(bodies, joint)) continue;
    verify_joint_placed p = thud_verify_joint_place(joint, state);
    for (int c = 0; c < joint->law_count; c++) {
      const verify_joint_law *law = &joint->law[c];
      verify_joint_condition x = thud_verify_law_coordinate(bodies, joint, c, &p, row_of(row, joint, c)->value);
      double beyond = 0;
      if (law->limited[0]) beyond = fmax(beyond, law->limit[0] - x.value);
      if (law->limited[1]) beyond = fmax(beyond, x.value - law->limit[1]);
      sum += beyond * (x.angle ? p.lever : 1) + VERIFY_SUMS * (p.lever + thud_vec3_norm(p.P[0]));
    }
  }
  return sum;
}

void thud_verify_law_turns(const verify_bodies *bodies, const verify_body_row *row, const verify_body_row *before,
                           thud_verify_check *check) {
  for (size_t k = 0; k < bodies->joint_count; k++) {
    const verify_joint *joint = &bodies->joint[k];
    for (int c = 0; c < joint->law_count && verify_joint_holds(bodies, joint); c++) {
      double moved = fabs(row_of(row, joint, c)->value - row_of(before, joint, c)->value);
      if (verify_is_angle(joint->law[c].kind) && !joint->attached && !(moved <= 1.5 * PI))
        thud_verify_fail(check, row->t, row->number, "the angle of '%s' changes by %g in a step", joint->name, moved);
    }
  }
}

/* ---- the step -------------------------------------------------------------------------------------------------------- */

/* A coordinate in the step. */
typedef struct law_step {
  const verify_body_step *step;
  const verify_joint *joint;
  size_t k;
  int c;
  const verify_joint_law *law;
  const verify_law_row *found;
  verify_joint_condition x; /* at the midpoint */
  double left, free, after, tolerance, bend;
} law_step;

static double target_of(const law_step *s, double t) {
  const verify_value *value = &s->law->target;
  if (s->law->switched) return s->law->new_target;
  return value->expr != NULL ? thud_expr_evaluate(value->expr, thud_verify_variables(s->step->bodies, t))
                             : value->constant;
}

/* The force is within its bound, and where it does not reach it the rate is that of the target; otherwise the force pushes
 * towards it. */
static void check_interval(const law_step *s, double force, double bound, double target, const char *what,
                           thud_verify_check *check) {
  const verify_body_row *row = s->step->row;
  double over = fabs(force) - bound, error = s->after - target, blur = s->tolerance + VERIFY_SUMS * fabs(target);
  if (thud_verify_tally(check, fmax(over, 0), AT_BOUND * bound, 0, row->t, row->number))
    thud_verify_explain(check, "%s of '%s' beyond its bound", what, s->joint->name);
  bool inside = fabs(force) < bound * (1 - AT_BOUND);
  double wrong = inside ? fabs(error) : fmax(force > 0 ? error : -error, 0);
  if (bound == 0) return;
  if (thud_verify_tally(check, wrong, blur, 0, row->t, row->number))
    thud_verify_explain(check, "%s of '%s': its rate", what, s->joint->name);
}

/* The largest moment of friction in a thread of slope t = lead/(2 pi r), in the direction of the present one: with F the force along
 * the axis on a and M the moment on a, the thread bears N = sqrt(1 + t^2) F - M sin/r across it, sin = t/sqrt(1 + t^2), and
 * friction is M cos/r along it: at most mu N. */
static double thread_bound(const law_step *s) {
  const verify_body_row *row = s->step->row;
  verify_joint_placed p = thud_verify_joint_place(s->joint, s->step->middle);
  double r = s->law->thread, t = -s->joint->k[0] / r, F = thud_vec3_dot(row->joint_force[s->k], p.R[0].cx);
  double secant = sqrt(1 + t * t), across = secant * F - s->found->friction * t / (secant * r);
  return s->law->pin * fabs(across) * r * secant;
}

static void check_drives(const law_step *s, thud_verify_check *check) {
  const verify_joint_law *law = s->law;
  const verify_body_row *row = s->step->row;
  double h = row->step, target = 0;
  if (law->motor == VERIFY_MOTOR_SPEED) target = target_of(s, row->t);
  if (law->motor == VERIFY_MOTOR_POSITION) {
    double now = target_of(s, row->t - 0.5 * h), next = target_of(s, row->t + 0.5 * h);
    target = (next - now) / h + (now - s->x.value) / fmax(law->time, h);
  }
  if (law->motor != VERIFY_NO_MOTOR) check_interval(s, s->found->motor, law->at_most, target, "motor", check);
  double bound = law->friction + law->pin * thud_vec3_norm(row->joint_force[s->k]);
  if (s->joint->kind == VERIFY_JOINT_SCREW && law->pin > 0) bound = thread_bound(s);
  if (law->friction > 0 || law->pin > 0) check_interval(s, s->found->friction, bound, 0, "friction", check);
  if ((law->motor == VERIFY_NO_MOTOR && s->found->motor != 0) ||
      (!(law->friction > 0) && !(law->pin > 0) && s->found->friction != 0))
    thud_verify_fail(check, row->t, row->number, "'%s' has the force of a motor or of friction that it does not have",
                     s->joint->name);
}

/* What acts at a limit is answered as at a contact: impacts once the gap is closed, what is slower so that it ends there. */
static void check_limit(const law_step *s, bool upper, thud_verify_check *check) {
  const verify_bodies *bodies = s->step->bodies;
  const verify_body_row *row = s->step->row;
  const verify_joint_law *law = s->law;
  double sign = upper ? -1 : 1, h = row->step, Q = fmax(sign * s->found->limit, 0);
  double left = sign * s->left, after = sign * s->after, free = sign * s->free;
  double gap = sign * (s->x.value - law->limit[upper]),
         L = s->x.angle ? thud_verify_law_length(s->step, s->k, s->c) : 1;
  double terms = fabs(s->x.value) + fabs(law->limit[upper]) + fabs(law->start);
  double closed = CLOSED * terms, rounding = 8 * DBL_EPSILON * terms; /* of the gap */
  double limit = thud_verify_impact_velocity(s->step), unsure = s->tolerance * L, w[3];
  int ways = 0; /* where rounding decides, either is right */
  bool may_strike = -left * L > limit - unsure, may_press = -left * L <= limit + unsure || law->e == 0;
  bool may_close = gap <= (1 + TIE) * closed + h * s->tolerance, may_gape = gap > (1 - TIE) * closed;
  bool near = gap * L <= 2 * h * L * (fabs(left) + fabs(free)) + 2 * h * h * thud_vec3_norm(bodies->gravity);
  if (may_strike && law->e > 0 && may_close) w[ways++] = law->e * left;
  if (may_press && may_close) w[ways++] = fmax(sign * s->bend / h, fmin(left, 0));
  if (may_press && may_gape && bodies->options.predicted && near)
    w[ways++] = fmax((gap + sign * s->bend) / h, fmin(left, 0));
  double wrong = ways > 0 || Q == 0 ? INFINITY : Q, size = s->tolerance;
  for (int k = 0; k < ways; k++) {
    double u = after + w[k];
    wrong = fmin(wrong, Q > 0 ? fabs(u) : fmax(-u, 0));
    size = fmax(size, VERIFY_SUMS * fabs(w[k]) + s->tolerance + rounding / h);
  }
  bool open =
      Q == 0 && (ways == 0 || (may_gape && (!bodies->options.predicted || !near || (may_strike && law->e > 0))));
  if (open) wrong = 0;
  if (thud_verify_tally(check, wrong, size, 0, row->t, row->number))
    thud_verify_explain(check, "%s limit of '%s'", upper ? "upper" : "lower", s->joint->name);
}

/* By how much a coordinate grows in a step beside h times its rate. */
static double bend_of(const law_step *s) {
  const verify_body_step *step = s->step;
  verify_body_state *ahead = step->middle;
  verify_body_state kept[2] = {ahead[s->joint->a], s->joint->b != SIZE_MAX ? ahead[s->joint->b] : ahead[s->joint->a]};
  double h = step->row->step;
  if (s->law->kind == VERIFY_ANGLE || s->law->kind == VERIFY_SHIFT) return 0;
  for (int side = 0; side < (s->joint->b == SIZE_MAX ? 1 : 2); side++) {
    verify_body_state *state = &ahead[side == 0 ? s->joint->a : s->joint->b];
    state->x = thud_vec3_add_scaled(state->x, h, state->v);
    state->q = thud_quat_integrate(state->q, state->w, h);
  }
  verify_joint_placed p = thud_verify_joint_place(s->joint, ahead);
  double ends = thud_verify_law_coordinate(step->bodies, s->joint, s->c, &p, s->x.value).value;
  ahead[s->joint->a] = kept[0];
  if (s->joint->b != SIZE_MAX) ahead[s->joint->b] = kept[1];
  return ends - s->x.value - h * s->left;
}

static double moving_diagonal(const verify_body_step *step, size_t i, thud_vec3 force, thud_vec3 moment) {
  if (step->implicit[i].soft) return thud_verify_implicit_diagonal(step, i, force, moment);
  return thud_vec3_dot(force, force) / step->bodies->body[i].mass +
         thud_vec3_dot(moment, thud_mat3_apply(step->inverse[i], moment));
}

/* The rate that a unit of impulse at the coordinate would give it if its bodies were free. */
static double response_of(const verify_body_step *step, const verify_joint *joint, const verify_joint_condition *x) {
  double sum = 0;
  for (int side = 0; side < (joint->b == SIZE_MAX ? 1 : 2); side++) {
    size_t i = side == 0 ? joint->a : joint->b;
    if (step->moves[i])
      sum += moving_diagonal(step, i, thud_vec3_load(x->rate + 6 * (size_t)side),
                             thud_vec3_load(x->rate + 6 * (size_t)side + 3));
  }
  return sum;
}

/* The length that makes an angle comparable with velocities: the radius of gyration of the first body that moves. */
double thud_verify_law_length(const verify_body_step *step, size_t k, int c) {
  const verify_joint *joint = &step->bodies->joint[k];
  verify_joint_placed p = thud_verify_joint_place(joint, step->middle);
  verify_joint_condition x = thud_verify_law_coordinate(step->bodies, joint, c, &p, 0);
  double response = response_of(step, joint, &x);
  return response > 0 ? 1 / sqrt(step->bodies->body[step->moves[joint->a] ? joint->a : joint->b].mass * response) : 1;
}

double thud_verify_law_speed(const verify_body_step *step, size_t k) {
  const verify_joint *joint = &step->bodies->joint[k];
  verify_joint_placed p = thud_verify_joint_place(joint, step->middle);
  double sum = 0, h = step->row->step;
  for (int c = 0; c < joint->law_count; c++) {
    const verify_law_row *found = row_of(step->row, joint, c);
    verify_joint_condition x = thud_verify_law_coordinate(step->bodies, joint, c, &p, found->value);
    double L = x.angle ? thud_verify_law_length(step, k, c) : 1, speed = L * response_of(step, joint, &x);
    double parts[3] = {h * found->motor * speed, h * found->friction * speed, found->limit * speed};
    for (int i = 0; i < 3; i++) sum += parts[i] * parts[i];
  }
  return sum;
}

static law_step look_at(const verify_body_step *step, size_t k, int c) {
  const verify_joint *joint = &step->bodies->joint[k];
  law_step s = {
      .step = step, .joint = joint, .k = k, .c = c, .law = &joint->law[c], .found = row_of(step->row, joint, c)};
  verify_joint_placed p = thud_verify_joint_place(joint, step->middle);
  double size = 0;
  s.x = thud_verify_law_coordinate(step->bodies, joint, c, &p, s.found->value);
  s.left = rate_of(joint, &s.x, step->middle, &size);
  s.after = rate_of(joint, &s.x, step->after, &size);
  s.free = s.left;
  for (int side = 0; side < (joint->b == SIZE_MAX ? 1 : 2); side++) {
    size_t i = side == 0 ? joint->a : joint->b;
    verify_body_state free = {.v = step->v_free[i], .w = step->w_free[i]};
    s.free += rate_of_side(&s.x, side, step->moves[i] ? &free : &step->after[i], &size) -
              rate_of_side(&s.x, side, &step->middle[i], &size);
    if (step->moves[i]) /* what large impulses cancel */
      size += step->implicit[i].impulse * moving_diagonal(step, i, thud_vec3_load(s.x.rate + 6 * (size_t)side),
                                                          thud_vec3_load(s.x.rate + 6 * (size_t)side + 3));
    s.tolerance += step->held[i];
  }
  size += fabs(impulse_of(step->row, s.found)) * response_of(step, joint, &s.x);
  s.tolerance += VERIFY_SUMS * size;
  s.bend = bend_of(&s);
  return s;
}

void thud_verify_law_step(const verify_body_step *step, thud_verify_check *check) {
  for (size_t k = 0; k < step->bodies->joint_count; k++) {
    const verify_joint *joint = &step->bodies->joint[k];
    for (int c = 0; c < joint->law_count; c++) {
      if (!verify_joint_holds(step->bodies, joint)) continue;
      law_step s = look_at(step, k, c);
      check_drives(&s, check);
      bool any = false;
      for (int upper = 0; upper < 2; upper++) {
        if (!s.law->limited[upper]) continue;
        check_limit(&s, upper != 0, check);
        any = any || (upper ? -s.found->limit : s.found->limit) >= 0;
      }
      if (!any && s.found->limit != 0)
        thud_verify_fail(check, step->row->t, step->row->number,
                         "'%s' has the impulse of a limit that it does not have", joint->name);
    }
  }
}

/* ---- energy ---------------------------------------------------------------------------------------------------------- */

void thud_verify_book_law(const verify_body_step *step, size_t k, int c, verify_law_work *work) {
  law_step s = look_at(step, k, c);
  const verify_joint *joint = s.joint;
  double h = step->row->step, mean = 0.5 * (s.left + s.after), path = 0, size = 0;
  double limit = thud_verify_impact_velocity(step);
  double L = s.x.angle ? thud_verify_law_length(step, k, c) : 1,
         approach = -L * (s.found->limit < 0 ? -s.left : s.left);
  for (int side = 0; side < (joint->b == SIZE_MAX ? 1 : 2); side++) {
    size_t i = side == 0 ? joint->a : joint->b;
    double of_left = rate_of_side(&s.x, side, &step->middle[i], &size);
    double of_after = rate_of_side(&s.x, side, &step->after[i], &size);
    if (step->bodies->body[i].role == VERIFY_KINEMATIC) path += 0.5 * (of_left + of_after);
  }
  *work =
      (verify_law_work){.motor = h * s.found->motor * mean,
                        .friction = -h * s.found->friction * mean,
                        .limit = -s.found->limit * mean,
                        .path = -impulse_of(step->row, s.found) * path,
                        .impact = approach > limit,
                        .unsure = fabs(approach - limit) <= s.tolerance * L,
                        .size = size * (h * (fabs(s.found->motor) + fabs(s.found->friction)) + fabs(s.found->limit))};
}
