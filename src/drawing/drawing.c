/* Panels and marks of one time, in an arena that is used again for the next. */
#include "base/base.h"
#include "thud/drawing.h"

#include <string.h>

enum { ARENA_BLOCK = 1 << 14 };

/* A mark with the panel that it belongs to. */
typedef struct placed_mark {
  thud_mark mark;
  size_t panel;
} placed_mark;

struct thud_drawing {
  thud_context *context;
  thud_arena *arena;
  size_t panel_count, panel_capacity, mark_count, mark_capacity;
  thud_drawing_panel *panels;
  placed_mark *marks;
};

/* ---- names and widths ------------------------------------------------------------------------------------------------ */

/* Numbers per element in the plane and in space; 0: there is none. */
static const struct {
  const char *name;
  size_t width[2];
} kinds[THUD_MARK_KINDS] = {[THUD_MARK_POINTS] = {"points", {2, 3}},  [THUD_MARK_LINE] = {"line", {2, 3}},
                            [THUD_MARK_AREA] = {"area", {2, 3}},      [THUD_MARK_CIRCLE] = {"circle", {4, 4}},
                            [THUD_MARK_BOX] = {"box", {5, 0}},        [THUD_MARK_SPRING] = {"spring", {4, 6}},
                            [THUD_MARK_ARROW] = {"arrow", {4, 6}},    [THUD_MARK_TEXT] = {"text", {2, 3}},
                            [THUD_MARK_SURFACE] = {"surface", {3, 4}}};

static const char *const paints[THUD_PAINTS] = {"body",  "obstacle", "force", "velocity", "set",  "trace",
                                                "stick", "slip",     "guide", "normal",   "field"};

const char *thud_paint_name(thud_paint paint) { return (unsigned)paint < THUD_PAINTS ? paints[paint] : NULL; }

const char *thud_mark_kind_name(thud_mark_kind kind) {
  return (unsigned)kind < THUD_MARK_KINDS ? kinds[kind].name : NULL;
}

size_t thud_mark_width(thud_mark_kind kind, int dimension) {
  bool known = (unsigned)kind < THUD_MARK_KINDS && (dimension == 2 || dimension == 3);
  return known ? kinds[kind].width[dimension - 2] : 0;
}

bool thud_paint_is_scaled(thud_paint paint) {
  return paint == THUD_PAINT_FORCE || paint == THUD_PAINT_VELOCITY || paint == THUD_PAINT_NORMAL;
}

/* ---- life ------------------------------------------------------------------------------------------------------------ */

thud_error thud_drawing_create(thud_context *context, thud_drawing **drawing) {
  THUD_REQUIRE(context, context, drawing);
  thud_drawing *made = THUD_NEW(context, thud_drawing);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->context = context;
  thud_error error = thud_arena_create(context, ARENA_BLOCK, &made->arena);
  if (error == THUD_OK)
    *drawing = made;
  else
    thud_drawing_destroy(made);
  return error;
}

void thud_drawing_destroy(thud_drawing *drawing) {
  if (drawing == NULL) return;
  thud_arena_destroy(drawing->arena);
  thud_free(drawing->context, drawing->panels);
  thud_free(drawing->context, drawing->marks);
  thud_free(drawing->context, drawing);
}

void thud_drawing_clear(thud_drawing *drawing) {
  THUD_REQUIRE_OR(, drawing);
  thud_arena_reset(drawing->arena);
  drawing->panel_count = drawing->mark_count = 0;
}

/* ---- adding ---------------------------------------------------------------------------------------------------------- */

/* A copy of `count` elements in the arena; NULL stays NULL. False: no memory. */
static bool keep(thud_drawing *drawing, const void *from, size_t count, size_t size, const void *to) {
  if (from == NULL) return true;
  void *copy = thud_arena_alloc(drawing->arena, count, size);
  if (copy == NULL) return false;
  memcpy(copy, from, count * size);
  memcpy((void *)(size_t)to, &copy, sizeof copy);
  return true;
}

static bool keep_text(thud_drawing *drawing, const char **text) {
  return *text == NULL || keep(drawing, *text, strlen(*text) + 1, 1, text);
}

thud_error thud_drawing_add_panel(thud_drawing *drawing, const thud_drawing_panel *panel) {
  THUD_REQUIRE_OF(drawing, panel);
  thud_error error = thud_array_reserve(drawing->context, &drawing->panels, &drawing->panel_capacity,
                                        drawing->panel_count + 1, sizeof *drawing->panels);
  if (error != THUD_OK) return error;
  thud_drawing_panel copy = *panel;
  if (!keep_text(drawing, &copy.title) || !keep_text(drawing, &copy.x_label) || !keep_text(drawing, &copy.y_label) ||
      !keep_text(drawing, &copy.x_unit) || !keep_text(drawing, &copy.y_unit))
    return THUD_ERROR_MEMORY;
  drawing->panels[drawing->panel_count++] = copy;
  return THUD_OK;
}

static thud_error check_triangles(const thud_drawing *drawing, const thud_mark *mark) {
  for (size_t k = 0; k < 3 * mark->triangle_count; k++)
    if (mark->triangles[k] < 0 || (mark->count > 0 && (size_t)mark->triangles[k] >= mark->count))
      return thud_fail(drawing->context, THUD_ERROR_ARGUMENT,
                       "drawing: triangle %zu of a surface of %zu points has the corner %lld", k / 3, mark->count,
                       (long long)mark->triangles[k]);
  return THUD_OK;
}

static thud_error check_mark(const thud_drawing *drawing, const thud_mark *mark, size_t width) {
  if (width == 0)
    return thud_fail(drawing->context, THUD_ERROR_ARGUMENT, "drawing: there is no mark of kind %d in this panel",
                     (int)mark->kind);
  if ((unsigned)mark->paint >= THUD_PAINTS)
    return thud_fail(drawing->context, THUD_ERROR_ARGUMENT, "drawing: there is no paint %d", (int)mark->paint);
  if ((mark->count > 0 && mark->numbers == NULL) || (mark->triangle_count > 0 && mark->triangles == NULL))
    return thud_fail(drawing->context, THUD_ERROR_ARGUMENT, "drawing: a mark of %zu elements has no numbers",
                     mark->count);
  return check_triangles(drawing, mark);
}

thud_error thud_drawing_add(thud_drawing *drawing, const thud_mark *mark) {
  THUD_REQUIRE_OF(drawing, mark);
  static const thud_drawing_panel plain = {0};
  thud_error error = drawing->panel_count > 0 ? THUD_OK : thud_drawing_add_panel(drawing, &plain);
  if (error != THUD_OK) return error;
  size_t width = thud_mark_width(mark->kind, drawing->panels[drawing->panel_count - 1].space ? 3 : 2), numbers = 0;
  error = check_mark(drawing, mark, width);
  if (error == THUD_OK && !thud_size_multiply(mark->count, width, &numbers)) error = THUD_ERROR_MEMORY;
  if (error == THUD_OK)
    error = thud_array_reserve(drawing->context, &drawing->marks, &drawing->mark_capacity, drawing->mark_count + 1,
                               sizeof *drawing->marks);
  if (error != THUD_OK) return error;
  thud_mark copy = *mark;
  if (!keep_text(drawing, &copy.label) || !keep_text(drawing, &copy.text) || !keep_text(drawing, &copy.value_unit) ||
      !keep(drawing, copy.numbers, numbers, sizeof(double), &copy.numbers) ||
      !keep(drawing, copy.triangles, 3 * copy.triangle_count, sizeof(thud_index), &copy.triangles))
    return THUD_ERROR_MEMORY;
  drawing->marks[drawing->mark_count++] = (placed_mark){.mark = copy, .panel = drawing->panel_count - 1};
  return THUD_OK;
}

/* ---- reading --------------------------------------------------------------------------------------------------------- */

size_t thud_drawing_panel_count(const thud_drawing *drawing) {
  THUD_REQUIRE_OR(0, drawing);
  return drawing->panel_count;
}

const thud_drawing_panel *thud_drawing_panel_at(const thud_drawing *drawing, size_t panel) {
  THUD_REQUIRE_OR(NULL, drawing);
  return panel < drawing->panel_count ? &drawing->panels[panel] : NULL;
}

size_t thud_drawing_mark_count(const thud_drawing *drawing) {
  THUD_REQUIRE_OR(0, drawing);
  return drawing->mark_count;
}

const thud_mark *thud_drawing_mark_at(const thud_drawing *drawing, size_t mark, size_t *panel) {
  THUD_REQUIRE_OR(NULL, drawing);
  if (mark >= drawing->mark_count) return NULL;
  if (panel != NULL) *panel = drawing->marks[mark].panel;
  return &drawing->marks[mark].mark;
}
