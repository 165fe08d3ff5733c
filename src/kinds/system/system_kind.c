/* What the kinds of Lagrangian motions share: lines and warnings of their reports, the diagnosis of their start. */
#include "kinds/kinds.h"
#include "run/run.h"
#include "kinds/system/system_scales.h"
#include "kinds/system/system_scene.h"
#include "motions/event/event_probe.h"

#include <math.h>
#include <stdio.h>

const char *thud_system_constraint_name(const thud_system *system, thud_index i) {
  return i >= 0 && i < thud_system_constraint_count(system) ? thud_system_constraint(system, i)->name : NULL;
}

thud_row_names thud_system_row_names(const thud_scene *scene) {
  const scene_system *made = thud_scene_lagrangian(scene);
  return (thud_row_names){.coordinates = (const char *const *)scene->coordinates,
                          .velocities = (const char *const *)made->velocities,
                          .unit = thud_scene_common_unit(scene),
                          .time_unit = scene->time_unit,
                          .functions = made->functions};
}

/* Energies that are rounding beside the largest of them print as 0; the defect is what it is. */
void thud_system_report_energy(thud_report *report, const thud_ledger *ledger) {
  enum { ENERGIES = 6 };
  const double rounding = 1e-14;
  double energies[ENERGIES] = {ledger->kinetic,     ledger->potential,     ledger->work,
                               ledger->impact_loss, ledger->friction_loss, ledger->contact_loss};
  double scale = 0;
  for (size_t k = 0; k < ENERGIES; k++) scale = fmax(scale, fabs(energies[k]));
  for (size_t k = 0; k < ENERGIES; k++)
    if (fabs(energies[k]) <= rounding * scale) energies[k] = 0;
  thud_report_line(report, "energy", "kinetic %.6g, potential %.6g, work %.6g", energies[0], energies[1], energies[2]);
  thud_report_line(report, "losses", "impacts %.6g, friction %.6g, closing %.3g; scheme's defect %.3g", energies[3],
                   energies[4], energies[5], ledger->defect);
  if (ledger->scheme_loss != 0) thud_report_line(report, "scheme", "loses %.3g", ledger->scheme_loss);
}

void thud_system_warn_multiple(thud_report *report, const thud_system *system, const char *code, size_t impacts,
                               double cosine, double t, thud_index first, thud_index second) {
  if (impacts == 0 || fabs(cosine) < 1e-9 || first < 0) return;
  thud_report_warning(
      report, t, code,
      "%zu multiple impact%s on constraints that are not orthogonal in the kinetic metric (%s and %s: cosine %.6g at "
      "t = %.6g): the motion there depends discontinuously on the data",
      impacts, thud_plural(impacts), thud_system_constraint_name(system, first),
      thud_system_constraint_name(system, second), cosine, t);
}

void thud_system_warn_reduced(thud_report *report, double t, const char *code, size_t impacts) {
  if (impacts == 0) return;
  thud_report_warning(report, t, code,
                      "the restitution was reduced at %zu impact%s, where the impact law would have created energy",
                      impacts, thud_plural(impacts));
}

void thud_system_warn_accumulations(thud_report *report, const thud_system *system, size_t count, double t,
                                    thud_index constraint) {
  if (count == 0) return;
  thud_report_warning(
      report, t, "right-accumulation",
      "the data are not analytic at %zu time%s at which contacts were at rest (first: '%s' at t = %.10g): impacts "
      "could accumulate there from the right, and the motion found is one of possibly several",
      count, thud_plural(count), thud_system_constraint_name(system, constraint), t);
}

/* ---- building ---------------------------------------------------------------------------------------------------- */

void thud_system_destroy_motion(void *motion) {
  system_motion *made = motion;
  thud_motion_destroy(made->object.motion);
  thud_rows_destroy(made->object.rows);
  thud_free(made->scene->context, made);
}

thud_error thud_system_build(const system_family *family, thud_scene *scene, const thud_node *root, bool moves,
                             void **motion) {
  thud_error error = moves ? thud_scene_build_system(scene, root) : thud_scene_read_system_names(scene, root);
  system_motion *made = error == THUD_OK ? thud_alloc(scene->context, 1, family->size) : NULL;
  if (made == NULL) return error == THUD_OK ? THUD_ERROR_MEMORY : error;
  thud_row_names names = thud_system_row_names(scene);
  made->scene = scene;
  made->object.found = (char *)made + family->found;
  made->object.found_size = family->found_size;
  if (moves) error = family->begin(made);
  if (error != THUD_OK) error = thud_scene_place_start_error(scene, root, error);
  if (error == THUD_OK && moves)
    error = family->make_rows(scene->context, thud_scene_lagrangian(scene)->system, &names, &made->object.rows);
  if (error == THUD_OK)
    *motion = made;
  else
    thud_system_destroy_motion(made);
  return error;
}

const thud_record_layout *thud_system_layout(const void *motion) {
  return thud_rows_layout(((const system_motion *)motion)->object.rows);
}

/* ---- loads ------------------------------------------------------------------------------------------------------- */

static void list_families(thud_json *json, const thud_loads *loads) {
  thud_json_key(json, "families");
  thud_json_begin_array(json);
  for (size_t k = 0; k < loads->family_count; k++) {
    const thud_load_family *family = &loads->families[k];
    thud_json_begin_object(json);
    thud_json_integer_field(json, "kept", family->kept);
    thud_json_number_field(json, "weight", family->weight);
    thud_json_number_field(json, "tail", family->tail);
    thud_json_number_field(json, "impulse_tail", family->impulse_tail);
    thud_json_number_field(json, "velocity_error", family->velocity);
    if (family->has_limit) thud_json_number_field(json, "limit", family->limit);
    thud_json_key(json, "lumped");
    thud_json_bool(json, family->lumped);
    thud_json_end_object(json);
  }
  thud_json_end_array(json);
}

static void report_family(thud_report *report, size_t k, const thud_load_family *family) {
  char impulses[64] = "", velocities[64] = "";
  if (family->impulse_tail > 0) snprintf(impulses, sizeof impulses, ", impulses at most %.3g", family->impulse_tail);
  if (!isnan(family->velocity))
    snprintf(velocities, sizeof velocities, "; velocities err by at most %.3g", family->velocity);
  thud_report_line(report, "load", "family %zu: %lld kept, of weight %.10g; what is left weighs at most %.3g%s%s%s", k,
                   (long long)family->kept, family->weight, family->tail, family->lumped ? ", lumped at its limit" : "",
                   impulses, velocities);
}

/* Percussions that are written down and do nothing. */
static void warn_idle_loads(thud_report *report, const thud_system *system, const thud_loads *loads) {
  size_t outside = 0, empty = 0;
  thud_system_idle_loads(system, &outside, &empty);
  if (outside > 0)
    thud_report_warning(report, NAN, "percussions-outside",
                        "%zu percussion%s outside the run and %s no part in it; see system: {percussions: ...} and "
                        "start and end of simulate",
                        outside, outside == 1 ? " lies" : "s lie", outside == 1 ? "has" : "have");
  if (empty > 0)
    thud_report_warning(report, NAN, "empty-percussions",
                        "%zu percussion%s no impulse and no weight: nothing happens there", empty,
                        empty == 1 ? " has" : "s have");
  for (size_t k = 0; k < loads->family_count; k++)
    if (loads->families[k].limit_outside)
      thud_report_warning(report, NAN, "limit-outside",
                          "family %zu of the percussions accumulates at t = %.10g, outside the run: what is left of it "
                          "(at most %.6g) does not act",
                          k, loads->families[k].limit, loads->families[k].tail);
}

void thud_system_report_loads(thud_report *report, const thud_system *system) {
  thud_loads loads = thud_system_loads(system);
  warn_idle_loads(report, system, &loads);
  if (loads.count == 0 && loads.family_count == 0) return;
  thud_report_integer(report, "percussions", (int64_t)loads.count);
  if (report->json != NULL) list_families(report->json, &loads);
  thud_report_line(report, "load", "%zu percussion%s within the run", loads.count, thud_plural(loads.count));
  for (size_t k = 0; k < loads.family_count; k++) report_family(report, k, &loads.families[k]);
}

void thud_system_warn_truncated(thud_report *report, const thud_system *system, double t) {
  thud_loads loads = thud_system_loads(system);
  for (size_t k = 0; k < loads.family_count; k++) {
    const thud_load_family *family = &loads.families[k];
    bool weights = !family->lumped && family->tail > family->tolerance;
    if (!weights && !(family->impulse_tail > family->tolerance)) continue;
    char error[64] = "by an amount that is not known";
    if (!isnan(family->velocity)) snprintf(error, sizeof error, "by %.6g", family->velocity);
    thud_report_warning(report, t, "truncated-family",
                        "family %zu of the percussions was cut off after %lld: what is left out weighs at most %.6g "
                        "(impulses %.6g), which may change velocities %s",
                        k, (long long)family->kept, family->tail, family->impulse_tail, error);
  }
}

/* ---- friction ---------------------------------------------------------------------------------------------------- */

static void warn_of_frame(thud_report *report, const thud_friction_def *law, const thud_model_frame *frame, double t) {
  if (isnan(frame->scale)) return;
  if (!thud_model_frame_tangential(frame))
    thud_report_warning(report, t, "slip-not-tangential",
                        "slip %d of '%s' is not tangential: it contains the velocity of the gap (cosine %.3g), which "
                        "friction then resists, too; leave that part out of `slip`",
                        (int)frame->direction + 1, law->name, frame->cosine);
  else
    thud_report_warning(report, t, "gap-not-distance",
                        "the gap of '%s' changes %.6g times as fast as the distance that its slip is measured with%s: "
                        "friction is %.6g times what mu says; make the gap a distance, or give friction: "
                        "{normal_scale: %.6g}",
                        law->name, frame->scale, frame->expected != 1 ? ", which is not its normal_scale" : "",
                        frame->expected / frame->scale, frame->scale);
}

/* Losses are those of the slip relative to what moves beneath it, so that laws take energy and never give it. Where a
 * contact sticks, the mean velocity of a step is not 0 but of its length, with either sign: that is not worth a word. */
/* Friction on an equation, which stays closed whatever happens: where the tangential force can turn the sign of the normal
 * reaction, Coulomb does not define a law, and the motion may lock. What cannot be evaluated is left to the motion. */
static void warn_of_locking(thud_report *report, const thud_scene *scene, thud_index k) {
  const scene_system *made = thud_scene_lagrangian(scene);
  const thud_friction_def *law = thud_system_friction(made->system, k);
  thud_friction_convexity found;
  if (law->constraint < 0 || thud_system_constraint(made->system, law->constraint)->kind != THUD_CONSTRAINT_BILATERAL)
    return;
  thud_error error = thud_system_friction_convexity(scene->context, made->system, k, scene->start, made->q0, &found);
  if (error == THUD_ERROR_MEMORY) report->error = error;
  if (error == THUD_OK && !found.convex)
    thud_report_warning(
        report, scene->start, "friction-not-convex",
        "the law '%s' is not convex at the start: its tangential force turns the sign of the normal "
        "reaction from mu = %.6g on (coupling %.6g), the motion may lock, and Coulomb does not define it",
        law->name, found.largest_mu, found.coupling);
}

void thud_system_warn_friction(thud_report *report, const thud_scene *scene, const thud_ledger *ledger) {
  const double large = 0.01;
  const scene_system *made = thud_scene_lagrangian(scene);
  thud_index laws = thud_system_friction_count(made->system);
  for (thud_index k = 0; made->frames != NULL && k < laws; k++)
    warn_of_frame(report, thud_system_friction(made->system, k), &made->frames[k], scene->start);
  for (thud_index k = 0; made->frames != NULL && k < laws; k++) warn_of_locking(report, scene, k);
  if (ledger == NULL || laws == 0) return;
  double turnover = fabs(ledger->kinetic) + fabs(ledger->potential) + fabs(ledger->work) + fabs(ledger->impact_loss);
  if (!(ledger->friction_loss < -large * turnover)) return;
  thud_report_warning(report, scene->end, "negative-friction-loss",
                      "friction gave %.3g of energy, which it cannot: the slip of '%s'%s changes much within a step; "
                      "look for a wrong factor in it, and take shorter steps",
                      -ledger->friction_loss, thud_system_friction(made->system, 0)->name,
                      laws > 1 ? " or of another law" : "");
}

/* ---- checking ---------------------------------------------------------------------------------------------------- */

static const char *constraint_kind(thud_constraint_kind kind) {
  switch (kind) {
  case THUD_CONSTRAINT_UNILATERAL: return "unilateral";
  case THUD_CONSTRAINT_BILATERAL: return "equation";
  case THUD_CONSTRAINT_VELOCITY: return "velocity form";
  case THUD_CONSTRAINT_VELOCITY_ONE_SIDED: return "one-sided velocity form";
  }
  return "";
}

static void list_constraints(const thud_system *system, thud_report *report) {
  thud_json *json = report->json;
  thud_json_key(json, "constraints");
  thud_json_begin_array(json);
  for (thud_index i = 0; i < thud_system_constraint_count(system); i++) {
    const thud_constraint_def *constraint = thud_system_constraint(system, i);
    thud_json_begin_object(json);
    thud_json_string_field(json, "name", constraint->name);
    thud_json_string_field(json, "kind", constraint_kind(constraint->kind));
    thud_json_end_object(json);
    thud_report_line(report, "constraint", "%s: %s", constraint->name, constraint_kind(constraint->kind));
  }
  thud_json_end_array(json);
}

static void write_figures(const thud_system *system, const thud_system_diagnosis *found, int series_order,
                          thud_report *report) {
  if (series_order > 0) thud_report_integer(report, "order", series_order);
  thud_report_integer(report, "friction_laws", thud_system_friction_count(system));
  thud_report_integer(report, "acting", found->active_count);
  if (found->not_computed == NULL) {
    thud_report_integer(report, "rank", found->rank);
    thud_report_number(report, "condition", found->condition);
  } else {
    thud_report_string(report, "not_computed", found->not_computed);
  }
  thud_report_flag(report, "condition_is_bound", found->condition_is_bound);
  thud_report_number(report, "mass_condition", found->mass_condition);
  thud_report_flag(report, "mass_condition_is_bound", found->mass_condition_is_bound);
  thud_report_flag(report, "qualified", found->qualified);
  thud_report_number(report, "worst_cosine", found->worst_cosine);
  thud_report_string(report, "cosine_first", thud_system_constraint_name(system, found->cosine_first));
  thud_report_string(report, "cosine_second", thud_system_constraint_name(system, found->cosine_second));
}

static void write_lines(const thud_scene *scene, const thud_system_diagnosis *found, int series_order,
                        thud_report *report) {
  const thud_system *system = thud_scene_lagrangian(scene)->system;
  const char *method = scene->kind->method(scene->motion);
  thud_index laws = thud_system_friction_count(system);
  if (laws > 0) thud_report_line(report, "friction", "%d law%s", (int)laws, thud_plural((size_t)laws));
  if (found->not_computed == NULL)
    thud_report_line(report, "start", "%d constraint%s, rank %d", (int)found->active_count,
                     found->active_count == 1 ? " acts" : "s act", (int)found->rank);
  else
    thud_report_line(report, "start", "%d constraints act; rank and condition not computed: %s",
                     (int)found->active_count, found->not_computed);
  if (found->not_computed == NULL && found->rank < found->active_count)
    thud_report_warning(report, NAN, "indeterminate-forces",
                        "the forces of the acting constraints are not unique (rank %d of %d)", (int)found->rank,
                        (int)found->active_count);
  if (found->cosine_first >= 0 && fabs(found->worst_cosine) > 1e-9)
    thud_report_warning(report, NAN, "non-orthogonal",
                        "%s and %s act together and are not orthogonal (kinetic cosine %.6g)",
                        thud_system_constraint_name(system, found->cosine_first),
                        thud_system_constraint_name(system, found->cosine_second), found->worst_cosine);
  if (series_order > 0)
    thud_report_line(report, "run", "%s, power series of order %d between events, t = %g to %g", method, series_order,
                     scene->start, scene->end);
  else if (scene->steps > 0)
    thud_report_line(report, "run", "%s, %d steps, t = %g to %g", method, (int)scene->steps, scene->start, scene->end);
  else
    thud_report_line(report, "run", "%s, controlled steps, t = %g to %g", method, scene->start, scene->end);
}

void thud_system_list_constraints(const thud_system *system, uint64_t set, char *names, size_t capacity) {
  size_t used = 0;
  names[0] = '\0';
  for (thud_index i = 0; i < thud_system_constraint_count(system) && i < 64 && used < capacity; i++)
    if ((set >> i & 1u) != 0)
      used += (size_t)snprintf(names + used, capacity - used, "%s%s", used > 0 ? ", " : "",
                               thud_system_constraint_name(system, i));
}

void thud_system_warn_unqualified(thud_report *report, const thud_system *system, uint64_t set, double t) {
  char names[256];
  if (set == 0) return;
  thud_system_list_constraints(system, set, names, sizeof names);
  thud_report_warning(report, t, "unqualified-point",
                      "the gradients of %s become dependent at t = %.10g: the point is not qualified, their forces are "
                      "not unique or not bounded there, and other motions may branch off",
                      names, t);
}

/* Frobenius' condition of the velocity forms. */
static void report_integrability(const thud_scene *scene, thud_report *report) {
  const scene_system *made = thud_scene_lagrangian(scene);
  thud_integrability found;
  thud_error error = thud_model_integrability(scene->context, made->system, scene->start, made->q0, &found);
  if (error == THUD_ERROR_MEMORY) report->error = error;
  if (error != THUD_OK || found.places == 0) return;
  thud_report_flag(report, "integrable", found.integrable);
  thud_report_integer(report, "integrable_places", found.places);
  thud_report_number(report, "integrable_worst", found.worst);
  const char *those = found.forms == 1 ? "the velocity form is" : "the velocity forms are";
  if (found.integrable)
    thud_report_line(
        report, "frobenius",
        "%s integrable: d(form) is 0 on the velocities that are allowed, to %.2g at %d place%s; an 'equation' "
        "would keep it without drift",
        those, found.worst, found.places, thud_plural((size_t)found.places));
  else
    thud_report_line(report, "frobenius", "%s not integrable: d(%s) on the velocities that are allowed is %.3g %s",
                     those, thud_system_constraint_name(made->system, found.form), found.curl,
                     found.at_start ? "at the start" : "near the start");
}

thud_error thud_system_report_check(const thud_scene *scene, thud_report *report, int series_order) {
  const double gap_tolerance = 1e-8; /* closed at the start, in the unit of the gaps */
  const scene_system *made = thud_scene_lagrangian(scene);
  thud_system_diagnosis found = {0};
  thud_error error =
      thud_system_diagnose(scene->context, made->system, scene->start, made->q0, made->v0, gap_tolerance, &found);
  if (error == THUD_OK && (!found.qualified || found.equation_rank < found.equation_count))
    error = thud_event_probe_once(scene->context, made->system, scene->start, made->q0, made->v0, gap_tolerance);
  if (error != THUD_OK) return error;
  thud_report_line(report, "kind", "Lagrangian system, %d coordinate%s, %s mass matrix (condition %s%.3g at the start)",
                   (int)scene->dimension, thud_plural((size_t)scene->dimension),
                   thud_system_has_constant_mass(made->system) ? "constant" : "changing",
                   found.mass_condition_is_bound ? "at least " : "", found.mass_condition);
  list_constraints(made->system, report);
  report_integrability(scene, report);
  write_figures(made->system, &found, series_order, report);
  thud_system_report_loads(report, made->system);
  thud_system_report_step(scene, report);
  thud_system_warn_friction(report, scene, NULL);
  write_lines(scene, &found, series_order, report);
  return THUD_OK;
}

const thud_system *thud_scene_system(const thud_scene *scene, const double **position, const double **velocity) {
  THUD_REQUIRE_OR(NULL, scene);
  const scene_system *made = thud_scene_lagrangian(scene);
  if (made == NULL) return NULL;
  if (position != NULL) *position = made->q0;
  if (velocity != NULL) *velocity = made->v0;
  return made->system;
}
