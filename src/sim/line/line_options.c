#include "sim/line/line.h"

#include <stddef.h>

static const char *const method_names[] = {"event-driven", "implicit", NULL};

const char *thud_line_method_name(thud_line_method method) {
  return method == THUD_LINE_EVENT_DRIVEN || method == THUD_LINE_IMPLICIT ? method_names[method] : "unknown";
}

#define FIELD(name) offsetof(thud_line_options, name)

static const thud_option_key keys[] = {
    {"method", THUD_OPTION_CHOICE, FIELD(method), 0, 0, 0, false, method_names, "",
     "exact arcs between events, or implicit steps"},
    {"steps", THUD_OPTION_INT, FIELD(steps), 1000, 1, 1e9, false, NULL, "1", "number of equal implicit steps"},
    {"order", THUD_OPTION_INT, FIELD(order), 24, 4, LINE_MAX_ORDER, false, NULL, "1",
     "degree of the Taylor polynomials of an arc"},
    {"precision", THUD_OPTION_REAL, FIELD(precision), 1e-17, 0, 1e-6, true, NULL, "1",
     "last terms of the Taylor series, relative to the first ones"},
    {"decision", THUD_OPTION_REAL, FIELD(decision), 1e-12, 0, 1e-3, true, NULL, "1",
     "accelerations and slacks below this, relative, count as 0: the next order decides"},
    {"max_events", THUD_OPTION_INT, FIELD(max_events), 1000000, 1, 2147483647, false, NULL, "1",
     "stops and starts of the whole run"},
};

static const thud_option_table table = {"line", sizeof(thud_line_options), keys, sizeof keys / sizeof *keys};

const thud_option_table *thud_line_option_table(void) { return &table; }

thud_line_options thud_line_options_default(void) {
  thud_line_options options;
  thud_options_set_defaults(&table, &options);
  return options;
}
