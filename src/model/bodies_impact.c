#include "model/bodies_impact.h"

#include "model/percussion.h"

#include <string.h>

struct thud_bodies_impact {
  thud_context *context;
  thud_percussion_options options;
  thud_index dimension, capacity;
  thud_percussion *percussion; /* for `capacity` contacts */
  double *before;              /* [capacity*dimension] u_minus of the rows of the problem */
  thud_index *row;             /* [capacity*dimension] of the data behind a row of the problem */
};

/* ---- life --------------------------------------------------------------------------------------------------------- */

static thud_error make_room(thud_bodies_impact *impact, thud_index contacts) {
  thud_percussion *larger = NULL;
  thud_error error =
      thud_percussion_begin_numbers(impact->context, contacts, impact->dimension - 1, &impact->options, &larger);
  if (error != THUD_OK) return error;
  size_t rows = (size_t)larger->row_capacity;
  double *before = THUD_NEW_ARRAY(impact->context, double, rows);
  thud_index *row = THUD_NEW_ARRAY(impact->context, thud_index, rows);
  if (before == NULL || row == NULL) {
    thud_free(impact->context, before);
    thud_free(impact->context, row);
    thud_percussion_destroy(larger);
    return THUD_ERROR_MEMORY;
  }
  if (impact->percussion != NULL) larger->has_warned = impact->percussion->has_warned;
  thud_percussion_destroy(impact->percussion);
  thud_free(impact->context, impact->before);
  thud_free(impact->context, impact->row);
  impact->percussion = larger;
  impact->before = before;
  impact->row = row;
  impact->capacity = contacts;
  return THUD_OK;
}

thud_error thud_bodies_impact_create(thud_context *context, thud_index dimension, thud_index capacity,
                                     const thud_percussion_options *options, thud_bodies_impact **impact) {
  thud_percussion_options chosen;
  thud_error error = thud_options_take(context, thud_percussion_option_table(), options, &chosen);
  if (error != THUD_OK) return error;
  if (dimension < 1 || dimension > 3 || capacity < 0)
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "[unsupported-method] impacts of bodies: %d rows per contact and room for %d contacts; needed 1 "
                     "to 3 and at least 0",
                     (int)dimension, (int)capacity);
  if (chosen.law == THUD_IMPACT_TABLE)
    return thud_fail(
        context, THUD_ERROR_UNSUPPORTED,
        "[unsupported-method] impact law 'table' maps the velocities of one system; bodies have 'newton', 'canonical', "
        "'sequential' and 'lzb'");
  thud_bodies_impact *made = THUD_NEW(context, thud_bodies_impact);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->context = context;
  made->options = chosen;
  made->dimension = dimension;
  error = make_room(made, capacity > 0 ? capacity : 1);
  if (error != THUD_OK) {
    thud_bodies_impact_destroy(made);
    return error;
  }
  *impact = made;
  return THUD_OK;
}

void thud_bodies_impact_destroy(thud_bodies_impact *impact) {
  if (impact == NULL) return;
  thud_percussion_destroy(impact->percussion);
  thud_free(impact->context, impact->before);
  thud_free(impact->context, impact->row);
  thud_free(impact->context, impact);
}

/* ---- the problem -------------------------------------------------------------------------------------------------- */

/* Blocks of the problem, and the rows of the data behind its rows: contacts without friction have no slip rows. */
static void outline(thud_bodies_impact *impact, const thud_bodies_impact_data *data) {
  thud_percussion *p = impact->percussion;
  thud_index d = impact->dimension, rows = 0;
  for (thud_index c = 0; c < data->count; c++) {
    thud_index directions = data->mu[c] > 0 ? d - 1 : 0;
    p->blocks[c] = (thud_velocity_block){.first = rows,
                                         .directions = directions,
                                         .has_normal = true,
                                         .constraint = c,
                                         .law = directions > 0 ? 0 : -1,
                                         .friction_bound = directions > 0 ? data->mu[c] : 0,
                                         .tied_row = -1,
                                         .tied_bilateral = -1};
    p->restitution[rows] = data->restitution[c];
    for (thud_index k = 0; k <= directions; k++) {
      if (k > 0) p->restitution[rows] = 0;
      impact->row[rows++] = c * d + k;
    }
  }
  p->problem.block_count = data->count;
  p->problem.rows = p->problem.W.rows = p->problem.W.columns = rows;
}

/* Numbers of the rows. The largest velocity counts as the size of all unless the caller knows better. */
static void fill(thud_bodies_impact *impact, const thud_bodies_impact_data *data, const double *r) {
  thud_percussion *p = impact->percussion;
  thud_index rows = p->problem.rows;
  size_t all = (size_t)data->count * (size_t)impact->dimension;
  p->problem.magnitude = data->magnitude;
  for (thud_index i = 0; i < rows; i++) {
    thud_index from = impact->row[i];
    p->u_free[i] = data->u_free[from];
    impact->before[i] = data->u_minus[from];
    p->u_minus[i] = p->law->sees_free_velocity ? data->u_free[from] : data->u_minus[from];
    p->r[i] = r[from];
    p->problem.magnitude = thud_larger(p->problem.magnitude, fabs(p->u_free[i]));
    for (thud_index j = 0; j < rows; j++) p->W[i * rows + j] = data->W[(size_t)from * all + (size_t)impact->row[j]];
  }
  for (thud_index b = 0; b < p->problem.block_count; b++) {
    double *normal = &p->r[p->blocks[b].first];
    *normal = thud_larger(*normal, 0);
  }
}

static bool is_part_of_one(double e) { return e >= 0 && e <= 1; }

static thud_error check(const thud_bodies_impact *impact, const thud_bodies_impact_data *data, const double *r) {
  thud_index d = impact->dimension;
  size_t all = (size_t)data->count * (size_t)d;
  for (thud_index c = 0; c < data->count; c++) {
    if (!(data->mu[c] >= 0) || !isfinite(data->mu[c]) || !is_part_of_one(data->restitution[c]))
      return thud_fail(impact->context, THUD_ERROR_ARGUMENT,
                       "[unsupported-method] impacts of bodies: contact %d has friction %g and restitution %g; needed "
                       ">= 0 and in [0, 1]",
                       (int)c, data->mu[c], data->restitution[c]);
    if (d == 1 && data->mu[c] > 0)
      return thud_fail(
          impact->context, THUD_ERROR_ARGUMENT,
          "[unsupported-method] impacts of bodies: contact %d has friction %g and no slip rows; give it 2 or 3 rows",
          (int)c, data->mu[c]);
    size_t first = (size_t)c * (size_t)d;
    if (thud_first_not_finite((size_t)d, data->u_minus + first) < (size_t)d ||
        thud_first_not_finite((size_t)d, data->u_free + first) < (size_t)d ||
        thud_first_not_finite((size_t)d, r + first) < (size_t)d ||
        thud_first_not_finite((size_t)d * all, data->W + first * all) < (size_t)d * all)
      return thud_fail(impact->context, THUD_ERROR_NOT_FINITE,
                       "[unsupported-method] impacts of bodies: the velocities, the impulses or the matrix of contact "
                       "%d are not finite",
                       (int)c);
  }
  return THUD_OK;
}

thud_error thud_bodies_impact_solve(thud_bodies_impact *impact, const thud_bodies_impact_data *data, double *r,
                                    double *u_plus, thud_percussion_info *info) {
  enum { GROWTH = 4 }; /* a quarter more than needed: the matrices are full */
  thud_error error = check(impact, data, r);
  if (error == THUD_OK && data->count > impact->capacity) {
    thud_index more = data->count + data->count / GROWTH;
    error = make_room(impact, more);
  }
  if (error != THUD_OK) return error;
  outline(impact, data);
  fill(impact, data, r);
  thud_percussion *p = impact->percussion;
  const thud_velocity_data given = {.energy = data->energy, .v_minus = impact->before};
  thud_percussion_info found;
  error = thud_percussion_solve_numbers(p, &given, &found);
  if (error != THUD_OK) return error;
  size_t all = (size_t)data->count * (size_t)impact->dimension;
  memset(r, 0, all * sizeof *r);
  for (thud_index i = 0; i < p->problem.rows; i++) r[impact->row[i]] = p->r[i];
  for (size_t i = 0; i < all; i++) {
    u_plus[i] = data->u_free[i];
    for (size_t j = 0; j < all; j++) u_plus[i] += data->W[i * all + j] * r[j];
  }
  *info = found;
  return THUD_OK;
}
