/* Events of the event-driven motion and what a stepped motion has for each of them. */
#ifndef THUD_SRC_KINDS_SYSTEM_SYSTEM_MATCH_H
#define THUD_SRC_KINDS_SYSTEM_SYSTEM_MATCH_H

#include "kinds/system/system_reference.h"

typedef struct study_strays {
  size_t count, capacity;
  thud_against_stray *items;
} study_strays;

typedef struct study_matching {
  const study_reference *reference;
  const study_path *path; /* with contacts and their states */
  int level;
  double step;
  thud_against_match *matches; /* [events of the reference] */
  study_strays *strays;
} study_matching;

/* Which events of the reference are compared: grazes and switches leave no mark in a stepped motion, and of several
 * friction laws without constraint it is not known which one an event belongs to. */
bool thud_study_is_compared(const study_reference *reference, const study_event *event);

thud_error thud_study_match(thud_context *context, const study_matching *matching);

#endif
