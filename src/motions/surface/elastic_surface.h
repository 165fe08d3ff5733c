/* Membranes and plates inside: their matrices, and what a surface holds. */
#ifndef THUD_SRC_MOTIONS_SURFACE_ELASTIC_SURFACE_H
#define THUD_SRC_MOTIONS_SURFACE_ELASTIC_SURFACE_H

#include "mesh/triangle_mesh.h"
#include "thud/linalg.h"
#include "thud/surface.h"

/* A stiffness with some unknowns held: K (both triangles), the same with the rows and columns of held unknowns those of the
 * identity, and the factor of that. */
typedef struct surface_matrix {
  thud_context *context;
  thud_sparse K, A;
  thud_factor *factor;
  double *rhs, *none; /* [rows] workspace, zeros */
} surface_matrix;

typedef struct surface_grid surface_grid;

struct thud_surface {
  thud_context *context;
  thud_surface_kind kind;
  thud_surface_method method;
  const thud_mesh *mesh;
  thud_index n, freedoms, edge_count;
  double stiffness, plate_poisson, stretch, poisson;
  mesh_edge *edges;              /* of plates [edge_count] */
  double *area;                  /* [n] */
  unsigned char *held, *in_held; /* [freedoms]: 1, values are given; [n] */
  surface_matrix transverse, plane;
  surface_grid *grid;   /* NULL: no multigrid, otherwise there is no transverse matrix */
  unsigned char *fixed; /* [larger of freedoms and 2n] of the problem being solved */
  double *work;         /* likewise */
};

/* A = K + blocks with rows and columns of fixed unknowns replaced; factorized. blocks (may be NULL): [3*rows/2] symmetric
 * 2 x 2 matrices (xx, xy, yy) that are added on the diagonal. */
thud_error thud_surface_matrix_fix(surface_matrix *matrix, const unsigned char *fixed, const double *blocks);
/* x = A^-1 b; callers refine. x and b may be the same. */
thud_error thud_surface_matrix_solve(surface_matrix *matrix, const double *b, double *x);
/* Row i of K times x; *size (may be NULL): the sum of the absolute terms. */
double thud_surface_matrix_row(const surface_matrix *matrix, thud_index i, const double *x, double *size);

/* surface_multigrid.c: membranes on rectangles. */
bool thud_surface_grid_suits(const thud_surface *surface, bool wanted);
thud_error thud_surface_grid_create(thud_surface *surface);
void thud_surface_grid_destroy(thud_context *context, surface_grid *grid);
thud_error thud_surface_grid_solve(thud_surface *surface, const double *forces, const double *psi, double *v, double *s,
                                   thud_surface_info *info);
double thud_surface_grid_energy(const thud_surface *surface, const double *v);

#endif
