/* Motions along the outcomes of forks (`thud run --branch`). */
#ifndef THUD_SRC_SCENE_RUN_BRANCH_H
#define THUD_SRC_SCENE_RUN_BRANCH_H

#include "run/run_system.h"

/* A fork that a motion has passed, and the outcome taken there. */
typedef struct branch_fork {
  double t;
  size_t chosen, count;
  bool by_order; /* of a multiple impact, where outcome 0 is that of the law */
  char text[160];
} branch_fork;

/* The forks of one motion. The first `given` choices are prescribed. At further forks outcome 0 is taken, but a motion
 * that has left the law at its last multiple impact goes on with contacts struck one after the other: in the same order
 * where there is this outcome, else with the first. */
typedef struct branch_path {
  thud_context *context;
  branch_fork *forks;
  size_t count, capacity, given;
  size_t limit; /* outcomes of one fork at most */
} branch_path;

/* The motion stands at a fork: chooses, and notes what. */
thud_error branch_path_choose(branch_path *path, thud_event_motion *motion);
/* "path": [{t, text, outcome (from 1 on), of}] */
void branch_json_path(thud_json *json, const branch_path *path);
/* At most options->branches motions. */
thud_error scene_run_branches(thud_scene *scene, const thud_run_options *options, thud_run_result *result);

#endif
