/* Solutions of one load of a punch from many starts: whether there are several is an open question for the continuum, and a
 * search finds what it comes upon. The starts are drawn by a generator with a fixed seed, so that every run finds the same. */
#include "base/base.h"
#include "motions/half_plane/half_plane.h"

#include <math.h>
#include <string.h>

/* Tractions that differ by less than this part of P, summed over the elements, are one solution. */
static const double SAME = 1e-6;

typedef struct starts_search {
  thud_punch *punch;
  const thud_punch_drive *drive;
  thud_random random;
  signed char *guess; /* [n] */
  double *tractions;  /* [2n] of each distinct solution */
  thud_punch_solutions *found;
} starts_search;

/* A number of the elements from first to last. */
static thud_index element_between(starts_search *s, thud_index first, thud_index last) {
  return first + (thud_index)thud_random_below(&s->random, (uint32_t)(last - first + 1));
}

static signed char any_slip(starts_search *s) {
  return thud_random_below(&s->random, 2) == 0 ? (signed char)THUD_PUNCH_BACKWARD : (signed char)THUD_PUNCH_FORWARD;
}

/* By turns: contact, stick and two zones of slip with ends anywhere; a state for each of some pieces; each element by itself. */
static void draw_guess(starts_search *s, size_t number) {
  thud_index n = s->punch->n, first = element_between(s, 0, n - 1), last = element_between(s, first, n - 1);
  thud_index a = element_between(s, first, last), b = element_between(s, a, last);
  signed char left = any_slip(s), right = any_slip(s), now = THUD_PUNCH_STICK;
  for (thud_index i = 0; i < n; i++) {
    if (number % 3 == 0)
      s->guess[i] = i < first || i > last ? (signed char)THUD_PUNCH_OPEN
                    : i < a               ? left
                    : i > b               ? right
                                          : (signed char)THUD_PUNCH_STICK;
    if (number % 3 == 1 && thud_random_below(&s->random, 8) == 0)
      now = (signed char)((int)thud_random_below(&s->random, 4) - 1);
    if (number % 3 == 1) s->guess[i] = now;
    if (number % 3 == 2) s->guess[i] = (signed char)((int)thud_random_below(&s->random, 4) - 1);
  }
}

static double distance(const starts_search *s, const thud_punch_result *result, const double *other) {
  const thud_half_plane *plane = s->punch->plane;
  double sum = 0;
  for (thud_index i = 0; i < s->punch->n; i++)
    sum += plane->width[i] * plane->length *
           (fabs(result->pressure[i] - other[i]) + fabs(result->traction[i] - other[s->punch->n + i]));
  return sum;
}

/* Counts the result to the solution that it is, or adds it. */
static void take(starts_search *s, const thud_punch_result *result) {
  thud_punch_solutions *found = s->found;
  size_t width = 2 * (size_t)s->punch->n, bytes = width / 2 * sizeof(double);
  for (size_t k = 0; k < found->count; k++) {
    if (distance(s, result, s->tractions + k * width) > SAME * fabs(result->normal)) continue;
    found->items[k].starts++;
    return;
  }
  if (found->count == THUD_PUNCH_MOST_SOLUTIONS) {
    found->cut = true;
    return;
  }
  memcpy(s->tractions + found->count * width, result->pressure, bytes);
  memcpy(s->tractions + found->count * width + width / 2, result->traction, bytes);
  found->items[found->count++] = (thud_punch_solution){.starts = 1,
                                                       .normal = result->normal,
                                                       .tangential = result->tangential,
                                                       .depth = result->depth,
                                                       .shift = result->shift,
                                                       .contact = result->contact,
                                                       .stick = result->stick};
}

/* A start from which nothing comes is counted, not an error. */
static thud_error try_start(starts_search *s, const signed char *guess) {
  thud_punch_result result;
  thud_error error = thud_punch_move(s->punch, s->drive, guess, &result);
  if (error == THUD_ERROR_SINGULAR || error == THUD_ERROR_NOT_CONVERGED) {
    s->found->failed++;
    return THUD_OK;
  }
  if (error != THUD_OK) return error;
  if (result.status == THUD_PUNCH_SOLVED)
    take(s, &result);
  else
    s->found->failed++;
  return THUD_OK;
}

thud_error thud_punch_find_solutions(thud_punch *punch, const thud_punch_drive *drive, const signed char *first,
                                     size_t starts, thud_punch_solutions *solutions) {
  THUD_REQUIRE(NULL, punch);
  THUD_REQUIRE_OF(punch, drive, solutions);
  size_t n = (size_t)punch->n;
  thud_punch_solutions found = {0};
  starts_search s = {.punch = punch, .drive = drive, .random = thud_random_seed(1), .found = &found};
  s.guess = THUD_NEW_ARRAY(punch->context, signed char, n);
  s.tractions = THUD_NEW_ARRAY(punch->context, double, 2 * n * THUD_PUNCH_MOST_SOLUTIONS);
  thud_error error = s.guess != NULL && s.tractions != NULL ? try_start(&s, first) : THUD_ERROR_MEMORY;
  for (size_t k = 0; k < starts && error == THUD_OK; k++) {
    draw_guess(&s, k);
    error = try_start(&s, s.guess);
  }
  if (error == THUD_OK && first != NULL) { /* the punch is left with the solution that it began with */
    thud_punch_result result;
    error = thud_punch_move(punch, drive, first, &result);
  }
  thud_free(punch->context, s.guess);
  thud_free(punch->context, s.tractions);
  found.starts = starts + 1;
  if (error == THUD_OK) *solutions = found;
  return error;
}
