/* The sweeps in lanes for processors with AVX2: CMakeLists.txt compiles this file, and no other, for them. */
#ifdef __AVX2__
#include "solve/sweep_lanes_kernel.h"

void thud_lanes_visit_avx2(const thud_lanes *lanes, const thud_gauss_seidel_options *options, size_t first, size_t end,
                           thud_sweep_result *result) {
  visit_any(lanes, options, first, end, result);
}

void thud_lanes_push_avx2(const thud_lanes *lanes, size_t first, size_t end) { push_any(lanes, first, end); }
#else
typedef int thud_lanes_have_no_avx2; /* a file that declares nothing is no C */
#endif
