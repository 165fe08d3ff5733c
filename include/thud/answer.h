/* thud/answer.h: one contact problem answered to the end: solved by a method, all solutions of a small one with the
 * last word where no method found an answer, the uniqueness of the forces examined, a verdict with its reason, and
 * warnings where the verdict alone would mislead. What `thud solve` prints is what is in here. */
#ifndef THUD_ANSWER_H
#define THUD_ANSWER_H

#include "thud/solve.h"
#include "thud/uniqueness.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum thud_answer_verdict {
  THUD_ANSWER_SOLVED = 0,      /* residual <= tolerance */
  THUD_ANSWER_BEST_EFFORT = 1, /* the best that was found */
  THUD_ANSWER_INFEASIBLE = 2,  /* proved that there is none, by the certificate or by enumeration */
  THUD_ANSWER_FAILED = 3       /* the method does not take the problem, it cannot be enumerated ...: see error */
} thud_answer_verdict;
/* "solved", "best_effort", "infeasible", "failed" */
THUD_API const char *thud_answer_verdict_name(thud_answer_verdict verdict);

typedef enum thud_answer_warning_code {
  THUD_ANSWER_ASYMMETRIC = 0,
  THUD_ANSWER_NEGATIVE_DIAGONAL,
  THUD_ANSWER_IDLE_IMPULSES,   /* normal impulses that move nothing */
  THUD_ANSWER_PENETRATION,     /* solved, but the residual does not see a penetration beside a very large mu */
  THUD_ANSWER_UNSEEN_IMPULSES, /* solved, but impulses are so small numbers that the residual hardly sees them */
  THUD_ANSWER_ENUMERATION_CUT, /* by the clock or the caller */
  THUD_ANSWER_FORCES_CUT,      /* intervals or closest impulses asked for: not examined to the end */
  THUD_ANSWER_WARNING_CODES    /* how many there are */
} thud_answer_warning_code;

/* The code of its message, "hidden-penetration" (thud_explain); "" for a number outside the table. */
THUD_API const char *thud_answer_warning_name(thud_answer_warning_code code);

typedef struct thud_answer_warning {
  thud_answer_warning_code code;
  const char *message; /* one sentence without a full stop */
} thud_answer_warning;

/* Is it asked whether the forces of a solved problem are unique? */
typedef enum thud_answer_examination {
  THUD_EXAMINE_SMALL = 0, /* where it takes milliseconds as a rule */
  THUD_EXAMINE_NEVER = 1,
  THUD_EXAMINE_ALWAYS = 2 /* and the intervals and the closest impulses asked for */
} thud_answer_examination;

typedef struct thud_answer_options {
  size_t size;
  const thud_solver_method *method; /* NULL: auto */
  thud_solver_options solver;       /* max_seconds holds for everything together */
  bool all;                         /* all solutions (thud_contact_enumerate), which then have the last word */
  thud_answer_examination forces;
  size_t interval_count; /* with THUD_EXAMINE_ALWAYS */
  const thud_index *interval_contacts;
  thud_stop stop;                /* ends everything with what is known by then */
  const double *start, *start_l; /* [size], [bilateral] warm start, NULL: zeros */
  bool closest; /* with THUD_EXAMINE_ALWAYS: the impulses closest to the start that share the velocity found */
} thud_answer_options;

/* The table of the keys (static), and every option at its default with the size field. */
THUD_API const thud_option_table *thud_answer_option_table(void);
THUD_OPTIONS_DEFAULT(thud_answer_options, thud_answer_option_table)

enum { THUD_ANSWER_SOLUTIONS_KEPT = 10000 };

typedef struct thud_answer {
  thud_answer_verdict verdict;
  thud_error error;   /* FAILED, THUD_OK otherwise */
  const char *reason; /* why it is not solved, "" otherwise */
  bool interrupted;   /* by the caller */
  size_t size;
  const double *r, *u, *v, *l; /* [size], [size], [ndof], [bilateral] */
  thud_contact_residual residual;
  const char *method; /* that found the answer ("enumeration" where it had the last word); NULL: zeros are the best */
  int iterations;     /* of that method */
  double seconds;     /* of everything but the examination of the forces */
  size_t attempt_count;
  const thud_solver_attempt *attempts; /* [attempt_count] the methods that had their turn */
  int worst_count;                     /* not solved: contacts with the largest parts of the residual */
  thud_index worst[THUD_SOLVER_WORST];
  thud_solver_certificate certificate; /* infeasible: the proof, when it is one of auto's */
  size_t warning_count;
  thud_answer_warning warnings[THUD_ANSWER_WARNING_CODES]; /* each code at most once */
  size_t solution_count; /* of all that were found; meaningless when the enumeration is cut */
  size_t solutions_kept;
  const thud_solution *solutions; /* [solutions_kept] the first ones */
  bool enumeration_is_cut, forces_are_cut;
  bool has_uniqueness;
  thud_uniqueness_info uniqueness;
  size_t interval_count;
  const thud_force_interval *intervals; /* [interval_count] in the order asked for; NULL: none were */
  const double *rays;                   /* [interval_count * size] where an interval has no upper end */
  bool has_closest;
  thud_force_closest closest;             /* metric: the sum of the squares of all components of r */
  const double *closest_r, *closest_l;    /* [size], [bilateral] (of least norm); NULL where has_closest is false */
  thud_contact_residual closest_residual; /* of them, by the independent evaluation */
} thud_answer;

/* options may be NULL. THUD_ERROR_MEMORY, or the problem or the options are wrong: there is no answer. Every other
 * failure is a verdict: what was learned before it is in the answer, which owns all its arrays. */
THUD_API thud_error thud_answer_find(thud_context *context, const thud_contact_problem *problem,
                                     const thud_answer_options *options, thud_answer **answer);
THUD_API void thud_answer_destroy(thud_answer *answer);

#ifdef __cplusplus
}
#endif
#endif
