/* The ledger of an event-driven record. */
#include "verify/math/verify_dense.h"
#include "verify/event/verify_event_rows.h"

#include <math.h>

static void tally_entry(verify_event_rows *f, size_t k, int entry, double value, double tolerance) {
  if (thud_verify_tally(&f->checks.energy, value, tolerance, 0, f->t[k], k))
    thud_verify_explain(&f->checks.energy, "ledger entry '%s'", thud_verify_ledger_name(entry));
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
    if (entry == VERIFY_LEDGER_IMPACT && bends) continue; /* known within bounds only: event_surface.c, the balance */
    double start = before != NULL ? before[entry] : 0;
    if (f->system->functions && depends_on_arc(f, k, entry)) continue;
    double rounding = VERIFY_ROUNDING * (fabs(now[entry]) + fabs(start)) + VERIFY_ROUNDING * f->energy_size;
    tally_entry(f, k, entry, fabs(now[entry] - start - added[entry]), f->tolerance * size[entry] + rounding);
  }
}
