/* What a motion of rigid bodies says of itself. */
#ifndef THUD_SRC_KINDS_BODIES_BODIES_REPORT_H
#define THUD_SRC_KINDS_BODIES_BODIES_REPORT_H

#include "kinds/bodies/bodies_scene.h"
#include "thud/kind.h"

/* What belongs to the state beside the motion itself. */
typedef struct bodies_findings {
  thud_body_motion_info info; /* processor times are 0 */
  double largest_kinetic;
  bool begun;    /* the start has been handed out */
  size_t change; /* the next of the scene's changes */
} bodies_findings;

/* "coarse", or NULL for good: of a motion that has arrived. Why, in text (may be NULL). */
const char *thud_bodies_judge(const bodies_scene *made, const bodies_findings *found, const thud_body_ledger *ledger,
                              char *text, size_t capacity);
void thud_bodies_report(const bodies_scene *made, const bodies_findings *found, const thud_body_frame *frame,
                        thud_report *report);
thud_error thud_bodies_report_check(const bodies_scene *made, thud_report *report);

#endif
