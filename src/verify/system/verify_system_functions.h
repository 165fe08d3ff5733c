/* Records of systems whose functions are in a C program: the scene describes the system without formulas, and the
 * record holds the numbers that the functions gave for every velocity problem. The checks of steps and impacts are
 * those of all records, with these numbers in the place of evaluated formulas. */
#ifndef THUD_SRC_VERIFY_SYSTEM_VERIFY_SYSTEM_FUNCTIONS_H
#define THUD_SRC_VERIFY_SYSTEM_VERIFY_SYSTEM_FUNCTIONS_H

#include "verify/verify_channels.h"
#include "verify/system/verify_system.h"

/* The rows of velocity problems: of all rows of a table. */
typedef struct verify_problems {
  verify_ragged mass;                        /* of events; groups of n x n */
  verify_ragged rows;                        /* reactions that take part */
  verify_ragged gradient, rate, coefficient; /* of each of them; groups of n, 1, 1 */
} verify_problems;

/* What frames of time stepping hold besides. */
typedef struct verify_posed {
  double *step;              /* [count] */
  double *mass, *node_mass;  /* [count x n x n]; NULL: constant */
  double *impulse, *applied; /* [count x n] */
  double *gap, *bend;        /* [count x m] */
  verify_problems problems;
} verify_posed;

/* functions_read.c: `system` of a scene with `functions: true`. */
bool thud_verify_has_functions(const thud_node *system);
thud_error thud_verify_functions_read(verify_system *system, const thud_node *node);

/* functions_values.c: channels of a table. What is missing, or names rows that do not exist, fails `structure`. */
thud_error thud_verify_problems_read(const verify_system *system, thud_record_reader *reader, thud_record_table table,
                                     verify_problems *problems, thud_verify_check *structure);
void thud_verify_problems_free(thud_context *context, verify_problems *problems);
thud_error thud_verify_posed_read(const verify_system *system, thud_record_reader *reader, verify_posed *posed,
                                  thud_verify_check *structure);
void thud_verify_posed_free(thud_context *context, verify_posed *posed);
/* The values of the velocity problem of row k, with this mass (NULL: the constant one); acting [m] (may be NULL) says
 * which constraints take part. False when a number is not finite, the mass not positive definite, or the restitution
 * not that of the scene. */
bool thud_verify_problem_values(const verify_system *system, const verify_problems *problems, size_t k,
                                const double *mass, double *acting, verify_values *values);
/* Mass and factor only; everything else is left as it is. */
bool thud_verify_take_mass(const verify_system *system, const double *mass, verify_values *values);

/* What nobody can check without the functions. */
void thud_verify_functions_name_unchecked(const verify_system *system, thud_verify_check *check);

#endif
