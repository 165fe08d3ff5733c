/* Coulomb's law of a contact whose normal reaction depends on the tangential one, r = 1 + a.T (Ballard 2002, section 6,
 * Ex. 13): { T : |T| <= mu |1 + a.T| }.
 *
 * It is convex if and only if 1 + a.T does not change its sign in it, which is mu |a| <= 1; then it is
 * { T : (1 + a.T, T) in Coulomb's cone }: in one direction the interval from -mu/(1 + mu a) to mu/(1 - mu a), a
 * half-line for mu |a| = 1; in several the inside of an ellipsoid with a focus at 0, or of a paraboloid. The cone is the
 * operand, so that the lifted description has it as any other block. */
#include "convex/lift.h"
#include "convex/polyhedral.h"
#include "convex/splitting.h"

#include <math.h>
#include <string.h>

/* mu |a| = 1 may be met up to rounding. */
static const double convexity_rounding = 1e-12;
/* Nearer to 1 the set is not trusted to be bounded. */
static const double boundedness_margin = 1e-9;

/* mu |a|, the eccentricity of the ellipse. */
static double eccentricity(const thud_set *set) {
  return set->children[0]->own[0] * thud_vector_norm(set->n, set->own);
}

static thud_set_abilities generalized_abilities(const thud_set *set) {
  bool plane = set->n == 1;
  thud_exactness exactness = plane ? THUD_EXACT : THUD_ITERATIVE;
  return (thud_set_abilities){.projection = exactness,
                              .projection_diagonal = exactness,
                              .projection_metric = exactness,
                              .support = exactness,
                              .is_polyhedral = plane,
                              .is_bounded = eccentricity(set) < 1 - boundedness_margin};
}

static thud_error generalized_prepare(thud_set *set) {
  return set->n == 1 ? thud_polyhedral_create(set) : thud_splitting_create(set);
}

static thud_error generalized_refresh(thud_set *set) {
  double product = eccentricity(set);
  if (!(product <= 1 + convexity_rounding))
    return thud_fail(
        set->context, THUD_ERROR_ARGUMENT,
        "[bad-set] generalized Coulomb: not convex: mu |a| = %.10g > 1, the normal reaction changes its sign within "
        "the set, and Coulomb's law does not define a friction law (Painleve); mu may be at most %.10g",
        product, 1 / thud_vector_norm(set->n, set->own));
  if (set->polyhedral != NULL) return thud_polyhedral_refresh(set);
  thud_splitting_refresh(set);
  return THUD_OK;
}

static thud_error generalized_project(thud_set *set, const thud_metric_view *metric, const double *x, double *y,
                                      thud_set_info *info) {
  if (set->polyhedral != NULL) return thud_polyhedral_project(set, metric, x, y, info);
  return thud_splitting_project(set, metric, x, y, info);
}

static thud_error generalized_support(thud_set *set, const double *d, double *value, double *point,
                                      thud_set_info *info) {
  if (set->polyhedral != NULL) return thud_polyhedral_support(set, d, value, point, info);
  return thud_splitting_support(set, d, value, point, info);
}

static void generalized_lift_size(const thud_set *set, thud_lift_size *size) {
  size->expression_rows += (size_t)set->n + 1;
  thud_lift_add_size(set->children[0], size);
}

/* x in factor C: (factor + a.x, x) in the cone. */
static void generalized_lift(const thud_set *set, thud_lift *lift, const thud_expression *x, double factor) {
  double *E, *e;
  size_t N = (size_t)lift->N;
  thud_expression pair = thud_lift_new_expression(lift, set->n + 1, &E, &e);
  e[0] = factor;
  for (thud_index i = 0; i < set->n; i++) {
    const double *row = x->E + (size_t)i * N;
    for (size_t j = 0; j < N; j++) E[j] += set->own[i] * row[j];
    e[0] += set->own[i] * x->e[i];
    memcpy(E + (size_t)(i + 1) * N, row, N * sizeof *E);
    e[i + 1] = x->e[i];
  }
  thud_lift_constrain(lift, set->children[0], &pair, 1);
}

const thud_set_class thud_class_generalized_coulomb = {
    .kind = "generalized Coulomb",
    .parts = {{"coupling", THUD_PART_N, false}},
    .prepare = generalized_prepare,
    .refresh = generalized_refresh,
    .abilities = generalized_abilities,
    .project = generalized_project,
    .support = generalized_support,
    .lift_size = generalized_lift_size,
    .lift = generalized_lift,
};

thud_error thud_set_generalized_coulomb(thud_context *context, thud_index n, const double *coupling, double mu,
                                        thud_set **set) {
  THUD_REQUIRE(context, context, coupling, set);
  thud_set *cone = NULL;
  thud_error error = thud_check_leaf(context, thud_class_generalized_coulomb.kind, n, 1, coupling, coupling, set);
  if (error == THUD_OK) error = thud_set_coulomb_cone(context, n + 1, mu, &cone);
  if (error != THUD_OK) return error;
  thud_set_shape shape = {.n = n, .child_count = 1, .children = &cone};
  error = thud_set_make_from(context, &thud_class_generalized_coulomb, &shape, coupling, NULL, set);
  if (error != THUD_OK) thud_set_destroy(cone);
  return error;
}
