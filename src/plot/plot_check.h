/* Is a figure one that can be drawn? */
#ifndef THUD_SRC_PLOT_CHECK_H
#define THUD_SRC_PLOT_CHECK_H

#include "thud/plot.h"

thud_error thud_plot_check(thud_context *context, const thud_plot_figure *figure);

#endif
