/* The canvas of cairo, and the functions of all canvases. */
#define THUD_CANVAS_IMPLEMENTATION
#include "plot/canvas.h"

static void stroke(thud_canvas *canvas) { cairo_stroke(canvas->cairo); }
static void clip(thud_canvas *canvas) { cairo_clip(canvas->cairo); }
static void save(thud_canvas *canvas) { cairo_save(canvas->cairo); }
static void restore(thud_canvas *canvas) { cairo_restore(canvas->cairo); }

static void fill(thud_canvas *canvas, bool keep) {
  if (keep)
    cairo_fill_preserve(canvas->cairo);
  else
    cairo_fill(canvas->cairo);
}

static void show(thud_canvas *canvas, const char *text, double along) {
  cairo_text_extents_t extents;
  cairo_text_extents(canvas->cairo, text, &extents);
  cairo_rel_move_to(canvas->cairo, -along * extents.x_advance, 0);
  cairo_show_text(canvas->cairo, text);
  cairo_new_path(canvas->cairo);
}

static void put_image(thud_canvas *canvas, cairo_surface_t *image, double left, double top, double dot) {
  cairo_save(canvas->cairo);
  cairo_translate(canvas->cairo, left, top);
  cairo_scale(canvas->cairo, dot, dot);
  cairo_set_source_surface(canvas->cairo, image, 0, 0);
  cairo_paint(canvas->cairo);
  cairo_restore(canvas->cairo);
}

/* Dots and pages have no groups. */
static void group(thud_canvas *canvas, const char *name, size_t number, const char *title) {
  (void)canvas, (void)name, (void)number, (void)title;
}

static const thud_canvas_class cairo_class = {stroke, fill, clip, save, restore, show, put_image, group};

thud_canvas thud_canvas_on_cairo(cairo_t *cairo) { return (thud_canvas){&cairo_class, cairo}; }

void thud_canvas_stroke(thud_canvas *canvas) { canvas->class->stroke(canvas); }
void thud_canvas_fill(thud_canvas *canvas) { canvas->class->fill(canvas, false); }
void thud_canvas_fill_preserve(thud_canvas *canvas) { canvas->class->fill(canvas, true); }
void thud_canvas_clip(thud_canvas *canvas) { canvas->class->clip(canvas); }
void thud_canvas_save(thud_canvas *canvas) { canvas->class->save(canvas); }
void thud_canvas_restore(thud_canvas *canvas) { canvas->class->restore(canvas); }
void thud_canvas_end_group(thud_canvas *canvas) { canvas->class->group(canvas, NULL, 0, NULL); }

void thud_canvas_text(thud_canvas *canvas, const char *text, double along) { canvas->class->text(canvas, text, along); }

void thud_canvas_image(thud_canvas *canvas, cairo_surface_t *image, double left, double top, double dot) {
  canvas->class->image(canvas, image, left, top, dot);
}

void thud_canvas_group(thud_canvas *canvas, const char *name, size_t number, const char *title) {
  canvas->class->group(canvas, name, number, title);
}
