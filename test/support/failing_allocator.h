/* "The n-th allocation fails" swept over n: the test mode for every public entry point. Each sweep prints
 * "allocation failures swept: N"; the runner of the tests adds them up. */
#ifndef THUD_TEST_FAILING_ALLOCATOR_H
#define THUD_TEST_FAILING_ALLOCATOR_H

#include "thud/base.h"

/* Runs with a context whose n-th allocation fails, for n = 1, 2, ... until the run meets no failure. A run returns
 * the error of the call under test and must release everything it made. Asserted at every n: the error is
 * THUD_ERROR_MEMORY as long as an allocation failed, a message says so, nothing leaks, every block is given back with
 * the size it was asked for, and the last round is THUD_OK. Long sweeps look at a share of the later rounds
 * (thud_test_share). Returns the number of allocations that the call makes. */
typedef thud_error (*thud_sweep_allocation_fn)(thud_context *context, void *user);
size_t thud_test_sweep_allocations(thud_sweep_allocation_fn run, void *user);
/* The same for calls that allocate often: about `most` of the n, evenly spread; all of them in `make check-all`. */
size_t thud_test_sweep_some_allocations(thud_sweep_allocation_fn run, void *user, size_t most);
/* The same over the creation of a context with that many threads. */
size_t thud_test_sweep_context_creation(int threads);

#endif
