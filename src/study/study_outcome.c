/* One run of a scene, and expressions over the numbers of its summary. */
#include "study/study_outcome.h"
#include "base/json.h"
#include "scene/build.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a run ------------------------------------------------------------------------------------------------------- */

static thud_error take_result(study_outcome *made, const thud_run_result *result) {
  made->good = result->verdict == THUD_VERDICT_GOOD;
  snprintf(made->message, sizeof made->message, "%s", result->reason);
  thud_error error = thud_tree_read_text(made->context, "summary", result->json, strlen(result->json), &made->summary);
  const thud_node *time = error == THUD_OK ? thud_node_find(thud_tree_root(made->summary), "time") : NULL;
  bool known = time != NULL && thud_node_get_kind(time) == THUD_NODE_NUMBER;
  made->time = known ? thud_node_number(time) : (double)NAN;
  return error;
}

thud_error thud_outcome_run(thud_context *context, const thud_tree *tree, size_t times, const double *at,
                            thud_run_progress_fn progress, void *user, study_outcome *outcome) {
  study_outcome made = {.context = context};
  thud_run_options options = thud_run_options_default();
  thud_run_result result = {0};
  options.sample_count = times;
  options.sample_times = at;
  options.max_events = 0;
  options.progress = progress;
  options.progress_user = user;
  thud_error error = thud_scene_build(context, tree, &made.scene);
  if (error == THUD_OK) error = thud_scene_run(made.scene, &options, &result);
  if (error == THUD_OK) error = take_result(&made, &result);
  if (error == THUD_OK && result.verdict == THUD_VERDICT_STOPPED)
    error = thud_fail(context, THUD_ERROR_INTERRUPTED, "interrupted at t = %.10g", made.time);
  thud_run_result_free(context, &result);
  if (error == THUD_OK)
    *outcome = made;
  else
    thud_outcome_free(&made);
  return error;
}

void thud_outcome_free(study_outcome *outcome) {
  thud_tree_destroy(outcome->summary);
  thud_scene_destroy(outcome->scene);
  *outcome = (study_outcome){0};
}

const thud_node *thud_outcome_state(const study_outcome *outcome, size_t k, size_t samples) {
  const thud_node *root = thud_tree_root(outcome->summary), *list = thud_node_find(root, "samples");
  if (k == samples) return thud_node_find(root, "state");
  bool there = list != NULL && thud_node_get_kind(list) == THUD_NODE_SEQUENCE && k < thud_node_count(list);
  return there ? thud_node_find(thud_node_item(list, k), "state") : NULL;
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

enum { NAME = 256 };

static const thud_node *in_map(const thud_node *map, const char *name) {
  return map != NULL && thud_node_get_kind(map) == THUD_NODE_MAP ? thud_node_find(map, name) : NULL;
}

/* "atoms.0.x", from the root. */
static const thud_node *follow(const thud_node *node, const char *name) {
  char part[NAME];
  while (node != NULL && *name != '\0') {
    size_t length = strcspn(name, ".");
    snprintf(part, sizeof part, "%.*s", (int)length, name);
    name += length + (name[length] == '.');
    if (thud_node_get_kind(node) != THUD_NODE_SEQUENCE) {
      node = in_map(node, part);
      continue;
    }
    char *end;
    unsigned long index = strtoul(part, &end, 10);
    bool number = isdigit((unsigned char)part[0]) && *end == '\0';
    node = number && index < thud_node_count(node) ? thud_node_item(node, index) : NULL;
  }
  return node;
}

/* What the name stands for in the summary; NULL: nothing that could be a number. */
static const thud_node *find(const study_outcome *outcome, const char *name) {
  static const char *const maps[] = {"state", "ledger"};
  const thud_node *root = thud_tree_root(outcome->summary), *found = NULL;
  for (size_t k = 0; k < 2 && found == NULL; k++) {
    const thud_node *map = in_map(root, maps[k]);
    size_t length = strlen(maps[k]);
    bool named = strncmp(name, maps[k], length) == 0 && name[length] == '.';
    found = in_map(map, named ? name + length + 1 : name);
  }
  if (found == NULL) found = follow(root, name);
  thud_node_kind kind = found != NULL ? thud_node_get_kind(found) : THUD_NODE_MAP;
  return kind == THUD_NODE_NUMBER || kind == THUD_NODE_NULL ? found : NULL;
}

static bool begins_name(char c) { return isalpha((unsigned char)c) || c == '_'; }
static bool goes_on(char c) { return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '\''; }

/* The length of the name at the start of the text, with its parentheses where the summary has it so ("u(0.5)"). */
static size_t take_name(const study_outcome *outcome, const char *text, char name[NAME], const thud_node **found) {
  size_t length = 0, closed;
  while (goes_on(text[length])) length++;
  closed = text[length] == '(' ? length + strcspn(text + length, ")") : 0;
  if (closed > 0 && text[closed] == ')' && closed + 1 < NAME) {
    snprintf(name, NAME, "%.*s", (int)closed + 1, text);
    *found = find(outcome, name);
    if (*found != NULL) return closed + 1;
  }
  snprintf(name, NAME, "%.*s", (int)length, text);
  *found = text[length] == '(' || length >= NAME ? NULL : find(outcome, name);
  return length;
}

/* ---- expressions ------------------------------------------------------------------------------------------------- */

typedef struct quantity_reader {
  study_outcome *outcome;
  thud_text text; /* the expression with names of the scope in the place of those of the summary */
  double *values; /* [variables] of the scope, others than those of the summary 0 */
  size_t capacity;
} quantity_reader;

static thud_error name_value(quantity_reader *reader, const thud_node *node) {
  study_outcome *outcome = reader->outcome;
  thud_index slot;
  char name[40];
  snprintf(name, sizeof name, "recorded_%zu", outcome->names++);
  thud_error error = thud_expr_scope_add_variable(outcome->scene->scope, name, &slot);
  if (error == THUD_OK)
    error = thud_array_reserve(outcome->context, &reader->values, &reader->capacity, (size_t)slot + 1, sizeof(double));
  if (error != THUD_OK) return error;
  reader->values[slot] = thud_node_get_kind(node) == THUD_NODE_NUMBER ? thud_node_number(node) : (double)NAN;
  thud_text_print(&reader->text, "%s", name);
  return THUD_OK;
}

static thud_error substitute(quantity_reader *reader, const char *source) {
  thud_error error = THUD_OK;
  while (*source != '\0' && error == THUD_OK) {
    const thud_node *found = NULL;
    char name[NAME];
    size_t length = 1;
    if (begins_name(*source)) length = take_name(reader->outcome, source, name, &found);
    if (found != NULL)
      error = name_value(reader, found);
    else if (isdigit((unsigned char)*source))
      for (length = 0; goes_on(source[length]);) length++; /* 1e5 is no name */
    if (found == NULL) thud_text_append(&reader->text, source, length);
    source += length;
  }
  return error == THUD_OK ? reader->text.error : error;
}

static thud_error evaluate(quantity_reader *reader, const char *quantity, double *value) {
  study_outcome *outcome = reader->outcome;
  thud_expr *expr = NULL;
  thud_error error =
      thud_expr_compile(outcome->context, outcome->scene->scope, thud_text_chars(&reader->text), NULL, &expr);
  if (error != THUD_OK && error != THUD_ERROR_MEMORY) {
    char detail[400];
    snprintf(detail, sizeof detail, "%s", thud_context_last_message(outcome->context));
    return thud_fail(
        outcome->context, error,
        "[bad-study] the quantity '%.100s': %s (names are those of the summary that thud run --json shows)", quantity,
        detail);
  }
  if (error != THUD_OK) return error;
  size_t count = (size_t)thud_expr_scope_variable_count(outcome->scene->scope);
  error = thud_array_reserve(outcome->context, &reader->values, &reader->capacity, count, sizeof(double));
  if (error == THUD_OK) {
    reader->values[outcome->scene->time_slot] = outcome->time;
    *value = thud_expr_evaluate(expr, reader->values);
  }
  thud_expr_destroy(expr);
  return error;
}

thud_error thud_outcome_evaluate(study_outcome *outcome, const char *quantity, double *value) {
  quantity_reader reader = {.outcome = outcome, .text = thud_text_new(outcome->context)};
  thud_error error = substitute(&reader, quantity);
  if (error == THUD_OK) error = evaluate(&reader, quantity, value);
  thud_text_free(&reader.text);
  thud_free(outcome->context, reader.values);
  return error;
}
