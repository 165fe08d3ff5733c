/* Siconos' text files of friction problems (frictionContactProblem_printInFile and its relatives).
 *   local   dimension nc, W, q, mu [, mu_r]
 *   global  dimension nc, M, H, f, b, mu [, mu_r]
 * Nothing in the file says which: a second matrix behind the first one makes it global. */
#include "problem/file.h"
#include "problem/matrix.h"
#include "problem/scan.h"
#include "base/base.h"

#include <stdio.h>
#include <string.h>

enum { STORAGE_DENSE = 0, STORAGE_BLOCKS = 1, STORAGE_SPARSE = 2 };
/* CSparse prints indices with %g: above a million they lose digits. */
enum { SPARSE_TEXT_MAX = 1000000 };

typedef struct siconos_reader {
  thud_scan scan;
  thud_problem_file *file;
  thud_contact_problem *problem;
} siconos_reader;

/* ---- vectors and dense matrices --------------------------------------------------------------------- */

static thud_error read_vector(siconos_reader *reader, const char *what, size_t count, const double **vector) {
  thud_error error = thud_scan_check_room(&reader->scan, what, count, 2);
  if (error != THUD_OK) return error;
  double *values = thud_owned_problem_alloc(reader->file->owned, count, sizeof *values);
  if (values == NULL) return THUD_ERROR_MEMORY;
  *vector = values;
  return thud_scan_numbers(&reader->scan, what, count, values);
}

static thud_error read_dense(siconos_reader *reader, const char *what, thud_matrix *matrix) {
  thud_index m = 0, n = 0;
  thud_error error = thud_scan_index(&reader->scan, what, matrix->rows, matrix->rows, &m);
  if (error == THUD_OK) error = thud_scan_index(&reader->scan, what, matrix->columns, matrix->columns, &n);
  if (error != THUD_OK) return error;
  matrix->storage = THUD_MATRIX_DENSE;
  return read_vector(reader, what, (size_t)m * (size_t)n, &matrix->dense);
}

/* ---- sparse blocks ------------------------------------------------------------------------------------ */

typedef struct block_layout {
  thud_index blocks, rows, columns; /* counts */
  thud_index *row_end, *column_end; /* [rows], [columns] cumulative */
  thud_index *start;                /* [rows + 1] first block of each row */
  thud_index *column;               /* [blocks] */
} block_layout;

/* `count` whole numbers low..high, not decreasing when asked for. */
static thud_error read_indices(siconos_reader *reader, const char *what, size_t count, thud_index low, thud_index high,
                               bool rising, thud_index *values) {
  thud_error error = THUD_OK;
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    error = thud_scan_index(&reader->scan, what, low, high, &values[k]);
    if (rising) low = values[k];
  }
  return error;
}

/* Ends of the block rows or columns; the last one is the size of the matrix. */
static thud_error read_ends(siconos_reader *reader, const char *what, thud_index count, thud_index size,
                            thud_index **ends) {
  *ends = thud_owned_problem_alloc(reader->file->owned, (size_t)count, sizeof **ends);
  if (*ends == NULL) return THUD_ERROR_MEMORY;
  thud_error error = read_indices(reader, what, (size_t)count, 0, size, true, *ends);
  if (error == THUD_OK && (count > 0 ? (*ends)[count - 1] : 0) != size)
    error = thud_scan_fail(&reader->scan, THUD_ERROR_FORMAT,
                           "[bad-problem-file] %s: the blocks end at %d, the matrix at %d", what,
                           count > 0 ? (int)(*ends)[count - 1] : 0, (int)size);
  return error;
}

static thud_error read_starts(siconos_reader *reader, const char *what, thud_index filled, block_layout *layout) {
  layout->start = thud_owned_problem_alloc(reader->file->owned, (size_t)layout->rows + 1, sizeof *layout->start);
  if (layout->start == NULL) return THUD_ERROR_MEMORY;
  thud_error error = read_indices(reader, what, (size_t)filled, 0, layout->blocks, true, layout->start);
  if (error != THUD_OK) return error;
  if (filled > 0 && (layout->start[0] != 0 || layout->start[filled - 1] != layout->blocks))
    return thud_scan_fail(&reader->scan, THUD_ERROR_FORMAT,
                          "[bad-problem-file] %s: the row pointers must run from 0 to %d blocks", what,
                          (int)layout->blocks);
  for (thud_index row = filled; row <= layout->rows; row++) layout->start[row] = layout->blocks;
  return THUD_OK;
}

static thud_error read_layout(siconos_reader *reader, const char *what, const thud_matrix *matrix,
                              block_layout *layout) {
  thud_scan *scan = &reader->scan;
  thud_index filled1 = 0, filled2 = 0;
  thud_error error = thud_scan_index(scan, what, 0, INT32_MAX - 1, &layout->blocks);
  if (error == THUD_OK) error = thud_scan_index(scan, what, 0, INT32_MAX - 1, &layout->rows);
  if (error == THUD_OK) error = thud_scan_index(scan, what, 0, INT32_MAX - 1, &layout->columns);
  size_t numbers = (size_t)layout->blocks + (size_t)layout->rows + (size_t)layout->columns;
  if (error == THUD_OK) error = thud_scan_check_room(scan, what, numbers, 2);
  if (error == THUD_OK) error = read_ends(reader, what, layout->rows, matrix->rows, &layout->row_end);
  if (error == THUD_OK) error = read_ends(reader, what, layout->columns, matrix->columns, &layout->column_end);
  if (error == THUD_OK) error = thud_scan_index(scan, what, layout->blocks > 0, (int64_t)layout->rows + 1, &filled1);
  if (error == THUD_OK) error = thud_scan_index(scan, what, layout->blocks, layout->blocks, &filled2);
  if (error == THUD_OK) error = read_starts(reader, what, filled1, layout);
  if (error != THUD_OK) return error;
  layout->column = thud_owned_problem_alloc(reader->file->owned, (size_t)layout->blocks, sizeof *layout->column);
  if (layout->column == NULL) return THUD_ERROR_MEMORY;
  return read_indices(reader, what, (size_t)filled2, 0, layout->columns - 1, false, layout->column);
}

static thud_index width_of(const thud_index *ends, thud_index k) { return ends[k] - (k > 0 ? ends[k - 1] : 0); }

/* Numbers in all the blocks together; counting stops once they are more than `enough` (no sum can overflow then). */
static size_t count_values(const block_layout *layout, size_t enough) {
  size_t count = 0;
  for (thud_index row = 0; row < layout->rows; row++)
    for (thud_index k = layout->start[row]; k < layout->start[row + 1] && count <= enough; k++)
      count += (size_t)width_of(layout->row_end, row) * (size_t)width_of(layout->column_end, layout->column[k]);
  return count;
}

static thud_error read_block_values(siconos_reader *reader, const char *what, const block_layout *layout,
                                    thud_triplets *triplets) {
  thud_error error = THUD_OK;
  for (thud_index row = 0; row < layout->rows; row++)
    for (thud_index k = layout->start[row]; k < layout->start[row + 1]; k++) {
      thud_index number = 0, m = width_of(layout->row_end, row), column = layout->column[k];
      thud_index n = width_of(layout->column_end, column);
      thud_index top = layout->row_end[row] - m, left = layout->column_end[column] - n;
      error = thud_scan_index(&reader->scan, what, k, k, &number);
      for (thud_index j = 0; j < n; j++)
        for (thud_index i = 0; i < m && error == THUD_OK; i++) {
          double value = 0;
          error = thud_scan_number(&reader->scan, what, &value);
          thud_triplets_add(triplets, top + i, left + j, value);
        }
      if (error != THUD_OK) return error;
    }
  return error;
}

static bool is_regular(const block_layout *layout, thud_index block) {
  for (thud_index k = 0; k < layout->rows; k++)
    if (width_of(layout->row_end, k) != block) return false;
  for (thud_index k = 0; k < layout->columns; k++)
    if (width_of(layout->column_end, k) != block) return false;
  return true;
}

static thud_error read_blocks(siconos_reader *reader, const char *what, bool keep_blocks, thud_matrix *matrix) {
  block_layout layout = {0};
  thud_triplets triplets = {0};
  thud_context *context = reader->file->context;
  thud_index block = reader->problem->dimension;
  thud_error error = read_layout(reader, what, matrix, &layout);
  if (error != THUD_OK) return error;
  size_t count = count_values(&layout, reader->scan.length);
  error = thud_scan_check_room(&reader->scan, what, count, 2);
  if (error == THUD_OK) error = thud_triplets_create(context, count, &triplets);
  if (error == THUD_OK) error = read_block_values(reader, what, &layout, &triplets);
  if (error == THUD_OK)
    error = thud_scan_fail_within(&reader->scan,
                                  thud_problem_matrix_from_triplets(context, reader->file->owned, matrix->rows,
                                                                    matrix->columns, &triplets, matrix),
                                  what);
  thud_triplets_free(context, &triplets);
  if (error == THUD_OK && keep_blocks && is_regular(&layout, block))
    error = thud_problem_matrix_store(context, reader->file->owned, THUD_MATRIX_BLOCKS, block, matrix);
  return error;
}

/* ---- sparse, as CSparse prints it ------------------------------------------------------------------------ */

/* "[triplet: ]m-by-n, nzmax: A nnz: B[, 1-norm: C]" */
static thud_error read_sparse_head(siconos_reader *reader, const char *what, const thud_matrix *matrix,
                                   bool *is_triplet, size_t *entries) {
  thud_scan *scan = &reader->scan;
  char word[THUD_SCAN_WORD] = "", size[THUD_SCAN_WORD];
  double ignored = 0;
  thud_scan_word(scan, word);
  *is_triplet = strcmp(word, "triplet:") == 0;
  if (*is_triplet) thud_scan_word(scan, word);
  snprintf(size, sizeof size, "%d-by-%d,", (int)matrix->rows, (int)matrix->columns);
  if (strcmp(word, size) != 0)
    return thud_scan_fail(scan, THUD_ERROR_FORMAT, "[bad-problem-file] %s: expected '%s', found '%s'", what, size,
                          word);
  thud_error error = thud_scan_expect(scan, "nzmax:");
  if (error == THUD_OK) error = thud_scan_number(scan, what, &ignored);
  if (error == THUD_OK) error = thud_scan_expect(scan, "nnz:");
  if (error != THUD_OK) return error;
  thud_scan_word(scan, word);
  size_t length = strlen(word);
  bool norm_follows = length > 0 && word[length - 1] == ',';
  if (norm_follows) word[length - 1] = '\0';
  double count = -1;
  if (!thud_parse_double(word, &count) || count < 0 || count > INT32_MAX || count != (double)(size_t)count)
    return thud_scan_fail(scan, THUD_ERROR_FORMAT, "[bad-problem-file] %s: the number of entries is needed, found '%s'",
                          what, word);
  *entries = (size_t)count;
  if (norm_follows) error = thud_scan_expect(scan, "1-norm:");
  if (norm_follows && error == THUD_OK) thud_scan_word(scan, word); /* may be nan when there is nothing to sum */
  /* An entry is at least "0 : 0" and a line break. */
  return error == THUD_OK ? thud_scan_check_room(scan, what, *entries, 6) : error;
}

static thud_error read_entry(siconos_reader *reader, const char *what, const thud_matrix *matrix, thud_index column,
                             thud_triplets *triplets) {
  thud_scan *scan = &reader->scan;
  thud_index row = 0;
  double value = 0;
  thud_error error = thud_scan_index(scan, what, 0, (int64_t)matrix->rows - 1, &row);
  if (error == THUD_OK && column < 0) error = thud_scan_index(scan, what, 0, (int64_t)matrix->columns - 1, &column);
  if (error == THUD_OK) error = thud_scan_expect(scan, ":");
  if (error == THUD_OK) error = thud_scan_number(scan, what, &value);
  if (error == THUD_OK) thud_triplets_add(triplets, row, column, value);
  return error;
}

/* "col c : locations a to b" behind its first word. */
static thud_error read_column_head(siconos_reader *reader, const char *what, const thud_matrix *matrix,
                                   thud_index *column) {
  thud_scan *scan = &reader->scan;
  double ignored;
  thud_error error = thud_scan_index(scan, what, (int64_t)*column + 1, (int64_t)matrix->columns - 1, column);
  if (error == THUD_OK) error = thud_scan_expect(scan, ":");
  if (error == THUD_OK) error = thud_scan_expect(scan, "locations");
  if (error == THUD_OK) error = thud_scan_number(scan, what, &ignored);
  if (error == THUD_OK) error = thud_scan_expect(scan, "to");
  if (error == THUD_OK) error = thud_scan_number(scan, what, &ignored);
  return error;
}

static thud_error read_columns(siconos_reader *reader, const char *what, const thud_matrix *matrix, size_t entries,
                               thud_triplets *triplets) {
  thud_scan *scan = &reader->scan;
  thud_index column = -1;
  for (;;) {
    char word[THUD_SCAN_WORD];
    size_t before = scan->at;
    bool more = thud_scan_word(scan, word);
    bool is_head = more && strcmp(word, "col") == 0;
    if (!is_head) scan->at = before;
    if (!is_head && triplets->count == entries) return THUD_OK;
    if (!is_head && column < 0)
      return thud_scan_fail(scan, THUD_ERROR_FORMAT, "[bad-problem-file] %s: expected 'col', found '%s'", what, word);
    thud_error error =
        is_head ? read_column_head(reader, what, matrix, &column) : read_entry(reader, what, matrix, column, triplets);
    if (error != THUD_OK) return error;
  }
}

static thud_error read_sparse(siconos_reader *reader, const char *what, thud_matrix *matrix) {
  thud_context *context = reader->file->context;
  thud_scan *scan = &reader->scan;
  thud_index origin = 0;
  size_t entries = 0;
  bool is_triplet = false;
  thud_triplets triplets = {0};
  if (matrix->rows > SPARSE_TEXT_MAX || matrix->columns > SPARSE_TEXT_MAX)
    return thud_scan_fail(scan, THUD_ERROR_UNSUPPORTED,
                          "[bad-problem-file] %s: indices above %d lose digits in this text format; use FCLIB", what,
                          SPARSE_TEXT_MAX);
  thud_error error = thud_scan_index(scan, what, 0, INT32_MAX, &origin);
  if (error != THUD_OK) return error;
  thud_scan_skip_line(scan);
  thud_scan_skip_line(scan);
  error = read_sparse_head(reader, what, matrix, &is_triplet, &entries);
  if (error == THUD_OK) error = thud_triplets_create(context, entries, &triplets);
  if (error == THUD_OK && !is_triplet) error = read_columns(reader, what, matrix, entries, &triplets);
  for (size_t k = 0; is_triplet && k < entries && error == THUD_OK; k++)
    error = read_entry(reader, what, matrix, -1, &triplets);
  if (error == THUD_OK)
    error = thud_scan_fail_within(&reader->scan,
                                  thud_problem_matrix_from_triplets(context, reader->file->owned, matrix->rows,
                                                                    matrix->columns, &triplets, matrix),
                                  what);
  thud_triplets_free(context, &triplets);
  return error;
}

/* ---- a matrix of any storage --------------------------------------------------------------------------- */

/* rows and columns: what the sizes must be, -1 when that is not known yet. */
static thud_error read_matrix(siconos_reader *reader, const char *what, thud_index rows, thud_index columns,
                              bool keep_blocks, thud_matrix *matrix) {
  thud_scan *scan = &reader->scan;
  thud_index storage = 0;
  thud_matrix made = {0};
  thud_error error = thud_scan_index(scan, what, STORAGE_DENSE, STORAGE_SPARSE, &storage);
  if (error == THUD_OK)
    error = thud_scan_index(scan, what, rows < 0 ? 0 : rows, rows < 0 ? INT32_MAX : rows, &made.rows);
  if (error == THUD_OK)
    error = thud_scan_index(scan, what, columns < 0 ? 0 : columns, columns < 0 ? INT32_MAX : columns, &made.columns);
  /* Vectors of either length follow behind the matrix. */
  if (error == THUD_OK) error = thud_scan_check_room(scan, what, (size_t)made.rows + (size_t)made.columns, 1);
  if (error != THUD_OK) return error;
  if (storage == STORAGE_DENSE)
    error = read_dense(reader, what, &made);
  else if (storage == STORAGE_BLOCKS)
    error = read_blocks(reader, what, keep_blocks, &made);
  else
    error = read_sparse(reader, what, &made);
  if (error == THUD_OK) *matrix = made;
  return error;
}

/* ---- the problem ------------------------------------------------------------------------------------------ */

/* Does a matrix rows x columns follow? Nothing is consumed. */
static bool matrix_follows(const siconos_reader *reader, thud_index rows, thud_index columns) {
  thud_scan ahead = reader->scan;
  const double wanted[2] = {rows, columns};
  char word[THUD_SCAN_WORD];
  double number = 0;
  if (!thud_scan_word(&ahead, word) || word[1] != '\0' || word[0] < '0' || word[0] > '2') return false;
  for (int k = 0; k < 2; k++)
    if (!thud_scan_word(&ahead, word) || strpbrk(word, ".eE") != NULL || !thud_parse_double(word, &number) ||
        number != wanted[k])
      return false;
  return true;
}

static thud_error read_coefficients(siconos_reader *reader) {
  thud_contact_problem *problem = reader->problem;
  thud_error error = read_vector(reader, "the friction coefficients mu", (size_t)problem->contacts, &problem->mu);
  if (error == THUD_OK && problem->dimension == 5)
    error =
        read_vector(reader, "the rolling friction coefficients mu_r", (size_t)problem->contacts, &problem->mu_rolling);
  return error;
}

static thud_error read_local_rest(siconos_reader *reader, const thud_matrix *W) {
  thud_contact_problem *problem = reader->problem;
  size_t size = thud_contact_size(problem);
  if ((size_t)W->rows != size)
    return thud_scan_fail(&reader->scan, THUD_ERROR_FORMAT,
                          "[bad-problem-file] the matrix is %d x %d, but %d contacts of %d components call for %zu x "
                          "%zu (local form), and "
                          "no second matrix follows (global form)",
                          (int)W->rows, (int)W->columns, (int)problem->contacts, (int)problem->dimension, size, size);
  problem->form = THUD_FORM_LOCAL;
  problem->W = *W;
  thud_error error = read_vector(reader, "the vector q", size, &problem->q);
  return error == THUD_OK ? read_coefficients(reader) : error;
}

static thud_error read_global_rest(siconos_reader *reader, const thud_matrix *M) {
  thud_contact_problem *problem = reader->problem;
  size_t size = thud_contact_size(problem);
  problem->form = THUD_FORM_GLOBAL;
  problem->M = *M;
  thud_error error = read_matrix(reader, "the matrix H", M->rows, (thud_index)size, false, &problem->H);
  if (error == THUD_OK) error = read_vector(reader, "the vector f", (size_t)M->rows, &problem->f);
  if (error == THUD_OK) error = read_vector(reader, "the vector b", size, &problem->w);
  return error == THUD_OK ? read_coefficients(reader) : error;
}

/* Block-sparse M would be of no use to factorizations: it becomes sparse. */
static thud_error plain_mass(siconos_reader *reader, thud_matrix *M) {
  thud_sparse sparse = {0};
  if (M->storage != THUD_MATRIX_BLOCKS) return THUD_OK;
  thud_error error = thud_problem_matrix_to_sparse(reader->file->context, M, &sparse);
  if (error != THUD_OK) return error;
  error = thud_owned_problem_adopt_sparse(reader->file->owned, &sparse, M);
  if (error != THUD_OK) thud_sparse_destroy(reader->file->context, &sparse);
  return error;
}

/* Forgets a global problem that was not one, so that the local form can be tried from the same place. */
static void back_to_local(siconos_reader *reader, size_t place) {
  thud_contact_problem *problem = reader->problem;
  problem->M = problem->H = (thud_matrix){0};
  problem->f = problem->w = problem->mu = problem->mu_rolling = NULL;
  reader->scan.at = place;
}

static thud_error read_either(siconos_reader *reader, const thud_matrix *first) {
  size_t size = thud_contact_size(reader->problem), place = reader->scan.at;
  bool second = matrix_follows(reader, first->rows, (thud_index)size);
  if (!second) {
    thud_error error = read_local_rest(reader, first);
    return error == THUD_OK ? thud_problem_file_decide(reader->file, "Siconos text; local form, because one matrix of "
                                                                     "dimension x contacts rows is there")
                            : error;
  }
  thud_matrix M = *first;
  thud_error error = plain_mass(reader, &M);
  if (error == THUD_OK) error = read_global_rest(reader, &M);
  if (error == THUD_OK)
    return thud_problem_file_decide(reader->file,
                                    "Siconos text; global form, because a second matrix follows the first");
  if (error == THUD_ERROR_MEMORY || (size_t)first->rows != size) return error;
  char message[512];
  snprintf(message, sizeof message, "%s", thud_context_last_message(reader->file->context));
  back_to_local(reader, place);
  if (read_local_rest(reader, first) != THUD_OK) return thud_fail(reader->file->context, error, "%s", message);
  return thud_problem_file_decide(reader->file, "Siconos text; local form, because it does not read as a global one");
}

static thud_error read_as(siconos_reader *reader, thud_problem_kind kind, thud_matrix *first) {
  const char *name = thud_problem_kind_name(kind);
  if (kind == THUD_PROBLEM_KIND_AUTO) return read_either(reader, first);
  bool global = kind == THUD_PROBLEM_KIND_GLOBAL || kind == THUD_PROBLEM_KIND_GLOBAL_ROLLING;
  thud_error error = global ? plain_mass(reader, first) : THUD_OK;
  if (error == THUD_OK) error = global ? read_global_rest(reader, first) : read_local_rest(reader, first);
  return error == THUD_OK ? thud_problem_file_decide(reader->file, "Siconos text; kind '%s', as asked for", name)
                          : error;
}

static thud_error read_problem(siconos_reader *reader, thud_problem_kind kind) {
  thud_scan *scan = &reader->scan;
  thud_contact_problem *problem = reader->problem;
  thud_matrix first = {0};
  thud_error error = thud_scan_index(scan, "the dimension (2, 3 or 5)", 2, 5, &problem->dimension);
  if (error == THUD_OK && problem->dimension == 4)
    error = thud_scan_fail(scan, THUD_ERROR_FORMAT, "[bad-problem-file] the dimension must be 2, 3 or 5, found 4");
  if (error == THUD_OK)
    error = thud_scan_index(scan, "the number of contacts", 0, INT32_MAX / problem->dimension, &problem->contacts);
  if (error == THUD_OK) error = thud_scan_check_room(scan, "the number of contacts", thud_contact_size(problem), 2);
  if (error == THUD_OK) error = read_matrix(reader, "the first matrix (W or M)", -1, -1, true, &first);
  if (error == THUD_OK && first.rows != first.columns)
    error = thud_scan_fail(scan, THUD_ERROR_FORMAT,
                           "[bad-problem-file] the first matrix (W or M) must be square, found %d x %d",
                           (int)first.rows, (int)first.columns);
  if (error == THUD_OK) error = read_as(reader, kind, &first);
  return error == THUD_OK ? thud_problem_check_kind(reader->file->context, problem, kind) : error;
}

thud_error thud_siconos_read_text(thud_context *context, const char *name, const char *text, size_t length,
                                  thud_problem_kind kind, thud_problem_file **file) {
  siconos_reader reader = {.scan = {.context = context, .name = name, .text = text, .length = length}};
  thud_error error = thud_problem_file_create(context, THUD_PROBLEM_FORMAT_SICONOS, &reader.file);
  if (error != THUD_OK) return error;
  reader.problem = thud_owned_problem_edit(reader.file->owned);
  error = read_problem(&reader, kind);
  if (error == THUD_OK)
    *file = reader.file;
  else
    thud_problem_file_destroy(reader.file);
  return error;
}

thud_error thud_siconos_read(thud_context *context, const char *path, thud_problem_kind kind,
                             thud_problem_file **file) {
  char *text = NULL;
  size_t length = 0;
  thud_error error = thud_problem_load_text(context, path, SIZE_MAX - 1, &text, &length);
  if (error != THUD_OK) return error;
  error = thud_siconos_read_text(context, path, text, length, kind, file);
  thud_free(context, text);
  return error;
}
