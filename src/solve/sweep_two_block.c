/* Matrix-free sweeps over bodies: what both ways of visiting contacts (sweep_two_block.h) share. */
#include "solve/sweep_two_block.h"
#include "solve/semidefinite.h"

#include <string.h>

enum { STRIDE = THUD_SWEEP_STRIDE };
enum { CHUNK = 128 };                    /* visits per chunk */
enum { PARALLEL_CHUNKS = 4096 / CHUNK }; /* fewer are not worth waking threads for */

/* ---- create, destroy ------------------------------------------------------------------------------------ */

thud_error thud_two_block_sweep_create(thud_context *context, const thud_contact_problem *problem,
                                       thud_two_block_sweep **sweep) {
  thud_two_block_sweep *made = THUD_NEW(context, thud_two_block_sweep);
  if (made == NULL) return THUD_ERROR_MEMORY;
  size_t n = (size_t)problem->two_block.block;
  size_t contacts = (size_t)problem->contacts, bodies = (size_t)problem->two_block.bodies;
  made->context = context;
  made->d = (size_t)problem->dimension;
  made->n = n;
  made->contacts = contacts;
  made->bodies = bodies;
  made->discs = thud_contact_discs_of(problem);
  made->order = THUD_NEW_ARRAY(context, thud_index, contacts);
  made->body = THUD_NEW_ARRAY(context, thud_index, 2 * contacts);
  made->colour = THUD_NEW_ARRAY(context, thud_index, contacts);
  made->sorted = THUD_NEW_ARRAY(context, thud_index, contacts);
  made->F = THUD_NEW_ARRAY(context, double, bodies *n *n);
  made->moves = THUD_NEW_ARRAY(context, bool, bodies);
  made->z_memory = THUD_NEW_ARRAY(context, double, (bodies + 2) * STRIDE);
  made->used = THUD_NEW_ARRAY(context, uint64_t, bodies);
  thud_error error = THUD_OK;
  if (made->order == NULL || made->body == NULL || made->colour == NULL || made->sorted == NULL || made->F == NULL ||
      made->moves == NULL || made->z_memory == NULL || made->used == NULL)
    error = THUD_ERROR_MEMORY;
  else if (problem->two_block.joints > 0)
    error = thud_joint_sweep_create(context, problem, &made->joints);
  if (error != THUD_OK) {
    thud_two_block_sweep_destroy(made);
    return error;
  }
  made->z = thud_lanes_align(made->z_memory);
  *sweep = made;
  return THUD_OK;
}

void thud_two_block_sweep_destroy(thud_two_block_sweep *sweep) {
  if (sweep == NULL) return;
  thud_context *context = sweep->context;
  void *arrays[] = {sweep->order, sweep->body,     sweep->colour, sweep->sorted,  sweep->F,
                    sweep->moves, sweep->z_memory, sweep->used,   sweep->partial, sweep->past};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(context, arrays[k]);
  thud_visits_free(context, &sweep->visits);
  thud_lanes_free(context, &sweep->lanes);
  thud_chunks_free(context, &sweep->chunks);
  thud_joint_sweep_destroy(sweep->joints);
  thud_free(context, sweep);
}

void thud_two_block_sweep_choose(thud_two_block_sweep *sweep, const thud_two_block_choice *choice) {
  sweep->choice = *choice;
}

/* ---- update ------------------------------------------------------------------------------------------------ */

static bool all_zero(size_t n, const double *x) {
  for (size_t i = 0; i < n; i++)
    if (x[i] != 0) return false;
  return true;
}

/* The factor of a body's inverse mass, once: bodies that nothing touches need none. */
static inline void need_factor(thud_two_block_sweep *sweep, const thud_two_block *bodies, thud_index body) {
  size_t b = (size_t)body, entries = sweep->n * sweep->n;
  if (body < 0 || sweep->used[b] != 0) return;
  double *F = sweep->F + b * entries;
  thud_semidefinite_factor(sweep->n, bodies->inverse_mass + b * entries, F);
  sweep->moves[b] = !all_zero(entries, F);
  sweep->used[b] = 1;
}

static void factorize(thud_two_block_sweep *sweep, const thud_two_block *bodies) {
  size_t contacts = sweep->contacts;
  memset(sweep->used, 0, sweep->bodies * sizeof *sweep->used);
  memset(sweep->moves, 0, sweep->bodies * sizeof *sweep->moves);
  for (size_t j = 0; j < (size_t)bodies->joints; j++) {
    need_factor(sweep, bodies, bodies->joint_a[j]);
    need_factor(sweep, bodies, bodies->joint_b[j]);
  }
  for (size_t k = 0; k < contacts; k++) {
    const thud_index pair[2] = {bodies->body_a[k], bodies->body_b[k]};
    for (size_t side = 0; side < 2; side++) {
      need_factor(sweep, bodies, pair[side]);
      sweep->body[side * contacts + k] = pair[side] >= 0 && sweep->moves[pair[side]] ? pair[side] : -1;
    }
  }
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

void thud_two_block_project(const thud_two_block_sweep *sweep, const thud_two_block *bodies, size_t k, double *G,
                            double *q) {
  size_t d = sweep->d, n = sweep->n;
  for (size_t i = 0; i < d; i++) q[i] = bodies->w != NULL ? bodies->w[k * d + i] : 0;
  memset(G, 0, 2 * d * n * sizeof(double));
  if (bodies->body_a[k] >= 0) project_side(sweep, bodies, bodies->body_a[k], bodies->jacobian_a + k * d * n, G, q);
  if (bodies->body_b[k] >= 0)
    project_side(sweep, bodies, bodies->body_b[k], bodies->jacobian_b + k * d * n, G + d * n, q);
}

void thud_two_block_diagonal(size_t d, size_t n, const double *G, double *W) {
  for (size_t i = 0; i < d; i++)
    for (size_t j = 0; j <= i; j++) {
      double sum = 0;
      for (size_t k = 0; k < n; k++) sum += G[i * n + k] * G[j * n + k] + G[(d + i) * n + k] * G[(d + j) * n + k];
      W[j * d + i] = W[i * d + j] = sum;
    }
}

static void order_contacts(thud_two_block_sweep *sweep, const thud_two_block *bodies, bool coloured) {
  size_t contacts = sweep->contacts;
  if (coloured) {
    thud_colour_contacts((thud_index)contacts, sweep->body, sweep->body + contacts, bodies->bodies, sweep->used,
                         sweep->colour, sweep->order, sweep->start, &sweep->colours);
    thud_colour_sort((thud_index)contacts, sweep->body, sweep->body + contacts, bodies->bodies, sweep->start,
                     sweep->colours, sweep->used, sweep->colour, sweep->sorted, sweep->order);
    return;
  }
  for (size_t k = 0; k < contacts; k++) sweep->order[k] = (thud_index)k;
  sweep->colours = 0;
  sweep->start[0] = 0;
  sweep->start[1] = (thud_index)contacts;
}

static bool has_laws(const thud_two_block_sweep *sweep) {
  for (size_t k = 0; sweep->discs.laws != NULL && k < sweep->contacts; k++)
    if (sweep->discs.laws[k] != NULL) return true;
  return false;
}

thud_error thud_two_block_sweep_update(thud_two_block_sweep *sweep, const thud_contact_problem *problem,
                                       bool coloured) {
  const thud_two_block *bodies = &problem->two_block;
  size_t start[THUD_COLOURS_MAX + 2];
  factorize(sweep, bodies);
  if (sweep->joints != NULL) thud_joint_sweep_update(sweep->joints, problem, sweep->F, sweep->used);
  order_contacts(sweep, bodies, coloured);
  sweep->discs = thud_contact_discs_of(problem);
  sweep->laws = has_laws(sweep);
  sweep->in_lanes = thud_disc_layout_is_space(sweep->discs.layout) && !sweep->laws &&
                    sweep->choice.local_solver == THUD_LOCAL_EXACT && !sweep->choice.one_by_one;
  for (thud_index c = 0; c <= sweep->colours + 1; c++) start[c] = (size_t)sweep->start[c];
  thud_error error = sweep->in_lanes ? thud_lanes_update(sweep, problem, start) : thud_visits_update(sweep, problem);
  if (error == THUD_OK)
    error = thud_chunks_make(sweep->context, &sweep->chunks, (size_t)sweep->colours + 1, start,
                             sweep->in_lanes ? CHUNK / THUD_LANES : CHUNK);
  if (error == THUD_OK)
    error = thud_array_reserve(sweep->context, &sweep->partial, &sweep->partial_capacity, sweep->chunks.count,
                               sizeof *sweep->partial);
  if (error == THUD_OK && sweep->choice.momentum) error = thud_sweep_past_reserve(sweep);
  return error;
}

const char *thud_two_block_sweep_path(const thud_two_block_sweep *sweep) {
  static const char *const lanes[] = {"lanes of spheres", "lanes of frames", "lanes"};
  return sweep->in_lanes ? lanes[sweep->lanes.kinematics] : "one by one";
}

/* ---- impulses in and out ------------------------------------------------------------------------------------ */

void thud_two_block_sweep_load(thud_two_block_sweep *sweep, const double *r, const double *l) {
  for (size_t b = 0; b < sweep->bodies; b++) /* behind z are data of lanes */
    memset(sweep->z + b * STRIDE, 0, sweep->n * sizeof(double));
  if (sweep->joints != NULL) thud_joint_sweep_load(sweep->joints, l, sweep->z);
  if (sweep->in_lanes)
    thud_lanes_load(sweep, r);
  else
    thud_visits_load(sweep, r);
}

void thud_two_block_sweep_store(const thud_two_block_sweep *sweep, double *r, double *l) {
  if (sweep->joints != NULL) thud_joint_sweep_store(sweep->joints, l);
  if (sweep->in_lanes)
    thud_lanes_store(&sweep->lanes, r);
  else
    thud_visits_store(sweep, r);
}

/* ---- visits ---------------------------------------------------------------------------------------------------- */

static void visit_chunk(void *user, size_t chunk) {
  thud_two_block_sweep *sweep = user;
  size_t first = sweep->chunks.first[chunk], end = sweep->chunks.first[chunk + 1];
  if (sweep->in_lanes)
    thud_lanes_run(sweep, first, end, &sweep->partial[chunk]);
  else
    thud_visits_run(sweep, first, end, &sweep->partial[chunk]);
}

thud_sweep_result thud_two_block_sweep_run(thud_two_block_sweep *sweep, const thud_gauss_seidel_options *options) {
  thud_sweep_result total = {.unsolvable = -1};
  size_t count = sweep->chunks.count;
  sweep->options = options;
  if (sweep->joints != NULL) thud_joint_sweep_run(sweep->joints, sweep->z, &total);
  thud_chunks_run(sweep->context, &sweep->chunks, options->backward, !sweep->laws && count >= PARALLEL_CHUNKS,
                  visit_chunk, sweep);
  for (size_t k = 0; k < count; k++) {
    const thud_sweep_result *part = &sweep->partial[options->backward ? count - 1 - k : k];
    total.change += part->change;
    total.square += part->square;
    if (total.unsolvable < 0) total.unsolvable = part->unsolvable;
  }
  return total;
}

size_t thud_two_block_sweep_bytes(const thud_two_block_sweep *sweep) {
  size_t d = sweep->d, n = sweep->n, written = d * sizeof(double);
  if (sweep->in_lanes) return sweep->lanes.stride * sizeof(double) / THUD_LANES + written;
  size_t numbers = 2 * d * n + 2 * d + d * d + sweep->discs.layout->count;
  return numbers * sizeof(double) + 2 * sizeof(thud_index) + sizeof(thud_one_contact) + written;
}
