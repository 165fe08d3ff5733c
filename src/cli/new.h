/* Scenes that thud new lists and copies. */
#ifndef THUD_SRC_CLI_NEW_H
#define THUD_SRC_CLI_NEW_H

#include "cli/cli.h"
#include "cli/embedded.h"
#include "thud/kind.h"

/* The kind of motion of a scene that travels inside the program; NULL: a contact problem. */
const thud_kind *cli_kind_of_scene(const cli_call *call, const cli_embedded *scene);
/* True if the scene has this section beside that of its kind. */
bool cli_scene_has(const cli_call *call, const cli_embedded *scene, const char *section);
/* A starter or an example by the name that gallery.json has for it; NULL: there is none. */
const cli_embedded *cli_scene_called(const char *name);
/* Content of gallery.json; NULL after a failure, whose message the context has. */
thud_tree *cli_read_gallery(const cli_call *call);
/* The starters with their kinds and titles, as text or JSON; returns the exit code. */
int cli_list_starters(const cli_call *call);
/* All examples by topic, each with the sentence that its comment begins with. */
int cli_list_examples(const cli_call *call);
/* A name without its folder. */
const char *cli_name_without_folder(const char *name);

#endif
