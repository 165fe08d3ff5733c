/* The schemes by number and by name, and the options of time stepping. */
#include "motions/stepping/stepping.h"

#include <float.h>
#include <stddef.h>

#define ROW(method, object, name) [THUD_STEPPING_##method] = &thud_scheme_##object,
static const thud_scheme *const schemes[] = {THUD_SCHEMES(ROW)};
#undef ROW
#define NAME(method, object, name) [THUD_STEPPING_##method] = name,
static const char *const method_names[] = {THUD_SCHEMES(NAME) NULL};
#undef NAME

const thud_scheme *thud_stepping_scheme_of(int method) {
  return method >= 0 && method < THUD_SCHEME_COUNT ? schemes[method] : NULL;
}

const char *thud_stepping_method_name(thud_stepping_method method) {
  return thud_stepping_scheme_of((int)method) != NULL ? method_names[method] : "unknown";
}

#define FIELD(name) offsetof(thud_stepping_options, name)

static const thud_option_key keys[] = {
    {"method", THUD_OPTION_CHOICE, FIELD(method), 0, 0, 0, false, method_names, "",
     "time-stepping scheme (docs/lagrangian-systems.md says which when)"},
    {"start", THUD_OPTION_REAL, FIELD(start), 0, -DBL_MAX, DBL_MAX, false, NULL, "s", "initial time"},
    {"end", THUD_OPTION_REAL, FIELD(end), 1, -DBL_MAX, DBL_MAX, false, NULL, "s", "final time"},
    {"steps", THUD_OPTION_INT, FIELD(steps), 1000, 0, 2147483647, false, NULL, "1",
     "number of equal steps; 0: the step is controlled by `tolerance`"},
    {"tolerance", THUD_OPTION_REAL, FIELD(tolerance), 0, 0, 0.1, false, NULL, "1/s",
     "local error per unit time of a controlled step, relative to the size of the state; 0: equal steps"},
    {"theta", THUD_OPTION_REAL, FIELD(theta), 0.5, 0.5, 1, false, NULL, "1",
     "moreau-jean and stabilised: weight of the end of the step; 0.5 conserves energy"},
    {"lambda", THUD_OPTION_REAL, FIELD(lambda), 1e-3, 0, DBL_MAX, true, NULL, "s", "regularised: relaxation time"},
    {"impact_velocity", THUD_OPTION_REAL, FIELD(impact_velocity), 0, 0, DBL_MAX, false, NULL, "m/s",
     "an impulse counts as an impact when the gap closes faster than this; 0: twice what the smooth forces of the step "
     "cause"},
    {"gap_tolerance", THUD_OPTION_REAL, FIELD(gap_tolerance), 0, 0, DBL_MAX, false, NULL, "m",
     "a constraint acts when its gap is at most this"},
    {"initial_tolerance", THUD_OPTION_REAL, FIELD(initial_tolerance), 1e-8, 0, DBL_MAX, false, NULL, "m, m/s",
     "accepted violation of the constraints by the initial state"},
    {"residual_tolerance", THUD_OPTION_REAL, FIELD(residual_tolerance), 1e-10, 0, 1, true, NULL, "1",
     "accepted residual of a velocity problem, relative"},
    {"blow_up", THUD_OPTION_REAL, FIELD(blow_up), 1e9, 1, DBL_MAX, false, NULL, "1",
     "the run ends when position or velocity exceeds this times its size at the start or what the start's velocity and "
     "acceleration give over the run"},
    {"coarse_above", THUD_OPTION_REAL, FIELD(coarse_above), 0.01, 0, DBL_MAX, true, NULL, "1",
     "the verdict is coarse when constraints are violated by more than this part of the size of the motion, or when "
     "the discretisation adds or takes more than this part of the energy exchanged"},
    {"failed_above", THUD_OPTION_REAL, FIELD(failed_above), 1, 0, DBL_MAX, true, NULL, "1",
     "the verdict is failed when one of the two is more than this"},
};

static const thud_option_part parts[] = {{offsetof(thud_stepping_options, percussion), thud_percussion_option_table}};
static const thud_option_table table = {.name = "motion",
                                        .struct_size = sizeof(thud_stepping_options),
                                        .keys = keys,
                                        .count = sizeof keys / sizeof *keys,
                                        .parts = parts,
                                        .part_count = 1};

const thud_option_table *thud_stepping_option_table(void) { return &table; }
