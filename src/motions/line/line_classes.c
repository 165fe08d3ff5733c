/* Classes of strings and beams by refinement: trends of distance, variation and largest move of catching-up, on the mesh
 * of the problem, or on meshes whose nodes follow the contact.
 *
 * On a fixed mesh a contact point goes from node to node, and the friction under it acts where no contact is: the
 * variation of u counts the nodes that were passed. Here the node next to a contact point of a beam is moved to where the
 * beam touches the obstacle tangentially, v'(x) = psi'(x), and of a string to where a point load presses it down. Beams are
 * exact on any nodes, and u between nodes is linear, so that nothing is lost when the nodes of the next step are others.
 * Zones of contact, three or more nodes of them, stay on the mesh. */
#include "base/base.h"
#include "motions/line/elastic_motion.h"
#include "motions/line/elastic_line.h"

#include <math.h>
#include <string.h>

/* A contact point that moves by less than this part of the line rests: u changes with the root of the way. */
static const double resting = 1e-7;
/* The place of a contact point is known to this part of the line. */
static const double precise = 1e-10;
/* Nodes are moved by at most this part of the way to the next one. */
static const double reach = 0.9;
enum { MOST_POINTS = 16, MOST_TRIES = 24, WIDEST = 2 };

/* A contact point: the node that stands for it, and the bracket in which v' - psi' changes its sign, from - to +. */
typedef struct point {
  thud_index node;
  double place, low, high, last, f_last;
  bool has_low, has_high, tried, settled;
} point;

typedef struct elastic_follower {
  thud_context *context;
  const thud_line_source *source;
  const thud_partition *partition;
  thud_line_problem problem; /* on the nodes y */
  thud_index n, freedoms;
  size_t next; /* interval of the partition */
  double t;
  thud_limit_level level;
  size_t point_count, kept_count;
  point points[MOST_POINTS];
  double kept[MOST_POINTS]; /* contact points of the last state */
  double *numbers;          /* owns: */
  double *base, *x, *y;     /* [n] nodes as given, of the last state, of the one that is sought */
  double *u, *u_new, *before, *r, *bound;
  double *s, *s_base, *v; /* v, transverse: [freedoms] */
  thud_line_data data;
} elastic_follower;

/* ---- nodes that follow ------------------------------------------------------------------------------------------- */

static thud_index nearest(const elastic_follower *m, double place) {
  thud_index low = 0, high = m->n - 1;
  while (high - low > 1) {
    thud_index middle = (low + high) / 2;
    if (m->base[middle] <= place)
      low = middle;
    else
      high = middle;
  }
  thud_index node = place - m->base[low] <= m->base[high] - place ? low : high;
  return node == 0 ? 1 : node == m->n - 1 ? m->n - 2 : node;
}

/* Moves the node to the place as far as its neighbours allow. */
static void move_node(elastic_follower *m, thud_index node, double place) {
  double here = m->base[node], low = here - reach * (here - m->base[node - 1]),
         high = here + reach * (m->base[node + 1] - here);
  m->y[node] = place < low ? low : place > high ? high : place;
}

/* The nodes as given, but for those that stand under point loads on a string. */
static void follow_loads(elastic_follower *m, double t, thud_side side) {
  bool beam = m->source->kind == THUD_LINE_BEAM;
  double places[MOST_POINTS];
  size_t count =
      beam || m->source->places == NULL ? 0 : m->source->places(m->source->user, t, side, MOST_POINTS, places);
  memcpy(m->y, m->base, (size_t)m->n * sizeof *m->y);
  for (size_t k = 0; k < count; k++) {
    thud_index node = nearest(m, places[k]);
    if (m->y[node] == m->base[node]) move_node(m, node, places[k]);
  }
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

static void follower_destroy(elastic_follower *motion) {
  if (motion == NULL) return;
  thud_free(motion->context, motion->numbers);
  thud_free(motion->context, motion);
}

/* The source and the partition are borrowed; x[n] is copied. */
static thud_error follower_create(thud_context *context, const thud_line_source *source, thud_index n, const double *x,
                                  const thud_partition *partition, elastic_follower **motion) {
  enum { ARRAYS = 12 };
  elastic_follower *made = THUD_NEW(context, elastic_follower);
  if (made == NULL) return THUD_ERROR_MEMORY;
  size_t count = (size_t)n, freedoms = count * (source->kind == THUD_LINE_BEAM ? 2 : 1);
  *made = (elastic_follower){.context = context, .source = source, .partition = partition, .n = n};
  made->freedoms = (thud_index)freedoms;
  made->numbers = THUD_NEW_ARRAY(context, double, ARRAYS *count + 2 * freedoms);
  if (made->numbers == NULL) {
    follower_destroy(made);
    return THUD_ERROR_MEMORY;
  }
  double *next = made->numbers, **parts[ARRAYS] = {&made->base,
                                                   &made->x,
                                                   &made->y,
                                                   &made->u,
                                                   &made->u_new,
                                                   &made->before,
                                                   &made->r,
                                                   &made->bound,
                                                   &made->s,
                                                   &made->s_base,
                                                   &made->data.longitudinal,
                                                   &made->data.psi};
  for (int k = 0; k < ARRAYS; k++, next += count) *parts[k] = next;
  made->v = next;
  made->data.transverse = next + freedoms;
  memcpy(made->base, x, count * sizeof *x);
  made->t = thud_partition_interval(partition, 0).left;
  made->level = (thud_limit_level){.nodes = count, .distance = NAN};
  follow_loads(made, made->t, THUD_SIDE_VALUE); /* u may have a kink under a load */
  memcpy(made->x, made->y, count * sizeof *x);
  thud_error error = source->build(source->user, n, made->x, &made->problem);
  if (error == THUD_OK && made->problem.initial != NULL) memcpy(made->u, made->problem.initial, count * sizeof *x);
  if (error == THUD_OK)
    *motion = made;
  else
    follower_destroy(made);
  return error;
}

/* ---- piecewise linear functions on different nodes --------------------------------------------------------------- */

static void sample(thud_index n, const double *x, const double *u, thud_index count, const double *places,
                   double *out) {
  thud_index cell = 0;
  for (thud_index i = 0; i < count; i++) {
    while (cell + 2 < n && x[cell + 1] < places[i]) cell++;
    double z = (places[i] - x[cell]) / (x[cell + 1] - x[cell]);
    out[i] = z <= 0 ? u[cell] : z >= 1 ? u[cell + 1] : u[cell] + z * (u[cell + 1] - u[cell]);
  }
}

/* u at places[count], which increase. */
static void follower_sample(const elastic_follower *motion, thud_index count, const double *places, double *u) {
  sample(motion->n, motion->x, motion->u, count, places, u);
}

/* H1 seminorm of the difference of u on x and w on y, which have both ends in common. */
static double distance_between(thud_index n, const double *x, const double *u, const double *y, const double *w) {
  double sum = 0, from = x[0];
  for (thud_index i = 0, j = 0; i + 1 < n && j + 1 < n;) {
    double to = fmin(x[i + 1], y[j + 1]);
    double slope = (u[i + 1] - u[i]) / (x[i + 1] - x[i]) - (w[j + 1] - w[j]) / (y[j + 1] - y[j]);
    sum += slope * slope * (to - from);
    from = to;
    i += x[i + 1] <= to;
    j += y[j + 1] <= to;
  }
  return sqrt(sum);
}

/* ---- one problem ------------------------------------------------------------------------------------------------- */

/* A new problem on the nodes y, with its data. The neighbours of contact points do not touch. */
static thud_error pose(elastic_follower *m, double t, thud_side side) {
  thud_line_data *data = &m->data;
  thud_error error = m->source->build(m->source->user, m->n, m->y, &m->problem);
  if (error != THUD_OK) return error;
  memset(data->transverse, 0, (size_t)m->freedoms * sizeof *data->transverse);
  memset(data->longitudinal, 0, (size_t)m->n * sizeof *data->longitudinal);
  for (thud_index i = 0; i < m->n; i++) data->psi[i] = -INFINITY;
  memset(data->v_ends, 0, sizeof data->v_ends);
  memset(data->u_ends, 0, sizeof data->u_ends);
  if (m->problem.data(m->problem.user, t, side, data) != 0)
    return thud_fail(m->context, THUD_ERROR_CALLBACK, "the data of the line at t = %g failed", t);
  for (size_t k = 0; k < m->point_count; k++)
    for (thud_index i = m->points[k].node - WIDEST; i <= m->points[k].node + WIDEST; i++)
      if (i > 0 && i < m->n - 1 && i != m->points[k].node) data->psi[i] = -INFINITY;
  return THUD_OK;
}

/* The obstacle problem, begun with the contacts of s_base and of the points. */
static thud_error touch(elastic_follower *m, double t) {
  thud_line_info info;
  memcpy(m->before, m->s_base, (size_t)m->n * sizeof *m->before);
  for (size_t k = 0; k < m->point_count; k++) m->before[m->points[k].node] = 1;
  thud_error error = thud_line_obstacle_from(m->problem.line, &m->data, m->before, m->v, m->s, &info);
  if (error == THUD_OK && !info.solved)
    error = thud_fail(m->context, THUD_ERROR_NOT_CONVERGED,
                      "[solver-limit] t = %g: the active set of the obstacle did not settle", t);
  return error;
}

/* ---- contact points of a beam ------------------------------------------------------------------------------------ */

/* Loaded nodes without loaded neighbours, one or two together. */
static void find_points(elastic_follower *m) {
  m->point_count = 0;
  for (thud_index i = 1, end; i + 1 < m->n; i = end + 1) {
    double force = 0, moment = 0;
    for (end = i; end + 1 < m->n && m->s[end] > 0; end++) {
      force += m->s[end];
      moment += m->s[end] * m->base[end];
    }
    if (end == i || end - i > WIDEST || m->point_count == MOST_POINTS) continue;
    double place = moment / force;
    m->points[m->point_count++] = (point){.node = nearest(m, place), .place = place};
  }
}

static double slope_of_obstacle(const elastic_follower *m, double x, double cell) {
  double d = 1e-4 * cell;
  return (m->source->obstacle(m->source->user, x + d) - m->source->obstacle(m->source->user, x - d)) / (2 * d);
}

/* The next place by the secant method inside the bracket, or a step towards the sign change while there is none. */
static void improve(const elastic_follower *m, point *p, double now, double f, double length) {
  double cell = (m->base[p->node + 1] - m->base[p->node - 1]) / 2, next = NAN;
  if (f < 0)
    p->low = now, p->has_low = true;
  else
    p->high = now, p->has_high = true;
  if (p->tried && f != p->f_last) next = now - f * (now - p->last) / (f - p->f_last);
  if (f == 0) next = now;
  if (p->has_low && p->has_high) {
    if (!(next >= p->low && next <= p->high)) next = p->low + (p->high - p->low) / 2;
  } else if (!p->tried || !(fabs(next - now) <= cell) || (next > now) != (f < 0))
    next = now + (f < 0 ? 0.5 : -0.5) * cell;
  p->settled = fabs(next - now) <= precise * length;
  p->last = now;
  p->f_last = f;
  p->tried = true;
  p->place = next;
  p->node = nearest(m, next);
}

/* All points at once, until they rest; false when one lost its contact or did not settle. */
static thud_error settle(elastic_follower *m, double t, thud_side side, bool *found) {
  double length = m->base[m->n - 1] - m->base[0];
  thud_error error = THUD_OK;
  bool done = false, lost = false;
  for (int k = 0; k < MOST_TRIES && !done && !lost && error == THUD_OK; k++) {
    memcpy(m->y, m->base, (size_t)m->n * sizeof *m->y);
    for (size_t j = 0; j < m->point_count; j++) move_node(m, m->points[j].node, m->points[j].place);
    error = pose(m, t, side);
    if (error == THUD_OK) error = touch(m, t);
    if (error != THUD_OK) break;
    done = true;
    for (size_t j = 0; j < m->point_count; j++) {
      point *p = &m->points[j];
      double cell = (m->base[p->node + 1] - m->base[p->node - 1]) / 2, place = m->y[p->node];
      lost = lost || !(m->s[p->node] > 0);
      bool settled = p->settled; /* at this very place */
      if (!settled) improve(m, p, place, m->v[2 * p->node + 1] - slope_of_obstacle(m, place, cell), length);
      done = done && settled;
    }
  }
  *found = done && !lost;
  return error;
}

/* Points that have not moved, but for rounding, stay where they were. */
static void rest(elastic_follower *m, bool *changed) {
  double length = m->base[m->n - 1] - m->base[0];
  *changed = false;
  for (size_t j = 0; j < m->point_count; j++)
    for (size_t k = 0; k < m->kept_count; k++) {
      double way = fabs(m->points[j].place - m->kept[k]);
      if (!(way > 0 && way <= resting * length)) continue;
      m->points[j].place = m->kept[k];
      m->points[j].node = nearest(m, m->kept[k]);
      *changed = true;
    }
}

/* The beam on nodes that stand at its contact points; on the nodes as they are where that fails. */
static thud_error free_points(elastic_follower *m, double t, thud_side side) {
  bool found = false, changed = false;
  memcpy(m->s_base, m->s, (size_t)m->n * sizeof *m->s);
  find_points(m);
  thud_error error = m->point_count > 0 ? settle(m, t, side, &found) : THUD_OK;
  if (error != THUD_OK && error != THUD_ERROR_NOT_CONVERGED) return error;
  if (found) rest(m, &changed);
  if (found && !changed) return THUD_OK;
  memcpy(m->y, m->base, (size_t)m->n * sizeof *m->y);
  if (!found) m->point_count = 0;
  for (size_t j = 0; j < m->point_count; j++) move_node(m, m->points[j].node, m->points[j].place);
  error = pose(m, t, side);
  return error == THUD_OK ? touch(m, t) : error;
}

/* ---- one state --------------------------------------------------------------------------------------------------- */

/* The obstacle problem on nodes of its own: y, v, s, and the longitudinal data on them. */
static thud_error press(elastic_follower *m, double t, thud_side side) {
  bool beam = m->source->kind == THUD_LINE_BEAM;
  follow_loads(m, t, side);
  m->point_count = 0;
  thud_error error = pose(m, t, side);
  if (error == THUD_OK) error = touch(m, t);
  return error == THUD_OK && beam && m->source->obstacle != NULL ? free_points(m, t, side) : error;
}

static thud_error catch_up(elastic_follower *m, double t, thud_side side) {
  thud_line_info info;
  size_t bytes = (size_t)m->n * sizeof(double);
  thud_error error = press(m, t, side);
  if (error != THUD_OK) return error;
  for (thud_index i = 0; i < m->n; i++) m->bound[i] = m->problem.friction * m->s[i];
  sample(m->n, m->x, m->u, m->n, m->y, m->before);
  error = thud_line_solve_friction(m->problem.line, m->data.longitudinal, m->bound, m->data.u_ends, m->before, m->u_new,
                                   m->r, &info);
  if (error == THUD_OK && !info.solved)
    error = thud_fail(m->context, THUD_ERROR_NOT_CONVERGED,
                      "[solver-limit] t = %g: the active set of the friction did not settle", t);
  if (error != THUD_OK) return error;
  double moved = distance_between(m->n, m->x, m->u, m->y, m->u_new);
  m->level.variation += moved;
  m->level.largest_move = thud_larger(m->level.largest_move, moved);
  m->level.steps++;
  memcpy(m->u, m->u_new, bytes);
  memcpy(m->x, m->y, bytes);
  m->kept_count = m->point_count;
  for (size_t k = 0; k < m->point_count; k++) m->kept[k] = m->points[k].place;
  m->t = t;
  return THUD_OK;
}

/* One state: *more is false when there was none left. THUD_ERROR_NOT_CONVERGED: an active set did not settle. */
static thud_error follower_step(elastic_follower *motion, bool *more) {
  *more = motion->next < thud_partition_count(motion->partition);
  if (!*more) return THUD_OK;
  thud_interval interval = thud_partition_interval(motion->partition, motion->next);
  bool jump = thud_elastic_jumps_at(motion->problem.jump_count, motion->problem.jumps, interval.left);
  if (interval.left_closed && interval.left > motion->t && jump) return catch_up(motion, interval.left, THUD_SIDE_LEFT);
  motion->next++;
  return catch_up(motion, interval.left, interval.left_closed ? THUD_SIDE_VALUE : THUD_SIDE_RIGHT);
}

/* ---- runs and their distance ------------------------------------------------------------------------------------- */

/* Distances below these parts of u are rounding; the second is that of contact points whose places are sought. */
static const double rounding = 1e-10, placing = 1e-7;

/* u of one run at all its steps, in their order. */
typedef struct history {
  size_t count, capacity, room;
  thud_index n;
  double *t; /* [count] */
  double *u; /* [count*n] */
  thud_context *context;
  thud_error error;
} history;

/* Room for one more state: its u[n], or NULL with kept->error. */
static double *add_state(history *kept, double t) {
  size_t n = (size_t)kept->n, needed;
  kept->error = thud_size_multiply(kept->count + 1, n, &needed) ? THUD_OK : THUD_ERROR_OVERFLOW;
  if (kept->error == THUD_OK)
    kept->error = thud_array_reserve(kept->context, &kept->t, &kept->capacity, kept->count + 1, sizeof *kept->t);
  if (kept->error == THUD_OK)
    kept->error = thud_array_reserve(kept->context, &kept->u, &kept->room, needed, sizeof *kept->u);
  if (kept->error != THUD_OK) return NULL;
  kept->t[kept->count] = t;
  return kept->u + n * kept->count++;
}

static int keep(void *user, const void *item) {
  const thud_elastic_frame *frame = item;
  history *kept = user;
  double *u = add_state(kept, frame->t);
  if (u == NULL) return -1;
  memcpy(u, frame->u, (size_t)kept->n * sizeof *u);
  return 0;
}

static void forget(history *kept) {
  thud_free(kept->context, kept->t);
  thud_free(kept->context, kept->u);
  *kept = (history){.context = kept->context, .n = kept->n};
}

static double distance_of(thud_index n, const double *a, const double *b) {
  double largest = 0;
  for (thud_index i = 0; i < n; i++) largest = thud_larger(largest, fabs(a[i] - b[i]));
  return largest;
}

/* Largest difference at times of both. Where several steps share a time, the last of them counts: jumps may have been
 * resolved by different numbers of steps. */
static double history_distance(const history *coarse, const history *fine) {
  double largest = 0;
  size_t k = 0;
  for (size_t c = 0; c < coarse->count; c++) {
    if (c + 1 < coarse->count && coarse->t[c + 1] == coarse->t[c]) continue;
    while (k < fine->count && fine->t[k] < coarse->t[c]) k++;
    while (k + 1 < fine->count && fine->t[k + 1] == coarse->t[c]) k++;
    if (k == fine->count || fine->t[k] != coarse->t[c]) continue;
    largest =
        thud_larger(largest, distance_of(coarse->n, coarse->u + c * (size_t)coarse->n, fine->u + k * (size_t)fine->n));
  }
  return largest;
}

/* One run; *completed is false when it found a fault. */
static thud_error run_level(thud_context *context, const thud_line_problem *problem, const thud_partition *partition,
                            history *kept, thud_limit_level *row, bool *completed) {
  thud_motion *motion = NULL;
  const thud_motion_sink sink = {.frame = keep, .user = kept};
  thud_error error = thud_line_motion_create(context, problem, partition, &motion);
  if (error == THUD_OK) error = thud_motion_run(motion, &sink, NULL);
  const thud_elastic_motion_info info = thud_line_motion_get_info(motion);
  thud_motion_destroy(motion);
  if (error != THUD_OK) return kept->error != THUD_OK ? kept->error : error;
  *completed = info.status == THUD_MOTION_COMPLETED;
  *row = (thud_limit_level){.steps = info.steps,
                            .nodes = (size_t)kept->n,
                            .variation = info.variation,
                            .largest_move = info.largest_move,
                            .distance = NAN};
  return THUD_OK;
}

static double largest_of(const history *kept) {
  return thud_norm_max(NULL, kept->count * (size_t)kept->n, kept->u, NULL);
}

/* The histories of two consecutive levels, and the size of u in all levels so far. */
typedef struct levels_run {
  history before, now;
  double size;
} levels_run;

/* Takes in the level that has just run, as number k, and makes room for the next one. */
static void finish_level(levels_run *run, int k, thud_limit_level *row) {
  if (k > 0) row->distance = history_distance(&run->before, &run->now);
  run->size = thud_larger(run->size, largest_of(&run->now));
  history swap = run->before;
  run->before = run->now;
  run->now = swap;
  run->now.count = 0;
}

thud_error thud_line_classify(thud_context *context, const thud_line_problem *problem, int levels,
                              const thud_partition *const *partitions, thud_limit_level *rows,
                              thud_limit_judgement *judgement) {
  THUD_REQUIRE(context, context, problem, partitions, rows, judgement);
  if (levels < THUD_LIMIT_LEAST_LEVELS || problem->line == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "[out-of-range] a judgement needs a line and at least %d levels, not %d",
                     (int)THUD_LIMIT_LEAST_LEVELS, levels);
  const history none = {.context = context, .n = problem->line->n};
  levels_run run = {.before = none, .now = none};
  thud_error error = THUD_OK;
  bool completed = true;
  for (int k = 0; k < levels && error == THUD_OK && completed; k++) {
    if (partitions[k] == NULL)
      error = thud_fail(context, THUD_ERROR_ARGUMENT, "the partition of level %d is NULL", k);
    else
      error = run_level(context, problem, partitions[k], &run.now, &rows[k], &completed);
    if (error != THUD_OK || !completed) break;
    finish_level(&run, k, &rows[k]);
  }
  forget(&run.before);
  forget(&run.now);
  if (error == THUD_OK) thud_limit_judge(completed ? levels : 0, rows, rounding * run.size, judgement);
  return error;
}

/* ---- with the mesh refined --------------------------------------------------------------------------------------- */

enum { MOST_BEAM_CELLS = 400, MOST_STRING_CELLS = 3200, LEAST_CELLS = 100, FEWEST_NODES = 5 };

/* Every second node, the last one always. */
static thud_index coarsen(thud_index n, double *x) {
  thud_index count = 0;
  for (thud_index i = 0; i < n - 1; i += 2) x[count++] = x[i];
  x[count++] = x[n - 1];
  return count;
}

/* Every cell halved, in place. */
static thud_index halve(thud_index n, double *x) {
  for (thud_index i = n - 1; i > 0; i--) {
    double *here = x + 2 * (size_t)i;
    here[0] = x[i];
    here[-1] = x[i - 1] + (x[i] - x[i - 1]) / 2;
  }
  return 2 * n - 1;
}

/* One run; the states go into the history, at the nodes of the first level. */
static thud_error follow_level(thud_context *context, const thud_line_source *source, thud_index n, const double *x,
                               const double *places, const thud_partition *partition, history *kept,
                               thud_limit_level *row, bool *completed) {
  elastic_follower *motion = NULL;
  bool more = true;
  thud_error error = follower_create(context, source, n, x, partition, &motion);
  while (error == THUD_OK && more) {
    error = follower_step(motion, &more);
    if (error != THUD_OK || !more) break;
    double *u = add_state(kept, motion->t);
    error = kept->error;
    if (u != NULL) follower_sample(motion, kept->n, places, u);
  }
  if (motion != NULL) *row = motion->level;
  follower_destroy(motion);
  thud_motion_status status = THUD_MOTION_COMPLETED;
  error = thud_elastic_fault(error, &status);
  *completed = status == THUD_MOTION_COMPLETED;
  return error;
}

static thud_error classify_on(thud_context *context, const thud_line_source *source, int levels,
                              const thud_partition *const *partitions, thud_index n, double *x, double *first,
                              thud_index most, thud_limit_level *rows, thud_limit_judgement *judgement) {
  const history none = {.context = context, .n = n};
  levels_run run = {.before = none, .now = none};
  thud_error error = THUD_OK;
  bool completed = true;
  memcpy(first, x, (size_t)n * sizeof *x);
  for (int k = 0; k < levels && error == THUD_OK && completed; k++) {
    if (k > 0 && 2 * (n - 1) <= most) n = halve(n, x);
    error = follow_level(context, source, n, x, first, partitions[k], &run.now, &rows[k], &completed);
    if (error != THUD_OK || !completed) break;
    finish_level(&run, k, &rows[k]);
  }
  forget(&run.before);
  forget(&run.now);
  if (error == THUD_OK) thud_limit_judge(completed ? levels : 0, rows, placing * run.size, judgement);
  return error;
}

thud_error thud_line_classify_free(thud_context *context, const thud_line_source *source, int levels,
                                   const thud_partition *const *partitions, thud_limit_level *rows,
                                   thud_limit_judgement *judgement) {
  THUD_REQUIRE(context, context, source, partitions, rows, judgement);
  if (levels < THUD_LIMIT_LEAST_LEVELS || source->build == NULL || source->x == NULL || source->nodes < 2)
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "[out-of-range] a judgement needs a line of 2 nodes and at least %d levels, not %d",
                     (int)THUD_LIMIT_LEAST_LEVELS, levels);
  for (int k = 0; k < levels; k++)
    if (partitions[k] == NULL) return thud_fail(context, THUD_ERROR_ARGUMENT, "the partition of level %d is NULL", k);
  thud_index most = source->kind == THUD_LINE_BEAM ? MOST_BEAM_CELLS : MOST_STRING_CELLS, n = source->nodes;
  thud_index room = n > 2 * most ? n : 2 * most + 2;
  double *x = THUD_NEW_ARRAY(context, double, room), *first = THUD_NEW_ARRAY(context, double, room);
  thud_error error = x != NULL && first != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  if (error == THUD_OK) {
    memcpy(x, source->x, (size_t)n * sizeof *x);
    while (n < FEWEST_NODES) n = halve(n, x);
    while (n - 1 > 2 * LEAST_CELLS && (double)(n - 1) * exp2(levels - 1) > (double)most) n = coarsen(n, x);
    error = classify_on(context, source, levels, partitions, n, x, first, most, rows, judgement);
  }
  thud_free(context, x);
  thud_free(context, first);
  return error;
}
