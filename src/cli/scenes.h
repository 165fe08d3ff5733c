/* What the commands that read scenes share. */
#ifndef THUD_SRC_CLI_SCENES_H
#define THUD_SRC_CLI_SCENES_H

#include "cli/cli.h"

/* Reads the file, applies every --set KEY=VALUE and builds the scene. */
thud_error cli_load_scene(const cli_call *call, const char *path, thud_scene **scene);

#endif
