/* Membranes and plates over obstacles with friction as kinds of motion: two sections, one code. */
#include "kinds/kinds.h"
#include "run/run.h"
#include "kinds/mesh_refine.h"
#include "kinds/surface/surface_scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
  F_TIME,
  F_SIDE,
  F_FIGURES,
  F_DEFLECTION,
  F_REACTION,
  F_STATUS,
  F_POTENTIAL,
  F_ALWAYS,
  F_SLOPES = F_ALWAYS, /* plates */
  F_MOST = F_SLOPES + 4
};
enum { FIGURES = 4, LEDGER = 5 };

static const char *const figure_names[FIGURES] = {"reaction", "contact_area", "lowest", "highest"};
static const char *const ledger_names[LEDGER] = {"stored", "work", "friction", "quadratic", "defect"};
static const char *const status_names[] = {"apart", "touching", "slipping"};
static const char *const event_names[] = {"jump"};

typedef struct elastic_surface {
  thud_kind_object object;
  surface_scene built;
  thud_partition *partition;
  const thud_row_sink *sink;           /* of the advance in progress */
  double *status, *density;            /* [n] */
  double *places;                      /* [3n] the mesh for VTK's files, with the next */
  size_t *corners, *ends;              /* [3 triangles], [triangles] */
  unsigned char *types;                /* [triangles] */
  size_t channel_count, slopes, plane; /* place of the first channel of plates, of the plane; 0: none */
  thud_record_channel frames[F_MOST], events[2];
  thud_record_layout layout;
} elastic_surface;

/* ---- layout -------------------------------------------------------------------------------------------------------- */

static void add_field(elastic_surface *made, const char *name, size_t width, const char *role,
                      const char *description) {
  made->frames[made->channel_count++] = (thud_record_channel){
      .name = name, .width = width, .unit = "", .role = role, .look = THUD_LOOK_POINT, .description = description};
}

static void describe_plane(elastic_surface *made, size_t n) {
  made->plane = made->channel_count;
  add_field(made, "u", 2 * n, "in-plane", "displacement in the plane: u_x and u_y of node 0, of node 1, ...");
  add_field(made, "r", 2 * n, "friction", "friction, as forces on the nodes, likewise");
  made->frames[made->channel_count++] =
      (thud_record_channel){.name = "ledger",
                            .width = LEDGER,
                            .components = ledger_names,
                            .unit = "",
                            .role = "ledger",
                            .description = "energies of the motion in the plane since the start"};
}

static void describe(elastic_surface *made) {
  thud_record_channel *frames = made->frames, *events = made->events;
  const char *time = made->built.scene->time_unit;
  size_t n = (size_t)made->built.n, freedoms = (size_t)thud_surface_freedoms(made->built.surface);
  frames[F_TIME] = (thud_record_channel){.name = "t", .width = 1, .unit = time, .role = "time"};
  frames[F_SIDE] = (thud_record_channel){.name = "side", .type = THUD_RECORD_SMALL, .width = 1, .role = "side"};
  frames[F_FIGURES] = (thud_record_channel){.name = "contact",
                                            .width = FIGURES,
                                            .components = figure_names,
                                            .unit = "",
                                            .role = "state",
                                            .state = true,
                                            .description = "total reaction, area of loaded nodes, range of v"};
  made->channel_count = F_DEFLECTION;
  add_field(made, "v", n, "deflection", "transverse displacement at the nodes");
  add_field(made, "s", n, "pressure", "reaction of the obstacle, as forces on the nodes");
  frames[made->channel_count++] = (thud_record_channel){.name = "status",
                                                        .type = THUD_RECORD_SMALL,
                                                        .width = n,
                                                        .unit = "",
                                                        .role = "status",
                                                        .look = THUD_LOOK_POINT,
                                                        .label_count = 3,
                                                        .labels = status_names,
                                                        .description = "of the nodes"};
  frames[made->channel_count++] = (thud_record_channel){.name = "potential",
                                                        .width = 1,
                                                        .unit = "",
                                                        .role = "potential",
                                                        .description = "elastic energy of v less the work of the load"};
  if (freedoms > n) {
    made->slopes = made->channel_count;
    add_field(made, "slopes", freedoms - n, "slopes", "normal slope at the midpoints of the edges of the mesh");
  }
  if (made->built.plane) describe_plane(made, n);
  events[0] = (thud_record_channel){.name = "t", .width = 1, .unit = time, .role = "time"};
  events[1] = (thud_record_channel){
      .name = "kind", .type = THUD_RECORD_SMALL, .width = 1, .role = "kind", .label_count = 1, .labels = event_names};
  made->layout = (thud_record_layout){.count = {made->channel_count, 2}, .channels = {frames, events}};
}

/* ---- life ---------------------------------------------------------------------------------------------------------- */

static void destroy(void *motion) {
  elastic_surface *made = motion;
  thud_context *context = made->built.scene->context;
  thud_motion_destroy(made->object.motion);
  thud_partition_destroy(made->partition);
  thud_free(context, made->status);
  thud_free(context, made->density);
  thud_free(context, made->places);
  thud_free(context, made->corners);
  thud_free(context, made->ends);
  thud_free(context, made->types);
  thud_surface_scene_free(&made->built);
  thud_free(context, made);
}

static thud_error allocate(elastic_surface *made) {
  thud_context *context = made->built.scene->context;
  const thud_mesh_definition view = thud_mesh_get(made->built.mesh);
  size_t n = (size_t)view.nodes, triangles = (size_t)view.triangles;
  made->status = THUD_NEW_ARRAY(context, double, n);
  made->density = THUD_NEW_ARRAY(context, double, n);
  made->places = THUD_NEW_ARRAY(context, double, 3 * n);
  made->corners = THUD_NEW_ARRAY(context, size_t, 3 * triangles);
  made->ends = THUD_NEW_ARRAY(context, size_t, triangles);
  made->types = THUD_NEW_ARRAY(context, unsigned char, triangles);
  if (made->status == NULL || made->density == NULL || made->places == NULL || made->corners == NULL ||
      made->ends == NULL || made->types == NULL)
    return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < 2 * n; k++) made->places[k / 2 * 3 + k % 2] = view.xy[k];
  for (size_t k = 0; k < 3 * triangles; k++) made->corners[k] = (size_t)view.triangle[k];
  for (size_t t = 0; t < triangles; t++) {
    made->ends[t] = 3 * (t + 1);
    made->types[t] = THUD_VTK_TRIANGLE;
  }
  return THUD_OK;
}

static thud_error mesh(const void *motion, thud_vtk_mesh *mesh) {
  const elastic_surface *made = motion;
  const thud_mesh_definition view = thud_mesh_get(made->built.mesh);
  *mesh = (thud_vtk_mesh){.points = (size_t)view.nodes,
                          .places = made->places,
                          .cells = (size_t)view.triangles,
                          .types = made->types,
                          .ends = made->ends,
                          .corners = made->corners};
  return THUD_OK;
}

/* With a motion, or without one for pictures. */
static thud_error build_surface(thud_scene *scene, const thud_node *root, thud_surface_kind kind, bool moves,
                                void **motion) {
  elastic_surface *made = THUD_NEW(scene->context, elastic_surface);
  if (made == NULL) return THUD_ERROR_MEMORY;
  thud_error error = thud_surface_scene_build(scene, root, kind, &made->built);
  if (error == THUD_OK) error = allocate(made);
  if (error == THUD_OK && moves)
    error = thud_partition_uniform(scene->context, scene->start, scene->end, scene->steps, made->built.jumps.count,
                                   made->built.jumps.items, &made->partition);
  if (error == THUD_OK && moves)
    error = thud_surface_motion_create(scene->context, &made->built.problem, made->partition, &made->object.motion);
  if (error == THUD_OK) {
    describe(made);
    *motion = made;
  } else {
    destroy(made);
  }
  return error;
}

static thud_error build_membrane(thud_scene *scene, const thud_node *root, void **motion) {
  return build_surface(scene, root, THUD_SURFACE_MEMBRANE, true, motion);
}
static thud_error build_plate(thud_scene *scene, const thud_node *root, void **motion) {
  return build_surface(scene, root, THUD_SURFACE_PLATE, true, motion);
}
static thud_error view_membrane(thud_scene *scene, const thud_node *root, void **motion) {
  return build_surface(scene, root, THUD_SURFACE_MEMBRANE, false, motion);
}
static thud_error view_plate(thud_scene *scene, const thud_node *root, void **motion) {
  return build_surface(scene, root, THUD_SURFACE_PLATE, false, motion);
}
static thud_error resolve_membrane(thud_tree *tree) { return thud_surface_scene_resolve(tree, THUD_SURFACE_MEMBRANE); }
static thud_error resolve_plate(thud_tree *tree) { return thud_surface_scene_resolve(tree, THUD_SURFACE_PLATE); }

static const char *method(const void *motion) {
  (void)motion;
  return "catching-up";
}

static const thud_record_layout *layout(const void *motion) { return &((const elastic_surface *)motion)->layout; }

/* ---- going on ---------------------------------------------------------------------------------------------------------- */

static void find_figures(const elastic_surface *made, const thud_elastic_frame *frame, double figures[FIGURES]) {
  const double *area = thud_surface_areas(made->built.surface);
  figures[0] = figures[1] = 0;
  figures[2] = figures[3] = frame->v[0];
  for (thud_index i = 0; i < made->built.n; i++) {
    bool loaded = frame->s[i] > 0, slips = loaded && made->built.plane && frame->slid[i] > 0;
    figures[0] += frame->s[i];
    figures[1] += loaded ? area[i] : 0;
    figures[2] = fmin(figures[2], frame->v[i]);
    figures[3] = fmax(figures[3], frame->v[i]);
    made->status[i] = slips ? 2 : loaded;
  }
}

static int hand_out(elastic_surface *made, const thud_elastic_frame *frame, unsigned flags) {
  size_t n = (size_t)made->built.n;
  const thud_elastic_ledger *book = &frame->ledger;
  double side = frame->side, ledger[LEDGER] = {book->stored, book->work, book->friction, book->quadratic, book->defect};
  double figures[FIGURES];
  find_figures(made, frame, figures);
  thud_record_cell cells[F_MOST] = {[F_TIME] = {.values = &frame->t, .count = 1},
                                    [F_SIDE] = {.values = &side, .count = 1},
                                    [F_FIGURES] = {.values = figures, .count = FIGURES},
                                    [F_DEFLECTION] = {.values = frame->v, .count = n},
                                    [F_REACTION] = {.values = frame->s, .count = n},
                                    [F_STATUS] = {.values = made->status, .count = n},
                                    [F_POTENTIAL] = {.values = &frame->potential, .count = 1}};
  if (made->slopes > 0)
    cells[made->slopes] = (thud_record_cell){.values = frame->v + n, .count = made->frames[made->slopes].width};
  if (made->plane > 0) {
    cells[made->plane] = (thud_record_cell){.values = frame->u, .count = 2 * n};
    cells[made->plane + 1] = (thud_record_cell){.values = frame->r, .count = 2 * n};
    cells[made->plane + 2] = (thud_record_cell){.values = ledger, .count = LEDGER};
  }
  return made->sink->frame(made->sink->user, frame->t, flags, cells);
}

static bool data_jump_at(const elastic_surface *made, double t) {
  for (size_t k = 0; k < made->built.jumps.count; k++)
    if (made->built.jumps.items[k] == t) return true;
  return false;
}

/* Every jump of the data is one event, in front of the row after it. */
static int on_frame(void *user, const void *item) {
  const thud_elastic_frame *frame = item;
  elastic_surface *made = user;
  bool jump = frame->side == THUD_SIDE_RIGHT && data_jump_at(made, frame->t);
  double kind = 0;
  int answer = 0;
  if (jump) {
    const thud_record_cell cells[2] = {{.values = &frame->t, .count = 1}, {.values = &kind, .count = 1}};
    answer = made->sink->event(made->sink->user, frame->t, cells);
  }
  return answer == 0 ? hand_out(made, frame, jump || frame->side != THUD_SIDE_VALUE ? THUD_ROW_KEEP : 0) : answer;
}

static thud_error advance(void *motion, const thud_row_sink *sink, thud_reached *reached) {
  elastic_surface *made = motion;
  const thud_motion_sink inner = {.frame = on_frame, .user = made};
  made->sink = sink;
  return thud_motion_step(made->object.motion, &inner, reached);
}

static thud_error finish(void *motion, const thud_row_sink *sink) {
  elastic_surface *made = motion;
  const thud_elastic_frame frame = thud_surface_motion_present(made->object.motion);
  made->sink = sink;
  return hand_out(made, &frame, THUD_ROW_AGAIN) < 0 ? THUD_ERROR_CALLBACK : THUD_OK;
}

/* ---- reporting ------------------------------------------------------------------------------------------------------------- */

static void report_contact(const elastic_surface *made, const thud_elastic_frame *frame, thud_report *report) {
  thud_surface_measure found = {0};
  thud_error error = thud_surface_get_measure(made->built.surface, frame->s, made->density, &found);
  if (error == THUD_ERROR_MEMORY) report->error = error;
  if (error != THUD_OK) return;
  thud_report_number(report, "reaction", found.total);
  thud_report_number(report, "reaction_atoms", found.atoms);
  bool told = !isnan(found.rim_error);
  thud_report_number(report, "reaction_rim", told ? found.rim : NAN);
  thud_report_number(report, "reaction_rim_error", found.rim_error);
  thud_report_number(report, "contact_area", found.area);
  thud_report_integer(report, "loaded_nodes", found.loaded);
  thud_report_integer(report, "atoms", found.atom_count);
  thud_report_line(report, "contact", "reaction %.6g on %d node%s (area %.6g) at the end", found.total,
                   (int)found.loaded, thud_plural((size_t)found.loaded), found.area);
  if (told)
    thud_report_line(report, "measure", "inside %.6g, along the rim %.6g +- %.2g, in %d atom%s %.6g", found.inside,
                     found.rim, found.rim_error, (int)found.atom_count, thud_plural((size_t)found.atom_count),
                     found.atoms);
  else
    thud_report_line(report, "measure",
                     "%.6g inside and along the rim, not resolved (the contact is too narrow for the mesh), "
                     "in %d atom%s %.6g",
                     found.rim, (int)found.atom_count, thud_plural((size_t)found.atom_count), found.atoms);
}

static void report(const void *motion, thud_report *report) {
  const elastic_surface *made = motion;
  const thud_elastic_motion_info info = thud_surface_motion_get_info(made->object.motion);
  const thud_elastic_frame frame = thud_surface_motion_present(made->object.motion);
  const thud_elastic_ledger *ledger = &frame.ledger;
  thud_report_method(report, "%zu steps%s", info.steps,
                     thud_surface_uses_multigrid(made->built.surface) ? ", multigrid" : "");
  thud_report_integer(report, "steps", (int64_t)info.steps);
  thud_report_number(report, "potential", frame.potential);
  report_contact(made, &frame, report);
  thud_report_line(report, "potential", "%.10g, worst residual %.3g", frame.potential, info.residual);
  if (made->built.plane) {
    thud_report_line(report, "energy", "stored %.6g, work %.6g, defect %.3g", ledger->stored, ledger->work,
                     ledger->defect);
    thud_report_line(report, "losses", "friction %.6g, jumps and steps %.6g", ledger->friction, ledger->quadratic);
  }
  thud_report_events(report, 12);
}

static thud_error check(const void *motion, thud_report *report) {
  const elastic_surface *made = motion;
  const thud_scene *scene = made->built.scene;
  const thud_mesh_definition view = thud_mesh_get(made->built.mesh);
  thud_report_line(report, "kind", "%s over an obstacle, %d nodes, %d triangles%s",
                   thud_surface_sections[made->built.kind], (int)view.nodes, (int)view.triangles,
                   made->built.plane ? ", friction in the plane" : "");
  thud_report_integer(report, "nodes", view.nodes);
  thud_report_integer(report, "triangles", view.triangles);
  thud_report_line(report, "run", "%s, %d steps, t = %g to %g", method(motion), (int)scene->steps, scene->start,
                   scene->end);
  return THUD_OK;
}

static thud_error draw(const void *motion, thud_moment *moment, thud_drawing *drawing) {
  return thud_view_surface(&((const elastic_surface *)motion)->built, moment, drawing);
}

#define THUD_SURFACE_KIND(noun)                                                                                        \
  {                                                                                                                    \
    .name = #noun, .section = #noun, .options = thud_##noun##_keys, .take_files = thud_surface_scene_take_files,       \
    .resolve = resolve_##noun, .build = build_##noun, .build_view = view_##noun, .destroy = destroy, .method = method, \
    .layout = layout, .advance = advance, .finish = finish, .report = report, .check = check, .mesh = mesh,            \
    .draw = draw, .study = &thud_surface_study                                                                         \
  }

const thud_kind thud_kind_membrane = THUD_SURFACE_KIND(membrane);
const thud_kind thud_kind_plate = THUD_SURFACE_KIND(plate);
