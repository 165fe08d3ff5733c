/* Records of rigid bodies with one thing wrong, sealed again: the check that it concerns finds each, and says what is wrong.
 * The table names one change at least for every way in which the files src/verify/bodies_{record,rows,law,momentum,energy,
 * events,contacts,overlap}.c can fail. */
#include "record_channels.h"
#include "record_copy.h"
#include "scratch_folder.h"
#include "testing.h"
#include "thud/body_motion.h"
#include "verify/verify_result.h"
#include "verifying.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- motions ------------------------------------------------------------------------------------------------------- */

#define MATERIALS                                                                                                      \
  "thud: 1\n"                                                                                                          \
  "materials:\n"                                                                                                       \
  "  stone: {friction: 0.5, density: 2600}\n"                                                                          \
  "  wood: {friction: [0.4, 0.2], axis: [1, 0, 0], density: 600}\n"                                                    \
  "  slick: {friction: [0.4, 0], axis: [1, 0, 0], density: 600}\n"                                                     \
  "  rubber: {friction: 0.6, restitution: 0.5, density: 1000}\n"                                                       \
  "  tyre: {friction: 0.5, rolling: 0.002, spinning: 0.001, density: 1000}\n"                                          \
  "pairs:\n"                                                                                                           \
  "  - {materials: [wood, stone], friction: [0.4, 0.2], axis: [1, 0, 0]}\n"                                            \
  "  - {materials: [slick, stone], friction: [0.4, 0], axis: [1, 0, 0]}\n"                                             \
  "  - {materials: [tyre, stone], friction: 0.5, rolling: 0.002, spinning: 0.001}\n"

enum {
  MIXED,
  PLANAR,
  ASLEEP,
  STRUCK,
  HILL,
  THINNED,
  APART,
  SWITCHED,
  LOSSY,
  SPARSE,
  MANY,
  SLIPPERY,
  JOINTED,
  DOOR,
  LAWS,
  SCENES
};

/* 217 bodies, so many that few rows are whole by default, and ten steps. */
#define BALLS(friction)                                                                                                \
  "thud: 1\n"                                                                                                          \
  "materials: {stone: {friction: " friction ", density: 2600}}\n"                                                      \
  "bodies:\n"                                                                                                          \
  "  - {name: floor, fixed: true, shape: plane, material: stone}\n"                                                    \
  "  - {generate: grid, name: ball, counts: [9, 6, 4], spacing: 0.21, position: [0, 0, 0.1], body: {shape: {sphere: "  \
  "0.1}, material: stone, velocity: [1, 0, 0]}}\n"                                                                     \
  "simulate: {end: 0.1, step: 0.01, tolerance: 1.0e-6}\n"

static const char *const scenes[SCENES] = {
    [MIXED] = MATERIALS
    "bodies:\n"
    "  - {name: floor, fixed: true, shape: plane, material: stone}\n"
    "  - {name: table, path: {position: [\"3 + 0.02*sin(20*t)\", 0, \"0.4 + 0.01*sin(30*t)\"], axis: [0, 0, 1], "
    "angle: 0.5*t}, shape: {box: [1, 1, 0.1]}, material: stone}\n"
    "  - {name: rider, shape: {box: [0.2, 0.1, 0.06]}, material: stone, position: [3.1, 0, 0.485]}\n"
    "  - {name: brick, shape: {box: [0.2, 0.1, 0.06]}, material: wood, position: [0, 1, 0.03], velocity: [1, 0.5, 0]}\n"
    "  - {name: egg, shape: {ellipsoid: [0.15, 0.1, 0.05]}, material: stone, position: [0, -1.5, 0.05], velocity: "
    "[0.5, 0, 0], spin: [1, 2, 0]}\n"
    "  - {name: log, shape: {box: [0.2, 0.1, 0.06]}, material: wood, position: [0, -1, 0.03]}\n"
    "  - {name: sledge, shape: {sphere: 0.1}, material: slick, position: [0, 2, 0.1], velocity: [1, 0.5, 0]}\n"
    "  - {name: ball, shape: {sphere: 0.1}, material: tyre, position: [0, 0, 0.1], velocity: [1, 0, 0], spin: [0, 0, "
    "5]}\n"
    "  - {name: lower, shape: {box: [0.2, 0.2, 0.2]}, material: stone, position: [0, 3, 0.1]}\n"
    "  - {name: upper, shape: {box: [0.1, 0.1, 0.1]}, material: stone, position: [0, 3, 0.25], velocity: [0.5, 0, 0]}\n"
    "  - {name: hopper, shape: {sphere: 0.08}, material: rubber, position: [-1, 0, 0.25], velocity: [0.3, 0, -2]}\n"
    "  - {name: rocket, shape: {box: [0.1, 0.2, 0.3]}, material: rubber, position: [0, -2, 0.6], spin: [1, 2, 3], "
    "force: [1, 0.1*y, 30*t], torque: [0, 0.01, 0.01*sin(t)]}\n"
    "springs:\n"
    "  - {name: s, a: rocket, at_a: [0, 0, 0.1], length: 0.5, stiffness: 100, damping: 1}\n"
    "simulate: {end: 0.2, step: 0.01}\n",
    [JOINTED] = MATERIALS
    "bodies:\n"
    "  - {name: floor, fixed: true, shape: plane, material: stone}\n"
    "  - {name: arm, shape: {box: [0.4, 0.1, 0.06]}, material: stone, position: [0.2, 0, 1]}\n"
    "  - {name: hand, shape: {box: [0.4, 0.08, 0.05]}, material: stone, position: [0.6, 0, 1], spin: [1, 0, 0]}\n"
    "  - {name: sled, shape: {box: [0.2, 0.2, 0.1]}, material: stone, position: [0, 2, 0.05], velocity: [1, 0, 0]}\n"
    "  - {name: mast, shape: {box: [0.05, 0.05, 0.5]}, material: stone, position: [0, 2, 0.35], velocity: [1, 0, 0]}\n"
    "joints:\n"
    "  - {joint: hinge, name: shoulder, a: arm, at: [0, 0, 1], axis: [0, 1, 0]}\n"
    "  - {joint: ball, name: wrist, a: hand, b: arm, at: [0.4, 0, 1]}\n"
    "  - {joint: fixed, name: foot, a: mast, b: sled, at: [0, 2, 0.1]}\n"
    "simulate: {end: 0.2, step: 0.01}\n",
    [DOOR] = MATERIALS "bodies:\n"
                       "  - {name: door, shape: {box: [1, 0.04, 2]}, mass: 20, position: [0.5, 0, 0]}\n"
                       "joints:\n"
                       "  - {joint: ball, name: top, a: door, at: [0, 0, 0.8]}\n"
                       "  - {joint: ball, name: bottom, a: door, at: [0, 0, -0.8]}\n"
                       "simulate: {end: 0.2, step: 0.01}\n",
    [LAWS] = "planar: true\n"
             "thud: 1\n"
             "bodies:\n"
             "  - {name: rod, shape: {box: [0.02, 1]}, mass: 1, position: [0.5, 0], rotation: pi/2}\n"
             "  - {name: cart, shape: {box: [0.4, 0.2]}, mass: 2, position: [3, 0], velocity: [1, 0]}\n"
             "  - {name: rotor, shape: {disc: 0.2}, mass: 1, position: [6, 0]}\n"
             "joints:\n"
             "  - {joint: hinge, name: pin, a: rod, at: [0, 0], friction: {rho: 0.02}, limits: [-0.3, null], "
             "restitution: 0.5}\n"
             "  - {joint: slider, name: rail, a: cart, at: [3, 0], axis: [1, 0], friction: {bound: 3}, limits: [null, "
             "0.3]}\n"
             "  - {joint: hinge, name: shaft, a: rotor, at: [6, 0], motor: {speed: 2, at_most: 0.05}}\n"
             "simulate: {end: 0.5, step: 0.01}\n",
    [PLANAR] = "planar: true\n"
               "thud: 1\n"
               "materials:\n"
               "  stone: {friction: 0.5, density: 2600}\n"
               "  tyre: {friction: 0.5, density: 1000}\n"
               "pairs:\n"
               "  - {materials: [tyre, stone], friction: 0.5, rolling: 0.002}\n"
               "bodies:\n"
               "  - {name: floor, fixed: true, shape: half_plane, material: stone}\n"
               "  - {name: wheel, shape: {disc: 0.1}, material: tyre, position: [0, 0.1], velocity: [1, 0]}\n"
               "  - {name: brick, shape: {box: [0.2, 0.1]}, material: stone, position: [2, 0.05], velocity: [1, 0]}\n"
               "simulate: {end: 0.1, step: 0.01}\n",
    [ASLEEP] = MATERIALS
    "bodies:\n"
    "  - {name: floor, fixed: true, shape: plane, material: stone}\n"
    "  - {name: box, shape: {box: [0.2, 0.2, 0.2]}, material: stone, position: [0, 0, 0.1]}\n"
    "  - {name: far, shape: {box: [0.2, 0.2, 0.2]}, material: stone, position: [2, 0, 0.1], velocity: [1, 0, 0]}\n"
    "simulate: {end: 0.3, step: 0.01, sleep: true, sleep_time: 0.1}\n",
    [STRUCK] = "thud: 1\n"
               "gravity: [0, 0, 0]\n"
               "materials: {steel: {restitution: 1, density: 7800}}\n"
               "bodies:\n"
               "  - {name: a, shape: {sphere: 0.1}, material: steel, position: [-0.21, 0, 0], velocity: [1, 0, 0]}\n"
               "  - {name: b, shape: {sphere: 0.1}, material: steel, position: [0, 0, 0]}\n"
               "  - {name: c, shape: {sphere: 0.1}, material: steel, position: [0.2, 0, 0]}\n"
               "simulate: {end: 0.05, step: 0.005, impact_law: lzb}\n",
    [HILL] = MATERIALS "bodies:\n"
                       "  - {name: hill, fixed: true, shape: {height_field: {size: [4, 4], heights: [[0.3, 0.2, 0.1], "
                       "[0.2, 0.1, 0], [0.1, 0, 0]]}}, material: stone}\n"
                       "  - {name: stone, shape: {sphere: 0.1}, material: stone, position: [0.3, 0.2, 0.25]}\n"
                       "simulate: {end: 0.2, step: 0.01}\n",
    [THINNED] = MATERIALS "bodies:\n"
                          "  - {name: floor, fixed: true, shape: plane, material: stone}\n"
                          "  - {name: ball, shape: {sphere: 0.1}, material: rubber, position: [0, 0, 0.15]}\n"
                          "simulate: {end: 1, step: 0.01}\n"
                          "record: {every: 0.1, whole_every: 3}\n",
    [LOSSY] = MATERIALS
    "bodies:\n"
    "  - {name: floor, fixed: true, shape: plane, material: stone}\n"
    "  - {generate: grid, name: b, counts: [5, 5, 1], spacing: 0.21, position: [0, 0, 0.05], body: {shape: "
    "{box: [0.1, 0.1, 0.1]}, material: stone}}\n"
    "simulate: {end: 0.03, step: 0.01, contacts_per_body: 1}\n",
    [SPARSE] = MATERIALS "bodies:\n"
                         "  - {name: floor, fixed: true, shape: plane, material: stone}\n"
                         "  - {name: ball, shape: {sphere: 0.1}, material: rubber, position: [0, 0, 0.15]}\n"
                         "simulate: {end: 0.227, steps: 100}\n"
                         "record: {every: 0.05, whole_every: 0, contacts: false}\n",
    [MANY] = BALLS("0.5"),
    [SLIPPERY] = BALLS("0"),
    [SWITCHED] = "planar: true\n"
                 "thud: 1\n"
                 "gravity: [0, 0]\n"
                 "bodies:\n"
                 "  - {name: rotor, shape: {disc: 0.2}, mass: 1, position: [6, 0]}\n"
                 "  - {name: rider, shape: {disc: 0.1}, mass: 1, position: [6.5, 0]}\n"
                 "joints:\n"
                 "  - {joint: hinge, name: shaft, a: rotor, at: [6, 0], motor: {speed: 2, at_most: 0.05}}\n"
                 "  - {joint: fixed, name: claw, a: rider, b: rotor}\n"
                 "  - {joint: hinge, name: peg, a: rotor, at: [6, 0], absent: true}\n"
                 "changes:\n"
                 "  - {at: 0.1, do: motor, joint: shaft, speed: 3, at_most: 1}\n"
                 "  - {at: 0.2, do: detach, joint: claw}\n"
                 "  - {at: 0.25, do: attach, joint: peg}\n"
                 "simulate: {end: 0.3, step: 0.01}\n",
    [APART] = MATERIALS "bodies:\n"
                        "  - {name: floor, fixed: true, shape: plane, material: stone}\n"
                        "  - {name: hopper, shape: {box: [0.1, 0.1, 0.1]}, material: stone, position: [0, 0, 0.0501], "
                        "rotation: {axis: [1, 0, 0], angle: 0.001}, velocity: [0, 0, -1]}\n"
                        "simulate: {end: 0.1, step: 0.01, predicted: false}\n"};

/* ---- places ---------------------------------------------------------------------------------------------------------- */

/* Rows of the frames: the start, the one in the middle, the end, that of the first impact, the first one in which something was
 * moved apart, the first one with sleepers, the first and the last one that is not whole. */
typedef enum which_row { START, MIDDLE, LAST, IMPACT, LIFTED, SLEEPING, THIN } which_row;

static size_t rows_with(const record_channels *r, const char *list) {
  size_t channel = record_table_find(&r->frames, list), row = 0;
  while (row < r->frames.rows && record_table_size(&r->frames, channel, row) == 0) row++;
  if (row == r->frames.rows) fail_msg("no row has '%s'", list);
  return row;
}

enum { EVENT_BEGIN, EVENT_END, EVENT_IMPACT, EVENT_SLEEP, EVENT_WAKE };

/* The first one that is not of the first step, in which bodies that touch begin; impacts of the hopper, where there is one. */
static size_t first_event(const record_channels *r, double kind) {
  const thud_record_channel *bodies = &r->events.columns[record_table_find(&r->events, "bodies")].about;
  size_t hopper = 0;
  while (hopper < bodies->label_count && strcmp(bodies->labels[hopper], "hopper") != 0) hopper++;
  bool any = kind != EVENT_IMPACT || hopper == bodies->label_count;
  for (size_t e = 0; e < r->events.rows; e++) {
    bool of_hopper = *record_table_number(&r->events, "bodies", e, 0) == (double)hopper;
    bool later = *record_table_number(&r->events, "frame", e, 0) > 1;
    if (*record_table_number(&r->events, "kind", e, 0) == kind && later && (any || of_hopper)) return e;
  }
  fail_msg("there is no event of the kind %g", kind);
  return 0;
}

static size_t row_at(const record_channels *r, which_row where) {
  size_t row = 0;
  switch (where) {
  case START: return 0;
  case MIDDLE: return r->frames.rows / 2;
  case LAST: return r->frames.rows - 1;
  case IMPACT: return (size_t)*record_table_number(&r->events, "frame", first_event(r, EVENT_IMPACT), 0);
  case LIFTED: return rows_with(r, "lift_body");
  case SLEEPING: return rows_with(r, "asleep");
  case THIN: break;
  }
  while (row < r->frames.rows && *record_table_number(&r->frames, "whole", row, 0) != 0) row++;
  thud_assert_less(row, r->frames.rows);
  return row;
}

static size_t body_number(const record_channels *r, const char *name) {
  const thud_record_channel *about = &r->frames.columns[record_table_find(&r->frames, "contact_a")].about;
  for (size_t i = 0; i < about->label_count; i++)
    if (strcmp(about->labels[i], name) == 0) return i;
  fail_msg("no body is called '%s'", name);
  return 0;
}

/* The contact of the two in this row whose impulse is the largest. */
static size_t contact_of(const record_channels *r, size_t row, const char *a, const char *b) {
  const record_table *f = &r->frames;
  size_t group = f->columns[record_table_find(f, "contact_impulse")].about.group, found = SIZE_MAX;
  double largest = -1, one = (double)body_number(r, a), other = (double)body_number(r, b);
  for (size_t k = 0; k < record_table_size(f, record_table_find(f, "contact_a"), row); k++) {
    const double *impulse = record_table_number(f, "contact_impulse", row, k * group);
    double size = 0, first = *record_table_number(f, "contact_a", row, k),
           second = *record_table_number(f, "contact_b", row, k);
    for (size_t i = 0; i < group; i++) size += impulse[i] * impulse[i];
    bool these = (first == one && second == other) || (first == other && second == one);
    if (!these || !(size > largest)) continue;
    largest = size;
    found = k;
  }
  if (found == SIZE_MAX) fail_msg("'%s' and '%s' have no contact in row %zu", a, b, row);
  return found;
}

/* ---- lists of another length ------------------------------------------------------------------------------------------- */

/* Replaces `removed` numbers from `at` on in the list of a row by `added` others, which are 0. */
static double *splice(record_table *table, size_t channel, size_t row, size_t at, size_t removed, size_t added) {
  record_column *c = &table->columns[channel];
  size_t place = c->starts[row] + at, total = c->starts[table->loaded], tail = total - place - removed;
  c->values = realloc(c->values, (total + added + 1) * sizeof *c->values);
  assert_non_null(c->values);
  memmove(c->values + place + added, c->values + place + removed, tail * sizeof *c->values);
  for (size_t i = 0; i < added; i++) c->values[place + i] = 0;
  for (size_t k = row + 1; k <= table->loaded; k++) c->starts[k] = c->starts[k] + added - removed;
  return c->values + place;
}

static bool is_of_contacts(const record_table *f, size_t channel, size_t row) {
  return strncmp(f->columns[channel].about.name, "contact_", 8) == 0 && record_table_size(f, channel, row) > 0;
}

static size_t group_of(const record_table *f, size_t channel) {
  size_t group = f->columns[channel].about.group;
  return group > 0 ? group : 1;
}

static void drop_contact(record_channels *r, size_t row, size_t k) {
  record_table *f = &r->frames;
  for (size_t c = 0; c < f->count; c++)
    if (is_of_contacts(f, c, row)) splice(f, c, row, k * group_of(f, c), group_of(f, c), 0);
}

static void double_contact(record_channels *r, size_t row, size_t k) {
  record_table *f = &r->frames;
  for (size_t c = 0; c < f->count; c++) {
    if (!is_of_contacts(f, c, row)) continue;
    size_t group = group_of(f, c);
    double *copy = splice(f, c, row, (k + 1) * group, 0, group);
    memcpy(copy, copy - group, group * sizeof *copy);
  }
}

static void empty_list(record_channels *r, const char *name, size_t row) {
  size_t channel = record_table_find(&r->frames, name);
  splice(&r->frames, channel, row, 0, record_table_size(&r->frames, channel, row), 0);
}

static void drop_frame(record_channels *r, size_t row) {
  record_table *f = &r->frames;
  for (size_t c = 0; c < f->count; c++) {
    size_t from = f->columns[c].starts[row], size = record_table_size(f, c, row);
    memmove(f->columns[c].values + from, f->columns[c].values + from + size,
            (f->columns[c].starts[f->loaded] - from - size) * sizeof(double));
    for (size_t k = row; k < f->loaded; k++) f->columns[c].starts[k] = f->columns[c].starts[k + 1] - size;
  }
  f->rows--;
}

static void drop_event(record_channels *r, size_t row) {
  record_table *e = &r->events;
  for (size_t c = 0; c < e->count; c++) {
    size_t from = e->columns[c].starts[row], size = record_table_size(e, c, row);
    assert_non_null(e->columns[c].values);
    memmove(e->columns[c].values + from, e->columns[c].values + from + size,
            (e->columns[c].starts[e->loaded] - from - size) * sizeof(double));
    for (size_t k = row; k < e->loaded; k++) e->columns[c].starts[k] = e->columns[c].starts[k + 1] - size;
  }
  e->rows--;
}

/* ---- one number -------------------------------------------------------------------------------------------------------- */

typedef enum manner { ADD, TIMES, SET } manner;

static void alter(double *number, manner how, double by) {
  *number = how == ADD ? *number + by : how == TIMES ? *number * by : by;
}

typedef struct number_change {
  int scene;
  const char *channel;
  which_row where;
  const char *body, *other; /* of a state: the body; of a contact: both; NULL: the row's own number */
  size_t component;
  manner how;
  double by;
  const char *check, *says; /* that fails, and a part of what it says */
} number_change;

static void change_number(record_channels *r, const number_change *x) {
  const record_table *f = &r->frames;
  size_t row = row_at(r, x->where), channel = record_table_find(f, x->channel), at = x->component;
  if (x->other != NULL)
    at += contact_of(r, row, x->body, x->other) * group_of(f, channel);
  else if (x->body != NULL) {
    size_t bodies = f->columns[record_table_find(f, "contact_a")].about.label_count;
    at += body_number(r, x->body) * (record_table_size(f, channel, row) / bodies);
  }
  thud_assert_less(at, record_table_size(f, channel, row));
  alter(record_table_cell(f, channel, row) + at, x->how, x->by);
}

static const number_change numbers[] = {
    /* states */
    {MIXED, "position", MIDDLE, "rocket", NULL, 0, ADD, 1e-6, "drift", "position of 'rocket'"},
    {MIXED, "position", MIDDLE, "floor", NULL, 2, ADD, 1e-9, "paths", "position of 'floor'"},
    {MIXED, "position", MIDDLE, "table", NULL, 0, ADD, 1e-9, "paths", "position of 'table'"},
    {MIXED, "position", START, "brick", NULL, 0, ADD, 1e-6, "initial", "'brick'"},
    {MIXED, "position", MIDDLE, "brick", NULL, 2, ADD, -1e-3, "penetration", "'brick'"},
    {MIXED, "rotation", MIDDLE, "rocket", NULL, 0, ADD, 1e-6, "structure", "has the norm"},
    {MIXED, "velocity", MIDDLE, "rocket", NULL, 1, ADD, 1e-6, "momentum", "linear, of 'rocket'"},
    {MIXED, "velocity", MIDDLE, "table", NULL, 1, ADD, 1e-6, "paths", "velocity of 'table'"},
    {MIXED, "velocity", MIDDLE, "floor", NULL, 1, ADD, 1e-6, "paths", "velocity of 'floor'"},
    {MIXED, "spin", MIDDLE, "rocket", NULL, 1, ADD, 1e-6, "momentum", "angular, of 'rocket'"},
    {MIXED, "spin", MIDDLE, "table", NULL, 2, ADD, 1e-6, "paths", "spin of 'table'"},
    {MIXED, "spin", MIDDLE, "floor", NULL, 2, ADD, 1e-6, "paths", "spin of 'floor'"},
    {MIXED, "velocity_left", MIDDLE, "rocket", NULL, 0, ADD, 1e-6, "drift", "velocity of 'rocket'"},
    {MIXED, "velocity_left", MIDDLE, "table", NULL, 0, ADD, 1e-6, "paths", "velocity of 'table'"},
    {MIXED, "velocity_left", MIDDLE, "floor", NULL, 0, ADD, 1e-6, "paths", "velocity of 'floor'"},
    {MIXED, "spin_left", MIDDLE, "rocket", NULL, 0, ADD, 1e-6, "drift", "spin of 'rocket'"},
    {MIXED, "spin_left", MIDDLE, "table", NULL, 2, ADD, 1e-6, "paths", "spin of 'table'"},
    {PLANAR, "angle", MIDDLE, "brick", NULL, 0, ADD, 1e-6, "drift", "rotation of 'brick'"},
    {PLANAR, "spin", MIDDLE, "wheel", NULL, 0, ADD, 1e-6, "momentum", "angular, of 'wheel'"},
    {PLANAR, "velocity", MIDDLE, "brick", NULL, 0, ADD, 1e-6, "momentum", "linear, of 'brick'"},
    /* joints: forces of the shoulder, the wrist and the foot, three numbers each */
    {JOINTED, "position", MIDDLE, "hand", NULL, 0, ADD, 1e-6, "joints", "opening of 'wrist'"},
    {JOINTED, "position", LAST, "arm", NULL, 1, ADD, 1e-6, "joints", "of 'shoulder'"},
    {JOINTED, "velocity", LAST, "hand", NULL, 2, ADD, 1e-6, "joints", "rate of 'wrist'"},
    {JOINTED, "spin", LAST, "arm", NULL, 2, ADD, 1e-6, "joints", "rate of 'shoulder'"},
    {JOINTED, "joint_force", MIDDLE, NULL, NULL, 2, TIMES, 1 + 1e-6, "momentum", "of 'arm'"},
    {JOINTED, "joint_force", MIDDLE, NULL, NULL, 5, TIMES, 1 + 1e-6, "momentum", "of 'arm'"},
    {JOINTED, "joint_moment", MIDDLE, NULL, NULL, 1, ADD, 1e-4, "joints", "force of 'shoulder' along"},
    {JOINTED, "joint_moment", MIDDLE, NULL, NULL, 4, ADD, 1e-4, "joints", "force of 'wrist' along"},
    {JOINTED, "joint_moment", MIDDLE, NULL, NULL, 7, ADD, 1e-4, "momentum", "angular, of"},
    {JOINTED, "joint_gap", MIDDLE, NULL, NULL, 0, ADD, 1e-6, "joints", "largest gap"},
    {JOINTED, "joint_answer_force", MIDDLE, NULL, NULL, 8, ADD, 1, "joints", "rate of"},
    /* laws of the pin, the rail and the shaft */
    {LAWS, "joint_coordinate", MIDDLE, NULL, NULL, 0, ADD, 1e-6, "joints", "coordinate of 'pin'"},
    {LAWS, "joint_coordinate", MIDDLE, NULL, NULL, 2, ADD, 6.283185307179586, "joints", "angle of 'shaft'"},
    {LAWS, "joint_rate", MIDDLE, NULL, NULL, 1, ADD, 1e-6, "joints", "rate of the coordinate of 'rail'"},
    {LAWS, "position", LAST, "cart", NULL, 0, ADD, 0.1, "joints", "'rail' beyond its limit"},
    {LAWS, "joint_motor", MIDDLE, NULL, NULL, 2, TIMES, 1 + 1e-6, "joints", "motor of 'shaft' beyond its bound"},
    {LAWS, "joint_motor", MIDDLE, NULL, NULL, 2, TIMES, 0.5, "joints", "motor of 'shaft': its rate"},
    {LAWS, "joint_motor", MIDDLE, NULL, NULL, 2, TIMES, 0.5, "momentum", "angular, of 'rotor'"},
    {LAWS, "joint_motor", MIDDLE, NULL, NULL, 0, ADD, 1e-3, "joints", "motor or of friction that it does not have"},
    {LAWS, "joint_friction", MIDDLE, NULL, NULL, 1, TIMES, -1, "joints", "friction of 'rail': its rate"},
    {LAWS, "joint_friction", MIDDLE, NULL, NULL, 1, TIMES, 1.1, "joints", "friction of 'rail' beyond its bound"},
    {LAWS, "joint_friction", MIDDLE, NULL, NULL, 0, TIMES, 1 + 1e-6, "joints", "friction of 'pin' beyond its bound"},
    {LAWS, "joint_friction", MIDDLE, NULL, NULL, 0, TIMES, 0.9, "joints", "friction of 'pin': its rate"},
    {LAWS, "joint_limit", MIDDLE, NULL, NULL, 1, ADD, -1e-3, "joints", "upper limit of 'rail'"},
    {LAWS, "joint_limit", MIDDLE, NULL, NULL, 0, ADD, -1e-3, "joints", "limit that it does not have"},
    {LAWS, "joint_limit", MIDDLE, NULL, NULL, 2, ADD, 1e-3, "joints", "limit that it does not have"},
    {LAWS, "joint_limit", MIDDLE, NULL, NULL, 0, ADD, 1e-3, "joints", "lower limit of 'pin'"},
    /* contacts */
    {MIXED, "contact_impulse", MIDDLE, "brick", "floor", 2, TIMES, 1 + 1e-6, "momentum", "linear, of 'brick'"},
    {MIXED, "contact_impulse", MIDDLE, "brick", "floor", 0, TIMES, 1 + 1e-6, "momentum", "linear, of 'brick'"},
    {MIXED, "contact_impulse", MIDDLE, "brick", "floor", 0, TIMES, -1, "law", "between 'brick' and 'floor'"},
    {MIXED, "contact_impulse", MIDDLE, "sledge", "floor", 1, ADD, 1e-3, "law", "between 'sledge' and 'floor'"},
    {MIXED, "contact_impulse", MIDDLE, "rider", "table", 0, ADD, 1e-6, "momentum", "of 'rider'"},
    {MIXED, "contact_moment", MIDDLE, "ball", "floor", 1, TIMES, 1 + 1e-6, "momentum", "angular, of 'ball'"},
    {MIXED, "contact_moment", MIDDLE, "ball", "floor", 2, TIMES, 1 + 1e-6, "momentum", "angular, of 'ball'"},
    {MIXED, "contact_moment", MIDDLE, "ball", "floor", 1, TIMES, -1, "law", "between 'ball' and 'floor'"},
    {MIXED, "contact_moment", MIDDLE, "ball", "floor", 2, TIMES, -1, "law", "between 'ball' and 'floor'"},
    {PLANAR, "contact_moment", MIDDLE, "wheel", "floor", 0, TIMES, -1, "law", "between 'wheel' and 'floor'"},
    {PLANAR, "contact_impulse", MIDDLE, "brick", "floor", 0, TIMES, -1, "law", "between 'brick' and 'floor'"},
    {MIXED, "contact_gap", MIDDLE, "ball", "floor", 0, ADD, 1e-6, "contacts", "gap, 'ball' and 'floor'"},
    {MIXED, "contact_impulse", MIDDLE, "egg", "floor", 2, TIMES, 1 + 1e-6, "momentum", "of 'egg'"},
    {MIXED, "contact_impulse", MIDDLE, "egg", "floor", 2, TIMES, 2, "law", "between 'egg' and 'floor'"},
    {MIXED, "contact_gap", MIDDLE, "egg", "floor", 0, ADD, -1e-4, "contacts", "'egg' and 'floor'"},
    {MIXED, "contact_gap", MIDDLE, "ball", "floor", 0, ADD, -1e-6, "contacts", "'ball' and 'floor'"},
    {MIXED, "contact_point", MIDDLE, "ball", "floor", 0, ADD, 1e-4, "contacts", "off the surface of the first"},
    {MIXED, "contact_point", MIDDLE, "ball", "floor", 2, ADD, 1e-6, "contacts", "off the surface of the"},
    {MIXED, "contact_point", MIDDLE, "brick", "floor", 2, ADD, 1e-3, "contacts", "off the surface of the second"},
    {MIXED, "contact_normal", MIDDLE, "ball", "floor", 2, TIMES, 1 + 1e-9, "contacts", "length of the normal"},
    {MIXED, "contact_tangent", MIDDLE, "log", "floor", 0, TIMES, 1 + 1e-6, "law", "does not follow the axis"},
    {MIXED, "contact_tangent", MIDDLE, "ball", "floor", 0, ADD, 1e-6, "law", "tangent"},
    {MIXED, "contact_law", MIDDLE, "brick", "floor", 0, TIMES, 1 + 1e-12, "law", "is not that of their materials"},
    {MIXED, "contact_law", MIDDLE, "brick", "floor", 1, TIMES, 1 + 1e-12, "law", "is not that of their materials"},
    {MIXED, "contact_law", MIDDLE, "brick", "floor", 0, SET, 0, "law", "is not that of their materials"},
    {MIXED, "contact_law", MIDDLE, "ball", "floor", 3, TIMES, 1 + 1e-12, "law", "is not that of their materials"},
    {MIXED, "contact_law", MIDDLE, "ball", "floor", 4, TIMES, 1 + 1e-12, "law", "is not that of their materials"},
    {MIXED, "contact_law", IMPACT, "hopper", "floor", 2, TIMES, 1 + 1e-12, "law", "with restitution"},
    {MIXED, "contact_law", IMPACT, "hopper", "floor", 2, SET, 0, "law", "with restitution 0"},
    {MIXED, "contact_law", MIDDLE, "ball", "floor", 2, SET, 0.5, "law", "with restitution 0.5"},
    {MIXED, "contact_law", IMPACT, "hopper", "floor", 5, SET, 1.01, "law", "is not between 0 and 1"},
    {MIXED, "contact_law", IMPACT, "hopper", "floor", 5, SET, 0.9, "law", "smaller than what creates energy"},
    {MIXED, "contact_law", MIDDLE, "ball", "floor", 5, SET, 0.9, "law", "an island without restitution"},
    {MIXED, "contact_law", MIDDLE, "lower", "floor", 5, SET, 0.9, "law", "have different factors"},
    {MIXED, "contact_law", MIDDLE, "ball", "floor", 0, SET, -1, "structure", "a law of no sense"},
    {MIXED, "contact_a", MIDDLE, "ball", "floor", 0, SET, 99, "structure", "not one of two parts"},
    {MIXED, "contact_a", MIDDLE, "brick", "floor", 0, SET, 2, "contacts", "'rider'"},
    {MIXED, "contact_b", MIDDLE, "brick", "floor", 0, SET, 3, "structure", "not one of two parts"},
    {MIXED, "contact_part_a", MIDDLE, "ball", "floor", 0, SET, 1, "structure", "not one of two parts"},
    {HILL, "contact_point", LAST, "stone", "hill", 2, ADD, 1e-6, "contacts", "off the surface"},
    {HILL, "contact_normal", LAST, "stone", "hill", 2, TIMES, 1 + 1e-9, "contacts", "length of the normal"},
    {STRUCK, "contact_impulse", IMPACT, "b", "c", 0, TIMES, -1, "law", "between 'b' and 'c'"},
    {STRUCK, "islands", IMPACT, NULL, NULL, 0, ADD, 1, "residual", "islands, the row says"},
    {STRUCK, "worst_a", IMPACT, NULL, NULL, 0, SET, 2, "residual", "that do not touch"},
    {STRUCK, "contact_impulse", IMPACT, "a", "b", 0, TIMES, 1 + 1e-6, "momentum", "linear"},
    /* figures of the step */
    {MIXED, "residual", MIDDLE, NULL, NULL, 0, ADD, 1e-6, "residual", ""},
    {MIXED, "residual", MIDDLE, NULL, NULL, 0, SET, -1, "structure", "is negative"},
    {MIXED, "usual_residual", MIDDLE, NULL, NULL, 0, ADD, 1e-6, "residual", "the usual figure"},
    {MIXED, "usual_residual", MIDDLE, NULL, NULL, 0, SET, -1, "structure", "is negative"},
    {MIXED, "worst_a", MIDDLE, NULL, NULL, 0, SET, 99, "structure", "names a body that is not there"},
    {MIXED, "worst_a", MIDDLE, NULL, NULL, 0, SET, 9, "residual", "the worst contact is not between"},
    {MIXED, "islands", MIDDLE, NULL, NULL, 0, ADD, 1, "residual", "islands, the row says"},
    {MIXED, "penetration", MIDDLE, NULL, NULL, 0, ADD, 1e-3, "penetration", "the row says"},
    {MIXED, "penetration", MIDDLE, NULL, NULL, 0, SET, -1, "structure", "is negative"},
    {MIXED, "penetration_a", MIDDLE, NULL, NULL, 0, SET, 99, "structure", "names a body that is not there"},
    {MIXED, "residual", START, NULL, NULL, 0, SET, 1e-3, "structure", "the start has figures of a step"},
    {MIXED, "islands", START, NULL, NULL, 0, SET, 1, "structure", "the start has figures of a step"},
    /* energies */
    {MIXED, "ledger", MIDDLE, NULL, NULL, 8, ADD, 1e-6, "energy", "balance of the ledger"},
    {THINNED, "ledger", THIN, NULL, NULL, 4, ADD, 1e-6, "energy", "balance of the ledger"},
    {THINNED, "position", THIN, "ball", NULL, 2, ADD, 1e-4, "energy", "potential energy"},
    {THINNED, "velocity", THIN, "ball", NULL, 2, ADD, 1e-4, "energy", "kinetic energy"},
    /* times */
    {MIXED, "t", MIDDLE, NULL, NULL, 0, ADD, 1e-4, "structure", "no node at this time"},
    {MIXED, "t", START, NULL, NULL, 0, ADD, 0.01, "structure", "the first row is not the start"},
    {MIXED, "t", MIDDLE, NULL, NULL, 0, ADD, -0.01, "structure", "time does not go on"},
    {MIXED, "t", LAST, NULL, NULL, 0, ADD, 0.01, "structure", "no node at this time"},
    {MIXED, "step", MIDDLE, NULL, NULL, 0, TIMES, 1 + 1e-6, "structure", "long, those of the scene"},
    {MIXED, "step", START, NULL, NULL, 0, SET, 0.01, "structure", "the first row is not the start"},
    /* what is not finite */
    {MIXED, "velocity", MIDDLE, "ball", NULL, 0, SET, NAN, "structure", "is NaN or infinite"},
    {MIXED, "contact_gap", MIDDLE, "ball", "floor", 0, SET, INFINITY, "structure", "is NaN or infinite"},
    /* bodies that were moved apart, and sleepers */
    {APART, "lift", LIFTED, NULL, NULL, 2, ADD, 1e-3, "drift", "position of 'hopper'"},
    {APART, "lift", LIFTED, NULL, NULL, 0, ADD, 1, "lift", "way of 'hopper'"},
    {APART, "turn", LIFTED, NULL, NULL, 0, ADD, 1e-3, "drift", "rotation of 'hopper'"},
    {APART, "lift_body", LIFTED, NULL, NULL, 0, SET, 7, "structure", "a list of bodies has numbers of none"},
    {APART, "lift_body", LIFTED, NULL, NULL, 0, SET, 0, "lift", "no force moves it"},
    {ASLEEP, "asleep", SLEEPING, NULL, NULL, 0, SET, 0, "structure", "a list of bodies has numbers of none"},
    {ASLEEP, "asleep", SLEEPING, NULL, NULL, 0, SET, 2, "drift", "velocity of 'box'"},
    {ASLEEP, "velocity", SLEEPING, "box", NULL, 0, ADD, 1e-3, "drift", "position of 'box'"},
    {ASLEEP, "spin", SLEEPING, "box", NULL, 0, ADD, 1e-3, "drift", "rotation of 'box'"},
};

/* ---- more than one number ---------------------------------------------------------------------------------------------- */

/* A turn that keeps the quaternion's norm. */
static void turn_body(record_channels *r, const char *name) {
  double *q = record_table_number(&r->frames, "rotation", row_at(r, MIDDLE), 4 * body_number(r, name));
  const double c = cos(5e-7), s = sin(5e-7), w = q[0], x = q[1], y = q[2], z = q[3];
  q[0] = c * w - s * z, q[1] = c * x - s * y, q[2] = c * y + s * x, q[3] = c * z + s * w;
}
static void turn_rocket(record_channels *r) { turn_body(r, "rocket"); }
static void turn_table(record_channels *r) { turn_body(r, "table"); }
static void turn_floor(record_channels *r) { turn_body(r, "floor"); }

static double *normal_of(record_channels *r, which_row where, const char *a, const char *b) {
  size_t row = row_at(r, where);
  return record_table_number(&r->frames, "contact_normal", row, 3 * contact_of(r, row, a, b));
}

/* Unit vectors, turned by 1e-3. */
static void tilt(double *n) {
  const double c = cos(1e-3), s = sin(1e-3), x = n[0], z = n[2];
  n[0] = c * x + s * z, n[2] = c * z - s * x;
}
static void tilt_normal(record_channels *r) { tilt(normal_of(r, MIDDLE, "brick", "floor")); }
static void tilt_normal_of_hill(record_channels *r) { tilt(normal_of(r, LAST, "stone", "hill")); }
static void tilt_normal_of_table(record_channels *r) { tilt(normal_of(r, MIDDLE, "rider", "table")); }
static void turn_tangent(record_channels *r) {
  size_t row = row_at(r, MIDDLE);
  double *t = record_table_number(&r->frames, "contact_tangent", row, 3 * contact_of(r, row, "log", "floor"));
  const double c = cos(1e-6), s = sin(1e-6), x = t[0], y = t[1];
  t[0] = c * x - s * y, t[1] = c * y + s * x;
}

static void drop_contact_of_ball(record_channels *r) {
  size_t row = row_at(r, MIDDLE);
  drop_contact(r, row, contact_of(r, row, "ball", "floor"));
}
/* The impulses of the brick are those of the recorded motion; its contacts are not there, and nothing but geometry can tell. */
static void drop_contacts_that_overlap(record_channels *r) {
  size_t row = row_at(r, MIDDLE), i = body_number(r, "ball");
  drop_contact(r, row, contact_of(r, row, "ball", "floor"));
  *record_table_number(&r->frames, "position", row, 3 * i + 2) -= 1e-3;
}
static void double_contact_of_ball(record_channels *r) {
  size_t row = row_at(r, MIDDLE);
  double_contact(r, row, contact_of(r, row, "ball", "floor"));
}
/* Each of the two has half of the impulse and of the moment: all balances hold. */
static void split_contact_of_ball(record_channels *r) {
  size_t row = row_at(r, MIDDLE), k = contact_of(r, row, "ball", "floor");
  double_contact(r, row, k);
  for (size_t i = 0; i < 6; i++) {
    *record_table_number(&r->frames, "contact_impulse", row, 3 * k + i) *= 0.5;
    *record_table_number(&r->frames, "contact_moment", row, 3 * k + i) *= 0.5;
  }
}
static void swap_bodies(record_channels *r) {
  size_t row = row_at(r, MIDDLE), k = contact_of(r, row, "ball", "floor");
  double *a = record_table_number(&r->frames, "contact_a", row, k),
         *b = record_table_number(&r->frames, "contact_b", row, k);
  const double kept = *a;
  *a = *b, *b = kept;
}
/* An entry of the ledger in the middle, and the defect with it, so that the balance holds. */
static void book(record_channels *r, size_t entry, double sign) {
  double *ledger = record_table_number(&r->frames, "ledger", row_at(r, MIDDLE), 0);
  ledger[entry] += 1e-6;
  ledger[8] += sign * 1e-6;
}
static void book_kinetic(record_channels *r) { book(r, 0, 1); }
static void book_potential(record_channels *r) { book(r, 1, 1); }
static void book_work(record_channels *r) { book(r, 2, -1); }
static void book_kinematic_work(record_channels *r) { book(r, 3, 0); }
static void book_impact_loss(record_channels *r) { book(r, 4, 1); }
static void book_friction_loss(record_channels *r) { book(r, 5, 1); }
static void book_contact_loss(record_channels *r) { book(r, 6, 1); }
static void book_lift(record_channels *r) { book(r, 7, -1); }

static void contact_of_still_bodies(record_channels *r) {
  size_t row = row_at(r, MIDDLE), k = contact_of(r, row, "rider", "table");
  double_contact(r, row, k);
  *record_table_number(&r->frames, "contact_a", row, k + 1) = (double)body_number(r, "floor");
}

/* Friction of half its size, with velocities and positions that fit: every balance holds, and the cone alone is not met. */
static void halve_friction(record_channels *r) {
  record_table *f = &r->frames;
  const size_t row = row_at(r, LAST), k = contact_of(r, row, "stone", "hill");
  double *impulse = record_table_number(f, "contact_impulse", row, 3 * k);
  for (int i = 0; i < 3; i++) impulse[i] *= 0.5;
}

static void whole_no_more(record_channels *r) {
  size_t row = row_at(r, MIDDLE);
  *record_table_number(&r->frames, "whole", row, 0) = 0;
  empty_list(r, "velocity_left", row);
  empty_list(r, "spin_left", row);
}
static void short_list(record_channels *r) { empty_list(r, "spin_left", row_at(r, MIDDLE)); }
static void no_gaps(record_channels *r) { empty_list(r, "contact_gap", row_at(r, MIDDLE)); }
static void sleeper_of_no_scene(record_channels *r) {
  *splice(&r->frames, record_table_find(&r->frames, "asleep"), row_at(r, MIDDLE), 0, 0, 1) =
      (double)body_number(r, "rocket");
}
static void wake_sleeper(record_channels *r) { empty_list(r, "asleep", r->frames.rows - 1); }
static void turn_fixed_body(record_channels *r) {
  record_table *f = &r->frames;
  size_t row = row_at(r, MIDDLE);
  *splice(f, record_table_find(f, "lift_body"), row, 0, 0, 1) = (double)body_number(r, "floor");
  splice(f, record_table_find(f, "lift"), row, 0, 0, 3);
  *splice(f, record_table_find(f, "turn"), row, 0, 0, 3) = 1e-3;
}
static void name_bodies_of_no_overlap(record_channels *r) {
  size_t row = row_at(r, START);
  *record_table_number(&r->frames, "penetration_a", row, 0) = 0;
  *record_table_number(&r->frames, "penetration_b", row, 0) = 1;
}
static void no_scene(record_channels *r) { r->resolved = ""; }
static void another_scene(record_channels *r) { r->resolved = "{\"thud\": 1, \"bodies\": 5}"; }
static void lose_frames(record_channels *r) {
  for (int k = 0; k < 2; k++) drop_frame(r, row_at(r, MIDDLE));
}
static void lose_end(record_channels *r) { r->frames.rows--; }
static void lose_all_frames(record_channels *r) { r->frames.rows = 0; }

/* ---- channels ----------------------------------------------------------------------------------------------------------- */

static thud_record_channel *channel_of(record_channels *r, const char *name) {
  return &r->frames.columns[record_table_find(&r->frames, name)].about;
}
static void rename_channel(record_channels *r) { channel_of(r, "contact_gap")->role = "gap"; }
static void regroup_channel(record_channels *r) {
  empty_list(r, "contact_gap", 0);
  for (size_t row = 0; row < r->frames.rows; row++) empty_list(r, "contact_gap", row);
  static const char *const names[] = {"one", "other"};
  channel_of(r, "contact_gap")->group = 2;
  channel_of(r, "contact_gap")->components = names;
}
static void relabel_channel(record_channels *r) {
  static const char *const names[] = {"floor", "brick", "wheel"};
  channel_of(r, "contact_b")->labels = names;
}
static void rename_entries(record_channels *r) {
  static const char *const names[] = {"kinetic",     "potential",    "work", "kinematic_work", "friction_loss",
                                      "impact_loss", "contact_loss", "lift", "defect"};
  channel_of(r, "ledger")->components = names;
}
static void further_channel(record_channels *r) {
  record_table *f = &r->frames;
  record_column *more = &f->columns[f->count];
  const record_column *t = &f->columns[record_table_find(f, "t")];
  *more = (record_column){.about = t->about};
  more->about.name = more->about.role = "further";
  more->starts = malloc((f->loaded + 1) * sizeof(size_t));
  more->values = malloc((f->loaded + 1) * sizeof(double));
  assert_non_null(more->starts);
  assert_non_null(more->values);
  memcpy(more->starts, t->starts, (f->loaded + 1) * sizeof(size_t));
  memcpy(more->values, t->values, f->loaded * sizeof(double));
  f->count++;
}

/* ---- events ------------------------------------------------------------------------------------------------------------- */

static double *event_number(record_channels *r, double kind, const char *name) {
  return record_table_number(&r->events, name, first_event(r, kind), 0);
}
static void event_of_no_kind(record_channels *r) { *event_number(r, EVENT_BEGIN, "kind") = 3; }
static void event_of_no_body(record_channels *r) { *event_number(r, EVENT_BEGIN, "bodies") = 77; }
static void event_of_other_bodies(record_channels *r) {
  *event_number(r, EVENT_BEGIN, "bodies") = (double)body_number(r, "rocket");
}
static void event_before_the_start(record_channels *r) { *event_number(r, EVENT_BEGIN, "t") = -1; }
static void event_at_another_node(record_channels *r) { *event_number(r, EVENT_IMPACT, "t") -= 0.01; }
static void event_of_another_frame(record_channels *r) { *event_number(r, EVENT_IMPACT, "frame") += 1; }
static void impact_without_impulse(record_channels *r) { *event_number(r, EVENT_IMPACT, "impulse") = 0; }
static void impact_without_approach(record_channels *r) { *event_number(r, EVENT_IMPACT, "approach") = NAN; }
static void impact_of_more_impulse(record_channels *r) { *event_number(r, EVENT_IMPACT, "impulse") *= 1 + 1e-6; }
static void impact_of_more_approach(record_channels *r) { *event_number(r, EVENT_IMPACT, "approach") *= 1 + 1e-6; }
static void impact_elsewhere(record_channels *r) { *event_number(r, EVENT_IMPACT, "point") += 1e-6; }
static void impact_of_others(record_channels *r) {
  *event_number(r, EVENT_IMPACT, "bodies") = (double)body_number(r, "ball");
}
static void begin_with_impulse(record_channels *r) { *event_number(r, EVENT_BEGIN, "impulse") = 1; }
static void begin_with_point(record_channels *r) { *event_number(r, EVENT_BEGIN, "point") = 1; }
static void no_impact(record_channels *r) { drop_event(r, first_event(r, EVENT_IMPACT)); }
static void no_begin(record_channels *r) { drop_event(r, first_event(r, EVENT_BEGIN)); }
static void no_end(record_channels *r) { drop_event(r, first_event(r, EVENT_END)); }
static void begin_is_end(record_channels *r) { *event_number(r, EVENT_BEGIN, "kind") = EVENT_END; }
static void no_sleep(record_channels *r) { drop_event(r, first_event(r, EVENT_SLEEP)); }
static void sleep_is_wake(record_channels *r) { *event_number(r, EVENT_SLEEP, "kind") = EVENT_WAKE; }
static void event_of_sleep(record_channels *r) {
  size_t e = first_event(r, EVENT_BEGIN);
  *event_number(r, EVENT_BEGIN, "kind") = EVENT_SLEEP;
  splice(&r->events, record_table_find(&r->events, "bodies"), e, 1, 1, 0);
}
/* Changes of joints: the number of a change that is not the first, numbers of a motor, changes that are left out. */
static size_t change_event(const record_channels *r, int kind) {
  size_t e = 0;
  while (*record_table_number(&r->events, "kind", e, 0) != (double)(5 + kind)) e++;
  return e;
}
static double *change_value(record_channels *r, int kind, size_t at) {
  return record_table_number(&r->events, "values", change_event(r, kind), at);
}
static void no_detaching(record_channels *r) { drop_event(r, change_event(r, THUD_BODY_CHANGE_DETACH)); }
static void no_attaching(record_channels *r) { drop_event(r, change_event(r, THUD_BODY_CHANGE_ATTACH)); }
static void no_motor(record_channels *r) { drop_event(r, change_event(r, THUD_BODY_CHANGE_MOTOR)); }
static void detaches_another(record_channels *r) { *change_value(r, THUD_BODY_CHANGE_DETACH, 0) = 0; }
static void detaches_nothing(record_channels *r) { *change_value(r, THUD_BODY_CHANGE_DETACH, 0) = 3; }
static void attaches_what_acts(record_channels *r) { *change_value(r, THUD_BODY_CHANGE_ATTACH, 0) = 0; }
static void motor_is_faster(record_channels *r) { *change_value(r, THUD_BODY_CHANGE_MOTOR, 4) *= 1 + 1e-6; }
static void motor_is_weaker(record_channels *r) { *change_value(r, THUD_BODY_CHANGE_MOTOR, 5) *= 0.5; }
static void motor_of_position(record_channels *r) { *change_value(r, THUD_BODY_CHANGE_MOTOR, 2) = 2; }
static void motor_with_its_drive(record_channels *r) { *change_value(r, THUD_BODY_CHANGE_MOTOR, 3) = 1; }
static void motor_elsewhere(record_channels *r) { *change_value(r, THUD_BODY_CHANGE_MOTOR, 1) = 1; }
static void double_event(record_channels *r, size_t row) {
  record_table *e = &r->events;
  for (size_t c = 0; c < e->count; c++) {
    record_column *column = &e->columns[c];
    size_t from = column->starts[row], size = record_table_size(e, c, row), total = column->starts[e->loaded];
    assert_non_null(column->values);
    column->values = realloc(column->values, (total + size + 1) * sizeof(double));
    column->starts = realloc(column->starts, (e->loaded + 2) * sizeof(size_t));
    assert_non_null(column->values);
    assert_non_null(column->starts);
    memmove(column->values + from + size, column->values + from, (total - from) * sizeof(double));
    for (size_t k = e->loaded + 1; k > row; k--) column->starts[k] = column->starts[k - 1] + size;
  }
  e->rows++;
  e->loaded++;
}
static void impact_twice(record_channels *r) { double_event(r, first_event(r, EVENT_IMPACT)); }
static void begin_twice(record_channels *r) { double_event(r, first_event(r, EVENT_BEGIN)); }
static void end_twice(record_channels *r) { double_event(r, first_event(r, EVENT_END)); }

/* ---- the summary -------------------------------------------------------------------------------------------------------- */

/* Writes `text` in place of the value of the key; of the key within `within`, where that is not NULL. */
static void set_value(record_channels *r, const char *within, const char *key, const char *text) {
  char name[64];
  const char *from = within != NULL ? strstr(r->summary, within) : r->summary;
  assert_non_null(from);
  snprintf(name, sizeof name, "\"%s\": ", key);
  const char *place = strstr(from, name);
  if (place == NULL) fail_msg("no '%s' in %s", name, r->summary);
  place += strlen(name);
  size_t head = (size_t)(place - r->summary), length = strcspn(place, ",\n}"),
         room = strlen(r->summary) + strlen(text) + 1;
  char *made = malloc(room);
  assert_non_null(made);
  snprintf(made, room, "%.*s%s%s", (int)head, r->summary, text, place + length);
  free(r->summary);
  r->summary = made;
}
static void summary_of_more_bodies(record_channels *r) { set_value(r, NULL, "bodies", "13"); }
static void summary_of_more_steps(record_channels *r) { set_value(r, NULL, "steps", "21"); }
static void summary_of_less_residual(record_channels *r) { set_value(r, NULL, "residual", "1e-300"); }
static void summary_of_less_usual(record_channels *r) { set_value(r, NULL, "usual_residual", "1e-300"); }
static void summary_of_less_overlap(record_channels *r) { set_value(r, NULL, "penetration", "1e-300"); }
static void summary_at_another_time(record_channels *r) { set_value(r, NULL, "residual_time", "0.01"); }
static void summary_of_other_bodies(record_channels *r) { set_value(r, NULL, "residual_a", "\"rocket\""); }
static void summary_of_another_second(record_channels *r) { set_value(r, NULL, "residual_b", "\"rocket\""); }
static void summary_overlap_elsewhen(record_channels *r) { set_value(r, NULL, "penetration_time", "0.01"); }
static void summary_overlap_of_others(record_channels *r) { set_value(r, NULL, "penetration_a", "\"rocket\""); }
static void summary_overlap_of_another(record_channels *r) { set_value(r, NULL, "penetration_b", "\"rocket\""); }
static void summary_of_less_loss(record_channels *r) { set_value(r, "\"ledger\"", "friction_loss", "0"); }
static void summary_of_another_place(record_channels *r) { set_value(r, "\"state\"", "rocket.x", "5"); }
static void summary_with_more(record_channels *r) { set_value(r, NULL, "steps", "20, \"further\": 1"); }
static void summary_of_determined_forces(record_channels *r) {
  record_copy_edit(&r->summary, "top.Fz, bottom.Fz", "top.Fx, bottom.Fz");
}
static void summary_of_no_forces(record_channels *r) { record_copy_edit(&r->summary, "top.Fz, bottom.Fz", ""); }
static void summary_of_unknown_forces(record_channels *r) { record_copy_edit(&r->summary, "bottom.Fz", "middle.Fz"); }
static void summary_of_more_equations(record_channels *r) { set_value(r, NULL, "redundant_equations", "2"); }
static void summary_with_more_state(record_channels *r) {
  record_copy_edit(&r->summary, "\"state\": {", "\"state\": {\"further\": 1, ");
}

typedef struct special_change {
  int scene;
  const char *what;
  void (*change)(record_channels *record);
  const char *check, *says;
} special_change;

static const special_change specials[] = {
    {MIXED, "a dynamic body turned by 1e-6", turn_rocket, "drift", "rotation of 'rocket'"},
    {MIXED, "a kinematic body turned by 1e-6", turn_table, "paths", "rotation of 'table'"},
    {MIXED, "a fixed body turned by 1e-6", turn_floor, "paths", "rotation of 'floor'"},
    {MIXED, "a normal of a box turned by 1e-3", tilt_normal, "contacts", "does not separate"},
    {MIXED, "a normal of a body on a path turned by 1e-3", tilt_normal_of_table, "contacts", "does not separate"},
    {HILL, "a normal at a surface turned by 1e-3", tilt_normal_of_hill, "contacts", "'stone' and 'hill'"},
    {MIXED, "the direction of friction turned by 1e-6", turn_tangent, "law", "does not follow the axis"},
    {MIXED, "a contact left out", drop_contact_of_ball, "momentum", "linear, of 'ball'"},
    {MIXED, "a contact left out of bodies that overlap", drop_contacts_that_overlap, "missing",
     "which have no contact"},
    {MIXED, "a contact twice", double_contact_of_ball, "momentum", "linear, of 'ball'"},
    {MIXED, "a contact twice with half of the impulse each", split_contact_of_ball, "contacts", "twice"},
    {MIXED, "the bodies of a contact exchanged", swap_bodies, "contacts", "'ball'"},
    {MIXED, "a contact of two bodies that do not move by forces", contact_of_still_bodies, "law", "none of"},
    {MIXED, "1e-6 J more kinetic energy", book_kinetic, "energy", "kinetic energy"},
    {MIXED, "1e-6 J more potential energy", book_potential, "energy", "potential energy"},
    {MIXED, "1e-6 J more work", book_work, "energy", "work of the step"},
    {MIXED, "1e-6 J more work of paths", book_kinematic_work, "energy", "kinematic work of the step"},
    {MIXED, "1e-6 J more loss of impacts", book_impact_loss, "energy", "impact loss of the step"},
    {MIXED, "1e-6 J more loss of friction", book_friction_loss, "energy", "friction loss of the step"},
    {MIXED, "1e-6 J more loss of closing contacts", book_contact_loss, "energy", "contact loss of the step"},
    {MIXED, "1e-6 J more lift", book_lift, "energy", "lift of the step"},
    {HILL, "an impulse of half the size", halve_friction, "momentum", "linear"},
    {MIXED, "a row that is to be whole and is not", whole_no_more, "structure", "does not have the whole step"},
    {MIXED, "a list that is too short", short_list, "structure", "'spin_left'"},
    {MIXED, "contacts without gaps", no_gaps, "structure", "'contact_gap'"},
    {MIXED, "a sleeper in a scene without sleep", sleeper_of_no_scene, "structure", "in this scene nothing does"},
    {ASLEEP, "a sleeper that is awake without an event", wake_sleeper, "events", "its events say otherwise"},
    {MIXED, "a fixed body turned apart", turn_fixed_body, "lift", "no force moves it"},
    {MIXED, "bodies of an overlap that is not there", name_bodies_of_no_overlap, "penetration", "no overlap, and"},
    {MIXED, "no resolved scene", no_scene, "structure", "holds no scene"},
    {MIXED, "a resolved scene that cannot be used", another_scene, "structure", "cannot be used"},
    {MIXED, "two rows less", lose_frames, "structure", "frames are missing"},
    {MIXED, "no last row", lose_end, "structure", "do not reach the end"},
    {MIXED, "no rows", lose_all_frames, "structure", "no frames"},
    {MIXED, "a channel of another name", rename_channel, "structure", "no channel for the contact_gap"},
    {MIXED, "a channel of another form", regroup_channel, "structure", "does not have the form"},
    {PLANAR, "a channel of other bodies", relabel_channel, "structure", "are not the names of the bodies"},
    {MIXED, "entries of the ledger exchanged", rename_entries, "structure", "ledger"},
    {MIXED, "a further channel", further_channel, "structure", "channels"},
    {MIXED, "an event of one body that has two", event_of_no_kind, "events", "is of no known kind"},
    {MIXED, "an event of a body that is not there", event_of_no_body, "events", "names a body that is not there"},
    {MIXED, "a begin of other bodies", event_of_other_bodies, "events", "the begin of the contact"},
    {MIXED, "an event before the start", event_before_the_start, "events", "is not at its time"},
    {MIXED, "an impact one node earlier", event_at_another_node, "events", ""},
    {MIXED, "an event of another frame", event_of_another_frame, "events", "does not belong to frame"},
    {MIXED, "an impact without impulse", impact_without_impulse, "events", "without approach or impulse"},
    {MIXED, "an impact without approach", impact_without_approach, "events", "without approach or impulse"},
    {MIXED, "an impact with 1e-6 more impulse", impact_of_more_impulse, "events", "impulse"},
    {MIXED, "an impact with 1e-6 more approach", impact_of_more_approach, "events", "approach"},
    {MIXED, "an impact elsewhere", impact_elsewhere, "events", "has no event"},
    {MIXED, "an impact of other bodies", impact_of_others, "events", "has no event"},
    {MIXED, "a begin with an impulse", begin_with_impulse, "events", "has numbers of an impact"},
    {MIXED, "a begin with a point", begin_with_point, "events", "has numbers of an impact"},
    {SWITCHED, "no event of a joint that lets go", no_detaching, "events", "'detach'"},
    {SWITCHED, "no event of a joint that holds", no_attaching, "events", "'attach'"},
    {SWITCHED, "no event of a motor", no_motor, "events", "'motor'"},
    {SWITCHED, "another joint lets go", detaches_another, "events", "'detach'"},
    {SWITCHED, "no joint lets go", detaches_nothing, "events", "is of no joint"},
    {SWITCHED, "a joint that acts is attached", attaches_what_acts, "events", "attaches a joint that acts"},
    {SWITCHED, "a motor with another speed", motor_is_faster, "joints", "motor of 'shaft': its rate"},
    {SWITCHED, "a motor with another bound", motor_is_weaker, "joints", "motor of 'shaft' beyond its bound"},
    {SWITCHED, "a motor of another kind", motor_of_position, "events", "'motor'"},
    {SWITCHED, "a motor with the target of the scene", motor_with_its_drive, "events", "'motor'"},
    {SWITCHED, "a motor of another coordinate", motor_elsewhere, "events", "a coordinate without a law"},
    {MIXED, "no event of an impact", no_impact, "events", "has no event"},
    {MIXED, "no event of a begin", no_begin, "events", "the begin of the contact"},
    {MIXED, "no event of an end", no_end, "events", "the end of the contact"},
    {MIXED, "an end in place of a begin", begin_is_end, "events", ""},
    {MIXED, "an impact twice", impact_twice, "events", "events of impacts"},
    {MIXED, "a begin twice", begin_twice, "events", "contacts begin, and there are"},
    {MIXED, "an end twice", end_twice, "events", "contacts end, and there are"},
    {MIXED, "a body that falls asleep in a scene without sleep", event_of_sleep, "events", "in this scene none does"},
    {ASLEEP, "no event of sleep", no_sleep, "events", "its events say otherwise"},
    {ASLEEP, "a wake in place of a sleep", sleep_is_wake, "events", "asleep already"},
    {MIXED, "a summary of more bodies", summary_of_more_bodies, "summary", "bodies"},
    {MIXED, "a summary of more steps", summary_of_more_steps, "summary", "steps"},
    {MIXED, "a summary of another residual", summary_of_less_residual, "summary", "residual"},
    {MIXED, "a summary of another usual residual", summary_of_less_usual, "summary", "usual_residual"},
    {MIXED, "a summary of another overlap", summary_of_less_overlap, "summary", "penetration"},
    {MIXED, "a summary with another time of the worst residual", summary_at_another_time, "summary", "residual_time"},
    {MIXED, "a summary with another first body of the worst residual", summary_of_other_bodies, "summary",
     "residual_a"},
    {MIXED, "a summary with another second body of it", summary_of_another_second, "summary", "residual_b"},
    {APART, "a summary with another time of the deepest overlap", summary_overlap_elsewhen, "summary",
     "penetration_time"},
    {MIXED, "a summary with another first body of the overlap", summary_overlap_of_others, "summary", "penetration_a"},
    {MIXED, "a summary with another second body of it", summary_overlap_of_another, "summary", "penetration_b"},
    {MIXED, "a summary of another ledger", summary_of_less_loss, "summary", "friction_loss"},
    {MIXED, "a summary of another state", summary_of_another_place, "summary", "rocket.x"},
    {MIXED, "a summary with a further figure", summary_with_more, "summary", "further"},
    {DOOR, "a summary that calls a determined force undetermined", summary_of_determined_forces, "summary",
     "said to be undetermined, and is not"},
    {DOOR, "a summary that conceals undetermined forces", summary_of_no_forces, "summary",
     "which the summary conceals"},
    {DOOR, "a summary of forces that do not exist", summary_of_unknown_forces, "summary", "no component"},
    {DOOR, "a summary of more redundant equations", summary_of_more_equations, "summary", "depend on others"},
    {MIXED, "a summary with a further coordinate", summary_with_more_state, "summary", "of the summary has"},
};

/* ---- the tests ---------------------------------------------------------------------------------------------------------- */

static const char *record_of(int scene) {
  static char path[512]; /* of the last call */
  char name[32];
  snprintf(name, sizeof name, "scene-%d.h5", scene);
  snprintf(path, sizeof path, "%s", thud_test_path(name));
  return path;
}

static void *duplicate(const void *from, size_t size) {
  void *made = malloc(size + 1);
  assert_non_null(made);
  return memcpy(made, from, size);
}

static void copy_table(const record_table *from, record_table *to) {
  *to = *from;
  for (size_t c = 0; c < from->count; c++) {
    const record_column *column = &from->columns[c];
    size_t total = column->starts[from->loaded];
    to->columns[c].starts = duplicate(column->starts, (from->loaded + 1) * sizeof(size_t));
    if (column->values != NULL) to->columns[c].values = duplicate(column->values, total * sizeof(double));
    if (column->bytes != NULL) to->columns[c].bytes = duplicate(column->bytes, total);
  }
}

/* A copy that shares reader and warnings with the record. */
static record_channels copy_of(const record_channels *from) {
  record_channels made = *from;
  copy_table(&from->frames, &made.frames);
  copy_table(&from->events, &made.events);
  made.summary = duplicate(from->summary, strlen(from->summary) + 1);
  return made;
}

static void end_copy(record_channels *copy) {
  record_table_free(&copy->frames);
  record_table_free(&copy->events);
  free(copy->summary);
}

static void load_all(thud_context *context, record_channels records[SCENES]) {
  for (int k = 0; k < SCENES; k++) record_channels_load(context, record_of(k), &records[k]);
}

static void free_all(record_channels records[SCENES]) {
  for (int k = 0; k < SCENES; k++) record_channels_free(&records[k]);
}

/* False: the check does not fail, or says something else, which is printed. */
static bool is_found(thud_context *context, const record_channels *r, const char *what, const char *check,
                     const char *says) {
  const char *path = thud_test_path("tampered.h5");
  record_channels_save(context, path, r);
  thud_verify_result result = thud_test_verify(context, path);
  const thud_verify_check *found = thud_test_check_of(&result, check);
  if (found->status == THUD_VERIFY_FAILED && strstr(found->detail, says) != NULL && result.verdict == THUD_VERIFY_BAD)
    return true;
  print_message("%s: '%s' is %s, says \"%s\"; verdict %s\n", what, check, thud_verify_status_name(found->status),
                found->detail, result.reason);
  return false;
}

static void every_motion_is_good(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (int k = 0; k < SCENES; k++) {
    record_channels r;
    record_channels_load(context, record_of(k), &r);
    record_channels_save(context, thud_test_path("again.h5"), &r);
    thud_verify_result result = thud_test_verify(context, thud_test_path("again.h5"));
    assert_string_equal(result.reason, "");
    assert_int_equal(result.verdict, THUD_VERIFY_GOOD);
    record_channels_free(&r);
  }
  thud_test_context_end(context);
}

static void every_changed_number_is_found(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  record_channels records[SCENES];
  size_t missed = 0;
  load_all(context, records);
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k += (size_t)thud_test_share(3)) {
    const number_change *x = &numbers[k];
    char what[128];
    record_channels r = copy_of(&records[x->scene]);
    change_number(&r, x);
    snprintf(what, sizeof what, "scene %d: %s[%zu] of %s", x->scene, x->channel, x->component,
             x->body != NULL ? x->body : "the row");
    missed += !is_found(context, &r, what, x->check, x->says);
    end_copy(&r);
  }
  free_all(records);
  thud_test_context_end(context);
  assert_int_equal(missed, 0);
}

static void every_other_change_is_found(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  record_channels records[SCENES];
  size_t missed = 0;
  load_all(context, records);
  for (size_t k = 0; k < sizeof specials / sizeof *specials; k += (size_t)thud_test_share(3)) {
    const special_change *x = &specials[k];
    record_channels r = copy_of(&records[x->scene]);
    x->change(&r);
    missed += !is_found(context, &r, x->what, x->check, x->says);
    end_copy(&r);
  }
  free_all(records);
  thud_test_context_end(context);
  assert_int_equal(missed, 0);
}

/* ---- how much was checked ---------------------------------------------------------------------------------------------- */

/* Rows that are whole and of which `leaves` says yes are not whole any more. */
static void make_thin(record_channels *r, bool (*leaves)(const record_channels *r, size_t row)) {
  for (size_t row = 0; row < r->frames.rows; row++) {
    if (*record_table_number(&r->frames, "whole", row, 0) == 0 || !leaves(r, row)) continue;
    *record_table_number(&r->frames, "whole", row, 0) = 0;
    empty_list(r, "velocity_left", row);
    empty_list(r, "spin_left", row);
  }
}
static bool any_row(const record_channels *r, size_t row) {
  (void)r;
  (void)row;
  return true;
}
static bool touches(const record_channels *r, size_t row) {
  return record_table_size(&r->frames, record_table_find(&r->frames, "contact_a"), row) > 0;
}
static bool strikes(const record_channels *r, size_t row) {
  for (size_t e = 0; e < r->events.rows; e++)
    if (*record_table_number(&r->events, "kind", e, 0) == EVENT_IMPACT &&
        *record_table_number(&r->events, "frame", e, 0) == (double)row)
      return true;
  return false;
}

/* A ball falls 0.05 m, bounces twice and is in flight at the end: no step is whole by the options. */
static void some_steps_are_always_whole(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  record_channels r;
  size_t contacts = 0, impacts = 0, linked = 0;
  record_channels_load(context, record_of(SPARSE), &r);
  for (size_t row = 1; row < r.frames.rows; row++) {
    if (*record_table_number(&r.frames, "whole", row, 0) == 0) continue;
    double from = *record_table_number(&r.frames, "t", row, 0) - *record_table_number(&r.frames, "step", row, 0);
    contacts += touches(&r, row);
    impacts += strikes(&r, row);
    linked += fabs(from - *record_table_number(&r.frames, "t", row - 1, 0)) < 1e-9;
  }
  thud_assert_at_least(contacts, 2);
  thud_assert_at_least(impacts, 2);
  thud_assert_at_least(linked, 1);
  thud_assert_at_most(r.frames.rows, 5 + 12);
  thud_verify_result result = thud_test_verify(context, record_of(SPARSE));
  assert_int_equal(result.verdict, THUD_VERIFY_GOOD);
  assert_string_equal(result.checked_unit, "steps");
  assert_int_equal(result.checked_of, 100);
  thud_assert_at_least(result.checked_count, 4);
  thud_assert_at_least(result.checked_contacts, 2);
  record_channels_free(&r);
  thud_test_context_end(context);
}

static void assert_undecided(thud_context *context, bool (*leaves)(const record_channels *r, size_t row),
                             const char *reason) {
  record_channels r;
  const char *path = thud_test_path("thin.h5");
  record_channels_load(context, record_of(SPARSE), &r);
  make_thin(&r, leaves);
  record_channels_save(context, path, &r);
  thud_verify_result result = thud_test_verify(context, path);
  assert_int_equal(result.verdict, THUD_VERIFY_UNDECIDED);
  if (strstr(result.reason, reason) == NULL) fail_msg("\"%s\" is not in \"%s\"", reason, result.reason);
  record_channels_free(&r);
}

/* Records without the steps that matter are not bad, and not good. */
static void nothing_checked_is_not_good(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  char *text = NULL;
  assert_undecided(context, any_row, "nothing was checked: contacts: no row has a whole step");
  thud_verify_result result = thud_test_verify(context, thud_test_path("thin.h5"));
  assert_int_equal(result.checked_count, 0);
  assert_int_equal(thud_verify_write_report(context, "thin.h5", &result, &text), THUD_OK);
  assert_non_null(strstr(text, "; checked 0 of 100 steps, 0 contacts\n"));
  thud_verify_free_text(context, text);
  assert_int_equal(thud_verify_write_json(context, "thin.h5", &result, &text), THUD_OK);
  assert_non_null(strstr(
      text, "\"checked\": {\n    \"unit\": \"steps\",\n    \"count\": 0,\n    \"of\": 100,\n    \"contacts\": 0\n  }"));
  thud_verify_free_text(context, text);
  assert_undecided(context, touches, "and no contact could be checked");
  assert_undecided(context, strikes, "impacts is in a whole step");
  thud_test_context_end(context);
}

/* Of every kind: a law that passed without a number, and numbers of no part of the motion, are not enough. */
static void laws_without_numbers_are_not_enough(void **state) {
  (void)state;
  thud_verify_check structure = thud_verify_check_new("structure"), law = thud_verify_check_new("law");
  thud_verify_tally(&structure, 0, 1, 0, 0, 0);
  for (int some = 0; some < 2; some++)
    for (size_t rows = 0; rows < 2; rows++) {
      thud_verify_result result = {0};
      if (some == 1) thud_verify_tally(&law, 0.5, 1, 0, 0, 0);
      thud_verify_result_add(&result, &structure);
      thud_verify_result_add(&result, &law);
      thud_verify_result_cover(&result, "rows", rows, 1, -1);
      thud_verify_result_judge(&result);
      bool good = some == 1 && rows == 1;
      assert_int_equal(result.verdict, good ? THUD_VERIFY_GOOD : THUD_VERIFY_UNDECIDED);
      assert_string_equal(result.reason, good ? "" : "nothing was checked");
    }
}

/* Frames of a motion without friction beside a scene with mu = 0.5. */
static void frames_without_friction_are_found(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  record_channels slippery, rough;
  const char *path = thud_test_path("exchanged.h5");
  record_channels_load(context, record_of(SLIPPERY), &slippery);
  record_channels_load(context, record_of(MANY), &rough);
  size_t law = record_table_find(&slippery.frames, "contact_law");
  thud_record_reader *reader = slippery.reader;
  slippery.reader = rough.reader; /* its scene */
  for (size_t row = 0; row < slippery.frames.rows; row++)
    for (size_t i = 0; i < record_table_size(&slippery.frames, law, row); i++)
      if (i % 6 < 2)
        record_table_cell(&slippery.frames, law, row)[i] = 0.5; /* mu, mu_across: the coefficients are right */
  record_channels_save(context, path, &slippery);
  slippery.reader = reader;
  thud_verify_result result = thud_test_verify(context, path);
  assert_int_equal(result.verdict, THUD_VERIFY_BAD);
  assert_int_equal(thud_test_check_of(&result, "law")->status, THUD_VERIFY_FAILED);
  assert_non_null(strstr(thud_test_check_of(&result, "law")->detail, "between 'ball-"));
  record_channels_free(&slippery);
  record_channels_free(&rough);
  thud_test_context_end(context);
}

static int make_records(void **state) {
  int made = thud_test_folder_make(state);
  thud_context *context = thud_test_context(1);
  for (int k = 0; k < SCENES && made == 0; k++) record_copy_run(context, scenes[k], record_of(k));
  thud_test_context_end(context);
  return made;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_motion_is_good),
      cmocka_unit_test(every_changed_number_is_found),
      cmocka_unit_test(every_other_change_is_found),
      cmocka_unit_test(some_steps_are_always_whole),
      cmocka_unit_test(nothing_checked_is_not_good),
      cmocka_unit_test(laws_without_numbers_are_not_enough),
      cmocka_unit_test(frames_without_friction_are_found),
  };
  return cmocka_run_group_tests(tests, make_records, thud_test_folder_remove);
}
