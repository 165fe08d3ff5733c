/* Tables of bodies in HDF5: sound files that lie, or (odd first byte) any bytes. */
#include "fuzz_support.h"

#include <stdlib.h>
#include <string.h>

static void put_names(fuzz_input *input, hid_t file) {
  static const char *const names[] = {"a", "b", "c", "", "a", "a name that is far too long for any record of any body"};
  unsigned choice = fuzz_byte(input);
  if (choice < 128) return;
  const char *chosen[3] = {names[choice % 6], names[1], names[2]};
  bool variable = choice % 2 == 0;
  const hsize_t count = (hsize_t)(fuzz_byte(input) >= 240 ? fuzz_byte(input) : 3);
  hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate_simple(1, &count, NULL);
  H5Tset_size(type, variable ? H5T_VARIABLE : 1 + choice % 7);
  hid_t dataset = H5Dcreate2(file, "name", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (variable && count == 3 && fuzz_byte(input) < 240) H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, chosen);
  if (dataset >= 0) H5Dclose(dataset);
  H5Sclose(space);
  H5Tclose(type);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const columns[] = {"x",  "y",  "z",  "radius", "vx", "vy",    "vz",    "wx", "wy",
                                        "wz", "qw", "qx", "qy",     "qz", "angle", "scale", "w"};
  static const char scene[] =
      "{thud: 1, bodies: [{file: input.h5, body: {density: 1}}], simulate: {end: 0.01, step: 0.01}}";
  static const double values[3] = {1, 2, 3};
  fuzz_input input = {.data = data, .size = size};
  if (fuzz_byte(&input) % 2 == 1) {
    fuzz_try_beside(scene, "input.h5", data + 1, size - 1);
    return 0;
  }
  hid_t file = fuzz_h5_create();
  size_t length, count = 4 + fuzz_byte(&input) % 14;
  for (size_t k = 0; k < count; k++) fuzz_h5_put(&input, file, columns[k], false, 3, values);
  put_names(&input, file);
  uint8_t *image = fuzz_h5_close(file, &length);
  fuzz_try_beside(scene, "input.h5", image, length);
  free(image);
  return 0;
}
