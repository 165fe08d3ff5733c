/* The set S of impulses that share the velocity found: its making and minima of linear functions over it. */
#include "solve/force_set.h"
#include "linalg/dense.h"
#include "base/base.h"

#include <math.h>
#include <string.h>

/* Depth (in units of the largest impulse) from which a centre is taken as an inner point of the set. */
static const double INNER_DEPTH = 1e-7;
/* How far the cones are moved apart where the set has no inner point, in the same unit. */
static const double RELAXATION = 1e-9;

#define FIELD(name) offsetof(thud_force_set_options, name)

static const thud_option_key keys[] = {
    {"velocity_tolerance", THUD_OPTION_REAL, FIELD(velocity_tolerance), 1e-6, 0, 1, false, NULL, "1",
     "velocities up to this part of the largest count as 0"},
    {"impulse_tolerance", THUD_OPTION_REAL, FIELD(impulse_tolerance), 1e-4, 0, 1, false, NULL, "1",
     "part of the largest impulse by which an answer may have to be moved into its cones"},
    {"rank_tolerance", THUD_OPTION_REAL, FIELD(rank_tolerance), 1e-9, 0, 1, false, NULL, "1",
     "pivots up to this part of the largest count as 0"},
    {"width_tolerance", THUD_OPTION_REAL, FIELD(width_tolerance), 1e-6, 0, 1, true, NULL, "1",
     "a set up to this part of the largest impulse wide counts as one point"},
    {"largest", THUD_OPTION_REAL, FIELD(largest), 1e3, 2, 1e8, true, NULL, "1",
     "sums of normal impulses beyond so many times the largest impulse are not followed"},
    {"max_programs", THUD_OPTION_INT, FIELD(max_programs), 2 * THUD_FORCE_SET_MAX_COORDINATES, 0, INFINITY, false, NULL,
     "1", "convex programs at most for the extents of the set"},
};

static const thud_option_table table = {.name = "force set",
                                        .struct_size = sizeof(thud_force_set_options),
                                        .keys = keys,
                                        .count = sizeof keys / sizeof *keys};

const thud_option_table *thud_force_set_option_table(void) { return &table; }

/* ---- directions in which r may change --------------------------------------------------------------------------- */

/* B[wide*kept] = the rows of A_E that are not 0, scaled to norm 1, as columns. */
static thud_index transpose_rows(thud_index rows, thud_index wide, const double *columns, double *B) {
  thud_index kept = 0;
  for (thud_index i = 0; i < rows; i++) {
    double sum = 0, *to = B + (size_t)kept * (size_t)wide;
    for (thud_index j = 0; j < wide; j++) {
      to[j] = columns[(size_t)i + (size_t)j * (size_t)rows];
      sum = hypot(sum, to[j]);
    }
    for (thud_index j = 0; j < wide && sum > 0; j++) to[j] /= sum;
    kept += sum > 0;
  }
  return kept;
}

/* The longest of the columns. */
static double longest_column(thud_index n, thud_index count, const double *columns) {
  double longest = 0;
  for (thud_index j = 0; j < count; j++) {
    double length = 0;
    for (thud_index i = 0; i < n; i++) length = hypot(length, columns[thud_at(n, i, j)]);
    longest = fmax(longest, length);
  }
  return longest;
}

/* The null space of A_E, and of it the part that moves r: an orthonormal basis of its first n coordinates. */
static thud_error find_directions(thud_force_set *set, thud_index bilateral, thud_index rows, const double *columns,
                                  double *Q, double *moves) {
  thud_index n = set->coordinates, wide = n + bilateral;
  thud_range_split split;
  thud_error error = THUD_ERROR_MEMORY;
  double *B = THUD_NEW_ARRAY(set->context, double, (size_t)wide *(size_t)(rows + 1));
  if (B != NULL) {
    thud_index kept = transpose_rows(rows, wide, columns, B);
    error = thud_dense_split_range(set->context, wide, kept, B, set->options.rank_tolerance, Q, &split);
  }
  thud_free(set->context, B);
  if (error != THUD_OK) return error;
  set->info.smallest_pivot = split.smallest_kept;
  set->info.largest_dropped = split.largest_dropped;
  set->info.freedom = wide - split.rank;
  for (thud_index j = 0; j < set->info.freedom; j++)
    for (thud_index i = 0; i < n; i++) moves[thud_at(n, i, j)] = Q[thud_at(wide, i, split.rank + j)];
  if (bilateral == 0 || set->info.freedom == 0 || n == 0) return THUD_OK;
  /* of unit vectors, what moves r by less than the tolerance moves only impulses of rows that depend on each other */
  double longest = longest_column(n, set->info.freedom, moves), tolerance = set->options.rank_tolerance;
  if (!(longest > tolerance)) {
    set->info.freedom = 0;
    return THUD_OK;
  }
  error = thud_dense_split_range(set->context, n, set->info.freedom, moves, tolerance / longest, Q, &split);
  if (error != THUD_OK) return error;
  set->info.freedom = split.rank;
  memcpy(moves, Q, (size_t)n * (size_t)split.rank * sizeof *moves);
  return THUD_OK;
}

static thud_error make_basis(thud_force_set *set, const thud_contact_problem *problem) {
  size_t n = (size_t)set->coordinates, wide = n + (size_t)problem->bilateral;
  double *columns = NULL, *Q = NULL, *moves = NULL;
  thud_index rows = 0;
  thud_error error = thud_force_set_columns(set, problem, &columns, &rows);
  if (error == THUD_OK) {
    Q = THUD_NEW_ARRAY(set->context, double, wide *wide);
    moves = THUD_NEW_ARRAY(set->context, double, n *wide);
    error = Q != NULL && moves != NULL ? find_directions(set, problem->bilateral, rows, columns, Q, moves)
                                       : THUD_ERROR_MEMORY;
  }
  if (n == 0) set->info.freedom = 0;
  size_t p = (size_t)set->info.freedom;
  if (error == THUD_OK) {
    set->basis = THUD_NEW_ARRAY(set->context, double, (n + 1) * p);
    error = set->basis != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  }
  for (size_t j = 0; j < p && error == THUD_OK; j++) {
    memcpy(set->basis + j * (n + 1), moves + j * n, n * sizeof(double));
    for (thud_index k = 0; k < set->contacts; k++)
      if (set->faces[k].first >= 0) set->basis[j * (n + 1) + n] -= moves[j * n + (size_t)set->faces[k].first];
  }
  thud_free(set->context, columns);
  thud_free(set->context, Q);
  thud_free(set->context, moves);
  return error;
}

/* ---- cones ----------------------------------------------------------------------------------------------------- */

static void add_side(thud_force_set *set, thud_cone_side side) { set->sides[set->program.side_count++] = side; }

static void add_face(thud_force_set *set, const thud_face *face) {
  thud_index next = face->first + 1;
  set->inward[face->first] = 1;
  if (face->width == 1) add_side(set, (thud_cone_side){.first = face->first, .second = -1, .a = 1});
  for (size_t p = 0; p < set->layout->count; p++) {
    if (!face->free[p]) continue;
    if (set->layout->width[p] == 1) {
      add_side(set, (thud_cone_side){.first = face->first, .second = next, .a = face->high[p], .b = -1});
      add_side(set, (thud_cone_side){.first = face->first, .second = next, .a = -face->low[p], .b = 1});
      set->inward[next] = (face->low[p] + face->high[p]) / 2;
    } else {
      set->discs[set->program.disc_count++] = (thud_cone_disc){face->first, next, face->high[p]};
    }
    next += (thud_index)set->layout->width[p];
  }
}

/* |y_k| <= this times y_0 on the face. */
static double face_reach(const thud_force_set *set, const thud_face *face) {
  double reach = 1;
  for (size_t p = 0; p < set->layout->count; p++) reach += fmax(face->high[p], -face->low[p]);
  return reach;
}

/* Changes the lengths so that the largest coordinate of the answer is 1; r = length y stays. */
static void choose_unit(thud_force_set *set) {
  double size = 0;
  for (thud_index k = 0; k < set->contacts; k++) {
    const thud_face *face = &set->faces[k];
    for (thud_index j = 0; j < face->width; j++) {
      set->origin[face->first + j] /= face->length;
      size = fmax(size, fabs(set->origin[face->first + j]));
    }
  }
  if (!(size > 0)) return;
  for (thud_index i = 0; i < set->coordinates; i++) set->origin[i] /= size;
  for (thud_index k = 0; k < set->contacts; k++) set->faces[k].length *= size;
}

static double normal_sum(const thud_force_set *set) {
  double sum = 0;
  for (thud_index k = 0; k < set->contacts; k++)
    if (set->faces[k].first >= 0) sum += set->origin[set->faces[k].first];
  return sum;
}

/* Sums of the y_0 up to `room` are followed: |z| = |y - origin| <= |y| + |origin| with |y| <= sum |y_k| <= widest room.
 */
static void make_room(thud_force_set *set, double room) {
  set->room = room;
  set->origin[set->coordinates] = room - normal_sum(set);
  set->program.reach = 2 * set->widest * room;
}

static thud_error make_program(thud_force_set *set) {
  size_t n = (size_t)set->coordinates;
  set->widest = 1;
  set->inward = THUD_NEW_ARRAY(set->context, double, n + 1);
  size_t parts = set->layout->count > 1 ? set->layout->count : 1;
  set->sides = THUD_NEW_ARRAY(set->context, thud_cone_side, 2 * parts * (size_t)set->contacts + 1);
  set->discs = THUD_NEW_ARRAY(set->context, thud_cone_disc, parts * (size_t)set->contacts);
  set->centre = THUD_NEW_ARRAY(set->context, double, set->info.freedom);
  if (set->inward == NULL || set->sides == NULL || set->discs == NULL || set->centre == NULL) return THUD_ERROR_MEMORY;
  for (thud_index k = 0; k < set->contacts; k++) {
    const thud_face *face = &set->faces[k];
    if (face->first < 0) continue;
    add_face(set, face);
    set->widest = fmax(set->widest, face_reach(set, face));
  }
  make_room(set, set->options.largest * fmax(1, normal_sum(set)));
  add_side(set, (thud_cone_side){.first = set->coordinates, .second = -1, .a = 1});
  set->program.context = set->context;
  set->program.size = set->coordinates + 1;
  set->program.freedom = set->info.freedom;
  set->program.basis = set->basis;
  set->program.origin = set->origin;
  set->program.inward = set->inward;
  set->program.sides = set->sides;
  set->program.discs = set->discs;
  set->program.stop = set->options.stop;
  return THUD_OK;
}

/* ---- life ---------------------------------------------------------------------------------------------------------
 */

static thud_error check(thud_context *context, const thud_contact_problem *problem, const double *r, const double *u) {
  thud_error error = thud_contact_validate(context, problem, NULL);
  if (error != THUD_OK) return error;
  size_t size = thud_contact_size(problem);
  if (problem->form == THUD_FORM_LOCAL && problem->W.storage == THUD_MATRIX_OPERATOR)
    return thud_fail(context, THUD_ERROR_UNSUPPORTED,
                     "uniqueness of the forces: W is an operator, its entries are needed");
  if (size > 0 && (r == NULL || u == NULL))
    return thud_fail(context, THUD_ERROR_ARGUMENT, "uniqueness of the forces: needs impulses r and velocities u");
  for (size_t i = 0; i < size; i++)
    if (!isfinite(r[i]) || !isfinite(u[i]))
      return thud_fail(context, THUD_ERROR_NOT_FINITE, "uniqueness of the forces: %c[%zu] is %g",
                       isfinite(r[i]) ? 'u' : 'r', i, isfinite(r[i]) ? u[i] : r[i]);
  return THUD_OK;
}

thud_error thud_force_set_create(thud_context *context, const thud_contact_problem *problem, const double *r,
                                 const double *u, const thud_force_set_options *options, thud_force_set **set) {
  THUD_REQUIRE(context, context, problem, thud_contact_size(problem) == 0 || (r && u), set);
  thud_force_set_options chosen;
  thud_error error = thud_options_take(context, &table, options, &chosen);
  if (error == THUD_OK) error = check(context, problem, r, u);
  if (error != THUD_OK) return error;
  thud_force_set *made = THUD_NEW(context, thud_force_set);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->context = context;
  made->options = chosen;
  made->layout = thud_disc_layout_of(problem->dimension, problem->friction);
  made->dimension = problem->dimension;
  made->contacts = problem->contacts;
  made->info.moved_contact = -1;
  made->faces = THUD_NEW_ARRAY(context, thud_face, problem->contacts);
  error = made->faces != NULL ? thud_force_set_choose_faces(made, problem, r, u) : THUD_ERROR_MEMORY;
  thud_context_stop_by(context, chosen.stop);
  if (error == THUD_OK) error = make_basis(made, problem);
  thud_context_stop_by(context, (thud_stop){NULL, NULL});
  if (error == THUD_OK) {
    choose_unit(made);
    error = make_program(made);
  }
  if (error == THUD_OK)
    *set = made;
  else
    thud_force_set_destroy(made);
  return error;
}

void thud_force_set_destroy(thud_force_set *set) {
  if (set == NULL) return;
  void *const blocks[] = {set->faces, set->basis, set->origin, set->inward, set->sides, set->discs, set->centre};
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) thud_free(set->context, blocks[k]);
  thud_free(set->context, set);
}

/* ---- minima ------------------------------------------------------------------------------------------------------ */

thud_error thud_force_set_find_centre(thud_force_set *set) {
  if (set->has_centre) return THUD_OK;
  thud_error error = thud_cone_program_centre(&set->program, set->centre, &set->depth);
  if (error != THUD_OK) return error;
  if (set->depth <= INNER_DEPTH) set->program.relaxation = fmax(RELAXATION, -2 * set->depth);
  set->has_centre = true;
  return THUD_OK;
}

static double value_at(const thud_cone_program *program, const double *c, const double *y) {
  double sum = 0;
  for (thud_index i = 0; i < program->size; i++) sum += c[i] * y[i];
  return sum;
}

/* Makes the point of the relaxed program one of S: back towards the answer until it is. */
static thud_error return_to_set(const thud_force_set *set, const double *c, double *z, thud_cone_optimum *optimum) {
  const thud_cone_program *program = &set->program;
  double *origin = THUD_NEW_ARRAY(set->context, double, program->freedom);
  double *y = THUD_NEW_ARRAY(set->context, double, program->size);
  thud_error error = origin != NULL && y != NULL ? thud_cone_program_pull(program, origin, z, z) : THUD_ERROR_MEMORY;
  if (error == THUD_OK) {
    thud_cone_program_point(program, z, y);
    optimum->value = value_at(program, c, y);
  }
  thud_free(set->context, origin);
  thud_free(set->context, y);
  return error;
}

thud_error thud_force_set_minimise(thud_force_set *set, const double *c, double *z, thud_cone_optimum *optimum) {
  const thud_cone_program *program = &set->program;
  thud_error error = program->disc_count > 0 ? thud_force_set_find_centre(set) : THUD_OK;
  if (error == THUD_OK) error = thud_cone_program_minimise(program, c, set->centre, -INFINITY, z, optimum);
  if (error == THUD_OK && program->relaxation > 0 && program->disc_count > 0) error = return_to_set(set, c, z, optimum);
  if (error != THUD_OK) return error;
  double known = value_at(program, c, program->origin);
  if (known < optimum->value) { /* the answer itself does better than the point found */
    memset(z, 0, (size_t)program->freedom * sizeof *z);
    optimum->value = known;
  }
  optimum->bound = fmin(optimum->bound, optimum->value); /* they may cross by rounding */
  return THUD_OK;
}

/* S is bounded when the sum of the y_0 stays clearly below the room on the part of S within it: S is convex, so a point
 * further out would have a neighbour between the two. */
thud_error thud_force_set_bound(thud_force_set *set) {
  if (set->tried_bound) return THUD_OK;
  thud_cone_optimum optimum;
  size_t n = (size_t)set->coordinates;
  double *c = THUD_NEW_ARRAY(set->context, double, n + 1), *z = THUD_NEW_ARRAY(set->context, double, set->info.freedom);
  thud_error error = THUD_ERROR_MEMORY;
  if (c != NULL && z != NULL) {
    c[n] = 1; /* y_n = room - sum */
    error = thud_force_set_minimise(set, c, z, &optimum);
  }
  thud_free(set->context, c);
  thud_free(set->context, z);
  if (error != THUD_OK) return error;
  set->is_bounded = optimum.bound >= set->room / 2;
  if (set->is_bounded) make_room(set, 2 * (set->room - optimum.bound));
  set->tried_bound = true;
  return THUD_OK;
}
