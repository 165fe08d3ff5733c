/* Islands: bodies that contacts connect. Fixed, kinematic and sleeping bodies connect nothing. */
#include "sim/bodies/bodies.h"

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

static thud_error reserve(thud_body_motion *motion, size_t islands, size_t contacts) {
  body_problem *p = &motion->problem;
  size_t d = (size_t)p->d, n = (size_t)p->block;
  const struct {
    void *array;
    size_t size;
  } by_contact[] = {{&p->order, sizeof(thud_index)},
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
                    {&p->group_b, sizeof(thud_index)}},
    by_island[] = {{&p->islands, sizeof(thud_body_island)},
                   {&p->suspect, sizeof(bool)},
                   {&p->body_start, sizeof(thud_index)},
                   {&p->contact_start, sizeof(thud_index)}};
  thud_error error = THUD_OK;
  size_t capacity = p->capacity;
  for (size_t k = 0; k < sizeof by_contact / sizeof *by_contact && error == THUD_OK && contacts > p->capacity; k++) {
    capacity = p->capacity;
    error = thud_array_reserve(motion->context, by_contact[k].array, &capacity, contacts, by_contact[k].size);
  }
  if (error == THUD_OK) p->capacity = capacity;
  capacity = p->island_capacity;
  for (size_t k = 0; k < sizeof by_island / sizeof *by_island && error == THUD_OK && islands > p->island_capacity;
       k++) {
    capacity = p->island_capacity;
    error = thud_array_reserve(motion->context, by_island[k].array, &capacity, islands, by_island[k].size);
  }
  if (error == THUD_OK) p->island_capacity = capacity;
  return error;
}

/* parent[i] becomes the number of the island of body i, -1 for bodies without contacts. */
static void number_islands(thud_body_motion *motion) {
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
static void sort_by_islands(thud_body_motion *motion) {
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

thud_error thud_bodies_find_islands(thud_body_motion *motion) {
  body_problem *p = &motion->problem;
  const body_contacts *c = &motion->contacts;
  for (thud_index i = 0; i < motion->model.count; i++) p->parent[i] = i;
  for (thud_index k = 0; k < c->count; k++)
    if (motion->moves[c->body_b[k]]) join(p->parent, c->body_a[k], c->body_b[k]);
  number_islands(motion);
  thud_error error = reserve(motion, (size_t)p->island_count + 1, (size_t)c->count);
  if (error == THUD_OK) sort_by_islands(motion);
  return error;
}
