/* Defaults of the scene format that all kinds share, and how the lists are searched. */
#include "verify/verify_defaults.h"
#include "base/base.h"
#include "verify/verify_record.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What scenes of all kinds have. */
static const verify_default common[] = {{"/title", NULL, NULL, NULL},
                                        {"/units", "{}", NULL, NULL},
                                        {"/units/*", NULL, NULL, NULL},
                                        {"/data/*/at_breaks", "right", "*", NULL},
                                        {"/simulate/start", "0", "*", NULL},
                                        {"/simulate/step", NULL, "*", NULL}, /* chosen from the scales of the scene */
                                        {"/chosen", "{}", NULL, "chosen"},   /* why */
                                        {"/chosen/step", NULL, NULL, NULL},
                                        {"/record", "{}", NULL, NULL},
                                        {"/record/every_step", NULL, NULL, NULL},
                                        {"/record/checkpoint_every", "null", NULL, NULL},
                                        {"/initial/*'", "0", "*", NULL},
                                        {"/simulate/solver/max_iterations", "10000", NULL, NULL},
                                        {"/simulate/solver/max_seconds", "0", NULL, NULL},
                                        {"/simulate/solver/check_every", "10", NULL, NULL},
                                        {"/simulate/solver/relaxation", "1", NULL, NULL},
                                        {"/simulate/solver/local_solver", "exact", NULL, NULL},
                                        {"/simulate/solver/order", "colours", NULL, NULL},
                                        {"/simulate/solver/plain", "false", NULL, NULL},
                                        {NULL, NULL, NULL, NULL}};

/* One step of a path, from the '/' to the next one or the end. */
static size_t step_length(const char *path) { return 1 + strcspn(path + 1, "/"); }

static bool step_matches(const char *pattern, size_t pattern_length, const char *step, size_t length) {
  if (pattern[1] != '*') return pattern_length == length && strncmp(pattern, step, length) == 0;
  size_t suffix = pattern_length - 2;
  return length > 1 + suffix && strncmp(pattern + 2, step + length - suffix, suffix) == 0;
}

static bool path_matches(const char *pattern, const char *path) {
  if (*pattern == '\0' || *path == '\0') return *pattern == *path;
  size_t pattern_length = step_length(pattern), length = step_length(path);
  if (strncmp(pattern, "/**", pattern_length) == 0 && pattern_length == 3)
    return path_matches(pattern + 3, path) || path_matches(pattern, path + length);
  return step_matches(pattern, pattern_length, path, length) && path_matches(pattern + pattern_length, path + length);
}

/* Rows of the kind, then those of all kinds; NULL after the last one. */
static const verify_default *list_of(const verify_record_kind *kind, size_t k) {
  return k < VERIFY_DEFAULT_LISTS ? (kind != NULL ? kind->defaults[k] : NULL) : common;
}

const verify_default *thud_verify_find_default(const verify_record_kind *kind, const char *path) {
  for (size_t k = 0; k <= VERIFY_DEFAULT_LISTS; k++)
    for (const verify_default *row = list_of(kind, k); row != NULL && row->path != NULL; row++)
      if (path_matches(row->path, path)) return row;
  return NULL;
}

/* ---- what is missing -------------------------------------------------------------------------------------------- */

static bool has(const thud_node *map, const char *word, size_t length) {
  char key[THUD_TREE_MAX_KEY + 1];
  size_t first = strcspn(word, "/ ");
  snprintf(key, sizeof key, "%.*s", (int)first, word);
  const thud_node *found = thud_node_find(map, key);
  if (first == length || found == NULL) return found != NULL;
  return thud_node_get_kind(found) == THUD_NODE_MAP && has(found, word + first + 1, length - first - 1);
}

static bool applies(const verify_default *row, const thud_node *map) {
  bool any = false, asked = false;
  for (const char *word = row->when; word != NULL && *word != '\0'; word += strspn(word, " ")) {
    size_t length = strcspn(word, " ");
    if (*word == '!' && has(map, word + 1, length - 1)) return false;
    if (*word != '!') asked = true, any = any || has(map, word, length);
    word += length;
  }
  return any || !asked;
}

/* Does the default belong into a map with this path? */
static bool belongs(const verify_default *row, const char *path) {
  char parent[256];
  if (row->value == NULL) return false;
  snprintf(parent, sizeof parent, "%.*s", (int)(strrchr(row->path, '/') - row->path), row->path);
  return path_matches(parent, path);
}

/* A row for every coordinate: "*'" stands for their names with a dash. */
static void ask_coordinates(const thud_node *map, const char *suffix, const thud_node *coordinates,
                            verify_missing_fn missing, void *user) {
  for (size_t k = 0; k < thud_node_count(coordinates); k++) {
    const thud_node *name = thud_node_item(coordinates, k);
    char key[THUD_TREE_MAX_KEY + 2];
    if (thud_node_get_kind(name) != THUD_NODE_STRING) continue;
    int length = snprintf(key, sizeof key, "%s%s", thud_node_string(name), suffix);
    if (length <= THUD_TREE_MAX_KEY && thud_node_find(map, key) == NULL) missing(user, map, key);
  }
}

void thud_verify_missing_defaults(const verify_record_kind *kind, const thud_node *map, const char *path,
                                  const thud_node *coordinates, verify_missing_fn missing, void *user) {
  bool named = coordinates != NULL && thud_node_get_kind(coordinates) == THUD_NODE_SEQUENCE;
  for (size_t k = 0; k <= VERIFY_DEFAULT_LISTS; k++)
    for (const verify_default *row = list_of(kind, k); row != NULL && row->path != NULL; row++) {
      if (!belongs(row, path) || !applies(row, map)) continue;
      const char *last = strrchr(row->path, '/') + 1;
      if (*last == '*' && named) ask_coordinates(map, last + 1, coordinates, missing, user);
      if (*last != '*' && thud_node_find(map, last) == NULL) missing(user, map, last);
    }
}

double thud_verify_default_number(const verify_record_kind *kind, const char *path) {
  const verify_default *row = thud_verify_find_default(kind, path);
  double number = 0;
  return row != NULL && row->value != NULL && thud_parse_double(row->value, &number) ? number : 0;
}

/* "#" becomes the place in the list, "#1" the same counted from 1, a leading "*" the key. */
static void expand(const char *value, const char *path, char *buffer, size_t capacity) {
  const char *key = strrchr(path, '/') + 1, *list = path + strcspn(path, "0123456789");
  if (value[0] == '*')
    snprintf(buffer, capacity, "%s%s", key, value + 1);
  else if (strstr(value, "#1") != NULL)
    snprintf(buffer, capacity, "%.*s%lu", (int)strcspn(value, "#"), value, strtoul(list, NULL, 10) + 1);
  else if (strchr(value, '#') != NULL)
    snprintf(buffer, capacity, "%.*s%.*s", (int)strcspn(value, "#"), value, (int)strcspn(list, "/"), list);
  else
    snprintf(buffer, capacity, "%s", value);
}

/* Defaults with dimensions are stated in m and s and stand in the resolved scene in its own units. */
double thud_verify_default_scale(const thud_node *root, const char *path) {
  static const struct {
    const char *path;
    int length, time; /* powers */
  } dimensions[] = {{"/gravity", 1, -2}, {"/simulate/sleep_speed", 1, -1}, {"/simulate/sleep_time", 0, 1}};
  static const struct {
    const char *key, *label;
    double count; /* units in 1 m or 1 s */
  } sizes[] = {{"length", "m", 1},     {"length", "mm", 1e3},       {"length", "cm", 100},       {"length", "dm", 10},
               {"length", "km", 1e-3}, {"length", "um", 1e6},       {"length", "µm", 1e6},       {"length", "μm", 1e6},
               {"length", "nm", 1e9},  {"length", "in", 1 / .0254}, {"length", "ft", 1 / .3048}, {"time", "s", 1},
               {"time", "ms", 1e3},    {"time", "us", 1e6},         {"time", "µs", 1e6},         {"time", "μs", 1e6},
               {"time", "ns", 1e9},    {"time", "min", 1. / 60},    {"time", "h", 1. / 3600}};
  const thud_node *units = thud_node_find(root, "units");
  for (size_t k = 0; k < sizeof dimensions / sizeof *dimensions; k++) {
    double unit[2] = {NAN, NAN};
    if (strcmp(dimensions[k].path, path) != 0) continue;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
      const thud_node *label = units != NULL ? thud_node_find(units, sizes[i].key) : NULL;
      if (label != NULL && thud_node_get_kind(label) == THUD_NODE_STRING &&
          strcmp(thud_node_string(label), sizes[i].label) == 0)
        unit[sizes[i].key[0] == 't'] = sizes[i].count;
    }
    return pow(unit[0], dimensions[k].length) * pow(unit[1], dimensions[k].time);
  }
  return 1;
}

/* Conversions of units round a few times; a scale of NAN matches nothing. */
static bool is_scaled(double number, double scale, double found) {
  double expected = number * scale;
  return scale == 1 ? found == number : fabs(found - expected) <= 8 * DBL_EPSILON * fabs(expected);
}

/* Numbers with blanks between; several such lists are separated by '|'. */
static bool is_one_of_lists(const char *lists, const thud_node *node, double scale) {
  if (strchr(lists, ' ') == NULL) return false; /* a single word is no list */
  for (const char *at = lists; *at != '\0'; at += *at == '|') {
    size_t count = thud_node_count(node), k = 0, end = strcspn(at, "|");
    const char *word = at;
    bool same = true;
    for (; word < at + end; k++) {
      char text[THUD_DOUBLE_CAPACITY];
      double number;
      size_t length = strcspn(word, " |");
      snprintf(text, sizeof text, "%.*s", (int)length, word);
      const thud_node *item = k < count ? thud_node_item(node, k) : NULL;
      same = same && item != NULL && thud_node_get_kind(item) == THUD_NODE_NUMBER && thud_parse_double(text, &number) &&
             is_scaled(number, scale, thud_node_number(item));
      word += length + (word[length] == ' ');
    }
    if (same && k == count) return true;
    at += end;
  }
  return false;
}

bool thud_verify_is_default(const verify_default *row, const thud_node *node, const char *path, double scale) {
  char expected[2 * THUD_TREE_MAX_KEY];
  double number;
  if (row->value == NULL) return thud_node_get_kind(node) < THUD_NODE_SEQUENCE;
  if (isnan(scale) && row->relied == NULL) return true; /* units of unknown size, and no check uses the number */
  expand(row->value, path, expected, sizeof expected);
  switch (thud_node_get_kind(node)) {
  case THUD_NODE_NULL: return strcmp(expected, "null") == 0;
  case THUD_NODE_BOOL: return strcmp(expected, thud_node_bool(node) ? "true" : "false") == 0;
  case THUD_NODE_NUMBER:
    return thud_parse_double(expected, &number) && is_scaled(number, scale, thud_node_number(node));
  case THUD_NODE_STRING: return strcmp(expected, thud_node_string(node)) == 0;
  case THUD_NODE_MAP: return strcmp(expected, "{}") == 0; /* its entries are asked one by one */
  case THUD_NODE_SEQUENCE: return is_one_of_lists(expected, node, scale);
  }
  return false;
}
