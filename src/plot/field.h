/* Values as colours, of fields on meshes and of surfaces in drawings. */
#ifndef THUD_SRC_PLOT_FIELD_H
#define THUD_SRC_PLOT_FIELD_H

#include "plot/plot_layout.h"

/* Values from low to high, from dark blue over green to yellow. */
typedef struct field_scale {
  double low, high;
  double shadow; /* 0 to 1: how much darker the colours are, by the light on a surface */
} field_scale;

/* A corner of a triangle on paper. */
typedef struct field_corner {
  double x, y, value;
} field_corner;

/* Room around a single value. */
void thud_field_widen(field_scale *scale);
void thud_field_colour(const field_scale *scale, double value, double rgb[3]);
field_corner thud_field_middle(field_corner a, field_corner b);
/* A triangle whose colours follow the values of its corners. */
void thud_field_fill(const thud_plot_layout *layout, const field_scale *scale, const field_corner corners[3]);
/* The bar of the colours with its ticks, as high as the box. name: what the values are, may be empty. */
void thud_field_paint_scale(const thud_plot_layout *layout, const field_scale *scale, const char *name, double left,
                            const thud_plot_box *box);

#endif
