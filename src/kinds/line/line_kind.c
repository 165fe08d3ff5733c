/* Strings and beams over obstacles with friction as kinds of motion: two sections, one code. */
#include "kinds/kinds.h"
#include "kinds/line/line_scene.h"
#include "kinds/mesh_refine.h"
#include "run/run.h"
#include "scene/scene_options.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { F_TIME, F_SIDE, F_STATE, F_TRANSVERSE, F_PRESSURE, F_FRICTION, F_VARIATION, F_LEDGER, FRAME_CHANNELS };
enum { E_TIME, E_KIND, E_MOVED, EVENT_CHANNELS };
enum { LEDGER = 5, MOST_LEVELS = SCENE_MOST_LEVELS };

static const char *const ledger_names[LEDGER] = {"stored", "work", "friction", "quadratic", "defect"};
static const char *const event_names[] = {"jump"};

typedef struct elastic_line {
  thud_kind_object object;
  line_scene built;
  thud_partition *partition;
  const thud_row_sink *sink; /* of the advance in progress */
  double *v;                 /* [n] displacements without slopes */
  double *density;           /* [n] and the atoms [n] of the reaction, for the report */
  thud_line_atom *atoms;
  char **places;          /* [4*n] "u(0.25)": components of u, then of v, s and r */
  double *points;         /* [3*n] for pictures in space */
  size_t *corners, *ends; /* [2*n], [n] */
  unsigned char *types;   /* [n] */
  thud_record_channel frames[FRAME_CHANNELS], events[EVENT_CHANNELS];
  thud_record_layout layout;
  /* conclusions: */
  bool judged;
  thud_limit_judgement judgement;
  thud_limit_level levels[MOST_LEVELS];
} elastic_line;

/* ---- layout -------------------------------------------------------------------------------------------------------- */

enum { FIELDS = 4 };
static const char field_names[FIELDS][2] = {"u", "v", "s", "r"};

static thud_error name_places(elastic_line *made) {
  thud_context *context = made->built.scene->context;
  size_t n = (size_t)made->built.n;
  char place[THUD_DOUBLE_CAPACITY], name[THUD_DOUBLE_CAPACITY + 4];
  made->v = THUD_NEW_ARRAY(context, double, n);
  made->density = THUD_NEW_ARRAY(context, double, n);
  made->atoms = THUD_NEW_ARRAY(context, thud_line_atom, n);
  made->places = THUD_NEW_ARRAY(context, char *, FIELDS *n);
  if (made->v == NULL || made->density == NULL || made->atoms == NULL || made->places == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < FIELDS * n; k++) {
    thud_format_double(made->built.x[k % n], place, sizeof place);
    snprintf(name, sizeof name, "%s(%s)", field_names[k / n], place);
    made->places[k] = thud_strdup(context, name);
    if (made->places[k] == NULL) return THUD_ERROR_MEMORY;
  }
  return THUD_OK;
}

static thud_record_channel field(const elastic_line *made, int k, const char *role, const char *description) {
  return (thud_record_channel){.name = field_names[k],
                               .width = (size_t)made->built.n,
                               .components = (const char *const *)made->places + (ptrdiff_t)k * made->built.n,
                               .unit = "",
                               .role = role,
                               .state = true,
                               .description = description};
}

static void describe(elastic_line *made) {
  thud_record_channel *frames = made->frames, *events = made->events;
  const char *time = made->built.scene->time_unit;
  frames[F_TIME] = (thud_record_channel){.name = "t", .width = 1, .unit = time, .role = "time"};
  frames[F_SIDE] = (thud_record_channel){.name = "side", .type = THUD_RECORD_SMALL, .width = 1, .role = "side"};
  frames[F_STATE] = field(made, 0, "state", "longitudinal displacement at the nodes");
  frames[F_TRANSVERSE] = field(made, 1, "transverse", "transverse displacement at the nodes");
  frames[F_PRESSURE] = field(made, 2, "pressure", "reaction of the obstacle, as forces on the nodes");
  frames[F_FRICTION] = field(made, 3, "reaction", "friction, as forces on the nodes");
  frames[F_VARIATION] = (thud_record_channel){
      .name = "variation", .width = 1, .unit = "", .role = "variation", .description = "of u, in the H1 seminorm"};
  frames[F_LEDGER] = (thud_record_channel){.name = "ledger",
                                           .width = LEDGER,
                                           .components = ledger_names,
                                           .unit = "",
                                           .role = "ledger",
                                           .description = "energies of the longitudinal motion since the start"};
  events[E_TIME] = (thud_record_channel){.name = "t", .width = 1, .unit = time, .role = "time"};
  events[E_KIND] = (thud_record_channel){
      .name = "kind", .type = THUD_RECORD_SMALL, .width = 1, .role = "kind", .label_count = 1, .labels = event_names};
  events[E_MOVED] = (thud_record_channel){
      .name = "moved", .width = 1, .unit = "", .description = "jump of u where the data jump, H1 seminorm"};
  made->layout = (thud_record_layout){.count = {FRAME_CHANNELS, EVENT_CHANNELS}, .channels = {frames, events}};
}

/* ---- the mesh ------------------------------------------------------------------------------------------------------------ */

static thud_error make_mesh(elastic_line *made) {
  thud_context *context = made->built.scene->context;
  size_t n = (size_t)made->built.n;
  made->points = THUD_NEW_ARRAY(context, double, 3 * n);
  made->corners = THUD_NEW_ARRAY(context, size_t, 2 * n);
  made->ends = THUD_NEW_ARRAY(context, size_t, n);
  made->types = THUD_NEW_ARRAY(context, unsigned char, n);
  if (made->points == NULL || made->corners == NULL || made->ends == NULL || made->types == NULL)
    return THUD_ERROR_MEMORY;
  for (size_t i = 0; i < n; i++) {
    made->points[3 * i] = made->built.x[i];
    made->corners[2 * i] = i;
    made->corners[2 * i + 1] = i + 1;
    made->ends[i] = 2 * (i + 1);
    made->types[i] = THUD_VTK_LINE;
  }
  return THUD_OK;
}

static thud_error mesh(const void *motion, thud_vtk_mesh *mesh) {
  const elastic_line *made = motion;
  *mesh = (thud_vtk_mesh){.points = (size_t)made->built.n,
                          .places = made->points,
                          .cells = (size_t)made->built.n - 1,
                          .types = made->types,
                          .ends = made->ends,
                          .corners = made->corners};
  return THUD_OK;
}

/* ---- life ---------------------------------------------------------------------------------------------------------- */

static void destroy(void *motion) {
  elastic_line *made = motion;
  thud_context *context = made->built.scene->context;
  thud_motion_destroy(made->object.motion);
  thud_partition_destroy(made->partition);
  for (thud_index i = 0; made->places != NULL && i < FIELDS * made->built.n; i++) thud_free(context, made->places[i]);
  thud_free(context, made->places);
  thud_free(context, made->points);
  thud_free(context, made->corners);
  thud_free(context, made->ends);
  thud_free(context, made->types);
  thud_free(context, made->v);
  thud_free(context, made->density);
  thud_free(context, made->atoms);
  thud_line_scene_free(&made->built);
  thud_free(context, made);
}

/* Names and channels of its rows, and the motion. */
static thud_error start(elastic_line *made) {
  const thud_scene *scene = made->built.scene;
  thud_error error = name_places(made);
  if (error == THUD_OK)
    error = thud_partition_uniform(scene->context, scene->start, scene->end, scene->steps, made->built.jumps.count,
                                   made->built.jumps.items, &made->partition);
  if (error == THUD_OK)
    error = thud_line_motion_create(scene->context, &made->built.problem, made->partition, &made->object.motion);
  if (error == THUD_OK) describe(made);
  return error;
}

/* With a motion, or without one for pictures. */
static thud_error build_line(thud_scene *scene, const thud_node *root, thud_line_kind kind, bool moves, void **motion) {
  elastic_line *made = THUD_NEW(scene->context, elastic_line);
  if (made == NULL) return THUD_ERROR_MEMORY;
  thud_error error = thud_line_scene_build(scene, root, kind, &made->built);
  if (error == THUD_OK) error = make_mesh(made);
  if (error == THUD_OK && moves) error = start(made);
  if (error == THUD_OK)
    *motion = made;
  else
    destroy(made);
  return error;
}

static thud_error build_string(thud_scene *scene, const thud_node *root, void **motion) {
  return build_line(scene, root, THUD_LINE_STRING, true, motion);
}

static thud_error build_beam(thud_scene *scene, const thud_node *root, void **motion) {
  return build_line(scene, root, THUD_LINE_BEAM, true, motion);
}

static thud_error view_string(thud_scene *scene, const thud_node *root, void **motion) {
  return build_line(scene, root, THUD_LINE_STRING, false, motion);
}

static thud_error view_beam(thud_scene *scene, const thud_node *root, void **motion) {
  return build_line(scene, root, THUD_LINE_BEAM, false, motion);
}

static thud_error resolve_string(thud_tree *tree) { return thud_line_scene_resolve(tree, "string"); }
static thud_error resolve_beam(thud_tree *tree) { return thud_line_scene_resolve(tree, "beam"); }

static const char *method(const void *motion) {
  (void)motion;
  return "catching-up";
}

static const thud_record_layout *layout(const void *motion) { return &((const elastic_line *)motion)->layout; }

/* ---- going on ---------------------------------------------------------------------------------------------------------- */

static int hand_out(elastic_line *made, const thud_elastic_frame *frame, unsigned flags) {
  size_t n = (size_t)made->built.n, per_node = made->built.kind == THUD_LINE_BEAM ? 2 : 1;
  const thud_elastic_ledger *book = &frame->ledger;
  double side = frame->side, ledger[LEDGER] = {book->stored, book->work, book->friction, book->quadratic, book->defect};
  for (size_t i = 0; i < n; i++) made->v[i] = frame->v[i * per_node];
  const thud_record_cell cells[FRAME_CHANNELS] = {[F_TIME] = {.values = &frame->t, .count = 1},
                                                  [F_SIDE] = {.values = &side, .count = 1},
                                                  [F_STATE] = {.values = frame->u, .count = n},
                                                  [F_TRANSVERSE] = {.values = made->v, .count = n},
                                                  [F_PRESSURE] = {.values = frame->s, .count = n},
                                                  [F_FRICTION] = {.values = frame->r, .count = n},
                                                  [F_VARIATION] = {.values = &frame->variation, .count = 1},
                                                  [F_LEDGER] = {.values = ledger, .count = LEDGER}};
  return made->sink->frame(made->sink->user, frame->t, flags, cells);
}

static bool data_jump_at(const elastic_line *made, double t) {
  for (size_t k = 0; k < made->built.jumps.count; k++)
    if (made->built.jumps.items[k] == t) return true;
  return false;
}

static int on_frame(void *user, const void *item) {
  const thud_elastic_frame *frame = item;
  elastic_line *made = user;
  bool jump = frame->side != THUD_SIDE_LEFT && frame->moved > 0 && data_jump_at(made, frame->t);
  double kind = 0;
  int answer = 0;
  if (jump) {
    const thud_record_cell cells[EVENT_CHANNELS] = {[E_TIME] = {.values = &frame->t, .count = 1},
                                                    [E_KIND] = {.values = &kind, .count = 1},
                                                    [E_MOVED] = {.values = &frame->moved, .count = 1}};
    answer = made->sink->event(made->sink->user, frame->t, cells);
  }
  return answer == 0 ? hand_out(made, frame, jump || frame->side != THUD_SIDE_VALUE ? THUD_ROW_KEEP : 0) : answer;
}

static thud_error advance(void *motion, const thud_row_sink *sink, thud_reached *reached) {
  elastic_line *made = motion;
  const thud_motion_sink inner = {.frame = on_frame, .user = made};
  made->sink = sink;
  made->judged = false;
  return thud_motion_step(made->object.motion, &inner, reached);
}

static thud_error finish(void *motion, const thud_row_sink *sink) {
  elastic_line *made = motion;
  const thud_elastic_frame frame = thud_line_motion_present(made->object.motion);
  made->sink = sink;
  return hand_out(made, &frame, THUD_ROW_AGAIN) < 0 ? THUD_ERROR_CALLBACK : THUD_OK;
}

/* The scene on nodes of a run that classifies. */
typedef struct remeshed {
  const line_scene *made;
  line_scene copy;
} remeshed;

static thud_error build_on(void *user, thud_index n, const double *x, thud_line_problem *problem) {
  remeshed *other = user;
  thud_error error = thud_line_scene_remesh(other->made, n, x, &other->copy);
  *problem = other->copy.problem;
  return error;
}

static double obstacle_at(void *user, double x) { return thud_line_scene_obstacle(&((remeshed *)user)->copy, x); }

static size_t places_at(void *user, double t, thud_side side, size_t most, double *places) {
  return thud_line_scene_places(((remeshed *)user)->made, t, side, most, places);
}

/* The same motion on partitions and meshes that are halved again and again. */
static thud_error conclude(void *motion, const thud_run_watch *watch, bool *stopped) {
  elastic_line *made = motion;
  thud_context *context = made->built.scene->context;
  thud_partition *partitions[MOST_LEVELS] = {NULL};
  int count = made->built.levels;
  *stopped = watch->ask != NULL && watch->ask(watch->user) != 0;
  if (count == 0 || *stopped) return THUD_OK;
  thud_error error =
      thud_partition_uniform(context, made->built.scene->start, made->built.scene->end, made->built.scene->steps,
                             made->built.jumps.count, made->built.jumps.items, &partitions[0]);
  for (int k = 1; k < count && error == THUD_OK; k++)
    error = thud_partition_halve(context, partitions[k - 1], &partitions[k]);
  remeshed other = {.made = &made->built};
  const thud_line_source source = {.kind = made->built.kind,
                                   .nodes = made->built.n,
                                   .x = made->built.x,
                                   .build = build_on,
                                   .obstacle = made->built.has_obstacle ? obstacle_at : NULL,
                                   .places = places_at,
                                   .user = &other};
  if (error == THUD_OK)
    error = thud_line_classify_free(context, &source, count, (const thud_partition *const *)partitions, made->levels,
                                    &made->judgement);
  thud_line_scene_free_mesh(&other.copy);
  made->judged = error == THUD_OK;
  for (int k = 0; k < count; k++) thud_partition_destroy(partitions[k]);
  return error;
}

static void judge(const void *motion, thud_reached *reached) {
  const elastic_line *made = motion;
  if (made->judged)
    thud_limit_reached(made->built.scene->context, made->built.levels, made->levels, &made->judgement, reached);
}

/* ---- reporting ------------------------------------------------------------------------------------------------------------- */

/* The reaction at the end: all of it, and its atoms. */
static void report_contact(const elastic_line *made, thud_report *report) {
  enum { SHOWN = 4 };
  static const char *const names[] = {"x", "force"};
  const thud_elastic_frame frame = thud_line_motion_present(made->object.motion);
  double total = 0;
  size_t loaded = 0, atoms = 0, used = 0;
  char text[256] = "";
  for (thud_index i = 0; i < made->built.n; i++) {
    total += frame.s[i];
    loaded += frame.s[i] > 0;
  }
  if (thud_line_measure(made->built.line, frame.s, made->density, made->atoms, &atoms) != THUD_OK) atoms = 0;
  for (size_t k = 0; k < atoms && k < SHOWN && used < sizeof text; k++)
    used += (size_t)snprintf(text + used, sizeof text - used, "%s %.6g at x = %.6g", k > 0 ? "," : ":",
                             made->atoms[k].force, made->atoms[k].x);
  thud_report_number(report, "reaction", total);
  thud_report_integer(report, "loaded_nodes", (int64_t)loaded);
  thud_report_list(report, "atoms", 2, names, atoms, (const double *)made->atoms);
  thud_report_line(report, "contact", "reaction %.6g on %zu node%s at the end", total, loaded, thud_plural(loaded));
  thud_report_line(report, "atoms", "%zu%s%s", atoms, text, atoms > SHOWN ? ", ..." : "");
}

static void report(const void *motion, thud_report *report) {
  const elastic_line *made = motion;
  const thud_elastic_motion_info info = thud_line_motion_get_info(made->object.motion);
  const thud_elastic_ledger ledger = thud_line_motion_present(made->object.motion).ledger;
  thud_report_method(report, "%zu steps, %zu solves", info.steps, info.solves);
  thud_report_integer(report, "steps", (int64_t)info.steps);
  thud_report_number(report, "variation", info.variation);
  thud_report_number(report, "largest_move", info.largest_move);
  thud_report_number(report, "defect", ledger.defect);
  report_contact(made, report);
  thud_report_line(report, "energy", "stored %.6g, work %.6g, defect %.3g", ledger.stored, ledger.work, ledger.defect);
  thud_report_line(report, "losses", "friction %.6g, jumps and steps %.6g", ledger.friction, ledger.quadratic);
  thud_report_line(report, "variation", "%.10g (H1 seminorm), largest step %.6g", info.variation, info.largest_move);
  if (made->judged) thud_limit_report(report, "refinement", made->built.levels, made->levels, &made->judgement);
  if (made->judged) thud_limit_warn(report, info.time, &made->judgement);
  thud_report_events(report, 12);
}

static thud_error check(const void *motion, thud_report *report) {
  const elastic_line *made = motion;
  const thud_scene *scene = made->built.scene;
  thud_report_line(report, "kind", "%s over an obstacle, %d nodes, friction %g",
                   made->built.kind == THUD_LINE_BEAM ? "beam" : "string", (int)made->built.n,
                   made->built.problem.friction);
  thud_report_integer(report, "nodes", made->built.n);
  thud_report_line(report, "run", "%s, %d steps, t = %g to %g", method(motion), (int)scene->steps, scene->start,
                   scene->end);
  return THUD_OK;
}

static thud_error draw(const void *motion, thud_moment *moment, thud_drawing *drawing) {
  return thud_view_line(&((const elastic_line *)motion)->built, moment, drawing);
}

#define THUD_LINE_KIND(noun, stiff)                                                                                    \
  {                                                                                                                    \
    .name = #noun, .section = #noun, .options = thud_##noun##_keys, .resolve = resolve_##noun, .build = build_##noun,  \
    .build_view = view_##noun, .destroy = destroy, .method = method, .layout = layout, .advance = advance,             \
    .finish = finish, .report = report, .check = check, .conclude = conclude, .mesh = mesh, .draw = draw,              \
    .judge = judge, .bends = stiff, .study = &thud_line_study                                                          \
  }

const thud_kind thud_kind_string = THUD_LINE_KIND(string, false);
const thud_kind thud_kind_beam = THUD_LINE_KIND(beam, true);
