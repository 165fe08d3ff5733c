#include "mesh/element.h"

const int thud_element_middle[4][6][2] = {
    {{0, 0}}, {{0, 1}}, {{0, 1}, {1, 2}, {2, 0}}, {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {2, 3}, {1, 3}}};
const int thud_element_side[4][4][3] = {
    {{0}}, {{0}, {1}}, {{0, 1}, {1, 2}, {2, 0}}, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};

int thud_element_between(int dimension, int a, int b) {
  int k = element_corners(dimension, 2) - dimension - 1;
  while (k-- > 0) {
    const int *ends = thud_element_middle[dimension][k];
    if ((ends[0] == a && ends[1] == b) || (ends[0] == b && ends[1] == a)) break;
  }
  return dimension + 1 + k;
}

void thud_element_values(int dimension, int order, const double *barycentric, double *N) {
  const double *l = barycentric;
  for (int k = 0; k <= dimension; k++) N[k] = order == 1 ? l[k] : l[k] * (2 * l[k] - 1);
  for (int k = dimension + 1; order == 2 && k < element_corners(dimension, 2); k++) {
    const int *ends = thud_element_middle[dimension][k - dimension - 1];
    N[k] = 4 * l[ends[0]] * l[ends[1]];
  }
}

/* By the chain rule: d/d xi_j = d/d l_(j+1) - d/d l_0. */
void thud_element_slopes(int dimension, int order, const double *barycentric, double *slopes) {
  const double *l = barycentric;
  int corners = element_corners(dimension, order);
  for (int k = 0; k < corners; k++) {
    double by[4] = {0, 0, 0, 0};
    if (k <= dimension) {
      by[k] = order == 1 ? 1 : 4 * l[k] - 1;
    } else {
      const int *ends = thud_element_middle[dimension][k - dimension - 1];
      by[ends[0]] = 4 * l[ends[1]];
      by[ends[1]] = 4 * l[ends[0]];
    }
    for (int j = 0; j < dimension; j++) slopes[dimension * k + j] = by[j + 1] - by[0];
  }
}

/* Gauss' points of lines; S. Walkington (2000) and the rules that every text on finite elements lists for triangles (Strang and Fix)
 * and tetrahedra. */
#define L1 0.11270166537925831148
#define L2 0.88729833462074168852
#define A6 0.44594849091596488632
#define B6 0.09157621350977074346
#define A4 0.13819660112501051518
#define B4 0.58541019662496845446
#define P14 0.31088591926330060980
#define Q14 0.092735250310891226402
#define R14 0.045503704125649649492

static const double line3[][4] = {{L2, L1}, {0.5, 0.5}, {L1, L2}};
static const double line3_weight[] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
static const double triangle1[][4] = {{1.0 / 3, 1.0 / 3, 1.0 / 3}};
static const double one_weight[] = {1};
static const double triangle3[][4] = {
    {2.0 / 3, 1.0 / 6, 1.0 / 6}, {1.0 / 6, 2.0 / 3, 1.0 / 6}, {1.0 / 6, 1.0 / 6, 2.0 / 3}};
static const double triangle3_weight[] = {1.0 / 3, 1.0 / 3, 1.0 / 3};
static const double triangle6[][4] = {{1 - 2 * A6, A6, A6}, {A6, 1 - 2 * A6, A6}, {A6, A6, 1 - 2 * A6},
                                      {1 - 2 * B6, B6, B6}, {B6, 1 - 2 * B6, B6}, {B6, B6, 1 - 2 * B6}};
static const double triangle6_weight[] = {0.22338158967801146570, 0.22338158967801146570, 0.22338158967801146570,
                                          0.10995174365532186764, 0.10995174365532186764, 0.10995174365532186764};
static const double tetrahedron1[][4] = {{0.25, 0.25, 0.25, 0.25}};
static const double tetrahedron4[][4] = {{B4, A4, A4, A4}, {A4, B4, A4, A4}, {A4, A4, B4, A4}, {A4, A4, A4, B4}};
static const double tetrahedron4_weight[] = {0.25, 0.25, 0.25, 0.25};
static const double tetrahedron14[][4] = {
    {1 - 3 * P14, P14, P14, P14},     {P14, 1 - 3 * P14, P14, P14},     {P14, P14, 1 - 3 * P14, P14},
    {P14, P14, P14, 1 - 3 * P14},     {1 - 3 * Q14, Q14, Q14, Q14},     {Q14, 1 - 3 * Q14, Q14, Q14},
    {Q14, Q14, 1 - 3 * Q14, Q14},     {Q14, Q14, Q14, 1 - 3 * Q14},     {R14, R14, 0.5 - R14, 0.5 - R14},
    {R14, 0.5 - R14, R14, 0.5 - R14}, {R14, 0.5 - R14, 0.5 - R14, R14}, {0.5 - R14, R14, R14, 0.5 - R14},
    {0.5 - R14, R14, 0.5 - R14, R14}, {0.5 - R14, 0.5 - R14, R14, R14}};
#define WP 0.11268792571801585080
#define WQ 0.073493043116361949544
#define WR 0.042546020777081466438
static const double tetrahedron14_weight[] = {WP, WP, WP, WP, WQ, WQ, WQ, WQ, WR, WR, WR, WR, WR, WR};

element_rule thud_element_rule(int dimension, int degree) {
  if (dimension == 1) return (element_rule){3, line3, line3_weight};
  if (dimension == 2) {
    if (degree <= 1) return (element_rule){1, triangle1, one_weight};
    return degree == 2 ? (element_rule){3, triangle3, triangle3_weight}
                       : (element_rule){6, triangle6, triangle6_weight};
  }
  if (degree <= 1) return (element_rule){1, tetrahedron1, one_weight};
  return degree == 2 ? (element_rule){4, tetrahedron4, tetrahedron4_weight}
                     : (element_rule){14, tetrahedron14, tetrahedron14_weight};
}

double thud_element_jacobian(int dimension, int corners, const double *slopes, const double *x, double *J) {
  for (int i = 0; i < dimension; i++)
    for (int j = 0; j < dimension; j++) {
      double sum = 0;
      for (int k = 0; k < corners; k++) sum += x[dimension * k + i] * slopes[dimension * k + j];
      J[dimension * i + j] = sum;
    }
  if (dimension == 1) return J[0];
  if (dimension == 2) return J[0] * J[3] - J[1] * J[2];
  return J[0] * (J[4] * J[8] - J[5] * J[7]) - J[1] * (J[3] * J[8] - J[5] * J[6]) + J[2] * (J[3] * J[7] - J[4] * J[6]);
}
