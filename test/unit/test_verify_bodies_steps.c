/* The checker of rigid bodies on steps of real motions: sound ones pass every check, changed ones fail the right one. */
#include "body_scenes.h"
#include "verify/bodies/verify_bodies.h"

#include <string.h>

/* ---- a model and its rows as the checker has them ---------------------------------------------------------------------- */

typedef struct checked {
  thud_context *context;
  verify_bodies bodies;
  verify_body_row row, before;
  verify_body_step step;
  verify_near near;
  thud_verify_check checks[BODIES_CHECKS];
  double variables[1];
} checked;

static verify_shape take_shape(thud_context *context, const thud_shape *shape) {
  thud_shape_def def = thud_shape_get_def(shape);
  static const verify_shape_kind kinds[THUD_SHAPE_KINDS] = {[THUD_SHAPE_SPHERE] = VERIFY_SHAPE_SPHERE,
                                                            [THUD_SHAPE_ELLIPSOID] = VERIFY_SHAPE_ELLIPSOID,
                                                            [THUD_SHAPE_CAPSULE] = VERIFY_SHAPE_CAPSULE,
                                                            [THUD_SHAPE_BOX] = VERIFY_SHAPE_BOX,
                                                            [THUD_SHAPE_CYLINDER] = VERIFY_SHAPE_CYLINDER,
                                                            [THUD_SHAPE_CONE] = VERIFY_SHAPE_CONE,
                                                            [THUD_SHAPE_PLANE] = VERIFY_SHAPE_PLANE,
                                                            [THUD_SHAPE_HULL] = VERIFY_SHAPE_HULL,
                                                            [THUD_SHAPE_DISC] = VERIFY_SHAPE_DISC,
                                                            [THUD_SHAPE_PLANAR_CAPSULE] = VERIFY_SHAPE_PLANAR_CAPSULE,
                                                            [THUD_SHAPE_RECTANGLE] = VERIFY_SHAPE_RECTANGLE,
                                                            [THUD_SHAPE_POLYGON] = VERIFY_SHAPE_POLYGON,
                                                            [THUD_SHAPE_HALF_PLANE] = VERIFY_SHAPE_HALF_PLANE};
  verify_shape made = {.kind = kinds[def.kind],
                       .radius = def.radius,
                       .half_length = def.half_length,
                       .half = thud_vec3_load(def.half),
                       .point_count = (size_t)def.point_count};
  made.points = THUD_NEW_ARRAY(context, thud_vec3, made.point_count);
  for (size_t k = 0; k < made.point_count; k++) made.points[k] = thud_vec3_load(def.points + 3 * k);
  return made;
}

static void take_bodies(checked *c, const thud_bodies_view *view) {
  verify_bodies *b = &c->bodies;
  for (thud_index i = 0; i < view->count; i++) {
    const thud_body_def *def = &view->def[i];
    b->body[i] = (verify_rigid){.name = view->name[i],
                                .role = (verify_role)view->role[i],
                                .mass = view->mass[i],
                                .inertia = view->inertia[i],
                                .inverse = view->inverse_inertia[i],
                                .gravity_scale = def->gravity_scale,
                                .group = def->group,
                                .category = def->category,
                                .mask = def->mask,
                                .first_part = (size_t)view->part_start[i],
                                .part_count = (size_t)(view->part_start[i + 1] - view->part_start[i]),
                                .x = view->pose[i].position,
                                .q = view->pose[i].rotation};
  }
  for (thud_index p = 0; p < view->part_count; p++)
    b->part[p] =
        (verify_part){.body = (size_t)view->part_body[p],
                      .shape = (size_t)view->part_shape_number[p],
                      .material = view->part_material[p] >= 0 ? (size_t)view->part_material[p] : SIZE_MAX,
                      .place = {view->part_pose[p].position, thud_quat_to_matrix(view->part_pose[p].rotation)}};
  for (thud_index k = 0; k < view->spring_count; k++) {
    const thud_spring_def *spring = &view->springs[k];
    b->spring[k] = (verify_spring){.a = (size_t)view->spring_a[k],
                                   .b = view->spring_b[k] >= 0 ? (size_t)view->spring_b[k] : SIZE_MAX,
                                   .at_a = spring->point_a,
                                   .at_b = spring->point_b,
                                   .length = spring->length,
                                   .stiffness = spring->stiffness,
                                   .damping = spring->damping};
  }
}

static void begin(checked *c, body_scene *scene, const thud_body_motion_options *options) {
  static const char *const names[BODIES_CHECKS] = {
      "structure", "initial",  "model",       "drift", "paths",  "contacts", "missing", "momentum",
      "law",       "residual", "penetration", "lift",  "energy", "events",   "summary", "finished"};
  thud_context *context = scene->context;
  thud_bodies_view view;
  assert_int_equal(thud_bodies_get(scene->bodies, &view), THUD_OK);
  *c = (checked){.context = context};
  verify_bodies *b = &c->bodies;
  b->scene.context = context;
  b->planar = view.planar;
  b->gravity = view.gravity;
  b->count = (size_t)view.count;
  b->part_count = (size_t)view.part_count;
  b->shape_count = (size_t)view.shape_count;
  b->material_count = (size_t)view.material_count;
  b->spring_count = (size_t)view.spring_count;
  b->body = THUD_NEW_ARRAY(context, verify_rigid, b->count);
  b->part = THUD_NEW_ARRAY(context, verify_part, b->part_count);
  b->shape = THUD_NEW_ARRAY(context, verify_shape, b->shape_count);
  b->pair = THUD_NEW_ARRAY(context, verify_material_pair, b->material_count * (b->material_count + 1) / 2);
  b->spring = THUD_NEW_ARRAY(context, verify_spring, b->spring_count);
  take_bodies(c, &view);
  for (size_t k = 0; k < b->shape_count; k++) b->shape[k] = take_shape(context, view.shapes[k]);
  for (size_t i = 0; i < b->material_count; i++)
    for (size_t j = i; j < b->material_count; j++) {
      thud_surface_law law = thud_bodies_pair_law(scene->bodies, (thud_index)i, (thud_index)j, NULL);
      b->pair[b->pair_count++] = (verify_material_pair){
          i,
          j,
          {law.friction, law.friction_across, thud_vec3_load(law.axis), law.restitution, law.rolling, law.spinning}};
      b->rolling = b->rolling || law.rolling > 0;
      b->spinning = b->spinning || law.spinning > 0;
    }
  b->options = (verify_bodies_options){.tolerance = options->tolerance,
                                       .penetration = options->penetration,
                                       .impact_velocity = options->impact_velocity,
                                       .predicted = options->predicted,
                                       .gyroscopic = options->gyroscopic,
                                       .newton = true,
                                       .energy_tolerance = options->energy_tolerance,
                                       .reduces = true};
  for (int k = 0; k < BODY_VARIABLES; k++) b->slot[k] = -1;
  b->variables = c->variables;
  assert_int_equal(thud_verify_body_row_create(context, b, &c->row), THUD_OK);
  assert_int_equal(thud_verify_body_row_create(context, b, &c->before), THUD_OK);
  assert_int_equal(thud_verify_body_step_create(context, b, &c->step), THUD_OK);
  assert_int_equal(thud_verify_near_create(context, b->part_count, &c->near), THUD_OK);
  for (int k = 0; k < BODIES_CHECKS; k++) c->checks[k] = thud_verify_check_new(names[k]);
}

static void end(checked *c) {
  verify_bodies *b = &c->bodies;
  for (size_t k = 0; k < b->shape_count; k++) thud_free(c->context, b->shape[k].points);
  thud_free(c->context, b->body);
  thud_free(c->context, b->part);
  thud_free(c->context, b->shape);
  thud_free(c->context, b->pair);
  thud_free(c->context, b->spring);
  thud_verify_body_row_free(c->context, &c->row);
  thud_verify_body_row_free(c->context, &c->before);
  thud_verify_body_step_free(c->context, &c->step);
  thud_verify_near_free(c->context, &c->near);
}

static void take_contacts(checked *c, const thud_body_frame *frame) {
  const thud_body_contacts *from = frame->contacts;
  verify_body_row *row = &c->row;
  row->contact_count = (size_t)from->count;
  row->directed = false;
  assert_int_equal(
      thud_array_reserve(c->context, &row->contact, &row->contact_capacity, row->contact_count, sizeof *row->contact),
      THUD_OK);
  for (thud_index k = 0; k < from->count; k++) {
    row->contact[k] = (verify_body_contact){.a = (size_t)from->body_a[k],
                                            .b = (size_t)from->body_b[k],
                                            .part_a = (size_t)from->part_a[k],
                                            .part_b = (size_t)from->part_b[k],
                                            .point = from->point[k],
                                            .normal = from->normal[k],
                                            .impulse = from->force[k],
                                            .tangent = from->frame[k].cy,
                                            .gap = from->gap[k],
                                            .ahead = from->ahead[k],
                                            .mu = from->mu[k],
                                            .mu_across = from->mu_across[k],
                                            .e = from->restitution[k],
                                            .rolling = from->rolling[k],
                                            .spinning = from->spinning[k],
                                            .factor = frame->islands[from->island[k]].restitution_factor};
    if (from->moment != NULL) row->contact[k].moment = from->moment[k];
    row->directed = row->directed || from->mu[k] != from->mu_across[k];
  }
}

static void take_row(checked *c, const thud_body_frame *frame) {
  verify_body_row *row = &c->row;
  row->number++;
  row->t = frame->t;
  row->step = frame->step;
  row->whole = row->usable = true;
  for (size_t i = 0; i < c->bodies.count; i++) {
    row->end[i] =
        (verify_body_state){frame->pose[i].position, frame->pose[i].rotation, frame->velocity[i], frame->spin[i]};
    row->v_left[i] = frame->velocity_left[i];
    row->w_left[i] = frame->spin_left[i];
    row->lift[i] = frame->lift[i];
    row->turn[i] = frame->turn[i];
    row->asleep[i] = frame->asleep[i];
  }
  take_contacts(c, frame);
  row->residual = frame->residual;
  row->usual_residual = frame->usual_residual;
  row->worst[0] = frame->worst_contact >= 0 ? frame->contacts->body_a[frame->worst_contact] : -1;
  row->worst[1] = frame->worst_contact >= 0 ? frame->contacts->body_b[frame->worst_contact] : -1;
  row->deepest[0] = frame->penetration_a;
  row->deepest[1] = frame->penetration_b;
  row->penetration = frame->penetration;
  row->islands = frame->island_count;
  const thud_body_ledger *l = &frame->ledger;
  const double ledger[BODY_LEDGER] = {l->kinetic,       l->potential,    l->work, l->kinematic_work, l->impact_loss,
                                      l->friction_loss, l->contact_loss, l->lift, l->defect};
  memcpy(row->ledger, ledger, sizeof ledger);
}

/* All checks of the row, and those of the step where it is one. */
static void check(checked *c, double initial, bool linked) {
  verify_bodies *b = &c->bodies;
  verify_body_step *step = &c->step;
  thud_verify_check *checks = c->checks;
  thud_verify_body_paths(b, &c->row, &checks[BODIES_PATHS]);
  assert_int_equal(
      thud_verify_body_penetration(c->context, b, &c->row, step->place, &c->near, &checks[BODIES_PENETRATION]),
      THUD_OK);
  thud_verify_body_energies(b, &c->row, initial, 0, &checks[BODIES_ENERGY]);
  if (!(c->row.step > 0)) return;
  thud_verify_body_step_rebuild(&c->row, step);
  thud_verify_body_contacts(step, &checks[BODIES_CONTACTS]);
  assert_int_equal(thud_verify_body_missing(c->context, step, &c->near, &checks[BODIES_MISSING]), THUD_OK);
  assert_int_equal(thud_verify_body_momentum(c->context, step, &checks[BODIES_MOMENTUM]), THUD_OK);
  assert_int_equal(
      thud_verify_body_law(c->context, step, b->options.tolerance, &checks[BODIES_LAW], &checks[BODIES_RESIDUAL]),
      THUD_OK);
  if (linked) {
    thud_verify_body_drift(step, &c->before, &checks[BODIES_DRIFT]);
    assert_int_equal(thud_verify_body_work(c->context, step, &c->before, &checks[BODIES_ENERGY]), THUD_OK);
  }
  assert_int_equal(thud_verify_body_lift(c->context, step, step->place, &c->near, &checks[BODIES_LIFT]), THUD_OK);
}

static void exchange_rows(checked *c) {
  verify_body_row row = c->row;
  c->row = c->before;
  c->before = row;
  c->row.number = row.number;
}

/* Runs the scene and asks every row; prints what fails. */
static void sound(body_scene *scene, thud_body_motion_options options) {
  checked c;
  thud_motion *motion = NULL;
  thud_body_motion_info info = {0};
  begin(&c, scene, &options);
  assert_int_equal(thud_body_motion_create(scene->context, scene->bodies, &options, &motion), THUD_OK);
  thud_body_frame frame = thud_body_motion_present(motion);
  double initial = frame.ledger.kinetic + frame.ledger.potential;
  take_row(&c, &frame);
  check(&c, initial, false);
  do {
    exchange_rows(&c);
    assert_int_equal(body_scene_step(motion, &info), THUD_OK);
    frame = thud_body_motion_present(motion);
    take_row(&c, &frame);
    check(&c, initial, true);
  } while (info.status == THUD_MOTION_RUNNING);
  assert_int_equal(info.status, THUD_MOTION_COMPLETED);
  for (int k = 0; k < BODIES_CHECKS; k++) {
    if (c.checks[k].status != THUD_VERIFY_PASSED)
      print_message("%s: %g (tolerance %g) at t = %g; %s\n", c.checks[k].name, c.checks[k].worst, c.checks[k].tolerance,
                    c.checks[k].t, c.checks[k].detail);
  }
  for (int k = 0; k < BODIES_CHECKS; k++) assert_int_equal(c.checks[k].status, THUD_VERIFY_PASSED);
  thud_motion_destroy(motion);
  end(&c);
}

static thud_body_motion_options steps_of(double h, thud_index steps) {
  thud_body_motion_options options = thud_body_motion_options_default();
  options.end = h * (double)steps;
  options.steps = steps;
  return options;
}

/* ---- sound motions ------------------------------------------------------------------------------------------------------ */

static void stacks_of_boxes_pass(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  body_scene scene = body_scene_begin(context, false, 9.81, 0.5, 0);
  body_scene_floor(&scene);
  thud_index brick = body_scene_box(&scene, 0.2, 0.1, 0.06);
  for (int k = 0; k < 5; k++) body_scene_add(&scene, brick, 0.01 * k, 0.005 * k, 0.03 + 0.061 * k);
  sound(&scene, steps_of(5e-3, 200));
  body_scene_end(&scene);
  thud_test_context_end(context);
}

static void balls_that_bounce_and_spin_pass(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  body_scene scene = body_scene_begin(context, false, 9.81, 0.3, 0.6);
  body_scene_floor(&scene);
  thud_index ball = body_scene_sphere(&scene, 0.1);
  for (int k = 0; k < 8; k++) {
    thud_body_def def = thud_body_def_default();
    def.pose.position = thud_vec3_make(0.15 * (k % 2), 0.12 * (k % 3), 0.3 + 0.21 * k);
    def.velocity = thud_vec3_make(1 - k, 0.5, 0);
    def.spin = thud_vec3_make(0, 10, 5 * k);
    body_scene_place(&scene, &def, ball, 1000);
  }
  sound(&scene, steps_of(2e-3, 600));
  body_scene_end(&scene);
  thud_test_context_end(context);
}

/* A program that rebounds with half of the restitution of the materials and says so: nothing would create energy. */
static void a_factor_that_nothing_asks_for_fails(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  body_scene scene = body_scene_begin(context, false, 9.81, 0.3, 0.4);
  thud_body_motion_options options = steps_of(5e-3, 100);
  thud_motion *motion = NULL;
  thud_body_motion_info info = {0};
  checked c;
  size_t rebounds = 0;
  body_scene_floor(&scene);
  body_scene_add(&scene, body_scene_sphere(&scene, 0.1), 0, 0, 0.5);
  begin(&c, &scene, &options);
  for (size_t k = 0; k < c.bodies.pair_count; k++) c.bodies.pair[k].law.restitution *= 2;
  assert_int_equal(thud_body_motion_create(scene.context, scene.bodies, &options, &motion), THUD_OK);
  do {
    assert_int_equal(body_scene_step(motion, &info), THUD_OK);
    thud_body_frame frame = thud_body_motion_present(motion);
    take_row(&c, &frame);
    bool struck = c.row.contact_count > 0 && c.row.contact[0].e > 0;
    if (!struck) continue;
    rebounds++;
    c.row.contact[0].e *= 2;
    c.row.contact[0].factor = 0.5;
    thud_verify_check law = thud_verify_check_new("law"), residual = thud_verify_check_new("residual");
    thud_verify_body_step_rebuild(&c.row, &c.step);
    assert_int_equal(thud_verify_body_law(c.context, &c.step, 1e-8, &law, &residual), THUD_OK);
    assert_int_equal(residual.status, THUD_VERIFY_PASSED); /* u+ + factor e u- is what it was */
    assert_int_equal(law.status, THUD_VERIFY_FAILED);
    assert_non_null(strstr(law.detail, "the factor 0.5 on restitution"));
  } while (info.status == THUD_MOTION_RUNNING);
  thud_assert_greater((double)rebounds, 0);
  thud_motion_destroy(motion);
  end(&c);
  body_scene_end(&scene);
  thud_test_context_end(context);
}

/* A shape of every kind, thrown onto a floor and each other. */
static thud_index shape_of_kind(body_scene *scene, thud_shape_kind kind) {
  static const double points[] = {0.1, 0, 0, -0.08, 0.07, 0, -0.05, -0.09, 0, 0, 0.02, 0.12, 0.02, 0, -0.09};
  thud_shape_def def = thud_shape_def_default(kind);
  def.radius = 0.06;
  def.half_length = 0.08;
  def.half[0] = 0.1;
  def.half[1] = 0.07;
  def.half[2] = 0.05;
  def.point_count = kind == THUD_SHAPE_POLYGON ? 3 : 5;
  def.points = points;
  return body_scene_shape(scene, &def);
}

static void throw(body_scene * scene, size_t count, const thud_shape_kind *kinds) {
  thud_random random = thud_random_seed(5);
  body_scene_floor(scene);
  for (size_t k = 0; k < 3 * count; k++) {
    thud_body_def def = thud_body_def_default();
    thud_bodies_view view;
    assert_int_equal(thud_bodies_get(scene->bodies, &view), THUD_OK);
    bool planar = view.planar;
    double up = 0.2 + 0.32 * (double)(k / 2), x = 0.3 * (double)(k % 2) + thud_random_uniform(&random, 0, 0.02);
    double turn[3] = {thud_random_normal(&random), thud_random_normal(&random), thud_random_normal(&random)};
    if (planar) turn[0] = turn[1] = 0;
    def.pose.position = planar ? thud_vec3_make(x, up, 0) : thud_vec3_make(x, 0.01 * (double)(k % 3), up);
    def.pose.rotation = thud_quat_from_rotation_vector(thud_vec3_load(turn));
    def.velocity = thud_vec3_make(thud_random_uniform(&random, -1, 1), planar ? -1 : 0, planar ? 0 : -1);
    def.spin = planar ? thud_vec3_make(0, 0, 3) : thud_vec3_make(1, -2, 3);
    body_scene_place(scene, &def, shape_of_kind(scene, kinds[k % count]), 1000);
  }
}

static void solids_of_every_kind_pass(void **state) {
  (void)state;
  static const thud_shape_kind kinds[] = {THUD_SHAPE_SPHERE,   THUD_SHAPE_ELLIPSOID, THUD_SHAPE_CAPSULE, THUD_SHAPE_BOX,
                                          THUD_SHAPE_CYLINDER, THUD_SHAPE_CONE,      THUD_SHAPE_HULL};
  thud_context *context = thud_test_context(1);
  body_scene scene = body_scene_begin(context, false, 9.81, 0.4, 0);
  throw(&scene, 7, kinds);
  sound(&scene, steps_of(1e-3 * thud_test_share(2), 500 / thud_test_share(2)));
  body_scene_end(&scene);
  thud_test_context_end(context);
}

static void planar_shapes_of_every_kind_pass(void **state) {
  (void)state;
  static const thud_shape_kind kinds[] = {THUD_SHAPE_DISC, THUD_SHAPE_PLANAR_CAPSULE, THUD_SHAPE_RECTANGLE,
                                          THUD_SHAPE_POLYGON};
  thud_context *context = thud_test_context(1);
  body_scene scene = body_scene_begin(context, true, 9.81, 0.4, 0.2);
  throw(&scene, 4, kinds);
  sound(&scene, steps_of(1e-3, 500));
  body_scene_end(&scene);
  thud_test_context_end(context);
}

/* ---- changed rows ------------------------------------------------------------------------------------------------------- */

/* Boxes that springs with dampers connect at their corners, the first with the world; they swing and fall on the floor. */
static void hang_boxes(body_scene *scene, double stiffness) {
  thud_body_id last = {0};
  body_scene_floor(scene);
  thud_index box = body_scene_box(scene, 0.2, 0.1, 0.06);
  for (int k = 0; k < 4; k++) {
    thud_body_def def = thud_body_def_default();
    thud_spring_def spring = thud_spring_def_default();
    def.pose.position = thud_vec3_make(0.3 * k, 0, 0.2);
    def.velocity = thud_vec3_make(0, 0.3 * k, 0);
    def.spin = thud_vec3_make(1, 0, 2 * k);
    spring.a = body_scene_place(scene, &def, box, 1000);
    spring.b = last;
    spring.point_a = thud_vec3_make(-0.1, 0.05, 0.03);
    spring.point_b = k == 0 ? thud_vec3_make(-0.2, 0, 0.25) : thud_vec3_make(0.1, 0, 0);
    spring.length = k == 1 ? 0 : 0.1;
    spring.stiffness = stiffness;
    spring.damping = k % 2 * 2;
    assert_int_equal(thud_bodies_add_spring(scene->bodies, &spring), THUD_OK);
    last = spring.a;
  }
}

static void springs_of_every_stiffness_pass(void **state) {
  (void)state;
  for (int e = 1; e <= 7; e += 2) { /* k h^2/m from 3e-5 to 30, ten times that by the levers */
    thud_context *context = thud_test_context(1);
    body_scene scene = body_scene_begin(context, false, 9.81, 0.4, 0);
    hang_boxes(&scene, pow(10, e));
    sound(&scene, steps_of(2e-3, 150));
    body_scene_end(&scene);
    thud_test_context_end(context);
  }
}

/* A row of a brick that slides on the floor while a ball rolls against it. */
typedef struct example {
  thud_context *context;
  body_scene scene;
  thud_motion *motion;
  checked checked;
  double initial;
} example;

static void example_begin(example *e) {
  e->context = thud_test_context(1);
  e->scene = body_scene_begin(e->context, false, 9.81, 0.3, 0);
  body_scene_floor(&e->scene);
  thud_body_def def = thud_body_def_default();
  def.pose.position.z = 0.03;
  def.velocity.x = 1;
  def.spin.z = 2;
  body_scene_place(&e->scene, &def, body_scene_box(&e->scene, 0.2, 0.1, 0.06), 1000);
  def.pose.position = thud_vec3_make(0.2, 0, 0.05);
  def.velocity.x = 0;
  body_scene_place(&e->scene, &def, body_scene_sphere(&e->scene, 0.05), 1000);
  thud_body_motion_options options = steps_of(2e-3, 100);
  begin(&e->checked, &e->scene, &options);
  assert_int_equal(thud_body_motion_create(e->context, e->scene.bodies, &options, &e->motion), THUD_OK);
  thud_body_frame frame = thud_body_motion_present(e->motion);
  e->initial = frame.ledger.kinetic + frame.ledger.potential;
  for (int k = 0; k < 60; k++) {
    exchange_rows(&e->checked);
    assert_int_equal(body_scene_step(e->motion, NULL), THUD_OK);
    frame = thud_body_motion_present(e->motion);
    take_row(&e->checked, &frame);
  }
  thud_assert_at_least(e->checked.row.contact_count, 5);
}

static void example_end(example *e) {
  thud_motion_destroy(e->motion);
  end(&e->checked);
  body_scene_end(&e->scene);
  thud_test_context_end(e->context);
}

typedef void (*change_fn)(checked *c);

static verify_body_contact *pressing(checked *c) {
  for (size_t k = 0; k < c->row.contact_count; k++)
    if (thud_vec3_norm(c->row.contact[k].impulse) > 0) return &c->row.contact[k];
  fail();
  return NULL;
}

static void change_nothing(checked *c) { (void)c; }
static void change_impulse(checked *c) { pressing(c)->impulse.z *= 1 + 1e-6; }
static void change_normal(checked *c) { pressing(c)->normal = thud_vec3_make(sin(1e-4), 0, cos(1e-4)); }
static void change_gap(checked *c) { pressing(c)->gap -= 1e-6; }
static void change_point(checked *c) { pressing(c)->point.x += 1e-6; }
static void change_friction(checked *c) { pressing(c)->mu *= 1 + 1e-9; }
static void change_mass(checked *c) { c->bodies.body[1].mass *= 1 + 1e-6; }
static void change_inertia(checked *c) {
  c->bodies.body[1].inertia.cz.z *= 1.001;
  c->bodies.body[1].inverse.cz.z /= 1.001;
}
static void change_velocity(checked *c) { c->row.end[1].v.y += 1e-7; }
static void change_left(checked *c) { c->row.v_left[2].x += 1e-7; }
static void change_residual(checked *c) { c->row.residual += 1e-7; }
static void change_islands(checked *c) { c->row.islands += 1; }
static void change_losses(checked *c) { c->row.ledger[BODY_FRICTION_LOSS] *= 1 + 1e-6; }
static void change_kinetic(checked *c) { c->row.ledger[BODY_KINETIC] *= 1 + 1e-6; }
static void change_floor(checked *c) { c->row.end[0].x.z += 1e-9; }
static void change_penetration(checked *c) { c->row.penetration += 1e-4; }
static void sink(checked *c) { c->row.end[2].x.z -= 1e-3; }
static void lift_far(checked *c) { c->row.lift[1].z -= 1e-3; }
static void forget_contacts(checked *c) {
  /* lower the brick at the midpoint, with the contacts that it had */
  c->row.contact_count = 0;
  c->row.end[1].x.z -= 1e-4;
}
/* A friction impulse that is turned against the slip obeys the balance when the velocities follow, but not the law. */
static void turn_friction(checked *c) {
  verify_body_contact *contact = pressing(c);
  double mass = c->bodies.body[contact->a].mass;
  thud_vec3 change = thud_vec3_make(0, 1e-4, 0);
  contact->impulse = thud_vec3_add(contact->impulse, change);
  c->row.end[contact->a].v = thud_vec3_add_scaled(c->row.end[contact->a].v, 1 / mass, change);
}

static void the_right_check_finds_a_change(void **state) {
  (void)state;
  static const struct {
    change_fn change;
    int check; /* that fails; -1: none does */
  } changes[] = {{change_nothing, -1},
                 {change_impulse, BODIES_MOMENTUM},
                 {change_normal, BODIES_CONTACTS},
                 {change_gap, BODIES_CONTACTS},
                 {change_point, BODIES_MOMENTUM},
                 {change_friction, BODIES_LAW},
                 {change_mass, BODIES_MOMENTUM},
                 {change_inertia, BODIES_MOMENTUM},
                 {change_velocity, BODIES_MOMENTUM},
                 {change_left, BODIES_DRIFT},
                 {change_residual, BODIES_RESIDUAL},
                 {change_islands, BODIES_RESIDUAL},
                 {change_losses, BODIES_ENERGY},
                 {change_kinetic, BODIES_ENERGY},
                 {change_floor, BODIES_PATHS},
                 {change_penetration, BODIES_PENETRATION},
                 {sink, BODIES_PENETRATION},
                 {lift_far, BODIES_LIFT},
                 {forget_contacts, BODIES_MISSING},
                 {turn_friction, BODIES_LAW}};
  for (size_t k = 0; k < sizeof changes / sizeof *changes; k++) {
    example e;
    example_begin(&e);
    changes[k].change(&e.checked);
    check(&e.checked, e.initial, true);
    size_t failed = 0;
    for (int i = 0; i < BODIES_CHECKS; i++) failed += e.checked.checks[i].status == THUD_VERIFY_FAILED;
    if (changes[k].check < 0)
      thud_assert_equal(failed, 0);
    else
      thud_assert_equal(e.checked.checks[changes[k].check].status, THUD_VERIFY_FAILED);
    example_end(&e);
  }
}

/* ---- other springs ----------------------------------------------------------------------------------------------------- */

static void change_stiffness(checked *c) { c->bodies.spring[2].stiffness *= 1 + 1e-6; }
static void change_damping(checked *c) { c->bodies.spring[1].damping *= 1 + 1e-3; }
static void change_length(checked *c) { c->bodies.spring[3].length += 1e-6; }
static void change_end(checked *c) { c->bodies.spring[0].at_b.y += 1e-6; }
static void change_spin(checked *c) { c->row.end[3].w.x += 1e-3; }
static void change_work(checked *c) { c->row.ledger[BODY_WORK] *= 1 + 1e-3; }

static void other_springs_are_found(void **state) {
  (void)state;
  static const struct {
    change_fn change;
    int check; /* that fails; -1: none does */
  } changes[] = {{change_nothing, -1},
                 {change_stiffness, BODIES_MOMENTUM},
                 {change_damping, BODIES_MOMENTUM},
                 {change_length, BODIES_MOMENTUM},
                 {change_end, BODIES_MOMENTUM},
                 {change_spin, BODIES_MOMENTUM},
                 {change_work, BODIES_ENERGY}};
  for (size_t k = 0; k < sizeof changes / sizeof *changes; k++) {
    example e = {.context = thud_test_context(1)};
    e.scene = body_scene_begin(e.context, false, 9.81, 0.4, 0);
    hang_boxes(&e.scene, 1e6);
    thud_body_motion_options options = steps_of(2e-3, 100);
    begin(&e.checked, &e.scene, &options);
    assert_int_equal(thud_body_motion_create(e.context, e.scene.bodies, &options, &e.motion), THUD_OK);
    thud_body_frame frame = thud_body_motion_present(e.motion);
    e.initial = frame.ledger.kinetic + frame.ledger.potential;
    for (int n = 0; n < 20; n++) {
      exchange_rows(&e.checked);
      assert_int_equal(body_scene_step(e.motion, NULL), THUD_OK);
      frame = thud_body_motion_present(e.motion);
      take_row(&e.checked, &frame);
    }
    changes[k].change(&e.checked);
    check(&e.checked, e.initial, true);
    for (int i = 0; i < BODIES_CHECKS && changes[k].check < 0; i++)
      thud_assert_equal(e.checked.checks[i].status == THUD_VERIFY_FAILED, false);
    if (changes[k].check >= 0) thud_assert_equal(e.checked.checks[changes[k].check].status, THUD_VERIFY_FAILED);
    example_end(&e);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stacks_of_boxes_pass),
      cmocka_unit_test(balls_that_bounce_and_spin_pass),
      cmocka_unit_test(a_factor_that_nothing_asks_for_fails),
      cmocka_unit_test(solids_of_every_kind_pass),
      cmocka_unit_test(planar_shapes_of_every_kind_pass),
      cmocka_unit_test(springs_of_every_stiffness_pass),
      cmocka_unit_test(the_right_check_finds_a_change),
      cmocka_unit_test(other_springs_are_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
