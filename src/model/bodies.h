/* Inside of models of rigid bodies (thud/bodies.h).
 *
 * Bodies are rows in the order of adding. Ids lead to them by handles, whose places are used again with the next
 * generation. What belongs to a body (parts, springs) names it by its id: removing a body only ends its handle, and rows,
 * parts and springs without a living body are swept out together, before the model is read or when half of the rows are
 * empty. So adding and removing cost constant time each in the mean, and the memory stays within twice what lives. */
#ifndef THUD_SRC_MODEL_BODIES_H
#define THUD_SRC_MODEL_BODIES_H

#include "base/base.h"
#include "base/names.h"
#include "geom/shape.h"
#include "thud/bodies.h"

typedef struct thud_body_handle {
  uint32_t generation; /* of the body that lives here, or of the next one */
  thud_index row;      /* of the body, -1: none */
  thud_index next;     /* no body: the next free handle, -1: none */
} thud_body_handle;

/* A part as it was given. */
typedef struct thud_body_part {
  thud_body_id body;
  thud_part_def def;
} thud_body_part;

/* The law of two materials that was given for them. */
typedef struct thud_body_pair {
  thud_index low, high; /* materials */
  bool is_swapped;      /* the axis is fixed in the body of `high` */
  thud_surface_law law;
} thud_body_pair;

/* Arrays of the view that are derived from the rest. */
typedef struct thud_bodies_derived {
  const char **name;
  unsigned char *role;
  double *mass;
  thud_vec3 *centre, *velocity, *spin;
  thud_mat3 *inertia, *inverse_inertia;
  thud_pose *pose;
  thud_index *part_start, *part_body, *part_shape_number, *part_material;
  const thud_shape **part_shape;
  thud_pose *part_pose;
  double *part_density;
  thud_spring_def *springs;
  thud_index *spring_a, *spring_b;
  thud_joint *joints;
} thud_bodies_derived;

struct thud_bodies {
  thud_context *context;
  bool planar;
  thud_vec3 gravity;

  size_t shape_count, shape_capacity;
  thud_shape **shapes;
  size_t material_count, material_capacity, material_name_capacity;
  thud_surface_law *materials;
  char **material_names;
  size_t pair_count, pair_capacity;
  thud_body_pair *pairs; /* increasing by (low, high) */

  size_t handle_count, handle_capacity;
  thud_body_handle *handles;
  thud_index free_handle; /* -1: none */
  size_t row_count, row_capacity, row_handle_capacity;
  thud_body_def *rows;    /* [row_count] names owned; NULL: the body was removed */
  thud_index *row_handle; /* [row_count] */
  size_t removed;         /* rows without a body */
  thud_names names;       /* to handles; texts are those of the rows */
  uint64_t next_name;     /* N of the last "body-N" that was made up */

  size_t part_count, part_capacity;
  thud_body_part *parts;
  size_t spring_count, spring_capacity, springs_added;
  thud_spring_def *springs; /* names owned */
  size_t joint_count, joint_capacity, joints_added;
  thud_joint_def *joints; /* names owned */
  thud_names joint_names; /* texts are those of the joints */

  bool is_complete;
  thud_index refused; /* body that thud_bodies_complete, or a motion at its start, last refused; -1: not one body */
  uint64_t revision;  /* counts changes: motions compare it with the one that they know */
  thud_bodies_derived derived;
};

/* Something was added or removed: what was derived no longer holds. */
static inline void thud_bodies_touch_model(thud_bodies *bodies) {
  bodies->is_complete = false;
  bodies->revision++;
}

/* ---- bodies.c ----------------------------------------------------------------------------------------------------- */

/* Row of the body, -1 when the id is of none. */
THUD_FOR_IO thud_index thud_bodies_row(const thud_bodies *bodies, thud_body_id id);
/* Takes the rows of removed bodies out, and parts and springs that were theirs. */
void thud_bodies_sweep(thud_bodies *bodies);
/* A name made up when none is given; NULL: no memory. */
char *thud_bodies_copy_name(thud_context *context, const char *name, const char *kind, size_t number);

/* ---- bodies_check.c ----------------------------------------------------------------------------------------------- */

/* *own, which holds the defaults, = the definition that is given as far as it is known (both begin with their size). */
thud_error thud_bodies_take_def(thud_context *context, const char *what, const void *given, size_t size, void *own);
/* Finite, and in a planar model z = 0. what: "position". */
thud_error thud_bodies_check_vector(const thud_bodies *bodies, const char *what, thud_vec3 v);
/* A finite number of at least 0. */
thud_error thud_bodies_check_positive(const thud_bodies *bodies, const char *what, double value);
/* The same for a pose; its quaternion, which must be near norm 1, is normalised, in the plane onto a turn about z. */
thud_error thud_bodies_check_pose(const thud_bodies *bodies, thud_pose *pose);
/* Finite, and in a planar model about z. what: "spin". */
thud_error thud_bodies_check_turn(const thud_bodies *bodies, const char *what, thud_vec3 turn);
/* Numbers of a law; its axis becomes a unit vector (bodies_materials.c). */
thud_error thud_bodies_check_law(const thud_bodies *bodies, thud_surface_law *law);
/* Numbers of a body; poses are normalised. */
thud_error thud_bodies_check_body(const thud_bodies *bodies, thud_body_def *def);

/* No inertia is given. */
bool thud_bodies_is_zero(thud_mat3 inertia);

/* ---- bodies_mass.c ------------------------------------------------------------------------------------------------ */

/* Mass, centre, inertia and its inverse of dynamic body i, whose parts are derived (poses in the body's frame). unit:
 * [shape_count] masses of the shapes with density 1. */
thud_error thud_bodies_find_mass(thud_bodies *bodies, thud_index i, const thud_mass_properties *unit);

/* ---- bodies_joints.c ---------------------------------------------------------------------------------------------- */

/* Both bodies of a joint live. */
bool thud_bodies_is_joint_alive(const thud_bodies *bodies, const thud_joint_def *def);
/* Takes joints without a living body out. */
void thud_bodies_sweep_joints(thud_bodies *bodies);
void thud_bodies_free_joints(thud_bodies *bodies);
/* derived.joints; centres of mass are known. */
void thud_bodies_derive_joints(thud_bodies *bodies);

/* ---- bodies_complete.c -------------------------------------------------------------------------------------------- */

void thud_bodies_forget(thud_bodies *bodies);

#endif
