/* Bodies in space: shaded by a light from above, with their shadows; what stands still shows what moves behind it. */
#include "base/base.h"
#include "geom/shape_class.h"
#include "plot/raster.h"
#include "plot/snapshot.h"

#include <math.h>
#include <string.h>

enum { FINENESS = 2, MOST_SHADOW_DOTS = 2000 };
static const double most_samples = 3e7; /* with more the image is made of single samples */

static const double ambient = 0.52, diffuse = 0.55;  /* brightness without and by the light */
static const double shadow = 0.42;                   /* share of the light that is left in shadows */
static const double veil = 0.3;                      /* how much what stands still covers what moves behind it */
static const double edge_cosine = 0.75, edge = 0.38; /* sharper edges are drawn, so dark */
static const double grid_lines = 5;                  /* of planes, at least so many over the size of the scene */
static const double edge_on = 0.01;                  /* planes are lines when less of them is seen */
static const double border = 0.07;                   /* of the image, along which what stands still fades away */

/* A picture in the making. */
typedef struct space {
  const snapshot *shown;
  raster image, lit;        /* seen by the eye, and by the light */
  snapshot_camera sun;      /* toward: the direction to the light */
  thud_vec3 light;          /* the same, as the eye sees it */
  float (*colours)[3];      /* [bodies] */
  unsigned char *is_sphere; /* [parts] */
  unsigned char *is_plane;  /* [parts] */
  thud_pose *places;        /* [parts] */
  double grid;              /* distance of the lines of planes */
  double fade[2];           /* radii between which planes fade away */
} space;

/* ---- into the depth buffers ------------------------------------------------------------------------------------------- */

/* A vector of the part's frame as the camera sees it: columns are those of the frame's axes. */
static thud_mat3 seen_by(const snapshot_camera *camera, thud_quat rotation) {
  thud_mat3 turned = thud_quat_to_matrix(rotation);
  return thud_mat3_columns(thud_snapshot_project(camera, turned.cx), thud_snapshot_project(camera, turned.cy),
                           thud_snapshot_project(camera, turned.cz));
}

/* Triangles that face away are hidden by those in front where the surface is that of a convex solid. */
static bool faces_away(const thud_vec3 corners[3]) {
  thud_vec3 ab = thud_vec3_subtract(corners[1], corners[0]), ac = thud_vec3_subtract(corners[2], corners[0]);
  return ab.x * ac.y - ab.y * ac.x < 0;
}

static void put_surface(const space *made, raster *image, const snapshot_camera *camera, thud_index part, int layer) {
  const snapshot_scene *scene = made->shown->scene;
  thud_index number = scene->view.part_shape_number[part];
  const thud_shape_surface *surface = &scene->surfaces[number];
  const double *normals = scene->normals[number];
  const thud_pose *place = &made->places[part];
  const thud_mat3 seen = seen_by(camera, place->rotation);
  const thud_vec3 origin = thud_snapshot_project(camera, thud_vec3_subtract(place->position, scene->centre));
  bool solid = thud_shape_may_move(scene->view.part_shape[part]);
  for (size_t t = 0; t < surface->triangle_count; t++) {
    thud_vec3 corners[3], at[3];
    for (size_t c = 0; c < 3; c++) {
      thud_vec3 x = thud_vec3_load(surface->points + 3 * (size_t)surface->triangles[3 * t + c]);
      corners[c] = thud_vec3_add(origin, thud_mat3_apply(seen, x));
    }
    if (solid && faces_away(corners)) continue;
    for (size_t c = 0; c < 3; c++) at[c] = thud_mat3_apply(seen, thud_vec3_load(normals + 9 * t + 3 * c));
    thud_raster_triangle(image, layer, (int32_t)part, corners, at);
  }
}

static void put_part(const space *made, raster *image, const snapshot_camera *camera, thud_index part) {
  static const double particle = 5; /* dots, radius of particles */
  const snapshot_scene *scene = made->shown->scene;
  int layer = scene->view.role[scene->view.part_body[part]] == THUD_BODY_DYNAMIC ? RASTER_MOVING : RASTER_STILL;
  if (!thud_body_is_shown(&scene->view, made->shown->row, part)) return;
  if (!made->is_sphere[part]) {
    put_surface(made, image, camera, part, layer);
    return;
  }
  double radius = thud_shape_get_def(scene->view.part_shape[part]).radius;
  if (!(radius > 0)) radius = particle * made->image.fineness / made->image.scale;
  thud_vec3 centre = thud_snapshot_project(camera, thud_vec3_subtract(made->places[part].position, scene->centre));
  thud_raster_sphere(image, layer, (int32_t)part, centre, radius);
}

/* How much of a plane's front is seen: 1 from above, 0 from its side, less from behind. */
static double seen_of_plane(const space *made, thud_index part) {
  thud_vec3 normal = thud_quat_rotate(made->places[part].rotation, thud_vec3_make(0, 0, 1));
  return thud_vec3_dot(normal, made->shown->scene->camera.toward);
}

/* Planes seen from behind are not drawn. */
static void fill_image(space *made) {
  const snapshot_scene *scene = made->shown->scene;
  for (thud_index part = 0; part < scene->view.part_count; part++)
    if (!made->is_plane[part] || seen_of_plane(made, part) > edge_on)
      put_part(made, &made->image, &scene->camera, part);
}

/* Planes throw no shadows: everything is in front of them. */
static void fill_shadows(space *made) {
  const thud_bodies_view *view = &made->shown->scene->view;
  for (thud_index part = 0; part < view->part_count; part++)
    if (!made->is_plane[part]) put_part(made, &made->lit, &made->sun, part);
}

/* ---- colours ----------------------------------------------------------------------------------------------------------- */

/* The place of a sample, relative to the centre of the scene. */
static thud_vec3 place_of(const space *made, const raster_sample *sample, size_t row, size_t column) {
  const snapshot_camera *camera = &made->shown->scene->camera;
  thud_vec3 x = thud_vec3_scale(thud_raster_u(&made->image, column), camera->right);
  x = thud_vec3_add_scaled(x, thud_raster_v(&made->image, row), camera->top);
  return thud_vec3_add_scaled(x, sample->depth, camera->toward);
}

/* Share of the light that reaches a place: the mean over nine samples of what the light sees. The place is moved along the
 * normal by a sample, so that surfaces throw no shadows on themselves. */
static double light_at(const space *made, thud_vec3 x, thud_vec3 normal) {
  const raster *lit = &made->lit;
  double dot = 1 / lit->scale, seen = 0;
  thud_vec3 p = thud_snapshot_project(&made->sun, thud_vec3_add_scaled(x, 2.5 * dot, normal));
  for (int i = -1; i <= 1; i++)
    for (int j = -1; j <= 1; j++) {
      bool dark = false;
      for (int layer = 0; layer < RASTER_LAYERS; layer++) {
        const raster_sample *nearest = thud_raster_at(lit, layer, p.x + 1.2 * dot * i, p.y + 1.2 * dot * j);
        dark = dark || (nearest != NULL && nearest->item != RASTER_NOTHING && nearest->depth > p.z + 1.5 * dot);
      }
      seen += dark ? 0 : 1;
    }
  return seen / 9;
}

/* How dark the line of a grid is here: 0 to 1. `dot` is the size of a dot of the image, on the plane. */
static double line_at(double x, double distance, double dot) {
  double off = fabs(x / distance - round(x / distance)) * distance;
  return fmax(0, 1 - off / dot);
}

/* Pale, with a grid, fading away from the bodies; *kept: how much is left of it. */
static void colour_plane(const space *made, const thud_pose *place, thud_vec3 x, float rgb[3], double *kept) {
  const snapshot_scene *scene = made->shown->scene;
  thud_vec3 local = thud_pose_point_inverse(place, thud_vec3_add(x, scene->centre));
  double away = hypot(local.x, local.y), dot = made->image.fineness / made->image.scale;
  double share = fmin(1, fmax(0, (made->fade[1] - away) / (made->fade[1] - made->fade[0])));
  /* lines stay where they are in the frame of the plane, which is shifted next to the bodies */
  thud_vec3 origin = thud_quat_rotate_inverse(place->rotation, place->position);
  double line = fmax(line_at(local.x + origin.x, made->grid, dot), line_at(local.y + origin.y, made->grid, dot));
  *kept = share * share * (3 - 2 * share);
  for (int c = 0; c < 3; c++) rgb[c] = (float)(0.97 - 0.14 * line);
}

/* Balls have two tones, so that one sees them turn. */
static void colour_sphere(const space *made, int32_t part, thud_vec3 normal, float rgb[3]) {
  thud_vec3 local = thud_quat_rotate_inverse(made->places[part].rotation, normal);
  if (local.x * local.y > 0)
    for (int c = 0; c < 3; c++) rgb[c] *= 0.86F;
}

/* 1 in the middle of the image, falling to 0 at its border. */
static double off_border(const raster *image, size_t row, size_t column) {
  size_t across = column < image->width - column ? column : image->width - column;
  size_t down = row < image->height - row ? row : image->height - row;
  double share = (double)(across < down ? across : down) / (border * (double)image->width);
  return share < 1 ? share * share * (3 - 2 * share) : 1;
}

/* The colour of one layer's sample, lit. */
static void colour_layer(const space *made, int layer, size_t row, size_t column, float rgb[3]) {
  const snapshot_scene *scene = made->shown->scene;
  const snapshot_camera *camera = &scene->camera;
  const raster_sample *sample = &made->image.samples[layer][row * made->image.width + column];
  thud_vec3 n = thud_raster_normal(sample->normal), x = place_of(made, sample, row, column);
  thud_vec3 normal = thud_vec3_add_scaled(thud_vec3_scale(n.x, camera->right), n.y, camera->top);
  normal = thud_vec3_add_scaled(normal, n.z, camera->toward);
  double kept = 1, towards_light = fmax(0, thud_vec3_dot(n, made->light));
  memcpy(rgb, made->colours[scene->view.part_body[sample->item]], 3 * sizeof *rgb);
  if (made->is_plane[sample->item]) colour_plane(made, &made->places[sample->item], x, rgb, &kept);
  if (made->is_sphere[sample->item]) colour_sphere(made, sample->item, normal, rgb);
  if (layer == RASTER_STILL) kept *= off_border(&made->image, row, column);
  double seen = towards_light > 0 ? light_at(made, x, normal) : 1;
  double bright = ambient + diffuse * towards_light * (shadow + (1 - shadow) * seen);
  if (made->is_plane[sample->item]) bright = 1 - 0.3 * (1 - seen); /* as pale under every light */
  for (int c = 0; c < 3; c++) rgb[c] = (float)(1 - kept + kept * bright * rgb[c]);
}

/* Lines of moving bodies are in front of everything. */
static const raster_sample *front(const space *made, size_t k) {
  const raster_sample *moving = &made->image.samples[RASTER_MOVING][k];
  return moving->item != RASTER_NOTHING ? moving : &made->image.samples[RASTER_STILL][k];
}

static bool differ(const space *made, size_t here, size_t there) {
  const raster_sample *a = front(made, here), *b = front(made, there);
  if (a->item != b->item)
    return (a->item != RASTER_NOTHING && !made->is_plane[a->item]) ||
           (b->item != RASTER_NOTHING && !made->is_plane[b->item]);
  return a->item != RASTER_NOTHING &&
         thud_vec3_dot(thud_raster_normal(a->normal), thud_raster_normal(b->normal)) < edge_cosine;
}

/* Borders of bodies and sharp edges. */
static bool is_edge(const space *made, size_t row, size_t column) {
  const raster *image = &made->image;
  size_t k = row * image->width + column;
  return (row > 0 && differ(made, k, k - image->width)) || (column > 0 && differ(made, k, k - 1)) ||
         (row + 1 < image->height && differ(made, k, k + image->width)) ||
         (column + 1 < image->width && differ(made, k, k + 1));
}

static void colour(void *user, const raster *image, size_t row, size_t column, float rgb[3]) {
  const space *made = user;
  size_t k = row * image->width + column;
  const raster_sample *moving = &image->samples[RASTER_MOVING][k], *still = &image->samples[RASTER_STILL][k];
  bool moves = moving->item != RASTER_NOTHING, stands = still->item != RASTER_NOTHING;
  if (moves || stands) colour_layer(made, moves ? RASTER_MOVING : RASTER_STILL, row, column, rgb);
  double dark = is_edge(made, row, column) ? (1 - edge) * (moves ? 1 : off_border(image, row, column)) : 0;
  for (int c = 0; c < 3; c++) rgb[c] *= (float)(1 - dark);
  if (moves && stands && still->depth > moving->depth && !made->is_plane[still->item]) {
    float cover[3];
    colour_layer(made, RASTER_STILL, row, column, cover);
    for (int c = 0; c < 3; c++) rgb[c] += (float)veil * (cover[c] - rgb[c]);
  }
}

/* ---- the picture ------------------------------------------------------------------------------------------------------- */

/* The light comes from above, a little from the left and from the eye. */
static void make_sun(space *made) {
  const snapshot_camera *camera = &made->shown->scene->camera;
  /* upwards is the direction of gravity's axis: top and toward are in one plane with it */
  double elevation = made->shown->scene->elevation * 3.14159265358979323846 / 180;
  thud_vec3 up =
      thud_vec3_add(thud_vec3_scale(cos(elevation), camera->top), thud_vec3_scale(sin(elevation), camera->toward));
  thud_vec3 to_light = thud_vec3_add_scaled(thud_vec3_add_scaled(up, -0.4, camera->right), 0.7, camera->toward);
  thud_vec3_normalise(to_light, &made->sun.toward);
  thud_vec3_normalise(thud_vec3_cross(camera->top, made->sun.toward), &made->sun.right);
  made->sun.top = thud_vec3_cross(made->sun.toward, made->sun.right);
  made->light = thud_snapshot_project(camera, made->sun.toward);
}

static thud_error fill_tables(space *made) {
  const snapshot_scene *scene = made->shown->scene;
  size_t parts = (size_t)scene->view.part_count, bodies = (size_t)scene->view.count;
  made->colours = thud_alloc(scene->context, bodies, sizeof *made->colours);
  made->is_sphere = THUD_NEW_ARRAY(scene->context, unsigned char, parts);
  made->is_plane = THUD_NEW_ARRAY(scene->context, unsigned char, parts);
  made->places = THUD_NEW_ARRAY(scene->context, thud_pose, parts);
  if (made->colours == NULL || made->is_sphere == NULL || made->is_plane == NULL || made->places == NULL)
    return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < bodies; k++) {
    double rgb[3];
    thud_snapshot_colour(scene, (thud_index)k, rgb);
    for (int c = 0; c < 3; c++) made->colours[k][c] = (float)rgb[c];
  }
  for (size_t k = 0; k < parts; k++) {
    made->is_sphere[k] = thud_shape_get_class(scene->view.part_shape[k])->ball;
    made->is_plane[k] = thud_body_is_endless(&scene->view, (thud_index)k);
    made->places[k] = thud_snapshot_place(made->shown, (thud_index)k);
  }
  made->grid = thud_snapshot_round(scene->size / grid_lines);
  made->fade[0] = 0.55 * scene->size;
  made->fade[1] = 1.05 * scene->size;
  return THUD_OK;
}

static thud_error make_rasters(space *made, const thud_plot_layout *layout) {
  const snapshot_scene *scene = made->shown->scene;
  const thud_plot_panel_layout *panel = &layout->panels[0];
  const thud_plot_box *box = &panel->box;
  thud_vec3 centre = thud_snapshot_project(&scene->camera, scene->centre);
  double columns = floor((box->right - box->left) / layout->dot), rows = floor((box->bottom - box->top) / layout->dot);
  double dots = columns / (panel->x.maximum - panel->x.minimum), reach = 0.7 * scene->size;
  int fineness = columns * rows * FINENESS * FINENESS > most_samples ? 1 : FINENESS;
  if (!(columns >= 1 && rows >= 1))
    return thud_fail(scene->context, THUD_ERROR_ARGUMENT, "[too-large] plot: the picture is too small");
  thud_error error = thud_raster_begin(scene->context, (size_t)columns, (size_t)rows, fineness,
                                       panel->x.minimum - centre.x, panel->y.maximum - centre.y, dots, &made->image);
  double shades = fmin(MOST_SHADOW_DOTS, ceil(1.4 * fmax(columns, rows)));
  if (error == THUD_OK)
    error = thud_raster_begin(scene->context, (size_t)shades, (size_t)shades, 1, -reach, reach, shades / (2 * reach),
                              &made->lit);
  return error;
}

static thud_error paint_image(const space *made, const thud_plot_layout *layout) {
  const thud_plot_box *box = &layout->panels[0].box;
  cairo_surface_t *image = thud_raster_image(&made->image, colour, (void *)made);
  if (cairo_surface_status(image) != CAIRO_STATUS_SUCCESS) {
    cairo_surface_destroy(image);
    return thud_fail(layout->context, THUD_ERROR_MEMORY, "plot: no memory for the image");
  }
  thud_canvas_image(layout->canvas, image, box->left, box->top, layout->dot);
  cairo_surface_destroy(image);
  return THUD_OK;
}

thud_error thud_snapshot_paint_space(void *user, const thud_plot_layout *layout) {
  space made = {.shown = user};
  thud_context *context = made.shown->scene->context;
  make_sun(&made);
  thud_error error = fill_tables(&made);
  if (error == THUD_OK) error = make_rasters(&made, layout);
  if (error == THUD_OK) {
    fill_image(&made);
    fill_shadows(&made);
    error = paint_image(&made, layout);
  }
  for (thud_index part = 0; part < made.shown->scene->view.part_count && error == THUD_OK; part++)
    if (made.is_plane[part] && fabs(seen_of_plane(&made, part)) <= edge_on &&
        thud_body_is_shown(&made.shown->scene->view, made.shown->row, part))
      thud_snapshot_paint_edge_on(made.shown, layout, &made.places[part]);
  if (error == THUD_OK) {
    thud_snapshot_paint_joints(made.shown, layout);
    thud_snapshot_paint_forces(made.shown, layout);
    thud_snapshot_paint_axes(made.shown->scene, layout);
  }
  thud_raster_end(&made.image);
  thud_raster_end(&made.lit);
  thud_free(context, made.colours);
  thud_free(context, made.is_sphere);
  thud_free(context, made.is_plane);
  thud_free(context, made.places);
  return error;
}
