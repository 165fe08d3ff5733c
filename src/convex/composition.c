/* Composed friction laws (Moreau, "Application of convex analysis to some problems of dry friction", 1977).
 *
 * Elements k with laws -s_k in N_{C_k}(F_k); their slip velocities are s = A W + B u, W driven, u internal. The internal
 * ones are free: B'F = 0. With E = { F in C_1 x ... x C_k : B'F = 0 } the resistance to W is G = A'F, and
 *   -W in N_D(G),  D = A'E                                        (Proposition 1: D is C and the complement of W's space)
 *   gamma(W) = sup { -W.G : G in D } = min over u of sum phi_k(s_k)   (Proposition 2: minimum dissipation),
 * phi_k(s) = sup { -s.F : F in C_k }. So F maximises -(A W).F over E, and the multipliers of B'F = 0 are the u that
 * minimise: -A W = sum of normals -s_k + B u. */
#include "convex/elements.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* An answer whose conditions hold to this part is one. */
static const double accepted_residual = 1e-9;
/* Forces in equilibrium may all be 0: what is left is rounding up to accepted_residual times this part of the laws. */
static const double cancelled = 1e-3;

struct thud_composition {
  thud_context *context;
  thud_index driven, internal, rows;
  thud_set *elements;                   /* E */
  double *A, *B;                        /* [driven*rows] and [internal*rows]: one row per velocity */
  double *parameters;                   /* of E */
  size_t law_count;                     /* of them, behind B */
  double *drive;                        /* [rows] A W */
  double *direction;                    /* [rows] -A W times the sizes of the laws, divided by speed */
  double speed;                         /* a power of 2 near the length of the former; 0: at rest */
  double *forces;                       /* [rows] F */
  double *slip, *point;                 /* [rows] */
  double *force;                        /* [driven] G */
  double *velocity;                     /* [internal] u */
  thud_range *ranges;                   /* [driven + internal] */
  double *functions;                    /* [driven*rows] A in the variables of E, and */
  double *scale;                        /* [driven] what they have been divided by */
  double *work;                         /* [3*rows] */
  double *terms;                        /* [rows] of the slips */
  double *force_scale, *velocity_scale; /* [driven], [internal] */
};

/* ---- life -------------------------------------------------------------------------------------------- */

void thud_composition_destroy(thud_composition *c) {
  if (c == NULL) return;
  double *const arrays[] = {c->A,    c->B,     c->parameters,  c->drive,         c->direction, c->forces,
                            c->slip, c->point, c->force,       c->velocity,      c->functions, c->scale,
                            c->work, c->terms, c->force_scale, c->velocity_scale};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(c->context, arrays[k]);
  thud_free(c->context, c->ranges);
  thud_set_destroy(c->elements);
  thud_free(c->context, c);
}

static bool allocate(thud_composition *c) {
  size_t rows = (size_t)c->rows, driven = (size_t)c->driven, internal = (size_t)c->internal, entries[2];
  if (!thud_size_multiply(driven, rows, &entries[0]) || !thud_size_multiply(internal, rows, &entries[1])) return false;
  struct {
    double **place;
    size_t count;
  } const wanted[] = {{&c->A, entries[0]},
                      {&c->B, entries[1]},
                      {&c->parameters, entries[1] + c->law_count},
                      {&c->direction, rows},
                      {&c->forces, rows},
                      {&c->slip, rows},
                      {&c->point, rows},
                      {&c->force, driven},
                      {&c->velocity, internal},
                      {&c->drive, rows},
                      {&c->scale, driven},
                      {&c->functions, entries[0]},
                      {&c->work, 3 * rows},
                      {&c->terms, rows},
                      {&c->force_scale, driven},
                      {&c->velocity_scale, internal}};
  for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
    *wanted[k].place = THUD_NEW_ARRAY(c->context, double, wanted[k].count);
    if (*wanted[k].place == NULL) return false;
  }
  c->ranges = THUD_NEW_ARRAY(c->context, thud_range, driven + internal);
  return c->ranges != NULL;
}

static thud_error check_sizes(thud_context *context, thud_index driven, thud_index internal, thud_index count,
                              thud_set *const *laws, thud_index *rows, size_t *parameters) {
  thud_error error = thud_check_at_least(context, "composed law", "the number of driven velocities", driven, 1);
  if (error == THUD_OK)
    error = thud_check_at_least(context, "composed law", "the number of internal velocities", internal, 0);
  if (error == THUD_OK) error = thud_check_operands(context, "composed law", count, laws, rows);
  if (error != THUD_OK) return error;
  size_t total = 0;
  for (thud_index k = 0; k < count; k++) {
    total += (size_t)laws[k]->n;
    *parameters += laws[k]->parameter_count;
  }
  if (total > INT32_MAX / 4)
    return thud_fail(context, THUD_ERROR_OVERFLOW, "composed law: %zu slips are too many", total);
  *rows = (thud_index)total;
  return THUD_OK;
}

thud_error thud_composition_create(thud_context *context, thud_index driven, thud_index internal, thud_index count,
                                   thud_set *const *laws, thud_composition **composition) {
  THUD_REQUIRE(context, context, laws, composition);
  thud_index rows = 0;
  size_t parameters = 0;
  thud_error error = check_sizes(context, driven, internal, count, laws, &rows, &parameters);
  if (error != THUD_OK) return error;
  thud_composition *c = THUD_NEW(context, thud_composition);
  if (c == NULL) return THUD_ERROR_MEMORY;
  *c = (thud_composition){
      .context = context, .driven = driven, .internal = internal, .rows = rows, .law_count = parameters};
  error = allocate(c) ? THUD_OK : THUD_ERROR_MEMORY;
  if (error == THUD_OK) error = thud_set_elements(context, count, laws, internal, c->B, &c->elements);
  if (error != THUD_OK) {
    thud_composition_destroy(c);
    return error;
  }
  thud_set_get_parameters(c->elements, c->parameters);
  *composition = c;
  return THUD_OK;
}

thud_error thud_composition_place(thud_composition *c, const double *parameters, const double *A, const double *B) {
  THUD_REQUIRE_OF(c, A, B || c->internal == 0);
  size_t rows = (size_t)c->rows, driven = (size_t)c->driven, internal = (size_t)c->internal;
  for (size_t k = 0; k < rows * driven; k++)
    if (!isfinite(A[k])) return thud_fail(c->context, THUD_ERROR_NOT_FINITE, "composed law: A[%zu] is %g", k, A[k]);
  for (size_t r = 0; r < rows; r++)
    for (size_t j = 0; j < internal; j++) c->parameters[j * rows + r] = B[r * internal + j];
  if (parameters != NULL && c->law_count > 0)
    memcpy(c->parameters + internal * rows, parameters, c->law_count * sizeof *parameters);
  thud_error error = thud_set_set_parameters(c->elements, c->parameters);
  if (error != THUD_OK) {
    thud_set_get_parameters(c->elements, c->parameters);
    return error;
  }
  memcpy(c->B, c->parameters, internal * rows * sizeof *B);
  for (size_t r = 0; r < rows; r++)
    for (size_t j = 0; j < driven; j++) c->A[j * rows + r] = A[r * driven + j];
  return THUD_OK;
}

/* ---- the answer -------------------------------------------------------------------------------------- */

/* The multipliers of the rows that the elements own themselves. */
static void take_velocity(thud_composition *c, const thud_lift_solution *solution) {
  for (thud_index i = 0; i < solution->lift->equalities; i++)
    if (solution->lift->owner[i] == c->elements)
      c->velocity[solution->lift->owner_row[i]] = c->speed * solution->rows[i];
}

/* s = A W + B u, G = A'F. */
static void combine(thud_composition *c) {
  for (thud_index r = 0; r < c->rows; r++) {
    double slip = c->drive[r];
    for (thud_index j = 0; j < c->internal; j++) slip += c->B[(size_t)j * (size_t)c->rows + (size_t)r] * c->velocity[j];
    c->slip[r] = slip;
  }
  for (thud_index j = 0; j < c->driven; j++)
    c->force[j] = thud_vector_dot(c->rows, c->A + (size_t)j * (size_t)c->rows, c->forces);
}

/* sum of phi_k(s_k), which is at least the minimum, and at its place, being a minimum, known to the square of the
 * error of u. */
static thud_error dissipate(thud_composition *c, double *dissipation, thud_set_info *info) {
  *dissipation = 0;
  for (thud_index k = 0, first = 0; k < c->elements->child_count; first += c->elements->children[k++]->n) {
    thud_set *law = c->elements->children[k];
    double part = 0;
    thud_set_info found;
    for (thud_index i = 0; i < law->n; i++) c->point[first + i] = -c->slip[first + i];
    thud_error error = thud_set_support(law, c->point + first, &part, NULL, &found);
    if (error != THUD_OK) return error;
    *dissipation += part;
    thud_info_join(info, &found);
  }
  return THUD_OK;
}

/* Does a law not allow 0? */
static thud_error has_load(thud_composition *c, bool *found) {
  thud_error error = THUD_OK;
  *found = false;
  for (thud_index k = 0; k < c->elements->child_count && !*found && error == THUD_OK; k++) {
    thud_set *law = c->elements->children[k];
    thud_metric_view euclidean = thud_view_euclidean(law->n);
    thud_set_info info;
    memset(c->work, 0, (size_t)law->n * sizeof *c->work);
    error = thud_set_project_view(law, &euclidean, c->work, c->work + law->n, &info);
    *found = thud_vector_max(law->n, c->work + law->n) > 0;
  }
  return error;
}

/* W = 0 (or no slip by it): nothing moves, and every force in equilibrium will do: the least one in parts of the sizes,
 * which is 0 but for loads. */
static thud_error rest(thud_composition *c, thud_set_info *info) {
  const double *sizes = thud_set_elements_sizes(c->elements);
  bool loaded;
  thud_error error = has_load(c, &loaded);
  memset(c->forces, 0, (size_t)c->rows * sizeof *c->forces);
  memset(c->velocity, 0, (size_t)c->internal * sizeof *c->velocity);
  *info = (thud_set_info){.exactness = THUD_EXACT, .converged = true};
  if (error != THUD_OK || !loaded) return error;
  error = thud_set_project(c->elements, NULL, c->forces, c->forces, info);
  for (thud_index r = 0; r < c->rows && error == THUD_OK; r++) c->forces[r] *= sizes[r];
  return error;
}

/* The direction in the variables z = F / size, at a length from 1 to 2: -(A W).F = -sum (size_r (A W)_r) z_r. Neither
 * the units of the velocities nor those of the forces are left in it. */
static void direct(thud_composition *c, const double *W) {
  const double *sizes = thud_set_elements_sizes(c->elements);
  int exponent = 0;
  for (thud_index r = 0; r < c->rows; r++) {
    double terms = 0;
    c->drive[r] = 0;
    for (thud_index j = 0; j < c->driven; j++) {
      double term = c->A[(size_t)j * (size_t)c->rows + (size_t)r] * W[j];
      c->drive[r] += term;
      terms += fabs(term);
    }
    if (fabs(c->drive[r]) <= (double)c->driven * DBL_EPSILON * terms) c->drive[r] = 0; /* velocities that cancel */
    c->direction[r] = -sizes[r] * c->drive[r];
  }
  double length = thud_vector_norm(c->rows, c->direction);
  if (length > 0) frexp(length, &exponent);
  c->speed = length > 0 ? ldexp(1, exponent - 1) : 0;
  for (thud_index r = 0; r < c->rows && c->speed > 0; r++) c->direction[r] /= c->speed;
}

/* ---- how good it is ---------------------------------------------------------------------------------- */

/* A velocity is large or small beside the power of the laws that it moves, divided by their force against it, *force.
 * column[rows]: its coefficients. */
static double velocity_scale(const thud_composition *c, const double *column, double *force) {
  const double *sizes = thud_set_elements_sizes(c->elements);
  double power = 0;
  *force = 0;
  for (thud_index r = 0; r < c->rows; r++) {
    double part = fabs(column[r]) * sizes[r];
    power += part > 0 ? sizes[r] * c->terms[r] : 0;
    *force += part;
  }
  return *force > 0 ? power / *force : 0;
}

static void add_terms(const thud_composition *c, const double *column, double velocity, double *terms) {
  for (thud_index r = 0; r < c->rows; r++) terms[r] += fabs(column[r] * velocity);
}

/* Scales against which components are large or small, free of units: for G_j the laws behind it, velocities as above. To
 * the sums of the sizes of the terms of the slips is added a part of these: velocities that cancel are 0, and
 * coefficients that should be, up to rounding. */
static void find_scales(thud_composition *c, const double *W) {
  size_t rows = (size_t)c->rows;
  double force, *more = c->work;
  memset(c->terms, 0, rows * sizeof *c->terms);
  memset(more, 0, rows * sizeof *more);
  for (thud_index j = 0; j < c->driven; j++) add_terms(c, c->A + (size_t)j * rows, W[j], c->terms);
  for (thud_index j = 0; j < c->internal; j++) add_terms(c, c->B + (size_t)j * rows, c->velocity[j], c->terms);
  for (thud_index j = 0; j < c->driven; j++) {
    double scale = velocity_scale(c, c->A + (size_t)j * rows, &c->force_scale[j]);
    add_terms(c, c->A + (size_t)j * rows, cancelled * scale, more);
  }
  for (thud_index j = 0; j < c->internal; j++) {
    c->velocity_scale[j] = velocity_scale(c, c->B + (size_t)j * rows, &force);
    add_terms(c, c->B + (size_t)j * rows, cancelled * c->velocity_scale[j], more);
  }
  for (size_t r = 0; r < rows; r++) c->terms[r] += more[r];
}

/* F = proj(F - h s) in the metric of the sizes, in parts of the sizes: h turns the largest slip of the law into its
 * largest force, so that an error of a slip has the weight of one of a force. */
static thud_error law_residual(thud_composition *c, thud_set *law, thud_index first, double *residual) {
  const double *sizes = thud_set_elements_sizes(c->elements) + first, *F = c->forces + first;
  double *metric = c->work, *y = metric + law->n, *p = y + law->n, power = 0;
  thud_set_info info;
  for (thud_index i = 0; i < law->n; i++) power = fmax(power, sizes[i] * c->terms[first + i]);
  for (thud_index i = 0; i < law->n; i++) {
    double part = sizes[0] / sizes[i];
    metric[i] = part * part;
    y[i] = F[i] - (power > 0 ? sizes[i] * (sizes[i] * c->slip[first + i] / power) : 0);
  }
  thud_metric_view view = thud_view_of_diagonal(law->n, metric);
  bool even = true;
  for (thud_index i = 0; i < law->n; i++) even = even && metric[i] == 1;
  if (even) view = thud_view_euclidean(law->n);
  thud_error error = thud_set_project_view(law, &view, y, p, &info);
  for (thud_index i = 0; error == THUD_OK && i < law->n; i++) *residual = fmax(*residual, fabs(F[i] - p[i]) / sizes[i]);
  return error;
}

/* |B_j.F| relative to its terms, and where these cancel to the laws behind them. */
static double equilibrium_residual(const thud_composition *c, thud_index j) {
  const double *B = c->B + (size_t)j * (size_t)c->rows, *sizes = thud_set_elements_sizes(c->elements);
  double sum = 0, terms = 0;
  for (thud_index r = 0; r < c->rows; r++) {
    sum += B[r] * c->forces[r];
    terms += fabs(B[r]) * (fabs(c->forces[r]) + cancelled * sizes[r]);
  }
  return terms > 0 ? fabs(sum) / terms : 0;
}

/* Residual of the conditions, free of units: of every law relative to its size, of every equation relative to its
 * terms. */
static thud_error judge(thud_composition *c, double *residual) {
  thud_error error = THUD_OK;
  *residual = 0;
  for (thud_index k = 0, first = 0; k < c->elements->child_count && error == THUD_OK;
       first += c->elements->children[k++]->n)
    error = law_residual(c, c->elements->children[k], first, residual);
  for (thud_index j = 0; j < c->internal; j++) *residual = fmax(*residual, equilibrium_residual(c, j));
  return error;
}

/* ---- ranges ------------------------------------------------------------------------------------------ */

/* Functions A of F become functions of z = F / size, of lengths from 1 to 2: row j is scale[j] times row j of scaled. */
static void scale_functions(const thud_composition *c, double *scaled, double *scale) {
  const double *sizes = thud_set_elements_sizes(c->elements);
  for (thud_index j = 0; j < c->driven; j++) {
    double *row = scaled + (size_t)j * (size_t)c->rows;
    int exponent = 0;
    for (thud_index r = 0; r < c->rows; r++) row[r] = c->A[(size_t)j * (size_t)c->rows + (size_t)r] * sizes[r];
    double length = thud_vector_norm(c->rows, row);
    if (length > 0) frexp(length, &exponent);
    scale[j] = length > 0 ? ldexp(1, exponent - 1) : 1;
    for (thud_index r = 0; r < c->rows; r++) row[r] /= scale[j];
  }
}

/* At rest every force in equilibrium will do, and the internal velocities are not examined. */
static thud_error find_ranges(thud_composition *c) {
  thud_lift_solution solution;
  thud_range *velocities = c->ranges + c->driven;
  thud_error error = THUD_OK;
  scale_functions(c, c->functions, c->scale);
  if (c->speed > 0) {
    thud_set_elements_solution(c->elements, &solution);
    error = thud_elements_velocity_ranges(c->elements, &solution, c->direction, velocities);
  }
  if (error == THUD_OK)
    error = thud_elements_force_ranges(c->elements, c->speed > 0 ? &solution : NULL, c->direction, c->driven,
                                       c->functions, c->ranges);
  for (thud_index j = 0; j < c->driven; j++)
    c->ranges[j] = (thud_range){c->scale[j] * c->ranges[j].low, c->scale[j] * c->ranges[j].high};
  for (thud_index j = 0; j < c->internal; j++)
    velocities[j] = c->speed > 0 ? (thud_range){c->speed * velocities[j].low, c->speed * velocities[j].high}
                                 : (thud_range){NAN, NAN};
  return error;
}

/* The value itself is in its range, whatever the rounding. */
static void widen(thud_range range, double value, double *low, double *high) {
  *low = isnan(range.low) ? NAN : fmin(range.low, value);
  *high = isnan(range.high) ? NAN : fmax(range.high, value);
}

static void hand_out(const thud_composition *c, thud_composition_answer *answer) {
  answer->force = c->force;
  answer->velocity = c->velocity;
  answer->slip = c->slip;
  answer->forces = c->forces;
  answer->force_scale = c->force_scale;
  answer->velocity_scale = c->velocity_scale;
}

/* Does an internal velocity change the slip of this law? */
static bool is_reached(const thud_composition *c, const thud_set *law, thud_index first) {
  double reached = 0;
  for (thud_index j = 0; j < c->internal; j++)
    reached = fmax(reached, thud_vector_max(law->n, c->B + (size_t)j * (size_t)c->rows + (size_t)first));
  return reached > 0;
}

/* True if a law that no internal velocity reaches has no force against its slip. An unbounded law has no size to compare
 * with, so it is asked by itself. */
static thud_error is_forbidden(thud_composition *c, bool *forbidden) {
  *forbidden = false;
  for (thud_index k = 0, first = 0; k < c->elements->child_count && !*forbidden;
       first += c->elements->children[k++]->n) {
    thud_set *law = c->elements->children[k];
    double value = 0;
    thud_set_info info;
    if (is_reached(c, law, first) || thud_set_get_abilities(law).is_bounded) continue;
    for (thud_index i = 0; i < law->n; i++) c->work[i] = -c->drive[first + i];
    thud_error error = thud_set_support_inside(law, c->work, &value, c->work + law->n, &info);
    if (error != THUD_OK) return error;
    *forbidden = !isfinite(value);
  }
  return THUD_OK;
}

/* Forces that are outside of their laws by rounding are moved into them: laws that allow none have none. */
static thud_error move_inside(thud_composition *c) {
  thud_error error = THUD_OK;
  for (thud_index k = 0, first = 0; k < c->elements->child_count && error == THUD_OK;
       first += c->elements->children[k++]->n) {
    thud_set *law = c->elements->children[k];
    thud_metric_view euclidean = thud_view_euclidean(law->n);
    thud_set_info info;
    if (thud_set_get_abilities(law).projection != THUD_EXACT) continue;
    error = thud_set_project_view(law, &euclidean, c->forces + first, c->work, &info);
    if (error == THUD_OK) memcpy(c->forces + first, c->work, (size_t)law->n * sizeof *c->work);
  }
  return error;
}

/* The slip of a law that no internal velocity reaches is given, and so is its force, whatever the others do: in the sum of
 * all a weak one is lost beside strong ones. */
static thud_error answer_alone(thud_composition *c) {
  thud_error error = THUD_OK;
  for (thud_index k = 0, first = 0; k < c->elements->child_count && error == THUD_OK;
       first += c->elements->children[k++]->n) {
    thud_set *law = c->elements->children[k];
    double largest = thud_vector_max(law->n, c->drive + first), value = 0, *toward = c->work, *F = toward + law->n;
    thud_set_info info;
    if (is_reached(c, law, first) || largest == 0 || !thud_set_get_abilities(law).is_bounded) continue;
    for (thud_index i = 0; i < law->n; i++) toward[i] = -c->drive[first + i] / largest;
    error = thud_set_support_inside(law, toward, &value, F, &info);
    if (error == THUD_OK && info.converged) memcpy(c->forces + first, F, (size_t)law->n * sizeof *F);
  }
  return error;
}

/* F and u of the direction; *value: -(A W).F, infinite where no force resists. */
static thud_error find_answer(thud_composition *c, double *value, thud_set_info *info) {
  const double *sizes = thud_set_elements_sizes(c->elements);
  thud_lift_solution solution;
  bool forbidden;
  *info = (thud_set_info){.exactness = THUD_EXACT, .converged = true};
  *value = INFINITY;
  thud_error error = is_forbidden(c, &forbidden);
  if (error == THUD_OK && !forbidden) error = thud_set_support(c->elements, c->direction, value, c->forces, info);
  if (error != THUD_OK || !isfinite(*value)) return error;
  thud_set_elements_solution(c->elements, &solution);
  take_velocity(c, &solution);
  info->gap *= c->speed;
  for (thud_index r = 0; r < c->rows; r++) c->forces[r] *= sizes[r];
  error = answer_alone(c);
  *value = -thud_vector_dot(c->rows, c->drive, c->forces);
  return error == THUD_OK ? move_inside(c) : error;
}

thud_error thud_composition_solve(thud_composition *c, const double *W, thud_composition_answer *answer) {
  THUD_REQUIRE_OF(c, W, answer);
  thud_composition_answer found = {.admissible = true};
  thud_error error = THUD_OK;
  double value = 0, upper = 0;
  direct(c, W);
  if (c->speed == 0)
    error = rest(c, &found.info);
  else
    error = find_answer(c, &value, &found.info);
  if (error != THUD_OK) return error;
  hand_out(c, &found);
  found.admissible = isfinite(value);
  if (!found.admissible) { /* no force of the laws resists: the velocity is impossible */
    found.dissipation = value;
    *answer = found;
    return THUD_OK;
  }
  combine(c);
  find_scales(c, W);
  error = dissipate(c, &upper, &found.info);
  if (error == THUD_OK) error = judge(c, &found.residual);
  if (error != THUD_OK) return error;
  found.info.converged = found.residual <= accepted_residual;
  /* A slip that a law without bounds forbids is 0 to rounding only: then the value from below counts. */
  found.dissipation = isfinite(upper) ? upper : value;
  found.gap = isfinite(upper) ? fabs(upper - value) : found.info.gap;
  *answer = found;
  return THUD_OK;
}

thud_error thud_composition_ranges(thud_composition *c, double *force_low, double *force_high, double *velocity_low,
                                   double *velocity_high) {
  THUD_REQUIRE_OF(c, force_low, force_high, velocity_low || c->internal == 0, velocity_high || c->internal == 0);
  thud_error error = find_ranges(c);
  if (error != THUD_OK) return error;
  for (thud_index j = 0; j < c->driven; j++) widen(c->ranges[j], c->force[j], &force_low[j], &force_high[j]);
  for (thud_index j = 0; j < c->internal; j++)
    widen(c->ranges[c->driven + j], c->velocity[j], &velocity_low[j], &velocity_high[j]);
  return THUD_OK;
}
