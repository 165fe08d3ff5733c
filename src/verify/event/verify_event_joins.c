/* From arc to arc: sizes, the initial state, continuity, the ledger. */
#include "verify/event/verify_event.h"
#include "verify/math/verify_dense.h"

#include <math.h>
#include <string.h>

/* The polynomial and its derivatives (Horner's scheme). */
void thud_verify_event_state(const verify_event_rows *f, size_t k, double s, double *q, double *v, double *a) {
  const double *c = verify_event_q(f, k);
  for (size_t i = 0; i < f->n; i++) {
    double x = 0, y = 0, z = 0;
    for (size_t d = f->degree + 1; d-- > 0;) {
      z = z * s + 2 * y;
      y = y * s + x;
      x = x * s + c[d * f->n + i];
    }
    q[i] = x;
    v[i] = y;
    a[i] = z;
  }
}

/* ---- sizes ---------------------------------------------------------------------------------------------------------
 */

/* Without formulas: velocities carry rounding errors into positions. */
static void gather_plainly(verify_event_rows *f, const double *q, const double *v, double rounding) {
  double duration = f->system->scene.end - f->system->scene.start;
  for (size_t i = 0; i < f->n; i++) {
    f->v_size[i] = fmax(f->v_size[i], fabs(v[i]));
    f->q_size[i] = fmax(f->q_size[i], fmax(fabs(q[i]), rounding * duration * fabs(v[i])));
  }
}

/* The energy at the start; of a system without formulas what the first row says of it. */
static double initial_energy(verify_event_rows *f) {
  const verify_system *system = f->system;
  const double *ledger = f->ledger;
  if (system->functions)
    return ledger[VERIFY_LEDGER_KINETIC] + ledger[VERIFY_LEDGER_POTENTIAL] - ledger[VERIFY_LEDGER_WORK] +
           ledger[VERIFY_LEDGER_IMPACT] + ledger[VERIFY_LEDGER_FRICTION] + ledger[VERIFY_LEDGER_CONTACT] -
           ledger[VERIFY_LEDGER_DEFECT];
  /* check_start holds this state against the scene's */
  if (!thud_verify_system_at(f->system, system->scene.start, verify_event_q(f, 0), f->v_left, &f->at)) return 0;
  return thud_verify_kinetic(system, &f->at, f->v_left) + *f->at.potential;
}

/* A friction law of several directions rounds its force along one of them beside that along the others, and so does the
 * velocity that it takes away. f->at is at the state. */
static void gather_slips(verify_event_rows *f, const double *v, double rounding) {
  const verify_system *system = f->system;
  double duration = system->scene.end - system->scene.start;
  for (size_t l = 0; l < system->law_count; l++) {
    const verify_law *law = &system->laws[l];
    double fastest = 0;
    for (size_t j = law->first; j < law->first + law->directions && law->directions > 1; j++)
      fastest = fmax(fastest, fabs(thud_verify_slip_velocity(system, &f->at, j, v)));
    for (size_t j = law->first; fastest > 0 && j < law->first + law->directions; j++)
      for (size_t i = 0; i < f->n; i++) {
        double part = fabs(f->at.slip[j * f->n + i]);
        if (!(part > 0)) continue;
        f->v_size[i] = fmax(f->v_size[i], rounding * fastest / part);
        f->q_size[i] = fmax(f->q_size[i], rounding * duration * fastest / part);
      }
  }
}

/* Equations round the velocities that they hold beside the terms of their own rows: a bar on three parallel cranks turns by the
 * rounding of its translation. Entries far below the largest one of a row say nothing of it. f->at is at the state. */
static void gather_equations(verify_event_rows *f, const double *v, double rounding) {
  const verify_system *system = f->system;
  double duration = system->scene.end - system->scene.start;
  for (size_t c = 0; c < f->m; c++) {
    const double *row = f->at.gradient + c * f->n;
    double terms = 0, most = 0;
    if (verify_is_one_sided(system->constraints[c].kind)) continue;
    for (size_t i = 0; i < f->n; i++) {
      terms += fabs(row[i] * v[i]);
      most = fmax(most, fabs(row[i]));
    }
    for (size_t i = 0; i < f->n && terms > 0; i++) {
      if (!(fabs(row[i]) > 1e-3 * most)) continue;
      f->v_size[i] = fmax(f->v_size[i], rounding * terms / fabs(row[i]));
      f->q_size[i] = fmax(f->q_size[i], rounding * duration * terms / fabs(row[i]));
    }
  }
}

/* rounding: what one unit of the tolerance is worth in rounding errors. */
static void gather_state(verify_event_rows *f, double t, const double *q, const double *v, double rounding) {
  if (f->system->functions) {
    gather_plainly(f, q, v, rounding);
    return;
  }
  const verify_system *system = f->system;
  double duration = system->scene.end - system->scene.start;
  if (!thud_verify_system_at(f->system, t, q, v, &f->at)) return;
  f->speed = fmax(f->speed, sqrt(2 * fmax(0, thud_verify_kinetic(system, &f->at, v))));
  f->force =
      fmax(f->force, thud_verify_momentum_length(system, &f->at, f->at.force, f->work)); /* leaves M^-1 F in work */
  for (size_t i = 0; i < f->n; i++) {
    double gained = duration * fabs(f->work[i]);
    f->v_size[i] = fmax(f->v_size[i], fabs(v[i]) + rounding * gained);
    f->q_size[i] = fmax(f->q_size[i], fabs(q[i]) + rounding * duration * (fabs(v[i]) + gained));
  }
  gather_slips(f, v, rounding);
  gather_equations(f, v, rounding);
  for (size_t i = 0; i < f->m; i++) {
    double size = fabs(f->at.gap[i]);
    for (size_t j = 0; j < f->n; j++) size += fabs(f->at.gradient[i * f->n + j]) * f->q_size[j];
    f->gap_size[i] = fmax(f->gap_size[i], size);
  }
  for (size_t j = 0; j < f->s; j++) {
    double gained = fabs(f->at.slip_rate[j]); /* f->work is M^-1 F still; a slip of 0 is a difference of velocities */
    for (size_t i = 0; i < f->n; i++)
      gained += fabs(f->at.slip[j * f->n + i]) * (fabs(v[i]) + duration * fabs(f->work[i]));
    f->slip_size[j] = fmax(f->slip_size[j], fabs(thud_verify_slip_velocity(system, &f->at, j, v)) + rounding * gained);
  }
  for (size_t i = 0; i < f->m; i++) { /* gaps that are 0 but for rounding may be put to 0, by the shortest way */
    if (!(fabs(f->at.gap[i]) <= f->tolerance * f->gap_size[i])) continue;
    double length = thud_verify_momentum_length(system, &f->at, f->at.gradient + i * f->n, f->work);
    for (size_t c = 0; c < f->n && length > 0; c++)
      f->q_size[c] = fmax(f->q_size[c], rounding * f->gap_size[i] * fabs(f->work[c]) / (length * length));
  }
}

/* Arcs that are no power series have local errors beside the whole motion, in the kinetic metric: coordinates that a wave has
 * not reached move by such errors. Each arc adds one. */
static void lend_errors(verify_event_rows *f) {
  const verify_system *system = f->system;
  double duration = system->scene.end - system->scene.start;
  if (system->series || system->functions) return;
  if (!thud_verify_system_at(f->system, system->scene.start, system->scene.initial, system->initial_v, &f->at)) return;
  for (size_t c = 0; c < f->n; c++) {
    f->arc_error[c] = VERIFY_ARC_ERROR * f->speed / sqrt(f->at.mass[c * f->n + c]);
    double all = (double)f->count * f->arc_error[c] / f->tolerance;
    f->v_size[c] = fmax(f->v_size[c], all);
    f->q_size[c] = fmax(f->q_size[c], duration * all);
    for (size_t i = 0; i < f->m; i++)
      f->gap_size[i] = fmax(f->gap_size[i], fabs(f->at.gradient[i * f->n + c]) * duration * all);
  }
}

void thud_verify_event_sizes(verify_event_rows *f) {
  const verify_system *system = f->system;
  double rounding = VERIFY_ROUNDING / f->tolerance, *q = f->state, *v = q + f->n, *a = v + f->n;
  gather_state(f, system->scene.start, system->scene.initial, system->initial_v, rounding);
  for (size_t k = 0; k < f->count; k++) {
    double h = f->t_end[k] - f->t[k];
    gather_state(f, f->t[k], verify_event_q(f, k), f->v_left + k * f->n, rounding);
    if (f->accumulation[k] != 0) continue; /* its velocities mean nothing */
    for (int part = 0; part < 3 && (part == 0 || h > 0); part++) {
      double s = h * part / 2;
      thud_verify_event_state(f, k, s, q, v, a);
      gather_state(f, f->t[k] + s, q, v, rounding);
    }
  }
  f->initial_energy = initial_energy(f);
  for (size_t k = 0; k < f->count && system->functions; k++)
    f->speed = fmax(f->speed, sqrt(2 * fmax(0, f->ledger[k * VERIFY_LEDGER_WIDTH + VERIFY_LEDGER_KINETIC])));
  f->speed += rounding * (system->scene.end - system->scene.start) * f->force;
  lend_errors(f);
  for (size_t k = 0; k < f->count; k++) {
    double size = f->speed * f->speed;
    for (int entry = VERIFY_LEDGER_KINETIC; entry <= VERIFY_LEDGER_CONTACT; entry++)
      size += fabs(f->ledger[k * VERIFY_LEDGER_WIDTH + (size_t)entry]);
    f->energy_size = fmax(f->energy_size, size);
  }
}

/* ---- joins ---------------------------------------------------------------------------------------------------------
 */

static void compare(verify_event_rows *f, thud_verify_check *check, size_t k, size_t i, const double *found,
                    const double *expected, bool velocity, const char *what) {
  double size = velocity ? f->v_size[i] : f->q_size[i];
  const char *name = velocity ? f->system->velocities[i] : f->system->scene.names[i];
  if (thud_verify_tally(check, fabs(found[i] - expected[i]), f->tolerance * size, 0, f->t[k], k))
    thud_verify_explain(check, "%s '%s'", what, name);
}

/* A state that violates constraints may have been moved to where it does not. With one constraint the way is |x|/|dg|
 * in the kinetic metric; gradients at an angle make it longer, by no more than this. */
#define LONGEST_WAY 10

/* Length of the way on which the violation x of constraint i is taken away. */
static double way_of(const verify_event_rows *f, size_t i, double x) {
  if (verify_is_one_sided(f->system->constraints[i].kind) && x > 0) return 0;
  double length = thud_verify_momentum_length(f->system, &f->at, f->at.gradient + i * f->n, f->work);
  return length > 0 ? LONGEST_WAY * fabs(x) / length : 0;
}

/* Adds to room[n] what a way of this length can do to each coordinate. */
static void add_way(const verify_event_rows *f, double way, double *room) {
  double *unit = f->state + 2 * f->n;
  memset(unit, 0, f->n * sizeof *unit);
  for (size_t c = 0; c < f->n && way > 0; c++) {
    unit[c] = 1;
    room[c] += way * thud_verify_momentum_length(f->system, &f->at, unit, f->work);
    unit[c] = 0;
  }
}

/* The initial state is the scene's, without its violations of the constraints. An approach is none of a contact. */
static void check_start(verify_event_rows *f) {
  const verify_system *system = f->system;
  double *q_room = f->state, *v_room = q_room + f->n, way = 0;
  for (size_t i = 0; i < f->n; i++) {
    q_room[i] = VERIFY_ROUNDING * fabs(system->scene.initial[i]);
    v_room[i] = VERIFY_ROUNDING * fabs(system->initial_v[i]);
    if (system->functions) q_room[i] += f->tolerance * f->q_size[i];
    if (system->functions) v_room[i] += f->tolerance * f->v_size[i];
  }
  bool formulas = !system->functions;
  if (formulas &&
      thud_verify_system_at(f->system, system->scene.start, system->scene.initial, system->initial_v, &f->at)) {
    for (size_t i = 0; i < f->m; i++)
      if (system->constraints[i].kind <= VERIFY_EQUATION) way += way_of(f, i, f->at.gap[i]);
    add_way(f, way, q_room);
  }
  if (formulas && thud_verify_system_at(f->system, system->scene.start, f->q, system->initial_v, &f->at)) {
    way = 0;
    for (size_t i = 0; i < f->m; i++)
      if (system->constraints[i].kind != VERIFY_UNILATERAL)
        way += way_of(f, i, thud_verify_constraint_velocity(system, &f->at, i, system->initial_v));
    add_way(f, way, v_room);
  }
  for (size_t i = 0; i < f->n; i++) {
    if (thud_verify_tally(&f->checks[EVENT_INITIAL], fabs(f->q[i] - system->scene.initial[i]), q_room[i], 0, f->t[0],
                          0))
      thud_verify_explain(&f->checks[EVENT_INITIAL], "position '%s'", system->scene.names[i]);
    if (thud_verify_tally(&f->checks[EVENT_INITIAL], fabs(f->v_left[i] - system->initial_v[i]), v_room[i], 0, f->t[0],
                          0))
      thud_verify_explain(&f->checks[EVENT_INITIAL], "velocity '%s'", system->velocities[i]);
  }
}

/* Row k against the end of the row before. The rest of an accumulation ends with no velocity of the motion: the limit
 * begins with that after the last impact. */
static void check_join(verify_event_rows *f, size_t k) {
  thud_verify_check *check = &f->checks[EVENT_CONTINUITY];
  double *q = f->state, *v = q + f->n, *a = v + f->n;
  thud_verify_event_state(f, k - 1, f->t_end[k - 1] - f->t[k - 1], q, v, a);
  if (f->accumulation[k - 1] != 0) memcpy(v, verify_event_v(f, k - 1), f->n * sizeof(double));
  for (size_t i = 0; i < f->n; i++) {
    compare(f, check, k, i, verify_event_q(f, k), q, false, "jump of");
    compare(f, check, k, i, f->v_left + k * f->n, v, true, "left limit of");
  }
}

/* A contact that leaves may be open in between, on an arc too short for the time to resolve. */
static void check_modes_left(verify_event_rows *f, size_t k) {
  for (size_t i = 0; i < f->m; i++) {
    int before = verify_event_mode(f, k - 1, i), left = (int)f->mode_left[k * f->m + i];
    bool opened = before == VERIFY_MODE_LEAVING && left == VERIFY_MODE_OPEN && f->event[k] != VERIFY_EVENT_NONE;
    if (left != before && !opened)
      thud_verify_fail(&f->checks[EVENT_CONTINUITY], f->t[k], k,
                       "the mode of '%s' before this row is not that of the row before",
                       f->system->constraints[i].name);
  }
}

static bool jumps(const verify_event_rows *f, size_t k) {
  for (size_t i = 0; i < f->n; i++)
    if (!(fabs(verify_event_v(f, k)[i] - f->v_left[k * f->n + i]) <= f->tolerance * f->v_size[i])) return true;
  return false;
}

/* Without impact the velocity does not jump, except by the slip that a stop takes away. */
static thud_error check_velocity(verify_event_rows *f, size_t k) {
  double *left = f->shifted, *taken = f->momentum;
  thud_error error = THUD_OK;
  memset(taken, 0, f->n * sizeof(double));
  if (jumps(f, k) && f->system->functions && f->event[k] == VERIFY_EVENT_STICK) return THUD_OK; /* along slip rows */
  bool surface = false;
  if (jumps(f, k) || verify_event_pushes(f, k)) error = thud_verify_event_surface(f, k, &surface);
  if (error != THUD_OK || surface) return error;
  if (verify_event_pushes(f, k))
    thud_verify_fail(&f->checks[EVENT_CONTINUITY], f->t[k], k, "an impulse at a switch that is on no surface");
  if (jumps(f, k) && !f->system->functions) error = thud_verify_event_stop(f, k, taken);
  for (size_t i = 0; i < f->n; i++) left[i] = f->v_left[k * f->n + i] + taken[i];
  for (size_t i = 0; i < f->n && error == THUD_OK; i++)
    compare(f, &f->checks[EVENT_CONTINUITY], k, i, verify_event_v(f, k), left, true, "without impact, jump of");
  return error;
}

thud_error thud_verify_event_joins(verify_event_rows *f) {
  thud_error error = THUD_OK;
  check_start(f);
  for (size_t k = 0; k < f->count && error == THUD_OK; k++) {
    if (k > 0) check_join(f, k);
    if (k > 0) check_modes_left(f, k);
    if (!verify_event_jumps(f, k)) error = check_velocity(f, k);
  }
  return error;
}

/* ---- the ledger of an event-driven record ------------------------------------------------------------------------ */

static void tally_entry(verify_event_rows *f, size_t k, int entry, double value, double tolerance) {
  if (thud_verify_tally(&f->checks[EVENT_ENERGY], value, tolerance, 0, f->t[k], k))
    thud_verify_explain(&f->checks[EVENT_ENERGY], "ledger entry '%s'", thud_verify_ledger_name(entry));
}

/* What the event of row k adds; f->at holds its state, seen with v_left. */
static void book_event(verify_event_rows *f, size_t k, const double *plus, double *added, double *size) {
  const double *p = f->impulse + k * (f->m + f->s), *left = f->v_left + k * f->n;
  if (f->event[k] == VERIFY_EVENT_ZENO) return;
  thud_verify_event_load(f, k);
  for (size_t i = 0; i < f->n; i++) {
    added[VERIFY_LEDGER_WORK] += f->load[i] * (left[i] + plus[i]) / 2;
    size[VERIFY_LEDGER_WORK] += fabs(f->load[i]) * (fabs(left[i]) + fabs(plus[i]));
  }
  for (size_t i = 0; i < f->m + f->s; i++) {
    bool slip = i >= f->m;
    size_t j = i - f->m;
    double rate = slip ? f->at.slip_rate[j] : f->at.rate[i];
    double before = slip ? thud_verify_slip_velocity(f->system, &f->at, j, left)
                         : thud_verify_constraint_velocity(f->system, &f->at, i, left);
    double after = slip ? thud_verify_slip_velocity(f->system, &f->at, j, plus)
                        : thud_verify_constraint_velocity(f->system, &f->at, i, plus);
    added[VERIFY_LEDGER_IMPACT] -= p[i] * (before + after) / 2;
    added[VERIFY_LEDGER_WORK] -= p[i] * rate;
    size[VERIFY_LEDGER_IMPACT] += fabs(p[i] * before) + fabs(p[i] * after);
    size[VERIFY_LEDGER_WORK] += fabs(p[i] * rate);
  }
}

/* Kinetic and potential energy are those of the state, the defect is what is left, and it is small. */
static void check_energies(verify_event_rows *f, size_t k, double kinetic) {
  const double *ledger = f->ledger + k * VERIFY_LEDGER_WIDTH, *first = f->ledger;
  double potential = *f->at.potential, size = 0, sum = -f->initial_energy;
  /* What constraints have drifted on an arc is taken back from the velocities before the next one begins. */
  double drifted = fmax(kinetic, ledger[VERIFY_LEDGER_KINETIC]);
  double rounding = VERIFY_ROUNDING * kinetic + f->tolerance * sqrt(drifted * f->energy_size);
  /* The potential may be a difference of larger terms. */
  double terms = fabs(potential) + fabs(first[VERIFY_LEDGER_POTENTIAL]) + f->energy_size;
  tally_entry(f, k, VERIFY_LEDGER_KINETIC, fabs(ledger[VERIFY_LEDGER_KINETIC] - kinetic), rounding);
  tally_entry(f, k, VERIFY_LEDGER_POTENTIAL, fabs(ledger[VERIFY_LEDGER_POTENTIAL] - potential),
              VERIFY_ROUNDING * terms);
  for (int entry = VERIFY_LEDGER_KINETIC; entry <= VERIFY_LEDGER_SCHEME; entry++) {
    sum += entry == VERIFY_LEDGER_WORK ? -ledger[entry] : ledger[entry];
    size += fabs(ledger[entry]);
  }
  double allowed = size + fabs(f->initial_energy);
  tally_entry(f, k, VERIFY_LEDGER_DEFECT, fabs(ledger[VERIFY_LEDGER_DEFECT] - sum), VERIFY_ROUNDING * allowed);
  tally_entry(f, k, VERIFY_LEDGER_DEFECT, fabs(ledger[VERIFY_LEDGER_DEFECT]), f->tolerance * f->energy_size);
  tally_entry(f, k, VERIFY_LEDGER_CONTACT, fabs(ledger[VERIFY_LEDGER_CONTACT]), 0);
  tally_entry(f, k, VERIFY_LEDGER_SCHEME, fabs(ledger[VERIFY_LEDGER_SCHEME]), 0);
}

/* Energies below this lose their digits: nothing relative can be asked of them any more. */
#define NO_ENERGY 1e-290

static void check_identity(verify_event_rows *f, size_t k) {
  double kinetic = fmax(f->ledger[k * VERIFY_LEDGER_WIDTH], k > 0 ? f->ledger[(k - 1) * VERIFY_LEDGER_WIDTH] : 0);
  f->lost_digits = f->lost_digits || (verify_event_jumps(f, k) && kinetic < NO_ENERGY);
  double identity = f->ledger[k * VERIFY_LEDGER_WIDTH + VERIFY_LEDGER_IDENTITY];
  double before = k > 0 ? f->ledger[(k - 1) * VERIFY_LEDGER_WIDTH + VERIFY_LEDGER_IDENTITY] : 0;
  tally_entry(f, k, VERIFY_LEDGER_IDENTITY, identity < before ? (double)INFINITY : identity,
              f->lost_digits ? 1 : f->tolerance);
}

/* f->at and the kinetic energy of row k, and the work of data that jump there. Without formulas: where the mass is known; the potential is what the record
 * says. */
static bool find_energies(verify_event_rows *f, size_t k, double *kinetic, double *work) {
  const double *plus = verify_event_v(f, k), *ledger = f->ledger + k * VERIFY_LEDGER_WIDTH;
  bool known = true;
  if (thud_verify_event_side(f, k, work)) {
    *kinetic = thud_verify_kinetic(f->system, &f->at, plus);
    return true;
  }
  if (!f->system->functions) {
    if (!thud_verify_system_at(f->system, f->t[k], verify_event_q(f, k), f->v_left + k * f->n, &f->at)) return false;
  } else {
    known = thud_verify_event_mass(f, k) != NULL;
    if (f->event[k] == VERIFY_EVENT_IMPACT ? !thud_verify_event_take(f, k)
                                           : known && !thud_verify_take_mass(f->system, NULL, &f->at))
      return false; /* reported by the check of impacts */
    f->at.out[f->at.potential - f->at.out] = ledger[VERIFY_LEDGER_POTENTIAL];
  }
  *kinetic = known ? thud_verify_kinetic(f->system, &f->at, plus) : ledger[VERIFY_LEDGER_KINETIC];
  return true;
}

/* What forces and friction do on the arc before needs the functions; the balance of the ledger is asked all the same.
 */
static bool depends_on_arc(const verify_event_rows *f, size_t k, int entry) {
  if (k == 0 || !verify_event_has_arc(f, k - 1)) return false;
  return entry == VERIFY_LEDGER_WORK || (entry == VERIFY_LEDGER_FRICTION && f->s > 0);
}

void thud_verify_event_ledger(verify_event_rows *f, size_t k, const verify_event_books *books) {
  const double *now = f->ledger + k * VERIFY_LEDGER_WIDTH, *before = k > 0 ? now - VERIFY_LEDGER_WIDTH : NULL;
  double added[VERIFY_LEDGER_WIDTH] = {0}, size[VERIFY_LEDGER_WIDTH] = {0};
  const double *plus = verify_event_v(f, k);
  double kinetic = 0, work = 0;
  if (!find_energies(f, k, &kinetic, &work)) return;
  check_energies(f, k, kinetic);
  check_identity(f, k);
  book_event(f, k, plus, added, size);
  added[VERIFY_LEDGER_WORK] += books->work + work;
  added[VERIFY_LEDGER_FRICTION] += books->loss;
  size[VERIFY_LEDGER_WORK] += books->work_size;
  size[VERIFY_LEDGER_FRICTION] += books->loss_size;
  if (f->event[k] == VERIFY_EVENT_ZENO && before != NULL) /* all that the impacts left out take */
    added[VERIFY_LEDGER_IMPACT] += before[VERIFY_LEDGER_KINETIC] + before[VERIFY_LEDGER_POTENTIAL] -
                                   now[VERIFY_LEDGER_KINETIC] - now[VERIFY_LEDGER_POTENTIAL];
  bool bends = !f->system->functions && verify_event_pushes(f, k) && thud_verify_event_bends(f, k);
  for (int entry = VERIFY_LEDGER_WORK; entry <= VERIFY_LEDGER_FRICTION; entry++) {
    if (entry == VERIFY_LEDGER_IMPACT && bends)
      continue; /* known within bounds only: verify_event_surface.c, the balance */
    double start = before != NULL ? before[entry] : 0;
    if (f->system->functions && depends_on_arc(f, k, entry)) continue;
    double rounding = VERIFY_ROUNDING * (fabs(now[entry]) + fabs(start)) + VERIFY_ROUNDING * f->energy_size;
    tally_entry(f, k, entry, fabs(now[entry] - start - added[entry]), f->tolerance * size[entry] + rounding);
  }
}
