/* Writes the collection of this folder: generate FOLDER. The problems come from the families that the tests use
 * (test/support/random_problems.h), with fixed seeds; the known answers are stored with them. */
#include "random_problems.h"
#include "thud/problem.h"

#include <stdio.h>
#include <string.h>

typedef struct maker {
  thud_context *context;
  const char *folder;
  thud_random random;
  int failures;
} maker;

/* ---- families ------------------------------------------------------------------------------------------------- */

static thud_error lcp_unique(maker *m, thud_test_problem *made) {
  return thud_test_lcp_p_matrix(m->context, &m->random, 6, made);
}

static thud_error lcp_several(maker *m, thud_test_problem *made) { return thud_test_lcp_several(m->context, 2, made); }

static thud_error lcp_none(maker *m, thud_test_problem *made) {
  return thud_test_lcp_infeasible(m->context, &m->random, 4, made);
}

static thud_error mlcp(maker *m, thud_test_problem *made) {
  thud_test_shape shape = thud_test_shape_of(1, 5);
  return thud_test_flexible_global(m->context, &m->random, &shape, 16, 2, 0, made);
}

static thud_error klarbring(maker *m, thud_test_problem *made) {
  return thud_test_klarbring(m->context, 0.75, 2, 1, 3, made);
}

static thud_error painleve_rod(maker *m, thud_test_problem *made) {
  return thud_test_painleve_rod(m->context, 1.1071487177940904, 2, -1, -10, made); /* tan = 2 */
}

static thud_error friction_2d(maker *m, thud_test_problem *made) {
  thud_test_shape shape = thud_test_shape_of(2, 8);
  return thud_test_random_local(m->context, &m->random, &shape, THUD_MATRIX_DENSE, made);
}

static thud_error friction_3d(maker *m, thud_test_problem *made) {
  thud_test_shape shape = thud_test_shape_of(3, 4);
  return thud_test_random_local(m->context, &m->random, &shape, THUD_MATRIX_DENSE, made);
}

static thud_error friction_3d_blocks(maker *m, thud_test_problem *made) {
  thud_test_shape shape = thud_test_shape_of(3, 20);
  return thud_test_random_local(m->context, &m->random, &shape, THUD_MATRIX_BLOCKS, made);
}

static thud_error friction_3d_sparse(maker *m, thud_test_problem *made) {
  thud_test_shape shape = thud_test_shape_of(3, 20);
  return thud_test_random_local(m->context, &m->random, &shape, THUD_MATRIX_SPARSE, made);
}

static thud_error friction_3d_global(maker *m, thud_test_problem *made) {
  thud_test_shape shape = thud_test_shape_of(3, 10);
  return thud_test_random_rigid_global(m->context, &m->random, &shape, made);
}

static thud_error flexible_bar(maker *m, thud_test_problem *made) {
  thud_test_shape shape = thud_test_shape_of(3, 4);
  return thud_test_flexible_global(m->context, &m->random, &shape, 24, 2, 0, made);
}

static thud_error laws_2d(maker *m, thud_test_problem *made) {
  thud_test_shape shape = thud_test_shape_of(2, 6);
  shape.law = THUD_TEST_MIXED_LAWS;
  return thud_test_random_local(m->context, &m->random, &shape, THUD_MATRIX_DENSE, made);
}

static thud_error laws_3d(maker *m, thud_test_problem *made) {
  thud_test_shape shape = thud_test_shape_of(3, 6);
  shape.law = THUD_TEST_MIXED_LAWS;
  return thud_test_random_two_block(m->context, &m->random, &shape, made);
}

static thud_error rolling(maker *m, thud_test_problem *made) {
  thud_test_shape shape = thud_test_shape_of(5, 3);
  return thud_test_random_local(m->context, &m->random, &shape, THUD_MATRIX_DENSE, made);
}

static thud_error rolling_global(maker *m, thud_test_problem *made) {
  thud_test_shape shape = thud_test_shape_of(5, 4);
  return thud_test_random_rigid_global(m->context, &m->random, &shape, made);
}

static thud_error spinning(maker *m, thud_test_problem *made) {
  thud_test_shape shape = thud_test_shape_of(4, 3);
  return thud_test_random_local(m->context, &m->random, &shape, THUD_MATRIX_DENSE, made);
}

static thud_error rolling_spinning(maker *m, thud_test_problem *made) {
  thud_test_shape shape = thud_test_shape_of(6, 3);
  return thud_test_random_two_block(m->context, &m->random, &shape, made);
}

static thud_error plane_rolling(maker *m, thud_test_problem *made) {
  thud_test_shape shape = thud_test_shape_of(THUD_TEST_PLANE_ROLLING, 5);
  return thud_test_random_local(m->context, &m->random, &shape, THUD_MATRIX_DENSE, made);
}

static thud_error pile(maker *m, thud_test_problem *made) {
  const thud_test_pile lattice = {.nx = 3, .ny = 3, .nz = 3, .dimension = 3, .mu = 0.3, .mass_ratio = 1, .noise = 0.01};
  return thud_test_pile_of_spheres(m->context, &m->random, &lattice, made);
}

static thud_error rolling_pile(maker *m, thud_test_problem *made) {
  const thud_test_pile lattice = {
      .nx = 2, .ny = 2, .nz = 2, .dimension = 5, .mu = 0.3, .mu_rolling = 0.05, .mass_ratio = 1, .noise = 0.01};
  return thud_test_pile_of_spheres(m->context, &m->random, &lattice, made);
}

static thud_error table(maker *m, thud_test_problem *made) {
  const thud_test_pile one = {.nz = 1, .dimension = 3, .mu = 0.5, .mass_ratio = 1};
  return thud_test_stack_of_boxes(m->context, &m->random, &one, made);
}

static thud_error heavy_on_light(maker *m, thud_test_problem *made) {
  const thud_test_pile stack = {.nz = 4, .dimension = 3, .mu = 0.5, .mass_ratio = 1000};
  return thud_test_stack_of_boxes(m->context, &m->random, &stack, made);
}

/* ---- one body at rest, global form: forces that the motion does not determine ---------------------------------------- */

static thud_error one_body(maker *m, thud_index dimension, thud_index contacts, thud_index ndof, const double *mass,
                           const double *H, const double *f, const double *mu, thud_test_problem *made) {
  const thud_matrix M = {.storage = THUD_MATRIX_DENSE, .rows = ndof, .columns = ndof, .dense = mass};
  const thud_matrix directions = {
      .storage = THUD_MATRIX_DENSE, .rows = ndof, .columns = dimension * contacts, .dense = H};
  const thud_contact_problem problem = {.form = THUD_FORM_GLOBAL,
                                        .dimension = dimension,
                                        .contacts = contacts,
                                        .mu = mu,
                                        .M = M,
                                        .H = directions,
                                        .f = f};
  thud_error error = thud_contact_copy(m->context, &problem, &made->owned);
  if (error == THUD_OK) made->problem = thud_owned_problem_view(made->owned);
  return error;
}

/* Height and angle; supports at -1, 0 and 1, the load 8 at 1/4. */
static thud_error beam(maker *m, thud_test_problem *made) {
  const double mass[4] = {1, 0, 0, 0.5}, H[6] = {1, -1, 1, 0, 1, 1}, f[2] = {-8, -2};
  return one_body(m, 1, 3, 2, mass, H, f, NULL, made);
}

/* Two coordinates; a wall on either side and a floor, no friction. */
static thud_error wedged(maker *m, thud_test_problem *made) {
  const double mass[4] = {1, 0, 0, 1}, H[6] = {1, 0, -1, 0, 0, 1}, f[2] = {0, -5};
  return one_body(m, 1, 3, 2, mass, H, f, NULL, made);
}

/* Two coordinates and the angle; walls at -1 and 1 with friction, weight 3. */
static thud_error walls(maker *m, thud_test_problem *made) {
  const double mass[9] = {1, 0, 0, 0, 1, 0, 0, 0, 0.5}, f[3] = {0, -3, 0}, mu[2] = {0.4, 0.4};
  const double H[12] = {1, 0, 0, 0, 1, -1, -1, 0, 0, 0, 1, 1};
  return one_body(m, 2, 2, 3, mass, H, f, mu, made);
}

/* ---- Siconos' text, which the library reads but does not write ------------------------------------------------ */

static void print_values(FILE *stream, size_t count, const double *values) {
  for (size_t k = 0; k < count; k++) fprintf(stream, "%s%.17g", k > 0 ? " " : "", values[k]);
  fprintf(stream, "\n");
}

static void print_siconos_blocks(FILE *stream, const thud_bsr *W) {
  int count = (int)W->row_start[W->block_rows], d = (int)W->rows_per_block;
  fprintf(stream, "%d\n%d\n%d\n", count, (int)W->block_rows, (int)W->block_columns);
  for (int k = 1; k <= W->block_rows; k++) fprintf(stream, "%d%c", d * k, k == W->block_rows ? '\n' : '\t');
  for (int k = 1; k <= W->block_columns; k++) fprintf(stream, "%d%c", d * k, k == W->block_columns ? '\n' : '\t');
  fprintf(stream, "%d\n%d\n", (int)W->block_rows + 1, count);
  for (int k = 0; k <= W->block_rows; k++) fprintf(stream, "%d\t", (int)W->row_start[k]);
  fprintf(stream, "\n");
  for (int k = 0; k < count; k++) fprintf(stream, "%d\t", (int)W->block_column[k]);
  fprintf(stream, "\n");
  for (int k = 0; k < count; k++) {
    fprintf(stream, "%d\n", k);
    print_values(stream, (size_t)d * (size_t)d, W->values + (size_t)k * (size_t)d * (size_t)d);
  }
}

static void print_siconos_columns(FILE *stream, const thud_sparse *A) {
  int count = (int)A->column_start[A->columns];
  fprintf(stream, "2\nCSparse\n%d-by-%d, nzmax: %d nnz: %d, 1-norm: 1\n", (int)A->rows, (int)A->columns, count, count);
  for (thud_index j = 0; j < A->columns; j++) {
    fprintf(stream, "    col %d : locations %d to %d\n", (int)j, (int)A->column_start[j],
            (int)A->column_start[j + 1] - 1);
    for (thud_index k = A->column_start[j]; k < A->column_start[j + 1]; k++)
      fprintf(stream, "      %d : %.17g\n", (int)A->row[k], A->value[k]);
  }
}

static void print_siconos_triplets(FILE *stream, const thud_sparse *A) {
  int count = (int)A->column_start[A->columns];
  fprintf(stream, "1\nCSparse\ntriplet: %d-by-%d, nzmax: %d nnz: %d\n", (int)A->rows, (int)A->columns, count, count);
  for (thud_index j = 0; j < A->columns; j++)
    for (thud_index k = A->column_start[j]; k < A->column_start[j + 1]; k++)
      fprintf(stream, "    %d %d : %.17g\n", (int)A->row[k], (int)j, A->value[k]);
}

static void print_siconos_matrix(FILE *stream, const thud_matrix *A, bool triplets) {
  int storage = A->storage == THUD_MATRIX_DENSE ? 0 : A->storage == THUD_MATRIX_BLOCKS ? 1 : 2;
  fprintf(stream, "%d\n%d\n%d\n", storage, (int)A->rows, (int)A->columns);
  if (storage == 0) {
    fprintf(stream, "%d\t%d\n", (int)A->rows, (int)A->columns);
    print_values(stream, (size_t)A->rows * (size_t)A->columns, A->dense);
  } else if (storage == 1) {
    print_siconos_blocks(stream, &A->blocks);
  } else if (triplets) {
    print_siconos_triplets(stream, &A->sparse);
  } else {
    print_siconos_columns(stream, &A->sparse);
  }
}

static bool write_siconos(const char *path, const thud_contact_problem *p) {
  FILE *stream = fopen(path, "w");
  size_t size = thud_contact_size(p), contacts = (size_t)p->contacts;
  if (stream == NULL) return false;
  fprintf(stream, "%d\n%d\n", (int)p->dimension, (int)p->contacts);
  if (p->form == THUD_FORM_LOCAL) {
    print_siconos_matrix(stream, &p->W, false);
    print_values(stream, size, p->q);
  } else {
    print_siconos_matrix(stream, &p->M, true);
    print_siconos_matrix(stream, &p->H, false);
    print_values(stream, thud_contact_ndof(p), p->f);
    print_values(stream, size, p->w);
  }
  print_values(stream, contacts, p->mu);
  if (p->mu_rolling != NULL) print_values(stream, contacts, p->mu_rolling);
  fprintf(stream, "1\n");
  return fclose(stream) == 0;
}

/* ---- the collection -------------------------------------------------------------------------------------------- */

typedef enum form_change { AS_IT_IS, TO_LOCAL, TO_GLOBAL } form_change;

typedef struct entry {
  const char *file;
  const char *title;
  thud_error (*make)(maker *m, thud_test_problem *made);
  form_change change;
} entry;

static const entry entries[] = {
    {"lcp-unique.yaml", "LCP with a P-matrix: one solution", lcp_unique, AS_IT_IS},
    {"lcp-several.yaml", "LCP with nine solutions", lcp_several, AS_IT_IS},
    {"lcp-none.yaml", "LCP without a solution", lcp_none, AS_IT_IS},
    {"mlcp.yaml", "Mixed LCP: normal contacts of an elastic bar with two bilateral rows", mlcp, TO_LOCAL},
    {"klarbring.yaml", "Klarbring's two degrees of freedom: open, stick and slip at once", klarbring, AS_IT_IS},
    {"painleve-contact.yaml", "Painleve's rod: impact without collision", painleve_rod, AS_IT_IS},
    {"friction-2d.h5", "2D friction, 8 contacts", friction_2d, AS_IT_IS},
    {"friction-2d.dat", "2D friction, dense, Siconos' text", friction_2d, AS_IT_IS},
    {"friction-3d.yaml", "3D friction, 4 contacts, everything in one file", friction_3d, AS_IT_IS},
    {"friction-3d-blocks.yaml", "3D friction, W by blocks in a Matrix Market file", friction_3d_blocks, AS_IT_IS},
    {"friction-3d-blocks.dat", "3D friction, sparse blocks, Siconos' text", friction_3d_blocks, AS_IT_IS},
    {"friction-3d-sparse.h5", "3D friction, sparse W", friction_3d_sparse, AS_IT_IS},
    {"friction-3d-global.h5", "3D friction of rigid bodies, global form", friction_3d_global, AS_IT_IS},
    {"friction-3d-global.dat", "3D friction, global form, Siconos' text", friction_3d_global, AS_IT_IS},
    {"flexible-bar.h5", "Step of an elastic bar: friction and bilateral rows, global form", flexible_bar, AS_IT_IS},
    {"laws-2d.yaml", "2D friction with intervals that are not symmetric", laws_2d, AS_IT_IS},
    {"laws-3d.yaml", "3D friction with ellipses and polygons, two-block form", laws_3d, AS_IT_IS},
    {"rolling.yaml", "Rolling friction, local form", rolling, AS_IT_IS},
    {"rolling.dat", "Rolling friction, Siconos' text", rolling, AS_IT_IS},
    {"rolling-global.h5", "Rolling friction, global form", rolling_global, AS_IT_IS},
    {"pile.yaml", "27 spheres on a lattice, two-block form", pile, AS_IT_IS},
    {"pile-local.h5", "The same kind of pile, local form", pile, TO_LOCAL},
    {"rolling-pile.h5", "8 rolling spheres, global form", rolling_pile, TO_GLOBAL},
    {"table.yaml", "A table on four legs: the forces are indeterminate, the motion is not", table, AS_IT_IS},
    {"beam.yaml", "A beam on three supports: the forces are indeterminate, the motion is not", beam, AS_IT_IS},
    {"wedged.yaml", "A block between two walls: they may press without bound", wedged, AS_IT_IS},
    {"walls.yaml", "A block between two walls with friction: it falls, or is held", walls, AS_IT_IS},
    {"heavy-on-light.yaml", "Four boxes, the top one 1000 times the bottom one", heavy_on_light, AS_IT_IS},
    {"spinning.yaml", "Spinning friction, local form", spinning, AS_IT_IS},
    {"rolling-spinning.yaml", "Rolling and spinning friction, two-block form", rolling_spinning, AS_IT_IS},
    {"plane-rolling.yaml", "Rolling friction in the plane, local form", plane_rolling, AS_IT_IS},
};

static thud_error change_form(maker *m, form_change change, thud_problem_contents *contents,
                              thud_owned_problem **changed) {
  if (change == AS_IT_IS) return THUD_OK;
  thud_error error = change == TO_LOCAL
                         ? thud_contact_to_local(m->context, contents->problem, THUD_MATRIX_NONE, changed)
                         : thud_contact_to_global(m->context, contents->problem, changed);
  if (error != THUD_OK) return error;
  contents->problem = thud_owned_problem_view(*changed);
  if (change == TO_LOCAL) contents->solution.v = NULL;
  return THUD_OK;
}

static thud_error write_contents(maker *m, const entry *e, const thud_problem_contents *contents) {
  char path[1024];
  const char *ending = strrchr(e->file, '.');
  if (snprintf(path, sizeof path, "%s/%s", m->folder, e->file) >= (int)sizeof path) return THUD_ERROR_ARGUMENT;
  if (strcmp(ending, ".dat") == 0) return write_siconos(path, contents->problem) ? THUD_OK : THUD_ERROR_FILE;
  thud_problem_format format = strcmp(ending, ".h5") == 0 ? THUD_PROBLEM_FORMAT_FCLIB : THUD_PROBLEM_FORMAT_NATIVE;
  return thud_problem_write(m->context, path, format, contents, true);
}

static void make_one(maker *m, const entry *e) {
  thud_test_problem made = {0};
  thud_owned_problem *changed = NULL;
  thud_contact_residual residual = {0};
  m->random = thud_random_seed(2026);
  thud_error error = e->make(m, &made);
  thud_problem_contents contents = {.problem = made.problem, .title = e->title};
  contents.description = "Made by examples/problems/generate.c of thud";
  contents.math_info = made.r != NULL ? "the stored solution is exact to rounding" : "no solution is stored";
  if (made.r != NULL) contents.solution = (thud_problem_solution){made.v, made.u, made.r, made.l};
  if (error == THUD_OK) error = change_form(m, e->change, &contents, &changed);
  if (error == THUD_OK) error = write_contents(m, e, &contents);
  if (error == THUD_OK && made.r != NULL)
    error = thud_contact_evaluate(m->context, contents.problem, made.r, contents.solution.v, made.l, NULL, &residual);
  if (error == THUD_OK)
    printf("%-26s %-34s %3d contacts  residual %s%.1e\n", e->file, thud_contact_kind_name(contents.problem),
           (int)contents.problem->contacts, made.r == NULL ? "(none stored) " : "", residual.residual);
  else
    fprintf(stderr, "%s: %s: %s\n", e->file, thud_error_name(error), thud_context_last_message(m->context));
  m->failures += error != THUD_OK;
  thud_owned_problem_destroy(changed);
  thud_test_problem_destroy(&made);
}

int main(int argc, char **argv) {
  maker m = {.folder = argc == 2 ? argv[1] : NULL};
  if (m.folder == NULL) {
    fprintf(stderr, "usage: generate FOLDER\n");
    return 2;
  }
  if (thud_context_create(NULL, &m.context) != THUD_OK) return 3;
  for (size_t k = 0; k < sizeof entries / sizeof *entries; k++) make_one(&m, &entries[k]);
  thud_context_destroy(m.context);
  return m.failures == 0 ? 0 : 1;
}
