/* The tape: an expression as a flat list of fixed-size operations in static single assignment form.
 *
 * Value number i is the result of instruction i; every operand has a smaller number (topological order). The leaves
 * come first: constants 0..constant_count-1, then the variables that are read up to leaf_count-1, then operations.
 * Equal sub-expressions have one value number, so a pass over the tape does the work of each once.
 *
 * How passes run over it. All of them are one loop over leaf_count..count-1 with a switch on `op`, after the leaves
 * have been given their data:
 *  - value (evaluate.c): uses the registers assigned by linear scan instead of value numbers, so that the working
 *    memory is a fixed block on the stack, whatever the length of the tape;
 *  - dual numbers along time with a bound of the rounding errors (dual.h; sided.c, jumps.c);
 *  - programs (work.c) keep values[count], so that the values can be asked for afterwards (explain.c). They have no
 *    pass for derivatives: those are further outputs, made on the graph by reverse accumulation (differentiate.c);
 *  - Taylor jets of order m (jet.c): jets[rows][m+1]; constants are (c, 0, ..., 0), variables the caller's polynomials,
 * and each op has its recurrence for coefficient k in terms of the coefficients 0..k of its operands (product: Cauchy
 *    convolution; quotient, power, exp, log, sqrt and the sin/cos, sinh/cosh, tan, atan families: the usual linear
 *    recurrences from their differential equations, for which the companion series has a row of its own).
 *    Loops run over k outside and over the tape inside, so that jets can be extended order by order (as a Taylor
 *    integrator for q'' = f(q, q') needs).
 * While switches are held, programs with many breaks in time pass over a list of what is alive instead (live.c).
 * The smoothness class of the op says what such a pass must do: ANALYTIC differentiates; KINK follows the active branch
 * (on a tie the side decides, see the header for derivatives); JUMP is locally constant in the argument that decides
 * and takes the sides from the sign just beside; DATA asks the borrowed function. A POWER whose second operand is a
 * constant leaf has a constant exponent: its derivative needs no logarithm. x^2 is compiled to x*x. */
#ifndef THUD_SRC_EXPR_TAPE_H
#define THUD_SRC_EXPR_TAPE_H

#include "base/base.h"
#include "thud/expr.h"

typedef enum expr_smoothness { EXPR_LEAF, EXPR_ANALYTIC, EXPR_KINK, EXPR_JUMP, EXPR_DATA } expr_smoothness;
/* How the op is written: not at all (leaf), as an operator, name(fixed arguments), name(two or more arguments). */
typedef enum expr_notation { EXPR_IMPLICIT, EXPR_OPERATOR, EXPR_CALL, EXPR_CALL_MANY } expr_notation;

/* X(op, text in the source, arity, smoothness, notation). Analytic means: inside the open domain. */
#define EXPR_OP_TABLE(X)                                                                                               \
  X(CONSTANT, "constant", 0, EXPR_LEAF, EXPR_IMPLICIT)                                                                 \
  X(VARIABLE, "variable", 0, EXPR_LEAF, EXPR_IMPLICIT)                                                                 \
  X(ADD, "+", 2, EXPR_ANALYTIC, EXPR_OPERATOR)                                                                         \
  X(SUBTRACT, "-", 2, EXPR_ANALYTIC, EXPR_OPERATOR)                                                                    \
  X(MULTIPLY, "*", 2, EXPR_ANALYTIC, EXPR_OPERATOR)                                                                    \
  X(DIVIDE, "/", 2, EXPR_ANALYTIC, EXPR_OPERATOR)                                                                      \
  X(POWER, "^", 2, EXPR_ANALYTIC, EXPR_OPERATOR)                                                                       \
  X(NEGATE, "-", 1, EXPR_ANALYTIC, EXPR_OPERATOR)                                                                      \
  X(LESS, "<", 2, EXPR_JUMP, EXPR_OPERATOR)                                                                            \
  X(LESS_EQUAL, "<=", 2, EXPR_JUMP, EXPR_OPERATOR)                                                                     \
  X(EQUAL, "==", 2, EXPR_JUMP, EXPR_OPERATOR)                                                                          \
  X(NOT_EQUAL, "!=", 2, EXPR_JUMP, EXPR_OPERATOR)                                                                      \
  X(SIN, "sin", 1, EXPR_ANALYTIC, EXPR_CALL)                                                                           \
  X(COS, "cos", 1, EXPR_ANALYTIC, EXPR_CALL)                                                                           \
  X(TAN, "tan", 1, EXPR_ANALYTIC, EXPR_CALL)                                                                           \
  X(ASIN, "asin", 1, EXPR_ANALYTIC, EXPR_CALL)                                                                         \
  X(ACOS, "acos", 1, EXPR_ANALYTIC, EXPR_CALL)                                                                         \
  X(ATAN, "atan", 1, EXPR_ANALYTIC, EXPR_CALL)                                                                         \
  X(SINH, "sinh", 1, EXPR_ANALYTIC, EXPR_CALL)                                                                         \
  X(COSH, "cosh", 1, EXPR_ANALYTIC, EXPR_CALL)                                                                         \
  X(TANH, "tanh", 1, EXPR_ANALYTIC, EXPR_CALL)                                                                         \
  X(EXP, "exp", 1, EXPR_ANALYTIC, EXPR_CALL)                                                                           \
  X(LOG, "log", 1, EXPR_ANALYTIC, EXPR_CALL)                                                                           \
  X(SQRT, "sqrt", 1, EXPR_ANALYTIC, EXPR_CALL)                                                                         \
  X(ABS, "abs", 1, EXPR_KINK, EXPR_CALL)                                                                               \
  X(SIGN, "sign", 1, EXPR_JUMP, EXPR_CALL)                                                                             \
  X(STEP, "step", 1, EXPR_JUMP, EXPR_CALL)                                                                             \
  X(FLOOR, "floor", 1, EXPR_JUMP, EXPR_CALL)                                                                           \
  X(MIN, "min", 2, EXPR_KINK, EXPR_CALL_MANY)                                                                          \
  X(MAX, "max", 2, EXPR_KINK, EXPR_CALL_MANY)                                                                          \
  X(ATAN2, "atan2", 2, EXPR_JUMP, EXPR_CALL)                                                                           \
  X(HYPOT, "hypot", 2, EXPR_ANALYTIC, EXPR_CALL)                                                                       \
  X(IF, "if", 3, EXPR_JUMP, EXPR_CALL)                                                                                 \
  X(FUNCTION, "function", 1, EXPR_DATA, EXPR_IMPLICIT)

typedef enum expr_op {
#define EXPR_OP_ENUM(op, text, arity, smoothness, notation) EXPR_##op,
  EXPR_OP_TABLE(EXPR_OP_ENUM)
#undef EXPR_OP_ENUM
      EXPR_OP_COUNT
} expr_op;

typedef struct expr_op_info {
  const char *text;
  int arity;
  expr_smoothness smoothness;
  expr_notation notation;
} expr_op_info;

THUD_FOR_IO extern const expr_op_info thud_expr_ops[EXPR_OP_COUNT];

enum {
  EXPR_MAX_ARITY = 3,
  /* Live intermediate results of a tape. A tree of THUD_EXPR_MAX_LENGTH operations never needs more than about 25
   * (Sethi-Ullman order); sharing sub-expressions may need more, and is given up where it would exceed this. */
  EXPR_MAX_REGISTERS = 256,
  EXPR_MAX_TAPE = 16777216
};
/* Every byte of the source makes at most one instruction, so the limit on the length bounds the tape. */
_Static_assert((int)THUD_EXPR_MAX_LENGTH <= (int)EXPR_MAX_TAPE, "a tape may not exceed its limit");

/* Where the evaluator finds an operand: the low two bits choose an array, the rest is the index. */
typedef uint32_t expr_location;
enum { EXPR_IN_REGISTER = 0, EXPR_IN_CONSTANTS = 1, EXPR_IN_VARIABLES = 2 };
static inline expr_location expr_location_make(uint32_t space, uint32_t index) { return index << 2 | space; }

typedef struct expr_instruction {
  uint8_t op;                           /* expr_op */
  uint8_t target;                       /* register that receives the result (operations only) */
  int32_t reference;                    /* CONSTANT: index of constants; VARIABLE: slot; FUNCTION: index of functions;
                                           in programs, operations that a switch decides: its number + 1, negative
                                           when they go by the opposite of its sign; else 0 */
  int32_t operand[EXPR_MAX_ARITY];      /* value numbers; the places beyond the arity are -1 */
  expr_location source[EXPR_MAX_ARITY]; /* the same operands for the evaluator (locations; in programs the value numbers
                                           themselves); beyond the arity: source[0] again */
} expr_instruction;

/* Which text an operation comes from, beside its place there. */
typedef struct expr_origin {
  int32_t source; /* number of the text in the graph, 0 for a single expression; -1: made otherwise */
  bool inside;    /* the place is that of a named expression in whose text the operation is */
  bool derived;   /* made by differentiating the operation at the place */
} expr_origin;

struct thud_expr {
  thud_context *context;
  thud_index variable_count; /* of the scope at compile time */
  int32_t count, leaf_count, constant_count;
  int32_t result;            /* value number of the whole expression; the first output of a program */
  expr_location result_at;   /* the same for the evaluator */
  expr_instruction *code;    /* [count] */
  thud_expr_place *places;   /* [count] where in the source the operator, name or number is (its first use) */
  expr_origin *origins;      /* [count] */
  double *constants;         /* [constant_count] */
  double *constant_errors;   /* [constant_count] bound of the constant's rounding error in units of 2^-53: decimal
                                fractions are rounded when read, and folding rounds again */
  thud_regulated *functions; /* [function_count] copies of the borrowed descriptions */
  int32_t function_count;
};

#endif
