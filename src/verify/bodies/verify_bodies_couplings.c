/* Couplings of two coordinates and pulleys, by formulas of their own. Angles are those from e to y about u,
 *   psi = atan2(S, C),  S = u.(e x y),  C = e.y,   dpsi/dt = (C dS/dt - S dC/dt) / (S^2 + C^2),
 * with u, e and y turning with their bodies:
 *   screw   u, e, y = x_a, y_a, y_b                 q_1 = x_a.(P_b - P_a)   k = -lead/(2 pi), 1
 *   gear    u, y = x, y of either body (plane: z, x), e = P_b - P_a, of crossing axes u_a x u_b     k = radius_a, radius_b
 *   rack    u, e, y = x_a, x_b, y_a (plane: z, x_b, x_a)   q_1 = x_b.(P_b - P_a)   k = radius, 1
 * Derivatives are rates for velocities of 1. */
#include "verify/bodies/verify_bodies_joints.h"

#include <float.h>
#include <math.h>

static const double PI = 3.14159265358979323846;
/* Axes of a gear whose sine is smaller are parallel. */
static const double PARALLEL = 1e-3;
/* Where rows are missing, turns of the first wheel that are tried. */
enum { MOST_TURNS = 1000 };

bool thud_verify_is_coupling(const verify_joint *joint) {
  return joint->kind >= VERIFY_JOINT_SCREW && joint->kind != VERIFY_JOINT_ROPE;
}

static bool counts(const verify_joint *joint) {
  return thud_verify_is_coupling(joint) && joint->kind != VERIFY_JOINT_PULLEY;
}

/* ---- the scene ------------------------------------------------------------------------------------------------------- */

/* In front of thud_verify_read_joint's move to the centres of mass: points are in the frames of the bodies. */
static void measure_rope(const thud_vec3 x[2], const thud_quat q[2], verify_joint *joint) {
  thud_vec3 a = thud_vec3_add(x[0], thud_quat_rotate(q[0], joint->at_a));
  thud_vec3 b = thud_vec3_add(x[1], thud_quat_rotate(q[1], joint->at_b));
  joint->length = thud_vec3_distance(a, joint->over[0]) + joint->k[1] * thud_vec3_distance(b, joint->over[1]);
}

thud_error thud_verify_read_coupling(verify_build *build, const thud_node *node, verify_joint *joint,
                                     const thud_vec3 x[2], const thud_quat q[2]) {
  double lead = 0;
  thud_error error = THUD_OK;
  if (!thud_verify_is_coupling(joint)) return THUD_OK;
  joint->k[0] = joint->k[1] = 1;
  switch (joint->kind) {
  case VERIFY_JOINT_SCREW:
    error = thud_verify_given_number(build, node, "lead", &lead);
    joint->k[0] = -lead / (2 * PI);
    return error;
  case VERIFY_JOINT_GEAR:
    error = thud_verify_given_number(build, node, "radius_a", &joint->k[0]);
    return error == THUD_OK ? thud_verify_given_number(build, node, "radius_b", &joint->k[1]) : error;
  case VERIFY_JOINT_RACK: return thud_verify_given_number(build, node, "radius", &joint->k[0]);
  default: break;
  }
  error = thud_verify_given_number(build, node, "ratio", &joint->k[1]);
  if (error == THUD_OK) error = thud_verify_given_vector(build, node, "over_a", &joint->over[0]);
  if (error == THUD_OK) error = thud_verify_given_vector(build, node, "over_b", &joint->over[1]);
  if (error == THUD_OK) measure_rope(x, q, joint);
  return error == THUD_OK ? thud_verify_given_number(build, node, "length", &joint->length) : error;
}

/* ---- coordinates ----------------------------------------------------------------------------------------------------- */

/* A vector and its rate. */
typedef struct moving {
  thud_vec3 x, rate;
} moving;

/* Velocities of both bodies. */
typedef struct velocities {
  thud_vec3 v[2], w[2];
} velocities;

static moving turning(const velocities *m, int side, thud_vec3 x) {
  return (moving){x, thud_vec3_cross(m->w[side], x)};
}

static moving cross(moving x, moving y) {
  return (moving){thud_vec3_cross(x.x, y.x), thud_vec3_add(thud_vec3_cross(x.rate, y.x), thud_vec3_cross(x.x, y.rate))};
}

/* P_b - P_a. */
static moving between(const velocities *m, const verify_joint_placed *p) {
  thud_vec3 b = thud_vec3_add(m->v[1], thud_vec3_cross(m->w[1], p->r[1]));
  return (moving){p->d, thud_vec3_subtract(b, thud_vec3_add(m->v[0], thud_vec3_cross(m->w[0], p->r[0])))};
}

/* A number and its rate. */
typedef struct changing {
  double value, rate;
} changing;

static changing dot(moving x, moving y) {
  return (changing){thud_vec3_dot(x.x, y.x), thud_vec3_dot(x.rate, y.x) + thud_vec3_dot(x.x, y.rate)};
}

static changing angle(moving u, moving e, moving y) {
  changing S = dot(u, cross(e, y)), C = dot(e, y);
  return (changing){atan2(S.value, C.value),
                    (C.value * S.rate - S.value * C.rate) / (S.value * S.value + C.value * C.value)};
}

static void coordinates_of(const verify_joint *joint, bool planar, const verify_joint_placed *p, const velocities *m,
                           changing q[2]) {
  moving x[2], y[2], u[2], d = between(m, p);
  for (int side = 0; side < 2; side++) {
    x[side] = turning(m, side, p->R[side].cx);
    y[side] = turning(m, side, p->R[side].cy);
    u[side] = planar ? (moving){p->R[side].cz, {0, 0, 0}} : x[side];
  }
  if (joint->kind == VERIFY_JOINT_GEAR) {
    moving e = cross(u[0], u[1]);
    if (thud_vec3_norm(e.x) < PARALLEL) e = d;
    for (int side = 0; side < 2; side++) q[side] = angle(u[side], e, planar ? x[side] : y[side]);
    return;
  }
  bool screw = joint->kind == VERIFY_JOINT_SCREW;
  q[0] = screw ? angle(x[0], y[0], y[1]) : angle(u[0], x[1], planar ? x[0] : y[0]);
  q[1] = dot(screw ? x[0] : x[1], d);
}

/* ---- turns ----------------------------------------------------------------------------------------------------------- */

static double nearest(double q, double expected) { return expected + remainder(q - expected, 2 * PI); }

/* Counts of a row from those at a node before it: by the velocities of the step between them. */
static void follow(const verify_bodies *bodies, const verify_body_row *row, const verify_body_row *before,
                   verify_joint *joint) {
  verify_joint_placed p = thud_verify_joint_place(joint, row->end);
  const verify_body_state *states[2] = {row->end, before->end};
  changing q[2];
  double way[2] = {0, 0};
  for (int k = 0; k < 2; k++) {
    const verify_body_state *a = &states[k][joint->a], *b = joint->b != SIZE_MAX ? &states[k][joint->b] : NULL;
    velocities m = {.v = {a->v}, .w = {a->w}};
    if (b != NULL) m.v[1] = b->v, m.w[1] = b->w;
    coordinates_of(joint, bodies->planar, &p, &m, q);
    for (int c = 0; c < 2; c++) way[c] += 0.5 * row->step * q[c].rate;
  }
  for (int c = 0; c < 2; c++)
    joint->counted[c] = c == 0 || joint->kind == VERIFY_JOINT_GEAR
                            ? nearest(q[c].value - joint->origin[c], joint->counted[c] + way[c])
                            : q[c].value - joint->origin[c];
}

/* Counts without the rows between: the whole turns with which the condition holds best. */
static void guess(const verify_bodies *bodies, const verify_body_row *row, verify_joint *joint) {
  verify_joint_placed p = thud_verify_joint_place(joint, row->end);
  velocities none = {.v = {{0, 0, 0}, {0, 0, 0}}};
  changing q[2];
  coordinates_of(joint, bodies->planar, &p, &none, q);
  double now[2] = {q[0].value - joint->origin[0], q[1].value - joint->origin[1]}, best = INFINITY;
  if (joint->kind != VERIFY_JOINT_GEAR) {
    joint->counted[0] = nearest(now[0], -joint->k[1] * now[1] / joint->k[0]);
    joint->counted[1] = now[1];
    return;
  }
  double first = nearest(now[0], joint->counted[0]);
  for (int turns = 0; turns <= 2 * MOST_TURNS && best > 0; turns++) {
    double a = first + 2 * PI * (turns % 2 == 0 ? turns / 2 : -(turns + 1) / 2);
    double b = nearest(now[1], -joint->k[0] * a / joint->k[1]), open = fabs(joint->k[0] * a + joint->k[1] * b);
    if (!(open < best - 1e-9 * (fabs(joint->k[0]) + fabs(joint->k[1])))) continue;
    best = open;
    joint->counted[0] = a;
    joint->counted[1] = b;
  }
}

static void begin(const verify_bodies *bodies, const verify_body_row *row, verify_joint *joint) {
  verify_joint_placed p = thud_verify_joint_place(joint, row->end);
  velocities none = {.v = {{0, 0, 0}, {0, 0, 0}}};
  changing q[2];
  coordinates_of(joint, bodies->planar, &p, &none, q);
  for (int c = 0; c < 2; c++) {
    joint->origin[c] = q[c].value;
    joint->counted[c] = 0;
  }
  joint->begun = true;
}

void thud_verify_couplings_count(const verify_bodies *bodies, const verify_body_row *row,
                                 const verify_body_row *before) {
  for (size_t k = 0; k < bodies->joint_count; k++) {
    verify_joint *joint = &bodies->joint[k];
    if (!counts(joint)) continue;
    if (joint->attached) joint->begun = false;
    if (joint->attached && before != NULL) begin(bodies, before, joint);
    if (joint->off || row->absent[joint->a] || (joint->b != SIZE_MAX && row->absent[joint->b]))
      joint->begun = false;
    else if (!joint->begun)
      begin(bodies, row, joint);
    else if (before != NULL)
      follow(bodies, row, before, joint);
    else
      guess(bodies, row, joint);
  }
}

/* ---- conditions ------------------------------------------------------------------------------------------------------ */

/* With what is counted at the row under way. */
static changing coupled(const verify_joint *joint, bool planar, const verify_joint_placed *p, const velocities *m) {
  changing q[2], sum = {0, 0};
  coordinates_of(joint, planar, p, m, q);
  for (int c = 0; c < 2; c++) {
    double now = q[c].value - joint->origin[c];
    if (c == 0 || joint->kind == VERIFY_JOINT_GEAR) now = nearest(now, joint->counted[c]);
    sum.value += joint->k[c] * now;
    sum.rate += joint->k[c] * q[c].rate;
  }
  return sum;
}

static changing roped(const verify_joint *joint, const verify_joint_placed *p, const velocities *m) {
  changing sum = {-joint->length, 0};
  for (int side = 0; side < 2; side++) {
    thud_vec3 rope = thud_vec3_subtract(p->P[side], joint->over[side]);
    thud_vec3 v = thud_vec3_add(m->v[side], thud_vec3_cross(m->w[side], p->r[side]));
    double size = thud_vec3_norm(rope);
    sum.value += joint->k[side] * size;
    sum.rate += joint->k[side] * thud_vec3_dot(rope, v) / fmax(size, DBL_MIN);
  }
  return sum;
}

verify_joint_condition thud_verify_coupling_condition(const verify_joint *joint, bool planar,
                                                      const verify_joint_placed *p) {
  verify_joint_condition made = {.angle = false};
  for (int i = 0; i < VERIFY_JOINT_NUMBERS; i++) {
    double unit[VERIFY_JOINT_NUMBERS] = {0};
    unit[i] = 1;
    velocities m = {.v = {thud_vec3_load(unit), thud_vec3_load(unit + 6)},
                    .w = {thud_vec3_load(unit + 3), thud_vec3_load(unit + 9)}};
    changing c = joint->kind == VERIFY_JOINT_PULLEY ? roped(joint, p, &m) : coupled(joint, planar, p, &m);
    made.value = c.value;
    made.rate[i] = c.rate;
  }
  return made;
}

/* From the axis of b to y_a about the axis of a; from y_b to the axis of a about the axis of b. */
verify_joint_condition thud_verify_pin_condition(const verify_joint_placed *p, bool of_a) {
  verify_joint_condition made = {.angle = true};
  for (int i = 0; i < VERIFY_JOINT_NUMBERS; i++) {
    double unit[VERIFY_JOINT_NUMBERS] = {0};
    unit[i] = 1;
    velocities m = {.w = {thud_vec3_load(unit + 3), thud_vec3_load(unit + 9)}};
    moving u = turning(&m, 0, p->R[0].cx), w = turning(&m, 1, p->R[1].cx);
    changing c = of_a ? angle(u, w, turning(&m, 0, p->R[0].cy)) : angle(w, turning(&m, 1, p->R[1].cy), u);
    made.value = c.value;
    made.rate[i] = c.rate;
  }
  return made;
}

double thud_verify_coupling_size(const verify_joint *joint) {
  return counts(joint) ? fabs(joint->k[0] * joint->counted[0]) + fabs(joint->k[1] * joint->counted[1]) : 0;
}

thud_vec3 thud_verify_pulley_force(const verify_joint *joint, const verify_joint_placed *p, thud_vec3 force) {
  thud_vec3 a = thud_vec3_subtract(joint->over[0], p->P[0]), b = thud_vec3_subtract(p->P[1], joint->over[1]);
  double tension = thud_vec3_dot(force, a) / fmax(thud_vec3_norm(a), DBL_MIN);
  return thud_vec3_scale(joint->k[1] * tension / fmax(thud_vec3_norm(b), DBL_MIN), b);
}
