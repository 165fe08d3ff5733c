/* FCLIB files that are sound HDF5 and lie: the input chooses a problem and then, dataset by dataset, what is wrong with
 * it (left out, of another type or length, other values, compressed, never written, a group or a link instead). */
#include "fuzz_support.h"

#include <hdf5.h>
#include <stdlib.h>
#include <string.h>

typedef struct fuzz_input {
  const uint8_t *data;
  size_t size, at;
} fuzz_input;

static unsigned next_byte(fuzz_input *input) { return input->at < input->size ? input->data[input->at++] : 0; }

/* Small numbers mostly, now and then one that nobody expects. */
static int next_number(fuzz_input *input, int usual) {
  static const int wild[] = {-1, -2, -3, 0, 1, 0x7fffffff, -0x7fffffff - 1, 1000000, 65536, 255};
  unsigned byte = next_byte(input);
  if (byte < 200) return usual;
  if (byte < 240) return (int)next_byte(input) - 4;
  return wild[byte % (sizeof wild / sizeof *wild)];
}

enum { LONGEST = 64 };

static hid_t choose_type(unsigned choice, hid_t usual) {
  switch (choice) {
  case 250: return H5T_STD_I64LE;
  case 251: return H5T_IEEE_F32BE;
  case 252: return H5T_STD_U8LE;
  case 253: return H5T_C_S1;
  case 254: return H5T_STD_U64BE;
  case 255: return H5T_UNIX_D32LE;
  default: return usual;
  }
}

/* A dataset of `usual` elements filled from values (int or double), with whatever the input wants wrong. */
static void put(fuzz_input *input, hid_t group, const char *name, bool integers, int usual, const void *values) {
  static double room[LONGEST];
  unsigned choice = next_byte(input);
  int count = next_number(input, usual);
  if (choice == 240) return;
  if (choice == 241) {
    H5Gclose(H5Gcreate2(group, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    return;
  }
  if (choice == 242) {
    H5Lcreate_soft("/fclib_local/W/x", group, name, H5P_DEFAULT, H5P_DEFAULT);
    return;
  }
  if (choice == 243) {
    H5Lcreate_external("/etc/passwd", "/", group, name, H5P_DEFAULT, H5P_DEFAULT);
    return;
  }
  if (count < 0) count = 0;
  bool stored = count <= LONGEST && choice != 244;
  const hsize_t extents[2] = {(hsize_t)count, 1};
  hid_t properties = H5Pcreate(H5P_DATASET_CREATE), type = integers ? H5T_NATIVE_INT : H5T_NATIVE_DOUBLE;
  hid_t space = choice == 245 ? H5Screate(H5S_SCALAR) : H5Screate_simple(choice == 246 ? 2 : 1, extents, NULL);
  if ((choice == 247 || choice == 248) && count > 0) {
    const hsize_t chunk = (hsize_t)(count < 1000 ? count : 1000);
    H5Pset_chunk(properties, 1, &chunk);
    if (choice == 247) H5Pset_deflate(properties, 1);
  }
  if (!stored && choice != 247 && choice != 248) H5Pset_alloc_time(properties, H5D_ALLOC_TIME_LATE);
  hid_t dataset = H5Dcreate2(group, name, choose_type(choice, type), space, H5P_DEFAULT, properties, H5P_DEFAULT);
  memset(room, 0, sizeof room);
  size_t element = integers ? sizeof(int) : sizeof(double);
  if (usual <= LONGEST) memcpy(room, values, (size_t)usual * element);
  for (int k = 0; stored && k < usual && k < count && next_byte(input) >= 230; k++) {
    int place = (int)(next_byte(input) % (unsigned)usual);
    if (integers)
      ((int *)room)[place] = next_number(input, ((int *)room)[place]);
    else
      room[place] = (double)next_number(input, 3);
  }
  if (dataset >= 0 && stored && choose_type(choice, type) != H5T_C_S1)
    H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, room);
  if (dataset >= 0) H5Dclose(dataset);
  H5Sclose(space);
  H5Pclose(properties);
}

static void put_int(fuzz_input *input, hid_t group, const char *name, int value) {
  value = next_number(input, value);
  put(input, group, name, true, 1, &value);
}

static hid_t put_group(fuzz_input *input, hid_t parent, const char *name) {
  if (next_byte(input) == 255) name = "elsewhere";
  return H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
}

/* rows x columns with up to LONGEST entries on a diagonal, in the form that nz reports. */
static void put_matrix(fuzz_input *input, hid_t parent, const char *name, int rows, int columns) {
  hid_t group = put_group(input, parent, name);
  int form = (int)(next_byte(input) % 3), entries = rows < columns ? rows : columns;
  int outer = form == 1 ? columns : rows, p[LONGEST + 1], i[LONGEST];
  double x[LONGEST];
  for (int k = 0; k <= LONGEST; k++) p[k] = form == 0 ? k : k < entries ? k : entries;
  for (int k = 0; k < LONGEST; k++) i[k] = k, x[k] = 1 + k;
  put_int(input, group, "m", rows);
  put_int(input, group, "n", columns);
  put_int(input, group, "nzmax", entries);
  put_int(input, group, "nz", form == 0 ? entries : -form);
  put(input, group, "p", true, form == 0 ? entries : outer + 1, p);
  put(input, group, "i", true, entries, i);
  put(input, group, "x", false, entries, x);
  if (next_byte(input) > 200) put_int(input, group, "thud_storage", 1 + (int)(next_byte(input) % 4));
  H5Gclose(group);
}

static void put_solution(fuzz_input *input, hid_t parent, const char *name, int size, int ndof, int bilateral) {
  static const double zeros[LONGEST];
  hid_t group = put_group(input, parent, name);
  if (ndof > 0) put(input, group, "v", false, ndof, zeros);
  put(input, group, "u", false, size, zeros);
  put(input, group, "r", false, size, zeros);
  if (bilateral > 0) put(input, group, "l", false, bilateral, zeros);
  H5Gclose(group);
}

static void put_text(fuzz_input *input, hid_t group, const char *name) {
  char text[300];
  size_t length = next_byte(input);
  hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
  memset(text, 't', sizeof text);
  H5Tset_size(type, next_byte(input) == 255 ? H5T_VARIABLE : length + 1);
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
  unsigned form = next_byte(input) % 3;
  int d = dimensions[form == 2 ? 2 : next_byte(input) % 3], contacts = (int)(next_byte(input) % 5);
  int size = d * contacts, ndof = (int)(next_byte(input) % 30), bilateral = (int)(next_byte(input) % 4);
  hid_t group = put_group(input, root, names[form]);
  put_int(input, group, "spacedim", d);
  hid_t vectors = put_group(input, group, "vectors");
  put(input, vectors, "mu", false, contacts, ones);
  if (d == 5) put(input, vectors, "mu_r", false, contacts, ones);
  if (form == 0) {
    put_matrix(input, group, "W", size, size);
    put(input, vectors, "q", false, size, ones);
  } else {
    put_matrix(input, group, "M", ndof, ndof);
    put_matrix(input, group, "H", ndof, size);
    put(input, vectors, "f", false, ndof, ones);
    put(input, vectors, "w", false, size, ones);
  }
  if (bilateral > 0) {
    put_matrix(input, group, form == 0 ? "V" : "G", form == 0 ? size : ndof, bilateral);
    if (form == 0) put_matrix(input, group, "R", bilateral, bilateral);
    put(input, vectors, form == 0 ? "s" : "b", false, bilateral, ones);
  }
  H5Gclose(vectors);
  if (next_byte(input) % 2) {
    hid_t info = put_group(input, group, "info");
    put_text(input, info, "title");
    put_text(input, info, "description");
    H5Gclose(info);
  }
  H5Gclose(group);
  if (next_byte(input) % 2) put_solution(input, root, "solution", size, form == 0 ? 0 : ndof, bilateral);
  if (next_byte(input) % 2) {
    hid_t guesses = put_group(input, root, "guesses");
    put_int(input, guesses, "number_of_guesses", 1);
    put_solution(input, guesses, "1", size, form == 0 ? 0 : ndof, bilateral);
    H5Gclose(guesses);
  }
}

/* The file's bytes; freed with free(). */
static uint8_t *image_of(fuzz_input *input, size_t *size) {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_core(access, 65536, false);
  hid_t root = H5Fcreate("fuzz", H5F_ACC_TRUNC, H5P_DEFAULT, access);
  fuzz_demand(root >= 0, "a file in memory can be made");
  build(input, root);
  H5Fflush(root, H5F_SCOPE_GLOBAL);
  ssize_t length = H5Fget_file_image(root, NULL, 0);
  fuzz_demand(length > 0, "the file has an image");
  uint8_t *image = malloc((size_t)length);
  fuzz_demand(image != NULL && H5Fget_file_image(root, image, (size_t)length) == length, "the image can be had");
  H5Fclose(root);
  H5Pclose(access);
  *size = (size_t)length;
  return image;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_input input = {.data = data, .size = size};
  size_t length = 0;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  thud_problem_kind kind = (thud_problem_kind)(next_byte(&input) % 12);
  if (kind > THUD_PROBLEM_KIND_TWO_BLOCK) kind = THUD_PROBLEM_KIND_AUTO;
  uint8_t *image = image_of(&input, &length);
  fuzz_file file = fuzz_file_make(image, length);
  free(image);
  thud_context *context = fuzz_context(100000 + 50 * length);
  thud_problem_file *problem = NULL;
  thud_error error = thud_fclib_read(context, file.path, kind, &problem);
  fuzz_demand(size > 0 || error == THUD_OK, "without an input that spoils it the file is good");
  fuzz_use_result(context, error, problem);
  fuzz_file_remove(&file);
  fuzz_context_end(context);
  return 0;
}
