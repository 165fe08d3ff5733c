/* Quasi-static motions as limits of dynamics under slower and slower loads. */
#include "base/base.h"
#include "kinds/quasistatic/quasistatic_study.h"
#include "study/study_orders.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The velocity at the start relative to that of the motion: as good as 0, but energies have a size from the start, of which
 * those of rounding are a small part when the load begins with 0. */
#define AT_REST 1e-13

#define FIELD(name) offsetof(thud_rates_options, name)

static const thud_option_key keys[] = {
    {"first_level", THUD_OPTION_INT, FIELD(first_level), 0, 0, STUDY_MOST_LEVELS - 1, false, NULL, "1",
     "the fastest rate is that of the scene times 2^-first_level"},
    {"last_level", THUD_OPTION_INT, FIELD(last_level), 5, 2, STUDY_MOST_LEVELS - 1, false, NULL, "1",
     "the slowest rate is that of the scene times 2^-last_level"},
    {"nodes_level", THUD_OPTION_INT, FIELD(nodes_level), 12, 4, STUDY_MOST_LEVELS, false, NULL, "1",
     "distances are measured at 2^nodes_level nodes"},
    {"steps_per_period", THUD_OPTION_INT, FIELD(steps_per_period), 64, 8, 1e6, false, NULL, "1",
     "steps of the dynamics in the shortest period of the structure"},
    {"smallest_order", THUD_OPTION_REAL, FIELD(smallest_order), 0.5, 0, 10, false, NULL, "1",
     "a fitted order of the distance in the rate below this is flagged"},
};
static const thud_option_table table = {
    .name = "rates", .struct_size = sizeof(thud_rates_options), .keys = keys, .count = sizeof keys / sizeof *keys};

const thud_option_table *thud_rates_option_table(void) { return &table; }

typedef struct rates {
  const quasistatic_scene *made;
  const thud_rates_options *options;
  study_elastic limit; /* the quasi-static motion at the nodes */
  double size;         /* of displacements */
  thud_study *study;
} rates;

/* ---- one rate ------------------------------------------------------------------------------------------------------
 */

/* The dynamics on its way: what the next node is compared with. */
typedef struct follower {
  const rates *all;
  thud_study_row *row;
  size_t step, stride; /* steps done; steps between nodes */
} follower;

/* All levels together take about 2^(last+1) - 2^first times the steps of level 0. */
static double share_done(const follower *run, size_t node) {
  const thud_rates_options *options = run->all->options;
  double first = exp2(options->first_level), steps = exp2(run->row->level);
  double inside = (double)node / (double)(run->all->limit.states.count - 1);
  return (steps - first + inside * steps) / (exp2(options->last_level + 1) - first);
}

static int on_frame(void *user, const void *handed) {
  const thud_stepping_frame *frame = handed;
  follower *run = user;
  const study_elastic *limit = &run->all->limit;
  const thud_rates_options *options = run->all->options;
  size_t n = limit->states.n, node = run->step / run->stride;
  if (run->step++ % run->stride != 0) return 0;
  double distance = thud_study_distance(n, frame->q, limit->states.q + node * n);
  bool after = limit->states.t[node] >= limit->first_jump; /* never when there is none */
  double *worst = after ? &run->row->q_second : &run->row->q_next;
  *worst = isnan(*worst) ? distance : fmax(*worst, distance);
  return options->progress != NULL && options->progress(options->progress_user, share_done(run, node), 0, 1) != 0;
}

static double largest(const study_path *path) {
  double size = 0;
  for (size_t k = 0; k < path->count * path->n; k++) size = fmax(size, fabs(path->q[k]));
  return size;
}

/* Of the displacements, or where nothing moves of those that the reactions would cause: what rounding is relative to. */
static double size_of(const rates *all, const slow_system *slow) {
  double moved = largest(&all->limit.states), carried = largest(&all->limit.reactions);
  return slow->largest > 0 ? fmax(moved, carried / slow->largest) : moved;
}

/* A multiple of the number of intervals, and enough of them in the shortest period 2 pi rate / sqrt(stiffness). */
static thud_error choose_steps(const rates *all, double stiffness, thud_study_row *row, size_t *stride) {
  const thud_scene *scene = all->made->scene;
  double intervals = (double)(all->limit.states.count - 1), pi = acos(-1);
  double periods = (scene->end - scene->start) * sqrt(stiffness) / (2 * pi * row->step);
  double needed = fmax(1, ceil(periods * all->options->steps_per_period / intervals));
  if (!(needed * intervals <= INT32_MAX))
    return thud_fail(scene->context, THUD_ERROR_ARGUMENT,
                     "[bad-study] the rate %.3g needs %.3g steps: fewer levels, or a smaller mass", row->step,
                     needed * intervals);
  *stride = (size_t)needed;
  row->steps = (thud_index)(needed * intervals);
  return THUD_OK;
}

static thud_error run_dynamics(const slow_system *slow, follower *run, thud_stepping_motion_info *info) {
  const thud_scene *scene = slow->made->scene;
  size_t n = (size_t)slow->made->problem.unknowns;
  thud_stepping_options options = thud_stepping_options_default();
  options.method = THUD_STEPPING_MOREAU_JEAN;
  options.theta = 0.5;
  options.start = scene->start;
  options.end = scene->end;
  options.steps = run->row->steps;
  options.blow_up = DBL_MAX; /* everything begins at rest: there is no usual size of the velocity */
  options.gap_tolerance = slow->made->options.tolerance * run->all->size;
  double *rest = THUD_NEW_ARRAY(scene->context, double, n);
  thud_motion *motion = NULL;
  thud_error error = rest != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  for (size_t i = 0; i < n && error == THUD_OK; i++) rest[i] = AT_REST * run->all->size / (scene->end - scene->start);
  if (error == THUD_OK)
    error =
        thud_stepping_motion_create(scene->context, slow->system, &options, run->all->limit.states.q, rest, &motion);
  if (error == THUD_OK) error = thud_motion_run(motion, &(thud_motion_sink){.frame = on_frame, .user = run}, NULL);
  if (error == THUD_OK) *info = thud_stepping_motion_get_info(motion);
  thud_motion_destroy(motion);
  thud_free(scene->context, rest);
  if (error == THUD_OK && info->status == THUD_MOTION_STOPPED)
    return thud_fail(scene->context, THUD_ERROR_INTERRUPTED, "interrupted at the rate %.6g", run->row->step);
  return error;
}

/* *completed: the dynamics arrived at the end. */
static thud_error run_rate(rates *all, thud_study_row *row, bool *completed) {
  slow_system slow;
  follower run = {.all = all, .row = row};
  thud_stepping_motion_info info = {0};
  row->step = all->made->rate * exp2(-row->level);
  row->q_next = row->q_second = row->v_next = row->v_second = row->graph_next = NAN;
  row->q_order = row->v_order = row->graph_order = NAN;
  thud_error error = thud_study_slow_create(all->made, row->step, &slow);
  if (error != THUD_OK) return error;
  all->size = size_of(all, &slow);
  error = choose_steps(all, slow.stiffness, row, &run.stride);
  if (error == THUD_OK) error = run_dynamics(&slow, &run, &info);
  thud_study_slow_free(&slow);
  row->penetration = -info.worst_gap;
  row->residual = info.worst_residual;
  row->impacts = info.impacts;
  *completed = error == THUD_OK && info.status == THUD_MOTION_COMPLETED;
  if (error == THUD_OK && !*completed)
    thud_study_flag(&all->study->flags, all->study->message, sizeof all->study->message, THUD_STUDY_RUN_FAILED,
                    "the dynamics at the rate %.6g ended at t = %.10g: %s", row->step, info.time,
                    thud_context_last_message(all->made->scene->context));
  return error;
}

/* ---- the study -----------------------------------------------------------------------------------------------------
 */

/* Event-driven in the plane; the state goes on after jumps, so that what comes before and after can be told apart. */
static thud_error make_limit(rates *all) {
  const quasistatic_scene *made = all->made;
  thud_study *study = all->study;
  study_elastic_run run = {.made = made,
                           .method =
                               made->problem.dimension < 3 ? THUD_QUASISTATIC_EVENTS : THUD_QUASISTATIC_INCREMENTS,
                           .motion = made->options,
                           .level = all->options->nodes_level};
  run.motion.on_jump = THUD_JUMP_DISSIPATIVE;
  thud_error error = thud_study_elastic_create(&run, &all->limit);
  if (error != THUD_OK) return error;
  study->method = thud_quasistatic_method_names[run.method];
  study->first_jump = all->limit.first_jump;
  if (all->limit.info.status != THUD_MOTION_COMPLETED)
    thud_study_flag(&study->flags, study->message, sizeof study->message, THUD_STUDY_RUN_FAILED,
                    "the quasi-static motion ended at t = %.10g: %s", all->limit.info.time,
                    thud_context_last_message(made->scene->context));
  return THUD_OK;
}

/* Distances that rounding explains are 0: a motion that does not move has no order. */
static void conclude(rates *all) {
  thud_study *study = all->study;
  double levels[STUDY_MOST_LEVELS], values[STUDY_MOST_LEVELS], size = all->size;
  for (size_t k = 0; k < study->count; k++) {
    thud_study_row *row = &study->rows[k];
    if (row->q_next <= ((double)row->steps * DBL_EPSILON + all->made->options.tolerance) * size) row->q_next = 0;
    if (k > 0) row->q_order = thud_study_order_between(row[-1].q_next, row->q_next);
    levels[k] = row->level;
    values[k] = row->q_next;
  }
  study->q_order = thud_study_fit_last_octaves(study->count, levels, values);
  if (study->count < 3 || study->flags != 0 || !isnan(study->first_jump)) return;
  if (!(study->q_order >= all->options->smallest_order))
    thud_study_flag(
        &study->flags, study->message, sizeof study->message, THUD_STUDY_NO_ORDER,
        "the dynamics comes to the quasi-static motion with order %.3g of the rate only (asked for: %.3g)%s",
        study->q_order, all->options->smallest_order,
        all->limit.info.ambiguous > 0 ? ", which is not the only one" : "");
}

static thud_error run_rates(rates *all) {
  thud_study *study = all->study;
  size_t levels = (size_t)(all->options->last_level - all->options->first_level) + 1;
  study->rows = THUD_NEW_ARRAY(study->context, thud_study_row, levels);
  thud_error error = study->rows != NULL ? make_limit(all) : THUD_ERROR_MEMORY;
  bool completed = study->flags == 0;
  for (size_t k = 0; k < levels && completed && error == THUD_OK; k++) {
    study->rows[k].level = all->options->first_level + (int)k;
    error = run_rate(all, &study->rows[k], &completed);
    if (error == THUD_ERROR_INTERRUPTED && k > 0) {
      thud_study_flag(&study->flags, study->message, sizeof study->message, THUD_STUDY_RUN_FAILED,
                      "%s; the rates before are complete", thud_context_last_message(study->context));
      error = THUD_OK;
    } else if (completed) {
      study->count = k + 1;
    }
  }
  if (error == THUD_OK) conclude(all);
  return error;
}

static thud_error check(thud_context *context, const thud_rates_options *options, const quasistatic_scene *made) {
  if (made == NULL)
    return thud_fail(context, THUD_ERROR_UNSUPPORTED, "[bad-study] rates of loading are for 'quasistatic' scenes");
  if (options->last_level < options->first_level + 2)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[bad-study] a study needs at least three rates, not 2^-%d to 2^-%d",
                     options->first_level, options->last_level);
  if (made->mass == NULL)
    return thud_fail(
        context, THUD_ERROR_ARGUMENT,
        "[bad-study] rates of loading need 'mass' in the section 'quasistatic': the dynamics whose limit this is");
  if (made->method == THUD_QUASISTATIC_THRESHOLD || made->method == THUD_QUASISTATIC_STATIC)
    return thud_fail(context, THUD_ERROR_UNSUPPORTED,
                     "[bad-study] the method %s is not a limit of dynamics with Coulomb friction",
                     thud_quasistatic_method_names[made->method]);
  return THUD_OK;
}

thud_error thud_study_rates(thud_context *context, thud_tree *tree, const thud_rates_options *options,
                            thud_study *study) {
  THUD_REQUIRE(context, context, tree, study);
  thud_rates_options chosen;
  thud_error error = thud_options_take(context, &table, options, &chosen);
  if (error != THUD_OK) return error;
  thud_scene *scene = NULL;
  thud_study made = {.context = context,
                     .kind = THUD_STUDY_OF_RATES,
                     .q_order = NAN,
                     .v_order = NAN,
                     .graph_order = NAN,
                     .error_estimate = NAN,
                     .first_jump = NAN};
  rates all = {.options = &chosen, .study = &made};
  error = thud_scene_build(context, tree, &scene);
  if (error == THUD_OK) all.made = thud_quasistatic_scene_of(scene);
  if (error == THUD_OK) error = check(context, &chosen, all.made);
  if (error == THUD_OK) error = run_rates(&all);
  thud_study_elastic_free(&all.limit);
  thud_scene_destroy(scene);
  if (error == THUD_OK)
    *study = made;
  else
    thud_study_free(&made);
  return error;
}

/* ---- the system with inertia and slow loads ---------------------------------------------------------------------- */

/* ---- functions of the system, in the sense of thud_system_functions -------------------------------------------------
 */

static size_t unknowns_of(const slow_system *slow) { return (size_t)slow->made->problem.unknowns; }

static int force(void *user, double t, const double *q, const double *v, double *out) {
  const slow_system *slow = user;
  const thud_regulated *load = slow->made->problem.load;
  (void)q, (void)v;
  return load->evaluate(load->user, t, THUD_SIDE_VALUE, out);
}

static int potential_gradient(void *user, double t, const double *q, const double *v, double *out) {
  const slow_system *slow = user;
  size_t n = unknowns_of(slow);
  (void)t, (void)v;
  for (size_t i = 0; i < n; i++) {
    out[i] = 0;
    for (size_t j = 0; j < n; j++) out[i] += slow->K[i * n + j] * q[j];
  }
  return 0;
}

static int potential(void *user, double t, const double *q, const double *v, double *out) {
  const slow_system *slow = user;
  size_t n = unknowns_of(slow);
  (void)t, (void)v;
  *out = 0;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) *out += slow->K[i * n + j] * q[i] * q[j] / 2;
  return 0;
}

static int force_dq(void *user, double t, const double *q, const double *v, double *out) {
  const slow_system *slow = user;
  size_t n = unknowns_of(slow);
  (void)t, (void)q, (void)v;
  for (size_t k = 0; k < n * n; k++) out[k] = -slow->K[k];
  return 0;
}

static int force_dv(void *user, double t, const double *q, const double *v, double *out) {
  size_t n = unknowns_of(user);
  (void)t, (void)q, (void)v;
  memset(out, 0, n * n * sizeof *out);
  return 0;
}

static int gap(void *user, double t, const double *q, const double *v, double *out) {
  const slow_system *slow = user;
  const thud_quasistatic_problem *problem = &slow->made->problem;
  size_t n = unknowns_of(slow);
  (void)t, (void)v;
  for (size_t i = 0; i < (size_t)problem->contacts; i++) {
    out[i] = problem->gap[i];
    for (size_t j = 0; j < n; j++) out[i] += slow->rows[i * n + j] * q[j];
  }
  return 0;
}

static int gradient(void *user, double t, const double *q, const double *v, double *out) {
  const slow_system *slow = user;
  (void)t, (void)q, (void)v;
  memcpy(out, slow->rows, (size_t)slow->made->problem.contacts * unknowns_of(slow) * sizeof *out);
  return 0;
}

static int slip(void *user, double t, const double *q, const double *v, double *out) {
  const slow_system *slow = user;
  const thud_quasistatic_problem *problem = &slow->made->problem;
  size_t components = (size_t)problem->contacts * (size_t)(problem->dimension - 1);
  (void)t, (void)q, (void)v;
  memcpy(out, slow->slips, components * unknowns_of(slow) * sizeof *out);
  return 0;
}

static int friction(void *user, double t, const double *q, const double *v, double *out) {
  const slow_system *slow = user;
  (void)t, (void)q, (void)v;
  memcpy(out, slow->made->problem.mu, (size_t)slow->made->problem.contacts * sizeof *out);
  return 0;
}

/* ---- its numbers ---------------------------------------------------------------------------------------------------
 */

/* K as a full matrix, column by column. */
static thud_error fill_stiffness(slow_system *slow) {
  size_t n = unknowns_of(slow);
  thud_context *context = slow->made->scene->context;
  double *unit = THUD_NEW_ARRAY(context, double, n);
  if (unit == NULL) return THUD_ERROR_MEMORY;
  for (size_t j = 0; j < n; j++) {
    unit[j] = 1;
    thud_matrix_multiply_vector(context, &slow->made->problem.K, false, 1, unit, 0, slow->K + j * n);
    unit[j] = 0;
  }
  thud_free(context, unit);
  return THUD_OK;
}

/* By Gershgorin's discs of M^-1/2 K M^-1/2. */
static double bound_stiffness(const slow_system *slow) {
  size_t n = unknowns_of(slow);
  const double *mass = slow->made->mass;
  double worst = 0;
  for (size_t i = 0; i < n; i++) {
    double sum = 0;
    for (size_t j = 0; j < n; j++) sum += fabs(slow->K[i * n + j]) / sqrt(mass[i] * mass[j]);
    worst = fmax(worst, sum);
  }
  return worst;
}

/* Columns of H become rows of gradients and slips. */
static void fill_rows(slow_system *slow) {
  const thud_sparse *H = &slow->made->problem.H;
  size_t n = unknowns_of(slow), d = (size_t)slow->made->problem.dimension;
  for (size_t column = 0; column < (size_t)H->columns; column++) {
    size_t contact = column / d, part = column % d;
    double *row = part == 0 ? slow->rows + contact * n : slow->slips + (contact * (d - 1) + part - 1) * n;
    for (thud_index k = H->column_start[column]; k < H->column_start[column + 1]; k++) row[H->row[k]] = H->value[k];
  }
}

static thud_error fill(slow_system *slow, double rate) {
  const thud_quasistatic_problem *problem = &slow->made->problem;
  thud_context *context = slow->made->scene->context;
  size_t n = unknowns_of(slow), c = (size_t)problem->contacts, d = (size_t)problem->dimension;
  if (n > THUD_METRIC_DENSE_MAX || c > THUD_METRIC_DENSE_MAX)
    return thud_fail(context, THUD_ERROR_UNSUPPORTED,
                     "[bad-study] the dynamics of more than %d unknowns or contacts is not computed",
                     THUD_METRIC_DENSE_MAX);
  slow->K = THUD_NEW_ARRAY(context, double, n *n);
  slow->mass = THUD_NEW_ARRAY(context, double, n *n);
  slow->rows = THUD_NEW_ARRAY(context, double, c *n);
  slow->slips = THUD_NEW_ARRAY(context, double, c *(d - 1) * n);
  if (slow->K == NULL || slow->mass == NULL || slow->rows == NULL || slow->slips == NULL) return THUD_ERROR_MEMORY;
  for (size_t i = 0; i < n; i++) slow->mass[i * n + i] = rate * rate * slow->made->mass[i];
  fill_rows(slow);
  thud_error error = fill_stiffness(slow);
  for (size_t k = 0; k < n * n && error == THUD_OK; k++) slow->largest = fmax(slow->largest, fabs(slow->K[k]));
  slow->stiffness = error == THUD_OK ? bound_stiffness(slow) : 0;
  return error;
}

static thud_error assemble(slow_system *slow) {
  const thud_quasistatic_problem *problem = &slow->made->problem;
  thud_context *context = slow->made->scene->context;
  size_t c = (size_t)problem->contacts;
  bool rough = problem->dimension > 1;
  thud_constraint_def *constraints = THUD_NEW_ARRAY(context, thud_constraint_def, c);
  thud_friction_def *laws = THUD_NEW_ARRAY(context, thud_friction_def, c);
  thud_error error = constraints != NULL && laws != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  for (size_t i = 0; i < c && error == THUD_OK; i++) {
    constraints[i] = (thud_constraint_def){.name = problem->contact_names[i], .kind = THUD_CONSTRAINT_UNILATERAL};
    laws[i] = (thud_friction_def){.name = problem->contact_names[i],
                                  .constraint = (thud_index)i,
                                  .kind = THUD_FRICTION_DISC,
                                  .directions = problem->dimension - 1};
  }
  const thud_system_def def = {.n = problem->unknowns,
                               .coordinates = problem->unknown_names,
                               .mass = slow->mass,
                               .m = problem->contacts,
                               .constraints = constraints,
                               .laws = rough ? problem->contacts : 0,
                               .friction = rough ? laws : NULL,
                               .functions = {.user = slow,
                                             .force = force,
                                             .potential = potential,
                                             .potential_gradient = potential_gradient,
                                             .constraint = gap,
                                             .gradient = gradient,
                                             .slip = rough ? slip : NULL,
                                             .friction = rough ? friction : NULL,
                                             .force_dq = force_dq,
                                             .force_dv = force_dv}};
  if (error == THUD_OK) error = thud_system_create(context, &def, &slow->system);
  thud_free(context, constraints);
  thud_free(context, laws);
  return error;
}

thud_error thud_study_slow_create(const quasistatic_scene *made, double rate, slow_system *slow) {
  *slow = (slow_system){.made = made};
  thud_error error = fill(slow, rate);
  if (error == THUD_OK) error = assemble(slow);
  if (error != THUD_OK) thud_study_slow_free(slow);
  return error;
}

void thud_study_slow_free(slow_system *slow) {
  if (slow->made == NULL) return;
  thud_context *context = slow->made->scene->context;
  thud_system_destroy(slow->system);
  thud_free(context, slow->K);
  thud_free(context, slow->mass);
  thud_free(context, slow->rows);
  thud_free(context, slow->slips);
  *slow = (slow_system){0};
}
