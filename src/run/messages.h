/* The tables behind thud/explain.h: one row per code. A tag in the format of a failure, "[unknown-key] ...", and the code of a
 * warning name a row; test_messages.py holds that. */
#ifndef THUD_SRC_RUN_MESSAGES_H
#define THUD_SRC_RUN_MESSAGES_H

#include "thud/explain.h"

/* Each ends with a row without a code. */
extern const thud_message_help thud_messages_of_warnings[], thud_messages_of_scenes[], thud_messages_of_runs[];

#endif
