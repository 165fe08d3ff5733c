#include "problem_compare.h"

#include "testing.h"

#include <stdlib.h>
#include <string.h>

static void same_numbers(const char *name, size_t count, const double *a, const double *b) {
  if ((a == NULL) != (b == NULL)) fail_msg("%s is there in one problem only", name);
  for (size_t k = 0; a != NULL && k < count; k++)
    if (memcmp(&a[k], &b[k], sizeof *a) != 0) fail_msg("%s[%zu]: %.17g and %.17g", name, k, a[k], b[k]);
}

static void same_indices(const char *name, size_t count, const thud_index *a, const thud_index *b) {
  for (size_t k = 0; k < count; k++)
    if (a[k] != b[k]) fail_msg("%s[%zu]: %d and %d", name, k, (int)a[k], (int)b[k]);
}

static void same_texts(const char *name, const char *a, const char *b) {
  if ((a == NULL) != (b == NULL) || (a != NULL && strcmp(a, b) != 0))
    fail_msg("%s: '%s' and '%s'", name, a != NULL ? a : "(none)", b != NULL ? b : "(none)");
}

static void same_matrices(const char *name, const thud_matrix *a, const thud_matrix *b) {
  if (a->storage != b->storage) fail_msg("storage of %s: %d and %d", name, (int)a->storage, (int)b->storage);
  if (a->storage == THUD_MATRIX_NONE) return;
  assert_int_equal(a->rows, b->rows);
  assert_int_equal(a->columns, b->columns);
  if (a->storage == THUD_MATRIX_DENSE) {
    same_numbers(name, (size_t)a->rows * (size_t)a->columns, a->dense, b->dense);
  } else if (a->storage == THUD_MATRIX_SPARSE) {
    same_indices(name, (size_t)a->columns + 1, a->sparse.column_start, b->sparse.column_start);
    size_t count = (size_t)a->sparse.column_start[a->columns];
    same_indices(name, count, a->sparse.row, b->sparse.row);
    same_numbers(name, count, a->sparse.value, b->sparse.value);
  } else {
    assert_int_equal(a->blocks.rows_per_block, b->blocks.rows_per_block);
    same_indices(name, (size_t)a->blocks.block_rows + 1, a->blocks.row_start, b->blocks.row_start);
    size_t count = (size_t)a->blocks.row_start[a->blocks.block_rows];
    same_indices(name, count, a->blocks.block_column, b->blocks.block_column);
    same_numbers(name, count * (size_t)(a->blocks.rows_per_block * a->blocks.columns_per_block), a->blocks.values,
                 b->blocks.values);
  }
}

static void same_laws(const thud_contact_problem *a, const thud_contact_problem *b) {
  for (thud_index c = 0; c < a->contacts; c++) {
    const thud_set *one = a->laws != NULL ? a->laws[c] : NULL, *other = b->laws != NULL ? b->laws[c] : NULL;
    assert_int_equal(one == NULL, other == NULL);
    if (one == NULL) continue;
    assert_string_equal(thud_set_kind(one), thud_set_kind(other));
    size_t count = thud_set_parameter_count(one);
    assert_int_equal(count, thud_set_parameter_count(other));
    double *p = calloc(2 * count + 1, sizeof *p);
    thud_set_get_parameters(one, p);
    thud_set_get_parameters(other, p + count);
    same_numbers("parameters of a law", count, p, p + count);
    free(p);
  }
}

static void same_two_block(const thud_contact_problem *a, const thud_contact_problem *b) {
  const thud_two_block *x = &a->two_block, *y = &b->two_block;
  size_t bodies = (size_t)x->bodies, block = (size_t)x->block, size = thud_contact_size(a);
  assert_int_equal(x->bodies, y->bodies);
  assert_int_equal(x->block, y->block);
  same_numbers("inverse_mass", bodies * block * block, x->inverse_mass, y->inverse_mass);
  same_numbers("free_velocity", bodies * block, x->free_velocity, y->free_velocity);
  same_indices("body_a", (size_t)a->contacts, x->body_a, y->body_a);
  same_indices("body_b", (size_t)a->contacts, x->body_b, y->body_b);
  same_numbers("jacobian_a", size * block, x->jacobian_a, y->jacobian_a);
  same_numbers("jacobian_b", size * block, x->jacobian_b, y->jacobian_b);
  same_numbers("w", size, x->w, y->w);
  size_t joints = (size_t)x->joints, rows = (size_t)a->bilateral;
  assert_int_equal(x->joints, y->joints);
  if (joints == 0) return;
  same_indices("joint_start", joints + 1, x->joint_start, y->joint_start);
  same_indices("joint_a", joints, x->joint_a, y->joint_a);
  same_indices("joint_b", joints, x->joint_b, y->joint_b);
  same_numbers("joint_jacobian_a", rows * block, x->joint_jacobian_a, y->joint_jacobian_a);
  same_numbers("joint_jacobian_b", rows * block, x->joint_jacobian_b, y->joint_jacobian_b);
  same_numbers("joint_w", rows, x->joint_w, y->joint_w);
}

static void same_problems(const thud_contact_problem *a, const thud_contact_problem *b) {
  size_t size = thud_contact_size(a), contacts = (size_t)a->contacts, bilateral = (size_t)a->bilateral;
  assert_int_equal(a->form, b->form);
  assert_int_equal(a->dimension, b->dimension);
  assert_int_equal(a->contacts, b->contacts);
  assert_int_equal(a->bilateral, b->bilateral);
  same_numbers("mu", contacts, a->mu, b->mu);
  same_numbers("mu_rolling", contacts, a->mu_rolling, b->mu_rolling);
  same_numbers("mu_spinning", contacts, a->mu_spinning, b->mu_spinning);
  assert_int_equal(a->friction, b->friction);
  same_laws(a, b);
  if (a->form == THUD_FORM_TWO_BLOCK) {
    same_two_block(a, b);
    return;
  }
  same_matrices("W", &a->W, &b->W);
  same_matrices("M", &a->M, &b->M);
  same_matrices("H", &a->H, &b->H);
  if (bilateral > 0) {
    same_matrices("V", &a->V, &b->V);
    same_matrices("R", &a->R, &b->R);
    same_matrices("G", &a->G, &b->G);
    same_numbers("s", bilateral, a->s, b->s);
    same_numbers("b", bilateral, a->b, b->b);
  }
  same_numbers("q", size, a->q, b->q);
  same_numbers("f", thud_contact_ndof(a), a->f, b->f);
  same_numbers("w", size, a->w, b->w);
}

static void same_solutions(const thud_contact_problem *problem, const thud_problem_solution *a,
                           const thud_problem_solution *b) {
  same_numbers("v of a solution", thud_contact_ndof(problem), a->v, b->v);
  same_numbers("u of a solution", thud_contact_size(problem), a->u, b->u);
  same_numbers("r of a solution", thud_contact_size(problem), a->r, b->r);
  same_numbers("l of a solution", (size_t)problem->bilateral, a->l, b->l);
}

void thud_test_same_contents(const thud_problem_contents *a, const thud_problem_contents *b) {
  same_problems(a->problem, b->problem);
  same_texts("title", a->title, b->title);
  same_texts("description", a->description, b->description);
  same_texts("math_info", a->math_info, b->math_info);
  same_solutions(a->problem, &a->solution, &b->solution);
  assert_int_equal(a->guess_count, b->guess_count);
  for (size_t k = 0; k < a->guess_count; k++) same_solutions(a->problem, &a->guesses[k], &b->guesses[k]);
}

thud_problem_file *thud_test_read_problem(thud_context *context, const char *path) {
  thud_problem_file *file = NULL;
  if (thud_problem_read(context, path, NULL, &file) != THUD_OK) fail_msg("%s", thud_context_last_message(context));
  return file;
}
