/* Contacts of rigid bodies, found again by the checker: which parts are near each other (boxes sorted along the axis on which
 * they are spread most, and swept), the contacts of a step, those that are missing, and how deep bodies overlap after it. */
#include "verify/bodies/verify_bodies.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

thud_error thud_verify_near_create(thud_context *context, size_t parts, verify_near *near) {
  *near = (verify_near){.parts = parts};
  near->box = THUD_NEW_ARRAY(context, verify_box, parts);
  near->lows = THUD_NEW_ARRAY(context, verify_low, parts);
  return near->box != NULL && near->lows != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

void thud_verify_near_free(thud_context *context, verify_near *near) {
  thud_free(context, near->pair);
  thud_free(context, near->box);
  thud_free(context, near->lows);
}

static double along(thud_vec3 x, int axis) { return axis == 0 ? x.x : axis == 1 ? x.y : x.z; }

/* The axis with the largest variance of the middles of finite boxes. */
static int widest_axis(const verify_near *near) {
  int best = 0;
  double most = -1;
  for (int axis = 0; axis < 3; axis++) {
    double sum = 0, squares = 0, count = 0;
    for (size_t k = 0; k < near->parts; k++) {
      double middle = 0.5 * (along(near->box[k].low, axis) + along(near->box[k].high, axis));
      if (!isfinite(middle)) continue;
      sum += middle;
      squares += middle * middle;
      count++;
    }
    double variance = count > 0 ? squares / count - sum / count * (sum / count) : 0;
    if (variance > most) {
      most = variance;
      best = axis;
    }
  }
  return best;
}

static int by_low(const void *left, const void *right) {
  const verify_low *a = left, *b = right;
  if (a->low != b->low) return a->low < b->low ? -1 : 1;
  return a->part < b->part ? -1 : a->part > b->part;
}

static bool overlap(const verify_box *a, const verify_box *b) {
  return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y && b->low.y <= a->high.y &&
         a->low.z <= b->high.z && b->low.z <= a->high.z;
}

thud_error thud_verify_near_find(thud_context *context, const verify_bodies *bodies, const verify_place *place,
                                 double margin, verify_near *near) {
  thud_vec3 wide = thud_vec3_make(margin, margin, margin);
  thud_error error = THUD_OK;
  near->count = 0;
  for (size_t p = 0; p < near->parts; p++) {
    verify_box box = thud_verify_shape_box(&bodies->shape[bodies->part[p].shape], &place[p]);
    near->box[p] = (verify_box){thud_vec3_subtract(box.low, wide), thud_vec3_add(box.high, wide)};
  }
  int axis = widest_axis(near);
  for (size_t p = 0; p < near->parts; p++) near->lows[p] = (verify_low){along(near->box[p].low, axis), p};
  qsort(near->lows, near->parts, sizeof *near->lows, by_low);
  for (size_t i = 0; i < near->parts && error == THUD_OK; i++) {
    size_t p = near->lows[i].part;
    double end = along(near->box[p].high, axis);
    for (size_t j = i + 1; j < near->parts && near->lows[j].low <= end && error == THUD_OK; j++) {
      size_t q = near->lows[j].part;
      if (!overlap(&near->box[p], &near->box[q])) continue;
      if (!thud_verify_bodies_meet(bodies, bodies->part[p].body, bodies->part[q].body)) continue;
      error = thud_array_reserve(context, &near->pair, &near->capacity, near->count + 1, sizeof *near->pair);
      if (error != THUD_OK) break;
      near->pair[near->count][0] = p < q ? p : q;
      near->pair[near->count++][1] = p < q ? q : p;
    }
  }
  return error;
}

/* ---- distances of parts ------------------------------------------------------------------------------------------- */

static bool reaches(const verify_box *box, const verify_shape *surface, size_t k, const verify_place *place) {
  thud_vec3 corners[3];
  verify_shape triangle = thud_verify_triangle(surface, k, corners);
  verify_box here = thud_verify_shape_box(&triangle, place);
  return overlap(box, &here);
}

/* A surface bounds what is behind it: as long as a shape's depth along the outward normal of a triangle is less than it is
 * thick, it is the depth that counts there; from behind, triangles say nothing. The least way out of a single triangle may lead
 * over its edge into the next one: it is no more than the depth. A contact with the face of a triangle that the shape meets, or
 * with its plane in a valley, is as deep as the shape's lowest point over that plane at most. */
static verify_gap triangle_gap(const verify_shape *surface, size_t k, const verify_place *at_surface,
                               const verify_shape *convex, const verify_place *at_convex) {
  thud_vec3 corners[3];
  verify_shape triangle = thud_verify_triangle(surface, k, corners);
  verify_gap gap = thud_verify_distance_of(convex, at_convex, &triangle, at_surface, false);
  thud_vec3 area =
      thud_vec3_cross(thud_vec3_subtract(corners[1], corners[0]), thud_vec3_subtract(corners[2], corners[0]));
  thud_vec3 n = {0, 0, 1};
  thud_vec3_normalise(thud_mat3_apply(at_surface->R, area), &n);
  double level = thud_vec3_dot(n, thud_vec3_add(at_surface->x0, thud_mat3_apply(at_surface->R, corners[0])));
  double depth = -thud_verify_reach(convex, at_convex, thud_vec3_negate(n)) - level;
  gap.deepest =
      gap.distance <= VERIFY_BEYOND_CREASE * thud_verify_shape_size(convex) ? fmin(gap.distance, depth) : gap.distance;
  if (gap.distance >= 0) return gap;
  /* the sides of a triangle have no inside: only what is pushed out through its face is an overlap with it */
  gap.distance = fmax(gap.distance, depth);
  gap.normal = n;
  return gap;
}

static verify_gap surface_gap(const verify_shape *surface, const verify_place *at_surface, const verify_shape *convex,
                              const verify_place *at_convex, double within) {
  verify_gap least = {.distance = INFINITY, .normal = {0, 0, 1}, .deepest = INFINITY};
  verify_box box = thud_verify_shape_box(convex, at_convex);
  within = fmax(within, VERIFY_BEYOND_CREASE * thud_verify_shape_size(convex));
  thud_vec3 wide = thud_vec3_make(within, within, within);
  box = (verify_box){thud_vec3_subtract(box.low, wide), thud_vec3_add(box.high, wide)};
  for (size_t k = 0; k < surface->triangle_count; k++) {
    if (!reaches(&box, surface, k, at_surface)) continue;
    verify_gap gap = triangle_gap(surface, k, at_surface, convex, at_convex);
    double deepest = fmin(least.deepest, gap.deepest);
    if (gap.distance < least.distance) least = gap;
    least.deepest = deepest;
  }
  return least;
}

verify_gap thud_verify_gap_between(const verify_bodies *bodies, size_t p, const verify_place *at_p, size_t q,
                                   const verify_place *at_q, double within) {
  const verify_shape *a = &bodies->shape[bodies->part[p].shape], *b = &bodies->shape[bodies->part[q].shape];
  if (thud_verify_shape_is_surface(b)) return surface_gap(b, at_q, a, at_p, within);
  if (thud_verify_shape_is_surface(a)) {
    verify_gap turned = surface_gap(a, at_p, b, at_q, within);
    turned.normal = thud_vec3_negate(turned.normal);
    return turned;
  }
  verify_gap gap = thud_verify_distance_of(a, at_p, b, at_q, bodies->planar);
  gap.deepest = gap.distance;
  return gap;
}

verify_gap thud_verify_part_gap(const verify_bodies *bodies, size_t p, size_t q, const verify_place *place,
                                double within) {
  return thud_verify_gap_between(bodies, p, &place[p], q, &place[q], within);
}

/* ---- contacts of a step, found again at the poses of the midpoint ------------------------------------------------ */

/* Contacts of a step, found again at the poses of the midpoint: recorded points lie on both shapes, the normal separates
 * these by the least gap, which is the signed distance of the two; and no pair that overlaps is missing. */

/* The two parts of a contact. */
typedef struct meeting {
  const verify_shape *a, *b;
  const verify_place *at_a, *at_b;
  double tolerance, beyond; /* of points of a surface: how far from its face */
} meeting;

static meeting meeting_of(const verify_body_step *step, size_t p, size_t q) {
  const verify_bodies *bodies = step->bodies;
  meeting m = {&bodies->shape[bodies->part[p].shape],
               &bodies->shape[bodies->part[q].shape],
               &step->place[p],
               &step->place[q],
               0,
               0};
  double size_a = thud_verify_shape_size(m.a), size_b = thud_verify_shape_size(m.b), size = fmin(size_a, size_b);
  size_t i = bodies->part[p].body, j = bodies->part[q].body;
  if (size == 0) size = fmax(size_a, size_b);
  double far = fmax(thud_vec3_norm(m.at_a->x0), thud_vec3_norm(m.at_b->x0));
  double larger = fmax(isfinite(size_a) ? size_a : 0, isfinite(size_b) ? size_b : 0);
  m.tolerance = (isfinite(size) ? fmax(thud_verify_geometry_of(m.a), thud_verify_geometry_of(m.b)) * size : 0) +
                VERIFY_SUMS * (far + larger);
  m.beyond = VERIFY_BEYOND_CREASE * (isfinite(size) ? size : 0);
  m.tolerance += (step->blur[i] + step->blur[j]) * larger;
  return m;
}

/* How far the point is from a triangle of a surface; INFINITY where its box is farther than `within`. */
static double off_triangle(const verify_shape *surface, size_t k, const verify_place *place, thud_vec3 point,
                           double within) {
  const verify_shape dot = thud_verify_point(false);
  verify_place there = {point, thud_mat3_identity()};
  thud_vec3 corners[3];
  verify_shape triangle = thud_verify_triangle(surface, k, corners);
  verify_box box = thud_verify_shape_box(&triangle, place);
  bool far = point.x < box.low.x - within || point.x > box.high.x + within || point.y < box.low.y - within ||
             point.y > box.high.y + within || point.z < box.low.z - within || point.z > box.high.z + within;
  return far ? INFINITY : fabs(thud_verify_distance_of(&dot, &there, &triangle, place, false).distance);
}

/* How far the point is from the plane of a triangle that is within `beyond` of it; INFINITY: none is. */
static double off_plane(const verify_shape *surface, size_t k, const verify_place *place, thud_vec3 point,
                        double beyond) {
  thud_vec3 corners[3], normal;
  if (!(off_triangle(surface, k, place, point, beyond) <= beyond)) return INFINITY;
  thud_verify_triangle(surface, k, corners);
  thud_vec3 area =
      thud_vec3_cross(thud_vec3_subtract(corners[1], corners[0]), thud_vec3_subtract(corners[2], corners[0]));
  if (!thud_vec3_normalise(area, &normal)) return INFINITY;
  thud_vec3 local = thud_mat3_apply_transposed(place->R, thud_vec3_subtract(point, place->x0));
  return fabs(thud_vec3_dot(normal, thud_vec3_subtract(local, corners[0])));
}

/* In a valley the faces of a surface hold points that are a little beyond the crease, by `beyond`: these are on the plane of
 * the face. */
static double off_shape(const verify_shape *shape, const verify_place *place, thud_vec3 point, bool planar,
                        double within, double beyond) {
  if (!thud_verify_shape_is_surface(shape)) return thud_verify_off_surface(shape, place, point, planar);
  double least = INFINITY;
  for (size_t k = 0; k < shape->triangle_count; k++) {
    least = fmin(least, off_triangle(shape, k, place, point, within));
    least = fmin(least, off_plane(shape, k, place, point, beyond));
  }
  return least;
}

static void say(thud_verify_check *check, const char *what, const verify_body_step *step,
                const verify_body_contact *contact) {
  thud_verify_explain(check, "%s, '%s' and '%s'", what, step->bodies->body[contact->a].name,
                      step->bodies->body[contact->b].name);
}

/* Points of manifolds beside the nearest one are on the shapes to first order in the angle between the faces, which
 * opens the gap: `slope` is by how much it is open. */
static void check_point(const verify_body_step *step, const meeting *m, const verify_body_contact *c, double slope,
                        thud_verify_check *check) {
  const verify_body_row *row = step->row;
  double tolerance = m->tolerance + fmax(slope, 0);
  bool planar = step->bodies->planar;
  thud_vec3 on_a = thud_vec3_add_scaled(c->point, 0.5 * c->gap, c->normal);
  thud_vec3 on_b = thud_vec3_add_scaled(c->point, -0.5 * c->gap, c->normal);
  if (thud_verify_tally(check, fabs(thud_vec3_norm(c->normal) - 1), 16 * DBL_EPSILON, 0, row->t, row->number))
    say(check, "length of the normal", step, c);
  if (thud_verify_tally(check, off_shape(m->a, m->at_a, on_a, planar, 2 * tolerance, m->beyond), tolerance, 0, row->t,
                        row->number))
    say(check, "point off the surface of the first of", step, c);
  if (thud_verify_tally(check, off_shape(m->b, m->at_b, on_b, planar, 2 * tolerance, m->beyond), tolerance, 0, row->t,
                        row->number))
    say(check, "point off the surface of the second of", step, c);
}

/* A normal at a surface is that of a triangle there (or a little beyond its crease, see above), or the convex shape reaches
 * farthest against it at the point. */
static double surface_normal_error(const verify_shape *surface, const verify_place *at_surface,
                                   const verify_shape *convex, const verify_place *at_convex, thud_vec3 n,
                                   thud_vec3 on_convex, thud_vec3 on_surface, double tolerance, double beyond) {
  double least = fabs(-thud_verify_reach(convex, at_convex, thud_vec3_negate(n)) - thud_vec3_dot(n, on_convex));
  double size = thud_verify_shape_size(convex);
  for (size_t k = 0; k < surface->triangle_count && least > tolerance; k++) {
    thud_vec3 corners[3], face = {0, 0, 0};
    if (!(off_triangle(surface, k, at_surface, on_surface, tolerance) <= tolerance) &&
        !(off_plane(surface, k, at_surface, on_surface, beyond) <= tolerance))
      continue;
    thud_verify_triangle(surface, k, corners);
    thud_vec3 area =
        thud_vec3_cross(thud_vec3_subtract(corners[1], corners[0]), thud_vec3_subtract(corners[2], corners[0]));
    if (thud_vec3_normalise(thud_mat3_apply(at_surface->R, area), &face))
      least = fmin(least, size * thud_vec3_distance(face, n));
  }
  return least;
}

/* By how much the normal fails to separate the shapes by `gap`. */
static double normal_error(const meeting *m, const verify_body_contact *c, double gap) {
  thud_vec3 on_a = thud_vec3_add_scaled(c->point, 0.5 * c->gap, c->normal);
  thud_vec3 on_b = thud_vec3_add_scaled(c->point, -0.5 * c->gap, c->normal);
  if (thud_verify_shape_is_surface(m->b))
    return surface_normal_error(m->b, m->at_b, m->a, m->at_a, c->normal, on_a, on_b, m->tolerance, m->beyond);
  if (thud_verify_shape_is_surface(m->a))
    return surface_normal_error(m->a, m->at_a, m->b, m->at_b, thud_vec3_negate(c->normal), on_b, on_a, m->tolerance,
                                m->beyond);
  return gap - thud_verify_separation(m->a, m->at_a, m->b, m->at_b, c->normal);
}

/* A contact is listed once: two at one place with one normal would share an impulse in any way. */
static void check_once(const verify_body_step *step, size_t first, size_t end, thud_verify_check *check) {
  const verify_body_row *row = step->row;
  for (size_t k = first; k < end; k++)
    for (size_t j = first; j < k; j++) {
      const verify_body_contact *a = &row->contact[j], *b = &row->contact[k];
      if (thud_vec3_distance(a->point, b->point) > 0 || thud_vec3_distance(a->normal, b->normal) > 0) continue;
      thud_verify_fail(check, row->t, row->number, "'%s' and '%s' have the same contact twice",
                       step->bodies->body[a->a].name, step->bodies->body[a->b].name);
    }
}

/* A contact with a time of its own: then the two touch there, and neither before nor after the step. */
static void check_timed(const verify_body_step *step, const verify_body_contact *c, thud_verify_check *check) {
  const verify_bodies *bodies = step->bodies;
  const verify_body_row *row = step->row;
  meeting m = meeting_of(step, c->part_a, c->part_b);
  verify_place a = thud_verify_place_at(step, c->part_a, c->ahead), b = thud_verify_place_at(step, c->part_b, c->ahead);
  m.at_a = &a;
  m.at_b = &b;
  if (!(c->ahead >= -row->step * (1 + VERIFY_SUMS) && c->ahead <= 0.5 * row->step * (1 + VERIFY_SUMS)))
    thud_verify_fail(check, row->t, row->number, "'%s' and '%s' meet %.6g after the midpoint, outside of the step",
                     bodies->body[c->a].name, bodies->body[c->b].name, c->ahead);
  verify_gap gap = thud_verify_gap_between(bodies, c->part_a, &a, c->part_b, &b, m.tolerance);
  bool on_surface = thud_verify_shape_is_surface(m.a) || thud_verify_shape_is_surface(m.b);
  /* other points of the pair may have met before */
  double error = on_surface ? 0 : gap.distance;
  if (thud_verify_tally(check, fmax(error, fabs(c->gap)), m.tolerance + gap.accuracy, 0, row->t, row->number))
    say(check, "gap where they meet", step, c);
  check_point(step, &m, c, fmax(-gap.distance, 0), check);
  if (thud_verify_tally(check, normal_error(&m, c, gap.distance), m.tolerance + gap.accuracy, 0, row->t, row->number))
    say(check, "the normal does not separate where they meet", step, c);
}

/* Contacts first .. end-1 are those of one pair of parts, at one time. Points that do not come near enough in the step are left out of
 * a manifold, but never one that is closed; `others`: but for those that have a time of their own. */
static void check_pair(const verify_body_step *step, size_t first, size_t end, bool others, thud_verify_check *check) {
  const verify_body_row *row = step->row;
  const verify_body_contact *least = &row->contact[first];
  meeting m = meeting_of(step, least->part_a, least->part_b);
  for (size_t k = first; k < end; k++)
    if (row->contact[k].gap < least->gap) least = &row->contact[k];
  double within = fabs(least->gap) + m.tolerance;
  verify_gap gap = thud_verify_part_gap(step->bodies, least->part_a, least->part_b, step->place, within);
  /* at surfaces a normal is judged at its own point, which others of its manifold are beyond by the slope */
  bool on_surface = thud_verify_shape_is_surface(m.a) || thud_verify_shape_is_surface(m.b);
  double error = gap.deepest - least->gap; /* > 0: the recorded gap is too small */
  if (gap.distance <= 0 && !others) error = fmax(error, least->gap - gap.distance);
  if (thud_verify_tally(check, error, m.tolerance + gap.accuracy, 0, row->t, row->number))
    say(check, "gap", step, least);
  for (size_t k = first; k < end; k++) {
    double slope = row->contact[k].gap - gap.distance, open = on_surface ? fmax(slope, 0) : 0;
    check_point(step, &m, &row->contact[k], slope, check);
    if (thud_verify_tally(check, normal_error(&m, &row->contact[k], gap.distance), m.tolerance + gap.accuracy + open, 0,
                          row->t, row->number))
      say(check, "the normal does not separate by the gap", step, &row->contact[k]);
  }
}

static bool has_timed(const verify_body_row *row, const verify_body_contact *c) {
  for (size_t k = 0; k < row->contact_count; k++)
    if (row->contact[k].ahead != 0 && row->contact[k].part_a == c->part_a && row->contact[k].part_b == c->part_b)
      return true;
  return false;
}

void thud_verify_body_contacts(const verify_body_step *step, thud_verify_check *check) {
  const verify_body_row *row = step->row;
  for (size_t first = 0, end; first < row->contact_count; first = end) {
    const verify_body_contact *c = &row->contact[first];
    for (end = first + 1; end < row->contact_count; end++)
      if (row->contact[end].part_a != c->part_a || row->contact[end].part_b != c->part_b ||
          (c->ahead != 0) != (row->contact[end].ahead != 0))
        break;
    if (c->ahead == 0) check_pair(step, first, end, has_timed(row, c), check);
    for (size_t k = first; k < end && c->ahead != 0; k++) check_timed(step, &row->contact[k], check);
    check_once(step, first, end, check);
  }
}

/* ---- what is missing ------------------------------------------------------------------------------------------------------- */

typedef struct part_pair {
  size_t first, second;
} part_pair;

static int by_parts(const void *left, const void *right) {
  const part_pair *a = left, *b = right;
  if (a->first != b->first) return a->first < b->first ? -1 : 1;
  return a->second < b->second ? -1 : a->second > b->second;
}

static part_pair *list_recorded(thud_context *context, const verify_body_row *row) {
  part_pair *list = THUD_NEW_ARRAY(context, part_pair, row->contact_count);
  for (size_t k = 0; list != NULL && k < row->contact_count; k++) {
    size_t p = row->contact[k].part_a, q = row->contact[k].part_b;
    list[k] = (part_pair){p < q ? p : q, p < q ? q : p};
  }
  if (list != NULL) qsort(list, row->contact_count, sizeof *list, by_parts);
  return list;
}

thud_error thud_verify_body_missing(thud_context *context, const verify_body_step *step, verify_near *near,
                                    thud_verify_check *check) {
  const verify_bodies *bodies = step->bodies;
  const verify_body_row *row = step->row;
  part_pair *recorded = list_recorded(context, row);
  if (recorded == NULL) return THUD_ERROR_MEMORY;
  thud_error error = thud_verify_near_find(context, bodies, step->place, 0, near);
  for (size_t k = 0; error == THUD_OK && k < near->count; k++) {
    part_pair pair = {near->pair[k][0], near->pair[k][1]};
    size_t a = bodies->part[pair.first].body, b = bodies->part[pair.second].body;
    if (!step->moves[a] && !step->moves[b]) continue;
    if (bsearch(&pair, recorded, row->contact_count, sizeof pair, by_parts) != NULL) continue;
    meeting m = meeting_of(step, pair.first, pair.second);
    verify_gap gap = thud_verify_part_gap(bodies, pair.first, pair.second, step->place, 0);
    if (gap.distance < 0 && thud_verify_tally(check, -gap.distance - gap.accuracy, m.tolerance, 0, row->t, row->number))
      thud_verify_explain(check, "overlap of '%s' and '%s', which have no contact", bodies->body[a].name,
                          bodies->body[b].name);
  }
  thud_free(context, recorded);
  return error;
}

/* ---- what passes through ------------------------------------------------------------------------------------------------
 * From node to node bodies fly with v to the midpoint and from there on, moved by impulses with a time, with v+. Two that
 * overlap on the way by more than PASSED of the thinner part, and have no impulse, passed through each other. */

enum { SAMPLES = 32, MOST_ADVANCES = 200 };
static const double PASSED = 0.01, FAST = 0.5;

static verify_place placed_on_leg(const verify_body_step *step, size_t p, double s, bool behind) {
  const verify_part *part = &step->bodies->part[p];
  size_t i = part->body;
  verify_body_state state = behind ? step->after[i] : step->middle[i];
  if (behind) {
    state.x = thud_vec3_add(state.x, step->shift[i]);
    state.q = thud_quat_integrate(state.q, step->twist[i], 1);
  }
  state.x = thud_vec3_add_scaled(state.x, s, state.v);
  thud_mat3 R = thud_quat_to_matrix(thud_quat_integrate(state.q, state.w, s));
  return (verify_place){thud_vec3_add(state.x, thud_mat3_apply(R, part->place.x0)),
                        thud_mat3_multiply(R, part->place.R)};
}

static double gap_on_leg(const verify_body_step *step, size_t p, size_t q, double s, bool behind, double within) {
  verify_place a = placed_on_leg(step, p, s, behind), b = placed_on_leg(step, q, s, behind);
  return thud_verify_gap_between(step->bodies, p, &a, q, &b, within).distance;
}

static double reach_about(const verify_bodies *bodies, size_t p) {
  double size = thud_verify_shape_size(&bodies->shape[bodies->part[p].shape]);
  return isfinite(size) ? size + thud_vec3_norm(bodies->part[p].place.x0) : 0;
}

/* No faster do two parts come nearer to each other on the leg. */
static double closing_speed(const verify_body_step *step, size_t p, size_t q, bool behind) {
  const verify_bodies *bodies = step->bodies;
  const verify_body_state *states = behind ? step->after : step->middle;
  const verify_body_state *a = &states[bodies->part[p].body], *b = &states[bodies->part[q].body];
  return thud_vec3_distance(a->v, b->v) + thud_vec3_norm(a->w) * reach_about(bodies, p) +
         thud_vec3_norm(b->w) * reach_about(bodies, q);
}

static double thinner(const verify_bodies *bodies, size_t p, size_t q) {
  double a = thud_verify_shape_thickness(&bodies->shape[bodies->part[p].shape]);
  double b = thud_verify_shape_thickness(&bodies->shape[bodies->part[q].shape]);
  return a > 0 && b > 0 ? fmin(a, b) : fmax(a, b);
}

/* Has the row a contact of the two, `pushed`: with an impulse? */
static bool has_met(const verify_body_row *row, size_t p, size_t q, bool pushed) {
  for (size_t k = 0; k < row->contact_count; k++) {
    const verify_body_contact *c = &row->contact[k];
    bool same = (c->part_a == p && c->part_b == q) || (c->part_a == q && c->part_b == p);
    if (same && (!pushed || thud_vec3_dot(c->normal, c->impulse) > 0)) return true;
  }
  return false;
}

/* The deepest overlap on the leg from `from`; 0 where the two do not come near. *last: at its end. */
static double depth_on_leg(const verify_body_step *step, size_t p, size_t q, double from, bool behind, double *last) {
  double end = from + 0.5 * step->row->step, speed = closing_speed(step, p, q, behind), s = from, deepest = 0;
  double near = 1e-3 * thinner(step->bodies, p, q);
  *last = 0;
  for (int k = 0; k < MOST_ADVANCES && s < end; k++) {
    double gap = gap_on_leg(step, p, q, s, behind, speed * (end - s));
    if (gap <= near) break;
    s += fmax(gap, near) / speed;
  }
  for (int k = 0; k <= SAMPLES && s < end; k++) {
    *last = fmax(-gap_on_leg(step, p, q, s + (end - s) * k / SAMPLES, behind, 0), 0);
    deepest = fmax(deepest, *last);
  }
  return deepest;
}

static void check_passing(const verify_body_step *step, const verify_body_row *before, size_t p, size_t q, bool behind,
                          thud_verify_check *check) {
  const verify_bodies *bodies = step->bodies;
  const verify_body_row *row = step->row;
  double thin = thinner(bodies, p, q), from = behind ? 0 : -0.5 * row->step, last;
  if (!(thin > 0) || !isfinite(thin) || !(row->step * closing_speed(step, p, q, behind) > FAST * thin)) return;
  if (has_met(row, p, q, true)) return;
  /* what had a contact in the step before may still leave */
  if (!behind && before != NULL && has_met(before, p, q, false)) return;
  bool overlapped = gap_on_leg(step, p, q, from, behind, 0) < 0;
  if (overlapped && (behind || before == NULL)) return;
  double depth = depth_on_leg(step, p, q, from, behind, &last);
  if (depth > PASSED * thin && !(behind && last > 0))
    thud_verify_fail(check, row->t, row->number, "'%s' and '%s' pass through each other without a contact",
                     bodies->body[bodies->part[p].body].name, bodies->body[bodies->part[q].body].name);
}

thud_error thud_verify_body_passing(thud_context *context, const verify_body_step *step, const verify_body_row *before,
                                    verify_near *near, thud_verify_check *check) {
  const verify_bodies *bodies = step->bodies;
  double way = 0, thinnest = INFINITY;
  for (size_t p = 0; p < bodies->part_count; p++) {
    size_t i = bodies->part[p].body;
    double v = fmax(thud_vec3_norm(step->middle[i].v), thud_vec3_norm(step->after[i].v));
    double w = fmax(thud_vec3_norm(step->middle[i].w), thud_vec3_norm(step->after[i].w));
    double thin = thud_verify_shape_thickness(&bodies->shape[bodies->part[p].shape]);
    if (thin > 0) thinnest = fmin(thinnest, thin);
    way = fmax(way, 0.5 * step->row->step * (v + w * reach_about(bodies, p)) + thud_vec3_norm(step->shift[i]));
  }
  if (!(4 * way > FAST * thinnest)) return THUD_OK;
  thud_error error = thud_verify_near_find(context, bodies, step->place, way, near);
  for (size_t k = 0; error == THUD_OK && k < near->count; k++)
    for (int behind = 0; behind < 2; behind++)
      check_passing(step, before, near->pair[k][0], near->pair[k][1], behind != 0, check);
  return error;
}

/* ---- how deep bodies overlap after the step, and by how much those that overlapped were moved apart -------------- */

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
/* Closing joints moves no body by more than this times all that they are open; singular ones ask for most. */
static const double JOINT_WAY = 1000;

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
  double opening = thud_verify_joint_opening(bodies, state) + thud_verify_law_opening(bodies, row, state);
  double longest = 0, steepness = 1;
  for (size_t i = 0; i < bodies->count; i++) longest = fmax(longest, thud_vec3_norm(row->lift[i]));
  if (error == THUD_OK && longest > 2 * (overlap + JOINT_WAY * opening)) /* next to a position that branches, perhaps */
    error = thud_verify_joint_steepness(context, bodies, state, bodies->extent > 0 ? opening / bodies->extent : opening,
                                        &steepness);
  overlap += JOINT_WAY * opening * steepness;
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
