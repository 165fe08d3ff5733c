/* Contact forces of recorded bodies: the strongest ones of each frame. */
#include "page/page_bodies.h"

#include <math.h>
#include <stdlib.h>

static double size_of(const body_contact *contact) { return thud_vec3_norm(contact->impulse); }

/* By the numbers of the bodies, then by places: an order that depends on nothing else. */
static int by_bodies(const void *a, const void *b) {
  const body_contact *x = a, *y = b;
  const double p[] = {x->a, x->b, x->point.x, x->point.y, x->point.z, size_of(x)};
  const double q[] = {y->a, y->b, y->point.x, y->point.y, y->point.z, size_of(y)};
  for (size_t i = 0; i < sizeof p / sizeof *p; i++)
    if (p[i] != q[i]) return p[i] < q[i] ? -1 : 1;
  return 0;
}

static int strongest_first(const void *a, const void *b) {
  double x = size_of(a), y = size_of(b);
  return x > y ? -1 : x < y ? 1 : by_bodies(a, b);
}

thud_error thud_page_keep_contacts(page_bodies *bodies, size_t k, const body_row *row) {
  size_t before = bodies->contact_count, added = 0;
  thud_error error = thud_array_reserve(bodies->record->page->context, &bodies->contacts, &bodies->contact_capacity,
                                        before + row->contact_count, sizeof *bodies->contacts);
  if (error != THUD_OK) return error;
  body_contact *kept = bodies->contacts + before;
  for (size_t c = 0; c < row->contact_count; c++) {
    kept[added] = row->contacts[c];
    kept[added].impulse = thud_vec3_scale(row->step > 0 ? 1 / row->step : 0, row->contacts[c].impulse);
    double size = size_of(&kept[added]);
    if (size > 0 && isfinite(size) && isfinite(size_of(&(body_contact){.impulse = kept[added].point}))) added++;
  }
  if (added > bodies->most_contacts) {
    qsort(kept, added, sizeof *kept, strongest_first);
    added = bodies->most_contacts;
    bodies->dropped++;
  }
  if (added > 0) qsort(kept, added, sizeof *kept, by_bodies);
  bodies->contact_count = before + added;
  bodies->contact_ends[k] = (int32_t)bodies->contact_count;
  return THUD_OK;
}

/* ---- writing ------------------------------------------------------------------------------------------------------------- */

static void put_vector(thud_vec3 vector, int dimension, double *x) {
  x[0] = vector.x;
  x[1] = vector.y;
  if (dimension == 3) x[2] = vector.z;
}

/* Numbers of bodies, points and forces, one array after the other through the same memory. */
static void write_arrays(page_bodies *bodies, int32_t *numbers, double *vectors, double largest) {
  page_build *page = bodies->record->page;
  size_t n = bodies->contact_count, d = (size_t)bodies->dimension;
  const double fineness = 4096, zeros[3] = {0, 0, 0}, step[3] = {bodies->step, bodies->step, bodies->step};
  const double force = largest > 0 ? largest / fineness : 1, force_step[3] = {force, force, force};
  thud_page_indices(page, "ends", bodies->frame_count, bodies->contact_ends);
  for (size_t k = 0; k < n; k++) numbers[k] = (int32_t)bodies->contacts[k].a;
  thud_page_indices(page, "a", n, numbers);
  for (size_t k = 0; k < n; k++) numbers[k] = (int32_t)bodies->contacts[k].b;
  thud_page_indices(page, "b", n, numbers);
  for (size_t k = 0; k < n; k++) put_vector(bodies->contacts[k].point, bodies->dimension, vectors + k * d);
  thud_page_quantised(page, "point", n, d, vectors,
                      (page_grid){d, step, bodies->moving_count > 0 ? bodies->low : zeros});
  for (size_t k = 0; k < n; k++) put_vector(bodies->contacts[k].impulse, bodies->dimension, vectors + k * d);
  thud_page_quantised(page, "force", n, d, vectors, (page_grid){d, force_step, zeros});
  thud_json_number_field(&page->json, "largest", largest);
}

/* With many bodies only the whole rows record contacts, unless the scene asks for all. */
static void find_known(page_bodies *bodies) {
  page_build *page = bodies->record->page;
  double *whole = NULL;
  size_t known = 0;
  if (!thud_page_take(page, thud_page_read_role(bodies->record, THUD_RECORD_FRAMES, "whole", &whole))) return;
  bool all = whole == NULL;
  for (size_t k = 0; k < bodies->frame_count && !all; k++) {
    int32_t before = k > 0 ? bodies->contact_ends[k - 1] : 0;
    all = whole[bodies->frames[k]] == 0 && bodies->contact_ends[k] > before;
  }
  for (size_t k = 0; k < bodies->frame_count; k++) {
    bodies->known[k] = all || whole[bodies->frames[k]] != 0;
    known += bodies->known[k];
  }
  thud_free(page->context, whole);
  if (known < bodies->frame_count)
    thud_page_note(
        bodies->record,
        "contact forces are recorded at %zu of the %zu times that are shown; record: {contacts: true} in the scene "
        "records them at all",
        known, bodies->frame_count);
}

void thud_page_write_contacts(page_bodies *bodies) {
  page_build *page = bodies->record->page;
  thud_json_key(&page->json, "contacts");
  if (bodies->rows.channels.a == SIZE_MAX || bodies->rows.channels.impulse == SIZE_MAX) {
    thud_json_null(&page->json);
    return;
  }
  int32_t *numbers = THUD_NEW_ARRAY(page->context, int32_t, bodies->contact_count);
  double *vectors = thud_alloc(page->context, bodies->contact_count, (size_t)bodies->dimension * sizeof(double));
  if (thud_page_take(page, numbers != NULL && vectors != NULL ? THUD_OK : THUD_ERROR_MEMORY)) {
    double largest = 0;
    for (size_t k = 0; k < bodies->contact_count; k++) largest = thud_larger(largest, size_of(&bodies->contacts[k]));
    thud_json_begin_object(&page->json);
    find_known(bodies);
    thud_page_bytes(page, "known", bodies->frame_count, bodies->known);
    write_arrays(bodies, numbers, vectors, largest);
    thud_json_end_object(&page->json);
  }
  thud_free(page->context, numbers);
  thud_free(page->context, vectors);
  if (bodies->dropped > 0)
    thud_page_note(bodies->record, "at %zu times only the %zu strongest contact forces are shown", bodies->dropped,
                   bodies->most_contacts);
}
