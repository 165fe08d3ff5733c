/* Animated PNG (Portable Network Graphics, third edition, section 11.3.6: acTL, fcTL, fdAT) with a palette.
 *
 * Frames are added one by one; what is kept of each is the rectangle that differs from the one before, compressed. */
#ifndef THUD_SRC_PLOT_ANIMATION_H
#define THUD_SRC_PLOT_ANIMATION_H

#include "plot/palette.h"

/* A part of the image in dots. */
typedef struct animation_part {
  uint32_t left, top, width, height;
} animation_part;

typedef struct animation_frame {
  animation_part part;
  double delay;        /* s */
  size_t kept_count;   /* bytes */
  unsigned char *kept; /* dots of the part, 0xRRGGBB each, 4 bytes as the machine has them, compressed */
} animation_frame;

typedef struct animation {
  thud_context *context;
  uint32_t width, height;
  size_t count, capacity;
  animation_frame *frames;
  uint32_t *last;  /* [width*height] the frame that was added last */
  palette colours; /* of all parts */
} animation;

/* Bytes that grow. */
typedef struct animation_bytes {
  thud_context *context;
  size_t count, capacity;
  unsigned char *bytes;
} animation_bytes;

/* Released also after a failure. */
thud_error thud_animation_begin(thud_context *context, uint32_t width, uint32_t height, animation *made);
void thud_animation_end(animation *made);
/* dots: rows of `stride` bytes, 4 bytes 0x..RRGGBB each, as cairo has them. delay: how long it is shown, in s. */
thud_error thud_animation_add(animation *made, const unsigned char *dots, size_t stride, double delay);
/* The file, of at least one frame, that begins again for ever. file: zeroed but for its context; its bytes are freed by the
 * caller, also after a failure. */
thud_error thud_animation_write(animation *made, animation_bytes *file);

#endif
