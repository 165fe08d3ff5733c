/* The options of motions of rigid bodies: one key table. */
#include "motions/bodies/body_motion.h"

#include <float.h>
#include <stddef.h>

#define FIELD(name) offsetof(thud_body_motion_options, name)

static const char *const law_names[] = {"canonical", "newton", "sequential", "lzb", NULL};
static const char *const gain_names[] = {"reduce_e", "refuse", "allow", NULL};

static const thud_option_key keys[] = {
    {"start", THUD_OPTION_REAL, FIELD(start), 0, -DBL_MAX, DBL_MAX, false, NULL, "s", "initial time"},
    {"end", THUD_OPTION_REAL, FIELD(end), 1, -DBL_MAX, DBL_MAX, false, NULL, "s", "final time"},
    {"steps", THUD_OPTION_INT, FIELD(steps), 1000, 1, 2147483647, false, NULL, "1", "number of equal steps"},
    {"tolerance", THUD_OPTION_REAL, FIELD(tolerance), 1e-8, 0, 1, true, NULL, "1",
     "accepted residual of every island in every step, relative to its free relative velocities"},
    {"penetration", THUD_OPTION_REAL, FIELD(penetration), 1e-4, 0, 1, true, NULL, "1",
     "overlap that is left alone, relative to the thickness of the thinner shape"},
    {"predicted", THUD_OPTION_BOOL, FIELD(predicted), 1, 0, 1, false, NULL, "1",
     "contacts without restitution act before they close, wherever a step could close them, so that they close without "
     "overlap"},
    {"continuous", THUD_OPTION_BOOL, FIELD(continuous), 1, 0, 1, false, NULL, "1",
     "fast bodies do not pass through thin ones between two steps; impacts of two bodies with restitution act where "
     "they "
     "meet, before and behind the midpoint"},
    {"gyroscopic", THUD_OPTION_BOOL, FIELD(gyroscopic), 1, 0, 1, false, NULL, "1", "torques of Euler's equations"},
    {"relax", THUD_OPTION_BOOL, FIELD(relax), 0, 0, 1, false, NULL, "1",
     "an interpenetrating start is moved apart instead of refused"},
    {"sleep", THUD_OPTION_BOOL, FIELD(sleep), 0, 0, 1, false, NULL, "1",
     "islands at rest stop, and wake within the step in which their impulses do not hold them any more"},
    {"sleep_speed", THUD_OPTION_REAL, FIELD(sleep_speed), 1e-3, 0, DBL_MAX, true, NULL, "m/s",
     "a body slower than this is at rest (also the speed of its farthest point about its centre); the default is "
     "converted to the scene's units"},
    {"sleep_time", THUD_OPTION_REAL, FIELD(sleep_time), 0.5, 0, DBL_MAX, true, NULL, "s",
     "time at rest after which an island falls asleep; the default is converted to the scene's units"},
    {"impact_velocity", THUD_OPTION_REAL, FIELD(impact_velocity), 0, 0, DBL_MAX, false, NULL, "m/s",
     "contacts approached faster than this are impacts and rebound with their restitution; 0: twice what gravity gives "
     "in a step"},
    {"impact_law", THUD_OPTION_CHOICE, FIELD(impact_law), THUD_IMPACT_NEWTON, 0, 0, false, law_names, "",
     "law of multiple impacts (docs/impact-laws.md)"},
    {"on_energy_gain", THUD_OPTION_CHOICE, FIELD(on_energy_gain), THUD_GAIN_REDUCE_E, 0, 0, false, gain_names, "",
     "what to do where restitution and friction together would create energy in an island"},
    {"energy_tolerance", THUD_OPTION_REAL, FIELD(energy_tolerance), 1e-9, 0, 1, false, NULL, "1",
     "energy that an island may gain at its contacts, relative to the kinetic energy of its bodies"},
    {"contacts_per_body", THUD_OPTION_INT, FIELD(contacts_per_body), 16, 1, 100000, false, NULL, "1",
     "room for warm starts: impulses of contacts beyond it are not remembered"},
    {"blow_up", THUD_OPTION_REAL, FIELD(blow_up), 1e6, 1, DBL_MAX, false, NULL, "1",
     "the motion ends when a speed exceeds this times those of the start and what the forces give over the run"},
};

static const thud_option_part parts[] = {{offsetof(thud_body_motion_options, solver), thud_solver_option_table}};
static const thud_option_table table = {.name = "motion of bodies",
                                        .struct_size = sizeof(thud_body_motion_options),
                                        .keys = keys,
                                        .count = sizeof keys / sizeof *keys,
                                        .parts = parts,
                                        .part_count = 1};

const thud_option_table *thud_body_motion_option_table(void) { return &table; }
