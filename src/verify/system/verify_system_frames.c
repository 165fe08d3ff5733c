/* Frames and events of a recorded motion of a system: reading, structure, start, gaps; with formulas and without. */
#include "verify/math/verify_dense.h"
#include "verify/math/verify_interval.h"
#include "verify/system/verify_system_frames.h"
#include "verify/verify_channels.h"

#include <math.h>
#include <string.h>

/* Two times are one node written with different rounding when they differ by less than this part of a step. */
static const double SAME_NODE = 1e-9;

/* ---- reading ---------------------------------------------------------------------------------------------------- */

static void check_all_names(const verify_frames *f, const thud_record_reader *reader, thud_verify_check *structure) {
  const verify_system *system = f->system;
  const char *const *velocities = (const char *const *)system->velocities;
  thud_verify_check_components(reader, THUD_RECORD_FRAMES, "position", f->n, system->scene.names, structure);
  thud_verify_check_components(reader, THUD_RECORD_FRAMES, "velocity", f->n, velocities, structure);
  size_t channel;
  if (f->m == 0 || thud_record_find_role(reader, THUD_RECORD_FRAMES, "gap", &channel) != THUD_OK) return;
  const thud_record_channel *gap = thud_record_reader_channel(reader, THUD_RECORD_FRAMES, channel);
  for (size_t i = 0; i < f->m && i < gap->width; i++)
    if (strcmp(gap->components[i], system->constraints[i].name) != 0)
      thud_verify_fail(structure, NAN, SIZE_MAX, "constraint %zu is called '%s' in the record, '%s' in the scene", i,
                       gap->components[i], system->constraints[i].name);
}

thud_error thud_verify_frames_read(verify_frames *f, thud_record_reader *reader, thud_verify_check *structure,
                                   bool *usable) {
  const verify_system *system = f->system;
  thud_record_info info = thud_record_reader_info(reader);
  f->n = system->n;
  f->m = system->m;
  f->s = system->s;
  f->count = info.rows[THUD_RECORD_FRAMES];
  const verify_channel channels[] = {{"time", 1, &f->t},
                                     {"step", 1, &f->step},
                                     {"position", f->n, &f->q},
                                     {"velocity_left", f->n, &f->v_left},
                                     {"velocity", f->n, &f->v},
                                     {"velocity_average", f->n, &f->v_average},
                                     {"velocity_limit", f->n, &f->v_limit},
                                     {"gap", f->m, &f->gap},
                                     {"reaction", f->m + f->s, &f->reaction},
                                     {"atom", f->m, &f->atom},
                                     {"acting", f->m, &f->acting},
                                     {"residual", 1, &f->residual},
                                     {"ledger", VERIFY_LEDGER_WIDTH, &f->ledger}};
  thud_error error = thud_verify_read_channels(f->context, reader, THUD_RECORD_FRAMES,
                                               sizeof channels / sizeof *channels, channels, structure);
  if (error != THUD_OK) return error;
  if (system->functions) error = thud_verify_posed_read(system, reader, &f->posed, structure);
  if (error != THUD_OK) return error;
  check_all_names(f, reader, structure);
  if (f->count == 0) thud_verify_fail(structure, NAN, SIZE_MAX, "the record has no frames");
  thud_verify_check_made_by(&info, "stepping", system->scene.method, structure);
  *usable = structure->status == THUD_VERIFY_PASSED;
  f->gap_size = THUD_NEW_ARRAY(f->context, double, 7 * f->m + f->n);
  if (f->gap_size == NULL) return THUD_ERROR_MEMORY;
  f->speed = f->gap_size + f->m;
  f->curvature = f->speed + f->m;
  f->sinking = f->curvature + f->m;
  f->push = f->sinking + f->m;
  f->rate_jumps = f->push + f->m;
  f->rate_before = f->rate_jumps + f->m;
  f->acceleration = f->rate_before + f->m;
  return thud_verify_values_create(system, &f->here);
}

void thud_verify_frames_free(verify_frames *f) {
  double *arrays[] = {f->t,   f->step,     f->q,    f->v_left, f->v,        f->v_average, f->v_limit,
                      f->gap, f->reaction, f->atom, f->acting, f->residual, f->ledger,    f->gap_size};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(f->context, arrays[k]);
  thud_verify_values_free(f->system, &f->here);
  thud_verify_posed_free(f->context, &f->posed);
}

/* ---- structure ----------------------------------------------------------------------------------------------------
 */

static void check_numbers(const verify_frames *f, size_t k, thud_verify_check *check) {
  size_t n = f->n, m = f->m;
  bool finite = isfinite(f->t[k]) && isfinite(f->step[k]) && isfinite(f->residual[k]) &&
                thud_verify_all_finite(n, f->q + k * n) && thud_verify_all_finite(n, f->v + k * n) &&
                thud_verify_all_finite(n, f->v_left + k * n) && thud_verify_all_finite(n, f->v_average + k * n) &&
                thud_verify_all_finite(n, f->v_limit + k * n) && thud_verify_all_finite(m, f->gap + k * m) &&
                thud_verify_all_finite(m + f->s, f->reaction + k * (m + f->s)) &&
                thud_verify_all_finite(VERIFY_LEDGER_WIDTH, f->ledger + k * VERIFY_LEDGER_WIDTH);
  if (!finite) thud_verify_fail(check, f->t[k], k, "a number of this frame is NaN or infinite");
  for (size_t i = 0; i < m; i++)
    for (int which = 0; which < 2; which++) {
      double flag = (which == 0 ? f->atom : f->acting)[k * m + i];
      if (flag != 0 && flag != 1)
        thud_verify_fail(check, f->t[k], k, "the mark '%s' of '%s' is %g; 0 and 1 have a meaning",
                         which == 0 ? "atom" : "acting", f->system->constraints[i].name, flag);
    }
  if (f->residual[k] < 0) thud_verify_fail(check, f->t[k], k, "a residual is negative");
}

/* The node of equal steps next to t, by which it is missed. */
static double next_node(const verify_scene *scene, double t) {
  double length = scene->end - scene->start, node = round((t - scene->start) / length * scene->steps);
  return node == scene->steps ? scene->end : scene->start + length * (node / scene->steps);
}

/* A step that a jump of the data has cut: both ends are nodes or jumps, and no node lies between them. */
static bool is_part_of_step(const verify_frames *f, size_t k, double h, double rounding) {
  const verify_scene *scene = &f->system->scene;
  double before = f->t[k] - f->step[k], ends[] = {before, f->t[k]};
  bool cut = false;
  for (int end = 0; end < 2; end++) {
    bool node = fabs(ends[end] - next_node(scene, ends[end])) <= rounding;
    if (!node && !thud_verify_data_jump_at(f->system, ends[end])) return false;
    cut = cut || !node;
  }
  double middle = before + f->step[k] / 2, node = next_node(scene, middle);
  bool crosses = node > before + rounding && node < f->t[k] - rounding;
  return cut && f->step[k] > 0 && f->step[k] < h + rounding && !crosses;
}

static void check_crossing(const verify_frames *f, size_t k, thud_verify_check *check) {
  if (k > 0 && thud_verify_data_jump_within(f->system, f->t[k] - f->step[k], f->t[k]))
    thud_verify_fail(check, f->t[k], k, "the data jump within the step to t = %.17g", f->t[k]);
}

/* Equal steps: the time is a node, the step has its length, and no node is left out that should be there. */
static void check_equal_step(const verify_frames *f, size_t k, thud_verify_check *check) {
  const verify_scene *scene = &f->system->scene;
  double length = scene->end - scene->start, h = length / scene->steps, slack = SAME_NODE * h;
  double rounding = VERIFY_ROUNDING * fmax(fabs(scene->start), fabs(scene->end));
  bool part = k > 0 && is_part_of_step(f, k, h, rounding);
  if (!part && fabs(f->t[k] - next_node(scene, f->t[k])) > fmin(slack, rounding))
    thud_verify_fail(check, f->t[k], k, "t = %.17g is not a node of the run", f->t[k]);
  if (!part && fabs(f->step[k] - (k > 0 ? h : 0)) > rounding)
    thud_verify_fail(check, f->t[k], k, "the step is %.17g, the scene says %.17g", f->step[k], k > 0 ? h : 0);
  check_crossing(f, k, check);
}

static void check_controlled_step(const verify_frames *f, size_t k, thud_verify_check *check) {
  const verify_scene *scene = &f->system->scene;
  double elapsed = k > 0 ? f->t[k] - f->t[k - 1] : 0;
  double rounding = VERIFY_ROUNDING * fmax(fabs(scene->start), fabs(scene->end));
  check_crossing(f, k, check);
  if (k > 0 && !(f->step[k] > 0)) thud_verify_fail(check, f->t[k], k, "the step has no length");
  if (k == 0 && f->step[k] != 0) thud_verify_fail(check, f->t[k], k, "a step leads to the first frame");
  if (elapsed < f->step[k] - rounding)
    thud_verify_fail(check, f->t[k], k, "the step (%.17g) is longer than the time since the frame before (%.17g)",
                     f->step[k], elapsed);
  if (scene->record_every == 0 && elapsed > f->step[k] + rounding)
    thud_verify_fail(check, f->t[k], k, "frames are missing: %.6g after the frame before, with a step of %.6g", elapsed,
                     f->step[k]);
}

void thud_verify_frames_structure(const verify_frames *f, bool finished, thud_verify_check *check) {
  const verify_scene *scene = &f->system->scene;
  verify_times times = thud_verify_equal_steps(scene, false, VERIFY_TIMES_INCREASE);
  bool controlled = f->system->step_tolerance > 0;
  if (controlled) times.longest = INFINITY;
  for (size_t k = 0; k < f->count; k++) {
    check_numbers(f, k, check);
    if (controlled)
      check_controlled_step(f, k, check);
    else
      check_equal_step(f, k, check);
  }
  thud_verify_check_times(&times, f->count, f->t, NULL, finished, check);
  if (check->status == THUD_VERIFY_PASSED && scene->record_every > 0) thud_verify_add(check, "not every step is there");
}

void thud_verify_frames_initial(const verify_frames *f, thud_verify_check *check) {
  const verify_system *system = f->system;
  for (size_t i = 0; i < f->n; i++) {
    double q = system->scene.initial[i], v = system->initial_v[i];
    if (thud_verify_tally(check, fabs(f->q[i] - q), VERIFY_ROUNDING * fabs(q), 0, f->t[0], 0))
      thud_verify_explain(check, "position '%s'", system->scene.names[i]);
    if (thud_verify_tally(check, fabs(f->v_left[i] - v), VERIFY_ROUNDING * fabs(v), 0, f->t[0], 0))
      thud_verify_explain(check, "velocity '%s'", system->velocities[i]);
    if (!verify_has_step(f, 0) && thud_verify_tally(check, fabs(f->v[i] - v), VERIFY_ROUNDING * fabs(v), 0, f->t[0], 0))
      thud_verify_explain(check, "velocity '%s'", system->velocities[i]);
  }
}

/* ---- gaps ---------------------------------------------------------------------------------------------------------
 */

/* sum_j |row_j x_j| */
static double absolute_product(size_t n, const double *row, const double *x) {
  double sum = 0;
  for (size_t j = 0; j < n; j++) sum += fabs(row[j] * x[j]);
  return sum;
}

/* What velocity problems measure their residuals by: velocities of their rows, before and with the smooth forces. */
static void gather_scale(verify_frames *f, size_t k) {
  const verify_values *here = &f->here;
  thud_verify_response(f->system, here, here->force, f->acceleration);
  for (size_t i = 0; i < f->m + f->s; i++) {
    const double *row = verify_reaction_row(f->system, here, i);
    double speed =
        fmax(absolute_product(f->n, row, f->v + k * f->n), absolute_product(f->n, row, f->v_left + k * f->n));
    double rate = i < f->m ? here->rate[i] : here->slip_rate[i - f->m];
    f->fastest = fmax(f->fastest, speed + fabs(rate));
    double push = absolute_product(f->n, row, f->acceleration);
    f->pushed = fmax(f->pushed, push);
    if (i >= f->m) continue;
    f->speed[i] = fmax(f->speed[i], speed + fabs(rate));
    f->push[i] = fmax(f->push[i], push);
  }
}

static void gather_sizes(verify_frames *f, size_t k) {
  const verify_values *here = &f->here;
  gather_scale(f, k);
  for (size_t i = 0; i < f->m; i++) {
    f->gap_size[i] = fmax(f->gap_size[i], fabs(f->gap[k * f->m + i]));
    f->curvature[i] = fmax(f->curvature[i], fabs(here->curvature[i]));
    double smooth = k > 0 ? (f->t[k] - f->t[k - 1]) * f->curvature[i] : INFINITY;
    f->rate_jumps[i] += fmax(0, fabs(here->rate[i] - f->rate_before[i]) - smooth);
    f->rate_before[i] = here->rate[i];
    double u = thud_verify_constraint_velocity(f->system, here, i, f->v + k * f->n);
    if (f->acting[k * f->m + i] != 0) /* an equation is left to either side */
      f->sinking[i] = fmax(f->sinking[i], verify_is_one_sided(f->system->constraints[i].kind) ? -u : fabs(u));
  }
  f->longest_step = fmax(f->longest_step, f->step[k]);
  f->largest_q = fmax(f->largest_q, thud_verify_norm(f->n, f->q + k * f->n));
}

/* What a time-stepping scheme leaves: a constraint is met within one step, at most two steps' way too late, and while
 * it acts each step adds its curvature times h^2, and a kink of its motion in time the jump of dg/dt times h. The stabilised scheme takes all of it back; the regularised one lets
 * bodies sink with what is left of their velocities. Velocity problems are solved to a part of their largest velocity,
 * which may be another constraint's, and at rest is what the smooth forces would give within the step, h |G M^-1 F|. A
 * contact that is left open by that is free for a step; in a record that does not hold every step the velocity that it
 * gets there, again h |G M^-1 F|, may be in no row. */
static double allowed_violation(const verify_frames *f, size_t k, size_t i) {
  double h = f->longest_step, unseen = f->system->scene.record_every > 0 ? h * f->push[i] : 0;
  double way = 2 * h * (f->speed[i] + unseen);
  double rounding =
      VERIFY_ROUNDING * (f->gap_size[i] + absolute_product(f->n, f->here.gradient + i * f->n, f->q + k * f->n));
  double left = f->system->residual_tolerance * (f->fastest + h * f->pushed);
  if (f->system->scheme->corrects) return f->tolerance * way + left * h + rounding;
  double drift = (f->t[k] - f->t[0]) * (h * f->curvature[i] + left) + h * f->rate_jumps[i];
  double sinking = f->system->scene.record_every > 0 ? fmax(f->sinking[i], f->speed[i]) : f->sinking[i];
  if (f->system->scheme->penalty) drift += (f->t[k] - f->t[0] + f->system->lambda) * sinking;
  return (f->system->constraints[i].kind == VERIFY_UNILATERAL ? way : f->tolerance * way) + drift + rounding +
         f->system->gap_tolerance;
}

/* Rounding of an equation whose terms cancel where its derivatives do not show them (constants, turning bodies). */
static thud_error add_noise(const verify_frames *f, size_t k, size_t i, double *allowed) {
  const verify_state_at at = {.t = f->t[k], .q = f->q + k * f->n, .v = f->v + k * f->n};
  double noise;
  thud_error error = thud_verify_gap_noise(f->system, &at, &f->here, i, &noise);
  if (error == THUD_OK) *allowed += noise;
  return error;
}

/* An equation that follows from others has the drift of these, which are within their own limits. */
static thud_error allow_following(const verify_frames *f, size_t k, size_t i, double violation, double *allowed) {
  bool follow = false, *open = THUD_NEW_ARRAY(f->context, bool, f->m);
  if (open == NULL) return THUD_ERROR_MEMORY;
  for (size_t j = 0; j < f->m; j++)
    open[j] = f->system->constraints[j].kind == VERIFY_EQUATION && fabs(f->here.gap[j]) > allowed_violation(f, k, j);
  open[i] = true;
  thud_error error = thud_verify_rows_follow(f, f->t[k], f->q + k * f->n, f->v + k * f->n, open, &follow);
  thud_free(f->context, open);
  if (follow) *allowed = violation;
  return error;
}

static thud_error check_gap(const verify_frames *f, size_t k, size_t i, thud_verify_check *gap,
                            thud_verify_check *penetration) {
  const verify_constraint *constraint = &f->system->constraints[i];
  double stored = f->gap[k * f->m + i], found = f->here.gap[i];
  double size = f->gap_size[i] + absolute_product(f->n, f->here.gradient + i * f->n, f->q + k * f->n);
  if (thud_verify_tally(gap, fabs(stored - found), VERIFY_ROUNDING * size, 0, f->t[k], k))
    thud_verify_explain(gap, "constraint '%s'", constraint->name);
  if (constraint->kind != VERIFY_UNILATERAL && constraint->kind != VERIFY_EQUATION) return THUD_OK;
  double violation = constraint->kind == VERIFY_UNILATERAL ? fmax(0, -found) : fabs(found);
  double allowed = allowed_violation(f, k, i);
  thud_error error = violation > allowed ? add_noise(f, k, i, &allowed) : THUD_OK;
  if (error == THUD_OK && violation > allowed && constraint->kind == VERIFY_EQUATION)
    error = allow_following(f, k, i, violation, &allowed);
  if (error == THUD_OK && thud_verify_tally(penetration, violation, allowed, 0, f->t[k], k))
    thud_verify_explain(penetration, "constraint '%s'; the tolerance is what the scheme allows", constraint->name);
  return error;
}

thud_error thud_verify_frames_gaps(verify_frames *f, thud_verify_check *gap, thud_verify_check *penetration) {
  thud_error error = THUD_OK;
  if (f->system->functions) thud_verify_posed_gaps(f, gap, penetration);
  for (int pass = 0; pass < 2 && !f->system->functions; pass++)
    for (size_t k = 0; k < f->count; k++) {
      if (!thud_verify_frames_here(f, k)) {
        thud_verify_fail(gap, f->t[k], k, "the system cannot be evaluated at this frame");
        continue;
      }
      if (pass == 0)
        gather_sizes(f, k);
      else
        for (size_t i = 0; i < f->m && error == THUD_OK; i++) error = check_gap(f, k, i, gap, penetration);
    }
  return error;
}

/* ---- frames of a system without formulas ------------------------------------------------------------------------- */

/* Frames of a system without formulas: nodes and steps from the recorded numbers, and what gaps say of them. */

/* A gap between two nodes changes as its gradients there say, up to this times what these differ by. */
static const double TURNING = 4;

static const double *mass_of(const verify_frames *f, const double *masses, size_t k) {
  return f->system->given_mass != NULL ? NULL : masses + k * f->n * f->n;
}

bool thud_verify_frames_here(verify_frames *f, size_t k) {
  verify_system *system = f->system;
  if (!system->functions)
    return thud_verify_system_at(system, thud_verify_data_after(system, f->t[k]), f->q + k * f->n, f->v + k * f->n,
                                 &f->here);
  /* The potential is what the record says: nobody else knows it. */
  f->here.out[f->here.potential - f->here.out] = f->ledger[k * VERIFY_LEDGER_WIDTH + VERIFY_LEDGER_POTENTIAL];
  return thud_verify_take_mass(system, mass_of(f, f->posed.node_mass, k), &f->here);
}

/* The step of the velocity problem is the frame's, or half of a controlled one. */
static bool has_right_step(const verify_frames *f, size_t k) {
  const verify_scene *scene = &f->system->scene;
  double h = f->posed.step[k], length = scene->end - scene->start, rounding = VERIFY_ROUNDING * fabs(f->t[k]);
  bool controlled = f->system->step_tolerance > 0;
  double whole = k > 0 ? f->step[k] : controlled ? length / 1000 : length / scene->steps;
  if (fabs(h - whole) <= rounding + VERIFY_ROUNDING * whole) return true;
  return controlled && fabs(h - whole / 2) <= rounding + VERIFY_ROUNDING * whole;
}

static bool take_problem(const verify_frames *f, size_t k, verify_step *s) {
  size_t m = f->m;
  double *acting = s->restitution; /* set afterwards */
  bool good =
      thud_verify_problem_values(f->system, &f->posed.problems, k, mass_of(f, f->posed.mass, k), acting, &s->at);
  bool bends = f->system->scheme->bends && k > 0;
  for (size_t i = 0; i < m; i++) {
    good = good && acting[i] == f->acting[k * m + i];
    s->bend[i] = f->posed.bend[k * m + i];
    good = good && (s->bend[i] == 0 || (bends && acting[i] != 0));
  }
  memcpy(s->at.out + (s->at.gap - s->at.out), f->posed.gap + k * m, m * sizeof(double));
  for (size_t i = m; i-- > 0;)
    if (acting[i] != 0 && f->system->constraints[i].kind == VERIFY_UNILATERAL)
      s->one_restitution = s->at.restitution[i];
  return good && has_right_step(f, k);
}

/* The row before is the node before. */
static bool is_linked(const verify_frames *f, size_t k) {
  double elapsed = k > 0 ? f->t[k] - f->t[k - 1] : INFINITY, h = f->posed.step[k];
  return fabs(elapsed - h) <= SAME_NODE * h + VERIFY_ROUNDING * fabs(f->t[k]);
}

bool thud_verify_posed_rebuild(const verify_frames *f, size_t k, verify_step *s) {
  size_t n = f->n;
  bool kicked = f->system->scheme->kicks_first;
  s->h = f->posed.step[k];
  s->linked = is_linked(f, k);
  s->knows_smooth = true;
  s->blur = 0;
  s->tc = f->t[k];
  if (!take_problem(f, k, s)) return false;
  memcpy(s->impulse, f->posed.impulse + k * n, n * sizeof(double));
  memcpy(s->applied, f->posed.applied + k * n, n * sizeof(double));
  memcpy(s->qc, f->q + k * n, n * sizeof(double));
  memcpy(s->q_before, f->q + (s->linked ? k - 1 : k) * n, n * sizeof(double));
  memcpy(s->work, s->impulse, n * sizeof(double));
  thud_verify_cholesky_solve(n, s->at.factor, s->work);
  for (size_t i = 0; i < n; i++)
    s->v_before[i] = s->linked ? f->v[(k - 1) * n + i] : f->v_left[k * n + i] - (kicked ? s->work[i] : 0);
  return thud_verify_step_finish(f, k, s);
}

/* ---- gaps -------------------------------------------------------------------------------------------------------- */

/* The row of constraint i in the velocity problem of frame k; NULL: it does not act there. */
static const double *find_row(const verify_frames *f, size_t k, size_t i, double *rate) {
  const verify_problems *problems = &f->posed.problems;
  const double *rows = verify_ragged_row(&problems->rows, k);
  for (size_t j = 0; j < verify_ragged_count(&problems->rows, k); j++)
    if (rows[j] == (double)i) {
      *rate = verify_ragged_row(&problems->rate, k)[j];
      return verify_ragged_row(&problems->gradient, k) + j * f->n;
    }
  return NULL;
}

/* How much a row that turns from a to b changes what the move from frame k-1 to k does to the gap. */
static double turning(const verify_frames *f, size_t k, const double *a, double a_rate, const double *b,
                      double b_rate) {
  double sum = fabs(b_rate - a_rate) * (f->t[k] - f->t[k - 1]);
  for (size_t j = 0; j < f->n; j++) sum += fabs((b[j] - a[j]) * (f->q[k * f->n + j] - f->q[(k - 1) * f->n + j]));
  return sum;
}

/* The gap where the velocity problem is posed, (1 - theta) h after the node before, is what its velocity says, up to
 * how much the row has turned since the step before. */
static void check_middle(const verify_frames *f, size_t k, size_t i, double rounding, thud_verify_check *check) {
  double theta = f->system->scheme->bends ? 0.5 : f->system->theta, rate = 0, before_rate = 0;
  const double *row = find_row(f, k, i, &rate), *before = find_row(f, k - 1, i, &before_rate);
  if (before == NULL || f->system->scheme->posed_at_node || !is_linked(f, k)) return;
  double ahead = (1 - theta) * f->posed.step[k], expected = f->gap[(k - 1) * f->m + i] + rate * ahead;
  double turned = fabs(rate - before_rate) * ahead;
  for (size_t j = 0; j < f->n; j++) {
    double moved = ahead * f->v_left[k * f->n + j];
    expected += row[j] * moved;
    turned += fabs((row[j] - before[j]) * moved);
  }
  double error = fabs(f->posed.gap[k * f->m + i] - expected);
  if (thud_verify_tally(check, error, TURNING * turned + rounding, 0, f->t[k], k))
    thud_verify_explain(check, "gap of '%s' in its velocity problem", f->system->constraints[i].name);
}

/* gap_k - gap_(k-1) = G (q_k - q_(k-1)) + g' (t_k - t_(k-1)), to the first order. */
static void check_change(verify_frames *f, size_t k, size_t i, thud_verify_check *check) {
  size_t n = f->n;
  double rate = 0, before_rate = 0, after_rate = 0, elapsed = f->t[k] - f->t[k - 1], size = f->gap_size[i];
  const double *row = find_row(f, k, i, &rate), *before = find_row(f, k - 1, i, &before_rate);
  const double *after = k + 1 < f->count ? find_row(f, k + 1, i, &after_rate) : NULL;
  if (row == NULL) return;
  double change = f->gap[k * f->m + i] - f->gap[(k - 1) * f->m + i] - rate * elapsed;
  for (size_t j = 0; j < n; j++) {
    double q = f->q[k * n + j], old = f->q[(k - 1) * n + j];
    change -= row[j] * (q - old);
    size += fabs(row[j]) * (fabs(q) + fabs(old));
  }
  f->curvature[i] += fabs(change);
  check_middle(f, k, i, VERIFY_ROUNDING * size, check);
  if (before == NULL || (after == NULL && !f->system->scheme->posed_at_node)) return;
  double turned = turning(f, k, before, before_rate, row, rate);
  if (after != NULL) turned = fmax(turned, turning(f, k, row, rate, after, after_rate));
  if (thud_verify_tally(check, fabs(change), TURNING * turned + VERIFY_ROUNDING * size, 0, f->t[k], k))
    thud_verify_explain(check, "change of the gap of '%s' against its velocity", f->system->constraints[i].name);
}

static void gather(verify_frames *f, size_t k, size_t i) {
  double rate = 0, speed = 0;
  const double *row = find_row(f, k, i, &rate);
  f->gap_size[i] = fmax(f->gap_size[i], fabs(f->gap[k * f->m + i]));
  f->longest_step = fmax(f->longest_step, f->step[k]);
  if (row == NULL) return;
  for (size_t j = 0; j < f->n; j++)
    speed += fabs(row[j]) * fmax(fabs(f->v[k * f->n + j]), fabs(f->v_left[k * f->n + j]));
  f->speed[i] = fmax(f->speed[i], speed + fabs(rate));
}

/* A constraint is met at most two steps' way too late, and sinks by what its changes differ from its velocities. */
static void check_penetration(const verify_frames *f, size_t k, size_t i, thud_verify_check *check) {
  const verify_constraint *constraint = &f->system->constraints[i];
  double gap = f->gap[k * f->m + i], violation = constraint->kind == VERIFY_UNILATERAL ? fmax(0, -gap) : fabs(gap);
  double allowed =
      2 * f->longest_step * f->speed[i] + f->curvature[i] + VERIFY_ROUNDING * f->gap_size[i] + f->system->gap_tolerance;
  if (f->system->scheme->penalty) allowed += (f->t[k] - f->t[0] + f->system->lambda) * f->speed[i];
  if (thud_verify_tally(check, violation, allowed, 0, f->t[k], k))
    thud_verify_explain(check, "constraint '%s'; the tolerance is what the scheme allows", constraint->name);
}

void thud_verify_posed_gaps(verify_frames *f, thud_verify_check *gap, thud_verify_check *penetration) {
  bool every = f->system->scene.record_every == 0;
  for (size_t i = 0; i < f->m; i++) {
    bool position = f->system->constraints[i].kind <= VERIFY_EQUATION;
    for (size_t k = 0; k < f->count; k++) {
      double posed = f->posed.gap[k * f->m + i], stored = f->gap[k * f->m + i];
      gather(f, k, i);
      if (!position && (posed != 0 || stored != 0))
        thud_verify_fail(gap, f->t[k], k, "'%s' constrains velocities and has no gap", f->system->constraints[i].name);
      if (verify_has_step(f, k) && f->system->scheme->posed_at_node && posed != stored)
        thud_verify_fail(gap, f->t[k], k, "the gap of '%s' is not that of its velocity problem",
                         f->system->constraints[i].name);
    }
    for (size_t k = 1; k < f->count && every && position; k++) check_change(f, k, i, gap);
    for (size_t k = 0; k < f->count && every && position; k++) check_penetration(f, k, i, penetration);
  }
  if (!every) thud_verify_skip(penetration, THUD_VERIFY_NOT_APPLICABLE, "the record does not hold every step");
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

/* ---- reading ------------------------------------------------------------------------------------------------------
 */

/* Times and frames do not go back, and every event has its frame. */
static void check_order(verify_events *events, const thud_record_info *info, size_t kinds, thud_verify_check *check) {
  size_t frames = info->rows[THUD_RECORD_FRAMES], count = info->rows[THUD_RECORD_EVENTS];
  events->count = 0;
  for (size_t e = 0; e < count; e++) {
    double frame = events->frame[e];
    if (!(events->kind[e] >= 0 && events->kind[e] < (double)kinds))
      thud_verify_fail(check, events->t[e], SIZE_MAX, "event %zu is of no kind that has a name", e);
    if (e > 0 && !(events->t[e] >= events->t[e - 1] && frame >= events->frame[e - 1]))
      thud_verify_fail(check, events->t[e], SIZE_MAX, "event %zu comes after a later one", e);
    if (frame >= 0 && frame < (double)frames)
      events->count++;
    else if (info->finished || frame != (double)frames)
      thud_verify_fail(check, events->t[e], SIZE_MAX, "event %zu belongs to frame %g, of %zu", e, frame, frames);
  }
}

thud_error thud_verify_events_read(thud_context *context, thud_record_reader *reader, size_t n, size_t kinds,
                                   const char *const *names, verify_events *events, thud_verify_check *check) {
  const thud_record_info info = thud_record_reader_info(reader);
  const verify_channel channels[] = {{"t", 1, &events->t},
                                     {"kind", 1, &events->kind},
                                     {"frame", 1, &events->frame},
                                     {"before", n, &events->before},
                                     {"after", n, &events->after}};
  thud_error error = thud_verify_read_channels(context, reader, THUD_RECORD_EVENTS, sizeof channels / sizeof *channels,
                                               channels, check);
  if (error != THUD_OK || check->status == THUD_VERIFY_FAILED) return error;
  thud_verify_check_labels(reader, THUD_RECORD_EVENTS, "kind", kinds, names, check);
  check_order(events, &info, kinds, check);
  return THUD_OK;
}

/* NAME of every constraint, then NAME.t1, NAME.t2 of every friction law. */
static void check_reaction_names(const verify_system *system, const thud_record_reader *reader,
                                 thud_verify_check *check) {
  size_t index;
  if (system->m + system->s == 0 ||
      thud_record_find_channel(reader, THUD_RECORD_EVENTS, "reactions", &index) != THUD_OK)
    return;
  const thud_record_channel *found = thud_record_reader_channel(reader, THUD_RECORD_EVENTS, index);
  if (found->label_count != system->m + system->s)
    thud_verify_fail(check, NAN, SIZE_MAX, "%zu reactions have names, the scene has %zu", found->label_count,
                     system->m + system->s);
  for (size_t i = 0; i < system->m && i < found->label_count; i++)
    if (strcmp(found->labels[i], system->constraints[i].name) != 0)
      thud_verify_fail(check, NAN, SIZE_MAX, "reaction %zu is called '%s', the constraint '%s'", i, found->labels[i],
                       system->constraints[i].name);
  for (size_t l = 0; l < system->law_count; l++)
    for (size_t d = 0; d < system->laws[l].directions; d++) {
      size_t i = system->m + system->laws[l].first + d, length = strlen(system->laws[l].name);
      const char *name = i < found->label_count ? found->labels[i] : "";
      if (strncmp(name, system->laws[l].name, length) != 0 || strncmp(name + length, ".t", 2) != 0 ||
          name[length + 2] != (char)('1' + d))
        thud_verify_fail(check, NAN, SIZE_MAX, "reaction %zu is called '%s', not '%s.t%zu'", i, name,
                         system->laws[l].name, d + 1);
    }
}

/* Names of friction laws in the order of the scene; records of earlier versions have no list of them. */
static thud_error check_laws(const verify_system *system, thud_record_reader *reader, const verify_events *events,
                             thud_verify_check *check) {
  size_t index;
  if (system->law_count == 0 || thud_record_find_role(reader, THUD_RECORD_EVENTS, "laws", &index) != THUD_OK)
    return THUD_OK;
  const thud_record_channel *found = thud_record_reader_channel(reader, THUD_RECORD_EVENTS, index);
  verify_ragged laws = {0};
  const verify_ragged_channel channel = {"laws", 1, &laws};
  for (size_t l = 0; l < system->law_count; l++)
    if (found->label_count != system->law_count || strcmp(found->labels[l], system->laws[l].name) != 0) {
      thud_verify_fail(check, NAN, SIZE_MAX, "the friction laws of events are not those of the scene: '%s'",
                       system->laws[l].name);
      return THUD_OK;
    }
  thud_error error = thud_verify_read_ragged(system->scene.context, reader, THUD_RECORD_EVENTS, 1, &channel, check);
  for (size_t e = 0; error == THUD_OK && check->status != THUD_VERIFY_FAILED && e < events->count; e++)
    for (size_t k = 0; k < verify_ragged_count(&laws, e); k++)
      if (!(verify_ragged_row(&laws, e)[k] >= 0 && verify_ragged_row(&laws, e)[k] < (double)system->law_count))
        thud_verify_fail(check, events->t[e], SIZE_MAX, "event %zu names a friction law that the scene does not have",
                         e);
  thud_verify_ragged_free(system->scene.context, &laws);
  return error;
}

thud_error thud_verify_events_read_lists(const verify_system *system, thud_record_reader *reader, verify_events *events,
                                         thud_verify_check *check) {
  size_t group = system->m > 0, reactions = system->m + system->s > 0;
  const verify_ragged_channel channels[] = {{"constraints", group, &events->constraints},
                                            {"reactions", reactions, &events->reactions},
                                            {"impulse", reactions, &events->impulse}};
  thud_error error = thud_verify_read_ragged(system->scene.context, reader, THUD_RECORD_EVENTS,
                                             sizeof channels / sizeof *channels, channels, check);
  if (error != THUD_OK || check->status == THUD_VERIFY_FAILED) return error;
  const char *const *v = (const char *const *)system->velocities;
  thud_verify_check_components(reader, THUD_RECORD_EVENTS, "before", system->n, v, check);
  thud_verify_check_components(reader, THUD_RECORD_EVENTS, "after", system->n, v, check);
  check_reaction_names(system, reader, check);
  error = check_laws(system, reader, events, check);
  for (size_t e = 0; e < events->count; e++)
    if (verify_ragged_count(&events->reactions, e) != verify_ragged_count(&events->impulse, e))
      thud_verify_fail(check, events->t[e], SIZE_MAX, "event %zu has not one impulse per component", e);
  return error;
}

void thud_verify_events_free(thud_context *context, verify_events *events) {
  double *arrays[] = {events->t, events->kind, events->frame, events->before, events->after};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(context, arrays[k]);
  thud_verify_ragged_free(context, &events->constraints);
  thud_verify_ragged_free(context, &events->reactions);
  thud_verify_ragged_free(context, &events->impulse);
}

/* ---- comparing ----------------------------------------------------------------------------------------------------
 */

bool thud_verify_same_numbers(size_t count, const double *a, const double *b) {
  return count == 0 || memcmp(a, b, count * sizeof *a) == 0;
}

/* Walks along the list of an event; entries that are not there are NaN. */
static double next_entry(const verify_ragged *list, size_t e, size_t *next) {
  double entry = *next < verify_ragged_count(list, e) ? verify_ragged_row(list, e)[*next] : (double)NAN;
  ++*next;
  return entry;
}

/* Component `i` and its impulse are the next ones in the event's lists. */
static bool is_next_impulse(const verify_claim *claim, const verify_events *events, size_t e, size_t i, size_t *next) {
  size_t place = *next;
  double component = next_entry(&events->reactions, e, next);
  return component == (double)i && verify_ragged_row(&events->impulse, e)[place] == claim->impulse[i];
}

/* Impulses of the friction laws of a constraint; SIZE_MAX: of those that belong to none. */
static bool has_friction(const verify_claim *claim, const verify_events *events, size_t e, size_t i, size_t *next) {
  const verify_system *system = claim->system;
  bool same = true;
  for (size_t l = 0; l < system->law_count; l++)
    for (size_t d = 0; d < system->laws[l].directions && system->laws[l].constraint == i && same; d++)
      same = is_next_impulse(claim, events, e, system->m + system->laws[l].first + d, next);
  return same;
}

/* Impulses of a constraint, then of its friction. */
static bool has_impulses(const verify_claim *claim, const verify_events *events, size_t e, size_t i, size_t *next) {
  return is_next_impulse(claim, events, e, i, next) && has_friction(claim, events, e, i, next);
}

void thud_verify_event_compare(const verify_claim *claim, const verify_events *events, size_t e,
                               thud_verify_check *check) {
  size_t named = 0, listed = 0;
  if (events->t[e] != claim->t)
    thud_verify_fail(check, claim->t, claim->frame, "the event of this frame is at t = %.17g", events->t[e]);
  for (size_t i = 0; i < claim->system->m; i++) {
    const char *name = claim->system->constraints[i].name;
    bool struck = claim->impulse != NULL && (claim->marks[i] != 0 || (claim->all_impulses && claim->impulse[i] != 0));
    if (struck && !has_impulses(claim, events, e, i, &listed))
      thud_verify_fail(check, claim->t, claim->frame, "the event's impulse of '%s' is not that of its frame", name);
    if (claim->marks[i] != 0 && next_entry(&events->constraints, e, &named) != (double)i)
      thud_verify_fail(check, claim->t, claim->frame, "the event does not name '%s', to which it happens in its frame",
                       name);
  }
  if (claim->own_laws && !has_friction(claim, events, e, SIZE_MAX, &listed))
    thud_verify_fail(check, claim->t, claim->frame, "the event's impulses of friction laws are not those of its frame");
  if (named != verify_ragged_count(&events->constraints, e) || listed != verify_ragged_count(&events->reactions, e))
    thud_verify_fail(check, claim->t, claim->frame,
                     "the event names constraints to which nothing happens in its frame");
}
