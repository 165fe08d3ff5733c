/* Observed values (`observe`), ends (`until`) and conditional changes (`when` of changes) of a scene: names of the rows'
 * components are resolved once, when the scene is built (run_observe_read.c); every row of the motion is then extended by
 * what was observed, and conditions are looked at (run_observe.c). Everything is computed from the cells of rows and events, so
 * that a checker can compute it again from the record. */
#ifndef THUD_SRC_RUN_RUN_OBSERVE_H
#define THUD_SRC_RUN_RUN_OBSERVE_H

#include "expr/scope.h"
#include "scene/build.h"
#include "thud/kind.h"

/* ---- names ---- */

/* A number of the rows that an expression uses. */
typedef struct observe_input {
  size_t channel, component; /* of frames */
  size_t width;              /* of a series: numbers of one coefficient */
  bool series, slope;        /* slope: the derivative of the series */
  bool per_step;             /* an impulse that is divided by the length of the step */
  thud_index slot;
} observe_input;

/* All numbers that the rows of a layout have, and how they are called. */
typedef struct observe_names {
  thud_context *context;
  const thud_record_layout *layout;
  const thud_kind_contacts *contacts;
  thud_arena *arena;
  thud_expr_scope *scope; /* t in slot 0, what the scene defines, and the names that are used */
  size_t step;            /* channel of the length of the step; SIZE_MAX: none */
  bool series;            /* rows are arcs: the state is a series */
  size_t count, capacity;
  observe_input *inputs;
  size_t budget; /* of definitions that are still looked through */
} observe_names;

/* ---- what is observed ---- */

typedef enum observe_form {
  OBSERVE_VALUE,        /* an expression */
  OBSERVE_FIRST,        /* the time at which a condition holds first */
  OBSERVE_CONTACT,      /* the time of the first contact */
  OBSERVE_CONTACT_FORCE /* the force of all contacts of the second body on the first, a vector */
} observe_form;

typedef struct observe_entry {
  const char *name, *unit;
  observe_form form;
  size_t output;    /* of the program: VALUE */
  size_t condition; /* FIRST */
  size_t labels[2]; /* of who touches: CONTACT, CONTACT_FORCE */
  size_t width;     /* numbers */
  size_t value;     /* place of the first one in `values` */
  size_t slot;      /* of the variable of the first one; SIZE_MAX: VALUE, which is a named expression */
  size_t channel;   /* in the extended layout */
  size_t terms;     /* VALUE on an arc: coefficients of its series; 0: it switches there */
  const char **components;
} observe_entry;

/* With a comparison in it a condition holds where it is not 0, otherwise from where its sign is another one than at the
 * start. */
typedef struct observe_condition {
  const char *text;
  size_t output;
  bool crosses;
  size_t entry; /* of the list of changes; SIZE_MAX: of none */
  /* Entry of `data` whose next break it is, and which one; SIZE_MAX: of none. It is asked once the condition of the break
   * before has held at an earlier row. */
  size_t data, piece, after;
} observe_condition;

/* State of an observation between rows; no pointers, part of a checkpoint. */
typedef struct observe_memory {
  double time;  /* of a FIRST or CONTACT entry, NAN: not yet; of a condition: when it held first */
  double sign;  /* of a condition that crosses; 0: not known yet */
  double fired; /* of a condition 1: the change was made; of a VALUE entry: arcs on which it switches */
} observe_memory;

typedef struct scene_observe {
  thud_context *context;
  thud_scene *scene;
  thud_arena *arena;
  observe_names names;
  size_t count, first_channel; /* entries, and the channel of the first of them */
  observe_entry *entries;
  size_t condition_count, until; /* until: number of the condition, SIZE_MAX: none */
  observe_condition *conditions;
  thud_expr_program *program; /* values of entries, then conditions; NULL: there are none */
  thud_expr_work *work;
  size_t value_count, output_count;
  double *values, *outputs, *variables, *coefficients; /* coefficients: [output_count x (most degree + 1)] */
  int most_degree;
  thud_record_layout layout; /* of the rows with what is observed */
  thud_record_cell *cells;   /* [frames of the layout] */
  observe_memory *memory;    /* [count + condition_count] */
} scene_observe;

/* Builds the observation of a scene whose motion has been built; a scene without any of the keys stays as it is. */
thud_error thud_observe_build(thud_scene *scene, const thud_node *root);
/* NULL is allowed. */
void thud_observe_destroy(scene_observe *observe);
/* The name of a text: a number of the rows becomes a variable of the scope. Errors are at the node. */
thud_error thud_observe_resolve(observe_names *names, const thud_node *node, const char *text);

/* The channels of rows with what is observed; those of the kind where nothing is. */
const thud_record_layout *thud_observe_layout(const thud_scene *scene);

/* ---- while the rows go by ---- */

/* A run begins: nothing has been seen. */
void thud_observe_begin(scene_observe *observe);
/* An event of the kind; cells of the kind's channels. */
void thud_observe_event(scene_observe *observe, double t, const thud_record_cell *cells);
/* The row with what is observed, borrowed until the next call. again: it was seen already. *news: a condition holds for the first
 * time, or something was observed for the first time. */
const thud_record_cell *thud_observe_row(scene_observe *observe, double t, bool again, const thud_record_cell *cells,
                                         bool *news);
/* When the condition of `until` held; NAN: not yet, or there is none. */
double thud_observe_until(const scene_observe *observe);
/* The first time within the arc of a row at which the condition holds, to rounding; NAN: none. Nothing is remembered. */
double thud_observe_root(scene_observe *observe, double t, double end, const thud_record_cell *cells);
/* The changes that are due now: entries of their list, each once; SIZE_MAX: no more. */
size_t thud_observe_due(scene_observe *observe, double t);

/* Arcs on which entry k has no series, because its expression switches there. */
size_t thud_observe_switched(const scene_observe *observe, size_t k);

/* Breaks of `data` with conditions are those that the memory says: after a checkpoint was read. */
void thud_observe_set_breaks(scene_observe *observe);

/* Part of a checkpoint. */
size_t thud_observe_memory_size(const scene_observe *observe);
/* Can it be that of the scene? Not aligned. */
bool thud_observe_takes(const scene_observe *observe, const void *memory);

#endif
