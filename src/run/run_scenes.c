/* Scenes built with the table of kinds. */
#include "base/base.h"
#include "record/reader.h"
#include "run/run_draw.h"
#include "run/run_observe.h"
#include "run/run.h"
#include "run/run_scales.h"
#include "scene/scene_options.h"
#include "scene/resolve.h"
#include "scene/scene_scales.h"
#include "thud/film.h"

#include <stdio.h>
#include <string.h>

/* Keys of every scene. */
static const char *const common_keys[] = {"thud",     "title",  "units", "parameters", "definitions", "data", "initial",
                                          "simulate", "record", "draw",  "chosen",     "observe",     "until"};
enum { COMMON_KEYS = sizeof common_keys / sizeof *common_keys };

/* The caller's kinds, who are asked first, and those of the library. */
typedef struct kind_list {
  size_t count;
  const thud_kind *const *more;
} kind_list;

static size_t kind_count(const kind_list *list) { return thud_kind_count + list->count; }

static const thud_kind *kind_at(const kind_list *list, size_t k) {
  return k < list->count ? list->more[k] : thud_kind_table[k - list->count];
}

/* ---- kinds of the caller ------------------------------------------------------------------------------------------
 */

static bool is_whole(const thud_kind *kind) {
  return kind->build != NULL && kind->destroy != NULL && kind->method != NULL && kind->layout != NULL &&
         kind->advance != NULL && kind->finish != NULL && kind->report != NULL;
}

/* A name in records says by whom they are verified, so it is one kind's alone. */
static thud_error check_kind(thud_context *context, const kind_list *list, size_t k) {
  const thud_kind *kind = list->more[k];
  if (kind == NULL || kind->name == NULL || kind->name[0] == '\0' || kind->section == NULL || kind->section[0] == '\0')
    return thud_fail(context, THUD_ERROR_ARGUMENT, "kind %zu of %zu has no name or no section", k + 1, list->count);
  if (strlen(kind->name) > THUD_RECORD_NAME_LENGTH)
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "[bad-name] the kind '%.20s...' has a name of %zu bytes, at most %d are possible", kind->name,
                     strlen(kind->name), THUD_RECORD_NAME_LENGTH);
  for (size_t j = k + 1; j < kind_count(list); j++)
    if (kind_at(list, j) != NULL && kind_at(list, j)->name != NULL && strcmp(kind_at(list, j)->name, kind->name) == 0)
      return thud_fail(context, THUD_ERROR_ARGUMENT,
                       "[duplicate-name] two kinds are called '%s'%s: give yours another name", kind->name,
                       j >= list->count ? ", one of them is the library's" : "");
  for (size_t j = 0; j < COMMON_KEYS; j++)
    if (strcmp(common_keys[j], kind->section) == 0)
      return thud_fail(context, THUD_ERROR_ARGUMENT,
                       "the section '%s' of the kind '%s' is a key of every scene: give it another name", kind->section,
                       kind->name);
  if (is_whole(kind)) return THUD_OK;
  return thud_fail(context, THUD_ERROR_ARGUMENT,
                   "the kind '%s' lacks one of: build, destroy, method, layout, advance, finish, report", kind->name);
}

/* Before every step: mostly there is none. */
void thud_run_forget_message(thud_context *context) {
  if (thud_context_last_message(context)[0] != '\0') (void)thud_fail(context, THUD_OK, "%s", "");
}

thud_error thud_run_explain(thud_context *context, const thud_kind *kind, const char *function, thud_error error) {
  if (error == THUD_OK || thud_context_last_message(context)[0] != '\0') return error;
  return thud_fail(context, error, "kind '%s': %s failed (%s)", kind->name, function, thud_error_text(error));
}

/* ---- which kind -------------------------------------------------------------------------------------------------- */

/* "'sweeping' or 'system'" */
static void list_sections(const kind_list *list, char *text, size_t capacity) {
  size_t used = 0;
  text[0] = '\0';
  for (size_t k = 0; k < kind_count(list) && used < capacity; k++) {
    const char *section = kind_at(list, k)->section;
    size_t same = 0;
    while (strcmp(kind_at(list, same)->section, section) != 0) same++;
    if (same < k) continue;
    used += (size_t)snprintf(text + used, capacity - used, "%s'%s'", used > 0 ? " or " : "", section);
  }
}

/* One section per scene. */
static thud_error find_section(const kind_list *list, const thud_node *root) {
  char sections[256];
  const char *found = NULL;
  for (size_t k = 0; k < kind_count(list); k++) {
    const char *section = kind_at(list, k)->section;
    if (thud_node_find(root, section) == NULL) continue;
    if (found != NULL && strcmp(found, section) != 0)
      return thud_node_fail(root, THUD_ERROR_SCHEMA, "[two-models] '%s' and '%s' in one scene: make two of it", found,
                            section);
    found = section;
  }
  if (found != NULL) return THUD_OK;
  list_sections(list, sections, sizeof sections);
  return thud_node_fail(root, THUD_ERROR_SCHEMA, "[no-model] a scene needs a model: %s", sections);
}

/* A model of earlier versions, and how it is written now. */
static thud_error check_old_kind(thud_context *context, const thud_node *root) {
  const thud_node *old = thud_node_find(root, "particles_on_line");
  if (old == NULL) return THUD_OK;
  thud_error error =
      thud_node_fail(old, THUD_ERROR_SCHEMA,
                     "[old-scene] particles on a line are a 'system' now, any system may have percussions "
                     "(docs/percussions.md); write it like this:");
  return thud_fail(
      context, error, "[old-scene] %s\n%s", thud_context_last_message(context),
      "  system:\n"
      "    coordinates: [q]                  # names\n"
      "    mass: [1]                         # masses, mass\n"
      "    potential_energy: 4*q^2/2         # stiffness\n"
      "    forces: {q: \"sin(t) - 0.2*q'\"}  # force, viscosity\n"
      "    friction:                         # slip: against transport; threshold: friction times normal.density "
      "(none: 0)\n"
      "      - {name: line, slip: [\"q' - 1\"], threshold: 0.5*1}\n"
      "    percussions:                      # normal.atoms, trains, families; threshold: friction times value\n"
      "      - {time: 1, every: 1, weight: 0.3, threshold: 0.5*1}");
}

/* The first kind that takes a scene of its section; NULL: none does, and building says why. */
static const thud_kind *kind_of(const kind_list *list, const thud_node *root) {
  for (size_t k = 0; k < kind_count(list); k++) {
    const thud_kind *row = kind_at(list, k);
    if (thud_node_find(root, row->section) != NULL && (row->takes == NULL || row->takes(root))) return row;
  }
  return NULL;
}

const thud_kind *thud_run_kind_of(const thud_node *root) {
  const kind_list list = {0};
  return thud_node_get_kind(root) == THUD_NODE_MAP ? kind_of(&list, root) : NULL;
}

const thud_kind *thud_run_kind_named(const char *name) {
  for (size_t k = 0; k < thud_kind_count; k++)
    if (strcmp(thud_kind_table[k]->name, name) == 0) return thud_kind_table[k];
  return NULL;
}

static thud_error check_keys(thud_context *context, const kind_list *list, const thud_node *root) {
  if (thud_node_find(root, "thud_problem") != NULL)
    return thud_node_fail(root, THUD_ERROR_FORMAT,
                          "[not-a-scene] this is a contact problem, not a scene; solve it with 'thud solve'");
  thud_error error = check_old_kind(context, root);
  if (error != THUD_OK) return error;
  const thud_kind *kind = kind_of(list, root);
  size_t further = kind != NULL ? kind->key_count : 0, count = 0;
  const char **keys = thud_alloc(context, COMMON_KEYS + kind_count(list) + further, sizeof *keys);
  if (keys == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < COMMON_KEYS; k++) keys[count++] = common_keys[k];
  for (size_t k = 0; k < kind_count(list); k++) keys[count++] = kind_at(list, k)->section;
  for (size_t k = 0; k < further; k++) keys[count++] = kind->keys[k];
  error = thud_node_check_keys(root, keys, count);
  thud_free(context, (void *)keys);
  return error;
}

/* ---- options as keys --------------------------------------------------------------------------------------------- */

static const char *const null_checkpoints[] = {"checkpoint_every", NULL};
static const thud_kind_keys common_options[] = {
    {.place = "simulate", .table = thud_scene_times_option_table},
    {.place = "record", .table = thud_scene_record_option_table, .nullable = null_checkpoints},
    {.place = NULL}};

const thud_kind_keys *thud_run_common_options(void) { return common_options; }

bool thud_run_is_listed(const char *key, const char *const *list) {
  for (size_t k = 0; list != NULL && list[k] != NULL; k++)
    if (strcmp(list[k], key) == 0) return true;
  return false;
}

/* The keys of a section that the entries allow, maps in it among them; keys NULL: only how many there may be. */
static size_t collect_keys(const thud_kind_keys *entries, const char *section, const char **keys) {
  size_t count = 0, length = strlen(section);
  for (const thud_kind_keys *entry = entries; entry != NULL && entry->place != NULL; entry++) {
    if (strncmp(entry->place, section, length) == 0 && entry->place[length] == '.') {
      if (keys != NULL) keys[count] = entry->place + length + 1;
      count++;
    }
    if (strcmp(entry->place, section) != 0) continue;
    const thud_option_table *table = entry->table();
    for (size_t k = 0; k < table->count; k++) {
      if (thud_run_is_listed(table->keys[k].name, entry->without)) continue;
      if (keys != NULL) keys[count] = table->keys[k].name;
      count++;
    }
  }
  return count;
}

static thud_error check_section(thud_scene *scene, const char *section, const thud_node *map) {
  size_t own = collect_keys(scene->kind->options, section, NULL), common = collect_keys(common_options, section, NULL);
  const char **keys = thud_alloc(scene->context, own + common + 1, sizeof *keys);
  if (keys == NULL) return THUD_ERROR_MEMORY;
  collect_keys(common_options, section, keys);
  collect_keys(scene->kind->options, section, keys + common);
  thud_error error = thud_node_check_keys(map, keys, own + common);
  thud_free(scene->context, (void *)keys);
  return error;
}

/* Maps in a section are checked once the kind has read them: it may say more about a wrong key. */
static thud_error check_maps(thud_scene *scene, const thud_node *root) {
  static const char simulate[] = "simulate.";
  thud_error error = THUD_OK;
  for (const thud_kind_keys *entry = scene->kind->options; entry != NULL && entry->place != NULL; entry++) {
    bool within = strncmp(entry->place, simulate, sizeof simulate - 1) == 0;
    const thud_node *map =
        within ? thud_node_find(thud_node_find(root, "simulate"), entry->place + sizeof simulate - 1) : NULL;
    if (map != NULL && error == THUD_OK) error = check_section(scene, entry->place, map);
  }
  return error;
}

static thud_error check_options(thud_scene *scene, const thud_node *root) {
  thud_error error = check_section(scene, "record", thud_node_find(root, "record"));
  if (error == THUD_OK && scene->kind->options != NULL)
    error = check_section(scene, "simulate", thud_node_find(root, "simulate"));
  return error;
}

/* ---- building ---------------------------------------------------------------------------------------------------- */

thud_error thud_run_keep_start(thud_scene *scene) {
  scene->state_size = thud_run_state_size(scene);
  scene->start_state = thud_alloc(scene->context, scene->state_size, 1);
  if (scene->start_state == NULL) return THUD_ERROR_MEMORY;
  thud_run_save_state(scene, scene->start_state);
  return THUD_OK;
}

thud_error thud_run_check_state_size(const thud_scene *scene) {
  size_t size = thud_run_state_size(scene);
  if (size == scene->state_size) return THUD_OK;
  return thud_fail(scene->context, THUD_ERROR_ARGUMENT,
                   "kind '%s': its state has %zu bytes now and had %zu at the start; the size must not change",
                   scene->kind->name, size, scene->state_size);
}

/* A motion with the name of its method, or an error. */
static thud_error build_motion(thud_scene *scene, const thud_node *root) {
  const thud_kind *kind = scene->kind;
  thud_run_forget_message(scene->context);
  thud_error error = thud_run_explain(scene->context, kind, "build", kind->build(scene, root, &scene->motion));
  if (error != THUD_OK) return error;
  const thud_kind_object *object = scene->motion;
  const char *method = object != NULL && object->motion != NULL ? kind->method(scene->motion) : NULL;
  if (method != NULL && strlen(method) <= THUD_RECORD_NAME_LENGTH) return THUD_OK;
  return thud_fail(scene->context, THUD_ERROR_ARGUMENT, "kind '%s': %s", kind->name,
                   object == NULL || object->motion == NULL ? "build gave no motion"
                   : method == NULL                         ? "its method has no name"
                                                            : "the name of its method is too long for a record");
}

static thud_error resolve(thud_context *context, const kind_list *list, const thud_tree *given, thud_tree **resolved) {
  thud_tree *tree = NULL;
  thud_error error = thud_tree_copy(context, given, &tree);
  const thud_kind *kind = error == THUD_OK ? kind_of(list, thud_tree_root(tree)) : NULL;
  if (error == THUD_OK) error = thud_scene_resolve_common(tree, kind == NULL || !kind->own_units);
  if (error == THUD_OK && kind != NULL && kind->resolve != NULL) error = kind->resolve(tree);
  if (error == THUD_OK)
    *resolved = tree;
  else
    thud_tree_destroy(tree);
  return error;
}

thud_error thud_scene_resolve(thud_context *context, const thud_tree *given, thud_tree **resolved) {
  THUD_REQUIRE(context, context, given, resolved);
  const kind_list list = {0};
  if (given == NULL || resolved == NULL) return thud_fail(context, THUD_ERROR_ARGUMENT, "no scene tree was given");
  return resolve(context, &list, given, resolved);
}

const char *thud_scene_text(const thud_scene *scene) {
  THUD_REQUIRE_OR(NULL, scene);
  return scene->text;
}
const char *thud_scene_resolved_text(const thud_scene *scene) {
  THUD_REQUIRE_OR(NULL, scene);
  return scene->resolved;
}

/* The tree with the texts of the files beside it: a record has everything that a resumed run needs. */
static thud_error take_files(thud_context *context, const kind_list *list, const thud_tree *given, thud_tree **whole) {
  thud_error error = thud_tree_copy(context, given, whole);
  if (error != THUD_OK) return error;
  const thud_node *root = thud_tree_root(*whole);
  const thud_kind *kind = thud_node_get_kind(root) == THUD_NODE_MAP ? kind_of(list, root) : NULL;
  if (kind != NULL && kind->take_files != NULL) error = kind->take_files(*whole);
  if (error != THUD_OK) thud_tree_destroy(*whole);
  return error;
}

static scene_data_form data_form_of(const thud_kind *kind) {
  return (scene_data_form){.expressions = kind->data_as_expressions,
                           .section = kind->section,
                           .places = kind->differentiated,
                           .place_count = kind->differentiated_count};
}

/* Which kind it is, and what all scenes have. */
static thud_error begin(thud_scene *scene, const kind_list *list, const thud_node *root) {
  thud_error error = check_keys(scene->context, list, root);
  if (error == THUD_OK) error = find_section(list, root);
  if (error != THUD_OK) return error;
  scene->kind = kind_of(list, root);
  if (scene->kind == NULL) return thud_node_fail(root, THUD_ERROR_INTERNAL, "no kind of motion takes this scene");
  error = thud_scene_build_common(scene, root, data_form_of(scene->kind));
  if (error == THUD_OK && !scene->kind->reads_definitions)
    error = thud_scene_read_definitions(scene, thud_node_find(root, "definitions"));
  return error == THUD_OK ? check_options(scene, root) : error;
}

/* With the channels of the motion, which are checked before names are taken from them. */
static thud_error build_draw(thud_scene *scene, const thud_node *root) {
  if (thud_node_find(root, "draw") == NULL) return THUD_OK;
  const thud_record_layout *layout = thud_observe_layout(scene);
  thud_error error = thud_run_check_layout(scene->context, scene->kind, layout);
  return error == THUD_OK ? thud_draw_build(scene, root, layout) : error;
}

static thud_error build(thud_scene *scene, const kind_list *list, const thud_tree *as_given) {
  thud_tree *tree = NULL, *given = NULL;
  thud_error error = take_files(scene->context, list, as_given, &given);
  if (error != THUD_OK) return error;
  error = resolve(scene->context, list, given, &tree);
  if (error != THUD_OK) {
    thud_tree_destroy(given);
    return error;
  }
  const thud_node *root = thud_tree_root(tree);
  error = begin(scene, list, root);
  if (error == THUD_OK) error = build_motion(scene, root);
  if (error == THUD_OK && !scene->kind->reads_definitions)
    error = thud_scene_check_definitions(scene, thud_node_find(root, "definitions"));
  if (error == THUD_OK) error = check_maps(scene, root);
  if (error == THUD_OK) error = thud_scales_describe(scene, tree);
  if (error == THUD_OK && scene->kind->describe != NULL) error = scene->kind->describe(scene->motion, tree);
  if (error == THUD_OK) error = thud_observe_build(scene, root);
  if (error == THUD_OK) error = build_draw(scene, root);
  if (error == THUD_OK) error = thud_scene_build_rest(scene, given, tree);
  thud_tree_destroy(tree);
  thud_tree_destroy(given);
  return error == THUD_OK ? thud_run_keep_start(scene) : error;
}

static thud_error build_new(thud_context *context, const kind_list *list, const thud_tree *tree,
                            const scene_program *program, thud_scene **scene) {
  thud_scene *made = THUD_NEW(context, thud_scene);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->context = context;
  made->program = program;
  thud_error error = build(made, list, tree);
  made->program = NULL;
  if (error == THUD_OK)
    *scene = made;
  else
    thud_scene_destroy(made);
  return error;
}

thud_error thud_scene_build_kinds(thud_context *context, const thud_tree *tree, size_t count,
                                  const thud_kind *const *kinds, thud_scene **scene) {
  THUD_REQUIRE(context, context, tree, count == 0 || kinds, scene);
  const kind_list list = {.count = count, .more = kinds};
  if (tree == NULL || scene == NULL || (count > 0 && kinds == NULL))
    return thud_fail(context, THUD_ERROR_ARGUMENT, "no scene tree was given");
  thud_error error = THUD_OK;
  for (size_t k = 0; k < count && error == THUD_OK; k++) error = check_kind(context, &list, k);
  return error == THUD_OK ? build_new(context, &list, tree, NULL, scene) : error;
}

thud_error thud_run_build_program(thud_context *context, const thud_tree *tree, const scene_program *program,
                                  thud_scene **scene) {
  const kind_list list = {0};
  return build_new(context, &list, tree, program, scene);
}

thud_error thud_scene_build(thud_context *context, const thud_tree *tree, thud_scene **scene) {
  THUD_REQUIRE(context, context, tree, scene);
  return thud_scene_build_kinds(context, tree, 0, NULL, scene);
}

const thud_record_layout *thud_scene_layout(const thud_scene *scene) {
  THUD_REQUIRE_OR(NULL, scene);
  return scene->motion != NULL && scene->start_state != NULL ? thud_observe_layout(scene) : NULL;
}

void thud_scene_destroy(thud_scene *scene) {
  if (scene == NULL) return;
  thud_draw_destroy(scene);
  thud_observe_destroy(scene->observe);
  if (scene->motion != NULL) scene->kind->destroy(scene->motion);
  thud_free(scene->context, scene->start_state);
  thud_scene_free(scene);
}

/* ---- scenes of records ----------------------------------------------------------------------------------------------- */

static thud_error keep_texts(thud_scene *scene, const thud_record_info *info) {
  scene->text = thud_strdup(scene->context, info->scene);
  scene->resolved = thud_strdup(scene->context, info->resolved);
  scene->source = thud_strdup(scene->context, info->source);
  return scene->text != NULL && scene->resolved != NULL && scene->source != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

/* The scene as the record holds it: defaults and the contents of files are in it already. */
static thud_error build_view(thud_scene *scene, const thud_record_reader *reader, const thud_node *root) {
  const kind_list list = {0};
  const thud_record_info info = thud_record_reader_info(reader);
  const thud_record_layout layout = thud_record_reader_layout(reader);
  thud_error error = begin(scene, &list, root);
  if (error != THUD_OK) return error;
  thud_run_forget_message(scene->context);
  error =
      thud_run_explain(scene->context, scene->kind, "build_view", scene->kind->build_view(scene, root, &scene->motion));
  if (error == THUD_OK) error = thud_draw_build(scene, root, &layout);
  if (error == THUD_OK && scene->units == NULL) error = thud_scene_build_units(scene, root);
  return error == THUD_OK ? keep_texts(scene, &info) : error;
}

thud_error thud_film_build_scene(thud_context *context, thud_record_reader *reader, thud_scene **scene) {
  THUD_REQUIRE(context, context, reader, scene);
  thud_tree *tree = NULL;
  const char *text = thud_record_reader_info(reader).resolved;
  if (text[0] == '\0')
    return thud_fail(context, THUD_ERROR_UNSUPPORTED, "this record holds no scene: what it looks like is not known");
  thud_error error = thud_tree_read_text(context, "scene of the record", text, strlen(text), &tree);
  if (error != THUD_OK) return error;
  thud_scene *made = THUD_NEW(context, thud_scene);
  error = made != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  if (error == THUD_OK) {
    made->context = context;
    error = build_view(made, reader, thud_tree_root(tree));
  }
  thud_tree_destroy(tree);
  if (error == THUD_OK)
    *scene = made;
  else
    thud_scene_destroy(made);
  return error;
}

thud_error thud_run_need_motion(const thud_scene *scene) {
  const thud_kind_object *object = scene->motion;
  if (object->motion != NULL) return THUD_OK;
  return thud_fail(
      scene->context, THUD_ERROR_ARGUMENT,
      "this scene was read from a record to draw it and has no motion: thud_scene_build makes one that runs "
      "from the same text");
}

thud_error thud_run_rewind(thud_scene *scene) {
  thud_run_forget_message(scene->context);
  return thud_run_explain(scene->context, scene->kind, "restore",
                          thud_run_restore_state(scene, scene->start_state, scene->state_size));
}

/* ---- what a scene says ------------------------------------------------------------------------------------------- */

thud_scene_info thud_scene_get_info(const thud_scene *scene) {
  THUD_REQUIRE_OR((thud_scene_info){0}, scene);
  return (thud_scene_info){.title = scene->title,
                           .kind = scene->kind->section,
                           .method = scene->kind->method(scene->motion),
                           .dimension = scene->dimension,
                           .coordinates = (const char *const *)scene->coordinates,
                           .start = scene->start,
                           .end = scene->end,
                           .steps = scene->steps};
}

void thud_scene_free_text(const thud_scene *scene, char *text) {
  THUD_REQUIRE_OR(, scene);
  thud_free(scene->context, text);
}

thud_context *thud_scene_context(const thud_scene *scene) {
  THUD_REQUIRE_OR(NULL, scene);
  return scene->context;
}

void thud_scene_span(const thud_scene *scene, double *start, double *end) {
  THUD_REQUIRE_OR(, scene, start, end);
  *start = scene->start;
  *end = scene->end;
}

void *thud_scene_motion(const thud_scene *scene) {
  THUD_REQUIRE_OR(NULL, scene);
  return scene->motion;
}

thud_error thud_scene_number(thud_scene *scene, const thud_node *node, double *value) {
  THUD_REQUIRE_OF(scene, node, value);
  return thud_scene_read_constant(scene, node, value);
}

thud_error thud_scene_steps(thud_scene *scene, const thud_node *root, thud_index *steps) {
  THUD_REQUIRE_OF(scene, root, steps);
  const thud_node *simulate;
  thud_error error = thud_node_require(root, "simulate", &simulate);
  if (error == THUD_OK) error = thud_scene_read_steps(scene, simulate);
  if (error == THUD_OK) *steps = scene->steps;
  return error;
}

/* ---- checking ---------------------------------------------------------------------------------------------------- */

static void write_common(const thud_scene *scene, const char *name, thud_json *json) {
  thud_scene_info info = thud_scene_get_info(scene);
  thud_json_string_field(json, "verdict", "good");
  thud_json_string_field(json, "file", name);
  thud_json_string_field(json, "title", info.title);
  thud_json_string_field(json, "kind", info.kind);
  thud_json_string_field(json, "method", info.method);
  thud_json_integer_field(json, "dimension", info.dimension);
  thud_json_key(json, "coordinates");
  thud_json_begin_flat_array(json);
  for (thud_index k = 0; k < info.dimension; k++) thud_json_string(json, info.coordinates[k]);
  thud_json_end_array(json);
  thud_json_number_field(json, "start", info.start);
  thud_json_number_field(json, "end", info.end);
  thud_json_integer_field(json, "steps", info.steps);
  thud_json_string_field(json, "step_chosen", scene->chosen[0] != '\0' ? scene->chosen : NULL);
}

thud_error thud_scene_check(const thud_scene *scene, const char *name, char **json, char **text) {
  THUD_REQUIRE_OF(scene, name, json, text);
  thud_context *context = scene->context;
  thud_error error = thud_run_need_motion(scene);
  if (error != THUD_OK) return error;
  thud_text json_text = thud_text_new(context), lines = thud_text_new(context);
  thud_json writer = thud_json_new(&json_text);
  static const char *const taken[] = {"verdict",     "file",  "title", "kind",  "method",      "dimension",
                                      "coordinates", "start", "end",   "steps", "step_chosen", "warnings"};
  thud_report report = {.context = context,
                        .json = &writer,
                        .lines = &lines,
                        .taken = taken,
                        .taken_count = sizeof taken / sizeof *taken};
  thud_json_begin_object(&writer);
  write_common(scene, name, &writer);
  thud_text_print(&lines, "%s: %s\n", name, scene->title[0] != '\0' ? scene->title : "(no title)");
  if (scene->chosen[0] != '\0') thud_report_line(&report, "step", "%s", scene->chosen);
  thud_scene_report_units(scene, &report);
  if (scene->kind->check != NULL) error = scene->kind->check(scene->motion, &report);
  thud_report_json_warnings(&report, &writer);
  thud_report_write_warnings(&report, &lines);
  thud_text_print(&lines, "verdict: good\n");
  thud_json_end_object(&writer);
  if (error == THUD_OK) error = report.error;
  if (json_text.error == THUD_OK) json_text.error = error;
  if (lines.error == THUD_OK) lines.error = json_text.error;
  thud_report_release(&report);
  error = thud_run_hand_out(&json_text, json);
  if (error != THUD_OK) {
    thud_text_free(&lines);
    return error;
  }
  error = thud_run_hand_out(&lines, text);
  if (error != THUD_OK) thud_free(context, *json);
  return error;
}
