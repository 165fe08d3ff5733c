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

/* A switch whose argument is t - at (sign 1) or at - t (sign -1). */
typedef struct expr_break {
  double at;
  int32_t number; /* of the switch */
  int8_t sign;
} expr_break;

/* The live part while the switches are held: live.c. */
typedef struct expr_live {
  bool pruned;                                   /* the lists count; else everything is alive and watched */
  int32_t break_count, free_breaks, other_count; /* free_breaks: not held */
  expr_break *breaks;                            /* [break_count] in the order of time */
  bool *is_break;                                /* [switch_count] */
  int32_t *others;                               /* [other_count] switches that are no breaks */
  int32_t operation_count, watched_count;
  int32_t *operations; /* [operation_count] value numbers, operands first */
  int32_t *watched;    /* [watched_count] switches, in their order */
  int32_t *stack;      /* [tape->count] of the search */
  int8_t *place;       /* [tape->count] of the search; 0 outside of it */
} expr_live;

struct thud_expr_work {
  thud_context *context;
  const thud_expr_program *program;
  int max_order, done; /* highest order of the jet so far, -1: none */
  int8_t *holds;       /* [switch_count] -1, 0 (free), 1 */
  double *values;      /* [tape->count] of the last evaluation; the constants stand there from the start */
  double *jets;        /* [row_count][max_order + 1]; NULL before the first jet is possible (max_order 0 too has one) */
  int8_t *branches;    /* [tape->count] what order 0 of the jet has chosen: which operand, or the sign (abs) */
  expr_live live;
};

/* Passes over a work leave out what its held switches exclude, and the breaks of variable `time` that are not next; where
 * there are few breaks, nothing. Arguments of switches that are not watched are not computed by jets and bounds. */
thud_error thud_expr_work_watch_time(thud_expr_work *work, thud_index time);
/* After a change of what is held. */
void thud_expr_live_renew(thud_expr_work *work);
void thud_expr_live_release(thud_expr_work *work);

/* Operations that passes compute, operands first: value number of the k-th. */
static inline int32_t expr_live_count(const thud_expr_work *work) {
  const thud_expr *tape = work->program->tape;
  return work->live.pruned ? work->live.operation_count : tape->count - tape->leaf_count;
}
static inline int32_t expr_live_operation(const thud_expr_work *work, int32_t k) {
  return work->live.pruned ? work->live.operations[k] : work->program->tape->leaf_count + k;
}
/* Switches that can turn next: number of the k-th. */
static inline int32_t expr_watched_count(const thud_expr_work *work) {
  return work->live.pruned ? work->live.watched_count : (int32_t)work->program->switch_count;
}
static inline int32_t expr_watched(const thud_expr_work *work, int32_t k) {
  return work->live.pruned ? work->live.watched[k] : k;
}

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

/* Degree of values that are not polynomials, as far as their structure says. */
enum { EXPR_ENDLESS = 1 << 20 };
/* Degrees of all values along a path whose variables are polynomials, on the branches that the switches are held on.
 * variables: [slots] of their degrees (0 for 0), degrees: [tape->count]. */
void thud_expr_work_degrees(const thud_expr_work *work, const int *variables, int *degrees);

/* Value of any operation of the tape, FUNCTION too, with its operands. */
double thud_expr_run(const thud_expr_work *work, const expr_instruction *instruction, double a, double b, double c);

#endif
