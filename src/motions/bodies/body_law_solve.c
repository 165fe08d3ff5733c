/* Impulses of the laws of joints (body_laws.h). With W of the laws of an island, what joints leave of it,
 *   u = W r + q,   low <= r <= high,   u_i > 0: r_i = low_i,   u_i < 0: r_i = high_i,
 * a box-constrained convex problem, is solved exactly for given contact impulses: by guessing which rows are inside of their
 * intervals, mostly those of the step before, and otherwise by Dantzig's principal pivoting, which takes rows in one by one and
 * keeps the conditions of those before. Where contacts are in the island the solvers of contacts first find both together:
 * an interval [-b, b] is Coulomb's law of a contact with the constant normal impulse b and mu = 1, a limit one without
 * friction; rows that are not needed have 1 on their diagonal. What the solvers leave of the laws is then taken away.
 *
 * Bounds of pins follow the forces of their joints, which answer to the laws: both in turns, each of which is smaller by about
 * the radius of the pin beside the size of the bodies; and by Broyden's method where it is not. */
#include "motions/bodies/body_motion.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A pivot below this part of its diagonal: the row depends on the others inside. */
static const double DEPENDENT = 1e-11;
/* Rounding of rates, beside the sizes of what they are sums of. */
static const double ROUNDING = 256 * DBL_EPSILON;
/* Bounds of pins agree with the forces of their joints up to this. */
static const double AGREES = 1e-9;
/* Bounds below this part of the largest one are rounding of forces. */
static const double SMALL = 1e-6;
/* Steps across which Broyden's update would divide by rounding. */
static const double FLAT = 1e-8;
static const double FIRST_DAMPING = 0.5;

/* A coordinate whose response joints take away but for this part does not move. */
static const double HELD = 1e-12;

enum { GUESSES = 12, MOST_ROUNDS = 60, MOST_STEPS = 400, PLAIN_ROUNDS = 4 };
/* Of the pull of impulses towards those before, beside W. */
static const double NEAR = 1e-6;
enum { NEAR_STEPS = 3 };
enum { AT_LOW, AT_HIGH, INSIDE, WAITS };

/* ---- the box problem ------------------------------------------------------------------------------------------------- */

typedef struct box {
  size_t n;
  const double *W, *q, *low, *high, *speed;
  double *r, *u, *size;     /* r in and out; rates and the sizes of their terms, speed[n] at least */
  double *L, *x;            /* [n*n] factor of the rows inside, [n] scratch */
  double *nearest, *centre; /* [n] scratch */
  size_t *inside;           /* [n] rows inside that do not depend on each other */
  size_t count;
  unsigned char *state;
} box;

static void find_rates(box *b) {
  for (size_t i = 0; i < b->n; i++) {
    double sum = b->q[i], size = fabs(b->q[i]) + b->speed[i];
    for (size_t j = 0; j < b->n; j++) {
      double part = b->W[i + j * b->n] * b->r[j];
      sum += part;
      size += fabs(part);
    }
    b->u[i] = sum;
    b->size[i] = size;
  }
}

/* Cholesky's factor of the rows inside, without those that depend on others. */
static void factorize(box *b) {
  b->count = 0;
  for (size_t i = 0; i < b->n; i++) {
    size_t k = b->count;
    double *row = b->L + k * b->n, own = b->W[i + i * b->n], left = own;
    if (b->state[i] != INSIDE) continue;
    for (size_t j = 0; j < k; j++) {
      const double *other = b->L + j * b->n;
      double sum = b->W[i + b->inside[j] * b->n];
      for (size_t m = 0; m < j; m++) sum -= row[m] * other[m];
      row[j] = sum / other[j];
      left -= row[j] * row[j];
    }
    if (!(left > DEPENDENT * own)) continue;
    row[k] = sqrt(left);
    b->inside[b->count++] = i;
  }
}

/* x[count] of the rows inside: W x = x. */
static void solve_inside(const box *b, double *x) {
  for (size_t i = 0; i < b->count; i++) {
    for (size_t j = 0; j < i; j++) x[i] -= b->L[i * b->n + j] * x[j];
    x[i] /= b->L[i * b->n + i];
  }
  for (size_t i = b->count; i-- > 0;) {
    x[i] /= b->L[i * b->n + i];
    for (size_t j = 0; j < i; j++) x[j] -= b->L[i * b->n + j] * x[i];
  }
}

/* u = 0 in the rows inside. */
static void step_inside(box *b) {
  find_rates(b);
  for (size_t k = 0; k < b->count; k++) b->x[k] = -b->u[b->inside[k]];
  solve_inside(b, b->x);
  for (size_t k = 0; k < b->count; k++) b->r[b->inside[k]] += b->x[k];
}

/* A limit of a coordinate that joints hold: no impulse changes its rate, which is rounding. */
static bool is_held(const box *b, size_t i) { return !(b->W[i + i * b->n] > 0) && !(b->high[i] < INFINITY); }

static bool is_zero(const box *b, size_t i) { return is_held(b, i) || fabs(b->u[i]) <= ROUNDING * b->size[i]; }

/* Row i obeys its law. */
static bool is_good(const box *b, size_t i) {
  if (b->r[i] < b->low[i] || b->r[i] > b->high[i]) return false;
  if (is_zero(b, i)) return true;
  return b->u[i] > 0 ? b->r[i] == b->low[i] : b->r[i] == b->high[i];
}

static void put_at_bound(box *b, size_t i) {
  if (b->state[i] == AT_LOW) b->r[i] = b->low[i];
  if (b->state[i] == AT_HIGH) b->r[i] = b->high[i];
}

/* Which rows are inside is guessed from r - u/W_ii, over and over: the active sets of Newton's method. */
static bool guess(box *b) {
  for (int round = 0; round < GUESSES; round++) {
    bool good = true;
    find_rates(b);
    for (size_t i = 0; i < b->n; i++) {
      double own = b->W[i + i * b->n], aim = own > 0 ? b->r[i] - b->u[i] / own : b->r[i];
      b->state[i] = aim <= b->low[i] ? AT_LOW : aim >= b->high[i] ? AT_HIGH : INSIDE;
    }
    for (size_t i = 0; i < b->n; i++) put_at_bound(b, i);
    factorize(b);
    step_inside(b);
    step_inside(b);
    find_rates(b);
    for (size_t i = 0; i < b->n; i++) good = good && is_good(b, i);
    if (good) return true;
  }
  return false;
}

/* ---- Dantzig's pivoting ---------------------------------------------------------------------------------------------- */

typedef struct stride {
  double length;
  size_t row; /* that ends it */
  unsigned char state;
} stride;

static void shorten(stride *s, double length, size_t row, unsigned char state) {
  if (!(length < s->length)) return;
  *s = (stride){fmax(length, 0), row, state};
}

/* How far r_i may go along `sign` while the rows before keep their laws; b->x: changes of the rows inside. */
static stride find_stride(const box *b, size_t i, double sign) {
  stride s = {INFINITY, i, WAITS};
  for (size_t k = 0; k < b->n; k++) {
    double rate = sign * b->W[k + i * b->n];
    for (size_t m = 0; m < b->count; m++) rate += b->W[k + b->inside[m] * b->n] * b->x[m];
    if (k == i && sign * rate > DEPENDENT * b->W[i + i * b->n]) shorten(&s, fabs(b->u[i] / rate), i, INSIDE);
    if (b->state[k] == AT_LOW && rate < -DEPENDENT * b->W[k + k * b->n])
      shorten(&s, fmax(b->u[k], 0) / -rate, k, INSIDE);
    if (b->state[k] == AT_HIGH && rate > DEPENDENT * b->W[k + k * b->n])
      shorten(&s, fmax(-b->u[k], 0) / rate, k, INSIDE);
  }
  shorten(&s, sign > 0 ? b->high[i] - b->r[i] : b->r[i] - b->low[i], i, sign > 0 ? AT_HIGH : AT_LOW);
  for (size_t m = 0; m < b->count; m++) {
    size_t k = b->inside[m];
    if (b->x[m] > 0) shorten(&s, (b->high[k] - b->r[k]) / b->x[m], k, AT_HIGH);
    if (b->x[m] < 0) shorten(&s, (b->low[k] - b->r[k]) / b->x[m], k, AT_LOW);
  }
  return s;
}

/* Takes row i in; false: nothing ends its way, so that the rows contradict each other. */
static bool take_in(box *b, size_t i) {
  size_t most = 20 * b->n + 100;
  for (size_t pivots = 0; pivots < most; pivots++) {
    find_rates(b);
    double u = is_zero(b, i) ? 0 : b->u[i], sign = u > 0 ? -1 : 1;
    b->state[i] = b->r[i] <= b->low[i] && u >= 0    ? AT_LOW
                  : b->r[i] >= b->high[i] && u <= 0 ? AT_HIGH
                  : u == 0                          ? INSIDE
                                                    : WAITS;
    if (b->state[i] != WAITS) return true;
    factorize(b);
    for (size_t m = 0; m < b->count; m++) b->x[m] = -sign * b->W[b->inside[m] + i * b->n];
    solve_inside(b, b->x);
    stride s = find_stride(b, i, sign);
    if (!(s.length < DBL_MAX)) return false;
    b->r[i] += sign * s.length;
    for (size_t m = 0; m < b->count; m++) b->r[b->inside[m]] += s.length * b->x[m];
    b->state[s.row] = s.state;
    put_at_bound(b, s.row);
    if (s.row == i && s.state == INSIDE) return true;
  }
  return false;
}

static bool pivot(box *b) {
  for (size_t i = 0; i < b->n; i++) {
    b->state[i] = WAITS;
    b->r[i] = 0;
  }
  for (size_t i = 0; i < b->n; i++)
    if (!take_in(b, i)) return false;
  factorize(b);
  step_inside(b);
  step_inside(b);
  for (size_t i = 0; i < b->n; i++) b->r[i] = fmin(fmax(b->r[i], b->low[i]), b->high[i]);
  return true;
}

/* ---- pins ------------------------------------------------------------------------------------------------------------ */

/* Size of the impulse of a joint over the step. */
static double joint_impulse(const body_motion *motion, thud_index k) {
  const body_implicit *p = &motion->implicit;
  const thud_joint *joint = &motion->model.joints[k];
  thud_index i = motion->moves[joint->a] ? joint->a : joint->b;
  thud_vec3 sum = {0};
  if (p->clusters == 0 || p->cluster[i] < 0) return 0;
  for (size_t r = p->cluster_start[p->cluster[i]]; r < p->cluster_start[p->cluster[i] + 1]; r++) {
    const body_link *link = &p->links[r];
    if (!link->is_joint || link->joint != k) continue;
    const thud_joint_row *row = &motion->joints.row[(size_t)k * THUD_JOINT_ROWS + (size_t)link->row];
    sum = thud_vec3_add_scaled(sum, link->impulse + link->answer, row->force_a);
  }
  return thud_vec3_norm(sum);
}

/* The impulse of the row that couples shift and turn of a screw, along its axis: positive where it pushes b that way. */
static double axial_impulse(const body_motion *motion, thud_index k) {
  const body_implicit *p = &motion->implicit;
  const thud_joint *joint = &motion->model.joints[k];
  thud_index i = motion->moves[joint->a] ? joint->a : joint->b;
  double sum = 0;
  if (p->clusters == 0 || p->cluster[i] < 0) return 0;
  for (size_t r = p->cluster_start[p->cluster[i]]; r < p->cluster_start[p->cluster[i] + 1]; r++) {
    const body_link *link = &p->links[r];
    bool couples = link->is_joint && link->joint == k && link->row + 1 == motion->joints.row_count[k];
    if (couples) sum += link->impulse + link->answer;
  }
  return sum;
}

/* Friction mu N along a thread of radius r and slope t = lead/(2 pi r), N across it. With F the force along the axis on a and M the
 * moment of friction, of a beside b, N = ((1 + t^2) F - t M/r)/sqrt(1 + t^2), and friction is M/(r sqrt(1 + t^2)). With B =
 * mu r (1 + t^2) |F| and s the sign of F
 *   |M| <= mu r |(1 + t^2) F - t M/r|,   which is -B/(1 - x) <= M <= B/(1 + x),   x = mu t s.
 * B is what is called the bound below, x the skew; that of other pins is 0. */
static double skew_of(const body_motion *motion, const body_law *law) {
  const thud_joint *joint = &motion->model.joints[law->joint];
  const thud_joint_law *of = &joint->law[law->coordinate];
  if (joint->kind != THUD_JOINT_SCREW) return 0;
  double slope = of->pin * joint->lead / (6.283185307179586 * of->thread);
  return axial_impulse(motion, law->joint) < 0 ? slope : -slope;
}

static bool is_pin(const body_motion *motion, const body_law *law) {
  return law->kind == BODY_LAW_FRICTION && motion->model.joints[law->joint].law[law->coordinate].pin > 0;
}

/* The bound of a pin by the present force of its joint. */
static double bound_of(const body_motion *motion, const body_law *law) {
  const thud_joint *joint = &motion->model.joints[law->joint];
  const thud_joint_law *of = &joint->law[law->coordinate];
  double lead = joint->lead / 6.283185307179586;
  if (joint->kind == THUD_JOINT_SCREW)
    return of->pin * (of->thread + lead * lead / of->thread) * fabs(axial_impulse(motion, law->joint)) / law->length;
  return (motion->h * of->friction + of->pin * joint_impulse(motion, law->joint)) / law->length;
}

static void set_bound(const body_motion *motion, body_law *law, double bound) {
  double skew = skew_of(motion, law);
  law->low = -bound / (1 - skew);
  law->high = bound / (1 + skew);
}

/* The bound that was set. */
static double bound_set(const body_motion *motion, const body_law *law) {
  return law->high * (1 + skew_of(motion, law));
}

/* How much a bound that is to change matters, beside its size: not at all where the pin rests inside of both. */
static double change_of(const body_motion *motion, const body_law *law, double bound, double largest) {
  double skew = skew_of(motion, law), before = bound_set(motion, law);
  bool inside = law->r > law->low && law->r < law->high;
  inside = inside && law->r >= -bound / (1 - skew) && law->r <= bound / (1 + skew);
  return inside || law->idle ? 0 : fabs(bound - before) / fmax(fmax(bound, SMALL * largest), DBL_MIN);
}

/* Largest bound by the present forces: what is far smaller is rounding of these. */
static double largest_bound(const body_motion *motion, thud_index s) {
  const body_laws *laws = &motion->laws;
  double most = 0;
  for (size_t at = laws->start[s]; at < laws->start[s + 1]; at++)
    if (is_pin(motion, &laws->list[laws->order[at]])) most = fmax(most, bound_of(motion, &laws->list[laws->order[at]]));
  return most;
}

/* Bounds by the present forces; returns the largest change beside its bound. */
static double set_pins(body_motion *motion, thud_index s) {
  body_laws *laws = &motion->laws;
  double most = 0, largest = largest_bound(motion, s);
  for (size_t at = laws->start[s]; at < laws->start[s + 1]; at++) {
    body_law *law = &laws->list[laws->order[at]];
    if (!is_pin(motion, law)) continue;
    double bound = bound_of(motion, law);
    most = fmax(most, change_of(motion, law, bound, largest));
    set_bound(motion, law, bound);
  }
  return most;
}

/* ---- an island ------------------------------------------------------------------------------------------------------- */

static size_t count_of(const body_motion *motion, thud_index s) {
  return motion->laws.count > 0 ? motion->laws.start[s + 1] - motion->laws.start[s] : 0;
}

thud_index thud_bodies_count_laws(const body_motion *motion, thud_index s) { return (thud_index)count_of(motion, s); }

/* Component of the law in its d rows. */
static size_t component_of(const body_law *law) { return law->high < INFINITY ? 1 : 0; }

void thud_bodies_assemble_laws(body_motion *motion) {
  body_problem *p = &motion->problem;
  size_t d = (size_t)p->d, n = (size_t)p->block;
  for (size_t l = 0; l < motion->laws.count; l++) {
    const body_law *law = &motion->laws.list[l];
    size_t at = (size_t)motion->contacts.count + l, row = (at * d + component_of(law)) * n;
    p->a[at] = p->number[law->a];
    p->b[at] = law->b < 0 ? -1 : p->number[law->b];
    memset(p->jacobian_a + at * d * n, 0, d * n * sizeof *p->jacobian_a);
    memset(p->jacobian_b + at * d * n, 0, d * n * sizeof *p->jacobian_b);
    memcpy(p->jacobian_a + row, law->J_a, n * sizeof *p->jacobian_a);
    memcpy(p->jacobian_b + row, law->J_b, n * sizeof *p->jacobian_b);
  }
}

thud_error thud_bodies_keep_law_matrix(body_motion *motion, thud_index s, const double *W, size_t rows) {
  body_laws *laws = &motion->laws;
  size_t n = count_of(motion, s), d = (size_t)motion->problem.d, first = rows - n * d;
  if (n == 0) return THUD_OK;
  thud_error error = thud_array_reserve(motion->base.context, &laws->W, &laws->matrix_capacity, n * n, sizeof *laws->W);
  for (size_t i = 0; i < n && error == THUD_OK; i++)
    for (size_t j = 0; j < n; j++) {
      size_t x = first + i * d + component_of(&laws->list[laws->order[laws->start[s] + i]]);
      size_t y = first + j * d + component_of(&laws->list[laws->order[laws->start[s] + j]]);
      laws->W[i + j * n] = 0.5 * (W[x + y * rows] + W[y + x * rows]);
    }
  for (size_t i = 0; i < n && error == THUD_OK; i++) /* joints hold the coordinate: what is left is rounding */
    if (laws->W[i + i * n] <= HELD * laws->list[laws->order[laws->start[s] + i]].response)
      for (size_t j = 0; j < n; j++) laws->W[i + j * n] = laws->W[j + i * n] = 0;
  return error;
}

void thud_bodies_take_out_laws(const body_motion *motion, thud_index s, double *W, size_t rows) {
  const body_laws *laws = &motion->laws;
  size_t n = count_of(motion, s), d = (size_t)motion->problem.d, first = rows - n * d;
  for (size_t k = 0; k < n; k++) {
    const body_law *law = &laws->list[laws->order[laws->start[s] + k]];
    size_t x = first + k * d + component_of(law);
    double pivot = W[x + x * rows];
    bool inside = law->r > law->low && law->r < law->high;
    if (!inside || !(pivot > DEPENDENT * law->response)) continue;
    for (size_t j = 0; j < rows; j++) {
      double factor = W[x + j * rows] / pivot;
      for (size_t i = 0; i < rows && j != x; i++)
        if (i != x) W[i + j * rows] -= factor * W[i + x * rows];
    }
    for (size_t j = 0; j < rows; j++) W[x + j * rows] = W[j + x * rows] = 0;
  }
}

static thud_error make_box(body_motion *motion, size_t n, box *b) {
  body_laws *laws = &motion->laws;
  size_t numbers = n * n + 10 * n;
  thud_error error =
      thud_array_reserve(motion->base.context, &laws->work, &laws->work_capacity, numbers, sizeof *laws->work);
  if (error != THUD_OK) return error;
  double *at = laws->work;
  *b = (box){.n = n, .W = laws->W, .L = at};
  at += n * n;
  double **arrays[] = {&b->r, &b->u, &b->size, &b->x};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++, at += n) *arrays[k] = at;
  b->q = at;
  b->low = at + n;
  b->high = at + 2 * n;
  b->speed = at + 3 * n;
  b->nearest = at + 4 * n;
  b->centre = at + 5 * n;
  return THUD_OK;
}

/* The problem at the present velocities. */
static void fill_box(body_motion *motion, thud_index s, box *b) {
  body_laws *laws = &motion->laws;
  size_t n = b->n;
  double *q = laws->work + n * n + 4 * n, *low = q + n, *high = low + n, *speed = high + n;
  for (size_t i = 0; i < n; i++) {
    body_law *law = &laws->list[laws->order[laws->start[s] + i]];
    low[i] = law->low;
    high[i] = law->high;
    speed[i] = fabs(law->u_minus) + fabs(law->u_free) + fabs(law->w);
    /* friction of a coordinate that joints hold has nothing to do, and any other would change the forces that bound it */
    law->idle = law->kind == BODY_LAW_FRICTION && !(b->W[i + i * n] > 0);
    if (law->idle) low[i] = high[i] = 0;
    b->r[i] = fmin(fmax(law->r, low[i]), high[i]);
    q[i] = law->u + law->w;
    for (size_t j = 0; j < n; j++) q[i] -= b->W[i + j * n] * laws->list[laws->order[laws->start[s] + j]].r;
  }
}

void thud_bodies_refuse_laws(body_motion *motion, thud_index s) {
  const body_law *law = &motion->laws.list[motion->laws.order[motion->laws.start[s]]];
  motion->state.now->info.status = THUD_MOTION_NOT_CONVERGED;
  thud_fail(motion->base.context, THUD_ERROR_NOT_CONVERGED,
            "[bad-joint-law] t = %g, joint '%s' and those that hang on it: %s", motion->now_end,
            motion->model.joints[law->joint].name, motion->laws.unsettled);
  thud_bodies_judge_island(motion, s);
}

/* Impulses of the box to the laws and to the velocities; returns the largest change of a rate, beside rates. */
static double take_box(body_motion *motion, thud_index s, const box *b) {
  double most = 0;
  for (size_t i = 0; i < b->n; i++) {
    body_law *law = &motion->laws.list[motion->laws.order[motion->laws.start[s] + i]];
    double change = b->W[i + i * b->n] * fabs(b->r[i] - law->r), size = b->size[i];
    if (change > 0) most = fmax(most, change / size);
    law->r = b->r[i];
  }
  thud_bodies_move_island(motion, s);
  return most;
}

/* All rows obey their laws up to what a factor with small pivots leaves. */
static bool nearly_good(const box *b) {
  for (size_t i = 0; i < b->n; i++) {
    bool zero = is_held(b, i) || fabs(b->u[i]) <= AGREES * b->size[i];
    if (!zero && !(b->u[i] > 0 ? b->r[i] == b->low[i] : b->r[i] == b->high[i])) return false;
  }
  return true;
}

/* The laws with the present bounds, with the impulses nearest to `centre` where several obey them, as of pins that rest together: they
 * are continuous in the bounds. false: no velocity obeys all of them. Steps of the proximal point method,
 *   min r'W r/2 + q'r + NEAR (r - c)'D (r - c)/2,   D the diagonal of W, c `centre` first, then the r before,
 * each take the rates of rows inside of their intervals down by NEAR; what is left is taken by a step without. */
static bool solve_box_near(body_motion *motion, thud_index s, box *b, const double *centre, double *moved) {
  size_t n = b->n;
  double *W = motion->laws.W, *q = motion->laws.work + n * n + 4 * n;
  bool solved = true;
  fill_box(motion, s, b);
  for (int step = 0; step < NEAR_STEPS && solved; step++) {
    const double *c = step == 0 ? centre : b->r;
    for (size_t i = 0; i < n; i++) {
      double pull = NEAR * W[i + i * n];
      q[i] -= pull * (step == 0 ? c[i] : c[i] - b->nearest[i]);
      b->nearest[i] = c[i];
    }
    if (step == 0)
      for (size_t i = 0; i < n; i++) W[i + i * n] *= 1 + NEAR;
    solved = guess(b) || pivot(b);
  }
  for (size_t i = 0; i < n; i++) {
    W[i + i * n] /= 1 + NEAR;
    q[i] += NEAR * W[i + i * n] * b->nearest[i];
  }
  if (!solved) return false;
  memcpy(b->nearest, b->r, n * sizeof *b->r);
  if (!guess(b)) memcpy(b->r, b->nearest, n * sizeof *b->r);
  find_rates(b);
  if (!nearly_good(b)) return false;
  *moved = take_box(motion, s, b);
  return true;
}

/* Likewise, with any impulses; where pivots of W are rounding, those nearest to the present ones. */
static bool solve_box(body_motion *motion, thud_index s, box *b, double *moved) {
  fill_box(motion, s, b);
  if (!guess(b) && !pivot(b)) {
    for (size_t i = 0; i < b->n; i++) b->centre[i] = motion->laws.list[motion->laws.order[motion->laws.start[s] + i]].r;
    return solve_box_near(motion, s, b, b->centre, moved);
  }
  find_rates(b);
  *moved = take_box(motion, s, b);
  return true;
}

typedef enum settled { SETTLED, NOT_YET, CONTRADICTED } settled;

/* Bounds and forces in turns, which is enough where pins are thin beside the sizes of their bodies. */
static settled settle_in_turns(body_motion *motion, thud_index s, box *b) {
  double moved = INFINITY, changed = INFINITY, least = INFINITY;
  int stuck = 0;
  for (int round = 0; round < MOST_ROUNDS; round++) {
    changed = set_pins(motion, s);
    if (!solve_box(motion, s, b, &moved)) return CONTRADICTED;
    if (round == 0) continue; /* bounds may be those of the velocities before */
    if (changed <= ROUNDING && (moved <= ROUNDING || round >= PLAIN_ROUNDS)) return SETTLED;
    stuck = changed < least ? 0 : stuck + 1;
    least = fmin(least, changed);
    if (changed <= AGREES && stuck > PLAIN_ROUNDS) return SETTLED; /* rounding of large forces */
  }
  return changed <= AGREES ? SETTLED : NOT_YET;
}

/* ---- thick pins ------------------------------------------------------------------------------------------------------ */

/* Where turns swing or creep, because a pin is thick or a mechanism near a dead centre turns friction into large forces, the root of
 *   g(b) = T(b) - b,   T(b) the bounds by the forces that the laws with the bounds b give,
 * is found by Broyden's method. There is one: T is continuous, and bounded, since friction that rests has finite forces whatever its bound
 * (Brouwer). H approximates the inverse of the derivative of g and begins as -damping, a part of a turn; T has kinks, at which the
 * method starts anew from the best bounds with half the damping. */
typedef struct search {
  size_t count;
  body_law **pin;
  double *bound, *best, *g, *step, *y, *Hy, *H; /* [count]; H [count*count] */
} search;

static void restart(search *x, double damping) {
  memset(x->H, 0, x->count * x->count * sizeof *x->H);
  for (size_t i = 0; i < x->count; i++) x->H[i * x->count + i] = -damping;
}

/* g at x->bound; the largest change that matters, beside its bound. */
static double find_g(body_motion *motion, thud_index s, search *x, double *g) {
  double largest = largest_bound(motion, s), most = 0;
  for (size_t i = 0; i < x->count; i++) {
    double bound = bound_of(motion, x->pin[i]);
    g[i] = bound - x->bound[i];
    most = fmax(most, change_of(motion, x->pin[i], bound, largest));
  }
  return most;
}

/* Broyden's update: H += (s - H y) s'H/(s'H y), y the change of g by the step s. */
static void update(search *x) {
  size_t n = x->count;
  double sHy = 0;
  for (size_t i = 0; i < n; i++) {
    x->Hy[i] = body_dot(n, x->H + i * n, x->y);
    sHy += x->step[i] * x->Hy[i];
  }
  double size = sqrt(body_dot(n, x->step, x->step) * body_dot(n, x->Hy, x->Hy));
  if (!(fabs(sHy) > FLAT * size)) return;
  for (size_t j = 0; j < n; j++) {
    double row = 0; /* (s'H)_j */
    for (size_t i = 0; i < n; i++) row += x->step[i] * x->H[i * n + j];
    x->y[j] = row / sHy;
  }
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) x->H[i * n + j] += (x->step[i] - x->Hy[i]) * x->y[j];
}

/* Bounds after the next step of the method. */
static void advance(search *x) {
  size_t n = x->count;
  for (size_t i = 0; i < n; i++) {
    double next = fmax(x->bound[i] - body_dot(n, x->H + i * n, x->g), 0);
    x->step[i] = next - x->bound[i];
  }
  for (size_t i = 0; i < n; i++) x->bound[i] += x->step[i];
}

static void put_bounds(const body_motion *motion, const search *x) {
  for (size_t i = 0; i < x->count; i++) set_bound(motion, x->pin[i], x->bound[i]);
}

/* Notes g at the present bounds, and learns from its change. */
static double learn(body_motion *motion, thud_index s, search *x, bool compares) {
  double changed = find_g(motion, s, x, x->y);
  for (size_t i = 0; i < x->count; i++) {
    double g = x->y[i];
    x->y[i] -= x->g[i];
    x->g[i] = g;
  }
  if (compares) update(x);
  return changed;
}

static thud_error search_root(body_motion *motion, thud_index s, search *x, body_pin_answer answer, void *user) {
  double best = INFINITY, damping = FIRST_DAMPING, changed = INFINITY;
  size_t since = 0, patience = 2 * x->count + 6;
  bool done = false;
  for (size_t i = 0; i < x->count; i++) x->bound[i] = bound_set(motion, x->pin[i]);
  restart(x, damping);
  for (int round = 0; round < MOST_STEPS; round++) {
    put_bounds(motion, x);
    thud_error error = answer(motion, s, user, INFINITY, &done);
    if (error != THUD_OK || done) return error;
    changed = learn(motion, s, x, since > 0);
    error = answer(motion, s, user, changed, &done);
    if (error != THUD_OK || done) return error;
    since++;
    if (changed < best) {
      best = changed;
      memcpy(x->best, x->bound, x->count * sizeof *x->best);
      since = 1;
    } else if (since > patience) {
      damping *= 0.5;
      memcpy(x->bound, x->best, x->count * sizeof *x->best);
      restart(x, damping);
      since = 0;
      continue;
    }
    advance(x);
  }
  return THUD_OK;
}

thud_error thud_bodies_search_pins(body_motion *motion, thud_index s, body_pin_answer answer, void *user) {
  thud_context *context = motion->base.context;
  const body_laws *laws = &motion->laws;
  size_t n = count_of(motion, s);
  search x = {.count = 0};
  thud_error error = THUD_ERROR_MEMORY;
  x.pin = THUD_NEW_ARRAY(context, body_law *, n);
  x.bound = THUD_NEW_ARRAY(context, double, 6 * n);
  x.H = THUD_NEW_ARRAY(context, double, n *n);
  if (x.pin != NULL && x.bound != NULL && x.H != NULL) {
    double **parts[] = {&x.best, &x.g, &x.step, &x.y, &x.Hy};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) *parts[k] = x.bound + (k + 1) * n;
    for (size_t at = laws->start[s]; at < laws->start[s + 1]; at++)
      if (is_pin(motion, &laws->list[laws->order[at]])) x.pin[x.count++] = &laws->list[laws->order[at]];
    error = x.count > 0 ? search_root(motion, s, &x, answer, user) : THUD_OK;
  }
  thud_free(context, x.pin);
  thud_free(context, x.bound);
  thud_free(context, x.H);
  return error;
}

/* The laws alone between the bounds of a search. */
typedef struct alone {
  box *b;
  double *centre; /* [laws] impulses at the beginning */
  double best;
  int vain;
  settled found;
} alone;

static thud_error answer_alone(body_motion *motion, thud_index s, void *user, double changed, bool *done) {
  alone *x = user;
  double moved;
  if (changed < INFINITY) {
    x->vain = changed < x->best ? 0 : x->vain + 1;
    x->best = fmin(x->best, changed);
    bool rounding = changed <= AGREES && x->vain > 0; /* of large forces */
    *done = changed <= ROUNDING || rounding;
    if (*done) x->found = SETTLED;
    return THUD_OK;
  }
  *done = !solve_box_near(motion, s, x->b, x->centre, &moved);
  if (*done) x->found = CONTRADICTED;
  return THUD_OK;
}

static thud_error search_alone(body_motion *motion, thud_index s, box *b, settled *found) {
  const body_laws *laws = &motion->laws;
  alone x = {.b = b, .best = INFINITY, .found = NOT_YET, .centre = THUD_NEW_ARRAY(motion->base.context, double, b->n)};
  if (x.centre == NULL) return THUD_ERROR_MEMORY;
  for (size_t i = 0; i < b->n; i++) x.centre[i] = laws->list[laws->order[laws->start[s] + i]].r;
  thud_error error = thud_bodies_search_pins(motion, s, answer_alone, &x);
  thud_free(motion->base.context, x.centre);
  *found = x.found;
  return error;
}

static thud_error settle(body_motion *motion, thud_index s, box *b, size_t *inside) {
  double moved;
  b->inside = inside;
  b->state = (unsigned char *)(inside + b->n);
  settled found = CONTRADICTED;
  if (!motion->laws.keeps_bounds)
    found = settle_in_turns(motion, s, b);
  else if (solve_box(motion, s, b, &moved)) /* the second solve starts from the rows of the first */
    found = solve_box(motion, s, b, &moved) ? SETTLED : CONTRADICTED;
  thud_error error = found == NOT_YET ? search_alone(motion, s, b, &found) : THUD_OK;
  if (found == CONTRADICTED)
    motion->laws.unsettled = "its limits and motors contradict each other: no velocity obeys all of them";
  if (found == NOT_YET)
    motion->laws.unsettled =
        "the friction of its pin and the force on it do not agree; shorten the step, or make the pin "
        "thinner";
  return error;
}

thud_error thud_bodies_settle_laws(body_motion *motion, thud_index s) {
  size_t n = count_of(motion, s);
  box b;
  motion->laws.unsettled = NULL;
  if (n == 0) return THUD_OK;
  thud_error error = make_box(motion, n, &b);
  if (error != THUD_OK) return error;
  size_t *inside = THUD_NEW_ARRAY(motion->base.context, size_t, 2 * n);
  if (inside == NULL) return THUD_ERROR_MEMORY;
  error = settle(motion, s, &b, inside);
  thud_free(motion->base.context, inside);
  return error;
}

/* ---- beside contacts ------------------------------------------------------------------------------------------------- */

void thud_bodies_bound_laws(body_motion *motion, thud_index s) {
  if (count_of(motion, s) > 0) set_pins(motion, s);
}

/* The normal impulse and the friction of the contact that stands for an interval: as large as its own rates and the contacts', which
 * are of the size of the island's unit, need. */
static double normal_of(const body_law *law, double velocity, double impulse_unit) {
  double rates = fabs(law->u_free + law->w) + fabs(law->u_minus) + fabs(law->w) + velocity;
  return fmin(law->high, 4 * rates / law->response) / impulse_unit;
}

void thud_bodies_load_laws(body_motion *motion, thud_index s, size_t rows, double velocity, double mass, double *W,
                           double *mu) {
  body_problem *p = &motion->problem;
  const body_laws *laws = &motion->laws;
  size_t n = count_of(motion, s), d = (size_t)p->d, first = rows - n * d;
  for (size_t i = 0; i < n; i++) {
    const body_law *law = &laws->list[laws->order[laws->start[s] + i]];
    size_t row = first + i * d, own = row + component_of(law);
    double response = W[own + own * rows], unit = mass * velocity;
    for (size_t k = row; k < row + d; k++) {
      if (k != own) W[k + k * rows] = response;
      p->group_w[k] = p->group_r[k] = 0;
    }
    p->group_w[own] = (law->u_free + law->w) / velocity;
    p->group_r[own] = law->r / unit;
    mu[first / d + i] = 0;
    if (own == row) continue;
    double normal = normal_of(law, velocity, unit);
    p->group_r[row] = normal;
    p->group_w[row] = -normal * response;
    mu[first / d + i] = normal > 0 ? fmax(law->high, -law->low) / unit / normal : 0;
  }
}

void thud_bodies_put_law_rates(body_motion *motion, thud_index s, size_t rows, double velocity) {
  const body_laws *laws = &motion->laws;
  size_t n = count_of(motion, s), d = (size_t)motion->problem.d, first = rows - n * d;
  for (size_t i = first; i < rows; i++) motion->problem.group_w[i] = 0;
  for (size_t i = 0; i < n; i++) {
    const body_law *law = &laws->list[laws->order[laws->start[s] + i]];
    motion->problem.group_w[first + i * d + component_of(law)] = (law->u + law->w) / velocity;
  }
}

void thud_bodies_unload_laws(body_motion *motion, thud_index s, double velocity, double mass) {
  const body_problem *p = &motion->problem;
  size_t d = (size_t)p->d, contacts = (size_t)(p->contact_start[s + 1] - p->contact_start[s]);
  for (size_t i = 0; i < count_of(motion, s); i++) {
    body_law *law = &motion->laws.list[motion->laws.order[motion->laws.start[s] + i]];
    double r = p->group_r[(contacts + i) * d + component_of(law)] * (mass * velocity);
    law->r = fmin(fmax(r, law->low), law->high);
  }
}

double thud_bodies_law_speed(const body_motion *motion, thud_index s) {
  double sum = 0;
  for (size_t i = 0; i < count_of(motion, s); i++) {
    const body_law *law = &motion->laws.list[motion->laws.order[motion->laws.start[s] + i]];
    double speed = fabs(law->r) * law->response;
    sum += speed * speed;
  }
  return sum;
}

bool thud_bodies_laws_rest(const body_motion *motion, thud_index s, double speed) {
  for (size_t i = 0; i < count_of(motion, s); i++) {
    const body_law *law = &motion->laws.list[motion->laws.order[motion->laws.start[s] + i]];
    double u = law->w + law->path_after, aim = fmin(fmax(law->r - u / law->response, law->low), law->high);
    if (!(fabs(law->r - aim) * law->response <= speed)) return false;
  }
  return true;
}
