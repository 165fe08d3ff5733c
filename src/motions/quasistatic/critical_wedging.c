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
#include "motions/quasistatic/critical.h"
#include "base/base.h"
#include "thud/pivot.h"

#include <math.h>
#include <string.h>

enum { SIDES = 64, HALVINGS = 60 };
static const double PROJECTION_TOLERANCE = 1e-13;
/* Halving ends when the interval is this part of its upper end: what the projection can tell apart, and what is enough
 * for an upper bound from a sample. A set counts only when its coefficient is smaller by more than that than others. */
static const double RESOLUTION = 1e-13, SAMPLE_RESOLUTION = 1e-4, TIE = 4;
/* What a set that is undecided there is moved away by. */
static const double NEAR_TIE = 1e-9;
/* A reaction within this part of its limit counts as on it. */
static const double ON_LIMIT = 1e-6;
/* Sampling ends after about this many multiplications. */
static const double SAMPLING_WORK = 4e9;
static const uint64_t SEED = 21;
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

/* ---- the system of one closed set ------------------------------------------------------------------------------ */

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

/* ---- where it is attained -------------------------------------------------------------------------------------- */

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

/* ---- closed sets ----------------------------------------------------------------------------------------------- */

static thud_error search_all(wedging_search *search) {
  thud_index n = search->work->contacts;
  thud_error error = THUD_OK;
  for (uint32_t open = 0; open + 1 < (uint32_t)1 << n && error == THUD_OK; open++) {
    for (thud_index i = 0; i < n; i++) search->open[i] = (open >> i) & 1u;
    error = search_set(search);
  }
  return error;
}

/* All closed, each contact alone, then sets at random: closed with a probability drawn for each. */
static thud_error search_samples(wedging_search *search) {
  thud_index n = search->work->contacts;
  thud_random random = thud_random_seed(SEED);
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

/* ---- the whole ------------------------------------------------------------------------------------------------- */

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

static thud_error make_room(wedging_search *search) {
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
  thud_error error = make_room(&search);
  if (error == THUD_OK) error = all ? search_all(&search) : search_samples(&search);
  if (error == THUD_OK) report(&search, all && !search.undecided, row->low, row);
  thud_polyhedron_projector_destroy(search.projector);
  void *const blocks[] = {search.open, search.K, search.A, search.b, search.u, search.r, search.zero};
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) thud_free(work->context, blocks[k]);
  return error;
}
