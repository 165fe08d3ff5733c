#include "quad_scenes.h"

#include "testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- formulas ---------------------------------------------------------------------------------------------------- */

typedef struct maker {
  thud_random *random;
  quad_scene *scene;
  quad_pool *pool;
} maker;

static double between(const maker *m, double low, double high) { return thud_random_uniform(m->random, low, high); }
static bool chance(const maker *m, double part) { return between(m, 0, 1) < part; }
static int number(const maker *m, double value) { return thud_quad_constant(m->pool, value); }
static int some(const maker *m, double low, double high) { return number(m, between(m, low, high)); }
static int position(const maker *m, int i) { return thud_quad_variable(m->pool, 1 + i); }
static int any(const maker *m) { return (int)thud_random_below(m->random, (uint32_t)m->scene->n); }
static int both(const maker *m, quad_op op, int a, int b) { return thud_quad_apply(m->pool, op, a, b); }
static int one(const maker *m, quad_op op, int a) { return thud_quad_apply(m->pool, op, a, -1); }
static int square(const maker *m, int a) { return both(m, QUAD_MULTIPLY, a, a); }
static int scaled(const maker *m, double factor, int a) { return both(m, QUAD_MULTIPLY, number(m, factor), a); }
static int opposite(const maker *m, int a) { return both(m, QUAD_SUBTRACT, number(m, 0), a); }

/* (x - place) w */
static int zoomed(const maker *m, int x, double place, double w) {
  return both(m, QUAD_MULTIPLY, both(m, QUAD_SUBTRACT, x, number(m, place)), number(m, w));
}

static int pulse(const maker *m, int x, double place, double w) {
  return one(m, QUAD_EXP, opposite(m, square(m, zoomed(m, x, place, w))));
}

/* 10^0 to 10^most */
static double width(const maker *m, double most) { return pow(10, between(m, 0, most)); }

/* Positive functions of the coordinates, about 1. */
static int mass(const maker *m) {
  int x = position(m, any(m));
  switch (thud_random_below(m->random, 5)) {
  case 0: return both(m, QUAD_ADD, number(m, 1), scaled(m, between(m, -0.4, 0.4), one(m, QUAD_SIN, x)));
  case 1: return both(m, QUAD_DIVIDE, number(m, 1.5), both(m, QUAD_ADD, number(m, 1), scaled(m, 0.2, square(m, x))));
  case 2: return both(m, QUAD_ADD, number(m, 1.2), scaled(m, between(m, -0.5, 0.5), one(m, QUAD_TANH, x)));
  default: return some(m, 0.5, 2);
  }
}

static int potential_term(const maker *m) {
  int x = position(m, any(m)), y = position(m, any(m));
  switch (thud_random_below(m->random, 6)) {
  case 0: return scaled(m, between(m, 0.5, 10), square(m, x));
  case 1: return scaled(m, between(m, -2, 2), one(m, QUAD_SIN, scaled(m, between(m, 0.5, 4), x)));
  case 2: return scaled(m, between(m, -0.5, 0.5), both(m, QUAD_MULTIPLY, x, y));
  case 3: return both(m, QUAD_DIVIDE, some(m, -1, 1), both(m, QUAD_ADD, number(m, 1), square(m, x)));
  case 4: return one(m, QUAD_EXP, scaled(m, between(m, -0.5, 0.5), both(m, QUAD_ADD, x, y)));
  default: return scaled(m, between(m, 1, 10), x); /* weight */
  }
}

static int force_term(const maker *m, int i) {
  int t = thud_quad_variable(m->pool, 0), v = thud_quad_variable(m->pool, 1 + QUAD_COORDINATES + i);
  switch (thud_random_below(m->random, 6)) {
  case 0: return scaled(m, between(m, -3, 3), pulse(m, t, between(m, 0, 2), width(m, 2.5)));
  case 1: return scaled(m, between(m, -3, 3), one(m, QUAD_COS, scaled(m, between(m, 0.5, 9), t)));
  case 2: return scaled(m, between(m, -1, 1), one(m, QUAD_TANH, zoomed(m, t, between(m, 0, 2), width(m, 2))));
  case 3: return scaled(m, between(m, -0.4, 0), v);
  case 4: return both(m, QUAD_MULTIPLY, t, both(m, QUAD_SUBTRACT, some(m, -1, 1), t));
  default: return scaled(m, between(m, -2, 2), pulse(m, position(m, any(m)), between(m, -1, 1), width(m, 1.3)));
  }
}

static int sum_of(const maker *m, int count, int (*term)(const maker *), int first) {
  int sum = first;
  for (int k = 0; k < count; k++) sum = both(m, QUAD_ADD, sum, term(m));
  return sum;
}

static int gap(const maker *m) {
  int i = any(m), x = position(m, i), y = position(m, (i + 1) % m->scene->n);
  double place = m->scene->q0[i] + between(m, 0.1, 1.5) * (chance(m, 0.5) ? 1 : -1);
  switch (thud_random_below(m->random, 5)) {
  case 0: return both(m, QUAD_SUBTRACT, x, number(m, m->scene->q0[i] - between(m, 0.1, 1)));
  case 1: return both(m, QUAD_SUBTRACT, number(m, m->scene->q0[i] + between(m, 0.1, 1)), x);
  case 2: return both(m, QUAD_SUBTRACT, number(m, 1), scaled(m, 1.5, pulse(m, x, place, width(m, 3))));
  case 3: return opposite(m, one(m, QUAD_TANH, zoomed(m, x, m->scene->q0[i] + between(m, 0.1, 1), width(m, 2.5))));
  default: { /* a circle, an interval with one coordinate */
    int other = m->scene->n > 1 ? square(m, both(m, QUAD_SUBTRACT, y, some(m, -0.5, 0.5))) : number(m, 1e-4);
    int distance = one(m, QUAD_SQRT, both(m, QUAD_ADD, square(m, both(m, QUAD_SUBTRACT, x, number(m, place))), other));
    return both(m, QUAD_SUBTRACT, distance, some(m, 0.02, 0.3));
  }
  }
}

/* ---- scenes ------------------------------------------------------------------------------------------------------ */

static void make_masses(const maker *m) {
  quad_scene *scene = m->scene;
  for (int i = 0; i < scene->n; i++)
    for (int j = 0; j <= i; j++) {
      bool coupled = i != j && chance(m, 0.3);
      int node = i == j ? mass(m) : coupled ? scaled(m, 0.1, one(m, QUAD_COS, position(m, any(m)))) : -1;
      scene->mass[i][j] = scene->mass[j][i] = node;
    }
}

static void write_kinetic(quad_scene *scene) {
  static const char *const velocities[] = {"x'", "y'", "z'"};
  scene->kinetic[0] = '\0';
  for (int i = 0; i < scene->n; i++)
    for (int j = 0; j <= i; j++) {
      char text[QUAD_TEXT] = "";
      size_t used = strlen(scene->kinetic);
      if (scene->mass[i][j] < 0) continue;
      thud_quad_write(&scene->pool, scene->mass[i][j], text);
      snprintf(scene->kinetic + used, sizeof scene->kinetic - used, "%s%s%s*%s*%s", used > 0 ? " + " : "",
               i == j ? "0.5*" : "", text, velocities[i], velocities[j]);
    }
}

static void write_source(const maker *m) {
  static const char *const names[] = {"x", "y", "z"}, *const gaps[] = {"one", "two", "three"};
  quad_scene *scene = m->scene;
  thud_test_system *source = &scene->source;
  *source = (thud_test_system){.kinetic_energy = scene->kinetic, .potential_energy = scene->potential_text};
  write_kinetic(scene);
  scene->potential_text[0] = '\0';
  thud_quad_write(&scene->pool, scene->potential, scene->potential_text);
  for (int i = 0; i < scene->n; i++) {
    scene->force_text[i][0] = '\0';
    thud_quad_write(&scene->pool, scene->force[i], scene->force_text[i]);
    source->coordinates[i] = names[i];
    source->forces[i] = scene->force_text[i];
  }
  for (int i = 0; i < scene->m; i++) {
    scene->gap_text[i][0] = '\0';
    thud_quad_write(&scene->pool, scene->gap[i], scene->gap_text[i]);
    snprintf(scene->restitution[i], sizeof scene->restitution[i], "%.3g", chance(m, 0.3) ? 0 : between(m, 0, 1));
    source->constraints[i] =
        (thud_expr_constraint_def){.name = gaps[i], .source = scene->gap_text[i], .restitution = scene->restitution[i]};
  }
}

static double first_gap(const quad_scene *scene, int node) {
  quad variables[QUAD_VARIABLES] = {0};
  quad_value values[QUAD_NODES];
  for (int i = 0; i < scene->n; i++) variables[1 + i] = (quad)scene->q0[i];
  thud_quad_evaluate(&scene->pool, variables, values);
  return (double)values[node].value;
}

void thud_quad_scene_make(thud_random *random, quad_scene *scene) {
  const maker m = {.random = random, .scene = scene, .pool = &scene->pool};
  memset(scene, 0, sizeof *scene);
  scene->n = 1 + (int)thud_random_below(random, QUAD_COORDINATES);
  scene->m = 1 + (int)thud_random_below(random, QUAD_GAPS);
  for (int i = 0; i < scene->n; i++) {
    scene->q0[i] = between(&m, -0.5, 0.5);
    scene->v0[i] = between(&m, -2, 2);
  }
  make_masses(&m);
  scene->potential = sum_of(&m, 1 + (int)thud_random_below(random, 3), potential_term, number(&m, 0));
  for (int i = 0; i < scene->n; i++) {
    scene->force[i] = number(&m, 0);
    for (uint32_t k = thud_random_below(random, 3); k > 0; k--)
      scene->force[i] = both(&m, QUAD_ADD, scene->force[i], force_term(&m, i));
  }
  for (int i = 0; i < scene->m; i++) do {
      scene->gap[i] = gap(&m);
    } while (!(first_gap(scene, scene->gap[i]) > 0.01));
  write_source(&m);
}

/* ---- equations --------------------------------------------------------------------------------------------------- */

static quad polynomial(const double *c, size_t stride, int degree, int derivative, quad s) {
  quad sum = 0;
  for (int k = degree; k >= derivative; k--) {
    quad factor = 1;
    for (int d = 0; d < derivative; d++) factor *= k - d;
    sum = sum * s + factor * (quad)c[(size_t)k * stride];
  }
  return sum;
}

static void variables_at(const quad_scene *scene, const thud_event_arc *arc, quad s, quad variables[QUAD_VARIABLES]) {
  memset(variables, 0, QUAD_VARIABLES * sizeof *variables);
  variables[0] = (quad)arc->t0 + s;
  for (int i = 0; i < scene->n; i++)
    for (int d = 0; d < 2; d++)
      variables[1 + d * QUAD_COORDINATES + i] = polynomial(arc->q + i, (size_t)scene->n, (int)arc->degree, d, s);
}

/* sum_jk (d_k M_ij - d_i M_jk / 2) v_j v_k + sum_j M_ij a_j */
static void add_inertia(const quad_scene *scene, const quad_value *values, const quad *v, const quad *a, quad *defect) {
  for (int i = 0; i < scene->n; i++)
    for (int j = 0; j < scene->n; j++) {
      if (scene->mass[i][j] < 0) continue;
      const quad_value *entry = &values[scene->mass[i][j]];
      defect[i] += entry->value * a[j];
      for (int k = 0; k < scene->n; k++) {
        defect[i] += entry->gradient[k] * v[j] * v[k];
        defect[k] -= entry->gradient[k] * v[i] * v[j] / 2;
      }
    }
}

void thud_quad_at(const quad_scene *scene, const thud_event_arc *arc, quad s, quad *defect, quad *gap) {
  quad variables[QUAD_VARIABLES], a[QUAD_COORDINATES];
  quad_value values[QUAD_NODES];
  variables_at(scene, arc, s, variables);
  thud_quad_evaluate(&scene->pool, variables, values);
  for (int i = 0; i < scene->n; i++) {
    a[i] = polynomial(arc->q + i, (size_t)scene->n, (int)arc->degree, 2, s);
    defect[i] = values[scene->potential].gradient[i] - values[scene->force[i]].value;
  }
  add_inertia(scene, values, variables + 1 + QUAD_COORDINATES, a, defect);
  for (int k = 0; k < scene->m; k++) {
    const quad_value *g = &values[scene->gap[k]];
    quad r = polynomial(arc->reaction + k, (size_t)scene->m, (int)arc->force_degree, 0, s);
    gap[k] = g->value;
    for (int i = 0; i < scene->n && r != 0; i++) defect[i] -= r * g->gradient[i];
  }
}
