#include "solve/sweep.h"

#include <string.h>

/* The lowest colour that neither body has yet, THUD_COLOURS_MAX when there is none. */
static thud_index first_free(uint64_t taken) {
  return taken == UINT64_MAX ? THUD_COLOURS_MAX : (thud_index)__builtin_ctzll(~taken);
}

void thud_colour_contacts(thud_index contacts, const thud_index *body_a, const thud_index *body_b, thud_index bodies,
                          uint64_t *used, thud_index *colour, thud_index *order, thud_index *start,
                          thud_index *colours) {
  thud_index count[THUD_COLOURS_MAX + 1] = {0}, highest = 0;
  memset(used, 0, (size_t)bodies * sizeof *used);
  for (thud_index k = 0; k < contacts; k++) {
    uint64_t taken = 0;
    if (body_a[k] >= 0) taken |= used[body_a[k]];
    if (body_b[k] >= 0) taken |= used[body_b[k]];
    colour[k] = first_free(taken);
    count[colour[k]]++;
    if (colour[k] == THUD_COLOURS_MAX) continue;
    if (colour[k] >= highest) highest = colour[k] + 1;
    if (body_a[k] >= 0) used[body_a[k]] |= (uint64_t)1 << colour[k];
    if (body_b[k] >= 0) used[body_b[k]] |= (uint64_t)1 << colour[k];
  }
  *colours = highest;
  thud_index next[THUD_COLOURS_MAX + 1];
  start[0] = 0;
  for (thud_index c = 0; c < highest; c++) start[c + 1] = start[c] + count[c];
  start[highest + 1] = contacts;
  memcpy(next, start, (size_t)(highest + 1) * sizeof *next);
  for (thud_index k = 0; k < contacts; k++) {
    thud_index c = colour[k] == THUD_COLOURS_MAX ? highest : colour[k];
    order[next[c]++] = k;
  }
}

/* Sort key of contacts of one colour: the first of their bodies that moves. */
static size_t key_of(const thud_index *body_a, const thud_index *body_b, thud_index contact) {
  thud_index body = body_a[contact] >= 0 ? body_a[contact] : body_b[contact];
  return body >= 0 ? (size_t)body : 0;
}

void thud_colour_sort(thud_index contacts, const thud_index *body_a, const thud_index *body_b, thud_index bodies,
                      const thud_index *start, thud_index colours, uint64_t *count, const thud_index *colour,
                      thud_index *sorted, thud_index *order) {
  bool ascending = true;
  for (thud_index k = 1; k < contacts && ascending; k++)
    ascending = key_of(body_a, body_b, k - 1) <= key_of(body_a, body_b, k);
  if (ascending) return;
  thud_index next[THUD_COLOURS_MAX];
  uint64_t before = 0;
  memset(count, 0, (size_t)bodies * sizeof *count);
  for (thud_index k = 0; k < contacts; k++) count[key_of(body_a, body_b, k)]++;
  for (thud_index b = 0; b < bodies; b++) {
    uint64_t own = count[b];
    count[b] = before;
    before += own;
  }
  for (thud_index k = 0; k < contacts; k++) sorted[count[key_of(body_a, body_b, k)]++] = k;
  memcpy(next, start, (size_t)colours * sizeof *next);
  for (thud_index i = 0; i < contacts; i++) {
    thud_index c = colour[sorted[i]];
    if (c < colours) order[next[c]++] = sorted[i]; /* the overflow set keeps its order */
  }
}
