/* thud/drawing.h: what a motion looks like at a time, as marks in the plane or in space. Layer: drawing.
 *
 * A drawing is a list of panels, each with marks: lines, circles, arrows, ... in the panel's own coordinates. It knows
 * neither files nor screens: pages (thud/page.h) move it in a browser, pictures (thud/plot.h) paint it. The marks of one
 * motion are the same at every time, in the same order, with other numbers: the k-th mark of one time and the k-th mark
 * of the next are the same thing (a mark that is not there for a while has count 0). */
#ifndef THUD_DRAWING_H
#define THUD_DRAWING_H

#include "thud/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* With d the dimension of the drawing, numbers per element: */
typedef enum thud_mark_kind {
  THUD_MARK_POINTS = 0, /* d: dots of a fixed size on paper */
  THUD_MARK_LINE = 1,   /* d: the points that one line connects; NaN interrupts it */
  THUD_MARK_AREA = 2,   /* d: corners of one closed polygon */
  THUD_MARK_CIRCLE = 3, /* plane: x y radius angle (a radius is drawn at the angle, so that rolling is seen; NaN: none);
                            space, a sphere: x y z radius */
  THUD_MARK_BOX = 4,    /* plane: x y of the centre, width, height, angle. Not in space */
  THUD_MARK_SPRING = 5, /* 2 d: from, to */
  THUD_MARK_ARROW =
      6, /* 2 d: foot, vector. Of paint FORCE, VELOCITY and NORMAL scaled to be seen, otherwise as long as it is */
  THUD_MARK_TEXT = 7,    /* d: where the text is centred */
  THUD_MARK_SURFACE = 8, /* d + 1: points of a mesh of triangles with a value each, shown by colour */
  THUD_MARK_KINDS = 9
} thud_mark_kind;

/* Meaning of a mark; the painter has a colour for each in light and in dark. */
typedef enum thud_paint {
  THUD_PAINT_BODY = 0,     /* what moves */
  THUD_PAINT_OBSTACLE = 1, /* what does not, or moves as prescribed */
  THUD_PAINT_FORCE = 2,    /* reactions, forces */
  THUD_PAINT_VELOCITY = 3,
  THUD_PAINT_SET = 4,   /* a moving set, a cone */
  THUD_PAINT_TRACE = 5, /* where something has been */
  THUD_PAINT_STICK = 6,
  THUD_PAINT_SLIP = 7,
  THUD_PAINT_GUIDE = 8,  /* axes, rods, strings: thin and quiet */
  THUD_PAINT_NORMAL = 9, /* directions */
  THUD_PAINT_FIELD = 10, /* a density, a pressure */
  THUD_PAINTS = 11
} thud_paint;

/* "body", "obstacle", ...; "line", "circle", ...: as in scenes and pages. NULL when out of range. */
THUD_API const char *thud_paint_name(thud_paint paint);
THUD_API const char *thud_mark_kind_name(thud_mark_kind kind);
/* Numbers per element in dimension 2 or 3; 0: there is no such mark. */
THUD_API size_t thud_mark_width(thud_mark_kind kind, int dimension);
/* Arrows of these paints (FORCE, VELOCITY, NORMAL) are scaled to be seen. */
THUD_API bool thud_paint_is_scaled(thud_paint paint);

typedef struct thud_mark {
  thud_mark_kind kind;
  thud_paint paint;
  int colour;                  /* 0: that of the paint; 1..8: of the palette (thud/plot.h) */
  double width;                /* of lines, beside the usual width; 0: 1 */
  bool filled, dashed;         /* filled: circles, boxes, areas */
  double opacity;              /* 0: 1 */
  const char *label;           /* what it is, shown when pointed at and in the legend; NULL: not named */
  const char *text;            /* of THUD_MARK_TEXT */
  const char *value_unit;      /* of a surface's values; NULL: none */
  size_t count;                /* elements; 0: not there now */
  const double *numbers;       /* [count * thud_mark_width] */
  size_t triangle_count;       /* of a surface, the same at every time */
  const thud_index *triangles; /* [3*triangle_count] numbers of points */
  THUD_RESERVED(4);
} thud_mark;

/* A part of the drawing with coordinates of its own. */
typedef struct thud_drawing_panel {
  const char *title;             /* NULL: none */
  const char *x_label, *y_label; /* NULL: none */
  const char *x_unit, *y_unit;
  bool axes;      /* with ticks and numbers; otherwise only what is drawn */
  bool stretched; /* x and y have scales of their own */
  bool space;     /* d = 3 */
  THUD_RESERVED(4);
} thud_drawing_panel;

typedef struct thud_drawing thud_drawing;

/* Without panels and marks. */
THUD_API thud_error thud_drawing_create(thud_context *context, thud_drawing **drawing);
/* NULL is allowed. */
THUD_API void thud_drawing_destroy(thud_drawing *drawing);
/* Empty again, with its memory. */
THUD_API void thud_drawing_clear(thud_drawing *drawing);
/* Marks that follow belong to this panel. Texts are copied. */
THUD_API thud_error thud_drawing_add_panel(thud_drawing *drawing, const thud_drawing_panel *panel);
/* Everything is copied. Without a panel before it the first one is a plane without axes. Numbers that are not finite are
 * allowed (an element that has one is not drawn). */
THUD_API thud_error thud_drawing_add(thud_drawing *drawing, const thud_mark *mark);

/* Contents of a drawing; NULL beyond the last panel. */
THUD_API size_t thud_drawing_panel_count(const thud_drawing *drawing);
THUD_API const thud_drawing_panel *thud_drawing_panel_at(const thud_drawing *drawing, size_t panel);
THUD_API size_t thud_drawing_mark_count(const thud_drawing *drawing);
/* Borrowed until the drawing changes; panel may be NULL. */
THUD_API const thud_mark *thud_drawing_mark_at(const thud_drawing *drawing, size_t mark, size_t *panel);

#ifdef __cplusplus
}
#endif
#endif
