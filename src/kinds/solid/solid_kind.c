/* Elastic solids on meshes as a kind of motion: statics and quasi-static histories with contact and friction. */
#include "kinds/kinds.h"
#include "kinds/quasistatic/quasistatic_scene.h"
#include "kinds/solid/solid_scene.h"
#include "run/run.h"
#include "run/run_view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FRAME_CHANNELS = 12, EVENT_CHANNELS = 6, LEDGER = 6, FIGURES = 7, MODES = 4 };

static const char *const ledger_names[LEDGER] = {"stored", "work", "friction", "quadratic", "normal", "defect"};
static const char *const figure_names[FIGURES] = {"contact_force", "contact_area", "displacement", "von_mises",
                                                  "support_x",     "support_y",    "support_z"};

typedef struct elastic_solid {
  thud_kind_object object;
  solid_scene built;
  thud_partition *partition;
  const thud_row_sink *sink; /* of the advance in progress */
  /* Findings, one block: whether there has been a row, the ledger, u of the last row, [1 + LEDGER + all]. */
  double *found;
  /* cells: */
  double *u, *inner, *change, *product, *outer; /* [all] */
  double *stress;                               /* [6 nodes] */
  double *direct, *shear, *mises, *pressure;    /* [3 nodes], [1 or 3 nodes], [nodes], [nodes] */
  double *modes, *names;                        /* [c] */
  double ledger[LEDGER], figures[FIGURES];
  /* VTK: */
  double *places; /* [3 nodes] */
  size_t *corners, *ends;
  unsigned char *types;
  /* layout: */
  const char *event_names[THUD_QUASISTATIC_EVENT_KINDS], *mode_names[MODES];
  size_t count[2];
  thud_record_channel frames[FRAME_CHANNELS], events[EVENT_CHANNELS];
  thud_record_layout layout;
} elastic_solid;

/* ---- channels ---------------------------------------------------------------------------------------------------------- */

static void add_field(elastic_solid *made, const char *name, size_t width, const char *unit, const char *description) {
  made->frames[made->count[0]++] = (thud_record_channel){
      .name = name, .width = width, .unit = unit, .role = name, .look = THUD_LOOK_POINT, .description = description};
}

static void describe_frames(elastic_solid *made) {
  const solid_scene *built = &made->built;
  size_t nodes = (size_t)built->view.nodes, d = (size_t)built->d, c = (size_t)built->touch.contacts;
  thud_record_channel *frames = made->frames;
  frames[made->count[0]++] =
      (thud_record_channel){.name = "t", .width = 1, .unit = built->scene->time_unit, .role = "time"};
  frames[made->count[0]++] =
      (thud_record_channel){.name = "side", .type = THUD_RECORD_SMALL, .width = 1, .role = "side"};
  frames[made->count[0]++] =
      (thud_record_channel){.name = "figures",
                            .width = 4 + d,
                            .components = figure_names,
                            .unit = "",
                            .role = "state",
                            .state = true,
                            .description = "normal forces, loaded area, largest |u| and von Mises stress, "
                                           "forces of the supports"};
  add_field(made, "u", d * nodes, "", "displacement: the components at node 0, at node 1, ...");
  add_field(made, "stress", 3 * nodes, "", "xx, yy, zz at the nodes; axisymmetric: radius, axis, around it");
  add_field(made, "shear", (d == 2 ? 1 : 3) * nodes, "",
            d == 2 ? "stress xy at the nodes" : "stresses xy, yz, zx at the nodes");
  frames[made->count[0]++] = (thud_record_channel){.name = "ledger",
                                                   .width = LEDGER,
                                                   .components = ledger_names,
                                                   .unit = "",
                                                   .role = "ledger",
                                                   .description = "energies since the start"};
  frames[made->count[0]++] = (thud_record_channel){
      .name = "residual", .width = 1, .unit = "1", .role = "residual", .description = "of the contact problem"};
  if (c == 0) return;
  add_field(made, "pressure", nodes, "", "of the contacts, at the nodes of their sides");
  add_field(made, "r", c * (size_t)built->touch.dimension, "", "reactions of the contacts as forces, normal first");
  add_field(made, "gap", c, "", "of the contacts");
  frames[made->count[0]++] = (thud_record_channel){.name = "mode",
                                                   .type = THUD_RECORD_SMALL,
                                                   .width = c,
                                                   .components = built->problem.contact_names,
                                                   .role = "mode",
                                                   .label_count = MODES,
                                                   .labels = made->mode_names,
                                                   .look = THUD_LOOK_POINT,
                                                   .description = "modes on the interval that ends here"};
}

static void describe_events(elastic_solid *made) {
  const solid_scene *built = &made->built;
  thud_record_channel *events = made->events;
  size_t count = 0;
  events[count++] = (thud_record_channel){.name = "t", .width = 1, .unit = built->scene->time_unit, .role = "time"};
  events[count++] = (thud_record_channel){.name = "kind",
                                          .type = THUD_RECORD_SMALL,
                                          .width = 1,
                                          .role = "kind",
                                          .label_count = THUD_QUASISTATIC_EVENT_KINDS,
                                          .labels = made->event_names};
  events[count++] = (thud_record_channel){
      .name = "release", .width = 1, .unit = "", .optional = true, .description = "net release of energy"};
  events[count++] = (thud_record_channel){
      .name = "friction", .width = 1, .unit = "", .optional = true, .description = "lost on the way"};
  events[count++] = (thud_record_channel){
      .name = "solutions", .width = 1, .unit = "1", .optional = true, .description = "ways on that were found"};
  if (built->touch.contacts > 0)
    events[count++] = (thud_record_channel){.name = "contacts",
                                            .type = THUD_RECORD_INTEGER,
                                            .role = "constraints",
                                            .label_count = (size_t)built->touch.contacts,
                                            .labels = built->problem.contact_names};
  made->count[1] = count;
}

static void describe(elastic_solid *made) {
  for (int k = 0; k < THUD_QUASISTATIC_EVENT_KINDS; k++)
    made->event_names[k] = thud_quasistatic_event_name((thud_quasistatic_event_kind)k);
  for (int k = 0; k < MODES; k++) made->mode_names[k] = thud_elastic_mode_name((thud_elastic_mode)k);
  describe_frames(made);
  describe_events(made);
  made->layout =
      (thud_record_layout){.count = {made->count[0], made->count[1]}, .channels = {made->frames, made->events}};
}

/* ---- life -------------------------------------------------------------------------------------------------------------- */

static void destroy(void *motion) {
  elastic_solid *made = motion;
  thud_context *context = made->built.scene->context;
  thud_motion_destroy(made->object.motion);
  thud_partition_destroy(made->partition);
  void *const arrays[] = {made->found,  made->u,      made->inner,   made->change, made->product,  made->outer,
                          made->stress, made->direct, made->shear,   made->mises,  made->pressure, made->modes,
                          made->names,  made->places, made->corners, made->ends,   made->types};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(context, arrays[k]);
  thud_solid_scene_free(&made->built);
  thud_free(context, made);
}

static thud_error allocate_mesh(elastic_solid *made) {
  static const unsigned char types[2][2] = {{THUD_VTK_TRIANGLE, 22}, {THUD_VTK_TETRA, 24}}; /* VTK's quadratic ones */
  static const int turned[10] = {0, 1, 2, 3, 4,
                                 5, 6, 7, 9, 8}; /* VTK lists the middles of 13 and 23 the other way round */
  thud_context *context = made->built.scene->context;
  const thud_solid_mesh_definition *mesh = &made->built.view;
  size_t nodes = (size_t)mesh->nodes, elements = (size_t)mesh->elements, d = (size_t)mesh->dimension;
  size_t corners = (size_t)thud_solid_mesh_corners(mesh->dimension, mesh->order);
  made->places = THUD_NEW_ARRAY(context, double, 3 * nodes);
  made->corners = THUD_NEW_ARRAY(context, size_t, corners * elements);
  made->ends = THUD_NEW_ARRAY(context, size_t, elements);
  made->types = THUD_NEW_ARRAY(context, unsigned char, elements);
  if (made->places == NULL || made->corners == NULL || made->ends == NULL || made->types == NULL)
    return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < d * nodes; k++) made->places[k / d * 3 + k % d] = mesh->place[k];
  for (size_t e = 0; e < elements; e++) {
    for (size_t k = 0; k < corners; k++)
      made->corners[corners * e + k] = (size_t)mesh->element[corners * e + (corners == 10 ? (size_t)turned[k] : k)];
    made->ends[e] = corners * (e + 1);
    made->types[e] = types[d - 2][mesh->order - 1];
  }
  return THUD_OK;
}

static thud_error allocate(elastic_solid *made) {
  thud_context *context = made->built.scene->context;
  size_t all = made->built.all, nodes = (size_t)made->built.view.nodes, c = (size_t)made->built.touch.contacts;
  double **const arrays[] = {&made->u, &made->inner, &made->change, &made->product, &made->outer};
  bool complete = true;
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
    *arrays[k] = THUD_NEW_ARRAY(context, double, all);
    complete = complete && *arrays[k] != NULL;
  }
  made->found = THUD_NEW_ARRAY(context, double, 1 + LEDGER + all);
  made->stress = THUD_NEW_ARRAY(context, double, 6 * nodes);
  made->direct = THUD_NEW_ARRAY(context, double, 3 * nodes);
  made->shear = THUD_NEW_ARRAY(context, double, 3 * nodes);
  made->mises = THUD_NEW_ARRAY(context, double, nodes);
  made->pressure = THUD_NEW_ARRAY(context, double, nodes);
  made->modes = THUD_NEW_ARRAY(context, double, c);
  made->names = THUD_NEW_ARRAY(context, double, c);
  complete = complete && made->found != NULL && made->stress != NULL && made->direct != NULL && made->shear != NULL &&
             made->mises != NULL && made->pressure != NULL && made->modes != NULL && made->names != NULL;
  return complete ? THUD_OK : THUD_ERROR_MEMORY;
}

/* What is wrong with the structure is reported where the section begins. */
static thud_error begin(elastic_solid *made, const thud_node *root) {
  solid_scene *built = &made->built;
  thud_scene *scene = built->scene;
  thud_error error = allocate(made);
  if (error == THUD_OK)
    error = thud_partition_uniform(scene->context, scene->start, scene->end, scene->steps, built->jumps.count,
                                   built->jumps.items, &made->partition);
  if (error != THUD_OK) return error;
  error = thud_quasistatic_motion_create(scene->context, built->method, &built->problem, made->partition,
                                         &built->options, &made->object.motion);
  if (error != THUD_OK && error != THUD_ERROR_MEMORY)
    return thud_node_fail_within(thud_node_find(root, "solid"), error);
  made->object.found = made->found;
  made->object.found_size = (1 + LEDGER + built->all) * sizeof *made->found;
  return error;
}

/* With a motion, or without one for pictures. */
static thud_error make(thud_scene *scene, const thud_node *root, bool moves, void **motion) {
  elastic_solid *made = THUD_NEW(scene->context, elastic_solid);
  if (made == NULL) return THUD_ERROR_MEMORY;
  thud_error error = thud_solid_scene_build(scene, root, &made->built);
  if (error == THUD_OK) error = allocate_mesh(made);
  if (error == THUD_OK && moves) error = begin(made, root);
  if (error != THUD_OK) {
    destroy(made);
    return error;
  }
  describe(made);
  *motion = made;
  return THUD_OK;
}

static thud_error build(thud_scene *scene, const thud_node *root, void **motion) {
  return make(scene, root, true, motion);
}
static thud_error build_view(thud_scene *scene, const thud_node *root, void **motion) {
  return make(scene, root, false, motion);
}

static const char *method(const void *motion) {
  return thud_quasistatic_method_names[((const elastic_solid *)motion)->built.method];
}

static const thud_record_layout *layout(const void *motion) { return &((const elastic_solid *)motion)->layout; }

static thud_error mesh(const void *motion, thud_vtk_mesh *mesh) {
  const elastic_solid *made = motion;
  *mesh = (thud_vtk_mesh){.points = (size_t)made->built.view.nodes,
                          .places = made->places,
                          .cells = (size_t)made->built.view.elements,
                          .types = made->types,
                          .ends = made->ends,
                          .corners = made->corners};
  return THUD_OK;
}

static thud_error draw(const void *motion, thud_moment *moment, thud_drawing *drawing) {
  return thud_view_solid(&((const elastic_solid *)motion)->built, moment, drawing);
}

/* ---- rows -------------------------------------------------------------------------------------------------------------- */

/* von Mises: sqrt(3/2 s : s) with the deviator s. */
static double mises_of(const double *stress) {
  double sum = 0, shear = 0;
  for (int k = 0; k < 3; k++) {
    double difference = stress[k] - stress[(k + 1) % 3];
    sum += difference * difference;
    shear += stress[3 + k] * stress[3 + k];
  }
  return sqrt(sum / 2 + 3 * shear);
}

static thud_error find_stresses(elastic_solid *made) {
  size_t nodes = (size_t)made->built.view.nodes;
  thud_error error = thud_solid_stress(made->built.solid, made->u, made->stress);
  for (size_t i = 0; i < nodes && error == THUD_OK; i++) {
    const double *stress = made->stress + 6 * i;
    memcpy(made->direct + 3 * i, stress, 3 * sizeof *stress);
    if (made->built.d == 2)
      made->shear[i] = stress[3];
    else
      memcpy(made->shear + 3 * i, stress + 3, 3 * sizeof *stress);
    made->mises[i] = mises_of(stress);
  }
  return error;
}

static bool may_touch(const solid_scene *built, thud_index group) {
  for (thud_index k = 0; k < built->obstacle_count; k++)
    if (built->obstacles[k].group == group) return true;
  return false;
}

/* r_N / area at the corners, the mean of the ends at the middles of the sides' edges. */
static void find_pressures(elastic_solid *made, const thud_quasistatic_frame *frame) {
  const solid_scene *built = &made->built;
  const thud_solid_contacts_view *touch = &built->touch;
  const thud_solid_mesh_definition *mesh = &built->view;
  size_t corners = (size_t)thud_solid_mesh_corners(built->d - 1, mesh->order), d = (size_t)built->d;
  memset(made->pressure, 0, (size_t)mesh->nodes * sizeof *made->pressure);
  for (thud_index i = 0; i < touch->contacts; i++)
    made->pressure[touch->corner[i]] += frame->r[(size_t)touch->dimension * (size_t)i] / touch->area[i];
  for (size_t s = 0; s < (size_t)mesh->sides && mesh->order == 2; s++)
    for (size_t k = d; k < corners && may_touch(built, mesh->side_group[s]); k++) {
      const thud_index *side = mesh->side + corners * s;
      double mean = (made->pressure[side[k - d]] + made->pressure[side[(k - d + 1) % d]]) / 2;
      if (mean > 0) made->pressure[side[k]] = mean;
    }
}

/* The limit in time of what is given under which a row stands. A step ends under the left one; at a jump the load goes on to the
 * value and then to the right limit, by rows of their own, which their load tells apart. */
static thud_error find_limit(elastic_solid *made, const thud_quasistatic_frame *frame, thud_side *limit) {
  const solid_scene *built = &made->built;
  double nearest = INFINITY;
  *limit = frame->t > built->scene->start ? THUD_SIDE_LEFT : THUD_SIDE_VALUE;
  if (frame->side == THUD_SIDE_VALUE) return THUD_OK;
  for (int side = *limit; side <= THUD_SIDE_RIGHT && nearest > 0; side++) {
    double *F = made->change, distance = 0;
    if (built->problem.load->evaluate(built->problem.load->user, frame->t, (thud_side)side, F) != 0)
      return THUD_ERROR_CALLBACK;
    for (thud_index i = 0; i < built->problem.unknowns; i++) distance = fmax(distance, fabs(F[i] - frame->F[i]));
    if (distance < nearest) nearest = distance, *limit = (thud_side)side;
  }
  return THUD_OK;
}

/* Inner forces K u, loads, and what is left for the supports at given components. */
static thud_error find_forces(elastic_solid *made, double t, thud_side limit) {
  thud_solid_apply(made->built.solid, made->u, made->inner);
  return thud_solid_scene_load(&made->built, t, limit, made->outer);
}

/* The balance of thud_quasistatic_ledger, with the work of the supports among that of the loads. */
static void keep_ledger(elastic_solid *made, const thud_quasistatic_frame *frame) {
  const solid_scene *built = &made->built;
  const thud_solid_contacts_view *touch = &built->touch;
  const thud_solid_view view = thud_solid_get(built->solid);
  double *ledger = made->found + 1, *last = made->found + 1 + LEDGER, parts[LEDGER] = {0};
  bool first = made->found[0] == 0, fresh = built->method == THUD_QUASISTATIC_STATIC;
  for (size_t i = 0; i < built->all; i++) made->change[i] = made->u[i] - last[i];
  thud_solid_apply(built->solid, made->change, made->product);
  for (size_t i = 0; i < built->all; i++) {
    bool given = view.unknown[i] < 0;
    parts[0] += (made->u[i] + last[i]) * made->product[i] / 2;
    parts[1] += (given ? made->inner[i] : made->outer[i]) * made->change[i];
    parts[3] += made->change[i] * made->product[i] / 2;
  }
  /* contacts: H'(change of U), of which those at rest see nothing */
  for (thud_index j = 0; j < touch->contacts * touch->dimension; j++) {
    double moved = 0;
    for (thud_index p = touch->H->column_start[j]; p < touch->H->column_start[j + 1]; p++)
      if (touch->H->row[p] < view.unknowns)
        moved += touch->H->value[p] * made->change[view.component[touch->H->row[p]]];
    if (j % touch->dimension == 0)
      parts[4] += frame->r[j] * moved;
    else
      parts[2] -= frame->r[j] * moved;
  }
  for (int k = 0; k < 5; k++) ledger[k] = first ? 0 : fresh ? parts[k] : ledger[k] + parts[k];
  ledger[5] = ledger[0] - (ledger[1] - ledger[2] - ledger[3] + ledger[4]);
  memcpy(made->ledger, ledger, sizeof made->ledger);
  if (first || !fresh) memcpy(last, made->u, built->all * sizeof *last);
  made->found[0] = 1;
}

static void find_figures(elastic_solid *made, const thud_quasistatic_frame *frame) {
  const solid_scene *built = &made->built;
  const thud_solid_contacts_view *touch = &built->touch;
  const thud_solid_view view = thud_solid_get(built->solid);
  size_t d = (size_t)built->d, nodes = (size_t)built->view.nodes;
  memset(made->figures, 0, sizeof made->figures);
  for (thud_index i = 0; i < touch->contacts; i++) {
    double r = frame->r[(size_t)touch->dimension * (size_t)i];
    made->figures[0] += r;
    made->figures[1] += r > 0 ? touch->area[i] : 0;
  }
  for (size_t i = 0; i < nodes; i++) {
    double size = 0;
    for (size_t k = 0; k < d; k++) size += made->u[d * i + k] * made->u[d * i + k];
    made->figures[2] = fmax(made->figures[2], sqrt(size));
    made->figures[3] = fmax(made->figures[3], made->mises[i]);
  }
  for (size_t i = 0; i < built->all; i++)
    if (view.unknown[i] < 0) made->figures[4 + i % d] += made->inner[i] - made->outer[i];
}

static int write_row(elastic_solid *made, const thud_quasistatic_frame *frame, unsigned flags) {
  const solid_scene *built = &made->built;
  size_t d = (size_t)built->d, nodes = (size_t)built->view.nodes, c = (size_t)built->touch.contacts;
  double side = frame->side;
  for (size_t i = 0; i < c; i++) made->modes[i] = frame->modes[i];
  const thud_record_cell cells[FRAME_CHANNELS] = {{.values = &frame->t, .count = 1},
                                                  {.values = &side, .count = 1},
                                                  {.values = made->figures, .count = 4 + d},
                                                  {.values = made->u, .count = built->all},
                                                  {.values = made->direct, .count = 3 * nodes},
                                                  {.values = made->shear, .count = (d == 2 ? 1 : 3) * nodes},
                                                  {.values = made->ledger, .count = LEDGER},
                                                  {.values = &frame->residual, .count = 1},
                                                  {.values = made->pressure, .count = nodes},
                                                  {.values = frame->r, .count = c * (size_t)built->touch.dimension},
                                                  {.values = frame->gap, .count = c},
                                                  {.values = made->modes, .count = c}};
  return made->sink->frame(made->sink->user, frame->t, flags, cells);
}

/* again: the row has been handed out, and the ledger knows it. */
static thud_error fill_row(elastic_solid *made, const thud_quasistatic_frame *frame, bool again) {
  thud_side limit;
  thud_error error = find_limit(made, frame, &limit);
  if (error != THUD_OK) return error;
  thud_solid_scene_expand(&made->built, frame->U, frame->t, limit, made->u);
  error = find_stresses(made);
  if (error == THUD_OK) error = find_forces(made, frame->t, limit);
  if (error != THUD_OK) return error;
  find_pressures(made, frame);
  if (!again)
    keep_ledger(made, frame);
  else
    memcpy(made->ledger, made->found + 1, sizeof made->ledger);
  find_figures(made, frame);
  return THUD_OK;
}

static int on_frame(void *user, const void *given) {
  const thud_quasistatic_frame *frame = given;
  elastic_solid *made = user;
  if (fill_row(made, frame, false) != THUD_OK) return -1;
  return write_row(made, frame, frame->side != THUD_SIDE_VALUE || frame->refined ? THUD_ROW_KEEP : 0);
}

static int on_event(void *user, const void *given) {
  const thud_quasistatic_event *event = given;
  elastic_solid *made = user;
  double kind = event->kind;
  for (size_t k = 0; k < event->contact_count; k++) made->names[k] = event->contacts[k];
  const thud_record_cell cells[EVENT_CHANNELS] = {
      {.values = &event->t, .count = 1},         {.values = &kind, .count = 1},
      {.values = &event->release, .count = 1},   {.values = &event->friction, .count = 1},
      {.values = &event->solutions, .count = 1}, {.values = made->names, .count = event->contact_count}};
  return made->sink->event(made->sink->user, event->t, cells);
}

static bool is_coarse(const elastic_solid *made, const thud_quasistatic_motion_info *info) {
  double most = made->built.options.coarse_above;
  return info->status == THUD_MOTION_COMPLETED && most > 0 && info->error_estimate > most * info->largest_motion;
}

static thud_error advance(void *motion, const thud_row_sink *sink, thud_reached *reached) {
  elastic_solid *made = motion;
  const thud_motion_sink inner = {.frame = on_frame, .event = on_event, .user = made};
  made->sink = sink;
  thud_error error = thud_motion_step(made->object.motion, &inner, reached);
  if (error != THUD_OK || reached->status != THUD_MOTION_COMPLETED) return error;
  const thud_quasistatic_motion_info info = thud_quasistatic_motion_get_info(made->object.motion);
  if (is_coarse(made, &info)) reached->verdict = "coarse";
  return THUD_OK;
}

static thud_error finish(void *motion, const thud_row_sink *sink) {
  elastic_solid *made = motion;
  const thud_quasistatic_frame frame = thud_quasistatic_motion_present(made->object.motion);
  made->sink = sink;
  thud_error error = fill_row(made, &frame, true);
  if (error != THUD_OK) return error;
  return write_row(made, &frame, THUD_ROW_AGAIN) < 0 ? THUD_ERROR_CALLBACK : THUD_OK;
}

/* Findings of another row are finite numbers, the first of them a flag. */
static bool takes_findings(const void *motion, const void *given) {
  const elastic_solid *made = motion;
  const char *next = given;
  for (size_t k = 0; k < 1 + LEDGER + made->built.all; k++) {
    double number;
    memcpy(&number, next + k * sizeof number, sizeof number);
    if (!isfinite(number) || (k == 0 && number != 0 && number != 1)) return false;
  }
  return true;
}

/* ---- reporting --------------------------------------------------------------------------------------------------------- */

/* Linear triangles and tetrahedra cannot keep their volume and bend. */
static void warn_locking(const elastic_solid *made, thud_report *report) {
  const solid_scene *built = &made->built;
  double worst = thud_solid_get(built->solid).poisson;
  if (built->view.order == 1 && worst > 0.45 && built->kinematics != THUD_SOLID_PLANE_STRESS)
    thud_report_warning(
        report, NAN, "locking",
        "Poisson's ratio is %.6g and the elements are of first order: they resist bending at constant volume far "
        "too much (locking); take order: 2",
        worst);
}

static void report_figures(const elastic_solid *made, const thud_quasistatic_motion_info *info, thud_report *report) {
  const double *figures = made->figures;
  thud_report_integer(report, "steps", (int64_t)info->steps);
  thud_report_integer(report, "changes", (int64_t)info->changes);
  thud_report_integer(report, "jumps", (int64_t)info->jumps);
  thud_report_integer(report, "nodes", made->built.view.nodes);
  thud_report_integer(report, "elements", made->built.view.elements);
  thud_report_integer(report, "unknowns", thud_solid_get(made->built.solid).unknowns);
  thud_report_integer(report, "contacts", made->built.touch.contacts);
  thud_report_number(report, "worst_residual", info->worst_residual);
  thud_report_line(report, "residual", "%.3g (worst, at t = %.6g)", info->worst_residual, info->worst_residual_time);
  if (!isnan(info->error_estimate))
    thud_report_line(report, "error",
                     "about %.3g (increments against parts of them, summed up), largest displacement %.3g",
                     info->error_estimate, info->largest_motion);
  thud_report_line(report, "at the end", "largest displacement %.6g, von Mises stress %.6g", figures[2], figures[3]);
  if (made->built.touch.contacts > 0)
    thud_report_line(report, "contact", "normal force %.6g on an area of %.6g, %td points of contact", figures[0],
                     figures[1], (ptrdiff_t)made->built.touch.contacts);
  if (made->built.d == 2)
    thud_report_line(report, "supports", "carry (%.6g, %.6g)", figures[4], figures[5]);
  else
    thud_report_line(report, "supports", "carry (%.6g, %.6g, %.6g)", figures[4], figures[5], figures[6]);
}

static void report(const void *motion, thud_report *report) {
  const elastic_solid *made = motion;
  const thud_quasistatic_motion_info info = thud_quasistatic_motion_get_info(made->object.motion);
  const double *ledger = made->found + 1;
  thud_report_method(report, "%zu steps", info.steps);
  report_figures(made, &info, report);
  thud_report_line(report, "energy", "stored %.6g, work of loads and supports %.6g, defect %.3g", ledger[0], ledger[1],
                   ledger[5]);
  if (made->built.touch.contacts > 0) {
    thud_report_line(report, "losses", "friction %.6g, jumps and steps %.6g", ledger[2], ledger[3] - ledger[4]);
    thud_report_line(report, "changes", "%zu of mode, %zu jumps (%zu of the load)", info.changes, info.jumps,
                     info.load_jumps);
  }
  warn_locking(made, report);
  if (info.ambiguous > 0)
    thud_report_warning(
        report, info.first_fork, "not-unique",
        "the next state was not unique at %zu node%s, with up to %zu solutions; the run stays in its modes where it "
        "can, sticks before it slips and slips before it opens",
        info.ambiguous, thud_plural(info.ambiguous), info.most_solutions);
  if (info.unexamined_modes > 0)
    thud_report_warning(
        report, info.unexamined_modes_time, "unexamined-modes",
        "more contacts than simulate.enumerate_up_to had a choice of modes, %zu time%s (first at t = %.10g): the "
        "motion is consistent, whether it is the only one was not examined",
        info.unexamined_modes, thud_plural(info.unexamined_modes), info.unexamined_modes_time);
  if (info.jumps > info.load_jumps)
    thud_report_warning(report, info.first_jump, "jump",
                        "no continuous motion goes on at %zu time%s, where the state jumps to another equilibrium",
                        info.jumps - info.load_jumps, thud_plural(info.jumps - info.load_jumps));
  if (is_coarse(made, &info))
    thud_report_warning(
        report, info.time, "coarse",
        "the error of the increments is estimated at %.3g, the largest displacement is %.3g: take more steps "
        "(simulate.steps), or let simulate.error_tolerance divide them",
        info.error_estimate, info.largest_motion);
  thud_report_events(report, 12);
}

static thud_error check(const void *motion, thud_report *report) {
  const elastic_solid *made = motion;
  const solid_scene *built = &made->built;
  const thud_solid_view view = thud_solid_get(built->solid);
  static const char *const names[] = {"plane strain", "plane stress", "axisymmetric", "in space"};
  double m = (double)built->touch.contacts * built->touch.dimension;
  thud_report_line(report, "kind", "elastic solid, %s, %d element%s of order %d, %d nodes, %d unknowns",
                   names[built->kinematics], (int)built->view.elements, thud_plural((size_t)built->view.elements),
                   (int)built->view.order, (int)built->view.nodes, (int)view.unknowns);
  thud_report_line(report, "memory", "%.3g MB or more for the stiffness and its factor, %.3g MB for the contacts",
                   view.lower_memory / 1e6, 5 * m * m * sizeof(double) / 1e6);
  thud_report_line(report, "contacts", "%d%s", (int)built->touch.contacts,
                   built->touch.contacts == 0    ? ": linear"
                   : built->touch.dimension == 1 ? " without friction"
                                                 : " with friction");
  thud_report_integer(report, "unknowns", view.unknowns);
  thud_report_integer(report, "contacts", built->touch.contacts);
  warn_locking(made, report);
  thud_report_line(report, "run", "%s, %d steps, t = %g to %g", method(motion), (int)built->scene->steps,
                   built->scene->start, built->scene->end);
  return THUD_OK;
}

const thud_kind thud_kind_solid = {.name = "solid",
                                   .section = "solid",
                                   .options = thud_solid_keys,
                                   .take_files = thud_solid_scene_take_files,
                                   .resolve = thud_solid_scene_resolve,
                                   .build = build,
                                   .build_view = build_view,
                                   .destroy = destroy,
                                   .method = method,
                                   .layout = layout,
                                   .advance = advance,
                                   .finish = finish,
                                   .report = report,
                                   .check = check,
                                   .takes_findings = takes_findings,
                                   .mesh = mesh,
                                   .draw = draw};
