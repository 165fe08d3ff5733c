/* Strings and beams inside the layer. */
#ifndef THUD_SRC_MOTIONS_LINE_LINE_H
#define THUD_SRC_MOTIONS_LINE_LINE_H

#include "motions/line/line_kinks.h"

/* A break of the slope of a convex function of a tension (slip.c). */
typedef struct elastic_slip_break {
  double place;
  double more; /* second derivative beyond it less that before it */
} elastic_slip_break;

struct thud_line {
  thud_context *context;
  thud_line_kind kind;
  thud_index n, per_node; /* nodes; transverse freedoms of each */
  double *x;              /* [n] */
  double extension;
  elastic_kinks transverse, longitudinal;  /* stiffness with all nodes, the ends included */
  double *kink, *lower, *upper, *reaction; /* [per_node*n] of the problem being solved */
  double *work;                            /* [per_node*n] */
  thud_index *chain;                       /* [n] nodes of the hull */
  elastic_slip_break *slip;                /* [4*n] two stacks of at most 2 n breaks each */
};

/* The obstacle problem; a beam begins with the nodes that have s_before[n] > 0 (NULL: as the public function). */
thud_error thud_line_obstacle_from(thud_line *line, const thud_line_data *data, const double *s_before, double *v,
                                   double *s, thud_line_info *info);
/* slip.c: the sides of all inner nodes in a step of friction, but for rounding. Uses work. */
void thud_line_find_slip(thud_line *line, const double *f, const double *bound, const double ends[2],
                         const double *before);

#endif
