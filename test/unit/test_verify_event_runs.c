/* The checker of event-driven records, on runs of scenes: good ones pass, one wrong number is found. */
#include "event_tamper.h"
#include "record_copy.h"
#include "scratch_folder.h"
#include "testing.h"
#include "thud/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const scenes[] = {
    /* accumulation */
    "system: {coordinates: [q], kinetic_energy: \"0.5*q'^2\", forces: {q: 2}, constraints: [{name: floor, phi: q,"
    " restitution: 0.5}]}, initial: {q: -1}, simulate: {method: event-driven, end: 4}",
    /* a multiple impact that is not orthogonal */
    "system: {coordinates: [x, y], kinetic_energy: \"(x'^2 + y'^2)/2\", forces: {x: 4}, impact_law: canonical,"
    " constraints: [{name: roof, phi: y}, {name: slope, phi: x + y}]}, initial: {x: 0, y: -1, \"x'\": -1, \"y'\": 2},"
    " simulate: {method: event-driven, end: 2}",
    /* planar friction with an impact */
    "system: {coordinates: [n, s], kinetic_energy: \"0.5*(n'^2 + s'^2)\", potential_energy: \"n^2 + n*s + s^2\","
    " forces: {n: 3}, constraints: [{name: wall, phi: n, friction: {mu: 1, slip: [\"s'\"]}}]},"
    " initial: {n: -0.2, s: 0, \"n'\": 1, \"s'\": 4}, simulate: {method: event-driven, end: 3.5}",
    /* friction in space */
    "system: {coordinates: [n, x, y], mass: [1, 1, 2], forces: {n: 1, x: 0.3}, constraints: [{name: wall, phi: n,"
    " restitution: 0.5, friction: {mu: 0.2, slip: [\"x'\", \"y'\"]}}]},"
    " initial: {n: -0.5, x: 0, y: 0, \"n'\": 1, \"x'\": 0.6, \"y'\": 0.8}, simulate: {method: event-driven, end: 2}",
    /* equation, rolling, impact */
    "parameters: {l: 1.5}, system: {coordinates: [x, y, a], kinetic_energy: \"0.5*(x'^2 + y'^2) + 0.3*a'^2\","
    " potential_energy: \"9.81*y\", constraints: [{name: rod, equation: x^2 + y^2 - l^2},"
    " {name: spin, velocity_form: \"a' - x'\"}, {name: wall, gap: x + 0.4, restitution: 0.7}]},"
    " initial: {x: 1.5, y: 0, a: 0}, simulate: {method: event-driven, end: 2}",
    /* a constraint that moves */
    "system: {coordinates: [z], kinetic_energy: \"0.5*z'^2\", forces: {z: -9.81 - 0.2*z'},"
    " constraints: [{name: table, gap: z - 0.01*sin(20*t), restitution: 0.5}]}, initial: {z: 0.1},"
    " simulate: {method: event-driven, end: 1}",
    /* a one-sided velocity constraint */
    "system: {coordinates: [a, b], kinetic_energy: \"0.25*(a'^2 + b'^2)\", forces: {a: 1},"
    " constraints: [{name: wheel, velocity_form: \"b' - a'\", one_sided: true}]}, initial: {a: 0, b: 0, \"a'\": -1},"
    " simulate: {method: event-driven, end: 2}",
    /* a friction law by itself, a potential that changes, a kink */
    "system: {coordinates: [x], kinetic_energy: \"x'^2/2\", potential_energy: \"x^2*(2 + sin(t))\","
    " forces: {x: \"0.1*abs(x)\"}, friction: [{name: brake, threshold: 0.7, slip: [\"x'\"]}]},"
    " initial: {x: 1}, simulate: {method: event-driven, end: 5}",
    /* M(q), two constraints */
    "system: {coordinates: [p, r], kinetic_energy: \"0.5*(4/3*p'^2 + 2*cos(p-r)*p'*r' + 4/3*r'^2)\","
    " potential_energy: \"p^2/2 + (r-p)^2/2\", constraints: [{name: joint, phi: -sin(p), restitution: 0.8},"
    " {name: tip, phi: -sin(p) - 2*sin(r), restitution: 0.8}]}, initial: {p: 1.5, r: 0},"
    " simulate: {method: event-driven, end: 4}",
    /* friction of a bilateral constraint */
    "system: {coordinates: [x, y], kinetic_energy: \"(x'^2 + y'^2)/2\", potential_energy: \"2*y + x^2\","
    " constraints: [{name: guide, equation: y, friction: {mu: 0.3, slip: [\"x'\"]}}]},"
    " initial: {x: 1, y: 0, \"x'\": 1}, simulate: {method: event-driven, end: 4}"};
enum { SCENES = sizeof scenes / sizeof *scenes };

/* Motions that are right, with numbers next to each other that are not of one size. */
static const char *const delicate[] = {
    /* thrown against a roof that it reaches with 3e-5 and 6e-7 of its speed */
    "system: {coordinates: [y], kinetic_energy: \"0.5*y'^2\", potential_energy: 9.81*y, constraints: [{name: roof,"
    " gap: 1 - y, restitution: 0.5}]}, initial: {y: 0, \"y'\": sqrt(2*9.81)*(1 + 1e-9)},"
    " simulate: {method: event-driven, end: 0.9}",
    "system: {coordinates: [y], kinetic_energy: \"0.5*y'^2\", potential_energy: 9.81*y, constraints: [{name: roof,"
    " gap: 1 - y, restitution: 0.5}]}, initial: {y: 0, \"y'\": sqrt(2*9.81)*(1 + 4e-13)},"
    " simulate: {method: event-driven, end: 0.9}",
    /* two balls whose limits are 1e-9 apart: one is open by 1e-18 where the other one is struck */
    "system: {coordinates: [a, b], kinetic_energy: \"0.5*(a'^2 + b'^2)\", potential_energy: 9.81*(a + b), constraints:"
    " [{name: fa, gap: a, restitution: 0.5}, {name: fb, gap: b, restitution: 0.5}]},"
    " initial: {a: 1, b: 1.0000000014764825}, simulate: {method: event-driven, end: 3}",
    /* accumulations along the sides of a wedge, in turn */
    "system: {coordinates: [x, y], kinetic_energy: \"0.5*(x'^2 + y'^2)\", potential_energy: 9.81*y, constraints:"
    " [{name: l, gap: \"sin(0.7)*x + cos(0.7)*y\", restitution: 0.6},"
    " {name: r, gap: \"-sin(0.5)*x + cos(0.5)*y\", restitution: 0.6}]}, initial: {x: 0.1, y: 1, \"x'\": 0.2},"
    " simulate: {method: event-driven, end: 3}",
    /* a puck on an incline that turns downhill: 1e-13 of its slip is left when it stops, its velocity across is 1e-9 */
    "parameters: {g: 9.81, al: 0.5, mu: 0.3}, system: {coordinates: [x, y, z], kinetic_energy:"
    " \"0.5*(x'^2 + y'^2 + z'^2)\", potential_energy: g*cos(al)*z - g*sin(al)*x, constraints: [{name: f, gap: z,"
    " friction: {mu: mu, slip: [\"x'\", \"y'\"]}}]}, initial: {x: 0, y: 0, z: 0, \"x'\": -3, \"y'\": 1e-9},"
    " simulate: {method: event-driven, end: 1}",
    /* balls with flights of 1e-6 s and of 1e6 s: one rests on its floor while the other one's impacts accumulate */
    "system: {coordinates: [a, b], kinetic_energy: \"0.5e-9*a'^2 + 0.5e9*b'^2\", potential_energy:"
    " \"1e-9*9.81e6*a + 1e9*9.81e-6*b\", constraints: [{name: fa, gap: a, restitution: 0.5},"
    " {name: fb, gap: b, restitution: 0.5}]}, initial: {a: 1e-6, b: 1e6}, simulate: {method: event-driven, end: 3e6}",
    /* a block carried by a belt that speeds up: all the slip there ever is comes from rounding */
    "system: {coordinates: [x, y], mass: [2, 2], potential_energy: 19.62*y, constraints: [{name: belt, gap: y, "
    "friction:"
    " {mu: 0.9, slip: [\"x' + 0.05*t^2\"]}}]}, initial: {x: 0, y: 0}, simulate: {method: event-driven, end: 6}",
    /* a stack of two that comes to rest: one contact leaves by 1e-14 while the other one is struck */
    "system: {coordinates: [a, b], mass: [3, 2], potential_energy: 9.81*(3*a + 2*b), impact_law: sequential, "
    "constraints:"
    " [{name: floor, gap: a, restitution: 0.5}, {name: ab, gap: b - a - 0.1, restitution: 0.5}]},"
    " initial: {a: 1, b: 1.15}, simulate: {method: event-driven, end: 0.882}",
    /* a heavy ball presses a light one against the floor: flights vanish in rounding before the velocities do */
    "system: {coordinates: [a, b], mass: [1.8, 21], constraints: [{name: floor, gap: a, restitution: 0.5},"
    " {name: balls, gap: b - a - 1, restitution: 0.5}]},"
    " initial: {a: 0.4, b: 1.82, \"a'\": -0.68, \"b'\": -1.06}, simulate: {method: event-driven, end: 1}",
    /* the floor falls away at the very time at which it is reached: no impact there */
    "system: {coordinates: [x, z], mass: [1, 1], forces: {x: 1, z: \"if(t < 0.25, -8, 3)\"}, constraints: [{name: "
    "floor,"
    " gap: z + 0.1*step(t - 0.25), restitution: 0.5, friction: {mu: 0.3, slip: [\"x'\"]}}]},"
    " initial: {x: 0, z: 0.5, \"z'\": -1}, simulate: {method: event-driven, end: 0.5}",
    /* two balls collapse onto a floor: flights and velocities shrink by different ratios */
    "system: {coordinates: [a, b], kinetic_energy: \"0.5*(a'^2 + b'^2)\", potential_energy: 9.81*(a + b), constraints:"
    " [{gap: a, restitution: 0.1}, {gap: b - a, restitution: 0.1}]}, initial: {a: 0.01, b: 0.1, \"b'\": -3},"
    " simulate: {method: event-driven, end: 1}",
};
enum { DELICATE = sizeof delicate / sizeof *delicate };

static const char *scene_text(const char *inner) {
  static char text[2048];
  snprintf(text, sizeof text, "{thud: 1, %s}", inner);
  return text;
}

static thud_verify_result verify(thud_context *context, const char *path, double tolerance) {
  thud_verify_result result;
  thud_verify_options options = thud_verify_options_default();
  options.tolerance = tolerance;
  if (thud_verify_record(context, path, &options, &result) != THUD_OK)
    fail_msg("%s: %s", path, thud_context_last_message(context));
  return result;
}

/* The runs are accurate to rounding errors that add up; the checker's own floor is 2^-40. */
static void runs_pass_with_tight_tolerances(void **state) {
  (void)state;
  static const double tolerances[] = {1e-11, 1e-8, 1e-5, 1e-2};
  thud_context *context = thud_test_context(1);
  for (size_t k = 0; k < SCENES; k += (size_t)thud_test_share(2)) {
    const char *path = thud_test_path("run.h5");
    record_copy_run(context, scene_text(scenes[k]), path);
    for (size_t j = 0; j < sizeof tolerances / sizeof *tolerances; j++) {
      thud_verify_result result = verify(context, path, tolerances[j]);
      if (result.verdict != THUD_VERIFY_GOOD) fail_msg("%s\n%g: %s", scenes[k], tolerances[j], result.reason);
    }
  }
  thud_test_context_end(context);
}

static void other_laws_of_impact_are_held_to_the_axioms(void **state) {
  (void)state;
  static const char *const laws[] = {"canonical", "newton", "sequential", "{lzb: {exponent: 1.5}}"};
  thud_context *context = thud_test_context(1);
  for (int k = 0; k < 4; k++) {
    char text[1024];
    snprintf(text, sizeof text,
             "{thud: 1, system: {coordinates: [x, y, z], kinetic_energy: \"(x'^2 + y'^2 + z'^2)/2\", impact_law: %s,"
             " constraints: [{name: left, gap: y - x, restitution: 1}, {name: right, gap: z - y, restitution: 1}]},"
             " initial: {x: -1, y: 0, z: 0, \"x'\": 1}, simulate: {method: event-driven, end: 1.5}}",
             laws[k]);
    const char *path = thud_test_path("law.h5");
    record_copy_run(context, text, path);
    thud_verify_result result = verify(context, path, 0);
    if (result.verdict != THUD_VERIFY_GOOD) fail_msg("%s: %s", laws[k], result.reason);
  }
  thud_test_context_end(context);
}

/* A few numbers of every channel of a table, each in some row that has numbers there. */
static void tamper_table(thud_context *context, record_channels *record, const record_table *table,
                         thud_random *random) {
  enum { NUMBERS = 2, TRIES = 8 };
  for (size_t channel = 0; channel < table->count && table->rows > 0; channel++)
    for (size_t k = 0; k < NUMBERS; k++) {
      size_t row = 0, count = 0;
      for (int tries = 0; tries < TRIES && count == 0; tries++) {
        row = thud_random_below(random, (uint32_t)table->rows);
        count = record_table_size(table, channel, row);
      }
      size_t component = count <= NUMBERS ? k : thud_random_below(random, (uint32_t)count);
      event_tamper(context, record, table, channel, component, row);
    }
}

static void tamper_here_and_there(thud_context *context, record_channels *record, thud_random *random) {
  tamper_table(context, record, &record->frames, random);
  tamper_table(context, record, &record->events, random);
}

static void right_motions_raise_no_alarm(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(20261117);
  for (size_t k = 0; k < DELICATE; k += (size_t)thud_test_share(14)) {
    record_channels record;
    const char *path = thud_test_path("delicate.h5");
    record_copy_run(context, scene_text(delicate[k]), path);
    thud_verify_result result = verify(context, path, 0);
    if (result.verdict != THUD_VERIFY_GOOD) fail_msg("%s\n%s", delicate[k], result.reason);
    record_channels_load(context, path, &record);
    tamper_here_and_there(context, &record, &random);
    record_channels_free(&record);
  }
  thud_test_context_end(context);
}

static void one_changed_number_of_a_run_is_found(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(20261116);
  for (size_t k = 0; k < SCENES; k += (size_t)thud_test_share(15)) {
    record_channels record;
    const char *path = thud_test_path("run.h5");
    record_copy_run(context, scene_text(scenes[k]), path);
    record_channels_load(context, path, &record);
    tamper_here_and_there(context, &record, &random);
    record_channels_free(&record);
  }
  thud_test_context_end(context);
}

/* Bounds that are finer than what can be confirmed, and brackets beside the root, are rejected. */
static void stated_bounds_and_brackets_are_confirmed(void **state) {
  (void)state;
  static const char *const scene =
      "system: {coordinates: [a], kinetic_energy: \"0.5*a'^2\", potential_energy: \"-9.81*cos(a)\", constraints: "
      "[{name:"
      " wall, gap: \"a + 0.5\", restitution: 0.8}]}, initial: {a: 1}, simulate: {method: event-driven, end: 8}";
  thud_context *context = thud_test_context(1);
  record_channels record;
  const char *path = thud_test_path("stated.h5");
  record_copy_run(context, scene_text(scene), path);
  assert_int_equal(verify(context, path, 0).verdict, THUD_VERIFY_GOOD);
  record_channels_load(context, path, &record);
  size_t bound = record_table_find(&record.frames, "defect_bound"), low = record_table_find(&record.events, "t_low");
  size_t high = record_table_find(&record.events, "t_high");
  for (size_t row = 0; row + 1 < record.frames.rows; row += (size_t)thud_test_share(4))
    record_channels_try(context, "bound", &record, &record.frames, bound, 0, row,
                        1e-3 * *record_table_number(&record.frames, "defect_bound", row, 0));
  for (size_t row = 0; row < record.events.rows; row += (size_t)thud_test_share(4)) {
    double width = *record_table_number(&record.events, "t_error", row, 0);
    record_channels_try(context, "bracket", &record, &record.events, low, 0, row, 0.9 * width);
    record_channels_try(context, "bracket", &record, &record.events, high, 0, row, -0.9 * width);
  }
  assert_true(record.frames.rows > 5 && record.events.rows > 2);
  record_channels_free(&record);
  thud_test_context_end(context);
}

static thud_verify_status status_of(const thud_verify_result *result, const char *name) {
  for (size_t k = 0; k < result->check_count; k++)
    if (strcmp(result->checks[k].name, name) == 0) return result->checks[k].status;
  fail_msg("no check is called '%s'", name);
  return THUD_VERIFY_NOT_APPLICABLE;
}

static void assert_failed(const thud_verify_result *result, const char *name) {
  if (status_of(result, name) != THUD_VERIFY_FAILED) fail_msg("'%s' has not failed: %s", name, result->reason);
  assert_int_equal(result->verdict, THUD_VERIFY_BAD);
}

/* The frame of the first event of this kind. */
static size_t frame_of(const record_channels *record, double kind, size_t *event) {
  for (*event = 0; *event < record->events.rows; ++*event)
    if (*record_table_number(&record->events, "kind", *event, 0) == kind)
      return (size_t)*record_table_number(&record->events, "frame", *event, 0);
  fail_msg("no event is of the kind %g", kind);
  return 0;
}

/* The puck's stop takes away what forces do in the time tolerance, 1e-12 of its speed, and not ten times as much. */
static void a_stop_takes_no_more_than_its_time_tolerance_allows(void **state) {
  (void)state;
  enum { PUCK = 4, COORDINATES = 3, ACROSS = 1, SLIP = 6 };
  thud_context *context = thud_test_context(1);
  const char *path = thud_test_path("stop.h5");
  record_channels record;
  size_t event;
  record_copy_run(context, scene_text(delicate[PUCK]), path);
  record_channels_load(context, path, &record);
  size_t row = frame_of(&record, SLIP, &event);
  *record_table_number(&record.frames, "q", row, COORDINATES + ACROSS) += 3e-11;
  *record_table_number(&record.events, "after", event, ACROSS) += 3e-11;
  record_channels_save(context, path, &record);
  thud_verify_result result = verify(context, path, 0);
  assert_failed(&result, "continuity");
  record_channels_free(&record);
  thud_test_context_end(context);
}

/* A ball strikes two that touch: by the law, and one contact after the other. The record of the second motion is judged
 * as a branch, because it says so and only where it does. */
static void a_branch_is_held_to_the_axioms_where_it_forks(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(20261118);
  record_channels record;
  char first[512], path[512];
  snprintf(first, sizeof first, "%s", thud_test_path("fork.h5"));
  snprintf(path, sizeof path, "%s", thud_test_path("fork.branch-2.h5"));
  record_copy_run_branches(
      context,
      scene_text("system: {coordinates: [x, y, z], kinetic_energy: \"(x'^2 + y'^2 + z'^2)/2\", impact_law: newton,"
                 " constraints: [{name: left, gap: y - x, restitution: 0.8}, {name: right, gap: z - y, restitution:"
                 " 0.8}]}, initial: {x: -1, y: 0, z: 0, \"x'\": 1}, simulate: {method: event-driven, end: 1.5}"),
      first, 2);
  thud_verify_result result = verify(context, first, 0);
  if (result.verdict != THUD_VERIFY_GOOD) fail_msg("%s", result.reason);
  result = verify(context, path, 0);
  if (result.verdict != THUD_VERIFY_GOOD) fail_msg("%s", result.reason);
  bool reported = false;
  for (size_t k = 0; k < result.check_count; k++)
    reported = reported || strstr(result.checks[k].detail, "branch: outcome 2 of 2 at t = 1") != NULL;
  assert_true(reported);
  record_channels_load(context, path, &record);
  tamper_here_and_there(context, &record, &random);
  for (size_t k = 0; k < record.warning_count; k++) record.warning_times[k] += 0.125;
  record_channels_save(context, path, &record);
  result = verify(context, path, 0);
  assert_failed(&result, "impacts");
  record_channels_free(&record);
  thud_test_context_end(context);
}

/* Two balls strike at once; the record lets one of them pass, as if it were open. */
static void a_contact_that_is_closed_cannot_be_called_open(void **state) {
  (void)state;
  enum { IMPACT = 0, B = 1, COORDINATES = 2 };
  thud_context *context = thud_test_context(1);
  const char *path = thud_test_path("passed.h5");
  record_channels record;
  record_copy_run(context,
                  scene_text("system: {coordinates: [a, b], kinetic_energy: \"0.5*(a'^2 + b'^2)\", potential_energy:"
                             " 9.81*(a + b), constraints: [{name: fa, gap: a, restitution: 0.5}, {name: fb, gap: b,"
                             " restitution: 0.5}]}, initial: {a: 1, b: 1}, simulate: {method: event-driven, end: 0.6}"),
                  path);
  record_channels_load(context, path, &record);
  size_t event, row = frame_of(&record, IMPACT, &event), constraints = record_table_find(&record.events, "constraints");
  /* the lists of the event without their last entry, b's */
  static const char *const lists[] = {"constraints", "reactions", "impulse", "changed"};
  assert_int_equal(record_table_size(&record.events, constraints, event), 2);
  assert_int_equal(record.events.rows, 1);
  for (int k = 0; k < 4; k++) record.events.columns[record_table_find(&record.events, lists[k])].starts[event + 1]--;
  record.events.columns[record_table_find(&record.events, "modes")].starts[event + 1] -= 2;
  *record_table_number(&record.frames, "mode", row, B) = 0;
  double left = *record_table_number(&record.frames, "v_left", row, B);
  *record_table_number(&record.frames, "q", row, COORDINATES + B) = left;
  *record_table_number(&record.events, "after", event, B) = left;
  record_channels_save(context, path, &record);
  thud_verify_result result = verify(context, path, 0);
  assert_failed(&result, "impacts");
  record_channels_free(&record);
  thud_test_context_end(context);
}

/* Numbers of the first event, and the names of what it lists. */
static void wrong_events_fail_the_check_of_events(thud_context *context, const char *path, record_channels *record) {
  static const struct {
    const char *name;
    double change;
  } wrong[] = {{"t", 1e-9}, {"before", 1e-15}, {"after", 1e-15}, {"modes", 1}, {"order", 1}, {"ledger", 1e-15}};
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    double *number = record_table_number(&record->events, wrong[k].name, 0, 0), kept = *number;
    *number += wrong[k].change * (1 + fabs(kept));
    if (*number == kept || wrong[k].change == 1) *number = kept + 1;
    record_channels_save(context, path, record);
    thud_verify_result result = verify(context, path, 0);
    if (status_of(&result, "events") != THUD_VERIFY_FAILED) fail_msg("'%s': %s", wrong[k].name, result.reason);
    *number = kept;
  }
}

static void wrong_names_fail_the_check_of_the_structure(thud_context *context, const char *path,
                                                        record_channels *record) {
  static const char *const channels[] = {"reactions", "kind", "modes"}, *const other[] = {"flood", "b", "c", "d",
                                                                                          "e",     "f", "g", "h",
                                                                                          "i",     "j", "k", "l"};
  for (size_t k = 0; k < 3; k++) {
    thud_record_channel *about = &record->events.columns[record_table_find(&record->events, channels[k])].about;
    const char *const *kept = about->labels;
    about->labels = other;
    record_channels_save(context, path, record);
    thud_verify_result result = verify(context, path, 0);
    assert_failed(&result, "structure");
    about->labels = kept;
  }
}

static void wrong_notes_fail_the_check_of_events(thud_context *context, const char *path, record_channels *record) {
  record_column *note = &record->events.columns[record_table_find(&record->events, "note")];
  char *bytes = note->bytes, said[] = "turns round";
  note->bytes = said;
  for (size_t e = 1; e <= record->events.rows; e++) note->starts[e] = strlen(said);
  record_channels_save(context, path, record);
  thud_verify_result result = verify(context, path, 0);
  assert_failed(&result, "events");
  note->bytes = bytes;
  for (size_t e = 1; e <= record->events.rows; e++) note->starts[e] = 0;
}

static void events_and_summary_must_tell_the_same(void **state) {
  (void)state;
  static const char *const summaries[][2] = {{"\"impacts\": ", "\"impacts\": 1"},
                                             {"\"zeno_limits\": 1", "\"zeno_limits\": 2"},
                                             {"\"verdict\": \"good\"", "\"verdict\": \"bad\""},
                                             {"\"events_total\": ", "\"events_total\": 1"},
                                             {"\"work\": ", "\"work\": 1"}};
  thud_context *context = thud_test_context(1);
  const char *path = thud_test_path("notes.h5");
  record_channels record;
  record_copy_run(context, scene_text(scenes[0]), path);
  record_channels_load(context, path, &record);
  record_channels_save(context, path, &record);
  thud_verify_result result = verify(context, path, 0);
  if (result.verdict != THUD_VERIFY_GOOD) fail_msg("a faithful copy: %s", result.reason);
  wrong_events_fail_the_check_of_events(context, path, &record);
  wrong_names_fail_the_check_of_the_structure(context, path, &record);
  wrong_notes_fail_the_check_of_events(context, path, &record);
  for (size_t k = 0; k < sizeof summaries / sizeof *summaries; k++) {
    char *kept = record.summary;
    record.summary = malloc(strlen(kept) + 1);
    assert_non_null(record.summary);
    strcpy(record.summary, kept);
    record_copy_edit(&record.summary, summaries[k][0], summaries[k][1]);
    record_channels_save(context, path, &record);
    result = verify(context, path, 0);
    assert_failed(&result, "summary");
    free(record.summary);
    record.summary = kept;
  }
  record.events.rows--; /* the limit */
  record_channels_save(context, path, &record);
  result = verify(context, path, 0);
  assert_failed(&result, "structure");
  record.events.rows++;
  record_channels_free(&record);
  thud_test_context_end(context);
}

static void an_unfinished_record_is_checked_up_to_its_last_row(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const char *path = thud_test_path("cut.h5");
  record_channels record;
  record_copy_run(context, scene_text(scenes[0]), path);
  record_channels_load(context, path, &record);
  record.frames.rows = 20;
  record.finished = false;
  for (record.events.rows = 19; record.events.rows <= 20; record.events.rows++) {
    /* the first frame has no event, every other one has; an event may wait for its frame */
    record_channels_save(context, path, &record);
    thud_verify_result result = verify(context, path, 0);
    assert_int_equal(result.verdict, THUD_VERIFY_UNFINISHED);
  }
  record_channels_save(context, path, &record); /* 21 events: the last one belongs to a frame far beyond */
  thud_verify_result result = verify(context, path, 0);
  assert_failed(&result, "structure");
  record_channels_free(&record);
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(runs_pass_with_tight_tolerances),
                                     cmocka_unit_test(other_laws_of_impact_are_held_to_the_axioms),
                                     cmocka_unit_test(right_motions_raise_no_alarm),
                                     cmocka_unit_test(one_changed_number_of_a_run_is_found),
                                     cmocka_unit_test(stated_bounds_and_brackets_are_confirmed),
                                     cmocka_unit_test(a_contact_that_is_closed_cannot_be_called_open),
                                     cmocka_unit_test(a_branch_is_held_to_the_axioms_where_it_forks),
                                     cmocka_unit_test(a_stop_takes_no_more_than_its_time_tolerance_allows),
                                     cmocka_unit_test(events_and_summary_must_tell_the_same),
                                     cmocka_unit_test(an_unfinished_record_is_checked_up_to_its_last_row)};
  return cmocka_run_group_tests(tests, thud_test_folder_make, thud_test_folder_remove);
}
