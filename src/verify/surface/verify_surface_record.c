/* A recorded membrane or plate: every row is checked by the checker's own elements. */
#include "verify/verify_observe.h"
#include "verify/surface/verify_surface.h"
#include "verify/verify_channels.h"
#include "verify/verify_summary.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- conditions that a row of a membrane or a plate must satisfy, with the row before it ------------------------- */

/* Rounding of sums of the terms of one node, relative to them. */
static const double ROUNDING = 1e-12;

typedef struct row {
  surface_rows *m;
  const verify_surface *surface;
  size_t k, n;
  double t, factor[SURFACE_FACTORS];
  thud_side side;
  bool placed; /* the functions of the scene are finite here */
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
  now.side = side;
  now.placed = thud_verify_surface_place(m->surface, now.t, side);
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
  thud_verify_surface_points(surface, now->t, now->side, m->loads);
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

/* All checks of row k. */
static void surface_row(surface_rows *m, size_t k, thud_verify_check *checks) {
  row now = open_row(m, k);
  const double *before = m->surface->plane && k > 0 ? now.u - 2 * m->n : NULL;
  if (!now.placed)
    thud_verify_fail(&checks[SURFACE_SUPPORTS], now.t, k, "obstacle, loads or values of edges are not finite");
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

static thud_error measure_reaction(const surface_rows *m, size_t k, surface_measure *found) {
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

/* ---- records ----------------------------------------------------------------------------------------------------- */

static const double DEFAULT_TOLERANCE = 1e-8;
static void free_rows(surface_rows *m) {
  double *const arrays[] = {m->t,      m->side, m->figures, m->v,      m->s,      m->status, m->potential,
                            m->slopes, m->u,    m->r,       m->ledger, m->forces, m->sizes,  m->loads};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(m->context, arrays[k]);
}

static const char *const figure_names[4] = {"reaction", "contact_area", "lowest", "highest"};
static const char *const ledger_names[5] = {"stored", "work", "friction", "quadratic", "defect"};

static thud_error read_rows(surface_rows *m, thud_record_reader *reader, thud_verify_check *structure) {
  static const char *const states[] = {"apart", "touching", "slipping"};
  thud_record_info info = thud_record_reader_info(reader);
  const verify_surface *surface = m->surface;
  size_t n = m->n, plane = surface->plane ? 2 * n : 0, edges = surface->plate ? surface->mesh.edges : 0;
  m->count = info.rows[THUD_RECORD_FRAMES];
  const verify_channel channels[] = {{"time", 1, &m->t},
                                     {"side", 1, &m->side},
                                     {"state", 4, &m->figures},
                                     {"deflection", n, &m->v},
                                     {"pressure", n, &m->s},
                                     {"status", n, &m->status},
                                     {"potential", 1, &m->potential},
                                     {"slopes", edges, &m->slopes},
                                     {"in-plane", plane, &m->u},
                                     {"friction", plane, &m->r},
                                     {"ledger", plane > 0 ? 5 : 0, &m->ledger}};
  size_t wanted = 7U + (surface->plate ? 1U : 0U) + (surface->plane ? 3U : 0U);
  thud_error error = thud_verify_read_channels(m->context, reader, THUD_RECORD_FRAMES,
                                               sizeof channels / sizeof *channels, channels, structure);
  if (error != THUD_OK) return error;
  thud_verify_check_made_by(&info, surface->plate ? "plate" : "membrane", "catching-up", structure);
  thud_verify_check_components(reader, THUD_RECORD_FRAMES, "state", 4, figure_names, structure);
  thud_verify_check_labels(reader, THUD_RECORD_FRAMES, "status", 3, states, structure);
  if (surface->plane) thud_verify_check_components(reader, THUD_RECORD_FRAMES, "ledger", 5, ledger_names, structure);
  if (info.channel_count[THUD_RECORD_FRAMES] != wanted + thud_verify_observed_channels(reader))
    thud_verify_fail(structure, NAN, SIZE_MAX, "frames have %zu channels, %zu are known", info.channel_count[0],
                     wanted);
  if (m->count == 0) thud_verify_fail(structure, NAN, SIZE_MAX, "the record has no frames");
  size_t room = n + edges > 2 * n ? n + edges : 2 * n;
  m->forces = THUD_NEW_ARRAY(m->context, double, 2 * room);
  m->sizes = THUD_NEW_ARRAY(m->context, double, room);
  m->loads = THUD_NEW_ARRAY(m->context, double, 2 * n);
  return m->forces != NULL && m->sizes != NULL && m->loads != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

static bool is_usable(const surface_rows *m) {
  return m->count > 0 && m->t != NULL && m->side != NULL && m->figures != NULL && m->v != NULL && m->s != NULL &&
         m->status != NULL && m->potential != NULL && m->slopes != NULL && m->u != NULL && m->r != NULL &&
         m->ledger != NULL;
}

/* ---- times ------------------------------------------------------------------------------------------------------------ */

/* The row that follows one at t on this side, when nothing is left out; false: none does. */
static bool row_after(const verify_scene *scene, double *t, double *side) {
  double step = (scene->end - scene->start) / scene->steps, slack = 1e-9 * step;
  bool jumps = thud_verify_scene_jumps_at(scene, *t);
  if (*side < 0 || (*side == 0 && jumps && *t < scene->end)) {
    *side += 1;
    return true;
  }
  if (!(*t < scene->end)) return false;
  double k = floor((*t - scene->start) / step + 1e-9) + 1;
  double next = k >= scene->steps ? scene->end : scene->start + k * step;
  size_t j = thud_verify_times_before(scene->jumps, scene->jump_count, *t);
  while (j < scene->jump_count && scene->jumps[j] <= *t) j++;
  bool jump = j < scene->jump_count && scene->jumps[j] <= next + slack;
  *t = jump ? scene->jumps[j] : next;
  *side = jump ? -1 : 0;
  return true;
}

/* Rows follow each other as the scene says; with thinning some of those without a jump may be missing. */
static void check_times(const surface_rows *m, bool finished, thud_verify_check *check) {
  const verify_scene *scene = &m->surface->scene;
  double step = (scene->end - scene->start) / scene->steps, slack = 1e-9 * step + 8 * DBL_EPSILON * fabs(scene->end);
  double t = scene->start, side = 0;
  for (size_t k = 0; k < m->count; k++) {
    bool more = true;
    if (k > 0) {
      t = m->t[k - 1];
      side = m->side[k - 1];
      more = row_after(scene, &t, &side);
      while (more && !m->complete && side == 0 && t < m->t[k] - slack) more = row_after(scene, &t, &side);
    }
    if (!more || !(fabs(m->t[k] - t) <= slack) || side != m->side[k])
      thud_verify_fail(check, m->t[k], k, "the scene has no such row after the one before");
  }
  const verify_times times = thud_verify_equal_steps(scene, false, VERIFY_TIMES_HAVE_SIDES);
  thud_verify_check_times(&times, m->count, m->t, m->side, finished, check);
}

/* ---- events and summary -------------------------------------------------------------------------------------------------- */

static thud_error check_events(const surface_rows *m, thud_record_reader *reader, thud_verify_check *check) {
  static const char *const kinds[] = {"jump"};
  size_t count = thud_record_reader_info(reader).rows[THUD_RECORD_EVENTS], next = 0;
  double *t = NULL, *kind = NULL;
  const verify_channel channels[] = {{"t", 1, &t}, {"kind", 1, &kind}};
  thud_error error = thud_verify_read_channels(m->context, reader, THUD_RECORD_EVENTS, 2, channels, check);
  thud_verify_check_labels(reader, THUD_RECORD_EVENTS, "kind", 1, kinds, check);
  for (size_t k = 0; error == THUD_OK && t != NULL && kind != NULL && k < m->count; k++) {
    if (m->side[k] <= 0) continue;
    if (next >= count || t[next] != m->t[k] || kind[next] != 0)
      thud_verify_fail(check, m->t[k], k, "the data jump here and there is no event");
    next++;
  }
  if (error == THUD_OK && next != count)
    thud_verify_fail(check, NAN, SIZE_MAX, "there are %zu events, the rows have %zu jumps", count, next);
  thud_free(m->context, t);
  thud_free(m->context, kind);
  return error;
}

/* Two searches for the same rim agree within their errors, and their errors within a factor; near the limit of what is too
 * narrow one may resolve it and the other not. */
static void compare_rim(const surface_rows *m, const thud_node *map, const surface_measure *found, double size,
                        thud_verify_check *check) {
  static const double LIMIT = 0.25, SLACK = 0.15, FACTOR = 3;
  size_t last = m->count - 1;
  double t = m->t[last], rim, error, slack = m->surface->plate ? SLACK : 0;
  bool claimed =
      thud_verify_note_find(map, "reaction_rim", &rim) && thud_verify_note_find(map, "reaction_rim_error", &error);
  if (!claimed && found->narrow < LIMIT - slack) {
    thud_verify_fail(check, t, last, "there is no 'reaction_rim', and the mesh resolves it: %.6g +- %.2g", found->rim,
                     found->rim_error);
  } else if (claimed && found->narrow > LIMIT + slack) {
    thud_verify_fail(check, t, last, "'reaction_rim' is %.6g, and the contact is too narrow for the mesh", rim);
  } else if (claimed && !m->surface->plate) {
    thud_verify_note_number(map, "reaction_rim", found->rim, size, t, last, check);
    thud_verify_note_number(map, "reaction_rim_error", found->rim_error, size, t, last, check);
  } else if (claimed) {
    double allowed = found->rim_error;
    if (!(error <= FACTOR * allowed + size) || !(allowed <= FACTOR * error + size))
      thud_verify_fail(check, t, last, "'reaction_rim_error' is %.6g, by the checker %.6g", error, allowed);
    thud_verify_note_number(map, "reaction_rim", found->rim, 2 * allowed + size, t, last, check);
  }
}

static thud_error compare_summary(verify_record *record, void *motion, const thud_node *map, thud_verify_check *check) {
  const surface_rows *m = motion;
  static const char *const figures[] = {"steps",        "potential",    "reaction", "reaction_atoms",    "reaction_rim",
                                        "contact_area", "loaded_nodes", "atoms",    "reaction_rim_error"};
  size_t last = m->count - 1;
  double t = m->t[last], size = 1e-12 * (1 + fabs(m->figures[4 * last]));
  surface_measure found;
  thud_verify_summary_keys(map, sizeof figures / sizeof *figures, figures, check);
  if (strcmp(record->info.verdict, "good") != 0 || measure_reaction(m, last, &found) != THUD_OK) return THUD_OK;
  thud_verify_note_number(map, "time", t, 0, t, last, check);
  thud_verify_note_number(map, "potential", m->potential[last], 0, t, last, check);
  thud_verify_note_number(map, "reaction", m->figures[4 * last], 0, t, last, check);
  thud_verify_note_number(map, "contact_area", m->figures[4 * last + 1], 0, t, last, check);
  thud_verify_note_number(map, "reaction_atoms", found.atoms, size, t, last, check);
  compare_rim(m, map, &found, size, check);
  thud_verify_note_number(map, "loaded_nodes", (double)found.loaded, 0, t, last, check);
  thud_verify_note_number(map, "atoms", (double)found.atom_count, 0, t, last, check);
  thud_verify_note_numbers(thud_node_find(map, "state"), 4, figure_names, m->figures + 4 * last, t, last, check);
  if (m->surface->plane)
    thud_verify_note_numbers(thud_node_find(map, "ledger"), 5, ledger_names, m->ledger + 5 * last, t, last, check);
  if (m->complete) thud_verify_note_number(map, "steps", (double)m->count, 0, t, last, check);
  return THUD_OK;
}

/* ---- all of it ------------------------------------------------------------------------------------------------------------- */

static thud_error check_rows(surface_rows *m, verify_record *record) {
  thud_verify_check *checks = record->checks;
  check_times(m, strcmp(record->info.verdict, "good") == 0, &checks[SURFACE_STRUCTURE]);
  for (size_t k = 0; k < m->count; k++) surface_row(m, k, checks);
  thud_error error = check_events(m, record->reader, &checks[SURFACE_EVENTS]);
  if (error == THUD_OK) error = thud_verify_check_summary(record, m, NULL);
  for (int k = SURFACE_PLANE; k <= SURFACE_SLIP && !m->surface->plane; k++)
    thud_verify_skip(&checks[k], THUD_VERIFY_NOT_APPLICABLE, "the scene has no 'in_plane'");
  if (m->surface->plane && !m->complete)
    thud_verify_skip(&checks[SURFACE_SLIP], THUD_VERIFY_NOT_CHECKED, "rows were left out: their steps are not known");
  return error;
}

static thud_error read_scene(const verify_record *record, void *scene) {
  return thud_verify_surface_read(record->context, record->tree, scene);
}

static thud_error check(verify_record *record, void *scene) {
  verify_surface *surface = scene;
  double tolerance = record->options->tolerance;
  surface_rows rows = {.context = record->context,
                       .surface = surface,
                       .n = surface->mesh.nodes,
                       .complete = surface->scene.record_every == 0,
                       .tolerance = tolerance > 0 ? tolerance : DEFAULT_TOLERANCE};
  thud_error error = read_rows(&rows, record->reader, &record->checks[SURFACE_STRUCTURE]);
  record->unusable = !is_usable(&rows);
  if (error == THUD_OK && !record->unusable) error = check_rows(&rows, record);
  free_rows(&rows);
  return error;
}

static void release_scene(void *scene) { thud_verify_surface_free(scene); }

static const char *const names_of_checks[] = {[SURFACE_STRUCTURE] = "structure",
                                              [SURFACE_SUPPORTS] = "supports",
                                              [SURFACE_GAP] = "gap",
                                              [SURFACE_REACTION] = "reaction",
                                              [SURFACE_COMPLEMENTARITY] = "complementarity",
                                              [SURFACE_EQUILIBRIUM] = "equilibrium",
                                              [SURFACE_PLANE] = "in-plane",
                                              [SURFACE_FRICTION] = "friction",
                                              [SURFACE_SLIP] = "slip",
                                              [SURFACE_ENERGIES] = "energies",
                                              [SURFACE_FIGURES] = "figures",
                                              [SURFACE_EVENTS] = "events",
                                              [SURFACE_SUMMARY] = "summary",
                                              [SURFACE_FINISHED] = "finished",
                                              [SURFACE_FINISHED + 1] = NULL};
/* Defaults of its scenes: written after docs/scene-format.md, not after the tables of src. */
static const verify_default membrane_defaults[] = {{"/membrane/lift", "0", "*", NULL},
                                                   {"/membrane/load", "0", "*", NULL},
                                                   {"/membrane/load_factor", "1", "*", NULL},
                                                   {"/membrane/v_factor", "1", "*", NULL},
                                                   {"/membrane/u_factor", "1", "*", "in_plane"},
                                                   {"/membrane/force_factor", "1", "*", "in_plane"},
                                                   {"/membrane/in_plane/poisson", "0.3", "*", NULL},
                                                   {"/membrane/in_plane/friction", "0", "*", NULL},
                                                   {"/simulate/method", "auto", NULL, NULL},
                                                   {NULL, NULL, NULL, NULL}};

const verify_record_kind thud_verify_membrane_kind = {.name = "membrane",
                                                      .section = "membrane",
                                                      .checks = names_of_checks,
                                                      .defaults = {membrane_defaults},
                                                      .goes_on = true,
                                                      .size = sizeof(verify_surface),
                                                      .read = read_scene,
                                                      .check = check,
                                                      .release = release_scene,
                                                      .compare = compare_summary};

static const verify_default plate_defaults[] = {{"/plate/lift", "0", "*", NULL},
                                                {"/plate/load", "0", "*", NULL},
                                                {"/plate/load_factor", "1", "*", NULL},
                                                {"/plate/v_factor", "1", "*", NULL},
                                                {"/plate/u_factor", "1", "*", "in_plane"},
                                                {"/plate/force_factor", "1", "*", "in_plane"},
                                                {"/plate/poisson", "0.3", "*", NULL},
                                                {"/plate/edges/*/support", "clamped", "*", "v"},
                                                {"/plate/in_plane/poisson", "0.3", "*", NULL},
                                                {"/plate/in_plane/friction", "0", "*", NULL},
                                                {"/simulate/method", "auto", NULL, NULL},
                                                {NULL, NULL, NULL, NULL}};

const verify_record_kind thud_verify_plate_kind = {.name = "plate",
                                                   .section = "plate",
                                                   .checks = names_of_checks,
                                                   .defaults = {plate_defaults},
                                                   .goes_on = true,
                                                   .size = sizeof(verify_surface),
                                                   .read = read_scene,
                                                   .check = check,
                                                   .release = release_scene,
                                                   .compare = compare_summary};
