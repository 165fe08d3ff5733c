/* Records in several threads, each with a context of its own: with a thread-safe HDF5 and with one that is not, which a
 * function of this program pretends. */
#include "record/h5.h"
#include "record_rows.h"
#include "sample_record.h"
#include "scratch_folder.h"
#include "testing.h"
#include "thud/verify.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

enum { THREADS = 4, ROUNDS = 3, ROWS = 120, ENTRIES = 2000 };

static bool is_thread_safe; /* changes while no thread runs */

/* In front of HDF5's own. */
herr_t H5is_library_threadsafe(hbool_t *is_ts) {
  *is_ts = is_thread_safe;
  return 0;
}

static void run_threads(void *(*work)(void *), void *users[THREADS]) {
  pthread_t threads[THREADS];
  void *failed = NULL;
  for (int k = 0; k < THREADS; k++) assert_int_equal(pthread_create(&threads[k], NULL, work, users[k]), 0);
  for (int k = 0; k < THREADS; k++) {
    void *result;
    pthread_join(threads[k], &result);
    if (result != NULL) failed = result;
  }
  assert_null(failed);
}

/* Counts without an atomic: additions get lost, and the thread sanitizer complains, when two threads are inside. */
static void *count_inside(void *user) {
  volatile int *count = user;
  for (int k = 0; k < ENTRIES; k++) {
    thud_h5_guard outer = thud_h5_enter(), inner = thud_h5_enter();
    int before = *count;
    if (k % 16 == 0) sched_yield();
    *count = before + 1;
    thud_h5_leave(inner);
    thud_h5_leave(outer);
  }
  return NULL;
}

static void one_thread_at_a_time_is_inside_when_hdf5_is_not_thread_safe(void **state) {
  (void)state;
  int count = 0;
  is_thread_safe = false;
  run_threads(count_inside, (void *[THREADS]){&count, &count, &count, &count});
  assert_int_equal(count, THREADS * ENTRIES);
}

/* Writes a record, reads it again and asks for its seal; the name of the step that failed, or NULL. Assertions of cmocka
 * belong to the main thread. */
static const char *write_and_read(thud_context *context, const char *path) {
  thud_record_options options = thud_record_options_default();
  options.overwrite = true;
  options.chunk_rows = 16;
  thud_record_writer *writer;
  thud_record_reader *reader;
  if (record_rows_create(context, path, &options, &sample_header, SAMPLE_CHANNELS, sample_channels, &writer) != THUD_OK)
    return "create";
  for (size_t k = 0; k < ROWS; k++)
    if (sample_append(writer, k) != THUD_OK) return "append";
  if (thud_record_close(writer, "good", "", "{}") != THUD_OK) return "close";
  if (thud_record_open(context, path, &reader) != THUD_OK) return "open";
  double t[ROWS];
  bool read = thud_record_read(reader, THUD_RECORD_FRAMES, 0, 0, ROWS, t) == THUD_OK;
  for (size_t k = 0; read && k < ROWS; k++) read = t[k] == sample_row_of(k).t;
  thud_record_reader_destroy(reader);
  if (!read) return "read";
  thud_verify_options asked = thud_verify_options_default();
  thud_verify_result result;
  if (thud_verify_record(context, path, &asked, &result) != THUD_OK) return "verify";
  const thud_verify_check *last = &result.checks[result.check_count - 1];
  return strcmp(last->name, "seal") == 0 && last->status == THUD_VERIFY_PASSED ? NULL : "seal";
}

static void *record_often(void *user) {
  thud_context_options options = thud_context_options_default();
  thud_context *context;
  options.threads = 1;
  const char *failed = NULL;
  if (thud_context_create(&options, &context) != THUD_OK) return (void *)"context";
  for (int k = 0; k < ROUNDS && failed == NULL; k++) failed = write_and_read(context, user);
  if (failed != NULL) print_error("%s: %s\n", failed, thud_context_last_message(context));
  thud_context_destroy(context);
  return (void *)failed;
}

static void records_are_written_and_read_in_several_threads(void **state) {
  (void)state;
  char paths[THREADS][400];
  void *users[THREADS];
  for (int k = 0; k < THREADS; k++) {
    char name[20];
    snprintf(name, sizeof name, "%d.h5", k);
    snprintf(paths[k], sizeof paths[k], "%s", thud_test_path(name));
    users[k] = paths[k];
  }
  is_thread_safe = false;
  run_threads(record_often, users);
#ifdef H5_HAVE_THREADSAFE
  is_thread_safe = true;
  run_threads(record_often, users);
#endif
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_thread_at_a_time_is_inside_when_hdf5_is_not_thread_safe),
      cmocka_unit_test(records_are_written_and_read_in_several_threads),
  };
  return cmocka_run_group_tests(tests, thud_test_folder_make, thud_test_folder_remove);
}
