/* Siconos' NSGS on a local 3D problem, when its library was found while configuring. */
#ifndef THUD_BENCH_SICONOS_NSGS_H
#define THUD_BENCH_SICONOS_NSGS_H

#include "thud/contact.h"

typedef enum bench_siconos_local { BENCH_SICONOS_NEWTON, BENCH_SICONOS_PROJECTION } bench_siconos_local;

/* Processor seconds of `sweeps` sweeps from r = 0 on a problem with W by blocks; r[size] receives the impulses. -1: not
 * built in, or it failed. */
double bench_siconos_nsgs(const thud_contact_problem *problem, bench_siconos_local local, int sweeps, double *r);

#endif
