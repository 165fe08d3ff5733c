/* Real transforms by complex ones of half the length (even n), and these by Stockham's passes of mixed radix: with
 * m = s r l points, s of them done, a pass of radix r is
 *
 *   y[q + s (r p + j)] = w_(r l)^(p j) sum_k x[q + s (p + l k)] w_r^(j k),   w_n = exp(-2 pi i/n), p < l, q < s,
 *
 * which sorts on the way, so that no digits are reversed. Radices 2, 3 and 4 are written out; every other prime factor
 * p costs p^2. With FFTW (under the GPL) its plans do the same. */
#include "linalg/fft.h"
#include "base/base.h"

#include <math.h>
#include <string.h>

#ifdef THUD_WITH_FFTW
#include <fftw3.h>
#include <pthread.h>

/* FFTW's planner is one for the whole process and takes one caller at a time. */
static pthread_mutex_t planner = PTHREAD_MUTEX_INITIALIZER;
#endif

enum { MOST_FACTORS = 64, WRITTEN_OUT = 4 };

typedef struct number {
  double re, im;
} number;

struct thud_fft {
  thud_context *context;
  size_t n; /* real numbers */
  size_t m; /* length of the complex transform: n/2 or, odd n, n */
  size_t factor_count;
  size_t factors[MOST_FACTORS]; /* of m */
  number *roots;                /* [m] w_m^k */
  number *twist;                /* [m/2 + 1] w_n^k, even n */
  number *work[2];              /* [m] each */
  size_t largest;               /* of the factors */
  number *terms;                /* [2 largest] operands of a butterfly, and its sums */
#ifdef THUD_WITH_FFTW
  fftw_plan forward, backward;
  double *fftw_real;
  fftw_complex *fftw_spectrum;
#endif
};

static number add(number a, number b) { return (number){a.re + b.re, a.im + b.im}; }
static number subtract(number a, number b) { return (number){a.re - b.re, a.im - b.im}; }
static number multiply(number a, number b) { return (number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
/* -i a */
static number turn(number a) { return (number){a.im, -a.re}; }

/* ---- complex transforms ------------------------------------------------------------------------------- */

static void factorize(thud_fft *fft) {
  static const size_t first[] = {4, 2, 3, 5};
  size_t rest = fft->m;
  fft->largest = 1;
  for (size_t k = 0; k < sizeof first / sizeof *first; k++)
    for (; rest % first[k] == 0; rest /= first[k]) fft->factors[fft->factor_count++] = first[k];
  for (size_t p = 7; rest > 1; p += 2) {
    if (p > rest / p) p = rest;
    for (; rest % p == 0; rest /= p) fft->factors[fft->factor_count++] = p;
  }
  for (size_t k = 0; k < fft->factor_count; k++)
    if (fft->factors[k] > fft->largest) fft->largest = fft->factors[k];
}

/* w_n^k, correctly rounded but for rare cases. */
static number root(size_t k, size_t n) {
  long double angle = 2 * 3.14159265358979323846264338327950288L * (long double)k / (long double)n;
  return (number){(double)cosl(angle), (double)-sinl(angle)};
}

/* a[k] = sum_j a[j] w_r^(jk) in place. */
static void butterfly(const thud_fft *fft, size_t r, number *a) {
  if (r == 2) {
    number first = a[0];
    a[0] = add(first, a[1]);
    a[1] = subtract(first, a[1]);
  } else if (r == 3) {
    number sum = add(a[1], a[2]), difference = subtract(a[1], a[2]);
    const double half_root = 0.86602540378443864676;
    number middle = {a[0].re - 0.5 * sum.re, a[0].im - 0.5 * sum.im};
    number side = turn((number){half_root * difference.re, half_root * difference.im});
    a[0] = add(a[0], sum);
    a[1] = add(middle, side);
    a[2] = subtract(middle, side);
  } else if (r == 4) {
    number even = add(a[0], a[2]), odd = add(a[1], a[3]);
    number even_side = subtract(a[0], a[2]), odd_side = turn(subtract(a[1], a[3]));
    a[0] = add(even, odd);
    a[1] = add(even_side, odd_side);
    a[2] = subtract(even, odd);
    a[3] = subtract(even_side, odd_side);
  } else if (r > WRITTEN_OUT) {
    size_t step = fft->m / r;
    for (size_t j = 0; j < r; j++) {
      number sum = a[0];
      for (size_t k = 1; k < r; k++) sum = add(sum, multiply(a[k], fft->roots[j * k % r * step]));
      fft->terms[fft->largest + j] = sum;
    }
    memcpy(a, fft->terms + fft->largest, r * sizeof *a);
  }
}

static void pass(const thud_fft *fft, size_t r, size_t s, const number *x, number *y) {
  number *a = fft->terms;
  size_t l = fft->m / (s * r);
  for (size_t p = 0; p < l; p++)
    for (size_t q = 0; q < s; q++) {
      for (size_t k = 0; k < r; k++) a[k] = x[q + s * (p + l * k)];
      butterfly(fft, r, a);
      y[q + s * r * p] = a[0];
      for (size_t j = 1; j < r; j++) y[q + s * (r * p + j)] = multiply(a[j], fft->roots[p * j * s]);
    }
}

/* Transforms work[0]; the answer is in the array that is returned. */
static number *transform(thud_fft *fft) {
  number *from = fft->work[0], *to = fft->work[1];
  size_t s = 1;
  for (size_t k = 0; k < fft->factor_count; k++) {
    pass(fft, fft->factors[k], s, from, to);
    s *= fft->factors[k];
    number *swap = from;
    from = to;
    to = swap;
  }
  return from;
}

/* ---- real transforms ---------------------------------------------------------------------------------- */

/* z_j = x_2j + i x_(2j+1) has Z_k = E_k + i O_k; X_k = E_k + w_n^k O_k with E and O, the transforms of the even and the
 * odd numbers, from Z_k and the conjugate of Z_(m-k). */
static void forward_even(thud_fft *fft, const double *real, number *X) {
  size_t m = fft->m;
  for (size_t j = 0; j < m; j++) fft->work[0][j] = (number){real[2 * j], real[2 * j + 1]};
  const number *Z = transform(fft);
  for (size_t k = 0; k <= m / 2; k++) {
    number a = Z[k % m], b = {Z[(m - k) % m].re, -Z[(m - k) % m].im};
    number even = {0.5 * (a.re + b.re), 0.5 * (a.im + b.im)};
    number odd = multiply(turn((number){0.5 * (a.re - b.re), 0.5 * (a.im - b.im)}), fft->twist[k]);
    X[k] = add(even, odd);
    number mirror = subtract(even, odd);
    X[m - k] = (number){mirror.re, -mirror.im};
  }
  X[0].im = X[m].im = 0;
}

static void forward_odd(thud_fft *fft, const double *real, number *X) {
  for (size_t j = 0; j < fft->n; j++) fft->work[0][j] = (number){real[j], 0};
  memcpy(X, transform(fft), (fft->n / 2 + 1) * sizeof *X);
  X[0].im = 0;
}

/* The inverse by a forward transform of conjugates: x = conj(F(conj X))/n. */
static void backward_even(thud_fft *fft, const number *X, double *real) {
  size_t m = fft->m;
  for (size_t k = 0; k < m; k++) {
    number a = X[k], b = {X[m - k].re, -X[m - k].im};
    if (k == 0) a.im = b.im = 0;
    number even = {0.5 * (a.re + b.re), 0.5 * (a.im + b.im)};
    size_t place = k <= m / 2 ? k : m - k; /* w_n^-k = -conj(w_n^-(m-k)) */
    number back = {k <= m / 2 ? fft->twist[place].re : -fft->twist[place].re, -fft->twist[place].im};
    number odd = multiply((number){0.5 * (a.re - b.re), 0.5 * (a.im - b.im)}, back);
    fft->work[0][k] = (number){even.re - odd.im, -(even.im + odd.re)};
  }
  const number *z = transform(fft);
  for (size_t j = 0; j < m; j++) {
    real[2 * j] = z[j].re / (double)m;
    real[2 * j + 1] = -z[j].im / (double)m;
  }
}

static void backward_odd(thud_fft *fft, const number *X, double *real) {
  size_t n = fft->n;
  fft->work[0][0] = (number){X[0].re, 0};
  for (size_t k = 1; k <= n / 2; k++) {
    fft->work[0][k] = (number){X[k].re, -X[k].im};
    fft->work[0][n - k] = X[k];
  }
  const number *x = transform(fft);
  for (size_t j = 0; j < n; j++) real[j] = x[j].re / (double)n;
}

/* ---- life --------------------------------------------------------------------------------------------- */

#ifdef THUD_WITH_FFTW
/* Plans are estimated, not measured: the same plan, and so the same bits, in every run. */
static thud_error create_fftw(thud_fft *fft) {
  if (fft->n > INT32_MAX) return thud_fail(fft->context, THUD_ERROR_OVERFLOW, "a transform of %zu numbers", fft->n);
  int n = (int)fft->n;
  fft->fftw_real = fftw_alloc_real(fft->n);
  fft->fftw_spectrum = fftw_alloc_complex(fft->n / 2 + 1);
  pthread_mutex_lock(&planner);
  if (fft->fftw_real != NULL && fft->fftw_spectrum != NULL) {
    fft->forward = fftw_plan_dft_r2c_1d(n, fft->fftw_real, fft->fftw_spectrum, FFTW_ESTIMATE);
    fft->backward = fftw_plan_dft_c2r_1d(n, fft->fftw_spectrum, fft->fftw_real, FFTW_ESTIMATE);
  }
  pthread_mutex_unlock(&planner);
  if (fft->forward != NULL && fft->backward != NULL) return THUD_OK;
  return thud_fail(fft->context, THUD_ERROR_MEMORY, "FFTW: no memory for a transform of %zu numbers", fft->n);
}

static void destroy_fftw(thud_fft *fft) {
  pthread_mutex_lock(&planner);
  if (fft->forward != NULL) fftw_destroy_plan(fft->forward);
  if (fft->backward != NULL) fftw_destroy_plan(fft->backward);
  pthread_mutex_unlock(&planner);
  fftw_free(fft->fftw_real);
  fftw_free(fft->fftw_spectrum);
}
#endif

static thud_error create_tables(thud_fft *fft) {
  fft->m = fft->n % 2 == 0 ? fft->n / 2 : fft->n;
  size_t m = fft->m;
  factorize(fft);
  fft->roots = THUD_NEW_ARRAY(fft->context, number, m);
  fft->twist = THUD_NEW_ARRAY(fft->context, number, m / 2 + 1);
  fft->work[0] = THUD_NEW_ARRAY(fft->context, number, m);
  fft->work[1] = THUD_NEW_ARRAY(fft->context, number, m);
  fft->terms = THUD_NEW_ARRAY(fft->context, number, 2 * fft->largest);
  if (fft->roots == NULL || fft->twist == NULL || fft->work[0] == NULL || fft->work[1] == NULL || fft->terms == NULL)
    return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < m; k++) fft->roots[k] = root(k, m);
  for (size_t k = 0; k <= m / 2; k++) fft->twist[k] = root(k, fft->n);
  return THUD_OK;
}

static thud_error create(thud_context *context, size_t n, bool own, thud_fft **fft) {
  if (n == 0) return thud_fail(context, THUD_ERROR_ARGUMENT, "a transform of 0 numbers; at least 1 is needed");
  thud_fft *made = THUD_NEW(context, thud_fft);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->context = context;
  made->n = n;
  thud_error error = THUD_OK;
#ifdef THUD_WITH_FFTW
  if (!own) error = create_fftw(made);
  if (own)
#endif
    error = create_tables(made);
  (void)own;
  if (error == THUD_OK)
    *fft = made;
  else
    thud_fft_destroy(made);
  return error;
}

thud_error thud_fft_create(thud_context *context, size_t n, thud_fft **fft) { return create(context, n, false, fft); }
thud_error thud_fft_create_own(thud_context *context, size_t n, thud_fft **fft) {
  return create(context, n, true, fft);
}

void thud_fft_destroy(thud_fft *fft) {
  if (fft == NULL) return;
#ifdef THUD_WITH_FFTW
  destroy_fftw(fft);
#endif
  thud_free(fft->context, fft->roots);
  thud_free(fft->context, fft->twist);
  thud_free(fft->context, fft->work[0]);
  thud_free(fft->context, fft->work[1]);
  thud_free(fft->context, fft->terms);
  thud_free(fft->context, fft);
}

size_t thud_fft_size(const thud_fft *fft) { return fft->n; }

void thud_fft_forward(thud_fft *fft, const double *real, double *spectrum) {
#ifdef THUD_WITH_FFTW
  if (fft->forward != NULL) {
    memcpy(fft->fftw_real, real, fft->n * sizeof *real);
    fftw_execute(fft->forward);
    memcpy(spectrum, fft->fftw_spectrum, 2 * (fft->n / 2 + 1) * sizeof *spectrum);
    return;
  }
#endif
  if (fft->n % 2 == 0)
    forward_even(fft, real, (number *)(void *)spectrum);
  else
    forward_odd(fft, real, (number *)(void *)spectrum);
}

void thud_fft_backward(thud_fft *fft, const double *spectrum, double *real) {
#ifdef THUD_WITH_FFTW
  if (fft->backward != NULL) {
    memcpy(fft->fftw_spectrum, spectrum, 2 * (fft->n / 2 + 1) * sizeof *spectrum);
    fftw_execute(fft->backward);
    for (size_t j = 0; j < fft->n; j++) real[j] = fft->fftw_real[j] / (double)fft->n;
    return;
  }
#endif
  if (fft->n % 2 == 0)
    backward_even(fft, (const number *)(const void *)spectrum, real);
  else
    backward_odd(fft, (const number *)(const void *)spectrum, real);
}

size_t thud_fft_good_size(size_t n) {
  for (size_t size = n + n % 2 > 2 ? n + n % 2 : 2; size >= n && size > 0; size += 2) {
    size_t rest = size;
    while (rest % 2 == 0) rest /= 2;
    while (rest % 3 == 0) rest /= 3;
    while (rest % 5 == 0) rest /= 5;
    if (rest == 1) return size;
  }
  return 0;
}
