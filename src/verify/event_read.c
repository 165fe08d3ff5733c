/* Reading an event-driven record. */
#include "verify/channels.h"
#include "verify/event_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Two points per coefficient: an interpolation that resolves products of the series. */
enum { POINTS_PER_COEFFICIENT = 2, LEAST_DEGREE = 2 };

/* Number of coefficients of a channel of polynomials with `width` components each; 0: it cannot be told. */
static size_t coefficients_of(const thud_record_reader *reader, const char *role, size_t width,
                              thud_verify_check *structure) {
  size_t channel;
  if (thud_record_find_role(reader, role, &channel) != THUD_OK) {
    verify_fail(structure, NAN, SIZE_MAX, "the record has no channel for the %s", role);
    return 0;
  }
  size_t found = thud_record_reader_channel(reader, channel)->width;
  if (found % width == 0) return found / width;
  verify_fail(structure, NAN, SIZE_MAX, "the %s has %zu components, which is no multiple of %zu", role, found, width);
  return 0;
}

/* Component k width + i is called name_i, from k = 1 on name_i.k. */
static void check_series_names(const thud_record_reader *reader, const char *role, size_t width,
                               const char *const *names, thud_verify_check *structure) {
  size_t channel;
  if (width == 0 || thud_record_find_role(reader, role, &channel) != THUD_OK) return;
  const thud_record_channel *found = thud_record_reader_channel(reader, channel);
  for (size_t c = 0; c < found->width; c++) {
    char name[2 * THUD_RECORD_NAME_LENGTH];
    if (c < width)
      snprintf(name, sizeof name, "%s", names[c]);
    else
      snprintf(name, sizeof name, "%s.%zu", names[c % width], c / width);
    if (strcmp(found->components[c], name) != 0)
      verify_fail(structure, NAN, SIZE_MAX, "component %zu of the %s is '%s', the scene says '%s'", c, role,
                  found->components[c], name);
  }
}

static void check_constraint_names(const verify_event_rows *f, const thud_record_reader *reader,
                                   thud_verify_check *structure) {
  size_t channel;
  if (f->m == 0 || thud_record_find_role(reader, "mode", &channel) != THUD_OK) return;
  const thud_record_channel *mode = thud_record_reader_channel(reader, channel);
  for (size_t i = 0; i < f->m && i < mode->width; i++)
    if (strcmp(mode->components[i], f->system->constraints[i].name) != 0)
      verify_fail(structure, NAN, SIZE_MAX, "constraint %zu is called '%s' in the record, '%s' in the scene", i,
                  mode->components[i], f->system->constraints[i].name);
}

static thud_error read_channels(verify_event_rows *f, thud_record_reader *reader) {
  size_t n = f->n, m = f->m, rows = f->m + f->s;
  const verify_channel channels[] = {{"time", 1, &f->t},
                                     {"end", 1, &f->t_end},
                                     {"position_series", (f->degree + 1) * n, &f->q},
                                     {"reaction_series", (f->force_degree + 1) * rows, &f->reaction},
                                     {"mode", m, &f->mode},
                                     {"order", m, &f->order},
                                     {"event", 1, &f->event},
                                     {"time_error", 1, &f->t_error},
                                     {"velocity_left", n, &f->v_left},
                                     {"impulse", rows, &f->impulse},
                                     {"involved", m, &f->involved},
                                     {"mode_left", m, &f->mode_left},
                                     {"accumulation", 1, &f->accumulation},
                                     {"zeno", VERIFY_ZENO, &f->zeno},
                                     {"zeno_impulse", rows, &f->zeno_impulse},
                                     {"residual", 1, &f->residual},
                                     {"cosine", 1, &f->cosine},
                                     {"tangential", 1, &f->tangential},
                                     {"ledger", VERIFY_LEDGER_WIDTH, &f->ledger}};
  return verify_read_channels(f->context, reader, f->count, sizeof channels / sizeof *channels, channels,
                              &f->checks.structure);
}

static thud_error allocate(verify_event_rows *f) {
  size_t n = f->n, m = f->m, s = f->s, points = f->samples;
  const struct {
    double **array;
    size_t count;
  } parts[] = {{&f->q_size, n},
               {&f->v_size, n},
               {&f->gap_size, m},
               {&f->slip_size, s},
               {&f->state, 3 * n},
               {&f->momentum, n},
               {&f->work, 4 * n},
               {&f->r, m + s},
               {&f->shifted, 2 * s + n},
               {&f->acting, m},
               {&f->restitution, m},
               {&f->gap_at, m * points},
               {&f->u_at, m * points},
               {&f->r_at, m * points},
               {&f->defect, points},
               {&f->power, points},
               {&f->loss, points},
               {&f->coefficients, points},
               {&f->root, m},
               {&f->friction_at, f->system->law_count * points},
               {&f->friction_accuracy, f->system->law_count}};
  size_t total = 0;
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) total += parts[k].count;
  f->memory = THUD_NEW_ARRAY(f->context, double, total);
  f->outcome = THUD_NEW_ARRAY(f->context, double, f->count);
  if (f->memory == NULL || f->outcome == NULL) return THUD_ERROR_MEMORY;
  double *next = f->memory;
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
    *parts[k].array = next;
    next += parts[k].count;
  }
  return verify_values_create(f->system, &f->at);
}

thud_error verify_event_read(verify_event_rows *f, thud_record_reader *reader, bool *usable) {
  const verify_system *system = f->system;
  thud_record_info info = thud_record_reader_info(reader);
  thud_verify_check *structure = &f->checks.structure;
  f->n = system->n;
  f->m = system->m;
  f->s = system->s;
  f->count = info.rows;
  size_t of_q = coefficients_of(reader, "position_series", f->n, structure);
  size_t of_r = f->m + f->s > 0 ? coefficients_of(reader, "reaction_series", f->m + f->s, structure) : 1;
  if (of_q <= LEAST_DEGREE || of_r == 0)
    verify_fail(structure, NAN, SIZE_MAX, "the polynomials have too few coefficients for an acceleration");
  if (f->count == 0) verify_fail(structure, NAN, SIZE_MAX, "the record has no rows");
  *usable = false;
  if (structure->status == THUD_VERIFY_FAILED) return THUD_OK;
  f->degree = of_q - 1;
  f->force_degree = of_r - 1;
  f->samples = POINTS_PER_COEFFICIENT * of_q;
  thud_error error = read_channels(f, reader);
  if (error == THUD_OK) error = allocate(f);
  if (error != THUD_OK) return error;
  if (strcmp(info.method, system->scene.method) != 0)
    verify_fail(structure, NAN, SIZE_MAX, "the record was made by the method '%s', its scene says '%s'", info.method,
                system->scene.method);
  check_series_names(reader, "position_series", f->n, system->scene.names, structure);
  check_constraint_names(f, reader, structure);
  *usable = structure->status == THUD_VERIFY_PASSED;
  return THUD_OK;
}

void verify_event_free(verify_event_rows *f) {
  double *arrays[] = {
      f->t,      f->t_end,   f->q,          f->reaction,  f->mode,         f->order, f->event,        f->t_error,
      f->v_left, f->impulse, f->involved,   f->mode_left, f->accumulation, f->zeno,  f->zeno_impulse, f->residual,
      f->ledger, f->cosine,  f->tangential, f->memory,    f->outcome};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(f->context, arrays[k]);
  verify_values_free(f->system, &f->at);
}
