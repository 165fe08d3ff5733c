/* Sweeps over bodies, contact by contact: every kind of contact and every solver of one contact. One visit streams, for
 * d components and bodies of n degrees of freedom, G 16 d n bytes, W 8 d d, q and r 8 d each (r is also written), body
 * indices 8 and the description of the contact; the two z are reused by the other contacts of the body. Everything lies
 * in the order of visits. */
#include "solve/sweep_two_block.h"

#include <string.h>

enum { STRIDE = THUD_SWEEP_STRIDE };

/* ---- update ------------------------------------------------------------------------------------------------ */

static thud_error allocate(thud_two_block_sweep *sweep) {
  thud_visits *visits = &sweep->visits;
  thud_context *context = sweep->context;
  size_t d = sweep->d, n = sweep->n, contacts = sweep->contacts;
  if (visits->capacity == contacts && visits->G != NULL) return THUD_OK;
  thud_visits_free(context, visits);
  *visits = (thud_visits){.capacity = contacts};
  visits->G = THUD_NEW_ARRAY(context, double, contacts * 2 * d * n);
  visits->q = THUD_NEW_ARRAY(context, double, contacts *d);
  visits->r = THUD_NEW_ARRAY(context, double, contacts *d);
  visits->W = THUD_NEW_ARRAY(context, double, contacts *d *d);
  visits->body = THUD_NEW_ARRAY(context, thud_index, 2 * contacts);
  visits->contact = THUD_NEW_ARRAY(context, thud_one_contact, contacts);
  visits->mu = THUD_NEW_ARRAY(context, double, contacts * sweep->discs.layout->count);
  if (visits->G != NULL && visits->q != NULL && visits->r != NULL && visits->W != NULL && visits->body != NULL &&
      visits->contact != NULL && visits->mu != NULL)
    return THUD_OK;
  thud_visits_free(context, visits);
  *visits = (thud_visits){0};
  return THUD_ERROR_MEMORY;
}

void thud_visits_free(thud_context *context, thud_visits *visits) {
  void *arrays[] = {visits->G, visits->q, visits->r, visits->W, visits->body, visits->contact, visits->mu};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(context, arrays[k]);
}

static void prepare_visit(thud_two_block_sweep *sweep, const thud_contact_problem *problem, size_t visit) {
  const thud_two_block *bodies = &problem->two_block;
  thud_visits *visits = &sweep->visits;
  size_t d = sweep->d, n = sweep->n, k = (size_t)sweep->order[visit];
  double *G = visits->G + visit * 2 * d * n, *q = visits->q + visit * d, *W = visits->W + visit * d * d;
  for (size_t side = 0; side < 2; side++) visits->body[2 * visit + side] = sweep->body[side * sweep->contacts + k];
  thud_two_block_project(sweep, bodies, k, G, q);
  thud_two_block_diagonal(d, n, G, W);
  double *mu = visits->mu + visit * sweep->discs.layout->count;
  thud_contact_discs_at(&sweep->discs, k, mu);
  visits->contact[visit] = (thud_one_contact){
      .layout = sweep->discs.layout, .W = W, .mu = mu, .law = thud_contact_discs_law(&sweep->discs, k)};
}

thud_error thud_visits_update(thud_two_block_sweep *sweep, const thud_contact_problem *problem) {
  thud_error error = allocate(sweep);
  if (error != THUD_OK) return error;
  for (size_t visit = 0; visit < sweep->contacts; visit++) prepare_visit(sweep, problem, visit);
  return THUD_OK;
}

/* ---- impulses in and out ------------------------------------------------------------------------------------ */

/* z += G' dr for both bodies of a visit. */
static inline void push(const thud_two_block_sweep *sweep, size_t visit, size_t d, size_t n, const double *dr) {
  const double *G = sweep->visits.G + visit * 2 * d * n;
  for (size_t side = 0; side < 2; side++, G += d * n) {
    thud_index body = sweep->visits.body[2 * visit + side];
    if (body < 0) continue;
    double *z = sweep->z + (size_t)body * STRIDE;
    for (size_t j = 0; j < n; j++) {
      double sum = z[j];
      for (size_t i = 0; i < d; i++) sum += G[i * n + j] * dr[i];
      z[j] = sum;
    }
  }
}

void thud_visits_load(thud_two_block_sweep *sweep, const double *r) {
  size_t d = sweep->d;
  for (size_t visit = 0; visit < sweep->contacts; visit++) {
    double *own = sweep->visits.r + visit * d;
    memcpy(own, r + (size_t)sweep->order[visit] * d, d * sizeof(double));
    push(sweep, visit, d, sweep->n, own);
  }
}

void thud_visits_store(const thud_two_block_sweep *sweep, double *r) {
  size_t d = sweep->d;
  for (size_t visit = 0; visit < sweep->contacts; visit++)
    memcpy(r + (size_t)sweep->order[visit] * d, sweep->visits.r + visit * d, d * sizeof(double));
}

/* ---- visits ---------------------------------------------------------------------------------------------------- */

/* u = q + G_a z_a + G_b z_b; even and odd columns are summed apart, which two-lane arithmetic likes. */
static inline void velocity(const thud_two_block_sweep *sweep, size_t visit, size_t d, size_t n, double *u) {
  const double *G = sweep->visits.G + visit * 2 * d * n;
  for (size_t i = 0; i < d; i++) u[i] = sweep->visits.q[visit * d + i];
  for (size_t side = 0; side < 2; side++, G += d * n) {
    thud_index body = sweep->visits.body[2 * visit + side];
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

static inline thud_one_contact_mode solve(const thud_two_block_sweep *sweep, size_t visit, const double *u, double *r) {
  const thud_one_contact *contact = &sweep->visits.contact[visit];
  size_t d = sweep->d;
  double q[THUD_CONTACT_DIMENSION_MAX] = {0};
  for (size_t i = 0; i < d; i++) {
    q[i] = u[i];
    for (size_t j = 0; j < d; j++) q[i] -= contact->W[j * d + i] * r[j];
  }
  return thud_one_contact_solve(contact, sweep->choice.local_solver, q, r);
}

/* One visit; d and n are constants where it is inlined. */
static inline void visit_contact(const thud_two_block_sweep *sweep, size_t visit, size_t d, size_t n,
                                 thud_sweep_result *result) {
  double u[THUD_CONTACT_DIMENSION_MAX] = {0}, old[THUD_CONTACT_DIMENSION_MAX], change[THUD_CONTACT_DIMENSION_MAX];
  double *r = sweep->visits.r + visit * d;
  velocity(sweep, visit, d, n, u);
  for (size_t i = 0; i < d; i++) old[i] = r[i];
  thud_one_contact_mode mode = solve(sweep, visit, u, r);
  if (mode == THUD_MODE_NONE && result->unsolvable < 0) result->unsolvable = sweep->order[visit];
  if (sweep->options->relaxation != 1)
    thud_sweep_relax(&sweep->visits.contact[visit], sweep->options->relaxation, old, r);
  for (size_t i = 0; i < d; i++) change[i] = r[i] - old[i];
  push(sweep, visit, d, n, change);
  for (size_t i = 0; i < d; i++) {
    result->change += change[i] * change[i];
    result->square += r[i] * r[i];
  }
}

#define VISIT_ALL(d, n)                                                                                                \
  for (size_t k = first; k < end; k++) visit_contact(sweep, backward ? first + end - 1 - k : k, (d), (n), result)

void thud_visits_run(const thud_two_block_sweep *sweep, size_t first, size_t end, thud_sweep_result *result) {
  bool backward = sweep->options->backward;
  *result = (thud_sweep_result){.unsolvable = -1};
  if (sweep->d == 2 && sweep->n == 3) {
    VISIT_ALL(2, 3);
  } else {
    VISIT_ALL(sweep->d, sweep->n);
  }
}
