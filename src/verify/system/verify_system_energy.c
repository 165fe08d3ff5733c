/* The ledger: energies of every frame, and what each step adds. */
#include "verify/math/verify_dense.h"
#include "verify/system/verify_system_frames.h"

#include <math.h>

const char *thud_verify_ledger_name(int entry) {
  static const char *const names[VERIFY_LEDGER_WIDTH] = {"kinetic",     "potential",     "work",
                                                         "impact_loss", "friction_loss", "contact_loss",
                                                         "scheme_loss", "defect",        "identity"};
  return names[entry];
}

static void tally_entry(thud_verify_check *check, double value, double tolerance, double t, size_t k, int entry) {
  if (thud_verify_tally(check, value, tolerance, 0, t, k))
    thud_verify_explain(check, "ledger entry '%s'", thud_verify_ledger_name(entry));
}

/* f->here holds the node. The energy at the start is that of the scene's initial velocity, which Mabrouk's scheme
 * changes in frame 0, and so do percussions there. */
void thud_verify_frames_energies(const verify_frames *f, size_t k, thud_verify_check *check) {
  const double *ledger = f->ledger + k * VERIFY_LEDGER_WIDTH, *first = f->ledger;
  double t = f->t[k];
  double kinetic = thud_verify_kinetic(f->system, &f->here, f->v + k * f->n), potential = *f->here.potential;
  double size = fabs(ledger[VERIFY_LEDGER_KINETIC]) + fabs(ledger[VERIFY_LEDGER_POTENTIAL]);
  tally_entry(check, fabs(ledger[VERIFY_LEDGER_KINETIC] - kinetic), VERIFY_ROUNDING * kinetic, t, k,
              VERIFY_LEDGER_KINETIC);
  tally_entry(check, fabs(ledger[VERIFY_LEDGER_POTENTIAL] - potential),
              VERIFY_ROUNDING * (fabs(potential) + fabs(first[VERIFY_LEDGER_POTENTIAL])), t, k,
              VERIFY_LEDGER_POTENTIAL);
  double losses = 0;
  for (int entry = VERIFY_LEDGER_WORK; entry <= VERIFY_LEDGER_SCHEME; entry++) {
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
  bool still = !verify_has_step(f, 0);
  for (int entry = VERIFY_LEDGER_WORK; still && entry <= VERIFY_LEDGER_SCHEME; entry++)
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

/* Reactions of laws by themselves, which the implicit scheme counts at the end of the step, and the others, which every
 * scheme counts at the mean of both velocities. */
static void book_reactions(const verify_frames *f, size_t k, const verify_step *s, ledger_step *l) {
  const verify_system *system = f->system;
  size_t n = f->n, m = f->m;
  bool implicit = system->method == VERIFY_IMPLICIT && k > 0;
  const double *v = f->v + k * n, *left = f->v_left + k * n, *r = f->reaction + k * (m + f->s);
  for (size_t i = 0; i < m; i++) {
    const double *row = s->at.gradient + i * n;
    book_contact(l, f->atom[k * m + i] != 0 ? VERIFY_LEDGER_IMPACT : VERIFY_LEDGER_CONTACT, r[i],
                 thud_verify_dot(n, row, left), thud_verify_dot(n, row, v), s->at.rate[i]);
  }
  for (size_t k_law = 0; k_law < system->law_count; k_law++) {
    const verify_law *law = &system->laws[k_law];
    bool own = law->constraint == SIZE_MAX, atom = !own && f->atom[k * m + law->constraint] != 0;
    for (size_t i = law->first; i < law->first + law->directions; i++) {
      const double *row = s->at.slip + i * n;
      book_contact(l, atom ? VERIFY_LEDGER_IMPACT : VERIFY_LEDGER_FRICTION, r[m + i],
                   thud_verify_dot(n, row, own && implicit ? v : left), thud_verify_dot(n, row, v), s->at.slip_rate[i]);
    }
  }
}

/* The potential at the end of the step; what its jump there adds is work. f->here holds the node's right side. */
static bool book_jump(const verify_frames *f, size_t k, verify_step *s, ledger_step *l) {
  s->potential = *f->here.potential;
  if (k == 0 || f->system->functions || !thud_verify_data_jump_at(f->system, f->t[k])) return true;
  if (!thud_verify_system_at(f->system, s->to, f->q + k * f->n, f->v + k * f->n, &s->other)) return false;
  s->potential = *s->other.potential;
  book(l, VERIFY_LEDGER_WORK, *f->here.potential);
  book(l, VERIFY_LEDGER_WORK, -s->potential);
  return true;
}

/* What the implicit scheme loses: |Dv|_M^2/2 without the part of the constraints and their friction, sum r.Du/2; with a
 * constant mass also h dV/dq(q+).v+ - DV, where impulse - applied = -h dV/dq. A potential that depends on time does
 * work at the place before. */
static void book_scheme(const verify_frames *f, size_t k, verify_step *s, ledger_step *l) {
  const verify_system *system = f->system;
  size_t n = f->n, m = f->m;
  const double *v = f->v + k * n, *left = f->v_left + k * n, *r = f->reaction + k * (m + f->s);
  double *change = s->work, *momentum = s->work + n;
  for (size_t i = 0; i < n; i++) change[i] = v[i] - left[i];
  thud_verify_apply_mass(system, &s->at, change, momentum);
  for (size_t i = 0; i < n; i++) book(l, VERIFY_LEDGER_SCHEME, momentum[i] * change[i] / 2);
  for (size_t i = 0; i < m; i++)
    book(l, VERIFY_LEDGER_SCHEME, -r[i] * thud_verify_dot(n, s->at.gradient + i * n, change) / 2);
  for (size_t j = 0; j < system->law_count; j++)
    for (size_t i = system->laws[j].first; i < system->laws[j].first + system->laws[j].directions; i++)
      if (system->laws[j].constraint != SIZE_MAX)
        book(l, VERIFY_LEDGER_SCHEME, -r[m + i] * thud_verify_dot(n, s->at.slip + i * n, change) / 2);
  double here = s->potential;
  if (!thud_verify_system_at(f->system, s->to, s->q_before, left, &s->other)) return;
  double moved = *s->other.potential;
  for (size_t i = 0; i < n && system->constant_mass; i++)
    book(l, VERIFY_LEDGER_SCHEME, (s->applied[i] - s->impulse[i]) * v[i]);
  if (system->constant_mass) {
    book(l, VERIFY_LEDGER_SCHEME, -here);
    book(l, VERIFY_LEDGER_SCHEME, moved);
  }
  if (!thud_verify_system_at(f->system, s->from, s->q_before, left, &s->other)) return;
  book(l, VERIFY_LEDGER_WORK, moved);
  book(l, VERIFY_LEDGER_WORK, -*s->other.potential);
}

thud_error thud_verify_step_energies(const verify_frames *f, size_t k, verify_step *s, thud_verify_check *check) {
  const verify_system *system = f->system;
  static const double nothing[VERIFY_LEDGER_WIDTH] = {0};
  size_t n = f->n;
  bool kicked = system->method == VERIFY_MOREAU || system->method == VERIFY_REGULARISED;
  bool implicit = system->method == VERIFY_IMPLICIT && k > 0;
  const double *v = f->v + k * n, *left = f->v_left + k * n;
  const double *smooth_begin = implicit ? v : s->v_before, *smooth_end = kicked ? left : v;
  ledger_step l = {0};
  for (size_t i = 0; i < n; i++) {
    book(&l, VERIFY_LEDGER_WORK, s->applied[i] * smooth_begin[i] / 2);
    book(&l, VERIFY_LEDGER_WORK, s->applied[i] * smooth_end[i] / 2);
    book(&l, VERIFY_LEDGER_WORK, s->load[i] * (implicit ? v : left)[i] / 2);
    book(&l, VERIFY_LEDGER_WORK, s->load[i] * v[i] / 2);
  }
  book_reactions(f, k, s, &l);
  if (!book_jump(f, k, s, &l)) return THUD_OK;
  if (implicit) book_scheme(f, k, s, &l);
  const double *now = f->ledger + k * VERIFY_LEDGER_WIDTH, *before = k > 0 ? now - VERIFY_LEDGER_WIDTH : nothing;
  for (int entry = VERIFY_LEDGER_WORK; entry <= VERIFY_LEDGER_SCHEME; entry++) {
    double error = fabs(now[entry] - before[entry] - l.value[entry]);
    double allowed = f->tolerance * l.size[entry] + VERIFY_ROUNDING * (fabs(now[entry]) + fabs(before[entry]));
    if (error > allowed) {
      thud_error failed = thud_verify_step_noise(f, k, s);
      if (failed != THUD_OK) return failed;
      for (size_t i = 0; i < n; i++) allowed += s->noise[i] * (fabs(smooth_begin[i]) + fabs(smooth_end[i]));
    }
    tally_entry(check, error, allowed, f->t[k], k, entry);
  }
  return THUD_OK;
}
