/* The names of a scene once more, with its piecewise data as formulas: proofs along arcs need to see through them, and
 * derivatives of data in gaps, equations and potentials are those of the pieces. */
#include "base/json.h"
#include "verify/system/verify_system.h"

static void write_piece(const thud_node *piece, thud_text *text) {
  if (thud_node_get_kind(piece) == THUD_NODE_NUMBER)
    thud_text_print(text, "(%.17g)", thud_node_number(piece));
  else
    thud_text_print(text, "(%s)", thud_node_string(piece));
}

/* `count` pieces from `first` on: the half before the break in the middle, or the half after it. */
static void write_half(const verify_data *data, const thud_node *pieces, size_t first, size_t count, thud_text *text) {
  size_t before = count / 2;
  if (count == 1) {
    write_piece(thud_node_item(pieces, first), text);
    return;
  }
  thud_text_print(text, "if(t < (%.17g), ", data->breaks[first + before - 1]);
  write_half(data, pieces, first, before, text);
  thud_text_print(text, ", ");
  write_half(data, pieces, first + before, count - before, text);
  thud_text_print(text, ")");
}

static thud_error add_data(verify_system *system, const thud_node *node) {
  thud_error error = THUD_OK;
  for (size_t k = 0; k < system->scene.data_count && error == THUD_OK; k++) {
    const verify_data *data = &system->scene.data[k];
    thud_text text = thud_text_new(system->scene.context);
    write_half(data, thud_node_find(thud_node_item(node, k), "pieces"), 0, data->break_count + 1, &text);
    error = text.error;
    if (error == THUD_OK)
      error = thud_expr_scope_add_expression(system->formulas, thud_node_key(node, k), thud_text_chars(&text));
    thud_text_free(&text);
  }
  return error;
}

static thud_error add_parameters(verify_system *system, const thud_node *node) {
  thud_error error = THUD_OK;
  for (size_t k = 0; node != NULL && k < thud_node_count(node) && error == THUD_OK; k++) {
    double value;
    error = thud_verify_read_constant(&system->scene, thud_node_item(node, k), &value);
    if (error == THUD_OK) error = thud_expr_scope_add_parameter(system->formulas, thud_node_key(node, k), value);
  }
  return error;
}

thud_error thud_verify_system_formulas(verify_system *system, const thud_node *root) {
  if (system->scene.data_count == 0) return THUD_OK;
  thud_index slot;
  thud_error error = thud_expr_scope_create(system->scene.context, &system->formulas);
  if (error == THUD_OK) error = thud_expr_scope_add_variable(system->formulas, "t", &slot);
  if (error == THUD_OK) error = add_parameters(system, thud_node_find(root, "parameters"));
  if (error == THUD_OK) error = add_data(system, thud_node_find(root, "data"));
  return error == THUD_OK ? thud_verify_system_names(system, system->formulas, thud_node_find(root, "definitions"))
                          : error;
}
