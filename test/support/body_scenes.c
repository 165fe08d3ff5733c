#include "body_scenes.h"

static void check(thud_context *context, thud_error error) {
  if (error != THUD_OK) print_error("%s: %s\n", thud_error_name(error), thud_context_last_message(context));
  assert_int_equal(error, THUD_OK);
}

body_scene body_scene_begin(thud_context *context, bool planar, double g, double mu, double e) {
  body_scene scene = {.context = context};
  thud_bodies_options options = thud_bodies_options_default();
  options.planar = planar;
  options.gravity[0] = options.gravity[1] = options.gravity[2] = 0;
  options.gravity[planar ? 1 : 2] = -g;
  check(context, thud_bodies_create(context, &options, &scene.bodies));
  thud_surface_law law = thud_surface_law_default();
  law.friction = mu;
  law.restitution = e;
  check(context, thud_bodies_add_material(scene.bodies, NULL, &law, &scene.material));
  return scene;
}

void body_scene_end(body_scene *scene) { thud_bodies_destroy(scene->bodies); }

thud_index body_scene_shape(body_scene *scene, const thud_shape_def *def) {
  thud_index shape = -1;
  check(scene->context, thud_bodies_add_shape(scene->bodies, def, &shape));
  return shape;
}

static bool is_planar(body_scene *scene) {
  thud_bodies_view view;
  check(scene->context, thud_bodies_get(scene->bodies, &view));
  return view.planar;
}

thud_index body_scene_sphere(body_scene *scene, double radius) {
  thud_shape_def def = thud_shape_def_default(is_planar(scene) ? THUD_SHAPE_DISC : THUD_SHAPE_SPHERE);
  def.radius = radius;
  return body_scene_shape(scene, &def);
}

thud_index body_scene_box(body_scene *scene, double x, double y, double z) {
  thud_shape_def def = thud_shape_def_default(is_planar(scene) ? THUD_SHAPE_RECTANGLE : THUD_SHAPE_BOX);
  def.half[0] = x / 2;
  def.half[1] = y / 2;
  def.half[2] = z / 2;
  return body_scene_shape(scene, &def);
}

thud_body_id body_scene_place(body_scene *scene, const thud_body_def *def, thud_index shape, double density) {
  thud_body_id id;
  thud_part_def part = thud_part_def_default();
  part.shape = shape;
  part.material = scene->material;
  part.density = density;
  check(scene->context, thud_bodies_add(scene->bodies, def, &id));
  check(scene->context, thud_bodies_attach(scene->bodies, id, &part));
  return id;
}

thud_body_id body_scene_floor(body_scene *scene) {
  thud_shape_def plane = thud_shape_def_default(is_planar(scene) ? THUD_SHAPE_HALF_PLANE : THUD_SHAPE_PLANE);
  thud_body_def def = thud_body_def_default();
  def.name = "floor";
  def.role = THUD_BODY_FIXED;
  return body_scene_place(scene, &def, body_scene_shape(scene, &plane), 0);
}

thud_body_id body_scene_add(body_scene *scene, thud_index shape, double x, double y, double z) {
  thud_body_def def = thud_body_def_default();
  def.pose.position = thud_vec3_make(x, y, z);
  return body_scene_place(scene, &def, shape, 1000);
}

thud_motion *body_scene_motion(body_scene *scene, double h, thud_index steps, double tolerance) {
  thud_motion *motion = NULL;
  thud_body_motion_options options = thud_body_motion_options_default();
  options.end = h * steps;
  options.steps = steps;
  if (tolerance > 0) options.tolerance = tolerance;
  check(scene->context, thud_body_motion_create(scene->context, scene->bodies, &options, &motion));
  return motion;
}

thud_error body_scene_step_to(thud_motion *motion, const thud_motion_sink *sink) {
  thud_reached reached = {0};
  size_t before = thud_body_motion_get_info(motion).steps;
  thud_error error = thud_motion_step(motion, sink, &reached);
  bool is_start = reached.status == THUD_MOTION_RUNNING && thud_body_motion_get_info(motion).steps == before;
  return error == THUD_OK && is_start ? thud_motion_step(motion, sink, NULL) : error;
}

thud_error body_scene_step(thud_motion *motion, thud_body_motion_info *info) {
  thud_error error = body_scene_step_to(motion, NULL);
  if (error == THUD_OK && info != NULL) *info = thud_body_motion_get_info(motion);
  return error;
}

thud_body_motion_info body_scene_run(thud_motion *motion) {
  thud_body_motion_info info = {0};
  do {
    assert_int_equal(body_scene_step(motion, &info), THUD_OK);
  } while (info.status == THUD_MOTION_RUNNING);
  assert_int_equal(info.status, THUD_MOTION_COMPLETED);
  return info;
}
