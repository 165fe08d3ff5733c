/* Sweeping processes as a kind of motion. */
#include "kinds/kinds.h"
#include "run/run.h"
#include "run/view.h"
#include "scene/resolve.h"
#include "kinds/system/system_retraction.h"
#include "scene/options.h"

#include <math.h>
#include <string.h>

enum { MOST_REFINEMENTS = 12 };
/* A run whose error is more than this part of the way that u goes is coarse. */
static const double coarse_above = 0.1;
static const char coarse[] = "coarse";

/* What is counted while events go by; part of the state. */
typedef struct jump_counters {
  size_t times; /* different ones among the jumps */
  double last;
} jump_counters;

/* What belongs to the state beside the process itself. */
typedef struct sweeping_findings {
  thud_sweep_info info;
  jump_counters jumps;
} sweeping_findings;

typedef struct sweeping {
  thud_scene *scene;
  thud_partition *partition;
  thud_sweep_problem problem;
  thud_sweep *sweep;
  thud_rows *rows;
  const thud_row_sink *sink; /* of the advance in progress */
  sweeping_findings found;
  /* conclusions: */
  int refinement_count;
  thud_sweep_refinement refinements[MOST_REFINEMENTS];
  double error_estimate;  /* NaN when not made */
  char no_estimate[1024]; /* why the error could not be estimated, "" when it was or was not asked for */
  bool retracted, judged;
  scene_retraction retraction; /* of catching-up */
  thud_limit_level levels[SCENE_MOST_LEVELS];
  thud_limit_judgement judgement;
} sweeping;

static void destroy(void *motion) {
  sweeping *made = motion;
  thud_sweep_destroy(made->sweep);
  thud_partition_destroy(made->partition);
  thud_rows_destroy(made->rows);
  thud_free(made->scene->context, made);
}

static thud_error start(sweeping *made) {
  thud_scene *scene = made->scene;
  thud_row_names names = {.coordinates = (const char *const *)scene->coordinates,
                          .unit = thud_scene_common_unit(scene),
                          .time_unit = scene->time_unit};
  thud_error error = thud_partition_uniform(scene->context, scene->start, scene->end, scene->steps, scene->jumps.count,
                                            scene->jumps.items, &made->partition);
  made->problem =
      (thud_sweep_problem){.set = thud_scene_moving_set(scene), .metric = scene->metric, .initial = scene->initial};
  if (error == THUD_OK)
    error =
        thud_sweep_create(scene->context, scene->method, &made->problem, made->partition, &scene->sweep, &made->sweep);
  return error == THUD_OK
             ? thud_rows_create_sweeping(scene->context, scene->dimension, scene->sweep.tolerance, &names, &made->rows)
             : error;
}

static thud_error build(thud_scene *scene, const thud_node *root, void **motion) {
  thud_error error = thud_scene_build_sweeping(scene, root);
  sweeping *made = error == THUD_OK ? THUD_NEW(scene->context, sweeping) : NULL;
  if (made == NULL) return error == THUD_OK ? THUD_ERROR_MEMORY : error;
  made->scene = scene;
  made->found.jumps.last = NAN;
  made->error_estimate = NAN;
  error = start(made);
  if (error == THUD_OK)
    *motion = made;
  else
    destroy(made);
  return error;
}

static const char *method(const void *motion) {
  return ((const sweeping *)motion)->scene->method == THUD_SWEEP_REGULARISED ? "regularised" : "catching-up";
}

static const thud_record_layout *layout(const void *motion) {
  return thud_rows_layout(((const sweeping *)motion)->rows);
}

/* ---- going on ---------------------------------------------------------------------------------------------------- */

static int on_frame(void *user, double t, unsigned flags, const thud_record_cell *cells) {
  const sweeping *made = user;
  return made->sink->frame(made->sink->user, t, flags, cells);
}

static int on_event(void *user, double t, const thud_record_cell *cells) {
  sweeping *made = user;
  made->found.jumps.times += t != made->found.jumps.last;
  made->found.jumps.last = t;
  return made->sink->event(made->sink->user, t, cells);
}

static void send_to(sweeping *made, const thud_row_sink *sink) {
  made->sink = sink;
  thud_rows_set_sink(made->rows, (thud_row_sink){.frame = on_frame, .event = on_event, .user = made});
}

static const char *status_text(thud_motion_status status) {
  switch (status) {
  case THUD_MOTION_NOT_CONVERGED: return "not converged";
  case THUD_MOTION_EMPTY_SET: return "the set is empty";
  case THUD_MOTION_BAD_DATA: return "bad data";
  default: return NULL;
  }
}

static thud_error advance(void *motion, const thud_row_sink *sink, thud_reached *reached) {
  sweeping *made = motion;
  const thud_sink inner = {.frame = thud_rows_sweep, .user = made->rows};
  send_to(made, sink);
  thud_error error = thud_sweep_step(made->sweep, &inner, &made->found.info);
  if (error != THUD_OK) return error;
  thud_motion_status status = made->found.info.status;
  *reached = (thud_reached){.status = status == THUD_MOTION_RUNNING     ? THUD_MOTION_RUNNING
                                      : status == THUD_MOTION_COMPLETED ? THUD_MOTION_COMPLETED
                                                                        : THUD_MOTION_FAILED,
                            .t = made->found.info.time,
                            .what = status_text(status)};
  return THUD_OK;
}

static thud_error finish(void *motion, const thud_row_sink *sink) {
  sweeping *made = motion;
  send_to(made, sink);
  return thud_rows_end_sweep(made->rows) < 0 ? THUD_ERROR_CALLBACK : THUD_OK;
}

/* ---- the error estimate ------------------------------------------------------------------------------------------ */

static int on_watch(void *user, const thud_frame *frame) {
  const thud_run_watch *watch = user;
  (void)frame;
  return watch->ask(watch->user);
}

static thud_error estimate_error(sweeping *made, const thud_sink *sink) {
  const thud_scene *scene = made->scene;
  if (scene->refinements == 0) return THUD_OK;
  thud_error error = thud_sweep_refine(scene->context, scene->method, &made->problem, made->partition, &scene->sweep,
                                       scene->refinements, sink, made->refinements, &made->error_estimate);
  if (error == THUD_OK) made->refinement_count = scene->refinements;
  if (error != THUD_ERROR_NOT_CONVERGED) return error;
  /* the motion itself is certified; only the estimate is missing */
  snprintf(made->no_estimate, sizeof made->no_estimate, "no error estimate: on a finer partition, %s",
           thud_context_last_message(scene->context));
  return THUD_OK;
}

static thud_error bound_error(sweeping *made) {
  if (made->scene->method != THUD_SWEEP_CATCHING_UP) return THUD_OK;
  thud_error error = thud_scene_retract(made->scene, made->partition, &made->retraction);
  made->retracted = error == THUD_OK;
  /* u moves by the excess of its set at most: its variation is a bound from below */
  double moved = made->found.info.variation - made->found.info.initial_distance;
  scene_retraction *r = &made->retraction;
  if (r->source == SCENE_RETRACTION_ESTIMATED) {
    r->high = fmax(r->high, moved);
    r->mesh = fmax(r->mesh, made->found.info.largest_move);
  }
  r->low = fmin(fmax(r->low, moved), r->high);
  return error;
}

static thud_error classify(sweeping *made, const thud_sink *sink) {
  const thud_scene *scene = made->scene;
  if (scene->levels == 0) return THUD_OK;
  thud_error error = thud_sweep_classify(scene->context, scene->method, &made->problem, made->partition, &scene->sweep,
                                         scene->levels, sink, made->levels, &made->judgement);
  made->judged = error == THUD_OK;
  return error;
}

static thud_error conclude(void *motion, const thud_run_watch *watch, bool *stopped) {
  sweeping *made = motion;
  thud_run_watch asked = *watch;
  const thud_sink sink = {.frame = on_watch, .user = &asked};
  thud_error error = estimate_error(made, &sink);
  if (error == THUD_OK) error = bound_error(made);
  if (error == THUD_OK) error = classify(made, &sink);
  *stopped = error == THUD_ERROR_INTERRUPTED;
  return *stopped ? THUD_OK : error;
}

/* ---- what a motion is worth -------------------------------------------------------------------------------------- */

/* Do the differences of the refinements tend to 0? 1 yes, -1 no, 0 not decided or too few of them. */
static int refinements_approach(const sweeping *made, char *text, size_t capacity) {
  double figures[MOST_REFINEMENTS], size = made->found.info.extent;
  int count = made->refinement_count;
  if (count < THUD_LIMIT_LEAST_LEVELS) return 1;
  for (int k = 0; k < count; k++) figures[k] = made->refinements[k].difference;
  thud_limit_write_figures(count, figures, text, capacity);
  /* differences that are small beside the motion need not fall any more: they may be those of the projections */
  if (!(figures[count - 1] > 1e-3 * size)) return 1;
  return thud_limit_tends_to_zero(thud_limit_fit(count, figures, 0));
}

static bool is_coarse(const sweeping *made) {
  return made->refinement_count > 0 && made->error_estimate > coarse_above * made->found.info.extent;
}

static void judge(const void *motion, thud_reached *reached) {
  const sweeping *made = motion;
  char text[256];
  int approach = refinements_approach(made, text, sizeof text);
  if (is_coarse(made) || approach == 0) reached->verdict = coarse;
  if (approach < 0) {
    thud_fail(made->scene->context, THUD_ERROR_NOT_CONVERGED,
              "t = %.10g: motions on halved partitions do not approach each other, their differences are %s",
              reached->t, text);
    reached->status = THUD_MOTION_FAILED;
    reached->what = "no limit";
  }
  if (made->judged)
    thud_limit_reached(made->scene->context, made->scene->levels, made->levels, &made->judgement, reached);
  if (reached->status == THUD_MOTION_FAILED) reached->verdict = NULL;
}

/* ---- checkpoints ------------------------------------------------------------------------------------------------- */

static kind_state state_of(const sweeping *made) {
  return (kind_state){.context = made->scene->context,
                      .motion_size = thud_sweep_state_size(made->sweep),
                      .rows = made->rows,
                      .found_size = sizeof made->found};
}

static size_t state_size(const void *motion) { return thud_kind_state_size(state_of(motion)); }

static void save(const void *motion, void *state) {
  const sweeping *made = motion;
  thud_sweep_save(made->sweep, state);
  thud_kind_state_save(state_of(made), &made->found, state);
}

static thud_error restore(void *motion, const void *state, size_t size) {
  sweeping *made = motion;
  kind_state parts = state_of(made);
  thud_error error = thud_kind_state_check(parts, size);
  if (error == THUD_OK) error = thud_sweep_restore(made->sweep, state, parts.motion_size);
  if (error != THUD_OK) return error;
  thud_kind_state_restore(parts, state, &made->found);
  made->refinement_count = 0;
  made->error_estimate = NAN;
  made->no_estimate[0] = '\0';
  made->retracted = made->judged = false;
  return THUD_OK;
}

/* ---- reporting --------------------------------------------------------------------------------------------------- */

static bool starts_outside(const thud_scene *scene) { return scene->initial_distance > scene->sweep.tolerance; }

static void write_refinements(const sweeping *made, thud_report *report) {
  static const char *const names[] = {"intervals", "difference", "order"};
  enum { KEYS = sizeof names / sizeof *names };
  double values[KEYS * MOST_REFINEMENTS];
  for (size_t k = 0; k < (size_t)made->refinement_count; k++) {
    values[KEYS * k] = (double)made->refinements[k].intervals;
    values[KEYS * k + 1] = made->refinements[k].difference;
    values[KEYS * k + 2] = made->refinements[k].order;
  }
  thud_report_of_run_alone(report, true); /* of other motions */
  thud_report_number(report, "error_estimate", made->error_estimate);
  thud_report_list(report, "refinement", KEYS, names, (size_t)made->refinement_count, values);
  thud_report_of_run_alone(report, false);
}

static const char *const sources[] = {"enclosure", "samples", "none"};

/* Retraction and what it bounds: numbers where they are finite. */
static void report_bound(const sweeping *made, thud_report *report) {
  const scene_retraction *r = &made->retraction;
  double bound = r->source == SCENE_RETRACTION_ENCLOSED ? scene_retraction_bound(r) : NAN;
  if (!made->retracted) return;
  thud_report_string(report, "retraction_by", sources[r->source]);
  thud_report_number(report, "retraction", isfinite(r->high) ? r->high : NAN);
  thud_report_number(report, "retraction_low", r->low);
  thud_report_number(report, "mesh_retraction", isfinite(r->mesh) ? r->mesh : NAN);
  thud_report_number(report, "error_bound", bound);
  switch (r->source) {
  case SCENE_RETRACTION_ENCLOSED:
    thud_report_line(report, "retraction", "%.6g to %.6g (enclosed), at most %.4g in an interval of the partition",
                     r->low, r->high, r->mesh);
    thud_report_line(report, "bound", "%.4g (guaranteed: 2 sqrt(mu ret), mu the retraction in an interval)", bound);
    break;
  case SCENE_RETRACTION_ESTIMATED:
    thud_report_line(report, "retraction", "about %.4g (an estimate from samples; this set is not enclosed)", r->high);
    thud_report_line(report, "bound", "none is guaranteed; 2 sqrt(mu ret) is about %.4g", scene_retraction_bound(r));
    break;
  case SCENE_RETRACTION_UNBOUNDED:
    thud_report_line(report, "retraction", "no bound (at least %.4g)", r->low);
    thud_report_line(report, "bound", "no bound");
    break;
  }
}

static void write_figures(const sweeping *made, thud_report *report) {
  const thud_sweep_info *info = &made->found.info;
  thud_report_number(report, "variation", info->variation);
  thud_report_of_run_alone(report, made->scene->record_every > 0); /* of steps that are not in the record */
  thud_report_integer(report, "steps", (int64_t)info->steps);
  thud_report_integer(report, "projections", (int64_t)info->projections);
  thud_report_number(report, "residual", info->projections > 0 ? info->worst_residual : NAN);
  thud_report_number(report, "residual_time", info->worst_residual_time);
  thud_report_of_run_alone(report, false);
  thud_report_number(report, "gap", info->worst_gap);
  /* the first projection shows it; a regularised motion makes none */
  thud_report_of_run_alone(report, made->scene->method == THUD_SWEEP_REGULARISED);
  thud_report_number(report, "initial_distance", made->scene->initial_distance);
  thud_report_of_run_alone(report, false);
  write_refinements(made, report);
}

static void warn_coarse(const sweeping *made, thud_report *report) {
  const thud_sweep_info *info = &made->found.info;
  char text[256];
  if (is_coarse(made))
    thud_report_warning(report, info->time, coarse,
                        "the estimated error %.3g is %.3g %% of the way that u goes (%.3g); take more steps",
                        made->error_estimate, 100 * made->error_estimate / info->extent, info->extent);
  int approach = refinements_approach(made, text, sizeof text);
  if (approach <= 0)
    thud_report_warning(report, info->time, "no-limit",
                        "%s on halved partitions %s approach each other: their differences are %s", "motions",
                        approach < 0 ? "do not" : "cannot be said to", text);
}

static void report(const void *motion, thud_report *report) {
  const sweeping *made = motion;
  const thud_sweep_info *info = &made->found.info;
  const thud_scene *scene = made->scene;
  bool regularised = scene->method == THUD_SWEEP_REGULARISED;
  thud_report_method(report, "%zu steps", info->steps);
  write_figures(made, report);
  thud_report_line(report, "variation", "%.10g", info->variation);
  thud_report_line(report, regularised ? "distance" : "residual", "%.3g%s (worst, at t = %.6g)", info->worst_residual,
                   regularised ? " from the set" : "", info->worst_residual_time);
  if (info->worst_gap > 0)
    thud_report_line(report, "gap", "%.3g (certified bound on the error of an iterative projection)", info->worst_gap);
  if (made->refinement_count > 0)
    thud_report_line(report, "error", "about %.3g (sup norm, by nested refinement)", made->error_estimate);
  report_bound(made, report);
  if (made->judged) thud_limit_report(report, "levels", scene->levels, made->levels, &made->judgement);
  if (made->found.jumps.times > 0) thud_report_line(report, "jumps", "at %zu times", made->found.jumps.times);
  if (starts_outside(scene))
    thud_report_warning(report, scene->start, "initial-outside",
                        "the initial state lies %.6g outside the set and was projected onto it",
                        scene->initial_distance);
  if (info->loose_projections > 0)
    thud_report_warning(report, NAN, "loose-projection",
                        "%zu iterative projections met their limit and are only known to their gap, %.3g at worst",
                        info->loose_projections, info->worst_gap);
  warn_coarse(made, report);
  if (made->judged) thud_limit_warn(report, info->time, &made->judgement);
  if (made->no_estimate[0] != '\0') thud_report_warning(report, scene->end, "no-estimate", "%s", made->no_estimate);
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

static thud_exactness projection_kind(const thud_scene *scene) {
  thud_set_abilities abilities = thud_set_get_abilities(scene->set);
  if (scene->metric == NULL) return abilities.projection;
  return thud_metric_is_diagonal(scene->metric) ? abilities.projection_diagonal : abilities.projection_metric;
}

static void report_jumps(const thud_scene *scene, thud_report *report) {
  enum { SHOWN = 8 };
  char text[256] = "";
  size_t used = 0, count = scene->jumps.count;
  for (size_t k = 0; k < count && k < SHOWN && used < sizeof text; k++)
    used += (size_t)snprintf(text + used, sizeof text - used, " %g", scene->jumps.items[k]);
  if (count > 0) thud_report_line(report, "jumps", "%zu:%s%s", count, text, count > SHOWN ? " ..." : "");
  thud_json_key(report->json, "jumps");
  thud_json_begin_flat_array(report->json);
  for (size_t k = 0; k < count; k++) thud_json_number(report->json, scene->jumps.items[k]);
  thud_json_end_array(report->json);
}

static thud_error check(const void *motion, thud_report *report) {
  const thud_scene *scene = ((const sweeping *)motion)->scene;
  const char *projection = exactness_name(projection_kind(scene)), *set = thud_set_kind(scene->set);
  thud_report_line(report, "kind", "sweeping process, dimension %d", (int)scene->dimension);
  thud_report_string(report, "set", set);
  thud_report_string(report, "projection", projection);
  thud_report_flag(report, "moves", scene->moves);
  thud_report_line(report, "set", "%s, %s, %s projection", set, scene->moves ? "moving" : "at rest", projection);
  thud_report_line(report, "run", "%s, %d steps, t = %g to %g", method(motion), (int)scene->steps, scene->start,
                   scene->end);
  report_jumps(scene, report);
  thud_report_number(report, "initial_distance", scene->initial_distance);
  if (starts_outside(scene))
    thud_report_warning(report, scene->start, "initial-outside",
                        "the initial state lies %.6g outside the set; the run will project it",
                        scene->initial_distance);
  return THUD_OK;
}

static thud_error draw(const void *motion, thud_moment *moment, thud_drawing *drawing) {
  return thud_view_sweeping(((const sweeping *)motion)->scene, moment, drawing);
}

static const thud_kind_keys options[] = {{.place = "simulate", .table = thud_scene_sweeping_option_table},
                                         {.place = "simulate", .table = thud_sweep_option_table},
                                         {.place = "simulate", .table = thud_scene_classify_option_table},
                                         {.place = NULL}};

const thud_kind thud_kind_sweeping = {.name = "sweeping",
                                      .section = "sweeping",
                                      .options = options,
                                      .resolve = thud_resolve_sweeping,
                                      .build = build,
                                      .destroy = destroy,
                                      .method = method,
                                      .layout = layout,
                                      .advance = advance,
                                      .finish = finish,
                                      .state_size = state_size,
                                      .save = save,
                                      .restore = restore,
                                      .report = report,
                                      .check = check,
                                      .conclude = conclude,
                                      .draw = draw,
                                      .judge = judge};
