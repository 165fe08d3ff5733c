/* All solutions of rate problems and static problems: contacts in one or two components by their modes, one contact in
 * space by the roots of its slip equation. */
#include "base/base.h"
#include "motions/quasistatic/quasistatic_motion.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- the list ---------------------------------------------------------------------------------------------------- */

enum { FIGURES = 4 };

void thud_solutions_clear(elastic_solutions *list) {
  list->count = 0;
  list->mechanism = false;
  list->found = (thud_quasistatic_count){.complete = true, .why = ""};
}

void thud_solutions_destroy(elastic_solutions *list) {
  if (list->structure == NULL) return;
  thud_free(list->structure->context, list->values);
  thud_free(list->structure->context, list->modes);
  thud_free(list->structure->context, list->figures);
}

thud_quasistatic_solution thud_solutions_at(const elastic_solutions *list, size_t k) {
  size_t m = (size_t)list->structure->m, c = (size_t)list->structure->c;
  const double *figures = list->figures + FIGURES * k;
  return (thud_quasistatic_solution){.modes = list->modes + k * c,
                                     .u = list->values + 2 * m * k,
                                     .r = list->values + 2 * m * k + m,
                                     .continuum = figures[0] != 0,
                                     .energy = figures[1],
                                     .friction = figures[2],
                                     .release = figures[3]};
}

static double difference(size_t m, const double *a, const double *b) {
  double largest = 0;
  for (size_t i = 0; i < m; i++) largest = fmax(largest, fabs(a[i] - b[i]));
  return largest;
}

elastic_scales thud_solutions_scales(const elastic_structure *structure, const elastic_question *question,
                                     const double *u, const double *r) {
  size_t m = (size_t)structure->m;
  elastic_scales scales = {.u = thud_norm_max(NULL, m, u, NULL),
                           .r = fmax(thud_norm_max(NULL, m, r, NULL), thud_norm_max(NULL, m, question->f, NULL))};
  scales.u = fmax(scales.u, question->free);
  if (question->rates) return scales;
  scales.u = fmax(scales.u, thud_norm_max(NULL, m, question->before, NULL));
  return scales;
}

thud_error thud_solutions_add(elastic_solutions *list, const elastic_question *question, const double *u,
                              const double *r, const thud_elastic_mode *modes, bool continuum) {
  const elastic_structure *structure = list->structure;
  size_t m = (size_t)structure->m, c = (size_t)structure->c;
  elastic_scales scales = thud_solutions_scales(structure, question, u, r);
  for (size_t k = 0; k < list->count; k++) {
    thud_quasistatic_solution there = thud_solutions_at(list, k);
    double apart = 100 * question->tolerance;
    if (difference(m, there.u, u) <= apart * scales.u && difference(m, there.r, r) <= apart * scales.r) return THUD_OK;
  }
  thud_context *context = structure->context;
  size_t more = list->count + 1;
  thud_error error = thud_array_reserve(context, &list->values, &list->capacity, more, 2 * m * sizeof *list->values);
  if (error == THUD_OK)
    error = thud_array_reserve(context, &list->modes, &list->capacity_modes, more, c * sizeof *list->modes);
  if (error == THUD_OK)
    error = thud_array_reserve(context, &list->figures, &list->capacity_figures, more, FIGURES * sizeof *list->figures);
  if (error != THUD_OK) return error;
  memcpy(list->values + 2 * m * list->count, u, m * sizeof *u);
  memcpy(list->values + 2 * m * list->count + m, r, m * sizeof *r);
  memcpy(list->modes + c * list->count, modes, c * sizeof *modes);
  double *figures = list->figures + FIGURES * list->count;
  figures[0] = continuum;
  figures[1] = figures[2] = figures[3] = NAN;
  list->found.solutions = ++list->count;
  return THUD_OK;
}

/* u.K_c u/2 - f.u, which is U.KU/2 - F.U up to a constant of the load. */
static double energy_of(const elastic_structure *structure, const double *f, const double *u) {
  size_t m = (size_t)structure->m;
  double sum = 0;
  for (size_t i = 0; i < m; i++) {
    double row = 0;
    for (size_t j = 0; j < m; j++) row += structure->stiffness[i + j * m] * u[j];
    sum += (row / 2 - f[i]) * u[i];
  }
  return sum;
}

void thud_solutions_weigh(elastic_solutions *list, const double *f, const double *u) {
  const elastic_structure *structure = list->structure;
  double now = energy_of(structure, f, u);
  for (size_t k = 0; k < list->count; k++) {
    thud_quasistatic_solution there = thud_solutions_at(list, k);
    double *figures = list->figures + FIGURES * k;
    double loss = 0;
    for (thud_index i = 0; i < structure->c && structure->d > 1; i++) {
      thud_index N = i * structure->d;
      double slip = fabs(there.u[N + 1] - u[N + 1]);
      if (structure->d == 3) slip = hypot(slip, there.u[N + 2] - u[N + 2]);
      loss += structure->problem->mu[i] * there.r[N] * slip;
    }
    figures[1] = energy_of(structure, f, there.u);
    figures[2] = loss;
    figures[3] = now - figures[1] - loss;
  }
}

/* ---- one and two components -------------------------------------------------------------------------------------- */

/* Modes in the order in which they are tried: what is nearest to staying comes first. */
static const thud_elastic_mode try_order[] = {THUD_ELASTIC_STICK, THUD_ELASTIC_SLIP, THUD_ELASTIC_SLIP_BACK,
                                              THUD_ELASTIC_OPEN};
enum { MODES = 4 };

static bool has_friction(const elastic_structure *structure, thud_index i) {
  return structure->d > 1 && structure->problem->mu[i] > 0;
}

static bool may_be(const elastic_structure *structure, const elastic_question *question, thud_index i,
                   thud_elastic_mode mode) {
  elastic_standing standing = question->rates ? question->standing[i] : STANDING_TOUCHING;
  bool friction = has_friction(structure, i), closed = mode != THUD_ELASTIC_OPEN;
  if (structure->d == 1 && thud_mode_slips(mode)) return false;
  if (structure->d > 1 && !friction && (mode == THUD_ELASTIC_STICK || mode == THUD_ELASTIC_SLIP_BACK)) return false;
  switch (standing) {
  case STANDING_APART: return !closed;
  case STANDING_TOUCHING: return true;
  case STANDING_STUCK: return closed && (mode == THUD_ELASTIC_STICK || !friction);
  case STANDING_LIMIT: return mode == THUD_ELASTIC_STICK || mode == THUD_ELASTIC_SLIP;
  case STANDING_LIMIT_BACK: return mode == THUD_ELASTIC_STICK || mode == THUD_ELASTIC_SLIP_BACK;
  }
  return false;
}

/* The inequalities of one contact. */
static bool holds(const elastic_structure *structure, const elastic_question *question, thud_index i,
                  thud_elastic_mode mode, const double *u, const double *r, elastic_scales tolerance) {
  thud_index N = i * structure->d;
  elastic_standing standing = question->rates ? question->standing[i] : STANDING_TOUCHING;
  if (mode == THUD_ELASTIC_OPEN) {
    double gap = u[N] + (question->rates ? 0 : structure->problem->gap[i]);
    return standing == STANDING_APART || gap >= -tolerance.u;
  }
  bool free = standing == STANDING_STUCK || standing == STANDING_LIMIT || standing == STANDING_LIMIT_BACK;
  if (!free && r[N] < -tolerance.r) return false;
  if (!has_friction(structure, i)) return true;
  double mu = structure->problem->mu[i], slip = u[N + 1] - (question->rates ? 0 : question->before[N + 1]);
  if (thud_mode_slips(mode)) return thud_mode_sign(mode) * slip <= tolerance.u;
  if (standing == STANDING_STUCK) return true;
  if (standing == STANDING_LIMIT) return r[N + 1] <= mu * r[N] + tolerance.r;
  if (standing == STANDING_LIMIT_BACK) return -r[N + 1] <= mu * r[N] + tolerance.r;
  return fabs(r[N + 1]) <= mu * r[N] + tolerance.r;
}

static bool all_hold(const elastic_structure *structure, const elastic_question *question,
                     const thud_elastic_mode *modes, const double *u, const double *r) {
  elastic_scales scales = thud_solutions_scales(structure, question, u, r);
  scales.u *= question->tolerance;
  scales.r *= question->tolerance;
  for (thud_index i = 0; i < structure->c; i++)
    if (!holds(structure, question, i, modes[i], u, r, scales)) return false;
  return true;
}

/* A combination whose system is singular but solvable: a whole line of candidates u + x direction, of which points on
 * both sides are tried. */
static thud_error try_line(const elastic_question *question, mode_system *system, elastic_solutions *list,
                           const thud_elastic_mode *modes, double *u, double *r, const double *direction) {
  const elastic_structure *structure = system->structure;
  thud_error error = THUD_OK;
  double size = fmax(thud_norm_max(NULL, (size_t)structure->m, u, NULL), 1e-300);
  for (int side = -1; side <= 1 && error == THUD_OK; side += 2) {
    for (thud_index j = 0; j < structure->m; j++) u[j] += side * size * direction[j];
    thud_modes_reactions(system, modes, u, r);
    if (all_hold(structure, question, modes, u, r)) error = thud_solutions_add(list, question, u, r, modes, true);
    for (thud_index j = 0; j < structure->m; j++) u[j] -= side * size * direction[j];
  }
  return error;
}

static thud_error try_modes(const elastic_question *question, mode_system *system, elastic_solutions *list,
                            const thud_elastic_mode *modes, double *scratch) {
  size_t m = (size_t)system->structure->m;
  double *u = scratch, *r = scratch + m, *direction = scratch + 2 * m;
  mode_answer answer = thud_modes_solve(system, modes, u, r, direction);
  list->found.combinations++;
  if (answer == MODES_NONE) return THUD_OK;
  thud_error error = THUD_OK;
  if (all_hold(system->structure, question, modes, u, r))
    error = thud_solutions_add(list, question, u, r, modes, answer == MODES_SINGULAR);
  if (error == THUD_OK && answer == MODES_SINGULAR) error = try_line(question, system, list, modes, u, r, direction);
  return error;
}

/* The next combination in the order of try_order, the last contact changing fastest; false after the last one. */
static bool next_combination(const elastic_structure *structure, const elastic_question *question, unsigned char *turn,
                             thud_elastic_mode *modes) {
  for (thud_index i = structure->c; i-- > 0;) {
    for (unsigned k = turn[i] + 1U; k < MODES; k++)
      if (may_be(structure, question, i, try_order[k])) {
        turn[i] = (unsigned char)k;
        modes[i] = try_order[k];
        return true;
      }
    turn[i] = 0;
    while (!may_be(structure, question, i, try_order[turn[i]])) turn[i]++;
    modes[i] = try_order[turn[i]];
  }
  return false;
}

static thud_index contacts_with_choice(const elastic_structure *structure, const elastic_question *question) {
  thud_index count = 0;
  for (thud_index i = 0; i < structure->c; i++) {
    int ways = 0;
    for (unsigned k = 0; k < MODES; k++) ways += may_be(structure, question, i, try_order[k]);
    count += ways > 1;
  }
  return count;
}

static thud_error find_in_plane(const elastic_question *question, mode_system *system, elastic_solutions *list) {
  const elastic_structure *structure = system->structure;
  thud_context *context = structure->context;
  size_t m = (size_t)structure->m, c = (size_t)structure->c;
  if (contacts_with_choice(structure, question) > question->most) {
    list->found.complete = false;
    list->found.why = "more contacts have a choice than enumerate_up_to";
    return THUD_OK;
  }
  double *closed = THUD_NEW_ARRAY(context, double, c), *scratch = THUD_NEW_ARRAY(context, double, 3 * m);
  unsigned char *turn = THUD_NEW_ARRAY(context, unsigned char, c);
  thud_elastic_mode *modes = THUD_NEW_ARRAY(context, thud_elastic_mode, c);
  thud_error error = closed != NULL && scratch != NULL && turn != NULL && modes != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  for (size_t i = 0; i < c && error == THUD_OK; i++) {
    closed[i] = question->rates ? 0 : -structure->problem->gap[i];
    while (!may_be(structure, question, (thud_index)i, try_order[turn[i]])) turn[i]++;
    modes[i] = try_order[turn[i]];
  }
  system->f = question->f;
  system->closed = closed;
  system->stuck = question->rates ? NULL : question->before;
  while (error == THUD_OK) {
    error = try_modes(question, system, list, modes, scratch);
    if (!next_combination(structure, question, turn, modes)) break;
  }
  system->closed = NULL;
  thud_free(context, closed);
  thud_free(context, scratch);
  thud_free(context, turn);
  thud_free(context, modes);
  return error;
}

/* Largest component of W f: what displacements are compared with where nothing moves. */
static double free_response(const elastic_structure *structure, const double *f) {
  size_t m = (size_t)structure->m;
  double largest = 0;
  for (size_t i = 0; i < m; i++) {
    double sum = 0;
    for (size_t j = 0; j < m; j++) sum += structure->W[i + j * m] * f[j];
    largest = fmax(largest, fabs(sum));
  }
  return largest;
}

/* ---- one solution of many contacts ------------------------------------------------------------------------------- */

/* What a contact whose inequalities fail tries next. */
static thud_elastic_mode exchange(const elastic_structure *structure, const elastic_question *question, thud_index i,
                                  thud_elastic_mode mode, const double *r, double small_r) {
  bool slipping = thud_mode_slips(mode), touching = !question->rates || question->standing[i] == STANDING_TOUCHING;
  thud_index N = i * structure->d;
  if (mode == THUD_ELASTIC_OPEN)
    return structure->d > 1 && !has_friction(structure, i) ? THUD_ELASTIC_SLIP : THUD_ELASTIC_STICK;
  if (touching && r[N] < -small_r) return THUD_ELASTIC_OPEN;
  if (slipping) return THUD_ELASTIC_STICK;
  if (!touching) return question->standing[i] == STANDING_LIMIT ? THUD_ELASTIC_SLIP : THUD_ELASTIC_SLIP_BACK;
  return r[N + 1] > 0 ? THUD_ELASTIC_SLIP : THUD_ELASTIC_SLIP_BACK;
}

/* Contacts whose inequalities fail, all of them exchanged, or the last one only. */
static size_t exchange_failing(const elastic_question *question, const mode_system *system, thud_elastic_mode *modes,
                               const double *u, const double *r, bool only_last) {
  const elastic_structure *structure = system->structure;
  elastic_scales small = thud_solutions_scales(structure, question, u, r);
  small.u *= question->tolerance;
  small.r *= question->tolerance;
  size_t failing = 0;
  for (thud_index i = structure->c; i-- > 0;) {
    if (holds(structure, question, i, modes[i], u, r, small)) continue;
    if (failing++ == 0 || !only_last) modes[i] = exchange(structure, question, i, modes[i], r, small.r);
  }
  return failing;
}

/* A direction that a contradictory system does not resist: a mechanism when slipping contacts slip in it as their friction
 * lets them, and open ones do not close. */
static bool is_mechanism(const elastic_structure *structure, const thud_elastic_mode *modes, const double *direction,
                         double sign, double tolerance) {
  for (thud_index i = 0; i < structure->c; i++) {
    const double *v = direction + (ptrdiff_t)i * structure->d;
    if (modes[i] == THUD_ELASTIC_OPEN && sign * v[0] < -tolerance) return false;
    if (thud_mode_slips(modes[i]) && has_friction(structure, i) && thud_mode_sign(modes[i]) * sign * v[1] > tolerance)
      return false;
  }
  return true;
}

/* Rounds without fewer failing contacts after which one at a time is exchanged, until there are; starts, the later ones
 * at random with a fixed seed, and how many of them for more contacts than MANY. */
enum { PATIENCE = 8, STARTS = 40, MANY = 32, FEW_STARTS = 4 };

static thud_error pivot(const elastic_question *question, mode_system *system, thud_elastic_mode *modes,
                        double *scratch, elastic_solutions *list) {
  size_t m = (size_t)system->structure->m, fewest = SIZE_MAX, idle = 0;
  double *u = scratch, *r = scratch + m;
  for (thud_index k = 0; k < 50 + 4 * system->structure->c; k++) {
    mode_answer answer = thud_modes_solve(system, modes, u, r, scratch + 2 * m);
    list->found.combinations++;
    if (answer == MODES_NONE) {
      for (int side = -1; side <= 1; side += 2)
        list->mechanism =
            list->mechanism || is_mechanism(system->structure, modes, scratch + 2 * m, side, question->tolerance);
      return THUD_OK;
    }
    if (all_hold(system->structure, question, modes, u, r))
      return thud_solutions_add(list, question, u, r, modes, answer == MODES_SINGULAR);
    size_t failing = exchange_failing(question, system, modes, u, r, idle > PATIENCE);
    idle = failing < fewest ? 0 : idle + 1;
    if (failing < fewest) fewest = failing;
  }
  return THUD_OK;
}

thud_error thud_solutions_find_one(const elastic_question *asked, mode_system *system, const thud_elastic_mode *start,
                                   elastic_solutions *list) {
  const elastic_structure *structure = system->structure;
  thud_context *context = structure->context;
  elastic_question question = *asked;
  question.free = free_response(structure, asked->f);
  thud_solutions_clear(list);
  double *scratch = THUD_NEW_ARRAY(context, double, 3 * (size_t)structure->m);
  double *closed = THUD_NEW_ARRAY(context, double, structure->c);
  thud_elastic_mode *modes = THUD_NEW_ARRAY(context, thud_elastic_mode, structure->c);
  thud_error error = scratch != NULL && closed != NULL && modes != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  for (thud_index i = 0; i < structure->c && error == THUD_OK && !question.rates; i++)
    closed[i] = -structure->problem->gap[i];
  system->f = question.f;
  system->closed = closed;
  system->stuck = question.rates ? NULL : question.before;
  /* from the modes so far, from those nearest to staying, from others */
  thud_random random = thud_random_seed(1);
  int starts = question.starts > 0 ? question.starts : structure->c > MANY ? FEW_STARTS : STARTS;
  for (int k = 0; k < starts && error == THUD_OK && list->count == 0; k++) {
    for (thud_index i = 0; i < structure->c; i++) {
      unsigned turn = k < 2 ? 0 : (unsigned)thud_random_uniform(&random, 0, MODES);
      while (!may_be(structure, &question, i, try_order[turn % MODES])) turn++;
      modes[i] = k == 0 && may_be(structure, &question, i, start[i]) ? start[i] : try_order[turn % MODES];
    }
    error = pivot(&question, system, modes, scratch, list);
  }
  list->found.complete = false;
  list->found.why = "more contacts have a choice than enumerate_up_to";
  system->closed = NULL;
  thud_free(context, scratch);
  thud_free(context, closed);
  thud_free(context, modes);
  return error;
}

/* ---- all solutions ----------------------------------------------------------------------------------------------- */

thud_error thud_solutions_find(const elastic_question *asked, mode_system *system, elastic_solutions *list) {
  const elastic_structure *structure = system->structure;
  elastic_question scaled = *asked, *question = &scaled;
  scaled.free = free_response(structure, asked->f);
  thud_solutions_clear(list);
  if (structure->stiffness == NULL)
    return thud_fail(structure->context, THUD_ERROR_UNSUPPORTED,
                     "[too-many-cases] rows of the contacts depend on each other: their solutions are not enumerated");
  if (structure->d < 3) return find_in_plane(question, system, list);
  if (structure->c == 1) return thud_solutions_find_in_space(question, list);
  return thud_fail(structure->context, THUD_ERROR_UNSUPPORTED,
                   "[too-many-cases] the solutions of %d contacts in space are not enumerated, only those of one",
                   (int)structure->c);
}

/* ---- one contact in space ---------------------------------------------------------------------------------------- */

/* One contact in space: all of its rates and equilibria.
 *
 * With K = [[k_N, w'], [w, K_T]] (thud's signs) and r = K u - f. On the cone, r_T = mu r_N e with |e| = 1, slip with
 * u_T' = -g e keeps r on it when
 *   D g = -a,  D = e.K_T e - mu w.e,  a = e.f_T' - mu f_N',
 * and sticking is possible when a >= 0 (Ballard 1999, the rule of the plane in the direction e). A contact that touches
 * without load obeys Signorini and Coulomb with the rates in place of the values: the static problem below.
 *
 * Static problem: open u = K^-1 f; stick u = (-gap, before); slip u_N = -gap, u_T = before - l r_T with l > 0, so that
 *   r_T = (I + l K_T)^-1 P,  P = K_T before - f_T - gap w,   and mu r_N = |r_T|,  r_N = P_N - l w.r_T,
 *   P_N = -k_N gap + w.before - f_N.
 * In the eigenvectors of K_T, r_i = P_i / (1 + l k_i); |r_T|^2 = (mu r_N)^2 times the squares of the denominators is a
 * polynomial of degree 4 at most in l whose positive roots with r_N >= 0 are all slip solutions. */

/* ---- real roots of a polynomial ---------------------------------------------------------------------------------- */

enum { DEGREE = 4, STEPS = 200, POLISHING = 4 };

static double evaluate(int degree, const double *p, double x) {
  double sum = 0;
  for (int k = degree; k >= 0; k--) sum = sum * x + p[k];
  return sum;
}

static double bisect(int degree, const double *p, double low, double high) {
  bool rising = evaluate(degree, p, low) < 0;
  for (int k = 0; k < STEPS && high - low > 2 * DBL_EPSILON * high; k++) {
    double middle = low + (high - low) / 2;
    if ((evaluate(degree, p, middle) < 0) == rising)
      low = middle;
    else
      high = middle;
  }
  return low + (high - low) / 2;
}

/* All roots in [0, top], between the roots of the derivative; those at which p only touches 0 as well, to rounding.
 * roots[degree]; returns their number. */
static int real_roots(int degree, const double *p, double top, double *roots) {
  if (degree <= 0) return 0;
  double derivative[DEGREE], turning[DEGREE + 1];
  for (int k = 0; k < degree; k++) derivative[k] = (k + 1) * p[k + 1];
  int turns = real_roots(degree - 1, derivative, top, turning), count = 0;
  turning[turns] = top;
  double low = 0, at_low = evaluate(degree, p, 0);
  for (int k = 0; k <= turns; k++) {
    double high = turning[k], at_high = evaluate(degree, p, high), size = 0, power = 1;
    for (int i = 0; i <= degree; i++, power *= high) size += fabs(p[i]) * power;
    if (at_low != 0 && at_high != 0 && (at_low < 0) != (at_high < 0))
      roots[count++] = bisect(degree, p, low, high);
    else if (k < turns && fabs(at_high) <= 64 * DBL_EPSILON * size)
      roots[count++] = high;
    low = high, at_low = at_high;
    if (count == degree) break;
  }
  return count;
}

/* ---- the contact ------------------------------------------------------------------------------------------------- */

typedef struct space_contact {
  double k_N, w[2], K_T[4];     /* K_T column-major */
  double values[2], vectors[4]; /* of K_T */
  double mu, gap;
} space_contact;

static space_contact read_contact(const elastic_structure *structure) {
  const double *K = structure->stiffness;
  space_contact contact = {.k_N = K[0],
                           .w = {K[1], K[2]},
                           .K_T = {K[4], K[5], K[7], K[8]},
                           .mu = structure->problem->mu[0],
                           .gap = structure->problem->gap[0]};
  double half = (K[4] - K[8]) / 2, mean = (K[4] + K[8]) / 2, radius = hypot(half, K[5]);
  double angle = radius > 0 ? atan2(K[5], half) / 2 : 0, cosine = cos(angle), sine = sin(angle);
  contact.values[0] = mean + radius, contact.values[1] = mean - radius;
  contact.vectors[0] = cosine, contact.vectors[1] = sine;
  contact.vectors[2] = -sine, contact.vectors[3] = cosine;
  return contact;
}

static void react(const elastic_structure *structure, const double *f, const double *u, double *r) {
  for (size_t i = 0; i < 3; i++) {
    r[i] = -f[i];
    for (size_t j = 0; j < 3; j++) r[i] += structure->stiffness[i + 3 * j] * u[j];
  }
}

static thud_error add(elastic_solutions *list, const elastic_question *question, const double *u, const double *r,
                      thud_elastic_mode mode, bool continuum) {
  return thud_solutions_add(list, question, u, r, &mode, continuum);
}

/* ---- the static problem ------------------------------------------------------------------------------------------ */

/* Coefficients of a product of (1 + l a) and (1 + l b) to the powers 0 to 2 each: up to degree 4. */
static void multiply(const double *p, int degree, double a, double *product) {
  for (int k = 0; k <= degree + 1; k++) product[k] = (k <= degree ? p[k] : 0) + (k > 0 ? a * p[k - 1] : 0);
}

/* The slip equation |r_T|^2 = (mu r_N)^2, cleared of its denominators; returns the degree. */
static int slip_polynomial(const space_contact *contact, double P_N, const double *P, const double *w, double *p) {
  double a = contact->values[0], b = contact->values[1], one[1] = {1}, A[2], B[2], AB[3], A2[3], B2[3];
  multiply(one, 0, a, A);
  multiply(one, 0, b, B);
  multiply(A, 1, b, AB);
  multiply(A, 1, a, A2);
  multiply(B, 1, b, B2);
  /* N = P_N AB - l (w_1 P_1 B + w_2 P_2 A), so that r_N = N / AB */
  double N[3] = {P_N * AB[0], P_N * AB[1], P_N * AB[2]};
  for (int k = 0; k < 2; k++) N[k + 1] -= w[0] * P[0] * B[k] + w[1] * P[1] * A[k];
  memset(p, 0, (DEGREE + 1) * sizeof *p);
  for (int k = 0; k < 3; k++) p[k] -= P[0] * P[0] * B2[k] + P[1] * P[1] * A2[k];
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) p[i + k] += contact->mu * contact->mu * N[i] * N[k];
  int degree = 4;
  while (degree > 0 && p[degree] == 0) degree--;
  return degree;
}

/* Newton's steps for |r_T| - mu r_N = 0: the polynomial has lost digits to its powers. */
static double polish(const space_contact *contact, double P_N, const double *P, const double *w, double l) {
  for (int k = 0; k < POLISHING; k++) {
    double square = 0, product = 0, normal = P_N, slope = 0;
    for (int i = 0; i < 2; i++) {
      double part = P[i] / (1 + l * contact->values[i]),
             rate = -contact->values[i] * part / (1 + l * contact->values[i]);
      square += part * part;
      product += part * rate;
      normal -= l * w[i] * part;
      slope -= w[i] * (part + l * rate);
    }
    double size = sqrt(square), derivative = product / size - contact->mu * slope;
    double next = l - (size - contact->mu * normal) / derivative;
    if (!(next > 0) || !(fabs(next - l) <= 1e-3 * l)) break;
    l = next;
  }
  return l;
}

/* Without friction the contact slides to where its tangential forces balance. */
static thud_error find_frictionless(const elastic_structure *structure, const elastic_question *question,
                                    elastic_solutions *list) {
  space_contact contact = read_contact(structure);
  double gap = question->rates ? 0 : contact.gap, right[2], u[3], r[3];
  for (int k = 0; k < 2; k++) right[k] = question->f[k + 1] + gap * contact.w[k];
  if (thud_dense_solve(structure->context, 2, contact.K_T, 1, right) != THUD_OK) return THUD_OK;
  u[0] = -gap, u[1] = right[0], u[2] = right[1];
  react(structure, question->f, u, r);
  r[1] = r[2] = 0;
  return r[0] >= 0 ? add(list, question, u, r, THUD_ELASTIC_SLIP, false) : THUD_OK;
}

/* u_T = before - l r_T and r for a root l of the polynomial; false when r_N < 0 beyond the margin of rounding. */
static bool place_slip(const elastic_structure *structure, const elastic_question *question,
                       const space_contact *contact, const double *P, double l, double margin, double *u, double *r) {
  double R[2] = {P[0] / (1 + l * contact->values[0]), P[1] / (1 + l * contact->values[1])};
  double gap = question->rates ? 0 : contact->gap;
  u[0] = -gap;
  for (int k = 0; k < 2; k++)
    u[k + 1] = (question->rates ? 0 : question->before[k + 1]) -
               l * (contact->vectors[k] * R[0] + contact->vectors[k + 2] * R[1]);
  react(structure, question->f, u, r);
  double size = hypot(r[1], r[2]);
  if (r[0] < 0 && r[0] >= -margin) { /* it is about to open */
    memset(r, 0, 3 * sizeof *r);
    return true;
  }
  if (!(r[0] >= 0) || !(fabs(size - contact->mu * r[0]) <= 1e-6 * (size + contact->mu * fabs(r[0])))) return false;
  if (size > 0) { /* on the cone to the last bit */
    r[1] *= contact->mu * r[0] / size;
    r[2] *= contact->mu * r[0] / size;
  }
  return true;
}

/* stick[3]: the reaction of sticking, (P_N, P), known up to a margin. */
static thud_error find_slips(const elastic_structure *structure, const elastic_question *question, const double *stick,
                             double margin, elastic_solutions *list) {
  space_contact contact = read_contact(structure);
  double P[2], w[2], p[DEGREE + 1], roots[DEGREE], u[3], r[3], P_N = stick[0];
  const double *full = stick + 1;
  for (int k = 0; k < 2; k++) {
    P[k] = contact.vectors[(ptrdiff_t)2 * k] * full[0] + contact.vectors[(ptrdiff_t)2 * k + 1] * full[1];
    w[k] = contact.vectors[(ptrdiff_t)2 * k] * contact.w[0] + contact.vectors[(ptrdiff_t)2 * k + 1] * contact.w[1];
  }
  int degree = slip_polynomial(&contact, P_N, P, w, p);
  /* Cauchy's bound of the roots; l is in units of 1/K_T. */
  double largest = 0;
  for (int k = 0; k < degree; k++) largest = fmax(largest, fabs(p[k] / p[degree]));
  int count = real_roots(degree, p, 1 + largest, roots);
  thud_error error = THUD_OK;
  for (int k = 0; k < count && error == THUD_OK; k++)
    if (roots[k] > 0 &&
        place_slip(structure, question, &contact, P, polish(&contact, P_N, P, w, roots[k]), margin, u, r))
      error = add(list, question, u, r, THUD_ELASTIC_SLIP, false);
  return error;
}

static thud_error find_static(const elastic_structure *structure, const elastic_question *question,
                              elastic_solutions *list) {
  double mu = structure->problem->mu[0], gap = question->rates ? 0 : structure->problem->gap[0], r[3];
  double stick[3] = {-gap, question->rates ? 0 : question->before[1], question->rates ? 0 : question->before[2]};
  react(structure, question->f, stick, r);
  elastic_scales scales = thud_solutions_scales(structure, question, stick, r);
  for (size_t k = 0; k < 9; k++) scales.r = fmax(scales.r, fabs(structure->stiffness[k] * stick[k / 3]));
  double margin = question->tolerance * scales.r;
  thud_error error = THUD_OK;
  list->found.combinations = 3;
  if (mu > 0 && hypot(r[1], r[2]) <= mu * r[0] + margin && r[0] >= -margin)
    error = add(list, question, stick, r, THUD_ELASTIC_STICK, false);
  if (error == THUD_OK)
    error = mu > 0 ? find_slips(structure, question, r, margin, list) : find_frictionless(structure, question, list);
  double open[3], zero[3] = {0, 0, 0};
  memcpy(open, question->f, sizeof open);
  if (error != THUD_OK || thud_dense_solve(structure->context, 3, structure->stiffness, 1, open) != THUD_OK)
    return error; /* K semidefinite: nothing holds an open contact */
  scales = thud_solutions_scales(structure, question, open, zero);
  return open[0] + gap >= -question->tolerance * scales.u ? add(list, question, open, zero, THUD_ELASTIC_OPEN, false)
                                                          : THUD_OK;
}

/* ---- rates ------------------------------------------------------------------------------------------------------- */

static thud_error find_at_limit(const elastic_structure *structure, const elastic_question *question,
                                elastic_solutions *list) {
  space_contact contact = read_contact(structure);
  double size = hypot(question->r[1], question->r[2]), e[2] = {question->r[1] / size, question->r[2] / size};
  const double *f = question->f;
  double a = e[0] * f[1] + e[1] * f[2] - contact.mu * f[0];
  double stiff =
      e[0] * (contact.K_T[0] * e[0] + contact.K_T[2] * e[1]) + e[1] * (contact.K_T[1] * e[0] + contact.K_T[3] * e[1]);
  double coupling = contact.mu * (contact.w[0] * e[0] + contact.w[1] * e[1]), D = stiff - coupling;
  double small = question->tolerance * (fabs(f[0]) * contact.mu + hypot(f[1], f[2]));
  bool degenerate = fabs(D) <= question->tolerance * (fabs(stiff) + fabs(coupling));
  double u[3] = {0, 0, 0}, r[3];
  thud_error error = THUD_OK;
  list->found.combinations = 2;
  react(structure, f, u, r);
  if (a >= -small) error = add(list, question, u, r, THUD_ELASTIC_STICK, degenerate && fabs(a) <= small);
  double g = degenerate ? 0 : -a / D;
  if (error != THUD_OK || !(g > 0) || fabs(a) <= small) return error;
  u[1] = -g * e[0], u[2] = -g * e[1];
  react(structure, f, u, r);
  return add(list, question, u, r, THUD_ELASTIC_SLIP, false);
}

thud_error thud_solutions_find_in_space(const elastic_question *question, elastic_solutions *list) {
  const elastic_structure *structure = list->structure;
  elastic_standing standing = question->rates ? question->standing[0] : STANDING_TOUCHING;
  double u[3] = {0, 0, 0}, r[3] = {0, 0, 0};
  if (standing == STANDING_TOUCHING) return find_static(structure, question, list);
  if (standing == STANDING_LIMIT || standing == STANDING_LIMIT_BACK) return find_at_limit(structure, question, list);
  list->found.combinations = 1;
  if (standing == STANDING_STUCK) {
    react(structure, question->f, u, r);
    return add(list, question, u, r, THUD_ELASTIC_STICK, false);
  }
  memcpy(u, question->f, sizeof u);
  thud_error error = thud_dense_solve(structure->context, 3, structure->stiffness, 1, u);
  return error == THUD_OK ? add(list, question, u, r, THUD_ELASTIC_OPEN, false) : THUD_OK;
}
