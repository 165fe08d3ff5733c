/* Jumps of the data in time: which arguments decide, and where they change their signs. */
#include "model/system_jumps.h"

#include "base/base.h"
#include "expr/bounds.h"
#include "model/expressions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- which arguments: when the system is made --------------------------------------------------------------------- */

typedef struct jump_search {
  model_builder *builder;
  size_t count, capacity;
  thud_expr_value *roots; /* all values of the system; then the arguments and their rates */
  int32_t *arguments, *deciders, *decided_by;
  thud_index switch_count;
  bool *jumping; /* [switch_count] */
} jump_search;

/* The operand at whose zeros an operation of a text is infinite: 1/b, b^-p, log b; -1: none. */
static int32_t singular_operand(const expr_builder *builder, size_t k) {
  const expr_node *node = &builder->nodes[k];
  if (builder->origins[k].derived) return -1;
  if (node->op == EXPR_DIVIDE) return node->operand[1];
  if (node->op == EXPR_LOG) return node->operand[0];
  if (node->op != EXPR_POWER || builder->nodes[node->operand[1]].op != EXPR_CONSTANT) return -1;
  return builder->nodes[node->operand[1]].value < 0 ? node->operand[0] : -1;
}

/* An argument with the zeros of b that changes its sign there: u of |u|, sqrt(u), u^2, u^p, c u. */
static int32_t zero_of(const expr_builder *builder, int32_t b) {
  for (;;) {
    const expr_node *node = &builder->nodes[b];
    bool product = node->op == EXPR_MULTIPLY, square = product && node->operand[0] == node->operand[1];
    bool scaled = product && builder->nodes[node->operand[1]].op == EXPR_CONSTANT;
    if (product && !square && builder->nodes[node->operand[0]].op == EXPR_CONSTANT)
      b = node->operand[1];
    else if (node->op == EXPR_ABS || node->op == EXPR_SQRT || node->op == EXPR_NEGATE || node->op == EXPR_POWER ||
             square || scaled)
      b = node->operand[0];
    else
      return b;
  }
}

/* True when anything in the graph jumps or may be infinite; most systems end here. */
static bool graph_jumps(const thud_expr_graph *graph) {
  for (size_t k = 0; k < graph->builder.count; k++) {
    expr_smoothness smoothness = thud_expr_ops[graph->builder.nodes[k].op].smoothness;
    int32_t singular = singular_operand(&graph->builder, k);
    if (singular >= 0 && graph->builder.nodes[singular].op != EXPR_CONSTANT) return true;
    if (smoothness == EXPR_DATA || (smoothness == EXPR_JUMP && !graph->builder.origins[k].derived)) return true;
  }
  return false;
}

static thud_error add_root(jump_search *s, thud_expr_value value) {
  thud_error error = thud_array_reserve(s->builder->context, &s->roots, &s->capacity, s->count + 1, sizeof *s->roots);
  if (error == THUD_OK) s->roots[s->count++] = value;
  return error;
}

static thud_error collect_values(jump_search *s) {
  thud_error error = THUD_OK;
  for (model_array array = 0; array < MODEL_ARRAYS; array++)
    for (size_t k = 0; k < s->builder->array[array].count && error == THUD_OK; k++)
      error = add_root(s, s->builder->array[array].value[k]);
  return error;
}

/* jumping[switches]: whether an operation of a text that jumps goes by the switch. */
static void find_jumping(const jump_search *s, size_t nodes, bool *jumping) {
  const expr_builder *builder = &s->builder->graph->builder;
  for (size_t i = 0; i < nodes; i++)
    if (s->decided_by[i] != 0 && thud_expr_ops[builder->nodes[i].op].smoothness == EXPR_JUMP &&
        !builder->origins[i].derived)
      jumping[abs(s->decided_by[i]) - 1] = true;
}

/* The argument if it depends on t and on nothing else, and its rate; a rate that is not known (data without a derivative)
 * is given as 0. */
static thud_error add_argument(jump_search *s, thud_expr_value argument) {
  model_builder *builder = s->builder;
  thud_index which = -1, slot;
  bool by_time = false;
  thud_expr_value rate = builder->zero;
  thud_error error = thud_expr_graph_depends_on(builder->graph, argument, builder->slot_t, &by_time);
  for (int pass = 0; pass < 2 && error == THUD_OK && which < 0; pass++)
    error = thud_expr_graph_find_dependence(builder->graph, 1, &argument, pass == 0 ? builder->by_q : builder->by_v,
                                            &which, &slot);
  if (error != THUD_OK || !by_time || which >= 0) return error;
  error = thud_expr_graph_add_gradient(builder->graph, argument, 1, &builder->slot_t, &rate);
  if (error == THUD_ERROR_UNSUPPORTED) error = THUD_OK;
  if (error == THUD_OK) error = add_root(s, argument);
  return error == THUD_OK ? add_root(s, rate) : error;
}

/* Times at which operations of texts are infinite count as jumps: steps end there. */
static thud_error add_singular(jump_search *s, size_t nodes) {
  const expr_builder *builder = &s->builder->graph->builder;
  thud_error error = THUD_OK;
  for (size_t k = 0; k < nodes && error == THUD_OK; k++) {
    int32_t operand = singular_operand(builder, k);
    if (operand >= 0) error = add_argument(s, zero_of(builder, operand));
  }
  return error;
}

/* The program of the arguments: outputs 2k and 2k + 1 are argument k and its rate. */
static thud_error compile_arguments(jump_search *s, struct model_expressions *expressions) {
  thud_expr_graph *graph = s->builder->graph;
  size_t nodes = graph->builder.count;
  thud_error error = thud_expr_find_switches(graph, (thud_index)s->count, s->roots, &s->arguments, &s->deciders,
                                             &s->decided_by, &s->switch_count);
  if (error == THUD_OK) s->jumping = THUD_NEW_ARRAY(graph->context, bool, s->switch_count);
  if (error == THUD_OK && s->jumping == NULL) error = THUD_ERROR_MEMORY;
  if (error == THUD_OK) find_jumping(s, nodes, s->jumping);
  s->count = 0;
  for (thud_index k = 0; k < s->switch_count && error == THUD_OK; k++)
    if (s->jumping[k]) error = add_argument(s, s->arguments[k]);
  if (error == THUD_OK) error = add_singular(s, nodes);
  if (error != THUD_OK || s->count == 0) return error;
  return thud_expr_program_create(graph, (thud_index)s->count, s->roots, &expressions->jumps);
}

static int compare_times(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Jumps that tables of data declare. */
static thud_error collect_declared(const model_builder *builder, struct model_expressions *expressions) {
  const expr_builder *graph = &builder->graph->builder;
  size_t count = 0;
  for (size_t k = 0; k < graph->function_count; k++) count += graph->functions[k].jump_count;
  if (count == 0) return THUD_OK;
  expressions->declared = THUD_NEW_ARRAY(builder->context, double, count);
  if (expressions->declared == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < graph->function_count; k++)
    for (size_t j = 0; j < graph->functions[k].jump_count; j++)
      expressions->declared[expressions->declared_count++] = graph->functions[k].jumps[j];
  qsort(expressions->declared, count, sizeof(double), compare_times);
  return THUD_OK;
}

thud_error thud_model_add_jumps(model_builder *builder, thud_system *system) {
  jump_search s = {.builder = builder};
  if (!graph_jumps(builder->graph)) return THUD_OK;
  thud_error error = collect_declared(builder, system->expressions);
  if (error == THUD_OK) error = collect_values(&s);
  if (error == THUD_OK && s.count > INT32_MAX) error = THUD_ERROR_OVERFLOW;
  if (error == THUD_OK) error = compile_arguments(&s, system->expressions);
  thud_free(builder->context, s.roots);
  thud_free(builder->context, s.arguments);
  thud_free(builder->context, s.deciders);
  thud_free(builder->context, s.decided_by);
  thud_free(builder->context, s.jumping);
  return error;
}

/* ---- where they change their signs: along a motion ------------------------------------------------------------------ */

struct model_jumps {
  thud_context *context;
  const struct model_expressions *expressions;
  size_t arguments; /* of the program; 0: none */
  thud_expr_work *work;
  expr_bounds *bounds;
  double *variables, *outputs; /* [variables] 0 but t; [2 arguments] */
  expr_interval *ranges;       /* [variables] */
};

/* Halvings of the interval in which a zero is looked for; of arguments that have no bounds. */
enum { MOST_HALVINGS = 20, BLIND_HALVINGS = 7 };

void thud_model_jumps_destroy(model_jumps *jumps) {
  if (jumps == NULL) return;
  thud_expr_work_destroy(jumps->work);
  thud_bounds_destroy(jumps->bounds);
  thud_free(jumps->context, jumps->variables);
  thud_free(jumps->context, jumps->outputs);
  thud_free(jumps->context, jumps->ranges);
  thud_free(jumps->context, jumps);
}

static thud_error create_search(model_jumps *made) {
  const thud_expr_program *program = made->expressions->jumps;
  if (program == NULL) return THUD_OK;
  size_t variables = (size_t)thud_expr_program_variable_count(program);
  made->arguments = (size_t)thud_expr_program_output_count(program) / 2;
  made->variables = THUD_NEW_ARRAY(made->context, double, variables);
  made->outputs = THUD_NEW_ARRAY(made->context, double, 2 * made->arguments);
  made->ranges = THUD_NEW_ARRAY(made->context, expr_interval, variables);
  if (made->variables == NULL || made->outputs == NULL || made->ranges == NULL) return THUD_ERROR_MEMORY;
  thud_error error = thud_expr_work_create(made->context, program, 0, &made->work);
  return error == THUD_OK ? thud_bounds_create(made->context, program, 0, &made->bounds) : error;
}

thud_error thud_model_jumps_create(thud_context *context, const thud_system *system, model_jumps **jumps) {
  const struct model_expressions *expressions = system->expressions;
  *jumps = NULL;
  if (expressions == NULL || (expressions->jumps == NULL && expressions->declared_count == 0)) return THUD_OK;
  model_jumps *made = THUD_NEW(context, model_jumps);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->context = context;
  made->expressions = expressions;
  thud_error error = create_search(made);
  if (error == THUD_OK)
    *jumps = made;
  else
    thud_model_jumps_destroy(made);
  return error;
}

/* Sign of argument k; what is not a number has none. */
static int sign_at(model_jumps *jumps, size_t k, double t) {
  jumps->variables[jumps->expressions->slot_t] = t;
  thud_expr_work_evaluate(jumps->work, jumps->variables, jumps->outputs);
  double x = jumps->outputs[2 * k];
  return (x > 0) - (x < 0);
}

/* The first number in ]low, high] at which argument k does not have the sign of `low` any more, for an argument that
 * changes it once; the signs at the ends differ. */
static double bisect(model_jumps *jumps, size_t k, double low, double high) {
  int sign = sign_at(jumps, k, low);
  for (;;) {
    double middle = low + (high - low) / 2;
    if (!(middle > low && middle < high)) return high;
    *(sign_at(jumps, k, middle) == sign ? &low : &high) = middle;
  }
}

typedef enum piece_verdict { PIECE_FREE, PIECE_MONOTONE, PIECE_OPEN, PIECE_BLIND } piece_verdict;

static bool has_zero(expr_interval x) { return x.low <= 0 && x.high >= 0; }

/* Bounds of argument k between low and high. */
static piece_verdict look_at(model_jumps *jumps, size_t k, double low, double high) {
  jumps->ranges[jumps->expressions->slot_t] = (expr_interval){low, high};
  thud_bounds_plain(jumps->bounds, jumps->work, jumps->ranges);
  expr_interval argument = jumps->bounds->values[bounds_output(jumps->bounds, 2 * k)];
  expr_interval rate = jumps->bounds->values[bounds_output(jumps->bounds, 2 * k + 1)];
  if (!has_zero(argument)) return PIECE_FREE;
  if (!expr_interval_is_finite(argument)) return PIECE_BLIND;
  return has_zero(rate) ? PIECE_OPEN : PIECE_MONOTONE;
}

/* True when argument k is t - b or b - t. Data may have thousands of breaks: a pass of bounds for each would cost the square
 * of their number. */
static bool is_break(const model_jumps *jumps, size_t k, double *at) {
  const thud_expr_program *program = jumps->work->program;
  const expr_instruction *code = program->tape->code, *i = &code[program->outputs[2 * k]];
  if (i->op != EXPR_SUBTRACT) return false;
  const expr_instruction *a = &code[i->operand[0]], *b = &code[i->operand[1]];
  const expr_instruction *time = a->op == EXPR_VARIABLE ? a : b, *constant = a->op == EXPR_VARIABLE ? b : a;
  if (time->op != EXPR_VARIABLE || time->reference != jumps->expressions->slot_t) return false;
  if (constant->op != EXPR_CONSTANT) return false;
  *at = program->tape->constants[constant->reference];
  return isfinite(*at);
}

/* The first number in [from, to] at which t - at does not have the sign that it has at `from`. */
static bool first_change_at_break(double at, double from, double to, double *t) {
  *t = from < at ? at : nextafter(at, (double)INFINITY);
  return from <= at && *t <= to;
}

/* The first change of sign of argument k in [from, to]: pieces from left to right, halved until they are decided. */
static bool first_change(model_jumps *jumps, size_t k, double from, double to, double *t) {
  struct {
    double high;
    int depth;
  } ahead[MOST_HALVINGS + 1];
  int count = 0;
  double low = from;
  ahead[count].high = to;
  ahead[count++].depth = 0;
  while (count > 0) {
    double high = ahead[count - 1].high, middle = low + (high - low) / 2;
    int depth = ahead[count - 1].depth;
    piece_verdict verdict = look_at(jumps, k, low, high);
    bool halve = (verdict == PIECE_OPEN && depth < MOST_HALVINGS) || (verdict == PIECE_BLIND && depth < BLIND_HALVINGS);
    if (halve && middle > low && middle < high) {
      ahead[count - 1].depth = depth + 1;
      ahead[count].high = middle;
      ahead[count++].depth = depth + 1;
      continue;
    }
    if (verdict != PIECE_FREE && sign_at(jumps, k, low) != sign_at(jumps, k, high)) {
      *t = bisect(jumps, k, low, high);
      return true;
    }
    low = high;
    count--;
  }
  return false;
}

bool thud_model_next_jump(model_jumps *jumps, double from, double to, double *t) {
  if (jumps == NULL) return false;
  const struct model_expressions *expressions = jumps->expressions;
  bool found = false;
  double end = to;
  for (size_t k = 0; k < expressions->declared_count && !found; k++)
    if (expressions->declared[k] >= from && expressions->declared[k] <= end) {
      end = expressions->declared[k];
      found = true;
    }
  for (size_t k = 0; k < jumps->arguments; k++) {
    double first, at;
    bool changes = is_break(jumps, k, &at) ? first_change_at_break(at, from, end, &first)
                                           : first_change(jumps, k, from, end, &first);
    if (!changes) continue;
    end = first;
    found = true;
  }
  if (found) *t = end;
  return found;
}
