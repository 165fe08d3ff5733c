/* The path of a contact's reaction within what friction allows:
 *   in the plane  r_T over r_N with the lines r_T = +-mu r_N (or +- a given bound)
 *   in space      r_T divided by mu r_N (or by the bound) in the unit disc; an open contact interrupts the path
 * The coefficient is that of the scene in the record. */
#include "plot/expression.h"
#include "plot/picture.h"
#include "scene/build.h"

#include <math.h>
#include <string.h>

enum { CIRCLE = 181, LIMIT_COLOUR = 7 };

/* Admissible friction forces at a time. */
typedef struct cone_law {
  thud_tree *tree;
  thud_scene *scene; /* parameters and data alone */
  bool given;        /* a bound of its own, not mu r_N */
  scene_value value; /* mu, or the bound */
} cone_law;

static void free_law(cone_law *law) {
  thud_scene_value_free(&law->value);
  if (law->scene != NULL) thud_scene_free(law->scene);
  thud_tree_destroy(law->tree);
}

static const thud_node *find_contact(const thud_node *section, const char *name) {
  const thud_node *contacts = thud_node_find(section, "contacts");
  for (size_t k = 0; k < thud_node_count(contacts); k++) {
    const thud_node *contact = thud_node_item(contacts, k), *named = thud_node_find(contact, "name");
    if (thud_node_get_kind(named) == THUD_NODE_STRING && strcmp(thud_node_string(named), name) == 0) return contact;
  }
  return NULL;
}

static thud_error read_law(thud_picture *picture, const plot_record *record, const char *name, cone_law *law) {
  const char *text = thud_record_reader_info(record->reader).resolved;
  thud_error error = thud_tree_read_text(picture->context, record->stem, text, strlen(text), &law->tree);
  if (error != THUD_OK) return error;
  const thud_node *root = thud_tree_root(law->tree), *contact = find_contact(thud_plot_section(root), name);
  const thud_node *mu = thud_node_find(contact, "mu"), *bound = thud_node_find(contact, "threshold");
  if (mu == NULL && bound == NULL)
    return thud_fail(picture->context, THUD_ERROR_NOT_FOUND,
                     "[unknown-channel] %s has no contact '%s' with friction; a cone (--cone) needs a contact of a "
                     "quasi-static scene",
                     record->stem, name);
  law->scene = THUD_NEW(picture->context, thud_scene);
  if (law->scene == NULL) return THUD_ERROR_MEMORY;
  law->scene->context = picture->context;
  law->given = bound != NULL;
  error = thud_scene_build_common(law->scene, root, (scene_data_form){0});
  return error == THUD_OK ? thud_scene_read_value(law->scene, law->given ? bound : mu, &law->value) : error;
}

/* Bound of |r_T| at number k. */
static double bound_at(const cone_law *law, const plot_axis *normal, size_t k) {
  double value = thud_scene_value_at(law->scene, &law->value, thud_plot_time(&normal->reading, k), THUD_SIDE_VALUE);
  return law->given ? value : value * thud_plot_axis_value(normal, k);
}

/* ---- in the plane -------------------------------------------------------------------------------------------------- */

/* The bound over r_N from 0 on; one that changes with time at the times of the rows. */
static thud_error add_limit(thud_picture *picture, const cone_law *law, const plot_axis *normal, double sign,
                            const char *label) {
  size_t count = normal->reading.count;
  bool constant = law->value.expr == NULL;
  plot_points line = thud_plot_points_begin(picture, count + 2);
  double largest = 0, value = thud_scene_value_at(law->scene, &law->value, 0, THUD_SIDE_VALUE);
  for (size_t k = 0; k < count; k++) {
    double r = thud_plot_axis_value(normal, k);
    if (!constant) thud_plot_points_add(&line, r, sign * bound_at(law, normal, k));
    largest = fmax(largest, isfinite(r) ? 1.05 * r : 0);
  }
  if (constant) {
    thud_plot_points_add(&line, 0, law->given ? sign * value : 0);
    thud_plot_points_add(&line, largest, law->given ? sign * value : sign * value * largest);
  }
  return thud_plot_points_end(
      &line, (thud_plot_series){.label = label, .colour = LIMIT_COLOUR, .dash = THUD_PLOT_DASHED, .no_jumps = true});
}

static thud_error add_in_plane(thud_picture *picture, const plot_record *record, const char *name, cone_law *law,
                               plot_axis *normal) {
  plot_axis tangential = {0};
  thud_error error = thud_plot_axis_read(picture, record, thud_plot_text(picture, "%s.t", name), &tangential);
  if (error == THUD_OK && record == picture->records) {
    picture->figure.x_label = normal->reading.names[normal->component];
    picture->figure.x_unit = thud_plot_axis_unit(normal);
    picture->panels[0] = (thud_plot_panel){.y_label = tangential.reading.names[tangential.component],
                                           .y_unit = thud_plot_axis_unit(&tangential),
                                           .series = picture->series};
  }
  const char *label = record != picture->records ? NULL : law->given ? "bound" : "±μ r_N";
  if (error == THUD_OK) error = add_limit(picture, law, normal, 1, label);
  if (error == THUD_OK) error = add_limit(picture, law, normal, -1, NULL);
  if (error == THUD_OK) error = thud_plot_add_curve(picture, record, normal, &tangential);
  thud_plot_reading_free(picture, &tangential.reading);
  return error;
}

/* ---- in space ------------------------------------------------------------------------------------------------------ */

static void divide(const cone_law *law, const plot_axis *normal, plot_axis *axis) {
  plot_reading *reading = &axis->reading;
  for (size_t k = 0; k < reading->count; k++) {
    double bound = bound_at(law, normal, k);
    double *value = &reading->values[k * reading->width + axis->component];
    *value = bound > 0 ? *value / bound : NAN;
  }
}

static thud_error add_circle(thud_picture *picture) {
  plot_points circle = thud_plot_points_begin(picture, CIRCLE);
  for (int k = 0; k < CIRCLE; k++) {
    double angle = 2 * acos(-1.0) * k / (CIRCLE - 1);
    thud_plot_points_add(&circle, cos(angle), sin(angle));
  }
  return thud_plot_points_end(&circle,
                              (thud_plot_series){.colour = LIMIT_COLOUR, .dash = THUD_PLOT_DASHED, .no_jumps = true});
}

static thud_error add_in_space(thud_picture *picture, const plot_record *record, const char *name, cone_law *law,
                               plot_axis *normal) {
  plot_axis axes[2] = {0};
  thud_error error = thud_plot_axis_read(picture, record, thud_plot_text(picture, "%s.t1", name), &axes[0]);
  if (error == THUD_OK) error = thud_plot_axis_read(picture, record, thud_plot_text(picture, "%s.t2", name), &axes[1]);
  for (int k = 0; k < 2 && error == THUD_OK; k++) divide(law, normal, &axes[k]);
  const char *below = law->given ? "bound" : thud_plot_text(picture, "(μ %s.n)", name);
  if (error == THUD_OK && record == picture->records) {
    picture->figure.x_label = thud_plot_text(picture, "%s.t1 / %s", name, below);
    picture->figure.equal_aspect = true;
    picture->panels[0] =
        (thud_plot_panel){.y_label = thud_plot_text(picture, "%s.t2 / %s", name, below), .series = picture->series};
  }
  if (error == THUD_OK && record == picture->records) error = add_circle(picture);
  if (error == THUD_OK) error = thud_plot_add_curve(picture, record, &axes[0], &axes[1]);
  for (int k = 0; k < 2; k++) thud_plot_reading_free(picture, &axes[k].reading);
  return error;
}

/* ---- the figure ---------------------------------------------------------------------------------------------------- */

static thud_error add_record(thud_picture *picture, const plot_record *record, const char *name) {
  cone_law law = {0};
  plot_axis normal = {0};
  thud_error error = read_law(picture, record, name, &law);
  if (error == THUD_OK) error = thud_plot_axis_read(picture, record, thud_plot_text(picture, "%s.n", name), &normal);
  bool space = error == THUD_OK && thud_plot_has_component(&normal.reading, thud_plot_text(picture, "%s.t2", name));
  if (error == THUD_OK)
    error =
        space ? add_in_space(picture, record, name, &law, &normal) : add_in_plane(picture, record, name, &law, &normal);
  thud_plot_reading_free(picture, &normal.reading);
  free_law(&law);
  return error;
}

thud_error thud_plot_add_cone(thud_picture *picture, const char *contact) {
  thud_error error = THUD_OK;
  for (size_t k = 0; k < picture->record_count && error == THUD_OK; k++)
    error = add_record(picture, &picture->records[k], contact);
  picture->panel_count = 1;
  picture->panels[0].series_count = picture->series_count;
  return error;
}
