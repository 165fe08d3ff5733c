/* The sweeps in lanes for any processor. */
#include "solve/sweep_lanes_kernel.h"

void thud_lanes_visit_plain(const thud_lanes *lanes, const thud_gauss_seidel_options *options, size_t first, size_t end,
                            thud_sweep_result *result) {
  visit_any(lanes, options, first, end, result);
}

void thud_lanes_push_plain(const thud_lanes *lanes, size_t first, size_t end) { push_any(lanes, first, end); }
