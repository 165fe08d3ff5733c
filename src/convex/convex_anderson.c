/* Walker and Ni, SIAM J. Numer. Anal. 49 (2011): with the last differences dF = (f_k - f_{k-1}, ...) and
 * dT = differences of t + f, the next point is t_k + f_k - dT g, where g minimises |f_k - dF g|. */
#include "convex/convex_anderson.h"

#include "convex/view.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* An accelerated point may raise |f| by this factor over the best so far before it is given up. */
static const double safeguard = 2;
/* After this many steps without a lower |f| plain steps are taken, at first as many and then twice as many each time.
 */
static const thud_index patience = 30;
/* Regularisation of the least squares problem, relative to |dF|^2. */
static const double regularisation = 1e-14;

/* Larger weights come from differences that are rounding, and would lead far away, where everything is rounding. */
static const double largest_weight = 1e4;

struct thud_anderson {
  thud_context *context;
  thud_index n, memory;
  thud_index used, next; /* columns in use, column to overwrite */
  bool has_previous;
  bool is_fallback;                /* the point at hand is the plain step from the best one */
  double best;                     /* smallest |f| since the reset */
  thud_index idle;                 /* steps since best was lowered */
  thud_index plain, rest;          /* plain steps still to take; how many the next time */
  double *dF, *dT;                 /* [memory*n] by columns */
  double *previous_f, *previous_t; /* [n] t holds t + f */
  double *fallback;                /* [n] t + f at the best point */
  double *gram, *weights;          /* [memory^2], [memory] */
};

void thud_anderson_destroy(thud_anderson *a) {
  if (a == NULL) return;
  thud_context *context = a->context;
  thud_free(context, a->dF);
  thud_free(context, a->dT);
  thud_free(context, a->previous_f);
  thud_free(context, a->previous_t);
  thud_free(context, a->fallback);
  thud_free(context, a->gram);
  thud_free(context, a->weights);
  thud_free(context, a);
}

thud_error thud_anderson_create(thud_context *context, thud_index n, thud_index memory, thud_anderson **anderson) {
  thud_anderson *a = THUD_NEW(context, thud_anderson);
  if (a == NULL) return THUD_ERROR_MEMORY;
  size_t size = (size_t)n, columns = (size_t)memory;
  a->context = context;
  a->n = n;
  a->memory = memory;
  a->dF = THUD_NEW_ARRAY(context, double, columns *size);
  a->dT = THUD_NEW_ARRAY(context, double, columns *size);
  a->previous_f = THUD_NEW_ARRAY(context, double, size);
  a->previous_t = THUD_NEW_ARRAY(context, double, size);
  a->fallback = THUD_NEW_ARRAY(context, double, size);
  a->gram = THUD_NEW_ARRAY(context, double, columns *columns);
  a->weights = THUD_NEW_ARRAY(context, double, columns);
  if (a->dF == NULL || a->dT == NULL || a->previous_f == NULL || a->previous_t == NULL || a->fallback == NULL ||
      a->gram == NULL || a->weights == NULL) {
    thud_anderson_destroy(a);
    return THUD_ERROR_MEMORY;
  }
  thud_anderson_reset(a);
  *anderson = a;
  return THUD_OK;
}

static void forget_differences(thud_anderson *a) {
  a->used = a->next = 0;
  a->has_previous = a->is_fallback = false;
}

void thud_anderson_reset(thud_anderson *a) {
  forget_differences(a);
  a->best = INFINITY;
  a->idle = a->plain = 0;
  a->rest = patience;
}

static void store_differences(thud_anderson *a, const double *f, const double *image) {
  double *dF = a->dF + (size_t)a->next * (size_t)a->n, *dT = a->dT + (size_t)a->next * (size_t)a->n;
  for (thud_index i = 0; i < a->n; i++) {
    dF[i] = f[i] - a->previous_f[i];
    dT[i] = image[i] - a->previous_t[i];
  }
  a->next = (a->next + 1) % a->memory;
  if (a->used < a->memory) a->used++;
}

/* g by the normal equations with a small multiple of the identity; false when they cannot be factorised or say
 * nothing. */
static bool solve_weights(thud_anderson *a, const double *f) {
  thud_index k = a->used;
  double trace = 0;
  for (thud_index j = 0; j < k; j++) {
    const double *column = a->dF + (size_t)j * (size_t)a->n;
    for (thud_index i = j; i < k; i++)
      a->gram[(size_t)j * (size_t)k + (size_t)i] = thud_vector_dot(a->n, column, a->dF + (size_t)i * (size_t)a->n);
    a->weights[j] = thud_vector_dot(a->n, column, f);
    trace += a->gram[(size_t)j * (size_t)(k + 1)];
  }
  for (thud_index j = 0; j < k; j++) a->gram[(size_t)j * (size_t)(k + 1)] += regularisation * trace + DBL_MIN;
  if (thud_dense_cholesky(NULL, k, a->gram, NULL) != THUD_OK) return false;
  thud_dense_solve_lower(k, a->gram, false, a->weights);
  thud_dense_solve_lower(k, a->gram, true, a->weights);
  return thud_vector_max(k, a->weights) <= largest_weight;
}

/* Back to the best point, forgetting the way from there. */
static void give_up(thud_anderson *a, double *t) {
  memcpy(t, a->fallback, (size_t)a->n * sizeof *t);
  forget_differences(a);
  a->is_fallback = true;
}

void thud_anderson_step(thud_anderson *a, const double *f, double *t) {
  size_t bytes = (size_t)a->n * sizeof *t;
  double size = thud_vector_norm(a->n, f);
  /* A plain step does not raise |f|: if it did, the best |f| was a rounding error, of a point far away. */
  if (a->is_fallback && size > a->best) a->best = size;
  a->is_fallback = false;
  if (a->plain == 0 && !(size <= safeguard * a->best)) {
    give_up(a, t);
    return;
  }
  for (thud_index i = 0; i < a->n; i++) t[i] += f[i];
  a->idle++;
  if (size < a->best) {
    a->best = size;
    a->idle = 0;
    memcpy(a->fallback, t, bytes);
  }
  if (a->plain > 0) {
    a->plain--;
    return;
  }
  if (a->idle >= patience) {
    give_up(a, t);
    a->plain = a->rest;
    a->rest *= 2;
    a->idle = 0;
    return;
  }
  if (a->has_previous) store_differences(a, f, t);
  memcpy(a->previous_f, f, bytes);
  memcpy(a->previous_t, t, bytes);
  a->has_previous = true;
  if (a->used == 0 || !solve_weights(a, f)) return;
  for (thud_index j = 0; j < a->used; j++) {
    const double *dT = a->dT + (size_t)j * (size_t)a->n;
    for (thud_index i = 0; i < a->n; i++) t[i] -= a->weights[j] * dT[i];
  }
}
