/* The surface of an elastic half-plane inside, and the punch on it. Lengths are scaled so that the mesh is [-1, 1], where
 * the logarithmic form is positive (it is for half-widths below 2), and tractions are replaced by the forces of
 * elements. */
#ifndef THUD_SRC_MOTIONS_HALF_PLANE_HALF_PLANE_H
#define THUD_SRC_MOTIONS_HALF_PLANE_HALF_PLANE_H

#include "linalg/fft.h"
#include "thud/half_plane.h"

struct thud_half_plane {
  thud_context *context;
  thud_half_plane_material material;
  thud_index n;
  double origin, length; /* x = origin + length * scaled */
  double period;         /* scaled; 0: none */
  double *edge;          /* [n+1] scaled */
  double *middle;        /* [n] scaled */
  double *width;         /* [n] scaled */
  bool uniform;
  /* Not uniform: normal[n*n], displacement in the middle of i by a unit force spread over j, symmetric only for equal
   * elements; cross: sgn/2 needs no storage. */
  double *normal;
  /* Uniform: normal_row[d] and cross_row[d] for i - j = d >= 0 (even and odd in d), their transforms on a circle of
   * thud_fft_size(fft) points, and room for products. */
  double *normal_row, *cross_row;
  thud_fft *fft;
  double *normal_spectrum, *cross_spectrum; /* real and imaginary parts: the kernels are even and odd */
  double *line, *spectrum_p, *spectrum_q;
};

/* Entries for unit forces: -(1/pi) times the mean of log|x_i - t| over element j, and sgn(x_i - x_j)/2. */
double thud_half_plane_normal(const thud_half_plane *plane, thud_index i, thud_index j);
double thud_half_plane_cross(const thud_half_plane *plane, thud_index i, thud_index j);
/* By formula, whatever is stored. */
double thud_half_plane_normal_entry(const thud_half_plane *plane, thud_index i, thud_index j);
double thud_half_plane_cross_entry(const thud_half_plane *plane, thud_index i, thud_index j);

/* Scaled displacements u = N f + coupling C t, v = N t - coupling C f of the element forces f, t. */
void thud_half_plane_product(thud_half_plane *plane, const double *f, const double *t, double *u, double *v);
/* About N^-1 x on a uniform mesh: with the inverse of the circulant matrix that N is a part of. */
void thud_half_plane_unproduct(thud_half_plane *plane, const double *x, double *out);

/* ---- the punch --------------------------------------------------------------------------------------------------- */

/* Forces of elements are parts of P, displacements are in units of 2P/E', lengths are scaled
 * so that the mesh is [-1, 1]. */

struct thud_punch {
  thud_context *context;
  thud_half_plane *plane;
  thud_punch_options options;
  thud_index n;
  double *profile; /* [n] gap before loading, in lengths */
  double *old;     /* [n] displacement that slip is counted from, in lengths */
  bool solved;     /* the arrays of the result hold an answer */

  /* The load in scaled form: forces as parts of `force`, which is P or, when the depth is given, of its order. */
  double force;
  thud_punch_drive drive; /* as given */
  double friction;        /* F, or 0 while the contact without friction is looked for */
  double normal;          /* P/force = 1, or the scaled depth */
  double tangential;      /* Q/force, or the scaled shift */
  double moment;          /* when it is given */
  double log_length;      /* ln(half-width/datum)/pi */
  double pivot;
  int sliding;        /* -1, 1: every element in contact slips with this sign of q; 0: states decide */
  double *gap0, *v0;  /* [n] profile and old displacement */
  signed char *state; /* [n] of thud_punch_state */

  /* Unknowns and what follows from them. */
  double *f, *t; /* [n] forces of elements */
  double depth, shift;
  double tilt;        /* in addition to that of the drive, when the moment is given */
  double *gap, *slip; /* [n] */

  /* The linear system of a set of states. */
  thud_index *contact, *stick; /* [n] elements, in order */
  thud_index contact_count, stick_count;
  double *matrix, *right; /* grows with the system */
  thud_index *pivots;
  size_t matrix_capacity, right_capacity, pivot_capacity;

  /* Sets that have been visited in this load. */
  uint64_t *visited;
  size_t visited_count, visited_capacity;
  thud_index *changes; /* [n] elements whose state is to change */

  double *pressure, *traction, *real_gap, *displacement, *real_slip; /* [n] the answer in units of the caller */
  thud_punch_zone contact_zone;                                      /* in lengths */
};

static inline bool thud_punch_is_stuck(const thud_punch *punch, thud_index i) {
  return punch->sliding == 0 && punch->state[i] == THUD_PUNCH_STICK;
}

/* t/f of an element that slips; 0 of one that sticks (its t is an unknown). */
static inline double thud_punch_slip_ratio(const thud_punch *punch, thud_index i) {
  return (punch->sliding != 0 ? punch->sliding : punch->state[i]) * punch->friction;
}

/* The shift is an unknown, and something of t is. */
static inline bool thud_punch_has_shift(const thud_punch *punch) {
  return punch->sliding == 0 && (punch->stick_count > 0 || punch->drive.shift_given);
}

/* States that satisfy the laws, from those that are given. *sweeps counts up to options.sweeps; *found says whether. */
thud_error thud_punch_find_states(thud_punch *punch, int *sweeps, bool *found);
/* Closes as many elements as the equations need. */
void thud_punch_keep_touching(thud_punch *punch);
/* Largest violation of the laws by the numbers as they are. */
double thud_punch_violation(const thud_punch *punch);
/* Intervals of contact and stick of what is in the punch. */
void thud_punch_find_zones(const thud_punch *punch, thud_punch_result *result);

#endif
