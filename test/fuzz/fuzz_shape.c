/* Files of shapes: meshes (OFF, OBJ, STL), points of hulls and polygons, heights; the first byte chooses. */
#include "fuzz_support.h"

#define BALL "{name: c, shape: {sphere: 0.1}, density: 1, position: [0.3, 0.3, 0.65], velocity: [0, 0, -40]}"
#define TIMES "simulate: {end: 0.02, step: 0.01}"

static const char *const scenes[] = {
    "{thud: 1, bodies: [{name: b, fixed: true, shape: {mesh: {file: input}}}, " BALL "], " TIMES "}",
    "{thud: 1, bodies: [{name: b, fixed: true, shape: {mesh: {file: input, open: true}}}, " BALL "], " TIMES "}",
    "{thud: 1, bodies: [{name: b, shape: {hull: {file: input}}, density: 1}, " BALL "], " TIMES "}",
    "{thud: 1, bodies: [{name: b, fixed: true, shape: {height_field: {file: input, size: [1, 1]}}}, " BALL "], " TIMES
    "}",
    "{thud: 1, planar: true, bodies: [{name: b, shape: {polygon: {file: input}}, density: 1}, {name: c, fixed: true,"
    " shape: {disc: 0.1}, position: [0.3, -0.2]}], " TIMES "}"};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0) return 0;
  fuzz_try_beside(scenes[data[0] % (sizeof scenes / sizeof *scenes)], "input", data + 1, size - 1);
  return 0;
}
