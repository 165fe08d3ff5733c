/* Time scales of a scene: the step that they ask for, and how a given step fits them. */
#ifndef THUD_SRC_SCENE_SCENE_SCALES_H
#define THUD_SRC_SCENE_SCENE_SCALES_H

#include "scene/build.h"

enum { SCALE_TEXT = 200 };

typedef struct scene_scale {
  double time;           /* 0: none */
  double parts;          /* steps that it should take */
  char what[SCALE_TEXT]; /* "the period of spring 'leg'" */
} scene_scale;

typedef struct scene_scales {
  scene_scale asking; /* the one with the smallest time/parts */
  scene_scale
      missed; /* the one with the smallest time/parts, where parts are the fewest steps that resolve it; time 0: none */
  double fastest; /* smallest time; INFINITY: there is none */
  double span;    /* of the run */
} scene_scales;

scene_scales thud_scales_new(double span);
/* A scale of this length that should take `parts` steps and takes `fewest` at least (0: any number), else the run is warned
 * of; lengths that are not positive numbers are left out. */
void thud_scales_add(scene_scales *scales, double time, double parts, double fewest, const char *format, ...)
    THUD_PRINTF(5, 6);
/* The step that the scales ask for, rounded down to 1, 2 or 5 times a power of 10. */
double thud_scales_step(const scene_scales *scales);
/* A value at a time; false: there is none. */
typedef bool (*scales_sample_fn)(void *user, double t, double *value);
/* Period of a function of time within the run, by the turns of samples; 0: fewer than two turns. */
thud_error thud_scales_period(const thud_scene *scene, scales_sample_fn sample, void *user, double *period);

/* The scene has neither a step nor a number of steps: they are chosen, and scene->chosen says why. */
thud_error thud_scales_choose(thud_scene *scene, const scene_scales *scales);
/* The choice in the resolved scene, that records hold. */
thud_error thud_scales_describe(const thud_scene *scene, thud_tree *resolved);
/* The same with the scales of the scene's `data` alone: of motions without inertia. */
thud_error thud_scales_choose_by_data(thud_scene *scene);

#endif
