/* Observes the rows of a motion as they pass: values, conditions, roots of conditions within arcs. */
#include "base/base.h"
#include "run/run_observe.h"
#include "run/run_report.h"

#include <math.h>
#include <string.h>

/* ---- numbers of a row ------------------------------------------------------------------------------------------------ */

/* Coefficient k of a series at its component; beyond its last one 0, of a series without any it is not known. */
static double coefficient(const observe_input *input, const thud_record_cell *cell, size_t k) {
  size_t order = k + (input->slope ? 1 : 0), place = order * input->width + input->component;
  if (cell->count == 0) return NAN;
  double factor = input->slope ? (double)order : 1;
  return place < cell->count ? factor * cell->values[place] : 0;
}

static size_t degree_of(const observe_input *input, const thud_record_cell *cell) {
  size_t terms = input->width > 0 ? cell->count / input->width : 0;
  if (input->slope && terms > 0) terms--;
  return terms > 0 ? terms - 1 : 0;
}

static double step_of(const observe_names *names, const thud_record_cell *cells) {
  return names->step != SIZE_MAX && cells[names->step].count == 1 ? cells[names->step].values[0] : 0;
}

/* The number at s after the time of the row, by Horner's rule; of the row itself where it is no series. An impulse of the first
 * row, which has no step, is no force. */
static double value_of(const observe_names *names, const observe_input *input, const thud_record_cell *cells,
                       double s) {
  const thud_record_cell *cell = &cells[input->channel];
  if (!input->series) {
    double step = input->per_step ? step_of(names, cells) : 1;
    double value = input->component < cell->count ? cell->values[input->component] : (double)NAN;
    return step > 0 ? value / step : 0;
  }
  double sum = coefficient(input, cell, degree_of(input, cell));
  for (size_t k = degree_of(input, cell); k-- > 0;) sum = sum * s + coefficient(input, cell, k);
  return sum;
}

static void set_variables(scene_observe *o, double t, double s, const thud_record_cell *cells) {
  o->variables[0] = t + s;
  for (size_t k = 0; k < o->names.count; k++)
    o->variables[o->names.inputs[k].slot] = value_of(&o->names, &o->names.inputs[k], cells, s);
  for (size_t k = 0; k < o->count; k++) {
    const observe_entry *entry = &o->entries[k];
    for (size_t i = 0; entry->slot != SIZE_MAX && i < entry->width; i++)
      o->variables[entry->slot + i] = o->values[entry->value + i];
  }
}

static void evaluate(scene_observe *o, double t, double s, const thud_record_cell *cells) {
  if (o->program == NULL) return;
  set_variables(o, t, s, cells);
  thud_expr_work_evaluate(o->work, o->variables, o->outputs);
}

/* ---- conditions ---------------------------------------------------------------------------------------------------------- */

static observe_memory *memory_of(scene_observe *o, size_t condition) { return &o->memory[o->count + condition]; }

static bool holds(const observe_condition *condition, const observe_memory *memory, double value) {
  if (isnan(value)) return false;
  return condition->crosses ? memory->sign * value <= 0 && memory->sign != 0 : value != 0;
}

/* The first sign is what others are compared with. */
static bool look(scene_observe *o, size_t k, double t) {
  const observe_condition *condition = &o->conditions[k];
  observe_memory *memory = memory_of(o, k);
  double value = o->outputs[condition->output];
  if (condition->after != SIZE_MAX && !(memory_of(o, condition->after)->time < t)) return false;
  if (memory->sign == 0 && value != 0) memory->sign = value > 0 ? 1 : value < 0 ? -1 : 0;
  if (!isnan(memory->time) || !holds(condition, memory, value)) return false;
  memory->time = t;
  return true;
}

double thud_observe_until(const scene_observe *observe) {
  return observe != NULL && observe->until != SIZE_MAX ? observe->memory[observe->count + observe->until].time
                                                       : (double)NAN;
}

/* ---- what is seen at a row ----------------------------------------------------------------------------------------------- */

static bool same_pair(const observe_entry *entry, double a, double b) {
  return a == (double)entry->labels[0] && b == (double)entry->labels[1];
}

static size_t channel_named(const scene_observe *o, const char *name) {
  return name != NULL ? thud_report_find_name(o->names.layout->count[THUD_RECORD_FRAMES],
                                              o->names.layout->channels[THUD_RECORD_FRAMES], name)
                      : SIZE_MAX;
}

/* The sum of the impulses of the step that second gives to first, over its length. */
static void add_contact_forces(scene_observe *o, const observe_entry *entry, const thud_record_cell *cells) {
  const thud_kind_contacts *contacts = o->names.contacts;
  const thud_record_cell *a = &cells[channel_named(o, contacts->first)],
                         *b = &cells[channel_named(o, contacts->second)];
  const thud_record_cell *impulse = &cells[channel_named(o, contacts->impulse)];
  double step = step_of(&o->names, cells), *force = o->values + entry->value;
  size_t d = entry->width;
  for (size_t i = 0; i < d; i++) force[i] = 0;
  for (size_t k = 0; step > 0 && k < a->count && k < b->count && (k + 1) * d <= impulse->count; k++) {
    double sign = same_pair(entry, a->values[k], b->values[k])   ? 1
                  : same_pair(entry, b->values[k], a->values[k]) ? -1
                                                                 : 0;
    for (size_t i = 0; sign != 0 && i < d; i++) force[i] += sign * impulse->values[k * d + i] / step;
  }
}

/* A constraint that is closed at the row. */
static bool note_acting(scene_observe *o, size_t k, double t, const thud_record_cell *cells) {
  const observe_entry *entry = &o->entries[k];
  size_t channel = channel_named(o, o->names.contacts->acting);
  if (channel == SIZE_MAX || !isnan(o->memory[k].time)) return false;
  const thud_record_cell *cell = &cells[channel];
  if (entry->labels[0] >= cell->count || cell->values[entry->labels[0]] == 0) return false;
  o->memory[k].time = t;
  return true;
}

void thud_observe_event(scene_observe *o, double t, const thud_record_cell *cells) {
  const thud_kind_contacts *contacts = o != NULL ? o->names.contacts : NULL;
  if (contacts == NULL) return;
  const thud_record_layout *layout = o->names.layout;
  size_t owners =
      thud_report_find_name(layout->count[THUD_RECORD_EVENTS], layout->channels[THUD_RECORD_EVENTS], contacts->events);
  double kind = cells[1].count == 1 ? cells[1].values[0] : -1;
  if (owners == SIZE_MAX || !(kind >= 0 && kind < 64) || !(contacts->kinds >> (unsigned)kind & 1)) return;
  for (size_t k = 0; k < o->count; k++) {
    const observe_entry *entry = &o->entries[k];
    size_t named = 0;
    for (size_t i = 0; entry->form == OBSERVE_CONTACT && i < contacts->names; i++)
      for (size_t j = 0; j < cells[owners].count; j++) named += cells[owners].values[j] == (double)entry->labels[i];
    if (entry->form == OBSERVE_CONTACT && named >= contacts->names && isnan(o->memory[k].time)) o->memory[k].time = t;
  }
}

static bool see(scene_observe *o, double t, const thud_record_cell *cells) {
  bool news = false;
  for (size_t k = 0; k < o->count; k++) {
    const observe_entry *entry = &o->entries[k];
    if (entry->form == OBSERVE_CONTACT_FORCE) add_contact_forces(o, entry, cells);
    if (entry->form == OBSERVE_CONTACT) {
      news = note_acting(o, k, t, cells) || news;
      news = news || o->memory[k].time == t;
      o->values[entry->value] = o->memory[k].time;
    }
    if (entry->form == OBSERVE_FIRST) o->values[entry->value] = memory_of(o, entry->condition)->time;
  }
  return news;
}

static void take_values(scene_observe *o) {
  for (size_t k = 0; k < o->count; k++) {
    const observe_entry *entry = &o->entries[k];
    if (entry->form == OBSERVE_VALUE) o->values[entry->value] = o->outputs[entry->output];
    if (entry->form == OBSERVE_FIRST) o->values[entry->value] = memory_of(o, entry->condition)->time;
  }
}

/* ---- arcs ------------------------------------------------------------------------------------------------------------------ */

/* The series of the outputs on the arc, as far as all numbers that are used have coefficients. */
static size_t make_series(scene_observe *o, double t, const thud_record_cell *cells) {
  size_t degree = (size_t)o->most_degree;
  for (size_t k = 0; k < o->names.count; k++) {
    size_t known = degree_of(&o->names.inputs[k], &cells[o->names.inputs[k].channel]);
    if (known < degree) degree = known;
  }
  for (size_t order = 0; order <= degree; order++) {
    set_variables(o, t, 0, cells);
    for (size_t k = 0; k < o->names.count; k++)
      o->variables[o->names.inputs[k].slot] =
          coefficient(&o->names.inputs[k], &cells[o->names.inputs[k].channel], order);
    if (order > 0) o->variables[0] = order == 1 ? 1 : 0;
    for (size_t k = 0; order > 0 && k < o->count; k++) /* times that are known are constants */
      for (size_t i = 0; o->entries[k].slot != SIZE_MAX && i < o->entries[k].width; i++)
        o->variables[o->entries[k].slot + i] = 0;
    if (thud_expr_work_jet(o->work, (int)order, o->variables, o->outputs) != THUD_OK) return order;
    for (size_t i = 0; i < o->output_count; i++)
      o->coefficients[i * ((size_t)o->most_degree + 1) + order] = o->outputs[i];
  }
  return degree + 1;
}

/* An expression that switches on the arc (abs, min, a comparison) goes on along another branch than its series: beside its values
 * the series must be right to this part. */
static const double SAME_SERIES = 1e-9;

static double sum_series(const double *coefficients, size_t terms, double s) {
  double sum = 0;
  for (size_t k = terms; k-- > 0;) sum = sum * s + coefficients[k];
  return sum;
}

/* Leaves no coefficients of what switches; counted in its memory. */
static void drop_wrong_series(scene_observe *o, double t, const thud_record_cell *cells, size_t terms) {
  enum { PLACES = 8 };
  size_t end = thud_report_find_role(o->names.layout->count[THUD_RECORD_FRAMES],
                                     o->names.layout->channels[THUD_RECORD_FRAMES], "end");
  double length = end != SIZE_MAX && cells[end].count == 1 ? cells[end].values[0] - t : 0;
  for (size_t k = 0; k < o->count; k++) o->entries[k].terms = terms;
  for (size_t i = 1; length > 0 && i <= PLACES; i++) {
    double s = length * (double)i / PLACES;
    evaluate(o, t, s, cells);
    for (size_t k = 0; k < o->count; k++) {
      observe_entry *entry = &o->entries[k];
      if (entry->form != OBSERVE_VALUE || entry->terms == 0) continue;
      const double *series = o->coefficients + entry->output * ((size_t)o->most_degree + 1);
      double value = o->outputs[entry->output], size = fabs(value) + fabs(series[0]);
      if (fabs(sum_series(series, terms, s) - value) <= SAME_SERIES * size) continue;
      entry->terms = 0;
      o->memory[k].fired++;
    }
  }
}

static void set_cells(scene_observe *o, double t, const thud_record_cell *cells) {
  size_t terms = o->names.series && o->program != NULL ? make_series(o, t, cells) : 0;
  drop_wrong_series(o, t, cells, terms);
  memcpy(o->cells, cells, o->first_channel * sizeof *cells);
  for (size_t k = 0; k < o->count; k++) {
    const observe_entry *entry = &o->entries[k];
    bool series = o->names.series && entry->form == OBSERVE_VALUE;
    const double *from =
        series ? o->coefficients + entry->output * ((size_t)o->most_degree + 1) : o->values + entry->value;
    o->cells[entry->channel] = (thud_record_cell){.values = from, .count = series ? entry->terms : entry->width};
  }
}

/* ---- rows ------------------------------------------------------------------------------------------------------------------ */

void thud_observe_set_breaks(scene_observe *o) {
  for (size_t k = 0; k < o->condition_count; k++) {
    const observe_condition *condition = &o->conditions[k];
    const observe_memory *memory = memory_of(o, k);
    if (condition->data == SIZE_MAX) continue;
    o->scene->data[condition->data].breaks[condition->piece] = memory->fired != 0 ? memory->time : (double)INFINITY;
  }
}

void thud_observe_begin(scene_observe *o) {
  for (size_t k = 0; k < o->count + o->condition_count; k++) o->memory[k] = (observe_memory){.time = NAN};
  thud_observe_set_breaks(o);
}

const thud_record_cell *thud_observe_row(scene_observe *o, double t, bool again, const thud_record_cell *cells,
                                         bool *news) {
  *news = !again && see(o, t, cells);
  if (again) (void)see(o, t, cells);
  evaluate(o, t, 0, cells);
  for (size_t k = 0; k < o->condition_count && !again; k++) *news = look(o, k, t) || *news;
  take_values(o);
  set_cells(o, t, cells);
  return o->cells;
}

static bool holds_at(scene_observe *o, double t, double s, const thud_record_cell *cells) {
  evaluate(o, t, s, cells);
  return holds(&o->conditions[o->until], memory_of(o, o->until), o->outputs[o->conditions[o->until].output]);
}

/* In equal parts, then by bisection to neighbouring numbers. A condition that holds for less than such a part is not seen. */
enum { PARTS = 64 };

double thud_observe_root(scene_observe *o, double t, double end, const thud_record_cell *cells) {
  if (o->until == SIZE_MAX) return NAN;
  observe_memory *memory = memory_of(o, o->until), kept = *memory;
  evaluate(o, t, 0, cells);
  double first = o->outputs[o->conditions[o->until].output], root = NAN;
  if (memory->sign == 0 && first != 0) memory->sign = first > 0 ? 1 : first < 0 ? -1 : 0;
  if (holds(&o->conditions[o->until], memory, first)) root = t;
  for (int k = 1; k <= PARTS && isnan(root); k++) {
    double low = t + (end - t) * (k - 1) / PARTS, high = k == PARTS ? end : t + (end - t) * k / PARTS;
    if (!holds_at(o, t, high - t, cells)) continue;
    for (double middle = low + (high - low) / 2; middle > low && middle < high; middle = low + (high - low) / 2) {
      if (holds_at(o, t, middle - t, cells))
        high = middle;
      else
        low = middle;
    }
    root = high;
  }
  *memory = kept;
  return root;
}

size_t thud_observe_due(scene_observe *o, double t) {
  for (size_t k = 0; o != NULL && k < o->condition_count; k++) {
    observe_memory *memory = memory_of(o, k);
    bool acts = o->conditions[k].entry != SIZE_MAX || o->conditions[k].data != SIZE_MAX;
    if (!acts || memory->time != t || memory->fired != 0) continue;
    memory->fired = 1;
    if (o->conditions[k].data != SIZE_MAX) {
      o->scene->data[o->conditions[k].data].breaks[o->conditions[k].piece] = t;
      continue;
    }
    return o->conditions[k].entry;
  }
  return SIZE_MAX;
}

size_t thud_observe_switched(const scene_observe *o, size_t k) {
  return o->entries[k].form == OBSERVE_VALUE ? (size_t)o->memory[k].fired : 0;
}

size_t thud_observe_memory_size(const scene_observe *o) {
  return o != NULL ? (o->count + o->condition_count) * sizeof *o->memory : 0;
}

bool thud_observe_takes(const scene_observe *o, const void *given) {
  const double most = 1e15; /* arcs that are counted */
  for (size_t k = 0; k < o->count + o->condition_count; k++) {
    observe_memory memory;
    memcpy(&memory, (const char *)given + k * sizeof memory, sizeof memory);
    bool sign = memory.sign == 0 || memory.sign == 1 || memory.sign == -1;
    if (!sign || isinf(memory.time) || !(memory.fired >= 0 && memory.fired <= most)) return false;
  }
  return true;
}
