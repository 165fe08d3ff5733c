/* Sections of stepped motions, between whose nodes positions and velocities are linear. */
#include "study/path.h"
#include "study/section.h"

#include <string.h>

/* Between two nodes: q linear, v linear from the last right limit to the next left limit. */
static void add_between(section_run *run, double t, const thud_motion_frame *frame) {
  double s = (t - run->t_before) / (frame->t - run->t_before);
  const double *v = study_arriving(frame);
  for (thud_index k = 0; k < run->scene->dimension; k++) {
    run->q_mid[k] = run->q_before[k] + s * (frame->q[k] - run->q_before[k]);
    run->v_mid[k] = run->v_before[k] + s * (v[k] - run->v_before[k]);
  }
  section_add_point(run, t, run->q_mid, run->v_mid);
}

static void look_at_impacts(section_run *run, const thud_motion_frame *frame) {
  if (!frame->impact) return;
  if (run->constraint < 0 || frame->atom[run->constraint]) section_add_point(run, frame->t, frame->q, frame->v_left);
}

static void look_for_zero(section_run *run, const thud_motion_frame *frame) {
  double now = section_evaluate(run, run->where, frame->t, frame->q, study_arriving(frame));
  if (run->begun && run->where_before < 0 && now >= 0) {
    double s = run->where_before / (run->where_before - now);
    add_between(run, run->t_before + s * (frame->t - run->t_before), frame);
  }
  run->where_before = section_evaluate(run, run->where, frame->t, frame->q, frame->v);
}

static void look_for_period(section_run *run, const thud_motion_frame *frame) {
  for (; run->begun && run->next_period <= frame->t; run->next_period += run->period)
    if (run->next_period > run->t_before) add_between(run, run->next_period, frame);
}

int section_on_frame(void *user, const thud_motion_frame *frame) {
  section_run *run = user;
  size_t bytes = (size_t)run->scene->dimension * sizeof(double);
  switch (run->options->section) {
  case THUD_SECTION_IMPACTS: look_at_impacts(run, frame); break;
  case THUD_SECTION_ZEROS: look_for_zero(run, frame); break;
  case THUD_SECTION_PERIOD: look_for_period(run, frame); break;
  case THUD_SECTION_END: break;
  }
  run->t_before = frame->t;
  memcpy(run->q_before, frame->q, bytes);
  memcpy(run->v_before, frame->v, bytes);
  run->begun = true;
  return run->error == THUD_OK ? 0 : -1;
}
