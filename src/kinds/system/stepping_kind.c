/* Lagrangian systems by time stepping, as a kind of motion. */
#include "kinds/kinds.h"
#include "motions/motion.h"
#include "run/run.h"
#include "scene/resolve.h"
#include "kinds/system/system_scales.h"
#include "kinds/system/system_scene.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef struct stepping {
  system_motion base;
  thud_stepping_quality quality; /* of a motion that has arrived; part of the state */
  bool arrived;                  /* by `until`, before its end */
} stepping;

static thud_error begin(system_motion *made) {
  const scene_system *system = thud_scene_lagrangian(made->scene);
  thud_stepping_options options = system->motion;
  options.keep_posed = system->functions;
  return thud_stepping_motion_create(made->scene->context, system->system, &options, system->q0, system->v0,
                                     &made->object.motion);
}

static const system_family family = {.size = sizeof(stepping),
                                     .found = offsetof(stepping, quality),
                                     .found_size = sizeof(((stepping *)0)->quality),
                                     .begin = begin,
                                     .make_rows = thud_rows_create_stepping};

static thud_error build(thud_scene *scene, const thud_node *root, void **motion) {
  return thud_system_build(&family, scene, root, true, motion);
}

static thud_error build_view(thud_scene *scene, const thud_node *root, void **motion) {
  return thud_system_build(&family, scene, root, false, motion);
}

static const char *method(const void *motion) {
  const stepping *made = motion;
  return thud_stepping_method_name((thud_stepping_method)thud_scene_lagrangian(made->base.scene)->motion.method);
}

/* ---- what a motion is worth ---------------------------------------------------------------------------------------- */

static const char coarse[] = "coarse";

static double worse_part(const thud_stepping_quality *quality) { return fmax(quality->violation, quality->defect); }

/* 0.0234 -> 0.02: one digit, downwards. */
static double round_down(double x) {
  double unit = pow(10, floor(log10(x)));
  return floor(x / unit) * unit;
}

/* What to do about it: "take steps of 0.002 (steps: 5000)". */
static void advise(const stepping *made, char *text, size_t capacity) {
  const scene_system *system = thud_scene_lagrangian(made->base.scene);
  const thud_stepping_options *options = &system->motion;
  const thud_stepping_quality *quality = &made->quality;
  const char *hope = worse_part(quality) > options->failed_above ? "may do" : "would do";
  double length = options->end - options->start;
  if (quality->carries_open && quality->violation >= quality->defect)
    snprintf(text, capacity, "set simulate: {gap_tolerance: ...} to 0 or to much less than the size of the motion");
  else if (options->steps > 0) {
    double step = round_down(length / options->steps * quality->shorten), count = ceil(length / step * (1 - 1e-12));
    snprintf(text, capacity, "a step of %.1g %s (simulate: {steps: %.0f})", step, hope, count);
  } else
    snprintf(text, capacity, "a tolerance of %.1g %s", round_down(options->tolerance * quality->shorten), hope);
}

/* Violation and defect in words, whichever is worse in front. */
static void describe(const stepping *made, char *text, size_t capacity) {
  const thud_stepping_quality *quality = &made->quality;
  char advice[160];
  advise(made, advice, sizeof advice);
  if (quality->violation >= quality->defect)
    snprintf(text, capacity, "constraint '%s' %s %.3g, %.3g %% of the size of the motion; %s",
             thud_system_constraint_name(thud_scene_lagrangian(made->base.scene)->system, quality->constraint),
             quality->carries_open ? "carries at a gap of" : "is violated by", quality->gap, 100 * quality->violation,
             advice);
  else
    snprintf(text, capacity, "the discretisation adds or takes %.3g J, %.3g %% of the energy exchanged; %s",
             quality->energy, 100 * quality->defect, advice);
}

/* Of a motion that has arrived: good, coarse or failed. */
static thud_error judge(stepping *made, thud_reached *reached) {
  const thud_stepping_options *options = &thud_scene_lagrangian(made->base.scene)->motion;
  thud_error error = thud_stepping_motion_judge(made->base.object.motion, options->coarse_above, &made->quality);
  if (error != THUD_OK) return error;
  double part = worse_part(&made->quality);
  if (part > options->coarse_above) reached->verdict = coarse;
  if (!(part > options->failed_above)) return THUD_OK;
  char text[512];
  describe(made, text, sizeof text);
  thud_fail(made->base.scene->context, THUD_ERROR_NOT_CONVERGED, "%s", text);
  reached->status = THUD_MOTION_FAILED;
  reached->what = "not a motion";
  reached->verdict = NULL;
  return THUD_OK;
}

static void warn_coarse(const stepping *made, double end, thud_report *report) {
  char text[512];
  const thud_stepping_options *options = &thud_scene_lagrangian(made->base.scene)->motion;
  double part = worse_part(&made->quality);
  if (!(part > options->coarse_above) || part > options->failed_above)
    return; /* the latter: the reason of the verdict */
  describe(made, text, sizeof text);
  thud_report_warning(report, end, coarse, "%s", text);
}

static void warn_creep(const stepping *made, double end, thud_report *report) {
  const thud_stepping_quality *quality = &made->quality;
  if (!(quality->creep_speed > 0)) return;
  thud_report_warning(report, end, "creep",
                      "constraint '%s' rests with restitution: moreau gives it to the forces of each step, too, and "
                      "throws it up with up to %.3g for %.3g in all, so that what sticks creeps; moreau-jean does not",
                      thud_system_constraint_name(thud_scene_lagrangian(made->base.scene)->system, quality->creep),
                      quality->creep_speed, quality->creep_time);
}

static thud_error advance(void *motion, const thud_row_sink *sink, thud_reached *reached) {
  stepping *made = motion;
  const thud_motion_sink nodes = {.frame = thud_rows_step, .user = made->base.object.rows};
  thud_rows_set_sink(made->base.object.rows, *sink);
  thud_error error = thud_motion_step(made->base.object.motion, &nodes, reached);
  return error == THUD_OK && reached->status == THUD_MOTION_COMPLETED ? judge(made, reached) : error;
}

static thud_error arrive(void *motion, thud_reached *reached) {
  stepping *made = motion;
  made->arrived = true;
  return judge(made, reached);
}

static thud_error finish(void *motion, const thud_row_sink *sink) {
  stepping *made = motion;
  thud_stepping_frame present = thud_stepping_motion_present(made->base.object.motion);
  thud_rows_set_sink(made->base.object.rows, *sink);
  return thud_rows_end_step(made->base.object.rows, &present) < 0 ? THUD_ERROR_CALLBACK : THUD_OK;
}

/* ---- reporting --------------------------------------------------------------------------------------------------- */

/* A record holds only figures that its reader can check: those of steps that it does not have stay with the run. */
static void write_figures(const stepping *made, const thud_stepping_motion_info *info, thud_report *report) {
  const scene_system *system = thud_scene_lagrangian(made->base.scene);
  bool controlled = report->for_record && system->motion.tolerance > 0;
  bool thinned = report->for_record && made->base.scene->record_every > 0,
       completed = info->status == THUD_MOTION_COMPLETED;
  if (!thinned) thud_report_integer(report, "steps", (int64_t)info->steps);
  if (!controlled) thud_report_integer(report, "rejected_steps", (int64_t)info->rejected_steps);
  if (!thinned)
    thud_report_integer(report, "data_jumps", (int64_t)(info->jumps + thud_scene_switched(made->base.scene)));
  if (!controlled && !thinned) {
    thud_report_number(report, "residual", info->worst_residual);
    thud_report_number(report, "residual_time", info->worst_residual_time);
    thud_report_number(report, "penetration", -info->worst_gap);
    thud_report_number(report, "penetration_time", info->worst_gap_time);
    thud_report_string(report, "penetration_constraint",
                       thud_system_constraint_name(system->system, info->worst_gap_constraint));
    if (completed) thud_report_number(report, "defect_part", made->quality.defect);
    if (info->contraction > 0 && !report->for_record) thud_report_number(report, "contraction", info->contraction);
  }
  if (completed && !report->for_record) thud_report_number(report, "violation_part", made->quality.violation);
}

/* Thresholds that reactions give. */
static void report_contraction(thud_report *report, const thud_stepping_motion_info *info) {
  if (!(info->contraction > 0)) return;
  thud_report_line(report, "thresholds", "follow reactions, contraction %.3g (worst)", info->contraction);
  if (info->contraction < 1) return;
  thud_report_warning(
      report, info->time, "threshold-not-contracting",
      "friction changes the reactions that give its threshold so much that it changes %.3g times as much "
      "as itself: from 1 on there may be several answers, or none; the steps are solutions all the same",
      info->contraction);
}

static void report(const void *motion, thud_report *report) {
  const stepping *made = motion;
  const thud_stepping_motion_info found = thud_stepping_motion_get_info(made->base.object.motion), *info = &found;
  const thud_system *system = thud_scene_lagrangian(made->base.scene)->system;
  const char *worst = thud_system_constraint_name(system, info->worst_gap_constraint);
  thud_stepping_frame last = thud_stepping_motion_present(made->base.object.motion);
  bool contacts = thud_system_constraint_count(system) > 0;
  thud_report_method(report, "%zu step%s", info->steps, thud_plural(info->steps));
  write_figures(made, info, report);
  if (info->jumps > 0)
    thud_report_line(report, "data", "jump at %zu node%s, where steps end", (size_t)info->jumps,
                     thud_plural((size_t)info->jumps));
  if (contacts) thud_report_line(report, "impacts", "%zu", info->impacts);
  thud_system_report_loads(report, system);
  thud_system_report_step(made->base.scene, report);
  thud_system_report_energy(report, &last.ledger);
  if (contacts)
    thud_report_line(report, "residual", "%.3g (worst, at t = %.6g)", info->worst_residual, info->worst_residual_time);
  if (worst != NULL)
    thud_report_line(report, "violation", "%.3g (worst, %s at t = %.6g)", -info->worst_gap, worst,
                     info->worst_gap_time);
  report_contraction(report, info);
  thud_system_warn_multiple(report, system, "multiple-impact", info->multiple_impacts, info->worst_cosine,
                            info->worst_cosine_time, info->cosine_first, info->cosine_second);
  thud_system_warn_accumulations(report, system, info->right_accumulations, info->right_accumulation_time,
                                 info->right_accumulation_constraint);
  thud_system_warn_reduced(report, info->time, "energy-gain-reduced", info->reduced_restitutions);
  thud_system_warn_unqualified(report, system, info->unqualified, info->unqualified_time);
  thud_system_warn_truncated(report, system, made->base.scene->start);
  thud_system_warn_friction(report, made->base.scene, &last.ledger);
  if (info->status != THUD_MOTION_COMPLETED && !made->arrived) return;
  warn_creep(made, info->time, report);
  warn_coarse(made, info->time, report);
}

static thud_error check(const void *motion, thud_report *report) {
  return thud_system_report_check(((const stepping *)motion)->base.scene, report, 0);
}

/* An event is an impact. */
static const thud_kind_contacts contacts = {.names = 1, .events = "constraints", .kinds = 1, .acting = "acting"};

static bool takes(const thud_node *root) { return !thud_scene_asks_for_events(root); }

/* Gaps and equations are differentiated in time by every method. */
static const char *const differentiated[] = {"constraints.gap", "constraints.phi", "constraints.equation"};

static bool takes_findings(const void *motion, const void *given) {
  const stepping *made = motion;
  thud_stepping_quality quality;
  memcpy(&quality, given, sizeof quality);
  thud_index m = thud_system_constraint_count(thud_scene_lagrangian(made->base.scene)->system);
  return thud_state_has_index(quality.constraint, m) && thud_state_has_index(quality.creep, m) &&
         THUD_STATE_FLAG(quality.carries_open);
}

const thud_kind thud_kind_stepping = {.name = "stepping",
                                      .takes_findings = takes_findings,
                                      .section = "system",
                                      .reads_definitions = true,
                                      .options = thud_system_keys,
                                      .takes = takes,
                                      .differentiated = differentiated,
                                      .differentiated_count = sizeof differentiated / sizeof *differentiated,
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
                                      .arrive = arrive};
