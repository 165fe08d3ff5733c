/* Membranes and plates: making one, the obstacle problem, reactions as measures. */
#include "motions/surface/surface.h"
#include "base/base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void thud_surface_destroy(thud_surface *surface) {
  if (surface == NULL) return;
  thud_context *context = surface->context;
  thud_surface_grid_destroy(context, surface->grid);
  thud_surface_matrix_free(&surface->transverse);
  thud_surface_matrix_free(&surface->plane);
  thud_free(context, surface->edges);
  thud_free(context, surface->area);
  thud_free(context, surface->held);
  thud_free(context, surface->in_held);
  thud_free(context, surface->fixed);
  thud_free(context, surface->work);
  thud_free(context, surface);
}

/* ---- making one -------------------------------------------------------------------------------------------------- */

static thud_error check_definition(thud_context *context, const thud_surface_definition *given) {
  if (given->mesh == NULL || (given->mesh->groups > 0 && given->supports == NULL))
    return thud_fail(context, THUD_ERROR_ARGUMENT, "a surface needs a mesh and the supports of its groups of edges");
  if (!(given->stiffness > 0) || !isfinite(given->stiffness))
    return thud_fail(context, THUD_ERROR_ARGUMENT, "the %s %g of a %s must be > 0",
                     given->kind == THUD_SURFACE_PLATE ? "bending stiffness" : "tension", given->stiffness,
                     given->kind == THUD_SURFACE_PLATE ? "plate" : "membrane");
  if (!(given->stretch >= 0) || !isfinite(given->stretch))
    return thud_fail(context, THUD_ERROR_ARGUMENT, "the stretch %g must be >= 0", given->stretch);
  if (!(given->poisson >= 0 && given->poisson <= 0.5) || !(given->plate_poisson >= 0 && given->plate_poisson <= 0.5))
    return thud_fail(context, THUD_ERROR_ARGUMENT, "Poisson's ratio must lie between 0 and 0.5");
  return THUD_OK;
}

static thud_error allocate(thud_surface *surface) {
  thud_context *context = surface->context;
  size_t most = 2 * (size_t)surface->n > (size_t)surface->freedoms ? 2 * (size_t)surface->n : (size_t)surface->freedoms;
  surface->area = THUD_NEW_ARRAY(context, double, surface->n);
  surface->held = THUD_NEW_ARRAY(context, unsigned char, surface->freedoms);
  surface->in_held = THUD_NEW_ARRAY(context, unsigned char, surface->n);
  surface->fixed = THUD_NEW_ARRAY(context, unsigned char, most);
  surface->work = THUD_NEW_ARRAY(context, double, most);
  return surface->area != NULL && surface->held != NULL && surface->in_held != NULL && surface->fixed != NULL &&
                 surface->work != NULL
             ? THUD_OK
             : THUD_ERROR_MEMORY;
}

static void find_areas(thud_surface *surface) {
  const thud_mesh *mesh = surface->mesh;
  for (thud_index t = 0; t < mesh->triangles; t++) {
    const thud_index *corner = mesh->triangle + 3 * (ptrdiff_t)t;
    double third = mesh_twice_area(mesh->xy + 2 * (ptrdiff_t)corner[0], mesh->xy + 2 * (ptrdiff_t)corner[1],
                                   mesh->xy + 2 * (ptrdiff_t)corner[2]) /
                   6;
    for (int c = 0; c < 3; c++) surface->area[corner[c]] += third;
  }
}

static void hold(thud_surface *surface, const thud_surface_definition *given) {
  const thud_mesh *mesh = surface->mesh;
  for (thud_index k = 0; k < mesh->edges; k++) {
    thud_support support = given->supports[mesh->edge_group[k]];
    thud_support plane = given->in_plane != NULL ? given->in_plane[mesh->edge_group[k]] : THUD_SUPPORT_FREE;
    const thud_index *ends = mesh->edge + 2 * (ptrdiff_t)k;
    for (int e = 0; e < 2; e++) {
      if (support != THUD_SUPPORT_FREE) surface->held[ends[e]] = 1;
      if (plane != THUD_SUPPORT_FREE) surface->in_held[ends[e]] = 1;
    }
    if (support == THUD_SUPPORT_CLAMPED && surface->kind == THUD_SURFACE_PLATE)
      surface->held[surface->n + thud_mesh_edge_index(surface->edges, surface->edge_count, ends[0], ends[1])] = 1;
  }
}

/* Nodes that are held: none, one, all on a line, or more. */
static int count_held(const thud_surface *surface, const unsigned char *held) {
  const double *xy = surface->mesh->xy, *first = NULL, *second = NULL;
  for (thud_index i = 0; i < surface->n; i++) {
    const double *place = xy + 2 * (ptrdiff_t)i;
    if (held[i] == 0) continue;
    if (first == NULL) {
      first = place;
    } else if (second == NULL) {
      second = place;
    } else {
      double along = hypot(second[0] - first[0], second[1] - first[1]),
             far = hypot(place[0] - first[0], place[1] - first[1]);
      if (fabs(mesh_twice_area(first, second, place)) > 1e-9 * along * far) return 3;
    }
  }
  return second != NULL ? 2 : first != NULL ? 1 : 0;
}

/* Nothing moves without resistance. */
static thud_error check_supports(thud_surface *surface) {
  bool plate = surface->kind == THUD_SURFACE_PLATE, clamped = false;
  for (thud_index k = surface->n; k < surface->freedoms; k++) clamped = clamped || surface->held[k] != 0;
  int held = count_held(surface, surface->held);
  bool good = held >= (plate && !clamped ? 3 : 1);
  if (good && surface->grid == NULL)
    good = thud_surface_matrix_fix(&surface->transverse, surface->held, NULL) == THUD_OK;
  if (!good)
    return thud_fail(surface->context, THUD_ERROR_NOT_SPD,
                     "the %s is not held: edges with a given v are needed, enough of them that it cannot move freely",
                     plate ? "plate" : "membrane");
  if (!(surface->stretch > 0)) return THUD_OK;
  for (thud_index i = 0; i < 2 * surface->n; i++) surface->fixed[i] = surface->in_held[i / 2];
  if (count_held(surface, surface->in_held) >= 2 &&
      thud_surface_matrix_fix(&surface->plane, surface->fixed, NULL) == THUD_OK)
    return THUD_OK;
  return thud_fail(surface->context, THUD_ERROR_NOT_SPD,
                   "nothing holds the displacement in the plane: edges with a given u are needed");
}

static thud_error fill(thud_surface *surface, const thud_surface_definition *given) {
  bool plate = given->kind == THUD_SURFACE_PLATE;
  thud_error error = plate ? thud_mesh_all_edges(surface->mesh, &surface->edges, &surface->edge_count) : THUD_OK;
  if (error != THUD_OK) return error;
  surface->freedoms = surface->n + surface->edge_count;
  error = allocate(surface);
  if (error != THUD_OK) return error;
  find_areas(surface);
  hold(surface, given);
  if (given->method == THUD_SURFACE_MULTIGRID && !thud_surface_grid_suits(surface, true))
    return thud_fail(surface->context, THUD_ERROR_ARGUMENT,
                     "multigrid is for membranes on rectangles whose numbers of cells are even several times over, "
                     "until at most 20000 nodes are left");
  if (given->method != THUD_SURFACE_ACTIVE_SET &&
      thud_surface_grid_suits(surface, given->method == THUD_SURFACE_MULTIGRID))
    error = thud_surface_grid_create(surface);
  else
    error = thud_surface_assemble(surface);
  if (error == THUD_OK && surface->stretch > 0) error = thud_surface_assemble_plane(surface);
  return error == THUD_OK ? check_supports(surface) : error;
}

thud_error thud_surface_create(thud_context *context, const thud_surface_definition *definition,
                               thud_surface **surface) {
  THUD_REQUIRE(context, context, definition, surface);
  thud_error error = check_definition(context, definition);
  if (error != THUD_OK) return error;
  thud_surface *made = THUD_NEW(context, thud_surface);
  if (made == NULL) return THUD_ERROR_MEMORY;
  *made = (thud_surface){.context = context,
                         .kind = definition->kind,
                         .method = definition->method,
                         .mesh = definition->mesh,
                         .n = definition->mesh->nodes,
                         .stiffness = definition->stiffness,
                         .plate_poisson = definition->plate_poisson,
                         .stretch = definition->stretch,
                         .poisson = definition->poisson};
  error = fill(made, definition);
  if (error == THUD_OK)
    *surface = made;
  else
    thud_surface_destroy(made);
  return error;
}

thud_index thud_surface_nodes(const thud_surface *surface) {
  THUD_REQUIRE_OR(0, surface);
  return surface->n;
}
thud_index thud_surface_freedoms(const thud_surface *surface) {
  THUD_REQUIRE_OR(0, surface);
  return surface->freedoms;
}
const double *thud_surface_areas(const thud_surface *surface) {
  THUD_REQUIRE_OR(NULL, surface);
  return surface->area;
}
bool thud_surface_is_held(const thud_surface *surface, bool in_plane, thud_index node) {
  THUD_REQUIRE_OR(false, surface, node >= 0 && node < surface->n);
  return (in_plane ? surface->in_held[node] : surface->held[node]) != 0;
}
bool thud_surface_uses_multigrid(const thud_surface *surface) {
  THUD_REQUIRE_OR(false, surface);
  return surface->grid != NULL;
}

/* Integral of a linear density times a barycentric coordinate: area/12 (twice its own corner + the two others). */
thud_error thud_surface_add_density(const thud_surface *surface, const double *density, double *forces) {
  THUD_REQUIRE_OF(surface, density, forces);
  const thud_mesh *mesh = surface->mesh;
  for (thud_index i = 0; i < surface->n; i++)
    if (!isfinite(density[i]))
      return thud_fail(surface->context, THUD_ERROR_NOT_FINITE, "the density at node %td is not finite", (ptrdiff_t)i);
  for (thud_index t = 0; t < mesh->triangles; t++) {
    const thud_index *corner = mesh->triangle + 3 * (ptrdiff_t)t;
    double area = mesh_twice_area(mesh->xy + 2 * (ptrdiff_t)corner[0], mesh->xy + 2 * (ptrdiff_t)corner[1],
                                  mesh->xy + 2 * (ptrdiff_t)corner[2]) /
                  2;
    double sum = density[corner[0]] + density[corner[1]] + density[corner[2]];
    for (int c = 0; c < 3; c++) forces[corner[c]] += area / 12 * (sum + density[corner[c]]);
  }
  return THUD_OK;
}

/* ---- energies ------------------------------------------------------------------------------------------------------- */

static double energy(const surface_matrix *matrix, const double *x, double *product) {
  thud_sparse_multiply_vector(&matrix->K, false, 1, x, 0, product);
  return thud_dot(matrix->context, (size_t)matrix->K.rows, product, x) / 2;
}

double thud_surface_energy(thud_surface *surface, const double *v) {
  THUD_REQUIRE_OR(NAN, surface, v);
  return surface->grid != NULL ? thud_surface_grid_energy(surface, v) : energy(&surface->transverse, v, surface->work);
}

double thud_surface_stretch_energy(thud_surface *surface, const double *u) {
  THUD_REQUIRE_OR(NAN, surface, u);
  return surface->stretch > 0 ? energy(&surface->plane, u, surface->work) : 0;
}

/* ---- the obstacle ------------------------------------------------------------------------------------------------------ */

static const double held_tolerance = 1e-12;

static thud_error check_obstacle(const thud_surface *surface, const double *forces, const double *psi,
                                 const double *held) {
  for (thud_index i = 0; i < surface->n; i++) {
    const double *place = surface->mesh->xy + 2 * (ptrdiff_t)i;
    if (!isfinite(forces[i]))
      return thud_fail(surface->context, THUD_ERROR_NOT_FINITE, "the transverse force at (%g, %g) is not finite",
                       place[0], place[1]);
    if (!(psi[i] < INFINITY))
      return thud_fail(surface->context, THUD_ERROR_NOT_FINITE,
                       "the obstacle at (%g, %g) is not a number (-infinity: no obstacle)", place[0], place[1]);
    if (surface->held[i] == 0) continue;
    if (!isfinite(held[i]))
      return thud_fail(surface->context, THUD_ERROR_NOT_FINITE, "the given v at (%g, %g) is not finite", place[0],
                       place[1]);
    if (held[i] < psi[i] - held_tolerance * (fabs(psi[i]) + fabs(held[i])))
      return thud_fail(
          surface->context, THUD_ERROR_ARGUMENT,
          "the edge is held at v = %g at (%g, %g), below the obstacle at %g: no displacement is admissible", held[i],
          place[0], place[1], psi[i]);
  }
  return THUD_OK;
}

thud_error thud_surface_solve_obstacle(thud_surface *surface, const double *forces, const double *psi,
                                       const double *held, const double *s_before, double *v, double *s,
                                       thud_surface_info *info) {
  THUD_REQUIRE_OF(surface, forces, psi, held, v, s);
  thud_surface_info found = {0};
  thud_error error = check_obstacle(surface, forces, psi, held);
  if (error != THUD_OK) return error;
  for (thud_index i = 0; i < surface->freedoms; i++) v[i] = i < surface->n && surface->held[i] != 0 ? held[i] : 0;
  error = surface->grid != NULL ? thud_surface_grid_solve(surface, forces, psi, v, s, &found)
                                : thud_surface_active_set(surface, forces, psi, s_before, v, s, &found);
  if (error == THUD_OK && info != NULL) *info = found;
  return error;
}

/* ---- measures ------------------------------------------------------------------------------------------------------------ */

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
                         ? thud_surface_find_rim(surface, s, found.inside, &found.rim, &found.rim_error)
                         : membrane_rim(surface, s, density, around, found.inside, &found.rim, &found.rim_error);
  found.inside -= found.rim;
  if (error == THUD_OK) *measure = found;
  thud_free(surface->context, around);
  return error;
}
