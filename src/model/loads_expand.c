/* Impulsive loads by expressions: single atoms, trains, and infinite families that are cut off with a bound of what is
 * left. */
#include "base/base.h"
#include "linalg/dense.h"
#include "model/thresholds.h"

#include <math.h>
#include <string.h>

/* A written tail may be rounded: it is not a bound when it is below the first of its terms by more than this,
 * relative. */
#define TAIL_ROUNDING 1e-12
/* Of times that are computed, relative. */
#define LIMIT_ROUNDING 1e-14

/* The compiled expressions of one load, and an atom of it. */
typedef struct load_reader {
  thud_system *system;
  const thud_expr_system_def *def;
  const thud_expr_load_def *load;
  thud_expr_system_place *place;
  thud_index slot_t, slot_index;
  thud_expr *time, *weight, *tail, *impulse_tail;
  thud_expr **impulse;       /* [n] NULL: 0 */
  thud_expr **threshold;     /* [laws] NULL: its own */
  thud_expr **own;           /* [laws] the thresholds themselves; NULL: they depend on the state */
  double *variables;         /* [variables of the scope] */
  double *numbers;           /* owns: */
  double *P, *bound, *share; /* [n], [laws], [laws] */
  int64_t inside;            /* atoms within the run */
  bool acts;                 /* one of them has an effect */
} load_reader;

/* A law whose threshold names reactions follows their impulses. */
static bool is_own(const load_reader *reader, size_t k) {
  return reader->system->friction[k].constraint < 0 && thud_model_threshold_of(reader->system, k) == NULL;
}

static void mark(const load_reader *reader, thud_source_part part, size_t second) {
  reader->place->part = part;
  reader->place->second = (thud_index)second;
}

/* ---- expressions ------------------------------------------------------------------------------------------------- */

static bool depends_on_state(const thud_system *system, const thud_expr *expr) {
  const struct model_expressions *names = system->expressions;
  for (size_t i = 0; i < system->n; i++)
    if (thud_expr_depends_on(expr, names->slot_q[i]) || thud_expr_depends_on(expr, names->slot_v[i])) return true;
  return false;
}

/* NULL sources stay NULL. Without `time` neither t nor an index may occur. */
static thud_error compile(const load_reader *reader, const thud_expr_scope *scope, const char *source, bool time,
                          thud_expr **expr) {
  thud_context *context = reader->system->context;
  if (source == NULL) return THUD_OK;
  thud_error error = thud_expr_compile(context, scope, source, &reader->place->place, expr);
  if (error != THUD_OK) return error;
  if (depends_on_state(reader->system, *expr))
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "[bad-percussion] a percussion is given by parameters and times, not by the motion");
  if (!time && thud_expr_depends_on(*expr, reader->slot_t))
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[bad-percussion] '%s' depends on t; a constant is needed here",
                     source);
  return THUD_OK;
}

static thud_error compile_list(const load_reader *reader, const thud_expr_scope *scope, thud_source_part part,
                               size_t count, const char *const *sources, thud_expr **exprs) {
  thud_error error = THUD_OK;
  for (size_t k = 0; k < count && sources != NULL && error == THUD_OK; k++) {
    mark(reader, part, k);
    error = compile(reader, scope, sources[k], true, &exprs[k]);
  }
  return error;
}

/* The laws' own thresholds, as far as they are functions of time: for the bound of what is left out. */
static thud_error compile_own(const load_reader *reader, const thud_expr_scope *scope) {
  thud_error error = THUD_OK;
  for (size_t k = 0; k < reader->system->laws && error == THUD_OK; k++) {
    if (!is_own(reader, k)) continue;
    mark(reader, THUD_SOURCE_MU, 0);
    error = thud_expr_compile(reader->system->context, scope, reader->def->friction[k].mu, NULL, &reader->own[k]);
    if (error != THUD_OK || !depends_on_state(reader->system, reader->own[k])) continue;
    thud_expr_destroy(reader->own[k]);
    reader->own[k] = NULL;
  }
  return error;
}

static thud_error compile_all(load_reader *reader, thud_expr_scope *scope) {
  const thud_expr_load_def *load = reader->load;
  const struct {
    const char *source;
    thud_source_part part;
    thud_expr **expr;
    bool time;
  } all[] = {{load->time, THUD_SOURCE_LOAD_TIME, &reader->time, false},
             {load->weight, THUD_SOURCE_LOAD_WEIGHT, &reader->weight, true},
             {load->tail, THUD_SOURCE_LOAD_TAIL, &reader->tail, false},
             {load->impulse_tail, THUD_SOURCE_LOAD_IMPULSE_TAIL, &reader->impulse_tail, false}};
  thud_error error = THUD_OK;
  if (load->index != NULL) {
    reader->slot_index = thud_expr_scope_find_variable(scope, load->index);
    if (reader->slot_index < 0) error = thud_expr_scope_add_variable(scope, load->index, &reader->slot_index);
  }
  for (size_t k = 0; k < sizeof all / sizeof *all && error == THUD_OK; k++) {
    mark(reader, all[k].part, 0);
    error = compile(reader, scope, all[k].source, all[k].time, all[k].expr);
  }
  const thud_system *system = reader->system;
  if (error == THUD_OK)
    error = compile_list(reader, scope, THUD_SOURCE_LOAD_IMPULSE, system->n, load->impulse, reader->impulse);
  if (error == THUD_OK)
    error = compile_list(reader, scope, THUD_SOURCE_LOAD_THRESHOLD, system->laws, load->threshold, reader->threshold);
  return error == THUD_OK && load->index != NULL ? compile_own(reader, scope) : error;
}

static void free_list(size_t count, thud_context *context, thud_expr **list) {
  for (size_t k = 0; list != NULL && k < count; k++) thud_expr_destroy(list[k]);
  thud_free(context, list);
}

static void end_reader(load_reader *reader) {
  thud_context *context = reader->system->context;
  thud_expr_destroy(reader->time);
  thud_expr_destroy(reader->weight);
  thud_expr_destroy(reader->tail);
  thud_expr_destroy(reader->impulse_tail);
  free_list(reader->system->n, context, reader->impulse);
  free_list(reader->system->laws, context, reader->threshold);
  free_list(reader->system->laws, context, reader->own);
  thud_free(context, reader->variables);
  thud_free(context, reader->numbers);
}

static thud_error begin_reader(load_reader *reader, thud_expr_scope *scope) {
  thud_system *system = reader->system;
  thud_context *context = system->context;
  size_t n = system->n, laws = system->laws;
  reader->slot_t = system->expressions->slot_t;
  reader->impulse = THUD_NEW_ARRAY(context, thud_expr *, n);
  reader->threshold = THUD_NEW_ARRAY(context, thud_expr *, laws);
  reader->own = THUD_NEW_ARRAY(context, thud_expr *, laws);
  reader->numbers = THUD_NEW_ARRAY(context, double, n + 2 * laws);
  if (reader->impulse == NULL || reader->threshold == NULL || reader->own == NULL || reader->numbers == NULL)
    return THUD_ERROR_MEMORY;
  reader->P = reader->numbers;
  reader->bound = reader->P + n;
  reader->share = reader->bound + laws;
  thud_error error = compile_all(reader, scope);
  if (error != THUD_OK) return error;
  mark(reader, THUD_SOURCE_LOAD, 0);
  reader->variables = THUD_NEW_ARRAY(context, double, thud_expr_scope_variable_count(scope));
  return reader->variables != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

/* ---- atoms ------------------------------------------------------------------------------------------------------- */

static double value_of(const load_reader *reader, const thud_expr *expr) {
  return expr != NULL ? thud_expr_evaluate(expr, reader->variables) : 0;
}

static bool is_inside(const load_reader *reader, double t) { return t >= reader->def->start && t <= reader->def->end; }

/* The atom of weight c at time t: impulse, and thresholds times c. */
static thud_error add_atom(load_reader *reader, double t, double weight) {
  thud_system *system = reader->system;
  if (isfinite(t) && !is_inside(reader, t)) return THUD_OK;
  reader->inside++;
  reader->acts = reader->acts || weight > 0;
  reader->variables[reader->slot_t] = t;
  for (size_t i = 0; i < system->n; i++) {
    reader->P[i] = value_of(reader, reader->impulse[i]);
    reader->acts = reader->acts || reader->P[i] != 0;
  }
  for (size_t k = 0; k < system->laws; k++) {
    bool given = reader->threshold[k] != NULL && is_own(reader, k);
    reader->bound[k] = given ? weight * value_of(reader, reader->threshold[k]) : 0;
    reader->share[k] = given || !is_own(reader, k) ? 0 : weight;
  }
  const thud_load load = {t, weight, reader->P, reader->bound, reader->share};
  return thud_loads_add(system, &load);
}

/* Weights are positive where the load has them. */
static thud_error read_weight(const load_reader *reader, double t, double *weight) {
  reader->variables[reader->slot_t] = t;
  *weight = value_of(reader, reader->weight);
  if (reader->weight == NULL || *weight > 0) return THUD_OK;
  mark(reader, THUD_SOURCE_LOAD_WEIGHT, 0);
  return thud_fail(reader->system->context, THUD_ERROR_ARGUMENT,
                   "[bad-percussion] the weight of the percussion at t = %.10g is %g; it must be a number > 0", t,
                   *weight);
}

static thud_error read_atom(load_reader *reader, double t) {
  double weight;
  thud_error error = read_weight(reader, t, &weight);
  return error == THUD_OK ? add_atom(reader, t, weight) : error;
}

static thud_error read_train(load_reader *reader, double first) {
  thud_context *context = reader->system->context;
  double period = reader->load->period, start = reader->def->start, end = reader->def->end;
  if (!isfinite(period) || !isfinite(first))
    return thud_fail(context, THUD_ERROR_NOT_FINITE,
                     "[bad-percussion] the first time and the period of a train are %g and %g", first, period);
  if ((end - start) / period > THUD_MAX_LOADS)
    return thud_fail(context, THUD_ERROR_OVERFLOW, "a period of %g makes more than %d percussions within the run",
                     period, THUD_MAX_LOADS);
  double k = first < start ? floor((start - first) / period) : 0;
  thud_error error = THUD_OK;
  for (; error == THUD_OK && (reader->load->count < 0 || k < (double)reader->load->count); k++) {
    double t = first + k * period;
    if (t > end) break;
    error = read_atom(reader, t);
  }
  return error;
}

/* ---- families ---------------------------------------------------------------------------------------------------- */

/* Length of the largest forces of a law with threshold 1: of a set at most the diagonal of a box around it. */
static thud_error size_of_law(const thud_friction_def *law, double *direction, double *size) {
  *size = 1;
  if (law->kind != THUD_FRICTION_SET) return THUD_OK;
  double square = 0;
  thud_error error = THUD_OK;
  for (thud_index j = 0; j < law->directions && error == THUD_OK; j++) {
    double most = 0;
    for (int sign = -1; sign <= 1 && error == THUD_OK; sign += 2) {
      double value = 0;
      thud_set_info info;
      direction[j] = sign;
      error = thud_set_support((thud_set *)law->set, direction, &value, NULL, &info); /* a clone of the system's own */
      most = fmax(most, value);
    }
    direction[j] = 0;
    square += most * most;
  }
  *size = sqrt(square);
  return error;
}

/* sqrt(largest eigenvalue of S S') |thresholds|: the largest momentum per unit of weight; NaN where it is not known. */
static thud_error largest_momentum(load_reader *reader, double t, double *largest) {
  const thud_system *system = reader->system;
  thud_context *context = system->context;
  size_t s = system->s, n = system->n;
  const double *S = system->constant[MODEL_SLIP];
  double sum = 0, *gram = THUD_NEW_ARRAY(context, double, s *s + 2 * s);
  if (gram == NULL) return THUD_ERROR_MEMORY;
  double *values = gram + s * s, *direction = values + s;
  thud_error error = THUD_OK;
  reader->variables[reader->slot_t] = t;
  for (size_t k = 0; k < system->laws && error == THUD_OK; k++) {
    double size;
    const thud_expr *threshold = reader->threshold[k] != NULL ? reader->threshold[k] : reader->own[k];
    if (!is_own(reader, k)) continue;
    error = size_of_law(&system->friction[k], direction, &size);
    sum = hypot(sum, threshold != NULL ? size * value_of(reader, threshold) : NAN);
  }
  for (size_t a = 0; a < s; a++)
    for (size_t b = 0; b < s; b++)
      for (size_t i = 0; i < n && S != NULL; i++) gram[a + b * s] += S[a * n + i] * S[b * n + i];
  if (error == THUD_OK && s > 0) error = thud_dense_eigen_symmetric(context, (thud_index)s, gram, values, NULL);
  *largest = s > 0 ? sqrt(values[s - 1]) * sum : 0;
  thud_free(context, gram);
  if ((system->variable & MODEL_BIT(MODEL_SLIP)) != 0) *largest = NAN;
  return error;
}

/* (|S' threshold| tail + impulse_tail) / smallest eigenvalue of M, with the thresholds at t. */
static thud_error bound_error(load_reader *reader, double t, thud_load_family *found) {
  const thud_system *system = reader->system;
  double momentum = 0, *values = THUD_NEW_ARRAY(system->context, double, system->n);
  if (values == NULL) return THUD_ERROR_MEMORY;
  thud_error error = THUD_OK;
  found->velocity = NAN;
  if (reader->weight != NULL) error = largest_momentum(reader, t, &momentum);
  if (error == THUD_OK && system->constant_mass) {
    error =
        thud_dense_eigen_symmetric(system->context, (thud_index)system->n, system->constant[MODEL_MASS], values, NULL);
    found->velocity = (momentum * found->tail + found->impulse_tail) / values[0];
  }
  thud_free(system->context, values);
  return error;
}

static thud_error check_tail(const load_reader *reader, int64_t k, thud_source_part part, double tail, double term) {
  thud_context *context = reader->system->context;
  mark(reader, part, 0);
  if (!(tail >= 0 && isfinite(tail)))
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "[bad-percussion] the tail from %s = %lld on is %g; it must be a number >= 0", reader->load->index,
                     (long long)k, tail);
  if (tail >= term * (1 - TAIL_ROUNDING)) return THUD_OK;
  return thud_fail(
      context, THUD_ERROR_ARGUMENT,
      "[bad-percussion] the tail from %s = %lld on is %g, less than %g of its first percussion: it is not a bound",
      reader->load->index, (long long)k, tail, term);
}

static double impulse_length(const load_reader *reader, double t) {
  double length = 0;
  reader->variables[reader->slot_t] = t;
  for (size_t i = 0; i < reader->system->n; i++) length = hypot(length, value_of(reader, reader->impulse[i]));
  return length;
}

static bool is_enough(const load_reader *reader, int64_t k, const thud_load_family *found) {
  const thud_expr_load_def *load = reader->load;
  if (load->keep >= 0) return k - load->first == load->keep;
  return found->tail <= load->tolerance && found->impulse_tail <= load->tolerance;
}

/* A family accumulates at its limit: no percussion lies farther from it than one before, but for rounding. */
static thud_error check_approach(const load_reader *reader, int64_t k, double t, double *distance) {
  const thud_expr_load_def *load = reader->load;
  double now = fabs(t - load->limit), rounding = LIMIT_ROUNDING * (fabs(t) + fabs(load->limit));
  if (load->has_limit && now > *distance + rounding) {
    mark(reader, THUD_SOURCE_LOAD_TIME, 0);
    return thud_fail(reader->system->context, THUD_ERROR_ARGUMENT,
                     "[bad-percussion] percussion %s = %lld is at t = %.10g, farther from the limit %.10g than the one "
                     "before: the times "
                     "do not accumulate there",
                     load->index, (long long)k, t, load->limit);
  }
  *distance = now;
  return THUD_OK;
}

static thud_error read_member(load_reader *reader, int64_t k, double t, thud_load_family *found) {
  double weight;
  mark(reader, isfinite(t) ? THUD_SOURCE_LOAD : THUD_SOURCE_LOAD_TIME, 0);
  if (!isfinite(t))
    return thud_fail(reader->system->context, THUD_ERROR_NOT_FINITE,
                     "[bad-percussion] the time of percussion %s = %lld is %g", reader->load->index, (long long)k, t);
  thud_error error = read_weight(reader, t, &weight);
  if (error == THUD_OK && reader->weight != NULL)
    error = check_tail(reader, k, THUD_SOURCE_LOAD_TAIL, found->tail, weight);
  if (error == THUD_OK && reader->load->impulse != NULL)
    error = check_tail(reader, k, THUD_SOURCE_LOAD_IMPULSE_TAIL, found->impulse_tail, impulse_length(reader, t));
  if (error != THUD_OK) return error;
  mark(reader, THUD_SOURCE_LOAD, 0);
  found->kept++;
  found->weight += weight;
  return add_atom(reader, t, weight);
}

static thud_error read_members(load_reader *reader, thud_load_family *found) {
  const thud_expr_load_def *load = reader->load;
  thud_error error = THUD_OK;
  double distance = INFINITY;
  for (int64_t k = load->first; error == THUD_OK; k++) {
    reader->variables[reader->slot_index] = (double)k;
    double t = value_of(reader, reader->time);
    found->tail = value_of(reader, reader->tail);
    found->impulse_tail = value_of(reader, reader->impulse_tail);
    if (is_enough(reader, k, found)) {
      error = check_tail(reader, k, THUD_SOURCE_LOAD_TAIL, found->tail, 0);
      if (error == THUD_OK) error = check_tail(reader, k, THUD_SOURCE_LOAD_IMPULSE_TAIL, found->impulse_tail, 0);
      return error == THUD_OK ? bound_error(reader, load->has_limit ? load->limit : t, found) : error;
    }
    if (k - load->first >= THUD_MAX_LOADS)
      return thud_fail(reader->system->context, THUD_ERROR_OVERFLOW,
                       "after %d percussions the tail is still %g: say how many are kept, or lump it at its limit",
                       THUD_MAX_LOADS, fmax(found->tail, found->impulse_tail));
    error = read_member(reader, k, t, found);
    if (error == THUD_OK) error = check_approach(reader, k, t, &distance);
  }
  return error;
}

/* The limit is an atom, too: what is left of the weights acts there, or nothing. */
static thud_error close_family(load_reader *reader, thud_load_family *found) {
  const thud_expr_load_def *load = reader->load;
  reader->system->loads.outside += (size_t)(found->kept - reader->inside);
  if (!load->has_limit) return THUD_OK;
  found->limit_outside = !is_inside(reader, load->limit);
  found->lumped = load->lump && !found->limit_outside;
  if (found->lumped) found->weight += found->tail;
  for (size_t i = 0; i < reader->system->n; i++) { /* impulses have a direction: they are not lumped */
    thud_expr_destroy(reader->impulse[i]);
    reader->impulse[i] = NULL;
  }
  return add_atom(reader, load->limit, load->lump ? found->tail : 0);
}

static thud_error check_family(const load_reader *reader) {
  const thud_expr_load_def *load = reader->load;
  const char *wrong = NULL;
  if ((load->weight != NULL && load->tail == NULL) || (load->impulse != NULL && load->impulse_tail == NULL))
    wrong = "a family needs a bound of what is left of it: 'tail' of its weights, 'impulse_tail' of its impulses";
  else if (load->lump && !load->has_limit)
    wrong = "a tail is lumped at its limit, which is not given";
  else if (load->lump && load->impulse != NULL)
    wrong = "the impulses that are left of a family have no known direction: they cannot be lumped";
  return wrong == NULL ? THUD_OK : thud_fail(reader->system->context, THUD_ERROR_ARGUMENT, "%s", wrong);
}

static thud_error read_family(load_reader *reader) {
  const thud_expr_load_def *load = reader->load;
  thud_load_family *found = &reader->system->loads.families[reader->system->loads.family_count];
  thud_error error = check_family(reader);
  if (error != THUD_OK) return error;
  *found = (thud_load_family){.has_limit = load->has_limit, .limit = load->limit, .tolerance = load->tolerance};
  reader->system->loads.family_count++;
  error = read_members(reader, found);
  if (error == THUD_OK) mark(reader, THUD_SOURCE_LOAD, 0);
  return error == THUD_OK ? close_family(reader, found) : error;
}

/* ---- all of them ------------------------------------------------------------------------------------------------- */

static thud_error check_load(const load_reader *reader) {
  const thud_system *system = reader->system;
  const char *wrong = NULL;
  bool any = false;
  for (size_t k = 0; k < system->laws; k++) any = any || is_own(reader, k);
  if (reader->load->time == NULL)
    wrong = "a percussion needs a time";
  else if (reader->load->weight == NULL && reader->load->impulse == NULL)
    wrong = "a percussion needs an 'impulse', or a 'weight' for the thresholds of friction";
  else if (reader->load->weight != NULL && !any)
    wrong = "a weight is for friction laws with a threshold of their own, of which there is none";
  return wrong == NULL ? THUD_OK : thud_fail(system->context, THUD_ERROR_ARGUMENT, "%s", wrong);
}

static thud_error read_load(load_reader *reader, thud_expr_scope *scope) {
  mark(reader, THUD_SOURCE_LOAD, 0);
  thud_error error = check_load(reader);
  if (error == THUD_OK) error = begin_reader(reader, scope);
  if (error != THUD_OK) return error;
  if (reader->load->index != NULL) return read_family(reader);
  double t = value_of(reader, reader->time);
  error = reader->load->period > 0 ? read_train(reader, t) : read_atom(reader, t);
  if (reader->inside == 0)
    reader->system->loads.outside++;
  else if (!reader->acts)
    reader->system->loads.empty++;
  return error;
}

thud_error thud_loads_expand(thud_system *system, thud_expr_scope *scope, const thud_expr_system_def *def,
                             thud_expr_system_place *place) {
  thud_expr_system_place nowhere;
  thud_error error = THUD_OK;
  if (def->load_count <= 0) return THUD_OK;
  system->loads.families = THUD_NEW_ARRAY(system->context, thud_load_family, def->load_count);
  if (system->loads.families == NULL) return THUD_ERROR_MEMORY;
  for (thud_index k = 0; k < def->load_count && error == THUD_OK; k++) {
    load_reader reader = {
        .system = system, .def = def, .load = &def->loads[k], .place = place != NULL ? place : &nowhere};
    *reader.place = (thud_expr_system_place){.index = k};
    reader.slot_t = system->expressions->slot_t;
    error = read_load(&reader, scope);
    if (error == THUD_OK) *reader.place = (thud_expr_system_place){0};
    end_reader(&reader);
  }
  return error == THUD_OK ? thud_loads_sort(system) : error;
}
