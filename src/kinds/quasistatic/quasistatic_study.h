/* One quasi-static run with 2^level equal steps, kept at its nodes. */
#ifndef THUD_SRC_KINDS_QUASISTATIC_QUASISTATIC_STUDY_H
#define THUD_SRC_KINDS_QUASISTATIC_QUASISTATIC_STUDY_H

#include "kinds/quasistatic/quasistatic_scene.h"
#include "study/study_path.h"
#include "thud/stepping.h"
#include "thud/study.h"

typedef struct study_elastic_run {
  const quasistatic_scene *made;
  thud_quasistatic_method method;
  thud_quasistatic_options motion;
  int level;
  thud_run_progress_fn progress; /* NULL: none; called with the part of this run that is done as t, 0, 1 */
  void *progress_user;
} study_elastic_run;

/* Nodes of the uniform partition; jumps of the loads are no nodes of the paths. */
typedef struct study_elastic {
  study_path states;    /* q and v: displacements U */
  study_path reactions; /* q and v: reactions r */
  scene_times jumps;    /* of the state at loads that do not jump */
  double first_jump;    /* of the state for whatever reason; NaN: none */
  double worst_gap;     /* most negative one, 0: none */
  double friction;      /* energy lost */
  thud_quasistatic_motion_info info;
} study_elastic;

/* A run that ended early has its status in made->info; THUD_ERROR_INTERRUPTED when the progress asked for it. */
thud_error thud_study_elastic_create(const study_elastic_run *run, study_elastic *made);
void thud_study_elastic_free(study_elastic *made);

typedef struct study_elastic_distance {
  double states, reactions; /* sup over the nodes of the coarser path, without those next to a jump */
  double graphs;            /* Hausdorff distance of the graphs of U, jumps filled by segments */
  size_t left_out;          /* nodes */
} study_elastic_distance;

/* Increments against the event-driven motion (quasistatic_against.c). */
thud_error thud_quasistatic_study_against(thud_scene *scene, const thud_against_options *options, thud_against *result,
                                          const char **remark);

/* The nodes of the coarse run are nodes of the fine one. What rounding and the tolerance of the contact problems explain
 * is 0: ratios of such distances are not orders. */
study_elastic_distance thud_study_elastic_compare(const study_elastic *coarse, const study_elastic *fine,
                                                  double tolerance);

/* ---- The Lagrangian system whose limit for slow loads a quasi-static motion is ----------------------------------- */

/* rate^2 M U'' + K U = F(s) + H r, with the contacts and the friction of the scene and restitution 0. */
typedef struct slow_system {
  const quasistatic_scene *made;
  thud_system *system;
  double *K;        /* [n*n] */
  double *mass;     /* [n*n] with the factor rate^2 */
  double *rows;     /* [m*n] gradients of the gaps */
  double *slips;    /* [s*n] */
  double stiffness; /* bound of the largest eigenvalue of M^-1 K, M without the factor */
  double largest;   /* entry of K */
} slow_system;

thud_error thud_study_slow_create(const quasistatic_scene *made, double rate, slow_system *slow);
void thud_study_slow_free(slow_system *slow);

#endif
