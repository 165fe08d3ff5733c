#include "solve/carry.h"
#include "base/base.h"

#include <string.h>

enum { RADIX_BITS = 8, RADIX = 1 << RADIX_BITS, RADIX_PASSES = 64 / RADIX_BITS };

thud_error thud_carry_reserve(thud_context *context, thud_carry *carry, size_t contacts, size_t d) {
  size_t size = contacts * d;
  thud_error error = thud_array_reserve(context, &carry->r, &carry->r_capacity, size, sizeof(double));
  if (error == THUD_OK)
    error = thud_array_reserve(context, &carry->fresh_r, &carry->fresh_r_capacity, size, sizeof(double));
  if (error == THUD_OK)
    error = thud_array_reserve(context, &carry->entries, &carry->entry_capacity, contacts, sizeof(thud_carry_entry));
  if (error == THUD_OK)
    error = thud_array_reserve(context, &carry->fresh, &carry->fresh_capacity, contacts, sizeof(thud_carry_entry));
  if (error == THUD_OK)
    error = thud_array_reserve(context, &carry->scratch, &carry->scratch_capacity, contacts, sizeof(thud_carry_entry));
  return error;
}

static size_t digit_of(uint64_t id, int pass) { return (size_t)(id >> (pass * RADIX_BITS)) & (RADIX - 1); }

/* By the digits of the ids from the lowest on, each pass stable: linear whatever the ids are. Digits that all ids share
 * need no pass. */
static void sort(thud_carry *carry, size_t count) {
  for (int pass = 0; pass < RADIX_PASSES; pass++) {
    size_t place[RADIX] = {0}, sum = 0;
    for (size_t k = 0; k < count; k++) place[digit_of(carry->fresh[k].id, pass)]++;
    if (count == 0 || place[digit_of(carry->fresh[0].id, pass)] == count) continue;
    for (size_t k = 0; k < RADIX; k++) {
      size_t own = place[k];
      place[k] = sum;
      sum += own;
    }
    for (size_t k = 0; k < count; k++) carry->scratch[place[digit_of(carry->fresh[k].id, pass)]++] = carry->fresh[k];
    memcpy(carry->fresh, carry->scratch, count * sizeof *carry->fresh);
  }
}

thud_error thud_carry_prepare(thud_context *context, thud_carry *carry, size_t contacts, size_t d,
                              const uint64_t *ids) {
  thud_error error = thud_carry_reserve(context, carry, contacts, d);
  if (error != THUD_OK) return error;
  for (size_t k = 0; k < contacts; k++) carry->fresh[k] = (thud_carry_entry){.id = ids[k], .contact = (thud_index)k};
  sort(carry, contacts);
  for (size_t k = 1; k < contacts; k++)
    if (carry->fresh[k].id == carry->fresh[k - 1].id)
      return thud_fail(context, THUD_ERROR_ARGUMENT,
                       "contacts %d and %d have the same id %llu: every contact needs an id of its own",
                       (int)carry->fresh[k - 1].contact, (int)carry->fresh[k].contact,
                       (unsigned long long)carry->fresh[k].id);
  return THUD_OK;
}

/* Exchanges two arrays of doubles (or entries) with their capacities. */
static void exchange(thud_carry *carry) {
  double *r = carry->r;
  thud_carry_entry *entries = carry->entries;
  size_t r_capacity = carry->r_capacity, entry_capacity = carry->entry_capacity;
  carry->r = carry->fresh_r;
  carry->r_capacity = carry->fresh_r_capacity;
  carry->entries = carry->fresh;
  carry->entry_capacity = carry->fresh_capacity;
  carry->fresh_r = r;
  carry->fresh_r_capacity = r_capacity;
  carry->fresh = entries;
  carry->fresh_capacity = entry_capacity;
}

void thud_carry_apply(thud_carry *carry, size_t contacts, size_t d) {
  if (contacts > 0) memset(carry->fresh_r, 0, contacts * d * sizeof(double));
  size_t old = carry->d == d ? carry->count : 0;
  for (size_t i = 0, k = 0; i < old && k < contacts;) { /* two sorted lists */
    uint64_t known = carry->entries[i].id, wanted = carry->fresh[k].id;
    if (known == wanted)
      memcpy(carry->fresh_r + (size_t)carry->fresh[k].contact * d, carry->r + (size_t)carry->entries[i].contact * d,
             d * sizeof(double));
    i += known <= wanted;
    k += wanted <= known;
  }
  exchange(carry);
  carry->count = contacts;
  carry->d = d;
}

void thud_carry_store(thud_carry *carry, const double *r) {
  if (carry->count > 0) memcpy(carry->r, r, carry->count * carry->d * sizeof(double));
}

void thud_carry_free(thud_context *context, thud_carry *carry) {
  void *const arrays[] = {carry->r, carry->fresh_r, carry->entries, carry->fresh, carry->scratch};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(context, arrays[k]);
  *carry = (thud_carry){0};
}
