#include "elastic.h"
#include "testing.h"

#include <string.h>

static int evaluate(void *user, double t, thud_side side, double *out) {
  const elastic_case *given = user;
  for (size_t k = 0; k < given->jump_count;
       k++) /* a hair to the left of a jump: the limit of the pieces of the tests */
    if (t == given->jumps[k] && side == THUD_SIDE_LEFT) t = nextafter(t, -1e300);
  given->load(t, out);
  return 0;
}

thud_error elastic_make(thud_context *context, const elastic_case *given, elastic_made *made) {
  memset(made, 0, sizeof *made);
  made->context = context;
  made->given = *given;
  thud_index n = given->contacts * given->dimension;
  for (thud_index k = 0; k < n; k++) {
    made->start[k + 1] = k + 1;
    made->row[k] = k;
    made->value[k] = k % given->dimension == 0 ? -1 : 1;
    made->gap[k] = given->gap;
    made->mu[k] = given->mu;
  }
  made->load = (thud_regulated){.dimension = n,
                                .evaluate = evaluate,
                                .user = &made->given,
                                .jump_count = given->jump_count,
                                .jumps = made->given.jumps};
  made->problem = (thud_quasistatic_problem){
      .unknowns = n,
      .contacts = given->contacts,
      .dimension = given->dimension,
      .K = {.storage = THUD_MATRIX_DENSE, .rows = n, .columns = n, .dense = made->given.K},
      .H = {.rows = n, .columns = n, .column_start = made->start, .row = made->row, .value = made->value},
      .gap = made->gap,
      .mu = made->mu,
      .load = &made->load,
      .initial = given->initial};
  thud_error error =
      thud_partition_uniform(context, 0, given->end, given->steps, given->jump_count, given->jumps, &made->partition);
  if (error == THUD_OK)
    error = thud_quasistatic_motion_create(context, given->method, &made->problem, made->partition,
                                           given->options.size > 0 ? &given->options : NULL, &made->motion);
  if (error != THUD_OK) elastic_end(made);
  return error;
}

void elastic_end(elastic_made *made) {
  thud_motion_destroy(made->motion);
  thud_partition_destroy(made->partition);
  made->motion = NULL;
  made->partition = NULL;
}

thud_quasistatic_motion_info elastic_run(elastic_made *made) {
  assert_int_equal(thud_motion_run(made->motion, NULL, NULL), THUD_OK);
  return thud_quasistatic_motion_get_info(made->motion);
}

thud_error elastic_step(elastic_made *made, thud_quasistatic_motion_info *info) {
  thud_error error = thud_motion_step(made->motion, NULL, NULL);
  *info = thud_quasistatic_motion_get_info(made->motion);
  return error;
}
