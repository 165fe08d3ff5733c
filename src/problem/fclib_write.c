/* Writing FCLIB files. Rolling friction in the local form, which FCLIB does not know, is written as fclib_local with
 * spacedim 5 and mu_r beside mu. */
#include "contact/discs.h"
#include "record/output.h"
#include "problem/fclib.h"
#include "problem/fclib_matrix.h"

#include <stdio.h>
#include <string.h>

typedef struct fclib_writer {
  thud_context *context;
  const char *path; /* the final name, for messages */
  const thud_problem_contents *contents;
  hid_t root, group;
} fclib_writer;

static thud_error fail(const fclib_writer *writer) {
  return thud_h5_fail(writer->context, THUD_ERROR_FILE, writer->path, "cannot be written");
}

thud_error thud_fclib_check_expressible(thud_context *context, const char *path, const thud_contact_problem *problem) {
  const thud_disc_layout *layout = thud_disc_layout_of(problem->dimension, problem->friction);
  const char *trouble = NULL;
  if (problem->form == THUD_FORM_TWO_BLOCK)
    trouble = "the two-block form (convert to the local or global form first)";
  else if (problem->dimension == 1)
    trouble = "LCPs (1 component per contact)";
  else if (layout != NULL && thud_disc_layout_uses(layout, THUD_COEFFICIENT_SPINNING))
    trouble = "spinning friction";
  else if (problem->friction == THUD_FRICTION_PLANE_ROLLING)
    trouble = "rolling friction in the plane";
  for (thud_index c = 0; trouble == NULL && problem->laws != NULL && c < problem->contacts; c++)
    if (problem->laws[c] != NULL) trouble = "general friction laws";
  if (trouble == NULL) return THUD_OK;
  return thud_fail(context, THUD_ERROR_UNSUPPORTED,
                   "[bad-problem-file] %s: FCLIB files cannot hold %s; use the native format", path, trouble);
}

/* ---- pieces ---------------------------------------------------------------------------------------------- */

typedef struct named_vector {
  const char *name;
  const double *values; /* NULL: left out */
  size_t count;
} named_vector;

static thud_error write_vectors(const fclib_writer *writer, hid_t parent, const char *name, size_t count,
                                const named_vector *vectors) {
  hid_t group = H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  herr_t status = group < 0 ? -1 : 0;
  for (size_t k = 0; status >= 0 && k < count; k++)
    if (vectors[k].values != NULL)
      status = thud_fclib_write_numbers(group, vectors[k].name, false, vectors[k].count, vectors[k].values);
  thud_h5_drop(group);
  return status < 0 ? fail(writer) : THUD_OK;
}

static herr_t write_text(hid_t group, const char *name, const char *text) {
  if (text == NULL) text = "";
  hid_t type = thud_h5_string_type(strlen(text));
  hid_t space = H5Screate(H5S_SCALAR);
  hid_t dataset = thud_fclib_create_dataset(group, name, type, space);
  herr_t status = dataset < 0 ? -1 : H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text);
  thud_h5_drop(dataset);
  thud_h5_drop(space);
  thud_h5_drop(type);
  return status;
}

/* libfclib asks for all three texts once the group is there. */
static thud_error write_info(const fclib_writer *writer) {
  const thud_problem_contents *contents = writer->contents;
  if (contents->title == NULL && contents->description == NULL && contents->math_info == NULL) return THUD_OK;
  hid_t group = H5Gcreate2(writer->group, "info", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  herr_t status = group < 0 ? -1 : write_text(group, "title", contents->title);
  if (status >= 0) status = write_text(group, "description", contents->description);
  if (status >= 0) status = write_text(group, "math_info", contents->math_info);
  thud_h5_drop(group);
  return status < 0 ? fail(writer) : THUD_OK;
}

static thud_error write_matrices(const fclib_writer *writer, size_t count, const char *const *names,
                                 const thud_matrix *const *matrices) {
  thud_error error = THUD_OK;
  for (size_t k = 0; k < count && error == THUD_OK; k++)
    error = thud_fclib_write_matrix(writer->context, writer->path, writer->group, names[k], matrices[k]);
  return error;
}

static thud_error write_local(const fclib_writer *writer) {
  static const char *const names[] = {"W", "V", "R"};
  const thud_contact_problem *problem = writer->contents->problem;
  const thud_matrix *const matrices[] = {&problem->W, &problem->V, &problem->R};
  size_t contacts = (size_t)problem->contacts, bilateral = (size_t)problem->bilateral;
  const named_vector vectors[] = {{"q", problem->q, thud_contact_size(problem)},
                                  {"mu", problem->mu, contacts},
                                  {"mu_r", problem->mu_rolling, contacts},
                                  {"s", bilateral > 0 ? problem->s : NULL, bilateral}};
  thud_error error = write_matrices(writer, bilateral > 0 ? 3 : 1, names, matrices);
  return error == THUD_OK ? write_vectors(writer, writer->group, "vectors", 4, vectors) : error;
}

static thud_error write_global(const fclib_writer *writer) {
  static const char *const names[] = {"M", "H", "G"};
  const thud_contact_problem *problem = writer->contents->problem;
  const thud_matrix *const matrices[] = {&problem->M, &problem->H, &problem->G};
  size_t contacts = (size_t)problem->contacts, bilateral = (size_t)problem->bilateral;
  size_t size = thud_contact_size(problem);
  double *zeros = THUD_NEW_ARRAY(writer->context, double, size > bilateral ? size : bilateral);
  if (zeros == NULL) return THUD_ERROR_MEMORY;
  const named_vector vectors[] = {{"f", problem->f, thud_contact_ndof(problem)},
                                  {"w", problem->w != NULL ? problem->w : zeros, size},
                                  {"mu", problem->mu, contacts},
                                  {"mu_r", problem->mu_rolling, contacts},
                                  {"b",
                                   bilateral == 0       ? NULL
                                   : problem->b != NULL ? problem->b
                                                        : zeros,
                                   bilateral}};
  thud_error error = write_matrices(writer, bilateral > 0 ? 3 : 2, names, matrices);
  if (error == THUD_OK) error = write_vectors(writer, writer->group, "vectors", 5, vectors);
  thud_free(writer->context, zeros);
  return error;
}

static thud_error write_solution(const fclib_writer *writer, hid_t parent, const char *name,
                                 const thud_problem_solution *solution) {
  const thud_contact_problem *problem = writer->contents->problem;
  size_t size = thud_contact_size(problem), ndof = thud_contact_ndof(problem);
  const named_vector vectors[] = {{"v", ndof > 0 ? solution->v : NULL, ndof},
                                  {"u", solution->u, size},
                                  {"r", solution->r, size},
                                  {"l", problem->bilateral > 0 ? solution->l : NULL, (size_t)problem->bilateral}};
  return write_vectors(writer, parent, name, 4, vectors);
}

static thud_error write_guesses(const fclib_writer *writer) {
  size_t count = writer->contents->guess_count;
  thud_index number = (thud_index)count;
  if (count == 0) return THUD_OK;
  hid_t group = H5Gcreate2(writer->root, "guesses", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  thud_error error =
      group < 0 || thud_fclib_write_numbers(group, "number_of_guesses", true, 1, &number) < 0 ? fail(writer) : THUD_OK;
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    char name[24];
    snprintf(name, sizeof name, "%zu", k + 1);
    error = write_solution(writer, group, name, &writer->contents->guesses[k]);
  }
  thud_h5_drop(group);
  return error;
}

/* ---- the file ------------------------------------------------------------------------------------------ */

static thud_error write_root(fclib_writer *writer) {
  const thud_problem_solution *solution = &writer->contents->solution;
  const thud_contact_problem *problem = writer->contents->problem;
  bool global = problem->form == THUD_FORM_GLOBAL;
  const char *name = !global                   ? THUD_FCLIB_LOCAL
                     : problem->dimension == 5 ? THUD_FCLIB_GLOBAL_ROLLING
                                               : THUD_FCLIB_GLOBAL;
  writer->group = H5Gcreate2(writer->root, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (writer->group < 0 || thud_fclib_write_numbers(writer->group, "spacedim", true, 1, &problem->dimension) < 0)
    return fail(writer);
  thud_error error = global ? write_global(writer) : write_local(writer);
  if (error == THUD_OK) error = write_info(writer);
  if (error == THUD_OK && (solution->v != NULL || solution->u != NULL || solution->r != NULL || solution->l != NULL))
    error = write_solution(writer, writer->root, "solution", solution);
  if (error == THUD_OK) error = write_guesses(writer);
  return error;
}

static thud_error write_file(fclib_writer *writer, const char *temporary) {
  writer->root = H5Fcreate(temporary, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  if (writer->root < 0) return fail(writer);
  thud_error error = write_root(writer);
  thud_h5_drop(writer->group);
  if (H5Fclose(writer->root) < 0 && error == THUD_OK) error = fail(writer);
  return error;
}

thud_error thud_fclib_write(thud_context *context, const char *path, const thud_problem_contents *contents,
                            bool overwrite) {
  fclib_writer writer = {.context = context, .path = path, .contents = contents};
  thud_output output = {0};
  thud_error error = thud_fclib_check_expressible(context, path, contents->problem);
  if (error == THUD_OK) error = thud_h5_need_memory(context);
  if (error == THUD_OK) error = thud_output_begin_named(context, path, overwrite, &output);
  if (error != THUD_OK) return error;
  thud_h5_guard guard = thud_h5_enter();
  error = write_file(&writer, thud_output_name(&output));
  thud_h5_leave(guard);
  if (error == THUD_OK) return thud_output_commit(context, &output, overwrite);
  thud_output_cancel(context, &output);
  return error;
}
