/* The forces of a composed friction law that are in equilibrium: E = { F in C_1 x ... x C_k : B'F = 0 }, where the
 * columns of B are the internal velocities (composition.c). As an operand the product would be one block; here every
 * factor enters the lifted description by itself, so that the multipliers say which of them slide.
 *
 * Units. Forces and moments of one machine differ by any factor, and with them the sizes of the laws. The variables of
 * the set are therefore z_r = F_r / size_r, where size_r is the largest force that the law of row r allows in its
 * direction: neither the units of the slips nor those of the forces are left in z. Sizes are powers of 2, so that
 * nothing is rounded. */
#include "convex/elements.h"
#include "convex/lift.h"
#include "convex/polyhedral.h"
#include "convex/splitting.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* 0 may lie outside of a law by rounding only, relative to the largest force that the law allows along the axes. */
static const double origin_tolerance = 1e-12;
/* Forces beyond 2 to this power, or below its inverse, are without bounds. */
enum { LARGEST_EXPONENT = 500 };

static thud_set_abilities elements_abilities(const thud_set *set) {
  thud_set_abilities joint = {.is_cone = true, .is_polyhedral = true, .is_bounded = true};
  for (thud_index c = 0; c < set->child_count; c++) {
    thud_set_abilities one = thud_set_get_abilities(set->children[c]);
    joint.is_cone = joint.is_cone && one.is_cone;
    joint.is_polyhedral = joint.is_polyhedral && one.is_polyhedral;
    joint.is_bounded = joint.is_bounded && one.is_bounded;
  }
  joint.support = joint.is_polyhedral ? THUD_EXACT : THUD_ITERATIVE;
  joint.projection = joint.projection_diagonal = joint.projection_metric = joint.support;
  return joint;
}

static thud_error elements_prepare(thud_set *set) {
  if (elements_abilities(set).is_polyhedral) return thud_polyhedral_create(set);
  thud_error error = thud_splitting_create(set);
  if (error == THUD_OK) thud_splitting_grade(set);
  return error;
}

/* ---- sizes ------------------------------------------------------------------------------------------- */

/* Workspace: sizes [n], of the rows; reach [m], of the columns; a direction and a point of a law [n each]. */
static bool elements_work(const thud_set *set, size_t *count) {
  *count = 3 * (size_t)set->n + (size_t)set->m;
  return true;
}

/* The power of 2 up to which the law allows forces along axis i in the direction of sign; 0: none, INFINITY: any. The
 * projection says of a force whether it is allowed. */
static thud_error gauge(thud_set *law, thud_index i, double sign, double *work, double *size) {
  int allowed = -LARGEST_EXPONENT, forbidden = LARGEST_EXPONENT + 1;
  thud_metric_view euclidean = thud_view_euclidean(law->n);
  thud_set_info info;
  memset(work, 0, (size_t)law->n * sizeof *work);
  while (forbidden - allowed > 1) {
    int middle = (allowed + forbidden) / 2;
    work[i] = sign * ldexp(1, middle);
    thud_error error = thud_set_project_view(law, &euclidean, work, work + law->n, &info);
    if (error != THUD_OK) return error;
    bool inside = thud_vector_distance(law->n, work, work + law->n) <= origin_tolerance * fabs(work[i]);
    *(inside ? &allowed : &forbidden) = middle;
  }
  *size = allowed == -LARGEST_EXPONENT ? 0 : allowed == LARGEST_EXPONENT ? INFINITY : ldexp(1, allowed);
  return THUD_OK;
}

/* The largest force that the law allows in direction i and against it; where it has no bound, along the axis. *open: it
 * allows any, or none. */
static thud_error extent(thud_set *law, thud_index i, double *work, double *size, bool *open) {
  double *d = work, *point = work + law->n;
  bool unbounded = false;
  *size = 0;
  for (int sign = -1; sign <= 1; sign += 2) {
    double value = 0;
    thud_set_info info;
    memset(d, 0, (size_t)law->n * sizeof *d);
    d[i] = sign;
    thud_error error = thud_set_support_inside(law, d, &value, point, &info);
    if (error != THUD_OK) return error;
    if (!isfinite(value)) {
      unbounded = true;
      error = gauge(law, i, sign, work, &value);
      if (error != THUD_OK) return error;
    }
    if (isfinite(value)) *size = fmax(*size, value);
  }
  *open = unbounded || *size == 0;
  return THUD_OK;
}

/* One pass: rows that the laws leave open (their size is negative) are as large as what the others bring into
 * equilibrium with them. True when one was found. */
static bool spread_sizes(thud_set *set, double *sizes, double *reach) {
  size_t n = (size_t)set->n;
  bool found = false;
  for (thud_index j = 0; j < set->m; j++) {
    reach[j] = 0;
    for (size_t r = 0; r < n; r++) reach[j] = fmax(reach[j], fabs(set->own[(size_t)j * n + r]) * sizes[r]);
  }
  for (size_t r = 0; r < n; r++) {
    double most = 0;
    for (thud_index j = 0; sizes[r] < 0 && j < set->m; j++) {
      double entry = fabs(set->own[(size_t)j * n + r]);
      if (entry > 0 && isfinite(reach[j] / entry)) most = fmax(most, reach[j] / entry);
    }
    if (!(most > 0)) continue;
    sizes[r] = fmax(most, -sizes[r]);
    found = true;
  }
  return found;
}

/* The power of 2 below the size. */
static double rounded_size(double size) {
  int exponent;
  if (!(fabs(size) > DBL_MIN) || !isfinite(size)) return 1;
  frexp(fabs(size), &exponent);
  return ldexp(1, exponent - 1);
}

/* Nothing but one force: a load. */
static thud_error is_load(thud_set *law, double largest, double *work, bool *single) {
  double *d = work, *point = work + law->n;
  *single = true;
  for (thud_index i = 0; i < law->n && *single; i++) {
    double width = 0;
    for (int sign = -1; sign <= 1; sign += 2) {
      double value = 0;
      thud_set_info info;
      memset(d, 0, (size_t)law->n * sizeof *d);
      d[i] = sign;
      thud_error error = thud_set_support_inside(law, d, &value, point, &info);
      if (error != THUD_OK) return error;
      width += value;
    }
    *single = width <= origin_tolerance * largest;
  }
  return THUD_OK;
}

/* Friction resists: 0 is a force of every law but loads. largest: how far law c reaches. */
static thud_error check_origin(thud_set *set, thud_index c, double largest, double *work) {
  thud_set *law = set->children[c];
  thud_metric_view euclidean = thud_view_euclidean(law->n);
  thud_set_info info;
  memset(work, 0, (size_t)law->n * sizeof *work);
  thud_error error = thud_set_project_view(law, &euclidean, work, work + law->n, &info);
  double distance = thud_vector_norm(law->n, work + law->n);
  if (error != THUD_OK || distance <= origin_tolerance * largest) return error;
  bool load = false;
  error = is_load(law, largest, work, &load);
  if (error != THUD_OK || load) return error;
  return thud_fail(
      set->context, THUD_ERROR_ARGUMENT,
      "[bad-set] composed law: law %d (%s) does not contain 0, which is %g away: it would drive instead of resisting",
      (int)c, law->kind->kind, distance);
}

static thud_error find_sizes(thud_set *set) {
  size_t n = (size_t)set->n;
  double *sizes = set->work, *reach = sizes + n, *work = reach + set->m;
  for (thud_index c = 0, first = 0; c < set->child_count; first += set->children[c++]->n) {
    double largest = 0;
    for (thud_index i = 0; i < set->children[c]->n; i++) {
      bool open;
      thud_error error = extent(set->children[c], i, work, &sizes[first + i], &open);
      if (error != THUD_OK) return error;
      largest = fmax(largest, sizes[first + i]);
      if (open) sizes[first + i] = -fmax(sizes[first + i], DBL_MIN);
    }
    thud_error error = check_origin(set, c, largest, work);
    if (error != THUD_OK) return error;
  }
  for (size_t r = 0; r < n; r++) { /* what nobody limits has the size of the first */
    while (spread_sizes(set, sizes, reach)) continue;
    sizes[r] = rounded_size(sizes[r]);
  }
  return THUD_OK;
}

const double *thud_set_elements_sizes(const thud_set *set) { return set->work; }

/* ---- queries ----------------------------------------------------------------------------------------- */

/* The sizes are those of the laws, also while the set stands for its recession cone. */
static thud_error elements_refresh(thud_set *set) {
  if (!set->recession) {
    thud_error error = find_sizes(set);
    if (error != THUD_OK) return error;
  }
  if (set->polyhedral != NULL) return thud_polyhedral_refresh(set);
  thud_splitting_refresh(set);
  return THUD_OK;
}

static thud_error elements_project(thud_set *set, const thud_metric_view *metric, const double *x, double *y,
                                   thud_set_info *info) {
  if (set->polyhedral != NULL) return thud_polyhedral_project(set, metric, x, y, info);
  return thud_splitting_project(set, metric, x, y, info);
}

static thud_error elements_support(thud_set *set, const double *d, double *value, double *point, thud_set_info *info) {
  if (set->polyhedral != NULL) return thud_polyhedral_support(set, d, value, point, info);
  return thud_splitting_support(set, d, value, point, info);
}

static void elements_lift_size(const thud_set *set, thud_lift_size *size) {
  size->equalities += (size_t)set->m;
  size->expression_rows += (size_t)set->n;
  for (thud_index c = 0; c < set->child_count; c++) thud_lift_add_size(set->children[c], size);
}

static void elements_lift(const thud_set *set, thud_lift *lift, const thud_expression *x, double factor) {
  double *E, *e;
  size_t N = (size_t)lift->N;
  const double *sizes = set->work;
  thud_expression forces = thud_lift_new_expression(lift, set->n, &E, &e);
  for (thud_index i = 0; i < set->m; i++) {
    thud_lift_row row = thud_lift_add_row(lift, set, i, true, 0);
    for (thud_index r = 0; r < set->n; r++)
      thud_lift_add_term(lift, &row, set->own[(size_t)i * (size_t)set->n + (size_t)r] * sizes[r], x, r);
  }
  /* F in f C_k as (F / largest) in (f / largest) C_k: auxiliary variables of the law have its size, too. */
  for (thud_index c = 0, first = 0; c < set->child_count; first += set->children[c++]->n) {
    thud_index n = set->children[c]->n;
    double largest = thud_vector_max(n, sizes + first);
    for (thud_index r = first; r < first + n; r++) {
      for (size_t j = 0; j < N; j++) E[(size_t)r * N + j] = sizes[r] / largest * x->E[(size_t)r * N + j];
      e[r] = sizes[r] / largest * x->e[r];
    }
    thud_expression part = thud_lift_slice(lift, &forces, first, n);
    thud_lift_constrain(lift, set->children[c], &part, factor / largest);
  }
}

static const thud_set_class elements_class = {
    .kind = "composed law",
    .parts = {{"B", THUD_PART_MN, false}},
    .work_size = elements_work,
    .prepare = elements_prepare,
    .refresh = elements_refresh,
    .abilities = elements_abilities,
    .project = elements_project,
    .support = elements_support,
    .lift_size = elements_lift_size,
    .lift = elements_lift,
};

thud_error thud_set_elements(thud_context *context, thud_index count, thud_set *const *laws, thud_index internal,
                             const double *B, thud_set **set) {
  thud_set_shape shape = {.m = internal, .child_count = count, .children = laws};
  thud_error error = thud_check_operands(context, elements_class.kind, count, laws, set);
  if (error != THUD_OK) return error;
  for (thud_index c = 0; c < count; c++) {
    if (laws[c]->n > INT32_MAX / 2 - shape.n)
      return thud_fail(context, THUD_ERROR_OVERFLOW, "%s: too many rows", elements_class.kind);
    shape.n += laws[c]->n;
  }
  return thud_set_make_from(context, &elements_class, &shape, B, NULL, set);
}

void thud_set_elements_solution(const thud_set *set, thud_lift_solution *solution) {
  if (set->polyhedral != NULL)
    thud_polyhedral_solution(set, solution);
  else
    thud_splitting_solution(set, solution);
}
