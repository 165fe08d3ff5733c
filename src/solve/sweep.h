/* Sweeps of Gauss-Seidel over the contacts: one kind for the local form, one for the two-block form. */
#ifndef THUD_SRC_SOLVE_SWEEP_H
#define THUD_SRC_SOLVE_SWEEP_H

#include "solve/method.h"
#include "solve/one_contact.h"

/* What one sweep did. */
typedef struct thud_sweep_result {
  double change;         /* sum of |r_new - r_old|^2 */
  double square;         /* sum of |r_new|^2 */
  thud_index unsolvable; /* first contact for which its one-contact problem had no solution, -1: none */
} thud_sweep_result;

typedef struct thud_gauss_seidel_options {
  thud_local_solver local_solver;
  double relaxation;
  bool backward; /* visits in reverse order */
} thud_gauss_seidel_options;

/* r_new := (1 - relaxation) r_old + relaxation r_new, pulled back into the cone (discs) or left alone (laws). */
void thud_sweep_relax(const thud_one_contact *contact, double relaxation, const double *old, double *r);

/* ---- local form: W by block rows, the diagonal apart --------------------------------------------------------- */

typedef struct thud_local_sweep thud_local_sweep;
thud_error thud_local_sweep_create(thud_context *context, const thud_contact_problem *problem,
                                   thud_local_sweep **sweep);
/* Room for the blocks of W, also where they turn out to be zeros. */
thud_error thud_local_sweep_reserve(thud_local_sweep *sweep, const thud_contact_problem *problem);
thud_error thud_local_sweep_update(thud_local_sweep *sweep, const thud_contact_problem *problem);
void thud_local_sweep_destroy(thud_local_sweep *sweep);
/* One sweep on r[size]; l[bilateral] is brought up to date first. */
thud_sweep_result thud_local_sweep_run(thud_local_sweep *sweep, const thud_gauss_seidel_options *options, double *r,
                                       double *l);

/* What the sweep keeps of W, for methods that need its blocks too; borrowed until the next update. */
typedef struct thud_block_rows {
  const thud_index *row_start; /* [contacts+1] */
  const thud_index *column;    /* [row_start[contacts]] increasing within a row, the diagonal is not among them */
  const double *values;        /* [row_start[contacts]*d*d] column-major blocks */
  const double *diagonal;      /* [contacts*d*d] */
} thud_block_rows;
thud_block_rows thud_local_sweep_blocks(const thud_local_sweep *sweep);

/* ---- two-block form: matrix-free -------------------------------------------------------------------------------- */

typedef struct thud_two_block_sweep thud_two_block_sweep;
thud_error thud_two_block_sweep_create(thud_context *context, const thud_contact_problem *problem,
                                       thud_two_block_sweep **sweep);
/* How contacts are visited, from the next update on. Contacts in space with discs and the exact solver go in lanes of
 * four, by colours, where everything else goes one by one; the rest is for tests and measurements. */
typedef struct thud_two_block_choice {
  thud_local_solver local_solver; /* of the runs that follow; theirs is not read */
  bool one_by_one;                /* no lanes */
  bool general;                   /* in lanes, but without looking for frames in the Jacobians */
  bool plain;                     /* without AVX2 */
  bool momentum;                  /* the state of the last sweep is kept; not with joints */
} thud_two_block_choice;
/* Without this call: the exact solver, and the fastest way. */
void thud_two_block_sweep_choose(thud_two_block_sweep *sweep, const thud_two_block_choice *choice);
/* "lanes of spheres", "lanes of frames", "lanes" or "one by one", as the last update found. */
const char *thud_two_block_sweep_path(const thud_two_block_sweep *sweep);
/* New numbers, pairs of bodies included; `coloured` false: visits in the order given, one by one on one thread. */
thud_error thud_two_block_sweep_update(thud_two_block_sweep *sweep, const thud_contact_problem *problem, bool coloured);
void thud_two_block_sweep_destroy(thud_two_block_sweep *sweep);
/* The sweep keeps impulses in its own order: load sets them (and the velocities that follow), store reads them.
 * l[bilateral] is not read without joints. */
void thud_two_block_sweep_load(thud_two_block_sweep *sweep, const double *r, const double *l);
void thud_two_block_sweep_store(const thud_two_block_sweep *sweep, double *r, double *l);
/* The joints by colours, then the contacts by colours. */
thud_sweep_result thud_two_block_sweep_run(thud_two_block_sweep *sweep, const thud_gauss_seidel_options *options);
/* With choice.momentum, after a sweep to g: x = g + beta (g - g_before), g_before being the g of the last call; beta is 0
 * in the first one. */
void thud_two_block_sweep_extrapolate(thud_two_block_sweep *sweep, double beta);
/* Bytes of memory that one visit streams: what is read and written once per sweep. */
size_t thud_two_block_sweep_bytes(const thud_two_block_sweep *sweep);

/* The joints of such a sweep. Motions z[bodies*THUD_SWEEP_STRIDE] are the sweep's. */
enum { THUD_SWEEP_STRIDE = 8 }; /* doubles per body in z: a cache line; those after the sixth are not the joints' */
typedef struct thud_joint_sweep thud_joint_sweep;
thud_error thud_joint_sweep_create(thud_context *context, const thud_contact_problem *problem,
                                   thud_joint_sweep **sweep);
/* F[bodies*n*n] row-major with M^-1 = F F'; the colouring is the sweep's own. used[bodies] is scratch. */
void thud_joint_sweep_update(thud_joint_sweep *sweep, const thud_contact_problem *problem, const double *F,
                             uint64_t *used);
void thud_joint_sweep_destroy(thud_joint_sweep *sweep);
/* Sets l and adds what follows from it to z. */
void thud_joint_sweep_load(thud_joint_sweep *sweep, const double *l, double *z);
void thud_joint_sweep_store(const thud_joint_sweep *sweep, double *l);
/* Every joint in turn gets the impulse that stops u_b of its rows; adds to *result. */
void thud_joint_sweep_run(thud_joint_sweep *sweep, double *z, thud_sweep_result *result);

/* ---- either form, for methods that sweep -------------------------------------------------------------------------- */

typedef struct thud_form_sweep {
  thud_local_sweep *local; /* one of the two is there */
  bool shares_local;       /* it is solver->sweep */
  thud_two_block_sweep *two_block;
  bool momentum; /* of the two-block sweep, from the next update on */
} thud_form_sweep;
/* For solver->inner. What a failed create has made is freed by destroy. */
thud_error thud_form_sweep_create(thud_solver *solver, thud_form_sweep *sweep);
thud_error thud_form_sweep_update(thud_solver *solver, thud_form_sweep *sweep);
void thud_form_sweep_destroy(thud_form_sweep *sweep);
/* At the end of a solve: a breakdown when the last sweep met a contact that has no solution by itself. */
void thud_form_sweep_blame(thud_solver *solver, const thud_sweep_result *last);

/* ---- colours ---------------------------------------------------------------------------------------------------- */

enum { THUD_COLOURS_MAX = 64 }; /* and the overflow set: THUD_CHUNK_SETS_MAX */

/* Orders contacts by colours so that contacts of one colour share no body: greedy in the order given, at most
 * THUD_COLOURS_MAX colours; what does not fit (bodies of high degree) follows as the overflow set, in the order given.
 * Bodies < 0 do not count. used[bodies] is scratch, colour[contacts] too; order[contacts] is written, and
 * start[THUD_COLOURS_MAX+2]: colour c is order[start[c]..start[c+1]-1], and the overflow set is the last one, number
 * *colours. */
void thud_colour_contacts(thud_index contacts, const thud_index *body_a, const thud_index *body_b, thud_index bodies,
                          uint64_t *used, thud_index *colour, thud_index *order, thud_index *start,
                          thud_index *colours);

/* Puts the contacts of every colour into the order of their bodies, so that these follow each other in memory; contacts of
 * one colour do not feel in which order they are visited. colour, order and start as thud_colour_contacts left them;
 * count[bodies] and sorted[contacts] are scratch. */
void thud_colour_sort(thud_index contacts, const thud_index *body_a, const thud_index *body_b, thud_index bodies,
                      const thud_index *start, thud_index colours, uint64_t *count, const thud_index *colour,
                      thud_index *sorted, thud_index *order);

#endif
