/* What thud new lists and copies. */
#ifndef THUD_SRC_CLI_NEW_H
#define THUD_SRC_CLI_NEW_H

#include "cli/cli.h"
#include "cli/embedded.h"

/* "bodies", "string", ..., "problem": the first section of the scene that is one of a kind. "" when there is none. */
const char *cli_kind_of_text(const char *text);
/* The starters with their kinds and titles, as text or JSON; returns the exit code. */
int cli_list_starters(const cli_call *call);
/* All examples by topic, each with the sentence that its comment begins with. */
int cli_list_examples(const cli_call *call);
/* A name without its folder. */
const char *cli_name_without_folder(const char *name);

#endif
