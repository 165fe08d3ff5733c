/* What record's other files need of a reader and users do not. */
#ifndef THUD_SRC_RECORD_READER_H
#define THUD_SRC_RECORD_READER_H

#include "thud/record.h"

thud_context *thud_record_reader_context(const thud_record_reader *reader);

#endif
