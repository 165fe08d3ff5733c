/* Arcs of stiff motions: states from CVODE, and polynomials through them by collocation. */
#include "linalg/dense.h"
#include "motions/event/arc_functions.h"
#include "motions/event/arc_polynomial.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- states from CVODE --------------------------------------------------------------------------------------------- */

/* BDF of order 1 to 5 with Newton's method and dense matrices, restarted at each arc. CVODE's history cannot be saved, and
 * a run that is restored from a checkpoint has to give the same bits. So an arc depends on the state at its start alone,
 * and is as long as one polynomial can be: many steps of CVODE. */

#ifndef THUD_WITH_CVODE

thud_error thud_arc_cvode_create(thud_context *context, size_t count, double tolerance, arc_cvode **made) {
  (void)count;
  (void)tolerance;
  (void)made;
  return thud_fail(context, THUD_ERROR_UNSUPPORTED,
                   "[unsupported-method] arcs by CVODE: this libthud was built without it; install SUNDIALS (Debian's "
                   "libsundials-dev) and "
                   "configure with -DTHUD_WITH_CVODE=ON, or use 'arcs: auto'");
}

void thud_arc_cvode_destroy(thud_context *context, arc_cvode *cvode) {
  (void)context;
  (void)cvode;
}

thud_error thud_arc_cvode_follow(arc_cvode *cvode, sim_arc *arc, double h, const double *size, bool *reached) {
  (void)cvode;
  (void)h;
  (void)size;
  (void)reached;
  return thud_fail(arc->context, THUD_ERROR_UNSUPPORTED, "[unsupported-method] built without CVODE");
}

#else

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_version.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#ifndef SUNDIALS_DOUBLE_PRECISION
#error "THUD_WITH_CVODE needs a SUNDIALS of double precision"
#endif

enum { MOST_STEPS = 20000 }; /* of CVODE from one node to the next */

struct arc_cvode {
  double tolerance;
  SUNContext context;
  void *solver;
  N_Vector y, size, bad;
  SUNMatrix matrix;
  SUNLinearSolver linear;
  bool started;
  sim_arc *arc;     /* that is followed */
  bool failed;      /* the slope did at a state: */
  double bad_place; /* s, with y in `bad` */
};

/* > 0: CVODE tries a nearer state. */
static int slope_of(sunrealtype s, N_Vector y, N_Vector slope, void *user) {
  arc_cvode *cvode = user;
  thud_error error = thud_arc_slope(cvode->arc, s, NV_DATA_S(y), NV_DATA_S(slope));
  if (error == THUD_OK) return 0;
  cvode->failed = true;
  cvode->bad_place = s;
  N_VScale(1, y, cvode->bad);
  return thud_arc_functions_may_retry(cvode->arc->functions->stage, error) ? 1 : -1;
}

/* What the slope said when CVODE gave up because of it: it is asked again, so that the stage and the message stand as
 * they did. */
static thud_error reason_of(arc_cvode *cvode) {
  if (!cvode->failed) return THUD_OK;
  return thud_arc_slope(cvode->arc, cvode->bad_place, NV_DATA_S(cvode->bad), NV_DATA_S(cvode->y));
}

/* CVODE would print its messages; what they say is in what it returns. */
#if SUNDIALS_VERSION_MAJOR >= 7
static thud_error make_context(arc_cvode *cvode) {
  if (SUNContext_Create(SUN_COMM_NULL, &cvode->context) != 0) return THUD_ERROR_MEMORY;
  return SUNContext_ClearErrHandlers(cvode->context) == 0 ? THUD_OK : THUD_ERROR_MEMORY;
}
static bool be_silent(void *solver) { return solver != NULL; }
#else
static thud_error make_context(arc_cvode *cvode) {
  return SUNContext_Create(NULL, &cvode->context) == 0 ? THUD_OK : THUD_ERROR_MEMORY;
}
static void say_nothing(int code, const char *module, const char *function, char *message, void *user) {
  (void)code;
  (void)module;
  (void)function;
  (void)message;
  (void)user;
}
static bool be_silent(void *solver) {
  return solver != NULL && CVodeSetErrHandlerFn(solver, say_nothing, NULL) == CV_SUCCESS;
}
#endif

static thud_error make_solver(arc_cvode *cvode, size_t count) {
  sunindextype n = (sunindextype)count;
  thud_error error = make_context(cvode);
  if (error != THUD_OK) return error;
  cvode->y = N_VNew_Serial(n, cvode->context);
  cvode->size = N_VNew_Serial(n, cvode->context);
  cvode->bad = N_VNew_Serial(n, cvode->context);
  cvode->matrix = SUNDenseMatrix(n, n, cvode->context);
  if (cvode->y == NULL || cvode->size == NULL || cvode->bad == NULL || cvode->matrix == NULL) return THUD_ERROR_MEMORY;
  cvode->linear = SUNLinSol_Dense(cvode->y, cvode->matrix, cvode->context);
  cvode->solver = CVodeCreate(CV_BDF, cvode->context);
  return cvode->linear != NULL && be_silent(cvode->solver) ? THUD_OK : THUD_ERROR_MEMORY;
}

thud_error thud_arc_cvode_create(thud_context *context, size_t count, double tolerance, arc_cvode **made) {
  arc_cvode *cvode = THUD_NEW(context, arc_cvode);
  if (cvode == NULL) return THUD_ERROR_MEMORY;
  cvode->tolerance = tolerance;
  if (make_solver(cvode, count) != THUD_OK) {
    thud_arc_cvode_destroy(context, cvode);
    return thud_fail(context, THUD_ERROR_MEMORY, "[unsupported-method] no memory for CVODE with %zu unknowns", count);
  }
  *made = cvode;
  return THUD_OK;
}

void thud_arc_cvode_destroy(thud_context *context, arc_cvode *cvode) {
  if (cvode == NULL) return;
  CVodeFree(&cvode->solver);
  if (cvode->linear != NULL) SUNLinSolFree(cvode->linear);
  if (cvode->matrix != NULL) SUNMatDestroy(cvode->matrix);
  if (cvode->y != NULL) N_VDestroy(cvode->y);
  if (cvode->size != NULL) N_VDestroy(cvode->size);
  if (cvode->bad != NULL) N_VDestroy(cvode->bad);
  SUNContext_Free(&cvode->context);
  thud_free(context, cvode);
}

/* The first start makes everything, later ones forget the history. */
static bool start(arc_cvode *cvode, double h) {
  if (cvode->started)
    return CVodeReInit(cvode->solver, 0, cvode->y) == CV_SUCCESS &&
           CVodeSVtolerances(cvode->solver, cvode->tolerance, cvode->size) == CV_SUCCESS &&
           CVodeSetStopTime(cvode->solver, h) == CV_SUCCESS;
  cvode->started = CVodeInit(cvode->solver, slope_of, 0, cvode->y) == CV_SUCCESS &&
                   CVodeSetUserData(cvode->solver, cvode) == CV_SUCCESS &&
                   CVodeSVtolerances(cvode->solver, cvode->tolerance, cvode->size) == CV_SUCCESS &&
                   CVodeSetLinearSolver(cvode->solver, cvode->linear, cvode->matrix) == CV_SUCCESS &&
                   CVodeSetMaxNumSteps(cvode->solver, MOST_STEPS) == CV_SUCCESS &&
                   CVodeSetStopTime(cvode->solver, h) == CV_SUCCESS;
  return cvode->started;
}

thud_error thud_arc_cvode_follow(arc_cvode *cvode, sim_arc *arc, double h, const double *size, bool *reached) {
  struct arc_functions *functions = arc->functions;
  size_t count = 2 * arc->n;
  sunrealtype s = 0;
  memcpy(NV_DATA_S(cvode->y), functions->method.start, count * sizeof(double));
  for (size_t i = 0; i < count; i++) NV_DATA_S(cvode->size)[i] = cvode->tolerance * size[i];
  cvode->arc = arc;
  cvode->failed = false;
  *reached = false;
  if (!start(cvode, h))
    return thud_fail(arc->context, THUD_ERROR_MEMORY, "[unsupported-method] CVODE cannot be started");
  for (size_t k = 0; k < ARC_NODES; k++) {
    int status = CVode(cvode->solver, functions->interpolation.place[k] * h, cvode->y, &s, CV_NORMAL);
    if (status < 0) return reason_of(cvode);
    memcpy(functions->states + k * count, NV_DATA_S(cvode->y), count * sizeof(double));
  }
  memcpy(functions->method.end, NV_DATA_S(cvode->y), count * sizeof(double));
  *reached = true;
  return THUD_OK;
}

#endif

/* ---- collocation --------------------------------------------------------------------------------------------------- */

/* Arcs through states from CVODE: collocation by Newton's method.
 *
 * CVODE's velocities at the nodes become a polynomial, with v and a of the start; a is its derivative and q its
 * integral. Its accelerations are as good as the errors of v divided by the step, which is not enough to read forces
 * off. Picard's sweeps of the Runge-Kutta arcs would multiply the errors by the step times the largest rate of a stiff
 * system. Instead the accelerations a_k at the nodes are the unknowns of
 *
 *   a_k = f(t_k, q_k, v_k),   v_k = v_0 + h sum_l V_kl a_l + ...,   q_k = q_0 + x_k h v_0 + h^2 sum_l Q_kl a_l + ...,
 *
 * V and Q the integrals of the interpolating
 * polynomials (collocation: Hairer, Wanner, Solving Ordinary Differential Equations II, section IV.5), with the
 * Jacobian of f at the middle of the arc by differences. The polynomial and CVODE must agree at the end.
 *
 * The same without CVODE is for slip of several components that begins from rest, turning: u_T = w s^j, where a change of
 * its direction is taken back at the rate mu r_N/|u_T|, which is infinite at the start. Steps of a Runge-Kutta method would
 * have to be shorter than that everywhere; collocation is stable. It begins with the first two orders of a, and each
 * node has a Jacobian of its own. */

enum { MOST_ITERATIONS = 8, MIDDLE = ARC_NODES / 2 };

/* The polynomial and CVODE may differ by so many of its local errors at the end of an arc, which is many steps long. */
#define APART 1000.0
/* Newton's method has to gain at least this from one correction to the next. */
#define CONTRACTION 0.5
/* Errors this small, in units of eps times the terms of a number, are rounding. */
#define ROUNDING 64.0

struct arc_collocation {
  size_t n;
  double velocity[ARC_NODES][ARC_NODES]; /* V */
  double position[ARC_NODES][ARC_NODES]; /* Q */
  double *numbers;                       /* owns: */
  bool by_node;                          /* the Jacobians of the nodes, otherwise that of the middle for all */
  double *jacobian;                      /* [12*2n*n] of each node da_i/dy_j at j*n + i, y = (q, v) */
  double *noise;                         /* [n] what the rounding of q and v makes of the accelerations */
  double *size;                          /* [2n] what errors of y are relative to, component by component */
  double *slope;                         /* [4n] */
  double *correction;                    /* [12n] */
  double *factor;                        /* [(12n)^2] */
  thud_index *pivots;                    /* [12n] */
  double velocity_noise;                 /* what the noise makes of the velocities, in the kinetic metric */
};

/* ---- memory of the collocation ------------------------------------------------------------------------------------- */

/* Integrals up to each node of the polynomials that are 1 at one of them and 0 at 0 and the others. */
static void set_integrals(arc_collocation *made, const arc_interpolation *interpolation) {
  for (size_t l = 0; l < ARC_NODES; l++) {
    double values[ARC_NODES] = {0}, c[ARC_NODES + 1] = {0}, v[ARC_NODES + 2] = {0}, q[ARC_NODES + 3] = {0};
    values[l] = 1;
    thud_arc_interpolate(interpolation, 1, values, 1, c);
    for (int k = 0; k <= ARC_NODES; k++) {
      v[k + 1] = c[k] / (k + 1);
      q[k + 2] = v[k + 1] / (k + 2);
    }
    for (size_t k = 0; k < ARC_NODES; k++) {
      made->velocity[k][l] = thud_arc_polynomial(ARC_NODES + 1, v, interpolation->place[k], NULL);
      made->position[k][l] = thud_arc_polynomial(ARC_NODES + 2, q, interpolation->place[k], NULL);
    }
  }
}

thud_error thud_arc_collocation_create(thud_context *context, const arc_interpolation *interpolation, size_t n,
                                       arc_collocation **made) {
  size_t unknowns, entries, total;
  if (!thud_size_multiply(n, ARC_NODES, &unknowns) || !thud_size_multiply(unknowns, unknowns, &entries) ||
      entries > SIZE_MAX / 2)
    return thud_fail(context, THUD_ERROR_MEMORY, "[unsupported-method] %zu coordinates are too many for arcs by CVODE",
                     n);
  arc_collocation *collocation = THUD_NEW(context, arc_collocation);
  if (collocation == NULL) return THUD_ERROR_MEMORY;
  total = (size_t)ARC_NODES * 2 * n * n + 7 * n + unknowns + entries; /* less than 2 entries + 8 */
  double *next = collocation->numbers = THUD_NEW_ARRAY(context, double, total);
  collocation->pivots = THUD_NEW_ARRAY(context, thud_index, unknowns);
  if (next == NULL || collocation->pivots == NULL) {
    thud_arc_collocation_destroy(context, collocation);
    return THUD_ERROR_MEMORY;
  }
  collocation->n = n;
  collocation->jacobian = next;
  collocation->noise = collocation->jacobian + (size_t)ARC_NODES * 2 * n * n;
  collocation->size = collocation->noise + n;
  collocation->slope = collocation->size + 2 * n;
  collocation->correction = collocation->slope + 4 * n;
  collocation->factor = collocation->correction + unknowns;
  set_integrals(collocation, interpolation);
  *made = collocation;
  return THUD_OK;
}

void thud_arc_collocation_destroy(thud_context *context, arc_collocation *collocation) {
  if (collocation == NULL) return;
  thud_free(context, collocation->numbers);
  thud_free(context, collocation->pivots);
  thud_free(context, collocation);
}

/* ---- the linear problem ------------------------------------------------------------------------------------------ */

/* The kinetic sizes as sizes of the components. Where nothing moves any size will do. */
static void set_sizes(const sim_arc *arc, const arc_scales *by) {
  double *size = arc->functions->collocation->size;
  for (size_t i = 0; i < arc->n; i++) {
    double mass = sqrt(arc->jet[arc->jets.layout.mass + i * arc->n + i]);
    size[i] = by->q > 0 ? by->q / mass : 1;
    size[arc->n + i] = by->v > 0 ? by->v / mass : 1;
  }
}

/* da/d(q, v) at a node of the arc by differences, and the noise of a. small: of the differences. */
static thud_error set_jacobian(sim_arc *arc, double h, size_t node, double *jacobian, double small) {
  struct arc_functions *functions = arc->functions;
  arc_collocation *work = functions->collocation;
  size_t n = arc->n;
  double s = functions->interpolation.place[node] * h, *y = functions->states + node * 2 * n;
  double *base = work->slope, *moved = work->slope + 2 * n;
  thud_error error = thud_arc_slope(arc, s, y, base);
  memset(work->noise, 0, n * sizeof(double));
  for (size_t j = 0; j < 2 * n && error == THUD_OK; j++) {
    double *column = jacobian + j * n, kept = y[j];
    y[j] += small * fmax(fabs(kept), work->size[j]);
    double step = y[j] - kept;
    error = thud_arc_slope(arc, s, y, moved);
    y[j] = kept;
    for (size_t i = 0; i < n; i++) {
      column[i] = (moved[n + i] - base[n + i]) / step;
      work->noise[i] += ROUNDING * DBL_EPSILON * fabs(column[i] * kept);
    }
  }
  return error;
}

/* I - h V x da/dv - h^2 Q x da/dq, column-major; unknown k n + i is a_i at node k. */
static bool factorise(arc_collocation *work, double h) {
  size_t n = work->n, unknowns = ARC_NODES * n;
  for (size_t l = 0; l < ARC_NODES; l++)
    for (size_t j = 0; j < n; j++) {
      double *column = work->factor + (l * n + j) * unknowns;
      for (size_t k = 0; k < ARC_NODES; k++) {
        const double *by_q = work->jacobian + (work->by_node ? k * 2 * n * n : 0), *by_v = by_q + n * n;
        for (size_t i = 0; i < n; i++)
          column[k * n + i] = (k == l && i == j ? 1 : 0) - h * work->velocity[k][l] * by_v[j * n + i] -
                              h * h * work->position[k][l] * by_q[j * n + i];
      }
    }
  return thud_dense_lu((thud_index)unknowns, work->factor, work->pivots);
}

/* ---- Newton's method --------------------------------------------------------------------------------------------- */

/* a of component i at place x h of the arc. */
static double acceleration_at(const sim_arc *arc, size_t i, double s) {
  double sum = 0;
  for (int k = arc->order; k >= 0; k--) sum = sum * s + arc->a[(size_t)k * arc->n + i];
  return sum;
}

/* The sampled accelerations minus those of the polynomial at a place, into difference[n]. */
static void residual_at(const sim_arc *arc, double h, size_t place, double *difference) {
  const struct arc_functions *functions = arc->functions;
  const double *sampled = functions->samples + place * thud_arc_width(arc) + arc->jets.layout.count + arc->rows;
  for (size_t i = 0; i < arc->n; i++)
    difference[i] = sampled[i] - acceleration_at(arc, i, functions->interpolation.place[place] * h);
}

/* Adds the polynomial with the corrections at the nodes to a, and to v and q its integrals. */
static void add_correction(sim_arc *arc, double h) {
  const arc_collocation *work = arc->functions->collocation;
  size_t n = arc->n;
  for (size_t i = 0; i < n; i++) {
    double c[ARC_NODES + 1] = {0}, power = 1;
    thud_arc_interpolate(&arc->functions->interpolation, 1, work->correction + i, n, c);
    for (int k = 0; k <= ARC_NODES; k++, power *= h) arc->a[(size_t)k * n + i] += c[k] / power;
  }
  thud_arc_integrate(arc);
}

/* The largest change of the velocities at the nodes by the corrections. */
static double velocity_change(const sim_arc *arc, double h) {
  const arc_collocation *work = arc->functions->collocation;
  size_t n = arc->n;
  double *v = work->slope, largest = 0;
  for (size_t k = 0; k < ARC_NODES; k++) {
    memset(v, 0, n * sizeof(double));
    for (size_t l = 0; l < ARC_NODES; l++)
      for (size_t i = 0; i < n; i++) v[i] += h * work->velocity[k][l] * work->correction[l * n + i];
    largest = fmax(largest, thud_arc_norm(arc, v));
  }
  return largest;
}

/* What the noise of the accelerations, with signs in turn, makes of the velocities: on the slow motions of a stiff
 * system v follows from forces that nearly cancel. */
static double velocity_noise(const sim_arc *arc, double h) {
  const arc_collocation *work = arc->functions->collocation;
  for (size_t k = 0; k < ARC_NODES; k++)
    for (size_t i = 0; i < arc->n; i++)
      work->correction[k * arc->n + i] = k % 2 == 0 ? work->noise[i] : -work->noise[i];
  thud_dense_lu_solve((thud_index)(ARC_NODES * arc->n), work->factor, work->pivots, work->correction);
  return velocity_change(arc, h);
}

/* The largest correction of the accelerations, and of the velocities by them, in units of what is accepted. */
static double correction_size(const sim_arc *arc, double h, const arc_scales *by) {
  const struct arc_functions *functions = arc->functions;
  const arc_collocation *work = functions->collocation;
  double forces = ARC_FORCES * functions->tolerance * by->a + thud_arc_norm(arc, work->noise);
  double located = ARC_LOCATED * functions->tolerance * by->v + work->velocity_noise;
  double worst = thud_arc_beside(velocity_change(arc, h), located);
  for (size_t k = 0; k < ARC_NODES; k++)
    worst = fmax(worst, thud_arc_beside(thud_arc_norm(arc, work->correction + k * arc->n), forces));
  return worst;
}

/* The smallest speed of a slip that turns, beside all velocities, at a node. */
static double slowest_slip(const sim_arc *arc, size_t node, const arc_scales *by) {
  const struct arc_functions *functions = arc->functions;
  const double *slip = functions->samples + node * thud_arc_width(arc) + arc->jets.layout.slip_velocity;
  double slowest = 1;
  for (size_t k = 0; k < arc->modes.slide_count; k++) {
    const arc_slide *slide = &arc->modes.slide[k];
    double speed = 0;
    if (!thud_arc_slide_turns(slide)) continue;
    for (size_t c = 0; c < slide->directions; c++) speed = hypot(speed, slip[slide->first + c]);
    double all = arc->own[arc->m + slide->first] * by->v;
    if (all > 0) slowest = fmin(slowest, speed / all);
  }
  return slowest;
}

/* The Jacobians of all nodes, whose samples are there, and the factor; *regular: there is one. */
static thud_error set_jacobians(sim_arc *arc, double h, const arc_scales *by, bool *regular) {
  arc_collocation *work = arc->functions->collocation;
  thud_error error = THUD_OK;
  for (size_t k = 0; k < ARC_NODES && error == THUD_OK; k++) {
    double small = sqrt(DBL_EPSILON) * fmax(slowest_slip(arc, k, by), sqrt(DBL_EPSILON));
    error = set_jacobian(arc, h, k, work->jacobian + k * 2 * arc->n * arc->n, small);
  }
  work->by_node = true;
  *regular = error == THUD_OK && factorise(work, h);
  return error;
}

/* Newton's method with new Jacobians in every step. */
static thud_error solve_by_nodes(sim_arc *arc, double h, const arc_scales *by, bool *solved) {
  arc_collocation *work = arc->functions->collocation;
  thud_error error = THUD_OK;
  work->velocity_noise = 0;
  *solved = false;
  thud_arc_take_states(arc, h, ARC_NODES);
  for (int iteration = 0; iteration < MOST_ITERATIONS && error == THUD_OK && !*solved; iteration++) {
    bool regular = false;
    error = thud_arc_sample_nodes(arc, h);
    if (error == THUD_OK) error = set_jacobians(arc, h, by, &regular);
    if (error != THUD_OK || !regular) return error;
    for (size_t k = 0; k < ARC_NODES; k++) residual_at(arc, h, k, work->correction + k * arc->n);
    thud_dense_lu_solve((thud_index)(ARC_NODES * arc->n), work->factor, work->pivots, work->correction);
    add_correction(arc, h);
    thud_arc_take_states(arc, h, ARC_NODES);
    double size = correction_size(arc, h, by);
    *solved = size <= 1;
    if (!isfinite(size)) break;
  }
  return error;
}

/* Until the corrections are accepted; *solved: they were. */
static thud_error solve(sim_arc *arc, double h, const arc_scales *by, bool *solved) {
  arc_collocation *work = arc->functions->collocation;
  double before = INFINITY;
  *solved = false;
  thud_arc_take_states(arc, h, ARC_NODES);
  thud_error error = set_jacobian(arc, h, MIDDLE, work->jacobian, sqrt(DBL_EPSILON));
  work->by_node = false;
  if (error != THUD_OK || !factorise(work, h)) return error;
  work->velocity_noise = velocity_noise(arc, h);
  for (int iteration = 0; iteration < MOST_ITERATIONS && error == THUD_OK; iteration++) {
    error = thud_arc_sample_nodes(arc, h);
    if (error != THUD_OK) break;
    for (size_t k = 0; k < ARC_NODES; k++) residual_at(arc, h, k, work->correction + k * arc->n);
    thud_dense_lu_solve((thud_index)(ARC_NODES * arc->n), work->factor, work->pivots, work->correction);
    add_correction(arc, h);
    thud_arc_take_states(arc, h, ARC_NODES);
    double size = correction_size(arc, h, by);
    *solved = size <= 1;
    if (*solved || !(size <= CONTRACTION * before)) break;
    before = size;
  }
  return error;
}

/* ---- the polynomials of an arc ------------------------------------------------------------------------------------- */

/* CVODE's velocities as a polynomial. */
static void begin_polynomials(sim_arc *arc, double h) {
  const struct arc_functions *functions = arc->functions;
  size_t n = arc->n, width = thud_arc_width(arc), column = width - n;
  for (size_t k = 0; k < ARC_NODES; k++)
    memcpy(functions->samples + k * width + column, functions->states + k * 2 * n + n, n * sizeof(double));
  for (size_t i = 0; i < n; i++) {
    thud_arc_fit(arc, h, column + i, 2, arc->v + i, n, NULL);
    for (int k = 1; k <= arc->order; k++) arc->a[(size_t)(k - 1) * n + i] = k * arc->v[(size_t)k * n + i];
    arc->a[(size_t)arc->order * n + i] = 0;
  }
  thud_arc_integrate(arc);
}

/* The accelerations between the nodes, in units of what is accepted. */
static double acceleration_error(const sim_arc *arc, double h, const arc_scales *by) {
  const struct arc_functions *functions = arc->functions;
  const arc_collocation *work = functions->collocation;
  double accepted = ARC_FORCES * functions->tolerance * by->a + thud_arc_norm(arc, work->noise), worst = 0;
  for (size_t c = 0; c < ARC_CHECKS; c++) {
    residual_at(arc, h, ARC_NODES + c, work->slope);
    worst = fmax(worst, thud_arc_beside(thud_arc_norm(arc, work->slope), accepted));
  }
  return worst;
}

/* The rounding of the forces from that of the accelerations. */
static void set_rounding(const sim_arc *arc) {
  const struct arc_functions *functions = arc->functions;
  const double *mass = arc->jet + arc->jets.layout.mass;
  for (size_t i = 0; i < arc->n; i++) {
    functions->rounding[i] = 0;
    for (size_t j = 0; j < arc->n; j++)
      functions->rounding[i] += fabs(mass[i * arc->n + j]) * functions->collocation->noise[j];
  }
}

/* How far the polynomials' end is from that of CVODE in units of what is accepted. CVODE's errors of q, relative to q,
 * make errors of v as its rounding does. */
static double disagreement(const sim_arc *arc, double h, const arc_scales *by) {
  const struct arc_functions *functions = arc->functions;
  arc_scales wide = *by;
  wide.v += functions->collocation->velocity_noise / (ROUNDING * DBL_EPSILON);
  return thud_arc_end_error(arc, h, functions->method.end, &wide) * functions->tolerance /
         (APART * functions->cvode_tolerance);
}

/* a_0 + a_1 s and its integrals. */
static void begin_with_two_orders(sim_arc *arc) {
  const struct arc_functions *functions = arc->functions;
  memset(arc->a + arc->n, 0, (size_t)arc->order * arc->n * sizeof(double));
  memcpy(arc->a + arc->n, functions->second, arc->n * sizeof(double));
  thud_arc_integrate(arc);
}

thud_error thud_arc_by_collocation(sim_arc *arc, double h, double *worst, bool *drifts) {
  struct arc_functions *functions = arc->functions;
  bool solved = false;
  *drifts = false;
  *worst = INFINITY;
  begin_with_two_orders(arc);
  thud_arc_state(arc, h, functions->method.end, functions->method.end + arc->n);
  arc_scales by = thud_arc_scales_of(arc, h);
  set_sizes(arc, &by);
  thud_error error = solve_by_nodes(arc, h, &by, &solved);
  if (error != THUD_OK || !solved) return error;
  thud_arc_state(arc, h, functions->method.end, functions->method.end + arc->n);
  error = thud_arc_sample_all(arc, h);
  if (error != THUD_OK) return error;
  *worst = fmax(acceleration_error(arc, h, &by), thud_arc_judge(arc, h, &by, drifts));
  return THUD_OK;
}

thud_error thud_arc_by_cvode(sim_arc *arc, double h, double *worst, bool *drifts) {
  struct arc_functions *functions = arc->functions;
  bool reached = false, solved = false;
  *drifts = false;
  *worst = INFINITY;
  memcpy(functions->method.end, functions->method.start, 2 * arc->n * sizeof(double));
  arc_scales by = thud_arc_scales_of(arc, h);
  set_sizes(arc, &by);
  thud_error error = thud_arc_cvode_follow(functions->cvode, arc, h, functions->collocation->size, &reached);
  if (error != THUD_OK || !reached) return error;
  by = thud_arc_scales_of(arc, h);
  begin_polynomials(arc, h);
  error = solve(arc, h, &by, &solved);
  if (error != THUD_OK || !solved) return error;
  error = thud_arc_sample_all(arc, h);
  if (error != THUD_OK) return error;
  *worst = fmax(acceleration_error(arc, h, &by), disagreement(arc, h, &by));
  *worst = fmax(*worst, thud_arc_judge(arc, h, &by, drifts));
  set_rounding(arc);
  return THUD_OK;
}
