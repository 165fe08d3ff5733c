/* A system of expressions as one that is given by functions in C. */
#ifndef THUD_TEST_AS_FUNCTIONS_H
#define THUD_TEST_AS_FUNCTIONS_H

#include "thud/model.h"

typedef struct as_functions as_functions;

/* `inner` is borrowed. Failures of its expressions become the status 1: a shorter step may help. */
as_functions *thud_test_as_functions(thud_context *context, const thud_system *inner);
const thud_system *thud_test_as_functions_system(const as_functions *made);
void thud_test_as_functions_destroy(as_functions *made);

#endif
