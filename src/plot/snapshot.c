/* Bodies at times: what is prepared for all pictures of a page, and the page. */
#include "plot/snapshot.h"
#include "base/base.h"
#include "geom/shape_class.h"
#include "plot/film.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double degree = 3.14159265358979323846 / 180;

/* Round shapes are drawn with so many segments around, fewer where there are many bodies. */
enum { SEGMENTS = 48, FEW_SEGMENTS = 20, MANY_PARTS = 2000 };
/* Endless planes are shown up to this multiple of the size of the room. */
static const double plane_reach = 1.1;
/* The frame includes fixed bodies up to these shares of the size beyond the moving ones, and planes below or beside bodies
 * that are nearer than so many sizes. */
static const double whole_reach = 0.6, still_reach = 0.12, near_floors = 3, near_walls = 0.3;
/* A single body has some room around it, so that one sees where it is. */
static const double around_one = 0.3;

/* ---- colours and places ------------------------------------------------------------------------------------------------ */

/* The first colours of the other pictures, lighter, up to its black and yellow; pages colour bodies alike
 * (viewer/src/views/bodies_colours.js). */
void thud_snapshot_colour(const snapshot_scene *scene, thud_index body, double rgb[3]) {
  enum { COLOURS = 6, FEW_BODIES = 13 };
  static const double light = 0.25;
  /* one after the other for a few bodies, mixed (Fibonacci hashing) for walls and piles, so that there are no stripes */
  bool few = scene->view.count < FEW_BODIES;
  uint32_t mixed = few ? (uint32_t)body : ((uint32_t)body * 2654435769U) >> 16;
  const double *colour = thud_plot_colour(mixed % COLOURS);
  unsigned char role = scene->view.role[body];
  for (int c = 0; c < 3; c++) rgb[c] = light + (1 - light) * colour[c];
  if (role == THUD_BODY_DYNAMIC) return;
  for (int c = 0; c < 3; c++) rgb[c] = role == THUD_BODY_FIXED ? 0.9 : 0.7;
}

thud_pose thud_snapshot_place(const snapshot *shown, thud_index part) {
  const snapshot_scene *scene = shown->scene;
  return thud_body_place(&scene->view, part, &shown->row->pose[scene->view.part_body[part]], scene->centre);
}

/* ---- the camera -------------------------------------------------------------------------------------------------------- */

/* The axis against gravity, or z. */
static thud_vec3 up_of(thud_vec3 gravity) {
  double x = fabs(gravity.x), y = fabs(gravity.y), z = fabs(gravity.z);
  if (y > x && y > z) return thud_vec3_make(0, gravity.y < 0 ? 1 : -1, 0);
  if (x > z) return thud_vec3_make(gravity.x < 0 ? 1 : -1, 0, 0);
  return thud_vec3_make(0, 0, gravity.z > 0 ? -1 : 1);
}

/* From azimuth (about the vertical, from the first of the horizontal axes towards the second) and elevation. */
snapshot_camera thud_snapshot_camera(const snapshot_scene *scene) {
  snapshot_camera camera = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  if (scene->view.planar) return camera;
  double azimuth = scene->azimuth * degree, elevation = scene->elevation * degree;
  thud_vec3 up = up_of(scene->view.gravity);
  thud_vec3 first = up.x != 0 ? thud_vec3_make(0, 1, 0) : up.y != 0 ? thud_vec3_make(0, 0, 1) : camera.right;
  thud_vec3 second = thud_vec3_cross(up, first);
  thud_vec3 ahead = thud_vec3_add(thud_vec3_scale(cos(azimuth), first), thud_vec3_scale(sin(azimuth), second));
  camera.right = thud_vec3_subtract(thud_vec3_scale(cos(azimuth), second), thud_vec3_scale(sin(azimuth), first));
  camera.toward = thud_vec3_add(thud_vec3_scale(cos(elevation), ahead), thud_vec3_scale(sin(elevation), up));
  camera.top = thud_vec3_cross(camera.toward, camera.right);
  return camera;
}

/* ---- the frame --------------------------------------------------------------------------------------------------------- */

typedef struct frame {
  double x[2], y[2];
} frame;

static void widen(const snapshot_scene *scene, frame *shown, thud_vec3 x, double radius) {
  thud_vec3 p = thud_snapshot_project(&scene->camera, x);
  shown->x[0] = fmin(shown->x[0], p.x - radius);
  shown->x[1] = fmax(shown->x[1], p.x + radius);
  shown->y[0] = fmin(shown->y[0], p.y - radius);
  shown->y[1] = fmax(shown->y[1], p.y + radius);
}

/* How far beyond the room something that stands still is shown: as a whole when it ends near the room (a drum, walls),
 * otherwise (a large floor) its beginning. */
static double shown_beyond(const snapshot_scene *scene, const thud_bounds *still) {
  const thud_vec3 low = thud_vec3_subtract(scene->room.low, still->low);
  const thud_vec3 high = thud_vec3_subtract(still->high, scene->room.high);
  double beyond = fmax(fmax(low.x, fmax(low.y, low.z)), fmax(high.x, fmax(high.y, high.z)));
  return (beyond <= whole_reach * scene->size ? whole_reach : still_reach) * scene->size;
}

/* Not farther from the room than `more`. */
static thud_vec3 near_room(const snapshot_scene *scene, thud_vec3 x, double more) {
  const thud_bounds *room = &scene->room;
  return thud_vec3_make(fmin(room->high.x + more, fmax(room->low.x - more, x.x)),
                        fmin(room->high.y + more, fmax(room->low.y - more, x.y)),
                        fmin(room->high.z + more, fmax(room->low.z - more, x.z)));
}

/* The feet of the moving bodies on a plane or a half-plane, as far as they are near. */
static void widen_by_feet(const snapshot *picture, const thud_pose *place, bool planar, frame *shown) {
  const snapshot_scene *scene = picture->scene;
  thud_vec3 normal = thud_quat_rotate(place->rotation, thud_vec3_make(0, planar, !planar));
  bool floor = thud_vec3_dot(normal, up_of(scene->view.gravity)) > 0.5;
  double near = (floor ? near_floors : near_walls) * scene->size;
  for (thud_index body = 0; body < scene->view.count; body++) {
    thud_vec3 foot = thud_pose_point_inverse(place, picture->row->pose[body].position);
    if (scene->view.role[body] != THUD_BODY_DYNAMIC || fabs(planar ? foot.y : foot.z) > near) continue;
    if (planar)
      foot.y = -0.04 * scene->size; /* some ground */
    else
      foot.z = 0;
    widen(scene, shown, thud_pose_point(place, foot), 0);
  }
}

static void widen_by_part(const snapshot *picture, thud_index part, frame *shown) {
  const snapshot_scene *scene = picture->scene;
  const thud_bodies_view *view = &scene->view;
  const thud_shape_surface *surface = &scene->surfaces[view->part_shape_number[part]];
  const thud_shape *shape = view->part_shape[part];
  bool moving = view->role[view->part_body[part]] == THUD_BODY_DYNAMIC;
  thud_pose place = thud_snapshot_place(picture, part);
  if (thud_body_is_endless(view, part)) {
    widen_by_feet(picture, &place, view->planar, shown);
  } else if (moving && thud_shape_get_class(shape)->ball) {
    widen(scene, shown, place.position, thud_shape_get_def(shape).radius);
  } else {
    const thud_bounds bounds = thud_shape_bounds(shape, &place, 0);
    double more = moving ? INFINITY : shown_beyond(scene, &bounds);
    for (size_t k = 0; k < surface->point_count; k++) {
      thud_vec3 x = thud_pose_point(&place, thud_vec3_load(surface->points + 3 * k));
      widen(scene, shown, near_room(scene, x, more), 0);
    }
  }
}

static size_t moving_count(const thud_bodies_view *view) {
  size_t count = 0;
  for (thud_index body = 0; body < view->count; body++) count += view->role[body] == THUD_BODY_DYNAMIC;
  return count;
}

static frame make_frame(const snapshot_scene *scene) {
  frame shown = {{INFINITY, -INFINITY}, {INFINITY, -INFINITY}};
  for (size_t k = 0; k < scene->count; k++) {
    const snapshot picture = {scene, &scene->rows[k]};
    for (thud_index part = 0; part < scene->view.part_count; part++) widen_by_part(&picture, part, &shown);
  }
  for (size_t k = 0; k < thud_body_held_count(&scene->view); k++) {
    thud_vec3 place;
    if (thud_body_held_at(&scene->view, k, &place)) widen(scene, &shown, place, 0);
  }
  if (!(shown.x[1] > shown.x[0]) && !(shown.y[1] > shown.y[0])) widen(scene, &shown, scene->centre, scene->size);
  double more = moving_count(&scene->view) == 1 ? around_one * scene->size : 0;
  return (frame){{shown.x[0] - more, shown.x[1] + more}, {shown.y[0] - more, shown.y[1] + more}};
}

/* ---- what all pictures share ------------------------------------------------------------------------------------------- */

static void find_room(snapshot_scene *scene) {
  scene->room = thud_body_bounds_empty();
  for (size_t k = 0; k < scene->count; k++) thud_body_bounds_add(&scene->view, scene->rows[k].pose, &scene->room);
  thud_body_bounds_add_held(&scene->view, &scene->room);
  scene->size = thud_vec3_distance(scene->room.low, scene->room.high);
  if (!(scene->room.high.x >= scene->room.low.x)) /* nothing but planes */
    scene->room = (thud_bounds){{0, 0, 0}, {0, 0, 0}}, scene->size = 0;
  if (!(scene->size > 0)) scene->size = 1; /* a single particle */
  scene->centre = thud_vec3_scale(0.5, thud_vec3_add(scene->room.low, scene->room.high));
}

static void find_mean_radius(snapshot_scene *scene) {
  const thud_bodies_view *view = &scene->view;
  double sum = 0, count = 0;
  for (thud_index part = 0; part < view->part_count; part++)
    if (view->role[view->part_body[part]] == THUD_BODY_DYNAMIC) {
      sum += thud_shape_radius(view->part_shape[part]);
      count++;
    }
  scene->mean_radius = sum > 0 ? sum / count : INFINITY;
}

static void find_largest_force(snapshot_scene *scene) {
  for (size_t k = 0; k < scene->count; k++)
    for (size_t i = 0; i < scene->rows[k].contact_count && scene->rows[k].step > 0; i++)
      scene->largest_force =
          fmax(scene->largest_force, thud_vec3_norm(scene->rows[k].contacts[i].impulse) / scene->rows[k].step);
}

static thud_error make_normals(snapshot_scene *scene) {
  size_t count = (size_t)scene->view.shape_count;
  scene->normals = THUD_NEW_ARRAY(scene->context, double *, count > 0 ? count : 1);
  if (scene->normals == NULL) return THUD_ERROR_MEMORY;
  thud_error error = THUD_OK;
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    if (scene->surfaces[k].triangle_count > 0)
      error = thud_snapshot_normals(scene->context, &scene->surfaces[k],
                                    thud_shape_get_class(scene->view.shapes[k])->faceted, &scene->normals[k]);
  }
  return error;
}

static thud_error prepare(snapshot_scene *scene) {
  int segments = scene->view.part_count > MANY_PARTS ? FEW_SEGMENTS : SEGMENTS;
  find_room(scene);
  find_mean_radius(scene);
  find_largest_force(scene);
  scene->camera = thud_snapshot_camera(scene);
  thud_error error =
      thud_body_surfaces_make(scene->context, &scene->view, segments, plane_reach * scene->size, &scene->surfaces);
  return error == THUD_OK && !scene->view.planar ? make_normals(scene) : error;
}

static void release(snapshot_scene *scene) {
  for (size_t k = 0; scene->normals != NULL && k < (size_t)scene->view.shape_count; k++)
    thud_free(scene->context, scene->normals[k]);
  thud_free(scene->context, scene->normals);
  thud_body_surfaces_free(scene->context, &scene->view, scene->surfaces);
}

/* ---- the page ---------------------------------------------------------------------------------------------------------- */

/* Figures, painters and cells of one page; the pictures differ in their titles and rows. */
typedef struct snapshot_page {
  snapshot pictures[THUD_PLOT_SNAPSHOTS];
  char heading[THUD_PLOT_TEXT];
  char titles[THUD_PLOT_SNAPSHOTS][THUD_PLOT_TEXT];
  thud_plot_figure figures[THUD_PLOT_SNAPSHOTS];
  thud_plot_painter painters[THUD_PLOT_SNAPSHOTS];
  thud_plot_cell cells[THUD_PLOT_SNAPSHOTS];
  thud_plot_sheet sheet;
} snapshot_page;

/* Three digits, without powers of ten where there are few zeros. */
static void write_force(double force, char text[THUD_DOUBLE_CAPACITY]) {
  double unit = pow(10, floor(log10(force)) - 2);
  if (force >= 1000 && force < 1e6)
    snprintf(text, THUD_DOUBLE_CAPACITY, "%.0f", round(force / unit) * unit);
  else
    snprintf(text, THUD_DOUBLE_CAPACITY, "%.3g", force);
}

/* "forces up to 12 N", "" when they are not drawn. */
static void write_forces(const snapshot_scene *scene, char text[THUD_PLOT_TEXT]) {
  char force[THUD_DOUBLE_CAPACITY];
  size_t contacts = 0;
  for (size_t k = 0; k < scene->count; k++) contacts += scene->rows[k].contact_count;
  text[0] = '\0';
  if (!scene->forces) return;
  if (scene->largest_force > 0) {
    write_force(scene->largest_force, force);
    snprintf(text, THUD_PLOT_TEXT, "forces up to %s %s", force, scene->force_unit);
  } else {
    snprintf(text, THUD_PLOT_TEXT, "%s", contacts > 0 ? "no forces" : "no contacts recorded");
  }
}

void thud_snapshot_write_time(double t, double step, const char *unit, char text[THUD_PLOT_TEXT]) {
  if (step > 0)
    snprintf(text, THUD_PLOT_TEXT, "t = %.*f %s", (int)fmin(9, fmax(0, ceil(-log10(step)))), t, unit);
  else
    snprintf(text, THUD_PLOT_TEXT, "t = %.6g %s", t, unit);
}

void thud_snapshot_join(const char *const pieces[3], char text[THUD_PLOT_TEXT]) {
  size_t used = 0;
  text[0] = '\0';
  for (int k = 0; k < 3 && used < THUD_PLOT_TEXT; k++)
    if (pieces[k] != NULL && pieces[k][0] != '\0')
      used += (size_t)snprintf(text + used, THUD_PLOT_TEXT - used, "%s%s", used > 0 ? ", " : "", pieces[k]);
}

/* A single picture has everything in its title, several have what they share in a heading. */
static void fill_page(const snapshot_scene *scene, const thud_plot_panel *panel, snapshot_page *page) {
  bool planar = scene->view.planar, alone = scene->count == 1;
  char forces[THUD_PLOT_TEXT], time[THUD_PLOT_TEXT];
  write_forces(scene, forces);
  thud_snapshot_join((const char *const[3]){scene->title, forces, NULL}, page->heading);
  for (size_t k = 0; k < scene->count; k++) {
    const body_row *row = &scene->rows[k];
    page->pictures[k] = (snapshot){scene, row};
    thud_snapshot_write_time(row->t, scene->time_step, scene->time_unit, time);
    thud_snapshot_join((const char *const[3]){alone ? scene->title : NULL, time, alone ? forces : NULL},
                       page->titles[k]);
    page->figures[k] = (thud_plot_figure){.title = page->titles[k],
                                          .x_label = "x",
                                          .x_unit = scene->length_unit,
                                          .equal_aspect = true,
                                          .panel_count = 1,
                                          .panels = panel};
    page->painters[k] = (thud_plot_painter){.paint = planar ? thud_snapshot_paint_plane : thud_snapshot_paint_space,
                                            .user = &page->pictures[k],
                                            .bare = !planar};
    page->cells[k] = (thud_plot_cell){&page->figures[k], &page->painters[k]};
  }
  page->sheet = (thud_plot_sheet){.title = alone ? NULL : page->heading, .count = scene->count, .cells = page->cells};
}

/* ---- pictures and films ------------------------------------------------------------------------------------------------ */

/* Everything that the pages of a scene share. */
typedef struct snapshot_pages {
  snapshot_scene scene;
  frame shown;
  thud_plot_series corners; /* nothing is drawn of them: they give the axes their ranges */
  thud_plot_panel panel;
  snapshot_page *page;
} snapshot_pages;

/* Ended also after a failure. */
static thud_error begin_pages(const snapshot_scene *given, snapshot_pages *pages) {
  static const size_t apart[] = {1};
  *pages = (snapshot_pages){.scene = *given, .page = THUD_NEW(given->context, snapshot_page)};
  thud_error error = pages->page != NULL ? prepare(&pages->scene) : THUD_ERROR_MEMORY;
  if (error != THUD_OK) return error;
  pages->shown = make_frame(&pages->scene);
  pages->corners = (thud_plot_series){
      .count = 2, .x = pages->shown.x, .y = pages->shown.y, .no_jumps = true, .break_count = 1, .breaks = apart};
  pages->panel = (thud_plot_panel){
      .y_label = "y", .y_unit = pages->scene.length_unit, .series_count = 1, .series = &pages->corners};
  return THUD_OK;
}

static void end_pages(snapshot_pages *pages) {
  release(&pages->scene);
  thud_free(pages->scene.context, pages->page);
}

thud_error thud_snapshot_write(const snapshot_scene *scene, const thud_plot_options *options, const char *path) {
  snapshot_pages pages;
  thud_error error = begin_pages(scene, &pages);
  if (error == THUD_OK) {
    fill_page(&pages.scene, &pages.panel, pages.page);
    error = thud_plot_write_sheet(scene->context, &pages.page->sheet, options, path);
  }
  end_pages(&pages);
  return error;
}

/* A scene of one row, prepared for all; valid until the next one. */
typedef struct snapshot_film {
  snapshot_pages pages;
  snapshot_scene now;
} snapshot_film;

static thud_error show_row(void *user, size_t k, const thud_plot_sheet **sheet) {
  snapshot_film *film = user;
  film->now = film->pages.scene;
  film->now.count = 1;
  film->now.rows = &film->pages.scene.rows[k];
  fill_page(&film->now, &film->pages.panel, film->pages.page);
  *sheet = &film->pages.page->sheet;
  return THUD_OK;
}

thud_error thud_snapshot_film(const snapshot_scene *scene, double delay, const thud_plot_options *options,
                              const char *path) {
  snapshot_film film;
  thud_error error = begin_pages(scene, &film.pages);
  const plot_frames frames = {.count = scene->count, .show = show_row, .user = &film, .delay = delay};
  if (error == THUD_OK) error = thud_plot_write_frames(scene->context, &frames, options, path);
  end_pages(&film.pages);
  return error;
}
