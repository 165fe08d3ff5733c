/* Warnings of scenes and of runs: code, what it says, cause, cure, example. docs/messages.md is made from this. */
#include "run/messages.h"

const thud_message_help thud_messages_of_warnings[] = {
    {"angle-in-degrees", "An angle looks like degrees.",
     "Angles are in radians. This one is a whole number of degrees and more than a full turn.", "Write 30*pi/180.",
     "rotation: 30*pi/180"},
    {"asymmetric-matrix", "The matrix of a contact problem is not symmetric.",
     "The Delassus matrix W = H M^-1 H^T of a mechanical problem is symmetric. This one comes from elsewhere, or was "
     "rounded when it was written.",
     "Write the file with all digits; methods that need symmetry may fail.", "thud solve problem.yaml --method auto"},
    {"density-units", "A density is far from that of any material.",
     "In the units of the scene it would be lighter than a gas or heavier than osmium by a large factor: often it is "
     "in kg/m^3 while lengths are in mm, or in g/cm^3.",
     "Convert it to the scene's units of mass and length; steel is 7800 kg/m^3 = 7.8e-6 kg/mm^3.",
     "units: {length: mm, mass: kg}\nmaterials: {steel: {density: 7.8e-6}}"},
    {"enumeration-cut", "The enumeration of solutions was not finished.", "The clock or the caller ended it.",
     "Give it more time.", "thud solve problem.yaml --all --max-time 60"},
    {"forces-cut", "The intervals of forces were not examined to the end.", "The clock or the caller ended it.",
     "Give it more time, or ask for fewer contacts.", "thud solve problem.yaml --forces 0,1"},
    {"gravity-units", "Gravity is 9.81 in units other than metres and seconds.",
     "The number 9.81 belongs to m/s^2. In the units of this scene gravity on earth is another number, so that bodies "
     "fall too slowly or too fast.",
     "Give gravity in the scene's units; of bodies leave it out: the default is 9.81 m/s^2, converted.",
     "units: {length: mm}\ngravity: [0, 0, -9810]"},
    {"gravity-upwards", "Gravity points upwards.",
     "Its component along the last axis is positive, so that bodies rise.", "Change its sign, if that is not meant.",
     "gravity: [0, 0, -9.81]"},
    {"hidden-penetration", "The residual does not see a penetration.",
     "Beside a very large coefficient of friction the residual of an approaching contact is small.",
     "Take a smaller tolerance, or a smaller mu: do not rely on this answer.", "thud solve problem.yaml --tol 1e-14"},
    {"idle-impulses", "Some normal impulses move nothing.",
     "Their rows of the matrix are 0: the bodies on both sides are fixed.", "Remove these contacts.",
     "thud_problem: 1\nform: local\n# a contact between two fixed bodies has a row of zeros in W: leave it out"},
    {"mesh-winding", "An open mesh turns its inner side to the bodies.",
     "Contacts of an open mesh push to the side from which its triangles run counter-clockwise. The bodies start on "
     "the other side, so that they are thrown through the surface.",
     "Turn the triangles over (swap two corners of each, or flip the normals in the CAD program).",
     "shape: {mesh: {file: hopper.stl, open: true}}   # normals point to the grains"},
    {"negative-diagonal", "A diagonal entry of the matrix is negative or 0.",
     "An impulse would accelerate a contact against its direction, which no mechanical problem does.",
     "Check the signs of the normal directions and of W.", "W: [[2, 0], [0, 1]]   # not [[2, 0], [0, -1]]"},
    {"no-material", "Bodies slide without friction because a material, or its friction, is missing.",
     "A part without a material, or with a material without 'friction', has none. The friction of two materials is "
     "their geometric mean, so that nothing has friction against it.",
     "Give every body a material, the floor as well, and every material its friction; friction: 0 says that this is "
     "meant.",
     "materials: {wood: {friction: 0.4}}\nbodies:\n  - {name: box, shape: {box: [1, 1, 1]}, mass: 1, material: wood}"},
    {"observed-switch", "What is observed switches within an arc.",
     "Event-driven motions are recorded as power series on arcs. An expression with abs, min, max, if or a comparison "
     "has no "
     "series where it switches; there it is not recorded. Conditions and first times are not concerned.",
     "Observe what stands inside, or take short steps by time stepping.",
     "observe: {x: slider.x}   # not abs(slider.x)"},
    {"one-step", "The run has only one step.", "The step is as long as the whole run, or longer.",
     "Take a shorter step, or a later end; or leave 'step' out.", "simulate: {end: 1, step: 1e-3}"},
    {"step-coarse", "The step is long beside a time scale of the scene.",
     "A vibration, an orbit or the way across a small body takes only a few steps, so that the motion is not resolved.",
     "Take the step that the message names, or leave 'step' out: then it is chosen from the scales of the scene.",
     "simulate: {end: 1}   # the step is chosen"},
    {"step-fine", "The step is tiny beside every time scale of the scene.",
     "Nothing in the scene changes so fast: the run takes long and gains nothing but rounding.",
     "Take a longer step, or leave 'step' out: then it is chosen from the scales of the scene. Check the units of the "
     "step.",
     "simulate: {end: 1}   # the step is chosen"},
    {"unseen-impulses", "The residual hardly sees the impulses.", "The impulses are very small numbers in these units.",
     "Take a smaller tolerance, or a smaller unit of mass.", "thud solve problem.yaml --tol 1e-14"},
    {"beyond-critical", "Friction is at or above its critical value.",
     "The friction coefficient is at or above the critical value from which on quasi-static rate problems may have "
     "several solutions or none.",
     "Lower mu, or stiffen the system against coupling of normal and tangential forces; otherwise follow all solutions "
     "with thud run --branch (docs/critical-friction.md).",
     "thud run scene.yaml --set mu=0.2"},
    {"coarse", "The steps are too long for the motion.",
     "The steps are too long for the motion: the scheme violates constraints, or adds or takes energy, by more than "
     "one would accept unseen; of a sweeping process, the estimated error is more than a tenth of the way that u goes.",
     "Take shorter steps (simulate.step or simulate.steps; the message of a system names a step that would do), or "
     "another method.",
     "simulate: {end: 1, step: 1e-4}"},
    {"locking", "Elements of first order resist bending too much.",
     "Nearly incompressible material (Poisson's ratio near 1/2) in triangles or tetrahedra of first order: they cannot "
     "bend without changing their volumes.",
     "Take elements of second order.", "solid: {mesh: {rectangle: [0, 0, 2, 1], cells: [32, 16], order: 2}}"},
    {"creep", "A resting contact is thrown up a little in every step.",
     "Moreau's scheme gives the restitution to the forces of every step, too: a contact that rests is thrown up a "
     "little each time, and what should stick creeps.",
     "Use method: moreau-jean, set the restitution of resting contacts to 0, or take shorter steps.",
     "simulate: {method: moreau-jean, end: 1}"},
    {"empty-percussions", "A percussion does nothing.",
     "A percussion has neither an impulse nor a weight, so nothing happens at its time.",
     "Give it an impulse or a weight, or remove it from system.percussions.",
     "percussions:\n  - {time: 1, impulse: {x: -2}}"},
    {"energy-gain", "An impact created energy.",
     "With this impact law and friction the kinetic energy after an impact is larger than before it: Newton's law does "
     "not exclude that.",
     "Use a smaller restitution, or an energetically consistent impact law (docs/impact-laws.md).",
     "simulate: {on_energy_gain: reduce_e, end: 1}"},
    {"energy-gain-reduced", "Restitution was reduced so that no impact creates energy.",
     "Restitution together with friction would have created energy at an impact; it was reduced there until it did "
     "not.",
     "Use a smaller restitution or another impact law; on_energy_gain says whether such impacts are reduced, refused "
     "or allowed.",
     "materials: {steel: {friction: 0.3, restitution: 0.5}}"},
    {"fork", "Several motions are possible from here on.",
     "Several ways on were possible here, and this record follows the one that the message names.",
     "Nothing is wrong: compare it with the records of the other branches, thud report first.h5 first.branch-2.h5.",
     "thud run scene.yaml --branch 4"},
    {"friction-not-convex", "Coulomb's law does not define the motion at this mu.",
     "Friction on an equation that stays closed whatever happens: beyond this mu the tangential force turns the sign "
     "of the normal reaction, and Coulomb's law no longer defines the motion.",
     "Lower mu, change the geometry, or model the support by unilateral contacts.", "thud run scene.yaml --set mu=0.2"},
    {"threshold-not-contracting", "Friction changes the reactions that give its threshold by more than itself.",
     "The threshold of a friction law names reactions, and these change with the friction force: from a contraction of "
     "1 "
     "on one load may have several answers, or none.",
     "Lower mu or the radius, or give the threshold as a force of its own.", "thud run scene.yaml --set mu=0.2"},
    {"gap-not-distance", "The gap is no distance, so that friction is not mu times the normal force.",
     "The gap changes at another rate than the distance along the normal that slip is measured with, so that friction "
     "is not mu times the normal force.",
     "Write the gap as a distance, or give friction: {normal_scale: ...} with the factor of the message.",
     "friction: {mu: 0.3, slip: [\"x'\"], normal_scale: 2}"},
    {"graze", "Something touched 0 without crossing it.",
     "A gap, slip or switch touched 0 without crossing it. A small change of the data may turn that into a contact, "
     "and the motion after it into another one.",
     "Nothing is wrong; vary the data a little and see whether what matters to you changes.",
     "thud study scene.yaml --against event-driven"},
    {"indeterminate-forces", "Single forces are not determined by rigid mechanics.",
     "More constraints act than the motion needs: how they share the load is not determined by rigid mechanics.",
     "Do not rely on single forces (their resultants are unique); remove a redundant constraint, or give the supports "
     "elasticity.",
     "springs:\n  - {a: table, b: leg, stiffness: 1e6}"},
    {"initial-outside", "The start lies outside the set.",
     "The initial state of the sweeping process does not lie in the set and is projected onto it.",
     "Give an initial state within the set, if that is not meant.", "initial: {x: 0, y: 0}"},
    {"initial-state-moved", "The start was moved onto the constraints.",
     "The initial state violates constraints by no more than initial_tolerance; the motion starts from the nearest "
     "state that does not.",
     "Give the coordinates with more digits, or make initial_tolerance smaller to have such states refused.",
     "simulate: {end: 1, initial_tolerance: 1e-12}"},
    {"jump", "The state jumps to another equilibrium.",
     "At this load no continuous quasi-static motion goes on: the state jumps to another equilibrium, and in reality "
     "inertia would decide which.",
     "Look at the jump with a dynamic model, or vary mu and the load path; thud run --branch shows other equilibria.",
     "thud run scene.yaml --branch 4"},
    {"large-lift", "A body was moved far to part overlapping shapes.",
     "Shapes overlapped so much after a step that a body had to be moved by a noticeable part of its size to part "
     "them.",
     "Take shorter steps (simulate.step), or continuous: true for fast bodies.", "simulate: {end: 1, step: 1e-4}"},
    {"limit-outside", "A family of percussions accumulates outside the run.",
     "An infinite family of percussions accumulates at a time outside the run; what is left of it there does not act.",
     "Extend simulate.start or simulate.end beyond the limit, or accept it.", "simulate: {end: 3}"},
    {"load-not-enclosed", "A load turns too often to find all its turns.",
     "A load turns from rising to falling and back so often that its turns could not all be found; it is known at the "
     "nodes only.",
     "Take so many steps that they resolve the load, or write it as piecewise data, whose breaks are nodes.",
     "simulate: {end: 1, steps: 10000}"},
    {"loose-projection", "A projection is known only to a gap.",
     "An iterative projection onto the set met its limit of iterations: the point is known only to the gap that is "
     "reported.",
     "Raise the limit of iterations, or describe the set by simpler parts whose projections are exact "
     "(docs/convex-sets.md).",
     "set: {box: {lower: [0, 0], upper: [1, 1]}}   # exact; an intersection of half-spaces is not"},
    {"lost-starts", "Some contacts start from 0 in every step.",
     "Bodies have more contacts than impulses are remembered for; the others start from 0 in every step, which costs "
     "time, not accuracy.",
     "Raise simulate.contacts_per_body.", "simulate: {end: 1, contacts_per_body: 64}"},
    {"multiple-impact", "Several constraints were struck at once; the outcome depends on the data discontinuously.",
     "Several constraints were struck at once that are not orthogonal in the kinetic metric: the outcome depends "
     "discontinuously on the data.",
     "Treat what follows as one of several possible motions; compare impact laws (docs/impact-laws.md), or shift the "
     "start a little.",
     "thud run scene.yaml --set system.impact_law=sequential"},
    {"negative-friction-loss", "Friction gave energy.",
     "Friction gave energy, which it cannot: slip changes much within a step, or its expression has a wrong factor.",
     "Check the slip of the law, and take shorter steps.", "friction: {mu: 0.3, slip: [\"x' - v_belt\"]}"},
    {"no-estimate", "The error of the run is not known.",
     "The run was repeated on a finer partition to estimate the error, and that run did not end well.",
     "Read the message for what went wrong there; more steps or refinements: 0 avoid it.",
     "simulate: {end: 1, steps: 100, refinements: 0}"},
    {"no-contraction", "A set that depends on the state runs away from it.",
     "The set or the perturbation of a sweeping process follows the state so strongly that the equation of a step, "
     "u = proj(C(t, u), ...), cannot be solved by iteration: successive iterates go apart. There may be no solution, "
     "or several. "
     "Composed friction laws whose slips depend on the configuration say the same of a step that is too long.",
     "Make the set follow the state by a factor below 1 (the run reports the factor); of a perturbation and of "
     "composed friction a shorter step helps.",
     "sweeping: {coordinates: [x], set: {interval: {lower: t + 0.5*x, upper: 100}}}   # not: t + 1.5*x"},
    {"no-limit", "Finer and finer runs do not approach each other.",
     "Runs on finer and finer partitions do not approach each other, so that this run approximates no motion: the set "
     "may retract without bound, or the steps are still far too long for how fast it turns.",
     "Give more steps and simulate: {classify: 6}, and read the exponents of the class (docs/sweeping.md); a smoother "
     "motion of the set has a limit.",
     "simulate: {end: 1, steps: 1000, classify: 6}"},
    {"non-orthogonal", "Constraints act together and are not orthogonal.",
     "Constraints that act together are not orthogonal in the kinetic metric: simultaneous impacts on them have no "
     "unique limit.",
     "Nothing to do unless both are struck at once; see docs/impact-laws.md then.",
     "thud study scene.yaml --against event-driven   # where both are struck at once"},
    {"non-orthogonal-impact", "Several constraints were struck at once that are not orthogonal.",
     "Several constraints were struck at once that are not orthogonal in the kinetic metric: the motion depends "
     "discontinuously on the data there.",
     "Follow the outcomes with thud run --branch, or compare impact laws (docs/impact-laws.md).",
     "thud run scene.yaml --branch 4"},
    {"not-unique", "Several next states are possible.",
     "At some loads several next states satisfied all conditions; the run took the first in the order stick, slip, "
     "open.",
     "Follow the others with thud run --branch; a smaller mu makes the problem unique (docs/non-uniqueness.md).",
     "thud run scene.yaml --branch 4"},
    {"percussions-outside", "Percussions lie outside the run.",
     "Percussions lie outside the time of the run and have no part in it.",
     "Check their times against simulate.start and simulate.end.", "simulate: {end: 3}"},
    {"reduced-restitution", "Restitution was reduced so that no impact creates energy.",
     "The impact law (Newton's law with Coulomb friction, or a table) would have created energy; it was reduced there.",
     "Use a smaller restitution or another impact law; on_energy_gain says what is done (docs/impact-laws.md).",
     "constraints:\n  - {name: floor, gap: y, restitution: 0.5, friction: {mu: 0.3, slip: [\"x'\"]}}   # not 0.9"},
    {"right-accumulation", "Several motions may start from the same state.",
     "The data are not analytic at a time at which a contact was at rest: impacts could accumulate there from the "
     "right, so that several motions start from the same state.",
     "Use analytic data near that time if uniqueness matters (docs/non-uniqueness.md).",
     "forces: {x: -3 - sin(t)}   # a force that presses from the first instant on leaves one motion"},
    {"slip-not-tangential", "The slip of a friction law contains the velocity of the gap.",
     "The slip of a friction law contains the velocity of the gap, which friction then resists, too.",
     "Leave the normal part out of the law's slip.", "friction: {mu: 0.3, slip: [\"x'\"]}   # for the gap y"},
    {"truncated-family", "A family of percussions was cut off too early.",
     "An infinite family of percussions was cut off where its tail may still change velocities by more than the "
     "tolerance.",
     "Raise the truncation of the family, or accept the bound of the message (docs/percussions.md).",
     "percussions:\n  - {index: n, time: 1 - 1/2^n, impulse: {x: 1/2^n}, tail: 1/2^n, tolerance: 1e-12}"},
    {"tunnelling", "A fast body passed through another one.",
     "A fast body passed through another one between two steps: no midpoint saw them touch.",
     "Set simulate.continuous: true, or take shorter steps (simulate.step).", "simulate: {end: 1, step: 1e-4}"},
    {"unbounded-reactions", "Forces of single equations grow without bound at a point.",
     "The motion passed a point at which gradients of equations are dependent, and the forces of the single equations "
     "grow like 1/|t - t*| there: bars that are stiff in reality carry large forces for a short time.",
     "Take the forces near that time from a model with elastic parts; the motion itself is not affected. Loads that "
     "are alike on all cranks keep the forces bounded.",
     "potential_energy: k*(l - distance)^2/2   # a stiff bar instead of the equation l - distance"},
    {"undecided-contact", "Whether a contact lasts was not decided.",
     "Whether a contact lasts was not decided by the power series up to their order; it was kept closed without force.",
     "Raise simulate.order, or check whether the data make the contact exactly neutral.",
     "simulate: {end: 1, order: 40}"},
    {"unexamined-modes", "Whether the motion is the only one was not examined.",
     "Too many contacts with friction had a choice of modes to try all combinations: the motion is consistent, but "
     "whether it is the only one was not examined.",
     "Of quasi-static scenes raise simulate.enumerate_up_to; otherwise look at fewer contacts at once if uniqueness "
     "matters.",
     "simulate: {enumerate_up_to: 8}"},
    {"unproved-defect", "Some arcs are examined in places only.",
     "On some arcs the equations of motion could not be enclosed by intervals: they were looked at in places only.",
     "Make simulate.max_step or simulate.tolerance smaller; functions given in C cannot be enclosed at all.",
     "simulate: {end: 1, max_step: 0.01}"},
    {"unproved-event", "An event could not be told apart from a near miss.",
     "A gap, a slip or a switch could not be told apart from 0 on some arcs within the limit of work.",
     "Look at the motion near the time that is named; another start or a smaller simulate.max_step usually decides it.",
     "simulate: {end: 1, max_step: 0.01}"},
    {"unproved-margin", "How far a contact is from slipping is not proved.",
     "How far a sticking contact is from slipping could not be enclosed on some arcs: it was taken from its power "
     "series.",
     "Make simulate.max_step smaller, or accept the series.", "simulate: {end: 1, max_step: 0.01}"},
    {"unqualified-point", "Gradients of constraints are dependent.",
     "The motion came to a point at which gradients of constraints are dependent, for example a linkage in its flat "
     "position: the theorems of existence and uniqueness do not hold there.",
     "Check that the branch on which the motion goes on is the one that is meant; change lengths or the initial state "
     "a little and compare.",
     "parameters: {crank: 1, rod: 1.001}   # lengths that differ: the linkage is never flat"},
    {"unsolved-islands", "The contact problem of some bodies was not solved to the tolerance.",
     "The contact problem of some islands of bodies was not solved to the tolerance: often many bodies, large "
     "differences of mass, or bodies squeezed between others that do not give way.",
     "Take shorter steps, raise the limits of the solver (simulate.solver.max_iterations), and look at the contact "
     "that the message names. Where bodies are squeezed between others that do not give way there is no solution, and "
     "no solver helps: change the paths, or let a force or a spring drive the body instead of a path.",
     "simulate: {end: 1, step: 1e-4, solver: {max_iterations: 100000}}"},
    {NULL, NULL, NULL, NULL, NULL}};
