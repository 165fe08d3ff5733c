/* Files that appear complete or not at all: written without a name (O_TMPFILE) or, where the system has no such files,
 * under a temporary name beside the final one, then named. What a killed process has left under such a name is removed by the
 * next one on the same machine that needs a temporary name in the folder. */
#ifndef THUD_SRC_RECORD_OUTPUT_H
#define THUD_SRC_RECORD_OUTPUT_H

#include "base/base.h"

enum { NAMELESS_BYTES = 32 };

typedef struct thud_output {
  char *path;      /* the final name */
  char *temporary; /* a name in the same folder, of the file or of the moment in which it replaces another one */
  int descriptor;  /* of the file without a name; -1: it has the temporary one */
  char nameless[NAMELESS_BYTES]; /* what such a file is opened by */
  bool in_place;                 /* it is the caller's own, which keeps no name */
} thud_output;

/* Checks the final name (empty, a folder, in a folder that is missing or not one, already there without overwrite, a
 * name of an open stream as /dev/stdout) and reserves the temporary one. Behind a symbolic link the file that it leads
 * to is replaced, and the link stays; a link that leads nowhere is refused. /proc/self/fd/N of an open file without a name
 * (memfd_create) is written in place, with overwrite: a record in memory. */
thud_error thud_output_begin(thud_context *context, const char *path, bool overwrite, thud_output *output);
/* The same with a temporary name in every case: HDF5's own driver does not write to files without one. */
thud_error thud_output_begin_named(thud_context *context, const char *path, bool overwrite, thud_output *output);
/* The name to write to; an empty file is there, with the mode of the file that it replaces. */
const char *thud_output_name(const thud_output *output);
/* Gives the temporary file its final name and frees the names. Without overwrite an existing file is never replaced,
 * not even one that has appeared in the meantime. On failure the temporary file is removed. */
thud_error thud_output_commit(thud_context *context, thud_output *output, bool overwrite);
/* Removes the temporary file and frees the names. */
void thud_output_cancel(thud_context *context, thud_output *output);
/* Removes a file that was given its final name; behind a symbolic link the file that it leads to. */
void thud_output_remove(thud_context *context, const char *path);
/* All at once: these bytes as a file. */
thud_error thud_output_write(thud_context *context, const char *path, bool overwrite, const void *bytes, size_t count);

#endif
