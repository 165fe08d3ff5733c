/* Reading native problems. Vectors come before matrices: they are lists of known length, and bound what the sizes in
 * the file may ask for. */
#include "problem/matrix_market.h"
#include "problem/matrix.h"
#include "problem/native.h"

#include <math.h>
#include <string.h>

typedef struct native_reader {
  thud_context *context;
  thud_problem_file *file;
  thud_contact_problem *problem;
  const char *folder;
  const thud_node *root;
} native_reader;

/* ---- files beside the problem ----------------------------------------------------------------------------- */

/* The path of the file that {file: NAME} names; freed with thud_free. Only names beside the problem file. */
static thud_error file_path(const native_reader *reader, const thud_node *node, char **path) {
  const thud_node *named = NULL;
  const char *name = NULL;
  thud_error error = thud_node_require(node, "file", &named);
  if (error == THUD_OK) error = thud_node_read_string(named, &name);
  if (error != THUD_OK) return error;
  if (name[0] == '\0' || strchr(name, '/') != NULL)
    return thud_node_fail(named, THUD_ERROR_SCHEMA,
                          "[file-beside] a file beside this one is needed: a name without '/'");
  thud_text text = thud_text_new(reader->context);
  thud_text_print(&text, "%s%s", reader->folder, name);
  if (text.error != THUD_OK) return THUD_ERROR_MEMORY;
  *path = text.data;
  return THUD_OK;
}

static thud_error read_market(const native_reader *reader, const thud_node *node, thud_index rows, thud_index columns,
                              thud_matrix *matrix) {
  char *path = NULL;
  thud_error error = file_path(reader, node, &path);
  if (error != THUD_OK) return error;
  error = thud_matrix_market_read(reader->context, path, rows, columns, reader->file->owned, matrix);
  thud_free(reader->context, path);
  return error == THUD_OK || error == THUD_ERROR_MEMORY ? error : thud_node_fail_within(node, error);
}

/* ---- vectors ---------------------------------------------------------------------------------------------- */

static thud_error check_count(const thud_node *list, size_t count) {
  thud_error error = thud_node_expect(list, THUD_NODE_SEQUENCE);
  if (error != THUD_OK || thud_node_count(list) == count) return error;
  return thud_node_fail(list, THUD_ERROR_SCHEMA, "[wrong-count] %zu entries are needed here, found %zu", count,
                        thud_node_count(list));
}

/* A list of `count` numbers, or {file: NAME} of a count x 1 array. */
static thud_error read_list(const native_reader *reader, const thud_node *node, size_t count, const double **vector) {
  static const char *const keys[] = {"file"};
  if (thud_node_get_kind(node) == THUD_NODE_MAP) {
    thud_matrix column = {0};
    thud_error error = thud_node_check_keys(node, keys, 1);
    if (error == THUD_OK) error = read_market(reader, node, (thud_index)count, 1, &column);
    if (error == THUD_OK && column.storage != THUD_MATRIX_DENSE)
      error = thud_node_fail(node, THUD_ERROR_SCHEMA,
                             "[bad-problem-file] a vector needs a Matrix Market file of the kind 'array'");
    if (error == THUD_OK) *vector = column.dense;
    return error;
  }
  thud_error error = check_count(node, count);
  if (error != THUD_OK) return error;
  double *values = thud_owned_problem_alloc(reader->file->owned, count, sizeof *values);
  if (values == NULL) return THUD_ERROR_MEMORY;
  error = thud_node_read_numbers(node, count, values);
  if (error == THUD_OK) *vector = values;
  return error;
}

/* The vector under a key; absent: *vector stays as it is, or an error when it is required. */
static thud_error read_vector(const native_reader *reader, const thud_node *map, const char *key, bool required,
                              size_t count, const double **vector) {
  const thud_node *node = thud_node_find(map, key);
  if (node == NULL && !required) return THUD_OK;
  thud_error error = thud_node_require(map, key, &node);
  return error == THUD_OK ? read_list(reader, node, count, vector) : error;
}

static thud_error read_indices(const native_reader *reader, const thud_node *map, const char *key, size_t count,
                               const thud_index **indices) {
  const double *numbers = NULL;
  thud_error error = read_vector(reader, map, key, true, count, &numbers);
  if (error != THUD_OK) return error;
  thud_index *made = thud_owned_problem_alloc(reader->file->owned, count, sizeof *made);
  if (made == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < count; k++) {
    if (numbers[k] != floor(numbers[k]) || fabs(numbers[k]) > INT32_MAX)
      return thud_node_fail(thud_node_find(map, key), THUD_ERROR_SCHEMA,
                            "[wrong-count] entry %zu is %g, an index is needed", k, numbers[k]);
    made[k] = (thud_index)numbers[k];
  }
  *indices = made;
  return THUD_OK;
}

static thud_error read_count(const thud_node *map, const char *key, bool required, int64_t low, int64_t high,
                             thud_index *count) {
  const thud_node *node = thud_node_find(map, key);
  int64_t value = 0;
  if (node == NULL && !required) return THUD_OK;
  thud_error error = thud_node_require(map, key, &node);
  if (error == THUD_OK) error = thud_node_read_integer(node, low, high, &value);
  if (error == THUD_OK) *count = (thud_index)value;
  return error;
}

/* ---- matrices --------------------------------------------------------------------------------------------- */

/* A matrix without columns: [], or an empty list for each row. */
static thud_error check_no_columns(const thud_node *node, size_t rows) {
  thud_error error = thud_node_expect(node, THUD_NODE_SEQUENCE);
  if (error != THUD_OK || thud_node_count(node) == 0) return error;
  error = check_count(node, rows);
  for (size_t i = 0; i < rows && error == THUD_OK; i++) error = check_count(thud_node_item(node, i), 0);
  return error;
}

/* A list of rows. */
static thud_error read_rows(const native_reader *reader, const thud_node *node, thud_matrix *matrix) {
  size_t rows = (size_t)matrix->rows, columns = (size_t)matrix->columns, m = 0, n = 0;
  thud_error error = columns == 0 ? check_no_columns(node, rows) : check_count(node, rows);
  if (error == THUD_OK && rows > 0 && columns > 0) {
    error = thud_node_matrix_shape(node, &m, &n);
    if (error == THUD_OK && n != columns)
      error = thud_node_fail(node, THUD_ERROR_SCHEMA,
                             "[wrong-count] a %zu x %zu matrix is needed here, found %zu x %zu", rows, columns, m, n);
  }
  if (error != THUD_OK) return error;
  double *values = thud_owned_problem_alloc(reader->file->owned, rows * columns, sizeof *values);
  double *by_rows = THUD_NEW_ARRAY(reader->context, double, rows *columns);
  error = values == NULL || by_rows == NULL ? THUD_ERROR_MEMORY : THUD_OK;
  if (error == THUD_OK && rows * columns > 0) error = thud_node_read_matrix(node, rows, columns, by_rows);
  if (error == THUD_OK)
    for (size_t k = 0; k < rows * columns; k++) values[k] = by_rows[k % rows * columns + k / rows];
  thud_free(reader->context, by_rows);
  matrix->storage = THUD_MATRIX_DENSE;
  matrix->dense = values;
  return error;
}

/* entries: [[row, column, value], ...], indices from 0. */
static thud_error read_entries(const native_reader *reader, const thud_node *node, thud_matrix *matrix) {
  thud_triplets triplets = {0};
  thud_error error = thud_node_expect(node, THUD_NODE_SEQUENCE);
  if (error != THUD_OK) return error;
  size_t count = thud_node_count(node);
  error = thud_triplets_create(reader->context, count, &triplets);
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    const thud_node *entry = thud_node_item(node, k);
    int64_t i = 0, j = 0;
    double value = 0;
    error = check_count(entry, 3);
    if (error == THUD_OK) error = thud_node_read_integer(thud_node_item(entry, 0), 0, (int64_t)matrix->rows - 1, &i);
    if (error == THUD_OK) error = thud_node_read_integer(thud_node_item(entry, 1), 0, (int64_t)matrix->columns - 1, &j);
    if (error == THUD_OK) error = thud_node_read_number(thud_node_item(entry, 2), &value);
    if (error == THUD_OK) thud_triplets_add(&triplets, (thud_index)i, (thud_index)j, value);
  }
  if (error == THUD_OK) {
    error = thud_problem_matrix_from_triplets(reader->context, reader->file->owned, matrix->rows, matrix->columns,
                                              &triplets, matrix);
    if (error != THUD_OK && error != THUD_ERROR_MEMORY) error = thud_node_fail_within(node, error);
  }
  thud_triplets_free(reader->context, &triplets);
  return error;
}

/* {file: NAME} or {entries: [...]}, each with storage: dense | sparse | blocks when it is not the obvious one. */
static thud_error read_described(const native_reader *reader, const thud_node *node, thud_matrix *matrix) {
  static const char *const keys[] = {"file", "entries", "storage"};
  static const char *const storages[] = {"dense", "sparse", "blocks", NULL};
  const thud_node *entries = thud_node_find(node, "entries"), *storage = thud_node_find(node, "storage");
  int chosen = 0;
  thud_error error = thud_node_check_keys(node, keys, 3);
  if (error == THUD_OK && entries != NULL && thud_node_find(node, "file") != NULL)
    error = thud_node_fail(node, THUD_ERROR_SCHEMA, "[contradictory-keys] give either a file or entries, not both");
  if (error == THUD_OK && storage != NULL) error = thud_node_read_choice(storage, storages, &chosen);
  if (error == THUD_OK)
    error = entries != NULL ? read_entries(reader, entries, matrix)
                            : read_market(reader, node, matrix->rows, matrix->columns, matrix);
  if (error != THUD_OK || storage == NULL) return error;
  thud_matrix_storage wanted = (thud_matrix_storage)(THUD_MATRIX_DENSE + chosen);
  if (wanted != matrix->storage && matrix->storage == THUD_MATRIX_DENSE)
    return thud_node_fail(storage, THUD_ERROR_SCHEMA,
                          "[bad-problem-file] '%s' needs a Matrix Market file of the kind 'coordinate'",
                          storages[chosen]);
  error = thud_problem_matrix_store(reader->context, reader->file->owned, wanted, reader->problem->dimension, matrix);
  return error == THUD_OK || error == THUD_ERROR_MEMORY ? error : thud_node_fail_within(storage, error);
}

static thud_error read_matrix(const native_reader *reader, const char *key, size_t rows, size_t columns,
                              thud_matrix *matrix) {
  const thud_node *node = NULL;
  thud_matrix made = {.rows = (thud_index)rows, .columns = (thud_index)columns};
  thud_error error = thud_node_require(reader->root, key, &node);
  if (error != THUD_OK) return error;
  error =
      thud_node_get_kind(node) == THUD_NODE_MAP ? read_described(reader, node, &made) : read_rows(reader, node, &made);
  if (error == THUD_OK) *matrix = made;
  return error;
}

/* ---- contacts --------------------------------------------------------------------------------------------- */

static thud_error read_laws(const native_reader *reader) {
  thud_contact_problem *problem = reader->problem;
  const thud_node *list = thud_node_find(reader->root, "laws");
  if (list == NULL) return THUD_OK;
  thud_error error = check_count(list, (size_t)problem->contacts);
  if (error != THUD_OK) return error;
  if (thud_disc_layout_of(problem->dimension, problem->friction)->count != 1)
    return thud_node_fail(list, THUD_ERROR_SCHEMA,
                          "[bad-problem-file] general laws need dimension 2 or 3 without rolling friction");
  thud_set **laws = thud_owned_problem_alloc(reader->file->owned, (size_t)problem->contacts, sizeof *laws);
  if (laws == NULL) return THUD_ERROR_MEMORY;
  for (size_t c = 0; c < (size_t)problem->contacts && error == THUD_OK; c++) {
    const thud_node *item = thud_node_item(list, c);
    thud_set *law = NULL;
    if (thud_node_get_kind(item) == THUD_NODE_NULL) continue;
    error = thud_native_read_law(reader->context, item, problem->dimension - 1, &law);
    if (error == THUD_OK) error = thud_owned_problem_adopt_set(reader->file->owned, law);
    if (error != THUD_OK)
      thud_set_destroy(law);
    else
      laws[c] = law;
  }
  problem->laws = laws;
  return error;
}

static thud_error read_contacts(const native_reader *reader) {
  thud_contact_problem *problem = reader->problem;
  size_t contacts = (size_t)problem->contacts;
  thud_error error = read_laws(reader);
  const thud_disc_layout *layout = thud_disc_layout_of(problem->dimension, problem->friction);
  for (int c = 0; error == THUD_OK && c < THUD_COEFFICIENTS; c++) {
    thud_coefficient coefficient = (thud_coefficient)c;
    bool required = thud_disc_layout_uses(layout, coefficient) && problem->laws == NULL;
    error = read_vector(reader, reader->root, thud_coefficient_name(coefficient), required, contacts,
                        thud_coefficient_of(problem, coefficient));
  }
  return error;
}

/* ---- forms ------------------------------------------------------------------------------------------------ */

static thud_error read_local(const native_reader *reader) {
  thud_contact_problem *problem = reader->problem;
  size_t size = thud_contact_size(problem), bilateral = (size_t)problem->bilateral;
  thud_error error = read_vector(reader, reader->root, "q", true, size, &problem->q);
  if (error == THUD_OK) error = read_vector(reader, reader->root, "s", bilateral > 0, bilateral, &problem->s);
  if (error == THUD_OK) error = read_contacts(reader);
  if (error == THUD_OK) error = read_matrix(reader, "W", size, size, &problem->W);
  if (error == THUD_OK && bilateral > 0) error = read_matrix(reader, "V", size, bilateral, &problem->V);
  if (error == THUD_OK && bilateral > 0) error = read_matrix(reader, "R", bilateral, bilateral, &problem->R);
  return error;
}

static thud_error read_global(const native_reader *reader) {
  thud_contact_problem *problem = reader->problem;
  size_t size = thud_contact_size(problem), bilateral = (size_t)problem->bilateral;
  thud_index ndof = 0;
  thud_error error = read_count(reader->root, "ndof", true, 0, INT32_MAX - 1, &ndof);
  if (error == THUD_OK) error = read_vector(reader, reader->root, "f", true, (size_t)ndof, &problem->f);
  if (error == THUD_OK) error = read_vector(reader, reader->root, "w", false, size, &problem->w);
  if (error == THUD_OK) error = read_vector(reader, reader->root, "b", false, bilateral, &problem->b);
  if (error == THUD_OK) error = read_contacts(reader);
  if (error == THUD_OK) error = read_matrix(reader, "M", (size_t)ndof, (size_t)ndof, &problem->M);
  if (error == THUD_OK) error = read_matrix(reader, "H", (size_t)ndof, size, &problem->H);
  if (error == THUD_OK && bilateral > 0) error = read_matrix(reader, "G", (size_t)ndof, bilateral, &problem->G);
  return error;
}

static thud_error read_joints(const native_reader *reader) {
  thud_two_block *two = &reader->problem->two_block;
  const thud_node *root = reader->root;
  size_t rows = (size_t)reader->problem->bilateral, block = (size_t)two->block;
  if (rows == 0) return THUD_OK;
  thud_error error = read_count(root, "joints", true, 1, reader->problem->bilateral, &two->joints);
  size_t joints = (size_t)two->joints;
  if (error == THUD_OK) error = read_indices(reader, root, "joint_start", joints + 1, &two->joint_start);
  if (error == THUD_OK) error = read_indices(reader, root, "joint_a", joints, &two->joint_a);
  if (error == THUD_OK) error = read_indices(reader, root, "joint_b", joints, &two->joint_b);
  if (error == THUD_OK)
    error = read_vector(reader, root, "joint_jacobian_a", true, rows * block, &two->joint_jacobian_a);
  if (error == THUD_OK)
    error = read_vector(reader, root, "joint_jacobian_b", false, rows * block, &two->joint_jacobian_b);
  if (error == THUD_OK) error = read_vector(reader, root, "joint_w", false, rows, &two->joint_w);
  return error;
}

static thud_error read_two_block(const native_reader *reader) {
  thud_contact_problem *problem = reader->problem;
  thud_two_block *two = &problem->two_block;
  const thud_node *root = reader->root;
  size_t contacts = (size_t)problem->contacts, size = thud_contact_size(problem);
  thud_error error = read_count(root, "bodies", true, 0, INT32_MAX / 36, &two->bodies);
  if (error == THUD_OK) error = read_count(root, "block", true, 1, 6, &two->block);
  size_t bodies = (size_t)two->bodies, block = (size_t)two->block;
  if (error == THUD_OK) error = read_vector(reader, root, "free_velocity", true, bodies * block, &two->free_velocity);
  if (error == THUD_OK)
    error = read_vector(reader, root, "inverse_mass", true, bodies * block * block, &two->inverse_mass);
  if (error == THUD_OK) error = read_indices(reader, root, "body_a", contacts, &two->body_a);
  if (error == THUD_OK) error = read_indices(reader, root, "body_b", contacts, &two->body_b);
  if (error == THUD_OK) error = read_vector(reader, root, "jacobian_a", true, size * block, &two->jacobian_a);
  if (error == THUD_OK) error = read_vector(reader, root, "jacobian_b", false, size * block, &two->jacobian_b);
  if (error == THUD_OK) error = read_vector(reader, root, "w", false, size, &two->w);
  if (error == THUD_OK) error = read_joints(reader);
  return error == THUD_OK ? read_contacts(reader) : error;
}

/* ---- texts, solution, guesses ------------------------------------------------------------------------------ */

static thud_error read_text(const native_reader *reader, const char *key, const char **text) {
  const thud_node *node = thud_node_find(reader->root, key);
  const char *found = NULL;
  if (node == NULL) return THUD_OK;
  thud_error error = thud_node_read_string(node, &found);
  if (error == THUD_OK && strlen(found) > THUD_PROBLEM_TEXT_LENGTH)
    error = thud_node_fail(node, THUD_ERROR_SCHEMA, "[wrong-count] at most %d bytes are possible here",
                           THUD_PROBLEM_TEXT_LENGTH);
  return error == THUD_OK ? thud_problem_file_keep_text(reader->file, found, strlen(found), text) : error;
}

static thud_error read_solution(const native_reader *reader, const thud_node *node, thud_problem_solution *solution) {
  static const char *const keys[] = {"v", "u", "r", "l"};
  const thud_contact_problem *problem = reader->problem;
  size_t size = thud_contact_size(problem);
  thud_error error = thud_node_check_keys(node, keys, 4);
  if (error == THUD_OK) error = read_vector(reader, node, "v", false, thud_contact_ndof(problem), &solution->v);
  if (error == THUD_OK) error = read_vector(reader, node, "u", false, size, &solution->u);
  if (error == THUD_OK) error = read_vector(reader, node, "r", false, size, &solution->r);
  if (error == THUD_OK) error = read_vector(reader, node, "l", false, (size_t)problem->bilateral, &solution->l);
  return error;
}

static thud_error read_guesses(const native_reader *reader) {
  thud_problem_file *file = reader->file;
  const thud_node *list = thud_node_find(reader->root, "guesses");
  if (list == NULL) return THUD_OK;
  thud_error error = thud_node_expect(list, THUD_NODE_SEQUENCE);
  if (error != THUD_OK) return error;
  size_t count = thud_node_count(list);
  if (count > THUD_PROBLEM_GUESSES_MAX)
    return thud_node_fail(list, THUD_ERROR_SCHEMA, "[wrong-count] at most %d guesses are possible",
                          THUD_PROBLEM_GUESSES_MAX);
  file->guesses = thud_owned_problem_alloc(file->owned, count, sizeof *file->guesses);
  if (file->guesses == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < count && error == THUD_OK; k++)
    error = read_solution(reader, thud_node_item(list, k), &file->guesses[k]);
  if (error == THUD_OK) file->guess_count = count;
  return error;
}

static thud_error read_rest(const native_reader *reader) {
  thud_problem_file *file = reader->file;
  const thud_node *solution = thud_node_find(reader->root, "solution");
  thud_error error = read_text(reader, "title", &file->title);
  if (error == THUD_OK) error = read_text(reader, "description", &file->description);
  if (error == THUD_OK) error = read_text(reader, "math_info", &file->math_info);
  if (error == THUD_OK && solution != NULL) error = read_solution(reader, solution, &file->solution);
  if (error == THUD_OK) error = read_guesses(reader);
  return error;
}

/* ---- the file --------------------------------------------------------------------------------------------- */

#define COMMON_KEYS                                                                                                    \
  "thud_problem", "title", "description", "math_info", "form", "dimension", "friction", "contacts", "mu",              \
      "mu_rolling", "mu_spinning", "laws", "solution", "guesses"

static const struct {
  const char *name;
  thud_contact_form form;
  thud_error (*read)(const native_reader *reader);
  const char *keys[40];
} forms[] = {
    {"local", THUD_FORM_LOCAL, read_local, {COMMON_KEYS, "bilateral", "W", "q", "V", "R", "s"}},
    {"global", THUD_FORM_GLOBAL, read_global, {COMMON_KEYS, "bilateral", "ndof", "M", "H", "G", "f", "w", "b"}},
    {"two-block",
     THUD_FORM_TWO_BLOCK,
     read_two_block,
     {COMMON_KEYS, "bilateral", "bodies", "block", "inverse_mass", "free_velocity", "body_a", "body_b", "jacobian_a",
      "jacobian_b", "w", "joints", "joint_start", "joint_a", "joint_b", "joint_jacobian_a", "joint_jacobian_b",
      "joint_w"}},
};
enum { FORM_COUNT = sizeof forms / sizeof *forms };

static thud_error check_version(const thud_node *root) {
  int64_t version = 0;
  thud_error error = thud_node_expect(root, THUD_NODE_MAP);
  if (error != THUD_OK) return error;
  const thud_node *node = thud_node_find(root, "thud_problem");
  if (node != NULL) return thud_node_read_integer(node, THUD_NATIVE_VERSION, THUD_NATIVE_VERSION, &version);
  if (thud_node_find(root, "thud") != NULL)
    return thud_node_fail(root, THUD_ERROR_FORMAT,
                          "[is-a-scene] this is a scene, not a contact problem; run it with 'thud run'");
  return thud_node_fail(root, THUD_ERROR_FORMAT,
                        "[bad-problem-file] this is not a contact problem: a native one begins with 'thud_problem: 1'");
}

static bool has_key(int form, const char *key) {
  for (size_t k = 0; forms[form].keys[k] != NULL; k++)
    if (strcmp(forms[form].keys[k], key) == 0) return true;
  return false;
}

/* A key of another form gets words of its own: a similar name of this form (w for W) would mislead. */
static thud_error check_form_keys(const thud_node *root, int form) {
  for (size_t k = 0; k < thud_node_count(root); k++) {
    const char *key = thud_node_key(root, k);
    for (int other = 0; other < FORM_COUNT && !has_key(form, key); other++)
      if (has_key(other, key))
        return thud_node_fail(thud_node_item(root, k), THUD_ERROR_SCHEMA,
                              "[misplaced-key] this key belongs to 'form: %s'; the file says 'form: %s'",
                              forms[other].name, forms[form].name);
  }
  size_t count = 0;
  while (forms[form].keys[count] != NULL) count++;
  return thud_node_check_keys(root, forms[form].keys, count);
}

static thud_error read_friction(const thud_node *root, thud_contact_problem *problem) {
  const char *const names[] = {thud_native_friction_names[0], thud_native_friction_names[1], NULL};
  const thud_node *node = thud_node_find(root, "friction");
  int friction = THUD_FRICTION_BY_DIMENSION;
  thud_error error = node != NULL ? thud_node_read_choice(node, names, &friction) : THUD_OK;
  if (error != THUD_OK) return error;
  problem->friction = (thud_contact_friction)friction;
  if (thud_disc_layout_of(problem->dimension, problem->friction) != NULL) return THUD_OK;
  return thud_node_fail(thud_node_find(root, "dimension"), THUD_ERROR_SCHEMA,
                        "[wrong-count] 3 is needed here beside 'friction: %s', found %d", names[friction],
                        (int)problem->dimension);
}

/* Keys of bilateral rows beside no count of them would be left out without a word. */
static thud_error refuse_rows_without_count(const thud_node *root, thud_index bilateral) {
  static const char *const keys[] = {
      "V", "R", "s", "G", "b", "joints", "joint_a", "joint_b", "joint_jacobian_a", "joint_jacobian_b", "joint_w"};
  for (size_t k = 0; bilateral == 0 && k < sizeof keys / sizeof *keys; k++) {
    const thud_node *node = thud_node_find(root, keys[k]);
    thud_node_kind kind = thud_node_get_kind(node);
    bool empty = kind == THUD_NODE_NULL || (kind == THUD_NODE_SEQUENCE && thud_node_count(node) == 0) ||
                 (kind == THUD_NODE_NUMBER && thud_node_number(node) == 0);
    if (!empty)
      return thud_node_fail(
          node, THUD_ERROR_SCHEMA,
          "[misplaced-key] '%s' belongs to bilateral rows, but there are none: add 'bilateral: N' with their number",
          keys[k]);
  }
  return THUD_OK;
}

static thud_error read_head(const native_reader *reader, int *form) {
  thud_contact_problem *problem = reader->problem;
  const thud_node *node = NULL, *root = reader->root;
  const char *names[] = {forms[0].name, forms[1].name, forms[2].name, NULL};
  thud_error error = check_version(root);
  if (error == THUD_OK) error = thud_node_require(root, "form", &node);
  if (error == THUD_OK) error = thud_node_read_choice(node, names, form);
  if (error != THUD_OK) return error;
  problem->form = forms[*form].form;
  error = check_form_keys(root, *form);
  if (error == THUD_OK) error = read_count(root, "dimension", true, 1, THUD_CONTACT_DIMENSION_MAX, &problem->dimension);
  if (error == THUD_OK) error = read_friction(root, problem);
  if (error == THUD_OK)
    error = read_count(root, "contacts", true, 0, INT32_MAX / (6 * problem->dimension), &problem->contacts);
  if (error == THUD_OK) error = read_count(root, "bilateral", false, 0, INT32_MAX - 1, &problem->bilateral);
  return error == THUD_OK ? refuse_rows_without_count(root, problem->bilateral) : error;
}

static thud_error read_root(const native_reader *reader, thud_problem_kind kind) {
  int form = 0;
  thud_error error = read_head(reader, &form);
  if (error == THUD_OK) error = forms[form].read(reader);
  if (error == THUD_OK) error = read_rest(reader);
  if (error != THUD_OK) return error;
  error = thud_problem_check_kind(reader->context, reader->problem, kind);
  if (error != THUD_OK) return thud_node_fail_within(reader->root, error);
  return thud_problem_file_decide(reader->file, "native; %s, as the file says",
                                  thud_problem_kind_name(thud_problem_kind_of(reader->problem)));
}

thud_error thud_native_read_tree(thud_context *context, const thud_tree *tree, const char *folder,
                                 thud_problem_kind kind, thud_problem_file **file) {
  native_reader reader = {.context = context, .folder = folder, .root = thud_tree_root(tree)};
  thud_error error = thud_problem_file_create(context, THUD_PROBLEM_FORMAT_NATIVE, &reader.file);
  if (error != THUD_OK) return error;
  reader.problem = thud_owned_problem_edit(reader.file->owned);
  error = read_root(&reader, kind);
  if (error == THUD_OK)
    *file = reader.file;
  else
    thud_problem_file_destroy(reader.file);
  return error;
}

thud_error thud_native_read(thud_context *context, const char *path, thud_problem_kind kind, thud_problem_file **file) {
  thud_tree *tree = NULL;
  const char *slash = strrchr(path, '/');
  char *folder = thud_strndup(context, path, slash != NULL ? (size_t)(slash - path) + 1 : 0);
  if (folder == NULL) return THUD_ERROR_MEMORY;
  thud_error error = thud_tree_read_file(context, path, &tree);
  if (error == THUD_OK) error = thud_native_read_tree(context, tree, folder, kind, file);
  thud_tree_destroy(tree);
  thud_free(context, folder);
  return error;
}
