/* thud_critical_find: checks, the eigenvalues of K, and the rows one after the other. */
#include "motions/quasistatic/critical.h"
#include "base/base.h"
#include "linalg/dense.h"

#include <math.h>
#include <string.h>

/* What a caller gets is the first field. */
typedef struct owned_rows {
  thud_critical found;
  thud_context *context;
  thud_critical_row rows[THUD_CRITICAL_IDS];
  signed char *modes; /* [THUD_CRITICAL_IDS*contacts] */
} owned_rows;

static const char NOT_DEFINITE[] = "K is only positive semidefinite: a motion without stiffness is left";
static const char NOT_KNOWN[] = "no exact value is known for several contacts in space";

void thud_critical_one_contact(const thud_critical_work *work, double *K_T, double *w) {
  size_t t = (size_t)work->components - 1;
  for (size_t j = 0; j < t; j++) {
    w[j] = thud_critical_entry(work, 1 + j, 0);
    for (size_t i = 0; i < t; i++) K_T[i + j * t] = thud_critical_entry(work, 1 + i, 1 + j);
  }
}

/* ---- checks --------------------------------------------------------------------------------------------------- */

static thud_error check_sizes(thud_context *context, thud_index contacts, thud_index components) {
  if (components < 1 || components > 3)
    return thud_fail(context, THUD_ERROR_DIMENSION,
                     "critical coefficients: %d components per contact; 1, 2 (plane) or 3 (space)", (int)components);
  if (contacts < 1)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "critical coefficients: %d contacts; at least 1", (int)contacts);
  if (contacts > THUD_CRITICAL_MAX_SIZE / components)
    return thud_fail(context, THUD_ERROR_UNSUPPORTED,
                     "critical coefficients: %d contacts of %d components; K may have %d rows at most", (int)contacts,
                     (int)components, (int)THUD_CRITICAL_MAX_SIZE);
  return THUD_OK;
}

static thud_error check_ratios(thud_context *context, thud_index contacts, const double *ratio) {
  double largest = 0;
  for (thud_index i = 0; i < contacts; i++) {
    if (!(ratio[i] >= 0 && ratio[i] <= 1))
      return thud_fail(context, isfinite(ratio[i]) ? THUD_ERROR_ARGUMENT : THUD_ERROR_NOT_FINITE,
                       "critical coefficients: ratio %g of contact %d is not in [0, 1]; it is mu_i / max mu", ratio[i],
                       (int)i);
    largest = fmax(largest, ratio[i]);
  }
  if (largest != 1)
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "critical coefficients: the largest ratio is %g; divide the coefficients by their largest one",
                     largest);
  return THUD_OK;
}

/* scaled[m*m] = (K + K')/2; *size = max |K_ij|. */
static thud_error check_matrix(const thud_critical_work *work, const double *K, double *scaled, double *size) {
  thud_index m = work->size;
  double largest = 0;
  for (thud_index j = 0; j < m; j++)
    for (thud_index i = 0; i < m; i++) {
      if (!isfinite(K[thud_at(m, i, j)]))
        return thud_fail(work->context, THUD_ERROR_NOT_FINITE, "critical coefficients: K(%d, %d) is %g", (int)i, (int)j,
                         K[thud_at(m, i, j)]);
      largest = fmax(largest, fabs(K[thud_at(m, i, j)]));
    }
  for (thud_index j = 0; j < m; j++)
    for (thud_index i = 0; i < m; i++) {
      double above = K[thud_at(m, i, j)], below = K[thud_at(m, j, i)];
      if (fabs(above / 2 - below / 2) > work->options.tolerance * largest / 2)
        return thud_fail(work->context, THUD_ERROR_NOT_SPD,
                         "critical coefficients: K is not symmetric: K(%d, %d) = %.17g, K(%d, %d) = %.17g", (int)i,
                         (int)j, above, (int)j, (int)i, below);
      scaled[thud_at(m, i, j)] = above / 2 + below / 2;
    }
  *size = largest;
  return THUD_OK;
}

/* Eigenvalues of K, and K scaled to the largest one 1. */
static thud_error examine_matrix(thud_critical_work *work, const double *K, double *scaled, thud_critical *found) {
  size_t m = (size_t)work->size, count = m * m;
  double size = 0;
  thud_error error = check_matrix(work, K, scaled, &size);
  if (error != THUD_OK) return error;
  double *values = THUD_NEW_ARRAY(work->context, double, m);
  if (values == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < count && size > 0; k++) scaled[k] /= size; /* entries of any unit can be squared */
  error = thud_dense_eigen_symmetric(work->context, work->size, scaled, values, NULL);
  double smallest = values[0], largest = values[m - 1];
  thud_free(work->context, values);
  if (error != THUD_OK) return error;
  if (smallest < -work->options.tolerance * largest)
    return thud_fail(work->context, THUD_ERROR_NOT_SPD,
                     "critical coefficients: K is indefinite: its eigenvalues reach from %g to %g", smallest * size,
                     largest * size);
  for (size_t k = 0; k < count && largest > 0; k++) scaled[k] /= largest;
  found->smallest = smallest * size;
  found->largest = largest * size;
  found->definite = work->definite = smallest > work->options.tolerance * largest;
  work->smallest = work->definite ? smallest / largest : 0;
  work->K = scaled;
  return THUD_OK;
}

/* ---- rows ------------------------------------------------------------------------------------------------------ */

static void start_rows(const thud_critical_work *work, thud_critical_row *rows) {
  for (thud_critical_id id = 0; id < THUD_CRITICAL_IDS; id++) {
    thud_critical_row *row = &rows[id];
    bool vanishes =
        id == THUD_CRITICAL_RATE_SUFFICIENT || id == THUD_CRITICAL_CONTRACTION || id == THUD_CRITICAL_EVOLUTION;
    *row = (thud_critical_row){.id = id, .guarantees = thud_critical_guarantee(id)};
    row->vanishes_with_mesh = vanishes && work->options.continuum;
    row->kind =
        id == THUD_CRITICAL_RATE || id == THUD_CRITICAL_WEDGING ? THUD_CRITICAL_EXACT : THUD_CRITICAL_SUFFICIENT;
    if (!work->definite && id != THUD_CRITICAL_WEDGING) row->reason = NOT_DEFINITE;
  }
}

/* The rows that need a definite K. The all-open state K u' = f' has no or many rates for a singular K: there the value
 * 0 of THUD_CRITICAL_RATE is exact. */
static thud_error fill_definite(const thud_critical_work *work, thud_critical_row *rows) {
  thud_critical_row *rate = &rows[THUD_CRITICAL_RATE], *evolution = &rows[THUD_CRITICAL_EVOLUTION];
  bool one = work->contacts == 1;
  rows[THUD_CRITICAL_STATIC].kind = THUD_CRITICAL_EXACT;
  rows[THUD_CRITICAL_STATIC].value = rows[THUD_CRITICAL_STATIC].low = INFINITY;
  thud_error error = thud_critical_rate_sufficient(work, &rows[THUD_CRITICAL_RATE_SUFFICIENT]);
  if (error == THUD_OK) error = thud_critical_contraction(work, &rows[THUD_CRITICAL_CONTRACTION]);
  if (error != THUD_OK) return error;
  /* One contact: condition (7), the same as that of the contraction. Several: Cocu, Pratt and Raous's, a norm. */
  evolution->value = evolution->low = rows[one ? THUD_CRITICAL_CONTRACTION : THUD_CRITICAL_RATE_SUFFICIENT].value;
  if (one) return thud_critical_rate_one(work, rate);
  rate->low = rows[THUD_CRITICAL_RATE_SUFFICIENT].value;
  if (work->components == 2) return thud_critical_rate_plane(work, rate);
  rate->kind = THUD_CRITICAL_UNKNOWN;
  rate->value = NAN;
  rate->reason = NOT_KNOWN;
  return THUD_OK;
}

/* A self-stress has r_T = mu D R r_N with |D_ii| <= 1: det(K_TT - mu D R K_NT) = 0, so that some determinant with signs is
 * not positive: rates are lost from its mu on, at the latest. */
static void bound_rate(const thud_critical_row *wedging, thud_critical_row *rate) {
  if (rate->kind != THUD_CRITICAL_SAMPLED || !(wedging->value < rate->value)) return;
  rate->value = wedging->value;
  rate->modes = NULL;
}

static thud_error fill_rows(const thud_critical_work *work, thud_critical_row *rows) {
  start_rows(work, rows);
  thud_error error = work->definite ? fill_definite(work, rows) : THUD_OK;
  if (error != THUD_OK) return error;
  thud_critical_row *wedging = &rows[THUD_CRITICAL_WEDGING];
  /* A self-stress u has lmin |u|^2 <= u.Ku = u_T.r_T <= mu |u| |R K_N u|, and is a second solution beside 0. */
  wedging->low = fmax(rows[THUD_CRITICAL_RATE_SUFFICIENT].value, rows[THUD_CRITICAL_CONTRACTION].value);
  if (work->contacts == 1) return thud_critical_wedging_one(work, wedging);
  error = thud_critical_wedging_several(work, wedging);
  if (error == THUD_OK) bound_rate(wedging, &rows[THUD_CRITICAL_RATE]);
  return error;
}

/* ---- the whole ------------------------------------------------------------------------------------------------- */

static thud_error find(thud_critical_work *work, const double *K, const double *ratio, owned_rows *owned) {
  size_t n = (size_t)work->contacts, m = (size_t)work->size;
  double *scaled = THUD_NEW_ARRAY(work->context, double, m *m);
  double *ones = THUD_NEW_ARRAY(work->context, double, n);
  owned->modes = THUD_NEW_ARRAY(work->context, signed char, n *THUD_CRITICAL_IDS);
  bool made = scaled != NULL && ones != NULL && owned->modes != NULL;
  thud_error error = made ? examine_matrix(work, K, scaled, &owned->found) : THUD_ERROR_MEMORY;
  if (error == THUD_OK && work->components > 1) {
    for (size_t i = 0; i < n; i++) ones[i] = 1;
    work->ratio = ratio != NULL ? ratio : ones;
    work->modes = owned->modes;
    error = fill_rows(work, owned->rows);
    owned->found.row_count = THUD_CRITICAL_IDS;
    owned->found.rows = owned->rows;
  }
  thud_free(work->context, ones);
  thud_free(work->context, scaled);
  return error;
}

thud_error thud_critical_find(thud_context *context, thud_index contacts, thud_index components, const double *K,
                              const double *ratio, const thud_critical_options *options, thud_critical **critical) {
  THUD_REQUIRE(context, context, K, critical);
  thud_critical_work work = {.context = context, .contacts = contacts, .components = components};
  thud_error error = thud_options_take(context, thud_critical_option_table(), options, &work.options);
  if (error == THUD_OK) error = check_sizes(context, contacts, components);
  if (error == THUD_OK && ratio != NULL) error = check_ratios(context, contacts, ratio);
  if (error != THUD_OK) return error;
  work.size = contacts * components;
  owned_rows *owned = THUD_NEW(context, owned_rows);
  if (owned == NULL) return THUD_ERROR_MEMORY;
  owned->context = context;
  owned->found.contacts = contacts;
  owned->found.components = components;
  error = find(&work, K, ratio, owned);
  if (error == THUD_OK)
    *critical = &owned->found;
  else
    thud_critical_destroy(&owned->found);
  return error;
}

void thud_critical_destroy(thud_critical *critical) {
  if (critical == NULL) return;
  owned_rows *owned = (owned_rows *)(void *)critical;
  thud_context *context = owned->context;
  thud_free(context, owned->modes);
  thud_free(context, owned);
}

const thud_critical_row *thud_critical_get(const thud_critical *critical, thud_critical_id id) {
  THUD_REQUIRE_OR(NULL, critical);
  return (size_t)id < critical->row_count ? &critical->rows[id] : NULL;
}
