/* The reaction of an obstacle as a measure: the checker's own way to the atoms, by the rule of thud/elastic.h. Zones are
 * listed first, each with the nodes that belong to it, then every zone gives its atoms. */
#include "verify/line/verify_line.h"

#include <math.h>

typedef struct atom_finder {
  const verify_line *line;
  const double *s;
  double least;
  size_t ends; /* nodes at an end of a zone: 1, of beams 5 */
  double *atoms;
  size_t count;
} atom_finder;

static double cell(const atom_finder *f, size_t i) {
  const double *x = f->line->x;
  size_t n = f->line->n;
  return ((i + 1 < n ? x[i + 1] : x[i]) - (i > 0 ? x[i - 1] : x[i])) / 2;
}

static bool loaded(const atom_finder *f, size_t i) { return f->s[i] > f->least; }
static double per_length(const atom_finder *f, size_t i) { return f->s[i] / cell(f, i); }

/* The value with as many below as above it, from..to, by counting. */
static double middle_value(const atom_finder *f, size_t from, size_t to) {
  size_t count = to - from + 1;
  double low = NAN, high = NAN;
  for (size_t i = from; i <= to; i++) {
    size_t below = 0, same = 0;
    for (size_t j = from; j <= to; j++) {
      below += per_length(f, j) < per_length(f, i);
      same += per_length(f, j) == per_length(f, i);
    }
    if (below <= (count - 1) / 2 && (count - 1) / 2 < below + same) low = per_length(f, i);
    if (below <= count / 2 && count / 2 < below + same) high = per_length(f, i);
  }
  return (low + high) / 2;
}

static void put(atom_finder *f, double x, double force) {
  f->atoms[2 * f->count] = x;
  f->atoms[2 * f->count++ + 1] = force;
}

/* Last of the loaded neighbours that begin with i. */
static size_t end_of(const atom_finder *f, size_t i) {
  while (i + 1 < f->line->n && loaded(f, i + 1)) i++;
  return i;
}

static bool is_zone(const atom_finder *f, size_t first, size_t last) { return last - first >= 2 * f->ends; }

static void put_point(atom_finder *f, size_t first, size_t last) {
  double force = 0, moment = 0;
  for (size_t i = first; i <= last; i++) {
    force += f->s[i];
    moment += f->s[i] * (f->line->x[i] - f->line->x[first]);
  }
  put(f, f->line->x[first] + moment / force, force);
}

/* ---- inside zones -------------------------------------------------------------------------------------------------------- */

static double around(const atom_finder *f, size_t first, size_t last, size_t i) {
  size_t reach = 3 * f->ends;
  return middle_value(f, i > first + reach ? i - reach : first, i + reach < last ? i + reach : last);
}

static bool stands_out(const atom_finder *f, size_t first, size_t last, size_t i, double density) {
  if (i > first && per_length(f, i - 1) > per_length(f, i)) return false;
  if (i < last && per_length(f, i + 1) >= per_length(f, i)) return false;
  return per_length(f, i) > 4 * density;
}

static void put_peaks(atom_finder *f, size_t first, size_t last, size_t from, size_t to) {
  for (size_t i = from; i <= to; i++) {
    if (i > first && per_length(f, i - 1) > per_length(f, i)) continue; /* no peak: no need to look around */
    double density = around(f, first, last, i), force = 0, moment = 0;
    if (!stands_out(f, first, last, i, density)) continue;
    size_t begin = i > from + f->ends ? i - f->ends : from, end = i;
    for (size_t j = i; j <= to && j <= end + 2 * f->ends; j++)
      if (stands_out(f, first, last, j, density)) end = j;
    end = end + f->ends < to ? end + f->ends : to;
    for (size_t j = begin; j <= end; j++) {
      double excess = f->s[j] - density * cell(f, j);
      force += excess;
      moment += excess * (f->line->x[j] - f->line->x[i]);
    }
    if (force > 0) put(f, f->line->x[i] + moment / force, force);
    i = end;
  }
}

/* ---- where a beam leaves ---------------------------------------------------------------------------------------------------- */

typedef struct zone_end {
  size_t far; /* the outermost node that belongs to it */
  double x, force;
} zone_end;

static double reach_of(const atom_finder *f, size_t node, double force, double rho) {
  double h = cell(f, node);
  return 2 * (2 * h + cbrt(24 * force * h * h / rho));
}

/* Contact points to the left of `first`, not beyond `taken` nodes, as far as they belong to the zone. */
static size_t far_left(const atom_finder *f, size_t first, size_t taken, double rho) {
  size_t far = first;
  double sum = 0;
  for (size_t i = first; i-- > taken;) {
    if (!loaded(f, i)) continue;
    size_t right = i;
    while (i > taken && loaded(f, i - 1)) i--;
    if (is_zone(f, i, right)) break;
    for (size_t j = i; j <= right; j++) sum += f->s[j];
    if (f->line->x[first] - f->line->x[right] > reach_of(f, i, sum, rho)) break;
    far = i;
  }
  return far;
}

static size_t far_right(const atom_finder *f, size_t last, double rho) {
  size_t far = last;
  double sum = 0;
  for (size_t i = last + 1; i < f->line->n; i++) {
    if (!loaded(f, i)) continue;
    size_t left = i;
    i = end_of(f, i);
    if (is_zone(f, left, i)) break;
    for (size_t j = left; j <= i; j++) sum += f->s[j];
    if (f->line->x[left] - f->line->x[last] > reach_of(f, i, sum, rho)) break;
    far = i;
  }
  return far;
}

/* The nodes from..to, beyond the place b, as an atom and the density rho: force and moment about b are the same. */
static void settle(const atom_finder *f, size_t from, size_t to, double b, double rho, double outwards, zone_end *end) {
  double force = 0, moment = 0;
  for (size_t i = from; i <= to; i++) {
    force += f->s[i];
    moment += f->s[i] * fabs(f->line->x[i] - b);
  }
  double square = force * force - 2 * rho * moment;
  end->force = square > 0 ? sqrt(square) : 0;
  if (!(end->force > 4 * rho * cell(f, end->far))) end->force = 0;
  end->x = b + outwards * (force - end->force) / rho;
}

static zone_end left_end(const atom_finder *f, size_t first, size_t last, size_t taken) {
  size_t inner = first + f->ends;
  double rho = middle_value(f, inner, inner + f->ends < last ? inner + f->ends : last);
  zone_end end = {.far = far_left(f, first, taken, rho)};
  settle(f, end.far, inner - 1, (f->line->x[inner] + f->line->x[inner - 1]) / 2, rho, -1, &end);
  return end;
}

static zone_end right_end(const atom_finder *f, size_t first, size_t last) {
  size_t inner = last - f->ends;
  double rho = middle_value(f, inner > first + f->ends ? inner - f->ends : first, inner);
  zone_end end = {.far = far_right(f, last, rho)};
  settle(f, inner + 1, end.far, (f->line->x[inner] + f->line->x[inner + 1]) / 2, rho, 1, &end);
  return end;
}

/* Returns the last node of the zone and its ends. */
static size_t put_zone(atom_finder *f, size_t first, size_t last, size_t taken) {
  if (!f->line->beam) {
    put_peaks(f, first, last, first, last);
    return last;
  }
  zone_end left = left_end(f, first, last, taken), right = right_end(f, first, last);
  while (f->count > 0 && f->atoms[2 * f->count - 2] >= f->line->x[left.far]) f->count--;
  if (left.force > 0) put(f, left.x, left.force);
  put_peaks(f, first, last, first + f->ends, last - f->ends);
  if (right.force > 0) put(f, right.x, right.force);
  return right.far;
}

size_t thud_verify_line_atoms(const verify_line *line, const double *s, double *atoms) {
  atom_finder f = {.line = line, .s = s, .ends = line->beam ? 5 : 1, .atoms = atoms};
  size_t taken = 0;
  for (size_t i = 0; i < line->n; i++) f.least = fmax(f.least, 1e-9 * s[i]);
  for (size_t i = 0; i < line->n; i++) {
    if (!loaded(&f, i)) continue;
    size_t last = end_of(&f, i);
    if (is_zone(&f, i, last)) {
      last = put_zone(&f, i, last, taken);
      taken = last + 1;
    } else {
      put_point(&f, i, last);
    }
    i = last;
  }
  return f.count;
}
