/* How far a set retracts when its parameters change: enclosures for moving sets. */
#ifndef THUD_SRC_CONVEX_EXCESS_H
#define THUD_SRC_CONVEX_EXCESS_H

#include "convex/set.h"
#include "expr/interval.h"

/* The excess of the set at parameters in `value` over the set with these changed by something in `by`, both
 * [parameter count]; metric NULL: Euclidean. high: INFINITY where no finite bound holds, NaN where none is known for such
 * a set. */
THUD_FOR_IO expr_interval thud_set_excess(const thud_set *set, const thud_metric *metric, const expr_interval *value,
                                          const expr_interval *by);

#endif
