/* Generators of bodies: entries {generate: NAME, ...} of `bodies`. One row of the table in bodies_generate.c each. */
#ifndef THUD_SRC_KINDS_BODIES_BODIES_GENERATE_H
#define THUD_SRC_KINDS_BODIES_BODIES_GENERATE_H

#include "kinds/bodies/bodies_scene.h"

#define BODIES_PI 3.14159265358979323846

/* A generator at work. Up is the last axis: z in space, y in the plane. */
typedef struct bodies_generator {
  bodies_scene *made;
  const thud_node *node;
  const char *name;       /* bodies are NAME-1, NAME-2, ... */
  size_t number;          /* of the last one */
  bodies_pattern pattern; /* `body`, unless the generator has shapes of its own */
  thud_vec3 position;
  double jitter; /* random moves along each axis, up to this */
  thud_random random;
} bodies_generator;

thud_error thud_bodies_generate_packing(bodies_generator *made);
thud_error thud_bodies_generate_drum(bodies_generator *made);
thud_error thud_bodies_generate_wall(bodies_generator *made);
thud_error thud_bodies_generate_arch(bodies_generator *made);
thud_error thud_bodies_generate_chain(bodies_generator *made);

/* `count` of the entry, which it needs. */
thud_error thud_bodies_generator_count(const bodies_generator *made, const thud_node *map, size_t *count);
/* A number of the entry that it needs, > 0. */
thud_error thud_bodies_generator_length(const bodies_generator *made, const char *key, double *value);
/* x, depth (y in space, nothing in the plane) and height as a vector. */
thud_vec3 thud_bodies_generator_place(const bodies_generator *made, double x, double depth, double height);
/* A turn of the x axis towards the one that points up is by a negative angle; this turns up towards x. */
thud_quat thud_bodies_generator_lean(const bodies_generator *made, double angle);
/* The next body of the pattern, at `place` from the generator's position, with jitter. */
thud_error thud_bodies_generator_add(bodies_generator *made, const bodies_pattern *pattern, thud_vec3 place,
                                     thud_quat rotation);
/* Reads the pattern `body` for a shape of the generator's own. */
thud_error thud_bodies_generator_read_body(bodies_generator *made, thud_index shape);

#endif
