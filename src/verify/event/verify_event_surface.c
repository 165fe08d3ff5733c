/* Surfaces s(q, t) = 0 across which the potential energy or the masses jump (a row with the event `switch`): the momentum
 * p = M v jumps along n = ds/dq and by the impulses of closed constraints, and
 *
 *   l (s'- + s'+)/2 = -(V+ - V-)     of each surface, s' = n'v + ds/dt, where masses stay,
 *   T + V changes by -l ds/dt - r' rate - friction     of all of them,
 *
 * for s' and the slips are linear in l. The motion comes back only from where no velocity leads across. Arguments of the
 * switches are differentiated by differences, and both sides are evaluated at the row's own state by holding them. */
#include "verify/math/verify_dense.h"
#include "verify/event/verify_event.h"

#include "base/base.h"

#include <math.h>
#include <string.h>

/* Relative to sizes: how near a surface a row is, which normals are parallel, and steps of differences. */
#define NEAR 1e-9
#define PARALLEL 1e-6
#define STEP 1e-5

enum { MOST = 8 };

typedef struct surfaces {
  size_t count, groups;
  thud_index number[MOST];       /* [count] of the switches */
  size_t group[MOST];            /* [count] switches with the same surface; SIZE_MAX: the motion stays on it */
  size_t leader[MOST];           /* [groups] */
  int before[MOST], after[MOST]; /* [count] sides */
  double *arguments;             /* owns: [switches] */
  double *normals;               /* [MOST x (n+1)] ds/dq, ds/dt */
  double *momentum, *room;       /* [n] p-; p+ - p- without what is explained */
  double gram[MOST * MOST], l[MOST];
  bool mass, dependent; /* the masses jump; normals depend on each other */
  double potential;     /* V before */
  double energy;        /* T + V before */
} surfaces;

static double *normal_of(const verify_event_rows *f, const surfaces *s, size_t b) {
  return s->normals + b * (f->n + 1);
}

static double across(const verify_event_rows *f, const surfaces *s, size_t b, const double *v) {
  return normal_of(f, s, b)[f->n] + thud_verify_dot(f->n, normal_of(f, s, b), v);
}

/* What counts as 0 of it. */
static double no_speed(const verify_event_rows *f, const surfaces *s, size_t b) {
  double size = fabs(normal_of(f, s, b)[f->n]);
  for (size_t i = 0; i < f->n; i++) size += fabs(normal_of(f, s, b)[i]) * f->v_size[i];
  return NEAR * size;
}

/* ---- finding them ------------------------------------------------------------------------------------------------- */

/* Argument of a switch at a place moved by x along coordinate i (i = n: along the time). */
static double argument_at(verify_event_rows *f, size_t k, thud_index number, size_t i, double x, double *arguments) {
  double *q = f->state;
  memcpy(q, verify_event_q(f, k), f->n * sizeof *q);
  if (i < f->n) q[i] += x;
  thud_verify_system_at(f->system, f->t[k] + (i == f->n ? x : 0), q, f->v_left + k * f->n, &f->at);
  thud_expr_work_switches(f->system->work, arguments);
  return arguments[number];
}

/* ds/dq and ds/dt; returns whether row k lies on the surface. */
static bool find_normal(verify_event_rows *f, size_t k, thud_index number, const surfaces *s, double *normal) {
  double value = argument_at(f, k, number, 0, 0, s->arguments), size = 0;
  for (size_t i = 0; i <= f->n; i++) {
    double scale = i < f->n ? f->q_size[i] : fmax(fabs(f->t[k]), f->t_end[f->count - 1] - f->t[0]);
    double step = STEP * (scale > 0 ? scale : 1);
    normal[i] = (argument_at(f, k, number, i, step, s->arguments) - argument_at(f, k, number, i, -step, s->arguments)) /
                (2 * step);
    size += fabs(normal[i]) * scale;
  }
  return size > 0 && fabs(value) <= NEAR * size;
}

static bool is_same(const verify_event_rows *f, const surfaces *s, size_t a, size_t b) {
  const double *x = normal_of(f, s, a), *y = normal_of(f, s, b);
  double xx = thud_verify_dot(f->n + 1, x, x), yy = thud_verify_dot(f->n + 1, y, y),
         xy = thud_verify_dot(f->n + 1, x, y);
  return xy * xy >= (1 - PARALLEL * PARALLEL) * xx * yy;
}

static void set_sides(verify_event_rows *f, size_t k, surfaces *s, size_t b) {
  double before = across(f, s, b, f->v_left + k * f->n), after = across(f, s, b, verify_event_v(f, k));
  double zero = no_speed(f, s, b);
  s->group[b] = SIZE_MAX;
  s->before[b] = before > 0 ? -1 : 1;
  s->after[b] = after > 0 ? 1 : -1;
  if (fabs(before) <= zero && fabs(after) <= zero) return;
  for (size_t g = 0; g < s->groups && s->group[b] == SIZE_MAX; g++)
    if (is_same(f, s, s->leader[g], b)) s->group[b] = g;
  if (s->group[b] != SIZE_MAX) return;
  s->group[b] = s->groups;
  s->leader[s->groups++] = b;
}

/* Holds the switches of the groups in `turned` on the other side of where they were before, the others there. */
static bool place_on(verify_event_rows *f, size_t k, const surfaces *s, unsigned turned) {
  thud_error error = THUD_OK;
  for (size_t b = 0; b < s->count && error == THUD_OK; b++) {
    if (s->group[b] == SIZE_MAX) continue;
    int side = (turned >> s->group[b] & 1u) != 0 ? -s->before[b] : s->before[b];
    error = thud_expr_work_hold(f->system->work, s->number[b], side);
  }
  bool known =
      error == THUD_OK && thud_verify_system_at(f->system, f->t[k], verify_event_q(f, k), f->v_left + k * f->n, &f->at);
  for (size_t b = 0; b < s->count; b++)
    if (thud_expr_work_hold(f->system->work, s->number[b], 0) != THUD_OK) known = false;
  return known;
}

/* The groups that the motion has crossed. */
static unsigned crossed(const surfaces *s) {
  unsigned turned = 0;
  for (size_t g = 0; g < s->groups; g++)
    if (s->after[s->leader[g]] != s->before[s->leader[g]]) turned |= 1u << g;
  return turned;
}

/* Whether some entry of the masses differs by more than differences of q explain, from what f->at holds. */
static bool masses_jump(const verify_event_rows *f, const double *before) {
  for (size_t i = 0; i < f->n; i++)
    for (size_t j = 0; j < f->n; j++) {
      double size = sqrt(fabs(before[i * (f->n + 1)] * before[j * (f->n + 1)]));
      if (fabs(f->at.mass[i * f->n + j] - before[i * f->n + j]) > NEAR * size) return true;
    }
  return false;
}

static bool find_mass_jump(verify_event_rows *f, size_t k, surfaces *s) {
  double *before = THUD_NEW_ARRAY(f->context, double, f->n * f->n);
  if (before == NULL) return false;
  memcpy(before, f->at.mass, f->n * f->n * sizeof *before);
  bool known = true;
  for (unsigned turned = 1; turned < 1u << s->groups && known && !s->mass; turned++) {
    known = place_on(f, k, s, turned);
    s->mass = known && masses_jump(f, before);
  }
  thud_free(f->context, before);
  return known;
}

static void end(verify_event_rows *f, surfaces *s) { thud_free(f->context, s->arguments); }

static bool begin(verify_event_rows *f, size_t k, surfaces *s) {
  size_t switches = (size_t)thud_expr_program_switch_count(f->system->program);
  memset(s, 0, sizeof *s);
  s->arguments = THUD_NEW_ARRAY(f->context, double, switches + MOST * (f->n + 1) + 2 * f->n);
  if (s->arguments == NULL) return false;
  s->normals = s->arguments + switches;
  s->momentum = s->normals + MOST * (f->n + 1);
  s->room = s->momentum + f->n;
  bool known = true;
  for (thud_index j = 0; j < (thud_index)switches && s->count < MOST; j++) {
    if (!find_normal(f, k, j, s, normal_of(f, s, s->count))) continue;
    s->number[s->count] = j;
    set_sides(f, k, s, s->count);
    s->count++;
  }
  known = s->groups > 0 && place_on(f, k, s, 0);
  if (known) {
    thud_verify_apply_mass(f->system, &f->at, f->v_left + k * f->n, s->momentum);
    s->potential = *f->at.potential;
    s->energy = thud_verify_kinetic(f->system, &f->at, f->v_left + k * f->n) + s->potential;
    known = find_mass_jump(f, k, s);
  }
  if (!known) end(f, s);
  return known;
}

/* ---- the jump ------------------------------------------------------------------------------------------------------ */

/* p+ - p- - C'r = sum l n: the multipliers (least squares), and in room what is left; f->at is that of the side after. */
static void find_multipliers(verify_event_rows *f, size_t k, surfaces *s) {
  const double *r = f->impulse + k * (f->m + f->s);
  size_t groups = s->groups;
  thud_verify_apply_mass(f->system, &f->at, verify_event_v(f, k), s->room);
  for (size_t i = 0; i < f->n; i++) s->room[i] -= s->momentum[i];
  for (size_t row = 0; row < f->m + f->s; row++)
    for (size_t i = 0; i < f->n; i++) s->room[i] -= r[row] * verify_reaction_row(f->system, &f->at, row)[i];
  for (size_t g = 0; g < groups; g++) {
    const double *normal = normal_of(f, s, s->leader[g]);
    double square = thud_verify_dot(f->n, normal, normal);
    s->l[g] = thud_verify_dot(f->n, normal, s->room);
    for (size_t h = 0; h < groups; h++)
      s->gram[g * groups + h] = thud_verify_dot(f->n, normal, normal_of(f, s, s->leader[h]));
    if (square == 0) s->gram[g * groups + g] = 1; /* of time alone */
  }
  s->dependent = !thud_verify_cholesky(groups, s->gram);
  for (size_t g = 0; g < groups && s->dependent; g++) s->l[g] = 0;
  if (s->dependent) return;
  thud_verify_cholesky_solve(groups, s->gram, s->l);
  for (size_t g = 0; g < groups; g++)
    for (size_t i = 0; i < f->n; i++) s->room[i] -= s->l[g] * normal_of(f, s, s->leader[g])[i];
}

static double slip_of(verify_event_rows *f, const verify_law *law, const double *v, const double *along) {
  double sum = 0;
  for (size_t d = 0; d < law->directions; d++)
    sum += along[d] * thud_verify_slip_velocity(f->system, &f->at, law->first + d, v);
  return sum;
}

/* Whether a slip that feels friction stops or turns round on the way: then nothing is linear in l. */
static bool law_bends(verify_event_rows *f, size_t k, const verify_law *law) {
  const double *left = f->v_left + k * f->n, *plus = verify_event_v(f, k);
  double before[2] = {0, 0}, size = 0;
  if (law->constraint == SIZE_MAX || f->impulse[k * (f->m + f->s) + law->constraint] == 0 || law->directions > 2)
    return false;
  for (size_t d = 0; d < law->directions; d++) {
    before[d] = thud_verify_slip_velocity(f->system, &f->at, law->first + d, left);
    size += fabs(before[d]) * f->slip_size[law->first + d];
  }
  double square = slip_of(f, law, left, before);
  return square > f->tolerance * size && slip_of(f, law, plus, before) <= f->tolerance * size;
}

bool thud_verify_event_bends(verify_event_rows *f, size_t k) {
  for (size_t l = 0; l < f->system->law_count; l++)
    if (law_bends(f, k, &f->system->laws[l])) return true;
  return false;
}

/* Work of the constraints: -r' rate; and what friction takes at most, exact where nothing bends. */
static void constraint_work(verify_event_rows *f, size_t k, double *work, double *loss) {
  const double *r = f->impulse + k * (f->m + f->s), *left = f->v_left + k * f->n, *plus = verify_event_v(f, k);
  *work = *loss = 0;
  for (size_t i = 0; i < f->m; i++) *work -= r[i] * f->at.rate[i];
  for (size_t j = 0; j < f->s; j++) {
    *work -= r[f->m + j] * f->at.slip_rate[j];
    *loss -= r[f->m + j] *
             (thud_verify_slip_velocity(f->system, &f->at, j, left) +
              thud_verify_slip_velocity(f->system, &f->at, j, plus)) /
             2;
  }
}

/* ---- checks --------------------------------------------------------------------------------------------------------- */

static void tally(verify_event_rows *f, size_t k, double value, double size, const char *what) {
  thud_verify_check *check = &f->checks[EVENT_CONTINUITY];
  if (thud_verify_tally(check, value, fmax(f->tolerance, NEAR) * size, 0, f->t[k], k))
    thud_verify_explain(check, "%s", what);
}

/* Closed contacts push and do not approach, and push only where they stay closed; friction obeys its law. */
static thud_error check_contacts(verify_event_rows *f, size_t k, bool bends) {
  const double *r = f->impulse + k * (f->m + f->s), *left = f->v_left + k * f->n, *plus = verify_event_v(f, k);
  double *mean = f->state;
  for (size_t i = 0; i < f->n; i++) mean[i] = (left[i] + plus[i]) / 2;
  for (size_t i = 0; i < f->m; i++) {
    if (!verify_is_one_sided(f->system->constraints[i].kind) || r[i] == 0) continue;
    double response = thud_verify_response(f->system, &f->at, verify_reaction_row(f->system, &f->at, i), f->work);
    double root = sqrt(fmax(0, response)), u = thud_verify_constraint_velocity(f->system, &f->at, i, plus);
    tally(f, k, fmax(0, -r[i] * root), f->speed, "a contact pulls where the data jump");
    tally(f, k, bends ? fmax(0, -u) : fabs(u), root * f->speed,
          "velocity of a contact that pushes where the data jump");
  }
  for (size_t l = 0; l < f->system->law_count; l++) {
    const verify_law *law = &f->system->laws[l];
    double value = 0, accuracy = 0, radius, force = thud_verify_norm(law->directions, r + f->m + law->first);
    if (law->constraint == SIZE_MAX) continue;
    radius = f->at.friction[l] * fabs(r[law->constraint]);
    bool turns = law_bends(f, k, law);
    if (turns && law->disc) tally(f, k, fmax(0, force - radius), radius, "friction where the data jump");
    if (turns || (radius == 0 && force == 0)) continue;
    thud_error error =
        thud_verify_friction_error(f->system, &f->at, law, radius, fabs(r[law->constraint]), r + f->m + law->first,
                                   mean, f->slip_size, f->shifted, &value, &accuracy);
    if (error != THUD_OK) return error;
    tally(f, k, fmax(0, value - accuracy), f->speed, "friction where the data jump");
  }
  return THUD_OK;
}

/* b^2 - 4 a c of the velocities across that energy allows on the other side, where f->at is. */
static double room_to_cross(verify_event_rows *f, const surfaces *s) {
  const double *normal = normal_of(f, s, s->leader[0]);
  double length = thud_verify_momentum_length(f->system, &f->at, normal, f->work), b = normal[f->n];
  for (size_t i = 0; i < f->n; i++) b += f->work[i] * s->momentum[i];
  double carried = thud_verify_momentum_length(f->system, &f->at, s->momentum, f->work);
  return b * b - 2 * length * length * (carried * carried / 2 + *f->at.potential - s->energy);
}

/* Surface g by itself, where masses stay: the work of its layer, and how high a motion that comes back has come. */
static void check_layer(verify_event_rows *f, size_t k, const surfaces *s, size_t g) {
  double before = across(f, s, s->leader[g], f->v_left + k * f->n),
         after = across(f, s, s->leader[g], verify_event_v(f, k));
  bool back = (crossed(s) >> g & 1u) == 0, flat = true;
  for (size_t i = 0; i < f->n; i++) flat = flat && normal_of(f, s, s->leader[g])[i] == 0;
  if (flat || !place_on(f, k, s, 1u << g)) return;
  double climbed = *f->at.potential - s->potential, work = s->l[g] * (before + after) / 2;
  tally(f, k, fabs(work + (back ? 0 : climbed)), f->energy_size, "energy at the surface on which the data jump");
  double top = before != after ? -s->l[g] * before * before / (before - after) / 2 : 0;
  if (back && s->l[g] != 0 && top > climbed + fmax(f->tolerance, NEAR) * f->energy_size)
    thud_verify_fail(&f->checks[EVENT_CONTINUITY], f->t[k], k,
                     "the motion comes back from a surface that it can cross");
}

static void check_total(verify_event_rows *f, size_t k, const surfaces *s, bool bends) {
  double work, loss,
      change = thud_verify_kinetic(f->system, &f->at, verify_event_v(f, k)) + *f->at.potential - s->energy;
  constraint_work(f, k, &work, &loss);
  for (size_t g = 0; g < s->groups; g++) work -= s->l[g] * normal_of(f, s, s->leader[g])[f->n];
  double most = 0;
  for (size_t l = 0; l < f->system->law_count && bends; l++)
    for (size_t d = 0; d < f->system->laws[l].directions && f->system->laws[l].constraint != SIZE_MAX; d++)
      most += f->at.friction[l] * fabs(f->impulse[k * (f->m + f->s) + f->system->laws[l].constraint]) *
              f->slip_size[f->system->laws[l].first + d];
  double value = bends ? fmax(0, fmax(change - work, work - change - most)) : fabs(change - work + loss);
  tally(f, k, value, f->energy_size, "energy at the surfaces on which the data jump");
}

static bool is_of_time(const verify_event_rows *f, const surfaces *s) {
  for (size_t g = 0; g < s->groups; g++)
    if (thud_verify_norm(f->n, normal_of(f, s, s->leader[g])) == 0) return true;
  return false;
}

thud_error thud_verify_event_surface(verify_event_rows *f, size_t k, bool *known) {
  surfaces s;
  *known = false;
  if (f->system->functions || f->event[k] != VERIFY_EVENT_SWITCH || !begin(f, k, &s)) return THUD_OK;
  thud_error error = THUD_OK;
  *known = place_on(f, k, &s, crossed(&s));
  if (*known) {
    bool bends = thud_verify_event_bends(f, k), pushed = false;
    find_multipliers(f, k, &s);
    if (!s.dependent)
      tally(f, k, thud_verify_momentum_length(f->system, &f->at, s.room, f->work), f->speed,
            "momentum along the surface on which the data jump");
    if (!is_of_time(f, &s) && !s.dependent) check_total(f, k, &s, bends);
    error = check_contacts(f, k, bends);
    for (size_t i = 0; i < f->m + f->s; i++) pushed = pushed || f->impulse[k * (f->m + f->s) + i] != 0;
    for (size_t g = 0; g < s.groups && !s.mass && !s.dependent && !bends; g++) check_layer(f, k, &s, g);
    if (s.mass && s.groups == 1 && !pushed && crossed(&s) == 0 && place_on(f, k, &s, 1u) && room_to_cross(f, &s) > 0)
      thud_verify_fail(&f->checks[EVENT_CONTINUITY], f->t[k], k,
                       "the motion comes back from a surface that it can cross");
  }
  end(f, &s);
  return error;
}

/* Before an impact that shares its time with surfaces, which come next. */
static bool comes_before_surface(const verify_event_rows *f, size_t k) {
  return verify_event_is_struck(f, k) && k + 1 < f->count && f->event[k + 1] == VERIFY_EVENT_SWITCH &&
         f->t[k + 1] == f->t[k];
}

bool thud_verify_event_side(verify_event_rows *f, size_t k, double *work) {
  surfaces s;
  bool first = comes_before_surface(f, k);
  *work = 0;
  if (f->system->functions || (f->event[k] != VERIFY_EVENT_SWITCH && !first) || !begin(f, k, &s)) return false;
  bool known = place_on(f, k, &s, first ? 0 : crossed(&s));
  if (known && !first && is_of_time(f, &s)) {
    *work = thud_verify_kinetic(f->system, &f->at, verify_event_v(f, k)) + *f->at.potential - s.energy;
  } else if (known && !first) {
    find_multipliers(f, k, &s);
    for (size_t g = 0; g < s.groups; g++) *work -= s.l[g] * normal_of(f, &s, s.leader[g])[f->n];
  }
  end(f, &s);
  return known;
}
