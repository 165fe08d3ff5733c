/* The list of defaults of the scene format, and how it is searched. */
#include "verify/verify_defaults.h"
#include "base/base.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OF_FAMILY "index from tail impulse_tail truncation tolerance limit lump !every"

static const verify_default table[] = {
    {VERIFY_BODIES, "/units/length", "m", NULL, NULL}, /* in which defaults with dimensions are stated */
    {VERIFY_BODIES, "/units/mass", "kg", NULL, NULL},
    {VERIFY_BODIES, "/units/time", "s", NULL, NULL},
    {VERIFY_ANY_SCENE, "/title", NULL, NULL, NULL},
    {VERIFY_ANY_SCENE, "/units", "{}", NULL, NULL},
    {VERIFY_ANY_SCENE, "/units/*", NULL, NULL, NULL},
    {VERIFY_ANY_SCENE, "/data/*/at_breaks", "right", "*", NULL},
    {VERIFY_ANY_SCENE, "/simulate/start", "0", "*", NULL},
    {VERIFY_ANY_SCENE, "/record", "{}", NULL, NULL},
    {VERIFY_ANY_SCENE, "/record/every_step", NULL, NULL, NULL},
    {VERIFY_ANY_SCENE, "/record/checkpoint_every", "null", NULL, NULL},
    {VERIFY_ANY_SCENE, "/initial/*'", "0", "*", NULL},

    {VERIFY_SWEEPING, "/sweeping/metric", "euclidean", "*", NULL},
    {VERIFY_SWEEPING, "/sweeping/set/**/polyhedron/equalities", "0", "*", NULL},
    {VERIFY_SWEEPING, "/sweeping/set/**/dimension", NULL, NULL, NULL},
    {VERIFY_SWEEPING, "/simulate/tolerance", "1e-9", "*", NULL},
    {VERIFY_SWEEPING, "/simulate/lambda", "1e-3", "regularised", NULL},
    {VERIFY_SWEEPING, "/simulate/refinements", "1", NULL, NULL},
    {VERIFY_SWEEPING, "/simulate/classify", "0", NULL, NULL},
    {VERIFY_SWEEPING, "/simulate/max_iterations", "100000", NULL, NULL},

    {VERIFY_ANY_SCENE, "/system/potential_energy", "0", "*", NULL},
    {VERIFY_ANY_SCENE, "/system/forces", "{}", NULL, NULL},
    {VERIFY_ANY_SCENE, "/system/forces/*", "0", "*", NULL},
    {VERIFY_ANY_SCENE, "/system/constraints/*/name", "constraint#", NULL, NULL},
    {VERIFY_ANY_SCENE, "/system/constraints/*/restitution", "0", "*", "gap phi string"},
    {VERIFY_ANY_SCENE, "/system/constraints/*/one_sided", "false", "*", "velocity_form"},
    {VERIFY_ANY_SCENE, "/system/constraints/*/friction/mu", "1", "*", NULL},
    {VERIFY_ANY_SCENE, "/system/constraints/*/friction/normal_scale", "1", "*", NULL},
    {VERIFY_ANY_SCENE, "/system/constraints/*/friction/law", "disc", "*", NULL},
    {VERIFY_ANY_SCENE, "/system/constraints/*/friction/law/**/polyhedron/equalities", "0", "*", NULL},
    {VERIFY_ANY_SCENE, "/system/constraints/*/friction/law/**/dimension", NULL, NULL, NULL},
    {VERIFY_ANY_SCENE, "/system/friction/*/law", "disc", "*", NULL},
    {VERIFY_ANY_SCENE, "/system/friction/*/law/**/polyhedron/equalities", "0", "*", NULL},
    {VERIFY_ANY_SCENE, "/system/friction/*/law/**/dimension", NULL, NULL, NULL},
    {VERIFY_ANY_SCENE, "/friction/laws/*/threshold", "1", "*", NULL},
    {VERIFY_ANY_SCENE, "/friction/laws/*/law", "disc", "*", NULL},
    {VERIFY_ANY_SCENE, "/friction/laws/*/law/**/polyhedron/equalities", "0", "*", NULL},
    {VERIFY_ANY_SCENE, "/friction/laws/*/law/**/dimension", NULL, NULL, NULL},
    {VERIFY_ANY_SCENE, "/system/percussions/*/index", "n", "*", OF_FAMILY},
    {VERIFY_ANY_SCENE, "/system/percussions/*/from", "0", "*", OF_FAMILY},
    {VERIFY_ANY_SCENE, "/system/percussions/*/tolerance", "1e-15", "*", OF_FAMILY " !truncation"},
    {VERIFY_ANY_SCENE, "/system/percussions/*/lump", "false", "*", OF_FAMILY},
    {VERIFY_ANY_SCENE, "/system/impact_law", "newton", "*", NULL},
    {VERIFY_ANY_SCENE, "/system/impact_law/lzb/stiffness_ratio", "1", NULL, NULL},
    {VERIFY_ANY_SCENE, "/system/impact_law/lzb/exponent", "1.5", NULL, NULL},
    {VERIFY_ANY_SCENE, "/system/impact_law/table/*", "*'", "*", NULL},
    {VERIFY_ANY_SCENE, "/system/on_energy_gain", "reduce_e", "*", NULL},
    {VERIFY_ANY_SCENE, "/system/allow_any_restitution", "false", NULL, NULL},

    {VERIFY_ANY_SCENE, "/simulate/solver/max_iterations", "10000", NULL, NULL},
    {VERIFY_ANY_SCENE, "/simulate/solver/max_seconds", "0", NULL, NULL},
    {VERIFY_ANY_SCENE, "/simulate/solver/check_every", "10", NULL, NULL},
    {VERIFY_ANY_SCENE, "/simulate/solver/relaxation", "1", NULL, NULL},
    {VERIFY_ANY_SCENE, "/simulate/solver/local_solver", "exact", NULL, NULL},
    {VERIFY_ANY_SCENE, "/simulate/solver/order", "colours", NULL, NULL},
    {VERIFY_ANY_SCENE, "/simulate/solver/plain", "false", NULL, NULL},

    {VERIFY_STEPPING, "/simulate/tolerance", "0", "*", NULL},
    {VERIFY_STEPPING, "/simulate/theta", "0.5", "moreau-jean stabilised", NULL},
    {VERIFY_STEPPING, "/simulate/lambda", "1e-3", "regularised", NULL},
    {VERIFY_STEPPING, "/simulate/impact_velocity", "0", "*", NULL},
    {VERIFY_STEPPING, "/simulate/gap_tolerance", "0", "*", NULL},
    {VERIFY_STEPPING, "/simulate/residual_tolerance", "1e-10", "*", "!solver/tolerance"},
    {VERIFY_STEPPING, "/simulate/initial_tolerance", "1e-8", NULL, NULL},
    {VERIFY_STEPPING, "/simulate/blow_up", "1e9", NULL, NULL},
    {VERIFY_STEPPING, "/simulate/coarse_above", "0.01", NULL, NULL},
    {VERIFY_STEPPING, "/simulate/failed_above", "1", NULL, NULL},

    {VERIFY_EVENTS, "/simulate/residual_tolerance", "1e-10", "*", "!solver/tolerance"},
    {VERIFY_EVENTS, "/simulate/time_tolerance", "1e-13", "*", NULL},
    {VERIFY_EVENTS, "/simulate/defect_tolerance", "1e-10", "*", NULL},
    {VERIFY_EVENTS, "/simulate/zeno_tolerance", "1e-12", "*", NULL},
    {VERIFY_EVENTS, "/simulate/zeno_remaining", "1e-11", "*", NULL},
    {VERIFY_EVENTS, "/simulate/tolerance", "2.220446049250313e-16", NULL, NULL},
    {VERIFY_EVENTS, "/simulate/arcs", "auto", "*", NULL},
    {VERIFY_EVENTS, "/simulate/order", "0", NULL, NULL},
    {VERIFY_EVENTS, "/simulate/max_step", "0", NULL, NULL},
    {VERIFY_EVENTS, "/simulate/decision_tolerance", "1e-10", NULL, NULL},
    {VERIFY_EVENTS, "/simulate/initial_tolerance", "1e-8", NULL, NULL},
    {VERIFY_EVENTS, "/simulate/on_undecided", "continue", NULL, NULL},
    {VERIFY_EVENTS, "/simulate/painleve", "stop", NULL, NULL},
    {VERIFY_EVENTS, "/simulate/zeno", "true", NULL, NULL},
    {VERIFY_EVENTS, "/simulate/max_outcomes", "24", NULL, NULL},
    {VERIFY_EVENTS, "/simulate/fork_tolerance", "1e-4", NULL, NULL},
    {VERIFY_EVENTS, "/simulate/fork_flight", "0.01", NULL, NULL},
    {VERIFY_EVENTS, "/simulate/max_events", "1e6", NULL, NULL},
    {VERIFY_EVENTS, "/simulate/max_steps", "1e7", NULL, NULL},
    {VERIFY_EVENTS, "/simulate/max_same_time", "100", NULL, NULL},
    {VERIFY_EVENTS, "/simulate/blow_up", "1e9", NULL, NULL},

    {VERIFY_MEMBRANE, "/membrane/lift", "0", "*", NULL},
    {VERIFY_MEMBRANE, "/membrane/load", "0", "*", NULL},
    {VERIFY_MEMBRANE, "/membrane/load_factor", "1", "*", NULL},
    {VERIFY_MEMBRANE, "/membrane/v_factor", "1", "*", NULL},
    {VERIFY_MEMBRANE, "/membrane/u_factor", "1", "*", "in_plane"},
    {VERIFY_MEMBRANE, "/membrane/force_factor", "1", "*", "in_plane"},
    {VERIFY_MEMBRANE, "/membrane/in_plane/poisson", "0.3", "*", NULL},
    {VERIFY_MEMBRANE, "/membrane/in_plane/friction", "0", "*", NULL},
    {VERIFY_MEMBRANE, "/simulate/method", "auto", NULL, NULL},
    {VERIFY_PLATE, "/plate/lift", "0", "*", NULL},
    {VERIFY_PLATE, "/plate/load", "0", "*", NULL},
    {VERIFY_PLATE, "/plate/load_factor", "1", "*", NULL},
    {VERIFY_PLATE, "/plate/v_factor", "1", "*", NULL},
    {VERIFY_PLATE, "/plate/u_factor", "1", "*", "in_plane"},
    {VERIFY_PLATE, "/plate/force_factor", "1", "*", "in_plane"},
    {VERIFY_PLATE, "/plate/poisson", "0.3", "*", NULL},
    {VERIFY_PLATE, "/plate/edges/*/support", "clamped", "*", "v"},
    {VERIFY_PLATE, "/plate/in_plane/poisson", "0.3", "*", NULL},
    {VERIFY_PLATE, "/plate/in_plane/friction", "0", "*", NULL},
    {VERIFY_PLATE, "/simulate/method", "auto", NULL, NULL},

    {VERIFY_QUASISTATIC, "/quasistatic/continuum", "false", NULL, NULL},
    {VERIFY_QUASISTATIC, "/quasistatic/contacts/*/name", "contact#1", NULL, NULL},
    {VERIFY_QUASISTATIC, "/quasistatic/contacts/*/gap", "0", "*", NULL},
    {VERIFY_QUASISTATIC, "/simulate/method", "increments", "*", NULL},
    {VERIFY_QUASISTATIC, "/simulate/tolerance", "1e-10", "*", NULL},
    {VERIFY_QUASISTATIC, "/simulate/max_iterations", "10000", NULL, NULL},
    {VERIFY_QUASISTATIC, "/simulate/on_jump", "stop", NULL, NULL},
    {VERIFY_QUASISTATIC, "/simulate/enumerate_up_to", "8", "event-driven", NULL},
    {VERIFY_QUASISTATIC, "/simulate/jump_factor", "1", NULL, NULL},
    {VERIFY_QUASISTATIC, "/simulate/error_tolerance", "0", NULL, NULL},
    {VERIFY_QUASISTATIC, "/simulate/coarse_above", "0.1", NULL, NULL},

    {VERIFY_LINE, "/string/length", "1", "*", NULL},
    {VERIFY_LINE, "/string/extension", "1", "*", NULL},
    {VERIFY_LINE, "/string/friction", "0", "*", NULL},
    {VERIFY_LINE, "/string/lift", "0", "*", NULL},
    {VERIFY_LINE, "/string/ends", "{}", NULL, NULL},
    {VERIFY_LINE, "/string/ends/v_left", "0", "*", NULL},
    {VERIFY_LINE, "/string/ends/v_right", "0", "*", NULL},
    {VERIFY_LINE, "/string/ends/u_left", "0", "*", NULL},
    {VERIFY_LINE, "/string/ends/u_right", "0", "*", NULL},
    {VERIFY_LINE, "/string/loads/*/direction", "transverse", "*", NULL},
    {VERIFY_LINE, "/string/loads/*/factor", "1", "*", "density"},
    {VERIFY_LINE, "/string/loads/*/width", "0", "*", "!density"},
    {VERIFY_LINE, "/beam/length", "1", "*", NULL},
    {VERIFY_LINE, "/beam/extension", "1", "*", NULL},
    {VERIFY_LINE, "/beam/friction", "0", "*", NULL},
    {VERIFY_LINE, "/beam/lift", "0", "*", NULL},
    {VERIFY_LINE, "/beam/ends", "{}", NULL, NULL},
    {VERIFY_LINE, "/beam/ends/v_left", "0", "*", NULL},
    {VERIFY_LINE, "/beam/ends/v_right", "0", "*", NULL},
    {VERIFY_LINE, "/beam/ends/u_left", "0", "*", NULL},
    {VERIFY_LINE, "/beam/ends/u_right", "0", "*", NULL},
    {VERIFY_LINE, "/beam/loads/*/direction", "transverse", "*", NULL},
    {VERIFY_LINE, "/beam/loads/*/factor", "1", "*", "density"},
    {VERIFY_LINE, "/beam/loads/*/width", "0", "*", "!density"},
    {VERIFY_LINE, "/simulate/classify", "0", "*", NULL},
    {VERIFY_HALF_PLANE, "/half_plane/friction", "0", "*", NULL},
    {VERIFY_HALF_PLANE, "/half_plane/period", "0", "*", NULL},
    {VERIFY_HALF_PLANE, "/half_plane/profile", "{}", "*", NULL},
    {VERIFY_HALF_PLANE, "/half_plane/profile/centre", "0", "*", NULL},
    {VERIFY_HALF_PLANE, "/half_plane/mesh/grading", "graded", "*", "elements"},
    {VERIFY_HALF_PLANE, "/half_plane/load/Q", "0", "*", "!shift"},
    {VERIFY_HALF_PLANE, "/half_plane/load/tilt", "0", "*", "!moment"},
    {VERIFY_HALF_PLANE, "/half_plane/load/pivot", "0", "*", NULL},
    {VERIFY_HALF_PLANE, "/half_plane/load/datum", "1", "*", NULL},
    {VERIFY_HALF_PLANE, "/simulate/method", "incremental", "*", NULL},
    {VERIFY_HALF_PLANE, "/simulate/roll", "1", "rolling", NULL},
    {VERIFY_HALF_PLANE, "/simulate/tolerance", "1e-10", "*", NULL},
    {VERIFY_HALF_PLANE, "/simulate/linear_error", "1e-12", "*", NULL},
    {VERIFY_HALF_PLANE, "/simulate/sweeps", "1000", NULL, NULL},
    {VERIFY_HALF_PLANE, "/simulate/dense_elements", "600", NULL, NULL},
    {VERIFY_BODIES, "/planar", "false", "*", NULL},
    {VERIFY_BODIES, "/gravity", "0 -9.81|0 0 -9.81", "*", NULL},
    {VERIFY_BODIES, "/materials/*/friction", "0", "*", NULL},
    {VERIFY_BODIES, "/materials/*/restitution", "0", "*", NULL},
    {VERIFY_BODIES, "/materials/*/rolling", "0", "*", NULL},
    {VERIFY_BODIES, "/materials/*/spinning", "0", "*", NULL},
    {VERIFY_BODIES, "/materials/*/density", "0", NULL, NULL},
    {VERIFY_BODIES, "/springs/*/length", "0", "*", NULL},
    {VERIFY_BODIES, "/springs/*/stiffness", "0", "*", NULL},
    {VERIFY_BODIES, "/springs/*/damping", "0", "*", NULL},
    {VERIFY_BODIES, "/record/contacts", NULL, NULL, NULL},
    {VERIFY_BODIES, "/record/whole_every", NULL, NULL, NULL},
    {VERIFY_BODIES, "/simulate/tolerance", "1e-8", "*", NULL},
    {VERIFY_BODIES, "/simulate/penetration", "1e-4", "*", NULL},
    {VERIFY_BODIES, "/simulate/predicted", "true", "*", NULL},
    {VERIFY_BODIES, "/simulate/continuous", "true", NULL, NULL},
    {VERIFY_BODIES, "/simulate/gyroscopic", "true", "*", NULL},
    {VERIFY_BODIES, "/simulate/relax", "false", "*", NULL},
    {VERIFY_BODIES, "/simulate/sleep", "false", "*", NULL},
    {VERIFY_BODIES, "/simulate/sleep_speed", "1e-3", NULL, NULL},
    {VERIFY_BODIES, "/simulate/sleep_time", "0.5", NULL, NULL},
    {VERIFY_BODIES, "/simulate/impact_velocity", "0", "*", NULL},
    {VERIFY_BODIES, "/simulate/impact_law", "newton", "*", NULL},
    {VERIFY_BODIES, "/simulate/on_energy_gain", "reduce_e", "*", NULL},
    {VERIFY_BODIES, "/simulate/energy_tolerance", "1e-9", "*", NULL},
    {VERIFY_BODIES, "/simulate/contacts_per_body", "16", NULL, NULL},
    {VERIFY_BODIES, "/simulate/blow_up", "1e6", NULL, NULL},
};

verify_scope thud_verify_scope_of(const thud_node *root) {
  const thud_node *simulate = thud_node_find(root, "simulate");
  const thud_node *method = simulate != NULL ? thud_node_find(simulate, "method") : NULL;
  bool events = method != NULL && thud_node_get_kind(method) == THUD_NODE_STRING &&
                strcmp(thud_node_string(method), "event-driven") == 0;
  if (thud_node_find(root, "sweeping") != NULL) return VERIFY_SWEEPING;
  if (thud_node_find(root, "quasistatic") != NULL) return VERIFY_QUASISTATIC;
  if (thud_node_find(root, "string") != NULL || thud_node_find(root, "beam") != NULL) return VERIFY_LINE;
  if (thud_node_find(root, "membrane") != NULL) return VERIFY_MEMBRANE;
  if (thud_node_find(root, "plate") != NULL) return VERIFY_PLATE;
  if (thud_node_find(root, "half_plane") != NULL) return VERIFY_HALF_PLANE;
  if (thud_node_find(root, "bodies") != NULL) return VERIFY_BODIES;
  if (thud_node_find(root, "system") == NULL) return VERIFY_ANY_SCENE;
  return events ? VERIFY_EVENTS : VERIFY_STEPPING;
}

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

const verify_default *thud_verify_find_default(verify_scope scope, const char *path) {
  for (size_t k = 0; k < sizeof table / sizeof *table; k++)
    if ((table[k].scope == scope || table[k].scope == VERIFY_ANY_SCENE) && path_matches(table[k].path, path))
      return &table[k];
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
static bool belongs(const verify_default *row, verify_scope scope, const char *path) {
  char parent[256];
  if (row->value == NULL || (row->scope != scope && row->scope != VERIFY_ANY_SCENE)) return false;
  snprintf(parent, sizeof parent, "%.*s", (int)(strrchr(row->path, '/') - row->path), row->path);
  return path_matches(parent, path);
}

void thud_verify_missing_defaults(verify_scope scope, const thud_node *map, const char *path,
                                  const thud_node *coordinates, verify_missing_fn missing, void *user) {
  bool named = coordinates != NULL && thud_node_get_kind(coordinates) == THUD_NODE_SEQUENCE;
  for (size_t r = 0; r < sizeof table / sizeof *table; r++) {
    const verify_default *row = &table[r];
    if (!belongs(row, scope, path) || !applies(row, map)) continue;
    const char *last = strrchr(row->path, '/') + 1;
    if (*last != '*') {
      if (thud_node_find(map, last) == NULL) missing(user, map, last);
      continue;
    }
    for (size_t k = 0; named && k < thud_node_count(coordinates); k++) {
      const thud_node *name = thud_node_item(coordinates, k);
      char key[THUD_TREE_MAX_KEY + 2];
      if (thud_node_get_kind(name) != THUD_NODE_STRING) continue;
      int length = snprintf(key, sizeof key, "%s%s", thud_node_string(name), last + 1);
      if (length <= THUD_TREE_MAX_KEY && thud_node_find(map, key) == NULL) missing(user, map, key);
    }
  }
}

double thud_verify_default_number(verify_scope scope, const char *path) {
  const verify_default *row = thud_verify_find_default(scope, path);
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
