/* One run uses the threads of its context: OpenBLAS and CHOLMOD's OpenMP stay on the calling thread, the number of
 * threads that the host program has chosen for OpenBLAS comes back, and a child of fork() works. */
#include "linalg/dense.h"
#include "testing.h"
#include "thud/surface.h"

#include <cblas.h>
#include <dirent.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { HOST_THREADS = 3, PATIENCE = 60 /* s, of children that should take less than one */ };

/* A clamped plate pressed on a floor: CHOLMOD factorises it by supernodes. Ends with its deflections' sum, 0 on failure. */
static double press_plate(int threads) {
  const thud_support clamped[4] = {THUD_SUPPORT_CLAMPED, THUD_SUPPORT_CLAMPED, THUD_SUPPORT_CLAMPED,
                                   THUD_SUPPORT_CLAMPED};
  enum { CELLS = 40, NODES = (CELLS + 1) * (CELLS + 1) };
  thud_context *context = NULL;
  thud_context_options options = thud_context_options_default();
  options.threads = threads;
  if (thud_context_create(&options, &context) != THUD_OK) return 0;
  thud_mesh *mesh = NULL;
  thud_surface *plate = NULL;
  thud_surface_info info = {0};
  double *forces = calloc(NODES, sizeof *forces), *psi = calloc(NODES, sizeof *psi),
         *held = calloc(NODES, sizeof *held);
  double *v = calloc((size_t)NODES * 4, sizeof *v), *s = calloc(NODES, sizeof *s), sum = 0;
  bool made = thud_mesh_rectangle(context, (double[]){0, 0, 1, 1}, (thud_index[]){CELLS, CELLS}, &mesh) == THUD_OK;
  const thud_surface_definition definition = {
      .kind = THUD_SURFACE_PLATE, .mesh = mesh, .stiffness = 1, .supports = clamped, .method = THUD_SURFACE_ACTIVE_SET};
  made = made && thud_surface_create(context, &definition, &plate) == THUD_OK && thud_surface_nodes(plate) == NODES &&
         thud_surface_freedoms(plate) <= NODES * 4;
  for (thud_index i = 0; made && i < NODES; i++) {
    forces[i] = -4000 * thud_surface_areas(plate)[i];
    psi[i] = -0.3;
  }
  if (made && thud_surface_solve_obstacle(plate, forces, psi, held, NULL, v, s, &info) == THUD_OK && info.solved)
    for (size_t k = 0; k < (size_t)NODES * 4; k++) sum += fabs(v[k]);
  double *const arrays[] = {forces, psi, held, v, s};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) free(arrays[k]);
  thud_surface_destroy(plate);
  thud_mesh_destroy(mesh);
  thud_context_destroy(context);
  return sum;
}

/* Threads of the process; -1 without /proc. */
static int count_threads(void) {
  DIR *folder = opendir("/proc/self/task");
  if (folder == NULL) return -1;
  int count = 0;
  for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) count += entry->d_name[0] != '.';
  closedir(folder);
  return count;
}

static void skip_under_sanitizers(void) {
  if (THUD_UNDER_SANITIZER) thud_skip("needs a build without sanitizers: that of threads refuses threads after fork()");
}

/* A child that presses a plate; its exit status is 0 when the deflections are the expected ones. */
static int press_in_child(double expected, void (*prepare)(void)) {
  int status = -1;
  pid_t child = fork();
  if (child == 0) {
    alarm(PATIENCE); /* a child that hangs is ended by its own alarm */
    if (prepare != NULL) prepare();
    _exit(press_plate(1) == expected ? 0 : 1);
  }
  assert_true(child > 0);
  assert_int_equal(waitpid(child, &status, 0), child);
  return status;
}

static void a_plate_starts_no_thread_that_stays(void **state) {
  (void)state;
  int before = count_threads();
  if (before < 0) thud_skip("needs /proc");
  thud_assert_greater(press_plate(1), 0);
  assert_int_equal(count_threads(), before);
}

static void a_child_of_a_process_that_has_pressed_a_plate_presses_one(void **state) {
  (void)state;
  skip_under_sanitizers();
  double sum = press_plate(2); /* the pool of the parent is gone by then, too */
  thud_assert_greater(sum, 0);
  assert_int_equal(press_in_child(sum, NULL), 0);
}

/* The parent keeps a context with threads, which the child leaves alone. */
static void a_child_begins_anew_beside_the_context_of_its_parent(void **state) {
  (void)state;
  skip_under_sanitizers();
  thud_context *context = thud_test_context(3);
  double sum = press_plate(1);
  openblas_set_num_threads(HOST_THREADS);
  int status = press_in_child(sum, NULL);
  openblas_set_num_threads(1);
  thud_test_context_end(context);
  assert_int_equal(status, 0);
}

/* No further thread for the user that the child runs as; limits of processes do not hold for root. */
static void allow_no_threads(void) {
  const struct rlimit none = {0, 0};
  enum { NOBODY = 65534 };
  if (geteuid() == 0 && (setgid(NOBODY) != 0 || setuid(NOBODY) != 0)) _exit(2);
  if (setrlimit(RLIMIT_NPROC, &none) != 0) _exit(2);
}

static void a_plate_needs_no_threads_beside_its_own(void **state) {
  (void)state;
  skip_under_sanitizers();
  double sum = press_plate(1);
  assert_int_equal(press_in_child(sum, allow_no_threads), 0);
}

/* ---- OpenBLAS ---------------------------------------------------------------------------------------------------------- */

enum { SIZE = 400 };

/* A = LL' and what else BLAS does with it, in results[SIZE*SIZE + SIZE]. */
static void compute(double *results) {
  thud_random random = thud_random_seed(7);
  double *B = calloc((size_t)SIZE * SIZE, sizeof *B), *x = results + (size_t)SIZE * SIZE;
  assert_non_null(B);
  for (size_t k = 0; k < (size_t)SIZE * SIZE; k++) B[k] = thud_random_uniform(&random, -1, 1);
  thud_dense_multiply(SIZE, SIZE, SIZE, 1, B, true, B, false, 0, results);
  for (size_t k = 0; k < SIZE; k++) results[k * (SIZE + 1)] += 1;
  assert_int_equal(thud_dense_cholesky(NULL, SIZE, results, NULL), THUD_OK);
  thud_dense_multiply_vector(SIZE, SIZE, B, true, 1, B, 0, x);
  thud_dense_solve_lower(SIZE, results, false, x);
  thud_dense_solve_lower(SIZE, results, true, x);
  free(B);
}

static void results_have_the_same_bits_whatever_the_host_gives_openblas(void **state) {
  (void)state;
  size_t bytes = ((size_t)SIZE * SIZE + SIZE) * sizeof(double);
  double *alone = calloc(1, bytes), *beside = calloc(1, bytes);
  compute(alone);
  openblas_set_num_threads(HOST_THREADS);
  compute(beside);
  int after = openblas_get_num_threads();
  openblas_set_num_threads(1);
  assert_int_equal(after, HOST_THREADS);
  assert_memory_equal(alone, beside, bytes);
  free(alone);
  free(beside);
}

/* Sees one thread only while it is inside; returns the number of times at which that was not so. */
static void *enter_often(void *unused) {
  (void)unused;
  size_t wrong = 0;
  for (int k = 0; k < 2000; k++) {
    bool counted = thud_blas_begin();
    for (int i = 0; i < 20; i++) wrong += openblas_get_num_threads() != 1;
    thud_blas_end(counted);
  }
  return (void *)(uintptr_t)wrong;
}

static void threads_that_enter_at_once_see_one_thread_and_leave_the_host_its_own(void **state) {
  (void)state;
  enum { THREADS = 4 };
  pthread_t threads[THREADS];
  void *wrong[THREADS];
  for (int host = 1; host <= HOST_THREADS; host += 2) {
    openblas_set_num_threads(host);
    for (int k = 0; k < THREADS; k++) assert_int_equal(pthread_create(&threads[k], NULL, enter_often, NULL), 0);
    for (int k = 0; k < THREADS; k++) pthread_join(threads[k], &wrong[k]);
    for (int k = 0; k < THREADS; k++) assert_null(wrong[k]);
    assert_int_equal(openblas_get_num_threads(), host);
  }
  openblas_set_num_threads(1);
}

static void *stay_inside(void *user) {
  pthread_barrier_t *barrier = user;
  bool counted = thud_blas_begin();
  pthread_barrier_wait(barrier); /* inside */
  pthread_barrier_wait(barrier); /* forked */
  thud_blas_end(counted);
  return NULL;
}

static void a_child_has_the_host_s_number_when_another_thread_was_inside_at_the_fork(void **state) {
  (void)state;
  skip_under_sanitizers();
  pthread_barrier_t barrier;
  pthread_t thread;
  int status = -1;
  openblas_set_num_threads(HOST_THREADS);
  pthread_barrier_init(&barrier, NULL, 2);
  assert_int_equal(pthread_create(&thread, NULL, stay_inside, &barrier), 0);
  pthread_barrier_wait(&barrier);
  pid_t child = fork();
  if (child == 0) {
    alarm(PATIENCE);
    bool right = openblas_get_num_threads() == HOST_THREADS, counted = thud_blas_begin();
    right = right && openblas_get_num_threads() == 1;
    thud_blas_end(counted);
    _exit(right && openblas_get_num_threads() == HOST_THREADS ? 0 : 1);
  }
  assert_int_equal(openblas_get_num_threads(), 1);
  pthread_barrier_wait(&barrier);
  pthread_join(thread, NULL);
  pthread_barrier_destroy(&barrier);
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  assert_int_equal(openblas_get_num_threads(), HOST_THREADS);
  openblas_set_num_threads(1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_plate_starts_no_thread_that_stays),
      cmocka_unit_test(a_child_of_a_process_that_has_pressed_a_plate_presses_one),
      cmocka_unit_test(a_child_begins_anew_beside_the_context_of_its_parent),
      cmocka_unit_test(a_plate_needs_no_threads_beside_its_own),
      cmocka_unit_test(results_have_the_same_bits_whatever_the_host_gives_openblas),
      cmocka_unit_test(threads_that_enter_at_once_see_one_thread_and_leave_the_host_its_own),
      cmocka_unit_test(a_child_has_the_host_s_number_when_another_thread_was_inside_at_the_fork),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
