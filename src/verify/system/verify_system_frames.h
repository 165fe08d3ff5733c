/* Recorded motions of a system: the laws of one velocity problem, frames in memory with the step that led to each of them,
 * events. */
#ifndef THUD_SRC_VERIFY_SYSTEM_VERIFY_SYSTEM_FRAMES_H
#define THUD_SRC_VERIFY_SYSTEM_VERIFY_SYSTEM_FRAMES_H

#include "thud/record.h"
#include "verify/verify_record.h"
#include "verify/system/verify_system.h"
#include "verify/verify_channels.h"
#include "verify/verify_result.h"

/* The laws of one velocity problem: what reactions make of v_left, at a fixed configuration. Shared by the steps of
 * time stepping and by impacts.
 *
 * Velocities of constraints and slips are measured in kinetic units, u/sqrt(a M^-1 a'), so that nothing depends on how
 * a gap is scaled; the tolerance is relative to the largest of them that takes part. */

typedef struct verify_percussion {
  thud_context *context;
  const verify_system *system;
  const verify_values *at;   /* the configuration, seen with v_left */
  const double *q;           /* [n] where that is; NULL: not known */
  const double *v_left;      /* [n] what the law sees */
  const double *v_plus;      /* [n] what it answers */
  const double *reaction;    /* [m+s] impulses */
  const double *acting;      /* [m] not 0: may react */
  const double *restitution; /* [m] in effect */
  const double *bend;        /* [m] added to the velocities of constraints; NULL: 0 */
  const bool *left_out;      /* [m] equations that follow from others, which the problem leaves out; NULL: none */
  bool any_outcome;          /* not only that of the law: asked is what the axioms of impacts say */
  bool implicit;             /* the velocity without reactions is that of a step with forces at its end */
  double h;                  /* length of the step, 0 at an impact */
  const double *extra;       /* [laws] impulses by percussions beyond h times the threshold; NULL: 0 */
  double tolerance;          /* relative */
  double size;               /* kinetic size of the velocities */
  double t;                  /* for the report */
  size_t row;
  double *work; /* [4 n] */
} verify_percussion;

/* Gradient of constraint i, or slip row i - m; the velocity along it; row M^-1 row'; sum of |terms| of the velocity. */
double thud_verify_percussion_velocity(const verify_percussion *p, size_t i, const double *v);
double thud_verify_percussion_response(const verify_percussion *p, size_t i);
static inline bool verify_percussion_acts(const verify_percussion *p, size_t i) { return p->acting[i] != 0; }

/* Sets p->size. */
void thud_verify_percussion_measure(verify_percussion *p);
/* What `on_energy_gain: reduce_e` has multiplied all e by, read off the strongest impulse; 1: nothing. */
double thud_verify_percussion_factor(const verify_percussion *p);
/* Acting constraints: signs and complementarity of reactions and velocities with e times the factor; others: no
 * reaction. */
thud_error thud_verify_percussion_normal(const verify_percussion *p, double factor, thud_verify_check *check);
/* Kinetic size of the violation of a friction law, whose set is multiplied by the radius. scratch [2 x directions] */
thud_error thud_verify_percussion_law_error(const verify_percussion *p, const verify_law *law, double radius,
                                            double *scratch, double *value, double *accuracy);
/* What may be left of it: a part of the velocities, and the rounding of the set. */
double thud_verify_percussion_law_tolerance(const verify_percussion *p, const verify_law *law, double radius);
/* What the law's set is multiplied by; friction: mu or the threshold. */
double thud_verify_percussion_radius(const verify_percussion *p, const verify_law *law, double friction);
/* No energy is created, unless the scene allows it, and e was reduced by no more than that asks for. */
void thud_verify_percussion_gain(const verify_percussion *p, double factor, thud_verify_check *check);

/* ---- a recorded motion of a system ------------------------------------------------------------------------------- */

/* A recorded motion of a system: its frames in memory, and the step that led to each of them, rebuilt. */

enum {
  VERIFY_LEDGER_KINETIC,
  VERIFY_LEDGER_POTENTIAL,
  VERIFY_LEDGER_WORK,
  VERIFY_LEDGER_IMPACT,
  VERIFY_LEDGER_FRICTION,
  VERIFY_LEDGER_CONTACT,
  VERIFY_LEDGER_SCHEME,
  VERIFY_LEDGER_DEFECT,
  VERIFY_LEDGER_IDENTITY,
  VERIFY_LEDGER_WIDTH
};
/* "kinetic", ... */
const char *thud_verify_ledger_name(int entry);

typedef struct verify_frames {
  thud_context *context;
  verify_system *system;
  size_t n, m, s, count;
  double *t, *step, *residual;                  /* [count] */
  double *q, *v_left, *v, *v_average, *v_limit; /* [count x n] */
  double *gap, *atom, *acting;                  /* [count x m] */
  double *reaction;                             /* [count x (m+s)] */
  double *ledger;                               /* [count x VERIFY_LEDGER_WIDTH] */
  double tolerance;                             /* relative */
  double *gap_size;                             /* [m] largest |gap| that was recorded */
  double *speed;                                /* [m] largest |dg/dq| |v| */
  double *curvature;                            /* [m] largest |d2g/dt2| without acceleration */
  double *sinking;                              /* [m] largest velocity into the constraint while it acts */
  double *rate_jumps;                           /* [m] sum of the jumps of dg/dt: data with kinks */
  double *rate_before;                          /* [m] dg/dt at the frame before */
  double *push;         /* [m] largest acceleration that the smooth forces alone would give it */
  double *acceleration; /* [n] M^-1 times the smooth forces, scratch */
  double fastest;       /* largest velocity of a constraint or of a slip */
  double pushed;        /* the same for accelerations by the smooth forces alone */
  double longest_step, largest_q, initial_energy;
  verify_values here; /* at the node (t, q, v) */
  verify_posed posed; /* of a system without formulas */
} verify_frames;

/* Whether the impulse of a law in frame k is that of an atom: of its constraint, of one that its threshold names, or, with
 * `loaded`, of a percussion on the law by itself. */
bool thud_verify_law_jumps(const verify_frames *f, const verify_law *law, size_t k, bool loaded);

/* The step that ended in a frame, as its scheme has made it (docs/verification.md lists the formulas). */
typedef struct verify_step {
  double h;
  bool linked;       /* the row before is the node before */
  bool knows_smooth; /* impulse, applied, q_before, v_before are known */
  double blur;       /* relative uncertainty of the configuration: not 0 when the row before is needed but missing */
  double from, to;   /* times with the data of the step's ends: beside a jump there */
  double stretch;    /* how many times longer an equal step is, where a jump of the data has cut this one */
  double potential;  /* at the end, on the step's side of a jump */
  double tc;         /* the velocity problem's time and */
  double *qc;        /* [n] configuration */
  double *q_before, *v_before;
  double *impulse;        /* [n] of all smooth forces, f - dV/dq - c */
  double *smooth;         /* [n] M^-1 impulse, where the contacts of the step are looked at */
  double *first_kick;     /* [n] the same with the forces of the beginning of a theta step alone */
  double *applied;        /* [n] of the applied ones */
  double *v_plus;         /* [n] velocity that obeys the contact laws */
  double *reaction;       /* [m+s] the impulses that belong to it */
  double *momentum_error; /* [n] what is left of the step's equation */
  double *momentum_size;  /* [n] sizes of its terms */
  double *noise;          /* [n] by how much the smooth impulse may differ by rounding, once it is asked for: */
  bool has_noise;
  double *work;        /* [4 n] */
  double *restitution; /* [m] in effect */
  double *bend;        /* [m] second-order: change of normal velocities within half of the step (find_bends) */
  bool has_load;       /* percussions act within the step: */
  double *load;        /* [n] impulses, which act together with the reactions */
  double *extra;       /* [laws] more impulse than the densities of friction laws by themselves allow */
  double *u_after;     /* [m] velocities of the acting constraints after the step of frame after_frame */
  size_t after_frame;
  double one_restitution; /* that of Mabrouk's scheme */
  verify_values at;       /* there, seen with v_left */
  verify_values other;
} verify_step;

/* Rounding errors of sums of a few dozen terms, relative. */
#define VERIFY_ROUNDING 0x1p-40

/* Reads the channels; what is missing or misnamed fails `structure`, and *usable is false then. */
thud_error thud_verify_frames_read(verify_frames *frames, thud_record_reader *reader, thud_verify_check *structure,
                                   bool *usable);
void thud_verify_frames_free(verify_frames *frames);

/* Fills step->noise, once per step. */
thud_error thud_verify_step_noise(const verify_frames *frames, size_t k, verify_step *step);
/* The step's law and what is left of its equation, once the values and impulses are there. */
bool thud_verify_step_finish(const verify_frames *frames, size_t k, verify_step *step);
/* Is there a velocity problem at frame k? (Frame 0 has one in Mabrouk's scheme, and where percussions act at the
 * start.)
 */
static inline bool verify_has_step(const verify_frames *frames, size_t k) {
  const verify_system *system = frames->system;
  return k > 0 || system->scheme->begins_at_once || thud_verify_loads_before(system, system->scene.start, true) > 0;
}

/* ---- systems without formulas (verify_system_frames.c): the same from the numbers in the record ---- */

/* Fills frames->here for frame k, by the formulas or from the record; false when that cannot be done. */
bool thud_verify_frames_here(verify_frames *frames, size_t k);
bool thud_verify_posed_rebuild(const verify_frames *frames, size_t k, verify_step *step);
/* The gaps are those of the velocity problems, and change as their velocities say. */
void thud_verify_posed_gaps(verify_frames *frames, thud_verify_check *gap, thud_verify_check *penetration);

/* ---- the checks ---- */

void thud_verify_frames_structure(const verify_frames *frames, bool finished, thud_verify_check *check);
void thud_verify_frames_initial(const verify_frames *frames, thud_verify_check *check);
thud_error thud_verify_frames_gaps(verify_frames *frames, thud_verify_check *gap, thud_verify_check *penetration);

typedef struct verify_step_checks {
  thud_verify_check *step, *law, *friction, *impacts, *energy;
  size_t linked, smooth, steps; /* frames whose step was rebuilt from the row before, from themselves, of all */
  size_t asked;                 /* steps whose laws were asked */
  size_t contacts;              /* acting constraints of the steps whose laws were asked */
  size_t marks;                 /* marks of contacts that may act or not: their gap is rounding and nothing pushes */
} verify_step_checks;

thud_error thud_verify_frames_steps(verify_frames *frames, verify_step_checks *checks);
/* verify_system_dependent.c: no frame goes on where equations with dependent gradients leave no motion. */
thud_error thud_verify_frames_dependent(verify_frames *frames, thud_verify_check *check);
/* verify_system_dependent.c: whether the `open` [m] equations follow from the others next to (t, q), where a scheme has drifted
 * off them: it may leave them out, and what the others leave of them is no violation. */
thud_error thud_verify_rows_follow(const verify_frames *frames, double t, const double *q, const double *v,
                                   const bool *open, bool *follow);
/* Complementarity and friction of the velocity problem of frame k, and what an impact does. */
thud_error thud_verify_velocity_problem(const verify_frames *frames, size_t k, verify_step *step,
                                        verify_step_checks *checks);
void thud_verify_frames_energies(const verify_frames *frames, size_t k, thud_verify_check *check);
thud_error thud_verify_step_energies(const verify_frames *frames, size_t k, verify_step *step,
                                     thud_verify_check *check);

/* The summary counts the percussions of the scene. */
void thud_verify_summary_loads(const verify_system *system, const thud_node *summary, thud_verify_check *check);

/* What the rows of the two kinds of `system` scenes read and release. */
thud_error thud_verify_system_read(const verify_record *record, void *scene);
void thud_verify_system_release(void *scene);
/* Checks a trajectory against a `system` scene. */
thud_error thud_verify_system_trajectory(thud_context *context, const thud_tree *scene, const char *file,
                                         const thud_verify_options *options, thud_verify_result *result);

/* ---- the table of events of a record ----------------------------------------------------------------------------- */

/* The table of events of a record: what every kind has in it, and lists of constraints and reactions. */

typedef struct verify_events {
  size_t count;                     /* events whose frame is there */
  double *t, *kind;                 /* [count] */
  double *frame;                    /* [count] number of the frame that shows the event, does not decrease */
  double *before, *after;           /* [count x n] */
  verify_ragged constraints;        /* of systems: numbers of those to which something happens */
  verify_ragged reactions, impulse; /* of systems: components, and their impulses */
} verify_events;

/* The columns that all kinds share; kinds: names of the values of `kind`. A record that is unfinished may end with
 * events whose frame is not there yet: they are left out. */
thud_error thud_verify_events_read(thud_context *context, thud_record_reader *reader, size_t n, size_t kinds,
                                   const char *const *names, verify_events *events, thud_verify_check *check);
/* Those of systems besides. */
thud_error thud_verify_events_read_lists(const verify_system *system, thud_record_reader *reader, verify_events *events,
                                         thud_verify_check *check);
void thud_verify_events_free(thud_context *context, verify_events *events);

/* The same numbers, bit for bit? */
bool thud_verify_same_numbers(size_t count, const double *a, const double *b);

/* What frame k says of its event e. */
typedef struct verify_claim {
  const verify_system *system;
  const double *marks;   /* [m] not 0: something happens to the constraint */
  const double *impulse; /* [m+s] of the constraints marked; NULL: of none */
  bool all_impulses;     /* those of other constraints are listed, too, where they are not 0 */
  bool own_laws;         /* the impulses of friction laws that belong to no constraint are listed, too */
  double t;
  size_t frame;
} verify_claim;
/* The event has the frame's time and lists its constraints and impulses, in their order and nothing else. */
void thud_verify_event_compare(const verify_claim *claim, const verify_events *events, size_t e,
                               thud_verify_check *check);

#endif
