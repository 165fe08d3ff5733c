/* What the methods cost, in units of about a nanosecond of one core (measured once, on generated problems of 10 to 1000
 * contacts; docs/methods/auto.md has the table). Only ratios count: the contest compares work with work. Nothing is
 * timed at run time, so that the same problem goes through the same methods on every machine. */
#include "solve/auto.h"
#include "contact/discs.h"
#include "solve/newton.h"

#include <math.h>
#include <string.h>

/* What the estimates look at. */
typedef struct sizes {
  double contacts, d, rows, unknowns; /* unknowns: impulses and bilateral rows */
  double dof;                         /* of a global problem whose M is not that of bodies, else 0 */
  double entries;                     /* of W, and of V and R where they are known */
  bool two_block, planar, in_bodies;  /* in_bodies: factorisations are those of bodies */
  bool full, dense;                   /* W has few zeros; Newton factorises a full matrix, be it small or full */
} sizes;

/* One contact by itself in a sweep. */
static double contact_work(const thud_disc_layout *layout) {
  if (layout->count == 0) return 8;
  if (layout->count > 1) return 25.0 * (double)layout->dimension * (double)layout->dimension;
  return thud_disc_layout_is_plane(layout) ? 14 : 25;
}

/* Entries of [W V; V' R]: rows that share a body see each other. */
static double count_two_block(const thud_contact_problem *problem, thud_auto *state) {
  const thud_two_block *two = &problem->two_block;
  size_t bodies = (size_t)two->bodies;
  if (bodies > 0) memset(state->degree, 0, bodies * sizeof *state->degree);
  for (thud_index c = 0; c < problem->contacts; c++) {
    state->degree[two->body_a[c]] += problem->dimension;
    if (two->body_b[c] >= 0) state->degree[two->body_b[c]] += problem->dimension;
  }
  for (thud_index j = 0; j < two->joints; j++) {
    thud_index rows = two->joint_start[j + 1] - two->joint_start[j];
    state->degree[two->joint_a[j]] += rows;
    if (two->joint_b[j] >= 0) state->degree[two->joint_b[j]] += rows;
  }
  double n = (double)thud_contact_size(problem) + (double)problem->bilateral, entries = 0;
  for (size_t b = 0; b < bodies; b++) entries += (double)state->degree[b] * (double)state->degree[b];
  return fmin(fmax(entries, n), n * n);
}

static double count_local(const thud_contact_problem *problem) {
  const thud_matrix *W = &problem->W;
  double d = (double)problem->dimension, contacts = (double)problem->contacts;
  if (problem->contacts == 0) return 0;
  if (W->storage == THUD_MATRIX_BLOCKS) return (double)W->blocks.row_start[problem->contacts];
  if (W->storage == THUD_MATRIX_SPARSE) return (double)W->sparse.column_start[W->sparse.columns] / (d * d);
  return W->storage == THUD_MATRIX_OPERATOR ? contacts : contacts * contacts;
}

static sizes measure(const thud_contact_problem *problem, thud_auto *state) {
  sizes s = {.contacts = (double)problem->contacts,
             .d = (double)problem->dimension,
             .rows = (double)problem->bilateral,
             .two_block = problem->form == THUD_FORM_TWO_BLOCK,
             .in_bodies = state->in_bodies};
  s.unknowns = s.contacts * s.d + s.rows;
  s.planar = thud_disc_layout_of(problem->dimension, problem->friction)->width[0] < 2;
  double all = s.unknowns * s.unknowns;
  s.entries = all;
  if (s.two_block)
    s.entries = count_two_block(problem, state);
  else if (problem->form == THUD_FORM_GLOBAL)
    s.dof = (double)thud_contact_ndof(problem);
  else
    s.entries = s.d * s.d * count_local(state->local);
  s.full = s.entries > THUD_NEWTON_SPARSE_SHARE * all;
  s.dense = s.unknowns <= THUD_NEWTON_SPARSE_FROM || (s.full && s.unknowns <= THUD_NEWTON_DENSE_MAX);
  return s;
}

/* ---- one iteration ------------------------------------------------------------------------------------------------ */

static double sweep_work(const sizes *s, const thud_disc_layout *layout) {
  double body = thud_disc_layout_is_space(layout) ? 2.5 : 8.3; /* contacts in space go four at a time */
  if (s->two_block) return s->contacts * (contact_work(layout) + body * s->d) + 32 * s->rows;
  return s->contacts * contact_work(layout) + 0.32 * s->entries + 4 * s->rows;
}

/* With the products of W, and of bodies without forming it. */
static double gradient_work(const sizes *s) { return s->contacts * 9 * s->d + 0.17 * s->entries + 30 * s->rows; }
static double body_gradient_work(const sizes *s) { return s->contacts * 16 * s->d + 18 * s->rows; }

/* In the space of bodies; what fills is not known beforehand (piles of 100 and 1000 discs and balls). */
static double body_newton_work(const sizes *s) {
  double known = s->planar ? 180 : 245, growth = s->planar ? 0.3 : 1.1;
  return (s->planar ? 400 : 940) * s->contacts * pow(fmax(1, s->contacts / known), growth);
}

/* Dense: building and factorising a full matrix. Sparse: the fill is not known beforehand, entries of W stand for it. */
static double newton_work(const sizes *s) {
  if (s->in_bodies) return body_newton_work(s);
  double n = s->unknowns;
  return s->dense ? 4 * n * n + n * n * n / 300 : 700 * n + 30 * s->entries;
}

static double local_interior_work(const sizes *s) {
  double n = s->unknowns, fill = s->planar ? 1 : pow(fmax(1, n / 500), 0.75);
  if (s->dof > 0) return 600 * (n + s->dof);
  return fmin(12 * n * n + n * n * n / 25, 300 * n + 45 * s->entries * fill);
}

static double interior_work(const sizes *s) {
  return s->in_bodies ? 1.4 * body_newton_work(s) : local_interior_work(s);
}

/* ---- all methods -------------------------------------------------------------------------------------------------- */

/* Forming W where the problem came without it. */
static double forming_work(const sizes *s) {
  if (s->dof > 0) return 25 * s->unknowns * s->dof;
  return s->two_block ? 9 * s->entries : 0;
}

/* Iterations that a method usually takes: so many, and so many more with the decades of the tolerance. */
static double usual_steps(thud_auto_family family, const sizes *s, double decades) {
  switch (family) {
  case THUD_AUTO_ANDERSON: return 42; /* its first turn: how many it takes shows only by and by */
  case THUD_AUTO_NEWTON: return (s->full ? 6 : s->dense ? 18 : 13) + 0.75 * decades;
  case THUD_AUTO_FISCHER_BURMEISTER: return 47;
  case THUD_AUTO_INTERIOR_POINT: return 7 + decades;
  case THUD_AUTO_PROXIMAL_POINT: return 80;
  case THUD_AUTO_ACCELERATED: return 32 * pow(decades, 1.5);
  case THUD_AUTO_ADMM: return 83 * pow(decades, 1.5);
  case THUD_AUTO_EXTRAGRADIENT: return 200 * pow(decades, 1.5);
  case THUD_AUTO_NEWTON_KRYLOV: return 30 + 5 * decades;
  default: return 0.6 * s->contacts * (s->d > 1 ? 4 : 1);
  }
}

static bool forms_nothing(thud_auto_family family, const sizes *s) {
  return s->in_bodies && (family == THUD_AUTO_NEWTON || family == THUD_AUTO_FISCHER_BURMEISTER ||
                          family == THUD_AUTO_PROXIMAL_POINT || family == THUD_AUTO_INTERIOR_POINT);
}

static thud_auto_cost cost_of(thud_auto_family family, const sizes *s, const thud_disc_layout *layout) {
  double forming = forms_nothing(family, s) ? 0 : forming_work(s), n = s->unknowns,
         pivots = s->contacts * (s->d > 1 ? 4 : 1);
  double reduced = s->dof > 0 ? forming : 0; /* what methods on bodies pay, too */
  double gradient = s->two_block ? body_gradient_work(s) : gradient_work(s);
  switch (family) {
  case THUD_AUTO_ANDERSON: return (thud_auto_cost){reduced, 1.5 * sweep_work(s, layout), 0};
  case THUD_AUTO_NEWTON: return (thud_auto_cost){forming, newton_work(s), 0};
  case THUD_AUTO_FISCHER_BURMEISTER: return (thud_auto_cost){forming, 1.5 * newton_work(s), 0};
  case THUD_AUTO_PROXIMAL_POINT: return (thud_auto_cost){forming, 1.1 * newton_work(s), 0};
  case THUD_AUTO_INTERIOR_POINT:
    if (s->dof > 0) return (thud_auto_cost){interior_work(s), interior_work(s), 0};
    return (thud_auto_cost){forming + 2.5 * interior_work(s), interior_work(s), 0};
  case THUD_AUTO_ADMM:
    if (s->dof > 0) return (thud_auto_cost){interior_work(s), 20 * (n + s->dof), 0};
    return (thud_auto_cost){forming + 2.5 * local_interior_work(s), 2.2 * gradient_work(s), 0};
  case THUD_AUTO_ACCELERATED: return (thud_auto_cost){reduced + 8 * gradient, gradient, 0};
  case THUD_AUTO_EXTRAGRADIENT: return (thud_auto_cost){reduced + 8 * gradient, 2 * gradient, 0};
  case THUD_AUTO_NEWTON_KRYLOV: return (thud_auto_cost){reduced + 8 * gradient, 40 * gradient, 0};
  default: return (thud_auto_cost){forming, pivots * pivots, 0};
  }
}

/* What an iteration costs however small the problem is. */
static double overhead_of(thud_auto_family family) {
  switch (family) {
  case THUD_AUTO_ANDERSON: return 300;
  case THUD_AUTO_ACCELERATED: return 130;
  case THUD_AUTO_ADMM:
  case THUD_AUTO_EXTRAGRADIENT: return 250;
  default: return 800;
  }
}

/* Decades of the tolerance, within what the counts above were taken from. */
static double decades_of(double tolerance) { return fmin(fmax(-log10(tolerance), 1), 12); }

void thud_auto_estimate(const thud_solver *solver, thud_auto *state) {
  const thud_contact_problem *problem = solver->inner;
  const thud_disc_layout *layout = thud_disc_layout_of(problem->dimension, problem->friction);
  sizes s = measure(problem, state);
  for (int k = 0; k < THUD_AUTO_FAMILIES; k++) {
    thud_auto_cost *cost = &state->contenders[k].cost;
    *cost = cost_of((thud_auto_family)k, &s, layout);
    cost->step += overhead_of((thud_auto_family)k);
    cost->usual = usual_steps((thud_auto_family)k, &s, decades_of(solver->options.tolerance));
  }
}
