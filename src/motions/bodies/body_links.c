/* Rows that connect bodies: springs that answer to the step, and joints. Those of springs have a compliance 1/D, those of joints
 * none. With N the responses of the bodies, S the rows, E = 1/D + S N S' is factorised in its envelope:
 *   v = v_0 - N S'l,   E l = S (v_0 - v-) - aim,
 * aim the change of the rates that the rows ask for, 0 of springs. Rows come in an order in which neighbours are near each
 * other (body_joint_order.c): a chain of n bodies costs O(n).
 *
 * A row of a joint that depends on those before it is left out. The square of its distance from the span of these, beside that of its
 * own length, is its pivot in Cholesky's factor beside its diagonal; it depends on them where that is at most the largest of
 *   DEPENDENT           what rounding makes of the distance: 1e-16 is lost of the squares, and pivots before it amplify that
 *   STAYS * DEPENDENT   if it depended on them at the node before: a mechanism that rests there must not change its mind
 *   (doubt * open)^2    where joints are open by `open` beside their sizes, rows have turned by as much against those of closed ones.
 * The last one matters at midpoints and while joints are closed: rows that depend on others where joints are closed differ there by
 * about `open` (0.001 to 1 of it in loops of four to seven rods; BODY_DOUBT is 10), in a direction that says nothing of the motion,
 * and a division by it would stop the motion or throw the bodies apart. Rows that are near others because the mechanism is near a
 * position where it branches are kept from 10 times that on. */
#include "motions/bodies/body_motion.h"

#include <math.h>
#include <string.h>

enum { MOST = THUD_BODY_BLOCK, UNNUMBERED = -2 };

static const double DEPENDENT = 1e-9, STAYS = 10, UNCERTAIN = 1e-7, ROUNDING = 1e-12;
/* Solutions by a factor with a pivot below this part of its diagonal have lost more digits than contacts can do without: a mechanism
 * near a position where it branches. More passes, each of which errs by the rounding over that part times what is left, find
 * them again. */
static const double LOSES = 1e-5, LOSES_MOST = 1e-9;
enum { PASSES = 2, MORE_PASSES = 4, MOST_PASSES = 8 };

/* ---- rows of springs in the masses -------------------------------------------------------------------------------------------- */

/* A row of one body: N and the free velocity, with D in the way. */
static void absorb(body_motion *motion, const body_link *link) {
  size_t n = (size_t)motion->problem.block;
  thud_index i = link->a >= 0 ? link->a : link->b;
  const double *s = link->a >= 0 ? link->J_a : link->J_b;
  double *N = thud_bodies_response_of(motion, i), p[MOST], x[MOST];
  body_apply(n, N, s, p);
  double factor = 1 / (1 / (link->elastic + link->damping) + body_dot(n, s, p));
  thud_bodies_pack(motion, thud_vec3_subtract(motion->velocity_free[i], motion->state.velocity[i]),
                   thud_vec3_subtract(motion->spin_free[i], motion->state.spin[i]), x);
  double impulse = 0, compliance = 1 / (link->elastic + link->damping);
  for (int pass = 0; pass < 2; pass++) { /* s.x = compliance*impulse; the second pass takes the rounding of the first */
    double change = factor * (body_dot(n, s, x) - compliance * impulse);
    impulse += change;
    for (size_t j = 0; j < n; j++) x[j] -= change * p[j];
  }
  for (size_t j = 0; j < n; j++)
    for (size_t k = 0; k < n; k++) N[j * n + k] -= factor * p[j] * p[k];
  thud_bodies_set_free(motion, i, x);
}

/* Rows of joints are never absorbed, so that their impulses are known. */
static bool is_coupled(const body_link *link) { return link->is_joint || (link->a >= 0 && link->b >= 0); }

thud_index thud_bodies_cluster_root(thud_index *parent, thud_index i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

/* Clusters of bodies that rows connect, numbered by their first bodies. Rows of two bodies come first, by clusters; those of
 * one follow. */
static thud_error find_clusters(body_motion *motion) {
  body_implicit *p = &motion->implicit;
  thud_index *parent = p->parent;
  size_t *start = NULL, alone = 0;
  p->clusters = p->coupled = 0;
  for (thud_index i = 0; i < motion->model.count; i++) parent[i] = i;
  for (size_t r = 0; r < p->link_count; r++)
    if (is_coupled(&p->links[r])) {
      p->coupled++;
      if (p->links[r].b < 0) continue;
      thud_index a = thud_bodies_cluster_root(parent, p->links[r].a);
      thud_index b = thud_bodies_cluster_root(parent, p->links[r].b);
      parent[a > b ? a : b] = a > b ? b : a;
    }
  thud_error error = thud_array_reserve(motion->base.context, &p->cluster_start, &p->cluster_capacity, p->coupled + 2,
                                        sizeof *p->cluster_start);
  if (error == THUD_OK)
    error = thud_array_reserve(motion->base.context, &p->sorted, &p->sorted_capacity, p->link_count, sizeof *p->sorted);
  if (error != THUD_OK) return error;
  start = p->cluster_start;
  for (size_t r = 0; r < p->link_count; r++)
    if (is_coupled(&p->links[r])) p->cluster[thud_bodies_cluster_root(parent, p->links[r].a)] = UNNUMBERED;
  for (thud_index i = 0; i < motion->model.count; i++)
    p->cluster[i] =
        p->cluster[i] == UNNUMBERED ? (thud_index)p->clusters++ : p->cluster[thud_bodies_cluster_root(parent, i)];
  memset(start, 0, (p->clusters + 2) * sizeof *start);
  for (size_t r = 0; r < p->link_count; r++)
    if (is_coupled(&p->links[r])) start[p->cluster[p->links[r].a] + 2]++;
  for (size_t c = 0; c < p->clusters; c++) start[c + 2] += start[c + 1];
  for (size_t r = 0; r < p->link_count; r++) {
    const body_link *link = &p->links[r];
    p->sorted[is_coupled(link) ? start[p->cluster[link->a] + 1]++ : p->coupled + alone++] = *link;
  }
  if (p->link_count > 0) memcpy(p->links, p->sorted, p->link_count * sizeof *p->links);
  return THUD_OK;
}

/* The envelope of E: a row begins at the first one that shares a body with it. */
thud_error thud_bodies_lay_out(body_motion *motion, size_t count, const body_link *links, body_envelope *e) {
  size_t *first_row = motion->implicit.first_row, size = 0;
  thud_error error = thud_array_reserve(motion->base.context, &e->rows, &e->row_capacity, count, sizeof *e->rows);
  if (error != THUD_OK) return error;
  for (thud_index i = 0; i < motion->model.count; i++) first_row[i] = SIZE_MAX;
  for (size_t r = 0; r < count; r++) {
    thud_index ends[2] = {links[r].a, links[r].b};
    e->rows[r] = (body_row){.first = r, .open = links[r].open};
    for (int k = 0; k < 2; k++) {
      if (ends[k] < 0) continue;
      size_t first = first_row[ends[k]];
      if (first == SIZE_MAX) first_row[ends[k]] = r;
      if (first < e->rows[r].first) e->rows[r].first = first;
    }
    for (size_t q = e->rows[r].first; q < r; q++) e->rows[r].open = fmax(e->rows[r].open, e->rows[q].open);
    e->rows[r].start = size;
    size += r - e->rows[r].first + 1;
  }
  return thud_array_reserve(motion->base.context, &e->factor, &e->factor_capacity, size, sizeof *e->factor);
}

static double compliance_of(const body_link *link) { return link->is_joint ? 0 : 1 / (link->elastic + link->damping); }

/* sum + an entry of S N S'. */
static double add_product(size_t n, double sum, const body_link *x, const body_link *y) {
  if (x->a == y->a) sum += body_dot(n, x->J_a, y->N_a);
  if (x->a == y->b) sum += body_dot(n, x->J_a, y->N_b);
  if (x->b == y->a) sum += body_dot(n, x->J_b, y->N_a);
  if (x->b == y->b && x->b >= 0) sum += body_dot(n, x->J_b, y->N_b);
  return sum;
}

/* The row depends on those before it: its pivot is this part of its diagonal. */
static bool depends(const body_link *link, double doubt, double open, double part) {
  double less = fmin(doubt / BODY_DOUBT, 1), least = fmax(DEPENDENT * less * less, ROUNDING);
  if (link->was_out) least *= STAYS;
  return !(part > fmax(least, doubt * doubt * open * open));
}

/* E = 1/D + S N S' in its envelope, and Cholesky's factor in its place. The pivot of a row that is left out is 0. */
thud_error thud_bodies_factorize(body_motion *motion, size_t count, body_link *links, double doubt, body_envelope *e) {
  size_t n = (size_t)motion->problem.block;
  e->least = 1;
  e->is_certain = true;
  for (size_t r = 0; r < count; r++) {
    body_link *x = &links[r];
    double *row = e->factor + e->rows[r].start, own = 0;
    for (size_t q = e->rows[r].first; q <= r; q++) {
      const body_link *y = &links[q];
      const double *of_row = e->factor + e->rows[q].start;
      size_t low = e->rows[r].first > e->rows[q].first ? e->rows[r].first : e->rows[q].first;
      double sum = add_product(n, q == r ? compliance_of(x) : 0, x, y);
      own = sum;
      for (size_t k = low; k < q; k++) sum -= row[k - e->rows[r].first] * of_row[k - e->rows[q].first];
      if (q < r) {
        double pivot = of_row[q - e->rows[q].first];
        row[q - e->rows[r].first] = pivot > 0 ? sum / pivot : 0;
        continue;
      }
      if (x->is_joint && depends(x, doubt, e->rows[r].open, sum / own)) x->is_out = true;
      if (x->is_joint && !(sum > own * fmax(UNCERTAIN, doubt * doubt * e->rows[r].open * e->rows[r].open)))
        e->is_certain = false;
      if (!x->is_joint && !(sum > 0))
        return thud_fail(motion->base.context, THUD_ERROR_NOT_FINITE,
                         "springs are too stiff for numbers: choose other units or shorter steps");
      row[q - e->rows[r].first] = x->is_out ? 0 : sqrt(sum);
      if (!x->is_out) e->least = fmin(e->least, sum / own);
    }
  }
  return THUD_OK;
}

/* L x = b, or L'x = b, for the rows of a cluster; x[from..end), 0 of rows that are left out. */
void thud_bodies_solve_lower(const body_envelope *e, size_t from, size_t end, double *x) {
  for (size_t r = from; r < end; r++) {
    const double *row = e->factor + e->rows[r].start;
    size_t first = e->rows[r].first > from ? e->rows[r].first : from;
    for (size_t k = first; k < r; k++) x[r - from] -= row[k - e->rows[r].first] * x[k - from];
    double pivot = row[r - e->rows[r].first];
    x[r - from] = pivot > 0 ? x[r - from] / pivot : 0;
  }
}

void thud_bodies_solve_upper(const body_envelope *e, size_t from, size_t end, double *x) {
  for (size_t r = end; r-- > from;) {
    const double *row = e->factor + e->rows[r].start;
    size_t first = e->rows[r].first > from ? e->rows[r].first : from;
    double pivot = row[r - e->rows[r].first];
    x[r - from] = pivot > 0 ? x[r - from] / pivot : 0;
    for (size_t k = first; k < r; k++) x[k - from] -= row[k - e->rows[r].first] * x[r - from];
  }
}

static void kick(const body_motion *motion, thud_index i, double impulse, const double *N, thud_vec3 *velocity,
                 thud_vec3 *spin) {
  double x[MOST];
  thud_vec3 v, w;
  for (size_t j = 0; j < (size_t)motion->problem.block; j++) x[j] = impulse * N[j];
  thud_bodies_unpack(motion, x, &v, &w);
  velocity[i] = thud_vec3_add(velocity[i], v);
  spin[i] = thud_vec3_add(spin[i], w);
}

/* Velocities that impulses alone would give the bodies of a cluster, minus what its rows take of them: impulses l with
 * S (v - v_from) = l/D + aim, on top of those in p->rates. The second pass takes the rounding of the first, which is
 * relative to impulses of the explicit step. */
static void relax_cluster(body_motion *motion, size_t c, bool aims, const thud_vec3 *velocity_from,
                          const thud_vec3 *spin_from, thud_vec3 *velocity, thud_vec3 *spin) {
  body_implicit *p = &motion->implicit;
  size_t n = (size_t)motion->problem.block, from = p->cluster_start[c], end = p->cluster_start[c + 1];
  double *change = p->rates + from, *impulse = p->rates + p->coupled + from, x[MOST];
  double least = p->envelope.least;
  int passes = least < LOSES_MOST ? MOST_PASSES : least < LOSES ? MORE_PASSES : PASSES;
  for (int pass = 0; pass < passes; pass++) {
    for (size_t r = from; r < end; r++) {
      const body_link *link = &p->links[r];
      change[r - from] =
          link->is_joint ? (aims ? -link->aim : 0) : -impulse[r - from] / (link->elastic + link->damping);
      thud_bodies_change_of(motion, link->a, velocity_from, spin_from, velocity, spin, x);
      change[r - from] += body_dot(n, link->J_a, x);
      if (link->b < 0) continue;
      thud_bodies_change_of(motion, link->b, velocity_from, spin_from, velocity, spin, x);
      change[r - from] += body_dot(n, link->J_b, x);
    }
    thud_bodies_solve_lower(&p->envelope, from, end, change);
    thud_bodies_solve_upper(&p->envelope, from, end, change);
    for (size_t r = from; r < end; r++) {
      const body_link *link = &p->links[r];
      impulse[r - from] += change[r - from];
      kick(motion, link->a, -change[r - from], link->N_a, velocity, spin);
      if (link->b >= 0) kick(motion, link->b, -change[r - from], link->N_b, velocity, spin);
    }
  }
}

static void relax_all(body_motion *motion) {
  for (size_t c = 0; c < motion->implicit.clusters; c++)
    relax_cluster(motion, c, true, motion->state.velocity, motion->state.spin, motion->velocity_free,
                  motion->spin_free);
}

/* Impulses of the rows of a cluster to their links, those that answer to contacts apart. */
static void store_impulses(body_implicit *p, size_t c, bool answer) {
  for (size_t r = p->cluster_start[c]; r < p->cluster_start[c + 1]; r++)
    *(answer ? &p->links[r].answer : &p->links[r].impulse) = -p->rates[p->coupled + r];
}

/* Torques of joints enter Euler's equations, whose answer changes the impulses: in turns, each of which is smaller by about
 * h |w|. Bodies that turn so far within a step that the turns do not agree end the run. */
static void relax_turning(body_motion *motion) {
  enum { MOST_TURNS = 60 };
  static const double agrees = 1e-10; /* angular momentum that is left, beside that of the body */
  double left = 0;
  if (motion->model.planar || !motion->options.gyroscopic) return;
  for (int k = 0; k < MOST_TURNS; k++) {
    left = thud_bodies_turn_by_joints(motion);
    if (left == 0) return;
    relax_all(motion);
  }
  if (left <= agrees) return;
  motion->state.now->info.status = THUD_MOTION_NOT_CONVERGED;
  thud_fail(
      motion->base.context, THUD_ERROR_NOT_CONVERGED,
      "[not-converged] t = %g: Euler's equations and the torques of joints do not agree, because bodies turn too far "
      "within a step; shorten it",
      motion->now_end);
}

thud_error thud_bodies_couple(body_motion *motion) {
  body_implicit *p = &motion->implicit;
  size_t n = (size_t)motion->problem.block;
  p->coupled = p->clusters = 0; /* of the step before */
  if (p->link_count == 0) return THUD_OK;
  for (size_t r = 0; r < p->link_count; r++)
    if (!is_coupled(&p->links[r])) absorb(motion, &p->links[r]);
  thud_error error = find_clusters(motion);
  for (size_t r = 0; r < p->coupled && error == THUD_OK; r++) {
    body_link *link = &p->links[r];
    body_apply(n, thud_bodies_response_of(motion, link->a), link->J_a, link->N_a);
    if (link->b >= 0) body_apply(n, thud_bodies_response_of(motion, link->b), link->J_b, link->N_b);
  }
  if (error == THUD_OK) error = thud_bodies_lay_out(motion, p->coupled, p->links, &p->envelope);
  if (error == THUD_OK)
    error = thud_array_reserve(motion->base.context, &p->rates, &p->rate_capacity, 2 * p->coupled, sizeof *p->rates);
  if (error == THUD_OK) error = thud_bodies_factorize(motion, p->coupled, p->links, BODY_DOUBT, &p->envelope);
  if (error != THUD_OK) return error;
  for (size_t r = 0; r < p->coupled; r++) p->rates[p->coupled + r] = 0;
  relax_all(motion);
  if (motion->model.joint_count > 0) relax_turning(motion);
  for (size_t c = 0; c < p->clusters; c++) store_impulses(p, c, false);
  return THUD_OK;
}

/* ---- contacts beside rows ---------------------------------------------------------------------------------------------- */

bool thud_bodies_is_coupled(const body_motion *motion, thud_index s) {
  const body_problem *p = &motion->problem;
  if (thud_bodies_count_laws(motion, s) > 0) return true;
  for (thud_index i = p->body_start[s]; i < p->body_start[s + 1] && motion->implicit.clusters > 0; i++)
    if (motion->implicit.cluster[p->body[i]] >= 0) return true;
  return false;
}

void thud_bodies_relax_island(body_motion *motion, thud_index s) {
  const body_problem *p = &motion->problem;
  body_implicit *m = &motion->implicit;
  for (thud_index k = p->body_start[s]; k < p->body_start[s + 1] && m->clusters > 0; k++) {
    thud_index i = p->body[k];
    if (m->cluster[i] < 0 || m->parent[i] != i) continue;
    size_t c = (size_t)m->cluster[i];
    for (size_t r = m->cluster_start[c]; r < m->cluster_start[c + 1]; r++) m->rates[m->coupled + r] = 0;
    relax_cluster(motion, c, false, motion->velocity_free, motion->spin_free, motion->state.velocity,
                  motion->state.spin);
    store_impulses(m, c, true);
  }
}

/* S N J' of one row of a contact, J of the body with number `number` in the problem. */
static void add_rates(const body_motion *motion, thud_index number, const double *J, double *rates) {
  const body_implicit *p = &motion->implicit;
  size_t n = (size_t)motion->problem.block;
  if (number < 0) return;
  thud_index i = motion->problem.body[number], c = p->cluster[i];
  if (c < 0) return;
  for (size_t r = p->cluster_start[c]; r < p->cluster_start[c + 1]; r++) {
    if (p->links[r].a == i) rates[r] += body_dot(n, p->links[r].N_a, J);
    if (p->links[r].b == i) rates[r] += body_dot(n, p->links[r].N_b, J);
  }
}

/* Velocities by a unit impulse of row `row` of the problem's jacobians, joints included, into velocity and spin. */
static void answer_row(body_motion *motion, size_t place, size_t row, const thud_vec3 *zero, thud_vec3 *velocity,
                       thud_vec3 *spin) {
  const body_problem *q = &motion->problem;
  body_implicit *p = &motion->implicit;
  size_t n = (size_t)q->block;
  thud_index bodies[2] = {q->a[place], q->b[place]}, last = -1;
  memset(velocity, 0, (size_t)motion->model.count * sizeof *velocity);
  memset(spin, 0, (size_t)motion->model.count * sizeof *spin);
  for (int side = 0; side < 2; side++) {
    double N[MOST];
    if (bodies[side] < 0) continue;
    body_apply(n, q->inverse_mass + (size_t)bodies[side] * n * n, (side == 0 ? q->jacobian_a : q->jacobian_b) + row, N);
    kick(motion, q->body[bodies[side]], 1, N, velocity, spin);
  }
  for (int side = 0; side < 2; side++) {
    thud_index c = bodies[side] < 0 ? -1 : p->cluster[q->body[bodies[side]]];
    if (c < 0 || c == last) continue;
    for (size_t r = p->cluster_start[c]; r < p->cluster_start[c + 1]; r++) p->rates[p->coupled + r] = 0;
    relax_cluster(motion, (size_t)c, false, zero, zero, velocity, spin);
    last = c;
  }
}

/* Rate of a row of the problem's jacobians. */
static double rate_of(const body_motion *motion, size_t place, size_t row, const thud_vec3 *velocity,
                      const thud_vec3 *spin) {
  const body_problem *q = &motion->problem;
  double x[MOST], rate = 0;
  for (int side = 0; side < 2; side++) {
    thud_index number = side == 0 ? q->a[place] : q->b[place];
    if (number < 0) continue;
    thud_bodies_pack(motion, velocity[q->body[number]], spin[q->body[number]], x);
    rate += body_dot((size_t)q->block, (side == 0 ? q->jacobian_a : q->jacobian_b) + row, x);
  }
  return rate;
}

/* W from the velocities that unit impulses give, which relax_cluster refines: Z'Z below has all of the factor's error, up to
 * rounding over its least pivot, while velocities have not, and contacts would be solved for another W than theirs. */
static thud_error refine_matrix(body_motion *motion, size_t count, const thud_index *at, double *W) {
  body_implicit *p = &motion->implicit;
  size_t d = (size_t)motion->problem.d, n = (size_t)motion->problem.block, rows = count * d;
  size_t bodies = (size_t)motion->model.count;
  thud_error error =
      thud_array_reserve(motion->base.context, &p->answers, &p->answer_capacity, 3 * bodies, sizeof *p->answers);
  if (error != THUD_OK) return error;
  thud_vec3 *velocity = p->answers, *spin = velocity + bodies, *zero = spin + bodies;
  memset(zero, 0, bodies * sizeof *zero);
  for (size_t j = 0; j < rows; j++) {
    size_t place = (size_t)at[j / d];
    answer_row(motion, place, (place * d + j % d) * n, zero, velocity, spin);
    for (size_t i = 0; i < rows; i++) {
      size_t other = (size_t)at[i / d];
      W[i + j * rows] = rate_of(motion, other, (other * d + i % d) * n, velocity, spin);
    }
  }
  for (size_t j = 0; j < rows; j++)
    for (size_t i = 0; i < j; i++) W[i + j * rows] = W[j + i * rows] = 0.5 * (W[i + j * rows] + W[j + i * rows]);
  return THUD_OK;
}

/* J N S' E^-1 S N J' = Z'Z with L Z = S N J', L the factor of E. */
thud_error thud_bodies_couple_matrix(body_motion *motion, size_t count, const thud_index *at, double *W) {
  const body_problem *q = &motion->problem;
  body_implicit *p = &motion->implicit;
  size_t d = (size_t)q->d, n = (size_t)q->block, rows = count * d;
  if (p->clusters == 0) return THUD_OK;
  if (p->envelope.least < LOSES) return refine_matrix(motion, count, at, W);
  thud_error error =
      thud_array_reserve(motion->base.context, &p->columns, &p->column_capacity, rows * p->coupled, sizeof *p->columns);
  if (error != THUD_OK) return error;
  for (size_t j = 0; j < rows; j++) {
    size_t place = (size_t)at[j / d], row = (place * d + j % d) * n;
    double *Z = p->columns + j * p->coupled;
    memset(Z, 0, p->coupled * sizeof *Z);
    add_rates(motion, q->a[place], q->jacobian_a + row, Z);
    add_rates(motion, q->b[place], q->jacobian_b + row, Z);
    thud_bodies_solve_lower(&p->envelope, 0, p->coupled, Z);
  }
  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < rows; j++)
      W[i + j * rows] -= body_dot(p->coupled, p->columns + i * p->coupled, p->columns + j * p->coupled);
  return THUD_OK;
}
