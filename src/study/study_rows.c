/* Refinement by rows: the scene is built again with the steps of the level and driven like every other; its state at the
 * ends of the steps is what motions are compared by. */
#include "study/study_rows.h"
#include "run/run.h"
#include "study/study_path.h"
#include "thud/kind.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A row at a node of the uniform partition is within this part of a step of it. */
static const double NEAR = 1e-6;

typedef struct rows_keeper {
  const thud_study_level *level;
  const thud_scene *scene;
  run_state state;
  double *left, *right; /* [state.count] */
  study_path *path;
  size_t jumps;
  bool stopped;
} rows_keeper;

/* The last row at a node is the node; rows between nodes are left out. */
static int on_row(void *user, double t, unsigned flags, const thud_record_cell *cells) {
  rows_keeper *keeper = user;
  study_path *path = keeper->path;
  double start = keeper->scene->start, length = keeper->scene->end - start, step = length / keeper->level->steps;
  double place = (t - start) / step, node = round(place);
  if (fabs(place - node) > NEAR || node < 0 || node > (double)keeper->level->steps) return 0;
  if (path->count > (size_t)node) path->count = (size_t)node;
  if (path->count < (size_t)node) return 0;
  thud_run_state_read(&keeper->state, cells, keeper->left, keeper->right);
  keeper->jumps += (flags & THUD_ROW_KEEP) != 0;
  thud_study_path_add(path,
                      &(thud_stepping_frame){.t = t, .q = keeper->right, .v_left = keeper->left, .v = keeper->right});
  keeper->stopped = thud_study_progress(keeper->level, (t - start) / length) != 0;
  return keeper->stopped ? 1 : 0;
}

static int on_event(void *user, double t, const thud_record_cell *cells) {
  (void)user, (void)t, (void)cells;
  return 0;
}

/* The scene of the text with so many steps. */
static thud_error build(const thud_scene *scene, thud_index steps, thud_scene **built) {
  thud_context *context = scene->context;
  size_t further = thud_run_kind_named(scene->kind->name) == scene->kind ? 0 : 1;
  char number[40];
  thud_tree *tree = NULL;
  thud_error error = thud_tree_read_text(context, "scene", scene->text, strlen(scene->text), &tree);
  if (error != THUD_OK) return error;
  const thud_node *simulate = thud_node_find(thud_tree_root(tree), "simulate");
  snprintf(number, sizeof number, "%ld", (long)steps);
  if (simulate == NULL || thud_node_find(simulate, "steps") == NULL)
    error = thud_fail(context, THUD_ERROR_UNSUPPORTED,
                      "[bad-study] a scene of the kind '%s' is refined by its simulate.steps", scene->kind->name);
  if (error == THUD_OK) error = thud_tree_set(tree, "simulate.steps", number);
  if (error == THUD_OK) error = thud_scene_build_kinds(context, tree, further, &scene->kind, built);
  thud_tree_destroy(tree);
  return error;
}

static thud_error go_through(rows_keeper *keeper, thud_scene *scene, thud_study_run *run) {
  const thud_row_sink sink = {.frame = on_row, .event = on_event, .user = keeper};
  thud_reached reached = {.status = THUD_MOTION_RUNNING};
  thud_error error = THUD_OK;
  while (error == THUD_OK && reached.status == THUD_MOTION_RUNNING && !keeper->stopped)
    error = scene->kind->advance(scene->motion, &sink, &reached);
  if (keeper->stopped)
    return thud_fail(scene->context, THUD_ERROR_INTERRUPTED, "interrupted at level %d", keeper->level->level);
  if (error != THUD_OK) return error;
  if (reached.status != THUD_MOTION_COMPLETED) run->ended = reached.t;
  run->impacts = keeper->jumps;
  if (isnan(run->ended) && keeper->path->count != keeper->path->capacity)
    return thud_fail(scene->context, THUD_ERROR_UNSUPPORTED,
                     "[bad-study] the kind '%s' has no row at the end of every one of %d equal steps",
                     scene->kind->name, (int)keeper->level->steps);
  return THUD_OK;
}

static void free_path(void *made) {
  study_path *path = made;
  thud_context *context = path->context;
  thud_study_path_free(path);
  thud_free(context, path);
}

static thud_error make_path(rows_keeper *keeper, const thud_scene *scene, thud_study_run *run) {
  thud_context *context = scene->context;
  const thud_record_layout *layout = scene->kind->layout(scene->motion);
  thud_error error = thud_run_state_create(context, layout->count[THUD_RECORD_FRAMES],
                                           layout->channels[THUD_RECORD_FRAMES], &keeper->state);
  if (error != THUD_OK) return error;
  if (keeper->state.count == 0 || thud_run_state_has_series(&keeper->state))
    return thud_fail(context, THUD_ERROR_UNSUPPORTED,
                     "[bad-study] the rows of the kind '%s' have no state that could be compared", scene->kind->name);
  study_path *path = THUD_NEW(context, study_path);
  if (path == NULL) return THUD_ERROR_MEMORY;
  error = thud_study_path_create(context, keeper->state.count, (size_t)keeper->level->steps + 1, path);
  if (error != THUD_OK) {
    thud_free(context, path);
    return error;
  }
  run->path = keeper->path = path;
  keeper->left = THUD_NEW_ARRAY(context, double, keeper->state.count);
  keeper->right = THUD_NEW_ARRAY(context, double, keeper->state.count);
  return keeper->left != NULL && keeper->right != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

static thud_error run_rows(thud_scene *scene, const thud_study_level *level, thud_study_run *run) {
  thud_context *context = scene->context;
  thud_scene *built = NULL;
  rows_keeper keeper = {.level = level};
  run->penetration = run->residual = NAN;
  thud_error error = build(scene, level->steps, &built);
  if (error != THUD_OK) return error;
  keeper.scene = built;
  error = make_path(&keeper, built, run);
  if (error == THUD_OK) error = go_through(&keeper, built, run);
  thud_run_state_free(context, &keeper.state);
  thud_free(context, keeper.left);
  thud_free(context, keeper.right);
  thud_scene_destroy(built);
  return error;
}

static thud_study_distances compare(const thud_scene *scene, const void *coarse, const void *fine, bool graphs) {
  const study_path *a = coarse, *b = fine;
  (void)scene;
  return (thud_study_distances){.q = thud_study_significant(thud_study_position_distance(a, b), b, b->q),
                                .v = NAN,
                                .graph =
                                    graphs ? thud_study_significant(thud_study_graph_distance(a, b), b, b->v) : NAN};
}

const thud_kind_study thud_study_by_rows = {
    .kind = THUD_STUDY_OF_ROWS, .run = run_rows, .free = free_path, .compare = compare};
