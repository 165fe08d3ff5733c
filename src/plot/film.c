/* Films as files. */
#include "plot/film.h"
#include "plot/animation.h"
#include "record/output.h"

#include <string.h>
#include <strings.h>

static thud_error add_frame(const plot_frames *frames, size_t k, const thud_plot_options *options, animation *made) {
  const thud_plot_sheet *sheet;
  cairo_surface_t *image = NULL;
  thud_context *context = made->context;
  thud_error error = frames->show(frames->user, k, &sheet);
  if (error == THUD_OK) error = thud_plot_draw_sheet(context, sheet, options, &image);
  if (error != THUD_OK) return error;
  cairo_surface_flush(image);
  uint32_t width = (uint32_t)cairo_image_surface_get_width(image);
  uint32_t height = (uint32_t)cairo_image_surface_get_height(image);
  if (k == 0) error = thud_animation_begin(context, width, height, made);
  if (error == THUD_OK && (width != made->width || height != made->height))
    error = thud_fail(context, THUD_ERROR_INTERNAL, "[usage] plot: the frames of a film differ in size");
  if (error == THUD_OK)
    error = thud_animation_add(made, cairo_image_surface_get_data(image), (size_t)cairo_image_surface_get_stride(image),
                               frames->delay);
  cairo_surface_destroy(image);
  return error;
}

thud_error thud_plot_write_frames(thud_context *context, const plot_frames *frames, const thud_plot_options *options,
                                  const char *path) {
  thud_plot_options chosen;
  const char *dot = strrchr(path, '.');
  if (dot == NULL || strcasecmp(dot, ".png") != 0)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[file-ending] %s: a film is an animated PNG, its name ends in .png",
                     path);
  thud_error error = thud_options_take(context, thud_plot_option_table(), options, &chosen);
  animation made = {.context = context};
  animation_bytes file = {.context = context};
  for (size_t k = 0; k < frames->count && error == THUD_OK; k++) error = add_frame(frames, k, &chosen, &made);
  if (error == THUD_OK) error = thud_animation_write(&made, &file);
  if (error == THUD_OK) error = thud_output_write(context, path, chosen.overwrite, file.bytes, file.count);
  thud_animation_end(&made);
  thud_free(context, file.bytes);
  return error;
}
