/* Shared by the loops of first-order methods: room for vectors, when to test, whether there is progress. */
#ifndef THUD_SRC_SOLVE_FIRST_ORDER_H
#define THUD_SRC_SOLVE_FIRST_ORDER_H

#include "solve/scaled_form.h"

/* First member of the state of a method on the scaled form. */
typedef struct thud_first_order {
  thud_scaled_form form;
  double *memory;   /* of the vectors */
  double curvature; /* estimate of the largest eigenvalue of the form's matrix by a few steps of the power iteration, 1
                       where there is none. It may be too small: the rules of the steps fix that. */
} thud_first_order;

/* Places in a state of pointers to vectors, by offsetof. */
typedef struct thud_first_order_places {
  size_t count;
  const size_t *offsets; /* [count] */
} thud_first_order_places;

/* create, update and destroy of such a method: the state has `bytes` bytes and at least two vectors, of form.total
 * numbers each. */
thud_error thud_first_order_create(thud_solver *solver, size_t bytes, thud_first_order_places vectors);
thud_error thud_first_order_update(thud_solver *solver);
void thud_first_order_destroy(thud_solver *solver);
/* *memory, one block of as many vectors of n numbers as the state has places for; freed with thud_free. */
thud_error thud_first_order_vectors(thud_context *context, size_t n, thud_first_order_places vectors, void *state,
                                    double **memory);

/* A watch over a solve under way. A full test is made when the front end asks for one, and also when the length of the
 * step, times the ratio of residual to length at the last look, says that the tolerance has been reached. */
typedef struct thud_first_order_watch {
  double ratio;  /* residual / length of the step at the last look, 0 at first */
  double best;   /* smallest residual seen */
  double before; /* `best` when the present window began */
  int steps;     /* made in this window */
  int window;    /* its length */
} thud_first_order_watch;

/* window 0: progress is not asked for. */
thud_first_order_watch thud_first_order_watch_begin(int window);
/* After an iteration that ended at x (scaled) with a step of the given length: hands x over to the front end and tests
 * it when that is due. u is the velocity at x, which gives the residual without another product, or NULL. */
thud_error thud_first_order_watch_test(thud_first_order_watch *watch, thud_solver *solver, const thud_scaled_form *form,
                                       const double *x, const double *u, double length);
/* Counts an iteration; true at the end of a window that has not brought the best residual below `enough` times what it
 * was. The next window is then half as long again. */
bool thud_first_order_watch_is_slow(thud_first_order_watch *watch, double enough);
/* At the end: the last iterate goes to the front end when it has not been tested. */
void thud_first_order_hand_over(thud_solver *solver, const thud_scaled_form *form, const double *x);
/* A law whose projection fails ends the solve. */
void thud_first_order_fail(thud_solver *solver);

#endif
