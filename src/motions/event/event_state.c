/* Checkpoints of event-driven motions: every value that a run changes, as one block without pointers.
 *
 *   header | values of the parts | doubles | integers | indices | flags | laws | arc: t0, top, doubles, slide
 *
 * The arc is part of it because inside the sink's calls the series of the next arc may be already; what is written
 * of it is what following it reads, and the sides on which its program holds the switches are among the integers. */
#include "base/base.h"
#include "motions/event/event.h"

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

enum { PIECES = 27 };

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

thud_error thud_event_restore_state(thud_motion *base, const void *state, size_t size) {
  event_motion *motion = (event_motion *)base;
  state_header expected = header_of(motion), given;
  if (size != expected.size)
    return thud_fail(motion->problem.context, THUD_ERROR_FORMAT, "the saved state has %zu bytes, this motion's has %zu",
                     size, expected.size);
  memcpy(&given, state, sizeof given);
  if (memcmp(expected.magic, given.magic, sizeof given.magic) != 0 || given.size != expected.size)
    return thud_fail(motion->problem.context, THUD_ERROR_FORMAT,
                     "this is not the saved state of an event-driven motion");
  if (given.system != expected.system || given.options != expected.options)
    return thud_fail(motion->problem.context, THUD_ERROR_FORMAT, "the saved state belongs to %s",
                     given.system != expected.system ? "another system" : "other options");
  if (given.end > expected.end)
    return thud_fail(motion->problem.context, THUD_ERROR_FORMAT, "the saved state belongs to a run to t = %g",
                     given.end);
  if (given.end < expected.end && !thud_arc_is_series(motion->arc) && motion->problem.options.max_step == 0)
    return thud_fail(
        motion->problem.context, THUD_ERROR_UNSUPPORTED,
        "arcs other than power series are as long as a part of the run: a longer run cannot go on from this "
        "state unless max_step is given");
  return read_pieces(motion, all_orders(motion), (const char *)state + sizeof given);
}
