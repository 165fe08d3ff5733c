/* Forces that are not unique: contacts that hold each other (a particle at rest in a wedge, a table on four legs).
 *
 * The equations of the rows (event_order.c) are then dependent. When they do not contradict each other their solutions
 * are x = x_p + Z y, x_p the shortest one and Z an orthonormal basis of what is left open. The motion does not depend
 * on y as long as nothing slides that Z acts on. Of the forces the one is taken that lies deepest in the cones,
 *
 *   max s,   r_N >= s,   tau - |r_T| >= s (sticking),   s <= 1 (in units of the largest force),
 *
 * by Newton's method on the
 * logarithmic barrier; what is left open still stays small. Modes whose deepest force lies outside the cones are not
 * possible. Where the force of an arc reaches the edge of a cone another one may still lie inside, so that this is no
 * event of its own: the decision is made anew there. */
#include "motions/event/event.h"

#include "linalg/dense.h"

/* Accepted contradiction of dependent equations, relative to the terms of the order. */
#define CONTRADICTION 1e-8
/* A force of size 1 moves the system when the acceleration that it gives is larger than this, gradients at length 1. */
#define MOVES 1e-7
/* Weight of |y|^2 beside s. */
#define SHORTNESS 1e-4

enum { BARRIER_DECADES = 12, NEWTON_STEPS = 12, HALVINGS = 40 }; /* the barrier's weight falls to 1e-12 */

typedef struct central {
  event_motion *motion;
  int k;
  size_t count, rank, open;        /* unknowns, independent equations, what is left open */
  double scale;                    /* the largest force */
  double *rows, *right;            /* [count*count] orthonormal rows, [count] their right-hand sides */
  double *null;                    /* [open*count] rows: Z' */
  double *shortest;                /* [count] x_p */
  double *point, *gradient;        /* [open+1] y, s */
  double *hessian;                 /* [(open+1)^2] */
  double *normal, *first, *second; /* [open+2] linear functions of (y, s): coefficients, then the constant */
} central;

size_t thud_event_central_room(size_t count) { return 3 * count * count + 8 * count + (count + 1) * (count + 1) + 16; }

static void lay_out(central *work) {
  size_t count = work->count, width = count + 2;
  double *next = work->motion->equations.room;
  work->rows = next;
  work->null = work->rows + count * count;
  work->right = work->null + count * count;
  work->shortest = work->right + count;
  work->point = work->shortest + count;
  work->gradient = work->point + width;
  work->normal = work->gradient + width;
  work->first = work->normal + width;
  work->second = work->first + width;
  work->hessian = work->second + width;
}

/* ---- the solutions of the equations ------------------------------------------------------------------------------ */

static double dot(size_t n, const double *x, const double *y) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += x[i] * y[i];
  return sum;
}

/* Removes from row and right-hand side what earlier rows say, twice against rounding. */
static void reduce(const central *work, double *row, double *right) {
  for (int turn = 0; turn < 2; turn++)
    for (size_t b = 0; b < work->rank; b++) {
      const double *basis = work->rows + b * work->count;
      double part = dot(work->count, row, basis);
      for (size_t i = 0; i < work->count; i++) row[i] -= part * basis[i];
      if (right != NULL) *right -= part * work->right[b];
    }
}

/* False: the equations contradict each other. size: of the order's terms. */
static bool solve_equations(central *work, double size) {
  const event_motion *motion = work->motion;
  size_t count = work->count;
  for (size_t a = 0; a < count; a++) {
    double *row = work->rows + work->rank * count, right = motion->equations.right[a], length = 0;
    for (size_t b = 0; b < count; b++) row[b] = motion->equations.matrix[a + b * count];
    length = sqrt(dot(count, row, row));
    reduce(work, row, &right);
    double left = sqrt(dot(count, row, row));
    if (!(left > EVENT_DEPENDENT * length)) {
      if (fabs(right) > CONTRADICTION * size) return false;
      continue;
    }
    for (size_t b = 0; b < count; b++) row[b] /= left;
    work->right[work->rank++] = right / left;
  }
  for (size_t i = 0; i < count; i++) {
    work->shortest[i] = 0;
    for (size_t b = 0; b < work->rank; b++) work->shortest[i] += work->right[b] * work->rows[b * count + i];
  }
  return true;
}

/* Z: unit vectors, less what the rows and those before them span. */
static void find_null_space(central *work) {
  size_t count = work->count, rank = work->rank;
  double *room = work->rows + rank * count;
  for (size_t i = 0; i < count && work->rank < count; i++) {
    double *row = work->rows + work->rank * count;
    for (size_t b = 0; b < count; b++) row[b] = b == i;
    reduce(work, row, NULL);
    double left = sqrt(dot(count, row, row));
    if (left < 1.0 / (2 * (double)count)) continue;
    for (size_t b = 0; b < count; b++) row[b] /= left;
    work->rank++;
  }
  work->open = work->rank - rank;
  memcpy(work->null, room, work->open * count * sizeof *room);
}

/* ---- cones ------------------------------------------------------------------------------------------------------- */

/* Adds factor times unknown number `place` (in units of the scale) to a linear function of (y, s). */
static void add_unknown(const central *work, double *function, int place, double factor) {
  for (size_t z = 0; z < work->open; z++) function[z] += factor * work->null[z * work->count + (size_t)place];
  function[work->open + 1] += factor * work->shortest[place] / work->scale;
}

static void clear_function(const central *work, double *function) {
  memset(function, 0, (work->open + 2) * sizeof *function);
}

static double at_point(const central *work, const double *function) {
  return dot(work->open + 1, function, work->point) + function[work->open + 1];
}

/* r_N - s of a closed one-sided contact. */
static void normal_function(const central *work, size_t i) {
  clear_function(work, work->normal);
  clear_function(work, work->first);
  clear_function(work, work->second);
  add_unknown(work, work->normal, work->motion->equations.place[i], 1);
  work->normal[work->open] = -1;
}

/* tau - s, r_T of a law that sticks in a disc; reach mu r_N + along.r_T - s of another margin. */
static void law_functions(const central *work, const event_law *law, const event_measure *measure) {
  const event_motion *motion = work->motion;
  double unit = event_row_unit(motion->arc, event_row_of(motion->arc, law, 0));
  bool disc = measure->kind == MEASURE_DISC;
  double reach = disc ? law->radius : measure->reach;
  double mu = reach * motion->arc->jet[motion->arc->jets.layout.friction + law->own];
  clear_function(work, work->normal);
  clear_function(work, work->first);
  clear_function(work, work->second);
  if (law->constraint >= 0)
    add_unknown(work, work->normal, motion->equations.place[law->constraint],
                law->sign * mu * unit / event_row_unit(motion->arc, (size_t)law->constraint));
  work->normal[work->open] = -1;
  work->normal[work->open + 1] +=
      unit * reach * thud_event_threshold(motion->arc, law, work->k, true) / law->radius / work->scale;
  for (size_t c = 0; c < law->directions; c++) {
    size_t row = event_row_of(motion->arc, law, c);
    double *function = !disc ? work->normal : c == 0 ? work->first : work->second;
    add_unknown(work, function, motion->equations.place[row],
                (disc ? 1 : measure->along[c]) * unit / event_row_unit(motion->arc, row));
  }
}

/* Cone number c into normal, first, second: one-sided contacts, laws, and s <= 1. False: nothing there. */
static bool cone_function(const central *work, size_t c) {
  const event_motion *motion = work->motion;
  if (c < motion->problem.m) {
    if (motion->equations.place[c] < 0 || event_is_equation(&motion->problem, c)) return false;
    normal_function(work, c);
  } else if (c < event_first_switch(&motion->problem)) {
    const event_law *law = &motion->friction.laws[event_function_law(&motion->problem, c)];
    const event_measure measure = thud_event_measure(motion->arc, law, event_function_part(&motion->problem, c));
    if (measure.kind < MEASURE_MARGIN || measure.kind == MEASURE_GAUGE) return false; /* looked at afterwards */
    law_functions(work, law, &measure);
  } else {
    clear_function(work, work->normal);
    clear_function(work, work->first);
    clear_function(work, work->second);
    work->normal[work->open] = -1;
    work->normal[work->open + 1] = 1;
  }
  return true;
}

static size_t cone_count(const central *work) { return event_first_switch(&work->motion->problem) + 1; }

/* ---- barrier ----------------------------------------------------------------------------------------------------- */

/* kappa (SHORTNESS |y|^2/2 - s) - sum log; infinite outside the cones. */
static double barrier(const central *work, double kappa) {
  double sum = kappa * (SHORTNESS * dot(work->open, work->point, work->point) / 2 - work->point[work->open]);
  for (size_t c = 0; c < cone_count(work); c++) {
    if (!cone_function(work, c)) continue;
    double n = at_point(work, work->normal), x = at_point(work, work->first), y = at_point(work, work->second);
    if (!(n > hypot(x, y))) return INFINITY;
    sum -= log((n - hypot(x, y)) * (n + hypot(x, y)));
  }
  return sum;
}

/* Gradient and Hessian of -log D, D = n^2 - x^2 - y^2, of the cone in normal, first, second. */
static void add_cone(const central *work) {
  size_t width = work->open + 1;
  double n = at_point(work, work->normal), x = at_point(work, work->first), y = at_point(work, work->second);
  double d = (n - hypot(x, y)) * (n + hypot(x, y));
  for (size_t a = 0; a < width; a++) {
    double slope = 2 * (n * work->normal[a] - x * work->first[a] - y * work->second[a]) / d;
    work->gradient[a] -= slope;
    for (size_t b = 0; b < width; b++) {
      double other = 2 * (n * work->normal[b] - x * work->first[b] - y * work->second[b]) / d;
      double curve = work->normal[a] * work->normal[b] - work->first[a] * work->first[b];
      curve -= work->second[a] * work->second[b];
      work->hessian[a + b * width] += slope * other - 2 * curve / d;
    }
  }
}

/* One damped step of Newton's method; false: none that helps. */
static bool newton_step(central *work, double kappa) {
  size_t width = work->open + 1;
  thud_index failed;
  double pivot, before = barrier(work, kappa), *step = work->gradient;
  memset(work->hessian, 0, width * width * sizeof(double));
  for (size_t a = 0; a < width; a++) {
    work->gradient[a] = a < work->open ? kappa * SHORTNESS * work->point[a] : -kappa;
    work->hessian[a + a * width] = a < work->open ? kappa * SHORTNESS : 0;
  }
  for (size_t c = 0; c < cone_count(work); c++)
    if (cone_function(work, c)) add_cone(work);
  if (!thud_cholesky_loops((thud_index)width, work->hessian, &failed, &pivot)) return false;
  thud_dense_solve_lower((thud_index)width, work->hessian, false, step);
  thud_dense_solve_lower((thud_index)width, work->hessian, true, step);
  double factor = 1;
  for (size_t a = 0; a < width; a++) work->point[a] -= step[a];
  for (int halving = 0; halving < HALVINGS && !(barrier(work, kappa) < before); halving++, factor /= 2)
    for (size_t a = 0; a < width; a++) work->point[a] += factor / 2 * step[a];
  return barrier(work, kappa) < before;
}

/* From a point inside the cones that are moved out far enough. */
static void find_deepest_force(central *work) {
  memset(work->point, 0, (work->open + 1) * sizeof *work->point);
  double s = 0;
  for (size_t c = 0; c < cone_count(work); c++) {
    if (!cone_function(work, c)) continue;
    s = fmin(s, at_point(work, work->normal) - hypot(at_point(work, work->first), at_point(work, work->second)));
  }
  work->point[work->open] = s - 1;
  double kappa = 1;
  for (int decade = 0; decade <= BARRIER_DECADES; decade++, kappa *= 10)
    for (int step = 0; step < NEWTON_STEPS && newton_step(work, kappa); step++) continue;
}

/* ---- the forces -------------------------------------------------------------------------------------------------- */

/* Whether some condition on forces still waits for its first coefficient. */
static bool some_condition_waits(const event_motion *motion) {
  for (size_t i = 0; i < motion->problem.m; i++)
    if (motion->equations.place[i] >= 0 && !event_is_equation(&motion->problem, i) && motion->modes.order[i] < 0)
      return true;
  for (size_t l = 0; l < motion->problem.law_count; l++)
    for (size_t part = 0; part < motion->problem.measures; part++)
      if (thud_event_measure(motion->arc, &motion->friction.laws[l], (int)part).kind >= MEASURE_MARGIN &&
          motion->modes.part_order[l * motion->problem.measures + part] < 0)
        return true;
  return false;
}

static bool seeks_direction(const event_problem *problem, const event_friction_laws *friction) {
  for (size_t l = 0; l < problem->law_count; l++)
    if (friction->laws[l].state == LAW_ONSET) return true;
  return false;
}

bool thud_event_solve_shared_forces(event_motion *motion, int k, double size) {
  central work = {.motion = motion, .k = k, .count = motion->equations.count};
  lay_out(&work);
  if (!solve_equations(&work, size)) return false;
  motion->equations.shared = true;
  for (size_t i = 0; i < work.count; i++) work.scale = fmax(work.scale, fabs(work.shortest[i]));
  memcpy(motion->equations.right, work.shortest, work.count * sizeof(double));
  if (!(work.scale > motion->problem.options.decision_tolerance * size) || !some_condition_waits(motion) ||
      seeks_direction(&motion->problem, &motion->friction))
    return true;
  find_null_space(&work);
  find_deepest_force(&work);
  for (size_t i = 0; i < work.count; i++)
    for (size_t z = 0; z < work.open; z++)
      motion->equations.right[i] += work.scale * work.point[z] * work.null[z * work.count + i];
  return true;
}

/* ---- motions that depend on the choice --------------------------------------------------------------------------- */

/* Length of the acceleration that forces z (in units of 1/length of the gradients) give: sqrt(z'Gz). */
static double acceleration_of(const sim_arc *arc, const event_equations *equations, const double *z) {
  double sum = 0;
  for (size_t a = 0; a < equations->count; a++)
    for (size_t b = 0; b < equations->count; b++) {
      size_t i = (size_t)equations->rows[a], j = (size_t)equations->rows[b];
      double unit = event_row_unit(arc, i) * event_row_unit(arc, j);
      sum += z[a] * arc->delassus[i * arc->rows + j] / unit * z[b];
    }
  return sqrt(fmax(0, sum));
}

/* The first time, the first of the constraints with such forces and how many there are. */
static void note_first(const central *work) {
  const event_motion *motion = work->motion;
  thud_event_motion_info *info = &work->motion->info;
  info->indeterminate_time = motion->state.t;
  for (size_t i = motion->problem.m; i-- > 0;) {
    double most = 0;
    for (size_t z = 0; z < work->open && motion->equations.place[i] >= 0; z++)
      most = fmax(most, fabs(work->null[z * work->count + (size_t)motion->equations.place[i]]));
    if (most <= MOVES) continue;
    info->indeterminate_constraint = (thud_index)i;
    info->indeterminate_constraints++;
  }
}

/* With the directions of the slips as they are, other forces give the same motion when G z = 0 for all z of the null
 * space: always where everything sticks, in pure translation with equal mu, but not when sliding legs turn. */
void thud_event_note_shared_forces(event_motion *motion) {
  central work = {.motion = motion, .count = motion->equations.count};
  bool moves = false;
  if (!motion->equations.shared) return;
  lay_out(&work);
  thud_event_assemble_order(motion, 0, true);
  motion->equations.factored = false;
  solve_equations(&work, INFINITY);
  find_null_space(&work);
  for (size_t z = 0; z < work.open && !moves; z++)
    moves = acceleration_of(motion->arc, &motion->equations, work.null + z * work.count) > MOVES;
  if (moves && motion->info.indeterminate_forces++ == 0) note_first(&work);
}
