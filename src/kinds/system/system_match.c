/* Matching. Impacts, constraint by constraint and in the order of time: an impact of the reference and a step with an
 * atom are partners when each is the other's nearest, after the shift in time that the partners before them had (errors
 * of times add up, and may exceed the flights between impacts). What has no partner is missed or a stray. Impacts of
 * the reference that are only a few steps apart (the tail of every accumulation) form a cluster that the step does not
 * resolve; steps next to them belong to it. Changes of mode: the partner is the step since which the stepped motion is
 * in the new mode, looked at half way to the next event of the constraint. */
#include "kinds/system/system_study.h"

#include <math.h>
#include <string.h>

#define NONE ((size_t)-1)

static bool is_slip(const study_event *event) {
  return event->kind == THUD_EVENT_STICK || event->kind == THUD_EVENT_SLIP;
}

bool thud_study_is_compared(const study_reference *reference, const study_event *event) {
  bool any = !is_slip(event);
  for (size_t i = 0; i <= reference->m; i++) any = any || event->involved[i];
  return any && event->kind != THUD_EVENT_GRAZE && event->kind != THUD_EVENT_SWITCH;
}

static bool is_impact(const study_event *event) {
  return event->kind == THUD_EVENT_IMPACT || event->kind == THUD_EVENT_ZENO;
}

/* ---- lists of times ------------------------------------------------------------------------------------------------
 */

/* Times of one constraint, increasing: of events of the reference, or of steps. */
typedef struct time_list {
  size_t count;
  double *t;
  size_t *who; /* number of the event or of the node */
} time_list;

static thud_error list_create(thud_context *context, size_t capacity, time_list *list) {
  *list = (time_list){.t = THUD_NEW_ARRAY(context, double, capacity), .who = THUD_NEW_ARRAY(context, size_t, capacity)};
  return list->t != NULL && list->who != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

static void list_free(thud_context *context, time_list *list) {
  thud_free(context, list->t);
  thud_free(context, list->who);
}

static void list_add(time_list *list, double t, size_t who) {
  list->t[list->count] = t;
  list->who[list->count++] = who;
}

/* Place of the time nearest to t, the earlier one of two; the list is not empty. */
static size_t nearest(const time_list *list, double t) {
  size_t low = 0, high = list->count - 1;
  while (low < high) { /* the first one that is not before t */
    size_t middle = low + (high - low) / 2;
    if (list->t[middle] < t)
      low = middle + 1;
    else
      high = middle;
  }
  return low > 0 && t - list->t[low - 1] <= fabs(list->t[low] - t) ? low - 1 : low;
}

static bool is_resolved(const study_matching *matching, const time_list *events, size_t k) {
  const study_event *event = &matching->reference->events[events->who[k]];
  double least = event->flight * matching->step;
  return event->kind != THUD_EVENT_ZENO && (k == 0 || events->t[k] - events->t[k - 1] >= least) &&
         (k + 1 == events->count || events->t[k + 1] - events->t[k] >= least);
}

/* At the ends of the run the partner may lie beyond. */
static bool is_at_an_end(const study_matching *matching, double t) {
  double least = STUDY_RESOLVED_STEPS * matching->step;
  return t - matching->reference->start < least || matching->reference->end - t < least;
}

static bool is_equation(const study_matching *matching, size_t i) {
  thud_constraint_kind kind = thud_system_constraint(matching->reference->system, (thud_index)i)->kind;
  return kind == THUD_CONSTRAINT_BILATERAL || kind == THUD_CONSTRAINT_VELOCITY;
}

/* ---- changes of mode -----------------------------------------------------------------------------------------------
 */

/* The first slip component of the law of constraint i (i = m: of the law without constraint), if it is the only one;
 * NONE: it has none, or several. */
static size_t only_slip(const study_reference *reference, size_t i) {
  size_t first = 0;
  for (thud_index k = 0; k < thud_system_friction_count(reference->system); k++) {
    const thud_friction_def *law = thud_system_friction(reference->system, k);
    bool is_it = i < reference->m ? law->constraint == (thud_index)i : k == reference->lone_law;
    if (is_it) return law->directions == 1 ? first : NONE;
    first += (size_t)law->directions;
  }
  return NONE;
}

/* Whether the step that ends at the node is in the mode that constraint i (m: the law without constraint) has after the
 * event. */
static bool is_in_mode(const study_matching *matching, const study_event *event, size_t i, size_t node) {
  unsigned char state = matching->path->state[node * (matching->path->m + 1) + i];
  if (event->kind == THUD_EVENT_OPEN) return state == STUDY_OPEN;
  if (event->kind == THUD_EVENT_STICK) return state == STUDY_STICKING;
  if (event->kind != THUD_EVENT_SLIP) return state != STUDY_OPEN;
  size_t slip = only_slip(matching->reference, i);
  if (slip == NONE) return state == STUDY_SLIDING || state == STUDY_SLIDING_UP || state == STUDY_SLIDING_DOWN;
  return state == (event->turn[slip] > 0 ? STUDY_SLIDING_UP : STUDY_SLIDING_DOWN);
}

static size_t last_node_until(const study_path *path, double t) {
  size_t low = 0, high = path->count; /* nodes before low are not after t */
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (path->t[middle] <= t)
      low = middle + 1;
    else
      high = middle;
  }
  return low > 0 ? low - 1 : 0;
}

/* Neighbours in time among the events of constraint i. */
static void neighbours(const study_matching *matching, size_t e, size_t i, double *before, double *after) {
  const study_reference *reference = matching->reference;
  *before = reference->start;
  *after = reference->end;
  for (size_t k = e; k-- > 0;)
    if (reference->events[k].involved[i] && reference->events[k].t < reference->events[e].t) {
      *before = reference->events[k].t;
      break;
    }
  for (size_t k = e + 1; k < reference->event_count; k++)
    if (reference->events[k].involved[i] && reference->events[k].t > reference->events[e].t) {
      *after = reference->events[k].t;
      break;
    }
}

/* The same, with interruptions of a contact that are no longer than chatter let pass. */
static bool is_about_in_mode(const study_matching *matching, const study_event *event, size_t i, size_t node) {
  if (is_in_mode(matching, event, i, node)) return true;
  if (event->kind != THUD_EVENT_ZENO && event->kind != THUD_EVENT_CLOSE) return false;
  for (size_t k = node; k-- > 0 && (double)(node - k) <= event->flight;)
    if (is_in_mode(matching, event, i, k)) return true;
  return false;
}

/* The node since which the mode lasts; NONE: it does not. */
static size_t node_of_change(const study_matching *matching, size_t e, size_t i, thud_partner *partner) {
  const study_event *event = &matching->reference->events[e];
  double before, after, least = event->flight * matching->step;
  neighbours(matching, e, i, &before, &after);
  bool limit = event->kind == THUD_EVENT_ZENO; /* the impacts before it are not a measure */
  if (after - event->t < least || (!limit && event->t - before < least)) {
    *partner = THUD_PARTNER_UNRESOLVED;
    return NONE;
  }
  size_t node = last_node_until(matching->path, event->t + (after - event->t) / 2);
  *partner = THUD_PARTNER_MISSED;
  if (!is_about_in_mode(matching, event, i, node)) return NONE;
  while (node > 1 && is_about_in_mode(matching, event, i, node - 1)) node--;
  if (!limit && matching->path->t[node] < before) return NONE; /* it was in this mode all the time */
  *partner = THUD_PARTNER_FOUND;
  return node;
}

/* ---- filling in ----------------------------------------------------------------------------------------------------
 */

static const thud_against_match nothing = {.t = NAN, .t_error = NAN, .v_error = NAN, .impulse_error = NAN};

static void worsen(thud_against_match *match, thud_partner partner) {
  if (partner == THUD_PARTNER_FOUND || match->partner == THUD_PARTNER_UNRESOLVED) return;
  *match = nothing;
  match->partner = partner;
}

static void note_time(const study_matching *matching, thud_against_match *match, size_t e, size_t node) {
  double t = matching->path->t[node], error = t - matching->reference->events[e].t;
  if (match->partner != THUD_PARTNER_FOUND) return;
  if (!isnan(match->t_error) && fabs(match->t_error) >= fabs(error)) return;
  match->t = t;
  match->t_error = error;
}

/* Events that are not impacts; of a limit also the velocity there and the impulse since the first impact. */
static void match_change(const study_matching *matching, size_t e) {
  const study_event *event = &matching->reference->events[e];
  thud_against_match *match = &matching->matches[e];
  for (size_t i = 0; i <= matching->reference->m; i++) {
    thud_partner partner;
    if (!event->involved[i] || (!is_slip(event) && is_equation(matching, i))) continue;
    size_t node = node_of_change(matching, e, i, &partner);
    worsen(match, partner);
    if (node != NONE) note_time(matching, match, e, node);
  }
  if (match->partner == THUD_PARTNER_FOUND && isnan(match->t)) match->partner = THUD_PARTNER_MISSED;
}

/* Whether component j of the reactions belongs to an impact at these constraints: theirs, their friction, equations. */
static bool belongs(const study_matching *matching, const study_event *event, size_t j) {
  size_t m = matching->reference->m, first = m;
  if (j < m) return event->struck[j] || is_equation(matching, j);
  for (thud_index k = 0; k < thud_system_friction_count(matching->reference->system); k++) {
    const thud_friction_def *law = thud_system_friction(matching->reference->system, k);
    first += (size_t)law->directions;
    if (j < first) return law->constraint >= 0 && belongs(matching, event, (size_t)law->constraint);
  }
  return false;
}

/* Errors of impulse and velocity from the nodes marked; the last of them has the velocity after. */
static void note_impulse(const study_matching *matching, size_t e, size_t first, size_t last, const bool *marked) {
  const study_event *event = &matching->reference->events[e];
  const study_path *path = matching->path;
  thud_against_match *match = &matching->matches[e];
  double square = 0;
  for (size_t j = 0; j < path->r; j++) {
    if (!belongs(matching, event, j)) continue;
    double sum = -event->impulse[j];
    for (size_t k = first; k <= last; k++)
      if (marked == NULL || marked[k]) sum += path->reaction[k * path->r + j];
    square += sum * sum;
  }
  match->impulse_error = sqrt(square);
  match->v_error = thud_study_distance(path->n, path->v + last * path->n, event->v_after);
}

/* From the partner of the accumulation's first impact (or the first step that strikes after half the fall to it) on. */
static void note_accumulation(const study_matching *matching, size_t e) {
  const study_reference *reference = matching->reference;
  thud_against_match *match = &matching->matches[e];
  if (match->partner != THUD_PARTNER_FOUND) return;
  size_t begin = e;
  for (size_t k = 0; k < e && begin == e; k++)
    if (reference->events[k].kind == THUD_EVENT_IMPACT && reference->events[k].t == reference->events[e].begin)
      begin = k;
  double from = begin < e && matching->matches[begin].partner == THUD_PARTNER_FOUND
                    ? matching->matches[begin].t
                    : reference->events[e].begin - STUDY_RESOLVED_STEPS * matching->step;
  size_t first = last_node_until(matching->path, from), last = last_node_until(matching->path, match->t);
  note_impulse(matching, e, first > 0 ? first : 1, last, NULL);
}

/* ---- impacts -------------------------------------------------------------------------------------------------------
 */

typedef struct impact_lists {
  time_list events, nodes; /* of one constraint */
  size_t *partner;         /* [events of the reference * m] node, NONE */
  double *shift;           /* [events] of the list: time of the last partner minus that of its event */
  bool *marked;            /* [nodes] scratch */
} impact_lists;

static thud_error add_stray(thud_context *context, const study_matching *matching, size_t i, size_t node) {
  study_strays *strays = matching->strays;
  const study_path *path = matching->path;
  thud_error error =
      thud_array_reserve(context, &strays->items, &strays->capacity, strays->count + 1, sizeof *strays->items);
  if (error != THUD_OK) return error;
  strays->items[strays->count++] = (thud_against_stray){.level = matching->level,
                                                        .constraint = (thud_index)i,
                                                        .t = path->t[node],
                                                        .impulse = path->reaction[node * path->r + i]};
  return THUD_OK;
}

/* Whether the last reaction before the node is not further away than a flight that cannot be distinguished from
 * chatter. */
static bool is_chatter(const study_matching *matching, const study_event *event, size_t i, size_t node) {
  const study_path *path = matching->path;
  for (size_t k = node; k-- > 0 && (double)(node - k) <= event->flight;)
    if (path->reaction[k * path->r + i] != 0) return true;
  return false;
}

/* A step beside a cluster belongs to it; after the accumulation has come to rest only what is chatter does. */
static bool is_of_cluster(const study_matching *matching, const time_list *events, size_t k, size_t i, size_t node) {
  if (is_resolved(matching, events, k)) return false;
  const study_event *event = &matching->reference->events[events->who[k]];
  if (event->kind != THUD_EVENT_ZENO || matching->path->t[node] <= event->t) return true;
  return is_chatter(matching, event, i, node);
}

/* Partner of event k of the list, NONE: it has none. */
static size_t partner_of(const impact_lists *lists, size_t k, double shift) {
  const time_list *events = &lists->events, *nodes = &lists->nodes;
  if (nodes->count == 0) return NONE;
  size_t near = nearest(nodes, events->t[k] + shift);
  return nearest(events, nodes->t[near] - shift) == k ? nodes->who[near] : NONE;
}

/* Finds the partners of the impacts of constraint i. */
static void pair_impacts(const study_matching *matching, impact_lists *lists, size_t i) {
  const study_reference *reference = matching->reference;
  const time_list *events = &lists->events;
  double shift = 0;
  for (size_t k = 0; k < events->count; k++) {
    size_t e = events->who[k], node = partner_of(lists, k, shift);
    lists->shift[k] = shift;
    if (reference->events[e].kind == THUD_EVENT_ZENO) continue;
    bool resolved = is_resolved(matching, events, k);
    if (!resolved || (node == NONE && is_at_an_end(matching, events->t[k])))
      worsen(&matching->matches[e], THUD_PARTNER_UNRESOLVED);
    else if (node == NONE)
      worsen(&matching->matches[e], THUD_PARTNER_MISSED);
    if (node == NONE || !resolved) continue;
    lists->partner[e * reference->m + i] = node;
    note_time(matching, &matching->matches[e], e, node);
    lists->shift[k] = shift = matching->path->t[node] - events->t[k];
  }
}

/* Whether the node is a partner of an impact of constraint i or belongs to a cluster. */
static bool has_partner(const study_matching *matching, const impact_lists *lists, size_t i, size_t node) {
  const time_list *events = &lists->events;
  if (events->count == 0) return false;
  double t = matching->path->t[node];
  size_t near = nearest(events, t - lists->shift[nearest(events, t)]);
  for (size_t k = near > 0 ? near - 1 : 0; k <= near + 1 && k < events->count; k++)
    if (lists->partner[events->who[k] * matching->reference->m + i] == node) return true;
  return is_of_cluster(matching, events, near, i, node);
}

static thud_error match_constraint(thud_context *context, const study_matching *matching, impact_lists *lists,
                                   size_t i) {
  const study_reference *reference = matching->reference;
  const study_path *path = matching->path;
  time_list *events = &lists->events, *nodes = &lists->nodes;
  events->count = nodes->count = 0;
  for (size_t e = 0; e < reference->event_count; e++)
    if (is_impact(&reference->events[e]) && reference->events[e].struck[i]) list_add(events, reference->events[e].t, e);
  for (size_t k = 0; k < path->count && !is_equation(matching, i); k++)
    if (path->atom[k * path->m + i]) list_add(nodes, path->t[k], k);
  pair_impacts(matching, lists, i);
  thud_error error = THUD_OK;
  for (size_t k = 0; k < nodes->count && error == THUD_OK; k++)
    if (!has_partner(matching, lists, i, nodes->who[k])) error = add_stray(context, matching, i, nodes->who[k]);
  return error;
}

static void finish_impact(const study_matching *matching, impact_lists *lists, size_t e) {
  size_t m = matching->reference->m, first = NONE, last = 0;
  if (matching->matches[e].partner != THUD_PARTNER_FOUND) return;
  for (size_t i = 0; i < m; i++) {
    size_t node = lists->partner[e * m + i];
    if (node == NONE) continue;
    lists->marked[node] = true;
    first = node < first ? node : first;
    last = node > last ? node : last;
  }
  if (first == NONE) { /* nothing one-sided was struck */
    worsen(&matching->matches[e], THUD_PARTNER_MISSED);
    return;
  }
  note_impulse(matching, e, first, last, lists->marked);
  for (size_t k = first; k <= last; k++) lists->marked[k] = false;
}

static thud_error match_impacts(thud_context *context, const study_matching *matching, impact_lists *lists) {
  const study_reference *reference = matching->reference;
  for (size_t k = 0; k < reference->event_count * reference->m; k++) lists->partner[k] = NONE;
  for (size_t i = 0; i < reference->m; i++) {
    thud_error error = match_constraint(context, matching, lists, i);
    if (error != THUD_OK) return error;
  }
  for (size_t e = 0; e < reference->event_count; e++)
    if (reference->events[e].kind == THUD_EVENT_IMPACT) finish_impact(matching, lists, e);
  return THUD_OK;
}

thud_error thud_study_match(thud_context *context, const study_matching *matching) {
  const study_reference *reference = matching->reference;
  size_t nodes = matching->path->count, events = reference->event_count, pairs;
  impact_lists lists = {0};
  if (!thud_size_multiply(events, reference->m, &pairs)) return THUD_ERROR_OVERFLOW;
  for (size_t e = 0; e < events; e++) {
    matching->matches[e] = nothing;
    if (reference->events[e].kind != THUD_EVENT_IMPACT && thud_study_is_compared(reference, &reference->events[e]))
      match_change(matching, e);
  }
  thud_error error = list_create(context, events, &lists.events);
  if (error == THUD_OK) error = list_create(context, nodes, &lists.nodes);
  lists.partner = THUD_NEW_ARRAY(context, size_t, pairs);
  lists.shift = THUD_NEW_ARRAY(context, double, events);
  lists.marked = THUD_NEW_ARRAY(context, bool, nodes);
  if (lists.partner == NULL || lists.shift == NULL || lists.marked == NULL) error = THUD_ERROR_MEMORY;
  if (error == THUD_OK) error = match_impacts(context, matching, &lists);
  for (size_t e = 0; e < events && error == THUD_OK; e++)
    if (reference->events[e].kind == THUD_EVENT_ZENO) note_accumulation(matching, e);
  list_free(context, &lists.events);
  list_free(context, &lists.nodes);
  thud_free(context, lists.partner);
  thud_free(context, lists.shift);
  thud_free(context, lists.marked);
  return error;
}
