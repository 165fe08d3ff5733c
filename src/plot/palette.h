/* Few colours for images that have many: what a palette of PNG needs. */
#ifndef THUD_SRC_PLOT_PALETTE_H
#define THUD_SRC_PLOT_PALETTE_H

#include "base/base.h"

#include <stdint.h>

enum { PALETTE_MOST = 255 }; /* one of the 256 indices is left for what shows the image behind */

/* A colour 0xRRGGBB, how often it was counted, and which of the palette stands for it. */
typedef struct palette_entry {
  uint32_t colour;
  unsigned char index;
  double count;
} palette_entry;

typedef struct palette {
  thud_context *context;
  size_t entry_count, entry_capacity;
  palette_entry *entries;
  size_t slot_count; /* a power of 2, or 0 */
  uint32_t *slots;   /* [slot_count] number of an entry + 1; 0: empty */
  size_t count;
  uint32_t colours[PALETTE_MOST]; /* [count] once it is made */
} palette;

/* Zeroed but for its context at first; released also after a failure. */
thud_error thud_palette_count(palette *colours, uint32_t colour);
/* Chooses at most PALETTE_MOST colours for those that were counted: themselves when they are not more. */
thud_error thud_palette_make(palette *colours);
/* Number of the colour that stands for one that was counted. */
unsigned char thud_palette_index(const palette *colours, uint32_t colour);
void thud_palette_release(palette *colours);

#endif
