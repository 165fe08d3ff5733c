/* Verification of records by tests that judge single checks. */
#ifndef THUD_TEST_VERIFYING_H
#define THUD_TEST_VERIFYING_H

#include "thud/verify.h"

/* The call must go well, whatever it finds. */
thud_verify_result thud_test_verify(thud_context *context, const char *path);
/* The check of this name, which must be there. */
const thud_verify_check *thud_test_check_of(const thud_verify_result *result, const char *name);

#endif
