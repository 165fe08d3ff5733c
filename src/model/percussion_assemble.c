/* Velocity problems: from a system's values to rows, blocks and their matrix W, and from impulses back to velocities.
 */
#include "model/percussion.h"

#include <math.h>
#include <string.h>

static double dot(thud_index n, const double *a, const double *b) {
  double sum = 0;
  for (thud_index i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

/* ---- which rows ------------------------------------------------------------------------------------------------ */

static thud_velocity_block *add_block(thud_percussion *p, thud_index constraint, thud_index law) {
  thud_velocity_block *block = &p->blocks[p->problem.block_count++];
  *block = (thud_velocity_block){
      .first = p->problem.rows, .constraint = constraint, .law = law, .tied_row = -1, .tied_bilateral = -1};
  return block;
}

static void add_row(thud_percussion *p, thud_row source, double rate, double restitution) {
  p->source[p->problem.rows] = source;
  p->rate[p->problem.rows] = rate;
  p->restitution[p->problem.rows] = restitution;
  p->problem.rows++;
}

static void add_slip_rows(thud_percussion *p, const thud_system_values *values, const double *r_slip,
                          thud_velocity_block *block) {
  block->directions = p->sets[block->law].directions;
  for (thud_index k = 0; k < block->directions; k++) {
    thud_index slip = p->laws[block->law].first + k;
    p->r[p->problem.rows] = r_slip != NULL ? r_slip[slip] : 0;
    add_row(p, thud_slip_row(values, p->n, slip), values->slip_rate[slip], 0);
  }
}

static void add_contacts(thud_percussion *p, const thud_velocity_data *data, const double *r_normal,
                         const double *r_slip) {
  const thud_system_values *values = data->values;
  for (thud_index i = 0; i < p->m; i++) {
    thud_constraint_kind kind = p->kind[i];
    if (kind == THUD_CONSTRAINT_BILATERAL || kind == THUD_CONSTRAINT_VELOCITY) {
      p->bilateral_constraint[p->problem.equations.count++] = i;
      continue;
    }
    if (kind == THUD_CONSTRAINT_UNILATERAL && !data->acting[i]) continue;
    thud_velocity_block *block = add_block(p, i, -1);
    block->has_normal = true;
    p->r[p->problem.rows] = r_normal != NULL ? thud_larger(r_normal[i], 0) : 0;
    add_row(p, thud_gradient_row(values, p->n, i), values->rate[i], values->restitution[i]);
    thud_index law = p->law_of[i];
    if (law < 0 || values->friction[law] == 0 || data->is_frictionless) continue;
    block->law = law;
    block->friction_bound = values->friction[law];
    add_slip_rows(p, values, r_slip, block);
  }
}

thud_index thud_percussion_block_of(const thud_percussion *p, thud_index constraint) {
  for (thud_index b = 0; b < p->problem.block_count; b++)
    if (p->blocks[b].has_normal && p->blocks[b].constraint == constraint) return b;
  return -1;
}

/* A law that is not the first of a unilateral constraint: it has a block of its own. */
static bool has_own_block(const thud_percussion *p, thud_index k) {
  const thud_slip_law *law = &p->laws[k];
  return law->constraint < 0 || law->of_bilateral || p->law_of[law->constraint] != k;
}

/* Laws by themselves, laws of bilateral constraints, and the second and later laws of a unilateral one. */
static void add_other_laws(thud_percussion *p, const thud_velocity_data *data, const double *r_slip) {
  for (thud_index k = 0; k < p->law_count; k++) {
    const thud_slip_law *law = &p->laws[k];
    double friction = data->values->friction[k];
    bool coupled = law->threshold != NULL;
    if (friction == 0 || (law->constraint < 0 && !coupled && !(data->step > 0))) continue;
    if (!has_own_block(p, k)) continue;
    thud_index owner = -1;
    if (law->constraint >= 0 && !law->of_bilateral) {
      owner = thud_percussion_block_of(p, law->constraint);
      if (owner < 0) continue;
    }
    thud_velocity_block *block = add_block(p, law->constraint, k);
    block->friction_bound = law->constraint < 0 && !coupled ? friction * data->step : friction;
    if (coupled) {
      thud_percussion_place_threshold(p, k, data);
      block->coupling = &law->coupling;
    }
    if (owner >= 0) block->tied_row = p->blocks[owner].first;
    for (thud_index b = 0; law->of_bilateral && b < p->problem.equations.count; b++)
      if (p->bilateral_constraint[b] == law->constraint) block->tied_bilateral = b;
    add_slip_rows(p, data->values, r_slip, block);
  }
}

void thud_percussion_outline(thud_percussion *p) {
  thud_velocity_problem *problem = &p->problem;
  problem->rows = problem->block_count = 0;
  for (thud_index i = 0; i < p->m; i++) {
    if (p->kind[i] == THUD_CONSTRAINT_BILATERAL || p->kind[i] == THUD_CONSTRAINT_VELOCITY) continue;
    thud_velocity_block *block = add_block(p, i, p->law_of[i]);
    block->has_normal = true;
    block->directions = block->law >= 0 ? p->sets[block->law].directions : 0;
    problem->rows += 1 + block->directions;
  }
  for (thud_index k = 0; k < p->law_count; k++) {
    if (!has_own_block(p, k)) continue;
    thud_velocity_block *block = add_block(p, p->laws[k].constraint, k);
    if (p->laws[k].constraint >= 0) *(p->laws[k].of_bilateral ? &block->tied_bilateral : &block->tied_row) = 0;
    if (p->laws[k].threshold != NULL) block->coupling = &p->laws[k].coupling;
    block->directions = p->sets[k].directions;
    problem->rows += block->directions;
  }
}

/* ---- bilateral rows -------------------------------------------------------------------------------------------- */

/* A row whose part outside of the span of those before is below this part of it is dependent on them. */
static const double DEPENDENT = 1e-12;

/* Takes the components along the basis out of y[n], twice (enough for orthogonality to rounding); adds them up in
 * along[bilateral_rank] with the given stride. */
static void orthogonalise(const thud_percussion *p, double *y, double *along, size_t stride) {
  for (thud_index j = 0; j < p->bilateral_rank; j++) along[(size_t)j * stride] = 0;
  for (int pass = 0; pass < 2; pass++)
    for (thud_index j = 0; j < p->bilateral_rank; j++) {
      const double *q = p->basis + (ptrdiff_t)j * p->n;
      double part = dot(p->n, q, y);
      along[(size_t)j * stride] += part;
      for (thud_index i = 0; i < p->n; i++) y[i] -= part * q[i];
    }
}

/* Orthonormal basis of the bilateral rows by Gram and Schmidt, and the step along it onto a_b.v + rate = 0. */
static void reduce_bilateral(thud_percussion *p, const thud_velocity_data *data) {
  thud_index n = p->n, total = p->bilateral_total;
  p->bilateral_rank = 0;
  for (thud_index b = 0; b < p->problem.equations.count; b++) {
    thud_index constraint = p->bilateral_constraint[b];
    const double *a = data->values->gradient + (ptrdiff_t)constraint * n;
    double *y = p->basis + (ptrdiff_t)p->bilateral_rank * n, *T = p->triangle + (ptrdiff_t)b * total;
    memcpy(y, a, (size_t)n * sizeof *y);
    thud_factor_forward(n, data->values->mass_factor, y);
    double before = sqrt(dot(n, y, y));
    orthogonalise(p, y, T, 1);
    double after = sqrt(dot(n, y, y));
    double velocity = dot(n, a, data->v_free) + data->values->rate[constraint];
    double reached = velocity;
    for (thud_index j = 0; j < p->bilateral_rank; j++) reached += T[j] * p->offset[j];
    bool follows = p->left_out != NULL && p->left_out[constraint];
    if (follows || after <= DEPENDENT * before || before == 0) {
      p->basis_of[b] = -1;
      p->set_valued = true;
      continue;
    }
    for (thud_index i = 0; i < n; i++) y[i] /= after;
    T[p->bilateral_rank] = after;
    p->offset[p->bilateral_rank] = -reached / after;
    p->basis_of[b] = p->bilateral_rank++;
  }
}

/* ---- the matrix ------------------------------------------------------------------------------------------------ */

/* Where y[n] has entries: rows of many systems touch few coordinates. */
static void find_range(thud_index n, const double *y, thud_row_range *range) {
  thud_index first = 0, end = n;
  while (first < n && y[first] == 0) first++;
  while (end > first && y[end - 1] == 0) end--;
  *range = (thud_row_range){first, end};
}

static double dot_of_rows(const thud_percussion *p, thud_index i, thud_index j) {
  thud_row_range a = p->range[i], b = p->range[j];
  thud_index first = a.first > b.first ? a.first : b.first, end = a.end < b.end ? a.end : b.end;
  return first < end ? dot(end - first, p->y + (ptrdiff_t)i * p->n + first, p->y + (ptrdiff_t)j * p->n + first) : 0;
}

static void fill_rows(thud_percussion *p, const thud_velocity_data *data) {
  thud_index n = p->n, rows = p->problem.rows;
  const double *v_minus = p->law->sees_free_velocity ? data->v_free : data->v_minus;
  for (thud_index i = 0; i < rows; i++) {
    const double *a = p->source[i].value;
    double *y = p->y + (ptrdiff_t)i * n;
    memcpy(y, a, (size_t)n * sizeof *y);
    thud_factor_forward(n, data->values->mass_factor, y);
    if (p->bilateral_rank > 0) orthogonalise(p, y, p->along + i, (size_t)rows);
    find_range(n, y, &p->range[i]);
    double u = dot(n, a, data->v_free) + p->rate[i], magnitude = fabs(p->rate[i]);
    for (thud_index k = 0; k < n; k++) magnitude += fabs(a[k] * data->v_free[k]);
    p->problem.magnitude = thud_larger(p->problem.magnitude, magnitude);
    p->u_minus[i] = v_minus == data->v_free ? u : dot(n, a, v_minus) + p->rate[i];
    for (thud_index j = 0; j < p->bilateral_rank; j++) u += p->along[j * rows + i] * p->offset[j];
    p->u_free[i] = u;
    for (thud_index j = 0; j <= i; j++) p->W[i * rows + j] = p->W[j * rows + i] = dot_of_rows(p, i, j);
  }
}

thud_error thud_percussion_check_finite(const thud_percussion *p) {
  for (thud_index i = 0; i < p->problem.rows; i++)
    if (!isfinite(p->u_free[i]) || !isfinite(p->u_minus[i]) || !isfinite(thud_velocity_diagonal(&p->problem, i)) ||
        !isfinite(p->r[i])) {
      thud_index b = 0;
      while (b + 1 < p->problem.block_count && p->blocks[b + 1].first <= i) b++;
      const thud_velocity_block *block = &p->blocks[b];
      bool is_normal = block->has_normal && i == block->first;
      const char *name = is_normal ? thud_system_constraint(p->system, block->constraint)->name
                                   : thud_system_friction(p->system, block->law)->name;
      return thud_fail(p->context, THUD_ERROR_NOT_FINITE, "velocity problem: the data of %s '%s' are not finite",
                       is_normal ? "constraint" : "friction law", name != NULL ? name : "");
    }
  for (thud_index j = 0; j < p->bilateral_rank; j++)
    if (!isfinite(p->offset[j]))
      return thud_fail(p->context, THUD_ERROR_NOT_FINITE, "velocity problem: the data of an equation are not finite");
  return THUD_OK;
}

thud_error thud_percussion_assemble(thud_percussion *p, const thud_velocity_data *data, const double *r_normal,
                                    const double *r_slip) {
  p->problem.rows = p->problem.block_count = p->problem.equations.count = p->bilateral_rank = 0;
  p->problem.magnitude = 0;
  p->set_valued = false;
  add_contacts(p, data, r_normal, r_slip);
  if (p->has_laws && !data->is_frictionless) add_other_laws(p, data, r_slip);
  p->problem.W.rows = p->problem.W.columns = p->problem.rows;
  if (p->sparse != NULL) return thud_percussion_fill_sparse(p, data);
  if (p->problem.equations.count > 0) reduce_bilateral(p, data);
  fill_rows(p, data);
  return thud_percussion_check_finite(p);
}

/* ---- back to velocities ---------------------------------------------------------------------------------------- */

/* Size of W r + load with every term by its magnitude: its rounding error is a few DBL_EPSILON of that. */
static double row_size(const thud_percussion *p, thud_index i) {
  double size = fabs(p->load[i]);
  for (thud_index j = 0; j < p->problem.rows; j++) size += fabs(p->W[i * p->problem.rows + j] * p->r[j]);
  return size;
}

/* A row that holds as the equation a.v+ = target and has one entry gives its coordinate without rounding errors: a
 * sticking contact stays where it is, a velocity turned round keeps its digits. */
void thud_percussion_settle_row(const thud_percussion *p, thud_index i, double *v_plus) {
  thud_row a = p->source[i];
  thud_index only = -1;
  for (thud_index j = 0; j < a.count; j++) {
    if (a.value[j] == 0) continue;
    if (only >= 0) return;
    only = j;
  }
  if (only < 0) return;
  v_plus[a.column == NULL ? only : a.column[only]] = (p->u_free[i] - p->load[i] - p->rate[i]) / a.value[only];
}

void thud_percussion_velocity(thud_percussion *p, const thud_velocity_data *data, double *v_plus) {
  thud_index n = p->n;
  double *dz = p->z;
  if (p->sparse != NULL) {
    thud_percussion_velocity_sparse(p, data, v_plus);
    return;
  }
  memset(dz, 0, (size_t)n * sizeof *dz);
  for (thud_index j = 0; j < p->bilateral_rank; j++)
    for (thud_index k = 0; k < n; k++) dz[k] += p->offset[j] * p->basis[j * n + k];
  for (thud_index i = 0; i < p->problem.rows; i++)
    for (thud_index k = 0; p->r[i] != 0 && k < n; k++) dz[k] += p->r[i] * p->y[i * n + k];
  thud_factor_backward(n, data->values->mass_factor, dz);
  for (thud_index k = 0; k < n; k++) v_plus[k] = data->v_free[k] + dz[k];
  for (thud_index i = 0; i < p->problem.rows; i++)
    if (p->r[i] != 0 && fabs(p->u[i]) <= THUD_VELOCITY_ROUNDING * row_size(p, i))
      thud_percussion_settle_row(p, i, v_plus);
}
