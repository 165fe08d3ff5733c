/* Records in files without a name (memfd_create), which the caller names by /proc/self/fd/N: the bytes of a record in a file,
 * and everything that has a name elsewhere, or is no file, refused and left alone. */
#define _GNU_SOURCE
#include "failing_allocator.h"
#include "record/output.h"
#include "scratch_folder.h"
#include "testing.h"
#include "thud/io.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_BYTES = 64, LONG_RUN = 40, SHORT_RUN = 8 };

typedef struct memory_file {
  int descriptor;
  char path[PATH_BYTES];
} memory_file;

static memory_file named_by_number(int descriptor) {
  memory_file file = {.descriptor = descriptor};
  assert_true(descriptor >= 0);
  snprintf(file.path, sizeof file.path, "/proc/self/fd/%d", descriptor);
  if (access("/proc/self/fd", X_OK) != 0) thud_skip("needs /proc: mount -t proc proc /proc");
  return file;
}

static memory_file memory_file_open(void) {
  return named_by_number(memfd_create("record", MFD_CLOEXEC | MFD_ALLOW_SEALING));
}

static size_t bytes_of(int descriptor) {
  struct stat status;
  assert_int_equal(fstat(descriptor, &status), 0);
  return (size_t)status.st_size;
}

static thud_error run_jump(thud_context *context, const char *record, bool overwrite, int steps) {
  char path[1000], count[20];
  snprintf(path, sizeof path, "%s/examples/jump.yaml", getenv("THUD_SOURCE_DIR"));
  snprintf(count, sizeof count, "%d", steps);
  thud_tree *tree = NULL;
  thud_scene *scene = NULL;
  thud_run_options options = thud_run_options_default();
  thud_run_result result = {0};
  options.record = record;
  options.overwrite = overwrite;
  assert_int_equal(thud_tree_read_file(context, path, &tree), THUD_OK);
  assert_int_equal(thud_tree_set(tree, "simulate.steps", count), THUD_OK);
  assert_int_equal(thud_scene_build(context, tree, &scene), THUD_OK);
  thud_error error = thud_scene_run(scene, &options, &result);
  if (error == THUD_OK) assert_int_equal(result.verdict, THUD_VERDICT_GOOD);
  thud_run_result_free(context, &result);
  thud_scene_destroy(scene);
  thud_tree_destroy(tree);
  return error;
}

static void assert_verified(thud_context *context, const char *path) {
  thud_verify_options options = thud_verify_options_default();
  thud_verify_result result;
  assert_int_equal(thud_verify_record(context, path, &options, &result), THUD_OK);
  assert_int_equal(result.verdict, THUD_VERIFY_GOOD);
}

/* Doubles of all frames of a channel; the caller frees them. */
static double *column(thud_context *context, const char *path, const char *name, size_t *count) {
  thud_record_reader *reader = NULL;
  size_t channel;
  assert_int_equal(thud_record_open(context, path, &reader), THUD_OK);
  *count = thud_record_reader_info(reader).rows[THUD_RECORD_FRAMES];
  assert_int_equal(thud_record_find_channel(reader, THUD_RECORD_FRAMES, name, &channel), THUD_OK);
  double *values = calloc(*count, sizeof *values);
  assert_non_null(values);
  assert_int_equal(thud_record_read(reader, THUD_RECORD_FRAMES, channel, 0, *count, values), THUD_OK);
  thud_record_reader_destroy(reader);
  return values;
}

static void a_record_in_memory_holds_what_one_in_a_file_holds(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  memory_file memory = memory_file_open();
  const char *named = thud_test_path("jump.h5");
  assert_int_equal(run_jump(context, memory.path, true, LONG_RUN), THUD_OK);
  assert_int_equal(run_jump(context, named, true, LONG_RUN), THUD_OK);
  assert_verified(context, memory.path);
  size_t here, there;
  double *a = column(context, memory.path, "t", &here), *b = column(context, named, "t", &there);
  assert_int_equal(here, there);
  thud_assert_greater(here, LONG_RUN);
  assert_memory_equal(a, b, here * sizeof *a);
  free(a);
  free(b);
  close(memory.descriptor);
  thud_test_context_end(context);
}

static void a_second_record_replaces_the_first_one_wholly(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  memory_file once = memory_file_open(), twice = memory_file_open();
  assert_int_equal(run_jump(context, once.path, true, SHORT_RUN), THUD_OK);
  static const char noise[1 << 16] = "longer than the record that follows";
  for (int k = 0; k < 20; k++) assert_int_equal(write(twice.descriptor, noise, sizeof noise), sizeof noise);
  assert_int_equal(run_jump(context, twice.path, true, SHORT_RUN), THUD_OK);
  assert_int_equal(bytes_of(twice.descriptor), bytes_of(once.descriptor));
  assert_verified(context, twice.path);
  close(once.descriptor);
  close(twice.descriptor);
  thud_test_context_end(context);
}

/* Refused with this piece in the message; what the descriptor leads to keeps its size. */
static void assert_refused(thud_context *context, const char *path, bool overwrite, const char *piece) {
  assert_int_equal(run_jump(context, path, overwrite, SHORT_RUN), THUD_ERROR_FILE);
  const char *said = thud_context_last_message(context);
  if (strstr(said, piece) == NULL || strstr(said, path) == NULL) fail_msg("'%s' does not say '%s'", said, piece);
}

static void without_leave_to_overwrite_nothing_is_written(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  memory_file memory = memory_file_open();
  assert_refused(context, memory.path, false, "not a file of its own");
  assert_int_equal(bytes_of(memory.descriptor), 0);
  close(memory.descriptor);
  thud_test_context_end(context);
}

static void files_with_names_are_written_by_these(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const char *path = thud_test_path("kept.txt");
  memory_file named = named_by_number(open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600));
  assert_int_equal(write(named.descriptor, "kept", 4), 4);
  assert_refused(context, named.path, true, "not a file of its own");
  assert_int_equal(bytes_of(named.descriptor), 4);
  /* Once its name is gone, nobody else sees it. */
  assert_int_equal(unlink(path), 0);
  assert_int_equal(run_jump(context, named.path, true, SHORT_RUN), THUD_OK);
  assert_verified(context, named.path);
  close(named.descriptor);
  thud_test_context_end(context);
}

static void what_is_no_file_is_refused(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  memory_file pipe_end = named_by_number(ends[1]), folder = named_by_number(open("/", O_DIRECTORY | O_CLOEXEC));
  assert_refused(context, pipe_end.path, true, "not a file of its own");
  assert_refused(context, folder.path, true, "not a file of its own");
  memory_file closed = memory_file_open();
  close(closed.descriptor);
  assert_refused(context, closed.path, true, "not a file of its own");
  assert_refused(context, "/proc/self/fd/", true, "not a file of its own");
  assert_refused(context, "/proc/self/fd/1e99999999999999999999999999999", true, "not a file of its own");
  close(ends[0]);
  close(ends[1]);
  close(folder.descriptor);
  thud_test_context_end(context);
}

static void a_sealed_file_is_refused_and_kept(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  memory_file memory = memory_file_open();
  assert_int_equal(write(memory.descriptor, "kept", 4), 4);
  assert_int_equal(fcntl(memory.descriptor, F_ADD_SEALS, F_SEAL_SHRINK), 0);
  assert_refused(context, memory.path, true, "cannot be written (");
  assert_int_equal(bytes_of(memory.descriptor), 4);
  close(memory.descriptor);
  thud_test_context_end(context);
}

static thud_error write_bytes(thud_context *context, void *user) {
  return thud_output_write(context, user, true, "bytes", 5);
}

static void every_failing_allocation_is_survived(void **state) {
  (void)state;
  memory_file memory = memory_file_open();
  thud_assert_greater(thud_test_sweep_allocations(write_bytes, memory.path), 0);
  assert_int_equal(bytes_of(memory.descriptor), 5);
  close(memory.descriptor);
}

static void outputs_that_are_given_up_leave_the_descriptor_open(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  memory_file memory = memory_file_open();
  thud_output output;
  assert_int_equal(thud_output_begin(context, memory.path, true, &output), THUD_OK);
  assert_string_equal(thud_output_name(&output), memory.path);
  thud_output_cancel(context, &output);
  assert_int_equal(bytes_of(memory.descriptor), 0);
  close(memory.descriptor);
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_record_in_memory_holds_what_one_in_a_file_holds),
      cmocka_unit_test(a_second_record_replaces_the_first_one_wholly),
      cmocka_unit_test(without_leave_to_overwrite_nothing_is_written),
      cmocka_unit_test(files_with_names_are_written_by_these),
      cmocka_unit_test(what_is_no_file_is_refused),
      cmocka_unit_test(a_sealed_file_is_refused_and_kept),
      cmocka_unit_test(every_failing_allocation_is_survived),
      cmocka_unit_test(outputs_that_are_given_up_leave_the_descriptor_open),
  };
  return cmocka_run_group_tests(tests, thud_test_folder_make, thud_test_folder_remove);
}
