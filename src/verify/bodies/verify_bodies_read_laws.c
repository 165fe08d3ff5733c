/* Materials and the laws of their pairs. */
#include "verify/bodies/verify_bodies_read.h"

#include <math.h>
#include <string.h>

static const verify_contact_law smooth = {.mu_across = -1, .axis = {1, 0, 0}};

/* A law as the scene gives it, where it does; *law keeps the rest. */
static thud_error read_law(verify_build *build, const thud_node *map, verify_contact_law *law) {
  const thud_node *friction = thud_node_find(map, "friction");
  double both[2] = {0, -1};
  thud_error error = THUD_OK;
  if (friction != NULL)
    error = thud_node_get_kind(friction) == THUD_NODE_SEQUENCE
                ? thud_verify_given_numbers(build, friction, 2, both)
                : thud_verify_read_constant(build->scene, friction, &both[0]);
  if (friction != NULL) {
    law->mu = both[0];
    law->mu_across = both[1];
  }
  if (error == THUD_OK) error = thud_verify_given_axis(build, map, "axis", &law->axis);
  if (error == THUD_OK) error = thud_verify_given_number(build, map, "restitution", &law->restitution);
  if (error == THUD_OK) error = thud_verify_given_number(build, map, "rolling", &law->rolling);
  return error == THUD_OK ? thud_verify_given_number(build, map, "spinning", &law->spinning) : error;
}

/* Every material with itself has its own law, two of them what the rule makes of both. */
static void combine_all(verify_bodies *bodies, const verify_contact_law *own) {
  for (size_t i = 0; i < bodies->material_count; i++)
    for (size_t j = i; j < bodies->material_count; j++) {
      bool of_second = false;
      verify_contact_law law = i == j ? own[i] : thud_verify_combine_laws(&own[i], &own[j], &of_second);
      bodies->pair[bodies->pair_count++] = (verify_material_pair){of_second ? j : i, of_second ? i : j, law};
    }
}

/* An entry of `pairs` changes the law that holds so far; a direction is fixed in the body of its first material. */
static thud_error read_pair(verify_build *build, const thud_node *map) {
  verify_bodies *bodies = build->bodies;
  const thud_node *both;
  const char *name;
  size_t number[2] = {0, 0};
  thud_error error = thud_node_require(map, "materials", &both);
  if (error == THUD_OK) error = thud_node_expect(both, THUD_NODE_SEQUENCE);
  if (error == THUD_OK && thud_node_count(both) != 2)
    error = thud_node_fail(both, THUD_ERROR_SCHEMA, "a pair is two materials");
  for (size_t k = 0; k < 2 && error == THUD_OK; k++) {
    error = thud_node_read_string(thud_node_item(both, k), &name);
    number[k] = error == THUD_OK ? thud_names_find(&build->materials, name, strlen(name)) : 0;
    if (number[k] == THUD_NAMES_NONE) error = thud_node_fail(both, THUD_ERROR_SCHEMA, "there is no such material");
  }
  for (size_t k = 0; k < bodies->pair_count && error == THUD_OK; k++) {
    verify_material_pair *pair = &bodies->pair[k];
    bool straight = pair->first == number[0] && pair->second == number[1];
    if (!straight && (pair->first != number[1] || pair->second != number[0])) continue;
    pair->first = number[0];
    pair->second = number[1];
    return read_law(build, map, &pair->law);
  }
  return error;
}

/* The last material is that of parts without one. */
thud_error thud_verify_read_laws(verify_build *build, const thud_node *root) {
  verify_bodies *bodies = build->bodies;
  const thud_node *materials = thud_node_find(root, "materials"), *pairs = thud_node_find(root, "pairs");
  thud_error error = materials != NULL ? thud_node_expect(materials, THUD_NODE_MAP) : THUD_OK;
  if (error == THUD_OK && pairs != NULL) error = thud_node_expect(pairs, THUD_NODE_SEQUENCE);
  if (error != THUD_OK) return error;
  size_t given = materials != NULL ? thud_node_count(materials) : 0, count = given + 1;
  verify_contact_law *own = THUD_NEW_ARRAY(build->context, verify_contact_law, count);
  bodies->material = THUD_NEW_ARRAY(build->context, const char *, count);
  bodies->pair = THUD_NEW_ARRAY(build->context, verify_material_pair, count * (count + 1) / 2);
  build->densities = THUD_NEW_ARRAY(build->context, double, count);
  if (own == NULL || bodies->material == NULL || bodies->pair == NULL || build->densities == NULL)
    error = THUD_ERROR_MEMORY;
  for (size_t k = 0; k < given && error == THUD_OK; k++) {
    const thud_node *map = thud_node_item(materials, k);
    bodies->material[k] = thud_node_key(materials, k);
    own[k] = smooth;
    error = thud_names_add(&build->materials, bodies->material[k], strlen(bodies->material[k]), k, NULL);
    if (error == THUD_OK) error = thud_node_expect(map, THUD_NODE_MAP);
    if (error == THUD_OK) error = read_law(build, map, &own[k]);
    if (error == THUD_OK) error = thud_verify_given_number(build, map, "density", &build->densities[k]);
  }
  if (error == THUD_OK) {
    own[given] = smooth;
    bodies->material[given] = "(none)";
    build->bare = given;
    bodies->material_count = count;
    combine_all(bodies, own);
  }
  for (size_t k = 0; pairs != NULL && k < thud_node_count(pairs) && error == THUD_OK; k++)
    error = read_pair(build, thud_node_item(pairs, k));
  for (size_t k = 0; k < bodies->pair_count; k++) {
    bodies->rolling = bodies->rolling || bodies->pair[k].law.rolling > 0;
    bodies->spinning = bodies->spinning || bodies->pair[k].law.spinning > 0;
  }
  thud_free(build->context, own);
  return error;
}

static bool near(double a, double b) { return fabs(a - b) <= 1e-14 * (fabs(a) + fabs(b)); }

bool thud_verify_same_law(const verify_contact_law *a, const verify_contact_law *b) {
  bool directed = a->mu_across >= 0;
  return near(a->mu, b->mu) && directed == (b->mu_across >= 0) && (!directed || near(a->mu_across, b->mu_across)) &&
         (!directed || thud_vec3_distance(a->axis, b->axis) <= 1e-14) && near(a->restitution, b->restitution) &&
         near(a->rolling, b->rolling) && near(a->spinning, b->spinning);
}
