/* Loads by cells, and the shape of a line under loads and reactions by integration from its left end. */
#include "verify/line/verify_line.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- loads ------------------------------------------------------------------------------------------------------------- */

static size_t cell_at(const verify_line *line, double x) {
  size_t k = thud_verify_times_before(line->x, line->n, x);
  if (k < line->n && line->x[k] == x) k++;
  return k == 0 ? 0 : k >= line->n ? line->n - 2 : k - 1;
}

static void add_atom(const verify_line *line, double x, double force, verify_line_cells *cells) {
  size_t c = cell_at(line, x);
  double y = line->x[c + 1] - x, *G = cells->G[c];
  G[0] += force;
  G[1] += force * y;
  G[2] += force * y * y / 2;
  G[3] += force * y * y * y / 6;
  cells->size += fabs(force);
}

/* The density p + q y from a to b within cell c: antiderivatives in y. */
static void add_piece(const verify_line *line, size_t c, double a, double b, double density_a, double density_b,
                      verify_line_cells *cells) {
  if (!(b > a)) return;
  double far = line->x[c + 1] - a, near = line->x[c + 1] - b, q = (density_a - density_b) / (b - a);
  double p = density_b - q * near, factorial = 1, high = 1, low = 1;
  for (int m = 0; m < 4; m++) {
    high *= far, low *= near;
    if (m > 0) factorial *= m;
    cells->G[c][m] += (p * (high - low) / (m + 1) + q * (high * far - low * near) / (m + 2)) / factorial;
  }
  cells->size += (fabs(density_a) + fabs(density_b)) / 2 * (b - a);
}

static void add_spread(const verify_line *line, double from, double to, double density, verify_line_cells *cells) {
  double first = fmax(from, line->x[0]), last = fmin(to, line->x[line->n - 1]);
  if (!(first < last)) return;
  for (size_t c = cell_at(line, first); c + 1 < line->n && line->x[c] < last; c++)
    add_piece(line, c, fmax(first, line->x[c]), fmin(last, line->x[c + 1]), density, density, cells);
}

void thud_verify_line_loads(const verify_line *line, bool along, double t, thud_side side, verify_line_cells *cells) {
  const verify_scene *scene = &line->scene;
  memset(cells->G, 0, (line->n - 1) * sizeof *cells->G);
  cells->size = 0;
  for (size_t k = 0; k < line->load_count; k++) {
    const verify_line_load *load = &line->loads[k];
    if (load->along != along) continue;
    double first = thud_verify_value_at(scene, &scene->values[load->first], t, side);
    for (size_t c = 0; load->density != NULL && c + 1 < line->n; c++)
      add_piece(line, c, line->x[c], line->x[c + 1], first * load->density[c], first * load->density[c + 1], cells);
    if (load->density != NULL) continue;
    double force = thud_verify_value_at(scene, &scene->values[load->first + 1], t, side);
    if (load->width > 0)
      add_spread(line, first - load->width / 2, first + load->width / 2, force / load->width, cells);
    else
      add_atom(line, first, force, cells);
  }
}

/* ---- shapes ------------------------------------------------------------------------------------------------------------ */

/* Straight lines do not change curvature: the last end gets its value. */
static void set_end(const verify_line *line, double right, double *w) {
  size_t last = line->n - 1;
  double miss = right - w[last], length = line->x[last] - line->x[0];
  for (size_t i = 1; i <= last; i++) w[i] += miss * (line->x[i] - line->x[0]) / length;
}

/* T w'' = -(loads and forces) */
static void shape_string(const verify_line *line, double T, const verify_line_cells *cells, const double *forces,
                         double *w) {
  double slope = 0;
  for (size_t c = 0; c + 1 < line->n; c++) {
    w[c + 1] = w[c] + slope * (line->x[c + 1] - line->x[c]) - cells->G[c][1] / T;
    slope -= (cells->G[c][0] + forces[c + 1]) / T;
  }
}

/* The shear force at the left end with which the moment at the right one vanishes. */
static double left_shear(const verify_line *line, const verify_line_cells *cells, const double *forces) {
  double right = line->x[line->n - 1], moment = 0;
  for (size_t c = 0; c + 1 < line->n; c++)
    moment += cells->G[c][1] + cells->G[c][0] * (right - line->x[c + 1]) + forces[c + 1] * (right - line->x[c + 1]);
  return -moment / (right - line->x[0]);
}

/* l w'''' = loads and forces, w'' = 0 at both ends */
static void shape_beam(const verify_line *line, double l, const verify_line_cells *cells, const double *forces,
                       double *w) {
  double slope = 0, curve = 0, shear = left_shear(line, cells, forces) / l;
  for (size_t c = 0; c + 1 < line->n; c++) {
    const double *G = cells->G[c];
    double h = line->x[c + 1] - line->x[c];
    w[c + 1] = w[c] + h * (slope + h * (curve / 2 + h * shear / 6)) + G[3] / l;
    slope += h * (curve + h * shear / 2) + G[2] / l;
    curve += h * shear + G[1] / l;
    shear += (G[0] + forces[c + 1]) / l;
  }
}

void thud_verify_line_shape(const verify_line *line, bool bending, double stiffness, const verify_line_cells *cells,
                            const double *forces, const double ends[2], double *w) {
  w[0] = ends[0];
  if (bending)
    shape_beam(line, stiffness, cells, forces, w);
  else
    shape_string(line, stiffness, cells, forces, w);
  set_end(line, ends[1], w);
}

/* Rows of the stiffness matrix are rounded relative to their terms, stiffness/h (/h^3 for beams) times w: forces that wrong
 * bend the whole line, and put a kink of the size of rounding at their nodes. */
verify_line_rounding thud_verify_line_rounding(const verify_line *line, bool bending, double stiffness, double load,
                                               const double *w) {
  double length = line->x[line->n - 1] - line->x[0], least = length, size = 0, nodes = (double)line->n;
  for (size_t i = 0; i < line->n; i++) size = fmax(size, fabs(w[i]));
  for (size_t c = 0; c + 1 < line->n; c++) least = fmin(least, line->x[c + 1] - line->x[c]);
  double ratio = length / least, bent = load * length / stiffness * (bending ? length * length / 16 : 1);
  double rows = bending ? sqrt(nodes) * ratio * ratio * ratio : nodes * ratio;
  verify_line_rounding found = {.whole = 16 * DBL_EPSILON * (rows * size + nodes * bent)};
  found.kink = 1024 * DBL_EPSILON * (size + bent);
  found.curve = bending ? 160 * found.whole / (length * length) : 0;
  return found;
}
