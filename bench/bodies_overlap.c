/* How deep shapes overlap, from where they are alone: centres for round ones, separating axes for cubes and squares. */
#include "bodies_judge.h"

#include <math.h>
#include <stdlib.h>

/* Columns: the axes of the body in the world. */
static void axes_of(const double *q, double axes[3][3]) {
  double w = q[0], x = q[1], y = q[2], z = q[3];
  axes[0][0] = 1 - 2 * (y * y + z * z), axes[0][1] = 2 * (x * y + w * z), axes[0][2] = 2 * (x * z - w * y);
  axes[1][0] = 2 * (x * y - w * z), axes[1][1] = 1 - 2 * (x * x + z * z), axes[1][2] = 2 * (y * z + w * x);
  axes[2][0] = 2 * (x * z + w * y), axes[2][1] = 2 * (y * z - w * x), axes[2][2] = 1 - 2 * (x * x + y * y);
}

static double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static int is_round(const bench_scene *scene) { return scene->shape == BENCH_BALL || scene->shape == BENCH_DISC; }

/* Half of the extent of the shape along a unit vector; `dimensions` axes of it count. */
static double extent(const bench_scene *scene, double axes[3][3], const double *along) {
  double sum = 0;
  for (int i = 0; i < (scene->planar ? 2 : 3); i++) sum += fabs(dot(axes[i], along));
  return scene->half * sum;
}

static double overlap_along(const bench_scene *scene, double a[3][3], double b[3][3], const double *d,
                            const double *along) {
  return extent(scene, a, along) + extent(scene, b, along) - fabs(dot(d, along));
}

/* The least translation that separates two boxes is along a face normal of one or across an edge of each (Gottschalk,
 * Lin and Manocha 1996); edges that are nearly parallel give no axis that the faces do not. */
static double box_overlap(const bench_scene *scene, const bench_state *p, const bench_state *q, const double *d) {
  double a[3][3], b[3][3], least = INFINITY;
  int dimensions = scene->planar ? 2 : 3;
  axes_of(p->rotation, a);
  axes_of(q->rotation, b);
  for (int i = 0; i < dimensions; i++)
    least = fmin(least, fmin(overlap_along(scene, a, b, d, a[i]), overlap_along(scene, a, b, d, b[i])));
  for (int i = 0; i < 9 && !scene->planar && least > 0; i++) {
    const double *s = a[i / 3], *t = b[i % 3];
    double n[3] = {s[1] * t[2] - s[2] * t[1], s[2] * t[0] - s[0] * t[2], s[0] * t[1] - s[1] * t[0]};
    double size = sqrt(dot(n, n));
    if (size < 1e-3) continue;
    for (int k = 0; k < 3; k++) n[k] /= size;
    least = fmin(least, overlap_along(scene, a, b, d, n));
  }
  return least;
}

static double pair_overlap(const bench_scene *scene, const bench_state *p, const bench_state *q) {
  double d[3], reach = 2 * scene->half * (is_round(scene) ? 1 : sqrt(3));
  for (int i = 0; i < 3; i++) d[i] = p->position[i] - q->position[i];
  double distance = sqrt(dot(d, d));
  if (distance >= reach) return 0;
  return is_round(scene) ? reach - distance : box_overlap(scene, p, q, d);
}

static double plane_overlap(const bench_scene *scene, const bench_state *p, const bench_plane *plane) {
  double axes[3][3], half = scene->half;
  if (!is_round(scene)) {
    axes_of(p->rotation, axes);
    half = extent(scene, axes, plane->normal);
  }
  return half + plane->offset - dot(p->position, plane->normal);
}

/* Bodies sorted into cells as wide as they can reach; a chain in each cell. */
typedef struct cells {
  double width, low[3];
  long size[3];
  long *first, *next;
} cells;

static long cell_of(const cells *grid, const double *position, int axis) {
  return (long)floor((position[axis] - grid->low[axis]) / grid->width);
}

static int fill_cells(const bench_scene *scene, const bench_state *states, cells *grid) {
  double high[3];
  grid->width = 2 * scene->half * sqrt(3);
  for (int i = 0; i < 3; i++) {
    grid->low[i] = INFINITY, high[i] = -INFINITY;
    for (size_t k = 0; k < scene->count; k++) {
      grid->low[i] = fmin(grid->low[i], states[k].position[i]);
      high[i] = fmax(high[i], states[k].position[i]);
    }
    grid->size[i] = (long)fmin(floor((high[i] - grid->low[i]) / grid->width), 1e3) + 1; /* beyond: the last cell */
  }
  size_t total = (size_t)(grid->size[0] * grid->size[1] * grid->size[2]);
  grid->first = malloc(total * sizeof *grid->first);
  grid->next = malloc(scene->count * sizeof *grid->next);
  if (grid->first == NULL || grid->next == NULL) return -1;
  for (size_t k = 0; k < total; k++) grid->first[k] = -1;
  for (size_t k = 0; k < scene->count; k++) {
    long number = 0;
    for (int i = 2; i >= 0; i--)
      number =
          number * grid->size[i] + (long)fmin((double)cell_of(grid, states[k].position, i), (double)grid->size[i] - 1);
    grid->next[k] = grid->first[number];
    grid->first[number] = (long)k;
  }
  return 0;
}

/* With the bodies of lower number in the 27 cells around. */
static double overlap_around(const bench_scene *scene, const bench_state *states, const cells *grid, size_t k) {
  double worst = 0;
  long at[3];
  for (int i = 0; i < 3; i++)
    at[i] = (long)fmin((double)cell_of(grid, states[k].position, i), (double)grid->size[i] - 1);
  for (int n = 0; n < 27; n++) {
    long x = at[0] + n % 3 - 1, y = at[1] + n / 3 % 3 - 1, z = at[2] + n / 9 - 1;
    if (x < 0 || y < 0 || z < 0 || x >= grid->size[0] || y >= grid->size[1] || z >= grid->size[2]) continue;
    for (long j = grid->first[(z * grid->size[1] + y) * grid->size[0] + x]; j >= 0; j = grid->next[j])
      if ((size_t)j < k) worst = fmax(worst, pair_overlap(scene, &states[k], &states[j]));
  }
  return worst;
}

double bench_judge_overlap(const bench_scene *scene, const bench_state *states) {
  double worst = 0;
  cells grid = {0};
  if (fill_cells(scene, states, &grid) != 0) worst = -1;
  for (size_t k = 0; k < scene->count && worst >= 0; k++) {
    worst = fmax(worst, overlap_around(scene, states, &grid, k));
    for (int i = 0; i < scene->plane_count; i++)
      worst = fmax(worst, plane_overlap(scene, &states[k], &scene->planes[i]));
  }
  free(grid.first);
  free(grid.next);
  return worst;
}
