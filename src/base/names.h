/* A table of names: which number belongs to a text, found in constant time whatever their count.
 *
 * Open addressing with linear probing, at most half full; the hash is FNV-1a, the same on every machine. Texts are
 * borrowed and must stay where they are as long as the table. One implementation for scopes of expressions, keys of
 * maps, and the search for names that are given twice. */
#ifndef THUD_SRC_BASE_NAMES_H
#define THUD_SRC_BASE_NAMES_H

#include "base/base.h"

#define THUD_NAMES_NONE SIZE_MAX

typedef struct thud_names_entry {
  const char *text; /* NULL: empty; need not end in 0 */
  size_t length;    /* bytes */
  size_t number;
} thud_names_entry;

typedef struct thud_names {
  thud_context *context;
  thud_arena *arena;  /* NULL: memory of the context, freed by thud_names_free; otherwise it goes with the arena */
  size_t count, size; /* names; places, a power of two or 0 */
  thud_names_entry *entries; /* [size] */
} thud_names;

/* An empty table; nothing is allocated. */
THUD_API thud_names thud_names_new(thud_context *context, thud_arena *arena);
THUD_API void thud_names_free(thud_names *names);
/* The number of the text, THUD_NAMES_NONE when it is not there. */
THUD_API size_t thud_names_find(const thud_names *names, const char *text, size_t length);
/* Gives the text its number. Where the text is there already it keeps its old number, which *there receives; otherwise
 * *there is THUD_NAMES_NONE. there may be NULL. */
THUD_API thud_error thud_names_add(thud_names *names, const char *text, size_t length, size_t number, size_t *there);
/* Takes the text out, which need not stay any longer; one that is not there: nothing. */
void thud_names_remove(thud_names *names, const char *text, size_t length);

#endif
