/* What a quasi-static motion looks like: of each contact the reaction within what friction allows,
 *   in the plane  r_N over r_T in the wedge |r_T| <= mu r_N (with a given bound b: in the strip |r_T| <= b),
 *   in space      r_T in the disc of radius mu r_N (or b), which grows and shrinks with the normal reaction,
 * as an arrow in the paint of what the contact does; and the displacements as stems. */
#include "kinds/quasistatic/quasistatic_scene.h"
#include "run/run_view.h"

#include <math.h>

enum { MOST_CONTACTS = 9, MOST_STEMS = 12 };

typedef struct contact_view {
  thud_view view;
  const quasistatic_scene *built;
  size_t contacts, d;
  const double *r;    /* [contacts*d] */
  const double *mode; /* [contacts] of the step that the moment lies in */
  double *high;       /* [contacts*d] the largest over the record, and the least */
  double *low;
  const char *force, *length; /* units */
} contact_view;

/* mu r_N, or the bound that is given. */
static double bound_of(const contact_view *contact, size_t k, double normal) {
  const quasistatic_scene *built = contact->built;
  if (built->method == THUD_QUASISTATIC_THRESHOLD && k < built->thresholds.count)
    return thud_scene_value_at(built->scene, &built->thresholds.items[k], contact->view.t, contact->view.side);
  return built->problem.mu != NULL ? built->problem.mu[k] * fmax(normal, 0) : 0;
}

static bool is_given(const contact_view *contact) { return contact->built->method == THUD_QUASISTATIC_THRESHOLD; }

static int mode_of(const contact_view *contact, size_t k) { return contact->mode != NULL ? (int)contact->mode[k] : 0; }

/* The reaction (dx, dy) as an arrow in the paint of the contact's mode; open: a point where it would be. */
static void draw_reaction(contact_view *contact, size_t k, double dx, double dy) {
  thud_view *view = &contact->view;
  int mode = mode_of(contact, k);
  bool sticks = mode == THUD_ELASTIC_STICK, slips = mode == THUD_ELASTIC_SLIP || mode == THUD_ELASTIC_SLIP_BACK;
  static const double origin[2] = {0, 0};
  const thud_mark stick = {.paint = THUD_PAINT_STICK, .width = 1.3, .label = "reaction, sticks"};
  const thud_mark slip = {.paint = THUD_PAINT_SLIP, .width = 1.3, .label = "reaction, slips"};
  thud_view_arrow(view, stick, 0, 0, sticks ? dx : 0, sticks ? dy : 0);
  thud_view_arrow(view, slip, 0, 0, slips ? dx : 0, slips ? dy : 0);
  thud_view_mark(view, (thud_mark){.kind = THUD_MARK_POINTS, .paint = THUD_PAINT_OBSTACLE, .label = "open"},
                 !sticks && !slips, origin);
}

/* ---- in the plane ------------------------------------------------------------------------------------------------ */

/* How high wedges are: as the largest normal reaction of any contact, so that panels can be compared. */
static double height_of(const contact_view *contact) {
  double most = 0;
  for (size_t k = 0; contact->high != NULL && k < contact->contacts; k++)
    most = fmax(most, contact->high[contact->d * k]);
  return most > 0 ? 1.1 * most : 1;
}

static void draw_wedge(contact_view *contact, size_t k) {
  thud_view *view = &contact->view;
  double height = height_of(contact), width = bound_of(contact, k, height), foot = is_given(contact) ? width : 0;
  const double wedge[8] = {-foot, 0, foot, 0, width, height, -width, height};
  const double edges[8] = {-width, height, -foot, 0, foot, 0, width, height};
  thud_view_mark(view,
                 (thud_mark){.kind = THUD_MARK_AREA,
                             .paint = THUD_PAINT_SET,
                             .filled = true,
                             .opacity = 0.6,
                             .label = is_given(contact) ? "|r_T| <= bound" : "|r_T| <= mu r_N"},
                 4, wedge);
  thud_view_mark(view, (thud_mark){.kind = THUD_MARK_LINE, .paint = THUD_PAINT_SET}, 4, edges);
}

static void draw_in_plane(contact_view *contact, size_t k) {
  thud_view *view = &contact->view;
  const size_t components[2] = {2 * k + 1, 2 * k};
  size_t count;
  draw_wedge(contact, k);
  const double *trace = thud_view_trace(view, "r", contact->contacts * contact->d, components, &count);
  thud_view_mark(view, (thud_mark){.kind = THUD_MARK_LINE, .paint = THUD_PAINT_TRACE, .label = "so far"}, count, trace);
  if (view->error == THUD_OK) draw_reaction(contact, k, contact->r[2 * k + 1], contact->r[2 * k]);
}

/* ---- in space ---------------------------------------------------------------------------------------------------- */

static void draw_in_space(contact_view *contact, size_t k) {
  thud_view *view = &contact->view;
  const size_t components[2] = {3 * k + 1, 3 * k + 2};
  size_t count;
  if (contact->r == NULL) return;
  const double disc[4] = {0, 0, bound_of(contact, k, contact->r[3 * k]), NAN};
  thud_mark mark = {.kind = THUD_MARK_CIRCLE, .paint = THUD_PAINT_SET, .filled = true, .opacity = 0.6};
  mark.label = is_given(contact) ? "|r_T| <= bound" : "|r_T| <= mu r_N";
  thud_view_mark(view, mark, disc[2] > 0, disc);
  const double *trace = thud_view_trace(view, "r", contact->contacts * contact->d, components, &count);
  thud_view_mark(view, (thud_mark){.kind = THUD_MARK_LINE, .paint = THUD_PAINT_TRACE, .label = "so far"}, count, trace);
  if (view->error == THUD_OK) draw_reaction(contact, k, contact->r[3 * k + 1], contact->r[3 * k + 2]);
}

static void draw_contact(contact_view *contact, size_t k) {
  thud_view *view = &contact->view;
  const char *name = contact->built->problem.contact_names[k];
  bool plane = contact->d == 2;
  thud_view_panel(view, (thud_drawing_panel){.title = thud_view_text(view, "contact %s", name),
                                             .x_label = plane ? "r_T" : "r_T1",
                                             .y_label = plane ? "r_N" : "r_T2",
                                             .x_unit = contact->force,
                                             .y_unit = contact->force,
                                             .axes = true});
  if (plane)
    draw_in_plane(contact, k);
  else
    draw_in_space(contact, k);
}

/* ---- stems ------------------------------------------------------------------------------------------------------- */

/* The first numbers of a channel side by side as arrows from 0, with their names below all that they ever reach. */
static void draw_stems(contact_view *contact, const char *channel, size_t width, const char *const *names,
                       thud_mark mark) {
  thud_view *view = &contact->view;
  size_t count = width < MOST_STEMS ? width : MOST_STEMS;
  const double axis[4] = {0.5, 0, (double)count + 0.5, 0}, *values = thud_view_values(view, channel, width);
  double *stems = thud_view_array(view, 4 * count), least = 0, most = 0;
  double *low = thud_view_array(view, width), *high = thud_view_array(view, width);
  thud_view_range(view, channel, width, low, high);
  if (view->error != THUD_OK) return;
  for (size_t k = 0; k < count; k++) {
    stems[4 * k] = (double)k + 1;
    stems[4 * k + 3] = values[k];
    least = fmin(least, low[k]);
    most = fmax(most, high[k]);
  }
  double below = most > least ? 0.12 * (most - least) : 1;
  thud_view_mark(view, (thud_mark){.kind = THUD_MARK_LINE, .paint = THUD_PAINT_GUIDE}, 2, axis);
  mark.kind = THUD_MARK_ARROW;
  thud_view_mark(view, mark, count, stems);
  for (size_t k = 0; k < count; k++) {
    const double place[2] = {(double)k + 1, least - below};
    thud_view_mark(view, (thud_mark){.kind = THUD_MARK_TEXT, .paint = THUD_PAINT_GUIDE, .text = names[k]}, 1, place);
  }
}

static void draw_displacements(contact_view *contact) {
  const thud_quasistatic_problem *problem = &contact->built->problem;
  thud_view *view = &contact->view;
  size_t n = (size_t)problem->unknowns;
  if (n > MOST_STEMS) return;
  thud_view_panel(
      view, (thud_drawing_panel){
                .title = "displacements", .y_label = "U", .y_unit = contact->length, .axes = true, .stretched = true});
  draw_stems(contact, "U", n, problem->unknown_names,
             (thud_mark){.paint = THUD_PAINT_BODY, .width = 1.3, .label = "displacement"});
}

/* Contacts without friction have one number each. */
static void draw_normals(contact_view *contact) {
  thud_view *view = &contact->view;
  thud_view_panel(
      view, (thud_drawing_panel){
                .title = "reactions", .y_label = "r_N", .y_unit = contact->force, .axes = true, .stretched = true});
  draw_stems(contact, "r", contact->contacts, contact->built->problem.contact_names,
             (thud_mark){.paint = THUD_PAINT_STICK, .width = 1.3, .label = "reaction"});
}

/* Contacts that have no panel are counted. */
static void draw_rest(contact_view *contact) {
  thud_view *view = &contact->view;
  static const double place[2] = {0, 0};
  if (contact->contacts <= MOST_CONTACTS) return;
  thud_view_panel(view, (thud_drawing_panel){.title = "further contacts"});
  thud_view_mark(view,
                 (thud_mark){.kind = THUD_MARK_TEXT,
                             .paint = THUD_PAINT_GUIDE,
                             .text = thud_view_text(view, "%zu contacts are not shown (the first %d are)",
                                                    contact->contacts - MOST_CONTACTS, MOST_CONTACTS)},
                 1, place);
}

thud_error thud_view_quasistatic(const quasistatic_scene *built, thud_moment *moment, thud_drawing *drawing) {
  contact_view contact = {.view = thud_view_begin(built->scene, moment, drawing),
                          .built = built,
                          .contacts = (size_t)built->problem.contacts,
                          .d = (size_t)built->problem.dimension,
                          .length = thud_scene_common_unit(built->scene)};
  thud_view *view = &contact.view;
  size_t m = contact.contacts * contact.d, before, after;
  thud_view_step(view, &before, &after);
  contact.force = contact.length[0] == 'm' && contact.length[1] == '\0' ? "N" : "";
  contact.r = thud_view_values(view, "r", m);
  contact.mode = thud_view_row(view, "mode", contact.contacts, after);
  contact.low = thud_view_array(view, m);
  contact.high = thud_view_array(view, m);
  thud_view_range(view, "r", m, contact.low, contact.high);
  for (size_t k = 0; contact.d > 1 && k < contact.contacts && k < MOST_CONTACTS; k++) draw_contact(&contact, k);
  if (contact.d == 1)
    draw_normals(&contact);
  else
    draw_rest(&contact);
  draw_displacements(&contact);
  return thud_view_end(view);
}
