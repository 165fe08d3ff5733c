/* `system` scenes: from the tree to a Lagrangian system of expressions. */
#include "base/names.h"
#include "expr/scope.h"
#include "kinds/system/system_scales.h"
#include "kinds/system/system_scene.h"
#include "model/system.h"
#include "scene/scene_options.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What is read before the system can be made; every text is owned, every node borrowed from the tree. */
typedef struct system_parts {
  thud_scene *scene;
  thud_arena *texts;
  const thud_node *root, *system, *mass;
  size_t n, m, laws;
  thud_expr_system_def def;
  thud_expr_constraint_def *constraints; /* [m] */
  const thud_node **constraint_nodes;    /* [m] the expression of each */
  const thud_node **restitution_nodes;   /* [m]; NULL: not unilateral */
  thud_expr_friction_def *friction;      /* [most laws] */
  const thud_node **friction_nodes;      /* [most laws] the whole law */
  const thud_node **threshold_nodes;     /* [most laws] mu or threshold */
  const thud_node **slip_nodes;          /* [most laws] */
  const char **scales;                   /* [most laws] normal_scale, "1" where there is none */
  size_t *mu_lengths;                    /* [most laws] of mu alone, 0: there is no scale */
  const thud_node **force_nodes;         /* [n] */
  thud_set **sets;                       /* [most laws] or NULL */
  thud_names names;                      /* of the constraints, then of the laws by themselves: m + number */
} system_parts;

/* ---- texts --------------------------------------------------------------------------------------------------------
 */

static thud_error print_text(system_parts *parts, const char **text, const char *format, const char *a, const char *b) {
  size_t length = strlen(format) + strlen(a) + strlen(b) + 1;
  char *made = thud_arena_alloc(parts->texts, length, 1);
  if (made == NULL) return THUD_ERROR_MEMORY;
  snprintf(made, length, format, a, b); /* NOLINT: the formats are those of this file */
  *text = made;
  return THUD_OK;
}

thud_error thud_scene_read_source(thud_arena *texts, const thud_node *node, const char **source) {
  if (thud_node_get_kind(node) == THUD_NODE_STRING) {
    *source = thud_node_string(node);
    return THUD_OK;
  }
  if (thud_node_get_kind(node) != THUD_NODE_NUMBER) {
    char found[80];
    thud_node_describe(node, found, sizeof found);
    return thud_node_fail(node, THUD_ERROR_SCHEMA, "[wrong-type] expected a number or an expression, found %s", found);
  }
  enum { DIGITS = 40 };
  char *digits = thud_arena_alloc(texts, DIGITS, 1);
  if (digits == NULL) return THUD_ERROR_MEMORY;
  snprintf(digits, DIGITS, "%.17g", thud_node_number(node));
  *source = digits;
  return THUD_OK;
}

static thud_error read_source(system_parts *parts, const thud_node *node, const char **source) {
  return thud_scene_read_source(parts->texts, node, source);
}

/* `what` may stand there, for the message where the key is missing. */
static thud_error read_required(system_parts *parts, const thud_node *map, const char *key, const char *what,
                                const char **source, const thud_node **where) {
  const thud_node *node;
  thud_error error = thud_node_require_as(map, key, what, &node);
  if (error != THUD_OK) return error;
  if (where != NULL) *where = node;
  return read_source(parts, node, source);
}

/* ---- names, energies, forces ----------------------------------------------------------------------------------------
 */

thud_error thud_scene_name_velocities(thud_scene *scene, char ***velocities) {
  size_t n = (size_t)scene->dimension;
  *velocities = THUD_NEW_ARRAY(scene->context, char *, n);
  if (*velocities == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < n; k++) {
    size_t length = strlen(scene->coordinates[k]) + 2;
    char *name = thud_alloc(scene->context, length, 1);
    if (name == NULL) return THUD_ERROR_MEMORY;
    snprintf(name, length, "%s'", scene->coordinates[k]);
    (*velocities)[k] = name;
  }
  return THUD_OK;
}

/* `mass`: n numbers or expressions (diagonal), or n rows of n. */
static thud_error read_mass(system_parts *parts, const thud_node *node) {
  size_t n = parts->n;
  thud_error error = thud_node_expect(node, THUD_NODE_SEQUENCE);
  if (error == THUD_OK && thud_node_count(node) != n)
    error =
        thud_node_fail(node, THUD_ERROR_SCHEMA, "[wrong-count] %zu rows or diagonal entries are needed here, found %zu",
                       n, thud_node_count(node));
  if (error != THUD_OK) return error;
  if (n > THUD_METRIC_DENSE_MAX)
    return thud_node_fail(node, THUD_ERROR_SCHEMA,
                          "[wrong-count] %zu coordinates; `mass` has at most %d rows: give `kinetic_energy`", n,
                          THUD_METRIC_DENSE_MAX);
  const char **mass = thud_arena_alloc(parts->texts, n * n, sizeof *mass);
  if (mass == NULL) return THUD_ERROR_MEMORY;
  bool diagonal = thud_node_get_kind(thud_node_item(node, 0)) != THUD_NODE_SEQUENCE;
  for (size_t i = 0; i < n && error == THUD_OK; i++) {
    const thud_node *row = thud_node_item(node, i);
    if (diagonal) {
      error = read_source(parts, row, &mass[i * n + i]);
      continue;
    }
    error = thud_node_expect(row, THUD_NODE_SEQUENCE);
    if (error == THUD_OK && thud_node_count(row) != n)
      error = thud_node_fail(row, THUD_ERROR_SCHEMA, "[wrong-count] a row of %zu entries is needed here, found %zu", n,
                             thud_node_count(row));
    for (size_t j = 0; j < n && error == THUD_OK; j++)
      error = read_source(parts, thud_node_item(row, j), &mass[i * n + j]);
  }
  parts->mass = node;
  parts->def.mass = mass;
  return error;
}

static thud_error read_inertia(system_parts *parts) {
  const thud_node *energy = thud_node_find(parts->system, "kinetic_energy");
  const thud_node *mass = thud_node_find(parts->system, "mass");
  if ((energy == NULL) == (mass == NULL))
    return thud_node_fail(
        parts->system, THUD_ERROR_SCHEMA,
        energy != NULL ? "[contradictory-keys] give either 'kinetic_energy' (an expression) or 'mass' (a matrix)"
                       : "[missing-key] the key 'mass' is missing; add 'mass: ...', a list with the mass of each "
                         "coordinate, or 'kinetic_energy: ...', an expression such as m*x'^2/2");
  if (mass != NULL) return read_mass(parts, mass);
  return read_source(parts, energy, &parts->def.kinetic_energy);
}

static thud_error read_forces(system_parts *parts) {
  const char **forces = thud_arena_alloc(parts->texts, parts->n, sizeof *forces);
  parts->force_nodes = thud_arena_alloc(parts->texts, parts->n, sizeof *parts->force_nodes);
  if (forces == NULL || parts->force_nodes == NULL) return THUD_ERROR_MEMORY;
  const thud_node *node;
  thud_error error = thud_node_require(parts->system, "forces", &node);
  if (error == THUD_OK) error = thud_node_check_keys(node, (const char *const *)parts->scene->coordinates, parts->n);
  for (size_t k = 0; k < parts->n && error == THUD_OK; k++)
    error =
        read_required(parts, node, parts->scene->coordinates[k], "an expression", &forces[k], &parts->force_nodes[k]);
  parts->def.forces = forces;
  return error;
}

/* A name of a constraint or law that the record can carry, also with the number of a slip direction behind it. */
static thud_error read_name(const thud_node *node, const char **name) {
  enum { LONGEST = THUD_RECORD_NAME_LENGTH - sizeof ".t100" };
  thud_error error = thud_node_read_string(node, name);
  if (error == THUD_OK && ((*name)[0] == '\0' || strlen(*name) > LONGEST))
    error = thud_node_fail(node, THUD_ERROR_SCHEMA, "[bad-name] a name of 1 to %d bytes is needed here, found %zu",
                           (int)LONGEST, strlen(*name));
  return error;
}

/* ---- friction -----------------------------------------------------------------------------------------------------
 */

/* One form, or a list of them. */
static thud_error read_forms(system_parts *parts, const thud_node *list, thud_expr_friction_def *def) {
  bool is_list = thud_node_get_kind(list) == THUD_NODE_SEQUENCE;
  size_t count = is_list ? thud_node_count(list) : 1;
  if (count == 0 || count > 100)
    return thud_node_fail(list, THUD_ERROR_SCHEMA, "[wrong-count] from 1 to 100 slip velocities are needed, found %zu",
                          count);
  const char **slip = thud_arena_alloc(parts->texts, count, sizeof *slip);
  thud_error error = slip != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  for (size_t k = 0; k < count && error == THUD_OK; k++)
    error = read_source(parts, is_list ? thud_node_item(list, k) : list, &slip[k]);
  def->directions = (thud_index)count;
  def->slip = slip;
  parts->slip_nodes[parts->laws] = list;
  return error;
}

static thud_error read_slip(system_parts *parts, const thud_node *law, thud_expr_friction_def *def) {
  const thud_node *list;
  thud_error error = thud_node_require_as(law, "slip", "a list of tangential velocities, such as [\"x'\"]", &list);
  if (error == THUD_OK) error = thud_node_expect(list, THUD_NODE_SEQUENCE);
  return error == THUD_OK ? read_forms(parts, list, def) : error;
}

/* `law: disc`, Coulomb's, or `law: {ball: ...}`: a set of tangential forces that does not move. */
static thud_error read_law(system_parts *parts, const thud_node *node, thud_expr_friction_def *def) {
  static const char *const named[] = {"disc", NULL};
  int choice;
  def->kind = THUD_FRICTION_DISC;
  if (thud_node_get_kind(node) == THUD_NODE_STRING) return thud_node_read_choice(node, named, &choice);
  scene_numbers numbers = {.scene = parts->scene};
  thud_error error = thud_scene_build_set(&numbers, node, def->directions, &parts->sets[parts->laws]);
  thud_scene_numbers_free(&numbers);
  if (error != THUD_OK) return error;
  if (numbers.moves)
    return thud_node_fail(
        node, THUD_ERROR_SCHEMA,
        "[not-constant] the set of a friction law does not depend on time: put the dependence into mu or threshold");
  def->kind = THUD_FRICTION_SET;
  def->set = parts->sets[parts->laws];
  return THUD_OK;
}

/* normal_scale: the normal force is that times r_N, so mu is too. */
static thud_error read_scale(system_parts *parts, const thud_node *law, thud_expr_friction_def *def) {
  const thud_node *node = thud_node_find(law, "normal_scale");
  const char **scale = &parts->scales[parts->laws];
  *scale = "1";
  if (node == NULL) return THUD_OK;
  thud_error error = read_source(parts, node, scale);
  if (error != THUD_OK || strcmp(*scale, "1") == 0) return error;
  if (thud_node_get_kind(node) == THUD_NODE_NUMBER && !(thud_node_number(node) > 0))
    return thud_node_fail(node, THUD_ERROR_SCHEMA, "[out-of-range] a normal_scale > 0 is needed here, found %g",
                          thud_node_number(node));
  parts->mu_lengths[parts->laws] = strlen(def->mu);
  return print_text(parts, &def->mu, "(%s)*(%s)", def->mu, *scale);
}

/* `of`: the reactions of these constraints give the threshold mu radius |(r_1, ..., r_l)|. */
static thud_error read_reactions(system_parts *parts, const thud_node *list, const char **norm) {
  thud_error error = thud_node_expect(list, THUD_NODE_SEQUENCE);
  size_t count = error == THUD_OK ? thud_node_count(list) : 0;
  if (error == THUD_OK && (count == 0 || count > 100))
    error = thud_node_fail(list, THUD_ERROR_SCHEMA,
                           "[wrong-count] from 1 to 100 constraints are needed here, found %zu", count);
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    const thud_node *item = thud_node_item(list, k);
    const char *name = "";
    error = thud_node_read_string(item, &name);
    if (error != THUD_OK) break;
    if (thud_names_find(&parts->names, name, strlen(name)) >= parts->m)
      return thud_node_fail(item, THUD_ERROR_SCHEMA, "[unknown-name] there is no constraint '%s'", name);
    if (thud_expr_scope_find(parts->scene->scope, name, strlen(name)) != NULL)
      return thud_node_fail(item, THUD_ERROR_SCHEMA,
                            "[bad-name] '%s' is another name of this scene, too: give the constraint one of its own",
                            name);
    error = k == 0 ? print_text(parts, norm, "%s%s", count == 1 ? "abs(" : "", name)
                   : print_text(parts, norm, "hypot(%s, %s)", *norm, name);
  }
  return error == THUD_OK && count == 1 ? print_text(parts, norm, "%s%s", *norm, ")") : error;
}

/* A law by itself with `of`, `mu` and `radius` in place of `threshold`. */
static thud_error read_pin(system_parts *parts, const thud_node *node, const thud_node *of,
                           thud_expr_friction_def *def) {
  const char *norm = "", *radius = "";
  const thud_node *threshold = thud_node_find(node, "threshold");
  if (threshold != NULL)
    return thud_node_fail(
        threshold, THUD_ERROR_SCHEMA,
        "[contradictory-keys] give either 'threshold' or 'of', whose threshold is mu radius times the "
        "length of these reactions");
  thud_error error = read_reactions(parts, of, &norm);
  if (error == THUD_OK)
    error = read_required(parts, node, "mu", "the coefficient of friction, a number or an expression", &def->mu,
                          &parts->threshold_nodes[parts->laws]);
  parts->mu_lengths[parts->laws] = error == THUD_OK ? strlen(def->mu) : 0;
  if (error == THUD_OK) error = read_required(parts, node, "radius", "a length", &radius, NULL);
  if (error == THUD_OK) error = print_text(parts, &def->mu, "(%s)*(%s)", def->mu, radius);
  return error == THUD_OK ? print_text(parts, &def->mu, "%s*%s", def->mu, norm) : error;
}

/* The threshold of a law by itself. */
static thud_error read_threshold(system_parts *parts, const thud_node *node, thud_expr_friction_def *def) {
  static const char *const beside[] = {"mu", "radius"};
  const thud_node *of = thud_node_find(node, "of");
  parts->scales[parts->laws] = "1";
  if (of != NULL) return read_pin(parts, node, of, def);
  for (size_t k = 0; k < 2; k++)
    if (thud_node_find(node, beside[k]) != NULL)
      return thud_node_fail(thud_node_find(node, beside[k]), THUD_ERROR_SCHEMA,
                            "[misplaced-key] '%s' goes with 'of', the constraints whose reactions give the threshold",
                            beside[k]);
  return read_required(parts, node, "threshold", "a force, 0 or greater", &def->mu,
                       &parts->threshold_nodes[parts->laws]);
}

/* One law; `constraint` is -1 for a law by itself. */
static thud_error read_friction(system_parts *parts, const thud_node *node, const char *name, thud_index constraint) {
  static const char *const own[] = {"slip", "law", "name", "threshold", "of", "mu", "radius"};
  const thud_option_table *table = constraint < 0 ? NULL : thud_system_friction_table();
  if (thud_node_get_kind(node) != THUD_NODE_MAP)
    return thud_node_fail(node, THUD_ERROR_SCHEMA,
                          "[wrong-type] friction is a map with the coefficient and the tangential velocity, such as "
                          "{mu: 0.3, slip: [\"x'\"]}");
  thud_error error = thud_scene_check_keys(parts->scene, node, constraint < 0 ? 7 : 2, own, THUD_TABLES(table));
  if (error != THUD_OK) return error;
  thud_expr_friction_def def = {.name = name, .constraint = constraint};
  const thud_node *law;
  if (constraint < 0) {
    error = read_threshold(parts, node, &def);
  } else {
    error = read_required(parts, node, "mu", "the coefficient of friction, a number or an expression", &def.mu,
                          &parts->threshold_nodes[parts->laws]);
    if (error == THUD_OK) error = read_scale(parts, node, &def);
  }
  if (error == THUD_OK) error = read_slip(parts, node, &def);
  if (error == THUD_OK) error = thud_node_require(node, "law", &law);
  if (error == THUD_OK) error = read_law(parts, law, &def);
  parts->friction_nodes[parts->laws] = node;
  parts->friction[parts->laws++] = def; /* also after a failure: it owns its set */
  return error;
}

/* ---- constraints --------------------------------------------------------------------------------------------------
 */

static const struct {
  const char *key;
  thud_constraint_kind kind;
} constraint_keys[] = {{"gap", THUD_CONSTRAINT_UNILATERAL},
                       {"phi", THUD_CONSTRAINT_UNILATERAL},
                       {"equation", THUD_CONSTRAINT_BILATERAL},
                       {"velocity_form", THUD_CONSTRAINT_VELOCITY},
                       {"string", THUD_CONSTRAINT_UNILATERAL}};
enum { CONSTRAINT_KEYS = sizeof constraint_keys / sizeof *constraint_keys };

/* A taut string: gap = length - distance. */
static thud_error read_string(system_parts *parts, const thud_node *node, const char **source) {
  static const char *const keys[] = {"length", "distance"};
  const thud_node *length, *distance;
  const char *length_text = "", *distance_text = "";
  thud_error error = thud_node_check_keys(node, keys, 2);
  if (error == THUD_OK)
    error = thud_node_require_as(node, "length", "the length of the string, an expression", &length);
  if (error == THUD_OK)
    error = thud_node_require_as(node, "distance", "the distance of its ends, an expression", &distance);
  if (error == THUD_OK) error = read_source(parts, length, &length_text);
  if (error == THUD_OK) error = read_source(parts, distance, &distance_text);
  return error == THUD_OK ? print_text(parts, source, "(%s)-(%s)", length_text, distance_text) : error;
}

static thud_error read_constraint_form(system_parts *parts, const thud_node *node, thud_expr_constraint_def *def,
                                       const thud_node **where) {
  int found = -1;
  for (int k = 0; k < CONSTRAINT_KEYS; k++) {
    if (thud_node_find(node, constraint_keys[k].key) == NULL) continue;
    if (found >= 0)
      return thud_node_fail(node, THUD_ERROR_SCHEMA,
                            "[contradictory-keys] '%s' and '%s' in one constraint: split it into two",
                            constraint_keys[found].key, constraint_keys[k].key);
    found = k;
  }
  if (found < 0)
    return thud_node_fail(node, THUD_ERROR_SCHEMA,
                          "[missing-key] the key 'gap' is missing; add 'gap: ...', an expression that must not become "
                          "negative (or one of "
                          "phi, equation, velocity_form, string)");
  *where = thud_node_find(node, constraint_keys[found].key);
  def->kind = constraint_keys[found].kind;
  def->is_phi = strcmp(constraint_keys[found].key, "phi") == 0;
  if (strcmp(constraint_keys[found].key, "string") == 0) return read_string(parts, *where, &def->source);
  const thud_node *one_sided = thud_node_find(node, "one_sided");
  bool is_one_sided = false;
  thud_error error = one_sided != NULL ? thud_node_read_bool(one_sided, &is_one_sided) : THUD_OK;
  if (error == THUD_OK && one_sided != NULL && def->kind != THUD_CONSTRAINT_VELOCITY)
    error = thud_node_fail(one_sided, THUD_ERROR_SCHEMA,
                           "[misplaced-key] only a velocity_form can be made one-sided this way");
  if (error == THUD_OK && one_sided == NULL && def->kind == THUD_CONSTRAINT_VELOCITY)
    error = thud_node_require(node, "one_sided", &one_sided);
  if (is_one_sided) def->kind = THUD_CONSTRAINT_VELOCITY_ONE_SIDED;
  return error == THUD_OK ? read_source(parts, *where, &def->source) : error;
}

static bool is_name_byte(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') || byte == '_';
}

/* Whether the text has the name `e`: not within another name or a number. */
static bool names_e(const char *text) {
  for (const char *at = text; *at != '\0'; at++) {
    if (!is_name_byte(*at)) continue;
    const char *begin = at;
    while (is_name_byte(*at) || *at == '.') at++;
    if (at - begin == 1 && *begin == 'e') return true;
    if (*at == '\0') return false;
  }
  return false;
}

/* Whether the scene itself gives `e` a meaning. */
static bool defines_e(const system_parts *parts) {
  static const char *const maps[] = {"parameters", "definitions", "data"};
  for (size_t k = 0; k < sizeof maps / sizeof *maps; k++)
    if (thud_node_find(thud_node_find(parts->root, maps[k]), "e") != NULL) return true;
  for (size_t k = 0; k < parts->n; k++)
    if (strcmp(parts->scene->coordinates[k], "e") == 0) return true;
  return false;
}

static thud_error read_restitution(system_parts *parts, const thud_node *node, size_t k) {
  thud_expr_constraint_def *def = &parts->constraints[k];
  if (def->kind == THUD_CONSTRAINT_UNILATERAL) {
    thud_error error = read_required(parts, node, "restitution", "a number from 0 to 1", &def->restitution,
                                     &parts->restitution_nodes[k]);
    if (error == THUD_OK && names_e(def->restitution) && !defines_e(parts))
      error = thud_node_fail(parts->restitution_nodes[k], THUD_ERROR_SCHEMA,
                             "[euler-number] 'e' is Euler's number 2.718... here, since no parameter has this name: "
                             "define it (parameters: "
                             "{e: 0.5}), or write exp(1) where the number is meant");
    return error;
  }
  const thud_node *given = thud_node_find(node, "restitution");
  return given == NULL
             ? THUD_OK
             : thud_node_fail(given, THUD_ERROR_SCHEMA,
                              "[misplaced-key] restitution belongs to a unilateral constraint (gap, phi, string)");
}

/* `velocity_form` with `while`: it holds while a contact does, which makes it a friction law without a bound. */
static thud_error read_while(system_parts *parts, const thud_node *node) {
  static const char *const keys[] = {"name", "velocity_form", "while"};
  const thud_node *name = NULL, *form = NULL, *contact = thud_node_find(node, "while");
  const char *text = "", *of = "";
  size_t there = THUD_NAMES_NONE;
  thud_expr_friction_def def = {.kind = THUD_FRICTION_FIRM, .mu = "1"};
  thud_error error = thud_node_check_keys(node, keys, sizeof keys / sizeof *keys);
  if (error == THUD_OK) error = thud_node_require_as(node, "name", "a word that reports show", &name);
  if (error == THUD_OK) error = read_name(name, &text);
  if (error == THUD_OK) error = thud_names_add(&parts->names, text, strlen(text), parts->m + parts->laws, &there);
  if (error == THUD_OK && there != THUD_NAMES_NONE)
    error = thud_node_fail(name, THUD_ERROR_SCHEMA, "[duplicate-name] the name '%s' is given twice", text);
  if (error == THUD_OK) error = thud_node_read_string(contact, &of);
  if (error != THUD_OK) return error;
  size_t constraint = thud_names_find(&parts->names, of, strlen(of));
  if (constraint >= parts->m || parts->constraints[constraint].kind != THUD_CONSTRAINT_UNILATERAL)
    return thud_node_fail(contact, THUD_ERROR_SCHEMA,
                          "[unknown-name] there is no gap, phi or string called '%s' that the form could hold with",
                          of);
  def.name = text;
  def.constraint = (thud_index)constraint;
  error = thud_node_require_as(node, "velocity_form", "an expression of the velocities that is 0, or a list of them",
                               &form);
  parts->scales[parts->laws] = "1";
  parts->threshold_nodes[parts->laws] = contact;
  parts->friction_nodes[parts->laws] = node;
  if (error == THUD_OK) error = read_forms(parts, form, &def);
  if (error == THUD_OK) parts->friction[parts->laws++] = def;
  return error;
}

static thud_error read_constraint(system_parts *parts, const thud_node *node, size_t k) {
  static const char *const keys[] = {"name", "gap", "phi", "equation", "velocity_form", "string", "friction"};
  thud_expr_constraint_def *def = &parts->constraints[k];
  thud_error error = thud_scene_check_keys(parts->scene, node, sizeof keys / sizeof *keys, keys,
                                           THUD_TABLES(thud_system_unilateral_table(), thud_system_velocity_table()));
  const thud_node *name = NULL;
  if (error == THUD_OK) error = thud_node_require_as(node, "name", "a word that reports show", &name);
  if (error == THUD_OK) error = read_name(name, &def->name);
  size_t there = THUD_NAMES_NONE;
  if (error == THUD_OK) error = thud_names_add(&parts->names, def->name, strlen(def->name), k, &there);
  if (error == THUD_OK && there != THUD_NAMES_NONE)
    error = thud_node_fail(name, THUD_ERROR_SCHEMA, "[duplicate-name] the constraint '%s' is named twice", def->name);
  if (error == THUD_OK) error = read_constraint_form(parts, node, def, &parts->constraint_nodes[k]);
  if (error == THUD_OK) error = read_restitution(parts, node, k);
  const thud_node *friction = error == THUD_OK ? thud_node_find(node, "friction") : NULL;
  if (friction != NULL && def->kind != THUD_CONSTRAINT_UNILATERAL && def->kind != THUD_CONSTRAINT_BILATERAL)
    return thud_node_fail(
        friction, THUD_ERROR_SCHEMA,
        "[bad-friction] a velocity_form has no normal force that friction could follow: write the law under "
        "/system/friction, with a threshold");
  return friction != NULL ? read_friction(parts, friction, def->name, (thud_index)k) : error;
}

static thud_error allocate_laws(system_parts *parts, size_t most) {
  parts->constraints = thud_arena_alloc(parts->texts, parts->m + 1, sizeof *parts->constraints);
  parts->constraint_nodes = thud_arena_alloc(parts->texts, parts->m + 1, sizeof *parts->constraint_nodes);
  parts->restitution_nodes = thud_arena_alloc(parts->texts, parts->m + 1, sizeof *parts->restitution_nodes);
  parts->friction = thud_arena_alloc(parts->texts, most + 1, sizeof *parts->friction);
  parts->friction_nodes = thud_arena_alloc(parts->texts, most + 1, sizeof *parts->friction_nodes);
  parts->threshold_nodes = thud_arena_alloc(parts->texts, most + 1, sizeof *parts->threshold_nodes);
  parts->slip_nodes = thud_arena_alloc(parts->texts, most + 1, sizeof *parts->slip_nodes);
  parts->scales = thud_arena_alloc(parts->texts, most + 1, sizeof *parts->scales);
  parts->mu_lengths = thud_arena_alloc(parts->texts, most + 1, sizeof *parts->mu_lengths);
  parts->sets = thud_arena_alloc(parts->texts, most + 1, sizeof *parts->sets);
  bool done = parts->constraints != NULL && parts->constraint_nodes != NULL && parts->restitution_nodes != NULL &&
              parts->friction != NULL && parts->friction_nodes != NULL && parts->threshold_nodes != NULL &&
              parts->slip_nodes != NULL && parts->sets != NULL && parts->scales != NULL && parts->mu_lengths != NULL;
  return done ? THUD_OK : THUD_ERROR_MEMORY;
}

static thud_error expect_list(const thud_node *node) {
  if (node == NULL) return THUD_OK;
  thud_error error = thud_node_expect(node, THUD_NODE_SEQUENCE);
  if (error == THUD_OK && thud_node_count(node) > 1000000)
    error = thud_node_fail(node, THUD_ERROR_SCHEMA, "[wrong-count] at most 1000000 entries are possible here");
  return error;
}

/* A law by itself; its name is nobody else's. */
static thud_error read_own_law(system_parts *parts, const thud_node *law) {
  const thud_node *node;
  const char *name = "";
  size_t there = THUD_NAMES_NONE;
  thud_error error = thud_node_require_as(law, "name", "a word that reports show", &node);
  if (error == THUD_OK) error = read_name(node, &name);
  if (error == THUD_OK) error = thud_names_add(&parts->names, name, strlen(name), parts->m + parts->laws, &there);
  if (error == THUD_OK && there != THUD_NAMES_NONE)
    error = thud_node_fail(node, THUD_ERROR_SCHEMA, "[duplicate-name] another %s is called '%s', too",
                           there < parts->m ? "constraint" : "law", name);
  return error == THUD_OK ? read_friction(parts, law, name, -1) : error;
}

static bool is_conditional(const thud_node *constraint) {
  return thud_node_get_kind(constraint) == THUD_NODE_MAP && thud_node_find(constraint, "while") != NULL;
}

static thud_error read_constraints(system_parts *parts) {
  const thud_node *constraints = thud_node_find(parts->system, "constraints");
  const thud_node *friction = thud_node_find(parts->system, "friction");
  thud_error error = expect_list(constraints);
  if (error == THUD_OK) error = expect_list(friction);
  if (error != THUD_OK) return error;
  size_t entries = constraints != NULL ? thud_node_count(constraints) : 0, next = 0;
  for (size_t k = 0; k < entries; k++) parts->m += is_conditional(thud_node_item(constraints, k)) ? 0 : 1;
  size_t own = friction != NULL ? thud_node_count(friction) : 0;
  error = allocate_laws(parts, entries + own);
  for (size_t k = 0; k < entries && error == THUD_OK; k++)
    if (!is_conditional(thud_node_item(constraints, k)))
      error = read_constraint(parts, thud_node_item(constraints, k), next++);
  for (size_t k = 0; k < entries && error == THUD_OK; k++)
    if (is_conditional(thud_node_item(constraints, k))) error = read_while(parts, thud_node_item(constraints, k));
  for (size_t k = 0; k < own && error == THUD_OK; k++) error = read_own_law(parts, thud_node_item(friction, k));
  return error;
}

/* ---- laws of impact
 * --------------------------------------------------------------------------------------------------- */

static thud_error read_lzb(thud_scene *scene, const thud_node *node, thud_percussion_options *options) {
  static const char *const names[] = {"lzb_stiffness_ratio", "lzb_exponent"};
  const thud_option_table *table = thud_system_lzb_table();
  thud_error error = thud_scene_check_keys(scene, node, 0, NULL, THUD_TABLES(table));
  for (size_t k = 0; k < table->count && error == THUD_OK; k++) {
    const thud_node *item;
    double value;
    error = thud_node_require(node, table->keys[k].name, &item);
    if (error == THUD_OK) error = thud_scene_read_constant(scene, item, &value);
    if (error != THUD_OK) break;
    error = thud_options_set_number(scene->context, thud_percussion_option_table(), options, names[k], value);
    if (error != THUD_OK) error = thud_node_fail_within(item, THUD_ERROR_SCHEMA);
  }
  return error;
}

static thud_error read_impact_law(system_parts *parts, const thud_node **table) {
  static const char *const maps[] = {"lzb", "table"};
  const thud_option_table *rows = thud_system_section_table();
  thud_scene *scene = parts->scene;
  thud_percussion_options *options = &thud_scene_lagrangian(scene)->motion.percussion;
  const thud_node *law, *gain;
  thud_error error = thud_node_require(parts->system, "on_energy_gain", &gain);
  if (error == THUD_OK)
    error = thud_node_read_choice(gain, thud_options_find(rows, "on_energy_gain")->choices, &options->on_energy_gain);
  if (error == THUD_OK) error = thud_node_require(parts->system, "impact_law", &law);
  *table = NULL;
  if (error != THUD_OK) return error;
  if (thud_node_get_kind(law) != THUD_NODE_MAP)
    return thud_node_read_choice(law, thud_options_find(rows, "impact_law")->choices, &options->law);
  error = thud_node_check_keys(law, maps, 2);
  if (error == THUD_OK && thud_node_count(law) != 1)
    error = thud_node_fail(law, THUD_ERROR_SCHEMA, "[contradictory-keys] give one impact law: lzb or table");
  if (error != THUD_OK) return error;
  *table = thud_node_find(law, "table");
  options->law = *table != NULL ? THUD_IMPACT_TABLE : THUD_IMPACT_LZB;
  if (*table != NULL) return thud_node_check_keys(*table, (const char *const *)scene->coordinates, parts->n);
  return read_lzb(scene, thud_node_find(law, "lzb"), options);
}

static int evaluate_functions(void *user, double t, const double *q, const double *v, double *out) {
  scene_functions *table = user;
  table->variables[table->time_slot] = t;
  for (thud_index k = 0; k < table->dimension; k++) {
    table->variables[table->position_slots[k]] = q[k];
    table->variables[table->velocity_slots[k]] = v[k];
  }
  thud_expr_work_evaluate(table->work, table->variables, out);
  for (thud_index k = 0; k < table->count; k++)
    if (!isfinite(out[k])) return -1;
  return 0;
}

/* Compiles `count` sources of t, q and q'; *source and *place say where an error is. */
static thud_error build_functions(thud_scene *scene, size_t count, const char *const *sources, scene_functions *made,
                                  thud_index *source, thud_expr_place *place) {
  size_t n = (size_t)scene->dimension;
  made->position_slots = THUD_NEW_ARRAY(scene->context, thud_index, n);
  made->velocity_slots = THUD_NEW_ARRAY(scene->context, thud_index, n);
  made->variables = THUD_NEW_ARRAY(scene->context, double, thud_expr_scope_variable_count(scene->scope));
  if (made->position_slots == NULL || made->velocity_slots == NULL || made->variables == NULL) return THUD_ERROR_MEMORY;
  made->dimension = scene->dimension;
  made->count = (thud_index)count;
  made->time_slot = scene->time_slot;
  for (size_t k = 0; k < n; k++) {
    made->position_slots[k] = thud_expr_scope_find_variable(scene->scope, scene->coordinates[k]);
    made->velocity_slots[k] = thud_expr_scope_find_variable(scene->scope, thud_scene_lagrangian(scene)->velocities[k]);
  }
  thud_error error = thud_expr_program_compile(scene->context, scene->scope, (thud_index)count, sources, source, place,
                                               &made->program);
  return error == THUD_OK ? thud_expr_work_create(scene->context, made->program, 0, &made->work) : error;
}

static void free_functions(thud_context *context, scene_functions *made) {
  thud_expr_work_destroy(made->work);
  thud_expr_program_destroy(made->program);
  thud_free(context, made->variables);
  thud_free(context, made->position_slots);
  thud_free(context, made->velocity_slots);
}

/* The table's expressions. */
static thud_error build_table(system_parts *parts, const thud_node *node) {
  thud_scene *scene = parts->scene;
  const char **sources = thud_arena_alloc(parts->texts, parts->n, sizeof *sources);
  thud_error error = sources != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  for (size_t k = 0; k < parts->n && error == THUD_OK; k++)
    error = read_required(parts, node, scene->coordinates[k], "an expression", &sources[k], NULL);
  if (error != THUD_OK) return error;
  thud_index source = 0;
  thud_expr_place place = {0};
  error = build_functions(scene, parts->n, sources, &thud_scene_lagrangian(scene)->table, &source, &place);
  if (error == THUD_ERROR_MEMORY) return error;
  if (error != THUD_OK)
    return thud_node_fail_within_at(thud_node_find(node, scene->coordinates[source]), place.column, error);
  thud_scene_lagrangian(scene)->motion.percussion.table = evaluate_functions;
  thud_scene_lagrangian(scene)->motion.percussion.table_user = &thud_scene_lagrangian(scene)->table;
  return THUD_OK;
}

/* ---- gap and slip of contacts with friction ------------------------------------------------------------------------ */

/* What reports warn of. */
static thud_error judge_friction(system_parts *parts) {
  thud_scene *scene = parts->scene;
  scene_system *made = thud_scene_lagrangian(scene);
  scene_functions scales = {0};
  thud_index source = 0;
  thud_expr_place place = {0};
  if (parts->laws == 0) return THUD_OK;
  double *room = thud_arena_alloc(parts->texts, parts->laws, sizeof *room);
  made->frames = THUD_NEW_ARRAY(scene->context, thud_model_frame, parts->laws);
  thud_error error = room != NULL && made->frames != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  if (error == THUD_OK) error = build_functions(scene, parts->laws, parts->scales, &scales, &source, &place);
  for (size_t k = 0; k < parts->laws && error == THUD_OK; k++)
    error = thud_model_friction_frame(scene->context, made->system, (thud_index)k, scene->start, made->q0, made->v0,
                                      evaluate_functions, &scales, room, &made->frames[k]);
  free_functions(scene->context, &scales);
  return error;
}

/* ---- making the system ----------------------------------------------------------------------------------------------
 */

/* An error in (mu)*(normal_scale): its node, and the column there. */
static const thud_node *node_of_mu(const system_parts *parts, size_t law, thud_index *column) {
  size_t length = parts->mu_lengths[law];
  thud_index before = (thud_index)(length + strlen("()*("));
  if (length == 0) return parts->threshold_nodes[law];
  bool of_scale = *column > before;
  if (*column > 0) *column -= of_scale ? before : 1;
  const char *factor = thud_node_find(parts->friction_nodes[law], "of") != NULL ? "radius" : "normal_scale";
  return of_scale ? thud_node_find(parts->friction_nodes[law], factor) : parts->threshold_nodes[law];
}

/* The node in which the system found its error. */
static const thud_node *node_of(const system_parts *parts, thud_expr_system_place *place) {
  size_t k = (size_t)place->index;
  switch (place->part) {
  case THUD_SOURCE_KINETIC: return thud_node_find(parts->system, "kinetic_energy");
  case THUD_SOURCE_POTENTIAL: return thud_node_find(parts->system, "potential_energy");
  case THUD_SOURCE_FORCE: return parts->force_nodes[k];
  case THUD_SOURCE_CONSTRAINT: return parts->constraint_nodes[k];
  case THUD_SOURCE_RESTITUTION: return parts->restitution_nodes[k];
  case THUD_SOURCE_SLIP: {
    const thud_node *forms = parts->slip_nodes[k];
    return thud_node_get_kind(forms) == THUD_NODE_SEQUENCE ? thud_node_item(forms, (size_t)place->second) : forms;
  }
  case THUD_SOURCE_MU: return node_of_mu(parts, k, &place->place.column);
  case THUD_SOURCE_MASS: {
    const thud_node *row = thud_node_item(parts->mass, k);
    return thud_node_get_kind(row) == THUD_NODE_SEQUENCE ? thud_node_item(row, (size_t)place->second) : row;
  }
  case THUD_SOURCE_NONE: break;
  default: return thud_scene_load_node(thud_node_find(parts->system, "percussions"), &parts->def, place);
  }
  return parts->system;
}

/* Functions take the place of formulas. */
static thud_error replace_formulas(thud_scene *scene) {
  scene_system *made = thud_scene_lagrangian(scene);
  thud_system *replaced = NULL;
  const scene_program *program = scene->program;
  if (program == NULL || program->replacements == NULL) return THUD_OK;
  thud_error error = thud_model_replace(made->own, program->replacement_count, program->replacements, &replaced);
  if (error != THUD_OK) return error;
  made->system = made->own = replaced;
  made->functions = true;
  return THUD_OK;
}

static thud_error make_system(system_parts *parts, const thud_node *definitions) {
  thud_scene *scene = parts->scene;
  thud_expr_system_def *def = &parts->def;
  thud_expr_system_place place = {0};
  def->n = (thud_index)parts->n;
  def->coordinates = (const char *const *)scene->coordinates;
  def->m = (thud_index)parts->m;
  def->constraints = parts->constraints;
  def->laws = (thud_index)parts->laws;
  def->friction = parts->friction;
  const thud_node *any;
  thud_error error = thud_node_require(parts->system, "allow_any_restitution", &any);
  if (error == THUD_OK) error = thud_node_read_bool(any, &def->allow_any_restitution);
  def->start = scene->start;
  def->end = scene->end;
  if (error == THUD_OK)
    error = thud_scene_read_loads(scene, parts->texts, thud_node_find(parts->system, "percussions"), def);
  if (error != THUD_OK) return error;
  error = thud_system_create_expressions(scene->context, scene->scope, def, &place, &thud_scene_lagrangian(scene)->own);
  thud_scene_lagrangian(scene)->system = thud_scene_lagrangian(scene)->own;
  if (error == THUD_ERROR_MEMORY) return error;
  /* What is wrong within a definition is reported where it is, not where it is used. */
  bool compiled = error == THUD_OK || place.part != THUD_SOURCE_NONE; /* the coordinates are names then */
  thud_error within = compiled ? thud_scene_check_definitions(scene, definitions) : THUD_OK;
  if (within != THUD_OK || error == THUD_OK) return within == THUD_OK ? replace_formulas(scene) : within;
  const thud_node *where = node_of(parts, &place);
  if (where == NULL) where = parts->system;
  bool inside = thud_node_get_kind(where) == THUD_NODE_STRING && place.place.column > 0;
  return inside ? thud_node_fail_within_at(where, place.place.column, error) : thud_node_fail_within(where, error);
}

thud_error thud_scene_place_start_error(const thud_scene *scene, const thud_node *root, thud_error error) {
  if (error == THUD_ERROR_MEMORY || root == NULL) return error;
  const thud_node *system = thud_node_find(root, "system"), *mass = thud_node_find(system, "mass");
  const thud_node *where = thud_node_find(root, "initial");
  if (error == THUD_ERROR_UNSUPPORTED) { /* a method of velocity problems that was asked for, or that of the motion */
    const thud_node *simulate = thud_node_find(root, "simulate"), *solver = thud_node_find(simulate, "solver");
    const thud_node *named = solver != NULL ? thud_node_find(solver, "method") : NULL;
    bool of_solver = named != NULL && strstr(thud_context_last_message(scene->context), "the solver's method") != NULL;
    where = of_solver ? named : thud_node_find(simulate, "method");
  }
  if (error == THUD_ERROR_NOT_SPD) where = mass != NULL ? mass : thud_node_find(system, "kinetic_energy");
  return thud_node_fail_within(where, error);
}

/* Coordinates, options and the start. */
static thud_error read_start(thud_scene *scene, const thud_node *root, const thud_node *system) {
  const thud_node *coordinates;
  thud_error error = thud_node_require_as(system, "coordinates", "a list of names, such as [x, y]", &coordinates);
  if (error == THUD_OK) error = thud_scene_read_names(scene, coordinates);
  if (error == THUD_OK) error = thud_scene_name_velocities(scene, &thud_scene_lagrangian(scene)->velocities);
  return error == THUD_OK ? thud_scene_build_lagrangian_start(scene, root) : error;
}

static thud_error read_system(system_parts *parts, const thud_node *root) {
  static const char *const keys[] = {"coordinates", "kinetic_energy", "mass",       "forces",
                                     "constraints", "friction",       "percussions"};
  thud_scene *scene = parts->scene;
  const thud_node *table = NULL, *definitions = thud_node_find(root, "definitions");
  thud_error error = thud_scene_check_keys(scene, parts->system, sizeof keys / sizeof *keys, keys,
                                           THUD_TABLES(thud_system_section_table()));
  if (error == THUD_OK) error = read_start(scene, root, parts->system);
  parts->n = (size_t)scene->dimension;
  if (error == THUD_OK) error = read_impact_law(parts, &table);
  if (error == THUD_OK) error = thud_scene_read_definitions(scene, definitions);
  if (error == THUD_OK) error = read_inertia(parts);
  if (error == THUD_OK)
    error =
        read_required(parts, parts->system, "potential_energy", "an expression", &parts->def.potential_energy, NULL);
  if (error == THUD_OK) error = read_forces(parts);
  if (error == THUD_OK) error = read_constraints(parts);
  if (error == THUD_OK) error = make_system(parts, definitions);
  if (error == THUD_OK && table != NULL) error = build_table(parts, table);
  if (error == THUD_OK) error = judge_friction(parts);
  thud_scene_lagrangian(scene)->event.percussion = thud_scene_lagrangian(scene)->motion.percussion;
  if (error == THUD_OK) error = thud_scene_build_units(scene, root);
  return error == THUD_OK ? thud_system_choose_step(scene) : error;
}

static thud_error make_model(thud_scene *scene) {
  scene->model = THUD_NEW(scene->context, scene_system);
  scene->free_model = thud_scene_free_system;
  if (thud_scene_lagrangian(scene) == NULL) return THUD_ERROR_MEMORY;
  thud_scene_lagrangian(scene)->motion = thud_stepping_options_default();
  thud_scene_lagrangian(scene)->event = thud_event_options_default();
  return THUD_OK;
}

thud_error thud_scene_read_system_names(thud_scene *scene, const thud_node *root) {
  thud_arena *texts = NULL;
  thud_error error = make_model(scene);
  if (error == THUD_OK) error = thud_arena_create(scene->context, 4096, &texts);
  if (error == THUD_OK) error = read_start(scene, root, thud_node_find(root, "system"));
  if (error == THUD_OK) error = thud_scene_read_definitions(scene, thud_node_find(root, "definitions"));
  thud_arena_destroy(texts);
  return error == THUD_OK ? thud_scene_build_units(scene, root) : error;
}

thud_error thud_scene_build_system(thud_scene *scene, const thud_node *root) {
  if (root == NULL) return THUD_OK; /* a C program has made the system */
  const thud_node *functions = thud_node_find(thud_node_find(root, "system"), "functions");
  if (functions != NULL)
    return thud_node_fail(
        functions, THUD_ERROR_UNSUPPORTED,
        "[program-functions] the functions of this system are in a program: only that program can run or resume it");
  thud_error error = make_model(scene);
  if (error != THUD_OK) return error;
  system_parts parts = {.scene = scene,
                        .root = root,
                        .system = thud_node_find(root, "system"),
                        .names = thud_names_new(scene->context, NULL)};
  error = thud_arena_create(scene->context, 4096, &parts.texts);
  if (error == THUD_OK) error = read_system(&parts, root);
  for (size_t k = 0; k < parts.laws; k++) thud_set_destroy(parts.sets[k]);
  thud_names_free(&parts.names);
  thud_arena_destroy(parts.texts);
  return error;
}

void thud_scene_free_system(thud_scene *scene) {
  scene_system *made = thud_scene_lagrangian(scene);
  if (made == NULL) return;
  thud_context *context = scene->context;
  thud_system_destroy(made->own);
  for (thud_index k = 0; made->velocities != NULL && k < scene->dimension; k++) thud_free(context, made->velocities[k]);
  thud_free(context, made->velocities);
  thud_free(context, made->q0);
  thud_free(context, made->v0);
  free_functions(context, &made->table);
  thud_free(context, made->frames);
  thud_free(context, made);
}
