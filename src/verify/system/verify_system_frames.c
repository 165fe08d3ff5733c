/* Frames of a recorded motion: reading, structure, start, gaps. */
#include "verify/system/verify_system_frames.h"
#include "verify/math/verify_noise.h"
#include "verify/verify_channels.h"
#include "verify/math/verify_dense.h"

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

static bool all_finite(size_t count, const double *x) {
  for (size_t i = 0; i < count; i++)
    if (!isfinite(x[i])) return false;
  return true;
}

static void check_numbers(const verify_frames *f, size_t k, thud_verify_check *check) {
  size_t n = f->n, m = f->m;
  bool finite = isfinite(f->t[k]) && isfinite(f->step[k]) && isfinite(f->residual[k]) && all_finite(n, f->q + k * n) &&
                all_finite(n, f->v + k * n) && all_finite(n, f->v_left + k * n) &&
                all_finite(n, f->v_average + k * n) && all_finite(n, f->v_limit + k * n) &&
                all_finite(m, f->gap + k * m) && all_finite(m + f->s, f->reaction + k * (m + f->s)) &&
                all_finite(VERIFY_LEDGER_WIDTH, f->ledger + k * VERIFY_LEDGER_WIDTH);
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
  if (k > 0 && f->t[k] - f->t[k - 1] > scene->record_every + h + slack)
    thud_verify_fail(check, f->t[k], k, "frames are missing: %.6g after the frame before", f->t[k] - f->t[k - 1]);
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
  for (size_t k = 0; k < f->count; k++) {
    check_numbers(f, k, check);
    if (k > 0 && !(f->t[k] > f->t[k - 1]))
      thud_verify_fail(check, f->t[k], k, "the times do not increase, from %.17g to %.17g", f->t[k - 1], f->t[k]);
    if (f->system->step_tolerance > 0)
      check_controlled_step(f, k, check);
    else
      check_equal_step(f, k, check);
  }
  size_t last = f->count - 1;
  if (f->t[0] != scene->start)
    thud_verify_fail(check, f->t[0], 0, "the first frame is at t = %.10g, the run starts at %.10g", f->t[0],
                     scene->start);
  if (finished && f->t[last] != scene->end)
    thud_verify_fail(check, f->t[last], last, "the last frame is at t = %.10g, the run ends at %.10g", f->t[last],
                     scene->end);
  if (check->status == THUD_VERIFY_PASSED)
    thud_verify_explain(check, "%zu frames%s", f->count, scene->record_every > 0 ? "; not every step is there" : "");
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
  if (f->system->method == VERIFY_STABILISED) return f->tolerance * way + left * h + rounding;
  double drift = (f->t[k] - f->t[0]) * (h * f->curvature[i] + left) + h * f->rate_jumps[i];
  double sinking = f->system->scene.record_every > 0 ? fmax(f->sinking[i], f->speed[i]) : f->sinking[i];
  if (f->system->method == VERIFY_REGULARISED) drift += (f->t[k] - f->t[0] + f->system->lambda) * sinking;
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
