/* The reactions of one order of the series, with the modes of all contacts given.
 *
 * Unknown are the coefficients number k of the reactions r_N and r_T of everything that is closed; there is one linear
 * equation for each. With tau the threshold (mu r_N, or a force), d the direction of the slip, u_T = s^(j+1) w, r_T and
 * tau of the order s^a (rho = r_T/s^a), e = d(0) and f across it:
 *   closed, equations  u_N'_k = 0
 *   STICK              u_T'_k = 0
 *   EDGE               n.r_T,k = tau_k n.c, t.u_T'_k = 0 of an edge of a polygon (event_law.c); a corner: SLIDE, d = -c
 *   SLIDE              r_T,k = -(tau d)_k, where tau_k = mu_0 r_N,k + known, and d_0 .. d_{k-j-1} are known
 *   CRAWL, TURN        e.rho_i + tau_{k} = sum_{0<l<i} (rho_l.rho_{i-l} - tau_{a+l} tau_{k-l}) / (2 tau_a),  i = k - a
 *                      (w x rho)_{k-j} = 0, where w_{k-j} = u_T'_k/(k+1)          (CRAWL: f.u_T'_k = 0)
 * The third line is (|r_T|^2 - tau^2)_{k+a} = 0, the fourth says that force and slip are parallel; both are linear in
 * what is new at order k. How slip begins at the order at which it has no direction yet is found in event_onset.c. */
#include "linalg/dense.h"
#include "model/gradients.h"
#include "motions/event/event.h"

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static void add_row(event_equations *equations, size_t row) {
  equations->place[row] = (int)equations->count;
  equations->rows[equations->count++] = (thud_index)row;
}

void thud_event_gather_rows(event_motion *motion) {
  motion->equations.count = 0;
  motion->equations.factored = motion->equations.shared = motion->joint.on = false;
  for (size_t row = 0; row < motion->arc->rows; row++) motion->equations.place[row] = -1;
  for (size_t i = 0; i < motion->problem.m; i++)
    if (event_is_equation(&motion->problem, i) || event_lasts(motion->modes.mode[i])) add_row(&motion->equations, i);
  for (size_t l = 0; l < motion->problem.law_count; l++) {
    const event_law *law = &motion->friction.laws[l];
    for (size_t c = 0; c < law->directions; c++) {
      motion->arc->slide[law->first + c] = law->state > LAW_STICK;
      if (law->state != LAW_OFF) add_row(&motion->equations, event_row_of(motion->arc, law, c));
    }
  }
}

bool thud_event_join_basis(const sim_arc *arc, event_equations *equations, size_t row, size_t count) {
  double *next = equations->basis + count * arc->n;
  if (count >= arc->n) return false;
  thud_model_to_orthonormal(arc->n, arc->factor, arc->jet + thud_arc_row(arc, row), next);
  thud_model_normalise(arc->n, next);
  if (thud_model_complement(arc->n, count, equations->basis, next) <= MODEL_RANK_TOLERANCE) return false;
  thud_model_normalise(arc->n, next);
  return true;
}

bool thud_event_slip_is_held_fast(event_motion *motion) {
  const sim_arc *arc = motion->arc;
  const event_friction_laws *friction = &motion->friction;
  size_t count = 0;
  for (size_t i = 0; i < motion->problem.m; i++)
    if (motion->equations.place[i] >= 0 && thud_event_join_basis(arc, &motion->equations, i, count)) count++;
  for (size_t l = 0; l < motion->problem.law_count; l++)
    for (size_t c = 0; c < friction->laws[l].directions && friction->laws[l].state == LAW_STICK; c++)
      if (thud_event_join_basis(arc, &motion->equations, event_row_of(arc, &friction->laws[l], c), count)) count++;
  for (size_t l = 0; l < motion->problem.law_count; l++) {
    bool fast = friction->laws[l].state == LAW_ONSET;
    for (size_t c = 0; c < friction->laws[l].directions && fast; c++)
      fast = !thud_event_join_basis(arc, &motion->equations, event_row_of(arc, &friction->laws[l], c), count);
    if (fast) return true;
  }
  return false;
}

double thud_event_separation_rate(const sim_arc *arc, const event_equations *equations, size_t row,
                                  const double *reaction) {
  double sum = arc->drift[row];
  for (size_t a = 0; a < equations->count; a++)
    sum += arc->delassus[row * arc->rows + (size_t)equations->rows[a]] * reaction[equations->rows[a]];
  return sum;
}

/* ---- equations --------------------------------------------------------------------------------------------------- */

/* One equation: coefficients for the reactions in units of 1/length of the gradients, and the right-hand side. */
typedef struct equation {
  double *row; /* entry b at row[b * count] */
  double right;
} equation;

static void add(const sim_arc *arc, const event_equations *equations, equation *made, size_t row, double factor) {
  if (equations->place[row] >= 0)
    made->row[(size_t)equations->place[row] * equations->count] += factor / event_row_unit(arc, row);
}

/* factor u'_k of the row; the known part goes to the right. */
static void add_separation(const sim_arc *arc, const event_equations *equations, equation *made, size_t row,
                           double factor) {
  for (size_t b = 0; b < equations->count; b++) {
    size_t l = (size_t)equations->rows[b];
    made->row[b * equations->count] += factor * arc->delassus[row * arc->rows + l] / event_row_unit(arc, l);
  }
  made->right -= factor * arc->drift[row];
}

/* factor tau_k. */
static void add_threshold(const sim_arc *arc, const event_equations *equations, const event_law *law, equation *made,
                          int k, double factor) {
  double mu = event_friction_factor(arc, law, 0);
  if (law->constraint >= 0) add(arc, equations, made, (size_t)law->constraint, factor * law->sign * mu);
  made->right -= factor * thud_event_threshold(arc, law, k, true);
}

/* r_T,1 = tau_1 sigma + tau_0 sigma', component c, where the force is on a curve and the slip u_T has begun: sigma' follows
 * from u_T,1 (or, from rest, from that and u_T'_1/2, which depends on the forces of this order). Further orders are not
 * needed: arcs of such laws are no series. */
static void turn_with_slip(const event_motion *motion, const event_law *law, size_t c, int k, equation *made) {
  const sim_arc *arc = motion->arc;
  const double *slip = arc->jet + arc->jets.layout.slip_velocity + law->first;
  double unit = event_row_unit(arc, event_row_of(arc, law, c)), slope[THUD_MOST_SLIPS];
  if (k != 1) return;
  double tau = thud_event_threshold(arc, law, 0, false);
  if (law->slip_order < 0) {
    thud_event_curve_slope(arc, law, slip, thud_arc_jet(arc, 1) + arc->jets.layout.slip_velocity + law->first, slope);
    made->right += unit * tau * slope[c];
    return;
  }
  for (size_t d = 0; d < law->directions && law->slip_order == 0; d++) {
    double rate[THUD_MOST_SLIPS] = {0};
    rate[d] = 1;
    thud_event_curve_slope(arc, law, thud_arc_jet(arc, 1) + arc->jets.layout.slip_velocity + law->first, rate, slope);
    add_separation(arc, &motion->equations, made, event_row_of(arc, law, d), -unit * tau * slope[c] / 2);
  }
}

/* r_T,k + (tau d)_k = 0, component c. */
static void slide(const event_motion *motion, const event_law *law, size_t c, int k, equation *made) {
  const sim_arc *arc = motion->arc;
  const double *along = event_slip_series(arc, &motion->friction, law, 3),
               *turned = event_slip_series(arc, &motion->friction, law, 4);
  double unit = event_row_unit(arc, event_row_of(arc, law, c));
  add(arc, &motion->equations, made, event_row_of(arc, law, c), unit);
  if (law->state == LAW_ONSET && !law->active) return;
  add_threshold(arc, &motion->equations, law, made, k, unit * law->along[c]);
  if (law->state != LAW_ONSET && thud_event_is_on_curve(arc, law)) turn_with_slip(motion, law, c, k, made);
  if (law->directions == 1 || law->corners > 0 || law->curved || law->state == LAW_ONSET) return;
  double across = c == 0 ? -law->along[1] : law->along[0];
  for (int i = 1; i < k - law->slip_order; i++) {
    double d = law->along[c] * along[i] + across * turned[i];
    if (d != 0) made->right -= unit * d * thud_event_threshold(arc, law, k - i, false);
  }
}

/* Coefficient l of rho, along e (part 0) or across it (part 1). */
static double force_part(const sim_arc *arc, const event_law *law, int l, int part) {
  const double *r = arc->reaction + (size_t)(l + law->force_order) * arc->rows + arc->m + law->first;
  return part == 0 ? law->along[0] * r[0] + law->along[1] * r[1] : law->along[0] * r[1] - law->along[1] * r[0];
}

/* The force is at its threshold. */
static void reach_threshold(const sim_arc *arc, const event_equations *equations, const event_law *law, int k,
                            equation *made) {
  int a = law->force_order, i = k - a;
  double unit = event_row_unit(arc, event_row_of(arc, law, 0)), sum = 0;
  for (size_t c = 0; c < 2; c++) add(arc, equations, made, event_row_of(arc, law, c), unit * law->along[c]);
  add_threshold(arc, equations, law, made, k, unit);
  for (int l = 1; l < i; l++) {
    for (int part = 0; part < 2; part++) sum += force_part(arc, law, l, part) * force_part(arc, law, i - l, part);
    sum -= thud_event_threshold(arc, law, a + l, false) * thud_event_threshold(arc, law, k - l, false);
  }
  made->right += unit * sum / (2 * thud_event_threshold(arc, law, a, false));
}

/* Force and slip are parallel, in units of tau_a. */
static void be_parallel(const event_motion *motion, const event_law *law, int k, equation *made) {
  const sim_arc *arc = motion->arc;
  const double *alpha = event_slip_series(arc, &motion->friction, law, 0),
               *beta = event_slip_series(arc, &motion->friction, law, 1);
  const double f[2] = {-law->along[1], law->along[0]};
  double unit = event_row_unit(arc, event_row_of(arc, law, 0));
  for (size_t c = 0; c < 2; c++) add_separation(arc, &motion->equations, made, event_row_of(arc, law, c), f[c] / unit);
  if (law->state == LAW_CRAWL) return;
  int i = k - law->slip_order;
  double factor = (k + 1) / (unit * thud_event_threshold(arc, law, law->force_order, false));
  if (law->force_order == law->slip_order)
    for (size_t c = 0; c < 2; c++)
      add(arc, &motion->equations, made, event_row_of(arc, law, c), factor * alpha[0] * f[c]);
  else
    made->right -= factor * alpha[0] * force_part(arc, law, i, 1);
  for (int l = 1; l < i; l++)
    made->right -= factor * (alpha[l] * force_part(arc, law, i - l, 1) - beta[l] * force_part(arc, law, i - l, 0));
}

/* n.r_T = tau n.c on the edge of a polygon, and t.u_T' = 0. */
static void slide_across_edge(const event_motion *motion, const event_law *law, size_t c, int k, equation *made) {
  const sim_arc *arc = motion->arc;
  event_edge edge;
  double unit = event_row_unit(arc, event_row_of(arc, law, 0));
  thud_event_edge(arc, law, law->face / 2, &edge);
  for (size_t d = 0; d < 2; d++)
    if (c == 0)
      add(arc, &motion->equations, made, event_row_of(arc, law, d), unit * edge.normal[d]);
    else
      add_separation(arc, &motion->equations, made, event_row_of(arc, law, d), edge.along[d] / unit);
  if (c == 0) add_threshold(arc, &motion->equations, law, made, k, -unit * edge.offset);
}

/* A law with an outline whose force has reached it, without slip so far: n.r_T = tau n.sigma with the normal n = -e, and no
 * slip across e. */
static void crawl_on_curve(const event_motion *motion, const event_law *law, size_t c, int k, equation *made) {
  const sim_arc *arc = motion->arc;
  double unit = event_row_unit(arc, event_row_of(arc, law, 0)), f[THUD_MOST_SLIPS], support = 0;
  if (c > 0) thud_event_across(law->directions, law->toward, c, f);
  for (size_t d = 0; d < law->directions; d++) {
    support += law->toward[d] * law->along[d];
    if (c == 0)
      add(arc, &motion->equations, made, event_row_of(arc, law, d), unit * law->toward[d]);
    else
      add_separation(arc, &motion->equations, made, event_row_of(arc, law, d), f[d] / unit);
  }
  if (c == 0) add_threshold(arc, &motion->equations, law, made, k, unit * support);
}

static void equation_of_law(const event_motion *motion, const event_law *law, size_t c, int k, equation *made) {
  size_t row = event_row_of(motion->arc, law, c);
  switch (law->state) {
  case LAW_STICK:
    add_separation(motion->arc, &motion->equations, made, row, 1 / event_row_unit(motion->arc, row));
    break;
  case LAW_EDGE: slide_across_edge(motion, law, c, k, made); break;
  case LAW_CRAWL:
  case LAW_TURN:
    if (law->curved && law->state == LAW_TURN)
      slide(motion, law, c, k, made);
    else if (law->curved)
      crawl_on_curve(motion, law, c, k, made);
    else if (c == 0)
      reach_threshold(motion->arc, &motion->equations, law, k, made);
    else
      be_parallel(motion, law, k, made);
    break;
  default: slide(motion, law, c, k, made); break;
  }
}

void thud_event_assemble_order(event_motion *motion, int k, bool straight) {
  const event_friction_laws *friction = &motion->friction;
  event_equations *equations = &motion->equations;
  equation made;
  memset(equations->matrix, 0, equations->count * equations->count * sizeof(double));
  for (size_t i = 0; i < motion->problem.m; i++) {
    if (equations->place[i] < 0) continue;
    made = (equation){equations->matrix + equations->place[i], 0};
    add_separation(motion->arc, equations, &made, i, 1 / event_row_unit(motion->arc, i));
    equations->right[equations->place[i]] = made.right;
  }
  for (size_t l = 0; l < motion->problem.law_count; l++)
    for (size_t c = 0; c < friction->laws[l].directions && friction->laws[l].state != LAW_OFF; c++) {
      int place = equations->place[event_row_of(motion->arc, &friction->laws[l], c)];
      made = (equation){equations->matrix + place, 0};
      if (straight && friction->laws[l].state > LAW_STICK && friction->laws[l].state != LAW_EDGE)
        slide(motion, &friction->laws[l], c, k, &made);
      else
        equation_of_law(motion, &friction->laws[l], c, k, &made);
      equations->right[place] = made.right;
    }
}

/* ---- solution ---------------------------------------------------------------------------------------------------- */

/* Whether the matrix changes from order to order. */
static bool varies(const event_problem *problem, const event_friction_laws *friction) {
  for (size_t l = 0; l < problem->law_count; l++)
    if (friction->laws[l].state >= LAW_ONSET && friction->laws[l].state <= LAW_TURN) return true;
  return false;
}

/* LU factor; a pivot that is only what rounding left of dependent equations counts as 0. Equations are scaled to
 * coefficients of sum 1: then that of a contact which friction does not load is eliminated before its laws r_T = -mu
 * r_N d, whatever mu is. Its r_N of order k would otherwise be a rounding error of r_T, and beside other motions of the
 * normal direction (none) the series of that noise would have no step. Unknowns are scaled to a largest coefficient 1:
 * that of r_T would be 1/mu, and a large mu be taken for a dependence. */
static bool factorise(event_equations *equations) {
  size_t count = equations->count;
  double smallest = INFINITY, largest = 0;
  for (size_t a = 0; a < count; a++) {
    double sum = 0;
    for (size_t b = 0; b < count; b++) sum += fabs(equations->matrix[a + b * count]);
    equations->scale[a] = sum > 0 ? 1 / sum : 1;
  }
  for (size_t b = 0; b < count; b++) {
    double *column = equations->factor + b * count, most = 0;
    for (size_t a = 0; a < count; a++) {
      column[a] = equations->matrix[a + b * count] * equations->scale[a];
      most = fmax(most, fabs(column[a]));
    }
    equations->unit[b] = most > 0 ? 1 / most : 1;
    for (size_t a = 0; a < count; a++) column[a] *= equations->unit[b];
  }
  if (!thud_dense_lu((thud_index)count, equations->factor, equations->pivots)) return false;
  for (size_t a = 0; a < count; a++) {
    smallest = fmin(smallest, fabs(equations->factor[a * (count + 1)]));
    largest = fmax(largest, fabs(equations->factor[a * (count + 1)]));
  }
  return smallest > EVENT_DEPENDENT * largest;
}

bool thud_event_solve_linear_order(event_motion *motion, int k, double size) {
  event_equations *equations = &motion->equations;
  size_t count = equations->count;
  double *reaction = motion->arc->reaction + (size_t)k * motion->arc->rows;
  memset(reaction, 0, motion->arc->rows * sizeof *reaction);
  if (count == 0) return true;
  thud_event_assemble_order(motion, k, false);
  if (motion->joint.on && !thud_event_joint_mix(motion, k)) return false;
  if (!equations->factored || varies(&motion->problem, &motion->friction)) equations->factored = factorise(equations);
  motion->search.singular = motion->search.singular || !equations->factored;
  if (equations->factored) {
    for (size_t a = 0; a < count; a++) equations->right[a] *= equations->scale[a];
    thud_dense_lu_solve((thud_index)count, equations->factor, equations->pivots, equations->right);
    for (size_t a = 0; a < count; a++) equations->right[a] *= equations->unit[a];
  } else if (motion->search.level < SEARCH_CENTRAL || !thud_event_solve_shared_forces(motion, k, size)) {
    return false;
  }
  for (size_t a = 0; a < count; a++)
    reaction[equations->rows[a]] = equations->right[a] / event_row_unit(motion->arc, (size_t)equations->rows[a]);
  return !motion->joint.on || thud_event_joint_follow(motion, k, size);
}

bool thud_event_solve_order(event_motion *motion, int k, double size) {
  for (size_t l = 0; l < motion->problem.law_count; l++)
    if (motion->friction.laws[l].state == LAW_ONSET) return thud_event_solve_slip_onset(motion, k, size);
  return thud_event_solve_linear_order(motion, k, size);
}

/* ---- forces that are not unique ------------------------------------------------------------------------------------ */

/* Forces that are not unique: contacts that hold each other (a particle at rest in a wedge, a table on four legs).
 *
 * The equations of the rows (event_order.c) are then dependent. When they do not contradict each other their solutions
 * are x = x_p + Z y, x_p the shortest one and Z an orthonormal basis of what is left open. The motion does not depend
 * on y as long as nothing slides that Z acts on. Of the forces the one is taken that lies deepest in the cones,
 *
 *   max s,   r_N >= s,   tau - |r_T| >= s (sticking),   s <= 1 (in units of the largest force),
 *
 * by Newton's method on the
 * logarithmic barrier; what is left open still stays small. Modes whose deepest force lies outside the cones are not
 * possible. Where the force of an arc reaches the edge of a cone another one may still lie inside, so that this is no
 * event of its own: the decision is made anew there. */

/* Accepted contradiction of dependent equations, relative to the terms of the order. */
#define CONTRADICTION 1e-8
/* A force of size 1 moves the system when the acceleration that it gives is larger than this, gradients at length 1. */
#define MOVES 1e-7
/* Weight of |y|^2 beside s. */
#define SHORTNESS 1e-4

enum { BARRIER_DECADES = 12, NEWTON_STEPS = 12, HALVINGS = 40 }; /* the barrier's weight falls to 1e-12 */

typedef struct central {
  event_motion *motion;
  int k;
  size_t count, rank, open;        /* unknowns, independent equations, what is left open */
  double scale;                    /* the largest force */
  double *rows, *right;            /* [count*count] orthonormal rows, [count] their right-hand sides */
  double *null;                    /* [open*count] rows: Z' */
  double *shortest;                /* [count] x_p */
  double *point, *gradient;        /* [open+1] y, s */
  double *hessian;                 /* [(open+1)^2] */
  double *normal, *first, *second; /* [open+2] linear functions of (y, s): coefficients, then the constant */
} central;

size_t thud_event_central_room(size_t count) { return 3 * count * count + 8 * count + (count + 1) * (count + 1) + 16; }

static void lay_out(central *work) {
  size_t count = work->count, width = count + 2;
  double *next = work->motion->equations.room;
  work->rows = next;
  work->null = work->rows + count * count;
  work->right = work->null + count * count;
  work->shortest = work->right + count;
  work->point = work->shortest + count;
  work->gradient = work->point + width;
  work->normal = work->gradient + width;
  work->first = work->normal + width;
  work->second = work->first + width;
  work->hessian = work->second + width;
}

/* ---- the solutions of the equations ------------------------------------------------------------------------------ */

static double dot(size_t n, const double *x, const double *y) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += x[i] * y[i];
  return sum;
}

/* Removes from row and right-hand side what earlier rows say, twice against rounding. */
static void reduce(const central *work, double *row, double *right) {
  for (int turn = 0; turn < 2; turn++)
    for (size_t b = 0; b < work->rank; b++) {
      const double *basis = work->rows + b * work->count;
      double part = dot(work->count, row, basis);
      for (size_t i = 0; i < work->count; i++) row[i] -= part * basis[i];
      if (right != NULL) *right -= part * work->right[b];
    }
}

/* False: the equations contradict each other. size: of the order's terms. */
static bool solve_equations(central *work, double size) {
  const event_motion *motion = work->motion;
  size_t count = work->count;
  for (size_t a = 0; a < count; a++) {
    double *row = work->rows + work->rank * count, right = motion->equations.right[a], length = 0;
    for (size_t b = 0; b < count; b++) row[b] = motion->equations.matrix[a + b * count];
    length = sqrt(dot(count, row, row));
    reduce(work, row, &right);
    double left = sqrt(dot(count, row, row));
    if (!(left > EVENT_DEPENDENT * length)) {
      if (fabs(right) > CONTRADICTION * size) return false;
      continue;
    }
    for (size_t b = 0; b < count; b++) row[b] /= left;
    work->right[work->rank++] = right / left;
  }
  for (size_t i = 0; i < count; i++) {
    work->shortest[i] = 0;
    for (size_t b = 0; b < work->rank; b++) work->shortest[i] += work->right[b] * work->rows[b * count + i];
  }
  return true;
}

/* Z: unit vectors, less what the rows and those before them span. */
static void find_null_space(central *work) {
  size_t count = work->count, rank = work->rank;
  double *room = work->rows + rank * count;
  for (size_t i = 0; i < count && work->rank < count; i++) {
    double *row = work->rows + work->rank * count;
    for (size_t b = 0; b < count; b++) row[b] = b == i;
    reduce(work, row, NULL);
    double left = sqrt(dot(count, row, row));
    if (left < 1.0 / (2 * (double)count)) continue;
    for (size_t b = 0; b < count; b++) row[b] /= left;
    work->rank++;
  }
  work->open = work->rank - rank;
  memcpy(work->null, room, work->open * count * sizeof *room);
}

/* ---- cones ------------------------------------------------------------------------------------------------------- */

/* Adds factor times unknown number `place` (in units of the scale) to a linear function of (y, s). */
static void add_unknown(const central *work, double *function, int place, double factor) {
  for (size_t z = 0; z < work->open; z++) function[z] += factor * work->null[z * work->count + (size_t)place];
  function[work->open + 1] += factor * work->shortest[place] / work->scale;
}

static void clear_function(const central *work, double *function) {
  memset(function, 0, (work->open + 2) * sizeof *function);
}

static double at_point(const central *work, const double *function) {
  return dot(work->open + 1, function, work->point) + function[work->open + 1];
}

/* r_N - s of a closed one-sided contact. */
static void normal_function(const central *work, size_t i) {
  clear_function(work, work->normal);
  clear_function(work, work->first);
  clear_function(work, work->second);
  add_unknown(work, work->normal, work->motion->equations.place[i], 1);
  work->normal[work->open] = -1;
}

/* tau - s, r_T of a law that sticks in a disc; reach mu r_N + along.r_T - s of another margin. */
static void law_functions(const central *work, const event_law *law, const event_measure *measure) {
  const event_motion *motion = work->motion;
  double unit = event_row_unit(motion->arc, event_row_of(motion->arc, law, 0));
  bool disc = measure->kind == MEASURE_DISC;
  double reach = disc ? law->radius : measure->reach;
  double mu = reach * motion->arc->jet[motion->arc->jets.layout.friction + law->own];
  clear_function(work, work->normal);
  clear_function(work, work->first);
  clear_function(work, work->second);
  if (law->constraint >= 0)
    add_unknown(work, work->normal, motion->equations.place[law->constraint],
                law->sign * mu * unit / event_row_unit(motion->arc, (size_t)law->constraint));
  work->normal[work->open] = -1;
  work->normal[work->open + 1] +=
      unit * reach * thud_event_threshold(motion->arc, law, work->k, true) / law->radius / work->scale;
  for (size_t c = 0; c < law->directions; c++) {
    size_t row = event_row_of(motion->arc, law, c);
    double *function = !disc ? work->normal : c == 0 ? work->first : work->second;
    add_unknown(work, function, motion->equations.place[row],
                (disc ? 1 : measure->along[c]) * unit / event_row_unit(motion->arc, row));
  }
}

/* Cone number c into normal, first, second: one-sided contacts, laws, and s <= 1. False: nothing there. */
static bool cone_function(const central *work, size_t c) {
  const event_motion *motion = work->motion;
  if (c < motion->problem.m) {
    if (motion->equations.place[c] < 0 || event_is_equation(&motion->problem, c)) return false;
    normal_function(work, c);
  } else if (c < event_first_switch(&motion->problem)) {
    const event_law *law = &motion->friction.laws[event_function_law(&motion->problem, c)];
    const event_measure measure = thud_event_measure(motion->arc, law, event_function_part(&motion->problem, c));
    if (measure.kind < MEASURE_MARGIN || measure.kind == MEASURE_GAUGE) return false; /* looked at afterwards */
    law_functions(work, law, &measure);
  } else {
    clear_function(work, work->normal);
    clear_function(work, work->first);
    clear_function(work, work->second);
    work->normal[work->open] = -1;
    work->normal[work->open + 1] = 1;
  }
  return true;
}

static size_t cone_count(const central *work) { return event_first_switch(&work->motion->problem) + 1; }

/* ---- barrier ----------------------------------------------------------------------------------------------------- */

/* kappa (SHORTNESS |y|^2/2 - s) - sum log; infinite outside the cones. */
static double barrier(const central *work, double kappa) {
  double sum = kappa * (SHORTNESS * dot(work->open, work->point, work->point) / 2 - work->point[work->open]);
  for (size_t c = 0; c < cone_count(work); c++) {
    if (!cone_function(work, c)) continue;
    double n = at_point(work, work->normal), x = at_point(work, work->first), y = at_point(work, work->second);
    if (!(n > hypot(x, y))) return INFINITY;
    sum -= log((n - hypot(x, y)) * (n + hypot(x, y)));
  }
  return sum;
}

/* Gradient and Hessian of -log D, D = n^2 - x^2 - y^2, of the cone in normal, first, second. */
static void add_cone(const central *work) {
  size_t width = work->open + 1;
  double n = at_point(work, work->normal), x = at_point(work, work->first), y = at_point(work, work->second);
  double d = (n - hypot(x, y)) * (n + hypot(x, y));
  for (size_t a = 0; a < width; a++) {
    double slope = 2 * (n * work->normal[a] - x * work->first[a] - y * work->second[a]) / d;
    work->gradient[a] -= slope;
    for (size_t b = 0; b < width; b++) {
      double other = 2 * (n * work->normal[b] - x * work->first[b] - y * work->second[b]) / d;
      double curve = work->normal[a] * work->normal[b] - work->first[a] * work->first[b];
      curve -= work->second[a] * work->second[b];
      work->hessian[a + b * width] += slope * other - 2 * curve / d;
    }
  }
}

/* One damped step of Newton's method; false: none that helps. */
static bool newton_step(central *work, double kappa) {
  size_t width = work->open + 1;
  thud_index failed;
  double pivot, before = barrier(work, kappa), *step = work->gradient;
  memset(work->hessian, 0, width * width * sizeof(double));
  for (size_t a = 0; a < width; a++) {
    work->gradient[a] = a < work->open ? kappa * SHORTNESS * work->point[a] : -kappa;
    work->hessian[a + a * width] = a < work->open ? kappa * SHORTNESS : 0;
  }
  for (size_t c = 0; c < cone_count(work); c++)
    if (cone_function(work, c)) add_cone(work);
  if (!thud_cholesky_loops((thud_index)width, work->hessian, &failed, &pivot)) return false;
  thud_dense_solve_lower((thud_index)width, work->hessian, false, step);
  thud_dense_solve_lower((thud_index)width, work->hessian, true, step);
  double factor = 1;
  for (size_t a = 0; a < width; a++) work->point[a] -= step[a];
  for (int halving = 0; halving < HALVINGS && !(barrier(work, kappa) < before); halving++, factor /= 2)
    for (size_t a = 0; a < width; a++) work->point[a] += factor / 2 * step[a];
  return barrier(work, kappa) < before;
}

/* From a point inside the cones that are moved out far enough. */
static void find_deepest_force(central *work) {
  memset(work->point, 0, (work->open + 1) * sizeof *work->point);
  double s = 0;
  for (size_t c = 0; c < cone_count(work); c++) {
    if (!cone_function(work, c)) continue;
    s = fmin(s, at_point(work, work->normal) - hypot(at_point(work, work->first), at_point(work, work->second)));
  }
  work->point[work->open] = s - 1;
  double kappa = 1;
  for (int decade = 0; decade <= BARRIER_DECADES; decade++, kappa *= 10)
    for (int step = 0; step < NEWTON_STEPS && newton_step(work, kappa); step++) continue;
}

/* ---- the forces -------------------------------------------------------------------------------------------------- */

/* Whether some condition on forces still waits for its first coefficient. */
static bool some_condition_waits(const event_motion *motion) {
  for (size_t i = 0; i < motion->problem.m; i++)
    if (motion->equations.place[i] >= 0 && !event_is_equation(&motion->problem, i) && motion->modes.order[i] < 0)
      return true;
  for (size_t l = 0; l < motion->problem.law_count; l++)
    for (size_t part = 0; part < motion->problem.measures; part++)
      if (thud_event_measure(motion->arc, &motion->friction.laws[l], (int)part).kind >= MEASURE_MARGIN &&
          motion->modes.part_order[l * motion->problem.measures + part] < 0)
        return true;
  return false;
}

static bool seeks_direction(const event_problem *problem, const event_friction_laws *friction) {
  for (size_t l = 0; l < problem->law_count; l++)
    if (friction->laws[l].state == LAW_ONSET) return true;
  return false;
}

bool thud_event_solve_shared_forces(event_motion *motion, int k, double size) {
  central work = {.motion = motion, .k = k, .count = motion->equations.count};
  lay_out(&work);
  if (!solve_equations(&work, size)) return false;
  motion->equations.shared = true;
  for (size_t i = 0; i < work.count; i++) work.scale = fmax(work.scale, fabs(work.shortest[i]));
  memcpy(motion->equations.right, work.shortest, work.count * sizeof(double));
  if (!(work.scale > motion->problem.options.decision_tolerance * size) || !some_condition_waits(motion) ||
      seeks_direction(&motion->problem, &motion->friction))
    return true;
  find_null_space(&work);
  find_deepest_force(&work);
  for (size_t i = 0; i < work.count; i++)
    for (size_t z = 0; z < work.open; z++)
      motion->equations.right[i] += work.scale * work.point[z] * work.null[z * work.count + i];
  return true;
}

/* ---- motions that depend on the choice --------------------------------------------------------------------------- */

/* Length of the acceleration that forces z (in units of 1/length of the gradients) give: sqrt(z'Gz). */
static double acceleration_of(const sim_arc *arc, const event_equations *equations, const double *z) {
  double sum = 0;
  for (size_t a = 0; a < equations->count; a++)
    for (size_t b = 0; b < equations->count; b++) {
      size_t i = (size_t)equations->rows[a], j = (size_t)equations->rows[b];
      double unit = event_row_unit(arc, i) * event_row_unit(arc, j);
      sum += z[a] * arc->delassus[i * arc->rows + j] / unit * z[b];
    }
  return sqrt(fmax(0, sum));
}

/* The first time, the first of the constraints with such forces and how many there are. */
static void note_first(const central *work) {
  const event_motion *motion = work->motion;
  thud_event_motion_info *info = &work->motion->info;
  info->indeterminate_time = motion->state.t;
  for (size_t i = motion->problem.m; i-- > 0;) {
    double most = 0;
    for (size_t z = 0; z < work->open && motion->equations.place[i] >= 0; z++)
      most = fmax(most, fabs(work->null[z * work->count + (size_t)motion->equations.place[i]]));
    if (most <= MOVES) continue;
    info->indeterminate_constraint = (thud_index)i;
    info->indeterminate_constraints++;
  }
}

/* With the directions of the slips as they are, other forces give the same motion when G z = 0 for all z of the null
 * space: always where everything sticks, in pure translation with equal mu, but not when sliding legs turn. */
void thud_event_note_shared_forces(event_motion *motion) {
  central work = {.motion = motion, .count = motion->equations.count};
  bool moves = false;
  if (!motion->equations.shared) return;
  lay_out(&work);
  thud_event_assemble_order(motion, 0, true);
  motion->equations.factored = false;
  solve_equations(&work, INFINITY);
  find_null_space(&work);
  for (size_t z = 0; z < work.open && !moves; z++)
    moves = acceleration_of(motion->arc, &motion->equations, work.null + z * work.count) > MOVES;
  if (moves && motion->info.indeterminate_forces++ == 0) note_first(&work);
}
