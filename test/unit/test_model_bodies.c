/* Models of rigid bodies: masses against closed forms, ids and names under removal, laws of materials. */
#include "body_models.h"
#include "failing_allocator.h"
#include "testing.h"
#include "thud/bodies.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- masses ------------------------------------------------------------------------------------------------------- */

/* Two balls on a rod along x: Steiner's theorem by hand. The frame's origin is the left ball. */
static void a_compound_has_the_mass_of_its_parts(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_bodies *bodies = begin(context, false);
  double R = 0.3, L = 2, half = 0.05, rho1 = 1000, rho2 = 500, rod_density = 700;
  thud_index ball = add_sphere(bodies, THUD_SHAPE_SPHERE, R), rod = add_box(bodies, THUD_SHAPE_BOX, L / 2, half, half);
  thud_body_def def = thud_body_def_default();
  def.pose.position = vector(1, 2, 3);
  def.pose.rotation = thud_quat_from_rotation_vector(vector(0, 0, PI / 2)); /* x goes to y */
  def.velocity = vector(4, 5, 6);
  thud_body_id id = add(bodies, &def);
  attach(bodies, id, ball, rho1, nowhere, vector(1, 1, 1));
  attach(bodies, id, ball, rho2, vector(L, 0, 0), nowhere);
  attach(bodies, id, rod, rod_density, vector(L / 2, 0, 0), nowhere);
  thud_bodies_view view = view_of(bodies);
  double volume = 4 * PI / 3 * R * R * R, m1 = rho1 * volume, m2 = rho2 * volume,
         m3 = rod_density * L * 4 * half * half;
  double mass = m1 + m2 + m3, x = (m2 * L + m3 * L / 2) / mass;
  double along = 0.4 * (m1 + m2) * R * R + m3 * (2 * 4 * half * half) / 12;
  double across = 0.4 * (m1 + m2) * R * R + m3 * (L * L + 4 * half * half) / 12 + m1 * x * x + m2 * (L - x) * (L - x) +
                  m3 * (L / 2 - x) * (L / 2 - x);
  assert_int_equal(view.count, 1);
  thud_assert_near(view.mass[0], mass, 1e-13 * mass);
  assert_vector(view.centre[0], vector(x, 0, 0), 1e-14);
  assert_matrix(view.inertia[0], thud_mat3_diagonal(along, across, across), 1e-13 * across);
  assert_matrix(view.inverse_inertia[0], thud_mat3_diagonal(1 / along, 1 / across, 1 / across), 1e-13 / along);
  assert_vector(view.pose[0].position, vector(1, 2 + x, 3), 1e-14);
  assert_vector(view.velocity[0], vector(4, 5, 6), 0);
  assert_int_equal(view.part_count, 3);
  assert_vector(view.part_pose[0].position, vector(-x, 0, 0), 1e-14);
  assert_vector(view.part_pose[1].position, vector(L - x, 0, 0), 1e-14);
  assert_int_equal(view.part_shape_number[2], rod);
  assert_ptr_equal(view.part_shape[2], view.shapes[rod]);
  assert_int_equal(view.part_start[0], 0);
  assert_int_equal(view.part_start[1], 3);
  assert_string_equal(view.name[0], "body-1");
  assert_string_equal(view.def[0].name, "body-1");
  thud_bodies_destroy(bodies);
  thud_test_context_end(context);
}

/* A box cut in two and put together again is the box, however its parts are posed on the body. */
static void a_box_cut_in_two_weighs_what_the_box_does(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(181);
  for (int round = 0; round < 50; round++) {
    thud_bodies *bodies = begin(context, false);
    double a = thud_random_uniform(&random, .1, 2), b = thud_random_uniform(&random, .1, 2),
           c = thud_random_uniform(&random, .1, 2), cut = thud_random_uniform(&random, .1, .9);
    double density = thud_random_uniform(&random, .5, 5);
    thud_vec3 turn = vector(thud_random_normal(&random), thud_random_normal(&random), thud_random_normal(&random));
    thud_vec3 place = vector(thud_random_normal(&random), thud_random_normal(&random), thud_random_normal(&random));
    thud_pose frame = {place, thud_quat_from_rotation_vector(turn)};
    thud_index left = add_box(bodies, THUD_SHAPE_BOX, cut * a, b, c),
               right = add_box(bodies, THUD_SHAPE_BOX, (1 - cut) * a, b, c);
    thud_body_id id = add_named(bodies, "cut", THUD_BODY_DYNAMIC);
    attach(bodies, id, left, density, thud_pose_point(&frame, vector(-(1 - cut) * a, 0, 0)), turn);
    attach(bodies, id, right, density, thud_pose_point(&frame, vector(cut * a, 0, 0)), turn);
    thud_bodies_view view = view_of(bodies);
    double mass = 8 * a * b * c * density;
    thud_mat3 R = thud_quat_to_matrix(frame.rotation),
              D = thud_mat3_diagonal(mass * (b * b + c * c) / 3, mass * (c * c + a * a) / 3,
                                     mass * (a * a + b * b) / 3);
    thud_mat3 expected = thud_mat3_multiply(thud_mat3_multiply(R, D), thud_mat3_transpose(R));
    double size = thud_mat3_trace(expected);
    thud_assert_near(view.mass[0], mass, 1e-13 * mass);
    assert_vector(view.centre[0], place, 1e-13);
    assert_matrix(view.inertia[0], expected, 1e-12 * size);
    assert_matrix(thud_mat3_transpose(view.inertia[0]), view.inertia[0], 0);
    assert_matrix(thud_mat3_transpose(view.inverse_inertia[0]), view.inverse_inertia[0], 0);
    assert_matrix(thud_mat3_multiply(view.inertia[0], view.inverse_inertia[0]), thud_mat3_identity(), 1e-10);
    thud_bodies_destroy(bodies);
  }
  thud_test_context_end(context);
}

/* Bodies of one shape whose masses are given in all ways. */
static void a_given_mass_takes_the_place_of_densities(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_bodies *bodies = begin(context, false);
  thud_index box = add_box(bodies, THUD_SHAPE_BOX, 1, 2, 3), particle = add_sphere(bodies, THUD_SHAPE_SPHERE, 0);
  thud_body_def def = thud_body_def_default();
  thud_vec3 aside = vector(1, 0, 0);
  def.mass = 6;
  attach(bodies, add(bodies, &def), box, 0, aside, nowhere);   /* 0: density 1 scaled, about the centre of the part */
  attach(bodies, add(bodies, &def), box, 100, aside, nowhere); /* 1: the same whatever the density */
  attach(bodies, add(bodies, &def), particle, 5, aside, nowhere); /* 2: a particle, off the frame's origin */
  add(bodies, &def);                                              /* 3: a point without parts */
  def.centre = aside;
  attach(bodies, add(bodies, &def), box, 0, aside, nowhere); /* 4: the centre, given as it is */
  def.centre = vector(0, 0.5, 0);
  def.inertia = thud_mat3_diagonal(2, 3, 4);
  attach(bodies, add(bodies, &def), box, 7, aside, nowhere);      /* 5: everything given */
  attach(bodies, add(bodies, &def), particle, 0, aside, nowhere); /* 6: particles may turn when they have an inertia */
  thud_bodies_view view = view_of(bodies);
  thud_mat3 of_box = thud_mat3_diagonal(6 * 13.0 / 3, 6 * 10.0 / 3, 6 * 5.0 / 3), zero = thud_mat3_diagonal(0, 0, 0);
  for (thud_index i = 0; i < 7; i++) thud_assert_equal(view.mass[i], 6);
  for (thud_index i = 0; i < 5; i += i == 1 ? 3 : 1) {
    assert_vector(view.centre[i], aside, 1e-15);
    assert_matrix(view.inertia[i], of_box, 1e-13);
  }
  assert_vector(view.centre[2], aside, 0);
  assert_vector(view.centre[3], nowhere, 0);
  for (thud_index i = 2; i <= 3; i++) assert_matrix(view.inverse_inertia[i], zero, 0);
  for (thud_index i = 5; i <= 6; i++) {
    assert_vector(view.centre[i], vector(0, 0.5, 0), 0);
    assert_matrix(view.inertia[i], thud_mat3_diagonal(2, 3, 4), 0);
    assert_matrix(view.inverse_inertia[i], thud_mat3_diagonal(1 / 2., 1 / 3., 1 / 4.), 1e-16);
    assert_vector(view.part_pose[view.part_start[i]].position, vector(1, -0.5, 0), 0);
  }
  thud_bodies_destroy(bodies);
  thud_test_context_end(context);
}

static void bodies_of_the_plane_turn_about_z_alone(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_bodies *bodies = begin(context, true);
  thud_index disc = add_sphere(bodies, THUD_SHAPE_DISC, 0.5), plate = add_box(bodies, THUD_SHAPE_RECTANGLE, 1, 2, 0);
  thud_body_def def = thud_body_def_default();
  def.pose.rotation = thud_quat_make(0.7071, 1e-17, 0, 0.7071); /* four digits: normalised */
  thud_body_id id = add(bodies, &def);
  attach(bodies, id, disc, 2, vector(3, 0, 0), nowhere);
  attach(bodies, id, plate, 1, nowhere, vector(0, 0, 1));
  def.mass = 4;
  def.inertia.cz.z = 9;
  add(bodies, &def);
  thud_bodies_view view = view_of(bodies);
  double m1 = 2 * PI / 4, m2 = 8, mass = m1 + m2, x = 3 * m1 / mass;
  double inertia = m1 / 8 + m1 * (3 - x) * (3 - x) + m2 * 5 / 3 + m2 * x * x;
  assert_true(view.planar);
  thud_assert_near(view.mass[0], mass, 1e-14 * mass);
  assert_matrix(view.inertia[0], thud_mat3_diagonal(0, 0, inertia), 1e-13 * inertia);
  assert_matrix(view.inverse_inertia[0], thud_mat3_diagonal(0, 0, 1 / inertia), 1e-13);
  assert_vector(view.pose[0].position, vector(0, x, 0), 1e-15);
  thud_assert_near(thud_quat_norm(view.pose[0].rotation), 1, 1e-15);
  thud_assert_equal(view.pose[0].rotation.x, 0);
  assert_matrix(view.inertia[1], thud_mat3_diagonal(0, 0, 9), 0);
  thud_bodies_destroy(bodies);
  thud_test_context_end(context);
}

/* ---- ids, names, order -------------------------------------------------------------------------------------------- */

enum { MOST = 400 };

/* What the model should hold: bodies in the order of adding. */
typedef struct plain_list {
  size_t count;
  struct {
    thud_body_id id;
    char name[16];
    double mass;
    thud_index parts;
  } body[MOST];
} plain_list;

static void assert_as_list(thud_bodies *bodies, const plain_list *list) {
  thud_bodies_view view = view_of(bodies);
  thud_index parts = 0;
  assert_int_equal(view.count, list->count);
  for (thud_index i = 0; i < view.count; i++) {
    assert_string_equal(view.name[i], list->body[i].name);
    thud_assert_equal(view.mass[i], list->body[i].mass);
    thud_assert_equal(thud_bodies_number(bodies, list->body[i].id), i);
    thud_assert_equal(view.part_start[i], parts);
    for (thud_index k = 0; k < list->body[i].parts; k++, parts++) {
      thud_assert_equal(view.part_body[parts], i);
      thud_assert_equal(view.part_material[parts], k % 2 - 1);
    }
  }
  thud_assert_equal(view.part_count, parts);
  thud_assert_equal(view.part_start[view.count], parts);
}

static void list_add(thud_bodies *bodies, plain_list *list, int number) {
  thud_body_def def = thud_body_def_default();
  size_t i = list->count++;
  snprintf(list->body[i].name, sizeof list->body[i].name, "b%d", number);
  list->body[i].mass = def.mass = number + 1;
  list->body[i].parts = number % 4;
  def.name = list->body[i].name;
  list->body[i].id = add(bodies, &def);
  for (thud_index k = 0; k < list->body[i].parts; k++) {
    thud_part_def part = thud_part_def_default();
    part.material = k % 2 - 1;
    assert_int_equal(thud_bodies_attach(bodies, list->body[i].id, &part), THUD_OK);
  }
}

static void list_remove(thud_bodies *bodies, plain_list *list, size_t i) {
  thud_body_id id = list->body[i].id;
  assert_int_equal(thud_bodies_remove(bodies, id), THUD_OK);
  assert_false(thud_bodies_is_valid(bodies, id));
  assert_int_equal(thud_bodies_number(bodies, id), -1);
  assert_int_equal(thud_bodies_find(bodies, list->body[i].name).index1, 0);
  memmove(&list->body[i], &list->body[i + 1], (--list->count - i) * sizeof list->body[0]);
}

/* Random adding and removing, with and without looks in between (which sweep): order, ids and names are always those of
 * a plain list, and no id of a removed body is ever taken for another's. */
static void removed_bodies_are_gone_and_the_others_stay_in_order(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_bodies *bodies = begin(context, false);
  thud_random random = thud_random_seed(182);
  static plain_list list;
  static thud_body_id gone[4 * MOST];
  size_t gone_count = 0;
  int number = 0;
  thud_index material;
  thud_surface_law law = thud_surface_law_default();
  memset(&list, 0, sizeof list);
  add_sphere(bodies, THUD_SHAPE_SPHERE, 1);
  assert_int_equal(thud_bodies_add_material(bodies, NULL, &law, &material), THUD_OK);
  for (int phase = 0; phase < 6; phase++) {
    while (list.count < MOST) list_add(bodies, &list, number++);
    if (phase % 2 == 0) assert_as_list(bodies, &list);
    for (int k = 0; k < 220; k++) {
      size_t i = thud_random_below(&random, (uint32_t)list.count);
      gone[gone_count++] = list.body[i].id;
      list_remove(bodies, &list, i);
      thud_index last = (thud_index)list.count - 1;
      thud_assert_equal(thud_bodies_number(bodies, list.body[last].id), last);
    }
    assert_as_list(bodies, &list);
    for (size_t k = 0; k < gone_count; k++) assert_false(thud_bodies_is_valid(bodies, gone[k]));
    for (size_t i = 0; i < list.count; i++) {
      thud_body_id found = thud_bodies_find(bodies, list.body[i].name);
      thud_assert_equal(found.index1, list.body[i].id.index1);
      thud_assert_equal(found.generation, list.body[i].id.generation);
    }
  }
  assert_int_equal(thud_bodies_remove(bodies, gone[0]), THUD_ERROR_NOT_FOUND);
  thud_test_message_has(context, "names no body", NULL);
  thud_bodies_destroy(bodies);
  thud_test_context_end(context);
}

static void names_are_made_up_and_differ(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_bodies *bodies = begin(context, false);
  add_named(bodies, "body-2", THUD_BODY_FIXED);
  add_named(bodies, NULL, THUD_BODY_FIXED);
  add_named(bodies, NULL, THUD_BODY_FIXED); /* body-2 is taken */
  thud_body_def def = thud_body_def_default();
  thud_body_id id = {0, 0};
  def.name = "body-1";
  assert_int_equal(thud_bodies_add(bodies, &def, &id), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "there is a body 'body-1' already", NULL);
  def.name = "";
  assert_int_equal(thud_bodies_add(bodies, &def, &id), THUD_ERROR_ARGUMENT);
  assert_int_equal(id.index1, 0);
  thud_bodies_view view = view_of(bodies);
  assert_int_equal(view.count, 3);
  assert_string_equal(view.name[1], "body-1");
  assert_string_equal(view.name[2], "body-3");
  assert_int_equal(thud_bodies_remove(bodies, thud_bodies_find(bodies, "body-1")), THUD_OK);
  id = add_named(bodies, "body-1", THUD_BODY_FIXED); /* free again */
  assert_int_equal(thud_bodies_find(bodies, "body-1").generation, id.generation);
  assert_int_equal(thud_bodies_find(bodies, "nobody").index1, 0);
  assert_int_equal(thud_bodies_number(bodies, id), 2);
  thud_bodies_destroy(bodies);
  thud_test_context_end(context);
}

static void many_bodies_are_added_and_found(void **state) {
  (void)state;
  enum { MANY = THUD_UNDER_SANITIZER ? 20000 : 100000 };
  thud_context *context = thud_test_context(1);
  thud_bodies *bodies = begin(context, false);
  thud_index ball = add_sphere(bodies, THUD_SHAPE_SPHERE, 1);
  for (int i = 0; i < MANY; i++)
    attach(bodies, add_named(bodies, NULL, THUD_BODY_DYNAMIC), ball, i + 1, nowhere, nowhere);
  thud_bodies_view view = view_of(bodies);
  assert_int_equal(view.count, MANY);
  for (int i = 0; i < MANY; i++) {
    double mass = 4 * PI / 3 * (i + 1);
    thud_assert_near(view.mass[i], mass, 1e-14 * mass);
    thud_assert_equal(thud_bodies_number(bodies, thud_bodies_find(bodies, view.name[i])), i);
  }
  /* Arrays double: a few dozen allocations, and a name for each body. */
  assert_in_range(thud_context_allocation_count(context), MANY, MANY + 400);
  thud_bodies_destroy(bodies);
  thud_test_context_end(context);
}

/* Bodies that come and go leave no room behind them, though nobody looks at the model. */
static void coming_and_going_needs_no_more_room(void **state) {
  (void)state;
  enum { CYCLES = 20000, ALIVE = 8 };
  thud_context *context = thud_test_context(1);
  thud_bodies *bodies = begin(context, false);
  thud_index ball = add_sphere(bodies, THUD_SHAPE_SPHERE, 1);
  thud_body_id alive[ALIVE] = {{0, 0}};
  size_t grown = 0;
  for (int k = 0; k < CYCLES; k++) {
    size_t before = thud_context_allocation_count(context);
    if (k >= ALIVE) assert_int_equal(thud_bodies_remove(bodies, alive[k % ALIVE]), THUD_OK);
    alive[k % ALIVE] = add_named(bodies, NULL, THUD_BODY_DYNAMIC);
    attach(bodies, alive[k % ALIVE], ball, 1, nowhere, nowhere);
    if (k >= 1000) grown += thud_context_allocation_count(context) - before - 1; /* 1: the name */
  }
  thud_assert_equal(grown, 0);
  thud_bodies_view view = view_of(bodies);
  assert_int_equal(view.count, ALIVE);
  assert_string_equal(view.name[ALIVE - 1], "body-20000");
  thud_bodies_destroy(bodies);
  thud_test_context_end(context);
}

/* ---- materials ---------------------------------------------------------------------------------------------------- */

static thud_index add_material(thud_bodies *bodies, double friction, double across, double restitution) {
  thud_surface_law law = thud_surface_law_default();
  thud_index material;
  law.friction = friction;
  law.friction_across = across;
  law.restitution = restitution;
  law.rolling = friction * friction;
  law.spinning = friction / 2;
  law.axis[0] = 0, law.axis[1] = 3, law.axis[2] = 4;
  assert_int_equal(thud_bodies_add_material(bodies, NULL, &law, &material), THUD_OK);
  return material;
}

static void materials_meet_by_the_rule_or_by_their_pair(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_bodies *bodies = begin(context, false);
  bool swapped = true;
  thud_index stone = add_material(bodies, 0.9, -1, 0.25), ice = add_material(bodies, 0.4, -1, 0.75),
             wood = add_material(bodies, 0.1, 0.4, 0), cord = add_material(bodies, 0.5, 0.02, 0);
  thud_surface_law law = thud_bodies_pair_law(bodies, stone, ice, &swapped);
  thud_assert_near(law.friction, 0.6, 1e-15);
  thud_assert_less(law.friction_across, 0);
  thud_assert_equal(law.restitution, 0.75);
  thud_assert_near(law.rolling, 0.36, 1e-15);
  thud_assert_near(law.spinning, 0.3, 1e-15);
  assert_false(swapped);
  law = thud_bodies_pair_law(bodies, stone, wood, &swapped); /* the axis is that of wood, whichever comes first */
  assert_true(swapped);
  thud_assert_near(law.friction, 0.3, 1e-15);
  thud_assert_near(law.friction_across, 0.6, 1e-15);
  thud_assert_near(law.axis[1], 0.6, 1e-15);
  thud_surface_law other = thud_bodies_pair_law(bodies, wood, stone, &swapped);
  assert_false(swapped);
  assert_memory_equal(&law, &other, sizeof law);
  law = thud_bodies_pair_law(bodies, cord, wood, &swapped); /* both have one: that of the material added first */
  assert_true(swapped);
  thud_assert_near(law.friction, sqrt(0.1 * 0.1), 1e-15);
  thud_assert_near(law.friction_across, sqrt(0.4 * 0.1), 1e-15);
  law = thud_bodies_pair_law(bodies, cord, cord, &swapped); /* one and itself: its own */
  assert_false(swapped);
  thud_assert_equal(law.friction, 0.5);
  thud_assert_equal(law.friction_across, 0.02);
  law = thud_bodies_pair_law(bodies, -1, ice, NULL);
  thud_assert_equal(law.friction, 0);
  thud_assert_equal(law.restitution, 0.75);
  thud_surface_law given = thud_surface_law_default();
  given.friction = 0.7;
  given.friction_across = 0.2;
  assert_int_equal(thud_bodies_set_pair(bodies, ice, stone, &given), THUD_OK);
  given.friction = 0.8;
  assert_int_equal(thud_bodies_set_pair(bodies, cord, wood, &given), THUD_OK);
  assert_int_equal(thud_bodies_set_pair(bodies, stone, stone, &given), THUD_OK);
  law = thud_bodies_pair_law(bodies, ice, stone, &swapped);
  thud_assert_equal(law.friction, 0.7);
  assert_false(swapped);
  thud_bodies_pair_law(bodies, stone, ice, &swapped);
  assert_true(swapped);
  given.friction = 0.35; /* said again: the later one */
  assert_int_equal(thud_bodies_set_pair(bodies, stone, ice, &given), THUD_OK);
  law = thud_bodies_pair_law(bodies, stone, ice, &swapped);
  thud_assert_equal(law.friction, 0.35);
  assert_false(swapped);
  thud_assert_equal(thud_bodies_pair_law(bodies, wood, cord, NULL).friction, 0.8);
  thud_assert_equal(thud_bodies_pair_law(bodies, stone, stone, &swapped).friction, 0.8);
  assert_false(swapped);
  assert_string_equal(view_of(bodies).material_names[wood], "material-3");
  thud_bodies_destroy(bodies);
  thud_test_context_end(context);
}

/* Many pairs in any order: each is found again, from either side. */
static void many_pairs_are_told_apart(void **state) {
  (void)state;
  enum { COUNT = 24 };
  thud_context *context = thud_test_context(1);
  thud_bodies *bodies = begin(context, false);
  thud_random random = thud_random_seed(183);
  double friction[COUNT][COUNT] = {{0}};
  for (int k = 0; k < COUNT; k++) add_material(bodies, 0, -1, 0);
  for (int round = 0; round < 300; round++) {
    thud_index a = (thud_index)thud_random_below(&random, COUNT), b = (thud_index)thud_random_below(&random, COUNT);
    thud_surface_law law = thud_surface_law_default();
    law.friction = friction[a][b] = friction[b][a] = round + 1;
    assert_int_equal(thud_bodies_set_pair(bodies, a, b, &law), THUD_OK);
  }
  for (thud_index a = 0; a < COUNT; a++)
    for (thud_index b = 0; b < COUNT; b++)
      thud_assert_equal(thud_bodies_pair_law(bodies, a, b, NULL).friction, friction[a][b]);
  thud_bodies_destroy(bodies);
  thud_test_context_end(context);
}

/* ---- springs ------------------------------------------------------------------------------------------------------ */

static void springs_hold_on_to_their_bodies(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_bodies *bodies = begin(context, false);
  thud_index ball = add_sphere(bodies, THUD_SHAPE_SPHERE, 1);
  thud_body_id id[4];
  for (int i = 0; i < 4; i++) {
    id[i] = add_named(bodies, NULL, i == 3 ? THUD_BODY_FIXED : THUD_BODY_DYNAMIC);
    attach(bodies, id[i], ball, 1, vector(i, 0, 0), nowhere);
  }
  thud_spring_def spring = thud_spring_def_default();
  spring.stiffness = 5;
  spring.point_a = spring.point_b = vector(10, 1, 0);
  spring.a = id[0], spring.b = id[1];
  assert_int_equal(thud_bodies_add_spring(bodies, &spring), THUD_OK);
  spring.a = id[1], spring.b = id[2], spring.name = "second";
  assert_int_equal(thud_bodies_add_spring(bodies, &spring), THUD_OK);
  spring.a = id[2], spring.b = (thud_body_id){0, 0}, spring.name = NULL;
  assert_int_equal(thud_bodies_add_spring(bodies, &spring), THUD_OK);
  spring.b = id[3];
  assert_int_equal(thud_bodies_add_spring(bodies, &spring), THUD_OK);
  thud_bodies_view view = view_of(bodies);
  assert_int_equal(view.spring_count, 4);
  assert_vector(view.springs[1].point_a, vector(9, 1, 0), 1e-15);
  assert_vector(view.springs[1].point_b, vector(8, 1, 0), 1e-15);
  assert_vector(view.springs[3].point_b, vector(10, 1, 0), 0); /* of fixed bodies the frame's origin counts */
  assert_string_equal(view.springs[1].name, "second");
  assert_string_equal(view.springs[2].name, "spring-3");
  assert_int_equal(view.spring_b[2], -1);
  assert_int_equal(thud_bodies_remove(bodies, id[0]), THUD_OK);
  view = view_of(bodies);
  assert_int_equal(view.spring_count, 3);
  assert_int_equal(view.spring_a[0], 0);
  assert_int_equal(view.spring_b[0], 1);
  assert_int_equal(view.spring_b[2], 2);
  assert_int_equal(view.part_count, 3);
  thud_bodies_destroy(bodies);
  thud_test_context_end(context);
}

/* ---- memory ------------------------------------------------------------------------------------------------------- */

/* Enough of everything that arrays grow more than once. A failing call leaves the counts of the view as they were. */
static thud_error build(thud_context *context, void *user) {
  (void)user;
  enum { COUNT = 20 };
  thud_bodies *bodies = NULL;
  thud_body_id id[COUNT] = {{0, 0}};
  thud_index number;
  thud_surface_law law = thud_surface_law_default();
  thud_shape_def sphere = thud_shape_def_default(THUD_SHAPE_SPHERE);
  thud_body_def def = thud_body_def_default();
  thud_part_def part = thud_part_def_default();
  thud_spring_def spring = thud_spring_def_default();
  sphere.radius = 1;
  part.density = 1;
  int added = 0;
  thud_error error = thud_bodies_create(context, NULL, &bodies);
  for (int i = 0; i < COUNT && error == THUD_OK; i++) {
    error = thud_bodies_add_shape(bodies, &sphere, &number);
    if (error == THUD_OK) error = thud_bodies_add_material(bodies, NULL, &law, &number);
    if (error == THUD_OK) error = thud_bodies_set_pair(bodies, 0, number, &law);
    if (error == THUD_OK) error = thud_bodies_add(bodies, &def, &id[i]);
    added += error == THUD_OK;
    if (error == THUD_OK) error = thud_bodies_attach(bodies, id[i], &part);
    spring.a = id[i];
    if (error == THUD_OK) error = thud_bodies_add_spring(bodies, &spring);
  }
  for (int i = 0; i < added; i++) assert_true(thud_bodies_is_valid(bodies, id[i]));
  for (int i = added; i < COUNT; i++) assert_false(bodies != NULL && thud_bodies_is_valid(bodies, id[i]));
  if (error == THUD_OK) error = thud_bodies_remove(bodies, id[3]);
  thud_bodies_view view = {.count = -1};
  if (error == THUD_OK) error = thud_bodies_get(bodies, &view);
  assert_int_equal(view.count, error == THUD_OK ? COUNT - 1 : -1);
  thud_bodies_destroy(bodies);
  return error;
}

static void failing_allocations_leave_nothing_behind(void **state) {
  (void)state;
  thud_assert_greater(thud_test_sweep_allocations(build, NULL), 60);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_compound_has_the_mass_of_its_parts),
                                     cmocka_unit_test(a_box_cut_in_two_weighs_what_the_box_does),
                                     cmocka_unit_test(a_given_mass_takes_the_place_of_densities),
                                     cmocka_unit_test(bodies_of_the_plane_turn_about_z_alone),
                                     cmocka_unit_test(removed_bodies_are_gone_and_the_others_stay_in_order),
                                     cmocka_unit_test(names_are_made_up_and_differ),
                                     cmocka_unit_test(many_bodies_are_added_and_found),
                                     cmocka_unit_test(coming_and_going_needs_no_more_room),
                                     cmocka_unit_test(materials_meet_by_the_rule_or_by_their_pair),
                                     cmocka_unit_test(many_pairs_are_told_apart),
                                     cmocka_unit_test(springs_hold_on_to_their_bodies),
                                     cmocka_unit_test(failing_allocations_leave_nothing_behind)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
