/* Materials and the laws of their pairs. */
#include "verify/bodies_read.h"

#include <math.h>
#include <string.h>

static thud_error read_law(const thud_node *map, size_t materials, verify_material_pair *pair) {
  const thud_node *first, *second, *axis = thud_node_find(map, "axis");
  int64_t a = 0, b = 0, most = (int64_t)materials - 1;
  double direction[3] = {1, 0, 0};
  pair->law.mu_across = -1;
  thud_error error = thud_node_require(map, "first", &first);
  if (error == THUD_OK) error = thud_node_require(map, "second", &second);
  if (error == THUD_OK) error = thud_node_read_integer(first, 0, most, &a);
  if (error == THUD_OK) error = thud_node_read_integer(second, 0, most, &b);
  if (error == THUD_OK) error = thud_verify_read_plain(map, "friction", &pair->law.mu);
  if (error == THUD_OK) error = thud_verify_read_plain(map, "friction_across", &pair->law.mu_across);
  if (error == THUD_OK) error = thud_verify_read_plain(map, "restitution", &pair->law.restitution);
  if (error == THUD_OK) error = thud_verify_read_plain(map, "rolling", &pair->law.rolling);
  if (error == THUD_OK) error = thud_verify_read_plain(map, "spinning", &pair->law.spinning);
  if (error == THUD_OK && axis != NULL) error = thud_node_read_numbers(axis, 3, direction);
  pair->first = (size_t)a;
  pair->second = (size_t)b;
  pair->law.axis = thud_vec3_load(direction);
  return error;
}

thud_error thud_verify_read_laws(verify_bodies *bodies, const thud_node *all) {
  thud_context *context = bodies->scene.context;
  const thud_node *materials, *laws;
  thud_error error = thud_node_require(all, "materials", &materials);
  if (error == THUD_OK) error = thud_node_require(all, "laws", &laws);
  if (error == THUD_OK) error = thud_node_expect(materials, THUD_NODE_SEQUENCE);
  if (error == THUD_OK) error = thud_node_expect(laws, THUD_NODE_SEQUENCE);
  if (error != THUD_OK) return error;
  bodies->material_count = thud_node_count(materials);
  bodies->material = THUD_NEW_ARRAY(context, const char *, bodies->material_count);
  bodies->pair = THUD_NEW_ARRAY(context, verify_material_pair, thud_node_count(laws));
  if (bodies->material == NULL || bodies->pair == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < bodies->material_count && error == THUD_OK; k++)
    error = thud_node_read_string(thud_node_item(materials, k), &bodies->material[k]);
  for (size_t k = 0; k < thud_node_count(laws) && error == THUD_OK; k++) {
    verify_material_pair *pair = &bodies->pair[bodies->pair_count++];
    error = read_law(thud_node_item(laws, k), bodies->material_count, pair);
    bodies->rolling = bodies->rolling || pair->law.rolling > 0;
    bodies->spinning = bodies->spinning || pair->law.spinning > 0;
  }
  return error;
}

/* ---- what the scene says of the materials ------------------------------------------------------------------------------------- */

static const verify_contact_law smooth = {.mu_across = -1, .axis = {1, 0, 0}};

/* A law as the scene gives it, where it does; *law keeps the rest. */
static thud_error read_given(verify_bodies *bodies, const thud_node *map, verify_contact_law *law) {
  verify_scene *scene = &bodies->scene;
  const thud_node *friction = thud_node_find(map, "friction"), *axis = thud_node_find(map, "axis");
  thud_error error = THUD_OK;
  if (friction != NULL && thud_node_get_kind(friction) == THUD_NODE_SEQUENCE) {
    if (thud_node_count(friction) != 2) return thud_node_fail(friction, THUD_ERROR_SCHEMA, "two frictions belong here");
    error = thud_verify_read_constant(scene, thud_node_item(friction, 0), &law->mu);
    if (error == THUD_OK) error = thud_verify_read_constant(scene, thud_node_item(friction, 1), &law->mu_across);
  } else if (friction != NULL) {
    law->mu_across = -1;
    error = thud_verify_read_constant(scene, friction, &law->mu);
  }
  if (error == THUD_OK && axis != NULL && thud_node_get_kind(axis) == THUD_NODE_SEQUENCE &&
      thud_node_count(axis) == 3) {
    double x[3] = {0, 0, 0};
    for (size_t k = 0; k < 3 && error == THUD_OK; k++)
      error = thud_verify_read_constant(scene, thud_node_item(axis, k), &x[k]);
    thud_vec3_normalise(thud_vec3_load(x), &law->axis);
  }
  if (error == THUD_OK) error = thud_verify_read_optional(scene, map, "restitution", &law->restitution);
  if (error == THUD_OK) error = thud_verify_read_optional(scene, map, "rolling", &law->rolling);
  return error == THUD_OK ? thud_verify_read_optional(scene, map, "spinning", &law->spinning) : error;
}

/* The material's own law by its name; what has none is smooth. */
static thud_error material_law(verify_bodies *bodies, const thud_node *materials, size_t k, verify_contact_law *law) {
  const thud_node *map = materials != NULL ? thud_node_find(materials, bodies->material[k]) : NULL;
  *law = smooth;
  return map != NULL ? read_given(bodies, map, law) : THUD_OK;
}

static bool names(const thud_node *node, size_t k, const char *name) {
  const thud_node *item = thud_node_item(node, k);
  return item != NULL && thud_node_get_kind(item) == THUD_NODE_STRING && strcmp(thud_node_string(item), name) == 0;
}

/* The last entry of `pairs` for the two; *reversed: it names b first. */
static const thud_node *find_given_pair(const thud_node *pairs, const char *a, const char *b, bool *reversed) {
  const thud_node *found = NULL;
  for (size_t k = 0; pairs != NULL && k < thud_node_count(pairs); k++) {
    const thud_node *both = thud_node_find(thud_node_item(pairs, k), "materials");
    if (both == NULL || thud_node_get_kind(both) != THUD_NODE_SEQUENCE || thud_node_count(both) != 2) continue;
    bool straight = names(both, 0, a) && names(both, 1, b), turned = names(both, 0, b) && names(both, 1, a);
    if (!straight && !turned) continue;
    found = thud_node_item(pairs, k);
    *reversed = !straight;
  }
  return found;
}

static bool near(double a, double b) { return fabs(a - b) <= 1e-14 * (fabs(a) + fabs(b)); }

static bool is_same_law(const verify_contact_law *a, const verify_contact_law *b) {
  bool directed = a->mu_across >= 0;
  return near(a->mu, b->mu) && directed == (b->mu_across >= 0) && (!directed || near(a->mu_across, b->mu_across)) &&
         (!directed || thud_vec3_distance(a->axis, b->axis) <= 1e-14) && near(a->restitution, b->restitution) &&
         near(a->rolling, b->rolling) && near(a->spinning, b->spinning);
}

static void check_pair(const verify_bodies *bodies, size_t i, size_t j, const verify_contact_law *law, bool of_second,
                       thud_verify_check *check) {
  for (size_t k = 0; k < bodies->pair_count; k++) {
    const verify_material_pair *pair = &bodies->pair[k];
    bool straight = pair->first == i && pair->second == j, turned = pair->first == j && pair->second == i;
    if (!straight && !turned) continue;
    bool ordered = i == j || law->mu_across < 0 || turned == of_second;
    if (ordered && is_same_law(&pair->law, law)) return;
    break;
  }
  thud_verify_fail(check, NAN, SIZE_MAX, "the law between '%s' and '%s' is not what the materials say",
                   bodies->material[i], bodies->material[j]);
}

thud_error thud_verify_bodies_check_laws(verify_bodies *bodies, const thud_node *root, thud_verify_check *check) {
  const thud_node *materials = thud_node_find(root, "materials"), *pairs = thud_node_find(root, "pairs");
  thud_error error = THUD_OK;
  for (size_t i = 0; i < bodies->material_count && error == THUD_OK; i++)
    for (size_t j = i; j < bodies->material_count && error == THUD_OK; j++) {
      verify_contact_law a, b, law;
      bool of_second = false, reversed = false;
      error = material_law(bodies, materials, i, &a);
      if (error == THUD_OK) error = material_law(bodies, materials, j, &b);
      if (error != THUD_OK) return error;
      law = i == j ? a : thud_verify_combine_laws(&a, &b, &of_second);
      const thud_node *given = find_given_pair(pairs, bodies->material[i], bodies->material[j], &reversed);
      if (given != NULL) {
        error = read_given(bodies, given, &law);
        of_second = reversed;
      }
      if (error == THUD_OK) check_pair(bodies, i, j, &law, of_second, check);
    }
  return error;
}
