/* Strings and beams inside the layer. */
#ifndef THUD_SRC_ELASTIC_LINE_H
#define THUD_SRC_ELASTIC_LINE_H

#include "elastic/kinks.h"

struct thud_line {
  thud_context *context;
  thud_line_kind kind;
  thud_index n, per_node;                  /* nodes; transverse freedoms of each */
  double *x;                               /* [n] */
  elastic_kinks transverse, longitudinal;  /* stiffness with all nodes, the ends included */
  double *kink, *lower, *upper, *reaction; /* [per_node*n] of the problem being solved */
  double *work;                            /* [per_node*n] */
  thud_index *chain;                       /* [n] nodes of the hull */
};

/* The public problems, beginning with the active set of an earlier one: nodes with s_before[n] > 0 touch; nodes stick unless
 * r_before[n] reaches bound_before[n]. NULL: as the public ones. */
thud_error thud_line_obstacle_from(thud_line *line, const thud_line_data *data, const double *s_before, double *v,
                                   double *s, thud_line_info *info);
thud_error thud_line_friction_from(thud_line *line, const thud_line_data *data, const double *bound,
                                   const double *before, const double *r_before, const double *bound_before, double *u,
                                   double *r, thud_line_info *info);

#endif
