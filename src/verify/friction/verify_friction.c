/* Composed friction laws: the scene as the checker reads it, and the conditions that every row of a record must satisfy. */
#include "verify/friction/verify_friction.h"
#include "verify/math/verify_dense.h"
#include "verify/math/verify_set_project.h"
#include "verify/verify_channels.h"
#include "verify/verify_summary.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A slip is linear when its coefficients give its value elsewhere, up to this part of the terms. */
static const double LINEAR = 1e-11;

static void friction_free(verify_friction *law) {
  thud_context *context = law->scene.context;
  for (size_t k = 0; law->sets != NULL && k < law->laws; k++) thud_verify_free_set(context, &law->sets[k]);
  for (size_t j = 0; law->velocity != NULL && j < law->driven; j++) thud_expr_destroy(law->velocity[j].expr);
  for (size_t r = 0; law->slips != NULL && r < law->rows; r++) thud_expr_destroy(law->slips[r]);
  if (law->scene.variables == law->variables) law->scene.variables = NULL;
  void *const arrays[] = {law->internal_names, law->law_names, law->sets, law->first,        law->velocity, law->slips,
                          law->variables,      law->numbers,   law->W,    law->coefficients, law->initial};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(context, arrays[k]);
  thud_verify_scene_free(&law->scene);
}

/* ---- laws ------------------------------------------------------------------------------------------------------- */

/* The unit ball about 0. */
static thud_error read_disc(verify_scene *scene, const thud_node *node, size_t n, verify_set *set) {
  static const char *const named[] = {"disc", NULL};
  int choice;
  thud_error error = thud_node_read_choice(node, named, &choice);
  *set = (verify_set){.kind = VERIFY_BALL, .n = n, .first = scene->value_count};
  for (size_t i = 0; i <= n && error == THUD_OK; i++)
    error = thud_verify_add_value(scene, (verify_value){.constant = i == n ? 1 : 0});
  return error;
}

/* threshold times the set. */
static thud_error read_law(verify_friction *law, const thud_node *node, size_t n, verify_set *set) {
  verify_scene *scene = &law->scene;
  const thud_node *threshold, *inner;
  thud_error error = thud_node_require(node, "threshold", &threshold);
  if (error == THUD_OK) error = thud_node_require(node, "law", &inner);
  if (error != THUD_OK) return error;
  *set = (verify_set){.kind = VERIFY_SCALING, .n = n, .first = scene->value_count};
  error = thud_verify_add_number(scene, threshold);
  if (error != THUD_OK) return error;
  set->operands = THUD_NEW_ARRAY(scene->context, verify_set, 1);
  if (set->operands == NULL) return THUD_ERROR_MEMORY;
  set->operand_count = 1;
  if (thud_node_get_kind(inner) == THUD_NODE_MAP) return thud_verify_read_set(scene, inner, n, set->operands);
  return read_disc(scene, inner, n, set->operands);
}

/* The box that holds one force: 1 times it. */
static thud_error read_load(verify_friction *law, size_t k) {
  verify_scene *scene = &law->scene;
  size_t n = thud_node_count(law->load);
  verify_set *set = &law->sets[k];
  law->law_names[k] = "load";
  law->first[k + 1] = law->first[k] + n;
  *set = (verify_set){.kind = VERIFY_SCALING, .n = n, .first = scene->value_count};
  thud_error error = thud_verify_add_value(scene, (verify_value){.constant = 1});
  if (error == THUD_OK) set->operands = THUD_NEW_ARRAY(scene->context, verify_set, 1);
  if (error != THUD_OK || set->operands == NULL) return error != THUD_OK ? error : THUD_ERROR_MEMORY;
  set->operand_count = 1;
  set->operands[0] = (verify_set){.kind = VERIFY_BOX, .n = n, .first = scene->value_count};
  for (size_t i = 0; i < 2 * n && error == THUD_OK; i++)
    error = thud_verify_add_number(scene, thud_node_item(law->load, i % n));
  return error;
}

static thud_error read_laws(verify_friction *law, const thud_node *list) {
  thud_context *context = law->scene.context;
  thud_error error = thud_node_expect(list, THUD_NODE_SEQUENCE);
  if (error == THUD_OK && law->load != NULL) error = thud_node_expect(law->load, THUD_NODE_MAP);
  if (error != THUD_OK) return error;
  size_t listed = thud_node_count(list), count = listed + (law->load != NULL);
  law->law_names = THUD_NEW_ARRAY(context, const char *, count);
  law->sets = THUD_NEW_ARRAY(context, verify_set, count);
  law->first = THUD_NEW_ARRAY(context, size_t, count + 1);
  if (law->law_names == NULL || law->sets == NULL || law->first == NULL) return THUD_ERROR_MEMORY;
  law->laws = count;
  for (size_t k = 0; k < listed && error == THUD_OK; k++) {
    const thud_node *node = thud_node_item(list, k), *name = NULL, *slip = NULL;
    error = thud_node_require(node, "name", &name);
    if (error == THUD_OK) error = thud_node_read_string(name, &law->law_names[k]);
    if (error == THUD_OK) error = thud_node_require(node, "slip", &slip);
    if (error == THUD_OK) error = thud_node_expect(slip, THUD_NODE_SEQUENCE);
    if (error != THUD_OK) return error;
    law->first[k + 1] = law->first[k] + thud_node_count(slip);
    error = read_law(law, node, thud_node_count(slip), &law->sets[k]);
  }
  return error == THUD_OK && law->load != NULL ? read_load(law, listed) : error;
}

static const char *name_of(const verify_friction *law, size_t j) {
  return j < law->driven ? law->scene.names[j] : law->internal_names[j - law->driven];
}

/* The configuration at the start; its coordinates are names of expressions from here on. */
static thud_error read_initial(verify_friction *law, const thud_node *map) {
  size_t count = law->driven + law->internal;
  law->variables = THUD_NEW_ARRAY(law->scene.context, double, 2 * count + 1);
  if (law->variables == NULL) return THUD_ERROR_MEMORY;
  if (map == NULL) return THUD_OK;
  law->initial = THUD_NEW_ARRAY(law->scene.context, double, count);
  if (law->initial == NULL) return THUD_ERROR_MEMORY;
  thud_error error = THUD_OK;
  for (size_t j = 0; j < count && error == THUD_OK; j++) {
    const thud_node *value;
    error = thud_node_require(map, name_of(law, j), &value);
    if (error == THUD_OK) error = thud_verify_read_constant(&law->scene, value, &law->initial[j]);
  }
  for (size_t j = 0; j < count && error == THUD_OK; j++)
    error = thud_expr_scope_add_variable(law->scene.scope, name_of(law, j), NULL);
  memcpy(law->variables + 1, law->initial, count * sizeof(double));
  law->scene.variables = law->variables;
  return error;
}

static double *velocities_of(const verify_friction *law) {
  return law->variables + 1 + (law->initial != NULL ? law->driven + law->internal : 0);
}

/* ---- velocities ------------------------------------------------------------------------------------------------- */

static thud_error read_internal(verify_friction *law, const thud_node *list) {
  if (list == NULL) return THUD_OK;
  thud_error error = thud_node_expect(list, THUD_NODE_SEQUENCE);
  if (error != THUD_OK) return error;
  law->internal_names = THUD_NEW_ARRAY(law->scene.context, const char *, thud_node_count(list));
  if (law->internal_names == NULL) return THUD_ERROR_MEMORY;
  law->internal = thud_node_count(list);
  for (size_t k = 0; k < law->internal && error == THUD_OK; k++)
    error = thud_node_read_string(thud_node_item(list, k), &law->internal_names[k]);
  return error;
}

static thud_error read_velocity(verify_friction *law, const thud_node *map) {
  thud_error error = THUD_OK;
  for (size_t j = 0; j < law->driven && error == THUD_OK; j++) {
    const thud_node *value;
    error = thud_node_require(map, law->scene.names[j], &value);
    if (error == THUD_OK) error = thud_verify_read_value(&law->scene, value, &law->velocity[j]);
  }
  return error;
}

static thud_error read_slips(verify_friction *law, const thud_node *list) {
  thud_error error = THUD_OK;
  for (size_t k = 0; k < law->driven + law->internal && error == THUD_OK; k++) {
    char name[THUD_TREE_MAX_KEY + 2];
    snprintf(name, sizeof name, "%s'", name_of(law, k));
    error = thud_expr_scope_add_variable(law->scene.scope, name, NULL);
  }
  for (size_t k = 0; law->load != NULL && k < thud_node_count(law->load) && error == THUD_OK; k++) {
    char name[THUD_TREE_MAX_KEY + 2];
    snprintf(name, sizeof name, "%s'", thud_node_key(law->load, k));
    error =
        thud_expr_compile(law->scene.context, law->scene.scope, name, NULL, &law->slips[law->first[law->laws - 1] + k]);
  }
  for (size_t k = 0; k < thud_node_count(list) && error == THUD_OK; k++) {
    const thud_node *slip = thud_node_find(thud_node_item(list, k), "slip");
    for (size_t i = 0; i < thud_node_count(slip) && error == THUD_OK; i++) {
      const char *source;
      error = thud_node_read_string(thud_node_item(slip, i), &source);
      if (error == THUD_OK)
        error = thud_expr_compile(law->scene.context, law->scene.scope, source, NULL, &law->slips[law->first[k] + i]);
    }
  }
  return error;
}

static thud_error allocate(verify_friction *law) {
  thud_context *context = law->scene.context;
  size_t rows = law->first[law->laws], velocities = law->driven + law->internal, entries;
  if (!thud_size_multiply(rows, velocities, &entries)) return THUD_ERROR_OVERFLOW;
  law->velocity = THUD_NEW_ARRAY(context, verify_value, law->driven);
  law->slips = THUD_NEW_ARRAY(context, thud_expr *, rows);
  law->numbers = THUD_NEW_ARRAY(context, double, law->scene.value_count);
  law->W = THUD_NEW_ARRAY(context, double, law->driven);
  law->coefficients = THUD_NEW_ARRAY(context, double, entries);
  law->rows = law->slips != NULL ? rows : 0;
  bool complete = law->velocity != NULL && law->slips != NULL && law->numbers != NULL && law->W != NULL &&
                  law->coefficients != NULL;
  return complete ? THUD_OK : THUD_ERROR_MEMORY;
}

static thud_error read_section(verify_friction *law, const thud_node *root) {
  const thud_node *section, *coordinates, *laws, *velocity;
  thud_error error = thud_node_require(root, "friction", &section);
  if (error == THUD_OK) error = thud_node_require(section, "coordinates", &coordinates);
  if (error == THUD_OK) error = thud_verify_read_names(&law->scene, coordinates);
  law->driven = law->scene.n;
  if (error == THUD_OK) error = read_internal(law, thud_node_find(section, "internal"));
  if (error == THUD_OK) error = read_initial(law, thud_node_find(root, "initial"));
  if (error == THUD_OK) error = thud_node_require(section, "laws", &laws);
  if (error == THUD_OK) law->load = thud_node_find(section, "load");
  if (error == THUD_OK) error = read_laws(law, laws);
  if (error == THUD_OK) error = allocate(law);
  if (error == THUD_OK) error = thud_node_require(section, "velocity", &velocity);
  if (error == THUD_OK) error = read_velocity(law, velocity);
  return error == THUD_OK ? read_slips(law, laws) : error;
}

static thud_error friction_read(thud_context *context, const thud_tree *tree, verify_friction *law) {
  const thud_node *root = thud_tree_root(tree), *simulate;
  *law = (verify_friction){.scene = {.context = context}};
  thud_error error = thud_verify_scene_open(&law->scene, root);
  if (error == THUD_OK) error = thud_node_require(root, "simulate", &simulate);
  if (error == THUD_OK) error = thud_verify_read_span(&law->scene, simulate);
  if (error == THUD_OK) error = thud_verify_read_steps(&law->scene, simulate);
  if (error == THUD_OK) error = thud_verify_read_data(&law->scene, thud_node_find(root, "data"));
  if (error == THUD_OK) error = read_section(law, root);
  if (error == THUD_OK) error = thud_verify_read_thinning(&law->scene, root);
  if (error != THUD_OK) friction_free(law);
  return error;
}

/* ---- at a time -------------------------------------------------------------------------------------------------- */

static double slip_at(const verify_friction *law, size_t r) {
  return thud_expr_evaluate_side(law->slips[r], law->variables, law->scene.time_slot, THUD_SIDE_VALUE);
}

/* By differences from 2 e_j to e_j, and once at a velocity of which no component is 0. */
static bool place_slip(verify_friction *law, size_t r) {
  size_t count = law->driven + law->internal;
  double *v = velocities_of(law), *c = law->coefficients + r * count, size = 0;
  memset(v, 0, count * sizeof(double));
  if (slip_at(law, r) != 0) return false;
  for (size_t j = 0; j < count; j++) {
    v[j] = 2;
    double twice = slip_at(law, r);
    v[j] = 1;
    c[j] = twice - slip_at(law, r);
    v[j] = 0;
  }
  for (size_t j = 0; j < count; j++) {
    v[j] = j % 2 == 0 ? 1 + 1.0 / (double)(j + 3) : -2 + 1.0 / (double)(j + 2);
    size += fabs(c[j] * v[j]);
  }
  return isfinite(size) && fabs(slip_at(law, r) - thud_verify_dot(count, c, v)) <= LINEAR * size;
}

/* Velocities, slips and sets at t; false when they are not finite or a slip is not linear. */
static bool friction_place(verify_friction *law, double t) {
  bool usable = thud_verify_scene_place(&law->scene, t, THUD_SIDE_VALUE, law->numbers);
  for (size_t j = 0; j < law->driven; j++) {
    law->W[j] = thud_verify_value_at(&law->scene, &law->velocity[j], t, THUD_SIDE_VALUE);
    usable = usable && isfinite(law->W[j]);
  }
  law->variables[0] = t;
  for (size_t r = 0; r < law->rows; r++) usable = place_slip(law, r) && usable;
  return usable;
}

/* ---- a recorded composed friction law ---------------------------------------------------------------------------- */

/* A recorded composed friction law: every row is the answer of the laws at its time. What is asked of it are the conditions
 * themselves (Moreau 1977): F_k in C_k, s_k.(z - F_k) >= 0 for all z in C_k, B'F = 0, G = A'F, s = A W + B u. They make the
 * force, the dissipation and the internal velocities right, whatever found them. */

/* Accepted errors, unless the caller asks for another: of a force relative to the size of its law, of a sum relative to its
 * terms. Nothing is compared with anything of another unit. */
static const double DEFAULT_TOLERANCE = 1e-8;
/* Forces and velocities that are 0 because others cancel are so up to the tolerance times this part of what cancels. */
static const double CANCELLED = 1e-3;
/* Ranges wider than this part of what their component is large or small beside are events; the sizes of the laws, by
 * which it is measured, are known to a factor of UNSURE. */
static const double OPEN = 1e-6, UNSURE = 4;
/* Points of every set, per row, at which the inequality is asked. */
enum { SAMPLES = 8 };
/* Points far out are 2^FAR times as far as the force, or, where that is this part of them, as the numbers of a law are large,
 * then again, FARTHER times. */
enum { FAR = 20, FARTHER = 6 };
static const double NOTHING = 1e-30;

enum {
  STRUCTURE,
  VELOCITY,
  STEP,
  SLIP,
  EQUILIBRIUM,
  MEMBERSHIP,
  LAW,
  SAMPLED,
  DISSIPATION,
  RANGES,
  EVENTS,
  SUMMARY,
  FINISHED
};
typedef struct friction_rows {
  thud_context *context;
  verify_friction *law;
  size_t count;
  double tolerance;
  double *t, *velocity, *force, *inner, *inner_low, *inner_high, *force_low, *force_high, *slip, *forces, *dissipation,
      *gap, *configuration; /* configuration: NULL, none */
  double *work;             /* [2 rows] */
  double *size;             /* [rows] of the present row: the largest force of the law in this direction */
  double *terms;            /* [rows] sum of the sizes of the terms of the slip */
  double *scale;            /* [driven + internal] what G_j and u_j are large or small beside */
  size_t several[2];        /* events with several forces, with several velocities */
} friction_rows;

static void free_rows(friction_rows *m) {
  double *const arrays[] = {m->t,         m->velocity,   m->force, m->inner,  m->inner_low,    m->inner_high,
                            m->force_low, m->force_high, m->slip,  m->forces, m->dissipation,  m->gap,
                            m->work,      m->size,       m->terms, m->scale,  m->configuration};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(m->context, arrays[k]);
}

/* ---- reading ---------------------------------------------------------------------------------------------------- */

static thud_error read_rows(friction_rows *m, thud_record_reader *reader, thud_verify_check *structure) {
  const verify_friction *law = m->law;
  thud_record_info info = thud_record_reader_info(reader);
  m->count = info.rows[THUD_RECORD_FRAMES];
  const verify_channel channels[] = {{"time", 1, &m->t},
                                     {"velocity", law->driven, &m->velocity},
                                     {"force", law->driven, &m->force},
                                     {"internal", law->internal, &m->inner},
                                     {"internal-low", law->internal, &m->inner_low},
                                     {"internal-high", law->internal, &m->inner_high},
                                     {"force-low", law->driven, &m->force_low},
                                     {"force-high", law->driven, &m->force_high},
                                     {"slip", law->rows, &m->slip},
                                     {"forces", law->rows, &m->forces},
                                     {"dissipation", 1, &m->dissipation},
                                     {"gap", 1, &m->gap},
                                     {"configuration", law->driven + law->internal, &m->configuration}};
  thud_error error =
      thud_verify_read_channels(m->context, reader, THUD_RECORD_FRAMES,
                                sizeof channels / sizeof *channels - (law->initial == NULL), channels, structure);
  if (error != THUD_OK) return error;
  thud_verify_check_made_by(&info, "friction", "minimum-dissipation", structure);
  if (m->count == 0) thud_verify_fail(structure, NAN, SIZE_MAX, "the record has no frames");
  m->work = THUD_NEW_ARRAY(m->context, double, 2 * law->rows);
  m->size = THUD_NEW_ARRAY(m->context, double, law->rows);
  m->terms = THUD_NEW_ARRAY(m->context, double, law->rows);
  m->scale = THUD_NEW_ARRAY(m->context, double, law->driven + law->internal);
  bool complete = m->work != NULL && m->size != NULL && m->terms != NULL && m->scale != NULL;
  return complete ? THUD_OK : THUD_ERROR_MEMORY;
}

static bool is_usable(const friction_rows *m) {
  return m->count > 0 && m->t != NULL && m->velocity != NULL && m->force != NULL && m->inner != NULL &&
         m->inner_low != NULL && m->inner_high != NULL && m->force_low != NULL && m->force_high != NULL &&
         m->slip != NULL && m->forces != NULL && m->dissipation != NULL && m->gap != NULL &&
         (m->law->initial == NULL || m->configuration != NULL);
}

/* "x'" or "F_x": the name between the parts. */
static void check_components(thud_record_reader *reader, const char *role, const char *before, const char *after,
                             size_t count, const char *const *list, thud_verify_check *check) {
  size_t index;
  if (count == 0 || thud_record_find_role(reader, THUD_RECORD_FRAMES, role, &index) != THUD_OK) return;
  const thud_record_channel *channel = thud_record_reader_channel(reader, THUD_RECORD_FRAMES, index);
  for (size_t i = 0; i < count && i < channel->width; i++) {
    const char *found = channel->components[i];
    size_t length = strlen(list[i]), lead = strlen(before);
    bool same = strncmp(found, before, lead) == 0 && strncmp(found + lead, list[i], length) == 0 &&
                strcmp(found + lead + length, after) == 0;
    if (!same)
      thud_verify_fail(check, NAN, SIZE_MAX, "component %zu of the %s is '%s', the scene says '%s%s%s'", i, role, found,
                       before, list[i], after);
  }
}

static void check_names(const friction_rows *m, thud_record_reader *reader, thud_verify_check *check) {
  const verify_friction *law = m->law;
  check_components(reader, "velocity", "", "'", law->driven, law->scene.names, check);
  check_components(reader, "force", "F_", "", law->driven, law->scene.names, check);
  check_components(reader, "internal", "", "'", law->internal, law->internal_names, check);
}

/* The laws at row k, in its configuration. */
static bool place_row(const friction_rows *m, size_t k) {
  verify_friction *law = m->law;
  size_t count = law->driven + law->internal;
  if (law->initial != NULL) memcpy(law->variables + 1, m->configuration + k * count, count * sizeof(double));
  return friction_place(law, m->t[k]);
}

/* ---- one row ---------------------------------------------------------------------------------------------------- */

static double coefficient(const verify_friction *law, size_t r, size_t j) {
  return law->coefficients[r * (law->driven + law->internal) + j];
}

/* A length to begin with: threshold times the largest number of the set of law c. */
static double number_size(const verify_friction *law, size_t c) {
  size_t first = law->sets[c].first, end = c + 1 < law->laws ? law->sets[c + 1].first : law->scene.value_count;
  double size = 0;
  for (size_t i = first + 1; i < end; i++)
    if (isfinite(law->numbers[i])) size = fmax(size, fabs(law->numbers[first] * law->numbers[i]));
  return size > 0 && isfinite(size) ? size : 1;
}

/* How far law c reaches in direction i (sign: or against it): what a point far out there projects to. INFINITY: it has no
 * bound that way. */
static thud_error reach_of(friction_rows *m, size_t c, size_t i, double sign, double start, double *reach) {
  const verify_set *set = &m->law->sets[c];
  double *y = m->work, *p = m->work + m->law->rows, far = start, accuracy = 0;
  *reach = INFINITY;
  for (int k = 0; k < FARTHER; k++) {
    far = ldexp(far, FAR);
    memset(y, 0, set->n * sizeof *y);
    y[i] = sign * far;
    thud_error error = thud_verify_project(m->context, set, m->law->numbers, y, far, p, &accuracy);
    if (error != THUD_OK) return error;
    double found = fmax(0, sign * p[i]);
    if (!isfinite(accuracy) || accuracy > found) found = ldexp(far, -FAR); /* not known: the numbers have to do */
    if (found > ldexp(far, -FAR / 2)) continue;                            /* it grows with the distance */
    *reach = found;
    return THUD_OK;
  }
  return THUD_OK;
}

/* Sizes of law c: its finite reach; negative, until the others are known, where it has no bound or allows no force. */
static thud_error size_up_law(friction_rows *m, size_t k, size_t c) {
  const verify_friction *law = m->law;
  double force = thud_verify_norm(law->sets[c].n, m->forces + k * law->rows + law->first[c]);
  double numbers = number_size(law, c), start = force > NOTHING * numbers ? force : numbers;
  for (size_t i = 0; i < law->sets[c].n; i++) {
    size_t r = law->first[c] + i;
    bool bounded = true;
    m->size[r] = 0;
    for (int sign = -1; sign <= 1; sign += 2) {
      double reach;
      thud_error error = reach_of(m, c, i, sign, start, &reach);
      if (error != THUD_OK) return error;
      if (isfinite(reach)) m->size[r] = fmax(m->size[r], reach);
      bounded = bounded && isfinite(reach);
    }
    if (!bounded || m->size[r] == 0) m->size[r] = -fmax(m->size[r], DBL_MIN);
  }
  return THUD_OK;
}

/* A law without bounds or without forces is as large as the largest of the forces that meet it at an internal velocity, or
 * at least at a driven one. */
static void size_up_by_others(friction_rows *m) {
  const verify_friction *law = m->law;
  for (size_t r = 0; r < law->rows; r++) {
    double meeting[2] = {0, 0};
    for (size_t j = 0; m->size[r] < 0 && j < law->driven + law->internal; j++)
      for (size_t other = 0; coefficient(law, r, j) != 0 && other < law->rows; other++) {
        double force = fabs(coefficient(law, other, j) * fmax(0, m->size[other]) / coefficient(law, r, j));
        meeting[j < law->driven] = fmax(meeting[j < law->driven], force);
      }
    if (m->size[r] >= 0) continue;
    m->size[r] = -fmax(meeting[meeting[0] > 0 ? 0 : 1], -m->size[r]);
  }
  for (size_t c = 0; c < law->laws; c++)
    for (size_t r = law->first[c]; r < law->first[c + 1]; r++)
      if (m->size[r] < 0) m->size[r] = m->size[r] < -DBL_MIN ? -m->size[r] : number_size(law, c);
}

static double velocity_of(const friction_rows *m, size_t k, size_t j) {
  const verify_friction *law = m->law;
  return j < law->driven ? m->velocity[k * law->driven + j] : m->inner[k * law->internal + j - law->driven];
}

/* A velocity is large or small beside the power of the laws that it moves, divided by their force against it, *force. */
static double speed_of(const friction_rows *m, size_t j, double *force) {
  double power = 0;
  *force = 0;
  for (size_t r = 0; r < m->law->rows; r++) {
    double part = fabs(coefficient(m->law, r, j)) * m->size[r];
    power += part > 0 ? m->size[r] * m->terms[r] : 0;
    *force += part;
  }
  return *force > 0 ? power / *force : 0;
}

/* Sizes of the laws and of the terms of the slips. G_j is large or small beside the laws behind it, u_j as above; to the
 * terms of the slips this adds the part of the velocities that cancel. */
static thud_error size_up(friction_rows *m, size_t k) {
  const verify_friction *law = m->law;
  size_t count = law->driven + law->internal;
  thud_error error = THUD_OK;
  for (size_t c = 0; c < law->laws && error == THUD_OK; c++) error = size_up_law(m, k, c);
  size_up_by_others(m);
  for (size_t r = 0; r < law->rows; r++) {
    m->size[r] = fmax(m->size[r], fabs(m->forces[k * law->rows + r]));
    m->terms[r] = m->work[r] = 0;
    for (size_t j = 0; j < count; j++) m->terms[r] += fabs(coefficient(law, r, j) * velocity_of(m, k, j));
  }
  for (size_t j = 0; j < count; j++) {
    double force, speed = speed_of(m, j, &force);
    m->scale[j] = j < law->driven ? force : speed;
    for (size_t r = 0; r < law->rows; r++) m->work[r] += CANCELLED * fabs(coefficient(law, r, j)) * speed;
  }
  for (size_t r = 0; r < law->rows; r++) m->terms[r] += m->work[r];
  return error;
}

/* s = A W + B u */
static void check_slip(const friction_rows *m, size_t k, thud_verify_check *check) {
  const verify_friction *law = m->law;
  for (size_t r = 0; r < law->rows; r++) {
    double expected = 0, terms = 0;
    for (size_t j = 0; j < law->driven + law->internal; j++) {
      expected += coefficient(law, r, j) * velocity_of(m, k, j);
      terms += fabs(coefficient(law, r, j) * velocity_of(m, k, j));
    }
    thud_verify_tally(check, fabs(m->slip[k * law->rows + r] - expected), m->tolerance * terms + DBL_MIN, 0, m->t[k],
                      k);
  }
}

/* B'F = 0 and A'F = G, relative to their terms, and where these cancel to the laws behind them. */
static void check_equilibrium(const friction_rows *m, size_t k, thud_verify_check *check) {
  const verify_friction *law = m->law;
  for (size_t j = 0; j < law->driven + law->internal; j++) {
    double sum = j < law->driven ? -m->force[k * law->driven + j] : 0, size = 0;
    for (size_t r = 0; r < law->rows; r++) {
      double force = m->forces[k * law->rows + r];
      sum += coefficient(law, r, j) * force;
      size += fabs(coefficient(law, r, j)) * (fabs(force) + CANCELLED * m->size[r]);
    }
    thud_verify_tally(check, fabs(sum), m->tolerance * size + DBL_MIN, 0, m->t[k], k);
  }
}

/* Largest size of law c, and in *step what turns the largest of its slips into it, h: an error of the slips then has the
 * weight of one of the forces. */
static double size_of_law(const friction_rows *m, size_t c, double *step) {
  const verify_friction *law = m->law;
  double size = 0, power = 0;
  for (size_t r = law->first[c]; r < law->first[c + 1]; r++) {
    size = fmax(size, m->size[r]);
    power = fmax(power, m->size[r] * m->terms[r]);
  }
  *step = power > 0 ? size * (size / power) : 0;
  return size;
}

/* Membership, and normality: F = proj(F - h s), each row in parts of its own size. */
static thud_error check_law(friction_rows *m, size_t k, size_t c, thud_verify_check *checks) {
  const verify_friction *law = m->law;
  const verify_set *set = &law->sets[c];
  const double *F = m->forces + k * law->rows + law->first[c], *s = m->slip + k * law->rows + law->first[c];
  double *y = m->work, *p = m->work + law->rows, violation, accuracy, h, far = 0, size = size_of_law(m, c, &h);
  double scale = size > 0 ? size : number_size(law, c);
  thud_error error = thud_verify_violation(m->context, set, law->numbers, F, scale, &violation, &accuracy);
  if (error != THUD_OK) return error;
  thud_verify_tally(&checks[MEMBERSHIP], violation, m->tolerance * size + DBL_MIN, accuracy, m->t[k], k);
  for (size_t i = 0; i < set->n; i++) y[i] = F[i] - h * s[i];
  for (size_t i = 0; i < set->n; i++) far = fmax(far, fabs(y[i]));
  error = thud_verify_project(m->context, set, law->numbers, y, fmax(scale, far), p, &accuracy);
  for (size_t i = 0; i < set->n && error == THUD_OK; i++)
    thud_verify_tally(&checks[LAW], fabs(F[i] - p[i]),
                      3 * m->tolerance * m->size[law->first[c] + i] + 64 * DBL_EPSILON * far + DBL_MIN, accuracy,
                      m->t[k], k);
  return error;
}

/* The inequality s.(z - F) >= 0 itself at points z of the set, where they can be had exactly: projections of points all
 * round F, far and near, in every row by its own size. */
static thud_error check_samples(friction_rows *m, size_t k, size_t c, thud_verify_check *check) {
  const verify_friction *law = m->law;
  const verify_set *set = &law->sets[c];
  size_t first = law->first[c];
  const double *F = m->forces + k * law->rows + first, *s = m->slip + k * law->rows + first;
  double *y = m->work, *z = m->work + law->rows, accuracy, h, size = size_of_law(m, c, &h);
  for (size_t sample = 0; sample < SAMPLES && size > 0; sample++) {
    double power = 0, terms = 0;
    for (size_t i = 0; i < set->n; i++)
      y[i] =
          F[i] + ldexp(m->size[first + i], (int)(sample % 4) - 1) * sin((double)(7 * sample + 3 * i * i + 5 * i + 1));
    thud_error error = thud_verify_project(m->context, set, law->numbers, y, size, z, &accuracy);
    if (error != THUD_OK) return error;
    if (accuracy != 0) continue;
    for (size_t i = 0; i < set->n; i++) {
      power += s[i] * (z[i] - F[i]);
      terms += m->terms[first + i] * fmax(m->size[first + i], fabs(z[i] - F[i]));
    }
    thud_verify_tally(check, fmax(0, -power), m->tolerance * terms + DBL_MIN, 0, m->t[k], k);
  }
  return THUD_OK;
}

/* The power of the driving is what the laws dissipate: -W.G = -s.F >= 0, and what the row says; relative to the terms, and
 * where these cancel to the power that the laws could take. */
static void check_dissipation(const friction_rows *m, size_t k, thud_verify_check *check) {
  const verify_friction *law = m->law;
  double driven = -thud_verify_dot(law->driven, m->velocity + k * law->driven, m->force + k * law->driven);
  double lost = -thud_verify_dot(law->rows, m->slip + k * law->rows, m->forces + k * law->rows), size = 0;
  for (size_t r = 0; r < law->rows; r++)
    size += m->terms[r] * (fabs(m->forces[k * law->rows + r]) + CANCELLED * m->size[r]);
  double tolerance = m->tolerance * size + DBL_MIN;
  thud_verify_tally(check, fabs(driven - m->dissipation[k]), tolerance, 0, m->t[k], k);
  thud_verify_tally(check, fabs(lost - m->dissipation[k]), tolerance, 0, m->t[k], k);
  if (law->load == NULL) thud_verify_tally(check, fmax(0, -m->dissipation[k]), tolerance, 0, m->t[k], k);
  if (!(m->gap[k] >= 0)) thud_verify_fail(check, m->t[k], k, "the gap is %g", m->gap[k]);
}

/* A range contains its value; NaN: it is not known. */
static void check_ranges(const friction_rows *m, size_t k, thud_verify_check *check) {
  const verify_friction *law = m->law;
  for (size_t j = 0; j < law->driven + law->internal; j++) {
    bool force = j < law->driven;
    size_t at = force ? k * law->driven + j : k * law->internal + j - law->driven;
    double low = force ? m->force_low[at] : m->inner_low[at], high = force ? m->force_high[at] : m->inner_high[at];
    double value = force ? m->force[at] : m->inner[at];
    if (!(isnan(low) && isnan(high)) && !(low <= value && value <= high))
      thud_verify_fail(check, m->t[k], k, "%g lies outside its range from %g to %g", value, low, high);
  }
}

/* The first row has the configuration of the scene; each other one is reached from the one before by the trapezoidal rule,
 * q_k = q_(k-1) + h/2 (q'_(k-1) + q'_k). */
static void check_step(const friction_rows *m, size_t k, thud_verify_check *check) {
  const verify_friction *law = m->law;
  size_t count = law->driven + law->internal;
  const double *q = m->configuration + k * count, *before = q - count;
  for (size_t j = 0; j < count; j++) {
    if (k == 0) {
      thud_verify_tally(check, fabs(q[j] - law->initial[j]), DBL_EPSILON * fabs(law->initial[j]), 0, m->t[k], k);
      continue;
    }
    if (law->scene.record_every > 0) continue; /* rows between were left out */
    double h = m->t[k] - m->t[k - 1], now = velocity_of(m, k, j), then = velocity_of(m, k - 1, j);
    double speed = fmax(fabs(now), fabs(then));
    if (j >= law->driven) speed = fmax(speed, m->scale[j]);
    thud_verify_tally(check, fabs(q[j] - before[j] - 0.5 * h * (now + then)),
                      m->tolerance * (fmax(fabs(q[j]), fabs(before[j])) + h * speed) + DBL_MIN, 0, m->t[k], k);
  }
}

static thud_error check_row(friction_rows *m, size_t k, thud_verify_check *checks) {
  verify_friction *law = m->law;
  if (!place_row(m, k)) {
    thud_verify_fail(&checks[VELOCITY], m->t[k], k, "the data of the scene are not usable at this time");
    return THUD_OK;
  }
  thud_error error = size_up(m, k);
  if (error != THUD_OK) return error;
  for (size_t j = 0; j < law->driven; j++)
    thud_verify_tally(&checks[VELOCITY], fabs(m->velocity[k * law->driven + j] - law->W[j]),
                      64 * DBL_EPSILON * fabs(law->W[j]) + DBL_MIN, 0, m->t[k], k);
  if (law->initial != NULL) check_step(m, k, &checks[STEP]);
  check_slip(m, k, &checks[SLIP]);
  check_equilibrium(m, k, &checks[EQUILIBRIUM]);
  check_dissipation(m, k, &checks[DISSIPATION]);
  check_ranges(m, k, &checks[RANGES]);
  for (size_t c = 0; c < law->laws && error == THUD_OK; c++) {
    error = check_law(m, k, c, checks);
    if (error == THUD_OK) error = check_samples(m, k, c, &checks[SAMPLED]);
  }
  return error;
}

/* ---- events and summary ----------------------------------------------------------------------------------------- */

typedef struct friction_events {
  size_t count;
  double *t, *kind, *component, *low, *high;
} friction_events;

/* The events of frame k, which has been sized up, from number *next on: one for each range that is open. */
static void compare_events(const friction_rows *m, size_t k, const friction_events *events, size_t *next,
                           thud_verify_check *check) {
  const verify_friction *law = m->law;
  for (size_t j = 0; j < law->driven + law->internal; j++) {
    bool is_force = j < law->driven;
    size_t at = is_force ? k * law->driven + j : k * law->internal + j - law->driven;
    double low = is_force ? m->force_low[at] : m->inner_low[at],
           high = is_force ? m->force_high[at] : m->inner_high[at];
    double size = fmax(m->scale[j], fmax(fabs(low), fabs(high))), width = isinf(size) ? INFINITY : (high - low) / size;
    size_t e = *next;
    bool named = e < events->count && events->t[e] == m->t[k] && events->kind[e] == (is_force ? 0 : 1) &&
                 events->component[e] == (double)j && events->low[e] == low && events->high[e] == high;
    *next += named;
    if (named && !(width > OPEN / UNSURE)) {
      thud_verify_fail(check, m->t[k], k, "an event says that component %zu is open, from %g to %g", j, low, high);
      return;
    }
    if (!named && width > OPEN * UNSURE) {
      thud_verify_fail(check, m->t[k], k, "component %zu has a range from %g to %g and no event like it", j, low, high);
      return;
    }
  }
}

static thud_error check_events(friction_rows *m, thud_record_reader *reader, thud_verify_check *check) {
  static const char *const kinds[] = {"several-forces", "several-velocities"};
  friction_events events = {.count = thud_record_reader_info(reader).rows[THUD_RECORD_EVENTS]};
  const verify_channel channels[] = {{"t", 1, &events.t},
                                     {"kind", 1, &events.kind},
                                     {"component", 1, &events.component},
                                     {"low", 1, &events.low},
                                     {"high", 1, &events.high}};
  size_t next = 0;
  thud_error error = thud_verify_read_channels(m->context, reader, THUD_RECORD_EVENTS, 5, channels, check);
  thud_verify_check_labels(reader, THUD_RECORD_EVENTS, "kind", 2, kinds, check);
  for (size_t e = 0; error == THUD_OK && events.kind != NULL && e < events.count; e++)
    m->several[events.kind[e] == 0 ? 0 : 1]++;
  bool complete = m->law->scene.record_every == 0;
  for (size_t k = 0; error == THUD_OK && complete && k < m->count && check->status == THUD_VERIFY_PASSED; k++) {
    if (!place_row(m, k)) continue; /* the check of the velocities says so */
    error = size_up(m, k);
    if (error == THUD_OK) compare_events(m, k, &events, &next, check);
  }
  if (error == THUD_OK && !complete)
    thud_verify_skip(check, THUD_VERIFY_NOT_CHECKED, "rows were left out: their events cannot be found again");
  else if (error == THUD_OK && check->status == THUD_VERIFY_PASSED && next != events.count)
    thud_verify_fail(check, NAN, SIZE_MAX, "there are %zu events, the rows have %zu open ranges", events.count, next);
  double *const arrays[] = {events.t, events.kind, events.component, events.low, events.high};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(m->context, arrays[k]);
  return error;
}

static thud_error compare_summary(verify_record *record, void *motion, const thud_node *map, thud_verify_check *check) {
  const friction_rows *m = motion;
  static const char *const figures[] = {"rows", "dissipation",    "largest_dissipation", "largest_dissipation_time",
                                        "gap",  "several_forces", "several_velocities",  "contraction"};
  size_t last = m->count - 1;
  double largest = 0, when = 0, gap = 0, t = m->t[last];
  for (size_t k = 0; k < m->count; k++) {
    gap = fmax(gap, m->gap[k]);
    if (!(m->dissipation[k] > largest)) continue;
    largest = m->dissipation[k];
    when = m->t[k];
  }
  thud_verify_summary_keys(map, sizeof figures / sizeof *figures, figures, check);
  if (strcmp(record->info.verdict, "good") != 0) return THUD_OK;
  double contraction = NAN;
  bool claimed = thud_verify_note_find(map, "contraction", &contraction);
  if (claimed != (m->law->initial != NULL) || (claimed && !(contraction >= 0 && isfinite(contraction))))
    thud_verify_fail(check, t, last, "'contraction' is %g", contraction);
  thud_verify_note_number(map, "time", t, 0, t, last, check);
  thud_verify_note_number(map, "dissipation", m->dissipation[last], 0, t, last, check);
  thud_verify_note_number(map, "rows", m->law->scene.steps + 1, 0, t, last, check);
  if (m->law->scene.record_every > 0) return THUD_OK;
  thud_verify_note_number(map, "largest_dissipation", largest, 0, t, last, check);
  thud_verify_note_number(map, "largest_dissipation_time", when, 0, t, last, check);
  thud_verify_note_number(map, "gap", gap, 0, t, last, check);
  thud_verify_note_number(map, "several_forces", (double)m->several[0], 0, t, last, check);
  thud_verify_note_number(map, "several_velocities", (double)m->several[1], 0, t, last, check);
  return THUD_OK;
}

/* ---- all of it -------------------------------------------------------------------------------------------------- */

static thud_error check_rows(friction_rows *m, verify_record *record) {
  thud_record_reader *reader = record->reader;
  thud_verify_check *checks = record->checks;
  const verify_times times = thud_verify_equal_steps(&m->law->scene, true, VERIFY_TIMES_INCREASE);
  thud_verify_check_times(&times, m->count, m->t, NULL, strcmp(record->info.verdict, "good") == 0, &checks[STRUCTURE]);
  check_names(m, reader, &checks[STRUCTURE]);
  thud_error error = THUD_OK;
  for (size_t k = 0; k < m->count && error == THUD_OK; k++) error = check_row(m, k, checks);
  if (error == THUD_OK) error = check_events(m, reader, &checks[EVENTS]);
  if (error == THUD_OK) error = thud_verify_check_summary(record, m, NULL);
  if (m->law->initial == NULL)
    thud_verify_skip(&checks[STEP], THUD_VERIFY_NOT_APPLICABLE, "the laws depend on time alone");
  if (checks[RANGES].status == THUD_VERIFY_PASSED)
    thud_verify_explain(&checks[RANGES], "they contain their values; their ends were not looked for again");
  return error;
}

static thud_error read_scene(const verify_record *record, void *scene) {
  return friction_read(record->context, record->tree, scene);
}

static thud_error check(verify_record *record, void *scene) {
  double tolerance = record->options->tolerance;
  friction_rows rows = {
      .context = record->context, .law = scene, .tolerance = tolerance > 0 ? tolerance : DEFAULT_TOLERANCE};
  thud_error error = read_rows(&rows, record->reader, &record->checks[STRUCTURE]);
  record->unusable = !is_usable(&rows);
  if (error == THUD_OK && !record->unusable) error = check_rows(&rows, record);
  free_rows(&rows);
  return error;
}

static void release_scene(void *scene) { friction_free(scene); }

static const char *const names_of_checks[] = {
    [STRUCTURE] = "structure",     [VELOCITY] = "velocity",     [STEP] = "step",     [SLIP] = "slip",
    [EQUILIBRIUM] = "equilibrium", [MEMBERSHIP] = "membership", [LAW] = "law",       [SAMPLED] = "samples",
    [DISSIPATION] = "dissipation", [RANGES] = "ranges",         [EVENTS] = "events", [SUMMARY] = "summary",
    [FINISHED] = "finished",       [FINISHED + 1] = NULL};

/* Defaults of its scenes: written after docs/scene-format.md, not after the tables of src. */
static const verify_default defaults[] = {{"/friction/laws/*/threshold", "1", "*", NULL},
                                          {"/friction/laws/*/law", "disc", "*", NULL},
                                          {"/friction/laws/*/law/**/polyhedron/equalities", "0", "*", NULL},
                                          {"/friction/laws/*/law/**/dimension", NULL, NULL, NULL},
                                          {NULL, NULL, NULL, NULL}};

const verify_record_kind thud_verify_friction_kind = {.name = "friction",
                                                      .section = "friction",
                                                      .checks = names_of_checks,
                                                      .defaults = {defaults},
                                                      .goes_on = true,
                                                      .size = sizeof(verify_friction),
                                                      .read = read_scene,
                                                      .check = check,
                                                      .release = release_scene,
                                                      .compare = compare_summary};
