/* The arrays of the parts of an event-driven motion, and checkpoints of everything that a run changes. */
#include "base/base.h"
#include "model/percussion.h"
#include "motions/event/event.h"

#include <limits.h>

/* ---- checkpoints --------------------------------------------------------------------------------------------------- */

/* Every value that a run changes, as one block without pointers.
 *
 *   header | values of the parts | doubles | integers | indices | flags | laws | arc: t0, top, doubles, slide
 *
 * The arc is part of it because inside the sink's calls the series of the next arc may be already; what is written
 * of it is what following it reads, and the sides on which its program holds the switches are among the integers. */

typedef struct state_header {
  char magic[8];
  uint64_t system, options; /* fingerprints */
  double end;               /* of the run: a longer one may go on */
  size_t size;              /* of the whole block */
} state_header;

/* ---- what must agree --------------------------------------------------------------------------------------------- */

/* FNV-1a, with the terminating 0. */
static uint64_t mix_text(uint64_t hash, const char *text) {
  const unsigned char *c = (const unsigned char *)(text != NULL ? text : "");
  do hash = (hash ^ *c) * 1099511628211u;
  while (*c++ != 0);
  return hash;
}

static uint64_t mix_number(uint64_t hash, size_t number) {
  for (int shift = 0; shift < 64; shift += 8) hash = (hash ^ ((uint64_t)number >> shift & 255)) * 1099511628211u;
  return hash;
}

static const uint64_t empty_hash = 14695981039346656037u;

/* Names and kinds of everything. */
static uint64_t fingerprint_of_system(const event_problem *problem, const sim_arc *arc) {
  const thud_system *system = problem->system;
  uint64_t hash = mix_number(mix_number(mix_number(empty_hash, problem->n), problem->m), problem->s);
  for (size_t i = 0; i < problem->n; i++) hash = mix_text(hash, thud_system_coordinate(system, (thud_index)i));
  for (size_t i = 0; i < problem->m; i++) {
    hash = mix_text(hash, thud_system_constraint(system, (thud_index)i)->name);
    hash = mix_number(hash, (size_t)event_kind_of(problem, i));
  }
  for (thud_index k = 0; k < thud_system_friction_count(system); k++) {
    const thud_friction_def *law = thud_system_friction(system, k);
    hash = mix_number(mix_text(hash, law->name), (size_t)law->kind);
    hash = mix_number(mix_number(hash, (size_t)law->directions), (size_t)law->constraint);
  }
  hash = mix_number(hash, thud_system_loads(system).count);
  return mix_number(hash, arc->switches);
}

static uint64_t mix_options(uint64_t hash, const thud_option_table *table, const void *options) {
  char value[64];
  for (size_t k = 0; k < table->count; k++) {
    thud_options_format(&table->keys[k], options, value, sizeof value);
    hash = mix_text(mix_text(hash, table->keys[k].name), value);
  }
  return hash;
}

static state_header header_of(const event_motion *motion) {
  state_header header;
  memset(&header, 0, sizeof header);
  memcpy(header.magic, "thudevt3", sizeof header.magic);
  header.system = fingerprint_of_system(&motion->problem, motion->arc);
  thud_event_options options = motion->problem.options;
  options.fork = false; /* whether forks are followed may change between saving and restoring */
  options.max_outcomes = 0;
  options.end = 0;
  header.options = mix_options(empty_hash, thud_event_option_table(), &options);
  header.options = mix_options(header.options, thud_percussion_option_table(), &options.percussion);
  header.options = mix_options(header.options, thud_solver_option_table(), &options.percussion.solver);
  if (options.percussion.method != NULL)
    header.options = mix_text(header.options, thud_solver_method_name(options.percussion.method));
  header.end = motion->problem.options.end;
  header.size = thud_event_state_size(&motion->base);
  return header;
}

/* ---- the block --------------------------------------------------------------------------------------------------- */

typedef struct piece {
  void *data;
  size_t size;
} piece;

/* Places in the list below: first the values of the parts. */
enum {
  PIECE_NUMBERS = 16,
  PIECE_INTEGERS,
  PIECE_INDICES,
  PIECE_FLAGS,
  PIECE_LAWS,
  PIECE_TIME,
  PIECE_TOP,
  PIECE_FINITE,
  PIECE_SLIDE = 26,
  PIECES
};

/* The values of a part, which end where its first array, or what is not saved, is kept. */
#define VALUES(part, end)                                                                                              \
  { &(part), (size_t)((char *)&(part).end - (char *)&(part)) }

/* What the block consists of after its header; orders: of the jets, of which those above `top` are 0. The numbers of an
 * arc begin with its variables and its jets (arc_taylor.c). */
static void list_pieces(const event_motion *saved, int orders, piece pieces[PIECES]) {
  event_motion *motion = (event_motion *)saved;
  const event_storage *storage = &motion->storage;
  sim_arc *arc = motion->arc;
  size_t jets = (size_t)(arc->jet - arc->numbers), count = arc->jets.layout.count;
  size_t behind = jets + ((size_t)arc->order + 1) * count;
  const piece all[PIECES] = {{&motion->info, sizeof motion->info},
                             {&motion->scales, sizeof motion->scales},
                             VALUES(motion->state, q),
                             VALUES(motion->proofs, proof),
                             VALUES(motion->passage, unresolved),
                             VALUES(motion->run, kept),
                             VALUES(motion->last, reference),
                             VALUES(motion->event, involved),
                             VALUES(motion->search, items),
                             VALUES(motion->equations, rows),
                             VALUES(motion->graded, pending),
                             VALUES(motion->joint, y),
                             VALUES(motion->switches, held),
                             VALUES(motion->zeno, q),
                             VALUES(motion->loads, impulse),
                             VALUES(motion->forks, outcomes),
                             {storage->numbers, storage->number_count * sizeof *storage->numbers},
                             {storage->integers, storage->integer_count * sizeof *storage->integers},
                             {storage->indices, storage->index_count * sizeof *storage->indices},
                             {storage->flags, storage->flag_count * sizeof *storage->flags},
                             {motion->friction.laws, motion->problem.law_count * sizeof *motion->friction.laws},
                             {&arc->t0, sizeof arc->t0},
                             {&arc->top, sizeof arc->top},
                             {&arc->finite, sizeof arc->finite},
                             {arc->numbers, (jets + (size_t)orders * count) * sizeof *arc->numbers},
                             {arc->numbers + behind, (arc->number_count - behind) * sizeof *arc->numbers},
                             {arc->slide, arc->s * sizeof *arc->slide}};
  memcpy(pieces, all, sizeof all);
}

static int all_orders(const event_motion *motion) { return motion->arc->order + 1; }

size_t thud_event_state_size(const thud_motion *base) {
  const event_motion *motion = (const event_motion *)base;
  size_t size = sizeof(state_header);
  piece pieces[PIECES];
  list_pieces(motion, all_orders(motion), pieces);
  for (size_t k = 0; k < PIECES; k++) size += pieces[k].size;
  return size;
}

static void write_pieces(const event_motion *motion, int orders, char *next) {
  piece pieces[PIECES];
  list_pieces(motion, orders, pieces);
  for (size_t k = 0; k < PIECES; next += pieces[k].size, k++)
    if (pieces[k].size > 0) memcpy(next, pieces[k].data, pieces[k].size);
}

static thud_error read_pieces(event_motion *motion, int orders, const char *next) {
  piece pieces[PIECES];
  list_pieces(motion, orders, pieces);
  for (size_t k = 0; k < PIECES; next += pieces[k].size, k++)
    if (pieces[k].size > 0) memcpy(pieces[k].data, next, pieces[k].size);
  return thud_event_hold_switches(motion->arc, &motion->switches);
}

/* At every event: only the orders that are not 0. */
void thud_event_keep_state(event_motion *motion) {
  motion->run.kept_orders = motion->arc->top + 1;
  write_pieces(motion, motion->run.kept_orders, motion->run.kept);
}

thud_error thud_event_restore_kept(event_motion *motion, thud_error error) {
  sim_arc *arc = motion->arc;
  size_t count = arc->jets.layout.count, orders = (size_t)motion->run.kept_orders;
  memset(arc->jet + orders * count, 0, ((size_t)arc->order + 1 - orders) * count * sizeof *arc->jet);
  thud_error again = read_pieces(motion, motion->run.kept_orders, motion->run.kept);
  return again == THUD_OK ? error : again;
}

void thud_event_save_state(const thud_motion *base, void *state) {
  const event_motion *motion = (const event_motion *)base;
  state_header header = header_of(motion);
  memcpy(state, &header, sizeof header);
  write_pieces(motion, all_orders(motion), (char *)state + sizeof header);
}

/* ---- what a block may hold ----------------------------------------------------------------------------------------- */

/* Values of the parts: the flags are bytes, so that none is read as a bool before it is known to be one. */
static bool has_flags_of_parts(const event_motion *given) {
  const bool *const flags[] = {
      &given->proofs.defect,    &given->proofs.roots,     &given->proofs.grazes,      &given->proofs.margins,
      &given->passage.still,    &given->passage.blocked,  &given->run.begun,          &given->run.after_event,
      &given->last.going_on,    &given->last.again,       &given->event.any,          &given->event.jumped,
      &given->event.tangential, &given->event.loaded,     &given->event.switched,     &given->event.crossed,
      &given->search.singular,  &given->search.pivoted,   &given->equations.factored, &given->equations.shared,
      &given->joint.on,         &given->switches.pending, &given->zeno.limit.reached};
  for (size_t k = 0; k < sizeof flags / sizeof *flags; k++)
    if (!thud_state_has_flags(flags[k], 1)) return false;
  for (size_t k = 0; k < ZENO_LEVELS; k++)
    if (!THUD_STATE_FLAG(given->zeno.level[k].refused)) return false;
  return true;
}

static bool has_counts(const event_motion *given) {
  const event_problem *problem = &given->problem;
  size_t n = problem->n, m = problem->m, s = problem->s, laws = problem->law_count;
  bool chosen = given->forks.choice_count <= EVENT_MAX_CHOICES &&
                thud_state_has_range(given->forks.choice_count, given->forks.choices, 0, INT_MAX);
  return chosen && given->search.item_count <= m + laws && given->equations.count <= m + s &&
         given->graded.count <= m && given->joint.held <= n && given->joint.free <= n && given->joint.rank <= n &&
         given->joint.order >= 0 && given->joint.order <= given->arc->order + 1 && given->zeno.small_limits >= 0 &&
         given->zeno.limit.level < ZENO_LEVELS && given->loads.next <= thud_system_loads(problem->system).count &&
         given->run.same_time >= 0 && given->search.branch >= 0 && given->search.branch <= 2 * EVENT_MOST_ONSETS &&
         given->search.branch_count >= 0;
}

static bool has_indices(const event_motion *given) {
  const thud_event_motion_info *info = &given->info;
  const event_problem *problem = &given->problem;
  const thud_index m = (thud_index)problem->m, laws = (thud_index)problem->law_count;
  const thud_index constraints[] = {info->undecided_constraint,
                                    info->right_accumulation_constraint,
                                    info->moved_constraint,
                                    info->indeterminate_constraint,
                                    info->unproved_root_constraint,
                                    info->cosine_first,
                                    info->cosine_second};
  for (size_t k = 0; k < sizeof constraints / sizeof *constraints; k++)
    if (!thud_state_has_index(constraints[k], m)) return false;
  size_t functions = event_function_count(problem, given->arc);
  return thud_percussion_info_fits(&given->event.percussion, m, thud_system_friction_count(problem->system)) &&
         thud_state_has_index(given->event.which_switch, (thud_index)given->arc->switches) &&
         thud_state_has_index(given->search.vanished, laws) &&
         (given->proofs.open <= functions || given->proofs.open == SIZE_MAX);
}

/* Numbers of what is enumerated, and the times. */
static const char *find_fault_of_values(const event_motion *given) {
  const thud_event_options *options = &given->problem.options;
  const int phase = (int)given->run.phase, level = (int)given->search.level, passage = (int)given->passage.finding;
  if (!has_flags_of_parts(given)) return "flags";
  if (!has_counts(given)) return "counts";
  if (!has_indices(given)) return "constraints, laws or switches";
  if (phase < EVENT_AT_NODE || phase > EVENT_AFTER_LIMIT) return "a phase";
  if (level < SEARCH_UNIQUE || level > SEARCH_LIMIT) return "a search";
  if (passage < EVENT_PASSAGE_NONE || passage > EVENT_PASSAGE_EVENT) return "a passage";
  if (!thud_state_has_status(given->info.status)) return "a status";
  return thud_state_has_time(given->state.t, options->start, options->end) &&
                 thud_state_has_time(given->info.time, options->start, options->end)
             ? NULL
             : "a time";
}

/* An array of integers, where it begins in their block, and between which numbers they are. */
typedef struct state_range {
  const int *array;
  size_t count;
  int low, high;
} state_range;

/* Integer k of an array in the block of integers. */
static int integer_at(const event_motion *motion, const char *integers, const int *array, size_t k) {
  int number;
  memcpy(&number, integers + ((size_t)(array - motion->storage.integers) + k) * sizeof number, sizeof number);
  return number;
}

/* Faces of polygons are numbers in choices and slips, and only laws with corners have them. */
static bool has_choices(const event_motion *motion, const char *integers) {
  const event_problem *problem = &motion->problem;
  const event_mode_search *search = &motion->search;
  for (size_t item = 0; item < problem->m + problem->law_count; item++) {
    const event_law *law = thud_event_law_of(problem, &motion->friction, item);
    int faces = law != NULL ? 2 * law->corners : 0,
        most = faces > 0 ? EVENT_CHOICE_FACE + faces - 1 : EVENT_CHOICE_SLIDE;
    const int given[] = {integer_at(motion, integers, search->chosen, item),
                         integer_at(motion, integers, search->instead, item)};
    for (size_t k = 0; k < sizeof given / sizeof *given; k++)
      if (given[k] < 0 || (given[k] & ~EVENT_CHOICE_NEGATIVE) > most) return false;
  }
  for (size_t l = 0; l < problem->law_count; l++) {
    int corners = motion->friction.laws[l].corners, most = corners > 0 ? 2 * corners : 1;
    const int given[] = {integer_at(motion, integers, motion->contacts.slip, l),
                         integer_at(motion, integers, motion->contacts.kept_slip, l)};
    for (size_t k = 0; k < sizeof given / sizeof *given; k++)
      if (given[k] != EVENT_SLIP_UNKNOWN && (given[k] < -1 || given[k] > most)) return false;
  }
  int branch = integer_at(motion, integers, search->chosen, event_choice_count(problem) - 1);
  return branch >= 0 && branch <= 2 * EVENT_MOST_ONSETS;
}

static bool has_integers(const event_motion *motion, const char *integers) {
  const event_problem *problem = &motion->problem;
  size_t n = problem->n, m = problem->m, s = problem->s, laws = problem->law_count, switches = motion->arc->switches;
  size_t jumps = motion->arc->jets.may_jump ? 1 : 0, parts = problem->measures * laws;
  const event_modes *modes = &motion->modes;
  const event_mode_search *search = &motion->search;
  int rows = (int)(m + s), axes = (int)(n > m + s ? n : m + s), top = 2 * motion->arc->order + 4;
  const state_range ranges[] = {{modes->mode, m, THUD_CONTACT_OPEN, THUD_CONTACT_SLIDING},
                                {modes->mode_before, m, THUD_CONTACT_OPEN, THUD_CONTACT_SLIDING},
                                {modes->order, m, -1, top},
                                {motion->contacts.contact, m, EVENT_AWAY, EVENT_PARTS},
                                {motion->contacts.kept_contact, m, EVENT_AWAY, EVENT_PARTS},
                                {modes->deflate, m, -1, top},
                                {modes->part_order, parts, -1, top},
                                {modes->part_deflate, parts, -1, top},
                                {search->guess, m + laws, GUESS_UNCLEAR, INT_MAX},
                                {search->digit, m + laws, 0, EVENT_MOST_CHOICES},
                                {motion->surface.mode, jumps * m, 0, EVENT_MOST_CHOICES},
                                {motion->surface.digit, jumps * m, 0, EVENT_MOST_CHOICES},
                                {modes->law_mode, laws, THUD_CONTACT_OPEN, THUD_CONTACT_SLIDING},
                                {modes->law_mode_before, laws, THUD_CONTACT_OPEN, THUD_CONTACT_SLIDING},
                                {modes->law_order, laws, -1, top},
                                {motion->equations.place, m + s, -1, rows - 1},
                                {motion->joint.places, n + laws, 0, axes + (int)laws},
                                {motion->surface.unknown, jumps * (m + s), 0, rows},
                                {motion->surface.pivots, jumps * (m + s), 0, rows},
                                {motion->switches.held, switches, -1, 1},
                                {motion->switches.deflate, switches, -1, top}};
  for (size_t k = 0; k < sizeof ranges / sizeof *ranges; k++) {
    size_t first = ranges[k].count > 0 ? (size_t)(ranges[k].array - motion->storage.integers) : 0;
    if (!thud_state_has_range(ranges[k].count, integers + first * sizeof(int), ranges[k].low, ranges[k].high))
      return false;
  }
  return true;
}

/* Rows, items and contacts by their numbers: the arrays of indices in their order. */
static bool has_index_arrays(const event_motion *motion, const char *indices) {
  const event_problem *problem = &motion->problem;
  size_t m = problem->m, rows = m + problem->s, items = m + problem->law_count;
  const size_t counts[] = {rows, rows, items, m, rows}, below[] = {rows, rows, items, m, rows + 1};
  for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
    for (size_t i = 0; i < counts[k]; i++, indices += sizeof(thud_index)) {
      thud_index number;
      memcpy(&number, indices, sizeof number);
      if (number < 0 || (size_t)number >= below[k]) return false;
    }
  return true;
}

/* A law is that of the motion, in some state. */
static bool has_law(const event_motion *motion, const event_law *own, const char *block) {
  event_law given;
  memcpy(&given, block, sizeof given);
  const bool *const flags[] = {&given.curved, &given.unilateral, &given.leads, &given.active};
  for (size_t k = 0; k < sizeof flags / sizeof *flags; k++)
    if (!thud_state_has_flags(flags[k], 1)) return false;
  int state = (int)given.state, order = motion->arc->order + 1, faces = own->corners > 0 ? 2 * own->corners : 1;
  return given.number == own->number && given.own == own->own && given.constraint == own->constraint &&
         given.first == own->first && given.directions == own->directions && given.curved == own->curved &&
         given.unilateral == own->unilateral && given.leads == own->leads && given.corners == own->corners &&
         state >= LAW_OFF && state <= LAW_EDGE && given.face >= 0 && given.face < faces && given.force_order >= -1 &&
         given.force_order <= order && given.slip_order >= -1 && given.slip_order <= order;
}

static const char *find_fault_of_arrays(const event_motion *motion, const piece *pieces, const char *const *at) {
  const event_law *laws = motion->friction.laws;
  int top;
  if (!has_integers(motion, at[PIECE_INTEGERS]) || !has_choices(motion, at[PIECE_INTEGERS])) return "modes of contacts";
  if (!has_index_arrays(motion, at[PIECE_INDICES])) return "rows of equations";
  if (!thud_state_has_flags(at[PIECE_FLAGS], pieces[PIECE_FLAGS].size)) return "flags of contacts";
  for (size_t k = 0; k < motion->problem.law_count; k++)
    if (!has_law(motion, &laws[k], at[PIECE_LAWS] + k * sizeof *laws)) return "friction laws";
  memcpy(&top, at[PIECE_TOP], sizeof top);
  if (top < 0 || top > motion->arc->order) return "an order";
  bool slides = thud_state_has_flags(at[PIECE_FINITE], 1) && thud_state_has_flags(at[PIECE_SLIDE], motion->arc->s);
  return slides ? NULL : "flags of slips";
}

/* What of the pieces behind the header cannot be of the motion; NULL: nothing. The values of the parts are looked at in a
 * copy of the motion that has them, which shares its arrays. */
static thud_error find_fault(const event_motion *motion, const char *next, const char **fault) {
  thud_context *context = motion->problem.context;
  piece pieces[PIECES];
  const char *at[PIECES];
  event_motion *given = THUD_NEW(context, event_motion);
  if (given == NULL) return THUD_ERROR_MEMORY;
  *given = *motion;
  list_pieces(given, all_orders(given), pieces);
  for (size_t k = 0; k < PIECES; next += pieces[k].size, k++) {
    at[k] = next;
    if (k < PIECE_NUMBERS) memcpy(pieces[k].data, next, pieces[k].size);
  }
  *fault = find_fault_of_values(given);
  if (*fault == NULL) *fault = find_fault_of_arrays(motion, pieces, at);
  thud_free(context, given);
  return THUD_OK;
}

thud_error thud_event_restore_state(thud_motion *base, const void *state, size_t size) {
  event_motion *motion = (event_motion *)base;
  state_header expected = header_of(motion), given;
  if (size != expected.size)
    return thud_fail(motion->problem.context, THUD_ERROR_FORMAT,
                     "[state-of-another-run] the saved state has %zu bytes, this motion's has %zu", size,
                     expected.size);
  memcpy(&given, state, sizeof given);
  if (memcmp(expected.magic, given.magic, sizeof given.magic) != 0 || given.size != expected.size)
    return thud_fail(motion->problem.context, THUD_ERROR_FORMAT,
                     "[state-of-another-run] this is not the saved state of an event-driven motion");
  if (given.system != expected.system || given.options != expected.options)
    return thud_fail(motion->problem.context, THUD_ERROR_FORMAT, "[state-of-another-run] the saved state belongs to %s",
                     given.system != expected.system ? "another system" : "other options");
  if (given.end > expected.end)
    return thud_fail(motion->problem.context, THUD_ERROR_FORMAT,
                     "[state-of-another-run] the saved state belongs to a run to t = %g", given.end);
  if (given.end < expected.end && !thud_arc_is_series(motion->arc) && motion->problem.options.max_step == 0)
    return thud_fail(motion->problem.context, THUD_ERROR_UNSUPPORTED,
                     "[no-power-series] arcs other than power series are as long as a part of the run: a longer run "
                     "cannot go on from this "
                     "state unless max_step is given");
  const char *fault = NULL;
  thud_error error = find_fault(motion, (const char *)state + sizeof given, &fault);
  if (error == THUD_OK && fault != NULL) error = thud_motion_refuse_state(base, fault);
  return error == THUD_OK ? read_pieces(motion, all_orders(motion), (const char *)state + sizeof given) : error;
}

/* ---- the arrays ---------------------------------------------------------------------------------------------------- */

/* The arrays of the parts of an event-driven motion: one block of each type, so that a snapshot is a copy of a few. */

typedef struct part {
  void *pointer; /* address of the pointer to the array */
  size_t size;
} part;

/* Lays arrays of one type out in one block that the first pointer owns. */
#define LAY_OUT(context, type, owner, total, parts)                                                                    \
  do {                                                                                                                 \
    for (size_t k = 0; k < sizeof(parts) / sizeof *(parts); k++) (total) += (parts)[k].size;                           \
    (owner) = THUD_NEW_ARRAY(context, type, total);                                                                    \
    if ((owner) == NULL) return THUD_ERROR_MEMORY;                                                                     \
    type *next = (owner);                                                                                              \
    for (size_t k = 0; k < sizeof(parts) / sizeof *(parts); next += (parts)[k].size, k++)                              \
      *(type **)(parts)[k].pointer = next;                                                                             \
  } while (0)

static thud_error allocate_numbers(event_motion *motion) {
  const event_problem *problem = &motion->problem;
  size_t n = problem->n, m = problem->m, s = problem->s, p = (size_t)motion->arc->order, laws = problem->law_count;
  const part doubles[] = {{&motion->state.q, n},
                          {&motion->state.v, n},
                          {&motion->event.v_before, n},
                          {&motion->event.impulse, m + s},
                          {&motion->last.reference, (p + 1) * (m + s)},
                          {&motion->friction.course, 5 * laws * (p + 1)},
                          {&motion->last.expected_gap, m},
                          {&motion->last.velocity_terms, n},
                          {&motion->last.length_before, m},
                          {&motion->last.independence, m},
                          {&motion->last.most_left, m},
                          {&motion->proofs.scale, n},
                          {&motion->proofs.stated, n},
                          {&motion->loads.impulse, n},
                          {&motion->loads.v_free, n},
                          {&motion->loads.bound, laws},
                          {&motion->loads.share, laws},
                          {&motion->zeno.q, (size_t)ZENO_LEVELS * ZENO_RING * n},
                          {&motion->zeno.v, (size_t)ZENO_LEVELS * ZENO_RING * n},
                          {&motion->zeno.impulse, (size_t)ZENO_LEVELS * ZENO_RING * (m + s)},
                          {&motion->zeno.total, ZENO_LEVELS * (m + s)},
                          {&motion->zeno.pending, ZENO_LEVELS * (m + s)}};
  LAY_OUT(problem->context, double, motion->storage.numbers, motion->storage.number_count, doubles);
  return THUD_OK;
}

/* What is used within one phase of a run only: no part of the saved state. */
static thud_error allocate_scratch(event_motion *motion) {
  const event_problem *problem = &motion->problem;
  size_t n = problem->n, m = problem->m, s = problem->s, p = (size_t)motion->arc->order, laws = problem->law_count;
  size_t jumps = motion->arc->jets.may_jump ? 1 : 0, total = 0;
  const part doubles[] = {{&motion->collision.v_struck, n},
                          {&motion->contacts.kept, 2 * m + s},
                          {&motion->collision.strike, m + s},
                          {&motion->piece.outputs, motion->arc->jets.layout.count},
                          {&motion->piece.sampled, 2 * (n + m + s)},
                          {&motion->equations.factor, (m + s) * (m + s)},
                          {&motion->equations.scale, m + s},
                          {&motion->equations.unit, m + s},
                          {&motion->equations.room, thud_event_central_room(m + s)},
                          {&motion->joint.y, (p + 1) * n},
                          {&motion->joint.gradient, n},
                          {&motion->joint.mix, 2 * laws * laws},
                          {&motion->joint.equations, laws * (m + s + 3)},
                          {&motion->equations.matrix, (m + s) * (m + s)},
                          {&motion->modes.given, (p + 1) * m},
                          {&motion->modes.left, m},
                          {&motion->graded.coupling, m * m},
                          {&motion->graded.matrix, m * m},
                          {&motion->graded.q, m},
                          {&motion->graded.z, m},
                          {&motion->graded.w, m},
                          {&motion->graded.room, m},
                          {&motion->equations.right, m + s},
                          {&motion->equations.basis, (m + s + 1) * n},
                          {&motion->projection.paths, (m + s) * n},
                          {&motion->projection.basis, (n + 1) * n},
                          {&motion->projection.factor, (m + s) * (m + s)},
                          {&motion->projection.error, m + s},
                          {&motion->surface.before, jumps * motion->arc->jets.layout.count},
                          {&motion->surface.after, jumps * motion->arc->jets.layout.count},
                          {&motion->surface.variables, jumps * (1 + 2 * n)},
                          {&motion->surface.arguments, jumps * motion->arc->switches},
                          {&motion->surface.normals, jumps * EVENT_MAX_ZERO_SWITCHES * (n + 1)},
                          {&motion->surface.saved, jumps * n},
                          {&motion->surface.reached, jumps * n},
                          {&motion->surface.paths, jumps * (m + s) * n},
                          {&motion->surface.own, jumps * (m + s)},
                          {&motion->surface.matrix, jumps * (m + s) * (m + s + 1)},
                          {&motion->surface.solution, jumps * (m + s)},
                          {&motion->surface.room, jumps * n},
                          {&motion->surface.step, jumps * n},
                          {&motion->surface.rates, jumps * (m + s)},
                          {&motion->surface.wanted, jumps * (m + s)},
                          {&motion->surface.trial, jumps * (n + m + s)},
                          {&motion->surface.momentum, jumps * n},
                          {&motion->surface.path, jumps * n},
                          {&motion->surface.carried, jumps * n},
                          {&motion->surface.velocity, jumps * n},
                          {&motion->surface.factor, jumps * n * n},
                          {&motion->switches.before, motion->arc->switches},
                          {&motion->switches.after, motion->arc->switches},
                          {&motion->switches.values, motion->arc->switches > 0 ? motion->arc->jets.layout.count : 0},
                          {&motion->state.saved, 2 * n},
                          {&motion->search.order_size, p + 1},
                          {&motion->search.reaction, 2 * (m + s)},
                          {&motion->search.acceleration, n},
                          {&motion->piece.handed, (p + 1) * (m + s)},
                          {&motion->zeno.tail, 5 * n + m + s}};
  LAY_OUT(problem->context, double, motion->storage.scratch, total, doubles);
  return THUD_OK;
}

static thud_error allocate_integers(event_motion *motion) {
  const event_problem *problem = &motion->problem;
  size_t n = problem->n, m = problem->m, s = problem->s, laws = problem->law_count, switches = motion->arc->switches;
  size_t jumps = motion->arc->jets.may_jump ? 1 : 0;
  const part integers[] = {{&motion->modes.mode, m},
                           {&motion->modes.mode_before, m},
                           {&motion->modes.order, m},
                           {&motion->contacts.contact, m},
                           {&motion->contacts.kept_contact, m},
                           {&motion->modes.deflate, m},
                           {&motion->contacts.slip, laws},
                           {&motion->contacts.kept_slip, laws},
                           {&motion->modes.part_order, problem->measures * laws},
                           {&motion->modes.part_deflate, problem->measures * laws},
                           {&motion->search.chosen, m + laws + 1},
                           {&motion->search.digit, m + laws},
                           {&motion->search.guess, m + laws},
                           {&motion->search.instead, m + laws},
                           {&motion->modes.law_mode, laws},
                           {&motion->modes.law_mode_before, laws},
                           {&motion->modes.law_order, laws},
                           {&motion->equations.place, m + s},
                           {&motion->joint.places, n + laws},
                           {&motion->surface.mode, jumps * m},
                           {&motion->surface.digit, jumps * m},
                           {&motion->surface.unknown, jumps * (m + s)},
                           {&motion->surface.pivots, jumps * (m + s)},
                           {&motion->switches.held, switches},
                           {&motion->switches.deflate, switches}};
  LAY_OUT(problem->context, int, motion->storage.integers, motion->storage.integer_count, integers);
  return THUD_OK;
}

static thud_error allocate_indices_and_flags(event_motion *motion) {
  const event_problem *problem = &motion->problem;
  size_t m = problem->m, s = problem->s, laws = problem->law_count, switches = motion->arc->switches;
  size_t jumps = motion->arc->jets.may_jump ? 1 : 0;
  const part indices[] = {{&motion->equations.rows, m + s},
                          {&motion->projection.rows, m + s},
                          {&motion->search.items, m + laws},
                          {&motion->graded.pending, m},
                          {&motion->equations.pivots, m + s}};
  const part flags[] = {{&motion->event.involved, m},
                        {&motion->collision.acting, m},
                        {&motion->modes.redundant, m},
                        {&motion->collision.alone, m},
                        {&motion->zeno.recent, m},
                        {&motion->projection.hold, m + s},
                        {&motion->projection.held, m + s},
                        {&motion->switches.at_zero, switches},
                        {&motion->event.law_involved, laws},
                        {&motion->event.system_law_involved, laws},
                        {&motion->surface.joined, jumps * m},
                        {&motion->modes.vanishes, m},
                        {&motion->passage.unresolved, m},
                        {&motion->graded.use, m}};
  LAY_OUT(problem->context, thud_index, motion->storage.indices, motion->storage.index_count, indices);
  LAY_OUT(problem->context, bool, motion->storage.flags, motion->storage.flag_count, flags);
  return THUD_OK;
}

thud_error thud_event_parts_allocate(event_motion *motion) {
  thud_context *context = motion->problem.context;
  thud_error error = allocate_numbers(motion);
  if (error == THUD_OK) error = allocate_scratch(motion);
  if (error == THUD_OK) error = allocate_integers(motion);
  if (error == THUD_OK) error = allocate_indices_and_flags(motion);
  if (error != THUD_OK) return error;
  motion->piece.roots = THUD_NEW_ARRAY(context, arc_root, event_function_count(&motion->problem, motion->arc));
  motion->run.kept = THUD_NEW_ARRAY(context, char, thud_event_state_size(&motion->base));
  return motion->piece.roots != NULL && motion->run.kept != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

void thud_event_parts_free(event_motion *motion) {
  thud_context *context = motion->problem.context;
  thud_free(context, motion->storage.numbers);
  thud_free(context, motion->storage.scratch);
  thud_free(context, motion->storage.integers);
  thud_free(context, motion->storage.indices);
  thud_free(context, motion->storage.flags);
  thud_free(context, motion->piece.roots);
  thud_free(context, motion->run.kept);
}
