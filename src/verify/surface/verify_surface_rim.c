/* The line force along the rim of a plate's contact, from the recorded reactions. The curve sought encloses the density and
 * carries the rest: everywhere along it the centre of the forces that the density inside does not explain lies on it. The
 * checker has outlines, windows and densities of its own and moves the curve to these centres. */
#include "verify/surface/verify_surface.h"

#include <math.h>
#include <string.h>

enum { CORE_BEGIN = 6, CORE_END = 11, TOO_DEEP = 20, FEW_EDGES = 12, MOVES = 30, PARTS = 6 };
/* In cells. */
static const double DEEP = 8, RAMP = 4, OUTSIDE = 3, TENTH = 0.1;
static const double SPREAD[2] = {1.2, 2}; /* of windows along the rim, as standard deviations */

typedef struct curve_point {
  double x, y, tx, ty; /* place and tangent; the outward normal is (ty, -tx) */
  double rho, rise;    /* density at the curve, and its change per length outwards */
  bool has_core;
  double shift;
} curve_point;

typedef struct rim_work {
  const verify_surface *surface;
  const double *s;
  size_t *level, *from, *to, *loop; /* [n], [edges] each */
  unsigned char *taken;             /* [edges] */
  curve_point *curve;               /* [edges] */
  size_t sides, count;
  double cell, spread;
  double area, length, narrow, weighed, place; /* sums over all outlines */
} rim_work;

/* ---- outlines ----------------------------------------------------------------------------------------------------------- */

static bool carries(const rim_work *work, size_t triangle) {
  const size_t *t = work->surface->mesh.triangle + 3 * triangle;
  return work->s[t[0]] > 0 && work->s[t[1]] > 0 && work->s[t[2]] > 0;
}

static void number_levels(rim_work *work) {
  const verify_mesh *mesh = &work->surface->mesh;
  for (size_t i = 0; i < mesh->nodes; i++) work->level[i] = work->s[i] > 0 ? TOO_DEEP : 0;
  for (size_t pass = 1; pass < TOO_DEEP; pass++)
    for (size_t e = 0; e < mesh->edges; e++)
      for (size_t end = 0; end < 2; end++) {
        size_t here = mesh->edge[2 * e + end], there = mesh->edge[2 * e + 1 - end];
        if (work->level[here] > pass && work->level[there] == pass - 1) work->level[here] = pass;
      }
}

/* Sides of one triangle that carries; sides of two cancel. `loop` counts them meanwhile. */
static void collect_sides(rim_work *work) {
  const verify_mesh *mesh = &work->surface->mesh;
  size_t *owners = work->loop;
  memset(owners, 0, mesh->edges * sizeof *owners);
  for (size_t c = 0; c < 3 * mesh->triangles; c++)
    if (carries(work, c / 3))
      owners[thud_verify_mesh_edge(mesh, mesh->triangle[c], mesh->triangle[c / 3 * 3 + (c + 1) % 3])]++;
  work->sides = 0;
  for (size_t c = 0; c < 3 * mesh->triangles; c++) {
    size_t a = mesh->triangle[c], b = mesh->triangle[c / 3 * 3 + (c + 1) % 3];
    if (!carries(work, c / 3) || owners[thud_verify_mesh_edge(mesh, a, b)] != 1) continue;
    work->from[work->sides] = a;
    work->to[work->sides] = b;
    work->taken[work->sides++] = 0;
  }
}

static size_t follow(rim_work *work, size_t side) {
  size_t count = 0;
  while (side < work->sides) {
    work->taken[side] = 1;
    work->loop[count++] = work->from[side];
    size_t end = work->to[side];
    for (side = 0; side < work->sides && (work->taken[side] != 0 || work->from[side] != end);) side++;
  }
  return count;
}

static double measure_curve(const rim_work *work, double *area) {
  double length = 0;
  *area = 0;
  for (size_t k = 0; k < work->count; k++) {
    const curve_point *a = work->curve + k, *b = work->curve + (k + 1) % work->count;
    length += hypot(b->x - a->x, b->y - a->y);
    *area += (a->x * b->y - b->x * a->y) / 2;
  }
  return length;
}

/* Means of three neighbours, several times: the outline without its stairs. */
static void soften(rim_work *work) {
  size_t n = work->count;
  for (int pass = 0; pass < 8; pass++) {
    double first[2] = {work->curve[0].x, work->curve[0].y}, before[2] = {work->curve[n - 1].x, work->curve[n - 1].y};
    for (size_t k = 0; k < n; k++) {
      curve_point *p = work->curve + k;
      double after[2] = {k + 1 < n ? p[1].x : first[0], k + 1 < n ? p[1].y : first[1]}, old[2] = {p->x, p->y};
      p->x = (before[0] + 2 * p->x + after[0]) / 4;
      p->y = (before[1] + 2 * p->y + after[1]) / 4;
      before[0] = old[0];
      before[1] = old[1];
    }
  }
}

static void set_tangents(rim_work *work) {
  for (size_t k = 0; k < work->count; k++) {
    const curve_point *a = work->curve + (k + work->count - 1) % work->count, *b = work->curve + (k + 1) % work->count;
    double length = fmax(hypot(b->x - a->x, b->y - a->y), 1e-300);
    work->curve[k].tx = (b->x - a->x) / length;
    work->curve[k].ty = (b->y - a->y) / length;
  }
}

/* ---- density -------------------------------------------------------------------------------------------------------------- */

/* Place (x, y) as seen from a point of the curve, in cells: along it and outwards. */
static void look_from(const rim_work *work, const curve_point *p, double x, double y, double *along, double *out) {
  *along = ((x - p->x) * p->tx + (y - p->y) * p->ty) / work->cell;
  *out = ((x - p->x) * p->ty - (y - p->y) * p->tx) / work->cell;
}

/* A straight line over the depth through the densities of core nodes near by. */
static void set_density(const rim_work *work, curve_point *p) {
  const verify_surface *surface = work->surface;
  double n = 0, mean = 0, place = 0, square = 0, mixed = 0, along, out;
  size_t deepest = 0;
  for (size_t i = 0; i < surface->mesh.nodes; i++) {
    if (work->level[i] < CORE_BEGIN || work->level[i] >= CORE_END) continue;
    look_from(work, p, surface->mesh.xy[2 * i], surface->mesh.xy[2 * i + 1], &along, &out);
    if (fabs(along) > 4 || out > 0 || out < -CORE_END - 1) continue;
    double density = work->s[i] / surface->area[i];
    if (work->level[i] > deepest) deepest = work->level[i];
    n++;
    mean += density;
    place += out;
    square += out * out;
    mixed += out * density;
  }
  p->has_core = deepest > CORE_BEGIN;
  p->rho = n > 0 ? mean / n : 0;
  p->rise = 0;
  double variance = n > 0 ? square / n - place * place / (n * n) : 0;
  if (n < 8 || variance < 0.4) return;
  p->rise = (mixed / n - mean * place / (n * n)) / variance;
  p->rho -= p->rise * place / n;
}

static void set_densities(rim_work *work) {
  for (size_t k = 0; k < work->count; k++) set_density(work, work->curve + k);
  for (size_t k = 0; k < work->count; k++) {
    curve_point *p = work->curve + k;
    if (p->has_core) continue;
    work->narrow += work->cell;
    for (size_t far = 1; far < work->count; far++) {
      size_t step = (far + 1) / 2, at = far % 2 == 1 ? k + step : k + work->count - step;
      if (!work->curve[at % work->count].has_core) continue;
      p->rho = work->curve[at % work->count].rho;
      break;
    }
  }
}

/* ---- centres ---------------------------------------------------------------------------------------------------------------- */

static double ramp(double out) { return out <= -DEEP ? 0 : out >= -RAMP ? 1 : (out + DEEP) / (DEEP - RAMP); }

/* Integrals of the ramp, of the ramp times n and times n^2, from -DEEP to y. */
static void integrate_ramp(double y, double I[3]) {
  double top = fmin(y, -RAMP), u = fmax(0, top + DEEP), width = DEEP - RAMP;
  I[0] = u * u / (2 * width);
  I[1] = (u * u * u / 3 - DEEP * u * u / 2) / width;
  I[2] = (u * u * u * u / 4 - 2 * DEEP * u * u * u / 3 + DEEP * DEEP * u * u / 2) / width;
  if (y <= -RAMP) return;
  I[0] += y + RAMP;
  I[1] += (y * y - RAMP * RAMP) / 2;
  I[2] += (y * y * y + RAMP * RAMP * RAMP) / 3;
}

static double bell(const rim_work *work, double along) {
  double z = along / work->spread;
  return z * z < 9 ? exp(-z * z / 2) : 0;
}

/* Takes the density inside the curve off the force and its moment; *arc, *high: length and moment of the curve. */
static void take_density(const rim_work *work, size_t k, double sums[2], double *arc, double *high) {
  const curve_point *p = work->curve + k;
  double unit = work->cell * work->cell, a0, o0, a1, o1, I[3];
  size_t n = work->count, reach = (size_t)(6 * work->spread) + 2;
  if (2 * reach + 1 > n) reach = (n - 1) / 2;
  *arc = *high = 0;
  for (size_t j = 0; j < 2 * reach; j++) {
    const curve_point *a = work->curve + (k + n - reach + j) % n, *b = work->curve + (k + n - reach + j + 1) % n;
    look_from(work, p, a->x, a->y, &a0, &o0);
    look_from(work, p, b->x, b->y, &a1, &o1);
    for (int part = 0; part < PARTS; part++) {
      double f = (part + 0.5) / PARTS, y = o0 + f * (o1 - o0), weight = bell(work, a0 + f * (a1 - a0)) / PARTS;
      if (fabs(y) > DEEP) continue;
      integrate_ramp(y, I);
      sums[0] -= unit * weight * (a1 - a0) * (p->rho * I[0] + p->rise * I[1]);
      sums[1] -= unit * weight * (a1 - a0) * (p->rho * I[1] + p->rise * I[2]);
      *arc += weight * hypot(a1 - a0, o1 - o0) * ramp(y);
      *high += weight * hypot(a1 - a0, o1 - o0) * ramp(y) * y;
    }
  }
}

/* How far outside the point the centre lies, in cells. */
static double find_shift(const rim_work *work, size_t k) {
  const verify_mesh *mesh = &work->surface->mesh;
  const curve_point *p = work->curve + k;
  double sums[2] = {0, 0}, along, out, arc, high;
  for (size_t i = 0; i < mesh->nodes; i++) {
    if (work->level[i] == 0 || work->level[i] >= TOO_DEEP) continue;
    look_from(work, p, mesh->xy[2 * i], mesh->xy[2 * i + 1], &along, &out);
    double weight = out > OUTSIDE ? 0 : bell(work, along) * ramp(out) * work->s[i];
    sums[0] += weight;
    sums[1] += weight * out;
  }
  take_density(work, k, sums, &arc, &high);
  if (!(arc > 0) || !(sums[0] > 0)) return -0.25;
  return fmax(-0.25, fmin(0.25, sums[1] / sums[0] - high / arc));
}

static void settle(rim_work *work) {
  size_t n = work->count;
  for (int round = 0; round < MOVES; round++) {
    set_tangents(work);
    for (size_t k = 0; k < n; k++) work->curve[k].shift = find_shift(work, k) * work->cell;
    for (size_t k = 0; k < n; k++) {
      curve_point *p = work->curve + k;
      double shift = (work->curve[(k + n - 1) % n].shift + 2 * p->shift + work->curve[(k + 1) % n].shift) / 4;
      p->x += shift * p->ty;
      p->y -= shift * p->tx;
    }
  }
}

/* ---- the force -------------------------------------------------------------------------------------------------------------- */

static void add_outline(rim_work *work) {
  double area, length = measure_curve(work, &area), weighed = 0;
  work->cell = length / (double)work->count;
  if (work->count < FEW_EDGES) {
    work->narrow += area > 0 ? length : 0;
  } else {
    soften(work);
    set_tangents(work);
    set_densities(work);
    settle(work);
    length = measure_curve(work, &area);
    for (size_t k = 0; k < work->count; k++) /* half way to the core */
      weighed += (work->curve[k].rho - work->curve[k].rise * CORE_BEGIN / 2.0) * length / (double)work->count;
  }
  work->area += area;
  work->length += length;
  work->weighed += weighed;
  work->place += TENTH * work->cell * fabs(weighed);
}

static double find_line(rim_work *work, double forces) {
  const verify_mesh *mesh = &work->surface->mesh;
  work->area = work->length = work->narrow = work->weighed = work->place = 0;
  collect_sides(work);
  for (size_t side = 0; side < work->sides; side++) {
    if (work->taken[side] != 0) continue;
    work->count = follow(work, side);
    for (size_t k = 0; k < work->count; k++)
      work->curve[k] = (curve_point){.x = mesh->xy[2 * work->loop[k]], .y = mesh->xy[2 * work->loop[k] + 1]};
    add_outline(work);
  }
  double band = work->area;
  if (!(work->length > 0)) return forces;
  for (size_t i = 0; i < mesh->nodes; i++) {
    if (work->level[i] < CORE_BEGIN) continue;
    forces -= work->s[i];
    band -= work->surface->area[i];
  }
  return forces - work->weighed / work->length * band;
}

thud_error thud_verify_surface_rim(const surface_rows *m, const double *s, double forces, surface_measure *found) {
  const verify_mesh *mesh = &m->surface->mesh;
  rim_work work = {.surface = m->surface, .s = s};
  double lines[2];
  work.level = THUD_NEW_ARRAY(m->context, size_t, mesh->nodes);
  work.from = THUD_NEW_ARRAY(m->context, size_t, mesh->edges);
  work.to = THUD_NEW_ARRAY(m->context, size_t, mesh->edges);
  work.loop = THUD_NEW_ARRAY(m->context, size_t, mesh->edges);
  work.taken = THUD_NEW_ARRAY(m->context, unsigned char, mesh->edges);
  work.curve = THUD_NEW_ARRAY(m->context, curve_point, mesh->edges);
  bool room = work.level != NULL && work.from != NULL && work.to != NULL && work.loop != NULL && work.taken != NULL &&
              work.curve != NULL;
  if (room) {
    number_levels(&work);
    for (int k = 0; k < 2; k++) {
      work.spread = SPREAD[k];
      lines[k] = find_line(&work, forces);
    }
    found->rim = fmin(forces, fmax(0, lines[0]));
    found->rim_error = fabs(lines[1] - lines[0]) + work.place;
    found->narrow = work.length > 0 ? work.narrow / work.length : 0;
  }
  thud_free(m->context, work.level);
  thud_free(m->context, work.from);
  thud_free(m->context, work.to);
  thud_free(m->context, work.loop);
  thud_free(m->context, work.taken);
  thud_free(m->context, work.curve);
  return room ? THUD_OK : THUD_ERROR_MEMORY;
}
