/* Random trees of convex sets beside a plain model of each, which knows points of the set and (for most kinds) which
 * points belong to it, from the definitions alone. */
#ifndef THUD_TEST_RANDOM_SETS_H
#define THUD_TEST_RANDOM_SETS_H

#include "thud/convex.h"
#include "testing.h"

typedef enum test_kind {
  TEST_HALF_SPACE,
  TEST_BOX,
  TEST_BALL,
  TEST_ELLIPSOID,
  TEST_COULOMB,
  TEST_COULOMB_DUAL,
  TEST_POLYHEDRON,
  TEST_GRADIENTS,
  TEST_GENERATORS,
  TEST_AFFINE,
  TEST_HALF_LINE,
  TEST_SEGMENT,
  TEST_LEAVES, /* number of leaf kinds */
  TEST_PRODUCT = TEST_LEAVES,
  TEST_TRANSLATION,
  TEST_SCALING,
  TEST_SUM,
  TEST_IMAGE,
  TEST_PREIMAGE,
  TEST_INTERSECTION,
  TEST_POLAR,
  TEST_KINDS
} test_kind;

enum { TEST_DIMENSION_MAX = 6, TEST_PARAMETERS_MAX = 80 };

typedef struct test_set {
  test_kind kind;
  thud_index n, m, equalities;
  double anchor[TEST_DIMENSION_MAX];   /* a point of the set */
  double numbers[TEST_PARAMETERS_MAX]; /* own parameters, as given to the constructor */
  int child_count;
  struct test_set *child[3];
  thud_set *set; /* NULL once a parent has taken it */
} test_set;

/* A random set of that kind, with operands of random kinds (leaves when depth is 1). When smooth is false every leaf
 * is polyhedral. */
test_set *test_random_set(thud_context *context, thud_random *random, test_kind kind, thud_index n, int depth,
                          bool polyhedral);
void test_set_free(test_set *set);
const char *test_kind_name(test_kind kind);

/* A point of the set, often of its boundary. */
void test_sample(const test_set *set, thud_random *random, double *z);
/* True when the definition can be checked directly. */
bool test_has_membership(const test_set *set);
/* How much x violates the definition (0 inside), in the units of the constraint functions divided by their slopes. */
double test_violation(const test_set *set, const double *x);

/* kind 0: NULL; 1: diagonal; 2: full; condition number up to 10^decades. */
thud_metric *test_random_metric(thud_context *context, thud_random *random, int kind, thud_index n, double decades);

#endif
