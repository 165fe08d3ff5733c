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
#include "motions/quasistatic/critical.h"
#include "base/base.h"
#include "linalg/dense.h"

#include <math.h>
#include <string.h>

/* Sampling ends after about this many multiplications, whatever options.samples says. */
static const double SAMPLING_WORK = 4e9;
static const uint64_t SEED = 20;
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

/* ---- determinants ---------------------------------------------------------------------------------------------- */

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

/* ---- all combinations ------------------------------------------------------------------------------------------ */

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

static thud_error search_all(rate_search *search) {
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

/* ---- a sample -------------------------------------------------------------------------------------------------- */

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

static thud_error search_samples(rate_search *search) {
  thud_random random = thud_random_seed(SEED);
  double cost = pow((double)search->work->size, 3);
  thud_error error = search_single(search);
  for (int k = 0; k < search->work->options.samples && k * cost < SAMPLING_WORK && error == THUD_OK; k++)
    error = search_sample(search, &random);
  return error;
}

/* ---- the whole ------------------------------------------------------------------------------------------------- */

static bool make_room(rate_search *search) {
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
  thud_error error = make_room(&search) ? THUD_OK : THUD_ERROR_MEMORY;
  if (error == THUD_OK) error = exact ? search_all(&search) : search_samples(&search);
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
