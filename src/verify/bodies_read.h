/* Reading the resolved scene of rigid bodies. */
#ifndef THUD_SRC_VERIFY_BODIES_READ_H
#define THUD_SRC_VERIFY_BODIES_READ_H

#include "verify/bodies.h"

/* bodies_read_shapes.c: the arrays of the shape are freed also after a failure. */
thud_error thud_verify_read_shape(thud_context *context, const thud_node *map, verify_shape *shape);
/* bodies_read_laws.c: materials and the laws of their pairs. */
thud_error thud_verify_read_laws(verify_bodies *bodies, const thud_node *all);
/* bodies_read_motion.c: what acts on a body, and the path of one. Forces and paths of bodies of one type are shared. */
thud_error thud_verify_read_push(verify_bodies *bodies, const thud_node *type, verify_push **push);
thud_error thud_verify_read_path(verify_bodies *bodies, const thud_node *type, verify_path **path);
void thud_verify_free_push(thud_context *context, verify_push *push);
void thud_verify_free_path(thud_context *context, verify_path *path);

/* A vector of the scene's dimension under a key. */
thud_error thud_verify_read_vector(const verify_bodies *bodies, const thud_node *map, const char *key,
                                   thud_vec3 *vector);
/* Numbers that may be missing stay as they are. */
thud_error thud_verify_read_plain(const thud_node *map, const char *key, double *value);

#endif
