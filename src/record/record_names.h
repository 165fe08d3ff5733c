/* Words that records use for their parts. */
#ifndef THUD_SRC_RECORD_NAMES_H
#define THUD_SRC_RECORD_NAMES_H

#include "thud/record.h"

enum { THUD_RECORD_PART_LENGTH = THUD_RECORD_NAME_LENGTH + 40 };

/* "frames/data/t", "events/data/impulse/ends" and their like; text has THUD_RECORD_PART_LENGTH bytes. */
void thud_record_part(thud_record_table table, const char *part, const char *name, const char *rest, char *text);
/* Names that the components of a channel have: one per component, of ragged channels one per place in a group. */
size_t thud_record_component_count(const thud_record_channel *channel);

/* Name of the derivative of a series with left limits: "v" where those are called "v_left", otherwise the name of the
 * series with a prime behind. */
void thud_record_name_derivative(const thud_record_channel *series, char name[THUD_RECORD_NAME_LENGTH + 2]);

/* The attribute `group`: 0 of a fixed width, otherwise at least 1. */
size_t thud_record_stored_group(const thud_record_channel *channel);

/* "line", "hold", ...; NULL for no look. */
const char *thud_record_look_name(thud_record_look look);
/* false: there is no such look. */
bool thud_record_look_of(const char *name, thud_record_look *look);

#endif
