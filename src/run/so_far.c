/* How far a run is, read off the rows that go by. */
#include "run/run.h"

#include <math.h>

void thud_run_so_far_begin(thud_run *run) {
  size_t count = run->layout->count[THUD_RECORD_FRAMES];
  const thud_record_channel *channels = run->layout->channels[THUD_RECORD_FRAMES];
  run->residual_channel = thud_report_find_role(count, channels, "residual");
  run->contact_channel = thud_report_find_role(count, channels, "acting");
  if (run->contact_channel == SIZE_MAX) run->contact_channel = thud_report_find_role(count, channels, "mode");
  if (run->options.so_far == NULL) return;
  *run->options.so_far = (thud_run_so_far){
      .t = run->scene->start, .start = run->scene->start, .end = run->scene->end, .contacts = NAN, .residual = NAN};
}

/* Of both roles 0 says that a constraint does not act. */
static double count_acting(const thud_record_cell *cell) {
  double count = 0;
  for (size_t i = 0; i < cell->count; i++) count += cell->values[i] != 0;
  return count;
}

void thud_run_so_far_note(thud_run *run, bool step, const thud_record_cell *cells) {
  thud_run_so_far *status = run->options.so_far;
  if (status == NULL) return;
  status->steps += step;
  if (run->contact_channel != SIZE_MAX) status->contacts = count_acting(&cells[run->contact_channel]);
  if (run->residual_channel != SIZE_MAX && cells[run->residual_channel].count == 1)
    status->residual = fmax(status->residual, cells[run->residual_channel].values[0]);
}

void thud_run_so_far_update(const thud_run *run, double t) {
  thud_run_so_far *status = run->options.so_far;
  if (status == NULL) return;
  status->t = t;
  status->events = run->counters.events;
  if (run->contact_channel == SIZE_MAX && run->reached.contacts > 0) status->contacts = (double)run->reached.contacts;
}
