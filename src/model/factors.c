#include "model/factors.h"

#include <math.h>

struct model_factors {
  size_t count;
  model_factor *factors; /* [s] */
  const char **reason;   /* [laws] */
  bool framed;
};

/* A disc of more than two components. */
static const char *add_ball(thud_context *context, thud_index n, thud_set_factor *room) {
  if (n > THUD_MOST_SLIPS) return "it has more than six slip components";
  *room = (thud_set_factor){.kind = THUD_FACTOR_CURVED, .n = n, .outline = THUD_NEW(context, thud_outline)};
  if (room->outline == NULL) return thud_outline_no_memory;
  thud_outline_ball((int)n, room->outline);
  return NULL;
}

/* The factors of law k behind those that are there. */
static const char *add_law(thud_context *context, const thud_friction_def *law, thud_set_factor *room, size_t *count) {
  *count = 1;
  if (law->kind == THUD_FRICTION_SET) return thud_set_factorise((thud_set *)law->set, room, count);
  if (law->kind == THUD_FRICTION_FIRM) {
    *count = (size_t)law->directions;
    for (thud_index d = 0; d < law->directions; d++)
      room[d] = (thud_set_factor){
          .kind = THUD_FACTOR_INTERVAL, .first = (int)d, .n = 1, .lower = -INFINITY, .upper = INFINITY};
    return NULL;
  }
  if (law->directions > 2) return add_ball(context, law->directions, room);
  if (law->directions == 1)
    *room = (thud_set_factor){.kind = THUD_FACTOR_INTERVAL, .n = 1, .lower = -1, .upper = 1};
  else
    *room = (thud_set_factor){.kind = THUD_FACTOR_DISC, .n = 2, .radius = 1};
  return NULL;
}

thud_error thud_model_find_factors(thud_system *system) {
  struct model_factors *made = system->factors = THUD_NEW(system->context, struct model_factors);
  thud_set_factor *room = THUD_NEW_ARRAY(system->context, thud_set_factor, system->s);
  thud_error error = made != NULL && room != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  if (error == THUD_OK) {
    made->factors = THUD_NEW_ARRAY(system->context, model_factor, system->s);
    made->reason = THUD_NEW_ARRAY(system->context, const char *, system->laws);
    if (made->factors == NULL || made->reason == NULL) error = THUD_ERROR_MEMORY;
  }
  size_t first = 0;
  for (size_t k = 0; k < system->laws && error == THUD_OK; first += (size_t)system->friction[k].directions, k++) {
    size_t count = 0;
    made->reason[k] = add_law(system->context, &system->friction[k], room, &count);
    if (made->reason[k] == thud_outline_no_memory) error = THUD_ERROR_MEMORY;
    for (size_t f = 0; f < count && made->reason[k] == NULL; f++) {
      made->factors[made->count++] = (model_factor){.set = room[f], .law = k, .first = first + (size_t)room[f].first};
      made->framed = made->framed || room[f].kind == THUD_FACTOR_ELLIPSE;
    }
  }
  thud_free(system->context, room);
  return error;
}

void thud_model_free_factors(thud_system *system) {
  if (system->factors == NULL) return;
  for (size_t f = 0; f < system->factors->count; f++)
    thud_set_factor_free(system->context, &system->factors->factors[f].set);
  thud_free(system->context, system->factors->factors);
  thud_free(system->context, (void *)system->factors->reason);
  thud_free(system->context, system->factors);
}

size_t thud_model_factor_count(const thud_system *system) { return system->factors->count; }

const model_factor *thud_model_factor(const thud_system *system, size_t f) { return &system->factors->factors[f]; }

const char *thud_model_not_factored(const thud_system *system, size_t k) { return system->factors->reason[k]; }

bool thud_model_has_frames(const thud_system *system) { return system->factors->framed; }

/* Rows first and first + 1 become b[0] first + b[1] second and b[2] first + b[3] second. */
static void mix(size_t width, double *rows, const double b[4]) {
  for (size_t i = 0; i < width; i++) {
    double x = rows[i], y = rows[width + i];
    rows[i] = b[0] * x + b[1] * y;
    rows[width + i] = b[2] * x + b[3] * y;
  }
}

void thud_model_rows_into_frames(const thud_system *system, size_t width, double *rows) {
  for (size_t f = 0; f < system->factors->count; f++) {
    const model_factor *factor = &system->factors->factors[f];
    const double *a = factor->set.map;
    if (factor->set.kind == THUD_FACTOR_ELLIPSE)
      mix(width, rows + factor->first * width, (const double[4]){a[0], a[2], a[1], a[3]});
  }
}

void thud_model_rows_out_of_frames(const thud_system *system, size_t width, double *rows) {
  for (size_t f = 0; f < system->factors->count; f++) {
    const model_factor *factor = &system->factors->factors[f];
    const double *a = factor->set.map, det = a[0] * a[3] - a[1] * a[2];
    if (factor->set.kind == THUD_FACTOR_ELLIPSE)
      mix(width, rows + factor->first * width, (const double[4]){a[3] / det, -a[2] / det, -a[1] / det, a[0] / det});
  }
}

void thud_model_forces_into_frames(const thud_system *system, double *forces) {
  for (size_t f = 0; f < system->factors->count; f++) {
    const model_factor *factor = &system->factors->factors[f];
    const double *a = factor->set.map, det = a[0] * a[3] - a[1] * a[2];
    if (factor->set.kind == THUD_FACTOR_ELLIPSE)
      mix(1, forces + factor->first, (const double[4]){a[3] / det, -a[1] / det, -a[2] / det, a[0] / det});
  }
}

void thud_model_forces_out_of_frames(const thud_system *system, double *forces) {
  for (size_t f = 0; f < system->factors->count; f++) {
    const model_factor *factor = &system->factors->factors[f];
    if (factor->set.kind == THUD_FACTOR_ELLIPSE) mix(1, forces + factor->first, factor->set.map);
  }
}
