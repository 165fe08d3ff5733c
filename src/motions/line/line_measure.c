/* Nodal forces as a measure: a density and atoms (the rule is in thud/elastic.h). */
#include "base/base.h"
#include "motions/line/line.h"

#include <math.h>
#include <string.h>

static const double loaded_factor = 1e-9; /* what counts as loaded, relative to the largest nodal force */
/* An atom carries more than so many cells of the density around it: as cells shrink every atom does, and no density. */
static const double atom_factor = 4;
enum {
  STRING_EDGE = 1, /* forces of a string feel their neighbours only */
  BEAM_EDGE = 5,   /* those of a beam feel a disturbance k nodes away by the factor (2 - sqrt 3)^k, here 0.0014 */
  MOST_EDGE = BEAM_EDGE
};

/* What is being split. */
typedef struct splitting {
  thud_line *line;
  const double *s;
  double *density;
  thud_line_atom *atoms;
  size_t count;
  double least;
  thud_index edge;  /* nodes that count as an end of a run */
  thud_index taken; /* nodes up to this one belong to an edge already */
} splitting;

/* Length that belongs to node i: half of both cells. */
static double share(const thud_line *line, thud_index i) {
  double left = i > 0 ? line->x[i] - line->x[i - 1] : 0;
  double right = i + 1 < line->n ? line->x[i + 1] - line->x[i] : 0;
  return (left + right) / 2;
}

static bool is_loaded(const splitting *task, thud_index i) { return task->s[i] > task->least; }
static double level(const splitting *task, thud_index i) { return task->s[i] / share(task->line, i); }

/* Neighbours that are loaded, first..last. */
typedef struct run {
  thud_index first, last;
} run;

static bool is_solid(const splitting *task, run r) { return r.last - r.first >= 2 * task->edge; }

static run run_at(const splitting *task, thud_index i) {
  run r = {.first = i, .last = i};
  while (r.last + 1 < task->line->n && is_loaded(task, r.last + 1)) r.last++;
  return r;
}

/* Median of the force per length of the nodes from..to of a run, at most 6 MOST_EDGE + 1. */
static double median(const splitting *task, thud_index from, thud_index to) {
  double sorted[6 * MOST_EDGE + 1];
  int count = 0;
  for (thud_index i = from; i <= to; i++) {
    double value = level(task, i);
    int k = count++;
    for (; k > 0 && sorted[k - 1] > value; k--) sorted[k] = sorted[k - 1];
    sorted[k] = value;
  }
  return count % 2 == 1 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
}

/* The density around node i of a solid run. */
static double background(const splitting *task, run r, thud_index i) {
  thud_index reach = 3 * task->edge, from = i - r.first > reach ? i - reach : r.first;
  return median(task, from, r.last - i > reach ? i + reach : r.last);
}

static void add_atom(splitting *task, double x, double force) {
  task->atoms[task->count++] = (thud_line_atom){.x = x, .force = force};
}

/* ---- isolated contact points ----------------------------------------------------------------------------------------- */

/* All of it is one atom, at the centroid. */
static void take_point(splitting *task, run r) {
  double force = 0, moment = 0, origin = task->line->x[r.first];
  for (thud_index i = r.first; i <= r.last; i++) {
    force += task->s[i];
    moment += task->s[i] * (task->line->x[i] - origin);
  }
  add_atom(task, origin + moment / force, force);
}

/* ---- atoms inside a solid run ------------------------------------------------------------------------------------------ */

static bool is_peak(const splitting *task, run r, thud_index i, double around) {
  bool left = i == r.first || level(task, i) >= level(task, i - 1),
       right = i == r.last || level(task, i) > level(task, i + 1);
  return left && right && level(task, i) > atom_factor * around;
}

/* Nodes from..to of a run: the excess over the density is an atom when there is a peak. Peaks whose surroundings overlap
 * are one atom. */
static void take_peaks(splitting *task, run r, thud_index from, thud_index to) {
  const double *x = task->line->x;
  for (thud_index i = from; i <= to; i++) task->density[i] = level(task, i);
  for (thud_index i = from; i <= to; i++) {
    double around = background(task, r, i), force = 0, moment = 0;
    if (!is_peak(task, r, i, around)) continue;
    thud_index begin = i - from > task->edge ? i - task->edge : from, end = i;
    for (thud_index j = i; j <= to && j <= end + 2 * task->edge; j++)
      if (is_peak(task, r, j, around)) end = j;
    end = to - end > task->edge ? end + task->edge : to;
    for (thud_index j = begin; j <= end; j++) {
      double excess = task->s[j] - around * share(task->line, j);
      force += excess;
      moment += excess * (x[j] - x[i]);
      task->density[j] = around;
    }
    if (force > 0) add_atom(task, x[i] + moment / force, force);
    i = end;
  }
}

/* ---- where a beam leaves its obstacle ------------------------------------------------------------------------------------ */

/* One end of a solid run, seen in the direction out of it (-1: the left end). */
typedef struct contact_edge {
  run r;
  thud_index direction;
  double rho;      /* the density inside */
  double b;        /* where the edge is taken to end inside */
  thud_index far;  /* the outermost loaded node that belongs to it */
  double F, M;     /* force and moment about b of the nodes beyond b */
  double atom, at; /* found */
} contact_edge;

/* The next loaded nodes beyond i, within the line; false: none, or they are a solid run. */
static bool next_out(const splitting *task, thud_index i, thud_index direction, run *found) {
  for (i += direction; i > task->taken && i < task->line->n; i += direction) {
    if (!is_loaded(task, i)) continue;
    thud_index end = i;
    while (end + direction > task->taken && end + direction < task->line->n && is_loaded(task, end + direction))
      end += direction;
    *found = direction > 0 ? (run){i, end} : (run){end, i};
    return !is_solid(task, *found);
  }
  return false;
}

/* A beam that leaves at c, a distance d <= h (a cell) off the node that carries the atom A, is inclined by A d^2/(2 l) there
 * and lifts off once more behind it until the load, rho in contact, brings it back, at most (24 A h^2/rho)^(1/3) further: a
 * contact point so near belongs to the edge. Twice that is allowed, for obstacles that are not flat. */
static double reach_of(const splitting *task, const contact_edge *edge, thud_index node, double force) {
  double h = share(task->line, node);
  return 2 * (2 * h + cbrt(24 * force * h * h / edge->rho));
}

static void gather_edge(const splitting *task, contact_edge *edge) {
  const double *x = task->line->x;
  thud_index end = edge->direction < 0 ? edge->r.first : edge->r.last, inner = end - edge->direction * task->edge,
             j = end;
  double sum = 0;
  run found;
  edge->rho = edge->direction < 0
                  ? median(task, inner, inner + task->edge < edge->r.last ? inner + task->edge : edge->r.last)
                  : median(task, inner - task->edge > edge->r.first ? inner - task->edge : edge->r.first, inner);
  edge->b = (x[inner] + x[inner + edge->direction]) / 2;
  edge->far = end;
  while (next_out(task, j, edge->direction, &found)) {
    for (thud_index i = found.first; i <= found.last; i++) sum += task->s[i];
    j = edge->direction < 0 ? found.first : found.last;
    double from = fabs(x[edge->direction < 0 ? found.last : found.first] - x[end]);
    if (from > reach_of(task, edge, j, sum)) break;
    edge->far = j;
  }
  for (j = inner + edge->direction; j != edge->far + edge->direction; j += edge->direction) {
    edge->F += task->s[j];
    edge->M += task->s[j] * fabs(x[j] - edge->b);
  }
}

/* The atom A at c and the density rho from c to b have the force and the moment of the nodes:
 *   A + rho w = F,  A w + rho w^2/2 = M,  w = |b - c|:  A^2 = F^2 - 2 rho M
 * so that the free part of the beam is in equilibrium with them. */
static void find_edge(const splitting *task, contact_edge *edge) {
  gather_edge(task, edge);
  double square = edge->F * edge->F - 2 * edge->rho * edge->M, cell = share(task->line, edge->far);
  edge->atom = square > 0 ? sqrt(square) : 0;
  if (!(edge->atom > atom_factor * edge->rho * cell)) edge->atom = 0;
  edge->at = edge->b + (double)edge->direction * (edge->F - edge->atom) / edge->rho;
}

/* The density from the edge inwards; what belongs to it otherwise is used up. */
static void spread_edge(splitting *task, const contact_edge *edge) {
  const double *x = task->line->x;
  thud_index end = edge->direction < 0 ? edge->r.first : edge->r.last, inner = end - edge->direction * task->edge;
  for (thud_index j = inner + edge->direction; j != edge->far + edge->direction; j += edge->direction)
    task->density[j] = (double)edge->direction * (x[j] - edge->at) <= 0 ? edge->rho : 0;
}

static thud_index take_solid(splitting *task, run r) {
  contact_edge left = {.r = r, .direction = -1}, right = {.r = r, .direction = 1};
  if (task->line->kind == THUD_LINE_STRING) {
    take_peaks(task, r, r.first, r.last);
    return r.last;
  }
  find_edge(task, &left);
  find_edge(task, &right);
  while (task->count > 0 && task->atoms[task->count - 1].x >= task->line->x[left.far]) task->count--;
  if (left.atom > 0) add_atom(task, left.at, left.atom);
  take_peaks(task, r, r.first + task->edge, r.last - task->edge);
  if (right.atom > 0) add_atom(task, right.at, right.atom);
  spread_edge(task, &left);
  spread_edge(task, &right);
  task->taken = right.far;
  return right.far;
}

/* ---- all of it -------------------------------------------------------------------------------------------------------------- */

static thud_error look_at_forces(splitting *task) {
  double largest = 0;
  for (thud_index i = 0; i < task->line->n; i++) {
    if (!(task->s[i] >= 0) || !isfinite(task->s[i]))
      return thud_fail(task->line->context, THUD_ERROR_ARGUMENT, "the force %g of node %td is not a reaction (>= 0)",
                       task->s[i], (ptrdiff_t)i);
    largest = thud_larger(largest, task->s[i]);
  }
  task->least = loaded_factor * largest;
  return THUD_OK;
}

thud_error thud_line_measure(thud_line *line, const double *s, double *density, thud_line_atom *atoms,
                             size_t *atom_count) {
  THUD_REQUIRE_OF(line, line->x, s, density, atoms, atom_count);
  bool beam = line->kind == THUD_LINE_BEAM;
  splitting task = {
      .line = line, .s = s, .density = density, .atoms = atoms, .edge = beam ? BEAM_EDGE : STRING_EDGE, .taken = -1};
  thud_error error = look_at_forces(&task);
  if (error != THUD_OK) return error;
  memset(density, 0, (size_t)line->n * sizeof *density);
  for (thud_index i = 0; i < line->n; i++) {
    if (!is_loaded(&task, i)) continue;
    run r = run_at(&task, i);
    i = r.last;
    if (is_solid(&task, r))
      i = take_solid(&task, r);
    else
      take_point(&task, r); /* until an edge behind it claims it */
  }
  *atom_count = task.count;
  return THUD_OK;
}
