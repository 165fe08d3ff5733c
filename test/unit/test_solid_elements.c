/* Elements of solids: patch tests, orders of convergence, forces, meshes that are refused. */
#include "failing_allocator.h"
#include "testing.h"

#include "motions/solid/elastic_solid.h"
#include "thud/solid.h"

#include <stdlib.h>
#include <string.h>

static thud_context *context;
static int setup(void **state) {
  (void)state;
  context = thud_test_context(1);
  return 0;
}
static int teardown(void **state) {
  (void)state;
  thud_test_context_end(context);
  return 0;
}

enum { MOST = 40000 };

/* A box whose places go through a map; the middles of edges do as well where it bends, else they stay in the middle. */
typedef void (*map_fn)(int d, const double *x, double *y);

static thud_solid_mesh *make_mesh(int d, const thud_index *cells, const double *low, const double *high, int order,
                                  map_fn map, bool bends) {
  static double place[MOST];
  thud_solid_mesh *box, *mesh;
  assert_int_equal(thud_solid_mesh_box(context, d, low, high, cells, order, &box), THUD_OK);
  thud_solid_mesh_definition made = thud_solid_mesh_get(box);
  thud_assert_at_most(d * made.nodes, MOST);
  for (thud_index i = 0; i < made.nodes; i++) map(d, made.place + (ptrdiff_t)d * i, place + (ptrdiff_t)d * i);
  thud_index corners = thud_solid_mesh_corners(d, order);
  for (thud_index e = 0; e < made.elements && !bends; e++)
    for (thud_index k = d + 1; k < corners; k++)
      for (int c = 0; c < d; c++) {
        const thud_index *node = made.element + corners * e;
        const int *ends = thud_element_middle[d][k - d - 1];
        place[d * node[k] + c] = (place[d * node[ends[0]] + c] + place[d * node[ends[1]] + c]) / 2;
      }
  made.place = place;
  assert_int_equal(thud_solid_mesh_create(context, &made, &mesh), THUD_OK);
  thud_solid_mesh_destroy(box);
  return mesh;
}

/* Moves points inside the box [1, 2] x [0, 1] (x [0, 1]) about, its boundary not at all. */
static void distort(int d, const double *x, double *y) {
  double bubble = 1;
  for (int k = 0; k < d; k++) bubble *= 4 * (x[k] - (k == 0)) * (1 - x[k] + (k == 0));
  for (int k = 0; k < d; k++) y[k] = x[k] + 0.08 * bubble * sin(7 * x[(k + 1) % d] + k);
}

static void ring(int d, const double *x, double *y) {
  (void)d;
  y[0] = x[0] * cos(x[1]);
  y[1] = x[0] * sin(x[1]);
}

static void stay(int d, const double *x, double *y) { memcpy(y, x, (size_t)d * sizeof *x); }

static const double low[] = {1, 0, 0}, high[] = {2, 1, 1};

/* u of the unknowns for the force on all components, where the others are given in u. */
static void solve(const thud_solid *solid, const double *force, double *u) {
  const thud_solid_view view = thud_solid_get(solid);
  thud_factor *factor;
  size_t all = (size_t)(view.dimension * view.nodes);
  double *held = calloc(all, sizeof *held), *right = calloc(all, sizeof *right);
  thud_solid_apply(solid, u, held);
  for (thud_index i = 0; i < view.unknowns; i++) right[i] = force[view.component[i]] - held[view.component[i]];
  assert_int_equal(thud_factor_create(context, view.K, THUD_FACTOR_CHOLESKY, &factor), THUD_OK);
  assert_int_equal(thud_factor_factorize(factor, view.K, NULL), THUD_OK);
  assert_int_equal(thud_factor_solve(factor, 2, right, right, NULL), THUD_OK);
  for (thud_index i = 0; i < view.unknowns; i++) u[view.component[i]] += right[i];
  thud_factor_destroy(factor);
  free(held);
  free(right);
}

static thud_solid *make_solid(const thud_solid_mesh *mesh, thud_solid_kinematics kinematics, double nu,
                              const unsigned char *held) {
  thud_solid_material materials[16];
  for (int k = 0; k < 16; k++) materials[k] = (thud_solid_material){.young = 3, .poisson = nu};
  thud_solid *solid;
  const thud_solid_definition given = {
      .mesh = mesh, .kinematics = kinematics, .thickness = 0.7, .materials = materials, .held = held};
  assert_int_equal(thud_solid_create(context, &given, &solid), THUD_OK);
  return solid;
}

/* ---- patch tests ------------------------------------------------------------------------------------------------------- */

/* A displacement whose strains are constant; of axisymmetric bodies a r, b z + c. */
static double linear(thud_solid_kinematics kinematics, const double *x, int c) {
  static const double A[3][4] = {{0.1, 0.2, -0.3, 0.4}, {-0.2, 0.3, 0.5, 0.1}, {0.7, -0.1, 0.2, 0.3}};
  if (kinematics == THUD_SOLID_AXISYMMETRIC) return c == 0 ? 0.1 * x[0] : 0.3 * x[1] + 0.1;
  double sum = A[c][3];
  for (int k = 0; k < (kinematics == THUD_SOLID_SPACE ? 3 : 2); k++) sum += A[c][k] * x[k];
  return sum;
}

/* Stresses of it: 2 mu eps + lambda tr. */
static void linear_stress(thud_solid_kinematics kinematics, double nu, double *stress) {
  double zero[3] = {0, 0, 0}, grad[3][3] = {{0}}, mu = 3 / (2 * (1 + nu)), lambda = 2 * mu * nu / (1 - 2 * nu),
         trace = 0;
  int d = kinematics == THUD_SOLID_SPACE ? 3 : 2;
  for (int c = 0; c < d; c++)
    for (int k = 0; k < d; k++) {
      double unit[3] = {k == 0, k == 1, k == 2};
      grad[c][k] = linear(kinematics, unit, c) - linear(kinematics, zero, c);
    }
  if (kinematics == THUD_SOLID_AXISYMMETRIC) grad[2][2] = grad[0][0];
  if (kinematics == THUD_SOLID_PLANE_STRESS) grad[2][2] = -nu / (1 - nu) * (grad[0][0] + grad[1][1]);
  for (int c = 0; c < 3; c++) trace += grad[c][c];
  for (int c = 0; c < 3; c++) {
    stress[c] = lambda * trace + 2 * mu * grad[c][c];
    stress[3 + c] = mu * (grad[c][(c + 1) % 3] + grad[(c + 1) % 3][c]);
  }
}

static void check_patch(thud_solid_kinematics kinematics, int order) {
  static unsigned char held[MOST];
  static double u[MOST], force[MOST], stress[6 * MOST];
  const thud_index cells[] = {4, 3, 3};
  int d = kinematics == THUD_SOLID_SPACE ? 3 : 2;
  thud_solid_mesh *mesh = make_mesh(d, cells, low, high, order, distort, false);
  const thud_solid_mesh_definition view = thud_solid_mesh_get(mesh);
  thud_index corners = thud_solid_mesh_corners(d - 1, order);
  memset(held, 0, sizeof held);
  memset(u, 0, sizeof u);
  memset(force, 0, sizeof force);
  for (thud_index k = 0; k < corners * view.sides; k++)
    for (int c = 0; c < d; c++) {
      thud_index at = d * view.side[k] + c;
      held[at] = 1;
      u[at] = linear(kinematics, view.place + d * view.side[k], c);
    }
  thud_solid *solid = make_solid(mesh, kinematics, 0.3, held);
  thud_assert_greater(thud_solid_get(solid).unknowns, 0);
  solve(solid, force, u);
  double expected[6];
  linear_stress(kinematics, 0.3, expected);
  assert_int_equal(thud_solid_stress(solid, u, stress), THUD_OK);
  for (thud_index i = 0; i < view.nodes; i++) {
    for (int c = 0; c < d; c++) thud_assert_near(u[d * i + c], linear(kinematics, view.place + d * i, c), 1e-12);
    for (int c = 0; c < 6; c++) thud_assert_near(stress[6 * i + c], expected[c], 1e-12 * 10);
  }
  thud_solid_destroy(solid);
  thud_solid_mesh_destroy(mesh);
}

static void constant_strains_are_exact_on_distorted_meshes(void **state) {
  (void)state;
  for (int kinematics = 0; kinematics < 4; kinematics++)
    for (int order = 1; order <= 2; order++) check_patch((thud_solid_kinematics)kinematics, order);
}

/* ---- orders ------------------------------------------------------------------------------------------------------------ */

typedef struct error_norms {
  double displacement, energy;
} error_norms;

/* Lame's ring, 1 <= r <= 2, pressure 1 inside, E = 3, in plane strain:
 * u_r = (1+nu)/E p a^2/(b^2 - a^2) ((1 - 2 nu) r + b^2/r). */
static double lame(double nu, double r) { return (1 + nu) / 3 / 3 * ((1 - 2 * nu) * r + 4 / r); }
static double lame_slope(double nu, double r) { return (1 + nu) / 3 / 3 * ((1 - 2 * nu) - 4 / (r * r)); }

/* Errors in L2 and in the gradient; polar: the body is a part of a plane ring, else axisymmetric. */
static error_norms measure_ring(const thud_solid *solid, double nu, bool polar, const double *u) {
  const element_rule rule = thud_element_rule(2, 4);
  error_norms sum = {0, 0};
  for (thud_index e = 0; e < solid->view.elements; e++) {
    double x[2 * ELEMENT_MOST];
    const thud_index *node = thud_solid_gather(solid, e, x);
    for (int q = 0; q < rule.count; q++) {
      solid_point point;
      double found[2] = {0, 0}, grad[2][2] = {{0}};
      assert_true(thud_solid_at(solid, &rule, q, x, &point));
      for (int k = 0; k < solid->corners; k++)
        for (int c = 0; c < 2; c++) {
          found[c] += point.N[k] * u[2 * node[k] + c];
          for (int j = 0; j < 2; j++) grad[c][j] += u[2 * node[k] + c] * point.slope[2 * k + j];
        }
      double r = polar ? hypot(point.x[0], point.x[1]) : point.x[0], f = lame(nu, r), g = lame_slope(nu, r);
      double n[2] = {polar ? point.x[0] / r : 1, polar ? point.x[1] / r : 0};
      for (int c = 0; c < 2; c++) {
        sum.displacement += point.size * (found[c] - f * n[c]) * (found[c] - f * n[c]);
        for (int j = 0; j < 2; j++) {
          double exact = g * n[c] * n[j] + (polar ? f / r * ((c == j) - n[c] * n[j]) : 0);
          sum.energy += point.size * (grad[c][j] - exact) * (grad[c][j] - exact);
        }
      }
    }
  }
  return (error_norms){sqrt(sum.displacement), sqrt(sum.energy)};
}

static error_norms solve_ring(int order, thud_index cells, double nu, bool polar) {
  static unsigned char held[MOST];
  static double u[MOST], force[MOST], pressure[MOST];
  const thud_index counts[] = {cells, cells};
  const double from[] = {1, 0}, to[] = {2, polar ? acos(0) : 1};
  thud_solid_mesh *mesh = make_mesh(2, counts, from, to, order, polar ? ring : stay, true);
  const thud_solid_mesh_definition view = thud_solid_mesh_get(mesh);
  thud_index corners = thud_solid_mesh_corners(1, order);
  thud_index bottom = thud_solid_mesh_find_group(mesh, "bottom", 1), top = thud_solid_mesh_find_group(mesh, "top", 1);
  memset(held, 0, sizeof held);
  memset(u, 0, sizeof u);
  memset(force, 0, sizeof force);
  for (thud_index s = 0; s < view.sides; s++) /* symmetry on both ends */
    for (thud_index k = 0; k < corners; k++) {
      if (view.side_group[s] == bottom) held[2 * view.side[corners * s + k] + 1] = 1;
      if (view.side_group[s] == top) held[2 * view.side[corners * s + k] + (polar ? 0 : 1)] = 1;
    }
  for (thud_index i = 0; i < view.nodes; i++) pressure[i] = 1;
  thud_solid *solid = make_solid(mesh, polar ? THUD_SOLID_PLANE_STRAIN : THUD_SOLID_AXISYMMETRIC, nu, held);
  assert_int_equal(thud_solid_add_pressure(solid, thud_solid_mesh_find_group(mesh, "left", 1), pressure, force),
                   THUD_OK);
  solve(solid, force, u);
  error_norms found = measure_ring(solid, nu, polar, u);
  thud_solid_destroy(solid);
  thud_solid_mesh_destroy(mesh);
  return found;
}

/* Lame's ring as a plane quarter with curved sides, and as a tube around its axis: order p + 1 of displacements, p of strains. */
static void lames_ring_has_the_orders_of_its_elements(void **state) {
  (void)state;
  for (int polar = 0; polar < 2; polar++)
    for (int order = 1; order <= 2; order++) {
      error_norms coarse = solve_ring(order, 8, 0.3, polar == 1), fine = solve_ring(order, 16, 0.3, polar == 1);
      double displacement = log2(coarse.displacement / fine.displacement), energy = log2(coarse.energy / fine.energy);
      print_message("%s order %d: L2 %.3e order %.2f, energy %.3e order %.2f\n", polar == 1 ? "ring" : "tube", order,
                    fine.displacement, displacement, fine.energy, energy);
      thud_assert_at_least(displacement, order + 0.85); /* the curved quarter is still faster than its order */
      thud_assert_near(energy, order, 0.15);
    }
}

/* A cantilever of plane stress under Timoshenko's end load: the deflection of the middle of its end by elements of order 2,
 * P L^3/(3 E I) + (4 + 5 nu) P h^2 L/(8 E I) / ... of the exact plane solution with the clamped end as it displaces. */
static double timoshenko(const double *x, int c) {
  /* S. Timoshenko and J. Goodier, Theory of Elasticity, 3rd ed., section 21: 0 <= x <= L from the clamped end, |y| <= h/2 */
  const double E = 3, nu = 0.3, L = 4, h = 1, I = h * h * h / 12, P = 0.01, X = x[0], Y = x[1];
  if (c == 0) return -P * Y / (6 * E * I) * ((6 * L - 3 * X) * X + (2 + nu) * (Y * Y - h * h / 4));
  return P / (6 * E * I) * (3 * nu * Y * Y * (L - X) + (4 + 5 * nu) * h * h * X / 4 + (3 * L - X) * X * X);
}

static void a_cantilever_of_second_order_bends_as_timoshenkos(void **state) {
  (void)state;
  static unsigned char held[MOST];
  static double u[MOST], force[MOST], traction[MOST];
  double last = 0;
  for (int level = 0; level < 2; level++) {
    const thud_index cells[] = {8 << level, 2 << level};
    const double from[] = {0, -0.5}, to[] = {4, 0.5};
    thud_solid_mesh *mesh = make_mesh(2, cells, from, to, 2, stay, false);
    const thud_solid_mesh_definition view = thud_solid_mesh_get(mesh);
    memset(held, 0, sizeof held);
    memset(u, 0, sizeof u);
    memset(force, 0, sizeof force);
    for (thud_index i = 0; i < view.nodes; i++) {
      double y = view.place[2 * i + 1];
      for (int c = 0; c < 2 && view.place[2 * i] == 0; c++) {
        held[2 * i + c] = 1;
        u[2 * i + c] = timoshenko(view.place + 2 * i, c);
      }
      traction[2 * i] = 0;
      traction[2 * i + 1] = 0.01 / 0.7 * 0.7 * 6 * (0.25 - y * y); /* P/(2 I) (h^2/4 - y^2), per thickness 1 */
    }
    thud_solid *solid = make_solid(mesh, THUD_SOLID_PLANE_STRESS, 0.3, held);
    assert_int_equal(thud_solid_add_traction(solid, thud_solid_mesh_find_group(mesh, "right", 1), traction, force),
                     THUD_OK);
    solve(solid, force, u);
    double worst = 0;
    for (thud_index i = 0; i < 2 * view.nodes; i++)
      worst = fmax(worst, fabs(u[i] - timoshenko(view.place + i / 2 * 2, (int)(i % 2))));
    print_message("cantilever: largest error %.3e\n", worst);
    if (level == 1) thud_assert_at_least(log2(last / worst), 2.7);
    last = worst;
    thud_solid_destroy(solid);
    thud_solid_mesh_destroy(mesh);
  }
}

/* ---- forces ------------------------------------------------------------------------------------------------------------ */

/* Totals of loads: weight of the box, traction times area; a pressure around a closed surface has no resultant. */
static void loads_add_up_to_their_integrals(void **state) {
  (void)state;
  static double force[MOST], density[MOST], pressure[MOST];
  const thud_index cells[] = {2, 3, 2};
  for (int d = 2; d <= 3; d++)
    for (int order = 1; order <= 2; order++) {
      thud_solid_mesh *mesh = make_mesh(d, cells, low, high, order, distort, false);
      const thud_solid_mesh_definition view = thud_solid_mesh_get(mesh);
      thud_solid *solid = make_solid(mesh, d == 2 ? THUD_SOLID_PLANE_STRAIN : THUD_SOLID_SPACE, 0.3, NULL);
      double thickness = d == 2 ? 0.7 : 1, total[3] = {0, 0, 0};
      for (thud_index i = 0; i < d * view.nodes; i++) density[i] = view.place[i / d * d] + (double)(i % d);
      memset(force, 0, sizeof force);
      assert_int_equal(thud_solid_add_body_force(solid, -1, density, force), THUD_OK);
      for (thud_index i = 0; i < d * view.nodes; i++) total[i % d] += force[i];
      for (int c = 0; c < d; c++) thud_assert_near(total[c], thickness * (1.5 + c), 1e-12); /* int x = 3/2 */
      memset(force, 0, sizeof force);
      for (thud_index i = 0; i < view.nodes; i++) pressure[i] = 2;
      for (thud_index g = 0; g < view.groups; g++)
        assert_int_equal(thud_solid_add_pressure(solid, g, pressure, force), THUD_OK);
      memset(total, 0, sizeof total);
      for (thud_index i = 0; i < d * view.nodes; i++) total[i % d] += force[i];
      for (int c = 0; c < d; c++) thud_assert_near(total[c], 0, 1e-13);
      thud_solid_destroy(solid);
      thud_solid_mesh_destroy(mesh);
    }
}

/* ---- what is refused --------------------------------------------------------------------------------------------------- */

static void fails_to_mesh(thud_solid_mesh_definition made, const char *code, const char *word) {
  thud_solid_mesh *mesh = NULL;
  thud_assert_different(thud_solid_mesh_create(context, &made, &mesh), THUD_OK);
  assert_null(mesh);
  assert_string_equal(thud_context_last_code(context), code);
  thud_test_message_has(context, word, NULL);
}

static void inverted_and_degenerate_elements_are_named_with_their_places(void **state) {
  (void)state;
  const char *const names[] = {"steel", "floor"};
  const thud_index dimensions[] = {2, 1}, groups[] = {0, 0};
  double square[] = {0, 0, 1, 0, 1, 1, 0, 1}, line[] = {0, 0, 1, 0, 2, 0, 0, 1},
         folded[] = {0, 0, 1, 0, 1, 1, 0.9, 0.2};
  const thud_index two[] = {0, 1, 2, 0, 2, 3}, thin[] = {0, 1, 2, 0, 1, 3};
  thud_solid_mesh_definition made = {.dimension = 2,
                                     .order = 1,
                                     .nodes = 4,
                                     .place = square,
                                     .elements = 2,
                                     .element = two,
                                     .element_group = groups,
                                     .groups = 2,
                                     .group_names = names,
                                     .group_dimension = dimensions};
  thud_solid_mesh *mesh;
  assert_int_equal(thud_solid_mesh_create(context, &made, &mesh), THUD_OK);
  thud_solid_mesh_destroy(mesh);
  made.place = folded; /* the fourth corner has gone through the diagonal */
  fails_to_mesh(made, "bad-element", "element 2 (group 'steel')");
  made.place = line;
  made.element = thin;
  fails_to_mesh(made, "bad-element", "element 1 (group 'steel') at (1, 0) is degenerate");
  const double bent[] = {0, 0, 1, 0, 0, 1, 0.5, 0, 0.5, 0.5, 0.4, 0.4}; /* the last middle lies inside */
  const thud_index six[] = {0, 1, 2, 3, 4, 5};
  made = (thud_solid_mesh_definition){.dimension = 2,
                                      .order = 2,
                                      .nodes = 6,
                                      .place = bent,
                                      .elements = 1,
                                      .element = six,
                                      .element_group = groups,
                                      .groups = 2,
                                      .group_names = names,
                                      .group_dimension = dimensions};
  fails_to_mesh(made, "bad-element", "is inverted");
  const thud_index many[] = {20000, 20000, 1};
  thud_assert_equal(thud_solid_mesh_box(context, 2, low, high, many, 2, &mesh), THUD_ERROR_OVERFLOW);
  assert_string_equal(thud_context_last_code(context), "too-large");
}

static void a_body_that_nothing_holds_is_found_with_its_motion(void **state) {
  (void)state;
  static unsigned char held[MOST], touched[MOST];
  const thud_index cells[] = {2, 2, 2};
  thud_solid_mesh *mesh = make_mesh(3, cells, low, high, 1, stay, false);
  const thud_solid_mesh_definition view = thud_solid_mesh_get(mesh);
  memset(held, 0, sizeof held);
  for (thud_index i = 0; i < view.nodes; i++) /* all but the motion along y */
    if (view.place[3 * i + 2] == 0) held[3 * i] = held[3 * i + 2] = 1;
  thud_solid *solid = make_solid(mesh, THUD_SOLID_SPACE, 0.3, held);
  thud_index node = -2;
  double motion[6];
  assert_int_equal(thud_solid_find_free(solid, NULL, &node, motion), THUD_OK);
  thud_assert_equal(node, 0);
  for (int k = 0; k < 6; k++) thud_assert_near(fabs(motion[k]), k == 1, 1e-9);
  touched[view.nodes - 1] = 1;
  assert_int_equal(thud_solid_find_free(solid, touched, &node, motion), THUD_OK);
  thud_assert_equal(node, -1);
  thud_solid_destroy(solid);
  thud_solid_mesh_destroy(mesh);
}

/* Writing and reading gives the same mesh, whatever the orders and dimensions. */
static void meshes_survive_a_file_of_gmsh(void **state) {
  (void)state;
  const thud_index cells[] = {2, 1, 2};
  for (int d = 2; d <= 3; d++)
    for (int order = 1; order <= 2; order++) {
      thud_solid_mesh *mesh = make_mesh(d, cells, low, high, order, stay, true), *again;
      char *text;
      assert_int_equal(thud_solid_mesh_write_gmsh(mesh, &text), THUD_OK);
      assert_int_equal(thud_solid_mesh_read_gmsh(context, "again.msh", text, strlen(text), &again), THUD_OK);
      const thud_solid_mesh_definition a = thud_solid_mesh_get(mesh), b = thud_solid_mesh_get(again);
      thud_assert_equal(a.nodes, b.nodes);
      thud_assert_equal(a.elements, b.elements);
      thud_assert_equal(a.sides, b.sides);
      assert_memory_equal(a.place, b.place, (size_t)(d * a.nodes) * sizeof(double));
      assert_memory_equal(a.element, b.element,
                          (size_t)(thud_solid_mesh_corners(d, order) * a.elements) * sizeof(thud_index));
      assert_memory_equal(a.side, b.side,
                          (size_t)(thud_solid_mesh_corners(d - 1, order) * a.sides) * sizeof(thud_index));
      thud_solid_mesh_free_text(mesh, text);
      thud_solid_mesh_destroy(mesh);
      thud_solid_mesh_destroy(again);
    }
}

static thud_error build_something(thud_context *failing, void *user) {
  const thud_index cells[] = {2, 2};
  thud_solid_mesh *mesh = NULL;
  thud_solid *solid = NULL;
  thud_solid_contacts *contacts = NULL;
  thud_solid_material materials[5] = {{.young = 1, .poisson = 0.25}};
  (void)user;
  thud_error error = thud_solid_mesh_box(failing, 2, low, high, cells, 2, &mesh);
  const thud_solid_definition given = {.mesh = mesh, .thickness = 1, .materials = materials};
  const thud_solid_obstacle floor = {.group = 3, .direction = {0, 1}, .mu = 0.5};
  if (error == THUD_OK) error = thud_solid_create(failing, &given, &solid);
  if (error == THUD_OK) error = thud_solid_contacts_create(solid, 1, &floor, true, 1e-9, &contacts);
  thud_solid_contacts_destroy(contacts);
  thud_solid_destroy(solid);
  thud_solid_mesh_destroy(mesh);
  return error;
}

static void every_failing_allocation_is_survived(void **state) {
  (void)state;
  thud_test_sweep_allocations(build_something, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(constant_strains_are_exact_on_distorted_meshes, setup, teardown),
      cmocka_unit_test_setup_teardown(lames_ring_has_the_orders_of_its_elements, setup, teardown),
      cmocka_unit_test_setup_teardown(a_cantilever_of_second_order_bends_as_timoshenkos, setup, teardown),
      cmocka_unit_test_setup_teardown(loads_add_up_to_their_integrals, setup, teardown),
      cmocka_unit_test_setup_teardown(inverted_and_degenerate_elements_are_named_with_their_places, setup, teardown),
      cmocka_unit_test_setup_teardown(a_body_that_nothing_holds_is_found_with_its_motion, setup, teardown),
      cmocka_unit_test_setup_teardown(meshes_survive_a_file_of_gmsh, setup, teardown),
      cmocka_unit_test(every_failing_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
