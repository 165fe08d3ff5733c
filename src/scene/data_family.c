/* Families of `data`: members whose breaks and pieces are expressions of an index, written out one after the other.
 *   f: {family: {index: n, from: 9, to: 0}, before: 0, breaks: [2^(-n-1)], pieces: ["n*t"]}
 * Every member has as many pieces as breaks: a piece holds from its break on. `before` holds until the first break of the
 * first member. `with` names numbers of a member, each of which may use the ones before it. In the texts the index and these
 * names stand for numbers, whatever else has their names. */
#include "base/json.h"
#include "scene/build.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_BREAKS = 100000, MOST_NUMBERS = 64 };

typedef struct data_family {
  thud_scene *scene;
  const thud_node *breaks, *pieces, *before, *with; /* with: NULL, none */
  size_t known; /* numbers of the member that are known: the index, then those of `with` */
  double numbers[1 + MOST_NUMBERS];
  const char *index;
  double from, to;
  size_t members, each; /* breaks of every member */
} data_family;

static bool is_word_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

static size_t word_length(const char *text) {
  size_t length = 0;
  while (is_word_letter(text[length])) length++;
  return length;
}

static thud_error check_word(const thud_node *node, const char *word) {
  size_t length = word_length(word);
  bool begins = length > 0 && word[0] != '.' && !(word[0] >= '0' && word[0] <= '9');
  if (begins && word[length] == '\0') return THUD_OK;
  return thud_node_fail(node, THUD_ERROR_SCHEMA, "[bad-name] '%s' cannot name a number; take a word such as n", word);
}

static thud_error read_with(const thud_node *with, data_family *family) {
  family->with = with;
  if (with == NULL) return THUD_OK;
  thud_error error = thud_node_expect(with, THUD_NODE_MAP);
  if (error == THUD_OK && thud_node_count(with) > MOST_NUMBERS)
    return thud_node_fail(with, THUD_ERROR_SCHEMA, "[wrong-count] at most %d numbers have names here, found %zu",
                          (int)MOST_NUMBERS, thud_node_count(with));
  for (size_t k = 0; error == THUD_OK && k < thud_node_count(with); k++)
    error = check_word(thud_node_item(with, k), thud_node_key(with, k));
  return error;
}

static thud_error read_index(thud_scene *scene, const thud_node *node, data_family *family) {
  static const char *const keys[] = {"index", "from", "to", "with"};
  const thud_node *index, *from, *to;
  thud_error error = thud_node_check_keys(node, keys, 4);
  if (error == THUD_OK) error = thud_node_require_as(node, "index", "a name, such as n", &index);
  if (error == THUD_OK) error = thud_node_read_string(index, &family->index);
  if (error == THUD_OK) error = thud_node_require_as(node, "from", "the index of the first member", &from);
  if (error == THUD_OK) error = thud_scene_read_whole(scene, from, -1e6, 1e6, &family->from);
  if (error == THUD_OK) error = thud_node_require_as(node, "to", "the index of the last member", &to);
  if (error == THUD_OK) error = thud_scene_read_whole(scene, to, -1e6, 1e6, &family->to);
  if (error == THUD_OK) error = check_word(index, family->index);
  if (error != THUD_OK) return error;
  family->members = (size_t)fabs(family->to - family->from) + 1;
  return read_with(thud_node_find(node, "with"), family);
}

static thud_error read_lists(const thud_node *entry, data_family *family) {
  thud_error error =
      thud_node_require_as(entry, "breaks", "the times of one member, expressions of the index", &family->breaks);
  if (error == THUD_OK) error = thud_node_expect(family->breaks, THUD_NODE_SEQUENCE);
  if (error == THUD_OK)
    error = thud_node_require_as(entry, "pieces", "one expression for each break of a member, from that on",
                                 &family->pieces);
  if (error == THUD_OK) error = thud_node_expect(family->pieces, THUD_NODE_SEQUENCE);
  if (error == THUD_OK)
    error = thud_node_require_as(entry, "before", "what holds until the first break, such as 0", &family->before);
  if (error != THUD_OK) return error;
  family->each = thud_node_count(family->breaks);
  if (family->each == 0 || family->each > MOST_BREAKS / family->members)
    return thud_node_fail(family->breaks, THUD_ERROR_SCHEMA,
                          "[wrong-count] a family has from 1 to %d breaks altogether; here are %zu of %zu members",
                          (int)MOST_BREAKS, family->each, family->members);
  if (thud_node_count(family->pieces) != family->each)
    return thud_node_fail(family->pieces, THUD_ERROR_SCHEMA,
                          "[wrong-count] a member has a piece for each of its %zu breaks, found %zu", family->each,
                          thud_node_count(family->pieces));
  return THUD_OK;
}

/* The number of a word, the last name first; family->known: none. */
static size_t find_number(const data_family *family, const char *word, size_t length) {
  for (size_t k = family->known; k-- > 0;) {
    const char *name = k == 0 ? family->index : thud_node_key(family->with, k - 1);
    if (strlen(name) == length && strncmp(name, word, length) == 0) return k;
  }
  return family->known;
}

/* The text with numbers in the place of the names that are known. */
static void substitute(const data_family *family, const char *source, thud_text *text) {
  for (size_t length; *source != '\0'; source += length) {
    length = word_length(source);
    size_t found = length > 0 && source[length] != '\'' ? find_number(family, source, length) : family->known;
    if (length == 0) length = 1;
    if (found < family->known)
      thud_text_print(text, "(%.17g)", family->numbers[found]);
    else
      thud_text_append(text, source, length);
  }
}

/* The next number of `with`, a constant. */
static thud_error find_next(data_family *family, const thud_node *node) {
  thud_scene *scene = family->scene;
  const char *source;
  double value = thud_node_get_kind(node) == THUD_NODE_NUMBER ? thud_node_number(node) : 0;
  if (thud_node_get_kind(node) != THUD_NODE_NUMBER) {
    thud_expr *expr = NULL;
    const double no_time = 0;
    thud_text text = thud_text_new(scene->context);
    thud_error error = thud_node_read_string(node, &source);
    if (error == THUD_OK) substitute(family, source, &text);
    if (error == THUD_OK) error = text.error;
    if (error == THUD_OK) error = thud_expr_compile(scene->context, scene->scope, thud_text_chars(&text), NULL, &expr);
    if (error != THUD_OK && error != THUD_ERROR_MEMORY) error = thud_node_fail_within(node, error);
    if (error == THUD_OK) value = thud_expr_is_constant(expr) ? thud_expr_evaluate(expr, &no_time) : NAN;
    if (error == THUD_OK && !isfinite(value))
      error = thud_node_fail(node, THUD_ERROR_NOT_FINITE, "[not-constant] '%s' is no constant number for %s = %g",
                             source, family->index, family->numbers[0]);
    thud_expr_destroy(expr);
    thud_text_free(&text);
    if (error != THUD_OK) return error;
  }
  family->numbers[family->known++] = value;
  return THUD_OK;
}

static thud_error find_numbers(data_family *family, double member) {
  size_t count = family->with != NULL ? thud_node_count(family->with) : 0;
  thud_error error = THUD_OK;
  family->numbers[0] = member;
  family->known = 1;
  for (size_t k = 0; k < count && error == THUD_OK; k++) error = find_next(family, thud_node_item(family->with, k));
  return error;
}

static thud_error write_item(thud_json *json, const data_family *family, const thud_node *item) {
  const char *source;
  if (thud_node_get_kind(item) == THUD_NODE_NUMBER) {
    thud_json_number(json, thud_node_number(item));
    return THUD_OK;
  }
  thud_error error = thud_node_read_string(item, &source);
  if (error != THUD_OK) return error;
  thud_text text = thud_text_new(json->text->context);
  substitute(family, source, &text);
  error = text.error;
  if (error == THUD_OK) thud_json_string(json, thud_text_chars(&text));
  thud_text_free(&text);
  return error;
}

static thud_error write_members(thud_json *json, data_family *family, const thud_node *list) {
  thud_error error = THUD_OK;
  for (size_t k = 0; k < family->members && error == THUD_OK; k++) {
    error = find_numbers(family, family->from + (family->to < family->from ? -(double)k : (double)k));
    for (size_t i = 0; i < family->each && error == THUD_OK; i++)
      error = write_item(json, family, thud_node_item(list, i));
  }
  return error;
}

static thud_error write_all(thud_json *json, const thud_node *entry, data_family *family) {
  const thud_node *at_breaks = thud_node_find(entry, "at_breaks");
  const char *side = "right";
  thud_json_begin_object(json);
  thud_json_key(json, "breaks");
  thud_json_begin_array(json);
  thud_error error = write_members(json, family, family->breaks);
  thud_json_end_array(json);
  thud_json_key(json, "pieces");
  thud_json_begin_array(json);
  if (error == THUD_OK) error = find_numbers(family, family->from);
  if (error == THUD_OK) error = write_item(json, family, family->before);
  if (error == THUD_OK) error = write_members(json, family, family->pieces);
  thud_json_end_array(json);
  if (error == THUD_OK && at_breaks != NULL) error = thud_node_read_string(at_breaks, &side);
  thud_json_string_field(json, "at_breaks", side);
  thud_json_end_object(json);
  return error;
}

thud_error thud_scene_write_family(thud_scene *scene, const char *name, const thud_node *entry, thud_tree **written) {
  static const char *const keys[] = {"family", "before", "breaks", "pieces", "at_breaks"};
  data_family family = {.scene = scene};
  thud_error error = thud_node_check_keys(entry, keys, sizeof keys / sizeof *keys);
  if (error == THUD_OK) error = read_index(scene, thud_node_find(entry, "family"), &family);
  if (error == THUD_OK) error = read_lists(entry, &family);
  if (error != THUD_OK) return error;
  char place[THUD_TREE_MAX_KEY + 32];
  snprintf(place, sizeof place, "members of %s", name);
  thud_text text = thud_text_new(scene->context);
  thud_json json = thud_json_new(&text);
  error = write_all(&json, entry, &family);
  if (error == THUD_OK) error = text.error;
  if (error == THUD_OK) error = thud_tree_read_text(scene->context, place, text.data, text.length, written);
  thud_text_free(&text);
  return error;
}
