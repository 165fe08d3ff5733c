/* Warnings about steps that are given, and about units. */
#include "run/run_scales.h"

#include <math.h>

/* A step is idle when it is this part of the fastest scale. */
static const double IDLE_PART = 1e-6;

void thud_scales_report(const thud_scene *scene, const scene_scales *scales, thud_report *report) {
  if (scene->steps <= 0 || scene->chosen[0] != '\0') return;
  double step = scales->span / scene->steps, asked = thud_scales_step(scales);
  const char *unit = scene->time_unit != NULL ? scene->time_unit : "";
  if (scene->steps == 1)
    thud_report_warning(report, NAN, "one-step",
                        "the run from t = %g to %g is one step; a step of %g %s would suit it (%s)", scene->start,
                        scene->end, asked, unit, scales->asking.what);
  else if (step * scales->missed.parts > scales->missed.time)
    thud_report_warning(report, NAN, "step-coarse",
                        "the step of %.3g %s is long beside %s, %.3g %s; a step of %g %s would resolve it", step, unit,
                        scales->missed.what, scales->missed.time, unit, asked, unit);
  else if (step < IDLE_PART * fmin(scales->fastest, scales->span))
    thud_report_warning(
        report, NAN, "step-fine",
        "the step of %.3g %s is tiny beside every time of the scene, the shortest of which is %.3g %s; a "
        "step of %g %s would do",
        step, unit, fmin(scales->fastest, scales->span), unit, asked, unit);
}

void thud_scene_report_units(const thud_scene *scene, thud_report *report) {
  if (scene->suspect_gravity != 0)
    thud_report_warning(
        report, NAN, "gravity-units",
        "a parameter gives gravity as %g, and the units are %s: 9.81 belongs to m/s^2; convert it to the "
        "units of the scene",
        scene->suspect_gravity, scene->suspect_unit);
}
