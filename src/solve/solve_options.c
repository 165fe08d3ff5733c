#include "solve/method.h"

#include <float.h>
#include <math.h>

static const char *const local_solvers[] = {"exact", "newton", "projection", NULL};
static const char *const orders[] = {"colours", "given", "symmetric", NULL};

#define FIELD(name) offsetof(thud_solver_options, name)

static const thud_option_key keys[] = {
    {"tolerance", THUD_OPTION_REAL, FIELD(tolerance), 1e-8, 0, INFINITY, true, NULL, "1",
     "largest residual of an answer that counts as solved"},
    {"max_iterations", THUD_OPTION_INT, FIELD(max_iterations), 10000, 0, INFINITY, false, NULL, "1",
     "most sweeps, pivots or Newton steps of one problem: what the method counts"},
    {"max_seconds", THUD_OPTION_REAL, FIELD(max_seconds), 0, 0, INFINITY, false, NULL, "s",
     "wall-clock limit of one problem; 0: none; a stop by it is not reproducible"},
    {"check_every", THUD_OPTION_INT, FIELD(check_every), 10, 1, INFINITY, false, NULL, "1",
     "iterations between two tests of the full residual"},
    {"relaxation", THUD_OPTION_REAL, FIELD(relaxation), 1, 0, 2 - DBL_EPSILON, true, NULL, "1",
     "over-relaxation of sweeps (gauss-seidel, anderson, auto); 1: none"},
    {"local_solver", THUD_OPTION_CHOICE, FIELD(local_solver), 0, 0, 0, false, local_solvers, "",
     "one-contact solver of sweeps (gauss-seidel, anderson, auto)"},
    {"order", THUD_OPTION_CHOICE, FIELD(order), 0, 0, 0, false, orders, "",
     "order of visits: by colours (runs on threads), as given, or forth and back"},
    {"plain", THUD_OPTION_BOOL, FIELD(plain), 0, 0, 1, false, NULL, "1",
     "without vector instructions of the processor: slower, the same bits"},
};

static const thud_option_table table = {
    .name = "solver", .struct_size = sizeof(thud_solver_options), .keys = keys, .count = sizeof keys / sizeof *keys};

const thud_option_table *thud_solver_option_table(void) { return &table; }

const char *thud_solver_status_name(thud_solver_status status) {
  switch (status) {
  case THUD_SOLVED: return "solved";
  case THUD_SOLVER_STALLED: return "stalled";
  case THUD_SOLVER_LIMIT: return "iteration limit";
  case THUD_SOLVER_TIME: return "time limit";
  case THUD_SOLVER_INFEASIBLE: return "infeasible";
  case THUD_SOLVER_BREAKDOWN: return "breakdown";
  case THUD_SOLVER_INTERRUPTED: return "interrupted";
  }
  return "unknown";
}
