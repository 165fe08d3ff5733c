/* Forces that answer to the step: drag, and springs that the step does not resolve.
 *
 * A force f(q, v, t) on one body with C = -df/dv and K = -df/dq at (q_m, v-):
 *   T (v+ - v-) = h f + J'r,   T = h C + M (M + h C/2)^-1 M + h^2 a K
 * For a drag c alone this is v+ = v-/(1 + z + z^2/2), z = c h/m: of second order, and neither too fast nor reversed for any z.
 * A spring of stiffness k and its damper c, S their rate of lengthening along n and across it, f_m at q_m and f_p at
 * q_m + h v-:
 *   impulse = h ((1 - A) f_m + A f_p + c S v-) - D S (v+ - v-),   D = h^2 A K + h theta c n n',
 *   K = k n n' + k (1 - length/|d|)+ (1 - n n')
 * A = 0 where the step resolves the spring: with kappa = h^2 times a bound of the eigenvalues of M^-1 K (Gershgorin's: twice the
 * sum of k w over the springs of a body, w the response of the point) A = max(0, 1 - 2/kappa). Up to kappa = 2 the scheme
 * is the explicit midpoint rule, which is symplectic and stable up to 4; beyond it, where a vibration cannot be seen, A damps it
 * and a spring of any stiffness becomes a link. theta = (1 + zeta)/(2 + zeta), zeta the same bound for h c.
 * Second order, since A = 0 and theta = 1/2 + O(h) in the limit.
 *
 * Springs of one moving body change its response T^-1, one row at a time. Those of two are solved together: with N the
 * blocks, E = 1/D + S N S', v = N b - N S' E^-1 S N b, so that the impulses on both bodies are opposite to the last bit. */
#include "linalg/dense.h"
#include "motions/bodies/body_motion.h"

#include <math.h>
#include <string.h>

enum { MOST = THUD_BODY_BLOCK };

/* ---- small matrices, row-major -------------------------------------------------------------------------------------- */

/* By Gauss and Jordan with pivots; false: singular. */
static bool invert(size_t n, const double *A, double *inverse) {
  double W[MOST][2 * MOST];
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) {
      W[i][j] = A[i * n + j];
      W[i][n + j] = i == j;
    }
  for (size_t k = 0; k < n; k++) {
    size_t best = k;
    for (size_t i = k + 1; i < n; i++)
      if (fabs(W[i][k]) > fabs(W[best][k])) best = i;
    if (!(fabs(W[best][k]) > 0) || !isfinite(W[best][k])) return false;
    for (size_t j = 0; j < 2 * n; j++) {
      double kept = W[k][j];
      W[k][j] = W[best][j];
      W[best][j] = kept;
    }
    for (size_t j = 2 * n; j-- > k;) W[k][j] /= W[k][k];
    for (size_t i = 0; i < n; i++)
      if (i != k)
        for (size_t j = 2 * n; j-- > k;) W[i][j] -= W[i][k] * W[k][j];
  }
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) inverse[i * n + j] = W[i][n + j];
  return true;
}

static void multiply(size_t n, const double *A, const double *B, double *C) {
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) {
      double sum = 0;
      for (size_t k = 0; k < n; k++) sum += A[i * n + k] * B[k * n + j];
      C[i * n + j] = sum;
    }
}

static bool is_positive(size_t n, const double *A) {
  double L[MOST * MOST], pivot;
  thud_index failed;
  memcpy(L, A, n * n * sizeof *L);
  return thud_cholesky_loops((thud_index)n, L, &failed, &pivot);
}

/* ---- bodies as vectors ------------------------------------------------------------------------------------------------ */

/* Where the degrees of freedom of a body are in (force, torque). */
static const size_t *freedoms(const body_motion *motion) {
  static const size_t space[MOST] = {0, 1, 2, 3, 4, 5}, plane[3] = {0, 1, 5};
  return motion->model.planar ? plane : space;
}

static bool turns(const body_motion *motion, thud_index i) {
  return thud_mat3_trace(motion->model.inverse_inertia[i]) > 0;
}

/* Inertia about the centre along the axes of the world; particles, which do not turn, have 1 in its place. */
static thud_mat3 world_inertia(const body_motion *motion, thud_index i) {
  if (!turns(motion, i)) return thud_mat3_identity();
  thud_mat3 R = thud_quat_to_matrix(motion->state.pose[i].rotation);
  return thud_mat3_multiply(R, thud_mat3_multiply(motion->model.inertia[i], thud_mat3_transpose(R)));
}

/* Row-major, its symmetric part. */
static void store_symmetric(thud_mat3 I, double *A, size_t stride) {
  const double column[3][3] = {{I.cx.x, I.cx.y, I.cx.z}, {I.cy.x, I.cy.y, I.cy.z}, {I.cz.x, I.cz.y, I.cz.z}};
  for (size_t j = 0; j < 3; j++)
    for (size_t k = 0; k < 3; k++) A[j * stride + k] = 0.5 * column[k][j] + 0.5 * column[j][k];
}

/* In the plane, where turning leaves it as it is. */
static double planar_inertia(const body_motion *motion, thud_index i) {
  return turns(motion, i) ? motion->model.inertia[i].cz.z : 1;
}

/* M of a body at its pose. */
static void mass_matrix(const body_motion *motion, thud_index i, double *M) {
  size_t n = (size_t)motion->problem.block, moving = motion->model.planar ? 2 : 3;
  memset(M, 0, n * n * sizeof *M);
  for (size_t k = 0; k < moving; k++) M[k * n + k] = motion->model.mass[i];
  if (motion->model.planar)
    M[8] = planar_inertia(motion, i);
  else
    store_symmetric(world_inertia(motion, i), M + 3 * n + 3, n);
}

/* M^-1 as the response of a body on which nothing implicit acts: translations and rotations apart. */
static void plain_response(const body_motion *motion, thud_index i, double *N) {
  size_t n = (size_t)motion->problem.block, moving = motion->model.planar ? 2 : 3;
  double I[9], inverse[9];
  memset(N, 0, n * n * sizeof *N);
  for (size_t k = 0; k < moving; k++) N[k * n + k] = 1 / motion->model.mass[i];
  if (!turns(motion, i)) return;
  if (motion->model.planar) {
    N[8] = 1 / planar_inertia(motion, i);
    return;
  }
  store_symmetric(world_inertia(motion, i), I, 3);
  if (!invert(3, I, inverse)) return;
  for (size_t j = 0; j < 3; j++) memcpy(N + (3 + j) * n + 3, inverse + 3 * j, 3 * sizeof *N);
}

void thud_bodies_respond(const body_motion *motion, thud_index i, thud_vec3 force, thud_vec3 torque,
                         thud_vec3 *velocity, thud_vec3 *spin) {
  size_t n = (size_t)motion->problem.block;
  double b[MOST], x[MOST];
  thud_bodies_pack(motion, force, torque, b);
  body_apply(n, motion->implicit.response + (size_t)i * n * n, b, x);
  thud_bodies_unpack(motion, x, velocity, spin);
}

/* ---- forces on one body ------------------------------------------------------------------------------------------------- */

static bool is_zero(size_t n, const double *A) {
  for (size_t k = 0; k < n; k++)
    if (A[k] != 0) return false;
  return true;
}

/* Largest sum of a row of M^-1/2 A M^-1/2, M by its diagonal. */
static double size_beside(size_t n, const double *A, const double *M) {
  double most = 0;
  for (size_t j = 0; j < n; j++) {
    double sum = 0;
    for (size_t k = 0; k < n; k++) sum += fabs(A[j * n + k]) / sqrt(M[j * n + j] * M[k * n + k]);
    most = fmax(most, sum);
  }
  return most;
}

thud_error thud_bodies_find_slopes(body_motion *motion, thud_index i, double t, const thud_body_state *now,
                                   body_slopes *slopes) {
  const thud_body_def *def = &motion->model.def[i];
  size_t n = (size_t)motion->problem.block;
  double by_place[36] = {0}, by_velocity[36] = {0}, M[MOST * MOST];
  *slopes = (body_slopes){.share = 0};
  if (def->slope == NULL) return THUD_OK;
  if (def->slope(def->force_user, t, now, by_place, by_velocity) != 0)
    return thud_fail(motion->base.context, THUD_ERROR_CALLBACK, "body '%s': the slope of its force failed at t = %g",
                     motion->model.name[i], t);
  mass_matrix(motion, i, M);
  for (size_t j = 0; j < n; j++)
    for (size_t k = 0; k < n; k++) {
      size_t at = freedoms(motion)[j] * 6 + freedoms(motion)[k];
      /* where a slope is not finite, as that of sqrt at 0, the force is taken as it is */
      slopes->C[j * n + k] = isfinite(by_velocity[at]) ? -by_velocity[at] : 0;
      slopes->K[j * n + k] = isfinite(by_place[at]) ? -by_place[at] : 0;
    }
  double kappa = motion->h * motion->h * size_beside(n, slopes->K, M), zeta = motion->h * size_beside(n, slopes->C, M);
  slopes->share = kappa > BODY_SPRING_RESOLVED ? 1 - BODY_SPRING_RESOLVED / kappa : 0;
  slopes->stiff = kappa > BODY_SPRING_STIFF || zeta > BODY_DAMPER_STIFF;
  slopes->acts = !is_zero(n * n, slopes->C) || slopes->share > 0;
  return THUD_OK;
}

/* T^-1, symmetric part; false: it is not positive, since the force feeds the motion faster than the step can follow. */
static bool find_response(body_motion *motion, thud_index i, const body_slopes *slopes, double *inverse, double *N) {
  size_t n = (size_t)motion->problem.block, moving = turns(motion, i) ? n : motion->model.planar ? 2 : 3;
  double h = motion->h, M[MOST * MOST], X[MOST * MOST], Y[MOST * MOST], T[MOST * MOST];
  mass_matrix(motion, i, M);
  for (size_t k = 0; k < n * n; k++) X[k] = M[k] + 0.5 * h * slopes->C[k];
  if (!invert(n, X, Y)) return false;
  multiply(n, M, Y, X);
  multiply(n, X, M, T);
  for (size_t k = 0; k < n * n; k++) T[k] += h * slopes->C[k] + h * h * slopes->share * slopes->K[k];
  if (!invert(n, T, inverse)) return false;
  for (size_t j = 0; j < n; j++)
    for (size_t k = 0; k < n; k++) N[j * n + k] = 0.5 * (inverse[j * n + k] + inverse[k * n + j]);
  if (!is_positive(n, N)) return false;
  for (size_t j = 0; j < n; j++)
    for (size_t k = moving; k < n; k++) N[j * n + k] = N[k * n + j] = inverse[j * n + k] = inverse[k * n + j] = 0;
  return true;
}

/* Momentum that the explicit step gives. */
static void find_load(body_motion *motion, thud_index i) {
  size_t n = (size_t)motion->problem.block;
  double M[MOST * MOST], x[MOST];
  const body_state *state = &motion->state;
  mass_matrix(motion, i, M);
  thud_bodies_pack(motion, thud_vec3_subtract(motion->velocity_free[i], state->velocity[i]),
                   thud_vec3_subtract(motion->spin_free[i], state->spin[i]), x);
  body_apply(n, M, x, motion->implicit.load + (size_t)i * n);
}

/* The response of a body, which becomes one that responds implicitly. */
double *thud_bodies_response_of(body_motion *motion, thud_index i) {
  size_t n = (size_t)motion->problem.block;
  double *N = motion->implicit.response + (size_t)i * n * n;
  if (!motion->implicit.soft[i]) {
    find_load(motion, i);
    plain_response(motion, i, N);
    motion->implicit.soft[i] = true;
  }
  return N;
}

void thud_bodies_set_free(body_motion *motion, thud_index i, const double *change) {
  thud_vec3 v, w;
  thud_bodies_unpack(motion, change, &v, &w);
  motion->velocity_free[i] = thud_vec3_add(motion->state.velocity[i], v);
  motion->spin_free[i] = thud_vec3_add(motion->state.spin[i], w);
}

void thud_bodies_soften(body_motion *motion, thud_index i, const body_slopes *slopes) {
  size_t n = (size_t)motion->problem.block;
  body_implicit *p = &motion->implicit;
  double inverse[MOST * MOST], change[MOST];
  if (!slopes->acts) return;
  find_load(motion, i);
  p->own[i] = p->soft[i] = find_response(motion, i, slopes, inverse, p->response + (size_t)i * n * n);
  if (!p->soft[i]) return;
  body_apply(n, inverse, p->load + (size_t)i * n, change);
  thud_bodies_set_free(motion, i, change);
}

/* ---- springs --------------------------------------------------------------------------------------------------------------- */

/* Where a spring is fastened, world, with its lever about the centre of mass, at the midpoint; its velocity before the step,
 * how that changes where a path gives it, and where it would be a step later. */
typedef struct spring_end {
  thud_vec3 point, velocity, lever, change, next;
  bool moves, driven; /* by forces, by a path */
} spring_end;

static spring_end find_end(const body_motion *motion, thud_index body, thud_vec3 at) {
  const body_state *state = &motion->state;
  if (body < 0) return (spring_end){.point = at, .next = at};
  const thud_pose *pose = &state->pose[body];
  thud_vec3 lever = thud_quat_rotate(pose->rotation, at), v = state->velocity[body], w = state->spin[body];
  spring_end end = {.point = thud_vec3_add(pose->position, lever),
                    .velocity = thud_vec3_add(v, thud_vec3_cross(w, lever)),
                    .lever = lever,
                    .moves = motion->moves[body]};
  if (motion->model.role[body] == THUD_BODY_KINEMATIC) {
    v = motion->velocity_free[body];
    w = motion->spin_free[body];
    end.driven = true;
    end.change = thud_vec3_subtract(thud_vec3_add(v, thud_vec3_cross(w, lever)), end.velocity);
  }
  thud_vec3 turned = thud_quat_rotate(thud_quat_from_rotation_vector(thud_vec3_scale(motion->h, w)), lever);
  end.next = thud_vec3_add(thud_vec3_add_scaled(pose->position, motion->h, v), turned);
  return end;
}

/* Velocity of the point per impulse there, at most. */
static double response_at(const body_motion *motion, thud_index body, const spring_end *end) {
  if (!end->moves) return 0;
  double turn = thud_mat3_trace(motion->model.inverse_inertia[body]);
  return 1 / motion->model.mass[body] + turn * thud_vec3_dot(end->lever, end->lever);
}

static void count_stiffness(body_motion *motion) {
  body_implicit *p = &motion->implicit;
  const thud_bodies_view *model = &motion->model;
  for (thud_index i = 0; i < model->count; i++) p->kappa[i] = p->zeta[i] = 0;
  for (thud_index s = 0; s < model->spring_count; s++) {
    const thud_spring_def *spring = &model->springs[s];
    thud_index bodies[2] = {model->spring_a[s], model->spring_b[s]};
    if (!thud_bodies_spring_acts(motion, s)) continue;
    spring_end ends[2] = {find_end(motion, bodies[0], spring->point_a), find_end(motion, bodies[1], spring->point_b)};
    double factor = ends[0].moves && ends[1].moves ? 2 : 1;
    for (int k = 0; k < 2; k++) {
      if (!ends[k].moves) continue;
      double response = factor * response_at(motion, bodies[k], &ends[k]);
      p->kappa[bodies[k]] += motion->h * motion->h * spring->stiffness * response;
      p->zeta[bodies[k]] += motion->h * spring->damping * response;
    }
  }
  thud_bodies_count_joint_springs(motion);
}

static double larger_of(const double *of, thud_index a, const spring_end *from, thud_index b, const spring_end *to) {
  return fmax(from->moves ? of[a] : 0, to->moves ? of[b] : 0);
}

static void pull(thud_vec3 force, thud_vec3 lever, thud_vec3 *forces, thud_vec3 *torques, thud_index body) {
  if (body < 0) return;
  forces[body] = thud_vec3_add(forces[body], force);
  torques[body] = thud_vec3_add(torques[body], thud_vec3_cross(lever, force));
}

static thud_error add_link(body_motion *motion, thud_index a, const spring_end *from, thud_index b,
                           const spring_end *to, thud_vec3 e, double elastic, double damping) {
  body_implicit *p = &motion->implicit;
  thud_error error =
      thud_array_reserve(motion->base.context, &p->links, &p->link_capacity, p->link_count + 1, sizeof *p->links);
  if (error != THUD_OK) return error;
  body_link *link = &p->links[p->link_count];
  if (!from->moves && !to->moves) return THUD_OK;
  *link = (body_link){.a = from->moves ? a : -1, .b = to->moves ? b : -1, .elastic = elastic, .damping = damping};
  thud_vec3 minus = thud_vec3_negate(e);
  if (from->moves) thud_bodies_pack(motion, minus, thud_vec3_cross(from->lever, minus), link->J_a);
  if (to->moves) thud_bodies_pack(motion, e, thud_vec3_cross(to->lever, e), link->J_b);
  link->path = from->driven ? a : to->driven ? b : -1;
  if (from->driven) thud_bodies_pack(motion, minus, thud_vec3_cross(from->lever, minus), link->J_path);
  if (to->driven) thud_bodies_pack(motion, e, thud_vec3_cross(to->lever, e), link->J_path);
  p->link_count++;
  return THUD_OK;
}

/* The force of a stretched spring on its first end. */
static thud_vec3 stretch(const thud_spring_def *spring, thud_vec3 d) {
  thud_vec3 direction = {0};
  if (!thud_vec3_normalise(d, &direction)) return direction;
  return thud_vec3_scale(spring->stiffness * (thud_vec3_norm(d) - spring->length), direction);
}

/* How much of its tension a spring keeps over a step: that of a stiff one which is stretched by a little goes with the next
 * step, and its pull across it with that; one that is longer than twice its length is a taut string. */
static double tautness(const thud_spring_def *spring, double length) {
  if (!(spring->length > 0)) return 1;
  return fmin(fmax(2 * length / spring->length - 3, 0), 1);
}

static thud_error add_spring(body_motion *motion, thud_index s) {
  const thud_spring_def *spring = &motion->model.springs[s];
  body_implicit *p = &motion->implicit;
  thud_index a = motion->model.spring_a[s], b = motion->model.spring_b[s];
  spring_end from = find_end(motion, a, spring->point_a), to = find_end(motion, b, spring->point_b);
  thud_vec3 d = thud_vec3_subtract(to.point, from.point), n = {0};
  double length = thud_vec3_norm(d), h = motion->h;
  if (!thud_vec3_normalise(d, &n)) {
    if (spring->length > 0) return THUD_OK; /* no direction to pull along */
    n = thud_vec3_make(1, 0, 0);
  }
  double rate = thud_vec3_dot(n, thud_vec3_subtract(to.velocity, from.velocity));
  double kappa = larger_of(p->kappa, a, &from, b, &to), zeta = larger_of(p->zeta, a, &from, b, &to);
  double lateral = spring->length > 0 ? fmax(1 - spring->length / length, 0) : 1, theta = (1 + zeta) / (2 + zeta);
  double share = kappa > BODY_SPRING_RESOLVED ? 1 - BODY_SPRING_RESOLVED / kappa : 0;
  double across = lateral * kappa > BODY_SPRING_RESOLVED
                      ? tautness(spring, length) * (1 - BODY_SPRING_RESOLVED / (lateral * kappa))
                      : 0;
  thud_vec3 pulls = thud_vec3_scale(spring->stiffness * (length - spring->length), n);
  if (share > 0) {
    thud_vec3 next = stretch(spring, thud_vec3_subtract(to.next, from.next));
    double along = thud_vec3_dot(n, next);
    thud_vec3 aside = thud_vec3_add_scaled(next, -along, n);
    pulls = thud_vec3_scale((1 - share) * spring->stiffness * (length - spring->length) + share * along, n);
    pulls = thud_vec3_add_scaled(pulls, across, aside);
  }
  rate += theta * thud_vec3_dot(n, thud_vec3_subtract(to.change, from.change));
  thud_vec3 damp = thud_vec3_scale(spring->damping * rate, n);
  pull(pulls, from.lever, p->elastic, p->elastic_torque, a);
  pull(thud_vec3_negate(pulls), to.lever, p->elastic, p->elastic_torque, b);
  pull(damp, from.lever, motion->force, motion->torque, a);
  pull(thud_vec3_negate(damp), to.lever, motion->force, motion->torque, b);
  if (kappa > BODY_SPRING_STIFF || zeta > BODY_DAMPER_STIFF) {
    thud_vec3 both = thud_vec3_add(pulls, damp);
    if (a >= 0) p->stiff_torque[a] = thud_vec3_add(p->stiff_torque[a], thud_vec3_cross(from.lever, both));
    if (b >= 0) p->stiff_torque[b] = thud_vec3_subtract(p->stiff_torque[b], thud_vec3_cross(to.lever, both));
  }
  thud_error error = THUD_OK;
  if (share > 0 || spring->damping > 0)
    error = add_link(motion, a, &from, b, &to, n, h * h * share * spring->stiffness, h * theta * spring->damping);
  if (across > 0 && error == THUD_OK) {
    thud_mat3 E = thud_mat3_frame(n);
    double stiffness = h * h * across * lateral * spring->stiffness;
    if (motion->model.planar) E.cy = thud_vec3_cross(thud_vec3_make(0, 0, 1), n);
    error = add_link(motion, a, &from, b, &to, E.cy, stiffness, 0);
    if (error == THUD_OK && !motion->model.planar) error = add_link(motion, a, &from, b, &to, E.cz, stiffness, 0);
  }
  return error;
}

thud_error thud_bodies_add_springs(body_motion *motion) {
  thud_error error = THUD_OK;
  motion->implicit.link_count = motion->implicit.clusters = 0;
  for (thud_index i = 0; i < motion->model.count; i++) {
    motion->implicit.soft[i] = motion->implicit.own[i] = false;
    motion->implicit.cluster[i] = -1;
    motion->implicit.stiff_torque[i] = (thud_vec3){0};
  }
  if (motion->model.spring_count > 0 || motion->model.joint_count > 0) count_stiffness(motion);
  thud_index springs = motion->model.spring_count, joints = motion->model.joint_count;
  for (thud_index k = 0; k < springs + joints && error == THUD_OK; k++) {
    thud_index s = joints > 0 ? motion->joints.order[k] : k;
    if (s >= springs) {
      error = thud_bodies_add_joint_rows(motion, s - springs);
      if (error == THUD_OK) error = thud_bodies_add_joint_springs(motion, s - springs);
    } else if (thud_bodies_spring_acts(motion, s))
      error = add_spring(motion, s);
  }
  return error;
}

/* elastic holds the sums of s |r|, of |r|, and of s |r| as the law has s before the midpoint, of a cluster in its root. */
void thud_bodies_shift_soft(body_motion *motion, thud_vec3 *shift, thud_vec3 *twist) {
  const body_contacts *c = &motion->contacts;
  const body_state *state = &motion->state;
  body_implicit *p = &motion->implicit;
  for (thud_index i = 0; i < motion->model.count; i++) p->elastic[i] = (thud_vec3){0};
  for (thud_index k = 0; k < c->count; k++) {
    double size = thud_vec3_norm(c->force[k]), s = c->ahead[k];
    const thud_vec3 add = {s * size, size, (s < 0 ? thud_bodies_time_part(motion, k) * motion->h : s) * size};
    thud_index bodies[2] = {c->body_a[k], c->body_b[k]};
    for (int side = 0; side < 2; side++) {
      thud_index i = bodies[side], root = p->cluster[i] >= 0 ? thud_bodies_cluster_root(p->parent, i) : i;
      p->elastic[root] = thud_vec3_add(p->elastic[root], add);
    }
  }
  for (thud_index i = 0; i < motion->model.count; i++) {
    if (!motion->moves[i] || !p->soft[i]) continue;
    thud_vec3 sums = p->elastic[p->cluster[i] >= 0 ? thud_bodies_cluster_root(p->parent, i) : i];
    double s = sums.y > 0 ? sums.x / sums.y : 0, even = sums.y > 0 ? sums.z / sums.y : 0;
    thud_vec3 v = state->velocity_left[i], w = state->spin_left[i];
    shift[i] = thud_vec3_scale(-s, thud_vec3_subtract(state->velocity[i], v));
    shift[i] = thud_vec3_add_scaled(shift[i], even, thud_vec3_subtract(motion->velocity_free[i], v));
    twist[i] = thud_vec3_scale(-s, thud_vec3_subtract(state->spin[i], w));
    twist[i] = thud_vec3_add_scaled(twist[i], even, thud_vec3_subtract(motion->spin_free[i], w));
  }
}

void thud_bodies_change_of(const body_motion *motion, thud_index i, const thud_vec3 *velocity_from,
                           const thud_vec3 *spin_from, const thud_vec3 *velocity, const thud_vec3 *spin, double *x) {
  thud_bodies_pack(motion, thud_vec3_subtract(velocity[i], velocity_from[i]), thud_vec3_subtract(spin[i], spin_from[i]),
                   x);
}

/* ---- energy ----------------------------------------------------------------------------------------------------------------- */

/* Impulses of contacts on bodies that respond implicitly, to elastic and elastic_torque, which the step has used up. */
static void gather_impulses(body_motion *motion) {
  const body_contacts *c = &motion->contacts;
  body_implicit *p = &motion->implicit;
  for (thud_index i = 0; i < motion->model.count; i++) p->elastic[i] = p->elastic_torque[i] = (thud_vec3){0};
  for (thud_index k = 0; k < c->count; k++) {
    thud_index bodies[2] = {c->body_a[k], c->body_b[k]};
    for (int side = 0; side < 2; side++) {
      thud_index i = bodies[side];
      double sign = side == 0 ? 1 : -1;
      thud_vec3 lever = thud_bodies_lever(motion, k, i);
      thud_vec3 torque = thud_vec3_add(c->moment[k], thud_vec3_cross(lever, c->force[k]));
      p->elastic[i] = thud_vec3_add_scaled(p->elastic[i], sign, c->force[k]);
      p->elastic_torque[i] = thud_vec3_add_scaled(p->elastic_torque[i], sign, torque);
    }
  }
  thud_bodies_add_law_impulses(motion, p->elastic, p->elastic_torque);
}

/* (v+ + v-)/2 and v+ - v- of a body. */
static void find_means(const body_motion *motion, thud_index i, double *mean, double *change) {
  const body_state *s = &motion->state;
  thud_bodies_pack(motion, thud_vec3_scale(0.5, thud_vec3_add(s->velocity[i], s->velocity_left[i])),
                   thud_vec3_scale(0.5, thud_vec3_add(s->spin[i], s->spin_left[i])), mean);
  thud_bodies_change_of(motion, i, s->velocity_left, s->spin_left, s->velocity, s->spin, change);
}

/* The impulse beside that of the explicit forces and of contacts is M (v+ - v-) - load - J'r; its work, without the part of
 * springs, -D S (v+ - v-), which is elastic. */
double thud_bodies_implicit_work(body_motion *motion) {
  body_implicit *p = &motion->implicit;
  size_t n = (size_t)motion->problem.block;
  double work = 0, M[MOST * MOST], mean[MOST], change[MOST], P[MOST], r[MOST];
  bool any = false;
  for (thud_index i = 0; i < motion->model.count && !any; i++) any = p->soft[i];
  if (!any) return 0;
  gather_impulses(motion);
  for (thud_index i = 0; i < motion->model.count; i++) {
    if (!motion->moves[i] || !p->soft[i]) continue;
    mass_matrix(motion, i, M);
    find_means(motion, i, mean, change);
    body_apply(n, M, change, P);
    thud_bodies_pack(motion, p->elastic[i], p->elastic_torque[i], r);
    for (size_t j = 0; j < n; j++)
      if (turns(motion, i) || freedoms(motion)[j] < 3) work += mean[j] * (P[j] - p->load[(size_t)i * n + j] - r[j]);
  }
  for (size_t k = 0; k < p->link_count; k++) {
    const body_link *link = &p->links[k];
    double rate = 0, speed = 0;
    if (link->is_joint) continue;
    for (int side = 0; side < 2; side++) {
      thud_index i = side == 0 ? link->a : link->b;
      if (i < 0) continue;
      find_means(motion, i, mean, change);
      rate += body_dot(n, side == 0 ? link->J_a : link->J_b, change);
      speed += body_dot(n, side == 0 ? link->J_a : link->J_b, mean);
    }
    work += link->elastic * rate * speed;
  }
  return work;
}

double thud_bodies_spring_work(const body_motion *motion, double *damped) {
  const body_implicit *p = &motion->implicit;
  size_t n = (size_t)motion->problem.block;
  double work = 0, h = motion->h, x[MOST], mean[MOST], change[MOST];
  *damped = 0;
  bool any = motion->model.spring_count > 0 || motion->model.joint_count > 0;
  for (thud_index i = 0; i < motion->model.count && any; i++) {
    if (motion->model.role[i] != THUD_BODY_KINEMATIC) continue;
    find_means(motion, i, mean, change);
    thud_bodies_pack(motion, p->elastic[i], p->elastic_torque[i], x);
    work -= h * body_dot(n, x, mean);
    thud_bodies_pack(motion, motion->force[i], motion->torque[i], x);
    *damped -= h * body_dot(n, x, mean);
  }
  for (size_t k = 0; k < p->link_count; k++) {
    const body_link *link = &p->links[k];
    if (link->path < 0 || link->is_joint) continue;
    thud_index i = link->a >= 0 ? link->a : link->b;
    find_means(motion, i, mean, change);
    double rate = body_dot(n, link->a >= 0 ? link->J_a : link->J_b, change);
    find_means(motion, link->path, mean, change);
    work += link->elastic * rate * body_dot(n, link->J_path, mean);
    *damped += link->damping * rate * body_dot(n, link->J_path, mean);
  }
  return work;
}

void thud_bodies_free_implicit(body_motion *motion) {
  body_implicit *p = &motion->implicit;
  void *const arrays[] = {p->links, p->sorted,  p->envelope.rows, p->envelope.factor,
                          p->rates, p->columns, p->cluster_start, p->answers};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(motion->base.context, arrays[k]);
}
