/* `observe`, `until` and `when` of a scene: names of its rows, entries, conditions, the layout of the extended rows. */
#include "record/record_names.h"
#include "run/run.h"
#include "run/run_observe.h"
#include "run/run_report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Definitions that one text is looked for in: those that use each other twice would be many. */
enum { MOST_NAME = 200, MOST_DEPTH = 32, MOST_DEFINITIONS = 10000 };

typedef struct observe_reader {
  thud_scene *scene;
  scene_observe *observe;
  size_t text_count;
  const char **texts;      /* of the program's outputs */
  const thud_node **nodes; /* where they stand */
} observe_reader;

/* ---- the numbers of the rows ----------------------------------------------------------------------------------------- */

static bool is_series(const thud_record_channel *channel) { return channel->look == THUD_LOOK_SERIES; }

static bool is_numbers(const thud_record_channel *channel) {
  return channel->type != THUD_RECORD_TEXT && (channel->width > 0 || is_series(channel));
}

static const char *component_name(const thud_record_channel *channel, size_t i) {
  bool single = channel->components == NULL && thud_record_component_count(channel) == 1;
  return channel->components != NULL ? channel->components[i] : single ? channel->name : NULL;
}

/* Visits every number of the rows; true ends the visit. */
typedef bool (*visit_fn)(void *user, const char *owner, const char *name, const observe_input *input, int rank);

/* In three ranks: the state, energies, everything else. */
static int rank_of(const thud_record_channel *channel) {
  return channel->state ? 0 : channel->role != NULL && strcmp(channel->role, "ledger") == 0 ? 1 : 2;
}

static bool visit_channel(const observe_names *names, size_t k, visit_fn visit, void *user) {
  const thud_record_channel *channels = names->layout->channels[THUD_RECORD_FRAMES], *channel = &channels[k];
  size_t count = names->layout->count[THUD_RECORD_FRAMES], width = thud_record_component_count(channel);
  size_t left = channel->left != NULL ? thud_report_find_name(count, channels, channel->left) : SIZE_MAX;
  bool series = is_series(channel), impulse = channel->look == THUD_LOOK_IMPULSE;
  if (!is_numbers(channel) || (names->series && !series)) return false;
  for (size_t i = 0; i < width; i++) {
    observe_input input = {.channel = k, .component = i, .width = width, .series = series};
    const char *name = component_name(channel, i);
    if (name != NULL && visit(user, channel->name, name, &input, rank_of(channel))) return true;
    bool force = channel->role != NULL && strncmp(channel->role, "reaction", 8) == 0;
    input.per_step = impulse;
    if (name != NULL && force && (!impulse || names->step != SIZE_MAX) && visit(user, "force", name, &input, 2))
      return true;
    input.per_step = false;
    input.slope = true;
    const char *rate = series && left != SIZE_MAX ? component_name(&channels[left], i) : NULL;
    if (rate != NULL && visit(user, channel->left, rate, &input, rank_of(channel))) return true;
  }
  return false;
}

/* Every number of the rows but their time. */
static void visit_all(const observe_names *names, visit_fn visit, void *user) {
  bool enough = false;
  for (size_t k = 1; k < names->layout->count[THUD_RECORD_FRAMES] && !enough; k++)
    enough = visit_channel(names, k, visit, user);
}

typedef struct search {
  const char *name; /* wanted */
  size_t found;     /* with the best rank */
  int rank;
  observe_input input;
  const char *owner[2]; /* of the first ones */
} search;

static bool is_full_name(const char *owner, const char *name, const char *wanted) {
  size_t length = strlen(owner);
  return strncmp(owner, wanted, length) == 0 && wanted[length] == '.' && strcmp(name, wanted + length + 1) == 0;
}

static bool look_for(void *user, const char *owner, const char *name, const observe_input *input, int rank) {
  search *s = user;
  bool full = is_full_name(owner, name, s->name);
  if (!full && (strcmp(name, s->name) != 0 || strcmp(owner, "force") == 0)) return false;
  if (full) rank = -1;
  if (rank < s->rank) {
    *s = (search){.name = s->name, .found = 1, .rank = rank, .input = *input, .owner = {owner}};
  } else if (rank == s->rank) {
    if (s->found == 1) s->owner[1] = owner;
    s->found++;
  }
  return full;
}

/* ---- names of expressions ---------------------------------------------------------------------------------------------- */

typedef struct candidates {
  const char **names;
  size_t count, capacity;
  thud_context *context;
  thud_error error;
} candidates;

static bool collect(void *user, const char *owner, const char *name, const observe_input *input, int rank) {
  candidates *c = user;
  (void)owner, (void)input, (void)rank;
  if (c->error == THUD_OK)
    c->error = thud_array_reserve(c->context, &c->names, &c->capacity, c->count + 1, sizeof *c->names);
  if (c->error == THUD_OK) c->names[c->count++] = name;
  return c->error != THUD_OK;
}

static thud_error fail_unknown(const observe_names *names, const thud_node *node, size_t column, const char *name) {
  candidates all = {.context = names->context};
  for (size_t k = 0; k < names->scope->count; k++) (void)collect(&all, NULL, names->scope->names[k].text, NULL, 0);
  visit_all(names, collect, &all);
  const char *near = all.error == THUD_OK ? thud_suggest(name, all.names, all.count) : NULL;
  thud_error error = all.error;
  if (error == THUD_OK) {
    error = thud_fail(names->context, THUD_ERROR_NOT_FOUND,
                      "[unknown-symbol] column %zu: the rows of this motion have no '%s'%s%s%s%s", column, name,
                      near != NULL ? " (did you mean '" : "", near != NULL ? near : "", near != NULL ? "'?)" : "",
                      names->series ? "; of event-driven motions coordinates, velocities and forces can be observed: "
                                      "write energies with them"
                                    : "");
    error = thud_node_fail_within_at(node, (thud_index)column, error);
  }
  thud_free(names->context, all.names);
  return error;
}

static thud_error add_input(observe_names *names, const char *name, const observe_input *input) {
  thud_error error =
      thud_array_reserve(names->context, &names->inputs, &names->capacity, names->count + 1, sizeof *names->inputs);
  observe_input *made = error == THUD_OK ? &names->inputs[names->count] : NULL;
  if (made == NULL) return error;
  *made = *input;
  error = thud_expr_scope_add_variable(names->scope, name, &made->slot);
  if (error == THUD_OK) names->count++;
  return error;
}

static thud_error resolve_name(observe_names *names, const thud_node *node, size_t column, const char *name) {
  search s = {.name = name, .rank = 3};
  visit_all(names, look_for, &s);
  if (s.found == 0) return fail_unknown(names, node, column, name);
  if (s.found > 1) {
    thud_error error = thud_fail(names->context, THUD_ERROR_NOT_FOUND,
                                 "[unknown-symbol] column %zu: '%s' may be several numbers: write %s.%s or %s.%s",
                                 column, name, s.owner[0], name, s.owner[1], name);
    return thud_node_fail_within_at(node, (thud_index)column, error);
  }
  thud_error error = add_input(names, name, &s.input);
  return error == THUD_OK || error == THUD_ERROR_MEMORY ? error : thud_node_fail_within(node, error);
}

/* The next name of an expression: its length, 0: no more. Exponents of numbers are none. */
static size_t next_name(const char **text) {
  const char *c = *text;
  while (*c != '\0' && !thud_expr_starts_name(*c)) {
    bool number = (*c >= '0' && *c <= '9') || *c == '.';
    c++;
    while (number && (thud_expr_continues_name(*c) || *c == '.')) c++;
  }
  size_t n = 0;
  while (thud_expr_continues_name(c[n]) || (n > 0 && c[n] == '.' && thud_expr_starts_name(c[n + 1]))) n++;
  while (n > 0 && c[n] == '\'') n++;
  *text = c;
  return n;
}

/* Names within named expressions of the scene are those of the rows, too; the error is where they are used. */
static thud_error resolve_text(observe_names *names, const thud_node *node, const char *text, size_t column,
                               int depth) {
  char word[MOST_NAME + 1];
  thud_error error = THUD_OK;
  double constant;
  const char *at = text;
  for (size_t n; error == THUD_OK && (n = next_name(&at)) > 0; at += n) {
    size_t here = depth == 0 ? (size_t)(at - text) + 1 : column;
    const expr_name *known = thud_expr_scope_find(names->scope, at, n);
    if (known != NULL && known->kind == EXPR_NAME_EXPRESSION && depth < MOST_DEPTH && names->budget > 0 &&
        names->budget--)
      error = resolve_text(names, node, known->source, here, depth + 1);
    if (known != NULL || thud_expr_find_call(at, n) != EXPR_OP_COUNT || thud_expr_find_constant(at, n, &constant))
      continue;
    if (n > MOST_NAME) return thud_node_fail(node, THUD_ERROR_SCHEMA, "[unknown-symbol] a name of %zu characters", n);
    memcpy(word, at, n);
    word[n] = '\0';
    error = resolve_name(names, node, here, word);
  }
  return error;
}

thud_error thud_observe_resolve(observe_names *names, const thud_node *node, const char *text) {
  names->budget = MOST_DEFINITIONS;
  return resolve_text(names, node, text, 1, 0);
}

/* ---- expressions ------------------------------------------------------------------------------------------------------- */

static const char *keep(observe_reader *r, const char *text) {
  char *copy = thud_arena_alloc(r->observe->arena, strlen(text) + 1, 1);
  if (copy != NULL) memcpy(copy, text, strlen(text) + 1);
  return copy;
}

/* A number or a text, as a text. */
static thud_error read_text(observe_reader *r, const thud_node *node, const char **text) {
  char digits[40];
  const char *found = digits;
  thud_error error = THUD_OK;
  if (thud_node_get_kind(node) == THUD_NODE_NUMBER)
    snprintf(digits, sizeof digits, "%.17g", thud_node_number(node));
  else
    error = thud_node_read_string(node, &found);
  if (error != THUD_OK) return error;
  *text = keep(r, found);
  return *text != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

/* One more output of the program. */
static thud_error add_text(observe_reader *r, const thud_node *node, const char *text, size_t *output) {
  thud_error error = thud_observe_resolve(&r->observe->names, node, text);
  if (error != THUD_OK) return error;
  r->texts[r->text_count] = text;
  r->nodes[r->text_count] = node;
  *output = r->text_count++;
  return THUD_OK;
}

static bool has_comparison(observe_names *names, const char *text, int depth) {
  if (strpbrk(text, "<>!=") != NULL) return true;
  const char *at = text;
  for (size_t n; (n = next_name(&at)) > 0; at += n) {
    const expr_name *known = thud_expr_scope_find(names->scope, at, n);
    if (known != NULL && known->kind == EXPR_NAME_EXPRESSION && depth < MOST_DEPTH && names->budget > 0 &&
        names->budget-- && has_comparison(names, known->source, depth + 1))
      return true;
  }
  return false;
}

static thud_error add_condition(observe_reader *r, const thud_node *node, size_t entry, size_t *number) {
  scene_observe *observe = r->observe;
  observe_condition made = {.entry = entry, .data = SIZE_MAX, .after = SIZE_MAX};
  thud_error error = read_text(r, node, &made.text);
  if (error == THUD_OK && strstr(made.text, "==") != NULL)
    error =
        thud_node_fail(node, THUD_ERROR_SCHEMA,
                       "[bad-condition] equality holds at no node: write the difference of both sides, which is met "
                       "where its sign changes");
  if (error == THUD_OK) error = add_text(r, node, made.text, &made.output);
  if (error != THUD_OK) return error;
  observe->names.budget = MOST_DEFINITIONS;
  made.crosses = !has_comparison(&observe->names, made.text, 0);
  *number = observe->condition_count;
  observe->conditions[observe->condition_count++] = made;
  return THUD_OK;
}

/* ---- entries of `observe` ------------------------------------------------------------------------------------------------ */

static bool is_taken(void *user, const char *owner, const char *name, const observe_input *input, int rank) {
  search *s = user;
  (void)input, (void)rank;
  s->found += strcmp(owner, s->name) == 0 || strcmp(name, s->name) == 0;
  return s->found > 0;
}

static thud_error check_name(observe_reader *r, const thud_node *node, const char *name) {
  search s = {.name = name};
  observe_names *names = &r->observe->names;
  const char *rest = name;
  bool plain = name[0] != '\0' && next_name(&rest) == strlen(name) && rest == name && strpbrk(name, ".'") == NULL;
  double constant;
  if (!plain || strlen(name) > THUD_RECORD_NAME_LENGTH)
    return thud_node_fail(
        node, THUD_ERROR_SCHEMA,
        "[bad-name] '%.60s' cannot be observed under this name: letters a-z, A-Z, digits and _, a letter "
        "first, at most %d",
        name, THUD_RECORD_NAME_LENGTH);
  visit_all(names, is_taken, &s);
  const thud_record_channel *channels = names->layout->channels[THUD_RECORD_FRAMES];
  bool channel =
      thud_report_find_name(names->layout->count[THUD_RECORD_FRAMES], channels, name) != SIZE_MAX || s.found > 0;
  bool known = thud_expr_scope_find(names->scope, name, strlen(name)) != NULL ||
               thud_expr_find_call(name, strlen(name)) != EXPR_OP_COUNT ||
               thud_expr_find_constant(name, strlen(name), &constant);
  if (!channel && !known) return THUD_OK;
  return thud_node_fail(node, THUD_ERROR_SCHEMA,
                        "[observe-clash] '%s' is the name of %s already: observe it under another one", name,
                        channel ? "a number of the rows" : "a parameter, a definition or a function");
}

static thud_error add_variables(observe_reader *r, observe_entry *entry) {
  thud_error error = THUD_OK;
  entry->value = r->observe->value_count;
  r->observe->value_count += entry->width;
  for (size_t i = 0; i < entry->width && error == THUD_OK; i++) {
    thud_index slot;
    error = thud_expr_scope_add_variable(r->observe->names.scope,
                                         entry->components != NULL ? entry->components[i] : entry->name, &slot);
    if (i == 0 && error == THUD_OK) entry->slot = (size_t)slot;
  }
  return error;
}

/* The unit of an expression that is a single name is that of the name. */
static const char *unit_of(const observe_names *names, const char *text) {
  thud_index slot = thud_expr_scope_find_variable(names->scope, text);
  for (size_t k = 0; slot > 0 && k < names->count; k++)
    if (names->inputs[k].slot == slot && !names->inputs[k].slope && !names->inputs[k].per_step)
      return names->layout->channels[THUD_RECORD_FRAMES][names->inputs[k].channel].unit;
  return "";
}

static thud_error read_expression(observe_reader *r, const thud_node *node, observe_entry *entry) {
  const char *text = NULL;
  entry->form = OBSERVE_VALUE;
  entry->width = 1;
  entry->slot = SIZE_MAX;
  thud_error error = read_text(r, node, &text);
  if (error == THUD_OK) error = add_text(r, node, text, &entry->output);
  if (error != THUD_OK) return error;
  entry->unit = unit_of(&r->observe->names, text);
  entry->value = r->observe->value_count++;
  error = thud_expr_scope_add_expression(r->observe->names.scope, entry->name, text);
  return error == THUD_OK || error == THUD_ERROR_MEMORY ? error : thud_node_fail_within(node, error);
}

static const char *time_unit(const observe_reader *r) {
  const char *unit = r->observe->names.layout->channels[THUD_RECORD_FRAMES][0].unit;
  return unit != NULL ? unit : "";
}

static thud_error read_first(observe_reader *r, const thud_node *node, observe_entry *entry) {
  entry->form = OBSERVE_FIRST;
  entry->width = 1;
  entry->unit = time_unit(r);
  thud_error error = add_condition(r, node, SIZE_MAX, &entry->condition);
  return error == THUD_OK ? add_variables(r, entry) : error;
}

/* A number by the name that rows have for it, whatever signs are in it. */
static thud_error read_component(observe_reader *r, const thud_node *node, observe_entry *entry) {
  char hidden[64];
  const char *name = NULL;
  observe_names *names = &r->observe->names;
  thud_error error = thud_node_read_string(node, &name);
  if (error != THUD_OK) return error;
  search s = {.name = name, .rank = 3};
  visit_all(names, look_for, &s);
  if (s.found != 1) return fail_unknown(names, node, 1, name);
  snprintf(hidden, sizeof hidden, "observed_%zu_", names->count);
  error = add_input(names, hidden, &s.input);
  entry->form = OBSERVE_VALUE;
  entry->width = 1;
  entry->slot = SIZE_MAX;
  entry->value = r->observe->value_count++;
  const char *text = error == THUD_OK ? keep(r, hidden) : NULL;
  if (text == NULL) return error != THUD_OK ? error : THUD_ERROR_MEMORY;
  entry->unit = unit_of(names, text);
  error = add_text(r, node, text, &entry->output);
  return error == THUD_OK ? thud_expr_scope_add_expression(names->scope, entry->name, text) : error;
}

/* Reads who touches: a list of as many names as a contact of this kind of motion has, or the only one. */
static thud_error read_touching(observe_reader *r, const thud_node *node, const thud_record_channel *labels,
                                size_t *found) {
  size_t wanted = r->observe->names.contacts->names;
  bool list = thud_node_get_kind(node) == THUD_NODE_SEQUENCE;
  if ((list ? thud_node_count(node) : 1) != wanted)
    return thud_node_fail(node, THUD_ERROR_SCHEMA, "[wrong-count] a contact here is that of %s",
                          wanted == 2 ? "two bodies: [a, b]" : "one constraint: its name");
  for (size_t k = 0; k < wanted; k++) {
    const thud_node *item = list ? thud_node_item(node, k) : node;
    const char *name = NULL;
    thud_error error = thud_node_read_string(item, &name);
    if (error != THUD_OK) return error;
    for (found[k] = 0; found[k] < labels->label_count && strcmp(labels->labels[found[k]], name) != 0;) found[k]++;
    if (found[k] < labels->label_count) continue;
    const char *near = thud_suggest(name, labels->labels, labels->label_count);
    return thud_node_fail(item, THUD_ERROR_SCHEMA, "[unknown-name] there is no '%s'%s%s%s", name,
                          near != NULL ? "; did you mean '" : "", near != NULL ? near : "", near != NULL ? "'?" : "");
  }
  return THUD_OK;
}

static const thud_record_channel *find_channel(const observe_names *names, thud_record_table table, const char *name) {
  size_t count = names->layout->count[table];
  size_t k = name != NULL ? thud_report_find_name(count, names->layout->channels[table], name) : SIZE_MAX;
  return k != SIZE_MAX ? &names->layout->channels[table][k] : NULL;
}

static thud_error read_contact(observe_reader *r, const thud_node *node, observe_entry *entry) {
  const thud_kind_contacts *contacts = r->observe->names.contacts;
  const thud_record_channel *labels =
      contacts != NULL ? find_channel(&r->observe->names, THUD_RECORD_EVENTS, contacts->events) : NULL;
  if (labels == NULL)
    return thud_node_fail(node, THUD_ERROR_SCHEMA, "[unknown-name] motions of the kind '%s' tell of no contacts",
                          r->scene->kind->name);
  entry->form = OBSERVE_CONTACT;
  entry->width = 1;
  entry->unit = time_unit(r);
  thud_error error = read_touching(r, node, labels, entry->labels);
  return error == THUD_OK ? add_variables(r, entry) : error;
}

static thud_error read_contact_force(observe_reader *r, const thud_node *node, observe_entry *entry) {
  static const char *const suffix[] = {"x", "y", "z"};
  observe_names *names = &r->observe->names;
  const thud_kind_contacts *contacts = names->contacts;
  const thud_record_channel *impulse =
      contacts != NULL ? find_channel(names, THUD_RECORD_FRAMES, contacts->impulse) : NULL;
  if (impulse == NULL)
    return thud_node_fail(
        node, THUD_ERROR_SCHEMA,
        "[unknown-name] motions of the kind '%s' have no contacts of bodies; of a system write the name "
        "of the force, as in 'force.floor'",
        r->scene->kind->name);
  if (!contacts->complete(r->scene->motion))
    return thud_node_fail(node, THUD_ERROR_SCHEMA,
                          "[contradictory-keys] forces of contacts are known where every row has its contacts: write "
                          "record: {contacts: true}");
  entry->form = OBSERVE_CONTACT_FORCE;
  entry->width = impulse->group;
  entry->components = thud_arena_alloc(r->observe->arena, entry->width, sizeof *entry->components);
  if (entry->components == NULL) return THUD_ERROR_MEMORY;
  for (size_t i = 0; i < entry->width; i++) {
    size_t room = strlen(entry->name) + 3;
    char *name = thud_arena_alloc(r->observe->arena, room, 1);
    if (name == NULL) return THUD_ERROR_MEMORY;
    snprintf(name, room, "%s.%s", entry->name, suffix[i < 3 ? i : 2]);
    entry->components[i] = name;
  }
  entry->unit = impulse->unit != NULL && strcmp(impulse->unit, "N s") == 0 ? "N" : "";
  thud_error error = read_touching(r, node, find_channel(names, THUD_RECORD_FRAMES, contacts->second), entry->labels);
  return error == THUD_OK ? add_variables(r, entry) : error;
}

/* Between the centres of mass: the numbers NAME.x, NAME.y, NAME.z of both. */
static thud_error read_distance(observe_reader *r, const thud_node *node, observe_entry *entry) {
  static const char *const suffix[] = {"x", "y", "z"};
  observe_names *names = &r->observe->names;
  char sum[512] = "";
  const char *body[2] = {NULL, NULL};
  size_t used = 0, found = 0;
  thud_error error = thud_node_expect(node, THUD_NODE_SEQUENCE);
  if (error == THUD_OK && thud_node_count(node) != 2)
    error = thud_node_fail(node, THUD_ERROR_SCHEMA, "[wrong-count] a distance is that of two bodies: [a, b]");
  for (size_t k = 0; k < 2 && error == THUD_OK; k++) error = thud_node_read_string(thud_node_item(node, k), &body[k]);
  for (size_t i = 0; i < 3 && error == THUD_OK; i++) {
    char hidden[2][48];
    for (size_t k = 0; k < 2 && error == THUD_OK; k++) {
      char name[MOST_NAME + 1];
      snprintf(name, sizeof name, "%.190s.%s", body[k], suffix[i]);
      search s = {.name = name, .rank = 3};
      visit_all(names, look_for, &s);
      snprintf(hidden[k], sizeof hidden[k], "observed_%zu_", names->count);
      if (s.found != 1 && i < 2) return fail_unknown(names, thud_node_item(node, k), 1, name);
      if (s.found != 1) break;
      error = add_input(names, hidden[k], &s.input);
      found++;
    }
    if (found == 2 * (i + 1))
      used += (size_t)snprintf(sum + used, sizeof sum - used, "%s(%s - %s)^2", i > 0 ? " + " : "sqrt(", hidden[0],
                               hidden[1]);
  }
  if (error != THUD_OK) return error;
  snprintf(sum + used, sizeof sum - used, ")");
  const char *text = keep(r, sum);
  if (text == NULL) return THUD_ERROR_MEMORY;
  entry->form = OBSERVE_VALUE;
  entry->width = 1;
  entry->slot = SIZE_MAX;
  entry->unit = names->layout->channels[THUD_RECORD_FRAMES][names->inputs[names->count - 1].channel].unit;
  entry->value = r->observe->value_count++;
  error = add_text(r, node, text, &entry->output);
  return error == THUD_OK ? thud_expr_scope_add_expression(names->scope, entry->name, text) : error;
}

typedef struct entry_rule {
  const char *key;
  thud_error (*read)(observe_reader *r, const thud_node *node, observe_entry *entry);
} entry_rule;

static const entry_rule rules[] = {{"value", read_expression},      {"component", read_component},
                                   {"distance", read_distance},     {"first", read_first},
                                   {"first_contact", read_contact}, {"contact_force", read_contact_force}};
enum { RULES = sizeof rules / sizeof *rules };

static thud_error read_map(observe_reader *r, const thud_node *map, observe_entry *entry) {
  const char *keys[RULES + 1] = {"unit"};
  const entry_rule *rule = NULL;
  for (size_t k = 0; k < RULES; k++) keys[k + 1] = rules[k].key;
  thud_error error = thud_node_check_keys(map, keys, RULES + 1);
  for (size_t k = 0; k < RULES && error == THUD_OK; k++) {
    if (thud_node_find(map, rules[k].key) == NULL) continue;
    if (rule != NULL)
      error =
          thud_node_fail(map, THUD_ERROR_SCHEMA, "[contradictory-keys] one of '%s' and '%s' is observed under a name",
                         rule->key, rules[k].key);
    rule = &rules[k];
  }
  if (error == THUD_OK && rule == NULL)
    error = thud_node_fail(
        map, THUD_ERROR_SCHEMA,
        "[missing-key] one of value, component, distance, first, first_contact, contact_force is needed");
  if (error == THUD_OK) error = rule->read(r, thud_node_find(map, rule->key), entry);
  const thud_node *unit = thud_node_find(map, "unit");
  return error == THUD_OK && unit != NULL ? read_text(r, unit, &entry->unit) : error;
}

static thud_error read_entry(observe_reader *r, const char *name, const thud_node *node) {
  scene_observe *observe = r->observe;
  observe_entry *entry = &observe->entries[observe->count];
  thud_error error = check_name(r, node, name);
  *entry = (observe_entry){.unit = "", .name = keep(r, name)};
  if (error == THUD_OK && entry->name == NULL) error = THUD_ERROR_MEMORY;
  if (error == THUD_OK)
    error = thud_node_get_kind(node) == THUD_NODE_MAP ? read_map(r, node, entry) : read_expression(r, node, entry);
  if (error == THUD_OK) observe->count++;
  return error;
}

/* ---- the layout of the extended rows ------------------------------------------------------------------------------------- */

/* Values along arcs are a series, as the arcs are; times are single numbers. */
static thud_record_channel channel_of(const observe_reader *r, const observe_entry *entry) {
  bool series = r->observe->names.series && entry->form == OBSERVE_VALUE;
  bool time = entry->form == OBSERVE_FIRST || entry->form == OBSERVE_CONTACT;
  static const char *const what[] = {"observed: value of an expression", "observed: when a condition held first",
                                     "observed: time of the first contact", "observed: force of contacts"};
  return (thud_record_channel){.name = entry->name,
                               .type = THUD_RECORD_REAL,
                               .width = series ? 0 : entry->width,
                               .group = series ? 1 : 0,
                               .components = entry->components,
                               .unit = entry->unit,
                               .role = "observed",
                               .description = what[entry->form],
                               .look = series ? THUD_LOOK_SERIES
                                       : time ? THUD_LOOK_HOLD
                                              : THUD_LOOK_LINE,
                               .state = series || !r->observe->names.series};
}

static thud_error make_layout(observe_reader *r) {
  scene_observe *observe = r->observe;
  const thud_record_layout *of_kind = observe->names.layout;
  size_t own = of_kind->count[THUD_RECORD_FRAMES], count = own + observe->count;
  thud_record_channel *channels = thud_arena_alloc(observe->arena, count, sizeof *channels);
  observe->cells = thud_arena_alloc(observe->arena, count, sizeof *observe->cells);
  if (channels == NULL || observe->cells == NULL) return THUD_ERROR_MEMORY;
  memcpy(channels, of_kind->channels[THUD_RECORD_FRAMES], own * sizeof *channels);
  observe->first_channel = own;
  for (size_t k = 0; k < observe->count; k++) {
    observe->entries[k].channel = own + k;
    channels[own + k] = channel_of(r, &observe->entries[k]);
  }
  observe->layout = *of_kind;
  observe->layout.count[THUD_RECORD_FRAMES] = count;
  observe->layout.channels[THUD_RECORD_FRAMES] = channels;
  return THUD_OK;
}

const thud_record_layout *thud_observe_layout(const thud_scene *scene) {
  return scene->observe != NULL ? &scene->observe->layout : scene->kind->layout(scene->motion);
}

/* ---- the whole ----------------------------------------------------------------------------------------------------------- */

/* Arcs have fewer coefficients than this. */
enum { MOST_DEGREE = 100 };

static thud_error compile(observe_reader *r) {
  scene_observe *observe = r->observe;
  thud_index which = 0;
  thud_expr_place place = {0};
  observe->output_count = r->text_count;
  observe->most_degree = observe->names.series ? MOST_DEGREE : 0;
  if (r->text_count == 0) return THUD_OK;
  thud_error error = thud_expr_program_compile(observe->context, observe->names.scope, (thud_index)r->text_count,
                                               r->texts, &which, &place, &observe->program);
  if (error == THUD_ERROR_MEMORY) return error;
  if (error != THUD_OK) return thud_node_fail_within_at(r->nodes[which], place.column, error);
  return thud_expr_work_create(observe->context, observe->program, observe->most_degree, &observe->work);
}

static thud_error make_arrays(observe_reader *r) {
  scene_observe *o = r->observe;
  size_t variables = (size_t)thud_expr_scope_variable_count(o->names.scope);
  size_t each = o->output_count * ((size_t)o->most_degree + 1);
  o->values = thud_arena_alloc(o->arena, o->value_count + 1, sizeof(double));
  o->outputs = thud_arena_alloc(o->arena, o->output_count + 1, sizeof(double));
  o->variables = thud_arena_alloc(o->arena, variables + 1, sizeof(double));
  o->coefficients = thud_arena_alloc(o->arena, each + 1, sizeof(double));
  o->memory = thud_arena_alloc(o->arena, o->count + o->condition_count + 1, sizeof *o->memory);
  bool made =
      o->values != NULL && o->outputs != NULL && o->variables != NULL && o->coefficients != NULL && o->memory != NULL;
  if (made) thud_observe_begin(o);
  return made ? THUD_OK : THUD_ERROR_MEMORY;
}

static const thud_node *changes_of(const thud_scene *scene, const thud_node *root) {
  const thud_node *list = scene->kind->changes != NULL ? thud_node_find(root, scene->kind->changes) : NULL;
  return list != NULL && thud_node_get_kind(list) == THUD_NODE_SEQUENCE ? list : NULL;
}

static size_t count_whens(const thud_node *list) {
  size_t count = 0;
  for (size_t k = 0; list != NULL && k < thud_node_count(list); k++) {
    const thud_node *entry = thud_node_item(list, k);
    count += thud_node_get_kind(entry) == THUD_NODE_MAP && thud_node_find(entry, "when") != NULL;
  }
  return count;
}

static thud_error read_whens(observe_reader *r, const thud_node *list) {
  thud_error error = THUD_OK;
  for (size_t k = 0; list != NULL && k < thud_node_count(list) && error == THUD_OK; k++) {
    const thud_node *entry = thud_node_item(list, k);
    const thud_node *when = thud_node_get_kind(entry) == THUD_NODE_MAP ? thud_node_find(entry, "when") : NULL;
    size_t number;
    if (when != NULL) error = add_condition(r, when, k, &number);
  }
  return error;
}

static size_t count_switches(const thud_scene *scene) {
  size_t count = 0;
  for (size_t k = 0; k < scene->data_count; k++) count += scene->data[k].conditional ? scene->data[k].break_count : 0;
  return count;
}

/* The conditions of one entry of `data` come one after the other. */
static thud_error read_switches(observe_reader *r, const thud_node *root) {
  const thud_node *map = thud_node_find(root, "data");
  thud_error error = THUD_OK;
  for (size_t k = 0; k < r->scene->data_count; k++) {
    const thud_node *list = r->scene->data[k].conditional ? thud_node_find(thud_node_item(map, k), "when") : NULL;
    size_t before = SIZE_MAX, number = SIZE_MAX;
    for (size_t i = 0; list != NULL && i < thud_node_count(list) && error == THUD_OK; i++, before = number) {
      error = add_condition(r, thud_node_item(list, i), SIZE_MAX, &number);
      if (error != THUD_OK) return error;
      observe_condition *made = &r->observe->conditions[number];
      made->data = k, made->piece = i, made->after = before;
    }
  }
  return error;
}

static thud_error open_names(observe_reader *r) {
  observe_names *names = &r->observe->names;
  *names = (observe_names){.context = r->scene->context,
                           .layout = r->scene->kind->layout(r->scene->motion),
                           .contacts = r->scene->kind->contacts,
                           .arena = r->observe->arena};
  size_t count = names->layout->count[THUD_RECORD_FRAMES];
  const thud_record_channel *channels = names->layout->channels[THUD_RECORD_FRAMES];
  names->step = thud_report_find_role(count, channels, "step");
  for (size_t k = 0; k < count; k++) names->series = names->series || (channels[k].state && is_series(&channels[k]));
  return thud_expr_scope_copy(r->scene->scope, "t", &names->scope);
}

static thud_error read_all(observe_reader *r, const thud_node *root) {
  const thud_node *map = thud_node_find(root, "observe"), *until = thud_node_find(root, "until");
  const thud_node *list = changes_of(r->scene, root);
  size_t entries = map != NULL ? thud_node_count(map) : 0,
         conditions = entries + 1 + count_whens(list) + count_switches(r->scene);
  scene_observe *observe = r->observe;
  observe->until = SIZE_MAX;
  thud_error error = map != NULL ? thud_node_expect(map, THUD_NODE_MAP) : THUD_OK;
  if (error == THUD_OK) error = thud_arena_create(r->scene->context, 4096, &observe->arena);
  if (error == THUD_OK) error = open_names(r);
  if (error != THUD_OK) return error;
  observe->entries = thud_arena_alloc(observe->arena, entries + 1, sizeof *observe->entries);
  observe->conditions = thud_arena_alloc(observe->arena, conditions, sizeof *observe->conditions);
  r->texts = thud_arena_alloc(observe->arena, entries + conditions, sizeof *r->texts);
  r->nodes = thud_arena_alloc(observe->arena, entries + conditions, sizeof *r->nodes);
  if (observe->entries == NULL || observe->conditions == NULL || r->texts == NULL || r->nodes == NULL)
    return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < entries && error == THUD_OK; k++)
    error = read_entry(r, thud_node_key(map, k), thud_node_item(map, k));
  if (error == THUD_OK && until != NULL) error = add_condition(r, until, SIZE_MAX, &observe->until);
  if (error == THUD_OK) error = read_whens(r, list);
  if (error == THUD_OK) error = read_switches(r, root);
  if (error == THUD_OK) error = compile(r);
  if (error == THUD_OK) error = make_layout(r);
  return error == THUD_OK ? make_arrays(r) : error;
}

thud_error thud_observe_build(thud_scene *scene, const thud_node *root) {
  bool asked = thud_node_find(root, "observe") != NULL || thud_node_find(root, "until") != NULL ||
               count_whens(changes_of(scene, root)) > 0 || count_switches(scene) > 0;
  if (!asked) return THUD_OK;
  thud_error error = thud_run_check_layout(scene->context, scene->kind, scene->kind->layout(scene->motion));
  if (error != THUD_OK) return error;
  scene->observe = THUD_NEW(scene->context, scene_observe);
  if (scene->observe == NULL) return THUD_ERROR_MEMORY;
  scene->observe->context = scene->context;
  scene->observe->scene = scene;
  observe_reader reader = {.scene = scene, .observe = scene->observe};
  return read_all(&reader, root);
}

void thud_observe_destroy(scene_observe *observe) {
  if (observe == NULL) return;
  thud_expr_work_destroy(observe->work);
  thud_expr_program_destroy(observe->program);
  thud_expr_scope_destroy(observe->names.scope);
  thud_free(observe->context, observe->names.inputs);
  thud_arena_destroy(observe->arena);
  thud_free(observe->context, observe);
}
