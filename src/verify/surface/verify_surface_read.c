/* The checker's reading of `membrane` and `plate` scenes. */
#include "verify/surface/verify_surface.h"

#include <math.h>
#include <string.h>

static const char *const factor_keys[SURFACE_FACTORS] = {"lift", "load_factor", "v_factor", "u_factor", "force_factor"};

void thud_verify_surface_free(verify_surface *surface) {
  thud_context *context = surface->scene.context;
  void *const arrays[] = {surface->psi,     surface->load,    surface->force,   surface->held_v, surface->held_u,
                          surface->holds_v, surface->holds_u, surface->clamped, surface->area};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(context, arrays[k]);
  for (int k = 0; k < SURFACE_FACTORS; k++) thud_expr_destroy(surface->factor[k].expr);
  thud_verify_mesh_free(context, &surface->mesh);
  thud_verify_scene_free(&surface->scene);
}

static thud_error allocate(verify_surface *surface) {
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

/* out[i * stride] at the nodes that are marked (NULL: all). t is the first variable, x and y follow. */
static thud_error tabulate(verify_surface *surface, const thud_node *node, const unsigned char *marked, size_t stride,
                           double *out) {
  verify_value value;
  thud_error error = thud_verify_read_value(&surface->scene, node, &value);
  for (size_t i = 0; i < surface->mesh.nodes && error == THUD_OK; i++) {
    const double variables[3] = {0, surface->mesh.xy[2 * i], surface->mesh.xy[2 * i + 1]};
    if (marked != NULL && marked[i] == 0) continue;
    out[i * stride] = value.expr != NULL ? thud_expr_evaluate(value.expr, variables) : value.constant;
  }
  thud_expr_destroy(value.expr);
  return error;
}

static thud_error tabulate_both(verify_surface *surface, const thud_node *list, const unsigned char *marked,
                                double *out) {
  thud_error error = thud_node_expect(list, THUD_NODE_SEQUENCE);
  if (error == THUD_OK && thud_node_count(list) != 2) error = thud_node_fail(list, THUD_ERROR_SCHEMA, "two are needed");
  for (size_t d = 0; d < 2 && error == THUD_OK; d++)
    error = tabulate(surface, thud_node_item(list, d), marked, 2, out + d);
  return error;
}

static thud_error read_edge(verify_surface *surface, const thud_node *edge, const char *name, unsigned char *marked) {
  const verify_mesh *mesh = &surface->mesh;
  const thud_node *v = thud_node_find(edge, "v"), *u = thud_node_find(edge, "u"),
                  *support = thud_node_find(edge, "support");
  bool clamped = support != NULL && thud_node_get_kind(support) == THUD_NODE_STRING &&
                 strcmp(thud_node_string(support), "clamped") == 0;
  memset(marked, 0, mesh->nodes);
  for (size_t k = 0; k < mesh->sides; k++) {
    if (strcmp(mesh->group[mesh->side_group[k]], name) != 0) continue;
    size_t a = mesh->side[2 * k], b = mesh->side[2 * k + 1], e = surface->plate ? thud_verify_mesh_edge(mesh, a, b) : 0;
    marked[a] = marked[b] = 1;
    if (surface->plate && clamped && v != NULL && e < mesh->edges) surface->clamped[e] = 1;
  }
  for (size_t i = 0; i < mesh->nodes; i++) {
    surface->holds_v[i] |= v != NULL && marked[i] != 0;
    surface->holds_u[i] |= u != NULL && marked[i] != 0;
  }
  thud_error error = v != NULL ? tabulate(surface, v, marked, 1, surface->held_v) : THUD_OK;
  return error == THUD_OK && u != NULL ? tabulate_both(surface, u, marked, surface->held_u) : error;
}

static thud_error read_edges(verify_surface *surface, const thud_node *section) {
  const thud_node *edges;
  thud_error error = thud_node_require(section, "edges", &edges);
  if (error == THUD_OK) error = thud_node_expect(edges, THUD_NODE_MAP);
  if (error != THUD_OK) return error;
  unsigned char *marked = THUD_NEW_ARRAY(surface->scene.context, unsigned char, surface->mesh.nodes);
  if (marked == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < thud_node_count(edges) && error == THUD_OK; k++) {
    error = thud_node_expect(thud_node_item(edges, k), THUD_NODE_MAP);
    if (error == THUD_OK) error = read_edge(surface, thud_node_item(edges, k), thud_node_key(edges, k), marked);
  }
  thud_free(surface->scene.context, marked);
  return error;
}

/* ---- obstacles ---------------------------------------------------------------------------------------------------------- */

static thud_error read_pins(verify_surface *surface, const thud_node *pins) {
  const verify_mesh *mesh = &surface->mesh;
  thud_error error = pins != NULL ? thud_node_expect(pins, THUD_NODE_SEQUENCE) : THUD_OK;
  for (size_t k = 0; pins != NULL && error == THUD_OK && k < thud_node_count(pins); k++) {
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
    if (error == THUD_OK) surface->psi[best] = fmax(surface->psi[best], numbers[2]);
  }
  return error;
}

static thud_error read_obstacle(verify_surface *surface, const thud_node *section) {
  const thud_node *obstacle = thud_node_find(section, "obstacle");
  thud_error error = THUD_OK;
  for (size_t i = 0; i < surface->mesh.nodes; i++) surface->psi[i] = -INFINITY;
  if (obstacle != NULL)
    error = thud_node_get_kind(obstacle) == THUD_NODE_MAP
                ? thud_verify_heights_read(&surface->scene, obstacle, &surface->mesh, surface->psi)
                : tabulate(surface, obstacle, NULL, 1, surface->psi);
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
  if (error == THUD_OK) thud_verify_sort_times(scene->jumps, &scene->jump_count);
  return error;
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
  if (error == THUD_OK) error = tabulate(surface, load, NULL, 1, surface->load);
  if (error == THUD_OK && force != NULL) error = tabulate_both(surface, force, NULL, surface->force);
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
  if (error == THUD_OK) error = thud_verify_mesh_read(scene, mesh, surface->plate, &surface->mesh);
  if (error == THUD_OK) error = allocate(surface);
  if (error == THUD_OK) error = read_constants(surface, section);
  if (error == THUD_OK) error = read_factors(surface, section);
  if (error == THUD_OK) error = read_functions(surface, section);
  if (error == THUD_OK) error = thud_verify_read_thinning(scene, root);
  if (error == THUD_OK)
    find_areas(surface);
  else
    thud_verify_surface_free(surface);
  return error;
}
