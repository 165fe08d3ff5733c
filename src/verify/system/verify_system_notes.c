/* Events and summary of a recorded motion: they report the same as its frames. */
#include "verify/verify_events.h"
#include "verify/system/verify_system_frames.h"
#include "verify/verify_notes.h"

#include <math.h>
#include <string.h>

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

thud_error thud_verify_frames_events(const verify_frames *f, thud_record_reader *reader, thud_verify_check *check) {
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

static void compare_summary(verify_frames *f, const thud_node *summary, const thud_record_info *info,
                            thud_verify_check *check) {
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
  bool good = thud_verify_ran_to_end(info);
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
}

thud_error thud_verify_frames_summary(verify_frames *f, thud_record_reader *reader, thud_verify_check *check) {
  const thud_record_info info = thud_record_reader_info(reader);
  thud_tree *tree;
  thud_error error = thud_verify_summary_open(f->context, reader, check, &tree);
  if (error == THUD_OK && tree != NULL) compare_summary(f, thud_tree_root(tree), &info, check);
  thud_tree_destroy(tree);
  return error;
}
