/* Names that expressions of `draw` may use: t, parameters, definitions, data, and the components of the state that are
 * names (x and x', not u(0.25) or ball.x). */
#include "record/names.h"
#include "run/draw.h"
#include "run/layout.h"
#include "run/run.h"

#include <string.h>

/* Channels of forces: of systems, sweeping processes and elastic bodies in equilibrium, and of friction laws. */
static const char *const reaction_roles[] = {"reaction", "reaction_series", "forces"};

static thud_error find_reactions(const thud_record_layout *layout, thud_arena *arena, draw_names *names) {
  size_t count = layout->count[THUD_RECORD_FRAMES], found = SIZE_MAX;
  const thud_record_channel *channels = layout->channels[THUD_RECORD_FRAMES];
  for (size_t k = 0; k < sizeof reaction_roles / sizeof *reaction_roles && found == SIZE_MAX; k++)
    found = thud_report_find_role(count, channels, reaction_roles[k]);
  const thud_record_channel *channel = found != SIZE_MAX ? &channels[found] : NULL;
  names->reaction_count = channel != NULL ? thud_record_component_count(channel) : 0;
  names->reactions = thud_arena_alloc(arena, names->reaction_count + 1, sizeof *names->reactions);
  if (names->reactions == NULL) return THUD_ERROR_MEMORY;
  if (channel == NULL) return THUD_OK;
  names->reaction = channel->name;
  if (channel->components == NULL && names->reaction_count != 1) names->reaction_count = 0; /* none has a name */
  for (size_t i = 0; i < names->reaction_count; i++)
    names->reactions[i] = channel->components != NULL ? channel->components[i] : channel->name;
  return THUD_OK;
}

/* What moments call the channel of a part. */
static const char *name_part(thud_arena *arena, const thud_record_channel *channels, const run_part *part) {
  enum { ROOM = THUD_RECORD_NAME_LENGTH + 2 };
  const thud_record_channel *channel = &channels[part->channel];
  char *name = part->slope ? thud_arena_alloc(arena, ROOM, 1) : NULL;
  if (name == NULL) return part->slope ? NULL : channel->name;
  thud_record_name_derivative(channel, name);
  return name;
}

/* A component whose name expressions cannot use, or that a parameter has, is left out. */
static thud_error add_component(thud_context *context, draw_names *names, const char *name, thud_index *slot) {
  *slot = -1;
  thud_error error = thud_expr_scope_add_variable(names->scope, name, slot);
  if (error != THUD_ERROR_ARGUMENT) return error;
  thud_run_forget_message(context);
  return THUD_OK;
}

static thud_error add_part(thud_scene *scene, thud_arena *arena, const run_state *state, const run_part *part,
                           draw_names *names) {
  const thud_record_channel *channels = scene->kind->layout(scene->motion)->channels[THUD_RECORD_FRAMES];
  draw_part *made = &names->parts[names->part_count];
  made->name = name_part(arena, channels, part);
  made->width = part->width;
  made->slots = thud_arena_alloc(arena, part->width, sizeof *made->slots);
  if (made->name == NULL || made->slots == NULL) return THUD_ERROR_MEMORY;
  names->part_count++;
  thud_error error = THUD_OK;
  for (size_t i = 0; i < part->width && error == THUD_OK; i++)
    error = add_component(scene->context, names, state->names[part->first + i], &made->slots[i]);
  return error;
}

static thud_error add_state(thud_scene *scene, const thud_record_layout *layout, thud_arena *arena, draw_names *names) {
  run_state state;
  thud_error error = thud_run_state_create(scene->context, layout->count[THUD_RECORD_FRAMES],
                                           layout->channels[THUD_RECORD_FRAMES], &state);
  if (error == THUD_OK) {
    names->parts = thud_arena_alloc(arena, state.part_count, sizeof *names->parts);
    if (names->parts == NULL) error = THUD_ERROR_MEMORY;
  }
  for (size_t p = 0; p < state.part_count && error == THUD_OK; p++)
    error = add_part(scene, arena, &state, &state.parts[p], names);
  thud_run_state_free(scene->context, &state);
  return error;
}

thud_error thud_draw_name(thud_scene *scene, thud_arena *arena, draw_names *names) {
  const thud_record_layout *layout = scene->kind->layout(scene->motion);
  thud_error error = thud_run_check_layout(scene->context, scene->kind, layout);
  if (error == THUD_OK) error = thud_expr_scope_copy(scene->scope, "t", &names->scope);
  if (error == THUD_OK) error = find_reactions(layout, arena, names);
  return error == THUD_OK ? add_state(scene, layout, arena, names) : error;
}

void thud_draw_note_use(draw_names *names, const thud_expr *expr) {
  for (size_t p = 0; expr != NULL && p < names->part_count; p++) {
    draw_part *part = &names->parts[p];
    for (size_t i = 0; i < part->width && !part->used; i++)
      part->used = part->slots[i] >= 0 && thud_expr_depends_on(expr, part->slots[i]);
  }
}
