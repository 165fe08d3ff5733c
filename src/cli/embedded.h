/* Files that travel inside the program: scenes, the files that they read, and the schema. Generated at build time. */
#ifndef THUD_SRC_CLI_EMBEDDED_H
#define THUD_SRC_CLI_EMBEDDED_H

#include <stddef.h>

typedef struct cli_embedded {
  const char *name; /* path below examples without suffix ("bodies/dominoes"); of example files with it */
  const char *text;
} cli_embedded;

extern const cli_embedded cli_starters[]; /* examples/NAME.yaml */
extern const size_t cli_starters_count;
extern const cli_embedded cli_examples[]; /* examples/FOLDER/NAME.yaml */
extern const size_t cli_examples_count;
extern const cli_embedded cli_example_files[]; /* matrices, meshes and tables of examples */
extern const size_t cli_example_files_count;
extern const cli_embedded cli_gallery_file[]; /* examples/gallery.json */
extern const cli_embedded cli_schema_file[];

#endif
