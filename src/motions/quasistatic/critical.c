/* Critical coefficients of friction: checks, the eigenvalues of K, the rows one after the other, their texts, and the rows
 * that have closed forms or norms. */
#include "base/base.h"
#include "linalg/dense.h"
#include "motions/quasistatic/critical.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
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

/* ---- checks ------------------------------------------------------------------------------------------------------ */

static thud_error check_sizes(thud_context *context, thud_index contacts, thud_index components) {
  if (components < 1 || components > 3)
    return thud_fail(context, THUD_ERROR_DIMENSION,
                     "[no-power-series] critical coefficients: %d components per contact; 1, 2 (plane) or 3 (space)",
                     (int)components);
  if (contacts < 1)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[no-power-series] critical coefficients: %d contacts; at least 1",
                     (int)contacts);
  if (contacts > THUD_CRITICAL_MAX_SIZE / components)
    return thud_fail(
        context, THUD_ERROR_UNSUPPORTED,
        "[no-power-series] critical coefficients: %d contacts of %d components; K may have %d rows at most",
        (int)contacts, (int)components, (int)THUD_CRITICAL_MAX_SIZE);
  return THUD_OK;
}

static thud_error check_ratios(thud_context *context, thud_index contacts, const double *ratio) {
  double largest = 0;
  for (thud_index i = 0; i < contacts; i++) {
    if (!(ratio[i] >= 0 && ratio[i] <= 1))
      return thud_fail(
          context, isfinite(ratio[i]) ? THUD_ERROR_ARGUMENT : THUD_ERROR_NOT_FINITE,
          "[no-power-series] critical coefficients: ratio %g of contact %d is not in [0, 1]; it is mu_i / max mu",
          ratio[i], (int)i);
    largest = fmax(largest, ratio[i]);
  }
  if (largest != 1)
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "[no-power-series] critical coefficients: the largest ratio is %g; divide the coefficients by "
                     "their largest one",
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
        return thud_fail(work->context, THUD_ERROR_NOT_FINITE,
                         "[no-power-series] critical coefficients: K(%d, %d) is %g", (int)i, (int)j,
                         K[thud_at(m, i, j)]);
      largest = fmax(largest, fabs(K[thud_at(m, i, j)]));
    }
  for (thud_index j = 0; j < m; j++)
    for (thud_index i = 0; i < m; i++) {
      double above = K[thud_at(m, i, j)], below = K[thud_at(m, j, i)];
      if (fabs(above / 2 - below / 2) > work->options.tolerance * largest / 2)
        return thud_fail(
            work->context, THUD_ERROR_NOT_SPD,
            "[no-power-series] critical coefficients: K is not symmetric: K(%d, %d) = %.17g, K(%d, %d) = %.17g", (int)i,
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
                     "[not-held] critical coefficients: K is indefinite: its eigenvalues reach from %g to %g",
                     smallest * size, largest * size);
  for (size_t k = 0; k < count && largest > 0; k++) scaled[k] /= largest;
  found->smallest = smallest * size;
  found->largest = largest * size;
  found->definite = work->definite = smallest > work->options.tolerance * largest;
  work->smallest = work->definite ? smallest / largest : 0;
  work->K = scaled;
  return THUD_OK;
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

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

/* ---- the whole --------------------------------------------------------------------------------------------------- */

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

/* ---- options and names ------------------------------------------------------------------------------------------- */

#define FIELD(name) offsetof(thud_critical_options, name)

static const thud_option_key keys[] = {
    {"tolerance", THUD_OPTION_REAL, FIELD(tolerance), 1e-12, 0, 1e-3, false, NULL, "1",
     "eigenvalues and asymmetry of the stiffness up to this part of the largest count as 0"},
    {"exact_contacts", THUD_OPTION_INT, FIELD(exact_contacts), 9, 0, 12, false, NULL, "1",
     "all combinations of modes up to so many contacts"},
    {"samples", THUD_OPTION_INT, FIELD(samples), 20000, 0, INFINITY, false, NULL, "1",
     "combinations of modes with more contacts, at random with a fixed seed"},
    {"continuum", THUD_OPTION_BOOL, FIELD(continuum), 0, 0, 1, false, NULL, "",
     "the stiffness comes from a discretised continuum: mark coefficients that vanish with the mesh"},
};

static const thud_option_table table = {.name = "critical coefficients",
                                        .struct_size = sizeof(thud_critical_options),
                                        .keys = keys,
                                        .count = sizeof keys / sizeof *keys};

const thud_option_table *thud_critical_option_table(void) { return &table; }

const char *thud_critical_name(thud_critical_id id) {
  switch (id) {
  case THUD_CRITICAL_STATIC: return "static-existence";
  case THUD_CRITICAL_EVOLUTION: return "evolution-existence";
  case THUD_CRITICAL_RATE_SUFFICIENT: return "rate-sufficient";
  case THUD_CRITICAL_RATE: return "rate";
  case THUD_CRITICAL_CONTRACTION: return "contraction";
  case THUD_CRITICAL_WEDGING: return "wedging";
  case THUD_CRITICAL_IDS: break;
  }
  return "unknown";
}

const char *thud_critical_guarantee(thud_critical_id id) {
  switch (id) {
  case THUD_CRITICAL_STATIC: return "a static solution for every load";
  case THUD_CRITICAL_EVOLUTION: return "an evolution for every load history";
  case THUD_CRITICAL_RATE_SUFFICIENT:
  case THUD_CRITICAL_RATE: return "one rate solution for every load";
  case THUD_CRITICAL_CONTRACTION: return "one static solution for every load, by a contracting iteration";
  case THUD_CRITICAL_WEDGING: return "no wedging (reactions that hold themselves without load)";
  case THUD_CRITICAL_IDS: break;
  }
  return "";
}

const char *thud_critical_kind_name(thud_critical_kind kind) {
  switch (kind) {
  case THUD_CRITICAL_EXACT: return "exact";
  case THUD_CRITICAL_SUFFICIENT: return "sufficient";
  case THUD_CRITICAL_SAMPLED: return "sampled";
  case THUD_CRITICAL_UNKNOWN: break;
  }
  return "unknown";
}

/* ---- sentences --------------------------------------------------------------------------------------------------- */

enum { DIGITS = 6, PIECE = 200 };

/* "mu < 0.572364 (exact)" and its special cases. */
static void describe_value(const thud_critical_row *row, char *piece) {
  char value[THUD_DOUBLE_CAPACITY], low[THUD_DOUBLE_CAPACITY];
  const char *kind = thud_critical_kind_name(row->kind);
  thud_format_digits(row->value, DIGITS, value, sizeof value);
  thud_format_digits(row->low, DIGITS, low, sizeof low);
  if (row->kind == THUD_CRITICAL_UNKNOWN)
    snprintf(piece, PIECE, "mu < %s, the critical value is not known", low);
  else if (row->kind == THUD_CRITICAL_SAMPLED && isinf(row->value))
    snprintf(piece, PIECE, "mu < %s; nothing against it was found above (%s)", low, kind);
  else if (row->kind == THUD_CRITICAL_SAMPLED)
    snprintf(piece, PIECE, "mu < %s, lost from %s on (%s, undecided between)", low, value, kind);
  else if (isinf(row->value))
    snprintf(piece, PIECE, "every mu (%s)", kind);
  else if (row->value == 0)
    snprintf(piece, PIECE, "for no mu (%s)", kind);
  else
    snprintf(piece, PIECE, "mu < %s (%s)", value, kind);
}

/* "mu = 0.3 is below" and its relatives. */
static void describe_mu(const thud_critical_row *row, double mu, char *piece) {
  char text[THUD_DOUBLE_CAPACITY];
  const char *finding = "is not decided";
  thud_format_digits(mu, DIGITS, text, sizeof text);
  if (mu < row->low)
    finding = "is below";
  else if (row->kind == THUD_CRITICAL_SUFFICIENT)
    finding = "is not below: nothing is guaranteed";
  else if (mu >= row->value)
    finding = "is not below: it is lost";
  snprintf(piece, PIECE, "; mu = %s %s", text, finding);
}

size_t thud_critical_describe(const thud_critical_row *row, double mu, char *buffer, size_t size) {
  THUD_REQUIRE_OR(0, row, size == 0 || buffer);
  char value[PIECE], finding[PIECE] = "";
  const char *mesh = row->vanishes_with_mesh ? "; the stiffness comes from a discretised continuum, and this "
                                               "coefficient vanishes as the mesh is refined"
                                             : "";
  describe_value(row, value);
  if (!isnan(mu) && !isinf(row->low)) describe_mu(row, mu, finding);
  int length = snprintf(buffer, size, "%s: %s%s%s%s%s", row->guarantees != NULL ? row->guarantees : "", value,
                        row->reason != NULL ? ": " : "", row->reason != NULL ? row->reason : "", finding, mesh);
  return length > 0 ? (size_t)length : 0;
}

/* ---- norms ------------------------------------------------------------------------------------------------------- */

/* Coefficients by norms, sufficient and quick for any number of contacts.
 *
 * Rates. Two rate solutions differ by d with d.Kd <= sum_i mu_i |(K_N d)_i| |d_Ti| <= mu |R K_N| |d|^2, K_N the N rows
 * of K, R = diag(ratio): none besides d = 0 when mu < lmin(K)/|R K_N|. One contact: condition (5).
 *
 * Static map. With thresholds G on |r_T| the static problem has one solution; two thresholds give |d|_K^2 <= |dG||d_T|,
 * |d_T|^2 <= lmax((K^-1)_TT) |d|_K^2 and |R dr_N|^2 = |R K_N d|^2 <= lmax(R K_NN R) |d|_K^2 (K_N K^-1 K_N' = K_NN): the
 * map G -> mu R r_N has the Lipschitz constant mu sqrt(lmax(R K_NN R) lmax((K^-1)_TT)). One contact: condition (7),
 * mu < sqrt(lmin(K_T)/(w.K_T^-1 w)), is larger. */

static thud_error largest_eigenvalue(thud_context *context, thud_index n, const double *A, double *largest) {
  double *values = THUD_NEW_ARRAY(context, double, n);
  if (values == NULL) return THUD_ERROR_MEMORY;
  thud_error error = thud_dense_eigen_symmetric(context, n, A, values, NULL);
  *largest = values[n - 1];
  thud_free(context, values);
  return error;
}

/* rows[n*m] (column-major) = R K_N. */
static double *normal_rows(const thud_critical_work *work) {
  thud_index n = work->contacts, m = work->size;
  double *rows = THUD_NEW_ARRAY(work->context, double, (size_t)n *(size_t)m);
  for (thud_index j = 0; rows != NULL && j < m; j++)
    for (thud_index i = 0; i < n; i++)
      rows[thud_at(n, i, j)] = work->ratio[i] * thud_critical_entry(work, thud_critical_index(work, i, 0), (size_t)j);
  return rows;
}

thud_error thud_critical_rate_sufficient(const thud_critical_work *work, thud_critical_row *row) {
  thud_index n = work->contacts;
  double *rows = normal_rows(work), *square = THUD_NEW_ARRAY(work->context, double, (size_t)n *(size_t)n), largest = 0;
  thud_error error = THUD_ERROR_MEMORY;
  if (rows != NULL && square != NULL) {
    thud_dense_multiply(n, n, work->size, 1, rows, false, rows, true, 0, square);
    error = largest_eigenvalue(work->context, n, square, &largest);
  }
  if (error == THUD_OK) row->value = row->low = work->smallest / sqrt(largest);
  thud_free(work->context, square);
  thud_free(work->context, rows);
  return error;
}

/* Condition (7) of one contact. */
static thud_error contraction_one(const thud_critical_work *work, thud_critical_row *row) {
  thud_index t = work->components - 1;
  double K_T[4] = {0}, w[2], values[2], vectors[4], compliance = 0;
  thud_critical_one_contact(work, K_T, w);
  thud_error error = thud_dense_eigen_symmetric(work->context, t, K_T, values, vectors);
  if (error != THUD_OK) return error;
  for (thud_index k = 0; k < t; k++) {
    double along = 0;
    for (thud_index i = 0; i < t; i++) along += vectors[thud_at(t, i, k)] * w[i];
    compliance += along * along / values[k];
  }
  row->value = row->low = sqrt(values[0] / compliance); /* INFINITY without coupling */
  return THUD_OK;
}

/* *largest = lmax((K^-1)_TT) = lmax(X'X), L X = the T columns of the identity, K = LL'. */
static thud_error tangential_compliance(const thud_critical_work *work, double *largest) {
  thud_context *context = work->context;
  thud_index m = work->size, t = m - work->contacts;
  double *L = THUD_NEW_ARRAY(context, double, (size_t)m *(size_t)m);
  double *X = THUD_NEW_ARRAY(context, double, (size_t)m *(size_t)t);
  double *square = THUD_NEW_ARRAY(context, double, (size_t)t *(size_t)t);
  thud_error error = L != NULL && X != NULL && square != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  if (error == THUD_OK) {
    memcpy(L, work->K, (size_t)m * (size_t)m * sizeof *L);
    error = thud_dense_cholesky(context, m, L, NULL);
  }
  if (error == THUD_OK) {
    thud_index column = 0;
    for (thud_index k = 0; k < m; k++)
      if (k % work->components != 0) {
        X[thud_at(m, k, column)] = 1;
        thud_dense_solve_lower(m, L, false, X + thud_at(m, 0, column++));
      }
    thud_dense_multiply(t, t, m, 1, X, true, X, false, 0, square);
    error = largest_eigenvalue(context, t, square, largest);
  }
  thud_free(context, square);
  thud_free(context, X);
  thud_free(context, L);
  return error;
}

thud_error thud_critical_contraction(const thud_critical_work *work, thud_critical_row *row) {
  if (work->contacts == 1) return contraction_one(work, row);
  thud_index n = work->contacts;
  double normal = 0, tangential = 0;
  double *K_NN = THUD_NEW_ARRAY(work->context, double, (size_t)n *(size_t)n);
  if (K_NN == NULL) return THUD_ERROR_MEMORY;
  for (thud_index j = 0; j < n; j++)
    for (thud_index i = 0; i < n; i++)
      K_NN[thud_at(n, i, j)] =
          work->ratio[i] * work->ratio[j] *
          thud_critical_entry(work, thud_critical_index(work, i, 0), thud_critical_index(work, j, 0));
  thud_error error = largest_eigenvalue(work->context, n, K_NN, &normal);
  thud_free(work->context, K_NN);
  if (error == THUD_OK) error = tangential_compliance(work, &tangential);
  if (error == THUD_OK) row->value = row->low = 1 / sqrt(normal * tangential);
  return error;
}

/* ---- one contact ------------------------------------------------------------------------------------------------- */

/* One contact: closed forms. K = [k_N, w'; w, K_T].
 *
 * Rates. Loaded on its cone with r_T = mu r_N e, slip u_T' = -g e: D_e g + (e.f_T' - mu f_N') = the distance by which
 * r' stays inside, D_e = e.K_T e - mu w.e. One solution for every load iff D_e > 0 for every unit e: the critical mu is
 * the least e.K_T e/(w.e) over w.e > 0; in the plane k_T/|w|, condition (6).
 *
 * Wedging. r = K (0, u_T) lies in the cone iff |x| <= mu w.K_T^-1 x for x = K_T u_T: for some x from mu = 1/|K_T^-1 w|
 * on, first for x along K_T^-1 w. A null vector of K_T is orthogonal to w (K is semidefinite): its part is left out. */

/* e.K_T e/(w.e) in the eigenvectors of K_T (values a <= b), signs chosen so that w = (w1, w2) >= 0: the least one then
 * has e = (cos q, sin q), q in [0, pi/2] (turning a negative component over makes w.e larger). */
typedef struct quotient {
  double a, b, w1, w2;
} quotient;

static double quotient_value(const quotient *q, double angle) {
  double c = cos(angle), s = sin(angle), below = q->w1 * c + q->w2 * s;
  return below > 0 ? (q->a * c * c + q->b * s * s) / below : INFINITY;
}

/* Sign of the derivative: the numerator N'D - N D'. */
static double quotient_slope(const quotient *q, double angle) {
  double c = cos(angle), s = sin(angle);
  return 2 * (q->b - q->a) * s * c * (q->w1 * c + q->w2 * s) - (q->a * c * c + q->b * s * s) * (q->w2 * c - q->w1 * s);
}

/* The slope is c^3 times the cubic b w1 t^3 + (b-2a) w2 t^2 + (2b-a) w1 t - a w2 of t = tan q, which has one root t > 0:
 * one change of sign for b >= 2a; otherwise three roots need a positive local maximum, hence 3a(2a-b)/(2b-a)^2 <
 * (w1/w2)^2 < (2a-b)^2/(3b(2b-a)), hence 9ab < (2a-b)(2b-a), which no positive a, b satisfy. Halved to rounding. */
static double quotient_least(const quotient *q, double *angle) {
  double low = 0, high = acos(0);
  for (;;) {
    double middle = low + (high - low) / 2;
    if (!(middle > low && middle < high)) break;
    if (quotient_slope(q, middle) < 0)
      low = middle;
    else
      high = middle;
  }
  *angle = quotient_value(q, low) < quotient_value(q, high) ? low : high;
  return quotient_value(q, *angle);
}

static thud_error rate_space(const thud_critical_work *work, thud_critical_row *row) {
  double K_T[4] = {0}, w[2], values[2], v[4], along[2], angle = 0;
  thud_critical_one_contact(work, K_T, w);
  thud_error error = thud_dense_eigen_symmetric(work->context, 2, K_T, values, v);
  if (error != THUD_OK) return error;
  for (size_t k = 0; k < 2; k++) along[k] = v[2 * k] * w[0] + v[2 * k + 1] * w[1];
  quotient q = {.a = values[0], .b = values[1], .w1 = fabs(along[0]), .w2 = fabs(along[1])};
  row->value = row->low = quotient_least(&q, &angle);
  double e1 = copysign(cos(angle), along[0]), e2 = copysign(sin(angle), along[1]);
  if (isfinite(row->value))
    for (size_t i = 0; i < 2; i++) row->direction[i] = e1 * v[i] + e2 * v[2 + i];
  return THUD_OK;
}

static void mark_slip(const thud_critical_work *work, thud_critical_row *row, signed char mode) {
  signed char *modes = thud_critical_modes(work, row->id);
  modes[0] = mode;
  row->modes = modes;
}

thud_error thud_critical_rate_one(const thud_critical_work *work, thud_critical_row *row) {
  if (work->components == 3) {
    thud_error error = rate_space(work, row);
    if (error == THUD_OK && isfinite(row->value)) mark_slip(work, row, THUD_CRITICAL_SLIP);
    return error;
  }
  double k_T, w;
  thud_critical_one_contact(work, &k_T, &w);
  row->value = row->low = k_T / fabs(w);
  if (w != 0) mark_slip(work, row, w > 0 ? THUD_CRITICAL_FORWARD : THUD_CRITICAL_BACKWARD);
  return THUD_OK;
}

thud_error thud_critical_wedging_one(const thud_critical_work *work, thud_critical_row *row) {
  thud_index t = work->components - 1;
  double K_T[4] = {0}, w[2], values[2], v[4], x[2] = {0};
  thud_critical_one_contact(work, K_T, w);
  thud_error error = thud_dense_eigen_symmetric(work->context, t, K_T, values, v);
  if (error != THUD_OK) return error;
  for (thud_index k = 0; k < t; k++) {
    if (!(values[k] > work->options.tolerance)) continue;
    double along = 0;
    for (thud_index i = 0; i < t; i++) along += v[thud_at(t, i, k)] * w[i];
    for (thud_index i = 0; i < t; i++) x[i] += v[thud_at(t, i, k)] * along / values[k];
  }
  double norm = hypot(x[0], x[1]);
  row->value = row->low = 1 / norm;
  if (!isfinite(row->value)) return THUD_OK;
  if (t == 2)
    for (size_t i = 0; i < 2; i++) row->direction[i] = x[i] / norm;
  mark_slip(work, row, t == 2 ? THUD_CRITICAL_SLIP : x[0] > 0 ? THUD_CRITICAL_FORWARD : THUD_CRITICAL_BACKWARD);
  return THUD_OK;
}
