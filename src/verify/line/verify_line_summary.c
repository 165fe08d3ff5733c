/* The summary of a recorded string or beam: the same as its frames. */
#include "verify/verify_limit.h"
#include "verify/line/verify_line.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct line_summary {
  const verify_line_motion *m;
  const thud_node *map;
  thud_verify_check *check, *refinement;
  size_t last;
} line_summary;

static void compare(const line_summary *s, const char *key, double value, double tolerance) {
  thud_verify_note_number(s->map, key, value, tolerance, s->m->t[s->last], s->last, s->check);
}

/* ---- the reaction -------------------------------------------------------------------------------------------------------- */

static void compare_atoms(const line_summary *s, size_t count, const double *atoms) {
  const thud_node *list = thud_node_find(s->map, "atoms");
  double length = s->m->line->x[s->m->line->n - 1] - s->m->line->x[0], t = s->m->t[s->last];
  if (list == NULL || thud_node_get_kind(list) != THUD_NODE_SEQUENCE || thud_node_count(list) != count) {
    thud_verify_fail(s->check, t, s->last, "'atoms' are not the %zu of the last frame", count);
    return;
  }
  for (size_t k = 0; k < count; k++) {
    const thud_node *atom = thud_node_item(list, k);
    double x = atoms[2 * k], force = atoms[2 * k + 1];
    thud_verify_note_number(atom, "x", x, 1e-11 * length, t, s->last, s->check);
    thud_verify_note_number(atom, "force", force, 1e-11 * force, t, s->last, s->check);
  }
}

static thud_error compare_reaction(const line_summary *s) {
  const verify_line *line = s->m->line;
  const double *forces = s->m->s + s->last * line->n;
  double total = 0, loaded = 0, *atoms = THUD_NEW_ARRAY(s->m->context, double, 2 * line->n);
  if (atoms == NULL) return THUD_ERROR_MEMORY;
  for (size_t i = 0; i < line->n; i++) {
    total += forces[i];
    loaded += forces[i] > 0;
  }
  compare(s, "reaction", total, (double)line->n * DBL_EPSILON * total);
  compare(s, "loaded_nodes", loaded, 0);
  compare_atoms(s, thud_verify_line_atoms(line, forces, atoms), atoms);
  thud_free(s->m->context, atoms);
  return THUD_OK;
}

/* ---- the judgement ---------------------------------------------------------------------------------------------------------- */

/* The runs of the levels are not in the record: their numbers can only agree with what was concluded. */
static void check_levels(const line_summary *s) {
  double levels = s->m->line->levels, size = 0;
  for (size_t k = 0; k < s->m->count * s->m->line->n; k++) size = fmax(size, fabs(s->m->u[k]));
  bool judged = thud_verify_limit(s->map, "refinement", levels, 1e-7 * size, s->refinement);
  if (judged && s->refinement->status == THUD_VERIFY_PASSED)
    thud_verify_skip(s->refinement, THUD_VERIFY_NOT_CHECKED,
                     "the class follows from %g levels; their runs are not in the record", levels);
}

/* ---- all of it ---------------------------------------------------------------------------------------------------------------- */

static thud_error compare_summary(const line_summary *s) {
  static const char *const figures[] = {
      "steps",          "variation", "largest_move",     "defect",   "reaction",         "loaded_nodes",
      "atoms",          "class",     "refinement",       "approach", "approach_scatter", "growth",
      "growth_scatter", "shrinking", "shrinking_scatter"};
  static const char *const ledger[] = {"stored", "work", "friction", "quadratic", "defect"};
  const verify_line_motion *m = s->m;
  const verify_line *line = m->line;
  size_t last = s->last, n = line->n;
  const thud_node *state = thud_node_find(s->map, "state");
  const double *fields[VERIFY_LINE_FIELDS] = {m->u, m->v, m->s, m->r}, *book = m->ledger + last * VERIFY_LINE_LEDGER;
  double largest = 0, rounding = 0;
  thud_verify_summary_keys(s->map, sizeof figures / sizeof *figures, figures, s->check);
  compare(s, "time", m->t[last], 0);
  compare(s, "steps", (double)m->stop[last] + 1, 0);
  compare(s, "variation", m->variation[last], 0);
  compare(s, "defect", book[VERIFY_LINE_LEDGER - 1], 0);
  for (size_t k = 0; k < VERIFY_LINE_FIELDS; k++)
    thud_verify_note_numbers(state, n, (const char *const *)line->names + k * n, fields[k] + last * n, m->t[last], last,
                             s->check);
  thud_verify_note_numbers(thud_node_find(s->map, "ledger"), VERIFY_LINE_LEDGER, ledger, book, m->t[last], last,
                           s->check);
  for (size_t k = 0; k < m->count; k++) largest = fmax(largest, m->moved[k]);
  for (size_t k = 0; k < n; k++) rounding = fmax(rounding, fabs(m->u[last * n + k]));
  if (m->complete) compare(s, "largest_move", largest, 1e-12 * largest + 4 * DBL_EPSILON * rounding);
  check_levels(s);
  return compare_reaction(s);
}

thud_error thud_verify_line_summary(const verify_line_motion *m, thud_record_reader *reader, thud_verify_check *check,
                                    thud_verify_check *refinement) {
  thud_tree *tree;
  thud_error error = thud_verify_summary_open(m->context, reader, check, &tree);
  if (error == THUD_OK && tree != NULL) {
    const line_summary s = {
        .m = m, .map = thud_tree_root(tree), .check = check, .refinement = refinement, .last = m->count - 1};
    error = compare_summary(&s);
  } else {
    thud_verify_skip(refinement, THUD_VERIFY_NOT_APPLICABLE, "no judgement");
  }
  thud_tree_destroy(tree);
  return error;
}
