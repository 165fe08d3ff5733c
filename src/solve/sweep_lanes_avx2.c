/* The sweeps in lanes for processors with AVX2: CMakeLists.txt compiles this file, and no other, for them. */
#ifdef __AVX2__
#include "solve/sweep_lanes_fill.h"
#include "solve/sweep_lanes_kernel.h"

const thud_lanes_functions thud_lanes_avx2 = {.fill = fill_groups, .push = push_any, .visit = visit_any};
#else
typedef int thud_lanes_have_no_avx2; /* a file that declares nothing is no C */
#endif
