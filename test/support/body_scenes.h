/* Small models of rigid bodies for tests and benchmarks: shapes, bodies and motions in one call each. Everything is
 * asserted to go well. */
#ifndef THUD_TEST_BODY_SCENES_H
#define THUD_TEST_BODY_SCENES_H

#include "testing.h"
#include "thud/body_motion.h"

/* A model under construction. */
typedef struct body_scene {
  thud_context *context;
  thud_bodies *bodies;
  thud_index material; /* of all parts that are added */
} body_scene;

/* Gravity g against z (planar: y); one material with this friction and restitution. */
body_scene body_scene_begin(thud_context *context, bool planar, double g, double mu, double e);
void body_scene_end(body_scene *scene);
thud_index body_scene_shape(body_scene *scene, const thud_shape_def *def);
thud_index body_scene_sphere(body_scene *scene, double radius);
thud_index body_scene_box(body_scene *scene, double x, double y, double z); /* whole edges; planar: z is not read */
/* The fixed half-space z <= 0 (planar: y <= 0). */
thud_body_id body_scene_floor(body_scene *scene);
/* A dynamic body of one shape at a position, density 1000. */
thud_body_id body_scene_add(body_scene *scene, thud_index shape, double x, double y, double z);
thud_body_id body_scene_place(body_scene *scene, const thud_body_def *def, thud_index shape, double density);

/* `steps` steps of length h. tolerance 0: the default. */
thud_motion *body_scene_motion(body_scene *scene, double h, thud_index steps, double tolerance);
/* The next step; before it, unnoticed, what hands out the start. info may be NULL. */
thud_error body_scene_step(thud_motion *motion, thud_body_motion_info *info);
/* The same with a sink for the frames and events of the step. */
thud_error body_scene_step_to(thud_motion *motion, const thud_motion_sink *sink);
/* To the end; asserts that it completes. */
thud_body_motion_info body_scene_run(thud_motion *motion);

#endif
