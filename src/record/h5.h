/* The few HDF5 calls that records need, with thud's errors. */
#ifndef THUD_SRC_RECORD_H5_H
#define THUD_SRC_RECORD_H5_H

#include "base/base.h"

#include <hdf5.h>

/* Every use of HDF5 is between thud_h5_enter and thud_h5_leave: its error handler is silenced there, and where HDF5 is not
 * thread-safe no other thread of the process is in there. Guards may nest. */
typedef struct thud_h5_guard {
  unsigned is_version_2;
  H5E_auto1_t handler1;
  H5E_auto2_t handler2;
  void *data;
  bool locked;
} thud_h5_guard;

thud_h5_guard thud_h5_enter(void);
void thud_h5_leave(thud_h5_guard guard);

/* THUD_ERROR_MEMORY where HDF5 would meet a failing malloc: in front of files, datasets and chunks. */
thud_error thud_h5_need_memory(thud_context *context);

/* "what: innermost HDF5 message" as the context's message; returns the error. */
thud_error thud_h5_fail(thud_context *context, thud_error error, const char *path, const char *what);

/* Closes an id of any kind when it is valid. */
void thud_h5_drop(hid_t id);

/* Fixed-length string type of `length` bytes + final 0, UTF-8; < 0 on failure. */
hid_t thud_h5_string_type(size_t length);

/* Scalar attributes. A text is stored in `capacity` bytes (+ final 0) so that it can be rewritten in place. */
herr_t thud_h5_write_text(hid_t object, const char *name, size_t capacity, const char *text);
herr_t thud_h5_rewrite_text(hid_t object, const char *name, size_t capacity, const char *text);
herr_t thud_h5_write_int(hid_t object, const char *name, int value);

/* false when the attribute is missing, of another kind, or longer than `limit` bytes; no HDF5 message matters then.
 * buffer has limit + 1 bytes. */
bool thud_h5_read_text(hid_t object, const char *name, size_t limit, char *buffer);
bool thud_h5_read_int(hid_t object, const char *name, int *value);

#endif
