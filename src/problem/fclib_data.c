/* Datasets of FCLIB files, read with distrust: type, extent and storage are checked before memory is asked for. */
#include "problem/fclib.h"

#include <stdio.h>
#include <string.h>

/* Deflate cannot do better than 1032:1; a filtered dataset that claims more than that does not determine the truth. */
#define MAX_COMPRESSION 1032

thud_error thud_fclib_fail(const thud_fclib_source *source, hid_t group, const char *name, thud_error error,
                           const char *format, ...) {
  char place[128] = "", message[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  if (group > 0 && H5Iget_name(group, place, sizeof place) < 0) place[0] = '\0';
  const char *between = place[0] == '\0' || strcmp(place, "/") == 0 ? "/" : name[0] == '\0' ? "" : "/";
  return thud_fail(source->context, error, "[bad-problem-file] %s: %s%s%s: %s", source->path,
                   strcmp(place, "/") == 0 ? "" : place, between, name, message);
}

bool thud_fclib_has(hid_t group, const char *name) {
  H5L_info_t info;
  if (H5Lexists(group, name, H5P_DEFAULT) <= 0 || H5Lget_info(group, name, &info, H5P_DEFAULT) < 0) return false;
  return info.type == H5L_TYPE_HARD;
}

static hid_t open_as(hid_t parent, const char *name, H5I_type_t wanted) {
  hid_t object = H5Oopen(parent, name, H5P_DEFAULT);
  if (object < 0) return -1;
  if (H5Iget_type(object) == wanted) return object;
  thud_h5_drop(object);
  return -1;
}

thud_error thud_fclib_open_group(const thud_fclib_source *source, hid_t parent, const char *name, bool required,
                                 hid_t *group) {
  *group = 0;
  if (!thud_fclib_has(parent, name)) {
    if (!required) return THUD_OK;
    return thud_fclib_fail(source, parent, name, THUD_ERROR_FORMAT, "this group is missing");
  }
  hid_t opened = open_as(parent, name, H5I_GROUP);
  if (opened < 0) return thud_fclib_fail(source, parent, name, THUD_ERROR_FORMAT, "this is not a readable group");
  *group = opened;
  return THUD_OK;
}

/* ---- what a dataset claims ---------------------------------------------------------------------------- */

typedef struct dataset_claim {
  size_t count;   /* elements */
  size_t element; /* bytes of one */
  H5T_class_t type;
  bool filtered, elsewhere; /* behind filters; in other files */
  bool compact;             /* within its header: then it is there, or HDF5 reads from nowhere */
} dataset_claim;

static bool examine_layout(hid_t dataset, dataset_claim *claim) {
  hid_t properties = H5Dget_create_plist(dataset);
  if (properties < 0) return false;
  H5D_layout_t layout = H5Pget_layout(properties);
  int filters = H5Pget_nfilters(properties), external = H5Pget_external_count(properties);
  claim->filtered = filters > 0;
  claim->compact = layout == H5D_COMPACT;
  claim->elsewhere = external != 0 || (layout != H5D_COMPACT && layout != H5D_CONTIGUOUS && layout != H5D_CHUNKED);
  thud_h5_drop(properties);
  return layout >= 0 && filters >= 0;
}

static bool examine(hid_t dataset, dataset_claim *claim) {
  hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
  hssize_t points = space < 0 ? -1 : H5Sget_simple_extent_npoints(space);
  int rank = space < 0 ? -1 : H5Sget_simple_extent_ndims(space);
  bool good = type >= 0 && points >= 0 && (rank == 0 || rank == 1);
  if (good) {
    claim->count = (size_t)points;
    claim->element = H5Tget_size(type);
    claim->type = H5Tget_class(type);
  }
  thud_h5_drop(space);
  thud_h5_drop(type);
  return good && claim->element > 0 && examine_layout(dataset, claim);
}

/* Are the bytes that the dataset claims in the file? One that was never written reads as zeros (solutions r = 0 of the
 * collection are such): it may claim as much as the whole file holds. */
static bool is_stored(const thud_fclib_source *source, hid_t dataset, const dataset_claim *claim) {
  uint64_t stored = H5Dget_storage_size(dataset), claimed = (uint64_t)claim->count;
  if (claim->elsewhere || stored > source->bytes) return false;
  if (claimed > UINT64_MAX / claim->element) return false;
  claimed *= claim->element;
  if (stored == 0 && !claim->compact) return claimed <= source->bytes;
  return claimed <= stored || (claim->filtered && claimed / MAX_COMPRESSION <= stored);
}

/* Opens a dataset of numbers (one-dimensional or scalar) whose claim holds. */
static thud_error open_numbers(const thud_fclib_source *source, hid_t group, const char *name, bool integers,
                               hid_t *dataset, dataset_claim *claim) {
  if (!thud_fclib_has(group, name))
    return thud_fclib_fail(source, group, name, THUD_ERROR_FORMAT, "this dataset is missing");
  hid_t opened = open_as(group, name, H5I_DATASET);
  if (opened < 0 || !examine(opened, claim)) {
    thud_h5_drop(opened);
    return thud_fclib_fail(source, group, name, THUD_ERROR_FORMAT, "this is not a readable list of numbers");
  }
  thud_error error = THUD_OK;
  if (claim->type != H5T_INTEGER && (integers || claim->type != H5T_FLOAT))
    error = thud_fclib_fail(source, group, name, THUD_ERROR_FORMAT, "%s are needed here, found another type",
                            integers ? "integers" : "numbers");
  else if (!is_stored(source, opened, claim))
    error = thud_fclib_fail(source, group, name, THUD_ERROR_FORMAT,
                            "%zu elements are announced, but they are not in the file: it is cut off or damaged",
                            claim->count);
  if (error == THUD_OK)
    *dataset = opened;
  else
    thud_h5_drop(opened);
  return error;
}

thud_error thud_fclib_count(const thud_fclib_source *source, hid_t group, const char *name, bool integers,
                            size_t *count) {
  hid_t dataset = 0;
  dataset_claim claim = {0};
  thud_error error = open_numbers(source, group, name, integers, &dataset, &claim);
  if (error == THUD_OK) *count = claim.count;
  thud_h5_drop(dataset);
  return error;
}

/* 64-bit integers that do not fit are clipped by HDF5 to the ends of the range, where no size or index is valid. */
thud_error thud_fclib_read_numbers(const thud_fclib_source *source, hid_t group, const char *name, bool integers,
                                   size_t count, void *values) {
  hid_t dataset = 0;
  dataset_claim claim = {0};
  thud_error error = open_numbers(source, group, name, integers, &dataset, &claim);
  if (error != THUD_OK) return error;
  if (claim.count != count)
    error = thud_fclib_fail(source, group, name, THUD_ERROR_FORMAT, "%zu numbers are needed here, found %zu", count,
                            claim.count);
  else if (count > 0 &&
           H5Dread(dataset, integers ? H5T_NATIVE_INT32 : H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0)
    error = thud_fclib_fail(source, group, name, THUD_ERROR_FORMAT, "the numbers cannot be read: the file is damaged");
  thud_h5_drop(dataset);
  return error;
}

thud_error thud_fclib_read_integer(const thud_fclib_source *source, hid_t group, const char *name, int64_t low,
                                   int64_t high, thud_index *value) {
  thud_index read = 0;
  thud_error error = thud_fclib_read_numbers(source, group, name, true, 1, &read);
  if (error != THUD_OK) return error;
  if (read < low || read > high)
    return thud_fclib_fail(source, group, name, THUD_ERROR_FORMAT,
                           "a number from %lld to %lld is needed here, found %d", (long long)low, (long long)high,
                           (int)read);
  *value = read;
  return THUD_OK;
}

/* ---- texts --------------------------------------------------------------------------------------------- */

/* Fixed-length text, as H5LTmake_dataset_string writes it. */
static thud_error read_fixed(const thud_fclib_source *source, hid_t group, const char *name, hid_t dataset,
                             size_t length, thud_problem_file *file, const char **text) {
  char *buffer = thud_alloc(source->context, length + 1, 1);
  if (buffer == NULL) return THUD_ERROR_MEMORY;
  hid_t type = thud_h5_string_type(length);
  if (type > 0) H5Tset_cset(type, H5T_CSET_ASCII);
  hid_t stored = H5Dget_type(dataset);
  if (type > 0 && stored > 0) H5Tset_cset(type, H5Tget_cset(stored));
  thud_error error = THUD_OK;
  if (type < 0 || H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, buffer) < 0)
    error = thud_fclib_fail(source, group, name, THUD_ERROR_FORMAT, "the text cannot be read");
  thud_h5_drop(stored);
  thud_h5_drop(type);
  if (error == THUD_OK && buffer[0] != '\0')
    error = thud_problem_file_keep_text(file, buffer, strnlen(buffer, length), text);
  thud_free(source->context, buffer);
  return error;
}

thud_error thud_fclib_read_text(const thud_fclib_source *source, hid_t group, const char *name, thud_problem_file *file,
                                const char **text) {
  dataset_claim claim = {0};
  if (!thud_fclib_has(group, name)) return THUD_OK;
  hid_t dataset = open_as(group, name, H5I_DATASET);
  hid_t type = dataset < 0 ? -1 : H5Dget_type(dataset);
  bool readable = type >= 0 && examine(dataset, &claim) && claim.type == H5T_STRING && claim.count == 1 &&
                  H5Tis_variable_str(type) == 0 && is_stored(source, dataset, &claim);
  thud_h5_drop(type);
  thud_error error = THUD_OK;
  if (!readable || claim.element > THUD_PROBLEM_TEXT_LENGTH)
    error = thud_fclib_fail(source, group, name, THUD_ERROR_FORMAT,
                            "a text of fixed length (at most %d bytes) is needed here", THUD_PROBLEM_TEXT_LENGTH);
  else
    error = read_fixed(source, group, name, dataset, claim.element, file, text);
  thud_h5_drop(dataset);
  return error;
}
