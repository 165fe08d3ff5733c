/* Work in a process of its own: it may crash, not end, or need a library that contradicts another one. Results lie in
 * memory that both processes see. */
#ifndef THUD_BENCH_APART_H
#define THUD_BENCH_APART_H

#include <stddef.h>

enum { BENCH_MESSAGE = 160 };

/* Processor time of this process, s. */
double bench_processor_time(void);

/* Zeroed memory that a child shares; NULL: none left. */
void *bench_shared_create(size_t size);
void bench_shared_destroy(void *shared, size_t size);

/* Runs work(given) in a child and waits. limit: processor seconds, 0: none. `message` [BENCH_MESSAGE] is written when
 * the child was ended or crashed. 0: it came to its end by itself; 1: it was ended at the limit; -1: it crashed or could
 * not be started. */
int bench_run_apart(int (*work)(void *given), void *given, double limit, char *message);

#endif
