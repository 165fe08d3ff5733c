#define _GNU_SOURCE /* NOLINT: O_TMPFILE, realpath */
#include "record/output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TEMPORARY_BYTES = 64, MOST_NAMES = 100000 };

static thud_error fail_exists(thud_context *context, const char *path) {
  return thud_fail(context, THUD_ERROR_EXISTS,
                   "%s: the file exists already; choose another name, or overwrite it (--force)", path);
}

/* Names for what is already open: what is renamed to them would replace the name, not reach the reader. */
static bool is_stream_name(const char *path) {
  static const char *const names[] = {"/dev/stdout", "/dev/stderr", "/dev/stdin", "/dev/fd/", "/proc/"};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++)
    if (strncmp(path, names[k], strlen(names[k])) == 0) return true;
  return false;
}

/* A file that the caller has open and that has no name anywhere (memfd_create, O_TMPFILE), by its name in /proc: nobody else
 * sees it, so that it is written in place. */
static bool is_callers(const char *path) {
  static const char folder[] = "/proc/self/fd/";
  struct stat status;
  if (path == NULL || strncmp(path, folder, sizeof folder - 1) != 0) return false;
  if (strlen(path) >= NAMELESS_BYTES || stat(path, &status) != 0) return false;
  return S_ISREG(status.st_mode) && status.st_nlink == 0;
}

static thud_error check_final_name(thud_context *context, const char *path, bool overwrite) {
  struct stat status;
  if (path == NULL || path[0] == '\0')
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[file] the name of the file to write is empty");
  if (is_stream_name(path))
    return thud_fail(context, THUD_ERROR_FILE,
                     "%s: this is not a file of its own; name a file, or write '-' for standard output", path);
  if (stat(path, &status) == 0) {
    if (S_ISDIR(status.st_mode))
      return thud_fail(context, THUD_ERROR_FILE, "%s: this is a folder; name a file in it", path);
    if (!S_ISREG(status.st_mode))
      return thud_fail(context, THUD_ERROR_FILE, "%s: this is not a regular file and cannot be written", path);
    if (!overwrite) return fail_exists(context, path);
    return THUD_OK;
  }
  if (errno != ENOENT) return thud_fail(context, THUD_ERROR_FILE, "%s: cannot be written (%s)", path, strerror(errno));
  if (lstat(path, &status) == 0)
    return thud_fail(context, THUD_ERROR_FILE,
                     "%s: a symbolic link to a file that does not exist; remove it, or name the file itself", path);
  return THUD_OK;
}

/* The name to be given at the end: that of the file which a symbolic link leads to, so that the link stays. */
static char *final_name(thud_context *context, const char *path) {
  struct stat status;
  if (lstat(path, &status) != 0 || !S_ISLNK(status.st_mode)) return thud_strdup(context, path);
  char *target = realpath(path, NULL);
  char *name = target != NULL ? thud_strdup(context, target) : NULL;
  free(target);
  return name;
}

/* A file without a name in the folder of the final one: whatever ends the program, nothing is left of it. It is written
 * by its name in /proc. -1: the file system or the system has no such files. */
static int open_nameless(thud_output *output) {
#ifdef O_TMPFILE
  struct stat status;
  char *slash = strrchr(output->path, '/');
  char first = slash != NULL ? slash[1] : '\0';
  if (slash != NULL) slash[1] = '\0';
  int descriptor = open(slash != NULL ? output->path : ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
  if (slash != NULL) slash[1] = first;
  if (descriptor < 0) return -1;
  snprintf(output->nameless, sizeof output->nameless, "/proc/self/fd/%d", descriptor);
  if (stat(output->nameless, &status) == 0 && S_ISREG(status.st_mode)) return descriptor;
  close(descriptor);
#endif
  return -1;
}

/* A file that is replaced hands on its permissions and, where that is allowed, its owner; not the bits that run programs
 * under the owner's name (setuid), which a write takes away as well. */
static void keep_mode(const thud_output *output, const char *name) {
  struct stat old;
  if (stat(output->path, &old) != 0) return;
  if (chown(name, old.st_uid, old.st_gid) != 0) (void)!chown(name, (uid_t)-1, old.st_gid);
  (void)chmod(name, old.st_mode & 0777);
}

/* ---- temporary names: .thud-MACHINE-PROCESS-NUMBER in the folder of the final one -------------------------------------- */

/* Numbers of processes belong to a machine, and there to a namespace. */
static uint32_t number_of_machine(void) {
  char text[512] = "";
  uint32_t hash = 2166136261u; /* FNV-1a */
  (void)gethostname(text, 256);
  size_t length = strnlen(text, 256);
  ssize_t more = readlink("/proc/self/ns/pid", text + length, sizeof text - length);
  if (more > 0) length += (size_t)more;
  for (size_t k = 0; k < length; k++) hash = (hash ^ (unsigned char)text[k]) * 16777619u;
  return hash;
}

/* Where the name in its folder begins. */
static size_t begin_of_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash != NULL ? (size_t)(slash + 1 - path) : 0;
}

static void name_temporary(thud_output *output, unsigned number) {
  size_t begin = begin_of_name(output->path);
  memcpy(output->temporary, output->path, begin);
  snprintf(output->temporary + begin, TEMPORARY_BYTES, ".thud-%08x-%ld-%u", (unsigned)number_of_machine(),
           (long)getpid(), number);
}

/* The process that gave the name has ended, on this machine. */
static bool is_leftover(const char *name) {
  char prefix[TEMPORARY_BYTES], *end;
  int length = snprintf(prefix, sizeof prefix, ".thud-%08x-", (unsigned)number_of_machine());
  if (strncmp(name, prefix, (size_t)length) != 0) return false;
  long process = strtol(name + length, &end, 10);
  return *end == '-' && process > 0 && process == (long)(pid_t)process && kill((pid_t)process, 0) != 0 &&
         errno == ESRCH;
}

/* Removes what killed processes have left in the folder. */
static void remove_leftovers(thud_output *output) {
  size_t begin = begin_of_name(output->path);
  memcpy(output->temporary, output->path, begin);
  memcpy(output->temporary + begin, ".", 2);
  DIR *folder = opendir(output->temporary);
  if (folder == NULL) return;
  for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder))
    if (is_leftover(entry->d_name)) (void)unlinkat(dirfd(folder), entry->d_name, 0);
  closedir(folder);
}

/* A new file of the first name that is free, with the mode that the umask leaves. */
static int open_temporary(thud_output *output) {
  int descriptor = -1;
  remove_leftovers(output);
  for (unsigned number = 0; descriptor < 0 && number < MOST_NAMES; number++) {
    name_temporary(output, number);
    descriptor = open(output->temporary, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
    if (descriptor < 0 && errno != EEXIST) break;
  }
  return descriptor;
}

/* Gives the file without a name the first one that is free. */
static int link_temporary(thud_output *output) {
  int linked = -1;
  remove_leftovers(output);
  for (unsigned number = 0; linked != 0 && number < MOST_NAMES; number++) {
    name_temporary(output, number);
    linked = linkat(AT_FDCWD, output->nameless, AT_FDCWD, output->temporary, AT_SYMLINK_FOLLOW);
    if (linked != 0 && errno != EEXIST) break;
  }
  return linked;
}

/* ---- beginning and end --------------------------------------------------------------------------------------------------- */

static thud_error begin_in_place(thud_context *context, const char *path, thud_output *output) {
  int descriptor = open(path, O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return thud_fail(context, THUD_ERROR_FILE, "%s: cannot be written (%s)", path, strerror(errno));
  thud_output made = {.path = thud_strdup(context, path), .descriptor = descriptor, .in_place = true};
  if (made.path == NULL || ftruncate(descriptor, 0) != 0) {
    int reason = errno;
    close(descriptor);
    if (made.path == NULL) return THUD_ERROR_MEMORY;
    thud_free(context, made.path);
    return thud_fail(context, THUD_ERROR_FILE, "%s: cannot be written (%s)", path, strerror(reason));
  }
  snprintf(made.nameless, sizeof made.nameless, "%s", path);
  *output = made;
  return THUD_OK;
}

static thud_error begin(thud_context *context, const char *path, bool overwrite, bool named, thud_output *output) {
  if (overwrite && is_callers(path)) return begin_in_place(context, path, output);
  thud_error error = check_final_name(context, path, overwrite);
  if (error != THUD_OK) return error;
  thud_output made = {.path = final_name(context, path)};
  if (made.path != NULL) made.temporary = thud_alloc(context, begin_of_name(made.path) + TEMPORARY_BYTES, 1);
  if (made.temporary == NULL) {
    thud_free(context, made.path);
    return THUD_ERROR_MEMORY;
  }
  made.descriptor = named ? -1 : open_nameless(&made);
  int descriptor = made.descriptor >= 0 ? made.descriptor : open_temporary(&made);
  if (descriptor < 0) {
    error = thud_fail(context, THUD_ERROR_FILE,
                      "%s: cannot be written (%s); check that its folder exists and that you may write there", path,
                      strerror(errno));
    thud_free(context, made.temporary);
    thud_free(context, made.path);
    return error;
  }
  if (made.descriptor < 0) close(descriptor);
  if (overwrite) keep_mode(&made, thud_output_name(&made));
  *output = made;
  return THUD_OK;
}

thud_error thud_output_begin(thud_context *context, const char *path, bool overwrite, thud_output *output) {
  return begin(context, path, overwrite, false, output);
}

thud_error thud_output_begin_named(thud_context *context, const char *path, bool overwrite, thud_output *output) {
  return begin(context, path, overwrite, true, output);
}

const char *thud_output_name(const thud_output *output) {
  return output->descriptor >= 0 ? output->nameless : output->temporary;
}

static void release(thud_context *context, thud_output *output) {
  thud_free(context, output->temporary);
  if (output->path != NULL && output->descriptor >= 0) close(output->descriptor);
  thud_free(context, output->path);
  *output = (thud_output){.descriptor = -1};
}

/* Names are given without replacing: what replaces a file has a name of its own for a moment. */
static int name_nameless(thud_output *output, bool overwrite) {
  if (!overwrite) return linkat(AT_FDCWD, output->nameless, AT_FDCWD, output->path, AT_SYMLINK_FOLLOW);
  if (link_temporary(output) != 0) return -1;
  if (rename(output->temporary, output->path) == 0) return 0;
  int reason = errno;
  unlink(output->temporary);
  errno = reason;
  return -1;
}

/* link() refuses an existing name, rename() replaces it; file systems without hard links get a plain check. */
static int move_to_final_name(thud_output *output, bool overwrite) {
  if (output->in_place) return 0;
  if (output->descriptor >= 0) return name_nameless(output, overwrite);
  if (overwrite) return rename(output->temporary, output->path);
  if (link(output->temporary, output->path) == 0) return unlink(output->temporary);
  if (errno == EEXIST) return -1;
  if (access(output->path, F_OK) == 0) {
    errno = EEXIST;
    return -1;
  }
  return rename(output->temporary, output->path);
}

thud_error thud_output_commit(thud_context *context, thud_output *output, bool overwrite) {
  if (move_to_final_name(output, overwrite) == 0) {
    release(context, output);
    return THUD_OK;
  }
  int reason = errno;
  thud_error error = reason == EEXIST ? fail_exists(context, output->path)
                                      : thud_fail(context, THUD_ERROR_FILE, "%s: cannot be written (%s)", output->path,
                                                  strerror(reason));
  thud_output_cancel(context, output);
  return error;
}

void thud_output_cancel(thud_context *context, thud_output *output) {
  if (output->temporary != NULL && output->descriptor < 0) unlink(output->temporary);
  release(context, output);
}

void thud_output_remove(thud_context *context, const char *path) {
  char *name = final_name(context, path);
  if (name != NULL) unlink(name);
  thud_free(context, name);
}

thud_error thud_output_write(thud_context *context, const char *path, bool overwrite, const void *bytes, size_t count) {
  thud_output output;
  thud_error error = thud_output_begin(context, path, overwrite, &output);
  if (error != THUD_OK) return error;
  FILE *stream = fopen(thud_output_name(&output), "wb");
  bool good = stream != NULL && (count == 0 || fwrite(bytes, 1, count, stream) == count);
  if (stream != NULL) good = fclose(stream) == 0 && good;
  if (good) return thud_output_commit(context, &output, overwrite);
  error = thud_fail(context, THUD_ERROR_FILE, "%s: cannot be written (%s)", path, strerror(errno));
  thud_output_cancel(context, &output);
  return error;
}
