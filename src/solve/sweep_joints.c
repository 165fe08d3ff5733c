/* Joints in the sweeps over bodies: with G = J F as in sweep_two_block.c, the rows of a joint move by D dl, D = G_a
 * G_a' +
 * G_b G_b', and dl = -D^-1 u_b stops them. Where rows depend on each other D is singular: the dependent ones, found
 * by the
 * pivots of its factor, keep their impulse, for the others hold them too. */
#include "solve/sweep.h"
#include "solve/semidefinite.h"
#include "contact/problem.h"

#include <math.h>
#include <string.h>

enum { CHUNK = 128, ROWS = THUD_CONTACT_JOINT_MAX };

struct thud_joint_sweep {
  thud_context *context;
  size_t n, joints, rows;
  /* by visit */
  thud_index *order, *first; /* joint of each visit; [joints+1] its first row below */
  thud_index *body;          /* [2*joints] -1: the world, or a body that never moves */
  /* by row, in the order of visits */
  thud_index *row; /* as given */
  double *G;       /* [rows*2*n] side by side: G_a, G_b */
  double *q, *l;   /* [rows] */
  double *factor;  /* [rows*ROWS] row-major lower factor of D, joint by joint */
  /* colours */
  thud_index *colour, *moving; /* [joints], [2*joints] scratch */
  thud_index start[THUD_COLOURS_MAX + 2], colours;
  thud_sweep_result *partial; /* [joints/CHUNK+1] */
  /* of the pass under way */
  double *z;
  size_t begin, end;
};

thud_error thud_joint_sweep_create(thud_context *context, const thud_contact_problem *problem,
                                   thud_joint_sweep **sweep) {
  thud_joint_sweep *made = THUD_NEW(context, thud_joint_sweep);
  if (made == NULL) return THUD_ERROR_MEMORY;
  size_t n = (size_t)problem->two_block.block, joints = (size_t)problem->two_block.joints;
  size_t rows = (size_t)problem->bilateral;
  *made = (thud_joint_sweep){.context = context, .n = n, .joints = joints, .rows = rows};
  made->order = THUD_NEW_ARRAY(context, thud_index, joints);
  made->first = THUD_NEW_ARRAY(context, thud_index, joints + 1);
  made->body = THUD_NEW_ARRAY(context, thud_index, 2 * joints);
  made->row = THUD_NEW_ARRAY(context, thud_index, rows);
  made->G = THUD_NEW_ARRAY(context, double, rows * 2 * n);
  made->q = THUD_NEW_ARRAY(context, double, rows);
  made->l = THUD_NEW_ARRAY(context, double, rows);
  made->factor = THUD_NEW_ARRAY(context, double, rows *ROWS);
  made->colour = THUD_NEW_ARRAY(context, thud_index, joints);
  made->moving = THUD_NEW_ARRAY(context, thud_index, 2 * joints);
  made->partial = THUD_NEW_ARRAY(context, thud_sweep_result, joints / CHUNK + 1);
  if (made->order == NULL || made->first == NULL || made->body == NULL || made->row == NULL || made->G == NULL ||
      made->q == NULL || made->l == NULL || made->factor == NULL || made->colour == NULL || made->moving == NULL ||
      made->partial == NULL) {
    thud_joint_sweep_destroy(made);
    return THUD_ERROR_MEMORY;
  }
  *sweep = made;
  return THUD_OK;
}

void thud_joint_sweep_destroy(thud_joint_sweep *sweep) {
  if (sweep == NULL) return;
  void *arrays[] = {sweep->order, sweep->first,  sweep->body,   sweep->row,    sweep->G,      sweep->q,
                    sweep->l,     sweep->factor, sweep->colour, sweep->moving, sweep->partial};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(sweep->context, arrays[k]);
  thud_free(sweep->context, sweep);
}

/* ---- update ------------------------------------------------------------------------------------------------ */

/* D = G G' of the m rows of a visit, factorised. */
static void factorize(const thud_joint_sweep *sweep, size_t first, size_t m) {
  double D[ROWS * ROWS];
  size_t width = 2 * sweep->n;
  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j <= i; j++) {
      const double *a = sweep->G + (first + i) * width, *b = sweep->G + (first + j) * width;
      double sum = 0;
      for (size_t k = 0; k < width; k++) sum += a[k] * b[k];
      D[i * m + j] = D[j * m + i] = sum;
    }
  thud_semidefinite_factor(m, D, sweep->factor + first * ROWS);
}

static void prepare_visit(thud_joint_sweep *sweep, const thud_two_block *two, const double *F, size_t visit) {
  size_t n = sweep->n, j = (size_t)sweep->order[visit], first = (size_t)sweep->first[visit];
  size_t m = (size_t)(two->joint_start[j + 1] - two->joint_start[j]);
  const thud_index bodies[2] = {two->joint_a[j], two->joint_b[j]};
  const double *const jacobians[2] = {two->joint_jacobian_a, two->joint_jacobian_b};
  memset(sweep->G + first * 2 * n, 0, m * 2 * n * sizeof(double));
  for (size_t i = 0; i < m; i++) {
    size_t given = (size_t)two->joint_start[j] + i;
    sweep->row[first + i] = (thud_index)given;
    sweep->q[first + i] = two->joint_w != NULL ? two->joint_w[given] : 0;
    for (size_t side = 0; side < 2; side++) {
      if (bodies[side] < 0) continue;
      const double *row = jacobians[side] + given * n, *own = F + (size_t)bodies[side] * n * n;
      const double *v = two->free_velocity + (size_t)bodies[side] * n;
      double *G = sweep->G + (first + i) * 2 * n + side * n;
      for (size_t c = 0; c < n; c++) {
        for (size_t k = c; k < n; k++) G[c] += row[k] * own[k * n + c];
        sweep->q[first + i] += row[c] * v[c];
      }
    }
  }
  for (size_t side = 0; side < 2; side++) sweep->body[2 * visit + side] = sweep->moving[side * sweep->joints + j];
  factorize(sweep, first, m);
}

static bool is_zero(size_t count, const double *x) {
  for (size_t i = 0; i < count; i++)
    if (x[i] != 0) return false;
  return true;
}

void thud_joint_sweep_update(thud_joint_sweep *sweep, const thud_contact_problem *problem, const double *F,
                             uint64_t *used) {
  const thud_two_block *two = &problem->two_block;
  size_t entries = sweep->n * sweep->n, joints = sweep->joints;
  for (size_t j = 0; j < joints; j++) {
    const thud_index pair[2] = {two->joint_a[j], two->joint_b[j]};
    for (size_t side = 0; side < 2; side++) {
      bool moves = pair[side] >= 0 && !is_zero(entries, F + (size_t)pair[side] * entries);
      sweep->moving[side * joints + j] = moves ? pair[side] : -1;
    }
  }
  thud_colour_contacts(two->joints, sweep->moving, sweep->moving + joints, two->bodies, used, sweep->colour,
                       sweep->order, sweep->start, &sweep->colours);
  for (size_t visit = 0; visit < joints; visit++) {
    thud_index j = sweep->order[visit];
    sweep->first[visit + 1] = sweep->first[visit] + two->joint_start[j + 1] - two->joint_start[j];
  }
  for (size_t visit = 0; visit < joints; visit++) prepare_visit(sweep, two, F, visit);
}

/* ---- impulses --------------------------------------------------------------------------------------------------- */

/* z += G' dl for both bodies of a visit. */
static void push(const thud_joint_sweep *sweep, size_t visit, const double *dl, double *z) {
  size_t n = sweep->n, first = (size_t)sweep->first[visit], end = (size_t)sweep->first[visit + 1];
  for (size_t side = 0; side < 2; side++) {
    thud_index body = sweep->body[2 * visit + side];
    if (body < 0) continue;
    double *own = z + (size_t)body * THUD_SWEEP_STRIDE;
    for (size_t i = first; i < end; i++) {
      const double *G = sweep->G + i * 2 * n + side * n;
      for (size_t k = 0; k < n; k++) own[k] += G[k] * dl[i - first];
    }
  }
}

void thud_joint_sweep_load(thud_joint_sweep *sweep, const double *l, double *z) {
  for (size_t i = 0; i < sweep->rows; i++) sweep->l[i] = l[sweep->row[i]];
  for (size_t visit = 0; visit < sweep->joints; visit++) push(sweep, visit, sweep->l + sweep->first[visit], z);
}

void thud_joint_sweep_store(const thud_joint_sweep *sweep, double *l) {
  for (size_t i = 0; i < sweep->rows; i++) l[sweep->row[i]] = sweep->l[i];
}

/* u_b of row i. */
static double row_velocity(const thud_joint_sweep *sweep, size_t visit, size_t i) {
  size_t n = sweep->n;
  double sum = sweep->q[i];
  for (size_t side = 0; side < 2; side++) {
    thud_index body = sweep->body[2 * visit + side];
    if (body < 0) continue;
    const double *G = sweep->G + i * 2 * n + side * n, *z = sweep->z + (size_t)body * THUD_SWEEP_STRIDE;
    for (size_t k = 0; k < n; k++) sum += G[k] * z[k];
  }
  return sum;
}

static void visit_joint(const thud_joint_sweep *sweep, size_t visit, thud_sweep_result *result) {
  size_t first = (size_t)sweep->first[visit], m = (size_t)sweep->first[visit + 1] - first;
  double change[ROWS];
  for (size_t i = 0; i < m; i++) change[i] = -row_velocity(sweep, visit, first + i);
  thud_semidefinite_solve(m, sweep->factor + first * ROWS, change);
  push(sweep, visit, change, sweep->z);
  for (size_t i = 0; i < m; i++) {
    double *l = &sweep->l[first + i];
    *l += change[i];
    result->change += change[i] * change[i];
    result->square += *l * *l;
  }
}

static void visit_chunk(void *user, size_t task) {
  thud_joint_sweep *sweep = user;
  size_t begin = sweep->begin + task * CHUNK, end = begin + CHUNK < sweep->end ? begin + CHUNK : sweep->end;
  sweep->partial[task] = (thud_sweep_result){.unsolvable = -1};
  for (size_t visit = begin; visit < end; visit++) visit_joint(sweep, visit, &sweep->partial[task]);
}

void thud_joint_sweep_run(thud_joint_sweep *sweep, double *z, thud_sweep_result *result) {
  sweep->z = z;
  for (thud_index c = 0; c <= sweep->colours; c++) {
    sweep->begin = (size_t)sweep->start[c];
    sweep->end = (size_t)sweep->start[c + 1];
    size_t tasks = (sweep->end - sweep->begin + CHUNK - 1) / CHUNK;
    if (c < sweep->colours)
      thud_parallel_for(sweep->context, tasks, visit_chunk, sweep);
    else /* the overflow set shares bodies */
      for (size_t task = 0; task < tasks; task++) visit_chunk(sweep, task);
    for (size_t task = 0; task < tasks; task++) {
      result->change += sweep->partial[task].change;
      result->square += sweep->partial[task].square;
    }
  }
}
