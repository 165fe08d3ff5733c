/* thud/page.h: a page about records: one HTML file that shows motions in any browser, without a network. Layer: page. */
#ifndef THUD_PAGE_H
#define THUD_PAGE_H

#include "thud/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

#define THUD_PAGE_RECORDS 8 /* that fit into one page */

typedef struct thud_page_options {
  size_t size;
  bool overwrite;
  int most_frames; /* of the moving picture; rows of bodies are left out evenly beyond it */
  int most_points; /* of a curve; beyond it those are kept that are seen */
  int most_events; /* rows of the table of events */
  thud_scene *const
      *scenes; /* [records] of records whose kind of motion is the program's own: their scenes, built; NULL,
                                and NULL for single ones: built from the record */
} thud_page_options;

/* The table of the keys (static), and every option at its default with the size field. */
THUD_API const thud_option_table *thud_page_option_table(void);
THUD_OPTIONS_DEFAULT(thud_page_options, thud_page_option_table)

/* Writes the page of these records, side by side with one clock; it appears complete or not at all. title NULL: that of the
 * first record; options may be NULL. */
THUD_API thud_error thud_page_write(thud_context *context, size_t record_count, const char *const *records,
                                    const char *title, const thud_page_options *options, const char *path);

#ifdef __cplusplus
}
#endif
#endif
