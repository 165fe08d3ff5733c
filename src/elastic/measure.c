/* Nodal forces as a measure: a density and atoms. */
#include "base/base.h"
#include "elastic/line.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double atom_factor = 4;      /* an atom's force per cell against the median of its zone */
static const double loaded_factor = 1e-9; /* what counts as loaded, relative to the largest nodal force */
enum {
  ISOLATED = 2,   /* most loaded nodes of an isolated contact point */
  REACH = 4,      /* loaded nodes on either side of an atom that share in it */
  STRING_GAP = 1, /* most unloaded nodes between two of one zone */
  /* A beam that leaves a flat obstacle at c, a distance d < h off the node that carries the atom, is a little inclined
   * there and lifts off once more behind it, over (12 c d^2)^(1/3). */
  BEAM_GAP = 16
};

/* Length that belongs to node i: half of both cells. */
static double share(const thud_line *line, thud_index i) {
  double left = i > 0 ? line->x[i] - line->x[i - 1] : 0;
  double right = i + 1 < line->n ? line->x[i + 1] - line->x[i] : 0;
  return (left + right) / 2;
}

static int compare_numbers(const void *a, const void *b) {
  double p = *(const double *)a, q = *(const double *)b;
  return (p > q) - (p < q);
}

/* One zone: loaded nodes with few unloaded ones between neighbours. */
typedef struct zone {
  const double *s;
  thud_index first, last;
  double least; /* what counts as loaded */
  double level; /* median of the force per length of the loaded nodes; 0: an isolated contact point */
} zone;

/* Fills in the level. */
static void find_level(thud_line *line, zone *z) {
  size_t count = 0;
  for (thud_index i = z->first; i <= z->last; i++)
    if (z->s[i] > z->least) line->work[count++] = z->s[i] / share(line, i);
  qsort(line->work, count, sizeof *line->work, compare_numbers);
  z->level = count <= ISOLATED ? 0 : line->work[count / 2];
}

/* What the density gives node i: the zone ends at its outer nodes. */
static double own_force(const thud_line *line, const zone *z, thud_index i) {
  double left = i > z->first ? line->x[i] - line->x[i - 1] : 0;
  double right = i < z->last ? line->x[i + 1] - line->x[i] : 0;
  return z->level * (left + right) / 2;
}

static bool is_atom(const thud_line *line, const zone *z, thud_index i) {
  return z->s[i] > z->least && z->s[i] > atom_factor * z->level * share(line, i);
}

/* The excess of the nodes from..to as one atom. A beam that leaves an obstacle between two nodes shares its atom among
 * the nodes nearby with alternating signs, so all of them are added up. */
static thud_line_atom gather(const thud_line *line, const zone *z, thud_index from, thud_index to, double *density) {
  double force = 0, moment = 0, origin = line->x[from];
  for (thud_index i = from; i <= to; i++) {
    double excess = z->s[i] - own_force(line, z, i);
    force += excess;
    moment += excess * (line->x[i] - origin);
    density[i] = z->level;
  }
  return (thud_line_atom){.x = origin + moment / force, .force = force};
}

/* From node i in direction +1 or -1: over unloaded nodes and REACH loaded ones, within the zone. An isolated contact point
 * reaches to its neighbours only. */
static thud_index reach(const zone *z, thud_index i, thud_index direction) {
  int loaded = 0, most = z->level > 0 ? REACH : 0;
  for (thud_index j = i + direction; j >= z->first && j <= z->last && loaded < most; j += direction) {
    loaded += z->s[j] > z->least;
    i = j;
  }
  return i;
}

static size_t split_zone(const thud_line *line, const zone *z, double *density, thud_line_atom *atoms) {
  size_t count = 0;
  thud_index taken = z->first; /* nodes before it belong to an atom already */
  for (thud_index i = z->first; i <= z->last; i++) density[i] = z->s[i] / share(line, i);
  for (thud_index i = z->first; i <= z->last; i++) {
    if (!is_atom(line, z, i)) continue;
    thud_index from = reach(z, i, -1), to = reach(z, i, 1);
    if (from < taken) from = taken;
    for (thud_index j = i + 1; j <= z->last && j <= (to > i ? to : i + 1); j++)
      if (is_atom(line, z, j)) to = reach(z, j, 1);
    atoms[count++] = gather(line, z, from, to, density);
    i = to;
    taken = to + 1;
  }
  return count;
}

thud_error thud_line_measure(thud_line *line, const double *s, double *density, thud_line_atom *atoms,
                             size_t *atom_count) {
  THUD_REQUIRE_OF(line, line->x, s, density, atoms, atom_count);
  double largest = 0;
  size_t count = 0;
  for (thud_index i = 0; i < line->n; i++) {
    if (!(s[i] >= 0) || !isfinite(s[i]))
      return thud_fail(line->context, THUD_ERROR_ARGUMENT, "the force %g of node %td is not a reaction (>= 0)", s[i],
                       (ptrdiff_t)i);
    largest = thud_larger(largest, s[i]);
  }
  memset(density, 0, (size_t)line->n * sizeof *density);
  double least = loaded_factor * largest;
  thud_index gap = line->kind == THUD_LINE_BEAM ? BEAM_GAP : STRING_GAP;
  for (thud_index i = 0; i < line->n; i++) {
    if (!(s[i] > least)) continue;
    thud_index last = i;
    for (thud_index j = i + 1; j < line->n && j <= last + 1 + gap; j++)
      if (s[j] > least) last = j;
    zone z = {.s = s, .first = i, .last = last, .least = least};
    find_level(line, &z);
    count += split_zone(line, &z, density, atoms + count);
    i = last;
  }
  *atom_count = count;
  return THUD_OK;
}
