#include "motions/quasistatic/quasistatic_solutions.h"
#include "base/base.h"

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

/* ---- one and two components ----------------------------------------------------------------------------------------- */

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

/* ---- one solution of many contacts -------------------------------------------------------------------------------- */

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

/* ---- all solutions --------------------------------------------------------------------------------------------------- */

thud_error thud_solutions_find(const elastic_question *asked, mode_system *system, elastic_solutions *list) {
  const elastic_structure *structure = system->structure;
  elastic_question scaled = *asked, *question = &scaled;
  scaled.free = free_response(structure, asked->f);
  thud_solutions_clear(list);
  if (structure->stiffness == NULL)
    return thud_fail(structure->context, THUD_ERROR_UNSUPPORTED,
                     "rows of the contacts depend on each other: their solutions are not enumerated");
  if (structure->d < 3) return find_in_plane(question, system, list);
  if (structure->c == 1) return thud_solutions_find_in_space(question, list);
  return thud_fail(structure->context, THUD_ERROR_UNSUPPORTED,
                   "the solutions of %d contacts in space are not enumerated, only those of one", (int)structure->c);
}
