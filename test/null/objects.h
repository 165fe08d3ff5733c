/* What the generated test of NULL arguments calls the public functions with. */
#ifndef THUD_TEST_NULL_OBJECTS_H
#define THUD_TEST_NULL_OBJECTS_H

#include "thud/io.h"

#include <stdio.h>

/* One valid object of each kind, named like its type, motions like their families; the generator finds them here. */
typedef struct null_objects {
  thud_context *context;
  const thud_option_table *option_table;
  const thud_option_key *option_key;
  thud_random *random;
  thud_regulated *regulated;
  thud_piecewise *piecewise;
  thud_tree *tree;
  const thud_node *node;
  thud_metric *metric;
  thud_sparse *sparse;
  thud_bsr *bsr;
  thud_matrix *matrix;
  thud_factor *factor;
  thud_half_plane *half_plane;
  thud_punch *punch;
  thud_polyhedron_projector *polyhedron_projector;
  thud_lemke *lemke;
  thud_expr_scope *expr_scope;
  thud_expr *expr;
  thud_expr_graph *expr_graph;
  thud_expr_program *expr_program;
  thud_expr_work *expr_work;
  thud_set *set;
  thud_moving_set *moving_set;
  thud_composition *composition;
  thud_contact_problem *contact_problem;
  thud_contact_evaluator *contact_evaluator;
  thud_contact_scaling *contact_scaling;
  thud_owned_problem *owned_problem;
  const thud_solver_method *solver_method;
  thud_solver *solver;
  thud_force_set *force_set;
  thud_compare *compare;
  thud_partition *partition;
  thud_sweep_problem *sweep_problem;
  thud_motion *motion; /* of a sweeping process */
  thud_line_definition *line_definition;
  thud_line *line;
  thud_line_problem *line_problem;
  thud_mesh_definition *mesh_definition;
  thud_mesh *mesh;
  thud_solid_mesh_definition *solid_mesh_definition;
  thud_solid_mesh *solid_mesh;
  thud_solid_definition *solid_definition;
  thud_solid *solid;
  thud_solid_obstacle *solid_obstacle;
  thud_solid_contacts *solid_contacts;
  thud_surface_definition *surface_definition;
  thud_surface *surface;
  thud_surface_problem *surface_problem;
  thud_scene *scene;
  const thud_system *system;
  thud_system_values *system_values;
  thud_percussion *percussion;
  thud_shape *shape;
  thud_broad_phase *broad_phase;
  thud_bodies *bodies;
  thud_motion *body_motion;
  thud_motion *stepping_motion;
  thud_motion *event_motion;
  thud_rows *rows;
  const thud_record_layout *record_layout;
  thud_record_writer *record_writer;
  thud_record_reader *record_reader;
  thud_record_sampler *record_sampler;
  thud_vtk_series *vtk_series;
  thud_run *run;
  const thud_solver_options *solver_options;
  const thud_stepping_options *stepping_options;
  const thud_event_options *event_options;
  const thud_sweep_options *sweep_options;
  const thud_percussion_options *percussion_options;
  double *numbers; /* [64*64] an identity of every size that is asked for would be too much to wish: all 1 */
  const char *const *names;
  FILE *file;
  void *room;
  void *rooms[12]; /* of 1 MiB each, zeros: results and plain structs, one per parameter */
} null_objects;

typedef struct null_case {
  const char *function, *null;        /* which argument is NULL */
  int (*call)(null_objects *objects); /* the error; 2 of functions that return none */
  bool refused;                       /* THUD_ERROR_ARGUMENT is expected */
} null_case;

extern const null_case null_cases[];
extern const size_t null_case_count;

#endif
