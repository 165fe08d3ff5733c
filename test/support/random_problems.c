/* Random contact problems with known answers. */
#include "random_problems.h"
#include "contact/owned.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
static const double fall = 0.0981; /* gravity times a step of 10 ms, m/s */

void thud_test_problem_destroy(thud_test_problem *made) {
  thud_owned_problem_destroy(made->owned);
  *made = (thud_test_problem){0};
}

thud_contact_problem thud_test_dense_problem(thud_index dimension, thud_index contacts, const double *W,
                                             const double *q, const double *mu) {
  thud_index size = dimension * contacts;
  return (thud_contact_problem){
      .form = THUD_FORM_LOCAL,
      .dimension = dimension,
      .contacts = contacts,
      .mu = mu,
      .W = {.storage = THUD_MATRIX_DENSE, .rows = size, .columns = size, .dense = W},
      .q = q,
  };
}

const thud_index thud_test_dimensions[THUD_TEST_DIMENSIONS] = {1, 2, 3, 5, 4, 6, THUD_TEST_PLANE_ROLLING};

thud_index thud_test_dimension_of(const thud_contact_problem *problem) {
  return problem->friction == THUD_FRICTION_PLANE_ROLLING ? THUD_TEST_PLANE_ROLLING : problem->dimension;
}

bool thud_test_takes_laws(const thud_test_shape *shape) {
  return shape->friction == THUD_FRICTION_BY_DIMENSION && (shape->dimension == 2 || shape->dimension == 3);
}

thud_test_shape thud_test_shape_of(thud_index dimension, thud_index contacts) {
  bool rolls = dimension == THUD_TEST_PLANE_ROLLING;
  return (thud_test_shape){.dimension = rolls ? 3 : dimension,
                           .contacts = contacts,
                           .bodies = contacts + 2,
                           .block = 6,
                           .friction = rolls ? THUD_FRICTION_PLANE_ROLLING : THUD_FRICTION_BY_DIMENSION};
}

/* Ends a maker: hands the problem over or cleans up. */
static thud_error finish(thud_error error, thud_test_problem *work, thud_test_problem *made) {
  if (error == THUD_OK) {
    work->problem = thud_owned_problem_view(work->owned);
    *made = *work;
  } else {
    thud_owned_problem_destroy(work->owned);
  }
  return error;
}

static double *doubles(thud_test_problem *work, size_t count) {
  return thud_owned_problem_alloc(work->owned, count, sizeof(double));
}

static void random_unit(thud_random *random, thud_index n, double *x) {
  double square = 0;
  while (square < 1e-4) {
    square = 0;
    for (thud_index i = 0; i < n; i++) {
      x[i] = thud_random_normal(random);
      square += x[i] * x[i];
    }
  }
  for (thud_index i = 0; i < n; i++) x[i] /= sqrt(square);
}

/* ---- laws -------------------------------------------------------------------------------------------------- */

/* An ellipsoid with semi-axes in [0.2, 1], turned. In the plane's friction (n = 1): an interval around 0. */
static thud_error random_ellipse(thud_context *context, thud_random *random, thud_index n, thud_set **set) {
  double Q[4] = {0}, centre[2] = {0}, angle = thud_random_uniform(random, 0, pi);
  double a = thud_random_uniform(random, 0.2, 1), b = thud_random_uniform(random, 0.2, 1);
  double c = cos(angle), s = sin(angle);
  if (n == 1) return thud_set_interval(context, -a, b, set);
  Q[0] = c * c / (a * a) + s * s / (b * b);
  Q[3] = s * s / (a * a) + c * c / (b * b);
  Q[1] = Q[2] = c * s * (1 / (a * a) - 1 / (b * b));
  return thud_set_ellipsoid(context, n, centre, Q, set);
}

/* Six half-planes with 0 inside. */
static thud_error random_polygon(thud_context *context, thud_random *random, thud_index n, thud_set **set) {
  enum { SIDES = 6 };
  double A[2 * SIDES], b[SIDES];
  if (n == 1) return random_ellipse(context, random, n, set);
  for (int k = 0; k < SIDES; k++) {
    double angle = 2 * pi * k / SIDES + thud_random_uniform(random, -0.3, 0.3);
    A[2 * k] = cos(angle);
    A[2 * k + 1] = sin(angle);
    b[k] = thud_random_uniform(random, 0.2, 1);
  }
  return thud_set_polyhedron(context, n, SIDES, 0, A, b, set);
}

static thud_error add_laws(thud_context *context, thud_random *random, const thud_test_shape *shape,
                           thud_test_problem *work) {
  if (shape->law == THUD_TEST_DISC) return THUD_OK;
  thud_set **laws = thud_owned_problem_alloc(work->owned, (size_t)shape->contacts, sizeof(thud_set *));
  if (laws == NULL) return THUD_ERROR_MEMORY;
  for (thud_index c = 0; c < shape->contacts; c++) {
    bool mixed = shape->law == THUD_TEST_MIXED_LAWS;
    if (mixed && c % 3 == 0) continue;
    bool polygon = mixed ? c % 3 == 1 : shape->law == THUD_TEST_POLYGON;
    thud_error error = polygon ? random_polygon(context, random, shape->dimension - 1, &laws[c])
                               : random_ellipse(context, random, shape->dimension - 1, &laws[c]);
    if (error == THUD_OK) error = thud_owned_problem_adopt_set(work->owned, laws[c]);
    if (error != THUD_OK) {
      thud_set_destroy(laws[c]);
      return error;
    }
  }
  thud_owned_problem_edit(work->owned)->laws = laws;
  return THUD_OK;
}

static thud_error add_friction(thud_random *random, const thud_test_shape *shape, thud_test_problem *work) {
  thud_contact_problem *problem = thud_owned_problem_edit(work->owned);
  size_t contacts = (size_t)shape->contacts;
  bool rolls = shape->dimension >= 5 || shape->friction == THUD_FRICTION_PLANE_ROLLING;
  bool spins = shape->dimension == 4 || shape->dimension == 6;
  double *mu = doubles(work, contacts), *mu_rolling = doubles(work, contacts), *mu_spinning = doubles(work, contacts);
  if (mu == NULL || mu_rolling == NULL || mu_spinning == NULL) return THUD_ERROR_MEMORY;
  for (size_t c = 0; c < contacts; c++) {
    mu[c] = shape->frictionless ? 0 : thud_random_uniform(random, 0.1, 1);
    mu_rolling[c] = shape->frictionless ? 0 : thud_random_uniform(random, 0.01, 0.5);
    if (spins && !shape->frictionless) mu_spinning[c] = thud_random_uniform(random, 0.01, 0.5);
  }
  if (shape->dimension > 1) problem->mu = mu;
  if (rolls) problem->mu_rolling = mu_rolling;
  if (spins) problem->mu_spinning = mu_spinning;
  return THUD_OK;
}

/* ---- answers ------------------------------------------------------------------------------------------------- */

/* Sticking (x inside the disc, y = 0) or sliding (x on its boundary, opposite to y). */
static void answer_disc(thud_random *random, bool slides, thud_index n, double radius, double *x, double *y) {
  double direction[4];
  random_unit(random, n, direction);
  double inside = slides ? 1 : thud_random_uniform(random, 0, 0.9), speed = thud_random_uniform(random, 0.1, 2);
  for (thud_index i = 0; i < n; i++) {
    x[i] = inside * radius * direction[i];
    y[i] = slides ? -speed * direction[i] : 0;
  }
}

static thud_error answer_law(thud_random *random, bool slides, thud_set *law, double normal, double *r_T, double *u_T) {
  double d[4], value = 0;
  thud_index n = thud_set_dimension(law);
  random_unit(random, n, d);
  double speed = thud_random_uniform(random, 0.1, 2), inside = thud_random_uniform(random, 0, 0.9);
  thud_error error = thud_set_support(law, d, &value, r_T, NULL);
  for (thud_index i = 0; i < n; i++) {
    r_T[i] *= slides ? normal : inside * normal;
    u_T[i] = slides ? -speed * d[i] : 0;
  }
  return error;
}

/* One contact's complementary pair; mode 0: open, 1: sticking, 2: sliding, 3: borderline (r = 0 and u_N = 0, sliding),
 * 4: only the second part slides (rolling or, without that, spinning). */
static thud_error answer_contact(thud_random *random, const thud_contact_problem *problem, thud_index c, int mode,
                                 double *r, double *u) {
  thud_index d = problem->dimension;
  double normal = thud_random_uniform(random, 0.1, 2);
  if (mode == 0 || mode == 3) {
    u[0] = mode == 0 ? normal : 0;
    for (thud_index i = 1; i < d; i++) u[i] = thud_random_normal(random);
    return THUD_OK;
  }
  r[0] = normal;
  if (d == 1) return THUD_OK;
  if (problem->laws != NULL && problem->laws[c] != NULL)
    return answer_law(random, mode == 2, problem->laws[c], normal, r + 1, u + 1);
  bool plane = d == 2 || problem->friction == THUD_FRICTION_PLANE_ROLLING;
  answer_disc(random, mode == 2, plane ? 1 : 2, problem->mu[c] * normal, r + 1, u + 1);
  if (d == 4) answer_disc(random, mode != 1, 1, problem->mu_spinning[c] * normal, r + 3, u + 3);
  if (d == 3 && plane) answer_disc(random, mode != 1, 1, problem->mu_rolling[c] * normal, r + 2, u + 2);
  if (d >= 5) answer_disc(random, mode != 1, 2, problem->mu_rolling[c] * normal, r + 3, u + 3);
  if (d == 6) answer_disc(random, mode == 2, 1, problem->mu_spinning[c] * normal, r + 5, u + 5);
  return THUD_OK;
}

/* r and u of the work, which are zero on entry. */
static thud_error choose_answer(thud_random *random, thud_test_problem *work) {
  thud_contact_problem *problem = thud_owned_problem_edit(work->owned);
  thud_error error = THUD_OK;
  size_t d = (size_t)problem->dimension;
  work->r = doubles(work, thud_contact_size(problem));
  work->u = doubles(work, thud_contact_size(problem));
  if (work->r == NULL || work->u == NULL) return THUD_ERROR_MEMORY;
  for (thud_index c = 0; error == THUD_OK && c < problem->contacts; c++)
    error = answer_contact(random, problem, c, (c + 2) % 5, work->r + (size_t)c * d, work->u + (size_t)c * d);
  return error;
}

/* What every random problem begins with. */
static thud_error begin(thud_context *context, thud_random *random, const thud_test_shape *shape,
                        thud_contact_form form, thud_test_problem *work) {
  thud_error error = thud_owned_problem_create(context, &work->owned);
  if (error != THUD_OK) return error;
  thud_contact_problem *problem = thud_owned_problem_edit(work->owned);
  problem->form = form;
  problem->dimension = shape->dimension;
  problem->friction = shape->friction;
  problem->contacts = shape->contacts;
  error = add_friction(random, shape, work);
  if (error == THUD_OK && thud_test_takes_laws(shape)) error = add_laws(context, random, shape, work);
  return error;
}

/* ---- two-block ------------------------------------------------------------------------------------------------- */

/* Inverse masses B B' + I/2, exactly symmetric. */
static void random_inverse_masses(thud_random *random, const thud_test_shape *shape, double *inverse) {
  size_t n = (size_t)shape->block;
  for (thud_index b = 0; b < shape->bodies; b++, inverse += n * n) {
    double B[36];
    for (size_t k = 0; k < n * n; k++) B[k] = 0.5 * thud_random_normal(random);
    for (size_t i = 0; i < n; i++)
      for (size_t j = 0; j <= i; j++) {
        double sum = i == j ? 0.5 : 0;
        for (size_t k = 0; k < n; k++) sum += B[i * n + k] * B[j * n + k];
        inverse[i * n + j] = inverse[j * n + i] = sum;
      }
  }
}

/* Contact c touches body c mod bodies and, two times out of three, another one. */
static void random_pairs(thud_random *random, const thud_test_shape *shape, thud_index *a, thud_index *b) {
  for (thud_index c = 0; c < shape->contacts; c++) {
    a[c] = c % shape->bodies;
    b[c] = -1;
    if (c % 3 != 0 && shape->bodies > 1)
      b[c] = (a[c] + 1 + (thud_index)thud_random_below(random, (uint32_t)shape->bodies - 1)) % shape->bodies;
  }
}

static thud_error allocate_two_block(thud_test_problem *work, thud_index bodies, thud_index block,
                                     thud_two_block *two) {
  const thud_contact_problem *problem = thud_owned_problem_view(work->owned);
  size_t n = (size_t)block, count = (size_t)bodies, contacts = (size_t)problem->contacts;
  size_t jacobian = thud_contact_size(problem) * n;
  *two = (thud_two_block){.bodies = bodies, .block = block};
  two->inverse_mass = doubles(work, count * n * n);
  two->free_velocity = doubles(work, count * n);
  two->body_a = thud_owned_problem_alloc(work->owned, contacts, sizeof(thud_index));
  two->body_b = thud_owned_problem_alloc(work->owned, contacts, sizeof(thud_index));
  two->jacobian_a = doubles(work, jacobian);
  two->jacobian_b = doubles(work, jacobian);
  two->w = doubles(work, thud_contact_size(problem));
  bool complete = two->inverse_mass != NULL && two->free_velocity != NULL && two->body_a != NULL &&
                  two->body_b != NULL && two->jacobian_a != NULL && two->jacobian_b != NULL && two->w != NULL;
  return complete ? THUD_OK : THUD_ERROR_MEMORY;
}

static void random_doubles(thud_random *random, size_t count, double *x) {
  for (size_t k = 0; k < count; k++) x[k] = thud_random_normal(random);
}

/* w such that the chosen u is the velocity of the chosen r: u - (velocity with w = 0). */
static thud_error fit_offset(thud_context *context, thud_test_problem *work, double *w) {
  const thud_contact_problem *problem = thud_owned_problem_view(work->owned);
  size_t size = thud_contact_size(problem);
  thud_contact_residual residual;
  double *moved = doubles(work, size);
  if (moved == NULL) return THUD_ERROR_MEMORY;
  thud_error error = thud_contact_evaluate(context, problem, work->r, NULL, work->l, moved, &residual);
  for (size_t i = 0; error == THUD_OK && i < size; i++) w[i] = work->u[i] - moved[i];
  return error;
}

thud_error thud_test_random_two_block(thud_context *context, thud_random *random, const thud_test_shape *shape,
                                      thud_test_problem *made) {
  thud_test_problem work = {0};
  thud_two_block two = {0};
  thud_error error = begin(context, random, shape, THUD_FORM_TWO_BLOCK, &work);
  if (error == THUD_OK) error = allocate_two_block(&work, shape->bodies, shape->block, &two);
  if (error == THUD_OK) error = choose_answer(random, &work);
  if (error == THUD_OK) {
    thud_contact_problem *problem = thud_owned_problem_edit(work.owned);
    size_t jacobian = thud_contact_size(problem) * (size_t)shape->block;
    random_inverse_masses(random, shape, (double *)two.inverse_mass);
    random_doubles(random, (size_t)shape->bodies * (size_t)shape->block, (double *)two.free_velocity);
    random_pairs(random, shape, (thud_index *)two.body_a, (thud_index *)two.body_b);
    random_doubles(random, jacobian, (double *)two.jacobian_a);
    random_doubles(random, jacobian, (double *)two.jacobian_b);
    problem->two_block = two;
    error = fit_offset(context, &work, (double *)two.w);
  }
  return finish(error, &work, made);
}

/* Replaces a two-block problem by another form of it, answer included (v excepted). */
static thud_error take_over(thud_error error, thud_owned_problem *owned, thud_test_problem *from,
                            thud_test_problem *made) {
  thud_test_problem work = {.owned = owned};
  if (error == THUD_OK) {
    size_t size = thud_contact_size(from->problem);
    work.r = doubles(&work, size);
    work.u = doubles(&work, size);
    if (work.r == NULL || work.u == NULL) {
      error = THUD_ERROR_MEMORY;
    } else {
      memcpy(work.r, from->r, size * sizeof *work.r);
      memcpy(work.u, from->u, size * sizeof *work.u);
    }
  }
  thud_test_problem_destroy(from);
  return finish(error, &work, made);
}

thud_error thud_test_random_local(thud_context *context, thud_random *random, const thud_test_shape *shape,
                                  thud_matrix_storage storage, thud_test_problem *made) {
  thud_test_problem from = {0};
  thud_owned_problem *local = NULL;
  thud_error error = thud_test_random_two_block(context, random, shape, &from);
  if (error != THUD_OK) return error;
  error = thud_contact_to_local(context, from.problem, storage, &local);
  return take_over(error, local, &from, made);
}

thud_error thud_test_random_rigid_global(thud_context *context, thud_random *random, const thud_test_shape *shape,
                                         thud_test_problem *made) {
  thud_test_problem from = {0};
  thud_owned_problem *global = NULL;
  thud_error error = thud_test_random_two_block(context, random, shape, &from);
  if (error != THUD_OK) return error;
  error = thud_contact_to_global(context, from.problem, &global);
  return take_over(error, global, &from, made);
}

/* ---- flexible ---------------------------------------------------------------------------------------------------- */

/* Triplets of one matrix. */
typedef struct triplets {
  thud_index *row, *column;
  double *value;
  size_t count;
} triplets;

static thud_error begin_triplets(thud_test_problem *work, size_t capacity, triplets *list) {
  list->row = thud_owned_problem_alloc(work->owned, capacity, sizeof *list->row);
  list->column = thud_owned_problem_alloc(work->owned, capacity, sizeof *list->column);
  list->value = doubles(work, capacity);
  return list->row == NULL || list->column == NULL || list->value == NULL ? THUD_ERROR_MEMORY : THUD_OK;
}

static void add(triplets *list, thud_index row, thud_index column, double value) {
  list->row[list->count] = row;
  list->column[list->count] = column;
  list->value[list->count++] = value;
}

/* Hands the triplets to the problem as a sparse matrix. */
static thud_error adopt_triplets(thud_context *context, thud_test_problem *work, triplets *list, thud_index rows,
                                 thud_index columns, thud_matrix *matrix) {
  thud_sparse sparse = {0};
  thud_error error =
      thud_sparse_from_triplets(context, rows, columns, list->count, list->row, list->column, list->value, &sparse);
  if (error == THUD_OK) {
    error = thud_owned_problem_adopt_sparse(work->owned, &sparse, matrix);
    if (error != THUD_OK) thud_sparse_destroy(context, &sparse);
  }
  return error;
}

/* Mass + h^2 stiffness of a bar: masses in [1, 3], springs in [0.5, 2]. */
static thud_error add_bar(thud_context *context, thud_random *random, thud_index ndof, double skew,
                          thud_test_problem *work, thud_matrix *M) {
  triplets list = {0};
  if (begin_triplets(work, 5 * (size_t)ndof, &list) != THUD_OK) return THUD_ERROR_MEMORY;
  for (thud_index i = 0; i < ndof; i++) {
    add(&list, i, i, thud_random_uniform(random, 1, 3));
    if (i + 1 == ndof) break;
    double spring = thud_random_uniform(random, 0.5, 2);
    add(&list, i, i, spring);
    add(&list, i + 1, i + 1, spring);
    add(&list, i, i + 1, -spring + skew);
    add(&list, i + 1, i, -spring - skew);
  }
  return adopt_triplets(context, work, &list, ndof, ndof, M);
}

/* Random columns with four neighbouring entries each (fewer when ndof is smaller). */
static thud_error add_interpolation(thud_context *context, thud_random *random, thud_index ndof, thud_index columns,
                                    thud_index columns_per_place, thud_test_problem *work, thud_matrix *matrix) {
  enum { REACH = 4 };
  triplets list = {0};
  if (begin_triplets(work, REACH * (size_t)columns, &list) != THUD_OK) return THUD_ERROR_MEMORY;
  thud_index first = 0, width = ndof < REACH ? ndof : REACH;
  for (thud_index j = 0; j < columns; j++) {
    if (j % columns_per_place == 0) first = (thud_index)thud_random_below(random, (uint32_t)(ndof - width + 1));
    for (thud_index k = 0; k < width; k++) add(&list, first + k, j, thud_random_normal(random));
  }
  return adopt_triplets(context, work, &list, ndof, columns, matrix);
}

/* f = M v - H r - G l, w = u - H' v, b = -G' v for a random v and l. */
static thud_error fit_loads(thud_context *context, thud_random *random, thud_test_problem *work) {
  thud_contact_problem *problem = thud_owned_problem_edit(work->owned);
  size_t ndof = thud_contact_ndof(problem), size = thud_contact_size(problem), bilateral = (size_t)problem->bilateral;
  work->v = doubles(work, ndof);
  work->l = doubles(work, bilateral);
  double *f = doubles(work, ndof), *w = doubles(work, size), *b = doubles(work, bilateral);
  if (work->v == NULL || work->l == NULL || f == NULL || w == NULL || b == NULL) return THUD_ERROR_MEMORY;
  random_doubles(random, ndof, work->v);
  random_doubles(random, bilateral, work->l);
  memcpy(w, work->u, size * sizeof *w);
  thud_matrix_multiply_vector(context, &problem->M, false, 1, work->v, 0, f);
  thud_matrix_multiply_vector(context, &problem->H, false, -1, work->r, 1, f);
  thud_matrix_multiply_vector(context, &problem->H, true, -1, work->v, 1, w);
  if (bilateral > 0) {
    thud_matrix_multiply_vector(context, &problem->G, false, -1, work->l, 1, f);
    thud_matrix_multiply_vector(context, &problem->G, true, -1, work->v, 0, b);
  }
  problem->f = f;
  problem->w = w;
  problem->b = b;
  return THUD_OK;
}

thud_error thud_test_flexible_global(thud_context *context, thud_random *random, const thud_test_shape *shape,
                                     thud_index ndof, thud_index bilateral, double skew, thud_test_problem *made) {
  thud_test_problem work = {0};
  thud_error error = begin(context, random, shape, THUD_FORM_GLOBAL, &work);
  if (error != THUD_OK) return finish(error, &work, made);
  thud_contact_problem *problem = thud_owned_problem_edit(work.owned);
  thud_index size = shape->dimension * shape->contacts;
  problem->bilateral = bilateral;
  error = add_bar(context, random, ndof, skew, &work, &problem->M);
  if (error == THUD_OK) error = add_interpolation(context, random, ndof, size, shape->dimension, &work, &problem->H);
  if (error == THUD_OK && bilateral > 0)
    error = add_interpolation(context, random, ndof, bilateral, 1, &work, &problem->G);
  if (error == THUD_OK) error = choose_answer(random, &work);
  if (error == THUD_OK) error = fit_loads(context, random, &work);
  return finish(error, &work, made);
}

/* ---- dense local problems ---------------------------------------------------------------------------------------- */

/* A local problem with room for a dense W (zero) and q; mu for every contact when the dimension is above 1. */
static thud_error begin_dense(thud_context *context, thud_index dimension, thud_index contacts, double mu,
                              thud_test_problem *work, double **W, double **q) {
  thud_error error = thud_owned_problem_create(context, &work->owned);
  if (error != THUD_OK) return error;
  thud_contact_problem *problem = thud_owned_problem_edit(work->owned);
  thud_index n = dimension * contacts;
  problem->dimension = dimension;
  problem->contacts = contacts;
  *W = doubles(work, (size_t)n * (size_t)n);
  *q = doubles(work, (size_t)n);
  double *coefficients = doubles(work, (size_t)contacts);
  if (*W == NULL || *q == NULL || coefficients == NULL) return THUD_ERROR_MEMORY;
  for (thud_index c = 0; c < contacts; c++) coefficients[c] = mu;
  if (dimension > 1) problem->mu = coefficients;
  problem->W = (thud_matrix){.storage = THUD_MATRIX_DENSE, .rows = n, .columns = n, .dense = *W};
  problem->q = *q;
  return THUD_OK;
}

/* q = u - W r for the answer in the work. */
static void fit_constant(thud_context *context, thud_test_problem *work, double *q) {
  const thud_contact_problem *problem = thud_owned_problem_view(work->owned);
  memcpy(q, work->u, thud_contact_size(problem) * sizeof *q);
  thud_matrix_multiply_vector(context, &problem->W, false, -1, work->r, 1, q);
}

/* Unit lower triangular with anything below the diagonal: every principal minor is 1. A symmetric permutation and a
 * positive diagonal scaling keep that. */
thud_error thud_test_lcp_p_matrix(thud_context *context, thud_random *random, thud_index n, thud_test_problem *made) {
  thud_test_problem work = {0};
  double *W = NULL, *q = NULL;
  thud_error error = begin_dense(context, 1, n, 0, &work, &W, &q);
  if (error == THUD_OK) error = choose_answer(random, &work);
  if (error == THUD_OK) {
    size_t size = (size_t)n;
    for (size_t j = 0; j < size; j++)
      for (size_t i = 0; i < size; i++) {
        size_t row = (i * 7 + 3) % size, column = (j * 7 + 3) % size; /* a permutation when 7 does not divide n */
        if (n % 7 == 0) row = i, column = j;
        double scale = 0.5 + (double)(row % 4);
        if (i == j) W[row + column * size] = scale;
        if (i > j) W[row + column * size] = scale * thud_random_uniform(random, -1, 1);
      }
    fit_constant(context, &work, q);
  }
  return finish(error, &work, made);
}

thud_error thud_test_lcp_several(thud_context *context, thud_index pairs, thud_test_problem *made) {
  thud_test_problem work = {0};
  double *W = NULL, *q = NULL;
  size_t n = 2 * (size_t)pairs;
  thud_error error = begin_dense(context, 1, 2 * pairs, 0, &work, &W, &q);
  if (error == THUD_OK) {
    work.r = doubles(&work, n);
    work.u = doubles(&work, n);
    if (work.r == NULL || work.u == NULL) error = THUD_ERROR_MEMORY;
  }
  for (size_t i = 0; error == THUD_OK && i < n; i++) {
    W[i + i * n] = 1;
    W[i + (i ^ 1) * n] = 2;
    q[i] = -1;
    work.r[i] = i % 2 == 0;
    work.u[i] = i % 2 == 1;
  }
  return finish(error, &work, made);
}

static void fill_spd(thud_random *random, size_t n, size_t leading, double *W) {
  for (size_t k = 0; k < n + 2; k++) {
    double x[64];
    random_doubles(random, n, x);
    for (size_t j = 0; j < n; j++)
      for (size_t i = 0; i < n; i++) W[i + j * leading] += x[i] * x[j] / (double)n;
  }
}

thud_error thud_test_lcp_infeasible(thud_context *context, thud_random *random, thud_index n, thud_test_problem *made) {
  thud_test_problem work = {0};
  double *W = NULL, *q = NULL;
  if (n < 1 || n > 64) return THUD_ERROR_ARGUMENT;
  thud_error error = begin_dense(context, 1, n, 0, &work, &W, &q);
  if (error == THUD_OK) {
    fill_spd(random, (size_t)n - 1, (size_t)n, W);
    random_doubles(random, (size_t)n, q);
    q[n - 1] = -1;
  }
  return finish(error, &work, made);
}

static thud_error one_plane_contact(thud_context *context, const double W[3], double mu, const double q[2],
                                    thud_test_problem *made) {
  thud_test_problem work = {0};
  double *matrix = NULL, *constant = NULL;
  thud_error error = begin_dense(context, 2, 1, mu, &work, &matrix, &constant);
  if (error == THUD_OK) {
    matrix[0] = W[0];
    matrix[1] = matrix[2] = W[1];
    matrix[3] = W[2];
    memcpy(constant, q, 2 * sizeof *q);
  }
  return finish(error, &work, made);
}

thud_error thud_test_painleve_rod(thud_context *context, double theta, double mu, double q_N, double q_T,
                                  thud_test_problem *made) {
  double c = cos(theta), s = sin(theta);
  const double W[3] = {1 + 3 * c * c, -3 * s * c, 1 + 3 * s * s}, q[2] = {q_N, q_T};
  return one_plane_contact(context, W, mu, q, made);
}

thud_error thud_test_klarbring(thud_context *context, double w, double mu, double q_N, double q_T,
                               thud_test_problem *made) {
  const double W[3] = {1, w, 1}, q[2] = {q_N, q_T};
  return one_plane_contact(context, W, mu, q, made);
}

/* ---- piles ---------------------------------------------------------------------------------------------------------
 */

/* Contacts of bodies with six degrees of freedom (velocity, angular velocity), being listed. */
typedef struct contact_list {
  thud_index dimension, count;
  thud_index *a, *b;
  double *jacobian_a, *jacobian_b;
} contact_list;

/* Rows of J for a body: sign * [direction, arm x direction], and sign * [0, direction] for the rolling and spinning
 * rows, the latter about the normal. */
static void write_jacobian(thud_index dimension, double sign, const double frame[3][3], const double arm[3],
                           double *J) {
  for (thud_index i = 0; i < dimension; i++, J += 6) {
    bool spins = i == 5 || (i == 3 && dimension == 4);
    const double *d = frame[spins ? 0 : i < 3 ? i : i - 2];
    if (i < 3) {
      for (int k = 0; k < 3; k++) J[k] = sign * d[k];
      J[3] = sign * (arm[1] * d[2] - arm[2] * d[1]);
      J[4] = sign * (arm[2] * d[0] - arm[0] * d[2]);
      J[5] = sign * (arm[0] * d[1] - arm[1] * d[0]);
    } else {
      for (int k = 0; k < 3; k++) J[3 + k] = sign * d[k];
    }
  }
}

/* Normal along `axis` from b (-1: the ground) to a; arms from the centres to the contact point. */
static void add_contact(contact_list *list, thud_index a, thud_index b, int axis, const double arm_a[3],
                        const double arm_b[3]) {
  double frame[3][3] = {{0}};
  size_t place = (size_t)list->count * (size_t)list->dimension * 6;
  for (int i = 0; i < 3; i++) frame[i][(axis + i) % 3] = 1;
  list->a[list->count] = a;
  list->b[list->count] = b;
  write_jacobian(list->dimension, 1, (const double(*)[3])frame, arm_a, list->jacobian_a + place);
  if (b >= 0) write_jacobian(list->dimension, -1, (const double(*)[3])frame, arm_b, list->jacobian_b + place);
  list->count++;
}

/* inertia: that of mass 1. Layer k has the mass ratio^(k/(layers-1)). */
static void add_bodies(thud_random *random, const thud_test_pile *pile, thud_index per_layer, double inertia,
                       double *inverse_mass, double *free_velocity) {
  for (thud_index k = 0; k < pile->nz; k++) {
    double mass = pile->nz > 1 ? pow(pile->mass_ratio, (double)k / (double)(pile->nz - 1)) : 1;
    for (thud_index i = 0; i < per_layer; i++, inverse_mass += 36, free_velocity += 6)
      for (int c = 0; c < 6; c++) {
        inverse_mass[7 * c] = 1 / (c < 3 ? mass : inertia * mass);
        free_velocity[c] = pile->noise * thud_random_normal(random) - (c == 2 ? fall : 0);
      }
  }
}

/* Allocates a pile and returns the list to be filled with its contacts. */
static thud_error begin_pile(thud_context *context, thud_random *random, const thud_test_pile *pile,
                             thud_index per_layer, thud_index contacts, double inertia, thud_test_problem *work,
                             contact_list *list) {
  thud_error error = thud_owned_problem_create(context, &work->owned);
  if (error != THUD_OK) return error;
  thud_contact_problem *problem = thud_owned_problem_edit(work->owned);
  problem->form = THUD_FORM_TWO_BLOCK;
  problem->dimension = pile->dimension;
  problem->contacts = contacts;
  size_t n = (size_t)contacts;
  double *mu = doubles(work, n), *mu_rolling = doubles(work, n), *mu_spinning = doubles(work, n);
  if (mu == NULL || mu_rolling == NULL || mu_spinning == NULL) return THUD_ERROR_MEMORY;
  for (size_t c = 0; c < n; c++) {
    mu[c] = pile->mu;
    mu_rolling[c] = pile->mu_rolling;
    mu_spinning[c] = pile->mu_spinning;
  }
  if (pile->dimension > 1) problem->mu = mu;
  if (pile->dimension >= 5) problem->mu_rolling = mu_rolling;
  if (pile->dimension == 4 || pile->dimension == 6) problem->mu_spinning = mu_spinning;
  error = allocate_two_block(work, per_layer * pile->nz, 6, &problem->two_block);
  if (error != THUD_OK) return error;
  thud_two_block *two = &problem->two_block;
  add_bodies(random, pile, per_layer, inertia, (double *)two->inverse_mass, (double *)two->free_velocity);
  *list = (contact_list){.dimension = pile->dimension,
                         .a = (thud_index *)two->body_a,
                         .b = (thud_index *)two->body_b,
                         .jacobian_a = (double *)two->jacobian_a,
                         .jacobian_b = (double *)two->jacobian_b};
  return THUD_OK;
}

/* Faces of the lattice that carry contacts: those between two bodies, and those to the ground. */
static thud_index lattice_faces(const thud_test_pile *pile) {
  thud_index nx = pile->nx, ny = pile->ny, nz = pile->nz;
  return (nx - 1) * ny * nz + nx * (ny - 1) * nz + nx * ny * nz;
}

/* `corners` contacts (1: the centre, 4: the corners) on the face of body a towards body b on its lower side of axis. */
static void add_face(contact_list *list, thud_index a, thud_index b, int axis, int corners) {
  for (int corner = 0; corner < corners; corner++) {
    double arm_a[3] = {0}, arm_b[3] = {0};
    arm_a[axis] = -0.5;
    arm_b[axis] = 0.5;
    if (corners == 4) {
      arm_a[(axis + 1) % 3] = arm_b[(axis + 1) % 3] = corner % 2 == 0 ? -0.5 : 0.5;
      arm_a[(axis + 2) % 3] = arm_b[(axis + 2) % 3] = corner < 2 ? -0.5 : 0.5;
    }
    add_contact(list, a, b, axis, arm_a, arm_b);
  }
}

/* Contacts of every body of the lattice with its neighbours on the lower side along x, y and z, or with the ground. */
static void add_lattice(const thud_test_pile *pile, int corners, contact_list *list) {
  const thud_index stride[3] = {1, pile->nx, pile->nx * pile->ny};
  for (thud_index self = 0; self < stride[2] * pile->nz; self++) {
    const thud_index at[3] = {self % pile->nx, self / pile->nx % pile->ny, self / stride[2]};
    for (int axis = 0; axis < 3; axis++)
      if (at[axis] > 0 || axis == 2) add_face(list, self, at[axis] > 0 ? self - stride[axis] : -1, axis, corners);
  }
}

thud_error thud_test_pile_of_spheres(thud_context *context, thud_random *random, const thud_test_pile *pile,
                                     thud_test_problem *made) {
  thud_test_problem work = {0};
  contact_list list = {0};
  const double inertia = 0.4 * 0.25; /* 2/5 R^2 */
  thud_error error = begin_pile(context, random, pile, pile->nx * pile->ny, lattice_faces(pile), inertia, &work, &list);
  if (error == THUD_OK) add_lattice(pile, 1, &list);
  return finish(error, &work, made);
}

static const double box_inertia = 1.0 / 6; /* of a unit cube of mass 1 */

thud_error thud_test_wall_of_boxes(thud_context *context, thud_random *random, const thud_test_pile *pile,
                                   thud_test_problem *made) {
  thud_test_problem work = {0};
  contact_list list = {0};
  thud_error error =
      begin_pile(context, random, pile, pile->nx * pile->ny, 4 * lattice_faces(pile), box_inertia, &work, &list);
  if (error == THUD_OK) add_lattice(pile, 4, &list);
  return finish(error, &work, made);
}

thud_error thud_test_stack_of_boxes(thud_context *context, thud_random *random, const thud_test_pile *pile,
                                    thud_test_problem *made) {
  thud_test_pile stack = *pile;
  stack.nx = stack.ny = 1;
  return thud_test_wall_of_boxes(context, random, &stack, made);
}

/* The four corners of the half of a face that box a shares with box b, whose centre stands below it and `aside`
 * (-1/2 or 1/2) along x. */
static void add_half_face(contact_list *list, thud_index a, thud_index b, double aside) {
  for (int corner = 0; corner < 4; corner++) {
    double x = corner % 2 == 0 ? 0 : aside, y = corner < 2 ? -0.5 : 0.5;
    add_contact(list, a, b, 2, (const double[3]){x, y, -0.5}, (const double[3]){x - aside, y, 0.5});
  }
}

thud_error thud_test_pyramid_of_boxes(thud_context *context, thud_random *random, const thud_test_pile *pile,
                                      thud_test_problem *made) {
  thud_test_problem work = {0};
  contact_list list = {0};
  thud_index width = pile->nx, boxes = width * (width + 1) / 2, self = 0;
  thud_test_pile column = *pile; /* boxes one by one, all of the same mass */
  column.nz = boxes;
  column.mass_ratio = 1;
  thud_error error =
      begin_pile(context, random, &column, 1, 4 * width + 8 * (boxes - width), box_inertia, &work, &list);
  for (thud_index row = width; error == THUD_OK && row > 0; row--)
    for (thud_index i = 0; i < row; i++, self++) {
      thud_index below = self - row - 1; /* the left one of the two that carry it */
      if (row == width) {
        add_face(&list, self, -1, 2, 4);
      } else {
        add_half_face(&list, self, below, -0.5);
        add_half_face(&list, self, below + 1, 0.5);
      }
    }
  return finish(error, &work, made);
}
