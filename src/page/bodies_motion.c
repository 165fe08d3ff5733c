/* Second pass over recorded bodies: the poses of those that move, some frames at a time, each time in a block of its
 * own. */
#include "page/page_bodies.h"

#include <math.h>

enum { NUMBERS_AT_ONCE = 1 << 22, LEAST_ROWS = 16 };

typedef struct motion_chunk {
  page_bodies *bodies;
  size_t most_rows, turn_width; /* turn_width: numbers per rotation */
  double *position;             /* [most_rows x moving*d] */
  double *turn;                 /* [most_rows x moving*turn_width] */
  double *last;                 /* [moving*turn_width] rotations of the frame before */
} motion_chunk;

/* A quaternion and its opposite are the same rotation: that which is near the last one. */
static void put_quaternion(thud_quat q, double *last, double *x) {
  double sign = q.w * last[0] + q.x * last[1] + q.y * last[2] + q.z * last[3] < 0 ? -1 : 1;
  const double numbers[4] = {sign * q.w, sign * q.x, sign * q.y, sign * q.z};
  for (int i = 0; i < 4; i++) x[i] = last[i] = numbers[i];
}

/* About z, in the plane: the angle that is near the last one. */
static void put_angle(thud_quat q, double *last, double *x) {
  const double turn = 6.283185307179586;
  double angle = 2 * atan2(q.z, q.w);
  if (isfinite(*last)) angle += turn * round((*last - angle) / turn); /* a frame that is not known ends nothing */
  *x = *last = angle;
}

static void put_row(const motion_chunk *chunk, size_t place, const body_row *row) {
  const page_bodies *bodies = chunk->bodies;
  size_t m = bodies->moving_count, d = (size_t)bodies->dimension;
  for (size_t k = 0; k < m; k++) {
    const thud_pose *pose = &row->pose[bodies->moving[k]];
    double *x = chunk->position + (place * m + k) * d;
    x[0] = pose->position.x;
    x[1] = pose->position.y;
    if (d == 3) x[2] = pose->position.z;
    double *turn = chunk->turn + (place * m + k) * chunk->turn_width, *last = chunk->last + k * chunk->turn_width;
    if (d == 3)
      put_quaternion(pose->rotation, last, turn);
    else
      put_angle(pose->rotation, last, turn);
  }
}

static void write_chunk(motion_chunk *chunk, size_t first, size_t rows) {
  page_bodies *bodies = chunk->bodies;
  page_build *page = bodies->record->page;
  const double none = 0;
  size_t m = bodies->moving_count, d = (size_t)bodies->dimension;
  for (size_t k = 0; k < rows; k++) {
    body_row row;
    if (!thud_page_take(page, thud_body_record_read(&bodies->rows, bodies->frames[first + k], &row))) return;
    put_row(chunk, k, &row);
    if (!thud_page_take(page, thud_page_keep_contacts(bodies, first + k, &row))) return;
  }
  const double steps[3] = {bodies->step, bodies->step, bodies->step};
  if (!thud_page_take(page, thud_page_blocks_cut(&page->blocks))) return;
  thud_json_begin_object(&page->json);
  thud_json_integer_field(&page->json, "first", (int64_t)first);
  thud_json_integer_field(&page->json, "frames", (int64_t)rows);
  thud_page_quantised(page, "position", rows, m * d, chunk->position, (page_grid){d, steps, bodies->low});
  thud_page_quantised(page, "rotation", rows, m * chunk->turn_width, chunk->turn,
                      (page_grid){1, &bodies->turn_step, &none});
  thud_json_end_object(&page->json);
}

static thud_error allocate(motion_chunk *chunk) {
  const page_bodies *bodies = chunk->bodies;
  thud_context *context = bodies->record->page->context;
  size_t m = bodies->moving_count, d = (size_t)bodies->dimension, numbers;
  chunk->turn_width = d == 3 ? 4 : 1;
  chunk->most_rows = NUMBERS_AT_ONCE / (m * (d + chunk->turn_width) + 1);
  if (chunk->most_rows < LEAST_ROWS) chunk->most_rows = LEAST_ROWS;
  if (chunk->most_rows > bodies->frame_count) chunk->most_rows = bodies->frame_count;
  if (!thud_size_multiply(chunk->most_rows, m, &numbers)) return THUD_ERROR_MEMORY;
  chunk->position = thud_alloc(context, numbers, d * sizeof(double));
  chunk->turn = thud_alloc(context, numbers, chunk->turn_width * sizeof(double));
  chunk->last = thud_alloc(context, m, chunk->turn_width * sizeof(double));
  return chunk->position != NULL && chunk->turn != NULL && chunk->last != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

void thud_page_write_motion(page_bodies *bodies) {
  page_build *page = bodies->record->page;
  motion_chunk chunk = {.bodies = bodies};
  thud_json_key(&page->json, "chunks");
  thud_json_begin_array(&page->json);
  if (thud_page_take(page, allocate(&chunk)))
    for (size_t first = 0; first < bodies->frame_count && thud_page_state(page) == THUD_OK; first += chunk.most_rows) {
      size_t left = bodies->frame_count - first;
      write_chunk(&chunk, first, left < chunk.most_rows ? left : chunk.most_rows);
    }
  thud_json_end_array(&page->json);
  thud_page_take(page, thud_page_blocks_cut(&page->blocks));
  void *const arrays[] = {chunk.position, chunk.turn, chunk.last};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(page->context, arrays[k]);
}
