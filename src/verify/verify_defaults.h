/* The defaults of the scene format as docs/scene-format.md has them: the checker's own lists. */
#ifndef THUD_SRC_VERIFY_VERIFY_DEFAULTS_H
#define THUD_SRC_VERIFY_VERIFY_DEFAULTS_H

#include "thud/tree.h"
#include "thud/verify.h"

typedef struct verify_record_kind verify_record_kind;

/* The number at the path when it is not given; 0 when the list does not have it. */
double thud_verify_default_number(const verify_record_kind *kind, const char *path);

/* The new check: does `resolved` hold what `given` holds, unchanged, and besides all documented defaults that belong
 * there and nothing else? Those that the other checks rely on are listed in the result. */
void thud_verify_check_resolved(const thud_tree *given, const thud_tree *resolved, thud_verify_check *check,
                                thud_verify_result *result);
/* The scene as given beside the file that it was read from, with the changes by --set; without a source nothing is asked. */
thud_error thud_verify_check_source(thud_context *context, const char *source, const thud_tree *given,
                                    thud_verify_check *check);

/* ---- the lists: of each kind in its folder, and of all kinds ---- */

typedef struct verify_default {
  const char *path; /* "*" stands for one step of the path, "*x" for one that ends in x, "**" for any number */
  const char
      *value; /* as in JSON, strings without quotes. "#": the place in the list, "#1": from 1; "*": the key; lists of
                         numbers with blanks, alternatives with a "|" between; NULL: what shows
                         in reports only, or what the reader sees to itself */
  const char *relied; /* methods whose checks use it, with blanks between; "*": all, NULL: none */
  const char *when; /* the map that it belongs into has one of these keys, and none of those with a "!" in front; NULL:
                         every map */
} verify_default;

/* The row for an added value in a scene of the kind (NULL: of another one); NULL when the format has no default there. */
const verify_default *thud_verify_find_default(const verify_record_kind *kind, const char *path);
/* Calls `missing` with the key of every default that belongs into the map and is not there; path is the map's.
 * coordinates: the names of a system's coordinates, some of the defaults stand for each of them; NULL: none. */
typedef void (*verify_missing_fn)(void *user, const thud_node *map, const char *key);
void thud_verify_missing_defaults(const verify_record_kind *kind, const thud_node *map, const char *path,
                                  const thud_node *coordinates, verify_missing_fn missing, void *user);
/* The factor from m and s to the units of the scene for the default at this path: 1 for numbers without dimensions, NAN
 * where the size of a unit is not known. */
double thud_verify_default_scale(const thud_node *root, const char *path);
/* Is the node what the row says, with its numbers times scale? path is the node's. */
bool thud_verify_is_default(const verify_default *row, const thud_node *node, const char *path, double scale);

#endif
