/* Forces that answer to the step (docs/bodies.md): drag by its slopes, dampers, and springs that the step does not resolve.
 * With D = v+ - v of the row and 6 numbers (translation, rotation) per body:
 *   D = T^-1 L + N (J'r - sum over rows s g s.D),   N the symmetric part of T^-1,
 *   T = h C + M (M + h C/2)^-1 M + h^2 a K,   L the momentum that the explicit step gives,
 * the rows s of springs with g = h^2 a k + h theta c. Only the velocities without impulses need these equations solved. */
#include "verify/bodies/verify_bodies.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double RESOLVED = 2; /* h^2 k/m up to which springs are explicit */

/* The same, and h c/m, beyond which torques of springs are left out of Euler's equations. */
static const double STIFF = 2.7, STIFF_DAMPER = 1.3;

/* ---- vectors and matrices of 6 -------------------------------------------------------------------------------------- */

static void set6(double *x, thud_vec3 v, thud_vec3 w) {
  thud_vec3_store(v, x);
  thud_vec3_store(w, x + 3);
}

static double dot6(const double *x, const double *y) {
  double sum = 0;
  for (int i = 0; i < 6; i++) sum += x[i] * y[i];
  return sum;
}

static void apply6(const double A[6][6], const double *x, double *y) {
  for (int i = 0; i < 6; i++) y[i] = dot6(A[i], x);
}

/* X = A^-1 B by elimination with complete rows; false: singular. */
static bool solve6(double A[6][6], double B[6][6], double X[6][6]) {
  double W[6][12];
  for (int i = 0; i < 6; i++) {
    memcpy(W[i], A[i], sizeof A[i]);
    memcpy(W[i] + 6, B[i], sizeof B[i]);
  }
  for (int k = 0; k < 6; k++) {
    int pivot = k;
    for (int i = k; i < 6; i++)
      if (fabs(W[i][k]) > fabs(W[pivot][k])) pivot = i;
    if (W[pivot][k] == 0 || !isfinite(W[pivot][k])) return false;
    double row[12];
    memcpy(row, W[pivot], sizeof row);
    memcpy(W[pivot], W[k], sizeof row);
    memcpy(W[k], row, sizeof row);
    for (int i = k + 1; i < 6; i++) {
      double factor = W[i][k] / W[k][k];
      for (int j = k; j < 12; j++) W[i][j] -= factor * W[k][j];
    }
  }
  for (int c = 0; c < 6; c++)
    for (int i = 5; i >= 0; i--) {
      double sum = W[i][6 + c];
      for (int j = i + 1; j < 6; j++) sum -= W[i][j] * X[j][c];
      X[i][c] = sum / W[i][i];
    }
  return true;
}

/* All pivots of elimination without exchanges are positive. */
static bool is_definite(double A[6][6]) {
  double W[6][6];
  memcpy(W, A, sizeof W);
  for (int k = 0; k < 6; k++) {
    if (!(W[k][k] > 0)) return false;
    for (int i = k + 1; i < 6; i++)
      for (int j = 5; j >= k; j--) W[i][j] -= W[i][k] / W[k][k] * W[k][j];
  }
  return true;
}

static bool is_point(const verify_rigid *body) { return !(thud_mat3_trace(body->inverse) > 0); }

/* M at the midpoint; 1 where a body has no inertia. */
static void mass_of(const verify_body_step *step, size_t i, double M[6][6]) {
  const verify_rigid *body = &step->bodies->body[i];
  thud_mat3 R = thud_quat_to_matrix(step->middle[i].q), I = thud_mat3_identity();
  if (!is_point(body)) I = thud_mat3_multiply(R, thud_mat3_multiply(body->inertia, thud_mat3_transpose(R)));
  if (step->bodies->planar) I = thud_mat3_diagonal(1, 1, I.cz.z);
  double columns[9];
  thud_mat3_store(I, columns);
  memset(M, 0, 36 * sizeof(double));
  for (int k = 0; k < 3; k++) {
    M[k][k] = body->mass;
    for (int j = 0; j < 3; j++) M[3 + j][3 + k] = columns[3 * k + j];
  }
}

static void inverse_of(const verify_body_step *step, size_t i, double A[6][6]) {
  double M[6][6], one[6][6] = {{1, 0, 0, 0, 0, 0}, {0, 1, 0, 0, 0, 0}, {0, 0, 1, 0, 0, 0},
                               {0, 0, 0, 1, 0, 0}, {0, 0, 0, 0, 1, 0}, {0, 0, 0, 0, 0, 1}};
  mass_of(step, i, M);
  if (!solve6(M, one, A)) memset(A, 0, 36 * sizeof(double));
}

static void clear_turns(const verify_body_step *step, size_t i, double A[6][6]) {
  for (int j = 0; j < 6; j++)
    for (int k = 3; k < 6 && is_point(&step->bodies->body[i]); k++) A[j][k] = A[k][j] = 0;
}

/* ---- slopes of forces ------------------------------------------------------------------------------------------------- */

/* Where the derivative by a variable belongs: of places 0 to 5, of velocities 6 more; by the quaternion there is none. */
static const int slope_column[BODY_VARIABLES] = {0, 1, 2, 6, 7, 8, 5, 11, -1, -1, -1, -1, 9, 10, 11};

thud_error thud_verify_compile_slopes(verify_bodies *bodies, verify_push *push) {
  thud_expr_graph *graph = NULL;
  thud_expr_value value, slopes[6 * BODY_VARIABLES];
  thud_index slots[BODY_VARIABLES], count = 0;
  thud_context *context = bodies->scene.context;
  for (int k = 0; k < BODY_VARIABLES; k++)
    if (bodies->slot[k] >= 0 && slope_column[k] >= 0) slots[count++] = bodies->slot[k];
  thud_error error = thud_expr_graph_create(context, bodies->scene.scope, &graph);
  for (int k = 0; k < 6 && error == THUD_OK; k++) {
    error = thud_expr_graph_add(graph, push->text[k] != NULL ? push->text[k] : "0", NULL, &value);
    if (error == THUD_OK)
      error = thud_expr_graph_add_gradient(graph, value, count, slots, slopes + (ptrdiff_t)k * count);
  }
  if (error == THUD_OK) error = thud_expr_program_create(graph, 6 * count, slopes, &push->slopes);
  if (error == THUD_OK) error = thud_expr_work_create(context, push->slopes, 0, &push->slope_work);
  thud_expr_graph_destroy(graph);
  return error == THUD_ERROR_UNSUPPORTED ? THUD_OK : error; /* then the force is explicit */
}

/* Derivatives by place and by velocity that a function of a program gave. */
static bool told_slopes(const double given[72], double C[6][6], double K[6][6]) {
  bool any = false;
  for (int k = 0; k < 36; k++) {
    K[k / 6][k % 6] = given[k] != 0 ? -given[k] : 0;
    C[k / 6][k % 6] = given[36 + k] != 0 ? -given[36 + k] : 0;
    any = any || given[36 + k] != 0;
  }
  return any;
}

/* C and K of a body's force; returns false where C is 0. */
static bool slopes_of(const verify_body_step *step, size_t i, double C[6][6], double K[6][6]) {
  const verify_bodies *bodies = step->bodies;
  const verify_push *push = bodies->body[i].push;
  double out[6 * BODY_VARIABLES];
  bool any = false;
  memset(C, 0, 36 * sizeof(double));
  memset(K, 0, 36 * sizeof(double));
  if (push != NULL && push->told) return told_slopes(step->row->told + push->at + 12, C, K);
  if (push == NULL || push->slopes == NULL) return false;
  double t = step->row->t - 0.5 * step->row->step;
  thud_expr_work_evaluate(push->slope_work, thud_verify_body_variables(bodies, t, &step->middle[i]), out);
  size_t at = 0;
  for (int row = 0; row < 6; row++)
    for (int k = 0; k < BODY_VARIABLES; k++) {
      int column = slope_column[k];
      if (bodies->slot[k] < 0 || column < 0) continue;
      double slope = out[at++];
      if (!isfinite(slope) || slope == 0) continue;
      any = any || column >= 6;
      (column < 6 ? K : C)[row][column % 6] = -slope;
    }
  return any;
}

static void force_at(const verify_body_step *step, size_t i, const verify_body_state *state, double *f) {
  const verify_bodies *bodies = step->bodies;
  const verify_push *push = bodies->body[i].push;
  if (push->told) {
    memcpy(f, step->row->told + push->at + (state == &step->middle[i] ? 0 : 6), 6 * sizeof *f);
    return;
  }
  const double *variables = thud_verify_body_variables(bodies, step->row->t - 0.5 * step->row->step, state);
  for (int k = 0; k < 6; k++) {
    const verify_value *value = &bodies->body[i].push->component[k];
    f[k] = value->expr != NULL ? thud_expr_evaluate(value->expr, variables) : value->constant;
  }
}

/* Largest sum of a row of M^-1/2 A M^-1/2, M by its diagonal. */
static double beside_mass(const verify_body_step *step, size_t i, double A[6][6]) {
  double M[6][6], most = 0;
  mass_of(step, i, M);
  for (int j = 0; j < 6; j++) {
    double sum = 0;
    for (int k = 0; k < 6; k++) sum += fabs(A[j][k]) / sqrt(M[j][j] * M[k][k]);
    most = fmax(most, sum);
  }
  return most;
}

/* The share of K that the step takes implicitly. */
static double share_of(const verify_body_step *step, size_t i, double K[6][6]) {
  double kappa = step->row->step * step->row->step * beside_mass(step, i, K);
  return kappa > RESOLVED ? 1 - RESOLVED / kappa : 0;
}

void thud_verify_implicit_push(verify_body_step *step, size_t i) {
  double f[6], g[6], C[6][6], K[6][6], h = step->row->step, size[2] = {0, 0};
  if (step->bodies->body[i].push == NULL) return;
  force_at(step, i, &step->middle[i], f);
  slopes_of(step, i, C, K);
  double share = share_of(step, i, K);
  if (share > 0) {
    verify_body_state next = step->middle[i];
    next.x = thud_vec3_add_scaled(next.x, h, next.v);
    next.q = thud_quat_integrate(next.q, next.w, h);
    force_at(step, i, &next, g);
    for (int k = 0; k < 6; k++) {
      size[k / 3] += fabs(f[k]) + fabs(g[k]);
      f[k] = (1 - share) * f[k] + share * g[k];
    }
  }
  if (h * h * beside_mass(step, i, K) > STIFF || h * beside_mass(step, i, C) > STIFF_DAMPER)
    step->implicit[i].stiff = thud_vec3_add(step->implicit[i].stiff, thud_vec3_load(f + 3));
  step->applied[i] = thud_vec3_add(step->applied[i], thud_vec3_load(f));
  step->applied_torque[i] = thud_vec3_add(step->applied_torque[i], thud_vec3_load(f + 3));
  step->size[2 * i] += thud_vec3_norm(thud_vec3_load(f)) + size[0];
  step->size[2 * i + 1] += thud_vec3_norm(thud_vec3_load(f + 3)) + size[1];
}

/* T^-1 and its symmetric part, or M^-1 for both. */
static void find_own(verify_body_step *step, size_t i) {
  verify_implicit *p = &step->implicit[i];
  double C[6][6], K[6][6], M[6][6], X[6][6], Y[6][6], T[6][6], h = step->row->step;
  inverse_of(step, i, p->inverse);
  bool drags = slopes_of(step, i, C, K);
  double share = share_of(step, i, K);
  mass_of(step, i, M);
  for (int j = 0; j < 6; j++)
    for (int k = 0; k < 6; k++) X[j][k] = M[j][k] + 0.5 * h * C[j][k];
  if ((drags || share > 0) && solve6(X, M, Y)) {
    double one[6][6] = {{0}}, found[6][6], symmetric[6][6];
    for (int j = 0; j < 6; j++) {
      one[j][j] = 1;
      for (int k = 0; k < 6; k++) {
        T[j][k] = h * C[j][k] + h * h * share * K[j][k];
        for (int q = 0; q < 6; q++) T[j][k] += M[j][q] * Y[q][k];
      }
    }
    bool good = solve6(T, one, found);
    for (int j = 0; j < 6; j++)
      for (int k = 0; k < 6 && good; k++) symmetric[j][k] = 0.5 * (found[j][k] + found[k][j]);
    p->soft = good && is_definite(symmetric);
    if (p->soft) memcpy(p->inverse, found, sizeof found);
  }
  clear_turns(step, i, p->inverse);
  for (int j = 0; j < 6; j++)
    for (int k = 0; k < 6; k++) p->own[j][k] = p->response[j][k] = 0.5 * (p->inverse[j][k] + p->inverse[k][j]);
}

/* ---- springs ----------------------------------------------------------------------------------------------------------- */

/* An end of a spring at the midpoint, and a step later with the velocities before (bodies on paths: after) the step. */
typedef struct hold {
  thud_vec3 point, velocity, lever, change, next;
  bool moves;
  double speed; /* size of the velocities */
} hold;

static hold hold_of(const verify_body_step *step, size_t body, thud_vec3 at) {
  if (body == SIZE_MAX) return (hold){.point = at, .next = at};
  const verify_body_state *state = &step->middle[body], *after = &step->after[body], *going = state;
  thud_vec3 lever = thud_quat_rotate(state->q, at), point = thud_vec3_add(state->x, lever);
  hold end = {.point = point, .velocity = verify_velocity_at(state, point), .lever = lever, .moves = step->moves[body]};
  if (step->bodies->body[body].role == VERIFY_KINEMATIC) {
    going = after;
    end.change = thud_vec3_subtract(verify_velocity_at(after, point), end.velocity);
  }
  double h = step->row->step;
  end.next = thud_vec3_add(thud_vec3_add_scaled(state->x, h, going->v),
                           thud_quat_rotate(thud_quat_integrate(state->q, going->w, h), at));
  end.speed = thud_vec3_norm(state->v) + thud_vec3_norm(after->v) +
              thud_vec3_norm(lever) * (thud_vec3_norm(state->w) + thud_vec3_norm(after->w));
  return end;
}

static double response_at(const verify_body_step *step, size_t body, const hold *end) {
  const verify_rigid *of = &step->bodies->body[body];
  return 1 / of->mass + thud_mat3_trace(of->inverse) * thud_vec3_dot(end->lever, end->lever);
}

static void count_spring(verify_body_step *step, const verify_spring *spring) {
  hold ends[2] = {hold_of(step, spring->a, spring->at_a), hold_of(step, spring->b, spring->at_b)};
  size_t bodies[2] = {spring->a, spring->b};
  double h = step->row->step, factor = ends[0].moves && ends[1].moves ? 2 : 1;
  for (int k = 0; k < 2; k++) {
    if (!ends[k].moves) continue;
    double response = factor * response_at(step, bodies[k], &ends[k]);
    step->implicit[bodies[k]].kappa += h * h * spring->stiffness * response;
    step->implicit[bodies[k]].zeta += h * spring->damping * response;
  }
}

static void pull(size_t body, thud_vec3 lever, thud_vec3 force, thud_vec3 *forces, thud_vec3 *torques) {
  if (body == SIZE_MAX) return;
  forces[body] = thud_vec3_add(forces[body], force);
  torques[body] = thud_vec3_add(torques[body], thud_vec3_cross(lever, force));
}

static bool is_driven(const verify_body_step *step, size_t body) {
  return body != SIZE_MAX && step->bodies->body[body].role == VERIFY_KINEMATIC;
}

static void add_link(verify_body_step *step, const verify_spring *spring, const hold *a, const hold *b, thud_vec3 e,
                     double elastic, double damping) {
  verify_link *link = &step->link[step->link_count];
  if (!a->moves && !b->moves) return;
  *link = (verify_link){.a = a->moves ? spring->a : SIZE_MAX,
                        .b = b->moves ? spring->b : SIZE_MAX,
                        .elastic = elastic,
                        .damping = damping,
                        .speed = a->speed + b->speed};
  if (a->moves) set6(link->s_a, thud_vec3_negate(e), thud_vec3_cross(e, a->lever));
  if (b->moves) set6(link->s_b, e, thud_vec3_cross(b->lever, e));
  link->path = is_driven(step, spring->a) ? spring->a : is_driven(step, spring->b) ? spring->b : SIZE_MAX;
  if (is_driven(step, spring->a)) set6(link->s_path, thud_vec3_negate(e), thud_vec3_cross(e, a->lever));
  if (is_driven(step, spring->b)) set6(link->s_path, e, thud_vec3_cross(b->lever, e));
  step->link_count++;
}

/* stiffness (|d| - length) along d. */
static thud_vec3 tension(const verify_spring *spring, thud_vec3 d) {
  double length = thud_vec3_norm(d);
  return length > 0 ? thud_vec3_scale(spring->stiffness * (length - spring->length) / length, d) : d;
}

static void add_spring(verify_body_step *step, const verify_spring *spring) {
  hold a = hold_of(step, spring->a, spring->at_a), b = hold_of(step, spring->b, spring->at_b);
  thud_vec3 d = thud_vec3_subtract(b.point, a.point), n;
  double length = thud_vec3_norm(d), h = step->row->step, kappa = 0, zeta = 0;
  if (!thud_vec3_normalise(d, &n)) {
    if (spring->length > 0) return;
    n = thud_vec3_make(1, 0, 0);
  }
  if (a.moves) kappa = step->implicit[spring->a].kappa, zeta = step->implicit[spring->a].zeta;
  if (b.moves) kappa = fmax(kappa, step->implicit[spring->b].kappa), zeta = fmax(zeta, step->implicit[spring->b].zeta);
  double lateral = spring->length > 0 ? fmax(1 - spring->length / length, 0) : 1;
  double along = fmax(1 - RESOLVED / fmax(kappa, RESOLVED), 0);
  double across = lateral > 0 ? fmax(1 - RESOLVED / fmax(lateral * kappa, RESOLVED), 0) : 0;
  if (spring->length > 0)
    across *= fmin(fmax(2 * length / spring->length - 3, 0), 1); /* taut from twice the length on */
  double theta = (1 + zeta) / (2 + zeta);
  thud_vec3 now = tension(spring, d), later = tension(spring, thud_vec3_subtract(b.next, a.next));
  thud_vec3 aside = thud_vec3_add_scaled(later, -thud_vec3_dot(later, n), n);
  thud_vec3 elastic =
      thud_vec3_scale((1 - along) * spring->stiffness * (length - spring->length) + along * thud_vec3_dot(later, n), n);
  elastic = thud_vec3_add_scaled(elastic, across, aside);
  double rate = thud_vec3_dot(n, thud_vec3_subtract(b.velocity, a.velocity)) +
                theta * thud_vec3_dot(n, thud_vec3_subtract(b.change, a.change));
  thud_vec3 damping = thud_vec3_scale(spring->damping * rate, n);
  pull(spring->a, a.lever, elastic, step->elastic, step->elastic_torque);
  pull(spring->b, b.lever, thud_vec3_negate(elastic), step->elastic, step->elastic_torque);
  pull(spring->a, a.lever, damping, step->applied, step->applied_torque);
  pull(spring->b, b.lever, thud_vec3_negate(damping), step->applied, step->applied_torque);
  thud_vec3 both = thud_vec3_add(elastic, damping);
  bool stiff = kappa > STIFF || zeta > STIFF_DAMPER;
  if (stiff && a.moves)
    step->implicit[spring->a].stiff = thud_vec3_add(step->implicit[spring->a].stiff, thud_vec3_cross(a.lever, both));
  if (stiff && b.moves)
    step->implicit[spring->b].stiff =
        thud_vec3_subtract(step->implicit[spring->b].stiff, thud_vec3_cross(b.lever, both));
  if (along > 0 || spring->damping > 0)
    add_link(step, spring, &a, &b, n, h * h * along * spring->stiffness, h * theta * spring->damping);
  thud_mat3 E = thud_mat3_frame(n);
  if (step->bodies->planar) E.cy = thud_vec3_make(-n.y, n.x, 0);
  double stiffness = h * h * across * lateral * spring->stiffness;
  if (across > 0) add_link(step, spring, &a, &b, E.cy, stiffness, 0);
  if (across > 0 && !step->bodies->planar) add_link(step, spring, &a, &b, E.cz, stiffness, 0);
  /* points are rounded against their places, lengths against each other, and the direction by the place over the length: it
   * is rounding alone where the ends coincide */
  double places = thud_vec3_norm(a.point) + thud_vec3_norm(b.point);
  double damped = spring->damping * (thud_vec3_norm(a.velocity) + thud_vec3_norm(b.velocity));
  double size =
      spring->stiffness * (length + spring->length + places) + thud_vec3_norm(now) + thud_vec3_norm(later) + damped +
      (damped + spring->stiffness * spring->length) * places / fmax(length, fmax(DBL_EPSILON * places, DBL_MIN));
  size_t ends[2] = {spring->a, spring->b};
  for (int k = 0; k < 2; k++) {
    if (ends[k] == SIZE_MAX) continue;
    step->size[2 * ends[k]] += size;
    step->size[2 * ends[k] + 1] += size * thud_vec3_norm(k == 0 ? a.lever : b.lever);
  }
}

void thud_verify_implicit_springs(verify_body_step *step) {
  const verify_bodies *bodies = step->bodies;
  step->link_count = 0;
  for (size_t i = 0; i < bodies->count; i++) {
    step->implicit[i].soft = false;
    step->implicit[i].kappa = step->implicit[i].zeta = 0;
    step->implicit[i].stiff = (thud_vec3){0};
  }
  for (size_t k = 0; k < bodies->spring_count; k++)
    if (verify_spring_holds(bodies, &bodies->spring[k])) count_spring(step, &bodies->spring[k]);
  thud_verify_joint_springs(step, true);
  for (size_t k = 0; k < bodies->spring_count; k++)
    if (verify_spring_holds(bodies, &bodies->spring[k])) add_spring(step, &bodies->spring[k]);
  thud_verify_joint_springs(step, false);
}

/* ---- velocities without impulses ------------------------------------------------------------------------------------------ */

static double weight(const verify_link *link) { return link->elastic + link->damping; }

/* The rows of springs of one body: N - N s s'N/(1/g + s'N s). */
static void absorb(verify_body_step *step, const verify_link *link) {
  size_t i = link->a != SIZE_MAX ? link->a : link->b;
  const double *s = link->a != SIZE_MAX ? link->s_a : link->s_b;
  verify_implicit *p = &step->implicit[i];
  double y[6];
  apply6(p->response, s, y);
  double factor = weight(link) / (1 + weight(link) * dot6(s, y)), rate = factor * dot6(s, p->change);
  for (int j = 0; j < 6; j++) {
    p->change[j] -= rate * y[j];
    for (int k = 0; k < 6; k++) p->response[j][k] -= factor * y[j] * y[k];
  }
}

static bool is_coupled(const verify_link *link) { return link->a != SIZE_MAX && link->b != SIZE_MAX; }

/* y = (1/g + S N S') x over the rows of two bodies; `work` of the bodies is scratch. */
static void apply_rows(verify_body_step *step, const double *x, double *y) {
  for (size_t i = 0; i < step->bodies->count; i++) memset(step->implicit[i].work, 0, sizeof step->implicit[i].work);
  for (size_t r = 0; r < step->link_count; r++) {
    const verify_link *link = &step->link[r];
    for (int j = 0; j < 6 && is_coupled(link); j++) {
      step->implicit[link->a].work[j] += x[r] * link->s_a[j];
      step->implicit[link->b].work[j] += x[r] * link->s_b[j];
    }
  }
  for (size_t i = 0; i < step->bodies->count; i++) {
    double z[6];
    apply6(step->implicit[i].response, step->implicit[i].work, z);
    memcpy(step->implicit[i].work, z, sizeof z);
  }
  for (size_t r = 0; r < step->link_count; r++) {
    const verify_link *link = &step->link[r];
    y[r] = 0;
    if (is_coupled(link))
      y[r] = x[r] / weight(link) + dot6(link->s_a, step->implicit[link->a].work) +
             dot6(link->s_b, step->implicit[link->b].work);
  }
}

/* Conjugate gradients for the impulses of springs between bodies, scaled by the diagonal; they end where rounding does. */
static void couple(verify_body_step *step) {
  size_t n = step->link_count;
  double *x = step->scratch, *r = x + n, *p = r + n, *q = p + n, *z = q + n, *D = z + n, rho = 0, least = 0;
  for (size_t k = 0; k < n; k++) {
    const verify_link *link = &step->link[k];
    double y[6];
    x[k] = r[k] = 0;
    D[k] = 1;
    if (!is_coupled(link)) continue;
    r[k] = dot6(link->s_a, step->implicit[link->a].change) + dot6(link->s_b, step->implicit[link->b].change);
    apply6(step->implicit[link->a].response, link->s_a, y);
    D[k] = 1 / weight(link) + dot6(link->s_a, y);
    apply6(step->implicit[link->b].response, link->s_b, y);
    D[k] += dot6(link->s_b, y);
  }
  for (size_t k = 0; k < n; k++) {
    p[k] = z[k] = r[k] / D[k];
    rho += r[k] * z[k];
  }
  least = 0x1p-90 * rho;
  for (size_t turn = 0; turn < 20 * n + 100 && rho > least; turn++) {
    double slope = 0, next = 0;
    apply_rows(step, p, q);
    for (size_t k = 0; k < n; k++) slope += p[k] * q[k];
    if (!(slope > 0)) break;
    for (size_t k = 0; k < n; k++) {
      x[k] += rho / slope * p[k];
      r[k] -= rho / slope * q[k];
      z[k] = r[k] / D[k];
      next += r[k] * z[k];
    }
    for (size_t k = 0; k < n; k++) p[k] = z[k] + next / rho * p[k];
    rho = next;
  }
  apply_rows(step, x, q); /* leaves N S'x in the bodies */
  for (size_t i = 0; i < step->bodies->count; i++)
    for (int j = 0; j < 6; j++) step->implicit[i].change[j] -= step->implicit[i].work[j];
}

/* Impulses of joints that do not answer to contacts, to change; Euler's equations see their moments, to load. */
static void add_joints(verify_body_step *step, size_t i, const double joints[6]) {
  const verify_rigid *body = &step->bodies->body[i];
  verify_implicit *p = &step->implicit[i];
  thud_mat3 R = thud_quat_to_matrix(step->middle[i].q);
  double y[6], h = step->row->step;
  bool own = p->soft, gyroscopic = step->bodies->options.gyroscopic && !step->bodies->planar;
  p->soft = true;
  if (gyroscopic && !own && !is_point(body)) {
    thud_vec3 torque = thud_vec3_add(step->elastic_torque[i], step->applied_torque[i]);
    torque = thud_mat3_apply_transposed(R, thud_vec3_scale(h, thud_vec3_subtract(torque, p->stiff)));
    thud_vec3 moment = thud_mat3_apply_transposed(R, thud_vec3_load(joints + 3));
    thud_vec3 w = thud_mat3_apply_transposed(R, step->middle[i].w);
    thud_vec3 with = thud_verify_free_spin(body, w, thud_vec3_add(torque, moment), h, true);
    thud_vec3 without = thud_verify_free_spin(body, w, torque, h, true);
    thud_vec3 more = thud_vec3_subtract(thud_mat3_apply(body->inertia, thud_vec3_subtract(with, without)), moment);
    thud_vec3_store(thud_vec3_add(thud_vec3_load(p->load + 3), thud_mat3_apply(R, more)), p->load + 3);
    apply6(p->inverse, p->load, p->given);
  }
  apply6(p->own, joints, y);
  for (int k = 0; k < 6; k++) p->change[k] = p->given[k] + y[k];
}

static void fall_with_joints(verify_body_step *step) {
  const verify_bodies *bodies = step->bodies;
  for (size_t i = 0; i < bodies->count; i++) memset(step->implicit[i].work, 0, sizeof step->implicit[i].work);
  for (size_t i = 0; i < bodies->count; i++) step->implicit[i].joined = false;
  for (size_t k = 0; k < bodies->joint_count; k++) {
    const verify_joint *joint = &bodies->joint[k];
    if (!verify_joint_holds(bodies, joint) || verify_is_loose(joint)) continue;
    for (int side = 0; side < (joint->b == SIZE_MAX ? 1 : 2); side++) {
      verify_implicit *p = &step->implicit[side == 0 ? joint->a : joint->b];
      thud_vec3 all[2], answer[2];
      double x[6];
      thud_verify_joint_impulse(step, k, side, false, &all[0], &all[1]);
      thud_verify_joint_impulse(step, k, side, true, &answer[0], &answer[1]);
      set6(x, thud_vec3_subtract(all[0], answer[0]), thud_vec3_subtract(all[1], answer[1]));
      for (int j = 0; j < 6; j++) p->work[j] += x[j];
      p->joined = true;
    }
  }
  for (size_t i = 0; i < bodies->count; i++) {
    double joints[6];
    memcpy(joints, step->implicit[i].work, sizeof joints);
    if (step->implicit[i].joined && step->moves[i]) add_joints(step, i, joints);
  }
}

/* v_free and w_free of the explicit step are there. */
void thud_verify_implicit_fall(verify_body_step *step) {
  size_t n = step->bodies->count;
  bool coupled = false;
  for (size_t i = 0; i < n; i++) {
    verify_implicit *p = &step->implicit[i];
    double M[6][6], x[6];
    memset(p->change, 0, sizeof p->change);
    memset(p->response, 0, sizeof p->response);
    if (!step->moves[i]) continue;
    find_own(step, i);
    mass_of(step, i, M);
    set6(x, thud_vec3_subtract(step->v_free[i], step->middle[i].v),
         thud_vec3_subtract(step->w_free[i], step->middle[i].w));
    apply6(M, x, p->load);
    if (is_point(&step->bodies->body[i])) memset(p->load + 3, 0, 3 * sizeof(double));
    apply6(p->inverse, p->load, p->change);
    memcpy(p->given, p->change, sizeof p->given);
  }
  if (step->bodies->joint_count > 0) fall_with_joints(step);
  for (size_t r = 0; r < step->link_count; r++) {
    verify_link *link = &step->link[r];
    coupled = coupled || is_coupled(link);
    if (!is_coupled(link)) absorb(step, link);
    if (link->a != SIZE_MAX) step->implicit[link->a].soft = true;
    if (link->b != SIZE_MAX) step->implicit[link->b].soft = true;
  }
  if (coupled) couple(step);
  for (size_t i = 0; i < n; i++) {
    if (!step->moves[i] || !step->implicit[i].soft) continue;
    step->v_free[i] = thud_vec3_add(step->middle[i].v, thud_vec3_load(step->implicit[i].change));
    step->w_free[i] = thud_vec3_add(step->middle[i].w, thud_vec3_load(step->implicit[i].change + 3));
  }
}

/* ---- what the row's velocities say ------------------------------------------------------------------------------------------ */

static void change_of(const verify_body_step *step, size_t i, double *x) {
  set6(x, thud_vec3_subtract(step->after[i].v, step->middle[i].v),
       thud_vec3_subtract(step->after[i].w, step->middle[i].w));
}

static void mean_of(const verify_body_step *step, size_t i, double *x) {
  set6(x, thud_vec3_scale(0.5, thud_vec3_add(step->after[i].v, step->middle[i].v)),
       thud_vec3_scale(0.5, thud_vec3_add(step->after[i].w, step->middle[i].w)));
}

/* s.D of a row, or of the mean velocity. */
static double rate_of(const verify_body_step *step, const verify_link *link,
                      void (*of)(const verify_body_step *, size_t, double *)) {
  double sum = 0, x[6];
  if (link->a != SIZE_MAX) {
    of(step, link->a, x);
    sum += dot6(link->s_a, x);
  }
  if (link->b != SIZE_MAX) {
    of(step, link->b, x);
    sum += dot6(link->s_b, x);
  }
  return sum;
}

double thud_verify_link_change(const verify_body_step *step, const verify_link *link) {
  return rate_of(step, link, change_of);
}

void thud_verify_implicit_error(const verify_body_step *step, size_t i, thud_vec3 impulse, thud_vec3 moment,
                                double *size, thud_vec3 *linear, thud_vec3 *angular) {
  const verify_implicit *p = &step->implicit[i];
  double b[6], x[6], y[6], M[6][6], N[6][6];
  set6(b, impulse, moment);
  size[0] = size[1] = 0;
  for (size_t r = 0; r < step->link_count; r++) {
    const verify_link *link = &step->link[r];
    if (link->a != i && link->b != i) continue;
    const double *s = link->a == i ? link->s_a : link->s_b;
    double rate = weight(link) * rate_of(step, link, change_of);
    for (int k = 0; k < 6; k++) b[k] -= rate * s[k];
    size[0] += weight(link) * link->speed;
    size[1] += weight(link) * link->speed * thud_vec3_norm(thud_vec3_load(s + 3));
  }
  memcpy(N, p->own, sizeof N);
  apply6(N, b, y);
  change_of(step, i, x);
  for (int k = 0; k < 6; k++) x[k] -= p->given[k] + y[k];
  mass_of(step, i, M);
  apply6(M, x, y);
  *linear = thud_vec3_load(y);
  *angular = thud_vec3_load(y + 3);
}

/* With v+ the velocities that the impulses leave, at most `held` at every point, the row's 0 lack M v+ + M N S'g S v+, and N is
 * at most M^-1. */
void thud_verify_implicit_rest(const verify_body_step *step, size_t i, double lack[2]) {
  const verify_bodies *bodies = step->bodies;
  double radius = thud_verify_body_radius(bodies, i), inertia = thud_mat3_trace(bodies->body[i].inertia);
  lack[0] = bodies->body[i].mass * step->held[i];
  lack[1] = radius > 0 ? inertia * step->held[i] / radius : 0;
  for (size_t r = 0; r < step->link_count && step->held[i] > 0; r++) {
    const verify_link *link = &step->link[r];
    size_t ends[2] = {link->a, link->b};
    double rate = 0;
    if (link->a != i && link->b != i) continue;
    for (int k = 0; k < 2; k++) {
      if (ends[k] == SIZE_MAX) continue;
      double size = thud_verify_body_radius(bodies, ends[k]);
      double lever = thud_vec3_norm(thud_vec3_load((k == 0 ? link->s_a : link->s_b) + 3));
      rate += step->held[ends[k]] * (1 + (size > 0 ? lever / size : 0));
    }
    lack[0] += weight(link) * rate;
    lack[1] += weight(link) * rate * thud_vec3_norm(thud_vec3_load((link->a == i ? link->s_a : link->s_b) + 3));
  }
}

double thud_verify_implicit_diagonal(const verify_body_step *step, size_t i, thud_vec3 force, thud_vec3 moment) {
  double x[6], y[6];
  set6(x, force, moment);
  apply6(step->implicit[i].response, x, y);
  return dot6(x, y);
}

double thud_verify_implicit_work(const verify_body_step *step, const thud_vec3 *impulse, const thud_vec3 *moment,
                                 double *size) {
  double work = 0, x[6], y[6], mean[6], M[6][6];
  *size = 0;
  for (size_t i = 0; i < step->bodies->count; i++) {
    if (!step->moves[i] || !step->implicit[i].soft) continue;
    mass_of(step, i, M);
    change_of(step, i, x);
    mean_of(step, i, mean);
    apply6(M, x, y);
    set6(x, impulse[i], moment[i]);
    for (int k = 0; k < (is_point(&step->bodies->body[i]) ? 3 : 6); k++) {
      work += mean[k] * (y[k] - step->implicit[i].load[k] - x[k]);
      *size += fabs(mean[k]) * (fabs(y[k]) + fabs(step->implicit[i].load[k]) + fabs(x[k]));
    }
  }
  for (size_t r = 0; r < step->link_count; r++) {
    const verify_link *link = &step->link[r];
    work += link->elastic * rate_of(step, link, change_of) * rate_of(step, link, mean_of);
    *size += link->elastic * link->speed * link->speed;
  }
  return work;
}

double thud_verify_spring_work(const verify_body_step *step, double *damped, double *size) {
  double work = 0, h = step->row->step, mean[6], x[6];
  *damped = *size = 0;
  for (size_t i = 0; i < step->bodies->count; i++) {
    if (!is_driven(step, i)) continue;
    mean_of(step, i, mean);
    set6(x, step->elastic[i], step->elastic_torque[i]);
    work -= h * dot6(x, mean);
    set6(x, step->applied[i], step->applied_torque[i]);
    *damped -= h * dot6(x, mean);
    *size += h * (step->size[2 * i] * thud_vec3_norm(thud_vec3_load(mean)) +
                  step->size[2 * i + 1] * thud_vec3_norm(thud_vec3_load(mean + 3)));
  }
  for (size_t r = 0; r < step->link_count; r++) {
    const verify_link *link = &step->link[r];
    if (link->path == SIZE_MAX) continue;
    mean_of(step, link->path, mean);
    double rate = rate_of(step, link, change_of) * dot6(link->s_path, mean);
    work += link->elastic * rate;
    *damped += link->damping * rate;
    *size += weight(link) * link->speed * link->speed;
  }
  return work;
}
