/* thud/verify.h: the independent checker of recorded motions and of trajectories from elsewhere.
 *
 * It reads the resolved scene that a record carries, places the moving set at the time and side of every frame by its
 * own code, and asks of the frames what the sweeping process -du in N_C(t)(u) asks of u: nothing of convex, pivot or
 * sim is used. Distances are Euclidean; they decide what they should in every metric, since being a member of a set and
 * being normal to it do not depend on the metric.
 *
 * Checks of a record
 *   structure   channels, widths, names, finite numbers, order of times and sides, range, no missing frame
 *   resolved    the resolved scene holds everything of the scene as it was given, unchanged, and besides nothing but
 *               defaults, compared with a list of their own; those that the checks rely on are listed. Of every record
 *   initial     the motion starts at the scene's initial state
 *   membership  u in C(t-), C(t) or C(t+), as the frame's side says. Regularised motions: the point p they are
 *               drawn to, recovered from two states, is in C(middle of the step)
 *   law         -reaction in N_C(u): |u - proj(C, u - s reaction)| is 0, s chosen so that the shift is as long as
 *               the largest |u|. Regularised motions: the same at p
 *   reaction    M (u_k - u_(k-1)) is the density times the time, or the impulse, to rounding
 *   step        u_k = proj(C, u_(k-1)) follows from the three above; regularised: the recorded penetration is |u - p|
 *   variation   the sum of |u_k - u_(k-1)| in the metric
 *   jumps       impulses only at the declared jumps of the data and at the start, and a right limit at every jump
 *   residual    the recorded residuals and the certified gap do not understate the error that the law shows
 *   events      every jump of the state has its event, with the numbers of its frame
 *   summary     the summary reports the same as the tables
 *   finished    the run ended with the verdict "good"
 *   seal        nothing was changed after it was written: digests of everything in the record, computed anew. Of every
 *               record; says nothing about the motion, and comes last
 * Records that do not hold every step are checked by what remains: reaction is not applicable, variation becomes
 * an inequality, and the step before a frame is found from the partition.
 *
 * Checks of a trajectory: structure, initial, membership, jumps (as above), and law in integrated form: between rows
 * the increment -M (u_(k+1) - u_k), normalised, must be normal to C(t_k) at u_k and to C(t_(k+1)) at u_(k+1) up to
 * trajectory_tolerance, for it is an average of normals to the sets in between. Rows must therefore be so close that
 * the set and u move by much less than trajectory_tolerance times the largest |u| from one to the next. At a jump there
 * are two rows (sides - and +), or three, and the law is asked to full accuracy.
 *
 * Records of `system` scenes (docs/verification.md): structure, initial, gap, penetration, step (positions, momentum),
 * law (complementarity with restitution), friction, impacts (atoms, no energy created), energy (ledger), residual,
 * events, summary, finished. Each step is rebuilt from its frame and, where it is recorded, from the row before.
 * Event-driven records of `system` scenes: structure, initial, continuity, motion, gap, law, friction, modes, impacts,
 * zeno, energy, residual, events, summary, finished; gaps and reactions are bounded on the whole of every arc.
 * Records of `string` and `beam` scenes: structure, ends, gap, law (contact), equilibrium, friction, variation, energy (ledger),
 * events, summary (with the atoms of the reaction), refinement (the class of `classify` follows from its
 * levels, whose runs are not in the record: not checked), finished.
 * Records of `bodies` scenes (docs/verification.md): structure, initial, model (laws of the materials), drift, paths, contacts
 * (found again by geometry of its own), missing, momentum, law, residual, penetration, lift, energy, events, summary, finished.
 * Records of other kinds of motion: structure (finite numbers, order of times, every event has its frame), kind (says
 * that the motion itself cannot be checked, which makes the verdict undecided) or what the program asks of its own kind
 * (thud_verify_record_kinds), summary, finished.
 * Trajectories of `system` scenes, rows or pieces of expressions: the exact statement, that is structure, initial,
 * position (continuous), velocity (its derivative), constraints, motion (with a reaction in the normal cone), friction,
 * impact, energy. */
#ifndef THUD_VERIFY_H
#define THUD_VERIFY_H

#include "thud/record.h"
#include "thud/tree.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct thud_verify_options {
  size_t size;
  double tolerance;            /* relative to the largest |u|; 0: the larger of 1e-8 and the scene's own tolerance */
  double trajectory_tolerance; /* of the law between rows of a trajectory: an angle (rad), 0: 0.01; for `system` scenes
                                  the part of the arc's largest acceleration that may stay unexplained, 0: 0.001 */
  int trajectory_samples;      /* times at which each piece of a trajectory of expressions is asked */
  int unused;                  /* new fields lie behind what earlier versions had, padding included */
  bool seal;                   /* also ask whether the record was changed after it was written */
} thud_verify_options;

/* The table of the keys (static), and every option at its default with the size field. */
THUD_API const thud_option_table *thud_verify_option_table(void);
THUD_OPTIONS_DEFAULT(thud_verify_options, thud_verify_option_table)

typedef enum thud_verify_status {
  THUD_VERIFY_PASSED = 0,
  THUD_VERIFY_FAILED = 1,
  THUD_VERIFY_NOT_CHECKABLE = 2,  /* no certificate to the tolerance could be found */
  THUD_VERIFY_NOT_APPLICABLE = 3, /* the record does not hold what the check is about */
  THUD_VERIFY_NOT_CHECKED = 4,    /* left to others: the detail names what, and why */
  THUD_VERIFY_INCOMPLETE = 5      /* the run was interrupted: what is there is all that can be asked about */
} thud_verify_status;

enum { THUD_VERIFY_DETAIL = 320 };

typedef struct thud_verify_check {
  const char *name; /* static text */
  thud_verify_status status;
  double worst;     /* value that comes nearest to its tolerance or exceeds it most; NaN when there is none */
  double tolerance; /* what this value was compared with */
  double t;         /* where; NaN when it has no place */
  int64_t frame;    /* index of the frame or row; -1 when it has no place */
  char detail[THUD_VERIFY_DETAIL]; /* one line, "" when there is nothing to say */
} thud_verify_check;

typedef enum thud_verify_verdict {
  THUD_VERIFY_GOOD =
      0, /* none failed, and laws of the motion were asked of some of it: result.checked_count says of how much */
  THUD_VERIFY_BAD = 1,       /* a check failed */
  THUD_VERIFY_UNDECIDED = 2, /* none failed, but one could not be decided, or nothing was checked */
  THUD_VERIFY_UNFINISHED = 3 /* good as far as it goes: the run was interrupted, or is still going on */
} thud_verify_verdict;

enum { THUD_VERIFY_MAX_CHECKS = 24, THUD_VERIFY_MAX_DEFAULTS = 64, THUD_VERIFY_DEFAULT_VALUE = 40 };

/* A default of the scene format that the checks relied on, or several of one kind and value. */
typedef struct thud_verify_default {
  const char *pattern; /* static text: the path with * for names and places in lists */
  char path[160];      /* JSON pointer; of several the pattern */
  char value[THUD_VERIFY_DEFAULT_VALUE];
  size_t count;
} thud_verify_default;

typedef struct thud_verify_result {
  thud_verify_verdict verdict;
  char reason[THUD_VERIFY_DETAIL + 64]; /* first check that is not passed, "" when good */
  size_t check_count;
  thud_verify_check checks[THUD_VERIFY_MAX_CHECKS];
  size_t relied_count;  /* of the defaults relied on; records only */
  size_t default_count; /* of entries */
  thud_verify_default defaults[THUD_VERIFY_MAX_DEFAULTS];
  const char
      *checked_unit; /* static text: what the laws were asked of, "steps", "arcs", "rows", "pieces"; NULL: of nothing */
  uint64_t checked_count;   /* of these, */
  uint64_t checked_of;      /* out of so many of the motion; 0 of them: the verdict is not good */
  int64_t checked_contacts; /* whose laws were asked; -1: the kind does not count them */
} thud_verify_result;

/* Checks a record. What is wrong with it is the result's business; errors are files that cannot be read as a record
 * (THUD_ERROR_FILE, THUD_ERROR_FORMAT), options and memory. options may be NULL. */
THUD_API thud_error thud_verify_record(thud_context *context, const char *path, const thud_verify_options *options,
                                       thud_verify_result *result);
/* ---- kinds of motion of a program's own ----------------------------------------------------------------------------- */

/* Takes the checks of a motion. A check is named by static text, exists from the first call that names it, and has passed
 * until one of them says otherwise. Names that every record has (structure, kind, summary, finished, seal) are refused, and
 * so is the 17th one: thud_verify_record_kinds returns the error. */
typedef struct thud_verify_report thud_verify_report;

/* One value that must not exceed its tolerance; NaN fails. The check keeps the worst of all, with its place (t NaN, frame
 * -1: it has none). */
THUD_API void thud_verify_report_value(thud_verify_report *report, const char *name, double value, double tolerance,
                                       double t, int64_t frame);
/* Fails the check for a reason that is not a number; the first one stays. */
THUD_API void thud_verify_report_fail(thud_verify_report *report, const char *name, double t, int64_t frame,
                                      const char *format, ...) THUD_PRINTF(5, 6);
/* The check is neither passed nor failed: not checkable, not applicable, not checked. */
THUD_API void thud_verify_report_skip(thud_verify_report *report, const char *name, thud_verify_status status,
                                      const char *format, ...) THUD_PRINTF(4, 5);
/* Adds words to the check, beside its status and worst value. */
THUD_API void thud_verify_report_words(thud_verify_report *report, const char *name, const char *format, ...)
    THUD_PRINTF(3, 4);
/* The laws of the motion were asked of `count` out of `of` units, "steps" or "rows" (static text). Without it, or with a
 * count of 0, or when no check has a value, the verdict is undecided: nothing was checked. */
THUD_API void thud_verify_report_cover(thud_verify_report *report, const char *unit, uint64_t count, uint64_t of);
/* The context and the options of the call. */
THUD_API thud_context *thud_verify_report_context(const thud_verify_report *report);
THUD_API const thud_verify_options *thud_verify_report_options(const thud_verify_report *report);

/* Checks the laws of one kind of motion. The structure of the record has passed: numbers are finite, times in order. scene is
 * the resolved scene, NULL when it cannot be read. Errors are memory and what cannot be read. */
typedef struct thud_verify_kind {
  const char *name; /* kind of the record */
  thud_error (*check)(thud_verify_report *report, thud_record_reader *reader, const thud_tree *scene, void *user);
  void *user;
} thud_verify_kind;

/* Like thud_verify_record, with further kinds of motion; those of the library come first. */
THUD_API thud_error thud_verify_record_kinds(thud_context *context, const char *path,
                                             const thud_verify_options *options, size_t count,
                                             const thud_verify_kind *kinds, thud_verify_result *result);

/* ---- trajectories, and what was found ------------------------------------------------------------------------------- */

/* Checks a trajectory (CSV: a header line; columns t, side (-, + or nothing; may be missing), the coordinates and for
 * `system` scenes the velocities by name, in any order; others are ignored; for `system` scenes also *.yaml, *.yml,
 * *.json with pieces of expressions) against a scene. A scene or a file that cannot be read is an error. options may
 * be NULL. */
THUD_API thud_error thud_verify_trajectory(thud_context *context, const thud_tree *scene, const char *path,
                                           const thud_verify_options *options, thud_verify_result *result);

/* "good", "failed", "undecided" */
THUD_API const char *thud_verify_verdict_name(thud_verify_verdict verdict);
/* "passed", "failed", "not checkable", "not applicable" */
THUD_API const char *thud_verify_status_name(thud_verify_status status);

/* The result as one JSON object, and as lines for people; freed with thud_verify_free_text. */
THUD_API thud_error thud_verify_write_json(thud_context *context, const char *file, const thud_verify_result *result,
                                           char **text);
THUD_API thud_error thud_verify_write_report(thud_context *context, const char *file, const thud_verify_result *result,
                                             char **text);
THUD_API void thud_verify_free_text(thud_context *context, char *text);

#ifdef __cplusplus
}
#endif
#endif
