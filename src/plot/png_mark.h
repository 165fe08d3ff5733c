/* The chunk of a PNG that names the program (Portable Network Graphics, section 11.3.3.2: tEXt, keyword Software). */
#ifndef THUD_SRC_PLOT_PNG_MARK_H
#define THUD_SRC_PLOT_PNG_MARK_H

#include "base/base.h"

#define PNG_SOFTWARE "Software\0thud " THUD_VERSION
#define PNG_SOFTWARE_BYTES ((const unsigned char *)PNG_SOFTWARE)

enum { PNG_HEAD = 33, PNG_MARK = sizeof PNG_SOFTWARE - 1 + 12 }; /* bytes of signature and IHDR; of the chunk */

typedef struct thud_png_mark {
  unsigned char bytes[PNG_MARK];
  size_t count;
} thud_png_mark;

/* Length, type, text and checksum. */
thud_png_mark thud_png_make_mark(void);

#endif
