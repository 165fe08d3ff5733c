/* Motions of lines whose contact points are free of the mesh. */
#ifndef THUD_SRC_MOTIONS_LINE_LINE_FOLLOWER_H
#define THUD_SRC_MOTIONS_LINE_LINE_FOLLOWER_H

#include "motions/line/line.h"

/* Catching-up of a line on nodes that follow its contact points. */
typedef struct elastic_follower elastic_follower;

/* The source and the partition are borrowed; x[n] is copied. */
thud_error thud_follower_create(thud_context *context, const thud_line_source *source, thud_index n, const double *x,
                                const thud_partition *partition, elastic_follower **motion);
void thud_follower_destroy(elastic_follower *motion);
/* One state: *more is false when there was none left. THUD_ERROR_NOT_CONVERGED: an active set did not settle. */
thud_error thud_follower_step(elastic_follower *motion, bool *more);
double thud_follower_time(const elastic_follower *motion);
/* u at places[count], which increase. */
void thud_follower_sample(const elastic_follower *motion, thud_index count, const double *places, double *u);
/* Steps, variation and largest move so far; distance NaN. */
thud_limit_level thud_follower_level(const elastic_follower *motion);

#endif
