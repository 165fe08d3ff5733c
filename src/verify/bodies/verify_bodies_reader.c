/* Rows of a record of rigid bodies, read in blocks; lists that do not fit together fail the structure. */
#include "verify/verify_observe.h"
#include "verify/bodies/verify_bodies.h"
#include "verify/verify_channels.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
  T,
  STEP,
  WHOLE,
  POSITION,
  ROTATION,
  VELOCITY,
  SPIN,
  RESIDUAL,
  USUAL_RESIDUAL,
  WORST_A,
  WORST_B,
  PENETRATION,
  PENETRATION_A,
  PENETRATION_B,
  ISLANDS,
  LEDGER,
  JOINT_FORCE, /* only where there are joints, as the others of these */
  JOINT_MOMENT,
  JOINT_GAP,
  JOINT_COORDINATE, /* only where joints have laws, as the next five */
  JOINT_RATE,
  JOINT_MOTOR,
  JOINT_FRICTION,
  JOINT_LIMIT,
  JOINT_SPRING,
  FIXED, /* those in front have as many numbers in every row */
  VELOCITY_LEFT = FIXED,
  SPIN_LEFT,
  LIFT_BODY,
  LIFT,
  TURN,
  ASLEEP,
  ABSENT,
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
  JOINT_ANSWER_FORCE,
  JOINT_ANSWER_MOMENT,
  FUNCTION_VALUES, /* only where functions of a program move bodies */
  CHANNELS
};

static const char *const roles[CHANNELS] = {"time",
                                            "step",
                                            "whole",
                                            "position",
                                            "rotation",
                                            "velocity",
                                            "spin",
                                            "residual",
                                            "usual_residual",
                                            "worst_a",
                                            "worst_b",
                                            "penetration",
                                            "penetration_a",
                                            "penetration_b",
                                            "islands",
                                            "ledger",
                                            "joint_force",
                                            "joint_moment",
                                            "joint_gap",
                                            "joint_coordinate",
                                            "joint_rate",
                                            "joint_motor",
                                            "joint_friction",
                                            "joint_limit",
                                            "joint_spring",
                                            "velocity_left",
                                            "spin_left",
                                            "lift_body",
                                            "lift",
                                            "turn",
                                            "asleep",
                                            "absent",
                                            "contact_a",
                                            "contact_b",
                                            "contact_part_a",
                                            "contact_part_b",
                                            "contact_point",
                                            "contact_normal",
                                            "contact_gap",
                                            "contact_impulse",
                                            "contact_moment",
                                            "contact_law",
                                            "contact_tangent",
                                            "contact_time",
                                            "joint_answer_force",
                                            "joint_answer_moment",
                                            "function_values"};

enum { LAW = 6, BLOCK_NUMBERS = 400000 };

/* The numbers of a channel in the block; those of row k from starts[k - first] to starts[k - first + 1]. */
typedef struct block_channel {
  size_t index, width; /* width: of a row, or of a group */
  double *values;
  size_t value_capacity, *starts;
} block_channel;

struct verify_body_reader {
  thud_context *context;
  thud_record_reader *record;
  const verify_bodies *bodies;
  size_t rows, first, count, most; /* of the block */
  size_t d, s, q;                  /* numbers of a vector, a spin, a rotation */
  block_channel channel[CHANNELS];
};

/* ---- channels ------------------------------------------------------------------------------------------------------------ */

/* The scene asks for the channel. */
static bool is_known(const verify_body_reader *r, int k) {
  if (k >= JOINT_COORDINATE && k <= JOINT_SPRING) return r->bodies->law_count > 0;
  bool of_joints = (k >= JOINT_FORCE && k <= JOINT_GAP) || k == JOINT_ANSWER_FORCE || k == JOINT_ANSWER_MOMENT;
  return of_joints ? r->bodies->joint_count > 0 : k != FUNCTION_VALUES || r->bodies->told_size > 0;
}

static size_t width_of(const verify_body_reader *r, int k) {
  size_t n = r->bodies->count, joints = r->bodies->joint_count;
  switch (k) {
  case JOINT_FORCE: return joints * r->d;
  case JOINT_MOMENT: return joints * r->s;
  case JOINT_COORDINATE:
  case JOINT_RATE:
  case JOINT_MOTOR:
  case JOINT_FRICTION:
  case JOINT_LIMIT:
  case JOINT_SPRING: return r->bodies->law_count;
  case JOINT_ANSWER_FORCE: return r->d;
  case JOINT_ANSWER_MOMENT: return r->s;
  case POSITION:
  case VELOCITY: return n * r->d;
  case ROTATION: return n * r->q;
  case SPIN: return n * r->s;
  case LEDGER: return BODY_LEDGER;
  case VELOCITY_LEFT:
  case LIFT:
  case CONTACT_POINT:
  case CONTACT_NORMAL:
  case CONTACT_IMPULSE:
  case CONTACT_TANGENT: return r->d;
  case SPIN_LEFT:
  case TURN:
  case CONTACT_MOMENT: return r->s;
  case CONTACT_LAW: return LAW;
  default: return 1;
  }
}

static bool names_bodies(int k) {
  return k == WORST_A || k == WORST_B || k == PENETRATION_A || k == PENETRATION_B || k == LIFT_BODY || k == ASLEEP ||
         k == ABSENT || k == CONTACT_A || k == CONTACT_B;
}

static void check_names(const verify_body_reader *r, int k, const thud_record_channel *found,
                        thud_verify_check *structure) {
  size_t n = r->bodies->count;
  if (!names_bodies(k)) return;
  bool same = found->label_count == n;
  for (size_t i = 0; same && i < n; i++) same = strcmp(found->labels[i], r->bodies->body[i].name) == 0;
  if (!same) thud_verify_fail(structure, NAN, SIZE_MAX, "the labels of '%s' are not the names of the bodies", roles[k]);
}

static bool find_channel(verify_body_reader *r, int k, thud_verify_check *structure) {
  block_channel *channel = &r->channel[k];
  channel->width = width_of(r, k);
  if (thud_record_find_role(r->record, THUD_RECORD_FRAMES, roles[k], &channel->index) != THUD_OK) {
    thud_verify_fail(structure, NAN, SIZE_MAX, "the frames have no channel for the %s", roles[k]);
    return false;
  }
  const thud_record_channel *found = thud_record_reader_channel(r->record, THUD_RECORD_FRAMES, channel->index);
  size_t fixed = k < FIXED ? channel->width : 0, group = k < FIXED ? 0 : channel->width;
  if (found->type == THUD_RECORD_TEXT || found->width != fixed || (k >= FIXED && found->group != group)) {
    thud_verify_fail(structure, NAN, SIZE_MAX, "the channel for the %s does not have the form that the scene asks for",
                     roles[k]);
    return false;
  }
  check_names(r, k, found, structure);
  return true;
}

static void check_channels(const verify_body_reader *r, thud_verify_check *structure) {
  static const char *const ledger[BODY_LEDGER] = {"kinetic",        "potential",   "work",
                                                  "kinematic_work", "impact_loss", "friction_loss",
                                                  "contact_loss",   "lift",        "defect"};
  static const char *const law[LAW] = {"mu", "mu_across", "e", "rolling", "spinning", "e_factor"};
  thud_record_info info = thud_record_reader_info(r->record);
  thud_verify_check_components(r->record, THUD_RECORD_FRAMES, "ledger", BODY_LEDGER, ledger, structure);
  thud_verify_check_components(r->record, THUD_RECORD_FRAMES, "contact_law", LAW, law, structure);
  size_t known = thud_verify_observed_channels(r->record);
  for (int k = 0; k < CHANNELS; k++) known += is_known(r, k);
  if (info.channel_count[THUD_RECORD_FRAMES] != known)
    thud_verify_fail(structure, NAN, SIZE_MAX, "frames have %zu channels, %zu are known", info.channel_count[0], known);
  if (r->rows == 0) thud_verify_fail(structure, NAN, SIZE_MAX, "the record has no frames");
}

thud_error thud_verify_body_reader_create(thud_context *context, thud_record_reader *record,
                                          const verify_bodies *bodies, thud_verify_check *structure,
                                          verify_body_reader **made) {
  *made = NULL;
  verify_body_reader *r = THUD_NEW(context, verify_body_reader);
  if (r == NULL) return THUD_ERROR_MEMORY;
  bool planar = bodies->planar;
  *r = (verify_body_reader){.context = context,
                            .record = record,
                            .bodies = bodies,
                            .rows = thud_record_reader_info(record).rows[THUD_RECORD_FRAMES],
                            .d = planar ? 2 : 3,
                            .s = planar ? 1 : 3,
                            .q = planar ? 1 : 4};
  size_t each = 20 * (bodies->count + bodies->joint_count + 1);
  r->most = each < BLOCK_NUMBERS ? BLOCK_NUMBERS / each : 1;
  if (r->most > r->rows) r->most = r->rows + 1;
  bool good = true;
  for (int k = 0; k < CHANNELS; k++) good = (!is_known(r, k) || find_channel(r, k, structure)) && good;
  if (good) check_channels(r, structure);
  thud_error error = THUD_OK;
  for (int k = FIXED; k < CHANNELS; k++) {
    r->channel[k].starts = THUD_NEW_ARRAY(context, size_t, r->most + 1);
    if (r->channel[k].starts == NULL) error = THUD_ERROR_MEMORY;
  }
  if (error == THUD_OK && good)
    *made = r;
  else
    thud_verify_body_reader_destroy(r);
  return error;
}

void thud_verify_body_reader_destroy(verify_body_reader *reader) {
  if (reader == NULL) return;
  for (int k = 0; k < CHANNELS; k++) {
    thud_free(reader->context, reader->channel[k].values);
    thud_free(reader->context, reader->channel[k].starts);
  }
  thud_free(reader->context, reader);
}

/* ---- blocks ----------------------------------------------------------------------------------------------------------------- */

static thud_error read_fixed(verify_body_reader *r, block_channel *channel) {
  size_t total;
  if (!thud_size_multiply(r->count, channel->width, &total)) return THUD_ERROR_OVERFLOW;
  thud_error error =
      thud_array_reserve(r->context, &channel->values, &channel->value_capacity, total, sizeof *channel->values);
  return error == THUD_OK
             ? thud_record_read(r->record, THUD_RECORD_FRAMES, channel->index, r->first, r->count, channel->values)
             : error;
}

/* The reader refuses lists that do not follow each other. */
static thud_error read_lists(verify_body_reader *r, int k) {
  block_channel *channel = &r->channel[k];
  size_t start = 0;
  thud_error error = thud_record_read_ends(r->record, THUD_RECORD_FRAMES, channel->index, r->first, r->count, &start,
                                           channel->starts + 1);
  if (error != THUD_OK) return error;
  channel->starts[0] = start;
  size_t total = channel->starts[r->count] - start;
  error = thud_array_reserve(r->context, &channel->values, &channel->value_capacity, total, sizeof *channel->values);
  if (error == THUD_OK && total > 0)
    error = thud_record_read_values(r->record, THUD_RECORD_FRAMES, channel->index, start, total, channel->values);
  for (size_t i = r->count + 1; i-- > 0;) channel->starts[i] -= start;
  return error;
}

static thud_error read_block(verify_body_reader *r, size_t first) {
  thud_error error = THUD_OK;
  r->first = first;
  r->count = r->rows - first < r->most ? r->rows - first : r->most;
  for (int k = 0; k < CHANNELS && error == THUD_OK; k++)
    if (is_known(r, k)) error = k < FIXED ? read_fixed(r, &r->channel[k]) : read_lists(r, k);
  return error;
}

/* The numbers of row k of a channel, and how many. */
static const double *cell(const verify_body_reader *r, int channel, size_t k, size_t *count) {
  const block_channel *from = &r->channel[channel];
  size_t row = k - r->first;
  if (channel < FIXED) {
    if (count != NULL) *count = from->width;
    return from->values + row * from->width;
  }
  *count = from->starts[row + 1] - from->starts[row];
  return from->values + from->starts[row];
}

/* ---- rows ------------------------------------------------------------------------------------------------------------------- */

thud_error thud_verify_body_row_create(thud_context *context, const verify_bodies *bodies, verify_body_row *row) {
  size_t n = bodies->count;
  *row = (verify_body_row){.end = THUD_NEW_ARRAY(context, verify_body_state, n)};
  thud_vec3 **vectors[] = {&row->v_left, &row->w_left, &row->lift, &row->turn};
  bool made = row->end != NULL;
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) {
    *vectors[k] = THUD_NEW_ARRAY(context, thud_vec3, n);
    made = made && *vectors[k] != NULL;
  }
  row->asleep = THUD_NEW_ARRAY(context, bool, n);
  row->absent = THUD_NEW_ARRAY(context, bool, n);
  row->told = THUD_NEW_ARRAY(context, double, bodies->told_size);
  thud_vec3 **joints[] = {&row->joint_force, &row->joint_moment, &row->answer_force, &row->answer_moment};
  for (size_t k = 0; k < sizeof joints / sizeof *joints; k++) {
    *joints[k] = THUD_NEW_ARRAY(context, thud_vec3, bodies->joint_count);
    made = made && *joints[k] != NULL;
  }
  row->law = THUD_NEW_ARRAY(context, verify_law_row, bodies->law_count);
  return made && row->law != NULL && row->told != NULL && row->asleep != NULL && row->absent != NULL
             ? THUD_OK
             : THUD_ERROR_MEMORY;
}

void thud_verify_body_row_free(thud_context *context, verify_body_row *row) {
  void *const arrays[] = {row->end,          row->v_left,       row->w_left,        row->lift, row->turn,
                          row->asleep,       row->absent,       row->contact,       row->told, row->joint_force,
                          row->joint_moment, row->answer_force, row->answer_moment, row->law};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(context, arrays[k]);
}

static thud_vec3 vector(const double *from, size_t width) {
  return thud_vec3_make(from[0], from[1], width == 3 ? from[2] : 0);
}

static thud_vec3 spin(const double *from, size_t width) {
  return width == 3 ? thud_vec3_load(from) : thud_vec3_make(0, 0, from[0]);
}

static void take_state(const verify_body_reader *r, size_t k, verify_body_row *row, thud_verify_check *structure) {
  const double *x = cell(r, POSITION, k, NULL), *q = cell(r, ROTATION, k, NULL), *v = cell(r, VELOCITY, k, NULL),
               *w = cell(r, SPIN, k, NULL);
  for (size_t i = 0; i < r->bodies->count; i++) {
    verify_body_state *state = &row->end[i];
    state->x = vector(x + i * r->d, r->d);
    state->v = vector(v + i * r->d, r->d);
    state->w = spin(w + i * r->s, r->s);
    if (r->q == 1) {
      state->q = thud_quat_make(cos(0.5 * q[i]), 0, 0, sin(0.5 * q[i]));
      continue;
    }
    state->q = thud_quat_make(q[4 * i], q[4 * i + 1], q[4 * i + 2], q[4 * i + 3]);
    if (!(fabs(thud_quat_norm(state->q) - 1) <= 64 * DBL_EPSILON)) {
      thud_verify_fail(structure, row->t, k, "the rotation of '%s' has the norm %.17g, not 1", r->bodies->body[i].name,
                       thud_quat_norm(state->q));
      row->usable = false;
    }
  }
}

static bool is_body(const verify_body_reader *r, double number) {
  return number >= 0 && number < (double)r->bodies->count && number == floor(number);
}

/* Lists fit together: `count` numbers, or none where that is allowed too. */
static bool has(const verify_body_reader *r, int channel, size_t k, size_t count, bool or_none,
                thud_verify_check *structure) {
  size_t found;
  cell(r, channel, k, &found);
  if (found == count || (or_none && found == 0)) return true;
  thud_verify_fail(structure, *cell(r, T, k, NULL), k, "there are %zu numbers of '%s', %zu belong here", found,
                   roles[channel], count);
  return false;
}

static bool check_lists(const verify_body_reader *r, size_t k, bool whole, thud_verify_check *structure) {
  size_t n = r->bodies->count, lifted, contacts;
  bool good = true;
  cell(r, LIFT_BODY, k, &lifted);
  cell(r, CONTACT_A, k, &contacts);
  good = has(r, VELOCITY_LEFT, k, whole ? n * r->d : 0, false, structure) && good;
  good = has(r, SPIN_LEFT, k, whole ? n * r->s : 0, false, structure) && good;
  good = has(r, LIFT, k, lifted * r->d, false, structure) && good;
  good = has(r, TURN, k, lifted * r->s, false, structure) && good;
  for (int channel = CONTACT_B; channel <= CONTACT_TIME; channel++) {
    bool may_miss = channel == CONTACT_MOMENT || channel >= CONTACT_TANGENT;
    good = has(r, channel, k, contacts * width_of(r, channel), may_miss, structure) && good;
  }
  bool answers = contacts > 0 || r->bodies->law_count > 0;
  if (is_known(r, FUNCTION_VALUES))
    good = has(r, FUNCTION_VALUES, k, whole ? r->bodies->told_size : 0, false, structure) && good;
  for (int channel = JOINT_ANSWER_FORCE; channel <= JOINT_ANSWER_MOMENT && is_known(r, channel); channel++) {
    size_t width = channel == JOINT_ANSWER_FORCE ? r->d : r->s;
    good = has(r, channel, k, whole && answers ? r->bodies->joint_count * width : 0, false, structure) && good;
  }
  for (int channel = 0; channel < CHANNELS; channel++) {
    size_t count;
    if (!is_known(r, channel)) continue;
    const double *values = cell(r, channel, k, &count);
    if (thud_verify_all_finite(count, values)) continue;
    thud_verify_fail(structure, *cell(r, T, k, NULL), k, "a number of '%s' is NaN or infinite", roles[channel]);
    good = false;
  }
  return good;
}

/* Only scenes with the option have sleepers. */
static void check_sleeper(const verify_body_reader *r, size_t i, verify_body_row *row, thud_verify_check *structure) {
  row->asleep[i] = true;
  if (!r->bodies->options.sleep)
    thud_verify_fail(structure, row->t, row->number, "'%s' sleeps, in this scene nothing does",
                     r->bodies->body[i].name);
}

static bool take_bodies(const verify_body_reader *r, size_t k, verify_body_row *row, thud_verify_check *structure) {
  size_t lifted, sleepers, missing;
  const double *body = cell(r, LIFT_BODY, k, &lifted), *asleep = cell(r, ASLEEP, k, &sleepers),
               *absent = cell(r, ABSENT, k, &missing);
  size_t unused;
  const double *lift = cell(r, LIFT, k, &unused), *turn = cell(r, TURN, k, &unused);
  bool good = true;
  for (size_t i = 0; i < r->bodies->count; i++) {
    row->lift[i] = row->turn[i] = (thud_vec3){0};
    row->asleep[i] = row->absent[i] = false;
  }
  for (size_t i = 0; i < lifted; i++) {
    if (!is_body(r, body[i]) || (i > 0 && !(body[i] > body[i - 1]))) {
      good = false;
      continue;
    }
    row->lift[(size_t)body[i]] = vector(lift + i * r->d, r->d);
    row->turn[(size_t)body[i]] = spin(turn + i * r->s, r->s);
  }
  for (size_t i = 0; i < sleepers; i++) {
    good = good && is_body(r, asleep[i]) && r->bodies->body[(size_t)asleep[i]].role == VERIFY_DYNAMIC;
    good = good && (i == 0 || asleep[i] > asleep[i - 1]);
    if (good) check_sleeper(r, (size_t)asleep[i], row, structure);
  }
  for (size_t i = 0; i < missing; i++) {
    good = good && is_body(r, absent[i]);
    if (good) row->absent[(size_t)absent[i]] = true;
  }
  if (!good) thud_verify_fail(structure, row->t, k, "a list of bodies has numbers of none, or not in their order");
  return good;
}

static bool part_of(const verify_body_reader *r, double body, double part, size_t *number) {
  if (!is_body(r, body)) return false;
  const verify_rigid *owner = &r->bodies->body[(size_t)body];
  if (!(part >= 0 && part < (double)owner->part_count && part == floor(part))) return false;
  *number = owner->first_part + (size_t)part;
  return true;
}

static bool take_contact(const verify_body_reader *r, size_t k, size_t i, verify_body_contact *to) {
  size_t unused, moments, tangents, times;
  double a = cell(r, CONTACT_A, k, &unused)[i], b = cell(r, CONTACT_B, k, &unused)[i];
  const double *law = cell(r, CONTACT_LAW, k, &unused) + i * LAW;
  const double *moment = cell(r, CONTACT_MOMENT, k, &moments), *tangent = cell(r, CONTACT_TANGENT, k, &tangents);
  const double *time = cell(r, CONTACT_TIME, k, &times);
  *to = (verify_body_contact){.mu = law[0],
                              .mu_across = law[1],
                              .e = law[2],
                              .rolling = law[3],
                              .spinning = law[4],
                              .factor = law[5],
                              .gap = cell(r, CONTACT_GAP, k, &unused)[i]};
  if (!part_of(r, a, cell(r, CONTACT_PART_A, k, &unused)[i], &to->part_a) ||
      !part_of(r, b, cell(r, CONTACT_PART_B, k, &unused)[i], &to->part_b) || a == b)
    return false;
  to->a = (size_t)a;
  to->b = (size_t)b;
  to->point = vector(cell(r, CONTACT_POINT, k, &unused) + i * r->d, r->d);
  to->normal = vector(cell(r, CONTACT_NORMAL, k, &unused) + i * r->d, r->d);
  to->impulse = vector(cell(r, CONTACT_IMPULSE, k, &unused) + i * r->d, r->d);
  if (moments > 0) to->moment = spin(moment + i * r->s, r->s);
  if (times > 0) to->ahead = time[i];
  if (tangents > 0) to->tangent = vector(tangent + i * r->d, r->d);
  return to->mu >= 0 && to->mu_across >= 0 && to->rolling >= 0 && to->spinning >= 0;
}

static thud_error take_contacts(const verify_body_reader *r, size_t k, verify_body_row *row,
                                thud_verify_check *structure) {
  size_t count, tangents;
  cell(r, CONTACT_A, k, &count);
  cell(r, CONTACT_TANGENT, k, &tangents);
  row->directed = tangents > 0;
  row->contact_count = 0;
  thud_error error = thud_array_reserve(r->context, &row->contact, &row->contact_capacity, count, sizeof *row->contact);
  for (size_t i = 0; error == THUD_OK && i < count; i++) {
    if (!take_contact(r, k, i, &row->contact[row->contact_count++])) {
      thud_verify_fail(structure, row->t, k,
                       "contact %zu is not one of two parts of the scene, or has a law of no sense", i);
      row->usable = false;
    }
  }
  return error;
}

static void take_figures(const verify_body_reader *r, size_t k, verify_body_row *row, thud_verify_check *structure) {
  row->residual = *cell(r, RESIDUAL, k, NULL);
  row->usual_residual = *cell(r, USUAL_RESIDUAL, k, NULL);
  row->penetration = *cell(r, PENETRATION, k, NULL);
  row->islands = *cell(r, ISLANDS, k, NULL);
  for (int i = 0; i < 2; i++) {
    row->worst[i] = *cell(r, WORST_A + i, k, NULL);
    row->deepest[i] = *cell(r, PENETRATION_A + i, k, NULL);
    if ((row->worst[i] != -1 && !is_body(r, row->worst[i])) || (row->deepest[i] != -1 && !is_body(r, row->deepest[i])))
      thud_verify_fail(structure, row->t, k, "the row names a body that is not there");
  }
  if (!(row->residual >= 0 && row->usual_residual >= 0 && row->penetration >= 0))
    thud_verify_fail(structure, row->t, k, "a residual or an overlap is negative");
  memcpy(row->ledger, cell(r, LEDGER, k, NULL), sizeof row->ledger);
}

static void take_joints(const verify_body_reader *r, size_t k, verify_body_row *row) {
  size_t forces, moments;
  const double *force = cell(r, JOINT_FORCE, k, NULL), *moment = cell(r, JOINT_MOMENT, k, NULL);
  const double *more = cell(r, JOINT_ANSWER_FORCE, k, &forces), *turn = cell(r, JOINT_ANSWER_MOMENT, k, &moments);
  row->joint_gap = *cell(r, JOINT_GAP, k, NULL);
  for (size_t i = 0; i < r->bodies->joint_count; i++) {
    row->joint_force[i] = vector(force + i * r->d, r->d);
    row->joint_moment[i] = spin(moment + i * r->s, r->s);
    row->answer_force[i] = forces > 0 ? vector(more + i * r->d, r->d) : (thud_vec3){0};
    row->answer_moment[i] = moments > 0 ? spin(turn + i * r->s, r->s) : (thud_vec3){0};
  }
}

static void take_laws(const verify_body_reader *r, size_t k, verify_body_row *row) {
  for (size_t i = 0; i < r->bodies->law_count; i++)
    row->law[i] = (verify_law_row){.value = cell(r, JOINT_COORDINATE, k, NULL)[i],
                                   .rate = cell(r, JOINT_RATE, k, NULL)[i],
                                   .motor = cell(r, JOINT_MOTOR, k, NULL)[i],
                                   .friction = cell(r, JOINT_FRICTION, k, NULL)[i],
                                   .limit = cell(r, JOINT_LIMIT, k, NULL)[i],
                                   .spring = cell(r, JOINT_SPRING, k, NULL)[i]};
}

thud_error thud_verify_body_row_read(verify_body_reader *r, size_t k, verify_body_row *row,
                                     thud_verify_check *structure) {
  thud_error error = k < r->first || k >= r->first + r->count ? read_block(r, k) : THUD_OK;
  if (error != THUD_OK) return error;
  row->number = k;
  row->t = *cell(r, T, k, NULL);
  row->step = *cell(r, STEP, k, NULL);
  row->whole = *cell(r, WHOLE, k, NULL) != 0;
  row->usable = check_lists(r, k, row->whole, structure);
  row->contact_count = 0;
  if (!row->usable) return THUD_OK;
  take_figures(r, k, row, structure);
  take_state(r, k, row, structure);
  row->usable = take_bodies(r, k, row, structure) && row->usable;
  size_t unused;
  const double *v = cell(r, VELOCITY_LEFT, k, &unused), *w = cell(r, SPIN_LEFT, k, &unused);
  for (size_t i = 0; row->whole && i < r->bodies->count; i++) {
    row->v_left[i] = vector(v + i * r->d, r->d);
    row->w_left[i] = spin(w + i * r->s, r->s);
  }
  if (r->bodies->joint_count > 0) take_joints(r, k, row);
  if (r->bodies->law_count > 0) take_laws(r, k, row);
  if (row->whole && is_known(r, FUNCTION_VALUES))
    memcpy(row->told, cell(r, FUNCTION_VALUES, k, &unused), r->bodies->told_size * sizeof *row->told);
  return take_contacts(r, k, row, structure);
}
