/* Conditions that a row of a membrane or a plate must satisfy, with the row before it. */
#include "verify/surface/verify_surface_rows.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rounding of sums of the terms of one node, relative to them. */
static const double ROUNDING = 1e-12;

typedef struct row {
  surface_rows *m;
  const verify_surface *surface;
  size_t k, n;
  double t, factor[SURFACE_FACTORS];
  const double *v, *s, *u, *r, *slopes;
  double height; /* the largest |v|, or obstacle in contact */
} row;

static row open_row(surface_rows *m, size_t k) {
  const verify_surface *surface = m->surface;
  row now = {.m = m, .surface = surface, .k = k, .n = m->n, .t = m->t[k]};
  now.v = m->v + k * m->n;
  now.s = m->s + k * m->n;
  now.u = m->u + 2 * k * m->n;
  now.r = m->r + 2 * k * m->n;
  now.slopes = m->slopes + k * surface->mesh.edges;
  thud_side side = m->side[k] < 0 ? THUD_SIDE_LEFT : m->side[k] > 0 ? THUD_SIDE_RIGHT : THUD_SIDE_VALUE;
  for (int f = 0; f < SURFACE_FACTORS; f++)
    now.factor[f] = thud_verify_value_at(&surface->scene, &surface->factor[f], now.t, side);
  for (size_t i = 0; i < now.n; i++) now.height = fmax(now.height, fabs(now.v[i]));
  return now;
}

static double largest_of(size_t count, const double *values) {
  double largest = 0;
  for (size_t i = 0; i < count; i++) largest = fmax(largest, fabs(values[i]));
  return largest;
}

/* What rounding of an energy x.Kx counts beside: terms of the forces times displacements, which cancel where x is a
 * motion of the whole. */
static double power_of(size_t count, const double *sizes, const double *values) {
  double sum = 0;
  for (size_t i = 0; i < count; i++) sum += sizes[i] * fabs(values[i]);
  return sum;
}

/* ---- v and s -------------------------------------------------------------------------------------------------------------- */

static void check_supports(const row *now, thud_verify_check *check) {
  const verify_surface *surface = now->surface;
  double size = 0;
  for (size_t i = 0; i < now->n; i++)
    if (surface->holds_v[i] != 0)
      thud_verify_tally(check, fabs(now->v[i] - now->factor[SURFACE_V] * surface->held_v[i]),
                        ROUNDING * now->height + DBL_MIN, 0, now->t, now->k);
  for (size_t e = 0; e < surface->mesh.edges; e++)
    if (surface->clamped[e] != 0) thud_verify_tally(check, fabs(now->slopes[e]), DBL_MIN, 0, now->t, now->k);
  if (!surface->plane) return;
  size = largest_of(2 * now->n, now->u);
  for (size_t i = 0; i < 2 * now->n; i++)
    if (surface->holds_u[i / 2] != 0)
      thud_verify_tally(check, fabs(now->u[i] - now->factor[SURFACE_U] * surface->held_u[i]), ROUNDING * size + DBL_MIN,
                        0, now->t, now->k);
}

/* v >= psi; s >= 0, and 0 without an obstacle and at held nodes; s > 0 on the obstacle only. */
static void check_contact(const row *now, thud_verify_check *checks) {
  const verify_surface *surface = now->surface;
  double largest = largest_of(now->n, now->s);
  for (size_t i = 0; i < now->n; i++) {
    double psi = surface->psi[i] + now->factor[SURFACE_LIFT];
    bool held = surface->holds_v[i] != 0, none = held || !(psi > -INFINITY);
    double slack = now->m->tolerance * (now->height + (none ? 0 : fabs(psi))) + DBL_MIN;
    double wrong = none ? fabs(now->s[i]) : fmax(0, -now->s[i]);
    if (!none) thud_verify_tally(&checks[SURFACE_GAP], fmax(0, psi - now->v[i]), slack, 0, now->t, now->k);
    thud_verify_tally(&checks[SURFACE_REACTION], wrong, ROUNDING * largest + DBL_MIN, 0, now->t, now->k);
    if (!none && now->s[i] > 0)
      thud_verify_tally(&checks[SURFACE_COMPLEMENTARITY], fabs(now->v[i] - psi), slack, 0, now->t, now->k);
  }
}

/* Forces of the elements less load and reaction at every unknown that is free; also the potential. */
static void check_equilibrium(row *now, thud_verify_check *checks) {
  const verify_surface *surface = now->surface;
  surface_rows *m = now->m;
  size_t edges = surface->mesh.edges, all = now->n + edges;
  memset(m->forces, 0, all * sizeof(double));
  memset(m->sizes, 0, all * sizeof(double));
  memset(m->loads, 0, now->n * sizeof(double));
  double energy = thud_verify_surface_bend(surface, now->v, now->slopes, m->forces, m->sizes), work = 0, terms = 0;
  thud_verify_surface_load(surface, surface->load, 1, now->factor[SURFACE_LOAD], m->loads);
  for (size_t i = 0; i < now->n; i++) work += m->loads[i] * now->v[i], terms += fabs(m->loads[i] * now->v[i]);
  double size = largest_of(now->n, m->loads) + largest_of(now->n, now->s);
  double rounding = ROUNDING * largest_of(now->n, m->sizes), turning = ROUNDING * largest_of(edges, m->sizes + now->n);
  for (size_t i = 0; i < all; i++) {
    bool slope = i >= now->n, held = slope ? surface->clamped[i - now->n] != 0 : surface->holds_v[i] != 0;
    double given = slope ? 0 : m->loads[i] + now->s[i];
    if (!held)
      thud_verify_tally(&checks[SURFACE_EQUILIBRIUM], fabs(m->forces[i] - given),
                        slope ? turning + DBL_MIN : m->tolerance * size + rounding + DBL_MIN, 0, now->t, now->k);
  }
  double power = power_of(now->n, m->sizes, now->v) + power_of(edges, m->sizes + now->n, now->slopes);
  thud_verify_tally(&checks[SURFACE_ENERGIES], fabs(m->potential[now->k] - (energy - work)),
                    m->tolerance * (energy + terms) + ROUNDING * power + DBL_MIN, 0, now->t, now->k);
}

/* ---- u and r -------------------------------------------------------------------------------------------------------------- */

/* div sigma + f + r = 0 where u is not held, |r| <= mu s; m->forces holds K u afterwards, m->loads f. */
static double check_plane(row *now, thud_verify_check *checks) {
  const verify_surface *surface = now->surface;
  surface_rows *m = now->m;
  memset(m->forces, 0, 2 * now->n * sizeof(double));
  memset(m->sizes, 0, 2 * now->n * sizeof(double));
  memset(m->loads, 0, 2 * now->n * sizeof(double));
  double energy = thud_verify_surface_stretch(surface, now->u, m->forces, m->sizes);
  for (size_t d = 0; d < 2; d++)
    thud_verify_surface_load(surface, surface->force + d, 2, now->factor[SURFACE_FORCE], m->loads + d);
  double size = largest_of(2 * now->n, m->loads) + largest_of(2 * now->n, now->r);
  double slack = m->tolerance * size + ROUNDING * largest_of(2 * now->n, m->sizes) + DBL_MIN;
  for (size_t i = 0; i < now->n; i++) {
    bool held = surface->holds_u[i] != 0;
    double bound = held ? 0 : surface->friction * fmax(now->s[i], 0), r = hypot(now->r[2 * i], now->r[2 * i + 1]);
    thud_verify_tally(&checks[SURFACE_FRICTION], fmax(0, r - bound), m->tolerance * bound + DBL_MIN, 0, now->t, now->k);
    for (size_t d = 0; d < 2 && !held; d++)
      thud_verify_tally(&checks[SURFACE_PLANE], fabs(m->forces[2 * i + d] - m->loads[2 * i + d] - now->r[2 * i + d]),
                        slack, 0, now->t, now->k);
  }
  return energy;
}

/* Where a node has moved since the row before, friction is mu s against it. */
static void check_slip(const row *now, const double *before, thud_verify_check *check) {
  double far = 0;
  for (size_t i = 0; i < 2 * now->n; i++) far = fmax(far, fabs(now->u[i] - (before != NULL ? before[i] : 0)));
  for (size_t i = 0; i < now->n; i++) {
    if (now->surface->holds_u[i] != 0) continue;
    double d[2], bound = now->surface->friction * fmax(now->s[i], 0);
    for (size_t e = 0; e < 2; e++) d[e] = now->u[2 * i + e] - (before != NULL ? before[2 * i + e] : 0);
    double length = hypot(d[0], d[1]), power = now->r[2 * i] * d[0] + now->r[2 * i + 1] * d[1];
    thud_verify_tally(check, fabs(power + bound * length),
                      now->m->tolerance * bound * length + 64 * DBL_EPSILON * bound * far + DBL_MIN, 0, now->t, now->k);
  }
}

/* stored, work, friction and quadratic of the ledger: their changes since the row before (0 in front of the first). */
static void check_ledger(const row *now, const double *before, double energy, thud_verify_check *check) {
  const surface_rows *m = now->m;
  const double *book = m->ledger + 5 * now->k, *last = now->k > 0 ? book - 5 : NULL;
  double change[4] = {0, 0, 0, 0}, terms = energy, *moves = m->forces + 2 * now->n;
  double power = power_of(2 * now->n, m->sizes, now->u); /* sizes are those of check_plane */
  for (size_t i = 0; i < 2 * now->n; i++) {
    bool held = now->surface->holds_u[i / 2] != 0;
    double move = now->u[i] - (before != NULL ? before[i] : 0);
    double work = (held ? m->forces[i] : m->loads[i]) * move;
    change[1] += work;
    change[2] -= held ? 0 : now->r[i] * move;
    terms += fabs(work) + fabs(now->r[i] * move);
    moves[i] = move;
  }
  power += power_of(2 * now->n, m->sizes, moves);
  memset(m->sizes, 0, 2 * now->n * sizeof(double));
  change[3] = thud_verify_surface_stretch(now->surface, moves, m->forces, m->sizes);
  power += power_of(2 * now->n, m->sizes, moves);
  double slack = m->tolerance * (terms + fabs(book[0]) + fabs(book[1])) + ROUNDING * power + DBL_MIN;
  thud_verify_tally(check, fabs(book[0] - energy), slack, 0, now->t, now->k);
  thud_verify_tally(check, fabs(book[4] - (book[0] - book[1] + book[2] + book[3])), slack, 0, now->t, now->k);
  thud_verify_tally(check, fabs(book[4]), slack, 0, now->t, now->k);
  for (int c = 1; c < 4 && m->complete; c++)
    thud_verify_tally(check, fabs(book[c] - (last != NULL ? last[c] : 0) - change[c]), slack, 0, now->t, now->k);
}

/* ---- figures --------------------------------------------------------------------------------------------------------------- */

static void check_figures(const row *now, const double *before, thud_verify_check *check) {
  const surface_rows *m = now->m;
  const double *claimed = m->figures + 4 * now->k, *status = m->status + now->k * now->n;
  double found[4] = {0, 0, now->v[0], now->v[0]};
  for (size_t i = 0; i < now->n; i++) {
    bool loaded = now->s[i] > 0, held = now->surface->holds_u[i] != 0;
    double move[2] = {0, 0};
    for (size_t d = 0; d < 2 && now->surface->plane && !held; d++)
      move[d] = now->u[2 * i + d] - (before != NULL ? before[2 * i + d] : 0);
    bool moved = move[0] != 0 || move[1] != 0;
    found[0] += now->s[i];
    found[1] += loaded ? now->surface->area[i] : 0;
    found[2] = fmin(found[2], now->v[i]);
    found[3] = fmax(found[3], now->v[i]);
    bool right = !loaded       ? status[i] == 0
                 : m->complete ? status[i] == (moved ? 2 : 1)
                               : status[i] == 1 || status[i] == 2;
    if (!right) thud_verify_fail(check, now->t, now->k, "node %zu has the status %g", i, status[i]);
  }
  for (int c = 0; c < 4; c++)
    thud_verify_tally(check, fabs(claimed[c] - found[c]), ROUNDING * fabs(found[c]) + DBL_MIN, 0, now->t, now->k);
}

void thud_verify_surface_row(surface_rows *m, size_t k, thud_verify_check *checks) {
  row now = open_row(m, k);
  const double *before = m->surface->plane && k > 0 ? now.u - 2 * m->n : NULL;
  check_supports(&now, &checks[SURFACE_SUPPORTS]);
  check_contact(&now, checks);
  check_equilibrium(&now, checks);
  if (m->surface->plane) {
    double energy = check_plane(&now, checks);
    if (m->complete) check_slip(&now, before, &checks[SURFACE_SLIP]);
    check_ledger(&now, before, energy, &checks[SURFACE_ENERGIES]);
  }
  check_figures(&now, before, &checks[SURFACE_FIGURES]);
}

/* ---- the reaction as a measure ------------------------------------------------------------------------------------------------ */

/* Membranes: at the edge of the contact what exceeds the mean density of neighbours that have none out of it. neighbours:
 * out of contact, in contact. Where a rim node has no such neighbour it is a line by itself, or, with a triangle in contact,
 * nothing is known. */
static thud_error measure_membrane(const surface_rows *m, const double *s, const size_t *neighbours, double forces,
                                   surface_measure *found) {
  const verify_mesh *mesh = &m->surface->mesh;
  const double *area = m->surface->area;
  double *sums = THUD_NEW_ARRAY(m->context, double, 3 * m->n), unknown = 0; /* densities, their number, triangles */
  if (sums == NULL) return THUD_ERROR_MEMORY;
  for (size_t c = 0; c < 3 * mesh->triangles; c++) {
    const size_t *t = mesh->triangle + c / 3 * 3, i = mesh->triangle[c];
    sums[3 * i + 2] += s[t[0]] > 0 && s[t[1]] > 0 && s[t[2]] > 0;
    for (size_t o = 1; o < 3; o++) {
      size_t j = t[(c + o) % 3];
      if (!(s[j] > 0) || neighbours[2 * j] > 0) continue;
      sums[3 * i] += s[j] / area[j];
      sums[3 * i + 1]++;
    }
  }
  for (size_t i = 0; i < m->n; i++) {
    if (!(s[i] > 0) || neighbours[2 * i] == 0 || neighbours[2 * i + 1] == 0) continue;
    bool inner = sums[3 * i + 1] > 0;
    double smooth = inner ? sums[3 * i] / sums[3 * i + 1] * area[i] : sums[3 * i + 2] > 0 ? s[i] : 0;
    found->rim += fmax(0, s[i] - smooth);
    found->rim_error += smooth;
    unknown += inner ? 0 : smooth;
  }
  if (found->rim <= found->rim_error) found->rim = 0;
  found->narrow = forces > 0 ? unknown / forces : 0;
  thud_free(m->context, sums);
  return THUD_OK;
}

thud_error thud_verify_surface_measure(const surface_rows *m, size_t k, surface_measure *found) {
  const verify_mesh *mesh = &m->surface->mesh;
  const double *s = m->s + k * m->n;
  size_t *neighbours = THUD_NEW_ARRAY(m->context, size_t, 2 * m->n);
  double forces = 0;
  if (neighbours == NULL) return THUD_ERROR_MEMORY;
  *found = (surface_measure){0};
  for (size_t c = 0; c < 3 * mesh->triangles; c++)
    for (size_t o = 1; o < 3; o++)
      neighbours[2 * mesh->triangle[c] + (s[mesh->triangle[c / 3 * 3 + (c + o) % 3]] > 0)]++;
  for (size_t i = 0; i < m->n; i++) {
    if (!(s[i] > 0)) continue;
    bool atom = neighbours[2 * i + 1] == 0;
    found->loaded++;
    found->atom_count += atom;
    found->atoms += atom ? s[i] : 0;
    forces += atom ? 0 : s[i];
  }
  thud_error error = m->surface->plate ? thud_verify_surface_rim(m, s, forces, found)
                                       : measure_membrane(m, s, neighbours, forces, found);
  thud_free(m->context, neighbours);
  return error;
}
