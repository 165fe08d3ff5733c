#include "linalg/compressed.h"
#include "base/base.h"

thud_error thud_compressed_check(thud_context *context, const thud_compressed_names *names, thud_index outer,
                                 thud_index inner, const thud_index *start, const thud_index *index) {
  if (start[0] != 0)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "%s: the offset of %s 0 is %d instead of 0", names->matrix,
                     names->outer, (int)start[0]);
  for (thud_index j = 0; j < outer; j++) {
    if (start[j + 1] < start[j] || start[j + 1] > start[outer])
      return thud_fail(context, THUD_ERROR_ARGUMENT, "%s: %s %d has offsets %d..%d, outside 0..%d", names->matrix,
                       names->outer, (int)j, (int)start[j], (int)start[j + 1], (int)start[outer]);
    for (thud_index p = start[j]; p < start[j + 1]; p++) {
      if (index[p] < 0 || index[p] >= inner)
        return thud_fail(context, THUD_ERROR_ARGUMENT, "%s: %s %d has an entry in %s %d, outside 0..%d", names->matrix,
                         names->outer, (int)j, names->inner, (int)index[p], (int)inner - 1);
      if (p > start[j] && index[p] <= index[p - 1])
        return thud_fail(context, THUD_ERROR_ARGUMENT, "%s: in %s %d, %s %d comes after %d: they must increase",
                         names->matrix, names->outer, (int)j, names->inner, (int)index[p], (int)index[p - 1]);
    }
  }
  return THUD_OK;
}
