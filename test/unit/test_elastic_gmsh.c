/* Meshes of Gmsh: both formats, as text and as bytes, round trips, and files that lie. */
#include "failing_allocator.h"
#include "testing.h"

#include "thud/mesh.h"

#include <stdio.h>
#include <string.h>

static thud_context *context;
static int setup(void **state) {
  (void)state;
  context = thud_test_context(1);
  return 0;
}
static int teardown(void **state) {
  (void)state;
  thud_test_context_end(context);
  return 0;
}

/* The unit square of two triangles, one of them clockwise, with a point that no triangle has and a line without a group. */
static const char second[] =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n1 7 \"floor side\"\n2 9 \"all\"\n"
    "$EndPhysicalNames\n$Nodes\n5\n10 0 0 0\n20 1 0 0\n30 1 1 0\n40 0 1 0\n50 0.5 0.5 0\n"
    "$EndNodes\n$Elements\n5\n1 15 2 0 1 50\n2 1 2 7 1 10 20\n3 1 2 0 1 20 30\n"
    "4 2 2 9 1 10 20 30\n5 2 2 9 1 10 40 30\n$EndElements\n";
static const char fourth[] =
    "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n1 7 \"floor side\"\n$EndPhysicalNames\n"
    "$Entities\n1 2 1 0\n1 0.5 0.5 0 0\n1 0 0 0 1 0 0 1 7 2 1 -2\n2 1 0 0 1 1 0 0 0\n1 0 0 0 1 1 0 1 9 "
    "0\n$EndEntities\n"
    "$Nodes\n2 5 10 50\n0 1 0 1\n50\n0.5 0.5 0\n2 1 0 4\n10\n20\n30\n40\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n$EndNodes\n"
    "$Elements\n3 4 1 5\n1 1 1 1\n2 10 20\n1 2 1 1\n3 20 30\n2 1 2 2\n4 10 20 30\n5 10 40 30\n$EndElements\n";

static void assert_square(const thud_mesh *mesh) {
  const thud_mesh_definition m = thud_mesh_get(mesh);
  const double xy[] = {0, 0, 1, 0, 1, 1, 0, 1};
  const thud_index triangles[] = {0, 1, 2, 0, 2, 3};
  thud_assert_equal(m.nodes, 4);
  thud_assert_equal(m.triangles, 2);
  thud_assert_equal(m.edges, 1);
  assert_memory_equal(m.xy, xy, sizeof xy);
  assert_memory_equal(m.triangle, triangles, sizeof triangles);
  assert_string_equal(m.group_names[m.edge_group[0]], "floor side");
  thud_assert_equal(m.edge[0] + m.edge[1], 1);
}

static thud_error read(const char *text, thud_mesh **mesh) {
  return thud_mesh_read_gmsh(context, "square.msh", text, strlen(text), mesh);
}

static void both_formats_give_the_same(void **state) {
  (void)state;
  thud_mesh *mesh;
  assert_int_equal(read(second, &mesh), THUD_OK);
  assert_square(mesh);
  thud_mesh_destroy(mesh);
  assert_int_equal(read(fourth, &mesh), THUD_OK);
  assert_square(mesh);
  thud_mesh_destroy(mesh);
}

/* Bytes of a binary file. */
typedef struct bytes {
  char data[4096];
  size_t count;
} bytes;

static void put(bytes *to, const void *from, size_t size) {
  memcpy(to->data + to->count, from, size);
  to->count += size;
}
static void put_text(bytes *to, const char *text) { put(to, text, strlen(text)); }
static void put_int(bytes *to, int32_t value) { put(to, &value, sizeof value); }
static void put_size(bytes *to, uint64_t value) { put(to, &value, sizeof value); }
static void put_places(bytes *to, bool with_tags) {
  const double places[4][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  for (int k = 0; k < 4; k++) {
    if (with_tags) put_int(to, 10 * (k + 1));
    put(to, places[k], sizeof places[k]);
  }
}

static bytes binary_second(void) {
  bytes b = {.count = 0};
  put_text(&b, "$MeshFormat\n2.2 1 8\n");
  put_int(&b, 1);
  put_text(&b, "\n$EndMeshFormat\n$PhysicalNames\n1\n1 7 \"floor side\"\n$EndPhysicalNames\n$Nodes\n4\n");
  put_places(&b, true);
  put_text(&b, "\n$EndNodes\n$Elements\n3\n");
  const int32_t line[] = {1, 1, 2, 1, 7, 1, 10, 20}, both[] = {2, 2, 2, 2, 9, 1, 10, 20, 30, 3, 9, 1, 10, 40, 30};
  put(&b, line, sizeof line);
  put(&b, both, sizeof both);
  put_text(&b, "\n$EndElements\n");
  return b;
}

static bytes binary_fourth(void) {
  bytes b = {.count = 0};
  const double box[6] = {0};
  put_text(&b, "$MeshFormat\n4.1 1 8\n");
  put_int(&b, 1);
  put_text(&b, "\n$EndMeshFormat\n$PhysicalNames\n1\n1 7 \"floor side\"\n$EndPhysicalNames\n$Entities\n");
  for (int d = 0; d < 4; d++) put_size(&b, d == 1);
  put_int(&b, 1);
  put(&b, box, sizeof box);
  put_size(&b, 1);
  put_int(&b, 7);
  put_size(&b, 0);
  put_text(&b, "\n$EndEntities\n$Nodes\n");
  for (int k = 0; k < 4; k++) put_size(&b, (uint64_t[]){1, 4, 10, 40}[k]);
  for (int k = 0; k < 3; k++) put_int(&b, (int32_t[]){2, 1, 0}[k]);
  put_size(&b, 4);
  for (uint64_t k = 1; k <= 4; k++) put_size(&b, 10 * k);
  put_places(&b, false);
  put_text(&b, "\n$EndNodes\n$Elements\n");
  const uint64_t head[] = {2, 3, 1, 3}, line[] = {1, 10, 20}, both[] = {2, 10, 20, 30, 3, 10, 40, 30};
  put(&b, head, sizeof head);
  for (int k = 0; k < 3; k++) put_int(&b, 1);
  put_size(&b, 1);
  put(&b, line, sizeof line);
  for (int k = 0; k < 3; k++) put_int(&b, (int32_t[]){2, 1, 2}[k]);
  put_size(&b, 2);
  put(&b, both, sizeof both);
  put_text(&b, "\n$EndElements\n");
  return b;
}

static void binary_files_are_read(void **state) {
  (void)state;
  const bytes files[2] = {binary_second(), binary_fourth()};
  for (int k = 0; k < 2; k++) {
    thud_mesh *mesh = NULL;
    assert_int_equal(thud_mesh_read_gmsh(context, "square.msh", files[k].data, files[k].count, &mesh), THUD_OK);
    assert_square(mesh);
    thud_mesh_destroy(mesh);
    /* Cut anywhere in front of the last word it is refused. */
    for (size_t size = 0; size + 2 < files[k].count; size++) {
      thud_error error = thud_mesh_read_gmsh(context, "square.msh", files[k].data, size, &mesh);
      assert_int_equal(error, THUD_ERROR_FORMAT);
    }
  }
}

static void what_is_written_reads_back(void **state) {
  (void)state;
  thud_mesh *first, *again;
  char *text;
  assert_int_equal(thud_mesh_disc(context, (double[]){0.1, -3}, 1.7, 6, &first), THUD_OK);
  assert_int_equal(thud_mesh_write_gmsh(first, &text), THUD_OK);
  assert_int_equal(read(text, &again), THUD_OK);
  const thud_mesh_definition a = thud_mesh_get(first), b = thud_mesh_get(again);
  thud_assert_equal(a.nodes, b.nodes);
  thud_assert_equal(a.edges, b.edges);
  assert_memory_equal(a.xy, b.xy, 2 * (size_t)a.nodes * sizeof(double));
  assert_memory_equal(a.triangle, b.triangle, 3 * (size_t)a.triangles * sizeof(thud_index));
  assert_memory_equal(a.edge, b.edge, 2 * (size_t)a.edges * sizeof(thud_index));
  thud_mesh_free_text(first, text);
  thud_mesh_destroy(first);
  thud_mesh_destroy(again);
}

/* `from` replaced by `to` in the text. */
static void refused(const char *text, const char *from, const char *to, const char *why, const char *where) {
  char changed[2048];
  const char *at = strstr(text, from);
  assert_non_null(at);
  snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
  thud_mesh *mesh = NULL;
  assert_int_equal(read(changed, &mesh), THUD_ERROR_FORMAT);
  thud_test_message_has(context, "square.msh", why, where, NULL);
}

static void wrong_files_are_named(void **state) {
  (void)state;
  refused(second, "$Nodes\n5", "$Nodes\n2000000000", "file is too short", "line 10");
  refused(second, "$Nodes\n5", "$Nodes\n-1", "a count of -1", "line 10");
  refused(second, "$Nodes\n5", "$Nodes\n4", "$EndNodes is expected", "line 15");
  refused(second, "20 1 0 0", "20 1 nan 0", "'nan' is no finite number", "line 12");
  refused(second, "20 1 0 0", "10 1 0 0", "node 10 is there twice", "");
  refused(second, "40 0 1 0", "40 1 0 0", "nodes 1 and 3 are both at (1, 0)", "");
  refused(second, "20 1 0 0", "20 0.5 0.5 0", "triangle 0 (nodes 0, 1, 2) has no area", "");
  refused(second, "20 1 0 0", "20 1 0 1", "not plane", "line 22");
  refused(second, "4 2 2 9 1 10 20 30", "4 2 2 9 1 10 20 31", "no node 31", "line 22");
  refused(second, "4 2 2 9 1 10 20 30", "4 3 2 9 1 10 20 30 40", "type 3", "line 22");
  refused(second, "2 1 2 7 1 10 20", "2 1 2 7 1 10 50", "no triangle has", "line 20");
  refused(second, "2 1 2 7 1 10 20", "2 1 2 7 1 20 40", "no edge of a triangle", "");
  refused(second, "2.2 0 8", "4.0 0 8", "format 4.0", "line 2");
  refused(second, "2.2 0 8", "2.2 0 4", "4 bytes", "line 2");
  refused(second, "$MeshFormat", "$MeshFormal", "begins with $MeshFormat", "line 1");
  refused(second, "1 7 \"floor side\"", "1 7 floor", "without a name", "line 6");
  refused(fourth, "2 5 10 50", "3 5 10 50", "no whole number", "");
  refused(fourth, "2 1 0 4", "2 1 1 4", "parameters", "");
  refused(fourth, "2 1 0 4", "2 1 0 400000", "file is too short", "");
}

static thud_error read_failing(thud_context *failing, void *user) {
  thud_mesh *mesh = NULL;
  thud_error error = thud_mesh_read_gmsh(failing, "square.msh", user, strlen(user), &mesh);
  char *text = NULL;
  if (error == THUD_OK) {
    error = thud_mesh_write_gmsh(mesh, &text);
    if (error == THUD_OK) thud_mesh_free_text(mesh, text);
    thud_mesh_destroy(mesh);
  }
  return error;
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  thud_assert_greater(thud_test_sweep_allocations(read_failing, (void *)fourth), 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(both_formats_give_the_same), cmocka_unit_test(binary_files_are_read),
      cmocka_unit_test(what_is_written_reads_back), cmocka_unit_test(wrong_files_are_named),
      cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
