/* A recorded punch on a half-plane: from its file to a list of checks, with its energies. */
#include "verify/verify_observe.h"
#include "verify/half_plane/verify_punch.h"
#include "verify/verify_channels.h"
#include "verify/verify_summary.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- energies of a punch ----------------------------------------------------------------------------------------- */

/* Energies of a punch: work, stored energy and losses by the mean forces of steps; creep of rolling. */

/* Sums round: this part of the terms is forgiven. */
static const double ROUNDING = 1e-13;

enum { STORED, WORK, FRICTION, NORMAL, DEFECT };

/* Where p is, the surface lies on the punch; v is what moves against the punch. *size: terms in absolute value. */
static double stored(const verify_punch_motion *m, size_t k, double *size) {
  const verify_punch *punch = m->punch;
  const double *motion = m->motion + VERIFY_PUNCH_DRIVES * k;
  double sum = 0;
  for (size_t i = 0; i < punch->n; i++) {
    size_t at = k * punch->n + i;
    double lift = punch->profile[i] + motion[2] * (punch->x[i] - punch->pivot);
    double normal = m->pressure[at] * (motion[0] - lift), along = m->traction[at] * (m->displacement[at] - motion[1]);
    sum += punch->h[i] * (normal + along) / 2;
    *size += punch->h[i] * (fabs(m->pressure[at]) * (fabs(motion[0]) + fabs(lift)) +
                            fabs(m->traction[at]) * (fabs(m->displacement[at]) + fabs(motion[1])));
  }
  return sum;
}

/* What the step to frame k adds to the entries of the ledger but the first. */
static void add_step(const verify_punch_motion *m, size_t k, double *sums, double *size) {
  const verify_punch *punch = m->punch;
  const double *load = m->load + VERIFY_PUNCH_DRIVES * k, *motion = m->motion + VERIFY_PUNCH_DRIVES * k;
  const double *load0 = load - VERIFY_PUNCH_DRIVES, *motion0 = motion - VERIFY_PUNCH_DRIVES;
  double work = (load[0] + load0[0]) * (motion[0] - motion0[0]) - (load[1] + load0[1]) * (motion[1] - motion0[1]) -
                (load[2] + load0[2]) * (motion[2] - motion0[2]);
  for (int d = 0; d < VERIFY_PUNCH_DRIVES; d++)
    *size += (fabs(load[d]) + fabs(load0[d])) * (fabs(motion[d]) + fabs(motion0[d]));
  double friction = 0, normal = 0, unused = 0;
  for (size_t i = 0; i < punch->n; i++) {
    size_t now = k * punch->n + i, before = now - punch->n;
    double h = punch->h[i], slip = m->displacement[now] - m->displacement[before];
    friction += h * (m->traction[now] + m->traction[before]) * slip;
    normal += h * (m->pressure[now] * m->gap[before] - m->pressure[before] * m->gap[now]);
    *size += h * (fabs(m->traction[now]) + fabs(m->traction[before])) *
             (fabs(m->displacement[now]) + fabs(m->displacement[before]));
    *size += h * (m->pressure[now] * m->gap[before] + m->pressure[before] * m->gap[now]);
  }
  double change = stored(m, k, size) - stored(m, k - 1, &unused);
  sums[WORK] += work / 2;
  sums[FRICTION] -= friction / 2;
  sums[NORMAL] += normal / 2;
  sums[DEFECT] += work / 2 - change + friction / 2 - normal / 2;
}

static void punch_energy(const verify_punch_motion *m, thud_verify_check *check) {
  if (m->ledger == NULL) return; /* of this method */
  double sums[VERIFY_PUNCH_LEDGER] = {0}, size = 0;
  for (size_t k = 0; k < m->count; k++) {
    const double *ledger = m->ledger + VERIFY_PUNCH_LEDGER * k;
    double own = 0, energy = stored(m, k, &own);
    bool follows = k > 0 && m->node[k - 1] == m->node[k] - 1;
    thud_verify_tally(check, fabs(ledger[STORED] - energy), ROUNDING * own + DBL_MIN, 0, m->t[k], k);
    if (k == 0 && m->node[0] == 0)
      for (int e = WORK; e <= DEFECT; e++) thud_verify_tally(check, fabs(ledger[e]), DBL_MIN, 0, m->t[k], k);
    if (!follows) {
      for (int e = WORK; e <= DEFECT; e++) sums[e] = ledger[e];
      continue;
    }
    add_step(m, k, sums, &size);
    for (int e = WORK; e <= DEFECT; e++)
      thud_verify_tally(check, fabs(ledger[e] - sums[e]), ROUNDING * size + DBL_MIN, 0, m->t[k], k);
  }
}

static void punch_creep(const verify_punch_motion *m, thud_verify_check *check) {
  if (m->creep == NULL) return; /* it does not roll */
  double way = m->punch->roll * (m->punch->edges[m->punch->n] - m->punch->edges[0]) / (double)m->punch->n;
  for (size_t k = 0; k < m->count; k++) {
    double shift = m->motion[VERIFY_PUNCH_DRIVES * k + 1];
    if (m->node[k] == 0) thud_verify_tally(check, fabs(m->creep[k]), DBL_MIN, 0, m->t[k], k);
    if (k == 0 || m->node[k - 1] != m->node[k] - 1) continue;
    double before = m->motion[VERIFY_PUNCH_DRIVES * (k - 1) + 1];
    double tolerance = 1e-12 * (fabs(shift) + fabs(before)) / fabs(way) + DBL_MIN;
    thud_verify_tally(check, fabs(m->creep[k] - (shift - before) / way), tolerance, 0, m->t[k], k);
  }
}

/* ---- records ----------------------------------------------------------------------------------------------------- */

/* Accepted violations of laws, as a part of forces and displacements, unless the scene accepts more. */
static const double DEFAULT_TOLERANCE = 1e-9;

enum {
  STRUCTURE,
  LOADS,
  EQUILIBRIUM,
  GAPS,
  DISPLACEMENT,
  BETWEEN,
  SLIP,
  LAW,
  MODES,
  ZONES,
  ENERGY,
  CREEP,
  INSIDE,
  EVENTS,
  SUMMARY,
  FINISHED
};
static const char *const regimes[VERIFY_PUNCH_REGIMES] = {"lifted", "sticks", "slips-partly", "slides"};

/* ---- rows ----------------------------------------------------------------------------------------------------------- */

static void free_motion(verify_punch_motion *m) {
  double *const arrays[] = {m->t,     m->load,     m->motion,   m->contact, m->stick,        m->ledger,
                            m->creep, m->pressure, m->traction, m->gap,     m->displacement, m->slip,
                            m->mode,  m->node,     m->kernel};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(m->context, arrays[k]);
  for (size_t c = 0; c < VERIFY_PUNCH_INSIDE; c++) thud_free(m->context, m->inside[c]);
  thud_free(m->context, m->rows);
}

/* Components of fields are named by their places: "p(0.25)". */
static void check_places(const verify_punch_motion *m, const thud_record_reader *reader, const char *role,
                         const char *letter, thud_verify_check *structure) {
  size_t index, length = strlen(letter);
  if (thud_record_find_role(reader, THUD_RECORD_FRAMES, role, &index) != THUD_OK) return;
  const thud_record_channel *channel = thud_record_reader_channel(reader, THUD_RECORD_FRAMES, index);
  double size = fmax(fabs(m->punch->edges[0]), fabs(m->punch->edges[m->punch->n]));
  for (size_t i = 0; i < m->punch->n && i < channel->width; i++) {
    char text[64];
    double x = NAN;
    const char *name = channel->components[i];
    size_t end = strlen(name);
    bool form = strncmp(name, letter, length) == 0 && end > length + 2 && name[length] == '(' && name[end - 1] == ')' &&
                end - length - 2 < sizeof text;
    if (form) {
      memcpy(text, name + length + 1, end - length - 2);
      text[end - length - 2] = '\0';
    }
    if (form && thud_parse_double(text, &x) && fabs(x - m->punch->x[i]) <= 1e-12 * size) continue;
    thud_verify_fail(structure, NAN, SIZE_MAX, "component %zu of the %s is called '%s'; its place is %.17g", i, role,
                     name, m->punch->x[i]);
    return;
  }
}

static void check_names(const verify_punch_motion *m, const thud_record_reader *reader, thud_verify_check *structure) {
  static const char *const load[] = {"P", "Q", "M"}, *const motion[] = {"depth", "shift", "tilt"};
  static const char *const contact[] = {"contact_left", "contact_right"}, *const stick[] = {"stick_left",
                                                                                            "stick_right"};
  static const char *const ledger[] = {"stored", "work", "friction", "normal", "defect"};
  static const char *const modes[] = {"backward", "stick", "forward", "open"};
  static const char *const fields[][2] = {{"pressure", "p"},     {"traction", "q"}, {"gap", "gap"},
                                          {"displacement", "v"}, {"slip", "slip"},  {"mode", "mode"}};
  thud_verify_check_components(reader, THUD_RECORD_FRAMES, "load", VERIFY_PUNCH_DRIVES, load, structure);
  thud_verify_check_components(reader, THUD_RECORD_FRAMES, "motion", VERIFY_PUNCH_DRIVES, motion, structure);
  thud_verify_check_components(reader, THUD_RECORD_FRAMES, "contact", 2, contact, structure);
  thud_verify_check_components(reader, THUD_RECORD_FRAMES, "stick", 2, stick, structure);
  if (m->ledger != NULL)
    thud_verify_check_components(reader, THUD_RECORD_FRAMES, "ledger", VERIFY_PUNCH_LEDGER, ledger, structure);
  thud_verify_check_labels(reader, THUD_RECORD_FRAMES, "mode", VERIFY_PUNCH_MODES, modes, structure);
  for (size_t k = 0; k < sizeof fields / sizeof *fields; k++)
    check_places(m, reader, fields[k][0], fields[k][1], structure);
}

static thud_error read_frames(verify_punch_motion *m, thud_record_reader *reader, thud_verify_check *structure) {
  const verify_punch *punch = m->punch;
  size_t n = punch->n;
  thud_record_info info = thud_record_reader_info(reader);
  m->count = info.rows[THUD_RECORD_FRAMES];
  m->complete = punch->scene.record_every == 0;
  verify_channel channels[14 + VERIFY_PUNCH_INSIDE] = {{"time", 1, &m->t},
                                                       {"load", VERIFY_PUNCH_DRIVES, &m->load},
                                                       {"motion", VERIFY_PUNCH_DRIVES, &m->motion},
                                                       {"contact", 2, &m->contact},
                                                       {"stick", 2, &m->stick},
                                                       {"pressure", n, &m->pressure},
                                                       {"traction", n, &m->traction},
                                                       {"gap", n, &m->gap},
                                                       {"displacement", n, &m->displacement},
                                                       {"slip", n, &m->slip},
                                                       {"mode", n, &m->mode}};
  size_t count = 11;
  if (punch->method == VERIFY_PUNCH_INCREMENTAL)
    channels[count++] = (verify_channel){"ledger", VERIFY_PUNCH_LEDGER, &m->ledger};
  if (punch->method == VERIFY_PUNCH_ROLLING) channels[count++] = (verify_channel){"creep", 1, &m->creep};
  static const char *const inside[VERIFY_PUNCH_INSIDE] = {"sxx", "syy", "sxy", "tau", "ux", "uy"};
  for (size_t c = 0; c < VERIFY_PUNCH_INSIDE && punch->inside_count > 0; c++)
    channels[count++] = (verify_channel){inside[c], punch->inside_count, &m->inside[c]};
  thud_error error = thud_verify_read_channels(m->context, reader, THUD_RECORD_FRAMES, count, channels, structure);
  if (error != THUD_OK) return error;
  if (info.channel_count[THUD_RECORD_FRAMES] != count + thud_verify_observed_channels(reader))
    thud_verify_fail(structure, NAN, SIZE_MAX, "the frames have %zu channels, a half-plane has %zu",
                     info.channel_count[THUD_RECORD_FRAMES], count);
  thud_verify_check_made_by(&info, "half-plane", punch->scene.method, structure);
  if (m->count == 0) thud_verify_fail(structure, NAN, SIZE_MAX, "the record has no frames");
  if (structure->status != THUD_VERIFY_FAILED) check_names(m, reader, structure);
  thud_verify_punch_inside_names(m, reader, structure);
  return THUD_OK;
}

/* Times are nodes; how far they are off is a figure of the check. */
static void check_times(const verify_punch_motion *m, bool finished, thud_verify_check *check) {
  const verify_scene *scene = &m->punch->scene;
  const verify_times times = thud_verify_equal_steps(scene, true, VERIFY_TIMES_INCREASE);
  double length = scene->end - scene->start, size = fmax(fabs(scene->start), fabs(scene->end));
  thud_verify_check_times(&times, m->count, m->t, NULL, finished, check);
  for (size_t k = 0; k < m->count; k++) {
    double expected = scene->start + m->node[k] * length / scene->steps;
    thud_verify_tally(check, fabs(m->t[k] - expected), 1e-12 * size, 0, m->t[k], k);
  }
}

static void check_numbers(const verify_punch_motion *m, thud_verify_check *check) {
  size_t n = m->punch->n;
  const struct {
    const double *values;
    size_t width;
  } all[] = {{m->t, 1},     {m->load, 3},     {m->motion, 3},   {m->contact, 2}, {m->stick, 2},        {m->ledger, 5},
             {m->creep, 1}, {m->pressure, n}, {m->traction, n}, {m->gap, n},     {m->displacement, n}, {m->slip, n},
             {m->mode, n}};
  for (size_t a = 0; a < sizeof all / sizeof *all; a++)
    for (size_t k = 0; all[a].values != NULL && k < m->count; k++)
      if (!thud_verify_all_finite(all[a].width, all[a].values + k * all[a].width)) {
        thud_verify_fail(check, m->t[k], k, "a number of this frame is NaN or infinite");
        return;
      }
}

/* ---- events and summary ----------------------------------------------------------------------------------------------- */

/* One event for each row at which the contact begins to do something else. */
static void compare_events(const verify_punch_motion *m, size_t count, const double *t, const double *kind,
                           const double *before, const double *frame, thud_verify_check *check) {
  size_t next = 0;
  int last = thud_verify_punch_regime(m, 0);
  for (size_t k = 1; k < m->count; k++) {
    int now = thud_verify_punch_regime(m, k);
    bool listed = next < count && t[next] == m->t[k];
    if (listed && (kind[next] != now || (m->complete && before[next] != last)))
      thud_verify_fail(check, m->t[k], k, "event %zu says '%g', the row says '%s'", next, kind[next], regimes[now]);
    if (listed && !(before[next] >= 0 && before[next] < VERIFY_PUNCH_REGIMES && before[next] != kind[next]))
      thud_verify_fail(check, m->t[k], k, "event %zu changes nothing", next);
    if (!listed && m->complete && now != last)
      thud_verify_fail(check, m->t[k], k, "from here on it %s, and there is no event", regimes[now]);
    if (listed && m->complete && now == last) thud_verify_fail(check, m->t[k], k, "event %zu changes nothing", next);
    if (listed && frame[next] != (double)k)
      thud_verify_fail(check, m->t[k], k, "event %zu belongs to frame %g", next, frame[next]);
    next += listed;
    last = now;
  }
  if (next != count) thud_verify_fail(check, NAN, SIZE_MAX, "%zu of %zu events belong to rows", next, count);
}

static thud_error check_events(const verify_punch_motion *m, thud_record_reader *reader, thud_verify_check *check) {
  double *t = NULL, *kind = NULL, *before = NULL, *frame = NULL;
  const verify_channel channels[] = {{"t", 1, &t}, {"kind", 1, &kind}, {"before", 1, &before}, {"frame", 1, &frame}};
  size_t count = thud_record_reader_info(reader).rows[THUD_RECORD_EVENTS];
  thud_error error = thud_verify_read_channels(m->context, reader, THUD_RECORD_EVENTS, 4, channels, check);
  thud_verify_check_labels(reader, THUD_RECORD_EVENTS, "kind", VERIFY_PUNCH_REGIMES, regimes, check);
  thud_verify_check_labels(reader, THUD_RECORD_EVENTS, "before", VERIFY_PUNCH_REGIMES, regimes, check);
  if (error == THUD_OK && check->status != THUD_VERIFY_FAILED) compare_events(m, count, t, kind, before, frame, check);
  thud_free(m->context, t);
  thud_free(m->context, kind);
  thud_free(m->context, before);
  thud_free(m->context, frame);
  return error;
}

/* What the summary says of the last row. */
static void compare_state(const verify_punch_motion *m, const thud_node *map, thud_verify_check *check) {
  static const char *const load[] = {"P", "Q", "M"}, *const motion[] = {"depth", "shift", "tilt"};
  static const char *const contact[] = {"contact_left", "contact_right"}, *const stick[] = {"stick_left",
                                                                                            "stick_right"};
  static const char *const ledger[] = {"stored", "work", "friction", "normal", "defect"};
  size_t last = m->count - 1;
  const thud_node *state = thud_node_find(map, "state"), *book = thud_node_find(map, "ledger");
  double t = m->t[last];
  thud_verify_note_number(map, "time", t, 0, t, last, check);
  thud_verify_note_numbers(state, 3, load, m->load + VERIFY_PUNCH_DRIVES * last, t, last, check);
  thud_verify_note_numbers(state, 3, motion, m->motion + VERIFY_PUNCH_DRIVES * last, t, last, check);
  thud_verify_note_numbers(state, 2, contact, m->contact + 2 * last, t, last, check);
  thud_verify_note_numbers(state, 2, stick, m->stick + 2 * last, t, last, check);
  if (m->ledger != NULL)
    thud_verify_note_numbers(book, VERIFY_PUNCH_LEDGER, ledger, m->ledger + VERIFY_PUNCH_LEDGER * last, t, last, check);
}

static const char *const end_names[2][4] = {
    {"left_exponent", "left_oscillation", "left_coefficient", "left_error"},
    {"right_exponent", "right_oscillation", "right_coefficient", "right_error"}};

/* Exponents by theory; coefficients and their errors to the rounding of the two fits, whose columns are nearly dependent. */
static void compare_ends(const verify_punch_motion *m, const thud_node *map, thud_verify_check *check) {
  static const double FIT = 1e-6;
  size_t last = m->count - 1;
  double t = m->t[last], number;
  for (int right = 0; right < 2; right++) {
    const char *const *name = end_names[right];
    verify_punch_end end;
    if (!thud_verify_punch_law_at_end(m, last, right != 0 ? 1 : -1, &end)) continue;
    thud_verify_note_number(map, name[0], end.exponent, 1e-12, t, last, check);
    thud_verify_note_number(map, name[1], end.oscillation, 1e-12, t, last, check);
    bool claimed = thud_verify_note_find(map, name[2], &number);
    if (claimed != !isnan(end.coefficient))
      thud_verify_fail(check, t, last, claimed ? "'%s' is given, and the mesh does not resolve it" : "there is no '%s'",
                       name[2]);
    if (!claimed || isnan(end.coefficient)) continue;
    thud_verify_note_number(map, name[2], end.coefficient, FIT * end.coefficient, t, last, check);
    thud_verify_note_number(map, name[3], end.error, FIT * end.coefficient, t, last, check);
  }
}

static const char *const shear_names[3] = {"largest_shear", "largest_shear_x", "largest_shear_depth"};

/* The largest shear stress of the last row; of several points the one that is named. */
static void compare_inside(const verify_punch_motion *m, const thud_node *map, thud_verify_check *check) {
  const verify_punch *punch = m->punch;
  size_t last = m->count - 1, count = punch->inside_count, best = 0;
  if (count == 0) return;
  const double *tau = m->inside[3] + last * count;
  for (size_t i = 1; i < count; i++)
    if (tau[i] > tau[best]) best = i;
  thud_verify_note_number(map, shear_names[0], tau[best], 0, m->t[last], last, check);
  thud_verify_note_number(map, shear_names[1], punch->inside[2 * best], 0, m->t[last], last, check);
  thud_verify_note_number(map, shear_names[2], punch->inside[2 * best + 1], 0, m->t[last], last, check);
}

static const char *const start_names[3] = {"starts", "failed_starts", "solutions"};

/* The other solutions are not in the record: their number can only fit the starts. */
static void compare_solutions(const verify_punch_motion *m, const thud_node *map, thud_verify_check *check) {
  double number[3], starts = m->punch->starts + 1;
  size_t last = m->count - 1;
  bool there = thud_verify_note_find(map, start_names[0], &number[0]);
  if (!there || m->punch->starts == 0) return;
  there =
      thud_verify_note_find(map, start_names[1], &number[1]) && thud_verify_note_find(map, start_names[2], &number[2]);
  bool fits = there && number[0] == starts && number[1] >= 0 && number[2] >= 1 && number[1] + number[2] <= starts &&
              number[1] == floor(number[1]) && number[2] == floor(number[2]);
  if (!fits) thud_verify_fail(check, m->t[last], last, "numbers of starts and solutions do not fit the scene");
}

static thud_error compare_summary(verify_record *record, void *motion, const thud_node *map, thud_verify_check *check) {
  const verify_punch_motion *m = motion;
  bool good = strcmp(record->info.verdict, "good") == 0;
  static const char *const figures[] = {
      "rows",   "elements", "largest_pressure", "contact_left", "contact_right", "stick_left", "stick_right",
      "regime", "creep",    "dissipation",      "defect"};
  enum { SHARED = 8 };
  const char *known[SHARED + 3 + 3 + 3 + 8];
  size_t count = SHARED, last = m->count - 1;
  memcpy(known, figures, SHARED * sizeof *known);
  if (m->creep != NULL) known[count++] = "creep";
  if (m->ledger != NULL) known[count++] = "dissipation", known[count++] = "defect";
  for (int k = 0; k < 3 && m->punch->inside_count > 0; k++) known[count++] = shear_names[k];
  for (int k = 0; k < 3 && m->punch->starts > 0; k++) known[count++] = start_names[k];
  for (int k = 0; k < 8 && good; k++) known[count++] = end_names[k / 4][k % 4];
  thud_verify_summary_keys(map, count, known, check);
  compare_state(m, map, check);
  if (good) compare_ends(m, map, check);
  compare_inside(m, map, check);
  compare_solutions(m, map, check);
  double t = m->t[last], largest = 0;
  for (size_t i = 0; i < m->count * m->punch->n; i++) largest = fmax(largest, m->pressure[i]);
  thud_verify_note_number(map, "rows", m->node[last] + 1, 0, t, last, check);
  thud_verify_note_number(map, "elements", (double)m->punch->n, 0, t, last, check);
  if (m->complete) thud_verify_note_number(map, "largest_pressure", largest, 0, t, last, check);
  thud_verify_note_numbers(map, 2, figures + 3, m->contact + 2 * last, t, last, check);
  thud_verify_note_numbers(map, 2, figures + 5, m->stick + 2 * last, t, last, check);
  if (m->creep != NULL) thud_verify_note_number(map, "creep", m->creep[last], 0, t, last, check);
  if (m->ledger != NULL) {
    thud_verify_note_number(map, "dissipation", m->ledger[VERIFY_PUNCH_LEDGER * last + 2], 0, t, last, check);
    thud_verify_note_number(map, "defect", m->ledger[VERIFY_PUNCH_LEDGER * last + 4], 0, t, last, check);
  }
  const thud_node *regime = thud_node_find(map, "regime");
  const char *expected = regimes[thud_verify_punch_regime(m, last)];
  if (regime == NULL || thud_node_get_kind(regime) != THUD_NODE_STRING ||
      strcmp(thud_node_string(regime), expected) != 0)
    thud_verify_fail(check, t, last, "the summary does not say that it %s", expected);
  return THUD_OK;
}

/* ---- all of it --------------------------------------------------------------------------------------------------------- */

static thud_error check_motion(verify_punch_motion *m, verify_record *record) {
  thud_verify_check *checks = record->checks;
  check_numbers(m, &checks[STRUCTURE]);
  if (checks[STRUCTURE].status == THUD_VERIFY_FAILED) return THUD_OK;
  thud_error error = thud_verify_punch_prepare(m);
  if (error != THUD_OK) return error;
  check_times(m, thud_verify_ran_to_end(&record->info), &checks[STRUCTURE]);
  thud_verify_punch_loads(m, &checks[LOADS]);
  thud_verify_punch_equilibrium(m, &checks[EQUILIBRIUM]);
  thud_verify_punch_gaps(m, &checks[GAPS], &checks[DISPLACEMENT]);
  thud_verify_punch_between(m, &checks[BETWEEN]);
  thud_verify_punch_slips(m, &checks[SLIP]);
  thud_verify_punch_law(m, &checks[LAW], &checks[MODES]);
  thud_verify_punch_zones(m, &checks[ZONES]);
  punch_energy(m, &checks[ENERGY]);
  punch_creep(m, &checks[CREEP]);
  thud_verify_punch_look_inside(m, &checks[INSIDE]);
  error = check_events(m, record->reader, &checks[EVENTS]);
  return error == THUD_OK ? thud_verify_check_summary(record, m, NULL) : error;
}

static thud_error read_scene(const verify_record *record, void *scene) {
  verify_punch *punch = scene;
  punch->scene.context = record->context;
  thud_error error = thud_verify_punch_read(record->context, record->tree, punch);
  if (error != THUD_OK) thud_verify_punch_free(punch);
  return error;
}

static thud_error check(verify_record *record, void *scene) {
  const verify_punch *punch = scene;
  double asked = record->options->tolerance;
  verify_punch_motion motion = {.context = record->context, .punch = punch};
  motion.tolerance = fmax(DEFAULT_TOLERANCE, 10 * fmax(punch->scene.tolerance, punch->linear_error));
  if (asked > 0) motion.tolerance = asked;
  thud_error error = read_frames(&motion, record->reader, &record->checks[STRUCTURE]);
  if (error == THUD_OK && record->checks[STRUCTURE].status != THUD_VERIFY_FAILED) error = check_motion(&motion, record);
  free_motion(&motion);
  return error;
}

static void release_scene(void *scene) { thud_verify_punch_free(scene); }

/* Energies belong to increments, creep to rolling. */
static bool leaves_out(const void *scene, size_t k) {
  const verify_punch *punch = scene;
  return (k == ENERGY && (punch == NULL || punch->method != VERIFY_PUNCH_INCREMENTAL)) ||
         (k == CREEP && (punch == NULL || punch->method != VERIFY_PUNCH_ROLLING)) ||
         (k == INSIDE && (punch == NULL || punch->inside_count == 0));
}

static const char *const names_of_checks[] = {[STRUCTURE] = "structure",
                                              [LOADS] = "loads",
                                              [EQUILIBRIUM] = "equilibrium",
                                              [GAPS] = "gap",
                                              [DISPLACEMENT] = "displacement",
                                              [BETWEEN] = "between",
                                              [SLIP] = "slip",
                                              [LAW] = "law",
                                              [MODES] = "modes",
                                              [ZONES] = "zones",
                                              [ENERGY] = "energy",
                                              [CREEP] = "creep",
                                              [INSIDE] = "inside",
                                              [EVENTS] = "events",
                                              [SUMMARY] = "summary",
                                              [FINISHED] = "finished",
                                              [FINISHED + 1] = NULL};

/* Defaults of its scenes: written after docs/scene-format.md, not after the tables of src. */
static const verify_default defaults[] = {{"/half_plane/friction", "0", "*", NULL},
                                          {"/half_plane/period", "0", "*", NULL},
                                          {"/half_plane/profile", "{}", "*", NULL},
                                          {"/half_plane/profile/centre", "0", "*", NULL},
                                          {"/half_plane/mesh/grading", "graded", "*", "elements"},
                                          {"/half_plane/load/Q", "0", "*", "!shift"},
                                          {"/half_plane/load/tilt", "0", "*", "!moment"},
                                          {"/half_plane/load/pivot", "0", "*", NULL},
                                          {"/half_plane/load/datum", "1", "*", NULL},
                                          {"/simulate/method", "incremental", "*", NULL},
                                          {"/simulate/roll", "1", "rolling", NULL},
                                          {"/simulate/starts", "0", "*", NULL},
                                          {"/simulate/tolerance", "1e-10", "*", NULL},
                                          {"/simulate/linear_error", "1e-12", "*", NULL},
                                          {"/simulate/sweeps", "1000", NULL, NULL},
                                          {"/simulate/dense_elements", "600", NULL, NULL},
                                          {NULL, NULL, NULL, NULL}};

const verify_record_kind thud_verify_punch_kind = {.name = "half-plane",
                                                   .section = "half_plane",
                                                   .checks = names_of_checks,
                                                   .defaults = {defaults},
                                                   .size = sizeof(verify_punch),
                                                   .read = read_scene,
                                                   .check = check,
                                                   .release = release_scene,
                                                   .compare = compare_summary,
                                                   .leaves_out = leaves_out};
