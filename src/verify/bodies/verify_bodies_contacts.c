/* Contacts of a step, found again at the poses of the midpoint: recorded points lie on both shapes, the normal separates
 * these by the least gap, which is the signed distance of the two; and no pair that overlaps is missing. */
#include "verify/bodies/verify_bodies.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

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
  verify_shape dot = {.kind = VERIFY_SHAPE_SPHERE};
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
