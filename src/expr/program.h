/* A program: a tape without registers, its outputs and switches, and where the jets of its values stand. */
#ifndef THUD_SRC_EXPR_PROGRAM_H
#define THUD_SRC_EXPR_PROGRAM_H

#include "expr/graph.h"

typedef struct expr_switch {
  int32_t argument; /* value number */
  int8_t at_zero;   /* the side whose values operations that jump have at 0 itself; 0: none, or they differ */
  thud_expr_switch info;
} expr_switch;

struct thud_expr_program {
  thud_context *context;
  thud_expr *tape;
  thud_index output_count, switch_count;
  int32_t *outputs;      /* [output_count] value numbers */
  expr_switch *switches; /* [switch_count] */
  int32_t *companions;   /* [tape->count] first row of the operation's companion series, -1: none (jet.c) */
  int32_t row_count;     /* rows of jets: one per value, then the companions' own */
};

struct thud_expr_work {
  thud_context *context;
  const thud_expr_program *program;
  int max_order, done; /* highest order of the jet so far, -1: none */
  int8_t *holds;       /* [switch_count] -1, 0 (free), 1 */
  double *values;      /* [tape->count] of the last evaluation; the constants stand there from the start */
  double *jets;        /* [row_count][max_order + 1]; NULL before the first jet is possible (max_order 0 too has one) */
  int8_t *branches;    /* [tape->count] what order 0 of the jet has chosen: which operand, or the sign (abs) */
};

/* The arguments of the program's switches as nodes of the graph, made where they are missing. deciders: [*count] the
 * first operation that each decides. decided_by: [nodes before the call] switch number + 1 of each operation that the
 * roots need, negative when the operation goes by the opposite sign, 0: none. The arrays are allocated. */
thud_error thud_expr_find_switches(thud_expr_graph *graph, thud_index root_count, const int32_t *roots,
                                   int32_t **arguments, int32_t **deciders, int32_t **decided_by, thud_index *count);
/* Chooses the companions' rows. */
thud_error thud_expr_place_companions(thud_expr_program *program);

/* Value of an operation that is decided by a switch held on the side `sign`. */
double thud_expr_apply_held(expr_op op, int sign, double a, double b, double c);

/* The sign at which the operation's switch is held, as the operation sees it; 0: free. */
static inline int expr_held_sign(const thud_expr_work *work, const expr_instruction *instruction) {
  int32_t reference = instruction->reference;
  if (reference == 0 || instruction->op == EXPR_FUNCTION) return 0;
  return reference > 0 ? work->holds[reference - 1] : -work->holds[-reference - 1];
}

/* What has no degree: not a polynomial, as far as its structure says. */
enum { EXPR_ENDLESS = 1 << 20 };
/* Degrees of all values along a path whose variables are polynomials, on the branches that the switches are held on.
 * variables: [slots] of their degrees (0 for 0), degrees: [tape->count]. */
void thud_expr_work_degrees(const thud_expr_work *work, const int *variables, int *degrees);

/* Value of any operation of the tape, FUNCTION too, with its operands. */
double thud_expr_run(const thud_expr_work *work, const expr_instruction *instruction, double a, double b, double c);

#endif
