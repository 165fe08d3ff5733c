/* A record of a `system` scene by time stepping: from its frames to a list of checks, with events, summary and ledger. */
#include "verify/event/verify_event.h"
#include "verify/math/verify_dense.h"
#include "verify/system/verify_system_frames.h"
#include "verify/verify_channels.h"
#include "verify/verify_summary.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- events and summary of a recorded motion --------------------------------------------------------------------- */

/* Events and summary of a recorded motion: they report the same as its frames. */

/* A defect of energy below this part of the energies may be called 0. */
#define ENERGY_ROUNDING 1e-9

/* ---- events ---------------------------------------------------------------------------------------------------------
 */

static bool has_impact(const verify_frames *f, size_t k) {
  for (size_t i = 0; i < f->m; i++)
    if (f->atom[k * f->m + i] != 0) return true;
  return false;
}

/* The velocities before and after, the struck constraints and their impulses are those of the frame. */
static void compare_event(const verify_frames *f, const verify_events *events, size_t e, thud_verify_check *check) {
  size_t k = (size_t)events->frame[e];
  const verify_claim claim = {.system = f->system,
                              .marks = f->atom + k * f->m,
                              .impulse = f->reaction + k * (f->m + f->s),
                              .t = f->t[k],
                              .frame = k};
  thud_verify_event_compare(&claim, events, e, check);
  if (!thud_verify_same_numbers(f->n, events->before + e * f->n, f->v_left + k * f->n) ||
      !thud_verify_same_numbers(f->n, events->after + e * f->n, f->v + k * f->n))
    thud_verify_fail(check, f->t[k], k, "the velocities of the event are not those of its frame");
}

/* Every frame with an impact has one event, and the other way round. */
static void compare_events(const verify_frames *f, const verify_events *events, thud_verify_check *check) {
  size_t next = 0;
  for (size_t k = 0; k < f->count; k++) {
    size_t first = next;
    while (next < events->count && events->frame[next] == (double)k) compare_event(f, events, next++, check);
    if (next - first != has_impact(f, k))
      thud_verify_fail(check, f->t[k], k, "the frame has %s impact and %zu events", has_impact(f, k) ? "an" : "no",
                       next - first);
  }
  if (check->status == THUD_VERIFY_PASSED) thud_verify_explain(check, "%zu impacts", events->count);
}

static thud_error frames_events(const verify_frames *f, thud_record_reader *reader, thud_verify_check *check) {
  static const char *const kinds[] = {"impact"};
  verify_events events = {0};
  thud_error error = thud_verify_events_read(f->context, reader, f->n, 1, kinds, &events, check);
  if (error == THUD_OK && check->status == THUD_VERIFY_PASSED)
    error = thud_verify_events_read_lists(f->system, reader, &events, check);
  if (error == THUD_OK && check->status == THUD_VERIFY_PASSED) compare_events(f, &events, check);
  thud_verify_events_free(f->context, &events);
  return error;
}

/* ---- summary --------------------------------------------------------------------------------------------------------
 */

/* Worst of all steps: that of the frames when every step is there, otherwise at least that. */
static void compare_worst(const verify_frames *f, const thud_node *summary, const char *key, double worst,
                          bool complete, thud_verify_check *check) {
  const thud_node *node = thud_node_find(summary, key);
  size_t last = f->count - 1;
  if (!complete && node != NULL && thud_node_get_kind(node) == THUD_NODE_NUMBER && thud_node_number(node) >= worst)
    return;
  thud_verify_note_number(summary, key, worst, VERIFY_ROUNDING * worst, f->t[last], last, check);
}

/* The frame in which a figure is as large as the summary says, the first one; SIZE_MAX: in none of those recorded. */
typedef struct worst_frame {
  double value;
  size_t frame, constraint;
} worst_frame;

static double violation(const verify_frames *f, size_t k, size_t i) {
  double gap = f->gap[k * f->m + i];
  verify_constraint_kind kind = f->system->constraints[i].kind;
  return kind == VERIFY_UNILATERAL ? -gap : kind == VERIFY_EQUATION ? fabs(gap) : 0;
}

static void find_worst(const verify_frames *f, worst_frame *residual, worst_frame *penetration) {
  *residual = *penetration = (worst_frame){.frame = SIZE_MAX, .constraint = SIZE_MAX};
  for (size_t k = 0; k < f->count; k++) {
    if (f->residual[k] > residual->value) *residual = (worst_frame){.value = f->residual[k], .frame = k};
    for (size_t i = 0; i < f->m; i++)
      if (violation(f, k, i) > penetration->value)
        *penetration = (worst_frame){.value = violation(f, k, i), .frame = k, .constraint = i};
  }
}

/* A figure and its time: where the frames have it, that frame's, or of a thinned record an earlier one; where no frame
 * has, a time of the run. */
static void compare_place(const verify_frames *f, const thud_node *summary, const char *key, const char *time_key,
                          const worst_frame *worst, bool complete, thud_verify_check *check) {
  const verify_scene *scene = &f->system->scene;
  double claim = 0, t = 0;
  size_t last = f->count - 1;
  if (!complete && thud_verify_note_missing(summary, key) && thud_verify_note_missing(summary, time_key)) return;
  compare_worst(f, summary, key, worst->value, complete, check);
  bool there = thud_verify_note_find(summary, key, &claim) && thud_verify_note_find(summary, time_key, &t);
  bool shown = worst->frame != SIZE_MAX && (complete || claim == worst->value);
  double latest = shown ? f->t[worst->frame] : scene->end;
  if (shown && complete)
    thud_verify_note_number(summary, time_key, f->t[worst->frame], 0, f->t[last], last, check);
  else if (!there || !(complete ? t == 0 || t == scene->start : t >= fmin(0, scene->start) && t <= latest))
    thud_verify_fail(check, f->t[last], last, "'%s' is not a time of the run", time_key);
}

static void compare_constraint(const verify_frames *f, const thud_node *summary, const worst_frame *worst,
                               thud_verify_check *check) {
  const thud_node *node = thud_node_find(summary, "penetration_constraint");
  double claim = 0;
  thud_verify_note_find(summary, "penetration", &claim);
  if (worst->frame == SIZE_MAX || claim != worst->value) return; /* of a step that is not recorded */
  double t = 0;
  if (!thud_verify_note_find(summary, "penetration_time", &t) || t != f->t[worst->frame]) return;
  const char *name = f->system->constraints[worst->constraint].name;
  if (node == NULL || thud_node_get_kind(node) != THUD_NODE_STRING || strcmp(thud_node_string(node), name) != 0)
    thud_verify_fail(check, f->t[worst->frame], worst->frame, "'penetration_constraint' is not '%s'", name);
}

static void compare_steps(const verify_frames *f, const thud_node *summary, bool good, thud_verify_check *check) {
  const verify_scene *scene = &f->system->scene;
  size_t last = f->count - 1;
  double steps = scene->steps, t = f->t[last], claim = 0;
  bool controlled = f->system->step_tolerance > 0, every = scene->record_every == 0;
  if (every) steps = (double)last;
  bool known = every || (!controlled && f->system->switch_count == 0 && scene->data_count == 0);
  bool left_out = !every && thud_verify_note_missing(summary, "steps");
  if (good && known && !left_out) thud_verify_note_number(summary, "steps", steps, 0, t, last, check);
  if (good && !controlled && !left_out &&
      (!thud_verify_note_find(summary, "steps", &claim) || !(claim >= scene->steps)))
    thud_verify_fail(check, t, last, "'steps' is less than the steps of the scene");
  if (!controlled) thud_verify_note_number(summary, "rejected_steps", 0, 0, t, last, check);
  if (controlled && thud_verify_note_missing(summary, "rejected_steps")) return;
  if (!thud_verify_note_find(summary, "rejected_steps", &claim) || !(claim >= 0))
    thud_verify_fail(check, t, last, "'rejected_steps' is no number of steps");
}

/* Energy that the discretisation adds or takes, |defect - scheme_loss| at its worst, and the energy exchanged, T0 + V0 - min
 * V + sum |dW|, from all nodes. */
static void find_defect(const verify_frames *f, double *worst, double *exchanged) {
  double lowest = f->ledger[VERIFY_LEDGER_POTENTIAL], work = 0, sum = 0;
  *worst = 0;
  for (size_t k = 0; k < f->count; k++) {
    const double *ledger = f->ledger + k * VERIFY_LEDGER_WIDTH;
    lowest = fmin(lowest, ledger[VERIFY_LEDGER_POTENTIAL]);
    sum += fabs(ledger[VERIFY_LEDGER_WORK] - work);
    work = ledger[VERIFY_LEDGER_WORK];
    *worst = fmax(*worst, fabs(ledger[VERIFY_LEDGER_DEFECT] - ledger[VERIFY_LEDGER_SCHEME]));
  }
  *exchanged = f->initial_energy - lowest + sum;
}

/* What the smooth forces of a step would do to a body that nothing holds, h^2 F M^-1 F/2: the scale of one that is held. */
static double kick_energy(verify_frames *f, size_t k) {
  double speed = f->step[k] * thud_verify_momentum_length(f->system, &f->here, f->here.force, f->acceleration);
  return speed * speed / 2;
}

/* The part of the energy exchanged that the discretisation adds or takes: 0 where that is rounding of the energies. A
 * potential that depends on time has a work of its own, which is not in the record. */
static void compare_defect_part(verify_frames *f, const thud_node *summary, thud_verify_check *check) {
  double worst, exchanged, largest = 0, claim = 0, kick = 0;
  size_t last = f->count - 1;
  if (f->system->functions || !thud_verify_note_find(summary, "defect_part", &claim)) return;
  for (size_t k = 0; k < f->count; k++) {
    if (!thud_verify_frames_here(f, k) || *f->here.potential_rate != 0) return;
    kick = fmax(kick, kick_energy(f, k));
    largest = fmax(largest, fabs(f->ledger[k * VERIFY_LEDGER_WIDTH + VERIFY_LEDGER_POTENTIAL]) +
                                f->ledger[k * VERIFY_LEDGER_WIDTH + VERIFY_LEDGER_KINETIC]);
  }
  find_defect(f, &worst, &exchanged);
  if (!(exchanged > 0) || (claim == 0 && worst <= ENERGY_ROUNDING * (largest + exchanged + kick))) return;
  thud_verify_note_number(summary, "defect_part", worst / exchanged,
                          VERIFY_ROUNDING * (1 + largest / exchanged) * (1 + claim), f->t[last], last, check);
}

/* Nodes at which the data jump: counted where every node is there, otherwise at least those that are. */
static void compare_jumps(const verify_frames *f, const thud_node *summary, bool good, thud_verify_check *check) {
  size_t last = f->count - 1, found = 0;
  double claim = 0;
  if (f->system->scene.record_every > 0 && thud_verify_note_missing(summary, "data_jumps")) return;
  for (size_t k = 1; k < f->count; k++) found += thud_verify_data_jump_at(f->system, f->t[k]);
  if (thud_node_find(summary, "data_jumps") != NULL && !thud_verify_note_find(summary, "data_jumps", &claim))
    claim = -1;
  bool all = f->system->scene.record_every == 0 && good;
  if (claim < (double)found || (all && claim != (double)found))
    thud_verify_fail(check, f->t[last], last, "'data_jumps' is %g, the record has %zu nodes at jumps", claim, found);
}

/* Parts of sizes that the nodes of the whole run give: numbers that are not negative. Without any violation (and where no
 * open gap carries) nothing is a part of the motion. */
static void compare_parts(const verify_frames *f, const thud_node *summary, bool none, thud_verify_check *check) {
  static const char *const parts[] = {"violation_part", "defect_part"};
  size_t last = f->count - 1;
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
    double claim = 0;
    const thud_node *node = thud_node_find(summary, parts[k]);
    if (node == NULL || thud_node_get_kind(node) == THUD_NODE_NULL) continue; /* null: of nothing */
    if (!thud_verify_note_find(summary, parts[k], &claim) || !(claim >= 0))
      thud_verify_fail(check, f->t[last], last, "'%s' is not a part of anything", parts[k]);
    if (k == 0 && none && claim != 0)
      thud_verify_fail(check, f->t[last], last, "'%s' is %g, nothing is violated", parts[k], claim);
  }
}

/* The figures that only the run can know, of earlier versions: the report names them. */
static void name_unchecked(const verify_frames *f, const thud_node *summary, bool complete, bool none,
                           thud_verify_check *check) {
  if (check->status != THUD_VERIFY_PASSED || thud_verify_note_missing(summary, "violation_part")) return;
  bool thinned = f->system->scene.record_every != 0;
  if (!complete)
    thud_verify_explain(check, "not checked: residual, penetration (%s), violation_part, defect_part%s",
                        thinned ? "of steps that are not recorded" : "of steps that were rejected",
                        thinned ? ", data_jumps" : "");
  else if (!none)
    thud_verify_explain(check, "not checked: violation_part");
}

void thud_verify_summary_loads(const verify_system *system, const thud_node *summary, thud_verify_check *check) {
  bool named = thud_node_find(summary, "percussions") != NULL;
  if (named || system->load_count > 0)
    thud_verify_note_number(summary, "percussions", (double)system->load_count, 0, NAN, SIZE_MAX, check);
}

static thud_error compare_summary(verify_record *record, void *motion, const thud_node *summary,
                                  thud_verify_check *check) {
  verify_frames *f = motion;
  static const char *const figures[] = {
      "steps",          "rejected_steps", "data_jumps",       "residual",
      "residual_time",  "penetration",    "penetration_time", "penetration_constraint",
      "violation_part", "defect_part",    "percussions",      "families"};
  const verify_system *system = f->system;
  thud_verify_summary_keys(summary, sizeof figures / sizeof *figures, figures, check);
  size_t last = f->count - 1;
  const thud_node *state = thud_node_find(summary, "state"), *ledger = thud_node_find(summary, "ledger");
  double t = f->t[last];
  thud_verify_note_number(summary, "time", t, 0, t, last, check);
  thud_verify_note_numbers(state, f->n, system->scene.names, f->q + last * f->n, t, last, check);
  thud_verify_note_numbers(state, f->n, (const char *const *)system->velocities, f->v + last * f->n, t, last, check);
  for (int i = 0; i < VERIFY_LEDGER_WIDTH; i++)
    thud_verify_note_number(ledger, thud_verify_ledger_name(i), f->ledger[last * VERIFY_LEDGER_WIDTH + (size_t)i], 0, t,
                            last, check);
  worst_frame residual, penetration;
  find_worst(f, &residual, &penetration);
  bool good = thud_verify_ran_to_end(&record->info);
  bool complete = system->scene.record_every == 0 && system->step_tolerance == 0 && good;
  compare_place(f, summary, "residual", "residual_time", &residual, complete, check);
  compare_place(f, summary, "penetration", "penetration_time", &penetration, complete, check);
  compare_constraint(f, summary, &penetration, check);
  compare_steps(f, summary, good, check);
  compare_jumps(f, summary, good, check);
  bool none = complete && !(penetration.value > 0) && !(system->gap_tolerance > 0);
  compare_parts(f, summary, none, check);
  if (complete) compare_defect_part(f, summary, check);
  thud_verify_summary_loads(f->system, summary, check);
  name_unchecked(f, summary, complete, none, check);
  return THUD_OK;
}

/* ---- the ledger -------------------------------------------------------------------------------------------------- */

/* The ledger: energies of every frame, and what each step adds. */

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
  bool implicit = system->scheme->backward && k > 0;
  const double *v = f->v + k * n, *left = f->v_left + k * n, *r = f->reaction + k * (m + f->s);
  for (size_t i = 0; i < m; i++) {
    const double *row = s->at.gradient + i * n;
    book_contact(l, f->atom[k * m + i] != 0 ? VERIFY_LEDGER_IMPACT : VERIFY_LEDGER_CONTACT, r[i],
                 thud_verify_dot(n, row, left), thud_verify_dot(n, row, v), s->at.rate[i]);
  }
  for (size_t k_law = 0; k_law < system->law_count; k_law++) {
    const verify_law *law = &system->laws[k_law];
    bool own = law->constraint == SIZE_MAX, atom = thud_verify_law_jumps(f, law, k, false);
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
  bool kicked = system->scheme->kicks_first;
  bool implicit = system->scheme->backward && k > 0;
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

/* ---- records ----------------------------------------------------------------------------------------------------- */

/* Relative tolerance when the caller asks for none: what is left by velocity problems that are solved to 1e-10. */
static const double DEFAULT_TOLERANCE = 1e-8;

enum {
  STRUCTURE,
  INITIAL,
  GAP,
  PENETRATION,
  STEP,
  LAW,
  FRICTION,
  IMPACTS,
  ENERGY,
  RESIDUAL,
  EVENTS,
  SUMMARY,
  FINISHED,
  FUNCTIONS
};

static void check_residuals(const verify_frames *f, thud_verify_check *check) {
  double tolerance = fmax(f->tolerance, f->system->residual_tolerance);
  for (size_t k = 0; k < f->count; k++) thud_verify_tally(check, f->residual[k], tolerance, 0, f->t[k], k);
}

static void find_initial_energy(verify_frames *f) {
  verify_system *system = f->system;
  bool known = system->functions ? thud_verify_frames_here(f, 0)
                                 : thud_verify_system_at(system, system->scene.start, system->scene.initial,
                                                         system->initial_v, &f->here);
  if (known) f->initial_energy = thud_verify_kinetic(system, &f->here, system->initial_v) + *f->here.potential;
}

/* Says what a check had to leave out. */
static void explain_coverage(const verify_frames *f, verify_step_checks *c) {
  if (c->step->status == THUD_VERIFY_PASSED)
    thud_verify_explain(c->step, "%zu steps rebuilt, %zu of them with the row before", c->smooth, c->linked);
  if (c->energy->status == THUD_VERIFY_PASSED)
    thud_verify_explain(c->energy, "energies of %zu frames, increments of %zu steps", f->count, c->linked);
  if (c->marks > 0 && c->law->status == THUD_VERIFY_PASSED) {
    char text[96];
    snprintf(text, sizeof text, "not checked: %zu marks 'acting' of contacts that touch within rounding", c->marks);
    thud_verify_add(c->law, text);
  }
  if (f->m == 0) {
    thud_verify_skip(c->impacts, THUD_VERIFY_NOT_APPLICABLE, "the scene has no constraints");
    thud_verify_skip(c->law, THUD_VERIFY_NOT_APPLICABLE, "the scene has no constraints");
  }
  if (f->system->law_count == 0) thud_verify_skip(c->friction, THUD_VERIFY_NOT_APPLICABLE, "the scene has no friction");
}

/* Steps of the run up to the last frame; those of varying length are known as far as they are recorded. */
static size_t steps_of(const verify_frames *f, const verify_step_checks *checks) {
  const verify_scene *scene = &f->system->scene;
  double part = (f->t[f->count - 1] - scene->start) / (scene->end - scene->start);
  double equal = f->system->step_tolerance > 0 || !isfinite(part) ? 0 : round(part * scene->steps);
  return equal > (double)checks->steps ? (size_t)equal : checks->steps;
}

static thud_error check_frames(verify_frames *f, verify_record *record) {
  thud_verify_check *checks = record->checks;
  thud_verify_frames_structure(f, thud_verify_ran_to_end(&record->info), &checks[STRUCTURE]);
  if (checks[STRUCTURE].status == THUD_VERIFY_FAILED) return THUD_OK;
  verify_step_checks steps = {.step = &checks[STEP],
                              .law = &checks[LAW],
                              .friction = &checks[FRICTION],
                              .impacts = &checks[IMPACTS],
                              .energy = &checks[ENERGY]};
  find_initial_energy(f);
  thud_verify_frames_initial(f, &checks[INITIAL]);
  thud_error error = thud_verify_frames_gaps(f, &checks[GAP], &checks[PENETRATION]);
  if (error == THUD_OK) error = thud_verify_frames_steps(f, &steps);
  if (error == THUD_OK) error = thud_verify_frames_dependent(f, steps.law);
  if (error != THUD_OK) return error;
  record->asked = steps.asked;
  record->all = steps_of(f, &steps);
  record->contacts = steps.contacts;
  explain_coverage(f, &steps);
  check_residuals(f, &checks[RESIDUAL]);
  error = frames_events(f, record->reader, &checks[EVENTS]);
  return error == THUD_OK ? thud_verify_check_summary(record, f, NULL) : error;
}

thud_error thud_verify_system_read(const verify_record *record, void *scene) {
  return thud_verify_system_create(record->context, record->tree, scene);
}

void thud_verify_system_release(void *scene) { thud_verify_system_destroy(*(verify_system **)scene); }

static thud_error check(verify_record *record, void *scene) {
  verify_system *system = *(verify_system **)scene;
  double asked = record->options->tolerance;
  verify_frames frames = {
      .context = record->context, .system = system, .tolerance = asked > 0 ? asked : DEFAULT_TOLERANCE};
  bool usable = false;
  if (system->functions) thud_verify_functions_name_unchecked(system, &record->checks[FUNCTIONS]);
  if (system->scheme->event_driven) {
    thud_verify_check_made_by(&record->info, "event-driven", system->scene.method, &record->checks[STRUCTURE]);
    return THUD_OK;
  }
  thud_error error = thud_verify_frames_read(&frames, record->reader, &record->checks[STRUCTURE], &usable);
  if (error == THUD_OK && usable) error = check_frames(&frames, record);
  thud_verify_frames_free(&frames);
  return error;
}

static bool leaves_out(const void *scene, size_t k) {
  return k == FUNCTIONS && (scene == NULL || !(*(verify_system *const *)scene)->functions);
}

static const char *const names_of_checks[] = {
    [STRUCTURE] = "structure",     [INITIAL] = "initial",     [GAP] = "gap",
    [PENETRATION] = "penetration", [STEP] = "step",           [LAW] = "law",
    [FRICTION] = "friction",       [IMPACTS] = "impacts",     [ENERGY] = "energy",
    [RESIDUAL] = "residual",       [EVENTS] = "events",       [SUMMARY] = "summary",
    [FINISHED] = "finished",       [FUNCTIONS] = "functions", [FUNCTIONS + 1] = NULL};

/* Defaults of its scenes: written after docs/scene-format.md, not after the tables of src. */
static const verify_default defaults[] = {{"/simulate/tolerance", "0", "*", NULL},
                                          {"/simulate/method", "moreau-jean", "*", NULL},
                                          {"/simulate/theta", "0.5", "moreau-jean stabilised", NULL},
                                          {"/simulate/lambda", "1e-3", "regularised", NULL},
                                          {"/simulate/impact_velocity", "0", "*", NULL},
                                          {"/simulate/gap_tolerance", "0", "*", NULL},
                                          {"/simulate/residual_tolerance", "1e-10", "*", "!solver/tolerance"},
                                          {"/simulate/initial_tolerance", "1e-8", NULL, NULL},
                                          {"/simulate/blow_up", "1e9", NULL, NULL},
                                          {"/simulate/coarse_above", "0.01", NULL, NULL},
                                          {"/simulate/failed_above", "1", NULL, NULL},
                                          {NULL, NULL, NULL, NULL}};

const verify_record_kind thud_verify_stepping_kind = {.name = "stepping",
                                                      .section = "system",
                                                      .checks = names_of_checks,
                                                      .defaults = {thud_verify_system_defaults, defaults},
                                                      .unit = "steps",
                                                      .has_contacts = true,
                                                      .size = sizeof(verify_system *),
                                                      .read = thud_verify_system_read,
                                                      .check = check,
                                                      .release = thud_verify_system_release,
                                                      .compare = compare_summary,
                                                      .leaves_out = leaves_out,
                                                      .trajectory = thud_verify_system_trajectory};
