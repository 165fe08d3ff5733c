#include "kinds/quasistatic/quasistatic_cycle.h"
#include "base/base.h"

#include <math.h>
#include <string.h>

/* Changes below this part of the largest displacement, and losses below this part of the largest energy, count as 0. */
static const double SETTLED = 1e-9;

static size_t block_count(const cycle_history *history) { return 3 + CYCLE_KEPT * (history->n + 1); }
static double *state_at(const cycle_history *history, size_t k) { return history->block + 3 + k * (history->n + 1); }

thud_error thud_cycle_create(thud_context *context, size_t n, double period, double start, double end,
                             cycle_history *history) {
  (void)end;
  *history = (cycle_history){.n = n, .period = period, .start = start};
  if (period == 0) return THUD_OK;
  history->block = THUD_NEW_ARRAY(context, double, block_count(history));
  return history->block != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

void thud_cycle_free(thud_context *context, cycle_history *history) { thud_free(context, history->block); }

void thud_cycle_note(cycle_history *history, const thud_quasistatic_frame *frame) {
  if (history->period == 0) return;
  size_t n = history->n;
  double cycles = (frame->t - history->start) / history->period, whole = round(cycles);
  history->block[1] = fmax(history->block[1], thud_norm_max(NULL, n, frame->U, NULL));
  history->block[2] = fmax(history->block[2], fmax(fabs(frame->ledger.stored), fabs(frame->ledger.work)));
  if (fabs(cycles - whole) > 1e-9 * fmax(1, whole) || frame->side == THUD_SIDE_LEFT) return;
  if (whole > history->block[0] || whole == 0)
    memmove(state_at(history, 1), state_at(history, 0), (CYCLE_KEPT - 1) * (n + 1) * sizeof(double));
  history->block[0] = whole;
  memcpy(state_at(history, 0), frame->U, n * sizeof *frame->U);
  state_at(history, 0)[n] = frame->ledger.friction;
}

size_t thud_cycle_size(const cycle_history *history) {
  return history->period == 0 ? 0 : block_count(history) * sizeof(double);
}

/* Largest component of the change over the k-th cycle from the end, and how it differs from that of the cycle before. */
static double change_over(const cycle_history *history, size_t k) {
  double largest = 0;
  for (size_t i = 0; i < history->n; i++)
    largest = fmax(largest, fabs(state_at(history, k)[i] - state_at(history, k + 1)[i]));
  return largest;
}

static double change_of_change(const cycle_history *history) {
  double largest = 0;
  for (size_t i = 0; i < history->n; i++) {
    double last = state_at(history, 0)[i] - state_at(history, 1)[i];
    double before = state_at(history, 1)[i] - state_at(history, 2)[i];
    largest = fmax(largest, fabs(last - before));
  }
  return largest;
}

void thud_cycle_report(const cycle_history *history, bool semidefinite, thud_report *report) {
  if (history->period == 0) return;
  size_t n = history->n, cycles = (size_t)history->block[0];
  thud_report_integer(report, "cycles", (int64_t)cycles);
  if (cycles < 3) {
    thud_report_string(report, "cycle", "too few");
    thud_report_line(report, "cycle", "%zu whole cycles, at least 3 are needed to say what they tend to", cycles);
    return;
  }
  double size = history->block[1], advance = change_over(history, 0);
  double loss = state_at(history, 0)[n] - state_at(history, 1)[n], total = state_at(history, 0)[n];
  bool lossless = fabs(loss) <= SETTLED * fmax(history->block[2], fabs(total));
  bool repeats = advance <= SETTLED * size || lossless; /* what does not slip returns */
  /* a definite K pulls back: what advances evenly now is bounded */
  bool even = !repeats && change_of_change(history) <= SETTLED * size, ratchets = even && semidefinite;
  const char *what = ratchets ? "ratchetting" : !repeats ? "transient" : lossless ? "shakedown" : "limit cycle";
  double before = change_over(history, 1), factor = before > 0 ? advance / before : NAN;
  thud_report_string(report, "cycle", what);
  thud_report_number(report, "cycle_advance", advance);
  thud_report_number(report, "cycle_loss", loss);
  thud_report_number(report, "cycle_factor", repeats || ratchets ? NAN : factor);
  if (repeats && lossless)
    thud_report_line(report, "cycle",
                     "shakedown from this start: no friction loss in the last of %zu cycles, %.10g in all", cycles,
                     total);
  else if (repeats)
    thud_report_line(report, "cycle", "limit cycle from this start, loss %.10g per cycle (%zu cycles)", loss, cycles);
  else if (ratchets)
    thud_report_line(report, "cycle", "ratchetting from this start: %.10g per cycle, loss %.10g (%zu cycles)", advance,
                     loss, cycles);
  else if (even)
    thud_report_line(
        report, "cycle",
        "not periodic yet after %zu cycles: %.10g per cycle, loss %.10g; the stiffness matrix is definite, "
        "so that this does not go on for ever",
        cycles, advance, loss);
  else
    thud_report_line(
        report, "cycle",
        "not periodic yet after %zu cycles: the last one moved by %.3g, %.3g times the one before; loss %.6g", cycles,
        advance, factor, loss);
}
