/* Drawings as pages: a cell for each panel of each drawing, row by row. */
#include "base/base.h"
#include "plot/drawing.h"

static const double values_margin = 8; /* right of panels with surfaces, in sizes of the font */
enum { MOST_IN_A_ROW = 4 };

/* ---- titles ------------------------------------------------------------------------------------------------------------ */

/* A single drawing has its time in the heading, several have them above each. */
static void write_titles(const drawn_title *title, size_t count, const drawn_picture *pictures, drawn_sheet *made) {
  char time[THUD_PLOT_TEXT];
  size_t panels = made->sheet.count / count;
  thud_snapshot_write_time(pictures[0].t, title->time_step, title->time_unit, time);
  thud_snapshot_join((const char *const[3]){title->title, count == 1 ? time : NULL, NULL}, made->heading);
  for (size_t k = 0; k < made->sheet.count; k++) {
    thud_snapshot_write_time(pictures[k / panels].t, title->time_step, title->time_unit, time);
    const char *name = thud_drawing_panel_at(made->shown[k].drawing, made->shown[k].panel)->title;
    thud_snapshot_join((const char *const[3]){name, count > 1 ? time : NULL, NULL}, made->titles[k]);
  }
}

/* ---- cells ------------------------------------------------------------------------------------------------------------- */

static void fill_cell(drawn_sheet *made, size_t k) {
  static const size_t apart[] = {1};
  const drawn_panel *shown = &made->shown[k];
  const thud_drawing_panel *about = thud_drawing_panel_at(shown->drawing, shown->panel);
  const drawn_room *room = &shown->view->rooms[shown->panel];
  double(*corners)[2] = made->corners[k];
  thud_drawn_view_frame(shown->view, shown->drawing, shown->panel, corners[0], corners[1]);
  made->series[k] = (thud_plot_series){
      .count = 2, .x = corners[0], .y = corners[1], .no_jumps = true, .break_count = 1, .breaks = apart};
  made->panels[k] = (thud_plot_panel){
      .y_label = about->y_label, .y_unit = about->y_unit, .series_count = 1, .series = &made->series[k]};
  made->figures[k] = (thud_plot_figure){.title = made->titles[k],
                                        .x_label = about->x_label,
                                        .x_unit = about->x_unit,
                                        .equal_aspect = about->space || !about->stretched,
                                        .panel_count = 1,
                                        .panels = &made->panels[k]};
  made->painters[k] = (thud_plot_painter){.paint = about->space ? thud_drawn_paint_space : thud_drawn_paint_plane,
                                          .user = &made->shown[k],
                                          .margin = room->low_value <= room->high_value ? values_margin : 0,
                                          .bare = about->space || !about->axes};
  made->cells[k] = (thud_plot_cell){&made->figures[k], &made->painters[k]};
}

static bool allocate(drawn_sheet *made, size_t cells) {
  thud_context *context = made->context;
  made->titles = thud_alloc(context, cells, sizeof *made->titles);
  made->corners = thud_alloc(context, cells, sizeof *made->corners);
  made->series = THUD_NEW_ARRAY(context, thud_plot_series, cells);
  made->panels = THUD_NEW_ARRAY(context, thud_plot_panel, cells);
  made->figures = THUD_NEW_ARRAY(context, thud_plot_figure, cells);
  made->shown = THUD_NEW_ARRAY(context, drawn_panel, cells);
  made->painters = THUD_NEW_ARRAY(context, thud_plot_painter, cells);
  made->cells = THUD_NEW_ARRAY(context, thud_plot_cell, cells);
  return made->titles != NULL && made->corners != NULL && made->series != NULL && made->panels != NULL &&
         made->figures != NULL && made->shown != NULL && made->painters != NULL && made->cells != NULL;
}

void thud_drawn_sheet_release(drawn_sheet *made) {
  thud_free(made->context, made->titles);
  thud_free(made->context, made->corners);
  thud_free(made->context, made->series);
  thud_free(made->context, made->panels);
  thud_free(made->context, made->figures);
  thud_free(made->context, made->shown);
  thud_free(made->context, made->painters);
  thud_free(made->context, made->cells);
}

thud_error thud_drawn_sheet_make(const drawn_view *view, size_t count, const drawn_picture *pictures,
                                 const drawn_title *title, double page_width, drawn_sheet *made) {
  size_t panels = view->panel_count;
  *made = (drawn_sheet){.context = view->context};
  if (!allocate(made, count * panels)) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < count * panels; k++)
    made->shown[k] = (drawn_panel){.view = view, .drawing = pictures[k / panels].drawing, .panel = k % panels};
  thud_drawn_legend_find(pictures[0].drawing, &made->legend);
  made->footer = (thud_plot_painter){.paint = thud_drawn_paint_legend, .user = &made->legend};
  made->sheet = (thud_plot_sheet){.title = made->heading,
                                  .count = count * panels,
                                  .cells = made->cells,
                                  .columns = count > 1 && panels > 1 && panels <= MOST_IN_A_ROW ? panels : 0,
                                  .footer = made->legend.count > 0 ? &made->footer : NULL,
                                  .footer_height = thud_drawn_legend_height(&made->legend, page_width)};
  write_titles(title, count, pictures, made);
  for (size_t k = 0; k < made->sheet.count; k++) fill_cell(made, k);
  return THUD_OK;
}
