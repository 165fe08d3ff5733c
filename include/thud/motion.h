/* thud/motion.h: one interface for all motions. Layer: motions.
 *
 * Every integrator makes a thud_motion: sweeping processes (thud/sim.h), Lagrangian systems by time stepping
 * (thud/stepping.h) and from event to event (thud/event.h), quasi-static friction (thud/quasistatic.h), composed
 * friction laws (thud/friction.h), strings and beams (thud/elastic.h), membranes and plates (thud/surface.h), punches on
 * elastic half-planes (thud/half_plane.h), rigid bodies (thud/body_motion.h). A family X has thud_X_motion_create, the
 * frames and events that its motions hand out, thud_X_motion_present and thud_X_motion_get_info; everything else is
 * here. Programs add motions of their own with a table of functions (docs/kinds.md). */
#ifndef THUD_MOTION_H
#define THUD_MOTION_H

#include "thud/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How far a motion is, or why it ended: X(name, number, words). From FAILED on the motion cannot go on, and the context's
 * message says what, where and when. */
#define THUD_MOTION_STATUS_TABLE(X)                                                                                    \
  X(RUNNING, 0, "running")             /* there is more to come */                                                     \
  X(COMPLETED, 1, "completed")         /* the end of the time span */                                                  \
  X(STOPPED, 2, "interrupted")         /* the sink or a callback asked for it */                                       \
  X(FORKED, 3, "several outcomes")     /* choose one and go on */                                                      \
  X(FAILED, 4, "failed")               /* for a reason of the family's own */                                          \
  X(NOT_CONVERGED, 5, "not converged") /* a problem of a step stayed above its tolerance */                            \
  X(BAD_DATA, 6, "bad data")           /* NaN, infinity, outside their domain, or a callback refused */                \
  X(BLOW_UP, 7, "blow-up")             /* the state outgrew options.blow_up */                                         \
  X(MASS, 8, "mass matrix not positive definite")                                                                      \
  X(UNQUALIFIED, 9, "no admissible motion") /* no velocity or acceleration satisfies the constraints */                \
  X(ENERGY, 10, "energy created")           /* by a law, and the options refuse it */                                  \
  X(STEP_TOO_SMALL, 11, "step too small")   /* a controlled step underflowed */                                        \
  X(EMPTY_SET, 12, "the set is empty")      /* sweeping: C(t) */                                                       \
  X(UNDECIDED, 13, "undecided contact")     /* to the order of the series (options: stop) */                           \
  X(TOO_MANY, 14, "too many events")        /* limits on events, events at one time or steps */                        \
  X(KINK, 15, "kink") /* no branch of an expression goes on consistently at its switch, or several */                  \
  X(INCONSISTENT, 16, "no consistent motion")   /* friction: no modes of the closed contacts (Painleve) */             \
  X(INDETERMINATE, 17, "motion not determined") /* friction: several modes, with different motions: the outcomes */    \
  X(INFEASIBLE, 18, "infeasible")               /* proved: no velocity is admissible, a body is crushed */             \
  X(NO_RATE, 19, "no rate solution, the state must jump") /* quasi-static: the message lists the equilibria */         \
  X(NOT_HELD, 20, "nothing holds the structure")          /* quasi-static: a motion in the kernel of K */

typedef enum thud_motion_status {
#define THUD_MOTION_STATUS(name, number, words) THUD_MOTION_##name = number,
  THUD_MOTION_STATUS_TABLE(THUD_MOTION_STATUS)
#undef THUD_MOTION_STATUS
} thud_motion_status;

/* No step follows. */
static inline bool thud_motion_has_failed(thud_motion_status status) { return status >= THUD_MOTION_FAILED; }
/* The words of the table; "unknown" for other numbers. */
THUD_API const char *thud_motion_status_name(thud_motion_status status);

/* Where a motion is after a step. */
typedef struct thud_reached {
  thud_motion_status status;
  double t;            /* reached */
  const char *what;    /* of a failure, in a few words ("not converged"); NULL: those of the status */
  const char *verdict; /* COMPLETED and failures, set by kinds (thud/kind.h): a word instead of good or failed, 1 to 63
                          bytes and none of good, failed, stopped, unfinished; NULL, or any other: the library's word */
  size_t contacts;     /* that act now, where rows have no channel of role "acting" or "mode" that says it */
} thud_reached;

/* Receives what a motion makes, in the order of time: events before the frame that shows them. The types are those of
 * the motion's family (a thud_stepping_frame ...), borrowed for the duration of the call. Either function may be NULL.
 *
 * 0: go on. > 0: stop after this step, of which the sink still receives everything else; the next step goes on as if
 * nothing had been asked. < 0: fail; the step is THUD_ERROR_CALLBACK, the sink receives nothing more of it, and the message
 * is the one that the sink left in the motion's context (or says that it left none). The same holds for every family. */
typedef struct thud_motion_sink {
  int (*frame)(void *user, const void *frame);
  int (*event)(void *user, const void *event);
  void *user;
} thud_motion_sink;

typedef struct thud_motion thud_motion;

/* The functions of a family; all are required. */
typedef struct thud_motion_type {
  const char *name;             /* "stepping" */
  size_t frame_size, info_size; /* of the structs that present and info fill in */
  thud_error (*step)(thud_motion *motion, const thud_motion_sink *sink, thud_reached *reached);
  void (*present)(const thud_motion *motion, void *frame);
  void (*info)(const thud_motion *motion, void *info);
  size_t (*state_size)(const thud_motion *motion);
  void (*save)(const thud_motion *motion, void *state);
  thud_error (*restore)(thud_motion *motion, const void *state, size_t size);
  void (*destroy)(thud_motion *motion);
} thud_motion_type;

/* The first member of every motion. */
struct thud_motion {
  const thud_motion_type *type;
  thud_context *context;
};

/* One step, increment or arc with its events. The first step of a motion that was not restored hands out the start.
 * A step that cannot be made leaves the motion where it was, with a status of failure; that is not an error. sink and
 * reached may be NULL. */
THUD_API thud_error thud_motion_step(thud_motion *motion, const thud_motion_sink *sink, thud_reached *reached);
/* Steps as long as the status is RUNNING. sink and reached may be NULL. */
THUD_API thud_error thud_motion_run(thud_motion *motion, const thud_motion_sink *sink, thud_reached *reached);
/* The same, but for at most `most` steps, and none from `until` on (infinity: to the end): a loop for callers for which each
 * call costs much. most >= 1. *done: steps made. sink, done and reached may be NULL. */
THUD_API thud_error thud_motion_advance(thud_motion *motion, size_t most, double until, const thud_motion_sink *sink,
                                        size_t *done, thud_reached *reached);
/* The present frame and the figures of the motion so far: structs of the family, type->frame_size and type->info_size
 * bytes. What the frame points to is borrowed until the next call that changes the motion. */
THUD_API void thud_motion_present(const thud_motion *motion, void *frame);
THUD_API void thud_motion_get_info(const thud_motion *motion, void *info);
/* Between steps: the whole mutable state as one block without pointers; a motion restored from it gives the same bits.
 * THUD_ERROR_FORMAT: the block is not of such a motion with these options. */
THUD_API size_t thud_motion_state_size(const thud_motion *motion);
THUD_API void thud_motion_save(const thud_motion *motion, void *state);
THUD_API thud_error thud_motion_restore(thud_motion *motion, const void *state, size_t size);
/* NULL is allowed. */
THUD_API void thud_motion_destroy(thud_motion *motion);
/* Name of its family; NULL for NULL. */
THUD_API const char *thud_motion_family(const thud_motion *motion);

#ifdef __cplusplus
}
#endif
#endif
