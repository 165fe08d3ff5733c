/* What a scene gives as functions of time: percussions, and jumps of its data. */
#include "expr/program.h"
#include "verify/system/verify_system.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double DEFAULT_TAIL = 1e-15;
enum { MOST_LOADS = 2000000 };

/* The expressions of one entry of the list. */
typedef struct load_texts {
  verify_system *system;
  thud_expr *time, *weight, *tail, *impulse_tail;
  thud_expr **impulse;   /* [n] */
  thud_expr **threshold; /* [laws] */
  double *variables;     /* of the scope */
} load_texts;

/* ---- expressions ------------------------------------------------------------------------------------------------- */

static thud_error compile(load_texts *texts, const thud_node *node, thud_expr **expr) {
  verify_scene *scene = &texts->system->scene;
  char digits[40];
  const char *source = digits;
  if (node == NULL) return THUD_OK;
  if (thud_node_get_kind(node) == THUD_NODE_STRING)
    source = thud_node_string(node);
  else
    thud_format_double(thud_node_number(node), digits, sizeof digits);
  thud_error error = thud_expr_compile(scene->context, scene->scope, source, NULL, expr);
  return error == THUD_OK || error == THUD_ERROR_MEMORY ? error : thud_node_fail_within(node, error);
}

static bool is_map(const thud_node *node) { return node != NULL && thud_node_get_kind(node) == THUD_NODE_MAP; }

static thud_error compile_all(load_texts *texts, const thud_node *item) {
  const verify_system *system = texts->system;
  const thud_node *impulse = thud_node_find(item, "impulse"), *threshold = thud_node_find(item, "threshold");
  thud_error error = compile(texts, thud_node_find(item, "time"), &texts->time);
  if (error == THUD_OK) error = compile(texts, thud_node_find(item, "weight"), &texts->weight);
  if (error == THUD_OK) error = compile(texts, thud_node_find(item, "tail"), &texts->tail);
  if (error == THUD_OK) error = compile(texts, thud_node_find(item, "impulse_tail"), &texts->impulse_tail);
  for (size_t i = 0; is_map(impulse) && i < system->n && error == THUD_OK; i++)
    error = compile(texts, thud_node_find(impulse, system->scene.names[i]), &texts->impulse[i]);
  for (size_t k = 0; threshold != NULL && k < system->law_count && error == THUD_OK; k++) {
    if (system->laws[k].constraint != SIZE_MAX || system->laws[k].coupled) continue;
    error = compile(texts, is_map(threshold) ? thud_node_find(threshold, system->laws[k].name) : threshold,
                    &texts->threshold[k]);
  }
  if (error == THUD_OK && texts->time == NULL)
    error = thud_node_fail(item, THUD_ERROR_SCHEMA, "a percussion needs a time");
  return error;
}

static void free_texts(load_texts *texts) {
  const verify_system *system = texts->system;
  thud_context *context = system->scene.context;
  thud_expr_destroy(texts->time);
  thud_expr_destroy(texts->weight);
  thud_expr_destroy(texts->tail);
  thud_expr_destroy(texts->impulse_tail);
  for (size_t i = 0; texts->impulse != NULL && i < system->n; i++) thud_expr_destroy(texts->impulse[i]);
  for (size_t k = 0; texts->threshold != NULL && k < system->law_count; k++) thud_expr_destroy(texts->threshold[k]);
  thud_free(context, texts->impulse);
  thud_free(context, texts->threshold);
  thud_free(context, texts->variables);
}

static double value_of(const load_texts *texts, const thud_expr *expr) {
  return expr != NULL ? thud_expr_evaluate(expr, texts->variables) : 0;
}

/* ---- atoms ------------------------------------------------------------------------------------------------------- */

/* A row: t, impulse [n], c times given thresholds [laws], c of the laws' own ones [laws]. */
static size_t row_width(const verify_system *system) { return 1 + system->n + 2 * system->law_count; }

static thud_error add(const load_texts *texts, double t, double weight, bool with_impulse) {
  verify_system *system = texts->system;
  size_t n = system->n, laws = system->law_count, width = row_width(system);
  if (!(t >= system->scene.start && t <= system->scene.end)) return THUD_OK;
  if (system->load_count >= MOST_LOADS)
    return thud_fail(system->scene.context, THUD_ERROR_OVERFLOW, "too many percussions");
  thud_error error = thud_array_reserve(system->scene.context, &system->loads, &system->load_capacity,
                                        system->load_count + 1, width * sizeof(double));
  if (error != THUD_OK) return error;
  double *row = system->loads + width * system->load_count++;
  texts->variables[system->scene.time_slot] = t;
  row[0] = t;
  for (size_t i = 0; i < n; i++) row[1 + i] = with_impulse ? value_of(texts, texts->impulse[i]) : 0;
  for (size_t k = 0; k < laws; k++) {
    bool own = system->laws[k].constraint == SIZE_MAX, given = texts->threshold[k] != NULL;
    row[1 + n + k] = own && given ? weight * value_of(texts, texts->threshold[k]) : 0;
    row[1 + n + laws + k] = own && !given ? weight : 0;
  }
  return THUD_OK;
}

static thud_error add_at(const load_texts *texts, double t) {
  texts->variables[texts->system->scene.time_slot] = t;
  return add(texts, t, value_of(texts, texts->weight), true);
}

static thud_error read_repeated(load_texts *texts, const thud_node *item) {
  verify_scene *scene = &texts->system->scene;
  double first = value_of(texts, texts->time), period = INFINITY, count = INFINITY;
  thud_error error = thud_verify_read_optional(scene, item, "every", &period);
  if (error == THUD_OK) error = thud_verify_read_optional(scene, item, "count", &count);
  if (error != THUD_OK) return error;
  if (thud_node_find(item, "every") == NULL) return add_at(texts, first);
  if (!(period > 0)) return thud_node_fail(item, THUD_ERROR_SCHEMA, "'every' must be greater than 0");
  for (double k = 0; k < count && first + k * period <= scene->end && error == THUD_OK; k++)
    error = add_at(texts, first + k * period);
  return error;
}

static thud_error read_members(load_texts *texts, const thud_node *item, thud_index slot) {
  verify_scene *scene = &texts->system->scene;
  const thud_node *lumped = thud_node_find(item, "lump");
  double first = 0, keep = -1, tolerance = DEFAULT_TAIL, limit = NAN, tail = 0;
  bool lump = false;
  thud_error error = thud_verify_read_optional(scene, item, "from", &first);
  if (error == THUD_OK) error = thud_verify_read_optional(scene, item, "truncation", &keep);
  if (error == THUD_OK) error = thud_verify_read_optional(scene, item, "tolerance", &tolerance);
  if (error == THUD_OK) error = thud_verify_read_optional(scene, item, "limit", &limit);
  if (error == THUD_OK && lumped != NULL) error = thud_node_read_bool(lumped, &lump);
  for (double k = 0; error == THUD_OK; k++) {
    texts->variables[slot] = first + k;
    tail = value_of(texts, texts->tail);
    double largest = fmax(tail, value_of(texts, texts->impulse_tail));
    if (k == keep || (keep < 0 && largest <= tolerance) || !isfinite(largest) || k > MOST_LOADS) break;
    error = add_at(texts, value_of(texts, texts->time));
  }
  if (error == THUD_OK && !isnan(limit)) error = add(texts, limit, lump ? tail : 0, false);
  return error;
}

/* Any of these keys makes a percussion a family. */
static bool is_family(const thud_node *item) {
  static const char *const keys[] = {"index",      "from",      "tail",  "impulse_tail",
                                     "truncation", "tolerance", "limit", "lump"};
  for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
    if (thud_node_find(item, keys[k]) != NULL) return true;
  return false;
}

static thud_error read_load(verify_system *system, const thud_node *item) {
  verify_scene *scene = &system->scene;
  load_texts texts = {.system = system,
                      .impulse = THUD_NEW_ARRAY(scene->context, thud_expr *, system->n),
                      .threshold = THUD_NEW_ARRAY(scene->context, thud_expr *, system->law_count)};
  const thud_node *index = thud_node_find(item, "index");
  const char *name = "n";
  thud_index slot = -1;
  bool family = is_family(item);
  thud_error error = texts.impulse != NULL && texts.threshold != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  if (error == THUD_OK && index != NULL) error = thud_node_read_string(index, &name);
  if (error == THUD_OK && family) slot = thud_expr_scope_find_variable(scene->scope, name);
  if (error == THUD_OK && family && slot < 0) error = thud_expr_scope_add_variable(scene->scope, name, &slot);
  if (error == THUD_OK) error = compile_all(&texts, item);
  texts.variables = THUD_NEW_ARRAY(scene->context, double, thud_expr_scope_variable_count(scene->scope));
  if (texts.variables == NULL) error = THUD_ERROR_MEMORY;
  if (error == THUD_OK) error = family ? read_members(&texts, item, slot) : read_repeated(&texts, item);
  free_texts(&texts);
  return error;
}

/* ---- the list ---------------------------------------------------------------------------------------------------- */

static int compare_times(const void *a, const void *b) {
  const double *x = a, *y = b;
  return (x[0] > y[0]) - (x[0] < y[0]);
}

thud_error thud_verify_read_loads(verify_system *system, const thud_node *list) {
  size_t width = row_width(system), kept = 0;
  thud_error error = list != NULL ? thud_node_expect(list, THUD_NODE_SEQUENCE) : THUD_OK;
  for (size_t k = 0; list != NULL && error == THUD_OK && k < thud_node_count(list); k++) {
    const thud_node *item = thud_node_item(list, k);
    error = thud_node_expect(item, THUD_NODE_MAP);
    if (error == THUD_OK) error = read_load(system, item);
  }
  if (error != THUD_OK || system->load_count == 0) return error;
  qsort(system->loads, system->load_count, width * sizeof(double), compare_times);
  for (size_t k = 0; k < system->load_count; k++) { /* those at one time are one */
    const double *row = system->loads + k * width;
    double *last = kept > 0 ? system->loads + (kept - 1) * width : NULL;
    if (last == NULL || last[0] != row[0])
      memmove(system->loads + kept++ * width, row, width * sizeof *row);
    else
      for (size_t c = 1; c < width; c++) last[c] += row[c];
  }
  system->load_count = kept;
  return THUD_OK;
}

void thud_verify_free_loads(verify_system *system) { thud_free(system->scene.context, system->loads); }

size_t thud_verify_loads_before(const verify_system *system, double t, bool with) {
  size_t low = 0, high = system->load_count, width = row_width(system);
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    double at = system->loads[middle * width];
    if (at < t || (with && at == t))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

void thud_verify_loads_sum(const verify_system *system, size_t first, size_t end, const double *friction,
                           double *impulse, double *extra) {
  size_t n = system->n, laws = system->law_count, width = row_width(system);
  for (size_t i = 0; i < n; i++) impulse[i] = 0;
  for (size_t k = 0; k < laws; k++) extra[k] = 0;
  for (size_t load = first; load < end; load++) {
    const double *row = system->loads + load * width + 1;
    for (size_t i = 0; i < n; i++) impulse[i] += row[i];
    for (size_t k = 0; k < laws; k++) extra[k] += row[n + k] + row[n + laws + k] * friction[k];
  }
}

/* ---- jumps of a scene's data in time, as steps meet them --------------------------------------------------------- */

/* Jumps of a scene's data in time, as steps meet them. A switch of the formulas that jumps and has the same argument at
 * every state depends on time alone; at which times it changes its sign is asked at the times that a record has. */

enum { STATES = 3 };
/* Data on one side of a jump are taken this far from it, relative to its time, the start and a step. */
static const double SIDE = 32 * DBL_EPSILON;

static double width(const verify_system *system, double t) {
  const verify_scene *scene = &system->scene;
  double step = (scene->end - scene->start) / (system->step_tolerance > 0 ? 1000 : scene->steps);
  return SIDE * fmax(step, fmax(fabs(scene->start), fabs(t)));
}

/* Arguments of all switches of both programs at a time and state. */
static void ask(verify_system *system, double t, double q, double v, double *arguments) {
  verify_values *values = &system->jump_values;
  system->variables[system->scene.time_slot] = t;
  for (size_t i = 0; i < system->n; i++) {
    system->variables[system->slot_q[i]] = q * (1 + 0.37 * (double)i);
    system->variables[system->slot_v[i]] = v * (1 + 0.61 * (double)i);
  }
  thud_expr_work_evaluate(system->work, system->variables, values->out);
  thud_expr_work_switches(system->work, arguments);
  if (system->rate_work == NULL) return;
  thud_expr_work_evaluate(system->rate_work, system->variables, values->rates);
  thud_expr_work_switches(system->rate_work, arguments + thud_expr_program_switch_count(system->program));
}

static size_t switch_count(const verify_system *system) {
  size_t count = (size_t)thud_expr_program_switch_count(system->program);
  return system->rate_program != NULL ? count + (size_t)thud_expr_program_switch_count(system->rate_program) : count;
}

static bool switch_jumps(const verify_system *system, size_t j) {
  size_t first = (size_t)thud_expr_program_switch_count(system->program);
  return (j < first ? thud_expr_program_switch(system->program, (thud_index)j)
                    : thud_expr_program_switch(system->rate_program, (thud_index)(j - first)))
      .jumps;
}

/* Arguments that are the same at all states. */
static void find_switches_of_time(verify_system *system) {
  static const double states[STATES][2] = {{0.731, -0.417}, {-1.93, 2.27}, {3.1e-2, 0.53}};
  size_t count = system->switch_count;
  double *first = system->jump_arguments, *other = first + count;
  for (size_t j = 0; j < count; j++) system->jumps_by_time[j] = switch_jumps(system, j);
  for (int when = 0; when < 2; when++) {
    double t = when == 0 ? system->scene.start
                         : system->scene.start + 0.6180339887 * (system->scene.end - system->scene.start);
    ask(system, t, states[0][0], states[0][1], first);
    for (int k = 1; k < STATES; k++) {
      ask(system, t, states[k][0], states[k][1], other);
      for (size_t j = 0; j < count; j++) system->jumps_by_time[j] = system->jumps_by_time[j] && first[j] == other[j];
    }
  }
}

/* Operations that can be infinite: 1/b, b^p, log b. */
static bool may_be_infinite(const verify_system *system) {
  const thud_expr *tape = system->program->tape;
  for (int32_t k = tape->leaf_count; k < tape->count; k++)
    if (tape->code[k].op == EXPR_DIVIDE || tape->code[k].op == EXPR_POWER || tape->code[k].op == EXPR_LOG) return true;
  return false;
}

thud_error thud_verify_find_jumps(verify_system *system) {
  size_t count = switch_count(system);
  bool any = false;
  for (size_t j = 0; j < count; j++) any = any || switch_jumps(system, j);
  if (may_be_infinite(system)) {
    system->mean_sum = thud_arena_alloc(system->texts, 2 * system->n, sizeof(double));
    thud_error made = thud_verify_values_create(system, &system->mean_values);
    if (made == THUD_OK && system->mean_sum == NULL) made = THUD_ERROR_MEMORY;
    if (made != THUD_OK) return made;
  }
  if (!any) return THUD_OK;
  system->jump_arguments = thud_arena_alloc(system->texts, 2 * count, sizeof(double));
  system->jumps_by_time = thud_arena_alloc(system->texts, count, sizeof(bool));
  if (system->jump_arguments == NULL || system->jumps_by_time == NULL) return THUD_ERROR_MEMORY;
  thud_error error = thud_verify_values_create(system, &system->jump_values);
  if (error != THUD_OK) return error;
  system->switch_count = count;
  find_switches_of_time(system);
  return THUD_OK;
}

static int sign_of(double x) { return (x > 0) - (x < 0); }

static bool data_jump_between(const verify_system *system, double from, double to) {
  for (size_t k = 0; k < system->scene.data_count; k++) {
    const verify_data *data = &system->scene.data[k];
    for (size_t j = 0; j < data->jump_count; j++)
      if (data->jumps[j] >= from && data->jumps[j] <= to) return true;
  }
  return false;
}

/* Whether data that jump are on different sides at the two times. */
static bool data_differ(verify_system *system, double from, double to) {
  if (system->functions) return false;
  if (data_jump_between(system, from, to)) return true;
  if (system->switch_count == 0) return false;
  double *before = system->jump_arguments, *after = before + system->switch_count;
  ask(system, from, 0, 0, before);
  ask(system, to, 0, 0, after);
  for (size_t j = 0; j < system->switch_count; j++)
    if (system->jumps_by_time[j] && sign_of(before[j]) != sign_of(after[j])) return true;
  return false;
}

/* ---- forces in L^1 ---------------------------------------------------------------------------------------------------
 */

/* A force that is GROWTH times larger NEARER times nearer to a time is infinite there. */
static const double GROWTH = 3, NEARER = 1000;
/* Times that are rounded to more than this part of their distance from the end are left out of means. */
static const double RESOLVED = 1e-9;

/* Forces alone, at any time; false: they are not finite. */
static bool forces_at(verify_system *system, double t, const double *q, const double *v) {
  const verify_values *values = &system->mean_values;
  bool finite = true;
  system->variables[system->scene.time_slot] = t;
  for (size_t i = 0; i < system->n; i++) {
    system->variables[system->slot_q[i]] = q[i];
    system->variables[system->slot_v[i]] = v[i];
  }
  thud_expr_work_evaluate(system->work, system->variables, values->out);
  for (size_t i = 0; i < system->n; i++) finite = finite && isfinite(values->force[i]);
  return finite;
}

bool thud_verify_force_singular(verify_system *system, double t, double sign) {
  const double *q = system->scene.initial, *v = system->initial_v;
  double near = sign * width(system, t);
  if (system->functions || system->mean_values.out == NULL) return false;
  if (!forces_at(system, t + near, q, v)) return false;
  if (!forces_at(system, t, q, v)) return true;
  for (size_t i = 0; i < system->n; i++) {
    forces_at(system, t + near, q, v);
    double first = fabs(system->mean_values.applied[i]);
    if (forces_at(system, t + NEARER * near, q, v) && first > GROWTH * fabs(system->mean_values.applied[i]))
      return true;
  }
  return false;
}

/* Gauss's rule on pieces that halve towards the end of half a step; what lies beyond the last piece
 * follows from f = c d^-p, which the last two show. sum [2 n]: of force and applied force. */
static bool add_half(verify_system *system, const double *q, const double *v, double end, double length, bool singular,
                     double *sum) {
  /* a piece is as long as its distance from the end: errors of eight points are 5.8^-16 of f */
  static const double point[4] = {0.18343464249564980, 0.52553240991632899, 0.79666647741362674, 0.96028985649753623};
  static const double weight[4] = {0.36268378337836198, 0.31370664587788729, 0.22238103445337447, 0.10122853629037626};
  enum { MOST_PIECES = 200 };
  size_t n = system->n;
  const verify_values *values = &system->mean_values;
  double far = fabs(length), low = far, sign = length < 0 ? -1 : 1;
  for (int k = 0; k < MOST_PIECES; k++) {
    double high = low;
    low = high / 2;
    if (low * RESOLVED < DBL_EPSILON * fabs(end) || low < far * 1e-60) {
      low = high;
      break;
    }
    for (int j = 0; j < 8; j++) {
      double d = low + (high - low) * (1 + (j < 4 ? -point[j] : point[j - 4])) / 2;
      if (!forces_at(system, end + sign * d, q, v)) return false;
      for (size_t i = 0; i < n; i++) {
        sum[i] += weight[j % 4] / 2 * (high - low) * values->force[i];
        sum[n + i] += weight[j % 4] / 2 * (high - low) * values->applied[i];
      }
    }
  }
  for (size_t i = 0; i < n; i++) {
    if (!forces_at(system, end + sign * 2 * low, q, v)) return false;
    double farther = values->applied[i];
    if (!forces_at(system, end + sign * low, q, v)) return false;
    double p = singular && farther != 0 && values->applied[i] / farther > 1 ? log2(values->applied[i] / farther) : 0;
    if (!(p < 1)) return false;
    sum[i] += values->applied[i] * low / (1 - p);
    sum[n + i] += values->applied[i] * low / (1 - p);
  }
  return true;
}

bool thud_verify_mean_forces(verify_system *system, const double *q, const double *v, verify_values *values) {
  size_t n = system->n, force = (size_t)(values->force - values->out),
         applied = (size_t)(values->applied - values->out);
  double *sum = system->mean_sum, half = system->mean_of / 2;
  memset(sum, 0, 2 * n * sizeof(double));
  bool known = system->mean_of < 0 ||
               (add_half(system, q, v, system->mean_from, half, system->singular_from, sum) &&
                add_half(system, q, v, system->mean_from + system->mean_of, -half, system->singular_to, sum));
  for (size_t i = 0; i < n; i++) {
    values->out[force + i] = system->mean_of < 0 ? 0 : sum[i] / system->mean_of;
    values->out[applied + i] = system->mean_of < 0 ? 0 : sum[n + i] / system->mean_of;
  }
  return known;
}

bool thud_verify_data_jump_at(verify_system *system, double t) {
  return data_differ(system, t - width(system, t), t + width(system, t)) || thud_verify_force_singular(system, t, 1) ||
         thud_verify_force_singular(system, t, -1);
}

double thud_verify_data_after(verify_system *system, double t) {
  return thud_verify_data_jump_at(system, t) ? t + width(system, t) : t;
}

double thud_verify_data_before(verify_system *system, double t) {
  return thud_verify_data_jump_at(system, t) ? t - width(system, t) : t;
}

bool thud_verify_data_jump_within(verify_system *system, double from, double to) {
  enum { PIECES = 8 };
  double low = from + width(system, from), high = to - width(system, to);
  if (system->functions || (system->switch_count == 0 && system->scene.data_count == 0)) return false;
  for (int k = 0; k < PIECES && high > low; k++)
    if (data_differ(system, low + (high - low) * k / PIECES, low + (high - low) * (k + 1) / PIECES)) return true;
  return false;
}
