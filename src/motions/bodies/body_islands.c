/* Islands: bodies that contacts and stiff springs connect. Fixed and kinematic bodies connect nothing. */
#include "motions/bodies/body_motion.h"

static thud_index find_root(thud_index *parent, thud_index i) {
  while (parent[i] != i) {
    parent[i] = parent[parent[i]];
    i = parent[i];
  }
  return i;
}

/* The smaller number stays the root, so that islands are numbered by their first bodies. */
static void join(thud_index *parent, thud_index i, thud_index j) {
  i = find_root(parent, i);
  j = find_root(parent, j);
  if (i < j)
    parent[j] = i;
  else
    parent[i] = j;
}

enum { BY_CONTACT = 16, BY_ISLAND = 5 };

static void list_arrays(body_problem *p, body_array *by_contact, body_array *by_island) {
  size_t d = (size_t)p->d, n = (size_t)p->block;
  const body_array of_contacts[BY_CONTACT] = {{&p->order, sizeof(thud_index)},
                                              {&p->a, sizeof(thud_index)},
                                              {&p->b, sizeof(thud_index)},
                                              {&p->jacobian_a, d * n * sizeof(double)},
                                              {&p->jacobian_b, d * n * sizeof(double)},
                                              {&p->w, d * sizeof(double)},
                                              {&p->mu, sizeof(double)},
                                              {&p->mu_rolling, sizeof(double)},
                                              {&p->mu_spinning, sizeof(double)},
                                              {&p->r, d * sizeof(double)},
                                              {&p->group_w, d * sizeof(double)},
                                              {&p->kept, d * sizeof(double)},
                                              {&p->group_r, d * sizeof(double)},
                                              {&p->group_kept, d * sizeof(double)},
                                              {&p->group_a, sizeof(thud_index)},
                                              {&p->group_b, sizeof(thud_index)}};
  const body_array of_islands[BY_ISLAND] = {{&p->islands, sizeof(thud_body_island)},
                                            {&p->suspect, sizeof(bool)},
                                            {&p->held, sizeof(bool)},
                                            {&p->body_start, sizeof(thud_index)},
                                            {&p->contact_start, sizeof(thud_index)}};
  for (size_t k = 0; k < BY_CONTACT; k++) by_contact[k] = of_contacts[k];
  for (size_t k = 0; k < BY_ISLAND; k++) by_island[k] = of_islands[k];
}

static thud_error reserve(body_motion *motion, size_t islands, size_t contacts) {
  body_problem *p = &motion->problem;
  body_array by_contact[BY_CONTACT], by_island[BY_ISLAND];
  list_arrays(p, by_contact, by_island);
  thud_error error = thud_bodies_grow(motion->base.context, BY_CONTACT, by_contact, &p->capacity, contacts);
  if (error != THUD_OK) return error;
  return thud_bodies_grow(motion->base.context, BY_ISLAND, by_island, &p->island_capacity, islands);
}

void thud_bodies_free_islands(body_motion *motion) {
  body_array by_contact[BY_CONTACT], by_island[BY_ISLAND];
  list_arrays(&motion->problem, by_contact, by_island);
  thud_bodies_release(motion->base.context, BY_CONTACT, by_contact);
  thud_bodies_release(motion->base.context, BY_ISLAND, by_island);
}

/* parent[i] becomes the number of the island of body i, -1 for bodies without contacts. */
static void number_islands(body_motion *motion) {
  body_problem *p = &motion->problem;
  const body_contacts *c = &motion->contacts;
  for (thud_index i = 0; i < motion->model.count; i++) {
    p->parent[i] = find_root(p->parent, i);
    p->number[i] = -1; /* of the island of a root */
  }
  for (thud_index k = 0; k < c->count; k++) p->number[p->parent[c->body_a[k]]] = 0;
  p->island_count = 0;
  for (thud_index i = 0; i < motion->model.count; i++) /* a root comes before the others of its island */
    if (p->parent[i] == i && p->number[i] == 0) p->number[i] = p->island_count++;
  for (thud_index i = motion->model.count; i-- > 0;) p->parent[i] = p->number[p->parent[i]];
}

/* Bodies and contacts in the order of islands, by counting. */
static void sort_by_islands(body_motion *motion) {
  body_problem *p = &motion->problem;
  body_contacts *c = &motion->contacts;
  for (thud_index s = 0; s <= p->island_count; s++) p->body_start[s] = p->contact_start[s] = 0;
  for (thud_index i = 0; i < motion->model.count; i++)
    if (p->parent[i] >= 0) p->body_start[p->parent[i] + 1]++;
  for (thud_index k = 0; k < c->count; k++) {
    c->island[k] = p->parent[c->body_a[k]];
    p->contact_start[c->island[k] + 1]++;
  }
  for (thud_index s = 0; s < p->island_count; s++) {
    p->islands[s] = (thud_body_island){
        .bodies = p->body_start[s + 1], .contacts = p->contact_start[s + 1], .worst = -1, .restitution_factor = 1};
    p->body_start[s + 1] += p->body_start[s];
    p->contact_start[s + 1] += p->contact_start[s];
  }
  p->bodies = p->body_start[p->island_count];
  for (thud_index i = 0; i < motion->model.count; i++) {
    thud_index s = p->parent[i];
    p->number[i] = s < 0 ? -1 : p->body_start[s]++;
    if (s >= 0) p->body[p->number[i]] = i;
  }
  for (thud_index k = 0; k < c->count; k++) p->order[p->contact_start[c->island[k]]++] = k;
  for (thud_index s = p->island_count; s > 0; s--) { /* the starts have moved to the ends */
    p->body_start[s] = p->body_start[s - 1];
    p->contact_start[s] = p->contact_start[s - 1];
  }
  p->body_start[0] = p->contact_start[0] = 0;
}

thud_error thud_bodies_find_islands(body_motion *motion) {
  body_problem *p = &motion->problem;
  const body_contacts *c = &motion->contacts;
  for (thud_index i = 0; i < motion->model.count; i++) p->parent[i] = i;
  for (thud_index k = 0; k < c->count; k++)
    if (motion->moves[c->body_b[k]]) join(p->parent, c->body_a[k], c->body_b[k]);
  for (size_t r = 0; r < motion->implicit.coupled && motion->implicit.clusters > 0; r++)
    join(p->parent, motion->implicit.links[r].a, motion->implicit.links[r].b);
  number_islands(motion);
  thud_error error = reserve(motion, (size_t)p->island_count + 1, (size_t)c->count);
  if (error == THUD_OK) sort_by_islands(motion);
  return error;
}
