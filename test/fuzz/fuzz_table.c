/* Tables of bodies in CSV, in space or (odd first byte) in the plane. */
#include "fuzz_support.h"

static const char *const scenes[] = {
    "{thud: 1, bodies: [{file: input.csv, name: b, body: {shape: {sphere: 0.1}, density: 1}}], simulate: {end: 0.01, "
    "step:"
    " 0.01}}",
    "{thud: 1, planar: true, bodies: [{file: input.csv, body: {density: 1}}], simulate: {end: 0.01, step: 0.01}}"};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0) return 0;
  fuzz_try_beside(scenes[data[0] % 2], "input.csv", data + 1, size - 1);
  return 0;
}
