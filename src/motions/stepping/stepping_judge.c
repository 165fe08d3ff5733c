/* What a run is worth: violations of constraints against the size of the motion, energy that the discretisation adds or
 * takes against the energy exchanged. Notes are taken at every node; the judgement is made when it is asked for. */
#include "motions/stepping/stepping.h"

/* Violations and defects that are rounding, relative to the terms that they are differences of. */
#define ROUNDING_OF_GAPS 1e-12
#define ROUNDING_OF_ENERGY 1e-10
/* What is advised stays below what is allowed. */
#define ADVICE 0.8
/* Where nothing can be said (energy from nothing), this much shorter. */
#define LEAST_ADVICE 1e-4

static double violation_of(const stepping_motion *motion, thud_index i) {
  double gap = motion->gap[i];
  switch (thud_system_constraint(motion->system, i)->kind) {
  case THUD_CONSTRAINT_UNILATERAL: return thud_larger(-gap, 0);
  case THUD_CONSTRAINT_BILATERAL: return fabs(gap);
  default: return 0;
  }
}

/* ---- notes ------------------------------------------------------------------------------------------------------- */

void thud_stepping_note_start(stepping_motion *motion) {
  motion_progress *now = &motion->now;
  size_t bytes = (size_t)motion->n * sizeof(double);
  memcpy(motion->low, motion->q, bytes);
  memcpy(motion->high, motion->q, bytes);
  memcpy(motion->before, motion->q, bytes);
  for (thud_index i = 0; i < motion->m; i++) {
    motion->gap[i] = motion->values->gap[i];
    motion->at_start[i] = fabs(motion->gap[i]) <= motion->options.initial_tolerance ? fabs(motion->gap[i]) : 0;
    motion->open[i] = motion->near[i] = thud_larger(motion->gap[i], 0);
    motion->violated[i] = motion->carried[i] = 0;
  }
  now->first_kinetic = thud_system_kinetic_energy(motion->system, motion->values, motion->v);
  now->first_potential = now->lowest_potential = motion->values->potential;
}

/* The founding scheme gives e to the free velocity: contacts at rest are thrown up by e times what the forces of a step
 * cause, and what sticks moves while they are open. */
static void note_creep(stepping_motion *motion, double h) {
  motion_progress *now = &motion->now;
  bool creeps = false;
  for (thud_index i = 0; i < motion->m; i++) {
    if (motion->atom[i] || !(motion->reaction[i] > 0)) continue;
    if (!(motion->u_after[i] > 0) || !(motion->values->restitution[i] > 0)) continue;
    creeps = true;
    if (motion->u_after[i] <= now->creep_speed) continue;
    now->creep_speed = motion->u_after[i];
    now->creep = i;
  }
  if (creeps) now->creep_time += h;
}

void thud_stepping_note_carrying(stepping_motion *motion, double h) {
  if (motion->scheme->throws_up) note_creep(motion, h);
  for (thud_index i = 0; i < motion->m; i++) {
    double gap = motion->values->gap[i]; /* beyond the tolerance: open by rounding (thud_stepping_choose_acting) */
    if (motion->reaction[i] != 0 && gap <= motion->options.gap_tolerance &&
        thud_system_constraint(motion->system, i)->kind == THUD_CONSTRAINT_UNILATERAL)
      motion->carried[i] = thud_larger(motion->carried[i], gap - motion->at_start[i]);
  }
}

/* V(t1, q) - V(t0, q); 0 where that is not defined. */
static double potential_change(stepping_motion *motion, double t0, double t1, const double *q) {
  const thud_system_values *values = motion->values;
  if (thud_stepping_evaluate(motion, t0, q, motion->v, THUD_AT_POTENTIAL) != THUD_OK) return 0;
  double before = values->potential;
  if (thud_stepping_evaluate(motion, t1, q, motion->v, THUD_AT_POTENTIAL) != THUD_OK) return 0;
  return values->potential - before;
}

/* The work dV/dt of a step, to second order: the mean of both ends. The implicit scheme books it by itself. */
static void note_moving_potential(stepping_motion *motion, double t_before) {
  motion_progress *now = &motion->now;
  if (!thud_model_potential_moves(motion->system) || motion->scheme->at_end) return;
  if (!(now->t > t_before)) return;
  now->moved_potential += (potential_change(motion, t_before, now->t, motion->before) +
                           potential_change(motion, t_before, now->t, motion->q)) /
                          2;
}

void thud_stepping_note_node(stepping_motion *motion, double t_before) {
  motion_progress *now = &motion->now;
  const thud_ledger *ledger = &now->info.ledger;
  for (thud_index i = 0; i < motion->m; i++) {
    double open = thud_larger(motion->gap[i], 0);
    motion->open[i] = thud_larger(motion->open[i], open);
    motion->near[i] = fmin(motion->near[i], open);
    motion->violated[i] = thud_larger(motion->violated[i], violation_of(motion, i) - motion->at_start[i]);
  }
  note_moving_potential(motion, t_before);
  for (thud_index i = 0; i < motion->n; i++) {
    motion->low[i] = fmin(motion->low[i], motion->q[i]);
    motion->high[i] = thud_larger(motion->high[i], motion->q[i]);
    motion->before[i] = motion->q[i];
  }
  now->lowest_potential = fmin(now->lowest_potential, ledger->potential);
  now->largest_potential = thud_larger(now->largest_potential, fabs(ledger->potential));
  now->exchanged += fabs(ledger->work - now->last_work);
  now->last_work = ledger->work;
  now->worst_energy = thud_larger(now->worst_energy, fabs(ledger->defect - ledger->scheme_loss - now->moved_potential));
}

/* ---- judgement --------------------------------------------------------------------------------------------------- */

/* Length of the diagonal of the box of all nodes in the kinetic metric, by the diagonal of M: the way of the motion. */
static double way(const stepping_motion *motion) {
  const thud_system_values *values = motion->values;
  size_t n = (size_t)motion->n;
  double sum = 0;
  for (size_t i = 0; i < n; i++) {
    double length = motion->high[i] - motion->low[i];
    double mass = values->sparse == NULL ? values->mass[i * n + i] : 0;
    if (values->sparse != NULL) {
      const thud_sparse_metric *M = values->sparse->mass;
      mass = M->value[thud_sparse_metric_place(M, (thud_index)i, (thud_index)i)];
    }
    sum += mass * length * length;
  }
  return sqrt(sum);
}

/* |dg/dq| times the largest |q|: the terms of a gap. */
static double terms_of_gap(const stepping_motion *motion, thud_index i) {
  thud_row row = thud_gradient_row(motion->values, motion->n, i);
  double *largest = motion->work;
  for (thud_index k = 0; k < motion->n; k++) largest[k] = thud_larger(fabs(motion->low[k]), fabs(motion->high[k]));
  return thud_row_size(row, largest);
}

/* y = M^-1 sum |a_j' r_j| over constraints and slips: velocities that the impulses of the last step cause, whichever row
 * they belong to. What a row at rest has left of its velocity is rounding of these. */
static void pushed_velocities(const stepping_motion *motion, double *y) {
  const thud_system_values *values = motion->values;
  memset(y, 0, (size_t)motion->n * sizeof *y);
  for (thud_index j = 0; j < motion->m + motion->s; j++) {
    thud_row row =
        j < motion->m ? thud_gradient_row(values, motion->n, j) : thud_slip_row(values, motion->n, j - motion->m);
    for (thud_index k = 0; k < row.count; k++)
      y[row.column == NULL ? k : row.column[k]] += fabs(row.value[k] * motion->reaction[j]);
  }
  thud_values_solve_mass(values, motion->n, y);
}

double thud_stepping_energy_exchanged(const stepping_motion *motion) {
  const motion_progress *now = &motion->now;
  return now->first_kinetic + (now->first_potential - now->lowest_potential) + now->exchanged;
}

static double part_of(double what, double whole) { return what <= 0 ? 0 : whole > 0 ? what / whole : INFINITY; }

/* The part of the step at which the penetration is what is allowed: it is the closing speed times the step, and what a
 * lasting contact or an equation drifts is proportional to the step. Beyond the size of the motion nothing is: there the
 * speed is that of the energy down to that size. */
static double advice(const stepping_motion *motion, double wrong, double size, double response, double step,
                     double allowed) {
  double linear = ADVICE * allowed * size / wrong;
  double speed =
      sqrt(2 * thud_stepping_energy_exchanged(motion) * response * (wrong > size ? size / (size + wrong) : 1));
  double falling = speed > 0 ? ADVICE * allowed * size / (speed * step) : 1;
  return wrong > size && speed > 0 ? falling : fmin(linear, falling);
}

/* Constraint i: its violation relative to the size of the motion. The ways of a constraint's gap while it is open are a
 * lower bound of that size, by which most constraints need nothing more. v_free: pushed_velocities. */
static void judge_constraint(stepping_motion *motion, thud_index i, double length, double step, double allowed,
                             thud_stepping_quality *quality, double *advised) {
  double carried = motion->carried[i], wrong = thud_larger(motion->violated[i], carried);
  double size = motion->open[i] - motion->near[i];
  bool carries_open = carried > motion->violated[i];
  if (wrong <= 0 || part_of(wrong, size) <= quality->violation) return;
  if (wrong <= ROUNDING_OF_GAPS * terms_of_gap(motion, i)) return;
  double response = thud_stepping_own_response(motion, i, motion->work);
  /* at rest under load: velocities are rounding of what the impulse of a step causes */
  double duration = motion->now.t - motion->options.start;
  if (wrong <= ROUNDING_OF_GAPS * fabs(motion->reaction[i]) * response * duration) return;
  thud_row row = thud_gradient_row(motion->values, motion->n, i);
  if (wrong <= ROUNDING_OF_GAPS * thud_row_size(row, motion->v_free) * duration) return;
  size = thud_larger(size, sqrt(response) * length - (carries_open ? 0 : wrong));
  if (motion->scheme->is_penalty) /* gives way: speed times relaxation time */
    wrong -= motion->options.lambda * sqrt(2 * thud_stepping_energy_exchanged(motion) * response);
  double part = part_of(wrong, size);
  if (part > allowed && !carries_open && size > 0)
    *advised = fmin(*advised, advice(motion, wrong, size, response, step, allowed));
  if (part <= quality->violation) return;
  quality->violation = part;
  quality->constraint = i;
  quality->carries_open = carries_open;
  quality->gap = wrong;
}

thud_error thud_stepping_judge(stepping_motion *motion, double allowed, thud_stepping_quality *quality) {
  const motion_progress *now = &motion->now;
  const thud_stepping_options *options = &motion->options;
  const unsigned friction = motion->s > 0 ? THUD_AT_FRICTION : 0, parts = THUD_AT_MASS | THUD_AT_GRADIENT | friction;
  double duration = options->end - options->start, advised = 1;
  double step = options->steps > 0 ? duration / options->steps : options->tolerance * duration;
  thud_stepping_quality made = {.constraint = -1,
                                .energy = now->worst_energy,
                                .creep = now->creep,
                                .creep_speed = now->creep_speed,
                                .creep_time = now->creep_time};
  thud_error error = thud_stepping_evaluate(motion, now->t, motion->q, motion->v, parts);
  if (error != THUD_OK) return error;
  pushed_velocities(motion, motion->v_free);
  double length = way(motion), energy = thud_stepping_energy_exchanged(motion);
  for (thud_index i = 0; i < motion->m && now->begun; i++)
    judge_constraint(motion, i, length, step, allowed, &made, &advised);
  if (now->worst_energy > ROUNDING_OF_ENERGY * (now->energy_scale + now->largest_potential + energy))
    made.defect = part_of(now->worst_energy, energy);
  if (made.defect > allowed) advised = fmin(advised, ADVICE * allowed / made.defect);
  made.shorten = thud_larger(advised, LEAST_ADVICE);
  *quality = made;
  return THUD_OK;
}
