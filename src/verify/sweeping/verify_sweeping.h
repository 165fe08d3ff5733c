/* A motion to be checked: its frames in memory, from a record or from a table, and the scene it belongs to. */
#ifndef THUD_SRC_VERIFY_SWEEPING_VERIFY_SWEEPING_H
#define THUD_SRC_VERIFY_SWEEPING_VERIFY_SWEEPING_H

#include "thud/record.h"
#include "verify/verify_scene.h"
#include "verify/verify_record.h"

typedef struct verify_motion {
  thud_context *context;
  const verify_scene *scene;
  size_t n, count;
  bool complete;       /* every step is there */
  double *t, *side;    /* [count] side -1, 0, 1 */
  double *state;       /* [count x n] */
  double *reaction;    /* [count x n]; NULL for a trajectory, and so are the next three */
  double *atom;        /* [count] */
  double *variation;   /* [count] */
  double *residual;    /* [count] */
  double claimed_gap;  /* bound that the summary gives for the error of iterative projections; NaN: none */
  double tolerance;    /* relative, in effect */
  double scale;        /* largest |u|, Euclidean; 1 when u is always 0 */
  double *numbers;     /* [the scene's value_count] the set's numbers where it is now */
  double numbers_size; /* largest finite |number| of them */
  double *work;        /* [8 x n] scratch vectors */
} verify_motion;

static inline const double *verify_state(const verify_motion *m, size_t k) { return m->state + k * m->n; }
/* State before frame k: the frame before it, or the scene's initial state. */
static inline const double *verify_state_before(const verify_motion *m, size_t k) {
  return k > 0 ? m->state + (k - 1) * m->n : m->scene->initial;
}
static inline double *verify_work(const verify_motion *m, size_t k) { return m->work + k * m->n; }

/* Sets tolerance, scale and the scratch space once the frames are there. */
thud_error thud_verify_motion_prepare(verify_motion *motion, double tolerance);
void thud_verify_motion_free(verify_motion *motion);

/* Places the set at t-, t or t+; false when the data are not finite there. */
bool thud_verify_motion_place(verify_motion *motion, double t, thud_side side);

/* Accepted error of a position (Euclidean), rounding of the set's numbers included. */
double thud_verify_position_tolerance(const verify_motion *motion);
/* u in the set as it is placed? */
thud_error thud_verify_member(verify_motion *motion, const double *u, double t, size_t frame, thud_verify_check *check);
/* Is the covector w [n], a displacement times the metric, normal to the set at u? A deviation by `angle`
 * (rad) is accepted besides the tolerance. w is overwritten. *residual (may be NULL) is what was compared, less its
 * possible error; 0 when w is too short to have a direction. */
thud_error thud_verify_normal(verify_motion *motion, const double *u, double *w, double angle, double t, size_t frame,
                              thud_verify_check *check, double *residual);

/* ---- checks of records and trajectories -------------------------------------------------------------------------- */

/* verify_sweeping_trajectory.c */
thud_error thud_verify_sweeping_trajectory(thud_context *context, const thud_tree *tree, const char *path,
                                           const thud_verify_options *options, thud_verify_result *result);

/* verify_sweeping.c: times, sides and numbers of frames that are in memory. finished: the record says "good". */
void thud_verify_check_frames(const verify_motion *motion, bool finished, thud_verify_check *check);
void thud_verify_check_jumps(const verify_motion *motion, thud_verify_check *check);

/* ---- retraction of the moving set of a scene, by the checker's own code ------------------------------------------ */

/* ret(C; start, end) lies in [low, high]; mesh: bound of the retraction inside an interval of the partition. high is
 * infinite where there is no bound, NaN where the checker knows none for such a set. */
typedef struct verify_retraction {
  double low, high, mesh_low, mesh;
} verify_retraction;

/* The figures of the summary: retraction, mesh_retraction and error_bound = 2 sqrt(mesh_retraction retraction). */
thud_error thud_verify_check_retraction(const verify_motion *motion, thud_record_reader *reader,
                                        thud_verify_check *check);

#endif
