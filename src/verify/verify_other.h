/* Records of kinds of motion that the checker does not know. */
#ifndef THUD_SRC_VERIFY_VERIFY_OTHER_H
#define THUD_SRC_VERIFY_VERIFY_OTHER_H

#include "thud/record.h"
#include "thud/verify.h"

/* Structure, summary and end; the check "kind" says that the motion itself cannot be checked. */
thud_error thud_verify_other_record(thud_context *context, thud_record_reader *reader, thud_verify_result *result);

#endif
