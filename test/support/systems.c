#include "systems.h"
#include "run_motion.h"
#include "testing.h"

#include <string.h>

thud_system *thud_test_system_make(thud_context *context, const thud_test_system *source) {
  thud_expr_system_def def = {.coordinates = source->coordinates,
                              .kinetic_energy = source->kinetic_energy,
                              .potential_energy = source->potential_energy,
                              .forces = source->forces,
                              .constraints = source->constraints,
                              .friction = source->friction};
  while (def.n < THUD_TEST_COORDINATES && source->coordinates[def.n] != NULL) def.n++;
  while (def.m < THUD_TEST_CONSTRAINTS && source->constraints[def.m].name != NULL) def.m++;
  while (def.laws < 4 && source->friction[def.laws].name != NULL) def.laws++;
  thud_expr_scope *scope;
  thud_expr_system_place place;
  thud_system *system = NULL;
  assert_int_equal(thud_expr_scope_create(context, &scope), THUD_OK);
  thud_error error = thud_system_create_expressions(context, scope, &def, &place, &system);
  if (error != THUD_OK) fail_msg("%s", thud_context_last_message(context));
  thud_expr_scope_destroy(scope);
  return system;
}

thud_stepping_options thud_test_stepping_options(thud_stepping_method method, double end, thud_index steps) {
  thud_stepping_options options = thud_stepping_options_default();
  options.method = (int)method;
  options.end = end;
  options.steps = steps;
  return options;
}

typedef struct last_node {
  thud_test_frame_fn frame;
  void *user;
  size_t n;
  double *q, *v;
} last_node;

static int keep_last(void *user, const void *handed) {
  const thud_stepping_frame *frame = handed;
  last_node *last = user;
  if (last->q != NULL) memcpy(last->q, frame->q, last->n * sizeof(double));
  if (last->v != NULL) memcpy(last->v, frame->v, last->n * sizeof(double));
  return last->frame != NULL ? last->frame(last->user, frame) : 0;
}

thud_stepping_motion_info thud_test_stepping(thud_context *context, const thud_system *system,
                                             const thud_stepping_options *options, const double *q0, const double *v0,
                                             thud_test_frame_fn frame, void *user, double *q, double *v) {
  thud_motion *motion;
  thud_stepping_motion_info info;
  thud_error error = thud_stepping_motion_create(context, system, options, q0, v0, &motion);
  if (error != THUD_OK) fail_msg("%s", thud_context_last_message(context));
  last_node last = {.frame = frame, .user = user, .n = (size_t)thud_system_dimension(system), .q = q, .v = v};
  assert_int_equal(thud_test_run_motion(motion, &(thud_motion_sink){.frame = keep_last, .user = &last}, &info),
                   THUD_OK);
  thud_motion_destroy(motion);
  return info;
}
