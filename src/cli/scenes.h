/* Shared by the commands that read scenes. */
#ifndef THUD_SRC_CLI_SCENES_H
#define THUD_SRC_CLI_SCENES_H

#include "cli/cli.h"

/* Reads the file and applies every --set KEY=VALUE. */
thud_error cli_load_tree(const cli_call *call, const char *path, thud_tree **tree);
/* The same, and builds the scene. */
thud_error cli_load_scene(const cli_call *call, const char *path, thud_scene **scene);

/* Applies the settings of --set one after the other. */
thud_error cli_apply_settings(const cli_call *call, thud_tree *tree);

#endif
