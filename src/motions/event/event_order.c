/* The reactions of one order of the series, with the modes of all contacts given.
 *
 * Unknown are the coefficients number k of the reactions r_N and r_T of everything that is closed; there is one linear
 * equation for each. With tau the threshold (mu r_N, or a force), d the direction of the slip, u_T = s^(j+1) w, r_T and
 * tau of the order s^a (rho = r_T/s^a), e = d(0) and f across it:
 *   closed, equations  u_N'_k = 0
 *   STICK              u_T'_k = 0
 *   EDGE               n.r_T,k = tau_k n.c, t.u_T'_k = 0 of an edge of a polygon (event_measure.c); a corner: SLIDE, d = -c
 *   SLIDE              r_T,k = -(tau d)_k, where tau_k = mu_0 r_N,k + known, and d_0 .. d_{k-j-1} are known
 *   CRAWL, TURN        e.rho_i + tau_{k} = sum_{0<l<i} (rho_l.rho_{i-l} - tau_{a+l} tau_{k-l}) / (2 tau_a),  i = k - a
 *                      (w x rho)_{k-j} = 0, where w_{k-j} = u_T'_k/(k+1)          (CRAWL: f.u_T'_k = 0)
 * The third line is (|r_T|^2 - tau^2)_{k+a} = 0, the fourth says that force and slip are parallel; both are linear in
 * what is new at order k. How slip begins at the order at which it has no direction yet is found in event_onset.c. */
#include "motions/event/event.h"

#include "linalg/dense.h"
#include "model/gradients.h"

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
