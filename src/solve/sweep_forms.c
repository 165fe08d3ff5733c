/* The sweep of whichever form a solver's problem has. */
#include "solve/sweep.h"

thud_error thud_form_sweep_create(thud_solver *solver, thud_form_sweep *sweep) {
  *sweep = (thud_form_sweep){.shares_local = solver->inner->form == THUD_FORM_LOCAL && solver->sweep != NULL};
  if (solver->inner->form == THUD_FORM_TWO_BLOCK)
    return thud_two_block_sweep_create(solver->context, solver->inner, &sweep->two_block);
  return sweep->shares_local ? THUD_OK : thud_local_sweep_create(solver->context, solver->inner, &sweep->local);
}

thud_error thud_form_sweep_update(thud_solver *solver, thud_form_sweep *sweep) {
  if (sweep->two_block != NULL) {
    thud_two_block_choice choice = {.local_solver = (thud_local_solver)solver->options.local_solver,
                                    .plain = solver->options.plain,
                                    .momentum = sweep->momentum};
    thud_two_block_sweep_choose(sweep->two_block, &choice);
    return thud_two_block_sweep_update(sweep->two_block, solver->inner, solver->options.order != 1);
  }
  if (!sweep->shares_local) return thud_local_sweep_update(sweep->local, solver->inner);
  sweep->local = solver->sweep;
  return THUD_OK;
}

void thud_form_sweep_destroy(thud_form_sweep *sweep) {
  if (!sweep->shares_local) thud_local_sweep_destroy(sweep->local);
  thud_two_block_sweep_destroy(sweep->two_block);
}

void thud_form_sweep_blame(thud_solver *solver, const thud_sweep_result *last) {
  if (last->unsolvable < 0 || solver->status == THUD_SOLVED) return;
  thud_solver_break_down(solver, "contact %d by itself was not solved: no impulse found there stops the approach",
                         (int)last->unsolvable);
}
