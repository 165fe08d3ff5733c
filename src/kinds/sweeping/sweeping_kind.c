/* Sweeping processes as a kind of motion. */
#include "kinds/kinds.h"
#include "kinds/sweeping/sweeping_scene.h"
#include "motions/motion.h"
#include "run/run.h"
#include "run/run_view.h"
#include "scene/resolve.h"
#include "scene/scene_options.h"

#include <math.h>
#include <string.h>

enum { MOST_REFINEMENTS = 12 };
/* A run whose error is more than this part of the way that u goes is coarse. */
static const double coarse_above = 0.1;
static const char coarse[] = "coarse";

/* What belongs to the state beside the process itself. */
typedef struct sweeping_findings {
  size_t jump_times; /* different ones among the jumps */
  double last_jump;
  bool concluded; /* the conclusions are those of the motion so far */
} sweeping_findings;

/* What other motions on finer partitions, and the data, say of this one. */
typedef struct sweeping_conclusions {
  int refinement_count;
  thud_sweep_refinement refinements[MOST_REFINEMENTS];
  double error_estimate;  /* NaN when not made */
  char no_estimate[1024]; /* why the error could not be estimated, "" when it was or was not asked for */
  bool retracted, judged;
  sweeping_retraction retraction; /* of catching-up */
  thud_limit_level levels[SCENE_MOST_LEVELS];
  thud_limit_judgement judgement;
} sweeping_conclusions;

typedef struct sweeping {
  thud_kind_object object;
  sweeping_scene built;
  thud_partition *partition;
  thud_sweep_problem problem;
  const thud_row_sink *sink; /* of the advance in progress */
  sweeping_findings found;
  sweeping_conclusions conclusions;
} sweeping;

static const sweeping_conclusions no_conclusions = {.error_estimate = NAN};

static const sweeping_conclusions *conclusions_of(const sweeping *made) {
  return made->found.concluded ? &made->conclusions : &no_conclusions;
}

static void destroy(void *motion) {
  sweeping *made = motion;
  thud_motion_destroy(made->object.motion);
  thud_partition_destroy(made->partition);
  thud_rows_destroy(made->object.rows);
  thud_context *context = made->built.scene->context;
  thud_sweeping_scene_free(&made->built);
  thud_free(context, made);
}

static thud_error start(sweeping *made) {
  const sweeping_scene *built = &made->built;
  const thud_scene *scene = built->scene;
  thud_row_names names = {.coordinates = (const char *const *)scene->coordinates,
                          .unit = thud_scene_common_unit(scene),
                          .time_unit = scene->time_unit};
  thud_error error =
      built->interval_count > 0
          ? thud_partition_create(scene->context, built->interval_count, built->intervals, &made->partition)
          : thud_partition_uniform(scene->context, scene->start, scene->end, scene->steps, built->numbers.jumps.count,
                                   built->numbers.jumps.items, &made->partition);
  made->problem = (thud_sweep_problem){.set = thud_sweeping_scene_set(built),
                                       .metric = built->metric,
                                       .initial = built->initial,
                                       .feedback = built->has_feedback ? &built->feedback : NULL};
  if (error == THUD_OK)
    error = thud_sweep_motion_create(scene->context, built->method, &made->problem, made->partition, &built->options,
                                     &made->object.motion);
  if (error != THUD_OK) return error;
  return thud_rows_create_sweeping(scene->context, scene->dimension, built->options.tolerance, &names,
                                   &made->object.rows);
}

/* With a motion, or without one for pictures. */
static thud_error make(thud_scene *scene, const thud_node *root, bool moves, void **motion) {
  sweeping *made = THUD_NEW(scene->context, sweeping);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->found.last_jump = NAN;
  made->object.found = &made->found;
  made->object.found_size = sizeof made->found;
  thud_error error = thud_sweeping_scene_build(scene, root, &made->built);
  if (error == THUD_OK && moves) error = start(made);
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
  return ((const sweeping *)motion)->built.method == THUD_SWEEP_REGULARISED ? "regularised" : "catching-up";
}

static const thud_record_layout *layout(const void *motion) {
  return thud_rows_layout(((const sweeping *)motion)->object.rows);
}

/* ---- going on ---------------------------------------------------------------------------------------------------- */

static int on_frame(void *user, double t, unsigned flags, const thud_record_cell *cells) {
  const sweeping *made = user;
  return made->sink->frame(made->sink->user, t, flags, cells);
}

static int on_event(void *user, double t, const thud_record_cell *cells) {
  sweeping *made = user;
  made->found.jump_times += t != made->found.last_jump;
  made->found.last_jump = t;
  return made->sink->event(made->sink->user, t, cells);
}

static void send_to(sweeping *made, const thud_row_sink *sink) {
  made->sink = sink;
  thud_rows_set_sink(made->object.rows, (thud_row_sink){.frame = on_frame, .event = on_event, .user = made});
}

static thud_error advance(void *motion, const thud_row_sink *sink, thud_reached *reached) {
  sweeping *made = motion;
  const thud_motion_sink inner = {.frame = thud_rows_sweep, .user = made->object.rows};
  send_to(made, sink);
  return thud_motion_step(made->object.motion, &inner, reached);
}

static thud_error finish(void *motion, const thud_row_sink *sink) {
  sweeping *made = motion;
  send_to(made, sink);
  return thud_rows_end_sweep(made->object.rows) < 0 ? THUD_ERROR_CALLBACK : THUD_OK;
}

/* ---- the error estimate ------------------------------------------------------------------------------------------ */

static int on_watch(void *user, const void *frame) {
  const thud_run_watch *watch = user;
  (void)frame;
  return watch->ask(watch->user);
}

static thud_error estimate_error(sweeping *made, const thud_motion_sink *sink) {
  const sweeping_scene *built = &made->built;
  sweeping_conclusions *conclusions = &made->conclusions;
  if (built->refinements == 0) return THUD_OK;
  thud_error error =
      thud_sweep_refine(built->scene->context, built->method, &made->problem, made->partition, &built->options,
                        built->refinements, sink, conclusions->refinements, &conclusions->error_estimate);
  if (error == THUD_OK) conclusions->refinement_count = built->refinements;
  if (error != THUD_ERROR_NOT_CONVERGED) return error;
  /* the motion itself is certified; only the estimate is missing */
  snprintf(conclusions->no_estimate, sizeof conclusions->no_estimate, "no error estimate: on a finer partition, %s",
           thud_context_last_message(built->scene->context));
  return THUD_OK;
}

static thud_error bound_error(sweeping *made) {
  if (made->built.method != THUD_SWEEP_CATCHING_UP || made->built.has_feedback) return THUD_OK; /* no theorem */
  thud_error error = thud_sweeping_retract(&made->built, made->partition, &made->conclusions.retraction);
  made->conclusions.retracted = error == THUD_OK;
  /* u moves by the excess of its set at most: its variation is a bound from below */
  thud_sweep_motion_info info = thud_sweep_motion_get_info(made->object.motion);
  double moved = info.variation - info.initial_distance;
  sweeping_retraction *r = &made->conclusions.retraction;
  if (r->source == RETRACTION_ESTIMATED) {
    r->high = fmax(r->high, moved);
    r->mesh = fmax(r->mesh, info.largest_move);
  }
  r->low = fmin(fmax(r->low, moved), r->high);
  return error;
}

static thud_error classify(sweeping *made, const thud_motion_sink *sink) {
  const sweeping_scene *built = &made->built;
  if (built->levels == 0) return THUD_OK;
  thud_error error =
      thud_sweep_classify(built->scene->context, built->method, &made->problem, made->partition, &built->options,
                          built->levels, sink, made->conclusions.levels, &made->conclusions.judgement);
  made->conclusions.judged = error == THUD_OK;
  return error;
}

static thud_error conclude(void *motion, const thud_run_watch *watch, bool *stopped) {
  sweeping *made = motion;
  thud_run_watch asked = *watch;
  made->conclusions = no_conclusions;
  made->found.concluded = true;
  const thud_motion_sink sink = {.frame = on_watch, .user = &asked};
  thud_error error = estimate_error(made, &sink);
  if (error == THUD_OK) error = bound_error(made);
  if (error == THUD_OK) error = classify(made, &sink);
  *stopped = error == THUD_ERROR_INTERRUPTED;
  return *stopped ? THUD_OK : error;
}

/* ---- what a motion is worth -------------------------------------------------------------------------------------- */

/* Do the differences of the refinements tend to 0? 1 yes, -1 no, 0 not decided or too few of them. */
static int refinements_approach(const sweeping *made, char *text, size_t capacity) {
  const sweeping_conclusions *conclusions = conclusions_of(made);
  double figures[MOST_REFINEMENTS], size = thud_sweep_motion_get_info(made->object.motion).extent;
  int count = conclusions->refinement_count;
  if (count < THUD_LIMIT_LEAST_LEVELS) return 1;
  for (int k = 0; k < count; k++) figures[k] = conclusions->refinements[k].difference;
  thud_limit_write_figures(count, figures, text, capacity);
  /* differences that are small beside the motion need not fall any more: they may be those of the projections */
  if (!(figures[count - 1] > 1e-3 * size)) return 1;
  return thud_limit_tends_to_zero(thud_limit_fit(count, figures, 0));
}

static bool is_coarse(const sweeping *made) {
  const sweeping_conclusions *conclusions = conclusions_of(made);
  double extent = thud_sweep_motion_get_info(made->object.motion).extent;
  return conclusions->refinement_count > 0 && conclusions->error_estimate > coarse_above * extent;
}

static void judge(const void *motion, thud_reached *reached) {
  const sweeping *made = motion;
  const sweeping_conclusions *conclusions = conclusions_of(made);
  char text[256];
  int approach = refinements_approach(made, text, sizeof text);
  if (is_coarse(made) || approach == 0) reached->verdict = coarse;
  if (approach < 0) {
    thud_fail(made->built.scene->context, THUD_ERROR_NOT_CONVERGED,
              "[no-limit] t = %.10g: motions on halved partitions do not approach each other, their differences are %s",
              reached->t, text);
    reached->status = THUD_MOTION_FAILED;
    reached->what = "no limit";
  }
  if (conclusions->judged)
    thud_limit_reached(made->built.scene->context, made->built.levels, conclusions->levels, &conclusions->judgement,
                       reached);
  if (reached->status == THUD_MOTION_FAILED) reached->verdict = NULL;
}

/* ---- reporting --------------------------------------------------------------------------------------------------- */

static bool starts_outside(const sweeping_scene *built) { return built->initial_distance > built->options.tolerance; }

static void write_refinements(const sweeping_conclusions *conclusions, thud_report *report) {
  static const char *const names[] = {"intervals", "difference", "order"};
  enum { KEYS = sizeof names / sizeof *names };
  double values[KEYS * MOST_REFINEMENTS];
  for (size_t k = 0; k < (size_t)conclusions->refinement_count; k++) {
    values[KEYS * k] = (double)conclusions->refinements[k].intervals;
    values[KEYS * k + 1] = conclusions->refinements[k].difference;
    values[KEYS * k + 2] = conclusions->refinements[k].order;
  }
  thud_report_number(report, "error_estimate", conclusions->error_estimate);
  thud_report_list(report, "refinement", KEYS, names, (size_t)conclusions->refinement_count, values);
}

static const char *const sources[] = {"enclosure", "samples", "none"};

/* Retraction and what it bounds: numbers where they are finite. */
static void report_bound(const sweeping_conclusions *conclusions, thud_report *report) {
  const sweeping_retraction *r = &conclusions->retraction;
  double bound = r->source == RETRACTION_ENCLOSED ? sweeping_retraction_bound(r) : NAN;
  if (!conclusions->retracted) return;
  thud_report_string(report, "retraction_by", sources[r->source]);
  thud_report_number(report, "retraction", isfinite(r->high) ? r->high : NAN);
  thud_report_number(report, "retraction_low", r->low);
  thud_report_number(report, "mesh_retraction", isfinite(r->mesh) ? r->mesh : NAN);
  thud_report_number(report, "error_bound", bound);
  switch (r->source) {
  case RETRACTION_ENCLOSED:
    thud_report_line(report, "retraction", "%.6g to %.6g (enclosed), at most %.4g in an interval of the partition",
                     r->low, r->high, r->mesh);
    thud_report_line(report, "bound", "%.4g (guaranteed: 2 sqrt(mu ret), mu the retraction in an interval)", bound);
    break;
  case RETRACTION_ESTIMATED:
    thud_report_line(report, "retraction", "about %.4g (an estimate from samples; this set is not enclosed)", r->high);
    thud_report_line(report, "bound", "none is guaranteed; 2 sqrt(mu ret) is about %.4g", sweeping_retraction_bound(r));
    break;
  case RETRACTION_UNBOUNDED:
    thud_report_line(report, "retraction", "no bound (at least %.4g)", r->low);
    thud_report_line(report, "bound", "no bound");
    break;
  }
}

static void write_figures(const sweeping *made, const thud_sweep_motion_info *info, thud_report *report) {
  bool thinned = report->for_record && made->built.scene->record_every > 0; /* the record lacks steps */
  thud_report_number(report, "variation", info->variation);
  if (!thinned) {
    thud_report_integer(report, "steps", (int64_t)info->steps);
    thud_report_integer(report, "projections", (int64_t)info->projections);
    thud_report_number(report, "residual", info->projections > 0 ? info->worst_residual : NAN);
    thud_report_number(report, "residual_time", info->worst_residual_time);
  }
  thud_report_number(report, "gap", info->worst_gap);
  /* the first projection shows it; a regularised motion makes none */
  if (!report->for_record || made->built.method != THUD_SWEEP_REGULARISED)
    thud_report_number(report, "initial_distance",
                       made->built.has_feedback ? info->initial_distance : made->built.initial_distance);
  if (made->built.has_feedback) thud_report_number(report, "contraction", info->contraction);
  if (!report->for_record) write_refinements(conclusions_of(made), report); /* of other motions */
}

static void warn_coarse(const sweeping *made, const thud_sweep_motion_info *info, thud_report *report) {
  char text[256];
  if (is_coarse(made))
    thud_report_warning(report, info->time, coarse,
                        "the estimated error %.3g is %.3g %% of the way that u goes (%.3g); take more steps",
                        conclusions_of(made)->error_estimate, 100 * conclusions_of(made)->error_estimate / info->extent,
                        info->extent);
  int approach = refinements_approach(made, text, sizeof text);
  if (approach <= 0)
    thud_report_warning(report, info->time, "no-limit",
                        "%s on halved partitions %s approach each other: their differences are %s", "motions",
                        approach < 0 ? "do not" : "cannot be said to", text);
}

static void report(const void *motion, thud_report *report) {
  const sweeping *made = motion;
  const thud_sweep_motion_info now = thud_sweep_motion_get_info(made->object.motion), *info = &now;
  const sweeping_conclusions *conclusions = conclusions_of(made);
  const sweeping_scene *built = &made->built;
  const thud_scene *scene = built->scene;
  bool regularised = built->method == THUD_SWEEP_REGULARISED;
  thud_report_method(report, "%zu steps", info->steps);
  write_figures(made, info, report);
  thud_report_line(report, "variation", "%.10g", info->variation);
  thud_report_line(report, regularised ? "distance" : "residual", "%.3g%s (worst, at t = %.6g)", info->worst_residual,
                   regularised ? " from the set" : "", info->worst_residual_time);
  if (info->worst_gap > 0)
    thud_report_line(report, "gap", "%.3g (certified bound on the error of an iterative projection)", info->worst_gap);
  if (built->has_feedback)
    thud_report_line(report, "contraction", "%.6g (largest ratio of successive differences of iterates, at t = %.6g)",
                     info->contraction, info->contraction_time);
  if (conclusions->refinement_count > 0)
    thud_report_line(report, "error", "about %.3g (sup norm, by nested refinement)", conclusions->error_estimate);
  report_bound(conclusions, report);
  if (conclusions->judged)
    thud_limit_report(report, "levels", built->levels, conclusions->levels, &conclusions->judgement);
  if (made->found.jump_times > 0) thud_report_line(report, "jumps", "at %zu times", made->found.jump_times);
  if (starts_outside(built))
    thud_report_warning(report, scene->start, "initial-outside",
                        "the initial state lies %.6g outside the set and was projected onto it",
                        built->initial_distance);
  if (info->loose_projections > 0)
    thud_report_warning(report, NAN, "loose-projection",
                        "%zu iterative projections met their limit and are only known to their gap, %.3g at worst",
                        info->loose_projections, info->worst_gap);
  if (!(info->contraction < 1) && info->status != THUD_MOTION_NOT_CONVERGED)
    thud_report_warning(
        report, info->contraction_time, "no-contraction",
        "iterates of a step went apart by the factor %.6g before they came together: the step may have several "
        "solutions",
        info->contraction);
  warn_coarse(made, info, report);
  if (conclusions->judged) thud_limit_warn(report, info->time, &conclusions->judgement);
  if (conclusions->no_estimate[0] != '\0')
    thud_report_warning(report, scene->end, "no-estimate", "%s", conclusions->no_estimate);
}

/* ---- checking ---------------------------------------------------------------------------------------------------- */

static const char *exactness_name(thud_exactness exactness) {
  switch (exactness) {
  case THUD_EXACT: return "exact";
  case THUD_ITERATIVE: return "iterative";
  case THUD_UNAVAILABLE: break;
  }
  return "unavailable";
}

static thud_exactness projection_kind(const sweeping_scene *built) {
  thud_set_abilities abilities = thud_set_get_abilities(built->set);
  if (built->metric == NULL) return abilities.projection;
  return thud_metric_is_diagonal(built->metric) ? abilities.projection_diagonal : abilities.projection_metric;
}

static void report_jumps(const sweeping_scene *built, thud_report *report) {
  enum { SHOWN = 8 };
  char text[256] = "";
  size_t used = 0, count = built->numbers.jumps.count;
  for (size_t k = 0; k < count && k < SHOWN && used < sizeof text; k++)
    used += (size_t)snprintf(text + used, sizeof text - used, " %g", built->numbers.jumps.items[k]);
  if (count > 0) thud_report_line(report, "jumps", "%zu:%s%s", count, text, count > SHOWN ? " ..." : "");
  thud_json_key(report->json, "jumps");
  thud_json_begin_flat_array(report->json);
  for (size_t k = 0; k < count; k++) thud_json_number(report->json, built->numbers.jumps.items[k]);
  thud_json_end_array(report->json);
}

static thud_error check(const void *motion, thud_report *report) {
  const sweeping_scene *built = &((const sweeping *)motion)->built;
  const thud_scene *scene = built->scene;
  const char *projection = exactness_name(projection_kind(built)), *set = thud_set_kind(built->set);
  thud_report_line(report, "kind", "sweeping process, dimension %d", (int)scene->dimension);
  thud_report_string(report, "set", set);
  thud_report_string(report, "projection", projection);
  thud_report_flag(report, "moves", built->numbers.moves);
  thud_report_flag(report, "follows_state", built->set_follows);
  thud_report_line(report, "set", "%s, %s, %s projection%s", set,
                   built->set_follows     ? "depending on the state"
                   : built->numbers.moves ? "moving"
                                          : "at rest",
                   projection, built->perturbation != NULL ? "; perturbed" : "");
  thud_report_line(report, "run", "%s, %d steps, t = %g to %g", method(motion), (int)scene->steps, scene->start,
                   scene->end);
  report_jumps(built, report);
  thud_report_number(report, "initial_distance", built->initial_distance);
  if (starts_outside(built))
    thud_report_warning(report, scene->start, "initial-outside",
                        "the initial state lies %.6g outside the set; the run will project it",
                        built->initial_distance);
  return THUD_OK;
}

static thud_error draw(const void *motion, thud_moment *moment, thud_drawing *drawing) {
  return thud_view_sweeping(&((const sweeping *)motion)->built, moment, drawing);
}

static const thud_kind_keys options[] = {{.place = "simulate", .table = thud_scene_sweeping_option_table},
                                         {.place = "simulate", .table = thud_sweep_option_table},
                                         {.place = "simulate", .table = thud_scene_classify_option_table},
                                         {.place = NULL}};

static bool takes_findings(const void *motion, const void *given) {
  sweeping_findings found;
  (void)motion;
  memcpy(&found, given, sizeof found);
  return THUD_STATE_FLAG(found.concluded);
}

const thud_kind thud_kind_sweeping = {.name = "sweeping",
                                      .takes_findings = takes_findings,
                                      .section = "sweeping",
                                      .draws_set = true,
                                      .options = options,
                                      .resolve = thud_sweeping_scene_resolve,
                                      .build = build,
                                      .build_view = build_view,
                                      .destroy = destroy,
                                      .method = method,
                                      .layout = layout,
                                      .advance = advance,
                                      .finish = finish,
                                      .report = report,
                                      .check = check,
                                      .conclude = conclude,
                                      .draw = draw,
                                      .judge = judge};

const sweeping_scene *thud_sweeping_scene_of(const thud_scene *scene) {
  return scene->kind == &thud_kind_sweeping ? &((const sweeping *)scene->motion)->built : NULL;
}
