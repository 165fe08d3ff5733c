/* The table of events of a record: what every kind has in it, and lists of constraints and reactions. */
#ifndef THUD_SRC_VERIFY_VERIFY_EVENTS_H
#define THUD_SRC_VERIFY_VERIFY_EVENTS_H

#include "verify/verify_channels.h"
#include "verify/system/verify_system.h"

typedef struct verify_events {
  size_t count;                     /* events whose frame is there */
  double *t, *kind;                 /* [count] */
  double *frame;                    /* [count] number of the frame that shows the event, does not decrease */
  double *before, *after;           /* [count x n] */
  verify_ragged constraints;        /* of systems: numbers of those to which something happens */
  verify_ragged reactions, impulse; /* of systems: components, and their impulses */
} verify_events;

/* The columns that all kinds share; kinds: names of the values of `kind`. A record that is unfinished may end with
 * events whose frame is not there yet: they are left out. */
thud_error thud_verify_events_read(thud_context *context, thud_record_reader *reader, size_t n, size_t kinds,
                                   const char *const *names, verify_events *events, thud_verify_check *check);
/* Those of systems besides. */
thud_error thud_verify_events_read_lists(const verify_system *system, thud_record_reader *reader, verify_events *events,
                                         thud_verify_check *check);
void thud_verify_events_free(thud_context *context, verify_events *events);

/* The same numbers, bit for bit? */
bool thud_verify_same_numbers(size_t count, const double *a, const double *b);

/* What frame k says of its event e. */
typedef struct verify_claim {
  const verify_system *system;
  const double *marks;   /* [m] not 0: something happens to the constraint */
  const double *impulse; /* [m+s] of the constraints marked; NULL: of none */
  bool all_impulses;     /* those of other constraints are listed, too, where they are not 0 */
  bool own_laws;         /* the impulses of friction laws that belong to no constraint are listed, too */
  double t;
  size_t frame;
} verify_claim;
/* The event has the frame's time and lists its constraints and impulses, in their order and nothing else. */
void thud_verify_event_compare(const verify_claim *claim, const verify_events *events, size_t e,
                               thud_verify_check *check);

#endif
