/* The room of quasi-static friction: what a scene says of an elastic structure, what is reported of its motion, what it
 * looks like. */
#ifndef THUD_SRC_KINDS_QUASISTATIC_QUASISTATIC_SCENE_H
#define THUD_SRC_KINDS_QUASISTATIC_QUASISTATIC_SCENE_H

#include "base/names.h"
#include "scene/build.h"
#include "thud/drawing.h"
#include "thud/kind.h"
#include "thud/moment.h"
#include "thud/quasistatic.h"

/* ---- quasistatic_scene.c ----------------------------------------------------------------------------------------- */

/* Ready for thud_quasistatic_motion_create. */
typedef struct quasistatic_scene {
  thud_scene *scene;
  thud_owned_problem *owned; /* memory of K */
  thud_quasistatic_problem problem;
  thud_quasistatic_method method;
  thud_quasistatic_options options;
  thud_sparse H;
  double *gap, *mu, *initial;
  char **contact_names;
  scene_values loads;      /* of the unknowns that have one */
  thud_index *loaded;      /* [loads.count] unknown */
  scene_values thresholds; /* [contacts] */
  thud_regulated load, threshold;
  scene_times jumps; /* of loads and thresholds, and where a load turns */
  bool not_enclosed; /* a load turns so often that its turns are not all known */
  double period;     /* of a cyclic load, 0: none */
  bool continuum;    /* K is a discretised continuum */
  double *mass;      /* [n] of the dynamics that `thud study --rates` compares with; NULL: none */
  double rate;       /* of the loading there */
  thud_names names;  /* of the unknowns */
} quasistatic_scene;

thud_error thud_quasistatic_scene_build(thud_scene *scene, const thud_node *root, quasistatic_scene *made);
void thud_quasistatic_scene_free(quasistatic_scene *made);
/* What a built scene of this kind was made from; NULL for other kinds (quasistatic_kind.c). */
const quasistatic_scene *thud_quasistatic_scene_of(const thud_scene *scene);
/* Its motion, likewise. */
const thud_motion *thud_quasistatic_motion_of(const thud_scene *scene);
/* Adds the text of the stiffness file that the scene names, so that a record stands alone; any scene. */
thud_error thud_quasistatic_scene_take_files(thud_tree *tree);
/* Defaults, and the same. */
thud_error thud_quasistatic_scene_resolve(thud_tree *tree);
/* Names of methods, in the order of thud_quasistatic_method. */
extern const char *const thud_quasistatic_method_names[];
/* Rows of `simulate` beside those of the options. */
const thud_option_table *thud_quasistatic_scene_option_table(void);
/* Keys of `quasistatic` and `simulate`. */
extern const thud_kind_keys thud_quasistatic_keys[];

/* ---- quasistatic_report.c ---------------------------------------------------------------------------------------- */

/* Cyclic loads: what a structure tends to from the start that was given.
 *   shakedown    no slip any more: the friction loss of a cycle vanishes
 *   limit cycle  the state repeats itself, with a loss in every cycle
 *   ratchetting  the state advances by the same amount in every cycle
 * or none of them yet, with the factor by which the change of the state shrinks from cycle to cycle. */
enum { CYCLE_KEPT = 4 }; /* states at the ends of the last cycles */

typedef struct cycle_history {
  size_t n;
  double period, start; /* period 0: the load is not cyclic */
  double *block; /* [3 + CYCLE_KEPT*(n + 1)] cycles ended, largest |U|, largest energy; states with their losses, the
                    last first */
} cycle_history;

thud_error thud_cycle_create(thud_context *context, size_t n, double period, double start, double end,
                             cycle_history *history);
void thud_cycle_free(thud_context *context, cycle_history *history);
/* Keeps frames at the ends of cycles. */
void thud_cycle_note(cycle_history *history, const thud_quasistatic_frame *frame);
/* Bytes of the block. */
size_t thud_cycle_size(const cycle_history *history);

/* `thud check`: every critical coefficient, what it guarantees and where the scene's mu is. */
thud_error thud_quasistatic_report_critical(const quasistatic_scene *built, const thud_motion *motion,
                                            thud_report *report);
/* Increments whose error is a large part of their motion. */
bool thud_quasistatic_is_coarse(const quasistatic_scene *built, const thud_quasistatic_motion_info *info);
void thud_quasistatic_report(const quasistatic_scene *built, const thud_motion *motion, const cycle_history *cycles,
                             thud_report *report);

/* ---- quasistatic_view.c ------------------------------------------------------------------------------------------ */

thud_error thud_view_quasistatic(const quasistatic_scene *built, thud_moment *moment, thud_drawing *drawing);

#endif
