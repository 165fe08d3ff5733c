/* The contact problem of a step: M^-1, v_free, J, w, in the order of islands (thud/contact.h, two-block form), and the
 * residual of an answer.
 *
 * Rows of contact k in the frame n, t1, t2 at the point p with levers l = p - x:
 *   N, T1, T2   e.(v_a + w_a x l_a) - e.(v_b + w_b x l_b)
 *   R1, R2, S   e.(w_a - w_b)   along t1, t2, n
 * Orthotropic friction is friction in a disc after a change of scale: with m = max(mu1, mu2), rows T_i are multiplied by
 * mu_i/m, so that |r'| <= m r_N in the new components is the ellipse in the old ones, with the same power r'.u' = r.u. */
#include "motions/bodies/body_motion.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double FULL_TURN = 6.28318530717958647692;

/* The directions of a contact's rows: first those of forces, then those of moments. */
typedef struct contact_rows {
  size_t forces, moments;
  thud_vec3 along[3], about[3];
} contact_rows;

static contact_rows find_rows(const body_motion *motion, thud_index k) {
  const body_contacts *c = &motion->contacts;
  thud_index d = motion->problem.d;
  double mu1 = c->mu[k], mu2 = c->mu_across[k], most = fmax(mu1, mu2);
  double s1 = most > 0 ? mu1 / most : 1, s2 = most > 0 ? mu2 / most : 1;
  const thud_mat3 *E = &c->frame[k];
  contact_rows rows = {.forces = motion->model.planar ? 2 : 3};
  rows.along[0] = E->cx;
  rows.along[1] = s1 == 1 ? E->cy : thud_vec3_scale(s1, E->cy);
  rows.along[2] = s2 == 1 ? E->cz : thud_vec3_scale(s2, E->cz);
  if (motion->model.planar) {
    rows.moments = d == 3 ? 1 : 0;
    rows.about[0] = thud_vec3_make(0, 0, 1);
  } else {
    if (d >= 5) {
      rows.about[rows.moments++] = E->cy;
      rows.about[rows.moments++] = E->cz;
    }
    if (d == 4 || d == 6) rows.about[rows.moments++] = E->cx;
  }
  return rows;
}

void thud_bodies_force_rows(const body_motion *motion, thud_index k, thud_vec3 x, double *u) {
  contact_rows rows = find_rows(motion, k);
  for (size_t i = 0; i < rows.forces; i++) u[i] = thud_vec3_dot(rows.along[i], x);
}

/* ---- bodies on paths that turn ----------------------------------------------------------------------------------------- */

/* Mean velocity over a time h of a point that begins with velocity f in a steady motion with spin w, a screw: the part of f
 * along w stays, the part across it turns by h |w|. */
static thud_vec3 mean_velocity(thud_vec3 f, thud_vec3 w, double h) {
  thud_vec3 axis;
  if (!thud_vec3_normalise(w, &axis)) return f;
  double angle = h * thud_vec3_norm(w), half = sin(0.5 * angle);
  if (!(angle > 0)) return f;
  thud_vec3 along = thud_vec3_scale(thud_vec3_dot(f, axis), axis), across = thud_vec3_subtract(f, along);
  thud_vec3 mean = thud_vec3_add_scaled(along, sin(angle) / angle, across);
  return thud_vec3_add_scaled(mean, 2 * half * half / angle, thud_vec3_cross(axis, across));
}

/* The spin that turns in a time h as far as `second` after `first` does: of the rotation vectors, which differ by whole
 * turns, the one nearest to their sum. Spins with one axis add up. */
static thud_vec3 compose_spins(thud_vec3 first, thud_vec3 second, double h) {
  thud_vec3 sum = thud_vec3_add(first, second), both = thud_vec3_cross(first, second), axis;
  if (both.x == 0 && both.y == 0 && both.z == 0) return sum;
  thud_quat before = thud_quat_from_rotation_vector(thud_vec3_scale(h, first));
  thud_quat after = thud_quat_from_rotation_vector(thud_vec3_scale(h, second));
  thud_vec3 turn = thud_quat_to_rotation_vector(thud_quat_multiply(after, before));
  if (thud_vec3_normalise(turn, &axis)) {
    double left = thud_vec3_dot(axis, thud_vec3_subtract(thud_vec3_scale(h, sum), turn));
    turn = thud_vec3_add_scaled(turn, FULL_TURN * round(left / FULL_TURN), axis);
  }
  return thud_vec3_scale(1 / h, turn);
}

static thud_vec3 turn_by(thud_vec3 spin, double h, thud_vec3 v) {
  return thud_quat_rotate(thud_quat_from_rotation_vector(thud_vec3_scale(h, spin)), v);
}

/* v- holds from the midpoint before to this one, v+ from this one to the next. Over both times the carrier goes on by the
 * screw of its velocities at the nodes between them. Seen from it, body a moves on by h v_r and turns by h w_r:
 *   before:  v_r = Q v- - V,   exp(h w_r) = exp(h w-) Q^-1     (Q: the carrier's turn, V: mean velocity of its point at x)
 *   after:   v+ = V + Q v_r,   exp(h w+) = Q exp(h w_r)
 * Velocities after the step are relative to the field v+ - v_r, w+ - w_r for the v_r and w_r from before: then a body that
 * rides is at rest in every step, and others see the carrier to second order. */
void thud_bodies_find_fields(body_motion *motion, thud_index k) {
  body_contacts *c = &motion->contacts;
  const body_state *state = &motion->state;
  thud_index a = c->body_a[k], b = c->body_b[k];
  double h = motion->h;
  thud_vec3 x = state->pose[a].position, v = state->velocity[a], w = state->spin[a];
  thud_vec3 W[2] = {state->spin[b], motion->spin_free[b]}, none = {0};
  /* what meets the carrier at a time of its own does not ride on it */
  c->carried[k] = motion->model.role[b] == THUD_BODY_KINEMATIC && c->ahead[k] == 0 &&
                  (thud_vec3_distance(W[0], none) > 0 || thud_vec3_distance(W[1], none) > 0);
  if (!c->carried[k]) return;
  thud_vec3 left = thud_vec3_cross(W[0], thud_vec3_subtract(x, motion->path_left[b]));
  thud_vec3 end = thud_vec3_cross(W[1], thud_vec3_subtract(x, motion->path_end[b]));
  thud_vec3 mean_left = mean_velocity(thud_vec3_add(state->velocity[b], left), W[0], h);
  thud_vec3 mean_end = mean_velocity(thud_vec3_add(motion->velocity_free[b], end), W[1], h);
  thud_vec3 v_r = thud_vec3_subtract(turn_by(W[0], h, v), mean_left);
  thud_vec3 w_r = compose_spins(thud_vec3_negate(W[0]), w, h);
  thud_vec3 v_next = thud_vec3_add(mean_end, turn_by(W[1], h, v_r)), w_next = compose_spins(w_r, W[1], h);
  c->field_left[k] = (body_field){thud_vec3_subtract(v, v_r), thud_vec3_subtract(w, w_r)};
  c->field[k] = (body_field){thud_vec3_subtract(v_next, v_r), thud_vec3_subtract(w_next, w_r)};
}

/* Velocity of body b at the point of contact, and its spin, from its own velocities unless it carries a. */
static body_field field_of(const body_motion *motion, thud_index k, bool left, thud_vec3 velocity, thud_vec3 spin) {
  const body_contacts *c = &motion->contacts;
  body_field own = {velocity, spin}, field = !c->carried[k] ? own : left ? c->field_left[k] : c->field[k];
  thud_vec3 lever = thud_bodies_lever(motion, k, c->carried[k] ? c->body_a[k] : c->body_b[k]);
  field.velocity = thud_vec3_add(field.velocity, thud_vec3_cross(field.spin, lever));
  return field;
}

/* ---- rows ---------------------------------------------------------------------------------------------------------------- */

void thud_bodies_relative_velocity(const body_motion *motion, thud_index k, bool left, const thud_vec3 *velocity,
                                   const thud_vec3 *spin, double *u) {
  const body_contacts *c = &motion->contacts;
  thud_index a = c->body_a[k], b = c->body_b[k];
  contact_rows rows = find_rows(motion, k);
  thud_vec3 at_a = thud_vec3_add(velocity[a], thud_vec3_cross(spin[a], thud_bodies_lever(motion, k, a)));
  body_field of_b = field_of(motion, k, left, velocity[b], spin[b]);
  thud_vec3 slip = thud_vec3_subtract(at_a, of_b.velocity), roll = thud_vec3_subtract(spin[a], of_b.spin);
  for (size_t i = 0; i < rows.forces; i++) u[i] = thud_vec3_dot(rows.along[i], slip);
  for (size_t i = 0; i < rows.moments; i++) u[rows.forces + i] = thud_vec3_dot(rows.about[i], roll);
}

/* Friction of a contact that slides acts at the midpoint and opposes v+ relative to the carrier there: its own part of v+ is
 * along the slip, that of the carrier is not. The field at the midpoint is the mean of both; contacts that stick need the
 * one after. Half of the difference d of the fields is added as far as the slip is larger: (1 - |d|/|u_T-|) d, so that the
 * direction of sliding is right to second order and a slip of |d| or less can end. */
void thud_bodies_add_slide(body_motion *motion, thud_index k) {
  body_contacts *c = &motion->contacts;
  size_t first = (size_t)k * (size_t)motion->problem.d, forces = motion->model.planar ? 2 : 3;
  double change[3], slip = 0, size = 0;
  if (!c->carried[k]) return;
  thud_vec3 left = field_of(motion, k, true, (thud_vec3){0}, (thud_vec3){0}).velocity;
  thud_vec3 end = field_of(motion, k, false, (thud_vec3){0}, (thud_vec3){0}).velocity;
  thud_bodies_force_rows(motion, k, thud_vec3_scale(0.5, thud_vec3_subtract(end, left)), change);
  for (size_t i = 1; i < forces; i++) {
    slip = hypot(slip, c->u_minus[first + i]);
    size = hypot(size, change[i]);
  }
  for (size_t i = 1; i < forces && slip > size; i++) c->wander[first + i] += (1 - size / slip) * change[i];
}

/* The rows of one body; sign -1: as body b. In the plane v_x, v_y, w_z. */
static void write_jacobian(const body_motion *motion, const contact_rows *rows, thud_vec3 lever, double sign,
                           double *J) {
  bool planar = motion->model.planar;
  for (size_t i = 0; i < rows->forces; i++) {
    thud_vec3 e = thud_vec3_scale(sign, rows->along[i]), m = thud_vec3_cross(lever, e);
    if (planar) {
      *J++ = e.x;
      *J++ = e.y;
      *J++ = m.z;
    } else {
      thud_vec3_store(e, J);
      thud_vec3_store(m, J + 3);
      J += 6;
    }
  }
  for (size_t i = 0; i < rows->moments; i++) {
    thud_vec3 e = thud_vec3_scale(sign, rows->about[i]);
    if (planar) {
      *J++ = 0;
      *J++ = 0;
      *J++ = e.z;
    } else {
      thud_vec3_store((thud_vec3){0}, J);
      thud_vec3_store(e, J + 3);
      J += 6;
    }
  }
}

/* Part of the diagonal of W_kk that force rows have from one body, summed. */
static double diagonal_of(const body_motion *motion, const contact_rows *rows, thud_index body, thud_vec3 lever) {
  double sum = 0, inverse_mass = 1 / motion->model.mass[body];
  for (size_t i = 0; i < rows->forces; i++) {
    thud_vec3 m = thud_vec3_cross(lever, rows->along[i]), v, w;
    if (motion->implicit.soft[body]) {
      thud_bodies_respond(motion, body, rows->along[i], m, &v, &w);
      sum += thud_vec3_dot(rows->along[i], v) + thud_vec3_dot(m, w);
      continue;
    }
    sum += inverse_mass * thud_vec3_dot(rows->along[i], rows->along[i]) +
           thud_vec3_dot(m, thud_mat3_apply(motion->inverse_inertia[body], m));
  }
  return sum;
}

static void assemble_soft(body_motion *motion, thud_index i, double *M, double *v) {
  size_t n = (size_t)motion->problem.block;
  memcpy(M, motion->implicit.response + (size_t)i * n * n, n * n * sizeof *M);
  if (motion->model.planar) {
    v[0] = motion->velocity_free[i].x;
    v[1] = motion->velocity_free[i].y;
    v[2] = motion->spin_free[i].z;
  } else {
    thud_vec3_store(motion->velocity_free[i], v);
    thud_vec3_store(motion->spin_free[i], v + 3);
  }
}

static void assemble_body(body_motion *motion, thud_index number) {
  body_problem *p = &motion->problem;
  thud_index i = p->body[number];
  size_t n = (size_t)p->block;
  double *M = p->inverse_mass + (size_t)number * n * n, *v = p->free_velocity + (size_t)number * n;
  double inverse = 1 / motion->model.mass[i];
  memset(M, 0, n * n * sizeof *M);
  if (motion->implicit.soft[i]) {
    assemble_soft(motion, i, M, v);
    return;
  }
  if (motion->model.planar) {
    M[0] = M[4] = inverse;
    M[8] = motion->inverse_inertia[i].cz.z;
    v[0] = motion->velocity_free[i].x;
    v[1] = motion->velocity_free[i].y;
    v[2] = motion->spin_free[i].z;
    return;
  }
  M[0] = M[7] = M[14] = inverse;
  const thud_mat3 *I = &motion->inverse_inertia[i];
  thud_vec3_store(I->cx, M + 21);
  thud_vec3_store(I->cy, M + 27);
  thud_vec3_store(I->cz, M + 33);
  /* exactly symmetric, whatever the products rounded to */
  M[22] = M[27] = 0.5 * (I->cx.y + I->cy.x);
  M[23] = M[33] = 0.5 * (I->cx.z + I->cz.x);
  M[29] = M[34] = 0.5 * (I->cy.z + I->cz.y);
  thud_vec3_store(motion->velocity_free[i], v);
  thud_vec3_store(motion->spin_free[i], v + 3);
}

/* Place `at` of the problem: contact k. Bodies that do not move enter w by their velocities. */
static void assemble_contact(body_motion *motion, thud_index at) {
  body_problem *p = &motion->problem;
  body_contacts *c = &motion->contacts;
  thud_index k = p->order[at], a = c->body_a[k], b = c->body_b[k];
  size_t d = (size_t)p->d, n = (size_t)p->block, first = (size_t)at * d;
  bool b_moves = motion->moves[b];
  contact_rows rows = find_rows(motion, k);
  thud_vec3 lever_a = thud_bodies_lever(motion, k, a), lever_b = thud_bodies_lever(motion, k, b);
  p->a[at] = p->number[a];
  p->b[at] = b_moves ? p->number[b] : -1;
  write_jacobian(motion, &rows, lever_a, 1, p->jacobian_a + first * n);
  write_jacobian(motion, &rows, lever_b, b_moves ? -1 : 0, p->jacobian_b + first * n);
  c->size[k] = diagonal_of(motion, &rows, a, lever_a) + (b_moves ? diagonal_of(motion, &rows, b, lever_b) : 0);
  c->size[k] /= (double)rows.forces;
  for (size_t i = 0; i < d; i++) p->w[first + i] = 0;
  if (motion->model.role[b] == THUD_BODY_KINEMATIC) {
    body_field of_b = field_of(motion, k, false, motion->velocity_free[b], motion->spin_free[b]);
    for (size_t i = 0; i < rows.forces; i++) p->w[first + i] = -thud_vec3_dot(rows.along[i], of_b.velocity);
    for (size_t i = 0; i < rows.moments; i++) p->w[first + rows.forces + i] = -thud_vec3_dot(rows.about[i], of_b.spin);
  }
  p->w[first] += c->threshold[k];
  for (size_t i = 1; i < rows.forces; i++) p->w[first + i] += c->wander[(size_t)k * d + i];
  p->mu[at] = fmax(c->mu[k], c->mu_across[k]);
  p->mu_rolling[at] = c->rolling[k];
  p->mu_spinning[at] = c->spinning[k];
  memcpy(p->r + first, c->r + (size_t)k * d, d * sizeof *p->r);
}

/* The view of the whole problem. */
static void show_problem(body_problem *p, thud_index contacts, bool planar) {
  p->view = (thud_contact_problem){.form = THUD_FORM_TWO_BLOCK, .dimension = p->d, .contacts = contacts, .mu = p->mu};
  bool rolls = planar ? p->d == 3 : p->d >= 5, spins = !planar && (p->d == 4 || p->d == 6);
  if (rolls) p->view.mu_rolling = p->mu_rolling;
  if (spins) p->view.mu_spinning = p->mu_spinning;
  if (planar && rolls) p->view.friction = THUD_FRICTION_PLANE_ROLLING;
  p->view.two_block = (thud_two_block){.bodies = p->bodies,
                                       .block = p->block,
                                       .inverse_mass = p->inverse_mass,
                                       .free_velocity = p->free_velocity,
                                       .body_a = p->a,
                                       .body_b = p->b,
                                       .jacobian_a = p->jacobian_a,
                                       .jacobian_b = p->jacobian_b,
                                       .w = p->w};
}

thud_error thud_bodies_assemble(body_motion *motion) {
  body_problem *p = &motion->problem;
  for (thud_index i = 0; i < p->bodies; i++) assemble_body(motion, i);
  for (thud_index at = 0; at < motion->contacts.count; at++) assemble_contact(motion, at);
  thud_bodies_assemble_laws(motion);
  show_problem(p, motion->contacts.count, motion->model.planar);
  return THUD_OK;
}

/* ---- how wrong an answer is (thud/body_motion.h) --------------------------------------------------------------------- */

/* r - proj_K(r - rho u~), times 1/rho: a velocity; into map[d]. v[d]: u with the threshold in its normal component. */
static void natural_map(const body_motion *motion, thud_index at, double rho, const double *v, double *map) {
  const body_problem *p = &motion->problem;
  size_t d = (size_t)p->d;
  const double *r = p->r + (size_t)at * d;
  double shift = 0;
  thud_contact_shift(&p->view, at, v, &shift);
  for (size_t i = 0; i < d; i++) map[i] = r[i] - rho * (v[i] + (i == 0 ? shift : 0));
  thud_contact_project_cone(&p->view, at, map, map);
  for (size_t i = 0; i < d; i++) map[i] = (r[i] - map[i]) / rho;
}

/* u_N + w_N, u_T + wander, ... of place `at`. */
static void law_velocity(const body_motion *motion, thud_index at, const double *of, double *v) {
  thud_index k = motion->problem.order[at];
  size_t d = (size_t)motion->problem.d;
  for (size_t i = 0; i < d; i++) v[i] = of[(size_t)k * d + i] + motion->contacts.wander[(size_t)k * d + i];
  v[0] += motion->contacts.threshold[k];
}

static double sum_of_squares(size_t n, const double *x) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += x[i] * x[i];
  return sum;
}

/* Squares below this have lost digits: velocities of less than 1e-138 in any unit are none. */
static const double LEAST_SQUARE = DBL_MIN / (DBL_EPSILON * DBL_EPSILON);

/* A speed of the bodies at the contact, by sizes: what its velocities are rounded against. */
static double speed_at(const body_motion *motion, thud_index k) {
  const body_contacts *c = &motion->contacts;
  thud_index bodies[2] = {c->body_a[k], c->body_b[k]};
  double speed = c->threshold[k];
  for (int side = 0; side < 2; side++) {
    thud_index i = bodies[side];
    double lever = thud_vec3_distance(c->point[k], motion->state.pose[i].position);
    speed += thud_vec3_norm(motion->velocity_free[i]) + thud_vec3_norm(motion->spin_free[i]) * lever;
  }
  return speed;
}

double thud_bodies_scale_island(body_motion *motion, thud_index s) {
  body_problem *p = &motion->problem;
  size_t d = (size_t)p->d;
  double all = 0, approached = 0, noise = 0, v[6];
  for (thud_index at = p->contact_start[s]; at < p->contact_start[s + 1]; at++) {
    law_velocity(motion, at, motion->contacts.u_free, v);
    double part = sum_of_squares(d, v), speed = speed_at(motion, p->order[at]);
    all += part;
    approached += v[0] < 0 ? part : 0;
    noise += speed * speed;
  }
  approached += thud_bodies_law_speed(motion, s); /* what motors and limits press together */
  p->islands[s].scale = approached > LEAST_SQUARE ? sqrt(approached) : 0;
  p->islands[s].noise = THUD_SPEED_ROUNDING * sqrt(noise);
  return sqrt(all);
}

void thud_bodies_judge_island(body_motion *motion, thud_index s) {
  body_problem *p = &motion->problem;
  const body_contacts *c = &motion->contacts;
  thud_body_island *island = &p->islands[s];
  size_t d = (size_t)p->d;
  double error = 0, worst = 0, v[6];
  island->worst = -1;
  for (thud_index at = p->contact_start[s]; at < p->contact_start[s + 1]; at++) {
    thud_index k = p->order[at];
    law_velocity(motion, at, c->u, v);
    natural_map(motion, at, 1 / c->size[k], v, p->map);
    double part = sum_of_squares(d, p->map);
    error += part;
    if (part > worst) {
      worst = part;
      island->worst = k;
    }
  }
  /* where nothing is approached the answer is r = 0 exactly, and any error is too large */
  double counted = error > LEAST_SQUARE ? fmax(sqrt(error) - island->noise, 0) : 0;
  island->residual = counted > 0 ? counted / island->scale : 0;
  if (!(error <= DBL_MAX)) island->residual = INFINITY;
  island->solved = island->residual <= motion->options.tolerance;
}

/* The field's usual figure: rho = 1, all contacts together, in units of |q|. */
double thud_bodies_usual_residual(body_motion *motion) {
  body_problem *p = &motion->problem;
  const body_contacts *c = &motion->contacts;
  size_t d = (size_t)p->d;
  double error = 0, scale = 0, v[6];
  for (thud_index at = 0; at < c->count; at++) {
    law_velocity(motion, at, c->u_free, v);
    scale += sum_of_squares(d, v);
    law_velocity(motion, at, c->u, v);
    natural_map(motion, at, 1, v, p->map);
    error += sum_of_squares(d, p->map);
  }
  return sqrt(error) / (sqrt(scale) > 2.3e-16 ? sqrt(scale) : 1);
}
