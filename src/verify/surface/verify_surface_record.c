/* A recorded membrane or plate: every row is checked by the checker's own elements. */
#include "verify/verify_channels.h"
#include "verify/verify_notes.h"
#include "verify/surface/verify_surface.h"
#include "verify/surface/verify_surface_rows.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double DEFAULT_TOLERANCE = 1e-8;
static const char *const names[SURFACE_CHECKS] = {"structure",   "supports", "gap",      "reaction", "complementarity",
                                                  "equilibrium", "in-plane", "friction", "slip",     "energies",
                                                  "figures",     "events",   "summary",  "finished"};

static void free_rows(surface_rows *m) {
  double *const arrays[] = {m->t,      m->side, m->figures, m->v,      m->s,      m->status, m->potential,
                            m->slopes, m->u,    m->r,       m->ledger, m->forces, m->sizes,  m->loads};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(m->context, arrays[k]);
}

static const char *const figure_names[4] = {"reaction", "contact_area", "lowest", "highest"};
static const char *const ledger_names[5] = {"stored", "work", "friction", "quadratic", "defect"};

static thud_error read_rows(surface_rows *m, thud_record_reader *reader, thud_verify_check *structure) {
  static const char *const states[] = {"apart", "touching", "slipping"};
  thud_record_info info = thud_record_reader_info(reader);
  const verify_surface *surface = m->surface;
  size_t n = m->n, plane = surface->plane ? 2 * n : 0, edges = surface->plate ? surface->mesh.edges : 0;
  m->count = info.rows[THUD_RECORD_FRAMES];
  const verify_channel channels[] = {{"time", 1, &m->t},
                                     {"side", 1, &m->side},
                                     {"state", 4, &m->figures},
                                     {"deflection", n, &m->v},
                                     {"pressure", n, &m->s},
                                     {"status", n, &m->status},
                                     {"potential", 1, &m->potential},
                                     {"slopes", edges, &m->slopes},
                                     {"in-plane", plane, &m->u},
                                     {"friction", plane, &m->r},
                                     {"ledger", plane > 0 ? 5 : 0, &m->ledger}};
  size_t wanted = 7U + (surface->plate ? 1U : 0U) + (surface->plane ? 3U : 0U);
  thud_error error = thud_verify_read_channels(m->context, reader, THUD_RECORD_FRAMES,
                                               sizeof channels / sizeof *channels, channels, structure);
  if (error != THUD_OK) return error;
  thud_verify_check_made_by(&info, surface->plate ? "plate" : "membrane", "catching-up", structure);
  thud_verify_check_components(reader, THUD_RECORD_FRAMES, "state", 4, figure_names, structure);
  thud_verify_check_labels(reader, THUD_RECORD_FRAMES, "status", 3, states, structure);
  if (surface->plane) thud_verify_check_components(reader, THUD_RECORD_FRAMES, "ledger", 5, ledger_names, structure);
  if (info.channel_count[THUD_RECORD_FRAMES] != wanted)
    thud_verify_fail(structure, NAN, SIZE_MAX, "frames have %zu channels, %zu are known", info.channel_count[0],
                     wanted);
  if (m->count == 0) thud_verify_fail(structure, NAN, SIZE_MAX, "the record has no frames");
  size_t room = n + edges > 2 * n ? n + edges : 2 * n;
  m->forces = THUD_NEW_ARRAY(m->context, double, 2 * room);
  m->sizes = THUD_NEW_ARRAY(m->context, double, room);
  m->loads = THUD_NEW_ARRAY(m->context, double, 2 * n);
  return m->forces != NULL && m->sizes != NULL && m->loads != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

static bool is_usable(const surface_rows *m) {
  return m->count > 0 && m->t != NULL && m->side != NULL && m->figures != NULL && m->v != NULL && m->s != NULL &&
         m->status != NULL && m->potential != NULL && m->slopes != NULL && m->u != NULL && m->r != NULL &&
         m->ledger != NULL;
}

/* ---- times ------------------------------------------------------------------------------------------------------------ */

/* The row that follows one at t on this side, when nothing is left out; false: none does. */
static bool row_after(const verify_scene *scene, double *t, double *side) {
  double step = (scene->end - scene->start) / scene->steps, slack = 1e-9 * step;
  bool jumps = thud_verify_scene_jumps_at(scene, *t);
  if (*side < 0 || (*side == 0 && jumps && *t < scene->end)) {
    *side += 1;
    return true;
  }
  if (!(*t < scene->end)) return false;
  double k = floor((*t - scene->start) / step + 1e-9) + 1;
  double next = k >= scene->steps ? scene->end : scene->start + k * step;
  size_t j = thud_verify_times_before(scene->jumps, scene->jump_count, *t);
  while (j < scene->jump_count && scene->jumps[j] <= *t) j++;
  bool jump = j < scene->jump_count && scene->jumps[j] <= next + slack;
  *t = jump ? scene->jumps[j] : next;
  *side = jump ? -1 : 0;
  return true;
}

/* Rows follow each other as the scene says; with thinning some of those without a jump may be missing. */
static void check_times(const surface_rows *m, bool finished, thud_verify_check *check) {
  const verify_scene *scene = &m->surface->scene;
  double step = (scene->end - scene->start) / scene->steps, slack = 1e-9 * step + 8 * DBL_EPSILON * fabs(scene->end);
  double t = scene->start, side = 0;
  for (size_t k = 0; k < m->count; k++) {
    bool more = true;
    if (k > 0) {
      t = m->t[k - 1];
      side = m->side[k - 1];
      more = row_after(scene, &t, &side);
      while (more && !m->complete && side == 0 && t < m->t[k] - slack) more = row_after(scene, &t, &side);
    }
    if (!more || !(fabs(m->t[k] - t) <= slack) || side != m->side[k])
      thud_verify_fail(check, m->t[k], k, "the scene has no such row after the one before");
    if (k > 0 && !(m->t[k] - m->t[k - 1] <= step + scene->record_every + slack))
      thud_verify_fail(check, m->t[k], k, "frames are missing before this one");
  }
  if (finished && !(m->t[m->count - 1] == scene->end))
    thud_verify_fail(check, m->t[m->count - 1], m->count - 1, "the rows do not reach the end %g", scene->end);
  if (check->status == THUD_VERIFY_PASSED) thud_verify_explain(check, "%zu frames", m->count);
}

/* ---- events and summary -------------------------------------------------------------------------------------------------- */

static thud_error check_events(const surface_rows *m, thud_record_reader *reader, thud_verify_check *check) {
  static const char *const kinds[] = {"jump"};
  size_t count = thud_record_reader_info(reader).rows[THUD_RECORD_EVENTS], next = 0;
  double *t = NULL, *kind = NULL;
  const verify_channel channels[] = {{"t", 1, &t}, {"kind", 1, &kind}};
  thud_error error = thud_verify_read_channels(m->context, reader, THUD_RECORD_EVENTS, 2, channels, check);
  thud_verify_check_labels(reader, THUD_RECORD_EVENTS, "kind", 1, kinds, check);
  for (size_t k = 0; error == THUD_OK && t != NULL && kind != NULL && k < m->count; k++) {
    if (m->side[k] <= 0) continue;
    if (next >= count || t[next] != m->t[k] || kind[next] != 0)
      thud_verify_fail(check, m->t[k], k, "the data jump here and there is no event");
    next++;
  }
  if (error == THUD_OK && next != count)
    thud_verify_fail(check, NAN, SIZE_MAX, "there are %zu events, the rows have %zu jumps", count, next);
  thud_free(m->context, t);
  thud_free(m->context, kind);
  return error;
}

/* Two searches for the same rim agree within their errors, and their errors within a factor; near the limit of what is too
 * narrow one may resolve it and the other not. */
static void compare_rim(const surface_rows *m, const thud_node *map, const surface_measure *found, double size,
                        thud_verify_check *check) {
  static const double LIMIT = 0.25, SLACK = 0.15, FACTOR = 3;
  size_t last = m->count - 1;
  double t = m->t[last], rim, error, slack = m->surface->plate ? SLACK : 0;
  bool claimed =
      thud_verify_note_find(map, "reaction_rim", &rim) && thud_verify_note_find(map, "reaction_rim_error", &error);
  if (!claimed && found->narrow < LIMIT - slack) {
    thud_verify_fail(check, t, last, "there is no 'reaction_rim', and the mesh resolves it: %.6g +- %.2g", found->rim,
                     found->rim_error);
  } else if (claimed && found->narrow > LIMIT + slack) {
    thud_verify_fail(check, t, last, "'reaction_rim' is %.6g, and the contact is too narrow for the mesh", rim);
  } else if (claimed && !m->surface->plate) {
    thud_verify_note_number(map, "reaction_rim", found->rim, size, t, last, check);
    thud_verify_note_number(map, "reaction_rim_error", found->rim_error, size, t, last, check);
  } else if (claimed) {
    double allowed = found->rim_error;
    if (!(error <= FACTOR * allowed + size) || !(allowed <= FACTOR * error + size))
      thud_verify_fail(check, t, last, "'reaction_rim_error' is %.6g, by the checker %.6g", error, allowed);
    thud_verify_note_number(map, "reaction_rim", found->rim, 2 * allowed + size, t, last, check);
  }
}

static void compare_summary(const surface_rows *m, const thud_node *map, bool good, thud_verify_check *check) {
  static const char *const figures[] = {"steps",        "potential",    "reaction", "reaction_atoms",    "reaction_rim",
                                        "contact_area", "loaded_nodes", "atoms",    "reaction_rim_error"};
  size_t last = m->count - 1;
  double t = m->t[last], size = 1e-12 * (1 + fabs(m->figures[4 * last]));
  surface_measure found;
  thud_verify_summary_keys(map, sizeof figures / sizeof *figures, figures, check);
  if (!good || thud_verify_surface_measure(m, last, &found) != THUD_OK) return;
  thud_verify_note_number(map, "time", t, 0, t, last, check);
  thud_verify_note_number(map, "potential", m->potential[last], 0, t, last, check);
  thud_verify_note_number(map, "reaction", m->figures[4 * last], 0, t, last, check);
  thud_verify_note_number(map, "contact_area", m->figures[4 * last + 1], 0, t, last, check);
  thud_verify_note_number(map, "reaction_atoms", found.atoms, size, t, last, check);
  compare_rim(m, map, &found, size, check);
  thud_verify_note_number(map, "loaded_nodes", (double)found.loaded, 0, t, last, check);
  thud_verify_note_number(map, "atoms", (double)found.atom_count, 0, t, last, check);
  thud_verify_note_numbers(thud_node_find(map, "state"), 4, figure_names, m->figures + 4 * last, t, last, check);
  if (m->surface->plane)
    thud_verify_note_numbers(thud_node_find(map, "ledger"), 5, ledger_names, m->ledger + 5 * last, t, last, check);
  if (m->complete) thud_verify_note_number(map, "steps", (double)m->count, 0, t, last, check);
}

static thud_error check_summary(const surface_rows *m, thud_record_reader *reader, thud_verify_check *check) {
  thud_record_info info = thud_record_reader_info(reader);
  thud_tree *tree;
  thud_error error = thud_verify_summary_open(m->context, reader, check, &tree);
  if (error == THUD_OK && tree != NULL)
    compare_summary(m, thud_tree_root(tree), strcmp(info.verdict, "good") == 0, check);
  thud_tree_destroy(tree);
  return error;
}

/* ---- all of it ------------------------------------------------------------------------------------------------------------- */

static void mark_not_checkable(thud_verify_check *checks, const char *why) {
  for (int k = SURFACE_SUPPORTS; k < SURFACE_FINISHED; k++)
    thud_verify_skip(&checks[k], THUD_VERIFY_NOT_CHECKABLE, "%s", why);
}

static thud_error check_rows(surface_rows *m, thud_record_reader *reader, thud_verify_check *checks) {
  thud_record_info info = thud_record_reader_info(reader);
  check_times(m, strcmp(info.verdict, "good") == 0, &checks[SURFACE_STRUCTURE]);
  for (size_t k = 0; k < m->count; k++) thud_verify_surface_row(m, k, checks);
  thud_error error = check_events(m, reader, &checks[SURFACE_EVENTS]);
  if (error == THUD_OK) error = check_summary(m, reader, &checks[SURFACE_SUMMARY]);
  for (int k = SURFACE_PLANE; k <= SURFACE_SLIP && !m->surface->plane; k++)
    thud_verify_skip(&checks[k], THUD_VERIFY_NOT_APPLICABLE, "the scene has no 'in_plane'");
  if (m->surface->plane && !m->complete)
    thud_verify_skip(&checks[SURFACE_SLIP], THUD_VERIFY_NOT_CHECKED, "rows were left out: their steps are not known");
  return error;
}

static thud_error check_with_scene(thud_context *context, thud_record_reader *reader, const verify_surface *surface,
                                   const thud_verify_options *options, thud_verify_check *checks) {
  surface_rows rows = {.context = context,
                       .surface = surface,
                       .n = surface->mesh.nodes,
                       .complete = surface->scene.record_every == 0,
                       .tolerance = options->tolerance > 0 ? options->tolerance : DEFAULT_TOLERANCE};
  thud_error error = read_rows(&rows, reader, &checks[SURFACE_STRUCTURE]);
  if (error == THUD_OK && !is_usable(&rows))
    mark_not_checkable(checks, "the frames cannot be used: see structure");
  else if (error == THUD_OK)
    error = check_rows(&rows, reader, checks);
  free_rows(&rows);
  return error;
}

thud_error thud_verify_surface_record(thud_context *context, thud_record_reader *reader, const thud_tree *tree,
                                      thud_error error, const thud_verify_options *options,
                                      thud_verify_result *result) {
  thud_verify_check checks[SURFACE_CHECKS];
  verify_surface surface;
  thud_record_info info = thud_record_reader_info(reader);
  for (int k = 0; k < SURFACE_CHECKS; k++) checks[k] = thud_verify_check_new(names[k]);
  if (error == THUD_OK) error = thud_verify_surface_read(context, tree, &surface);
  if (error == THUD_OK) {
    error = check_with_scene(context, reader, &surface, options, checks);
    thud_verify_surface_free(&surface);
  } else if (error != THUD_ERROR_MEMORY) {
    thud_verify_fail(&checks[SURFACE_STRUCTURE], NAN, SIZE_MAX, "the scene in the record cannot be used: %s",
                     thud_context_last_message(context));
    mark_not_checkable(checks, "the scene cannot be used: see structure");
    error = THUD_OK;
  }
  if (error != THUD_OK) return error;
  thud_verify_check_finished(&info, &checks[SURFACE_FINISHED]);
  *result = (thud_verify_result){0};
  for (int k = 0; k < SURFACE_CHECKS; k++) thud_verify_result_add(result, &checks[k]);
  return THUD_OK;
}
