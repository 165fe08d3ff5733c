/* Which events a page shows when there are many, and the moment at which it opens. */
#include "page/page.h"

#include <math.h>
#include <stdlib.h>

/* The largest impulse of an event; 0: it has none. */
static double strength_of(page_record *record, size_t channel, size_t row) {
  thud_record_cell cell = {0};
  double largest = 0;
  thud_error error = thud_record_read_cell(record->reader, THUD_RECORD_EVENTS, channel, row, &cell);
  if (!thud_page_take(record->page, error) || cell.values == NULL) return 0;
  for (size_t k = 0; k < cell.count; k++)
    if (isfinite(cell.values[k])) largest = fmax(largest, fabs(cell.values[k]));
  return largest;
}

/* Largest impulse of each event; NULL: there are no events, or they have no impulses. */
static double *read_strengths(page_record *record) {
  size_t channel, total = record->info.rows[THUD_RECORD_EVENTS];
  if (total == 0 || thud_record_find_role(record->reader, THUD_RECORD_EVENTS, "impulse", &channel) != THUD_OK)
    return NULL;
  double *strength = THUD_NEW_ARRAY(record->page->context, double, total);
  if (strength == NULL) thud_page_take(record->page, THUD_ERROR_MEMORY);
  for (size_t k = 0; strength != NULL && k < total; k++) strength[k] = strength_of(record, channel, k);
  return strength;
}

/* ---- the events that are shown ------------------------------------------------------------------------------------- */

typedef struct ranked {
  double strength;
  size_t row;
} ranked;

static int compare_ranked(const void *a, const void *b) {
  const ranked *x = a, *y = b;
  if (x->strength != y->strength) return x->strength > y->strength ? -1 : 1;
  return x->row < y->row ? -1 : x->row > y->row;
}

/* So many events evenly over all of them, the first and the last included. */
static void keep_some(size_t total, size_t count, bool *kept) {
  for (size_t k = 0; k < count; k++) kept[count > 1 ? k * (total - 1) / (count - 1) : 0] = true;
}

/* The strongest of the others, until `most` are kept. */
static thud_error keep_strongest(page_record *record, size_t total, size_t most, const double *strength, bool *kept) {
  ranked *all = THUD_NEW_ARRAY(record->page->context, ranked, total);
  size_t count = 0, used = 0;
  if (all == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < total; k++) {
    if (kept[k])
      used++;
    else
      all[count++] = (ranked){strength[k], k};
  }
  qsort(all, count, sizeof *all, compare_ranked);
  for (size_t k = 0; k < count && used < most; k++, used++) kept[all[k].row] = true;
  thud_free(record->page->context, all);
  return THUD_OK;
}

/* Half of them are the strongest ones, the others lie evenly over the run. */
static thud_error choose(page_record *record, size_t total, size_t most, const double *strength, bool *kept) {
  keep_some(total, strength != NULL ? (most + 1) / 2 : most, kept);
  return strength != NULL ? keep_strongest(record, total, most, strength, kept) : THUD_OK;
}

/* ---- the moment ---------------------------------------------------------------------------------------------------- */

/* The time at which half of the sum of the impulses after the start has acted: amid what happens. */
static void find_opening(page_record *record, size_t total, const double *strength) {
  double *t = NULL, sum = 0, half = 0;
  if (!thud_page_take(record->page, thud_page_read_role(record, THUD_RECORD_EVENTS, "time", &t)) || t == NULL) return;
  for (size_t k = 0; k < total; k++)
    if (t[k] > record->start) sum += strength[k];
  for (size_t k = 0; k < total && sum > 0 && isnan(record->opening); k++) {
    if (t[k] > record->start) half += strength[k];
    if (half >= 0.5 * sum && t[k] <= record->end) record->opening = t[k];
  }
  thud_free(record->page->context, t);
}

size_t thud_page_choose_events(page_record *record, size_t most, size_t **rows) {
  page_build *page = record->page;
  size_t total = record->info.rows[THUD_RECORD_EVENTS], count = 0;
  double *strength = read_strengths(record);
  bool *kept = THUD_NEW_ARRAY(page->context, bool, total);
  *rows = THUD_NEW_ARRAY(page->context, size_t, total < most ? total : most);
  thud_error error = kept != NULL && *rows != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  if (error == THUD_OK && strength != NULL) find_opening(record, total, strength);
  if (error == THUD_OK && total > most && most > 0) error = choose(record, total, most, strength, kept);
  if (thud_page_take(page, error))
    for (size_t k = 0; k < total && count < most; k++)
      if (total <= most || kept[k]) (*rows)[count++] = k;
  if (count < total && count > 0)
    thud_page_note(record, "the table of events shows %zu of %zu%s over the whole run", count, total,
                   strength != NULL ? ": the strongest, and others spread evenly" : ", spread evenly");
  thud_free(page->context, kept);
  thud_free(page->context, strength);
  return count;
}
