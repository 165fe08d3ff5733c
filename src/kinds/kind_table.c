/* The kinds of motion that the library knows: one row each. */
#include "kinds/kinds.h"
#include "run/run.h"

const thud_kind *const thud_kind_table[] = {&thud_kind_sweeping,    &thud_kind_stepping, &thud_kind_event_driven,
                                            &thud_kind_quasistatic, &thud_kind_friction, &thud_kind_string,
                                            &thud_kind_beam,        &thud_kind_membrane, &thud_kind_plate,
                                            &thud_kind_half_plane,  &thud_kind_solid,    &thud_kind_bodies};
const size_t thud_kind_count = sizeof thud_kind_table / sizeof *thud_kind_table;
