/* Checkpoints of records: what a killed or stopped run left is continued as if nothing had happened. */
#include "failing_allocator.h"
#include "sample_record.h"
#include "record_rows.h"
#include "scratch_folder.h"
#include "testing.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { EVERY = 10, TOTAL = 400 };

/* A run's whole state here is the number of the next frame, in a block of any length. */
typedef struct run_state {
  size_t next;
  unsigned char rest[1000];
} run_state;

static run_state state_at(size_t next) {
  run_state made = {.next = next};
  for (size_t k = 0; k < sizeof made.rest; k++) made.rest[k] = (unsigned char)(next * 7 + k);
  return made;
}

/* Frames from `next` on, an event every 3 and a warning every 7 of them, a checkpoint every EVERY. */
static thud_error go_on(thud_record_writer *writer, size_t next, size_t until) {
  thud_error error = THUD_OK;
  for (size_t k = next; k < until && error == THUD_OK; k++) {
    char text[32];
    snprintf(text, sizeof text, "frame %zu", k);
    error = sample_append(writer, k);
    if (error == THUD_OK && k % 3 == 0) error = record_rows_event(writer, (double)k, "impact", text);
    if (error == THUD_OK && k % 7 == 0) error = thud_record_add_warning(writer, (double)k, "code", text);
    if (error == THUD_OK && (k + 1) % EVERY == 0) {
      run_state state = state_at(k + 1);
      error = thud_record_checkpoint(writer, &state, sizeof state);
    }
  }
  return error;
}

static thud_error start(thud_context *context, const char *path, thud_record_writer **writer) {
  thud_record_options options = thud_record_options_default();
  options.overwrite = true;
  options.chunk_rows = 16;
  return record_rows_create(context, path, &options, &sample_header, SAMPLE_CHANNELS, sample_channels, writer);
}

static thud_error resume(thud_context *context, const char *path, thud_record_writer **writer, size_t *next) {
  thud_record_options options = thud_record_options_default();
  options.chunk_rows = 16;
  thud_record_resumption found = {0};
  thud_error error = thud_record_resume(context, path, &options, &sample_header, writer, &found);
  if (error != THUD_OK) return error;
  run_state got, expected = state_at(found.rows[THUD_RECORD_FRAMES]);
  assert_int_equal(found.size, sizeof got);
  memcpy(&got, found.state, sizeof got);
  assert_memory_equal(&got, &expected, sizeof got);
  *next = got.next;
  thud_record_resumption_free(context, &found);
  return THUD_OK;
}

static void assert_whole(thud_context *context, const char *path) {
  thud_record_reader *reader;
  assert_int_equal(thud_record_open(context, path, &reader), THUD_OK);
  thud_record_info info = thud_record_reader_info(reader);
  assert_int_equal(info.rows[THUD_RECORD_FRAMES], TOTAL);
  assert_int_equal(info.rows[THUD_RECORD_EVENTS], (TOTAL + 2) / 3);
  assert_int_equal(info.rows[THUD_RECORD_WARNINGS], (TOTAL + 6) / 7);
  sample_assert_rows(reader, 0, TOTAL);
  for (size_t k = 0; k < info.rows[THUD_RECORD_EVENTS]; k++) {
    thud_record_note note;
    char text[32];
    snprintf(text, sizeof text, "frame %zu", 3 * k);
    assert_int_equal(thud_record_read_note(reader, THUD_RECORD_EVENTS, k, &note), THUD_OK);
    assert_string_equal(note.text, text);
  }
  thud_record_reader_destroy(reader);
}

/* Runs in a child that is killed after a random time; then again, until one comes to the end. */
static void a_run_killed_again_and_again_is_whole_in_the_end(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const char *path = thud_test_path("run.h5");
  thud_random random = thud_random_seed(5);
  int kills = 0;
  for (bool ended = false; !ended;) {
    pid_t child = fork();
    thud_assert_at_least(child, 0);
    if (child == 0) {
      thud_record_writer *writer;
      size_t next = 0;
      thud_error error = resume(context, path, &writer, &next);
      if (error == THUD_ERROR_EXISTS) _exit(0); /* the one before was killed after it had closed the record */
      if (error == THUD_ERROR_FILE || error == THUD_ERROR_NOT_FOUND) error = start(context, path, &writer);
      if (error == THUD_OK) error = go_on(writer, next, TOTAL);
      if (error == THUD_OK) error = thud_record_close(writer, "good", "", "{}");
      _exit(error == THUD_OK ? 0 : 1);
    }
    long wait = 1000000 + (long)thud_random_below(&random, 10000) * 1000 * (1 + kills / 20);
    nanosleep(&(struct timespec){.tv_nsec = wait < 999999999 ? wait : 999999999}, NULL);
    kill(child, SIGKILL);
    int status;
    waitpid(child, &status, 0);
    ended = WIFEXITED(status);
    if (ended) assert_int_equal(WEXITSTATUS(status), 0);
    kills += !ended;
  }
  print_message("killed %d times\n", kills);
  thud_assert_greater(kills, 0);
  assert_whole(context, path);
  thud_test_context_end(context);
}

static void a_stopped_run_goes_on_at_its_checkpoint_and_an_ended_one_does_not(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const char *path = thud_test_path("run.h5");
  thud_record_writer *writer;
  size_t next;
  assert_int_equal(start(context, path, &writer), THUD_OK);
  assert_int_equal(go_on(writer, 0, 137), THUD_OK);
  assert_int_equal(thud_record_close(writer, "stopped", "interrupted", "{}"), THUD_OK);
  assert_int_equal(resume(context, path, &writer, &next), THUD_OK);
  assert_int_equal(next, 130);
  thud_record_reader *reader;
  assert_int_equal(thud_record_open(context, path, &reader), THUD_OK);
  assert_int_equal(thud_record_reader_info(reader).rows[THUD_RECORD_FRAMES], 130);
  assert_false(thud_record_reader_info(reader).finished);
  thud_record_reader_destroy(reader);
  assert_int_equal(go_on(writer, next, TOTAL), THUD_OK);
  assert_int_equal(thud_record_close(writer, "good", "", "{}"), THUD_OK);
  assert_whole(context, path);
  assert_int_equal(resume(context, path, &writer, &next), THUD_ERROR_EXISTS);
  thud_test_message_has(context, "run.h5: this run has ended (verdict good): nothing is left to resume", NULL);
  assert_int_equal(thud_test_folder_files(), 1);
  thud_test_context_end(context);
}

static void records_without_checkpoint_or_of_another_scene_are_refused_and_kept(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const char *path = thud_test_path("run.h5");
  thud_record_writer *writer;
  thud_record_resumption found = {0};
  size_t next;
  assert_int_equal(start(context, path, &writer), THUD_OK);
  assert_int_equal(go_on(writer, 0, EVERY - 1), THUD_OK);
  thud_record_abandon(writer);
  assert_int_equal(resume(context, path, &writer, &next), THUD_ERROR_NOT_FOUND);
  thud_test_message_has(context,
                        "run.h5: the record has no checkpoint: its run stopped before the first one, or the scene asks "
                        "for none (record: {checkpoint_every: ...}); run the scene anew",
                        NULL);
  assert_int_equal(start(context, path, &writer), THUD_OK);
  assert_int_equal(go_on(writer, 0, EVERY + 3), THUD_OK);
  assert_int_equal(thud_record_checkpoint(writer, "x", 0), THUD_ERROR_ARGUMENT);
  thud_record_abandon(writer);
  for (int k = 0; k < 3; k++) {
    thud_record_header other = sample_header;
    *(k == 0 ? &other.scene : k == 1 ? &other.kind : &other.method) = "another";
    assert_int_equal(thud_record_resume(context, path, NULL, &other, &writer, &found), THUD_ERROR_ARGUMENT);
    thud_test_message_has(
        context, "run.h5: the record was made by another scene (or other --set values): resume it with its own", NULL);
  }
  thud_record_header other = sample_header;
  other.resolved = "another";
  assert_int_equal(thud_record_resume(context, path, NULL, &other, &writer, &found), THUD_ERROR_ARGUMENT);
  thud_test_message_has(
      context, "run.h5: the record was made with other defaults of the scene format: run the scene anew", NULL);
  thud_record_reader *reader;
  assert_int_equal(thud_record_open(context, path, &reader), THUD_OK);
  assert_int_equal(thud_record_reader_info(reader).rows[THUD_RECORD_FRAMES], EVERY + 3);
  thud_record_reader_destroy(reader);
  thud_test_context_end(context);
}

static thud_error resume_once(thud_context *context, void *user) {
  const char *path = user;
  thud_record_writer *writer = NULL;
  size_t next;
  thud_error error = resume(context, path, &writer, &next);
  if (error == THUD_OK) {
    run_state state = state_at(next);
    error = thud_record_checkpoint(writer, &state, sizeof state);
    thud_record_abandon(writer);
  }
  return error;
}

static void every_failing_allocation_leaves_the_old_record(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  char path[4096];
  snprintf(path, sizeof path, "%s", thud_test_path("run.h5"));
  thud_record_writer *writer;
  assert_int_equal(start(context, path, &writer), THUD_OK);
  assert_int_equal(go_on(writer, 0, 25), THUD_OK);
  thud_record_abandon(writer);
  thud_assert_greater(thud_test_sweep_allocations(resume_once, path), 10);
  thud_record_reader *reader;
  assert_int_equal(thud_record_open(context, path, &reader), THUD_OK);
  assert_int_equal(thud_record_reader_info(reader).rows[THUD_RECORD_FRAMES], 20);
  sample_assert_rows(reader, 0, 20);
  thud_record_reader_destroy(reader);
  assert_int_equal(thud_test_folder_files(), 1);
  thud_test_context_end(context);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, thud_test_folder_make, thud_test_folder_remove)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(a_run_killed_again_and_again_is_whole_in_the_end),
      TEST(a_stopped_run_goes_on_at_its_checkpoint_and_an_ended_one_does_not),
      TEST(records_without_checkpoint_or_of_another_scene_are_refused_and_kept),
      TEST(every_failing_allocation_leaves_the_old_record),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
