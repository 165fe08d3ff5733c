/* Through the thin layer round a surface s(q, t) = 0 in which the potential energy climbs by `rise`, while constraints
 * are closed. Masses are those before.
 *
 * The layer pushes along n = ds/dq alone. With l its impulse so far, which grows in one direction f = +-1 (against the
 * motion where V climbs, with it where V falls), everything is a function of l, whatever the profile of the layer:
 *
 *   dv/dl = M^-1 (f n + C' x),   dV = -f (n'v + ds/dt) dl,
 *
 * where x are the impulses of the closed constraints for each unit of l: of equations such that u does not change, of
 * contacts 0 <= x_N perp du_N >= 0 where u_N = 0, with friction |x_T| <= mu x_N, opposite to the slip where there is
 * any. So v is a broken line in l: it bends where slip stops or a contact that had parted comes back, and it ends where V
 * has climbed by `rise` (across), or has come back to 0 after n'v + ds/dt has turned round (thrown back). Friction that
 * does not depend on the reaction (laws by themselves) is finite, and has no impulse in a thin layer. */
#include "motions/event/event.h"

#include <float.h>

/* What is 0 of velocities and impulses for each unit of l, at length 1 in the kinetic metric. */
#define LAYER_ZERO 1e-10

enum { MOST_BENDS = 64, LAYER_OPTIONS = 6 };

/* Modes of a closed constraint while l grows. */
enum {
  LAYER_OUT = 0,         /* not coupled with the surface, or open: no impulse */
  LAYER_LETS_GO = 1,     /* closed with u_N = 0: parts */
  LAYER_HOLDS = 2,       /* without friction, or with slip that goes on: x_T = -mu |x_N| d */
  LAYER_STICKS = 3,      /* slip is 0 and stays so */
  LAYER_SLIPS_FORTH = 4, /* slip of one component begins, forth ... */
  LAYER_SLIPS_BACK = 5,  /* ... or back */
  LAYER_MODE = 7,        /* mask */
  LAYER_PULLS = 8        /* the reaction of an equation with friction is negative */
};

static const double *gradient_of(const event_layer *layer, size_t row) {
  return layer->motion->surface.before + thud_arc_row(layer->motion->arc, row);
}

static double *path_of(const event_layer *layer, size_t row) { return layer->motion->surface.paths + row * layer->n; }

static int mode_of(const event_layer *layer, size_t i) { return layer->motion->surface.mode[i] & LAYER_MODE; }

static double dot(const event_layer *layer, const double *x, const double *y) {
  return motion_dot((thud_index)layer->n, x, y);
}

static double friction_of(const event_layer *layer, const event_law *law) {
  const sim_arc *arc = layer->motion->arc;
  return law->radius * layer->motion->surface.before[arc->jets.layout.friction + law->number];
}

/* The friction law that the reaction of constraint i feeds, NULL: none. */
static const event_law *law_of(const event_layer *layer, size_t i) {
  if (layer->frictionless) return NULL;
  for (size_t l = 0; l < layer->motion->problem.law_count; l++) {
    const event_law *law = &layer->motion->friction.laws[l];
    if (law->constraint == (thud_index)i && friction_of(layer, law) > 0) return law;
  }
  return NULL;
}

/* The velocity of a row, u = C v + rate, and what counts as 0 of it. */
static double velocity_of(const event_layer *layer, size_t row, double *limit) {
  const sim_arc *arc = layer->motion->arc;
  const double *out = layer->motion->surface.before, *c = gradient_of(layer, row), *start = layer->motion->state.v;
  double u = out[row < arc->m ? arc->jets.layout.velocity + row : arc->jets.layout.slip_velocity + (row - arc->m)];
  double size = 0;
  for (size_t i = 0; i < layer->n; i++) {
    u += c[i] * (layer->v[i] - start[i]);
    size += fabs(c[i]) * (fabs(layer->v[i]) + fabs(start[i]));
  }
  if (limit != NULL) *limit = layer->motion->problem.options.decision_tolerance * size;
  return u;
}

/* Lengths are units; a row that nothing moves has none. */
static double unit_of(const event_layer *layer, size_t row) {
  double own = layer->motion->surface.own[row];
  return own > 0 ? own : 1;
}

/* ---- which constraints have part in it ---------------------------------------------------------------------------- */

static bool is_closed(const event_layer *layer, size_t i) {
  const event_motion *motion = layer->motion;
  int contact = motion->contacts.contact[i];
  return event_is_equation(&motion->problem, i) || contact == EVENT_REST || contact == EVENT_PARTS ||
         (contact == EVENT_HIT && layer->with_hits);
}

/* Rows of constraint i: its own and those of its friction. */
static size_t rows_of(const event_layer *layer, size_t i, size_t rows[3]) {
  const event_law *law = law_of(layer, i);
  size_t count = 0;
  rows[count++] = i;
  for (size_t c = 0; law != NULL && c < law->directions; c++) rows[count++] = event_row_of(layer->motion->arc, law, c);
  return count;
}

static bool is_moved(const event_layer *layer, const double *path, double length, size_t i) {
  size_t rows[3], count = rows_of(layer, i, rows);
  for (size_t k = 0; k < count; k++)
    if (fabs(dot(layer, gradient_of(layer, rows[k]), path)) > LAYER_ZERO * length * layer->motion->surface.own[rows[k]])
      return true;
  return false;
}

/* Whether an impulse of some row of constraint k moves constraint i. */
static bool is_moved_by(const event_layer *layer, size_t i, size_t k) {
  size_t rows[3], count = rows_of(layer, k, rows);
  for (size_t j = 0; j < count; j++)
    if (is_moved(layer, path_of(layer, rows[j]), layer->motion->surface.own[rows[j]], i)) return true;
  return false;
}

/* Closed constraints that the surface moves, directly or through others. */
static void find_coupled(event_layer *layer) {
  event_surface *surface = &layer->motion->surface;
  size_t m = layer->motion->problem.m;
  for (size_t i = 0; i < m; i++)
    surface->joined[i] = is_closed(layer, i) && is_moved(layer, surface->path, layer->length, i);
  for (bool more = true; more;) {
    more = false;
    for (size_t i = 0; i < m; i++)
      for (size_t k = 0; k < m && !surface->joined[i] && is_closed(layer, i); k++)
        if (surface->joined[k] && is_moved_by(layer, i, k)) surface->joined[i] = more = true;
  }
}

/* M^-1 of the rows and of n, with their lengths. */
static void find_paths(event_layer *layer) {
  event_surface *surface = &layer->motion->surface;
  for (size_t row = 0; row < layer->motion->arc->rows; row++) {
    memcpy(path_of(layer, row), gradient_of(layer, row), layer->n * sizeof(double));
    motion_solve_mass((thud_index)layer->n, surface->factor, path_of(layer, row));
    surface->own[row] = sqrt(fmax(0, dot(layer, gradient_of(layer, row), path_of(layer, row))));
  }
  memcpy(surface->path, layer->normal, layer->n * sizeof(double));
  motion_solve_mass((thud_index)layer->n, surface->factor, surface->path);
  layer->length = sqrt(fmax(0, dot(layer, layer->normal, surface->path)));
}

/* ---- one combination of modes ------------------------------------------------------------------------------------- */

/* Direction d of the slip of a law; false: there is none. */
static bool slip_direction(const event_layer *layer, const event_law *law, double d[2]) {
  double limit[2] = {0, 0}, u[2] = {0, 0};
  for (size_t c = 0; c < law->directions; c++)
    u[c] = velocity_of(layer, event_row_of(layer->motion->arc, law, c), &limit[c]);
  double size = hypot(u[0], u[1]);
  bool slips = size > hypot(limit[0], limit[1]);
  for (size_t c = 0; c < 2; c++) d[c] = slips ? u[c] / size : 0;
  return slips;
}

/* x_T for each unit of x_N where the slip goes on or begins. */
static void friction_share(const event_layer *layer, size_t i, const event_law *law, double share[2]) {
  int mode = mode_of(layer, i);
  double mu = friction_of(layer, law) * ((layer->motion->surface.mode[i] & LAYER_PULLS) != 0 ? -1 : 1);
  slip_direction(layer, law, share);
  if (mode == LAYER_SLIPS_FORTH || mode == LAYER_SLIPS_BACK) share[0] = mode == LAYER_SLIPS_FORTH ? 1 : -1;
  for (size_t c = 0; c < 2; c++) share[c] *= mode == LAYER_STICKS ? 0 : -mu;
}

/* M^-1 of what a unit of the unknown of a row does: the row, and the friction of a normal that slips. */
static void column_of(const event_layer *layer, size_t row, double *column) {
  const event_law *law = row < layer->motion->problem.m ? law_of(layer, row) : NULL;
  double share[2];
  memcpy(column, path_of(layer, row), layer->n * sizeof(double));
  if (law == NULL) return;
  friction_share(layer, row, law, share);
  for (size_t c = 0; c < law->directions; c++)
    for (size_t k = 0; k < layer->n; k++)
      column[k] += share[c] * path_of(layer, event_row_of(layer->motion->arc, law, c))[k];
}

/* The unknowns: x_N of what holds, x_T of what sticks. */
static size_t gather_unknowns(event_layer *layer) {
  event_surface *surface = &layer->motion->surface;
  size_t count = 0;
  for (size_t i = 0; i < layer->motion->problem.m; i++) {
    size_t rows[3], all = mode_of(layer, i) == LAYER_STICKS ? rows_of(layer, i, rows) : 1;
    if (mode_of(layer, i) < LAYER_HOLDS) continue;
    rows[0] = i;
    for (size_t k = 0; k < all; k++) surface->unknown[count++] = (int)rows[k];
  }
  return count;
}

/* Solves `count` equations, rows of a with their right-hand sides, by elimination; unknowns that depend on others are 0.
 * False: the equations contradict each other. size: of the right-hand sides. */
static bool eliminate(size_t count, double *a, int *column, double size, double *x) {
  size_t width = count + 1, rank = 0;
  for (size_t c = 0; c < count; c++) {
    size_t best = rank;
    x[c] = 0;
    for (size_t r = rank; r < count; r++)
      if (fabs(a[r * width + c]) > fabs(a[best * width + c])) best = r;
    if (rank == count || !(fabs(a[best * width + c]) > LAYER_ZERO)) continue;
    for (size_t k = 0; k < width; k++) {
      double kept = a[best * width + k];
      a[best * width + k] = a[rank * width + k];
      a[rank * width + k] = kept;
    }
    for (size_t r = 0; r < count; r++) {
      double factor = r != rank ? a[r * width + c] / a[rank * width + c] : 0;
      for (size_t k = 0; k < width; k++) a[r * width + k] -= factor * a[rank * width + k];
    }
    column[rank++] = (int)c;
  }
  for (size_t r = 0; r < rank; r++) x[column[r]] = a[r * width + count] / a[r * width + (size_t)column[r]];
  for (size_t r = rank; r < count; r++)
    if (fabs(a[r * width + count]) > LAYER_ZERO * size) return false;
  return true;
}

/* The impulses of the unknowns that keep their rows as `wanted` asks: C (given + sum columns x) = wanted, where given is
 * a velocity of this size in the kinetic metric. Adds the columns to `given`; impulses of all rows into rates. */
static bool hold_rows(event_layer *layer, size_t count, double size, const double *wanted, double *given,
                      double *rates) {
  event_surface *surface = &layer->motion->surface;
  size_t width = count + 1, rows = layer->motion->arc->rows;
  double *a = surface->matrix, *x = surface->solution, *column = surface->room;
  for (size_t k = 0; k < count; k++) {
    size_t row = (size_t)surface->unknown[k];
    a[k * width + count] =
        ((wanted != NULL ? wanted[row] : 0) - dot(layer, gradient_of(layer, row), given)) / unit_of(layer, row);
    column_of(layer, row, column);
    for (size_t j = 0; j < count; j++) {
      size_t other = (size_t)surface->unknown[j];
      a[j * width + k] = dot(layer, gradient_of(layer, other), column) / (unit_of(layer, other) * unit_of(layer, row));
    }
  }
  memset(rates, 0, rows * sizeof *rates);
  if (!eliminate(count, a, surface->pivots, size, x)) return false;
  for (size_t k = 0; k < count; k++) {
    size_t row = (size_t)surface->unknown[k];
    double impulse = x[k] / unit_of(layer, row), share[2];
    const event_law *law = row < layer->motion->problem.m ? law_of(layer, row) : NULL;
    column_of(layer, row, column);
    for (size_t c = 0; c < layer->n; c++) given[c] += column[c] * impulse;
    rates[row] += impulse;
    if (law == NULL || mode_of(layer, row) == LAYER_STICKS) continue;
    friction_share(layer, row, law, share);
    for (size_t c = 0; c < law->directions; c++) rates[event_row_of(layer->motion->arc, law, c)] += share[c] * impulse;
  }
  return true;
}

/* ---- which combination -------------------------------------------------------------------------------------------- */

/* Modes that constraint i may have now; how many. */
static size_t options_of(const event_layer *layer, size_t i, int options[LAYER_OPTIONS]) {
  const event_law *law = law_of(layer, i);
  bool equation = event_is_equation(&layer->motion->problem, i);
  double limit, d[2], u = velocity_of(layer, i, &limit);
  size_t count = 0;
  if (!layer->motion->surface.joined[i] || (!equation && u > limit)) {
    options[0] = LAYER_OUT;
    return 1;
  }
  for (int pulls = 0; pulls <= (equation && law != NULL ? LAYER_PULLS : 0); pulls += LAYER_PULLS) {
    if (law == NULL || slip_direction(layer, law, d)) {
      options[count++] = LAYER_HOLDS + pulls;
      continue;
    }
    if (pulls == 0) options[count++] = LAYER_STICKS;
    if (law->directions > 1) continue;
    options[count++] = LAYER_SLIPS_FORTH + pulls;
    options[count++] = LAYER_SLIPS_BACK + pulls;
  }
  if (!equation) options[count++] = LAYER_LETS_GO;
  return count;
}

/* Whether constraint i keeps what its mode says, with the impulses and velocities for each unit of l. */
static bool keeps_mode(const event_layer *layer, size_t i, const double *step, const double *rates) {
  const event_law *law = law_of(layer, i);
  bool equation = event_is_equation(&layer->motion->problem, i);
  double zero = LAYER_ZERO * layer->length, normal = rates[i] * unit_of(layer, i), tangential = 0;
  int mode = mode_of(layer, i);
  if (mode == LAYER_OUT) return true;
  if (mode == LAYER_LETS_GO) return dot(layer, gradient_of(layer, i), step) >= -zero * unit_of(layer, i);
  if (!equation && normal < -zero) return false;
  if (law == NULL) return true;
  if (mode != LAYER_STICKS && equation &&
      ((layer->motion->surface.mode[i] & LAYER_PULLS) != 0 ? normal > zero : normal < -zero))
    return false;
  size_t first = event_row_of(layer->motion->arc, law, 0);
  double along = dot(layer, gradient_of(layer, first), step) / unit_of(layer, first);
  if (mode == LAYER_SLIPS_FORTH) return along >= -zero;
  if (mode == LAYER_SLIPS_BACK) return along <= zero;
  if (mode != LAYER_STICKS) return true;
  for (size_t c = 0; c < law->directions; c++)
    tangential = hypot(tangential, rates[event_row_of(layer->motion->arc, law, c)]);
  return tangential <= friction_of(layer, law) * fabs(rates[i]) + zero / unit_of(layer, first);
}

/* The next combination; false: all have been. */
static bool next_combination(event_layer *layer) {
  event_surface *surface = &layer->motion->surface;
  int options[LAYER_OPTIONS];
  for (size_t i = 0; i < layer->motion->problem.m; i++) {
    size_t count = options_of(layer, i, options);
    bool carry = (size_t)++surface->digit[i] >= count;
    if (carry) surface->digit[i] = 0;
    surface->mode[i] = options[surface->digit[i]];
    if (!carry) return true;
  }
  return false;
}

static thud_error fail_in_layer(const event_layer *layer, const char *what) {
  const event_motion *motion = layer->motion;
  size_t i = 0;
  while (i + 1 < motion->problem.m && !motion->surface.joined[i]) i++;
  return thud_fail(motion->problem.context, THUD_ERROR_UNSUPPORTED,
                   "[branch-changes] t = %.10g: the potential energy or the mass jumps across a surface while '%s' is "
                   "closed there, and %s; "
                   "make the data steep and smooth, or write the constraint as coordinates",
                   motion->state.t, thud_event_item_name(&motion->problem, i), what);
}

static thud_error begin_combinations(event_layer *layer) {
  event_surface *surface = &layer->motion->surface;
  size_t all = 1;
  for (size_t i = 0; i < layer->motion->problem.m; i++) {
    int options[LAYER_OPTIONS];
    all *= options_of(layer, i, options);
    surface->digit[i] = 0;
    surface->mode[i] = options[0];
    if (all > EVENT_ALL_COMBINATIONS) return fail_in_layer(layer, "too many contacts are closed with it");
  }
  return THUD_OK;
}

/* Velocities for each unit of l differ by more than rounding. */
static bool differ(const event_layer *layer, const double *x, const double *y) {
  const double *mass = layer->motion->surface.before + layer->motion->arc->jets.layout.mass;
  for (size_t c = 0; c < layer->n; c++)
    if (fabs(x[c] - y[c]) * sqrt(fabs(mass[c * (layer->n + 1)])) > 1e-8 * layer->length) return true;
  return false;
}

/* dv/dl into surface.step and the impulses into surface.rates, by the one consistent combination. */
static thud_error find_step(event_layer *layer, double force) {
  event_surface *surface = &layer->motion->surface;
  double *step = surface->trial, *rates = surface->trial + layer->n;
  size_t rows = layer->motion->arc->rows;
  bool found = false;
  thud_error error = begin_combinations(layer);
  if (error != THUD_OK) return error;
  do {
    for (size_t c = 0; c < layer->n; c++) step[c] = force * surface->path[c];
    bool good = hold_rows(layer, gather_unknowns(layer), layer->length, NULL, step, rates);
    for (size_t i = 0; i < layer->motion->problem.m && good; i++) good = keeps_mode(layer, i, step, rates);
    if (!good) continue;
    if (found && differ(layer, step, surface->step)) return fail_in_layer(layer, "friction leaves several motions");
    if (found) continue;
    found = true;
    memcpy(surface->step, step, layer->n * sizeof *step);
    memcpy(surface->rates, rates, rows * sizeof *rates);
  } while (next_combination(layer));
  return found ? THUD_OK : fail_in_layer(layer, "no motion satisfies its friction");
}

/* ---- along the layer ---------------------------------------------------------------------------------------------- */

/* Slip with two components that turns while it feels friction has no broken line. */
static thud_error check_straight(const event_layer *layer) {
  const event_surface *surface = &layer->motion->surface;
  for (size_t i = 0; i < layer->motion->problem.m; i++) {
    const event_law *law = surface->joined[i] ? law_of(layer, i) : NULL;
    double d[2], across = 0;
    if (law == NULL || law->directions < 2 || !slip_direction(layer, law, d)) continue;
    if (fabs(surface->rates[i]) * unit_of(layer, i) <= LAYER_ZERO * layer->length) continue;
    size_t first = event_row_of(layer->motion->arc, law, 0);
    across = d[0] * dot(layer, gradient_of(layer, first + 1), surface->step) -
             d[1] * dot(layer, gradient_of(layer, first), surface->step);
    if (fabs(across) > LAYER_ZERO * layer->length * unit_of(layer, first))
      return fail_in_layer(layer, "its slip would turn under friction");
  }
  return THUD_OK;
}

/* How far l can grow until a slip stops or an open contact comes back. */
static double next_bend(const event_layer *layer) {
  const event_surface *surface = &layer->motion->surface;
  double nearest = INFINITY;
  for (size_t i = 0; i < layer->motion->problem.m; i++) {
    const event_law *law = surface->joined[i] ? law_of(layer, i) : NULL;
    double limit, d[2], u = velocity_of(layer, i, &limit), rate = dot(layer, gradient_of(layer, i), surface->step);
    if (!is_closed(layer, i)) continue;
    if (!event_is_equation(&layer->motion->problem, i) && u > limit && rate < 0) nearest = fmin(nearest, u / -rate);
    if (law == NULL || !slip_direction(layer, law, d)) continue;
    u = rate = 0;
    for (size_t c = 0; c < law->directions; c++) {
      size_t row = event_row_of(layer->motion->arc, law, c);
      u += d[c] * velocity_of(layer, row, NULL);
      rate += d[c] * dot(layer, gradient_of(layer, row), surface->step);
    }
    if (rate < 0) nearest = fmin(nearest, u / -rate);
  }
  return nearest;
}

/* Goes on by this much of l and books impulses, the loss by friction, and the work of moving constraints. */
static void advance(event_layer *layer, double way) {
  event_motion *motion = layer->motion;
  const event_surface *surface = &motion->surface;
  for (size_t row = 0; row < motion->arc->rows; row++) {
    double impulse = surface->rates[row] * way, change = way * dot(layer, gradient_of(layer, row), surface->step);
    if (impulse == 0) continue;
    double slip = velocity_of(layer, row, NULL) + change / 2;
    motion->event.impulse[row] += impulse;
    layer->work += impulse * (dot(layer, gradient_of(layer, row), layer->v) + change / 2 - slip);
    layer->loss -= impulse * slip;
  }
  for (size_t c = 0; c < layer->n; c++) layer->v[c] += way * surface->step[c];
}

/* One straight piece. Coming in with the speed y across the surface, g = 1 where V climbs and -1 where it falls:
 * d height/dl = g y, dy/dl = -g k. */
static thud_error follow_piece(event_layer *layer, double g, double *height, bool *done) {
  const event_surface *surface = &layer->motion->surface;
  double y = -layer->from * (dot(layer, layer->normal, layer->v) + layer->rate);
  if (*height == 0) layer->speed = y;
  if (fabs(y) <= LAYER_ZERO * layer->speed) y = 0;
  double k = g * layer->from * dot(layer, layer->normal, surface->step), left = g * (layer->rise - *height);
  if (fabs(k) <= LAYER_ZERO * layer->length * layer->length) k = 0;
  double square = y * y - 2 * g * k * left, bend = next_bend(layer), way = INFINITY;
  bool crosses = square >= 0 && y + sqrt(fmax(square, 0)) > 0 && (y > 0 || g < 0);
  if (crosses)
    way = 2 * left / (y + sqrt(square));
  else if (g > 0 && k > 0)
    way = (y + sqrt(fmax(0, y * y + 2 * k * *height))) / k;
  if (!(fmin(way, bend) < INFINITY)) return fail_in_layer(layer, "friction holds it there");
  *done = way <= bend;
  layer->crossed = *done && crosses;
  way = fmin(way, bend);
  *height += g * way * (y - g * k * way / 2);
  layer->passed += g * layer->from * way;
  advance(layer, way);
  return THUD_OK;
}

thud_error thud_event_pass_layer(event_layer *layer) {
  double g = layer->rise > 0 ? 1 : -1, height = 0;
  bool done = false;
  thud_error error = THUD_OK;
  find_paths(layer);
  find_coupled(layer);
  for (int bends = 0; !done && error == THUD_OK; bends++) {
    if (bends == MOST_BENDS) return fail_in_layer(layer, "its friction changes too often");
    error = find_step(layer, g * layer->from);
    if (error == THUD_OK) error = check_straight(layer);
    if (error == THUD_OK) error = follow_piece(layer, g, &height, &done);
  }
  return error;
}

bool thud_event_layer_reaches(event_layer *layer, size_t i) {
  layer->with_hits = true;
  find_paths(layer);
  find_coupled(layer);
  return layer->motion->surface.joined[i];
}

/* ---- masses that jump ---------------------------------------------------------------------------------------------
 * p+ = p- + l n + C' x with the masses behind, W = M+^-1. The rows that hold give x = x0 + l x1, so that v = v0 + l d
 * with v0 = W (p- + C' x0), d = W (n + C' x1), and T + V changes by -l ds/dt - x' rate:
 *   l^2 n'd/2 + l (n'v0 + ds/dt) + T(v0) + x0' rate + V+ - T- - V- = 0.
 * Between both sides the masses may be anything, so that friction, which depends on the way, is not followed. */

/* -rate of the rows, what C v is where they hold. */
static void find_rates(event_layer *layer, double *wanted) {
  for (size_t row = 0; row < layer->motion->arc->rows; row++)
    wanted[row] = dot(layer, gradient_of(layer, row), layer->v) - velocity_of(layer, row, NULL);
}

/* One combination of what holds: v into `velocity`, the impulses into `impulses`; *l, false: no velocity leads across. */
static bool try_masses(event_layer *layer, double energy, double speed, const double *mass, double *l) {
  event_surface *surface = &layer->motion->surface;
  size_t rows = layer->motion->arc->rows, count = gather_unknowns(layer);
  double *v = surface->trial, *impulses = v + layer->n, *d = surface->step, *more = surface->rates, kinetic = 0;
  memcpy(v, surface->carried, layer->n * sizeof *v);
  memcpy(d, surface->path, layer->n * sizeof *d);
  if (!hold_rows(layer, count, speed, surface->wanted, v, impulses) ||
      !hold_rows(layer, count, layer->length, NULL, d, more))
    return false;
  for (size_t i = 0; i < layer->n; i++) kinetic += v[i] * dot(layer, mass + i * layer->n, v) / 2;
  double a = dot(layer, layer->normal, d) / 2, b = dot(layer, layer->normal, v) + layer->rate;
  double c = kinetic + energy, square;
  for (size_t row = 0; row < rows; row++) c -= impulses[row] * surface->wanted[row];
  square = b * b - 4 * a * c;
  *l = 0;
  if (layer->length > 0) {
    if (!(a > 0) || !(square >= 0)) return false;
    *l = ((layer->from < 0 ? sqrt(square) : -sqrt(square)) - b) / (2 * a);
  }
  for (size_t i = 0; i < layer->n; i++) v[i] += *l * d[i];
  for (size_t row = 0; row < rows; row++) impulses[row] += *l * more[row];
  return true;
}

/* Whether contacts push where they hold and part where they do not. */
static bool masses_agree(const event_layer *layer, double speed) {
  const event_surface *surface = &layer->motion->surface;
  const double *v = surface->trial, *impulses = v + layer->n;
  for (size_t i = 0; i < layer->motion->problem.m; i++) {
    double u = dot(layer, gradient_of(layer, i), v) - surface->wanted[i], unit = unit_of(layer, i);
    if (mode_of(layer, i) == LAYER_LETS_GO && u < -LAYER_ZERO * speed * unit) return false;
    if (mode_of(layer, i) == LAYER_HOLDS && !event_is_equation(&layer->motion->problem, i) &&
        impulses[i] * unit < -LAYER_ZERO * speed)
      return false;
  }
  return true;
}

static thud_error take_masses(event_layer *layer, double l, double speed) {
  event_motion *motion = layer->motion;
  const event_surface *surface = &motion->surface;
  const double *impulses = surface->trial + layer->n;
  layer->frictionless = false;
  for (size_t i = 0; i < motion->problem.m; i++)
    if (law_of(layer, i) != NULL && fabs(impulses[i]) * unit_of(layer, i) > LAYER_ZERO * speed)
      return fail_in_layer(layer, "masses that jump leave its friction open");
  for (size_t row = 0; row < motion->arc->rows; row++) {
    motion->event.impulse[row] += impulses[row];
    layer->work += impulses[row] * surface->wanted[row];
  }
  memcpy(layer->v, surface->trial, layer->n * sizeof(double));
  layer->passed += l;
  layer->crossed = true;
  return THUD_OK;
}

thud_error thud_event_cross_masses(event_layer *layer, double energy, const double *mass) {
  event_surface *surface = &layer->motion->surface;
  double speed = 0, l;
  layer->frictionless = true;
  find_paths(layer);
  find_rates(layer, surface->wanted);
  memcpy(surface->carried, surface->momentum, layer->n * sizeof(double));
  motion_solve_mass((thud_index)layer->n, surface->factor, surface->carried);
  speed = sqrt(fmax(0, dot(layer, surface->momentum, surface->carried)));
  for (size_t i = 0; i < layer->motion->problem.m; i++) surface->joined[i] = is_closed(layer, i);
  thud_error error = begin_combinations(layer);
  if (error != THUD_OK) return error;
  do
    if (try_masses(layer, energy, speed, mass, &l) && masses_agree(layer, speed)) return take_masses(layer, l, speed);
  while (next_combination(layer));
  layer->frictionless = false;
  return THUD_OK;
}
