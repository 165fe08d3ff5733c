/* The series of an arc. */
#include "sim/arc.h"

#include "sim/arc_root.h"

#include "sim/motion.h"

#include <float.h>

thud_error thud_arc_create(thud_context *context, const thud_system *system, int order, sim_arc **arc) {
  sim_arc *made = THUD_NEW(context, sim_arc);
  if (made == NULL) return THUD_ERROR_MEMORY;
  *made = (sim_arc){.context = context, .system = system, .order = order, .n = system->n, .m = system->m};
  made->constant_mass = thud_system_has_constant_mass(system);
  thud_error error = thud_model_get_jets(system, context, &made->jets);
  if (error == THUD_OK) error = thud_expr_work_create(context, made->jets.program, order, &made->work);
  if (error != THUD_OK) {
    thud_arc_destroy(made);
    return error;
  }
  made->switches = (size_t)thud_expr_program_switch_count(made->jets.program);
  size_t n = made->n, m = made->m, p = (size_t)order, count = made->jets.layout.count, total = 0;
  const struct {
    double **array;
    size_t size;
  } parts[] = {{&made->variables, 1 + 2 * n},
               {&made->jet, (p + 1) * count},
               {&made->switch_jet, (p + 1) * made->switches},
               {&made->q, (p + 3) * n},
               {&made->v, (p + 2) * n},
               {&made->a, (p + 1) * n},
               {&made->reaction, (p + 1) * m},
               {&made->factor, n * n},
               {&made->response, m * n},
               {&made->delassus, m * m},
               {&made->free, n},
               {&made->drift, m},
               {&made->size, m}};
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) total += parts[k].size;
  double *next = made->numbers = THUD_NEW_ARRAY(context, double, total);
  if (next == NULL) {
    thud_arc_destroy(made);
    return THUD_ERROR_MEMORY;
  }
  for (size_t k = 0; k < sizeof parts / sizeof *parts; next += parts[k].size, k++) *parts[k].array = next;
  *arc = made;
  return THUD_OK;
}

void thud_arc_destroy(sim_arc *arc) {
  if (arc == NULL) return;
  thud_expr_work_destroy(arc->work);
  thud_free(arc->context, arc->numbers);
  thud_free(arc->context, arc);
}

/* ---- one order ----------------------------------------------------------------------------------------------------
 */

/* What is not finite, in words of the expressions. */
static thud_error not_finite(const sim_arc *arc, int k, size_t output) {
  thud_expr_trouble trouble;
  if (!thud_expr_work_explain_jet(arc->work, (thud_index)output, k, &trouble))
    return thud_fail(arc->context, THUD_ERROR_NOT_FINITE, "t = %.10g: a coefficient of the series is not finite",
                     arc->t0);
  return thud_fail(arc->context, THUD_ERROR_NOT_FINITE,
                   "t = %.10g: no power series (coefficient %d of %s is not finite): %s", arc->t0, k,
                   thud_model_text_name(arc->system, trouble.source), trouble.message);
}

/* Order k of everything that depends on t, q, v alone. */
static thud_error evaluate(sim_arc *arc, int k) {
  const model_jets *jets = &arc->jets;
  size_t n = arc->n, count = jets->layout.count;
  const double *q = arc->q + (size_t)k * n, *v = arc->v + (size_t)k * n;
  double *out = arc->jet + (size_t)k * count, sum = 0;
  arc->variables[jets->slot_t] = k == 0 ? arc->t0 : k == 1;
  for (size_t i = 0; i < n; i++) {
    arc->variables[jets->slot_q[i]] = q[i];
    arc->variables[jets->slot_v[i]] = v[i];
  }
  thud_error error = thud_expr_work_jet(arc->work, k, arc->variables, out);
  if (error != THUD_OK) return error;
  for (size_t i = 0; i < count; i++) sum += out[i] - out[i];
  for (size_t i = 0; sum != 0 && i < count; i++)
    if (!isfinite(out[i])) return not_finite(arc, k, i);
  return arc->switches > 0 ? thud_expr_work_switch_jet(arc->work, k, arc->switch_jet + (size_t)k * arc->switches)
                           : THUD_OK;
}

static void multiply_add(size_t n, const double *matrix, const double *x, double factor, double *y) {
  for (size_t i = 0; i < n; i++) y[i] += factor * motion_dot((thud_index)n, matrix + i * n, x);
}

thud_error thud_arc_begin(sim_arc *arc, double t, const double *q, const double *v) {
  size_t n = arc->n, m = arc->m;
  arc->t0 = t;
  memcpy(arc->q, q, n * sizeof *q);
  memcpy(arc->v, v, n * sizeof *v);
  memcpy(arc->q + n, v, n * sizeof *v);
  thud_error error = evaluate(arc, 0);
  if (error != THUD_OK) return error;
  const double *gradient = arc->jet + arc->jets.layout.gradient;
  error = thud_model_factorise(arc->system, arc->context, arc->jet + arc->jets.layout.mass, arc->factor);
  if (error != THUD_OK) return thud_fail_within(arc->context, error, "at t = %.10g", t);
  memcpy(arc->response, gradient, m * n * sizeof *gradient);
  for (size_t i = 0; i < m; i++) motion_solve_mass((thud_index)n, arc->factor, arc->response + i * n);
  for (size_t i = 0; i < m; i++)
    for (size_t l = 0; l <= i; l++)
      arc->delassus[i * m + l] = arc->delassus[l * m + i] =
          motion_dot((thud_index)n, gradient + i * n, arc->response + l * n);
  return THUD_OK;
}

/* The force of order k without M_0 a_k and the reactions of order k, into free. */
static void collect_forces(sim_arc *arc, int k) {
  const model_jet_layout *at = &arc->jets.layout;
  size_t n = arc->n, m = arc->m;
  memcpy(arc->free, thud_arc_jet(arc, k) + at->force, n * sizeof(double));
  for (int j = 1; j <= k; j++) {
    const double *jet = thud_arc_jet(arc, j), *reaction = arc->reaction + (size_t)(k - j) * m;
    if (!arc->constant_mass) multiply_add(n, jet + at->mass, arc->a + (size_t)(k - j) * n, -1, arc->free);
    for (size_t i = 0; i < m; i++)
      for (size_t c = 0; reaction[i] != 0 && c < n; c++) arc->free[c] += jet[at->gradient + i * n + c] * reaction[i];
  }
}

thud_error thud_arc_open_order(sim_arc *arc, int k) {
  const model_jet_layout *at = &arc->jets.layout;
  size_t n = arc->n;
  thud_error error = k == 0 ? THUD_OK : evaluate(arc, k);
  if (error != THUD_OK) return error;
  collect_forces(arc, k);
  motion_solve_mass((thud_index)n, arc->factor, arc->free);
  for (size_t i = 0; i < arc->m; i++) {
    double sum = thud_arc_jet(arc, k)[at->convective + i], size = fabs(sum);
    for (int j = 0; j <= k; j++) {
      const double *row = thud_arc_jet(arc, j) + at->gradient + i * n;
      const double *a = j == 0 ? arc->free : arc->a + (size_t)(k - j) * n;
      for (size_t c = 0; c < n; c++) {
        sum += row[c] * a[c];
        size += fabs(row[c] * a[c]);
      }
    }
    arc->drift[i] = sum;
    arc->size[i] = size;
  }
  return THUD_OK;
}

void thud_arc_close_order(sim_arc *arc, int k) {
  size_t n = arc->n;
  double *a = arc->a + (size_t)k * n, *v = arc->v + (size_t)(k + 1) * n, *q = arc->q + (size_t)(k + 2) * n;
  const double *reaction = arc->reaction + (size_t)k * arc->m;
  memcpy(a, arc->free, n * sizeof *a);
  for (size_t i = 0; i < arc->m; i++)
    for (size_t c = 0; reaction[i] != 0 && c < n; c++) a[c] += arc->response[i * n + c] * reaction[i];
  for (size_t c = 0; c < n; c++) {
    v[c] = a[c] / (k + 1);
    q[c] = v[c] / (k + 2);
  }
}

/* ---- step, values -------------------------------------------------------------------------------------------------
 */

enum { TAIL = 4 }; /* last coefficients that the step is taken from */

/* log2 of the least radius at which a late coefficient of the series is as large as an early one: |x_k| rho^k <= |x_j|
 * rho^j for some j <= last/2. */
static double log_radius(const double *x, size_t stride, int last) {
  double size[ARC_MAX_DEGREE + 3], radius = INFINITY;
  for (int k = 0; k <= last; k++) size[k] = k <= last / 2 || k > last - TAIL ? log2(fabs(x[(size_t)k * stride])) : 0;
  for (int k = last; k > last - TAIL; k--) {
    double best = -INFINITY;
    if (size[k] == -INFINITY) continue;
    for (int j = 0; j <= last / 2; j++) best = fmax(best, (size[j] - size[k]) / (k - j));
    if (best > -INFINITY) radius = fmin(radius, best);
  }
  return radius;
}

/* h = rho/e^2: the terms then fall by e^-2 each and what is cut off is e^(-2p) of them. Nothing in this depends on
 * units. Gaps, reactions and switches must converge as well, because events are read off them. */
double thud_arc_step(const sim_arc *arc, double longest) {
  const model_jet_layout *at = &arc->jets.layout;
  size_t count = at->count;
  double radius = INFINITY;
  for (size_t i = 0; i < arc->n; i++) radius = fmin(radius, log_radius(arc->q + i, arc->n, arc->order + 2));
  for (size_t i = 0; i < arc->m; i++) {
    thud_constraint_kind kind = thud_system_constraint(arc->system, (thud_index)i)->kind;
    if (kind == THUD_CONSTRAINT_UNILATERAL)
      radius = fmin(radius, log_radius(arc->jet + at->gap + i, count, arc->order));
    if (kind == THUD_CONSTRAINT_VELOCITY_ONE_SIDED)
      radius = fmin(radius, log_radius(arc->jet + at->velocity + i, count, arc->order));
    radius = fmin(radius, log_radius(arc->reaction + i, arc->m, arc->order));
  }
  for (size_t j = 0; j < arc->switches; j++)
    radius = fmin(radius, log_radius(arc->switch_jet + j, arc->switches, arc->order));
  return fmin(longest, exp2(radius) * exp(-2));
}

void thud_arc_state(const sim_arc *arc, double s, double *q, double *v) {
  size_t n = arc->n;
  int last = arc->order + 2;
  for (size_t i = 0; i < n; i++) {
    double x = arc->q[(size_t)last * n + i], y = arc->v[(size_t)(last - 1) * n + i];
    for (int k = last - 1; k >= 0; k--) x = x * s + arc->q[(size_t)k * n + i];
    for (int k = last - 2; k >= 0; k--) y = y * s + arc->v[(size_t)k * n + i];
    q[i] = x;
    v[i] = y;
  }
}

void thud_arc_output(const sim_arc *arc, size_t output, double *coefficients) {
  for (int k = 0; k <= arc->order; k++) coefficients[k] = thud_arc_jet(arc, k)[output];
}
