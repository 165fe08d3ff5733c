/* Thresholds of friction that name reactions, by the checker's own reading: kappa(t, q, v; r_1, ..., r_m). */
#include "expr/scope.h"
#include "verify/system/verify_system_frames.h"

#include <math.h>
#include <string.h>

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static bool is_word(const char *name) {
  if (!thud_expr_starts_name(name[0])) return false;
  for (const char *c = name; *c != '\0'; c++)
    if (!thud_expr_continues_name(*c)) return false;
  return true;
}

/* The names of the scene, and of every constraint whose name means nothing else the reaction. */
static thud_error begin(verify_system *system) {
  if (system->reaction_graph != NULL) return THUD_OK;
  system->slot_r = thud_arena_alloc(system->texts, system->m + 1, sizeof *system->slot_r);
  if (system->slot_r == NULL) return THUD_ERROR_MEMORY;
  thud_error error = thud_expr_scope_copy(system->scene.scope, NULL, &system->reaction_scope);
  for (size_t i = 0; i < system->m && error == THUD_OK; i++) {
    const char *name = system->constraints[i].name;
    double number;
    bool taken = !is_word(name) || thud_expr_scope_find(system->reaction_scope, name, strlen(name)) != NULL ||
                 thud_expr_find_constant(name, strlen(name), &number) ||
                 thud_expr_find_call(name, strlen(name)) != EXPR_OP_COUNT;
    system->slot_r[i] = -1;
    if (!taken) error = thud_expr_scope_add_variable(system->reaction_scope, name, &system->slot_r[i]);
  }
  return error == THUD_OK
             ? thud_expr_graph_create(system->scene.context, system->reaction_scope, &system->reaction_graph)
             : error;
}

thud_error thud_verify_threshold_read(verify_system *system, size_t k) {
  verify_law *law = &system->laws[k];
  if (law->coupled) return THUD_OK;
  thud_error error = begin(system);
  if (error == THUD_OK) error = thud_expr_graph_add(system->reaction_graph, law->mu, NULL, &law->threshold_value);
  if (error != THUD_OK) return error;
  law->coupled = true;
  law->threshold = system->coupled_count++;
  return THUD_OK;
}

thud_error thud_verify_threshold_compile(verify_system *system) {
  if (system->coupled_count == 0) return THUD_OK;
  thud_context *context = system->scene.context;
  thud_expr_value *values = thud_arena_alloc(system->texts, system->coupled_count, sizeof *values);
  if (values == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < system->law_count; k++)
    if (system->laws[k].coupled) values[system->laws[k].threshold] = system->laws[k].threshold_value;
  thud_error error = thud_expr_program_create(system->reaction_graph, (thud_index)system->coupled_count, values,
                                              &system->threshold_program);
  if (error == THUD_OK) error = thud_expr_work_create(context, system->threshold_program, 0, &system->threshold_work);
  if (error != THUD_OK) return error;
  size_t count = (size_t)thud_expr_program_variable_count(system->threshold_program);
  system->threshold_variables = thud_arena_alloc(system->texts, count, sizeof(double));
  system->threshold_outputs = thud_arena_alloc(system->texts, system->coupled_count, sizeof(double));
  return system->threshold_variables != NULL && system->threshold_outputs != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

void thud_verify_threshold_free(verify_system *system) {
  thud_expr_work_destroy(system->threshold_work);
  thud_expr_program_destroy(system->threshold_program);
  thud_expr_graph_destroy(system->reaction_graph);
  thud_expr_scope_destroy(system->reaction_scope);
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

double thud_verify_threshold_at(const verify_system *system, const verify_values *values, const verify_law *law,
                                const double *reaction, double scale) {
  double *variables = system->threshold_variables;
  memcpy(variables, values->state, (1 + 2 * system->n) * sizeof(double));
  for (size_t i = 0; i < system->m; i++)
    if (system->slot_r[i] >= 0) variables[system->slot_r[i]] = scale * reaction[i];
  thud_expr_work_evaluate(system->threshold_work, variables, system->threshold_outputs);
  return system->threshold_outputs[law->threshold];
}

/* Impulses of impacts as forces, per second: large enough for all but what grows with them to vanish. */
static const double LARGE_RATE = 1e12;

double thud_verify_threshold_of_impulses(const verify_system *system, const verify_values *values,
                                         const verify_law *law, const double *impulse, double h) {
  double scale = h > 0 ? 1 / h : LARGE_RATE;
  return thud_verify_threshold_at(system, values, law, impulse, scale) / scale;
}

/* ---- atoms ------------------------------------------------------------------------------------------------------- */

bool thud_verify_law_jumps(const verify_frames *f, const verify_law *law, size_t k, bool loaded) {
  const verify_system *system = f->system;
  if (law->constraint != SIZE_MAX) return f->atom[k * f->m + law->constraint] != 0;
  if (!law->coupled) return loaded;
  for (size_t i = 0; i < system->m; i++) {
    bool depends = false;
    if (f->atom[k * f->m + i] == 0 || system->slot_r[i] < 0) continue;
    if (thud_expr_graph_depends_on(system->reaction_graph, law->threshold_value, system->slot_r[i], &depends) ==
            THUD_OK &&
        depends)
      return true;
  }
  return false;
}
