/* The inside of a built scene; shared by the files that build it and the ones that run it. */
#ifndef THUD_SRC_SCENE_BUILD_H
#define THUD_SRC_SCENE_BUILD_H

#include "base/base.h"
#include "thud/expr.h"
#include "thud/record.h"
#include "thud/scene.h"

/* A number of the scene: a constant or an expression of time. */
typedef struct scene_value {
  thud_expr *expr; /* NULL: constant */
  double constant;
} scene_value;

/* Growing list of values. */
typedef struct scene_values {
  scene_value *items;
  size_t count, capacity;
} scene_values;

/* A function of place and time: a value whose expression may use the names of the places. */
typedef struct scene_field {
  const char *name; /* for messages: "density" */
  size_t value;     /* of a list of values, which owns it */
  bool moves;       /* it depends on t */
} scene_field;

/* Growing list of times. */
typedef struct scene_times {
  double *items;
  size_t count, capacity;
} scene_times;

/* The numbers of sets: their flat parameter vector, in the order thud/convex.h fixes. */
typedef struct scene_numbers {
  thud_scene *scene;
  scene_values values;
  bool moves;        /* some depend on time */
  scene_times jumps; /* of them within the run */
} scene_numbers;

/* One named piece of data: piecewise expressions of time that may jump at the breaks. */
typedef struct scene_data {
  const thud_scene *scene;
  size_t break_count;
  double *breaks;      /* [break_count] increasing */
  scene_value *pieces; /* [break_count+1] */
  scene_value *values; /* [break_count] values at the breaks, or NULL */
  bool conditional;    /* the breaks are times at which conditions come to hold, INFINITY as long as they do not */
  bool left_value;     /* without values: the value at a break is the left limit rather than the right one */
  scene_times jumps;   /* the breaks and the jumps inside the pieces */
  thud_regulated function;
} scene_data;

/* Functions of a program in the place of formulas of its scene: of a system, of rigid bodies. */
typedef struct scene_program {
  size_t replacement_count, body_count;
  const struct thud_system_replacement *replacements; /* [replacement_count] borrowed */
  const struct thud_body_functions *bodies;           /* [body_count] borrowed */
} scene_program;

struct thud_scene {
  thud_context *context;
  char *title;
  char *text;     /* the effective scene as JSON: as given, --set included */
  char *resolved; /* the same with every default filled in */
  char *source;   /* the file it was read from, with --set as comments; "": not kept */
  thud_expr_scope *scope;
  thud_index time_slot;
  double *variables; /* borrowed: t and the state at which expressions are evaluated; NULL: they depend on t alone */
  double start, end;
  thud_index steps;
  double chosen_step;     /* where neither a step nor a number of steps is given */
  char chosen[320];       /* why, "" where it is given */
  double suspect_gravity; /* a parameter that is gravity in m/s^2, where the units are others; 0: none is */
  char suspect_unit[64];  /* those units */
  size_t data_count;
  scene_data *data; /* [data_count], never moved: the scope borrows their functions */
  thud_index dimension;
  char **coordinates; /* [dimension] */
  char **units;       /* [dimension] "" when not given */
  char *time_unit;
  double record_every;     /* 0: every step */
  double checkpoint_every; /* 0: none */
  void *model;             /* what the kind has read of its section; NULL: it keeps that in its motion */
  void (*free_model)(thud_scene *scene);
  const scene_program *program; /* while it is being built; NULL: the scene is all there is */
  /* filled in by the layer run: */
  const struct thud_kind *kind;
  void *motion;                  /* of that kind */
  void *start_state;             /* its state at the start */
  size_t state_size;             /* of that, and of every later one */
  struct scene_draw *draw;       /* what its `draw` section draws; NULL: it has none */
  struct scene_observe *observe; /* what it observes, where it ends, what changes on a condition; NULL: nothing */
  bool has_run;                  /* a run of it has been created and not been destroyed */
};

/* Which `data` are expressions, with derivatives and power series; the others are functions that know both sides. */
typedef struct scene_data_form {
  bool expressions;          /* all are */
  const char *section;       /* those that expressions of its lists use, by list and key ("constraints.gap") */
  const char *const *places; /* [place_count] */
  size_t place_count;
} scene_data_form;

/* Parts of every scene: version, title, parameters, time span, data; then, after the kind's own part, units (unless it has
 * read them), record and the texts. Everything is read from the resolved tree: the defaults are there and nowhere in the
 * builders. */
/* `definitions` (NULL: none): named expressions of the scope, which are read where they are used; and all of them, so that
 * a mistake in one that nothing uses is found, too. */
thud_error thud_scene_read_definitions(thud_scene *scene, const thud_node *node);
thud_error thud_scene_check_definitions(thud_scene *scene, const thud_node *node);
thud_error thud_scene_build_common(thud_scene *scene, const thud_node *root, scene_data_form form);
thud_error thud_scene_build_rest(thud_scene *scene, const thud_tree *given, const thud_tree *resolved);
void thud_scene_free(thud_scene *scene);
/* Units of the coordinates, whose names are known. */
thud_error thud_scene_build_units(thud_scene *scene, const thud_node *root);
/* A channel has one unit: that of the coordinates when they all have the same, otherwise none. */
const char *thud_scene_common_unit(const thud_scene *scene);

/* A constant whole number within [low, high]. */
thud_error thud_scene_read_whole(thud_scene *scene, const thud_node *node, double low, double high, double *value);
/* `classify` of `simulate`: 0, or the number of levels by which a motion is judged. */
enum { SCENE_MOST_LEVELS = 12 };
thud_error thud_scene_read_classify(thud_scene *scene, const thud_node *simulate, int *levels);
/* Steps of a run at most. */
#define SCENE_MOST_STEPS 1e9
/* start and end of `simulate`; step or steps, of which neither has to be there. */
thud_error thud_scene_read_span(thud_scene *scene, const thud_node *simulate);
thud_error thud_scene_read_steps(thud_scene *scene, const thud_node *simulate);
/* The same where both may be missing: scene->steps is 0 then, and the kind chooses (run/run_scales.h). */
thud_error thud_scene_read_given_steps(thud_scene *scene, const thud_node *simulate);
/* The names of the coordinates, and with them the dimension. */
thud_error thud_scene_read_names(thud_scene *scene, const thud_node *list);
/* Coordinates without names: u1, u2, ... un, which have no units. */
thud_error thud_scene_make_names(thud_scene *scene, thud_index n);

/* A number or an expression of time. */
thud_error thud_scene_read_value(thud_scene *scene, const thud_node *node, scene_value *value);
/* The same with the names of another scope, whose variables may be any. */
thud_error thud_scene_read_value_in(thud_scene *scene, const thud_expr_scope *scope, const thud_node *node,
                                    scene_value *value);
/* A number or an expression that does not depend on time. */
thud_error thud_scene_read_constant(thud_scene *scene, const thud_node *node, double *value);
/* Value, left or right limit at time t, with the state in scene->variables. */
double thud_scene_value_at(const thud_scene *scene, const scene_value *value, double t, thud_side side);
/* Adds the jump times of the value within [from, to]; place is where a failure is reported. */
thud_error thud_scene_value_jumps(thud_scene *scene, const scene_value *value, double from, double to,
                                  scene_times *times);
/* Replaces the times by those of all values together within the run: one time where rounding cannot separate jumps of
 * different values apart. */
thud_error thud_scene_values_common_jumps(thud_scene *scene, const scene_values *values, scene_times *times);
void thud_scene_value_free(scene_value *value);

/* Where fields are evaluated: nodes, and the variables of the scope that name their coordinates. */
enum { SCENE_MOST_PLACES = 2 };
typedef struct scene_places {
  const thud_scene *scene;
  const scene_values *values; /* that the fields are of */
  size_t count, dimension;
  const double *at;                    /* [count * dimension] */
  thud_index slots[SCENE_MOST_PLACES]; /* with the slot of time the numbers 0 to dimension */
} scene_places;

/* Adds a field to the values; its name stays. Jumps that happen everywhere at once are among the common jumps of the values;
 * fronts that move from place to place are none. */
thud_error thud_scene_read_field(thud_scene *scene, const thud_node *node, scene_values *values, scene_field *field);
double thud_scene_field_at(const scene_places *places, const scene_field *field, const double *place, double t,
                           thud_side side);
/* out[count] at the nodes; `only` (NULL: all): those where this is not 0. A value that is not finite is an error. */
thud_error thud_scene_field_fill(const scene_places *places, const scene_field *field, const unsigned char *only,
                                 double t, thud_side side, double *out);
thud_error thud_scene_values_add(thud_scene *scene, scene_values *values, scene_value value);
void thud_scene_values_free(thud_scene *scene, scene_values *values);
thud_error thud_scene_times_add(thud_scene *scene, scene_times *times, double t);
/* Sorts and drops repeats. */
void thud_scene_times_sort(scene_times *times);

/* `data:` of the scene; adds each name to the scope: as a function of time, which knows its values on both sides, or
 * as an expression if(t < break, ...), which has derivatives and power series. */
thud_error thud_scene_build_data(thud_scene *scene, const thud_node *root, scene_data_form form);
void thud_scene_free_data(thud_scene *scene);
/* data_family.c: an entry with `family` as a tree of its own, {breaks, pieces, at_breaks}, members written out. */
thud_error thud_scene_write_family(thud_scene *scene, const char *name, const thud_node *entry, thud_tree **written);
/* Entries of `data` whose breaks are conditions; how many of these breaks have come. */
bool thud_scene_has_switches(const thud_scene *scene);
size_t thud_scene_switched(const thud_scene *scene);
/* The piece of data that holds between two times (a thud_expr_piece_fn). */
bool thud_scene_data_piece(const thud_regulated *function, double from, double to, const thud_expr **expr,
                           double *constant);

/* A set node; n is the dimension it must have (0: any). Appends its parameters to the numbers. */
thud_error thud_scene_build_set(scene_numbers *numbers, const thud_node *node, thud_index n, thud_set **set);
/* One number, which may depend on time, as the next parameter. */
thud_error thud_scene_append_number(scene_numbers *numbers, const thud_node *node);
/* out[values.count] at a time. Only absent bounds may be infinite: an expression that overflows or divides by zero is
 * NaN, which the sets refuse. */
void thud_scene_numbers_at(const scene_numbers *numbers, double t, thud_side side, double *out);
void thud_scene_numbers_free(scene_numbers *numbers);

#endif
