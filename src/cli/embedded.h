/* Files that travel inside the program: starter scenes and the schema. Generated at build time. */
#ifndef THUD_SRC_CLI_EMBEDDED_H
#define THUD_SRC_CLI_EMBEDDED_H

#include <stddef.h>

typedef struct cli_embedded {
  const char *name; /* file name without directory and suffix */
  const char *text;
} cli_embedded;

extern const cli_embedded cli_starters[];
extern const size_t cli_starter_count;
extern const cli_embedded cli_schema_file[];

#endif
