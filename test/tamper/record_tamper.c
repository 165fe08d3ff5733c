/* record_tamper RECORD: what a record holds, a line each: path, kind, count.
 * record_tamper RECORD COPY PATH NUMBER PART: a copy in which one number is changed.
 * record_tamper RECORD COPY PATH = FILE: a copy in which a text is that of a file.
 *
 * Paths are those of datasets, or of attributes (OBJECT@NAME). Kinds: `real` and `whole` are arrays of numbers, `text` counts the
 * numbers that are written in it. A real number is changed by PART of the largest of its component (in a list or a text:
 * of itself; 0 by PART of the largest), of 1 when these are rounding errors all along, a whole one by 1. Checksums are those of the new contents: only what the numbers say is wrong. */
#include <ctype.h>
#include <errno.h>
#include <hdf5.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct target {
  hid_t dataset, attribute; /* one of them, the other is -1 */
  hid_t type, space;
  char path[512];
} target;

static void die(const char *what) {
  fprintf(stderr, "record_tamper: %s\n", what);
  exit(2);
}

static void *room(size_t size) {
  void *memory = calloc(size > 0 ? size : 1, 1);
  if (memory == NULL) die("out of memory");
  return memory;
}

static void target_read(const target *t, hid_t type, void *out) {
  herr_t status = t->attribute >= 0 ? H5Aread(t->attribute, type, out)
                                    : H5Dread(t->dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out);
  if (status < 0) die("a dataset cannot be read");
}

static void target_write(const target *t, hid_t type, const void *in) {
  herr_t status = t->attribute >= 0 ? H5Awrite(t->attribute, type, in)
                                    : H5Dwrite(t->dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, in);
  if (status < 0) die("a dataset cannot be written");
}

static size_t size_of(const target *t) {
  hssize_t count = H5Sget_simple_extent_npoints(t->space);
  return count > 0 ? (size_t)count : 0;
}

/* ---- numbers in texts ----------------------------------------------------------------------------------------------
 */

/* The next number at or after `from` that is not part of a word or of a comment; its length, 0: none. */
static size_t next_number(const char *text, size_t from, size_t *at) {
  for (size_t k = from; text[k] != '\0'; k++) {
    if (text[k] == '#' && (k == 0 || isspace((unsigned char)text[k - 1]))) {
      while (text[k + 1] != '\0' && text[k + 1] != '\n') k++;
      continue;
    }
    if (!isdigit((unsigned char)text[k])) continue;
    bool in_word = k > 0 && (isalnum((unsigned char)text[k - 1]) || text[k - 1] == '_' || text[k - 1] == '.');
    char *end;
    (void)strtod(text + k, &end);
    size_t length = (size_t)(end - (text + k));
    if (!in_word && !isalpha((unsigned char)*end) && *end != '_') {
      *at = k;
      return length;
    }
    k += length - 1;
  }
  return 0;
}

static size_t count_numbers(const char *text) {
  size_t count = 0, at = 0;
  for (size_t from = 0, length; (length = next_number(text, from, &at)) > 0; from = at + length) count++;
  return count;
}

/* The text with its number `number` changed. */
static char *change_text(const char *text, size_t number, double part) {
  size_t at = 0, length = 0, from = 0;
  for (size_t k = 0; k <= number; k++, from = at + length)
    if ((length = next_number(text, from, &at)) == 0) die("there is no such number");
  double value = strtod(text + at, NULL);
  bool whole = value == floor(value) && fabs(value) < 1e6 && memchr(text + at, 'e', length) == NULL;
  char written[64];
  snprintf(written, sizeof written, "%.17g", whole ? value + 1 : value == 0 ? part : value * (1 + part));
  size_t begin = at;
  while (begin > 0 && at - begin < 40 && text[begin - 1] != '\n') begin--;
  printf("%.*s -> %s\n", (int)(at + length - begin), text + begin, written);
  char *changed = room(strlen(text) + sizeof written);
  memcpy(changed, text, at);
  strcpy(changed + at, written);
  strcat(changed, text + at + length);
  return changed;
}

static char *read_text(const target *t) {
  size_t length = H5Tget_size(t->type);
  char *text = room(length + 1);
  if (size_of(t) == 1) target_read(t, t->type, text);
  return text;
}

/* A text has a fixed length: a longer one needs a dataset of its own. */
static void write_text(hid_t file, target *t, const char *text) {
  size_t length = H5Tget_size(t->type);
  if (t->attribute >= 0) {
    char *padded = room(length + strlen(text) + 1);
    strcpy(padded, text);
    target_write(t, t->type, padded);
    free(padded);
    return;
  }
  hid_t type = H5Tcopy(t->type);
  H5Tset_size(type, strlen(text) + 1);
  hid_t creation = H5Dget_create_plist(t->dataset);
  H5Ldelete(file, t->path, H5P_DEFAULT);
  hid_t dataset = H5Dcreate2(file, t->path, type, t->space, H5P_DEFAULT, creation, H5P_DEFAULT);
  if (dataset < 0 || H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) < 0) die("a text cannot be written");
  H5Dclose(dataset);
  H5Pclose(creation);
  H5Tclose(type);
}

/* ---- one number ----------------------------------------------------------------------------------------------------
 */

static void change_real(target *t, size_t number, double part) {
  size_t count = size_of(t), tail = strlen(t->path);
  hsize_t extent[2] = {1, 1};
  H5Sget_simple_extent_dims(t->space, extent, NULL);
  double *values = room(count * sizeof(double)), size = 0;
  target_read(t, H5T_NATIVE_DOUBLE, values);
  double before = values[number];
  bool list = tail > 7 && strcmp(t->path + tail - 7, "/values") == 0;
  for (size_t k = number % extent[1]; k < count; k += extent[1])
    if (isfinite(values[k])) size = fmax(size, fabs(values[k]));
  if (size < 1e-9) size = 1; /* rounding errors all along, and bounds of them */
  if (list && before != 0) size = fabs(before);
  values[number] = isfinite(before) ? before + part * size : part;
  target_write(t, H5T_NATIVE_DOUBLE, values);
  printf("%.17g -> %.17g\n", before, values[number]);
  free(values);
}

static void change_whole(target *t, size_t number) {
  int64_t *values = room(size_of(t) * sizeof(int64_t));
  target_read(t, H5T_NATIVE_INT64, values);
  values[number] += values[number] > 0 ? -1 : 1;
  target_write(t, H5T_NATIVE_INT64, values);
  printf("%lld\n", (long long)values[number]);
  free(values);
}

static char *load_text(const char *path) {
  FILE *in = fopen(path, "rb");
  if (in == NULL || fseek(in, 0, SEEK_END) != 0) die(strerror(errno));
  long size = ftell(in);
  char *text = room((size_t)size + 1);
  rewind(in);
  if (fread(text, 1, (size_t)size, in) != (size_t)size) die("a file cannot be read");
  fclose(in);
  return text;
}

/* from: the file of a new text, or NULL. */
static void change(hid_t file, target *t, size_t number, double part, const char *from) {
  H5T_class_t class = H5Tget_class(t->type);
  if (from != NULL) {
    char *text = load_text(from);
    if (class != H5T_STRING) die("this is no text");
    write_text(file, t, text);
    free(text);
    return;
  }
  if (class == H5T_STRING) {
    char *text = read_text(t), *changed = change_text(text, number, part);
    write_text(file, t, changed);
    free(text);
    free(changed);
    return;
  }
  if (number >= size_of(t)) die("there is no such number");
  if (class == H5T_FLOAT)
    change_real(t, number, part);
  else
    change_whole(t, number);
}

/* ---- all of them ---------------------------------------------------------------------------------------------------
 */

static void target_open(target *t) {
  t->type = t->attribute >= 0 ? H5Aget_type(t->attribute) : H5Dget_type(t->dataset);
  t->space = t->attribute >= 0 ? H5Aget_space(t->attribute) : H5Dget_space(t->dataset);
  if (t->type < 0 || t->space < 0) die("a dataset has no type");
}

static void list_one(const target *t) {
  H5T_class_t class = H5Tget_class(t->type);
  size_t count = size_of(t);
  if (class == H5T_STRING) {
    char *text = read_text(t);
    count = count_numbers(text);
    free(text);
  }
  printf("%s\t%s\t%zu\n", t->path, class == H5T_STRING ? "text" : class == H5T_FLOAT ? "real" : "whole", count);
}

typedef struct walk {
  hid_t file;
  const char *wanted; /* NULL: list */
  size_t number;
  double part;
  const char *from; /* file of a text */
  bool done;
} walk;

static void visit(walk *w, target *t) {
  if (w->done) return;
  target_open(t);
  if (w->wanted == NULL) {
    list_one(t);
  } else if (strcmp(w->wanted, t->path) == 0) {
    change(w->file, t, w->number, w->part, w->from);
    w->done = true;
  }
  H5Tclose(t->type);
  H5Sclose(t->space);
}

static herr_t visit_attribute(hid_t object, const char *name, const H5A_info_t *info, void *user) {
  (void)info;
  walk *w = user;
  char owner[256];
  target t = {.dataset = -1, .attribute = H5Aopen(object, name, H5P_DEFAULT)};
  if (t.attribute < 0 || H5Iget_name(object, owner, sizeof owner) < 0) die("an attribute cannot be opened");
  snprintf(t.path, sizeof t.path, "%s@%s", owner, name);
  visit(w, &t);
  H5Aclose(t.attribute);
  return 0;
}

static herr_t visit_object(hid_t file, const char *name, const H5O_info_t *info, void *user) {
  walk *w = user;
  if (w->done) return 1;
  hid_t object = H5Oopen(file, name, H5P_DEFAULT);
  if (object < 0) die("an object cannot be opened");
  H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, NULL, visit_attribute, w);
  if (info->type == H5O_TYPE_DATASET && !w->done) {
    target t = {.dataset = object, .attribute = -1};
    snprintf(t.path, sizeof t.path, "/%s", name);
    visit(w, &t);
  }
  H5Oclose(object);
  return 0;
}

static void copy_file(const char *from, const char *to) {
  char block[65536];
  FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
  if (in == NULL || out == NULL) die(strerror(errno));
  for (size_t size; (size = fread(block, 1, sizeof block, in)) > 0;)
    if (fwrite(block, 1, size, out) != size) die(strerror(errno));
  fclose(in);
  if (fclose(out) != 0) die(strerror(errno));
}

int main(int argc, char **argv) {
  if (argc != 2 && argc != 6) die("usage: record_tamper RECORD [COPY PATH NUMBER PART | COPY PATH = FILE]");
  walk w = {0};
  if (argc == 6) {
    copy_file(argv[1], argv[2]);
    w = (walk){.wanted = argv[3], .number = strtoul(argv[4], NULL, 10), .part = strtod(argv[5], NULL)};
    if (strcmp(argv[4], "=") == 0) w.from = argv[5];
  }
  const char *path = argc == 6 ? argv[2] : argv[1];
  w.file = H5Fopen(path, argc == 6 ? H5F_ACC_RDWR : H5F_ACC_RDONLY, H5P_DEFAULT);
  if (w.file < 0) die("the record cannot be opened");
  H5Ovisit(w.file, H5_INDEX_NAME, H5_ITER_INC, visit_object, &w);
  if (H5Fclose(w.file) < 0) die("the record cannot be closed");
  if (w.wanted != NULL && !w.done) die("there is no such dataset");
  return 0;
}
