/* Catching-up, as the motions of lines and of surfaces share it. */
#ifndef THUD_SRC_MOTIONS_LINE_ELASTIC_MOTION_H
#define THUD_SRC_MOTIONS_LINE_ELASTIC_MOTION_H

#include "motions/motion.h"
#include "thud/elastic.h"

/* What changes, beside the arrays. No pointers: it is part of the state block. */
typedef struct elastic_progress {
  double t;
  int32_t side;
  uint32_t unused; /* no padding in the block */
  uint64_t next;   /* interval of the partition */
  double stored_at_start, moved, potential;
  thud_elastic_ledger ledger;
  thud_elastic_motion_info info;
} elastic_progress;

typedef struct elastic_motion elastic_motion;
struct elastic_motion {
  thud_motion base;
  const thud_partition *partition;
  double friction;
  size_t jump_count;
  const double *jumps;
  /* Of the family: solves for v_new, s_new, u_new and r_new with the data at t and books the step. The new arrays become
   * the state after that. */
  thud_error (*catch_up)(elastic_motion *motion, double t, thud_side side);
  thud_index n, freedoms, moving; /* numbers of s, v, u; moving 0: there is no u */
  elastic_progress now;
  double *block; /* [block_count] the state: what v[freedoms], s[n], u[moving], r[moving] and slid lie in */
  size_t block_count;
  double *v, *s, *u, *r, *slid;                           /* slid: surfaces [n], lines NULL */
  double *work;                                           /* what the following lie in, and the data of the family */
  double *v_new, *s_new, *u_new, *r_new, *bound, *stress; /* bound[n], stress[moving] */
};

/* The functions of a family's table. */
thud_error thud_elastic_step(thud_motion *motion, const thud_motion_sink *sink, thud_reached *reached);
void thud_elastic_present(const thud_motion *motion, void *frame);
void thud_elastic_info(const thud_motion *motion, void *info);
size_t thud_elastic_state_size(const thud_motion *motion);
void thud_elastic_save(const thud_motion *motion, void *state);
thud_error thud_elastic_restore(thud_motion *motion, const void *state, size_t size);
void thud_elastic_destroy(thud_motion *motion);
#define THUD_ELASTIC_TYPE(noun)                                                                                        \
  {                                                                                                                    \
    .name = (noun), .frame_size = sizeof(thud_elastic_frame), .info_size = sizeof(thud_elastic_motion_info),           \
    .step = thud_elastic_step, .present = thud_elastic_present, .info = thud_elastic_info,                             \
    .state_size = thud_elastic_state_size, .save = thud_elastic_save, .restore = thud_elastic_restore,                 \
    .destroy = thud_elastic_destroy                                                                                    \
  }

/* An array of the family's data, to lie in `work`. */
typedef struct elastic_array {
  double **array;
  size_t count;
} elastic_array;

/* THUD_ERROR_ARGUMENT unless friction and jumps can be used. */
thud_error thud_elastic_check(thud_context *context, double friction, size_t jump_count, const double *jumps);
/* Allocates the arrays and goes to the start of the partition. After a failure thud_elastic_destroy frees what there
 * is. */
thud_error thud_elastic_begin(elastic_motion *motion, bool keeps_slid, size_t data_count, const elastic_array *data);

/* Do the data jump at t? */
bool thud_elastic_jumps_at(size_t count, const double *jumps, double t);
/* The context's message before the data were asked for: a function that fails may leave one of its own, which is kept behind
 * "the data of the NOUN at t = ... failed". */
typedef struct thud_elastic_message {
  char text[80];
} thud_elastic_message;
thud_elastic_message thud_elastic_keep_message(const thud_context *context);
thud_error thud_elastic_data_failed(thud_context *context, const thud_elastic_message *before, const char *noun,
                                    double t);
/* What the data did wrong is a finding of the run, not a failed call: *status says it and THUD_OK is returned. */
thud_error thud_elastic_fault(thud_error error, thud_motion_status *status);

#endif
