/* Which contacts last, stick and slide, in systems with Coulomb friction: the combinations of modes (event_combination.c)
 * that are consistent are looked for, all of them where they are few, from the guess of a solver where they are many. */
#include "motions/event/event.h"

#include "model/factors.h"

#include <float.h>

enum { FEW_COMBINATIONS = 64, PIVOTS_PER_ITEM = 64 };

/* ---- the guess ----------------------------------------------------------------------------------------------------- */

/* Modes of many contacts with friction at once. Combinations are too many to be tried, but the accelerations satisfy the
 * same law as velocities after an impact do: with a_free = M^-1 F, and gamma the part of u' without acceleration,
 *
 *   M (a - a_free) = sum A_i' r_i,   0 <= u_N' = A_N a + gamma_N  perp  r_N >= 0,   r_T in tau D, opposite to u_T',
 *
 * where the slip is 0; where it is not, r_T = -tau d is given by the reaction, which is found by iteration. What the
 * solution leaves clear is the only mode that is tried; contacts near an edge (no reaction and no separation, the
 * threshold reached and no slip) keep all their modes. The series then prove or refute the guess. */

/* Forces and accelerations below this, relative to the largest, leave a mode open. */
#define UNCLEAR 1e-7
#define MOST_ITERATIONS 200
#define SETTLED 1e-13
/* Cosines of normal and slip rows below this are rounding. */
#define UNCOUPLED 1e-14

/* The velocity problem of accelerations; values[] are those of the arc, with gamma in place of the rates. */
static thud_error pose(event_motion *motion) {
  const event_problem *problem = &motion->problem;
  const sim_arc *arc = motion->arc;
  const model_jet_layout *at = &arc->jets.layout;
  thud_system_values *values = motion->state.values;
  thud_error error = thud_arc_open_order(motion->arc, 0);
  if (error == THUD_OK) error = thud_event_take_values_of_arc(problem, arc, &motion->state);
  if (error != THUD_OK) return error;
  for (size_t i = 0; i < problem->m; i++) {
    values->rate[i] = arc->jet[at->convective + i];
    values->restitution[i] = 0;
    motion->collision.acting[i] = event_is_equation(problem, i) || motion->contacts.contact[i] == EVENT_REST;
  }
  for (size_t j = 0; j < problem->s; j++) values->slip_rate[j] = arc->jet[at->slip_convective + j];
  for (size_t l = 0; l < problem->law_count; l++)
    if (motion->contacts.slip[l] != 0) values->friction[motion->friction.laws[l].own] = 0;
  return THUD_OK;
}

/* The point of a law's set against its slip. */
static void push_against(const event_motion *motion, const event_law *law, const double *slip, double *point) {
  int sign = motion->contacts.slip[law->number];
  event_law on_face = *law;
  on_face.face = sign - 1;
  if (law->curved && thud_event_is_on_curve(motion->arc, &on_face)) {
    thud_event_set_slip_along(motion->arc, &on_face, slip);
    for (size_t c = 0; c < law->directions; c++) point[c] = -on_face.along[c];
  } else if (law->corners > 0) {
    thud_event_corner(motion->arc, law, (sign - 1) / 2, point);
  } else if (law->directions == 2) {
    double speed = hypot(slip[0], slip[1]);
    for (size_t c = 0; c < 2; c++) point[c] = -law->radius * slip[c] / speed;
  } else {
    point[0] = sign > 0 ? -law->reach[0] : law->reach[1];
  }
}

/* a_free with the friction of what slides already, for these reactions. */
static void push_by_slides(const event_motion *motion, const double *normal, double *a) {
  const sim_arc *arc = motion->arc;
  memcpy(a, arc->free, arc->n * sizeof *a);
  for (size_t l = 0; l < motion->problem.law_count; l++) {
    const event_law *law = &motion->friction.laws[l];
    const double *slip = arc->jet + arc->jets.layout.slip_velocity + law->first;
    if (motion->contacts.slip[l] == 0 || (law->unilateral && !motion->collision.acting[law->constraint])) continue;
    double force = law->constraint >= 0 ? fabs(normal[law->constraint]) : 1, against[THUD_MOST_SLIPS];
    double tau = arc->jet[arc->jets.layout.friction + law->own] * force;
    push_against(motion, law, slip, against);
    for (size_t c = 0; c < law->directions; c++) {
      double along = -against[c];
      const double *path = arc->response + event_row_of(arc, law, c) * arc->n;
      for (size_t i = 0; i < arc->n; i++) a[i] -= tau * along * path[i];
    }
  }
}

/* r and a of the whole problem. False: nothing was found. */
static bool solve(event_motion *motion) {
  size_t m = motion->problem.m, rows = m + motion->problem.s;
  double *reaction = motion->search.reaction, *a = motion->search.acceleration, *before = reaction + rows;
  thud_percussion_info info;
  memset(reaction, 0, rows * sizeof *reaction);
  for (int k = 0; k < MOST_ITERATIONS; k++) {
    double change = 0, size = 0;
    memcpy(before, reaction, rows * sizeof *before);
    push_by_slides(motion, reaction, a);
    if (thud_percussion_solve(motion->collision.single, motion->state.values, motion->collision.acting, 1, a, a,
                              reaction, reaction + m, a, &info) != THUD_OK ||
        info.status != THUD_SOLVED)
      return false;
    for (size_t i = 0; i < rows; i++) {
      change = fmax(change, fabs(reaction[i] - before[i]) * event_row_unit(motion->arc, i));
      size = fmax(size, fabs(reaction[i]) * event_row_unit(motion->arc, i));
    }
    if (change <= SETTLED * size) return true;
  }
  return false;
}

/* u' of a row, in units of its gradient. */
static double rate_of(const event_motion *motion, size_t row) {
  const sim_arc *arc = motion->arc;
  double sum = arc->jet[thud_arc_convective(arc, row)];
  return (sum + motion_dot((thud_index)arc->n, arc->jet + thud_arc_row(arc, row), motion->search.acceleration)) /
         event_row_unit(arc, row);
}

/* Whether another factor of the same law slides: its friction was not part of the problem. */
static bool goes_with_a_slide(const event_motion *motion, const event_law *law) {
  for (size_t l = 0; l < motion->problem.law_count; l++)
    if (motion->friction.laws[l].own == law->own && motion->contacts.slip[l] != 0) return true;
  return false;
}

/* The mode of a law at rest whose contact is closed: whether it is clear that it sticks or slides, and where to. */
static int guess_law(const event_motion *motion, const event_law *law, double unclear) {
  const sim_arc *arc = motion->arc;
  const double *r = motion->search.reaction;
  double normal = law->constraint >= 0 ? fabs(r[law->constraint]) : 1, rate[THUD_MOST_SLIPS] = {0};
  double unit = event_row_unit(arc, event_row_of(arc, law, 0)), unclear_rates[THUD_MOST_SLIPS];
  int slip = motion->contacts.slip[law->number];
  for (size_t c = 0; c < THUD_MOST_SLIPS; c++) unclear_rates[c] = unclear;
  if (slip != 0) return law->corners > 0 && slip % 2 == 0 ? GUESS_UNCLEAR : GUESS_SLIDES;
  if (goes_with_a_slide(motion, law)) return GUESS_UNCLEAR;
  if (thud_event_inside(arc, law, r + event_row_of(arc, law, 0), normal) * unit > unclear) return GUESS_STICKS;
  for (size_t c = 0; c < law->directions; c++)
    rate[c] = rate_of(motion, event_row_of(arc, law, c)) * event_row_unit(arc, event_row_of(arc, law, c)) / unit;
  int where = thud_event_slip_sign(arc, law, rate, unclear_rates);
  if (where == 0) return GUESS_UNCLEAR;
  if (law->corners > 0) return (int)GUESS_FACE + where - 1;
  return law->directions > 1 ? GUESS_SLIDES : where > 0 ? GUESS_FORTH : GUESS_BACK;
}

static int guess_item(const event_motion *motion, size_t item, double unclear) {
  const event_law *law = thud_event_law_of(&motion->problem, &motion->friction, item);
  if (item < motion->problem.m) {
    if (motion->search.reaction[item] * event_row_unit(motion->arc, item) <= unclear)
      return rate_of(motion, item) > unclear ? GUESS_OPEN : GUESS_UNCLEAR;
  } else if (law != NULL && law->constraint >= 0) {
    return GUESS_UNCLEAR; /* the sign of a bilateral reaction is part of the mode */
  }
  return law == NULL ? GUESS_CLOSED : guess_law(motion, law, unclear);
}

/* Whether a row may have a force: equations, closed contacts at rest, laws of those or by themselves. */
static bool may_act(const event_motion *motion, size_t row) {
  const event_problem *problem = &motion->problem;
  thud_index i = row < problem->m ? (thud_index)row : motion->arc->owner[row - problem->m];
  return i < 0 || event_is_equation(problem, (size_t)i) || motion->contacts.contact[i] == EVENT_REST;
}

/* Normal forces that friction does not move (G_NT = 0) are the unique solution of their own complementarity problem when
 * G_NN is positive definite; with them the thresholds are given, and the accelerations minimise a strictly convex
 * function. The same matrix acts at every order of the series, so that the motion is the only one. */
bool thud_event_motion_is_unique(event_motion *motion) {
  const sim_arc *arc = motion->arc;
  size_t m = motion->problem.m, count = 0;
  for (size_t i = 0; i < m; i++) {
    if (!may_act(motion, i)) continue;
    for (size_t j = m; j < arc->rows; j++)
      if (may_act(motion, j) && fabs(arc->delassus[i * arc->rows + j]) > UNCOUPLED * arc->own[i] * arc->own[j])
        return false;
    if (!thud_event_join_basis(arc, &motion->equations, i, count)) return false;
    count++;
  }
  return true;
}

thud_error thud_event_guess_modes(event_motion *motion) {
  event_mode_search *search = &motion->search;
  size_t rows = motion->arc->rows;
  double size = 0;
  thud_error error = thud_event_create_single(motion);
  if (error == THUD_OK) error = pose(motion);
  if (error != THUD_OK || !solve(motion)) return error;
  thud_model_forces_into_frames(motion->problem.system, motion->search.reaction + motion->problem.m);
  for (size_t i = 0; i < rows; i++)
    size = fmax(size, fabs(motion->search.reaction[i]) * event_row_unit(motion->arc, i));
  size = fmax(size, thud_arc_distance(motion->arc, motion->arc->free, NULL));
  search->unclear = UNCLEAR * size;
  for (size_t b = 0; b < search->item_count; b++) {
    size_t item = (size_t)search->items[b];
    search->guess[item] = guess_item(motion, item, search->unclear);
  }
  return THUD_OK;
}

/* ---- what a combination says ----------------------------------------------------------------------------------------
 */

/* The state of a closed item with friction, and from where on its event functions are read. */
static int note_law(event_motion *motion, const event_law *law) {
  event_modes *modes = &motion->modes;
  int never = motion->arc->order + 1;
  bool rests = law->state == LAW_STICK || motion->contacts.slip[law->number] == 0;
  for (int part = 0; part < (int)motion->problem.measures; part++) {
    event_measure_kind kind = thud_event_measure(motion->arc, law, part).kind;
    int order = *event_part_order(motion, law, part),
        *deflate = &modes->part_deflate[event_part_order(motion, law, part) - modes->part_order];
    bool slips = kind == MEASURE_SLIP;
    *deflate = slips && !thud_event_slip_is_zero(&motion->contacts, law, part) ? 0
               : order == EVENT_NOT_YET                                        ? (kind == MEASURE_GAUGE ? 0 : never)
               : slips                                                         ? order + 1
                                                                               : order;
    if (slips && order != EVENT_NOT_YET) rests = false;
  }
  return rests ? THUD_CONTACT_STICKING : THUD_CONTACT_SLIDING;
}

static void note_contact(event_motion *motion, size_t i) {
  event_modes *modes = &motion->modes;
  const event_law *law = thud_event_law_of(&motion->problem, &motion->friction, i);
  if (motion->search.chosen[i] == EVENT_CHOICE_OPEN && modes->order[i] != EVENT_NOT_YET) {
    modes->mode[i] = THUD_CONTACT_LEAVING;
    if (law != NULL) modes->law_mode[law->number] = THUD_CONTACT_LEAVING;
    modes->deflate[i] = modes->order[i] + (event_kind_of(&motion->problem, i) == THUD_CONSTRAINT_UNILATERAL ? 2 : 1);
    return;
  }
  bool forced = modes->order[i] != EVENT_NOT_YET;
  int mode = law == NULL ? THUD_CONTACT_LASTING : note_law(motion, law);
  if (law != NULL) modes->law_mode[law->number] = forced ? mode : THUD_CONTACT_UNDECIDED;
  modes->mode[i] = forced ? mode : THUD_CONTACT_UNDECIDED;
  modes->deflate[i] = forced ? modes->order[i] : motion->arc->order + 1;
}

/* A law that is not the only one of its contact; the contact slides where one of them does. */
static void note_further_law(event_motion *motion, const event_law *law) {
  event_modes *modes = &motion->modes;
  int *contact = &modes->mode[law->constraint], own = law->state == LAW_OFF ? *contact : note_law(motion, law);
  if (*contact == THUD_CONTACT_UNDECIDED) own = THUD_CONTACT_UNDECIDED;
  modes->law_mode[law->number] = own;
  if (own == THUD_CONTACT_SLIDING) *contact = own;
}

/* Modes of all items, from the present series. */
static void note_modes(event_motion *motion) {
  const event_problem *problem = &motion->problem;
  event_modes *modes = &motion->modes;
  for (size_t l = 0; l < problem->law_count; l++)
    if (motion->friction.laws[l].unilateral) modes->law_mode[l] = modes->mode[motion->friction.laws[l].constraint];
  for (size_t b = 0; b < motion->search.item_count; b++) {
    size_t item = (size_t)motion->search.items[b];
    if (item >= problem->m) {
      const event_law *law = thud_event_law_of(problem, &motion->friction, item);
      if (law->unilateral) {
        note_further_law(motion, law);
        continue;
      }
      modes->law_mode[item - problem->m] = note_law(motion, law);
      if (law->constraint < 0) continue;
      int order = modes->law_order[item - problem->m];
      modes->mode[law->constraint] = modes->law_mode[item - problem->m];
      modes->deflate[law->constraint] = order == EVENT_NOT_YET ? motion->arc->order + 1 : order;
      continue;
    }
    note_contact(motion, item);
  }
}

/* ---- all of them ------------------------------------------------------------------------------------------------- */

/* Next combination as a number with one digit per item, the directions in which slip can begin first; false after the
 * last. */
static bool next_choices(event_motion *motion) {
  event_mode_search *search = &motion->search;
  int *branch = &search->chosen[event_choice_count(&motion->problem) - 1];
  if (++*branch < search->branch_count) return true;
  *branch = 0;
  for (size_t b = 0; b < search->item_count; b++) {
    int options[EVENT_MOST_CHOICES];
    size_t item = (size_t)search->items[b];
    int count = thud_event_options_of(&motion->problem, &motion->friction, &motion->contacts, search, item, options);
    search->digit[item] = (search->digit[item] + 1) % count;
    search->chosen[item] = options[search->digit[item]];
    if (search->digit[item] != 0) return true;
  }
  return false;
}

/* Begins with the first option of every item; returns how many combinations there are. */
static double set_first_choices(event_motion *motion) {
  event_mode_search *search = &motion->search;
  double combinations = 1;
  for (size_t b = 0; b < search->item_count; b++) {
    int options[EVENT_MOST_CHOICES];
    size_t item = (size_t)search->items[b];
    combinations *=
        thud_event_options_of(&motion->problem, &motion->friction, &motion->contacts, search, item, options);
    search->digit[item] = 0;
    search->chosen[item] = options[0];
  }
  search->chosen[event_choice_count(&motion->problem) - 1] = 0;
  return combinations;
}

/* Where combinations are too many a solver guesses those that are clear; *many: what it leaves open is too much, too.
 * *one: there is no more than one motion, so that the first consistent combination, which is the one to be taken, need not
 * be compared with others. Equal blocks on a belt are all on the verge of slipping on each other, and each of their many
 * combinations would say the same after a long search for directions. */
static thud_error first_choices(event_motion *motion, bool *many, bool *one) {
  event_mode_search *search = &motion->search;
  double combinations = set_first_choices(motion);
  *one = combinations > FEW_COMBINATIONS && thud_event_motion_is_unique(motion);
  if (combinations > EVENT_ALL_COMBINATIONS && !search->guessed) {
    memset(search->guess, 0, (motion->problem.m + motion->problem.law_count) * sizeof *search->guess);
    thud_error error = thud_event_guess_modes(motion);
    if (error != THUD_OK) return error;
    search->guessed = true;
    if (thud_event_motion_is_unique(motion))
      motion->info.unique_modes++;
    else if (motion->info.unexamined_modes++ == 0)
      motion->info.unexamined_modes_time = motion->state.t;
    combinations = set_first_choices(motion);
  }
  *many = combinations > EVENT_MOST_COMBINATIONS;
  return THUD_OK;
}

const char *thud_event_item_name(const event_problem *problem, size_t item) {
  return item < problem->m
             ? thud_system_constraint(problem->system, (thud_index)item)->name
             : thud_system_friction(problem->system,
                                    (thud_index)thud_model_factor(problem->system, item - problem->m)->law)
                   ->name;
}

/* A law of a contact that is to last, which has no force against its slip: rolling that begins without an impact. */
static const event_law *slip_against_rolling(const event_motion *motion) {
  for (size_t l = 0; l < motion->problem.law_count; l++) {
    const event_law *law = &motion->friction.laws[l];
    int slip = motion->contacts.slip[l];
    if (!law->unilateral || law->directions != 1 || slip == 0) continue;
    if (motion->contacts.contact[law->constraint] == EVENT_REST && isinf(law->reach[slip > 0 ? 0 : 1])) return law;
  }
  return NULL;
}

static thud_error fail_rolling(event_motion *motion, const event_law *law) {
  const sim_arc *arc = motion->arc;
  double slip = arc->jet[arc->jets.layout.slip_velocity + law->first];
  motion->run.finding = THUD_MOTION_INCONSISTENT;
  return thud_fail(
      motion->problem.context, THUD_ERROR_UNQUALIFIED,
      "[rolling-without-impact] t = %.10g: contact '%s' begins without an impact, and '%s', which holds with "
      "it, is %.6g there: the velocity would jump without a normal impulse; begin with a velocity that rolls, "
      "or use a time-stepping method",
      motion->state.t, thud_system_constraint(motion->problem.system, law->constraint)->name,
      thud_system_friction(motion->problem.system, (thud_index)law->own)->name, slip);
}

static thud_error fail_without_modes(event_motion *motion) {
  event_mode_search *search = &motion->search;
  if (search->pivoted) {
    motion->run.finding = THUD_MOTION_TOO_MANY;
    return thud_fail(motion->problem.context, THUD_ERROR_NOT_CONVERGED,
                     "[too-many-cases] t = %.10g: the modes of %zu closed contacts with friction are too many to try, "
                     "and pivots among "
                     "them lead to none that are consistent; use a time-stepping method",
                     motion->state.t, search->item_count);
  }
  if (motion->last.again) {
    motion->run.finding = THUD_MOTION_NOT_CONVERGED;
    return thud_fail(
        motion->problem.context, THUD_ERROR_NOT_CONVERGED,
        "[undecided] t = %.10g: %zu contacts ('%s' ...) that hold each other let go together, and the directions of "
        "their slips are not determined well enough; use a time-stepping method",
        motion->state.t, search->item_count, thud_event_item_name(&motion->problem, (size_t)search->items[0]));
  }
  const event_law *rolls = slip_against_rolling(motion);
  if (rolls != NULL) return fail_rolling(motion, rolls);
  motion->run.finding = THUD_MOTION_INCONSISTENT;
  const char *name = thud_event_item_name(&motion->problem, (size_t)search->items[0]);
  static const char *const way_on = "is consistent with friction (Painleve's paradox); an impact without collision may "
                                    "lead on: simulate: {painleve: impact}";
  if (search->item_count == 1)
    return thud_fail(motion->problem.context, THUD_ERROR_UNQUALIFIED,
                     "[no-consistent-mode] t = %.10g: no mode of the closed contact '%s' %s", motion->state.t, name,
                     way_on);
  return thud_fail(
      motion->problem.context, THUD_ERROR_UNQUALIFIED,
      "[no-consistent-mode] t = %.10g: no combination of modes of the %zu closed contacts ('%s' and others) %s",
      motion->state.t, search->item_count, name, way_on);
}

/* Modes to begin pivots with: what is clear as it is, contacts without force open, what is at its threshold stuck. */
static void set_first_pivot(event_motion *motion) {
  event_mode_search *search = &motion->search;
  for (size_t b = 0; b < search->item_count; b++) {
    size_t item = (size_t)search->items[b];
    bool weak = item < motion->problem.m && search->guess[item] == GUESS_UNCLEAR &&
                search->reaction[item] * event_row_unit(motion->arc, item) <= search->unclear;
    if (weak) search->chosen[item] = EVENT_CHOICE_OPEN;
  }
}

/* Murty's least-index principal pivoting (1974), over the ordered field of power series: conditions are the signs of
 * first coefficients. Of the items whose condition is violated the first takes the complementary mode, until none is.
 * With a P-matrix, that is without strong coupling by friction, this ends after finitely many pivots. */
static thud_error search_by_pivots(event_motion *motion) {
  event_mode_search *search = &motion->search;
  size_t items = motion->problem.m + motion->problem.law_count, most = PIVOTS_PER_ITEM * (search->item_count + 1);
  bool consistent = false, more = true;
  thud_error error = THUD_OK;
  set_first_pivot(motion);
  search->pivoted = search->pivoting = true;
  for (size_t turn = 0; turn < most && more && !consistent && error == THUD_OK; turn++) {
    memset(search->instead, 0, items * sizeof *search->instead);
    error = thud_event_try_choices(motion, &consistent);
    if (error != THUD_OK || consistent || search->vanished >= 0) break;
    more = false;
    for (size_t b = 0; b < search->item_count && !more; b++) {
      size_t item = (size_t)search->items[b];
      if (search->instead[item] == EVENT_CHOICE_NONE) continue;
      search->chosen[item] = search->instead[item];
      more = true;
    }
  }
  search->pivoting = false;
  if (error != THUD_OK || !consistent) return error;
  note_modes(motion);
  return thud_event_outcomes_add_modes(motion);
}

/* All combinations; the different motions of consistent ones join the outcomes. */
static thud_error search_combinations(event_motion *motion) {
  bool more = true, many = false, one = false;
  thud_error error = first_choices(motion, &many, &one);
  if (error == THUD_OK && many) return search_by_pivots(motion);
  while (more && error == THUD_OK && !motion->forks.cut) {
    bool consistent = false;
    if (!thud_event_is_repeated(motion)) error = thud_event_try_choices(motion, &consistent);
    if (motion->search.vanished >= 0) return error;
    if (error == THUD_OK && consistent) {
      note_modes(motion);
      error = thud_event_outcomes_add_modes(motion);
    }
    more = next_choices(motion) && !(one && motion->forks.count > 0);
  }
  return error;
}

/* Whether all slips have one component: their cones have edges. */
static bool is_plane(const event_problem *problem, const event_friction_laws *friction,
                     const event_mode_search *search) {
  for (size_t b = 0; b < search->item_count; b++) {
    const event_law *law = thud_event_law_of(problem, friction, (size_t)search->items[b]);
    if (law != NULL && law->directions > 1 && law->corners == 0) return false;
  }
  return true;
}

static thud_error find_modes(event_motion *motion) {
  event_mode_search *search = &motion->search;
  event_forks *forks = &motion->forks;
  size_t k;
  bool consistent;
  search->singular = search->pivoted = false;
  search->level = SEARCH_UNIQUE;
  thud_event_outcomes_clear(forks);
  thud_error error = search_combinations(motion);
  /* Forces that are not unique hide motions: contacts that hold each other. */
  if (error == THUD_OK && search->vanished < 0 && (forks->count == 0 || search->singular) &&
      is_plane(&motion->problem, &motion->friction, search)) {
    search->level = SEARCH_EDGES;
    error = search_combinations(motion);
  }
  if (error == THUD_OK && search->vanished < 0 && forks->count == 0) {
    search->level = SEARCH_CENTRAL;
    error = search_combinations(motion);
  }
  if (error == THUD_OK && search->vanished < 0 && forks->count == 0 && motion->last.again) {
    search->level = SEARCH_LIMIT;
    error = search_combinations(motion);
  }
  if (error != THUD_OK || search->vanished >= 0) return error;
  if (forks->count == 0) return fail_without_modes(motion);
  error = thud_event_outcomes_pick(motion, "motions are consistent; friction leaves it open", &k);
  if (error != THUD_OK) return error;
  memcpy(search->chosen, forks->outcomes[k].chosen, event_choice_count(&motion->problem) * sizeof *search->chosen);
  search->level = (event_search)forks->outcomes[k].search;
  return thud_event_try_choices(motion, &consistent);
}

/* What rounding has left of a reaction that no order has decided is 0. */
static void clear_reaction(const event_motion *motion, size_t row) {
  const sim_arc *arc = motion->arc;
  for (int k = 0; k <= arc->decide && k <= arc->top; k++) {
    double *r = &arc->reaction[(size_t)k * arc->rows + row];
    double rounding = EVENT_ROUNDING * DBL_EPSILON * motion->search.order_size[k] / event_row_unit(arc, row);
    if (fabs(*r) <= rounding) *r = 0;
  }
}

/* Contacts that no order has decided. */
static void note_pending(event_motion *motion) {
  motion->graded.count = 0;
  for (size_t b = 0; b < motion->search.item_count; b++) {
    size_t item = (size_t)motion->search.items[b];
    if (item >= motion->problem.m || motion->modes.mode[item] != THUD_CONTACT_UNDECIDED) continue;
    motion->graded.pending[motion->graded.count++] = (thud_index)item;
    clear_reaction(motion, item);
    for (size_t j = 0; j < motion->problem.s; j++)
      if (motion->arc->owner[j] == (thud_index)item) clear_reaction(motion, motion->problem.m + j);
  }
  thud_event_note_undecided(motion);
}

/* What a combination has to give modes to. */
static void gather_items(event_motion *motion) {
  event_modes *modes = &motion->modes;
  event_mode_search *search = &motion->search;
  search->item_count = 0;
  for (size_t i = 0; i < motion->problem.m; i++) {
    modes->deflate[i] = 0;
    modes->redundant[i] = false;
    modes->mode[i] = event_is_equation(&motion->problem, i) ? THUD_CONTACT_LASTING : THUD_CONTACT_OPEN;
    if (event_is_equation(&motion->problem, i) || motion->contacts.contact[i] == EVENT_AWAY) continue;
    if (motion->contacts.contact[i] == EVENT_REST) {
      search->items[search->item_count++] = (thud_index)i;
      continue;
    }
    modes->mode[i] = THUD_CONTACT_LEAVING;
    modes->deflate[i] = event_kind_of(&motion->problem, i) == THUD_CONSTRAINT_UNILATERAL ? 1 : 0;
  }
  for (size_t l = 0; l < motion->problem.law_count; l++) {
    const event_law *law = &motion->friction.laws[l];
    bool closed = law->unilateral && motion->contacts.contact[law->constraint] == EVENT_REST;
    if (!law->unilateral || (closed && !law->leads))
      search->items[search->item_count++] = (thud_index)(motion->problem.m + l);
  }
}

static thud_error decide_items(event_motion *motion, bool as_before) {
  gather_items(motion);
  motion->search.vanished = -1;
  motion->search.guessed = false;
  /* Between events modes do not change: those of the arc before, which were the only ones. */
  if (as_before) {
    motion->search.chosen[event_choice_count(&motion->problem) - 1] = 0;
    thud_error error = thud_event_try_choices(motion, &as_before);
    if (error != THUD_OK || motion->search.vanished >= 0) return error;
  }
  return as_before ? THUD_OK : find_modes(motion);
}

/* The slip of a law that has next to none is taken away. */
static thud_error take_slip_away(event_motion *motion) {
  const event_law *stopped = &motion->friction.laws[motion->search.vanished];
  motion->contacts.slip[motion->search.vanished] = 0;
  motion->event.law_involved[motion->search.vanished] = motion->event.any = true;
  if (stopped->constraint >= 0) motion->event.involved[stopped->constraint] = true;
  for (size_t i = 0; i < motion->problem.m; i++) motion->projection.hold[i] = motion->contacts.contact[i] == EVENT_REST;
  for (size_t l = 0; l < motion->problem.law_count; l++) {
    const event_law *law = &motion->friction.laws[l];
    bool closed = law->constraint < 0 || motion->contacts.contact[law->constraint] == EVENT_REST;
    for (size_t c = 0; c < law->directions; c++)
      motion->projection.hold[event_row_of(motion->arc, law, c)] = closed && motion->contacts.slip[l] == 0;
  }
  return thud_event_project_held(motion);
}

thud_error thud_event_decide_modes_with_friction(event_motion *motion) {
  thud_error error = decide_items(motion, motion->last.going_on);
  while (error == THUD_OK && motion->search.vanished >= 0) {
    error = take_slip_away(motion);
    if (error == THUD_OK) error = decide_items(motion, false);
  }
  if (error != THUD_OK) return error;
  note_modes(motion);
  note_pending(motion);
  thud_event_note_shared_forces(motion);
  for (size_t i = 0; motion->last.again && i < motion->problem.m; i++)
    if (motion->modes.mode[i] != motion->modes.mode_before[i]) motion->event.involved[i] = motion->event.any = true;
  for (size_t l = 0; motion->last.again && l < motion->problem.law_count; l++)
    if (motion->modes.law_mode[l] != motion->modes.law_mode_before[l])
      motion->event.law_involved[l] = motion->event.any = true;
  return THUD_OK;
}
