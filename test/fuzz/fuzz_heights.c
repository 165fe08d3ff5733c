/* Height maps of surfaces: PGM pictures and tables of numbers. */
#include "fuzz_support.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_try_beside("{thud: 1, membrane: {mesh: {rectangle: [0, 0, 2, 1], cells: [2, 2]}, tension: 1, load: -4,"
                  " obstacle: {file: input, box: [0, 0, 2, 1], low: -0.5, high: 0}, edges: {left: {v: 1}}},"
                  " simulate: {end: 1, steps: 2}}",
                  "input", data, size);
  return 0;
}
