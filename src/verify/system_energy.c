/* The ledger: energies of every frame, and what each step adds. */
#include "verify/dense.h"
#include "verify/frames.h"

#include <math.h>

const char *verify_ledger_name(int entry) {
  static const char *const names[VERIFY_LEDGER_WIDTH] = {"kinetic",       "potential",    "work",   "impact_loss",
                                                         "friction_loss", "contact_loss", "defect", "identity"};
  return names[entry];
}

static void tally_entry(thud_verify_check *check, double value, double tolerance, double t, size_t k, int entry) {
  if (verify_tally(check, value, tolerance, 0, t, k))
    verify_explain(check, "ledger entry '%s'", verify_ledger_name(entry));
}

/* f->here holds the node. The energy at the start is that of the scene's initial velocity, which Mabrouk's scheme
 * changes in frame 0. */
void verify_frames_energies(const verify_frames *f, size_t k, thud_verify_check *check) {
  const double *ledger = f->ledger + k * VERIFY_LEDGER_WIDTH, *first = f->ledger;
  double t = f->t[k];
  double kinetic = verify_kinetic(f->system, &f->here, f->v + k * f->n), potential = *f->here.potential;
  double size = fabs(ledger[VERIFY_LEDGER_KINETIC]) + fabs(ledger[VERIFY_LEDGER_POTENTIAL]);
  tally_entry(check, fabs(ledger[VERIFY_LEDGER_KINETIC] - kinetic), VERIFY_ROUNDING * kinetic, t, k,
              VERIFY_LEDGER_KINETIC);
  tally_entry(check, fabs(ledger[VERIFY_LEDGER_POTENTIAL] - potential),
              VERIFY_ROUNDING * (fabs(potential) + fabs(first[VERIFY_LEDGER_POTENTIAL])), t, k,
              VERIFY_LEDGER_POTENTIAL);
  double losses = 0;
  for (int entry = VERIFY_LEDGER_WORK; entry <= VERIFY_LEDGER_CONTACT; entry++) {
    losses += entry == VERIFY_LEDGER_WORK ? -ledger[entry] : ledger[entry];
    size += fabs(ledger[entry]);
  }
  double start = f->initial_energy;
  double defect = ledger[VERIFY_LEDGER_KINETIC] + ledger[VERIFY_LEDGER_POTENTIAL] - start + losses;
  tally_entry(check, fabs(ledger[VERIFY_LEDGER_DEFECT] - defect), VERIFY_ROUNDING * (size + fabs(start)), t, k,
              VERIFY_LEDGER_DEFECT);
  double identity = ledger[VERIFY_LEDGER_IDENTITY];
  double before = k > 0 ? f->ledger[(k - 1) * VERIFY_LEDGER_WIDTH + VERIFY_LEDGER_IDENTITY] : 0;
  tally_entry(check, fmax(fabs(identity), before - identity > 0 ? INFINITY : 0), f->tolerance, t, k,
              VERIFY_LEDGER_IDENTITY);
  if (k > 0) return;
  bool still = f->system->method != VERIFY_MABROUK;
  for (int entry = VERIFY_LEDGER_WORK; still && entry <= VERIFY_LEDGER_CONTACT; entry++)
    tally_entry(check, fabs(ledger[entry]), 0, t, k, entry);
}

typedef struct ledger_step {
  double value[VERIFY_LEDGER_WIDTH], size[VERIFY_LEDGER_WIDTH];
} ledger_step;

static void book(ledger_step *l, int entry, double value) {
  l->value[entry] += value;
  l->size[entry] += fabs(value);
}

/* One contact impulse r: its part r (u+ + u-)/2 of the velocities and r times the rate of a moving constraint. */
static void book_contact(ledger_step *l, int entry, double r, double before, double after, double rate) {
  book(l, VERIFY_LEDGER_WORK, -r * rate);
  book(l, entry, -r * before / 2);
  book(l, entry, -r * after / 2);
  book(l, entry, -r * rate);
}

void verify_step_energies(const verify_frames *f, size_t k, const verify_step *s, thud_verify_check *check) {
  const verify_system *system = f->system;
  size_t n = f->n, m = f->m;
  bool kicked = system->method == VERIFY_MOREAU || system->method == VERIFY_REGULARISED;
  const double *v = f->v + k * n, *left = f->v_left + k * n, *r = f->reaction + k * (m + f->s);
  const double *smooth_end = kicked ? left : v;
  ledger_step l = {0};
  for (size_t i = 0; i < n; i++) {
    book(&l, VERIFY_LEDGER_WORK, s->applied[i] * s->v_before[i] / 2);
    book(&l, VERIFY_LEDGER_WORK, s->applied[i] * smooth_end[i] / 2);
  }
  for (size_t i = 0; i < m; i++) {
    const double *row = s->at.gradient + i * n;
    book_contact(&l, f->atom[k * m + i] != 0 ? VERIFY_LEDGER_IMPACT : VERIFY_LEDGER_CONTACT, r[i],
                 verify_dot(n, row, left), verify_dot(n, row, v), s->at.rate[i]);
  }
  for (size_t k_law = 0; k_law < system->law_count; k_law++) {
    const verify_law *law = &system->laws[k_law];
    bool atom = law->constraint != SIZE_MAX && f->atom[k * m + law->constraint] != 0;
    for (size_t i = law->first; i < law->first + law->directions; i++) {
      const double *row = s->at.slip + i * n;
      book_contact(&l, atom ? VERIFY_LEDGER_IMPACT : VERIFY_LEDGER_FRICTION, r[m + i], verify_dot(n, row, left),
                   verify_dot(n, row, v), s->at.slip_rate[i]);
    }
  }
  const double *now = f->ledger + k * VERIFY_LEDGER_WIDTH, *before = now - VERIFY_LEDGER_WIDTH;
  for (int entry = VERIFY_LEDGER_WORK; entry <= VERIFY_LEDGER_CONTACT; entry++)
    tally_entry(check, fabs(now[entry] - before[entry] - l.value[entry]),
                f->tolerance * l.size[entry] + VERIFY_ROUNDING * (fabs(now[entry]) + fabs(before[entry])), f->t[k], k,
                entry);
}
