/* Joints in the step. Their rows are solved with the stiff springs (body_links.c), before the contacts, and answer to these.
 *
 * With H the rows at the midpoint, before the step v and after it v+:
 *   H (v + v+) = 0,
 * so that positions, which move by h (v + v+)/2, keep the joints to third order, and joints do no work. H_0 v, H_0 the rows
 * at a node, is then -1 times that at the node before, up to changes of second order: errors that impacts, changes or
 * singular positions leave behind would alternate for ever. Where contacts or changes acted in the step before, and where
 * H_0 v is larger than ALTERNATES times those changes of late, the rows ask for
 *   H (v + v+) = H_0 v,
 * after which they are left with the change alone. Positions are then moved until all rows are 0.
 *
 * Rows that depend on others, as those of a door with two hinges, are left out where positions hold (body_links.c says
 * which): there, at the nodes, they are satisfied by the others, and forces have a solution without them. */
#include "motions/bodies/body_motion.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Gaps and angles below this, beside the levers of a joint, are closed; those of a start below START are rounded input. */
static const double CLOSED = 1e-12, START = 1e-8;

/* Rates at nodes that are larger than this times the changes of their size, and how fast earlier changes are forgotten. */
static const double ALTERNATES = 2, FORGETS = 0.8;

/* Openness of midpoints beyond this does not count when dependent rows are looked for: large ratios of masses make pivots small, too,
 * as 1e-3 in chains under 1000 times the mass of a link, and these rows must hold in coarse steps as well. */
static const double MOST_DOUBTED = 1e-4;

/* A joint that is not closed up to this after MOST_ROUNDS rounds does not close. */
static const double OPEN = 1e-9;
static const double SLOW = 0.5, LESS_DOUBT = 0.1;
enum { MOST_ROUNDS = 40 };

/* ---- rows ------------------------------------------------------------------------------------------------------------ */

/* At the present poses, to joints.row. */
static thud_joint_place find_rows(body_motion *motion, thud_index k) {
  const thud_joint *joint = &motion->model.joints[k];
  const thud_pose *pose = motion->state.pose;
  thud_joint_place place =
      thud_joint_place_at(joint, motion->model.planar, &pose[joint->a], joint->b >= 0 ? &pose[joint->b] : NULL);
  thud_bodies_count_coupling(motion, k, &place);
  motion->joints.row_count[k] =
      (unsigned char)thud_joint_rows(&place, motion->joints.row + (size_t)k * THUD_JOINT_ROWS);
  return place;
}

bool thud_bodies_joint_has_rows(const body_motion *motion, thud_index k, unsigned char rows) {
  const thud_joint *joint = &motion->model.joints[k];
  const thud_pose *pose = motion->model.pose;
  thud_joint_row row[THUD_JOINT_ROWS];
  thud_joint_place place =
      thud_joint_place_at(joint, motion->model.planar, &pose[joint->a], joint->b >= 0 ? &pose[joint->b] : NULL);
  return rows >> thud_joint_rows(&place, row) == 0;
}

/* Of the world and of bodies that forces do not move: 0. */
static double radius_of_gyration(const body_motion *motion, thud_index i) {
  if (i < 0 || !(motion->model.mass[i] > 0)) return 0;
  return sqrt(thud_mat3_trace(motion->model.inertia[i]) / motion->model.mass[i]);
}

/* A length beside which gaps of a joint are small and by which its angles count, and the rounding of its points. Levers alone
 * would be 0 where a joint is at the centres of mass, as those of a gimbal. */
static double size_of(const body_motion *motion, const thud_joint *joint, const thud_joint_place *place,
                      double *rounding) {
  double levers = thud_vec3_distance(place->point_a, place->centre_a) + joint->length, counts;
  levers += radius_of_gyration(motion, joint->a) + radius_of_gyration(motion, joint->b);
  if (joint->b >= 0) levers += thud_vec3_distance(place->point_b, place->centre_b);
  levers += thud_bodies_size_of_coupling(joint, place, &counts);
  *rounding = 64 * DBL_EPSILON *
              (thud_vec3_norm(place->point_a) + thud_vec3_norm(place->point_b) + counts + motion->joints.extent);
  return levers;
}

/* How far a row is open: 1 is just closed. */
static double openness(const thud_joint_row *row, double size, double rounding) {
  double limit = row->is_angle ? CLOSED : CLOSED * size + rounding;
  return fabs(row->value) / fmax(limit, DBL_MIN);
}

double thud_bodies_rate_of_row(const thud_joint *joint, const thud_joint_row *row, const thud_vec3 *velocity,
                               const thud_vec3 *spin) {
  double rate = -thud_vec3_dot(row->force_a, velocity[joint->a]) - thud_vec3_dot(row->about_a, spin[joint->a]);
  if (joint->b >= 0)
    rate += thud_vec3_dot(row->force, velocity[joint->b]) + thud_vec3_dot(row->about_b, spin[joint->b]);
  return rate;
}

double thud_bodies_joint_rate(const body_motion *motion, thud_index k, const thud_joint_row *row) {
  return thud_bodies_rate_of_row(&motion->model.joints[k], row, motion->state.velocity, motion->state.spin);
}

/* The rate that a body on a path gives a row, mean of both nodes. */
static double path_rate(const body_motion *motion, thud_index k, const thud_joint_row *row) {
  const thud_joint *joint = &motion->model.joints[k];
  double rate = 0;
  for (int side = 0; side < 2; side++) {
    thud_index i = side == 0 ? joint->a : joint->b;
    if (i < 0 || motion->model.role[i] != THUD_BODY_KINEMATIC) continue;
    thud_vec3 v = thud_vec3_add(motion->state.velocity_left[i], motion->velocity_free[i]);
    thud_vec3 w = thud_vec3_add(motion->state.spin_left[i], motion->spin_free[i]);
    thud_vec3 force = side == 0 ? row->force_a : row->force, about = side == 0 ? row->about_a : row->about_b;
    rate += (side == 0 ? -0.5 : 0.5) * (thud_vec3_dot(force, v) + thud_vec3_dot(about, w));
  }
  return rate;
}

/* The rate of a row, mean of both nodes: 0 unless the row takes away what it was at the node. */
static double mean_rate(const body_motion *motion, thud_index k, const thud_joint_row *row) {
  const body_state *state = &motion->state;
  const thud_joint *joint = &motion->model.joints[k];
  return 0.5 * (thud_bodies_rate_of_row(joint, row, state->velocity_left, state->spin_left) +
                thud_bodies_rate_of_row(joint, row, state->velocity, state->spin));
}

static bool is_jolted(const body_motion *motion, thud_index k) {
  const thud_joint *joint = &motion->model.joints[k];
  return motion->state.jolted[joint->a] || (joint->b >= 0 && motion->state.jolted[joint->b]);
}

/* Rates of joint k at the node, and whether the rows are to take them away. Rates of angles count with the joint's lever. */
static bool note_rates(body_motion *motion, thud_index k) {
  body_joints *j = &motion->joints;
  body_state *state = &motion->state;
  const thud_joint *joint = &motion->model.joints[k];
  thud_joint_place place = find_rows(motion, k);
  double rounding, lever = size_of(motion, joint, &place, &rounding), size = 0, change = 0;
  double *before = state->rate + (size_t)k * THUD_JOINT_ROWS, *now = j->rate + (size_t)k * THUD_JOINT_ROWS;
  for (size_t r = 0; r < j->row_count[k]; r++) {
    const thud_joint_row *row = &j->row[(size_t)k * THUD_JOINT_ROWS + r];
    double scale = row->is_angle ? lever : 1;
    now[r] = thud_bodies_rate_of_row(joint, row, state->velocity, state->spin);
    size += scale * scale * now[r] * now[r];
    change += scale * scale * (now[r] + before[r]) * (now[r] + before[r]);
    before[r] = now[r];
  }
  state->usual[k] = fmax(sqrt(change), FORGETS * state->usual[k]);
  return sqrt(size) > ALTERNATES * state->usual[k];
}

void thud_bodies_note_joints(body_motion *motion) {
  for (thud_index k = 0; k < motion->model.joint_count; k++) {
    body_settling *settles = &motion->joints.settles[k];
    *settles = BODY_KEEPS_RATES;
    if (!thud_bodies_joint_acts(motion, k)) {
      motion->state.begun[k] = false;
      continue;
    }
    if (note_rates(motion, k)) *settles = BODY_RATES_ALTERNATE;
    if (is_jolted(motion, k)) *settles = BODY_WAS_JOLTED;
  }
}

/* A row as one of bodies that move; the first of them is a. */
body_link thud_bodies_row_link(const body_motion *motion, thud_index k, const thud_joint_row *row) {
  const thud_joint *joint = &motion->model.joints[k];
  bool a_moves = motion->moves[joint->a], b_moves = joint->b >= 0 && motion->moves[joint->b];
  body_link link = {.a = a_moves ? joint->a : joint->b,
                    .b = a_moves && b_moves ? joint->b : -1,
                    .path = -1,
                    .is_joint = true,
                    .joint = k};
  thud_vec3 minus = thud_vec3_negate(row->force_a), about = thud_vec3_negate(row->about_a);
  thud_bodies_pack(motion, a_moves ? minus : row->force, a_moves ? about : row->about_b, link.J_a);
  if (link.b >= 0) thud_bodies_pack(motion, row->force, row->about_b, link.J_b);
  return link;
}

thud_error thud_bodies_add_joint_rows(body_motion *motion, thud_index k) {
  body_implicit *p = &motion->implicit;
  body_joints *j = &motion->joints;
  j->row_count[k] = 0;
  if (!thud_bodies_joint_acts(motion, k)) return THUD_OK;
  double rounding;
  thud_joint_place place = find_rows(motion, k);
  double size = size_of(motion, &motion->model.joints[k], &place, &rounding);
  size_t count = j->row_count[k], first = (size_t)k * THUD_JOINT_ROWS;
  thud_error error =
      thud_array_reserve(motion->base.context, &p->links, &p->link_capacity, p->link_count + count, sizeof *p->links);
  if (error != THUD_OK) return error;
  for (size_t r = 0; r < count; r++) {
    const thud_joint_row *row = &j->row[first + r];
    body_link *link = &p->links[p->link_count++];
    *link = thud_bodies_row_link(motion, k, row);
    link->row = (thud_index)r;
    link->is_out = link->was_out = (motion->state.out[k] >> r & 1) != 0;
    link->open = fmin(CLOSED * openness(row, size, rounding), MOST_DOUBTED);
    double wanted = j->settles[k] != BODY_KEEPS_RATES ? j->rate[first + r] : 0, moving = 0;
    for (int side = 0; side < 2; side++) {
      thud_index i = side == 0 ? link->a : link->b;
      double x[THUD_BODY_BLOCK];
      if (i < 0) continue;
      thud_bodies_pack(motion, motion->state.velocity[i], motion->state.spin[i], x);
      moving += body_dot((size_t)motion->problem.block, side == 0 ? link->J_a : link->J_b, x);
    }
    link->aim = wanted - 2 * (moving + path_rate(motion, k, row));
  }
  return THUD_OK;
}

/* ---- turning --------------------------------------------------------------------------------------------------------- */

/* Angular momentum that body i gets by Euler's equations because joints turn it by `moment`, beside that moment. */
static thud_vec3 gyroscopic_answer(const body_motion *motion, thud_index i, thud_vec3 moment) {
  const body_implicit *p = &motion->implicit;
  thud_quat q = motion->state.pose[i].rotation;
  thud_mat3 I = motion->model.inertia[i];
  thud_vec3 torque = thud_vec3_subtract(thud_vec3_add(p->elastic_torque[i], motion->torque[i]), p->stiff_torque[i]);
  thud_vec3 given = thud_vec3_scale(motion->h, thud_quat_rotate_inverse(q, torque));
  thud_vec3 of_joints = thud_quat_rotate_inverse(q, moment), w = thud_quat_rotate_inverse(q, motion->state.spin[i]);
  thud_vec3 with = thud_bodies_turn_freely(I, w, thud_vec3_add(given, of_joints), motion->h);
  thud_vec3 without = thud_bodies_turn_freely(I, w, given, motion->h);
  thud_vec3 change = thud_mat3_apply(I, thud_vec3_subtract(with, without));
  return thud_quat_rotate(q, thud_vec3_subtract(change, of_joints));
}

static bool has_gyroscopic_answer(const body_motion *motion, thud_index i) {
  return motion->implicit.cluster[i] >= 0 && motion->moves[i] && !motion->isotropic[i] && !motion->implicit.own[i];
}

double thud_bodies_turn_by_joints(body_motion *motion) {
  body_implicit *p = &motion->implicit;
  thud_vec3 *sum = motion->joints.torque;
  size_t n = (size_t)motion->problem.block;
  double most = 0;
  for (thud_index i = 0; i < motion->model.count; i++) sum[i] = (thud_vec3){0};
  for (size_t r = 0; r < p->coupled; r++) {
    const body_link *link = &p->links[r];
    double impulse = -p->rates[p->coupled + r];
    if (!link->is_joint) continue;
    sum[link->a] = thud_vec3_add_scaled(sum[link->a], impulse, thud_vec3_load(link->J_a + 3));
    if (link->b >= 0) sum[link->b] = thud_vec3_add_scaled(sum[link->b], impulse, thud_vec3_load(link->J_b + 3));
  }
  for (thud_index i = 0; i < motion->model.count; i++) {
    if (!has_gyroscopic_answer(motion, i)) continue;
    thud_vec3 answer = gyroscopic_answer(motion, i, sum[i]), none = {0}, v, w;
    thud_vec3 change = thud_vec3_subtract(answer, motion->joints.turned[i]);
    double spin = thud_vec3_norm(motion->state.spin[i]) + thud_vec3_norm(motion->spin_free[i]);
    /* the answer is a difference of momenta of the size of what joints give: at rest that is its rounding */
    double size = thud_mat3_trace(motion->model.inertia[i]) * spin + thud_vec3_norm(sum[i]);
    double part = thud_vec3_norm(change);
    if (part <= 2 * DBL_EPSILON * size) continue;
    thud_bodies_respond(motion, i, none, change, &v, &w);
    motion->velocity_free[i] = thud_vec3_add(motion->velocity_free[i], v);
    motion->spin_free[i] = thud_vec3_add(motion->spin_free[i], w);
    double *load = p->load + (size_t)i * n + 3;
    thud_vec3_store(thud_vec3_add(thud_vec3_load(load), change), load);
    motion->joints.turned[i] = answer;
    most = fmax(most, part / size);
  }
  return most;
}

/* ---- forces ---------------------------------------------------------------------------------------------------------- */

void thud_bodies_add_joint_force(const body_motion *motion, thud_index k, const thud_joint_row *row, double impulse,
                                 thud_vec3 *force, thud_vec3 *moment) {
  const thud_joint *joint = &motion->model.joints[k];
  const thud_pose *pose = motion->state.pose;
  thud_vec3 point = joint->b >= 0 ? thud_pose_point(&pose[joint->b], joint->point_b) : joint->point_b;
  thud_vec3 lever = thud_vec3_subtract(point, pose[joint->a].position);
  thud_vec3 about = thud_vec3_subtract(row->about_a, thud_vec3_cross(lever, row->force_a));
  *force = thud_vec3_add_scaled(*force, -impulse, row->force_a);
  *moment = thud_vec3_add_scaled(*moment, -impulse, about);
}

void thud_bodies_book_joints(body_motion *motion) {
  body_implicit *p = &motion->implicit;
  body_joints *j = &motion->joints;
  thud_body_ledger *ledger = &motion->state.now->ledger;
  for (thud_index k = 0; k < motion->model.joint_count; k++)
    j->force[k] = j->moment[k] = j->answer_force[k] = j->answer_moment[k] = (thud_vec3){0};
  for (size_t r = 0; r < p->coupled && motion->model.joint_count > 0; r++) {
    const body_link *link = &p->links[r];
    if (!link->is_joint) continue;
    thud_index k = link->joint;
    const thud_joint_row *row = &j->row[(size_t)k * THUD_JOINT_ROWS + (size_t)link->row];
    double answer = motion->problem.parent[link->a] >= 0 ? link->answer : 0, impulse = link->impulse + answer;
    thud_bodies_add_joint_force(motion, k, row, impulse, &j->force[k], &j->moment[k]);
    thud_bodies_add_joint_force(motion, k, row, answer, &j->answer_force[k], &j->answer_moment[k]);
    ledger->kinematic_work -= impulse * path_rate(motion, k, row);
    if (j->settles[k] == BODY_RATES_ALTERNATE)
      motion->state.now->info.joint_loss -= impulse * mean_rate(motion, k, row);
  }
  thud_vec3 *impulses[] = {j->force, j->moment, j->answer_force, j->answer_moment};
  for (size_t i = 0; i < sizeof impulses / sizeof *impulses; i++)
    for (thud_index k = 0; k < motion->model.joint_count; k++)
      impulses[i][k] = thud_vec3_scale(1 / motion->h, impulses[i][k]);
}

void thud_bodies_mark_jolted(body_motion *motion) {
  const body_contacts *c = &motion->contacts;
  const body_problem *p = &motion->problem;
  if (motion->model.joint_count == 0) return;
  for (thud_index s = 0; s < p->island_count; s++) {
    bool acts = false;
    for (thud_index at = p->contact_start[s]; at < p->contact_start[s + 1]; at++)
      acts = acts || c->r[(size_t)p->order[at] * (size_t)p->d] > 0;
    acts = acts || thud_bodies_laws_jolt(motion, s);
    for (thud_index i = p->body_start[s]; i < p->body_start[s + 1]; i++) motion->state.jolted[p->body[i]] = acts;
  }
  for (thud_index i = 0; i < motion->model.count; i++)
    if (p->parent[i] < 0) motion->state.jolted[i] = false;
}

/* ---- positions ------------------------------------------------------------------------------------------------------- */

typedef struct gap {
  double openness, length, angle; /* the worst */
  thud_index joint;               /* with it, -1 */
} gap;

/* Coordinates beyond a limit are rows, too: they are moved to it. Whether one of them is, and how far in units of rounding. */
static double find_beyond(body_motion *motion, thud_index k, int c, double size, double rounding) {
  size_t place = (size_t)k * THUD_JOINT_LAWS + (size_t)c;
  const thud_joint_law *law = &motion->model.joints[k].law[c];
  thud_joint_row row = thud_bodies_coordinate(motion, k, c);
  double lower = thud_bodies_limit_gap(law, row.value, false), upper = thud_bodies_limit_gap(law, row.value, true);
  motion->joints.is_beyond[place] = fmin(lower, upper) < 0;
  if (!(fmin(lower, upper) < 0)) return 0;
  row.value = lower < upper ? lower : -upper;
  motion->joints.beyond[place] = row;
  return openness(&row, size, rounding);
}

/* Rows of all joints at the present poses, and the worst gap. */
static gap measure(body_motion *motion) {
  body_joints *j = &motion->joints;
  gap worst = {.joint = -1};
  for (thud_index k = 0; k < motion->model.joint_count; k++) {
    double rounding;
    j->row_count[k] = 0;
    j->open[k] = 0;
    for (size_t c = 0; c < THUD_JOINT_LAWS; c++) j->is_beyond[(size_t)k * THUD_JOINT_LAWS + c] = false;
    if (!thud_bodies_joint_acts(motion, k)) continue;
    thud_joint_place place = find_rows(motion, k);
    double size = size_of(motion, &motion->model.joints[k], &place, &rounding);
    for (size_t r = 0; r < j->row_count[k]; r++) {
      const thud_joint_row *row = &j->row[(size_t)k * THUD_JOINT_ROWS + r];
      double open = openness(row, size, rounding);
      double *most = row->is_angle ? &worst.angle : &worst.length;
      *most = fmax(*most, fabs(row->value));
      j->open[k] = fmax(j->open[k], CLOSED * open);
      if (!(open > worst.openness)) continue;
      worst.openness = open;
      worst.joint = k;
    }
    for (int c = 0; c < motion->model.joints[k].law_count; c++) {
      double open = find_beyond(motion, k, c, size, rounding);
      j->open[k] = fmax(j->open[k], CLOSED * open);
      if (!(open > worst.openness)) continue;
      worst.openness = open;
      worst.joint = k;
    }
  }
  return worst;
}

/* Row r of a joint, those of coordinates beyond a limit behind the others; NULL: there is none. */
static const thud_joint_row *row_at(const body_joints *j, thud_index k, size_t r) {
  if (r < THUD_JOINT_ROWS) return r < j->row_count[k] ? &j->row[(size_t)k * THUD_JOINT_ROWS + r] : NULL;
  size_t place = (size_t)k * THUD_JOINT_LAWS + (r - THUD_JOINT_ROWS);
  return j->is_beyond[place] ? &j->beyond[place] : NULL;
}

/* N of a row without what answers to the step. */
static void find_plain_responses(const body_motion *motion, body_link *link) {
  for (int side = 0; side < 2; side++) {
    thud_index i = side == 0 ? link->a : link->b;
    thud_vec3 v, w;
    if (i < 0) continue;
    thud_bodies_unpack(motion, side == 0 ? link->J_a : link->J_b, &v, &w);
    v = thud_vec3_scale(1 / motion->model.mass[i], v);
    w = thud_mat3_apply(motion->inverse_inertia[i], w);
    thud_bodies_pack(motion, v, w, side == 0 ? link->N_a : link->N_b);
  }
}

/* Overlaps that are too deep and touch a mechanism, as rows behind those of joints. */
static thud_error add_overlap_rows(body_motion *motion, size_t *count) {
  body_joints *j = &motion->joints;
  thud_context *context = motion->base.context;
  size_t most = *count;
  for (size_t k = 0; k < motion->overlaps.count; k++) most += thud_bodies_overlap_row(motion, k, NULL);
  thud_error error = thud_array_reserve(context, &j->links, &j->link_capacity, most, sizeof *j->links);
  if (error == THUD_OK) error = thud_array_reserve(context, &j->work, &j->work_capacity, most, sizeof *j->work);
  for (size_t k = 0; k < motion->overlaps.count && error == THUD_OK; k++) {
    body_link link = {.a = -1};
    if (!thud_bodies_overlap_row(motion, k, &link)) continue;
    link.row = THUD_JOINT_ROWS + THUD_JOINT_LAWS;
    find_plain_responses(motion, &link);
    j->links[(*count)++] = link;
  }
  return error;
}

/* Links of all rows with plain responses, factorised, those of overlaps among them where `apart`. */
static thud_error factorize_rows(body_motion *motion, double doubt, bool apart, size_t *count) {
  body_joints *j = &motion->joints;
  thud_context *context = motion->base.context;
  size_t most = (THUD_JOINT_ROWS + THUD_JOINT_LAWS) * (size_t)motion->model.joint_count;
  thud_error error = thud_array_reserve(context, &j->links, &j->link_capacity, most, sizeof *j->links);
  if (error == THUD_OK) error = thud_array_reserve(context, &j->work, &j->work_capacity, most, sizeof *j->work);
  if (error != THUD_OK) return error;
  *count = 0;
  for (thud_index at = 0; at < motion->model.joint_count + motion->model.spring_count; at++) {
    thud_index k = j->order[at] - motion->model.spring_count;
    if (k < 0) continue;
    for (size_t r = 0; r < THUD_JOINT_ROWS + THUD_JOINT_LAWS; r++) {
      const thud_joint_row *row = row_at(j, k, r);
      if (row == NULL) continue;
      body_link *link = &j->links[(*count)++];
      *link = thud_bodies_row_link(motion, k, row);
      link->row = (thud_index)r;
      link->was_out = r < THUD_JOINT_ROWS && (motion->state.out[k] >> r & 1) != 0;
      link->open = j->open[k];
      link->aim = -row->value;
      find_plain_responses(motion, link);
    }
  }
  if (apart) error = add_overlap_rows(motion, count);
  if (error == THUD_OK) error = thud_bodies_lay_out(motion, *count, j->links, &j->envelope);
  return error == THUD_OK ? thud_bodies_factorize(motion, *count, j->links, doubt, &j->envelope) : error;
}

static void note_dependent(body_motion *motion, size_t count) {
  for (thud_index k = 0; k < motion->model.joint_count; k++) motion->state.out[k] = 0;
  for (size_t r = 0; r < count; r++) {
    const body_link *link = &motion->joints.links[r];
    if (link->is_out && link->row < THUD_JOINT_ROWS) motion->state.out[link->joint] |= (unsigned char)(1u << link->row);
  }
}

/* Adds l N S' of all rows to vectors of bodies. */
static void add_responses(const body_motion *motion, size_t count, const double *l, thud_vec3 *v, thud_vec3 *w) {
  for (size_t r = 0; r < count; r++) {
    const body_link *link = &motion->joints.links[r];
    for (int side = 0; side < 2; side++) {
      thud_index i = side == 0 ? link->a : link->b;
      thud_vec3 dv, dw;
      if (i < 0) continue;
      thud_bodies_unpack(motion, side == 0 ? link->N_a : link->N_b, &dv, &dw);
      v[i] = thud_vec3_add_scaled(v[i], l[r], dv);
      w[i] = thud_vec3_add_scaled(w[i], l[r], dw);
    }
  }
}

/* Moves the bodies by what closes the rows to first order. */
static void move_bodies(body_motion *motion, size_t count) {
  body_joints *j = &motion->joints;
  body_state *state = &motion->state;
  thud_vec3 *shift = motion->overlaps.shift, *twist = motion->overlaps.twist;
  for (size_t r = 0; r < count; r++) j->work[r] = j->links[r].aim;
  thud_bodies_solve_lower(&j->envelope, 0, count, j->work);
  thud_bodies_solve_upper(&j->envelope, 0, count, j->work);
  add_responses(motion, count, j->work, shift, twist);
  for (thud_index i = 0; i < motion->model.count; i++) {
    if (!motion->moves[i]) continue;
    state->pose[i].position = thud_vec3_add(state->pose[i].position, shift[i]);
    thud_bodies_turn_body(state, i, twist[i]);
    state->lift[i] = thud_vec3_add(state->lift[i], shift[i]);
    shift[i] = twist[i] = (thud_vec3){0};
  }
}

thud_error thud_bodies_factorize_joints(body_motion *motion, size_t *count) {
  measure(motion);
  return factorize_rows(motion, BODY_DOUBT, false, count);
}

thud_error thud_bodies_move_mechanisms_apart(body_motion *motion) {
  size_t count = 0;
  measure(motion);
  thud_error error = factorize_rows(motion, BODY_DOUBT, true, &count);
  if (error == THUD_OK) move_bodies(motion, count);
  return error;
}

/* Newton's method in the metric of the masses; *left: what stays open. Which rows depend on others is decided where they are closed;
 * on the way there, rows that may depend on them wait until these are closed, since the equations of an open mechanism have no solution
 * near by when there are more of them than freedoms. They wait less long where nothing else closes them. */
static thud_error close_rows(body_motion *motion, gap *left) {
  double before = INFINITY, doubt = BODY_DOUBT;
  size_t count = 0;
  *left = measure(motion);
  for (int round = 0; round < MOST_ROUNDS; round++) {
    thud_error error = THUD_OK;
    bool closed = left->openness <= 1;
    if (round == 0 || !closed || !motion->joints.envelope.is_certain)
      error = factorize_rows(motion, closed ? BODY_DOUBT : doubt, false, &count);
    if (error != THUD_OK) return error;
    if (closed || (round > MOST_ROUNDS / 2 && left->openness >= before)) break;
    if (left->openness > SLOW * before) doubt *= LESS_DOUBT;
    before = left->openness;
    move_bodies(motion, count);
    *left = measure(motion);
  }
  note_dependent(motion, count);
  return THUD_OK;
}

static bool refuse_turns(body_motion *motion) {
  thud_index fast = thud_bodies_uncounted_coupling(motion);
  if (fast < 0) return false;
  motion->state.now->info.status = THUD_MOTION_NOT_CONVERGED;
  thud_fail(motion->base.context, THUD_ERROR_NOT_CONVERGED,
            "[bad-joint] the bodies of joint '%s' make more than one turn in the step near t = %g, and turns cannot be "
            "counted; take shorter steps",
            motion->model.joints[fast].name, motion->state.now->t);
  return true;
}

thud_error thud_bodies_close_joints(body_motion *motion) {
  gap left;
  if (motion->model.joint_count == 0) return THUD_OK;
  if (refuse_turns(motion)) return THUD_OK;
  thud_error error = close_rows(motion, &left);
  if (error != THUD_OK) return error;
  motion->state.now->joint_gap = left.length;
  if (left.openness * CLOSED <= OPEN) return THUD_OK;
  motion->state.now->info.status = THUD_MOTION_NOT_CONVERGED;
  thud_fail(motion->base.context, THUD_ERROR_NOT_CONVERGED,
            "[bad-joint] joint '%s' does not close near t = %g: a gap of %.3g and an angle of %.3g stay; its bodies "
            "are held apart by "
            "other joints or by paths, or the step is too long",
            motion->model.joints[left.joint].name, motion->state.now->t, left.length, left.angle);
  return THUD_OK;
}

/* ---- the start ------------------------------------------------------------------------------------------------------- */

thud_error thud_bodies_check_fit(body_motion *motion, thud_index k) {
  const thud_joint *joint = &motion->model.joints[k];
  const thud_joint_class *kind = thud_joint_class_of(joint->kind);
  thud_joint_place place = find_rows(motion, k);
  const char *fault = kind->fault != NULL ? kind->fault(&place) : NULL;
  double rounding, size = size_of(motion, joint, &place, &rounding), worst = 0, open = 0;
  if (fault != NULL)
    return thud_fail(motion->base.context, THUD_ERROR_ARGUMENT, "[bad-joint] joint '%s': %s", joint->name, fault);
  for (size_t r = 0; r < motion->joints.row_count[k]; r++) {
    const thud_joint_row *row = &motion->joints.row[(size_t)k * THUD_JOINT_ROWS + r];
    if (openness(row, size, rounding) * CLOSED > START) open = fmax(open, fabs(row->value));
  }
  for (int c = 0; c < joint->law_count; c++) {
    thud_joint_row row = thud_bodies_coordinate(motion, k, c);
    row.value = fmin(thud_bodies_limit_gap(&joint->law[c], row.value, false),
                     thud_bodies_limit_gap(&joint->law[c], row.value, true));
    if (row.value < 0 && openness(&row, size, rounding) * CLOSED > START) worst = fmax(worst, -row.value);
  }
  if (open == 0 && worst == 0) return THUD_OK;
  return thud_fail(motion->base.context, THUD_ERROR_ARGUMENT,
                   "[bad-change] joint '%s' does not fit its bodies where they are at t = %g: it is open by %.3g, and "
                   "beyond its limits by %.3g",
                   joint->name, motion->state.now->t, open, worst);
}

/* "'a' by 0.01 m..." of every joint that is open. */
static thud_error refuse_start(body_motion *motion, const char *what, const double *sizes) {
  enum { SHOWN = 5 };
  char text[1024];
  size_t used = 0, bad = 0;
  for (thud_index k = 0; k < motion->model.joint_count; k++) {
    if (!(sizes[k] > 0)) continue;
    if (bad++ < SHOWN && used < sizeof text - 200)
      used += (size_t)snprintf(text + used, sizeof text - used, "%s'%.60s' by %.3g", bad > 1 ? ", " : "",
                               motion->model.joints[k].name, sizes[k]);
    motion->refused = motion->model.joints[k].a;
  }
  if (bad > SHOWN) snprintf(text + used, sizeof text - used, ", and %zu more", bad - SHOWN);
  return thud_fail(
      motion->base.context, THUD_ERROR_ARGUMENT,
      "[bad-joint] joints or their limits contradict the %s of the start: %s; correct them, or set simulate: {relax: "
      "true}, which changes "
      "them by as little as possible",
      what, text);
}

static thud_error check_places(body_motion *motion, double *sizes) {
  body_joints *j = &motion->joints;
  bool bad = false;
  measure(motion);
  for (thud_index k = 0; k < motion->model.joint_count; k++) {
    const thud_joint *joint = &motion->model.joints[k];
    const thud_pose *pose = motion->state.pose;
    double rounding;
    thud_joint_place place =
        thud_joint_place_at(joint, motion->model.planar, &pose[joint->a], joint->b >= 0 ? &pose[joint->b] : NULL);
    if (thud_bodies_joint_acts(motion, k)) thud_bodies_count_coupling(motion, k, &place);
    double size = size_of(motion, joint, &place, &rounding);
    sizes[k] = 0;
    for (size_t r = 0; r < j->row_count[k]; r++) {
      const thud_joint_row *row = &j->row[(size_t)k * THUD_JOINT_ROWS + r];
      if (openness(row, size, rounding) * CLOSED > START) sizes[k] = fmax(sizes[k], fabs(row->value));
    }
    for (size_t r = THUD_JOINT_ROWS; r < THUD_JOINT_ROWS + THUD_JOINT_LAWS; r++) {
      const thud_joint_row *row = row_at(j, k, r);
      if (row != NULL && openness(row, size, rounding) * CLOSED > START) sizes[k] = fmax(sizes[k], fabs(row->value));
    }
    bad = bad || sizes[k] > 0;
  }
  return bad && !motion->options.relax ? refuse_start(motion, "places", sizes) : THUD_OK;
}

/* Velocities of the points that rows compare, by size. A lever of 0 is rounded beside the extent of its body. */
static double speed_of(const body_motion *motion, thud_index k, const thud_joint_row *row) {
  const thud_joint *joint = &motion->model.joints[k];
  double speed = 0;
  for (int side = 0; side < 2; side++) {
    thud_index i = side == 0 ? joint->a : joint->b;
    if (i < 0) continue;
    double force = thud_vec3_norm(side == 0 ? row->force_a : row->force);
    double lever = thud_vec3_norm(side == 0 ? row->about_a : row->about_b) + force * radius_of_gyration(motion, i);
    speed += force * thud_vec3_norm(motion->state.velocity[i]) + lever * thud_vec3_norm(motion->state.spin[i]);
  }
  return speed;
}

/* Rates at the start, which become 0 with options.relax. */
static thud_error check_velocities(body_motion *motion, double *sizes) {
  body_joints *j = &motion->joints;
  size_t count = 0;
  bool bad = false;
  for (thud_index k = 0; k < motion->model.joint_count; k++) {
    sizes[k] = 0;
    for (size_t r = 0; r < j->row_count[k]; r++) {
      const thud_joint_row *row = &j->row[(size_t)k * THUD_JOINT_ROWS + r];
      double rate = thud_bodies_rate_of_row(&motion->model.joints[k], row, motion->state.velocity, motion->state.spin);
      if (fabs(rate) > START * speed_of(motion, k, row)) sizes[k] = fmax(sizes[k], fabs(rate));
    }
    bad = bad || sizes[k] > 0;
  }
  if (!bad) return THUD_OK;
  if (!motion->options.relax) return refuse_start(motion, "velocities", sizes);
  thud_error error = factorize_rows(motion, BODY_DOUBT, false, &count);
  for (int pass = 0; pass < 2 && error == THUD_OK; pass++) {
    for (size_t r = 0; r < count; r++) {
      const body_link *link = &j->links[r];
      const thud_joint_row *row = row_at(j, link->joint, (size_t)link->row);
      j->work[r] =
          -thud_bodies_rate_of_row(&motion->model.joints[link->joint], row, motion->state.velocity, motion->state.spin);
    }
    thud_bodies_solve_lower(&j->envelope, 0, count, j->work);
    thud_bodies_solve_upper(&j->envelope, 0, count, j->work);
    add_responses(motion, count, j->work, motion->state.velocity, motion->state.spin);
  }
  return error;
}

/* thud_bodies_check_start has made the inertias. */
thud_error thud_bodies_check_joints(body_motion *motion) {
  gap left;
  if (motion->model.joint_count == 0) return THUD_OK;
  double *sizes = THUD_NEW_ARRAY(motion->base.context, double, (size_t)motion->model.joint_count);
  if (sizes == NULL) return THUD_ERROR_MEMORY;
  thud_error error = thud_bodies_check_couplings(motion);
  if (error == THUD_OK) error = check_places(motion, sizes);
  if (error == THUD_OK) error = close_rows(motion, &left);
  if (error == THUD_OK && left.openness * CLOSED > START) {
    motion->refused = motion->model.joints[left.joint].a;
    error = thud_fail(motion->base.context, THUD_ERROR_ARGUMENT,
                      "[bad-joint] the joints cannot be closed: at joint '%s' a gap of %.3g and an angle of %.3g stay; "
                      "change lengths "
                      "or places of the bodies of its loop",
                      motion->model.joints[left.joint].name, left.length, left.angle);
  }
  for (thud_index i = 0; i < motion->model.count; i++) /* spins are given in the world */
    if (motion->moves[i]) motion->state.spin[i] = motion->model.spin[i];
  if (error == THUD_OK) error = check_velocities(motion, sizes);
  thud_free(motion->base.context, sizes);
  return error;
}

void thud_bodies_free_joint_rows(body_motion *motion) {
  body_joints *j = &motion->joints;
  void *const arrays[] = {j->links, j->work, j->envelope.rows, j->envelope.factor};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(motion->base.context, arrays[k]);
}
