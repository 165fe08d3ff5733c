/* The recorded numbers of a system's functions, in the place of evaluated formulas. */
#include "verify/math/verify_dense.h"
#include "verify/system/verify_system_functions.h"

#include <math.h>
#include <string.h>

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* Rows are reactions of the scene, in ascending order. */
static void check_rows(const verify_system *system, const verify_problems *problems, size_t count,
                       thud_verify_check *structure) {
  double all = (double)(system->m + system->s);
  for (size_t k = 0; k < count; k++) {
    const double *rows = verify_ragged_row(&problems->rows, k);
    size_t length = verify_ragged_count(&problems->rows, k);
    double last = -1;
    bool fits = verify_ragged_count(&problems->gradient, k) == length * system->n &&
                verify_ragged_count(&problems->rate, k) == length &&
                verify_ragged_count(&problems->coefficient, k) == length;
    for (size_t j = 0; j < length; last = rows[j++]) fits = fits && rows[j] > last && rows[j] < all;
    if (!fits) thud_verify_fail(structure, NAN, k, "the rows of a velocity problem are not those of the scene");
  }
}

thud_error thud_verify_problems_read(const verify_system *system, thud_record_reader *reader, thud_record_table table,
                                     verify_problems *problems, thud_verify_check *structure) {
  size_t n = system->n, any = system->m + system->s > 0;
  bool events = table == THUD_RECORD_EVENTS && system->given_mass == NULL;
  /* Channels of events are found by their names. */
  bool by_name = table == THUD_RECORD_EVENTS;
  const verify_ragged_channel channels[] = {
      {by_name ? "mass" : "posed_mass", events ? n * n : 0, &problems->mass},
      {by_name ? "rows" : "posed_rows", any, &problems->rows},
      {by_name ? "gradient" : "posed_gradient", any * n, &problems->gradient},
      {by_name ? "rate" : "posed_rate", any, &problems->rate},
      {by_name ? "coefficient" : "posed_coefficient", any, &problems->coefficient}};
  thud_context *context = system->scene.context;
  thud_error error =
      thud_verify_read_ragged(context, reader, table, sizeof channels / sizeof *channels, channels, structure);
  if (error == THUD_OK && structure->status == THUD_VERIFY_PASSED)
    check_rows(system, problems, thud_record_reader_info(reader).rows[table], structure);
  return error;
}

void thud_verify_problems_free(thud_context *context, verify_problems *problems) {
  verify_ragged *all[] = {&problems->mass, &problems->rows, &problems->gradient, &problems->rate,
                          &problems->coefficient};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) thud_verify_ragged_free(context, all[k]);
}

thud_error thud_verify_posed_read(const verify_system *system, thud_record_reader *reader, verify_posed *posed,
                                  thud_verify_check *structure) {
  size_t n = system->n, mass = system->given_mass == NULL ? n * n : 0;
  const verify_channel channels[] = {{"posed_step", 1, &posed->step},         {"posed_mass", mass, &posed->mass},
                                     {"node_mass", mass, &posed->node_mass},  {"smooth_impulse", n, &posed->impulse},
                                     {"applied_impulse", n, &posed->applied}, {"posed_gap", system->m, &posed->gap},
                                     {"posed_bend", system->m, &posed->bend}};
  thud_error error = thud_verify_read_channels(system->scene.context, reader, THUD_RECORD_FRAMES,
                                               sizeof channels / sizeof *channels, channels, structure);
  if (error != THUD_OK) return error;
  return thud_verify_problems_read(system, reader, THUD_RECORD_FRAMES, &posed->problems, structure);
}

void thud_verify_posed_free(thud_context *context, verify_posed *posed) {
  double *arrays[] = {posed->step,    posed->mass, posed->node_mass, posed->impulse,
                      posed->applied, posed->gap,  posed->bend};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(context, arrays[k]);
  thud_verify_problems_free(context, &posed->problems);
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* The block that a part of the values lies in. */
static double *part_of(const verify_values *values, const double *part) { return values->out + (part - values->out); }

bool thud_verify_take_mass(const verify_system *system, const double *mass, verify_values *values) {
  size_t n = system->n;
  double *own = part_of(values, values->mass);
  memcpy(own, mass != NULL ? mass : system->given_mass, n * n * sizeof(double));
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      if (!isfinite(own[i * n + j]) || fabs(own[i * n + j] - own[j * n + i]) > 1e-12 * fabs(own[i * n + i]))
        return false;
  memcpy(values->factor, own, n * n * sizeof(double));
  return thud_verify_cholesky(n, values->factor);
}

static void clear_rows(const verify_system *system, const verify_values *values) {
  memset(part_of(values, values->gradient), 0, system->m * system->n * sizeof(double));
  memset(part_of(values, values->slip), 0, system->s * system->n * sizeof(double));
  memset(part_of(values, values->friction), 0, system->law_count * sizeof(double));
  memset(part_of(values, values->restitution), 0, system->m * sizeof(double));
  memset(values->rates, 0, (system->m + system->s) * sizeof(double));
}

static size_t law_of(const verify_system *system, size_t slip) {
  size_t k = 0;
  while (slip >= system->laws[k].first + system->laws[k].directions) k++;
  return k;
}

/* mu is one number for all directions of a law. */
static bool take_slip(const verify_system *system, size_t slip, double mu, const verify_values *values) {
  size_t law = law_of(system, slip);
  double *friction = part_of(values, values->friction);
  bool same = slip == system->laws[law].first || friction[law] == mu;
  friction[law] = mu;
  return same && mu >= 0;
}

static bool take_constraint(const verify_system *system, size_t i, double e, double *acting,
                            const verify_values *values) {
  const verify_constraint *constraint = &system->constraints[i];
  part_of(values, values->restitution)[i] = e;
  if (acting != NULL) acting[i] = 1;
  /* Regularised motions are inelastic whatever the scene says. */
  return !constraint->knows_restitution || e == constraint->known_restitution || system->method == VERIFY_REGULARISED;
}

bool thud_verify_problem_values(const verify_system *system, const verify_problems *problems, size_t k,
                                const double *mass, double *acting, verify_values *values) {
  size_t n = system->n, m = system->m, count = verify_ragged_count(&problems->rows, k);
  const double *rows = verify_ragged_row(&problems->rows, k), *gradient = verify_ragged_row(&problems->gradient, k);
  const double *rate = verify_ragged_row(&problems->rate, k);
  const double *coefficient = verify_ragged_row(&problems->coefficient, k);
  bool good = thud_verify_take_mass(system, mass, values);
  clear_rows(system, values);
  if (acting != NULL) memset(acting, 0, m * sizeof(double));
  for (size_t j = 0; j < count; j++) {
    size_t row = (size_t)rows[j];
    double *to = row < m ? part_of(values, values->gradient) + row * n : part_of(values, values->slip) + (row - m) * n;
    memcpy(to, gradient + j * n, n * sizeof(double));
    for (size_t i = 0; i < n; i++) good = good && isfinite(to[i]);
    values->rates[row] = rate[j];
    good = good && isfinite(rate[j]) && isfinite(coefficient[j]);
    good = (row < m ? take_constraint(system, row, coefficient[j], acting, values)
                    : take_slip(system, row - m, coefficient[j], values)) &&
           good;
  }
  return good;
}
