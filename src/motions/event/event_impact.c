/* Impacts: the velocity problem at one configuration, loads of the system, and impacts without collision. */
#include "linalg/dense.h"
#include "model/diagnose.h"
#include "model/factors.h"
#include "model/percussion.h"
#include "motions/event/event.h"

#include <float.h>

/* ---- collisions ---------------------------------------------------------------------------------------------------- */

/* The law sees the numbers of the arc, whose switches are held on the side on which the motion goes on. */
thud_error thud_event_take_values_of_arc(const event_problem *problem, const sim_arc *arc, event_present *state) {
  const model_jet_layout *at = &arc->jets.layout;
  thud_system_values *values = state->values;
  size_t n = problem->n, m = problem->m;
  const unsigned parts = THUD_AT_MASS | THUD_AT_GRADIENT | THUD_AT_FRICTION | THUD_AT_RESTITUTION;
  thud_error error = thud_system_evaluate(problem->system, state->t, state->q, state->v, parts, values);
  if (error != THUD_OK) return error;
  memcpy(values->mass, arc->jet + at->mass, n * n * sizeof(double));
  memcpy(values->mass_factor, arc->factor, n * n * sizeof(double));
  memcpy(values->gradient, arc->jet + at->gradient, m * n * sizeof(double));
  memcpy(values->slip, arc->jet + at->slip, problem->s * n * sizeof(double));
  memcpy(values->friction, arc->jet + at->friction,
         (size_t)thud_system_friction_count(problem->system) * sizeof(double));
  for (size_t j = 0; j < problem->s; j++)
    values->slip_rate[j] = arc->jet[at->slip_velocity + j] - motion_dot((thud_index)n, values->slip + j * n, state->v);
  thud_model_rows_out_of_frames(problem->system, n, values->slip);
  thud_model_rows_out_of_frames(problem->system, 1, values->slip_rate);
  for (size_t i = 0; i < m; i++)
    values->rate[i] = arc->jet[at->velocity + i] - motion_dot((thud_index)n, values->gradient + i * n, state->v);
  return THUD_OK;
}

double thud_event_constraint_velocity(const event_problem *problem, const event_present *state, size_t i,
                                      const double *v) {
  return motion_dot((thud_index)problem->n, state->values->gradient + i * problem->n, v) + state->values->rate[i];
}

double thud_event_approach_speed(const event_motion *motion) {
  double fastest = 0;
  for (size_t i = 0; i < motion->problem.m; i++) {
    double own = motion->arc->own[i];
    if (motion->collision.acting[i] && own > 0)
      fastest =
          fmax(fastest,
               fabs(thud_event_constraint_velocity(&motion->problem, &motion->state, i, motion->event.v_before)) / own);
  }
  return fastest;
}

/* A velocity, or an energy of it, that is not a number any more: comparisons with it decide nothing. */
static thud_error check_finite(event_motion *motion) {
  const thud_percussion_info *found = &motion->event.percussion;
  double sum =
      found->energy_after + found->normal_loss + found->friction_loss + found->moving_work + found->applied_work;
  for (size_t i = 0; i < motion->problem.n; i++) sum += motion->state.v[i];
  if (isfinite(sum)) return THUD_OK;
  motion->run.finding = THUD_MOTION_BLOW_UP;
  return thud_fail(
      motion->problem.context, THUD_ERROR_NOT_FINITE,
      "[blow-up] blow-up at t = %.10g: the velocities after the %s, or their energy, are too large for a number",
      motion->state.t, motion->event.loaded ? "percussion" : "impact");
}

static thud_error fail_infeasible(const event_motion *motion) {
  const event_problem *problem = &motion->problem;
  char family[288];
  double closed = 0;
  for (size_t i = 0; i < problem->m; i++)
    if (motion->contacts.contact[i] != EVENT_AWAY) closed = fmax(closed, motion->state.values->gap[i]);
  thud_error error = thud_model_name_dependent(problem->context, problem->system, motion->state.t, motion->state.q,
                                               motion->state.v, closed, sizeof family, family);
  bool named = error == THUD_OK && family[0] != '\0';
  return thud_fail(problem->context, THUD_ERROR_UNQUALIFIED,
                   "[no-admissible-velocity] impact at t = %.10g: %s%s: no velocity satisfies %s; see `thud check`",
                   motion->state.t, named ? "no solution: " : "", named ? family : "the closed constraints",
                   named ? "them" : "them all");
}

static thud_error judge_answer(event_motion *motion) {
  const thud_percussion_info *found = &motion->event.percussion;
  if (found->status == THUD_SOLVER_INFEASIBLE) return fail_infeasible(motion);
  if (found->status != THUD_SOLVED)
    return thud_fail(
        motion->problem.context, THUD_ERROR_NOT_CONVERGED,
        "[solver-limit] impact at t = %.10g: the velocity problem was left with residual %.3g (method: %s, %s)",
        motion->state.t, found->residual, thud_percussion_method(motion->collision.percussion),
        thud_solver_status_name(found->status));
  thud_error error = check_finite(motion);
  if (error != THUD_OK || !found->refused) return error;
  motion->run.finding = thud_percussion_only_gains(found) ? THUD_MOTION_ENERGY : THUD_MOTION_BAD_DATA;
  return thud_percussion_fail_refused(motion->collision.percussion, found, THUD_ERROR_ARGUMENT);
}

double thud_event_slip_velocity(const event_problem *problem, const event_present *state, size_t j, const double *v) {
  return motion_dot((thud_index)problem->n, state->values->slip + j * problem->n, v) + state->values->slip_rate[j];
}

void thud_event_slip_in_frame(const event_problem *problem, const event_present *state, const event_law *law,
                              const double *v, double *slip) {
  const thud_set_factor *set = &thud_model_factor(problem->system, law->number)->set;
  for (size_t c = 0; c < law->directions; c++) slip[c] = thud_event_slip_velocity(problem, state, law->first + c, v);
  if (set->kind != THUD_FACTOR_ELLIPSE) return;
  double x = slip[0], y = slip[1];
  slip[0] = set->map[0] * x + set->map[2] * y;
  slip[1] = set->map[1] * x + set->map[3] * y;
}

/* Which laws slide after the impact (those by themselves may have been carried along, or stopped by a load); what is 0
 * beside the velocities before counts as 0. */
static void sort_slips(event_motion *motion, double speed) {
  for (size_t l = 0; l < motion->problem.law_count; l++) {
    const event_law *law = &motion->friction.laws[l];
    double before[THUD_MOST_SLIPS], u[THUD_MOST_SLIPS], limit[THUD_MOST_SLIPS];
    if (law->constraint >= 0 && !motion->collision.acting[law->constraint]) continue;
    thud_event_slip_in_frame(&motion->problem, &motion->state, law, motion->event.v_before, before);
    thud_event_slip_in_frame(&motion->problem, &motion->state, law, motion->state.v, u);
    for (size_t c = 0; c < law->directions; c++)
      limit[c] = motion->problem.options.decision_tolerance *
                 fmax(speed * motion->arc->own[event_row_of(motion->arc, law, c)], fabs(before[c]));
    motion->contacts.slip[l] = thud_event_slip_sign(motion->arc, law, u, limit);
  }
}

/* What the velocity problem may leave of a velocity: its tolerance is relative to the largest one given. */
static double residual_speed(const event_motion *motion, double speed, double own) {
  double largest = 0;
  for (size_t i = 0; i < motion->problem.m; i++)
    if (motion->collision.acting[i])
      largest = fmax(largest,
                     fabs(thud_event_constraint_velocity(&motion->problem, &motion->state, i, motion->event.v_before)));
  for (size_t j = 0; j < motion->problem.s; j++) {
    thud_index owner = motion->arc->owner[j];
    if (owner >= 0 && motion->collision.acting[owner])
      largest =
          fmax(largest, fabs(thud_event_slip_velocity(&motion->problem, &motion->state, j, motion->event.v_before)));
  }
  if (motion->event.loaded) largest = fmax(largest, speed * own);
  return motion->problem.options.residual_tolerance * largest;
}

double thud_event_velocity_terms(const event_problem *problem, const event_present *state, size_t i, const double *v) {
  double sum = fabs(state->values->rate[i]);
  for (size_t c = 0; c < problem->n; c++) sum += fabs(state->values->gradient[i * problem->n + c] * v[c]);
  return sum;
}

double thud_event_small_velocity(const event_problem *problem, const sim_arc *arc, const event_present *state, size_t i,
                                 double speed, const double *v) {
  double rounding = (double)(problem->n + 2) * DBL_EPSILON * thud_event_velocity_terms(problem, state, i, v);
  return problem->options.decision_tolerance * speed * arc->own[i] + rounding;
}

/* What velocity u after the impact makes of contact i, which took part in it. A law may let a contact that separated
 * come back, as long as it is no faster than e times that (Newton's u+ >= -e u-): it is struck next, like an open one.
 */
static thud_error sort_contact(event_motion *motion, size_t i, double speed) {
  double u = thud_event_constraint_velocity(&motion->problem, &motion->state, i, motion->state.v),
         limit = thud_event_small_velocity(&motion->problem, motion->arc, &motion->state, i, speed, motion->state.v);
  motion->event.involved[i] = motion->event.involved[i] || motion->event.impulse[i] != 0;
  motion->contacts.contact[i] = u > limit ? EVENT_PARTS : EVENT_REST;
  if (event_is_equation(&motion->problem, i) || u >= -limit || u >= -residual_speed(motion, speed, motion->arc->own[i]))
    return THUD_OK;
  motion->contacts.contact[i] = EVENT_AWAY;
  if (thud_event_constraint_velocity(&motion->problem, &motion->state, i, motion->collision.v_struck) > limit)
    return THUD_OK;
  return thud_fail(motion->problem.context, THUD_ERROR_NOT_CONVERGED,
                   "[impact-law-leaves] impact at t = %.10g: the law leaves constraint '%s' approaching at %.6g",
                   motion->state.t, thud_system_constraint(motion->problem.system, (thud_index)i)->name, -u);
}

/* What the impact leaves: contacts at rest, and contacts that part. */
static thud_error sort_contacts(event_motion *motion, double speed) {
  thud_error error = THUD_OK;
  sort_slips(motion, speed);
  for (size_t i = 0; i < motion->problem.m && error == THUD_OK; i++)
    if (motion->collision.acting[i]) error = sort_contact(motion, i, speed);
  return error;
}

thud_error thud_event_rest_after_impact(event_motion *motion) {
  const event_problem *problem = &motion->problem;
  bool any = false;
  for (size_t row = 0; row < motion->arc->rows; row++) {
    thud_index i = row < problem->m ? (thud_index)row : motion->arc->owner[row - problem->m];
    motion->projection.hold[row] = i < 0 || motion->contacts.contact[i] == EVENT_REST;
    if (row >= problem->m)
      motion->projection.hold[row] =
          motion->projection.hold[row] && motion->contacts.slip[motion->arc->law[row - problem->m]] == 0;
    any = any || (motion->event.loaded && row >= problem->m && motion->projection.hold[row]);
    any = any || (row < problem->m && motion->projection.hold[row] && !event_is_equation(problem, row));
  }
  return any ? thud_event_project_held(motion) : THUD_OK;
}

static void note_cosine(event_motion *motion) {
  const thud_percussion_info *found = &motion->event.percussion;
  thud_event_motion_info *info = &motion->info;
  int struck = 0;
  for (size_t i = 0; i < motion->problem.m; i++)
    struck += motion->collision.acting[i] && !event_is_equation(&motion->problem, i) ? 1 : 0;
  info->multiple_impacts += struck > 1 ? 1 : 0;
  if (found->cosine_first < 0 || !(fabs(found->worst_cosine) > fabs(info->worst_cosine))) return;
  info->worst_cosine = found->worst_cosine;
  info->worst_cosine_time = motion->state.t;
  info->cosine_first = found->cosine_first;
  info->cosine_second = found->cosine_second;
}

static bool any_contact_impulse(const event_motion *motion) {
  for (size_t i = 0; i < motion->problem.m; i++)
    if (motion->event.impulse[i] != 0) return true;
  return false;
}

thud_error thud_event_book_impact(event_motion *motion, double speed) {
  const thud_percussion_info *found = &motion->event.percussion;
  thud_event_motion_info *info = &motion->info;
  info->impacts += motion->event.loaded ? 0 : 1;
  info->percussions += motion->event.loaded ? 1 : 0;
  if (motion->problem.options.keep_posed)
    thud_sim_posed_take(motion->problem.system, motion->state.values, motion->collision.acting, 0, NULL, NULL,
                        &motion->collision.posed);
  info->worst_residual = fmax(info->worst_residual, found->residual);
  info->ledger.impact_loss += found->normal_loss + found->friction_loss;
  info->ledger.work += found->moving_work + found->applied_work;
  info->ledger.identity = fmax(info->ledger.identity, found->identity);
  info->reduced_restitutions += found->restitution_factor < 1 ? 1 : 0;
  if (!motion->event.loaded || any_contact_impulse(motion)) note_cosine(motion);
  motion->event.jumped = true;
  return sort_contacts(motion, speed);
}

thud_error thud_event_apply_impact(event_motion *motion) {
  const event_problem *problem = &motion->problem;
  event_present *state = &motion->state;
  event_collision *collision = &motion->collision;
  size_t count = problem->m + problem->s;
  thud_percussion_info *found = &motion->event.percussion;
  thud_error error = thud_event_take_values_of_arc(problem, motion->arc, state);
  if (error != THUD_OK) return error;
  for (size_t i = 0; i < problem->m; i++)
    collision->acting[i] = event_is_equation(problem, i) || motion->contacts.contact[i] != EVENT_AWAY;
  memset(motion->event.impulse, 0, count * sizeof(double));
  memcpy(collision->v_struck, state->v, problem->n * sizeof(double));
  bool loaded = thud_event_load_is_due(problem, &motion->loads, state->t);
  if (loaded) thud_event_place_load(problem, state, &motion->loads);
  const double *v_free = loaded ? motion->loads.v_free : state->v;
  motion->event.loaded = loaded;
  thud_percussion_place(collision->percussion, state->t, state->q);
  error = thud_percussion_solve(collision->percussion, state->values, collision->acting, loaded ? 1 : 0, state->v,
                                v_free, motion->event.impulse, motion->event.impulse + problem->m, state->v, found);
  if (error == THUD_OK) error = judge_answer(motion);
  if (error == THUD_OK && problem->options.fork && !loaded) error = thud_event_fork_over_orders(motion);
  if (error != THUD_OK) return error;
  return thud_event_book_impact(motion, loaded ? motion->loads.speed : thud_event_approach_speed(motion));
}

/* ---- loads --------------------------------------------------------------------------------------------------------- */

/* Loads of the system: times at which the run stops, and what the velocity problem sees there. */

void thud_event_loads_begin(const event_problem *problem, event_loads *loads) {
  loads->next = thud_loads_before(problem->system, problem->options.start, false);
}

double thud_event_next_stop(const event_problem *problem, const event_loads *loads) {
  thud_loads all = thud_system_loads(problem->system);
  return loads->next < all.count ? fmin(all.items[loads->next].t, event_end(problem)) : event_end(problem);
}

bool thud_event_load_is_due(const event_problem *problem, const event_loads *loads, double t) {
  thud_loads all = thud_system_loads(problem->system);
  return loads->next < all.count && all.items[loads->next].t <= t;
}

/* v_free = v + M^-1 P; thresholds of laws by themselves are those of a step of 1, in which nothing else acts. */
void thud_event_place_load(const event_problem *problem, const event_present *state, event_loads *loads) {
  thud_loads_sum(problem->system, loads->next, loads->next + 1, loads->impulse, loads->bound, loads->share);
  memcpy(loads->v_free, loads->impulse, problem->n * sizeof(double));
  motion_solve_mass((thud_index)problem->n, state->values->mass_factor, loads->v_free);
  for (size_t i = 0; i < problem->n; i++) loads->v_free[i] += state->v[i];
  double *friction = state->values->friction;
  for (size_t l = 0; l < (size_t)thud_system_friction_count(problem->system); l++)
    if (thud_system_friction(problem->system, (thud_index)l)->constraint < 0)
      friction[l] = loads->bound[l] + loads->share[l] * friction[l];
  loads->speed = sqrt(2 * thud_system_kinetic_energy(problem->system, state->values, state->v)) +
                 sqrt(2 * thud_system_kinetic_energy(problem->system, state->values, loads->v_free));
}

void thud_event_stand_still(event_motion *motion) {
  const event_problem *problem = &motion->problem;
  event_modes *modes = &motion->modes;
  motion->run.phase = EVENT_AT_NODE;
  motion->event.any = true;
  motion->event.switched = false;
  motion->event.t_error = 0;
  memcpy(motion->event.v_before, motion->state.v, problem->n * sizeof(double));
  memset(motion->event.involved, 0, problem->m * sizeof *motion->event.involved);
  memset(motion->event.law_involved, 0, problem->law_count * sizeof *motion->event.law_involved);
  for (size_t i = 0; i < problem->m; i++) modes->mode_before[i] = modes->mode[i];
  for (size_t l = 0; l < problem->law_count; l++) modes->law_mode_before[l] = modes->law_mode[l];
}

/* ---- impacts without collision ------------------------------------------------------------------------------------- */

/* Impacts without collision (Lecornu's "frottement cause d'un choc"), where no modes of the closed contacts are
 * consistent: Painleve's paradox.
 *
 * Nothing approaches, and yet the velocity problem with friction at e = 0 has an answer other than 0: with rows N and T
 * of the closed contacts, u+ = u- + W p and for each contact one of
 *   none      p = 0                               and  u_N+ >= 0
 *   sticking  p_N > 0, |p_T| <= mu p_N            and  u_N+ = 0, u_T+ = 0
 *   sliding   p_N > 0, p_T = -d mu p_N            and  u_N+ = 0, d u_T+ >= 0      (d = +-1)
 * All combinations are tried. The energy cannot rise: p.u- = p.u+ - p'Wp <= 0 where p.u+ <= 0 by friction. A contact
 * that slides forth with W_NN - mu W_NT < 0, the rod's, is brought to stick by p = -W^-1 (0, u_T). Contacts with
 * friction in two directions can only stick here. */

typedef enum blow { BLOW_NONE, BLOW_CLOSED, BLOW_STICK, BLOW_FORTH, BLOW_BACK } blow;

static const char *const blow_words[] = {"is not struck", "is struck", "is stopped", "is struck sliding forth",
                                         "is struck sliding back"};

/* ---- the problem of an impact without collision -------------------------------------------------------------------- */

/* The threshold beside the normal impulse, of slip along d = +-1. */
static double mu_of(const event_present *state, const event_law *law, double d) {
  return law->reach[d > 0 ? 0 : 1] * state->values->friction[law->own];
}

/* Of slips in the frames of their laws. */
static double velocity_of_row(const event_motion *motion, size_t row, const double *v) {
  const event_problem *problem = &motion->problem;
  double slip[THUD_MOST_SLIPS];
  if (row < problem->m) return thud_event_constraint_velocity(problem, &motion->state, row, v);
  const event_law *law = &motion->friction.laws[motion->arc->law[row - problem->m]];
  thud_event_slip_in_frame(problem, &motion->state, law, v, slip);
  return slip[row - problem->m - law->first];
}

static bool is_of(const event_law *law, size_t i) { return law->constraint == (thud_index)i; }

/* Rows with unknown impulses, into `rows`. */
static void gather_rows(event_motion *motion) {
  event_equations *equations = &motion->equations;
  equations->count = 0;
  for (size_t i = 0; i < motion->problem.m; i++) {
    bool closed = motion->collision.acting[i] && motion->search.chosen[i] != BLOW_NONE;
    if (event_is_equation(&motion->problem, i) || closed) equations->rows[equations->count++] = (thud_index)i;
    for (size_t l = 0; closed && motion->search.chosen[i] == BLOW_STICK && l < motion->problem.law_count; l++) {
      const event_law *law = &motion->friction.laws[l];
      for (size_t c = 0; is_of(law, i) && c < law->directions; c++)
        equations->rows[equations->count++] = (thud_index)event_row_of(motion->arc, law, c);
    }
  }
}

/* What the impulse of a row does to the velocity of another: sliding contacts carry their friction. */
static double coupling(const event_motion *motion, size_t row, size_t by) {
  const sim_arc *arc = motion->arc;
  double sum = arc->delassus[row * arc->rows + by];
  if (by >= motion->problem.m || motion->search.chosen[by] < BLOW_FORTH) return sum;
  const event_law *law = thud_event_law_of(&motion->problem, &motion->friction, by);
  double d = motion->search.chosen[by] == BLOW_FORTH ? 1 : -1;
  return sum - d * mu_of(&motion->state, law, d) * arc->delassus[row * arc->rows + event_row_of(arc, law, 0)];
}

/* Impulses of the combination into `impulse`; false: it has none, or none that is unique. */
static bool solve_impulses(event_motion *motion) {
  event_equations *equations = &motion->equations;
  const sim_arc *arc = motion->arc;
  size_t count = equations->count;
  memset(motion->event.impulse, 0, arc->rows * sizeof(double));
  for (size_t a = 0; a < count; a++) {
    size_t row = (size_t)equations->rows[a];
    equations->right[a] = -velocity_of_row(motion, row, motion->collision.v_struck) / arc->own[row];
    for (size_t b = 0; b < count; b++) {
      size_t by = (size_t)equations->rows[b];
      equations->factor[a + b * count] = coupling(motion, row, by) / (arc->own[row] * arc->own[by]);
    }
  }
  if (count > 0 &&
      !thud_dense_solve_in_place((thud_index)count, equations->factor, equations->right, equations->pivots))
    return false;
  for (size_t a = 0; a < count; a++)
    motion->event.impulse[equations->rows[a]] = equations->right[a] / arc->own[equations->rows[a]];
  for (size_t i = 0; i < motion->problem.m; i++) {
    if (motion->search.chosen[i] < BLOW_FORTH) continue;
    const event_law *law = thud_event_law_of(&motion->problem, &motion->friction, i);
    double d = motion->search.chosen[i] == BLOW_FORTH ? 1 : -1;
    motion->event.impulse[event_row_of(arc, law, 0)] = -d * mu_of(&motion->state, law, d) * motion->event.impulse[i];
  }
  return true;
}

/* v = v- + M^-1 sum A' p. */
static void apply_impulses(event_motion *motion) {
  const sim_arc *arc = motion->arc;
  memcpy(motion->state.v, motion->collision.v_struck, motion->problem.n * sizeof(double));
  for (size_t row = 0; row < arc->rows; row++)
    for (size_t c = 0; motion->event.impulse[row] != 0 && c < motion->problem.n; c++)
      motion->state.v[c] += arc->response[row * motion->problem.n + c] * motion->event.impulse[row];
}

static bool friction_holds(const event_motion *motion, size_t i, double small) {
  for (size_t l = 0; l < motion->problem.law_count; l++) {
    const event_law *law = &motion->friction.laws[l];
    const double *force = motion->event.impulse + event_row_of(motion->arc, law, 0);
    if (is_of(law, i) &&
        thud_event_inside(motion->arc, law, force, motion->event.impulse[i]) < -small / motion->arc->own[i])
      return false;
  }
  return true;
}

/* Whether the conditions of contact i hold; *struck: it has an impulse. speed: of the contacts, in units in which
 * gradients have length 1. */
static bool is_consistent(const event_motion *motion, size_t i, double speed, bool *struck) {
  const sim_arc *arc = motion->arc;
  double small = motion->problem.options.decision_tolerance * speed;
  if (motion->search.chosen[i] == BLOW_NONE)
    return thud_event_constraint_velocity(&motion->problem, &motion->state, i, motion->state.v) >=
           -thud_event_small_velocity(&motion->problem, arc, &motion->state, i, speed, motion->state.v);
  if (!(motion->event.impulse[i] * arc->own[i] > small)) return false;
  *struck = true;
  if (motion->search.chosen[i] == BLOW_CLOSED) return true;
  if (motion->search.chosen[i] == BLOW_STICK) return friction_holds(motion, i, small);
  const event_law *law = thud_event_law_of(&motion->problem, &motion->friction, i);
  double d = motion->search.chosen[i] == BLOW_FORTH ? 1 : -1;
  return d * thud_event_slip_velocity(&motion->problem, &motion->state, law->first, motion->state.v) >=
         -small * arc->own[event_row_of(arc, law, 0)];
}

/* ---- combinations ------------------------------------------------------------------------------------------------ */

static bool is_contact(const event_problem *problem, const event_collision *collision, size_t i) {
  return collision->acting[i] && !event_is_equation(problem, i);
}

/* Slip components of a contact. */
static size_t slips_of(const event_problem *problem, const event_friction_laws *friction, size_t i) {
  size_t count = 0;
  for (size_t l = 0; l < problem->law_count; l++)
    if (is_of(&friction->laws[l], i)) count += friction->laws[l].directions;
  return count;
}

/* The modes of contact i after the present one; false: it was the last, and the first is set. */
static bool next_blow(const event_problem *problem, const event_friction_laws *friction, event_mode_search *search,
                      size_t i) {
  size_t slips = slips_of(problem, friction, i);
  int *mode = &search->chosen[i];
  switch (*mode) {
  case BLOW_NONE: *mode = slips == 0 ? BLOW_CLOSED : BLOW_STICK; return true;
  case BLOW_STICK: *mode = slips == 1 ? BLOW_FORTH : BLOW_NONE; return slips == 1;
  case BLOW_FORTH: *mode = BLOW_BACK; return true;
  default: *mode = BLOW_NONE; return false;
  }
}

static bool next_combination(event_motion *motion) {
  for (size_t i = 0; i < motion->problem.m; i++)
    if (is_contact(&motion->problem, &motion->collision, i) &&
        next_blow(&motion->problem, &motion->friction, &motion->search, i))
      return true;
  return false;
}

/* Losses and energies, as thud_percussion_solve gives them; the cosines are there. The impulses leave the frames of their
 * laws. */
static void fill_info(event_motion *motion) {
  const event_problem *problem = &motion->problem;
  event_happening *event = &motion->event;
  const thud_system_values *values = motion->state.values;
  thud_percussion_info found = {.status = THUD_SOLVED,
                                .worst_constraint = -1,
                                .worst_law = -1,
                                .energy_before =
                                    thud_system_kinetic_energy(problem->system, values, motion->collision.v_struck),
                                .energy_after = thud_system_kinetic_energy(problem->system, values, motion->state.v),
                                .restitution_factor = 1,
                                .in_cone = true,
                                .impulse_admissible = true,
                                .worst_cosine = event->percussion.worst_cosine,
                                .cosine_first = event->percussion.cosine_first,
                                .cosine_second = event->percussion.cosine_second};
  for (size_t row = 0; row < problem->m + problem->s; row++) {
    double p = event->impulse[row];
    double loss =
        -p *
        (velocity_of_row(motion, row, motion->state.v) + velocity_of_row(motion, row, motion->collision.v_struck)) / 2;
    *(row < problem->m ? &found.normal_loss : &found.friction_loss) += loss;
  }
  thud_model_forces_out_of_frames(problem->system, event->impulse + problem->m);
  for (size_t row = 0; row < problem->m + problem->s; row++)
    found.moving_work -=
        event->impulse[row] * (row < problem->m ? values->rate[row] : values->slip_rate[row - problem->m]);
  double change = found.energy_after - found.energy_before, losses = found.normal_loss + found.friction_loss;
  double size = fabs(change) + fabs(losses) + fabs(found.moving_work);
  found.identity = size > 0 ? fabs(change - found.moving_work + losses) / size : 0;
  event->percussion = found;
}

static void describe(const event_problem *problem, const event_mode_search *search, const event_collision *collision,
                     char *text, size_t capacity) {
  const char *between = "";
  text[0] = 0;
  for (size_t i = 0; i < problem->m; i++) {
    if (!is_contact(problem, collision, i)) continue;
    thud_event_append_text(text, capacity, "%s'%s' %s", between,
                           thud_system_constraint(problem->system, (thud_index)i)->name, blow_words[search->chosen[i]]);
    between = ", ";
  }
}

static thud_error try_combination(event_motion *motion, double speed) {
  char text[160];
  bool consistent = true, struck = false;
  gather_rows(motion);
  if (!solve_impulses(motion)) return THUD_OK;
  apply_impulses(motion);
  for (size_t i = 0; i < motion->problem.m && consistent; i++)
    if (is_contact(&motion->problem, &motion->collision, i)) consistent = is_consistent(motion, i, speed, &struck);
  if (!consistent || !struck) return THUD_OK;
  fill_info(motion);
  describe(&motion->problem, &motion->search, &motion->collision, text, sizeof text);
  return thud_event_outcomes_add_jump(motion, text);
}

/* ---- the impact -------------------------------------------------------------------------------------------------- */

static double speed_of_contacts(const event_motion *motion) {
  double fastest = thud_event_approach_speed(motion);
  for (size_t j = 0; j < motion->problem.s; j++) {
    thud_index owner = motion->arc->owner[j];
    double own = motion->arc->own[motion->problem.m + j];
    if (owner >= 0 && motion->collision.acting[owner] && own > 0)
      fastest =
          fmax(fastest,
               fabs(thud_event_slip_velocity(&motion->problem, &motion->state, j, motion->collision.v_struck)) / own);
  }
  return fastest;
}

/* Who acts, and with which cosines of gradients: the velocity problem reports them. */
static thud_error prepare_combinations(event_motion *motion) {
  const event_problem *problem = &motion->problem;
  event_present *state = &motion->state;
  event_collision *collision = &motion->collision;
  thud_error error = thud_event_take_values_of_arc(problem, motion->arc, state);
  if (error != THUD_OK) return error;
  memcpy(collision->v_struck, state->v, problem->n * sizeof(double));
  for (size_t i = 0; i < problem->m; i++) {
    collision->acting[i] = event_is_equation(problem, i) || motion->contacts.contact[i] != EVENT_AWAY;
    motion->search.chosen[i] = BLOW_NONE;
  }
  memset(motion->event.impulse, 0, (problem->m + problem->s) * sizeof(double));
  thud_percussion_place(collision->percussion, state->t, state->q);
  return thud_percussion_solve(collision->percussion, state->values, collision->acting, 0, state->v, state->v,
                               motion->event.impulse, motion->event.impulse + problem->m, state->v,
                               &motion->event.percussion);
}

static thud_error fail_without_impact(const event_problem *problem, const event_present *state, event_progress *run) {
  run->finding = THUD_MOTION_INCONSISTENT;
  return thud_fail(problem->context, THUD_ERROR_UNQUALIFIED,
                   "[no-consistent-mode] t = %.10g: no modes of the closed contacts are consistent (Painleve's "
                   "paradox), and there is no "
                   "impact without collision either",
                   state->t);
}

static thud_error fail_with_too_many(const event_problem *problem, const event_present *state, event_progress *run) {
  run->finding = THUD_MOTION_TOO_MANY;
  return thud_fail(
      problem->context, THUD_ERROR_NOT_CONVERGED,
      "[too-many-cases] t = %.10g: more than %d combinations of impulses at the closed contacts are too many to try",
      state->t, EVENT_MOST_COMBINATIONS);
}

static thud_error collect_combinations(event_motion *motion, double speed) {
  thud_error error = THUD_OK;
  bool more = true;
  thud_event_outcomes_clear(&motion->forks);
  for (int tried = 0; more && error == THUD_OK && !motion->forks.cut; tried++) {
    if (tried == EVENT_MOST_COMBINATIONS) return fail_with_too_many(&motion->problem, &motion->state, &motion->run);
    error = try_combination(motion, speed);
    more = next_combination(motion);
  }
  return error;
}

/* What an impact at the same time has given before: one event reports both. */
static void add_earlier(const event_problem *problem, event_happening *event, const thud_percussion_info *earlier,
                        const double *impulse) {
  for (size_t row = 0; row < problem->m + problem->s; row++) event->impulse[row] += impulse[row];
  event->percussion.energy_before = earlier->energy_before;
  event->percussion.residual = earlier->residual;
}

thud_error thud_event_tangential_impact(event_motion *motion) {
  size_t k, rows = motion->problem.m + motion->problem.s;
  bool earlier = motion->event.jumped;
  const thud_percussion_info before = motion->event.percussion;
  memcpy(motion->collision.strike, motion->event.impulse, rows * sizeof(double));
  thud_error error = prepare_combinations(motion);
  if (error != THUD_OK) return error;
  double speed = speed_of_contacts(motion);
  error = collect_combinations(motion, speed);
  if (error == THUD_OK && motion->forks.count == 0)
    error = fail_without_impact(&motion->problem, &motion->state, &motion->run);
  if (error == THUD_OK) error = thud_event_outcomes_pick(motion, "impacts without collision are possible", &k);
  if (error != THUD_OK) return error;
  thud_event_outcomes_take_jump(motion, k);
  motion->event.tangential = !earlier;
  motion->last.going_on = false;
  error = thud_event_book_impact(motion, speed);
  if (earlier) add_earlier(&motion->problem, &motion->event, &before, motion->collision.strike);
  return error;
}
