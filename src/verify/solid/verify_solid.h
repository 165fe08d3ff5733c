/* A recorded solid: the scene as the checker reads it, with a mesh, elements, loads and points of contact of its own.
 *
 * Shape functions are polynomials whose coefficients solve the conditions at the nodes; forces are stresses times virtual strains,
 * sigma = E/(1+nu) (eps + nu/(1 - 2 nu) tr(eps) I). The points of integration are those that include/thud/solid.h lists. */
#ifndef THUD_SRC_VERIFY_SOLID_VERIFY_SOLID_H
#define THUD_SRC_VERIFY_SOLID_VERIFY_SOLID_H

#include "thud/record.h"
#include "verify/verify_record.h"
#include "verify/verify_scene.h"

enum { CELL_MOST = 10, SOLID_NORMAL_PART = 3 };

/* ---- mesh (verify_solid_mesh.c) ------------------------------------------------------------------------------------------- */

typedef struct cell_group {
  char name[128];
  int dimension;
} cell_group;

typedef struct verify_cells {
  int d, order;
  size_t nodes, elements, sides, marks, groups;
  size_t corners, side_corners;
  double *place;             /* [d*nodes] */
  size_t *element;           /* [corners*elements] corners, then the middles of edges in Gmsh's order */
  size_t *element_group;     /* [elements] */
  size_t *side;              /* [side_corners*sides] */
  size_t *side_group;        /* [sides] */
  size_t *mark, *mark_group; /* [marks] */
  cell_group *group;         /* [groups] */
} verify_cells;

thud_error thud_verify_cells_read(verify_scene *scene, const thud_node *mesh, verify_cells *cells);
void thud_verify_cells_free(thud_context *context, verify_cells *cells);
/* Ends of the edge whose middle is node d + 1 + k of a simplex. */
void thud_verify_cells_edge(int d, size_t k, size_t ends[2]);

/* ---- what the scene says (verify_solid_read.c) ---------------------------------------------------------------------------- */

typedef struct solid_load {
  verify_value value;
  size_t group;         /* of sides; SIZE_MAX: body force */
  int part;             /* component, or SOLID_NORMAL_PART: a pressure */
  unsigned char *marks; /* [nodes] where it is evaluated */
} solid_load;

typedef struct solid_loads {
  solid_load *items;
  size_t count, capacity;
} solid_loads;

/* A point of contact: weights over nodes with directions there. */
typedef struct solid_touch {
  size_t corner, obstacle, count;
  size_t *node;      /* [count] */
  double *weight;    /* [count] */
  double *direction; /* [count*9] normal, tangents at each node */
  double gap, area;
  bool sees[3]; /* the row has an unknown */
} solid_touch;

typedef struct solid_barrier {
  int shape; /* 0 plane, 1 ball, 2 cylinder, 3 level */
  size_t group;
  double point[3], direction[3], radius, friction;
  verify_value threshold;
  thud_expr_program *program;
  thud_expr_work *work;
} solid_barrier;

typedef enum solid_kind { SOLID_STRAIN, SOLID_STRESS, SOLID_ROUND, SOLID_SPACE } solid_kind;

typedef struct verify_solid {
  verify_scene scene;
  solid_kind kind;
  bool threshold, fresh; /* the method threshold; static */
  double thickness, overlap;
  verify_cells cells;
  double *young, *poisson; /* [groups] */
  unsigned char *held;     /* [d*nodes] */
  solid_loads supports, tractions, body;
  size_t barrier_count;
  solid_barrier *barriers;
  size_t touch_count, rows; /* rows of each contact: 1 without friction */
  solid_touch *touches;
  double *density; /* [d*nodes] */
} verify_solid;

thud_error thud_verify_solid_read(thud_context *context, const thud_tree *tree, verify_solid *solid);
void thud_verify_solid_free(verify_solid *solid);
/* Given displacements: u[d*nodes] at held components. */
void thud_verify_solid_given(const verify_solid *solid, double t, thud_side side, double *u);
/* Adds the loads to forces[d*nodes]. */
void thud_verify_solid_loads(const verify_solid *solid, double t, thud_side side, double *forces);

/* ---- elements (verify_solid_elements.c) ------------------------------------------------------------------------------------ */

/* A point of integration of an element or side, or a node of it. */
typedef struct cell_point {
  double N[CELL_MOST], slope[CELL_MOST][3], size, x[3], normal[3];
} cell_point;

/* forces += K u, sizes += magnitudes of the terms; u.Ku/2. */
double thud_verify_solid_inner(const verify_solid *solid, const double *u, double *forces, double *sizes);
/* stress[6*nodes] as records have it; size: of the terms that they are sums of. */
thud_error thud_verify_solid_stresses(const verify_solid *solid, const double *u, double *stress, double *size);
/* Point q of a side with `points` points (3 or 6). */
size_t thud_verify_side_points(const verify_solid *solid);
void thud_verify_side_point(const verify_solid *solid, size_t side, size_t q, cell_point *point, double barycentric[3]);
/* Adds a density at nodes over elements, or sides of a group; normal: a pressure. */
void thud_verify_solid_add(const verify_solid *solid, size_t group, bool normal, const double *density, double *forces);

/* ---- points of contact (verify_solid_touch.c) ------------------------------------------------------------------------------ */

thud_error thud_verify_solid_touches(verify_solid *solid);
thud_error thud_verify_solid_read_barriers(verify_solid *solid, const thud_node *section);

#endif
