/* Connected bodies of a solid, and the rigid motions that nothing holds. */
#include "base/base.h"
#include "motions/solid/elastic_solid.h"

#include <math.h>
#include <string.h>

enum { MOTIONS = 6 };

/* Eigenvalues of the sums of held motions below this part of the largest one are 0. */
static const double FREE = 1e-10;

/* ---- connected bodies -------------------------------------------------------------------------------------------------- */

static thud_index root_of(thud_index *parent, thud_index i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

static void join(const thud_solid *solid, thud_index *parent) {
  for (thud_index i = 0; i < solid->view.nodes; i++) parent[i] = i;
  for (thud_index e = 0; e < solid->view.elements; e++) {
    const thud_index *node = solid->view.element + (size_t)solid->corners * (size_t)e;
    for (int k = 1; k < solid->corners; k++) {
      thud_index a = root_of(parent, node[0]), b = root_of(parent, node[k]);
      parent[a > b ? a : b] = a < b ? a : b; /* the lowest node is the root */
    }
  }
  for (thud_index i = 0; i < solid->view.nodes; i++) parent[i] = root_of(parent, i);
}

/* ---- motions ----------------------------------------------------------------------------------------------------------- */

typedef struct free_body {
  thud_index root, nodes;
  double middle[3], size;
} free_body;

static free_body look_at(const thud_solid *solid, const thud_index *root_list, thud_index root) {
  free_body body = {.root = root};
  int d = solid->d;
  for (thud_index i = root; i < solid->view.nodes; i++) {
    if (root_list[i] != root) continue;
    body.nodes++;
    for (int k = 0; k < d; k++) body.middle[k] += solid->view.place[(size_t)d * (size_t)i + (size_t)k];
  }
  for (int k = 0; k < d; k++) body.middle[k] /= body.nodes;
  for (thud_index i = root; i < solid->view.nodes; i++)
    for (int k = 0; k < d && root_list[i] == root; k++)
      body.size = fmax(body.size, fabs(solid->view.place[(size_t)d * (size_t)i + (size_t)k] - body.middle[k]));
  return body;
}

/* Component c of the rigid motion m at a node: 0..2 along the axes, 3..5 around them, with 1 at the body's rim. */
static double motion_at(const thud_solid *solid, const free_body *body, int m, thud_index node, int c) {
  double arm[3] = {0, 0, 0};
  if (m < 3) return m == c;
  for (int k = 0; k < solid->d; k++)
    arm[k] = (solid->view.place[(size_t)solid->d * (size_t)node + (size_t)k] - body->middle[k]) / body->size;
  int axis = m - 3;
  if (c == axis) return 0;
  return c == (axis + 1) % 3 ? -arm[(axis + 2) % 3] : arm[(axis + 1) % 3];
}

/* Numbers of the rigid motions of a body. */
static int list_motions(const thud_solid *solid, int list[MOTIONS]) {
  static const int plane[] = {0, 1, 5}, space[] = {0, 1, 2, 3, 4, 5};
  bool round = solid->given.kinematics == THUD_SOLID_AXISYMMETRIC;
  int count = round ? 1 : solid->d == 2 ? 3 : 6;
  memcpy(list, solid->d == 2 ? plane : space, (size_t)count * sizeof *list);
  if (round) list[0] = 1;
  return count;
}

/* Sum over all held components of the products of two motions there: singular when a motion moves none of them. */
static thud_error find_motion(const thud_solid *solid, const free_body *body, const thud_index *root_list,
                              const unsigned char *touched, bool *is_free, double *motion) {
  int list[MOTIONS], n = list_motions(solid, list);
  double sums[MOTIONS * MOTIONS] = {0}, values[MOTIONS], vectors[MOTIONS * MOTIONS], largest = 0;
  for (thud_index i = body->root; i < solid->view.nodes; i++) {
    if (root_list[i] != body->root) continue;
    for (int c = 0; c < solid->d; c++) {
      bool held = solid->held[(size_t)solid->d * (size_t)i + (size_t)c] != 0 || (touched != NULL && touched[i] != 0);
      for (int a = 0; held && a < n; a++)
        for (int b = 0; b < n; b++)
          sums[a + n * b] +=
              motion_at(solid, body, list[a], i, c) * motion_at(solid, body, list[b], i, c) / body->nodes;
    }
  }
  thud_error error = thud_dense_eigen_symmetric(solid->context, n, sums, values, vectors);
  if (error != THUD_OK) return error;
  *is_free = !(values[0] > FREE * values[n - 1]);
  memset(motion, 0, MOTIONS * sizeof *motion);
  for (int a = 0; a < n; a++) largest = fmax(largest, fabs(vectors[a]));
  for (int a = 0; a < n; a++) motion[list[a]] = vectors[a] / largest;
  return THUD_OK;
}

thud_error thud_solid_find_free(const thud_solid *solid, const unsigned char *touched, thud_index *node,
                                double *motion) {
  THUD_REQUIRE_OF(solid, node, motion);
  thud_index *root_list = THUD_NEW_ARRAY(solid->context, thud_index, solid->view.nodes);
  if (root_list == NULL) return THUD_ERROR_MEMORY;
  thud_error error = THUD_OK;
  thud_index found = -1;
  join(solid, root_list);
  for (thud_index i = 0; i < solid->view.nodes && found < 0 && error == THUD_OK; i++) {
    if (root_list[i] != i) continue;
    const free_body body = look_at(solid, root_list, i);
    bool is_free = false;
    error = find_motion(solid, &body, root_list, touched, &is_free, motion);
    if (error == THUD_OK && is_free) found = i;
  }
  if (error == THUD_OK) *node = found;
  thud_free(solid->context, root_list);
  return error;
}
