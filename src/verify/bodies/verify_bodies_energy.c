/* The ledger: energies of the states, the balance of every row, and what each rebuilt step adds. */
#include "verify/bodies/verify_bodies.h"

#include <math.h>

/* kinetic + potential = initial + work - losses + lift + defect. */
void thud_verify_body_energies(const verify_bodies *bodies, const verify_body_row *row, double initial,
                               thud_verify_check *check) {
  const double *l = row->ledger;
  double size, kinetic = thud_verify_bodies_kinetic(bodies, row->end);
  double potential = thud_verify_bodies_potential(bodies, row->end, &size);
  if (thud_verify_tally(check, fabs(l[BODY_KINETIC] - kinetic), VERIFY_SUMS * kinetic, 0, row->t, row->number))
    thud_verify_explain(check, "kinetic energy");
  if (thud_verify_tally(check, fabs(l[BODY_POTENTIAL] - potential), VERIFY_SUMS * size, 0, row->t, row->number))
    thud_verify_explain(check, "potential energy");
  double losses = l[BODY_IMPACT_LOSS] + l[BODY_FRICTION_LOSS] + l[BODY_CONTACT_LOSS], total = 0;
  for (int k = 0; k < BODY_LEDGER; k++) total += fabs(l[k]);
  double left = l[BODY_KINETIC] + l[BODY_POTENTIAL] - (initial + l[BODY_WORK] - losses + l[BODY_LIFT] + l[BODY_DEFECT]);
  if (thud_verify_tally(check, fabs(left), VERIFY_SUMS * (total + fabs(initial)), 0, row->t, row->number))
    thud_verify_explain(check, "balance of the ledger");
}

/* ---- one step --------------------------------------------------------------------------------------------------------------- */

/* What the step adds to the entries, and the sizes of the terms. */
typedef struct booking {
  double entry[BODY_LEDGER], size[BODY_LEDGER];
} booking;

static void book(booking *b, int entry, double amount, double size) {
  b->entry[entry] += amount;
  b->size[entry] += size;
}

/* h f.(v+ + v)/2 of applied forces and dampers. */
static void book_forces(const verify_body_step *step, booking *b) {
  const verify_body_row *row = step->row;
  for (size_t i = 0; i < step->bodies->count; i++) {
    if (!step->moves[i]) continue;
    thud_vec3 v = thud_vec3_scale(0.5 * row->step, thud_vec3_add(row->end[i].v, row->v_left[i]));
    thud_vec3 w = thud_vec3_scale(0.5 * row->step, thud_vec3_add(step->after[i].w, row->w_left[i]));
    double speed = thud_vec3_norm(row->end[i].v) + thud_vec3_norm(row->v_left[i]);
    double spin = thud_vec3_norm(row->end[i].w) + thud_vec3_norm(row->w_left[i]);
    v = thud_vec3_add(v, step->shift[i]);
    w = thud_vec3_add(w, step->twist[i]);
    double work = thud_vec3_dot(step->applied[i], v) + thud_vec3_dot(step->applied_torque[i], w);
    book(b, BODY_WORK, work, row->step * (step->size[2 * i] * speed + step->size[2 * i + 1] * spin));
  }
}

static void book_contact(const verify_body_step *step, size_t k, booking *b) {
  const verify_body_contact *c = &step->row->contact[k];
  verify_loss loss = thud_verify_contact_loss(step, k);
  book(b, loss.impact ? BODY_IMPACT_LOSS : BODY_CONTACT_LOSS, loss.normal, loss.size);
  book(b, loss.impact ? BODY_IMPACT_LOSS : BODY_FRICTION_LOSS, loss.rest, loss.size);
  if (step->bodies->body[c->b].role != VERIFY_KINEMATIC) return;
  verify_drive drive = thud_verify_body_drive(step, c);
  verify_body_state drivers[2] = {drive.before, drive.after};
  if (!drive.carries) drivers[0].x = drivers[1].x = thud_verify_centre_at(step, c->b, c->ahead);
  double work = 0;
  for (int side = 0; side < 2; side++)
    work += 0.5 * (thud_vec3_dot(c->impulse, verify_velocity_at(&drivers[side], c->point)) +
                   thud_vec3_dot(c->moment, drivers[side].w));
  book(b, BODY_WORK, work, loss.size);
  book(b, BODY_KINEMATIC_WORK, work, loss.size);
}

/* Forces that answer to the step. */
static thud_error book_implicit(thud_context *context, const verify_body_step *step, booking *b) {
  size_t n = step->bodies->count;
  double size;
  thud_vec3 *impulse = THUD_NEW_ARRAY(context, thud_vec3, n), *moment = THUD_NEW_ARRAY(context, thud_vec3, n);
  bool made = impulse != NULL && moment != NULL;
  for (size_t k = 0; made && k < step->row->contact_count; k++) {
    const verify_body_contact *c = &step->row->contact[k];
    for (int side = 0; side < 2; side++) {
      size_t i = side == 0 ? c->a : c->b;
      thud_vec3 lever = thud_vec3_subtract(c->point, thud_verify_centre_at(step, i, c->ahead));
      impulse[i] = thud_vec3_add_scaled(impulse[i], side == 0 ? 1 : -1, c->impulse);
      thud_vec3 turn = thud_vec3_add(c->moment, thud_vec3_cross(lever, c->impulse));
      moment[i] = thud_vec3_add_scaled(moment[i], side == 0 ? 1 : -1, turn);
    }
  }
  if (made) {
    double work = thud_verify_implicit_work(step, impulse, moment, &size), damped;
    book(b, BODY_WORK, work, size);
    work = thud_verify_spring_work(step, &damped, &size);
    book(b, BODY_WORK, work, size);
    book(b, BODY_KINEMATIC_WORK, work + damped, size);
  }
  thud_free(context, impulse);
  thud_free(context, moment);
  return made ? THUD_OK : THUD_ERROR_MEMORY;
}

/* What moving bodies apart adds to the potential energy, from the states with and without it. */
static thud_error book_lift(thud_context *context, const verify_body_step *step, booking *b) {
  const verify_bodies *bodies = step->bodies;
  const verify_body_row *row = step->row;
  double size, before;
  verify_body_state *state = THUD_NEW_ARRAY(context, verify_body_state, bodies->count);
  if (state == NULL) return THUD_ERROR_MEMORY;
  thud_verify_body_take_back(bodies, row, state);
  before = thud_verify_bodies_potential(bodies, state, &size);
  book(b, BODY_LIFT, thud_verify_bodies_potential(bodies, row->end, &size) - before, size);
  thud_free(context, state);
  return THUD_OK;
}

thud_error thud_verify_body_work(thud_context *context, const verify_body_step *step, const verify_body_row *before,
                                 thud_verify_check *check) {
  static const char *const names[BODY_LEDGER] = {"kinetic",        "potential",   "work",
                                                 "kinematic work", "impact loss", "friction loss",
                                                 "contact loss",   "lift",        "defect"};
  const verify_body_row *row = step->row;
  booking b = {0};
  book(&b, BODY_WORK, step->brought, step->brought_size);
  book_forces(step, &b);
  for (size_t k = 0; k < row->contact_count; k++) book_contact(step, k, &b);
  thud_error error = book_implicit(context, step, &b);
  if (error == THUD_OK) error = book_lift(context, step, &b);
  for (int k = BODY_WORK; error == THUD_OK && k <= BODY_LIFT; k++) {
    double found = row->ledger[k] - before->ledger[k];
    double size = b.size[k] + fabs(row->ledger[k]) + fabs(before->ledger[k]);
    if (thud_verify_tally(check, fabs(found - b.entry[k]), VERIFY_SUMS * size, 0, row->t, row->number))
      thud_verify_explain(check, "%s of the step", names[k]);
  }
  return error;
}
