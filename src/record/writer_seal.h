/* The seal of a record that is written: a digest of everything else in it (docs/record-format.md, The seal). Rows and
 * checkpoints have one digest each, in columns that grow and are flushed with them; what stands before the first row has
 * one, and how the run ended has one. So nothing is carried on from row to row: a killed record is sealed up to its last
 * flush, and a resumed one takes the digests of its rows over. The checker computes digests by code of its own. */
#ifndef THUD_SRC_RECORD_WRITER_SEAL_H
#define THUD_SRC_RECORD_WRITER_SEAL_H

#include "record/cells.h"
#include "record/column.h"
#include "record/seal_reader.h"

typedef struct thud_seal_writer {
  bool there; /* false: a record that is continued and had none */
  hid_t group;
  thud_column_writer digests[THUD_SEAL_PARTS]; /* of the tables that are there; of checkpoints when the first comes */
} thud_seal_writer;

/* /seal with the digest of all that is there before the first row; the tables are there. */
thud_error thud_seal_create(thud_record_writer *writer, const thud_record_header *header,
                            const thud_record_layout *layout);
thud_error thud_seal_create_checkpoints(thud_record_writer *writer);
/* < 0: HDF5 failed. The row is the next one of its table. */
herr_t thud_seal_push_row(thud_record_writer *writer, thud_record_table table, const thud_record_cell *cells);
/* fields [THUD_RECORD_TABLES]: rows of the tables. */
herr_t thud_seal_push_checkpoint(thud_record_writer *writer, const double *fields, const uint8_t *state, size_t size);
herr_t thud_seal_store(thud_record_writer *writer, bool last);
/* Over verdict, reason and summary as they are in the file, and the numbers of rows and checkpoints. */
herr_t thud_seal_end(thud_record_writer *writer, const char *verdict, const char *reason, const char *summary);
/* Before a record goes on: THUD_ERROR_FORMAT unless beginning, checkpoints and end are as they were sealed. The digests of
 * rows are taken over instead: what was changed of them stays found. A record without a seal passes. */
thud_error thud_seal_check(thud_seal_reader *seal);
void thud_seal_release(thud_context *context, thud_seal_writer *seal);

#endif
