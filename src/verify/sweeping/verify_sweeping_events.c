/* Events of a recorded sweeping process: they report the same as its frames. */
#include "verify/sweeping/verify_sweeping_checks.h"
#include "verify/math/verify_dense.h"
#include "verify/verify_events.h"

#include <math.h>

typedef struct sweep_events {
  verify_events common;
  double *side, *impulse; /* [count] 0: to the value, 1: to the right limit; [count x n] */
} sweep_events;

static void compare(const verify_motion *m, const sweep_events *events, size_t e, thud_verify_check *check) {
  const verify_events *common = &events->common;
  size_t k = (size_t)common->frame[e], n = m->n;
  if (common->t[e] != m->t[k])
    thud_verify_fail(check, m->t[k], k, "the event of this frame is at t = %.17g", common->t[e]);
  if (m->atom[k] == 0) thud_verify_fail(check, m->t[k], k, "the frame has an event and no impulse");
  if (events->side[e] != (m->side[k] == 1)) thud_verify_fail(check, m->t[k], k, "the event leads to another side");
  if (!thud_verify_same_numbers(n, common->before + e * n, verify_state_before(m, k)) ||
      !thud_verify_same_numbers(n, common->after + e * n, verify_state(m, k)) ||
      !thud_verify_same_numbers(n, events->impulse + e * n, m->reaction + k * n))
    thud_verify_fail(check, m->t[k], k, "the numbers of the event are not those of its frame");
}

/* An impulse that moves the state by more than what the scene calls rounding is an event; one event per frame. */
static void compare_all(const verify_motion *m, const sweep_events *events, thud_verify_check *check) {
  size_t next = 0;
  for (size_t k = 0; k < m->count; k++) {
    size_t first = next;
    while (next < events->common.count && events->common.frame[next] == (double)k) compare(m, events, next++, check);
    double moved = thud_verify_distance(m->n, verify_state(m, k), verify_state_before(m, k));
    bool jumps = m->atom[k] != 0 && moved > sqrt((double)m->n) * m->scene->tolerance * m->scale;
    if (next - first > 1 || (jumps && next == first))
      thud_verify_fail(check, m->t[k], k, "the state jumps by %.6g and the frame has %zu events", moved, next - first);
  }
  if (check->status == THUD_VERIFY_PASSED) thud_verify_explain(check, "%zu jumps", events->common.count);
}

thud_error thud_verify_check_sweep_events(const verify_motion *m, thud_record_reader *reader,
                                          thud_verify_check *check) {
  static const char *const kinds[] = {"jump"}, *const sides[] = {"value", "right"};
  sweep_events events = {0};
  const verify_channel channels[] = {{"side", 1, &events.side}, {"impulse", m->n, &events.impulse}};
  thud_error error = thud_verify_events_read(m->context, reader, m->n, 1, kinds, &events.common, check);
  if (error == THUD_OK) error = thud_verify_read_channels(m->context, reader, THUD_RECORD_EVENTS, 2, channels, check);
  thud_verify_check_labels(reader, THUD_RECORD_EVENTS, "side", 2, sides, check);
  thud_verify_check_components(reader, THUD_RECORD_EVENTS, "before", m->n, m->scene->names, check);
  thud_verify_check_components(reader, THUD_RECORD_EVENTS, "after", m->n, m->scene->names, check);
  if (error == THUD_OK && check->status == THUD_VERIFY_PASSED) compare_all(m, &events, check);
  thud_verify_events_free(m->context, &events.common);
  thud_free(m->context, events.side);
  thud_free(m->context, events.impulse);
  return error;
}
