/* Kinds of joints between rigid bodies (thud/bodies.h): each is one class in a file of its own, and a row of the table.
 *
 * A joint holds points P_a, P_b and frames A, B of its two bodies together by rows c(q) = 0. Its rows have the rate
 *   dc/dt = force.v_b - force_a.v_a + about_b.w_b - about_a.w_a,
 * v of the centres of mass, so that an impulse l of a row pushes b by l force and turns it by l about_b, and a the other
 * way round. The world takes what is left of both forces (pulleys); of other kinds they are the same.
 *
 * Couplings relate two coordinates q of their bodies by k_0 q_0 + k_1 q_1 = 0. Whoever holds the motion counts them from where
 * the joint began to act, turns included, and puts them into the place. */
#ifndef THUD_SRC_MODEL_JOINT_H
#define THUD_SRC_MODEL_JOINT_H

#include "base/base.h"
#include "thud/bodies.h"

enum { THUD_JOINT_ROWS = 6 }; /* at most */

/* Where a joint is held: world. */
typedef struct thud_joint_place {
  thud_vec3 point_a, point_b;   /* P_a, P_b */
  thud_vec3 centre_a, centre_b; /* of mass; of the world: 0 */
  thud_mat3 A, B;               /* frames, columns: axis, two normals; in the plane: axis, normal, z */
  const thud_joint *joint;
  double counted[2]; /* coordinates of a coupling */
  double length;
  bool planar;
} thud_joint_place;

typedef struct thud_joint_row {
  double value;
  bool is_angle; /* value is one */
  thud_vec3 force, force_a, about_a, about_b;
} thud_joint_row;

/* A coordinate that a joint leaves free, of a beside b. */
typedef enum thud_coordinate_kind {
  THUD_COORDINATE_ANGLE,    /* of a about the axis, in the plane about z */
  THUD_COORDINATE_SHIFT,    /* of P_a along the axis of a */
  THUD_COORDINATE_DISTANCE, /* of P_a and P_b */
  THUD_COORDINATE_PLACE_Y,  /* of P_a along the second axis of b */
  THUD_COORDINATE_PLACE_Z,  /* and along the third one */
  THUD_COORDINATE_PIN_A,    /* angle of a about its axis, beside the axis of b, which is perpendicular */
  THUD_COORDINATE_PIN_B,    /* angle of a about the axis of b */
  THUD_COORDINATE_SWING,    /* angle between both axes, from 0 to pi */
  THUD_COORDINATE_TWIST, /* of a about them: of the turn about the axis of b that is left where the axes are swung together */
  THUD_COORDINATE_OPENING /* of the equation of a coupling */
} thud_coordinate_kind;

typedef struct thud_joint_class {
  const char *name;
  bool in_plane;   /* it exists in the plane */
  bool has_axis;   /* in space; in the plane only the slider's matters */
  bool has_length; /* of the line between P_a and P_b, or of a rope */
  bool has_ends;   /* P_a and P_b are two points */
  int free_count;  /* coordinates at which laws may act, and which they are */
  thud_coordinate_kind free[THUD_JOINT_LAWS];
  const char
      *sections[THUD_JOINT_LAWS]; /* of scenes, with the laws of each; those of the first are the joint's own keys */
  /* Writes the rows at a place; returns how many. */
  size_t (*rows)(const thud_joint_place *place, thud_joint_row row[THUD_JOINT_ROWS]);
  /* Couplings: q_0, q_1 with their rates; angles from -pi to pi. Others: NULL. */
  void (*coordinates)(const thud_joint_place *place, thud_joint_row q[2]);
  /* What keeps a coupling from having coordinates at a place, NULL: nothing. May be NULL. */
  const char *(*fault)(const thud_joint_place *place);
} thud_joint_class;

extern const thud_joint_class thud_joint_ball, thud_joint_hinge, thud_joint_slider, thud_joint_cylindrical,
    thud_joint_universal, thud_joint_planar, thud_joint_fixed, thud_joint_rod, thud_joint_screw, thud_joint_gear,
    thud_joint_rack, thud_joint_pulley, thud_joint_rope;

/* The class of a kind of thud_joint_kind. */
THUD_FOR_IO const thud_joint_class *thud_joint_class_of(int kind);
/* Names in the order of thud_joint_kind; NULL at the end. */
THUD_FOR_IO const char *const *thud_joint_names(void);

/* Where a joint is at poses of its bodies (of the centres of mass); pose_b NULL: the world. */
thud_joint_place thud_joint_place_at(const thud_joint *joint, bool planar, const thud_pose *pose_a,
                                     const thud_pose *pose_b);
/* P_a and P_b have the same coordinate along e, which is fixed in a. */
thud_joint_row thud_joint_along(const thud_joint_place *place, thud_vec3 e);
/* u, fixed in a, and w, fixed in b, stay perpendicular. */
thud_joint_row thud_joint_across(thud_vec3 u, thud_vec3 w);
/* P_a and P_b are `length` apart. */
thud_joint_row thud_joint_apart(const thud_joint_place *place, double length);
/* The rows that hold: none of a coupling with laws at its opening. */
size_t thud_joint_rows(const thud_joint_place *place, thud_joint_row row[THUD_JOINT_ROWS]);
/* Its laws alone hold its bodies together: a rope, a coupling that opens. */
bool thud_joint_is_loose(const thud_joint *joint);
/* Coordinate c of a joint, which it has. */
THUD_FOR_IO thud_coordinate_kind thud_joint_free(int kind, bool planar, int c);
THUD_FOR_IO bool thud_coordinate_is_angle(thud_coordinate_kind kind);
/* A coordinate as a row, without the joint's start; angles from -pi to pi. */
thud_joint_row thud_joint_coordinate(const thud_joint_place *place, thud_coordinate_kind kind);
/* The angle about u from e to y, both across u. */
double thud_joint_angle(thud_vec3 u, thud_vec3 e, thud_vec3 y);
/* k_0 q_0 + k_1 q_1 of a coupling, of what was counted. */
thud_joint_row thud_joint_couple(const thud_joint_place *place, const thud_joint_row q[2], double k_0, double k_1);

#endif
