/* Records written by hand, and what their pictures show. */
#ifndef THUD_TEST_TOY_PICTURES_H
#define THUD_TEST_TOY_PICTURES_H

#include "thud/plot.h"
#include "thud/record.h"

#define NUMBERS(...)                                                                                                   \
  { .values = (const double[]){__VA_ARGS__}, .count = sizeof((const double[]){__VA_ARGS__}) / sizeof(double) }
#define NOTHING                                                                                                        \
  { .count = 0 }
#define WORD(word)                                                                                                     \
  { .text = (word), .count = sizeof(word) - 1 }

/* A record with the title "Toy" in the test's folder; cells row by row. resolved (may be NULL): its scene. */
void thud_test_write_record(thud_context *context, const char *name, const char *resolved,
                            const thud_record_layout *layout, size_t frames, const thud_record_cell *frame_cells,
                            size_t events, const thud_record_cell *event_cells);
/* The picture of one record of that folder. */
thud_picture *thud_test_picture(thud_context *context, const char *name, thud_plot_choice choice);
/* Its panel number p, which has this label, unit and number of series. */
const thud_plot_panel *thud_test_panel(const thud_picture *picture, size_t p, const char *label, const char *unit,
                                       size_t series);
/* points: x0, y0, x1, y1, ... */
void thud_test_series(const thud_plot_panel *panel, size_t k, const char *label, thud_plot_style style, size_t count,
                      const double *points);
#define ASSERT_SERIES(panel, k, label, style, ...)                                                                     \
  thud_test_series(panel, k, label, style, sizeof((const double[]){__VA_ARGS__}) / (2 * sizeof(double)),               \
                   (const double[]){__VA_ARGS__})
/* Successive points at the same x. */
size_t thud_test_jump_count(const thud_plot_series *series);
/* The choice is refused with this error and a message that has the piece. */
void thud_test_refuse_picture(thud_context *context, const char *name, thud_plot_choice choice, thud_error error,
                              const char *piece);

#endif
