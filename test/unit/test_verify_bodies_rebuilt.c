/* The checker's own model of rigid bodies, rebuilt from the scene: it is what the run builds, and every number of the run's
 * list that differs from it is found by its name. */
#include "testing.h"
#include "record_copy.h"
#include "thud/geom.h"
#include "verify/bodies/verify_bodies_read.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STONE                                                                                                          \
  "thud: 1\nmaterials: {stone: {friction: 0.5, density: 2600}, wood: {friction: [0.4, 0.2], axis: [1, 1, 0], "         \
  "density: 600, rolling: 0.01}, rubber: {friction: 0.8, restitution: 0.5, spinning: 0.001}}\n"                        \
  "pairs:\n  - {materials: [rubber, wood], restitution: 0.25}\n  - {materials: [stone, wood], friction: 0.3}\n"
#define PLANE                                                                                                          \
  "thud: 1\nplanar: true\nmaterials: {stone: {friction: 0.5, density: 2600}, wood: {friction: 0.4, restitution: "      \
  "0.2}}\n"
#define STEP "simulate: {end: 0.01, step: 0.01}\n"
/* points on edges and faces and inside, which are no corners */
#define POINTS                                                                                                         \
  "[[0, 0, 0], [0.3, 0, 0], [0, 0.4, 0], [0, 0, 0.5], [0.15, 0, 0], [0.1, 0.1, 0], [0.05, 0.05, 0.05], [0.2, 0.3, "    \
  "0.4]]"

typedef struct rebuilt_scene {
  const char *name, *text;
} rebuilt_scene;

/* Every kind of shape, ways of giving masses, forces, paths, filters, springs. */
static const rebuilt_scene described[] = {
    {"space", STONE
     "parameters: {a: 0.3}\nshapes: {brick: {box: [0.2, 0.1, 0.06]}}\nbodies:\n"
     "  - {name: floor, fixed: true, shape: plane, material: stone, rotation: {axis: [0, 1, 0], angle: a}, position: "
     "[0, 0, -50]}\n"
     "  - {name: ball, shape: {sphere: 0.1}, material: stone, position: [0, 0, 1], velocity: [1, 0, 0], spin: [0, 0, "
     "5]}\n"
     "  - {name: given, shape: brick, mass: 2, inertia: [1, 1.5, 1.2], centre: [0.01, 0, 0], material: wood, position: "
     "[1, 0, 2]}\n"
     "  - {name: weighed, shape: brick, mass: 2*a, material: wood, position: [2, 0, 2]}\n"
     "  - {name: dumbbell, position: [0, 1, 2], rotation: [0.6, 0.8, 0, 0], parts: [{shape: {sphere: 0.1}, position: "
     "[0, 0, 0.2], material: stone}, {shape: {capsule: {radius: 0.02, length: 0.4}}, material: wood, density: 700, "
     "rotation: {axis: [1, 1, 0], angle: 0.7}}]}\n"
     "  - {name: table, path: {position: [\"3 + 0.01*sin(20*t)\", 3, 0], axis: [0, 1, 1], angle: 0.5*t}, shape: {box: "
     "[1, 1, 0.1]}}\n"
     "  - {name: rocket, material: stone, position: [-2, 0, 3], shape: {cylinder: {radius: 0.1, length: 1}}, force: "
     "[0, "
     "0, \"20*step(1 - t)\"], torque: [0, 0, \"-z'\"], gravity_scale: 0.5, group: 1, category: 2, mask: 255}\n"
     "  - {name: egg, shape: {ellipsoid: [0.1, 0.15, 0.2]}, material: wood, position: [-4, 0, 3]}\n"
     "  - {name: hat, shape: {cone: {radius: 0.1, height: 0.3}}, material: wood, position: [-6, 0, 4]}\n"
     "  - {name: gem, shape: {hull: " POINTS "}, material: wood, position: [-8, 0, 5]}\n"
     "  - {name: wire, shape: {cylinder: {radius: 0.0001, length: 3}}, material: stone, position: [-12, 0, 5]}\n"
     "  - {name: sheet, shape: {box: [1, 1, 0.0001]}, material: stone, position: [-15, 0, 5], rotation: [0, 0.6, 0.8, "
     "0]}\n"
     "  - {name: dust, shape: particle, mass: 0.1, position: [-9, 4, 5]}\n"
     "  - {name: hills, fixed: true, shape: {height_field: {size: [2, 3], heights: [[0, 0, 0.2], [0, 0.1, 0.3]]}}, "
     "position: [20, 0, 0], material: rubber}\n"
     "  - {name: block, fixed: true, position: [30, 0, 0], shape: {mesh: {vertices: [[-1, -1, 0], [1, -1, 0], [1, 1, "
     "0], [-1, 1, 0], [0, 0, -1]], triangles: [[0, 1, 2], [0, 2, 3], [0, 4, 1], [1, 4, 2], [2, 4, 3], [3, 4, 0]]}}, "
     "material: stone}\n"
     "springs:\n  - {name: s, a: ball, at_a: [0, 0, 0.1], b: given, length: 0.1, stiffness: 100, damping: 1}\n"
     "  - {name: w, a: dumbbell, at_b: [-9, 4, 6], stiffness: 1}\n" STEP},
    {"plane", PLANE
     "gravity: [0.5, -3]\nbodies:\n"
     "  - {name: floor, fixed: true, shape: half_plane, material: stone, position: [0, -20]}\n"
     "  - {name: bar, fixed: true, shape: {segment: [[-1, 0.3], [-0.2, 0.3]]}, material: stone}\n"
     "  - {name: a, shape: {disc: 0.1}, material: stone, position: [0, 0.6], velocity: [0.1, 0]}\n"
     "  - {name: b, shape: {box: [0.2, 0.1]}, material: stone, position: [0.25, 0.2], rotation: 0.3, force: [x, 0], "
     "torque: angle}\n"
     "  - {name: c, shape: {capsule: {radius: 0.05, length: 0.2}}, material: stone, position: [0.6, 0.3], spin: 2}\n"
     "  - {name: d, shape: {polygon: [[0.1, 0], [-0.1, 0.08], [-0.06, -0.1], [0, 0.04], [0, 0]]}, material: stone, "
     "position: [-0.4, 0.8]}\n"
     "  - {name: e, position: [3, 3], parts: [{shape: {disc: 0.1}, position: [1, 0], density: 5}, {shape: {box: [1, "
     "0.1]}, rotation: 0.4, density: 7}]}\n"
     "  - {name: f, position: [5, 3], shape: {box: [1, 0.1]}, mass: 3, inertia: 2, centre: [0.2, 0.1]}\n"
     "  - {name: g, path: {position: [8, t], angle: t^2}, shape: {disc: 1}}\n" STEP},
    {"joints",
     "thud: 1\nbodies:\n"
     "  - {name: a, shape: {hull: " POINTS "}, mass: 1, position: [0, 0, 5], rotation: {axis: [1, 2, 3], angle: 0.4}}\n"
     "  - {name: b, shape: {box: [1, 1, 1]}, mass: 2, position: [3, 0, 5]}\n"
     "joints:\n"
     "  - {joint: hinge, name: h, a: a, at: [0.5, 0, 5], axis: [0, 1, 1]}\n"
     "  - {joint: pulley, name: p, a: a, b: b, at_b: [0.1, 0, 0], over_a: [0, 0, 9], over_b: [3, 0, 8]}\n"
     "  - {joint: rope, name: r, a: a, b: b, length: 3.5, absent: true}\n" STEP},
    {"units", "thud: 1\nunits: {length: mm, mass: g, time: ms}\nbodies:\n"
              "  - {name: ball, shape: {sphere: 10}, density: 0.0026}\n" STEP},
};

/* Generators and tables. */
static const rebuilt_scene generated[] = {
    {"grid",
     STONE "bodies:\n  - {generate: grid, name: g, counts: [3, 4, 2], spacing: [0.21, 0.3, 0.4], jitter: 0.004, "
           "seed: 3, position: [1, 2, 3], body: {shape: {sphere: 0.1}, material: stone}}\n" STEP},
    {"packing", STONE "bodies:\n  - {generate: packing, name: g, count: 50, low: [0, 0, 0], high: [9, 6, 8], seed: 3, "
                      "scale: [0.5, 1], turned: true, body: {shape: {hull: " POINTS "}, mass: 2}}\n" STEP},
    {"packing of boxes", STONE "bodies:\n  - {generate: packing, count: 20, low: [0, 0, 0], high: [1, 1, 1], turned: "
                               "true, body: {shape: {box: [0.1, 0.05, 0.08]}, material: stone}}\n" STEP},
    {"heap", STONE "bodies:\n  - {generate: heap, name: g, count: 40, body: {shape: {sphere: 0.1}, material: stone, "
                   "rotation: {axis: [0, 0, 1], angle: 0.2}}}\n" STEP},
    {"wall",
     STONE "bodies:\n  - {generate: wall, name: g, columns: 3, courses: 4, gap: 0.001, body: {shape: {box: [0.2, "
           "0.1, 0.06]}, mass: 3, inertia: [1, 1, 1], material: stone}}\n" STEP},
    {"arch", STONE "bodies:\n  - {generate: arch, name: g, count: 9, radius: 1, thickness: 0.12, body: {material: "
                   "stone}}\n" STEP},
    {"arch with fixed springers", STONE "bodies:\n  - {generate: arch, name: g, count: 9, radius: 1, thickness: 0.12, "
                                        "depth: 0.3, angle: 2, springers: fixed, body: {material: stone}}\n" STEP},
    {"tower",
     STONE "bodies:\n  - {generate: tower, name: g, count: 5, twist: 0.1, gap: 0.01, body: {shape: {box: [0.2, "
           "0.1, 0.06]}, material: stone, rotation: {axis: [1, 0, 0], angle: 0.4}}}\n" STEP},
    {"chain",
     STONE "bodies:\n  - {generate: chain, name: g, count: 5, from: [0, 0, 0], to: [1, 0, 1], stiffness: 100, "
           "damping: 2, fixed_ends: true, body: {shape: {cone: {radius: 0.05, height: 0.1}}, material: stone}}\n" STEP},
    {"drum", STONE "bodies:\n  - {generate: drum, name: g, radius: 1, length: 0.5, segments: 16, angle: t, position: "
                   "[0.1, 0, 0.3], grains: {count: 30, scale: [0.8, 1], body: {shape: {sphere: 0.06}, material: "
                   "rubber, density: 3}}}\n" STEP},
    {"table",
     STONE "bodies:\n  - {table: \"x,y,z,qw,qx,qy,qz,vx,radius\\n# one\\n0,0,0, 1,0,0,0, 1, 0.1\\n2,1,0, "
           "0.6,0.8,0,0, 0, 0.2\\n\", name: g, body: {material: stone}}\n"
           "  - {table: \"name,x,y,z,scale,wz\\n\\\"a\\\",5,0,0,1,2\\nb,7,0,0,2.5,3\\n\", body: {shape: {hull: "
           "{table: \"0 0 0\\n1 0 0\\n0,1;0 # up\\n0 0 1\\n\"}}, mass: 1}}\n"
           "  - {fixed: true, position: [20, 0, 0], shape: {mesh: {off: \"OFF\\n4 4 0\\n0 0 0\\n1 0 0\\n0 1 "
           "0\\n0 0 1\\n3 0 2 1\\n3 0 1 3\\n3 1 2 3\\n3 0 3 2\\n\"}}}\n" STEP},
    {"grid of the plane", PLANE "bodies:\n  - {generate: grid, name: g, counts: [3, 4], spacing: 0.21, body: {shape: "
                                "{disc: 0.1}, material: stone}}\n" STEP},
    {"packing of the plane", PLANE "bodies:\n  - {generate: packing, name: g, count: 20, low: [0, 0], high: [2, 1], "
                                   "turned: true, scale: [0.5, 1], body: {shape: {polygon: [[0, 0], [0.1, 0], [0, "
                                   "0.1]]}, material: stone}}\n" STEP},
    {"heap of the plane", PLANE "bodies:\n  - {generate: heap, count: 12, body: {shape: {disc: 0.1}, material: "
                                "stone}}\n" STEP},
    {"wall of the plane", PLANE "bodies:\n  - {generate: wall, columns: 3, courses: 3, body: {shape: {box: [0.2, "
                                "0.06]}, material: stone}}\n" STEP},
    {"arch of the plane", PLANE "bodies:\n  - {generate: arch, count: 9, radius: 1, thickness: 0.12, body: {material: "
                                "stone}}\n" STEP},
    {"tower of the plane", PLANE "bodies:\n  - {generate: tower, count: 4, body: {shape: {box: [0.2, 0.06]}, material: "
                                 "stone}}\n" STEP},
    {"drum of the plane",
     PLANE "bodies:\n  - {generate: drum, radius: 1, angle: sin(t), material: stone, grains: "
           "{count: 20, turned: true, body: {shape: {box: [0.1, 0.05]}, material: stone}}}\n" STEP},
    {"table of the plane",
     PLANE "bodies:\n  - {table: \"x,y,angle,vx,w,scale\\n0,0,0.5,1,2,1\\n3,0,0,0,0,2\\n\", name: "
           "g, body: {shape: {box: [0.2, 0.1]}, density: 10}}\n" STEP},
};
enum { DESCRIBED = sizeof described / sizeof *described, GENERATED = sizeof generated / sizeof *generated };

/* ---- help -------------------------------------------------------------------------------------------------------------- */

/* The resolved scene with the run's list of bodies, freed with free(). */
static char *resolved_text(thud_context *context, const char *text) {
  thud_tree *tree = NULL;
  thud_scene *scene = NULL;
  thud_error error = thud_tree_read_text(context, "scene", text, strlen(text), &tree);
  if (error == THUD_OK) error = thud_scene_build(context, tree, &scene);
  if (error != THUD_OK) fail_msg("%s: %s", text, thud_context_last_message(context));
  const char *resolved = thud_scene_resolved_text(scene);
  char *copy = malloc(strlen(resolved) + 1);
  assert_non_null(copy);
  strcpy(copy, resolved);
  thud_scene_destroy(scene);
  thud_tree_destroy(tree);
  return copy;
}

/* The check of the list in a resolved scene. */
static thud_verify_check check_text(thud_context *context, const char *resolved) {
  thud_tree *tree = NULL;
  verify_bodies bodies;
  thud_verify_check check = thud_verify_check_new("model");
  thud_error error = thud_tree_read_text(context, "resolved", resolved, strlen(resolved), &tree);
  if (error == THUD_OK) error = thud_verify_bodies_read(context, tree, &bodies);
  if (error != THUD_OK) fail_msg("%s", thud_context_last_message(context));
  assert_int_equal(thud_verify_bodies_check_model(&bodies, thud_tree_root(tree), &check), THUD_OK);
  thud_verify_bodies_free(&bodies);
  thud_tree_destroy(tree);
  return check;
}

/* ---- what the run builds ------------------------------------------------------------------------------------------------- */

static void check_rebuilt(const rebuilt_scene *scenes, size_t count) {
  thud_context *context = thud_test_context(1);
  for (size_t k = 0; k < count; k++) {
    char *resolved = resolved_text(context, scenes[k].text);
    thud_verify_check check = check_text(context, resolved);
    if (check.status != THUD_VERIFY_PASSED) fail_msg("%s: %s", scenes[k].name, check.detail);
    free(resolved);
  }
  thud_test_context_end(context);
}

static void the_list_of_every_scene_is_rebuilt(void **state) {
  (void)state;
  check_rebuilt(described, DESCRIBED);
}

static void generators_and_tables_are_rebuilt(void **state) {
  (void)state;
  check_rebuilt(generated, GENERATED);
}

/* ---- changed lists --------------------------------------------------------------------------------------------------------- */

/* The next number of a JSON text at or after `at` that is not within a string; its length, 0: none. */
static size_t next_number(const char *text, size_t *at) {
  bool quoted = false;
  for (size_t k = *at; text[k] != '\0'; k++) {
    if (text[k] == '"') quoted = !quoted;
    if (quoted || (!isdigit((unsigned char)text[k]) && text[k] != '-')) continue;
    char *end;
    (void)strtod(text + k, &end);
    *at = k;
    return (size_t)(end - (text + k));
  }
  return 0;
}

/* Relative changes of 1e-6 and more: rounding is of 1e-14, hulls are merged within 1e-10. Whole numbers change by 1. */
static char *with_other_number(const char *text, size_t at, size_t length) {
  double value = strtod(text + at, NULL);
  bool whole = value == floor(value) && memchr(text + at, 'e', length) == NULL && value != 0;
  char *changed = malloc(strlen(text) + 64), number[40];
  assert_non_null(changed);
  snprintf(number, sizeof number, "%.17g", whole ? value + 1 : value == 0 ? 1e-6 : value * (1 + 1e-6));
  memcpy(changed, text, at);
  strcpy(changed + at, number);
  strcat(changed, text + at + length);
  return changed;
}

static void every_number_of_the_list_is_asked_about(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  size_t asked = 0;
  for (size_t k = 0; k < DESCRIBED; k++) {
    char *resolved = resolved_text(context, described[k].text);
    const char *list = strstr(resolved, "\"all_bodies\"");
    assert_non_null(list);
    size_t at = (size_t)(list - resolved), length, stride = THUD_TEST_STRIDE(4);
    for (size_t number = 0; (length = next_number(resolved, &at)) > 0; at += length, number++) {
      if (number % stride != 0) continue;
      char *changed = with_other_number(resolved, at, length);
      thud_verify_check check = check_text(context, changed);
      if (check.status != THUD_VERIFY_FAILED)
        fail_msg("%s: not found: %.*s>%.*s<", described[k].name, 60, resolved + at - 60, (int)length, resolved + at);
      asked++;
      free(changed);
    }
    free(resolved);
  }
  thud_assert_greater((double)asked, 100);
  thud_test_context_end(context);
}

typedef struct list_edit {
  const char *after, *from, *to; /* the first `from` after `after`, which may be "" */
  const char *message;           /* is part of what the check says */
} list_edit;

/* In the list of the scene "space", the first one. */
static const list_edit edits[] = {
    {"", "\"planar\": false", "\"planar\": true", "the list of bodies is of the plane"},
    {"\"gravity\": [", "-9.81", "-9.8", "gravity of the list of bodies is (0, 0, -9.8), the scene gives (0, 0, -9.81)"},
    {"\"laws\"", "\"friction\": 0.5", "\"friction\": 0.4", "the law between 'stone' and 'stone'"},
    {"\"types\"", "\"role\": \"fixed\"",
     "\"role\": \"dynamic\", \"mass\": 1, \"centre\": [0, 0, 0], \"inertia\": [1, "
     "0, 0, 0, 1, 0, 0, 0, 1]",
     "role of body 'floor' is 'dynamic', the scene gives 'fixed'"},
    {"\"types\"", "\"20*step(1 - t)\"", "\"2*step(1 - t)\"",
     "force of body 'rocket' is '2*step(1 - t)', the scene gives '20*step(1 - t)'"},
    {"\"types\"", "\"0.5*t\"", "\"0.7*t\"", "path of body 'table' is '0.7*t', the scene gives '0.5*t'"},
    {"\"types\"", "\"gravity_scale\": 0.5", "\"gravity_scale\": 1",
     "gravity_scale of body 'rocket' is 1, the scene gives 0.5"},
    {"\"types\"", "\"mask\": 255", "\"mask\": 254", "mask of body 'rocket' is 254, the scene gives 255"},
    {"\"types\"", "\"mass\": 2,", "\"mass\": 2.5,", "mass of body 'given' is 2.5, the scene gives 2"},
    {"\"springs\"", "\"stiffness\": 100", "\"stiffness\": 90", "stiffness of spring 's' is 90, the scene gives 100"},
    {"\"springs\"", "\"damping\": 1", "\"damping\": 2", "damping of spring 's' is 2, the scene gives 1"},
    {"\"shapes\"", "\"kind\": \"sphere\"", "\"kind\": \"disc\"",
     "the shape of body 'ball' is a disc, the scene gives a sphere"},
    {"\"shapes\"", "\"radius\": 0.1", "\"radius\": 0.2", "is 0.2, the scene gives 0.1"},
    {"\"materials\"", "\"stone\"", "\"wood\"", ""},
    {"\"name\": [", "\"ball\"", "\"bill\"", "the name of body 'ball' is 'bill'"},
};

/* The text after `after` within the list; blanks and line ends between JSON's signs differ from those of the edit. */
static char *edited(const char *resolved, const list_edit *edit) {
  const char *list = strstr(resolved, "\"all_bodies\"");
  const char *after = list != NULL ? strstr(list, edit->after) : NULL;
  const char *at = after != NULL ? strstr(after, edit->from) : NULL;
  if (at == NULL) fail_msg("there is no %s after %s", edit->from, edit->after);
  char *changed = malloc(strlen(resolved) + strlen(edit->to) + 1);
  assert_non_null(changed);
  memcpy(changed, resolved, (size_t)(at - resolved));
  strcpy(changed + (at - resolved), edit->to);
  strcat(changed, at + strlen(edit->from));
  return changed;
}

/* In that of the scene "joints". */
static const list_edit joint_edits[] = {
    {"\"joints\"", "\"absent\": true", "\"absent\": false", "absence of joint 'r' is 0, the scene gives 1"},
    {"\"joints\"", "\"length\": 3.5", "\"length\": 3", "length of joint 'r' is 3, the scene gives 3.5"},
};

static void check_edits(const char *text, const list_edit *list, size_t count) {
  thud_context *context = thud_test_context(1);
  char *resolved = resolved_text(context, text);
  for (size_t k = 0; k < count; k++) {
    char *changed = edited(resolved, &list[k]);
    thud_verify_check check = check_text(context, changed);
    if (check.status != THUD_VERIFY_FAILED || strstr(check.detail, list[k].message) == NULL)
      fail_msg("%s -> %s: '%s', not '%s'", list[k].from, list[k].to, check.detail, list[k].message);
    free(changed);
  }
  free(resolved);
  thud_test_context_end(context);
}

static void what_differs_is_named(void **state) {
  (void)state;
  check_edits(described[0].text, edits, sizeof edits / sizeof *edits);
  assert_string_equal(described[2].name, "joints");
  check_edits(described[2].text, joint_edits, sizeof joint_edits / sizeof *joint_edits);
}

/* ---- masses ------------------------------------------------------------------------------------------------------------------ */

static thud_vec3 random_vector(thud_random *random, double size) {
  double x = thud_random_uniform(random, -size, size), y = thud_random_uniform(random, -size, size);
  return thud_vec3_make(x, y, thud_random_uniform(random, -size, size));
}

/* The mass of a hull of the images A x + b of points is |det A| times as large, its centre A c + b, its second moments are
 * |det A| A C A'. The cube has 8, 0 and 8/3. */
static void hulls_follow_affine_maps(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(5);
  for (int round = 0; round < 200; round += THUD_TEST_STRIDE(10)) {
    enum { POINTS_OF_CUBE = 60 };
    thud_mat3 A = thud_mat3_columns(random_vector(&random, 1), random_vector(&random, 1), random_vector(&random, 1));
    thud_vec3 b = random_vector(&random, 10);
    double det = thud_mat3_determinant(A);
    if (fabs(det) < 0.05) continue;
    verify_shape shape = {.kind = VERIFY_SHAPE_HULL, .point_count = POINTS_OF_CUBE};
    shape.points = THUD_NEW_ARRAY(context, thud_vec3, POINTS_OF_CUBE);
    for (size_t k = 0; k < POINTS_OF_CUBE; k++) { /* others inside, on faces and on edges */
      thud_vec3 x = random_vector(&random, 1);
      if (k % 4 >= 1 || k < 8) x.x = k & 1 ? 1 : -1;
      if (k % 4 >= 2 || k < 8) x.y = k & 2 ? 1 : -1;
      if (k < 8) x.z = k & 4 ? 1 : -1;
      shape.points[k] = thud_vec3_add(b, thud_mat3_apply(A, x));
    }
    assert_int_equal(thud_verify_find_hull(context, &shape), THUD_OK);
    verify_mass mass = thud_verify_shape_mass(&shape);
    thud_mat3 second = thud_mat3_scale(8.0 / 3 * fabs(det), thud_mat3_multiply(A, thud_mat3_transpose(A)));
    thud_mat3 error = thud_mat3_subtract(mass.second, second);
    double e[9];
    thud_mat3_store(error, e);
    thud_assert_near(mass.mass / (8 * fabs(det)), 1, 1e-12);
    thud_assert_near(thud_vec3_distance(mass.centre, b), 0, 1e-12);
    for (int k = 0; k < 9; k++) thud_assert_near(e[k], 0, 1e-12);
    thud_verify_free_shape(context, &shape);
  }
  thud_test_context_end(context);
}

static double rounded(double x, int digits) {
  char text[40];
  snprintf(text, sizeof text, "%.*g", digits, x);
  return strtod(text, NULL);
}

/* Points on the faces of a turned box, rounded to some digits: faces are flat up to that, and many points are given twice. The
 * volume is off by no more than the area times the rounding of a point, sqrt(3)/2 of the last digit of the largest coordinate,
 * which is below 1. */
static void hulls_of_points_that_nearly_are_on_faces(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(8);
  static const int digits[] = {3, 6, 9, 12, 15, 17};
  const thud_vec3 half = {0.3, 0.2, 0.1};
  const double h[3] = {half.x, half.y, half.z}, area = 8 * (0.06 + 0.03 + 0.02);
  for (int round = 0; round < 120; round += THUD_TEST_STRIDE(10)) {
    enum { POINTS_OF_BOX = 50 };
    int d = digits[round % 6];
    thud_quat q = thud_quat_from_rotation_vector(random_vector(&random, 2));
    verify_shape shape = {.kind = VERIFY_SHAPE_HULL, .point_count = POINTS_OF_BOX};
    shape.points = THUD_NEW_ARRAY(context, thud_vec3, POINTS_OF_BOX);
    for (size_t k = 0; k < POINTS_OF_BOX; k++) {
      double x[3];
      for (size_t i = 0; i < 3; i++) {
        double u = thud_random_uniform(&random, -1.5, 1.5);
        x[i] = k < 8 ? h[i] * (k >> i & 1 ? 1 : -1) : h[i] * fmax(-1, fmin(1, u)); /* at an end one time in three */
      }
      thud_vec3 p = thud_quat_rotate(q, thud_vec3_load(x));
      shape.points[k] = thud_vec3_make(rounded(p.x, d), rounded(p.y, d), rounded(p.z, d));
    }
    assert_int_equal(thud_verify_find_hull(context, &shape), THUD_OK);
    thud_assert_near(thud_verify_shape_mass(&shape).mass, 8 * half.x * half.y * half.z,
                     area * 0.87 * pow(10, -d) + 1e-15);
    thud_verify_free_shape(context, &shape);
  }
  thud_test_context_end(context);
}

/* Closed forms beside those of the library, which are written with moments of inertia. */
static void moments_agree_with_inertias(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  static const struct {
    verify_shape shape;
    thud_shape_kind kind;
  } rows[] = {{{.kind = VERIFY_SHAPE_SPHERE, .radius = 0.3}, THUD_SHAPE_SPHERE},
              {{.kind = VERIFY_SHAPE_ELLIPSOID, .half = {0.3, 0.4, 0.7}}, THUD_SHAPE_ELLIPSOID},
              {{.kind = VERIFY_SHAPE_CAPSULE, .radius = 0.3, .half_length = 0.8}, THUD_SHAPE_CAPSULE},
              {{.kind = VERIFY_SHAPE_BOX, .half = {0.3, 0.4, 0.7}}, THUD_SHAPE_BOX},
              {{.kind = VERIFY_SHAPE_CYLINDER, .radius = 0.3, .half_length = 0.8}, THUD_SHAPE_CYLINDER},
              {{.kind = VERIFY_SHAPE_CONE, .radius = 0.3, .half_length = 0.8}, THUD_SHAPE_CONE},
              {{.kind = VERIFY_SHAPE_DISC, .radius = 0.3}, THUD_SHAPE_DISC},
              {{.kind = VERIFY_SHAPE_PLANAR_CAPSULE, .radius = 0.3, .half_length = 0.8}, THUD_SHAPE_PLANAR_CAPSULE},
              {{.kind = VERIFY_SHAPE_RECTANGLE, .half = {0.3, 0.4, 0}}, THUD_SHAPE_RECTANGLE}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    thud_shape_def def = thud_shape_def_default(rows[k].kind);
    thud_shape *shape = NULL;
    thud_mass_properties found;
    def.radius = rows[k].shape.radius;
    def.half_length = rows[k].shape.half_length;
    thud_vec3_store(rows[k].shape.half, def.half);
    assert_int_equal(thud_shape_create(context, &def, &shape), THUD_OK);
    assert_int_equal(thud_shape_mass(context, shape, 1, &found), THUD_OK);
    verify_mass mass = thud_verify_shape_mass(&rows[k].shape);
    thud_mat3 C = mass.second;
    thud_assert_near(mass.mass, found.mass, 1e-15);
    thud_assert_near(thud_vec3_distance(mass.centre, found.centre), 0, 1e-15);
    thud_assert_near(C.cx.x + C.cy.y, found.inertia.cz.z, 1e-15);
    if (!thud_shape_is_planar(shape)) thud_assert_near(C.cy.y + C.cz.z, found.inertia.cx.x, 1e-15);
    if (!thud_shape_is_planar(shape)) thud_assert_near(C.cx.x + C.cz.z, found.inertia.cy.y, 1e-15);
    thud_shape_destroy(shape);
  }
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_list_of_every_scene_is_rebuilt),
      cmocka_unit_test(generators_and_tables_are_rebuilt),
      cmocka_unit_test(every_number_of_the_list_is_asked_about),
      cmocka_unit_test(what_differs_is_named),
      cmocka_unit_test(hulls_follow_affine_maps),
      cmocka_unit_test(hulls_of_points_that_nearly_are_on_faces),
      cmocka_unit_test(moments_agree_with_inertias),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
