/* A trajectory from elsewhere against a sweeping process. */
#include "base/base.h"
#include "verify/sweeping/verify_sweeping.h"
#include "verify/math/verify_dense.h"
#include "verify/verify_result.h"

#include <math.h>
#include <string.h>

/* Accepted angle between an increment and the normal cone, rad. */
static const double DEFAULT_ANGLE = 0.01;

/* ---- reading -------------------------------------------------------------------------------------------------- */

/* Columns t, side, then the coordinates. */
static thud_error read_columns(verify_motion *m, const char *path, verify_table_column *columns) {
  const verify_scene *scene = m->scene;
  columns[0] = (verify_table_column){.name = "t", .required = true};
  columns[1] = (verify_table_column){.name = "side", .side = true};
  for (size_t i = 0; i < m->n; i++) columns[2 + i] = (verify_table_column){.name = scene->names[i], .required = true};
  return thud_verify_table_read(m->context, path, m->n + 2, columns, &m->count);
}

static thud_error gather(verify_motion *m, verify_table_column *columns) {
  size_t total;
  m->t = columns[0].values;
  m->side = columns[1].values;
  columns[0].values = columns[1].values = NULL;
  if (!thud_size_multiply(m->count, m->n, &total)) return THUD_ERROR_OVERFLOW;
  if (m->side == NULL) m->side = THUD_NEW_ARRAY(m->context, double, m->count);
  m->state = THUD_NEW_ARRAY(m->context, double, total);
  if (m->side == NULL || m->state == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < m->count; k++)
    for (size_t i = 0; i < m->n; i++) m->state[k * m->n + i] = columns[2 + i].values[k];
  return THUD_OK;
}

static thud_error read_trajectory(verify_motion *m, const char *path) {
  verify_table_column *columns = THUD_NEW_ARRAY(m->context, verify_table_column, m->n + 2);
  if (columns == NULL) return THUD_ERROR_MEMORY;
  thud_error error = read_columns(m, path, columns);
  if (error == THUD_OK) error = gather(m, columns);
  for (size_t i = 0; i < m->n + 2; i++) thud_free(m->context, columns[i].values);
  thud_free(m->context, columns);
  return error;
}

/* ---- checks ---------------------------------------------------------------------------------------------------- */

static thud_error check_membership(verify_motion *m, thud_verify_check *check) {
  thud_error error = THUD_OK;
  for (size_t k = 0; k < m->count && error == THUD_OK; k++) {
    /* The left limit at the start is the initial state, of which nothing is asked. */
    if (m->side[k] < 0 && m->t[k] == m->scene->start) continue;
    if (thud_verify_motion_place(m, m->t[k], (thud_side)m->side[k]))
      error = thud_verify_member(m, verify_state(m, k), m->t[k], k, check);
    else
      thud_verify_fail(check, m->t[k], k, "the data of the set are not finite at this time");
  }
  return error;
}

/* Is the increment that ends in row k normal to the set at row `at`, seen from the interval between them? */
static thud_error check_normal_at(verify_motion *m, size_t k, size_t at, thud_side side, double angle,
                                  thud_verify_check *law) {
  double *du = verify_work(m, 0), *w = verify_work(m, 1);
  for (size_t i = 0; i < m->n; i++) du[i] = verify_state_before(m, k)[i] - verify_state(m, k)[i];
  thud_verify_scene_apply_metric(m->scene, du, w);
  if (!thud_verify_motion_place(m, m->t[at], side)) return THUD_OK; /* reported by membership */
  return thud_verify_normal(m, verify_state(m, at), w, angle, m->t[at], k, law, NULL);
}

static bool jumps_between(const verify_scene *scene, double from, double to) {
  size_t j = thud_verify_times_before(scene->jumps, scene->jump_count, to);
  return j > 0 && scene->jumps[j - 1] > from;
}

/* Between rows both ends count, each with the limit of the set from inside the interval; at a jump the target. */
static thud_error check_law(verify_motion *m, double angle, thud_verify_check *law) {
  thud_error error = THUD_OK;
  for (size_t k = 0; k < m->count && error == THUD_OK; k++) {
    bool jump = k == 0 || m->t[k] == m->t[k - 1];
    if (k == 0 && m->side[0] < 0) continue;
    if (jump) {
      error = check_normal_at(m, k, k, (thud_side)m->side[k], 0, law);
      continue;
    }
    bool moved =
        thud_verify_distance(m->n, verify_state(m, k), verify_state(m, k - 1)) > thud_verify_position_tolerance(m);
    if (moved && jumps_between(m->scene, m->t[k - 1], m->t[k])) {
      if (law->status == THUD_VERIFY_PASSED)
        thud_verify_skip(law, THUD_VERIFY_NOT_CHECKABLE,
                         "the data jump between t = %.10g and %.10g, where the trajectory moves: give two rows there",
                         m->t[k - 1], m->t[k]);
      continue;
    }
    error = check_normal_at(m, k, k - 1, THUD_SIDE_RIGHT, angle, law);
    if (error == THUD_OK) error = check_normal_at(m, k, k, THUD_SIDE_LEFT, angle, law);
  }
  return error;
}

/* The first row is the initial state, or its projection when the side is not "-": the law covers that step. */
static void check_initial(verify_motion *m, thud_verify_check *check) {
  if (m->t[0] != m->scene->start) {
    thud_verify_skip(check, THUD_VERIFY_NOT_CHECKABLE, "the trajectory does not begin at the start");
    return;
  }
  if (m->side[0] < 0) {
    thud_verify_tally(check, thud_verify_distance(m->n, verify_state(m, 0), m->scene->initial),
                      thud_verify_position_tolerance(m), 0, m->t[0], 0);
    return;
  }
  thud_verify_explain(check, "the first row is %.3g from the initial state: see law for this step",
                      thud_verify_distance(m->n, verify_state(m, 0), m->scene->initial));
}

static thud_error check_all(verify_motion *m, const thud_verify_options *options, thud_verify_result *result) {
  thud_verify_check structure = thud_verify_check_new("structure"), initial = thud_verify_check_new("initial");
  thud_verify_check membership = thud_verify_check_new("membership"), law = thud_verify_check_new("law");
  thud_verify_check jumps = thud_verify_check_new("jumps");
  thud_error error = thud_verify_motion_prepare(m, options->tolerance);
  if (error != THUD_OK) return error;
  thud_verify_check_frames(m, true, &structure);
  check_initial(m, &initial);
  thud_verify_check_jumps(m, &jumps);
  error = check_membership(m, &membership);
  if (error == THUD_OK)
    error = check_law(m, options->trajectory_tolerance > 0 ? options->trajectory_tolerance : DEFAULT_ANGLE, &law);
  if (error != THUD_OK) return error;
  *result = (thud_verify_result){0};
  const thud_verify_check *order[] = {&structure, &initial, &membership, &law, &jumps};
  for (size_t k = 0; k < sizeof order / sizeof *order; k++) thud_verify_result_add(result, order[k]);
  thud_verify_result_cover(result, "rows", m->count, m->count, -1);
  thud_verify_result_judge(result);
  return THUD_OK;
}

thud_error thud_verify_sweeping_trajectory(thud_context *context, const thud_tree *tree, const char *path,
                                           const thud_verify_options *options, thud_verify_result *result) {
  verify_scene *scene = NULL;
  thud_error error = thud_verify_scene_create(context, tree, &scene);
  if (error != THUD_OK) return error;
  verify_motion motion = {.context = context, .scene = scene, .n = scene->n};
  if (scene->follows || scene->perturbation != NULL)
    error = thud_fail(
        context, THUD_ERROR_UNSUPPORTED,
        "trajectories are judged where the set depends on time alone and nothing perturbs the motion: verify a "
        "record of this scene");
  if (error == THUD_OK) error = read_trajectory(&motion, path);
  if (error == THUD_OK) error = check_all(&motion, options, result);
  thud_verify_motion_free(&motion);
  thud_verify_scene_destroy(scene);
  return error;
}
