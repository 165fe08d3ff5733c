/* Quasi-static motions of elastic structures as a kind of motion. */
#include "kinds/kinds.h"
#include "kinds/quasistatic/quasistatic_scene.h"
#include "run/run.h"
#include "run/run_view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { F_TIME, F_SIDE, F_STATE, F_REACTION, F_LOAD, F_GAP, F_MODE, F_LEDGER, F_RESIDUAL, FRAME_CHANNELS };
enum { E_TIME, E_KIND, E_CONTACTS, E_RELEASE, E_FRICTION, E_SOLUTIONS, EVENT_CHANNELS };
enum { LEDGER = 6, MODES = 4 };

static const char *const ledger_names[LEDGER] = {"stored", "work", "friction", "quadratic", "normal", "defect"};

typedef struct quasistatic {
  thud_kind_object object;
  quasistatic_scene built;
  thud_partition *partition;
  const thud_row_sink *sink; /* of the advance in progress */
  cycle_history cycles;      /* part of the state */
  /* layout and cells: */
  thud_record_channel frames[FRAME_CHANNELS], events[EVENT_CHANNELS];
  thud_record_layout layout;
  char **component_names; /* [m] "foot.n", "foot.t" */
  const char *event_names[THUD_QUASISTATIC_EVENT_KINDS], *mode_names[MODES];
  double *modes, *names; /* [c] */
} quasistatic;

/* ---- layout ------------------------------------------------------------------------------------------------------ */

static thud_error name_components(quasistatic *made) {
  static const char *const parts[3][3] = {{"n"}, {"n", "t"}, {"n", "t1", "t2"}};
  thud_context *context = made->built.scene->context;
  const thud_quasistatic_problem *problem = &made->built.problem;
  thud_index d = problem->dimension;
  made->component_names = THUD_NEW_ARRAY(context, char *, problem->contacts *d);
  made->modes = THUD_NEW_ARRAY(context, double, problem->contacts);
  made->names = THUD_NEW_ARRAY(context, double, problem->contacts);
  if (made->component_names == NULL || made->modes == NULL || made->names == NULL) return THUD_ERROR_MEMORY;
  for (thud_index k = 0; k < problem->contacts * d; k++) {
    thud_text text = thud_text_new(context);
    thud_text_print(&text, "%s.%s", problem->contact_names[k / d], parts[d - 1][k % d]);
    if (text.error != THUD_OK) return text.error;
    made->component_names[k] = text.data;
  }
  for (int k = 0; k < THUD_QUASISTATIC_EVENT_KINDS; k++)
    made->event_names[k] = thud_quasistatic_event_name((thud_quasistatic_event_kind)k);
  for (int k = 0; k < MODES; k++) made->mode_names[k] = thud_elastic_mode_name((thud_elastic_mode)k);
  return THUD_OK;
}

static void describe(quasistatic *made) {
  const thud_scene *scene = made->built.scene;
  const thud_quasistatic_problem *problem = &made->built.problem;
  size_t n = (size_t)problem->unknowns, c = (size_t)problem->contacts, m = c * (size_t)problem->dimension;
  const char *unit = thud_scene_common_unit(scene), *time = scene->time_unit;
  bool metres = strcmp(unit, "m") == 0;
  const char *const *contacts = problem->contact_names;
  thud_record_channel *frames = made->frames, *events = made->events;
  frames[F_TIME] = (thud_record_channel){.name = "t", .width = 1, .unit = time, .role = "time"};
  frames[F_SIDE] = (thud_record_channel){.name = "side", .type = THUD_RECORD_SMALL, .width = 1, .role = "side"};
  frames[F_STATE] = (thud_record_channel){.name = "U",
                                          .width = n,
                                          .components = problem->unknown_names,
                                          .unit = unit,
                                          .role = "state",
                                          .state = true,
                                          .description = "displacements"};
  frames[F_REACTION] = (thud_record_channel){.name = "r",
                                             .width = m,
                                             .components = (const char *const *)made->component_names,
                                             .unit = metres ? "N" : "",
                                             .role = "reaction",
                                             .state = true,
                                             .description = "reactions of the contacts, normal first"};
  frames[F_LOAD] = (thud_record_channel){.name = "load",
                                         .width = n,
                                         .components = problem->unknown_names,
                                         .unit = metres ? "N" : "",
                                         .role = "load",
                                         .description = "loads of the unknowns"};
  frames[F_GAP] = (thud_record_channel){
      .name = "gap", .width = c, .components = contacts, .unit = unit, .role = "gap", .description = "gaps"};
  frames[F_MODE] = (thud_record_channel){.name = "mode",
                                         .type = THUD_RECORD_SMALL,
                                         .width = c,
                                         .components = contacts,
                                         .role = "mode",
                                         .label_count = MODES,
                                         .labels = made->mode_names,
                                         .look = THUD_LOOK_POINT,
                                         .description = "modes on the interval that ends here"};
  frames[F_LEDGER] = (thud_record_channel){.name = "ledger",
                                           .width = LEDGER,
                                           .components = ledger_names,
                                           .unit = metres ? "J" : "",
                                           .role = "ledger",
                                           .description = "energies since the start"};
  frames[F_RESIDUAL] = (thud_record_channel){
      .name = "residual", .width = 1, .unit = "1", .role = "residual", .description = "of the contact problem"};
  events[E_TIME] = (thud_record_channel){.name = "t", .width = 1, .unit = time, .role = "time"};
  events[E_KIND] = (thud_record_channel){.name = "kind",
                                         .type = THUD_RECORD_SMALL,
                                         .width = 1,
                                         .role = "kind",
                                         .label_count = THUD_QUASISTATIC_EVENT_KINDS,
                                         .labels = made->event_names};
  events[E_CONTACTS] = (thud_record_channel){
      .name = "contacts", .type = THUD_RECORD_INTEGER, .role = "constraints", .label_count = c, .labels = contacts};
  events[E_RELEASE] = (thud_record_channel){.name = "release",
                                            .width = 1,
                                            .unit = metres ? "J" : "",
                                            .optional = true,
                                            .description = "net release of energy"};
  events[E_FRICTION] = (thud_record_channel){
      .name = "friction", .width = 1, .unit = metres ? "J" : "", .optional = true, .description = "lost on the way"};
  events[E_SOLUTIONS] = (thud_record_channel){
      .name = "solutions", .width = 1, .unit = "1", .optional = true, .description = "ways on that were found"};
  made->layout = (thud_record_layout){.count = {FRAME_CHANNELS, EVENT_CHANNELS}, .channels = {frames, events}};
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

static void destroy(void *motion) {
  quasistatic *made = motion;
  thud_context *context = made->built.scene->context;
  size_t m = (size_t)made->built.problem.contacts * (size_t)made->built.problem.dimension;
  thud_motion_destroy(made->object.motion);
  thud_partition_destroy(made->partition);
  for (size_t k = 0; made->component_names != NULL && k < m; k++) thud_free(context, made->component_names[k]);
  thud_free(context, made->component_names);
  thud_free(context, made->modes);
  thud_free(context, made->names);
  thud_cycle_free(context, &made->cycles);
  thud_quasistatic_scene_free(&made->built);
  thud_free(context, made);
}

/* Steps and jumps that are this part of a step apart are one node: the jump. */
static const double SAME_NODE = 1e-9;
enum { MOST_LISTED = 10000000 };

static double node_at(const thud_scene *scene, thud_index k) {
  return k == scene->steps ? scene->end : scene->start + (scene->end - scene->start) * ((double)k / scene->steps);
}

/* A jump beside an inner node, from another rounding of the same time. */
static bool any_beside(const quasistatic_scene *built) {
  const thud_scene *scene = built->scene;
  double step = (scene->end - scene->start) / scene->steps;
  for (size_t j = 0; j < built->jumps.count; j++) {
    double nearest = round((built->jumps.items[j] - scene->start) / step), t = built->jumps.items[j];
    if (nearest < 1 || nearest >= scene->steps) continue;
    double node = node_at(scene, (thud_index)nearest);
    if (node != t && fabs(node - t) <= SAME_NODE * step) return true;
  }
  return false;
}

/* The intervals with such nodes left out. */
static thud_error list_intervals(const quasistatic_scene *built, thud_partition **partition) {
  const thud_scene *scene = built->scene;
  const scene_times *jumps = &built->jumps;
  double step = (scene->end - scene->start) / scene->steps;
  size_t most = (size_t)scene->steps + 2 * jumps->count + 2, count = 0, next = 0;
  thud_interval *list = THUD_NEW_ARRAY(scene->context, thud_interval, most);
  if (list == NULL) return THUD_ERROR_MEMORY;
  while (next < jumps->count && jumps->items[next] < scene->start) next++;
  for (thud_index k = 0; k <= scene->steps; k++) {
    double t = node_at(scene, k), reach = k > 0 && k < scene->steps ? SAME_NODE * step : 0;
    bool taken = count > 0 && list[count - 1].left >= t - reach; /* by a jump beside it */
    for (; next < jumps->count && jumps->items[next] <= t + reach; next++) {
      double jump = jumps->items[next];
      list[count++] = (thud_interval){jump, jump, true, true};
      list[count++] = (thud_interval){jump, jump, false, false};
      taken = taken || jump >= t - reach;
    }
    if (!taken) list[count++] = (thud_interval){t, t, true, k == scene->steps};
  }
  if (list[count - 1].left == scene->end && !list[count - 1].left_closed)
    count--; /* nothing behind a jump at the end */
  for (size_t k = 0; k + 1 < count; k++)
    if (!(list[k].left_closed && list[k].right_closed)) list[k].right = list[k + 1].left;
  thud_error error = thud_partition_create(scene->context, count, list, partition);
  thud_free(scene->context, list);
  return error;
}

static thud_error divide(const quasistatic_scene *built, thud_partition **partition) {
  const thud_scene *scene = built->scene;
  if (scene->steps <= MOST_LISTED && any_beside(built)) return list_intervals(built, partition);
  return thud_partition_uniform(scene->context, scene->start, scene->end, scene->steps, built->jumps.count,
                                built->jumps.items, partition);
}

/* What is wrong with the structure is reported where the section begins. */
static thud_error start(quasistatic *made, const thud_node *root) {
  quasistatic_scene *built = &made->built;
  thud_scene *scene = built->scene;
  thud_error error = divide(built, &made->partition);
  if (error != THUD_OK) return error;
  error = thud_quasistatic_motion_create(scene->context, built->method, &built->problem, made->partition,
                                         &built->options, &made->object.motion);
  if (error == THUD_OK || error == THUD_ERROR_MEMORY) return error;
  const thud_node *initial = thud_node_find(root, "initial"), *section = thud_node_find(root, "quasistatic");
  bool of_state = error == THUD_ERROR_ARGUMENT && initial != NULL;
  return thud_node_fail_within(of_state ? initial : section, error);
}

static thud_error begin(quasistatic *made, const thud_node *root) {
  const thud_scene *scene = made->built.scene;
  thud_error error = name_components(made);
  if (error == THUD_OK) error = start(made, root);
  if (error == THUD_OK)
    error = thud_cycle_create(scene->context, (size_t)scene->dimension, made->built.period, scene->start, scene->end,
                              &made->cycles);
  if (error != THUD_OK) return error;
  describe(made);
  made->object.found = made->cycles.block;
  made->object.found_size = thud_cycle_size(&made->cycles);
  return THUD_OK;
}

/* With a motion, or without one for pictures. */
static thud_error make(thud_scene *scene, const thud_node *root, bool moves, void **motion) {
  quasistatic *made = THUD_NEW(scene->context, quasistatic);
  if (made == NULL) return THUD_ERROR_MEMORY;
  thud_error error = thud_quasistatic_scene_build(scene, root, &made->built);
  if (error == THUD_OK && moves) error = begin(made, root);
  if (error == THUD_OK)
    *motion = made;
  else
    destroy(made);
  return error;
}

static thud_error build(thud_scene *scene, const thud_node *root, void **motion) {
  return make(scene, root, true, motion);
}

static thud_error build_view(thud_scene *scene, const thud_node *root, void **motion) {
  return make(scene, root, false, motion);
}

static const char *method(const void *motion) {
  return thud_quasistatic_method_names[((const quasistatic *)motion)->built.method];
}

static const thud_record_layout *layout(const void *motion) { return &((const quasistatic *)motion)->layout; }

/* ---- going on ---------------------------------------------------------------------------------------------------- */

static int hand_out(quasistatic *made, const thud_quasistatic_frame *frame, unsigned flags) {
  const thud_quasistatic_problem *problem = &made->built.problem;
  size_t c = (size_t)problem->contacts;
  double side = frame->side, ledger[LEDGER] = {frame->ledger.stored,    frame->ledger.work,   frame->ledger.friction,
                                               frame->ledger.quadratic, frame->ledger.normal, frame->ledger.defect};
  for (size_t i = 0; i < c; i++) made->modes[i] = frame->modes[i];
  const thud_record_cell cells[FRAME_CHANNELS] = {
      [F_TIME] = {.values = &frame->t, .count = 1},
      [F_SIDE] = {.values = &side, .count = 1},
      [F_STATE] = {.values = frame->U, .count = (size_t)problem->unknowns},
      [F_REACTION] = {.values = frame->r, .count = c * (size_t)problem->dimension},
      [F_LOAD] = {.values = frame->F, .count = (size_t)problem->unknowns},
      [F_GAP] = {.values = frame->gap, .count = c},
      [F_MODE] = {.values = made->modes, .count = c},
      [F_LEDGER] = {.values = ledger, .count = LEDGER},
      [F_RESIDUAL] = {.values = &frame->residual, .count = 1}};
  return made->sink->frame(made->sink->user, frame->t, flags, cells);
}

static int on_frame(void *user, const void *given) {
  const thud_quasistatic_frame *frame = given;
  quasistatic *made = user;
  thud_cycle_note(&made->cycles, frame);
  return hand_out(made, frame, frame->side != THUD_SIDE_VALUE || frame->refined ? THUD_ROW_KEEP : 0);
}

static int on_event(void *user, const void *given) {
  const thud_quasistatic_event *event = given;
  quasistatic *made = user;
  double kind = event->kind;
  for (size_t k = 0; k < event->contact_count; k++) made->names[k] = event->contacts[k];
  const thud_record_cell cells[EVENT_CHANNELS] = {[E_TIME] = {.values = &event->t, .count = 1},
                                                  [E_KIND] = {.values = &kind, .count = 1},
                                                  [E_CONTACTS] = {.values = made->names, .count = event->contact_count},
                                                  [E_RELEASE] = {.values = &event->release, .count = 1},
                                                  [E_FRICTION] = {.values = &event->friction, .count = 1},
                                                  [E_SOLUTIONS] = {.values = &event->solutions, .count = 1}};
  return made->sink->event(made->sink->user, event->t, cells);
}

static thud_error advance(void *motion, const thud_row_sink *sink, thud_reached *reached) {
  quasistatic *made = motion;
  const thud_motion_sink inner = {.frame = on_frame, .event = on_event, .user = made};
  made->sink = sink;
  thud_error error = thud_motion_step(made->object.motion, &inner, reached);
  if (error != THUD_OK || reached->status != THUD_MOTION_COMPLETED) return error;
  const thud_quasistatic_motion_info info = thud_quasistatic_motion_get_info(made->object.motion);
  if (thud_quasistatic_is_coarse(&made->built, &info)) reached->verdict = "coarse";
  return THUD_OK;
}

static thud_error finish(void *motion, const thud_row_sink *sink) {
  quasistatic *made = motion;
  const thud_quasistatic_frame frame = thud_quasistatic_motion_present(made->object.motion);
  made->sink = sink;
  return hand_out(made, &frame, THUD_ROW_AGAIN) < 0 ? THUD_ERROR_CALLBACK : THUD_OK;
}

/* ---- reporting --------------------------------------------------------------------------------------------------- */

static void report(const void *motion, thud_report *report) {
  const quasistatic *made = motion;
  thud_quasistatic_report(&made->built, made->object.motion, &made->cycles, report);
}

static thud_error check(const void *motion, thud_report *report) {
  const quasistatic *made = motion;
  const thud_quasistatic_problem *problem = &made->built.problem;
  static const char *const kinds[] = {"without friction", "in the plane", "in space"};
  const thud_quasistatic_motion_info info = thud_quasistatic_motion_get_info(made->object.motion);
  thud_report_line(report, "kind", "quasi-static, %d unknowns, %d contact%s %s", (int)problem->unknowns,
                   (int)problem->contacts, problem->contacts == 1 ? "" : "s", kinds[problem->dimension - 1]);
  thud_report_integer(report, "contacts", problem->contacts);
  thud_report_flag(report, "held_by_contacts", info.held_by_contacts);
  thud_report_line(report, "stiffness", "%s, %s", problem->K.storage == THUD_MATRIX_SPARSE ? "sparse" : "dense",
                   info.held_by_contacts ? "semidefinite: held by friction" : "positive definite");
  thud_report_line(report, "run", "%s, %d steps, t = %g to %g", method(motion), (int)made->built.scene->steps,
                   made->built.scene->start, made->built.scene->end);
  return thud_quasistatic_report_critical(&made->built, made->object.motion, report);
}

/* ---- forks ------------------------------------------------------------------------------------------------------- */

static thud_error follow_forks(void *motion, bool follow, size_t *most_outcomes) {
  const quasistatic_scene *built = &((quasistatic *)motion)->built;
  bool jumps = built->method == THUD_QUASISTATIC_INCREMENTS && built->options.on_jump == THUD_JUMP_BRANCHES;
  if (follow && built->method != THUD_QUASISTATIC_EVENTS && !jumps)
    return thud_fail(built->scene->context, THUD_ERROR_UNSUPPORTED,
                     "[unsupported-method] forks are found by the method event-driven (simulate.method), and jumps "
                     "that fork with simulate.on_jump: "
                     "branches");
  if (*most_outcomes == 0) *most_outcomes = 24;
  return thud_quasistatic_motion_follow_forks(((quasistatic *)motion)->object.motion, follow, *most_outcomes);
}

static size_t outcome_count(const void *motion) {
  return thud_quasistatic_motion_outcome_count(((const quasistatic *)motion)->object.motion);
}

static thud_error outcome(const void *motion, size_t k, thud_outcome *outcome) {
  const quasistatic *made = motion;
  thud_quasistatic_solution solution;
  thud_error error = thud_quasistatic_motion_outcome(made->object.motion, k, &solution);
  if (error != THUD_OK) return error;
  *outcome = (thud_outcome){0};
  size_t used = 0;
  for (thud_index i = 0; i < made->built.problem.contacts && used < sizeof outcome->text; i++)
    used += (size_t)snprintf(outcome->text + used, sizeof outcome->text - used, "%s%s %s", i > 0 ? ", " : "",
                             made->built.problem.contact_names[i], thud_elastic_mode_name(solution.modes[i]));
  if (used < sizeof outcome->text && !isnan(solution.release))
    snprintf(outcome->text + used, sizeof outcome->text - used, " (jump, releases %.6g)", solution.release);
  return THUD_OK;
}

static thud_error choose(void *motion, size_t k) {
  return thud_quasistatic_motion_choose(((quasistatic *)motion)->object.motion, k);
}

static thud_error draw(const void *motion, thud_moment *moment, thud_drawing *drawing) {
  return thud_view_quasistatic(&((const quasistatic *)motion)->built, moment, drawing);
}

/* The first number counts cycles. */
static bool takes_findings(const void *motion, const void *given) {
  double cycles;
  (void)motion;
  memcpy(&cycles, given, sizeof cycles);
  return cycles >= 0 && cycles <= 9e15 && cycles == floor(cycles);
}

const thud_kind thud_kind_quasistatic = {.name = "quasistatic",
                                         .takes_findings = takes_findings,
                                         .section = "quasistatic",
                                         .options = thud_quasistatic_keys,
                                         .take_files = thud_quasistatic_scene_take_files,
                                         .resolve = thud_quasistatic_scene_resolve,
                                         .build = build,
                                         .build_view = build_view,
                                         .destroy = destroy,
                                         .method = method,
                                         .layout = layout,
                                         .advance = advance,
                                         .finish = finish,
                                         .report = report,
                                         .check = check,
                                         .study = &thud_quasistatic_study,
                                         .follow_forks = follow_forks,
                                         .outcome_count = outcome_count,
                                         .outcome = outcome,
                                         .choose = choose,
                                         .draw = draw};

const quasistatic_scene *thud_quasistatic_scene_of(const thud_scene *scene) {
  return scene->kind == &thud_kind_quasistatic ? &((const quasistatic *)scene->motion)->built : NULL;
}

const thud_motion *thud_quasistatic_motion_of(const thud_scene *scene) {
  return scene->kind == &thud_kind_quasistatic ? ((const quasistatic *)scene->motion)->object.motion : NULL;
}
