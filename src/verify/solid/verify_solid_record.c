/* A recorded solid: every row is checked by the checker's own elements and points of contact. */
#include "verify/solid/verify_solid.h"
#include "verify/verify_channels.h"
#include "verify/verify_observe.h"
#include "verify/verify_summary.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
  STRUCTURE,
  SUPPORTS,
  EQUILIBRIUM,
  GAPS,
  REACTION,
  COMPLEMENTARITY,
  FRICTION,
  SLIP,
  MODES,
  STRESSES,
  ENERGIES,
  FIGURES,
  EVENTS,
  SUMMARY,
  FINISHED
};
enum { LEDGER = 6, MOST_FIGURES = 7 };

/* Rounding of sums of the terms of one node, relative to them. */
static const double ROUNDING = 1e-12;
static const double DEFAULT_TOLERANCE = 1e-8;
/* A reaction sticks that lies this many tolerances of the scene within its bound; less far inside, a contact may be said to slip. */
static const double INSIDE = 1e3;
/* What is given at two limits and differs by less than this part of it does not jump. */
static const double SAME_GIVEN = 1e-10;

static const char *const figure_names[MOST_FIGURES] = {"contact_force", "contact_area", "displacement", "von_mises",
                                                       "support_x",     "support_y",    "support_z"};
static const char *const ledger_names[LEDGER] = {"stored", "work", "friction", "quadratic", "normal", "defect"};

typedef struct solid_rows {
  thud_context *context;
  const verify_solid *solid;
  size_t count, all, d, nodes, m, c, shears;
  bool complete;                              /* no row was left out */
  double exact, tolerance, limit_of_sticking; /* of sums; of the laws that contact problems solve; of modes */
  double *t, *side, *figures, *u, *stress, *shear, *ledger, *residual, *pressure, *r, *gap,
      *mode;                                          /* as in the record */
  double *inner, *sizes, *outer, *move, *mine, *zero; /* workspaces [all], mine [6 nodes] */
  thud_side *limit;                                   /* [count] of what is given, under which a row stands */
  double first_energy, energy_size; /* energy_size: of the largest terms so far, whose rounding the ledger keeps */
  double scale_u, scale_r;          /* largest displacements and gaps, largest reactions of the record */
} solid_rows;

static const double *u_of(const solid_rows *m, size_t k) { return m->u + k * m->all; }
static const double *r_of(const solid_rows *m, size_t k) { return m->r + k * m->m; }
/* The state that friction has come from. */
static const double *before_of(const solid_rows *m, size_t k) {
  return k == 0 || m->solid->fresh ? m->zero : u_of(m, k - 1);
}

static double largest_of(size_t count, const double *values) {
  double largest = 0;
  for (size_t i = 0; i < count; i++) largest = fmax(largest, fabs(values[i]));
  return largest;
}

/* Component `part` of a contact's displacement. */
static double touch_displacement(const solid_rows *m, const solid_touch *touch, size_t part, const double *u) {
  double sum = 0;
  for (size_t k = 0; k < touch->count; k++)
    for (size_t c = 0; c < m->d; c++)
      sum += touch->weight[k] * touch->direction[9 * k + 3 * part + c] * u[m->d * touch->node[k] + c];
  return sum;
}

/* ---- sides ---------------------------------------------------------------------------------------------------------------------- */

/* Given displacements and loads together, in `given`. */
static void find_given(const solid_rows *m, double t, thud_side side, double *given) {
  memset(given, 0, m->all * sizeof *given);
  thud_verify_solid_loads(m->solid, t, side, given);
  thud_verify_solid_given(m->solid, t, side, given);
}

/* The next limit at which something given is another than at the one before; the same: there is none. */
static thud_side next_limit(const solid_rows *m, double t, thud_side limit) {
  find_given(m, t, limit, m->outer);
  for (int side = limit + 1; side <= THUD_SIDE_RIGHT; side++) {
    double difference = 0;
    find_given(m, t, (thud_side)side, m->move);
    for (size_t i = 0; i < m->all; i++) difference = fmax(difference, fabs(m->move[i] - m->outer[i]));
    if (difference > SAME_GIVEN * fmax(largest_of(m->all, m->outer), largest_of(m->all, m->move)))
      return (thud_side)side;
  }
  return limit;
}

/* Steps end under left limits. A jump is a pair of rows, - and +, and the second stands under the next limit that differs: of a
 * load with a value between its limits there are two pairs. */
static void find_limits(const solid_rows *m, bool finished, thud_verify_check *check) {
  bool events = strcmp(m->solid->scene.method, "event-driven") == 0;
  for (size_t k = 0; k < m->count; k++) {
    bool again = k > 0 && m->t[k] == m->t[k - 1], left = k > 0 && m->side[k - 1] < 0;
    m->limit[k] = again ? m->limit[k - 1] : k > 0 ? THUD_SIDE_LEFT : THUD_SIDE_VALUE;
    if (m->side[k] > 0) m->limit[k] = next_limit(m, m->t[k], m->limit[k]);
    if (m->side[k] > 0 && !(again && left))
      thud_verify_fail(check, m->t[k], k, "a right limit stands alone");
    else if (left && !(again && m->side[k] > 0))
      thud_verify_fail(check, m->t[k], k, "a left limit stands before no right one");
    else if (again && m->side[k] == 0 && !events)
      thud_verify_fail(check, m->t[k], k, "two frames at one time without sides");
  }
  if (m->side[0] != 0) thud_verify_fail(check, m->t[0], 0, "the first row is not the start");
  if (finished && m->side[m->count - 1] < 0)
    thud_verify_fail(check, m->t[m->count - 1], m->count - 1, "the last row is a left limit");
}

/* ---- equilibrium ------------------------------------------------------------------------------------------------------------ */

static void check_supports(const solid_rows *m, size_t k, thud_verify_check *check) {
  memset(m->outer, 0, m->all * sizeof *m->outer);
  thud_verify_solid_given(m->solid, m->t[k], m->limit[k], m->outer);
  for (size_t i = 0; i < m->all; i++)
    if (m->solid->held[i] != 0)
      thud_verify_tally(check, fabs(u_of(m, k)[i] - m->outer[i]), ROUNDING * largest_of(m->all, m->outer) + DBL_MIN, 0,
                        m->t[k], k);
}

/* inner: K u; outer: loads and, without `loads_only`, contacts. Returns the energy. */
static double find_forces(const solid_rows *m, size_t k, double *energy_size) {
  memset(m->inner, 0, m->all * sizeof *m->inner);
  memset(m->sizes, 0, m->all * sizeof *m->sizes);
  memset(m->outer, 0, m->all * sizeof *m->outer);
  double energy = thud_verify_solid_inner(m->solid, u_of(m, k), m->inner, m->sizes);
  thud_verify_solid_loads(m->solid, m->t[k], m->limit[k], m->outer);
  *energy_size = 0;
  for (size_t i = 0; i < m->all; i++) *energy_size += m->sizes[i] * fabs(u_of(m, k)[i]);
  return energy;
}

static void check_equilibrium(const solid_rows *m, size_t k, thud_verify_check *check) {
  double *left = m->move;
  double size = largest_of(m->all, m->outer) + largest_of(m->m, r_of(m, k));
  double slack = m->exact * size + ROUNDING * largest_of(m->all, m->sizes) + DBL_MIN;
  for (size_t i = 0; i < m->all; i++) left[i] = m->inner[i] - m->outer[i];
  for (size_t j = 0; j < m->c; j++) {
    const solid_touch *touch = &m->solid->touches[j];
    for (size_t part = 0; part < m->solid->rows; part++)
      for (size_t n = 0; n < touch->count; n++)
        for (size_t c = 0; c < m->d; c++)
          left[m->d * touch->node[n] + c] -=
              touch->weight[n] * touch->direction[9 * n + 3 * part + c] * r_of(m, k)[m->solid->rows * j + part];
  }
  for (size_t i = 0; i < m->all; i++)
    if (m->solid->held[i] == 0) thud_verify_tally(check, fabs(left[i]), slack, 0, m->t[k], k);
}

/* ---- contact ---------------------------------------------------------------------------------------------------------------- */

static double bound_of(const solid_rows *m, const solid_touch *touch, size_t k, double pressing) {
  const solid_barrier *barrier = &m->solid->barriers[touch->obstacle];
  if (!m->solid->threshold) return barrier->friction * fmax(pressing, 0);
  return touch->area * thud_verify_value_at(&m->solid->scene, &barrier->threshold, m->t[k], THUD_SIDE_VALUE);
}

/* |r_T| <= bound, and r_T . d = -bound |d| for the displacement d along the obstacle since the row before. */
static void check_friction(const solid_rows *m, const solid_touch *touch, size_t k, const double *r,
                           thud_verify_check *checks) {
  double bound = bound_of(m, touch, k, r[0]), force = 0, length = 0, power = 0;
  double small_r = m->tolerance * m->scale_r + DBL_MIN;
  for (size_t part = 1; part < m->solid->rows; part++) {
    double moved = touch_displacement(m, touch, part, u_of(m, k)) - touch_displacement(m, touch, part, before_of(m, k));
    if (!touch->sees[part]) { /* the support carries it */
      thud_verify_tally(&checks[FRICTION], fabs(r[part]), small_r, 0, m->t[k], k);
      continue;
    }
    force = hypot(force, r[part]);
    length = hypot(length, moved);
    power += r[part] * moved;
  }
  thud_verify_tally(&checks[FRICTION], fmax(0, force - bound), small_r, 0, m->t[k], k);
  if (m->complete || m->solid->fresh)
    thud_verify_tally(&checks[SLIP], fabs(power + bound * length), m->tolerance * m->scale_r * m->scale_u + DBL_MIN, 0,
                      m->t[k], k);
}

static void check_mode(const solid_rows *m, const solid_touch *touch, size_t k, double gap, const double *r,
                       double mode, thud_verify_check *check) {
  double force = m->solid->rows == 1 ? 0 : m->solid->rows == 2 ? fabs(r[1]) : hypot(r[1], r[2]);
  double small_u = m->tolerance * m->scale_u + DBL_MIN, small_r = m->tolerance * m->scale_r + DBL_MIN;
  bool known = mode == 0 || mode == 1 || mode == 2 || (mode == 3 && m->solid->rows == 2);
  if (!known || (m->solid->rows == 1 && mode > 1))
    thud_verify_fail(check, m->t[k], k, "a contact has the mode %g", mode);
  /* given bounds hold friction wherever they are, also where nothing touches */
  if (mode == 0)
    thud_verify_tally(check, m->solid->threshold ? fabs(r[0]) : fmax(fabs(r[0]), force), small_r, 0, m->t[k], k);
  if (mode > 0) thud_verify_tally(check, fabs(gap), small_u, 0, m->t[k], k);
  if (mode > 1)
    thud_verify_tally(check, fabs(force - bound_of(m, touch, k, r[0])), m->limit_of_sticking * m->scale_r + DBL_MIN, 0,
                      m->t[k], k);
  if (mode > 1 && m->solid->rows == 2)
    thud_verify_tally(check, fmax(0, mode == 2 ? -r[1] : r[1]), small_r, 0, m->t[k], k);
}

static void check_contacts(const solid_rows *m, size_t k, thud_verify_check *checks) {
  double small_u = m->tolerance * m->scale_u + DBL_MIN, small_r = m->tolerance * m->scale_r + DBL_MIN;
  for (size_t j = 0; j < m->c; j++) {
    const solid_touch *touch = &m->solid->touches[j];
    const double *r = r_of(m, k) + m->solid->rows * j;
    double gap = touch->gap + touch_displacement(m, touch, 0, u_of(m, k));
    thud_verify_tally(&checks[GAPS], fabs(gap - m->gap[k * m->c + j]),
                      (ROUNDING + 1e-2 * m->exact) * m->scale_u + DBL_MIN, 0, m->t[k], k);
    thud_verify_tally(&checks[GAPS], fmax(0, -gap), small_u, 0, m->t[k], k);
    thud_verify_tally(&checks[REACTION], fmax(0, -r[0]), small_r, 0, m->t[k], k);
    if (r[0] > small_r) thud_verify_tally(&checks[COMPLEMENTARITY], fabs(gap), small_u, 0, m->t[k], k);
    if (m->solid->rows > 1) check_friction(m, touch, k, r, checks);
    check_mode(m, touch, k, gap, r, m->mode[k * m->c + j], &checks[MODES]);
  }
}

/* ---- stresses, energies, figures --------------------------------------------------------------------------------------------- */

static thud_error check_stresses(const solid_rows *m, size_t k, double *mises, double *size, thud_verify_check *check) {
  thud_error error = thud_verify_solid_stresses(m->solid, u_of(m, k), m->mine, size);
  double largest = largest_of(6 * m->nodes, m->mine), slack = 1e-10 * largest + ROUNDING * *size + DBL_MIN;
  *mises = 0;
  for (size_t i = 0; i < m->nodes && error == THUD_OK; i++) {
    const double *s = m->mine + 6 * i, *direct = m->stress + 3 * (k * m->nodes + i);
    const double *shear = m->shear + m->shears * (k * m->nodes + i);
    double mean = (s[0] + s[1] + s[2]) / 3, square = 0;
    for (int c = 0; c < 3; c++) {
      thud_verify_tally(check, fabs(direct[c] - s[c]), slack, 0, m->t[k], k);
      square += (s[c] - mean) * (s[c] - mean) + 2 * s[3 + c] * s[3 + c];
    }
    for (size_t c = 0; c < m->shears; c++) thud_verify_tally(check, fabs(shear[c] - s[3 + c]), slack, 0, m->t[k], k);
    *mises = fmax(*mises, sqrt(1.5 * square));
  }
  return error;
}

/* The changes of the ledger since the row before: its energies, work of loads and supports, friction, dU.K dU/2, work of normal
 * reactions. */
static void check_ledger(solid_rows *m, size_t k, double energy, double size, thud_verify_check *check) {
  const double *book = m->ledger + LEDGER * k, *last = k > 0 ? book - LEDGER : m->zero, *before = before_of(m, k);
  double change[5] = {0}, terms = 0;
  if (k == 0) m->first_energy = energy;
  if (m->solid->fresh && k > 0) last = m->zero, before = u_of(m, 0);
  for (size_t i = 0; i < m->all; i++) {
    double force = m->solid->held[i] != 0 ? m->inner[i] : m->outer[i];
    m->move[i] = u_of(m, k)[i] - before[i];
    change[1] += force * m->move[i];
    terms += fabs(force * m->move[i]);
    size += m->sizes[i] * fabs(m->move[i]);
  }
  for (size_t j = 0; j < m->c; j++)
    for (size_t part = 0; part < m->solid->rows; part++) {
      double flow = r_of(m, k)[m->solid->rows * j + part] *
                    (m->solid->touches[j].sees[part] ? touch_displacement(m, &m->solid->touches[j], part, m->move) : 0);
      change[part == 0 ? 4 : 2] += part == 0 ? flow : -flow;
      terms += fabs(flow);
    }
  memset(m->inner, 0, m->all * sizeof *m->inner);
  change[3] = thud_verify_solid_inner(m->solid, m->move, m->inner, m->sizes);
  m->energy_size = fmax(m->energy_size, size);
  double slack = m->exact * (terms + fabs(book[0]) + fabs(book[1])) + ROUNDING * m->energy_size + DBL_MIN;
  thud_verify_tally(check, fabs(book[0] - (energy - m->first_energy)), slack, 0, m->t[k], k);
  thud_verify_tally(check, fabs(book[5] - (book[0] - (book[1] - book[2] - book[3] + book[4]))), slack, 0, m->t[k], k);
  thud_verify_tally(check, fabs(book[5]), slack, 0, m->t[k], k);
  for (int c = 1; c < 5 && (m->complete || m->solid->fresh); c++)
    thud_verify_tally(check, fabs(book[c] - (k > 0 ? last[c] + change[c] : 0)), slack, 0, m->t[k], k);
}

/* Pressures at the corners of contacts, and between them the mean of the ends. */
static void find_pressures(const solid_rows *m, size_t k, double *pressure) {
  const verify_cells *cells = &m->solid->cells;
  memset(pressure, 0, m->nodes * sizeof *pressure);
  for (size_t j = 0; j < m->c; j++)
    pressure[m->solid->touches[j].corner] += r_of(m, k)[m->solid->rows * j] / m->solid->touches[j].area;
  for (size_t s = 0; s < cells->sides; s++) {
    bool touches = false;
    for (size_t b = 0; b < m->solid->barrier_count; b++)
      touches = touches || m->solid->barriers[b].group == cells->side_group[s];
    for (size_t n = m->d; touches && n < cells->side_corners; n++) {
      size_t ends[2];
      const size_t *node = cells->side + cells->side_corners * s;
      thud_verify_cells_edge(cells->d - 1, n - m->d, ends);
      double mean = (pressure[node[ends[0]]] + pressure[node[ends[1]]]) / 2;
      if (mean > 0) pressure[node[n]] = mean;
    }
  }
}

static void check_figures(const solid_rows *m, size_t k, double mises, double stress_size, thud_verify_check *check) {
  const double *claimed = m->figures + (4 + m->d) * k;
  double found[MOST_FIGURES] = {0}, sizes[MOST_FIGURES] = {0};
  for (size_t j = 0; j < m->c; j++) {
    double r = r_of(m, k)[m->solid->rows * j];
    found[0] += r;
    found[1] += r > 0 ? m->solid->touches[j].area : 0;
  }
  for (size_t i = 0; i < m->nodes; i++) {
    double length = 0;
    for (size_t c = 0; c < m->d; c++) length = hypot(length, u_of(m, k)[m->d * i + c]);
    found[2] = fmax(found[2], length);
  }
  found[3] = mises;
  sizes[3] = stress_size;
  for (size_t i = 0; i < m->all; i++) {
    if (m->solid->held[i] == 0) continue;
    found[4 + i % m->d] += m->inner[i] - m->outer[i];
    sizes[4 + i % m->d] += m->sizes[i] + fabs(m->outer[i]);
  }
  for (size_t c = 0; c < 4 + m->d; c++)
    thud_verify_tally(check, fabs(claimed[c] - found[c]), 1e-10 * fabs(found[c]) + ROUNDING * sizes[c] + DBL_MIN, 0,
                      m->t[k], k);
  if (m->c == 0) return;
  find_pressures(m, k, m->mine);
  double slack = 1e-10 * largest_of(m->nodes, m->mine) + DBL_MIN;
  for (size_t i = 0; i < m->nodes; i++)
    thud_verify_tally(check, fabs(m->pressure[k * m->nodes + i] - m->mine[i]), slack, 0, m->t[k], k);
}

static thud_error check_row(solid_rows *m, size_t k, thud_verify_check *checks) {
  double mises = 0, size = 0, stress_size = 0;
  check_supports(m, k, &checks[SUPPORTS]);
  double energy = find_forces(m, k, &size);
  check_equilibrium(m, k, &checks[EQUILIBRIUM]);
  check_contacts(m, k, checks);
  thud_error error = check_stresses(m, k, &mises, &stress_size, &checks[STRESSES]);
  check_figures(m, k, mises, stress_size, &checks[FIGURES]);
  check_ledger(m, k, energy, size, &checks[ENERGIES]);
  return error;
}

/* ---- records ---------------------------------------------------------------------------------------------------------------- */

static void free_rows(solid_rows *m) {
  double *const arrays[] = {m->t,      m->side,     m->figures,  m->u,    m->stress, m->shear,
                            m->ledger, m->residual, m->pressure, m->r,    m->gap,    m->mode,
                            m->inner,  m->sizes,    m->outer,    m->move, m->mine,   m->zero};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(m->context, arrays[k]);
  thud_free(m->context, m->limit);
}

static void find_scales(solid_rows *m) {
  m->scale_u = largest_of(m->count * m->all, m->u);
  for (size_t j = 0; j < m->c; j++) m->scale_u = fmax(m->scale_u, fabs(m->solid->touches[j].gap));
  m->scale_r = largest_of(m->count * m->m, m->r);
}

static thud_error read_rows(solid_rows *m, thud_record_reader *reader, thud_verify_check *structure) {
  static const char *const modes[] = {"open", "stick", "slip+", "slip-"};
  thud_record_info info = thud_record_reader_info(reader);
  m->count = info.rows[THUD_RECORD_FRAMES];
  const verify_channel channels[] = {{"time", 1, &m->t},
                                     {"side", 1, &m->side},
                                     {"state", 4 + m->d, &m->figures},
                                     {"u", m->all, &m->u},
                                     {"stress", 3 * m->nodes, &m->stress},
                                     {"shear", m->shears * m->nodes, &m->shear},
                                     {"ledger", LEDGER, &m->ledger},
                                     {"residual", 1, &m->residual},
                                     {"pressure", m->nodes, &m->pressure},
                                     {"r", m->m, &m->r},
                                     {"gap", m->c, &m->gap},
                                     {"mode", m->c, &m->mode}};
  size_t wanted = m->c > 0 ? 12 : 8;
  thud_error error = thud_verify_read_channels(m->context, reader, THUD_RECORD_FRAMES, wanted, channels, structure);
  if (error != THUD_OK) return error;
  thud_verify_check_made_by(&info, "solid", m->solid->scene.method, structure);
  thud_verify_check_components(reader, THUD_RECORD_FRAMES, "state", 4 + m->d, figure_names, structure);
  thud_verify_check_components(reader, THUD_RECORD_FRAMES, "ledger", LEDGER, ledger_names, structure);
  if (m->c > 0) thud_verify_check_labels(reader, THUD_RECORD_FRAMES, "mode", 4, modes, structure);
  if (info.channel_count[THUD_RECORD_FRAMES] != wanted + thud_verify_observed_channels(reader))
    thud_verify_fail(structure, NAN, SIZE_MAX, "frames have %zu channels, %zu are known", info.channel_count[0],
                     wanted);
  if (m->count == 0) thud_verify_fail(structure, NAN, SIZE_MAX, "the record has no frames");
  double **const spaces[] = {&m->inner, &m->sizes, &m->outer, &m->move, &m->zero};
  bool complete = true;
  for (size_t k = 0; k < sizeof spaces / sizeof *spaces; k++) {
    *spaces[k] = THUD_NEW_ARRAY(m->context, double, m->all + LEDGER);
    complete = complete && *spaces[k] != NULL;
  }
  m->mine = THUD_NEW_ARRAY(m->context, double, 6 * m->nodes);
  m->limit = THUD_NEW_ARRAY(m->context, thud_side, m->count);
  return complete && m->mine != NULL && m->limit != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

static bool is_usable(const solid_rows *m) {
  bool always = m->count > 0 && m->t != NULL && m->side != NULL && m->figures != NULL && m->u != NULL &&
                m->stress != NULL && m->shear != NULL && m->ledger != NULL && m->residual != NULL;
  return always && (m->c == 0 || (m->pressure != NULL && m->r != NULL && m->gap != NULL && m->mode != NULL));
}

/* ---- events and summary ------------------------------------------------------------------------------------------------------- */

/* close, open, stick, slip: what a contact does in one of the rows at this time. */
static bool does(const solid_rows *m, double t, size_t contact, double kind) {
  for (size_t k = 0; k < m->count; k++) {
    double mode = m->mode[k * m->c + contact];
    bool so = kind == 0 ? mode != 0 : kind == 1 ? mode == 0 : kind == 2 ? mode == 1 : mode >= 2;
    if (m->t[k] == t && so) return true;
  }
  return false;
}

static thud_error check_events(const solid_rows *m, thud_record_reader *reader, double *changes,
                               thud_verify_check *check) {
  static const char *const kinds[] = {"close", "open", "stick", "slip", "jump", "load jump", "fork"};
  size_t count = thud_record_reader_info(reader).rows[THUD_RECORD_EVENTS];
  double *t = NULL, *kind = NULL;
  verify_ragged contacts = {0};
  const verify_channel channels[] = {{"t", 1, &t}, {"kind", 1, &kind}};
  const verify_ragged_channel list = {"contacts", 1, &contacts};
  *changes = 0;
  thud_error error = thud_verify_read_channels(m->context, reader, THUD_RECORD_EVENTS, 2, channels, check);
  if (error == THUD_OK && m->c > 0)
    error = thud_verify_read_ragged(m->context, reader, THUD_RECORD_EVENTS, 1, &list, check);
  thud_verify_check_labels(reader, THUD_RECORD_EVENTS, "kind", 7, kinds, check);
  bool there = error == THUD_OK && t != NULL && kind != NULL && (m->c == 0 || contacts.starts != NULL);
  for (size_t k = 0; there && k < count; k++) {
    for (size_t i = 0; m->c > 0 && kind[k] < 4 && i < verify_ragged_count(&contacts, k); i++) {
      double contact = verify_ragged_row(&contacts, k)[i];
      (*changes)++;
      if (!(contact >= 0 && contact < (double)m->c))
        thud_verify_fail(check, t[k], SIZE_MAX, "event %zu names the contact %g", k, contact);
      else if (m->complete && strcmp(m->solid->scene.method, "event-driven") != 0 &&
               !does(m, t[k], (size_t)contact, kind[k]))
        thud_verify_fail(check, t[k], SIZE_MAX, "event %zu says that contact %g does '%s', no row does", k, contact,
                         kinds[(int)kind[k]]);
    }
    if (k > 0 && t[k] < t[k - 1])
      thud_verify_fail(check, t[k], SIZE_MAX, "event %zu is earlier than the one before", k);
  }
  thud_free(m->context, t);
  thud_free(m->context, kind);
  thud_verify_ragged_free(m->context, &contacts);
  return error;
}

typedef struct solid_claims {
  const solid_rows *rows;
  double changes;
} solid_claims;

static thud_error compare_summary(verify_record *record, void *motion, const thud_node *map, thud_verify_check *check) {
  static const char *const figures[] = {"steps",    "changes",  "jumps",    "nodes",
                                        "elements", "unknowns", "contacts", "worst_residual"};
  const solid_claims *claims = motion;
  const solid_rows *m = claims->rows;
  size_t last = m->count - 1, unknowns = 0;
  double t = m->t[last], worst = 0;
  thud_verify_summary_keys(map, sizeof figures / sizeof *figures, figures, check);
  if (!thud_verify_ran_to_end(&record->info)) return THUD_OK;
  for (size_t i = 0; i < m->all; i++) unknowns += m->solid->held[i] == 0;
  for (size_t k = 0; k < m->count; k++) worst = fmax(worst, m->residual[k]);
  thud_verify_note_number(map, "time", t, 0, t, last, check);
  thud_verify_note_number(map, "nodes", (double)m->nodes, 0, t, last, check);
  thud_verify_note_number(map, "elements", (double)m->solid->cells.elements, 0, t, last, check);
  thud_verify_note_number(map, "unknowns", (double)unknowns, 0, t, last, check);
  thud_verify_note_number(map, "contacts", (double)m->c, 0, t, last, check);
  thud_verify_note_number(map, "changes", claims->changes, 0, t, last, check);
  if (m->complete) thud_verify_note_number(map, "worst_residual", worst, 0, t, last, check);
  thud_verify_note_numbers(thud_node_find(map, "state"), 4 + m->d, figure_names, m->figures + (4 + m->d) * last, t,
                           last, check);
  thud_verify_note_numbers(thud_node_find(map, "ledger"), LEDGER, ledger_names, m->ledger + LEDGER * last, t, last,
                           check);
  return THUD_OK;
}

/* ---- all of it ------------------------------------------------------------------------------------------------------------------ */

static thud_error check_rows(solid_rows *m, verify_record *record) {
  thud_verify_check *checks = record->checks;
  const verify_times times = thud_verify_equal_steps(&m->solid->scene, false, VERIFY_TIMES_REPEAT);
  solid_claims claims = {.rows = m};
  thud_error error = THUD_OK;
  bool finished = thud_verify_ran_to_end(&record->info);
  find_limits(m, finished, &checks[STRUCTURE]);
  thud_verify_check_times(&times, m->count, m->t, m->side, finished, &checks[STRUCTURE]);
  find_scales(m);
  for (size_t k = 0; k < m->count && error == THUD_OK; k++) error = check_row(m, k, checks);
  for (size_t k = 0; k < m->count; k++) /* of the contact problems */
    thud_verify_tally(&checks[EQUILIBRIUM], m->residual[k], m->tolerance, 0, m->t[k], k);
  if (error == THUD_OK) error = check_events(m, record->reader, &claims.changes, &checks[EVENTS]);
  if (error == THUD_OK) error = thud_verify_check_summary(record, &claims, NULL);
  for (int k = GAPS; k <= MODES; k++) {
    bool friction = k == FRICTION || k == SLIP;
    if (m->c == 0)
      thud_verify_skip(&checks[k], THUD_VERIFY_NOT_APPLICABLE, "nothing can touch");
    else if (friction && m->solid->rows == 1)
      thud_verify_skip(&checks[k], THUD_VERIFY_NOT_APPLICABLE, "the contacts have no friction");
  }
  if (m->solid->rows > 1 && m->c > 0 && !m->complete && !m->solid->fresh)
    thud_verify_skip(&checks[SLIP], THUD_VERIFY_NOT_CHECKED, "rows were left out: their steps are not known");
  return error;
}

static thud_error read_scene(const verify_record *record, void *scene) {
  return thud_verify_solid_read(record->context, record->tree, scene);
}

static thud_error check(verify_record *record, void *scene) {
  const verify_solid *solid = scene;
  double asked = record->options->tolerance, exact = asked > 0 ? asked : DEFAULT_TOLERANCE;
  double tolerance = asked > 0 ? asked : fmax(DEFAULT_TOLERANCE, 100 * solid->scene.tolerance);
  solid_rows rows = {.context = record->context,
                     .solid = solid,
                     .d = (size_t)solid->cells.d,
                     .nodes = solid->cells.nodes,
                     .all = (size_t)solid->cells.d * solid->cells.nodes,
                     .c = solid->touch_count,
                     .m = solid->touch_count * solid->rows,
                     .shears = solid->cells.d == 2 ? 1 : 3,
                     .complete = solid->scene.record_every == 0,
                     .exact = exact,
                     .tolerance = tolerance,
                     .limit_of_sticking = asked > 0 ? asked : fmax(tolerance, INSIDE * solid->scene.tolerance)};
  thud_error error = read_rows(&rows, record->reader, &record->checks[STRUCTURE]);
  record->unusable = !is_usable(&rows);
  if (error == THUD_OK && !record->unusable) error = check_rows(&rows, record);
  free_rows(&rows);
  return error;
}

static void release_scene(void *scene) { thud_verify_solid_free(scene); }

static const char *const names_of_checks[] = {
    [STRUCTURE] = "structure", [SUPPORTS] = "supports", [EQUILIBRIUM] = "equilibrium",
    [GAPS] = "gaps",           [REACTION] = "reaction", [COMPLEMENTARITY] = "complementarity",
    [FRICTION] = "friction",   [SLIP] = "slip",         [MODES] = "modes",
    [STRESSES] = "stresses",   [ENERGIES] = "energies", [FIGURES] = "figures",
    [EVENTS] = "events",       [SUMMARY] = "summary",   [FINISHED] = "finished",
    [FINISHED + 1] = NULL};

/* Defaults of its scenes: written after docs/solids.md, not after the tables of src. */
static const verify_default defaults[] = {{"/solid/kinematics", "plane-strain", "*", NULL},
                                          {"/solid/thickness", "1", "*", NULL},
                                          {"/solid/overlap", "1e-9", "*", NULL},
                                          {"/solid/mesh/order", "1", "*", "rectangle"},
                                          {"/solid/mesh/order", "1", "*", "box"},
                                          {"/solid/materials/*/poisson", "0.3", "*", NULL},
                                          {"/solid/contacts/*/friction", "0", "*", NULL},
                                          {"/simulate/method", "increments", "*", NULL},
                                          {"/simulate/tolerance", "1e-10", "*", NULL},
                                          {"/simulate/max_iterations", "10000", NULL, NULL},
                                          {"/simulate/on_jump", "stop", NULL, NULL},
                                          {"/simulate/enumerate_up_to", "8", "event-driven", NULL},
                                          {"/simulate/jump_factor", "1", NULL, NULL},
                                          {"/simulate/error_tolerance", "0", NULL, NULL},
                                          {"/simulate/coarse_above", "0.1", NULL, NULL},
                                          {NULL, NULL, NULL, NULL}};

const verify_record_kind thud_verify_solid_kind = {.name = "solid",
                                                   .section = "solid",
                                                   .checks = names_of_checks,
                                                   .defaults = {defaults},
                                                   .goes_on = true,
                                                   .has_contacts = false,
                                                   .size = sizeof(verify_solid),
                                                   .read = read_scene,
                                                   .check = check,
                                                   .release = release_scene,
                                                   .compare = compare_summary};
