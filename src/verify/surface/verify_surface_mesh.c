/* The checker's meshes: rectangles and discs as docs/membranes-and-plates.md describes them, texts of Gmsh's format 2.2. */
#include "verify/surface/verify_surface.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 20000000 };

void thud_verify_mesh_free(thud_context *context, verify_mesh *mesh) {
  void *const arrays[] = {mesh->xy, mesh->triangle, mesh->side, mesh->side_group, (void *)mesh->group, mesh->edge};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(context, arrays[k]);
  *mesh = (verify_mesh){0};
}

static thud_error allocate(thud_context *context, verify_mesh *mesh) {
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
  error = allocate(scene->context, mesh);
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
  error = allocate(scene->context, mesh);
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
  error = allocate(scene->context, mesh);
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

thud_error thud_verify_mesh_read(verify_scene *scene, const thud_node *node, bool with_edges, verify_mesh *mesh) {
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

thud_error thud_verify_heights_read(verify_scene *scene, const thud_node *node, const verify_mesh *mesh, double *out) {
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
  if (columns < 2 || count / columns < 2 || count % columns != 0)
    error = thud_node_fail(table, THUD_ERROR_SCHEMA, "this is no table of heights");
  for (size_t i = 0; i < mesh->nodes && error == THUD_OK; i++) {
    size_t rows = count / columns;
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
