/* Ledgers along arcs. Between its rows an event-driven record has the motion, but not the ledger: energies are evaluated by
 * the expressions of the scene, impact_loss holds, and what is left of
 *
 *   kinetic + potential = initial energy + work - losses + defect
 *
 * is that entry which changes along the arc, if one alone does (work, if none does). What else changes is drawn straight. */
#include "plot/expression.h"
#include "base/json.h"

#include <math.h>
#include <string.h>

/* Entries by name; SIZE_MAX: there is none. */
typedef struct ledger_entries {
  size_t kinetic, potential, impact_loss;
  size_t others[5]; /* that may take the rest, */
  double signs[5];  /* with this sign */
} ledger_entries;

typedef struct ledger_arcs {
  const plot_record *record;
  ledger_entries entries;
  size_t width;
  const double *rows;              /* [rows x width] */
  plot_reading kinetic, potential; /* at the instants */
} ledger_arcs;

static bool find_entries(const thud_record_channel *channel, ledger_entries *entries) {
  static const char *const names[] = {"work", "friction_loss", "contact_loss", "scheme_loss", "defect"};
  static const double signs[] = {1, -1, -1, -1, 1};
  entries->kinetic = thud_plot_find_entry(channel, "kinetic");
  entries->potential = thud_plot_find_entry(channel, "potential");
  entries->impact_loss = thud_plot_find_entry(channel, "impact_loss");
  bool all = entries->kinetic != SIZE_MAX && entries->potential != SIZE_MAX && entries->impact_loss != SIZE_MAX;
  for (size_t k = 0; k < 5; k++) {
    entries->others[k] = thud_plot_find_entry(channel, names[k]);
    entries->signs[k] = signs[k];
    all = all && entries->others[k] != SIZE_MAX;
  }
  return all;
}

/* ---- energies of the scene ------------------------------------------------------------------------------------------------- */

static void print_number(thud_text *text, const thud_node *node) {
  if (thud_node_get_kind(node) == THUD_NODE_STRING)
    thud_text_print(text, "(%s)", thud_node_string(node));
  else
    thud_text_print(text, "(%.17g)", thud_node_number(node));
}

/* v'Mv/2 of a matrix, or of its diagonal. */
static void print_mass(thud_text *text, const thud_node *mass, const thud_node *coordinates) {
  thud_text_print(text, "0");
  for (size_t i = 0; i < thud_node_count(mass); i++) {
    const thud_node *row = thud_node_item(mass, i);
    bool matrix = thud_node_get_kind(row) == THUD_NODE_SEQUENCE;
    for (size_t j = matrix ? 0 : i; j < (matrix ? thud_node_count(row) : i + 1); j++) {
      thud_text_print(text, " + 0.5*");
      print_number(text, matrix ? thud_node_item(row, j) : row);
      thud_text_print(text, "*%s'*%s'", thud_node_string(thud_node_item(coordinates, i)),
                      thud_node_string(thud_node_item(coordinates, j)));
    }
  }
}

static bool print_energy(thud_text *text, const thud_node *system, bool kinetic) {
  const thud_node *energy = thud_node_find(system, kinetic ? "kinetic_energy" : "potential_energy");
  const thud_node *mass = thud_node_find(system, "mass"), *coordinates = thud_node_find(system, "coordinates");
  bool number = energy != NULL &&
                (thud_node_get_kind(energy) == THUD_NODE_STRING || thud_node_get_kind(energy) == THUD_NODE_NUMBER);
  if (number)
    print_number(text, energy);
  else if (kinetic && mass != NULL && coordinates != NULL && thud_node_get_kind(mass) == THUD_NODE_SEQUENCE)
    print_mass(text, mass, coordinates);
  else
    return false;
  return true;
}

/* *known stays false when the scene has no such expression. */
static thud_error read_energy(thud_picture *picture, plot_record *record, const thud_node *system, bool kinetic,
                              plot_reading *energy, bool *known) {
  thud_text text = thud_text_new(picture->context);
  thud_error error = THUD_OK;
  if (print_energy(&text, system, kinetic)) {
    error =
        text.error != THUD_OK ? text.error : thud_plot_read_expression(picture, record, thud_text_chars(&text), energy);
    *known = error == THUD_OK;
    if (error == THUD_ERROR_NOT_FOUND) error = THUD_OK;
  }
  thud_text_free(&text);
  return error;
}

static thud_error read_energies(thud_picture *picture, plot_record *record, ledger_arcs *arcs, bool *known) {
  plot_scope *scope;
  bool both = false;
  thud_error error = thud_plot_scope(picture, record, &scope);
  const thud_node *root = error == THUD_OK ? thud_plot_scope_root(scope) : NULL;
  const thud_node *system = thud_plot_section(root);
  if (error != THUD_OK || system == NULL) return error;
  error = read_energy(picture, record, system, true, &arcs->kinetic, &both);
  if (error == THUD_OK && both) error = read_energy(picture, record, system, false, &arcs->potential, known);
  return error;
}

/* The expressions give what was booked where rows begin: otherwise they are not those of the ledger. */
static bool agree(const ledger_arcs *arcs) {
  const plot_record *record = arcs->record;
  const double tolerance = 1e-6;
  double scale = 0, worst = 0;
  for (size_t i = 0; i < record->instant_count; i++) {
    const double *row = arcs->rows + record->instants[i].row * arcs->width;
    double kinetic = row[arcs->entries.kinetic], potential = row[arcs->entries.potential];
    scale = fmax(scale, fmax(fabs(kinetic), fabs(potential)));
    if (record->instants[i].t != record->t[record->instants[i].row]) continue;
    worst = fmax(worst, fmax(fabs(arcs->kinetic.values[i] - kinetic), fabs(arcs->potential.values[i] - potential)));
  }
  return worst <= tolerance * scale;
}

/* ---- entries along an arc ---------------------------------------------------------------------------------------------------- */

/* The entry that takes the rest on the arc of this row; SIZE_MAX: several change. */
static size_t find_rest(const ledger_arcs *arcs, const double *row, const double *next) {
  const double rounding = 1e-12;
  size_t found = 0, changing = 0;
  double scale = 0;
  for (size_t c = 0; c < arcs->width; c++) scale = fmax(scale, fmax(fabs(row[c]), fabs(next[c])));
  for (size_t k = 0; k < 5; k++) {
    size_t c = arcs->entries.others[k];
    if (fabs(next[c] - row[c]) <= rounding * scale) continue;
    found = k;
    changing++;
  }
  return changing <= 1 ? found : SIZE_MAX;
}

/* All entries at time t on the arc of a row, where the energies are these. */
static void evaluate(const ledger_arcs *arcs, size_t r, double t, double kinetic, double potential, double *values) {
  const plot_record *record = arcs->record;
  const ledger_entries *entries = &arcs->entries;
  const double *row = arcs->rows + r * arcs->width, *next = r + 1 < record->rows ? row + arcs->width : row;
  double length = record->end[r] - record->t[r], part = length > 0 ? (t - record->t[r]) / length : 0;
  for (size_t c = 0; c < arcs->width; c++) values[c] = row[c] + part * (next[c] - row[c]);
  values[entries->impact_loss] = row[entries->impact_loss];
  values[entries->kinetic] = kinetic;
  values[entries->potential] = potential;
  size_t rest = find_rest(arcs, row, next);
  if (rest == SIZE_MAX) return;
  double change = kinetic + potential - row[entries->kinetic] - row[entries->potential];
  values[entries->others[rest]] = row[entries->others[rest]] + entries->signs[rest] * change;
}

/* The first row at an event has what was booked there; in front of it the arc before ends. */
static void fill(const ledger_arcs *arcs, double *values, double *left) {
  const plot_record *record = arcs->record;
  for (size_t i = 0; i < record->instant_count; i++) {
    size_t r = record->instants[i].row, width = arcs->width;
    double t = record->instants[i].t, *now = values + i * width, *before = left + i * width;
    bool begins = t == record->t[r];
    evaluate(arcs, r, t, arcs->kinetic.values[i], arcs->potential.values[i], now);
    if (begins) memcpy(now, arcs->rows + r * width, width * sizeof(double));
    memcpy(before, now, width * sizeof(double));
    size_t arc = r; /* that ends here: rows without length are events at one time */
    while (arc > 0 && record->t[arc] == t) arc--;
    if (begins && record->t[arc] < t) evaluate(arcs, arc, t, arcs->kinetic.left[i], arcs->potential.left[i], before);
  }
}

thud_error thud_plot_trace_ledger(thud_picture *picture, plot_reading *reading) {
  ledger_arcs arcs = {.record = reading->record, .width = reading->width, .rows = reading->values};
  const plot_record *record = reading->record;
  bool wanted = record->instants != NULL && record->end != NULL && strcmp(reading->channel->role, "ledger") == 0 &&
                reading->source.table == THUD_RECORD_FRAMES && find_entries(reading->channel, &arcs.entries);
  bool known = false;
  double *values = NULL, *left = NULL;
  if (!wanted) return THUD_OK;
  thud_error error = read_energies(picture, &picture->records[record - picture->records], &arcs, &known);
  known = known && error == THUD_OK && agree(&arcs);
  if (known) error = thud_plot_new_values(picture, record->instant_count, arcs.width, "ledger", &values);
  if (known && error == THUD_OK)
    error = thud_plot_new_values(picture, record->instant_count, arcs.width, "ledger", &left);
  if (known && error == THUD_OK) {
    fill(&arcs, values, left);
    thud_plot_reading_free(picture, reading);
    reading->values = values;
    reading->left = left;
    reading->marks = NULL;
    reading->mark_of = NULL;
    reading->count = record->instant_count;
    reading->instants = record->instants;
  } else {
    thud_free(picture->context, values);
    thud_free(picture->context, left);
  }
  thud_plot_reading_free(picture, &arcs.kinetic);
  thud_plot_reading_free(picture, &arcs.potential);
  return error;
}
