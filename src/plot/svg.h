/* Pictures as SVG: text is text, groups have names and titles, numbers have few digits. The same picture gives the
 * same bytes, in any locale. Lengths in pt. */
#ifndef THUD_SRC_PLOT_SVG_H
#define THUD_SRC_PLOT_SVG_H

#include "base/json.h"
#include "plot/canvas.h"

enum { THUD_SVG_LEVELS = 32, THUD_SVG_ID = 160, THUD_SVG_CLIPS = 8, THUD_SVG_CLIP_TEXT = 96, THUD_SVG_STYLE = 800 };

typedef struct thud_svg {
  thud_canvas canvas; /* first: the functions of the canvas find the rest behind it */
  thud_text *out;     /* borrowed; its error is that of the picture */
  uint32_t tag;       /* part of the names of clip paths, so that pictures can stand on one page */

  thud_text path;                  /* d of the shape in the making */
  thud_text held;                  /* d of a shape that is not written yet, because the next one may join it */
  char held_style[THUD_SVG_STYLE]; /* "": none is held */
  bool held_is_kept;               /* a filled shape that may get an outline */

  int depth, clips_open[THUD_SVG_LEVELS]; /* saved states: groups of clips to be closed */
  int group_depth;
  size_t id_length[THUD_SVG_LEVELS]; /* of the id outside of each group */
  char id[THUD_SVG_ID];
  size_t clip_count;
  char clips[THUD_SVG_CLIPS][THUD_SVG_CLIP_TEXT]; /* the last ones, which are used again */
} thud_svg;

/* cairo: on any surface, not scaled; it keeps path and pen, and measures text. title and description may be NULL. */
void thud_svg_begin(thud_svg *svg, cairo_t *cairo, thud_text *out, double width, double height, const char *title,
                    const char *description);
/* Writes the end, unless something has failed, and frees what the writer has. */
void thud_svg_end(thud_svg *svg);

/* Text of an element or of an attribute: what XML does not allow becomes U+FFFD, line ends and tabs become blanks. */
void thud_svg_escape(thud_text *out, const char *text);

#endif
