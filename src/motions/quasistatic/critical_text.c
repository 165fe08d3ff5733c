/* Options, names and sentences of the critical coefficients. */
#include "motions/quasistatic/critical.h"
#include "base/base.h"

#include <math.h>
#include <stdio.h>

#define FIELD(name) offsetof(thud_critical_options, name)

static const thud_option_key keys[] = {
    {"tolerance", THUD_OPTION_REAL, FIELD(tolerance), 1e-12, 0, 1e-3, false, NULL, "1",
     "eigenvalues and asymmetry of the stiffness up to this part of the largest count as 0"},
    {"exact_contacts", THUD_OPTION_INT, FIELD(exact_contacts), 9, 0, 12, false, NULL, "1",
     "all combinations of modes up to so many contacts"},
    {"samples", THUD_OPTION_INT, FIELD(samples), 20000, 0, INFINITY, false, NULL, "1",
     "combinations of modes with more contacts, at random with a fixed seed"},
    {"continuum", THUD_OPTION_BOOL, FIELD(continuum), 0, 0, 1, false, NULL, "",
     "the stiffness comes from a discretised continuum: mark coefficients that vanish with the mesh"},
};

static const thud_option_table table = {.name = "critical coefficients",
                                        .struct_size = sizeof(thud_critical_options),
                                        .keys = keys,
                                        .count = sizeof keys / sizeof *keys};

const thud_option_table *thud_critical_option_table(void) { return &table; }

const char *thud_critical_name(thud_critical_id id) {
  switch (id) {
  case THUD_CRITICAL_STATIC: return "static-existence";
  case THUD_CRITICAL_EVOLUTION: return "evolution-existence";
  case THUD_CRITICAL_RATE_SUFFICIENT: return "rate-sufficient";
  case THUD_CRITICAL_RATE: return "rate";
  case THUD_CRITICAL_CONTRACTION: return "contraction";
  case THUD_CRITICAL_WEDGING: return "wedging";
  case THUD_CRITICAL_IDS: break;
  }
  return "unknown";
}

const char *thud_critical_guarantee(thud_critical_id id) {
  switch (id) {
  case THUD_CRITICAL_STATIC: return "a static solution for every load";
  case THUD_CRITICAL_EVOLUTION: return "an evolution for every load history";
  case THUD_CRITICAL_RATE_SUFFICIENT:
  case THUD_CRITICAL_RATE: return "one rate solution for every load";
  case THUD_CRITICAL_CONTRACTION: return "one static solution for every load, by a contracting iteration";
  case THUD_CRITICAL_WEDGING: return "no wedging (reactions that hold themselves without load)";
  case THUD_CRITICAL_IDS: break;
  }
  return "";
}

const char *thud_critical_kind_name(thud_critical_kind kind) {
  switch (kind) {
  case THUD_CRITICAL_EXACT: return "exact";
  case THUD_CRITICAL_SUFFICIENT: return "sufficient";
  case THUD_CRITICAL_SAMPLED: return "sampled";
  case THUD_CRITICAL_UNKNOWN: break;
  }
  return "unknown";
}

/* ---- sentences ------------------------------------------------------------------------------------------------- */

enum { DIGITS = 6, PIECE = 200 };

/* "mu < 0.572364 (exact)" and its special cases. */
static void describe_value(const thud_critical_row *row, char *piece) {
  char value[THUD_DOUBLE_CAPACITY], low[THUD_DOUBLE_CAPACITY];
  const char *kind = thud_critical_kind_name(row->kind);
  thud_format_digits(row->value, DIGITS, value, sizeof value);
  thud_format_digits(row->low, DIGITS, low, sizeof low);
  if (row->kind == THUD_CRITICAL_UNKNOWN)
    snprintf(piece, PIECE, "mu < %s, the critical value is not known", low);
  else if (row->kind == THUD_CRITICAL_SAMPLED && isinf(row->value))
    snprintf(piece, PIECE, "mu < %s; nothing against it was found above (%s)", low, kind);
  else if (row->kind == THUD_CRITICAL_SAMPLED)
    snprintf(piece, PIECE, "mu < %s, lost from %s on (%s, undecided between)", low, value, kind);
  else if (isinf(row->value))
    snprintf(piece, PIECE, "every mu (%s)", kind);
  else if (row->value == 0)
    snprintf(piece, PIECE, "for no mu (%s)", kind);
  else
    snprintf(piece, PIECE, "mu < %s (%s)", value, kind);
}

/* "mu = 0.3 is below" and its relatives. */
static void describe_mu(const thud_critical_row *row, double mu, char *piece) {
  char text[THUD_DOUBLE_CAPACITY];
  const char *finding = "is not decided";
  thud_format_digits(mu, DIGITS, text, sizeof text);
  if (mu < row->low)
    finding = "is below";
  else if (row->kind == THUD_CRITICAL_SUFFICIENT)
    finding = "is not below: nothing is guaranteed";
  else if (mu >= row->value)
    finding = "is not below: it is lost";
  snprintf(piece, PIECE, "; mu = %s %s", text, finding);
}

size_t thud_critical_describe(const thud_critical_row *row, double mu, char *buffer, size_t size) {
  THUD_REQUIRE_OR(0, row, size == 0 || buffer);
  char value[PIECE], finding[PIECE] = "";
  const char *mesh = row->vanishes_with_mesh ? "; the stiffness comes from a discretised continuum, and this "
                                               "coefficient vanishes as the mesh is refined"
                                             : "";
  describe_value(row, value);
  if (!isnan(mu) && !isinf(row->low)) describe_mu(row, mu, finding);
  int length = snprintf(buffer, size, "%s: %s%s%s%s%s", row->guarantees != NULL ? row->guarantees : "", value,
                        row->reason != NULL ? ": " : "", row->reason != NULL ? row->reason : "", finding, mesh);
  return length > 0 ? (size_t)length : 0;
}
