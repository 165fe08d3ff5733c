/* Lagrangian systems from event to event, as a kind of motion. */
#include "kinds/kinds.h"
#include "motions/event/event_stop.h"
#include "run/run.h"
#include "scene/resolve.h"
#include "kinds/system/system_scene.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

enum { KINDS = THUD_EVENT_PERCUSSION + 1 };

/* What is counted while events go by; part of the state. */
typedef struct event_counters {
  size_t kinds[KINDS];
  double first_graze; /* times of the first ones */
  size_t gains;       /* impacts that created energy */
  double first_gain;
  size_t tangential; /* impacts without collision */
  size_t reversals;  /* starts of slip that turn a slip round */
  double first_end;  /* of the run as it was begun, whose length tolerances count beside */
  double energy;     /* largest sum of the entries of the ledger */
} event_counters;

typedef struct event_driven {
  system_motion base;
  event_counters counters;
} event_driven;

static thud_error begin(system_motion *made) {
  const scene_system *system = thud_scene_lagrangian(made->scene);
  thud_event_options options = system->event;
  options.keep_posed = system->functions;
  event_counters *counters = &((event_driven *)made)->counters;
  counters->first_graze = counters->first_gain = NAN;
  counters->first_end = system->event.end;
  return thud_event_motion_create(made->scene->context, system->system, &options, system->q0, system->v0,
                                  &made->object.motion);
}

static const system_family family = {.size = sizeof(event_driven),
                                     .found = offsetof(event_driven, counters),
                                     .found_size = sizeof(((event_driven *)0)->counters),
                                     .begin = begin,
                                     .make_rows = thud_rows_create_event};

static thud_error build(thud_scene *scene, const thud_node *root, void **motion) {
  return thud_system_build(&family, scene, root, true, motion);
}

static thud_error build_view(thud_scene *scene, const thud_node *root, void **motion) {
  return thud_system_build(&family, scene, root, false, motion);
}

static const char *method(const void *motion) {
  (void)motion;
  return "event-driven";
}

/* ---- going on ---------------------------------------------------------------------------------------------------- */

/* Slip that goes on in another direction: every sliding contact of the event slid before. */
static bool is_reversal(const event_driven *made, const thud_event *event) {
  bool any = false;
  for (thud_index i = 0; i < thud_system_constraint_count(thud_scene_lagrangian(made->base.scene)->system); i++) {
    if (!event->involved[i] || event->mode_after[i] != THUD_CONTACT_SLIDING) continue;
    if (event->mode_before[i] != THUD_CONTACT_SLIDING) return false;
    any = true;
  }
  return event->kind == THUD_EVENT_SLIP && any;
}

static void count(event_driven *made, const thud_event *event) {
  event_counters *counters = &made->counters;
  bool impact = event->kind == THUD_EVENT_IMPACT;
  counters->kinds[event->kind]++;
  counters->tangential += event->tangential;
  counters->reversals += is_reversal(made, event);
  if (event->kind == THUD_EVENT_GRAZE && isnan(counters->first_graze)) counters->first_graze = event->t;
  /* reduced restitutions gain nothing, and have a warning of their own */
  if (!impact || !event->percussion.gained || event->percussion.restitution_factor < 1) return;
  counters->gains++;
  if (isnan(counters->first_gain)) counters->first_gain = event->t;
}

static void note_energy(event_driven *made, const thud_ledger *ledger) {
  double size = fabs(ledger->kinetic) + fabs(ledger->potential) + fabs(ledger->work) + fabs(ledger->impact_loss) +
                fabs(ledger->friction_loss);
  made->counters.energy = fmax(made->counters.energy, size);
}

static int on_event(void *user, const void *handed) {
  const thud_event *event = handed;
  event_driven *made = user;
  note_energy(made, &event->ledger);
  count(made, event);
  return thud_rows_event(made->base.object.rows, event);
}

static int on_arc(void *user, const void *handed) {
  const thud_event_arc *arc = handed;
  event_driven *made = user;
  note_energy(made, &arc->ledger);
  return thud_rows_arc(made->base.object.rows, arc);
}

static void set_undecided(thud_reached *reached, const char *what) {
  reached->status = THUD_MOTION_FAILED;
  reached->what = what;
  reached->verdict = "undecided";
}

/* Forces are proved relative to the largest that were met: where these are much larger than what moves, the bound says
 * nothing of the motion. */
#define MOST_FORCE_ERROR 1e-3

static void judge_force_error(const event_driven *made, const thud_event_motion_info *info, thud_reached *reached) {
  if (!(info->moving_force > MOST_FORCE_ERROR * info->largest_momentum) || info->largest_momentum == 0) return;
  set_undecided(reached, "not proved");
  thud_fail(made->base.scene->context, THUD_ERROR_NOT_CONVERGED,
            "[undecided] the force error is proved to be at most %.2g N s only, beside momenta of at most %.2g N s: "
            "forces much larger "
            "than those that move something were met; split the run where they end",
            info->moving_force, info->largest_momentum);
}

/* Energy that nothing accounts for, relative. Where forces are so steep that the rounding of positions decides (a hill
 * that is 1e-6 wide at x = 300) equations hold in every place and the motion is not known all the same. */
#define MOST_DEFECT 1e-8

/* Work is a sum of products of forces, gradients and velocities: its rounding, in units in the last place of these. */
#define WORK_ROUNDING (64 * DBL_EPSILON)

static void judge_energy(const event_driven *made, const thud_event_motion_info *info, thud_reached *reached) {
  const thud_ledger *ledger = &info->ledger;
  double energy = fmax(made->counters.energy, ledger->kinetic + fabs(ledger->potential));
  double allowed = fmax(MOST_DEFECT * energy, WORK_ROUNDING * info->gross_work);
  if (reached->status != THUD_MOTION_COMPLETED || !(fabs(ledger->defect) > allowed)) return;
  set_undecided(reached, "energy");
  thud_fail(made->base.scene->context, THUD_ERROR_NOT_CONVERGED,
            "[undecided] %.2g J of %.2g J are not accounted for: forces change within the rounding of positions or "
            "times; choose the "
            "origin of coordinates and times near to where they are steep, or make them jump (step)",
            ledger->defect, energy);
}

/* A run that came to its end without proof of what decides its events is not good: what may have been missed is said.
 */
static void leave_undecided(const event_driven *made, const thud_event_motion_info *info, thud_reached *reached) {
  if (info->unproved_roots == 0) {
    judge_force_error(made, info, reached);
    return;
  }
  set_undecided(reached, "not proved");
  thud_fail(
      made->base.scene->context, THUD_ERROR_NOT_CONVERGED,
      "[undecided] something could not be told apart from 0 within the work limit on %zu arc%s (first at t = %.10g)",
      info->unproved_roots, thud_plural(info->unproved_roots), info->unproved_root_time);
}

static thud_error advance(void *motion, const thud_row_sink *sink, thud_reached *reached) {
  event_driven *made = motion;
  const thud_motion_sink inner = {.frame = on_arc, .event = on_event, .user = made};
  thud_rows_set_sink(made->base.object.rows, *sink);
  thud_error error = thud_motion_step(made->base.object.motion, &inner, reached);
  if (error != THUD_OK) return error;
  if (reached->status == THUD_MOTION_INDETERMINATE)
    reached->what = "motion not determined (thud run --branch follows the ways on)";
  if (reached->status != THUD_MOTION_COMPLETED) return THUD_OK;
  thud_event_motion_info info = thud_event_motion_get_info(made->base.object.motion);
  leave_undecided(made, &info, reached);
  judge_energy(made, &info, reached);
  return THUD_OK;
}

static thud_error finish(void *motion, const thud_row_sink *sink) {
  event_driven *made = motion;
  thud_event_frame present = thud_event_motion_present(made->base.object.motion);
  thud_rows_set_sink(made->base.object.rows, *sink);
  return thud_rows_end_event(made->base.object.rows, &present) < 0 ? THUD_ERROR_CALLBACK : THUD_OK;
}

/* ---- forks ------------------------------------------------------------------------------------------------------- */

static thud_error follow_forks(void *motion, bool follow, size_t *most_outcomes) {
  event_driven *made = motion;
  if (*most_outcomes == 0) *most_outcomes = (size_t)thud_scene_lagrangian(made->base.scene)->event.max_outcomes;
  return thud_event_motion_follow_forks(made->base.object.motion, follow, *most_outcomes);
}

static size_t outcome_count(const void *motion) {
  return thud_event_motion_outcome_count(((const event_driven *)motion)->base.object.motion);
}

static thud_error outcome(const void *motion, size_t k, thud_outcome *outcome) {
  thud_event_outcome found;
  thud_error error = thud_event_motion_outcome(((const event_driven *)motion)->base.object.motion, k, &found);
  if (error != THUD_OK) return error;
  memcpy(outcome->text, found.text, sizeof outcome->text);
  outcome->by_order = found.by_order;
  return THUD_OK;
}

static thud_error choose(void *motion, size_t k) {
  return thud_event_motion_choose(((event_driven *)motion)->base.object.motion, k);
}

/* ---- reporting: events ------------------------------------------------------------------------------------------- */

/* "72 impacts (1 without collision), 3 starts of slip, 2 reversals of slip". */
static void write_counts(const event_counters *counters, char *text, size_t capacity) {
  enum { REVERSAL = KINDS, COUNTS };
  static const char *const names[COUNTS][2] = {{"impact", "impacts"},
                                               {"limit of an accumulation", "limits of accumulations"},
                                               {"closing", "closings"},
                                               {"opening", "openings"},
                                               {"graze", "grazes"},
                                               {"stop of slip", "stops of slip"},
                                               {"start of slip", "starts of slip"},
                                               {"switch", "switches"},
                                               {"percussion", "percussions"},
                                               {"reversal of slip", "reversals of slip"}};
  size_t counts[COUNTS], used = 0;
  memcpy(counts, counters->kinds, sizeof counters->kinds);
  counts[REVERSAL] = counters->reversals;
  counts[THUD_EVENT_SLIP] -= counters->reversals;
  snprintf(text, capacity, "none");
  for (size_t k = 0; k < COUNTS && used < capacity; k++) {
    if (counts[k] == 0) continue;
    used += (size_t)snprintf(text + used, capacity - used, "%s%zu %s", used > 0 ? ", " : "", counts[k],
                             names[k][counts[k] > 1]);
    if (k == THUD_EVENT_IMPACT && counters->tangential > 0 && used < capacity)
      used += (size_t)snprintf(text + used, capacity - used, " (%zu without collision)", counters->tangential);
  }
}

/* The limit of an accumulation; cells are found by the roles of their channels. */
static void report_limit(thud_report *report, size_t count, const thud_record_channel *channels,
                         const thud_record_cell *cells) {
  size_t begin = thud_report_find_role(count, channels, "begin"),
         ratio = thud_report_find_role(count, channels, "ratio");
  size_t total = thud_report_find_role(count, channels, "total_impulse");
  size_t index = total != SIZE_MAX ? thud_report_find_name(count, channels, channels[total].at) : SIZE_MAX;
  char text[512] = "";
  size_t used = 0;
  for (size_t k = 0; index != SIZE_MAX && k < cells[total].count && used < sizeof text; k++) {
    const char *name = channels[index].labels[(size_t)cells[index].values[k]];
    if ((size_t)cells[index].values[k] < channels[thud_report_find_role(count, channels, "constraints")].label_count)
      used += (size_t)snprintf(text + used, sizeof text - used, " %s %.10g", name, cells[total].values[k]);
  }
  thud_report_line(report, "zeno", "t = %.13g, limit of impacts since t = %.10g (ratio %.4g), total impulse%s",
                   cells[0].values[0], cells[begin].values[0], cells[ratio].values[0], text);
}

/* How many of each kind, the first ones, and the first limits of accumulations. */
static void report_events(const event_driven *made, thud_report *report) {
  enum { SHOWN = 10, LIMITS = 4 };
  char text[512];
  const thud_record_layout *rows = thud_rows_layout(made->base.object.rows);
  size_t count = rows->count[THUD_RECORD_EVENTS], limits = 0;
  const thud_record_channel *channels = rows->channels[THUD_RECORD_EVENTS];
  size_t kind = thud_report_find_role(count, channels, "kind");
  bool contacts = thud_system_constraint_count(thud_scene_lagrangian(made->base.scene)->system) > 0;
  if (report->events == 0 && !contacts) return;
  write_counts(&made->counters, text, sizeof text);
  thud_report_line(report, "events", "%s", text);
  thud_report_events(report, SHOWN);
  for (size_t k = 0; k < thud_report_kept_count(report) && limits < LIMITS && !report->brief; k++) {
    const thud_record_cell *cells = thud_report_kept_event(report, k);
    if (cells[kind].values[0] != THUD_EVENT_ZENO) continue;
    report_limit(report, count, channels, cells);
    limits++;
  }
}

/* ---- reporting: warnings ----------------------------------------------------------------------------------------- */

static void warn_of_undecided(const thud_system *system, const thud_event_motion_info *info, thud_report *report) {
  if (info->undecided == 0) return;
  thud_report_warning(
      report, info->undecided_time, "undecided-contact",
      "whether contacts last was not decided to order %d of the series on %zu arc%s (first: '%s' at t = %.10g); "
      "they were kept closed without force",
      info->undecided_order, info->undecided, thud_plural(info->undecided),
      thud_system_constraint_name(system, info->undecided_constraint), info->undecided_time);
}

static void warn_of_forces(const thud_system *system, const thud_event_motion_info *info, thud_report *report) {
  char others[48] = "";
  if (info->indeterminate_forces == 0 || info->indeterminate_constraint < 0) return;
  if (info->indeterminate_constraints > 1)
    snprintf(others, sizeof others, " and %zu others", info->indeterminate_constraints - 1);
  thud_report_warning(
      report, info->indeterminate_time, "indeterminate-forces",
      "the forces of '%s'%s are not unique and the motion depends on their choice on %zu arcs (first at t = %.10g): "
      "it is one of many; elastic supports would decide it",
      thud_system_constraint_name(system, info->indeterminate_constraint), others, info->indeterminate_forces,
      info->indeterminate_time);
}

static void warn_of_events(const event_driven *made, thud_report *report) {
  const event_counters *counters = &made->counters;
  size_t grazes = counters->kinds[THUD_EVENT_GRAZE];
  if (grazes > 0)
    thud_report_warning(
        report, counters->first_graze, "graze",
        "%zu graze%s (first at t = %.10g): something touched 0 without crossing it, which a small change of the data "
        "may turn into a crossing",
        grazes, thud_plural(grazes), counters->first_graze);
  if (counters->gains > 0)
    thud_report_warning(report, counters->first_gain, "energy-gain",
                        "the impact law created energy at %zu impact%s (first at t = %.10g)", counters->gains,
                        thud_plural(counters->gains), counters->first_gain);
}

static void warn_of_start(const event_driven *made, const thud_event_motion_info *info, thud_report *report) {
  if (info->moved == 0) return;
  thud_report_warning(
      report, made->base.scene->start, "initial-state-moved",
      "the initial state violates %zu constraint%s (most: '%s' by %.3g), which initial_tolerance accepts: the "
      "motion starts from the nearest state that does not",
      info->moved, thud_plural(info->moved),
      thud_system_constraint_name(thud_scene_lagrangian(made->base.scene)->system, info->moved_constraint),
      info->moved_violation);
}

/* ---- reporting: the whole ---------------------------------------------------------------------------------------- */

static void write_figures(const event_driven *made, const thud_event_motion_info *info, thud_report *report) {
  thud_report_integer(report, "steps", (int64_t)info->arcs);
  thud_report_integer(report, "arcs", (int64_t)info->arcs);
  thud_report_integer(report, "impacts", (int64_t)info->impacts);
  thud_report_integer(report, "zeno_limits", (int64_t)info->zeno_limits);
  thud_report_integer(report, "grazes", (int64_t)info->grazes);
  thud_report_integer(report, "order", info->order);
  thud_report_integer(report, "deepest_order", info->deepest_order);
  thud_report_number(report, "residual", info->worst_residual);
  thud_report_number(report, "penetration", fabs(info->worst_gap));
  thud_report_integer(report, "proved_arcs", (int64_t)info->proved_arcs);
  thud_report_integer(report, "sampled_arcs", (int64_t)info->sampled_arcs);
  thud_report_integer(report, "assumed_arcs", (int64_t)info->assumed_arcs);
  thud_report_integer(report, "passage_arcs", (int64_t)info->passages);
  if (made->counters.first_end < made->base.scene->end)
    thud_report_number(report, "first_end", made->counters.first_end);
  if (report->for_record) return; /* its reader cannot check what follows */
  thud_report_integer(report, "switches", (int64_t)info->switches);
  thud_report_integer(report, "undecided", (int64_t)info->undecided);
  thud_report_number(report, "proved_defect", info->proved_defect);
  thud_report_number(report, "force_error", info->proved_force);
  thud_report_integer(report, "unproved_defects", (int64_t)info->unproved_defects);
  thud_report_integer(report, "unproved_roots", (int64_t)info->unproved_roots);
  thud_report_integer(report, "unproved_grazes", (int64_t)info->unproved_grazes);
  thud_report_integer(report, "unproved_margins", (int64_t)info->unproved_margins);
  thud_report_integer(report, "unexamined_modes", (int64_t)info->unexamined_modes);
  thud_report_integer(report, "unique_modes", (int64_t)info->unique_modes);
  thud_report_number(report, "proved_gap", info->proved_gap);
}

/* "; 3 sampled; 1 assumed (closed tails); 2 not proved: ..." of the arcs that are not proved. */
static void write_others(const thud_event_motion_info *info, char *text, size_t capacity) {
  const struct {
    size_t count;
    const char *what;
  } others[] = {{info->sampled_arcs, "sampled"},
                {info->assumed_arcs, "assumed (closed tails)"},
                {info->passages, "through dependences of equations"},
                {info->unproved_grazes, "to a graze within rounding, not proved"},
                {info->unproved_margins, "with a margin of sticking that is not proved"},
                {info->unproved_roots, "with an event that is not proved"},
                {info->unproved_defects, "with equations that are not proved"}};
  size_t used = 0;
  text[0] = '\0';
  for (size_t k = 0; k < sizeof others / sizeof *others && used < capacity; k++)
    if (others[k].count > 0)
      used += (size_t)snprintf(text + used, capacity - used, "; %zu %s", others[k].count, others[k].what);
}

/* What is known of the arcs between their ends. */
static void report_proofs(const thud_event_motion_info *info, bool gaps, thud_report *report) {
  char others[320], of[32] = "", gap[64] = "";
  write_others(info, others, sizeof others);
  if (info->arcs == 0) return;
  if (info->proved_arcs < info->arcs) snprintf(of, sizeof of, " of %zu", info->arcs);
  if (gaps) snprintf(gap, sizeof gap, ", no open gap below %.2g", info->proved_gap > 0 ? -info->proved_gap : 0);
  if (info->proved_arcs == 0)
    thud_report_line(report, "proof", "0%s arc%s proved%s", of, thud_plural(info->arcs), others);
  else
    thud_report_line(report, "proof", "%zu%s arc%s proved: defect <= %.2g, force error over the run <= %.2g N s%s%s",
                     info->proved_arcs, of, thud_plural(info->arcs), info->proved_defect, info->proved_force, gap,
                     others);
}

static void warn_of_proofs(const thud_system *system, const thud_event_motion_info *info, thud_report *report) {
  if (info->unproved_defects > 0)
    thud_report_warning(report, info->unproved_defect_time, "unproved-defect",
                        "the equations of motion could not be enclosed on %zu arc%s (first at t = %.10g): they were "
                        "looked at in places only",
                        info->unproved_defects, thud_plural(info->unproved_defects), info->unproved_defect_time);
  if (info->unexamined_modes > 0)
    thud_report_warning(
        report, info->unexamined_modes_time, "unexamined-modes",
        "%zu time%s (first at t = %.10g) with more combinations of modes of closed contacts with friction "
        "than can be tried: the motion is consistent, whether it is the only one was not examined",
        info->unexamined_modes, thud_plural(info->unexamined_modes), info->unexamined_modes_time);
  if (info->unproved_margins > 0)
    thud_report_warning(report, info->unproved_margin_time, "unproved-margin",
                        "the margin of a contact that sticks could not be enclosed on %zu arc%s (first at t = %.10g): "
                        "it was taken from its power series",
                        info->unproved_margins, thud_plural(info->unproved_margins), info->unproved_margin_time);
  if (info->unproved_roots > 0)
    thud_report_warning(
        report, info->unproved_root_time, "unproved-event",
        "%s%s%s could not be told apart from 0 on %zu arc%s (first at t = %.10g)",
        info->unproved_root_constraint >= 0 ? "the gap of '" : "a slip or a switch",
        info->unproved_root_constraint >= 0 ? thud_system_constraint_name(system, info->unproved_root_constraint) : "",
        info->unproved_root_constraint >= 0 ? "'" : "", info->unproved_roots, thud_plural(info->unproved_roots),
        info->unproved_root_time);
}

/* Reactions that the record does not have near these times. */
static void warn_of_unbounded(const thud_system *system, const thud_event_motion_info *info, thud_report *report) {
  char names[256];
  if (info->unbounded == 0) return;
  thud_system_list_constraints(system, info->unbounded, names, sizeof names);
  thud_report_warning(report, info->unbounded_time, "unbounded-reactions",
                      "the reactions of %s grow like %.3g/|t - %.10g| without bound; the force that they make together "
                      "stays bounded, and the motion goes on along its branch",
                      names, info->unbounded_growth, info->unbounded_time);
}

static void report(const void *motion, thud_report *report) {
  const event_driven *made = motion;
  const thud_event_motion_info found = thud_event_motion_get_info(made->base.object.motion), *info = &found;
  const thud_system *system = thud_scene_lagrangian(made->base.scene)->system;
  bool contacts = thud_system_constraint_count(system) > 0;
  thud_report_method(report, "%zu arc%s of order %d", info->arcs, thud_plural(info->arcs), info->order);
  write_figures(made, info, report);
  report_events(made, report);
  thud_system_report_loads(report, system);
  thud_system_report_energy(report, &info->ledger);
  if (made->counters.first_end < made->base.scene->end)
    thud_report_line(report, "extended",
                     "from t = %.10g: sizes that depend on the length of the run are those of the first",
                     made->counters.first_end);
  if (!report->brief) report_proofs(info, contacts, report);
  contacts = contacts && !report->brief;
  if (contacts && info->deepest_order > 0)
    thud_report_line(report, "decided", "at order %d of the series at most", info->deepest_order);
  if (contacts && info->impacts > 0) thud_report_line(report, "residual", "%.3g (worst impact)", info->worst_residual);
  if (contacts) thud_report_line(report, "violation", "%.3g (worst gap at the ends of arcs)", fabs(info->worst_gap));
  thud_system_warn_multiple(report, system, "non-orthogonal-impact", info->multiple_impacts, info->worst_cosine,
                            info->worst_cosine_time, info->cosine_first, info->cosine_second);
  warn_of_undecided(system, info, report);
  warn_of_proofs(system, info, report);
  warn_of_events(made, report);
  thud_system_warn_reduced(report, info->time, "reduced-restitution", info->reduced_restitutions);
  thud_system_warn_accumulations(report, system, info->right_accumulations, info->right_accumulation_time,
                                 info->right_accumulation_constraint);
  thud_system_warn_unqualified(report, system, info->unqualified, info->unqualified_time);
  warn_of_unbounded(system, info, report);
  warn_of_start(made, info, report);
  warn_of_forces(system, info, report);
  thud_system_warn_truncated(report, system, made->base.scene->start);
  thud_system_warn_friction(report, made->base.scene, &info->ledger);
}

static thud_error check(const void *motion, thud_report *report) {
  const event_driven *made = motion;
  return thud_system_report_check(made->base.scene, report, thud_event_motion_get_info(made->base.object.motion).order);
}

static void stop_at(void *motion, double t) { thud_event_stop_at(((event_driven *)motion)->base.object.motion, t); }

static const thud_kind_contacts contacts = {.names = 1,
                                            .events = "constraints",
                                            .kinds = 1U << THUD_EVENT_IMPACT | 1U << THUD_EVENT_ZENO |
                                                     1U << THUD_EVENT_CLOSE | 1U << THUD_EVENT_GRAZE,
                                            .acting = "mode"};

const thud_kind thud_kind_event_driven = {.name = "event-driven",
                                          .section = "system",
                                          .reads_definitions = true,
                                          .options = thud_system_keys,
                                          .takes = thud_scene_asks_for_events,
                                          .data_as_expressions = true,
                                          .resolve = thud_resolve_system,
                                          .build = build,
                                          .build_view = build_view,
                                          .destroy = thud_system_destroy_motion,
                                          .method = method,
                                          .layout = thud_system_layout,
                                          .advance = advance,
                                          .finish = finish,
                                          .report = report,
                                          .check = check,
                                          .extendable = true,
                                          .study = &thud_system_study,
                                          .contacts = &contacts,
                                          .stop_at = stop_at,
                                          .follow_forks = follow_forks,
                                          .outcome_count = outcome_count,
                                          .outcome = outcome,
                                          .choose = choose};
