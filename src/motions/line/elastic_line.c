/* Lines: stiffness, loads shared out by the shape functions, distances; reactions as measures, fronts of fields. */
#include "base/base.h"
#include "motions/line/elastic_line.h"

#include <math.h>
#include <string.h>

/* ---- shape functions --------------------------------------------------------------------------------------------- */

/* Values at the fraction z of a cell of length h, of the freedoms of its left node, then of its right one; returns how
 * many: 2 (linear) or 4 (Hermite: value, slope). */
static int shape(thud_index per_node, double h, double z, double values[4]) {
  if (per_node == 1) {
    values[0] = 1 - z;
    values[1] = z;
    return 2;
  }
  values[0] = (1 + 2 * z) * (1 - z) * (1 - z);
  values[1] = h * z * (1 - z) * (1 - z);
  values[2] = z * z * (3 - 2 * z);
  values[3] = -h * z * z * (1 - z);
  return 4;
}

/* Cell c = [x_c, x_{c+1}] that contains x, which is on the line. */
static thud_index cell_of(const thud_line *line, double x) {
  thud_index low = 0, high = line->n - 1;
  while (high - low > 1) {
    thud_index middle = low + (high - low) / 2;
    if (line->x[middle] <= x)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static thud_index per_node(const thud_line *line, thud_line_direction direction) {
  return direction == THUD_LINE_TRANSVERSE ? line->per_node : 1;
}

static void add_in_cell(const thud_line *line, thud_index freedoms, thud_index cell, double x, double force,
                        double *forces) {
  double values[4], h = line->x[cell + 1] - line->x[cell];
  int count = shape(freedoms, h, (x - line->x[cell]) / h, values);
  for (int k = 0; k < count; k++) forces[cell * freedoms + k] += force * values[k];
}

thud_error thud_line_add_atom(const thud_line *line, thud_line_direction direction, double x, double force,
                              double *forces) {
  THUD_REQUIRE_OF(line, line->x, forces);
  if (!(x >= line->x[0] && x <= line->x[line->n - 1]) || !isfinite(force))
    return thud_fail(line->context, THUD_ERROR_ARGUMENT,
                     "[not-finite] a point force of %g at x = %g: the line goes from %g to %g, forces are finite",
                     force, x, line->x[0], line->x[line->n - 1]);
  add_in_cell(line, per_node(line, direction), cell_of(line, x), x, force, forces);
  return THUD_OK;
}

/* Three Gauss points: exact for a linear density times a cubic. */
static void add_piece(const thud_line *line, thud_index freedoms, thud_index cell, double from, double to,
                      const double density[2], double *forces) {
  static const double places[3] = {-0.77459666924148337704, 0, 0.77459666924148337704};
  static const double weights[3] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
  double middle = (from + to) / 2, half = (to - from) / 2;
  for (int k = 0; k < 3; k++) {
    double x = middle + half * places[k], share = (1 + places[k]) / 2;
    double value = density[0] + share * (density[1] - density[0]);
    add_in_cell(line, freedoms, cell, x, 2 * half * weights[k] * value, forces);
  }
}

thud_error thud_line_add_density(const thud_line *line, thud_line_direction direction, double from, double to,
                                 double density_from, double density_to, double *forces) {
  THUD_REQUIRE_OF(line, line->x, forces);
  if (!(from <= to) || !isfinite(from) || !isfinite(to) || !isfinite(density_from) || !isfinite(density_to))
    return thud_fail(line->context, THUD_ERROR_ARGUMENT,
                     "[not-finite] a density from x = %g (%g) to %g (%g): numbers are finite and the places in order",
                     from, density_from, to, density_to);
  double slope = to > from ? (density_to - density_from) / (to - from) : 0;
  double first = fmax(from, line->x[0]), last = fmin(to, line->x[line->n - 1]);
  if (!(first < last)) return THUD_OK;
  for (thud_index cell = cell_of(line, first); cell < line->n - 1 && line->x[cell] < last; cell++) {
    double left = fmax(first, line->x[cell]), right = fmin(last, line->x[cell + 1]);
    const double density[2] = {density_from + slope * (left - from), density_from + slope * (right - from)};
    add_piece(line, per_node(line, direction), cell, left, right, density, forces);
  }
  return THUD_OK;
}

double thud_line_distance(const thud_line *line, const double *a, const double *b) {
  THUD_REQUIRE_OR(NAN, line, line->x, a);
  double sum = 0;
  for (thud_index i = 0; i + 1 < line->n; i++) {
    double rise = a[i + 1] - a[i] - (b != NULL ? b[i + 1] - b[i] : 0);
    sum += rise * rise / (line->x[i + 1] - line->x[i]);
  }
  return sqrt(sum);
}

/* ---- making one -------------------------------------------------------------------------------------------------- */

static thud_error check_definition(thud_context *context, const thud_line_definition *given) {
  if (given->kind != THUD_LINE_STRING && given->kind != THUD_LINE_BEAM)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "a line is a string or a beam, not number %d", (int)given->kind);
  if (given->nodes < 2)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[out-of-range] a line has at least 2 nodes, not %td",
                     (ptrdiff_t)given->nodes);
  if (!(given->stiffness > 0) || !isfinite(given->stiffness) || !(given->extension > 0) || !isfinite(given->extension))
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[out-of-range] stiffness %g and extension %g must be positive",
                     given->stiffness, given->extension);
  if (given->x == NULL) return thud_fail(context, THUD_ERROR_ARGUMENT, "the nodes of the line have no places");
  for (thud_index i = 0; i < given->nodes; i++)
    if (!isfinite(given->x[i]) || (i > 0 && !(given->x[i] > given->x[i - 1])))
      return thud_fail(context, THUD_ERROR_ARGUMENT, "[not-finite] node %td at x = %g: places are finite and increase",
                       (ptrdiff_t)i, given->x[i]);
  return THUD_OK;
}

/* Adds stiffness times the matrix of one cell, size x size, whose first freedom is number `at`. */
static void add_cell(elastic_kinks *kinks, thud_index at, int size, double stiffness, const double *cell) {
  for (int i = 0; i < size; i++)
    for (int j = 0; j <= i; j++) kinks->K[(at + i) * (kinks->band + 1) + i - j] += stiffness * cell[i * size + j];
}

static void assemble_linear(const thud_line *line, double stiffness, elastic_kinks *kinks) {
  for (thud_index c = 0; c + 1 < line->n; c++) {
    double h = line->x[c + 1] - line->x[c];
    add_cell(kinks, c, 2, stiffness / h, (const double[]){1, -1, -1, 1});
  }
}

static void assemble_cubic(const thud_line *line, double stiffness, elastic_kinks *kinks) {
  for (thud_index c = 0; c + 1 < line->n; c++) {
    double h = line->x[c + 1] - line->x[c];
    const double cell[16] = {12,  6 * h,  -12, 6 * h,  6 * h, 4 * h * h, -6 * h, 2 * h * h,
                             -12, -6 * h, 12,  -6 * h, 6 * h, 2 * h * h, -6 * h, 4 * h * h};
    add_cell(kinks, 2 * c, 4, stiffness / (h * h * h), cell);
  }
}

enum { SLIP_BREAKS = 4 };

static thud_error allocate(thud_line *line) {
  size_t n = (size_t)line->n, freedoms;
  if (!thud_size_multiply(n, (size_t)line->per_node, &freedoms))
    return thud_fail(line->context, THUD_ERROR_MEMORY, "a line of %zu nodes is too large", n);
  line->x = THUD_NEW_ARRAY(line->context, double, n);
  line->kink = THUD_NEW_ARRAY(line->context, double, freedoms);
  line->lower = THUD_NEW_ARRAY(line->context, double, freedoms);
  line->upper = THUD_NEW_ARRAY(line->context, double, freedoms);
  line->reaction = THUD_NEW_ARRAY(line->context, double, freedoms);
  line->work = THUD_NEW_ARRAY(line->context, double, freedoms);
  line->chain = THUD_NEW_ARRAY(line->context, thud_index, n);
  line->slip = THUD_NEW_ARRAY(line->context, elastic_slip_break, SLIP_BREAKS * n);
  if (line->x == NULL || line->kink == NULL || line->lower == NULL || line->upper == NULL || line->reaction == NULL ||
      line->work == NULL || line->chain == NULL || line->slip == NULL)
    return THUD_ERROR_MEMORY;
  thud_error error =
      thud_kinks_create(line->context, line->per_node * line->n, 2 * line->per_node - 1, &line->transverse);
  if (error == THUD_OK) error = thud_kinks_create(line->context, line->n, 1, &line->longitudinal);
  return error;
}

thud_error thud_line_create(thud_context *context, const thud_line_definition *definition, thud_line **line) {
  THUD_REQUIRE(context, context, definition, line);
  thud_error error = check_definition(context, definition);
  if (error != THUD_OK) return error;
  thud_line *made = THUD_NEW(context, thud_line);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->context = context;
  made->kind = definition->kind;
  made->n = definition->nodes;
  made->extension = definition->extension;
  made->per_node = definition->kind == THUD_LINE_BEAM ? 2 : 1;
  error = allocate(made);
  if (error != THUD_OK) {
    thud_line_destroy(made);
    return error;
  }
  memcpy(made->x, definition->x, (size_t)made->n * sizeof *made->x);
  assemble_linear(made, definition->extension, &made->longitudinal);
  if (made->kind == THUD_LINE_BEAM)
    assemble_cubic(made, definition->stiffness, &made->transverse);
  else
    assemble_linear(made, definition->stiffness, &made->transverse);
  *line = made;
  return THUD_OK;
}

void thud_line_destroy(thud_line *line) {
  if (line == NULL) return;
  thud_context *context = line->context;
  thud_kinks_destroy(&line->transverse);
  thud_kinks_destroy(&line->longitudinal);
  thud_free(context, line->x);
  thud_free(context, line->kink);
  thud_free(context, line->lower);
  thud_free(context, line->upper);
  thud_free(context, line->reaction);
  thud_free(context, line->work);
  thud_free(context, line->chain);
  thud_free(context, line->slip);
  thud_free(context, line);
}

thud_index thud_line_freedoms(const thud_line *line, thud_line_direction direction) {
  THUD_REQUIRE_OR(0, line);
  return line->n * per_node(line, direction);
}

/* ---- nodal forces as a measure ----------------------------------------------------------------------------------- */

/* Nodal forces as a measure: a density and atoms (the rule is in thud/elastic.h). */

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

/* ---- isolated contact points ------------------------------------------------------------------------------------- */

/* All of it is one atom, at the centroid. */
static void take_point(splitting *task, run r) {
  double force = 0, moment = 0, origin = task->line->x[r.first];
  for (thud_index i = r.first; i <= r.last; i++) {
    force += task->s[i];
    moment += task->s[i] * (task->line->x[i] - origin);
  }
  add_atom(task, origin + moment / force, force);
}

/* ---- atoms inside a solid run ------------------------------------------------------------------------------------ */

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

/* ---- where a beam leaves its obstacle ---------------------------------------------------------------------------- */

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

/* ---- the measure as a whole -------------------------------------------------------------------------------------- */

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

/* ---- where a field along a line jumps ---------------------------------------------------------------------------- */

static const double WIDEST = 0.1;    /* part of the line that a front may take */
static const double ROUNDING = 1e-9; /* part of a field that no jump is below */

static double slope(const thud_line *line, const double *w, thud_index c) {
  return (w[c + 1] - w[c]) / (line->x[c + 1] - line->x[c]);
}

bool thud_line_find_front(const thud_line *line, const double *w, double *x, double *size) {
  THUD_REQUIRE_OR(false, line, line->x, w, x, size);
  thud_index cells = line->n - 1, steepest = 0, first, last;
  double low = w[0], high = w[0], sum = 0, moment = 0;
  for (thud_index c = 0; c < cells; c++) {
    if (fabs(slope(line, w, c)) > fabs(slope(line, w, steepest))) steepest = c;
    low = fmin(low, w[c + 1]);
    high = fmax(high, w[c + 1]);
  }
  double half = slope(line, w, steepest) / 2, sign = half < 0 ? -1 : 1;
  for (first = steepest; first > 0 && sign * slope(line, w, first - 1) >= fabs(half);) first--;
  for (last = steepest; last + 1 < cells && sign * slope(line, w, last + 1) >= fabs(half);) last++;
  for (thud_index c = first; c <= last; c++) {
    double change = w[c + 1] - w[c];
    sum += change;
    moment += change * (line->x[c] + line->x[c + 1]) / 2;
  }
  bool narrow = line->x[last + 1] - line->x[first] <= WIDEST * (line->x[cells] - line->x[0]);
  double rounding = ROUNDING * fmax(fabs(low), fabs(high));
  if (!narrow || !(fabs(sum) >= (high - low) / 2) || !(fabs(sum) > rounding)) return false;
  *x = moment / sum;
  *size = sum;
  return true;
}
