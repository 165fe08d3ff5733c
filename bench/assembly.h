/* Rigid bodies with contacts and joints at given places, as one step's contact problem. Arrays grow as things are
 * added; there is no geometry here: whoever adds a contact knows where it is. */
#ifndef THUD_BENCH_ASSEMBLY_H
#define THUD_BENCH_ASSEMBLY_H

#include "thud/contact.h"

enum { ASSEMBLY_WORLD = -1 };

typedef struct assembly_body {
  double place[3], mass, inertia[3]; /* about the axes of the frame of reference; inertia of a planar body: [2] */
  double velocity[6];                /* at the beginning of the step: (v, omega) */
} assembly_body;

typedef struct assembly_contact {
  thud_index a, b;            /* b may be ASSEMBLY_WORLD */
  double place[3], normal[3]; /* the normal points to a */
  double mu;
} assembly_contact;

/* A pin that holds the point of a on b: the rows of a joint are the velocities along the three axes (two in the plane),
 * and, with `hinge`, the two components of the relative spin across that axis. */
typedef struct assembly_joint {
  thud_index a, b;
  double place[3];
  bool hinge;
  double axis[3];
} assembly_joint;

typedef struct assembly {
  bool planar;
  size_t body_count, contact_count, joint_count;
  size_t body_capacity, contact_capacity, joint_capacity;
  assembly_body *bodies;
  assembly_contact *contacts;
  assembly_joint *joints;
} assembly;

thud_index assembly_add_body(assembly *set, const assembly_body *body);
void assembly_add_contact(assembly *set, const assembly_contact *contact);
void assembly_add_joint(assembly *set, const assembly_joint *joint);
void assembly_free(assembly *set);

/* What a step of the assembly is to look like as a problem. */
typedef struct assembly_form {
  thud_index dimension; /* of a contact: 1 to 6; planar: 1, 2 */
  thud_contact_form form;
  thud_matrix_storage storage; /* of W in the local form */
  double step;                 /* s; gravity 9.81 m/s^2 along -z (planar: -y) acts during it */
  double mu_rolling, mu_spinning;
} assembly_form;

thud_error assembly_make_problem(thud_context *context, const assembly *set, const assembly_form *form,
                                 thud_owned_problem **made);

#endif
