/* Families of `data`, written out: a tree in which every entry has plain lists. */
#include "base/json.h"
#include "verify/verify_scene.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_NAMED = 64 };

typedef struct verify_family {
  verify_scene *scene;
  double from, to;
  const thud_node *breaks, *pieces, *before;
  size_t named; /* the index and what `with` names */
  const char *names[1 + MOST_NAMED];
  const thud_node *formulas[1 + MOST_NAMED];
  double values[1 + MOST_NAMED]; /* of the present member */
} verify_family;

/* Does the name stand at this place of the text, as a word of its own? */
static bool is_name_at(const char *text, size_t at, const char *name) {
  size_t length = strlen(name);
  if (strncmp(text + at, name, length) != 0) return false;
  const char before = at > 0 ? text[at - 1] : ' ', after = text[at + length];
  bool begins = !isalnum((unsigned char)before) && before != '_' && before != '.';
  return begins && !isalnum((unsigned char)after) && after != '_' && after != '.' && after != '\'';
}

/* The text with the values of the first `count` names, the later ones first. */
static void replace_names(const verify_family *family, size_t count, const char *source, thud_text *text) {
  for (size_t at = 0; source[at] != '\0';) {
    size_t k = count;
    while (k > 0 && !is_name_at(source, at, family->names[k - 1])) k--;
    if (k > 0)
      thud_text_print(text, "(%.17g)", family->values[k - 1]);
    else
      thud_text_append(text, source + at, 1);
    at += k > 0 ? strlen(family->names[k - 1]) : 1;
  }
}

static thud_error find_value(verify_family *family, size_t k) {
  verify_scene *scene = family->scene;
  const thud_node *node = family->formulas[k];
  if (thud_node_get_kind(node) == THUD_NODE_NUMBER) {
    family->values[k] = thud_node_number(node);
    return THUD_OK;
  }
  const char *source;
  thud_expr *expr = NULL;
  thud_text text = thud_text_new(scene->context);
  thud_error error = thud_node_read_string(node, &source);
  if (error == THUD_OK) replace_names(family, k, source, &text);
  if (error == THUD_OK) error = text.error;
  if (error == THUD_OK) error = thud_expr_compile(scene->context, scene->scope, thud_text_chars(&text), NULL, &expr);
  const double start = 0;
  family->values[k] = expr != NULL ? thud_expr_evaluate(expr, &start) : NAN;
  if (error == THUD_OK && (!thud_expr_is_constant(expr) || !isfinite(family->values[k])))
    error = thud_node_fail(node, THUD_ERROR_SCHEMA, "'%s' is no number", source);
  thud_expr_destroy(expr);
  thud_text_free(&text);
  return error;
}

static thud_error go_to_member(verify_family *family, double member) {
  thud_error error = THUD_OK;
  family->values[0] = member;
  for (size_t k = 1; k < family->named && error == THUD_OK; k++) error = find_value(family, k);
  return error;
}

/* An entry of a list for the present member, as a JSON value. */
static thud_error write_entry(const verify_family *family, const thud_node *node, thud_text *text) {
  const char *source;
  if (thud_node_get_kind(node) == THUD_NODE_NUMBER) {
    thud_text_print(text, "%.17g", thud_node_number(node));
    return THUD_OK;
  }
  thud_error error = thud_node_read_string(node, &source);
  if (error != THUD_OK) return error;
  if (strpbrk(source, "\"\\") != NULL)
    return thud_node_fail(node, THUD_ERROR_SCHEMA, "an expression has no quotation marks and no backslashes");
  thud_text_print(text, "\"");
  replace_names(family, family->named, source, text);
  thud_text_print(text, "\"");
  return text->error;
}

static thud_error write_list(verify_family *family, const thud_node *list, bool first, thud_text *text) {
  double way = family->to >= family->from ? 1 : -1;
  thud_error error = THUD_OK;
  for (double member = family->from; way * (family->to - member) >= 0 && error == THUD_OK; member += way) {
    error = go_to_member(family, member);
    for (size_t i = 0; i < thud_node_count(list) && error == THUD_OK; i++, first = false) {
      if (!first) thud_text_print(text, ", ");
      error = write_entry(family, thud_node_item(list, i), text);
    }
  }
  return error;
}

static thud_error read_family(verify_scene *scene, const thud_node *entry, verify_family *family) {
  const thud_node *map = thud_node_find(entry, "family"), *index, *from, *to, *with = NULL;
  thud_error error = thud_node_require(map, "index", &index);
  if (error == THUD_OK) error = thud_node_read_string(index, &family->names[0]);
  if (error == THUD_OK) with = thud_node_find(map, "with");
  if (error == THUD_OK && with != NULL) error = thud_node_expect(with, THUD_NODE_MAP);
  family->scene = scene;
  family->named = 1;
  for (size_t k = 0; error == THUD_OK && with != NULL && k < thud_node_count(with) && k < MOST_NAMED; k++) {
    family->names[family->named] = thud_node_key(with, k);
    family->formulas[family->named++] = thud_node_item(with, k);
  }
  if (error == THUD_OK) error = thud_node_require(map, "from", &from);
  if (error == THUD_OK) error = thud_verify_read_constant(scene, from, &family->from);
  if (error == THUD_OK) error = thud_node_require(map, "to", &to);
  if (error == THUD_OK) error = thud_verify_read_constant(scene, to, &family->to);
  if (error == THUD_OK) error = thud_node_require(entry, "breaks", &family->breaks);
  if (error == THUD_OK) error = thud_node_require(entry, "pieces", &family->pieces);
  if (error == THUD_OK) error = thud_node_require(entry, "before", &family->before);
  if (error == THUD_OK) error = thud_node_expect(family->breaks, THUD_NODE_SEQUENCE);
  if (error == THUD_OK) error = thud_node_expect(family->pieces, THUD_NODE_SEQUENCE);
  if (error != THUD_OK) return error;
  bool whole = family->from == floor(family->from) && family->to == floor(family->to) && fabs(family->from) <= 1e6 &&
               fabs(family->to) <= 1e6;
  if (!whole || family->names[0][0] == '\0' || thud_node_count(family->breaks) != thud_node_count(family->pieces))
    return thud_node_fail(entry, THUD_ERROR_SCHEMA, "the members of this family cannot be told");
  return THUD_OK;
}

static thud_error write_out(verify_scene *scene, thud_tree *copy, const char *name, const thud_node *entry) {
  verify_family family = {0};
  const thud_node *at_breaks = thud_node_find(entry, "at_breaks");
  const char *side = "right";
  char path[THUD_TREE_MAX_KEY + 8];
  thud_error error = read_family(scene, entry, &family);
  if (error == THUD_OK && at_breaks != NULL) error = thud_node_read_string(at_breaks, &side);
  if (error != THUD_OK) return error;
  thud_text text = thud_text_new(scene->context);
  thud_text_print(&text, "{at_breaks: %s, breaks: [", side);
  error = write_list(&family, family.breaks, true, &text);
  thud_text_print(&text, "], pieces: [");
  if (error == THUD_OK) error = go_to_member(&family, family.from);
  if (error == THUD_OK) error = write_entry(&family, family.before, &text);
  if (error == THUD_OK) error = write_list(&family, family.pieces, false, &text);
  thud_text_print(&text, "]}");
  snprintf(path, sizeof path, "data.%s", name);
  if (error == THUD_OK) error = text.error;
  if (error == THUD_OK) error = thud_tree_set(copy, path, thud_text_chars(&text));
  thud_text_free(&text);
  return error;
}

thud_error thud_verify_write_families(thud_context *context, const thud_tree *tree, thud_tree **copy) {
  const thud_node *root = thud_tree_root(tree), *data;
  if (thud_node_get_kind(root) != THUD_NODE_MAP) return THUD_OK;
  data = thud_node_find(root, "data");
  if (data == NULL || thud_node_get_kind(data) != THUD_NODE_MAP) return THUD_OK;
  verify_scene scene = {.context = context};
  thud_tree *made = NULL;
  thud_error error = THUD_OK;
  for (size_t k = 0; k < thud_node_count(data) && error == THUD_OK; k++) {
    const thud_node *entry = thud_node_item(data, k);
    if (thud_node_get_kind(entry) != THUD_NODE_MAP || thud_node_find(entry, "family") == NULL) continue;
    if (made == NULL) {
      error = thud_verify_scene_open(&scene, root);
      if (error == THUD_OK) error = thud_tree_copy(context, tree, &made);
    }
    if (error == THUD_OK) error = write_out(&scene, made, thud_node_key(data, k), entry);
  }
  thud_verify_scene_free(&scene);
  if (error == THUD_OK)
    *copy = made;
  else
    thud_tree_destroy(made);
  return error;
}
