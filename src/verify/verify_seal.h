/* The seal of a record: has it been changed since it was written? */
#ifndef THUD_SRC_VERIFY_VERIFY_SEAL_H
#define THUD_SRC_VERIFY_VERIFY_SEAL_H

#include "thud/record.h"
#include "verify/verify_tally.h"

/* Computes the digests of docs/record-format.md anew and compares. Records without a seal pass as unsealed. Errors:
 * memory, and what cannot be read. */
thud_error thud_verify_check_seal(thud_record_reader *reader, thud_verify_check *check);

#endif
