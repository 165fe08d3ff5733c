/* One contact alone: given u = W r + q for the d components of one contact, find r with Signorini and Coulomb (and
 * rolling and spinning resistance) satisfied. These are the building blocks of Gauss-Seidel. Blocks are d x d, column-major, close
 * to symmetric positive semidefinite; the normal component comes first. */
#ifndef THUD_SRC_SOLVE_ONE_CONTACT_H
#define THUD_SRC_SOLVE_ONE_CONTACT_H

#include "contact/discs.h"

typedef enum thud_one_contact_mode {
  THUD_MODE_OPEN = 0,  /* r = 0, u_N >= 0 */
  THUD_MODE_STICK = 1, /* u = 0 */
  THUD_MODE_SLIP = 2,  /* u_N = 0, r on the boundary of the cone */
  THUD_MODE_OTHER = 3, /* found by an iteration that does not name modes */
  THUD_MODE_NONE = 4   /* no solution found: r is what the caller passed in */
} thud_one_contact_mode;

/* Everything that solvers of one contact need, by value. */
typedef struct thud_one_contact {
  const thud_disc_layout *layout;
  const double *W;  /* [dimension*dimension] */
  const double *mu; /* [layout->count] >= 0 */
  thud_set *law;    /* general set C of R^(dimension-1), NULL: the discs */
} thud_one_contact;

/* r_N = max(0, -q/W). NONE when W <= 0 and q < 0. */
thud_one_contact_mode thud_one_normal(double W, double q, double *r);

/* Exact in the plane (dimension 2), by its four modes. When several are possible: open, then stick, then slip. */
thud_one_contact_mode thud_one_plane(const double *W, double mu, const double *q, double *r);

/* Two contacts in the plane (W[16] column-major, mu[2], q[4]) by their 16 pairs of modes: the first that satisfies its
 * equations and, to rounding, its inequalities, open before stick before slip. False, and r[4] untouched, when none
 * does. */
bool thud_two_planes_solve(const double *W, const double *mu, const double *q, double *r);

/* Exact in space (dimension 3), see exact_space.h; r holds the last known impulse, whose slip direction starts the
 * search. */
thud_one_contact_mode thud_one_space(const double *W, double mu, const double *q, double *r);

/* Semismooth Newton with a line search on Alart and Curnier's function
 *   r_N - (r_N - rho_N u_N)+ = 0,  r_p - proj_{D(mu_p (r_N - rho_N u_N)+)}(r_p - rho_p u_p) = 0  for every disc p,
 * from r. False, and r untouched, when it does not converge. */
bool thud_one_newton(const thud_one_contact *contact, const double *q, double *r);

/* One step r = proj_K(r - rho u~), rho = 1 / (upper bound of the eigenvalues of W). Discs only. */
void thud_one_projection(const thud_one_contact *contact, const double *q, double *r);

/* Two or three discs: Newton, and where it fails a bisection for the parameter beta of one of them, u_p = -beta r_p,
 * around the solver for the others. */
thud_one_contact_mode thud_one_discs(const thud_one_contact *contact, const double *q, double *r);

/* General law: projections onto C and the normal equation in turn. Brings r nearer to the solution by a factor of about
 * 1000; calls in a row converge. */
thud_one_contact_mode thud_one_law(const thud_one_contact *contact, const double *q, double *r);

typedef enum thud_local_solver {
  THUD_LOCAL_EXACT = 0,
  THUD_LOCAL_NEWTON = 1,
  THUD_LOCAL_PROJECTION = 2
} thud_local_solver;

/* The solver for any contact: exact where there is one, unless Newton (with the exact one behind it) or projection is
 * asked for. */
thud_one_contact_mode thud_one_contact_solve(const thud_one_contact *contact, thud_local_solver solver, const double *q,
                                             double *r);

#endif
