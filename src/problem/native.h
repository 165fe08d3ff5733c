/* The native format of contact problems: a YAML file and Matrix Market files beside it (docs/problem-formats.md).
 * It belongs here because it is read through scene trees and writes laws in the syntax of scenes. */
#ifndef THUD_SRC_SCENE_PROBLEM_NATIVE_H
#define THUD_SRC_SCENE_PROBLEM_NATIVE_H

#include "base/json.h"
#include "contact/discs.h"
#include "problem/file.h"
#include "thud/tree.h"

enum { THUD_NATIVE_VERSION = 1 };

/* Values of the key 'friction', by thud_contact_friction. */
static const char *const thud_native_friction_names[] = {"by-dimension", "plane-rolling"};

thud_error thud_native_read(thud_context *context, const char *path, thud_problem_kind kind, thud_problem_file **file);
/* folder: where the matrix files are, "" for the current one (ends in '/' otherwise). */
thud_error thud_native_read_tree(thud_context *context, const thud_tree *tree, const char *folder,
                                 thud_problem_kind kind, thud_problem_file **file);
thud_error thud_native_write(thud_context *context, const char *path, const thud_problem_contents *contents,
                             bool overwrite);

/* The friction law of a node in the syntax of scenes ({ellipsoid: {...}}), with constant numbers. */
thud_error thud_native_read_law(thud_context *context, const thud_node *node, thud_index dimension, thud_set **law);
/* The same text from a set. THUD_ERROR_UNSUPPORTED for a set that the syntax cannot express. */
thud_error thud_native_print_law(thud_context *context, const thud_set *law, thud_text *text);
/* "[1, 2.5]" */
void thud_native_print_numbers(thud_text *text, size_t count, const double *numbers);

#endif
