/* NULL where a pointer is required is THUD_ERROR_ARGUMENT, never a crash: every public function, by generated calls. */
#include "null/objects.h"
#include "scratch_folder.h"
#include "testing.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROOM = 1 << 20, NUMBERS = 4096, ACCEPTED = 100 };

static null_objects objects;

#define GOOD(call)                                                                                                     \
  do {                                                                                                                 \
    if ((call) != THUD_OK) fail_msg("%s", thud_context_last_message(objects.context));                                 \
  } while (0)

static const double one_matrix[] = {1}, one_zero[] = {0};
static double numbers[NUMBERS];
static thud_index starts[] = {0, 1}, places[] = {0};
static double entry[] = {2};
static const char *const names[] = {"x", NULL};

static int constant_function(void *user, double t, thud_side side, double *out) {
  (void)user, (void)t, (void)side;
  *out = 1;
  return 0;
}

static void make_base(null_objects *o) {
  static thud_random random;
  static thud_regulated regulated = {.dimension = 1, .evaluate = constant_function};
  static const double coefficient[] = {1};
  random = thud_random_seed(1);
  o->context = thud_test_context(1);
  o->option_table = thud_solver_option_table();
  o->option_key = o->option_table->keys;
  o->random = &random;
  o->regulated = &regulated;
  GOOD(thud_piecewise_create(o->context, 1, 0, 0, NULL, coefficient, NULL, &o->piecewise));
  for (size_t k = 0; k < NUMBERS; k++) numbers[k] = 1;
  o->numbers = numbers;
  o->names = names;
  o->file = tmpfile();
  for (size_t k = 0; k < 12; k++) assert_non_null(o->rooms[k] = calloc(1, ROOM));
  o->room = o->rooms[0];
}

static void make_algebra(null_objects *o) {
  static thud_sparse sparse = {.rows = 1, .columns = 1, .column_start = starts, .row = places, .value = entry};
  static thud_bsr bsr = {1, 1, 1, 1, starts, places, entry};
  static thud_matrix matrix = {.storage = THUD_MATRIX_DENSE, .rows = 1, .columns = 1, .dense = one_matrix};
  o->sparse = &sparse;
  o->bsr = &bsr;
  o->matrix = &matrix;
  GOOD(thud_metric_create(o->context, 1, one_matrix, &o->metric));
  GOOD(thud_factor_create(o->context, &sparse, THUD_FACTOR_CHOLESKY, &o->factor));
  GOOD(thud_polyhedron_projector_create(o->context, 1, 4, &o->polyhedron_projector));
  GOOD(thud_lemke_create(o->context, 1, &o->lemke));
}

static void make_elastic(null_objects *o) {
  static const thud_half_plane_material material = {.modulus = 1};
  static const double edges[] = {0, 1, 2}, gap[] = {0, 0};
  GOOD(thud_half_plane_create(o->context, &material, 2, edges, 0, &o->half_plane));
  GOOD(thud_punch_create(o->half_plane, gap, NULL, &o->punch));
}

static void make_expressions(null_objects *o) {
  thud_index slot;
  thud_expr_value value;
  GOOD(thud_expr_scope_create(o->context, &o->expr_scope));
  GOOD(thud_expr_scope_add_variable(o->expr_scope, "t", &slot));
  GOOD(thud_expr_compile(o->context, o->expr_scope, "abs(t)", NULL, &o->expr));
  GOOD(thud_expr_graph_create(o->context, o->expr_scope, &o->expr_graph));
  GOOD(thud_expr_graph_add(o->expr_graph, "abs(t)", NULL, &value));
  GOOD(thud_expr_program_create(o->expr_graph, 1, &value, &o->expr_program));
  GOOD(thud_expr_work_create(o->context, o->expr_program, 2, &o->expr_work));
}

static void make_contact(null_objects *o) {
  static thud_contact_problem problem = {.form = THUD_FORM_LOCAL, .dimension = 1, .contacts = 1, .q = one_matrix};
  static thud_contact_scaling scaling = {1, 1};
  static thud_solver_options options;
  problem.W = *o->matrix;
  options = thud_solver_options_default();
  o->contact_problem = &problem;
  o->contact_scaling = &scaling;
  o->solver_options = &options;
  o->solver_method = thud_solver_method_at(0);
  GOOD(thud_contact_evaluator_create(o->context, &problem, &o->contact_evaluator));
  GOOD(thud_contact_copy(o->context, &problem, &o->owned_problem));
  GOOD(thud_solver_create(o->context, NULL, &problem, &options, &o->solver));
  GOOD(thud_force_set_create(o->context, &problem, one_zero, one_matrix, NULL, &o->force_set));
  GOOD(thud_compare_create(o->context, NULL, &o->compare));
}

static void make_sweeping(null_objects *o) {
  static thud_moving_set moving;
  static thud_sweep_problem problem;
  static thud_sweep_options options;
  options = thud_sweep_options_default();
  GOOD(thud_set_interval(o->context, -1, 1, &o->set));
  thud_set *law = NULL;
  GOOD(thud_set_interval(o->context, -1, 1, &law));
  GOOD(thud_composition_create(o->context, 1, 1, 1, &law, &o->composition));
  moving.set = o->set;
  problem.set = moving;
  problem.initial = one_zero;
  o->moving_set = &moving;
  o->sweep_problem = &problem;
  o->sweep_options = &options;
  GOOD(thud_partition_uniform(o->context, 0, 1, 2, 0, NULL, &o->partition));
  GOOD(thud_sweep_motion_create(o->context, THUD_SWEEP_CATCHING_UP, &problem, o->partition, &options, &o->motion));
}

static int no_data(void *user, double t, thud_side side, thud_line_data *data) {
  (void)user, (void)t, (void)side, (void)data;
  return 0;
}

static void make_lines(null_objects *o) {
  static const double nodes[] = {0, .5, 1};
  static thud_line_definition definition = {
      .kind = THUD_LINE_BEAM, .nodes = 3, .x = nodes, .stiffness = 1, .extension = 1};
  static thud_line_problem problem = {.data = no_data};
  GOOD(thud_line_create(o->context, &definition, &o->line));
  problem.line = o->line;
  o->line_definition = &definition;
  o->line_problem = &problem;
}

static int no_surface_data(void *user, double t, thud_side side, thud_surface_data *data) {
  (void)user, (void)t, (void)side, (void)data;
  return 0;
}

static void make_surfaces(null_objects *o) {
  static const double corners_at[] = {0, 0, 1, 0, 0, 1};
  static const thud_index corners[] = {0, 1, 2}, ends[] = {0, 1}, group[] = {0};
  static const char *const side_names[] = {"side"};
  static const thud_support held[] = {THUD_SUPPORT_HELD};
  static thud_mesh_definition mesh = {.nodes = 3,
                                      .xy = corners_at,
                                      .triangles = 1,
                                      .triangle = corners,
                                      .edges = 1,
                                      .edge = ends,
                                      .edge_group = group,
                                      .groups = 1,
                                      .group_names = side_names};
  static thud_surface_definition surface = {.stiffness = 1, .stretch = 1, .supports = held, .in_plane = held};
  static thud_surface_problem problem = {.data = no_surface_data};
  GOOD(thud_mesh_create(o->context, &mesh, &o->mesh));
  surface.mesh = o->mesh;
  GOOD(thud_surface_create(o->context, &surface, &o->surface));
  problem.surface = o->surface;
  o->mesh_definition = &mesh;
  o->surface_definition = &surface;
  o->surface_problem = &problem;
}

/* A triangle that stands on its lower side. */
static void make_solids(null_objects *o) {
  static const double corner_places[] = {0, 0, 1, 0, 0, 1};
  static const thud_index triangle[] = {0, 1, 2}, element_group[] = {0}, lower[] = {0, 1}, lower_group[] = {1};
  static const thud_index dimensions[] = {2, 1};
  static const char *const group_names[] = {"body", "bottom"};
  static const thud_solid_material materials[] = {{.young = 1, .poisson = 0.25}, {.young = 1}};
  static thud_solid_mesh_definition mesh = {.dimension = 2,
                                            .order = 1,
                                            .nodes = 3,
                                            .place = corner_places,
                                            .elements = 1,
                                            .element = triangle,
                                            .element_group = element_group,
                                            .sides = 1,
                                            .side = lower,
                                            .side_group = lower_group,
                                            .groups = 2,
                                            .group_names = group_names,
                                            .group_dimension = dimensions};
  static thud_solid_definition solid = {.thickness = 1, .materials = materials};
  static thud_solid_obstacle floor = {.group = 1, .direction = {0, 1}, .mu = 0.5};
  GOOD(thud_solid_mesh_create(o->context, &mesh, &o->solid_mesh));
  solid.mesh = o->solid_mesh;
  GOOD(thud_solid_create(o->context, &solid, &o->solid));
  GOOD(thud_solid_contacts_create(o->solid, 1, &floor, true, 1e-9, &o->solid_contacts));
  o->solid_mesh_definition = &mesh;
  o->solid_definition = &solid;
  o->solid_obstacle = &floor;
}

static void make_system(null_objects *o) {
  static thud_stepping_options stepping;
  static thud_event_options events;
  static thud_percussion_options percussion;
  const double *q, *v;
  char path[512];
  snprintf(path, sizeof path, "%s/examples/dynamics/bouncing-particle.yaml", getenv("THUD_SOURCE_DIR"));
  GOOD(thud_tree_read_file(o->context, path, &o->tree));
  o->node = thud_tree_root(o->tree);
  GOOD(thud_scene_build(o->context, o->tree, &o->scene));
  o->system = thud_scene_system(o->scene, &q, &v);
  assert_non_null(o->system);
  stepping = thud_stepping_options_default();
  stepping.end = 1;
  stepping.steps = 10;
  events = thud_event_options_default();
  events.end = 1;
  percussion = thud_percussion_options_default();
  o->stepping_options = &stepping;
  o->event_options = &events;
  o->percussion_options = &percussion;
  GOOD(thud_system_values_create(o->context, o->system, &o->system_values));
  GOOD(thud_percussion_create(o->context, o->system, &percussion, &o->percussion));
  GOOD(thud_stepping_motion_create(o->context, o->system, &stepping, q, v, &o->stepping_motion));
  GOOD(thud_event_motion_create(o->context, o->system, &events, q, v, &o->event_motion));
  GOOD(thud_rows_create_stepping(o->context, o->system, NULL, &o->rows));
  o->record_layout = thud_rows_layout(o->rows);
}

static void make_bodies(null_objects *o) {
  thud_shape_def ball = thud_shape_def_default(THUD_SHAPE_SPHERE);
  thud_surface_law law = thud_surface_law_default();
  thud_body_def def = thud_body_def_default();
  thud_part_def part = thud_part_def_default();
  thud_body_id id;
  thud_index number;
  ball.radius = part.density = 1;
  GOOD(thud_shape_create(o->context, &ball, &o->shape));
  GOOD(thud_broad_phase_create(o->context, &o->broad_phase));
  GOOD(thud_bodies_create(o->context, NULL, &o->bodies));
  for (int k = 0; k < 2; k++) { /* numbers 0 and 1 are asked for */
    GOOD(thud_bodies_add_shape(o->bodies, &ball, &number));
    GOOD(thud_bodies_add_material(o->bodies, NULL, &law, &number));
    def.pose.position.x = 3 * k;
    GOOD(thud_bodies_add(o->bodies, &def, &id));
    GOOD(thud_bodies_attach(o->bodies, id, &part));
  }
  thud_body_motion_options options = thud_body_motion_options_default();
  GOOD(thud_body_motion_create(o->context, o->bodies, &options, &o->body_motion));
  for (int k = 0; k < 2; k++) /* the start, and a step */
    GOOD(thud_motion_step(o->body_motion, NULL, NULL));
}

static void make_record(null_objects *o) {
  const char *path = thud_test_path("null.h5");
  thud_record_writer *writer;
  thud_record_options options = thud_record_options_default();
  thud_run_options run = thud_run_options_default();
  options.overwrite = true;
  GOOD(thud_record_create(o->context, path, &options, NULL, o->record_layout, &writer));
  thud_rows_set_sink(o->rows, thud_record_row_sink(writer));
  GOOD(thud_motion_run(o->stepping_motion, &(thud_motion_sink){.frame = thud_rows_step, .user = o->rows}, NULL));
  GOOD(thud_record_close(writer, "good", NULL, NULL));
  GOOD(thud_record_open(o->context, path, &o->record_reader));
  GOOD(thud_record_sampler_create(o->record_reader, 0, NULL, &o->record_sampler));
  const char *open = thud_test_path("null-open.h5");
  GOOD(thud_record_create(o->context, open, &options, NULL, o->record_layout, &o->record_writer));
  GOOD(thud_vtk_series_create(o->context, thud_test_path("null.pvd"), true, &o->vtk_series));
  GOOD(thud_run_create(o->scene, &run, &o->run));
}

/* 0: as it should be; otherwise what the child found. */
static int run_case(const null_case *c) {
  fflush(NULL);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS}; /* not those of cmocka */
    for (size_t k = 0; k < sizeof signals / sizeof signals[0]; k++) signal(signals[k], SIG_DFL);
    alarm(20);
    int error = c->call(&objects);
    _exit(c->refused && error != THUD_ERROR_ARGUMENT ? ACCEPTED : 0);
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  return status;
}

static void no_call_with_a_null_crashes(void **state) {
  (void)state;
  size_t crashed = 0, accepted = 0, refused = 0;
  make_base(&objects);
  make_algebra(&objects);
  make_elastic(&objects);
  make_expressions(&objects);
  make_contact(&objects);
  make_sweeping(&objects);
  make_lines(&objects);
  make_surfaces(&objects);
  make_solids(&objects);
  make_system(&objects);
  make_bodies(&objects);
  make_record(&objects);
  for (size_t k = 0; k < null_case_count; k++) {
    const null_case *c = &null_cases[k];
    int status = run_case(c);
    refused += c->refused;
    if (WIFSIGNALED(status)) {
      crashed++;
      print_error("%s: signal %d when NULL: %s\n", c->function, WTERMSIG(status), c->null);
    } else if (WEXITSTATUS(status) != 0) {
      accepted++;
      print_error("%s: no THUD_ERROR_ARGUMENT when NULL: %s (status %d)\n", c->function, c->null, WEXITSTATUS(status));
    }
  }
  print_message("%zu calls, %zu must be refused; %zu crashed, %zu were not refused\n", null_case_count, refused,
                crashed, accepted);
  assert_true(null_case_count > 800);
  assert_int_equal(crashed, 0);
  assert_int_equal(accepted, 0);
}

static void the_message_names_the_function_and_the_argument(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_contact_problem problem = {.dimension = 1};
  assert_int_equal(thud_contact_evaluate(context, &problem, NULL, NULL, NULL, NULL, NULL), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "thud_contact_evaluate: residual is NULL; it is required", NULL);
  assert_int_equal(thud_set_ball(context, 1, NULL, 1, NULL), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "thud_set_ball: centre is NULL", NULL);
  thud_test_context_end(context);
}

/* The objects of the calls live as long as the process; what they and their children leave is not the question here. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "detect_leaks=0"; }

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(no_call_with_a_null_crashes, thud_test_folder_make, thud_test_folder_remove),
      cmocka_unit_test(the_message_names_the_function_and_the_argument)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
