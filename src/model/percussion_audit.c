/* Velocity problems: what an answer does to energy, and whether a map of velocities is an admissible impact law:
 * (a) v+ in V, (b) v+ - v- in -N, (c) no energy created. */
#include "base/base.h"
#include "model/percussion.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double row_velocity(const thud_percussion *p, thud_index i, const double *v) {
  return thud_row_dot(p->source[i], v) + p->rate[i];
}

/* ---- gains ----------------------------------------------------------------------------------------------------- */

double thud_percussion_energy_gain(const thud_percussion *p, const double *r) {
  double from_minus = 0, from_free = 0;
  for (thud_index i = 0; i < p->problem.rows; i++) {
    double u = p->u_free[i];
    if (p->sparse != NULL) /* r is that of the last velocity problem */
      u += p->u[i] - p->load[i];
    else
      for (thud_index j = 0; j < p->problem.rows; j++) u += p->W[i * p->problem.rows + j] * r[j];
    from_minus += r[i] * (u + p->u_minus[i]) / 2;
    from_free += r[i] * (u + p->u_free[i]) / 2;
  }
  return fmin(from_minus, from_free);
}

bool thud_percussion_gains(const thud_percussion *p, const thud_velocity_data *data) {
  double gain = thud_percussion_energy_gain(p, p->r);
  if (!(gain > 0)) return false;
  double before = thud_velocity_energy(data, p->n, data->v_minus),
         free = thud_velocity_energy(data, p->n, data->v_free);
  return gain > p->options.energy_tolerance * fmax(before, free);
}

/* ---- the account of an answer ---------------------------------------------------------------------------------- */

/* Losses and the work of moving constraints. before[rows], p->u: velocities before and after; p->u then becomes that with
 * the e-part of the load included. */
static void account_rows(thud_percussion *p, const double *before, thud_percussion_info *info) {
  double scale = thud_percussion_scale(p), lowest = 0;
  for (thud_index b = 0; b < p->problem.block_count; b++) {
    const thud_velocity_block *block = &p->blocks[b];
    thud_index end = block->first + block->directions + (block->has_normal ? 1 : 0);
    for (thud_index i = block->first; i < end; i++) {
      double u_plus = p->u[i];
      bool is_normal = block->has_normal && i == block->first;
      *(is_normal ? &info->normal_loss : &info->friction_loss) -= p->r[i] * (u_plus + before[i]) / 2;
      info->moving_work -= p->r[i] * p->rate[i];
      p->u[i] = u_plus + (p->load[i] - p->u_free[i]);
      if (!is_normal) continue;
      if (u_plus < lowest) lowest = u_plus;
      if (p->r[i] < 0) info->impulse_admissible = false;
    }
  }
  if (lowest < -p->options.tolerance * scale) info->in_cone = false;
  if (p->law->sees_free_velocity) {
    info->residual = -lowest / scale;
    return;
  }
  thud_index worst;
  info->residual = thud_velocity_natural_map(&p->problem, p->r, p->u, p->work, &worst) / scale;
  info->worst_constraint = worst >= 0 ? p->blocks[worst].constraint : -1;
  info->worst_law = worst >= 0 && info->worst_constraint < 0 ? p->blocks[worst].law : -1;
}

static void account_bilateral(thud_percussion *p, const thud_velocity_data *data, const double *v_plus,
                              thud_percussion_info *info) {
  double scale = thud_percussion_scale(p), worst = 0;
  if (p->sparse == NULL) thud_velocity_equation_impulses(&p->problem, p->r, p->l);
  for (thud_index b = 0; b < p->problem.equations.count; b++) {
    thud_index constraint = p->bilateral_constraint[b];
    thud_row a = thud_gradient_row(data->values, p->n, constraint);
    double rate = data->values->rate[constraint], u_plus = rate, u_minus = rate, u_free = rate;
    for (thud_index e = 0; e < a.count; e++) {
      thud_index k = a.column == NULL ? e : a.column[e];
      u_plus += a.value[e] * v_plus[k];
      u_minus += a.value[e] * data->v_minus[k];
      u_free += a.value[e] * data->v_free[k];
    }
    info->normal_loss -= p->l[b] * (u_plus + u_minus) / 2;
    info->moving_work -= p->l[b] * rate;
    if (p->left_out != NULL && p->left_out[constraint]) continue;
    double relative = fabs(u_plus) / fmax(scale, fabs(u_free));
    if (relative <= worst) continue;
    worst = relative;
    if (relative > info->residual) {
      info->residual = relative;
      info->worst_constraint = constraint;
      info->worst_law = -1;
    }
  }
  if (worst > p->options.tolerance) {
    info->in_cone = false;
    if (info->status == THUD_SOLVED) info->status = THUD_SOLVER_INFEASIBLE;
  }
}

void thud_percussion_account_energy(thud_percussion *p, const thud_velocity_data *data, const double *v_plus,
                                    thud_percussion_info *info) {
  thud_index n = p->n;
  info->energy_before = thud_values_product(data->values, n, data->v_minus, data->v_minus) / 2;
  info->energy_after = thud_values_product(data->values, n, v_plus, v_plus) / 2;
  if (data->v_free != data->v_minus) {
    double *change = p->z, *sum = p->work;
    for (thud_index k = 0; k < n; k++) {
      change[k] = data->v_free[k] - data->v_minus[k];
      sum[k] = v_plus[k] + data->v_minus[k];
    }
    info->applied_work = thud_values_product(data->values, n, change, sum) / 2;
  }
  double difference = info->energy_after - info->energy_before -
                      (info->applied_work + info->moving_work - info->normal_loss - info->friction_loss);
  double size = thud_larger(thud_larger(info->energy_before, info->energy_after),
                            thud_larger(fabs(info->applied_work) + fabs(info->moving_work),
                                        fabs(info->normal_loss) + fabs(info->friction_loss)));
  info->identity = size > 0 ? fabs(difference) / size : 0;
}

void thud_percussion_note_cosine(thud_percussion_info *info, double cosine, thud_index first, thud_index second) {
  if (cosine <= info->worst_cosine && info->cosine_first >= 0) return;
  info->worst_cosine = cosine;
  info->cosine_first = first;
  info->cosine_second = second;
}

/* Over pairs of normal rows. */
static void account_cosines(thud_percussion *p, thud_percussion_info *info) {
  if (p->sparse != NULL) {
    thud_percussion_cosines_sparse(p, info);
    return;
  }
  for (thud_index a = 0; a < p->problem.block_count; a++) {
    if (!p->blocks[a].has_normal) continue;
    thud_index i = p->blocks[a].first;
    for (thud_index b = a + 1; b < p->problem.block_count; b++) {
      if (!p->blocks[b].has_normal) continue;
      thud_index j = p->blocks[b].first;
      double size = sqrt(p->W[i * p->problem.rows + i] * p->W[j * p->problem.rows + j]);
      double cosine = size > 0 ? fabs(p->W[i * p->problem.rows + j]) / size : 0;
      thud_percussion_note_cosine(info, cosine, p->blocks[a].constraint, p->blocks[b].constraint);
    }
  }
}

thud_error thud_percussion_cosines(thud_percussion *p, const thud_system_values *values, const bool *acting,
                                   const double *v, thud_percussion_info *info) {
  const thud_velocity_data data = {.values = values, .acting = acting, .v_minus = v, .v_free = v};
  thud_error error = thud_percussion_assemble(p, &data, NULL, NULL);
  if (error != THUD_OK) return error;
  info->worst_cosine = 0;
  info->cosine_first = info->cosine_second = -1;
  account_cosines(p, info);
  return THUD_OK;
}

/* The residual is known. */
static void conclude(thud_percussion *p, thud_percussion_info *info) {
  /* Impulses that grew without bound look like an answer until the velocities are formed from them. */
  if (!info->refused && info->status == THUD_SOLVED && info->residual > p->options.tolerance)
    info->status = THUD_SOLVER_STALLED;
  account_cosines(p, info);
  info->set_valued = p->set_valued;
}

void thud_percussion_account(thud_percussion *p, const thud_velocity_data *data, const double *v_plus,
                             thud_percussion_info *info) {
  double *before = p->past;
  for (thud_index i = 0; i < p->problem.rows; i++) {
    p->u[i] = row_velocity(p, i, v_plus);
    before[i] = row_velocity(p, i, data->v_minus);
  }
  account_rows(p, before, info);
  if (p->problem.equations.count > 0) account_bilateral(p, data, v_plus, info);
  thud_percussion_account_energy(p, data, v_plus, info);
  conclude(p, info);
}

void thud_percussion_account_numbers(thud_percussion *p, const double *before, thud_percussion_info *info) {
  account_rows(p, before, info);
  conclude(p, info);
}

/* ---- the audit of a map ---------------------------------------------------------------------------------------- */

thud_error thud_percussion_fit(thud_percussion *p, const thud_velocity_data *data, const double *dv, double *distance) {
  thud_index n = p->n;
  const double *L = data->values->mass_factor;
  double *z = p->z;
  for (thud_index j = 0; j < n; j++) { /* z = L'dv without its part along the bilateral rows */
    z[j] = 0;
    for (thud_index i = j; i < n; i++) z[j] += L[i * n + j] * dv[i];
  }
  for (thud_index j = 0; j < p->bilateral_rank; j++) {
    double part = 0;
    for (thud_index k = 0; k < n; k++) part += p->basis[j * n + k] * z[k];
    for (thud_index k = 0; k < n; k++) z[k] -= part * p->basis[j * n + k];
  }
  for (thud_index i = 0; i < p->problem.rows; i++) {
    p->load[i] = 0;
    for (thud_index k = 0; k < n; k++) p->load[i] -= p->y[i * n + k] * z[k];
  }
  thud_solver_status status;
  thud_error error = thud_velocity_lcp(p->solver, &p->problem, p->r, &status);
  if (error != THUD_OK) return error;
  for (thud_index i = 0; i < p->problem.rows; i++)
    for (thud_index k = 0; k < n; k++) z[k] -= p->r[i] * p->y[i * n + k];
  double square = 0;
  for (thud_index k = 0; k < n; k++) square += z[k] * z[k];
  *distance = sqrt(square);
  return THUD_OK;
}

/* Velocity of equation b of the problem at v; *terms the sum of the sizes of its terms. */
static double equation_velocity(const thud_percussion *p, const thud_system_values *values, thud_index b,
                                const double *v, double *terms) {
  thud_index constraint = p->bilateral_constraint[b];
  thud_row a = thud_gradient_row(values, p->n, constraint);
  *terms = fabs(values->rate[constraint]) + thud_row_size(a, v);
  return thud_row_dot(a, v) + values->rate[constraint];
}

/* (a) for equations: v+ leaves them by no more than v- does, which in a step is that of another configuration. */
static void check_equations(thud_percussion *p, const thud_velocity_data *data, const double *v_plus,
                            thud_percussion_info *info) {
  for (thud_index b = 0; b < p->problem.equations.count; b++) {
    double size, before = fabs(equation_velocity(p, data->values, b, data->v_minus, &size)),
                 after = equation_velocity(p, data->values, b, v_plus, &size);
    if (fabs(after) <= before + p->options.tolerance * size || !info->in_cone) continue;
    info->in_cone = false;
    info->worst_constraint = p->witness.constraint = p->bilateral_constraint[b];
    p->witness.velocity = after;
  }
}

/* Axioms (a) and (b) for v+ proposed for v-; p->r becomes the impulses. Velocities count as equal within the options'
 * tolerance times the size of v-. */
static thud_error check_axioms(thud_percussion *p, const thud_velocity_data *data, const double *v_plus,
                               thud_percussion_info *info) {
  thud_index n = p->n;
  thud_axiom_witness *witness = &p->witness;
  double *dv = p->v_plus, scale = THUD_VELOCITY_ROUNDING * p->problem.magnitude / p->options.tolerance;
  *witness = (thud_axiom_witness){.constraint = -1};
  for (thud_index k = 0; k < n; k++) dv[k] = v_plus[k] - data->v_minus[k];
  thud_error error = thud_percussion_fit(p, data, dv, &witness->distance);
  if (error != THUD_OK) return error;
  witness->change = sqrt(thud_values_product(data->values, n, dv, dv));
  for (thud_index i = 0; i < p->problem.rows; i++) {
    p->u[i] = row_velocity(p, i, v_plus);
    p->load[i] = p->u_free[i];
    scale = fmax(scale, fmax(fabs(p->u[i]), fabs(p->u_minus[i])));
  }
  double tolerance = p->options.tolerance, lowest = 0;
  for (thud_index i = 0; i < p->problem.rows; i++) {
    if (p->u[i] < lowest) {
      lowest = p->u[i];
      for (thud_index b = 0; b < p->problem.block_count; b++)
        if (p->blocks[b].first == i) info->worst_constraint = p->blocks[b].constraint;
    }
  }
  info->in_cone = lowest >= -tolerance * scale;
  if (!info->in_cone)
    *witness = (thud_axiom_witness){info->worst_constraint, lowest, witness->distance, witness->change};
  info->residual = scale > 0 ? -lowest / scale : 0;
  check_equations(p, data, v_plus, info);
  double size = sqrt(thud_values_product(data->values, n, data->v_minus, data->v_minus));
  info->impulse_admissible = witness->distance <= tolerance * size;
  return THUD_OK;
}

/* Energy that v+ creates, seen from moving constraints and equations: sum r.(u+ + u-)/2 where impulses r make it. */
static double gain_of_answer(const thud_percussion *p, const thud_percussion_info *info) {
  double gain = 0, moving = 0;
  for (thud_index i = 0; i < p->problem.rows; i++) {
    gain += p->r[i] * (p->u[i] + p->u_minus[i]) / 2;
    moving += p->r[i] * p->rate[i];
  }
  return info->impulse_admissible ? gain : info->energy_after - info->energy_before + moving;
}

thud_error thud_percussion_fail_refused(const thud_percussion *p, const thud_percussion_info *info, thud_error error) {
  const thud_axiom_witness *witness = &p->witness;
  char cone[240] = "", impulse[240] = "";
  if (thud_percussion_only_gains(info))
    return thud_fail(
        p->context, error,
        "[energy-gain] the impact law creates energy (%.6g J before, %.6g J after): reduce the restitution or choose "
        "on_energy_gain: reduce_e",
        info->energy_before, info->energy_after);
  const char *name = witness->constraint >= 0 ? thud_system_constraint(p->system, witness->constraint)->name : NULL;
  if (!info->in_cone)
    snprintf(cone, sizeof cone,
             "axiom (a) v+ in V: the velocity that it proposes violates the acting constraints ('%.60s' is left with "
             "velocity %.6g)",
             name != NULL ? name : "", witness->velocity);
  if (!info->impulse_admissible)
    snprintf(
        impulse, sizeof impulse,
        "axiom (b) v+ - v- in -N: no impulse of the acting constraints gives the velocity that it proposes (%.6g of "
        "the change %.6g remains, in the kinetic metric)",
        witness->distance, witness->change);
  return thud_fail(p->context, error, "[energy-gain] the impact law is not admissible, %s%s%s", cone,
                   cone[0] != '\0' && impulse[0] != '\0' ? "; " : "", impulse);
}

static thud_error refuse_friction(const thud_percussion *p) {
  for (thud_index b = 0; b < p->problem.block_count; b++)
    if (p->blocks[b].law >= 0)
      return thud_fail(p->context, THUD_ERROR_UNSUPPORTED,
                       "[bad-friction] audit of an impact law: the axioms are those of frictionless constraints, and "
                       "friction law %d "
                       "acts; give the maps of frictional impacts as 'newton' or 'sequential'",
                       (int)p->blocks[b].law);
  return THUD_OK;
}

thud_error thud_percussion_judge(thud_percussion *p, const thud_velocity_data *data, const double *v_plus,
                                 thud_percussion_info *info) {
  thud_error error = refuse_friction(p);
  for (thud_index k = 0; error == THUD_OK && k < p->n; k++)
    if (!isfinite(v_plus[k]))
      error = thud_fail(p->context, THUD_ERROR_NOT_FINITE, "impact law: velocity %d after the impact is not finite",
                        (int)k);
  if (error == THUD_OK) error = check_axioms(p, data, v_plus, info);
  if (error != THUD_OK) return error;
  thud_index n = p->n;
  info->energy_before = thud_values_product(data->values, n, data->v_minus, data->v_minus) / 2;
  info->energy_after = thud_values_product(data->values, n, v_plus, v_plus) / 2;
  info->gained = gain_of_answer(p, info) > p->options.energy_tolerance * info->energy_before;
  return THUD_OK;
}

thud_error thud_percussion_audit(thud_percussion *p, const thud_system_values *values, const bool *acting,
                                 const double *v_minus, const double *v_plus, thud_percussion_info *info) {
  THUD_REQUIRE_OF(p, values, acting, v_minus, v_plus, info);
  thud_velocity_data data = {.values = values, .acting = acting, .v_minus = v_minus, .v_free = v_minus};
  thud_percussion_info found;
  thud_percussion_info_start(&found);
  thud_error error = thud_percussion_assemble(p, &data, NULL, NULL);
  if (error == THUD_OK) error = thud_percussion_judge(p, &data, v_plus, &found);
  if (error != THUD_OK) return error;
  account_cosines(p, &found);
  found.set_valued = p->set_valued;
  *info = found;
  return THUD_OK;
}
