/* Records of killed runs, and records whose bytes were changed: what is read is right, or there is an error. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "counting_allocator.h"
#include "sample_record.h"
#include "record_rows.h"
#include "scratch_folder.h"
#include "testing.h"

#include <hdf5.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- kill -9 ---------------------------------------------------------------------------------------------- */

enum {
  KILLS = 40,
  ENOUGH_FRAMES = 1000,
  TRACED_FRAMES = 13,
  KILL_STRIDE = 13 /* of the stops at system calls */
};

/* Appends without end; *flushed is what the parent may rely on. */
static void write_until_killed(const char *path, int chunk_rows, int flush_every, volatile size_t *flushed) {
  thud_context *context = thud_test_context(1);
  thud_record_options options = thud_record_options_default();
  options.chunk_rows = chunk_rows;
  options.flush_every_seconds = 0;
  thud_record_writer *writer;
  if (record_rows_create(context, path, &options, &sample_header, SAMPLE_CHANNELS, sample_channels, &writer) != THUD_OK)
    _exit(1);
  for (size_t k = 0;; k++) {
    if (sample_append(writer, k) != THUD_OK) _exit(2);
    if (k % 5 == 0 && record_rows_event(writer, (double)k, "tick", "") != THUD_OK) _exit(3);
    if ((k + 1) % (size_t)flush_every != 0) continue;
    if (thud_record_flush(writer) != THUD_OK) _exit(4);
    *flushed = k + 1;
  }
}

static void check_killed_record(const char *path, size_t flushed) {
  thud_context *context = thud_test_context(1);
  thud_record_reader *reader;
  thud_error error = thud_record_open(context, path, &reader);
  if (error != THUD_OK) print_error("%s\n", thud_context_last_message(context));
  assert_int_equal(error, THUD_OK);
  thud_record_info info = thud_record_reader_info(reader);
  assert_string_equal(info.verdict, THUD_RECORD_UNFINISHED);
  assert_string_equal(info.scene, sample_header.scene);
  thud_assert_at_least(info.rows[THUD_RECORD_FRAMES], flushed);
  sample_assert_rows(reader, 0, info.rows[THUD_RECORD_FRAMES]);
  thud_assert_at_least(info.rows[THUD_RECORD_EVENTS], (flushed + 4) / 5);
  for (size_t k = 0; k < info.rows[THUD_RECORD_EVENTS]; k++) {
    thud_record_note event;
    assert_int_equal(thud_record_read_note(reader, THUD_RECORD_EVENTS, k, &event), THUD_OK);
    thud_assert_equal(event.t, (double)(5 * k));
    assert_string_equal(event.kind, "tick");
  }
  thud_record_reader_destroy(reader);
  thud_test_context_end(context);
}

static void killed_runs_keep_every_flushed_frame(void **state) {
  (void)state;
  static const int chunk_rows[] = {1, 3, 16, 200, 1024}, flush_every[] = {1, 2, 7, 50, 333};
  volatile size_t *flushed = mmap(NULL, sizeof *flushed, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert_ptr_not_equal(flushed, MAP_FAILED);
  thud_random random = thud_random_seed(3);
  size_t total = 0;
  int round = 0; /* further rounds on a slow machine, where few frames are flushed before a kill */
  for (; round < KILLS || (total <= ENOUGH_FRAMES && round < 50 * KILLS); round++) {
    int rows = chunk_rows[thud_random_below(&random, 5)], every = flush_every[thud_random_below(&random, 5)];
    char path[128];
    snprintf(path, sizeof path, "%s", thud_test_path("killed.h5"));
    remove(path);
    *flushed = 0;
    pid_t child = fork();
    thud_assert_at_least(child, 0);
    if (child == 0) write_until_killed(path, rows, every, flushed);
    while (access(path, F_OK) != 0) nanosleep(&(struct timespec){.tv_nsec = 10000}, NULL);
    nanosleep(&(struct timespec){.tv_nsec = (long)thud_random_below(&random, 20000000)}, NULL);
    assert_int_equal(kill(child, SIGKILL), 0);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    check_killed_record(path, *flushed);
    total += *flushed;
  }
  print_message("frames flushed before %d kills: %zu\n", round, total);
  thud_assert_greater(total, ENOUGH_FRAMES);
  munmap((void *)flushed, sizeof *flushed);
}

/* Writes a few frames under the eyes of its parent, which stops it at every system call. */
static void write_traced(const char *path, volatile size_t *flushed) {
  thud_context *context = thud_test_context(1);
  thud_record_options options = thud_record_options_default();
  options.chunk_rows = 4;
  options.flush_every_seconds = 0;
  thud_record_writer *writer;
  if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0) _exit(1);
  if (record_rows_create(context, path, &options, &sample_header, SAMPLE_CHANNELS, sample_channels, &writer) != THUD_OK)
    _exit(2);
  raise(SIGSTOP);
  for (size_t k = 0; k < TRACED_FRAMES; k++) {
    if (sample_append(writer, k) != THUD_OK) _exit(3);
    if (k % 5 == 0 && record_rows_event(writer, (double)k, "tick", "") != THUD_OK) _exit(4);
    if (k % 3 != 0) continue;
    if (thud_record_flush(writer) != THUD_OK) _exit(5);
    *flushed = k + 1;
  }
  _exit(0);
}

/* Kills the child at the n-th stop (system calls stop when they begin and when they end); false: it ended before. */
static bool kill_at_stop(pid_t child, size_t n) {
  int status;
  for (size_t stop = 0;; stop++) {
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFEXITED(status)) {
      assert_int_equal(WEXITSTATUS(status), 0);
      return false;
    }
    assert_true(WIFSTOPPED(status));
    if (stop == n) break;
    assert_int_equal(ptrace(PTRACE_SYSCALL, child, NULL, NULL), 0);
  }
  assert_int_equal(kill(child, SIGKILL), 0);
  assert_int_equal(waitpid(child, &status, 0), child);
  return true;
}

static bool tracing_is_allowed(void) {
  pid_t child = fork();
  if (child == 0) _exit(ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0 ? 0 : 1);
  int status;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void a_kill_between_any_two_system_calls_leaves_a_good_record(void **state) {
  (void)state;
  if (!tracing_is_allowed()) thud_skip("needs ptrace, which is forbidden here: run the tests where it is allowed");
  volatile size_t *flushed = mmap(NULL, sizeof *flushed, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert_ptr_not_equal(flushed, MAP_FAILED);
  size_t stops = 0;
  for (size_t n = 0;; n += KILL_STRIDE, stops++) {
    char path[128];
    snprintf(path, sizeof path, "%s", thud_test_path("traced.h5"));
    remove(path);
    *flushed = 0;
    pid_t child = fork();
    thud_assert_at_least(child, 0);
    if (child == 0) write_traced(path, flushed);
    if (!kill_at_stop(child, n)) break;
    check_killed_record(path, *flushed);
  }
  print_message("killed at %zu places\n", stops);
  thud_assert_greater(stops, 30);
  munmap((void *)flushed, sizeof *flushed);
}

/* ---- changed bytes ------------------------------------------------------------------------------------------ */

/* The heap is counted to show that nothing is believed about sizes. */
enum { LARGEST_FILE = 1 << 18, LARGEST_HEAP = 64 << 20 };

static size_t load_bytes(const char *path, uint8_t *bytes) {
  FILE *stream = fopen(path, "rb");
  assert_non_null(stream);
  size_t count = fread(bytes, 1, LARGEST_FILE, stream);
  fclose(stream);
  thud_assert_less(count, LARGEST_FILE);
  return count;
}

static void save_bytes(const char *path, const uint8_t *bytes, size_t count) {
  FILE *stream = fopen(path, "wb");
  assert_non_null(stream);
  assert_int_equal(fwrite(bytes, 1, count, stream), count);
  fclose(stream);
}

/* Reads everything there is to read. */
static thud_error read_all(thud_context *context, const char *path) {
  thud_record_reader *reader;
  thud_error error = thud_record_open(context, path, &reader);
  if (error != THUD_OK) return error;
  thud_record_info info = thud_record_reader_info(reader);
  for (int t = 0; t < THUD_RECORD_TABLES; t++)
    for (size_t k = 0; k < info.channel_count[t] && error == THUD_OK; k++)
      for (size_t row = 0; row < info.rows[t] && error == THUD_OK; row++) {
        thud_record_cell cell;
        error = thud_record_read_cell(reader, (thud_record_table)t, k, row, &cell);
      }
  thud_record_reader_destroy(reader);
  return error;
}

static void check_damaged(const char *path, const uint8_t *bytes, size_t count, size_t *refused) {
  thud_test_heap heap = {0};
  thud_context_options options = thud_context_options_default();
  options.allocator = thud_test_counting_allocator;
  options.allocator_user = &heap;
  thud_context *context;
  assert_int_equal(thud_context_create(&options, &context), THUD_OK);
  save_bytes(path, bytes, count);
  thud_error error = read_all(context, path);
  assert_true(error == THUD_OK || error == THUD_ERROR_FORMAT);
  if (error != THUD_OK) {
    ++*refused;
    assert_non_null(strstr(thud_context_last_message(context), path));
  }
  thud_assert_less(heap.most, LARGEST_HEAP);
  thud_test_context_end(context);
}

/* A small finished record, and one that a kill could have left: with chunks flushed while they grew. */
static size_t make_bytes(bool finished, uint8_t *bytes) {
  thud_context *context = thud_test_context(1);
  thud_record_options options = thud_record_options_default();
  options.chunk_rows = 8;
  options.flush_every_frames = finished ? 0 : 3;
  const char *path = thud_test_path("whole.h5");
  thud_record_writer *writer;
  options.overwrite = true;
  if (finished) {
    sample_write(context, path, options, 30, 0);
  } else {
    assert_int_equal(record_rows_create(context, path, &options, NULL, SAMPLE_CHANNELS, sample_channels, &writer),
                     THUD_OK);
    for (size_t k = 0; k < 30; k++) assert_int_equal(sample_append(writer, k), THUD_OK);
    assert_int_equal(record_rows_event(writer, 1, "impact", "wall"), THUD_OK);
    thud_record_abandon(writer);
  }
  thud_test_context_end(context);
  return load_bytes(path, bytes);
}

static void truncated_records_are_refused(void **state) {
  (void)state;
  uint8_t *bytes = malloc(LARGEST_FILE);
  size_t count = make_bytes(true, bytes), refused = 0, tried = 0;
  for (size_t kept = 0; kept < count; kept += 1 + kept / 97, tried++)
    check_damaged(thud_test_path("cut.h5"), bytes, kept, &refused);
  assert_int_equal(refused, tried);
  free(bytes);
}

static void change_some(thud_random *random, uint8_t *bytes, size_t count) {
  uint32_t changes = 1 + thud_random_below(random, 6);
  size_t place = thud_random_below(random, (uint32_t)count);
  for (uint32_t k = 0; k < changes; k++) {
    if (thud_random_below(random, 2) == 0) place = thud_random_below(random, (uint32_t)count);
    uint32_t how = thud_random_below(random, 4);
    bytes[place] = how == 0   ? 0
                   : how == 1 ? 0xff
                   : how == 2 ? (uint8_t)(bytes[place] ^ (1u << thud_random_below(random, 8)))
                              : (uint8_t)thud_random_bits(random);
    place = (place + 1) % count;
  }
}

static void changed_records_are_refused_or_read_without_harm(void **state) {
  (void)state;
  enum { ROUNDS = 600 };
  uint8_t *bytes = malloc(LARGEST_FILE), *changed = malloc(LARGEST_FILE);
  for (int finished = 0; finished < 2; finished++) {
    size_t count = make_bytes(finished, bytes), refused = 0;
    thud_random random = thud_random_seed(17 + (uint64_t)finished);
    for (int round = 0; round < ROUNDS; round++) {
      memcpy(changed, bytes, count);
      change_some(&random, changed, count);
      check_damaged(thud_test_path("changed.h5"), changed, count, &refused);
    }
    print_message("%s record of %zu bytes: %zu refused\n", finished ? "finished" : "unfinished", count, refused);
    thud_assert_greater(refused, 0);
  }
  free(changed);
  free(bytes);
}

/* ---- files that lie ------------------------------------------------------------------------------------------- */

/* Replaces /frames/t by a dataset with these chunks and filters. */
static void replace_times(const char *path, hsize_t chunk_rows, bool filtered) {
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  thud_assert_at_least(file, 0);
  thud_assert_at_least(H5Ldelete(file, "frames/data/t", H5P_DEFAULT), 0);
  hsize_t extent[2] = {30, 1}, limit[2] = {H5S_UNLIMITED, 1}, chunk[2] = {chunk_rows, 1};
  hid_t space = H5Screate_simple(2, extent, limit), creation = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(creation, 2, chunk);
  if (filtered) {
    H5Pset_shuffle(creation);
    H5Pset_deflate(creation, 1);
    H5Pset_fletcher32(creation);
  }
  hid_t dataset = H5Dcreate2(file, "frames/data/t", H5T_IEEE_F64LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  thud_assert_at_least(dataset, 0);
  H5Dclose(dataset);
  H5Pclose(creation);
  H5Sclose(space);
  H5Fclose(file);
}

static void announced_sizes_are_not_believed(void **state) {
  (void)state;
  uint8_t *bytes = malloc(LARGEST_FILE);
  for (int finished = 0; finished < 2; finished++) {
    size_t count = make_bytes(finished, bytes), refused = 0;
    const char *path = thud_test_path("liar.h5");
    save_bytes(path, bytes, count);
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    hid_t dataset = H5Dopen2(file, "frames/data/state", H5P_DEFAULT);
    hsize_t extent[2] = {(hsize_t)1 << 50, SAMPLE_WIDTH};
    thud_assert_at_least(H5Dset_extent(dataset, extent), 0);
    H5Dclose(dataset);
    H5Fclose(file);
    check_damaged(path, bytes, load_bytes(path, bytes), &refused);
    assert_int_equal(refused, finished); /* an unfinished record simply holds fewer rows than it says */
  }
  /* 2 GiB chunks in a file of 150 kB, and data that did not pass thud's filters. */
  for (int filtered = 0; filtered < 2; filtered++) {
    size_t count = make_bytes(true, bytes), refused = 0;
    const char *path = thud_test_path("liar.h5");
    save_bytes(path, bytes, count);
    replace_times(path, filtered ? (hsize_t)1 << 28 : 8, filtered);
    check_damaged(path, bytes, load_bytes(path, bytes), &refused);
    assert_int_equal(refused, 1);
  }
  free(bytes);
}

/* HDF5 1.10.8 forgets about 415 bytes whenever the checksum of an object header is wrong. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libhdf5"; }

#define TEST(name) cmocka_unit_test_setup_teardown(name, thud_test_folder_make, thud_test_folder_remove)

int main(void) {
  H5dont_atexit(); /* because of these bytes it would complain about an "infinite loop" at the end */
  const struct CMUnitTest tests[] = {
      TEST(killed_runs_keep_every_flushed_frame),
      TEST(a_kill_between_any_two_system_calls_leaves_a_good_record),
      TEST(truncated_records_are_refused),
      TEST(announced_sizes_are_not_believed),
      TEST(changed_records_are_refused_or_read_without_harm),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
