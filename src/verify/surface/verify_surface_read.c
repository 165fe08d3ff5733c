/* The checker's reading of `membrane` and `plate` scenes, with meshes (rectangles and discs as docs/membranes-and-plates.md
 * describes them, texts of Gmsh's format 2.2) and elements of its own. */
#include "verify/surface/verify_surface.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 20000000 };

static void mesh_free(thud_context *context, verify_mesh *mesh) {
  void *const arrays[] = {mesh->xy, mesh->triangle, mesh->side, mesh->side_group, (void *)mesh->group, mesh->edge};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(context, arrays[k]);
  *mesh = (verify_mesh){0};
}

static thud_error allocate_mesh(thud_context *context, verify_mesh *mesh) {
  mesh->xy = THUD_NEW_ARRAY(context, double, 2 * mesh->nodes);
  mesh->triangle = THUD_NEW_ARRAY(context, size_t, 3 * mesh->triangles);
  mesh->side = THUD_NEW_ARRAY(context, size_t, 2 * mesh->sides);
  mesh->side_group = THUD_NEW_ARRAY(context, size_t, mesh->sides);
  mesh->group = thud_alloc(context, mesh->groups, sizeof *mesh->group);
  return mesh->xy != NULL && mesh->triangle != NULL && mesh->side != NULL && mesh->side_group != NULL &&
                 mesh->group != NULL
             ? THUD_OK
             : THUD_ERROR_MEMORY;
}

static thud_error read_list(verify_scene *scene, const thud_node *node, size_t count, double *numbers) {
  thud_error error = thud_node_expect(node, THUD_NODE_SEQUENCE);
  if (error == THUD_OK && thud_node_count(node) != count)
    error = thud_node_fail(node, THUD_ERROR_SCHEMA, "%zu numbers are needed", count);
  for (size_t k = 0; k < count && error == THUD_OK; k++)
    error = thud_verify_read_constant(scene, thud_node_item(node, k), &numbers[k]);
  return error;
}

/* ---- rectangles and discs ------------------------------------------------------------------------------------------ */

/* Sides: left, right, bottom, top. */
static void name_sides(verify_mesh *mesh, size_t nx, size_t ny) {
  static const char *const names[] = {"left", "right", "bottom", "top"};
  size_t k = 0;
  for (size_t g = 0; g < 4; g++) {
    snprintf(mesh->group[g], sizeof mesh->group[g], "%s", names[g]);
    for (size_t m = 0; m < (g < 2 ? ny : nx); m++, k++) {
      size_t i = g == 0 ? 0 : g == 1 ? nx : m, j = g == 2 ? 0 : g == 3 ? ny : m;
      mesh->side[2 * k] = j * (nx + 1) + i;
      mesh->side[2 * k + 1] = g < 2 ? (j + 1) * (nx + 1) + i : j * (nx + 1) + i + 1;
      mesh->side_group[k] = g;
    }
  }
}

static thud_error make_rectangle(verify_scene *scene, const thud_node *node, verify_mesh *mesh) {
  const thud_node *cells = thud_node_find(node, "cells");
  double box[4], count[2];
  thud_error error = read_list(scene, thud_node_find(node, "rectangle"), 4, box);
  if (error == THUD_OK && cells == NULL) error = thud_node_fail(node, THUD_ERROR_SCHEMA, "there are no 'cells'");
  if (error == THUD_OK) error = read_list(scene, cells, 2, count);
  if (error != THUD_OK) return error;
  if (!(count[0] >= 1 && count[1] >= 1 && count[0] * count[1] < MOST))
    return thud_node_fail(cells, THUD_ERROR_SCHEMA, "these are no numbers of cells");
  size_t nx = (size_t)count[0], ny = (size_t)count[1];
  *mesh = (verify_mesh){.nodes = (nx + 1) * (ny + 1), .triangles = 2 * nx * ny, .sides = 2 * (nx + ny), .groups = 4};
  error = allocate_mesh(scene->context, mesh);
  if (error != THUD_OK) return error;
  for (size_t k = 0; k < mesh->nodes; k++) {
    size_t i = k % (nx + 1), j = k / (nx + 1);
    mesh->xy[2 * k] = box[0] + (box[2] - box[0]) * ((double)i / (double)nx);
    mesh->xy[2 * k + 1] = box[1] + (box[3] - box[1]) * ((double)j / (double)ny);
  }
  for (size_t k = 0; k < nx * ny; k++) {
    size_t corner = k / nx * (nx + 1) + k % nx, opposite = corner + nx + 2;
    const size_t both[6] = {corner, corner + 1, opposite, corner, opposite, opposite - 1};
    memcpy(mesh->triangle + 6 * k, both, sizeof both);
  }
  name_sides(mesh, nx, ny);
  return THUD_OK;
}

/* Ring k of 6 k nodes, sixth by sixth: between ring k-1 and k each sixth has k triangles that stand on ring k and k-1 that
 * hang from ring k-1. */
static void fill_ring(verify_mesh *mesh, size_t k, size_t *next) {
  size_t inner = k > 1 ? 1 + 3 * (k - 1) * (k - 2) : 0, outer = 1 + 3 * k * (k - 1);
  for (size_t sixth = 0; sixth < 6; sixth++)
    for (size_t m = 0; m < k; m++) {
      size_t a = outer + sixth * k + m, b = outer + (sixth * k + m + 1) % (6 * k);
      size_t c = k > 1 ? inner + (sixth * (k - 1) + m) % (6 * (k - 1)) : 0;
      const size_t standing[3] = {c, a, b};
      memcpy(mesh->triangle + 3 * (*next)++, standing, sizeof standing);
      if (m == 0) continue;
      const size_t hanging[3] = {inner + sixth * (k - 1) + m - 1, a, c};
      memcpy(mesh->triangle + 3 * (*next)++, hanging, sizeof hanging);
    }
}

static thud_error make_disc(verify_scene *scene, const thud_node *node, verify_mesh *mesh) {
  const double turn = 2 * acos(-1);
  const thud_node *rings = thud_node_find(node, "rings");
  double numbers[3], count = 0;
  thud_error error = read_list(scene, thud_node_find(node, "disc"), 3, numbers);
  if (error == THUD_OK && rings == NULL) error = thud_node_fail(node, THUD_ERROR_SCHEMA, "there are no 'rings'");
  if (error == THUD_OK) error = thud_verify_read_constant(scene, rings, &count);
  if (error != THUD_OK) return error;
  if (!(count >= 1 && 6 * count * count < MOST)) return thud_node_fail(rings, THUD_ERROR_SCHEMA, "no number of rings");
  size_t m = (size_t)count, next = 0;
  *mesh = (verify_mesh){.nodes = 1 + 3 * m * (m + 1), .triangles = 6 * m * m, .sides = 6 * m, .groups = 1};
  error = allocate_mesh(scene->context, mesh);
  if (error != THUD_OK) return error;
  memcpy(mesh->xy, numbers, 2 * sizeof(double));
  for (size_t k = 1; k <= m; k++) {
    for (size_t i = 0; i < 6 * k; i++) {
      double *place = mesh->xy + 2 * (1 + 3 * k * (k - 1) + i), angle = turn * (double)i / (double)(6 * k);
      place[0] = numbers[0] + numbers[2] * (double)k / (double)m * cos(angle);
      place[1] = numbers[1] + numbers[2] * (double)k / (double)m * sin(angle);
    }
    fill_ring(mesh, k, &next);
  }
  snprintf(mesh->group[0], sizeof mesh->group[0], "edge");
  for (size_t i = 0; i < 6 * m; i++) {
    mesh->side[2 * i] = 1 + 3 * m * (m - 1) + i;
    mesh->side[2 * i + 1] = 1 + 3 * m * (m - 1) + (i + 1) % (6 * m);
  }
  return THUD_OK;
}

/* ---- texts ------------------------------------------------------------------------------------------------------------ */

/* The place behind a word of its own line; NULL: it is not there. */
static const char *behind(const char *text, const char *word) {
  const char *at = strstr(text, word);
  return at != NULL ? at + strlen(word) : NULL;
}

/* Elements: number, type, tags, corners. With mesh->triangle NULL they are only counted. */
static bool take_elements(const char *text, verify_mesh *mesh, bool count_only) {
  char *at;
  unsigned long long count = strtoull(text, &at, 10);
  size_t triangles = 0, sides = 0;
  for (unsigned long long k = 0; k < count; k++) {
    unsigned long long number[7];
    int words = 4;
    for (int w = 0; w < words && w < 7; w++) {
      char *end;
      number[w] = strtoull(at, &end, 10);
      if (end == at) return false;
      at = end;
      if (w == 1) words = 5 + (number[1] == 2 ? 3 : 2);
      if (w == 6 && words == 8) { /* the third corner of a triangle */
        unsigned long long third = strtoull(at, &end, 10);
        if (end == at || third == 0 || number[5] == 0 || number[6] == 0) return false;
        at = end;
        if (!count_only) {
          const size_t corner[3] = {(size_t)number[5] - 1, (size_t)number[6] - 1, (size_t)third - 1};
          memcpy(mesh->triangle + 3 * triangles, corner, sizeof corner);
        }
        triangles++;
      }
    }
    if (number[1] == 1) {
      if (number[5] == 0 || number[6] == 0 || number[3] == 0) return false;
      if (!count_only) {
        mesh->side[2 * sides] = (size_t)number[5] - 1;
        mesh->side[2 * sides + 1] = (size_t)number[6] - 1;
        mesh->side_group[sides] = (size_t)number[3] - 1;
      }
      sides++;
    }
  }
  mesh->triangles = triangles;
  mesh->sides = sides;
  return true;
}

static bool take_nodes(const char *text, verify_mesh *mesh) {
  char *at;
  strtoull(text, &at, 10);
  for (size_t i = 0; i < mesh->nodes; i++) {
    strtoull(at, &at, 10);
    for (size_t d = 0; d < 3; d++) {
      char word[64];
      at += strspn(at, " \n\r\t");
      size_t length = strcspn(at, " \n\r\t");
      double number;
      snprintf(word, sizeof word, "%.*s", (int)(length < 63 ? length : 63), at);
      if (!thud_parse_double(word, &number)) return false;
      if (d < 2) mesh->xy[2 * i + d] = number;
      at += length;
    }
  }
  return true;
}

static void take_names(const char *text, verify_mesh *mesh) {
  for (size_t k = 0; k < mesh->groups; k++) {
    const char *open = strchr(text, '"'), *close = open != NULL ? strchr(open + 1, '"') : NULL;
    if (close == NULL) return;
    snprintf(mesh->group[k], sizeof mesh->group[k], "%.*s", (int)(close - open - 1), open + 1);
    text = close + 1;
  }
}

static bool is_sound(const verify_mesh *mesh) {
  for (size_t k = 0; k < 3 * mesh->triangles; k++)
    if (mesh->triangle[k] >= mesh->nodes) return false;
  for (size_t k = 0; k < 2 * mesh->sides; k++)
    if (mesh->side[k] >= mesh->nodes || mesh->side_group[k / 2] >= mesh->groups) return false;
  return true;
}

static thud_error read_text(verify_scene *scene, const thud_node *node, verify_mesh *mesh) {
  const char *text;
  const thud_node *gmsh;
  thud_error error = thud_node_require(node, "gmsh", &gmsh);
  if (error == THUD_OK) error = thud_node_read_string(gmsh, &text);
  if (error != THUD_OK) return error;
  const char *names = behind(text, "$PhysicalNames\n"), *nodes = behind(text, "$Nodes\n");
  const char *elements = behind(text, "$Elements\n");
  bool good = names != NULL && nodes != NULL && elements != NULL && strncmp(text, "$MeshFormat\n2.2 0 8\n", 20) == 0;
  size_t most = strlen(text) / 4;
  if (good) {
    mesh->groups = (size_t)strtoull(names, NULL, 10);
    mesh->nodes = (size_t)strtoull(nodes, NULL, 10);
    good = mesh->groups <= most && mesh->nodes <= most && take_elements(elements, mesh, true);
  }
  if (!good) return thud_node_fail(gmsh, THUD_ERROR_SCHEMA, "this is no mesh as records have it");
  error = allocate_mesh(scene->context, mesh);
  if (error != THUD_OK) return error;
  take_names(names, mesh);
  good = take_nodes(nodes, mesh) && take_elements(elements, mesh, false) && is_sound(mesh);
  return good ? THUD_OK : thud_node_fail(gmsh, THUD_ERROR_SCHEMA, "this is no mesh as records have it");
}

/* ---- edges ---------------------------------------------------------------------------------------------------------------- */

static int compare_pairs(const void *p, const void *q) {
  const size_t *a = p, *b = q;
  if (a[0] != b[0]) return a[0] < b[0] ? -1 : 1;
  return (a[1] > b[1]) - (a[1] < b[1]);
}

static thud_error find_edges(thud_context *context, verify_mesh *mesh) {
  size_t kept = 0;
  mesh->edge = THUD_NEW_ARRAY(context, size_t, 6 * mesh->triangles);
  if (mesh->edge == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < 3 * mesh->triangles; k++) {
    size_t a = mesh->triangle[k], b = mesh->triangle[k / 3 * 3 + (k + 1) % 3];
    mesh->edge[2 * k] = a < b ? a : b;
    mesh->edge[2 * k + 1] = a < b ? b : a;
  }
  qsort(mesh->edge, 3 * mesh->triangles, 2 * sizeof(size_t), compare_pairs);
  for (size_t k = 0; k < 3 * mesh->triangles; k++)
    if (kept == 0 || compare_pairs(mesh->edge + 2 * k, mesh->edge + 2 * (kept - 1)) != 0)
      memmove(mesh->edge + 2 * kept++, mesh->edge + 2 * k, 2 * sizeof(size_t));
  mesh->edges = kept;
  return THUD_OK;
}

size_t thud_verify_mesh_edge(const verify_mesh *mesh, size_t a, size_t b) {
  const size_t key[2] = {a < b ? a : b, a < b ? b : a};
  const size_t *found = bsearch(key, mesh->edge, mesh->edges, sizeof key, compare_pairs);
  return found != NULL ? (size_t)(found - mesh->edge) / 2 : SIZE_MAX;
}

static thud_error mesh_read(verify_scene *scene, const thud_node *node, bool with_edges, verify_mesh *mesh) {
  thud_error error = thud_node_expect(node, THUD_NODE_MAP);
  if (error != THUD_OK) return error;
  error = thud_node_find(node, "rectangle") != NULL ? make_rectangle(scene, node, mesh)
          : thud_node_find(node, "disc") != NULL    ? make_disc(scene, node, mesh)
                                                    : read_text(scene, node, mesh);
  return error == THUD_OK && with_edges ? find_edges(scene->context, mesh) : error;
}

/* ---- heights ---------------------------------------------------------------------------------------------------------------- */

/* Numbers of a table, and how many of them the first line has. */
static double *take_table(thud_context *context, const char *text, size_t *count, size_t *columns) {
  double *values = THUD_NEW_ARRAY(context, double, strlen(text) / 2 + 1);
  *count = *columns = 0;
  while (values != NULL && *text != '\0') {
    text += strspn(text, " \t\r,;");
    if (*text == '#') text += strcspn(text, "\n");
    if (*text == '\n' || *text == '\0') {
      if (*columns == 0) *columns = *count;
      text += *text == '\n';
      continue;
    }
    char word[64];
    size_t length = strcspn(text, " \t\r,;\n#");
    snprintf(word, sizeof word, "%.*s", (int)(length < 63 ? length : 63), text);
    if (!thud_parse_double(word, &values[(*count)++])) values[*count - 1] = NAN;
    text += length;
  }
  return values;
}

/* Weights of hats: sum over all rows and columns whose hat reaches the place. */
static double hat(double at, size_t k) { return fmax(0, 1 - fabs(at - (double)k)); }

/* A table of heights at the nodes. */
static thud_error heights_read(verify_scene *scene, const thud_node *node, const verify_mesh *mesh, double *out) {
  const thud_node *box_node, *table;
  const char *text;
  double box[4];
  size_t count, columns;
  thud_error error = thud_node_require(node, "box", &box_node);
  if (error == THUD_OK) error = read_list(scene, box_node, 4, box);
  if (error == THUD_OK) error = thud_node_require(node, "table", &table);
  if (error == THUD_OK) error = thud_node_read_string(table, &text);
  if (error != THUD_OK) return error;
  double *values = take_table(scene->context, text, &count, &columns);
  if (values == NULL) return THUD_ERROR_MEMORY;
  size_t rows = columns > 0 ? count / columns : 0;
  if (columns < 2 || rows < 2 || count % columns != 0)
    error = thud_node_fail(table, THUD_ERROR_SCHEMA, "this is no table of heights");
  for (size_t i = 0; i < mesh->nodes && error == THUD_OK; i++) {
    double x = (mesh->xy[2 * i] - box[0]) / (box[2] - box[0]) * (double)(columns - 1);
    double y = (box[3] - mesh->xy[2 * i + 1]) / (box[3] - box[1]) * (double)(rows - 1);
    x = fmin(fmax(x, 0), (double)(columns - 1));
    y = fmin(fmax(y, 0), (double)(rows - 1));
    out[i] = 0;
    for (size_t r = (size_t)y; r < rows && r <= (size_t)y + 1; r++)
      for (size_t c = (size_t)x; c < columns && c <= (size_t)x + 1; c++)
        out[i] += hat(y, r) * hat(x, c) * values[r * columns + c];
  }
  thud_free(scene->context, values);
  return error;
}

/* ---- the checker's elements, by formulas that the solver does not use -------------------------------------------- */

/* The checker's elements, by formulas that the solver does not use: cotangents of the angles for membranes, strains times
 * stresses for plane stress, and for Morley's plates the quadratic function with the given values and slopes. */

static double cross(const double *a, const double *b, const double *c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/* T/2 sum over the corners of cot(angle) (difference over the opposite side)^2. */
static double bend_membrane(const verify_surface *surface, const double *v, double *forces, double *sizes) {
  const verify_mesh *mesh = &surface->mesh;
  double energy = 0;
  for (size_t k = 0; k < 3 * mesh->triangles; k++) {
    const size_t *t = mesh->triangle + k / 3 * 3;
    size_t c = t[k % 3], i = t[(k + 1) % 3], j = t[(k + 2) % 3];
    const double *pc = mesh->xy + 2 * c, *pi = mesh->xy + 2 * i, *pj = mesh->xy + 2 * j;
    double dot = (pi[0] - pc[0]) * (pj[0] - pc[0]) + (pi[1] - pc[1]) * (pj[1] - pc[1]);
    double weight = surface->stiffness * dot / (2 * cross(pc, pi, pj)), difference = v[i] - v[j];
    forces[i] += weight * difference;
    forces[j] -= weight * difference;
    sizes[i] += fabs(weight) * (fabs(v[i]) + fabs(v[j]));
    sizes[j] += fabs(weight) * (fabs(v[i]) + fabs(v[j]));
    energy += weight * difference * difference / 2;
  }
  return energy;
}

/* Solves the 6 x 6 system for all unit vectors: inverse[6][6]. False: singular. */
static bool invert(double A[6][6], double inverse[6][6]) {
  for (int i = 0; i < 36; i++) inverse[i / 6][i % 6] = i / 6 == i % 6;
  for (int p = 0; p < 6; p++) {
    int best = p;
    for (int i = p; i < 6; i++)
      if (fabs(A[i][p]) > fabs(A[best][p])) best = i;
    if (!(fabs(A[best][p]) > 0)) return false;
    for (int j = 0; j < 6; j++) {
      double a = A[p][j], b = inverse[p][j];
      A[p][j] = A[best][j], inverse[p][j] = inverse[best][j];
      A[best][j] = a, inverse[best][j] = b;
    }
    for (int i = 0; i < 6; i++) {
      if (i == p) continue;
      double factor = A[i][p] / A[p][p];
      for (int j = 0; j < 6; j++) A[i][j] -= factor * A[p][j], inverse[i][j] -= factor * inverse[p][j];
    }
  }
  for (int p = 0; p < 6; p++)
    for (int j = 0; j < 6; j++) inverse[p][j] /= A[p][p];
  return true;
}

/* Curvatures (xx, yy, xy) of the functions c0 + c1 x + c2 y + c3 x^2/2 + c4 y^2/2 + c5 xy, lengths in units of h from the
 * first corner, that have the value 1 at one corner (k < 3) or the slope 1 at one side's midpoint, opposite to corner
 * k - 3, in the direction of the edge's own normal. */
static bool find_curvatures(const verify_mesh *mesh, const size_t *t, double curvature[6][3], size_t at[6]) {
  const double *o = mesh->xy + 2 * t[0];
  double A[6][6], inverse[6][6], h = sqrt(cross(o, mesh->xy + 2 * t[1], mesh->xy + 2 * t[2]));
  for (int k = 0; k < 3; k++) {
    double x = (mesh->xy[2 * t[k]] - o[0]) / h, y = (mesh->xy[2 * t[k] + 1] - o[1]) / h;
    const double row[6] = {1, x, y, x * x / 2, y * y / 2, x * y};
    memcpy(A[k], row, sizeof row);
    size_t a = t[(k + 1) % 3], b = t[(k + 2) % 3], low = a < b ? a : b, high = a < b ? b : a;
    const double *p = mesh->xy + 2 * low, *q = mesh->xy + 2 * high;
    double length = hypot(q[0] - p[0], q[1] - p[1]), nx = (q[1] - p[1]) / length, ny = -(q[0] - p[0]) / length;
    double mx = ((p[0] + q[0]) / 2 - o[0]) / h, my = ((p[1] + q[1]) / 2 - o[1]) / h;
    const double slope[6] = {0, nx / h, ny / h, nx * mx / h, ny * my / h, (nx * my + ny * mx) / h};
    memcpy(A[3 + k], slope, sizeof slope);
    at[k] = t[k];
    at[3 + k] = mesh->nodes + thud_verify_mesh_edge(mesh, a, b);
  }
  if (!invert(A, inverse)) return false;
  for (int k = 0; k < 6; k++)
    for (int d = 0; d < 3; d++) curvature[k][d] = inverse[3 + d][k] / (h * h);
  return true;
}

/* Moments D ((1-nu) w_xx + nu tr, (1-nu) w_yy + nu tr, (1-nu) w_xy) times virtual curvatures, w_xy twice. */
static double bend_plate(const verify_surface *surface, const double *v, const double *slopes, double *forces,
                         double *sizes) {
  const verify_mesh *mesh = &surface->mesh;
  double energy = 0, nu = surface->plate_poisson;
  for (size_t t = 0; t < mesh->triangles; t++) {
    double curvature[6][3], w[3] = {0, 0, 0}, size[3] = {0, 0, 0};
    size_t at[6];
    const size_t *corner = mesh->triangle + 3 * t;
    if (!find_curvatures(mesh, corner, curvature, at)) return NAN;
    double area = cross(mesh->xy + 2 * corner[0], mesh->xy + 2 * corner[1], mesh->xy + 2 * corner[2]) / 2;
    for (int k = 0; k < 18; k++) {
      double value = k / 3 < 3 ? v[at[k / 3]] : slopes[at[k / 3] - mesh->nodes];
      w[k % 3] += curvature[k / 3][k % 3] * value;
      size[k % 3] += fabs(curvature[k / 3][k % 3] * value);
    }
    double trace = w[0] + w[1], D = surface->stiffness * area;
    const double moment[3] = {D * ((1 - nu) * w[0] + nu * trace), D * ((1 - nu) * w[1] + nu * trace),
                              2 * D * (1 - nu) * w[2]};
    for (int k = 0; k < 6; k++)
      for (int d = 0; d < 3; d++) {
        forces[at[k]] += curvature[k][d] * moment[d];
        sizes[at[k]] += fabs(curvature[k][d]) * D * (size[0] + size[1] + size[2]);
      }
    energy += (moment[0] * w[0] + moment[1] * w[1] + moment[2] * w[2]) / 2;
  }
  return energy;
}

double thud_verify_surface_bend(const verify_surface *surface, const double *v, const double *slopes, double *forces,
                                double *sizes) {
  return surface->plate ? bend_plate(surface, v, slopes, forces, sizes) : bend_membrane(surface, v, forces, sizes);
}

/* Strain of the triangle from differences over two sides; stress E h/(1-nu^2) (e + nu other), E h/(1+nu) e_xy. */
double thud_verify_surface_stretch(const verify_surface *surface, const double *u, double *forces, double *sizes) {
  const verify_mesh *mesh = &surface->mesh;
  double energy = 0, nu = surface->poisson, scale = surface->stretch / (1 - nu * nu);
  for (size_t t = 0; t < mesh->triangles; t++) {
    const size_t *c = mesh->triangle + 3 * t;
    const double *p = mesh->xy + 2 * c[0], *q = mesh->xy + 2 * c[1], *r = mesh->xy + 2 * c[2];
    double twice = cross(p, q, r), largest = 0, slope[2][2]; /* d u_d / d x_e */
    for (size_t d = 0; d < 2; d++) {
      double a = u[2 * c[1] + d] - u[2 * c[0] + d], b = u[2 * c[2] + d] - u[2 * c[0] + d];
      slope[d][0] = (a * (r[1] - p[1]) - b * (q[1] - p[1])) / twice;
      slope[d][1] = (b * (q[0] - p[0]) - a * (r[0] - p[0])) / twice;
      for (int k = 0; k < 3; k++) largest = fmax(largest, fabs(u[2 * c[k] + d]));
    }
    double xx = scale * (slope[0][0] + nu * slope[1][1]), yy = scale * (slope[1][1] + nu * slope[0][0]);
    double xy = surface->stretch / (1 + nu) * (slope[0][1] + slope[1][0]) / 2;
    for (int k = 0; k < 3;
         k++) { /* the stress on half of the two sides at the corner: sigma times the turned opposite side */
      const double *next = mesh->xy + 2 * c[(k + 1) % 3], *last = mesh->xy + 2 * c[(k + 2) % 3];
      double nx = (next[1] - last[1]) / 2, ny = (last[0] - next[0]) / 2;
      forces[2 * c[k]] += xx * nx + xy * ny;
      forces[2 * c[k] + 1] += xy * nx + yy * ny;
      for (int d = 0; d < 2; d++) sizes[2 * c[k] + (size_t)d] += 8 * scale * largest;
    }
    energy += (xx * slope[0][0] + yy * slope[1][1] + xy * (slope[0][1] + slope[1][0])) * twice / 4;
  }
  return energy;
}

/* Exact for quadratic integrands: a third of the area at the midpoint of each side. */
void thud_verify_surface_load(const verify_surface *surface, const double *density, size_t stride, double factor,
                              double *forces) {
  const verify_mesh *mesh = &surface->mesh;
  for (size_t k = 0; k < 3 * mesh->triangles; k++) {
    const size_t *t = mesh->triangle + k / 3 * 3;
    size_t a = t[k % 3], b = t[(k + 1) % 3];
    double area = cross(mesh->xy + 2 * t[0], mesh->xy + 2 * t[1], mesh->xy + 2 * t[2]) / 2;
    double share = factor * area / 3 * (density[a * stride] + density[b * stride]) / 2 / 2;
    forces[a * stride] += share;
    forces[b * stride] += share;
  }
}

/* ---- the checker's reading of `membrane` and `plate` scenes ------------------------------------------------------ */

static const char *const factor_keys[SURFACE_FACTORS] = {"lift", "load_factor", "v_factor", "u_factor", "force_factor"};

void thud_verify_surface_free(verify_surface *surface) {
  thud_context *context = surface->scene.context;
  void *const arrays[] = {surface->psi,    surface->load,    surface->force,   surface->held_v,
                          surface->held_u, surface->holds_v, surface->holds_u, surface->clamped,
                          surface->area,   surface->fields,  surface->pins,    surface->points};
  for (int k = 0; k < SURFACE_FACTORS; k++) thud_expr_destroy(surface->factor[k].expr);
  for (size_t k = 0; k < surface->field_count; k++) thud_expr_destroy(surface->fields[k].value.expr);
  for (size_t k = 0; k < 3 * surface->point_count; k++) thud_expr_destroy(surface->points[k].expr);
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(context, arrays[k]);
  mesh_free(context, &surface->mesh);
  thud_verify_scene_free(&surface->scene);
}

static thud_error allocate_surface(verify_surface *surface) {
  thud_context *context = surface->scene.context;
  size_t n = surface->mesh.nodes;
  surface->psi = THUD_NEW_ARRAY(context, double, n);
  surface->load = THUD_NEW_ARRAY(context, double, n);
  surface->force = THUD_NEW_ARRAY(context, double, 2 * n);
  surface->held_v = THUD_NEW_ARRAY(context, double, n);
  surface->held_u = THUD_NEW_ARRAY(context, double, 2 * n);
  surface->area = THUD_NEW_ARRAY(context, double, n);
  surface->holds_v = THUD_NEW_ARRAY(context, unsigned char, n);
  surface->holds_u = THUD_NEW_ARRAY(context, unsigned char, n);
  surface->clamped = THUD_NEW_ARRAY(context, unsigned char, surface->mesh.edges);
  bool complete = surface->psi != NULL && surface->load != NULL && surface->force != NULL && surface->held_v != NULL &&
                  surface->held_u != NULL && surface->area != NULL && surface->holds_v != NULL &&
                  surface->holds_u != NULL && surface->clamped != NULL;
  return complete ? THUD_OK : THUD_ERROR_MEMORY;
}

/* ---- functions of x and y --------------------------------------------------------------------------------------------- */

/* t is the first variable, x and y follow. */
static double field_at(const verify_surface *surface, const surface_field *field, size_t i, double t, thud_side side) {
  const double variables[3] = {t, surface->mesh.xy[2 * i], surface->mesh.xy[2 * i + 1]};
  if (field->value.expr == NULL) return field->value.constant;
  return thud_expr_evaluate_side(field->value.expr, variables, surface->scene.time_slot, side);
}

static void fill(const verify_surface *surface, const surface_field *field, double t, thud_side side) {
  const verify_mesh *mesh = &surface->mesh;
  for (size_t i = 0; field->group == SIZE_MAX && i < mesh->nodes; i++)
    field->out[i * field->stride] = field_at(surface, field, i, t, side);
  for (size_t k = 0; field->group != SIZE_MAX && k < 2 * mesh->sides; k++)
    if (mesh->side_group[k / 2] == field->group)
      field->out[mesh->side[k] * field->stride] = field_at(surface, field, mesh->side[k], t, side);
}

bool thud_verify_surface_place(verify_surface *surface, double t, thud_side side) {
  size_t n = surface->mesh.nodes;
  for (size_t k = 0; k < surface->field_count; k++) fill(surface, &surface->fields[k], t, side);
  for (size_t k = 0; k < surface->pin_count; k++) {
    double *psi = &surface->psi[surface->pins[k].node];
    *psi = fmax(*psi, surface->pins[k].height);
  }
  for (size_t i = 0; i < n; i++)
    if (!(surface->psi[i] < INFINITY) || !isfinite(surface->load[i]) || !isfinite(surface->held_v[i]) ||
        !isfinite(surface->force[2 * i] + surface->force[2 * i + 1] + surface->held_u[2 * i] +
                  surface->held_u[2 * i + 1]))
      return false;
  return true;
}

/* Jumps that a function has everywhere at once: those that unknown places leave. */
static thud_error add_jumps(verify_scene *scene, const thud_expr *expr) {
  double *found = NULL, unknown[3] = {NAN, NAN, NAN};
  size_t count = 0;
  if (expr == NULL) return THUD_OK;
  unknown[scene->time_slot] = scene->start;
  thud_error error =
      thud_expr_jump_times(scene->context, expr, unknown, scene->time_slot, scene->start, scene->end, &found, &count);
  if (error == THUD_OK)
    error = thud_array_reserve(scene->context, &scene->jumps, &scene->jump_capacity, scene->jump_count + count,
                               sizeof *scene->jumps);
  for (size_t k = 0; k < count && error == THUD_OK; k++) scene->jumps[scene->jump_count++] = found[k];
  thud_expr_free_times(scene->context, found);
  return error;
}

/* A function for out[i * stride] at the nodes of a group (SIZE_MAX: all). */
static thud_error tabulate(verify_surface *surface, const thud_node *node, size_t group, size_t stride, double *out) {
  verify_scene *scene = &surface->scene;
  verify_value value;
  thud_error error = thud_verify_read_value(scene, node, &value);
  if (error != THUD_OK) return error;
  error = thud_array_reserve(scene->context, &surface->fields, &surface->field_capacity, surface->field_count + 1,
                             sizeof *surface->fields);
  if (error != THUD_OK) {
    thud_expr_destroy(value.expr);
    return error;
  }
  surface->fields[surface->field_count++] =
      (surface_field){.value = value, .group = group, .stride = stride, .out = out};
  return add_jumps(scene, value.expr);
}

static thud_error tabulate_both(verify_surface *surface, const thud_node *list, size_t group, double *out) {
  thud_error error = thud_node_expect(list, THUD_NODE_SEQUENCE);
  if (error == THUD_OK && thud_node_count(list) != 2) error = thud_node_fail(list, THUD_ERROR_SCHEMA, "two are needed");
  for (size_t d = 0; d < 2 && error == THUD_OK; d++)
    error = tabulate(surface, thud_node_item(list, d), group, 2, out + d);
  return error;
}

static thud_error read_edge(verify_surface *surface, const thud_node *edge, const char *name) {
  const verify_mesh *mesh = &surface->mesh;
  const thud_node *v = thud_node_find(edge, "v"), *u = thud_node_find(edge, "u"),
                  *support = thud_node_find(edge, "support");
  bool clamped = support != NULL && thud_node_get_kind(support) == THUD_NODE_STRING &&
                 strcmp(thud_node_string(support), "clamped") == 0;
  size_t group = 0;
  while (group < mesh->groups && strcmp(mesh->group[group], name) != 0) group++;
  if (group == mesh->groups) return thud_node_fail(edge, THUD_ERROR_SCHEMA, "no edges have this name");
  for (size_t k = 0; k < mesh->sides; k++) {
    if (mesh->side_group[k] != group) continue;
    size_t a = mesh->side[2 * k], b = mesh->side[2 * k + 1], e = surface->plate ? thud_verify_mesh_edge(mesh, a, b) : 0;
    if (surface->plate && clamped && v != NULL && e < mesh->edges) surface->clamped[e] = 1;
    surface->holds_v[a] |= v != NULL, surface->holds_v[b] |= v != NULL;
    surface->holds_u[a] |= u != NULL, surface->holds_u[b] |= u != NULL;
  }
  thud_error error = v != NULL ? tabulate(surface, v, group, 1, surface->held_v) : THUD_OK;
  return error == THUD_OK && u != NULL ? tabulate_both(surface, u, group, surface->held_u) : error;
}

static thud_error read_edges(verify_surface *surface, const thud_node *section) {
  const thud_node *edges;
  thud_error error = thud_node_require(section, "edges", &edges);
  if (error == THUD_OK) error = thud_node_expect(edges, THUD_NODE_MAP);
  if (error != THUD_OK) return error;
  for (size_t k = 0; k < thud_node_count(edges) && error == THUD_OK; k++) {
    error = thud_node_expect(thud_node_item(edges, k), THUD_NODE_MAP);
    if (error == THUD_OK) error = read_edge(surface, thud_node_item(edges, k), thud_node_key(edges, k));
  }
  return error;
}

/* ---- obstacles ---------------------------------------------------------------------------------------------------------- */

static thud_error read_pins(verify_surface *surface, const thud_node *pins) {
  const verify_mesh *mesh = &surface->mesh;
  thud_error error = pins != NULL ? thud_node_expect(pins, THUD_NODE_SEQUENCE) : THUD_OK;
  if (error != THUD_OK || pins == NULL) return error;
  surface->pins = THUD_NEW_ARRAY(surface->scene.context, surface_pin, thud_node_count(pins));
  if (surface->pins == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; error == THUD_OK && k < thud_node_count(pins); k++) {
    const thud_node *pin = thud_node_item(pins, k);
    double numbers[3] = {0, 0, 0};
    size_t best = 0;
    error = thud_node_expect(pin, THUD_NODE_SEQUENCE);
    for (size_t d = 0; d < 3 && error == THUD_OK && d < thud_node_count(pin); d++)
      error = thud_verify_read_constant(&surface->scene, thud_node_item(pin, d), &numbers[d]);
    for (size_t i = 1; i < mesh->nodes; i++)
      if (hypot(mesh->xy[2 * i] - numbers[0], mesh->xy[2 * i + 1] - numbers[1]) <
          hypot(mesh->xy[2 * best] - numbers[0], mesh->xy[2 * best + 1] - numbers[1]))
        best = i;
    if (error == THUD_OK) surface->pins[surface->pin_count++] = (surface_pin){best, numbers[2]};
  }
  return error;
}

static thud_error read_obstacle(verify_surface *surface, const thud_node *section) {
  const thud_node *obstacle = thud_node_find(section, "obstacle");
  thud_error error = THUD_OK;
  for (size_t i = 0; i < surface->mesh.nodes; i++) surface->psi[i] = -INFINITY;
  if (obstacle != NULL)
    error = thud_node_get_kind(obstacle) == THUD_NODE_MAP
                ? heights_read(&surface->scene, obstacle, &surface->mesh, surface->psi)
                : tabulate(surface, obstacle, SIZE_MAX, 1, surface->psi);
  return error == THUD_OK ? read_pins(surface, thud_node_find(section, "pins")) : error;
}

/* ---- the whole ------------------------------------------------------------------------------------------------------------ */

static thud_error read_number(verify_surface *surface, const thud_node *map, const char *key, double *value) {
  const thud_node *node;
  thud_error error = thud_node_require(map, key, &node);
  return error == THUD_OK ? thud_verify_read_constant(&surface->scene, node, value) : error;
}

static thud_error read_factors(verify_surface *surface, const thud_node *section) {
  verify_scene *scene = &surface->scene;
  thud_error error = THUD_OK;
  for (int k = 0; k < SURFACE_FACTORS && error == THUD_OK; k++) {
    const thud_node *node;
    if (!surface->plane && k >= SURFACE_U) continue;
    error = thud_node_require(section, factor_keys[k], &node);
    if (error == THUD_OK) error = thud_verify_read_value(scene, node, &surface->factor[k]);
    if (error == THUD_OK)
      error = thud_verify_value_jumps(scene, &surface->factor[k], scene->start, scene->end, &scene->jumps,
                                      &scene->jump_count, &scene->jump_capacity);
  }
  return error;
}

/* Forces at places that are values of time, too. */
static thud_error read_points(verify_surface *surface, const thud_node *loads) {
  verify_scene *scene = &surface->scene;
  thud_error error = loads != NULL ? thud_node_expect(loads, THUD_NODE_SEQUENCE) : THUD_OK;
  if (error != THUD_OK || loads == NULL) return error;
  size_t count = thud_node_count(loads);
  surface->points = THUD_NEW_ARRAY(scene->context, verify_value, 3 * count);
  if (surface->points == NULL) return THUD_ERROR_MEMORY;
  surface->point_count = count;
  for (size_t k = 0; k < 3 * count && error == THUD_OK; k++) {
    const thud_node *load = thud_node_item(loads, k / 3), *at, *force;
    error = thud_node_require(load, "at", &at);
    if (error == THUD_OK) error = thud_node_require(load, "force", &force);
    if (error == THUD_OK && (thud_node_get_kind(at) != THUD_NODE_SEQUENCE || thud_node_count(at) != 2))
      error = thud_node_fail(at, THUD_ERROR_SCHEMA, "[x, y] is needed");
    if (error == THUD_OK)
      error = thud_verify_read_value(scene, k % 3 < 2 ? thud_node_item(at, k % 3) : force, &surface->points[k]);
    if (error == THUD_OK)
      error = thud_verify_value_jumps(scene, &surface->points[k], scene->start, scene->end, &scene->jumps,
                                      &scene->jump_count, &scene->jump_capacity);
  }
  return error;
}

/* Each force goes to the corners of one triangle around it, in such parts that force and moments are the same. */
void thud_verify_surface_points(const verify_surface *surface, double t, thud_side side, double *forces) {
  const verify_mesh *mesh = &surface->mesh;
  for (size_t k = 0; k < surface->point_count; k++) {
    double p[3], part[3] = {-1, -1, -1};
    size_t triangle = 0;
    for (size_t d = 0; d < 3; d++) p[d] = thud_verify_value_at(&surface->scene, &surface->points[3 * k + d], t, side);
    for (; triangle < mesh->triangles; triangle++) {
      const double *corner[3];
      for (size_t c = 0; c < 3; c++) corner[c] = mesh->xy + 2 * mesh->triangle[3 * triangle + c];
      double whole = cross(corner[0], corner[1], corner[2]);
      for (size_t c = 0; c < 3; c++) part[c] = cross(p, corner[(c + 1) % 3], corner[(c + 2) % 3]) / whole;
      if (fmin(part[0], fmin(part[1], part[2])) >= -1e-12) break;
    }
    for (size_t c = 0; c < 3; c++)
      forces[triangle < mesh->triangles ? mesh->triangle[3 * triangle + c] : 0] +=
          triangle < mesh->triangles ? part[c] * p[2] : (double)NAN;
  }
}

static thud_error read_constants(verify_surface *surface, const thud_node *section) {
  const thud_node *plane = thud_node_find(section, "in_plane");
  surface->plane = plane != NULL;
  thud_error error = read_number(surface, section, surface->plate ? "bending" : "tension", &surface->stiffness);
  if (error == THUD_OK && surface->plate) error = read_number(surface, section, "poisson", &surface->plate_poisson);
  if (error != THUD_OK || plane == NULL) return error;
  error = read_number(surface, plane, "stretch", &surface->stretch);
  if (error == THUD_OK) error = read_number(surface, plane, "poisson", &surface->poisson);
  return error == THUD_OK ? read_number(surface, plane, "friction", &surface->friction) : error;
}

static thud_error read_functions(verify_surface *surface, const thud_node *section) {
  const thud_node *load, *plane = thud_node_find(section, "in_plane");
  const thud_node *force = plane != NULL ? thud_node_find(plane, "load") : NULL;
  thud_error error = thud_expr_scope_add_variable(surface->scene.scope, "x", NULL);
  if (error == THUD_OK) error = thud_expr_scope_add_variable(surface->scene.scope, "y", NULL);
  if (error == THUD_OK) error = read_obstacle(surface, section);
  if (error == THUD_OK) error = thud_node_require(section, "load", &load);
  if (error == THUD_OK) error = tabulate(surface, load, SIZE_MAX, 1, surface->load);
  if (error == THUD_OK && force != NULL) error = tabulate_both(surface, force, SIZE_MAX, surface->force);
  return error == THUD_OK ? read_edges(surface, section) : error;
}

static void find_areas(verify_surface *surface) {
  const verify_mesh *mesh = &surface->mesh;
  for (size_t k = 0; k < 3 * mesh->triangles; k++) {
    const size_t *t = mesh->triangle + k / 3 * 3;
    const double *a = mesh->xy + 2 * t[0], *b = mesh->xy + 2 * t[1], *c = mesh->xy + 2 * t[2];
    surface->area[t[k % 3]] += ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) / 6;
  }
}

thud_error thud_verify_surface_read(thud_context *context, const thud_tree *tree, verify_surface *surface) {
  const thud_node *root = thud_tree_root(tree), *simulate, *section, *mesh;
  *surface = (verify_surface){.scene = {.context = context}};
  verify_scene *scene = &surface->scene;
  thud_error error = thud_verify_scene_open(scene, root);
  if (error == THUD_OK) error = thud_node_require(root, "simulate", &simulate);
  if (error == THUD_OK) error = thud_verify_read_span(scene, simulate);
  if (error == THUD_OK) error = thud_verify_read_steps(scene, simulate);
  if (error == THUD_OK) error = thud_verify_read_data(scene, thud_node_find(root, "data"));
  if (error == THUD_OK) surface->plate = thud_node_find(root, "plate") != NULL;
  if (error == THUD_OK) error = thud_node_require(root, surface->plate ? "plate" : "membrane", &section);
  if (error == THUD_OK) error = thud_node_require(section, "mesh", &mesh);
  if (error == THUD_OK) error = mesh_read(scene, mesh, surface->plate, &surface->mesh);
  if (error == THUD_OK) error = allocate_surface(surface);
  if (error == THUD_OK) error = read_constants(surface, section);
  if (error == THUD_OK) error = read_factors(surface, section);
  if (error == THUD_OK) error = read_points(surface, thud_node_find(section, "loads"));
  if (error == THUD_OK) error = read_functions(surface, section);
  if (error == THUD_OK) thud_verify_sort_times(scene->jumps, &scene->jump_count);
  if (error == THUD_OK) error = thud_verify_read_thinning(scene, root);
  if (error == THUD_OK)
    find_areas(surface);
  else
    thud_verify_surface_free(surface);
  return error;
}
