/* Work of membranes and plates: multigrid from 1e4 to 1e6 unknowns, active sets of plates up to 1e5. */
#include "thud/surface.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef struct problem {
  thud_mesh *mesh;
  thud_surface *surface;
  double *forces, *psi, *held, *v, *s;
} problem;

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double *numbers(thud_index count) {
  double *list = calloc((size_t)count, sizeof *list);
  if (list == NULL) exit(1);
  return list;
}

static void run(thud_context *context, thud_surface_kind kind, thud_index cells) {
  const thud_support clamped[4] = {THUD_SUPPORT_CLAMPED, THUD_SUPPORT_CLAMPED, THUD_SUPPORT_CLAMPED,
                                   THUD_SUPPORT_CLAMPED};
  problem p = {0};
  thud_surface_info info = {0};
  if (thud_mesh_rectangle(context, (double[]){0, 0, 1, 1}, (thud_index[]){cells, cells}, &p.mesh) != THUD_OK) exit(1);
  const thud_surface_definition definition = {.kind = kind,
                                              .mesh = p.mesh,
                                              .stiffness = 1,
                                              .supports = clamped,
                                              .method = kind == THUD_SURFACE_MEMBRANE ? THUD_SURFACE_MULTIGRID
                                                                                      : THUD_SURFACE_ACTIVE_SET};
  double start = seconds_now();
  if (thud_surface_create(context, &definition, &p.surface) != THUD_OK) {
    fprintf(stderr, "%s\n", thud_context_last_message(context));
    exit(1);
  }
  thud_index n = thud_surface_nodes(p.surface), freedoms = thud_surface_freedoms(p.surface);
  p.forces = numbers(n);
  p.psi = numbers(n);
  p.held = numbers(n);
  p.s = numbers(n);
  p.v = numbers(freedoms);
  double load = kind == THUD_SURFACE_MEMBRANE ? -20 : -4000;
  for (thud_index i = 0; i < n; i++) {
    const double *place = thud_mesh_get(p.mesh).xy + 2 * (ptrdiff_t)i;
    p.forces[i] = load * thud_surface_areas(p.surface)[i];
    p.psi[i] = -0.3 - 0.5 * hypot(place[0] - 0.4, place[1] - 0.6);
  }
  double made = seconds_now();
  if (thud_surface_solve_obstacle(p.surface, p.forces, p.psi, p.held, NULL, p.v, p.s, &info) != THUD_OK) exit(1);
  double solved = seconds_now();
  printf("%-9s %9d unknowns  %6.2f s set up  %7.2f s solved  %4d iterations  %7.1f visits per unknown  %6.2f us per "
         "unknown"
         "  residual %.1e%s\n",
         kind == THUD_SURFACE_MEMBRANE ? "membrane" : "plate", (int)freedoms, made - start, solved - made,
         info.iterations, info.work, 1e6 * (solved - made) / freedoms, info.residual,
         info.solved ? "" : "  NOT SOLVED");
  double *const arrays[] = {p.forces, p.psi, p.held, p.v, p.s};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) free(arrays[k]);
  thud_surface_destroy(p.surface);
  thud_mesh_destroy(p.mesh);
}

int main(void) {
  static const thud_index membranes[] = {96, 256, 512, 1024}, plates[] = {40, 80, 158};
  thud_context_options options = thud_context_options_default();
  thud_context *context = NULL;
  options.threads = 2;
  if (thud_context_create(&options, &context) != THUD_OK) return 1;
  for (size_t k = 0; k < sizeof membranes / sizeof *membranes; k++) run(context, THUD_SURFACE_MEMBRANE, membranes[k]);
  for (size_t k = 0; k < sizeof plates / sizeof *plates; k++) run(context, THUD_SURFACE_PLATE, plates[k]);
  thud_context_destroy(context);
  return 0;
}
