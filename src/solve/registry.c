#include "base/base.h"
#include "contact/discs.h"
#include "solve/method.h"

#include <string.h>

/* Every method; the first is taken when none is named. See method.h on how to add one. */
static const thud_solver_method *const registry[] = {
    &thud_method_auto,           &thud_method_gauss_seidel,
    &thud_method_lemke,          &thud_method_projected_gradient,
    &thud_method_newton,         &thud_method_fischer_burmeister,
    &thud_method_proximal_point, &thud_method_interior_point,
    &thud_method_accelerated,    &thud_method_extragradient,
    &thud_method_admm,           &thud_method_anderson,
    &thud_method_newton_krylov,
};

size_t thud_solver_method_count(void) { return sizeof registry / sizeof *registry; }

const thud_solver_method *thud_solver_method_at(size_t k) {
  return k < thud_solver_method_count() ? registry[k] : NULL;
}

const thud_solver_method *thud_solver_method_find(const char *name) {
  THUD_REQUIRE_OR(NULL, name);
  for (size_t k = 0; name != NULL && k < thud_solver_method_count(); k++)
    if (strcmp(registry[k]->name, name) == 0) return registry[k];
  return NULL;
}

const thud_solver_method *thud_solver_method_direct(size_t k) {
  for (size_t i = 0; i < thud_solver_method_count(); i++)
    if (registry[i]->direct && k-- == 0) return registry[i];
  return NULL;
}

const char *thud_solver_method_name(const thud_solver_method *method) {
  THUD_REQUIRE_OR(NULL, method);
  return method->name;
}
const char *thud_solver_method_summary(const thud_solver_method *method) {
  THUD_REQUIRE_OR(NULL, method);
  return method->summary;
}
unsigned thud_solver_method_accepts(const thud_solver_method *method) {
  THUD_REQUIRE_OR(0, method);
  return method->accepts;
}

static bool has_laws(const thud_contact_problem *problem) {
  for (thud_index k = 0; problem->laws != NULL && k < problem->contacts; k++)
    if (problem->laws[k] != NULL) return true;
  return false;
}

/* The bits a problem needs; 0 when its dimension or form is none of those known. */
static unsigned bits_of(const thud_contact_problem *problem) {
  unsigned bits = 0;
  const thud_disc_layout *layout = thud_disc_layout_of(problem->dimension, problem->friction);
  if (layout == NULL) return 0;
  if (layout->count == 0)
    bits |= THUD_ACCEPTS_LCP;
  else
    bits |= layout->width[0] == 1 ? THUD_ACCEPTS_2D : THUD_ACCEPTS_3D;
  if (thud_disc_layout_uses(layout, THUD_COEFFICIENT_ROLLING)) bits |= THUD_ACCEPTS_ROLLING;
  if (thud_disc_layout_uses(layout, THUD_COEFFICIENT_SPINNING)) bits |= THUD_ACCEPTS_SPINNING;
  switch (problem->form) {
  case THUD_FORM_LOCAL:
    bits |= THUD_ACCEPTS_LOCAL;
    if (problem->W.storage == THUD_MATRIX_OPERATOR) bits |= THUD_ACCEPTS_OPERATOR;
    break;
  case THUD_FORM_GLOBAL: bits |= THUD_ACCEPTS_GLOBAL; break;
  case THUD_FORM_TWO_BLOCK: bits |= THUD_ACCEPTS_TWO_BLOCK; break;
  default: return 0;
  }
  if (has_laws(problem)) bits |= THUD_ACCEPTS_LAWS;
  if (problem->bilateral > 0) bits |= THUD_ACCEPTS_BILATERAL;
  return bits;
}

bool thud_solver_method_takes_kind(const thud_solver_method *method, const thud_contact_problem *problem) {
  unsigned bits = bits_of(problem);
  return bits != 0 && (bits & ~method->accepts) == 0;
}

static unsigned form_bit(thud_contact_form form) {
  return form == THUD_FORM_LOCAL    ? THUD_ACCEPTS_LOCAL
         : form == THUD_FORM_GLOBAL ? THUD_ACCEPTS_GLOBAL
                                    : THUD_ACCEPTS_TWO_BLOCK;
}

bool thud_solver_method_sees(const thud_solver_method *method, const thud_contact_problem *problem) {
  if ((method->native & form_bit(problem->form)) == 0) return false;
  return problem->form == THUD_FORM_LOCAL || method->sees == NULL || method->sees(problem);
}

static thud_method_limit limit_of(const thud_solver_method *method, const thud_contact_problem *problem) {
  return method->limit != NULL ? method->limit(problem) : (thud_method_limit){.most = SIZE_MAX};
}

bool thud_solver_method_takes(const thud_solver_method *method, const thud_contact_problem *problem) {
  THUD_REQUIRE_OR(false, method, problem);
  if (!thud_solver_method_takes_kind(method, problem)) return false;
  thud_method_limit limit = limit_of(method, problem);
  return limit.count <= limit.most;
}

thud_error thud_solver_refuse(thud_context *context, const thud_solver_method *method,
                              const thud_contact_problem *problem) {
  if (thud_solver_method_takes_kind(method, problem)) {
    thud_method_limit limit = limit_of(method, problem);
    return thud_fail(context, THUD_ERROR_UNSUPPORTED, "method '%s' takes at most %zu %s, this problem has %zu",
                     method->name, limit.most, limit.what, limit.count);
  }
  if (problem->form == THUD_FORM_LOCAL && problem->W.storage == THUD_MATRIX_OPERATOR)
    return thud_fail(context, THUD_ERROR_UNSUPPORTED,
                     "method '%s' needs the entries of W, which is an operator: assemble it, or choose accelerated, "
                     "extragradient, projected-gradient or auto",
                     method->name);
  return thud_fail(context, THUD_ERROR_UNSUPPORTED, "method '%s' does not take this problem (%s%s%s); it is: %s",
                   method->name, thud_contact_kind_name(problem), problem->laws != NULL ? ", general laws" : "",
                   problem->bilateral > 0 ? ", bilateral rows" : "", method->summary);
}
