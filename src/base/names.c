#include "base/names.h"

#include <string.h>

thud_names thud_names_new(thud_context *context, thud_arena *arena) {
  return (thud_names){.context = context, .arena = arena};
}

void thud_names_free(thud_names *names) {
  if (names->arena == NULL) thud_free(names->context, names->entries);
  *names = thud_names_new(names->context, names->arena);
}

static uint64_t hash_text(const char *text, size_t length) {
  uint64_t hash = 14695981039346656037u;
  for (size_t k = 0; k < length; k++) hash = (hash ^ (unsigned char)text[k]) * 1099511628211u;
  return hash ^ hash >> 32; /* the low bits of FNV-1a alone are weak */
}

/* Where the text is, or the empty place where it belongs; size > 0. */
static size_t place_of(const thud_names *names, const char *text, size_t length) {
  size_t mask = names->size - 1, at = (size_t)hash_text(text, length) & mask;
  for (;; at = (at + 1) & mask) {
    const thud_names_entry *entry = &names->entries[at];
    if (entry->text == NULL) return at;
    if (entry->length == length && memcmp(entry->text, text, length) == 0) return at;
  }
}

size_t thud_names_find(const thud_names *names, const char *text, size_t length) {
  if (names->count == 0) return THUD_NAMES_NONE;
  const thud_names_entry *entry = &names->entries[place_of(names, text, length)];
  return entry->text != NULL ? entry->number : THUD_NAMES_NONE;
}

static thud_error grow(thud_names *names) {
  enum { FIRST_SIZE = 16 };
  if (2 * (names->count + 1) <= names->size) return THUD_OK; /* far from overflow: the entries are in memory */
  size_t size = names->size == 0 ? FIRST_SIZE : 2 * names->size;
  thud_names larger = {.context = names->context, .arena = names->arena, .count = names->count, .size = size};
  larger.entries = names->arena != NULL ? thud_arena_alloc(names->arena, size, sizeof *larger.entries)
                                        : THUD_NEW_ARRAY(names->context, thud_names_entry, size);
  if (larger.entries == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < names->size; k++) {
    const thud_names_entry *entry = &names->entries[k];
    if (entry->text != NULL) larger.entries[place_of(&larger, entry->text, entry->length)] = *entry;
  }
  if (names->arena == NULL) thud_free(names->context, names->entries);
  *names = larger;
  return THUD_OK;
}

thud_error thud_names_add(thud_names *names, const char *text, size_t length, size_t number, size_t *there) {
  thud_error error = grow(names);
  if (error != THUD_OK) return error;
  thud_names_entry *entry = &names->entries[place_of(names, text, length)];
  if (there != NULL) *there = entry->text != NULL ? entry->number : THUD_NAMES_NONE;
  if (entry->text != NULL) return THUD_OK;
  *entry = (thud_names_entry){.text = text, .length = length, .number = number};
  names->count++;
  return THUD_OK;
}

/* Knuth, The Art of Computer Programming 3, 6.4, algorithm R: entries behind the gap move into it when their search would
 * pass it, so that no search ends too early and no mark of what was removed stays. */
void thud_names_remove(thud_names *names, const char *text, size_t length) {
  if (names->count == 0) return;
  size_t mask = names->size - 1, gap = place_of(names, text, length);
  if (names->entries[gap].text == NULL) return;
  for (size_t at = (gap + 1) & mask; names->entries[at].text != NULL; at = (at + 1) & mask) {
    const thud_names_entry *entry = &names->entries[at];
    size_t home = (size_t)hash_text(entry->text, entry->length) & mask;
    if (((at - home) & mask) < ((at - gap) & mask)) continue; /* begins behind the gap */
    names->entries[gap] = *entry;
    gap = at;
  }
  names->entries[gap] = (thud_names_entry){.text = NULL};
  names->count--;
}
