/* Statements of proof once more, in quadruple precision, on thousands of random scenes: the bound of the defect of every
 * proved arc, the open gaps, and the brackets of the events, at points of the arcs. The evaluation is the test's own
 * (quad_formulas.c); nothing of the library's derivatives, series or intervals enters. */
#include "quad_scenes.h"
#include "run_motion.h"
#include "testing.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCENES = THUD_UNDER_SANITIZER ? 300 : 3000, POINTS = 4, MOST_ARCS = 20, CHANGES = 8, ROOM = 70 };

typedef struct counts {
  size_t scenes, arcs, bounds, gaps, brackets; /* runs, proved arcs, numbers that were compared */
  size_t bad_bounds, bad_gaps, bad_brackets;   /* violations */
  size_t sharp, loose;                         /* arcs on which 1e-3, 1e-4 of the bound are violated */
  size_t changed, found;                       /* arcs with one coefficient changed, flagged ones */
  double lowest;                               /* open gap of the run at hand */
  char first[200];                             /* violation */
} counts;

typedef struct witness {
  const quad_scene *scene;
  thud_random *random;
  counts *tally;
  int arcs;                /* proved ones */
  bool arc_before, proved; /* an arc came last, and it is a proved one */
  thud_event_arc arc;      /* it, with: */
  double q[ROOM * QUAD_COORDINATES], reaction[ROOM * QUAD_GAPS];
} witness;

static void note(counts *tally, const char *what, const thud_event_arc *arc, quad value, double bound) {
  if (tally->first[0] == '\0')
    snprintf(tally->first, sizeof tally->first, "%s of scene %zu, arc from %.17g to %.17g: %.3g, claimed %.3g", what,
             tally->scenes, arc->t0, arc->t1, (double)value, bound);
}

static bool is_open(int mode) { return mode == THUD_CONTACT_OPEN || mode == THUD_CONTACT_LEAVING; }

/* The largest |d_c|/bound_c at points of the arc, also next to its ends; open gaps there, as far as the time of the end
 * is resolved. */
static quad look_at(witness *w, const thud_event_arc *arc, bool gaps) {
  quad h = (quad)arc->t1 - (quad)arc->t0, worst = 0, defect[QUAD_COORDINATES], gap[QUAD_GAPS];
  quad before = h - 2 * DBL_EPSILON * (quad)arc->t1;
  for (int k = 0; k < POINTS; k++) {
    quad s = k == 0 ? 0 : k == 1 && before > 0 ? before : h * (quad)thud_random_uniform(w->random, 0, 1);
    thud_quad_at(w->scene, arc, s, defect, gap);
    for (int c = 0; c < w->scene->n; c++) {
      quad ratio = thud_quad_size(defect[c]) / (quad)arc->defect[c];
      if (!(ratio <= worst)) worst = ratio;
    }
    for (int i = 0; i < w->scene->m && gaps && s <= before; i++) {
      if (!is_open(arc->mode[i])) continue;
      w->tally->lowest = fmin(w->tally->lowest, (double)gap[i]);
      w->tally->gaps++;
    }
  }
  return worst;
}

/* One coefficient of degree 2 or 3 is changed where that changes the acceleration by 1e-6: it must be noticed. */
static void check_change(witness *w) {
  double h = w->arc.t1 - w->arc.t0;
  int degree = 2 + (int)thud_random_below(w->random, 2), c = (int)thud_random_below(w->random, (uint32_t)w->scene->n);
  double change = degree == 2 ? 1e-6 : 1e-6 / fmin(h, 1);
  if (!(h > 1e-3)) return;
  w->q[degree * w->scene->n + c] += change;
  w->tally->changed++;
  w->tally->found += look_at(w, &w->arc, false) > 1;
  w->q[degree * w->scene->n + c] -= change;
}

static int on_arc(void *user, const void *handed) {
  const thud_event_arc *arc = handed;
  witness *w = user;
  counts *tally = w->tally;
  w->arc_before = true;
  w->proved = arc->proof == THUD_ARC_PROVED;
  if (!w->proved) return 0;
  assert_non_null(arc->defect);
  assert_true(arc->degree < ROOM);
  w->arc = *arc;
  memcpy(w->q, arc->q, ((size_t)arc->degree + 1) * (size_t)w->scene->n * sizeof(double));
  memcpy(w->reaction, arc->reaction, ((size_t)arc->force_degree + 1) * (size_t)w->scene->m * sizeof(double));
  w->arc.q = w->q;
  w->arc.reaction = w->reaction;
  quad worst = look_at(w, arc, true);
  tally->arcs++;
  tally->bounds += POINTS * (size_t)w->scene->n;
  tally->sharp += worst > 1e-3;
  tally->loose += worst > 1e-4;
  if (!(worst <= 1)) {
    tally->bad_bounds++;
    note(tally, "defect", arc, worst, 1);
  }
  if (tally->arcs % CHANGES == 0) check_change(w);
  return ++w->arcs == MOST_ARCS;
}

/* The gaps that close do so inside the bracket; its ends are rounded once. */
static int on_event(void *user, const void *handed) {
  const thud_event *event = handed;
  witness *w = user;
  bool first = w->arc_before && w->proved && !isnan(event->t_low);
  w->arc_before = false;
  if (!first || (event->kind != THUD_EVENT_IMPACT && event->kind != THUD_EVENT_CLOSE)) return 0;
  quad h = (quad)event->t - (quad)w->arc.t0, low = h + (quad)event->t_low, high = h + (quad)event->t_high;
  low -= DBL_EPSILON * thud_quad_size((quad)event->t_low);
  high += DBL_EPSILON * thud_quad_size((quad)event->t_high);
  quad defect[QUAD_COORDINATES], before[QUAD_GAPS], after[QUAD_GAPS];
  thud_quad_at(w->scene, &w->arc, low, defect, before);
  thud_quad_at(w->scene, &w->arc, high, defect, after);
  for (int i = 0; i < w->scene->m; i++) {
    if (!event->involved[i] || !is_open(event->mode_before[i])) continue;
    w->tally->brackets++;
    if (before[i] >= 0 && after[i] <= 0) continue;
    w->tally->bad_brackets++;
    note(w->tally, "bracket", &w->arc, before[i] >= 0 ? after[i] : before[i], 0);
  }
  return 0;
}

static void run_scene(thud_context *context, const quad_scene *scene, thud_random *random, counts *tally) {
  static witness w;
  thud_event_options options = thud_event_options_default();
  thud_motion *motion;
  thud_event_motion_info info;
  thud_system *system = thud_test_system_make(context, &scene->source);
  options.end = 2;
  w = (witness){.scene = scene, .random = random, .tally = tally};
  const thud_motion_sink sink = {.frame = on_arc, .event = on_event, .user = &w};
  tally->lowest = 0;
  assert_int_equal(thud_event_motion_create(context, system, &options, scene->q0, scene->v0, &motion), THUD_OK);
  assert_int_equal(thud_test_run_motion(motion, &sink, &info), THUD_OK);
  if (!(tally->lowest >= -info.proved_gap)) {
    tally->bad_gaps++;
    note(tally, "open gap", &w.arc, (quad)tally->lowest, -info.proved_gap);
  }
  thud_motion_destroy(motion);
  thud_system_destroy(system);
  tally->scenes++;
}

static void statements_of_proof_hold_in_quadruple_precision(void **state) {
  (void)state;
#if !THUD_TEST_QUAD
  thud_skip("needs quadruple precision: compile with gcc");
#endif
  static quad_scene scene;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(1313);
  counts tally = {0};
  const size_t scenes = SCENES / (size_t)thud_test_share(THUD_UNDER_SANITIZER ? 1 : 5);
  for (size_t k = 0; k < scenes; k++) {
    thud_quad_scene_make(&random, &scene);
    run_scene(context, &scene, &random, &tally);
  }
  thud_test_context_end(context);
  if (getenv("THUD_TEST_PRINT") != NULL)
    print_message(
        "%zu scenes, %zu arcs, %zu bounds (%zu bad), %zu gaps (%zu bad), %zu brackets (%zu bad), %zu and %zu sharp, "
        "%zu of %zu changes found; %s\n",
        tally.scenes, tally.arcs, tally.bounds, tally.bad_bounds, tally.gaps, tally.bad_gaps, tally.brackets,
        tally.bad_brackets, tally.sharp, tally.loose, tally.found, tally.changed, tally.first);
  if (tally.first[0] != '\0') fail_msg("%s", tally.first);
  assert_int_equal(tally.scenes, scenes);
  assert_int_equal(tally.bad_bounds + tally.bad_gaps + tally.bad_brackets, 0);
  /* and it looked at something */
  thud_assert_greater(tally.arcs, 10 * scenes);
  thud_assert_greater(tally.brackets, scenes / 2);
  thud_assert_greater(tally.sharp, tally.arcs / 25);
  thud_assert_greater(tally.loose, tally.arcs / 2);
  assert_int_equal(tally.found, tally.changed);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(statements_of_proof_hold_in_quadruple_precision)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
