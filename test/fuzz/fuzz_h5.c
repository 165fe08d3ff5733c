/* HDF5 files in memory, and datasets that lie. */
#include "fuzz_support.h"

#include <stdlib.h>
#include <string.h>

hid_t fuzz_h5_create(void) {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  H5Pset_fapl_core(access, 65536, false);
  hid_t file = H5Fcreate("fuzz", H5F_ACC_TRUNC, H5P_DEFAULT, access);
  fuzz_demand(file >= 0, "a file in memory can be made");
  H5Pclose(access);
  return file;
}

uint8_t *fuzz_h5_close(hid_t file, size_t *size) {
  H5Fflush(file, H5F_SCOPE_GLOBAL);
  ssize_t length = H5Fget_file_image(file, NULL, 0);
  fuzz_demand(length > 0, "the file has an image");
  uint8_t *image = malloc((size_t)length);
  fuzz_demand(image != NULL && H5Fget_file_image(file, image, (size_t)length) == length, "the image can be had");
  H5Fclose(file);
  *size = (size_t)length;
  return image;
}

hid_t fuzz_h5_type(unsigned choice, hid_t usual) {
  switch (choice) {
  case 250: return H5T_STD_I64LE;
  case 251: return H5T_IEEE_F32BE;
  case 252: return H5T_STD_U8LE;
  case 253: return H5T_C_S1;
  case 254: return H5T_STD_U64BE;
  case 255: return H5T_UNIX_D32LE;
  default: return usual;
  }
}

enum { LONGEST = 64 };

void fuzz_h5_put(fuzz_input *input, hid_t group, const char *name, bool integers, int usual, const void *values) {
  static double room[LONGEST];
  unsigned choice = fuzz_byte(input);
  int count = fuzz_number(input, usual);
  if (choice == 240) return;
  if (choice == 241) {
    H5Gclose(H5Gcreate2(group, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    return;
  }
  if (choice == 242) {
    H5Lcreate_soft("/fclib_local/W/x", group, name, H5P_DEFAULT, H5P_DEFAULT);
    return;
  }
  if (choice == 243) {
    H5Lcreate_external("/etc/passwd", "/", group, name, H5P_DEFAULT, H5P_DEFAULT);
    return;
  }
  if (count < 0) count = 0;
  bool stored = count <= LONGEST && choice != 244;
  const hsize_t extents[2] = {(hsize_t)count, 1};
  hid_t properties = H5Pcreate(H5P_DATASET_CREATE), type = integers ? H5T_NATIVE_INT : H5T_NATIVE_DOUBLE;
  hid_t space = choice == 245 ? H5Screate(H5S_SCALAR) : H5Screate_simple(choice == 246 ? 2 : 1, extents, NULL);
  if ((choice == 247 || choice == 248) && count > 0) {
    const hsize_t chunk = (hsize_t)(count < 1000 ? count : 1000);
    H5Pset_chunk(properties, 1, &chunk);
    if (choice == 247) H5Pset_deflate(properties, 1);
  }
  if (!stored && choice != 247 && choice != 248) H5Pset_alloc_time(properties, H5D_ALLOC_TIME_LATE);
  hid_t dataset = H5Dcreate2(group, name, fuzz_h5_type(choice, type), space, H5P_DEFAULT, properties, H5P_DEFAULT);
  memset(room, 0, sizeof room);
  size_t element = integers ? sizeof(int) : sizeof(double);
  if (usual <= LONGEST) memcpy(room, values, (size_t)usual * element);
  for (int k = 0; stored && k < usual && k < count && fuzz_byte(input) >= 230; k++) {
    int place = (int)(fuzz_byte(input) % (unsigned)usual);
    if (integers)
      ((int *)room)[place] = fuzz_number(input, ((int *)room)[place]);
    else
      room[place] = (double)fuzz_number(input, 3);
  }
  if (dataset >= 0 && stored && fuzz_h5_type(choice, type) != H5T_C_S1)
    H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, room);
  if (dataset >= 0) H5Dclose(dataset);
  H5Sclose(space);
  H5Pclose(properties);
}
