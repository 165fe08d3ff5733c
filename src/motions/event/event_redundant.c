/* Rows that depend on others: equations, or closed contacts, whose gradients are combinations of those of other rows
 * that hold, or vanish. Unless the point is qualified there may be no motion at all (Ballard, ARMA 154, 2000,
 * counter-example 3: a bar whose ends run on a circle of its own diameter, loaded across).
 *
 * Let l be such a combination, l'A_0 = 0. At order k the accelerations of the rows give l'c_k = 0 with
 *
 *   c_k = gamma_k + sum_{j=1..k} A_j a_{k-j},
 *
 * in which nothing of order k is unknown: it holds, or nothing satisfies the rows. In return the reactions of order k are
 * known up to y_k l only. Where the gradients become independent along the motion (a four-bar linkage that leaves its
 * flat position) y_k acts on a_{k+1} through A_1' l and is given by l'c of some later order, k + 2 at the earliest.
 *
 * The reactions of the redundant rows are these unknowns. They are 0 at first, and then u'_k of a redundant row is l'c_k.
 * Where that is not 0, the reactions of orders up to k - 2 are sought by Newton's method, with the derivatives from
 * differences: they occur linearly where they occur first. When that does not lead to 0 there is no motion.
 *
 * A bar that rests under a load along it has accelerations across that are rounding, and l'c_2 is their square: the terms
 * of l'c_k do not say how large its rounding is. It is measured: every order is disturbed by what rounding may have done
 * to its accelerations. */
#include "motions/event/event.h"
#include "motions/event/event_probe.h"

#include "linalg/dense.h"
#include "model/gradients.h"

#include <float.h>
#include <stdio.h>

/* Accepted contradiction, relative to the terms: gradients count as dependent when no more than MODEL_RANK_TOLERANCE of
 * one is left, and l'A_0 a of that size is left out of l'c. */
#define CONTRADICTION (100 * MODEL_RANK_TOLERANCE)
/* Accepted contradiction as a multiple of what disturbances by rounding change: two of them do not show the worst case. */
#define DISTURBED 1e3
/* Columns of the derivatives of which less than this is left beside the others are dependent on them. */
#define DEPENDENT_FORCE 1e-7

enum { DISTURBANCES = 2, NEWTON_TURNS = 4, MOST_REDUNDANT = 8, FIRST_FORCE_ORDER = 2, LAST_PLACES_OF_Q = 4 };

typedef struct redundancy {
  event_motion *motion;
  size_t count;     /* d: redundant rows */
  size_t *rows;     /* [m] */
  int last;         /* highest order that is looked at */
  double *rate;     /* [(p+1)*d] u' of the redundant rows */
  double *size;     /* [(p+1)*d] of the terms */
  double *noise;    /* [(p+1)*d] what rounding may change */
  double *changed;  /* [(p+1)*d] */
  double *step;     /* [p*d] changes of the forces */
  double *columns;  /* [p*d * (p+1)*d] derivatives, made orthogonal */
  double *triangle; /* [(p*d)^2] */
  bool noise_is_known, has_forces;
  int delay; /* orders after which a force shows */
} redundancy;

/* ---- gradients that vanish ----------------------------------------------------------------------------------------- */

/* The sign with which component c is disturbed in turn k: a bit of a multiple of an odd number. */
static double sign_of_disturbance(unsigned turn, int k, size_t c) {
  unsigned hash = (turn + 1) * 2654435761u ^ ((unsigned)k * 40503u + (unsigned)c * 2246822519u);
  hash ^= hash >> 15;
  hash *= 2246822519u;
  return (hash >> 16 & 1u) != 0 ? -1 : 1;
}

static bool may_act(const event_motion *motion, size_t i) {
  return event_is_equation(&motion->problem, i) || motion->contacts.contact[i] != EVENT_AWAY;
}

/* A gradient that a change of q in its last places changes by as much as itself is 0. */
thud_error thud_event_find_vanishing(event_motion *motion) {
  const event_problem *problem = &motion->problem;
  sim_arc *arc = motion->arc;
  size_t n = problem->n;
  double *q = motion->projection.basis, *difference = q + n, *out = motion->piece.outputs;
  bool any = false;
  for (size_t i = 0; i < problem->m; i++) {
    bool small = !motion->run.begun || arc->own[i] <= EVENT_NO_GRADIENT * motion->last.length_before[i];
    motion->modes.vanishes[i] = arc->own[i] == 0;
    any = any || (small && arc->own[i] > 0 && may_act(motion, i));
  }
  for (unsigned turn = 0; any && turn < DISTURBANCES; turn++) {
    for (size_t c = 0; c < n; c++)
      q[c] = motion->state.q[c] * (1 + LAST_PLACES_OF_Q * DBL_EPSILON * sign_of_disturbance(turn, 0, c));
    if (arc->backend->evaluate(arc, motion->state.t, q, motion->state.v, out) != THUD_OK) return THUD_OK;
    for (size_t i = 0; i < problem->m; i++) {
      const double *here = arc->jet + thud_arc_row(arc, i), *there = out + thud_arc_row(arc, i);
      for (size_t c = 0; c < n; c++) difference[c] = there[c] - here[c];
      thud_model_to_orthonormal(n, arc->factor, difference, difference);
      if (arc->own[i] <= 2 * sqrt(motion_dot((thud_index)n, difference, difference))) motion->modes.vanishes[i] = true;
    }
  }
  return THUD_OK;
}

/* ---- rounding ------------------------------------------------------------------------------------------------------ */

void thud_event_disturb_order(event_motion *motion, int k) {
  sim_arc *arc = motion->arc;
  size_t n = arc->n;
  double *a = arc->a + (size_t)k * n, size = thud_arc_distance(arc, arc->free, NULL);
  for (size_t i = 0; i < arc->rows; i++) size += arc->own[i] * fabs(arc->reaction[(size_t)k * arc->rows + i]);
  for (size_t c = 0; c < n; c++) {
    double mass = arc->jet[arc->jets.layout.mass + c * (n + 1)];
    a[c] += EVENT_ROUNDING * DBL_EPSILON * size / sqrt(mass) * sign_of_disturbance(motion->equations.disturbance, k, c);
  }
}

static void read_rates(const redundancy *work, int last, double *rate, double *size) {
  for (int k = 0; k <= last; k++)
    for (size_t b = 0; b < work->count; b++) {
      size_t at = (size_t)k * work->count + b;
      rate[at] = thud_arc_row_rate(work->motion->arc, work->rows[b], k, size != NULL ? &size[at] : NULL);
    }
}

/* The arc begins with q and v that are changed by their rounding beside the whole of them. */
static thud_error disturb_state(event_motion *motion, unsigned turn) {
  sim_arc *arc = motion->arc;
  const event_present *state = &motion->state;
  size_t n = arc->n;
  double *q = motion->projection.paths, *v = motion->projection.basis;
  double way = EVENT_ROUNDING * DBL_EPSILON * thud_arc_distance(arc, state->q, NULL);
  double speed = EVENT_ROUNDING * DBL_EPSILON * thud_arc_distance(arc, state->v, NULL);
  for (size_t c = 0; c < n; c++) {
    double mass = arc->jet[arc->jets.layout.mass + c * (n + 1)], unit = 1 / sqrt(mass);
    q[c] = state->q[c] + way * unit * sign_of_disturbance(turn, -1, c);
    v[c] = state->v[c] + speed * unit * sign_of_disturbance(turn, -2, c);
  }
  return thud_arc_begin(arc, state->t, q, v);
}

/* What rounding of the state and of the accelerations changes; the orders are those without disturbance again. */
static thud_error measure_noise(redundancy *work) {
  event_motion *motion = work->motion;
  size_t count = ((size_t)work->last + 1) * work->count;
  thud_error error = THUD_OK;
  memset(work->noise, 0, count * sizeof *work->noise);
  for (unsigned turn = 1; turn <= DISTURBANCES && error == THUD_OK; turn++) {
    error = disturb_state(motion, turn);
    if (error != THUD_OK) break;
    motion->equations.disturbance = turn;
    error = thud_event_compute_orders(motion, work->last);
    motion->equations.disturbance = 0;
    if (error != THUD_OK) break;
    read_rates(work, work->last, work->changed, NULL);
    for (size_t j = 0; j < count; j++) work->noise[j] = fmax(work->noise[j], fabs(work->changed[j] - work->rate[j]));
  }
  work->noise_is_known = true;
  thud_error again = thud_arc_begin(motion->arc, motion->state.t, motion->state.q, motion->state.v);
  if (again == THUD_OK) again = thud_event_compute_orders(motion, work->last);
  return error == THUD_OK ? again : error;
}

/* The terms of the first orders may cancel within the convective part (a bar that turns about its middle), so that neither
 * they nor what disturbances change show the rounding. Nodes of a scheme have velocities v that are rounded, |u| <= |A| |v|:
 * a contradiction that changes u by less than that within the step h is none, |l'c_k| h^(k+1) <= ROUNDING eps |A| |v|. From
 * the order on that forces act on, squares of accelerations contradict, which short steps would hide. */
static double rounding_of_node(const redundancy *work, size_t row, int k) {
  const event_motion *motion = work->motion;
  double step = motion->equations.step, speed = thud_arc_distance(motion->arc, motion->state.v, NULL);
  if (!(step > 0) || k >= FIRST_FORCE_ORDER) return 0;
  return EVENT_ROUNDING * DBL_EPSILON * motion->arc->own[row] * speed / pow(step, k + 1);
}

/* The first redundant row whose order k is not 0; count: all are. */
static size_t contradicting_row(const redundancy *work, int k, bool with_noise) {
  for (size_t b = 0; b < work->count; b++) {
    size_t at = (size_t)k * work->count + b;
    double rate = fabs(work->rate[at]);
    if (rate <= rounding_of_node(work, work->rows[b], k)) continue;
    if (rate > fmax(CONTRADICTION, work->motion->equations.slack) * work->size[at] &&
        (!with_noise || rate > DISTURBED * work->noise[at]))
      return b;
  }
  return work->count;
}

/* The same for orders 0 to k; *order: which. */
static thud_error find_contradiction(redundancy *work, int k, size_t *row, int *order) {
  *row = work->count;
  for (int j = 0; j <= k && *row == work->count; j++) {
    *order = j;
    *row = contradicting_row(work, j, work->noise_is_known);
    if (*row == work->count || work->noise_is_known) continue;
    thud_error error = measure_noise(work);
    if (error != THUD_OK) return error;
    *row = contradicting_row(work, j, true);
  }
  return THUD_OK;
}

/* ---- forces -------------------------------------------------------------------------------------------------------- */

static double *given_force(const redundancy *work, size_t unknown) {
  const event_motion *motion = work->motion;
  return &motion->modes.given[unknown / work->count * motion->problem.m + work->rows[unknown % work->count]];
}

/* A force of the size of those at hand, by which derivatives are taken. */
static double unit_of_force(const redundancy *work, size_t unknown) {
  const sim_arc *arc = work->motion->arc;
  double own = arc->own[work->rows[unknown % work->count]], size = thud_arc_distance(arc, arc->a, NULL);
  for (size_t i = 0; i < arc->rows; i++) size += arc->own[i] * fabs(arc->reaction[i]);
  return (size > 0 ? size : 1) / (own > 0 ? own : 1);
}

/* Column of the derivatives, every equation in units of its terms; what may be rounding is 0. */
static thud_error differentiate(redundancy *work, int k, size_t unknown, double *column) {
  double *force = given_force(work, unknown), before = *force, unit = unit_of_force(work, unknown);
  size_t count = ((size_t)k + 1) * work->count;
  *force = before + unit;
  thud_error error = thud_event_compute_orders(work->motion, k);
  if (error == THUD_OK) read_rates(work, k, work->changed, NULL);
  *force = before;
  for (size_t j = 0; j < count && error == THUD_OK; j++) {
    double change = work->changed[j] - work->rate[j];
    column[j] = fabs(change) > DISTURBED * work->noise[j] ? change / unit / work->size[j] : 0;
  }
  return error;
}

/* The step of Newton's method in the least-squares sense, by orthogonal columns: columns = Q R, R step = -Q' rate. */
static void solve_for_step(redundancy *work, size_t equations, size_t unknowns) {
  double *right = work->changed;
  for (size_t j = 0; j < equations; j++) right[j] = work->size[j] > 0 ? -work->rate[j] / work->size[j] : 0;
  for (size_t u = 0; u < unknowns; u++) {
    double *column = work->columns + u * equations, *triangle = work->triangle + u * unknowns;
    double length = sqrt(motion_dot((thud_index)equations, column, column));
    for (size_t b = 0; b < u; b++) {
      const double *basis = work->columns + b * equations;
      triangle[b] = motion_dot((thud_index)equations, basis, column);
      for (size_t j = 0; j < equations; j++) column[j] -= triangle[b] * basis[j];
    }
    double left = sqrt(motion_dot((thud_index)equations, column, column));
    bool independent = left > DEPENDENT_FORCE * length && left > 0;
    triangle[u] = independent ? left : 0;
    for (size_t j = 0; j < equations; j++) column[j] = independent ? column[j] / left : 0;
    work->step[u] = motion_dot((thud_index)equations, column, right);
    for (size_t j = 0; j < equations; j++) right[j] -= work->step[u] * column[j];
  }
  for (size_t u = unknowns; u-- > 0;) {
    work->step[u] = work->triangle[u * unknowns + u] > 0 ? work->step[u] / work->triangle[u * unknowns + u] : 0;
    for (size_t b = 0; b < u; b++) work->step[b] -= work->triangle[u * unknowns + b] * work->step[u];
  }
}

/* Forces of orders up to k - 2 with which the rows hold up to order k. *row, *order: what still contradicts. */
static thud_error find_forces(redundancy *work, int k, size_t *row, int *order) {
  size_t unknowns = (size_t)(k - FIRST_FORCE_ORDER + 1) * work->count, equations = ((size_t)k + 1) * work->count;
  thud_error error = THUD_OK;
  for (int turn = 0; turn < NEWTON_TURNS && *row < work->count && error == THUD_OK; turn++) {
    for (size_t u = 0; u < unknowns && error == THUD_OK; u++)
      error = differentiate(work, k, u, work->columns + u * equations);
    if (error != THUD_OK) return error;
    solve_for_step(work, equations, unknowns);
    for (size_t u = 0; u < unknowns; u++) {
      *given_force(work, u) += work->step[u];
      if (work->step[u] != 0) work->delay = k - (int)(u / work->count);
    }
    work->noise_is_known = false;
    work->has_forces = true;
    error = thud_event_compute_orders(work->motion, work->last);
    if (error != THUD_OK) return error;
    read_rates(work, work->last, work->rate, work->size);
    error = find_contradiction(work, k, row, order);
  }
  return error;
}

/* ---- rows that contradict each other ------------------------------------------------------------------------------- */

/* The weights with which the rows that hold make up the gradient of row i, into equations.right. */
static void find_weights(event_motion *motion, size_t i) {
  event_equations *equations = &motion->equations;
  const sim_arc *arc = motion->arc;
  for (size_t a = 0; a < equations->count; a++)
    equations->right[a] = arc->delassus[(size_t)equations->rows[a] * arc->rows + i];
  thud_dense_solve_lower((thud_index)equations->count, equations->factor, false, equations->right);
  thud_dense_solve_lower((thud_index)equations->count, equations->factor, true, equations->right);
}

/* Row a of the equations takes part in the gradient of row i. */
static bool takes_part(const event_motion *motion, size_t a, size_t i) {
  const sim_arc *arc = motion->arc;
  double length = arc->own[motion->equations.rows[a]];
  return !motion->modes.vanishes[i] && fabs(motion->equations.right[a]) * length > CONTRADICTION * arc->own[i];
}

/* A closed contact may open, unless equations, or contacts on the other side, hold it. */
static bool must_hold(const event_motion *motion, size_t i, double rate) {
  if (event_is_equation(&motion->problem, i)) return true;
  if (rate > 0) return false;
  for (size_t a = 0; a < motion->equations.count; a++)
    if (takes_part(motion, a, i) && !event_is_equation(&motion->problem, (size_t)motion->equations.rows[a]) &&
        motion->equations.right[a] > 0)
      return false;
  return true;
}

/* Names row i and those that it depends on, whose weights have been found: "equations e1, e2"; bits: their numbers. */
static bool name_family(const event_motion *motion, size_t i, char *text, size_t capacity, uint64_t *bits) {
  const event_problem *problem = &motion->problem;
  char names[256] = "";
  bool equations = false, gaps = false, several = false;
  *bits = 0;
  for (size_t j = 0; j < problem->m; j++) {
    bool named = j == i;
    for (size_t a = 0; a < motion->equations.count && !named; a++)
      named = (size_t)motion->equations.rows[a] == j && takes_part(motion, a, i);
    if (!named) continue;
    several = several || names[0] != '\0';
    if (j < 64) *bits |= UINT64_C(1) << j;
    *(event_is_equation(problem, j) ? &equations : &gaps) = true;
    thud_event_append_text(names, sizeof names, "%s%s", names[0] != '\0' ? ", " : "",
                           thud_system_constraint(problem->system, (thud_index)j)->name);
  }
  snprintf(text, capacity, "%s%s %s",
           !gaps        ? "equation"
           : !equations ? "gap"
                        : "constraint",
           several ? "s" : "", names);
  return several;
}

static thud_error fail_without_solution(event_motion *motion, size_t i, int order) {
  char family[288];
  uint64_t bits;
  bool several = name_family(motion, i, family, sizeof family, &bits);
  motion->run.no_solution = true;
  return thud_fail(
      motion->problem.context, THUD_ERROR_UNQUALIFIED,
      "[contradictory-constraints] t = %.10g: no solution: %s: %s, and derivative number %d by time contradicts %s",
      motion->state.t, family, several ? "their gradients are dependent" : "its gradient vanishes", order + 2,
      several ? "them" : "it");
}

/* ---- points that are not qualified --------------------------------------------------------------------------------- */

/* Rounding of the forces of rows of which e is left beside the others grows like 1/e^2: steps shrink in proportion to e, and
 * below this part of the most that was left the motion would be rounding before the point is reached. */
#define TOO_NEAR 1e-3

/* In place of weights: the projections of gradient i on those of the other rows. */
static void find_neighbours(event_motion *motion, size_t i) {
  const sim_arc *arc = motion->arc;
  for (size_t a = 0; a < motion->equations.count; a++) {
    size_t row = (size_t)motion->equations.rows[a];
    double square = arc->own[row] * arc->own[row];
    motion->equations.right[a] = row != i ? arc->delassus[row * arc->rows + i] / square : 0;
  }
}

/* Why the motion does not lead through the point that row i comes to. */
static thud_error fail_before(event_motion *motion, size_t i) {
  const event_passage *passage = &motion->passage;
  char family[288], why[192];
  uint64_t bits;
  find_neighbours(motion, i);
  name_family(motion, i, family, sizeof family, &bits);
  if (passage->finding == EVENT_PASSAGE_BRANCHES)
    snprintf(why, sizeof why, "the branches on which the motion may go on are not determined: %s",
             passage->still ? "it comes to rest there" : "they touch each other there");
  else if (passage->finding == EVENT_PASSAGE_EVENT || passage->blocked)
    snprintf(why, sizeof why,
             "a gap closes or an expression changes its branch next to it; use a time-stepping method");
  else if (passage->finding == EVENT_PASSAGE_INACCURATE && !isnan(passage->error))
    snprintf(why, sizeof why,
             "no polynomial leads through to the accuracy that is asked for (error %.2g); use a time-stepping method",
             passage->error);
  else
    snprintf(why, sizeof why,
             "only power series lead through, without friction, velocity forms and closed gaps; use 'arcs: auto' or a "
             "time-stepping method");
  return thud_fail(motion->problem.context, THUD_ERROR_UNQUALIFIED,
                   "[unqualified-point] t = %.10g: the motion comes to a point that is not qualified: the gradients of "
                   "%s become dependent, "
                   "and %s",
                   motion->state.t, family, why);
}

/* What is left of equation i beside the most so far; *nears: it is so little, and falls, that the motion ends here unless
 * there is a passage. */
static double look_at_approach(event_motion *motion, size_t i, bool *nears) {
  event_last_arc *last = &motion->last;
  char family[288];
  uint64_t bits;
  double left = motion->modes.left[i];
  bool redundant = motion->modes.redundant[i], was = last->independence[i] <= MODEL_RANK_TOLERANCE;
  bool falls = motion->run.begun && left < last->independence[i];
  *nears = falls && !redundant && left < TOO_NEAR * last->most_left[i];
  last->independence[i] = left;
  last->most_left[i] = fmax(last->most_left[i], left);
  if (motion->run.begun && redundant && !was) {
    find_weights(motion, i);
    name_family(motion, i, family, sizeof family, &bits);
    if (motion->info.unqualified == 0) motion->info.unqualified_time = motion->state.t;
    motion->info.unqualified |= bits;
  }
  return redundant || !(falls || !motion->run.begun) ? 1 : left / last->most_left[i];
}

thud_error thud_event_check_approach(event_motion *motion) {
  double least = 1;
  size_t nearest = SIZE_MAX;
  for (size_t i = 0; i < motion->problem.m; i++) {
    bool nears;
    if (!event_is_equation(&motion->problem, i)) continue;
    least = fmin(least, look_at_approach(motion, i, &nears));
    if (nears && nearest == SIZE_MAX) nearest = i;
  }
  thud_error error = thud_event_find_passage(motion, least);
  if (error != THUD_OK || motion->passage.finding == EVENT_PASSAGE_FOUND || nearest == SIZE_MAX) return error;
  return fail_before(motion, nearest);
}

/* ---- the whole ----------------------------------------------------------------------------------------------------- */

static void end_work(thud_context *context, redundancy *work) {
  thud_free(context, work->rows);
  thud_free(context, work->rate);
}

/* One block for all numbers. The derivatives need room for as many orders as forces are sought for. */
static thud_error begin_work(event_motion *motion, redundancy *work) {
  thud_context *context = motion->problem.context;
  size_t m = motion->problem.m, orders = (size_t)motion->arc->order + 1, rates = orders * work->count;
  size_t squared = work->count <= MOST_REDUNDANT ? rates * rates : 0;
  work->rows = THUD_NEW_ARRAY(context, size_t, m);
  work->rate = THUD_NEW_ARRAY(context, double, 5 * rates + 2 * squared);
  if (work->rows == NULL || work->rate == NULL) {
    end_work(context, work);
    return THUD_ERROR_MEMORY;
  }
  work->size = work->rate + rates;
  work->noise = work->size + rates;
  work->changed = work->noise + rates;
  work->step = work->changed + rates;
  work->columns = work->step + rates;
  work->triangle = work->columns + squared;
  size_t count = 0;
  for (size_t i = 0; i < m; i++)
    if (motion->modes.redundant[i]) work->rows[count++] = i;
  return THUD_OK;
}

static thud_error follow(redundancy *work) {
  event_motion *motion = work->motion;
  thud_error error = THUD_OK;
  read_rates(work, work->last, work->rate, work->size);
  for (int k = 0; k <= work->last && error == THUD_OK; k++) {
    size_t row = work->count;
    int order = k;
    error = find_contradiction(work, k, &row, &order);
    if (error != THUD_OK || row == work->count) continue;
    if (order >= FIRST_FORCE_ORDER && work->count <= MOST_REDUNDANT) error = find_forces(work, k, &row, &order);
    if (error != THUD_OK || row == work->count) continue;
    find_weights(motion, work->rows[row]);
    if (!must_hold(motion, work->rows[row], work->rate[(size_t)order * work->count + row])) return THUD_OK;
    return fail_without_solution(motion, work->rows[row], order);
  }
  /* The forces of the last orders would follow from orders that are not there. */
  if (error == THUD_OK && work->has_forces && work->last - work->delay > FIRST_FORCE_ORDER)
    thud_arc_cut(motion->arc, work->last - work->delay);
  return error;
}

thud_error thud_event_follow_redundant(event_motion *motion) {
  redundancy work = {.motion = motion};
  for (size_t i = 0; i < motion->problem.m; i++) work.count += motion->modes.redundant[i] ? 1 : 0;
  if (work.count == 0) return THUD_OK;
  /* orders beyond those that were computed are 0 */
  work.last = motion->arc->decide < motion->arc->top ? motion->arc->decide : motion->arc->top;
  thud_error error = begin_work(motion, &work);
  if (error != THUD_OK) return error;
  error = follow(&work);
  end_work(motion->problem.context, &work);
  return error;
}

/* ---- states of other methods --------------------------------------------------------------------------------------- */

thud_error thud_event_probe_create(thud_context *context, const thud_system *system, thud_motion **probe) {
  thud_event_options options = thud_event_options_default();
  event_motion *made = NULL;
  *probe = NULL;
  if (!thud_model_has_expressions(system)) return THUD_OK;
  thud_error error = thud_event_make(context, system, &options, &made);
  if (error == THUD_OK) *probe = &made->base;
  return error == THUD_ERROR_MEMORY ? error : THUD_OK;
}

/* Takes what another method has left of the velocities of the constraints that hold out of v. */
static thud_error clear_velocities(event_motion *probe, const double *v) {
  event_present *state = &probe->state;
  thud_error error = thud_arc_begin(probe->arc, state->t, state->q, state->v);
  if (error == THUD_OK) error = thud_event_find_vanishing(probe);
  if (error != THUD_OK) return error;
  for (size_t i = 0; i < probe->problem.m && probe->equations.slack == 0; i++) {
    double u = probe->arc->jet[probe->arc->jets.layout.velocity + i];
    bool moves = fabs(u) > thud_event_rest_velocity(probe, i, u);
    if (!event_is_equation(&probe->problem, i) && moves) probe->contacts.contact[i] = EVENT_AWAY;
  }
  for (size_t row = 0; row < probe->arc->rows; row++)
    probe->projection.hold[row] = row < probe->problem.m && probe->contacts.contact[row] == EVENT_REST;
  thud_event_project_once(probe, false);
  thud_event_clear_rounding(probe->arc, v, state->v);
  return THUD_OK;
}

/* The contacts that are closed rest, whatever another method has left of their gaps and velocities. */
thud_error thud_event_probe(thud_motion *motion, double t, const double *q, const double *v, const bool *closed,
                            double slack, double step) {
  event_motion *probe = (event_motion *)motion;
  size_t n = probe->problem.n;
  thud_error error;
  memcpy(probe->state.q, q, n * sizeof *q);
  memcpy(probe->state.v, v, n * sizeof *v);
  memcpy(probe->event.v_before, v, n * sizeof *v);
  probe->state.t = t;
  probe->equations.slack = slack;
  probe->equations.step = step;
  probe->run.begun = probe->run.no_solution = false;
  for (size_t i = 0; i < probe->problem.m; i++) {
    bool holds = event_is_equation(&probe->problem, i) || closed[i];
    probe->contacts.contact[i] = holds ? EVENT_REST : EVENT_AWAY;
    probe->modes.mode_before[i] = holds ? THUD_CONTACT_LASTING : THUD_CONTACT_OPEN;
    probe->event.involved[i] = false;
  }
  for (size_t l = 0; l < probe->problem.law_count; l++) probe->contacts.slip[l] = EVENT_SLIP_UNKNOWN;
  probe->loads.next = SIZE_MAX; /* percussions are not what is asked for */
  error = clear_velocities(probe, v);
  if (error == THUD_OK) error = thud_event_begin_next_arc(probe);
  if (error == THUD_ERROR_MEMORY) return error;
  return probe->run.no_solution ? THUD_ERROR_UNQUALIFIED : THUD_OK;
}

thud_error thud_event_probe_once(thud_context *context, const thud_system *system, double t, const double *q,
                                 const double *v, double gap_tolerance) {
  thud_motion *probe = NULL;
  thud_system_values *values = NULL;
  size_t m = (size_t)thud_system_constraint_count(system);
  bool *closed = THUD_NEW_ARRAY(context, bool, m);
  thud_error error = closed != NULL ? thud_event_probe_create(context, system, &probe) : THUD_ERROR_MEMORY;
  if (error == THUD_OK && probe != NULL) error = thud_system_values_create(context, system, &values);
  if (error == THUD_OK && probe != NULL) error = thud_system_evaluate(system, t, q, v, THUD_AT_CONSTRAINT, values);
  for (size_t i = 0; i < m && error == THUD_OK && probe != NULL; i++)
    closed[i] = thud_system_constraint(system, (thud_index)i)->kind == THUD_CONSTRAINT_UNILATERAL &&
                values->gap[i] <= gap_tolerance;
  if (error == THUD_OK && probe != NULL) error = thud_event_probe(probe, t, q, v, closed, 0, 0);
  thud_system_values_destroy(context, values);
  thud_motion_destroy(probe);
  thud_free(context, closed);
  return error;
}
