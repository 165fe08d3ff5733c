/* The checker's reading of systems without formulas. */
#include "verify/system/verify_system_functions.h"

#include <string.h>

bool thud_verify_has_functions(const thud_node *system) {
  const thud_node *node = thud_node_find(system, "functions");
  bool functions = false;
  return node != NULL && thud_node_read_bool(node, &functions) == THUD_OK && functions;
}

static thud_error read_text(const thud_node *map, const char *key, const char **text) {
  const thud_node *node;
  thud_error error = thud_node_require(map, key, &node);
  return error == THUD_OK ? thud_node_read_string(node, text) : error;
}

static thud_error read_mass(verify_system *system, const thud_node *list) {
  size_t n = system->n;
  if (list == NULL) return THUD_OK;
  thud_error error = thud_node_expect(list, THUD_NODE_SEQUENCE);
  system->given_mass = thud_arena_alloc(system->texts, n * n, sizeof(double));
  if (system->given_mass == NULL) return THUD_ERROR_MEMORY;
  for (size_t i = 0; i < n && error == THUD_OK; i++) {
    const thud_node *row = i < thud_node_count(list) ? thud_node_item(list, i) : NULL;
    if (row == NULL || thud_node_get_kind(row) != THUD_NODE_SEQUENCE || thud_node_count(row) != n)
      return thud_node_fail(list, THUD_ERROR_SCHEMA, "%zu rows of %zu numbers are needed here", n, n);
    for (size_t j = 0; j < n && error == THUD_OK; j++)
      error = thud_node_read_number(thud_node_item(row, j), &system->given_mass[i * n + j]);
  }
  return error;
}

static thud_error read_constraint(verify_system *system, const thud_node *node, size_t k) {
  static const char *const kinds[] = {"unilateral", "bilateral", "velocity", "velocity-one-sided", NULL};
  verify_constraint *constraint = &system->constraints[k];
  const thud_node *kind, *restitution = thud_node_find(node, "restitution");
  int choice = 0;
  thud_error error = read_text(node, "name", &constraint->name);
  if (error == THUD_OK) error = thud_node_require(node, "kind", &kind);
  if (error == THUD_OK) error = thud_node_read_choice(kind, kinds, &choice);
  constraint->kind = (verify_constraint_kind)choice;
  constraint->knows_restitution = restitution != NULL;
  if (error == THUD_OK && restitution != NULL)
    error = thud_node_read_number(restitution, &constraint->known_restitution);
  return error;
}

static size_t find_constraint(const verify_system *system, const char *name) {
  for (size_t i = 0; i < system->m; i++)
    if (strcmp(system->constraints[i].name, name) == 0) return i;
  return SIZE_MAX;
}

static thud_error read_law(verify_system *system, const thud_node *node) {
  static const char *const kinds[] = {"disc", "set", NULL};
  verify_law *law = &system->laws[system->law_count++];
  const thud_node *kind, *directions, *constraint = thud_node_find(node, "constraint");
  const char *of = NULL;
  double count = 0;
  int choice = 0;
  *law = (verify_law){.constraint = SIZE_MAX, .first = system->s};
  thud_error error = read_text(node, "name", &law->name);
  if (error == THUD_OK && constraint != NULL) error = thud_node_read_string(constraint, &of);
  if (error == THUD_OK) error = thud_node_require(node, "kind", &kind);
  if (error == THUD_OK) error = thud_node_read_choice(kind, kinds, &choice);
  if (error == THUD_OK) error = thud_node_require(node, "directions", &directions);
  if (error == THUD_OK) error = thud_node_read_number(directions, &count);
  if (error != THUD_OK) return error;
  if (of != NULL) law->constraint = find_constraint(system, of);
  if (of != NULL && law->constraint == SIZE_MAX)
    return thud_node_fail(constraint, THUD_ERROR_SCHEMA, "there is no constraint '%s'", of);
  if (!(count >= 1 && count <= 1e6)) return thud_node_fail(directions, THUD_ERROR_SCHEMA, "%g directions", count);
  law->disc = choice == 0;
  law->unknown = choice == 1;
  law->directions = (size_t)count;
  system->s += law->directions;
  return THUD_OK;
}

thud_error thud_verify_functions_read(verify_system *system, const thud_node *node) {
  const thud_node *constraints = thud_node_find(node, "constraints"), *laws = thud_node_find(node, "friction");
  size_t law_count = laws != NULL ? thud_node_count(laws) : 0;
  system->functions = true;
  system->m = constraints != NULL ? thud_node_count(constraints) : 0;
  system->constraints = thud_arena_alloc(system->texts, system->m + 1, sizeof *system->constraints);
  system->laws = thud_arena_alloc(system->texts, law_count + 1, sizeof *system->laws);
  if (system->constraints == NULL || system->laws == NULL) return THUD_ERROR_MEMORY;
  thud_error error = read_mass(system, thud_node_find(node, "mass"));
  for (size_t k = 0; k < system->m && error == THUD_OK; k++)
    error = read_constraint(system, thud_node_item(constraints, k), k);
  for (size_t k = 0; k < law_count && error == THUD_OK; k++) error = read_law(system, thud_node_item(laws, k));
  return error;
}

void thud_verify_functions_name_unchecked(const verify_system *system, thud_verify_check *check) {
  bool events = system->method == VERIFY_EVENT_DRIVEN, sets = false;
  for (size_t k = 0; k < system->law_count; k++) sets = sets || system->laws[k].unknown;
  thud_verify_skip(
      check, THUD_VERIFY_NOT_CHECKED,
      "the functions are in a C program: whether forces, potential, mass, gaps, gradients, restitution and "
      "friction are those functions of t, q and v%s%s",
      events                                ? "; equations of motion, gaps, slips and decisions on arcs"
      : system->method == VERIFY_STABILISED ? "; the correction of positions"
                                            : "",
      sets ? "; friction laws with sets of their own" : "");
}
