#include "assembly.h"
#include "contact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double gravity = 9.81; /* m/s^2 */

/* Room for one more; benchmarks end when there is no memory. */
static void *grown(void *list, size_t count, size_t *capacity, size_t size) {
  if (count < *capacity) return list;
  *capacity = 2 * *capacity + 16;
  void *made = realloc(list, *capacity * size);
  if (made == NULL) abort();
  return made;
}

thud_index assembly_add_body(assembly *set, const assembly_body *body) {
  set->bodies = grown(set->bodies, set->body_count, &set->body_capacity, sizeof *set->bodies);
  set->bodies[set->body_count] = *body;
  return (thud_index)set->body_count++;
}

void assembly_add_contact(assembly *set, const assembly_contact *contact) {
  set->contacts = grown(set->contacts, set->contact_count, &set->contact_capacity, sizeof *set->contacts);
  set->contacts[set->contact_count++] = *contact;
}

void assembly_add_joint(assembly *set, const assembly_joint *joint) {
  set->joints = grown(set->joints, set->joint_count, &set->joint_capacity, sizeof *set->joints);
  set->joints[set->joint_count++] = *joint;
}

void assembly_free(assembly *set) {
  free(set->bodies);
  free(set->contacts);
  free(set->joints);
  *set = (assembly){0};
}

/* ---- rows of Jacobians -------------------------------------------------------------------------------------------- */

static void cross(const double a[3], const double b[3], double c[3]) {
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}

/* Velocity along the direction d of the body's point at `place`: d.v + (arm x d).omega. */
static void write_point_row(const assembly *set, const assembly_body *body, const double place[3], const double d[3],
                            double sign, double *row) {
  double arm[3], moment[3];
  for (int i = 0; i < 3; i++) arm[i] = place[i] - body->place[i];
  cross(arm, d, moment);
  if (set->planar) {
    row[0] = sign * d[0];
    row[1] = sign * d[1];
    row[2] = sign * moment[2];
    return;
  }
  for (int i = 0; i < 3; i++) {
    row[i] = sign * d[i];
    row[3 + i] = sign * moment[i];
  }
}

/* Spin about the direction d; in space only. */
static void write_spin_row(const double d[3], double sign, double *row) {
  for (int i = 0; i < 3; i++) {
    row[i] = 0;
    row[3 + i] = sign * d[i];
  }
}

/* Normal and tangents, right-handed; in the plane the tangent is the normal turned. */
static void make_frame(bool planar, const double normal[3], double frame[3][3]) {
  double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
  for (int i = 0; i < 3; i++) frame[0][i] = normal[i] / length;
  const double *n = frame[0];
  if (planar) {
    memcpy(frame[1], (double[3]){-n[1], n[0], 0}, sizeof frame[1]);
    memcpy(frame[2], (double[3]){0, 0, 1}, sizeof frame[2]);
    return;
  }
  double helper[3] = {fabs(n[0]) < 0.6, fabs(n[0]) >= 0.6, 0};
  cross(n, helper, frame[1]);
  length = sqrt(frame[1][0] * frame[1][0] + frame[1][1] * frame[1][1] + frame[1][2] * frame[1][2]);
  for (int i = 0; i < 3; i++) frame[1][i] /= length;
  cross(n, frame[1], frame[2]);
}

/* Components as in thud/contact.h: normal, sliding, then rolling (dimensions 5 and 6), then spinning (4 and 6). */
static void write_contact(const assembly *set, const assembly_contact *contact, thud_index dimension, thud_index side,
                          double *J) {
  size_t block = set->planar ? 3 : 6;
  const assembly_body *body = &set->bodies[side == 0 ? contact->a : contact->b];
  double frame[3][3], sign = side == 0 ? 1 : -1;
  make_frame(set->planar, contact->normal, frame);
  for (thud_index i = 0; i < dimension; i++, J += block) {
    if (i < 3)
      write_point_row(set, body, contact->place, frame[i], sign, J);
    else
      write_spin_row(frame[dimension == 4 ? 0 : (i - 2) % 3], sign, J);
  }
}

/* Rows of a joint; returns their number. J may be NULL. */
static size_t write_joint(const assembly *set, const assembly_joint *joint, thud_index side, double *J) {
  size_t block = set->planar ? 3 : 6, points = set->planar ? 2 : 3, rows = points + (joint->hinge ? 2 : 0);
  if (J == NULL) return rows;
  double frame[3][3], sign = side == 0 ? 1 : -1;
  if (joint->hinge) make_frame(false, joint->axis, frame);
  for (size_t i = 0; i < rows; i++, J += block) {
    double along[3] = {i == 0, i == 1, i == 2};
    if (i < points)
      write_point_row(set, &set->bodies[side == 0 ? joint->a : joint->b], joint->place, along, sign, J);
    else
      write_spin_row(frame[i - points + 1], sign, J);
  }
  return rows;
}

/* ---- the problem -------------------------------------------------------------------------------------------------- */

/* The arrays of the two-block form; the copy that is handed out owns its own. */
typedef struct arrays {
  double *inverse, *velocity, *Ja, *Jb, *mu, *rolling, *spinning, *Ga, *Gb;
  thud_index *a, *b, *start, *joint_a, *joint_b;
} arrays;

static void fill_bodies(const assembly *set, double step, arrays *to) {
  size_t block = set->planar ? 3 : 6;
  for (size_t k = 0; k < set->body_count; k++) {
    const assembly_body *body = &set->bodies[k];
    double *inverse = to->inverse + k * block * block, *velocity = to->velocity + k * block;
    for (size_t i = 0; i < block; i++) {
      bool moves = i < (set->planar ? 2u : 3u);
      inverse[i * (block + 1)] = 1 / (moves ? body->mass : set->planar ? body->inertia[2] : body->inertia[i - 3]);
      velocity[i] = set->planar && i == 2 ? body->velocity[5] : body->velocity[i];
    }
    velocity[set->planar ? 1 : 2] -= gravity * step;
  }
}

static void fill_contacts(const assembly *set, const assembly_form *form, arrays *to) {
  size_t per_contact = (size_t)form->dimension * (set->planar ? 3 : 6);
  for (size_t k = 0; k < set->contact_count; k++) {
    const assembly_contact *contact = &set->contacts[k];
    to->a[k] = contact->a;
    to->b[k] = contact->b;
    to->mu[k] = contact->mu;
    to->rolling[k] = form->mu_rolling;
    to->spinning[k] = form->mu_spinning;
    write_contact(set, contact, form->dimension, 0, to->Ja + k * per_contact);
    if (contact->b >= 0) write_contact(set, contact, form->dimension, 1, to->Jb + k * per_contact);
  }
}

static void fill_joints(const assembly *set, arrays *to) {
  size_t block = set->planar ? 3 : 6, row = 0;
  for (size_t j = 0; j < set->joint_count; j++) {
    const assembly_joint *joint = &set->joints[j];
    to->joint_a[j] = joint->a;
    to->joint_b[j] = joint->b;
    to->start[j] = (thud_index)row;
    size_t rows = write_joint(set, joint, 0, to->Ga + row * block);
    if (joint->b >= 0) write_joint(set, joint, 1, to->Gb + row * block);
    row += rows;
  }
  to->start[set->joint_count] = (thud_index)row;
}

static arrays make_arrays(const assembly *set, const assembly_form *form, size_t rows) {
  size_t block = set->planar ? 3 : 6, contacts = set->contact_count, joints = set->joint_count;
  size_t jacobian = contacts * (size_t)form->dimension * block;
  arrays made = {.inverse = bench_alloc(set->body_count * block * block, sizeof(double)),
                 .velocity = bench_alloc(set->body_count * block, sizeof(double)),
                 .Ja = bench_alloc(jacobian, sizeof(double)),
                 .Jb = bench_alloc(jacobian, sizeof(double)),
                 .mu = bench_alloc(contacts, sizeof(double)),
                 .rolling = bench_alloc(contacts, sizeof(double)),
                 .spinning = bench_alloc(contacts, sizeof(double)),
                 .Ga = bench_alloc(rows * block, sizeof(double)),
                 .Gb = bench_alloc(rows * block, sizeof(double)),
                 .a = bench_alloc(contacts, sizeof(thud_index)),
                 .b = bench_alloc(contacts, sizeof(thud_index)),
                 .start = bench_alloc(joints + 1, sizeof(thud_index)),
                 .joint_a = bench_alloc(joints, sizeof(thud_index)),
                 .joint_b = bench_alloc(joints, sizeof(thud_index))};
  fill_bodies(set, form->step, &made);
  fill_contacts(set, form, &made);
  fill_joints(set, &made);
  return made;
}

static void free_arrays(arrays *made) {
  void *const all[] = {made->inverse, made->velocity, made->Ja, made->Jb, made->mu,    made->rolling, made->spinning,
                       made->Ga,      made->Gb,       made->a,  made->b,  made->start, made->joint_a, made->joint_b};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) free(all[k]);
}

thud_error assembly_make_problem(thud_context *context, const assembly *set, const assembly_form *form,
                                 thud_owned_problem **made) {
  size_t rows = 0;
  for (size_t j = 0; j < set->joint_count; j++) rows += write_joint(set, &set->joints[j], 0, NULL);
  arrays from = make_arrays(set, form, rows);
  thud_index d = form->dimension;
  thud_contact_problem problem = {.form = THUD_FORM_TWO_BLOCK,
                                  .dimension = d,
                                  .contacts = (thud_index)set->contact_count,
                                  .mu = d > 1 ? from.mu : NULL,
                                  .mu_rolling = d > 4 ? from.rolling : NULL,
                                  .mu_spinning = d == 4 || d == 6 ? from.spinning : NULL,
                                  .bilateral = (thud_index)rows};
  problem.two_block = (thud_two_block){.bodies = (thud_index)set->body_count,
                                       .block = set->planar ? 3 : 6,
                                       .inverse_mass = from.inverse,
                                       .free_velocity = from.velocity,
                                       .body_a = from.a,
                                       .body_b = from.b,
                                       .jacobian_a = from.Ja,
                                       .jacobian_b = from.Jb,
                                       .joints = (thud_index)set->joint_count,
                                       .joint_start = rows > 0 ? from.start : NULL,
                                       .joint_a = rows > 0 ? from.joint_a : NULL,
                                       .joint_b = rows > 0 ? from.joint_b : NULL,
                                       .joint_jacobian_a = rows > 0 ? from.Ga : NULL,
                                       .joint_jacobian_b = rows > 0 ? from.Gb : NULL};
  thud_error error = form->form == THUD_FORM_LOCAL    ? thud_contact_to_local(context, &problem, form->storage, made)
                     : form->form == THUD_FORM_GLOBAL ? thud_contact_to_global(context, &problem, made)
                                                      : thud_contact_copy(context, &problem, made);
  free_arrays(&from);
  return error;
}
