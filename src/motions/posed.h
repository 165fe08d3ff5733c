/* The numbers of a system's functions in one velocity problem, kept for whoever cannot evaluate the functions. */
#ifndef THUD_SRC_MOTIONS_POSED_H
#define THUD_SRC_MOTIONS_POSED_H

#include "thud/stepping.h"

/* Numbers that are kept in all. */
size_t thud_sim_posed_count(const thud_system *system);
/* Lets the arrays lie one after the other in block[thud_sim_posed_count]. */
void thud_sim_posed_place(const thud_system *system, double *block, thud_posed *posed);
/* Copies the numbers of a velocity problem of length `step`; rows that do not act become 0. impulse and applied [n] may
 * be NULL: 0. */
void thud_sim_posed_take(const thud_system *system, const thud_system_values *values, const bool *acting, double step,
                         const double *impulse, const double *applied, thud_posed *posed);
/* The mass where energies are booked. */
void thud_sim_posed_take_node(const thud_system *system, const thud_system_values *values, thud_posed *posed);

#endif
