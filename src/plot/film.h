/* Films: pages one after the other, as an animated PNG. */
#ifndef THUD_SRC_PLOT_FILM_H
#define THUD_SRC_PLOT_FILM_H

#include "plot/plot_layout.h"

typedef struct plot_frames {
  size_t count; /* >= 1 */
  /* The page of a frame, borrowed until the next call; all have the same size. */
  thud_error (*show)(void *user, size_t frame, const thud_plot_sheet **sheet);
  void *user;
  double delay; /* of every frame, in s */
} plot_frames;

/* options may be NULL. */
thud_error thud_plot_write_frames(thud_context *context, const plot_frames *frames, const thud_plot_options *options,
                                  const char *path);

#endif
