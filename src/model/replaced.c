/* Systems whose formulas are partly replaced by functions: expressions fill the arrays first, functions then write their
 * entries over them. The inner system of expressions belongs to the outer one. */
#include "model/thresholds.h"

#include "base/base.h"

#include <math.h>
#include <string.h>

_Static_assert((int)THUD_ARRAY_MASS == MODEL_MASS && (int)THUD_ARRAY_FORCE == MODEL_APPLIED &&
                   (int)THUD_ARRAY_SLIP == MODEL_SLIP && (int)THUD_ARRAY_FORCE_DV == MODEL_FORCE_DV,
               "the public numbers of arrays are those of the model");

struct model_replaced {
  thud_system *formulas;
  size_t count;
  thud_system_replacement *items; /* [count] */
};

static void destroy_replaced(thud_system *system) {
  if (system->replaced == NULL) return;
  thud_system_destroy(system->replaced->formulas);
  thud_free(system->context, system->replaced->items);
  thud_free(system->context, system->replaced);
}

/* The scratch are the values of the formulas. */
static thud_error create_scratch(const thud_system *system, thud_context *context, void **scratch) {
  thud_system_values *values = NULL;
  thud_error error = thud_system_values_create(context, system->replaced->formulas, &values);
  if (error == THUD_OK) *scratch = values;
  return error;
}

static void destroy_scratch(thud_context *context, void *scratch) { thud_system_values_destroy(context, scratch); }

static thud_error refused(const thud_system *system, model_state *state, const thud_system_replacement *item, double t,
                          const double *q, const double *v) {
  char what[256], where[512];
  thud_model_describe(system, (model_array)item->array, (size_t)item->first, what, sizeof what);
  thud_model_describe_state(system, t, q, v, where, sizeof where);
  state->values.callback_status = -1;
  return thud_fail(state->context, THUD_ERROR_CALLBACK, "system: the function that gives the %s%s refused at %s", what,
                   item->count > 1 ? " and more" : "", where);
}

/* The caller's room receives the state, and the entries are taken from it: a function may keep it between calls. */
static thud_error call(const thud_system *system, model_state *state, const thud_system_replacement *item, double t,
                       const double *q, const double *v) {
  double *out = state->array[item->array] + item->first;
  memcpy(item->q, q, system->n * sizeof *q);
  memcpy(item->v, v, system->n * sizeof *v);
  if (item->number != NULL) {
    double value = item->number(t);
    if (isnan(value)) return refused(system, state, item, t, q, v);
    out[0] = value;
    return THUD_OK;
  }
  if (item->numbers(t) != 0) return refused(system, state, item, t, q, v);
  memcpy(out, item->out, (size_t)item->count * sizeof *out);
  return THUD_OK;
}

static thud_error fill(const thud_system *system, model_state *state, unsigned arrays, double t, const double *q,
                       const double *v) {
  const struct model_replaced *replaced = system->replaced;
  model_state *formulas = state->scratch;
  unsigned written = arrays & replaced->formulas->variable;
  thud_error error = written != 0 ? thud_model_fill(replaced->formulas, formulas, written, t, q, v) : THUD_OK;
  if (error != THUD_OK) return error;
  for (model_array array = 0; written != 0; array++, written >>= 1)
    if (written & 1) memcpy(state->array[array], formulas->full[array], state->size[array] * sizeof(double));
  for (size_t k = 0; k < replaced->count && error == THUD_OK; k++)
    if (arrays & MODEL_BIT(replaced->items[k].array)) error = call(system, state, &replaced->items[k], t, q, v);
  return error;
}

static const model_source thud_model_replaced = {
    .destroy = destroy_replaced, .create_scratch = create_scratch, .destroy_scratch = destroy_scratch, .fill = fill};

/* ---- creation --------------------------------------------------------------------------------------------------- */

/* Thresholds that reactions give have programs of their own, which functions cannot replace. */
static thud_error check_thresholds(const thud_system *formulas) {
  if (formulas->thresholds == NULL) return THUD_OK;
  return thud_fail(
      formulas->context, THUD_ERROR_UNSUPPORTED,
      "[unsupported-method] system: the threshold of friction law '%s' names reactions: that is for systems "
      "whose functions are all formulas",
      formulas->friction[formulas->thresholds->items[0].law].name);
}

static thud_error check(const thud_system *formulas, const thud_system_replacement *item, size_t k) {
  const char *wrong = NULL;
  if (item->array < 0 || item->array >= MODEL_ARRAYS)
    wrong = "there is no such array";
  else if (item->first < 0 || item->count < 1 ||
           (size_t)item->first + (size_t)item->count > thud_model_full_size(formulas, (model_array)item->array))
    wrong = "its entries are not within the array";
  else if (item->q == NULL || item->v == NULL)
    wrong = "room for the state is missing";
  else if ((item->number == NULL) == (item->numbers == NULL))
    wrong = "give either `number` or `numbers`";
  else if (item->number != NULL ? item->count != 1 : item->out == NULL)
    wrong = item->number != NULL ? "`number` gives one entry" : "room for the entries is missing";
  return wrong == NULL
             ? THUD_OK
             : thud_fail(formulas->context, THUD_ERROR_ARGUMENT, "[callback] system: replacement %zu: %s", k, wrong);
}

/* Arrays with entries that functions give. */
static unsigned arrays_of(const struct model_replaced *replaced) {
  unsigned arrays = 0;
  for (size_t k = 0; k < replaced->count; k++) arrays |= MODEL_BIT(replaced->items[k].array);
  return arrays;
}

/* Jacobians of the formulas do not hold for forces that functions give; differences are taken then. */
static unsigned known_arrays(const thud_system *formulas, unsigned given) {
  const unsigned forces = MODEL_BIT(MODEL_INERTIA) | MODEL_BIT(MODEL_APPLIED) | MODEL_BIT(MODEL_POTENTIAL_GRADIENT),
                 jacobians = MODEL_BIT(MODEL_FORCE_DQ) | MODEL_BIT(MODEL_FORCE_DV);
  unsigned known = 0;
  for (model_array array = 0; array < MODEL_ARRAYS; array++)
    if (thud_model_gives(formulas, array)) known |= MODEL_BIT(array);
  return (given & forces) != 0 ? known & ~jacobians : known;
}

static thud_error adopt(thud_system *made, const thud_system *formulas, const model_state *values, unsigned known,
                        unsigned given) {
  thud_error error = THUD_OK;
  for (model_array array = 0; array < MODEL_ARRAYS && error == THUD_OK; array++)
    if (formulas->constant[array] != NULL && (known & MODEL_BIT(array)))
      error = thud_model_set_constant(made, array, values->full[array]);
  made->potential_moves = formulas->potential_moves || (given & MODEL_BIT(MODEL_POTENTIAL)) != 0;
  thud_model_set_variable(made, (formulas->variable & known) | given);
  return error;
}

static thud_error create_bare(const thud_system *formulas, const model_state *values, unsigned given,
                              thud_system **made) {
  const thud_system_def def = {
      .n = (thud_index)formulas->n,
      .coordinates = (const char *const *)formulas->coordinates,
      .mass = formulas->constant_mass && !(given & MODEL_BIT(MODEL_MASS)) ? values->full[MODEL_MASS] : NULL,
      .m = (thud_index)formulas->m,
      .constraints = formulas->constraints,
      .laws = (thud_index)formulas->laws,
      .friction = formulas->friction,
      .allow_any_restitution = formulas->allow_any_restitution,
      .loads = thud_system_loads(formulas)};
  return thud_model_create_bare(formulas->context, &def, made);
}

static thud_error copy_items(thud_system *formulas, size_t count, const thud_system_replacement *items,
                             struct model_replaced **replaced) {
  struct model_replaced *made = THUD_NEW(formulas->context, struct model_replaced);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->items = THUD_NEW_ARRAY(formulas->context, thud_system_replacement, count);
  if (made->items == NULL) {
    thud_free(formulas->context, made);
    return THUD_ERROR_MEMORY;
  }
  memcpy(made->items, items, count * sizeof *items);
  made->count = count;
  made->formulas = formulas;
  *replaced = made;
  return THUD_OK;
}

static thud_error create(thud_system *formulas, size_t count, const thud_system_replacement *items,
                         const model_state *values, thud_system **system) {
  struct model_replaced *replaced = NULL;
  thud_system *made = NULL;
  thud_error error = copy_items(formulas, count, items, &replaced);
  if (error != THUD_OK) return error;
  const unsigned given = arrays_of(replaced), known = known_arrays(formulas, given);
  error = create_bare(formulas, values, given, &made);
  if (error == THUD_OK) error = adopt(made, formulas, values, known, given);
  if (error != THUD_OK) {
    thud_system_destroy(made);
    thud_free(formulas->context, replaced->items);
    thud_free(formulas->context, replaced);
    return error;
  }
  made->source = &thud_model_replaced;
  made->replaced = replaced;
  *system = made;
  return THUD_OK;
}

thud_error thud_model_replace(thud_system *formulas, size_t count, const thud_system_replacement *items,
                              thud_system **system) {
  thud_error error = check_thresholds(formulas);
  for (size_t k = 0; k < count && error == THUD_OK; k++) error = check(formulas, &items[k], k);
  thud_system_values *values = NULL;
  if (error == THUD_OK) error = thud_system_values_create(formulas->context, formulas, &values);
  if (error != THUD_OK) return error;
  error = create(formulas, count, items, (const model_state *)values, system);
  thud_system_values_destroy(formulas->context, values);
  return error;
}
