/* Reactions of surfaces as measures: density, atoms, and the line force along the rim of the contact.
 *
 * A plate's reaction is a density rho inside the contact zone R and a line force lambda along its rim. On a mesh the line
 * force lies on several layers of nodes within the rim, and the outermost loaded nodes reach up to a cell beyond it, so
 * that no set of nodes carries it. Sums of nodal forces against smooth functions are right, however (they are in
 * equilibrium with the plate), and these determine the rim. Per length, with the force e0 and the moment e1 about a curve
 * of what s has beyond rho inside that curve, the rim lies w outside it:
 *   e0 = lambda + rho w,   e1 = lambda w + rho w^2/2,   lambda = sqrt(e0^2 - 2 rho e1),   w = 2 e1/(e0 + lambda).
 * The curve begins as the smoothed outline of the loaded triangles and is moved by w, each point by the forces in a window
 * around it, until w is 0. Then lambda together is what rho times the enclosed area leaves of the reaction. */
#include "base/base.h"
#include "motions/surface/elastic_surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Layers of nodes count from the rim (1). Deeper than CORE nothing of the line force is left: it falls by a factor of
 * about ten from layer to layer. */
enum { CORE = 6, CORE_LAYERS = 5, FINE = 8, SMALL_LOOP = 12, ROUNDS = 16 };
/* Lengths in cells (mean length of the edges of an outline). */
static const double WINDOWS[2] = {3, 5}; /* half widths of windows along the rim; the second for the error */
static const double DEPTH = CORE + 2;    /* of windows */
static const double BEYOND = 3;          /* of the outline there is no loaded node */
static const double MOST_MOVE = 0.5;
static const double PLACE = 0.1;     /* part of a cell to which the rim is placed */
static const double BAD_PART = 0.25; /* of the rim without a core inside: the contact is too narrow */

typedef struct rim_point {
  double at[2], tangent[2], normal[2];
  double origin[2], density, slope[2]; /* rho = density + slope.(x - origin) */
  bool known;                          /* there are core nodes inside */
  double move;
} rim_point;

typedef struct rim_search {
  const thud_surface *surface;
  const double *s;
  int *layer; /* [n] 0: carries nothing; at most CORE + CORE_LAYERS + FINE */
  thud_index *from, *to,
      *next;         /* [edges] outline of the loaded triangles, counter-clockwise; edges with the same start */
  thud_index *first; /* [n] an edge that starts there, -1: none */
  thud_index *band;  /* [n] loaded nodes near an outline */
  thud_index *loop;  /* [edges] nodes of one outline */
  double *fine;      /* [2 FINE edges] it, evenly */
  rim_point *points; /* [edges] */
  thud_index edges, count, band_count; /* edges of outlines; points of this one; nodes near them */
  double cell, window;                 /* length of a cell; half width */
  /* sums over all outlines */
  double area, length, bad_length, density, place; /* density: times length; place: error of the enclosed force */
} rim_search;

static void rim_free(rim_search *search) {
  thud_context *context = search->surface->context;
  thud_free(context, search->layer);
  thud_free(context, search->from);
  thud_free(context, search->to);
  thud_free(context, search->next);
  thud_free(context, search->first);
  thud_free(context, search->band);
  thud_free(context, search->loop);
  thud_free(context, search->fine);
  thud_free(context, search->points);
}

/* ---- outlines ---------------------------------------------------------------------------------------------------- */

static void find_layers(rim_search *search) {
  const thud_mesh *mesh = search->surface->mesh;
  const int deepest = CORE + CORE_LAYERS + FINE;
  for (thud_index i = 0; i < mesh->nodes; i++) search->layer[i] = search->s[i] > 0 ? deepest : 0;
  for (int depth = 1; depth < deepest; depth++)
    for (ptrdiff_t c = 0; c < 3 * (ptrdiff_t)mesh->triangles; c++) {
      int *mine = search->layer + mesh->triangle[c];
      for (ptrdiff_t o = 1; o < 3 && *mine > depth; o++)
        if (search->layer[mesh->triangle[c / 3 * 3 + (c + o) % 3]] == depth - 1) *mine = depth;
    }
  for (thud_index i = 0; i < mesh->nodes; i++)
    if (search->layer[i] > 0 && search->layer[i] < deepest) search->band[search->band_count++] = i;
}

static bool triangle_is_loaded(const rim_search *search, thud_index triangle) {
  if (triangle < 0) return false;
  const thud_index *corner = search->surface->mesh->triangle + 3 * (ptrdiff_t)triangle;
  return search->layer[corner[0]] > 0 && search->layer[corner[1]] > 0 && search->layer[corner[2]] > 0;
}

/* Edges with a loaded triangle on one side, which is on their left. */
static void find_outline(rim_search *search) {
  const thud_surface *surface = search->surface;
  for (thud_index i = 0; i < surface->n; i++) search->first[i] = -1;
  for (thud_index k = 0; k < surface->edge_count; k++) {
    const mesh_edge *edge = surface->edges + k;
    bool left = triangle_is_loaded(search, edge->triangle[0]), right = triangle_is_loaded(search, edge->triangle[1]);
    if (left == right) continue;
    const thud_index *corner = surface->mesh->triangle + 3 * (ptrdiff_t)edge->triangle[left ? 0 : 1];
    int opposite = edge->corner[left ? 0 : 1];
    thud_index e = search->edges++;
    search->from[e] = corner[(opposite + 1) % 3];
    search->to[e] = corner[(opposite + 2) % 3];
    search->next[e] = search->first[search->from[e]];
    search->first[search->from[e]] = e;
  }
}

/* Takes one closed outline from the edges and returns the number of its nodes. As many edges end at a node as start. */
static thud_index take_loop(rim_search *search, thud_index start) {
  thud_index count = 0, node = start;
  while (search->first[node] >= 0) {
    thud_index e = search->first[node];
    search->first[node] = search->next[e];
    search->loop[count++] = node;
    node = search->to[e];
  }
  return count;
}

static double loop_length(const rim_search *search, thud_index count, double *area) {
  const double *xy = search->surface->mesh->xy;
  double length = 0;
  *area = 0;
  for (thud_index k = 0; k < count; k++) {
    const double *a = xy + 2 * (ptrdiff_t)search->loop[k], *b = xy + 2 * (ptrdiff_t)search->loop[(k + 1) % count];
    length += hypot(b[0] - a[0], b[1] - a[1]);
    *area += (a[0] * b[1] - a[1] * b[0]) / 2;
  }
  return length;
}

/* The outline at FINE times as many places as it has nodes, evenly along it. */
static void spread_evenly(rim_search *search, thud_index count, double length) {
  const double *xy = search->surface->mesh->xy;
  thud_index k = 0;
  double before = 0;
  for (thud_index f = 0; f < FINE * count; f++) {
    double wanted = length * f / (FINE * count), part = 0;
    const double *a, *b;
    for (;;) {
      a = xy + 2 * (ptrdiff_t)search->loop[k];
      b = xy + 2 * (ptrdiff_t)search->loop[(k + 1) % count];
      double edge = hypot(b[0] - a[0], b[1] - a[1]);
      part = (wanted - before) / edge;
      if (part < 1 || k == count - 1) break;
      before += edge;
      k++;
    }
    for (int d = 0; d < 2; d++) search->fine[2 * (ptrdiff_t)f + d] = a[d] + fmin(part, 1) * (b[d] - a[d]);
  }
}

/* One point per node: means of the outline under hats of three cells, which take its stairs away. */
static void smooth_outline(rim_search *search, thud_index count) {
  thud_index reach = 3 * FINE, all = FINE * count;
  for (thud_index k = 0; k < count; k++) {
    rim_point *point = search->points + k;
    *point = (rim_point){.known = false};
    for (thud_index q = -reach; q <= reach; q++) {
      const double *place = search->fine + 2 * (ptrdiff_t)((FINE * k + q + all) % all);
      double weight = (reach + 1 - fabs((double)q)) / ((reach + 1.0) * (reach + 1.0));
      for (int d = 0; d < 2; d++) point->at[d] += weight * place[d];
    }
  }
  search->count = count;
}

static void find_frames(rim_search *search) {
  for (thud_index k = 0; k < search->count; k++) {
    const double *a = search->points[(k + search->count - 1) % search->count].at,
                 *b = search->points[(k + 1) % search->count].at;
    rim_point *point = search->points + k;
    double length = hypot(b[0] - a[0], b[1] - a[1]);
    for (int d = 0; d < 2; d++) point->tangent[d] = length > 0 ? (b[d] - a[d]) / length : d == 0;
    point->normal[0] = point->tangent[1];
    point->normal[1] = -point->tangent[0];
  }
}

/* local[0]: along the rim, local[1]: outwards. */
static void see_from(const rim_point *point, const double *place, double local[2]) {
  const double way[2] = {place[0] - point->at[0], place[1] - point->at[1]};
  local[0] = way[0] * point->tangent[0] + way[1] * point->tangent[1];
  local[1] = way[0] * point->normal[0] + way[1] * point->normal[1];
}

/* ---- density inside ---------------------------------------------------------------------------------------------- */

/* Solves the normal equations of a plane; false: they are singular. */
static bool fit_plane(double A[3][4], double x[3]) {
  for (int a = 0; a < 3; a++) {
    if (!(A[a][a] > 1e-9 * A[0][0])) return false;
    for (int b = a + 1; b < 3; b++)
      for (int k = 3; k >= a; k--) A[b][k] -= A[b][a] / A[a][a] * A[a][k];
  }
  for (int a = 2; a >= 0; a--) {
    x[a] = A[a][3];
    for (int b = a + 1; b < 3; b++) x[a] -= A[a][b] * x[b];
    x[a] /= A[a][a];
  }
  return true;
}

/* A plane through the densities of the core nodes inside a point of the rim, or their mean where they are few; a core of
 * one layer is none. */
static void find_density(const rim_search *search, rim_point *point) {
  const thud_surface *surface = search->surface;
  double A[3][4] = {{0}}, cell = search->cell, shallow = -INFINITY, deep = INFINITY, x[3];
  int deepest = 0;
  for (thud_index b = 0; b < search->band_count; b++) {
    thud_index i = search->band[b];
    const double *place = surface->mesh->xy + 2 * (ptrdiff_t)i;
    double local[2], value = search->s[i] / surface->area[i];
    if (search->layer[i] < CORE || search->layer[i] >= CORE + CORE_LAYERS) continue;
    see_from(point, place, local);
    if (fabs(local[0]) > 4 * cell || local[1] > 0 || local[1] < -(CORE + CORE_LAYERS + 1) * cell) continue;
    const double terms[4] = {1, (place[0] - point->at[0]) / cell, (place[1] - point->at[1]) / cell, value};
    for (int a = 0; a < 3; a++)
      for (int c = 0; c < 4; c++) A[a][c] += terms[a] * terms[c];
    shallow = fmax(shallow, local[1]);
    if (search->layer[i] > deepest) deepest = search->layer[i];
    deep = fmin(deep, local[1]);
  }
  point->known = deepest > CORE;
  if (!point->known) return;
  point->density = A[0][3] / A[0][0];
  for (int d = 0; d < 2; d++) point->origin[d] = point->at[d];
  if (A[0][0] < 8 || shallow - deep < 2 * cell || !fit_plane(A, x)) return;
  point->density = x[0];
  for (int d = 0; d < 2; d++) point->slope[d] = x[d + 1] / cell;
}

/* Points without core nodes take the density of the nearest point along the rim that has some. */
static void find_densities(rim_search *search) {
  thud_index count = search->count, bad = 0;
  for (thud_index k = 0; k < count; k++) find_density(search, search->points + k);
  for (thud_index k = 0; k < count; k++) {
    rim_point *point = search->points + k;
    if (point->known) continue;
    bad++;
    for (thud_index far = 1; far <= count / 2; far++) {
      const rim_point *a = search->points + (k + far) % count, *b = search->points + (k + count - far) % count;
      const rim_point *other = a->known ? a : b->known ? b : NULL;
      if (other == NULL) continue;
      point->density = other->density;
      for (int d = 0; d < 2; d++) point->origin[d] = point->at[d];
      break;
    }
  }
  search->bad_length += bad * search->cell;
}

/* ---- one window -------------------------------------------------------------------------------------------------- */

/* 1 near the rim, 0 deeper than DEPTH, smooth between. */
static double depth_weight(double outwards) {
  double part = 2 * (outwards + DEPTH) / DEPTH;
  return part <= 0 ? 0 : part >= 1 ? 1 : part * part * (3 - 2 * part);
}

/* Integrals of the weight times 1, n, n^2 from -DEPTH to y, in cells; Gauss' rule is exact on the smooth part. */
static void integrate_weight(double y, double moments[3]) {
  static const double place[3] = {0, 0.5384693101056831, 0.9061798459386640},
                      factor[3] = {0.5688888888888889, 0.4786286704993665, 0.2369268850561891};
  double start = -DEPTH, end = fmin(y, -DEPTH / 2), half = (end - start) / 2;
  moments[0] = moments[1] = moments[2] = 0;
  if (y <= start) return;
  for (int q = -2; q <= 2; q++) {
    double n = (start + end) / 2 + (q < 0 ? -half : half) * place[q < 0 ? -q : q],
           term = factor[q < 0 ? -q : q] * half * depth_weight(n);
    moments[0] += term;
    moments[1] += term * n;
    moments[2] += term * n * n;
  }
  if (y <= end) return;
  moments[0] += y - end;
  moments[1] += (y * y - end * end) / 2;
  moments[2] += (y * y * y - end * end * end) / 3;
}

static double window_weight(const rim_search *search, double along) {
  double part = fabs(along) / (search->window * search->cell);
  return part < 1 ? (1 + cos(acos(-1) * part)) / 2 : 0;
}

/* Force and moment (in cells) of s in the window of a point. */
static void sum_forces(const rim_search *search, const rim_point *point, double sums[2]) {
  sums[0] = sums[1] = 0;
  for (thud_index b = 0; b < search->band_count; b++) {
    thud_index i = search->band[b];
    double local[2];
    see_from(point, search->surface->mesh->xy + 2 * (ptrdiff_t)i, local);
    double outwards = local[1] / search->cell, weight = window_weight(search, local[0]);
    if (!(weight > 0) || outwards > BEYOND) continue;
    weight *= depth_weight(outwards) * search->s[i];
    sums[0] += weight;
    sums[1] += weight * outwards;
  }
}

/* Adds the density inside the curve to force and moment, and gives length and moment of the curve (all in cells). */
static void sum_curve(const rim_search *search, thud_index k, double inner[2], double curve[2]) {
  const rim_point *point = search->points + k;
  double cell = search->cell, slope = 0, density = point->density;
  inner[0] = inner[1] = curve[0] = curve[1] = 0;
  for (int d = 0; d < 2; d++) {
    slope += point->slope[d] * point->normal[d] * cell;
    density += point->slope[d] * (point->at[d] - point->origin[d]);
  }
  thud_index reach = (thud_index)(2 * search->window) + 2;
  if (2 * reach + 1 > search->count) reach = (search->count - 1) / 2;
  for (thud_index j = -reach; j < reach; j++) {
    const double *a = search->points[(k + j + search->count) % search->count].at,
                 *b = search->points[(k + j + 1 + search->count) % search->count].at;
    double from[2], to[2], moments[3];
    see_from(point, a, from);
    see_from(point, b, to);
    for (int q = 0; q < FINE; q++) {
      double part = (q + 0.5) / FINE, y = (from[1] + part * (to[1] - from[1])) / cell;
      double weight = window_weight(search, from[0] + part * (to[0] - from[0])) / (FINE * cell);
      if (!(weight > 0) || fabs(y) > DEPTH) continue;
      integrate_weight(y, moments);
      double width = weight * (to[0] - from[0]), arc = weight * hypot(to[0] - from[0], to[1] - from[1]);
      inner[0] += width * (density * moments[0] + slope * moments[1]);
      inner[1] += width * (density * moments[1] + slope * moments[2]);
      curve[0] += arc * depth_weight(y);
      curve[1] += arc * depth_weight(y) * y;
    }
  }
}

/* How far the rim lies outside a point, in cells. */
static double find_move(const rim_search *search, thud_index k) {
  double forces[2], inner[2], curve[2], density = search->points[k].density * search->cell * search->cell;
  sum_forces(search, search->points + k, forces);
  sum_curve(search, k, inner, curve);
  if (!(curve[0] > 0)) return 0;
  double scale = search->cell * search->cell, excess = (forces[0] - scale * inner[0]) / curve[0];
  double moment = (forces[1] - scale * inner[1] - excess * curve[1]) / curve[0];
  double line = sqrt(fmax(0, excess * excess - 2 * density * moment));
  double move = excess + line > 0 ? 2 * moment / (excess + line) : -MOST_MOVE;
  return fmin(MOST_MOVE, fmax(-MOST_MOVE, move));
}

/* ---- the rim of a plate ------------------------------------------------------------------------------------------ */

static void move_points(rim_search *search) {
  thud_index count = search->count;
  for (int round = 0; round < ROUNDS; round++) {
    find_frames(search);
    for (thud_index k = 0; k < count; k++) search->points[k].move = find_move(search, k);
    for (thud_index k = 0; k < count; k++) {
      rim_point *point = search->points + k;
      double move =
          (search->points[(k + count - 1) % count].move + 2 * point->move + search->points[(k + 1) % count].move) / 4;
      for (int d = 0; d < 2; d++) point->at[d] += move * search->cell * point->normal[d];
    }
  }
}

static void add_loop(rim_search *search) {
  double area = 0, length = 0, density = 0;
  for (thud_index k = 0; k < search->count; k++) {
    const rim_point *point = search->points + k, *after = search->points + (k + 1) % search->count;
    double part = hypot(after->at[0] - point->at[0], after->at[1] - point->at[1]), inside = point->density;
    for (int d = 0; d < 2; d++) /* in the middle between the rim and the core */
      inside += point->slope[d] * (point->at[d] - point->origin[d] - CORE / 2.0 * search->cell * point->normal[d]);
    area += (point->at[0] * after->at[1] - point->at[1] * after->at[0]) / 2;
    length += part;
    density += part * inside;
  }
  search->area += area;
  search->length += length;
  search->density += density;
  search->place += PLACE * search->cell * fabs(density);
}

/* A hole of few nodes is left as the mesh has it; a zone of few nodes is too narrow. */
static void add_small_loop(rim_search *search, double length, double area) {
  search->area += area;
  search->length += length;
  search->bad_length += area > 0 ? length : 0;
}

/* Goes round every outline with one width of windows. */
static void find_rim(rim_search *search) {
  search->area = search->length = search->bad_length = search->density = search->place = 0;
  search->edges = 0;
  find_outline(search);
  for (thud_index e = 0; e < search->edges; e++) {
    thud_index count = take_loop(search, search->from[e]);
    double area, length = count > 0 ? loop_length(search, count, &area) : 0;
    if (count == 0) continue;
    if (count < SMALL_LOOP) {
      add_small_loop(search, length, area);
      continue;
    }
    search->cell = length / count;
    spread_evenly(search, count, length);
    smooth_outline(search, count);
    find_frames(search);
    find_densities(search);
    move_points(search);
    add_loop(search);
  }
}

/* Forces of nodes that are no atoms, less rho times the enclosed area. In the core the density is s itself. */
static double line_force(const rim_search *search, double forces) {
  double area = search->area;
  if (!(search->length > 0)) return forces;
  for (thud_index i = 0; i < search->surface->n; i++) {
    if (search->layer[i] < CORE) continue;
    forces -= search->s[i];
    area -= search->surface->area[i];
  }
  return forces - search->density / search->length * area;
}

static thud_error rim_allocate(rim_search *search, thud_index edges) {
  thud_context *context = search->surface->context;
  size_t most = (size_t)edges + 1;
  search->layer = THUD_NEW_ARRAY(context, int, search->surface->n);
  search->first = THUD_NEW_ARRAY(context, thud_index, search->surface->n);
  search->from = THUD_NEW_ARRAY(context, thud_index, most);
  search->to = THUD_NEW_ARRAY(context, thud_index, most);
  search->next = THUD_NEW_ARRAY(context, thud_index, most);
  search->band = THUD_NEW_ARRAY(context, thud_index, search->surface->n);
  search->loop = THUD_NEW_ARRAY(context, thud_index, most);
  search->fine = THUD_NEW_ARRAY(context, double, 2 * (size_t)FINE * most);
  search->points = THUD_NEW_ARRAY(context, rim_point, most);
  return search->layer != NULL && search->first != NULL && search->from != NULL && search->to != NULL &&
                 search->next != NULL && search->band != NULL && search->loop != NULL && search->fine != NULL &&
                 search->points != NULL
             ? THUD_OK
             : THUD_ERROR_MEMORY;
}

/* What the line along the rim of its contact carries of the forces that are no atoms. error NaN: the contact is too narrow
 * for the mesh, and rim is all of them. */
static thud_error plate_rim(const thud_surface *surface, const double *s, double forces, double *rim, double *error) {
  rim_search search = {.surface = surface, .s = s};
  double found[2] = {0, 0}, place = 0;
  bool resolved = true;
  thud_error status = rim_allocate(&search, surface->edge_count);
  if (status == THUD_OK) {
    find_layers(&search);
    for (int k = 1; k >= 0; k--) {
      search.window = WINDOWS[k];
      find_rim(&search);
      found[k] = line_force(&search, forces);
      resolved = search.bad_length <= BAD_PART * search.length;
      place = search.place;
    }
    *rim = resolved ? fmin(forces, fmax(0, found[0])) : forces;
    *error = resolved ? fabs(found[1] - found[0]) + place : NAN;
  }
  rim_free(&search);
  return status;
}

/* ---- the whole measure ------------------------------------------------------------------------------------------- */

/* Bits: a neighbour carries a force; one does not. */
enum { LOADED = 1, BARE = 2 };

static void look_around(const thud_surface *surface, const double *s, unsigned char *around) {
  const thud_mesh *mesh = surface->mesh;
  for (thud_index t = 0; t < mesh->triangles; t++)
    for (int c = 0; c < 6; c++) {
      thud_index i = mesh->triangle[3 * (ptrdiff_t)t + c / 2],
                 j = mesh->triangle[3 * (ptrdiff_t)t + (c / 2 + 1 + c % 2) % 3];
      around[i] |= s[j] > 0 ? LOADED : BARE;
    }
}

/* Part of a membrane's contact without nodes inside from which on its line force is not told from its density. */
static const double NARROW_PART = 0.25;

/* The line force of a membrane along the rim of its contact, which only an obstacle with a kink there causes: what the
 * rim's nodes carry beyond the mean density of their neighbours inside. Their areas reach up to a cell beyond the contact:
 * the sum of their densities times areas is the error, and less than that is none. Nodes of no loaded triangle are a line
 * themselves. */
static thud_error membrane_rim(const thud_surface *surface, const double *s, const double *density,
                               const unsigned char *around, double forces, double *rim, double *error) {
  const thud_mesh *mesh = surface->mesh;
  double *inner = THUD_NEW_ARRAY(surface->context, double, 2 * (size_t)surface->n), narrow = 0; /* sum and count */
  if (inner == NULL) return THUD_ERROR_MEMORY;
  unsigned char *wide = surface->fixed; /* a workspace: the node has a loaded triangle */
  memset(wide, 0, (size_t)surface->n);
  for (thud_index t = 0; t < mesh->triangles; t++) {
    const thud_index *corner = mesh->triangle + 3 * (ptrdiff_t)t;
    bool loaded = s[corner[0]] > 0 && s[corner[1]] > 0 && s[corner[2]] > 0;
    for (int c = 0; c < 3; c++) {
      if (loaded) wide[corner[c]] = 1;
      for (int o = 1; o < 3; o++) {
        thud_index j = corner[(c + o) % 3];
        if (!(s[j] > 0) || around[j] != LOADED) continue;
        inner[2 * (ptrdiff_t)corner[c]] += density[j];
        inner[2 * (ptrdiff_t)corner[c] + 1] += 1;
      }
    }
  }
  *rim = *error = 0;
  for (thud_index i = 0; i < surface->n; i++) {
    if (!(s[i] > 0) || (around[i] & LOADED) == 0 || (around[i] & BARE) == 0) continue;
    double count = inner[2 * (ptrdiff_t)i + 1], smooth = count > 0 ? inner[2 * (ptrdiff_t)i] / count * surface->area[i]
                                                         : wide[i] != 0 ? s[i]
                                                                        : 0;
    *rim += fmax(0, s[i] - smooth);
    *error += smooth;
    narrow += count > 0 ? 0 : smooth;
  }
  thud_free(surface->context, inner);
  if (*rim <= *error) *rim = 0;
  if (narrow > NARROW_PART * forces) {
    *rim = forces;
    *error = NAN;
  }
  return THUD_OK;
}

static void add_node(const thud_surface *surface, const double *s, thud_index i, bool atom,
                     thud_surface_measure *found) {
  found->total += s[i];
  found->atoms += atom ? s[i] : 0;
  found->inside += atom ? 0 : s[i];
  found->area += surface->area[i];
  found->loaded++;
  found->atom_count += atom;
}

thud_error thud_surface_get_measure(const thud_surface *surface, const double *s, double *density,
                                    thud_surface_measure *measure) {
  THUD_REQUIRE_OF(surface, s, density, measure);
  unsigned char *around = THUD_NEW_ARRAY(surface->context, unsigned char, surface->n);
  thud_surface_measure found = {0};
  if (around == NULL) return THUD_ERROR_MEMORY;
  look_around(surface, s, around);
  for (thud_index i = 0; i < surface->n; i++) {
    density[i] = s[i] > 0 ? s[i] / surface->area[i] : 0;
    if (s[i] > 0) add_node(surface, s, i, (around[i] & LOADED) == 0, &found);
  }
  thud_error error = surface->kind == THUD_SURFACE_PLATE
                         ? plate_rim(surface, s, found.inside, &found.rim, &found.rim_error)
                         : membrane_rim(surface, s, density, around, found.inside, &found.rim, &found.rim_error);
  found.inside -= found.rim;
  if (error == THUD_OK) *measure = found;
  thud_free(surface->context, around);
  return error;
}
