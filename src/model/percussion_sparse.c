/* Velocity problems of sparse values. Without friction W is not formed here: impulses go through M^-1 (row_solver.h),
 * and equations stay rows of the problem; with friction percussion_friction.c forms it as a sparse matrix. v_free is moved
 * onto the equations first, so that u_free means the same as with full matrices. Rows of the solver are those of the
 * system: its constraints. */
#include "model/percussion_friction.h"
#include "solve/row_solver.h"

#include <math.h>
#include <string.h>

struct thud_percussion_sparse {
  thud_row_solver *solver;
  thud_row_kind *kind;                /* [m] */
  thud_index *number;                 /* [m] row of the velocity problem, -1: none */
  double *load, *z, *u;               /* [m] */
  double *l_free;                     /* [m] impulses of the equations that move v_free onto them */
  double *dv_free;                    /* [n] what they do to the velocity */
  double *dv;                         /* [n] what the answer does */
  double *diagonal;                   /* [row_capacity] of W */
  double *sizes;                      /* [row_capacity] */
  thud_percussion_friction *friction; /* NULL: there are no laws */
  bool has_friction;                  /* some law acts in the problem at hand */
};

/* ---- life -------------------------------------------------------------------------------------------------------- */

const char *thud_percussion_not_sparse(const thud_system *system, const thud_percussion_options *options) {
  const char *dense = thud_percussion_dense_laws(system);
  if (dense != NULL) return dense;
  if (options->method != NULL) return "a solver's method by name";
  return options->law != THUD_IMPACT_NEWTON && options->law != THUD_IMPACT_CANONICAL
             ? "an impact law other than newton and canonical"
             : NULL;
}

static thud_error allocate_sparse_rows(thud_percussion *p) {
  thud_percussion_sparse *made = p->sparse;
  thud_context *c = p->context;
  made->kind = THUD_NEW_ARRAY(c, thud_row_kind, p->m);
  made->number = THUD_NEW_ARRAY(c, thud_index, p->m);
  made->load = THUD_NEW_ARRAY(c, double, p->m);
  made->z = THUD_NEW_ARRAY(c, double, p->m);
  made->u = THUD_NEW_ARRAY(c, double, p->m);
  made->l_free = THUD_NEW_ARRAY(c, double, p->m);
  made->dv_free = THUD_NEW_ARRAY(c, double, p->n);
  made->dv = THUD_NEW_ARRAY(c, double, p->n);
  made->diagonal = THUD_NEW_ARRAY(c, double, p->row_capacity);
  made->sizes = THUD_NEW_ARRAY(c, double, p->row_capacity);
  bool done = made->kind != NULL && made->number != NULL && made->load != NULL && made->z != NULL && made->u != NULL &&
              made->l_free != NULL && made->dv_free != NULL && made->dv != NULL && made->diagonal != NULL &&
              made->sizes != NULL;
  return done ? THUD_OK : THUD_ERROR_MEMORY;
}

thud_error thud_percussion_create_sparse(thud_context *context, const thud_system *system,
                                         const thud_percussion_options *options, const thud_system_values *values,
                                         thud_percussion **percussion) {
  const char *wrong = thud_percussion_not_sparse(system, options);
  if (wrong != NULL)
    return thud_fail(context, THUD_ERROR_UNSUPPORTED, "velocity problem: sparse values do not go with %s", wrong);
  thud_percussion *p = NULL;
  thud_error error = thud_percussion_begin(context, system, true, options, &p);
  if (error != THUD_OK) return error;
  p->problem.laws = p->sets;
  p->problem.blocks = p->blocks;
  p->problem.load = p->load;
  p->problem.u_free = p->u_free;
  p->problem.u_minus = p->u_minus;
  p->problem.rate = p->rate;
  p->problem.restitution = p->restitution;
  p->sparse = THUD_NEW(context, thud_percussion_sparse);
  error = p->sparse != NULL ? allocate_sparse_rows(p) : THUD_ERROR_MEMORY;
  if (error == THUD_OK) {
    const thud_row_list *gradient = &values->sparse->gradient;
    static const thud_index none = 0;
    thud_row_matrix rows = {p->m, p->m > 0 ? gradient->start : &none, gradient->column};
    p->problem.diagonal = p->sparse->diagonal;
    error = thud_row_solver_create(context, values->sparse->mass, &rows, &p->sparse->solver);
    if (error == THUD_OK && p->has_laws) error = thud_percussion_friction_create(p, values, &p->sparse->friction);
  }
  if (error != THUD_OK) {
    thud_percussion_destroy(p);
    return error;
  }
  *percussion = p;
  return THUD_OK;
}

void thud_percussion_destroy_sparse(thud_percussion *p) {
  thud_percussion_sparse *sparse = p->sparse;
  if (sparse == NULL) return;
  thud_row_solver_destroy(sparse->solver);
  thud_percussion_friction_destroy(p->context, sparse->friction);
  void *parts[] = {sparse->kind,   sparse->number,  sparse->load, sparse->z,        sparse->u,
                   sparse->l_free, sparse->dv_free, sparse->dv,   sparse->diagonal, sparse->sizes};
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) thud_free(p->context, parts[k]);
  thud_free(p->context, sparse);
}

/* ---- the problem ------------------------------------------------------------------------------------------------- */

/* The smallest change of v_free that satisfies the equations. */
static thud_error reach_equations(thud_percussion *p, const thud_velocity_data *data) {
  thud_percussion_sparse *sparse = p->sparse;
  memset(sparse->dv_free, 0, (size_t)p->n * sizeof(double));
  memset(sparse->l_free, 0, (size_t)p->m * sizeof(double));
  if (p->problem.equations.count == 0) return THUD_OK;
  for (thud_index i = 0; i < p->m; i++) {
    sparse->kind[i] = THUD_ROW_ABSENT;
    sparse->load[i] = 0;
  }
  for (thud_index b = 0; b < p->problem.equations.count; b++) {
    thud_index i = p->bilateral_constraint[b];
    sparse->kind[i] = THUD_ROW_EQUATION;
    sparse->load[i] = thud_row_dot(thud_gradient_row(data->values, p->n, i), data->v_free) + data->values->rate[i];
    if (!isfinite(sparse->load[i]))
      return thud_fail(p->context, THUD_ERROR_NOT_FINITE, "velocity problem: the data of an equation are not finite");
  }
  bool dependent;
  thud_solver_status status;
  thud_error error =
      thud_row_solver_solve(sparse->solver, sparse->kind, sparse->load, sparse->l_free, &dependent, &status);
  if (error != THUD_OK) return thud_fail_within(p->context, error, "velocity problem: equations");
  p->set_valued = p->set_valued || dependent;
  thud_row_solver_motion(sparse->solver, sparse->l_free, sparse->dv_free);
  return THUD_OK;
}

/* Which rows of the solver belong to the problem. */
static void number_rows(thud_percussion *p) {
  thud_percussion_sparse *sparse = p->sparse;
  for (thud_index i = 0; i < p->m; i++) {
    bool equation = p->kind[i] == THUD_CONSTRAINT_BILATERAL || p->kind[i] == THUD_CONSTRAINT_VELOCITY;
    sparse->kind[i] = equation ? THUD_ROW_EQUATION : THUD_ROW_ABSENT;
    sparse->number[i] = -1;
  }
  for (thud_index b = 0; b < p->problem.block_count; b++) {
    thud_index i = p->blocks[b].constraint;
    if (!p->blocks[b].has_normal) continue; /* friction by itself */
    sparse->kind[i] = THUD_ROW_ONE_SIDED;
    sparse->number[i] = p->blocks[b].first;
    sparse->diagonal[p->blocks[b].first] = thud_row_solver_diagonal(sparse->solver)[i];
  }
}

thud_error thud_percussion_fill_sparse(thud_percussion *p, const thud_velocity_data *data) {
  thud_percussion_sparse *sparse = p->sparse;
  const double *v_minus = data->v_minus;
  thud_row_solver_update(sparse->solver, data->values->sparse->mass, data->values->sparse->gradient.value);
  thud_error error = reach_equations(p, data);
  if (error != THUD_OK) return error;
  number_rows(p);
  sparse->has_friction = false;
  for (thud_index b = 0; b < p->problem.block_count; b++)
    sparse->has_friction = sparse->has_friction || p->blocks[b].law >= 0;
  if (sparse->has_friction) error = thud_percussion_friction_fill(sparse->friction, p, data, sparse->diagonal);
  if (error != THUD_OK) return error;
  for (thud_index i = 0; i < p->problem.rows; i++) {
    thud_row a = p->source[i];
    double u = thud_row_dot(a, data->v_free) + p->rate[i];
    p->problem.magnitude = thud_larger(p->problem.magnitude, fabs(p->rate[i]) + thud_row_size(a, data->v_free));
    p->u_minus[i] = v_minus == data->v_free ? u : thud_row_dot(a, v_minus) + p->rate[i];
    p->u_free[i] = p->problem.equations.count > 0 ? u + thud_row_dot(a, sparse->dv_free) : u;
  }
  return thud_percussion_check_finite(p);
}

/* Without a warm start: the normal impulses of the problem without friction. */
static thud_error begin_friction(thud_percussion *p) {
  thud_percussion_sparse *sparse = p->sparse;
  for (thud_index i = 0; i < p->problem.rows; i++)
    if (p->r[i] != 0) return THUD_OK;
  for (thud_index i = 0; i < p->m; i++) {
    sparse->load[i] = sparse->number[i] >= 0 ? p->load[sparse->number[i]] : 0;
    sparse->z[i] = 0;
  }
  bool dependent;
  thud_solver_status ignored;
  thud_error error = thud_row_solver_solve(sparse->solver, sparse->kind, sparse->load, sparse->z, &dependent, &ignored);
  if (error != THUD_OK) return thud_fail_within(p->context, error, "velocity problem");
  for (thud_index i = 0; i < p->m; i++)
    if (sparse->number[i] >= 0) p->r[sparse->number[i]] = sparse->z[i];
  for (thud_index b = 0; b < p->problem.equations.count; b++) p->l[b] = sparse->z[p->bilateral_constraint[b]];
  return THUD_OK;
}

static thud_error solve_friction(thud_percussion *p, thud_solver_status *status) {
  thud_percussion_sparse *sparse = p->sparse;
  for (thud_index b = 0; b < p->problem.equations.count; b++) p->l[b] = 0;
  thud_error error = begin_friction(p);
  if (error == THUD_OK) error = thud_percussion_friction_solve(sparse->friction, p, p->l, sparse->dv, status);
  if (error != THUD_OK) return error;
  thud_percussion_friction_sizes(sparse->friction, p, p->l, sparse->sizes);
  for (thud_index b = 0; b < p->problem.equations.count; b++) p->l[b] += sparse->l_free[p->bilateral_constraint[b]];
  return THUD_OK;
}

thud_error thud_percussion_solve_sparse(thud_percussion *p, thud_solver_status *status) {
  thud_percussion_sparse *sparse = p->sparse;
  bool dependent;
  if (sparse->has_friction) return solve_friction(p, status);
  for (thud_index i = 0; i < p->m; i++) {
    thud_index row = sparse->number[i];
    sparse->load[i] = row >= 0 ? p->load[row] : 0;
    sparse->z[i] = row >= 0 ? p->r[row] : 0;
  }
  p->solved_by = "rows";
  thud_error error = thud_row_solver_solve(sparse->solver, sparse->kind, sparse->load, sparse->z, &dependent, status);
  if (error != THUD_OK) return thud_fail_within(p->context, error, "velocity problem");
  p->set_valued = p->set_valued || dependent;
  thud_row_solver_motion(sparse->solver, sparse->z, sparse->dv);
  thud_row_solver_rows(sparse->solver, sparse->dv, sparse->u);
  for (thud_index i = 0; i < p->m; i++) {
    thud_index row = sparse->number[i];
    if (row < 0) continue;
    p->r[row] = sparse->z[i];
    p->u[row] = sparse->u[i] + p->load[row];
  }
  for (thud_index b = 0; b < p->problem.equations.count; b++) {
    thud_index i = p->bilateral_constraint[b];
    p->l[b] = sparse->l_free[i] + sparse->z[i];
  }
  return THUD_OK;
}

/* ---- the answer -------------------------------------------------------------------------------------------------- */

/* Nothing but the equations acts when the answer has been refused: r is 0 then. */
static void forget_answer(thud_percussion *p) {
  thud_percussion_sparse *sparse = p->sparse;
  memset(sparse->dv, 0, (size_t)p->n * sizeof(double));
  memset(sparse->z, 0, (size_t)p->m * sizeof(double));
  for (thud_index b = 0; b < p->problem.equations.count; b++) p->l[b] = sparse->l_free[p->bilateral_constraint[b]];
}

void thud_percussion_velocity_sparse(thud_percussion *p, const thud_velocity_data *data, double *v_plus) {
  thud_percussion_sparse *sparse = p->sparse;
  bool any = false;
  for (thud_index i = 0; i < p->problem.rows; i++) any = any || p->r[i] != 0;
  if (!any) forget_answer(p);
  for (thud_index k = 0; k < p->n; k++) v_plus[k] = data->v_free[k] + (sparse->dv_free[k] + sparse->dv[k]);
  for (thud_index i = 0; sparse->has_friction && i < p->problem.rows; i++)
    if (p->r[i] != 0 && fabs(p->u[i]) <= THUD_VELOCITY_ROUNDING * sparse->sizes[i])
      thud_percussion_settle_row(p, i, v_plus);
  if (sparse->has_friction) return;
  thud_row_solver_sizes(sparse->solver, sparse->z, sparse->u);
  for (thud_index i = 0; i < p->m; i++) {
    thud_index row = sparse->number[i];
    if (row < 0 || p->r[row] == 0) continue;
    if (fabs(p->u[row]) <= THUD_VELOCITY_ROUNDING * (fabs(p->load[row]) + sparse->u[i]))
      thud_percussion_settle_row(p, row, v_plus);
  }
}

void thud_percussion_cosines_sparse(thud_percussion *p, thud_percussion_info *info) {
  double cosine;
  thud_index first, second;
  if (thud_row_solver_cosine(p->sparse->solver, p->sparse->kind, &cosine, &first, &second))
    thud_percussion_note_cosine(info, cosine, first, second);
}
