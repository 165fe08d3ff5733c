#include "base/base.h"
#include "expr/scope.h"

#include <math.h>
#include <string.h>

const expr_op_info thud_expr_ops[EXPR_OP_COUNT] = {
#define EXPR_OP_INFO(op, text, arity, smoothness, notation) {text, arity, smoothness, notation},
    EXPR_OP_TABLE(EXPR_OP_INFO)
#undef EXPR_OP_INFO
};

/* ASCII only and independent of the locale. */
bool thud_expr_starts_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool thud_expr_continues_name(char c) { return thud_expr_starts_name(c) || (c >= '0' && c <= '9'); }

static bool is_word(const char *word, const char *text, size_t length) {
  return strlen(word) == length && memcmp(word, text, length) == 0;
}

expr_op thud_expr_find_call(const char *text, size_t length) {
  for (int op = 0; op < EXPR_OP_COUNT; op++)
    if (thud_expr_ops[op].notation >= EXPR_CALL && is_word(thud_expr_ops[op].text, text, length)) return (expr_op)op;
  return EXPR_OP_COUNT;
}

bool thud_expr_find_constant(const char *text, size_t length, double *value) {
  if (is_word("pi", text, length))
    *value = 3.14159265358979323846;
  else if (is_word("e", text, length))
    *value = 2.71828182845904523536;
  else
    return false;
  return true;
}

thud_error thud_expr_scope_create(thud_context *context, thud_expr_scope **scope) {
  THUD_REQUIRE(context, context, scope);
  thud_expr_scope *made = THUD_NEW(context, thud_expr_scope);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->context = context;
  made->table = thud_names_new(context, NULL);
  *scope = made;
  return THUD_OK;
}

void thud_expr_scope_destroy(thud_expr_scope *scope) {
  if (scope == NULL) return;
  for (size_t k = 0; k < scope->count; k++) {
    thud_free(scope->context, scope->names[k].text);
    thud_free(scope->context, scope->names[k].source);
  }
  thud_free(scope->context, scope->names);
  thud_names_free(&scope->table);
  thud_free(scope->context, scope);
}

thud_index thud_expr_scope_variable_count(const thud_expr_scope *scope) {
  THUD_REQUIRE_OR(0, scope);
  return scope->variable_count;
}

const expr_name *thud_expr_scope_find(const thud_expr_scope *scope, const char *text, size_t length) {
  size_t k = thud_names_find(&scope->table, text, length);
  return k != THUD_NAMES_NONE ? &scope->names[k] : NULL;
}

static const char *kind_text(expr_name_kind kind) {
  switch (kind) {
  case EXPR_NAME_PARAMETER: return "parameter";
  case EXPR_NAME_VARIABLE: return "variable";
  case EXPR_NAME_FUNCTION: return "function of time";
  case EXPR_NAME_EXPRESSION: return "named expression";
  }
  return "name";
}

static thud_error check_name(const thud_expr_scope *scope, const char *name, expr_name_kind kind) {
  thud_context *context = scope->context;
  if (name == NULL || !thud_expr_starts_name(name[0]))
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "[bad-name] '%.60s' cannot be a name: a name starts with a letter a-z, A-Z or _",
                     name != NULL ? name : "");
  size_t stem = 1;
  while (thud_expr_continues_name(name[stem]) ||
         (kind == EXPR_NAME_VARIABLE && name[stem] == '.' && thud_expr_starts_name(name[stem + 1])))
    stem++;
  size_t end = stem;
  while (kind == EXPR_NAME_VARIABLE && name[end] == '\'') end++;
  if (name[end] != '\0')
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "[bad-name] '%.60s' cannot be a name: character %zu; letters a-z A-Z, digits and _ are allowed%s",
                     name, end + 1, kind == EXPR_NAME_VARIABLE ? ", and ' at the end" : "");
  double value;
  /* e is the coefficient of restitution to most users of this field: a scope may give it that meaning. */
  if (thud_expr_find_constant(name, stem, &value) && strcmp(name, "e") != 0)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[bad-name] '%s' is the constant %.6g; choose another name", name,
                     value);
  if (thud_expr_find_call(name, stem) != EXPR_OP_COUNT)
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "[bad-name] '%s' is taken by a built-in function; choose another name", name);
  const expr_name *there = thud_expr_scope_find(scope, name, end);
  if (there != NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[bad-name] '%.60s' is a %s already; choose another name", name,
                     kind_text(there->kind));
  return THUD_OK;
}

/* source: NULL but for named expressions; copied like the text. */
static thud_error add_name(thud_expr_scope *scope, const char *text, const char *source, expr_name entry) {
  thud_error error = check_name(scope, text, entry.kind);
  if (error != THUD_OK) return error;
  error = thud_array_reserve(scope->context, &scope->names, &scope->capacity, scope->count + 1, sizeof *scope->names);
  if (error != THUD_OK) return error;
  entry.text = thud_strdup(scope->context, text);
  if (entry.text == NULL) return THUD_ERROR_MEMORY;
  entry.source = source != NULL ? thud_strdup(scope->context, source) : NULL;
  error = source != NULL && entry.source == NULL ? THUD_ERROR_MEMORY : THUD_OK;
  if (error == THUD_OK) error = thud_names_add(&scope->table, entry.text, strlen(entry.text), scope->count, NULL);
  if (error != THUD_OK) {
    thud_free(scope->context, entry.text);
    thud_free(scope->context, entry.source);
    return error;
  }
  scope->names[scope->count++] = entry;
  return THUD_OK;
}

thud_error thud_expr_scope_add_parameter(thud_expr_scope *scope, const char *name, double value) {
  THUD_REQUIRE_OF(scope, name);
  if (!isfinite(value))
    return thud_fail(scope->context, THUD_ERROR_NOT_FINITE, "parameter '%.60s' is %g; give a finite number",
                     name != NULL ? name : "", value);
  return add_name(scope, name, NULL, (expr_name){.kind = EXPR_NAME_PARAMETER, .value = value});
}

thud_error thud_expr_scope_add_variable(thud_expr_scope *scope, const char *name, thud_index *slot) {
  THUD_REQUIRE_OF(scope, name);
  thud_index next = scope->variable_count;
  thud_error error = add_name(scope, name, NULL, (expr_name){.kind = EXPR_NAME_VARIABLE, .slot = next});
  if (error != THUD_OK) return error;
  scope->variable_count++;
  if (slot != NULL) *slot = next;
  return THUD_OK;
}

thud_error thud_expr_scope_add_function(thud_expr_scope *scope, const char *name, thud_index time_slot,
                                        const thud_regulated *function) {
  THUD_REQUIRE_OF(scope, name, function);
  if (function == NULL || function->evaluate == NULL || function->dimension != 1)
    return thud_fail(scope->context, THUD_ERROR_ARGUMENT, "function '%.60s' must be given and have one component",
                     name != NULL ? name : "");
  if (time_slot < 0 || time_slot >= scope->variable_count)
    return thud_fail(scope->context, THUD_ERROR_ARGUMENT,
                     "function '%.60s' depends on variable number %d, but the scope has %d; add its variable first",
                     name != NULL ? name : "", (int)time_slot, (int)scope->variable_count);
  return add_name(scope, name, NULL, (expr_name){.kind = EXPR_NAME_FUNCTION, .slot = time_slot, .function = *function});
}

thud_error thud_expr_scope_add_expression(thud_expr_scope *scope, const char *name, const char *source) {
  THUD_REQUIRE_OF(scope, name, source);
  thud_error error =
      add_name(scope, name, source, (expr_name){.kind = EXPR_NAME_EXPRESSION, .slot = scope->expression_count});
  if (error == THUD_OK) scope->expression_count++;
  return error;
}

/* Variables are numbered again: they keep their slots when none is left out. */
static thud_error copy_name(thud_expr_scope *scope, const expr_name *name) {
  if (name->kind == EXPR_NAME_VARIABLE) return thud_expr_scope_add_variable(scope, name->text, NULL);
  if (name->kind == EXPR_NAME_EXPRESSION) return thud_expr_scope_add_expression(scope, name->text, name->source);
  return add_name(scope, name->text, NULL, *name);
}

thud_error thud_expr_scope_copy(const thud_expr_scope *scope, const char *kept, thud_expr_scope **copy) {
  thud_expr_scope *made = NULL;
  thud_error error = thud_expr_scope_create(scope->context, &made);
  for (size_t k = 0; k < scope->count && error == THUD_OK; k++) {
    const expr_name *name = &scope->names[k];
    bool left_out = name->kind == EXPR_NAME_VARIABLE && kept != NULL && strcmp(name->text, kept) != 0;
    if (!left_out) error = copy_name(made, name);
  }
  if (error == THUD_OK)
    *copy = made;
  else
    thud_expr_scope_destroy(made);
  return error;
}

thud_index thud_expr_scope_find_variable(const thud_expr_scope *scope, const char *name) {
  THUD_REQUIRE_OR(-1, scope, name);
  const expr_name *found = name != NULL ? thud_expr_scope_find(scope, name, strlen(name)) : NULL;
  return found != NULL && found->kind == EXPR_NAME_VARIABLE ? found->slot : -1;
}
