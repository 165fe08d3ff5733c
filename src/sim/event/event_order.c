/* The reactions of one order of the series, with the modes of all contacts given.
 *
 * Unknown are the coefficients number k of the reactions r_N and r_T of everything that is closed; there is one linear
 * equation for each. With tau the threshold (mu r_N, or a force), d the direction of the slip, u_T = s^(j+1) w, r_T and
 * tau of the order s^a (rho = r_T/s^a), e = d(0) and f across it:
 *   closed, equations  u_N'_k = 0
 *   STICK              u_T'_k = 0
 *   SLIDE              r_T,k = -(tau d)_k, where tau_k = mu_0 r_N,k + known, and d_0 .. d_{k-j-1} are known
 *   CRAWL, TURN        e.rho_i + tau_{k} = sum_{0<l<i} (rho_l.rho_{i-l} - tau_{a+l} tau_{k-l}) / (2 tau_a),  i = k - a
 *                      (w x rho)_{k-j} = 0, where w_{k-j} = u_T'_k/(k+1)          (CRAWL: f.u_T'_k = 0)
 * The third line is (|r_T|^2 - tau^2)_{k+a} = 0, the fourth says that force and slip are parallel; both are linear in
 * what is new at order k. How slip begins at the order at which it has no direction yet is found in event_onset.c. */
#include "sim/event/event.h"

#include "linalg/dense.h"
#include "model/gradients.h"

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static void add_row(thud_event_motion *motion, size_t row) {
  motion->place[row] = (int)motion->row_count;
  motion->rows[motion->row_count++] = (thud_index)row;
}

void event_order_begin(thud_event_motion *motion) {
  motion->row_count = 0;
  motion->factored = motion->shared = motion->joint.on = false;
  for (size_t row = 0; row < motion->arc->rows; row++) motion->place[row] = -1;
  for (size_t i = 0; i < motion->m; i++)
    if (event_is_equation(motion, i) || event_lasts(motion->mode[i])) add_row(motion, i);
  for (size_t l = 0; l < motion->law_count; l++) {
    const event_law *law = &motion->laws[l];
    for (size_t c = 0; c < law->directions; c++) {
      motion->arc->slide[law->first + c] = law->state > LAW_STICK;
      if (law->state != LAW_OFF) add_row(motion, event_row_of(motion, law, c));
    }
  }
}

bool event_join_basis(thud_event_motion *motion, size_t row, size_t count) {
  const sim_arc *arc = motion->arc;
  double *next = motion->basis + count * motion->n;
  if (count >= motion->n) return false;
  thud_model_to_orthonormal(motion->n, arc->factor, arc->jet + thud_arc_row(arc, row), next);
  thud_model_normalise(motion->n, next);
  if (thud_model_complement(motion->n, count, motion->basis, next) <= MODEL_RANK_TOLERANCE) return false;
  thud_model_normalise(motion->n, next);
  return true;
}

bool event_order_is_fast(thud_event_motion *motion) {
  size_t count = 0;
  for (size_t i = 0; i < motion->m; i++)
    if (motion->place[i] >= 0 && event_join_basis(motion, i, count)) count++;
  for (size_t l = 0; l < motion->law_count; l++)
    for (size_t c = 0; c < motion->laws[l].directions && motion->laws[l].state == LAW_STICK; c++)
      if (event_join_basis(motion, event_row_of(motion, &motion->laws[l], c), count)) count++;
  for (size_t l = 0; l < motion->law_count; l++) {
    bool fast = motion->laws[l].state == LAW_ONSET;
    for (size_t c = 0; c < motion->laws[l].directions && fast; c++)
      fast = !event_join_basis(motion, event_row_of(motion, &motion->laws[l], c), count);
    if (fast) return true;
  }
  return false;
}

double event_separation(const thud_event_motion *motion, size_t row, const double *reaction) {
  const sim_arc *arc = motion->arc;
  double sum = arc->drift[row];
  for (size_t a = 0; a < motion->row_count; a++)
    sum += arc->delassus[row * arc->rows + (size_t)motion->rows[a]] * reaction[motion->rows[a]];
  return sum;
}

/* ---- equations --------------------------------------------------------------------------------------------------- */

/* One equation: coefficients for the reactions in units of 1/length of the gradients, and the right-hand side. */
typedef struct equation {
  double *row; /* entry b at row[b * count] */
  double right;
} equation;

static void add(const thud_event_motion *motion, equation *made, size_t row, double factor) {
  if (motion->place[row] >= 0)
    made->row[(size_t)motion->place[row] * motion->row_count] += factor / event_unit(motion, row);
}

/* factor u'_k of the row; the known part goes to the right. */
static void add_separation(const thud_event_motion *motion, equation *made, size_t row, double factor) {
  const sim_arc *arc = motion->arc;
  for (size_t b = 0; b < motion->row_count; b++) {
    size_t l = (size_t)motion->rows[b];
    made->row[b * motion->row_count] += factor * arc->delassus[row * arc->rows + l] / event_unit(motion, l);
  }
  made->right -= factor * arc->drift[row];
}

/* factor tau_k. */
static void add_threshold(const thud_event_motion *motion, const event_law *law, equation *made, int k, double factor) {
  double mu = event_friction(motion, law, 0);
  if (law->constraint >= 0) add(motion, made, (size_t)law->constraint, factor * law->sign * mu);
  made->right -= factor * event_threshold(motion, law, k, true);
}

/* r_T,k + (tau d)_k = 0, component c. */
static void slide(const thud_event_motion *motion, const event_law *law, size_t c, int k, equation *made) {
  const double *along = event_course(motion, law, 3), *turned = event_course(motion, law, 4);
  double unit = event_unit(motion, event_row_of(motion, law, c));
  add(motion, made, event_row_of(motion, law, c), unit);
  if (law->state == LAW_ONSET && !law->active) return;
  add_threshold(motion, law, made, k, unit * law->along[c]);
  if (law->directions == 1 || law->state == LAW_ONSET) return;
  double across = c == 0 ? -law->along[1] : law->along[0];
  for (int i = 1; i < k - law->slip_order; i++) {
    double d = law->along[c] * along[i] + across * turned[i];
    if (d != 0) made->right -= unit * d * event_threshold(motion, law, k - i, false);
  }
}

/* Coefficient l of rho, along e (part 0) or across it (part 1). */
static double force_part(const thud_event_motion *motion, const event_law *law, int l, int part) {
  const double *r = motion->arc->reaction + (size_t)(l + law->force_order) * motion->arc->rows + motion->m + law->first;
  return part == 0 ? law->along[0] * r[0] + law->along[1] * r[1] : law->along[0] * r[1] - law->along[1] * r[0];
}

/* The force is at its threshold. */
static void reach_threshold(const thud_event_motion *motion, const event_law *law, int k, equation *made) {
  int a = law->force_order, i = k - a;
  double unit = event_unit(motion, event_row_of(motion, law, 0)), sum = 0;
  for (size_t c = 0; c < 2; c++) add(motion, made, event_row_of(motion, law, c), unit * law->along[c]);
  add_threshold(motion, law, made, k, unit);
  for (int l = 1; l < i; l++) {
    for (int part = 0; part < 2; part++) sum += force_part(motion, law, l, part) * force_part(motion, law, i - l, part);
    sum -= event_threshold(motion, law, a + l, false) * event_threshold(motion, law, k - l, false);
  }
  made->right += unit * sum / (2 * event_threshold(motion, law, a, false));
}

/* Force and slip are parallel, in units of tau_a. */
static void be_parallel(const thud_event_motion *motion, const event_law *law, int k, equation *made) {
  const double *alpha = event_course(motion, law, 0), *beta = event_course(motion, law, 1);
  const double f[2] = {-law->along[1], law->along[0]};
  double unit = event_unit(motion, event_row_of(motion, law, 0));
  for (size_t c = 0; c < 2; c++) add_separation(motion, made, event_row_of(motion, law, c), f[c] / unit);
  if (law->state == LAW_CRAWL) return;
  int i = k - law->slip_order;
  double factor = (k + 1) / (unit * event_threshold(motion, law, law->force_order, false));
  if (law->force_order == law->slip_order)
    for (size_t c = 0; c < 2; c++) add(motion, made, event_row_of(motion, law, c), factor * alpha[0] * f[c]);
  else
    made->right -= factor * alpha[0] * force_part(motion, law, i, 1);
  for (int l = 1; l < i; l++)
    made->right -=
        factor * (alpha[l] * force_part(motion, law, i - l, 1) - beta[l] * force_part(motion, law, i - l, 0));
}

static void equation_of_law(const thud_event_motion *motion, const event_law *law, size_t c, int k, equation *made) {
  size_t row = event_row_of(motion, law, c);
  switch (law->state) {
  case LAW_STICK: add_separation(motion, made, row, 1 / event_unit(motion, row)); break;
  case LAW_CRAWL:
  case LAW_TURN: (c == 0 ? reach_threshold : be_parallel)(motion, law, k, made); break;
  default: slide(motion, law, c, k, made); break;
  }
}

void event_order_assemble(thud_event_motion *motion, int k, bool straight) {
  equation made;
  memset(motion->row_matrix, 0, motion->row_count * motion->row_count * sizeof(double));
  for (size_t i = 0; i < motion->m; i++) {
    if (motion->place[i] < 0) continue;
    made = (equation){motion->row_matrix + motion->place[i], 0};
    add_separation(motion, &made, i, 1 / event_unit(motion, i));
    motion->row_drift[motion->place[i]] = made.right;
  }
  for (size_t l = 0; l < motion->law_count; l++)
    for (size_t c = 0; c < motion->laws[l].directions && motion->laws[l].state != LAW_OFF; c++) {
      int place = motion->place[event_row_of(motion, &motion->laws[l], c)];
      made = (equation){motion->row_matrix + place, 0};
      if (straight && motion->laws[l].state > LAW_STICK)
        slide(motion, &motion->laws[l], c, k, &made);
      else
        equation_of_law(motion, &motion->laws[l], c, k, &made);
      motion->row_drift[place] = made.right;
    }
}

/* ---- solution ---------------------------------------------------------------------------------------------------- */

/* Whether the matrix changes from order to order. */
static bool varies(const thud_event_motion *motion) {
  for (size_t l = 0; l < motion->law_count; l++)
    if (motion->laws[l].state >= LAW_ONSET) return true;
  return false;
}

/* LU factor; a pivot that is only what rounding left of dependent equations counts as 0. Equations are scaled to
 * coefficients of sum 1: then that of a contact which friction does not load is eliminated before its laws r_T = -mu
 * r_N d, whatever mu is. Its r_N of order k would otherwise be a rounding error of r_T, and beside other motions of the
 * normal direction (none) the series of that noise would have no step. */
static bool factorise(thud_event_motion *motion) {
  size_t count = motion->row_count;
  double smallest = INFINITY, largest = 0;
  for (size_t a = 0; a < count; a++) {
    double sum = 0;
    for (size_t b = 0; b < count; b++) sum += fabs(motion->row_matrix[a + b * count]);
    motion->row_scale[a] = sum > 0 ? 1 / sum : 1;
    for (size_t b = 0; b < count; b++)
      motion->row_factor[a + b * count] = motion->row_matrix[a + b * count] * motion->row_scale[a];
  }
  if (!thud_dense_lu((thud_index)count, motion->row_factor, motion->pivots)) return false;
  for (size_t a = 0; a < count; a++) {
    smallest = fmin(smallest, fabs(motion->row_factor[a * (count + 1)]));
    largest = fmax(largest, fabs(motion->row_factor[a * (count + 1)]));
  }
  return smallest > EVENT_DEPENDENT * largest;
}

bool event_order_linear(thud_event_motion *motion, int k, double size) {
  size_t count = motion->row_count;
  double *reaction = motion->arc->reaction + (size_t)k * motion->arc->rows;
  memset(reaction, 0, motion->arc->rows * sizeof *reaction);
  if (count == 0) return true;
  event_order_assemble(motion, k, false);
  if (motion->joint.on && !event_joint_mix(motion, k)) return false;
  if (!motion->factored || varies(motion)) motion->factored = factorise(motion);
  motion->singular = motion->singular || !motion->factored;
  if (motion->factored) {
    for (size_t a = 0; a < count; a++) motion->row_drift[a] *= motion->row_scale[a];
    thud_dense_lu_solve((thud_index)count, motion->row_factor, motion->pivots, motion->row_drift);
  } else if (motion->search < SEARCH_CENTRAL || !event_central_solve(motion, k, size)) {
    return false;
  }
  for (size_t a = 0; a < count; a++)
    reaction[motion->rows[a]] = motion->row_drift[a] / event_unit(motion, (size_t)motion->rows[a]);
  return !motion->joint.on || event_joint_follow(motion, k, size);
}

bool event_order_solve(thud_event_motion *motion, int k, double size) {
  for (size_t l = 0; l < motion->law_count; l++)
    if (motion->laws[l].state == LAW_ONSET) return event_onset_solve(motion, k, size);
  return event_order_linear(motion, k, size);
}
