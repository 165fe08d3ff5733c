/* Semismooth Newton on the function of Fischer and Burmeister on the second-order cone (newton_fischer_burmeister.c),
 * by the steps, the linear system and the sweeps of `newton`. */
#include "solve/newton.h"

static thud_error create(thud_solver *solver) {
  return thud_newton_method_create(solver, &thud_newton_fischer_burmeister);
}

const struct thud_solver_method thud_method_fischer_burmeister = {
    .name = "fischer-burmeister",
    .summary = "semismooth Newton on the function of Fischer and Burmeister on the cones, otherwise as newton",
    .create = create,
    .solve = thud_newton_method_solve,
    THUD_NEWTON_ROW,
};
