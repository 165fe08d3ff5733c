/* Laws at the coordinates of joints (thud_joint_law): limits, motors and dry friction, each a row of the velocity problem.
 *
 * With J the derivative of a coordinate at the midpoint (of an angle times a length L, so that rows are velocities and their
 * impulses those of contacts) and u = J v + w, the impulse r obeys
 *   low <= r <= high,   u > 0: r = low,   u < 0: r = high,
 * that is -u in the normal cone of the interval at r:
 *   limits    low = 0, high = infinity, J v the rate at which the gap opens, w = e u- of an impact, else as of contacts
 *   motor     high = -low = h at_most/L, w = -L target
 *   friction  high = -low = h bound/L, w = 0
 * The bound of a pin is pin |F|, F the force of its joint over this step. */
#ifndef THUD_SRC_MOTIONS_BODIES_BODY_LAWS_H
#define THUD_SRC_MOTIONS_BODIES_BODY_LAWS_H

#include "base/base.h"
#include "thud/body_motion.h"

typedef enum body_law_kind { BODY_LAW_LOWER, BODY_LAW_UPPER, BODY_LAW_MOTOR, BODY_LAW_FRICTION } body_law_kind;
enum { BODY_LAW_KINDS = 4 };

typedef struct body_law {
  thud_index joint;
  int coordinate;
  body_law_kind kind;
  thud_index a, b;              /* bodies that move; b -1: none */
  double J_a[6], J_b[6];        /* by their velocities */
  double length;                /* impulse r L at the coordinate; negative of upper limits */
  double path_left, path_after; /* J v of bodies on paths, before and after */
  double w, low, high;
  double u_minus, u_free, u; /* J v before, without impulses, after */
  double response;           /* its diagonal of W */
  double r;
  bool impact; /* a limit is approached faster than impact_velocity */
  bool idle;   /* friction of a coordinate that joints hold */
} body_law;

typedef struct body_laws {
  size_t count, capacity, order_capacity, island_capacity, matrix_capacity, work_capacity;
  body_law *list;
  size_t *start; /* [islands+1] */
  size_t *order; /* [count] laws by islands */
  double *W;     /* of the laws of one island, column by column */
  double *work;
  double *spring;              /* [THUD_JOINT_LAWS*joints] forces of springs at the midpoint, on a beside b */
  thud_body_coordinate *shown; /* likewise */
  bool keeps_bounds;           /* bounds of pins stay what they are, whatever the forces of their joints */
  const char *unsettled;       /* why the laws of the island that was judged last have no answer; NULL: they have */
} body_laws;

#endif
