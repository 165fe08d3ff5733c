/* Solids by a depth buffer. */
#include "plot/raster.h"
#include "base/base.h"

#include <math.h>

thud_error thud_raster_begin(thud_context *context, size_t columns, size_t rows, int fineness, double left, double top,
                             double dots_per_length, raster *made) {
  size_t count;
  *made = (raster){.context = context,
                   .fineness = fineness,
                   .width = columns * (size_t)fineness,
                   .height = rows * (size_t)fineness,
                   .left = left,
                   .top = top,
                   .scale = dots_per_length * fineness};
  if (!thud_size_multiply(made->width, made->height, &count))
    return thud_fail(context, THUD_ERROR_OVERFLOW, "plot: an image of %zu x %zu dots is too large", columns, rows);
  for (int layer = 0; layer < RASTER_LAYERS; layer++) {
    raster_sample *samples = made->samples[layer] = THUD_NEW_ARRAY(context, raster_sample, count);
    if (samples == NULL) return THUD_ERROR_MEMORY;
    for (size_t k = 0; k < count; k++) samples[k] = (raster_sample){.depth = -INFINITY, .item = RASTER_NOTHING};
  }
  return THUD_OK;
}

void thud_raster_end(raster *made) {
  for (int layer = 0; layer < RASTER_LAYERS; layer++) thud_free(made->context, made->samples[layer]);
}

/* ---- normals ----------------------------------------------------------------------------------------------------------- */

static uint32_t pack(thud_vec3 n) {
  uint32_t u = (uint32_t)lround((n.x + 1) * RASTER_NORMAL_STEPS), v = (uint32_t)lround((n.y + 1) * RASTER_NORMAL_STEPS);
  return u << 20 | v << 10 | (uint32_t)lround((n.z + 1) * RASTER_NORMAL_STEPS);
}

/* ---- solids ------------------------------------------------------------------------------------------------------------ */

/* Numbers of the samples whose middles lie in [low, high], of `count`. */
typedef struct span {
  size_t first, end;
} span;

static span samples_between(double low, double high, size_t count) {
  double first = fmax(0, ceil(low - 0.5)), end = fmin((double)count, floor(high - 0.5) + 1);
  if (!(first < end)) return (span){0, 0};
  return (span){(size_t)first, (size_t)end};
}

static void put(raster *made, int layer, size_t row, size_t column, double depth, thud_vec3 normal, int32_t item) {
  raster_sample *sample = &made->samples[layer][row * made->width + column];
  if (!((float)depth > sample->depth)) return;
  *sample = (raster_sample){.depth = (float)depth, .normal = pack(normal), .item = item};
}

void thud_raster_sphere(raster *made, int layer, int32_t item, thud_vec3 centre, double radius) {
  double x = (centre.x - made->left) * made->scale, y = (made->top - centre.y) * made->scale, r = radius * made->scale;
  if (!(r > 0)) return;
  span rows = samples_between(y - r, y + r, made->height), columns = samples_between(x - r, x + r, made->width);
  for (size_t row = rows.first; row < rows.end; row++)
    for (size_t column = columns.first; column < columns.end; column++) {
      double u = ((double)column + 0.5 - x) / r, v = (y - (double)row - 0.5) / r, rest = 1 - u * u - v * v;
      if (rest < 0) continue;
      thud_vec3 normal = {u, v, sqrt(rest)};
      put(made, layer, row, column, centre.z + radius * normal.z, normal, item);
    }
}

/* A corner in samples, rows downwards. */
static thud_vec3 on_grid(const raster *made, thud_vec3 p) {
  return thud_vec3_make((p.x - made->left) * made->scale, (made->top - p.y) * made->scale, p.z);
}

static thud_vec3 towards_eye(thud_vec3 normal) {
  thud_vec3 unit = {0, 0, 1};
  if (normal.z < 0) normal = thud_vec3_negate(normal);
  thud_vec3_normalise(normal, &unit);
  return unit;
}

static double least(double a, double b, double c) { return fmin(a, fmin(b, c)); }
static double most(double a, double b, double c) { return fmax(a, fmax(b, c)); }

/* Barycentric coordinates by the areas of the triangles with each side. */
void thud_raster_triangle(raster *made, int layer, int32_t item, const thud_vec3 corners[3],
                          const thud_vec3 normals[3]) {
  const thud_vec3 a = on_grid(made, corners[0]), b = on_grid(made, corners[1]), c = on_grid(made, corners[2]);
  double area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
  if (area == 0 || !isfinite(area)) return;
  span rows = samples_between(least(a.y, b.y, c.y), most(a.y, b.y, c.y), made->height);
  span columns = samples_between(least(a.x, b.x, c.x), most(a.x, b.x, c.x), made->width);
  for (size_t row = rows.first; row < rows.end; row++)
    for (size_t column = columns.first; column < columns.end; column++) {
      double x = (double)column + 0.5, y = (double)row + 0.5;
      double of_a = ((b.x - x) * (c.y - y) - (b.y - y) * (c.x - x)) / area;
      double of_b = ((c.x - x) * (a.y - y) - (c.y - y) * (a.x - x)) / area, of_c = 1 - of_a - of_b;
      if (of_a < 0 || of_b < 0 || of_c < 0) continue;
      thud_vec3 normal = thud_vec3_scale(of_a, normals[0]);
      normal = thud_vec3_add_scaled(thud_vec3_add_scaled(normal, of_b, normals[1]), of_c, normals[2]);
      put(made, layer, row, column, of_a * a.z + of_b * b.z + of_c * c.z, towards_eye(normal), item);
    }
}

/* ---- the image --------------------------------------------------------------------------------------------------------- */

static uint32_t dot_colour(const raster *made, raster_colour_fn colour, void *user, size_t row, size_t column) {
  size_t side = (size_t)made->fineness;
  float sum[3] = {0, 0, 0};
  uint32_t bits = 0;
  for (size_t i = 0; i < side; i++)
    for (size_t j = 0; j < side; j++) {
      float rgb[3] = {1, 1, 1};
      colour(user, made, row * side + i, column * side + j, rgb);
      for (int c = 0; c < 3; c++) sum[c] += rgb[c];
    }
  for (int c = 0; c < 3; c++) {
    float mean = sum[c] / (float)(side * side);
    bits = bits << 8 | (uint32_t)lroundf(255 * fminf(1, fmaxf(0, mean)));
  }
  return bits;
}

/* Rows of an image in the making, one task each. */
typedef struct image_rows {
  const raster *made;
  raster_colour_fn colour;
  void *user;
  unsigned char *data;
  ptrdiff_t stride;
} image_rows;

static void fill_row(void *user, size_t row) {
  const image_rows *rows = user;
  size_t columns = rows->made->width / (size_t)rows->made->fineness;
  uint32_t *line = (uint32_t *)(void *)(rows->data + (ptrdiff_t)row * rows->stride);
  for (size_t column = 0; column < columns; column++)
    line[column] = dot_colour(rows->made, rows->colour, rows->user, row, column);
}

cairo_surface_t *thud_raster_image(const raster *made, raster_colour_fn colour, void *user) {
  size_t side = (size_t)made->fineness, columns = made->width / side, rows = made->height / side;
  cairo_surface_t *image = cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)columns, (int)rows);
  if (cairo_surface_status(image) != CAIRO_STATUS_SUCCESS) return image;
  cairo_surface_flush(image);
  image_rows work = {.made = made,
                     .colour = colour,
                     .user = user,
                     .data = cairo_image_surface_get_data(image),
                     .stride = cairo_image_surface_get_stride(image)};
  thud_parallel_for(made->context, rows, fill_row, &work);
  cairo_surface_mark_dirty(image);
  return image;
}
