/* How deep bodies overlap after the step, and by how much those that overlapped were moved apart. */
#include "verify/bodies/verify_bodies.h"

#include <float.h>
#include <math.h>

/* Rows say overlaps to first order in the way of half a step: they may be wrong by such a factor. */
static const double FIRST_ORDER = 0.5;

/* Overlap that is left alone: a part of the thickness of the thinner shape. A particle counts with the other's; where
 * neither has a thickness, with what gravity moves in a step. */
static double allowed(const verify_bodies *bodies, size_t p, size_t q, double h) {
  double a = thud_verify_shape_thickness(&bodies->shape[bodies->part[p].shape]);
  double b = thud_verify_shape_thickness(&bodies->shape[bodies->part[q].shape]);
  double thin = a > 0 && b > 0 ? fmin(a, b) : fmax(a, b);
  if (!(thin > 0) || !isfinite(thin)) thin = fmax(h * h * thud_vec3_norm(bodies->gravity), DBL_MIN);
  return bodies->options.penetration * thin;
}

/* The largest distance of a point of the part from the centre of mass, and from the origin. */
static double reach_of(const verify_bodies *bodies, size_t p) {
  double size = thud_verify_shape_size(&bodies->shape[bodies->part[p].shape]);
  return thud_vec3_norm(bodies->part[p].place.x0) + (isfinite(size) ? size : 0);
}

/* Surfaces may be known by iterations only, and the step asks about contacts to first order in how the bodies turn. */
static double blur_of(const verify_bodies *bodies, const verify_body_row *row, size_t p) {
  const verify_body_state *state = &row->end[bodies->part[p].body];
  double reach = reach_of(bodies, p), turn = 0.5 * row->step * thud_vec3_norm(state->w);
  const verify_shape *shape = &bodies->shape[bodies->part[p].shape];
  return reach * (thud_verify_geometry_of(shape) + 0.5 * turn * turn) + VERIFY_SUMS * thud_vec3_norm(state->x);
}

/* How far the part was moved along n when its body was moved apart from another one, at most. */
static double pushed_by(const verify_bodies *bodies, const verify_body_row *row, size_t p, thud_vec3 n) {
  size_t i = bodies->part[p].body;
  return fmax(thud_vec3_dot(n, row->lift[i]), 0) + reach_of(bodies, p) * thud_vec3_norm(row->turn[i]);
}

/* max of n.(w x y) over the points y of a part's core, from the centre of mass: how fast turning alone moves it along n.
 * A ball's core is a point: it may turn. */
static double turning_speed(const verify_bodies *bodies, const verify_body_row *row, size_t p,
                            const verify_place *place, thud_vec3 n) {
  const verify_shape *shape = &bodies->shape[bodies->part[p].shape];
  const verify_body_state *state = &row->end[bodies->part[p].body];
  thud_vec3 direction = thud_vec3_cross(n, state->w);
  double reach = reach_of(bodies, p);
  if (thud_verify_shape_is_half_space(shape)) return 0;
  if (thud_verify_shape_is_surface(shape)) return thud_vec3_norm(direction) * reach;
  return thud_vec3_dot(direction, thud_vec3_subtract(thud_verify_core_support(shape, &place[p], direction), state->x));
}

/* How long the velocities of the end have acted on the two: half a step, and where an impact has a time before the midpoint since
 * then. Rows without their contacts do not say: such a time is at most a step before the midpoint. */
static double acting_time(const verify_bodies *bodies, const verify_body_row *row, size_t p, size_t q) {
  const size_t both[2] = {bodies->part[p].body, bodies->part[q].body};
  double earliest = row->has_contacts ? 0 : -row->step;
  for (size_t k = 0; k < row->contact_count; k++) {
    const verify_body_contact *c = &row->contact[k];
    for (int i = 0; i < 2; i++)
      if (bodies->body[both[i]].role == VERIFY_DYNAMIC && (c->a == both[i] || c->b == both[i]))
        earliest = fmin(earliest, c->ahead);
  }
  return 0.5 * row->step - earliest;
}

/* Contacts act at midpoints: what was open there, and does not act before it closes, may close in the half of a step that
 * follows, or when one of the two is moved apart from a third. This is how far, at most. A contact that acted does not
 * approach but where another corner comes near; of a pair without one only its way is known, not from which side. Pairs with
 * restitution that leave each other within a step are not moved apart. */
static double closing_of(const verify_bodies *bodies, const verify_body_row *row, size_t p, size_t q,
                         const verify_place *place, thud_vec3 n, bool acted) {
  const verify_body_state *a = &row->end[bodies->part[p].body], *b = &row->end[bodies->part[q].body];
  thud_vec3 v = thud_vec3_subtract(a->v, b->v);
  double speed =
      thud_vec3_norm(v) + thud_vec3_norm(a->w) * reach_of(bodies, p) + thud_vec3_norm(b->w) * reach_of(bodies, q);
  size_t unused;
  double leaving = 0;
  if (acted)
    speed = -thud_vec3_dot(n, v) + turning_speed(bodies, row, p, place, thud_vec3_negate(n)) +
            turning_speed(bodies, row, q, place, n);
  if (acted && thud_verify_bodies_law(bodies, p, q, &unused).restitution > 0)
    leaving = thud_vec3_dot(n, v) + turning_speed(bodies, row, p, place, n) +
              turning_speed(bodies, row, q, place, thud_vec3_negate(n));
  return fmax(acting_time(bodies, row, p, q) * fmax(speed, 0), row->step * leaving) +
         pushed_by(bodies, row, p, thud_vec3_negate(n)) + pushed_by(bodies, row, q, n);
}

/* Did the step have a contact of the two? */
static bool has_contact(const verify_body_row *row, size_t p, size_t q) {
  for (size_t k = 0; k < row->contact_count; k++) {
    const verify_body_contact *c = &row->contact[k];
    if ((c->part_a == p && c->part_b == q) || (c->part_a == q && c->part_b == p)) return true;
  }
  return false;
}

/* What the pairs of a row show: the overlap that is certainly there, and the largest that there may be. */
typedef struct overlaps {
  double certain, possible; /* possible: of the bodies that the row names */
} overlaps;

static void check_overlap(const verify_bodies *bodies, const verify_body_row *row, const verify_place *place, size_t p,
                          size_t q, overlaps *found, thud_verify_check *check) {
  size_t a = bodies->part[p].body, b = bodies->part[q].body;
  double room = blur_of(bodies, row, p) + blur_of(bodies, row, q);
  verify_gap gap = thud_verify_part_gap(bodies, p, q, place, 0);
  double depth = -gap.distance;
  bool straight = row->deepest[0] == (double)a && row->deepest[1] == (double)b;
  bool turned = row->deepest[0] == (double)b && row->deepest[1] == (double)a;
  if (straight || turned) found->possible = fmax(found->possible, gap.accuracy - gap.deepest + room);
  if (!(depth > 0)) return;
  double tolerance = allowed(bodies, p, q, row->step) + room + gap.accuracy, closing = 0;
  if (depth > tolerance || FIRST_ORDER * depth > row->penetration)
    closing = closing_of(bodies, row, p, q, place, gap.normal, has_contact(row, p, q));
  if (thud_verify_tally(check, depth, tolerance + closing, 0, row->t, row->number))
    thud_verify_explain(check, "of '%s' and '%s'", bodies->body[a].name, bodies->body[b].name);
  found->certain = fmax(found->certain, depth - gap.accuracy - room - closing);
}

thud_error thud_verify_body_penetration(thud_context *context, const verify_bodies *bodies, const verify_body_row *row,
                                        verify_place *place, verify_near *near, thud_verify_check *check) {
  overlaps found = {0, 0};
  double margin = 0;
  for (size_t k = 0; k < bodies->part_count; k++) margin = fmax(margin, 2 * blur_of(bodies, row, k));
  thud_verify_place_parts(bodies, row->end, place);
  thud_error error = thud_verify_near_find(context, bodies, place, margin, near);
  for (size_t k = 0; error == THUD_OK && k < near->count; k++)
    check_overlap(bodies, row, place, near->pair[k][0], near->pair[k][1], &found, check);
  if (error == THUD_OK &&
      (FIRST_ORDER * found.certain > row->penetration || FIRST_ORDER * row->penetration > found.possible))
    thud_verify_fail(
        check, row->t, row->number,
        "the row says %.6g, the deepest overlap is at least %.6g, that of the bodies it names at most %.6g",
        row->penetration, found.certain, found.possible);
  if (error == THUD_OK && row->penetration == 0 && (row->deepest[0] != -1 || row->deepest[1] != -1))
    thud_verify_fail(check, row->t, row->number, "no overlap, and the row names the bodies of one");
  return error;
}

/* ---- moved apart --------------------------------------------------------------------------------------------------------- */

static thud_error total_overlap(thud_context *context, const verify_bodies *bodies, const verify_body_state *state,
                                verify_place *place, verify_near *near, double *sum) {
  thud_verify_place_parts(bodies, state, place);
  thud_error error = thud_verify_near_find(context, bodies, place, 0, near);
  *sum = 0;
  for (size_t k = 0; error == THUD_OK && k < near->count; k++) {
    size_t p = near->pair[k][0], q = near->pair[k][1];
    verify_gap gap = thud_verify_part_gap(bodies, p, q, place, 0);
    *sum += fmax(gap.accuracy - gap.deepest, 0);
  }
  return error;
}

/* Nothing is moved farther than all overlaps together; where none is too deep nothing is moved at all. */
thud_error thud_verify_body_lift(thud_context *context, const verify_body_step *step, verify_place *place,
                                 verify_near *near, thud_verify_check *check) {
  const verify_bodies *bodies = step->bodies;
  const verify_body_row *row = step->row;
  double overlap = 0;
  size_t moved = 0;
  for (size_t i = 0; i < bodies->count; i++)
    moved += thud_vec3_norm(row->lift[i]) > 0 || thud_vec3_norm(row->turn[i]) > 0;
  if (moved == 0) return THUD_OK;
  verify_body_state *state = THUD_NEW_ARRAY(context, verify_body_state, bodies->count);
  if (state == NULL) return THUD_ERROR_MEMORY;
  thud_verify_body_take_back(bodies, row, state);
  thud_error error = total_overlap(context, bodies, state, place, near, &overlap);
  for (size_t i = 0; error == THUD_OK && i < bodies->count; i++) {
    double way = thud_vec3_norm(row->lift[i]);
    if (bodies->body[i].role != VERIFY_DYNAMIC && (way > 0 || thud_vec3_norm(row->turn[i]) > 0))
      thud_verify_fail(check, row->t, row->number, "'%s' was moved, and no force moves it", bodies->body[i].name);
    if (way > 0 && thud_verify_tally(check, way, 2 * overlap, 0, row->t, row->number))
      thud_verify_explain(check, "way of '%s', beside all overlaps", bodies->body[i].name);
  }
  thud_free(context, state);
  return error;
}
