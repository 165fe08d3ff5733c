/* What motions look like, by kind: the drawings are held against formulas and against the numbers of the records. */
#include "failing_allocator.h"
#include "scratch_folder.h"
#include "testing.h"
#include "thud/film.h"
#include "thud/run.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* ---- recorded examples and their films ----------------------------------------------------------------------------- */

typedef struct seen {
  thud_context *context;
  thud_record_reader *reader;
  thud_scene *scene;
  thud_film *film;
  const thud_drawing *drawing; /* of the frame that was shown last */
  double t;
  int side;
} seen;

static const char *source_folder(void) {
  const char *root = getenv("THUD_SOURCE_DIR");
  return root != NULL ? root : ".";
}

/* Fewer steps and elements, and nothing after the end. Quasi-static motions take no time, and their steps belong to the
 * period of the load. */
static void shorten(thud_tree *tree, int steps) {
  const thud_node *simulate = thud_node_find(thud_tree_root(tree), "simulate");
  char text[16];
  snprintf(text, sizeof text, "%d", steps);
  if (thud_node_find(simulate, "refinements") != NULL)
    assert_int_equal(thud_tree_set(tree, "simulate.refinements", "0"), THUD_OK);
  if (thud_node_find(simulate, "classify") != NULL)
    assert_int_equal(thud_tree_set(tree, "simulate.classify", "0"), THUD_OK);
  const thud_node *given = thud_node_find(simulate, "steps");
  bool slow = thud_node_find(thud_tree_root(tree), "quasistatic") == NULL;
  bool number = slow && given != NULL && thud_node_get_kind(given) == THUD_NODE_NUMBER;
  if (number && thud_node_number(given) > steps) assert_int_equal(thud_tree_set(tree, "simulate.steps", text), THUD_OK);
  if (thud_node_find(thud_tree_root(tree), "half_plane") != NULL)
    assert_int_equal(thud_tree_set(tree, "half_plane.mesh.elements", "40"), THUD_OK);
}

/* Takes the section `draw` out of a scene's text, up to the next key: what is left is what its kind draws. */
static void drop_drawing(char *text) {
  char *from = strstr(text, "\ndraw:");
  if (from == NULL) return;
  char *to = from + 1;
  do {
    to += strcspn(to, "\n");
    to += *to != '\0';
  } while (*to != '\0' && !(*to >= 'a' && *to <= 'z'));
  memmove(from + 1, to, strlen(to) + 1);
}

static thud_tree *read_example(thud_context *context, const char *path) {
  enum { ROOM = 1 << 16 };
  char *text = malloc(ROOM);
  FILE *file = fopen(path, "r");
  thud_tree *tree = NULL;
  assert_non_null(text);
  assert_non_null(file);
  text[fread(text, 1, ROOM - 1, file)] = '\0';
  fclose(file);
  drop_drawing(text);
  if (thud_tree_read_text(context, path, text, strlen(text), &tree) != THUD_OK)
    fail_msg("%s", thud_context_last_message(context));
  free(text);
  return tree;
}

static void record_scene(seen *made, thud_tree *tree, const char *name) {
  thud_run_options options = thud_run_options_default();
  thud_run_result result = {0};
  options.record = thud_test_path("motion.h5");
  options.overwrite = true;
  if (thud_scene_build(made->context, tree, &made->scene) != THUD_OK ||
      thud_scene_run(made->scene, &options, &result) != THUD_OK ||
      thud_record_open(made->context, options.record, &made->reader) != THUD_OK)
    fail_msg("%s: %s", name, thud_context_last_message(made->context));
  thud_run_result_free(made->context, &result);
}

/* An example with at most so many steps, and its film with about so many frames: those of the rows, if there are no
 * more. */
static seen see(const char *name, int steps, int frames) {
  seen made = {.context = thud_test_context(1)};
  char path[1024];
  thud_film_options options = thud_film_options_default();
  snprintf(path, sizeof path, "%s/examples/%s.yaml", source_folder(), name);
  thud_tree *tree = read_example(made.context, path);
  shorten(tree, steps);
  record_scene(&made, tree, name);
  thud_tree_destroy(tree);
  options.most_frames = frames;
  if (thud_film_create(made.reader, made.scene, &options, &made.film) != THUD_OK)
    fail_msg("%s: %s", name, thud_context_last_message(made.context));
  return made;
}

static void end(seen *made) {
  thud_film_destroy(made->film);
  thud_record_reader_destroy(made->reader);
  thud_scene_destroy(made->scene);
  thud_test_context_end(made->context);
}

static void show(seen *made, size_t frame) {
  if (thud_film_draw(made->film, frame, &made->drawing) != THUD_OK)
    fail_msg("%s", thud_context_last_message(made->context));
  made->t = thud_film_time(made->film, frame, &made->side);
}

/* The first mark of this kind and label (NULL: none) in a panel. */
static const thud_mark *find(const seen *made, size_t panel, thud_mark_kind kind, const char *label) {
  size_t at;
  for (size_t k = 0; k < thud_drawing_mark_count(made->drawing); k++) {
    const thud_mark *mark = thud_drawing_mark_at(made->drawing, k, &at);
    bool named = label == NULL ? mark->label == NULL : mark->label != NULL && strcmp(mark->label, label) == 0;
    if (at == panel && mark->kind == kind && named) return mark;
  }
  fail_msg("panel %zu has no %s '%s'", panel, thud_mark_kind_name(kind), label != NULL ? label : "");
  return NULL;
}

/* Values of a channel of the record in the row whose time is that of the frame; the last such row, before a jump the
 * first one. */
static void read_channel(const seen *made, const char *name, size_t width, double *values) {
  size_t index, rows = thud_record_reader_info(made->reader).rows[THUD_RECORD_FRAMES], found = rows;
  double t;
  assert_int_equal(thud_record_find_channel(made->reader, THUD_RECORD_FRAMES, name, &index), THUD_OK);
  for (size_t row = 0; row < rows; row++) {
    assert_int_equal(thud_record_read(made->reader, THUD_RECORD_FRAMES, 0, row, 1, &t), THUD_OK);
    if (t == made->t && (found == rows || made->side >= 0)) found = row;
  }
  thud_assert_less(found, rows);
  thud_assert_equal(thud_record_reader_channel(made->reader, THUD_RECORD_FRAMES, index)->width, width);
  assert_int_equal(thud_record_read(made->reader, THUD_RECORD_FRAMES, index, found, 1, values), THUD_OK);
}

/* ---- geometry ------------------------------------------------------------------------------------------------------ */

/* Area of a polygon, positive when it goes counter-clockwise. */
static double area_of(const thud_mark *mark) {
  double twice = 0;
  for (size_t k = 0; k < mark->count; k++) {
    const double *a = mark->numbers + 2 * k, *b = mark->numbers + 2 * ((k + 1) % mark->count);
    twice += a[0] * b[1] - b[0] * a[1];
  }
  return 0.5 * twice;
}

/* How far a point is outside a convex polygon that goes counter-clockwise: at most 0 within. */
static double outside(const thud_mark *polygon, double x, double y) {
  double most = -INFINITY;
  for (size_t k = 0; k < polygon->count; k++) {
    const double *a = polygon->numbers + 2 * k, *b = polygon->numbers + 2 * ((k + 1) % polygon->count);
    double length = hypot(b[0] - a[0], b[1] - a[1]);
    if (length > 1e-12) most = fmax(most, ((b[1] - a[1]) * (x - a[0]) - (b[0] - a[0]) * (y - a[1])) / length);
  }
  return most;
}

/* ---- sweeping ------------------------------------------------------------------------------------------------------ */

/* A polygon of 180 tangents' points is inside the disc by at most 1 - cos(pi/180). */
static void the_swept_point_lies_in_the_drawn_set(void **state) {
  (void)state;
  seen ball = see("translating-ball", 30, 100);
  for (size_t frame = 0; frame < thud_film_frame_count(ball.film); frame++) {
    show(&ball, frame);
    const thud_mark *set = find(&ball, 0, THUD_MARK_AREA, "C(t)"), *u = find(&ball, 0, THUD_MARK_POINTS, "u");
    thud_assert_at_least(set->count, 100);
    for (size_t k = 0; k < set->count; k++)
      thud_assert_near(hypot(set->numbers[2 * k] - ball.t, set->numbers[2 * k + 1]), 1, 1e-12);
    thud_assert_equal(u->count, 1);
    thud_assert_at_most(outside(set, u->numbers[0], u->numbers[1]), 1 - cos(pi / 180) + 1e-12);
  }
  end(&ball);
}

/* Both limits of a jump have the set of their side, and the jump is an arrow from then on. */
static void a_jump_has_the_set_before_and_after(void **state) {
  (void)state;
  seen jump = see("jump", 20, 10);
  size_t sides = 0;
  for (size_t frame = 0; frame < thud_film_frame_count(jump.film); frame++) {
    show(&jump, frame);
    bool after = jump.t > 1 || (jump.t == 1 && jump.side >= 0);
    const thud_mark *set = find(&jump, 0, THUD_MARK_AREA, "C(t)"), *arrow = find(&jump, 0, THUD_MARK_ARROW, "jump");
    thud_assert_near(hypot(set->numbers[0] - (after ? 3 : 0), set->numbers[1]), 1, 1e-12);
    thud_assert_equal(arrow->count, after);
    sides += jump.t == 1;
    if (!after) continue;
    thud_assert_near(arrow->numbers[0] + arrow->numbers[2], 3 - 3 / hypot(3, 0.5), 1e-12);
    thud_assert_near(arrow->numbers[1] + arrow->numbers[3], 0.5 / hypot(3, 0.5), 1e-12);
  }
  thud_assert_equal(sides, 2);
  end(&jump);
}

/* A strip has no bounds: what is drawn of it satisfies its two inequalities, and holds the point. */
static void a_set_without_bounds_is_cut_around_the_motion(void **state) {
  (void)state;
  seen strip = see("hardening", 25, 100);
  for (size_t frame = 0; frame < thud_film_frame_count(strip.film); frame++) {
    show(&strip, frame);
    double t = strip.t, strain = t < 1 ? 0.02 * t : t < 3 ? 0.02 * (2 - t) : 0.02 * (t - 4);
    const thud_mark *set = find(&strip, 0, THUD_MARK_AREA, "C(t)"), *u = find(&strip, 0, THUD_MARK_POINTS, "u");
    thud_assert_at_least(set->count, 4);
    for (size_t k = 0; k < set->count; k++) {
      const double *x = set->numbers + 2 * k;
      thud_assert_at_most(fabs(x[0] - x[1] + 200 * strain), 1 + 1e-9);
    }
    thud_assert_greater(fabs(area_of(set)), 1);
    thud_assert_at_most(outside(set, u->numbers[0], u->numbers[1]), 1e-9);
  }
  end(&strip);
}

/* Each point of the slot's strip over the time is one of its edges. */
static void an_interval_is_drawn_over_the_time(void **state) {
  (void)state;
  seen play = see("play", 200, 12);
  show(&play, thud_film_frame_count(play.film) / 2);
  const thud_mark *strip = find(&play, 0, THUD_MARK_AREA, "C at all times"),
                  *now = find(&play, 0, THUD_MARK_LINE, "C(t)");
  for (size_t k = 0; k < strip->count; k++)
    thud_assert_near(fabs(strip->numbers[2 * k + 1] - sin(strip->numbers[2 * k])), 0.4, 1e-12);
  thud_assert_equal(now->count, 2);
  thud_assert_near(now->numbers[1], sin(play.t) - 0.4, 1e-12);
  thud_assert_near(now->numbers[3], sin(play.t) + 0.4, 1e-12);
  end(&play);
}

/* ---- friction ------------------------------------------------------------------------------------------------------ */

/* The one that is there of a reaction's two arrows. */
static const thud_mark *reaction_of(const seen *made, bool *slips) {
  const thud_mark *stick = find(made, 0, THUD_MARK_ARROW, "reaction, sticks");
  const thud_mark *slip = find(made, 0, THUD_MARK_ARROW, "reaction, slips");
  thud_assert_equal(stick->count + slip->count, 1);
  *slips = slip->count == 1;
  return *slips ? slip : stick;
}

static void reactions_stay_in_the_drawn_cone(void **state) {
  (void)state;
  seen foot = see("elastic-contact", 300, 60);
  size_t slipping = 0;
  for (size_t frame = 0; frame < thud_film_frame_count(foot.film); frame++) {
    bool slips;
    double r[2];
    show(&foot, frame);
    const thud_mark *wedge = find(&foot, 0, THUD_MARK_AREA, "|r_T| <= mu r_N"), *arrow = reaction_of(&foot, &slips);
    thud_assert_near(wedge->numbers[4] / wedge->numbers[5], 0.5, 1e-14); /* mu */
    thud_assert_at_most(outside(wedge, arrow->numbers[2], arrow->numbers[3]), 1e-9);
    if (slips) thud_assert_near(fabs(arrow->numbers[2]), 0.5 * arrow->numbers[3], 1e-9);
    slipping += slips;
    if (frame > 0) continue;
    read_channel(&foot, "r", 2, r);
    thud_assert_near(arrow->numbers[2], r[1], 0);
    thud_assert_near(arrow->numbers[3], r[0], 0);
  }
  thud_assert_greater(slipping, 5);
  thud_assert_less(slipping, thud_film_frame_count(foot.film) - 5);
  end(&foot);
}

static void a_given_bound_is_a_strip(void **state) {
  (void)state;
  seen foot = see("quasistatic/tresca", 400, 40);
  for (size_t frame = 0; frame < thud_film_frame_count(foot.film); frame++) {
    bool slips;
    show(&foot, frame);
    const thud_mark *strip = find(&foot, 0, THUD_MARK_AREA, "|r_T| <= bound"), *arrow = reaction_of(&foot, &slips);
    for (size_t k = 0; k < strip->count; k++) thud_assert_near(fabs(strip->numbers[2 * k]), 0.5, 0);
    thud_assert_at_most(outside(strip, arrow->numbers[2], arrow->numbers[3]), 1e-9);
  }
  end(&foot);
}

/* In space the disc has the radius mu r_N of its moment, mu = 1. */
static void reactions_in_space_stay_in_the_disc(void **state) {
  (void)state;
  seen foot = see("quasistatic/two-motions", 40, 200);
  size_t slipping = 0;
  for (size_t frame = 0; frame < thud_film_frame_count(foot.film); frame++) {
    bool slips;
    double r[3];
    show(&foot, frame);
    read_channel(&foot, "r", 3, r);
    const thud_mark *disc = find(&foot, 0, THUD_MARK_CIRCLE, "|r_T| <= mu r_N");
    thud_assert_equal(disc->count, r[0] > 0);
    if (disc->count == 0) continue;
    thud_assert_near(disc->numbers[2], r[0], 0);
    if (r[1] == 0 && r[2] == 0) continue; /* no arrow */
    const thud_mark *arrow = reaction_of(&foot, &slips);
    double length = hypot(arrow->numbers[2], arrow->numbers[3]);
    thud_assert_at_most(length, disc->numbers[2] * (1 + 1e-6));
    if (slips) thud_assert_at_least(length, disc->numbers[2] * (1 - 1e-6));
    slipping += slips;
  }
  thud_assert_greater(slipping, 3);
  end(&foot);
}

/* The braked wheel: { |G| <= 1, |G_x| <= 1/2 }, cut by 120 tangents' points. */
static void the_forces_of_a_braked_wheel_are_a_cut_disc(void **state) {
  (void)state;
  seen wheel = see("composed/braked-wheel", 2, 3);
  for (size_t frame = 0; frame < thud_film_frame_count(wheel.film); frame++) {
    double W[2];
    show(&wheel, frame);
    const thud_mark *set = find(&wheel, 0, THUD_MARK_AREA, "forces that resist");
    const thud_mark *force = find(&wheel, 0, THUD_MARK_POINTS, "force");
    const thud_mark *velocity = find(&wheel, 0, THUD_MARK_ARROW, "the velocity turned round, normal to the set");
    for (size_t k = 0; k < set->count; k++) {
      thud_assert_at_most(hypot(set->numbers[2 * k], set->numbers[2 * k + 1]), 1 + 1e-9);
      thud_assert_at_most(fabs(set->numbers[2 * k]), 0.5 + 1e-9);
    }
    thud_assert_near(area_of(set), sqrt(0.75) + pi - 2 * pi / 3,
                     2e-3); /* 2 (sqrt(3)/4 + pi/6), less the cut tangents */
    thud_assert_equal(force->count, 1);
    thud_assert_at_most(outside(set, force->numbers[0], force->numbers[1]), 1 - cos(pi / 120) + 1e-9);
    read_channel(&wheel, "velocity", 2, W);
    const thud_mark *all = find(&wheel, 0, THUD_MARK_LINE, "all forces that answer");
    thud_assert_equal(all->count, frame == 0 ? 2 : 0); /* along the wheel: the flat side */
    for (size_t k = 0; k < all->count; k++) {
      thud_assert_near(all->numbers[2 * k], -0.5, 1e-9);
      thud_assert_near(all->numbers[2 * k + 1], k == 0 ? -sqrt(0.75) : sqrt(0.75), 1e-6);
    }
    thud_assert_near(velocity->numbers[2], -W[0], 0);
    thud_assert_near(velocity->numbers[3], -W[1], 0);
  }
  end(&wheel);
}

/* ---- lines --------------------------------------------------------------------------------------------------------- */

/* The area of the density (clockwise: up, then back along the axis) and the arrows of the atoms are the whole reaction. */
static void check_reaction(const char *name, size_t panel, double tolerance) {
  seen line = see(name, 20, 50);
  double s[1000], largest = 0;
  for (size_t frame = 0; frame < thud_film_frame_count(line.film); frame++) {
    size_t index, n;
    double total = 0, drawn;
    show(&line, frame);
    assert_int_equal(thud_record_find_channel(line.reader, THUD_RECORD_FRAMES, "s", &index), THUD_OK);
    n = thud_record_reader_channel(line.reader, THUD_RECORD_FRAMES, index)->width;
    thud_assert_at_most(n, 1000);
    read_channel(&line, "s", n, s);
    for (size_t i = 0; i < n; i++) total += s[i];
    const thud_mark *atoms = find(&line, panel, THUD_MARK_ARROW, "atom of s");
    drawn = -area_of(find(&line, panel, THUD_MARK_AREA, "density of s"));
    for (size_t k = 0; k < atoms->count; k++) drawn += atoms->numbers[4 * k + 3];
    thud_assert_near(drawn, total, tolerance * fmax(total, 1));
    largest = fmax(largest, total);
  }
  thud_assert_greater(largest, 0.1);
  end(&line);
}

static void density_and_atoms_are_the_reaction(void **state) {
  (void)state;
  check_reaction("elastic/string-on-floor", 2, 1e-12);
  check_reaction("elastic/wedge-ramp", 2, 1e-12);
  check_reaction("elastic/beam-on-parabola", 1, 1e-12);
}

/* Loaded nodes stick or slip, and slip only where friction is at its limit mu s. */
static void zones_of_a_string_are_its_loaded_nodes(void **state) {
  (void)state;
  seen line = see("elastic/string-on-floor", 40, 100);
  size_t slipping = 0;
  for (size_t frame = 0; frame < thud_film_frame_count(line.film); frame++) {
    double s[401], r[401];
    size_t loaded = 0;
    show(&line, frame);
    read_channel(&line, "s", 401, s);
    read_channel(&line, "r", 401, r);
    for (size_t i = 0; i < 401; i++) loaded += s[i] > 0;
    const thud_mark *stick = find(&line, 0, THUD_MARK_POINTS, "sticks"),
                    *slip = find(&line, 0, THUD_MARK_POINTS, "slips");
    thud_assert_equal(stick->count + slip->count, loaded);
    for (size_t k = 0; k < slip->count; k++) {
      size_t i = (size_t)lround(400 * slip->numbers[2 * k]);
      thud_assert_near(fabs(r[i]), 0.5 * s[i], 1e-9);
    }
    slipping += slip->count > 0;
  }
  thud_assert_greater(slipping, 3);
  end(&line);
}

/* ---- surfaces ------------------------------------------------------------------------------------------------------ */

/* The integral of what is linear on each triangle of a planar surface. */
static double integral_of(const thud_mark *mark) {
  double sum = 0;
  for (size_t k = 0; k < mark->triangle_count; k++) {
    const double *p[3];
    for (size_t c = 0; c < 3; c++) p[c] = mark->numbers + 3 * (size_t)mark->triangles[3 * k + c];
    double area = 0.5 * ((p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) - (p[2][0] - p[0][0]) * (p[1][1] - p[0][1]));
    sum += area * (p[0][2] + p[1][2] + p[2][2]) / 3;
  }
  return sum;
}

static void a_membrane_is_its_deflection_times_the_scale_of_its_title(void **state) {
  (void)state;
  seen membrane = see("elastic/membrane-dragged", 12, 20);
  size_t slipping = 0;
  for (size_t frame = 0; frame < thud_film_frame_count(membrane.film); frame++) {
    double figures[4], scale = 0;
    size_t loaded = 0;
    show(&membrane, frame);
    read_channel(&membrane, "contact", 4, figures);
    const char *title = thud_drawing_panel_at(membrane.drawing, 0)->title;
    assert_int_equal(sscanf(title, "membrane, deflection x %lf", &scale), 1);
    const thud_mark *shape = find(&membrane, 0, THUD_MARK_SURFACE, "deflection v");
    for (size_t k = 0; k < shape->count; k++) {
      const double *x = shape->numbers + 4 * k;
      thud_assert_near(x[2], scale * x[3], 1e-14);
      thud_assert_at_least(x[3], -0.1 - 1e-12); /* the floor */
    }
    const thud_mark *reaction = find(&membrane, 1, THUD_MARK_SURFACE, "s per area");
    thud_assert_near(integral_of(reaction), figures[0], 1e-12 * fmax(figures[0], 1));
    for (size_t k = 0; k < reaction->count; k++) loaded += reaction->numbers[3 * k + 2] > 0;
    const thud_mark *stick = find(&membrane, 2, THUD_MARK_POINTS, "sticks"),
                    *slip = find(&membrane, 2, THUD_MARK_POINTS, "slips");
    thud_assert_equal(stick->count + slip->count, loaded);
    slipping += slip->count > 0;
  }
  thud_assert_greater(slipping, 2);
  end(&membrane);
}

/* ---- punches ------------------------------------------------------------------------------------------------------- */

static void areas_under_tractions_are_the_forces(void **state) {
  (void)state;
  seen punch = see("elastic/punch-cycle", 20, 30);
  for (size_t frame = 0; frame < thud_film_frame_count(punch.film); frame++) {
    double load[3], gap[40], mode[40];
    size_t touching = 0;
    show(&punch, frame);
    read_channel(&punch, "load", 3, load);
    read_channel(&punch, "gap", 40, gap);
    read_channel(&punch, "mode", 40, mode);
    thud_assert_near(load[0], 1, 1e-12);
    thud_assert_near(-area_of(find(&punch, 1, THUD_MARK_AREA, "pressure p")), load[0], 1e-9);
    thud_assert_near(-area_of(find(&punch, 1, THUD_MARK_AREA, "traction q")), load[1], 1e-9);
    const thud_mark *surface = find(&punch, 0, THUD_MARK_AREA, "half-plane"),
                    *body = find(&punch, 0, THUD_MARK_AREA, "punch");
    for (size_t i = 0; i < 40; i++) {
      thud_assert_near(body->numbers[2 * i + 1] - surface->numbers[2 * i + 1], gap[i], 1e-14);
      touching += mode[i] != 3;
    }
    thud_assert_equal(find(&punch, 1, THUD_MARK_POINTS, "sticks")->count +
                          find(&punch, 1, THUD_MARK_POINTS, "slips")->count,
                      touching);
  }
  end(&punch);
}

/* At the ends of a flat punch, P/(pi sqrt(1 - x^2)) with P = 1, what is drawn stops at 5 times the mean, 1/2. */
static void pressures_without_bound_are_cut(void **state) {
  (void)state;
  char title[80];
  seen punch = see("elastic/punch-coulomb", 2, 5);
  show(&punch, 0);
  const thud_mark *pressure = find(&punch, 1, THUD_MARK_AREA, "pressure p");
  double largest = 0;
  for (size_t k = 0; k < pressure->count; k++) largest = fmax(largest, pressure->numbers[2 * k + 1]);
  /* Five times the mean P/(2a) = 0.5, up to the halves of the outermost elements (drawing/singular.c). */
  thud_assert_near(largest, 2.5, 0.05);
  snprintf(title, sizeof title, "pressure and traction, cut at %.3g (no bound at the ends)", largest);
  assert_string_equal(thud_drawing_panel_at(punch.drawing, 1)->title, title);
  end(&punch);
}

/* ---- all examples -------------------------------------------------------------------------------------------------- */

/* Everything is finite but the angle of circles, which says that they do not turn. */
static void assert_finite(const thud_mark *mark, bool space, const char *name) {
  size_t width = thud_mark_width(mark->kind, space ? 3 : 2);
  thud_assert_greater(width, 0);
  for (size_t k = 0; k < mark->count * width; k++)
    if (!isfinite(mark->numbers[k]) && !(mark->kind == THUD_MARK_CIRCLE && k % width == 3))
      fail_msg("%s: a %s '%s' is not finite", name, thud_mark_kind_name(mark->kind),
               mark->label != NULL ? mark->label : "");
}

/* The same panels and marks in all frames of a film. */
static void check_example(const char *name, const char *path) {
  enum { MOST = 64 };
  seen made = see(path, 8, 3);
  struct {
    thud_mark_kind kind;
    thud_paint paint;
    size_t panel, triangles;
  } first[MOST];
  size_t marks = 0, panels = 0, drawn = 0;
  for (size_t frame = 0; frame < thud_film_frame_count(made.film); frame++) {
    show(&made, frame);
    if (frame == 0) marks = thud_drawing_mark_count(made.drawing), panels = thud_drawing_panel_count(made.drawing);
    thud_assert_equal(thud_drawing_mark_count(made.drawing), marks);
    thud_assert_equal(thud_drawing_panel_count(made.drawing), panels);
    thud_assert_at_most(marks, MOST);
    for (size_t k = 0; k < marks; k++) {
      size_t panel;
      const thud_mark *mark = thud_drawing_mark_at(made.drawing, k, &panel);
      if (frame == 0) {
        first[k].kind = mark->kind;
        first[k].paint = mark->paint;
        first[k].panel = panel;
        first[k].triangles = mark->triangle_count;
      }
      thud_assert_equal(mark->kind, first[k].kind);
      thud_assert_equal(mark->paint, first[k].paint);
      thud_assert_equal(panel, first[k].panel);
      thud_assert_equal(mark->triangle_count, first[k].triangles);
      assert_finite(mark, thud_drawing_panel_at(made.drawing, panel)->space, name);
      drawn += mark->count;
    }
  }
  thud_assert_greater(drawn, 10);
  end(&made);
}

static bool has_view(thud_context *context, const char *path) {
  static const char *const sections[] = {"sweeping", "quasistatic", "friction", "string",
                                         "beam",     "membrane",    "plate",    "half_plane"};
  thud_tree *tree = NULL;
  bool any = false;
  assert_int_equal(thud_tree_read_file(context, path, &tree), THUD_OK);
  for (size_t k = 0; k < sizeof sections / sizeof *sections; k++)
    any = any || thud_node_find(thud_tree_root(tree), sections[k]) != NULL;
  thud_tree_destroy(tree);
  return any;
}

static size_t check_folder(const char *folder) {
  char path[1024];
  size_t count = 0;
  thud_context *context = thud_test_context(1);
  snprintf(path, sizeof path, "%s/examples/%s", source_folder(), folder);
  DIR *files = opendir(path);
  assert_non_null(files);
  for (const struct dirent *file = readdir(files); file != NULL; file = readdir(files)) {
    char whole[2048], name[512];
    size_t length = strlen(file->d_name);
    if (length < 6 || strcmp(file->d_name + length - 5, ".yaml") != 0) continue;
    snprintf(whole, sizeof whole, "%s/%s", path, file->d_name);
    if (!has_view(context, whole)) continue;
    snprintf(name, sizeof name, "%s%s%.*s", folder, folder[0] != '\0' ? "/" : "", (int)length - 5, file->d_name);
    if (count++ % (size_t)thud_test_share(2) == 0) check_example(name, name);
  }
  closedir(files);
  thud_test_context_end(context);
  return count;
}

static void all_examples_draw_the_same_finite_marks_at_all_times(void **state) {
  (void)state;
  thud_assert_at_least(check_folder(""), 9);
  thud_assert_at_least(check_folder("composed"), 9);
  thud_assert_at_least(check_folder("quasistatic"), 20);
  thud_assert_at_least(check_folder("elastic"), 25);
}

/* A scene that has been drawn runs as it did before. */
static void drawing_changes_no_motion(void **state) {
  (void)state;
  static const char *const names[] = {"plasticity", "composed/rope-of-five-links", "elastic/wedge-ramp"};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    seen made = see(names[k], 12, 5);
    thud_run_options options = thud_run_options_default();
    thud_run_result before = {0}, after = {0};
    assert_int_equal(thud_scene_run(made.scene, &options, &before), THUD_OK);
    for (size_t frame = 0; frame < thud_film_frame_count(made.film); frame++) show(&made, frame);
    assert_int_equal(thud_scene_run(made.scene, &options, &after), THUD_OK);
    assert_string_equal(after.report, before.report);
    thud_run_result_free(made.context, &before);
    thud_run_result_free(made.context, &after);
    end(&made);
  }
}

/* ---- allocations ----------------------------------------------------------------------------------------------------- */

/* The last frame of the recorded motion. */
static thud_error draw_record(thud_context *context, void *user) {
  thud_record_reader *reader = NULL;
  thud_scene *scene = NULL;
  thud_film *film = NULL;
  const thud_drawing *drawing;
  thud_film_options options = thud_film_options_default();
  options.most_frames = 2;
  thud_error error = thud_record_open(context, user, &reader);
  if (error == THUD_OK) error = thud_film_build_scene(context, reader, &scene);
  if (error == THUD_OK) error = thud_film_create(reader, scene, &options, &film);
  if (error == THUD_OK) error = thud_film_draw(film, thud_film_frame_count(film) - 1, &drawing);
  thud_film_destroy(film);
  thud_scene_destroy(scene);
  thud_record_reader_destroy(reader);
  return error;
}

/* Views that make something of their own: a copy of the set, the outline of the laws; the others have the same helpers as
 * the third one alone. */
static void failing_allocations_are_reported(void **state) {
  (void)state;
  static const char *const names[] = {"jump", "composed/bar-end", "quasistatic/any-time"};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    seen made = see(names[k], 2, 2);
    end(&made);
    char path[4096];
    snprintf(path, sizeof path, "%s", thud_test_path("motion.h5"));
    thud_assert_greater(thud_test_sweep_allocations(draw_record, path), 50);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_swept_point_lies_in_the_drawn_set),
      cmocka_unit_test(a_jump_has_the_set_before_and_after),
      cmocka_unit_test(a_set_without_bounds_is_cut_around_the_motion),
      cmocka_unit_test(an_interval_is_drawn_over_the_time),
      cmocka_unit_test(reactions_stay_in_the_drawn_cone),
      cmocka_unit_test(a_given_bound_is_a_strip),
      cmocka_unit_test(reactions_in_space_stay_in_the_disc),
      cmocka_unit_test(the_forces_of_a_braked_wheel_are_a_cut_disc),
      cmocka_unit_test(density_and_atoms_are_the_reaction),
      cmocka_unit_test(zones_of_a_string_are_its_loaded_nodes),
      cmocka_unit_test(a_membrane_is_its_deflection_times_the_scale_of_its_title),
      cmocka_unit_test(areas_under_tractions_are_the_forces),
      cmocka_unit_test(pressures_without_bound_are_cut),
      cmocka_unit_test(all_examples_draw_the_same_finite_marks_at_all_times),
      cmocka_unit_test(drawing_changes_no_motion),
      cmocka_unit_test(failing_allocations_are_reported),
  };
  return cmocka_run_group_tests(tests, thud_test_folder_make, thud_test_folder_remove);
}
