/* The numbers of a system's functions in a velocity problem, as channels: for records that are verified without the
 * functions. Rows of the problem are the reactions of the constraints that act and of their friction. */
#include "record/rows.h"

enum { STEP, MASS, NODE_MASS, IMPULSE, APPLIED, GAP, BEND, ROWS, GRADIENT, RATE, COEFFICIENT, CHANNELS };

static void describe_problem(const thud_rows *rows, bool event, rows_channel *channels) {
  static const char mass[] = "mass matrix of the velocity problem, row by row";
  size_t n = rows->n, all = rows->m + rows->s;
  channels[MASS] = event ? thud_rows_list("mass", "posed_mass", REAL, true, 0, NULL, NULL, mass)
                         : thud_rows_fixed("mass", "posed_mass", REAL, n * n, NULL, "", POINT, mass);
  channels[MASS].channel.group = event ? n * n : 0;
  channels[ROWS] = thud_rows_list("rows", "posed_rows", THUD_RECORD_INTEGER, all > 0, all, rows->reactions, NULL,
                                  "reactions that take part in the velocity problem");
  channels[GRADIENT] = thud_rows_list("gradient", "posed_gradient", REAL, all > 0, 0, NULL, "rows",
                                      "gradients of the rows, and slip rows");
  channels[GRADIENT].channel.group = n;
  channels[RATE] =
      thud_rows_list("rate", "posed_rate", REAL, all > 0, 0, NULL, "rows", "velocities of the rows at rest");
  channels[COEFFICIENT] = thud_rows_list("coefficient", "posed_coefficient", REAL, all > 0, 0, NULL, "rows",
                                         "restitution of constraints, mu or threshold of friction");
  for (size_t k = 0; k < CHANNELS; k++) channels[k].channel.optional = event;
}

static void describe_step(const thud_rows *rows, rows_channel *channels) {
  const char *const *q = rows->names.coordinates, *time = rows->names.time_unit;
  size_t n = rows->n;
  channels[STEP] = thud_rows_fixed("posed_step", "posed_step", REAL, 1, NULL, time, POINT,
                                   "length of the step of the velocity problem");
  channels[NODE_MASS] =
      thud_rows_fixed("node_mass", "node_mass", REAL, n * n, NULL, "", POINT, "mass matrix at the node, row by row");
  channels[IMPULSE] = thud_rows_fixed("smooth_impulse", "smooth_impulse", REAL, n, q, "", POINT,
                                      "impulse of all smooth forces in the step");
  channels[APPLIED] = thud_rows_fixed("applied_impulse", "applied_impulse", REAL, n, q, "", POINT,
                                      "impulse of the applied forces in the step");
  channels[GAP] = thud_rows_fixed("posed_gap", "posed_gap", REAL, rows->m, rows->constraints, "", POINT,
                                  "gaps where the velocity problem is posed");
  channels[BEND] = thud_rows_fixed("posed_bend", "posed_bend", REAL, rows->m, rows->constraints, "", POINT,
                                   "change of normal velocities within half of the step");
}

thud_error thud_rows_add_posed(thud_rows *rows, rows_table *table) {
  rows_channel channels[CHANNELS] = {0};
  rows_posed *posed = &rows->posed;
  size_t n = rows->n, all = rows->m + rows->s;
  if (!rows->names.functions) return THUD_OK;
  describe_problem(rows, table == &rows->events, channels);
  if (table == &rows->frames) describe_step(rows, channels);
  if (thud_system_has_constant_mass(rows->system)) channels[MASS] = channels[NODE_MASS] = (rows_channel){0};
  posed->rows = thud_rows_numbers(rows, all);
  posed->gradient = thud_rows_numbers(rows, all * n);
  posed->rate = thud_rows_numbers(rows, all);
  posed->coefficient = thud_rows_numbers(rows, all);
  if (posed->rows == NULL || posed->gradient == NULL || posed->rate == NULL || posed->coefficient == NULL)
    return THUD_ERROR_MEMORY;
  return thud_rows_add(rows, table, CHANNELS, channels, &posed->cell);
}

static void add_row(rows_posed *to, size_t n, size_t row, const double *gradient, double rate, double coefficient) {
  for (size_t j = 0; j < n; j++) to->gradient[to->count * n + j] = gradient[j];
  to->rows[to->count] = (double)row;
  to->rate[to->count] = rate;
  to->coefficient[to->count++] = coefficient;
}

/* The constraints that act, then the friction of those and of nobody. */
static void list_rows(thud_rows *rows, const thud_posed *posed) {
  rows_posed *to = &rows->posed;
  size_t n = rows->n, k = 0;
  to->count = 0;
  for (size_t i = 0; i < rows->m; i++)
    if (posed->acting[i] != 0) add_row(to, n, i, posed->gradient + i * n, posed->rate[i], posed->restitution[i]);
  for (thud_index l = 0; l < thud_system_friction_count(rows->system); l++) {
    const thud_friction_def *law = thud_system_friction(rows->system, l);
    bool acts = law->constraint < 0 ? *posed->step > 0 : posed->acting[law->constraint] != 0;
    for (thud_index d = 0; d < law->directions; d++, k++)
      if (acts) add_row(to, n, rows->m + k, posed->slip + k * n, posed->slip_rate[k], posed->friction[l]);
  }
}

void thud_rows_set_posed(thud_rows *rows, rows_table *table, const thud_posed *posed) {
  rows_posed *from = &rows->posed;
  size_t n = rows->n;
  if (!rows->names.functions) return;
  if (posed == NULL) { /* an event without a velocity problem */
    for (size_t k = 0; k < CHANNELS; k++) thud_rows_set(table, from->cell, k, from->rate, 0);
    return;
  }
  list_rows(rows, posed);
  thud_rows_set(table, from->cell, STEP, posed->step, 1);
  thud_rows_set(table, from->cell, MASS, posed->mass, n * n);
  thud_rows_set(table, from->cell, NODE_MASS, posed->node_mass, n * n);
  thud_rows_set(table, from->cell, IMPULSE, posed->impulse, n);
  thud_rows_set(table, from->cell, APPLIED, posed->applied, n);
  thud_rows_set(table, from->cell, GAP, posed->gap, rows->m);
  thud_rows_set(table, from->cell, BEND, posed->bend, rows->m);
  thud_rows_set(table, from->cell, ROWS, from->rows, from->count);
  thud_rows_set(table, from->cell, GRADIENT, from->gradient, from->count * n);
  thud_rows_set(table, from->cell, RATE, from->rate, from->count);
  thud_rows_set(table, from->cell, COEFFICIENT, from->coefficient, from->count);
}
