/* The implicit scheme: B u+ = M u - h K q + h p + P, B = M + h V + h^2 K, q+ = q + h u+. */
#include "sim/line/line.h"

#include <math.h>
#include <string.h>

typedef struct implicit_scheme {
  double h;
  double *inverse; /* [n*n] B^-1 */
  bool diagonal;
  double *old_q;     /* [n] */
  double *stiffness; /* [n] K q+ */
} implicit_scheme;

static thud_error scheme_create(line_motion *motion, implicit_scheme *scheme) {
  thud_index n = motion->n;
  size_t entries = (size_t)n * (size_t)n;
  const thud_line *line = motion->line;
  thud_context *context = motion->context;
  double h = scheme->h, *B = THUD_NEW_ARRAY(context, double, entries);
  scheme->inverse = THUD_NEW_ARRAY(context, double, entries);
  scheme->old_q = THUD_NEW_ARRAY(context, double, n);
  scheme->stiffness = THUD_NEW_ARRAY(context, double, n);
  thud_error error = THUD_OK;
  if (B == NULL || scheme->inverse == NULL || scheme->old_q == NULL || scheme->stiffness == NULL) {
    error = THUD_ERROR_MEMORY;
  } else {
    scheme->diagonal = true;
    for (thud_index k = 0; k < n * n; k++) {
      bool on_diagonal = k / n == k % n;
      B[k] = thud_line_mass(line)[k] + h * thud_line_viscosity(line)[k] + h * h * thud_line_stiffness(line)[k];
      scheme->diagonal = scheme->diagonal && (on_diagonal || B[k] == 0);
      scheme->inverse[k] = on_diagonal ? 1 : 0;
    }
    error = thud_dense_solve(context, n, B, n, scheme->inverse);
  }
  thud_free(context, B);
  return error;
}

static void scheme_free(line_motion *motion, implicit_scheme *scheme) {
  thud_free(motion->context, scheme->inverse);
  thud_free(motion->context, scheme->old_q);
  thud_free(motion->context, scheme->stiffness);
}

/* Largest impulses of friction over ]t - h, t]: h gamma N(t) and the atoms. */
static bool step_bounds(line_motion *motion, double h, double t) {
  bool atoms = false;
  for (thud_index i = 0; i < motion->n; i++)
    motion->bound[i] = h * thud_line_friction(motion->line)[i] * motion->values[i];
  for (; motion->next_atom < thud_line_percussion_count(motion->line); motion->next_atom++) {
    thud_line_percussion atom = thud_line_get_percussion(motion->line, motion->next_atom);
    if (atom.t > t) break;
    for (thud_index i = 0; i < motion->n; i++) motion->bound[i] += atom.bound[i];
    atoms = true;
  }
  return atoms;
}

static double half_square(const line_motion *motion, bool of_mass, const double *a, const double *b) {
  for (thud_index i = 0; i < motion->n; i++) motion->scratch[i] = a[i] - b[i];
  return of_mass ? thud_line_kinetic_energy(motion->line, motion->scratch)
                 : thud_line_potential_energy(motion->line, motion->scratch);
}

static void add_step(line_motion *motion, const implicit_scheme *scheme, double before) {
  thud_index n = motion->n;
  const double *p = motion->values + n, *w = motion->values + (ptrdiff_t)2 * n, h = scheme->h;
  line_energies e = {.scheme = half_square(motion, true, motion->v, motion->v_left) +
                               half_square(motion, false, motion->q, scheme->old_q)};
  line_multiply(n, thud_line_viscosity(motion->line), motion->v, motion->scratch, NULL);
  for (thud_index i = 0; i < n; i++) {
    e.work += h * p[i] * motion->v[i] + motion->reaction[i] * w[i];
    e.friction += motion->bound[i] * fabs(motion->v[i] - w[i]);
    e.viscous += h * motion->v[i] * motion->scratch[i];
  }
  line_account(motion, before, &e, motion->q, motion->v, &motion->info.ledger);
}

static thud_error take_step(line_motion *motion, implicit_scheme *scheme) {
  thud_index n = motion->n;
  double h = scheme->h, before = motion->info.ledger.kinetic + motion->info.ledger.potential;
  const double *p = motion->values + n, *w = motion->values + (ptrdiff_t)2 * n;
  memcpy(motion->v_left, motion->v, (size_t)n * sizeof(double));
  memcpy(scheme->old_q, motion->q, (size_t)n * sizeof(double));
  line_multiply(n, thud_line_mass(motion->line), motion->v, motion->scratch, NULL);
  line_multiply(n, thud_line_stiffness(motion->line), motion->q, scheme->stiffness, NULL);
  for (thud_index i = 0; i < n; i++) motion->scratch[i] += h * (p[i] - scheme->stiffness[i]);
  line_multiply(n, scheme->inverse, motion->scratch, motion->sizes, NULL); /* the velocity without friction */
  for (thud_index i = 0; i < n; i++) {
    motion->upper[i] = motion->bound[i];
    motion->lower[i] = -motion->bound[i];
    motion->rhs[i] = w[i] - motion->sizes[i];
  }
  thud_error error = line_solve_box(motion, scheme->inverse, scheme->diagonal);
  if (error != THUD_OK) return error;
  line_multiply(n, scheme->inverse, motion->x, motion->scratch, NULL);
  for (thud_index i = 0; i < n; i++) {
    motion->v[i] = motion->side[i] == 0 ? w[i] : motion->sizes[i] + motion->scratch[i];
    motion->q[i] += h * motion->v[i];
    motion->reaction[i] = motion->x[i];
    motion->modes[i] = (int8_t)((motion->v[i] > w[i]) - (motion->v[i] < w[i]));
    motion->involved[i] = true;
  }
  add_step(motion, scheme, before);
  return THUD_OK;
}

/* The initial node, and the atom there. */
static thud_error begin(line_motion *motion) {
  for (thud_index i = 0; i < motion->n; i++) motion->involved[i] = true;
  line_read_values(motion, motion->t);
  thud_error error = line_hand_out(motion, motion->t, THUD_LINE_PLAIN, false, motion->q, motion->v_left, motion->v);
  if (error != THUD_OK || motion->info.status != THUD_LINE_COMPLETED) return error;
  if (motion->next_atom >= thud_line_percussion_count(motion->line)) return THUD_OK;
  thud_line_percussion atom = thud_line_get_percussion(motion->line, 0);
  if (atom.t > motion->t) return THUD_OK;
  motion->next_atom++;
  error = line_strike(motion, &atom, motion->values + (ptrdiff_t)2 * motion->n);
  return error == THUD_OK
             ? line_hand_out(motion, motion->t, THUD_LINE_PERCUSSION, true, motion->q, motion->v_left, motion->v)
             : error;
}

thud_error line_run_implicit(line_motion *motion) {
  double start = thud_line_start(motion->line), end = thud_line_end(motion->line);
  int steps = motion->options->steps;
  implicit_scheme scheme = {.h = (end - start) / steps};
  thud_error error = scheme_create(motion, &scheme);
  if (error == THUD_OK) error = begin(motion);
  for (int k = 1; k <= steps && error == THUD_OK && motion->info.status == THUD_LINE_COMPLETED; k++) {
    double t = k < steps ? start + (end - start) * k / steps : end;
    line_read_values(motion, t);
    if (motion->info.status != THUD_LINE_COMPLETED) break;
    bool atoms = step_bounds(motion, scheme.h, t);
    error = take_step(motion, &scheme);
    motion->t = t;
    motion->info.steps++;
    if (error == THUD_OK)
      error = line_hand_out(motion, t, atoms ? THUD_LINE_PERCUSSION : THUD_LINE_PLAIN, atoms, motion->q, motion->v_left,
                            motion->v);
  }
  scheme_free(motion, &scheme);
  return error;
}
