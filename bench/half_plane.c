/* Products with the matrices of a half-plane on equal elements: time of a product over that of its four transforms, and
 * a punch of n elements solved by iteration. No matrix is stored. CSV on standard output; sizes may be given. */
#include "linalg/fft.h"
#include "thud/half_plane.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct bench {
  thud_context *context;
  thud_half_plane *plane;
  thud_index n;
  double *edges, *p, *q, *u, *v;
} bench;

static void stop(const char *what) {
  fprintf(stderr, "bench_half_plane: %s\n", what);
  exit(1);
}

static double *room(size_t count) {
  double *made = calloc(count, sizeof(double));
  if (made == NULL) stop("out of memory");
  return made;
}

static void begin(bench *b, thud_index n) {
  const thud_half_plane_material material = {.modulus = 2, .coupling = 0.2};
  size_t count = (size_t)n;
  *b =
      (bench){.n = n, .edges = room(count + 1), .p = room(count), .q = room(count), .u = room(count), .v = room(count)};
  for (size_t i = 0; i < count; i++) b->p[i] = 1 + sin(0.1 * (double)i), b->q[i] = cos(0.3 * (double)i);
  if (thud_context_create(NULL, &b->context) != THUD_OK ||
      thud_half_plane_fill_mesh(b->context, THUD_HALF_PLANE_UNIFORM, n, -1, 1, b->edges) != THUD_OK ||
      thud_half_plane_create(b->context, &material, n, b->edges, 0, &b->plane) != THUD_OK)
    stop("no half-plane");
}

/* Seconds of one product; the least of several. */
static double time_product(bench *b, int times) {
  double least = INFINITY;
  for (int k = 0; k < times; k++) {
    double start = now();
    if (thud_half_plane_displace(b->plane, b->p, b->q, b->u, b->v) != THUD_OK) stop("no product");
    least = fmin(least, now() - start);
  }
  return least;
}

/* Seconds of two transforms forward and two backward of the circle that belongs to n elements. */
static double time_transforms(bench *b, int times) {
  size_t size = thud_fft_good_size(2 * (size_t)b->n);
  thud_fft *fft = NULL;
  double *line = room(size), *spectrum = room(size + 2), least = INFINITY;
  if (thud_fft_create(b->context, size, &fft) != THUD_OK) stop("no transform");
  for (size_t i = 0; i < size; i++) line[i] = sin(0.7 * (double)i);
  for (int k = 0; k < times; k++) {
    double start = now();
    for (int j = 0; j < 2; j++) {
      thud_fft_forward(fft, line, spectrum);
      thud_fft_backward(fft, spectrum, line);
    }
    least = fmin(least, now() - start);
  }
  thud_fft_destroy(fft);
  free(line);
  free(spectrum);
  return least;
}

/* A parabola without friction, from a guess that touches everywhere: seconds and sweeps. */
static double time_punch(bench *b, int *sweeps) {
  const thud_punch_profile parabola = {.shape = THUD_PUNCH_PARABOLA, .size = 1};
  thud_punch *punch = NULL;
  thud_punch_result result;
  for (thud_index i = 0; i < b->n; i++) b->u[i] = thud_half_plane_middle(b->plane, i);
  if (thud_punch_profile_evaluate(b->context, &parabola, (size_t)b->n, b->u, b->v) != THUD_OK ||
      thud_punch_create(b->plane, b->v, NULL, &punch) != THUD_OK)
    stop("no punch");
  double start = now();
  if (thud_punch_load(punch, 1, 0, NULL, &result) != THUD_OK) stop(thud_context_last_message(b->context));
  *sweeps = result.sweeps;
  thud_punch_destroy(punch);
  return now() - start;
}

static void end(bench *b) {
  thud_half_plane_destroy(b->plane);
  thud_context_destroy(b->context);
  free(b->edges);
  free(b->p);
  free(b->q);
  free(b->u);
  free(b->v);
}

int main(int count, char **arguments) {
  enum { MOST_PUNCH = 20000 };
  static const long sizes[] = {1000, 10000, 100000, 1000000};
  printf("elements,product_ms,transforms_ms,ratio,punch_s,sweeps\n");
  for (int k = 1; k < (count > 1 ? count : 5); k++) {
    bench b;
    int sweeps = 0;
    begin(&b, (thud_index)(count > 1 ? strtol(arguments[k], NULL, 10) : sizes[k - 1]));
    int times = b.n > 100000 ? 5 : 20;
    double product = time_product(&b, times), transforms = time_transforms(&b, times);
    printf("%d,%.4g,%.4g,%.3g,", (int)b.n, 1e3 * product, 1e3 * transforms, product / transforms);
    if (b.n <= MOST_PUNCH) {
      double seconds = time_punch(&b, &sweeps);
      printf("%.3g,%d\n", seconds, sweeps);
    } else
      printf(",\n");
    fflush(stdout);
    end(&b);
  }
  return 0;
}
