/* What warnings of runs and checks mean and what to do about them: one row per code. A test looks for every code of the
 * sources in this table. */
#include "page/page.h"

#include <string.h>

static const thud_warning_help helps[] = {
    {"beyond-critical",
     "The friction coefficient is at or above the critical value from which on quasi-static rate problems may have "
     "several "
     "solutions or none.",
     "Lower mu, or stiffen the system against coupling of normal and tangential forces; otherwise follow all solutions "
     "with "
     "thud run --branch (docs/critical-friction.md)."},
    {"coarse",
     "The steps are too long for the motion: the scheme violates constraints, or adds or takes energy, by more than "
     "one "
     "would accept unseen; of a sweeping process, the estimated error is more than a tenth of the way that u goes.",
     "Take shorter steps (simulate.step or simulate.steps; the message of a system names a step that would do), or "
     "another "
     "method."},
    {"creep",
     "Moreau's scheme gives the restitution to the forces of every step, too: a contact that rests is thrown up a "
     "little "
     "each time, and what should stick creeps.",
     "Use method: moreau-jean, set the restitution of resting contacts to 0, or take shorter steps."},
    {"empty-percussions", "A percussion has neither an impulse nor a weight, so nothing happens at its time.",
     "Give it an impulse or a weight, or remove it from system.percussions."},
    {"energy-gain",
     "With this impact law and friction the kinetic energy after an impact is larger than before it: Newton's law does "
     "not "
     "exclude that.",
     "Use a smaller restitution, or an energetically consistent impact law (docs/impact-laws.md)."},
    {"energy-gain-reduced",
     "Restitution together with friction would have created energy at an impact; it was reduced there until it did "
     "not.",
     "Use a smaller restitution or another impact law; on_energy_gain says whether such impacts are reduced, refused "
     "or "
     "allowed."},
    {"fork", "Several ways on were possible here, and this record follows the one that the message names.",
     "Nothing is wrong: compare it with the records of the other branches, thud report first.h5 first.branch-2.h5."},
    {"friction-not-convex",
     "Friction on an equation that stays closed whatever happens: beyond this mu the tangential force turns the sign "
     "of the "
     "normal reaction, and Coulomb's law no longer defines the motion.",
     "Lower mu, change the geometry, or model the support by unilateral contacts."},
    {"gap-not-distance",
     "The gap changes at another rate than the distance along the normal that slip is measured with, so that friction "
     "is "
     "not mu times the normal force.",
     "Write the gap as a distance, or give friction: {normal_scale: ...} with the factor of the message."},
    {"graze",
     "A gap, slip or switch touched 0 without crossing it. A small change of the data may turn that into a contact, "
     "and the "
     "motion after it into another one.",
     "Nothing is wrong; vary the data a little and see whether what matters to you changes."},
    {"indeterminate-forces",
     "More constraints act than the motion needs: how they share the load is not determined by rigid mechanics.",
     "Do not rely on single forces (their resultants are unique); remove a redundant constraint, or give the supports "
     "elasticity."},
    {"initial-outside", "The initial state of the sweeping process does not lie in the set and is projected onto it.",
     "Give an initial state within the set, if that is not meant."},
    {"initial-state-moved",
     "The initial state violates constraints by no more than initial_tolerance; the motion starts from the nearest "
     "state "
     "that does not.",
     "Give the coordinates with more digits, or make initial_tolerance smaller to have such states refused."},
    {"jump",
     "At this load no continuous quasi-static motion goes on: the state jumps to another equilibrium, and in reality "
     "inertia "
     "would decide which.",
     "Look at the jump with a dynamic model, or vary mu and the load path; thud run --branch shows other equilibria."},
    {"tunnelling", "A fast body passed through another one between two steps: no midpoint saw them touch.",
     "Set simulate.continuous: true, or take shorter steps (simulate.step)."},
    {"large-lift",
     "Shapes overlapped so much after a step that a body had to be moved by a noticeable part of its size to part "
     "them.",
     "Take shorter steps (simulate.step), or continuous: true for fast bodies."},
    {"limit-outside",
     "An infinite family of percussions accumulates at a time outside the run; what is left of it there does not act.",
     "Extend simulate.start or simulate.end beyond the limit, or accept it."},
    {"load-not-enclosed",
     "A load turns from rising to falling and back so often that its turns could not all be found; it is known at the "
     "nodes "
     "only.",
     "Take so many steps that they resolve the load, or write it as piecewise data, whose breaks are nodes."},
    {"loose-projection",
     "An iterative projection onto the set met its limit of iterations: the point is known only to the gap that is "
     "reported.",
     "Raise the limit of iterations, or describe the set by simpler parts whose projections are exact "
     "(docs/convex-sets.md)."},
    {"lost-starts",
     "Bodies have more contacts than impulses are remembered for; the others start from 0 in every step, which costs "
     "time, "
     "not accuracy.",
     "Raise simulate.contacts_per_body."},
    {"multiple-impact",
     "Several constraints were struck at once that are not orthogonal in the kinetic metric: the outcome depends "
     "discontinuously on the data.",
     "Treat what follows as one of several possible motions; compare impact laws (docs/impact-laws.md), or shift the "
     "start a "
     "little."},
    {"negative-friction-loss",
     "Friction gave energy, which it cannot: slip changes much within a step, or its expression has a wrong factor.",
     "Check the slip of the law, and take shorter steps."},
    {"no-estimate", "The run was repeated on a finer partition to estimate the error, and that run did not end well.",
     "Read the message for what went wrong there; more steps or refinements: 0 avoid it."},
    {"no-limit",
     "Runs on finer and finer partitions do not approach each other, so that this run approximates no motion: the set "
     "may "
     "retract without bound, or the steps are still far too long for how fast it turns.",
     "Give more steps and simulate: {classify: 6}, and read the exponents of the class (docs/sweeping.md); a smoother "
     "motion "
     "of the set has a limit."},
    {"non-orthogonal",
     "Constraints that act together are not orthogonal in the kinetic metric: simultaneous impacts on them have no "
     "unique "
     "limit.",
     "Nothing to do unless both are struck at once; see docs/impact-laws.md then."},
    {"non-orthogonal-impact",
     "Several constraints were struck at once that are not orthogonal in the kinetic metric: the motion depends "
     "discontinuously on the data there.",
     "Follow the outcomes with thud run --branch, or compare impact laws (docs/impact-laws.md)."},
    {"not-unique",
     "At some loads several next states satisfied all conditions; the run took the first in the order stick, slip, "
     "open.",
     "Follow the others with thud run --branch; a smaller mu makes the problem unique (docs/non-uniqueness.md)."},
    {"percussions-outside", "Percussions lie outside the time of the run and have no part in it.",
     "Check their times against simulate.start and simulate.end."},
    {"reduced-restitution",
     "The impact law (Newton's law with Coulomb friction, or a table) would have created energy; it was reduced there.",
     "Use a smaller restitution or another impact law; on_energy_gain says what is done (docs/impact-laws.md)."},
    {"right-accumulation",
     "The data are not analytic at a time at which a contact was at rest: impacts could accumulate there from the "
     "right, so "
     "that several motions start from the same state.",
     "Use analytic data near that time if uniqueness matters (docs/non-uniqueness.md)."},
    {"slip-not-tangential",
     "The slip of a friction law contains the velocity of the gap, which friction then resists, too.",
     "Leave the normal part out of the law's slip."},
    {"truncated-family",
     "An infinite family of percussions was cut off where its tail may still change velocities by more than the "
     "tolerance.",
     "Raise the truncation of the family, or accept the bound of the message (docs/percussions.md)."},
    {"unbounded-reactions",
     "The motion passed a point at which gradients of equations are dependent, and the forces of the single equations "
     "grow "
     "like 1/|t - t*| there: bars that are stiff in reality carry large forces for a short time.",
     "Take the forces near that time from a model with elastic parts; the motion itself is not affected. Loads that "
     "are "
     "alike on all cranks keep the forces bounded."},
    {"undecided-contact",
     "Whether a contact lasts was not decided by the power series up to their order; it was kept closed without force.",
     "Raise simulate.order, or check whether the data make the contact exactly neutral."},
    {"unexamined-modes",
     "Too many contacts with friction had a choice of modes to try all combinations: the motion is consistent, but "
     "whether "
     "it is the only one was not examined.",
     "Of quasi-static scenes raise simulate.enumerate_up_to; otherwise look at fewer contacts at once if uniqueness "
     "matters."},
    {"unproved-defect",
     "On some arcs the equations of motion could not be enclosed by intervals: they were looked at in places only.",
     "Make simulate.max_step or simulate.tolerance smaller; functions given in C cannot be enclosed at all."},
    {"unproved-event",
     "A gap, a slip or a switch could not be told apart from 0 on some arcs within the limit of work.",
     "Look at the motion near the time that is named; another start or a smaller simulate.max_step usually decides "
     "it."},
    {"unproved-margin",
     "How far a sticking contact is from slipping could not be enclosed on some arcs: it was taken from its power "
     "series.",
     "Make simulate.max_step smaller, or accept the series."},
    {"unqualified-point",
     "The motion came to a point at which gradients of constraints are dependent, for example a linkage in its flat "
     "position: the theorems of existence and uniqueness do not hold there.",
     "Check that the branch on which the motion goes on is the one that is meant; change lengths or the initial state "
     "a "
     "little and compare."},
    {"unsolved-islands",
     "The contact problem of some islands of bodies was not solved to the tolerance: often many bodies, large "
     "differences "
     "of mass, or bodies squeezed between others that do not give way.",
     "Raise the limits of the solver or choose another method in simulate, take shorter steps, and look at the contact "
     "that "
     "the message names."},
};

const thud_warning_help *thud_warning_explain(const char *code) {
  THUD_REQUIRE_OR(NULL, code);
  for (size_t k = 0; k < sizeof helps / sizeof *helps; k++)
    if (strcmp(helps[k].code, code) == 0) return &helps[k];
  return NULL;
}
