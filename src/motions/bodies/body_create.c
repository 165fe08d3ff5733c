/* Motions of rigid bodies: creation and end. */
#include "motions/bodies/body_motion.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- what the model asks for ------------------------------------------------------------------------------------------- */

thud_index thud_bodies_find_dimension(const body_motion *motion) {
  const thud_bodies_view *model = &motion->model;
  bool rolls = false, spins = false;
  for (thud_index i = -1; i < model->material_count; i++)
    for (thud_index j = i; j < model->material_count; j++) {
      thud_surface_law law = thud_bodies_pair_law(motion->bodies, i, j, NULL);
      rolls = rolls || law.rolling > 0;
      spins = spins || law.spinning > 0;
    }
  if (model->planar) return rolls ? 3 : 2;
  return rolls && spins ? 6 : rolls ? 5 : spins ? 4 : 3;
}

/* Inertia is a multiple of 1: it does not turn with the body. */
static bool is_isotropic(thud_mat3 I) {
  return I.cx.x == I.cy.y && I.cy.y == I.cz.z && I.cx.y == 0 && I.cx.z == 0 && I.cy.x == 0 && I.cy.z == 0 &&
         I.cz.x == 0 && I.cz.y == 0;
}

/* An array whose length the model gives. */
typedef struct fixed_array {
  void *array;
  size_t count, size;
} fixed_array;
enum { FIXED_ARRAYS = 36 };

static void list_arrays(body_motion *motion, fixed_array *list) {
  size_t n = (size_t)motion->model.count, parts = (size_t)motion->model.part_count;
  size_t block = (size_t)motion->problem.block;
  body_problem *p = &motion->problem;
  body_overlaps *o = &motion->overlaps;
  body_implicit *m = &motion->implicit;
  const fixed_array arrays[FIXED_ARRAYS] = {{&motion->ids, n, sizeof(thud_body_id)},
                                            {&motion->part_pose, parts, sizeof(thud_pose)},
                                            {&motion->boxes, parts, sizeof(thud_bounds)},
                                            {&motion->still, parts, sizeof(bool)},
                                            {&motion->velocity_free, n, sizeof(thud_vec3)},
                                            {&motion->spin_free, n, sizeof(thud_vec3)},
                                            {&motion->path_left, n, sizeof(thud_vec3)},
                                            {&motion->path_end, n, sizeof(thud_vec3)},
                                            {&motion->inverse_inertia, n, sizeof(thud_mat3)},
                                            {&motion->force, n, sizeof(thud_vec3)},
                                            {&motion->torque, n, sizeof(thud_vec3)},
                                            {&motion->isotropic, n, sizeof(bool)},
                                            {&motion->moves, n, sizeof(bool)},
                                            {&motion->woken, n, sizeof(bool)},
                                            {&motion->next, motion->state.carry_capacity, sizeof(body_carry)},
                                            {&p->parent, n, sizeof(thud_index)},
                                            {&p->number, n, sizeof(thud_index)},
                                            {&p->body, n, sizeof(thud_index)},
                                            {&p->inverse_mass, n, block * block * sizeof(double)},
                                            {&p->free_velocity, n, block * sizeof(double)},
                                            {&p->group_mass, n, block * block * sizeof(double)},
                                            {&p->group_velocity, n, block * sizeof(double)},
                                            {&m->soft, n, sizeof(bool)},
                                            {&m->response, n, block * block * sizeof(double)},
                                            {&m->load, n, block * sizeof(double)},
                                            {&m->kappa, n, sizeof(double)},
                                            {&m->zeta, n, sizeof(double)},
                                            {&m->elastic, n, sizeof(thud_vec3)},
                                            {&m->elastic_torque, n, sizeof(thud_vec3)},
                                            {&m->stiff_torque, n, sizeof(thud_vec3)},
                                            {&m->cluster, n, sizeof(thud_index)},
                                            {&m->parent, n, sizeof(thud_index)},
                                            {&m->first_row, n, sizeof(size_t)},
                                            {&p->map, 6, sizeof(double)},
                                            {&o->shift, n, sizeof(thud_vec3)},
                                            {&o->twist, n, sizeof(thud_vec3)}};
  for (size_t k = 0; k < FIXED_ARRAYS; k++) list[k] = arrays[k];
}

static void release(body_motion *motion) {
  fixed_array arrays[FIXED_ARRAYS];
  list_arrays(motion, arrays);
  for (size_t k = 0; k < FIXED_ARRAYS; k++) {
    const body_array one = {arrays[k].array, arrays[k].size};
    thud_bodies_release(motion->base.context, 1, &one);
  }
}

thud_error thud_bodies_allocate(body_motion *motion) {
  fixed_array arrays[FIXED_ARRAYS];
  void *made[FIXED_ARRAYS];
  size_t count = 0;
  list_arrays(motion, arrays);
  for (; count < FIXED_ARRAYS; count++)
    if ((made[count] = thud_alloc(motion->base.context, arrays[count].count, arrays[count].size)) == NULL) break;
  if (count < FIXED_ARRAYS) {
    while (count > 0) thud_free(motion->base.context, made[--count]);
    return THUD_ERROR_MEMORY;
  }
  release(motion);
  for (size_t k = 0; k < FIXED_ARRAYS; k++) memcpy(arrays[k].array, &made[k], sizeof made[k]);
  return THUD_OK;
}

/* ---- the start ----------------------------------------------------------------------------------------------------------- */

static void start_info(body_motion *motion) {
  body_scalars *now = motion->state.now;
  now->t = now->info.time = motion->options.start;
  now->penetration_a = now->penetration_b = -1;
  now->info.worst_a = now->info.worst_b = -1;
  now->info.worst_penetration_a = now->info.worst_penetration_b = -1;
  motion->worst_contact = -1;
  motion->method = "none";
}

/* A speed that is usual: of the start, of what gravity gives over the run, of kinematic bodies; 1 when there is none. */
static double find_usual_speed(const body_motion *motion) {
  const body_state *state = &motion->state;
  double most = motion->gravity * (motion->options.end - motion->options.start);
  for (thud_index i = 0; i < motion->model.count; i++) most = fmax(most, thud_vec3_norm(state->velocity[i]));
  return most > 0 ? most : 1;
}

void thud_bodies_note_model(body_motion *motion) {
  const thud_bodies_view *model = &motion->model;
  motion->revision = motion->bodies->revision;
  motion->is_held = false;
  for (thud_index i = 0; i < model->count; i++) {
    motion->ids[i] = thud_bodies_id(motion->bodies, i);
    motion->moves[i] = model->role[i] == THUD_BODY_DYNAMIC && thud_bodies_is_there(motion, i);
    motion->isotropic[i] = is_isotropic(model->inertia[i]);
  }
}

static thud_error start(body_motion *motion) {
  const thud_bodies_view *model = &motion->model;
  body_scalars *now = motion->state.now;
  thud_bodies_note_model(motion);
  start_info(motion);
  thud_error error = thud_bodies_follow_paths(motion, motion->options.start);
  if (error == THUD_OK) error = thud_bodies_check_start(motion);
  if (error != THUD_OK) return error;
  for (thud_index i = 0; i < model->count; i++) {
    motion->state.velocity_left[i] = motion->state.velocity[i];
    motion->state.spin_left[i] = motion->state.spin[i];
  }
  now->usual_speed = find_usual_speed(motion);
  now->ledger.kinetic = thud_bodies_kinetic(motion);
  now->ledger.potential = thud_bodies_potential(motion);
  now->initial_energy = now->ledger.kinetic + now->ledger.potential;
  now->info.projections = 0;
  return THUD_OK;
}

static thud_error check_options(thud_context *context, const thud_body_motion_options *options) {
  if (!(options->end > options->start))
    return thud_fail(context, THUD_ERROR_ARGUMENT, "the end (%g) is not after the start (%g)", options->end,
                     options->start);
  return THUD_OK;
}

static void destroy(thud_motion *base) {
  body_motion *motion = (body_motion *)base;
  thud_broad_phase_destroy(motion->broad_phase);
  thud_broad_phase_destroy(motion->held);
  thud_solver_destroy(motion->solver);
  thud_solver_destroy(motion->sweeper);
  for (size_t i = 0; i < THUD_BODY_DIRECT; i++) thud_solver_destroy(motion->direct[i]);
  thud_bodies_free_crew(motion);
  thud_solver_destroy(motion->coupled);
  thud_bodies_free_implicit(motion);
  thud_bodies_free_impact(motion);
  thud_bodies_free_islands(motion);
  thud_bodies_free_contacts(motion);
  thud_free(motion->base.context, motion->overlaps.list);
  thud_free(motion->base.context, motion->overlaps.pairs);
  release(motion);
  thud_free(motion->base.context, motion->state.block);
  thud_free(motion->base.context, motion);
}

const thud_motion_type thud_body_motion_type = {.name = "body",
                                                .frame_size = sizeof(thud_body_frame),
                                                .info_size = sizeof(thud_body_motion_info),
                                                .step = thud_bodies_step,
                                                .present = thud_bodies_present,
                                                .info = thud_bodies_info,
                                                .state_size = thud_bodies_state_size,
                                                .save = thud_bodies_save,
                                                .restore = thud_bodies_restore,
                                                .destroy = destroy};

thud_error thud_body_motion_create(thud_context *context, thud_bodies *bodies, const thud_body_motion_options *options,
                                   thud_motion **motion) {
  THUD_REQUIRE(context, context, bodies, motion);
  body_motion *made = THUD_NEW(context, body_motion);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->base = (thud_motion){.type = &thud_body_motion_type, .context = context};
  made->bodies = bodies;
  thud_error error = thud_options_take(context, thud_body_motion_option_table(), options, &made->options);
  if (error == THUD_OK) error = check_options(context, &made->options);
  if (error == THUD_OK) error = thud_bodies_get(bodies, &made->model);
  if (error == THUD_OK) {
    made->h = (made->options.end - made->options.start) / (double)made->options.steps;
    made->gravity = thud_vec3_norm(made->model.gravity);
    if (made->options.impact_velocity == 0) made->options.impact_velocity = 2 * made->h * made->gravity;
    made->problem.d = thud_bodies_find_dimension(made);
    made->problem.block = made->model.planar ? 3 : 6;
    error = thud_body_state_create(made);
  }
  if (error == THUD_OK) error = thud_bodies_allocate(made);
  if (error == THUD_OK) error = thud_bodies_create_impact(made);
  if (error == THUD_OK) error = thud_broad_phase_create(context, &made->broad_phase);
  if (error == THUD_OK) error = start(made);
  if (error != THUD_OK) {
    destroy(&made->base);
    return error;
  }
  *motion = &made->base;
  return THUD_OK;
}
