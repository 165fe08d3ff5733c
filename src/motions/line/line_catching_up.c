#include "motions/line/line_catching_up.h"

bool thud_catching_up_jumps_at(size_t count, const double *jumps, double t) {
  for (size_t k = 0; k < count; k++)
    if (jumps[k] == t) return true;
  return false;
}

thud_error thud_catching_up_fault(thud_error error, thud_motion_status *status) {
  switch (error) {
  case THUD_ERROR_NOT_CONVERGED: *status = THUD_MOTION_NOT_CONVERGED; return THUD_OK;
  case THUD_ERROR_NOT_FINITE:
  case THUD_ERROR_ARGUMENT:
  case THUD_ERROR_NOT_SPD: *status = THUD_MOTION_BAD_DATA; return THUD_OK;
  default: return error;
  }
}
