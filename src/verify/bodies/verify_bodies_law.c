/* The laws of two bodies that meet: what the scene says of them, the shapes whose lowest point wanders, and the law of every
 * contact. */
#include "verify/bodies/verify_bodies.h"

#include <float.h>
#include <math.h>

/* ---- laws ------------------------------------------------------------------------------------------------------------------ */

static double mean_friction(const verify_contact_law *law) {
  return law->mu_across < 0 ? law->mu : sqrt(law->mu * law->mu_across);
}

/* Geometric means of the frictions, the larger restitution. A direction is that of the first of the two that has one;
 * the other side counts with its mean. *of_second: the direction is the second's. */
verify_contact_law thud_verify_combine_laws(const verify_contact_law *first, const verify_contact_law *second,
                                            bool *of_second) {
  *of_second = first->mu_across < 0 && second->mu_across >= 0;
  const verify_contact_law *lead = *of_second ? second : first, *other = *of_second ? first : second;
  verify_contact_law law = *lead;
  law.mu = sqrt(lead->mu * mean_friction(other));
  if (lead->mu_across >= 0) law.mu_across = sqrt(lead->mu_across * mean_friction(other));
  law.restitution = fmax(first->restitution, second->restitution);
  law.rolling = sqrt(first->rolling * second->rolling);
  law.spinning = sqrt(first->spinning * second->spinning);
  return law;
}

verify_contact_law thud_verify_bodies_law(const verify_bodies *bodies, size_t part_a, size_t part_b,
                                          size_t *axis_body) {
  size_t a = bodies->part[part_a].material, b = bodies->part[part_b].material;
  verify_contact_law smooth = {.mu_across = -1, .axis = {1, 0, 0}};
  *axis_body = bodies->part[part_a].body;
  for (size_t k = 0; k < bodies->pair_count; k++) {
    const verify_material_pair *pair = &bodies->pair[k];
    if (pair->first == a && pair->second == b) return pair->law;
    if (pair->first != b || pair->second != a) continue;
    *axis_body = bodies->part[part_b].body;
    return pair->law;
  }
  return smooth;
}

bool thud_verify_bodies_meet(const verify_bodies *bodies, size_t a, size_t b) {
  const verify_rigid *first = &bodies->body[a], *second = &bodies->body[b];
  if (first->absent || second->absent) return false;
  if (a == b || (first->role != VERIFY_DYNAMIC && second->role != VERIFY_DYNAMIC)) return false;
  if (first->group >= 0 && first->group == second->group) return false;
  for (size_t k = 0; k < bodies->joint_count; k++) {
    const verify_joint *joint = &bodies->joint[k];
    if (!joint->touch && !joint->off && ((joint->a == a && joint->b == b) || (joint->a == b && joint->b == a)))
      return false;
  }
  return (first->category & second->mask) != 0 && (second->category & first->mask) != 0;
}

/* ---- expressions ------------------------------------------------------------------------------------------------------------ */

const double *thud_verify_variables(const verify_bodies *bodies, double t) {
  bodies->variables[bodies->scene.time_slot] = t;
  return bodies->variables;
}

const double *thud_verify_body_variables(const verify_bodies *bodies, double t, const verify_body_state *state) {
  const double values[BODY_VARIABLES] = {
      state->x.x, state->x.y, state->x.z, state->v.x, state->v.y, state->v.z, 2 * atan2(state->q.z, state->q.w),
      state->w.z, state->q.w, state->q.x, state->q.y, state->q.z, state->w.x, state->w.y,
      state->w.z};
  for (int k = 0; k < BODY_VARIABLES; k++)
    if (bodies->slot[k] >= 0) bodies->variables[bodies->slot[k]] = values[k];
  return thud_verify_variables(bodies, t);
}

/* ---- the lowest point of an ellipsoid, a cylinder or a cone wanders over its surface while it rolls on a plane --- */

/* The lowest point of an ellipsoid, a cylinder or a cone wanders over its surface while it rolls on a plane: what the law asks
 * for there, to second order (thud/body_motion.h), from the lowest points at the midpoint and a step later at the
 * velocities before the step. */

static verify_body_state ahead(const verify_body_state *state, double h) {
  verify_body_state next = *state;
  next.x = thud_vec3_add_scaled(state->x, h, state->v);
  next.q = thud_quat_integrate(state->q, state->w, h);
  return next;
}

static verify_place place_of(const verify_part *part, const verify_body_state *state) {
  thud_mat3 R = thud_quat_to_matrix(state->q);
  verify_place place = {thud_vec3_add(state->x, thud_mat3_apply(R, part->place.x0)),
                        thud_mat3_multiply(R, part->place.R)};
  return place;
}

/* The lowest point of the part of a contact above the plane, its bodies being in these states. */
static thud_vec3 lowest(const verify_bodies *bodies, const verify_body_contact *c, const verify_body_state *a,
                        const verify_body_state *b, double *gap) {
  const verify_part *part = &bodies->part[c->part_a], *plane = &bodies->part[c->part_b];
  verify_place place = place_of(part, a), ground = place_of(plane, b);
  thud_vec3 up = ground.R.cz;
  thud_vec3 point = thud_verify_core_support(&bodies->shape[part->shape], &place, thud_vec3_negate(up));
  *gap = thud_vec3_dot(up, thud_vec3_subtract(point, ground.x0));
  return point;
}

static thud_vec3 slip(const verify_body_state *a, const verify_body_state *b, thud_vec3 point) {
  return thud_vec3_subtract(verify_velocity_at(a, point), verify_velocity_at(b, point));
}

verify_bend thud_verify_body_bend(const verify_body_step *step, size_t k, double closed, double tie) {
  const verify_body_contact *c = &step->row->contact[k];
  const verify_bodies *bodies = step->bodies;
  verify_drive drive = thud_verify_body_drive(step, c);
  verify_body_state ground = step->middle[c->b];
  if (drive.carries) ground.v = ground.w = (thud_vec3){0}; /* seen from there */
  const verify_body_state *a = &drive.seen, *b = &ground;
  double h = step->row->step, least = 0, next_gap = 0;
  size_t surely = 0, possibly = 0;
  bool timed = false;
  verify_bend found = {.kind = VERIFY_BEND_NONE};
  if (!bodies->options.predicted || c->e > 0 ||
      !thud_verify_shape_is_half_space(&bodies->shape[bodies->part[c->part_b].shape]) ||
      !thud_verify_form_of(&bodies->shape[bodies->part[c->part_a].shape])->curved)
    return found;
  lowest(bodies, c, a, b, &least);
  double noise = 16 * DBL_EPSILON * (thud_vec3_norm(c->point) + thud_vec3_norm(a->x) + thud_vec3_norm(b->x));
  double shaken = noise + (step->blur[c->a] + step->blur[c->b]) * thud_vec3_distance(c->point, a->x);
  double unsure = tie * closed + shaken; /* bodies that were turned apart were somewhere near there */
  for (size_t i = 0; i < step->row->contact_count; i++) {
    const verify_body_contact *other = &step->row->contact[i];
    if (other->part_a != c->part_a || other->part_b != c->part_b) continue;
    if (other->ahead != 0) { /* its gap at the midpoint is not in the row */
      timed = true;
      continue;
    }
    surely += other->gap <= least + closed - unsure;
    possibly += other->gap <= least + closed + unsure;
  }
  if (surely > 1 || possibly == 0 || c->gap > least + closed + unsure) return found;
  bool certain = !timed && surely == 1 && possibly == 1 && c->gap <= least + closed - unsure;
  verify_body_state next_a = ahead(a, h), next_b = bodies->body[c->b].role == VERIFY_FIXED ? *b : ahead(b, h);
  thud_vec3 next = lowest(bodies, c, &next_a, &next_b, &next_gap);
  found.kind = certain ? VERIFY_BEND_CERTAIN : VERIFY_BEND_POSSIBLE;
  found.gap = next_gap - c->gap - h * thud_vec3_dot(c->normal, slip(a, b, c->point));
  found.wander = thud_vec3_scale(0.5, thud_vec3_subtract(slip(&next_a, &next_b, next), slip(a, b, c->point)));
  found.blur = shaken / h;
  return found;
}

/* ---- the law of every contact, asked by De Saxce's form of it ---------------------------------------------------- */

/* The law of every contact, asked by De Saxce's form of it: with u~ = u + (mu |u_T| + ...) n and the threshold of
 * restitution or of the gap in u_N, r = proj_K(r - u~/W_k). What is left of that, times W_k, is a velocity; over an
 * island (bodies that contacts connect) its 2-norm is compared with that of the relative velocities without impulses at
 * the contacts that would be approached.
 *   0 <= u_N+ + e u_N- perp r_N >= 0   closed contacts,   0 <= u_N+ + gap/h perp r_N >= 0   before they close
 * and verify_bodies_law.c for lowest points that wander.
 * Orthotropic friction is a disc after a change of scale: T_i times mu_i/max. */

enum { MOST_ROWS = 6, MOST_DISCS = 3 };

/* A gap counts as closed up to this part of the sizes (docs/verification.md); where rounding decides, both are accepted. */
static const double CLOSED = 1e-12, TIE = 1e-8;
/* Velocities that are sums of v and w x lever, relative to the sizes of these. */
static const double SPEED_ROUNDING = 1e-11;
/* Residuals that are found again, relative. */
static const double AGREEMENT = 1e-4;
/* A factor on restitution is the largest that creates no energy, found by bisection to 2^-20: what the next larger one creates
 * more is below this part of the works of the contacts. */
static const double NEXT_FACTOR = 1e-3;

/* A contact in its frame. Rows N, T1, T2 (planar N, T), then those of rolling, then spinning. */
typedef struct framed {
  int forces, moments, rows;
  thud_vec3 along[3], about[3];
  int discs, disc_start[MOST_DISCS + 1];
  double radius[MOST_DISCS]; /* mu, rolling, spinning */
  double W;                  /* mean of the diagonal of the force rows */
  double r[MOST_ROWS], left[MOST_ROWS], free[MOST_ROWS], after[MOST_ROWS];
  double speed; /* size of the velocities that meet here */
  double stray; /* impulse along an axis without friction */
} framed;

/* ---- frames ------------------------------------------------------------------------------------------------------------ */

static void add_disc(framed *f, int rows, double radius) {
  f->radius[f->discs++] = radius;
  f->rows += rows;
  f->disc_start[f->discs] = f->rows;
}

static thud_mat3 find_rows(const verify_body_step *step, const verify_body_contact *c, framed *f) {
  const verify_bodies *bodies = step->bodies;
  double most = fmax(c->mu, c->mu_across), s1 = most > 0 ? c->mu / most : 1, s2 = most > 0 ? c->mu_across / most : 1;
  thud_mat3 E = thud_mat3_frame(c->normal);
  if (step->row->directed) {
    E.cy = c->tangent;
    E.cz = thud_vec3_cross(c->normal, c->tangent);
  }
  thud_vec3 z = thud_vec3_make(0, 0, 1);
  if (bodies->planar) E = thud_mat3_columns(c->normal, thud_vec3_cross(z, c->normal), z);
  *f = (framed){.forces = bodies->planar ? 2 : 3, .rows = 1, .disc_start = {1}};
  f->along[0] = c->normal;
  f->along[1] = thud_vec3_scale(s1, E.cy);
  f->along[2] = thud_vec3_scale(s2, E.cz);
  add_disc(f, f->forces - 1, most);
  if (bodies->rolling && bodies->planar) {
    f->about[f->moments++] = z;
    add_disc(f, 1, c->rolling);
  } else if (bodies->rolling) {
    f->about[f->moments++] = E.cy;
    f->about[f->moments++] = E.cz;
    add_disc(f, 2, c->rolling);
  }
  if (bodies->spinning && !bodies->planar) {
    f->about[f->moments++] = c->normal;
    add_disc(f, 1, c->spinning);
  }
  return E;
}

static void along_rows(const framed *f, thud_vec3 slip, thud_vec3 roll, double *u) {
  for (int i = 0; i < f->forces; i++) u[i] = thud_vec3_dot(f->along[i], slip);
  for (int i = 0; i < f->moments; i++) u[f->forces + i] = thud_vec3_dot(f->about[i], roll);
}

/* Relative velocities of two states of the bodies; poses at the midpoint. */
static void velocities(const verify_body_contact *c, const framed *f, const verify_body_state *a,
                       const verify_body_state *b, double *u) {
  along_rows(f, thud_vec3_subtract(verify_velocity_at(a, c->point), verify_velocity_at(b, c->point)),
             thud_vec3_subtract(a->w, b->w), u);
}

/* What a body adds to the diagonal of W. */
static double diagonal(const verify_body_step *step, size_t body, const framed *f, thud_vec3 lever) {
  double sum = 0;
  if (!step->moves[body]) return 0;
  for (int i = 0; i < f->forces; i++) {
    thud_vec3 m = thud_vec3_cross(lever, f->along[i]);
    if (step->implicit[body].soft) {
      sum += thud_verify_implicit_diagonal(step, body, f->along[i], m);
      continue;
    }
    sum += thud_vec3_dot(f->along[i], f->along[i]) / step->bodies->body[body].mass;
    sum += thud_vec3_dot(m, thud_mat3_apply(step->inverse[body], m));
  }
  return sum / f->forces;
}

static double speed_of(const verify_body_state *state, const verify_body_state *left, thud_vec3 point) {
  double far = thud_vec3_norm(point) + thud_vec3_norm(state->x);
  return thud_vec3_norm(state->v) + thud_vec3_norm(left->v) +
         far * (thud_vec3_norm(state->w) + thud_vec3_norm(left->w));
}

static void find_framed(const verify_body_step *step, const verify_body_contact *c, framed *f) {
  thud_mat3 E = find_rows(step, c, f);
  verify_drive drive = thud_verify_body_drive(step, c);
  verify_body_state left_a = step->middle[c->a], left_b = drive.before;
  verify_body_state after_a = step->after[c->a], after_b = drive.after;
  left_a.x = after_a.x = thud_verify_centre_at(step, c->a, c->ahead);
  if (!drive.carries) left_b.x = after_b.x = thud_verify_centre_at(step, c->b, c->ahead);
  verify_body_state free_a = left_a, free_b = drive.carries ? after_b : left_b;
  free_a.v = step->v_free[c->a];
  free_a.w = step->w_free[c->a];
  if (!drive.carries) {
    free_b.v = step->v_free[c->b];
    free_b.w = step->w_free[c->b];
  }
  velocities(c, f, &left_a, &left_b, f->left);
  velocities(c, f, &after_a, &after_b, f->after);
  velocities(c, f, &free_a, &free_b, f->free);
  for (int i = 0; i < f->forces; i++) {
    double scale = thud_vec3_dot(f->along[i], f->along[i]); /* r' = r/s of a row that was multiplied by s */
    f->r[i] = scale > 0 ? thud_vec3_dot(f->along[i], c->impulse) / scale : 0;
    if (!(scale > 0)) f->stray = thud_vec3_dot(i == 1 ? E.cy : E.cz, c->impulse);
  }
  for (int i = 0; i < f->moments; i++) f->r[f->forces + i] = thud_vec3_dot(f->about[i], c->moment);
  f->W = diagonal(step, c->a, f, thud_vec3_subtract(c->point, left_a.x)) +
         diagonal(step, c->b, f, thud_vec3_subtract(c->point, left_b.x));
  f->speed = speed_of(&step->after[c->a], &free_a, c->point) + speed_of(&step->after[c->b], &free_b, c->point);
}

/* ---- the cone ------------------------------------------------------------------------------------------------------------ */

/* Half of the slope at h of (h - n)^2 + sum max(|x_j| - radius_j h, 0)^2, the square of the distance to the cone's slice
 * at that height. */
static double slope_at(const framed *f, double n, const double *size, double h) {
  double sum = h - n;
  for (int j = 0; j < f->discs; j++) sum -= f->radius[j] * fmax(size[j] - f->radius[j] * h, 0);
  return sum;
}

/* Onto { x_0 >= 0, |x_j| <= radius_j x_0 }: the slope is increasing and piecewise linear; the root of the piece of every
 * set of discs that bind is tried, and the one where the slope itself vanishes is taken. */
static void project(const framed *f, double *x) {
  double size[MOST_DISCS] = {0}, height = 0, least = INFINITY;
  for (int j = 0; j < f->discs; j++) {
    for (int i = f->disc_start[j]; i < f->disc_start[j + 1]; i++) size[j] += x[i] * x[i];
    size[j] = sqrt(size[j]);
  }
  bool inside = slope_at(f, x[0], size, 0) < 0;
  for (int set = 0; inside && set < 1 << f->discs; set++) {
    double above = x[0], below = 1;
    for (int j = 0; j < f->discs; j++)
      if (set >> j & 1) {
        above += f->radius[j] * size[j];
        below += f->radius[j] * f->radius[j];
      }
    double found = fmax(above / below, 0), slope = fabs(slope_at(f, x[0], size, found));
    if (slope < least) {
      least = slope;
      height = found;
    }
  }
  for (int j = 0; j < f->discs; j++) {
    double most = f->radius[j] * height, factor = size[j] > most ? most / size[j] : 1;
    for (int i = f->disc_start[j]; i < f->disc_start[j + 1]; i++) x[i] *= factor;
  }
  x[0] = height;
}

/* Square of W |r - proj(r - u~/W)|, the threshold being in u_N. The field's usual figure has W = 1. */
static double natural_map(const framed *f, double threshold, double W) {
  double x[MOST_ROWS] = {0}, shift = threshold, sum = f->stray * f->stray, rho = 1 / W;
  for (int j = 0; j < f->discs; j++) {
    double size = 0;
    for (int i = f->disc_start[j]; i < f->disc_start[j + 1]; i++) size += f->after[i] * f->after[i];
    shift += f->radius[j] * sqrt(size);
  }
  for (int i = 0; i < f->rows; i++) x[i] = f->r[i] - rho * (f->after[i] + (i == 0 ? shift : 0));
  project(f, x);
  for (int i = 0; i < f->rows; i++) sum += (f->r[i] - x[i]) * (f->r[i] - x[i]);
  return sum * W * W;
}

/* ---- what the scene says of the contact ------------------------------------------------------------------------------------ */

double thud_verify_impact_velocity(const verify_body_step *step) {
  double given = step->bodies->options.impact_velocity;
  return given > 0 ? given : 2 * step->row->step * thud_vec3_norm(step->bodies->gravity);
}

static bool differs(double a, double b) { return !(fabs(a - b) <= 4 * DBL_EPSILON * fabs(b)); }

/* Directions of friction are unit vectors in the plane of contact. They come from an axis that may be within 2e-6 of the normal
 * (below): its rounding is 2^-52/2e-6 = 1.1e-10 of its part in the plane. */
static void check_tangent(const verify_body_step *step, const verify_body_contact *c, thud_verify_check *check) {
  const verify_body_row *row = step->row;
  if (!row->directed || step->bodies->planar) return;
  if (!(fabs(thud_vec3_norm(c->tangent) - 1) <= 16 * DBL_EPSILON) ||
      !(fabs(thud_vec3_dot(c->tangent, c->normal)) <= 1e-9))
    thud_verify_fail(check, row->t, row->number, "the tangent of '%s' and '%s' is no direction in the plane of contact",
                     step->bodies->body[c->a].name, step->bodies->body[c->b].name);
}

static void check_coefficients(const verify_body_step *step, const verify_body_contact *c, const framed *f,
                               thud_verify_check *check) {
  const verify_bodies *bodies = step->bodies;
  const verify_body_row *row = step->row;
  const char *a = bodies->body[c->a].name, *b = bodies->body[c->b].name;
  size_t axis_body;
  verify_contact_law law = thud_verify_bodies_law(bodies, c->part_a, c->part_b, &axis_body);
  double across = law.mu_across < 0 ? law.mu : law.mu_across;
  if (differs(c->mu, law.mu) || differs(c->mu_across, across) || differs(c->rolling, law.rolling) ||
      differs(c->spinning, law.spinning))
    thud_verify_fail(check, row->t, row->number, "the friction between '%s' and '%s' is not that of their materials", a,
                     b);
  double limit = thud_verify_impact_velocity(step), approach = -f->left[0], blur = SPEED_ROUNDING * f->speed;
  bool rebounds = !differs(c->e, law.restitution), rests = c->e == 0;
  if (!(rebounds && approach >= limit - blur) && !(rests && (approach <= limit + blur || law.restitution == 0)))
    thud_verify_fail(check, row->t, row->number,
                     "'%s' and '%s' approach at %.6g with restitution %.6g, their materials have %.6g", a, b, approach,
                     c->e, law.restitution);
  if (!(c->factor >= 0 && c->factor <= 1))
    thud_verify_fail(check, row->t, row->number, "the factor %g on a restitution is not between 0 and 1", c->factor);
  if (law.mu_across < 0 || bodies->planar || !row->directed) return;
  thud_vec3 axis = thud_quat_rotate(step->middle[axis_body].q, law.axis), t;
  thud_vec3 along = thud_vec3_add_scaled(axis, -thud_vec3_dot(axis, c->normal), c->normal);
  /* an axis along the normal, up to 1e-6, has no direction in the plane of contact */
  bool has = thud_vec3_normalise(along, &t) && thud_vec3_norm(along) > 2e-6;
  if (has && !(thud_vec3_distance(t, c->tangent) <= 1e-9))
    thud_verify_fail(check, row->t, row->number, "friction between '%s' and '%s' does not follow the axis", a, b);
}

/* The largest gap that counts as closed. */
static double closed_gap(const verify_body_step *step, const verify_body_contact *c) {
  thud_vec3 on_a = thud_vec3_add_scaled(c->point, 0.5 * c->gap, c->normal);
  thud_vec3 on_b = thud_vec3_add_scaled(c->point, -0.5 * c->gap, c->normal);
  double size = fmax(thud_vec3_norm(on_a), thud_vec3_distance(on_a, step->middle[c->a].x));
  if (step->bodies->body[c->b].role == VERIFY_DYNAMIC)
    size = fmax(size, thud_vec3_distance(on_b, step->middle[c->b].x));
  return CLOSED * size;
}

/* What the law adds to u_N: of two readings of a gap that is rounding the one that fits. */
static double threshold_of(const verify_body_step *step, const verify_body_contact *c, const framed *f) {
  if (c->ahead != 0) { /* at the time of contact, with a = (u_free - u-)/h: u+ + s a = -e (u- + s a), at least 0 */
    double change = thud_verify_time_part(step, c) * (f->free[0] - f->left[0]);
    return fmin(change + c->e * c->factor * fmin(f->left[0] + change, 0), 0);
  }
  if (c->e > 0) return c->e * c->factor * f->left[0];
  double open = c->gap / step->row->step, closed = closed_gap(step, c);
  if (c->gap <= (1 - TIE) * closed) return 0;
  if (c->gap > (1 + TIE) * closed) return open;
  return natural_map(f, 0, f->W) <= natural_map(f, open, f->W) ? 0 : open;
}

/* The slip of points of contact that wander. */
static void add_wander(framed *f, const verify_bend *bend, double sign) {
  for (int i = 1; i < f->forces; i++) {
    double part = sign * thud_vec3_dot(f->along[i], bend->wander);
    f->after[i] += part;
    f->free[i] += part;
  }
}

/* Where the second body carries the first, friction of a slip s- that is larger than d opposes v+ relative to the carrier in the
 * middle of the step: u_T + (1 - |d|/|s-|) d, d half of what the carrier's velocity changes by over the step. */
static void add_slide(const verify_body_step *step, const verify_body_contact *c, framed *f) {
  verify_drive drive = thud_verify_body_drive(step, c);
  double d[MOST_ROWS] = {0}, size = 0, slip = 0;
  if (!drive.carries || c->e > 0) return;
  velocities(c, f, &drive.after, &drive.before, d);
  for (int i = 1; i < f->forces; i++) {
    size += 0.25 * d[i] * d[i];
    slip += f->left[i] * f->left[i];
  }
  if (!(slip > size)) return;
  double share = 0.5 * (1 - sqrt(size / slip));
  for (int i = 1; i < f->forces; i++) {
    f->after[i] += share * d[i];
    f->free[i] += share * d[i];
  }
}

/* The threshold of contact k, with the wander of its point in the velocities of f; where rounding decides whether it wanders,
 * what fits. *blur: what rounding makes of that. */
static double law_at(const verify_body_step *step, size_t k, framed *f, double *blur) {
  const verify_body_contact *c = &step->row->contact[k];
  add_slide(step, c, f);
  double plain = threshold_of(step, c, f);
  verify_bend bend = thud_verify_body_bend(step, k, closed_gap(step, c), TIE);
  *blur = 0;
  if (bend.kind == VERIFY_BEND_NONE || c->ahead != 0) return plain;
  double without = natural_map(f, plain, f->W);
  add_wander(f, &bend, 1);
  double gap = threshold_of(step, c, f) * step->row->step + bend.gap;
  double threshold = fmax(gap / step->row->step, fmin(f->left[0], 0));
  if (bend.kind == VERIFY_BEND_POSSIBLE && without < natural_map(f, threshold, f->W)) {
    add_wander(f, &bend, -1);
    return plain;
  }
  *blur = bend.blur;
  return threshold;
}

/* ---- energy -------------------------------------------------------------------------------------------------------------- */

verify_loss thud_verify_contact_loss(const verify_body_step *step, size_t k) {
  const verify_body_contact *c = &step->row->contact[k];
  framed f;
  find_framed(step, c, &f);
  double limit = thud_verify_impact_velocity(step);
  verify_loss loss = {.approach = -f.left[0], .speed = f.speed, .impact = -f.left[0] > limit};
  loss.unsure = fabs(loss.approach - limit) <= (SPEED_ROUNDING + step->blur[c->a] + step->blur[c->b]) * f.speed;
  for (int i = 0; i < f.rows; i++) {
    double change = c->ahead / step->row->step * (f.free[i] - f.left[i]); /* what forces do until the midpoint */
    double part = -f.r[i] * (0.5 * (f.after[i] + f.left[i]) + change);
    if (i == 0)
      loss.normal = part;
    else
      loss.rest += part;
    loss.size += fabs(f.r[i]) * f.speed;
  }
  return loss;
}

/* Laws of multiple impacts say more than can be asked of one contact; what holds for each of them: impulses of the cone, at
 * closed contacts only, after which nothing approaches there. */
static double struck_error(const verify_body_step *step, const verify_body_contact *c, const framed *f) {
  double x[MOST_ROWS] = {0}, sum = 0;
  bool closed = closed_gap(step, c) >= (1 - TIE) * c->gap;
  for (int i = 0; i < f->rows; i++) x[i] = closed ? f->r[i] : 0;
  project(f, x);
  for (int i = 0; i < f->rows; i++) sum += f->W * f->W * (f->r[i] - x[i]) * (f->r[i] - x[i]);
  return sum + (closed && f->after[0] < 0 ? f->after[0] * f->after[0] : 0);
}

/* ---- islands ----------------------------------------------------------------------------------------------------------------- */

typedef struct island {
  double error, scale, noise, worst; /* squares; noise: of what rounding makes of the velocities */
  bool rebounds;                     /* some restitution acts */
  bool struck;                       /* by a law of impacts other than Newton's */
  bool driven;                       /* touches a body on a path, whose work is no gain */
  double factor;                     /* of its first contact */
  double of_free, of_left, works; /* energy that the impulses give to the free motion, to that before; of their terms */
  double energy;                  /* kinetic, before the impulses */
  size_t contacts, worst_contact;
} island;

/* Of all contacts of the step together; squares. */
typedef struct whole_step {
  double usual, scale, noise;
} whole_step;

static size_t root_of(size_t *parent, size_t i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

static void join(const verify_body_step *step, size_t *parent) {
  for (size_t i = 0; i < step->bodies->count; i++) parent[i] = i;
  for (size_t k = 0; k < step->row->contact_count; k++) {
    const verify_body_contact *c = &step->row->contact[k];
    if (step->moves[c->a] && step->moves[c->b]) parent[root_of(parent, c->a)] = root_of(parent, c->b);
  }
  for (size_t r = 0; r < step->link_count; r++) {
    const verify_link *link = &step->link[r];
    if (link->a != SIZE_MAX && link->b != SIZE_MAX) parent[root_of(parent, link->a)] = root_of(parent, link->b);
  }
  for (size_t k = 0; k < step->bodies->joint_count; k++) {
    const verify_joint *joint = &step->bodies->joint[k];
    if (joint->b == SIZE_MAX || !verify_joint_holds(step->bodies, joint)) continue;
    if (step->moves[joint->a] && step->moves[joint->b]) parent[root_of(parent, joint->a)] = root_of(parent, joint->b);
  }
}

/* Islands in which something strikes, where the law of impacts is not Newton's. */
static void find_struck(const verify_body_step *step, size_t *parent, island *islands) {
  for (size_t k = 0; k < step->row->contact_count && !step->bodies->options.newton; k++) {
    const verify_body_contact *c = &step->row->contact[k];
    verify_loss loss = thud_verify_contact_loss(step, k);
    if (loss.impact || loss.unsure) islands[root_of(parent, step->moves[c->a] ? c->a : c->b)].struck = true;
  }
}

static double sum_of_squares(int n, const double *x) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * x[i];
  return sum;
}

/* part: s/h of a contact with a time of its own, where forces have changed the velocities by this part of what they do. */
static void add_works(const framed *f, double part, island *here) {
  for (int i = 0; i < f->rows; i++) {
    double change = part * (f->free[i] - f->left[i]);
    here->of_free += f->r[i] * (0.5 * (f->after[i] + f->free[i]) + change);
    here->of_left += f->r[i] * (0.5 * (f->after[i] + f->left[i]) + change);
    here->works += fabs(f->r[i]) * (fabs(f->after[i]) + fabs(f->free[i]) + fabs(f->left[i]));
  }
}

static void add_energies(const verify_body_step *step, size_t *parent, island *islands) {
  for (size_t i = 0; i < step->bodies->count; i++) {
    const verify_rigid *body = &step->bodies->body[i];
    if (!step->moves[i]) continue;
    thud_vec3 v = step->middle[i].v, w = thud_quat_rotate_inverse(step->middle[i].q, step->middle[i].w);
    islands[root_of(parent, i)].energy +=
        0.5 * body->mass * thud_vec3_dot(v, v) + 0.5 * thud_vec3_dot(w, thud_mat3_apply(body->inertia, w));
  }
}

/* Restitution creates no energy unless the scene allows it, and is reduced only where it would: up to the factor at which the
 * impulses neither give energy to the motion before them nor take some. What they give to the free motion is another
 * amount, by what forces do in the step; it is asked about only where impulses gain energy without any restitution. */
static void check_gain(const verify_body_step *step, const island *here, double tolerance, thud_verify_check *law) {
  const verify_bodies_options *options = &step->bodies->options;
  const verify_body_row *row = step->row;
  double gain = fmin(here->of_free, here->of_left);
  if (!here->rebounds || here->struck) return;
  if (here->factor < 1 && !(options->reduces && here->of_left >= -NEXT_FACTOR * here->works))
    thud_verify_fail(law, row->t, row->number, "the factor %g on restitution is smaller than what creates energy",
                     here->factor);
  if (!options->gains && !here->driven && !(gain <= options->energy_tolerance * here->energy + tolerance * here->works))
    thud_verify_fail(law, row->t, row->number, "restitution and friction of an island create the energy %g", gain);
}

static void judge_contact(const verify_body_step *step, size_t k, island *here, double *part_of, whole_step *all,
                          thud_verify_check *law) {
  const verify_body_contact *c = &step->row->contact[k];
  framed f;
  find_framed(step, c, &f);
  check_coefficients(step, c, &f, law);
  check_tangent(step, c, law);
  add_works(&f, thud_verify_time_part(step, c), here);
  double blur, threshold = law_at(step, k, &f, &blur);
  double part = here->struck ? struck_error(step, c, &f) : natural_map(&f, threshold, f.W);
  double rounding = (SPEED_ROUNDING + step->blur[c->a] + step->blur[c->b]) * (f.speed + fabs(threshold)) + blur;
  if (here->contacts++ == 0) here->factor = c->factor;
  here->rebounds = here->rebounds || c->e > 0;
  here->driven = here->driven || step->bodies->body[c->a].role == VERIFY_KINEMATIC ||
                 step->bodies->body[c->b].role == VERIFY_KINEMATIC;
  if (c->factor != here->factor)
    thud_verify_fail(law, step->row->t, step->row->number,
                     "contacts of one island have different factors on restitution");
  f.free[0] += threshold;
  here->scale += f.free[0] < 0 ? sum_of_squares(f.rows, f.free) : 0;
  here->noise += rounding * rounding;
  here->error += part;
  part_of[k] = part;
  all->usual += natural_map(&f, threshold, 1);
  all->scale += sum_of_squares(f.rows, f.free);
  all->noise += rounding * rounding + SPEED_ROUNDING * SPEED_ROUNDING * sum_of_squares(f.rows, f.r);
  if (!(part <= here->worst)) {
    here->worst = part;
    here->worst_contact = k;
  }
}

/* Where nothing is approached r = 0 is the answer, and any velocity beyond rounding is too much. Squares of velocities
 * below 1e-138 have lost digits: these count as 0. */
static double relative(const island *here, double velocity) {
  return velocity > 1e-138 ? velocity / sqrt(here->scale) : 0;
}

/* The island's residual as rows have it; rounding is all there is where nothing is approached. */
static double figure_of(const island *here) { return here->scale > 0 ? relative(here, sqrt(here->error)) : 0; }

/* The row names the bodies of the worst contact: one that is not better than the worst but for rounding. */
static void check_worst(const verify_body_step *step, const island *worst, const double *part_of,
                        thud_verify_check *check) {
  const verify_body_row *row = step->row;
  double named = -1;
  for (size_t k = 0; k < row->contact_count; k++) {
    const verify_body_contact *c = &row->contact[k];
    if ((double)c->a == row->worst[0] && (double)c->b == row->worst[1]) named = fmax(named, part_of[k]);
  }
  bool none = row->worst[0] == -1 && row->worst[1] == -1;
  double floor = worst != NULL ? worst->noise : 0;
  bool good =
      worst == NULL ? none : (named >= 0 && named + floor >= 0.5 * worst->worst) || (none && worst->worst <= floor);
  if (!good)
    thud_verify_fail(check, row->t, row->number, "the worst contact is not between the bodies that the row names");
}

static void check_named(const verify_body_row *row, thud_verify_check *check) {
  bool named = row->worst[0] == -1 && row->worst[1] == -1;
  for (size_t k = 0; k < row->contact_count; k++)
    named = named || ((double)row->contact[k].a == row->worst[0] && (double)row->contact[k].b == row->worst[1]);
  if (!named)
    thud_verify_fail(check, row->t, row->number, "the row names two bodies of a worst contact that do not touch");
}

static void check_usual(const verify_body_row *row, const whole_step *all, thud_verify_check *check) {
  double scale = sqrt(all->scale) > DBL_EPSILON ? sqrt(all->scale) : 1, found = sqrt(all->usual) / scale;
  if (thud_verify_tally(check, fabs(found - row->usual_residual), AGREEMENT * found + sqrt(all->noise) / scale, 0,
                        row->t, row->number))
    thud_verify_explain(check, "the usual figure");
}

static void judge_islands(const verify_body_step *step, const island *islands, const double *part_of,
                          const whole_step *all, double tolerance, thud_verify_check *law,
                          thud_verify_check *residual) {
  const verify_body_row *row = step->row;
  const island *worst = NULL;
  size_t count = 0;
  for (size_t i = 0; i < step->bodies->count; i++) {
    const island *here = &islands[i];
    if (here->contacts == 0) continue;
    const verify_body_contact *c = &row->contact[here->worst_contact];
    count++;
    if (!here->rebounds && here->factor != 1)
      thud_verify_fail(law, row->t, row->number, "an island without restitution has the factor %g on it", here->factor);
    check_gain(step, here, tolerance, law);
    double counted = relative(here, sqrt(here->error) - sqrt(here->noise)); /* below rounding nothing counts */
    if (thud_verify_tally(law, counted, tolerance, 0, row->t, row->number))
      thud_verify_explain(law, "between '%s' and '%s'", step->bodies->body[c->a].name, step->bodies->body[c->b].name);
    if (worst == NULL || figure_of(here) > figure_of(worst)) worst = here;
  }
  bool struck = false;
  for (size_t i = 0; i < step->bodies->count; i++) struck = struck || islands[i].struck;
  if ((double)count != row->islands)
    thud_verify_fail(residual, row->t, row->number, "the contacts form %zu islands, the row says %g", count,
                     row->islands);
  if (struck) { /* the residual of a law of impacts is its own; the row names two bodies that touch, or none */
    check_named(row, residual);
    return;
  }
  double found = worst != NULL ? figure_of(worst) : 0;
  double blur = worst != NULL && worst->scale > 0 ? relative(worst, sqrt(worst->noise)) : tolerance;
  thud_verify_tally(residual, fabs(found - row->residual), AGREEMENT * found + blur, 0, row->t, row->number);
  check_usual(row, all, residual);
  check_worst(step, worst, part_of, residual);
}

/* Bodies at rest are held up to the tolerance of their island. */
static void find_held(const verify_body_step *step, size_t *parent, const island *islands, double tolerance) {
  for (size_t i = 0; i < step->bodies->count; i++) {
    const island *here = &islands[root_of(parent, i)];
    if (step->rests[i]) step->held[i] = fmax(tolerance * sqrt(here->scale), sqrt(here->noise));
  }
}

thud_error thud_verify_body_law(thud_context *context, const verify_body_step *step, double tolerance,
                                thud_verify_check *law, thud_verify_check *residual) {
  size_t n = step->bodies->count;
  size_t *parent = THUD_NEW_ARRAY(context, size_t, n);
  island *islands = THUD_NEW_ARRAY(context, island, n);
  double *part_of = THUD_NEW_ARRAY(context, double, step->row->contact_count);
  whole_step all = {0, 0, 0};
  thud_error error = parent != NULL && islands != NULL && part_of != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  if (error == THUD_OK) {
    join(step, parent);
    find_struck(step, parent, islands);
    add_energies(step, parent, islands);
  }
  for (size_t k = 0; error == THUD_OK && k < step->row->contact_count; k++) {
    const verify_body_contact *c = &step->row->contact[k];
    size_t moving = step->moves[c->a] ? c->a : c->b;
    if (!step->moves[moving])
      thud_verify_fail(law, step->row->t, step->row->number, "none of '%s' and '%s' moves, and they have a contact",
                       step->bodies->body[c->a].name, step->bodies->body[c->b].name);
    else
      judge_contact(step, k, &islands[root_of(parent, moving)], part_of, &all, law);
  }
  for (size_t k = 0; error == THUD_OK && k < step->bodies->joint_count; k++) {
    const verify_joint *joint = &step->bodies->joint[k];
    if (joint->law_count == 0 || !verify_joint_holds(step->bodies, joint)) continue;
    islands[root_of(parent, step->moves[joint->a] ? joint->a : joint->b)].scale += thud_verify_law_speed(step, k);
  }
  if (error == THUD_OK) find_held(step, parent, islands, tolerance);
  if (error == THUD_OK) judge_islands(step, islands, part_of, &all, tolerance, law, residual);
  thud_free(context, parent);
  thud_free(context, islands);
  thud_free(context, part_of);
  return error;
}
