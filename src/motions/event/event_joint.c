/* Contacts that hold each other and let go together (a table that is pushed harder and harder).
 *
 * At the order a at which such contacts have a force but no slip yet, their force on the body is on its limit surface,
 * and the directions of their slips, taken one by one, are determined to the root of the rounding errors only. But they
 * are those of one motion: u_T,i = s^(j+1) S_i y, with one direction y(s) of the velocities that the rest allows, so
 *   r_T,i = -tau_i S_i y / |S_i y|,
 * where sum_i tau_i |S_i y| is the support function of what friction can resist, y(0) the normal of the limit surface:
 * the minimum of sum tau_i |S_i y| - F.y, which is 0. y(0) is found by the method of Gauss and Newton on u_T' = 0.
 *
 * Later orders are linear as for one contact (event_order.c), with (e, f) the directions of S_i y(0) and across it:
 *   (u_T,i x r_T,i)_{k-j} = 0      says f.u_T'_k, of rank r in y
 *   (r_T,i x S_i y)_{k-a} = 0      says f.S_i,0 y_{k-a} = g_i, linear in r_T,k
 * Of the first the r combinations in the range of B = (f.S_i,0) are taken; the other combinations of g must vanish.
 * Then y_{k-a} follows from B y = g. */
#include "motions/event/event.h"

#include "linalg/dense.h"
#include "model/gradients.h"

#include <float.h>

enum { STARTS = 3, STEPS = 30, HALVINGS = 8, MOST_RATES = 2 * EVENT_MOST_ONSETS };

#define DIFFERENCE_STEP 1e-7
/* Slips this small beside their gradients have no direction. */
#define NO_SLIP 1e-6
/* Directions are determined when pivots of their equations are larger than this beside the largest. */
#define DETERMINED 1e-5
/* Slips that are left where sticking ends by steps that shrink, relative to the terms of the order. */
#define NEAR_LIMIT 1e-8
/* Columns of B that differ from combinations of others by less than this depend on them. */
#define DEPENDENT 1e-8
/* Accepted error of equations that follow from others, relative to the terms of the order; where slips are left; */
#define CONTRADICTION 1e-8
#define CONTRADICTION_NEAR_LIMIT 1e-6
/* and relative to what roundings of the first terms become. */
#define ROUNDINGS 1000

typedef struct letting_go {
  event_motion *motion;
  int k;
  double size;
  size_t count, free; /* laws, directions that move their slips */
  event_law *law[EVENT_MOST_ONSETS];
  double slip[MOST_RATES][MOST_RATES]; /* [2*count][free] S_i along the directions, in units of the gradients */
} letting_go;

static double dot(size_t n, const double *x, const double *y) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += x[i] * y[i];
  return sum;
}

/* Coefficient m of the gradient of a row, in orthonormal coordinates of the kinetic metric; in joint_gradient. */
static const double *gradient(const sim_arc *arc, const event_joint *joint, size_t row, int m) {
  thud_model_to_orthonormal(arc->n, arc->factor, thud_arc_jet(arc, m) + thud_arc_row(arc, row), joint->gradient);
  return joint->gradient;
}

/* (S y)_i of a row, without the part of y_i when `known`. */
static double along_direction(const sim_arc *arc, const event_joint *joint, size_t row, int i, bool known) {
  double sum = 0;
  for (int m = known ? 1 : 0; m <= i; m++)
    if (arc->varies[(size_t)m * arc->rows + row] || m == 0)
      sum += dot(arc->n, gradient(arc, joint, row, m), joint->y + (size_t)(i - m) * arc->n);
  return sum;
}

/* ---- the direction in which slip begins -------------------------------------------------------------------------- */

/* Orthonormal basis of the rows that hold, then of what the slips add to it. */
static void find_axes(letting_go *work) {
  event_motion *motion = work->motion;
  size_t count = 0;
  for (size_t a = 0; a < motion->equations.count; a++) {
    size_t row = (size_t)motion->equations.rows[a];
    bool holds = row < motion->problem.m;
    for (size_t l = 0; l < motion->problem.law_count && !holds; l++)
      holds = motion->friction.laws[l].state == LAW_STICK &&
              row >= event_row_of(motion->arc, &motion->friction.laws[l], 0) &&
              row < event_row_of(motion->arc, &motion->friction.laws[l], motion->friction.laws[l].directions);
    if (holds && thud_event_join_basis(motion->arc, &motion->equations, row, count))
      motion->joint.places[count++] = (int)row;
  }
  motion->joint.held = count;
  for (size_t r = 0; r < 2 * work->count; r++)
    if (thud_event_join_basis(motion->arc, &motion->equations, event_row_of(motion->arc, work->law[r / 2], r % 2),
                              count))
      count++;
  work->free = motion->joint.free = count - motion->joint.held;
  for (size_t r = 0; r < 2 * work->count; r++) {
    size_t row = event_row_of(motion->arc, work->law[r / 2], r % 2);
    const double *across = gradient(motion->arc, &motion->joint, row, 0);
    for (size_t f = 0; f < work->free; f++)
      work->slip[r][f] =
          dot(motion->problem.n, across, motion->equations.basis + (motion->joint.held + f) * motion->problem.n) /
          event_row_unit(motion->arc, event_row_of(motion->arc, work->law[r / 2], 0));
  }
}

/* u_T' of all contacts when their slips begin along y, in units of the order's terms; false: no forces. */
static bool rates_along(letting_go *work, const double *y, double *rate) {
  event_motion *motion = work->motion;
  for (size_t b = 0; b < work->count; b++) {
    double x = dot(work->free, work->slip[2 * b], y), z = dot(work->free, work->slip[2 * b + 1], y);
    if (!(hypot(x, z) > NO_SLIP)) return false;
    work->law[b]->along[0] = x / hypot(x, z);
    work->law[b]->along[1] = z / hypot(x, z);
  }
  if (!thud_event_solve_linear_order(motion, work->k, work->size)) return false;
  const double *reaction = motion->arc->reaction + (size_t)work->k * motion->arc->rows;
  for (size_t r = 0; r < 2 * work->count; r++) {
    size_t row = event_row_of(motion->arc, work->law[r / 2], r % 2);
    rate[r] = thud_event_separation_rate(motion->arc, &motion->equations, row, reaction) /
              (event_row_unit(motion->arc, row) * work->size);
    if (!isfinite(rate[r])) return false;
  }
  return true;
}

/* J'J + c yy' (J y = 0) and J'rate by differences; J'J is factorised. False: the direction is not determined. */
static bool normal_equations(letting_go *work, const double *y, const double *rate, double *matrix, double *right) {
  double jacobian[MOST_RATES][MOST_RATES], moved[MOST_RATES], there[MOST_RATES], pivot, trace = 0;
  size_t n = work->free, m = 2 * work->count;
  thud_index failed;
  for (size_t f = 0; f < n; f++) {
    memcpy(moved, y, n * sizeof *y);
    moved[f] += DIFFERENCE_STEP;
    if (!rates_along(work, moved, there)) return false;
    for (size_t r = 0; r < m; r++) jacobian[f][r] = (there[r] - rate[r]) / DIFFERENCE_STEP;
    right[f] = dot(m, jacobian[f], rate);
    trace += dot(m, jacobian[f], jacobian[f]);
  }
  for (size_t a = 0; a < n; a++)
    for (size_t b = 0; b < n; b++) matrix[a + b * n] = dot(m, jacobian[a], jacobian[b]) + trace * y[a] * y[b];
  if (!thud_cholesky_loops((thud_index)n, matrix, &failed, &pivot)) return false;
  double smallest = INFINITY;
  for (size_t a = 0; a < n; a++) smallest = fmin(smallest, matrix[a * (n + 1)]);
  return smallest > DETERMINED * sqrt(trace);
}

/* One step, shortened until the rates fall. */
static bool improve_direction(letting_go *work, double *y, double *rate) {
  double matrix[MOST_RATES * MOST_RATES], step[MOST_RATES], moved[MOST_RATES], there[MOST_RATES];
  size_t n = work->free, m = 2 * work->count;
  if (!normal_equations(work, y, rate, matrix, step)) return false;
  thud_dense_solve_lower((thud_index)n, matrix, false, step);
  thud_dense_solve_lower((thud_index)n, matrix, true, step);
  double factor = fmin(1, 1 / fmax(sqrt(dot(n, step, step)), 1e-300));
  for (int halving = 0; halving < HALVINGS; halving++, factor /= 2) {
    for (size_t f = 0; f < n; f++) moved[f] = y[f] - factor * step[f];
    thud_model_normalise(n, moved);
    if (!rates_along(work, moved, there) || !(dot(m, there, there) < dot(m, rate, rate))) continue;
    memcpy(y, moved, n * sizeof *y);
    memcpy(rate, there, m * sizeof *rate);
    return true;
  }
  return false;
}

/* From the slips without these frictions (in `rate`), or from anywhere. */
static void start_direction(const letting_go *work, const double *rate, thud_random *random, double *y) {
  for (size_t f = 0; f < work->free; f++) {
    y[f] = 0;
    for (size_t r = 0; r < 2 * work->count; r++) y[f] += work->slip[r][f] * rate[r];
    if (random != NULL) y[f] = thud_random_uniform(random, -1, 1);
  }
  thud_model_normalise(work->free, y);
}

/* y with u_T' = 0 of all contacts; the forces are those of it. */
static bool find_direction(letting_go *work, const double *free_rate, double *y) {
  thud_random random = thud_random_seed(1);
  double rate[MOST_RATES], matrix[MOST_RATES * MOST_RATES], right[MOST_RATES];
  const event_motion *motion = work->motion;
  double limit = motion->search.level == SEARCH_LIMIT ? NEAR_LIMIT : motion->problem.options.decision_tolerance;
  for (int start = 0; start < STARTS; start++) {
    start_direction(work, free_rate, start == 0 ? NULL : &random, y);
    if (!rates_along(work, y, rate)) continue;
    for (int step = 0; step < STEPS && improve_direction(work, y, rate); step++) continue;
    if (sqrt(dot(2 * work->count, rate, rate)) > limit) continue;
    if (normal_equations(work, y, rate, matrix, right)) return rates_along(work, y, rate);
  }
  return false;
}

/* ---- the combinations -------------------------------------------------------------------------------------------- */

/* Orthonormal columns: a basis of the range of B, then of the rest; and the triangle with B = QR on chosen axes. */
static void split_range(letting_go *work) {
  event_motion *motion = work->motion;
  size_t count = work->count;
  double *q = motion->joint.mix, *r = motion->joint.mix + count * count;
  motion->joint.rank = 0;
  for (size_t f = 0; f < work->free && motion->joint.rank < count; f++) {
    double *next = q + motion->joint.rank * count, length;
    for (size_t b = 0; b < count; b++)
      next[b] = work->law[b]->along[0] * work->slip[2 * b + 1][f] - work->law[b]->along[1] * work->slip[2 * b][f];
    double *column = r + motion->joint.rank * count;
    memset(column, 0, count * sizeof *column);
    for (size_t c = 0; c < motion->joint.rank; c++) column[c] = dot(count, q + c * count, next);
    length = thud_model_complement(count, motion->joint.rank, q, next);
    if (length <= DEPENDENT) continue;
    column[motion->joint.rank] = length;
    thud_model_normalise(count, next);
    motion->joint.places[motion->problem.n + motion->joint.rank++] = (int)f;
  }
  size_t rank = motion->joint.rank;
  for (size_t b = 0; b < count && rank < count; b++) {
    double *next = q + rank * count;
    for (size_t c = 0; c < count; c++) next[c] = c == b;
    if (thud_model_complement(count, rank, q, next) < 0.5 / (double)count) continue;
    thud_model_normalise(count, next);
    rank++;
  }
}

bool thud_event_joint_begin(event_motion *motion, int k, double size, size_t count, event_law *const *laws) {
  event_joint *joint = &motion->joint;
  letting_go work = {.motion = motion, .k = k, .size = size, .count = count};
  double y[MOST_RATES], rate[MOST_RATES];
  memcpy(work.law, laws, count * sizeof *laws);
  find_axes(&work);
  for (size_t b = 0; b < count; b++) laws[b]->active = false;
  if (work.free < 2 || !thud_event_solve_linear_order(motion, k, size)) return false;
  const double *reaction = motion->arc->reaction + (size_t)k * motion->arc->rows;
  for (size_t r = 0; r < 2 * count; r++)
    rate[r] = thud_event_separation_rate(motion->arc, &motion->equations, event_row_of(motion->arc, laws[r / 2], r % 2),
                                         reaction);
  for (size_t b = 0; b < count; b++) laws[b]->active = true;
  if (!find_direction(&work, rate, y)) return false;
  memset(joint->y, 0, motion->problem.n * sizeof *y);
  for (size_t f = 0; f < work.free; f++)
    for (size_t i = 0; i < motion->problem.n; i++)
      joint->y[i] += y[f] * motion->equations.basis[(joint->held + f) * motion->problem.n + i];
  split_range(&work);
  joint->on = true;
  joint->order = k;
  return true;
}

/* ---- later orders ------------------------------------------------------------------------------------------------ */

/* The laws that have begun together; 0: they no longer go together. */
static size_t gather_joint_laws(const event_problem *problem, const event_friction_laws *friction, event_law **laws) {
  size_t count = 0;
  for (size_t l = 0; l < problem->law_count; l++) {
    event_law *law = &friction->laws[l];
    if (law->state != LAW_CRAWL && law->state != LAW_TURN) continue;
    if (law->state != (count == 0 ? law : laws[0])->state ||
        law->slip_order != (count == 0 ? law : laws[0])->slip_order)
      return 0;
    laws[count++] = law;
  }
  return count;
}

/* Coefficient i of r_T or S y of a law, along e (part 0) or across (part 1). */
static double part_of(const event_law *law, const double *x, int part) {
  return part == 0 ? law->along[0] * x[0] + law->along[1] * x[1] : law->along[0] * x[1] - law->along[1] * x[0];
}
static double force_part(const sim_arc *arc, const event_joint *joint, const event_law *law, int i, int part) {
  return part_of(law, arc->reaction + (size_t)(i + joint->order) * arc->rows + event_row_of(arc, law, 0), part);
}
static double slip_part(const sim_arc *arc, const event_joint *joint, const event_law *law, int i, int part,
                        bool known) {
  double x[2];
  for (size_t c = 0; c < 2; c++) x[c] = along_direction(arc, joint, event_row_of(arc, law, c), i, known);
  return part_of(law, x, part);
}

/* The part of y_i that the rows which hold say: (A y)_i = 0; into place i of the directions. */
static void hold_rows(event_motion *motion, int i) {
  const event_problem *problem = &motion->problem;
  double *y = motion->joint.y + (size_t)i * problem->n;
  memset(y, 0, problem->n * sizeof *y);
  for (size_t c = 0; c < motion->joint.held; c++) {
    const double *axis = motion->equations.basis + c * problem->n;
    size_t row = (size_t)motion->joint.places[c];
    double left = along_direction(motion->arc, &motion->joint, row, i, false),
           slope = dot(problem->n, gradient(motion->arc, &motion->joint, row, 0), axis);
    for (size_t j = 0; j < problem->n; j++) y[j] -= left / slope * axis[j];
  }
}

/* f.S_0 (y_i less what the rows that hold say) = factor (f.rho_i) + known, in units of the gradient. */
static void direction_equation(const sim_arc *arc, const event_joint *joint, const event_law *law, int i,
                               double *factor, double *known) {
  double tau = thud_event_threshold(arc, law, joint->order, false), sum = 0;
  double unit = event_row_unit(arc, event_row_of(arc, law, 0));
  for (int l = 1; l < i; l++)
    sum += force_part(arc, joint, law, l, 0) * slip_part(arc, joint, law, i - l, 1, false) -
           force_part(arc, joint, law, l, 1) * slip_part(arc, joint, law, i - l, 0, false);
  *factor = -slip_part(arc, joint, law, 0, 0, false) / (tau * unit);
  *known = (sum / tau - slip_part(arc, joint, law, i, 1, false)) / unit;
}

bool thud_event_joint_mix(event_motion *motion, int k) {
  const sim_arc *arc = motion->arc;
  event_equations *equations = &motion->equations;
  event_joint *joint = &motion->joint;
  event_law *laws[EVENT_MOST_ONSETS];
  size_t count = gather_joint_laws(&motion->problem, &motion->friction, laws), width = equations->count;
  double *own = joint->equations, largest = 0; /* the equations one by one: [count][width + 3] */
  if (count == 0) return false;
  hold_rows(motion, k - joint->order);
  for (size_t b = 0; b < count; b++) {
    double *row = own + b * (width + 3);
    size_t place = (size_t)equations->place[event_row_of(arc, laws[b], 1)];
    for (size_t a = 0; a < width; a++) row[a] = equations->matrix[place + a * width];
    row[width] = equations->right[place];
    direction_equation(arc, joint, laws[b], k - joint->order, &row[width + 1], &row[width + 2]);
    largest = fmax(largest, fabs(row[width + 1]) / event_row_unit(arc, event_row_of(arc, laws[b], 0)));
  }
  for (size_t c = 0; c < count; c++) {
    size_t place = (size_t)equations->place[event_row_of(arc, laws[c], 1)];
    const double *q = joint->mix + c * count;
    for (size_t a = 0; a < width; a++) equations->matrix[place + a * width] = 0;
    equations->right[place] = 0;
    for (size_t b = 0; b < count; b++) {
      const double *row = own + b * (width + 3), f[2] = {-laws[b]->along[1], laws[b]->along[0]};
      for (size_t a = 0; a < width && c < joint->rank; a++) equations->matrix[place + a * width] += q[b] * row[a];
      equations->right[place] += c < joint->rank ? q[b] * row[width] : -q[b] * row[width + 2] / largest;
      for (size_t d = 0; d < 2 && c >= joint->rank; d++) {
        size_t unknown = event_row_of(arc, laws[b], d);
        equations->matrix[place + (size_t)equations->place[unknown] * width] +=
            q[b] * row[width + 1] * f[d] / (largest * event_row_unit(arc, unknown));
      }
    }
  }
  return true;
}

/* What rounding of the first order's terms can have become at order k, with the time scale of all orders so far. */
static double rounding_at(const event_mode_search *search, const event_joint *joint, int k) {
  const double *size = search->order_size;
  int a = joint->order;
  double rate = 0;
  for (int r = a + 1; r <= k; r++) rate = fmax(rate, pow(size[r] / size[a], 1.0 / (r - a)));
  return ROUNDINGS * DBL_EPSILON * size[a] * pow(rate, k - a);
}

bool thud_event_joint_follow(event_motion *motion, int k, double size) {
  event_joint *joint = &motion->joint;
  event_law *laws[EVENT_MOST_ONSETS];
  size_t count = gather_joint_laws(&motion->problem, &motion->friction, laws), width = motion->equations.count;
  const double *q = joint->mix, *r = joint->mix + count * count, *own = joint->equations;
  double g[EVENT_MOST_ONSETS], eta[EVENT_MOST_ONSETS];
  int i = k - joint->order;
  double accepted = rounding_at(&motion->search, joint, k);
  accepted += (motion->search.level == SEARCH_LIMIT ? CONTRADICTION_NEAR_LIMIT : CONTRADICTION) * size;
  for (size_t b = 0; b < count; b++) {
    const double *row = own + b * (width + 3);
    if (fabs(dot(width, row, motion->equations.right) - row[width]) > accepted) return false;
    g[b] = row[width + 1] * force_part(motion->arc, joint, laws[b], i, 1) + row[width + 2];
  }
  double *y = joint->y + (size_t)i * motion->problem.n;
  for (size_t c = joint->rank; c-- > 0;) {
    eta[c] = dot(count, q + c * count, g);
    for (size_t d = c + 1; d < joint->rank; d++) eta[c] -= r[d * count + c] * eta[d];
    eta[c] /= r[c * count + c];
    const double *axis =
        motion->equations.basis + (joint->held + (size_t)joint->places[motion->problem.n + c]) * motion->problem.n;
    for (size_t j = 0; j < motion->problem.n; j++) y[j] += eta[c] * axis[j];
  }
  return true;
}
