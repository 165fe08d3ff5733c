/* Internal face of thud_answer_find: the answer while it is made. */
#ifndef THUD_SRC_SOLVE_ANSWER_H
#define THUD_SRC_SOLVE_ANSWER_H

#include "base/json.h"
#include "thud/answer.h"

typedef struct answer_work {
  thud_answer found; /* what the caller sees: first, so that its address is that of the whole */
  thud_context *context;
  const thud_contact_problem *problem; /* problem and options: until thud_answer_find returns */
  const thud_answer_options *options;
  double unit;  /* of velocities and impulses while the problem is solved (answer_unit.c) */
  double until; /* of thud_seconds, 0: no end */
  double *r, *u, *v, *l;
  thud_solver_attempt *attempts;
  thud_index *certificate_contacts;
  double *certificate_multipliers;
  thud_index *certificate_rows;
  double *certificate_row_multipliers;
  double *values; /* [solutions_kept * 2 * size] r and u of the solutions */
  thud_solution *solutions;
  thud_force_interval *intervals;
  double *rays;
  double *start; /* [size] in the unit, NULL: 0 */
  double *closest_r, *closest_l;
  thud_text reason;
  thud_text messages[THUD_ANSWER_WARNING_CODES];
} answer_work;

/* A stop by the caller or the clock; user is the work. */
int thud_answer_time_is_over(void *user);
bool thud_answer_is_interrupted(const answer_work *work);

/* The message of the next warning, to be written by the caller. */
thud_text *thud_answer_warn(answer_work *work, thud_answer_warning_code code);
void thud_answer_warn_of_matrices(answer_work *work, const thud_contact_diagnosis *diagnosis);
/* Solved by the residual alone? */
void thud_answer_warn_of_residual(answer_work *work);

/* Uniqueness and intervals of a solved problem; only out of memory is an error. */
thud_error thud_answer_check_intervals(thud_context *context, const thud_contact_problem *problem,
                                       const thud_answer_options *options);
thud_error thud_answer_examine_forces(answer_work *work);
/* The start in the unit of the work, as the warm start of the method too. */
thud_error thud_answer_take_start(answer_work *work);
/* closest_r, closest_l and what is known of them. */
thud_error thud_answer_find_closest(answer_work *work, thud_force_set *set);

/* The unit in which the problem is solved, a power of 2: 1 but for very small data. *scaled is the problem in this unit,
 * NULL when it is 1. */
thud_error thud_answer_choose_unit(thud_context *context, const thud_contact_problem *problem, double *unit,
                                   thud_owned_problem **scaled);
/* Takes everything found back to the unit 1. */
void thud_answer_undo_unit(answer_work *work);

#endif
