/* A kind of motion that exists only in tests: a pile of coins that grows, is struck now and then, and gets tired. */
#ifndef THUD_TEST_COINS_KIND_H
#define THUD_TEST_COINS_KIND_H

#include "thud/run.h"

enum { COINS = 40, STRUCK_EVERY = 5 };

/* State: everything that changes, without pointers, so that a checkpoint is a copy. */
typedef struct coins_state {
  double t, height, before; /* before: the height that a blow found */
  double step;              /* number of the steps done */
  double blow;              /* impulse of the last step, 0: none */
  double fallen[COINS];     /* coins that lie beside the pile, in the order of their fall */
  double fallen_count;
  double wear[COINS]; /* of each coin by all blows, N s */
  double begun;       /* the start has been handed out */
} coins_state;

extern const thud_kind coins_kind;

/* Its scene, 400 steps from 0 to 10. */
thud_tree *coins_tree(thud_context *context);
/* Built from it; set (may be NULL): a path whose value is changed first. */
thud_scene *coins_scene(thud_context *context, const char *set, const char *value);
/* A run without an error; the caller frees the result. */
thud_run_result coins_run(thud_scene *scene, const thud_run_options *options);

#endif
