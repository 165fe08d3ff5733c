/* CVODE's part of an arc: BDF of order 1 to 5 with Newton's method and dense matrices, restarted at each arc.
 *
 * CVODE's history cannot be saved, and a run that is restored from a checkpoint has to give the same bits. So an arc
 * depends on the state at its start alone, and is as long as one polynomial can be: many steps of CVODE. */
#include "motions/event/arc_cvode.h"

#ifndef THUD_WITH_CVODE

thud_error thud_arc_cvode_create(thud_context *context, size_t count, double tolerance, arc_cvode **made) {
  (void)count;
  (void)tolerance;
  (void)made;
  return thud_fail(context, THUD_ERROR_UNSUPPORTED,
                   "arcs by CVODE: this libthud was built without it; install SUNDIALS (Debian's libsundials-dev) and "
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
  return thud_fail(arc->context, THUD_ERROR_UNSUPPORTED, "built without CVODE");
}

#else

#include "motions/event/arc_functions.h"

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <string.h>
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
    return thud_fail(context, THUD_ERROR_MEMORY, "no memory for CVODE with %zu unknowns", count);
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
  if (!start(cvode, h)) return thud_fail(arc->context, THUD_ERROR_MEMORY, "CVODE cannot be started");
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
