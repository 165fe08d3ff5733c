/* A tower of boxes struck by a ball, without a scene file: bodies, materials, a motion, its contact events. */
#include <math.h>
#include <stdio.h>
#include <thud/thud.h>

enum { BOXES = 5 };
static const double EDGE = 0.2, RADIUS = 0.1, SPEED = 8, STEP = 0.002, END = 1.5; /* m, m/s, s */

/* Called when contacts begin, end, or are struck; > 0 would stop the motion. Reports what happens to the last body. */
static int report(void *user, const void *handed) {
  const thud_bodies_view *view = user;
  const thud_body_event *event = handed;
  thud_index ball = view->count - 1, other = event->body_a == ball ? event->body_b : event->body_a;
  bool is_of_ball = event->body_a == ball || event->body_b == ball;
  if (event->kind == THUD_BODY_EVENT_IMPACT && is_of_ball && event->approach > 1)
    printf("t = %.3f s: %s strikes %s at %.3f m/s\n", event->t, view->name[ball], view->name[other], event->approach);
  return 0;
}

/* A body of one part, of wood. */
static thud_error add(thud_bodies *bodies, const char *name, int role, thud_index shape, double density,
                      thud_vec3 position, thud_vec3 velocity) {
  thud_body_def def = thud_body_def_default();
  thud_part_def part = thud_part_def_default();
  thud_body_id id;
  def.name = name; /* NULL: "body-N" */
  def.role = role;
  def.pose.position = position;
  def.velocity = velocity;
  part.shape = shape;
  part.material = 0;
  part.density = density;
  thud_error error = thud_bodies_add(bodies, &def, &id);
  return error != THUD_OK ? error : thud_bodies_attach(bodies, id, &part);
}

static thud_error build(thud_bodies *bodies) {
  thud_shape_def plane = thud_shape_def_default(THUD_SHAPE_PLANE), box = thud_shape_def_default(THUD_SHAPE_BOX),
                 sphere = thud_shape_def_default(THUD_SHAPE_SPHERE);
  thud_surface_law wood = thud_surface_law_default();
  thud_index floor_shape, box_shape, ball_shape, material;
  thud_vec3 rest = {0, 0, 0}, start = {-1, 0, 3.5 * EDGE}, thrown = {SPEED, 0, 0};
  box.half[0] = box.half[1] = box.half[2] = EDGE / 2;
  sphere.radius = RADIUS;
  wood.friction = 0.5;
  thud_error error = thud_bodies_add_material(bodies, "wood", &wood, &material);
  if (error == THUD_OK) error = thud_bodies_add_shape(bodies, &plane, &floor_shape);
  if (error == THUD_OK) error = thud_bodies_add_shape(bodies, &box, &box_shape);
  if (error == THUD_OK) error = thud_bodies_add_shape(bodies, &sphere, &ball_shape);
  if (error == THUD_OK) error = add(bodies, "floor", THUD_BODY_FIXED, floor_shape, 0, rest, rest);
  for (int k = 0; k < BOXES && error == THUD_OK; k++)
    error = add(bodies, NULL, THUD_BODY_DYNAMIC, box_shape, 600, thud_vec3_make(0, 0, (k + 0.5) * EDGE), rest);
  return error != THUD_OK ? error : add(bodies, "ball", THUD_BODY_DYNAMIC, ball_shape, 7800, start, thrown);
}

int main(void) {
  thud_context *context;
  thud_bodies *bodies = NULL;
  thud_bodies_view view;
  thud_motion *motion = NULL;
  thud_body_motion_options options = thud_body_motion_options_default();
  options.end = END;
  options.steps = (thud_index)lround(END / STEP);
  if (thud_context_create(NULL, &context) != THUD_OK) return 3;
  if (thud_bodies_create(context, NULL, &bodies) != THUD_OK || build(bodies) != THUD_OK ||
      thud_bodies_get(bodies, &view) != THUD_OK ||
      thud_body_motion_create(context, bodies, &options, &motion) != THUD_OK ||
      thud_motion_run(motion, &(thud_motion_sink){.event = report, .user = &view}, NULL) != THUD_OK) {
    fprintf(stderr, "%s\n", thud_context_last_message(context));
    return 2;
  }
  thud_body_motion_info info = thud_body_motion_get_info(motion);
  thud_body_frame last = thud_body_motion_present(motion);
  int fallen = 0;
  for (int k = 0; k < BOXES; k++) fallen += fabs(last.pose[1 + k].position.z - (k + 0.5) * EDGE) > EDGE / 4;
  printf("%d of %d boxes have fallen; energy balance within %.1e J, worst residual %.1e, worst overlap %.1e m\n",
         fallen, BOXES, fabs(last.ledger.defect), info.worst_residual, info.worst_penetration);
  bool is_good = info.status == THUD_MOTION_COMPLETED && info.worst_residual <= options.tolerance;
  puts(is_good ? "verdict: every contact law holds" : "verdict: NOT SOLVED");
  thud_motion_destroy(motion);
  thud_bodies_destroy(bodies);
  thud_context_destroy(context);
  return is_good ? 0 : 1;
}
