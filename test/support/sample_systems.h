/* Lagrangian systems of the founding texts that several tests and benchmarks run. */
#ifndef THUD_TEST_SAMPLE_SYSTEMS_H
#define THUD_TEST_SAMPLE_SYSTEMS_H

#include "systems.h"

/* C1: Ballard's bouncing particle, q <= 0 under the force 2, e = 1/2. From (-1, 0): impacts at 3 - 2^(1-k), at rest
 * from t = 3 on, total impulse 6. */
extern const thud_test_system thud_test_bouncing_particle;
/* Glocker's woodpecker toy (coordinates y, a, b), and a state shortly before its limit cycle: period 0.1460 s, drop
 * 19.45 mm. Constraint 0 is the beak. */
extern const thud_test_system thud_test_woodpecker;
extern const double thud_test_woodpecker_q[3], thud_test_woodpecker_v[3];

/* A particle of mass 1 over the floor z = 0 (coordinates x, y, z, e = 0.5) under a load, with friction in space. */
thud_test_system thud_test_puck(const char *fx, const char *fy, const char *fz, const char *mu);

#endif
