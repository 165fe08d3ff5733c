/* What a scene observes, row by row: expressions over the numbers of the rows are evaluated again by the checker, first times are
 * looked for anew, forces of contacts are added up. The condition of `until` holds at the last row and at none before. */
#include "verify/verify_observe.h"
#include "base/base.h"
#include "base/json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Sums of a few terms; series of arcs are as exact as the arcs. */
static const double SAME = 1e-12, SAME_SERIES = 1e-7;
enum { MOST_DEFINITIONS = 10000, MOST_NAMES = 400, NAME_ROOM = 200, MOST_VECTOR = 3, DEPTH = 32, PLACES = 5 };

/* ---- numbers of a row ------------------------------------------------------------------------------------------------ */

typedef struct seen_number {
  size_t channel, component;
  bool slope, force;
  thud_index slot;
} seen_number;

typedef struct seen_entry {
  const char *name;
  const thud_node *node; /* of the form */
  const char *form;
  thud_expr *expr;
  thud_index slot; /* of its first number */
  size_t channel, width;
  double crossing; /* sign of a `first` without a comparison */
  bool compares;
  double time;                   /* of first and first_contact */
  double largest;                /* of what was recorded, for the tolerance */
  double a, b;                   /* numbers of who touches */
  size_t number[2][MOST_VECTOR]; /* distance: numbers of both bodies; component: the first */
  size_t numbers;                /* of each */
} seen_entry;

typedef struct seen_condition {
  thud_expr *expr;
  bool compares;
  double sign, time;
  size_t row;
  size_t data, piece; /* of `data`: the break that it brings; SIZE_MAX: none */
} seen_condition;

typedef struct seen_scene {
  verify_record *record;
  thud_context *context;
  thud_record_reader *reader;
  verify_scene scene; /* its own */
  bool series;
  size_t channels, step, end;
  thud_record_cell *cells; /* [channels] of the row */
  bool *used;              /* [channels] */
  size_t number_count;
  seen_number numbers[MOST_NAMES];
  size_t count, condition_count;
  seen_entry *entries;
  seen_condition *conditions; /* until, then one per entry of `changes`, then those of `data` */
  size_t change_count;
  double *variables;
  size_t budget; /* of definitions that are still looked through */
} seen_scene;

static const thud_record_channel *channel_at(const seen_scene *s, size_t k) {
  return thud_record_reader_channel(s->reader, THUD_RECORD_FRAMES, k);
}

static size_t width_of(const thud_record_channel *channel) {
  return channel->width > 0 ? channel->width : channel->group;
}

/* Value at `ds` after the row's time. */
static double number_at(const seen_scene *s, const seen_number *number, double ds) {
  const thud_record_channel *channel = channel_at(s, number->channel);
  const thud_record_cell *cell = &s->cells[number->channel];
  size_t width = width_of(channel), terms = width > 0 ? cell->count / width : 0;
  if (channel->look != THUD_LOOK_SERIES) {
    double value = number->component < cell->count ? cell->values[number->component] : (double)NAN;
    if (!number->force) return value;
    double step = s->step != SIZE_MAX && s->cells[s->step].count == 1 ? s->cells[s->step].values[0] : 0;
    return step > 0 ? value / step : 0;
  }
  double sum = 0, power = 1;
  for (size_t k = number->slope ? 1 : 0; k < terms; k++, power *= ds)
    sum += power * cell->values[k * width + number->component] * (number->slope ? (double)k : 1);
  return terms > 0 ? sum : (double)NAN;
}

/* ---- names ------------------------------------------------------------------------------------------------------------ */

static bool begins(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool goes_on(char c) { return begins(c) || (c >= '0' && c <= '9'); }

/* The next name from *text on, and its length; 0 at the end. */
static size_t word_of(const char **text) {
  const char *c = *text;
  for (; *c != '\0' && !begins(*c); c++)
    if ((*c >= '0' && *c <= '9') || *c == '.')
      while (goes_on(c[1]) || c[1] == '.') c++;
  *text = c;
  size_t n = 0;
  while (goes_on(c[n]) || (n > 0 && c[n] == '.' && begins(c[n + 1]))) n++;
  while (n > 0 && c[n] == '\'') n++;
  return n;
}

static const char *label(const thud_record_channel *channel, size_t i) {
  return width_of(channel) == 1 && strcmp(channel->components[0], channel->name) == 0 ? channel->name
                                                                                      : channel->components[i];
}

/* "CHANNEL.NAME", or the name alone. */
static bool fits(const char *owner, const char *name, const char *word, bool *full) {
  size_t n = strlen(owner);
  *full = strncmp(word, owner, n) == 0 && word[n] == '.' && strcmp(word + n + 1, name) == 0;
  return *full || strcmp(name, word) == 0;
}

/* The best of those with the name: with its channel in front, of the state, energies, others. */
static bool find_number(const seen_scene *s, const char *word, seen_number *found) {
  int best = 4;
  for (size_t k = 1; k < s->channels; k++) {
    const thud_record_channel *channel = channel_at(s, k), *left = NULL;
    bool series = channel->look == THUD_LOOK_SERIES, full = false;
    size_t other;
    if (strcmp(channel->role, "observed") == 0 || channel->type == THUD_RECORD_TEXT || (s->series && !series)) continue;
    if (channel->width == 0 && !series) continue;
    if (channel->left != NULL &&
        thud_record_find_channel(s->reader, THUD_RECORD_FRAMES, channel->left, &other) == THUD_OK)
      left = channel_at(s, other);
    int rank = channel->state ? 1 : strcmp(channel->role, "ledger") == 0 ? 2 : 3;
    for (size_t i = 0; i < width_of(channel); i++) {
      bool reaction = strncmp(channel->role, "reaction", 8) == 0;
      if (fits(channel->name, label(channel, i), word, &full) && (full ? 0 : rank) < best) {
        *found = (seen_number){.channel = k, .component = i};
        best = full ? 0 : rank;
      }
      if (reaction && fits("force", label(channel, i), word, &full) && full && best > 0) {
        *found = (seen_number){.channel = k, .component = i, .force = channel->look == THUD_LOOK_IMPULSE};
        best = 0;
      }
      if (series && left != NULL && i < left->width && fits(left->name, left->components[i], word, &full) &&
          (full ? 0 : rank) < best) {
        *found = (seen_number){.channel = k, .component = i, .slope = true};
        best = full ? 0 : rank;
      }
    }
  }
  return best < 4;
}

static thud_error fail(const seen_scene *s, const thud_node *node, const char *what, const char *name) {
  (void)s;
  return thud_node_fail(node, THUD_ERROR_SCHEMA, "%s '%s'", what, name);
}

static thud_error add_number(seen_scene *s, const thud_node *node, const char *word, bool variable, size_t *place) {
  seen_number found;
  if (s->number_count == MOST_NAMES) return fail(s, node, "too many names, with", word);
  if (!find_number(s, word, &found)) return fail(s, node, "the rows have no", word);
  thud_error error = variable ? thud_expr_scope_add_variable(s->scene.scope, word, &found.slot) : THUD_OK;
  if (!variable) found.slot = -1;
  if (error != THUD_OK) return error;
  s->used[found.channel] = true;
  if (found.force && s->step != SIZE_MAX) s->used[s->step] = true;
  if (place != NULL) *place = s->number_count;
  s->numbers[s->number_count++] = found;
  return THUD_OK;
}

/* A name is known when an expression of it compiles. */
static bool is_known(const seen_scene *s, const char *word) {
  char call[NAME_ROOM + 16];
  thud_expr *expr = NULL;
  static const char *const forms[] = {"%s", "%s(1)", "%s(1, 1)", "%s(1, 1, 1)"};
  for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
    snprintf(call, sizeof call, k == 0 ? "%s" : k == 1 ? "%s(1)" : k == 2 ? "%s(1, 1)" : "%s(1, 1, 1)", word);
    if (thud_expr_compile(s->context, s->scene.scope, call, NULL, &expr) != THUD_OK) continue;
    thud_expr_destroy(expr);
    return true;
  }
  return false;
}

/* Definitions are texts in which names of the rows stand, too. */
static const char *definition_of(const seen_scene *s, const char *word) {
  const thud_node *map = thud_node_find(thud_tree_root(s->record->tree), "definitions");
  const thud_node *node = map != NULL ? thud_node_find(map, word) : NULL;
  return node != NULL && thud_node_get_kind(node) == THUD_NODE_STRING ? thud_node_string(node) : NULL;
}

static thud_error add_names(seen_scene *s, const thud_node *node, const char *text, int depth) {
  char word[NAME_ROOM];
  thud_error error = THUD_OK;
  for (size_t n; error == THUD_OK && (n = word_of(&text)) > 0; text += n) {
    if (n >= NAME_ROOM) return fail(s, node, "a long name in", "observe");
    snprintf(word, sizeof word, "%.*s", (int)n, text);
    const char *definition = depth < DEPTH && s->budget > 0 ? definition_of(s, word) : NULL;
    s->budget -= definition != NULL;
    if (definition != NULL)
      error = add_names(s, node, definition, depth + 1);
    else if (!is_known(s, word))
      error = add_number(s, node, word, true, NULL);
  }
  return error;
}

static bool compares(seen_scene *s, const char *text, int depth) {
  char word[NAME_ROOM];
  if (strpbrk(text, "<>=!") != NULL) return true;
  for (size_t n; (n = word_of(&text)) > 0; text += n) {
    if (n >= NAME_ROOM) continue;
    snprintf(word, sizeof word, "%.*s", (int)n, text);
    const char *definition = depth < DEPTH && s->budget > 0 ? definition_of(s, word) : NULL;
    s->budget -= definition != NULL;
    if (definition != NULL && compares(s, definition, depth + 1)) return true;
  }
  return false;
}

static thud_error compile(seen_scene *s, const thud_node *node, thud_expr **expr, bool *comparison) {
  char digits[40];
  const char *text = digits;
  thud_error error = THUD_OK;
  if (thud_node_get_kind(node) == THUD_NODE_NUMBER)
    snprintf(digits, sizeof digits, "%.17g", thud_node_number(node));
  else
    error = thud_node_read_string(node, &text);
  s->budget = MOST_DEFINITIONS;
  if (error == THUD_OK) error = add_names(s, node, text, 0);
  s->budget = MOST_DEFINITIONS;
  if (comparison != NULL && error == THUD_OK) *comparison = compares(s, text, 0);
  return error == THUD_OK ? thud_expr_compile(s->context, s->scene.scope, text, NULL, expr) : error;
}

/* ---- who touches ------------------------------------------------------------------------------------------------------- */

/* Kinds of events that are contacts, as the checker knows them. */
typedef struct touching {
  const char *kind, *owners, *acting;
  size_t names;
  const char *kinds[4];
} touching;

static const touching table[] = {{"bodies", "bodies", NULL, 2, {"begin", "impact"}},
                                 {"stepping", "constraints", "acting", 1, {"impact"}},
                                 {"event-driven", "constraints", "mode", 1, {"impact", "zeno", "close", "graze"}}};

static const touching *touching_of(const seen_scene *s) {
  for (size_t k = 0; k < sizeof table / sizeof *table; k++)
    if (strcmp(table[k].kind, s->record->info.kind) == 0) return &table[k];
  return NULL;
}

static double number_of(const thud_record_channel *channel, const thud_node *node) {
  for (size_t k = 0; node != NULL && thud_node_get_kind(node) == THUD_NODE_STRING && k < channel->label_count; k++)
    if (strcmp(channel->labels[k], thud_node_string(node)) == 0) return (double)k;
  return NAN;
}

static bool is_contact(const touching *of, const thud_record_channel *kinds, double kind) {
  const char *word = kind >= 0 && kind < (double)kinds->label_count ? kinds->labels[(size_t)kind] : "";
  for (size_t k = 0; k < sizeof of->kinds / sizeof *of->kinds; k++)
    if (of->kinds[k] != NULL && strcmp(of->kinds[k], word) == 0) return true;
  return false;
}

/* The first event that is a contact of those of the entry. */
static thud_error find_contact(seen_scene *s, seen_entry *entry) {
  const touching *of = touching_of(s);
  size_t owners, rows = s->record->info.rows[THUD_RECORD_EVENTS];
  if (of == NULL || thud_record_find_channel(s->reader, THUD_RECORD_EVENTS, of->owners, &owners) != THUD_OK)
    return fail(s, entry->node, "no contacts for", entry->name);
  const thud_record_channel *who = thud_record_reader_channel(s->reader, THUD_RECORD_EVENTS, owners);
  const thud_record_channel *kinds = thud_record_reader_channel(s->reader, THUD_RECORD_EVENTS, 1);
  bool list = thud_node_get_kind(entry->node) == THUD_NODE_SEQUENCE;
  entry->a = number_of(who, list ? thud_node_item(entry->node, 0) : entry->node);
  entry->b = list ? number_of(who, thud_node_item(entry->node, 1)) : entry->a;
  thud_error error = THUD_OK;
  for (size_t row = 0; row < rows && isnan(entry->time) && error == THUD_OK; row++) {
    thud_record_cell t, kind, cell;
    bool first = false, second = false;
    error = thud_record_read_cell(s->reader, THUD_RECORD_EVENTS, 0, row, &t);
    if (error == THUD_OK) error = thud_record_read_cell(s->reader, THUD_RECORD_EVENTS, 1, row, &kind);
    if (error == THUD_OK) error = thud_record_read_cell(s->reader, THUD_RECORD_EVENTS, owners, row, &cell);
    for (size_t k = 0; error == THUD_OK && k < cell.count; k++) {
      first = first || cell.values[k] == entry->a;
      second = second || cell.values[k] == entry->b;
    }
    if (error == THUD_OK && first && second && is_contact(of, kinds, kind.values[0])) entry->time = t.values[0];
  }
  return error;
}

/* ---- the scene ----------------------------------------------------------------------------------------------------------- */

static thud_error read_bodies(seen_scene *s, seen_entry *entry) {
  static const char *const axis[] = {"x", "y", "z"};
  char word[NAME_ROOM + 8];
  seen_number ignored;
  for (size_t k = 0; k < 2; k++) {
    const char *name = NULL;
    thud_error error = thud_node_read_string(thud_node_item(entry->node, k), &name);
    if (error != THUD_OK) return error;
    for (entry->numbers = 0; entry->numbers < 3; entry->numbers++) {
      snprintf(word, sizeof word, "%.190s.%s", name, axis[entry->numbers]);
      if (entry->numbers == 2 && !find_number(s, word, &ignored)) break;
      error = add_number(s, entry->node, word, false, &entry->number[k][entry->numbers]);
      if (error != THUD_OK) return error;
    }
  }
  return THUD_OK;
}

static thud_error read_force(seen_scene *s, seen_entry *entry) {
  static const char *const needed[] = {"contact_a", "contact_b", "contact_impulse", "step"};
  size_t k = 0;
  for (size_t i = 0; i < 4; i++) {
    if (thud_record_find_channel(s->reader, THUD_RECORD_FRAMES, needed[i], &k) != THUD_OK)
      return fail(s, entry->node, "the rows have no", needed[i]);
    entry->number[i / 2][i % 2] = k;
    s->used[k] = true;
  }
  const thud_record_channel *who = channel_at(s, entry->number[0][1]);
  entry->a = number_of(who, thud_node_item(entry->node, 0));
  entry->b = number_of(who, thud_node_item(entry->node, 1));
  return THUD_OK;
}

static thud_error read_form(seen_scene *s, seen_entry *entry) {
  const char *name = NULL;
  if (strcmp(entry->form, "value") == 0) return compile(s, entry->node, &entry->expr, NULL);
  if (strcmp(entry->form, "first") == 0) return compile(s, entry->node, &entry->expr, &entry->compares);
  if (strcmp(entry->form, "distance") == 0) return read_bodies(s, entry);
  if (strcmp(entry->form, "first_contact") == 0) {
    const touching *of = touching_of(s);
    size_t acting;
    if (of != NULL && of->acting != NULL &&
        thud_record_find_channel(s->reader, THUD_RECORD_FRAMES, of->acting, &acting) == THUD_OK)
      s->used[acting] = true;
    return find_contact(s, entry);
  }
  if (strcmp(entry->form, "contact_force") == 0) return read_force(s, entry);
  thud_error error = thud_node_read_string(entry->node, &name);
  return error == THUD_OK ? add_number(s, entry->node, name, false, &entry->number[0][0]) : error;
}

static thud_error add_own_names(seen_scene *s, seen_entry *entry) {
  const thud_record_channel *channel = channel_at(s, entry->channel);
  thud_error error = THUD_OK;
  for (size_t i = 0; i < entry->width && error == THUD_OK; i++) {
    thud_index slot = -1;
    error = thud_expr_scope_add_variable(s->scene.scope, label(channel, i), &slot);
    if (i == 0) entry->slot = slot;
  }
  return error;
}

static thud_error read_entry(seen_scene *s, const char *name, const thud_node *node) {
  static const char *const forms[] = {"value", "component", "distance", "first", "first_contact", "contact_force"};
  seen_entry *entry = &s->entries[s->count];
  *entry = (seen_entry){.name = name, .node = node, .form = "value", .time = NAN, .a = NAN, .b = NAN};
  for (size_t k = 0; thud_node_get_kind(node) == THUD_NODE_MAP && k < sizeof forms / sizeof *forms; k++)
    if (thud_node_find(node, forms[k]) != NULL) entry->form = forms[k], entry->node = thud_node_find(node, forms[k]);
  if (thud_record_find_channel(s->reader, THUD_RECORD_FRAMES, name, &entry->channel) != THUD_OK ||
      strcmp(channel_at(s, entry->channel)->role, "observed") != 0)
    return fail(s, node, "the rows do not have the observed", name);
  entry->width = width_of(channel_at(s, entry->channel));
  if (entry->width > MOST_VECTOR) return fail(s, node, "there are too many numbers of", name);
  s->used[entry->channel] = true;
  s->count++;
  thud_error error = read_form(s, entry);
  return error == THUD_OK ? add_own_names(s, entry) : error;
}

static thud_error read_definitions(seen_scene *s, const thud_node *root) {
  const thud_node *map = thud_node_find(root, "definitions");
  thud_error error = THUD_OK;
  if (map == NULL || thud_node_find(root, "system") == NULL) return THUD_OK; /* the others are there */
  for (size_t k = 0; k < thud_node_count(map) && error == THUD_OK; k++) {
    const thud_node *item = thud_node_item(map, k);
    char digits[40];
    bool number = thud_node_get_kind(item) == THUD_NODE_NUMBER;
    if (number) snprintf(digits, sizeof digits, "%.17g", thud_node_number(item));
    if (number || thud_node_get_kind(item) == THUD_NODE_STRING)
      error = thud_expr_scope_add_expression(s->scene.scope, thud_node_key(map, k),
                                             number ? digits : thud_node_string(item));
  }
  return error;
}

static thud_error read_condition(seen_scene *s, const thud_node *node, size_t k) {
  s->conditions[k] = (seen_condition){.time = NAN, .data = SIZE_MAX};
  return node != NULL ? compile(s, node, &s->conditions[k].expr, &s->conditions[k].compares) : THUD_OK;
}

/* How many conditions `data` have. */
static size_t count_switches(const thud_node *data) {
  size_t count = 0;
  for (size_t k = 0; data != NULL && k < thud_node_count(data); k++) {
    const thud_node *when = thud_node_find(thud_node_item(data, k), "when");
    count += when != NULL ? thud_node_count(when) : 0;
  }
  return count;
}

static thud_error read_switches(seen_scene *s, const thud_node *data) {
  size_t next = 1 + s->change_count;
  thud_error error = THUD_OK;
  for (size_t k = 0; data != NULL && k < thud_node_count(data); k++) {
    const thud_node *when = thud_node_find(thud_node_item(data, k), "when");
    for (size_t i = 0; when != NULL && i < thud_node_count(when) && error == THUD_OK; i++, next++) {
      error = read_condition(s, thud_node_item(when, i), next);
      s->conditions[next].data = k;
      s->conditions[next].piece = i;
    }
  }
  return error;
}

static thud_error read_scene(seen_scene *s, const thud_node *root) {
  const thud_node *map = thud_node_find(root, "observe"), *until = thud_node_find(root, "until");
  const thud_node *list = thud_node_find(root, "changes"), *simulate = thud_node_find(root, "simulate");
  thud_error error = thud_verify_scene_open(&s->scene, root);
  if (error == THUD_OK) error = thud_verify_read_span(&s->scene, simulate);
  if (error == THUD_OK) error = thud_verify_read_data(&s->scene, thud_node_find(root, "data"));
  if (error == THUD_OK) error = read_definitions(s, root);
  for (size_t k = 0; map != NULL && k < thud_node_count(map) && error == THUD_OK; k++)
    error = read_entry(s, thud_node_key(map, k), thud_node_item(map, k));
  for (size_t k = 0; k <= s->change_count && error == THUD_OK; k++)
    error = read_condition(s, k == 0 ? until : thud_node_find(thud_node_item(list, k - 1), "when"), k);
  if (error == THUD_OK) error = read_switches(s, thud_node_find(root, "data"));
  s->variables = THUD_NEW_ARRAY(s->context, double, (size_t)thud_expr_scope_variable_count(s->scene.scope) + 1);
  return error == THUD_OK && s->variables == NULL ? THUD_ERROR_MEMORY : error;
}

/* ---- rows ------------------------------------------------------------------------------------------------------------------ */

static void set_numbers(seen_scene *s, double t, double ds) {
  s->variables[s->scene.time_slot] = t + ds;
  for (size_t k = 0; k < s->number_count; k++)
    if (s->numbers[k].slot >= 0) s->variables[s->numbers[k].slot] = number_at(s, &s->numbers[k], ds);
}

static bool holds(bool comparison, double *sign, double value) {
  if (isnan(value)) return false;
  if (comparison) return value != 0;
  if (*sign == 0) *sign = value > 0 ? 1 : value < 0 ? -1 : 0;
  return *sign * value <= 0 && *sign != 0;
}

static void sum_forces(seen_scene *s, const seen_entry *entry, double *sum) {
  const thud_record_cell *a = &s->cells[entry->number[0][0]], *b = &s->cells[entry->number[0][1]];
  const thud_record_cell *p = &s->cells[entry->number[1][0]], *h = &s->cells[entry->number[1][1]];
  double step = h->count == 1 ? h->values[0] : 0;
  for (size_t k = 0; step > 0 && k < a->count && k < b->count; k++)
    for (size_t i = 0; i < entry->width && k * entry->width + i < p->count; i++) {
      double impulse = p->values[k * entry->width + i];
      if (a->values[k] == entry->a && b->values[k] == entry->b) sum[i] += impulse / step;
      if (a->values[k] == entry->b && b->values[k] == entry->a) sum[i] -= impulse / step;
    }
}

/* A constraint that is closed at a row before any event says so. */
static void look_at_acting(seen_scene *s, seen_entry *entry, double t) {
  const touching *of = touching_of(s);
  size_t k;
  if (of == NULL || of->acting == NULL || entry->time <= t) return;
  if (thud_record_find_channel(s->reader, THUD_RECORD_FRAMES, of->acting, &k) != THUD_OK) return;
  if (entry->a < (double)s->cells[k].count && s->cells[k].values[(size_t)entry->a] != 0) entry->time = t;
}

/* The numbers of an entry `ds` after the row, which later ones may use. */
static void compute(seen_scene *s, seen_entry *entry, double t, double ds, double *value) {
  for (size_t i = 0; i < entry->width; i++) value[i] = 0;
  if (strcmp(entry->form, "value") == 0) value[0] = thud_expr_evaluate(entry->expr, s->variables);
  if (strcmp(entry->form, "component") == 0) value[0] = number_at(s, &s->numbers[entry->number[0][0]], ds);
  if (strcmp(entry->form, "contact_force") == 0) sum_forces(s, entry, value);
  for (size_t i = 0; strcmp(entry->form, "distance") == 0 && i < entry->numbers; i++)
    value[0] = hypot(value[0], number_at(s, &s->numbers[entry->number[0][i]], ds) -
                                   number_at(s, &s->numbers[entry->number[1][i]], ds));
  if (strcmp(entry->form, "first_contact") == 0) look_at_acting(s, entry, t);
  if (strcmp(entry->form, "first") == 0 && isnan(entry->time) &&
      holds(entry->compares, &entry->crossing, thud_expr_evaluate(entry->expr, s->variables)))
    entry->time = t;
  if (strncmp(entry->form, "first", 5) == 0) value[0] = entry->time <= t ? entry->time : (double)NAN;
  for (size_t i = 0; i < entry->width; i++) s->variables[entry->slot + (thud_index)i] = value[i];
}

static void compare(seen_scene *s, seen_entry *entry, size_t row, double t, double ds, const double *value) {
  const thud_record_channel *channel = channel_at(s, entry->channel);
  const thud_record_cell *cell = &s->cells[entry->channel];
  bool series = channel->look == THUD_LOOK_SERIES;
  const seen_number self = {.channel = entry->channel};
  if (series && cell->count == 0) return;
  for (size_t i = 0; i < entry->width; i++) {
    double recorded = series ? number_at(s, &self, ds) : i < cell->count ? cell->values[i] : (double)NAN;
    entry->largest = fmax(entry->largest, fabs(value[i]));
    double size = series ? entry->largest : fabs(value[i]);
    if (isnan(recorded) && isnan(value[i])) continue;
    if (recorded == value[i]) continue;
    if (thud_verify_tally(&s->record->seen.check, fabs(recorded - value[i]), (series ? SAME_SERIES : SAME) * size, 0,
                          t + ds, row))
      thud_verify_explain(&s->record->seen.check, "'%s' of the record is %.17g, the rows give %.17g", entry->name,
                          recorded, value[i]);
  }
}

static void ask_entries(seen_scene *s, size_t row, double t) {
  double end = s->end != SIZE_MAX && s->cells[s->end].count == 1 ? s->cells[s->end].values[0] : t;
  size_t places = s->series && end > t ? PLACES : 1;
  for (size_t k = places; k-- > 0;) { /* the row's own time comes last: conditions are asked there */
    double ds = k > 0 ? (end - t) * (double)k / (PLACES - 1) : 0, value[MOST_VECTOR] = {0};
    set_numbers(s, t, ds);
    for (size_t i = 0; i < s->count; i++) {
      bool timed = strncmp(s->entries[i].form, "first", 5) == 0;
      if (timed && ds > 0) continue;
      compute(s, &s->entries[i], t, ds, value);
      compare(s, &s->entries[i], row, t, ds, value);
    }
  }
}

static void ask_conditions(seen_scene *s, size_t row, double t) {
  for (size_t k = 0; k < s->condition_count; k++) {
    seen_condition *c = &s->conditions[k];
    if (c->expr == NULL || !isnan(c->time)) continue;
    if (c->data != SIZE_MAX && c->piece > 0 && !(s->conditions[k - 1].time < t)) continue; /* one after the other */
    if (!holds(c->compares, &c->sign, thud_expr_evaluate(c->expr, s->variables))) continue;
    c->time = t;
    c->row = row;
  }
}

/* From this row on the data go on with their next piece. */
static void switch_data(seen_scene *s, double t) {
  for (size_t k = 0; k < s->condition_count; k++) {
    const seen_condition *c = &s->conditions[k];
    if (c->data != SIZE_MAX && c->time == t) s->scene.data[c->data].breaks[c->piece] = t;
  }
}

static thud_error read_row(seen_scene *s, size_t row) {
  thud_error error = THUD_OK;
  for (size_t k = 0; k < s->channels && error == THUD_OK; k++)
    if (s->used[k]) error = thud_record_read_cell(s->reader, THUD_RECORD_FRAMES, k, row, &s->cells[k]);
  return error;
}

static thud_error ask_rows(seen_scene *s) {
  size_t rows = s->record->info.rows[THUD_RECORD_FRAMES];
  for (size_t row = 0; row < rows; row++) {
    thud_error error = read_row(s, row);
    if (error != THUD_OK) return error;
    double t = s->cells[0].count == 1 ? s->cells[0].values[0] : (double)NAN;
    ask_entries(s, row, t);
    ask_conditions(s, row, t);
    if (row + 1 < rows) switch_data(s, t);
  }
  return THUD_OK;
}

/* ---- the whole ------------------------------------------------------------------------------------------------------------- */

/* The condition of `until` ends a run at once. */
static void judge_until(seen_scene *s) {
  verify_seen *seen = &s->record->seen;
  const seen_condition *until = &s->conditions[0];
  size_t rows = s->record->info.rows[THUD_RECORD_FRAMES];
  if (until->expr == NULL || isnan(until->time)) return;
  double last = s->cells[0].count == 1 ? s->cells[0].values[0] : (double)NAN;
  seen->ended = until->row + 1 == rows || until->time == last; /* the last row may be there twice */
  if (!seen->ended && strcmp(s->record->info.verdict, "stopped") != 0)
    thud_verify_fail(&seen->check, until->time, until->row,
                     "the condition of 'until' holds here, and the run goes on to t = %.10g", last);
}

static thud_error keep_whens(seen_scene *s) {
  verify_seen *seen = &s->record->seen;
  seen->when_count = s->change_count;
  seen->when = THUD_NEW_ARRAY(s->context, double, seen->when_count + 1);
  if (seen->when == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < seen->when_count; k++) seen->when[k] = s->conditions[k + 1].time;
  return THUD_OK;
}

static thud_error prepare(seen_scene *s, const thud_node *root) {
  const thud_node *map = thud_node_find(root, "observe"), *list = thud_node_find(root, "changes");
  size_t entries = map != NULL ? thud_node_count(map) : 0;
  s->change_count = list != NULL ? thud_node_count(list) : 0;
  s->condition_count = 1 + s->change_count + count_switches(thud_node_find(root, "data"));
  s->channels = s->record->info.channel_count[THUD_RECORD_FRAMES];
  s->cells = THUD_NEW_ARRAY(s->context, thud_record_cell, s->channels + 1);
  s->used = THUD_NEW_ARRAY(s->context, bool, s->channels + 1);
  s->entries = THUD_NEW_ARRAY(s->context, seen_entry, entries + 1);
  s->conditions = THUD_NEW_ARRAY(s->context, seen_condition, s->condition_count);
  if (s->cells == NULL || s->used == NULL || s->entries == NULL || s->conditions == NULL) return THUD_ERROR_MEMORY;
  s->step = s->end = SIZE_MAX;
  if (thud_record_find_role(s->reader, THUD_RECORD_FRAMES, "step", &s->step) != THUD_OK) s->step = SIZE_MAX;
  if (thud_record_find_role(s->reader, THUD_RECORD_FRAMES, "end", &s->end) != THUD_OK) s->end = SIZE_MAX;
  for (size_t k = 0; k < s->channels; k++) {
    const thud_record_channel *channel = channel_at(s, k);
    s->series =
        s->series || (channel->state && channel->look == THUD_LOOK_SERIES && strcmp(channel->role, "observed") != 0);
  }
  s->used[0] = true;
  if (s->end != SIZE_MAX) s->used[s->end] = true;
  return read_scene(s, root);
}

static void release(seen_scene *s) {
  for (size_t k = 0; k < s->count; k++) thud_expr_destroy(s->entries[k].expr);
  for (size_t k = 0; s->conditions != NULL && k < s->condition_count; k++) thud_expr_destroy(s->conditions[k].expr);
  thud_verify_scene_free(&s->scene);
  thud_free(s->context, s->cells);
  thud_free(s->context, s->used);
  thud_free(s->context, s->entries);
  thud_free(s->context, s->conditions);
  thud_free(s->context, s->variables);
}

/* `data` of the scene with the breaks that have come in the place of conditions, for the checks of the motion. */
static thud_error write_breaks(seen_scene *s, const thud_node *root) {
  const thud_node *data = thud_node_find(root, "data");
  thud_error error = THUD_OK;
  for (size_t k = 0; data != NULL && k < thud_node_count(data) && error == THUD_OK; k++) {
    const thud_node *entry = thud_node_item(data, k), *pieces = thud_node_find(entry, "pieces");
    const verify_data *found = &s->scene.data[k];
    char path[THUD_TREE_MAX_KEY + 8];
    size_t come = 0;
    if (thud_node_find(entry, "when") == NULL) continue;
    while (come < found->break_count && isfinite(found->breaks[come])) come++;
    thud_text text = thud_text_new(s->context);
    thud_text_print(&text, "{at_breaks: right, breaks: [");
    for (size_t i = 0; i < come; i++) thud_text_print(&text, "%s%.17g", i > 0 ? ", " : "", found->breaks[i]);
    thud_text_print(&text, "], pieces: [");
    for (size_t i = 0; i <= come; i++) {
      const thud_node *piece = thud_node_item(pieces, i);
      if (thud_node_get_kind(piece) == THUD_NODE_STRING)
        thud_text_print(&text, "%s\"%s\"", i > 0 ? ", " : "", thud_node_string(piece));
      else
        thud_text_print(&text, "%s%.17g", i > 0 ? ", " : "", thud_node_number(piece));
    }
    thud_text_print(&text, "]}");
    snprintf(path, sizeof path, "data.%s", thud_node_key(data, k));
    error = text.error == THUD_OK ? thud_tree_set(s->record->seen.tree, path, thud_text_chars(&text)) : text.error;
    thud_text_free(&text);
  }
  return error;
}

static bool has_whens(const thud_node *root) {
  const thud_node *list = thud_node_find(root, "changes");
  for (size_t k = 0; list != NULL && k < thud_node_count(list); k++) {
    const thud_node *entry = thud_node_item(list, k);
    if (thud_node_get_kind(entry) == THUD_NODE_MAP && thud_node_find(entry, "when") != NULL) return true;
  }
  return false;
}

thud_error thud_verify_observe(verify_record *record, const thud_tree *tree) {
  const thud_node *root = thud_tree_root(tree);
  verify_seen *seen = &record->seen;
  size_t rows = record->info.rows[THUD_RECORD_FRAMES];
  if (thud_node_get_kind(root) != THUD_NODE_MAP) return THUD_OK;
  seen->asked = thud_node_find(root, "observe") != NULL || thud_node_find(root, "until") != NULL || has_whens(root) ||
                count_switches(thud_node_find(root, "data")) > 0;
  if (!seen->asked) return THUD_OK;
  seen->check = thud_verify_check_new("observed");
  seen_scene *s = THUD_NEW(record->context, seen_scene);
  if (s == NULL) return THUD_ERROR_MEMORY;
  s->record = record;
  s->context = s->scene.context = record->context;
  s->reader = record->reader;
  thud_error error = prepare(s, root);
  if (error == THUD_OK) error = ask_rows(s);
  if (error == THUD_OK) judge_until(s);
  if (error == THUD_OK) error = keep_whens(s);
  if (error == THUD_OK) error = thud_tree_copy(record->context, tree, &seen->tree);
  if (error == THUD_OK) error = write_breaks(s, root);
  size_t conditions = 0;
  for (size_t k = 0; error == THUD_OK && k < s->condition_count; k++) conditions += s->conditions[k].expr != NULL;
  if (error == THUD_OK && seen->check.status == THUD_VERIFY_PASSED && seen->check.detail[0] == '\0')
    thud_verify_explain(&seen->check, "%zu quantit%s and %zu condition%s of %zu rows, computed again", s->count,
                        s->count == 1 ? "y" : "ies", conditions, thud_plural(conditions), rows);
  release(s);
  thud_free(record->context, s);
  if (error == THUD_OK || error == THUD_ERROR_MEMORY) return error;
  thud_verify_fail(&seen->check, NAN, SIZE_MAX, "what was observed cannot be computed: %s",
                   thud_context_last_message(record->context));
  return THUD_OK;
}

void thud_verify_observe_free(verify_record *record) {
  thud_free(record->context, record->seen.when);
  thud_tree_destroy(record->seen.tree);
}

bool thud_verify_has_switches(const thud_node *root) { return count_switches(thud_node_find(root, "data")) > 0; }

static size_t count_observed(const thud_record_reader *reader, bool numbers) {
  size_t channels = thud_record_reader_info(reader).channel_count[THUD_RECORD_FRAMES], count = 0;
  for (size_t k = 0; k < channels; k++) {
    const thud_record_channel *channel = thud_record_reader_channel(reader, THUD_RECORD_FRAMES, k);
    if (strcmp(channel->role, "observed") != 0) continue;
    count += !numbers ? 1 : channel->state ? width_of(channel) : 0;
  }
  return count;
}

size_t thud_verify_observed_channels(const thud_record_reader *reader) { return count_observed(reader, false); }
size_t thud_verify_observed_state(const thud_record_reader *reader) { return count_observed(reader, true); }
