/* Lines of particles with dry friction under applied impulses, and their runs by both methods. */
#ifndef THUD_TEST_PERCUSSION_CASES_H
#define THUD_TEST_PERCUSSION_CASES_H

#include "run_motion.h"
#include "testing.h"
#include "failing_allocator.h"
#include "thud/event.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NODES = 4000, MOST = 4, TEXT = 2000 };

static const char *const names[] = {"q1", "q2", "q3", "q4"};

/* M du + V u dt + K q dt = r dnu + p dt, |r_i| <= threshold_i, u - w in the friction law. */
typedef struct line {
  thud_index n;
  double mass[MOST * MOST], stiffness[MOST * MOST], viscosity[MOST * MOST];
  const char *threshold[MOST], *force[MOST], *ground[MOST]; /* NULL: 0 */
  thud_index load_count;
  const thud_expr_load_def *loads;
  double end;
} line;

/* text += factor A_ij x_i y_j over i (of one j when column >= 0). */
static inline void add_terms(char *text, const line *l, const double *A, thud_index row, const char *suffix) {
  for (thud_index j = 0; j < l->n; j++)
    snprintf(text + strlen(text), TEXT - strlen(text), "%+.17g*%s%s", -A[row * l->n + j], names[j], suffix);
}

static inline thud_error create_line(thud_context *context, const line *l, thud_expr_system_place *place,
                                     thud_system **system) {
  static char mass[MOST * MOST][40], potential[MOST * TEXT], forces[MOST][TEXT], slips[MOST][100];
  const char *mass_texts[MOST * MOST], *force_texts[MOST], *slip_texts[MOST];
  thud_expr_friction_def laws[MOST];
  thud_expr_scope *scope = NULL;
  strcpy(potential, "0");
  for (thud_index i = 0; i < l->n; i++) {
    char row[TEXT] = "";
    for (thud_index j = 0; j < l->n; j++) {
      snprintf(mass[i * l->n + j], sizeof mass[0], "%.17g", l->mass[i * l->n + j]);
      mass_texts[i * l->n + j] = mass[i * l->n + j];
    }
    add_terms(row, l, l->stiffness, i, "");
    snprintf(potential + strlen(potential), sizeof potential - strlen(potential), "-%s*(%s)/2", names[i], row);
    snprintf(forces[i], TEXT, "%s", l->force[i] != NULL ? l->force[i] : "0");
    add_terms(forces[i], l, l->viscosity, i, "'");
    snprintf(slips[i], sizeof slips[i], "%s' - (%s)", names[i], l->ground[i] != NULL ? l->ground[i] : "0");
    force_texts[i] = forces[i];
    slip_texts[i] = slips[i];
    laws[i] = (thud_expr_friction_def){.name = names[i],
                                       .constraint = -1,
                                       .kind = THUD_FRICTION_DISC,
                                       .directions = 1,
                                       .slip = &slip_texts[i],
                                       .mu = l->threshold[i] != NULL ? l->threshold[i] : "0"};
  }
  const thud_expr_system_def def = {.n = l->n,
                                    .coordinates = names,
                                    .mass = mass_texts,
                                    .potential_energy = potential,
                                    .forces = force_texts,
                                    .laws = l->n,
                                    .friction = laws,
                                    .load_count = l->load_count,
                                    .loads = l->loads,
                                    .end = l->end};
  thud_error error = thud_expr_scope_create(context, &scope);
  if (error == THUD_OK) error = thud_system_create_expressions(context, scope, &def, place, system);
  thud_expr_scope_destroy(scope);
  return error;
}

static inline thud_system *make_line(thud_context *context, const line *l) {
  thud_system *system = NULL;
  thud_error error = create_line(context, l, NULL, &system);
  if (error != THUD_OK) print_error("%s\n", thud_context_last_message(context));
  assert_int_equal(error, THUD_OK);
  return system;
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

typedef struct noted {
  thud_event_kind kind;
  double t, q[MOST], left[MOST], v[MOST], impulse[MOST];
} noted;

/* What came of a run: its events, the states at the times asked for (of the stepping method: at its nodes), its end. */
typedef struct outcome {
  thud_index n;
  size_t count, output_count, next_output;
  const double *outputs;
  noted events[MOST_NODES];
  double q[MOST_NODES][MOST], v[MOST_NODES][MOST];
  double last_q[MOST], last_v[MOST];
  size_t nodes;
  thud_ledger ledger;
  double scheme_loss; /* |Dv|_M^2/2 + |Dq|_K^2/2 of all steps, from the nodes */
  const line *of;
} outcome;

static outcome out;

static inline void note_state(const double *q, const double *v) {
  memcpy(out.last_q, q, (size_t)out.n * sizeof *q);
  memcpy(out.last_v, v, (size_t)out.n * sizeof *v);
}

static inline int note_event(void *user, const void *handed) {
  const thud_event *event = handed;
  (void)user;
  size_t bytes = (size_t)out.n * sizeof(double);
  if (out.count == MOST_NODES) return 0;
  noted *note = &out.events[out.count++];
  *note = (noted){.kind = event->kind, .t = event->t};
  memcpy(note->q, event->q, bytes);
  memcpy(note->left, event->v_before, bytes);
  memcpy(note->v, event->v_after, bytes);
  memcpy(note->impulse, event->impulse, bytes);
  note_state(event->q, event->v_after);
  return 0;
}

static inline int note_arc(void *user, const void *handed) {
  const thud_event_arc *arc = handed;
  (void)user;
  double q[MOST], v[MOST];
  for (; out.next_output < out.output_count && out.outputs[out.next_output] < arc->t1; out.next_output++)
    if (out.outputs[out.next_output] >= arc->t0)
      thud_event_arc_evaluate(arc, out.n, out.outputs[out.next_output], out.q[out.next_output], out.v[out.next_output]);
  thud_event_arc_evaluate(arc, out.n, arc->t1, q, v);
  note_state(q, v);
  return 0;
}

static inline thud_event_motion_info run_events(thud_context *context, const thud_system *system, double end,
                                                const double *q0, const double *v0, size_t outputs,
                                                const double *times) {
  thud_event_options options = thud_event_options_default();
  thud_motion_sink sink = {note_arc, note_event, NULL};
  thud_motion *motion = NULL;
  thud_event_motion_info info;
  memset(&out, 0, sizeof out);
  out.n = thud_system_dimension(system);
  out.output_count = outputs;
  out.outputs = times;
  options.end = end;
  thud_error error = thud_event_motion_create(context, system, &options, q0, v0, &motion);
  if (error == THUD_OK) error = thud_test_run_motion(motion, &sink, &info);
  if (error != THUD_OK || info.status != THUD_MOTION_COMPLETED) print_error("%s\n", thud_context_last_message(context));
  assert_int_equal(error, THUD_OK);
  assert_int_equal(info.status, THUD_MOTION_COMPLETED);
  thud_motion_destroy(motion);
  out.ledger = info.ledger;
  return info;
}

static inline double half_square(thud_index n, const double *A, const double *x, const double *y) {
  double sum = 0;
  for (thud_index i = 0; i < n; i++)
    for (thud_index j = 0; j < n; j++) sum += (x[i] - y[i]) * A[i * n + j] * (x[j] - y[j]) / 2;
  return sum;
}

static inline int note_frame(void *user, const void *handed) {
  const thud_stepping_frame *frame = handed;
  (void)user;
  if (out.of != NULL && frame->step > 0)
    out.scheme_loss += half_square(out.n, out.of->mass, frame->v, out.last_v) +
                       half_square(out.n, out.of->stiffness, frame->q, out.last_q);
  note_state(frame->q, frame->v);
  if (out.nodes < MOST_NODES) {
    memcpy(out.q[out.nodes], frame->q, (size_t)out.n * sizeof(double));
    memcpy(out.v[out.nodes], frame->v, (size_t)out.n * sizeof(double));
  }
  out.nodes++;
  out.ledger = frame->ledger;
  return 0;
}

static inline void run_steps(thud_context *context, const thud_system *system, const line *of,
                             thud_stepping_method method, double end, thud_index steps, const double *q0,
                             const double *v0) {
  thud_stepping_options options = thud_stepping_options_default();
  thud_motion *motion = NULL;
  thud_stepping_motion_info info;
  memset(&out, 0, sizeof out);
  out.n = thud_system_dimension(system);
  out.of = of;
  options.method = (int)method;
  options.end = end;
  options.steps = steps;
  thud_error error = thud_stepping_motion_create(context, system, &options, q0, v0, &motion);
  if (error == THUD_OK)
    error = thud_test_run_motion(motion, &(thud_motion_sink){.frame = note_frame, .user = NULL}, &info);
  if (error != THUD_OK || info.status != THUD_MOTION_COMPLETED) print_error("%s\n", thud_context_last_message(context));
  assert_int_equal(error, THUD_OK);
  assert_int_equal(info.status, THUD_MOTION_COMPLETED);
  thud_motion_destroy(motion);
}

static inline const noted *find_event(thud_event_kind kind, int number) {
  for (size_t k = 0; k < out.count; k++)
    if (out.events[k].kind == kind && number-- == 0) return &out.events[k];
  fail_msg("no such event");
  return NULL;
}

#define NEAR(a, b, tolerance)                                                                                          \
  do {                                                                                                                 \
    double near_a = (a), near_b = (b);                                                                                 \
    if (!(fabs(near_a - near_b) <= (tolerance))) print_error("%.17g is not %.17g\n", near_a, near_b);                  \
    thud_assert_near(near_a, near_b, (tolerance));                                                                     \
  } while (0)

static const double zero = 0, one = 1, two = 2;

#endif
