/* The live part of a program while its switches are held: operations that the outputs need on the branches that are held,
 * and switches that can turn next.
 *
 * Data with B breaks are a balanced tree of if(t < b, ..., ...) with some 5 B operations, of which one path of about
 * log2 B matters between two breaks. The breaks b_1 < b_2 < ... are sorted: as long as all are held, those passed come
 * first, and time can only meet the neighbours of the place where the sides change, with all breaks that are within
 * rounding of them. Other switches are always watched, and their arguments are computed. */
#include "base/base.h"
#include "expr/program.h"

#include <math.h>
#include <stdlib.h>

/* With fewer breaks everything stays alive: lists would save nothing. */
enum { FEW_BREAKS = 16 };

/* Breaks this near each other, beside their size, may be met together: far above the tolerance of times. */
#define TOGETHER 1e-6

/* ---- breaks ------------------------------------------------------------------------------------------------------ */

/* True when the argument of a switch is t - b or b - t. */
static bool is_break(const thud_expr *tape, int32_t argument, thud_index time, expr_break *found) {
  const expr_instruction *i = &tape->code[argument];
  if (i->op != EXPR_SUBTRACT) return false;
  const expr_instruction *a = &tape->code[i->operand[0]], *b = &tape->code[i->operand[1]];
  bool forward = a->op == EXPR_VARIABLE && a->reference == time && b->op == EXPR_CONSTANT;
  bool backward = b->op == EXPR_VARIABLE && b->reference == time && a->op == EXPR_CONSTANT;
  if (!forward && !backward) return false;
  found->at = tape->constants[forward ? b->reference : a->reference];
  found->sign = forward ? 1 : -1;
  return isfinite(found->at);
}

static int compare_breaks(const void *a, const void *b) {
  const expr_break *x = a, *y = b;
  if (x->at != y->at) return x->at < y->at ? -1 : 1;
  return (x->number > y->number) - (x->number < y->number);
}

static thud_error allocate(thud_expr_work *work) {
  thud_context *context = work->context;
  expr_live *live = &work->live;
  size_t count = (size_t)work->program->tape->count, switches = (size_t)work->program->switch_count;
  live->breaks = THUD_NEW_ARRAY(context, expr_break, switches);
  live->is_break = THUD_NEW_ARRAY(context, bool, switches);
  live->operations = THUD_NEW_ARRAY(context, int32_t, count);
  live->watched = THUD_NEW_ARRAY(context, int32_t, switches);
  live->others = THUD_NEW_ARRAY(context, int32_t, switches);
  live->stack = THUD_NEW_ARRAY(context, int32_t, count);
  live->place = THUD_NEW_ARRAY(context, int8_t, count);
  bool complete = live->breaks != NULL && live->is_break != NULL && live->operations != NULL && live->watched != NULL &&
                  live->others != NULL && live->stack != NULL && live->place != NULL;
  return complete ? THUD_OK : THUD_ERROR_MEMORY;
}

void thud_expr_live_release(thud_expr_work *work) {
  expr_live *live = &work->live;
  thud_free(work->context, live->breaks);
  thud_free(work->context, live->is_break);
  thud_free(work->context, live->operations);
  thud_free(work->context, live->watched);
  thud_free(work->context, live->others);
  thud_free(work->context, live->stack);
  thud_free(work->context, live->place);
  *live = (expr_live){0};
}

thud_error thud_expr_work_watch_time(thud_expr_work *work, thud_index time) {
  const thud_expr_program *program = work->program;
  expr_break found;
  thud_index count = 0;
  for (thud_index j = 0; j < program->switch_count; j++)
    count += is_break(program->tape, program->switches[j].argument, time, &found);
  if (count < FEW_BREAKS) return THUD_OK;
  thud_error error = allocate(work);
  if (error != THUD_OK) {
    thud_expr_live_release(work);
    return error;
  }
  expr_live *live = &work->live;
  for (int32_t j = 0; j < (int32_t)program->switch_count; j++) {
    found.number = j;
    live->is_break[j] = is_break(program->tape, program->switches[j].argument, time, &found);
    if (live->is_break[j]) {
      live->breaks[live->break_count++] = found;
      live->free_breaks += work->holds[j] == 0;
    } else {
      live->others[live->other_count++] = j;
    }
  }
  qsort(live->breaks, (size_t)live->break_count, sizeof *live->breaks, compare_breaks);
  thud_expr_live_renew(work);
  return THUD_OK;
}

/* ---- switches that can turn next --------------------------------------------------------------------------------- */

static bool is_passed(const thud_expr_work *work, int32_t k) {
  const expr_break *at = &work->live.breaks[k];
  return work->holds[at->number] == at->sign;
}

static bool are_together(const expr_break *a, const expr_break *b) {
  return b->at - a->at <= TOGETHER * (fabs(a->at) + fabs(b->at));
}

static int compare_numbers(const void *a, const void *b) {
  int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  return (x > y) - (x < y);
}

static void find_watched(thud_expr_work *work) {
  expr_live *live = &work->live;
  const expr_break *breaks = live->breaks;
  int32_t passed = 0, end = live->break_count;
  while (passed < end) {
    int32_t middle = passed + (end - passed) / 2;
    if (is_passed(work, middle))
      passed = middle + 1;
    else
      end = middle;
  }
  int32_t first = passed > 0 ? passed - 1 : 0, last = passed < live->break_count ? passed : live->break_count - 1;
  while (first > 0 && are_together(&breaks[first - 1], &breaks[first])) first--;
  while (last + 1 < live->break_count && are_together(&breaks[last], &breaks[last + 1])) last++;
  live->watched_count = 0;
  for (int32_t k = 0; k < live->other_count; k++) live->watched[live->watched_count++] = live->others[k];
  for (int32_t k = first; k <= last; k++) live->watched[live->watched_count++] = breaks[k].number;
  qsort(live->watched, (size_t)live->watched_count, sizeof *live->watched, compare_numbers);
}

/* ---- operations that are needed ---------------------------------------------------------------------------------- */

/* The operand that an if() has the value of while its condition is held; 0: not known. */
static int chosen_operand(const thud_expr_work *work, const expr_instruction *i) {
  if (i->op != EXPR_IF) return 0;
  if (expr_held_sign(work, i) != 0) return 1;
  const expr_instruction *condition = &work->program->tape->code[i->operand[0]];
  switch ((expr_op)condition->op) {
  case EXPR_LESS:
  case EXPR_LESS_EQUAL:
  case EXPR_EQUAL:
  case EXPR_NOT_EQUAL:
  case EXPR_SIGN:
  case EXPR_STEP: break;
  default: return 0;
  }
  int sign = expr_held_sign(work, condition);
  if (sign == 0) return 0;
  return thud_expr_apply_held((expr_op)condition->op, sign, 0, 0, 0) != 0 ? 1 : 2;
}

enum { NEW = 0, DONE = EXPR_MAX_ARITY + 1 };

/* Operands before operations, by a search in depth. place: the operand to look at next, + 1. The partner of a sine, whose
 * series it reads at lower orders, is needed as well; it has the same operand. */
static void reach(thud_expr_work *work, int32_t root) {
  const thud_expr *tape = work->program->tape;
  expr_live *live = &work->live;
  int32_t depth = 0;
  if (root < tape->leaf_count || live->place[root] != NEW) return;
  live->stack[depth++] = root;
  live->place[root] = 1;
  while (depth > 0) {
    int32_t k = live->stack[depth - 1], next = -1;
    const expr_instruction *i = &tape->code[k];
    int operand = live->place[k]++ - 1, chosen = chosen_operand(work, i);
    if (operand >= thud_expr_ops[i->op].arity) {
      live->place[k] = DONE;
      live->operations[live->operation_count++] = k;
      depth--;
      continue;
    }
    if (chosen == 0 || operand == 0 || operand == chosen) next = i->operand[operand];
    if (next < tape->leaf_count || live->place[next] != NEW) continue;
    live->place[next] = 1;
    live->stack[depth++] = next;
  }
}

static void find_operations(thud_expr_work *work) {
  const thud_expr_program *program = work->program;
  expr_live *live = &work->live;
  live->operation_count = 0;
  for (thud_index k = 0; k < program->output_count; k++) reach(work, program->outputs[k]);
  for (int32_t k = 0; k < live->watched_count; k++) reach(work, program->switches[live->watched[k]].argument);
  for (int32_t k = 0; k < live->operation_count; k++) {
    int32_t partner = program->companions[live->operations[k]];
    if (partner < program->tape->count) reach(work, partner);
  }
  for (int32_t k = 0; k < live->operation_count; k++) live->place[live->operations[k]] = NEW;
}

void thud_expr_live_renew(thud_expr_work *work) {
  expr_live *live = &work->live;
  live->pruned = live->break_count > 0 && live->free_breaks == 0;
  if (!live->pruned) return;
  find_watched(work);
  find_operations(work);
}
