/* A built `particles_on_line` scene. */
#ifndef THUD_SRC_SCENE_LINE_H
#define THUD_SRC_SCENE_LINE_H

#include "scene/build.h"
#include "thud/line_motion.h"

typedef struct scene_line {
  thud_line *line;
  thud_line_options options;
  char **velocities; /* [dimension] "q'" */
  double *q0, *v0;   /* [dimension] */
} scene_line;

/* `particles_on_line`, `initial` and `simulate` of a scene whose parameters are there. */
thud_error scene_build_line(thud_scene *scene, const thud_node *root);
void scene_free_line(thud_scene *scene);

#endif
