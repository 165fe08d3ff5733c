#include "motions/event/event.h"

#include <float.h>
#include <stddef.h>

#define FIELD(name) offsetof(thud_event_options, name)

static const char *const undecided_names[] = {"continue", "stop", NULL};
static const char *const painleve_names[] = {"stop", "impact", NULL};

static const char *const arcs_names[] = {"auto", "series", "runge-kutta", "cvode", NULL};

static const thud_option_key keys[] = {
    {"start", THUD_OPTION_REAL, FIELD(start), 0, -DBL_MAX, DBL_MAX, false, NULL, "s", "initial time"},
    {"end", THUD_OPTION_REAL, FIELD(end), 1, -DBL_MAX, DBL_MAX, false, NULL, "s", "final time"},
    {"arcs", THUD_OPTION_CHOICE, FIELD(arcs), 0, 0, 0, false, arcs_names, "",
     "where the arcs between events come from"},
    {"tolerance", THUD_OPTION_REAL, FIELD(tolerance), DBL_EPSILON, 1e-40, 1e-3, false, NULL, "1",
     "truncation of an arc's power series, relative to its terms"},
    {"order", THUD_OPTION_INT, FIELD(order), 0, 0, 60, false, NULL, "1",
     "order of the power series of the accelerations, at least 4; 0: from the tolerance"},
    {"max_step", THUD_OPTION_REAL, FIELD(max_step), 0, 0, DBL_MAX, false, NULL, "s",
     "longest arc; 0: no limit, for arcs other than power series 1/100 of the run"},
    {"decision_tolerance", THUD_OPTION_REAL, FIELD(decision_tolerance), 1e-10, 0, 1e-2, true, NULL, "1",
     "coefficients of reactions and separations count as 0 below this, relative to their terms"},
    {"time_tolerance", THUD_OPTION_REAL, FIELD(time_tolerance), 1e-13, 0, 1e-3, true, NULL, "1",
     "events closer together than this, relative to max(|t|, length of the arc), are one"},
    {"defect_tolerance", THUD_OPTION_REAL, FIELD(defect_tolerance), 1e-10, 0, 1e-2, true, NULL, "1",
     "accepted violation of the equations of motion at the end of a step, relative to their terms"},
    {"initial_tolerance", THUD_OPTION_REAL, FIELD(initial_tolerance), 1e-8, 0, DBL_MAX, false, NULL, "m, m/s",
     "accepted violation of the constraints by the initial state"},
    {"residual_tolerance", THUD_OPTION_REAL, FIELD(residual_tolerance), 1e-10, 0, 1, true, NULL, "1",
     "accepted residual of an impact's velocity problem, relative"},
    {"on_undecided", THUD_OPTION_CHOICE, FIELD(on_undecided), 0, 0, 0, false, undecided_names, "",
     "what to do when no order of the series decides whether a contact lasts"},
    {"painleve", THUD_OPTION_CHOICE, FIELD(painleve), 0, 0, 0, false, painleve_names, "",
     "what to do when no modes of the closed contacts are consistent with friction"},
    {"fork", THUD_OPTION_BOOL, FIELD(fork), 0, 0, 1, false, NULL, "",
     "stop where several outcomes are possible, so that one can be chosen"},
    {"max_outcomes", THUD_OPTION_INT, FIELD(max_outcomes), 24, 2, 10000, false, NULL, "1", "outcomes of one fork"},
    {"fork_tolerance", THUD_OPTION_REAL, FIELD(fork_tolerance), 1e-4, 0, 1, true, NULL, "1",
     "velocities after an impact closer together than this, relative to the motion's speed, are one outcome"},
    {"fork_flight", THUD_OPTION_REAL, FIELD(fork_flight), 1e-2, 0, 1, false, NULL, "1",
     "no forks in an accumulation of impacts once its flights are shorter than this share of the run"},
    {"zeno", THUD_OPTION_BOOL, FIELD(zeno), 1, 0, 1, false, NULL, "", "close geometric accumulations of impacts"},
    {"zeno_tolerance", THUD_OPTION_REAL, FIELD(zeno_tolerance), 1e-12, 0, 1e-2, true, NULL, "1",
     "accepted error of an accumulation's limit, relative to its time and to the size of the state"},
    {"zeno_remaining", THUD_OPTION_REAL, FIELD(zeno_remaining), 1e-11, 0, 1, true, NULL, "1",
     "an accumulation is closed when less than this is left, relative to max(|t|, its duration)"},
    {"max_events", THUD_OPTION_INT, FIELD(max_events), 1000000, 1, 2147483647, false, NULL, "1", "events of a run"},
    {"max_steps", THUD_OPTION_INT, FIELD(max_steps), 10000000, 1, 2147483647, false, NULL, "1",
     "steps of the power series of a run"},
    {"max_same_time", THUD_OPTION_INT, FIELD(max_same_time), 100, 1, 1000000, false, NULL, "1",
     "events one after the other at the same time"},
    {"blow_up", THUD_OPTION_REAL, FIELD(blow_up), 1e9, 1, DBL_MAX, false, NULL, "1",
     "the run ends when position or velocity exceeds this times (1 + its initial size)"},
};

static const thud_option_part parts[] = {{offsetof(thud_event_options, percussion), thud_percussion_option_table}};
static const thud_option_table table = {.name = "event-driven",
                                        .struct_size = sizeof(thud_event_options),
                                        .keys = keys,
                                        .count = sizeof keys / sizeof *keys,
                                        .parts = parts,
                                        .part_count = 1};

const thud_option_table *thud_event_option_table(void) { return &table; }

const char *thud_event_kind_name(thud_event_kind kind) {
  static const char *const names[] = {"impact", "zeno", "close",  "open",      "graze",
                                      "stick",  "slip", "switch", "percussion"};
  return (unsigned)kind < sizeof names / sizeof *names ? names[kind] : "unknown";
}

const char *thud_arc_status_name(thud_arc_status status) {
  static const char *const names[] = {"open", "proved", "sampled", "assumed", "passage"};
  return (unsigned)status < sizeof names / sizeof *names ? names[status] : "unknown";
}

const char *thud_contact_mode_name(thud_contact_mode mode) {
  static const char *const names[] = {"open", "lasting", "leaving", "undecided", "sticking", "sliding"};
  return (unsigned)mode < sizeof names / sizeof *names ? names[mode] : "unknown";
}
