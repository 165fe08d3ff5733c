
#include "kinds/system/system_study.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* An impulse below this, relative to the largest of the event, is rounding: nothing was struck. */
#define NO_IMPULSE 1e-9

/* ---- keeping it ---------------------------------------------------------------------------------------------------
 */

static void *keep(study_reference *reference, size_t count, size_t size, const void *from) {
  void *copy = thud_arena_alloc(reference->arena, count, size);
  if (copy == NULL)
    reference->error = THUD_ERROR_MEMORY;
  else if (from != NULL && count > 0)
    memcpy(copy, from, count * size);
  return copy;
}

static int wish(const study_reference *reference) {
  const thud_study_options *options = reference->options;
  if (reference->error != THUD_OK) return -1;
  return options->progress != NULL && options->progress(options->progress_user, 0, 0, 1) != 0;
}

/* The integral of the reactions, and the signs of friction in the middle of the first arc after an event. */
static void gather_forces(study_reference *reference, const thud_event_arc *arc) {
  size_t r = reference->m + reference->s;
  double h = arc->t1 - arc->t0;
  study_event *event = reference->event_count > 0 ? &reference->events[reference->event_count - 1] : NULL;
  for (size_t i = 0; i < r; i++) {
    double sum = 0, middle = 0;
    for (size_t k = (size_t)arc->force_degree + 1; k-- > 0;) {
      double c = arc->reaction[k * r + i];
      sum = sum * h + c / (double)(k + 1);
      middle = middle * h / 2 + c;
    }
    if (!arc->accumulation) reference->impulse[i] += sum * h;
    if (event != NULL && arc->after_event && i >= reference->m)
      event->turn[i - reference->m] = (middle > 0) - (middle < 0);
  }
}

static int on_arc(void *user, const void *handed) {
  const thud_event_arc *arc = handed;
  study_reference *reference = user;
  thud_error error = thud_array_reserve(reference->context, &reference->arcs, &reference->arc_capacity,
                                        reference->arc_count + 1, sizeof *reference->arcs);
  if (error != THUD_OK) {
    reference->error = error;
    return -1;
  }
  thud_event_arc *kept = &reference->arcs[reference->arc_count++];
  *kept = *arc;
  kept->q = keep(reference, ((size_t)arc->degree + 1) * reference->n, sizeof(double), arc->q);
  kept->reaction = kept->defect = NULL;
  kept->mode = kept->order = NULL;
  gather_forces(reference, arc);
  return wish(reference);
}

static bool *find_struck(study_reference *reference, const double *impulse) {
  bool *struck = keep(reference, reference->m, sizeof(bool), NULL);
  double largest = 0;
  for (size_t i = 0; i < reference->m; i++) largest = thud_larger(largest, fabs(impulse[i]));
  for (size_t i = 0; struck != NULL && i < reference->m; i++) {
    thud_constraint_kind kind = thud_system_constraint(reference->system, (thud_index)i)->kind;
    bool equation = kind == THUD_CONSTRAINT_BILATERAL || kind == THUD_CONSTRAINT_VELOCITY;
    struck[i] = !equation && fabs(impulse[i]) > NO_IMPULSE * largest;
  }
  return struck;
}

/* An explicit scheme does not come to rest where impacts with the ratio r accumulate: with a flight of k steps it
 * leaves with g h (k-1)/2 and comes back with g h (k+1)/2, which repeats itself for k = (1+r)/(1-r). Flights of twice
 * that length are distinguished from such chatter. */
static double shortest_flight(const thud_event *event) {
  bool limit = event->kind == THUD_EVENT_ZENO && event->ratio > 0 && event->ratio < 1;
  return STUDY_RESOLVED_STEPS + (limit ? 2 * (1 + event->ratio) / (1 - event->ratio) : 0);
}

/* The impacts of the accumulation that has just come to its limit are as hard to resolve as the limit itself. */
static void mark_members(study_reference *reference) {
  const study_event *limit = &reference->events[reference->event_count - 1];
  for (size_t k = reference->event_count - 1; k-- > 0 && reference->events[k].t >= limit->begin;)
    reference->events[k].flight = limit->flight;
}

/* Events of friction at no constraint are those of laws by themselves; of several it is not known which. */
static bool *find_involved(study_reference *reference, const thud_event *event) {
  bool any = false, slips = event->kind == THUD_EVENT_STICK || event->kind == THUD_EVENT_SLIP;
  bool *involved = keep(reference, reference->m + 1, sizeof(bool), NULL);
  if (involved == NULL) return NULL;
  for (size_t i = 0; i < reference->m; i++) {
    involved[i] = event->involved[i];
    any = any || involved[i];
  }
  involved[reference->m] = !any && slips && reference->lone_law >= 0;
  return involved;
}

static const char *first_own_law(const study_reference *reference, const thud_event *event) {
  for (thud_index k = 0; k < thud_system_friction_count(reference->system); k++) {
    const thud_friction_def *law = thud_system_friction(reference->system, k);
    if (event->involved_law[k] && law->constraint < 0) return law->name;
  }
  return NULL;
}

static int on_event(void *user, const void *handed) {
  const thud_event *event = handed;
  study_reference *reference = user;
  size_t n = reference->n, m = reference->m, r = m + reference->s;
  thud_error error = thud_array_reserve(reference->context, &reference->events, &reference->event_capacity,
                                        reference->event_count + 1, sizeof *reference->events);
  if (error != THUD_OK) {
    reference->error = error;
    return -1;
  }
  bool limit = event->kind == THUD_EVENT_ZENO;
  for (size_t i = 0; i < r; i++) reference->impulse[i] += event->impulse[i];
  reference->events[reference->event_count++] =
      (study_event){.kind = event->kind,
                    .t = event->t,
                    .v_before = keep(reference, n, sizeof(double), event->v_before),
                    .v_after = keep(reference, n, sizeof(double), event->v_after),
                    .impulse = keep(reference, r, sizeof(double), limit ? event->total_impulse : event->impulse),
                    .struck = find_struck(reference, limit ? event->total_impulse : event->impulse),
                    .involved = find_involved(reference, event),
                    .mode_before = keep(reference, m, sizeof(int), event->mode_before),
                    .mode_after = keep(reference, m, sizeof(int), event->mode_after),
                    .begin = limit ? event->begin : event->t,
                    .flight = shortest_flight(event),
                    .law = first_own_law(reference, event),
                    .turn = keep(reference, reference->s, sizeof(int), NULL)};
  if (limit) mark_members(reference);
  return wish(reference);
}

static thud_error run(study_reference *reference, const scene_system *made) {
  thud_motion *motion = NULL;
  thud_motion_sink sink = {.frame = on_arc, .event = on_event, .user = reference};
  thud_error error =
      thud_event_motion_create(reference->context, made->system, &made->event, made->q0, made->v0, &motion);
  if (error == THUD_OK) error = thud_motion_run(motion, &sink, NULL);
  if (error == THUD_OK) reference->info = thud_event_motion_get_info(motion);
  if (reference->error != THUD_OK) error = reference->error;
  if (error == THUD_OK) {
    thud_event_frame end = thud_event_motion_present(motion);
    reference->end = end.t;
    reference->q_end = keep(reference, reference->n, sizeof(double), end.q);
    error = reference->error;
  }
  thud_motion_destroy(motion);
  return error;
}

static thud_index find_lone_law(const thud_system *system) {
  thud_index found = -1;
  for (thud_index k = 0; k < thud_system_friction_count(system); k++) {
    if (thud_system_friction(system, k)->constraint >= 0) continue;
    if (found >= 0) return -1;
    found = k;
  }
  return found;
}

thud_error thud_study_reference_create(thud_context *context, const scene_system *made,
                                       const thud_study_options *options, study_reference *reference) {
  *reference = (study_reference){.context = context,
                                 .system = made->system,
                                 .lone_law = find_lone_law(made->system),
                                 .n = (size_t)thud_system_dimension(made->system),
                                 .m = (size_t)thud_system_constraint_count(made->system),
                                 .s = (size_t)thud_system_slip_count(made->system),
                                 .start = made->event.start,
                                 .options = options};
  thud_error error = thud_arena_create(context, 65536, &reference->arena);
  if (error != THUD_OK) return error;
  reference->impulse = keep(reference, reference->m + reference->s, sizeof(double), NULL);
  error = reference->error == THUD_OK ? run(reference, made) : reference->error;
  if (error != THUD_OK) return error;
  if (reference->info.status == THUD_MOTION_STOPPED)
    return thud_fail(context, THUD_ERROR_INTERRUPTED, "interrupted in the event-driven run");
  if (reference->info.status != THUD_MOTION_COMPLETED)
    snprintf(reference->message, sizeof reference->message, "%s", thud_context_last_message(context));
  if (reference->arc_count > 0) reference->end = reference->arcs[reference->arc_count - 1].t1;
  return THUD_OK;
}

void thud_study_reference_free(study_reference *reference) {
  if (reference->context == NULL) return;
  thud_free(reference->context, reference->arcs);
  thud_free(reference->context, reference->events);
  thud_arena_destroy(reference->arena);
  *reference = (study_reference){0};
}

/* ---- sampling it --------------------------------------------------------------------------------------------------
 */

typedef struct sampling {
  const study_reference *reference;
  study_path *samples;
  size_t arc;               /* the arc that ends at or after the present time */
  double *q, *left, *right; /* [n] */
} sampling;

/* Before the first arc and after the last one the events there know the velocities. */
static void take_ends(sampling *sampler, double t) {
  const study_reference *reference = sampler->reference;
  size_t bytes = reference->n * sizeof(double), count = reference->event_count;
  if (t == reference->start && count > 0 && reference->events[0].t == t)
    memcpy(sampler->left, reference->events[0].v_before, bytes);
  if (t == reference->end && count > 0 && reference->events[count - 1].t == t)
    memcpy(sampler->right, reference->events[count - 1].v_after, bytes);
}

static void add_sample(sampling *sampler, double t) {
  const study_reference *reference = sampler->reference;
  thud_index n = (thud_index)reference->n;
  t = fmin(fmax(t, reference->start), reference->end);
  while (sampler->arc + 1 < reference->arc_count && reference->arcs[sampler->arc].t1 < t) sampler->arc++;
  const thud_event_arc *arc = &reference->arcs[sampler->arc];
  thud_event_arc_evaluate(arc, n, t, sampler->q, sampler->left);
  bool between = t == arc->t1 && sampler->arc + 1 < reference->arc_count;
  thud_event_arc_evaluate(between ? arc + 1 : arc, n, t, sampler->q, sampler->right);
  take_ends(sampler, t);
  thud_study_path_add(sampler->samples,
                      &(thud_stepping_frame){.t = t, .q = sampler->q, .v_left = sampler->left, .v = sampler->right});
}

/* From `from` (left out) to `to`: events in between and `to` itself. */
static void add_stretch(sampling *sampler, size_t *event, double from, double to) {
  const study_reference *reference = sampler->reference;
  for (; *event < reference->event_count && reference->events[*event].t < to; (*event)++) {
    double t = reference->events[*event].t;
    if (t > from && t != sampler->samples->t[sampler->samples->count - 1]) add_sample(sampler, t);
  }
  add_sample(sampler, to);
}

thud_error thud_study_reference_sample(const study_reference *reference, const study_path *path, study_path *samples) {
  size_t n = reference->n, event = 0;
  thud_error error =
      thud_study_path_create(reference->context, n, 2 * path->count + reference->event_count + 1, samples);
  if (error != THUD_OK) return error;
  double *room = THUD_NEW_ARRAY(reference->context, double, 3 * n);
  if (room == NULL) return THUD_ERROR_MEMORY;
  sampling sampler = {.reference = reference, .samples = samples, .q = room, .left = room + n, .right = room + 2 * n};
  add_sample(&sampler, path->t[0]);
  for (size_t k = 0; k + 1 < path->count; k++) {
    double from = path->t[k], to = path->t[k + 1], middle = from + (to - from) / 2;
    add_stretch(&sampler, &event, from, middle);
    add_stretch(&sampler, &event, middle, to);
  }
  thud_free(reference->context, room);
  return THUD_OK;
}

/* ---- errors -------------------------------------------------------------------------------------------------------
 */

/* a + s (b - a) minus x, Euclidean. */
static double off_line(size_t n, const double *a, const double *b, double s, const double *x) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) {
    double d = a[i] + s * (b[i] - a[i]) - x[i];
    sum += d * d;
  }
  return sqrt(sum);
}

/* The step of the path in which the stretch before sample j lies; *k goes forward with j. */
static void find_step(const study_path *path, const study_path *samples, size_t j, size_t *k) {
  while (*k + 2 < path->count && path->t[*k + 1] < samples->t[j]) (*k)++;
}

static double place(const study_path *path, size_t k, double t) {
  return (t - path->t[k]) / (path->t[k + 1] - path->t[k]);
}

double thud_study_position_error(const study_path *path, const study_path *samples) {
  size_t n = path->n, k = 0;
  double worst = 0;
  if (path->count < 2) return 0;
  for (size_t j = 0; j < samples->count; j++) {
    find_step(path, samples, j, &k);
    double s = place(path, k, samples->t[j]);
    worst = fmax(worst, off_line(n, path->q + k * n, path->q + (k + 1) * n, s, samples->q + j * n));
  }
  return worst;
}

/* Trapezoids between the samples, which are at most half a step apart. */
double thud_study_velocity_error(const study_path *path, const study_path *samples) {
  size_t n = path->n, k = 0;
  double sum = 0;
  if (path->count < 2) return 0;
  for (size_t j = 1; j < samples->count; j++) {
    find_step(path, samples, j, &k);
    const double *a = path->v + k * n, *b = path->v_left + (k + 1) * n;
    double t0 = samples->t[j - 1], t1 = samples->t[j];
    double begin = off_line(n, a, b, place(path, k, t0), samples->v + (j - 1) * n);
    double end = off_line(n, a, b, place(path, k, t1), samples->v_left + j * n);
    sum += (t1 - t0) * (begin + end) / 2;
  }
  return sum;
}

/* ---- states of contacts in a step ---------------------------------------------------------------------------------------- */

/* Sticking and sliding. While the coefficient of friction does not change, friction is compared with its threshold,
 * which is sharp. A coefficient that varies (with the velocity, say) was taken by the step somewhere between its ends,
 * so that its threshold is not known: then the slip velocity decides. In a step that sticks, it vanishes where the step
 * took the slip directions: at its ends it is then at most as large as these make it differ. */

/* Friction within this of its threshold, and coefficients within this of each other, relatively, are equal. */
#define AT_THRESHOLD 1e-9
/* A slip velocity below this, relative to the largest terms that it has been the sum of, is 0: residuals of the step's
 * velocity problem, and rounding. */
#define NO_SLIP 1e-9

thud_error thud_study_judge_create(thud_context *context, const thud_system *system, thud_index lone_law,
                                   study_judge *judge) {
  size_t laws = (size_t)thud_system_friction_count(system);
  *judge = (study_judge){.context = context, .system = system, .lone_law = lone_law};
  if (laws == 0) return THUD_OK;
  thud_error error = thud_system_values_create(context, system, &judge->now);
  if (error == THUD_OK) error = thud_system_values_create(context, system, &judge->before);
  judge->slip_size = THUD_NEW_ARRAY(context, double, laws);
  return error == THUD_OK && judge->slip_size == NULL ? THUD_ERROR_MEMORY : error;
}

void thud_study_judge_free(study_judge *judge) {
  if (judge->context == NULL) return;
  thud_system_values_destroy(judge->context, judge->now);
  thud_system_values_destroy(judge->context, judge->before);
  thud_free(judge->context, judge->slip_size);
  *judge = (study_judge){0};
}

static double length_of(size_t count, const double *x) {
  double sum = 0;
  for (size_t k = 0; k < count; k++) sum += x[k] * x[k];
  return sqrt(sum);
}

/* Of slip component `row`; *size grows to the largest term. */
static double slip_velocity(const thud_system_values *values, size_t row, size_t n, const double *v, double *size) {
  double sum = values->slip_rate[row];
  *size = thud_larger(*size, fabs(sum));
  for (size_t j = 0; j < n; j++) {
    double term = values->slip[row * n + j] * v[j];
    *size = thud_larger(*size, fabs(term));
    sum += term;
  }
  return sum;
}

/* Whether the velocity does not slip, with the directions of one of the step's ends or some between them. */
static bool slips_not(study_judge *judge, thud_index k, size_t first, size_t n, const double *v) {
  size_t count = (size_t)thud_system_friction(judge->system, k)->directions;
  double here = 0, differs = 0, *size = &judge->slip_size[k];
  for (size_t row = first; row < first + count; row++) {
    double now = slip_velocity(judge->now, row, n, v, size);
    double difference = now - slip_velocity(judge->before, row, n, v, size);
    here += now * now;
    differs += difference * difference;
  }
  return sqrt(here) <= sqrt(differs) + NO_SLIP * *size;
}

static study_contact_state sliding_state(const thud_friction_def *law, const double *friction) {
  if (law->directions > 1) return STUDY_SLIDING;
  return friction[0] > 0 ? STUDY_SLIDING_UP : STUDY_SLIDING_DOWN;
}

/* By the friction of law k and the largest normal reaction, both impulses of the step, or by the slip velocity. */
static study_contact_state state_of(study_judge *judge, const thud_stepping_frame *frame, thud_index k, size_t first,
                                    double normal, size_t n) {
  const thud_friction_def *law = thud_system_friction(judge->system, k);
  size_t m = (size_t)thud_system_constraint_count(judge->system);
  const double *friction = frame->reaction + m + first;
  if (law->kind == THUD_FRICTION_SET || law->kind == THUD_FRICTION_FIRM)
    return STUDY_CLOSED; /* the threshold is not a number */
  double now = judge->now->friction[k], before = judge->before->friction[k];
  bool stopped = slips_not(judge, k, first, n, frame->v);
  bool sticks = fabs(now - before) <= AT_THRESHOLD * fabs(now)
                    ? length_of((size_t)law->directions, friction) < (1 - AT_THRESHOLD) * now * normal
                    : stopped;
  return sticks ? STUDY_STICKING : sliding_state(law, friction);
}

thud_error thud_study_judge_states(study_judge *judge, const study_path *path, const thud_stepping_frame *frame,
                                   unsigned char *states) {
  const thud_system *system = judge->system;
  size_t m = path->m, first = 0;
  memset(states, STUDY_OPEN, m + 1);
  for (size_t i = 0; i < m; i++) states[i] = frame->reaction[i] != 0 ? STUDY_CLOSED : STUDY_OPEN;
  if (judge->now == NULL) return THUD_OK;
  thud_system_values *before = judge->now;
  judge->now = judge->before;
  judge->before = before;
  thud_error error = thud_system_evaluate(system, frame->t, frame->q, frame->v, THUD_AT_FRICTION, judge->now);
  if (path->count == 0) { /* no step has been made */
    memset(judge->slip_size, 0, (size_t)thud_system_friction_count(system) * sizeof(double));
    return error;
  }
  for (thud_index k = 0; k < thud_system_friction_count(system) && error == THUD_OK; k++) {
    const thud_friction_def *law = thud_system_friction(system, k);
    size_t i = law->constraint >= 0 ? (size_t)law->constraint : m;
    double normal = i < m ? fabs(frame->reaction[i]) : frame->step;
    if (judge->now->friction[k] * normal > 0 && (i < m || k == judge->lone_law))
      states[i] = (unsigned char)state_of(judge, frame, k, first, normal, path->n);
    first += (size_t)law->directions;
  }
  return error;
}
