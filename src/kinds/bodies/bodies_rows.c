/* Rows of a motion of rigid bodies: one per node; events of contacts and of sleep, and changes by a program.
 *
 * A row is whole when it has everything of the step that ended with it, so that the step can be made again: velocities
 * before the impulses, contacts, and what lifted bodies off each other.
 *
 * Beside every options.whole_every-th row of the record some steps are always recorded, and whole, whatever the options thin
 * out: the laws of contact can only be checked of these. They are
 *   - the first steps with contacts and the first ones with impacts, FIRST_SHOWN of each, and the step after the first one
 *     of each, which begins where a recorded row ends;
 *   - the first step, which begins where the first row is;
 *   - in each quarter of the steps from 2^j to 2^(j+1), j = 2, 3, ..., the first step with an impact, and the last step of the
 *     part when no whole row of the part has contacts and this one has, or when the part has no whole row at all. Parts do
 *     not depend on the end, so that a run that is extended has the rows of one that was that long from the start.
 * Those of the parts are left out where all that is recorded for this rule alone would be more than SHOWN_SHARE of the
 * numbers of the record so far. The rule looks at the motion and at what was recorded, nothing else; its memory is part of checkpoints. */
#include "base/base.h"
#include "model/joint.h"
#include "record/rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
  T,
  STEP,
  WHOLE,
  POSITION,
  ROTATION, /* planar: angle */
  VELOCITY,
  SPIN,
  VELOCITY_LEFT,
  SPIN_LEFT,
  LIFT_BODY,
  LIFT,
  TURN,
  CONTACT_A,
  CONTACT_B,
  CONTACT_PART_A,
  CONTACT_PART_B,
  CONTACT_POINT,
  CONTACT_NORMAL,
  CONTACT_GAP,
  CONTACT_IMPULSE,
  CONTACT_MOMENT,
  CONTACT_LAW,
  CONTACT_TANGENT,
  CONTACT_TIME,
  ASLEEP,
  ABSENT,
  RESIDUAL,
  USUAL_RESIDUAL,
  WORST_A,
  WORST_B,
  PENETRATION,
  PENETRATION_A,
  PENETRATION_B,
  ISLANDS,
  LEDGER,
  JOINT_FORCE, /* this one and the following only where there are joints */
  JOINT_MOMENT,
  JOINT_GAP,
  JOINT_ANSWER_FORCE,
  JOINT_ANSWER_MOMENT,
  COORDINATE_CHANNELS, /* of thud_body_coordinate; only where joints have laws */
  FUNCTION_VALUES =
      COORDINATE_CHANNELS + 6, /* only where functions of a program move bodies; where channels in front of it
                                                are missing, in place of the first of them */
  CHANNELS
};
enum { EVENT_T, EVENT_KIND, EVENT_BODIES, EVENT_POINT, EVENT_APPROACH, EVENT_IMPULSE, EVENT_VALUES, EVENT_CHANNELS };
/* Kinds of events of contacts and sleep are those of thud_body_event_kind, behind them those of thud_body_change_kind. */
enum { CONTACT_EVENTS = 5, MOST_VALUES = 13 };
/* A contact has 4 numbers of bodies and parts, a gap, a time, a law, and 5 vectors. Up to STATE_BODIES bodies are the state that
 * reports and samples show. */
enum {
  LEDGER_ENTRIES = 9,
  LAW = 6,
  PER_CONTACT = 4 + 2 + LAW + 5 * 3,
  PER_BODY = 15,
  PER_JOINT = 12,
  STATE_BODIES = 200
};

enum { FIRST_SHOWN = 2 };
static const double SHOWN_SHARE = 0.2;
/* rows->memory: numbers recorded so far, and those for the rule above alone; the part of the run and what it has shown; how
 * many steps with contacts and with impacts are whole; the step after this one is to be whole; the step has an impact. */
enum {
  NUMBERS,
  NUMBERS_SHOWN,
  WINDOW,
  WINDOW_WHOLE,
  WINDOW_CONTACTS,
  WINDOW_IMPACT,
  CONTACTS_SHOWN,
  IMPACTS_SHOWN,
  FOLLOW,
  STRUCK,
  REMEMBERED
};

struct rows_work {
  thud_bodies_view view;
  bool spanned; /* the start is known; otherwise the rule is off */
  double start; /* of the run */
  bool thinned; /* the record may leave rows out */
  thud_body_row_options options;
  size_t n, d, s, q; /* bodies; numbers of a vector, of a spin, of a rotation */
  size_t joints, coordinates;
  size_t *coordinate_at; /* [coordinates] places of thud_body_frame.joint_coordinates */
  double *coordinate;    /* [6*coordinates] */
  int told_channel;
  size_t handed_out; /* rows, where the sink does not count them */
  double *position, *rotation, *velocity, *spin, *joint_force, *joint_moment;
  double ledger[LEDGER_ENTRIES];
  double whole, worst[2], deepest[2], islands;
  size_t told;               /* numbers of functions */
  const double *told_values; /* [told] */
  double *numbers;           /* [capacity] lists of the row in the making, `used` so far */
  size_t used, capacity;
  double kind, struck[2], point[3], values[MOST_VALUES];
};

/* ---- names and units --------------------------------------------------------------------------------------------- */

thud_body_units thud_body_units_make(const char *length, const char *mass, const char *time) {
  thud_body_units units;
  memset(&units, 0, sizeof units);
  THUD_REQUIRE_OR(units, length, mass, time);
  bool si = strcmp(length, "m") == 0 && strcmp(mass, "kg") == 0 && strcmp(time, "s") == 0;
  const size_t room = sizeof units.length;
  snprintf(units.length, room, "%s", length);
  snprintf(units.mass, room, "%s", mass);
  snprintf(units.time, room, "%s", time);
  snprintf(units.velocity, room, "%s/%s", length, time);
  snprintf(units.spin, room, "rad/%s", time);
  snprintf(units.impulse, room, "%s %s/%s", mass, length, time);
  snprintf(units.moment, room, "%s %s^2/%s", mass, length, time);
  snprintf(units.energy, room, "%s %s^2/%s^2", mass, length, time);
  if (!si) return units;
  snprintf(units.impulse, room, "N s");
  snprintf(units.moment, room, "N m s");
  snprintf(units.energy, room, "J");
  return units;
}

thud_body_row_options thud_body_row_options_default(void) {
  thud_body_row_options options = {.units = thud_body_units_make("m", "kg", "s"), .contacts = true, .whole_every = 1};
  return options;
}

/* "ball.x", "ball.y", ... of every body, or joint; NULL: no memory. */
static const char *const *name_parts(thud_rows *rows, size_t count, bool of_joints, size_t each,
                                     const char *const *suffixes) {
  const thud_bodies_view *view = &rows->work->view;
  const char **names = thud_arena_alloc(rows->arena, each * count + 1, sizeof *names);
  for (size_t i = 0; i < count && names != NULL; i++)
    for (size_t k = 0; k < each; k++) {
      const char *whole = of_joints ? view->joints[i].name : view->name[i];
      size_t room = strlen(whole) + strlen(suffixes[k]) + 2;
      char *name = thud_arena_alloc(rows->arena, room, 1);
      if (name == NULL) return NULL;
      snprintf(name, room, "%s.%s", whole, suffixes[k]);
      names[i * each + k] = name;
    }
  return names;
}

static const char *const *name_components(thud_rows *rows, size_t each, const char *const *suffixes) {
  return name_parts(rows, rows->work->n, false, each, suffixes);
}

/* ---- channels ---------------------------------------------------------------------------------------------------- */

static const char *const place_names[] = {"x", "y", "z"}, *const velocity_names[] = {"vx", "vy", "vz"};
static const char *const rotation_names[] = {"qw", "qx", "qy", "qz"}, *const angle_name[] = {"angle"};
static const char *const spin_names[] = {"wx", "wy", "wz"}, *const rate_name[] = {"w"};
static const char *const ledger_names[LEDGER_ENTRIES] = {
    "kinetic", "potential", "work", "kinematic_work", "impact_loss", "friction_loss", "contact_loss", "lift", "defect"};
static const char *const law_names[LAW] = {"mu", "mu_across", "e", "rolling", "spinning", "e_factor"};

/* A list of groups of numbers, one for every contact, or for every body that was lifted. */
static rows_channel groups(const char *name, const char *at, size_t group, const char *const *components,
                           const char *unit, const char *description) {
  rows_channel list = thud_rows_list(name, name, REAL, true, 0, NULL, at, description);
  list.channel.group = group;
  list.channel.components = components;
  list.channel.unit = unit;
  return list;
}

static rows_channel bodies_list(const struct rows_work *work, const char *name, const char *at,
                                const char *description) {
  return thud_rows_list(name, name, INDEX, true, work->n, work->view.name, at, description);
}

static rows_channel one_body(const struct rows_work *work, const char *name, const char *description) {
  rows_channel channel = thud_rows_fixed(name, name, INDEX, 1, NULL, "", POINT, description);
  channel.channel.label_count = work->n;
  channel.channel.labels = work->view.name;
  return channel;
}

static void describe_state(thud_rows *rows, rows_channel *frames) {
  struct rows_work *work = rows->work;
  const thud_body_units *units = &work->options.units;
  bool planar = work->view.planar;
  size_t n = work->n;
  frames[POSITION] =
      thud_rows_fixed("position", "position", REAL, work->d * n, name_components(rows, work->d, place_names),
                      units->length, LINE, "centres of mass");
  frames[ROTATION] =
      planar ? thud_rows_fixed("angle", "rotation", REAL, n, name_components(rows, 1, angle_name), "rad", LINE,
                               "angles of the bodies' frames")
             : thud_rows_fixed("rotation", "rotation", REAL, 4 * n, name_components(rows, 4, rotation_names), "", LINE,
                               "unit quaternions w x y z of the bodies' frames");
  frames[VELOCITY] =
      thud_rows_fixed("velocity", "velocity", REAL, work->d * n, name_components(rows, work->d, velocity_names),
                      units->velocity, LINE, "of the centres of mass, after the step");
  frames[SPIN] = thud_rows_fixed("spin", "spin", REAL, work->s * n,
                                 name_components(rows, work->s, planar ? rate_name : spin_names), units->spin, LINE,
                                 "angular velocities, after the step");
  for (int k = POSITION; k <= SPIN; k++) frames[k].channel.state = n <= STATE_BODIES;
}

static void describe_step(const struct rows_work *work, rows_channel *frames) {
  const thud_body_units *units = &work->options.units;
  const char *const *spins = work->s == 1 ? rate_name : spin_names;
  frames[VELOCITY_LEFT] = groups("velocity_left", NULL, work->d, velocity_names, units->velocity,
                                 "of every body, before the step; whole rows");
  frames[SPIN_LEFT] =
      groups("spin_left", NULL, work->s, spins, units->spin, "of every body, before the step; whole rows");
  frames[LIFT_BODY] = bodies_list(work, "lift_body", NULL, "bodies that were moved apart after the step; whole rows");
  frames[LIFT] = groups("lift", "lift_body", work->d, place_names, units->length, "by which they were moved");
  frames[TURN] = groups("turn", "lift_body", work->s, spins, "rad", "rotation vectors by which they were turned");
  frames[ASLEEP] = bodies_list(work, "asleep", NULL, "bodies that sleep");
  frames[ABSENT] = bodies_list(work, "absent", NULL, "bodies that are not there: not added yet, or removed");
}

static void describe_contacts(const struct rows_work *work, rows_channel *frames) {
  static const char *const at = "contact_a";
  const thud_body_units *units = &work->options.units;
  size_t d = work->d;
  frames[CONTACT_A] = bodies_list(work, at, NULL, "first body of every contact of the step");
  frames[CONTACT_B] = bodies_list(work, "contact_b", at, "second body");
  frames[CONTACT_PART_A] =
      thud_rows_list("contact_part_a", "contact_part_a", INDEX, true, 0, NULL, at, "part of the first body, from 0");
  frames[CONTACT_PART_B] =
      thud_rows_list("contact_part_b", "contact_part_b", INDEX, true, 0, NULL, at, "part of the second body, from 0");
  frames[CONTACT_POINT] =
      groups("contact_point", at, d, place_names, units->length, "halfway between the shapes, at the time of contact");
  frames[CONTACT_NORMAL] = groups("contact_normal", at, d, place_names, "", "unit vector from b to a");
  frames[CONTACT_GAP] = groups("contact_gap", at, 1, NULL, units->length, "at the time of contact");
  frames[CONTACT_IMPULSE] = groups("contact_impulse", at, d, place_names, units->impulse, "of the step, on a, world");
  frames[CONTACT_MOMENT] = groups("contact_moment", at, work->s, work->s == 1 ? NULL : place_names, units->moment,
                                  "of rolling and spinning friction, on a, world; empty where there is none");
  frames[CONTACT_LAW] = groups("contact_law", at, LAW, law_names, "",
                               "friction along and across, restitution, lengths of rolling and spinning friction, "
                               "factor on restitution of the island");
  frames[CONTACT_TANGENT] =
      groups("contact_tangent", at, d, place_names, "", "direction of friction `along`; empty where friction has none");
  frames[CONTACT_TIME] = groups("contact_time", at, 1, NULL, units->time,
                                "of contact after the midpoint of the step; empty where all act at the midpoint");
}

/* Units of forces and their moments: per time what those of impulses are. */
static const char *unit_of_rate(thud_rows *rows, const char *impulse, const char *si, const char *si_rate) {
  if (strcmp(impulse, si) == 0) return si_rate;
  const thud_body_units *units = &rows->work->options.units;
  size_t room = strlen(impulse) + strlen(units->time) + 8;
  char *unit = thud_arena_alloc(rows->arena, room, 1);
  if (unit != NULL) snprintf(unit, room, "%s/%s", impulse, units->time);
  return unit;
}

static thud_error describe_joints(thud_rows *rows, rows_channel *frames) {
  static const char *const force_names[] = {"Fx", "Fy", "Fz"}, *const moment_names[] = {"Mx", "My", "Mz"};
  static const char *const planar_moment[] = {"M"};
  struct rows_work *work = rows->work;
  const char *force = unit_of_rate(rows, work->options.units.impulse, "N s", "N");
  const char *moment = unit_of_rate(rows, work->options.units.moment, "N m s", "N m");
  const char *const *suffixes = work->s == 1 ? planar_moment : moment_names;
  const char *const *forces = name_parts(rows, work->joints, true, work->d, force_names);
  const char *const *moments = name_parts(rows, work->joints, true, work->s, suffixes);
  if (force == NULL || moment == NULL || forces == NULL || moments == NULL) return THUD_ERROR_MEMORY;
  frames[JOINT_FORCE] = thud_rows_fixed("joint_force", "joint_force", REAL, work->d * work->joints, forces, force, LINE,
                                        "of joints on their bodies a, mean over the step");
  frames[JOINT_MOMENT] = thud_rows_fixed("joint_moment", "joint_moment", REAL, work->s * work->joints, moments, moment,
                                         LINE, "likewise, about the joint's point of body b");
  frames[JOINT_GAP] = thud_rows_fixed("joint_gap", "joint_gap", REAL, 1, NULL, work->options.units.length, LINE,
                                      "largest distance that joints leave where they allow none");
  frames[JOINT_ANSWER_FORCE] =
      groups("joint_answer_force", NULL, work->d, force_names, force,
             "of every joint, the part that answers to contacts and laws of joints; whole rows with "
             "either");
  frames[JOINT_ANSWER_MOMENT] = groups("joint_answer_moment", NULL, work->s, suffixes, moment, "likewise");
  return THUD_OK;
}

/* A unit that all coordinates share, with `suffix`; "": they have none in common. */
static const char *unit_of_coordinates(thud_rows *rows, const char *of_angles, const char *of_lengths) {
  const struct rows_work *work = rows->work;
  size_t angles = 0;
  for (size_t k = 0; k < work->coordinates; k++) {
    const thud_joint *joint = &work->view.joints[work->coordinate_at[k] / THUD_JOINT_LAWS];
    int c = (int)(work->coordinate_at[k] % THUD_JOINT_LAWS);
    angles += thud_coordinate_is_angle(thud_joint_free(joint->kind, work->view.planar, c));
  }
  return angles == work->coordinates ? of_angles : angles == 0 ? of_lengths : "";
}

static thud_error describe_coordinates(thud_rows *rows, rows_channel *frames) {
  struct rows_work *work = rows->work;
  const thud_body_units *units = &work->options.units;
  size_t n = work->coordinates;
  const char *force = unit_of_rate(rows, units->impulse, "N s", "N");
  const char *moment = unit_of_rate(rows, units->moment, "N m s", "N m");
  const char **names = thud_arena_alloc(rows->arena, n + 1, sizeof *names);
  if (force == NULL || moment == NULL || names == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < n; k++) {
    const thud_joint *joint = &work->view.joints[work->coordinate_at[k] / THUD_JOINT_LAWS];
    const char *section = thud_joint_class_of(joint->kind)->sections[work->coordinate_at[k] % THUD_JOINT_LAWS];
    size_t room = strlen(joint->name) + (section != NULL ? strlen(section) : 0) + 2;
    char *name = thud_arena_alloc(rows->arena, room, 1);
    if (name == NULL) return THUD_ERROR_MEMORY;
    snprintf(name, room, "%s%s%s", joint->name, section != NULL ? "." : "", section != NULL ? section : "");
    names[k] = name;
  }
  const struct {
    const char *role, *unit, *text;
  } channels[] = {
      {"joint_coordinate", unit_of_coordinates(rows, "rad", units->length), "of a beside b, angles with whole turns"},
      {"joint_rate", unit_of_coordinates(rows, units->spin, units->velocity), "of joint_coordinate"},
      {"joint_motor", unit_of_coordinates(rows, moment, force), "force of motors on a, mean over the step"},
      {"joint_friction", unit_of_coordinates(rows, moment, force), "likewise, of dry friction"},
      {"joint_limit", unit_of_coordinates(rows, units->moment, units->impulse), "impulse of limits on a in the step"},
      {"joint_spring", unit_of_coordinates(rows, moment, force),
       "force of springs and dampers on a, mean over the step"}};
  for (size_t k = 0; k < sizeof channels / sizeof *channels; k++)
    frames[(size_t)COORDINATE_CHANNELS + k] =
        thud_rows_fixed(channels[k].role, channels[k].role, REAL, n, names, channels[k].unit, LINE, channels[k].text);
  return THUD_OK;
}

static thud_error describe_frames(thud_rows *rows) {
  struct rows_work *work = rows->work;
  const thud_body_units *units = &work->options.units;
  rows_channel frames[CHANNELS] = {
      [T] = thud_rows_time(rows, "time of the node"),
      [STEP] = thud_rows_fixed("step", "step", REAL, 1, NULL, units->time, POINT, "length of the step that ended here"),
      [WHOLE] = thud_rows_fixed("whole", "whole", SMALL, 1, NULL, "", POINT, "1: the row has the whole step"),
      [RESIDUAL] = thud_rows_fixed("residual", "residual", REAL, 1, NULL, "", LINE, "of the worst island of the step"),
      [USUAL_RESIDUAL] = thud_rows_fixed("usual_residual", "usual_residual", REAL, 1, NULL, "", LINE,
                                         "of the step's contact problem as the field measures it"),
      [WORST_A] = one_body(work, "worst_a", "first body of the contact with the worst residual, -1: none"),
      [WORST_B] = one_body(work, "worst_b", "second body"),
      [PENETRATION] = thud_rows_fixed("penetration", "penetration", REAL, 1, NULL, units->length, LINE,
                                      "deepest overlap after the step"),
      [PENETRATION_A] = one_body(work, "penetration_a", "first body of the deepest overlap, -1: none"),
      [PENETRATION_B] = one_body(work, "penetration_b", "second body"),
      [ISLANDS] = thud_rows_fixed("islands", "islands", INDEX, 1, NULL, "", HOLD, "groups that contacts connect"),
      [LEDGER] = thud_rows_fixed("ledger", "ledger", REAL, LEDGER_ENTRIES, ledger_names, units->energy, LINE,
                                 "where the energy went, since the start")};
  describe_state(rows, frames);
  describe_step(work, frames);
  describe_contacts(work, frames);
  thud_error error = work->joints > 0 ? describe_joints(rows, frames) : THUD_OK;
  if (error == THUD_OK && work->coordinates > 0) error = describe_coordinates(rows, frames);
  if (error != THUD_OK) return error;
  frames[work->told_channel] = thud_rows_list("function_values", "function_values", REAL, true, 0, NULL, NULL,
                                              "what the functions that move bodies gave; whole rows");
  for (int k = POSITION; k <= SPIN; k++)
    if (frames[k].channel.components == NULL) return THUD_ERROR_MEMORY;
  return thud_rows_add(rows, &rows->frames, (size_t)work->told_channel + (work->told > 0), frames, &rows->cell);
}

static thud_error describe_events(thud_rows *rows) {
  static const char *const kinds[CONTACT_EVENTS + THUD_BODY_CHANGES] = {
      "begin",   "end",   "impact",  "sleep",    "wake", "add",    "remove", "state",
      "impulse", "force", "release", "material", "pair", "detach", "attach", "motor"};
  const struct rows_work *work = rows->work;
  const thud_body_units *units = &work->options.units;
  rows_channel events[EVENT_CHANNELS] = {
      [EVENT_T] = thud_rows_time(rows, "time of the node"),
      [EVENT_KIND] = thud_rows_kind(CONTACT_EVENTS + THUD_BODY_CHANGES, kinds),
      [EVENT_BODIES] = thud_rows_list("bodies", "constraints", INDEX, true, work->n, work->view.name, NULL, "which"),
      [EVENT_POINT] =
          thud_rows_fixed("point", "point", REAL, work->d, place_names, units->length, LINE, "where, of an impact"),
      [EVENT_APPROACH] = thud_rows_fixed("approach", "approach", REAL, 1, NULL, units->velocity, LINE,
                                         "normal speed of approach, of an impact"),
      [EVENT_IMPULSE] =
          thud_rows_fixed("impulse", "impulse", REAL, 1, NULL, units->impulse, LINE, "normal impulse, of an impact"),
      [EVENT_VALUES] = thud_rows_list("values", "values", REAL, true, 0, NULL, NULL, "of a change (docs/bodies.md)")};
  for (int k = EVENT_POINT; k <= EVENT_IMPULSE; k++) events[k].channel.optional = true;
  return thud_rows_add(rows, &rows->events, EVENT_CHANNELS, events, &rows->event_cell);
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

static void release(thud_rows *rows) {
  if (rows->work != NULL) thud_free(rows->context, rows->work->numbers);
}

/* Where laws act. */
static thud_error find_coordinates(thud_rows *rows) {
  struct rows_work *work = rows->work;
  work->coordinate_at = thud_arena_alloc(rows->arena, THUD_JOINT_LAWS * work->joints + 1, sizeof *work->coordinate_at);
  work->coordinate = thud_rows_numbers(rows, (size_t)6 * THUD_JOINT_LAWS * work->joints);
  if (work->coordinate_at == NULL || work->coordinate == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < work->joints; k++)
    for (int c = 0; c < work->view.joints[k].law_count; c++)
      work->coordinate_at[work->coordinates++] = k * THUD_JOINT_LAWS + (size_t)c;
  return THUD_OK;
}

static thud_error prepare(thud_rows *rows, thud_bodies *bodies, const thud_body_row_options *options, size_t told,
                          const double *told_values) {
  struct rows_work *work = rows->work = thud_arena_alloc(rows->arena, 1, sizeof *work);
  if (work == NULL) return THUD_ERROR_MEMORY;
  work->told = told;
  work->told_values = told_values;
  rows->release = release;
  thud_error error = thud_bodies_get(bodies, &work->view);
  if (error != THUD_OK) return error;
  bool planar = work->view.planar;
  work->options = *options;
  work->n = (size_t)work->view.count;
  work->d = planar ? 2 : 3;
  work->s = planar ? 1 : 3;
  work->q = planar ? 1 : 4;
  work->joints = (size_t)work->view.joint_count;
  error = find_coordinates(rows);
  if (error != THUD_OK) return error;
  work->told_channel = work->coordinates > 0 ? FUNCTION_VALUES : work->joints > 0 ? COORDINATE_CHANNELS : JOINT_FORCE;
  work->joint_force = thud_rows_numbers(rows, work->d * work->joints);
  work->joint_moment = thud_rows_numbers(rows, work->s * work->joints);
  work->position = thud_rows_numbers(rows, work->d * work->n);
  work->rotation = thud_rows_numbers(rows, work->q * work->n);
  work->velocity = thud_rows_numbers(rows, work->d * work->n);
  work->spin = thud_rows_numbers(rows, work->s * work->n);
  bool made = work->position != NULL && work->rotation != NULL && work->velocity != NULL && work->spin != NULL;
  if (!made || work->joint_force == NULL || work->joint_moment == NULL) return THUD_ERROR_MEMORY;
  error = describe_frames(rows);
  return error == THUD_OK ? describe_events(rows) : error;
}

thud_error thud_rows_create_bodies(thud_context *context, thud_bodies *bodies, const thud_body_row_options *options,
                                   thud_rows **rows) {
  THUD_REQUIRE(context, context, bodies, rows);
  return thud_rows_create_told_bodies(context, bodies, options, 0, NULL, rows);
}

thud_error thud_rows_create_told_bodies(thud_context *context, thud_bodies *bodies,
                                        const thud_body_row_options *options, size_t count, const double *values,
                                        thud_rows **rows) {
  thud_body_row_options chosen = options != NULL ? *options : thud_body_row_options_default();
  const thud_row_names names = {.unit = chosen.units.length, .time_unit = chosen.units.time};
  thud_rows *made = NULL;
  thud_error error = thud_rows_create(context, NULL, 0, &names, REMEMBERED, &made);
  if (error != THUD_OK) return error;
  error = prepare(made, bodies, &chosen, count, values);
  if (error == THUD_OK)
    *rows = made;
  else
    thud_rows_destroy(made);
  return error;
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

/* Vectors of the plane have no z, spins of the plane nothing else. */
static void store_vectors(size_t count, size_t width, const thud_vec3 *from, double *to) {
  for (size_t i = 0; i < count; i++) {
    const double all[3] = {from[i].x, from[i].y, from[i].z};
    memcpy(to + i * width, width == 1 ? &all[2] : all, width * sizeof *all);
  }
}

static void store_rotation(const struct rows_work *work, thud_quat q, double *to) {
  if (work->q == 1) {
    to[0] = 2 * atan2(q.z, q.w);
  } else {
    to[0] = q.w, to[1] = q.x, to[2] = q.y, to[3] = q.z;
  }
}

static void store_rotations(const struct rows_work *work, const thud_pose *poses) {
  for (size_t i = 0; i < work->n; i++) store_rotation(work, poses[i].rotation, work->rotation + i * work->q);
}

static double *take(struct rows_work *work, size_t count) {
  double *at = work->numbers + work->used;
  work->used += count;
  return at;
}

/* A list of vectors as the cell of a channel. */
static void set_vectors(thud_rows *rows, int channel, size_t count, size_t width, const thud_vec3 *from) {
  double *to = take(rows->work, count * width);
  store_vectors(count, width, from, to);
  thud_rows_set(&rows->frames, rows->cell, (size_t)channel, to, count * width);
}

static void set_state(thud_rows *rows, const thud_body_frame *frame) {
  struct rows_work *work = rows->work;
  rows_table *table = &rows->frames;
  size_t n = work->n, d = work->d;
  for (size_t i = 0; i < n; i++) store_vectors(1, d, &frame->pose[i].position, work->position + i * d);
  store_rotations(work, frame->pose);
  store_vectors(n, d, frame->velocity, work->velocity);
  store_vectors(n, work->s, frame->spin, work->spin);
  thud_rows_set(table, rows->cell, POSITION, work->position, d * n);
  thud_rows_set(table, rows->cell, ROTATION, work->rotation, work->q * n);
  thud_rows_set(table, rows->cell, VELOCITY, work->velocity, d * n);
  thud_rows_set(table, rows->cell, SPIN, work->spin, work->s * n);
}

static bool is_moved(const thud_body_frame *frame, size_t i) {
  thud_vec3 lift = frame->lift[i], turn = frame->turn[i];
  return lift.x != 0 || lift.y != 0 || lift.z != 0 || turn.x != 0 || turn.y != 0 || turn.z != 0;
}

static void set_lifts(thud_rows *rows, const thud_body_frame *frame) {
  struct rows_work *work = rows->work;
  double *body = take(work, work->n), *lift = take(work, work->n * work->d), *turn = take(work, work->n * work->s);
  size_t count = 0;
  for (size_t i = 0; i < work->n; i++) {
    if (!is_moved(frame, i)) continue;
    store_vectors(1, work->d, &frame->lift[i], lift + count * work->d);
    store_vectors(1, work->s, &frame->turn[i], turn + count * work->s);
    body[count++] = (double)i;
  }
  thud_rows_set(&rows->frames, rows->cell, LIFT_BODY, body, count);
  thud_rows_set(&rows->frames, rows->cell, LIFT, lift, count * work->d);
  thud_rows_set(&rows->frames, rows->cell, TURN, turn, count * work->s);
}

static void set_asleep(thud_rows *rows, const thud_body_frame *frame) {
  struct rows_work *work = rows->work;
  double *asleep = take(work, work->n);
  size_t count = 0;
  for (size_t i = 0; i < work->n; i++)
    if (frame->asleep != NULL && frame->asleep[i]) asleep[count++] = (double)i;
  thud_rows_set(&rows->frames, rows->cell, ASLEEP, asleep, count);
}

static void set_absent(thud_rows *rows, const thud_body_frame *frame) {
  struct rows_work *work = rows->work;
  double *absent = take(work, work->n);
  size_t count = 0;
  for (size_t i = 0; i < work->n; i++)
    if (frame->absent != NULL && frame->absent[i]) absent[count++] = (double)i;
  thud_rows_set(&rows->frames, rows->cell, ABSENT, absent, count);
}

/* Numbers of bodies, or of parts counted from the first one of their body. */
static void set_owners(thud_rows *rows, int bodies, int parts, size_t count, const thud_index *body,
                       const thud_index *part) {
  struct rows_work *work = rows->work;
  double *owners = take(work, count), *numbers = take(work, count);
  for (size_t k = 0; k < count; k++) {
    owners[k] = body[k];
    numbers[k] = part[k] - work->view.part_start[body[k]];
  }
  thud_rows_set(&rows->frames, rows->cell, (size_t)bodies, owners, count);
  thud_rows_set(&rows->frames, rows->cell, (size_t)parts, numbers, count);
}

static void set_laws(thud_rows *rows, const thud_body_frame *frame) {
  const thud_body_contacts *contacts = frame->contacts;
  struct rows_work *work = rows->work;
  size_t count = (size_t)contacts->count;
  double *laws = take(work, count * LAW), *tangents = take(work, count * work->d);
  bool directed = false;
  for (size_t k = 0; k < count; k++) {
    thud_index island = contacts->island[k];
    bool known = island >= 0 && island < frame->island_count;
    const double law[LAW] = {contacts->mu[k],          contacts->mu_across[k],
                             contacts->restitution[k], contacts->rolling[k],
                             contacts->spinning[k],    known ? frame->islands[island].restitution_factor : 1};
    memcpy(laws + k * LAW, law, sizeof law);
    store_vectors(1, work->d, &contacts->frame[k].cy, tangents + k * work->d);
    directed = directed || contacts->mu[k] != contacts->mu_across[k];
  }
  thud_rows_set(&rows->frames, rows->cell, CONTACT_LAW, laws, count * LAW);
  thud_rows_set(&rows->frames, rows->cell, CONTACT_TANGENT, tangents, directed ? count * work->d : 0);
}

static void set_contacts(thud_rows *rows, const thud_body_frame *frame) {
  const thud_body_contacts *contacts = frame->contacts;
  struct rows_work *work = rows->work;
  size_t count = (size_t)contacts->count, d = work->d;
  double *gap = take(work, count), *time = take(work, count);
  bool timed = false;
  memcpy(gap, contacts->gap, count * sizeof *gap);
  for (size_t k = 0; k < count; k++) {
    time[k] = contacts->ahead != NULL ? contacts->ahead[k] : 0;
    timed = timed || time[k] != 0;
  }
  thud_rows_set(&rows->frames, rows->cell, CONTACT_TIME, time, timed ? count : 0);
  set_owners(rows, CONTACT_A, CONTACT_PART_A, count, contacts->body_a, contacts->part_a);
  set_owners(rows, CONTACT_B, CONTACT_PART_B, count, contacts->body_b, contacts->part_b);
  set_vectors(rows, CONTACT_POINT, count, d, contacts->point);
  set_vectors(rows, CONTACT_NORMAL, count, d, contacts->normal);
  thud_rows_set(&rows->frames, rows->cell, CONTACT_GAP, gap, count);
  set_vectors(rows, CONTACT_IMPULSE, count, d, contacts->force);
  if (contacts->moment != NULL) set_vectors(rows, CONTACT_MOMENT, count, work->s, contacts->moment);
  set_laws(rows, frame);
}

static void set_figures(thud_rows *rows, const thud_body_frame *frame) {
  struct rows_work *work = rows->work;
  rows_table *table = &rows->frames;
  const thud_body_ledger *book = &frame->ledger;
  const double ledger[LEDGER_ENTRIES] = {book->kinetic,        book->potential,   book->work,
                                         book->kinematic_work, book->impact_loss, book->friction_loss,
                                         book->contact_loss,   book->lift,        book->defect};
  memcpy(work->ledger, ledger, sizeof ledger);
  thud_index worst = frame->contacts != NULL ? frame->worst_contact : -1;
  work->worst[0] = worst >= 0 ? frame->contacts->body_a[worst] : -1;
  work->worst[1] = worst >= 0 ? frame->contacts->body_b[worst] : -1;
  work->deepest[0] = frame->penetration_a;
  work->deepest[1] = frame->penetration_b;
  work->islands = frame->island_count;
  thud_rows_set(table, rows->cell, T, &frame->t, 1);
  thud_rows_set(table, rows->cell, STEP, &frame->step, 1);
  thud_rows_set(table, rows->cell, WHOLE, &work->whole, 1);
  thud_rows_set(table, rows->cell, RESIDUAL, &frame->residual, 1);
  thud_rows_set(table, rows->cell, USUAL_RESIDUAL, &frame->usual_residual, 1);
  thud_rows_set(table, rows->cell, WORST_A, &work->worst[0], 1);
  thud_rows_set(table, rows->cell, WORST_B, &work->worst[1], 1);
  thud_rows_set(table, rows->cell, PENETRATION, &frame->penetration, 1);
  thud_rows_set(table, rows->cell, PENETRATION_A, &work->deepest[0], 1);
  thud_rows_set(table, rows->cell, PENETRATION_B, &work->deepest[1], 1);
  thud_rows_set(table, rows->cell, ISLANDS, &work->islands, 1);
  thud_rows_set(table, rows->cell, LEDGER, work->ledger, LEDGER_ENTRIES);
}

static size_t contact_count(const thud_body_frame *frame) {
  return frame->contacts != NULL ? (size_t)frame->contacts->count : 0;
}

thud_error thud_rows_reserve_bodies(thud_rows *rows, const thud_body_frame *frame) {
  struct rows_work *work = rows->work;
  return thud_array_reserve(rows->context, &work->numbers, &work->capacity,
                            contact_count(frame) * PER_CONTACT + work->n * PER_BODY + work->joints * PER_JOINT,
                            sizeof *work->numbers);
}

/* ---- which steps are whole --------------------------------------------------------------------------------------------- */

void thud_rows_bodies_span(thud_rows *rows, double start, bool thinned) {
  rows->work->spanned = true;
  rows->work->start = start;
  rows->work->thinned = thinned;
}

static void set_coordinates(thud_rows *rows, const thud_body_frame *frame) {
  struct rows_work *work = rows->work;
  for (size_t channel = 0; channel < 6; channel++) {
    double *to = work->coordinate + channel * work->coordinates;
    for (size_t k = 0; k < work->coordinates; k++) {
      const thud_body_coordinate *of = &frame->joint_coordinates[work->coordinate_at[k]];
      const double numbers[6] = {of->value, of->rate, of->motor, of->friction, of->limit, of->spring};
      to[k] = numbers[channel];
    }
    thud_rows_set(&rows->frames, rows->cell, (size_t)COORDINATE_CHANNELS + channel, to, work->coordinates);
  }
}

static void set_joints(thud_rows *rows, const thud_body_frame *frame, bool answers) {
  struct rows_work *work = rows->work;
  rows_table *table = &rows->frames;
  store_vectors(work->joints, work->d, frame->joint_force, work->joint_force);
  store_vectors(work->joints, work->s, frame->joint_moment, work->joint_moment);
  thud_rows_set(table, rows->cell, JOINT_FORCE, work->joint_force, work->d * work->joints);
  thud_rows_set(table, rows->cell, JOINT_MOMENT, work->joint_moment, work->s * work->joints);
  thud_rows_set(table, rows->cell, JOINT_GAP, &frame->joint_gap, 1);
  thud_rows_set(table, rows->cell, JOINT_ANSWER_FORCE, NULL, 0);
  thud_rows_set(table, rows->cell, JOINT_ANSWER_MOMENT, NULL, 0);
  if (!answers) return;
  set_vectors(rows, JOINT_ANSWER_FORCE, work->joints, work->d, frame->joint_answer_force);
  set_vectors(rows, JOINT_ANSWER_MOMENT, work->joints, work->s, frame->joint_answer_moment);
}

/* Numbers of a whole row, or of one that is not. */
static double row_size(const struct rows_work *work, size_t contacts, bool whole) {
  double n = (double)work->n, listed = whole || work->options.contacts ? (double)(contacts * PER_CONTACT) : 0;
  return n * (double)(2 * work->d + work->q + work->s) +
         (whole ? n * (double)(work->d + work->s) + (double)work->told : 0) + listed;
}

/* Numbers that a row has because the rule shows it; where rows are left out it might not be there at all. */
static double shown_size(const struct rows_work *work, size_t contacts, bool ordinary) {
  double whole = row_size(work, contacts, true);
  return work->thinned ? whole : ordinary ? 0 : whole - row_size(work, contacts, false);
}

static bool is_affordable(const thud_rows *rows, size_t contacts, bool ordinary) {
  double shown = rows->memory[NUMBERS_SHOWN] + shown_size(rows->work, contacts, ordinary);
  return shown <= SHOWN_SHARE * (rows->memory[NUMBERS] + row_size(rows->work, contacts, true));
}

/* The number of the step that ends with the frame, from 1 on. */
static double step_number(const thud_rows *rows, const thud_body_frame *frame) {
  return round((frame->t - rows->work->start) / frame->step);
}

/* The last step of the part of the run that step n is in. */
static double window_end(double n) {
  if (n < 4) return n;
  double octave = exp2(floor(log2(n))), part = octave / 4;
  return octave + (floor((n - octave) / part) + 1) * part - 1;
}

static void enter_window(thud_rows *rows, const thud_body_frame *frame) {
  double *memory = rows->memory, end = window_end(step_number(rows, frame));
  if (end <= memory[WINDOW]) return;
  memory[WINDOW] = end;
  memory[WINDOW_WHOLE] = memory[WINDOW_CONTACTS] = memory[WINDOW_IMPACT] = 0;
}

/* Must the step be shown, whatever else is recorded? */
static bool is_shown(thud_rows *rows, const thud_body_frame *frame, bool ordinary) {
  const double *memory = rows->memory;
  if (!rows->work->spanned || !(frame->step > 0)) return false;
  enter_window(rows, frame);
  bool touches = contact_count(frame) > 0, struck = memory[STRUCK] != 0;
  double n = step_number(rows, frame);
  if (memory[FOLLOW] != 0 || n <= 1) return true;
  if ((touches && memory[CONTACTS_SHOWN] < FIRST_SHOWN) || (struck && memory[IMPACTS_SHOWN] < FIRST_SHOWN)) return true;
  bool last = memory[WINDOW_CONTACTS] == 0 && (touches || memory[WINDOW_WHOLE] == 0) && n >= memory[WINDOW];
  return (last || (struck && memory[WINDOW_IMPACT] == 0)) && is_affordable(rows, contact_count(frame), ordinary);
}

/* Updates the memory once it is known whether the row was recorded. */
static void remember(thud_rows *rows, const thud_body_frame *frame, bool recorded, bool ordinary, bool shown) {
  double *memory = rows->memory;
  size_t contacts = contact_count(frame);
  bool touches = contacts > 0, struck = memory[STRUCK] != 0, whole = ordinary || shown;
  memory[STRUCK] = memory[FOLLOW] = 0;
  if (!recorded) return;
  memory[NUMBERS] += row_size(rows->work, contacts, whole);
  if (shown) memory[NUMBERS_SHOWN] += shown_size(rows->work, contacts, ordinary);
  if (!whole || !(frame->step > 0)) return;
  memory[FOLLOW] = (touches && memory[CONTACTS_SHOWN] == 0) || (struck && memory[IMPACTS_SHOWN] == 0);
  memory[CONTACTS_SHOWN] += touches;
  memory[IMPACTS_SHOWN] += struck;
  memory[WINDOW_WHOLE] = 1;
  if (touches) memory[WINDOW_CONTACTS] = 1;
  if (struck) memory[WINDOW_IMPACT] = 1;
}

static size_t recorded_rows(const thud_rows *rows) {
  return rows->sink.recorded != NULL ? rows->sink.recorded(rows->sink.user) : rows->work->handed_out;
}

static int emit(thud_rows *rows, const thud_body_frame *frame, unsigned flags) {
  struct rows_work *work = rows->work;
  size_t contacts = contact_count(frame);
  if (thud_rows_reserve_bodies(rows, frame) != THUD_OK) return -1;
  bool again = (flags & THUD_ROW_AGAIN) != 0;
  size_t row = recorded_rows(rows);
  bool ordinary = work->options.whole_every > 0 && row % work->options.whole_every == 0;
  bool shown = !again && is_shown(rows, frame, ordinary), whole = ordinary || shown;
  work->used = 0;
  work->whole = whole;
  for (int k = VELOCITY_LEFT; k <= ABSENT; k++) thud_rows_set(&rows->frames, rows->cell, (size_t)k, NULL, 0);
  set_state(rows, frame);
  set_figures(rows, frame);
  set_asleep(rows, frame);
  set_absent(rows, frame);
  if (whole) {
    set_vectors(rows, VELOCITY_LEFT, work->n, work->d, frame->velocity_left);
    set_vectors(rows, SPIN_LEFT, work->n, work->s, frame->spin_left);
    set_lifts(rows, frame);
  }
  if (work->told > 0)
    thud_rows_set(&rows->frames, rows->cell, (size_t)work->told_channel, work->told_values, whole ? work->told : 0);
  if (work->joints > 0) set_joints(rows, frame, whole && (contacts > 0 || work->coordinates > 0));
  if (work->coordinates > 0) set_coordinates(rows, frame);
  if (contacts > 0 && (whole || work->options.contacts)) set_contacts(rows, frame);
  if (!again) work->handed_out++;
  int answer = thud_rows_emit_frame(rows, frame->t, shown ? flags | THUD_ROW_KEEP : flags);
  if (!again) remember(rows, frame, recorded_rows(rows) > row, ordinary, shown);
  return answer;
}

int thud_rows_body_step(void *user, const void *frame) {
  THUD_REQUIRE_OR(-1, user, frame);
  return emit(user, frame, 0);
}

int thud_rows_end_body_step(thud_rows *rows, const thud_body_frame *present) {
  THUD_REQUIRE_OR(-1, rows, present);
  return emit(rows, present, THUD_ROW_AGAIN);
}

int thud_rows_body_event(void *user, const void *given) {
  THUD_REQUIRE_OR(-1, user, given);
  thud_rows *rows = user;
  const thud_body_event *event = given;
  struct rows_work *work = rows->work;
  rows_table *table = &rows->events;
  const size_t *cell = rows->event_cell;
  bool impact = event->kind == THUD_BODY_EVENT_IMPACT;
  const double unknown = NAN, *approach = impact ? &event->approach : &unknown,
               *impulse = impact ? &event->impulse : &unknown;
  const thud_vec3 nowhere = {NAN, NAN, NAN};
  if (impact) rows->memory[STRUCK] = 1;
  work->kind = event->kind;
  work->struck[0] = event->body_a;
  work->struck[1] = event->body_b;
  store_vectors(1, work->d, impact ? &event->point : &nowhere, work->point);
  thud_rows_set(table, cell, EVENT_T, &event->t, 1);
  thud_rows_set(table, cell, EVENT_KIND, &work->kind, 1);
  thud_rows_set(table, cell, EVENT_BODIES, work->struck, event->body_b >= 0 ? 2 : 1);
  thud_rows_set(table, cell, EVENT_POINT, work->point, work->d);
  thud_rows_set(table, cell, EVENT_APPROACH, approach, 1);
  thud_rows_set(table, cell, EVENT_IMPULSE, impulse, 1);
  thud_rows_set(table, cell, EVENT_VALUES, NULL, 0);
  return thud_rows_emit_event(rows, event->t);
}

/* ---- changes ----------------------------------------------------------------------------------------------------- */

/* Writes the numbers of the change to `to`; returns how many. */
static size_t store_change(const struct rows_work *work, const thud_body_change *change, double *to) {
  const thud_surface_law *law = &change->law;
  size_t at = 0;
  switch (change->kind) {
  case THUD_BODY_CHANGE_ADD:
  case THUD_BODY_CHANGE_STATE:
    store_vectors(1, work->d, &change->state.position, to);
    store_rotation(work, change->state.rotation, to + work->d);
    at = work->d + work->q;
    store_vectors(1, work->d, &change->state.velocity, to + at);
    store_vectors(1, work->s, &change->state.spin, to + at + work->d);
    return at + work->d + work->s;
  case THUD_BODY_CHANGE_IMPULSE:
  case THUD_BODY_CHANGE_FORCE:
    store_vectors(1, work->d, &change->force, to);
    store_vectors(1, work->s, &change->torque, to + work->d);
    at = work->d + work->s;
    store_vectors(1, work->d, &change->lever, to + at);
    at += work->d;
    if (change->kind == THUD_BODY_CHANGE_FORCE) to[at++] = change->lasting;
    return at;
  case THUD_BODY_CHANGE_MATERIAL: to[0] = change->part, to[1] = change->material; return 2;
  case THUD_BODY_CHANGE_PAIR:
    to[0] = change->first, to[1] = change->second;
    to[2] = law->friction, to[3] = law->friction_across;
    memcpy(to + 4, law->axis, sizeof law->axis);
    to[7] = law->restitution, to[8] = law->rolling, to[9] = law->spinning;
    return 10;
  case THUD_BODY_CHANGE_DETACH:
  case THUD_BODY_CHANGE_ATTACH: to[0] = change->joint; return 1;
  case THUD_BODY_CHANGE_MOTOR:
    to[0] = change->joint, to[1] = change->coordinate;
    to[2] = change->motor, to[3] = change->drives;
    to[4] = change->target, to[5] = change->at_most;
    return 6;
  default: return 0;
  }
}

int thud_rows_body_change(void *user, const thud_body_change *change) {
  THUD_REQUIRE_OR(-1, user, change);
  thud_rows *rows = user;
  struct rows_work *work = rows->work;
  rows_table *table = &rows->events;
  const size_t *cell = rows->event_cell;
  static const double unknown = NAN;
  const thud_vec3 nowhere = {NAN, NAN, NAN};
  work->kind = CONTACT_EVENTS + change->kind;
  work->struck[0] = change->body;
  store_vectors(1, work->d, &nowhere, work->point);
  size_t count = store_change(work, change, work->values);
  thud_rows_set(table, cell, EVENT_T, &change->t, 1);
  thud_rows_set(table, cell, EVENT_KIND, &work->kind, 1);
  thud_rows_set(table, cell, EVENT_BODIES, work->struck, change->body >= 0 ? 1 : 0);
  thud_rows_set(table, cell, EVENT_POINT, work->point, work->d);
  thud_rows_set(table, cell, EVENT_APPROACH, &unknown, 1);
  thud_rows_set(table, cell, EVENT_IMPULSE, &unknown, 1);
  thud_rows_set(table, cell, EVENT_VALUES, work->values, count);
  return thud_rows_emit_event(rows, change->t);
}
