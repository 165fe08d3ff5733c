/* Discrete Fourier transforms of real sequences of any length; the products of Toeplitz matrices are made of them.
 * X_k = sum_j x_j exp(-2 pi i j k/n), k = 0..n/2; the others are conjugates of these. */
#ifndef THUD_SRC_LINALG_FFT_H
#define THUD_SRC_LINALG_FFT_H

#include "thud/base.h"

typedef struct thud_fft thud_fft;

/* Tables and room for sequences of n >= 1 numbers. With FFTW (THUD_WITH_FFTW) its transform, else thud's own. */
thud_error thud_fft_create(thud_context *context, size_t n, thud_fft **fft);
/* thud's own transform, also where FFTW is there. */
thud_error thud_fft_create_own(thud_context *context, size_t n, thud_fft **fft);
/* NULL is allowed. */
void thud_fft_destroy(thud_fft *fft);
size_t thud_fft_size(const thud_fft *fft);
/* spectrum[2 (n/2 + 1)]: real and imaginary parts in turn. real is not changed. */
void thud_fft_forward(thud_fft *fft, const double *real, double *spectrum);
/* real[n] = (1/n) sum over all k; imaginary parts of X_0 and (n even) X_{n/2} count as 0. spectrum is not changed. */
void thud_fft_backward(thud_fft *fft, const double *spectrum, double *real);
/* The smallest even number >= n whose prime factors are 2, 3 and 5; 0 when there is none in a size_t. */
size_t thud_fft_good_size(size_t n);

#endif
