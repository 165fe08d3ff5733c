/* Checks of what a system is made of; messages name the coordinate, constraint or law. */
#include "model/system.h"

#include "base/names.h"

#include <math.h>
#include <string.h>

/* Names are not empty and differ; NULL is allowed where a name is made up. `stride` bytes between two pointers. */
static thud_error check_names(thud_context *context, const char *what, thud_index count, const char *const *first,
                              size_t stride, bool may_be_null) {
  const char *bytes = (const char *)first;
  thud_names taken = thud_names_new(context, NULL);
  thud_error error = THUD_OK;
  for (thud_index i = 0; i < count && error == THUD_OK; i++) {
    const char *name = *(const char *const *)(const void *)(bytes + (size_t)i * stride);
    size_t there = THUD_NAMES_NONE;
    if (name == NULL && may_be_null) continue;
    if (name == NULL || name[0] == '\0')
      error = thud_fail(context, THUD_ERROR_ARGUMENT, "system: %s %d has no name", what, (int)i);
    else
      error = thud_names_add(&taken, name, strlen(name), (size_t)i, &there);
    if (error == THUD_OK && there != THUD_NAMES_NONE)
      error = thud_fail(context, THUD_ERROR_ARGUMENT, "[duplicate-name] system: %ss %zu and %d are both called '%s'",
                        what, there, (int)i, name);
  }
  thud_names_free(&taken);
  return error;
}

static const char *name_or(const char *name) { return name != NULL ? name : ""; }

static thud_error check_constraint(thud_context *context, const thud_system_def *def, thud_index i) {
  const thud_constraint_def *constraint = &def->constraints[i];
  double e = constraint->restitution;
  if ((int)constraint->kind < THUD_CONSTRAINT_UNILATERAL || constraint->kind > THUD_CONSTRAINT_VELOCITY_ONE_SIDED)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "system: constraint %d '%s': unknown kind %d", (int)i,
                     name_or(constraint->name), (int)constraint->kind);
  if (!isfinite(e) || (!def->allow_any_restitution && !(e >= 0 && e <= 1)))
    return thud_fail(context, isfinite(e) ? THUD_ERROR_ARGUMENT : THUD_ERROR_NOT_FINITE,
                     "[out-of-range] system: constraint %d '%s': restitution %.9g is not in [0, 1]", (int)i,
                     name_or(constraint->name), e);
  return THUD_OK;
}

static thud_error check_law(thud_context *context, const thud_system_def *def, thud_index k) {
  const thud_friction_def *law = &def->friction[k];
  const char *name = name_or(law->name);
  if ((int)law->kind < THUD_FRICTION_NONE || law->kind > THUD_FRICTION_FIRM)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[bad-friction] system: friction law %d '%s': unknown kind %d",
                     (int)k, name, (int)law->kind);
  if (law->constraint < -1 || law->constraint >= def->m)
    return thud_fail(
        context, THUD_ERROR_ARGUMENT,
        "[bad-friction] system: friction law %d '%s' is of constraint %d; there are %d, numbered from 0 (-1: none)",
        (int)k, name, (int)law->constraint, (int)def->m);
  if (law->constraint >= 0 && def->constraints[law->constraint].kind >= THUD_CONSTRAINT_VELOCITY)
    return thud_fail(
        context, THUD_ERROR_UNSUPPORTED,
        "[bad-friction] system: friction law %d '%s': constraint %d '%s' is a velocity constraint, friction needs a "
        "unilateral or bilateral one",
        (int)k, name, (int)law->constraint, name_or(def->constraints[law->constraint].name));
  if (law->directions < 1)
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "[bad-friction] system: friction law %d '%s' has %d slip directions, at least 1 is needed", (int)k,
                     name, (int)law->directions);
  bool unilateral = law->constraint >= 0 && def->constraints[law->constraint].kind == THUD_CONSTRAINT_UNILATERAL;
  if (law->kind == THUD_FRICTION_FIRM && !unilateral)
    return thud_fail(
        context, THUD_ERROR_ARGUMENT,
        "[bad-friction] system: friction law %d '%s' holds while a contact lasts: it belongs to a unilateral "
        "constraint; what holds always is a velocity constraint",
        (int)k, name);
  if (law->kind != THUD_FRICTION_SET) return THUD_OK;
  if (law->set == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[bad-friction] system: friction law %d '%s' has no set", (int)k,
                     name);
  if (thud_set_dimension(law->set) != law->directions)
    return thud_fail(context, THUD_ERROR_DIMENSION,
                     "[bad-friction] system: friction law %d '%s': the set has dimension %d, the slip velocity %d",
                     (int)k, name, (int)thud_set_dimension(law->set), (int)law->directions);
  return THUD_OK;
}

thud_error thud_model_check_size(thud_context *context, const thud_system_def *def) {
  if (def->n <= THUD_METRIC_DENSE_MAX || def->patterns != NULL) return THUD_OK;
  return thud_fail(context, THUD_ERROR_OVERFLOW,
                   "system: %d coordinates; without patterns of the matrices at most %d are possible", (int)def->n,
                   THUD_METRIC_DENSE_MAX);
}

thud_error thud_model_check_definition(thud_context *context, const thud_system_def *def) {
  if (def->n < 1)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "system: %d coordinates, at least 1 is needed", (int)def->n);
  if (def->m < 0 || def->laws < 0)
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "[bad-friction] system: %d constraints and %d friction laws; needed >= 0", (int)def->m,
                     (int)def->laws);
  if (def->coordinates == NULL || (def->m > 0 && def->constraints == NULL) || (def->laws > 0 && def->friction == NULL))
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "system: coordinates, constraints or friction is NULL although its count is not 0");
  thud_error error = check_names(context, "coordinate", def->n, def->coordinates, sizeof def->coordinates[0], false);
  if (error == THUD_OK && def->m > 0)
    error = check_names(context, "constraint", def->m, &def->constraints[0].name, sizeof def->constraints[0], true);
  if (error == THUD_OK && def->laws > 0)
    error = check_names(context, "friction law", def->laws, &def->friction[0].name, sizeof def->friction[0], true);
  for (thud_index i = 0; i < def->m && error == THUD_OK; i++) error = check_constraint(context, def, i);
  for (thud_index k = 0; k < def->laws && error == THUD_OK; k++) error = check_law(context, def, k);
  return error;
}
