/* The arrays of the parts of an event-driven motion: one block of each type, so that a snapshot is a copy of a few. */
#include "motions/event/event.h"

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
