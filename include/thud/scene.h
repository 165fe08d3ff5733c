/* thud/scene.h: from a scene tree to a model. */
#ifndef THUD_SCENE_H
#define THUD_SCENE_H

#include "thud/model.h"
#include "thud/tree.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A scene whose meaning has been checked and whose model has been built; it keeps what it needs of the tree. Of a
 * system also the start has been checked: the initial state keeps the constraints, those that act there are not
 * positively dependent, the method takes the system. */
typedef struct thud_scene thud_scene;

/* The scene with every default of the format filled in: a copy of the tree in which nothing that was given has changed
 * and keys that were left out stand after those that were given. It is a scene itself and means the same, bit by bit;
 * resolving it again changes nothing. Scenes that are wrong are resolved, too; thud_scene_build says what is wrong. */
THUD_API thud_error thud_scene_resolve(thud_context *context, const thud_tree *given, thud_tree **resolved);

/* Checks the scene and builds its model; errors are THUD_ERROR_SCHEMA and others, with file, line and column. It is
 * destroyed
 * by thud_scene_destroy (NULL is allowed) before its context. */
THUD_API thud_error thud_scene_build(thud_context *context, const thud_tree *tree, thud_scene **scene);
THUD_API void thud_scene_destroy(thud_scene *scene);

/* The scene as JSON: as it was given, changes by thud_tree_set included, and resolved. Borrowed from the scene. */
THUD_API const char *thud_scene_text(const thud_scene *scene);
THUD_API const char *thud_scene_resolved_text(const thud_scene *scene);

/* Facts common to all scenes; borrowed from the scene. */
typedef struct thud_scene_info {
  const char *title;  /* "" when the scene has none */
  const char *kind;   /* "sweeping", "system", ...: the key of its model */
  const char *method; /* "catching-up", "moreau-jean", ... */
  thud_index dimension;
  const char *const *coordinates; /* [dimension] */
  double start, end;
  thud_index steps; /* 0: none are asked for */
  THUD_RESERVED(4);
} thud_scene_info;

/* All 0 for NULL. */
THUD_API thud_scene_info thud_scene_get_info(const thud_scene *scene);
/* The Lagrangian system of a `system` scene, with its initial state ([dimension] each, may be NULL); NULL otherwise. */
THUD_API const thud_system *thud_scene_system(const thud_scene *scene, const double **position,
                                              const double **velocity);
/* Diagnosis without running: one JSON object and some lines, about the scene called `name`; to be freed with
 * thud_scene_free_text. */
THUD_API thud_error thud_scene_check(const thud_scene *scene, const char *name, char **json, char **text);
THUD_API void thud_scene_free_text(const thud_scene *scene, char *text);

#ifdef __cplusplus
}
#endif
#endif
