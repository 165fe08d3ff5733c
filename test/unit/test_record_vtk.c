/* Fields on meshes as VTK files: what was written is read back by a parser of the test's own, bit for bit. */
#include "scratch_folder.h"
#include "testing.h"
#include "thud/vtk.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A quadrilateral and a triangle beside it, a number and a vector at the points, a number per cell. */
static const double places[15] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 2, 0.5, 0.25};
static const unsigned char types[2] = {THUD_VTK_QUAD, THUD_VTK_TRIANGLE};
static const size_t ends[2] = {4, 7}, corners[7] = {0, 1, 2, 3, 1, 4, 2};
static const double heat[5] = {1.0 / 3, -0.0, NAN, INFINITY, 4e-320};
static const double arrows[15] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 0.1};
static const double load[2] = {3.141592653589793, -1e300};

static thud_vtk_state two_cells(void) {
  static const thud_vtk_field at_points[2] = {{"heat <\"&>", 1, heat}, {"arrows", 3, arrows}};
  static const thud_vtk_field in_cells[1] = {{"load", 1, load}};
  return (thud_vtk_state){
      .mesh = {.points = 5, .places = places, .cells = 2, .types = types, .ends = ends, .corners = corners},
      .point_field_count = 2,
      .point_fields = at_points,
      .cell_field_count = 1,
      .cell_fields = in_cells};
}

static char *read_text(const char *path) {
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  char *text = calloc(1 << 16, 1);
  assert_non_null(text);
  thud_assert_greater(fread(text, 1, (1 << 16) - 1, file), 0);
  fclose(file);
  return text;
}

/* Bytes of the array of this name, behind their length. */
static size_t decode(const char *text, const char *name, unsigned char *bytes) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  char key[64];
  snprintf(key, sizeof key, "Name=\"%s\"", name);
  const char *at = strstr(text, key);
  assert_non_null(at);
  at = strstr(at, ">\n") + 2;
  size_t count = 0;
  for (; *at != '\n'; at += 4) {
    unsigned bits = 0;
    for (int k = 0; k < 4; k++) bits = bits << 6 | (at[k] == '=' ? 0U : (unsigned)(strchr(digits, at[k]) - digits));
    for (int k = 0; k < 3 && at[k + 1] != '='; k++) bytes[count++] = (unsigned char)(bits >> (16 - 8 * k) & 255);
  }
  uint64_t length;
  memcpy(&length, bytes, sizeof length);
  assert_int_equal(length, count - sizeof length);
  memmove(bytes, bytes + sizeof length, count - sizeof length);
  return count - sizeof length;
}

static void assert_array(const char *text, const char *name, size_t size, const void *expected) {
  unsigned char bytes[1024];
  assert_int_equal(decode(text, name, bytes), size);
  assert_memory_equal(bytes, expected, size);
}

static void a_state_is_read_back(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const thud_vtk_state two = two_cells();
  const char *path = thud_test_path("a.vtu");
  const int64_t wide_ends[2] = {4, 7}, wide_corners[7] = {0, 1, 2, 3, 1, 4, 2};
  assert_int_equal(thud_vtk_export(context, &two, path, false), THUD_OK);
  assert_int_equal(thud_vtk_export(context, &two, path, false), THUD_ERROR_EXISTS);
  assert_int_equal(thud_vtk_export(context, &two, path, true), THUD_OK);
  char *text = read_text(path);
  assert_non_null(strstr(text, "NumberOfPoints=\"5\" NumberOfCells=\"2\""));
  assert_array(text, "Points", sizeof places, places);
  assert_array(text, "connectivity", sizeof wide_corners, wide_corners);
  assert_array(text, "offsets", sizeof wide_ends, wide_ends);
  assert_array(text, "types", sizeof types, types);
  assert_array(text, "heat &lt;&quot;&amp;&gt;", sizeof heat, heat);
  assert_array(text, "arrows", sizeof arrows, arrows);
  assert_array(text, "load", sizeof load, load);
  assert_true(strstr(text, "arrows") < strstr(text, "<CellData>"));
  assert_true(strstr(text, "\"load\"") > strstr(text, "<CellData>"));
  free(text);
  thud_test_context_end(context);
}

static void meshes_that_are_none_are_refused(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const char *path = thud_test_path("refused.vtu");
  static const size_t falling[2] = {4, 3}, beyond[7] = {0, 1, 2, 3, 1, 5, 2};
  thud_vtk_state wrong = two_cells();
  wrong.mesh.ends = falling;
  assert_int_equal(thud_vtk_export(context, &wrong, path, false), THUD_ERROR_ARGUMENT);
  wrong = two_cells();
  wrong.mesh.corners = beyond;
  assert_int_equal(thud_vtk_export(context, &wrong, path, false), THUD_ERROR_ARGUMENT);
  assert_non_null(strstr(thud_context_last_message(context), "point 5"));
  const thud_vtk_field nameless = {.width = 1, .values = load};
  wrong = two_cells();
  wrong.cell_fields = &nameless;
  assert_int_equal(thud_vtk_export(context, &wrong, path, false), THUD_ERROR_ARGUMENT);
  assert_null(fopen(path, "rb"));
  thud_test_context_end(context);
}

static void a_series_lists_its_times(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const thud_vtk_state two = two_cells();
  thud_vtk_series *series = NULL;
  assert_int_equal(thud_vtk_series_create(context, thud_test_path("film.vtu"), false, &series), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_vtk_series_create(context, thud_test_path("film.pvd"), false, &series), THUD_OK);
  for (int k = 0; k < 20; k++) assert_int_equal(thud_vtk_series_add(series, k / 10.0, &two), THUD_OK);
  assert_int_equal(thud_vtk_series_add(series, 1.9, &two), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_vtk_series_close(series), THUD_OK);
  char *text = read_text(thud_test_path("film.pvd"));
  const char *at = text;
  for (int k = 0; k < 20; k++) {
    char file[64];
    at = strstr(at, "timestep=\"");
    assert_non_null(at);
    thud_assert_equal(strtod(at + strlen("timestep=\""), NULL), k / 10.0);
    snprintf(file, sizeof file, "file=\"film/%d.vtu\"", k);
    at = strstr(at, file);
    assert_non_null(at);
    snprintf(file, sizeof file, "film/%d.vtu", k);
    char *frame = read_text(thud_test_path(file));
    assert_array(frame, "load", sizeof load, load);
    free(frame);
    remove(thud_test_path(file));
  }
  assert_null(strstr(at + 1, "timestep"));
  free(text);
  remove(thud_test_path("film"));
  assert_int_equal(thud_vtk_series_create(context, thud_test_path("film.pvd"), false, &series), THUD_ERROR_EXISTS);
  thud_test_context_end(context);
}

/* Two meshes at each time, of which the first has names. */
static void a_series_of_parts_has_a_file_for_each(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  static const char *const names[2] = {"floor", "ball"};
  thud_vtk_part parts[2] = {{.name = "bodies", .state = two_cells(), .text_count = 2, .texts = names},
                            {.name = "contacts", .state = two_cells()}};
  thud_vtk_series *series = NULL;
  assert_int_equal(thud_vtk_series_create(context, thud_test_path("both.pvd"), false, &series), THUD_OK);
  assert_int_equal(thud_vtk_series_add_parts(series, 0, 0, parts), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_vtk_series_add_parts(series, 0, 2, parts), THUD_OK);
  assert_int_equal(thud_vtk_series_add_parts(series, 0.5, 2, parts), THUD_OK);
  assert_int_equal(thud_vtk_series_add_parts(series, 1, 1, parts), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_vtk_series_add(series, 1, &parts[0].state), THUD_ERROR_ARGUMENT);
  parts[1].name = "loads";
  assert_int_equal(thud_vtk_series_add_parts(series, 1, 2, parts), THUD_ERROR_ARGUMENT);
  parts[1].name = "../a";
  assert_int_equal(thud_vtk_series_add_parts(series, 1, 2, parts), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_vtk_series_close(series), THUD_OK);
  char *text = read_text(thud_test_path("both.pvd"));
  const char *at = text;
  for (int k = 0; k < 4; k++) {
    static const char *const kinds[2] = {"bodies", "contacts"};
    char line[128], file[64];
    snprintf(line, sizeof line, "timestep=\"%s\" part=\"%d\" name=\"%s\" file=\"both/%d-%s.vtu\"", k < 2 ? "0" : "0.5",
             k % 2, kinds[k % 2], k / 2, kinds[k % 2]);
    at = strstr(at, line);
    assert_non_null(at);
    snprintf(file, sizeof file, "both/%d-%s.vtu", k / 2, kinds[k % 2]);
    char *frame = read_text(thud_test_path(file));
    assert_array(frame, "Points", sizeof places, places);
    if (k % 2 == 0) assert_array(frame, "names", 11, "floor\0ball");
    assert_int_equal(strstr(frame, "String") != NULL, k % 2 == 0);
    free(frame);
    remove(thud_test_path(file));
  }
  free(text);
  remove(thud_test_path("both"));
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_state_is_read_back),
      cmocka_unit_test(meshes_that_are_none_are_refused),
      cmocka_unit_test(a_series_lists_its_times),
      cmocka_unit_test(a_series_of_parts_has_a_file_for_each),
  };
  return cmocka_run_group_tests(tests, thud_test_folder_make, thud_test_folder_remove);
}
