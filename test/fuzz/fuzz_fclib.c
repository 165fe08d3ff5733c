/* FCLIB files that are sound HDF5 and lie: the input chooses a problem and then, dataset by dataset, what is wrong with
 * it (left out, of another type or length, other values, compressed, never written, a group or a link instead). */
#include "fuzz_support.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST = 64 }; /* elements of a dataset */

static void put_int(fuzz_input *input, hid_t group, const char *name, int value) {
  value = fuzz_number(input, value);
  fuzz_h5_put(input, group, name, true, 1, &value);
}

static hid_t put_group(fuzz_input *input, hid_t parent, const char *name) {
  if (fuzz_byte(input) == 255) name = "elsewhere";
  return H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
}

/* rows x columns with up to LONGEST entries on a diagonal, in the form that nz reports. */
static void put_matrix(fuzz_input *input, hid_t parent, const char *name, int rows, int columns) {
  hid_t group = put_group(input, parent, name);
  int form = (int)(fuzz_byte(input) % 3), entries = rows < columns ? rows : columns;
  int outer = form == 1 ? columns : rows, p[LONGEST + 1], i[LONGEST];
  double x[LONGEST];
  for (int k = 0; k <= LONGEST; k++) p[k] = form == 0 ? k : k < entries ? k : entries;
  for (int k = 0; k < LONGEST; k++) i[k] = k, x[k] = 1 + k;
  put_int(input, group, "m", rows);
  put_int(input, group, "n", columns);
  put_int(input, group, "nzmax", entries);
  put_int(input, group, "nz", form == 0 ? entries : -form);
  fuzz_h5_put(input, group, "p", true, form == 0 ? entries : outer + 1, p);
  fuzz_h5_put(input, group, "i", true, entries, i);
  fuzz_h5_put(input, group, "x", false, entries, x);
  if (fuzz_byte(input) > 200) put_int(input, group, "thud_storage", 1 + (int)(fuzz_byte(input) % 4));
  H5Gclose(group);
}

static void put_solution(fuzz_input *input, hid_t parent, const char *name, int size, int ndof, int bilateral) {
  static const double zeros[LONGEST];
  hid_t group = put_group(input, parent, name);
  if (ndof > 0) fuzz_h5_put(input, group, "v", false, ndof, zeros);
  fuzz_h5_put(input, group, "u", false, size, zeros);
  fuzz_h5_put(input, group, "r", false, size, zeros);
  if (bilateral > 0) fuzz_h5_put(input, group, "l", false, bilateral, zeros);
  H5Gclose(group);
}

static void put_text(fuzz_input *input, hid_t group, const char *name) {
  char text[300];
  size_t length = fuzz_byte(input);
  hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
  memset(text, 't', sizeof text);
  H5Tset_size(type, fuzz_byte(input) == 255 ? H5T_VARIABLE : length + 1);
  hid_t dataset = H5Dcreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (dataset >= 0 && H5Tis_variable_str(type) == 0) H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text);
  if (dataset >= 0) H5Dclose(dataset);
  H5Sclose(space);
  H5Tclose(type);
}

static void build(fuzz_input *input, hid_t root) {
  static const char *const names[] = {"fclib_local", "fclib_global", "fclib_global_rolling"};
  static const int dimensions[] = {2, 3, 5};
  double ones[LONGEST];
  for (int k = 0; k < LONGEST; k++) ones[k] = 1;
  unsigned form = fuzz_byte(input) % 3;
  int d = dimensions[form == 2 ? 2 : fuzz_byte(input) % 3], contacts = (int)(fuzz_byte(input) % 5);
  int size = d * contacts, ndof = (int)(fuzz_byte(input) % 30), bilateral = (int)(fuzz_byte(input) % 4);
  hid_t group = put_group(input, root, names[form]);
  put_int(input, group, "spacedim", d);
  hid_t vectors = put_group(input, group, "vectors");
  fuzz_h5_put(input, vectors, "mu", false, contacts, ones);
  if (d == 5) fuzz_h5_put(input, vectors, "mu_r", false, contacts, ones);
  if (form == 0) {
    put_matrix(input, group, "W", size, size);
    fuzz_h5_put(input, vectors, "q", false, size, ones);
  } else {
    put_matrix(input, group, "M", ndof, ndof);
    put_matrix(input, group, "H", ndof, size);
    fuzz_h5_put(input, vectors, "f", false, ndof, ones);
    fuzz_h5_put(input, vectors, "w", false, size, ones);
  }
  if (bilateral > 0) {
    put_matrix(input, group, form == 0 ? "V" : "G", form == 0 ? size : ndof, bilateral);
    if (form == 0) put_matrix(input, group, "R", bilateral, bilateral);
    fuzz_h5_put(input, vectors, form == 0 ? "s" : "b", false, bilateral, ones);
  }
  H5Gclose(vectors);
  if (fuzz_byte(input) % 2) {
    hid_t info = put_group(input, group, "info");
    put_text(input, info, "title");
    put_text(input, info, "description");
    H5Gclose(info);
  }
  H5Gclose(group);
  if (fuzz_byte(input) % 2) put_solution(input, root, "solution", size, form == 0 ? 0 : ndof, bilateral);
  if (fuzz_byte(input) % 2) {
    hid_t guesses = put_group(input, root, "guesses");
    put_int(input, guesses, "number_of_guesses", 1);
    put_solution(input, guesses, "1", size, form == 0 ? 0 : ndof, bilateral);
    H5Gclose(guesses);
  }
}

/* The file's bytes; freed with free(). */
static uint8_t *image_of(fuzz_input *input, size_t *size) {
  hid_t root = fuzz_h5_create();
  build(input, root);
  return fuzz_h5_close(root, size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_input input = {.data = data, .size = size};
  size_t length = 0;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  thud_problem_kind kind = (thud_problem_kind)(fuzz_byte(&input) % 12);
  if (kind > THUD_PROBLEM_KIND_TWO_BLOCK) kind = THUD_PROBLEM_KIND_AUTO;
  uint8_t *image = image_of(&input, &length);
  fuzz_file file = fuzz_file_make("input.h5", image, length);
  free(image);
  thud_context *context = fuzz_context(100000 + 50 * length);
  thud_problem_file *problem = NULL;
  thud_error error = thud_fclib_read(context, file.path, kind, &problem);
  fuzz_demand(size > 0 || error == THUD_OK, "without an input that spoils it the file is good");
  fuzz_use_result(context, error, problem);
  fuzz_context_end(context);
  return 0;
}
