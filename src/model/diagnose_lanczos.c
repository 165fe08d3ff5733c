/* The largest eigenvalue of an operator by Lanczos' method with full reorthogonalisation: Ritz values lie below the
 * true ones, so that the product of those of a matrix and of its inverse is a lower bound of the condition number. */
#include "model/diagnose.h"

#include "base/base.h"
#include "thud/linalg.h"

#include <string.h>

typedef struct lanczos {
  thud_context *context;
  size_t n, steps;
  double *basis;       /* [steps][n] */
  double *next;        /* [n] */
  double *tridiagonal; /* [steps*steps] */
  double *eigenvalues; /* [steps] */
} lanczos;

static void end_lanczos(thud_context *context, lanczos *l) {
  thud_free(context, l->basis);
  thud_free(context, l->next);
  thud_free(context, l->tridiagonal);
  thud_free(context, l->eigenvalues);
}

static thud_error begin_lanczos(thud_context *context, size_t n, lanczos *l) {
  size_t steps = n < MODEL_LANCZOS_STEPS ? n : MODEL_LANCZOS_STEPS;
  *l = (lanczos){.context = context,
                 .n = n,
                 .steps = steps,
                 .basis = THUD_NEW_ARRAY(context, double, steps *n),
                 .next = THUD_NEW_ARRAY(context, double, n),
                 .tridiagonal = THUD_NEW_ARRAY(context, double, steps *steps),
                 .eigenvalues = THUD_NEW_ARRAY(context, double, steps)};
  if (l->basis != NULL && l->next != NULL && l->tridiagonal != NULL && l->eigenvalues != NULL) return THUD_OK;
  end_lanczos(context, l);
  return THUD_ERROR_MEMORY;
}

/* Twice is enough (Parlett). */
static void reorthogonalise(const lanczos *l, size_t count) {
  for (int pass = 0; pass < 2; pass++)
    for (size_t k = 0; k < count; k++) {
      const double *q = l->basis + k * l->n;
      double share = thud_dot(l->context, l->n, q, l->next);
      for (size_t i = 0; i < l->n; i++) l->next[i] -= share * q[i];
    }
}

/* The largest Ritz value after at most l->steps steps from a vector that does not depend on anything. */
static thud_error largest_ritz_value(thud_context *context, lanczos *l, model_apply apply, void *user, double *value) {
  size_t n = l->n, done = 0, width = l->steps;
  thud_random random = thud_random_seed(1);
  for (size_t i = 0; i < n; i++) l->next[i] = thud_random_uniform(&random, -1, 1);
  memset(l->tridiagonal, 0, width * width * sizeof *l->tridiagonal);
  double size = thud_norm2(context, n, l->next);
  while (done < l->steps) {
    double *q = l->basis + done * n;
    for (size_t i = 0; i < n; i++) q[i] = l->next[i] / size;
    thud_error error = apply(user, q, l->next);
    if (error != THUD_OK) return error;
    double scale = thud_norm2(context, n, l->next);
    l->tridiagonal[done * width + done] = thud_dot(context, n, q, l->next);
    reorthogonalise(l, ++done);
    size = thud_norm2(context, n, l->next);
    if (!(size > 1e-13 * scale)) break; /* an invariant space */
    if (done < l->steps) l->tridiagonal[(done - 1) * width + done] = l->tridiagonal[done * width + done - 1] = size;
  }
  for (size_t i = 0; i < done; i++) /* the leading part, closely packed */
    memmove(l->tridiagonal + i * done, l->tridiagonal + i * width, done * sizeof *l->tridiagonal);
  thud_error error = thud_dense_eigen_symmetric(context, (thud_index)done, l->tridiagonal, l->eigenvalues, NULL);
  if (error == THUD_OK) *value = l->eigenvalues[done - 1];
  return error;
}

thud_error thud_model_condition(thud_context *context, size_t n, model_apply apply, model_apply inverse, void *user,
                                double *condition) {
  lanczos l;
  double largest = 0, of_inverse = 0;
  thud_error error = begin_lanczos(context, n, &l);
  if (error != THUD_OK) return error;
  error = largest_ritz_value(context, &l, apply, user, &largest);
  if (error == THUD_OK) error = largest_ritz_value(context, &l, inverse, user, &of_inverse);
  end_lanczos(context, &l);
  *condition = largest * of_inverse;
  return error;
}
