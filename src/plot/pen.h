/* Colours, dashes and small shapes that everything of a figure is drawn with. Lengths in pt. */
#ifndef THUD_SRC_PLOT_PEN_H
#define THUD_SRC_PLOT_PEN_H

#include "plot/plot_layout.h"

void thud_pen_gray(const thud_plot_layout *layout, double gray);
void thud_pen_dash(const thud_plot_layout *layout, thud_plot_dash dash);
void thud_pen_segment(const thud_plot_layout *layout, double x1, double y1, double x2, double y2);
/* Adds to the path. */
void thud_pen_circle(const thud_plot_layout *layout, double x, double y, double radius);
/* To the box, or a little more of the paper around it. */
void thud_pen_clip(const thud_plot_layout *layout, const thud_plot_box *box, double more);

#endif
