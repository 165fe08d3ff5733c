/* Records of `thud run --branch`: at a fork, reported by a warning, another outcome than that of the scene's law may
 * have
 * been taken. Of such an impact is asked what holds of any outcome: nothing approaches afterwards, impulses lie in
 * their cones, no energy is created. */
#include "verify/event/verify_event_rows.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Forks that the report names. */
enum { NAMED = 3 };

/* Reads `word` and the number after it; NULL: they are not there. */
static const char *read_number(const char *text, const char *word, size_t *number) {
  size_t length = strlen(word);
  if (strncmp(text, word, length) != 0) return NULL;
  char *rest;
  errno = 0;
  *number = strtoul(text + length, &rest, 10);
  return rest == text + length || errno != 0 ? NULL : rest;
}

/* Which outcome, counted from 1, the warning ("outcome 2 of 3 ...") names; 0: it names none. */
static size_t outcome_of(const thud_record_note *note, size_t *of) {
  size_t outcome = 0;
  if (strcmp(note->kind, "fork") != 0) return 0;
  const char *rest = read_number(note->text, "outcome ", &outcome);
  if (rest == NULL || read_number(rest, " of ", of) == NULL) return 0;
  return outcome <= *of ? outcome : 0;
}

static void mark(verify_event_rows *f, double t, size_t outcome) {
  for (size_t k = 0; k < f->count; k++)
    if (f->t[k] == t && f->event[k] == VERIFY_EVENT_IMPACT) f->outcome[k] = (double)outcome;
}

thud_error thud_verify_event_forks(verify_event_rows *f, thud_record_reader *reader, char *text, size_t room) {
  thud_record_info info = thud_record_reader_info(reader);
  size_t named = 0, used = 0;
  thud_error error = THUD_OK;
  text[0] = '\0';
  for (size_t k = 0; k < info.rows[THUD_RECORD_WARNINGS] && error == THUD_OK; k++) {
    thud_record_note note;
    error = thud_record_read_note(reader, THUD_RECORD_WARNINGS, k, &note);
    size_t of = 0, outcome = error == THUD_OK ? outcome_of(&note, &of) : 0;
    if (outcome < 2) continue; /* the first one is that of the law */
    mark(f, note.t, outcome);
    if (named++ >= NAMED || used >= room) continue;
    used += (size_t)snprintf(text + used, room - used, "%s outcome %zu of %zu at t = %.10g",
                             named > 1 ? "," : "branch:", outcome, of, note.t);
  }
  if (named > NAMED && used < room) snprintf(text + used, room - used, " and %zu more", named - NAMED);
  return error;
}
