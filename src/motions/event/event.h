/* The inside of event-driven motions. A round of the run is: begin the next arc (impact, which contacts last, its
 * series), find the first event on it, follow it to there. Functions that work on most of the state take the motion,
 * others the parts that they read (const) and write. */
#ifndef THUD_SRC_MOTIONS_EVENT_EVENT_H
#define THUD_SRC_MOTIONS_EVENT_EVENT_H

#include "motions/event/event_parts.h"
#include "motions/stepping/stepping.h"

/* event_state.c: the arrays of all parts. The arc and the laws stand. */
thud_error thud_event_parts_allocate(event_motion *motion);
void thud_event_parts_free(event_motion *motion);
/* event_create.c: the initial state is judged; violations that are accepted are taken away; `contact` of the start. */
thud_error thud_event_set_initial_state(event_motion *motion, const double *q0, const double *v0);
/* What the initial acceleration gives over the run is not a blow-up. The first series is kept. */
void thud_event_widen_blow_up_limits(event_motion *motion);
/* event_decide.c: which contacts last; the whole series. The arc has been begun at the present state and `contact` is
 * set (no HIT). Sets mode, order, deflate. THUD_ERROR_UNQUALIFIED: no acceleration satisfies the constraints. */
thud_error thud_event_decide_modes(event_motion *motion);
/* event_combination.c: one combination of modes. */
/* The mode of one item in a combination. */
typedef enum event_choice {
  EVENT_CHOICE_NONE, /* in place of a mode: it is not violated */
  EVENT_CHOICE_OPEN,
  EVENT_CHOICE_CLOSED,
  EVENT_CHOICE_STICK,
  EVENT_CHOICE_FORTH,
  EVENT_CHOICE_BACK,
  EVENT_CHOICE_SLIDE,             /* two components */
  EVENT_CHOICE_FACE,              /* added to the face of a polygon on which it slides */
  EVENT_CHOICE_NEGATIVE = 1 << 16 /* added: the reaction of the bilateral constraint is negative */
} event_choice;

enum { EVENT_NOT_YET = -1, EVENT_MOST_CHOICES = 2 * (1 + 2 * THUD_MOST_PIECES) + 1 };
static inline int *event_part_order(const event_motion *motion, const event_law *law, int part) {
  return &motion->modes.part_order[law->number * motion->problem.measures + (size_t)part];
}
/* The modes that an item may have, in the order in which they are tried: options[EVENT_MOST_CHOICES]; their number. */
int thud_event_options_of(const event_problem *problem, const event_friction_laws *friction,
                          const event_contacts *contacts, const event_mode_search *search, size_t item, int *options);
/* Whether the combination differs from an earlier one only in laws whose contacts are open. */
bool thud_event_is_repeated(const event_motion *motion);
/* The series of the modes in `chosen`; *consistent: their conditions hold. By pivots it goes on where they do not. */
thud_error thud_event_try_choices(event_motion *motion, bool *consistent);
/* event_modes.c: the same for systems with friction, by enumeration of modes. */
thud_error thud_event_decide_modes_with_friction(event_motion *motion);
/* What a solver of the accelerations' problem says of the modes of all items, into search.guess. */
thud_error thud_event_guess_modes(event_motion *motion);
/* Whether normal forces do not depend on friction, so that the motion is the only one; the arc has been begun. */
bool thud_event_motion_is_unique(event_motion *motion);
/* event.c: the table of the family. */
extern const thud_motion_type thud_event_type;
/* event_create.c: everything but the initial state. */
thud_error thud_event_make(thud_context *context, const thud_system *system, const thud_event_options *options,
                           event_motion **motion);
void thud_event_destroy(thud_motion *motion);
/* collision.single. */
thud_error thud_event_create_single(event_motion *motion);
/* The friction law that an item's mode is about, or NULL. Items: the constraints, then the laws. */
event_law *thud_event_law_of(const event_problem *problem, const event_friction_laws *friction, size_t item);
const char *thud_event_item_name(const event_problem *problem, size_t item);
/* event_law.c: the laws of the system; THUD_ERROR_UNSUPPORTED with the reason for those that cannot be followed. */
thud_error thud_event_laws_create(event_problem *problem, sim_arc *arc, event_friction_laws *friction);
/* The largest finite reach of a law of one component; 1: there is none. */
double thud_event_largest_reach(const event_law *law);
/* Coefficient k of the threshold tau; `known`: without the part of the reaction's coefficient k. */
double thud_event_threshold(const sim_arc *arc, const event_law *law, int k, bool known);
/* Coefficient k of a margin of sticking: reach mu |r_N| + along.r_T; of a disc tau^2 - |r_T|^2. */
double thud_event_margin(const sim_arc *arc, const event_law *law, const event_measure *measure, int k);
/* Coefficient k of the slip velocity along a direction. */
double thud_event_slip_along(const sim_arc *arc, const event_law *law, const double *along, int k);
/* Event function `part` of a law in its present state. */
event_measure thud_event_measure(const sim_arc *arc, const event_law *law, int part);
/* Whether the slip along that of part `part`, a MEASURE_SLIP, is 0 by what is known at the start of the arc. */
bool thud_event_slip_is_zero(const event_contacts *contacts, const event_law *law, int part);
/* Corner and edge k of a polygon, any k. */
void thud_event_corner(const sim_arc *arc, const event_law *law, int k, double *point);
void thud_event_edge(const sim_arc *arc, const event_law *law, int k, event_edge *edge);
/* The face of a polygon on which the force is against this slip; a slip along an edge below `small` is across it. */
int thud_event_face_against(const sim_arc *arc, const event_law *law, const double *slip, double small);
/* The outline of a law's set; NULL: it has none. */
const thud_outline *thud_event_outline(const thud_system *system, const event_law *law);
/* Whether the force of a law that slides turns with the slip along its outline. */
bool thud_event_is_on_curve(const sim_arc *arc, const event_law *law);
/* Whether edge k has a length. */
bool thud_event_edge_is_real(const thud_system *system, const event_law *law, int k);
/* `toward` and `along` from the slip, on the present piece of the outline. */
void thud_event_set_slip_along(const sim_arc *arc, event_law *law, const double *slip);
/* Derivative of sigma(-slip) when the slip changes at this rate. */
void thud_event_curve_slope(const sim_arc *arc, const event_law *law, const double *slip, const double *rate,
                            double *slope);
/* Unit vector number c, 0 < c < n, across the unit vector e. */
void thud_event_across(size_t n, const double *e, size_t c, double *f);
/* See thud_event_edge, thud_event_face_against. */
void thud_event_outline_edge(const thud_system *system, const event_law *law, int k, event_edge *edge);
int thud_event_outline_face_against(const thud_system *system, const event_law *law, const double *slip, double small);
/* The face through which the ray of a force leaves the set. */
int thud_event_face_of_force(const sim_arc *arc, const event_law *law, const double *force);
double thud_event_gauge(const thud_system *system, const event_law *law, const double *force);
/* Coefficient k of tau - gauge(r_T), as far as those before are 0; 0 where it is not known. */
double thud_event_gauge_margin(const sim_arc *arc, const event_law *law, int k);
/* The first root of it on ]0, h] that its values at points show; values above -noise count as positive. */
arc_root thud_event_sampled_root(const sim_arc *arc, const event_law *law, double h, double noise);
/* How far a force (or impulse), in the frame of the law, is inside its set at this normal force, < 0: outside. */
double thud_event_inside(const sim_arc *arc, const event_law *law, const double *force, double normal);
/* What order k of the slip velocity adds to the course of the laws that slide; the order has been opened. */
void thud_event_follow_slip_directions(const event_problem *problem, const sim_arc *arc, event_friction_laws *friction,
                                       int k);
/* Sign of the slip of a law (event_contacts.slip); what is below the limits is 0. */
int thud_event_slip_sign(const sim_arc *arc, const event_law *law, const double *slip, const double *limit);
/* event_order.c: the rows with unknown reactions, from the states of the contacts in `chosen`. */
void thud_event_gather_rows(event_motion *motion);
/* Removes what `count` orthonormal rows of the basis span from a row of the arc (in the kinetic metric, at length 1);
 * the row then joins them. False: nothing is left of it. */
bool thud_event_join_basis(const sim_arc *arc, event_equations *equations, size_t row, size_t count);
/* Whether some slip with two components that is to begin is held fast by the rows that hold. */
bool thud_event_slip_is_held_fast(event_motion *motion);
/* Reactions of order k; false: these modes have none, or none that is unique. size: of the order's terms. */
bool thud_event_solve_order(event_motion *motion, int k, double size);
/* The matrix of its equations, column-major, and the right-hand side, into `equations`.
 * straight: with the directions in which slip begins given. */
void thud_event_assemble_order(event_motion *motion, int k, bool straight);
/* The linear part of it: factor when needed, solve. */
bool thud_event_solve_linear_order(event_motion *motion, int k, double size);
/* u' of a row at the present order, with its reactions. */
double thud_event_separation_rate(const sim_arc *arc, const event_equations *equations, size_t row,
                                  const double *reaction);
/* event_decide.c: the orders of the series without friction up to `last`, and with them the contacts that last. */
thud_error thud_event_compute_orders(event_motion *motion, int last);
/* THUD_ERROR_UNSUPPORTED: a contact at rest has no power series. */
thud_error thud_event_check_singular(const event_motion *motion);
/* What accelerations elsewhere count as terms of the present order, in units in which gradients have length 1. */
double thud_event_lent_size(const event_motion *motion);
/* event_redundant.c: which gradients of constraints that act vanish; the arc has been begun. */
thud_error thud_event_find_vanishing(event_motion *motion);
/* The reactions of rows that depend on others, and the orders with them. THUD_ERROR_UNQUALIFIED: the rows contradict each
 * other at some order, and there is no motion. */
thud_error thud_event_follow_redundant(event_motion *motion);
/* Notes equations that have become dependent. THUD_ERROR_UNQUALIFIED: they are about to, and nearer to that point rounding
 * makes their forces. */
thud_error thud_event_check_approach(event_motion *motion);
/* event_passage.c: looks for a point ahead at which equations become dependent, when no more than `left` of a gradient is
 * left beside the most so far, and for a polynomial that leads through it in place of the series of the arc:
 * motion->passage. */
thud_error thud_event_find_passage(event_motion *motion, double left);
void thud_event_clear_passage(event_motion *motion);
/* The work on it, and the names of what became dependent, when the arc has been followed. */
void thud_event_book_passage(event_motion *motion);
/* Changes the accelerations of order k by what rounding may have done to them. */
void thud_event_disturb_order(event_motion *motion, int k);
/* Forces of dependent equations, from the matrix and right-hand side in
 * `equations`, in place of the latter. */
bool thud_event_solve_shared_forces(event_motion *motion, int k, double size);
/* Counts arcs whose motion depends on the choice of forces that are not unique; after the modes have been decided. */
void thud_event_note_shared_forces(event_motion *motion);
size_t thud_event_central_room(size_t count);
/* event_onset.c: the same where laws are in the state ONSET. */
bool thud_event_solve_slip_onset(event_motion *motion, int k, double size);
/* Contacts whose slip begins together, with forces at order k but no slip; the forces of order k. False:
 * there is no such direction. */
bool thud_event_joint_begin(event_motion *motion, int k, double size, size_t count, event_law *const *laws);
/* The equations of order k that say that forces and slips are parallel become those of one direction. */
bool thud_event_joint_mix(event_motion *motion, int k);
/* That direction to order k, from the forces; false: the slips contradict it. */
bool thud_event_joint_follow(event_motion *motion, int k, double size);
/* Counts what is left in `pending`: contacts that no order decides. */
void thud_event_note_undecided(event_motion *motion);
/* Takes back what rounding has added to constraints that hold; begins the arc anew where needed. */
thud_error thud_event_project_lasting(event_motion *motion);
/* The same for the rows in `hold`. */
thud_error thud_event_project_held(event_motion *motion);
/* The impulses P of the rows last held that made the present velocity of that before, M (v - before) = C' P; rows that
 * depend on others have none. */
void thud_event_impulse_of_jump(event_motion *motion, const double *before, double *impulse);
/* Takes the errors of the rows in `hold` out of q (position) or v, to first order; the arc has been begun. */
void thud_event_project_once(event_motion *motion, bool position);
/* Components of x, to which a correction has led from `before`, that are no more than the rounding of the correction (in
 * the kinetic metric) are 0. True: there were some. */
bool thud_event_clear_rounding(const sim_arc *arc, const double *before, double *x);
/* Finishes order k of the series: u' of the rows that hold is 0, beyond what rounding leaves of it. */
void thud_event_close_order(event_motion *motion, int k);
/* Loads before the start are left out. */
void thud_event_loads_begin(const event_problem *problem, event_loads *loads);
/* The time beyond which no arc goes: that of the next load, or the end. */
double thud_event_next_stop(const event_problem *problem, const event_loads *loads);
bool thud_event_load_is_due(const event_problem *problem, const event_loads *loads, double t);
/* What the velocity problem sees of the load that is due: v_free and, in the values, the thresholds of laws by
 * themselves, for a step of 1. */
void thud_event_place_load(const event_problem *problem, const event_present *state, event_loads *loads);
/* The present time is settled again: a load is due right after the limit of an accumulation. */
void thud_event_stand_still(event_motion *motion);
/* event_impact.c: the velocity jumps according to the law; contact becomes REST or PARTS. The arc has been begun. */
thud_error thud_event_apply_impact(event_motion *motion);
/* Contacts that an impact has brought to rest are so: what rounding has left there is taken away. The arc has been
 * begun anew. */
thud_error thud_event_rest_after_impact(event_motion *motion);
/* Velocity of a constraint and of a slip component, by the gradients in `values`. */
double thud_event_constraint_velocity(const event_problem *problem, const event_present *state, size_t i,
                                      const double *v);
double thud_event_slip_velocity(const event_problem *problem, const event_present *state, size_t j, const double *v);
/* The slip of a law in its frame; slip[directions]. */
void thud_event_slip_in_frame(const event_problem *problem, const event_present *state, const event_law *law,
                              const double *v, double *slip);
/* The size of the terms whose sum is the velocity of constraint i: what its rounding is relative to. */
double thud_event_velocity_terms(const event_problem *problem, const event_present *state, size_t i, const double *v);
/* The fastest approach, in units in which every gradient has length 1 in the kinetic metric. */
double thud_event_approach_speed(const event_motion *motion);
/* Velocities of constraint i below this count as 0 after an impact: beside `speed`, or by rounding. */
double thud_event_small_velocity(const event_problem *problem, const sim_arc *arc, const event_present *state, size_t i,
                                 double speed, const double *v);
/* The numbers of the arc into `values`, for velocity problems. */
thud_error thud_event_take_values_of_arc(const event_problem *problem, const sim_arc *arc, event_present *state);
/* Books the impact whose outcome is in `v` and `event`; `speed` is what velocities count beside.
 */
thud_error thud_event_book_impact(event_motion *motion, double speed);
/* The outcomes of the contacts struck one after the other, beside that of the law; the one to go on
 * with takes its place. */
thud_error thud_event_fork_over_orders(event_motion *motion);
/* An impact without collision, where no modes are consistent. */
thud_error thud_event_tangential_impact(event_motion *motion);
/* event_switch.c: velocities u of a row of the arc below this are 0. */
double thud_event_rest_velocity(const event_motion *motion, size_t row, double u);
/* Sides of the switches, then begin, impact and decide on the consistent one. */
thud_error thud_event_begin_next_arc(event_motion *motion);
/* The program of the arc holds every switch on its side in `held`. */
thud_error thud_event_hold_switches(const sim_arc *arc, const event_switches *switches);
/* event_surface.c: whether the potential energy or the masses jump where switches that are at 0 change their sides. The
 * sides before are held, and are again. */
thud_error thud_event_look_at_surfaces(event_motion *motion, size_t count, const size_t *zero, bool *jumps);
/* If so: the velocity jumps across the surfaces that the motion is about to cross, or back from them, and `held` are the
 * sides on which it goes on. `zero` keeps the switches that the motion does not move across. */
thud_error thud_event_cross_surfaces(event_motion *motion, size_t *count, size_t *zero);
/* Where something is struck as well: fails where it matters which comes first; otherwise the impact does. */
thud_error thud_event_let_impact_come_first(event_motion *motion, size_t count, const size_t *zero);
/* event_layer.c: through the layer of a surface; factor and outputs of the side before are in `surface`. */
thud_error thud_event_pass_layer(event_layer *layer);
/* The same with other masses behind: factor of these, `mass` themselves, the momentum before in `surface`; energy: V
 * behind minus T + V before. layer->crossed stays false where no velocity leads across. */
thud_error thud_event_cross_masses(event_layer *layer, double energy, const double *mass);
/* Whether a jump of the layer moves constraint i, directly or through other closed ones. */
bool thud_event_layer_reaches(event_layer *layer, size_t i);
/* Counts closed contacts at rest at breaks of the data that order 0 does not decide; after settling. */
void thud_event_note_right_accumulation(event_motion *motion);
/* Goes back from a failure to settle. Where the data have no power series it is noted, and the message says so. */
thud_error thud_event_go_back_and_explain(event_motion *motion, thud_error error);
/* event_find.c: the step h of the arc, and s, where the first event on it is; the equations hold up to there. */
thud_error thud_event_choose_piece(event_motion *motion, double *h, double *s);
/* |x| <= this on [0, h]. */
double thud_event_size_on(int degree, const double *c, size_t stride, double h);
/* Leaves in `roots` only what happens at the time s of the event. */
void thud_event_keep_simultaneous(event_motion *motion, double s);
/* Whether all that happens is that forces which are not unique reach the edges of their cones. */
bool thud_event_only_shared_forces(const event_motion *motion);
/* event_follow.c: follows the series to the first event or the end of its step; emits the arc. */
thud_error thud_event_follow_arc(event_motion *motion, const thud_motion_sink *sink);
/* What it is that steps become as short as rounding: BLOW_UP or STEP_TOO_SMALL. */
thud_motion_status thud_event_status_of_vanished_step(const event_problem *problem, const event_present *state,
                                                      const event_scales *scales);
/* Position or velocity beyond the limit of the options is the finding BLOW_UP. */
thud_error thud_event_check_blow_up(event_motion *motion);
/* event_proof.c: proofs of the arcs of a system of expressions; the arc and the arrays of the parts are there. */
thud_error thud_event_proofs_create(event_motion *motion);
/* Scales of the run; the initial state stands. */
void thud_event_proofs_begin(event_motion *motion);
/* The longest part of a step on which the equations of motion are proved to hold, or a longer one, up to `longest`,
 * where that is easy; where nothing can be proved the step itself, and proofs.defect is false. The series is complete.
 */
double thud_event_prove_step(event_motion *motion, double h, double longest);
/* Whether event function f is enclosed by intervals: gaps, slips, switches; not reactions, which are polynomials. */
bool thud_event_is_enclosed(const event_motion *motion, size_t f);
/* The first root of event function f on [0, end], where it can be enclosed: in place of what its series says. */
void thud_event_prove_root(event_motion *motion, size_t f, double end, arc_root *root);
/* What the polynomial of a margin of sticking, without its first `skip` coefficients and divided
 * by s^skip, is away from the margin itself on [0, h]; infinite: not known. */
double thud_event_margin_error(event_motion *motion, const event_law *law, const event_measure *measure, int skip,
                               double h);
/* Before the roots of an arc are looked for. */
void thud_event_begin_roots(event_proofs *proofs);
/* What is known of the present arc. */
thud_arc_status thud_event_proof_status(const event_proofs *proofs);
/* Books what is proved of the arc up to s. */
void thud_event_book_proof(event_motion *motion, double s);
/* event_zeno.c: one more impact, which may be one of an accumulation. */
void thud_event_zeno_add_impact(event_motion *motion);
/* Nothing accumulates at the levels up to this one. */
void thud_event_zeno_forget(const event_problem *problem, event_zeno *zeno, size_t level);
/* Whether the last impacts accumulate, with flights shorter than options.fork_flight. */
bool thud_event_zeno_in_tail(const event_problem *problem, const event_zeno *zeno);
/* Whether the last blows of the level accumulate and little is left. */
bool thud_event_zeno_is_due(event_motion *motion, size_t level);
/* If so: the state, which has been kept, is moved to the limit, and the phase is EVENT_AT_LIMIT. */
thud_error thud_event_zeno_close(event_motion *motion, const thud_motion_sink *sink, size_t level);
/* Books the work on [0, s] of the arc. */
void thud_event_book_work(const sim_arc *arc, thud_event_motion_info *info, double s);
thud_error thud_event_book_energy(event_motion *motion);
/* event_fork.c: adds to a text that may be full: it ends with dots then. */
void thud_event_append_text(char *text, size_t capacity, const char *format, ...) THUD_PRINTF(3, 4);
/* No outcomes are known. */
void thud_event_outcomes_clear(event_forks *forks);
void thud_event_outcomes_destroy(const event_problem *problem, event_forks *forks);
/* The series of the arc with the modes in `mode` and `chosen` joins the outcomes unless it is a motion that is there
 * already: different modes, the same motion. */
thud_error thud_event_outcomes_add_modes(event_motion *motion);
/* The velocity in `v` and what led to it (`event`) join them unless the velocity is there already.
 */
thud_error thud_event_outcomes_add_jump(event_motion *motion, const char *text);
/* The velocity jumps to that of outcome k. */
void thud_event_outcomes_take_jump(event_motion *motion, size_t k);
/* The outcome to go on with: the only one, or the one that was chosen. Fails with the finding FORK or INDETERMINATE
 * when it is to be chosen; `what` are the ways on ("motions are consistent"). */
thud_error thud_event_outcomes_pick(event_motion *motion, const char *what, size_t *k);
/* event_state.c: checkpoints, for the table of the family. */
size_t thud_event_state_size(const thud_motion *motion);
void thud_event_save_state(const thud_motion *motion, void *state);
thud_error thud_event_restore_state(thud_motion *motion, const void *state, size_t size);
/* The state into `kept`, and back from it. */
void thud_event_keep_state(event_motion *motion);
thud_error thud_event_restore_kept(event_motion *motion, thud_error error);
/* event.c: hands an arc to the sink, which may end the run (status INTERRUPTED). */
thud_error thud_event_emit_arc(event_motion *motion, const thud_motion_sink *sink, const thud_event_arc *arc);
/* event.c: a failure that has been reported becomes the status with which the run ends; returns THUD_OK. */
thud_error thud_event_end_run(thud_event_motion_info *info, thud_motion_status status, thud_error error);
/* By which part the force of a row counts beside others. Those of a law that slides are mu times the normal reaction:
 * they count by that, or a large mu would make every normal reaction small beside them. */
double thud_event_share_of_force(const event_motion *motion, size_t row);

#endif
