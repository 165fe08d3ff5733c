/* Defaults of sweeping processes and of set nodes. */
#include "thud/sim.h"
#include "scene/resolve.h"

#include <string.h>

static size_t columns_of(const thud_node *matrix) {
  return thud_resolve_count(matrix) > 0 ? thud_resolve_count(thud_node_item(matrix, 0)) : 0;
}

static thud_error resolve_operands(thud_tree *tree, const thud_node *list, size_t n) {
  thud_error error = THUD_OK;
  for (size_t k = 0; k < thud_resolve_count(list) && error == THUD_OK; k++)
    error = thud_resolve_set(tree, thud_node_item(list, k), n);
  return error;
}

/* ---- one function per kind that has defaults, or operands ------------------------------------------------------- */

static thud_error resolve_cone(thud_tree *tree, const thud_node *content, size_t n) {
  return n > 0 ? thud_resolve_number(tree, content, "dimension", (double)n) : THUD_OK;
}

static thud_error resolve_polyhedron(thud_tree *tree, const thud_node *content, size_t n) {
  (void)n;
  return thud_resolve_number(tree, content, "equalities", 0);
}

static thud_error resolve_product(thud_tree *tree, const thud_node *content, size_t n) {
  (void)n; /* says nothing about the factors */
  return resolve_operands(tree, content, 0);
}

static thud_error resolve_translation(thud_tree *tree, const thud_node *content, size_t n) {
  size_t by = thud_resolve_count(thud_resolve_find(content, "by"));
  return thud_resolve_set(tree, thud_resolve_find(content, "set"), by > 0 ? by : n);
}

static thud_error resolve_scaling(thud_tree *tree, const thud_node *content, size_t n) {
  return thud_resolve_set(tree, thud_resolve_find(content, "set"), n);
}

static thud_error resolve_image(thud_tree *tree, const thud_node *content, size_t n) {
  (void)n;
  return thud_resolve_set(tree, thud_resolve_find(content, "set"), columns_of(thud_resolve_find(content, "matrix")));
}

static thud_error resolve_preimage(thud_tree *tree, const thud_node *content, size_t n) {
  (void)n;
  return thud_resolve_set(tree, thud_resolve_find(content, "set"),
                          thud_resolve_count(thud_resolve_find(content, "matrix")));
}

static const struct {
  const char *kind;
  thud_error (*resolve)(thud_tree *tree, const thud_node *content, size_t n);
} kinds[] = {
    {"coulomb_cone", resolve_cone},       {"coulomb_dual_cone", resolve_cone}, {"polyhedron", resolve_polyhedron},
    {"product", resolve_product},         {"sum", resolve_operands},           {"intersection", resolve_operands},
    {"translation", resolve_translation}, {"scaling", resolve_scaling},        {"image", resolve_image},
    {"preimage", resolve_preimage},       {"polar", thud_resolve_set},
};

thud_error thud_resolve_set(thud_tree *tree, const thud_node *node, size_t n) {
  thud_error error = THUD_OK;
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds && error == THUD_OK; k++) {
    const thud_node *content = thud_resolve_find(node, kinds[k].kind);
    if (content != NULL) error = kinds[k].resolve(tree, content, n);
  }
  return error;
}
