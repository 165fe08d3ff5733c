/* All solutions of small problems.
 *
 * LCPs go to the enumeration of complementary bases in pivot. A planar friction problem is enumerated over its modes,
 * four per contact:
 *   open    r = 0,                      u_N >= 0
 *   stick   u = 0,                      |r_T| <= mu r_N
 *   slip +  u_N = 0, r_T = -mu r_N,     u_T >= 0, r_N >= 0
 *   slip -  u_N = 0, r_T = +mu r_N,     u_T <= 0, r_N >= 0
 * Within a mode everything is linear in the unknowns y (r_N of a slipping contact, r_N and r_T of a sticking one, the
 * multipliers l of bilateral rows): A y = b and inequalities G y <= h. A regular A gives at most one solution; a
 * singular one a polyhedron, which is empty, a point, or a continuum of solutions (J.J. Moreau; Klarbring's examples).
 */
#include "solve/enumerate.h"
#include "base/base.h"

#include <math.h>
#include <string.h>

enum { OPEN, STICK, SLIP_PLUS, SLIP_MINUS };
enum { MAX_UNKNOWNS = 2 * THUD_ENUMERATE_MAX_CONTACTS + THUD_ENUMERATE_MAX_ROWS };

typedef struct enumeration {
  thud_context *context;
  const thud_contact_problem *local; /* W, V, R dense */
  thud_index contacts, rows, size;   /* rows: bilateral */
  double tolerance;                  /* relative to scale */
  double scale;                      /* |load| or 1 */
  double *full;                      /* [order*order] [[W, V], [V', R]] column-major, order = size + rows */
  double *load;                      /* [order] (q, s) */
  double *unit;                      /* [order] see choose_units */
  double load_unit;
  thud_index order;
  int mode[THUD_ENUMERATE_MAX_CONTACTS];
  thud_index unknowns; /* of the mode */
  double *basis;       /* [order*order] (r, l) = basis y, column-major order x unknowns */
  double *A, *b, *y;   /* mode's equations: unknowns square, right side, solution */
  double *G, *h;       /* inequalities G y <= h, row-major, at most 3 per contact */
  thud_index inequalities;
  double *x, *u; /* [order] (r, l) and velocities of a candidate */
  thud_polyhedron_projector *projector;
  double *rows_A, *rows_b; /* equations and inequalities for the projector */
  /* what was found */
  size_t count, capacity;
  double *found;  /* [capacity * 2*size] r, u */
  bool *isolated; /* [capacity] */
  size_t continuum_count, continuum_capacity;
  int (*continua)[THUD_ENUMERATE_MAX_CONTACTS]; /* modes whose solutions form a continuum */
} enumeration;

/* ---- one mode ------------------------------------------------------------------------------------------------ */

static double entry(const enumeration *e, thud_index i, thud_index j) {
  return e->full[(size_t)i + (size_t)j * (size_t)e->order];
}

static void add_unknown(enumeration *e, thud_index row, double value, thud_index second_row, double second) {
  double *column = e->basis + (size_t)e->unknowns * (size_t)e->order;
  memset(column, 0, (size_t)e->order * sizeof *column);
  column[row] = value;
  if (second_row >= 0) column[second_row] = second;
  e->unknowns++;
}

/* Columns of (r, l) = basis y, and the rows of u that vanish, in the same order. */
static void choose_unknowns(enumeration *e, thud_index *zero_rows) {
  e->unknowns = 0;
  for (thud_index k = 0; k < e->contacts; k++) {
    double mu = e->local->mu[k];
    thud_index normal = 2 * k, tangent = 2 * k + 1;
    if (e->mode[k] == OPEN) continue;
    zero_rows[e->unknowns] = normal;
    if (e->mode[k] == STICK) {
      add_unknown(e, normal, 1, -1, 0);
      zero_rows[e->unknowns] = tangent;
      add_unknown(e, tangent, 1, -1, 0);
    } else {
      add_unknown(e, normal, 1, tangent, e->mode[k] == SLIP_PLUS ? -mu : mu);
    }
  }
  for (thud_index k = 0; k < e->rows; k++) {
    zero_rows[e->unknowns] = e->size + k;
    add_unknown(e, e->size + k, 1, -1, 0);
  }
}

/* Row i of u as an affine function of y: coefficient j. */
static double velocity_coefficient(const enumeration *e, thud_index i, thud_index j) {
  const double *column = e->basis + (size_t)j * (size_t)e->order;
  double sum = 0;
  for (thud_index k = 0; k < e->order; k++)
    if (column[k] != 0) sum += entry(e, i, k) * column[k];
  return sum;
}

/* sign * (row i of (r, l)) <= 0, or of u when velocity is true. */
static void add_inequality(enumeration *e, bool velocity, thud_index i, double sign) {
  double *row = e->G + (size_t)e->inequalities * (size_t)e->unknowns;
  for (thud_index j = 0; j < e->unknowns; j++)
    row[j] = sign * (velocity ? velocity_coefficient(e, i, j) : e->basis[(size_t)i + (size_t)j * (size_t)e->order]);
  e->h[e->inequalities++] = velocity ? -sign * e->load[i] : 0;
}

/* r_T <= mu r_N (sign 1) or -r_T <= mu r_N (sign -1). */
static void add_cone_side(enumeration *e, thud_index k, double sign) {
  double *row = e->G + (size_t)e->inequalities * (size_t)e->unknowns;
  for (thud_index j = 0; j < e->unknowns; j++) {
    const double *column = e->basis + (size_t)j * (size_t)e->order + 2 * (size_t)k;
    row[j] = sign * column[1] - e->local->mu[k] * column[0];
  }
  e->h[e->inequalities++] = 0;
}

static void state_mode(enumeration *e) {
  thud_index zero_rows[MAX_UNKNOWNS];
  choose_unknowns(e, zero_rows);
  for (thud_index j = 0; j < e->unknowns; j++) {
    for (thud_index i = 0; i < e->unknowns; i++)
      e->A[(size_t)i + (size_t)j * (size_t)e->unknowns] = velocity_coefficient(e, zero_rows[i], j);
    e->b[j] = -e->load[zero_rows[j]];
  }
  e->inequalities = 0;
  for (thud_index k = 0; k < e->contacts; k++) {
    thud_index normal = 2 * k, tangent = 2 * k + 1;
    if (e->mode[k] == OPEN) {
      add_inequality(e, true, normal, -1);
    } else if (e->mode[k] == STICK) {
      add_cone_side(e, k, 1);
      add_cone_side(e, k, -1);
      add_inequality(e, false, normal, -1);
    } else { /* both components of r are tiny only where (1 + mu) r_N is */
      add_inequality(e, false, normal, -(1 + e->local->mu[k]));
      if (e->local->mu[k] > 0) add_inequality(e, true, tangent, e->mode[k] == SLIP_PLUS ? -1 : 1);
    }
  }
}

/* ---- candidates ----------------------------------------------------------------------------------------------------
 */

/* Largest violation of the mode's equations and inequalities at y, rows scaled to unit length where they have one. */
static double violation(const enumeration *e, const double *y) {
  double worst = 0;
  for (thud_index i = 0; i < e->inequalities; i++) {
    const double *row = e->G + (size_t)i * (size_t)e->unknowns;
    double sum = -e->h[i];
    for (thud_index j = 0; j < e->unknowns; j++) sum += row[j] * y[j];
    worst = fmax(worst, sum);
  }
  return worst;
}

static void expand(enumeration *e, const double *y) {
  memset(e->x, 0, (size_t)e->order * sizeof(double));
  for (thud_index j = 0; j < e->unknowns; j++)
    for (thud_index i = 0; i < e->order; i++) e->x[i] += e->basis[(size_t)i + (size_t)j * (size_t)e->order] * y[j];
  memcpy(e->u, e->load, (size_t)e->order * sizeof(double));
  thud_dense_multiply_vector(e->order, e->order, e->full, false, 1, e->x, 1, e->u);
}

/* Size of the terms of row i of the velocities, |load| + sum |entries| |x|: rounding errors are parts of it, in any units. */
static double size_of_velocity(const enumeration *e, thud_index i) {
  double size = fabs(e->load[i]);
  for (thud_index j = 0; j < e->order; j++) size += fabs(entry(e, i, j) * e->x[j]);
  return size;
}

/* The tolerance of a mode is one number for all contacts, which says nothing about those that are small beside others
 * (bodies of very different masses, diagonal blocks that vanish). Checks the candidate in e->x, e->u contact by
 * contact: u and r may miss their signs and cone by LOOSE tolerances of what u is made of and of the impulses that make
 * such a u, or by rounding of the largest numbers. */
static bool is_true_at_every_contact(const enumeration *e) {
  const double LOOSE = 100, ROUNDING = 1e-13;
  double largest = e->scale;
  for (thud_index i = 0; i < e->order; i++) largest = fmax(largest, fabs(e->x[i]));
  for (thud_index k = 0; k < e->contacts; k++) {
    const double *r = e->x + 2 * (size_t)k, *u = e->u + 2 * (size_t)k;
    double mu = e->local->mu[k];
    double velocity = fmax(size_of_velocity(e, 2 * k), size_of_velocity(e, 2 * k + 1)), own = 0;
    for (thud_index i = 0; i < 4; i++) own = fmax(own, fabs(entry(e, 2 * k + i / 2, 2 * k + i % 2)));
    double u_limit = fmax(LOOSE * e->tolerance * velocity, ROUNDING * largest);
    double r_limit = own > 0 ? fmax(LOOSE * e->tolerance * velocity / own, ROUNDING * largest) : INFINITY;
    bool slips = e->mode[k] == SLIP_PLUS || e->mode[k] == SLIP_MINUS;
    double backwards = slips && mu > 0 ? (e->mode[k] == SLIP_PLUS ? -u[1] : u[1]) : 0;
    if (-u[0] > u_limit || backwards > u_limit || -r[0] > r_limit || fabs(r[1]) - mu * r[0] > (1 + mu) * r_limit)
      return false;
  }
  return true;
}

static bool same_point(const enumeration *e, const double *a, const double *b) {
  double difference = 0, size = 0;
  for (thud_index i = 0; i < 2 * e->size; i++) {
    difference = fmax(difference, fabs(a[i] - b[i]));
    size = fmax(size, fmax(fabs(a[i]), fabs(b[i])));
  }
  return difference <= 100 * e->tolerance * fmax(size, e->scale);
}

/* Keeps the candidate in e->x, e->u; a point met before is not isolated when either meeting says so. */
static thud_error keep(enumeration *e, bool isolated) {
  void *found = e->found;
  size_t width = 2 * (size_t)e->size, capacity = e->capacity;
  thud_error error =
      thud_array_reserve(e->context, &found, &capacity, e->count + 1, (width > 0 ? width : 1) * sizeof(double));
  e->found = found;
  if (error != THUD_OK) return error;
  if (capacity != e->capacity) {
    bool *flags = thud_realloc(e->context, e->isolated, capacity, sizeof(bool));
    if (flags == NULL) return THUD_ERROR_MEMORY;
    e->isolated = flags;
    e->capacity = capacity;
  }
  double *place = e->found + e->count * width;
  memcpy(place, e->x, (size_t)e->size * sizeof(double));
  memcpy(place + e->size, e->u, (size_t)e->size * sizeof(double));
  for (size_t k = 0; k < e->count; k++)
    if (same_point(e, e->found + k * width, place)) {
      e->isolated[k] = e->isolated[k] && isolated;
      return THUD_OK;
    }
  e->isolated[e->count++] = isolated;
  return THUD_OK;
}

/* ---- singular modes: a polyhedron of solutions
 * ------------------------------------------------------------------------ */

/* Rows of { A y = b, G y <= h } for the projector, whose dimension is the largest number of unknowns, order: columns
 * beyond the mode's own are zero. */
static thud_index stack_rows(enumeration *e) {
  size_t n = (size_t)e->unknowns, width = (size_t)e->order, inequalities = (size_t)e->inequalities;
  memset(e->rows_A, 0, (n + inequalities) * width * sizeof(double));
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++) e->rows_A[i * width + j] = e->A[i + j * n];
    e->rows_b[i] = e->b[i];
  }
  for (size_t i = 0; i < inequalities; i++) {
    memcpy(e->rows_A + (n + i) * width, e->G + i * n, n * sizeof(double));
    e->rows_b[n + i] = e->h[i];
  }
  return e->unknowns + e->inequalities;
}

/* The point[unknowns] of the polyhedron nearest to y[unknowns]; *feasible reports whether there is one. */
static thud_error nearest(enumeration *e, const double *y, double *point, bool *feasible) {
  double from[MAX_UNKNOWNS] = {0}, to[MAX_UNKNOWNS];
  size_t bytes = (size_t)e->unknowns * sizeof(double);
  memcpy(from, y, bytes);
  thud_pivot_info info;
  thud_error error = thud_polyhedron_project(e->projector, NULL, stack_rows(e), e->unknowns, e->rows_A, e->rows_b, from,
                                             e->tolerance, to, NULL, &info);
  if (error != THUD_OK) return error;
  if (info.status == THUD_PIVOT_LIMIT) /* not to be taken for a proof that there is no solution */
    return thud_fail(e->context, THUD_ERROR_NOT_CONVERGED,
                     "enumeration: a singular mode is neither consistent nor inconsistent to %g (violation %g): choose "
                     "a larger tolerance",
                     e->tolerance, info.primal_violation);
  *feasible = info.status == THUD_PIVOT_SOLVED;
  if (*feasible) memcpy(point, to, bytes);
  return THUD_OK;
}

/* A polyhedron is more than a point iff it reaches away from one of its points along some axis. Bilateral rows come
 * last and do not count: where only their multipliers are free, r and u are one solution. */
static thud_error is_continuum(enumeration *e, const double *point, bool *continuum) {
  double away[MAX_UNKNOWNS];
  double reached[MAX_UNKNOWNS];
  double size = e->scale;
  for (thud_index j = 0; j < e->unknowns; j++) size = fmax(size, fabs(point[j]));
  *continuum = false;
  thud_index impulses = e->unknowns - e->rows;
  for (thud_index j = 0; j < impulses; j++)
    for (int sign = -1; sign <= 1; sign += 2) {
      memcpy(away, point, (size_t)e->unknowns * sizeof(double));
      away[j] += sign * size;
      bool feasible;
      thud_error error = nearest(e, away, reached, &feasible);
      if (error != THUD_OK) return error;
      for (thud_index i = 0; i < impulses && feasible; i++)
        if (fabs(reached[i] - point[i]) > 1e3 * e->tolerance * size) *continuum = true;
      if (*continuum) return THUD_OK;
    }
  return THUD_OK;
}

static thud_error note_continuum(enumeration *e) {
  void *continua = e->continua;
  thud_error error =
      thud_array_reserve(e->context, &continua, &e->continuum_capacity, e->continuum_count + 1, sizeof *e->continua);
  e->continua = continua;
  if (error == THUD_OK) memcpy(e->continua[e->continuum_count++], e->mode, sizeof e->mode);
  return error;
}

static thud_error try_singular(enumeration *e) {
  bool feasible, continuum;
  memset(e->y, 0, (size_t)e->unknowns * sizeof(double));
  thud_error error = nearest(e, e->y, e->y, &feasible);
  if (error != THUD_OK || !feasible) return error;
  expand(e, e->y);
  if (!is_true_at_every_contact(e)) return THUD_OK;
  error = is_continuum(e, e->y, &continuum);
  if (error == THUD_OK && continuum) error = note_continuum(e);
  if (error != THUD_OK) return error;
  return keep(e, !continuum);
}

static thud_error try_mode(enumeration *e) {
  state_mode(e);
  memcpy(e->y, e->b, (size_t)e->unknowns * sizeof(double));
  thud_error error = e->unknowns > 0 ? thud_dense_solve(e->context, e->unknowns, e->A, 1, e->y) : THUD_OK;
  if (error == THUD_ERROR_SINGULAR) return try_singular(e);
  if (error != THUD_OK) return error;
  double size = e->scale;
  for (thud_index j = 0; j < e->unknowns; j++) size = fmax(size, fabs(e->y[j]));
  if (violation(e, e->y) > e->tolerance * size) return THUD_OK;
  expand(e, e->y);
  return is_true_at_every_contact(e) ? keep(e, true) : THUD_OK;
}

/* True when the impulses r solve the present mode. */
static bool solves_mode(enumeration *e, const double *r) {
  double size = e->scale;
  for (thud_index i = 0; i < e->size; i++) size = fmax(size, fabs(r[i]));
  thud_index unknown = 0;
  for (thud_index k = 0; k < e->contacts; k++) {
    if (e->mode[k] == OPEN) continue;
    const double *impulse = r + 2 * (size_t)k;
    e->y[unknown++] = impulse[0];
    if (e->mode[k] == STICK) e->y[unknown++] = impulse[1];
  }
  expand(e, e->y);
  double worst = violation(e, e->y);
  for (thud_index i = 0; i < e->size; i++) worst = fmax(worst, fabs(e->x[i] - r[i]));
  for (thud_index i = 0; i < e->unknowns; i++) {
    double defect = -e->b[i];
    for (thud_index j = 0; j < e->unknowns; j++) defect += e->A[(size_t)i + (size_t)j * (size_t)e->unknowns] * e->y[j];
    worst = fmax(worst, fabs(defect));
  }
  return worst <= 100 * e->tolerance * size;
}

/* A solution found by itself may be the end of a continuum that another mode describes. Only without bilateral rows,
 * whose multipliers are not kept. */
static thud_error join_continua(enumeration *e, const thud_stop *stop) {
  for (size_t c = 0; c < e->continuum_count && e->rows == 0; c++) {
    thud_error error = thud_stop_ask(e->context, stop, "enumeration");
    if (error != THUD_OK) return error;
    memcpy(e->mode, e->continua[c], sizeof e->mode);
    state_mode(e);
    for (size_t k = 0; k < e->count; k++)
      if (e->isolated[k]) e->isolated[k] = !solves_mode(e, e->found + k * 2 * (size_t)e->size);
  }
  return THUD_OK;
}

/* ---- the whole
 * ---------------------------------------------------------------------------------------------------------- */

/* Next mode vector; without friction slipping either way is one mode, and sticking is a part of it. */
static bool next_mode(enumeration *e) {
  for (thud_index k = 0; k < e->contacts; k++) {
    e->mode[k] = e->local->mu[k] == 0 && e->mode[k] == OPEN ? SLIP_PLUS : e->mode[k] + 1;
    int last = e->local->mu[k] == 0 ? SLIP_PLUS : SLIP_MINUS;
    if (e->mode[k] <= last) return true;
    e->mode[k] = OPEN;
  }
  return false;
}

/* Units in which the tolerance means the same for impulses and velocities and at every contact, powers of 2:
 * r_i = unit_i load_unit r_i', u_i = load_unit/unit_i u_i' makes diagonal blocks and load of size 1. The two components
 * of a contact have one unit, so that mu stays. */
static double unit_of_rows(const enumeration *e, thud_index first, thud_index count) {
  const double COUPLING = 0x1p-60; /* part of the couplings that a vanishing diagonal block is replaced by */
  double size = 0;
  for (thud_index i = first; i < first + count; i++)
    for (thud_index j = 0; j < e->order; j++) {
      bool own = j >= first && j < first + count;
      size = fmax(size, (own ? 1 : COUPLING) * fmax(fabs(entry(e, i, j)), fabs(entry(e, j, i))));
    }
  int exponent = 0;
  if (size > 0) frexp(size, &exponent);
  return ldexp(1, -exponent / 2);
}

static void choose_units(enumeration *e) {
  for (thud_index k = 0; k < e->contacts; k++) {
    double *unit = e->unit + 2 * (size_t)k;
    unit[0] = unit[1] = unit_of_rows(e, 2 * k, 2);
  }
  for (thud_index i = e->size; i < e->order; i++) e->unit[i] = unit_of_rows(e, i, 1);
  for (thud_index i = 0; i < e->order; i++) {
    e->load[i] *= e->unit[i];
    for (thud_index j = 0; j < e->order; j++)
      e->full[(size_t)i + (size_t)j * (size_t)e->order] *= e->unit[i] * e->unit[j];
  }
  int exponent = 0;
  double size = thud_norm2(e->context, (size_t)e->order, e->load);
  if (size > 0) frexp(size, &exponent);
  e->load_unit = ldexp(1, exponent);
  for (thud_index i = 0; i < e->order; i++) e->load[i] /= e->load_unit;
  e->scale = size > 0 ? size / e->load_unit : 1;
}

static thud_error make_room(enumeration *e) {
  thud_context *context = e->context;
  size_t n = (size_t)e->order, inequalities = 3 * (size_t)e->contacts;
  e->basis = THUD_NEW_ARRAY(context, double, n *n);
  e->unit = THUD_NEW_ARRAY(context, double, n);
  e->A = THUD_NEW_ARRAY(context, double, n *n);
  e->b = THUD_NEW_ARRAY(context, double, n);
  e->y = THUD_NEW_ARRAY(context, double, n);
  e->G = THUD_NEW_ARRAY(context, double, inequalities *n);
  e->h = THUD_NEW_ARRAY(context, double, inequalities);
  e->x = THUD_NEW_ARRAY(context, double, n);
  e->u = THUD_NEW_ARRAY(context, double, n);
  e->rows_A = THUD_NEW_ARRAY(context, double, (n + inequalities) * n);
  e->rows_b = THUD_NEW_ARRAY(context, double, n + inequalities);
  bool made = e->basis != NULL && e->A != NULL && e->b != NULL && e->y != NULL && e->G != NULL && e->h != NULL &&
              e->x != NULL && e->u != NULL && e->rows_A != NULL && e->rows_b != NULL && e->unit != NULL;
  return made ? THUD_OK : THUD_ERROR_MEMORY;
}

static void free_room(enumeration *e) {
  double *const arrays[] = {e->basis, e->A, e->b,      e->y,      e->G,     e->h,
                            e->x,     e->u, e->rows_A, e->rows_b, e->found, e->unit};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(e->context, arrays[k]);
  thud_free(e->context, e->isolated);
  thud_free(e->context, e->continua);
  thud_polyhedron_projector_destroy(e->projector);
}

static thud_error hand_out(enumeration *e, thud_solution_fn found, void *user, size_t *count) {
  size_t width = 2 * (size_t)e->size, handed = 0;
  for (size_t k = 0; k < e->count; k++) {
    double *r = e->found + k * width, *u = r + e->size;
    for (thud_index i = 0; i < e->size; i++) {
      r[i] *= e->unit[i] * e->load_unit;
      u[i] *= e->load_unit / e->unit[i];
    }
    thud_solution solution = {.r = r, .u = u, .isolated = e->isolated[k]};
    handed++;
    if (found != NULL && found(user, &solution) != 0) break;
  }
  if (count != NULL) *count = handed;
  return THUD_OK;
}

thud_error thud_enumerate_plane(thud_context *context, const thud_contact_problem *local, double *full, double *load,
                                double tolerance, const thud_stop *stop, thud_solution_fn found, void *user,
                                size_t *count) {
  enumeration e = {.context = context,
                   .local = local,
                   .contacts = local->contacts,
                   .rows = local->bilateral,
                   .size = 2 * local->contacts,
                   .tolerance = tolerance,
                   .full = full,
                   .load = load,
                   .order = 2 * local->contacts + local->bilateral};
  thud_error error = make_room(&e);
  if (error == THUD_OK) choose_units(&e);
  if (error == THUD_OK)
    error = thud_polyhedron_projector_create(context, e.order > 0 ? e.order : 1, e.order + 3 * e.contacts + 1,
                                             &e.projector);
  if (error == THUD_OK) do {
      error = thud_stop_ask(context, stop, "enumeration");
      if (error == THUD_OK) error = try_mode(&e);
    } while (error == THUD_OK && next_mode(&e));
  if (error == THUD_OK) error = join_continua(&e, stop);
  if (error == THUD_OK) error = hand_out(&e, found, user, count);
  free_room(&e);
  return error;
}
