/* Checkpoints of runs: the motion, the counters, the largest values and the samples as one block of bytes. */
#include "motions/motion.h"
#include "record/writer.h"
#include "run/run.h"
#include "run/run_observe.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* ---- the state of a motion with what its kind keeps beside it ---------------------------------------------------------- */

size_t thud_run_state_size(const thud_scene *scene) {
  const thud_kind_object *object = scene->motion;
  return thud_motion_state_size(object->motion) + object->found_size +
         (object->rows != NULL ? thud_rows_state_size(object->rows) : 0);
}

void thud_run_save_state(const thud_scene *scene, void *state) {
  const thud_kind_object *object = scene->motion;
  char *to = (char *)state + thud_motion_state_size(object->motion);
  thud_motion_save(object->motion, state);
  if (object->found_size > 0) memcpy(to, object->found, object->found_size);
  if (object->rows != NULL) thud_rows_save(object->rows, to + object->found_size);
}

thud_error thud_run_restore_state(thud_scene *scene, const void *state, size_t size) {
  thud_kind_object *object = scene->motion;
  size_t motion = thud_motion_state_size(object->motion);
  if (size != thud_run_state_size(scene))
    return thud_fail(scene->context, THUD_ERROR_FORMAT,
                     "[record-damaged] the state is not of this motion and these options");
  const char *from = (const char *)state + motion;
  if (scene->kind->takes_findings != NULL && object->found_size > 0 &&
      !scene->kind->takes_findings(scene->motion, from))
    return thud_fail(scene->context, THUD_ERROR_FORMAT,
                     "[record-damaged] the saved state is damaged: no motion of the kind '%s' has such findings",
                     scene->kind->name);
  thud_error error = thud_motion_restore(object->motion, state, motion);
  if (error != THUD_OK) return error;
  if (object->found_size > 0) memcpy(object->found, from, object->found_size);
  if (object->rows != NULL) thud_rows_restore(object->rows, from + object->found_size);
  return THUD_OK;
}

/* ---- checkpoints ------------------------------------------------------------------------------------------------------- */

static size_t head_size(const thud_run *run) {
  return run->scene->state_size + sizeof(run_counters) + run->state.count * sizeof(double) +
         thud_observe_memory_size(run->scene->observe);
}

size_t thud_run_block_size(const thud_run *run) { return head_size(run) + thud_run_samples_size(&run->samples); }

void thud_run_save_block(const thud_run *run, unsigned char *block) {
  size_t motion = run->scene->state_size;
  thud_run_save_state(run->scene, block);
  memcpy(block + motion, &run->counters, sizeof run->counters);
  memcpy(block + motion + sizeof run->counters, run->state.largest, run->state.count * sizeof(double));
  size_t seen = thud_observe_memory_size(run->scene->observe);
  if (seen > 0) memcpy(block + head_size(run) - seen, run->scene->observe->memory, seen);
  thud_run_samples_save(&run->samples, block + head_size(run));
}

static const double default_seconds = 60, look_again = 0.1; /* s */

static double processor_seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

void thud_run_clock_start(run_clock *timer) {
  *timer = (run_clock){.every = default_seconds, .last = processor_seconds(), .looked = thud_seconds()};
}

/* Without `checkpoint_every`: after a minute of processor time. Branches of forks cannot be resumed. */
static bool is_due_by_clock(thud_run *run) {
  run_clock *timer = &run->clock;
  double now = thud_seconds();
  if (run->scene->checkpoint_every > 0 || run->path != NULL) return false;
  if (now - timer->looked < fmin(look_again, timer->every)) return false;
  timer->looked = now;
  double used = processor_seconds();
  if (used - timer->last < timer->every) return false;
  timer->last = used;
  return true;
}

thud_error thud_run_checkpoint(thud_run *run, double t) {
  const thud_scene *scene = run->scene;
  if (run->writer == NULL) return THUD_OK;
  bool due = t >= run->counters.next_checkpoint;
  if (!due && !is_due_by_clock(run)) return THUD_OK;
  size_t size = thud_run_block_size(run);
  if (run->block == NULL) run->block = thud_alloc(run->context, size, 1);
  if (run->block == NULL) return THUD_ERROR_MEMORY;
  if (due) {
    double passed = floor((t - scene->start) / scene->checkpoint_every * (1 + 1e-12));
    run->counters.next_checkpoint = scene->start + (passed + 1) * scene->checkpoint_every * (1 - 1e-12);
  }
  thud_run_save_block(run, run->block);
  return thud_record_checkpoint(run->writer, run->block, size);
}

thud_error thud_run_take_block(thud_run *run, const unsigned char *from, size_t size) {
  size_t motion = run->scene->state_size, head = head_size(run);
  const char *name = run->record != NULL ? run->record : "the saved run";
  if (size < head)
    return thud_fail(run->context, THUD_ERROR_FORMAT,
                     "[record-damaged] %s: the checkpoint is damaged, or of another version of thud", name);
  run_counters counters;
  size_t seen = thud_observe_memory_size(run->scene->observe);
  memcpy(&counters, from + motion, sizeof counters);
  if (seen > 0 && !thud_observe_takes(run->scene->observe, from + head - seen))
    return thud_fail(run->context, THUD_ERROR_FORMAT, "[record-damaged] %s: what was observed so far is damaged", name);
  if (!THUD_STATE_FLAG(counters.last_recorded) || !THUD_STATE_FLAG(counters.begun) || isnan(counters.next_record_time))
    return thud_fail(run->context, THUD_ERROR_FORMAT, "[record-damaged] %s: the counters of the saved run are damaged",
                     name);
  thud_run_forget_message(run->context);
  thud_error error =
      thud_run_explain(run->context, run->kind, "restore", thud_run_restore_state(run->scene, from, motion));
  if (error == THUD_OK)
    error = thud_run_samples_restore(&run->samples, from + head, size - head, run->scene->start, run->scene->end);
  if (error == THUD_ERROR_MEMORY) return error;
  if (error != THUD_OK) return thud_fail_within(run->context, error, "%s", name);
  run->counters = counters;
  memcpy(run->state.largest, from + motion + sizeof run->counters, run->state.count * sizeof(double));
  if (seen > 0) memcpy(run->scene->observe->memory, from + head - seen, seen);
  if (seen > 0) thud_observe_set_breaks(run->scene->observe);
  return THUD_OK;
}

/* ---- longer runs -------------------------------------------------------------------------------------------------- */

/* The scene of the text, with another end and number of steps (0: it has a length of steps, or none). */
static thud_error build_with(thud_context *context, const char *text, double end, thud_index steps,
                             thud_scene **scene) {
  char number[40];
  thud_tree *tree = NULL;
  thud_error error = thud_tree_read_text(context, "scene", text, strlen(text), &tree);
  const thud_node *simulate = error == THUD_OK ? thud_node_find(thud_tree_root(tree), "simulate") : NULL;
  snprintf(number, sizeof number, "%.17g", end);
  if (error == THUD_OK) error = thud_tree_set(tree, "simulate.end", number);
  if (error == THUD_OK && thud_node_find(simulate, "steps") != NULL) {
    snprintf(number, sizeof number, "%ld", (long)steps);
    error = thud_tree_set(tree, "simulate.steps", number);
  }
  if (error == THUD_OK) error = thud_scene_build(context, tree, scene);
  thud_tree_destroy(tree);
  return error;
}

/* Checks that the scene of the run is that of the record but for a later end and more steps of the same length. */
static thud_error compare_scenes(thud_run *run, const thud_record_info *info, bool *longer) {
  const thud_scene *scene = run->scene;
  thud_scene *old = NULL, *lengthened = NULL, *renewed = NULL;
  *longer = false;
  thud_tree *tree = NULL;
  thud_error error = thud_tree_read_text(run->context, "scene", info->scene, strlen(info->scene), &tree);
  if (error == THUD_OK) error = thud_scene_build(run->context, tree, &old);
  bool later = error == THUD_OK && scene->end > old->end && scene->start == old->start;
  if (later) error = build_with(run->context, info->scene, scene->end, scene->steps, &lengthened);
  if (later && error == THUD_OK) error = build_with(run->context, scene->text, scene->end, scene->steps, &renewed);
  if (later && error == THUD_OK)
    *longer = strcmp(thud_scene_resolved_text(lengthened), thud_scene_resolved_text(renewed)) == 0;
  thud_scene_destroy(old);
  thud_scene_destroy(lengthened);
  thud_scene_destroy(renewed);
  thud_tree_destroy(tree);
  return error == THUD_ERROR_MEMORY ? error : THUD_OK; /* a scene that cannot be built is another one */
}

/* Rows are numbered by the counters: those of the record must agree with them. */
static bool fits_rows(const thud_run *run, const size_t *rows) {
  bool events = run->layout->count[THUD_RECORD_EVENTS] == 0 || run->counters.events == rows[THUD_RECORD_EVENTS];
  return events && run->counters.recorded == rows[THUD_RECORD_FRAMES];
}

/* Takes up the newest checkpoint of a record that was made by the same scene and has not ended, or by one with an earlier
 * end that has not failed; of any other nothing is read here. The file is not touched. */
static thud_error read_old(thud_run *run, thud_record_reader *reader, bool *longer) {
  thud_record_resumption found = {0};
  thud_record_info info = thud_record_reader_info(reader);
  bool ended = info.finished && strcmp(info.verdict, thud_run_verdict_name(THUD_VERDICT_STOPPED)) != 0;
  bool same = strcmp(info.scene, run->scene->text) == 0 && strcmp(info.kind, run->kind->name) == 0;
  bool coarse = strcmp(info.verdict, "coarse") == 0; /* time stepping that reached its end */
  bool failed = ended && !coarse && strcmp(info.verdict, thud_run_verdict_name(THUD_VERDICT_GOOD)) != 0;
  thud_error error = THUD_OK;
  *longer = false;
  if (!same && !failed && strcmp(info.kind, run->kind->name) == 0) error = compare_scenes(run, &info, longer);
  if (error != THUD_OK || (!*longer && (ended || !same))) return error;
  if (*longer && !run->kind->extendable)
    return thud_fail(
        run->context, THUD_ERROR_UNSUPPORTED,
        "[cannot-resume] %s: only time stepping and event-driven motion can be extended: the tolerances of this method "
        "depend on the length of the run; run the scene anew",
        run->record);
  error = thud_record_read_checkpoint(reader, &found);
  if (error == THUD_OK) error = thud_run_take_block(run, found.state, found.size);
  if (error == THUD_OK && !fits_rows(run, found.rows))
    error = thud_fail(run->context, THUD_ERROR_FORMAT,
                      "[record-damaged] %s: the checkpoint counts %zu frames and %zu events, its record has %zu and "
                      "%zu: it is damaged",
                      run->record, run->counters.recorded, run->counters.events, found.rows[THUD_RECORD_FRAMES],
                      found.rows[THUD_RECORD_EVENTS]);
  if (error == THUD_OK) error = thud_run_kept_read(&run->kept, reader, found.rows[THUD_RECORD_EVENTS]);
  thud_record_resumption_free(run->context, &found);
  return error;
}

/* The record is cut back only when everything else is known to be good; thud_record_resume refuses records of other
 * scenes and those of runs that have ended. */
thud_error thud_run_resume(thud_run *run) {
  thud_record_reader *reader;
  thud_record_resumption found = {0};
  thud_error error = thud_record_open(run->context, run->record, &reader);
  if (error != THUD_OK) return error;
  bool longer = false;
  error = read_old(run, reader, &longer);
  thud_record_reader_destroy(reader);
  if (error != THUD_OK) return error;
  thud_record_header header = thud_run_header(run);
  error = longer ? thud_record_extend(run->context, run->record, &header, &run->writer, &found)
                 : thud_record_resume(run->context, run->record, NULL, &header, &run->writer, &found);
  thud_record_resumption_free(run->context, &found);
  return error;
}
