/* Deep copies of contact problems. */
#include "contact/owned.h"
#include "contact/problem.h"
#include "base/base.h"

thud_error thud_owned_problem_copy_laws(thud_context *context, thud_owned_problem *owned,
                                        const thud_contact_problem *original) {
  if (original->laws == NULL) return THUD_OK;
  thud_set **laws = thud_owned_problem_alloc(owned, (size_t)original->contacts, sizeof(thud_set *));
  if (laws == NULL) return THUD_ERROR_MEMORY;
  for (thud_index c = 0; c < original->contacts; c++) {
    if (original->laws[c] == NULL) continue;
    thud_set *clone = NULL;
    thud_error error = thud_set_clone(context, original->laws[c], &clone);
    if (error == THUD_OK) error = thud_owned_problem_adopt_set(owned, clone);
    if (error != THUD_OK) {
      thud_set_destroy(clone);
      return error;
    }
    laws[c] = clone;
  }
  thud_owned_problem_edit(owned)->laws = laws;
  return THUD_OK;
}

thud_error thud_owned_problem_copy_contacts(thud_context *context, thud_owned_problem *owned,
                                            const thud_contact_problem *original) {
  thud_contact_problem *copy = thud_owned_problem_edit(owned);
  size_t contacts = (size_t)original->contacts;
  copy->dimension = original->dimension;
  copy->contacts = original->contacts;
  copy->bilateral = original->bilateral;
  copy->friction = original->friction;
  thud_error error = THUD_OK;
  for (int c = 0; error == THUD_OK && c < THUD_COEFFICIENTS; c++)
    error = thud_owned_problem_copy_doubles(owned, thud_coefficient_in(original, (thud_coefficient)c), contacts,
                                            thud_coefficient_of(copy, (thud_coefficient)c));
  if (error == THUD_OK) error = thud_owned_problem_copy_laws(context, owned, original);
  return error;
}

static thud_error copy_two_block(thud_owned_problem *owned, const thud_contact_problem *original,
                                 thud_two_block *copy) {
  const thud_two_block *from = &original->two_block;
  size_t bodies = (size_t)from->bodies, block = (size_t)from->block, contacts = (size_t)original->contacts;
  size_t jacobian = contacts * (size_t)original->dimension * block;
  copy->bodies = from->bodies;
  copy->block = from->block;
  copy->joints = from->joints;
  size_t rows = (size_t)original->bilateral, joints = (size_t)from->joints;
  const struct {
    const double *from;
    size_t count;
    const double **to;
  } arrays[] = {
      {from->inverse_mass, bodies * block * block, &copy->inverse_mass},
      {from->free_velocity, bodies * block, &copy->free_velocity},
      {from->jacobian_a, jacobian, &copy->jacobian_a},
      {from->jacobian_b, jacobian, &copy->jacobian_b},
      {from->w, thud_contact_size(original), &copy->w},
      {from->joint_jacobian_a, rows * block, &copy->joint_jacobian_a},
      {from->joint_jacobian_b, rows * block, &copy->joint_jacobian_b},
      {from->joint_w, rows, &copy->joint_w},
  };
  const struct {
    const thud_index *from;
    size_t count;
    const thud_index **to;
  } lists[] = {
      {from->body_a, contacts, &copy->body_a},
      {from->body_b, contacts, &copy->body_b},
      {from->joint_start, joints > 0 ? joints + 1 : 0, &copy->joint_start},
      {from->joint_a, joints, &copy->joint_a},
      {from->joint_b, joints, &copy->joint_b},
  };
  thud_error error = THUD_OK;
  for (size_t k = 0; error == THUD_OK && k < sizeof lists / sizeof *lists; k++)
    error = thud_owned_problem_copy_indices(owned, lists[k].from, lists[k].count, lists[k].to);
  for (size_t k = 0; error == THUD_OK && k < sizeof arrays / sizeof *arrays; k++)
    error = thud_owned_problem_copy_doubles(owned, arrays[k].from, arrays[k].count, arrays[k].to);
  return error;
}

static thud_error copy_matrices(thud_owned_problem *owned, const thud_contact_problem *original) {
  thud_contact_problem *copy = thud_owned_problem_edit(owned);
  const struct {
    const thud_matrix *from;
    thud_matrix *to;
  } matrices[] = {{&original->W, &copy->W}, {&original->V, &copy->V}, {&original->R, &copy->R},
                  {&original->M, &copy->M}, {&original->H, &copy->H}, {&original->G, &copy->G}};
  thud_error error = THUD_OK;
  for (size_t k = 0; error == THUD_OK && k < sizeof matrices / sizeof *matrices; k++)
    error = thud_owned_problem_copy_matrix(owned, matrices[k].from, matrices[k].to);
  return error;
}

static thud_error copy_into(thud_context *context, thud_owned_problem *owned, const thud_contact_problem *original) {
  thud_contact_problem *copy = thud_owned_problem_edit(owned);
  size_t size = thud_contact_size(original), bilateral = (size_t)original->bilateral;
  copy->form = original->form;
  thud_error error = thud_owned_problem_copy_contacts(context, owned, original);
  if (error != THUD_OK) return error;
  if (original->form == THUD_FORM_TWO_BLOCK) return copy_two_block(owned, original, &copy->two_block);
  error = copy_matrices(owned, original);
  if (error != THUD_OK) return error;
  if (original->form == THUD_FORM_LOCAL) {
    error = thud_owned_problem_copy_doubles(owned, original->q, size, &copy->q);
    if (error == THUD_OK) error = thud_owned_problem_copy_doubles(owned, original->s, bilateral, &copy->s);
    return error;
  }
  error = thud_owned_problem_copy_doubles(owned, original->f, thud_contact_ndof(original), &copy->f);
  if (error == THUD_OK) error = thud_owned_problem_copy_doubles(owned, original->w, size, &copy->w);
  if (error == THUD_OK) error = thud_owned_problem_copy_doubles(owned, original->b, bilateral, &copy->b);
  return error;
}

thud_error thud_contact_copy(thud_context *context, const thud_contact_problem *problem, thud_owned_problem **copy) {
  THUD_REQUIRE(context, context, problem, copy);
  thud_owned_problem *made = NULL;
  thud_error error = thud_owned_problem_create(context, &made);
  if (error == THUD_OK) error = copy_into(context, made, problem);
  if (error == THUD_OK)
    *copy = made;
  else
    thud_owned_problem_destroy(made);
  return error;
}
