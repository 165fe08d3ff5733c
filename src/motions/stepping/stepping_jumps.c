/* Steps end where the data jump in time, and have the data of their side of the jump. */
#include "motions/stepping/stepping.h"

#include "expr/program.h"
#include "model/jets.h"
#include "model/model_rows.h"
#include "motions/event/arc.h"

#include <float.h>

/* Jumps are known to a few units in the last place; data are taken this many of them beside. A node that is at most a few
 * times farther from a jump is at it. Nothing of it depends on the end: a run that goes on later has the same bits. */
#define SIDE (32 * DBL_EPSILON)
#define SAME_NODE 4
/* A gap jumps when it changes by more than this part of its terms. */
#define JUMP_OF_GAP 1e-9

double thud_stepping_side(const stepping_motion *motion, double t) {
  const thud_stepping_options *options = &motion->options;
  double step = (options->end - options->start) / (options->steps > 0 ? options->steps : 1000);
  return SIDE * thud_larger(step, thud_larger(fabs(options->start), fabs(t)));
}

void thud_stepping_begin_sides(stepping_motion *motion) {
  motion_progress *now = &motion->now;
  double found, side = thud_stepping_side(motion, now->t);
  now->at_jump = thud_model_next_jump(motion->jumps, now->t - side, now->t + side, &found);
}

double thud_stepping_limit(stepping_motion *motion, double to) {
  if (motion->jumps == NULL) return to;
  double t = motion->now.t, side = thud_stepping_side(motion, to), found;
  motion->jump = INFINITY;
  if (!thud_model_next_jump(motion->jumps, t + thud_stepping_side(motion, t), to + side, &found)) return to;
  motion->jump = found >= to - SAME_NODE * side ? to : found;
  return motion->jump;
}

/* ---- forces in L^1 -------------------------------------------------------------------------------------------------
 *
 * Where a force is infinite at some time of the run, every step takes its mean over the step, so that impulses are
 * integrals, also of f that is infinite at an end of the step [a, a + h] or near it: the double-exponential rule
 * (Takahasi and Mori 1974): s = h w(u), w = 1/(1 + exp(-pi sinh u)), trapezoids in u. Times next to
 * an end that are rounded to more than MEAN_RESOLUTION of their distance d from it are not asked for: f = c d^-p, fitted to
 * the last two that were, takes their place. */

#define MEAN_STEP 0.1
#define MEAN_RESOLUTION 1e-6
/* Exponents from which on nothing is integrable, but for the rounding of the fit. */
#define NOT_INTEGRABLE (1 - 1e-4)
/* A force that is this many times larger GROWTH_RATIO times nearer to a time is infinite there. */
#define GROWTH 3.0
#define GROWTH_RATIO 1000

enum { MEAN_NODES = 40 }; /* on either side of the middle */

bool thud_stepping_is_singular(stepping_motion *motion, double t, double sign) {
  double near = sign * thud_stepping_side(motion, t), *first = motion->mean, grown = 0;
  const double *q = motion->q, *v = motion->v;
  if (thud_system_evaluate(motion->system, t, q, v, THUD_AT_FORCE, motion->values) != THUD_OK) return true;
  if (thud_system_evaluate(motion->system, t + near, q, v, THUD_AT_FORCE, motion->values) != THUD_OK) return false;
  memcpy(first, motion->values->applied, (size_t)motion->n * sizeof(double));
  if (thud_system_evaluate(motion->system, t + GROWTH_RATIO * near, q, v, THUD_AT_FORCE, motion->values) != THUD_OK)
    return false;
  for (thud_index i = 0; i < motion->n; i++)
    if (fabs(first[i]) > GROWTH * fabs(motion->values->applied[i])) grown = fabs(first[i]);
  return grown > 0;
}

/* The part w of the step at u and dw/du; both keep their digits where w is small. */
static double part_at(double u, double *rate) {
  double e = exp(-3.14159265358979323846 * sinh(fabs(u))), w = e / (1 + e);
  *rate = 3.14159265358979323846 * cosh(u) * e / ((1 + e) * (1 + e));
  return w; /* from the nearer end: the beginning for u < 0 */
}

typedef struct mean_side {
  double sign;      /* -1: the beginning of the step */
  double d, before; /* distances of the last two times, 0: none yet */
  int next;         /* number of the first one that was not asked for */
  double *f, *old;  /* [n] forces there */
} mean_side;

/* Adds the times of one side; sum: [2 n] integrals of force and applied force over h. */
static thud_error add_side(stepping_motion *motion, const double *q, const double *v, mean_side *side, double *sum) {
  size_t n = (size_t)motion->n;
  double end = side->sign < 0 ? motion->mean_from : motion->mean_from + motion->mean_of;
  for (int k = side->sign < 0 ? 0 : 1; k <= MEAN_NODES; k++) {
    double rate, u = side->sign * MEAN_STEP * k, w = part_at(u, &rate), d = w * motion->mean_of;
    double t = side->sign < 0 ? end + d : end - d;
    if (fabs(fabs(t - end) - d) > MEAN_RESOLUTION * d) break;
    thud_error error = thud_system_evaluate(motion->system, t, q, v, THUD_AT_FORCE, motion->values);
    if (error != THUD_OK) return error;
    for (size_t i = 0; i < n; i++) {
      sum[i] += MEAN_STEP * rate * motion->values->force[i];
      sum[n + i] += MEAN_STEP * rate * motion->values->applied[i];
    }
    memcpy(side->old, side->f, n * sizeof(double));
    memcpy(side->f, motion->values->applied, n * sizeof(double));
    side->before = side->d;
    side->d = d;
    side->next = k + 1;
  }
  return THUD_OK;
}

/* The times up to the end that were not asked for. */
static thud_error add_tail(const stepping_motion *motion, const mean_side *side, double *sum) {
  for (thud_index i = 0; i < motion->n; i++) {
    double near = side->f[i], far = side->old[i], tail = 0;
    double p = far != 0 && near / far > 1 ? log(near / far) / log(side->before / side->d) : 0;
    if (p >= NOT_INTEGRABLE)
      return thud_fail(motion->base.context, THUD_ERROR_NOT_FINITE,
                       "the force of '%s' is not integrable at t = %.10g: no impulse of it exists",
                       thud_system_coordinate(motion->system, i),
                       side->sign < 0 ? motion->mean_from : motion->mean_from + motion->mean_of);
    for (int k = side->next; k <= MEAN_NODES; k++) {
      double rate, d = part_at(MEAN_STEP * k, &rate) * motion->mean_of;
      tail += MEAN_STEP * rate * near * pow(side->d / d, p);
    }
    sum[i] += tail;
    sum[motion->n + i] += tail;
  }
  return THUD_OK;
}

thud_error thud_stepping_mean_force(stepping_motion *motion, const double *q, const double *v) {
  size_t n = (size_t)motion->n;
  double *sum = motion->mean;
  memset(motion->mean, 0, 6 * n * sizeof(double));
  mean_side sides[2] = {{.sign = -1, .f = motion->mean + 2 * n, .old = motion->mean + 3 * n},
                        {.sign = 1, .f = motion->mean + 4 * n, .old = motion->mean + 5 * n}};
  thud_error error = THUD_OK;
  for (int k = 0; k < 2 && error == THUD_OK; k++) {
    error = add_side(motion, q, v, &sides[k], sum);
    if (error == THUD_OK) error = add_tail(motion, &sides[k], sum);
  }
  memcpy(motion->values->force, sum, n * sizeof(double));
  memcpy(motion->values->applied, sum + n, n * sizeof(double));
  return error;
}

enum { MOST_SINGULAR = 1000 }; /* jumps that are looked at */

void thud_stepping_find_singular(stepping_motion *motion) {
  const thud_stepping_options *options = &motion->options;
  double t = options->start - thud_stepping_side(motion, options->start), found;
  for (int k = 0; k < MOST_SINGULAR && !motion->has_singular; k++) {
    if (!thud_model_next_jump(motion->jumps, t, options->end + thud_stepping_side(motion, options->end), &found))
      return;
    motion->has_singular = thud_stepping_is_singular(motion, found, 1) || thud_stepping_is_singular(motion, found, -1);
    t = found + thud_stepping_side(motion, found);
  }
}

void thud_stepping_take_sides(stepping_motion *motion, double t, double h) {
  const thud_stepping_options *options = &motion->options;
  double equal = options->steps > 0 ? (options->end - options->start) / options->steps : h, from = motion->now.t;
  motion->data_from = motion->now.at_jump ? from + thud_stepping_side(motion, from) : -INFINITY;
  motion->data_to = t == motion->jump ? t - thud_stepping_side(motion, t) : INFINITY;
  motion->mean_from = from;
  motion->mean_of = motion->has_singular ? t - from : 0;
  motion->stretch = equal > h && h > 0 ? equal / h : 1;
}

static thud_error fail_at_jump(const stepping_motion *motion, double t, thud_index i, double before, double after) {
  const thud_constraint_def *constraint = thud_system_constraint(motion->system, i);
  return thud_fail(motion->base.context, THUD_ERROR_ARGUMENT,
                   constraint->kind == THUD_CONSTRAINT_BILATERAL
                       ? "[branch-changes] t = %.10g: equation '%s' jumps from %.6g to %.6g where an expression "
                         "changes its branch; it "
                         "must be continuous"
                       : "[gap-jumps-shut] t = %.10g: the gap '%s' jumps shut, from %.6g to %.6g, where an expression "
                         "changes its branch: "
                         "no velocity leads there; write the wall as a constraint of its own",
                   t, constraint->name, before, after);
}

/* Gaps may jump open, not below 0; before: [m]. The values hold gaps and gradients of the right side. */
static thud_error check_gaps(const stepping_motion *motion, double t, const double *before) {
  for (thud_index i = 0; i < motion->m; i++) {
    thud_constraint_kind kind = thud_system_constraint(motion->system, i)->kind;
    double after = motion->values->gap[i], change = after - before[i];
    double size =
        fabs(after) + fabs(before[i]) + thud_row_size(thud_gradient_row(motion->values, motion->n, i), motion->q);
    bool shuts = kind == THUD_CONSTRAINT_UNILATERAL && change < 0 && after < -motion->options.gap_tolerance;
    bool breaks = kind == THUD_CONSTRAINT_BILATERAL;
    /* both sides are taken a little beside the time, where a gap that is continuous has moved on with its rate */
    double moved = 4 * thud_stepping_side(motion, t) * fabs(motion->values->rate[i]);
    if ((shuts || breaks) && fabs(change) > JUMP_OF_GAP * size + moved)
      return fail_at_jump(motion, t, i, before[i], after);
  }
  return THUD_OK;
}

/* ---- right accumulations -------------------------------------------------------------------------------------------
 *
 * Impacts cannot accumulate from the right, and the motion is unique, where the data have a power series to the right
 * (Ballard, ARMA 154, 2000), or where a force presses or lifts from the first instant on. What is left, a closed contact
 * at rest with u' = 0 at a break of the data or where they are smooth at most, is noted: different schemes may take
 * different motions there, all of them right. The event-driven method has the same rule (event_zeno.c). */

/* Velocities and accelerations of a row count as 0 up to this part of their terms. */
#define NO_MOTION 1e-9

/* gamma: what is left of u' at acceleration 0, by a difference of u along the motion; *error: its rounding. */
static thud_error convective_rate(stepping_motion *motion, double t, thud_index i, double *rate,
                                  double *error_of_rate) {
  const unsigned parts = THUD_AT_CONSTRAINT | THUD_AT_GRADIENT;
  double length = motion->options.end - motion->options.start, h = 1e-4 * length, before, size;
  thud_row row = thud_gradient_row(motion->values, motion->n, i);
  before = thud_row_dot(row, motion->v) + motion->values->rate[i];
  size = thud_row_size(row, motion->v) + fabs(motion->values->rate[i]);
  *rate = *error_of_rate = 0;
  if (size == 0) return THUD_OK;
  for (thud_index c = 0; c < motion->n; c++) motion->work[c] = motion->q[c] + h * motion->v[c];
  thud_error error = thud_system_evaluate(motion->system, t + h, motion->work, motion->v, parts, motion->values);
  if (error != THUD_OK) return error;
  row = thud_gradient_row(motion->values, motion->n, i);
  *rate = (thud_row_dot(row, motion->v) + motion->values->rate[i] - before) / h;
  *error_of_rate = NO_MOTION * size / h;
  return THUD_OK;
}

static bool is_at_rest(const stepping_motion *motion, thud_index i) {
  const thud_system_values *values = motion->values;
  if (thud_system_constraint(motion->system, i)->kind != THUD_CONSTRAINT_UNILATERAL) return false;
  if (!motion->acting[i] && !(values->gap[i] <= motion->options.gap_tolerance)) return false;
  thud_row row = thud_gradient_row(values, motion->n, i);
  double u = thud_row_dot(row, motion->v) + values->rate[i];
  return fabs(u) <= NO_MOTION * (thud_row_size(row, motion->v) + fabs(values->rate[i]));
}

/* M^-1 F at t. */
static thud_error free_acceleration(stepping_motion *motion, double t, double *a) {
  const unsigned parts = THUD_AT_MASS | THUD_AT_FORCE | THUD_AT_CONSTRAINT | THUD_AT_GRADIENT;
  thud_error error = thud_system_evaluate(motion->system, t, motion->q, motion->v, parts, motion->values);
  if (error != THUD_OK) return error;
  memcpy(a, motion->values->force, (size_t)motion->n * sizeof *a);
  thud_values_solve_mass(motion->values, motion->n, a);
  return THUD_OK;
}

/* The first closed contact at rest that the accelerations leave open; m: none. Data right of a break are taken a little
 * beside it: what they change by within the same way once more counts as 0. */
static thud_error find_unloaded(stepping_motion *motion, double t, double side, thud_index *found) {
  const unsigned parts = THUD_AT_CONSTRAINT | THUD_AT_GRADIENT;
  double *a = motion->v_free, *later = motion->middle, gamma = 0, blur = 0;
  thud_error failed = free_acceleration(motion, t + side, later);
  if (failed == THUD_OK) failed = free_acceleration(motion, t, a);
  if (failed != THUD_OK) return failed;
  for (*found = 0; *found < motion->m; (*found)++) {
    thud_row row = thud_gradient_row(motion->values, motion->n, *found);
    if (!is_at_rest(motion, *found)) continue;
    double rate = thud_row_dot(row, a), size = thud_row_size(row, a);
    thud_error error = convective_rate(motion, t, *found, &gamma, &blur);
    if (error == THUD_OK) error = thud_system_evaluate(motion->system, t, motion->q, motion->v, parts, motion->values);
    if (error != THUD_OK) return error;
    double change = 2 * fabs(thud_row_dot(row, later) - rate);
    if (fabs(rate + gamma) <= NO_MOTION * (size + fabs(gamma)) + blur + change) return THUD_OK;
  }
  return THUD_OK;
}

static void note_accumulation(thud_stepping_motion_info *info, double t, thud_index constraint) {
  if (info->right_accumulations++ > 0) return;
  info->right_accumulation_time = t;
  info->right_accumulation_constraint = constraint;
}

/* True when the data have values at the present state but no power series. Functions of time that are given piece by piece
 * are not asked: their breaks are known. Neither are large systems, whose matrices would have to be full. */
static thud_error look_for_series(const stepping_motion *motion, double t, bool *lacks) {
  enum { ORDERS = 3, MOST_COORDINATES = 400 };
  sim_arc *arc = NULL;
  *lacks = false;
  if (!thud_model_has_expressions(motion->system) || motion->n > MOST_COORDINATES) return THUD_OK;
  thud_error error = thud_arc_create(motion->base.context, motion->system, ORDERS, &arc);
  if (error != THUD_OK) return error == THUD_ERROR_MEMORY ? error : THUD_OK;
  bool pieces = arc->jets.program->tape->function_count > 0;
  error = pieces ? THUD_OK : thud_arc_begin(arc, t, motion->q, motion->v);
  for (int k = 0; k <= ORDERS && error == THUD_OK && !pieces; k++) {
    error = thud_arc_open_order(arc, k);
    if (error != THUD_OK) break;
    thud_arc_accelerate(arc, k);
    thud_arc_close_order(arc, k);
  }
  thud_arc_destroy(arc);
  *lacks = error == THUD_ERROR_NOT_FINITE;
  return error == THUD_ERROR_MEMORY ? error : THUD_OK;
}

thud_error thud_stepping_note_accumulation(stepping_motion *motion, double t, bool at_start) {
  thud_index found = motion->m;
  if (motion->m == 0 || !(at_start || motion->now.at_jump)) return THUD_OK;
  bool possible = motion->now.at_jump;
  double side = possible ? thud_stepping_side(motion, t) : 0;
  thud_error error = find_unloaded(motion, t + side, side, &found);
  if (error == THUD_OK && found < motion->m && !possible) error = look_for_series(motion, t, &possible);
  if (error == THUD_OK && found < motion->m && possible) note_accumulation(&motion->now.info, t, found);
  return error;
}

thud_error thud_stepping_arrive(stepping_motion *motion, double t, unsigned missing) {
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
