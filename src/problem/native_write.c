/* Writing native problems: the YAML text is built while matrix files are written under temporary names; at the end all
 * get their final names, the YAML file last. */
#include "problem/matrix_market.h"
#include "record/output.h"
#include "problem/matrix.h"
#include "problem/native.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct native_writer {
  thud_context *context;
  const char *path;
  const thud_problem_contents *contents;
  bool overwrite;
  thud_text yaml;
  thud_output *outputs; /* [output_count] matrix files under their temporary names */
  size_t output_count, output_capacity;
} native_writer;

/* ---- files -------------------------------------------------------------------------------------------------- */

static thud_error write_text(thud_context *context, const thud_output *output, const thud_text *text) {
  FILE *stream = fopen(thud_output_name(output), "wb");
  bool good = stream != NULL && fwrite(thud_text_chars(text), 1, text->length, stream) == text->length;
  int reason = errno;
  if (stream != NULL && fclose(stream) != 0 && good) {
    good = false;
    reason = errno;
  }
  if (good) return THUD_OK;
  return thud_fail(context, THUD_ERROR_FILE, "[bad-problem-file] %s: cannot be written (%s)", output->path,
                   strerror(reason));
}

/* Writes the matrix to a file of its own, NAME.label.mtx for NAME.yaml; *name (within the path) is its name without
 * the folder. */
static thud_error write_market(native_writer *writer, const char *label, const thud_matrix *matrix, const char **name) {
  thud_text path = thud_text_new(writer->context), text = thud_text_new(writer->context);
  const char *slash = strrchr(writer->path, '/'), *dot = strrchr(writer->path, '.');
  size_t folder = slash != NULL ? (size_t)(slash - writer->path) + 1 : 0, stem = strlen(writer->path);
  if (dot != NULL && (size_t)(dot - writer->path) > folder) stem = (size_t)(dot - writer->path);
  thud_output output = {0};
  thud_text_append(&path, writer->path, stem);
  thud_text_print(&path, ".%s.mtx", label);
  thud_error error = path.error;
  if (error == THUD_OK)
    error = thud_array_reserve(writer->context, &writer->outputs, &writer->output_capacity, writer->output_count + 1,
                               sizeof *writer->outputs);
  if (error == THUD_OK) error = thud_matrix_market_print(writer->context, matrix, &text);
  if (error == THUD_OK) error = thud_output_begin(writer->context, path.data, writer->overwrite, &output);
  if (error == THUD_OK) {
    writer->outputs[writer->output_count++] = output;
    *name = output.path + folder;
    error = write_text(writer->context, &output, &text);
  }
  thud_text_free(&text);
  thud_text_free(&path);
  return error;
}

/* ---- values ------------------------------------------------------------------------------------------------- */

static void print_quoted(native_writer *writer, const char *text) {
  thud_json json = thud_json_new(&writer->yaml);
  thud_json_string(&json, text);
}

static void print_text(native_writer *writer, const char *key, const char *text) {
  if (text == NULL) return;
  thud_text_print(&writer->yaml, "%s: ", key);
  print_quoted(writer, text);
  thud_text_print(&writer->yaml, "\n");
}

static void print_count(native_writer *writer, const char *key, thud_index count) {
  thud_text_print(&writer->yaml, "%s: %d\n", key, (int)count);
}

/* prefix goes in front of the key, label names the file of a long vector. NULL is left out. */
static thud_error print_vector(native_writer *writer, const char *prefix, const char *key, const char *label,
                               size_t count, const double *values) {
  if (values == NULL) return THUD_OK;
  thud_text_print(&writer->yaml, "%s%s: ", prefix, key);
  if (count <= THUD_PROBLEM_INLINE || count > INT32_MAX) {
    thud_native_print_numbers(&writer->yaml, count, values);
  } else {
    const thud_matrix column = {.storage = THUD_MATRIX_DENSE, .rows = (thud_index)count, .columns = 1, .dense = values};
    const char *name = "";
    thud_error error = write_market(writer, label, &column, &name);
    if (error != THUD_OK) return error;
    thud_text_print(&writer->yaml, "{file: ");
    print_quoted(writer, name);
    thud_text_print(&writer->yaml, "}");
  }
  thud_text_print(&writer->yaml, "\n");
  return writer->yaml.error;
}

static thud_error print_indices(native_writer *writer, const char *key, size_t count, const thud_index *values) {
  double *numbers = THUD_NEW_ARRAY(writer->context, double, count);
  if (numbers == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < count; k++) numbers[k] = values[k];
  thud_error error = print_vector(writer, "", key, key, count, numbers);
  thud_free(writer->context, numbers);
  return error;
}

static thud_error print_entries(native_writer *writer, const thud_matrix *matrix) {
  thud_sparse sparse = {0};
  thud_text *yaml = &writer->yaml;
  char number[THUD_DOUBLE_CAPACITY];
  thud_error error = thud_problem_matrix_to_sparse(writer->context, matrix, &sparse);
  if (error != THUD_OK) return error;
  thud_text_print(yaml, "\n  storage: %s\n  entries: [", thud_matrix_storage_name(matrix->storage));
  for (thud_index j = 0; j < sparse.columns; j++)
    for (thud_index k = sparse.column_start[j]; k < sparse.column_start[j + 1]; k++) {
      thud_format_double(sparse.value[k], number, sizeof number);
      thud_text_print(yaml, "%s[%d, %d, %s]",
                      k == 0       ? ""
                      : k % 6 == 0 ? ",\n    "
                                   : ", ",
                      (int)sparse.row[k], (int)j, number);
    }
  thud_text_print(yaml, "]\n");
  thud_sparse_destroy(writer->context, &sparse);
  return yaml->error;
}

static void print_rows(native_writer *writer, const thud_matrix *matrix) {
  thud_text *yaml = &writer->yaml;
  size_t rows = (size_t)matrix->rows, columns = (size_t)matrix->columns;
  char number[THUD_DOUBLE_CAPACITY];
  thud_text_print(yaml, rows * columns == 0 ? "[" : "\n  [");
  for (size_t i = 0; i < rows && columns > 0; i++) {
    thud_text_print(yaml, "%s[", i > 0 ? ",\n   " : "");
    for (size_t j = 0; j < columns; j++) {
      thud_format_double(matrix->dense[j * rows + i], number, sizeof number);
      thud_text_print(yaml, "%s%s", j > 0 ? ", " : "", number);
    }
    thud_text_print(yaml, "]");
  }
  thud_text_print(yaml, "]\n");
}

static size_t stored_entries(const thud_matrix *matrix) {
  if (matrix->storage == THUD_MATRIX_DENSE) return (size_t)matrix->rows * (size_t)matrix->columns;
  if (matrix->storage == THUD_MATRIX_SPARSE) return (size_t)matrix->sparse.column_start[matrix->columns];
  return (size_t)matrix->blocks.row_start[matrix->blocks.block_rows] * (size_t)matrix->blocks.rows_per_block *
         (size_t)matrix->blocks.columns_per_block;
}

static thud_error print_matrix(native_writer *writer, const char *key, const thud_matrix *matrix) {
  if (matrix->storage == THUD_MATRIX_NONE) return THUD_OK;
  thud_text_print(&writer->yaml, "%s: ", key);
  if (stored_entries(matrix) <= THUD_PROBLEM_INLINE) {
    if (matrix->storage != THUD_MATRIX_DENSE) return print_entries(writer, matrix);
    print_rows(writer, matrix);
    return writer->yaml.error;
  }
  const char *name = "";
  thud_error error = write_market(writer, key, matrix, &name);
  if (error != THUD_OK) return error;
  thud_text_print(&writer->yaml, "{storage: %s, file: ", thud_matrix_storage_name(matrix->storage));
  print_quoted(writer, name);
  thud_text_print(&writer->yaml, "}\n");
  return writer->yaml.error;
}

/* ---- the problem -------------------------------------------------------------------------------------------- */

static thud_error print_laws(native_writer *writer) {
  const thud_contact_problem *problem = writer->contents->problem;
  thud_error error = THUD_OK;
  if (problem->laws == NULL) return THUD_OK;
  thud_text_print(&writer->yaml, problem->contacts > 0 ? "laws:\n" : "laws: []\n");
  for (thud_index c = 0; c < problem->contacts && error == THUD_OK; c++) {
    thud_text_print(&writer->yaml, "  - ");
    if (problem->laws[c] == NULL)
      thud_text_print(&writer->yaml, "null");
    else
      error = thud_native_print_law(writer->context, problem->laws[c], &writer->yaml);
    thud_text_print(&writer->yaml, "\n");
    if (error != THUD_OK && error != THUD_ERROR_MEMORY)
      error = thud_fail_within(writer->context, error, "%s: law of contact %d", writer->path, (int)c);
  }
  return error;
}

typedef struct named_vector {
  const char *key;
  size_t count;
  const double *values;
} named_vector;

static thud_error print_vectors(native_writer *writer, size_t count, const named_vector *vectors) {
  thud_error error = THUD_OK;
  for (size_t k = 0; k < count && error == THUD_OK; k++)
    error = print_vector(writer, "", vectors[k].key, vectors[k].key, vectors[k].count, vectors[k].values);
  return error;
}

static thud_error print_matrices(native_writer *writer, size_t count, const char *const *keys,
                                 const thud_matrix *const *matrices) {
  thud_error error = THUD_OK;
  for (size_t k = 0; k < count && error == THUD_OK; k++) error = print_matrix(writer, keys[k], matrices[k]);
  return error;
}

static thud_error print_local(native_writer *writer) {
  static const char *const keys[] = {"W", "V", "R"};
  const thud_contact_problem *problem = writer->contents->problem;
  const thud_matrix *const matrices[] = {&problem->W, &problem->V, &problem->R};
  bool rows = problem->bilateral > 0;
  const named_vector vectors[] = {{"q", thud_contact_size(problem), problem->q},
                                  {"s", (size_t)problem->bilateral, rows ? problem->s : NULL}};
  thud_error error = print_matrices(writer, rows ? 3 : 1, keys, matrices);
  return error == THUD_OK ? print_vectors(writer, 2, vectors) : error;
}

static thud_error print_global(native_writer *writer) {
  static const char *const keys[] = {"M", "H", "G"};
  const thud_contact_problem *problem = writer->contents->problem;
  const thud_matrix *const matrices[] = {&problem->M, &problem->H, &problem->G};
  bool rows = problem->bilateral > 0;
  size_t ndof = thud_contact_ndof(problem);
  const named_vector vectors[] = {{"f", ndof, problem->f},
                                  {"w", thud_contact_size(problem), problem->w},
                                  {"b", (size_t)problem->bilateral, rows ? problem->b : NULL}};
  print_count(writer, "ndof", (thud_index)ndof);
  thud_error error = print_matrices(writer, rows ? 3 : 2, keys, matrices);
  return error == THUD_OK ? print_vectors(writer, 3, vectors) : error;
}

static thud_error print_two_block(native_writer *writer) {
  const thud_contact_problem *problem = writer->contents->problem;
  const thud_two_block *two = &problem->two_block;
  size_t bodies = (size_t)two->bodies, block = (size_t)two->block, size = thud_contact_size(problem);
  size_t contacts = (size_t)problem->contacts, rows = (size_t)problem->bilateral, joints = (size_t)two->joints;
  const named_vector vectors[] = {{"inverse_mass", bodies * block * block, two->inverse_mass},
                                  {"free_velocity", bodies * block, two->free_velocity},
                                  {"jacobian_a", size * block, two->jacobian_a},
                                  {"jacobian_b", size * block, two->jacobian_b},
                                  {"w", size, two->w},
                                  {"joint_jacobian_a", rows * block, two->joint_jacobian_a},
                                  {"joint_jacobian_b", rows * block, two->joint_jacobian_b},
                                  {"joint_w", rows, two->joint_w}};
  print_count(writer, "bodies", two->bodies);
  print_count(writer, "block", two->block);
  thud_error error = print_indices(writer, "body_a", contacts, two->body_a);
  if (error == THUD_OK) error = print_indices(writer, "body_b", contacts, two->body_b);
  if (joints > 0) {
    print_count(writer, "joints", two->joints);
    if (error == THUD_OK) error = print_indices(writer, "joint_start", joints + 1, two->joint_start);
    if (error == THUD_OK) error = print_indices(writer, "joint_a", joints, two->joint_a);
    if (error == THUD_OK) error = print_indices(writer, "joint_b", joints, two->joint_b);
  }
  return error == THUD_OK ? print_vectors(writer, joints > 0 ? 8 : 5, vectors) : error;
}

/* first: what is in front of the first key, "  " or "  - "; label: prefix of the names of files. */
static thud_error print_solution(native_writer *writer, const char *first, const char *label,
                                 const thud_problem_solution *solution) {
  const thud_contact_problem *problem = writer->contents->problem;
  size_t size = thud_contact_size(problem);
  const named_vector vectors[] = {{"v", thud_contact_ndof(problem), solution->v},
                                  {"u", size, solution->u},
                                  {"r", size, solution->r},
                                  {"l", (size_t)problem->bilateral, solution->l}};
  bool is_list = strcmp(first, "  ") != 0, started = false;
  for (size_t k = 0; k < 4; k++) {
    char name[40];
    if (vectors[k].values == NULL) continue;
    snprintf(name, sizeof name, "%s.%s", label, vectors[k].key);
    const char *prefix = !started ? first : is_list ? "    " : "  ";
    started = true;
    thud_error error = print_vector(writer, prefix, vectors[k].key, name, vectors[k].count, vectors[k].values);
    if (error != THUD_OK) return error;
  }
  if (!started) thud_text_print(&writer->yaml, "%s{}\n", first);
  return writer->yaml.error;
}

static thud_error print_answers(native_writer *writer) {
  const thud_problem_contents *contents = writer->contents;
  const thud_problem_solution *solution = &contents->solution;
  thud_error error = THUD_OK;
  if (solution->v != NULL || solution->u != NULL || solution->r != NULL || solution->l != NULL) {
    thud_text_print(&writer->yaml, "solution:\n");
    error = print_solution(writer, "  ", "solution", solution);
  }
  if (contents->guess_count > 0) thud_text_print(&writer->yaml, "guesses:\n");
  for (size_t k = 0; k < contents->guess_count && error == THUD_OK; k++) {
    char label[32];
    snprintf(label, sizeof label, "guess%zu", k + 1);
    error = print_solution(writer, "  - ", label, &contents->guesses[k]);
  }
  return error;
}

static thud_error print_problem(native_writer *writer) {
  static const char *const names[] = {"local", "global", "two-block"};
  static thud_error (*const printers[])(native_writer *) = {print_local, print_global, print_two_block};
  const thud_problem_contents *contents = writer->contents;
  const thud_contact_problem *problem = contents->problem;
  size_t contacts = (size_t)problem->contacts;
  print_count(writer, "thud_problem", THUD_NATIVE_VERSION);
  print_text(writer, "title", contents->title);
  print_text(writer, "description", contents->description);
  print_text(writer, "math_info", contents->math_info);
  thud_text_print(&writer->yaml, "form: %s\n", names[problem->form]);
  print_count(writer, "dimension", problem->dimension);
  if (problem->friction != THUD_FRICTION_BY_DIMENSION)
    thud_text_print(&writer->yaml, "friction: %s\n", thud_native_friction_names[problem->friction]);
  print_count(writer, "contacts", problem->contacts);
  if (problem->bilateral > 0) print_count(writer, "bilateral", problem->bilateral);
  named_vector coefficients[THUD_COEFFICIENTS];
  for (int c = 0; c < THUD_COEFFICIENTS; c++)
    coefficients[c] = (named_vector){thud_coefficient_name((thud_coefficient)c), contacts,
                                     thud_coefficient_in(problem, (thud_coefficient)c)};
  thud_error error = print_vectors(writer, THUD_COEFFICIENTS, coefficients);
  if (error == THUD_OK) error = print_laws(writer);
  if (error == THUD_OK) error = printers[problem->form](writer);
  if (error == THUD_OK) error = print_answers(writer);
  return error == THUD_OK ? writer->yaml.error : error;
}

/* ---- final names ---------------------------------------------------------------------------------------------- */

/* Gives the files their final names in turn. When one cannot have it, those that were new are taken away again, and the
 * rest is cancelled. */
static thud_error commit(native_writer *writer) {
  thud_error error = THUD_OK;
  size_t done = 0;
  while (done < writer->output_count && error == THUD_OK) {
    char *final = writer->overwrite ? NULL : thud_strdup(writer->context, writer->outputs[done].path);
    error = !writer->overwrite && final == NULL
                ? THUD_ERROR_MEMORY
                : thud_output_commit(writer->context, &writer->outputs[done], writer->overwrite);
    /* The name is kept where the output was, so that it can be removed. */
    if (error == THUD_OK)
      writer->outputs[done++].path = final;
    else
      thud_free(writer->context, final);
  }
  for (size_t k = 0; k < done; k++) {
    if (error != THUD_OK && writer->outputs[k].path != NULL) unlink(writer->outputs[k].path);
    thud_free(writer->context, writer->outputs[k].path);
    writer->outputs[k].path = NULL;
  }
  return error;
}

thud_error thud_native_write(thud_context *context, const char *path, const thud_problem_contents *contents,
                             bool overwrite) {
  native_writer writer = {
      .context = context, .path = path, .contents = contents, .overwrite = overwrite, .yaml = thud_text_new(context)};
  thud_output yaml = {0};
  thud_error error = thud_output_begin(context, path, overwrite, &yaml);
  if (error != THUD_OK) return error;
  error = print_problem(&writer);
  if (error == THUD_OK) error = write_text(context, &yaml, &writer.yaml);
  if (error == THUD_OK)
    error = thud_array_reserve(context, &writer.outputs, &writer.output_capacity, writer.output_count + 1,
                               sizeof *writer.outputs);
  if (error == THUD_OK) {
    writer.outputs[writer.output_count++] = yaml;
    error = commit(&writer);
  } else {
    thud_output_cancel(context, &yaml);
  }
  for (size_t k = 0; k < writer.output_count; k++) thud_output_cancel(context, &writer.outputs[k]);
  thud_free(context, writer.outputs);
  thud_text_free(&writer.yaml);
  return error;
}
