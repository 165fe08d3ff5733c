/* Masses of shapes and of bodies that are made of several, and their principal axes. */
#include "geom/shape_mass.h"

thud_error thud_shape_mass(thud_context *context, const thud_shape *shape, double density, thud_mass_properties *mass) {
  THUD_REQUIRE(context, context, shape, mass);
  const thud_shape_class *class = shape->class;
  if (!class->may_move)
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "[bad-shape] %s: only fixed and kinematic bodies have this shape; it has no mass", class->name);
  if (!(density > 0 && density <= DBL_MAX))
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[bad-shape] %s: the density is %g; it must be a finite number > 0",
                     class->name, density);
  thud_mass_properties properties = class->mass(shape);
  properties.mass *= density;
  properties.inertia = thud_mat3_scale(density, properties.inertia);
  *mass = properties;
  return THUD_OK;
}

thud_mass_properties thud_mass_properties_move(const thud_mass_properties *mass, const thud_pose *pose) {
  THUD_REQUIRE_OR((thud_mass_properties){0}, mass, pose);
  thud_mat3 R = thud_quat_to_matrix(pose->rotation);
  thud_mass_properties moved = {mass->mass, thud_pose_point(pose, mass->centre),
                                thud_mat3_multiply(R, thud_mat3_multiply(mass->inertia, thud_mat3_transpose(R)))};
  /* symmetric to the last bit */
  moved.inertia = thud_mat3_scale(0.5, thud_mat3_add(moved.inertia, thud_mat3_transpose(moved.inertia)));
  return moved;
}

/* The inertia of two points of the masses at the centres about their common centre is m_a m_b/(m_a + m_b) (|d|^2 1 - d d')
 * with the distance d of the centres. */
thud_mass_properties thud_mass_properties_add(const thud_mass_properties *a, const thud_mass_properties *b) {
  THUD_REQUIRE_OR((thud_mass_properties){0}, a, b);
  thud_mass_properties sum = {a->mass + b->mass, a->centre, thud_mat3_add(a->inertia, b->inertia)};
  if (!(sum.mass > 0)) return sum;
  double share = b->mass / sum.mass;
  thud_vec3 d = thud_vec3_subtract(b->centre, a->centre);
  sum.centre = thud_vec3_add_scaled(a->centre, share, d);
  double dd = thud_vec3_dot(d, d);
  thud_mat3 apart = thud_mat3_subtract(thud_mat3_diagonal(dd, dd, dd), thud_mat3_outer(d, d));
  sum.inertia = thud_mat3_add(sum.inertia, thud_mat3_scale(share * a->mass, apart));
  return sum;
}

/* ---- principal axes of inertia matrices, and which matrices are inertias --------------------------------------- */

/* Relative to the largest entry or moment: given matrices are rounded to so many digits at least. */
#define ROUNDED 1e-9
enum { SWEEPS = 30 }; /* Jacobi converges quadratically: never more than about 6 */

/* One Jacobi rotation that makes A[p][q] zero: A -> J'AJ, V -> VJ (Golub and Van Loan, Matrix Computations, 8.5.2). */
static void rotate(double A[3][3], double V[3][3], int p, int q) {
  if (A[p][q] == 0) return;
  double tau = (A[q][q] - A[p][p]) / (2 * A[p][q]);
  double t = copysign(1, tau) / (fabs(tau) + sqrt(1 + tau * tau));
  double c = 1 / sqrt(1 + t * t), s = t * c;
  for (int k = 0; k < 3; k++) {
    double x = A[k][p], y = A[k][q];
    A[k][p] = c * x - s * y;
    A[k][q] = s * x + c * y;
  }
  for (int k = 0; k < 3; k++) {
    double x = A[p][k], y = A[q][k];
    A[p][k] = c * x - s * y;
    A[q][k] = s * x + c * y;
    x = V[k][p];
    y = V[k][q];
    V[k][p] = c * x - s * y;
    V[k][q] = s * x + c * y;
  }
  A[p][q] = A[q][p] = 0;
}

/* The symmetric part of a matrix to rows, and its eigenvectors (columns of V, a rotation) and eigenvalues. */
static void diagonalise(thud_mat3 inertia, double V[3][3], double moments[3]) {
  thud_mat3 I = inertia;
  double xy = 0.5 * (I.cx.y + I.cy.x), yz = 0.5 * (I.cy.z + I.cz.y), zx = 0.5 * (I.cz.x + I.cx.z);
  double A[3][3] = {{I.cx.x, xy, zx}, {xy, I.cy.y, yz}, {zx, yz, I.cz.z}};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) V[i][j] = i == j;
  for (int sweep = 0; sweep < SWEEPS; sweep++) {
    double off = fabs(A[0][1]) + fabs(A[1][2]) + fabs(A[0][2]);
    double on = fabs(A[0][0]) + fabs(A[1][1]) + fabs(A[2][2]);
    if (!(off > DBL_EPSILON * DBL_EPSILON * on)) break;
    rotate(A, V, 0, 1);
    rotate(A, V, 0, 2);
    rotate(A, V, 1, 2);
  }
  for (int k = 0; k < 3; k++) moments[k] = A[k][k];
}

/* Shepperd: the largest component by its square root, the others by quotients with it. */
static thud_quat to_quaternion(double R[3][3]) {
  double trace = R[0][0] + R[1][1] + R[2][2];
  double squares[4] = {trace, R[0][0], R[1][1], R[2][2]};
  int k = 0;
  for (int i = 1; i < 4; i++)
    if (squares[i] > squares[k]) k = i;
  double q[4];
  if (k == 0) {
    q[0] = 1 + trace;
    q[1] = R[2][1] - R[1][2];
    q[2] = R[0][2] - R[2][0];
    q[3] = R[1][0] - R[0][1];
  } else {
    int a = k - 1, b = k % 3, c = (k + 1) % 3;
    q[0] = R[c][b] - R[b][c];
    q[1 + a] = 1 + 2 * R[a][a] - trace;
    q[1 + b] = R[b][a] + R[a][b];
    q[1 + c] = R[c][a] + R[a][c];
  }
  return thud_quat_normalise(thud_quat_make(q[0], q[1], q[2], q[3]));
}

void thud_inertia_principal(thud_mat3 inertia, thud_quat *rotation, thud_vec3 *moments) {
  THUD_REQUIRE_OR(, rotation, moments);
  double V[3][3], values[3];
  diagonalise(inertia, V, values);
  *rotation = to_quaternion(V);
  *moments = thud_vec3_load(values);
}

const char *thud_inertia_check(thud_mat3 inertia) {
  double a[9], largest = 0;
  thud_mat3_store(inertia, a);
  for (int k = 0; k < 9; k++) {
    if (!(fabs(a[k]) <= DBL_MAX)) return "an entry is not finite";
    largest = fmax(largest, fabs(a[k]));
  }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < i; j++)
      if (fabs(a[3 * i + j] - a[3 * j + i]) > ROUNDED * largest) return "the matrix is not symmetric";
  double V[3][3], moments[3];
  diagonalise(inertia, V, moments);
  double sum = moments[0] + moments[1] + moments[2];
  for (int k = 0; k < 3; k++)
    if (moments[k] < -ROUNDED * largest) return "a principal moment is negative";
  for (int k = 0; k < 3; k++)
    if (2 * moments[k] - sum > ROUNDED * largest)
      return "a principal moment is larger than the sum of the other two; no body has such an inertia";
  return NULL;
}
