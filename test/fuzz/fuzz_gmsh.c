/* Gmsh's meshes, as text or as bytes. What is read is written and reads back. */
#include "fuzz_support.h"
#include "thud/mesh.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  thud_context *context = fuzz_context(100000 + 400 * size);
  thud_mesh *mesh = NULL, *again = NULL;
  char *text = NULL;
  if (thud_mesh_read_gmsh(context, "input", (const char *)data, size, &mesh) == THUD_OK) {
    thud_mesh_definition read = thud_mesh_get(mesh);
    if (read.nodes < 3 || read.triangles < 1) abort();
    if (thud_mesh_write_gmsh(mesh, &text) == THUD_OK &&
        thud_mesh_read_gmsh(context, "again", text, strlen(text), &again) == THUD_OK &&
        thud_mesh_get(again).nodes != read.nodes)
      abort();
    thud_mesh_free_text(mesh, text);
  }
  thud_mesh_destroy(again);
  thud_mesh_destroy(mesh);
  fuzz_context_end(context);
  return 0;
}
