/* The seal of a record that is read: the digests that its writer has left beside the data. What they are digests of
 * is not asked here. */
#ifndef THUD_SRC_RECORD_SEAL_READER_H
#define THUD_SRC_RECORD_SEAL_READER_H

#include "record/column.h"

/* Parts with a digest per row: the tables by their numbers, then the checkpoints. */
enum {
  THUD_SEAL_CHECKPOINTS = THUD_RECORD_TABLES,
  THUD_SEAL_PARTS,
  THUD_SEAL_BYTES = 4, /* of a row's digest, little-endian */
  THUD_SEAL_HEX = 16   /* of the digests of beginning and end, as text */
};

typedef struct thud_seal_reader {
  thud_record_reader *reader;
  bool there;                                  /* false: the record has no seal */
  char head[THUD_SEAL_HEX + 1];                /* of what is there before the first row */
  char end[THUD_SEAL_HEX + 1];                 /* of how it ended; "": it has not */
  thud_column_reader digests[THUD_SEAL_PARTS]; /* no rows where there is nothing of this part */
} thud_seal_reader;

/* To be closed, also after a failure. */
thud_error thud_seal_open(thud_record_reader *reader, thud_seal_reader *seal);
void thud_seal_close(thud_seal_reader *seal);
/* The row must be there: it is below digests[part].rows. */
thud_error thud_seal_read(thud_seal_reader *seal, int part, size_t row, uint32_t *digest);
/* The attribute `group` of a channel as it is in the file; -1: unreadable. */
int thud_seal_group(const thud_seal_reader *seal, thud_record_table table, size_t channel);
/* "frames", "events", "warnings", "checkpoints" */
const char *thud_seal_part_name(int part);

/* reader.c: how many checkpoints the record has, and one of them, owned by the caller. */
thud_error thud_reader_count_checkpoints(thud_record_reader *reader, size_t *count);
thud_error thud_reader_checkpoint(thud_record_reader *reader, size_t number, thud_record_resumption *found);

#endif
