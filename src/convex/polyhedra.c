/* Polyhedra, cones of gradients, cones of generators and affine sets. */
#include "base/base.h"
#include "convex/lift.h"
#include "convex/polyhedral.h"
#include "convex/set.h"

#include <math.h>
#include <string.h>

static thud_set_abilities polyhedron_abilities(const thud_set *set) {
  (void)set;
  return (thud_set_abilities){.is_polyhedral = true};
}

static thud_set_abilities cone_abilities(const thud_set *set) {
  (void)set;
  return (thud_set_abilities){.is_polyhedral = true, .is_cone = true};
}

static void polyhedron_lift_size(const thud_set *set, thud_lift_size *size) {
  size->equalities += (size_t)set->equalities;
  size->inequalities += (size_t)(set->m - set->equalities);
}

/* Rows A x <= factor b; without b (cones) the right sides are 0. */
static void polyhedron_lift(const thud_set *set, thud_lift *lift, const thud_expression *x, double factor) {
  const double *A = set->own, *b = set->own + (size_t)set->m * (size_t)set->n;
  bool homogeneous = set->kind == &thud_class_gradients || factor == 0;
  for (thud_index i = 0; i < set->m; i++) {
    thud_lift_row row = thud_lift_add_row(lift, set, i, i < set->equalities, homogeneous ? 0 : factor * b[i]);
    thud_lift_add_terms(lift, &row, A + (size_t)i * (size_t)set->n, x);
  }
}

/* The three sets that are given by rows differ in their right sides and in what they are called. */
#define ROWS_CLASS(name, right, able)                                                                                  \
  {                                                                                                                    \
    .kind = name, .parts = {{"A", THUD_PART_MN, false}, right}, .prepare = thud_polyhedral_create,                     \
    .refresh = thud_polyhedral_refresh, .abilities = able, .project = thud_polyhedral_project,                         \
    .support = thud_polyhedral_support, .lift_size = polyhedron_lift_size, .lift = polyhedron_lift                     \
  }
#define RIGHT_SIDES                                                                                                    \
  { "b", THUD_PART_M, false }
#define NO_RIGHT_SIDES                                                                                                 \
  { NULL, THUD_PART_NONE, false }

const thud_set_class thud_class_polyhedron = ROWS_CLASS("polyhedron", RIGHT_SIDES, polyhedron_abilities);
const thud_set_class thud_class_affine = ROWS_CLASS("affine set", RIGHT_SIDES, polyhedron_abilities);
const thud_set_class thud_class_gradients = ROWS_CLASS("cone of gradients", NO_RIGHT_SIDES, cone_abilities);

static thud_error make_rows(thud_context *context, const thud_set_class *kind, thud_index n, thud_index m,
                            thud_index equalities, const double *A, const double *b, thud_set **set) {
  static const double nothing = 0; /* stands for the arrays of m = 0 rows */
  thud_error error = thud_check_at_least(context, kind->kind, "the number of rows", m, 0);
  if (error == THUD_OK)
    error = thud_check_leaf(context, kind->kind, n, 1, m == 0 ? &nothing : A, m == 0 ? &nothing : b, set);
  if (error != THUD_OK) return error;
  if (equalities < 0 || equalities > m)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[bad-set] %s: %d of its %d rows are said to be equalities",
                     kind->kind, (int)equalities, (int)m);
  return thud_set_make_from(context, kind, &(thud_set_shape){.n = n, .m = m, .equalities = equalities}, A, b, set);
}

thud_error thud_set_polyhedron(thud_context *context, thud_index n, thud_index m, thud_index equalities,
                               const double *A, const double *b, thud_set **set) {
  THUD_REQUIRE(context, context, m == 0 || (A && b), set);
  return make_rows(context, &thud_class_polyhedron, n, m, equalities, A, b, set);
}

thud_error thud_set_cone_of_gradients(thud_context *context, thud_index n, thud_index m, const double *A,
                                      thud_set **set) {
  THUD_REQUIRE(context, context, m == 0 || A, set);
  return make_rows(context, &thud_class_gradients, n, m, 0, A, A, set);
}

thud_error thud_set_affine(thud_context *context, thud_index n, thud_index m, const double *A, const double *b,
                           thud_set **set) {
  THUD_REQUIRE(context, context, m == 0 || (A && b), set);
  return make_rows(context, &thud_class_affine, n, m, m, A, b, set);
}

/* ---- generators: K = { sum l_i g_i, l >= 0 } --------------------------------------------------------- */

static thud_error generators_support(thud_set *set, const double *d, double *value, double *point,
                                     thud_set_info *info) {
  (void)info;
  size_t n = (size_t)set->n;
  double size = thud_vector_norm(set->n, d);
  *value = 0;
  for (thud_index i = 0; i < set->m; i++) {
    const double *g = set->own + (size_t)i * n;
    double excess = THUD_RECESSION_TOLERANCE * size * thud_vector_norm(set->n, g);
    if (thud_vector_dot(set->n, g, d) > excess) *value = INFINITY;
  }
  return thud_project_to_origin(set, point);
}

static void generators_lift_size(const thud_set *set, thud_lift_size *size) {
  size->variables += (size_t)set->m;
  size->expression_rows += (size_t)set->m;
  size->equalities += (size_t)set->n;
  size->inequalities += (size_t)set->m;
}

/* x - G'l = 0, -l <= 0. */
static void generators_lift(const thud_set *set, thud_lift *lift, const thud_expression *x, double factor) {
  (void)factor;
  thud_expression l = thud_lift_add_variables(lift, set->m);
  for (thud_index j = 0; j < set->n; j++) {
    thud_lift_row row = thud_lift_add_row(lift, set, j, true, 0);
    thud_lift_add_term(lift, &row, 1, x, j);
    for (thud_index i = 0; i < set->m; i++)
      thud_lift_add_term(lift, &row, -set->own[(size_t)i * (size_t)set->n + (size_t)j], &l, i);
  }
  for (thud_index i = 0; i < set->m; i++) {
    thud_lift_row row = thud_lift_add_row(lift, set, set->n + i, false, 0);
    thud_lift_add_term(lift, &row, -1, &l, i);
  }
}

const thud_set_class thud_class_generators = {
    .kind = "cone of generators",
    .parts = {{"G", THUD_PART_MN, false}},
    .prepare = thud_polyhedral_create_generated,
    .abilities = cone_abilities,
    .project = thud_polyhedral_project_generated,
    .support = generators_support,
    .lift_size = generators_lift_size,
    .lift = generators_lift,
};

thud_error thud_set_cone_of_generators(thud_context *context, thud_index n, thud_index k, const double *G,
                                       thud_set **set) {
  THUD_REQUIRE(context, context, k == 0 || G, set);
  return make_rows(context, &thud_class_generators, n, k, 0, G, G, set);
}
