/* Rigid bodies as a kind of motion: verdict and report, building, going on, the table. */
#include "kinds/bodies/bodies_scales.h"
#include "model/joint.h"
#include "run/run_bodies.h"
#include "kinds/kinds.h"
#include "record/rows.h"
#include "run/run_report.h"
#include "motions/motion.h"
#include "run/run.h"
#include "scene/scene_options.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What belongs to the state beside the motion itself. */
typedef struct bodies_findings {
  thud_body_motion_info info; /* processor times are 0 */
  double largest_kinetic;
  bool begun;    /* the start has been handed out */
  size_t change; /* the next of the scene's changes */
} bodies_findings;

/* A motion is coarse when moving shapes apart and the discretisation added or took more than this part of the energy
 * that was exchanged, when shapes overlapped by more than that part of the thinner one, or when a body was moved by more
 * than that part of the thinnest one in one step. */
static const double coarse_energy = 0.05, coarse_overlap = 0.01, coarse_lift = 0.5;
/* Mechanisms without contacts and laws of joints lose and gain energy only by the discretisation: where closing their joints adds more
 * than this part of what was exchanged, vibrations that the step does not resolve grow (taut chains). */
static const double coarse_gain = 0.01;
/* A body that is moved by more than this part of the thinnest one in one step is worth a warning. */
static const double large_lift = 0.05;

/* ---- sizes ------------------------------------------------------------------------------------------------------------------- */

static const char *name_of(const bodies_scene *made, thud_index body) {
  return body >= 0 && (size_t)body < made->body_count ? made->body_names[body] : NULL;
}

typedef struct body_sizes {
  size_t dynamic, fixed, kinematic;
  double mass, lightest, heaviest, thinnest;
  double allowed; /* energy of lifting every body by what the tolerance of penetration allows */
} body_sizes;

static bool measure(const bodies_scene *made, thud_bodies_view *view, body_sizes *sizes) {
  *sizes = (body_sizes){.lightest = INFINITY, .thinnest = INFINITY};
  if (thud_bodies_get(made->bodies, view) != THUD_OK) return false;
  double gravity = thud_vec3_norm(view->gravity);
  for (thud_index i = 0; i < view->count; i++) {
    sizes->fixed += view->role[i] == THUD_BODY_FIXED;
    sizes->kinematic += view->role[i] == THUD_BODY_KINEMATIC;
    if (view->role[i] != THUD_BODY_DYNAMIC) continue;
    double thickness = thud_bodies_thinnest_part(view, i);
    sizes->dynamic++;
    sizes->mass += view->mass[i];
    sizes->lightest = fmin(sizes->lightest, view->mass[i]);
    sizes->heaviest = fmax(sizes->heaviest, view->mass[i]);
    sizes->thinnest = fmin(sizes->thinnest, thickness);
    if (isfinite(thickness)) sizes->allowed += view->mass[i] * gravity * made->options.penetration * thickness;
  }
  return true;
}

/* ---- verdict ------------------------------------------------------------------------------------------------------------------ */

static double overlap_part(const thud_bodies_view *view, const thud_body_motion_info *info) {
  if (info->worst_penetration_a < 0 || info->worst_penetration_b < 0) return 0;
  double thin = fmin(thud_bodies_thinnest_part(view, info->worst_penetration_a),
                     thud_bodies_thinnest_part(view, info->worst_penetration_b));
  return isfinite(thin) ? info->worst_penetration / thin : 0;
}

static bool is_mechanism_alone(const thud_bodies_view *view, const thud_body_motion_info *info) {
  for (thud_index k = 0; k < view->joint_count; k++)
    if (view->joints[k].law_count > 0) return false;
  return view->joint_count > 0 && info->most_contacts == 0;
}

/* "coarse", or NULL for good: of a motion that has arrived. Why, in text (may be NULL). */
static const char *judge(const bodies_scene *made, const bodies_findings *found, const thud_body_ledger *ledger,
                         char *text, size_t capacity) {
  thud_bodies_view view;
  body_sizes sizes;
  if (!measure(made, &view, &sizes)) return NULL;
  const thud_body_motion_info *info = &found->info;
  double exchanged = fabs(ledger->work) + ledger->impact_loss + ledger->friction_loss + fabs(ledger->contact_loss) +
                     found->largest_kinetic;
  double wrong = fabs(ledger->defect) + fabs(ledger->lift), overlap = overlap_part(&view, info);
  bool energy = wrong > coarse_energy * exchanged + sizes.allowed, deep = overlap > coarse_overlap;
  bool gains = is_mechanism_alone(&view, info) &&
               ledger->defect + ledger->lift > coarse_gain * fmax(exchanged, 0) + sizes.allowed;
  bool far = info->largest_lift > coarse_lift * sizes.thinnest;
  bool passed = info->passings > 0, turns = fabs(info->joint_loss) > coarse_energy * exchanged + sizes.allowed;
  const char *unit = made->units.energy;
  const char *cure = made->turned_mesh >= 0 ? "bodies begin behind an open mesh, see the warning mesh-winding"
                                            : "shorter steps would do";
  if (text != NULL && energy)
    snprintf(
        text, capacity,
        "moving shapes apart added %.3g %s and the discretisation %.3g %s, together %.3g %% of the energy that was "
        "exchanged (%.3g %s); %s",
        ledger->lift, unit, ledger->defect, unit, 100 * wrong / exchanged, exchanged, unit, cure);
  else if (text != NULL && gains)
    snprintf(text, capacity,
             "closing joints added %.3g %s, %.3g %% of the energy that was exchanged: taut chains vibrate faster than "
             "the step can follow; shorter steps would do",
             ledger->lift + ledger->defect, unit, 100 * (ledger->lift + ledger->defect) / exchanged);
  else if (text != NULL && turns)
    snprintf(text, capacity,
             "bodies turn so far within a step that joints took %.3g %s, %.3g %% of the energy that was exchanged; "
             "shorter steps would do",
             info->joint_loss, unit, 100 * fabs(info->joint_loss) / exchanged);
  else if (text != NULL && deep)
    snprintf(text, capacity, "'%s' and '%s' overlap by %.3g %s at t = %.6g, %.3g %% of the thinner one; %s",
             name_of(made, info->worst_penetration_a), name_of(made, info->worst_penetration_b),
             info->worst_penetration, made->units.length, info->worst_penetration_time, 100 * overlap, cure);
  else if (text != NULL && far)
    snprintf(text, capacity, "a body was moved by %.3g %s in one step, %.3g %% of the thinnest body; %s",
             info->largest_lift, made->units.length, 100 * info->largest_lift / sizes.thinnest, cure);
  else if (text != NULL && passed)
    snprintf(text, capacity, "fast bodies passed through others, first '%s' and '%s' before t = %.6g",
             name_of(made, info->passing_a), name_of(made, info->passing_b), info->passing_time);
  return energy || gains || turns || deep || far || passed ? "coarse" : NULL;
}

/* ---- figures --------------------------------------------------------------------------------------------------------------------- */

static void report_figures(const bodies_scene *made, const thud_body_motion_info *info, const thud_body_frame *frame,
                           thud_report *report) {
  bool thinned = report->for_record && made->scene->record_every > 0; /* the record lacks steps */
  thud_report_integer(report, "bodies", frame->count);
  if (!thinned) {
    thud_report_integer(report, "steps", (int64_t)info->steps);
    thud_report_number(report, "residual", info->worst_residual);
    thud_report_number(report, "residual_time", info->worst_residual_time);
    thud_report_string(report, "residual_a", name_of(made, info->worst_a));
    thud_report_string(report, "residual_b", name_of(made, info->worst_b));
    thud_report_number(report, "usual_residual", info->worst_usual_residual);
    thud_report_number(report, "penetration", info->worst_penetration);
    thud_report_number(report, "penetration_time", info->worst_penetration_time);
    thud_report_string(report, "penetration_a", name_of(made, info->worst_penetration_a));
    thud_report_string(report, "penetration_b", name_of(made, info->worst_penetration_b));
  }
  if (report->for_record) return;
  thud_report_integer(report, "contacts", (int64_t)info->contacts);
  thud_report_integer(report, "most_contacts", (int64_t)info->most_contacts);
  thud_report_integer(report, "islands", frame->island_count);
  thud_report_integer(report, "impacts", (int64_t)info->impacts);
  thud_report_integer(report, "reduced_restitutions", (int64_t)info->reduced_restitutions);
  thud_report_integer(report, "unsolved_islands", (int64_t)info->unsolved_islands);
  thud_report_integer(report, "projections", (int64_t)info->projections);
  thud_report_number(report, "largest_lift", info->largest_lift);
  thud_report_integer(report, "passings", (int64_t)info->passings);
  thud_report_integer(report, "lost_starts", (int64_t)info->lost_starts);
}

static void report_lines(const bodies_scene *made, const thud_body_motion_info *info, const thud_body_frame *frame,
                         thud_report *report) {
  const thud_body_ledger *ledger = &frame->ledger;
  const char *unit = made->units.energy, *length = made->units.length;
  thud_report_line(report, "contacts", "%zu in %d island%s at the end, at most %zu; %zu impact%s", info->contacts,
                   (int)frame->island_count, thud_plural((size_t)frame->island_count), info->most_contacts,
                   info->impacts, thud_plural(info->impacts));
  thud_report_line(report, "energy", "kinetic %.6g, potential %.6g, work %.6g %s", ledger->kinetic, ledger->potential,
                   ledger->work, unit);
  if (ledger->kinematic_work != 0)
    thud_report_line(report, "paths", "bodies on given paths did %.6g %s of the work", ledger->kinematic_work, unit);
  thud_report_line(report, "losses", "impacts %.6g, friction %.6g, closing %.3g; lift %.3g, defect %.3g %s",
                   ledger->impact_loss, ledger->friction_loss, ledger->contact_loss, ledger->lift, ledger->defect,
                   unit);
  if (frame->joint_count > 0)
    thud_report_line(report, "joints", "%d joint%s, closed up to %.3g %s at the end", (int)frame->joint_count,
                     thud_plural((size_t)frame->joint_count), frame->joint_gap, length);
  if (info->worst_a >= 0)
    thud_report_line(report, "residual", "%.3g (worst, %s and %s at t = %.6g)", info->worst_residual,
                     name_of(made, info->worst_a), name_of(made, info->worst_b), info->worst_residual_time);
  if (info->worst_penetration_a >= 0)
    thud_report_line(report, "overlap", "%.3g %s (worst, %s and %s at t = %.6g)", info->worst_penetration, length,
                     name_of(made, info->worst_penetration_a), name_of(made, info->worst_penetration_b),
                     info->worst_penetration_time);
}

/* ---- warnings -------------------------------------------------------------------------------------------------------------------- */

static void warn(const bodies_scene *made, const bodies_findings *found, const thud_body_ledger *ledger,
                 thud_report *report) {
  const thud_body_motion_info *info = &found->info;
  thud_bodies_view view;
  body_sizes sizes;
  char text[512];
  if (info->reduced_restitutions > 0)
    thud_report_warning(report, info->time, "energy-gain-reduced",
                        "the restitution was reduced in %zu island%s, where it would have created energy",
                        info->reduced_restitutions, thud_plural(info->reduced_restitutions));
  bool proved = info->status == THUD_MOTION_INFEASIBLE; /* no solver would have solved it */
  if (proved)
    thud_report_warning(
        report, info->worst_residual_time, "proved-infeasible",
        "bodies that do not give way squeeze others, which is proved to have no solution; the worst contact "
        "is that of %s and %s",
        info->worst_a >= 0 ? name_of(made, info->worst_a) : "-",
        info->worst_b >= 0 ? name_of(made, info->worst_b) : "-");
  if (info->unsolved_islands > 0 && !proved)
    thud_report_warning(report, info->worst_residual_time, "unsolved-islands",
                        "%zu island%s missed the tolerance of the steps; the worst contact is that of %s and %s",
                        info->unsolved_islands, thud_plural(info->unsolved_islands),
                        info->worst_a >= 0 ? name_of(made, info->worst_a) : "-",
                        info->worst_b >= 0 ? name_of(made, info->worst_b) : "-");
  if (info->passings > 0)
    thud_report_warning(report, info->passing_time, "tunnelling",
                        "'%s' and '%s' passed through each other without a contact in the step before t = %.6g%s; "
                        "shorten the step, and do not set simulate: {continuous: false}",
                        name_of(made, info->passing_a), name_of(made, info->passing_b), info->passing_time,
                        info->passings > 1 ? ", and more did later" : "");
  if (info->lost_starts > 0)
    thud_report_warning(report, info->time, "lost-starts",
                        "%zu contact%s had no room for the impulses to start from; simulate: {contacts_per_body: ...}",
                        info->lost_starts, thud_plural(info->lost_starts));
  if (measure(made, &view, &sizes) && info->largest_lift > large_lift * sizes.thinnest)
    thud_report_warning(report, info->time, "large-lift",
                        "a body was moved by %.3g %s in one step to part overlapping shapes, %.3g %% of the thinnest "
                        "body; %s",
                        info->largest_lift, made->units.length, 100 * info->largest_lift / sizes.thinnest,
                        made->turned_mesh >= 0 ? "see the warning mesh-winding"
                                               : "shorter steps usually make it smaller");
  if (info->status == THUD_MOTION_COMPLETED && judge(made, found, ledger, text, sizeof text) != NULL)
    thud_report_warning(report, info->time, "coarse", "%s", text);
}

/* "top.Fz, bottom.Fz": components of forces and moments of joints, as the record names them. */
static void name_components(const thud_bodies_view *view, const unsigned char *components, char *text,
                            size_t capacity) {
  static const char *const names[] = {"Fx", "Fy", "Fz", "Mx", "My", "Mz"};
  enum { SHOWN = 24 };
  size_t used = 0, count = 0;
  text[0] = '\0';
  for (thud_index k = 0; k < view->joint_count; k++)
    for (int c = 0; c < 6; c++) {
      if ((components[k] >> c & 1) == 0 || count++ >= SHOWN || used > capacity - 100) continue;
      const char *name = view->planar && c == 5 ? "M" : names[c];
      used += (size_t)snprintf(text + used, capacity - used, "%s%.60s.%s", used > 0 ? ", " : "", view->joints[k].name,
                               name);
    }
  if (count > SHOWN) snprintf(text + used, capacity - used, ", and %zu more", count - SHOWN);
}

/* Which forces of joints the equations at the end do not determine. */
static void report_redundancy(thud_motion *motion, const bodies_scene *made, thud_report *report) {
  char text[2600];
  thud_bodies_view view;
  thud_index equations = 0;
  if (thud_bodies_get(made->bodies, &view) != THUD_OK || view.joint_count == 0) return;
  unsigned char *components = THUD_NEW_ARRAY(made->context, unsigned char, (size_t)view.joint_count);
  if (components != NULL && thud_body_motion_undetermined(motion, &equations, components) == THUD_OK) {
    name_components(&view, components, text, sizeof text);
    thud_report_integer(report, "redundant_equations", equations);
    thud_report_string(report, "undetermined", text);
    if (equations > 0)
      thud_report_line(
          report, "redundant",
          "%d equation%s of joints; each of these can be any real number: %s (at the end); what else joints "
          "bear is determined",
          (int)equations, thud_plural((size_t)equations), text);
  }
  thud_free(made->context, components);
}

static void report_motion(const bodies_scene *made, const bodies_findings *found, const thud_body_frame *frame,
                          thud_report *report) {
  const thud_body_motion_info *info = &found->info;
  thud_report_method(report, "%zu step%s", info->steps, thud_plural(info->steps));
  report_figures(made, info, frame, report);
  report_lines(made, info, frame, report);
  thud_bodies_report_traps(made, false, report);
  warn(made, found, &frame->ledger, report);
}

/* ---- diagnosis ---------------------------------------------------------------------------------------------------------------------- */

/* "2 hinges and 1 slider hold 3 bodies": how many of each kind. */
static void report_joints(const thud_bodies_view *view, thud_report *report) {
  char text[256];
  size_t used = 0;
  for (int kind = 0; kind < THUD_JOINT_KINDS; kind++) {
    size_t count = 0;
    for (thud_index k = 0; k < view->joint_count; k++) count += view->joints[k].kind == kind;
    if (count > 0 && used < sizeof text - 32)
      used += (size_t)snprintf(text + used, sizeof text - used, "%s%zu %s", used > 0 ? ", " : "", count,
                               thud_joint_names()[kind]);
  }
  thud_report_line(report, "joints", "%s", text);
  thud_report_integer(report, "joints", view->joint_count);
}

static thud_error report_check(const bodies_scene *made, thud_report *report) {
  thud_bodies_view view;
  body_sizes sizes;
  const thud_scene *scene = made->scene;
  if (!measure(made, &view, &sizes)) return THUD_ERROR_INTERNAL;
  thud_report_line(report, "kind", "%d rigid bod%s %s: %zu dynamic, %zu fixed, %zu kinematic", (int)view.count,
                   view.count == 1 ? "y" : "ies", view.planar ? "of the plane" : "in space", sizes.dynamic, sizes.fixed,
                   sizes.kinematic);
  thud_report_line(report, "made of", "%d part%s of %d shape%s, %d material%s; %d spring%s", (int)view.part_count,
                   thud_plural((size_t)view.part_count), (int)view.shape_count, thud_plural((size_t)view.shape_count),
                   (int)view.material_count, thud_plural((size_t)view.material_count), (int)view.spring_count,
                   thud_plural((size_t)view.spring_count));
  if (view.joint_count > 0) report_joints(&view, report);
  if (sizes.dynamic > 0)
    thud_report_line(report, "masses", "from %.6g to %.6g, %.6g %s in all", sizes.lightest, sizes.heaviest, sizes.mass,
                     made->units.mass);
  thud_report_integer(report, "bodies", view.count);
  thud_report_integer(report, "dynamic", (int64_t)sizes.dynamic);
  thud_report_integer(report, "fixed", (int64_t)sizes.fixed);
  thud_report_integer(report, "kinematic", (int64_t)sizes.kinematic);
  thud_report_integer(report, "parts", view.part_count);
  thud_report_integer(report, "shapes", view.shape_count);
  thud_report_integer(report, "springs", view.spring_count);
  thud_report_number(report, "mass", sizes.mass);
  thud_report_number(report, "lightest", sizes.dynamic > 0 ? sizes.lightest : (double)NAN);
  thud_report_number(report, "heaviest", sizes.dynamic > 0 ? sizes.heaviest : (double)NAN);
  thud_report_line(report, "run", "moreau-midpoint, %d steps, t = %g to %g", (int)scene->steps, scene->start,
                   scene->end);
  thud_bodies_report_traps(made, true, report);
  return THUD_OK;
}

/* ---- building -------------------------------------------------------------------------------------------------------- */

typedef struct rigid_bodies {
  thud_kind_object object;
  bodies_scene built;
  bodies_shown shown; /* for pictures, in place of the model */
  bodies_findings found;
  thud_error row_error; /* why the row of a node could not be made */
} rigid_bodies;

static void destroy(void *motion) {
  rigid_bodies *made = motion;
  thud_context *context = made->built.scene->context;
  thud_motion_destroy(made->object.motion);
  thud_rows_destroy(made->object.rows);
  thud_bodies_shown_free(&made->shown);
  thud_bodies_scene_free(&made->built);
  thud_free(context, made);
}

/* A change belongs to the row that comes next: the start must be there before. */
static int record_change(void *user, const thud_body_change *change) {
  rigid_bodies *made = user;
  return made->found.begun ? thud_rows_body_change(made->object.rows, change) : -1;
}

static int record_wake(void *user, const thud_body_event *event) {
  return thud_rows_body_event(((rigid_bodies *)user)->object.rows, event);
}

thud_error thud_kind_bodies_motion(void *motion, thud_bodies **bodies, thud_motion **moving) {
  rigid_bodies *made = motion;
  if (!made->found.begun)
    return thud_fail(made->built.scene->context, THUD_ERROR_ARGUMENT,
                     "the run has not begun: its first step, which records the start, comes before changes");
  if (bodies != NULL) *bodies = made->built.bodies;
  *moving = made->object.motion;
  return THUD_OK;
}

/* What is known once all bodies are there: the step, where the scene leaves it out, and how meshes are turned. */
static thud_error look_at_start(bodies_scene *built) {
  thud_bodies_view view;
  thud_error error = thud_bodies_get(built->bodies, &view);
  if (error != THUD_OK) return error;
  built->turned_mesh = thud_bodies_find_turned_mesh(&view);
  if (built->scene->steps > 0) return THUD_OK;
  scene_scales scales;
  error = thud_bodies_find_scales(built->scene, &view, &scales);
  if (error == THUD_OK) error = thud_scales_choose(built->scene, &scales);
  built->options.steps = built->scene->steps;
  return error;
}

/* Behind an open mesh bodies overlap it, however far they are apart. */
static thud_error explain_overlap(const bodies_scene *built, thud_error error) {
  bool overlap = error == THUD_ERROR_ARGUMENT && built->turned_mesh >= 0 &&
                 strcmp(thud_context_last_code(built->context), "start-overlaps") == 0;
  if (!overlap) return error;
  return thud_fail(
      built->context, error,
      "[mesh-winding] the open mesh of '%s' turns its inner side to the bodies, so that they overlap it at "
      "the start; turn its triangles over (swap two corners of each)",
      name_of(built, built->turned_mesh));
}

static thud_error build(thud_scene *scene, const thud_node *root, void **motion) {
  rigid_bodies *made = THUD_NEW(scene->context, rigid_bodies);
  if (made == NULL) return THUD_ERROR_MEMORY;
  bodies_scene *built = &made->built;
  thud_kind_object *object = &made->object;
  *object = (thud_kind_object){.found = &made->found, .found_size = sizeof made->found};
  thud_error error = thud_bodies_scene_build(scene, root, built);
  if (error == THUD_OK) error = look_at_start(built);
  if (error == THUD_OK)
    error = thud_bodies_scene_blame(built, root,
                                    explain_overlap(built, thud_body_motion_create(scene->context, built->bodies,
                                                                                   &built->options, &object->motion)));
  if (error == THUD_OK && built->told_size > 0) {
    built->told_values = THUD_NEW_ARRAY(scene->context, double, built->told_size);
    if (built->told_values == NULL) error = THUD_ERROR_MEMORY;
  }
  if (error == THUD_OK)
    error = thud_rows_create_told_bodies(scene->context, built->bodies, &built->rows, built->told_size,
                                         built->told_values, &object->rows);
  if (error == THUD_OK) error = thud_body_motion_set_changes(object->motion, record_change, record_wake, made);
  thud_bodies_scene_forget_nodes(built);
  if (error == THUD_OK)
    *motion = made;
  else
    destroy(made);
  return error;
}

/* Neither generators nor packings run again: the record lists what they made. */
static thud_error build_view(thud_scene *scene, const thud_node *root, void **motion) {
  rigid_bodies *made = THUD_NEW(scene->context, rigid_bodies);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->built = (bodies_scene){.scene = scene, .context = scene->context};
  thud_error error = thud_bodies_read_units(&made->built, root);
  if (error == THUD_OK) error = thud_bodies_read_shown(scene->context, root, &made->shown);
  if (error == THUD_OK)
    *motion = made;
  else
    destroy(made);
  return error;
}

static thud_error describe(const void *motion, thud_tree *resolved) {
  return thud_bodies_describe(&((const rigid_bodies *)motion)->built, resolved);
}

static const char *method(const void *motion) {
  (void)motion;
  return "moreau-midpoint";
}

static const thud_record_layout *layout(const void *motion) {
  return thud_rows_layout(((const rigid_bodies *)motion)->object.rows);
}

/* ---- going on -------------------------------------------------------------------------------------------------------------- */

/* Processor times are of the run, not of the motion: they would make checkpoints of equal motions differ. */
static thud_body_motion_info info_of(const thud_motion *motion) {
  thud_body_motion_info info = thud_body_motion_get_info(motion);
  info.free_seconds = info.detect_seconds = info.assemble_seconds = info.solve_seconds = info.project_seconds = 0;
  return info;
}

static int take_event(void *user, const void *event) {
  return thud_rows_body_event(((rigid_bodies *)user)->object.rows, event);
}

static int take_node(void *user, const void *given) {
  rigid_bodies *made = user;
  const thud_body_frame *frame = given;
  made->found.largest_kinetic = fmax(made->found.largest_kinetic, frame->ledger.kinetic);
  thud_bodies_gather_told(&made->built, frame->t, frame->step);
  made->row_error = thud_rows_reserve_bodies(made->object.rows, frame);
  return made->row_error == THUD_OK ? thud_rows_body_step(made->object.rows, frame) : -1;
}

static thud_error advance(void *motion, const thud_row_sink *sink, thud_reached *reached) {
  rigid_bodies *made = motion;
  bodies_findings *found = &made->found;
  thud_motion *moving = made->object.motion;
  const thud_scene *scene = made->built.scene;
  const thud_motion_sink rows = {.frame = take_node, .event = take_event, .user = made};
  thud_error error = THUD_OK;
  thud_rows_set_sink(made->object.rows, *sink);
  thud_rows_bodies_span(made->object.rows, scene->start, scene->record_every > 0);
  made->row_error = THUD_OK;
  if (found->begun)
    error = thud_bodies_apply_changes(&made->built, moving, thud_body_motion_present(moving).t, &found->change);
  found->begun = true;
  if (error == THUD_OK && made->built.told_count > 0 &&
      thud_bodies_remind_told(&made->built, thud_body_motion_present(moving).t) != 0)
    error = thud_fail(scene->context, THUD_ERROR_CALLBACK, "the function of a path failed at t = %g", found->info.time);
  if (error == THUD_OK) error = thud_motion_step(moving, &rows, reached);
  found->info = info_of(moving);
  if (error != THUD_OK) return made->row_error != THUD_OK ? made->row_error : error;
  if (reached->status == THUD_MOTION_COMPLETED) {
    thud_body_frame last = thud_body_motion_present(moving);
    reached->verdict = judge(&made->built, found, &last.ledger, NULL, 0);
  }
  return THUD_OK;
}

/* A node between two steps is good to end at. */
static thud_error arrive(void *motion, thud_reached *reached) {
  rigid_bodies *made = motion;
  thud_body_frame last = thud_body_motion_present(made->object.motion);
  made->found.info.status = THUD_MOTION_COMPLETED;
  reached->verdict = judge(&made->built, &made->found, &last.ledger, NULL, 0);
  return THUD_OK;
}

static thud_error fire(void *motion, size_t k) {
  rigid_bodies *made = motion;
  return thud_bodies_fire_change(&made->built, made->object.motion, k);
}

static bool has_contacts_everywhere(const void *motion) { return ((const rigid_bodies *)motion)->built.rows.contacts; }

static const thud_kind_contacts contacts = {.names = 2,
                                            .events = "bodies",
                                            .kinds = 1U << THUD_BODY_EVENT_BEGIN | 1U << THUD_BODY_EVENT_IMPACT,
                                            .first = "contact_a",
                                            .second = "contact_b",
                                            .impulse = "contact_impulse",
                                            .complete = has_contacts_everywhere};

static thud_error finish(void *motion, const thud_row_sink *sink) {
  rigid_bodies *made = motion;
  thud_body_frame frame = thud_body_motion_present(made->object.motion);
  thud_rows_set_sink(made->object.rows, *sink);
  return thud_rows_end_body_step(made->object.rows, &frame) < 0 ? THUD_ERROR_CALLBACK : THUD_OK;
}

static thud_error problem(const void *motion, thud_kind_problem *problem) {
  const rigid_bodies *made = motion;
  thud_body_frame frame = thud_body_motion_present(made->object.motion);
  *problem = (thud_kind_problem){.step = made->found.info.steps,
                                 .t = frame.t,
                                 .residual = frame.residual,
                                 .contacts = frame.contacts->count,
                                 .iterations = frame.iterations,
                                 .penetration = frame.penetration};
  if (problem->contacts == 0) return THUD_OK;
  return thud_body_motion_problem(made->object.motion, &problem->problem, &problem->r);
}

/* ---- the table ------------------------------------------------------------------------------------------------------- */

static void report(const void *motion, thud_report *report) {
  const rigid_bodies *made = motion;
  thud_body_frame frame = thud_body_motion_present(made->object.motion);
  report_motion(&made->built, &made->found, &frame, report);
  report_redundancy(made->object.motion, &made->built, report);
}

static thud_error check(const void *motion, thud_report *report) {
  return report_check(&((const rigid_bodies *)motion)->built, report);
}

/* The model is final by now. */
static thud_error bodies(const void *motion, thud_bodies_view *view) {
  const rigid_bodies *made = motion;
  if (made->built.bodies != NULL) return thud_bodies_get(made->built.bodies, view);
  *view = made->shown.view;
  return THUD_OK;
}

static const char *const further_keys[] = {"planar",  "gravity", "materials", "pairs",     "shapes",
                                           "springs", "joints",  "changes",   "all_bodies"};

/* Bodies are named in reports by their numbers. */
static bool takes_findings(const void *motion, const void *given) {
  const rigid_bodies *made = motion;
  bodies_findings found;
  memcpy(&found, given, sizeof found);
  const thud_body_motion_info *info = &found.info;
  const thud_index named[] = {info->worst_a,   info->worst_b,  info->worst_penetration_a, info->worst_penetration_b,
                              info->passing_a, info->passing_b};
  for (size_t k = 0; k < sizeof named / sizeof *named; k++)
    if (!thud_state_has_index(named[k], (thud_index)made->built.body_count)) return false;
  return THUD_STATE_FLAG(found.begun) && found.change <= made->built.change_count &&
         thud_state_has_status(info->status);
}

const thud_kind thud_kind_bodies = {.name = "bodies",
                                    .takes_findings = takes_findings,
                                    .section = "bodies",
                                    .options = thud_bodies_keys,
                                    .data_as_expressions = true,
                                    .own_units = true,
                                    .extendable = true,
                                    .take_files = thud_bodies_scene_take_files,
                                    .resolve = thud_bodies_scene_resolve,
                                    .build = build,
                                    .build_view = build_view,
                                    .destroy = destroy,
                                    .method = method,
                                    .layout = layout,
                                    .advance = advance,
                                    .finish = finish,
                                    .report = report,
                                    .check = check,
                                    .keys = further_keys,
                                    .key_count = sizeof further_keys / sizeof *further_keys,
                                    .describe = describe,
                                    .problem = problem,
                                    .bodies = bodies,
                                    .contacts = &contacts,
                                    .changes = "changes",
                                    .fire = fire,
                                    .arrive = arrive,
                                    .export_vtk = thud_body_vtk_export};

thud_error thud_scene_build_bodies(thud_context *context, const thud_tree *tree, size_t count,
                                   const thud_body_functions *functions, thud_scene **scene) {
  THUD_REQUIRE(context, context, tree, count == 0 || functions, scene);
  const scene_program program = {.body_count = count, .bodies = functions};
  thud_scene *made = NULL;
  for (size_t k = 0; k < count; k++)
    if (functions[k].name == NULL || (functions[k].force == NULL && functions[k].path == NULL))
      return thud_fail(context, THUD_ERROR_ARGUMENT,
                       "[contradictory-keys] functions %zu of %zu have no name, or neither force nor path", k + 1,
                       count);
  thud_error error = thud_run_build_program(context, tree, &program, &made);
  if (error != THUD_OK) return error;
  if (made->kind != &thud_kind_bodies)
    error =
        thud_fail(context, THUD_ERROR_ARGUMENT, "the scene is of the kind '%s', not of rigid bodies", made->kind->name);
  else
    error = thud_bodies_check_told(&((const rigid_bodies *)made->motion)->built, &program);
  if (error == THUD_OK)
    *scene = made;
  else
    thud_scene_destroy(made);
  return error;
}

thud_error thud_run_body_motion(thud_run *run, thud_bodies **bodies, thud_motion **motion) {
  THUD_REQUIRE(run != NULL ? run->context : NULL, run, motion);
  if (run->kind != &thud_kind_bodies)
    return thud_fail(run->context, THUD_ERROR_ARGUMENT, "the motion is of the kind '%s', not of rigid bodies",
                     run->kind->name);
  return thud_kind_bodies_motion(run->motion, bodies, motion);
}

thud_error thud_scene_bodies(const thud_scene *scene, thud_bodies **bodies) {
  THUD_REQUIRE(scene != NULL ? scene->context : NULL, scene, bodies);
  if (scene->kind != &thud_kind_bodies || scene->start_state == NULL)
    return thud_fail(scene->context, THUD_ERROR_ARGUMENT,
                     "the scene is of the kind '%s', not of rigid bodies that move", scene->kind->name);
  *bodies = ((const rigid_bodies *)scene->motion)->built.bodies;
  return THUD_OK;
}
