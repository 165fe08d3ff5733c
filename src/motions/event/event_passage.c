/* Passages through points that are not qualified: equations whose gradients A(q) become dependent at one time t* of the
 * motion and are independent before and after it, such as a parallelogram of cranks in its flat position.
 *
 * Where the velocity at t* is not 0 and singles out a branch of the equations, q(t) is analytic there (the way along the
 * branch is the solution of an ordinary differential equation), and so is the force of the constraints,
 *
 *   r(t) = M q'' - F,   r(t) in range A(t)' for t != t*.
 *
 * The multipliers L(t) with r = A'L stay bounded if r(t*) is in range A(t*)'; otherwise they grow like c/(t - t*), and the
 * motion goes on all the same: it satisfies M q'' = F + r with a bounded r that does no work, and is the limit of the
 * motions with stiff springs in place of the equations (their oscillations about the branch have energies that fall with the
 * stiffness k like k^-1/2).
 *
 * A power series at t0 < t* does not lead through: that of L has the radius t* - t0, and rounding of L is as bad in q.
 * Instead q'' is a polynomial on [t0, t0 + h] through its values at Chebyshev points, none of which is t*, by Picard's
 * iteration: q and v there by integration, the state nearest to it that satisfies the equations, its acceleration. What this
 * costs is 1/e^3 in units of rounding where e is left of the gradients, at the points next to t*. */
#include "motions/event/event.h"

#include "model/gradients.h"

/* Looked for when no more than this is left of a gradient, beside the most that was so far. */
#define NEARING 0.95
/* Errors of the polynomial that are accepted, relative: of accelerations, of the way and of the velocity. Errors that more
 * nodes make smaller fall with the length of the way from arc to arc; others are rounding, which rises, and then
 * defect_tolerance is accepted. */
#define ACCEPTED 1e-12
/* Errors above so many times the last terms are rounding. */
#define LAST_TERMS 3
/* The arc ends at least this part of the time to t* behind it: nearer the forces of the next one would be rounding. */
#define BEHIND 0.4
/* What is left of the gradients at its end, beside the most that it can be. */
#define NEARLY_MOST 0.8
/* Multipliers with c/(t - t*) are unbounded when c is more than this part of the largest (t - t*) L, and so many times the
 * error of the polynomial. */
#define UNBOUNDED 1e-8
#define ROUNDED 1e3
/* Speeds at t* below this part of the largest on the passage are 0: nothing singles out a branch. */
#define STILL 1e-6
/* What is left of the gradients falls like |t - t*|^k: with k above this the branches touch. */
#define TOUCHING 1.5
/* That is looked for when no more than this is left of a gradient, beside the most so far. */
#define NEXT_TO 0.01
/* They touch where no more than this is left of them beside now: the rounding of the series. */
#define TOUCHED 1e-2
/* Rows with less than this left of them are those that depend on others. */
#define DEPENDENT 1e-5
/* Weights below this are those of rows that take no part. */
#define TAKES_PART 1e-6

/* Motions that begin with less than this left of a gradient begin next to a dependence. */
#define BESIDE 0.02
/* Polynomials are tried when t* is within this part of the radius of the series of q. */
#define WITHIN 0.3
/* Speeds below this part of the present one, by the series, are 0. */
#define STOPPED 0.1

/* Ways up to so many times that to t* are guessed by the series, whose rounding grows with a power of that; the longest. */
#define NEAR_SERIES 2
#define LONGEST 32

enum {
  HALVINGS = 24,
  MOST_NODES = CHEBYSHEV_MOST_NODES,
  LEAST_NODES = 8,
  PLACES = 32,
  BISECTIONS = 48,
  PICARD = 80,
  NEWTON = 3,
  SAFE_PLACES = 64
};

typedef struct passage_work {
  event_motion *motion;
  size_t n, count;        /* coordinates, rows */
  const thud_index *rows; /* equations that are independent at t0 */
  int nodes, most_nodes;
  double from, h, at;    /* where the polynomial begins, from t0, and its length; t* - t0 */
  size_t row;            /* number of the first row that depends on others there */
  double left;           /* of a gradient at t0, beside the most so far */
  double *out;           /* [outputs] at a state, and: */
  double *factor;        /* [n*n] of the mass */
  double *basis;         /* [count*n] of the gradients, orthonormal coordinates */
  double *triangle;      /* [count*count] gradient a = sum_{b<=a} triangle[a*count + b] basis_b */
  double *length;        /* [count] of the gradients */
  double *value;         /* [count] */
  double *force;         /* [n] in orthonormal coordinates */
  double *before;        /* [count*n] basis at another place */
  double *q, *v, *a;     /* [n] of a state */
  double *nodal_a;       /* [nodes*n] */
  double *nodal_q;       /* [nodes*n] */
  double *reaction;      /* [nodes*count] */
  double *power;         /* [nodes] */
  double *series_a;      /* [nodes*n] Chebyshev coefficients */
  double *series_v;      /* [(nodes+1)*n] */
  double *series_q;      /* [(nodes+2)*n] */
  double shift;          /* what the projection moved, relative */
  double speed, largest; /* of the velocities and accelerations at the nodes, kinetic metric */
} passage_work;

/* ---- a state ------------------------------------------------------------------------------------------------------- */

/* Outputs, mass and gradients at (t, q, v). False: they cannot be evaluated, or a gradient depends on others exactly. */
static bool place(passage_work *w, double s, const double *q, const double *v) {
  event_motion *motion = w->motion;
  sim_arc *arc = motion->arc;
  size_t n = w->n;
  if (arc->backend->evaluate(arc, arc->t0 + s, q, v, w->out) != THUD_OK) return false;
  for (size_t i = 0; i < arc->jets.layout.count; i++)
    if (!isfinite(w->out[i])) return false;
  if (thud_model_factorise(arc->system, arc->context, w->out + arc->jets.layout.mass, w->factor) != THUD_OK)
    return false;
  for (size_t a = 0; a < w->count; a++) {
    double *left = w->basis + a * n, *triangle = w->triangle + a * w->count;
    thud_model_to_orthonormal(n, w->factor, w->out + thud_arc_row(arc, (size_t)w->rows[a]), left);
    w->length[a] = sqrt(motion_dot((thud_index)n, left, left));
    memset(triangle, 0, w->count * sizeof *triangle);
    for (int turn = 0; turn < 2; turn++)
      for (size_t b = 0; b < a; b++) {
        double part = motion_dot((thud_index)n, left, w->basis + b * n);
        triangle[b] += part;
        for (size_t c = 0; c < n; c++) left[c] -= part * w->basis[b * n + c];
      }
    triangle[a] = thud_model_normalise(n, left);
    if (!(triangle[a] > 0)) return false;
  }
  return true;
}

/* Independent part of row a, at length 1. */
static double left_of(const passage_work *w, size_t a) { return w->triangle[a * w->count + a] / w->length[a]; }

/* value <- components along the basis of the vector x with gradient a . x = value_a. */
static void solve_components(const passage_work *w) {
  for (size_t a = 0; a < w->count; a++) {
    const double *triangle = w->triangle + a * w->count;
    double sum = w->value[a];
    for (size_t b = 0; b < a; b++) sum -= triangle[b] * w->value[b];
    w->value[a] = sum / triangle[a];
  }
}

/* value <- multipliers of the gradients that make the force with these components. */
static void solve_multipliers(const passage_work *w) {
  for (size_t a = w->count; a-- > 0;) {
    double sum = w->value[a];
    for (size_t b = a + 1; b < w->count; b++) sum -= w->triangle[b * w->count + a] * w->value[b];
    w->value[a] = sum / w->triangle[a * w->count + a];
  }
}

/* x <- x - the shortest vector that makes up for what `first` says of the rows; returns its length. */
static double correct(passage_work *w, size_t first, double *x) {
  size_t n = w->n;
  double square = 0;
  for (size_t a = 0; a < w->count; a++) w->value[a] = w->out[first + (size_t)w->rows[a]];
  solve_components(w);
  memset(w->force, 0, n * sizeof *w->force);
  for (size_t a = 0; a < w->count; a++) {
    square += w->value[a] * w->value[a];
    for (size_t c = 0; c < n; c++) w->force[c] -= w->value[a] * w->basis[a * n + c];
  }
  thud_factor_backward((thud_index)n, w->factor, w->force);
  for (size_t c = 0; c < n; c++) x[c] += w->force[c];
  return sqrt(square);
}

/* The state nearest to (q, v) that satisfies the equations; the outputs are those of it. */
static bool project(passage_work *w, double s, double *q, double *v, double *way, double *speed) {
  const model_jet_layout *at = &w->motion->arc->jets.layout;
  *way = 0;
  for (int turn = 0; turn < NEWTON; turn++) {
    if (!place(w, s, q, v)) return false;
    *way += correct(w, at->gap, q);
  }
  if (!place(w, s, q, v)) return false;
  *speed = correct(w, at->velocity, v);
  return place(w, s, q, v);
}

/* x'Mx of the metric at the state, as a length. */
static double length_of(const passage_work *w, const double *x) {
  const double *mass = w->out + w->motion->arc->jets.layout.mass;
  double sum = 0;
  for (size_t i = 0; i < w->n; i++) sum += x[i] * motion_dot((thud_index)w->n, mass + i * w->n, x);
  return sqrt(fmax(sum, 0));
}

/* The acceleration at the state that was placed, the multipliers into `value`, the power of what is not the potential. */
static void accelerate(passage_work *w, const double *v, double *a, double *power) {
  const model_jet_layout *at = &w->motion->arc->jets.layout;
  thud_index n = (thud_index)w->n;
  double *momentum = w->force;
  for (size_t b = 0; b < w->count; b++) w->value[b] = -w->out[at->convective + (size_t)w->rows[b]];
  solve_components(w);
  thud_model_to_orthonormal(w->n, w->factor, w->out + at->force, a);
  for (size_t b = 0; b < w->count; b++) { /* orthonormal rows: one after the other */
    const double *basis = w->basis + b * w->n;
    w->value[b] -= motion_dot(n, basis, a);
    for (size_t c = 0; c < w->n; c++) a[c] += w->value[b] * basis[c];
  }
  for (size_t c = 0; c < w->n; c++) {
    momentum[c] = 0; /* L'v */
    for (size_t i = c; i < w->n; i++) momentum[c] += w->factor[i * w->n + c] * v[i];
  }
  *power = w->out[at->potential_rate] + motion_dot(n, w->out + at->applied, v);
  for (size_t b = 0; b < w->count; b++) *power += w->value[b] * motion_dot(n, w->basis + b * w->n, momentum);
  thud_factor_backward(n, w->factor, a);
  solve_multipliers(w);
}

/* ---- Chebyshev series ---------------------------------------------------------------------------------------------- */

/* The place of x in [-1, 1], and back. */
static double time_of(const passage_work *w, double x) { return w->from + w->h * (1 + x) / 2; }
static double place_of(const passage_work *w, double s) { return 2 * (s - w->from) / w->h - 1; }

static void integrate_motion(passage_work *w) {
  const event_present *state = &w->motion->state;
  thud_chebyshev_fit(w->nodes, w->n, w->nodal_a, w->series_a);
  for (size_t c = 0; c < w->n; c++) {
    thud_chebyshev_integrate(w->nodes, w->series_a + c, w->n, w->h / 2, place_of(w, 0), state->v[c], w->series_v + c);
    thud_chebyshev_integrate(w->nodes + 1, w->series_v + c, w->n, w->h / 2, place_of(w, 0), state->q[c],
                             w->series_q + c);
  }
}

/* State and acceleration of the polynomial at s. */
static void state_at(const passage_work *w, double s, double *q, double *v, double *a) {
  double x = place_of(w, s);
  for (size_t c = 0; c < w->n; c++) {
    q[c] = thud_chebyshev_sum(w->nodes + 2, w->series_q + c, w->n, x);
    v[c] = thud_chebyshev_sum(w->nodes + 1, w->series_v + c, w->n, x);
    if (a != NULL) a[c] = thud_chebyshev_sum(w->nodes, w->series_a + c, w->n, x);
  }
}

/* ---- where the gradients become dependent -------------------------------------------------------------------------- */

static double size_of_term(const sim_arc *arc, int k) {
  return thud_arc_distance(arc, arc->q + (size_t)k * arc->n, NULL);
}

/* The time in which the terms of the series of q are as large as the first ones: its radius. */
static double radius_of(const sim_arc *arc) {
  double radius = INFINITY, first = size_of_term(arc, 1), second = size_of_term(arc, 2);
  for (int k = arc->top + 2; k > arc->top - 2 && k > 3; k--) {
    double late = size_of_term(arc, k);
    if (!(late > 0)) continue;
    double by_speed = pow(first / late, 1.0 / (k - 1)), by_force = pow(second / late, 1.0 / (k - 2));
    radius = fmin(radius, fmax(by_speed, by_force));
  }
  return radius;
}

/* Puts a state near to that at s into q and v. */
typedef void (*passage_guess)(passage_work *w, double s);

static void guess_by_polynomial(passage_work *w, double s) { state_at(w, s, w->q, w->v, NULL); }

static void guess_by_series(passage_work *w, double s) { thud_arc_state(w->motion->arc, s, w->q, w->v); }

static void guess_by_velocity(passage_work *w, double s) {
  const event_present *state = &w->motion->state;
  for (size_t c = 0; c < w->n; c++) {
    w->q[c] = state->q[c] + s * state->v[c];
    w->v[c] = state->v[c];
  }
}

static bool place_by(passage_work *w, passage_guess guess, double s) {
  guess(w, s);
  return place(w, s, w->q, w->v);
}

/* Keeps the directions of what is left of the rows at the place. */
static void keep_basis(passage_work *w) { memcpy(w->before, w->basis, w->count * w->n * sizeof *w->before); }

static bool has_turned(const passage_work *w, size_t row) {
  return motion_dot((thud_index)w->n, w->basis + row * w->n, w->before + row * w->n) < 0;
}

/* The first row that has turned round since the place that was kept; count: none. */
static size_t turned_row(const passage_work *w) {
  size_t row = 0;
  while (row < w->count && !has_turned(w, row)) row++;
  return row;
}

/* t* between the place that was kept and another one behind which row `row` has turned. */
static void bisect(passage_work *w, passage_guess guess, double low, double high) {
  for (int turn = 0; turn < BISECTIONS; turn++) {
    double middle = low + (high - low) / 2;
    if (!(middle > low && middle < high)) break;
    *(!place_by(w, guess, middle) || has_turned(w, w->row) ? &high : &low) = middle;
  }
  w->at = low;
}

/* The first place in (0, longest] at which what is left of a row beside those before it turns round. */
static bool find_crossing(passage_work *w, double longest) {
  double low = 0, high = 0;
  if (!place_by(w, guess_by_series, 0)) return false;
  w->row = w->count;
  for (int k = 1; k <= PLACES && w->row == w->count; k++) {
    keep_basis(w);
    low = high;
    high = longest * k / PLACES;
    if (!place_by(w, guess_by_series, high)) return false;
    w->row = turned_row(w);
  }
  if (w->row == w->count) return false;
  bisect(w, guess_by_series, low, high);
  return place_by(w, guess_by_series, w->at) && left_of(w, w->row) < DEPENDENT;
}

/* What is left at least of the rows at s by the series; INFINITY: unknown. */
static double least_left(passage_work *w, double s) {
  double least = INFINITY;
  if (!place_by(w, guess_by_series, s)) return INFINITY;
  for (size_t a = 0; a < w->count; a++) least = fmin(least, left_of(w, a));
  return least;
}

/* The place in (0, longest] at which that is smallest, where it is next to nothing of what it is now: the gradients become
 * dependent without turning round. */
static bool find_touch(passage_work *w, double longest) {
  double low = 0, high = 0, least = INFINITY, now = least_left(w, 0);
  for (int k = 1; k <= PLACES; k++) {
    double left = least_left(w, longest * k / PLACES);
    if (!(left < least)) continue;
    least = left;
    low = longest * (k - 1) / PLACES;
    high = longest * (k + 1) / PLACES;
  }
  for (int turn = 0; turn < BISECTIONS; turn++) {
    double third = (high - low) / 3;
    if (least_left(w, low + third) < least_left(w, high - third))
      high -= third;
    else
      low += third;
  }
  w->at = low + (high - low) / 2;
  return least_left(w, w->at) < TOUCHED * now;
}

/* ---- the polynomial ------------------------------------------------------------------------------------------------ */

/* Accelerations at all nodes. */
static bool sweep(passage_work *w, passage_guess guess) {
  size_t n = w->n;
  w->shift = w->speed = w->largest = 0;
  for (int j = 0; j < w->nodes; j++) {
    double s = time_of(w, thud_chebyshev_node(w->nodes, j)), way, speed, *a = w->nodal_a + (size_t)j * n;
    guess(w, s);
    if (!project(w, s, w->q, w->v, &way, &speed)) return false;
    accelerate(w, w->v, a, &w->power[j]);
    memcpy(w->reaction + (size_t)j * w->count, w->value, w->count * sizeof *w->value);
    memcpy(w->nodal_q + (size_t)j * n, w->q, n * sizeof *w->q);
    double moves = length_of(w, w->v);
    w->speed = fmax(w->speed, moves);
    w->largest = fmax(w->largest, length_of(w, a));
    w->shift = fmax(w->shift, fmax(way / w->h, speed));
  }
  w->shift = w->speed > 0 ? w->shift / w->speed : INFINITY;
  return true;
}

/* Change by the last iteration, relative to the way. */
static double change_of(const passage_work *w, const double *q) {
  double most = 0;
  for (size_t j = 0; j < (size_t)w->nodes * w->n; j += w->n)
    most = fmax(most, thud_arc_distance(w->motion->arc, w->nodal_q + j, q + j));
  return most / (w->h * w->speed);
}

/* The last terms of the accelerations, relative. */
static double tail_of(const passage_work *w) {
  double most = 0;
  for (int k = w->nodes - 2; k < w->nodes; k++)
    most = fmax(most, thud_arc_distance(w->motion->arc, w->series_a + (size_t)k * w->n, NULL));
  return most / w->largest;
}

/* The equations and the accelerations between the nodes, relative: what the polynomial is wrong by. */
static double error_between(passage_work *w) {
  double worst = 0;
  for (int j = 0; j <= w->nodes; j++) {
    double x = cos(acos(-1.0) * j / w->nodes), s = time_of(w, x), way, speed, power;
    if (fabs(s - w->at) < w->h / (4 * w->nodes)) continue;
    state_at(w, s, w->q, w->v, w->nodal_q);
    if (!project(w, s, w->q, w->v, &way, &speed)) return INFINITY;
    accelerate(w, w->v, w->a, &power);
    for (size_t c = 0; c < w->n; c++) w->a[c] -= w->nodal_q[c];
    worst = fmax(worst, fmax(fmax(way / w->h, speed) / w->speed, length_of(w, w->a) / w->largest));
  }
  return worst;
}

/* Picard's iteration; returns the error of the polynomial, relative. */
static double find_polynomial(passage_work *w, passage_guess first, double *old) {
  double change = INFINITY, before;
  if (!sweep(w, first)) return INFINITY;
  for (int turn = 0; turn < PICARD; turn++) {
    memcpy(old, w->nodal_q, (size_t)w->nodes * w->n * sizeof *old);
    integrate_motion(w);
    if (!sweep(w, guess_by_polynomial)) return INFINITY;
    before = change;
    change = change_of(w, old);
    if (!(change < 1) || (change >= before && change < ACCEPTED)) break;
    if (change == 0) break;
  }
  integrate_motion(w);
  double error = fmax(fmax(change, w->shift), tail_of(w));
  return error < 1 ? fmax(error, error_between(w)) : error;
}

/* The same with as many nodes as leave the least error: where it is not the last terms, it is rounding at the nodes next to
 * t*, from which fewer nodes keep a larger distance. *rounds: that was so. */
static double find_best_polynomial(passage_work *w, passage_guess first, double *old, bool *rounds) {
  static const int counts[] = {20, 16, 14, 12, 10, 8};
  double best = INFINITY;
  int chosen = 0;
  *rounds = false;
  for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
    if (counts[k] > w->most_nodes) continue;
    w->nodes = counts[k];
    double error = find_polynomial(w, first, old);
    if (!(error < best)) break;
    best = error;
    chosen = w->nodes;
    if (error <= ACCEPTED || !(error > LAST_TERMS * tail_of(w))) break;
    *rounds = true;
  }
  if (w->nodes == chosen || chosen == 0) return best;
  w->nodes = chosen;
  return find_polynomial(w, first, old);
}

/* ---- what it leads to ---------------------------------------------------------------------------------------------- */

static bool is_positive(double now, double before, double sign) {
  return sign * now > 0 && sign * now > fabs(now - before);
}

/* How far nothing closes and no expression changes its branch: at places so near to each other that each value is larger
 * than its change from one to the next. */
static double safe_length(passage_work *w, double longest) {
  const event_motion *motion = w->motion;
  const model_jet_layout *at = &motion->arc->jets.layout;
  const sim_arc *arc = motion->arc;
  double safe = 0, c[ARC_MAX_DEGREE + 1];
  bool any = arc->switches > 0;
  for (size_t i = 0; i < arc->m; i++) any = any || !event_is_equation(&motion->problem, i);
  if (!any) return longest;
  for (int k = 0; k <= SAFE_PLACES; k++) {
    double s = longest * k / SAFE_PLACES, earlier = longest * (k - 1) / SAFE_PLACES;
    state_at(w, s, w->q, w->v, NULL);
    if (!place(w, s, w->q, w->v)) return safe;
    for (size_t i = 0; i < arc->m; i++) {
      if (event_is_equation(&motion->problem, i)) continue;
      bool gap = event_kind_of(&motion->problem, i) == THUD_CONSTRAINT_UNILATERAL;
      double now = w->out[(gap ? at->gap : at->velocity) + i];
      if (k > 0 && !is_positive(now, w->before[i], 1)) return safe;
      w->before[i] = now;
    }
    for (size_t j = 0; j < arc->switches && k > 0; j++) {
      for (int p = 0; p <= arc->order; p++) c[p] = arc->switch_jet[(size_t)p * arc->switches + j];
      double now = thud_arc_polynomial(arc->order, c, s, NULL);
      if (!is_positive(now, thud_arc_polynomial(arc->order, c, earlier, NULL), motion->switches.held[j])) return safe;
    }
    safe = s;
  }
  return safe;
}

/* Where the arc ends, between `first` and `longest`: behind t*, and not next to another such point. The last of the places at which
 * nearly as much is left of the gradients as anywhere there. */
static double best_end(passage_work *w, double first, double longest) {
  double most = 0, end = longest;
  for (int turn = 0; turn < 2; turn++)
    for (int k = 0; k <= PLACES; k++) {
      double s = first + (longest - first) * k / PLACES, least = 1;
      state_at(w, s, w->q, w->v, NULL);
      if (!place(w, s, w->q, w->v)) continue;
      for (size_t a = 0; a < w->count; a++) least = fmin(least, left_of(w, a));
      if (turn == 0) most = fmax(most, least);
      if (turn == 1 && least >= NEARLY_MOST * most) end = s;
    }
  return end;
}

/* The rows that take part in dependences at t*, whose state has been placed, as bits. */
static uint64_t family_at(passage_work *w) {
  uint64_t bits = 0;
  for (size_t a = 0; a < w->count; a++) {
    if (left_of(w, a) > DEPENDENT) continue;
    if (w->rows[a] < 64) bits |= UINT64_C(1) << w->rows[a];
    for (size_t b = a; b-- > 0;) {
      double sum = w->triangle[a * w->count + b];
      for (size_t c = b + 1; c < a; c++) sum -= w->triangle[c * w->count + b] * w->value[c];
      w->value[b] = left_of(w, b) > DEPENDENT ? sum / w->triangle[b * w->count + b] : 0;
      if (fabs(w->value[b]) * w->length[b] > TAKES_PART * w->length[a] && w->rows[b] < 64)
        bits |= UINT64_C(1) << w->rows[b];
    }
  }
  return bits;
}

/* The power of |t - t*| with which the gradients become dependent; NAN: it cannot be told. */
static double order_of_dependence(passage_work *w) {
  double left[2];
  for (int k = 0; k < 2; k++) {
    double s = w->at + w->h / (k == 0 ? 8 : 16);
    state_at(w, s, w->q, w->v, NULL);
    if (!place(w, s, w->q, w->v)) return (double)NAN;
    left[k] = left_of(w, w->row);
  }
  return log2(left[0] / left[1]);
}

/* (t - t*) L of row a at the nodes, as Chebyshev coefficients; returns the largest value, as a force. */
static double moments_of(const passage_work *w, size_t a, double *c) {
  double values[MOST_NODES], most = 0;
  for (int j = 0; j < w->nodes; j++) {
    double s = time_of(w, thud_chebyshev_node(w->nodes, j));
    values[j] = (s - w->at) * w->reaction[(size_t)j * w->count + a];
    most = fmax(most, fabs(values[j]));
  }
  thud_chebyshev_fit(w->nodes, 1, values, c);
  return most * w->length[a];
}

/* The multipliers that grow like c/(t - t*), and the largest c. */
static void find_unbounded(passage_work *w, event_passage *passage) {
  double c[MOST_NODES], most = 0, part = fmax(UNBOUNDED, ROUNDED * passage->error);
  for (size_t a = 0; a < w->count; a++) most = fmax(most, moments_of(w, a, c));
  for (size_t a = 0; a < w->count; a++) {
    size_t row = (size_t)w->rows[a];
    moments_of(w, a, c);
    double pole = fabs(thud_chebyshev_sum(w->nodes, c, 1, place_of(w, w->at)));
    passage->unresolved[row] = pole * w->length[a] > part * most;
    if (!passage->unresolved[row]) continue;
    passage->growth = fmax(passage->growth, pole);
    if (row < 64) passage->unbounded |= UINT64_C(1) << row;
  }
}

/* Replaces the series of the arc. */
static void write_arc(passage_work *w, const event_passage *passage) {
  sim_arc *arc = w->motion->arc;
  size_t n = w->n;
  double c[MOST_NODES], values[MOST_NODES];
  for (size_t i = 0; i < n; i++)
    thud_chebyshev_to_powers(w->nodes, w->series_a + i, n, place_of(w, 0), w->h, arc->order, arc->a + i, n);
  for (size_t i = 0; i < n; i++)
    for (int k = 0; k <= arc->order; k++) {
      double v = arc->a[(size_t)k * n + i] / (k + 1);
      arc->v[(size_t)(k + 1) * n + i] = v;
      arc->q[(size_t)(k + 2) * n + i] = v / (k + 2);
    }
  memset(arc->reaction, 0, ((size_t)arc->order + 1) * arc->rows * sizeof *arc->reaction);
  for (size_t a = 0; a < w->count; a++) {
    size_t row = (size_t)w->rows[a];
    if (passage->unresolved[row]) continue;
    for (int j = 0; j < w->nodes; j++) values[j] = w->reaction[(size_t)j * w->count + a];
    thud_chebyshev_fit(w->nodes, 1, values, c);
    thud_chebyshev_to_powers(w->nodes, c, 1, place_of(w, 0), w->h, arc->order, arc->reaction + row, arc->rows);
  }
  arc->top = arc->order;
  arc->finite = false;
}

/* Work done up to s: the integral of the power. */
static void add_work(passage_work *w, event_passage *passage) {
  double c[MOST_NODES], sum[MOST_NODES + 1], most = 0;
  for (int j = 0; j < w->nodes; j++) most = fmax(most, fabs(w->power[j]));
  thud_chebyshev_fit(w->nodes, 1, w->power, c);
  thud_chebyshev_integrate(w->nodes, c, 1, w->h / 2, place_of(w, 0), 0, sum);
  passage->work = thud_chebyshev_sum(w->nodes + 1, sum, 1, place_of(w, passage->length));
  passage->gross = passage->length * fmax(most, w->speed * w->largest);
}

/* ---- the whole ----------------------------------------------------------------------------------------------------- */

/* Equations alone hold, and power series are at hand. */
static bool may_pass(const event_motion *motion) {
  const event_problem *problem = &motion->problem;
  if (!thud_arc_is_series(motion->arc) || problem->s > 0 || motion->arc->order + 1 < LEAST_NODES) return false;
  for (size_t i = 0; i < problem->m; i++) {
    bool equation = event_is_equation(problem, i);
    if (equation && event_kind_of(problem, i) != THUD_CONSTRAINT_BILATERAL) return false;
    if (!equation && (motion->modes.mode[i] != THUD_CONTACT_OPEN || motion->contacts.contact[i] != EVENT_AWAY))
      return false;
  }
  return true;
}

/* One block for all numbers; old: [nodes*n]. */
static double *begin_work(passage_work *w, double **old) {
  size_t n = w->n, m = w->count, k = (size_t)w->most_nodes, outputs = w->motion->arc->jets.layout.count, total = 0;
  size_t most = m * n > w->motion->problem.m ? m * n : w->motion->problem.m;
  const struct {
    double **array;
    size_t size;
  } parts[] = {{&w->out, outputs},
               {&w->factor, n * n},
               {&w->basis, m * n},
               {&w->triangle, m * m},
               {&w->length, m},
               {&w->value, m},
               {&w->force, n},
               {&w->before, most},
               {&w->q, n},
               {&w->v, n},
               {&w->a, n},
               {&w->nodal_a, k * n},
               {&w->nodal_q, k * n},
               {&w->reaction, k * m},
               {&w->power, k},
               {&w->series_a, k * n},
               {&w->series_v, (k + 1) * n},
               {&w->series_q, (k + 2) * n},
               {old, k * n}};
  for (size_t j = 0; j < sizeof parts / sizeof *parts; j++) total += parts[j].size;
  double *block = THUD_NEW_ARRAY(w->motion->problem.context, double, total), *next = block;
  for (size_t j = 0; block != NULL && j < sizeof parts / sizeof *parts; next += parts[j].size, j++)
    *parts[j].array = next;
  return block;
}

/* Does the velocity at t* single out a branch? the family of the rows that become dependent. */
static bool is_determined(passage_work *w, event_passage *passage) {
  double order = order_of_dependence(w);
  state_at(w, w->at, w->q, w->v, NULL);
  if (place(w, w->at, w->q, w->v)) passage->family = family_at(w);
  passage->still = !(length_of(w, w->v) > STILL * w->speed);
  return !passage->still && order < TOUCHING;
}

/* How far q moves by itself within a time, as a guess of how long the polynomial may be. */
static double length_of_turn(const passage_work *w) {
  const event_present *state = &w->motion->state;
  double speed = thud_arc_distance(w->motion->arc, state->v, NULL),
         way = thud_arc_distance(w->motion->arc, state->q, NULL);
  return speed > 0 ? way / speed : 0;
}

/* Where t* is on the polynomial; false: the gradients do not turn round on its middle. */
static bool find_on_polynomial(passage_work *w) {
  double middle = w->from + w->h / 2, part = w->h / (4 * w->nodes);
  if (!place_by(w, guess_by_polynomial, middle - part)) return false;
  keep_basis(w);
  if (!place_by(w, guess_by_polynomial, middle + part)) return false;
  w->row = turned_row(w);
  if (w->row == w->count) return false;
  bisect(w, guess_by_polynomial, middle - part, middle + part);
  return true;
}

/* A motion that begins next to t*: the polynomial has it in its middle, as long as it is accurate. */
static bool begin_beside(passage_work *w, double *old, bool *rounds) {
  event_passage *passage = &w->motion->passage;
  double best = INFINITY, chosen = 0, error = INFINITY;
  w->h = length_of_turn(w);
  for (int k = 0; k < HALVINGS && w->h > 0; k++, w->h /= 2) {
    w->from = -w->h / 2;
    w->at = 0;
    error = find_best_polynomial(w, guess_by_velocity, old, rounds);
    if (error > best && best < 1) break;
    if (error < best) {
      best = error;
      chosen = w->h;
    }
    if (error <= ACCEPTED) break;
  }
  w->h = chosen;
  w->from = -w->h / 2;
  passage->error = best;
  if (!(best < 1)) return false;
  if (error > best) passage->error = find_best_polynomial(w, guess_by_velocity, old, rounds);
  *rounds = true;
  return find_on_polynomial(w);
}

/* The polynomial on [t* - h/2, t* + h/2], h = factor 2 (t* - t0): it may begin before t0, where it is the motion before. */
static double surround(passage_work *w, double factor, double *old, bool *rounds) {
  w->h = 2 * factor * w->at;
  w->from = w->at - w->h / 2;
  return find_best_polynomial(w, factor > NEAR_SERIES ? guess_by_velocity : guess_by_series, old, rounds);
}

/* As long as its error is rounding, a longer way makes it smaller: its nodes are farther from t*. */
static double find_length(passage_work *w, double *old, bool *rounds) {
  double best = INFINITY, chosen = 1;
  bool round = true;
  for (double factor = 1; factor <= LONGEST && round; factor *= 2) {
    double error = surround(w, factor, old, &round);
    if (!(error < best)) break;
    best = error;
    chosen = factor;
    *rounds = round;
    if (error <= ACCEPTED) return best;
  }
  return surround(w, chosen, old, rounds);
}

/* A motion that comes to t*. */
static bool come_to(passage_work *w, double *old, double longest, double radius, bool *rounds) {
  event_passage *passage = &w->motion->passage;
  if (find_crossing(w, longest)) {
    passage->finding = EVENT_PASSAGE_INACCURATE;
    passage->error = (double)NAN;
    if (w->at > WITHIN * radius) return false; /* with terms that do not fall fast enough: from nearer by */
    passage->error = find_length(w, old, rounds);
    return true;
  }
  if (w->left > NEXT_TO || !find_touch(w, longest)) return false;
  passage->finding = EVENT_PASSAGE_BRANCHES;
  thud_arc_state(w->motion->arc, w->at, w->q, w->v);
  double speed = thud_arc_distance(w->motion->arc, w->v, NULL);
  passage->still = speed < STOPPED * thud_arc_distance(w->motion->arc, w->motion->state.v, NULL);
  return false;
}

static void pass(passage_work *w, double least, double *old) {
  event_motion *motion = w->motion;
  event_passage *passage = &motion->passage;
  double stop = thud_event_next_stop(&motion->problem, &motion->loads) - motion->state.t,
         radius = radius_of(motion->arc);
  bool beside = !motion->run.begun && least < BESIDE, rounds = false;
  if (!(radius > 0)) return;
  if (!(beside ? begin_beside(w, old, &rounds)
               : come_to(w, old, fmin(radius / 2, stop / (1 - BEHIND)), radius, &rounds)))
    return;
  passage->at = w->at;
  passage->finding = EVENT_PASSAGE_INACCURATE;
  double accepted = rounds ? motion->problem.options.defect_tolerance : ACCEPTED;
  if (!(passage->error <= accepted)) return;
  passage->finding = EVENT_PASSAGE_BRANCHES;
  if (!is_determined(w, passage)) return;
  double longest = fmin(w->from + w->h, stop), first = beside ? w->h / 4 : w->at * (1 + BEHIND);
  passage->finding = EVENT_PASSAGE_EVENT;
  passage->length = safe_length(w, longest);
  if (passage->length < fmin(longest, first)) return;
  passage->finding = EVENT_PASSAGE_FOUND;
  if (passage->length < stop && passage->length > first) passage->length = best_end(w, first, passage->length);
  find_unbounded(w, passage);
  add_work(w, passage);
  write_arc(w, passage);
}

thud_error thud_event_find_passage(event_motion *motion, double left) {
  passage_work w = {.motion = motion,
                    .n = motion->problem.n,
                    .count = motion->equations.count,
                    .rows = motion->equations.rows,
                    .left = left,
                    .most_nodes = motion->arc->order + 1 < MOST_NODES ? motion->arc->order + 1 : MOST_NODES};
  double *old;
  thud_event_clear_passage(motion);
  if (!(left < 1)) motion->passage.blocked = false;
  double least = 1;
  for (size_t a = 0; a < w.count; a++) least = fmin(least, motion->modes.left[w.rows[a]]);
  if ((left > NEARING && (motion->run.begun || least > BESIDE)) || !may_pass(motion)) return THUD_OK;
  double *block = begin_work(&w, &old);
  if (block == NULL) return THUD_ERROR_MEMORY;
  pass(&w, least, old);
  thud_free(motion->problem.context, block);
  return THUD_OK;
}

void thud_event_clear_passage(event_motion *motion) {
  const event_passage *before = &motion->passage;
  bool blocked = before->finding == EVENT_PASSAGE_EVENT || (before->blocked && before->finding != EVENT_PASSAGE_FOUND);
  bool *unresolved = before->unresolved;
  motion->passage = (event_passage){.finding = EVENT_PASSAGE_NONE, .blocked = blocked, .unresolved = unresolved};
  if (motion->problem.m > 0) memset(unresolved, 0, motion->problem.m * sizeof *unresolved);
}

void thud_event_book_passage(event_motion *motion) {
  const event_passage *passage = &motion->passage;
  thud_event_motion_info *info = &motion->info;
  info->ledger.work += passage->work;
  info->gross_work += passage->gross;
  info->passages++;
  if (passage->length < passage->at) return;
  if (info->unqualified == 0) info->unqualified_time = motion->arc->t0 + passage->at;
  info->unqualified |= passage->family;
  if (passage->unbounded == 0) return;
  if (info->unbounded == 0) info->unbounded_time = motion->arc->t0 + passage->at;
  info->unbounded |= passage->unbounded;
  info->unbounded_growth = fmax(info->unbounded_growth, passage->growth);
}
