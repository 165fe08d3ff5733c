/* The viewer that every page carries: viewer/dist/viewer.js and viewer.css as they are, generated at build time
 * (cmake/embed_viewer.cmake). */
#ifndef THUD_SRC_PAGE_VIEWER_H
#define THUD_SRC_PAGE_VIEWER_H

#include <stddef.h>

extern const char thud_viewer_script[], thud_viewer_style[];
extern const size_t thud_viewer_script_length, thud_viewer_style_length;

#endif
