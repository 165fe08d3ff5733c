/* Random data and plain reference loops for the tests of linear algebra. All matrices column-major. */
#ifndef THUD_TEST_RANDOM_MATRICES_H
#define THUD_TEST_RANDOM_MATRICES_H

#include "thud/linalg.h"
#include "testing.h"

/* malloc that fails the test instead of returning NULL; count doubles, zeroed. */
double *thud_test_doubles(size_t count);

void thud_test_random_vector(thud_random *random, size_t n, double *x);
/* SPD B B' + shift I with B of standard normal entries: both triangles, exactly symmetric. */
void thud_test_random_spd(thud_random *random, thud_index n, double shift, double *A);
/* Orthogonal n x n by Gram and Schmidt, twice. */
void thud_test_random_orthogonal(thud_random *random, thud_index n, double *Q);
/* Q diag(values) Q' for a random orthogonal Q, exactly symmetric. */
void thud_test_random_with_eigenvalues(thud_random *random, thud_index n, const double *values, double *A);

/* y = A x or A' x, A m x n. */
void thud_test_multiply(thud_index m, thud_index n, const double *A, bool transposed, const double *x, double *y);
double thud_test_dot(size_t n, const double *x, const double *y);
double thud_test_max(size_t n, const double *x);
/* max |x_i - y_i| */
double thud_test_max_difference(size_t n, const double *x, const double *y);

#endif
