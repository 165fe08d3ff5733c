/* Meshes of scenes, made finer in their text (thud_kind_study.refine_mesh). */
#ifndef THUD_SRC_KINDS_MESH_REFINE_H
#define THUD_SRC_KINDS_MESH_REFINE_H

#include "thud/study.h"

/* Puts `before` NUMBER `after` in the place of a number or expression, which stands at the path. */
thud_error thud_kind_rewrite(thud_tree *tree, const thud_node *number, const char *path, const char *before,
                             const char *after);
/* THUD_ERROR_UNSUPPORTED: this mesh comes from elsewhere. */
thud_error thud_kind_refuse_mesh(const thud_node *mesh);

extern const thud_kind_study thud_line_study, thud_surface_study, thud_half_plane_study;

#endif
