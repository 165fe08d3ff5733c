#include "record/h5.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* HDF5's tables belong to the whole process. A build that is not thread-safe (H5is_library_threadsafe) has no lock for them;
 * then this one lets one thread in at a time, whatever its context: the only state of libthud-io outside of contexts. A
 * thread-safe HDF5 locks by itself, and a second lock around its own could be taken in the other order by a callback of
 * the host. */
static pthread_mutex_t one_thread;
static pthread_once_t one_thread_made = PTHREAD_ONCE_INIT;

static void make_lock(void) {
  pthread_mutexattr_t recursive; /* guards may nest */
  pthread_mutexattr_init(&recursive);
  pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&one_thread, &recursive); /* does not fail on Linux */
  pthread_mutexattr_destroy(&recursive);
}

static bool must_lock(void) {
  hbool_t safe = false;
  return H5is_library_threadsafe(&safe) < 0 || !safe;
}

thud_h5_guard thud_h5_enter(void) {
  thud_h5_guard guard = {.is_version_2 = 1, .locked = must_lock()};
  if (guard.locked) {
    pthread_once(&one_thread_made, make_lock);
    pthread_mutex_lock(&one_thread);
  }
  H5Eauto_is_v2(H5E_DEFAULT, &guard.is_version_2);
  if (guard.is_version_2) {
    H5Eget_auto2(H5E_DEFAULT, &guard.handler2, &guard.data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  } else {
    H5Eget_auto1(&guard.handler1, &guard.data);
    H5Eset_auto1(NULL, NULL);
  }
  return guard;
}

void thud_h5_leave(thud_h5_guard guard) {
  H5Eclear2(H5E_DEFAULT);
  if (guard.is_version_2)
    H5Eset_auto2(H5E_DEFAULT, guard.handler2, guard.data);
  else
    H5Eset_auto1(guard.handler1, guard.data);
  if (guard.locked) pthread_mutex_unlock(&one_thread);
}

enum { WORKING_MEBIBYTES = 16 }; /* its tables of types, the caches of metadata and chunks, a chunk's copies */

thud_error thud_h5_need_memory(thud_context *context) { return thud_need_memory(context, "HDF5", WORKING_MEBIBYTES); }

typedef struct innermost {
  char text[256];
} innermost;

/* H5E_WALK_UPWARD starts where the trouble began, so the first description is the one that names the cause. */
static herr_t keep_first(unsigned n, const H5E_error2_t *entry, void *user) {
  innermost *found = user;
  if (n == 0 && entry->desc != NULL) snprintf(found->text, sizeof found->text, "%s", entry->desc);
  return 0;
}

/* HDF5 writes "..., errno = 28, error message = 'No space left on device', buf = 0x...": only the middle is for people.
 */
static void shorten(char *text) {
  static const char mark[] = "error message = '";
  char *start = strstr(text, mark);
  if (start == NULL) return;
  start += strlen(mark);
  char *end = strchr(start, '\'');
  size_t length = end != NULL ? (size_t)(end - start) : strlen(start);
  memmove(text, start, length);
  text[length] = '\0';
}

thud_error thud_h5_fail(thud_context *context, thud_error error, const char *path, const char *what) {
  innermost found = {.text = ""};
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &found);
  H5Eclear2(H5E_DEFAULT);
  shorten(found.text);
  if (found.text[0] == '\0') return thud_fail(context, error, "%s: %s", path, what);
  return thud_fail(context, error, "%s: %s (%s)", path, what, found.text);
}

void thud_h5_drop(hid_t id) {
  if (id > 0) H5Idec_ref(id);
}

hid_t thud_h5_string_type(size_t length) {
  hid_t type = H5Tcopy(H5T_C_S1);
  if (type < 0) return type;
  if (H5Tset_size(type, length + 1) < 0 || H5Tset_cset(type, H5T_CSET_UTF8) < 0) {
    thud_h5_drop(type);
    return -1;
  }
  return type;
}

/* The bytes of a stored text: at most THUD's longest capacity, zero padded. */
enum { ATTRIBUTE_CAPACITY = 1024 };

static herr_t put_text(hid_t attribute, hid_t type, size_t capacity, const char *text) {
  char padded[ATTRIBUTE_CAPACITY] = {0};
  if (attribute < 0 || capacity >= sizeof padded) return -1;
  size_t length = strlen(text);
  memcpy(padded, text, length < capacity ? length : capacity);
  return H5Awrite(attribute, type, padded);
}

herr_t thud_h5_write_text(hid_t object, const char *name, size_t capacity, const char *text) {
  hid_t type = thud_h5_string_type(capacity);
  hid_t space = H5Screate(H5S_SCALAR);
  hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  herr_t status = put_text(attribute, type, capacity, text);
  thud_h5_drop(attribute);
  thud_h5_drop(space);
  thud_h5_drop(type);
  return status;
}

herr_t thud_h5_rewrite_text(hid_t object, const char *name, size_t capacity, const char *text) {
  hid_t type = thud_h5_string_type(capacity);
  hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
  herr_t status = put_text(attribute, type, capacity, text);
  thud_h5_drop(attribute);
  thud_h5_drop(type);
  return status;
}

herr_t thud_h5_write_int(hid_t object, const char *name, int value) {
  hid_t space = H5Screate(H5S_SCALAR);
  hid_t attribute = H5Acreate2(object, name, H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT);
  herr_t status = attribute < 0 ? -1 : H5Awrite(attribute, H5T_NATIVE_INT, &value);
  thud_h5_drop(attribute);
  thud_h5_drop(space);
  return status;
}

/* Opens a scalar attribute of the given class; < 0 when there is none. */
static hid_t open_scalar(hid_t object, const char *name, H5T_class_t wanted, size_t *size) {
  if (H5Aexists(object, name) <= 0) return -1;
  hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
  hid_t type = attribute < 0 ? -1 : H5Aget_type(attribute);
  hid_t space = attribute < 0 ? -1 : H5Aget_space(attribute);
  bool good = type >= 0 && space >= 0 && H5Tget_class(type) == wanted && H5Sget_simple_extent_type(space) == H5S_SCALAR;
  if (good && wanted == H5T_STRING) good = H5Tis_variable_str(type) == 0;
  if (good) *size = H5Tget_size(type);
  thud_h5_drop(space);
  thud_h5_drop(type);
  if (good) return attribute;
  thud_h5_drop(attribute);
  return -1;
}

bool thud_h5_read_text(hid_t object, const char *name, size_t limit, char *buffer) {
  char padded[ATTRIBUTE_CAPACITY] = {0};
  size_t size = 0;
  hid_t attribute = open_scalar(object, name, H5T_STRING, &size);
  if (attribute < 0) return false;
  bool good = size >= 1 && size <= sizeof padded;
  hid_t type = good ? thud_h5_string_type(size - 1) : -1;
  good = good && type >= 0 && H5Aread(attribute, type, padded) >= 0;
  thud_h5_drop(type);
  thud_h5_drop(attribute);
  size_t length = strnlen(padded, sizeof padded);
  if (!good || length > limit || length == sizeof padded) return false;
  memcpy(buffer, padded, length + 1);
  return true;
}

bool thud_h5_read_int(hid_t object, const char *name, int *value) {
  size_t size = 0;
  int read = 0;
  hid_t attribute = open_scalar(object, name, H5T_INTEGER, &size);
  if (attribute < 0) return false;
  bool good = size == sizeof(int32_t) && H5Aread(attribute, H5T_NATIVE_INT, &read) >= 0;
  thud_h5_drop(attribute);
  if (good) *value = read;
  return good;
}
