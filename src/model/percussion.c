/* Impacts and steps: options, life, the call, and the short way for a single frictionless constraint. */
#include "base/base.h"
#include "convex/set.h"
#include "model/percussion.h"
#include "solve/one_contact.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* ---- options --------------------------------------------------------------------------------------------------- */

static const char *const laws[] = {"canonical", "newton", "sequential", "lzb", "table", NULL};
static const char *const gains[] = {"reduce_e", "refuse", "allow", NULL};

#define FIELD(name) offsetof(thud_percussion_options, name)

static const thud_option_key keys[] = {
    {"law", THUD_OPTION_CHOICE, FIELD(law), THUD_IMPACT_NEWTON, 0, 0, false, laws, "",
     "what impacts do: one e for all, e per constraint, binary collisions, energetic law of chains, a user's map"},
    {"on_energy_gain", THUD_OPTION_CHOICE, FIELD(on_energy_gain), THUD_GAIN_REDUCE_E, 0, 0, false, gains, "",
     "what happens to an impact that would create energy"},
    {"tolerance", THUD_OPTION_REAL, FIELD(tolerance), 1e-10, 0, 1, true, NULL, "1",
     "largest residual of a velocity problem that counts as solved, relative to its velocities"},
    {"energy_tolerance", THUD_OPTION_REAL, FIELD(energy_tolerance), 1e-9, 0, INFINITY, false, NULL, "1",
     "an impact gains when it creates more than this part of the kinetic energy"},
    {"lzb_stiffness_ratio", THUD_OPTION_REAL, FIELD(lzb_stiffness_ratio), 1, 0, INFINITY, true, NULL, "1",
     "lzb: stiffness of each contact over that of the one before"},
    {"lzb_exponent", THUD_OPTION_REAL, FIELD(lzb_exponent), 1.5, 0, INFINITY, true, NULL, "1",
     "lzb: exponent of the contacts' force law (1 linear, 1.5 Hertz)"},
    {"max_collisions", THUD_OPTION_INT, FIELD(max_collisions), 1000, 1, INFINITY, false, NULL, "1",
     "sequential: binary collisions at one impact before the rest is inelastic"},
};

static const thud_option_part nested[] = {{offsetof(thud_percussion_options, solver), thud_solver_option_table}};
static const thud_option_table table = {.name = "velocity problem",
                                        .struct_size = sizeof(thud_percussion_options),
                                        .keys = keys,
                                        .count = sizeof keys / sizeof *keys,
                                        .parts = nested,
                                        .part_count = 1};

const thud_option_table *thud_percussion_option_table(void) { return &table; }

/* ---- life ------------------------------------------------------------------------------------------------------ */

static const thud_law_map *const maps[] = {[THUD_IMPACT_CANONICAL] = &thud_law_canonical,
                                           [THUD_IMPACT_NEWTON] = &thud_law_newton,
                                           [THUD_IMPACT_SEQUENTIAL] = &thud_law_sequential,
                                           [THUD_IMPACT_LZB] = &thud_law_lzb,
                                           [THUD_IMPACT_TABLE] = &thud_law_table};

static bool is_equation(thud_constraint_kind kind) {
  return kind == THUD_CONSTRAINT_BILATERAL || kind == THUD_CONSTRAINT_VELOCITY;
}

static thud_error unit_ball(thud_context *context, thud_index n, thud_set **set) {
  double *centre = THUD_NEW_ARRAY(context, double, n);
  if (centre == NULL) return THUD_ERROR_MEMORY;
  thud_error error = thud_set_ball(context, n, centre, 1, set);
  thud_free(context, centre);
  return error;
}

static thud_error take_law(thud_percussion *p, thud_index k, thud_index first) {
  const thud_friction_def *def = thud_system_friction(p->system, k);
  thud_slip_law *law = &p->laws[k];
  law->constraint = def->constraint;
  law->of_bilateral = def->constraint >= 0 && is_equation(p->kind[def->constraint]);
  law->first = first;
  p->sets[k].directions = def->directions;
  thud_error error = thud_percussion_take_threshold(p, k);
  if (error != THUD_OK) return error;
  if (def->constraint >= 0 && !law->of_bilateral && p->law_of[def->constraint] < 0) p->law_of[def->constraint] = k;
  p->sets[k].is_whole = def->kind == THUD_FRICTION_FIRM;
  if (p->sets[k].is_whole) return THUD_OK;
  if (def->kind == THUD_FRICTION_SET) {
    error = thud_set_clone(p->context, def->set, &p->sets[k].set);
    return error == THUD_OK ? thud_set_settle(p->sets[k].set) : error;
  }
  return def->directions > 2 ? unit_ball(p->context, def->directions, &p->sets[k].set) : THUD_OK;
}

static thud_error take_system(thud_percussion *p) {
  const thud_system *system = p->system;
  p->kind = THUD_NEW_ARRAY(p->context, thud_constraint_kind, p->m);
  p->law_of = THUD_NEW_ARRAY(p->context, thud_index, p->m);
  p->laws = THUD_NEW_ARRAY(p->context, thud_slip_law, p->law_count);
  p->sets = THUD_NEW_ARRAY(p->context, thud_velocity_law, p->law_count);
  if (p->kind == NULL || p->law_of == NULL || p->laws == NULL || p->sets == NULL) return THUD_ERROR_MEMORY;
  for (thud_index i = 0; i < p->m; i++) {
    p->kind[i] = thud_system_constraint(system, i)->kind;
    p->law_of[i] = -1;
    *(is_equation(p->kind[i]) ? &p->bilateral_total : &p->unilateral_total) += 1;
  }
  thud_index first = 0;
  for (thud_index k = 0; k < p->law_count; k++) {
    if (thud_system_friction(system, k)->kind == THUD_FRICTION_NONE)
      return thud_fail(p->context, THUD_ERROR_ARGUMENT, "[bad-friction] velocity problem: friction law %d has no kind",
                       (int)k);
    thud_error error = take_law(p, k, first);
    if (error != THUD_OK) return error;
    first += p->sets[k].directions;
  }
  return THUD_OK;
}

static thud_error allocate_velocity_problem(thud_percussion *p) {
  thud_context *c = p->context;
  size_t rows = (size_t)p->row_capacity, n = (size_t)p->n, equations = (size_t)p->bilateral_total, product;
  size_t full = p->is_sparse ? 0 : 1; /* matrices that only problems of full values have */
  if (!thud_size_multiply(rows + 1, 9 * (rows + 1), &product) || !thud_size_multiply(rows + n + 1, 24, &product))
    return thud_fail(c, THUD_ERROR_OVERFLOW, "velocity problem: too many rows");
  struct {
    double **array;
    size_t count;
  } parts[] = {{&p->rate, rows},
               {&p->y, full * rows * n},
               {&p->W, full * rows * rows},
               {&p->u_free, rows},
               {&p->u_minus, rows},
               {&p->load, rows},
               {&p->r, rows},
               {&p->u, rows},
               {&p->restitution, rows},
               {&p->basis, full * (equations * n + n)},
               {&p->triangle, full * equations * equations},
               {&p->along, full * equations * rows},
               {&p->offset, equations},
               {&p->l, equations},
               {&p->z, n},
               {&p->v_plus, n},
               {&p->work, 3 * rows + n + equations},
               {&p->past, 24 * rows + 2 * n}};
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
    if ((*parts[k].array = THUD_NEW_ARRAY(c, double, parts[k].count)) == NULL) return THUD_ERROR_MEMORY;
  p->blocks = THUD_NEW_ARRAY(c, thud_velocity_block, (size_t)p->unilateral_total + (size_t)p->law_count);
  p->source = THUD_NEW_ARRAY(c, thud_row, rows);
  p->bilateral_constraint = THUD_NEW_ARRAY(c, thud_index, equations);
  p->basis_of = THUD_NEW_ARRAY(c, thud_index, equations);
  p->chosen = THUD_NEW_ARRAY(c, thud_index, rows);
  p->range = THUD_NEW_ARRAY(c, thud_row_range, rows);
  bool done = p->blocks != NULL && p->source != NULL && p->bilateral_constraint != NULL && p->basis_of != NULL &&
              p->chosen != NULL && p->range != NULL;
  return done ? THUD_OK : THUD_ERROR_MEMORY;
}

/* The largest problem, whose views stay, and its solver. */
static thud_error create_solver(thud_percussion *p) {
  p->problem = (thud_velocity_problem){.law_count = p->law_count,
                                       .blocks = p->blocks,
                                       .laws = p->sets,
                                       .W = {.storage = THUD_MATRIX_DENSE, .dense = p->W},
                                       .load = p->load,
                                       .u_free = p->u_free,
                                       .u_minus = p->u_minus,
                                       .rate = p->rate,
                                       .restitution = p->restitution,
                                       .equations = {.count = p->bilateral_total,
                                                     .basis_of = p->basis_of,
                                                     .triangle = p->triangle,
                                                     .along = p->along,
                                                     .offset = p->offset}};
  thud_percussion_outline(p);
  thud_solver_options options = p->options.solver;
  options.tolerance = p->options.tolerance;
  return thud_velocity_solver_create(p->context, &p->problem, p->options.method, &options, &p->solver);
}

/* A percussion with its options, nothing else yet. */
static thud_error start(thud_context *context, const thud_percussion_options *options, thud_percussion **percussion) {
  thud_percussion_options chosen;
  thud_error error = thud_options_take(context, &table, options, &chosen);
  if (error != THUD_OK) return error;
  thud_percussion *p = THUD_NEW(context, thud_percussion);
  if (p == NULL) return THUD_ERROR_MEMORY;
  p->context = context;
  p->options = chosen;
  p->law = maps[chosen.law];
  *percussion = p;
  return THUD_OK;
}

thud_error thud_percussion_begin(thud_context *context, const thud_system *system, bool is_sparse,
                                 const thud_percussion_options *options, thud_percussion **percussion) {
  thud_percussion *p;
  thud_error error = start(context, options, &p);
  if (error != THUD_OK) return error;
  p->system = system;
  p->is_sparse = is_sparse;
  p->n = thud_system_dimension(system);
  p->m = thud_system_constraint_count(system);
  p->slips = thud_system_slip_count(system);
  p->law_count = thud_system_friction_count(system);
  p->has_laws = p->law_count > 0;
  error = take_system(p);
  p->row_capacity = p->unilateral_total + p->slips;
  if (error == THUD_OK) error = allocate_velocity_problem(p);
  if (error == THUD_OK && p->is_coupled && (p->slope = THUD_NEW_ARRAY(context, double, p->slips)) == NULL)
    error = THUD_ERROR_MEMORY;
  if (error == THUD_OK && !is_sparse) error = create_solver(p);
  if (error == THUD_OK && p->law->check != NULL) error = p->law->check(p);
  if (error == THUD_OK && p->is_coupled) error = thud_percussion_take_coupled(p);
  if (error != THUD_OK) {
    thud_percussion_destroy(p);
    return error;
  }
  *percussion = p;
  return THUD_OK;
}

/* Every contact is unilateral and has law 0, the disc. */
static thud_error take_contacts(thud_percussion *p, thud_index contacts, thud_index directions) {
  p->m = p->unilateral_total = contacts;
  p->law_count = directions > 0 ? 1 : 0;
  p->kind = THUD_NEW_ARRAY(p->context, thud_constraint_kind, p->m);
  p->law_of = THUD_NEW_ARRAY(p->context, thud_index, p->m);
  p->laws = THUD_NEW_ARRAY(p->context, thud_slip_law, p->law_count);
  p->sets = THUD_NEW_ARRAY(p->context, thud_velocity_law, p->law_count);
  if (p->kind == NULL || p->law_of == NULL || p->laws == NULL || p->sets == NULL) return THUD_ERROR_MEMORY;
  for (thud_index i = 0; i < contacts; i++) p->law_of[i] = directions > 0 ? 0 : -1;
  if (directions > 0) p->sets[0].directions = directions;
  return THUD_OK;
}

thud_error thud_percussion_begin_numbers(thud_context *context, thud_index contacts, thud_index directions,
                                         const thud_percussion_options *options, thud_percussion **percussion) {
  enum { MOST_ROWS = 46340 }; /* whose square an index holds */
  if (contacts > MOST_ROWS / (1 + directions))
    return thud_fail(context, THUD_ERROR_OVERFLOW,
                     "velocity problem: %d contacts of %d rows make a full matrix of more than %d rows", (int)contacts,
                     (int)(1 + directions), MOST_ROWS);
  thud_percussion *p;
  thud_error error = start(context, options, &p);
  if (error != THUD_OK) return error;
  p->slips = contacts * directions;
  p->row_capacity = contacts + p->slips;
  error = take_contacts(p, contacts, directions);
  if (error == THUD_OK) error = allocate_velocity_problem(p);
  if (error == THUD_OK) error = create_solver(p);
  if (error != THUD_OK) {
    thud_percussion_destroy(p);
    return error;
  }
  *percussion = p;
  return THUD_OK;
}

thud_error thud_percussion_create(thud_context *context, const thud_system *system,
                                  const thud_percussion_options *options, thud_percussion **percussion) {
  THUD_REQUIRE(context, context, system, percussion);
  return thud_percussion_begin(context, system, false, options, percussion);
}

void thud_percussion_destroy(thud_percussion *p) {
  if (p == NULL) return;
  thud_context *c = p->context;
  thud_velocity_solver_destroy(p->solver);
  thud_percussion_destroy_sparse(p);
  for (thud_index k = 0; p->sets != NULL && k < p->law_count; k++) thud_set_destroy(p->sets[k].set);
  thud_percussion_free_thresholds(p);
  void *parts[] = {p->kind,        p->laws,
                   p->sets,        p->law_of,
                   p->blocks,      p->source,
                   p->rate,        p->y,
                   p->W,           p->u_free,
                   p->u_minus,     p->load,
                   p->r,           p->u,
                   p->restitution, p->basis,
                   p->triangle,    p->along,
                   p->offset,      p->l,
                   p->z,           p->v_plus,
                   p->work,        p->chosen,
                   p->basis_of,    p->bilateral_constraint,
                   p->past,        p->range};
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) thud_free(c, parts[k]);
  thud_free(c, p);
}

void thud_percussion_place(thud_percussion *percussion, double t, const double *q) {
  THUD_REQUIRE_OR(, percussion);
  percussion->t = t;
  percussion->q = q;
}

void thud_percussion_look(thud_percussion *p, const thud_impact_view *view) {
  p->view = view != NULL ? *view : (thud_impact_view){0};
}

void thud_percussion_leave_out(thud_percussion *p, const bool *left_out) { p->left_out = left_out; }

const char *thud_percussion_method(const thud_percussion *percussion) {
  THUD_REQUIRE_OR("none", percussion);
  return percussion->solved_by != NULL ? percussion->solved_by : "none";
}

/* ---- one frictionless constraint ------------------------------------------------------------------------------- */

void thud_percussion_info_start(thud_percussion_info *info) {
  memset(info, 0, sizeof *info);
  info->worst_constraint = info->worst_law = info->cosine_first = info->cosine_second = -1;
  info->restitution_factor = 1;
  info->in_cone = info->impulse_admissible = true;
}

bool thud_percussion_info_fits(const thud_percussion_info *info, thud_index m, thud_index law_count) {
  const bool *const flags[] = {&info->gained, &info->refused, &info->in_cone, &info->impulse_admissible,
                               &info->set_valued};
  const thud_index constraints[] = {info->worst_constraint, info->cosine_first, info->cosine_second};
  for (size_t k = 0; k < sizeof flags / sizeof *flags; k++)
    if (*(const unsigned char *)flags[k] > 1) return false;
  for (size_t k = 0; k < sizeof constraints / sizeof *constraints; k++)
    if (constraints[k] != 0 && (constraints[k] < -1 || constraints[k] >= m)) return false;
  bool law = info->worst_law == 0 || (info->worst_law >= -1 && info->worst_law < law_count); /* 0: not set yet */
  return law && (int)info->status >= THUD_SOLVED && (int)info->status <= THUD_SOLVER_INTERRUPTED;
}

/* Number of the only constraint that acts, when it is unilateral and without friction; -1 otherwise. */
static thud_index only_constraint(const thud_percussion *p, const thud_velocity_data *data) {
  if (p->bilateral_total > 0 || p->law == &thud_law_table || p->options.method != NULL || p->sparse != NULL) return -1;
  thud_index only = -1;
  for (thud_index i = 0; i < p->m; i++) {
    if (p->kind[i] == THUD_CONSTRAINT_UNILATERAL && !data->acting[i]) continue;
    if (only >= 0) return -1;
    only = i;
  }
  for (thud_index k = 0; only >= 0 && k < p->law_count; k++) {
    bool acts = p->laws[k].constraint == only || (p->laws[k].constraint < 0 && data->step > 0);
    if (acts && data->values->friction[k] != 0) return -1;
  }
  return only;
}

/* x = M^-1 a; gives a.x. One coordinate needs no factor, and keeps its digits. */
static double solve_mass(thud_index n, const thud_system_values *values, const double *a, double *x) {
  if (n == 1) {
    x[0] = a[0] / values->mass[0];
    return a[0] * x[0];
  }
  memcpy(x, a, (size_t)n * sizeof *x);
  thud_factor_forward(n, values->mass_factor, x);
  double W = 0;
  for (thud_index k = 0; k < n; k++) W += x[k] * x[k];
  thud_factor_backward(n, values->mass_factor, x);
  return W;
}

/* Closed form: r = max(0, -(u_free + e u_minus)/W). False when the constraint needs the general way (no effect of its
 * impulse, energy created, data not finite); info is untouched then. v+ is p->v_plus. */
static bool solve_only(thud_percussion *p, const thud_velocity_data *data, thud_index i, double *impulse,
                       thud_percussion_info *info) {
  thud_index n = p->n, entries = 0, last = 0;
  const double *a = data->values->gradient + (ptrdiff_t)i * n;
  double rate = data->values->rate[i], u_free = rate, u_minus = rate, e = data->values->restitution[i];
  double magnitude = fabs(rate);
  for (thud_index k = 0; k < n; k++) {
    u_free += a[k] * data->v_free[k];
    magnitude += fabs(a[k] * data->v_free[k]);
    u_minus += a[k] * data->v_minus[k];
    if (a[k] == 0) continue;
    entries++;
    last = k;
  }
  double target = -e * (p->law->sees_free_velocity ? u_free : u_minus), load = u_free - target, r = 0;
  if (!isfinite(load) || !isfinite(u_minus) || e > 1) return false;
  for (thud_index k = 0; k < n; k++) p->v_plus[k] = data->v_free[k];
  double u_plus = u_free, residual = 0, least = THUD_VELOCITY_ROUNDING * magnitude / p->options.tolerance,
         scale = least;
  if (load < 0) {
    double W = solve_mass(n, data->values, a, p->z);
    if (thud_one_normal(W, load, &r) == THUD_MODE_NONE || !isfinite(r)) return false;
    for (thud_index k = 0; k < n; k++) p->v_plus[k] += r * p->z[k];
    if (entries == 1) p->v_plus[last] = (target - rate) / a[last];
    u_plus = rate;
    for (thud_index k = 0; k < n; k++) u_plus += a[k] * p->v_plus[k];
    scale = fabs(u_free) > -load ? fabs(u_free) : -load;
    if (scale < least) scale = least;
    residual = fabs(u_plus - target) / scale;
  }
  *impulse = r;
  thud_percussion_info_start(info);
  info->residual = residual;
  info->worst_constraint = residual > 0 ? i : -1;
  info->in_cone = u_plus >= -p->options.tolerance * scale;
  info->normal_loss = -r * (u_plus + u_minus) / 2;
  info->moving_work = -r * rate;
  thud_percussion_account_energy(p, data, p->v_plus, info);
  return true;
}

/* ---- the general way --------------------------------------------------------------------------------------------- */

thud_error thud_percussion_velocity_problem(thud_percussion *p, thud_solver_status *status) {
  if (p->sparse != NULL) return thud_percussion_solve_sparse(p, status);
  thud_velocity_info found;
  thud_error error = thud_velocity_solver_solve(p->solver, &p->problem, p->r, p->u, &found);
  if (error != THUD_OK) return error;
  *status = found.status;
  p->solved_by = found.method;
  p->set_valued = p->set_valued || found.set_valued;
  return THUD_OK;
}

/* ---- the call -------------------------------------------------------------------------------------------------- */

static void write_impulses(thud_percussion *p, double *r_normal, double *r_slip) {
  memset(r_normal, 0, (size_t)p->m * sizeof *r_normal);
  if (p->slips > 0) memset(r_slip, 0, (size_t)p->slips * sizeof *r_slip);
  for (thud_index b = 0; b < p->problem.block_count; b++) {
    const thud_velocity_block *block = &p->blocks[b];
    thud_index row = block->first;
    if (block->has_normal) r_normal[block->constraint] = p->r[row++];
    for (thud_index k = 0; k < block->directions; k++) r_slip[p->laws[block->law].first + k] = p->r[row + k];
  }
  for (thud_index b = 0; b < p->problem.equations.count; b++) r_normal[p->bilateral_constraint[b]] = p->l[b];
}

/* Nothing is applied but what bilateral constraints ask for. */
static void take_nothing(thud_percussion *p) {
  for (thud_index i = 0; i < p->problem.rows; i++) {
    p->r[i] = 0;
    p->load[i] = p->u[i] = p->u_free[i];
  }
}

/* The flags and energy_after stay those of the answer that was refused. */
static void account_refused(thud_percussion *p, const thud_velocity_data *data, thud_percussion_info *info) {
  bool in_cone = info->in_cone, impulse_admissible = info->impulse_admissible;
  double energy = thud_values_product(data->values, p->n, p->v_plus, p->v_plus) / 2;
  take_nothing(p);
  thud_percussion_velocity(p, data, p->v_plus);
  thud_percussion_account(p, data, p->v_plus, info);
  info->in_cone = in_cone;
  info->impulse_admissible = impulse_admissible;
  info->energy_after = energy;
}

static thud_error solve_general(thud_percussion *p, const thud_velocity_data *data, double *r_normal, double *r_slip,
                                thud_percussion_info *info) {
  p->has_velocity = false;
  thud_error error = thud_percussion_assemble(p, data, r_normal, r_slip);
  if (error == THUD_OK) error = p->law->apply(p, data, info);
  if (error == THUD_OK && p->is_coupled) error = thud_percussion_check_thresholds(p, info);
  if (error != THUD_OK) return error;
  if (!p->has_velocity) thud_percussion_velocity(p, data, p->v_plus);
  if (info->refused)
    account_refused(p, data, info);
  else
    thud_percussion_account(p, data, p->v_plus, info);
  write_impulses(p, r_normal, r_slip);
  return THUD_OK;
}

thud_error thud_percussion_solve(thud_percussion *p, const thud_system_values *values, const bool *acting, double step,
                                 const double *v_minus, const double *v_free, double *r_normal, double *r_slip,
                                 double *v_plus, thud_percussion_info *info) {
  THUD_REQUIRE_OF(p, values, acting, v_minus, v_free, r_normal, r_slip, v_plus);
  thud_velocity_data data = {.values = values, .acting = acting, .step = step, .v_minus = v_minus, .v_free = v_free};
  thud_percussion_info found, *place = info != NULL ? info : &found;
  thud_index only = only_constraint(p, &data);
  double impulse;
  if (only >= 0 && solve_only(p, &data, only, &impulse, place)) {
    for (thud_index i = 0; i < p->m; i++) r_normal[i] = 0;
    for (thud_index i = 0; i < p->slips; i++) r_slip[i] = 0;
    r_normal[only] = impulse;
  } else {
    thud_percussion_info_start(&found);
    thud_error error = solve_general(p, &data, r_normal, r_slip, &found);
    if (error != THUD_OK) return error;
    *place = found;
  }
  for (thud_index k = 0; k < p->n; k++) v_plus[k] = p->v_plus[k];
  return THUD_OK;
}

thud_error thud_percussion_solve_numbers(thud_percussion *p, const thud_velocity_data *data,
                                         thud_percussion_info *info) {
  thud_percussion_info_start(info);
  p->set_valued = false;
  thud_error error = p->law->apply(p, data, info);
  if (error != THUD_OK) return error;
  if (info->refused) take_nothing(p);
  for (thud_index i = 0; i < p->problem.rows; i++) {
    p->u[i] = p->u_free[i];
    for (thud_index j = 0; j < p->problem.rows; j++) p->u[i] += p->W[i * p->problem.rows + j] * p->r[j];
  }
  thud_percussion_account_numbers(p, data->v_minus, info);
  return THUD_OK;
}
