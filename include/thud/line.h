/* thud/line.h: particles on a line with dry friction whose normal reaction is a measure (seed 004).
 *
 *   M du + V u dt + K q dt = r dnu + p dt,   nu = dt + sum c_n delta(t_n),   |r_i| <= gamma_i N_i,
 *   -(u_i+ - w_i) in the normal cone of [-gamma_i N_i, gamma_i N_i] at r_i.
 *
 * N_i is defined everywhere; its value at an atom t_n is data of its own. w is the velocity of the ground (transport):
 * it enters the friction law only. u(start) is a left velocity: an atom there acts. */
#ifndef THUD_LINE_H
#define THUD_LINE_H

#include "thud/expr.h"
#include "thud/pivot.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { THUD_LINE_MAX_ATOMS = 1000000, THUD_LINE_MAX_PARTICLES = 4096 };

/* One atom c delta(t). normal[n]: N_i there; NULL: the value of the density at t. */
typedef struct thud_line_atom {
  double t, weight; /* s; weight > 0 */
  const double *normal;
} thud_line_atom;

/* Atoms at first + k period, k = 0, 1, ... until `count` of them (-1: until the end of the run). */
typedef struct thud_line_train {
  double first, period, weight;
  int64_t count;
  const double *normal; /* as in thud_line_atom */
} thud_line_train;

/* Infinitely many atoms by formulas of an index: k = first, first + 1, ... The first `keep` of them are taken; with
 * keep = -1 as many as are needed for a tail of at most `tolerance`. tail(k) bounds the sum of the weights from k on.
 */
typedef struct thud_line_family {
  const char *index; /* name of the index, "n" */
  int64_t first;
  const char *time, *weight, *tail; /* expressions of the index */
  const char *normal;               /* expression of the index and of t, the same for all particles; NULL: density */
  int64_t keep;
  double tolerance;
  bool has_limit;
  double limit; /* time at which the atoms accumulate */
  bool lump;    /* the tail, then the exact weight of what is left, acts as one atom at the limit */
} thud_line_family;

typedef struct thud_line_def {
  thud_index n;
  const double *mass;           /* [n*n] symmetric positive definite */
  const double *stiffness;      /* [n*n] symmetric, no negative eigenvalue; NULL: 0 */
  const double *viscosity;      /* [n*n] the same */
  const double *friction;       /* [n] gamma_i >= 0 */
  const char *const *density;   /* [n] N_i, expressions of t; NULL (or a NULL entry): 0 */
  const char *const *force;     /* [n] p_i */
  const char *const *transport; /* [n] w_i */
  double start, end;            /* atoms outside are left out */
  size_t atom_count, train_count, family_count;
  const thud_line_atom *atoms;
  const thud_line_train *trains;
  const thud_line_family *families;
} thud_line_def;

/* Which part of the definition an error is in. */
typedef enum thud_line_part {
  THUD_LINE_NONE = 0,
  THUD_LINE_MASS = 1,
  THUD_LINE_STIFFNESS = 2,
  THUD_LINE_VISCOSITY = 3,
  THUD_LINE_FRICTION = 4,
  THUD_LINE_DENSITY = 5,
  THUD_LINE_FORCE = 6,
  THUD_LINE_TRANSPORT = 7,
  THUD_LINE_ATOM = 8,
  THUD_LINE_TRAIN = 9,
  THUD_LINE_FAMILY = 10,
  THUD_LINE_FAMILY_TIME = 11,
  THUD_LINE_FAMILY_WEIGHT = 12,
  THUD_LINE_FAMILY_TAIL = 13,
  THUD_LINE_FAMILY_NORMAL = 14
} thud_line_part;

typedef struct thud_line_place {
  thud_line_part part;
  size_t index; /* particle, atom, train or family */
  thud_expr_place place;
} thud_line_place;

typedef struct thud_line thud_line;

/* scope: names that the expressions may use; it must have the variable `t`, and gets the families' indices. It is not
 * needed afterwards. place (may be NULL) says where an error is. */
THUD_API thud_error thud_line_create(thud_context *context, thud_expr_scope *scope, const thud_line_def *def,
                                     thud_line_place *place, thud_line **line);
THUD_API void thud_line_destroy(thud_line *line);

/* What was kept of a family. */
typedef struct thud_line_truncation {
  int64_t kept;
  double weight;    /* of the atoms that act, a lumped tail included */
  double tail;      /* bound of the weights left out */
  double tolerance; /* of the definition */
  double velocity; /* bound of the velocity's error: |gamma N| tail / smallest eigenvalue of M, N at the first atom left
                      out. The motions contract in sqrt(|Du|_M^2 + |Dq|_K^2), so that errors do not grow. */
  bool has_limit, lumped;
  double limit;
} thud_line_truncation;

/* An atom as it acts: atoms at the same time are one. */
typedef struct thud_line_percussion {
  double t, weight;
  const double *bound; /* [n] sum of c gamma_i N_i (N s) */
} thud_line_percussion;

/* Borrowed from the line. */
THUD_API thud_index thud_line_dimension(const thud_line *line);
THUD_API size_t thud_line_percussion_count(const thud_line *line); /* within [start, end], by increasing time */
THUD_API thud_line_percussion thud_line_get_percussion(const thud_line *line, size_t k);
THUD_API size_t thud_line_family_count(const thud_line *line);
THUD_API thud_line_truncation thud_line_get_truncation(const thud_line *line, size_t k);
/* [n*n]; stiffness and viscosity are zeros where not given. */
THUD_API const double *thud_line_mass(const thud_line *line);
THUD_API const double *thud_line_inverse_mass(const thud_line *line);
THUD_API const double *thud_line_stiffness(const thud_line *line);
THUD_API const double *thud_line_viscosity(const thud_line *line);
THUD_API const double *thud_line_friction(const thud_line *line); /* [n] */
/* Outputs 0..n-1: N, n..2n-1: p, 2n..3n-1: w; the variable number thud_line_time_slot is t. */
THUD_API const thud_expr_program *thud_line_program(const thud_line *line);
THUD_API thud_index thud_line_time_slot(const thud_line *line);
THUD_API double thud_line_start(const thud_line *line);
THUD_API double thud_line_end(const thud_line *line);
/* u'Mu/2 and q'Kq/2. */
THUD_API double thud_line_kinetic_energy(const thud_line *line, const double *u);
THUD_API double thud_line_potential_energy(const thud_line *line, const double *q);

#ifdef __cplusplus
}
#endif
#endif
