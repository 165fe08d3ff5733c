/* Shared by block-sparse rows and compressed columns. */
#ifndef THUD_SRC_LINALG_COMPRESSED_H
#define THUD_SRC_LINALG_COMPRESSED_H

#include "thud/linalg.h"

/* The words of the messages: "sparse", "column", "row" for compressed columns. */
typedef struct thud_compressed_names {
  const char *matrix, *outer, *inner;
} thud_compressed_names;

/* Checks start[outer+1] (from 0, never decreasing) and that the inner indices of each line increase strictly within
 * 0..inner-1. */
thud_error thud_compressed_check(thud_context *context, const thud_compressed_names *names, thud_index outer,
                                 thud_index inner, const thud_index *start, const thud_index *index);

#endif
