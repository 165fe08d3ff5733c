/* An HDF5 file driver whose flushes are atomic with respect to the death of the process.
 *
 * HDF5 rewrites its metadata in place, one piece after another; a process killed in between leaves a file that cannot
 * be read. Here a byte of the committed file (what the last flush left) is never overwritten directly:
 *   - writes behind the committed end go to the file at once, because nothing refers to them yet;
 *   - writes in front of it change copies of pages in memory;
 *   - a flush writes these pages as a journal behind the end of the file, closes it with a trailer that carries a
 *     checksum, then copies the pages to their places and cuts the journal off.
 * Killed before the trailer is complete, the file is the old one; killed after it, the journal holds what is missing
 * and reading goes through it. Against a power failure there is no promise (nothing is synchronised to the disk).
 *
 * After a failed write the driver takes no further change, but lets HDF5 believe that it does, so that HDF5 can
 * close the file in good order; the file stays as the last flush left it. */
#ifndef THUD_SRC_RECORD_COMMIT_H
#define THUD_SRC_RECORD_COMMIT_H

#include "record/h5.h"

/* Failures that the driver reports to its user; must outlive the file. */
typedef struct thud_commit_status {
  thud_context *context; /* whose memory is used */
  bool failed;           /* a write or flush failed */
  int error_number;      /* errno of that failure; 0: out of memory */
  hid_t driver;          /* registered for this file; 0: none */
} thud_commit_status;

/* Makes the file access list open files through the driver. < 0: HDF5 failed. */
herr_t thud_commit_select(hid_t access_list, thud_commit_status *status);
/* After the file has been closed, or could not be opened: H5Fclose reads the driver's class after it has given the
 * file's own reference to it back, so that somebody else must hold one until then. */
void thud_commit_release(thud_commit_status *status);

#endif
