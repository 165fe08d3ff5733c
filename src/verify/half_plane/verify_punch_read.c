/* The checker's reading of `half_plane` scenes (materials, meshes and profiles by formulas of its own), and displacements of a
 * half-plane by quadrature of the logarithmic kernel. */
#include "verify/half_plane/verify_punch.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static const char *const methods[] = {"frictionless", "static", "incremental", "rolling", NULL};

void thud_verify_punch_free(verify_punch *punch) {
  thud_context *context = punch->scene.context;
  for (int k = 0; k < VERIFY_PUNCH_DRIVES; k++) thud_expr_destroy(punch->drive[k].expr);
  thud_free(context, punch->edges);
  thud_free(context, punch->x);
  thud_free(context, punch->h);
  thud_free(context, punch->profile);
  thud_free(context, punch->inside);
  thud_verify_scene_free(&punch->scene);
}

static thud_error read_number(verify_punch *punch, const thud_node *map, const char *key, double *value) {
  const thud_node *node;
  thud_error error = thud_node_require(map, key, &node);
  return error == THUD_OK ? thud_verify_read_constant(&punch->scene, node, value) : error;
}

/* ---- material ------------------------------------------------------------------------------------------------------ */

/* Compliances of one body: (1 - nu^2)/E, and (1 - 2 nu)(1 + nu)/E, half of which couples the directions. */
static thud_error read_body(verify_punch *punch, const thud_node *node, double *straight, double *across) {
  double E = 0, nu = 0;
  thud_error error = read_number(punch, node, "young", &E);
  if (error == THUD_OK) error = read_number(punch, node, "poisson", &nu);
  *straight += (1 - nu) * (1 + nu) / E;
  *across += (1 - 2 * nu) * (1 + nu) / E;
  return error;
}

/* With both compliances of each body: E' = 1/sum of the straight ones, gamma = difference of the across ones over twice
 * that sum. */
static thud_error read_material(verify_punch *punch, const thud_node *section) {
  const thud_node *node;
  double straight = 0, first = 0, second = 0;
  thud_error error = thud_node_require(section, "material", &node);
  if (error != THUD_OK) return error;
  if (thud_node_get_kind(node) == THUD_NODE_MAP && thud_node_find(node, "modulus") != NULL) {
    error = read_number(punch, node, "modulus", &punch->modulus);
    return error == THUD_OK ? read_number(punch, node, "coupling", &punch->coupling) : error;
  }
  if (thud_node_get_kind(node) == THUD_NODE_SEQUENCE && thud_node_count(node) == 2) {
    error = read_body(punch, thud_node_item(node, 0), &straight, &first);
    if (error == THUD_OK) error = read_body(punch, thud_node_item(node, 1), &straight, &second);
  } else {
    error = read_body(punch, node, &straight, &first);
  }
  punch->modulus = 1 / straight;
  punch->coupling = (first - second) / (2 * straight);
  return error;
}

/* ---- mesh ---------------------------------------------------------------------------------------------------------- */

static thud_error allocate(verify_punch *punch, const thud_node *node, double count) {
  if (!(count >= 2 && count <= 1e8)) return thud_node_fail(node, THUD_ERROR_SCHEMA, "%g elements", count);
  punch->n = (size_t)count;
  punch->edges = THUD_NEW_ARRAY(punch->scene.context, double, punch->n + 1);
  punch->x = THUD_NEW_ARRAY(punch->scene.context, double, punch->n);
  punch->h = THUD_NEW_ARRAY(punch->scene.context, double, punch->n);
  punch->profile = THUD_NEW_ARRAY(punch->scene.context, double, punch->n);
  bool made = punch->edges != NULL && punch->x != NULL && punch->h != NULL && punch->profile != NULL;
  return made ? THUD_OK : THUD_ERROR_MEMORY;
}

static thud_error fill_mesh(verify_punch *punch, const thud_node *node) {
  static const char *const gradings[] = {"uniform", "graded", NULL};
  const thud_node *grading;
  double left = 0, right = 0;
  int choice = 0;
  thud_error error = read_number(punch, node, "left", &left);
  if (error == THUD_OK) error = read_number(punch, node, "right", &right);
  if (error == THUD_OK) error = thud_node_require(node, "grading", &grading);
  if (error == THUD_OK) error = thud_node_read_choice(grading, gradings, &choice);
  punch->uniform = choice == 0;
  for (size_t j = 0; error == THUD_OK && j <= punch->n; j++) { /* graded: 1 - cos, as 2 sin^2 */
    double s = sin(0.5 * pi * (double)j / (double)punch->n);
    double part = punch->uniform ? (double)j / (double)punch->n : s * s;
    punch->edges[j] = left + (right - left) * part;
  }
  return error;
}

static thud_error read_mesh(verify_punch *punch, const thud_node *section) {
  const thud_node *node;
  double count = 0;
  thud_error error = thud_node_require(section, "mesh", &node);
  if (error != THUD_OK) return error;
  const thud_node *list = thud_node_find(node, "edges");
  if (list != NULL) {
    error = allocate(punch, list, (double)thud_node_count(list) - 1);
    for (size_t j = 0; error == THUD_OK && j <= punch->n; j++)
      error = thud_verify_read_constant(&punch->scene, thud_node_item(list, j), &punch->edges[j]);
  } else {
    error = read_number(punch, node, "elements", &count);
    if (error == THUD_OK) error = allocate(punch, node, count);
    if (error == THUD_OK) error = fill_mesh(punch, node);
  }
  for (size_t j = 0; error == THUD_OK && j < punch->n; j++) {
    punch->x[j] = 0.5 * (punch->edges[j] + punch->edges[j + 1]);
    punch->h[j] = punch->edges[j + 1] - punch->edges[j];
    if (!(punch->h[j] > 0)) error = thud_node_fail(node, THUD_ERROR_SCHEMA, "edge %zu is not right of the last", j + 1);
  }
  return error;
}

/* ---- profile ------------------------------------------------------------------------------------------------------- */

static thud_error read_expression(verify_punch *punch, const thud_node *node) {
  verify_value value = {0};
  thud_index slot = 0;
  double variables[2] = {0, 0};
  thud_error error = thud_expr_scope_add_variable(punch->scene.scope, "x", &slot);
  if (error == THUD_OK) error = thud_verify_read_value(&punch->scene, node, &value);
  for (size_t i = 0; error == THUD_OK && i < punch->n; i++) {
    variables[slot] = punch->x[i];
    punch->profile[i] = value.expr != NULL ? thud_expr_evaluate(value.expr, variables) : value.constant;
  }
  thud_expr_destroy(value.expr);
  return error;
}

/* Hat functions of the table's points. */
static thud_error read_table(verify_punch *punch, const thud_node *node) {
  const thud_node *x, *gap;
  thud_error error = thud_node_require(node, "x", &x);
  if (error == THUD_OK) error = thud_node_require(node, "gap", &gap);
  double a = 0, b = 0, low = 0, high = 0;
  for (size_t k = 0; error == THUD_OK && k + 1 < thud_node_count(x) && k + 1 < thud_node_count(gap); k++) {
    error = thud_verify_read_constant(&punch->scene, thud_node_item(x, k), &a);
    if (error == THUD_OK) error = thud_verify_read_constant(&punch->scene, thud_node_item(x, k + 1), &b);
    if (error == THUD_OK) error = thud_verify_read_constant(&punch->scene, thud_node_item(gap, k), &low);
    if (error == THUD_OK) error = thud_verify_read_constant(&punch->scene, thud_node_item(gap, k + 1), &high);
    for (size_t i = 0; error == THUD_OK && i < punch->n; i++)
      if (punch->x[i] >= a && punch->x[i] <= b)
        punch->profile[i] = ((b - punch->x[i]) * low + (punch->x[i] - a) * high) / (b - a);
  }
  return error;
}

static thud_error read_wave(verify_punch *punch, const thud_node *node, double centre) {
  double amplitude = 0, wavelength = 1;
  thud_error error = read_number(punch, node, "amplitude", &amplitude);
  if (error == THUD_OK) error = read_number(punch, node, "wavelength", &wavelength);
  for (size_t i = 0; error == THUD_OK && i < punch->n; i++)
    punch->profile[i] = amplitude * (1 - cos(2 * pi * (punch->x[i] - centre) / wavelength));
  return error;
}

static thud_error read_profile(verify_punch *punch, const thud_node *section) {
  const thud_node *node, *found;
  double centre = 0, size = 0;
  thud_error error = thud_node_require(section, "profile", &node);
  if (error == THUD_OK) error = read_number(punch, node, "centre", &centre);
  if (error != THUD_OK) return error;
  if ((found = thud_node_find(node, "gap")) != NULL) return read_expression(punch, found);
  if ((found = thud_node_find(node, "table")) != NULL) return read_table(punch, found);
  if ((found = thud_node_find(node, "wave")) != NULL) return read_wave(punch, found, centre);
  const thud_node *wedge = thud_node_find(node, "wedge"), *parabola = thud_node_find(node, "parabola");
  found = wedge != NULL ? wedge : parabola;
  if (found != NULL) error = thud_verify_read_constant(&punch->scene, found, &size);
  for (size_t i = 0; found != NULL && error == THUD_OK && i < punch->n; i++) {
    double d = fabs(punch->x[i] - centre);
    punch->profile[i] = wedge != NULL ? size * d : 0.5 * d * d / size;
  }
  return error;
}

/* ---- loads and times ----------------------------------------------------------------------------------------------- */

static thud_error read_load(verify_punch *punch, const thud_node *section) {
  static const char *const forces[] = {"P", "Q", "moment"}, *const motions[] = {"depth", "shift", "tilt"};
  const thud_node *load;
  thud_error error = thud_node_require(section, "load", &load);
  for (int k = 0; k < VERIFY_PUNCH_DRIVES && error == THUD_OK; k++) {
    const thud_node *motion = thud_node_find(load, motions[k]), *node = motion;
    punch->motion_given[k] = motion != NULL;
    if (motion == NULL) error = thud_node_require(load, forces[k], &node);
    if (error == THUD_OK) error = thud_verify_read_value(&punch->scene, node, &punch->drive[k]);
  }
  if (error == THUD_OK) error = read_number(punch, load, "pivot", &punch->pivot);
  return error == THUD_OK ? read_number(punch, load, "datum", &punch->datum) : error;
}

static thud_error read_simulate(verify_punch *punch, const thud_node *root) {
  const thud_node *simulate, *method;
  int choice = 0;
  thud_error error = thud_node_require(root, "simulate", &simulate);
  if (error == THUD_OK) error = thud_node_require(simulate, "method", &method);
  if (error == THUD_OK) error = thud_node_read_choice(method, methods, &choice);
  if (error == THUD_OK) error = thud_verify_read_span(&punch->scene, simulate);
  if (error == THUD_OK) error = thud_verify_read_steps(&punch->scene, simulate);
  if (error == THUD_OK) error = read_number(punch, simulate, "roll", &punch->roll);
  if (error == THUD_OK) error = read_number(punch, simulate, "starts", &punch->starts);
  if (error == THUD_OK) error = read_number(punch, simulate, "tolerance", &punch->scene.tolerance);
  if (error == THUD_OK) error = read_number(punch, simulate, "linear_error", &punch->linear_error);
  punch->method = (verify_punch_method)choice;
  punch->scene.method = methods[choice];
  return error;
}

thud_error thud_verify_punch_read(thud_context *context, const thud_tree *tree, verify_punch *punch) {
  const thud_node *root = thud_tree_root(tree), *section;
  *punch = (verify_punch){.scene = {.context = context}};
  thud_error error = thud_verify_scene_open(&punch->scene, root);
  if (error == THUD_OK) error = read_simulate(punch, root);
  if (error == THUD_OK) error = thud_verify_read_data(&punch->scene, thud_node_find(root, "data"));
  if (error == THUD_OK) error = thud_verify_read_thinning(&punch->scene, root);
  if (error == THUD_OK) error = thud_node_require(root, "half_plane", &section);
  if (error == THUD_OK) error = read_material(punch, section);
  if (error == THUD_OK) error = read_mesh(punch, section);
  if (error == THUD_OK) error = read_number(punch, section, "friction", &punch->friction);
  if (error == THUD_OK) error = read_number(punch, section, "period", &punch->period);
  if (error == THUD_OK) error = thud_verify_punch_read_inside(punch, section);
  if (error == THUD_OK) error = read_load(punch, section);
  return error == THUD_OK ? read_profile(punch, section) : error;
}

/* ---- displacements of a half-plane by quadrature of the logarithmic kernel --------------------------------------- */

/* Gauss' rule with 8 points on [-1, 1], half of it. */
static const double points[4] = {0.18343464249564980494, 0.52553240991632898582, 0.79666647741362673959,
                                 0.96028985649753623168};
static const double weights[4] = {0.36268378337836198297, 0.31370664587788728734, 0.22238103445337447054,
                                  0.10122853629037625915};
/* On intervals this many times as far away as long, the rule errs by less than 1e-12 of the integral. */
static const double FAR = 2;
/* Parts of intervals that are shorter than this part of their distance hold no more than rounding. */
static const double SHORT = 1e-15;
/* Entries that are kept, and products that are made, at most: then a part of the middles is looked at. */
static const double MOST_ENTRIES = 4e6, MOST_PRODUCTS = 2e9;
enum { LEAST_ROWS = 24, DEEPEST = 60 };

/* The kernel at the distance d, lengths in units of the datum; with a period, that of all of them together. */
static double kernel(const verify_punch *punch, double d) {
  if (punch->period > 0) return -log(fabs(2 * sin(pi * d / punch->period))) / pi;
  return -log(fabs(d) / punch->datum) / pi;
}

/* Distance to the nearest singularity. */
static double nearest(const verify_punch *punch, double d) {
  if (punch->period > 0) d = remainder(d, punch->period);
  return fabs(d);
}

/* Over distances from a to b. */
static double gauss(const verify_punch *punch, double a, double b) {
  double middle = 0.5 * (a + b), half = 0.5 * (b - a), sum = 0;
  for (int k = 0; k < 4; k++)
    sum += weights[k] * (kernel(punch, middle - half * points[k]) + kernel(punch, middle + half * points[k]));
  return half * sum;
}

/* Integral of the kernel over distances from a to b: halved until each part is far from its singularity or too short to
 * matter. */
static double integrate(const verify_punch *punch, double a, double b, int depth) {
  double middle = 0.5 * (a + b), length = b - a;
  if (depth == DEEPEST || length <= SHORT * fabs(middle)) return 0;
  if (nearest(punch, middle) >= FAR * length) return gauss(punch, a, b);
  return integrate(punch, a, middle, depth + 1) + integrate(punch, middle, b, depth + 1);
}

static double integrate_element(const verify_punch *punch, double x, size_t j) {
  return integrate(punch, x - punch->edges[j + 1], x - punch->edges[j], 0);
}

/* sgn(d), made periodic with the mean 0. */
static double across(const verify_punch *punch, double d) {
  double sign = (d > 0) - (d < 0);
  if (!(punch->period > 0)) return sign;
  double r = remainder(d, punch->period);
  return ((r > 0) - (r < 0)) - 2 * r / punch->period;
}

/* Integral of that over the element j: the middle is enough but where the sign changes, and there x is the middle or
 * an edge. */
static double integrate_across(const verify_punch *punch, double x, size_t j) {
  double a = punch->edges[j], b = punch->edges[j + 1], m = punch->x[j];
  if (x > a && x < b) return across(punch, x - 0.5 * (a + x)) * (x - a) + across(punch, x - 0.5 * (x + b)) * (b - x);
  return across(punch, x - m) * (b - a);
}

thud_error thud_verify_punch_prepare(verify_punch_motion *m) {
  const verify_punch *punch = m->punch;
  size_t n = punch->n;
  double rows = fmin((double)n, MOST_PRODUCTS / ((double)n * (double)(m->count > 0 ? m->count : 1)));
  if (!punch->uniform) rows = fmin(rows, MOST_ENTRIES / (double)n);
  m->row_count = (size_t)fmin((double)n, fmax(rows, LEAST_ROWS));
  m->rows = THUD_NEW_ARRAY(m->context, size_t, m->row_count);
  m->kernel = THUD_NEW_ARRAY(m->context, double, punch->uniform ? n : m->row_count *n);
  m->node = THUD_NEW_ARRAY(m->context, double, m->count);
  if (m->rows == NULL || m->kernel == NULL || m->node == NULL) return THUD_ERROR_MEMORY;
  for (size_t r = 0; r < m->row_count; r++) m->rows[r] = (size_t)(((double)r + 0.5) * (double)n / (double)m->row_count);
  for (size_t j = 0; punch->uniform && j < n; j++) m->kernel[j] = integrate_element(punch, punch->x[0], j);
  for (size_t r = 0; !punch->uniform && r < m->row_count; r++)
    for (size_t j = 0; j < n; j++) m->kernel[r * n + j] = integrate_element(punch, punch->x[m->rows[r]], j);
  for (size_t k = 0; k < m->count; k++)
    m->node[k] = round((m->t[k] - punch->scene.start) / (punch->scene.end - punch->scene.start) * punch->scene.steps);
  return THUD_OK;
}

void thud_verify_punch_displace(const verify_punch_motion *m, size_t frame, size_t r, double *u, double *v) {
  const verify_punch *punch = m->punch;
  size_t n = punch->n, i = m->rows[r];
  const double *p = m->pressure + frame * n, *q = m->traction + frame * n;
  double along[2] = {0}, other[2] = {0};
  for (size_t j = 0; j < n; j++) {
    double k = punch->uniform ? m->kernel[i > j ? i - j : j - i] : m->kernel[r * n + j];
    double c = j == i ? 0 : punch->h[j] * across(punch, punch->x[i] - punch->x[j]);
    along[0] += k * p[j];
    along[1] += k * q[j];
    other[0] += c * q[j];
    other[1] -= c * p[j];
  }
  *u = 2 / punch->modulus * (along[0] + 0.5 * punch->coupling * other[0]);
  *v = 2 / punch->modulus * (along[1] + 0.5 * punch->coupling * other[1]);
}

void thud_verify_punch_displace_at(const verify_punch_motion *m, size_t frame, double x, double *u, double *v) {
  const verify_punch *punch = m->punch;
  size_t n = punch->n;
  const double *p = m->pressure + frame * n, *q = m->traction + frame * n;
  double along[2] = {0}, other[2] = {0};
  for (size_t j = 0; j < n; j++) {
    if (p[j] == 0 && q[j] == 0) continue;
    double k = integrate_element(punch, x, j), c = integrate_across(punch, x, j);
    along[0] += k * p[j];
    along[1] += k * q[j];
    other[0] += c * q[j];
    other[1] -= c * p[j];
  }
  *u = 2 / punch->modulus * (along[0] + 0.5 * punch->coupling * other[0]);
  *v = 2 / punch->modulus * (along[1] + 0.5 * punch->coupling * other[1]);
}

double thud_verify_punch_size(const verify_punch_motion *m, size_t frame) {
  const verify_punch *punch = m->punch;
  const double *motion = m->motion + VERIFY_PUNCH_DRIVES * frame, *load = m->load + VERIFY_PUNCH_DRIVES * frame;
  double logs = 0, gap = 0, half = 0.5 * (punch->edges[punch->n] - punch->edges[0]);
  if (!(punch->period > 0)) logs = fabs(log(half / punch->datum)); /* constants of this size cancel */
  for (size_t i = 0; i < punch->n; i++)
    if (m->mode[frame * punch->n + i] != VERIFY_MODE_APART)
      gap = fmax(gap, fabs(punch->profile[i] + motion[2] * (punch->x[i] - punch->pivot)));
  double forces = 2 * (1 + logs) * (fabs(load[0]) + fabs(load[1])) / punch->modulus;
  return fmax(fmax(forces, fabs(motion[0])), fmax(fabs(motion[1]), gap));
}

double thud_verify_punch_no_force(const verify_punch_motion *m, size_t frame) {
  const double *load = m->load + VERIFY_PUNCH_DRIVES * frame;
  double rounding = 64 * (double)m->punch->n * DBL_EPSILON * m->punch->modulus * thud_verify_punch_size(m, frame);
  return m->tolerance * (fabs(load[0]) + fabs(load[1])) + rounding + DBL_MIN;
}
