/* Moreau's unqualified point: three unilateral constraints phi_i(q) <= 0 meet at q = 0,
 *   phi = (-q1, q1 - q2 q3, -q2 - q3),
 * and the first two gradients are opposite: no velocity leaves both constraints at once, and from v = (0, 2, -1) no
 * motion exists although v is admissible. thud names the constraints instead of computing something.
 *
 * Usage: qualification. Exit status: 0 the constraints are qualified, 1 they are not, 2 thud reported an error. */
#include <stdio.h>
#include <thud/thud.h>

enum { CONSTRAINTS = 3, DIMENSION = 3 };

/* Row-major [CONSTRAINTS x DIMENSION]: row i is the gradient of phi_i. */
static void gradients_at(const double *q, double *gradients) {
  const double rows[CONSTRAINTS * DIMENSION] = {
      -1, 0,     0,     /* phi_1 = -q1 */
      1,  -q[2], -q[1], /* phi_2 = q1 - q2 q3 */
      0,  -1,    -1,    /* phi_3 = -q2 - q3 */
  };
  for (int k = 0; k < CONSTRAINTS * DIMENSION; k++) gradients[k] = rows[k];
}

static void print_result(const thud_qualification_info *info, const double *certificate) {
  static const char *const names[] = {"qualified", "rank deficient", "unqualified"};
  printf("%s: rank %d of %d gradients, margin %.3g\n", names[info->qualification], (int)info->rank, CONSTRAINTS,
         info->margin);
  if (info->qualification != THUD_UNQUALIFIED) return;
  printf("positively dependent constraints:");
  for (int i = 0; i < CONSTRAINTS; i++)
    if (certificate[i] > 0) printf(" %d (weight %g)", i + 1, certificate[i]);
  printf("\n");
}

int main(void) {
  const double tolerance = 1e-10; /* relative: below it a margin counts as 0 */
  const double q[DIMENSION] = {0, 0, 0};
  double gradients[CONSTRAINTS * DIMENSION], certificate[CONSTRAINTS];
  thud_qualification_info info;
  thud_context *context = NULL;
  int status = 2;
  thud_error error = thud_context_create(NULL, &context);
  if (error != THUD_OK) {
    fprintf(stderr, "qualification: %s\n", thud_error_text(error));
    return status;
  }
  gradients_at(q, gradients);
  /* NULL: the Euclidean metric, here the kinetic metric of a unit mass. */
  error = thud_qualification_test(context, NULL, CONSTRAINTS, DIMENSION, gradients, tolerance, &info, certificate);
  if (error == THUD_OK) {
    print_result(&info, certificate);
    status = info.qualification == THUD_UNQUALIFIED ? 1 : 0;
  } else {
    fprintf(stderr, "qualification: %s\n", thud_context_last_message(context));
  }
  thud_context_destroy(context);
  return status;
}
