/* Critical coefficients of several contacts: unique rates in the plane, and wedging. */
#include "base/base.h"
#include "linalg/dense.h"
#include "motions/quasistatic/critical.h"
#include "thud/pivot.h"

#include <math.h>
#include <string.h>

/* Several contacts in the plane: the exact coefficient below which the rate problem has one solution at every state.
 *
 * Contacts loaded on their cones with signs s, S = diag(s), slip u_T' = -S g:
 *   0 <= g  perp  M_s g + (S f_T' - mu R f_N') >= 0,   M_s = S K_TT S - mu R K_NT S,
 * after open contacts have been condensed out of K and contacts inside their cones dropped. One solution for every load
 * iff every M_s is a P-matrix: det(K_TT - mu S R K_NT)[I] > 0 for every set I of closed contacts, all signs on I, and
 * every set of open contacts (the rest sticks): less than 4^n combinations of open, stick, slip forward and backward.
 *
 * The determinant is affine in each s_i, so that its least value over the signs is that over all |s_i| <= 1, and does
 * not grow with mu: all of them are positive exactly below the critical value, and a set I whose determinants are
 * positive at the least root known so far has no smaller root. This leaves one LU factor per combination. */

/* Sampling ends after about this many multiplications, whatever options.samples says. */
static const double SAMPLING_WORK = 4e9;
static const uint64_t RATE_SEED = 20;
/* Roots nearer to each other than this part are one: the combination seen first, of fewer slipping contacts, is kept. */
static const double SAME_ROOT = 1e-13;

typedef struct rate_search {
  const thud_critical_work *work;
  double best; /* least root so far, THUD_CRITICAL_LARGEST: none */
  uint64_t examined;
  signed char *state; /* [n] modes under examination */
  signed char *modes; /* [n] those of the least root */
  thud_index closed_count;
  thud_index *closed;                /* [n] contacts that are not open */
  double *open_factor, *open_closed; /* [m*m] L of K_OO, L^-1 K_OC */
  double *condensed;                 /* [m*m] K_CC - K_CO K_OO^-1 K_OC, in the order N, T of the closed contacts */
  thud_index slip_count;
  thud_index *slips;  /* [n] places in closed[] of the contacts of I */
  double *A, *B;      /* [n*n] K_TT[I], R K_NT[I], rows and columns divided by sqrt(K_TT_ii) */
  double *LU;         /* [n*n] */
  thud_index *pivots; /* [n] */
} rate_search;

/* ---- determinants ------------------------------------------------------------------------------------------------ */

/* Condenses the open contacts of state out of K. */
static thud_error condense(rate_search *search) {
  const thud_critical_work *work = search->work;
  thud_index n = work->contacts, open = 0, closed = 0;
  for (thud_index i = 0; i < n; i++)
    if (search->state[i] != THUD_CRITICAL_OPEN) search->closed[closed++] = i;
  search->closed_count = closed;
  thud_index rows = 2 * (n - closed), size = 2 * closed;
  for (thud_index i = 0; i < n; i++) {
    if (search->state[i] != THUD_CRITICAL_OPEN) continue;
    for (thud_index c = 0; c < 2; c++, open++) {
      size_t row = thud_critical_index(work, i, c);
      thud_index column = 0;
      for (thud_index j = 0; j < n; j++)
        for (thud_index k = 0; k < 2 && search->state[j] == THUD_CRITICAL_OPEN; k++)
          search->open_factor[thud_at(rows, open, column++)] =
              thud_critical_entry(work, row, thud_critical_index(work, j, k));
      for (thud_index j = 0; j < size; j++)
        search->open_closed[thud_at(rows, open, j)] =
            thud_critical_entry(work, row, thud_critical_index(work, search->closed[j / 2], j % 2));
    }
  }
  for (thud_index j = 0; j < size; j++)
    for (thud_index i = 0; i < size; i++)
      search->condensed[thud_at(size, i, j)] =
          thud_critical_entry(work, thud_critical_index(work, search->closed[i / 2], i % 2),
                              thud_critical_index(work, search->closed[j / 2], j % 2));
  if (rows == 0) return THUD_OK;
  thud_error error = thud_dense_cholesky(work->context, rows, search->open_factor, NULL);
  if (error != THUD_OK) return error;
  for (thud_index j = 0; j < size; j++)
    thud_dense_solve_lower(rows, search->open_factor, false, search->open_closed + thud_at(rows, 0, j));
  thud_dense_multiply(size, size, rows, -1, search->open_closed, true, search->open_closed, false, 1,
                      search->condensed);
  return THUD_OK;
}

/* A and B of the contacts in slips. Positive factors of rows and columns keep the sign of determinants. */
static void take_slips(rate_search *search) {
  thud_index p = search->slip_count, size = 2 * search->closed_count;
  for (thud_index j = 0; j < p; j++)
    for (thud_index i = 0; i < p; i++) {
      thud_index row = 2 * search->slips[i], column = 2 * search->slips[j] + 1;
      double unit =
          sqrt(search->condensed[thud_at(size, row + 1, row + 1)] * search->condensed[thud_at(size, column, column)]);
      search->A[thud_at(p, i, j)] = search->condensed[thud_at(size, row + 1, column)] / unit;
      search->B[thud_at(p, i, j)] =
          search->work->ratio[search->closed[search->slips[i]]] * search->condensed[thud_at(size, row, column)] / unit;
    }
}

/* det(A - mu S B) > 0, the signs being those of state? */
static bool is_positive(const rate_search *search, double mu) {
  thud_index p = search->slip_count;
  for (thud_index i = 0; i < p; i++) {
    double factor = mu * search->state[search->closed[search->slips[i]]];
    for (thud_index j = 0; j < p; j++)
      search->LU[thud_at(p, i, j)] = search->A[thud_at(p, i, j)] - factor * search->B[thud_at(p, i, j)];
  }
  return thud_dense_lu(p, search->LU, search->pivots) && thud_dense_lu_sign(p, search->LU, search->pivots) > 0;
}

static void take_modes(rate_search *search) {
  memcpy(search->modes, search->state, (size_t)search->work->contacts);
  for (thud_index k = 0; k < search->closed_count; k++) search->modes[search->closed[k]] = THUD_CRITICAL_STICK;
  for (thud_index k = 0; k < search->slip_count; k++) {
    thud_index contact = search->closed[search->slips[k]];
    search->modes[contact] = search->state[contact];
  }
}

/* A combination whose determinant is not positive at the least root so far has a smaller one: halved to rounding. True
 * when it does. */
static bool lower_best(rate_search *search) {
  search->examined++;
  if (is_positive(search, search->best)) return false;
  double low = 0, high = search->best;
  for (;;) {
    double middle = low + (high - low) / 2;
    if (!(middle > low && middle < high)) break;
    if (is_positive(search, middle))
      low = middle;
    else
      high = middle;
  }
  bool same = low > (1 - SAME_ROOT) * search->best;
  search->best = low;
  if (!same) take_modes(search);
  return true;
}

/* ---- all combinations -------------------------------------------------------------------------------------------- */

/* Bit k of mask: the k-th of the contacts in slips goes forward. */
static void set_signs(rate_search *search, uint32_t mask) {
  for (thud_index k = 0; k < search->slip_count; k++)
    search->state[search->closed[search->slips[k]]] = (mask >> k) & 1u ? THUD_CRITICAL_FORWARD : THUD_CRITICAL_BACKWARD;
}

/* All signs on I; again after every smaller root, since one determinant alone may have several roots. */
static void search_signs(rate_search *search) {
  take_slips(search);
  bool lowered = true;
  while (lowered && search->best > 0) {
    lowered = false;
    for (uint32_t mask = 0; mask < (uint32_t)1 << search->slip_count; mask++) {
      set_signs(search, mask);
      lowered = lower_best(search) || lowered;
    }
  }
}

static thud_error search_combinations(rate_search *search) {
  thud_index n = search->work->contacts;
  for (uint32_t open = 0; open + 1 < (uint32_t)1 << n; open++) {
    for (thud_index i = 0; i < n; i++) search->state[i] = (open >> i) & 1u ? THUD_CRITICAL_OPEN : THUD_CRITICAL_STICK;
    thud_error error = condense(search);
    if (error != THUD_OK) return error;
    for (uint32_t set = 1; set < (uint32_t)1 << search->closed_count; set++) {
      search->slip_count = 0;
      for (thud_index k = 0; k < search->closed_count; k++)
        if ((set >> k) & 1u) search->slips[search->slip_count++] = k;
      search_signs(search);
    }
  }
  return THUD_OK;
}

/* ---- a sample ---------------------------------------------------------------------------------------------------- */

/* Every contact slips alone, both ways, all others sticking. */
static thud_error search_single(rate_search *search) {
  memset(search->state, THUD_CRITICAL_STICK, (size_t)search->work->contacts);
  thud_error error = condense(search);
  if (error != THUD_OK) return error;
  search->slip_count = 1;
  for (thud_index i = 0; i < search->work->contacts; i++) {
    search->slips[0] = i;
    search_signs(search);
  }
  return THUD_OK;
}

/* Open with a probability below 1/2 and, of the closed ones, slipping with another, both drawn for each sample. */
static thud_error search_sample(rate_search *search, thud_random *random) {
  thud_index n = search->work->contacts;
  double open = fmax(0, thud_random_uniform(random, -0.5, 0.5)), slip = thud_random_uniform(random, 0, 1);
  for (thud_index i = 0; i < n; i++)
    search->state[i] = thud_random_uniform(random, 0, 1) < open ? THUD_CRITICAL_OPEN : THUD_CRITICAL_STICK;
  thud_error error = condense(search);
  if (error != THUD_OK) return error;
  search->slip_count = 0;
  for (thud_index k = 0; k < search->closed_count; k++)
    if (thud_random_uniform(random, 0, 1) < slip) {
      search->slips[search->slip_count++] = k;
      search->state[search->closed[k]] = thud_random_below(random, 2) ? THUD_CRITICAL_FORWARD : THUD_CRITICAL_BACKWARD;
    }
  if (search->slip_count == 0) return THUD_OK;
  take_slips(search);
  lower_best(search);
  return THUD_OK;
}

static thud_error sample_combinations(rate_search *search) {
  thud_random random = thud_random_seed(RATE_SEED);
  double cost = pow((double)search->work->size, 3);
  thud_error error = search_single(search);
  for (int k = 0; k < search->work->options.samples && k * cost < SAMPLING_WORK && error == THUD_OK; k++)
    error = search_sample(search, &random);
  return error;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static bool make_rate_room(rate_search *search) {
  const thud_critical_work *work = search->work;
  size_t n = (size_t)work->contacts, m = (size_t)work->size;
  double **const squares[] = {&search->open_factor, &search->open_closed, &search->condensed,
                              &search->A,           &search->B,           &search->LU};
  bool made = true;
  for (size_t k = 0; k < sizeof squares / sizeof *squares; k++) {
    *squares[k] = THUD_NEW_ARRAY(work->context, double, k < 3 ? m * m : n * n);
    made = made && *squares[k] != NULL;
  }
  thud_index **const lists[] = {&search->closed, &search->slips, &search->pivots};
  for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
    *lists[k] = THUD_NEW_ARRAY(work->context, thud_index, n);
    made = made && *lists[k] != NULL;
  }
  search->state = THUD_NEW_ARRAY(work->context, signed char, n);
  return made && search->state != NULL;
}

thud_error thud_critical_rate_plane(const thud_critical_work *work, thud_critical_row *row) {
  rate_search search = {.work = work, .best = THUD_CRITICAL_LARGEST, .modes = thud_critical_modes(work, row->id)};
  bool exact = work->contacts <= work->options.exact_contacts;
  thud_error error = make_rate_room(&search) ? THUD_OK : THUD_ERROR_MEMORY;
  if (error == THUD_OK) error = exact ? search_combinations(&search) : sample_combinations(&search);
  if (error == THUD_OK) {
    bool found = search.best < THUD_CRITICAL_LARGEST;
    row->kind = exact ? THUD_CRITICAL_EXACT : THUD_CRITICAL_SAMPLED;
    row->value = found ? search.best : INFINITY;
    if (exact) row->low = row->value;
    if (found) row->modes = search.modes;
    row->examined = search.examined;
  }
  void *const blocks[] = {search.open_factor, search.open_closed, search.condensed, search.A,      search.B,
                          search.LU,          search.closed,      search.slips,     search.pivots, search.state};
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) thud_free(work->context, blocks[k]);
  return error;
}

/* ---- wedging ----------------------------------------------------------------------------------------------------- */

/* Several contacts: the least coefficient with a self-stress, u != 0 and r = K u without load: for some set C of closed
 * contacts (u_N = 0), the others open (u_N >= 0, r = 0),
 *   sum over C of r_N = 1,  r_N >= 0,  |r_T| <= mu ratio_i r_N on C.
 * For a fixed C and mu that is a system of linear equations and inequalities, with discs replaced by polygons inside
 * them in space; it has a solution for all larger mu when it has one for mu: halving, and sets without a solution at the
 * least mu so far are done. Solutions are looked for by projecting u = 0 onto the system, which proves their absence
 * otherwise. Nothing is condensed: K may be singular.
 *
 * A polygon of k sides inside a disc of radius mu lies around a disc of radius mu cos(pi/k): the critical value is at
 * least cos(pi/k) times that of the polygons.
 *
 * u_i -> u_i/c_i, r_i -> c_i r_i with c_i > 0 per contact keeps the cones: the blocks of K are brought to the size 1. */

enum { SIDES = 64, HALVINGS = 60 };
static const double PROJECTION_TOLERANCE = 1e-13;
/* Halving ends when the interval is this part of its upper end: what the projection can tell apart, and what is enough
 * for an upper bound from a sample. A set counts only when its coefficient is smaller by more than that than others. */
static const double RESOLUTION = 1e-13, SAMPLE_RESOLUTION = 1e-4, TIE = 4;
/* What a set that is undecided there is moved away by. */
static const double NEAR_TIE = 1e-9;
/* A reaction within this part of its limit counts as on it. */
static const double ON_LIMIT = 1e-6;
static const uint64_t WEDGING_SEED = 21;
/* Entries of the system at most (128 MiB). */
static const size_t LARGEST_SYSTEM = (size_t)1 << 24;
static const char TOO_MANY[] = "too many contacts for a linear program";

typedef struct wedging_search {
  const thud_critical_work *work;
  thud_polyhedron_projector *projector;
  thud_index sides;  /* of the polygons; 2 in the plane: the interval itself */
  double resolution; /* relative, of mu */
  double polygon;    /* least mu of the polygons so far */
  double value;      /* least mu of the discs at the points found */
  bool limit;        /* the last projection ended without a decision */
  bool undecided;    /* it did for some closed set at the least mu: a smaller one may have been missed */
  uint64_t examined;
  bool *open;         /* [n] */
  signed char *modes; /* [n] */
  double *K;          /* [m*m] with blocks K_ii of the size 1 */
  double *A, *b;      /* rows of the system, row-major over u[m]: equalities first */
  double *u, *r;      /* [m] */
  double *zero;       /* [m] */
} wedging_search;

/* ---- the system of one closed set -------------------------------------------------------------------------------- */

/* Row k += factor times row `row` of K. */
static void add_reaction(const wedging_search *search, size_t k, double factor, size_t row) {
  size_t m = (size_t)search->work->size;
  for (size_t j = 0; j < m; j++) search->A[k * m + j] += factor * search->K[row + j * m];
}

/* Equalities: u_N = 0 of closed contacts, r = 0 of open ones, sum of r_N = 1. Returns how many. */
static size_t state_equalities(wedging_search *search) {
  const thud_critical_work *work = search->work;
  size_t m = (size_t)work->size, k = 1;
  search->b[0] = 1;
  for (thud_index i = 0; i < work->contacts; i++) {
    if (!search->open[i]) {
      search->A[k++ * m + thud_critical_index(work, i, 0)] = 1;
      add_reaction(search, 0, 1, thud_critical_index(work, i, 0));
      continue;
    }
    for (thud_index j = 0; j < work->components; j++) add_reaction(search, k++, 1, thud_critical_index(work, i, j));
  }
  return k;
}

/* Inequalities from row k on: -u_N <= 0 of open contacts; -r_N <= 0 and t.r_T - mu c ratio r_N <= 0 of closed ones for
 * the outward normals t of the polygon, c its distance from the centre. Returns the number of all rows. */
static size_t state_inequalities(wedging_search *search, double mu, size_t k) {
  const thud_critical_work *work = search->work;
  size_t m = (size_t)work->size;
  double turn = 4 * acos(0) / search->sides, inside = search->sides > 2 ? cos(turn / 2) : 1;
  for (thud_index i = 0; i < work->contacts; i++) {
    size_t normal = thud_critical_index(work, i, 0);
    if (search->open[i]) {
      search->A[k++ * m + normal] = -1;
      continue;
    }
    add_reaction(search, k++, -1, normal);
    for (thud_index side = 0; side < search->sides; side++, k++) {
      add_reaction(search, k, -mu * inside * work->ratio[i], normal);
      add_reaction(search, k, search->sides == 2 ? 1 - 2 * side : cos(side * turn), normal + 1);
      if (search->sides > 2) add_reaction(search, k, sin(side * turn), normal + 2);
    }
  }
  return k;
}

static size_t largest_rows(const wedging_search *search) {
  size_t n = (size_t)search->work->contacts, sides = (size_t)search->sides, d = (size_t)search->work->components;
  return 1 + n * (d + 1 + sides); /* per contact at most d equalities, 1 + sides inequalities */
}

/* Has the closed set a self-stress at mu? u receives it. */
static thud_error is_wedged(wedging_search *search, double mu, bool *wedged) {
  size_t rows = largest_rows(search), m = (size_t)search->work->size;
  memset(search->A, 0, rows * m * sizeof *search->A);
  memset(search->b, 0, rows * sizeof *search->b);
  size_t equalities = state_equalities(search), count = state_inequalities(search, mu, equalities);
  thud_pivot_info info;
  thud_error error =
      thud_polyhedron_project(search->projector, NULL, (thud_index)count, (thud_index)equalities, search->A, search->b,
                              search->zero, PROJECTION_TOLERANCE, search->u, NULL, &info);
  search->examined++;
  search->limit = error == THUD_OK && info.status == THUD_PIVOT_LIMIT;
  *wedged = error == THUD_OK && info.status == THUD_PIVOT_SOLVED;
  return error;
}

/* ---- where it is attained ---------------------------------------------------------------------------------------- */

/* Modes and the coefficient of the discs at u: max |r_T|/(ratio r_N), which is at most mu. */
static void take_point(wedging_search *search, double mu) {
  const thud_critical_work *work = search->work;
  thud_index t = work->components - 1;
  double needed = 0, corner = t == 2 ? cos(2 * acos(0) / SIDES) : 1;
  thud_dense_multiply_vector(work->size, work->size, search->K, false, 1, search->u, 0, search->r);
  for (thud_index i = 0; i < work->contacts; i++) {
    const double *r = search->r + thud_critical_index(work, i, 0);
    double tangential = hypot(r[1], t == 2 ? r[2] : 0), limit = work->ratio[i] * r[0];
    bool loaded = r[0] > ON_LIMIT / work->contacts,
         slips = loaded && tangential >= (1 - ON_LIMIT) * corner * mu * limit;
    signed char slip = r[1] > 0 ? THUD_CRITICAL_FORWARD : THUD_CRITICAL_BACKWARD;
    search->modes[i] = search->open[i] ? THUD_CRITICAL_OPEN : THUD_CRITICAL_STICK;
    if (!search->open[i] && slips) search->modes[i] = t == 2 ? THUD_CRITICAL_SLIP : slip;
    if (!search->open[i]) needed = fmax(needed, loaded && limit > 0 ? tangential / limit : mu);
  }
  search->value = t == 2 ? fmin(search->value, fmin(mu, needed)) : mu;
}

/* Lowers the least mu when the closed set has a self-stress there. */
static thud_error search_set(wedging_search *search) {
  bool wedged;
  double start = (1 - TIE * search->resolution) * search->polygon;
  thud_error error = is_wedged(search, start, &wedged);
  if (error == THUD_OK && search->limit) { /* as a rule another set with the same coefficient */
    start *= 1 - NEAR_TIE;
    error = is_wedged(search, start, &wedged);
  }
  search->undecided = search->undecided || search->limit;
  if (error != THUD_OK || !wedged) return error;
  double low = 0, high = start;
  for (int k = 0; k < HALVINGS && high - low > search->resolution * high && error == THUD_OK; k++) {
    double middle = low > 0 ? low + (high - low) / 2 : high / 16;
    error = is_wedged(search, middle, &wedged);
    if (wedged)
      high = middle;
    else
      low = middle;
  }
  if (error == THUD_OK) error = is_wedged(search, high, &wedged);
  if (error != THUD_OK) return error;
  search->polygon = high;
  take_point(search, high);
  return THUD_OK;
}

/* ---- closed sets ------------------------------------------------------------------------------------------------- */

static thud_error search_closed_sets(wedging_search *search) {
  thud_index n = search->work->contacts;
  thud_error error = THUD_OK;
  for (uint32_t open = 0; open + 1 < (uint32_t)1 << n && error == THUD_OK; open++) {
    for (thud_index i = 0; i < n; i++) search->open[i] = (open >> i) & 1u;
    error = search_set(search);
  }
  return error;
}

/* All closed, each contact alone, then sets at random: closed with a probability drawn for each. */
static thud_error sample_closed_sets(wedging_search *search) {
  thud_index n = search->work->contacts;
  thud_random random = thud_random_seed(WEDGING_SEED);
  double cost = pow((double)search->work->size, 2) * (double)largest_rows(search);
  thud_error error = THUD_OK;
  for (int k = 0; k < search->work->options.samples && k * cost < SAMPLING_WORK && error == THUD_OK; k++) {
    double open = thud_random_uniform(&random, 0, 1);
    thud_index closed = 0;
    for (thud_index i = 0; i < n; i++) {
      bool drawn = thud_random_uniform(&random, 0, 1) < open;
      search->open[i] = k == 0 ? false : k <= n ? i != k - 1 : drawn;
      closed += !search->open[i];
    }
    if (closed > 0) error = search_set(search);
  }
  return error;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static void scale_blocks(wedging_search *search) {
  const thud_critical_work *work = search->work;
  size_t m = (size_t)work->size, d = (size_t)work->components;
  for (size_t j = 0; j < m; j++)
    for (size_t i = 0; i < m; i++) {
      double row = 0, column = 0; /* traces of the blocks */
      for (size_t k = 0; k < d; k++) {
        row += thud_critical_entry(work, i / d * d + k, i / d * d + k);
        column += thud_critical_entry(work, j / d * d + k, j / d * d + k);
      }
      double unit = row > 0 && column > 0 ? sqrt(row) * sqrt(column) : 1;
      search->K[i + j * m] = thud_critical_entry(work, i, j) / unit;
    }
}

static thud_error make_wedging_room(wedging_search *search) {
  thud_context *context = search->work->context;
  size_t n = (size_t)search->work->contacts, m = (size_t)search->work->size, rows = largest_rows(search);
  search->open = THUD_NEW_ARRAY(context, bool, n);
  search->K = THUD_NEW_ARRAY(context, double, m *m);
  search->A = THUD_NEW_ARRAY(context, double, rows *m);
  search->b = THUD_NEW_ARRAY(context, double, rows);
  search->u = THUD_NEW_ARRAY(context, double, m);
  search->r = THUD_NEW_ARRAY(context, double, m);
  search->zero = THUD_NEW_ARRAY(context, double, m);
  if (search->open == NULL || search->K == NULL || search->A == NULL || search->b == NULL || search->u == NULL ||
      search->r == NULL || search->zero == NULL)
    return THUD_ERROR_MEMORY;
  scale_blocks(search);
  return thud_polyhedron_projector_create(context, (thud_index)m, (thud_index)rows, &search->projector);
}

/* known: a coefficient below which there is none, by other rows. */
static void report(const wedging_search *search, bool all, double known, thud_critical_row *row) {
  bool found = search->polygon < THUD_CRITICAL_LARGEST, plane = search->sides == 2;
  row->kind = all && (plane || !found) ? THUD_CRITICAL_EXACT : THUD_CRITICAL_SAMPLED;
  row->value = row->low = found ? search->value : INFINITY;
  if (!all)
    row->low = known;
  else if (!plane && found)
    row->low = search->polygon * cos(2 * acos(0) / SIDES);
  if (found) row->modes = search->modes;
  row->examined = search->examined;
}

thud_error thud_critical_wedging_several(const thud_critical_work *work, thud_critical_row *row) {
  wedging_search search = {.work = work, .sides = work->components == 2 ? 2 : SIDES, .polygon = THUD_CRITICAL_LARGEST};
  search.value = search.polygon;
  search.modes = thud_critical_modes(work, row->id);
  bool all = work->contacts <= work->options.exact_contacts;
  if (largest_rows(&search) > LARGEST_SYSTEM / (size_t)work->size) {
    row->kind = THUD_CRITICAL_UNKNOWN;
    row->value = NAN;
    row->reason = TOO_MANY;
    return THUD_OK;
  }
  search.resolution = all ? RESOLUTION : SAMPLE_RESOLUTION;
  thud_error error = make_wedging_room(&search);
  if (error == THUD_OK) error = all ? search_closed_sets(&search) : sample_closed_sets(&search);
  if (error == THUD_OK) report(&search, all && !search.undecided, row->low, row);
  thud_polyhedron_projector_destroy(search.projector);
  void *const blocks[] = {search.open, search.K, search.A, search.b, search.u, search.r, search.zero};
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) thud_free(work->context, blocks[k]);
  return error;
}
