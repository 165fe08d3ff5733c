/* Units of reactions where coordinates have different ones. A gap that reads a coordinate in m is taken for a length, as it
 * is where all coordinates are lengths: its reaction is a force in N. What a gap of angles alone is cannot be told. */
#include "plot/expression.h"

#include <string.h>

/* Energies are in J: coordinates are lengths in m and angles in rad, t is in s. */
static thud_error has_joules(const plot_record *record, bool *joules) {
  size_t ledger;
  const char *unit = "";
  if (thud_record_find_role(record->reader, THUD_RECORD_FRAMES, "ledger", &ledger) != THUD_OK) return THUD_OK;
  thud_error error = thud_record_component_unit(record->reader, THUD_RECORD_FRAMES, ledger, 0, &unit);
  *joules = strcmp(unit, "J") == 0;
  return error;
}

/* "floor", or "floor.t1" of its friction. */
static const thud_node *find_constraint(const thud_node *system, const char *name) {
  const thud_node *list = thud_node_find(system, "constraints");
  size_t whole = strlen(name), stem = strcspn(name, ".");
  if (list == NULL || thud_node_get_kind(list) != THUD_NODE_SEQUENCE) return NULL;
  for (size_t k = 0; k < thud_node_count(list); k++) {
    const char *other = thud_plot_text_at(thud_node_item(list, k), "name");
    size_t length = other != NULL ? strlen(other) : 0;
    if (length > 0 && (length == whole || length == stem) && strncmp(other, name, length) == 0)
      return thud_node_item(list, k);
  }
  return NULL;
}

static bool reads_length(const plot_scope *scope, const thud_node *root, const thud_expr *expr) {
  const thud_node *units = thud_node_find(root, "units");
  for (size_t k = 0; units != NULL && k < thud_node_count(units); k++) {
    const char *unit = thud_plot_text_at(units, thud_node_key(units, k));
    thud_index slot = thud_plot_scope_find(scope, thud_node_key(units, k));
    if (unit != NULL && strcmp(unit, "m") == 0 && slot >= 0 && thud_expr_depends_on(expr, slot)) return true;
  }
  return false;
}

thud_error thud_plot_is_force(thud_picture *picture, const plot_record *record, const char *name, bool *force) {
  static const char *const forms[] = {"gap", "phi", "equation"};
  plot_scope *scope;
  *force = false;
  bool joules = false;
  thud_error error = has_joules(record, &joules);
  if (error != THUD_OK || !joules) return error;
  error = thud_plot_scope(picture, &picture->records[record - picture->records], &scope);
  const thud_node *root = error == THUD_OK ? thud_plot_scope_root(scope) : NULL;
  const thud_node *system = thud_plot_section(root);
  const thud_node *constraint = system != NULL ? find_constraint(system, name) : NULL;
  for (size_t k = 0; constraint != NULL && k < sizeof forms / sizeof *forms && error == THUD_OK; k++) {
    const char *text = thud_plot_text_at(constraint, forms[k]);
    thud_expr *expr = NULL;
    if (text == NULL) continue;
    if (thud_plot_scope_compile(scope, text, &expr) == THUD_ERROR_MEMORY) error = THUD_ERROR_MEMORY;
    *force = expr != NULL && reads_length(scope, root, expr);
    thud_expr_destroy(expr);
  }
  return error;
}
