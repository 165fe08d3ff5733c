/* Matrix-free sweeps over bodies of at most 6 degrees of freedom.
 *
 * With a factor F of each inverse mass, M^-1 = F F', and G = J F, the motion is kept as z (v = v_free + F z):
 *   u = q + G_a z_a + G_b z_b,   q = J v_free + w,   an impulse dr changes z_a by G_a' dr and z_b by G_b' dr,
 * so that one array G per side serves both directions and no mass is read in the sweep. One visit streams, for d = 3
 * and blocks of 6: G 288 bytes, prepared 3x3 block 80, q and r 24 each (r is also written), body indices 8; the two z
 * (64 bytes each, aligned to cache lines) are reused by the other contacts of the body. Everything lies in the order of
 * visits. */
#include "solve/sweep.h"
#include "solve/exact_space.h"
#include "solve/semidefinite.h"

#include <math.h>
#include <string.h>

enum { CHUNK = 512, STRIDE = THUD_SWEEP_STRIDE }; /* visits per task; doubles per body in z */

struct thud_two_block_sweep {
  thud_context *context;
  size_t d, n, contacts, bodies;
  thud_contact_discs discs; /* of the problem */
  bool laws;
  /* by visit */
  thud_index *order;         /* contact of each visit */
  thud_index *body;          /* [2*contacts] -1: the world, or a body that never moves */
  double *G;                 /* [contacts*2*d*n] G_a, G_b row-major */
  double *q, *r;             /* [contacts*d] */
  double *W;                 /* [contacts*d*d] diagonal blocks, NULL in space */
  thud_space_block *space;   /* [contacts] in space, for the exact solver */
  thud_one_contact *contact; /* [contacts] for the other solvers */
  double *mu;                /* [contacts*discs] their coefficients */
  /* by body */
  double *F;            /* [bodies*n*n] row-major */
  double *z, *z_memory; /* [bodies*STRIDE] aligned to 64 bytes */
  /* colours */
  uint64_t *used;     /* [bodies] scratch */
  thud_index *colour; /* [contacts] scratch */
  thud_index *moving; /* [2*contacts] scratch: bodies of each contact in the order given */
  thud_index start[THUD_COLOURS_MAX + 2], colours;
  thud_sweep_result *partial; /* [tasks of the largest colour] */
  thud_joint_sweep *joints;   /* NULL: there are none */
  /* of the sweep under way */
  const thud_gauss_seidel_options *options;
  size_t first, end;
};

/* ---- create, destroy ------------------------------------------------------------------------------------ */

thud_error thud_two_block_sweep_create(thud_context *context, const thud_contact_problem *problem,
                                       thud_two_block_sweep **sweep) {
  thud_two_block_sweep *made = THUD_NEW(context, thud_two_block_sweep);
  if (made == NULL) return THUD_ERROR_MEMORY;
  size_t d = (size_t)problem->dimension, n = (size_t)problem->two_block.block;
  size_t contacts = (size_t)problem->contacts, bodies = (size_t)problem->two_block.bodies;
  made->context = context;
  made->d = d;
  made->n = n;
  made->contacts = contacts;
  made->bodies = bodies;
  made->discs = thud_contact_discs_of(problem);
  bool space = thud_disc_layout_is_space(made->discs.layout);
  made->order = THUD_NEW_ARRAY(context, thud_index, contacts);
  made->body = THUD_NEW_ARRAY(context, thud_index, 2 * contacts);
  made->G = THUD_NEW_ARRAY(context, double, contacts * 2 * d * n);
  made->q = THUD_NEW_ARRAY(context, double, contacts *d);
  made->r = THUD_NEW_ARRAY(context, double, contacts *d);
  made->W = THUD_NEW_ARRAY(context, double, contacts *d *d);
  made->space = THUD_NEW_ARRAY(context, thud_space_block, space ? contacts : 0);
  made->mu = THUD_NEW_ARRAY(context, double, contacts * made->discs.layout->count);
  made->contact = THUD_NEW_ARRAY(context, thud_one_contact, contacts);
  made->F = THUD_NEW_ARRAY(context, double, bodies *n *n);
  made->z_memory = THUD_NEW_ARRAY(context, double, (bodies + 1) * STRIDE);
  made->used = THUD_NEW_ARRAY(context, uint64_t, bodies);
  made->colour = THUD_NEW_ARRAY(context, thud_index, contacts);
  made->moving = THUD_NEW_ARRAY(context, thud_index, 2 * contacts);
  made->partial = THUD_NEW_ARRAY(context, thud_sweep_result, contacts / CHUNK + 1);
  if (made->order == NULL || made->body == NULL || made->G == NULL || made->q == NULL || made->r == NULL ||
      made->W == NULL || made->space == NULL || made->contact == NULL || made->F == NULL || made->z_memory == NULL ||
      made->used == NULL || made->colour == NULL || made->moving == NULL || made->partial == NULL || made->mu == NULL) {
    thud_two_block_sweep_destroy(made);
    return THUD_ERROR_MEMORY;
  }
  if (problem->two_block.joints > 0) {
    thud_error error = thud_joint_sweep_create(context, problem, &made->joints);
    if (error != THUD_OK) {
      thud_two_block_sweep_destroy(made);
      return error;
    }
  }
  size_t past = (uintptr_t)made->z_memory % 64;
  made->z = made->z_memory + (past == 0 ? 0 : (64 - past) / sizeof(double));
  *sweep = made;
  return THUD_OK;
}

void thud_two_block_sweep_destroy(thud_two_block_sweep *sweep) {
  if (sweep == NULL) return;
  thud_context *context = sweep->context;
  void *arrays[] = {sweep->order, sweep->body,   sweep->G,       sweep->q,       sweep->r,
                    sweep->W,     sweep->space,  sweep->contact, sweep->F,       sweep->z_memory,
                    sweep->used,  sweep->colour, sweep->moving,  sweep->partial, sweep->mu};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(context, arrays[k]);
  thud_joint_sweep_destroy(sweep->joints);
  thud_free(context, sweep);
}

/* ---- update ------------------------------------------------------------------------------------------------ */

static bool all_zero(size_t n, const double *x) {
  for (size_t i = 0; i < n; i++)
    if (x[i] != 0) return false;
  return true;
}

/* G = J F, and q += J v_free, for one side of a contact. */
static void project_side(const thud_two_block_sweep *sweep, const thud_two_block *bodies, thud_index body,
                         const double *J, double *G, double *q) {
  size_t d = sweep->d, n = sweep->n;
  const double *F = sweep->F + (size_t)body * n * n, *v = bodies->free_velocity + (size_t)body * n;
  for (size_t i = 0; i < d; i++) {
    for (size_t j = 0; j < n; j++) {
      double sum = 0;
      for (size_t k = j; k < n; k++) sum += J[i * n + k] * F[k * n + j];
      G[i * n + j] = sum;
      q[i] += J[i * n + j] * v[j];
    }
  }
}

/* W = G_a G_a' + G_b G_b' */
static void diagonal_block(size_t d, size_t n, const double *G, double *W) {
  for (size_t i = 0; i < d; i++)
    for (size_t j = 0; j <= i; j++) {
      double sum = 0;
      for (size_t k = 0; k < n; k++) sum += G[i * n + k] * G[j * n + k] + G[(d + i) * n + k] * G[(d + j) * n + k];
      W[j * d + i] = W[i * d + j] = sum;
    }
}

static void prepare_visit(thud_two_block_sweep *sweep, const thud_contact_problem *problem, size_t visit) {
  const thud_two_block *bodies = &problem->two_block;
  size_t d = sweep->d, n = sweep->n, k = (size_t)sweep->order[visit];
  double *G = sweep->G + visit * 2 * d * n, *q = sweep->q + visit * d;
  sweep->body[2 * visit] = sweep->moving[k];
  sweep->body[2 * visit + 1] = sweep->moving[sweep->contacts + k];
  for (size_t i = 0; i < d; i++) q[i] = bodies->w != NULL ? bodies->w[k * d + i] : 0;
  memset(G, 0, 2 * d * n * sizeof(double));
  if (bodies->body_a[k] >= 0) project_side(sweep, bodies, bodies->body_a[k], bodies->jacobian_a + k * d * n, G, q);
  if (bodies->body_b[k] >= 0)
    project_side(sweep, bodies, bodies->body_b[k], bodies->jacobian_b + k * d * n, G + d * n, q);
  double *W = sweep->W + visit * d * d;
  diagonal_block(d, n, G, W);
  double *mu = sweep->mu + visit * sweep->discs.layout->count;
  thud_contact_discs_at(&sweep->discs, k, mu);
  sweep->contact[visit] = (thud_one_contact){
      .layout = sweep->discs.layout, .W = W, .mu = mu, .law = thud_contact_discs_law(&sweep->discs, k)};
  if (sweep->contact[visit].law != NULL) sweep->laws = true;
  if (thud_disc_layout_is_space(sweep->discs.layout)) thud_space_prepare(W, mu[0], &sweep->space[visit]);
}

/* The factor of a body's inverse mass, once: bodies that nothing touches need none. */
static inline void need_factor(thud_two_block_sweep *sweep, const thud_two_block *bodies, thud_index body) {
  size_t b = (size_t)body, entries = sweep->n * sweep->n;
  if (body < 0 || sweep->used[b] != 0) return;
  thud_semidefinite_factor(sweep->n, bodies->inverse_mass + b * entries, sweep->F + b * entries);
  sweep->used[b] = 1;
}

thud_error thud_two_block_sweep_update(thud_two_block_sweep *sweep, const thud_contact_problem *problem,
                                       bool coloured) {
  const thud_two_block *bodies = &problem->two_block;
  size_t n = sweep->n, contacts = sweep->contacts;
  memset(sweep->used, 0, sweep->bodies * sizeof *sweep->used);
  for (size_t j = 0; j < (size_t)bodies->joints; j++) {
    need_factor(sweep, bodies, bodies->joint_a[j]);
    need_factor(sweep, bodies, bodies->joint_b[j]);
  }
  for (size_t k = 0; k < contacts; k++) {
    const thud_index pair[2] = {bodies->body_a[k], bodies->body_b[k]};
    for (size_t side = 0; side < 2; side++) {
      need_factor(sweep, bodies, pair[side]);
      bool moves = pair[side] >= 0 && !all_zero(n * n, sweep->F + (size_t)pair[side] * n * n);
      sweep->moving[side * contacts + k] = moves ? pair[side] : -1;
    }
  }
  if (sweep->joints != NULL) thud_joint_sweep_update(sweep->joints, problem, sweep->F, sweep->used);
  if (coloured) {
    thud_colour_contacts(problem->contacts, sweep->moving, sweep->moving + contacts, bodies->bodies, sweep->used,
                         sweep->colour, sweep->order, sweep->start, &sweep->colours);
  } else {
    for (size_t k = 0; k < contacts; k++) sweep->order[k] = (thud_index)k;
    sweep->colours = 0;
    sweep->start[0] = 0;
    sweep->start[1] = problem->contacts;
  }
  sweep->laws = false;
  sweep->discs = thud_contact_discs_of(problem);
  for (size_t visit = 0; visit < contacts; visit++) prepare_visit(sweep, problem, visit);
  return THUD_OK;
}

/* ---- impulses in and out ------------------------------------------------------------------------------------ */

/* z += G' dr for both bodies of a visit. */
static inline void push(const thud_two_block_sweep *sweep, size_t visit, size_t d, size_t n, const double *dr) {
  const double *G = sweep->G + visit * 2 * d * n;
  for (size_t side = 0; side < 2; side++, G += d * n) {
    thud_index body = sweep->body[2 * visit + side];
    if (body < 0) continue;
    double *z = sweep->z + (size_t)body * STRIDE;
    for (size_t j = 0; j < n; j++) {
      double sum = z[j];
      for (size_t i = 0; i < d; i++) sum += G[i * n + j] * dr[i];
      z[j] = sum;
    }
  }
}

void thud_two_block_sweep_load(thud_two_block_sweep *sweep, const double *r, const double *l) {
  size_t d = sweep->d;
  memset(sweep->z, 0, sweep->bodies * STRIDE * sizeof(double));
  if (sweep->joints != NULL) thud_joint_sweep_load(sweep->joints, l, sweep->z);
  for (size_t visit = 0; visit < sweep->contacts; visit++) {
    memcpy(sweep->r + visit * d, r + (size_t)sweep->order[visit] * d, d * sizeof(double));
    push(sweep, visit, d, sweep->n, sweep->r + visit * d);
  }
}

void thud_two_block_sweep_store(const thud_two_block_sweep *sweep, double *r, double *l) {
  size_t d = sweep->d;
  if (sweep->joints != NULL) thud_joint_sweep_store(sweep->joints, l);
  for (size_t visit = 0; visit < sweep->contacts; visit++)
    memcpy(r + (size_t)sweep->order[visit] * d, sweep->r + visit * d, d * sizeof(double));
}

/* ---- visits ---------------------------------------------------------------------------------------------------- */

/* u = q + G_a z_a + G_b z_b; even and odd columns are summed apart, which two-lane arithmetic likes. */
static inline void velocity(const thud_two_block_sweep *sweep, size_t visit, size_t d, size_t n, double *u) {
  const double *G = sweep->G + visit * 2 * d * n;
  for (size_t i = 0; i < d; i++) u[i] = sweep->q[visit * d + i];
  for (size_t side = 0; side < 2; side++, G += d * n) {
    thud_index body = sweep->body[2 * visit + side];
    if (body < 0) continue;
    const double *z = sweep->z + (size_t)body * STRIDE;
    for (size_t i = 0; i < d; i++) {
      double even = 0, odd = 0;
      for (size_t j = 0; j + 1 < n; j += 2) {
        even += G[i * n + j] * z[j];
        odd += G[i * n + j + 1] * z[j + 1];
      }
      if (n % 2 != 0) even += G[i * n + n - 1] * z[n - 1];
      u[i] += even + odd;
    }
  }
}

/* The exact solver in space; r is both the old and the new impulse. */
static inline thud_one_contact_mode solve_space(const thud_space_block *block, const double *u, double *r) {
  if (block->inverse_normal == 0) {
    if (u[0] < 0) return THUD_MODE_NONE;
    r[0] = r[1] = r[2] = 0;
    return THUD_MODE_OPEN;
  }
  /* u_T - c u_N is the velocity along the surface were u_N = 0 */
  double s1 = u[1] - block->c1 * u[0], s2 = u[2] - block->c2 * u[0];
  double along = -(s1 * r[1] + s2 * r[2]);
  thud_space_load load = {.h = u[0] * block->inverse_normal - r[0] - block->k1 * r[1] - block->k2 * r[2],
                          .b1 = s1 - block->s11 * r[1] - block->s12 * r[2],
                          .b2 = s2 - block->s21 * r[1] - block->s22 * r[2],
                          .alpha = along > 0 ? along / (r[1] * r[1] + r[2] * r[2]) : 0};
  return thud_space_solve(block, &load, r);
}

static inline thud_one_contact_mode solve_any(const thud_two_block_sweep *sweep, size_t visit, const double *u,
                                              double *r) {
  const thud_one_contact *contact = &sweep->contact[visit];
  size_t d = sweep->d;
  double q[THUD_CONTACT_DIMENSION_MAX] = {0};
  for (size_t i = 0; i < d; i++) {
    q[i] = u[i];
    for (size_t j = 0; j < d; j++) q[i] -= contact->W[j * d + i] * r[j];
  }
  return thud_one_contact_solve(contact, sweep->options->local_solver, q, r);
}

/* One visit; d and n are constants where it is inlined. */
static inline void visit_contact(const thud_two_block_sweep *sweep, size_t visit, size_t d, size_t n, bool exact_space,
                                 thud_sweep_result *result) {
  double u[THUD_CONTACT_DIMENSION_MAX] = {0}, old[THUD_CONTACT_DIMENSION_MAX], change[THUD_CONTACT_DIMENSION_MAX];
  double *r = sweep->r + visit * d;
  velocity(sweep, visit, d, n, u);
  for (size_t i = 0; i < d; i++) old[i] = r[i];
  thud_one_contact_mode mode = exact_space ? solve_space(&sweep->space[visit], u, r) : solve_any(sweep, visit, u, r);
  if (mode == THUD_MODE_NONE && result->unsolvable < 0) result->unsolvable = sweep->order[visit];
  if (sweep->options->relaxation != 1) thud_sweep_relax(&sweep->contact[visit], sweep->options->relaxation, old, r);
  for (size_t i = 0; i < d; i++) change[i] = r[i] - old[i];
  push(sweep, visit, d, n, change);
  for (size_t i = 0; i < d; i++) {
    result->change += change[i] * change[i];
    result->square += r[i] * r[i];
  }
}

#define VISIT_ALL(d, n, exact_space)                                                                                   \
  for (size_t k = first; k < end; k++)                                                                                 \
  visit_contact(sweep, backward ? first + end - 1 - k : k, (d), (n), (exact_space), result)

static void visit_range(const thud_two_block_sweep *sweep, size_t first, size_t end, thud_sweep_result *result) {
  bool backward = sweep->options->backward;
  bool exact_space = thud_disc_layout_is_space(sweep->discs.layout) && !sweep->laws &&
                     sweep->options->local_solver == THUD_LOCAL_EXACT;
  if (exact_space && sweep->n == 6) {
    VISIT_ALL(3, 6, true);
  } else if (sweep->d == 2 && sweep->n == 3) {
    VISIT_ALL(2, 3, false);
  } else if (exact_space) {
    VISIT_ALL(sweep->d, sweep->n, true);
  } else {
    VISIT_ALL(sweep->d, sweep->n, false);
  }
}

static void visit_chunk(void *user, size_t task) {
  thud_two_block_sweep *sweep = user;
  size_t first = sweep->first + task * CHUNK;
  size_t end = first + CHUNK < sweep->end ? first + CHUNK : sweep->end;
  sweep->partial[task] = (thud_sweep_result){.unsolvable = -1};
  visit_range(sweep, first, end, &sweep->partial[task]);
}

static void add(thud_sweep_result *total, const thud_sweep_result *part) {
  total->change += part->change;
  total->square += part->square;
  if (total->unsolvable < 0) total->unsolvable = part->unsolvable;
}

/* Contacts of one colour touch different bodies: chunks of fixed length run on any thread. Sets of general laws serve
 * one thread at a time. */
static void visit_colour(thud_two_block_sweep *sweep, thud_index colour, thud_sweep_result *total) {
  sweep->first = (size_t)sweep->start[colour];
  sweep->end = (size_t)sweep->start[colour + 1];
  size_t tasks = (sweep->end - sweep->first + CHUNK - 1) / CHUNK;
  if (colour < sweep->colours && !sweep->laws) {
    thud_parallel_for(sweep->context, tasks, visit_chunk, sweep);
    for (size_t k = 0; k < tasks; k++) add(total, &sweep->partial[k]);
    return;
  }
  thud_sweep_result part = {.unsolvable = -1};
  visit_range(sweep, sweep->first, sweep->end, &part);
  add(total, &part);
}

thud_sweep_result thud_two_block_sweep_run(thud_two_block_sweep *sweep, const thud_gauss_seidel_options *options) {
  thud_sweep_result total = {.unsolvable = -1};
  sweep->options = options;
  if (sweep->joints != NULL) thud_joint_sweep_run(sweep->joints, sweep->z, &total);
  for (thud_index c = 0; c <= sweep->colours; c++)
    visit_colour(sweep, options->backward ? sweep->colours - c : c, &total);
  return total;
}

size_t thud_two_block_sweep_bytes(const thud_two_block_sweep *sweep, thud_local_solver local_solver) {
  size_t d = sweep->d, n = sweep->n;
  bool exact_space = thud_disc_layout_is_space(sweep->discs.layout) && !sweep->laws && local_solver == THUD_LOCAL_EXACT;
  size_t discs = sweep->discs.layout->count;
  size_t block = exact_space ? sizeof(thud_space_block) : sizeof(thud_one_contact) + (d * d + discs) * sizeof(double);
  return (2 * d * n + 3 * d) * sizeof(double) + 2 * sizeof(thud_index) + block; /* r is read and written */
}
