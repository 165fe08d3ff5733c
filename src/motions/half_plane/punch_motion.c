/* A punch under loads that follow each other: each step finds the equilibrium under the load at its end, with friction on
 * the displacement since the load before. */
#include "base/base.h"
#include "motions/half_plane/half_plane.h"
#include "motions/motion.h"

#include <math.h>
#include <string.h>

enum { NORMAL, TANGENTIAL, ROTATION, DRIVES };
enum { PRESSURE, TRACTION, GAP, DISPLACEMENT, SLIP, FIELDS };

/* What changes, beside the fields. No pointers: it is part of the state block. */
typedef struct punch_progress {
  uint64_t next; /* number of the load that comes next */
  uint64_t systems;
  int64_t regime;
  double t, creep, law_error, largest_pressure;
  double load[DRIVES], motion[DRIVES];
  thud_punch_zone contact, stick;
  thud_punch_ledger ledger;
} punch_progress;

typedef struct punch_motion {
  thud_motion base;
  thud_punch_problem problem;
  thud_punch *punch;
  thud_index n;
  thud_motion_status status;
  punch_progress now;
  double *fields;     /* [FIELDS x n] */
  signed char *state; /* [n] of thud_punch_state */
  double *reference;  /* [n] */
} punch_motion;

static double *field(const punch_motion *own, int k) { return own->fields + (ptrdiff_t)k * own->n; }

static bool is_rolling(const punch_motion *own) { return own->problem.method == THUD_PUNCH_ROLLING; }
static bool has_ledger(const punch_motion *own) { return own->problem.method == THUD_PUNCH_INCREMENTAL; }

/* Friction acts on the displacement since the load before, and there is such a load. */
static bool has_history(const punch_motion *own) { return own->now.next > 0 && (has_ledger(own) || is_rolling(own)); }

/* ---- one load ---------------------------------------------------------------------------------------------------- */

static double time_of(const punch_motion *own, uint64_t k) {
  const thud_punch_problem *problem = &own->problem;
  double steps = problem->steps, number = (double)k;
  return number < steps ? problem->start + number / steps * (problem->end - problem->start) : problem->end;
}

/* The drive at t; false: a value is not finite (the context's message says which). */
static thud_error ask_drive(const punch_motion *own, double t, thud_punch_drive *drive, bool *finite) {
  static const char *const names[DRIVES][2] = {{"P", "depth"}, {"Q", "shift"}, {"moment", "tilt"}};
  thud_context *context = own->base.context;
  *drive = own->problem.given;
  if (own->problem.drive(own->problem.user, t, drive) != 0)
    return thud_fail(context, THUD_ERROR_CALLBACK, "the drive of the punch at t = %g failed", t);
  const double values[DRIVES] = {drive->normal, drive->tangential, drive->rotation};
  const bool moved[DRIVES] = {drive->depth_given, drive->shift_given, !drive->moment_given};
  *finite = true;
  for (int k = 0; k < DRIVES && *finite; k++) {
    *finite = isfinite(values[k]);
    if (!*finite)
      (void)thud_fail(context, THUD_ERROR_NOT_FINITE, "t = %.15g: the load '%s' is %g", t, names[k][moved[k]],
                      values[k]);
  }
  return THUD_OK;
}

/* The displacement that slip is counted from: 0, that of the load before, or that of the element which the surface has
 * come from. */
static thud_error set_reference(punch_motion *own) {
  thud_index n = own->n, roll = is_rolling(own) ? own->problem.roll : 0;
  const double *v = field(own, DISPLACEMENT);
  bool history = has_history(own);
  for (thud_index i = 0; i < n; i++) {
    thud_index from = i + roll < 0 ? 0 : i + roll >= n ? n - 1 : i + roll;
    own->reference[i] = history ? v[from] : 0;
  }
  return thud_punch_set_reference(own->punch, own->reference);
}

/* The states of the load before are a good guess; what does not come out from there is tried from the contact without
 * friction. */
static thud_error solve(punch_motion *own, const thud_punch_drive *drive, thud_punch_result *result) {
  bool guessed = has_history(own) && own->now.regime != THUD_PUNCH_REGIME_LIFTED;
  thud_error error = THUD_OK;
  int sweeps = 0;
  if (guessed) error = thud_punch_move(own->punch, drive, own->state, result);
  bool again = !guessed || (error == THUD_OK && result->status == THUD_PUNCH_NOT_CONVERGED) ||
               error == THUD_ERROR_SINGULAR || error == THUD_ERROR_NOT_CONVERGED;
  if (!again) return error;
  if (guessed && error == THUD_OK) sweeps = result->sweeps;
  error = thud_punch_move(own->punch, drive, NULL, result);
  result->sweeps += sweeps;
  return error;
}

static thud_punch_regime regime_of(const punch_motion *own, const thud_punch_result *result) {
  bool stuck = false, slips = false;
  for (thud_index i = 0; i < own->n; i++) {
    stuck = stuck || result->state[i] == THUD_PUNCH_STICK;
    slips = slips || result->state[i] == THUD_PUNCH_FORWARD || result->state[i] == THUD_PUNCH_BACKWARD;
  }
  if (stuck) return slips ? THUD_PUNCH_REGIME_PARTIAL : THUD_PUNCH_REGIME_STICKS;
  return slips ? THUD_PUNCH_REGIME_SLIDES : THUD_PUNCH_REGIME_LIFTED;
}

/* ---- energies ---------------------------------------------------------------------------------------------------- */

static double width(const punch_motion *own, thud_index i) { return own->problem.edges[i + 1] - own->problem.edges[i]; }

/* Sums over elements of forces times displacements. The surface follows the punch where p > 0: u = depth - g0 -
 * tilt (x - pivot). */
static double stored_energy(const punch_motion *own, const thud_punch_result *result) {
  double sum = 0;
  for (thud_index i = 0; i < own->n; i++) {
    double h = width(own, i), x = thud_half_plane_middle(own->punch->plane, i);
    double u = result->depth - own->punch->profile[i] - result->tilt * (x - own->problem.given.pivot);
    double v = result->displacement[i] - result->shift;
    sum += 0.5 * h * (result->pressure[i] * u + result->traction[i] * v);
  }
  return sum;
}

/* Work and losses of a step by the mean forces of its ends: for symmetric matrices the change of the stored energy is
 * the mean forces' work exactly, so that the defect is that of the mesh (0 for equal elements). */
static void book(punch_motion *own, const thud_punch_result *result) {
  punch_progress *now = &own->now;
  const double *p = field(own, PRESSURE), *q = field(own, TRACTION), *gap = field(own, GAP);
  const double load[DRIVES] = {result->normal, result->tangential, result->moment};
  const double motion[DRIVES] = {result->depth, result->shift, result->tilt};
  static const double sign[DRIVES] = {1, -1, -1};
  thud_punch_ledger *ledger = &now->ledger;
  double before = ledger->stored, work = 0, friction = 0, normal = 0;
  ledger->stored = stored_energy(own, result);
  if (now->next == 0) return;
  for (int k = 0; k < DRIVES; k++) work += sign[k] * 0.5 * (now->load[k] + load[k]) * (motion[k] - now->motion[k]);
  for (thud_index i = 0; i < own->n; i++) {
    double h = width(own, i);
    friction -= 0.5 * h * (q[i] + result->traction[i]) * result->slip[i];
    normal -= 0.5 * h * (p[i] + result->pressure[i]) * (result->gap[i] - gap[i]);
  }
  ledger->work += work;
  ledger->friction += friction;
  ledger->normal += normal;
  ledger->defect += work - (ledger->stored - before) - friction - normal;
}

/* ---- what has been found ----------------------------------------------------------------------------------------- */

/* A zone that is empty is one point: where the punch is lowest, or the middle of the contact. */
static void keep_zones(punch_motion *own, const thud_punch_result *result) {
  punch_progress *now = &own->now;
  thud_index lowest = 0;
  for (thud_index i = 1; i < own->n; i++)
    if (result->gap[i] < result->gap[lowest]) lowest = i;
  bool touches = result->contact.left <= result->contact.right, sticks = result->stick.left <= result->stick.right;
  double place = thud_half_plane_middle(own->punch->plane, lowest);
  now->contact = touches ? result->contact : (thud_punch_zone){place, place};
  double middle = 0.5 * (now->contact.left + now->contact.right);
  now->stick = sticks ? result->stick : (thud_punch_zone){middle, middle};
}

static void keep_fields(punch_motion *own, const thud_punch_result *result) {
  const double *found[FIELDS] = {[PRESSURE] = result->pressure,
                                 [TRACTION] = result->traction,
                                 [GAP] = result->gap,
                                 [DISPLACEMENT] = result->displacement,
                                 [SLIP] = result->slip};
  for (int k = 0; k < FIELDS; k++) memcpy(field(own, k), found[k], (size_t)own->n * sizeof(double));
  memcpy(own->state, result->state, (size_t)own->n * sizeof *own->state);
}

static void take(punch_motion *own, double t, const thud_punch_result *result) {
  punch_progress *now = &own->now;
  const double *edges = own->problem.edges;
  double largest = 0, h = (edges[own->n] - edges[0]) / own->n;
  if (has_ledger(own)) book(own, result);
  if (is_rolling(own))
    now->creep = now->next > 0 ? (result->shift - now->motion[TANGENTIAL]) / (h * own->problem.roll) : 0;
  keep_fields(own, result);
  for (thud_index i = 0; i < own->n; i++) largest = fmax(largest, result->pressure[i]);
  now->t = t;
  now->largest_pressure = fmax(now->largest_pressure, largest);
  now->law_error = fmax(now->law_error, result->law_error);
  now->systems += (uint64_t)result->sweeps;
  now->load[NORMAL] = result->normal;
  now->load[TANGENTIAL] = result->tangential;
  now->load[ROTATION] = result->moment;
  now->motion[NORMAL] = result->depth;
  now->motion[TANGENTIAL] = result->shift;
  now->motion[ROTATION] = result->tilt;
  keep_zones(own, result);
  now->regime = regime_of(own, result);
}

/* ---- one step ---------------------------------------------------------------------------------------------------- */

/* Why there is no answer, in the context's message, the status and a few words. */
static void explain(const punch_motion *own, double t, const thud_punch_result *result, thud_reached *reached) {
  thud_context *context = own->base.context;
  double F = own->punch->options.friction, P = result->normal, Q = result->tangential;
  if (result->status == THUD_PUNCH_NOT_CONVERGED) {
    reached->status = THUD_MOTION_NOT_CONVERGED;
    (void)thud_fail(
        context, THUD_ERROR_NOT_CONVERGED,
        "[solver-limit] t = %.15g: the states of the elements go on changing after %d sweeps; more (sweeps), smaller "
        "steps or another mesh may help",
        t, result->sweeps);
    return;
  }
  reached->status = THUD_MOTION_FAILED;
  reached->what = "no equilibrium";
  if (P < 0)
    (void)thud_fail(context, THUD_ERROR_UNSUPPORTED,
                    "[no-equilibrium] t = %.15g: P = %g pulls the punch off: there is no equilibrium without adhesion",
                    t, P);
  else if (fabs(Q) > F * P)
    (void)thud_fail(
        context, THUD_ERROR_UNSUPPORTED,
        "[no-equilibrium] t = %.15g: |Q| = %g is more than F P = %g: the punch slides away, there is no equilibrium", t,
        fabs(Q), F * P);
  else
    (void)thud_fail(
        context, THUD_ERROR_UNSUPPORTED,
        "[no-equilibrium] t = %.15g: no pressure under the punch has this moment: it topples, there is no equilibrium",
        t);
}

static void present(const thud_motion *motion, void *frame) {
  const punch_motion *own = (const punch_motion *)motion;
  const punch_progress *now = &own->now;
  thud_punch_frame made = {.t = now->t,
                           .regime = (thud_punch_regime)now->regime,
                           .contact = now->contact,
                           .stick = now->stick,
                           .ledger = now->ledger,
                           .creep = now->creep,
                           .pressure = field(own, PRESSURE),
                           .traction = field(own, TRACTION),
                           .gap = field(own, GAP),
                           .displacement = field(own, DISPLACEMENT),
                           .slip = field(own, SLIP),
                           .state = own->state};
  memcpy(made.load, now->load, sizeof made.load);
  memcpy(made.motion, now->motion, sizeof made.motion);
  *(thud_punch_frame *)frame = made;
}

/* The load that has just been solved, with the event that it is when the regime has changed. */
static thud_error hand_out(punch_motion *own, thud_punch_regime before, const thud_motion_sink *sink) {
  thud_punch_frame frame;
  present(&own->base, &frame);
  const thud_punch_event event = {.t = frame.t, .regime = frame.regime, .before = before};
  bool changed = own->now.next > 0 && frame.regime != before;
  int answer = changed && sink->event != NULL ? sink->event(sink->user, &event) : 0;
  int wish = answer >= 0 && sink->frame != NULL ? sink->frame(sink->user, &frame) : 0;
  if (answer < 0 || wish < 0) return THUD_ERROR_CALLBACK;
  if (answer > 0 || wish > 0) own->status = THUD_MOTION_STOPPED;
  return THUD_OK;
}

static thud_error step(thud_motion *motion, const thud_motion_sink *sink, thud_reached *reached) {
  punch_motion *own = (punch_motion *)motion;
  punch_progress *now = &own->now;
  thud_punch_drive drive;
  thud_punch_result result;
  bool finite = true, over = now->next > (uint64_t)own->problem.steps;
  double t = time_of(own, now->next);
  *reached = (thud_reached){.t = now->t, .status = over ? THUD_MOTION_COMPLETED : THUD_MOTION_RUNNING};
  own->status = reached->status;
  if (over) return THUD_OK;
  thud_error error = ask_drive(own, t, &drive, &finite);
  if (error == THUD_OK && finite) error = set_reference(own);
  if (error == THUD_OK && finite) error = solve(own, &drive, &result);
  if (error != THUD_OK) return error;
  if (!finite)
    reached->status = THUD_MOTION_BAD_DATA;
  else if (result.status != THUD_PUNCH_SOLVED && result.status != THUD_PUNCH_LIFTED)
    explain(own, t, &result, reached);
  own->status = reached->status;
  if (reached->status != THUD_MOTION_RUNNING) return THUD_OK;
  thud_punch_regime before = (thud_punch_regime)now->regime;
  take(own, t, &result);
  if (now->next == (uint64_t)own->problem.steps) own->status = THUD_MOTION_COMPLETED;
  error = hand_out(own, before, sink);
  now->next++;
  *reached = (thud_reached){.t = t, .status = own->status};
  return error;
}

/* ---- the state block --------------------------------------------------------------------------------------------- */

static size_t fields_size(const punch_motion *own) { return FIELDS * (size_t)own->n * sizeof(double); }

static size_t state_size(const thud_motion *motion) {
  const punch_motion *own = (const punch_motion *)motion;
  return sizeof own->now + fields_size(own) + (size_t)own->n * sizeof *own->state;
}

static void save(const thud_motion *motion, void *state) {
  const punch_motion *own = (const punch_motion *)motion;
  char *to = state;
  memcpy(to, &own->now, sizeof own->now);
  memcpy(to + sizeof own->now, own->fields, fields_size(own));
  memcpy(to + sizeof own->now + fields_size(own), own->state, (size_t)own->n * sizeof *own->state);
}

static const char *find_fault(const punch_motion *own, const punch_progress *now, const char *fields,
                              const signed char *states) {
  if (now->next > (uint64_t)own->problem.steps + 1) return "a number of loads";
  if (now->regime < THUD_PUNCH_REGIME_LIFTED || now->regime > THUD_PUNCH_REGIME_SLIDES) return "a regime";
  for (thud_index i = 0; i < own->n; i++)
    if (states[i] < THUD_PUNCH_BACKWARD || states[i] > THUD_PUNCH_OPEN) return "states of elements";
  if (!thud_state_is_finite(FIELDS * (size_t)own->n, fields)) return "pressures or displacements";
  return isfinite(now->t) ? NULL : "a time";
}

static thud_error restore(thud_motion *motion, const void *state, size_t size) {
  punch_motion *own = (punch_motion *)motion;
  const char *from = state;
  if (size != state_size(motion))
    return thud_fail(motion->context, THUD_ERROR_FORMAT, "[state-of-another-run] the state is not of this half-plane");
  punch_progress given;
  memcpy(&given, from, sizeof given);
  const char *fault =
      find_fault(own, &given, from + sizeof given, (const signed char *)from + sizeof given + fields_size(own));
  if (fault != NULL) return thud_motion_refuse_state(motion, fault);
  own->now = given;
  memcpy(own->fields, from + sizeof own->now, fields_size(own));
  memcpy(own->state, from + sizeof own->now + fields_size(own), (size_t)own->n * sizeof *own->state);
  own->status = own->now.next > (uint64_t)own->problem.steps ? THUD_MOTION_COMPLETED : THUD_MOTION_RUNNING;
  return THUD_OK;
}

/* ---- the family -------------------------------------------------------------------------------------------------- */

static void destroy(thud_motion *motion) {
  punch_motion *own = (punch_motion *)motion;
  thud_free(motion->context, own->fields);
  thud_free(motion->context, own->state);
  thud_free(motion->context, own->reference);
  thud_free(motion->context, own);
}

static void info(const thud_motion *motion, void *info) {
  const punch_motion *own = (const punch_motion *)motion;
  *(thud_punch_motion_info *)info = (thud_punch_motion_info){.status = own->status,
                                                             .time = own->now.t,
                                                             .loads = (size_t)own->now.next,
                                                             .systems = (size_t)own->now.systems,
                                                             .law_error = own->now.law_error,
                                                             .largest_pressure = own->now.largest_pressure};
}

static const thud_motion_type punch_type = {.name = "punch",
                                            .frame_size = sizeof(thud_punch_frame),
                                            .info_size = sizeof(thud_punch_motion_info),
                                            .step = step,
                                            .present = present,
                                            .info = info,
                                            .state_size = state_size,
                                            .save = save,
                                            .restore = restore,
                                            .destroy = destroy};

static thud_error check_problem(thud_context *context, const thud_punch_problem *problem) {
  if (problem->punch == NULL || problem->edges == NULL || problem->drive == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "[out-of-range] a motion needs a punch, the edges of its elements and a function that drives it");
  if (problem->steps < 1 || !(problem->start <= problem->end) || !isfinite(problem->end - problem->start))
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "[out-of-range] %d steps from t = %g to %g: at least 1 step forwards is needed",
                     (int)problem->steps, problem->start, problem->end);
  if (problem->method == THUD_PUNCH_ROLLING && (problem->roll == 0 || !problem->punch->plane->uniform))
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "rolling by %d elements per step: they are equal, and their number is not 0", (int)problem->roll);
  return THUD_OK;
}

thud_error thud_punch_motion_create(thud_context *context, const thud_punch_problem *problem, thud_motion **motion) {
  THUD_REQUIRE(context, context, problem, motion);
  thud_error error = check_problem(context, problem);
  if (error != THUD_OK) return error;
  punch_motion *made = THUD_NEW(context, punch_motion);
  if (made == NULL) return THUD_ERROR_MEMORY;
  *made = (punch_motion){.base = {.type = &punch_type, .context = context},
                         .problem = *problem,
                         .punch = problem->punch,
                         .n = problem->punch->n,
                         .now = {.t = problem->start}};
  made->fields = THUD_NEW_ARRAY(context, double, FIELDS *(size_t)made->n);
  made->state = THUD_NEW_ARRAY(context, signed char, made->n);
  made->reference = THUD_NEW_ARRAY(context, double, made->n);
  if (made->fields == NULL || made->state == NULL || made->reference == NULL) {
    destroy(&made->base);
    return THUD_ERROR_MEMORY;
  }
  *motion = &made->base;
  return THUD_OK;
}

THUD_MOTION_QUERIES(punch, thud_punch_frame, thud_punch_motion_info, &punch_type)
