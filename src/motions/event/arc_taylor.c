/* The orders of an arc, one after the other; what is expanded comes from its backend. */
#include "motions/event/arc.h"

#include "linalg/dense.h"
#include "model/gradients.h"
#include "motions/stepping/stepping.h"

#include <float.h>

/* Which constraint and which law a slip component belongs to. */
static void number_slips(sim_arc *arc) {
  size_t j = 0;
  for (thud_index k = 0; k < thud_system_friction_count(arc->system); k++) {
    const thud_friction_def *law = thud_system_friction(arc->system, k);
    for (thud_index d = 0; d < law->directions; d++, j++) {
      arc->owner[j] = law->constraint;
      arc->law[j] = k;
    }
  }
}

static thud_error allocate_series(sim_arc *arc) {
  size_t n = arc->n, rows = arc->rows, p = (size_t)arc->order, total = 0;
  const struct {
    double **array;
    size_t size;
  } parts[] = {{&arc->variables, 1 + 2 * n},
               {&arc->jet, (p + 1) * arc->jets.layout.count},
               {&arc->switch_jet, (p + 1) * arc->switches},
               {&arc->q, (p + 3) * n},
               {&arc->v, (p + 2) * n},
               {&arc->a, (p + 1) * n},
               {&arc->reaction, (p + 1) * rows},
               {&arc->factor, n * n},
               {&arc->response, rows * n},
               {&arc->delassus, rows * rows},
               {&arc->own, rows},
               {&arc->free, n},
               {&arc->load, n},
               {&arc->correction, n},
               {&arc->low, rows},
               {&arc->drift, rows},
               {&arc->size, rows},
               {&arc->noise, ((size_t)arc->decide + 1) * rows},
               {&arc->extra, arc->extra_count}};
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) total += parts[k].size;
  arc->number_count = total;
  double *next = arc->numbers = THUD_NEW_ARRAY(arc->context, double, total);
  arc->varies = THUD_NEW_ARRAY(arc->context, bool, (p + 1) * rows);
  arc->singular = THUD_NEW_ARRAY(arc->context, unsigned char, arc->m);
  arc->modes.held = THUD_NEW_ARRAY(arc->context, thud_index, rows);
  arc->modes.slide = THUD_NEW_ARRAY(arc->context, arc_slide, arc->s);
  arc->modes.mix = THUD_NEW_ARRAY(arc->context, arc_mix, rows);
  if (arc->singular == NULL || arc->modes.held == NULL || arc->modes.slide == NULL || arc->modes.mix == NULL)
    return THUD_ERROR_MEMORY;
  arc->slide = THUD_NEW_ARRAY(arc->context, bool, arc->s);
  arc->owner = THUD_NEW_ARRAY(arc->context, thud_index, arc->s);
  arc->law = THUD_NEW_ARRAY(arc->context, thud_index, arc->s);
  arc->group = THUD_NEW_ARRAY(arc->context, int32_t, n);
  if (next == NULL || arc->varies == NULL || arc->slide == NULL || arc->owner == NULL || arc->law == NULL ||
      arc->group == NULL)
    return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < sizeof parts / sizeof *parts; next += parts[k].size, k++) *parts[k].array = next;
  number_slips(arc);
  return THUD_OK;
}

thud_error thud_arc_make(const sim_arc *seed, sim_arc **arc) {
  const thud_system *system = seed->system;
  sim_arc *made = THUD_NEW(seed->context, sim_arc);
  if (made == NULL) {
    sim_arc lost = *seed;
    if (seed->backend->destroy != NULL) seed->backend->destroy(&lost);
    return THUD_ERROR_MEMORY;
  }
  *made = *seed;
  made->n = system->n;
  made->m = system->m;
  made->s = system->s;
  made->rows = system->m + system->s;
  made->constant_mass = thud_system_has_constant_mass(system);
  thud_error error = allocate_series(made);
  if (error != THUD_OK) {
    thud_arc_destroy(made);
    return error;
  }
  *arc = made;
  return THUD_OK;
}

void thud_arc_destroy(sim_arc *arc) {
  if (arc == NULL) return;
  if (arc->backend->destroy != NULL) arc->backend->destroy(arc);
  thud_free(arc->context, arc->numbers);
  thud_free(arc->context, arc->varies);
  thud_free(arc->context, arc->singular);
  thud_free(arc->context, arc->modes.held);
  thud_free(arc->context, arc->modes.slide);
  thud_free(arc->context, arc->modes.mix);
  thud_free(arc->context, arc->slide);
  thud_free(arc->context, arc->owner);
  thud_free(arc->context, arc->law);
  thud_free(arc->context, arc->group);
  thud_free(arc->context, arc);
}

/* ---- one order --------------------------------------------------------------------------------------------------- */

static void multiply_add(size_t n, const double *matrix, const double *x, double factor, double *y) {
  for (size_t i = 0; i < n; i++) y[i] += factor * motion_dot((thud_index)n, matrix + i * n, x);
}

/* An entry of G. What is rounding of its terms is 0: rows that are orthogonal in the kinetic metric, such as the normal and the
 * tangent of a contact, would otherwise be coupled by mu times that. */
static double coupling_of(size_t n, const double *gradient, const double *response) {
  double sum = 0, size = 0;
  for (size_t c = 0; c < n; c++) {
    sum += gradient[c] * response[c];
    size += fabs(gradient[c] * response[c]);
  }
  return fabs(sum) > ARC_ROUNDING * DBL_EPSILON * size ? sum : 0;
}

static void couple(sim_arc *arc) {
  size_t n = arc->n, rows = arc->rows;
  for (size_t l = 0; l < rows; l++) {
    double *response = arc->response + l * n;
    memcpy(response, arc->jet + thud_arc_row(arc, l), n * sizeof *response);
    motion_solve_mass((thud_index)n, arc->factor, response);
    for (size_t i = 0; i < rows; i++)
      arc->delassus[i * rows + l] = coupling_of(n, arc->jet + thud_arc_row(arc, i), response);
  }
}

thud_error thud_arc_begin(sim_arc *arc, double t, const double *q, const double *v) {
  size_t n = arc->n;
  arc->t0 = t;
  arc->top = arc->order;
  memcpy(arc->q, q, n * sizeof *q);
  memcpy(arc->v, v, n * sizeof *v);
  memcpy(arc->q + n, v, n * sizeof *v);
  thud_error error = arc->backend->expand(arc, 0);
  if (error != THUD_OK) return error;
  error = thud_model_factorise(arc->system, arc->context, arc->jet + arc->jets.layout.mass, arc->factor);
  if (error != THUD_OK) return thud_fail_within(arc->context, error, "at t = %.10g", t);
  for (size_t i = 0; i < arc->rows; i++) {
    thud_model_to_orthonormal(n, arc->factor, arc->jet + thud_arc_row(arc, i), arc->free);
    arc->own[i] = sqrt(motion_dot((thud_index)n, arc->free, arc->free));
  }
  couple(arc);
  return THUD_OK;
}

/* y += x times the gradient of the row at order j. */
static void add_force(const sim_arc *arc, int j, size_t row, double x, double *y) {
  const double *gradient = thud_arc_jet(arc, j) + thud_arc_row(arc, row);
  for (size_t c = 0; x != 0 && c < arc->n; c++) y[c] += x * gradient[c];
}

/* The force of order k without M_0 a_k and the unknown reactions of order k, into free. */
static void collect_forces(sim_arc *arc, int k) {
  const model_jet_layout *at = &arc->jets.layout;
  size_t n = arc->n, rows = arc->rows;
  memcpy(arc->free, thud_arc_jet(arc, k) + at->force, n * sizeof(double));
  for (int j = 1; j <= k; j++) {
    const double *reaction = arc->reaction + (size_t)(k - j) * rows;
    if (!arc->constant_mass)
      multiply_add(n, thud_arc_jet(arc, j) + at->mass, arc->a + (size_t)(k - j) * n, -1, arc->free);
    for (size_t i = 0; i < rows; i++) add_force(arc, j, i, reaction[i], arc->free);
  }
}

/* Most gradients are constant: their higher orders need not be gone through. */
static void look_at_gradients(sim_arc *arc, int k) {
  for (size_t i = 0; i < arc->rows; i++) {
    const double *row = thud_arc_jet(arc, k) + thud_arc_row(arc, i);
    bool varies = false;
    for (size_t c = 0; c < arc->n; c++) varies = varies || row[c] != 0;
    arc->varies[(size_t)k * arc->rows + i] = varies;
  }
}

/* u'_k of row i without A_i,0 a_k; *size: the sum of the sizes of its terms. */
static double known_rate(const sim_arc *arc, size_t i, int k, double *size) {
  double sum = thud_arc_jet(arc, k)[thud_arc_convective(arc, i)];
  *size = fabs(sum);
  for (int j = 1; j <= k; j++) {
    if (!arc->varies[(size_t)j * arc->rows + i]) continue;
    const double *row = thud_arc_jet(arc, j) + thud_arc_row(arc, i), *factor = arc->a + (size_t)(k - j) * arc->n;
    for (size_t c = 0; c < arc->n; c++) {
      sum += row[c] * factor[c];
      *size += fabs(row[c] * factor[c]);
    }
  }
  return sum;
}

/* u'_k of row i, where a_k is `a`; *size: as above. */
static double rate_of_row(const sim_arc *arc, size_t i, int k, const double *a, double *size) {
  const double *row = arc->jet + thud_arc_row(arc, i);
  double sum = known_rate(arc, i, k, size);
  for (size_t c = 0; c < arc->n; c++) {
    sum += row[c] * a[c];
    *size += fabs(row[c] * a[c]);
  }
  return sum;
}

double thud_arc_row_rate(const sim_arc *arc, size_t row, int k, double *size) {
  double terms, rate = rate_of_row(arc, row, k, arc->a + (size_t)k * arc->n, &terms);
  if (size != NULL) *size = terms;
  return rate;
}

thud_error thud_arc_open_order(sim_arc *arc, int k) {
  size_t n = arc->n;
  thud_error error = k == 0 ? THUD_OK : arc->backend->expand(arc, k);
  if (error != THUD_OK) return error;
  if (k == 0) {
    arc->finite = false;
    arc->wait = 2; /* gaps of free flight are of degree 2 */
  }
  look_at_gradients(arc, k);
  collect_forces(arc, k);
  memcpy(arc->load, arc->free, n * sizeof *arc->load);
  motion_solve_mass((thud_index)n, arc->factor, arc->free);
  for (size_t i = 0; i < arc->rows; i++) arc->drift[i] = rate_of_row(arc, i, k, arc->free, &arc->size[i]);
  return THUD_OK;
}

/* Coefficients beyond this leave too little room for products with other quantities. */
#define LARGE_COEFFICIENT 0x1p900

static bool is_large(size_t count, const double *x) {
  for (size_t i = 0; i < count; i++)
    if (fabs(x[i]) > LARGE_COEFFICIENT) return true;
  return false;
}

void thud_arc_cut(sim_arc *arc, int k) {
  size_t first = (size_t)k + 1, left = (size_t)(arc->order - k), count = arc->jets.layout.count;
  arc->top = k;
  memset(arc->jet + first * count, 0, left * count * sizeof(double));
  for (size_t j = 0; j < thud_arc_watched_count(arc); j++)
    for (size_t i = first; i < first + left; i++) arc->switch_jet[i * arc->switches + thud_arc_watched(arc, j)] = 0;
  memset(arc->q + (first + 2) * arc->n, 0, left * arc->n * sizeof(double));
  memset(arc->v + (first + 1) * arc->n, 0, left * arc->n * sizeof(double));
  memset(arc->a + first * arc->n, 0, left * arc->n * sizeof(double));
  memset(arc->reaction + first * arc->rows, 0, left * arc->rows * sizeof(double));
}

static bool is_zero(size_t count, const double *x) {
  for (size_t i = 0; i < count; i++)
    if (x[i] != 0) return false;
  return true;
}

/* Steps are read off this many coefficients at the end of a series: one that ends must end before them. */
enum { LAST_COEFFICIENTS = 6 };

/* The motion may be a polynomial, such as free flight: where the coefficients of order k are 0 and the structure of the
 * equations says that all further ones are, these are not computed. */
static void end_where_nothing_is_left(sim_arc *arc, int k) {
  if (k < arc->wait || k > arc->order - LAST_COEFFICIENTS || arc->backend->end == NULL) return;
  if (!is_zero(arc->n, arc->a + (size_t)k * arc->n)) return;
  if (!is_zero(arc->rows, arc->reaction + (size_t)k * arc->rows)) return;
  arc->wait = arc->backend->end(arc, k);
  if (arc->wait > k) return;
  thud_arc_cut(arc, k);
  arc->finite = true;
}

void thud_arc_accelerate(sim_arc *arc, int k) {
  size_t n = arc->n;
  double *a = arc->a + (size_t)k * n;
  const double *reaction = arc->reaction + (size_t)k * arc->rows;
  memcpy(a, arc->free, n * sizeof *a);
  for (size_t i = 0; i < arc->rows; i++)
    for (size_t c = 0; reaction[i] != 0 && c < n; c++) a[c] += arc->response[i * n + c] * reaction[i];
}

/* ---- refinement -------------------------------------------------------------------------------------------------- */

/* An order is solved by factors: its errors are eps times the condition of M beside the largest terms of the whole
 * problem. Where forces and reactions cancel, and the mass matrix couples the coordinates, a component that is 0 becomes
 * such an error, and with it every term of its equation, which then holds to no digit:
 *   z free, x held:  M_zx a_x + M_zz a_z = F_z = 0   with a_x, a_z of the size eps |M^-1| |A'r|.
 * Residuals of M_0 a = f + A_0'r and A_0 a + g = 0 in twice the working precision, with the factors at hand, make each
 * equation hold to the rounding of its own terms (iterative refinement: Skeel, Math. Comp. 35, 1980). What a correction
 * leaves beside itself is rounding: it counts as 0. */

/* A sum of products with the rounding errors of all operations (Dot2: Ogita, Rump, Oishi, SIAM J. Sci. Comput. 26,
 * 2005): as if computed in twice the working precision. */
typedef struct double_sum {
  double high, low;
} double_sum;

static void add_exactly(double_sum *sum, double x, double y) {
  double product = x * y, lost = fma(x, y, -product);
  double total = sum->high + product, part = total - sum->high;
  sum->low += ((sum->high - (total - part)) + (product - part)) + lost;
  sum->high = total;
}

enum { MOST_CORRECTIONS = 4 };

/* Corrections below this beside the value have converged. */
#define CONVERGED (2 * DBL_EPSILON)

/* f + A_0'r - M_0 a of the order, into `correction`. */
static void residual_of_forces(sim_arc *arc, const double *a, const double *reaction) {
  const double *mass = arc->jet + arc->jets.layout.mass;
  for (size_t c = 0; c < arc->n; c++) {
    double_sum sum = {arc->load[c], 0};
    for (size_t j = 0; j < arc->n; j++)
      if (mass[c * arc->n + j] != 0) add_exactly(&sum, -mass[c * arc->n + j], a[j]);
    for (size_t i = 0; i < arc->rows; i++) {
      double factor = arc->jet[thud_arc_row(arc, i) + c];
      if (factor == 0 || (reaction[i] == 0 && arc->low[i] == 0)) continue;
      add_exactly(&sum, factor, reaction[i]);
      add_exactly(&sum, factor, arc->low[i]);
    }
    arc->correction[c] = sum.high + sum.low;
  }
}

/* A_0 (a + correction) + g of a row. */
static double residual_of_row(const sim_arc *arc, size_t row, int k, const double *a) {
  const double *gradient = arc->jet + thud_arc_row(arc, row);
  double size;
  double_sum sum = {known_rate(arc, row, k, &size), 0};
  for (size_t c = 0; c < arc->n; c++) {
    if (gradient[c] == 0) continue;
    add_exactly(&sum, gradient[c], a[c]);
    add_exactly(&sum, gradient[c], arc->correction[c]);
  }
  return sum.high + sum.low;
}

/* The correction of a_k, and that of the reactions of held rows into `error`. */
static void find_correction(sim_arc *arc, int k, const arc_held *held) {
  size_t n = arc->n;
  const double *a = arc->a + (size_t)k * n, *reaction = arc->reaction + (size_t)k * arc->rows;
  residual_of_forces(arc, a, reaction);
  motion_solve_mass((thud_index)n, arc->factor, arc->correction);
  for (size_t b = 0; b < held->count; b++) held->error[b] = -residual_of_row(arc, (size_t)held->rows[b], k, a);
  thud_dense_solve_lower((thud_index)held->count, held->factor, false, held->error);
  thud_dense_solve_lower((thud_index)held->count, held->factor, true, held->error);
  for (size_t b = 0; b < held->count; b++)
    for (size_t c = 0; c < n; c++) arc->correction[c] += held->error[b] * arc->response[(size_t)held->rows[b] * n + c];
}

/* The size of mass c in the kinetic metric. */
static double unit_of(const sim_arc *arc, size_t c) { return sqrt(arc->jet[arc->jets.layout.mass + c * (arc->n + 1)]); }

/* The largest component in the kinetic metric, whose squares may leave the range of numbers near singularities;
 * INFINITY: the correction itself does. */
static double size_of_correction(const sim_arc *arc) {
  double most = 0;
  for (size_t c = 0; c < arc->n; c++) {
    double size = unit_of(arc, c) * fabs(arc->correction[c]);
    if (!isfinite(size)) return INFINITY;
    most = fmax(most, size);
  }
  return most;
}

/* Adds the correction. A component that it still changes by more than its rounding and that is below `limit` in the
 * kinetic metric is 0. True: nothing changes any more. */
static bool add_correction(sim_arc *arc, int k, const arc_held *held, double limit) {
  double *a = arc->a + (size_t)k * arc->n;
  bool converged = true;
  for (size_t c = 0; c < arc->n; c++) {
    a[c] += arc->correction[c];
    if (fabs(arc->correction[c]) <= CONVERGED * fabs(a[c])) continue;
    if (unit_of(arc, c) * fabs(a[c]) <= limit)
      a[c] = 0;
    else
      converged = false;
  }
  for (size_t b = 0; b < held->count; b++) arc->low[held->rows[b]] += held->error[b];
  return converged;
}

void thud_arc_refine(sim_arc *arc, int k, const arc_held *held) {
  double *reaction = arc->reaction + (size_t)k * arc->rows, limit = 0;
  memset(arc->low, 0, arc->rows * sizeof *arc->low);
  for (int number = 0; number < MOST_CORRECTIONS; number++) {
    find_correction(arc, k, held);
    double size = size_of_correction(arc);
    if (size == INFINITY) break;
    if (number == 0) limit = ARC_ROUNDING * DBL_EPSILON * size;
    if (add_correction(arc, k, held, limit)) break;
  }
  for (size_t b = 0; b < held->count; b++) {
    size_t row = (size_t)held->rows[b];
    double change = arc->low[row];
    reaction[row] += change;
    if (fabs(reaction[row]) <= ARC_ROUNDING * DBL_EPSILON * fabs(change)) reaction[row] = 0;
  }
}

/* ---- the next order ---------------------------------------------------------------------------------------------- */

void thud_arc_close_order(sim_arc *arc, int k) {
  size_t n = arc->n;
  double *a = arc->a + (size_t)k * n, *v = arc->v + (size_t)(k + 1) * n, *q = arc->q + (size_t)(k + 2) * n;
  const double *reaction = arc->reaction + (size_t)k * arc->rows;
  for (size_t c = 0; c < n; c++) {
    v[c] = a[c] / (k + 1);
    q[c] = v[c] / (k + 2);
  }
  if (thud_arc_is_series(arc) && k < arc->order && (is_large(n, a) || is_large(arc->rows, reaction)))
    thud_arc_cut(arc, k);
  else
    end_where_nothing_is_left(arc, k);
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

void thud_arc_state(const sim_arc *arc, double s, double *q, double *v) {
  size_t n = arc->n;
  int last = arc->top + 2;
  for (size_t i = 0; i < n; i++) {
    double x = arc->q[(size_t)last * n + i], y = arc->v[(size_t)(last - 1) * n + i];
    for (int k = last - 1; k >= 0; k--) x = x * s + arc->q[(size_t)k * n + i];
    for (int k = last - 2; k >= 0; k--) y = y * s + arc->v[(size_t)k * n + i];
    q[i] = x;
    v[i] = y;
  }
}

double thud_arc_distance(const sim_arc *arc, const double *x, const double *y) {
  size_t n = arc->n;
  double sum = 0;
  for (size_t c = 0; c < n; c++) {
    double component = 0;
    for (size_t i = c; i < n; i++) component += arc->factor[i * n + c] * (x[i] - (y != NULL ? y[i] : 0));
    sum += component * component;
  }
  return sqrt(sum);
}

void thud_arc_output(const sim_arc *arc, size_t output, double *coefficients) {
  for (int k = 0; k <= arc->order; k++) coefficients[k] = thud_arc_jet(arc, k)[output];
}
