/* Displacements and reactions from elsewhere against a `quasistatic` scene: the exact statement, not that of a method. */
#include "verify/quasistatic/verify_quasistatic.h"
#include "verify/verify_result.h"

#include <math.h>

/* Part of the largest force by which friction may miss the direction of the slip between two rows. */
static const double DEFAULT_PART = 1e-3;

/* Numbers from elsewhere have fewer digits than records: two loads are one up to this many times what it is there. */
static const double DECIMAL = 100;

/* Columns t, side, the unknowns, then the reactions "foot.n", "foot.t". */
static thud_error gather(verify_quasi_motion *m, verify_table_column *columns) {
  const verify_quasi *q = m->quasi;
  size_t states, reactions;
  m->t = columns[0].values;
  m->side = columns[1].values;
  columns[0].values = columns[1].values = NULL;
  if (!thud_size_multiply(m->count, q->n, &states) || !thud_size_multiply(m->count, q->m, &reactions))
    return THUD_ERROR_OVERFLOW;
  if (m->side == NULL) m->side = THUD_NEW_ARRAY(m->context, double, m->count);
  m->U = THUD_NEW_ARRAY(m->context, double, states);
  m->r = THUD_NEW_ARRAY(m->context, double, reactions);
  if (m->side == NULL || m->U == NULL || m->r == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < m->count; k++) {
    for (size_t i = 0; i < q->n; i++) m->U[k * q->n + i] = columns[2 + i].values[k];
    for (size_t i = 0; i < q->m; i++) m->r[k * q->m + i] = columns[2 + q->n + i].values[k];
  }
  return THUD_OK;
}

static thud_error read_table(verify_quasi_motion *m, const char *path) {
  const verify_quasi *q = m->quasi;
  size_t count = 2 + q->n + q->m;
  verify_table_column *columns = THUD_NEW_ARRAY(m->context, verify_table_column, count);
  if (columns == NULL) return THUD_ERROR_MEMORY;
  columns[0] = (verify_table_column){.name = "t", .required = true};
  columns[1] = (verify_table_column){.name = "side", .side = true};
  for (size_t i = 0; i < q->n; i++) columns[2 + i] = (verify_table_column){.name = q->scene.names[i], .required = true};
  for (size_t i = 0; i < q->m; i++)
    columns[2 + q->n + i] = (verify_table_column){.name = q->reactions[i], .required = true};
  thud_error error = thud_verify_table_read(m->context, path, count, columns, &m->count);
  if (error == THUD_OK) error = gather(m, columns);
  for (size_t i = 0; i < count; i++) thud_free(m->context, columns[i].values);
  thud_free(m->context, columns);
  return error;
}

static void check_numbers(const verify_quasi_motion *m, size_t k, thud_verify_check *check) {
  const verify_quasi *q = m->quasi;
  bool finite = isfinite(m->t[k]);
  for (size_t i = 0; i < q->n; i++) finite = finite && isfinite(verify_quasi_U(m, k)[i]);
  for (size_t i = 0; i < q->m; i++) finite = finite && isfinite(verify_quasi_r(m, k)[i]);
  if (!finite) thud_verify_fail(check, m->t[k], k, "a number of this row is NaN or infinite");
  if (m->t[k] < q->scene.start || m->t[k] > q->scene.end)
    thud_verify_fail(check, m->t[k], k, "this time lies outside the run, from %.10g to %.10g", q->scene.start,
                     q->scene.end);
}

/* Jumps of the load inside the way to row k: each is an increment of its own, which two rows must show. */
static void check_steady(const verify_quasi_motion *m, size_t k, thud_verify_check *check) {
  const verify_scene *scene = &m->quasi->scene;
  double *left = m->work, *right = m->work + m->quasi->n;
  for (size_t j = thud_verify_times_before(scene->jumps, scene->jump_count, m->t[k]);
       j > 0 && scene->jumps[j - 1] > m->t[k - 1]; j--) {
    thud_verify_quasi_load(m->quasi, scene->jumps[j - 1], THUD_SIDE_LEFT, left);
    thud_verify_quasi_load(m->quasi, scene->jumps[j - 1], THUD_SIDE_RIGHT, right);
    if (!thud_verify_quasi_same_load(m->quasi, scene->jumps[j - 1], left, right, DECIMAL))
      thud_verify_fail(check, m->t[k], k, "the load jumps at t = %.10g: give two rows there", scene->jumps[j - 1]);
  }
}

/* Rows may be anywhere; two at one time are the sides of a jump. */
static void find_ways(verify_quasi_motion *m, thud_verify_check *check) {
  for (size_t k = 0; k < m->count; k++) {
    double elapsed = k > 0 ? m->t[k] - m->t[k - 1] : 0;
    m->way[k] = k == 0 ? VERIFY_WAY_START : elapsed > 0 ? VERIFY_WAY_STEP : VERIFY_WAY_JUMP;
    check_numbers(m, k, check);
    if (!(elapsed >= 0)) thud_verify_fail(check, m->t[k], k, "time runs backwards");
    if (k > 0 && elapsed == 0 && !(m->side[k] > m->side[k - 1]))
      thud_verify_fail(check, m->t[k], k, "two rows at one time are not the left and the right limit");
    if (m->way[k] == VERIFY_WAY_STEP) check_steady(m, k, check);
  }
  size_t last = m->count - 1;
  if (m->t[last] < m->quasi->scene.end)
    thud_verify_fail(check, m->t[last], last, "the trajectory ends at t = %.10g, the scene at %.10g", m->t[last],
                     m->quasi->scene.end);
  if (m->t[0] != m->quasi->scene.start) thud_verify_fail(check, m->t[0], 0, "the first row is not the start");
}

/* Of the load, or of the state under one load: such a jump needs no energy. */
static void check_jumps(const verify_quasi_motion *m, thud_verify_check *check) {
  size_t states = 0, loads = 0;
  for (size_t k = 1; k < m->count; k++) {
    if (m->way[k] != VERIFY_WAY_JUMP) continue;
    bool same = thud_verify_quasi_same_load(m->quasi, m->t[k], verify_quasi_F(m, k), verify_quasi_F(m, k - 1), 1);
    states += same, loads += !same;
    if (same) thud_verify_quasi_release(m, k, check);
  }
  if (check->status == THUD_VERIFY_PASSED)
    thud_verify_explain(check, "%zu of the state, %zu of the load", states, loads);
}

static thud_error check_table(verify_quasi_motion *m, const thud_verify_options *options, thud_verify_result *result) {
  enum { STRUCTURE, INITIAL, EQUILIBRIUM, LAW, FRICTION, JUMPS, CHECKS };
  static const char *const names[CHECKS] = {"structure", "initial", "equilibrium", "law", "friction", "jumps"};
  thud_verify_check checks[CHECKS];
  for (int k = 0; k < CHECKS; k++) checks[k] = thud_verify_check_new(names[k]);
  const verify_quasi *quasi = m->quasi;
  thud_error error = thud_verify_quasi_prepare(m, options->tolerance);
  if (error != THUD_OK) return error;
  m->pieces = true;
  m->direction = options->trajectory_tolerance > 0 ? options->trajectory_tolerance : DEFAULT_PART;
  find_ways(m, &checks[STRUCTURE]);
  for (size_t k = 0; k < m->count; k++)
    thud_verify_quasi_load(quasi, m->t[k], (thud_side)m->side[k], m->F + k * quasi->n);
  thud_verify_quasi_sizes(m);
  thud_verify_quasi_initial(m, &checks[INITIAL]);
  thud_verify_quasi_equilibrium(m, &checks[EQUILIBRIUM]);
  thud_verify_quasi_law(m, &checks[LAW]);
  thud_verify_quasi_friction(m, &checks[FRICTION]);
  check_jumps(m, &checks[JUMPS]);
  *result = (thud_verify_result){0};
  for (int k = 0; k < CHECKS; k++) thud_verify_result_add(result, &checks[k]);
  thud_verify_result_cover(result, "rows", m->count, m->count, -1);
  thud_verify_result_judge(result);
  return THUD_OK;
}

thud_error thud_verify_quasi_trajectory(thud_context *context, const thud_tree *tree, const char *path,
                                        const thud_verify_options *options, thud_verify_result *result) {
  verify_quasi *quasi = NULL;
  thud_error error = thud_verify_quasi_create(context, tree, &quasi);
  if (error != THUD_OK) return error;
  verify_quasi_motion motion = {.context = context, .quasi = quasi};
  error = read_table(&motion, path);
  if (error == THUD_OK) error = check_table(&motion, options, result);
  thud_verify_quasi_motion_free(&motion);
  thud_verify_quasi_destroy(quasi);
  return error;
}
