/* What one step of an engine did. */
#include "bodies_judge.h"

#include <math.h>
#include <string.h>

static double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void cross(const double *a, const double *b, double *c) {
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}

/* Velocity of a's point relative to b's; h: with the velocity that gravity adds in a step of length h. */
static void relative_velocity(const bench_scene *scene, const bench_state *states, const bench_contact *contact,
                              double h, double *u) {
  const bench_state *a = &states[contact->a];
  cross(a->spin, contact->arm_a, u);
  for (int i = 0; i < 3; i++) u[i] += a->velocity[i];
  if (contact->b < 0) {
    u[scene->planar ? 1 : 2] -= h * scene->gravity;
    return;
  }
  const bench_state *b = &states[contact->b];
  double v[3];
  cross(b->spin, contact->arm_b, v);
  for (int i = 0; i < 3; i++) u[i] -= v[i] + b->velocity[i];
}

/* Mean of the diagonal of 1/m + [arm]' [arm] / I over the directions that a contact has. */
static double own_inverse_mass(const bench_scene *scene, const bench_contact *contact) {
  double turning = dot(contact->arm_a, contact->arm_a), bodies = contact->b < 0 ? 1 : 2;
  if (contact->b >= 0) turning += dot(contact->arm_b, contact->arm_b);
  /* the trace of [arm]'[arm] is 2 |arm|^2 over three directions, |arm|^2 over the two of the plane */
  return bodies / scene->mass + (scene->planar ? 0.5 : 2. / 3) * turning / scene->inertia;
}

/* Normal part, and the tangential vector. */
static double split(const double *normal, const double *vector, double *tangential) {
  double along = dot(normal, vector);
  for (int i = 0; i < 3; i++) tangential[i] = vector[i] - along * normal[i];
  return along;
}

/* Square of |r - proj_K(r - s)|, s already a force: normal and tangential parts apart. K: |x_T| <= mu x_N. */
static double defect_of(double mu, double r_n, const double *r_t, double s_n, const double *s_t) {
  double x_n = r_n - s_n, x_t[3], size, part, sum;
  for (int i = 0; i < 3; i++) x_t[i] = r_t[i] - s_t[i];
  size = sqrt(dot(x_t, x_t));
  if (size > mu * x_n) {
    if (mu * size <= -x_n) {
      x_n = 0;
      part = 0;
    } else {
      x_n = (x_n + mu * size) / (1 + mu * mu);
      part = mu * x_n / size;
    }
    for (int i = 0; i < 3; i++) x_t[i] *= part;
  }
  sum = (r_n - x_n) * (r_n - x_n);
  for (int i = 0; i < 3; i++) sum += (r_t[i] - x_t[i]) * (r_t[i] - x_t[i]);
  return sum;
}

static double natural_map(const bench_scene *scene, const bench_contact *contact, const double *u, double bias) {
  double r_t[3], u_t[3], W = own_inverse_mass(scene, contact), mu = scene->friction;
  double r_n = split(contact->normal, contact->impulse, r_t), u_n = split(contact->normal, u, u_t) - bias;
  double s_n = (u_n + mu * sqrt(dot(u_t, u_t))) / W;
  for (int i = 0; i < 3; i++) u_t[i] /= W;
  return W * W * defect_of(mu, r_n, r_t, s_n, u_t);
}

static void judge_contacts(const bench_scene *scene, const bench_state *before, const bench_state *after,
                           size_t contact_count, const bench_contact *contacts, bench_verdict *verdict) {
  double own = 0, strict = 0, scale = 0, most = 0, excess = 0;
  for (size_t k = 0; k < contact_count; k++) {
    const bench_contact *contact = &contacts[k];
    double u[3], free[3], r_t[3], r_n = split(contact->normal, contact->impulse, r_t);
    relative_velocity(scene, after, contact, 0, u);
    relative_velocity(scene, before, contact, scene->step, free);
    own += natural_map(scene, contact, u, contact->bias);
    strict += natural_map(scene, contact, u, fmin(contact->bias, 0));
    scale += dot(free, free);
    most = fmax(most, r_n);
    excess = fmax(excess, sqrt(dot(r_t, r_t)) - scene->friction * r_n);
  }
  verdict->residual = scale > 0 ? sqrt(own / scale) : 0;
  verdict->strict = scale > 0 ? sqrt(strict / scale) : 0;
  verdict->excess = most > 0 ? excess / most : 0;
}

/* Impulse and its moment about the centre, taken off what the body gained. */
static void take_off(double *gained, double sign, const double *arm, const double *impulse) {
  double moment[3];
  cross(arm, impulse, moment);
  for (int i = 0; i < 3; i++) {
    gained[i] -= sign * impulse[i];
    gained[3 + i] -= sign * moment[i];
  }
}

static double momentum_defect(const bench_scene *scene, const bench_state *before, const bench_state *after,
                              size_t contact_count, const bench_contact *contacts, double *gained) {
  double m = scene->mass, weight = scene->step * m * scene->gravity, sum = 0, radius2 = scene->inertia / m;
  for (size_t k = 0; k < scene->count; k++) {
    for (int i = 0; i < 3; i++) {
      gained[6 * k + (size_t)i] = m * (after[k].velocity[i] - before[k].velocity[i]);
      gained[6 * k + 3 + (size_t)i] = scene->inertia * (after[k].spin[i] - before[k].spin[i]);
    }
    gained[6 * k + (scene->planar ? 1 : 2)] += weight;
  }
  for (size_t k = 0; k < contact_count; k++) {
    const bench_contact *contact = &contacts[k];
    take_off(gained + 6 * contact->a, 1, contact->arm_a, contact->impulse);
    if (contact->b >= 0) take_off(gained + 6 * contact->b, -1, contact->arm_b, contact->impulse);
  }
  for (size_t k = 0; k < scene->count; k++)
    sum += dot(gained + 6 * k, gained + 6 * k) + dot(gained + 6 * k + 3, gained + 6 * k + 3) / radius2;
  return sqrt(sum / (double)scene->count) / weight;
}

void bench_judge_step(const bench_scene *scene, const bench_state *before, const bench_state *after,
                      size_t contact_count, const bench_contact *contacts, double *scratch, bench_verdict *verdict) {
  double squares = 0, energy = 0;
  judge_contacts(scene, before, after, contact_count, contacts, verdict);
  verdict->momentum = momentum_defect(scene, before, after, contact_count, contacts, scratch);
  for (size_t k = 0; k < scene->count; k++) {
    double v2 = dot(after[k].velocity, after[k].velocity);
    squares += v2;
    energy += 0.5 * (scene->mass * v2 + scene->inertia * dot(after[k].spin, after[k].spin)) +
              scene->mass * scene->gravity * after[k].position[scene->planar ? 1 : 2];
  }
  verdict->speed = sqrt(squares / (double)scene->count);
  verdict->energy = energy;
}
