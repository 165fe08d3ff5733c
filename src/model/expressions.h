/* Inside of systems made of expressions.
 *
 * expressions_build.c turns the sources into values of one graph (thud/expr.h), an array of values for each array of
 * the system: M is the Hessian of T in the velocities, c, dV/dq, dg/dq ... are derivatives, all exact.
 * expressions.c compiles them to programs and evaluates these. Arrays that are wanted together are *bundled* in one
 * program, so that they share their common parts. */
#ifndef THUD_SRC_MODEL_EXPRESSIONS_H
#define THUD_SRC_MODEL_EXPRESSIONS_H

#include "model/system.h"

enum { MODEL_MOST_BUNDLES = 12 };

/* One program and the arrays that it computes, one after the other. */
typedef struct model_bundle {
  unsigned arrays;
  bool at_rest; /* evaluated with velocities 0: the parts of affine forms without velocity */
  size_t outputs;
  size_t share[MODEL_ARRAYS]; /* outputs of the array */
  size_t *place;              /* [outputs] where the output is in its array; the other entries are zero */
  thud_expr_program *program;
} model_bundle;

struct model_expressions {
  thud_index slot_t;
  thud_index *slot_q, *slot_v; /* [n] */
  size_t bundle_count;
  model_bundle bundles[MODEL_MOST_BUNDLES];
  size_t most_outputs;
  thud_expr_program *kinetic; /* T and dT/dv; NULL when M was given */
  thud_expr_program *jets;    /* model/jets.h; NULL: refused, and why */
  char *jets_refused;
  bool may_jump, potential_jumps; /* the energies contain operations that jump; V does */
  thud_expr_program
      *jumps; /* model/system_jumps.h: arguments of t alone at whose zeros the data jump, and their rates; NULL: none */
  double *declared; /* [declared_count] jumps of tables of data, sorted */
  size_t declared_count;
  char **texts; /* [text_count] what the texts of the graph are */
  size_t text_count;
};

extern const model_source thud_model_expressions;
/* Looks for terms of degree 0 and 1 of the kinetic energy at random configurations. */
thud_error thud_model_sample_degrees(const thud_system *system, thud_context *context);

/* Where the text number k of the graph is in the definition. */
typedef struct model_text {
  thud_source_part part;
  thud_index index, second;
} model_text;

/* The values of one array: those entries that are not zero by structure, in any order. */
typedef struct model_values {
  size_t count, place_capacity, value_capacity;
  size_t *place;          /* [count] number of the entry, in the pattern where there is one */
  thud_expr_value *value; /* [count] */
} model_values;

/* Everything that is known while a system is being made. */
typedef struct model_builder {
  thud_context *context;
  thud_expr_scope *scope;
  const thud_expr_system_def *def;
  thud_expr_system_place *place; /* of the failure */
  size_t n, m, laws, s;
  thud_expr_graph *graph;
  thud_index slot_t;                   /* slots of the variable vector */
  thud_index *slot_q, *slot_v;         /* [n] */
  thud_expr_value *velocity;           /* [n] the velocities as values */
  thud_expr_value zero, one, minus;    /* the constants 0, 1, -1 */
  model_values array[MODEL_ARRAYS];    /* the values of each array; vectors have all of their entries */
  bool *by_q, *by_v, *by_path;         /* [variables] q; v; q and t */
  thud_index *index;                   /* [variables] number of the coordinate that q or v belongs to */
  thud_index *slots;                   /* [variables] room for partial derivatives */
  thud_expr_value *partials, *scatter; /* [variables + 1] */
  thud_expr_value *kinetic;            /* [1+n] T (or 2T) and dT/dv */
  thud_expr_value *work;               /* [n] */
  model_text *texts;
  size_t text_count;
  struct model_threshold_builder *thresholds; /* model/thresholds.h; NULL: no threshold names a reaction */
} model_builder;

/* Patterns of the matrices of a system; memory NULL: they are full. */
typedef struct model_patterns {
  thud_system_patterns given;
  thud_index *memory; /* in which the patterns lie */
} model_patterns;

/* "kinetic energy", "force of coordinate 'x'" ... */
void thud_model_describe_text(const thud_expr_system_def *def, const model_text *text, char *buffer, size_t capacity);
/* Names into the scope, sources into the graph, derivatives. The builder's sizes, context, scope, def and place are
 * set. Ended by thud_model_builder_end, also after failure. */
thud_error thud_model_build(model_builder *builder);
void thud_model_builder_end(model_builder *builder);
/* Large systems without friction whose matrices have few entries: their patterns, and the builder's values of these
 * matrices become those of the patterns, in their order (place: number of the entry of the pattern). The memory is the
 * caller's. */
thud_error thud_model_find_patterns(model_builder *builder, model_patterns *patterns);
/* An entry of a vector. */
static inline thud_expr_value *thud_model_entry(const model_builder *builder, model_array array, size_t k) {
  return &builder->array[array].value[k];
}
/* sum_k dvalue/dq_k v_k, and with time + dvalue/dt: the rate along a motion. */
thud_error thud_model_rate(model_builder *builder, thud_expr_value value, bool with_time, thud_expr_value *rate);
/* Compiles the program of model/jets.h. */
thud_error thud_model_add_jets(model_builder *builder, thud_system *system);
/* jumps.c: finds the arguments of t alone at which the data jump. */
thud_error thud_model_add_jumps(model_builder *builder, thud_system *system);
/* Marks the whole text of a part as the place of a failure. */
void thud_model_mark(const model_builder *builder, model_text text);
/* Whether one of the values depends on a velocity. */
thud_error thud_model_depends_on_velocity(const model_builder *builder, const model_values *values, bool *depends);

#endif
