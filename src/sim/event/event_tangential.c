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
#include "sim/event/event.h"

#include "linalg/dense.h"

typedef enum blow { BLOW_NONE, BLOW_CLOSED, BLOW_STICK, BLOW_FORTH, BLOW_BACK } blow;

static const char *const blow_words[] = {"is not struck", "is struck", "is stopped", "is struck sliding forth",
                                         "is struck sliding back"};

/* ---- the problem ------------------------------------------------------------------------------------------------- */

static double mu_of(const thud_event_motion *motion, const event_law *law) {
  return law->radius * motion->values->friction[law - motion->laws];
}

static double velocity(const thud_event_motion *motion, size_t row, const double *v) {
  return row < motion->m ? event_velocity_of(motion, row, v) : event_slip_velocity(motion, row - motion->m, v);
}

/* Rows with unknown impulses, into `rows`. */
static void gather_rows(thud_event_motion *motion) {
  motion->row_count = 0;
  for (size_t i = 0; i < motion->m; i++) {
    bool closed = motion->acting[i] && motion->chosen[i] != BLOW_NONE;
    if (event_is_equation(motion, i) || closed) motion->rows[motion->row_count++] = (thud_index)i;
    const event_law *law = closed && motion->chosen[i] == BLOW_STICK ? event_law_of(motion, i) : NULL;
    for (size_t c = 0; law != NULL && c < law->directions; c++)
      motion->rows[motion->row_count++] = (thud_index)event_row_of(motion, law, c);
  }
}

/* What the impulse of a row does to the velocity of another: sliding contacts carry their friction. */
static double coupling(const thud_event_motion *motion, size_t row, size_t by) {
  const sim_arc *arc = motion->arc;
  double sum = arc->delassus[row * arc->rows + by];
  if (by >= motion->m || motion->chosen[by] < BLOW_FORTH) return sum;
  const event_law *law = event_law_of(motion, by);
  double d = motion->chosen[by] == BLOW_FORTH ? 1 : -1;
  return sum - d * mu_of(motion, law) * arc->delassus[row * arc->rows + event_row_of(motion, law, 0)];
}

/* Impulses of the combination into `impulse`; false: it has none, or none that is unique. */
static bool solve(thud_event_motion *motion) {
  const sim_arc *arc = motion->arc;
  size_t count = motion->row_count;
  memset(motion->impulse, 0, arc->rows * sizeof(double));
  for (size_t a = 0; a < count; a++) {
    size_t row = (size_t)motion->rows[a];
    motion->row_drift[a] = -velocity(motion, row, motion->v_struck) / arc->own[row];
    for (size_t b = 0; b < count; b++) {
      size_t by = (size_t)motion->rows[b];
      motion->row_factor[a + b * count] = coupling(motion, row, by) / (arc->own[row] * arc->own[by]);
    }
  }
  if (count > 0 && !thud_dense_solve_in_place((thud_index)count, motion->row_factor, motion->row_drift, motion->pivots))
    return false;
  for (size_t a = 0; a < count; a++)
    motion->impulse[motion->rows[a]] = motion->row_drift[a] / arc->own[motion->rows[a]];
  for (size_t i = 0; i < motion->m; i++) {
    if (motion->chosen[i] < BLOW_FORTH) continue;
    const event_law *law = event_law_of(motion, i);
    double d = motion->chosen[i] == BLOW_FORTH ? 1 : -1;
    motion->impulse[event_row_of(motion, law, 0)] = -d * mu_of(motion, law) * motion->impulse[i];
  }
  return true;
}

/* v = v- + M^-1 sum A' p. */
static void move(thud_event_motion *motion) {
  const sim_arc *arc = motion->arc;
  memcpy(motion->v, motion->v_struck, motion->n * sizeof(double));
  for (size_t row = 0; row < arc->rows; row++)
    for (size_t c = 0; motion->impulse[row] != 0 && c < motion->n; c++)
      motion->v[c] += arc->response[row * motion->n + c] * motion->impulse[row];
}

static bool friction_holds(const thud_event_motion *motion, size_t i, double small) {
  const event_law *law = event_law_of(motion, i);
  double force = 0;
  for (size_t c = 0; c < law->directions; c++) force = hypot(force, motion->impulse[event_row_of(motion, law, c)]);
  return force <= mu_of(motion, law) * motion->impulse[i] + small / motion->arc->own[i];
}

/* Whether the conditions of contact i hold; *struck: it has an impulse. speed: of the contacts, in units in which
 * gradients have length 1. */
static bool is_consistent(const thud_event_motion *motion, size_t i, double speed, bool *struck) {
  const sim_arc *arc = motion->arc;
  double small = motion->options.decision_tolerance * speed;
  if (motion->chosen[i] == BLOW_NONE)
    return event_velocity_of(motion, i, motion->v) >= -event_small_velocity(motion, i, speed, motion->v);
  if (!(motion->impulse[i] * arc->own[i] > small)) return false;
  *struck = true;
  if (motion->chosen[i] == BLOW_CLOSED) return true;
  if (motion->chosen[i] == BLOW_STICK) return friction_holds(motion, i, small);
  const event_law *law = event_law_of(motion, i);
  double d = motion->chosen[i] == BLOW_FORTH ? 1 : -1;
  return d * event_slip_velocity(motion, law->first, motion->v) >= -small * arc->own[event_row_of(motion, law, 0)];
}

/* ---- combinations ------------------------------------------------------------------------------------------------ */

static bool is_contact(const thud_event_motion *motion, size_t i) {
  return motion->acting[i] && !event_is_equation(motion, i);
}

/* The modes of contact i after the present one; false: it was the last, and the first is set. */
static bool next_blow(thud_event_motion *motion, size_t i) {
  const event_law *law = event_law_of(motion, i);
  size_t slips = law == NULL ? 0 : law->directions;
  int *mode = &motion->chosen[i];
  switch (*mode) {
  case BLOW_NONE: *mode = slips == 0 ? BLOW_CLOSED : BLOW_STICK; return true;
  case BLOW_STICK: *mode = slips == 1 ? BLOW_FORTH : BLOW_NONE; return slips == 1;
  case BLOW_FORTH: *mode = BLOW_BACK; return true;
  default: *mode = BLOW_NONE; return false;
  }
}

static bool next_combination(thud_event_motion *motion) {
  for (size_t i = 0; i < motion->m; i++)
    if (is_contact(motion, i) && next_blow(motion, i)) return true;
  return false;
}

/* Losses and energies, as thud_percussion_solve gives them; the cosines are there. */
static void fill_info(thud_event_motion *motion) {
  const thud_system_values *values = motion->values;
  thud_percussion_info found = {.status = THUD_SOLVED,
                                .worst_constraint = -1,
                                .energy_before = thud_system_kinetic_energy(motion->system, values, motion->v_struck),
                                .energy_after = thud_system_kinetic_energy(motion->system, values, motion->v),
                                .restitution_factor = 1,
                                .in_cone = true,
                                .impulse_admissible = true,
                                .worst_cosine = motion->percussion_info.worst_cosine,
                                .cosine_first = motion->percussion_info.cosine_first,
                                .cosine_second = motion->percussion_info.cosine_second};
  for (size_t row = 0; row < motion->m + motion->s; row++) {
    double p = motion->impulse[row];
    double loss = -p * (velocity(motion, row, motion->v) + velocity(motion, row, motion->v_struck)) / 2;
    *(row < motion->m ? &found.normal_loss : &found.friction_loss) += loss;
    found.moving_work -= p * (row < motion->m ? values->rate[row] : values->slip_rate[row - motion->m]);
  }
  double change = found.energy_after - found.energy_before, losses = found.normal_loss + found.friction_loss;
  double size = fabs(change) + fabs(losses) + fabs(found.moving_work);
  found.identity = size > 0 ? fabs(change - found.moving_work + losses) / size : 0;
  motion->percussion_info = found;
}

static void describe(const thud_event_motion *motion, char *text, size_t capacity) {
  const char *between = "";
  text[0] = 0;
  for (size_t i = 0; i < motion->m; i++) {
    if (!is_contact(motion, i)) continue;
    event_append(text, capacity, "%s'%s' %s", between, thud_system_constraint(motion->system, (thud_index)i)->name,
                 blow_words[motion->chosen[i]]);
    between = ", ";
  }
}

static thud_error try_combination(thud_event_motion *motion, double speed) {
  char text[160];
  bool consistent = true, struck = false;
  gather_rows(motion);
  if (!solve(motion)) return THUD_OK;
  move(motion);
  for (size_t i = 0; i < motion->m && consistent; i++)
    if (is_contact(motion, i)) consistent = is_consistent(motion, i, speed, &struck);
  if (!consistent || !struck) return THUD_OK;
  fill_info(motion);
  describe(motion, text, sizeof text);
  return event_outcomes_add_jump(motion, text);
}

/* ---- the impact -------------------------------------------------------------------------------------------------- */

static double speed_of_contacts(const thud_event_motion *motion) {
  double fastest = event_approach_speed(motion);
  for (size_t j = 0; j < motion->s; j++) {
    thud_index owner = motion->arc->owner[j];
    double own = motion->arc->own[motion->m + j];
    if (owner >= 0 && motion->acting[owner] && own > 0)
      fastest = fmax(fastest, fabs(event_slip_velocity(motion, j, motion->v_struck)) / own);
  }
  return fastest;
}

/* Who acts, and with which cosines of gradients: the velocity problem tells them. */
static thud_error prepare(thud_event_motion *motion) {
  thud_error error = event_place_values(motion);
  if (error != THUD_OK) return error;
  memcpy(motion->v_struck, motion->v, motion->n * sizeof(double));
  for (size_t i = 0; i < motion->m; i++) {
    motion->acting[i] = event_is_equation(motion, i) || motion->contact[i] != EVENT_AWAY;
    motion->chosen[i] = BLOW_NONE;
  }
  memset(motion->impulse, 0, (motion->m + motion->s) * sizeof(double));
  thud_percussion_place(motion->percussion, motion->t, motion->q);
  return thud_percussion_solve(motion->percussion, motion->values, motion->acting, 0, motion->v, motion->v,
                               motion->impulse, motion->impulse + motion->m, motion->v, &motion->percussion_info);
}

static thud_error no_impact(thud_event_motion *motion) {
  motion->finding = THUD_EVENT_INCONSISTENT;
  return thud_fail(motion->context, THUD_ERROR_UNQUALIFIED,
                   "t = %.10g: no modes of the closed contacts are consistent (Painleve's paradox), and there is no "
                   "impact without collision either",
                   motion->t);
}

static thud_error too_many(thud_event_motion *motion) {
  motion->finding = THUD_EVENT_TOO_MANY;
  return thud_fail(motion->context, THUD_ERROR_NOT_CONVERGED,
                   "t = %.10g: more than %d combinations of impulses at the closed contacts are too many to try",
                   motion->t, EVENT_MOST_COMBINATIONS);
}

static thud_error collect(thud_event_motion *motion, double speed) {
  thud_error error = THUD_OK;
  bool more = true;
  event_outcomes_clear(motion);
  for (int tried = 0; more && error == THUD_OK && !motion->outcomes_cut; tried++) {
    if (tried == EVENT_MOST_COMBINATIONS) return too_many(motion);
    error = try_combination(motion, speed);
    more = next_combination(motion);
  }
  return error;
}

/* What an impact at the same time has given before: one event tells both. */
static void add_earlier(thud_event_motion *motion, const thud_percussion_info *earlier, const double *impulse) {
  for (size_t row = 0; row < motion->m + motion->s; row++) motion->impulse[row] += impulse[row];
  motion->percussion_info.energy_before = earlier->energy_before;
  motion->percussion_info.residual = earlier->residual;
}

thud_error event_tangential_impact(thud_event_motion *motion) {
  size_t k, rows = motion->m + motion->s;
  bool earlier = motion->jumped;
  const thud_percussion_info before = motion->percussion_info;
  memcpy(motion->strike, motion->impulse, rows * sizeof(double));
  thud_error error = prepare(motion);
  if (error != THUD_OK) return error;
  double speed = speed_of_contacts(motion);
  error = collect(motion, speed);
  if (error == THUD_OK && motion->outcome_count == 0) error = no_impact(motion);
  if (error == THUD_OK) error = event_outcomes_pick(motion, "impacts without collision are possible", &k);
  if (error != THUD_OK) return error;
  event_outcomes_take_jump(motion, k);
  motion->tangential = !earlier;
  motion->going_on = false;
  error = event_finish_impact(motion, speed);
  if (earlier) add_earlier(motion, &before, motion->strike);
  return error;
}
