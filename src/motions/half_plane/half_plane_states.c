/* Which elements are open, stick and slip: states are changed where the solution of their equations violates a law.
 *
 * An element that sticks under tension first slips: the tension is often the doing of the friction it was given. One
 * that closes slips against the way it has moved: stuck where it is, far from where it would be, it would push its
 * neighbours off. All
 * violations are changed at once as long as no set of states comes back; then, for a number of sweeps that doubles each
 * time, only the outermost quarter, then only one, at last one by lot: slip and opening grow from the edges inwards. */
#include "motions/half_plane/half_plane_punch.h"
#include "base/base.h"

#include <math.h>

enum { CAREFUL_SWEEPS = 4, OUTERMOST = 4, FEW_CHANGES = 4 };

/* Unit of displacements: punch displacement and profile where it touches. */
static double displacement_scale(const thud_punch *punch) {
  double scale = fmax(1, fabs(punch->depth));
  for (thud_index k = 0; k < punch->contact_count; k++) scale = fmax(scale, fabs(punch->gap0[punch->contact[k]]));
  return scale;
}

/* Mean force of an element in contact: all of them together have the sum 1, unless the depth is given. */
static double force_scale(const thud_punch *punch) {
  double sum = punch->drive.depth_given ? fabs(thud_sum(punch->context, (size_t)punch->n, punch->f)) : 1;
  return sum / (double)punch->contact_count;
}

/* How far the numbers of an element are from its laws, relative; *wanted is the state to try next. */
static double violation(const thud_punch *punch, thud_index i, double length, double force, signed char *wanted) {
  double f = punch->f[i], t = punch->t[i], limit = punch->friction * f;
  signed char state = punch->state[i];
  *wanted = state;
  if (state == THUD_PUNCH_OPEN) {
    *wanted = punch->sliding != 0 || punch->slip[i] <= 0 ? THUD_PUNCH_FORWARD : THUD_PUNCH_BACKWARD;
    return -punch->gap[i] / length;
  }
  if (punch->sliding != 0) {
    *wanted = THUD_PUNCH_OPEN;
    return -f / force;
  }
  if (state == THUD_PUNCH_STICK) {
    *wanted = t > 0 ? THUD_PUNCH_FORWARD : THUD_PUNCH_BACKWARD;
    return fmax(-f, fabs(t) - limit) / force;
  }
  if (f < 0) {
    *wanted = THUD_PUNCH_OPEN;
    return -f / force;
  }
  *wanted = THUD_PUNCH_STICK;
  return state * punch->slip[i] / length;
}

double thud_punch_violation(const thud_punch *punch) {
  double largest = 0, length = displacement_scale(punch), force = force_scale(punch);
  signed char wanted = 0;
  for (thud_index i = 0; i < punch->n; i++) largest = fmax(largest, violation(punch, i, length, force, &wanted));
  return largest;
}

/* ---- sets that have been visited ------------------------------------------------------------------------ */

/* FNV-1a of the states. */
static uint64_t digest(const thud_punch *punch) {
  uint64_t hash = UINT64_C(14695981039346656037);
  for (thud_index i = 0; i < punch->n; i++)
    hash = (hash ^ (unsigned char)(punch->state[i] + 1)) * UINT64_C(1099511628211);
  return hash;
}

static thud_error remember(thud_punch *punch, bool *seen) {
  uint64_t hash = digest(punch);
  *seen = false;
  for (size_t k = 0; k < punch->visited_count && !*seen; k++) *seen = punch->visited[k] == hash;
  if (*seen) return THUD_OK;
  thud_error error = thud_array_reserve(punch->context, &punch->visited, &punch->visited_capacity,
                                        punch->visited_count + 1, sizeof *punch->visited);
  if (error == THUD_OK) punch->visited[punch->visited_count++] = hash;
  return error;
}

/* ---- changes ------------------------------------------------------------------------------------------ */

static thud_index list_changes(thud_punch *punch) {
  thud_index count = 0;
  double length = displacement_scale(punch), force = force_scale(punch);
  signed char wanted = 0;
  for (thud_index i = 0; i < punch->n; i++)
    if (violation(punch, i, length, force, &wanted) > punch->options.tolerance) punch->changes[count++] = i;
  return count;
}

/* The elements of the list are in order from left to right: the outermost of those left is its first or its last one,
 * whichever is further from the middle of the contact. Puts `wanted` of them in front. */
static void choose_outermost(thud_punch *punch, thud_index count, thud_index wanted) {
  const double *x = punch->plane->middle;
  double middle = 0.5 * (x[punch->contact[0]] + x[punch->contact[punch->contact_count - 1]]);
  thud_index first = 0, last = count - 1;
  while (count - (last - first + 1) < wanted) {
    if (fabs(x[punch->changes[first]] - middle) > fabs(x[punch->changes[last]] - middle))
      first++;
    else
      last--;
  }
  for (thud_index k = last + 1; k < count; k++) punch->changes[first++] = punch->changes[k];
}

/* The shift is known only while something sticks. When the changes would leave nothing, the stuck element that is least
 * over its limit goes on sticking; when it was the only one, the stick zone is smaller than an element and moves: its
 * excess has to be taken by an element that slips the other way, the one that slips least. */
static void keep_one_stuck(thud_punch *punch) {
  if (punch->sliding != 0 || punch->drive.shift_given) return;
  for (thud_index i = 0; i < punch->n; i++)
    if (punch->state[i] == THUD_PUNCH_STICK) return;
  thud_index best = -1, only = punch->stick_count == 1 ? punch->stick[0] : -1;
  double least = INFINITY;
  for (thud_index k = 0; k < punch->contact_count; k++) {
    thud_index i = punch->contact[k];
    double excess = only < 0 ? fabs(punch->t[i]) - punch->friction * punch->f[i] : fabs(punch->slip[i]);
    bool allowed = only < 0 || (i != only && punch->state[i] == -punch->state[only]);
    if (allowed && excess < least) best = i, least = excess;
  }
  if (best < 0) best = only >= 0 ? only : punch->contact[punch->contact_count / 2];
  punch->state[best] = THUD_PUNCH_STICK;
}

/* Edges that move by one element per sweep (a stick zone grows only at its edges) move further: when the few changes lie
 * exactly where those of the last sweep have ended, twice as far as then. */
typedef struct edge_moves {
  thud_index last[FEW_CHANGES];
  thud_index count, stride;
} edge_moves;

static void follow_edges(const thud_punch *punch, thud_index count, edge_moves *moves) {
  bool goes_on = count <= FEW_CHANGES && count == moves->count;
  for (thud_index k = 0; k < count && goes_on; k++) {
    thud_index moved = punch->changes[k] - moves->last[k];
    goes_on = moved == moves->stride || moved == -moves->stride;
  }
  moves->stride = goes_on ? 2 * moves->stride : 1;
  moves->count = count <= FEW_CHANGES ? count : 0;
}

/* With a given moment two elements must touch, on both sides of where the resultant acts: else tilt has no equation. */
static void keep_two_touching(thud_punch *punch) {
  const double *x = punch->plane->middle, place = punch->pivot + punch->moment;
  thud_index touching = 0, left = 0;
  for (thud_index i = 0; i < punch->n; i++) {
    touching += punch->state[i] != THUD_PUNCH_OPEN;
    if (x[i] <= place && i + 1 < punch->n) left = i;
  }
  signed char state = punch->sliding != 0 ? THUD_PUNCH_FORWARD : THUD_PUNCH_STICK;
  for (thud_index i = left; touching < 2 && i <= left + 1; i++)
    if (punch->state[i] == THUD_PUNCH_OPEN) punch->state[i] = state;
}

/* Edges that were moved too far can open everything: then the element that was pressed most stays. */
void thud_punch_keep_touching(thud_punch *punch) {
  thud_index most = 0;
  bool touches = false;
  if (punch->drive.moment_given) keep_two_touching(punch);
  for (thud_index i = 0; i < punch->n; i++) {
    touches = touches || punch->state[i] != THUD_PUNCH_OPEN;
    if (punch->f[i] > punch->f[most]) most = i;
  }
  if (!touches) punch->state[most] = punch->sliding != 0 ? THUD_PUNCH_FORWARD : THUD_PUNCH_STICK;
}

static void change(thud_punch *punch, thud_index count, edge_moves *moves) {
  double length = displacement_scale(punch), force = force_scale(punch);
  for (thud_index k = 0; k < count; k++) {
    thud_index i = punch->changes[k], step = k < moves->count && i < moves->last[k] ? -1 : 1;
    signed char wanted = 0, state = punch->state[i];
    violation(punch, i, length, force, &wanted);
    for (thud_index taken = 0; taken < moves->stride && i >= 0 && i < punch->n; taken++, i += step) {
      if (punch->state[i] != state) break;
      punch->state[i] = wanted;
    }
    if (k < FEW_CHANGES) moves->last[k] = punch->changes[k];
  }
  thud_punch_keep_touching(punch);
  keep_one_stuck(punch);
}

thud_error thud_punch_find_states(thud_punch *punch, int *sweeps, bool *found) {
  int pace = 0, careful = 0;
  thud_random random = thud_random_seed(1);
  edge_moves moves = {.stride = 1};
  *found = false;
  punch->visited_count = 0;
  while (*sweeps < punch->options.sweeps) {
    bool seen = false;
    thud_error error = thud_punch_solve_states(punch);
    if (error == THUD_OK) error = remember(punch, &seen);
    if (error != THUD_OK) return error;
    ++*sweeps;
    thud_index count = list_changes(punch);
    if (count == 0) {
      *found = true;
      return THUD_OK;
    }
    if (seen) {
      pace++;
      punch->visited_count = 0;
      careful = CAREFUL_SWEEPS << (pace < 20 ? pace : 20);
    }
    thud_index wanted = careful == 0 ? count : pace < OUTERMOST ? (count + 3) / 4 : 1;
    if (pace > OUTERMOST && careful > 0)
      punch->changes[0] = punch->changes[thud_random_below(&random, (uint32_t)count)];
    else if (wanted < count)
      choose_outermost(punch, count, wanted);
    follow_edges(punch, wanted, &moves);
    if (careful > 0) moves.stride = 1, careful--;
    change(punch, wanted, &moves);
  }
  return THUD_OK;
}
