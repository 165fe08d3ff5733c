#include "random_sets.h"

#include "random_matrices.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { D = TEST_DIMENSION_MAX };

const char *test_kind_name(test_kind kind) {
  static const char *const names[TEST_KINDS] = {
      "half-space",   "box",         "ball",       "ellipsoid", "Coulomb cone", "Coulomb dual cone",
      "polyhedron",   "gradients",   "generators", "affine",    "half-line",    "segment",
      "product",      "translation", "scaling",    "sum",       "image",        "preimage",
      "intersection", "polar"};
  return names[kind];
}

static double uniform(thud_random *random, double low, double high) { return thud_random_uniform(random, low, high); }

static test_set *new_node(test_kind kind, thud_index n) {
  test_set *node = calloc(1, sizeof *node);
  assert_non_null(node);
  node->kind = kind;
  node->n = n;
  return node;
}

void test_set_free(test_set *set) {
  if (set == NULL) return;
  thud_set_destroy(set->set);
  for (int c = 0; c < set->child_count; c++) test_set_free(set->child[c]);
  free(set);
}

static thud_set *take(test_set *child) {
  thud_set *set = child->set;
  child->set = NULL;
  return set;
}

static test_set *make(thud_context *context, thud_random *random, test_kind kind, thud_index n, const double *anchor,
                      int depth, bool polyhedral);

/* ---- leaves: the anchor is a point of the set, in its interior half of the time ---------------------- */

static double slack(thud_random *random) { return uniform(random, -0.5, 1) < 0 ? 0 : uniform(random, 0, 1.5); }

static void ok(thud_context *context, thud_error error) {
  if (error != THUD_OK) print_error("%s\n", thud_context_last_message(context));
  assert_int_equal(error, THUD_OK);
}

static void make_rows_leaf(thud_context *context, thud_random *random, test_set *s) {
  thud_index n = s->n;
  s->m = s->kind == TEST_AFFINE ? 1 + (thud_index)thud_random_below(random, (uint32_t)n)
                                : (thud_index)thud_random_below(random, 8);
  if (s->kind == TEST_AFFINE && s->m > 3) s->m = 3;
  if (s->kind == TEST_AFFINE) s->equalities = s->m;
  if (s->kind == TEST_POLYHEDRON && s->m > 1) s->equalities = (thud_index)thud_random_below(random, 2);
  double *A = s->numbers, *b = A + s->m * n;
  thud_test_random_vector(random, (size_t)(s->m * n), A);
  for (thud_index i = 0; i < s->m; i++) {
    b[i] = thud_test_dot((size_t)n, A + i * n, s->anchor);
    if (i >= s->equalities) b[i] += slack(random);
  }
  if (s->kind == TEST_AFFINE)
    ok(context, thud_set_affine(context, n, s->m, A, b, &s->set));
  else
    ok(context, thud_set_polyhedron(context, n, s->m, s->equalities, A, b, &s->set));
}

/* Cones with apex 0: the anchor is one of their points. */
static void make_cone(thud_context *context, thud_random *random, test_set *s) {
  thud_index n = s->n;
  double *p = s->numbers;
  memset(s->anchor, 0, sizeof s->anchor);
  switch (s->kind) {
  case TEST_COULOMB:
  case TEST_COULOMB_DUAL:
    p[0] = uniform(random, -0.2, 1) < 0 ? 0 : pow(10, uniform(random, -2, 1));
    s->anchor[0] = slack(random);
    if (s->kind == TEST_COULOMB)
      ok(context, thud_set_coulomb_cone(context, n, p[0], &s->set));
    else
      ok(context, thud_set_coulomb_dual_cone(context, n, p[0], &s->set));
    return;
  case TEST_GRADIENTS:
    s->m = 1 + (thud_index)thud_random_below(random, 6);
    thud_test_random_vector(random, (size_t)(s->m * n), p);
    ok(context, thud_set_cone_of_gradients(context, n, s->m, p, &s->set));
    return;
  default:
    s->m = 1 + (thud_index)thud_random_below(random, 6);
    thud_test_random_vector(random, (size_t)(s->m * n), p);
    for (thud_index i = 0; i < n; i++) s->anchor[i] = p[i];
    ok(context, thud_set_cone_of_generators(context, n, s->m, p, &s->set));
  }
}

static void make_round(thud_context *context, thud_random *random, test_set *s) {
  thud_index n = s->n;
  double *centre = s->numbers, *shape = centre + n, away[D];
  thud_test_random_vector(random, (size_t)n, away);
  for (thud_index i = 0; i < n; i++) centre[i] = s->anchor[i] + 0.4 * away[i];
  if (s->kind == TEST_BALL) {
    shape[0] = 0.4 * sqrt(thud_test_dot((size_t)n, away, away)) * (1 + 1e-14) + slack(random);
    ok(context, thud_set_ball(context, n, centre, shape[0], &s->set));
    return;
  }
  double values[D], Qa[D];
  for (thud_index i = 0; i < n; i++) values[i] = pow(10, uniform(random, -1.5, 1.5));
  thud_test_random_with_eigenvalues(random, n, values, shape);
  thud_test_multiply(n, n, shape, false, away, Qa);
  double factor = uniform(random, 0.3, 0.999) / (0.16 * thud_test_dot((size_t)n, away, Qa));
  for (thud_index i = 0; i < n * n; i++) shape[i] *= factor;
  ok(context, thud_set_ellipsoid(context, n, centre, shape, &s->set));
}

static void make_leaf(thud_context *context, thud_random *random, test_set *s) {
  thud_index n = s->n;
  double *p = s->numbers;
  switch (s->kind) {
  case TEST_HALF_SPACE:
    thud_test_random_vector(random, (size_t)n, p);
    p[n] = thud_test_dot((size_t)n, p, s->anchor) + slack(random);
    ok(context, thud_set_half_space(context, n, p, p[n], &s->set));
    return;
  case TEST_BOX:
    for (thud_index i = 0; i < n; i++) {
      p[i] = uniform(random, 0, 1) < 0.2 ? -INFINITY : s->anchor[i] - slack(random);
      p[n + i] = uniform(random, 0, 1) < 0.2 ? INFINITY : s->anchor[i] + slack(random);
    }
    ok(context, thud_set_box(context, n, p, p + n, &s->set));
    return;
  case TEST_BALL:
  case TEST_ELLIPSOID: make_round(context, random, s); return;
  case TEST_POLYHEDRON:
  case TEST_AFFINE: make_rows_leaf(context, random, s); return;
  case TEST_HALF_LINE:
  case TEST_SEGMENT: {
    double direction[D], at = uniform(random, -0.3, 1);
    thud_test_random_vector(random, (size_t)n, direction);
    for (thud_index i = 0; i < n; i++) {
      p[i] = s->anchor[i] - fmax(0, at) * direction[i];
      p[n + i] = s->kind == TEST_HALF_LINE ? direction[i] : s->anchor[i] + (1 - fmax(0, at)) * direction[i];
    }
    if (s->kind == TEST_HALF_LINE)
      ok(context, thud_set_half_line(context, n, p, p + n, &s->set));
    else
      ok(context, thud_set_segment(context, n, p, p + n, &s->set));
    return;
  }
  default: make_cone(context, random, s);
  }
}

/* ---- combinators ------------------------------------------------------------------------------------- */

static bool is_cone_kind(test_kind kind) {
  return kind == TEST_COULOMB || kind == TEST_COULOMB_DUAL || kind == TEST_GRADIENTS || kind == TEST_GENERATORS;
}

static bool is_smooth_kind(test_kind kind) {
  return kind == TEST_BALL || kind == TEST_ELLIPSOID || kind == TEST_COULOMB || kind == TEST_COULOMB_DUAL;
}

static test_kind random_kind(thud_random *random, thud_index n, int depth, bool polyhedral) {
  for (;;) {
    test_kind kind = (test_kind)thud_random_below(random, depth <= 1 ? TEST_LEAVES : TEST_KINDS);
    if (polyhedral && is_smooth_kind(kind)) continue;
    if (n < 2 && (kind == TEST_COULOMB || kind == TEST_COULOMB_DUAL || kind == TEST_PRODUCT)) continue;
    return kind;
  }
}

static test_set *random_child(thud_context *context, thud_random *random, thud_index n, const double *anchor, int depth,
                              bool polyhedral) {
  return make(context, random, random_kind(random, n, depth - 1, polyhedral), n, anchor, depth - 1, polyhedral);
}

/* Moves a set whose anchor came out elsewhere. */
static test_set *wrap_translation(thud_context *context, test_set *child, const double *anchor) {
  test_set *s = new_node(TEST_TRANSLATION, child->n);
  for (thud_index i = 0; i < s->n; i++) {
    s->numbers[i] = anchor[i] - child->anchor[i];
    s->anchor[i] = anchor[i];
  }
  s->child[s->child_count++] = child;
  ok(context, thud_set_translation(context, s->numbers, take(child), &s->set));
  return s;
}

static void make_linear(thud_context *context, thud_random *random, test_set *s, int depth, bool polyhedral) {
  thud_index n = s->n, k = 1 + (thud_index)thud_random_below(random, 4);
  double *L = s->numbers, inner[D];
  if (uniform(random, 0, 1) < 0.4 || k > D) k = n;
  thud_test_random_vector(random, (size_t)(n * k), L);
  if (s->kind == TEST_PREIMAGE) {
    thud_test_multiply(k, n, L, false, s->anchor, inner);
    s->child[s->child_count++] = random_child(context, random, k, inner, depth, polyhedral);
    ok(context, thud_set_linear_preimage(context, n, L, take(s->child[0]), &s->set));
    return;
  }
  thud_test_random_vector(random, (size_t)k, inner);
  s->child[s->child_count++] = random_child(context, random, k, inner, depth, polyhedral);
  thud_test_multiply(n, k, L, false, s->child[0]->anchor, s->anchor);
  ok(context, thud_set_linear_image(context, n, L, take(s->child[0]), &s->set));
}

static void make_product(thud_context *context, thud_random *random, test_set *s, int depth, bool polyhedral) {
  thud_index first = 1 + (thud_index)thud_random_below(random, (uint32_t)s->n - 1);
  s->child[0] = random_child(context, random, first, s->anchor, depth, polyhedral);
  s->child[1] = random_child(context, random, s->n - first, s->anchor + first, depth, polyhedral);
  s->child_count = 2;
  thud_set *operands[2] = {take(s->child[0]), take(s->child[1])};
  ok(context, thud_set_product(context, 2, operands, &s->set));
}

static void make_polar(thud_context *context, thud_random *random, test_set *s, bool polyhedral) {
  static const test_kind smooth[] = {TEST_BALL, TEST_ELLIPSOID, TEST_COULOMB, TEST_COULOMB_DUAL};
  static const test_kind flat[] = {TEST_BOX, TEST_SEGMENT, TEST_GENERATORS, TEST_POLYHEDRON, TEST_GRADIENTS};
  test_kind kind;
  do {
    kind = polyhedral || uniform(random, 0, 1) < 0.4 ? flat[thud_random_below(random, 5)]
                                                     : smooth[thud_random_below(random, 4)];
  } while (s->n < 2 && (kind == TEST_COULOMB || kind == TEST_COULOMB_DUAL));
  double zero[D] = {0};
  test_set *child = new_node(kind, s->n);
  memcpy(child->anchor, zero, sizeof zero);
  make_leaf(context, random, child);
  s->child[s->child_count++] = child;
  memset(s->anchor, 0, sizeof s->anchor);
  ok(context, thud_set_polar(context, take(child), &s->set));
}

static void make_pair(thud_context *context, thud_random *random, test_set *s, int depth, bool polyhedral) {
  double part[D];
  memcpy(part, s->anchor, sizeof part);
  thud_set *operands[3];
  s->child_count = 2 + (int)thud_random_below(random, 2);
  for (int c = 0; c < s->child_count; c++) {
    if (s->kind == TEST_SUM)
      for (thud_index i = 0; i < s->n; i++) part[i] = s->anchor[i] / s->child_count;
    s->child[c] = random_child(context, random, s->n, part, depth, polyhedral);
    operands[c] = take(s->child[c]);
  }
  if (s->kind == TEST_SUM)
    ok(context, thud_set_sum(context, s->child_count, operands, &s->set));
  else
    ok(context, thud_set_intersection(context, s->child_count, operands, &s->set));
}

static void make_moved(thud_context *context, thud_random *random, test_set *s, int depth, bool polyhedral) {
  double inner[D] = {0};
  if (s->kind == TEST_TRANSLATION) {
    thud_test_random_vector(random, (size_t)s->n, s->numbers);
    for (thud_index i = 0; i < s->n; i++) inner[i] = s->anchor[i] - s->numbers[i];
    s->child[s->child_count++] = random_child(context, random, s->n, inner, depth, polyhedral);
    ok(context, thud_set_translation(context, s->numbers, take(s->child[0]), &s->set));
    return;
  }
  s->numbers[0] = pow(10, uniform(random, -1, 1));
  for (thud_index i = 0; i < s->n; i++) inner[i] = s->anchor[i] / s->numbers[0];
  s->child[s->child_count++] = random_child(context, random, s->n, inner, depth, polyhedral);
  ok(context, thud_set_scaling(context, s->numbers[0], take(s->child[0]), &s->set));
}

static test_set *make_bare(thud_context *context, thud_random *random, test_kind kind, thud_index n,
                           const double *anchor, int depth, bool polyhedral) {
  test_set *s = new_node(kind, n);
  memcpy(s->anchor, anchor, (size_t)n * sizeof *anchor);
  switch (kind) {
  case TEST_PRODUCT: make_product(context, random, s, depth, polyhedral); break;
  case TEST_TRANSLATION:
  case TEST_SCALING: make_moved(context, random, s, depth, polyhedral); break;
  case TEST_SUM:
  case TEST_INTERSECTION: make_pair(context, random, s, depth, polyhedral); break;
  case TEST_IMAGE:
  case TEST_PREIMAGE: make_linear(context, random, s, depth, polyhedral); break;
  case TEST_POLAR: make_polar(context, random, s, polyhedral); break;
  default: make_leaf(context, random, s);
  }
  return s;
}

/* With the anchor where it was asked for. */
static test_set *make(thud_context *context, thud_random *random, test_kind kind, thud_index n, const double *anchor,
                      int depth, bool polyhedral) {
  test_set *s = make_bare(context, random, kind, n, anchor, depth, polyhedral);
  bool elsewhere = is_cone_kind(kind) || kind == TEST_IMAGE || kind == TEST_POLAR;
  return elsewhere ? wrap_translation(context, s, anchor) : s;
}

test_set *test_random_set(thud_context *context, thud_random *random, test_kind kind, thud_index n, int depth,
                          bool polyhedral) {
  double anchor[D];
  thud_test_random_vector(random, (size_t)n, anchor);
  return make_bare(context, random, kind, n, anchor, depth, polyhedral);
}

/* ---- membership by definition --------------------------------------------------------------------------------------
 */

static double norm(thud_index n, const double *x) { return sqrt(thud_test_dot((size_t)n, x, x)); }

static bool has_plain_support(const test_set *s) {
  return s->kind == TEST_BALL || s->kind == TEST_ELLIPSOID || s->kind == TEST_SEGMENT || s->kind == TEST_COULOMB ||
         s->kind == TEST_COULOMB_DUAL || s->kind == TEST_GENERATORS;
}

bool test_has_membership(const test_set *s) {
  if (s->kind == TEST_GENERATORS || s->kind == TEST_SUM || s->kind == TEST_IMAGE) return false;
  if (s->kind == TEST_POLAR) return has_plain_support(s->child[0]);
  for (int c = 0; c < s->child_count; c++)
    if (!test_has_membership(s->child[c])) return false;
  return true;
}

static double rows_violation(const test_set *s, const double *x) {
  double worst = 0;
  for (thud_index i = 0; i < s->m; i++) {
    const double *a = s->numbers + i * s->n;
    double right = s->kind == TEST_GRADIENTS ? 0 : s->numbers[s->m * s->n + i];
    double excess = (thud_test_dot((size_t)s->n, a, x) - right) / norm(s->n, a);
    worst = fmax(worst, i < s->equalities ? fabs(excess) : excess);
  }
  return worst;
}

static double line_violation(const test_set *s, const double *x) {
  thud_index n = s->n;
  double direction[D], offset[D], length = 0, along = 0;
  for (thud_index i = 0; i < n; i++) {
    direction[i] = s->kind == TEST_HALF_LINE ? s->numbers[n + i] : s->numbers[n + i] - s->numbers[i];
    offset[i] = x[i] - s->numbers[i];
    length += direction[i] * direction[i];
  }
  for (thud_index i = 0; i < n && length > 0; i++) along += direction[i] * offset[i] / length;
  along = fmax(0, s->kind == TEST_SEGMENT ? fmin(1, along) : along);
  for (thud_index i = 0; i < n; i++) offset[i] -= along * direction[i];
  return norm(n, offset);
}

static double cone_excess(double a, double c, thud_index n, const double *x) {
  return fmax(a * norm(n - 1, x + 1) - c * x[0], -x[0]) / hypot(a, c);
}

/* sup d.x - 1 for operands that contain 0 (bodies), sup - 0 for cones, divided by |d|: <= 0 in the polar. */
static double polar_violation(const test_set *c, const double *d) {
  thud_index n = c->n;
  double length = norm(n, d), value = 0, u[D];
  const double *p = c->numbers;
  if (length == 0) return 0;
  switch (c->kind) {
  case TEST_BALL: value = thud_test_dot((size_t)n, p, d) + p[n] * length - 1; break;
  case TEST_ELLIPSOID: { /* sqrt(d'Q^-1 d) by conjugate directions would be code to test: a small LDL' solve */
    double A[D * D], b[D];
    memcpy(A, p + n, (size_t)(n * n) * sizeof *A);
    memcpy(b, d, (size_t)n * sizeof *b);
    for (thud_index k = 0; k < n; k++)
      for (thud_index i = k + 1; i < n; i++) {
        double f = A[k * n + i] / A[k * n + k];
        for (thud_index j = k; j < n; j++) A[j * n + i] -= f * A[j * n + k];
        b[i] -= f * b[k];
      }
    for (thud_index k = n; k-- > 0;) {
      u[k] = b[k];
      for (thud_index j = k + 1; j < n; j++) u[k] -= A[j * n + k] * u[j];
      u[k] /= A[k * n + k];
    }
    value = thud_test_dot((size_t)n, p, d) + sqrt(thud_test_dot((size_t)n, d, u)) - 1;
    break;
  }
  case TEST_SEGMENT: value = fmax(thud_test_dot((size_t)n, p, d), thud_test_dot((size_t)n, p + n, d)) - 1; break;
  case TEST_COULOMB:
  case TEST_COULOMB_DUAL: {
    bool dual = c->kind == TEST_COULOMB_DUAL;
    double a = dual ? p[0] : 1, k = dual ? 1 : p[0];
    return fmax(0, k * norm(n - 1, d + 1) + a * d[0]) / hypot(a, k);
  }
  default:
    for (thud_index i = 0; i < c->m; i++)
      value = fmax(value, thud_test_dot((size_t)n, p + i * n, d) / norm(n, p + i * n));
    return value;
  }
  return fmax(0, value) / fmax(1, (value + 1) / length);
}

double test_violation(const test_set *s, const double *x) {
  thud_index n = s->n, first = 0;
  const double *p = s->numbers;
  double worst = 0, inner[D];
  switch (s->kind) {
  case TEST_HALF_SPACE: return fmax(0, (thud_test_dot((size_t)n, p, x) - p[n]) / norm(n, p));
  case TEST_BOX:
    for (thud_index i = 0; i < n; i++) worst = fmax(worst, fmax(p[i] - x[i], x[i] - p[n + i]));
    return worst;
  case TEST_BALL:
    for (thud_index i = 0; i < n; i++) inner[i] = x[i] - p[i];
    return fmax(0, norm(n, inner) - p[n]);
  case TEST_ELLIPSOID: {
    double Qx[D];
    for (thud_index i = 0; i < n; i++) inner[i] = x[i] - p[i];
    thud_test_multiply(n, n, p + n, false, inner, Qx);
    double square = thud_test_dot((size_t)n, inner, Qx);
    return fmax(0, square - 1) / fmax(1e-300, 2 * norm(n, Qx));
  }
  case TEST_COULOMB: return fmax(0, cone_excess(1, p[0], n, x));
  case TEST_COULOMB_DUAL: return fmax(0, cone_excess(p[0], 1, n, x));
  case TEST_POLYHEDRON:
  case TEST_GRADIENTS:
  case TEST_AFFINE: return rows_violation(s, x);
  case TEST_HALF_LINE:
  case TEST_SEGMENT: return line_violation(s, x);
  case TEST_PRODUCT:
    for (int c = 0; c < s->child_count; c++) {
      worst = fmax(worst, test_violation(s->child[c], x + first));
      first += s->child[c]->n;
    }
    return worst;
  case TEST_TRANSLATION:
    for (thud_index i = 0; i < n; i++) inner[i] = x[i] - p[i];
    return test_violation(s->child[0], inner);
  case TEST_SCALING:
    for (thud_index i = 0; i < n; i++) inner[i] = x[i] / p[0];
    return p[0] * test_violation(s->child[0], inner);
  case TEST_INTERSECTION:
    for (int c = 0; c < s->child_count; c++) worst = fmax(worst, test_violation(s->child[c], x));
    return worst;
  case TEST_PREIMAGE:
    thud_test_multiply(s->child[0]->n, n, p, false, x, inner);
    return test_violation(s->child[0], inner);
  case TEST_POLAR: return polar_violation(s->child[0], x);
  default: fail_msg("no membership test for %s", test_kind_name(s->kind));
  }
  return 0;
}

/* ---- points of the set ------------------------------------------------------------------------------- */

/* From the anchor along a random direction to the boundary, or somewhere before it. */
static void sample_by_rays(const test_set *s, thud_random *random, double *z) {
  double direction[D], low = 0, high = 4;
  thud_test_random_vector(random, (size_t)s->n, direction);
  for (int step = 0; step < 50; step++) {
    double t = step == 0 ? high : 0.5 * (low + high);
    for (thud_index i = 0; i < s->n; i++) z[i] = s->anchor[i] + t * direction[i];
    if (test_violation(s, z) == 0)
      low = t;
    else
      high = t;
    if (low == high) break;
  }
  if (uniform(random, 0, 1) < 0.2) low *= uniform(random, 0, 1);
  for (thud_index i = 0; i < s->n; i++) z[i] = s->anchor[i] + low * direction[i];
}

void test_sample(const test_set *s, thud_random *random, double *z) {
  thud_index n = s->n, first = 0;
  double inner[D], t = uniform(random, 0, 1) < 0.3 ? 0 : uniform(random, 0, 1);
  memcpy(z, s->anchor, (size_t)n * sizeof *z);
  switch (s->kind) {
  case TEST_GENERATORS:
    memset(z, 0, (size_t)n * sizeof *z);
    for (thud_index k = 0; k < s->m; k++) {
      double l = slack(random);
      for (thud_index i = 0; i < n; i++) z[i] += l * s->numbers[k * n + i];
    }
    return;
  case TEST_HALF_LINE:
    for (thud_index i = 0; i < n; i++) z[i] = s->numbers[i] + 3 * t * s->numbers[n + i];
    return;
  case TEST_SEGMENT:
    if (thud_random_below(random, 2) == 0) t = 1;
    for (thud_index i = 0; i < n; i++) z[i] = (1 - t) * s->numbers[i] + t * s->numbers[n + i];
    return;
  case TEST_PRODUCT:
    for (int c = 0; c < s->child_count; c++) {
      test_sample(s->child[c], random, z + first);
      first += s->child[c]->n;
    }
    return;
  case TEST_TRANSLATION:
    test_sample(s->child[0], random, z);
    for (thud_index i = 0; i < n; i++) z[i] += s->numbers[i];
    return;
  case TEST_SCALING:
    test_sample(s->child[0], random, z);
    for (thud_index i = 0; i < n; i++) z[i] *= s->numbers[0];
    return;
  case TEST_SUM:
    memset(z, 0, (size_t)n * sizeof *z);
    for (int c = 0; c < s->child_count; c++) {
      test_sample(s->child[c], random, inner);
      for (thud_index i = 0; i < n; i++) z[i] += inner[i];
    }
    return;
  case TEST_IMAGE:
    test_sample(s->child[0], random, inner);
    thud_test_multiply(n, s->child[0]->n, s->numbers, false, inner, z);
    return;
  default:
    if (test_has_membership(s)) sample_by_rays(s, random, z);
  }
}

thud_metric *test_random_metric(thud_context *context, thud_random *random, int kind, thud_index n, double decades) {
  double values[D], M[D * D];
  thud_metric *metric = NULL;
  if (kind == 0) return NULL;
  for (thud_index i = 0; i < n; i++) values[i] = pow(10, uniform(random, -decades / 2, decades / 2));
  if (kind == 1) {
    ok(context, thud_metric_create_diagonal(context, n, values, &metric));
  } else {
    thud_test_random_with_eigenvalues(random, n, values, M);
    ok(context, thud_metric_create(context, n, M, &metric));
  }
  return metric;
}
