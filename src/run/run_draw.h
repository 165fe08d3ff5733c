/* The `draw` section of a scene: what its motion looks like, as marks (thud/drawing.h) whose numbers are expressions of
 * time and of the state that its records hold. Read once when the scene is built (run_draw_read.c), evaluated at moments
 * of a record (run_draw.c). Nothing here has a part in the motion. */
#ifndef THUD_SRC_RUN_RUN_DRAW_H
#define THUD_SRC_RUN_RUN_DRAW_H

#include "expr/scope.h"
#include "scene/build.h"
#include "thud/drawing.h"
#include "thud/kind.h"
#include "thud/moment.h"
#include "thud/scene.h"

/* ---- names that expressions may use ---- */

/* A channel of the state, or the derivative of one, called as moments call it. */
typedef struct draw_part {
  const char *name;
  size_t width;
  thud_index *slots; /* [width] variables of the components; -1: not a name that expressions can use */
  bool used;         /* by an expression */
} draw_part;

typedef struct draw_names {
  thud_expr_scope *scope; /* t in slot 0, parameters, definitions, data, the state */
  size_t part_count;
  draw_part *parts;
  const char *reaction; /* channel of the reactions; NULL: the kind has none */
  size_t reaction_count;
  const char **reactions; /* [reaction_count + 1] names of its components, then NULL */
} draw_names;

enum { DRAW_TIME = 0 }; /* slot of t */

/* With the channels of its motion or of its record; texts live in the arena or in the layout. */
thud_error thud_draw_name(thud_scene *scene, const thud_record_layout *layout, thud_arena *arena, draw_names *names);
/* The parts of the state that the expression depends on will be asked for. */
void thud_draw_note_use(draw_names *names, const thud_expr *expr);

/* ---- marks ---- */

/* Where a point has been in one record. */
typedef struct draw_trace {
  const thud_record_reader *reader; /* whose points these are; NULL: none yet */
  size_t count, capacity;
  double *times;  /* [capacity] */
  double *points; /* [capacity * dimension] */
  size_t room;    /* of points, in numbers */
} draw_trace;

typedef enum draw_form {
  DRAW_ELEMENTS = 0, /* the numbers are those of the elements */
  DRAW_REACTION = 1, /* those of an arrow's foot; the vector is a sum of reactions along directions */
  DRAW_CURVE = 2,    /* those of a point that depends on a further variable */
  DRAW_TRACE = 3     /* those of a point that has been elsewhere */
} draw_form;

typedef struct draw_mark {
  thud_mark look; /* without count and numbers */
  draw_form form;
  size_t panel;
  scene_values numbers;
  bool conditional; /* only there when `when` is not 0 */
  scene_value when;
  size_t force_count;
  size_t *forces;          /* [force_count] components of the reaction channel */
  scene_values directions; /* [force_count * dimension] */
  thud_index running;      /* slot of the curve's variable, which goes from begin to end */
  scene_value begin, end;
  size_t segments;
  draw_trace trace;
} draw_mark;

typedef struct draw_panel {
  thud_drawing_panel about;
  bool given;       /* by an entry of its own */
  size_t dimension; /* 0: no mark so far */
} draw_panel;

typedef struct scene_draw {
  thud_context *context;
  thud_arena *arena; /* texts and small arrays */
  draw_names names;
  size_t panel_count, panel_capacity;
  draw_panel *panels;
  size_t mark_count, mark_capacity;
  draw_mark *marks;
  double *variables; /* [variables of the scope, and one for curves] */
  size_t room;
  double *numbers; /* [room] of the mark that is being drawn */
} scene_draw;

/* `draw` of a scene whose kind has been built, with the channels of its motion or of its record; a scene without it is
 * left as it is. */
thud_error thud_draw_build(thud_scene *scene, const thud_node *root, const thud_record_layout *layout);
/* NULL is allowed. */
void thud_draw_destroy(thud_scene *scene);
size_t thud_draw_dimension(const scene_draw *draw, const draw_mark *mark);

/* ---- at a moment ---- */

/* Variables of the expressions from the moment. */
thud_error thud_draw_place(scene_draw *draw, thud_moment *moment);
/* Where they are now: out[values->count]. */
void thud_draw_evaluate(const scene_draw *draw, const scene_values *values, int side, double *out);
thud_error thud_draw_reserve(scene_draw *draw, size_t count);

/* ---- the past ---- */

/* Fills the mark's trace from the record of the moment, unless it is of that record already. The variables are those of
 * another time afterwards. */
thud_error thud_draw_remember(scene_draw *draw, draw_mark *mark, const thud_moment *moment);
/* Points of the trace up to the limit of that side at t. */
size_t thud_draw_past_count(const draw_trace *trace, double t, int side);

/* ---- what a scene looks like at a moment of its record ----------------------------------------------------------- */

/* The marks of the scene's `draw` section, then those of its kind. */
thud_error thud_scene_draw(const thud_scene *scene, thud_moment *moment, thud_drawing *drawing);
/* Clears the traces of records; call it before using another reader. */
void thud_scene_draw_forget(const thud_scene *scene);

#endif
