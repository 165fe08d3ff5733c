/* Projection onto, and support function of, a lifted set { x : G z + g in K, z = (x, u) }, K a product of half-lines,
 * points and simple sets S_k, by the alternating direction method of multipliers in its fixed-point form
 *   s = P_K(t),  w = R(t - s) in N_K(s),
 *   z = argmin 1/2 |x - x0|^2_M (or -d.x) + e/2 |z - z_before|^2 + 1/2 |G z + g - 2s + t|^2_R,
 *   t <- t + a (G z + g - s),     R > 0 constant on each S_k (or S_k projected on in R), 0 < a < 2
 * (Boyd et al., Found. Trends Mach. Learn. 3, 2011; Stellato et al., OSQP, 2020), with Anderson's acceleration. The
 * map is nonexpansive in the norm of R, and its residual is the infeasibility G z + g - s.
 *
 * Certificate. Let q = G'w, y = x0 - M^-1 q_x, v = (y, u), r = G v + g - s. For the solution (y*, u*) with its
 * multipliers w*, w in N_K(s) and w* in N_K(s*) give
 *   |y - y*|^2_M <= (w* - w).r + q_u.(u - u*).
 * Everything on the right is known but the sizes of w* and u*, which are taken as those of w and u (and not below the
 * tolerance times the forces, some steps of the method, and the lengths at hand). Being a square root it is about 1e-8
 * of the lengths at best.
 *
 * Grades. Where some parts of G z + g bring much less into (d, 0) = G'w than others, R is made smaller on them in
 * proportion: their multipliers would otherwise drown in the rounding of t, and their s would creep. Composed laws ask
 * for it: a weak law beside a strong one.
 */
#include "convex/splitting.h"

#include "convex/convex_anderson.h"
#include "convex/lift.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double relaxation = 1.6;
static const double proximal_weight = 1e-9; /* e, relative to the rest of the matrix */
static const double equality_weight = 10;   /* R of equations, relative to the others */
enum { ANDERSON_MEMORY = 12, FIRST_ADAPTATION = 60, ADAPTATIONS = 12, EMPTINESS_EVERY = 250 };
/* In the certificate the unknown multipliers w* may differ from w by this many steps R r of the plain method more than
 * by their own size. */
static const double caution = 16;
/* A certificate of emptiness must exclude every point within this many lengths of the data. */
static const double certified_radius = 1e6;
/* ... and be negative by this much of the lengths, beyond the rounding of its terms. */
static const double certified_margin = 1e-12;
/* rho stays when the two residuals are balanced up to this factor, and changes at most by the other one at a time. */
static const double balanced = 3, largest_adaptation = 50;
/* Parts that bring this much of the largest terms are not graded down. */
static const double ungraded = 0.03;
/* The tolerance of each component, in tolerances of the whole; terms of rows are at least this, in sizes of the laws; and
 * when the whole has been met this many times it is left to whoever asked. */
static const double graded_tolerance = 10, graded_floor = 1e-2;
enum { GRADED_PATIENCE = 5000 };

struct thud_splitting {
  thud_context *context;
  thud_lift *lift;
  thud_anderson *anderson;
  thud_index count;      /* rows of G in use: rows, then block rows */
  double *G, *g;         /* [count*N] row-major, [count] */
  double *bound;         /* [rows_max] right sides of the rows, in their normalised form */
  double *R, *root;      /* [count] weights and their square roots */
  double *t, *s, *w;     /* [count] */
  double *value, *f;     /* [count] G z + g and the step, the latter in the norm of R */
  double *before;        /* [count] w of the last test of emptiness */
  double *H;             /* [N*N] factor of the matrix of the z step */
  double *z, *right, *q; /* [N] */
  double *block;         /* [3*largest block] */
  double rho;
  bool adapted;     /* R has just been changed */
  bool graded;      /* R follows the terms of (d, 0) = G'w, and these have to hold for each component by itself */
  double *grade;    /* [count] */
  double *unit;     /* [count] 1 / |B_k| on blocks */
  double *terms;    /* [N] sums of the sizes of the terms of G'w and d */
  double *proximal; /* [N] the diagonal e */
};

/* A query: the projection of x0 in the metric, or the support at d. */
typedef struct splitting_query {
  const thud_metric_view *metric;
  const double *x0; /* NULL: support */
  const double *d;
  double *linear; /* [n] M x0, or d */
} splitting_query;

/* ---- life -------------------------------------------------------------------------------------------- */

void thud_splitting_destroy(thud_splitting *p) {
  if (p == NULL) return;
  thud_context *context = p->context;
  double *const arrays[] = {p->G, p->g,     p->bound, p->R,    p->root,   p->t,       p->s,
                            p->w, p->f,     p->H,     p->z,    p->before, p->right,   p->block,
                            p->q, p->value, p->grade, p->unit, p->terms,  p->proximal};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(context, arrays[k]);
  thud_lift_destroy(p->lift);
  thud_anderson_destroy(p->anderson);
  thud_free(context, p);
}

static bool allocate_splitting(thud_splitting *p) {
  size_t N = (size_t)p->lift->N, most = (size_t)p->lift->rows_max + (size_t)p->lift->block_rows_max;
  struct {
    double **place;
    size_t rows, columns;
  } const wanted[] = {{&p->G, most, N},     {&p->g, most, 1},    {&p->bound, most, 1},  {&p->R, most, 1},
                      {&p->root, most, 1},  {&p->t, most, 1},    {&p->s, most, 1},      {&p->w, most, 1},
                      {&p->value, most, 1}, {&p->f, most, 1},    {&p->before, most, 1}, {&p->H, N, N},
                      {&p->z, N, 1},        {&p->right, N, 1},   {&p->q, N, 1},         {&p->block, most, 3},
                      {&p->grade, most, 1}, {&p->unit, most, 1}, {&p->terms, N, 1},     {&p->proximal, N, 1}};
  for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
    size_t entries;
    if (!thud_size_multiply(wanted[k].rows, wanted[k].columns, &entries)) return false;
    *wanted[k].place = THUD_NEW_ARRAY(p->context, double, entries);
    if (*wanted[k].place == NULL) return false;
  }
  return true;
}

thud_error thud_splitting_create(thud_set *set) {
  thud_splitting *p = THUD_NEW(set->context, thud_splitting);
  if (p == NULL) return THUD_ERROR_MEMORY;
  p->context = set->context;
  set->splitting = p; /* freed with the set, also when what follows fails */
  thud_error error = thud_lift_create(set, &p->lift);
  if (error != THUD_OK) return error;
  if (!allocate_splitting(p)) return THUD_ERROR_MEMORY;
  return thud_anderson_create(p->context, p->lift->rows_max + p->lift->block_rows_max, ANDERSON_MEMORY, &p->anderson);
}

void thud_splitting_grade(thud_set *set) { set->splitting->graded = true; }

/* 1 on rows, which have length 1; on blocks 1 / |B_k|, or, where they can be projected on with weights, 1 / |row|. */
static void find_units(thud_splitting *p) {
  const thud_lift *lift = p->lift;
  for (thud_index i = 0; i < lift->rows; i++) p->unit[i] = 1;
  for (thud_index k = 0; k < lift->block_count; k++) {
    const thud_lift_block *block = &lift->blocks[k];
    thud_index first = lift->rows + block->first_row, end = first + block->set->n;
    double largest = 0;
    bool weighted = p->graded && thud_set_get_abilities(block->set).projection_diagonal == THUD_EXACT;
    for (thud_index i = first; i < end; i++) {
      p->unit[i] = thud_vector_norm(lift->N, p->G + (size_t)i * (size_t)lift->N);
      largest = fmax(largest, p->unit[i]);
    }
    for (thud_index i = first; i < end; i++) {
      double length = weighted && p->unit[i] > 0 ? p->unit[i] : largest;
      p->unit[i] = length > 0 ? 1 / length : 1;
    }
  }
}

void thud_splitting_refresh(thud_set *set) {
  thud_splitting *p = set->splitting;
  thud_lift *lift = p->lift;
  size_t N = (size_t)lift->N;
  thud_lift_build(lift, set);
  p->count = lift->rows + lift->block_rows;
  /* The acceleration always sees the longest vectors: what is not in use stays 0. */
  size_t most = (size_t)lift->rows_max + (size_t)lift->block_rows_max;
  memset(p->f, 0, most * sizeof *p->f);
  memset(p->t, 0, most * sizeof *p->t);
  for (thud_index i = 0; i < lift->rows; i++) {
    const double *a = lift->A + (size_t)i * N;
    double length = thud_vector_norm(lift->N, a), scale = length > 0 ? 1 / length : 1;
    for (size_t j = 0; j < N; j++) p->G[(size_t)i * N + j] = scale * a[j];
    p->g[i] = 0;
    p->bound[i] = scale * lift->b[i];
  }
  memcpy(p->G + (size_t)lift->rows * N, lift->B, (size_t)lift->block_rows * N * sizeof *p->G);
  memcpy(p->g + lift->rows, lift->c, (size_t)lift->block_rows * sizeof *p->g);
  find_units(p);
}

/* ---- one step ---------------------------------------------------------------------------------------- */

/* R: rho on rows (more on equations), rho / |B_k|^2 on blocks, times their grades. */
static void set_weights(thud_splitting *p, double rho) {
  p->rho = rho;
  for (thud_index i = 0; i < p->count; i++) {
    p->R[i] = (i < p->lift->equalities ? equality_weight * rho : rho) * p->grade[i] * p->unit[i] * p->unit[i];
    p->root[i] = sqrt(p->R[i]);
  }
}

/* H = P + e I + G'RG, factorised. */
static thud_error factorise(thud_splitting *p, const splitting_query *query) {
  thud_index N = p->lift->N, n = p->lift->n;
  memset(p->H, 0, (size_t)N * (size_t)N * sizeof *p->H);
  for (thud_index i = 0; i < p->count; i++) {
    const double *row = p->G + (size_t)i * (size_t)N;
    for (thud_index j = 0; j < N; j++) {
      if (row[j] == 0) continue;
      for (thud_index k = j; k < N; k++) p->H[(size_t)j * (size_t)N + (size_t)k] += p->R[i] * row[j] * row[k];
    }
  }
  for (thud_index j = 0; query->x0 != NULL && j < n; j++)
    for (thud_index k = j; k < n; k++) p->H[(size_t)j * (size_t)N + (size_t)k] += thud_view_entry(query->metric, k, j);
  for (thud_index j = 0; j < N; j++) {
    double *entry = &p->H[(size_t)j * (size_t)(N + 1)];
    p->proximal[j] = proximal_weight * (p->graded && *entry > 0 ? fmin(*entry, p->rho) : p->rho);
    *entry += p->proximal[j];
  }
  return thud_dense_cholesky(p->context, N, p->H, NULL);
}

/* R on one block, up to a factor: Euclidean where it is constant. weights[n]. */
static thud_metric_view weights_of_block(const thud_splitting *p, thud_index first, thud_index n, double *weights) {
  bool constant = true;
  for (thud_index i = 0; i < n; i++) {
    weights[i] = p->R[first + i] / p->R[first];
    constant = constant && p->unit[first + i] == p->unit[first];
  }
  return constant ? thud_view_euclidean(n) : thud_view_of_diagonal(n, weights);
}

/* s = P_K(t). */
static thud_error project_parts(thud_splitting *p, const double *t, double *s, thud_set_info *info) {
  const thud_lift *lift = p->lift;
  for (thud_index i = 0; i < lift->rows; i++) s[i] = i < lift->equalities ? p->bound[i] : fmin(t[i], p->bound[i]);
  for (thud_index k = 0; k < lift->block_count; k++) {
    const thud_lift_block *block = &lift->blocks[k];
    thud_index first = lift->rows + block->first_row, n = block->set->n;
    double factor = block->factor == 0 ? 1 : block->factor;
    thud_metric_view metric = weights_of_block(p, first, n, p->block + 2 * (size_t)n);
    thud_set_info found;
    for (thud_index i = 0; i < n; i++) p->block[i] = t[first + i] / factor;
    thud_error error = thud_set_project_view(block->set, &metric, p->block, p->block + n, &found);
    if (error != THUD_OK) return error;
    for (thud_index i = 0; i < n; i++) s[first + i] = factor * p->block[n + i];
    info->gap = fmax(info->gap, factor * found.gap);
  }
  return THUD_OK;
}

/* s, w, z and value = G z + g for the present t. */
static thud_error evaluate(thud_splitting *p, const splitting_query *query, thud_set_info *info) {
  thud_index N = p->lift->N, n = p->lift->n;
  thud_error error = project_parts(p, p->t, p->s, info);
  if (error != THUD_OK) return error;
  for (thud_index j = 0; j < N; j++) p->right[j] = p->proximal[j] * p->z[j] + (j < n ? query->linear[j] : 0);
  for (thud_index i = 0; i < p->count; i++) {
    const double *row = p->G + (size_t)i * (size_t)N;
    double pull = p->R[i] * (2 * p->s[i] - p->t[i] - p->g[i]);
    p->w[i] = p->R[i] * (p->t[i] - p->s[i]);
    for (thud_index j = 0; j < N; j++) p->right[j] += pull * row[j];
  }
  memcpy(p->z, p->right, (size_t)N * sizeof *p->z);
  thud_dense_solve_lower(N, p->H, false, p->z);
  thud_dense_solve_lower(N, p->H, true, p->z);
  for (thud_index i = 0; i < p->count; i++)
    p->value[i] = p->g[i] + thud_vector_dot(N, p->G + (size_t)i * (size_t)N, p->z);
  return THUD_OK;
}

/* q = G'w. */
static void gather_multipliers(thud_splitting *p, const double *w) {
  thud_index N = p->lift->N;
  memset(p->q, 0, (size_t)N * sizeof *p->q);
  for (thud_index i = 0; i < p->count; i++)
    for (thud_index j = 0; j < N; j++) p->q[j] += w[i] * p->G[(size_t)i * (size_t)N + (size_t)j];
}

/* ---- how good ------------------------------------------------------------------------------------------------------
 */

typedef struct splitting_quality {
  double bound; /* certified bound on the distance (projection) or on the value (support) */
  double value; /* support */
} splitting_quality;

/* Turns z into the certified point: x = x0 - M^-1 q_x for projections; and says how good it is. */
static splitting_quality quality_of_point(thud_splitting *p, const splitting_query *query, double tolerance) {
  thud_index n = p->lift->n, N = p->lift->N;
  splitting_quality quality = {0};
  gather_multipliers(p, p->w);
  double product = 0, length = 0, forces = thud_vector_norm(n, query->linear);
  for (thud_index i = 0; i < p->count; i++) forces = fmax(forces, fabs(p->w[i]));
  if (query->x0 != NULL) {
    thud_view_solve(query->metric, p->q, p->z);
    for (thud_index i = 0; i < n; i++) p->z[i] = query->x0[i] - p->z[i];
  } else {
    for (thud_index i = 0; i < n; i++) p->q[i] -= query->linear[i];
  }
  for (thud_index i = 0; i < p->count; i++) {
    const double *row = p->G + (size_t)i * (size_t)N;
    double at = p->g[i], terms = fabs(p->g[i]);
    for (thud_index j = 0; j < N; j++) {
      at += row[j] * p->z[j];
      terms += fabs(row[j] * p->z[j]);
    }
    double off = fabs(at - p->s[i]) + DBL_EPSILON * terms;
    product += (2 * (fabs(p->w[i]) + tolerance * forces) + caution * p->R[i] * off) * off;
    length = fmax(length, fmax(fabs(at), fabs(p->s[i])));
  }
  thud_index first = query->x0 != NULL ? n : 0; /* the part of q that should vanish */
  product += 2 * thud_vector_norm(N - first, p->q + first) * (thud_vector_norm(N - first, p->z + first) + length);
  if (query->x0 != NULL) {
    quality.bound = sqrt(product);
  } else {
    double upper = 0;
    quality.value = thud_vector_dot(n, query->d, p->z);
    for (thud_index i = 0; i < p->count; i++) upper += p->w[i] * (p->s[i] - p->g[i]);
    quality.bound = fabs(upper - quality.value) + product;
  }
  return quality;
}

/* The point that is projected is one of the lengths involved: where the answer is 0 nothing else keeps its size. */
static double given_length(const thud_splitting *p, const splitting_query *query) {
  return query->x0 != NULL ? thud_vector_norm(p->lift->n, query->x0) : 0;
}

/* True when the growth of w since the last test separates: G'v = 0 and sup_K v.s - v.g < 0. */
static thud_error test_emptiness(thud_set *set, const splitting_query *query, bool *is_empty) {
  thud_splitting *p = set->splitting;
  const thud_lift *lift = p->lift;
  double *v = p->f, value = 0, length = given_length(p, query);
  for (thud_index i = 0; i < p->count; i++) {
    v[i] = p->w[i] - p->before[i];
    length = hypot(length, fmax(fabs(p->value[i]), fabs(p->s[i])));
  }
  memcpy(p->before, p->w, (size_t)p->count * sizeof *p->w);
  for (thud_index i = 0; i < lift->rows; i++) {
    if (i >= lift->equalities) v[i] = fmax(v[i], 0);
    value += v[i] * p->bound[i];
  }
  for (thud_index k = 0; k < lift->block_count; k++) {
    const thud_lift_block *block = &lift->blocks[k];
    thud_index first = lift->rows + block->first_row;
    double part;
    thud_set_info found;
    thud_error error = thud_set_support_inside(block->set, v + first, &part, p->block, &found);
    if (error != THUD_OK) return error;
    value += (block->factor == 0 ? 1 : block->factor) * (part + found.gap);
  }
  for (thud_index i = 0; i < p->count; i++) value -= v[i] * p->g[i];
  gather_multipliers(p, v);
  *is_empty = value < -certified_margin * thud_vector_norm(p->count, v) * length &&
              -value > certified_radius * thud_vector_norm(lift->N, p->q) * length;
  return THUD_OK;
}

/* ---- the iteration ----------------------------------------------------------------------------------- */

/* Residuals of the plain method: the infeasibility e = G z + g - s and the change G'R e of the forces, and what they
 * are to be compared with. */
typedef struct splitting_residual {
  double excess, length, change, force;
  bool met; /* by the whole: what is left are grades */
} splitting_residual;

static splitting_residual measure(thud_splitting *p, const splitting_query *query) {
  splitting_residual residual = {.force = thud_vector_norm(p->lift->n, query->linear)};
  double excess = 0, length = 0;
  for (thud_index i = 0; i < p->count; i++) {
    double off = p->value[i] - p->s[i], size = fmax(fabs(p->value[i]), fabs(p->s[i]));
    p->f[i] = p->R[i] * off;
    excess += off * off;
    length += size * size;
  }
  residual.excess = sqrt(excess);
  residual.length = fmax(sqrt(length), given_length(p, query));
  gather_multipliers(p, p->w);
  residual.force = fmax(residual.force, thud_vector_norm(p->lift->N, p->q));
  gather_multipliers(p, p->f);
  residual.change = thud_vector_norm(p->lift->N, p->q);
  return residual;
}

/* ---- grades ------------------------------------------------------------------------------------------ */

static void find_terms(thud_splitting *p, const splitting_query *query) {
  thud_index N = p->lift->N;
  for (thud_index j = 0; j < N; j++) p->terms[j] = j < p->lift->n ? fabs(query->linear[j]) : 0;
  for (thud_index i = 0; i < p->count; i++)
    for (thud_index j = 0; j < N; j++) p->terms[j] += fabs(p->w[i] * p->G[(size_t)i * (size_t)N + (size_t)j]);
}

/* True if the change G'R e of the forces, in q, is small in every component beside the terms there, and e in every row
 * beside the row's own terms; beyond what their rounding is. */
static bool each_is_met(thud_splitting *p, const splitting_query *query, double tolerance) {
  thud_index N = p->lift->N;
  find_terms(p, query);
  for (thud_index j = 0; j < N; j++) {
    double rounding = 0;
    for (thud_index i = 0; i < p->count; i++)
      rounding += p->R[i] * fabs(p->t[i] * p->G[(size_t)i * (size_t)N + (size_t)j]);
    if (fabs(p->q[j]) > tolerance * p->terms[j] + 8 * DBL_EPSILON * rounding) return false;
  }
  for (thud_index i = 0; i < p->count; i++) {
    double size = graded_floor / p->unit[i];
    for (thud_index j = 0; j < N; j++) size += fabs(p->G[(size_t)i * (size_t)N + (size_t)j] * p->z[j]);
    if (fabs(p->value[i] - p->s[i]) > tolerance * size + 8 * DBL_EPSILON * fabs(p->t[i])) return false;
  }
  return true;
}

/* Bound of the part of rows first .. end - 1 (a row or a block) in G'w, in the size of their rows. */
static double part_of_terms(const thud_splitting *p, thud_index first, thud_index end) {
  double part = 0;
  for (thud_index i = first; i < end; i++)
    for (thud_index j = 0; j < p->lift->N; j++)
      part = fmax(part, fabs(p->G[(size_t)i * (size_t)p->lift->N + (size_t)j]) * p->unit[i] * p->terms[j]);
  return part;
}

static bool set_grade(thud_splitting *p, thud_index first, thud_index end, double largest) {
  double part = part_of_terms(p, first, end) / (ungraded * largest), grade = fmin(1, fmax(part, DBL_EPSILON));
  bool changed = grade > balanced * p->grade[first] || grade * balanced < p->grade[first];
  for (thud_index i = first; changed && i < end; i++) p->grade[i] = grade;
  return changed;
}

/* True when some have changed. */
static bool find_grades(thud_splitting *p, const splitting_query *query) {
  const thud_lift *lift = p->lift;
  bool changed = false;
  double largest = 0;
  find_terms(p, query);
  for (thud_index j = 0; j < lift->N; j++) largest = fmax(largest, p->terms[j]);
  if (!(largest > 0)) return false;
  for (thud_index i = 0; i < lift->rows; i++) changed = set_grade(p, i, i + 1, largest) || changed;
  for (thud_index k = 0; k < lift->block_count; k++) {
    thud_index first = lift->rows + lift->blocks[k].first_row;
    changed = set_grade(p, first, first + lift->blocks[k].set->n, largest) || changed;
  }
  return changed;
}

/* ---- rho --------------------------------------------------------------------------------------------- */

/* Balances the two residuals: a large infeasibility asks for a larger rho. t is moved so that s and w stay. */
static thud_error adapt(thud_splitting *p, const splitting_query *query, const splitting_residual *residual) {
  bool known =
      !residual->met && residual->excess > 0 && residual->change > 0 && residual->force > 0 && residual->length > 0;
  double length = p->graded ? fmax(residual->length, 1) : residual->length; /* z of composed laws goes up to 1 */
  double ratio = known ? sqrt(residual->excess / residual->change * (residual->force / length)) : 1;
  ratio = fmin(fmax(ratio, 1 / largest_adaptation), largest_adaptation);
  if (ratio > 1 / balanced && ratio < balanced) ratio = 1;
  bool regraded = p->graded && find_grades(p, query);
  if (ratio == 1 && !regraded) return THUD_OK;
  memcpy(p->f, p->R, (size_t)p->count * sizeof *p->f);
  set_weights(p, p->rho * ratio);
  for (thud_index i = 0; i < p->count; i++) p->t[i] = p->s[i] + (p->t[i] - p->s[i]) * (p->f[i] / p->R[i]);
  p->adapted = true;
  thud_anderson_reset(p->anderson);
  return factorise(p, query);
}

static thud_error iterate(thud_set *set, const splitting_query *query, thud_set_info *info) {
  thud_splitting *p = set->splitting;
  thud_index adapt_at = FIRST_ADAPTATION, adaptations = 0, waited = 0;
  thud_error error = factorise(p, query);
  info->converged = false;
  for (thud_index k = 1; error == THUD_OK && k <= set->max_iterations && !info->converged; k++) {
    info->iterations = k;
    error = evaluate(p, query, info);
    if (error != THUD_OK) return error;
    splitting_residual residual = measure(p, query);
    info->converged =
        residual.excess <= set->tolerance * residual.length && residual.change <= set->tolerance * residual.force;
    residual.met = info->converged;
    if (info->converged && p->graded && waited++ < GRADED_PATIENCE)
      info->converged = each_is_met(p, query, graded_tolerance * set->tolerance);
    if (info->converged) break;
    if (k % EMPTINESS_EVERY == 0) {
      bool is_empty = false;
      error = test_emptiness(set, query, &is_empty);
      if (error == THUD_OK && is_empty)
        return thud_fail(set->context, THUD_ERROR_EMPTY_SET,
                         "%s: the set is empty: a hyperplane separates its operands; move or enlarge one of them",
                         set->kind->kind);
    }
    if (k == adapt_at && adaptations < ADAPTATIONS) {
      p->adapted = false;
      error = adapt(p, query, &residual);
      adaptations++;
      adapt_at += k;
      if (p->adapted) continue;
    }
    for (thud_index i = 0; i < p->count; i++) p->f[i] = relaxation * (p->value[i] - p->s[i]) * p->root[i];
    for (thud_index i = 0; i < p->count; i++) p->t[i] *= p->root[i];
    thud_anderson_step(p->anderson, p->f, p->t);
    for (thud_index i = 0; i < p->count; i++) p->t[i] /= p->root[i];
  }
  return error;
}

static void start(thud_splitting *p, double rho) {
  memset(p->before, 0, (size_t)p->count * sizeof *p->before);
  for (thud_index i = 0; i < p->count; i++) p->grade[i] = 1;
  for (thud_index i = 0; i < p->count; i++)
    p->t[i] = p->g[i] + thud_vector_dot(p->lift->N, p->G + (size_t)i * (size_t)p->lift->N, p->z);
  set_weights(p, rho);
  thud_anderson_reset(p->anderson);
}

thud_error thud_splitting_project(thud_set *set, const thud_metric_view *metric, const double *x, double *y,
                                  thud_set_info *info) {
  thud_splitting *p = set->splitting;
  thud_index n = set->n;
  double rho = 0;
  for (thud_index i = 0; i < n; i++) rho += log(thud_view_entry(metric, i, i)) / n;
  info->exactness = THUD_ITERATIVE;
  memset(p->z, 0, (size_t)p->lift->N * sizeof *p->z);
  memcpy(p->z, x, (size_t)n * sizeof *x);
  thud_view_apply(metric, x, y);
  splitting_query query = {.metric = metric, .x0 = x, .linear = y};
  start(p, exp(rho));
  thud_error error = iterate(set, &query, info);
  if (error != THUD_OK) return error;
  double *plain = p->right, away = 0;
  memcpy(plain, p->z, (size_t)n * sizeof *plain);
  splitting_quality quality = quality_of_point(p, &query, set->tolerance);
  memcpy(y, p->z, (size_t)n * sizeof *y);
  if (!info->converged) { /* the multipliers cannot be trusted: the almost feasible point is the better one */
    for (thud_index i = 0; i < n; i++) p->z[i] -= plain[i];
    away = thud_view_norm(metric, p->z, p->q);
    memcpy(y, plain, (size_t)n * sizeof *y);
  }
  info->gap += quality.bound + away;
  return THUD_OK;
}

/* sup = oo when d does not project to 0 on the recession cone. rest[n] becomes d without that projection, *part its
 * length. A set whose recession cone is not available is left to the iteration. */
static thud_error split_direction(thud_set *set, const double *d, double *rest, double *part, thud_set_info *info) {
  thud_metric_view euclidean = thud_view_euclidean(set->n);
  bool was = set->recession;
  thud_error error = thud_set_mark_recession(set, true);
  if (error == THUD_OK) error = thud_splitting_project(set, &euclidean, d, rest, info);
  thud_error restored = thud_set_mark_recession(set, was);
  if (error == THUD_ERROR_UNSUPPORTED) return restored;
  if (error != THUD_OK) return error;
  *part = thud_vector_norm(set->n, rest);
  for (thud_index i = 0; i < set->n; i++) rest[i] = d[i] - rest[i];
  return restored;
}

thud_error thud_splitting_support(thud_set *set, const double *d, double *value, double *point, thud_set_info *info) {
  thud_splitting *p = set->splitting;
  thud_set_abilities abilities = thud_set_get_abilities(set);
  double length = thud_vector_norm(set->n, d), part = 0;
  info->exactness = THUD_ITERATIVE;
  memcpy(point, d, (size_t)set->n * sizeof *d);
  if (!abilities.is_bounded) {
    thud_error error = split_direction(set, d, point, &part, info);
    if (error != THUD_OK) return error;
    bool unbounded = part > fmax(sqrt(set->tolerance) * length, info->gap);
    if (unbounded || abilities.is_cone || set->recession) {
      info->gap = 0;
      *value = unbounded ? INFINITY : 0;
      return thud_project_to_origin(set, point);
    }
  }
  memset(p->z, 0, (size_t)p->lift->N * sizeof *p->z);
  splitting_query query = {.d = d, .linear = point};
  start(p, length);
  *info = (thud_set_info){.exactness = THUD_ITERATIVE, .converged = true, .iterations = info->iterations};
  thud_error error = iterate(set, &query, info);
  if (error != THUD_OK) return error;
  splitting_quality quality = quality_of_point(p, &query, set->tolerance);
  memcpy(point, p->z, (size_t)set->n * sizeof *point);
  *value = quality.value;
  info->gap += quality.bound + 2 * part * thud_vector_norm(set->n, point);
  return THUD_OK;
}

/* w belongs to the rows divided by their lengths. */
void thud_splitting_solution(const thud_set *set, thud_lift_solution *solution) {
  const thud_splitting *p = set->splitting;
  const thud_lift *lift = p->lift;
  for (thud_index i = 0; i < lift->rows; i++) {
    double length = thud_vector_norm(lift->N, lift->A + (size_t)i * (size_t)lift->N);
    p->before[i] = length > 0 ? p->w[i] / length : 0;
  }
  *solution = (thud_lift_solution){.lift = lift, .z = p->z, .rows = p->before, .blocks = p->w + lift->rows};
}
