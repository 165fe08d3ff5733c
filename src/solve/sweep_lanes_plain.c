/* The sweeps in lanes for any processor. */
#include "solve/sweep_lanes_fill.h"
#include "solve/sweep_lanes_kernel.h"

const thud_lanes_functions thud_lanes_plain = {.fill = fill_groups, .push = push_any, .visit = visit_any};
