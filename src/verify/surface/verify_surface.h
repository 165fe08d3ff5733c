/* A recorded membrane or plate: the scene as the checker reads it, its own mesh and elements, and the rows. */
#ifndef THUD_SRC_VERIFY_SURFACE_VERIFY_SURFACE_H
#define THUD_SRC_VERIFY_SURFACE_VERIFY_SURFACE_H

#include "thud/record.h"
#include "verify/verify_scene.h"
#include "verify/verify_record.h"

enum { SURFACE_LIFT, SURFACE_LOAD, SURFACE_V, SURFACE_U, SURFACE_FORCE, SURFACE_FACTORS };

typedef struct verify_mesh {
  size_t nodes, triangles, sides, groups;
  double *xy;         /* [2 nodes] */
  size_t *triangle;   /* [3 triangles] counter-clockwise */
  size_t *side;       /* [2 sides] ends of edges that have a name */
  size_t *side_group; /* [sides] */
  char (*group)[128]; /* [groups] */
  /* Edges of all triangles, of plates: sorted by their lower, then their higher end. */
  size_t edges;
  size_t *edge; /* [2 edges] */
} verify_mesh;

/* A function of x, y and t. */
typedef struct surface_field {
  verify_value value;
  size_t group; /* of sides at whose nodes it holds; SIZE_MAX: at all nodes */
  size_t stride;
  double *out; /* [i * stride] */
} surface_field;

typedef struct surface_pin {
  size_t node;
  double height;
} surface_pin;

typedef struct verify_surface {
  verify_scene scene;
  bool plate, plane; /* plane: there is a displacement in the plane */
  double stiffness, plate_poisson, stretch, poisson, friction;
  verify_mesh mesh;
  verify_value factor[SURFACE_FACTORS];
  double *psi, *load, *force, *held_v, *held_u; /* [n], [n], [2n], [n], [2n] without the factors */
  unsigned char *holds_v, *holds_u, *clamped;   /* [n], [n], [edges] */
  double *area;                                 /* [n] a third of the triangles around */
  size_t field_count, field_capacity, pin_count, point_count;
  surface_field *fields; /* what psi to held_u are at a time, in this order */
  surface_pin *pins;
  verify_value *points; /* [3 point_count] x, y and force of point loads */
} verify_surface;

thud_error thud_verify_surface_read(thud_context *context, const thud_tree *tree, verify_surface *surface);
void thud_verify_surface_free(verify_surface *surface);
/* psi, load, force, held_v and held_u at a time; false: one of them is not finite. */
bool thud_verify_surface_place(verify_surface *surface, double t, thud_side side);
/* Adds the point loads at a time to forces[n]. */
void thud_verify_surface_points(const verify_surface *surface, double t, thud_side side, double *forces);

/* The number of the edge between two nodes; SIZE_MAX: there is none. */
size_t thud_verify_mesh_edge(const verify_mesh *mesh, size_t a, size_t b);

/* verify_surface_read.c: forces[...] += K x, the sums of the terms' magnitudes to sizes, and the energy x.Kx/2. v: [n], of
 * plates followed by the slopes of the edges; u: [2n]. */
double thud_verify_surface_bend(const verify_surface *surface, const double *v, const double *slopes, double *forces,
                                double *sizes);
double thud_verify_surface_stretch(const verify_surface *surface, const double *u, double *forces, double *sizes);
/* forces[i * stride] += integral of a linear density times the shape function of node i, times factor. */
void thud_verify_surface_load(const verify_surface *surface, const double *density, size_t stride, double factor,
                              double *forces);

/* ---- rows of a recorded membrane or plate ------------------------------------------------------------------------ */

enum {
  SURFACE_STRUCTURE,
  SURFACE_SUPPORTS,
  SURFACE_GAP,
  SURFACE_REACTION,
  SURFACE_COMPLEMENTARITY,
  SURFACE_EQUILIBRIUM,
  SURFACE_PLANE,
  SURFACE_FRICTION,
  SURFACE_SLIP,
  SURFACE_ENERGIES,
  SURFACE_FIGURES,
  SURFACE_EVENTS,
  SURFACE_SUMMARY,
  SURFACE_FINISHED
};

typedef struct surface_rows {
  thud_context *context;
  verify_surface *surface;
  size_t count, n;
  bool complete; /* no row was left out */
  double tolerance;
  double *t, *side, *figures, *v, *s, *status, *potential, *slopes, *u, *r, *ledger; /* as in the record */
  double *forces, *sizes, *loads; /* workspaces; loads also of the row before */
} surface_rows;

/* What the reaction of row k consists of. */
typedef struct surface_measure {
  double atoms, rim, rim_error;
  double narrow; /* part of the rim where the contact is too narrow to tell its line force from its density */
  size_t loaded, atom_count;
} surface_measure;
/* verify_surface_rim.c: rim, rim_error and narrow of a plate; forces: s without atoms. */
thud_error thud_verify_surface_rim(const surface_rows *m, const double *s, double forces, surface_measure *found);

#endif
