/* Reading FCLIB files. */
#include "problem/fclib.h"
#include "problem/fclib_heaps.h"
#include "problem/fclib_matrix.h"

#include <stdio.h>
#include <sys/stat.h>

typedef struct fclib_reader {
  thud_fclib_source source;
  thud_problem_file *file;
  thud_contact_problem *problem;
  hid_t group, vectors; /* fclib_..., and its group of vectors */
} fclib_reader;

/* ---- vectors --------------------------------------------------------------------------------------------- */

/* Exactly `count` numbers that live with the problem; absent: *vector stays as it is, or an error when required. */
static thud_error read_vector(const fclib_reader *reader, hid_t group, const char *name, bool required, size_t count,
                              const double **vector) {
  size_t found = 0;
  if (!required && !thud_fclib_has(group, name)) return THUD_OK;
  /* Some writers leave out empty arrays. */
  if (count > 0 || thud_fclib_has(group, name)) {
    thud_error error = thud_fclib_count(&reader->source, group, name, false, &found);
    if (error != THUD_OK) return error;
  }
  if (found != count)
    return thud_fclib_fail(&reader->source, group, name, THUD_ERROR_FORMAT, "%zu numbers are needed here, found %zu",
                           count, found);
  double *values = thud_owned_problem_alloc(reader->file->owned, count, sizeof *values);
  if (values == NULL) return THUD_ERROR_MEMORY;
  thud_error error = count > 0 ? thud_fclib_read_numbers(&reader->source, group, name, false, count, values) : THUD_OK;
  if (error == THUD_OK) *vector = values;
  return error;
}

static thud_error read_coefficients(fclib_reader *reader) {
  thud_contact_problem *problem = reader->problem;
  size_t contacts = (size_t)problem->contacts;
  thud_error error = read_vector(reader, reader->vectors, "mu", true, contacts, &problem->mu);
  if (error == THUD_OK && problem->dimension == 5)
    error = read_vector(reader, reader->vectors, "mu_r", true, contacts, &problem->mu_rolling);
  return error;
}

/* Number of bilateral rows: the columns of V (G) when that matrix is there and has some. */
static thud_error count_bilateral(fclib_reader *reader, const char *matrix, thud_index rows) {
  thud_index m = 0, n = 0;
  if (!thud_fclib_has(reader->group, matrix)) return THUD_OK;
  thud_error error = thud_fclib_read_shape(&reader->source, reader->group, matrix, &m, &n);
  if (error == THUD_OK && m != rows)
    error = thud_fclib_fail(&reader->source, reader->group, matrix, THUD_ERROR_FORMAT,
                            "%d rows are needed here, found %d", (int)rows, (int)m);
  if (error == THUD_OK) reader->problem->bilateral = n;
  return error;
}

static thud_error split_into_contacts(fclib_reader *reader, const char *matrix, thud_index size) {
  thud_contact_problem *problem = reader->problem;
  if (size % problem->dimension != 0)
    return thud_fclib_fail(&reader->source, reader->group, matrix, THUD_ERROR_FORMAT,
                           "%d columns are not a multiple of spacedim %d", (int)size, (int)problem->dimension);
  problem->contacts = size / problem->dimension;
  return THUD_OK;
}

/* ---- the forms ----------------------------------------------------------------------------------------- */

/* Vectors first: their lengths are sure to be in the file, and bound what matrices may claim. */
static thud_error read_local(fclib_reader *reader) {
  thud_contact_problem *problem = reader->problem;
  const thud_fclib_source *source = &reader->source;
  thud_index m = 0, n = 0;
  thud_error error = thud_fclib_read_shape(source, reader->group, "W", &m, &n);
  if (error == THUD_OK) error = split_into_contacts(reader, "W", n);
  if (error == THUD_OK) error = read_vector(reader, reader->vectors, "q", true, (size_t)n, &problem->q);
  if (error == THUD_OK) error = read_coefficients(reader);
  if (error == THUD_OK) error = count_bilateral(reader, "V", n);
  thud_index rows = problem->bilateral;
  if (error == THUD_OK) error = read_vector(reader, reader->vectors, "s", rows > 0, (size_t)rows, &problem->s);
  if (error == THUD_OK)
    error =
        thud_fclib_read_matrix(source, reader->group, "W", true, n, n, problem->dimension, reader->file, &problem->W);
  if (error != THUD_OK || rows == 0) return error;
  error = thud_fclib_read_matrix(source, reader->group, "V", true, n, rows, 0, reader->file, &problem->V);
  if (error == THUD_OK)
    error = thud_fclib_read_matrix(source, reader->group, "R", true, rows, rows, 0, reader->file, &problem->R);
  return error;
}

static thud_error read_global(fclib_reader *reader) {
  thud_contact_problem *problem = reader->problem;
  const thud_fclib_source *source = &reader->source;
  thud_index ndof = 0, size = 0;
  problem->form = THUD_FORM_GLOBAL;
  thud_error error = thud_fclib_read_shape(source, reader->group, "H", &ndof, &size);
  if (error == THUD_OK) error = split_into_contacts(reader, "H", size);
  if (error == THUD_OK) error = read_vector(reader, reader->vectors, "f", true, (size_t)ndof, &problem->f);
  if (error == THUD_OK) error = read_vector(reader, reader->vectors, "w", true, (size_t)size, &problem->w);
  if (error == THUD_OK) error = read_coefficients(reader);
  if (error == THUD_OK) error = count_bilateral(reader, "G", ndof);
  thud_index rows = problem->bilateral;
  if (error == THUD_OK) error = read_vector(reader, reader->vectors, "b", rows > 0, (size_t)rows, &problem->b);
  if (error == THUD_OK)
    error = thud_fclib_read_matrix(source, reader->group, "M", true, ndof, ndof, 0, reader->file, &problem->M);
  if (error == THUD_OK)
    error = thud_fclib_read_matrix(source, reader->group, "H", true, ndof, size, 0, reader->file, &problem->H);
  if (error == THUD_OK && rows > 0)
    error = thud_fclib_read_matrix(source, reader->group, "G", true, ndof, rows, 0, reader->file, &problem->G);
  return error;
}

/* ---- texts, solution, guesses ---------------------------------------------------------------------------- */

static thud_error read_info(fclib_reader *reader) {
  thud_problem_file *file = reader->file;
  hid_t info = 0;
  thud_error error = thud_fclib_open_group(&reader->source, reader->group, "info", false, &info);
  if (error != THUD_OK || info == 0) return error;
  error = thud_fclib_read_text(&reader->source, info, "title", file, &file->title);
  if (error == THUD_OK) error = thud_fclib_read_text(&reader->source, info, "description", file, &file->description);
  if (error == THUD_OK) error = thud_fclib_read_text(&reader->source, info, "math_info", file, &file->math_info);
  thud_h5_drop(info);
  return error;
}

static thud_error read_solution(const fclib_reader *reader, hid_t parent, const char *name, bool required,
                                thud_problem_solution *solution) {
  const thud_contact_problem *problem = reader->problem;
  size_t size = thud_contact_size(problem), ndof = thud_contact_ndof(problem);
  hid_t group = 0;
  thud_error error = thud_fclib_open_group(&reader->source, parent, name, required, &group);
  if (error != THUD_OK || group == 0) return error;
  if (ndof > 0) error = read_vector(reader, group, "v", false, ndof, &solution->v);
  if (error == THUD_OK) error = read_vector(reader, group, "u", false, size, &solution->u);
  if (error == THUD_OK) error = read_vector(reader, group, "r", false, size, &solution->r);
  if (error == THUD_OK && problem->bilateral > 0)
    error = read_vector(reader, group, "l", false, (size_t)problem->bilateral, &solution->l);
  thud_h5_drop(group);
  return error;
}

static thud_error read_guesses(fclib_reader *reader, hid_t root) {
  thud_problem_file *file = reader->file;
  hid_t group = 0;
  thud_index count = 0;
  thud_error error = thud_fclib_open_group(&reader->source, root, "guesses", false, &group);
  if (error != THUD_OK || group == 0) return error;
  error = thud_fclib_read_integer(&reader->source, group, "number_of_guesses", 0, THUD_PROBLEM_GUESSES_MAX, &count);
  if (error == THUD_OK) {
    file->guesses = thud_owned_problem_alloc(file->owned, (size_t)count, sizeof *file->guesses);
    if (file->guesses == NULL) error = THUD_ERROR_MEMORY;
  }
  for (thud_index k = 0; k < count && error == THUD_OK; k++) {
    char name[16];
    snprintf(name, sizeof name, "%d", (int)k + 1);
    error = read_solution(reader, group, name, true, &file->guesses[k]);
  }
  if (error == THUD_OK) file->guess_count = (size_t)count;
  thud_h5_drop(group);
  return error;
}

/* ---- the file --------------------------------------------------------------------------------------------- */

typedef struct group_kind {
  const char *name;
  bool global, rolling; /* rolling: 5 components are a must */
} group_kind;

static const group_kind group_kinds[] = {
    {THUD_FCLIB_LOCAL, false, false},
    {THUD_FCLIB_GLOBAL, true, false},
    {THUD_FCLIB_GLOBAL_ROLLING, true, true},
};
enum { GROUP_KINDS = sizeof group_kinds / sizeof *group_kinds };

static bool suits(const group_kind *group, thud_problem_kind kind) {
  if (kind == THUD_PROBLEM_KIND_AUTO) return true;
  bool global = kind == THUD_PROBLEM_KIND_GLOBAL || kind == THUD_PROBLEM_KIND_GLOBAL_ROLLING;
  return global == group->global;
}

/* The first group that is there and may hold the wanted kind, else the first that is there. */
static const group_kind *choose_group(hid_t root, thud_problem_kind kind) {
  const group_kind *present = NULL;
  for (size_t k = GROUP_KINDS; k-- > 0;) {
    if (!thud_fclib_has(root, group_kinds[k].name)) continue;
    if (present == NULL || suits(&group_kinds[k], kind) || !suits(present, kind)) present = &group_kinds[k];
  }
  return present;
}

static thud_error read_group(fclib_reader *reader, hid_t root, const group_kind *chosen) {
  thud_contact_problem *problem = reader->problem;
  const thud_fclib_source *source = &reader->source;
  thud_error error = thud_fclib_open_group(source, root, chosen->name, true, &reader->group);
  if (error == THUD_OK) error = thud_fclib_open_group(source, reader->group, "vectors", true, &reader->vectors);
  if (error == THUD_OK) error = thud_fclib_read_integer(source, reader->group, "spacedim", 2, 5, &problem->dimension);
  if (error == THUD_OK && (problem->dimension == 4 || (chosen->rolling && problem->dimension != 5)))
    error = thud_fclib_fail(source, reader->group, "spacedim", THUD_ERROR_FORMAT, "%s is needed here, found %d",
                            chosen->rolling ? "5" : "2, 3 or 5", (int)problem->dimension);
  if (error == THUD_OK) error = chosen->global ? read_global(reader) : read_local(reader);
  if (error == THUD_OK) error = read_info(reader);
  if (error == THUD_OK) error = read_solution(reader, root, "solution", false, &reader->file->solution);
  if (error == THUD_OK) error = read_guesses(reader, root);
  thud_h5_drop(reader->vectors);
  thud_h5_drop(reader->group);
  return error;
}

static thud_error read_root(fclib_reader *reader, hid_t root, thud_problem_kind kind) {
  const group_kind *chosen = choose_group(root, kind);
  if (chosen == NULL)
    return thud_fail(
        reader->source.context, THUD_ERROR_FORMAT,
        "[bad-problem-file] %s: there is no group %s, %s or %s in this HDF5 file: it is not a problem of FCLIB",
        reader->source.path, THUD_FCLIB_LOCAL, THUD_FCLIB_GLOBAL, THUD_FCLIB_GLOBAL_ROLLING);
  thud_error error = read_group(reader, root, chosen);
  if (error == THUD_OK) {
    error = thud_problem_check_kind(reader->source.context, reader->problem, kind);
    if (error != THUD_OK) error = thud_fail_within(reader->source.context, error, "%s", reader->source.path);
  }
  if (error == THUD_OK)
    error = thud_problem_file_decide(reader->file, "FCLIB; %s, because there is a group %s with spacedim %d",
                                     thud_problem_kind_name(thud_problem_kind_of(reader->problem)), chosen->name,
                                     (int)reader->problem->dimension);
  return error;
}

static thud_error read_open_file(fclib_reader *reader, thud_problem_kind kind) {
  const char *path = reader->source.path;
  hid_t root = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (root < 0)
    return thud_h5_fail(reader->source.context, THUD_ERROR_FORMAT, path, "this is not a readable HDF5 file");
  thud_error error = thud_problem_file_create(reader->source.context, THUD_PROBLEM_FORMAT_FCLIB, &reader->file);
  if (error == THUD_OK) {
    reader->problem = thud_owned_problem_edit(reader->file->owned);
    error = read_root(reader, root, kind);
  }
  H5Fclose(root);
  return error;
}

thud_error thud_fclib_read(thud_context *context, const char *path, thud_problem_kind kind, thud_problem_file **file) {
  struct stat status;
  fclib_reader reader = {.source = {.context = context, .path = path}};
  if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
    return thud_fail(context, THUD_ERROR_FILE, "[bad-problem-file] %s: cannot be read as a regular file", path);
  reader.source.bytes = (uint64_t)status.st_size;
  thud_error error = thud_fclib_check_heaps(context, path);
  if (error == THUD_OK) error = thud_h5_need_memory(context);
  if (error != THUD_OK) return error;
  thud_h5_guard guard = thud_h5_enter();
  error = read_open_file(&reader, kind);
  thud_h5_leave(guard);
  if (error == THUD_OK)
    *file = reader.file;
  else
    thud_problem_file_destroy(reader.file);
  return error;
}
