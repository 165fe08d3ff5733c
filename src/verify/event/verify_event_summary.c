/* The summary of an event-driven record: the same as its frames and events. */
#include "verify/event/verify_event_proof.h"
#include "verify/verify_notes.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static size_t count_events(const verify_event_rows *f, int kind) {
  size_t count = 0;
  for (size_t k = 0; k < f->count; k++) count += f->event[k] == kind;
  return count;
}

/* What the summary says of the arcs is what the frames say. Arcs that are shorter than the time can resolve are counted
 * and not recorded: the summary may have more of each kind. */
static void compare_proofs(verify_event_rows *f, const thud_node *summary) {
  static const char *const keys[VERIFY_ARC_STATUSES] = {NULL, "proved_arcs", "sampled_arcs", "assumed_arcs",
                                                        "passage_arcs"};
  double counts[VERIFY_ARC_STATUSES] = {0}, claims[VERIFY_ARC_STATUSES];
  const thud_node *arcs = thud_node_find(summary, "arcs");
  if (f->tables.status == NULL || arcs == NULL || thud_node_get_kind(arcs) != THUD_NODE_NUMBER) return;
  claims[VERIFY_ARC_OPEN] = thud_node_number(arcs);
  for (size_t k = 0; k < f->count; k++)
    if (verify_event_has_arc(f, k)) counts[(size_t)f->status[k]]++;
  for (int s = 1; s < VERIFY_ARC_STATUSES; s++) {
    const thud_node *claim = thud_node_find(summary, keys[s]);
    claims[s] = claim != NULL && thud_node_get_kind(claim) == THUD_NODE_NUMBER ? thud_node_number(claim) : -1;
    if (claim == NULL && s == VERIFY_ARC_PASSAGE) claims[s] = 0; /* records of earlier versions */
    claims[VERIFY_ARC_OPEN] -= claims[s];
  }
  for (int s = 0; s < VERIFY_ARC_STATUSES; s++)
    if (!(claims[s] >= counts[s]))
      thud_verify_fail(&f->checks.summary, f->t[f->count - 1], f->count - 1,
                       "the frames have %g arcs that are %s, the summary does not", counts[s],
                       s == VERIFY_ARC_OPEN ? "not proved" : keys[s]);
}

/* What is not proved is not proved for some reason: as many of these as there are such arcs, or more. */
static void compare_open(verify_event_rows *f, const thud_node *summary) {
  static const char *const arcs[] = {"proved_arcs", "sampled_arcs", "assumed_arcs", "passage_arcs"};
  static const char *const reasons[] = {"unproved_defects", "unproved_roots", "unproved_grazes", "unproved_margins"};
  double open = 0, sum = 0, count;
  size_t last = f->count - 1;
  if (thud_verify_note_missing(summary, reasons[0])) return;
  bool sound = thud_verify_note_find(summary, "arcs", &open);
  for (size_t k = 0; k < sizeof arcs / sizeof *arcs; k++)
    if (thud_verify_note_find(summary, arcs[k], &count)) open -= count;
  for (size_t k = 0; k < sizeof reasons / sizeof *reasons; k++) {
    sound = sound && thud_verify_note_find(summary, reasons[k], &count) && count >= 0 && count <= open;
    sum += count;
  }
  if (!sound || sum < open)
    thud_verify_fail(&f->checks.summary, f->t[last], last, "the summary does not say why %g arcs are not proved", open);
}

/* Largest gap below 0 at the nodes. The error of forces is no larger than the bounds of the arcs, |bound| times the
 * length, summed up (arcs that are shorter than the time can resolve are in the sum and not in the frames). */
static void compare_bounds(verify_event_rows *f, const thud_node *summary) {
  thud_verify_check *check = &f->checks.summary;
  double deepest = 0, size = 0, sum = 0, longest = 0, claim = 0, arcs = 0, counted = 0;
  size_t last = f->count - 1;
  for (size_t k = 0; k < f->count; k++) {
    double square = 0, h = f->t_end[k] - f->t[k];
    for (size_t c = 0; c < f->n; c++) square += f->stated[k * f->n + c] * f->stated[k * f->n + c];
    if (verify_event_has_arc(f, k)) counted++;
    if (verify_event_has_arc(f, k) && square > 0) {
      sum += sqrt(square) * h;
      longest = fmax(longest, sqrt(square));
    }
    if (f->system->functions ||
        !thud_verify_system_at(f->system, f->t[k], verify_event_q(f, k), verify_event_v(f, k), &f->at))
      continue;
    for (size_t i = 0; i < f->m; i++)
      if (f->system->constraints[i].kind == VERIFY_UNILATERAL) {
        deepest = fmax(deepest, -f->at.gap[i]);
        size = fmax(size, f->gap_size[i]);
      }
  }
  if (!f->system->functions)
    thud_verify_note_number(summary, "penetration", deepest, VERIFY_ROUNDING * size, f->t[last], last, check);
  thud_verify_note_find(summary, "arcs", &arcs);
  double short_arcs = fmax(0, arcs - counted) * 64 * DBL_EPSILON * fmax(fabs(f->t[0]), fabs(f->t[last]));
  sum = sum * (1 + VERIFY_ROUNDING) + short_arcs * longest;
  if (thud_verify_note_missing(summary, "force_error")) return;
  if (!thud_verify_note_find(summary, "force_error", &claim) || !(claim >= 0) ||
      (claim > sum && f->tables.defect != NULL))
    thud_verify_fail(check, f->t[last], last, "'force_error' is %.17g, the bounds of the arcs add up to %.17g", claim,
                     sum);
}

/* Bounds that no other number of the record gives: they are what a proof may leave. */
static void compare_claims(verify_event_rows *f, const thud_node *summary) {
  double defect = 0, gap = 0, largest = 0;
  for (size_t i = 0; i < f->m; i++) largest = fmax(largest, f->gap_size[i]);
  if (thud_verify_note_missing(summary, "proved_defect") && thud_verify_note_missing(summary, "proved_gap")) return;
  if (!thud_verify_note_find(summary, "proved_defect", &defect) ||
      !(defect >= 0 && defect <= fmax(VERIFY_STATED, f->system->defect_tolerance)))
    thud_verify_fail(&f->checks.summary, NAN, SIZE_MAX, "'proved_defect' is no bound of defects of proved arcs");
  if (!thud_verify_note_find(summary, "proved_gap", &gap) ||
      !(gap >= 0 && gap <= f->tolerance * largest + f->system->gap_tolerance))
    thud_verify_fail(&f->checks.summary, NAN, SIZE_MAX, "'proved_gap' is no bound of gaps of proved arcs");
}

/* Counts that the run alone knows are there where they must be, and nowhere else: a switch within an arc's event has none
 * of its own, and modes that were not looked at are warned of. */
static void compare_counts(verify_event_rows *f, const thud_node *summary) {
  size_t last = f->count - 1, events = count_events(f, VERIFY_EVENT_SWITCH);
  double switches = -1, modes = -1;
  if (thud_verify_note_missing(summary, "switches") && thud_verify_note_missing(summary, "unexamined_modes") &&
      thud_verify_note_missing(summary, "undecided"))
    return;
  bool none =
      !f->system->functions && f->system->formulas == NULL && thud_expr_program_switch_count(f->system->program) == 0;
  if (!thud_verify_note_find(summary, "switches", &switches) || switches < (double)events || (none && switches > 0))
    thud_verify_fail(&f->checks.summary, f->t[last], last, "'switches' is %g, the frames have %zu%s", switches, events,
                     none ? " and the scene has none" : "");
  if (!thud_verify_note_find(summary, "unexamined_modes", &modes) || !(modes >= 0) ||
      (modes > 0) != thud_verify_note_warns(summary, "unexamined-modes"))
    thud_verify_fail(&f->checks.summary, f->t[last], last, "'unexamined_modes' is %g, the warnings say otherwise",
                     modes);
  double undecided = -1;
  if (!thud_verify_note_find(summary, "undecided", &undecided) || !(undecided >= 0) ||
      (undecided > 0) != thud_verify_note_warns(summary, "undecided-contact"))
    thud_verify_fail(&f->checks.summary, f->t[last], last, "'undecided' is %g, the warnings say otherwise", undecided);
}

/* Counts and bounds that only the run can know, as far as they go beyond what is compared: the report names them. */
static void name_unchecked(verify_event_rows *f, const thud_node *summary) {
  static const char *const keys[] = {"undecided",      "switches",        "unexamined_modes", "unproved_defects",
                                     "unproved_roots", "unproved_grazes", "unproved_margins", "proved_defect",
                                     "proved_gap",     "force_error"};
  char list[192] = "";
  size_t used = 0;
  for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
    double value = 0;
    if (!thud_verify_note_find(summary, keys[k], &value) || value == 0) continue;
    int length = snprintf(list + used, sizeof list - used, "%s%s", used > 0 ? ", " : "", keys[k]);
    if (length > 0 && (size_t)length < sizeof list - used) used += (size_t)length;
  }
  if (used > 0 && f->checks.summary.status == THUD_VERIFY_PASSED)
    thud_verify_explain(&f->checks.summary, "not checked beyond their bounds: %s", list);
}

static void compare_summary(verify_event_rows *f, const thud_node *summary, const thud_record_info *info) {
  static const char *const figures[] = {"steps",
                                        "arcs",
                                        "impacts",
                                        "zeno_limits",
                                        "grazes",
                                        "switches",
                                        "undecided",
                                        "order",
                                        "deepest_order",
                                        "residual",
                                        "penetration",
                                        "proved_arcs",
                                        "sampled_arcs",
                                        "assumed_arcs",
                                        "passage_arcs",
                                        "proved_defect",
                                        "force_error",
                                        "unproved_defects",
                                        "unproved_roots",
                                        "unproved_grazes",
                                        "unproved_margins",
                                        "unexamined_modes",
                                        "unique_modes",
                                        "proved_gap",
                                        "first_end",
                                        "percussions",
                                        "families"};
  thud_verify_check *check = &f->checks.summary;
  thud_verify_summary_keys(summary, sizeof figures / sizeof *figures, figures, check);
  size_t last = f->count - 1, arcs = 0;
  double t = f->t[last], residual = 0, deepest = -1;
  for (size_t k = 0; k < f->count; k++) residual = fmax(residual, f->residual[k]);
  for (size_t k = 0; k < f->count * f->m; k++) deepest = fmax(deepest, f->order[k]);
  const thud_node *state = thud_node_find(summary, "state"), *ledger = thud_node_find(summary, "ledger");
  for (size_t k = 0; k < f->count; k++) arcs += verify_event_has_arc(f, k);
  const struct {
    const char *key;
    double value;
  } numbers[] = {{"impacts", (double)count_events(f, VERIFY_EVENT_IMPACT)},
                 {"zeno_limits", (double)count_events(f, VERIFY_EVENT_ZENO)},
                 {"grazes", (double)count_events(f, VERIFY_EVENT_GRAZE)},
                 {"deepest_order", fmax(0, deepest)},
                 {"residual", residual}};
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
    thud_verify_note_number(summary, numbers[k].key, numbers[k].value, 0, t, last, check);
  compare_counts(f, summary);
  if (arcs > 0) thud_verify_note_number(summary, "order", (double)f->degree - 2, 0, t, last, check);
  /* Arcs that are shorter than the time can resolve are counted and not recorded. */
  const thud_node *claim = thud_node_find(summary, "arcs");
  if (claim == NULL || thud_node_get_kind(claim) != THUD_NODE_NUMBER || thud_node_number(claim) < (double)arcs)
    thud_verify_fail(check, t, last, "there are %zu arcs, the summary does not determine as many", arcs);
  if (claim != NULL && thud_node_get_kind(claim) == THUD_NODE_NUMBER)
    thud_verify_note_number(summary, "steps", thud_node_number(claim), 0, t, last, check);
  compare_proofs(f, summary);
  if (strcmp(info->verdict, "good") != 0) return; /* a failed run may have gone on after its last row */
  compare_open(f, summary);
  compare_bounds(f, summary);
  compare_claims(f, summary);
  thud_verify_summary_loads(f->system, summary, check);
  thud_verify_note_number(summary, "time", t, 0, t, last, check);
  thud_verify_note_numbers(state, f->n, f->system->scene.names, verify_event_q(f, last), t, last, check);
  thud_verify_note_numbers(state, f->n, (const char *const *)f->system->velocities, verify_event_v(f, last), t, last,
                           check);
  for (int i = 0; i < VERIFY_LEDGER_WIDTH; i++)
    thud_verify_note_number(ledger, thud_verify_ledger_name(i), f->ledger[last * VERIFY_LEDGER_WIDTH + (size_t)i], 0, t,
                            last, check);
  name_unchecked(f, summary);
}

thud_error thud_verify_event_length(verify_event_rows *f, thud_record_reader *reader) {
  const verify_scene *scene = &f->system->scene;
  const char *text = thud_record_reader_info(reader).summary;
  thud_tree *tree = NULL;
  double first = scene->end;
  f->length = scene->end - scene->start;
  if (text[0] == '\0') return THUD_OK;
  thud_error error = thud_tree_read_text(f->context, "summary", text, strlen(text), &tree);
  if (error != THUD_OK) return error == THUD_ERROR_MEMORY ? error : THUD_OK; /* the check of the summary reports it */
  if (thud_verify_note_find(thud_tree_root(tree), "first_end", &first) && !(first > scene->start && first < scene->end))
    thud_verify_fail(&f->checks.summary, first, SIZE_MAX, "the run was extended from a time that is not within it");
  else
    f->length = first - scene->start;
  thud_tree_destroy(tree);
  return THUD_OK;
}

thud_error thud_verify_event_summary(verify_event_rows *f, thud_record_reader *reader) {
  const thud_record_info info = thud_record_reader_info(reader);
  thud_tree *tree;
  thud_error error = thud_verify_summary_open(f->context, reader, &f->checks.summary, &tree);
  if (error == THUD_OK && tree != NULL) compare_summary(f, thud_tree_root(tree), &info);
  thud_tree_destroy(tree);
  return error;
}
