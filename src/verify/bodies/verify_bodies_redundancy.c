/* Which forces of joints are determined, by orthogonalisation. Rows x_i of the conditions, over all bodies, are made orthogonal one
 * after the other, with the combination t of rows that each of them has become; what is left of a row that depends on others is 0,
 * and its combination, sum t_i x_i = 0, is a set of impulses that moves nothing. A component of a joint's force or moment is
 * determined where all these sets have none of it.
 *
 * Ranks are decided with two thresholds on either side of any sensible one: the summary may say what lies between. Where both differ, as
 * next to a position where a mechanism branches, what one of them leaves undetermined may be determined by the other. */
#include "verify/bodies/verify_bodies_joints.h"
#include "verify/verify_summary.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_ROWS = 400, SHOWN = 24 }; /* rows that are checked; components that the summary names */

/* What is left of a row beside it, and the share of a component in the largest: certain, and possible. */
static const double RANK[2] = {1e-7, 1e-4}, SHARE[2] = {1e-5, 1e-9};

typedef struct finding {
  size_t dependent;
  unsigned char *components[2]; /* [joints] 1 << component: certainly and possibly undetermined */
} finding;

typedef struct search {
  const verify_bodies *bodies;
  const verify_body_row *row;
  size_t n, rows, kept;
  verify_joint_condition *condition; /* [rows] */
  size_t *joint;                     /* [rows] */
  double *Q, *T;                     /* [rows*n], [rows*rows] */
  thud_vec3 *force, *moment;         /* [joints] */
} search;

static bool joint_is_there(const verify_joint *joint, const verify_body_row *row) {
  return !joint->off && !row->absent[joint->a] && (joint->b == SIZE_MAX || !row->absent[joint->b]);
}

static void list_rows(search *s) {
  s->rows = 0;
  for (size_t k = 0; k < s->bodies->joint_count; k++) {
    const verify_joint *joint = &s->bodies->joint[k];
    if (!joint_is_there(joint, s->row)) continue;
    verify_joint_placed p = thud_verify_joint_place(joint, s->row->end);
    size_t count = thud_verify_joint_conditions(joint, s->bodies->planar, &p, s->condition + s->rows);
    for (size_t r = 0; r < count; r++) s->joint[s->rows++] = k;
  }
}

static void mark(const search *s, const double *t, finding *found) {
  double largest = 0, length = s->bodies->extent > 0 ? s->bodies->extent : 1;
  for (size_t k = 0; k < s->bodies->joint_count; k++) s->force[k] = s->moment[k] = (thud_vec3){0, 0, 0};
  for (size_t r = 0; r < s->rows; r++) {
    const double *rate = s->condition[r].rate;
    size_t k = s->joint[r];
    s->force[k] = thud_vec3_add_scaled(s->force[k], t[r], thud_vec3_load(rate));
    s->moment[k] = thud_vec3_add_scaled(s->moment[k], t[r], thud_vec3_load(rate + 3));
  }
  for (size_t k = 0; k < s->bodies->joint_count; k++) {
    verify_joint_placed p = thud_verify_joint_place(&s->bodies->joint[k], s->row->end);
    thud_vec3 about = thud_vec3_cross(thud_vec3_add(p.r[0], p.d), s->force[k]); /* about P_b instead of the centre */
    s->moment[k] = thud_vec3_scale(1 / length, thud_vec3_subtract(s->moment[k], about));
    largest = fmax(largest, fmax(thud_vec3_norm(s->force[k]), thud_vec3_norm(s->moment[k])));
  }
  for (size_t k = 0; k < s->bodies->joint_count; k++) {
    double x[6];
    thud_vec3_store(s->force[k], x);
    thud_vec3_store(s->moment[k], x + 3);
    for (int c = 0; c < 6; c++)
      for (int i = 0; i < 2; i++)
        if (fabs(x[c]) > SHARE[i] * largest) found->components[i][k] |= (unsigned char)(1u << c);
  }
}

static double norm_of(size_t n, const double *x) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += x[i] * x[i];
  return sqrt(sum);
}

static void find(search *s, double rank, finding *found) {
  s->kept = 0;
  found->dependent = 0;
  for (size_t r = 0; r < s->rows; r++) {
    double *x = s->Q + s->kept * s->n, *t = s->T + s->kept * s->rows;
    memset(t, 0, s->rows * sizeof *t);
    t[r] = 1;
    thud_verify_joint_spread(s->bodies, &s->bodies->joint[s->joint[r]], &s->condition[r], s->row->end, x);
    double size = norm_of(s->n, x);
    for (int pass = 0; pass < 2; pass++)
      for (size_t q = 0; q < s->kept; q++) {
        const double *y = s->Q + q * s->n, *u = s->T + q * s->rows;
        double sum = 0;
        for (size_t i = 0; i < s->n; i++) sum += x[i] * y[i];
        for (size_t i = 0; i < s->n; i++) x[i] -= sum * y[i];
        for (size_t i = 0; i < r; i++) t[i] -= sum * u[i];
      }
    double left = norm_of(s->n, x);
    if (!(left > rank * size)) {
      found->dependent++;
      mark(s, t, found);
      continue;
    }
    for (size_t i = 0; i < s->n; i++) x[i] /= left;
    for (size_t i = 0; i <= r; i++) t[i] /= left;
    s->kept++;
  }
}

/* The components that the text names, in their order; false: it names something else. */
static bool read_claims(const verify_bodies *bodies, const char *text, unsigned char *claims, bool *cut) {
  static const char *const names[] = {"Fx", "Fy", "Fz", "Mx", "My", "Mz"};
  size_t count = 0;
  *cut = false;
  for (size_t k = 0; k < bodies->joint_count; k++)
    for (int c = 0; c < 6; c++) {
      char name[80];
      const char *component = bodies->planar && c == 5 ? "M" : names[c];
      int length = bodies->joint[k].named ? snprintf(name, sizeof name, "%.60s.%s", bodies->joint[k].name, component)
                                          : snprintf(name, sizeof name, "joint-%zu.%s", k + 1, component);
      if (strncmp(text, name, (size_t)length) != 0 || (text[length] != '\0' && strncmp(text + length, ", ", 2) != 0))
        continue;
      text += length;
      if (*text != '\0') text += 2;
      claims[k] |= (unsigned char)(1u << c);
      count++;
    }
  *cut = count == SHOWN && strncmp(text, "and ", 4) == 0;
  return *text == '\0' || *cut;
}

static void compare(const search *s, const thud_node *summary, const finding found[2], unsigned char *claims,
                    thud_verify_check *check) {
  const verify_bodies *bodies = s->bodies;
  const thud_node *text = thud_node_find(summary, "undetermined");
  double equations = 0;
  bool cut;
  if (text == NULL || thud_node_get_kind(text) != THUD_NODE_STRING ||
      !thud_verify_note_find(summary, "redundant_equations", &equations)) {
    thud_verify_fail(check, s->row->t, s->row->number,
                     "the summary does not say which forces of joints are determined");
    return;
  }
  if (!read_claims(bodies, thud_node_string(text), claims, &cut)) {
    thud_verify_fail(check, s->row->t, s->row->number, "'undetermined' names what is no component of a joint's force");
    return;
  }
  if (equations < (double)found[0].dependent || equations > (double)found[1].dependent)
    thud_verify_fail(check, s->row->t, s->row->number, "%g equations of joints are said to depend on others, not %zu",
                     equations, found[0].dependent);
  for (size_t k = 0; k < bodies->joint_count; k++) {
    if ((claims[k] & ~(found[0].components[1][k] | found[1].components[1][k])) != 0)
      thud_verify_fail(check, s->row->t, s->row->number, "a force of '%s' is said to be undetermined, and is not",
                       bodies->joint[k].name);
    if (!cut && (found[0].components[0][k] & found[1].components[0][k] & ~claims[k]) != 0)
      thud_verify_fail(check, s->row->t, s->row->number,
                       "a force of '%s' is not determined, which the summary conceals", bodies->joint[k].name);
  }
}

thud_error thud_verify_redundancy(thud_context *context, const thud_node *summary, const verify_bodies *bodies,
                                  const verify_body_row *last, thud_verify_check *check) {
  size_t joints = bodies->joint_count, most = joints * VERIFY_JOINT_MOST;
  if (joints == 0 || most > MOST_ROWS) return THUD_OK;
  search s = {.bodies = bodies, .row = last, .n = 6 * bodies->count};
  finding found[2] = {{0}};
  unsigned char *claims = THUD_NEW_ARRAY(context, unsigned char, joints);
  s.condition = THUD_NEW_ARRAY(context, verify_joint_condition, most);
  s.joint = THUD_NEW_ARRAY(context, size_t, most);
  s.Q = THUD_NEW_ARRAY(context, double, (most + 1) * s.n);
  s.T = THUD_NEW_ARRAY(context, double, (most + 1) * most);
  s.force = THUD_NEW_ARRAY(context, thud_vec3, joints);
  s.moment = THUD_NEW_ARRAY(context, thud_vec3, joints);
  for (int i = 0; i < 4; i++) found[i / 2].components[i % 2] = THUD_NEW_ARRAY(context, unsigned char, joints);
  bool made = claims != NULL && s.condition != NULL && s.joint != NULL && s.Q != NULL && s.T != NULL &&
              s.force != NULL && s.moment != NULL;
  for (int i = 0; i < 4; i++) made = made && found[i / 2].components[i % 2] != NULL;
  if (made) {
    list_rows(&s);
    for (int i = 0; i < 2; i++) find(&s, RANK[i], &found[i]);
    compare(&s, summary, found, claims, check);
  }
  void *const arrays[] = {claims,
                          s.condition,
                          s.joint,
                          s.Q,
                          s.T,
                          s.force,
                          s.moment,
                          found[0].components[0],
                          found[0].components[1],
                          found[1].components[0],
                          found[1].components[1]};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) thud_free(context, arrays[i]);
  return made ? THUD_OK : THUD_ERROR_MEMORY;
}
