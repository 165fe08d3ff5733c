/* The checker's reading of `friction` scenes. */
#include "verify/friction/verify_friction.h"
#include "verify/math/verify_dense.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A slip is linear when its coefficients give its value elsewhere, up to this part of the terms. */
static const double LINEAR = 1e-11;

void thud_verify_friction_free(verify_friction *law) {
  thud_context *context = law->scene.context;
  for (size_t k = 0; law->sets != NULL && k < law->laws; k++) thud_verify_free_set(context, &law->sets[k]);
  for (size_t j = 0; law->velocity != NULL && j < law->driven; j++) thud_expr_destroy(law->velocity[j].expr);
  for (size_t r = 0; law->slips != NULL && r < law->rows; r++) thud_expr_destroy(law->slips[r]);
  void *const arrays[] = {law->internal_names, law->law_names, law->sets,    law->first, law->velocity,
                          law->slips,          law->variables, law->numbers, law->W,     law->coefficients};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(context, arrays[k]);
  thud_verify_scene_free(&law->scene);
}

/* ---- laws ------------------------------------------------------------------------------------------------------- */

/* The unit ball about 0. */
static thud_error read_disc(verify_scene *scene, const thud_node *node, size_t n, verify_set *set) {
  static const char *const named[] = {"disc", NULL};
  int choice;
  thud_error error = thud_node_read_choice(node, named, &choice);
  *set = (verify_set){.kind = VERIFY_BALL, .n = n, .first = scene->value_count};
  for (size_t i = 0; i <= n && error == THUD_OK; i++)
    error = thud_verify_add_value(scene, (verify_value){.constant = i == n ? 1 : 0});
  return error;
}

/* threshold times the set. */
static thud_error read_law(verify_friction *law, const thud_node *node, size_t n, verify_set *set) {
  verify_scene *scene = &law->scene;
  const thud_node *threshold, *inner;
  thud_error error = thud_node_require(node, "threshold", &threshold);
  if (error == THUD_OK) error = thud_node_require(node, "law", &inner);
  if (error != THUD_OK) return error;
  *set = (verify_set){.kind = VERIFY_SCALING, .n = n, .first = scene->value_count};
  error = thud_verify_add_number(scene, threshold);
  if (error != THUD_OK) return error;
  set->operands = THUD_NEW_ARRAY(scene->context, verify_set, 1);
  if (set->operands == NULL) return THUD_ERROR_MEMORY;
  set->operand_count = 1;
  if (thud_node_get_kind(inner) == THUD_NODE_MAP) return thud_verify_read_set(scene, inner, n, set->operands);
  return read_disc(scene, inner, n, set->operands);
}

static thud_error read_laws(verify_friction *law, const thud_node *list) {
  thud_context *context = law->scene.context;
  thud_error error = thud_node_expect(list, THUD_NODE_SEQUENCE);
  if (error != THUD_OK) return error;
  size_t count = thud_node_count(list);
  law->law_names = THUD_NEW_ARRAY(context, const char *, count);
  law->sets = THUD_NEW_ARRAY(context, verify_set, count);
  law->first = THUD_NEW_ARRAY(context, size_t, count + 1);
  if (law->law_names == NULL || law->sets == NULL || law->first == NULL) return THUD_ERROR_MEMORY;
  law->laws = count;
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    const thud_node *node = thud_node_item(list, k), *name = NULL, *slip = NULL;
    error = thud_node_require(node, "name", &name);
    if (error == THUD_OK) error = thud_node_read_string(name, &law->law_names[k]);
    if (error == THUD_OK) error = thud_node_require(node, "slip", &slip);
    if (error == THUD_OK) error = thud_node_expect(slip, THUD_NODE_SEQUENCE);
    if (error != THUD_OK) return error;
    law->first[k + 1] = law->first[k] + thud_node_count(slip);
    error = read_law(law, node, thud_node_count(slip), &law->sets[k]);
  }
  return error;
}

/* ---- velocities ------------------------------------------------------------------------------------------------- */

static thud_error read_internal(verify_friction *law, const thud_node *list) {
  if (list == NULL) return THUD_OK;
  thud_error error = thud_node_expect(list, THUD_NODE_SEQUENCE);
  if (error != THUD_OK) return error;
  law->internal_names = THUD_NEW_ARRAY(law->scene.context, const char *, thud_node_count(list));
  if (law->internal_names == NULL) return THUD_ERROR_MEMORY;
  law->internal = thud_node_count(list);
  for (size_t k = 0; k < law->internal && error == THUD_OK; k++)
    error = thud_node_read_string(thud_node_item(list, k), &law->internal_names[k]);
  return error;
}

static thud_error read_velocity(verify_friction *law, const thud_node *map) {
  thud_error error = THUD_OK;
  for (size_t j = 0; j < law->driven && error == THUD_OK; j++) {
    const thud_node *value;
    error = thud_node_require(map, law->scene.names[j], &value);
    if (error == THUD_OK) error = thud_verify_read_value(&law->scene, value, &law->velocity[j]);
  }
  return error;
}

static thud_error read_slips(verify_friction *law, const thud_node *list) {
  thud_error error = THUD_OK;
  for (size_t k = 0; k < law->driven + law->internal && error == THUD_OK; k++) {
    char name[THUD_TREE_MAX_KEY + 2];
    snprintf(name, sizeof name, "%s'", k < law->driven ? law->scene.names[k] : law->internal_names[k - law->driven]);
    error = thud_expr_scope_add_variable(law->scene.scope, name, NULL);
  }
  for (size_t k = 0; k < law->laws && error == THUD_OK; k++) {
    const thud_node *slip = thud_node_find(thud_node_item(list, k), "slip");
    for (size_t i = 0; i < thud_node_count(slip) && error == THUD_OK; i++) {
      const char *source;
      error = thud_node_read_string(thud_node_item(slip, i), &source);
      if (error == THUD_OK)
        error = thud_expr_compile(law->scene.context, law->scene.scope, source, NULL, &law->slips[law->first[k] + i]);
    }
  }
  return error;
}

static thud_error allocate(verify_friction *law) {
  thud_context *context = law->scene.context;
  size_t rows = law->first[law->laws], velocities = law->driven + law->internal, entries;
  if (!thud_size_multiply(rows, velocities, &entries)) return THUD_ERROR_OVERFLOW;
  law->velocity = THUD_NEW_ARRAY(context, verify_value, law->driven);
  law->slips = THUD_NEW_ARRAY(context, thud_expr *, rows);
  law->variables = THUD_NEW_ARRAY(context, double, velocities + 1);
  law->numbers = THUD_NEW_ARRAY(context, double, law->scene.value_count);
  law->W = THUD_NEW_ARRAY(context, double, law->driven);
  law->coefficients = THUD_NEW_ARRAY(context, double, entries);
  law->rows = law->slips != NULL ? rows : 0;
  bool complete = law->velocity != NULL && law->slips != NULL && law->variables != NULL && law->numbers != NULL &&
                  law->W != NULL && law->coefficients != NULL;
  return complete ? THUD_OK : THUD_ERROR_MEMORY;
}

static thud_error read_section(verify_friction *law, const thud_node *root) {
  const thud_node *section, *coordinates, *laws, *velocity;
  thud_error error = thud_node_require(root, "friction", &section);
  if (error == THUD_OK) error = thud_node_require(section, "coordinates", &coordinates);
  if (error == THUD_OK) error = thud_verify_read_names(&law->scene, coordinates);
  law->driven = law->scene.n;
  if (error == THUD_OK) error = read_internal(law, thud_node_find(section, "internal"));
  if (error == THUD_OK) error = thud_node_require(section, "laws", &laws);
  if (error == THUD_OK) error = read_laws(law, laws);
  if (error == THUD_OK) error = allocate(law);
  if (error == THUD_OK) error = thud_node_require(section, "velocity", &velocity);
  if (error == THUD_OK) error = read_velocity(law, velocity);
  return error == THUD_OK ? read_slips(law, laws) : error;
}

thud_error thud_verify_friction_read(thud_context *context, const thud_tree *tree, verify_friction *law) {
  const thud_node *root = thud_tree_root(tree), *simulate;
  *law = (verify_friction){.scene = {.context = context}};
  thud_error error = thud_verify_scene_open(&law->scene, root);
  if (error == THUD_OK) error = thud_node_require(root, "simulate", &simulate);
  if (error == THUD_OK) error = thud_verify_read_span(&law->scene, simulate);
  if (error == THUD_OK) error = thud_verify_read_steps(&law->scene, simulate);
  if (error == THUD_OK) error = thud_verify_read_data(&law->scene, thud_node_find(root, "data"));
  if (error == THUD_OK) error = read_section(law, root);
  if (error == THUD_OK) error = thud_verify_read_thinning(&law->scene, root);
  if (error != THUD_OK) thud_verify_friction_free(law);
  return error;
}

/* ---- at a time -------------------------------------------------------------------------------------------------- */

static double slip_at(const verify_friction *law, size_t r) {
  return thud_expr_evaluate_side(law->slips[r], law->variables, law->scene.time_slot, THUD_SIDE_VALUE);
}

/* By differences from 2 e_j to e_j, and once at a velocity of which no component is 0. */
static bool place_slip(verify_friction *law, size_t r) {
  size_t count = law->driven + law->internal;
  double *v = law->variables + 1, *c = law->coefficients + r * count, size = 0;
  memset(v, 0, count * sizeof(double));
  if (slip_at(law, r) != 0) return false;
  for (size_t j = 0; j < count; j++) {
    v[j] = 2;
    double twice = slip_at(law, r);
    v[j] = 1;
    c[j] = twice - slip_at(law, r);
    v[j] = 0;
  }
  for (size_t j = 0; j < count; j++) {
    v[j] = j % 2 == 0 ? 1 + 1.0 / (double)(j + 3) : -2 + 1.0 / (double)(j + 2);
    size += fabs(c[j] * v[j]);
  }
  return isfinite(size) && fabs(slip_at(law, r) - thud_verify_dot(count, c, v)) <= LINEAR * size;
}

bool thud_verify_friction_place(verify_friction *law, double t) {
  bool usable = thud_verify_scene_place(&law->scene, t, THUD_SIDE_VALUE, law->numbers);
  for (size_t j = 0; j < law->driven; j++) {
    law->W[j] = thud_verify_value_at(&law->scene, &law->velocity[j], t, THUD_SIDE_VALUE);
    usable = usable && isfinite(law->W[j]);
  }
  law->variables[0] = t;
  for (size_t r = 0; r < law->rows; r++) usable = place_slip(law, r) && usable;
  return usable;
}
