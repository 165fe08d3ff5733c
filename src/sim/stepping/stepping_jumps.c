/* Steps end where the data jump in time, and have the data of their side of the jump. */
#include "sim/stepping/stepping.h"

#include <float.h>

/* Jumps are known to a few units in the last place; data are taken this many of them beside. A node that is at most a few
 * times farther from a jump is at it. Nothing of it depends on the end: a run that goes on later has the same bits. */
#define SIDE (32 * DBL_EPSILON)
#define SAME_NODE 4
/* A gap jumps when it changes by more than this part of its terms. */
#define JUMP_OF_GAP 1e-9

double thud_stepping_side(const thud_stepping *motion, double t) {
  const thud_stepping_options *options = &motion->options;
  double step = (options->end - options->start) / (options->steps > 0 ? options->steps : 1000);
  return SIDE * thud_larger(step, thud_larger(fabs(options->start), fabs(t)));
}

void thud_stepping_begin_sides(thud_stepping *motion) {
  motion_progress *now = &motion->now;
  double found, side = thud_stepping_side(motion, now->t);
  now->at_jump = thud_model_next_jump(motion->jumps, now->t - side, now->t + side, &found);
}

double thud_stepping_limit(thud_stepping *motion, double to) {
  if (motion->jumps == NULL) return to;
  double t = motion->now.t, side = thud_stepping_side(motion, to), found;
  motion->jump = INFINITY;
  if (!thud_model_next_jump(motion->jumps, t + thud_stepping_side(motion, t), to + side, &found)) return to;
  motion->jump = found >= to - SAME_NODE * side ? to : found;
  return motion->jump;
}

void thud_stepping_take_sides(thud_stepping *motion, double t, double h) {
  const thud_stepping_options *options = &motion->options;
  double equal = options->steps > 0 ? (options->end - options->start) / options->steps : h;
  motion->data_from = motion->now.at_jump ? motion->now.t + thud_stepping_side(motion, motion->now.t) : -INFINITY;
  motion->data_to = t == motion->jump ? t - thud_stepping_side(motion, t) : INFINITY;
  motion->stretch = equal > h && h > 0 ? equal / h : 1;
}

static thud_error fail_at_jump(const thud_stepping *motion, double t, thud_index i, double before, double after) {
  const thud_constraint_def *constraint = thud_system_constraint(motion->system, i);
  return thud_fail(
      motion->context, THUD_ERROR_ARGUMENT,
      constraint->kind == THUD_CONSTRAINT_BILATERAL
          ? "t = %.10g: equation '%s' jumps from %.6g to %.6g where an expression changes its branch; it "
            "must be continuous"
          : "t = %.10g: the gap '%s' jumps shut, from %.6g to %.6g, where an expression changes its branch: "
            "no velocity leads there; write the wall as a constraint of its own",
      t, constraint->name, before, after);
}

/* Gaps may jump open, not below 0; before: [m]. The values hold gaps and gradients of the right side. */
static thud_error check_gaps(const thud_stepping *motion, double t, const double *before) {
  for (thud_index i = 0; i < motion->m; i++) {
    thud_constraint_kind kind = thud_system_constraint(motion->system, i)->kind;
    double after = motion->values->gap[i], change = after - before[i];
    double size =
        fabs(after) + fabs(before[i]) + thud_row_size(thud_gradient_row(motion->values, motion->n, i), motion->q);
    bool shuts = kind == THUD_CONSTRAINT_UNILATERAL && change < 0 && after < -motion->options.gap_tolerance;
    bool breaks = kind == THUD_CONSTRAINT_BILATERAL;
    if ((shuts || breaks) && fabs(change) > JUMP_OF_GAP * size) return fail_at_jump(motion, t, i, before[i], after);
  }
  return THUD_OK;
}

thud_error thud_stepping_arrive(thud_stepping *motion, double t, unsigned missing) {
  const unsigned jumping = THUD_AT_CONSTRAINT | THUD_AT_POTENTIAL;
  double *before = motion->kept;
  bool at_start = !(t > motion->now.t), at_jump = at_start ? motion->now.at_jump : t == motion->jump;
  motion->now.at_jump = at_jump;
  if (!at_jump) return thud_stepping_evaluate(motion, t, motion->q, motion->v, missing);
  thud_error error = THUD_OK;
  double potential = 0;
  if (!at_start) {
    error = thud_stepping_evaluate(motion, t, motion->q, motion->v, jumping);
    if (error != THUD_OK) return error;
    if (motion->m > 0) memcpy(before, motion->values->gap, (size_t)motion->m * sizeof(double));
    potential = motion->values->potential;
  }
  error = thud_system_evaluate(motion->system, t + thud_stepping_side(motion, t), motion->q, motion->v,
                               missing | jumping | THUD_AT_GRADIENT | THUD_AT_MASS | THUD_AT_FORCE, motion->values);
  if (error != THUD_OK || at_start) return error;
  thud_stepping_set_blow_up(motion);
  motion->now.info.ledger.work += motion->values->potential - potential;
  motion->now.info.jumps++;
  return check_gaps(motion, t, before);
}
