/* The atoms of the normal reaction: lists, trains, and infinite families that are cut off with a bound of the tail. */
#include "model/line.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* N at an atom: given, or the value of the density at the time. */
static thud_error read_normal(thud_line *line, double t, const double *given, double *normal) {
  size_t n = (size_t)line->n;
  if (given != NULL) {
    memmove(normal, given, n * sizeof *normal); /* they may be the same */
  } else {
    line->variables[line->time_slot] = t;
    thud_expr_work_evaluate(line->work, line->variables, line->outputs);
    memcpy(normal, line->outputs, n * sizeof *normal);
  }
  for (size_t i = 0; i < n; i++)
    if (!(normal[i] >= 0 && isfinite(normal[i])))
      return thud_fail(line->context, THUD_ERROR_ARGUMENT,
                       "the normal reaction of particle %zu at the atom at t = %.10g is %g; it must be a number >= 0",
                       i + 1, t, normal[i]);
  return THUD_OK;
}

static thud_error check_numbers(thud_context *context, double t, double weight) {
  if (!isfinite(t)) return thud_fail(context, THUD_ERROR_NOT_FINITE, "the time of an atom is %g", t);
  if (!(weight > 0 && isfinite(weight)))
    return thud_fail(context, THUD_ERROR_ARGUMENT, "the weight of the atom at t = %.10g must be a number > 0, not %g",
                     t, weight);
  return THUD_OK;
}

static thud_error add_atom(thud_line *line, double t, double weight, const double *given) {
  thud_context *context = line->context;
  thud_error error = check_numbers(context, t, weight);
  if (error != THUD_OK || t < line->start || t > line->end) return error;
  if (line->atom_count >= THUD_LINE_MAX_ATOMS)
    return thud_fail(context, THUD_ERROR_OVERFLOW, "more than %d atoms within the run", THUD_LINE_MAX_ATOMS);
  error = thud_array_reserve(context, &line->atoms, &line->atom_capacity, line->atom_count + 1, sizeof(line_atom));
  if (error != THUD_OK) return error;
  double *bound = THUD_NEW_ARRAY(context, double, line->n);
  if (bound == NULL) return THUD_ERROR_MEMORY;
  line->atoms[line->atom_count++] = (line_atom){.t = t, .weight = weight, .bound = bound};
  error = read_normal(line, t, given, bound);
  for (thud_index i = 0; i < line->n && error == THUD_OK; i++) bound[i] *= weight * line->friction[i];
  return error;
}

static thud_error read_train(thud_line *line, const thud_line_train *train) {
  if (!(train->period > 0 && isfinite(train->period) && isfinite(train->first)))
    return thud_fail(line->context, THUD_ERROR_ARGUMENT, "the period of a train must be a number > 0, not %g",
                     train->period);
  double skipped = train->first < line->start ? floor((line->start - train->first) / train->period) : 0;
  if ((line->end - line->start) / train->period > THUD_LINE_MAX_ATOMS)
    return thud_fail(line->context, THUD_ERROR_OVERFLOW, "a period of %g makes more than %d atoms within the run",
                     train->period, THUD_LINE_MAX_ATOMS);
  thud_error error = check_numbers(line->context, train->first, train->weight);
  for (double k = skipped; error == THUD_OK && (train->count < 0 || k < (double)train->count); k++) {
    double t = train->first + k * train->period;
    if (t > line->end) break;
    error = add_atom(line, t, train->weight, train->normal);
  }
  return error;
}

/* ---- families ---------------------------------------------------------------------------------------------------- */

typedef struct family_reader {
  thud_line *line;
  const thud_line_family *def;
  thud_expr *time, *weight, *tail, *normal;
  thud_index slot;
  double *variables; /* [scope's count] */
  double *normals;   /* [n] */
} family_reader;

static void reader_free(family_reader *reader) {
  thud_context *context = reader->line->context;
  thud_expr_destroy(reader->time);
  thud_expr_destroy(reader->weight);
  thud_expr_destroy(reader->tail);
  thud_expr_destroy(reader->normal);
  thud_free(context, reader->variables);
  thud_free(context, reader->normals);
}

static thud_error reader_create(family_reader *reader, thud_expr_scope *scope, thud_line_place *place) {
  const thud_line_family *def = reader->def;
  thud_context *context = reader->line->context;
  thud_error error = THUD_OK;
  reader->slot = thud_expr_scope_find_variable(scope, def->index);
  if (reader->slot < 0) error = thud_expr_scope_add_variable(scope, def->index, &reader->slot);
  const struct {
    const char *source;
    thud_line_part part;
    thud_expr **expr;
  } all[] = {{def->time, THUD_LINE_FAMILY_TIME, &reader->time},
             {def->weight, THUD_LINE_FAMILY_WEIGHT, &reader->weight},
             {def->tail, THUD_LINE_FAMILY_TAIL, &reader->tail},
             {def->normal, THUD_LINE_FAMILY_NORMAL, &reader->normal}};
  for (size_t k = 0; k < sizeof all / sizeof *all && error == THUD_OK; k++) {
    if (all[k].source == NULL) continue;
    place->part = all[k].part;
    error = thud_expr_compile(context, scope, all[k].source, &place->place, all[k].expr);
    if (error == THUD_OK) place->part = THUD_LINE_FAMILY;
  }
  if (error != THUD_OK) return error;
  reader->variables = THUD_NEW_ARRAY(context, double, thud_expr_scope_variable_count(scope));
  reader->normals = THUD_NEW_ARRAY(context, double, reader->line->n);
  return reader->variables != NULL && reader->normals != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

/* N at time t of the atom whose index is set: *given is NULL where the density says it. */
static void family_normal(family_reader *reader, double t, const double **given) {
  *given = NULL;
  if (reader->normal == NULL) return;
  reader->variables[reader->line->time_slot] = t;
  double value = thud_expr_evaluate(reader->normal, reader->variables);
  for (thud_index i = 0; i < reader->line->n; i++) reader->normals[i] = value;
  *given = reader->normals;
}

/* |gamma N| tail / smallest eigenvalue of M. */
static thud_error bound_error(family_reader *reader, double t, double tail, double *bound) {
  thud_line *line = reader->line;
  const double *given;
  double sum = 0;
  family_normal(reader, t, &given);
  thud_error error = read_normal(line, t, given, reader->normals);
  for (thud_index i = 0; i < line->n; i++) sum = hypot(sum, line->friction[i] * reader->normals[i]);
  if (error == THUD_OK) *bound = sum * tail / line->smallest_mass;
  return error;
}

static thud_error check_tail(const family_reader *reader, int64_t index, double tail, double weight) {
  if (tail >= weight * (1 - 1e-12)) return THUD_OK; /* written with rounded numbers */
  return thud_fail(reader->line->context, THUD_ERROR_ARGUMENT,
                   "the tail from %s = %lld on is %g, less than the weight %g of its first atom: it is no bound",
                   reader->def->index, (long long)index, tail, weight);
}

static thud_error read_members(family_reader *reader, thud_line_place *place, thud_line_truncation *found) {
  const thud_line_family *def = reader->def;
  thud_line *line = reader->line;
  thud_error error = THUD_OK;
  for (int64_t k = def->first; error == THUD_OK; k++) {
    reader->variables[reader->slot] = (double)k;
    double t = thud_expr_evaluate(reader->time, reader->variables);
    double weight = thud_expr_evaluate(reader->weight, reader->variables);
    found->tail = thud_expr_evaluate(reader->tail, reader->variables);
    place->part = THUD_LINE_FAMILY_TAIL;
    if (!(found->tail >= 0 && isfinite(found->tail)))
      return thud_fail(line->context, THUD_ERROR_ARGUMENT, "the tail from %s = %lld on is %g; it must be a number >= 0",
                       def->index, (long long)k, found->tail);
    if (k - def->first == def->keep || (def->keep < 0 && found->tail <= def->tolerance)) {
      place->part = THUD_LINE_FAMILY_NORMAL;
      return bound_error(reader, def->has_limit ? def->limit : t, found->tail, &found->velocity);
    }
    if (k - def->first >= THUD_LINE_MAX_ATOMS)
      return thud_fail(line->context, THUD_ERROR_OVERFLOW,
                       "after %d atoms the tail is still %g; give 'keep', or 'lump' it at its limit",
                       THUD_LINE_MAX_ATOMS, found->tail);
    error = check_tail(reader, k, found->tail, weight);
    if (error != THUD_OK) return error;
    const double *given;
    family_normal(reader, t, &given);
    place->part = isfinite(t) ? THUD_LINE_FAMILY_WEIGHT : THUD_LINE_FAMILY_TIME;
    error = add_atom(line, t, weight, given);
    found->kept++;
    found->weight += weight;
  }
  return error;
}

/* What is left acts at the limit: the impulse is right from there on, the error before it is that of the tail. */
static thud_error lump_tail(family_reader *reader, thud_line_truncation *found) {
  const thud_line_family *def = reader->def;
  if (!def->lump || found->tail == 0) return THUD_OK;
  if (!def->has_limit)
    return thud_fail(reader->line->context, THUD_ERROR_ARGUMENT, "a tail is lumped at its limit, which is not given");
  const double *given;
  family_normal(reader, def->limit, &given);
  found->lumped = true;
  found->weight += found->tail;
  return add_atom(reader->line, def->limit, found->tail, given);
}

static thud_error read_family(thud_line *line, thud_expr_scope *scope, const thud_line_family *def,
                              thud_line_place *place, thud_line_truncation *found) {
  *found = (thud_line_truncation){.has_limit = def->has_limit, .limit = def->limit, .tolerance = def->tolerance};
  if (def->index == NULL || def->time == NULL || def->weight == NULL || def->tail == NULL)
    return thud_fail(line->context, THUD_ERROR_ARGUMENT, "a family needs an index, times, weights and a tail");
  family_reader reader = {.line = line, .def = def};
  thud_error error = reader_create(&reader, scope, place);
  if (error == THUD_OK) error = read_members(&reader, place, found);
  if (error == THUD_OK) place->part = THUD_LINE_FAMILY;
  if (error == THUD_OK) error = lump_tail(&reader, found);
  reader_free(&reader);
  return error;
}

/* ---- all of them ------------------------------------------------------------------------------------------------- */

static int compare_atoms(const void *a, const void *b) {
  double x = ((const line_atom *)a)->t, y = ((const line_atom *)b)->t;
  return (x > y) - (x < y);
}

/* Atoms at the same time are one: the friction law sees the sum of their bounds. */
static void sort_atoms(thud_line *line) {
  size_t kept = 0;
  if (line->atom_count > 1) qsort(line->atoms, line->atom_count, sizeof *line->atoms, compare_atoms);
  for (size_t k = 0; k < line->atom_count; k++) {
    line_atom *atom = &line->atoms[k], *last = kept > 0 ? &line->atoms[kept - 1] : NULL;
    if (last == NULL || last->t != atom->t) {
      line->atoms[kept++] = *atom;
      continue;
    }
    last->weight += atom->weight;
    for (thud_index i = 0; i < line->n; i++) last->bound[i] += atom->bound[i];
    thud_free(line->context, atom->bound);
  }
  line->atom_count = kept;
}

thud_error line_read_atoms(thud_line *line, thud_expr_scope *scope, const thud_line_def *def, thud_line_place *place) {
  thud_error error = THUD_OK;
  for (size_t k = 0; k < def->atom_count && error == THUD_OK; k++) {
    *place = (thud_line_place){.part = THUD_LINE_ATOM, .index = k};
    error = add_atom(line, def->atoms[k].t, def->atoms[k].weight, def->atoms[k].normal);
  }
  for (size_t k = 0; k < def->train_count && error == THUD_OK; k++) {
    *place = (thud_line_place){.part = THUD_LINE_TRAIN, .index = k};
    error = read_train(line, &def->trains[k]);
  }
  if (error != THUD_OK) return error;
  line->truncations = THUD_NEW_ARRAY(line->context, thud_line_truncation, def->family_count);
  if (line->truncations == NULL) return THUD_ERROR_MEMORY;
  line->family_count = def->family_count;
  for (size_t k = 0; k < def->family_count && error == THUD_OK; k++) {
    *place = (thud_line_place){.part = THUD_LINE_FAMILY, .index = k};
    error = read_family(line, scope, &def->families[k], place, &line->truncations[k]);
  }
  if (error == THUD_OK) sort_atoms(line);
  return error;
}
