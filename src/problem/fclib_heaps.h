/* A look at an HDF5 file before the HDF5 library sees it. */
#ifndef THUD_SRC_RECORD_PROBLEM_FCLIB_HEAPS_H
#define THUD_SRC_RECORD_PROBLEM_FCLIB_HEAPS_H

#include "base/base.h"

/* Refuses files with damaged local heaps (the names of the members of old-style groups): HDF5 1.10 asks for as much
 * memory as a damaged size says, and follows a free list that bites its own tail for ever. */
thud_error thud_fclib_check_heaps(thud_context *context, const char *path);

#endif
