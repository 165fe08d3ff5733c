/* All solutions of the rate problem and of the static problem in one place.
 *
 * Both are K u = f + r with a law per contact. What a contact may do depends on its standing:
 *   apart     gap > 0                 open
 *   touching  gap = 0, r = 0          open, stick, slip either way (rates obey Signorini and Coulomb themselves)
 *   stuck     r inside the cone       stick
 *   limit     r on the cone, r_N > 0  stick (the rate of r points into the cone) or slip (r stays on it)
 * For the static problem from a state before, every contact may do everything. */
#ifndef THUD_SRC_MOTIONS_QUASISTATIC_QUASISTATIC_SOLUTIONS_H
#define THUD_SRC_MOTIONS_QUASISTATIC_QUASISTATIC_SOLUTIONS_H

#include "motions/quasistatic/quasistatic_modes.h"

typedef enum elastic_standing {
  STANDING_APART = 0,
  STANDING_TOUCHING = 1,
  STANDING_STUCK = 2,
  STANDING_LIMIT = 3,     /* in the plane: r_T = mu r_N */
  STANDING_LIMIT_BACK = 4 /* in the plane: r_T = -mu r_N */
} elastic_standing;

/* What is looked for. */
typedef struct elastic_question {
  bool rates;                       /* standing decides; else all modes, friction on u_T - before_T */
  const elastic_standing *standing; /* [c] of rates */
  const double *f;                  /* [m] load, or its rate */
  const double *before;             /* [m] u before; of rates: u now */
  const double *r;                  /* [m] reactions now (the direction of slip in space) */
  double tolerance;                 /* relative */
  thud_index most;                  /* contacts with a choice that are enumerated */
  int starts;                       /* thud_solutions_find_one: modes to begin with; 0: as many as it takes */
  double free;                      /* largest component of W f, what the load causes by itself; set by the search */
} elastic_question;

/* A list of solutions without repeats. */
typedef struct elastic_solutions {
  const elastic_structure *structure;
  size_t count, capacity, capacity_modes, capacity_figures;
  double *values;           /* [count][2m] u, r */
  thud_elastic_mode *modes; /* [count][c] */
  double *figures;          /* [count][4] continuum (1), energy, friction, release */
  thud_quasistatic_count found;
  bool mechanism; /* thud_solutions_find_one: a motion that the contacts allow and nothing resists was met instead */
} elastic_solutions;

void thud_solutions_clear(elastic_solutions *list);
void thud_solutions_destroy(elastic_solutions *list);
thud_quasistatic_solution thud_solutions_at(const elastic_solutions *list, size_t k);
/* Adds (u, r) unless it is there. */
thud_error thud_solutions_add(elastic_solutions *list, const elastic_question *question, const double *u,
                              const double *r, const thud_elastic_mode *modes, bool continuum);
/* Energies, losses and releases of static solutions, on the way from (u, r)[m] under the load f. */
void thud_solutions_weigh(elastic_solutions *list, const double *f, const double *u);

/* Empties the list and fills it. THUD_ERROR_UNSUPPORTED: several contacts in space, or dependent rows of contacts. */
thud_error thud_solutions_find(const elastic_question *question, mode_system *system, elastic_solutions *list);
/* Empties the list and fills it with one solution at most, from modes[c] by exchanging the modes of contacts whose
 * inequalities fail (block pivoting, and one contact at a time where that goes in circles): as many as there are contacts
 * with a choice. That none is found does not mean that there is none. */
thud_error thud_solutions_find_one(const elastic_question *question, mode_system *system,
                                   const thud_elastic_mode *modes, elastic_solutions *list);
/* One contact in space. */
thud_error thud_solutions_find_in_space(const elastic_question *question, elastic_solutions *list);

/* Largest component of u with gaps, of r with loads: what tolerances are relative to. */
typedef struct elastic_scales {
  double u, r;
} elastic_scales;
elastic_scales thud_solutions_scales(const elastic_structure *structure, const elastic_question *question,
                                     const double *u, const double *r);

#endif
