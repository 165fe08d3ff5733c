/* Recorded bodies as VTK files: triangles of their surfaces, and the points at which they touch. */
#include "base/base.h"
#include "record/vtk.h"
#include "run/run_bodies.h"
#include "thud/kind.h"

#include <math.h>
#include <string.h>

typedef struct body_film {
  thud_context *context;
  body_record record;
  bool *wanted; /* [rows] */
  thud_shape_surface *surfaces;
  thud_vec3 centre; /* of the scene, beside which planes are cut out */
  /* the mesh of the bodies: cells stay, points move */
  size_t points, cells, corner_count;
  double *places;       /* [3 points] */
  double *velocity;     /* [3 points] */
  unsigned char *types; /* [cells] */
  size_t *ends;         /* [cells] */
  size_t *corners;      /* [corner_count] */
  double *body, *speed; /* [cells] */
  /* that of the contacts */
  size_t contact_capacity;
  double *touches;              /* [11 contacts]: points, forces, normals, gaps, a, b */
  unsigned char *contact_types; /* [contacts] */
  size_t *contact_ends, *contact_corners;
} body_film;

/* ---- which rows ------------------------------------------------------------------------------------------------------- */

/* Without times: every row. */
static thud_error choose_rows(body_film *film, const thud_record_times *asked) {
  const body_record *record = &film->record;
  double start = record->t[0], end = record->t[record->rows - 1];
  bool all = asked == NULL || (asked->count == 0 && !(asked->every > 0));
  size_t row = 0;
  thud_error error = THUD_OK;
  film->wanted = THUD_NEW_ARRAY(film->context, bool, record->rows);
  if (film->wanted == NULL) return THUD_ERROR_MEMORY;
  memset(film->wanted, all, record->rows * sizeof(bool));
  for (size_t k = 0; !all && k < asked->count && error == THUD_OK; k++) {
    error = thud_body_record_find(record, asked->times[k], &row);
    if (error == THUD_OK) film->wanted[row] = true;
  }
  if (all || !(asked->every > 0)) return error;
  /* No more than one row in each interval: those from which a multiple of `every` is nearest. */
  double steps = fmin(ceil((end - start) / asked->every * (1 - 1e-12)), 4.0 * (double)record->rows);
  double distance = steps > 0 ? fmax(asked->every, (end - start) / steps) : 0;
  for (double k = 0; k <= steps && error == THUD_OK; k++) {
    error = thud_body_record_find(record, fmin(start + k * distance, end), &row);
    if (error == THUD_OK) film->wanted[row] = true;
  }
  return error;
}

/* ---- the mesh of the bodies ------------------------------------------------------------------------------------------- */

/* Round shapes of many bodies get fewer triangles: 10^4 balls of 8 segments take some 40 MB per time. */
static int segments_for(thud_index parts) { return parts <= 64 ? 24 : parts <= 512 ? 16 : 8; }

/* The room that the bodies take at the chosen times: centre and extent of the planes. */
static thud_error find_room(body_film *film, double *extent) {
  thud_bounds box = thud_body_bounds_empty();
  for (size_t row = 0; row < film->record.rows; row++) {
    body_row read;
    if (!film->wanted[row]) continue;
    thud_error error = thud_body_record_read(&film->record, row, &read);
    if (error != THUD_OK) return error;
    thud_body_bounds_add(&film->record.view, read.pose, &box);
  }
  *extent = 1;
  if (!(box.high.x >= box.low.x)) return THUD_OK; /* nothing but planes */
  film->centre = thud_vec3_scale(0.5, thud_vec3_add(box.low, box.high));
  *extent = 0.75 * thud_vec3_distance(box.low, box.high);
  return THUD_OK;
}

static const thud_shape_surface *surface_of(const body_film *film, thud_index part) {
  return &film->surfaces[film->record.view.part_shape_number[part]];
}

/* Outlines of the plane are one cell, a particle's too. */
static bool count_cells(body_film *film) {
  const thud_bodies_view *view = &film->record.view;
  for (thud_index part = 0; part < view->part_count; part++) {
    const thud_shape_surface *surface = surface_of(film, part);
    size_t cells = surface->triangle_count > 0 ? surface->triangle_count : 1;
    size_t corners = surface->triangle_count > 0 ? 3 * surface->triangle_count : surface->point_count;
    if (!thud_size_add(film->points, surface->point_count, &film->points) ||
        !thud_size_add(film->cells, cells, &film->cells) ||
        !thud_size_add(film->corner_count, corners, &film->corner_count))
      return false;
  }
  return true;
}

static unsigned char outline_type(size_t points) {
  return points == 1 ? THUD_VTK_VERTEX : points == 2 ? THUD_VTK_LINE : THUD_VTK_POLYGON;
}

static void fill_cells(body_film *film) {
  const thud_bodies_view *view = &film->record.view;
  size_t first = 0, cell = 0, corner = 0;
  for (thud_index part = 0; part < view->part_count; part++) {
    const thud_shape_surface *surface = surface_of(film, part);
    bool outline = surface->triangle_count == 0;
    size_t cells = outline ? 1 : surface->triangle_count, size = outline ? surface->point_count : 3;
    for (size_t k = 0; k < cells; k++) {
      for (size_t c = 0; c < size; c++)
        film->corners[corner++] = first + (outline ? c : (size_t)surface->triangles[3 * k + c]);
      film->types[cell] = outline ? outline_type(size) : THUD_VTK_TRIANGLE;
      film->ends[cell] = corner;
      film->body[cell++] = (double)view->part_body[part];
    }
    first += surface->point_count;
  }
}

static thud_error make_mesh(body_film *film) {
  thud_context *context = film->context;
  double extent;
  thud_error error = find_room(film, &extent);
  if (error == THUD_OK)
    error = thud_body_surfaces_make(context, &film->record.view, segments_for(film->record.view.part_count), extent,
                                    &film->surfaces);
  if (error != THUD_OK) return error;
  if (!count_cells(film))
    return thud_fail(context, THUD_ERROR_OVERFLOW, "[wrong-count] vtk: the surfaces have too many points");
  film->places = thud_alloc(context, film->points, 3 * sizeof(double));
  film->velocity = thud_alloc(context, film->points, 3 * sizeof(double));
  film->types = THUD_NEW_ARRAY(context, unsigned char, film->cells);
  film->ends = THUD_NEW_ARRAY(context, size_t, film->cells);
  film->corners = THUD_NEW_ARRAY(context, size_t, film->corner_count);
  film->body = THUD_NEW_ARRAY(context, double, film->cells);
  film->speed = THUD_NEW_ARRAY(context, double, film->cells);
  if (film->places == NULL || film->velocity == NULL || film->types == NULL || film->ends == NULL ||
      film->corners == NULL || film->body == NULL || film->speed == NULL)
    return THUD_ERROR_MEMORY;
  fill_cells(film);
  return THUD_OK;
}

/* Points where the row has them, each with its velocity v + spin x (point - centre of mass). All points of a body that is
 * not there are in one place: its cells have no extent, and are not seen. */
static void move_points(body_film *film, const body_row *row) {
  const thud_bodies_view *view = &film->record.view;
  size_t at = 0;
  for (thud_index part = 0; part < view->part_count; part++) {
    const thud_shape_surface *surface = surface_of(film, part);
    thud_index body = view->part_body[part];
    thud_pose place = thud_body_place(view, part, &row->pose[body], film->centre);
    for (size_t k = 0; k < surface->point_count; k++, at++) {
      thud_vec3 x = thud_pose_point(&place, thud_vec3_load(surface->points + 3 * k));
      if (!thud_body_is_shown(view, row, part)) x = film->centre;
      thud_vec3 arm = thud_vec3_subtract(x, row->pose[body].position);
      thud_vec3_store(x, film->places + 3 * at);
      thud_vec3_store(thud_vec3_add(row->velocity[body], thud_vec3_cross(row->spin[body], arm)),
                      film->velocity + 3 * at);
    }
  }
  for (size_t k = 0; k < film->cells; k++) film->speed[k] = thud_vec3_norm(row->velocity[(size_t)film->body[k]]);
}

/* ---- the contacts ------------------------------------------------------------------------------------------------------ */

enum {
  TOUCH_POINT = 0,
  TOUCH_FORCE = 3,
  TOUCH_NORMAL = 6,
  TOUCH_GAP = 9,
  TOUCH_A = 10,
  TOUCH_B = 11,
  TOUCH_WIDTH = 12
};

static thud_error make_touch_room(body_film *film, size_t count) {
  if (film->touches != NULL && count <= film->contact_capacity) return THUD_OK;
  thud_context *context = film->context;
  size_t room = count > 16 ? 2 * count : 16;
  thud_free(context, film->touches);
  thud_free(context, film->contact_types);
  thud_free(context, film->contact_ends);
  thud_free(context, film->contact_corners);
  film->touches = thud_alloc(context, room, TOUCH_WIDTH * sizeof(double));
  film->contact_types = THUD_NEW_ARRAY(context, unsigned char, room);
  film->contact_ends = THUD_NEW_ARRAY(context, size_t, room);
  film->contact_corners = THUD_NEW_ARRAY(context, size_t, room);
  film->contact_capacity = room;
  if (film->touches == NULL || film->contact_types == NULL || film->contact_ends == NULL ||
      film->contact_corners == NULL)
    return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < room; k++) {
    film->contact_types[k] = THUD_VTK_VERTEX;
    film->contact_ends[k] = k + 1;
    film->contact_corners[k] = k;
  }
  return THUD_OK;
}

/* Arrays one behind the other: field f of `width` numbers begins at f * count. */
static void fill_touches(body_film *film, const body_row *row) {
  size_t n = row->contact_count;
  double *touches = film->touches;
  for (size_t k = 0; k < n; k++) {
    const body_contact *contact = &row->contacts[k];
    thud_vec3 force = thud_vec3_scale(row->step > 0 ? 1 / row->step : 0, contact->impulse);
    thud_vec3_store(contact->point, touches + TOUCH_POINT * n + 3 * k);
    thud_vec3_store(force, touches + TOUCH_FORCE * n + 3 * k);
    thud_vec3_store(contact->normal, touches + TOUCH_NORMAL * n + 3 * k);
    touches[TOUCH_GAP * n + k] = contact->gap;
    touches[TOUCH_A * n + k] = (double)contact->a;
    touches[TOUCH_B * n + k] = (double)contact->b;
  }
}

/* ---- writing ----------------------------------------------------------------------------------------------------------- */

/* What a file of one time needs. */
typedef struct film_target {
  thud_vtk_series *series; /* NULL: one state */
  const char *path, *beside;
  bool overwrite;
} film_target;

static thud_error put_parts(const film_target *target, thud_context *context, double t, const thud_vtk_part parts[2]) {
  if (target->series != NULL) return thud_vtk_series_add_parts(target->series, t, 2, parts);
  thud_error error = thud_vtk_export_part(context, &parts[0], target->path, target->overwrite);
  return error == THUD_OK ? thud_vtk_export_part(context, &parts[1], target->beside, target->overwrite) : error;
}

static thud_error write_row(body_film *film, size_t number, const film_target *target) {
  body_row row;
  thud_error error = thud_body_record_read(&film->record, number, &row);
  if (error == THUD_OK) error = make_touch_room(film, row.contact_count);
  if (error != THUD_OK) return error;
  move_points(film, &row);
  fill_touches(film, &row);
  size_t n = row.contact_count, names = (size_t)film->record.view.count;
  const double *touches = film->touches;
  const thud_vtk_field velocity = {"velocity", 3, film->velocity};
  const thud_vtk_field cells[2] = {{"body", 1, film->body}, {"speed", 1, film->speed}};
  const thud_vtk_field contacts[5] = {{"force", 3, touches + TOUCH_FORCE * n},
                                      {"normal", 3, touches + TOUCH_NORMAL * n},
                                      {"gap", 1, touches + TOUCH_GAP * n},
                                      {"body_a", 1, touches + TOUCH_A * n},
                                      {"body_b", 1, touches + TOUCH_B * n}};
  const thud_vtk_mesh mesh = {film->points, film->places, film->cells, film->types, film->ends, film->corners};
  const thud_vtk_mesh points = {n, touches, n, film->contact_types, film->contact_ends, film->contact_corners};
  const thud_vtk_part parts[2] = {
      {.name = "bodies", .state = {mesh, 1, 2, &velocity, cells}, .text_count = names, .texts = film->record.view.name},
      {.name = "contacts",
       .state = {points, 5, 0, contacts, NULL},
       .text_count = names,
       .texts = film->record.view.name}};
  return put_parts(target, film->context, row.t, parts);
}

static thud_error write_series(body_film *film, const char *path, bool overwrite) {
  film_target target = {.overwrite = overwrite};
  double last = -INFINITY;
  thud_error error = thud_vtk_series_create(film->context, path, overwrite, &target.series);
  for (size_t row = 0; row < film->record.rows && error == THUD_OK; row++) {
    double t = film->record.t[row];
    if (!film->wanted[row] || !(t > last)) continue;
    error = write_row(film, row, &target);
    last = t;
  }
  if (error == THUD_OK) return thud_vtk_series_close(target.series);
  thud_vtk_series_destroy(target.series);
  return error;
}

/* NAME.vtu and NAME-contacts.vtu. */
static thud_error write_last(body_film *film, const char *path, bool overwrite) {
  static const char more[] = "-contacts.vtu";
  size_t stem = strlen(path) - strlen(".vtu"), row = film->record.rows - 1;
  char *beside = THUD_NEW_ARRAY(film->context, char, stem + sizeof more);
  if (beside == NULL) return THUD_ERROR_MEMORY;
  memcpy(beside, path, stem);
  memcpy(beside + stem, more, sizeof more);
  while (row > 0 && !film->wanted[row]) row--;
  const film_target target = {.path = path, .beside = beside, .overwrite = overwrite};
  thud_error error = write_row(film, row, &target);
  thud_free(film->context, beside);
  return error;
}

static void end_film(body_film *film) {
  thud_body_surfaces_free(film->context, &film->record.view, film->surfaces);
  void *const arrays[] = {film->wanted,  film->places,       film->velocity,      film->types,
                          film->ends,    film->corners,      film->body,          film->speed,
                          film->touches, film->contact_ends, film->contact_types, film->contact_corners};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(film->context, arrays[k]);
  thud_body_record_close(&film->record);
}

thud_error thud_body_vtk_export(const thud_scene *scene, thud_record_reader *reader, const thud_record_times *times,
                                const char *path, bool overwrite) {
  body_film film = {.context = thud_scene_context(scene)};
  size_t length = strlen(path);
  bool series = length > 4 && strcmp(path + length - 4, ".pvd") == 0;
  if (times != NULL && times->name_count > 0)
    return thud_fail(
        film.context, THUD_ERROR_ARGUMENT,
        "[usage] vtk: bodies are written whole, without a choice of channels (velocity, speed, forces, gaps)");
  thud_error error = thud_body_record_open(reader, scene, &film.record);
  if (error == THUD_OK) error = choose_rows(&film, times);
  if (error == THUD_OK) error = make_mesh(&film);
  if (error == THUD_OK) error = series ? write_series(&film, path, overwrite) : write_last(&film, path, overwrite);
  end_film(&film);
  return error;
}
