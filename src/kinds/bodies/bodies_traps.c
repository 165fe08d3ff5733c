/* What looks like a mistake in scenes of rigid bodies: said at the start, and changing nothing. */
#include "kinds/bodies/bodies_scales.h"
#include "run/run_report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- units ----------------------------------------------------------------------------------------------------------- */

/* What people write for gravity on earth, in m/s^2, and what is no other number by accident. */
static const double EARTH = 9.81, EARTH_LEAST = 9.7, EARTH_MOST = 9.9;
/* Densities in kg/m^3 beyond those of any material, with a margin for toys: aerogel has 1, osmium 22600. */
static const double LEAST_DENSITY = 0.01, MOST_DENSITY = 1e6;

static void check_gravity(const bodies_scene *made, const thud_bodies_view *view, thud_report *report) {
  const thud_body_units *units = &made->units;
  double given = thud_vec3_norm(view->gravity), size = thud_bodies_metres(units->length),
         time = thud_bodies_seconds(units->time);
  double earth = EARTH / size * time * time; /* NaN: a unit of unknown size */
  if (!(earth > 0) || (size == 1 && time == 1)) return;
  if (fabs(given - earth) <= 0.01 * earth)
    thud_report_line(report, "gravity", "%.6g %s/%s^2, which is %.6g m/s^2", given, units->length, units->time,
                     given * size / (time * time));
  else if (given >= EARTH_LEAST && given <= EARTH_MOST)
    thud_report_warning(report, NAN, "gravity-units",
                        "gravity is %.6g %s/%s^2, which is %.3g m/s^2: 9.81 m/s^2 is %.6g in the units of this scene; "
                        "leave 'gravity' out, or give it in these units",
                        given, units->length, units->time, given * size / (time * time), earth);
}

static void check_direction(const bodies_scene *made, const thud_bodies_view *view, thud_report *report) {
  double up = made->planar ? view->gravity.y : view->gravity.z;
  if (up > 0 && up >= 0.99 * thud_vec3_norm(view->gravity))
    thud_report_warning(report, NAN, "gravity-upwards",
                        "gravity points along +%s: bodies rise; give [%s%g] if they "
                        "should fall",
                        made->planar ? "y" : "z", made->planar ? "0, " : "0, 0, ", -up);
}

static void check_densities(const bodies_scene *made, thud_report *report) {
  double length = thud_bodies_metres(made->units.length), mass = thud_bodies_kilograms(made->units.mass);
  if (made->planar || !(length > 0) || !(mass > 0)) return;
  for (int k = 0; k < 2; k++) {
    double given = k == 0 ? made->least_density : made->largest_density,
           real = given * mass / (length * length * length);
    if (!(given > 0) || (real >= LEAST_DENSITY && real <= MOST_DENSITY)) continue;
    thud_report_warning(report, NAN, "density-units",
                        "a density of %.3g %s/%s^3 is %.3g kg/m^3, which no material has; 1000 kg/m^3 are %.3g %s/%s^3",
                        given, made->units.mass, made->units.length, real, 1000 / mass * length * length * length,
                        made->units.mass, made->units.length);
    return;
  }
}

static void check_angles(const bodies_scene *made, thud_report *report) {
  if (made->suspect_angle != 0)
    thud_report_warning(report, NAN, "angle-in-degrees",
                        "%s: the angle %g is in radians, which is %.4g turns; %g degrees are %g*pi/180",
                        made->suspect_place, made->suspect_angle, made->suspect_angle / (2 * acos(-1)),
                        made->suspect_angle, made->suspect_angle);
}

/* ---- materials ------------------------------------------------------------------------------------------------------- */

/* Bodies that joints hold and keep from touching each other, by body; in one pass, since mechanisms may have many parts. */
static bool *find_joined(const bodies_scene *made, const thud_bodies_view *view) {
  bool *joined = THUD_NEW_ARRAY(made->context, bool, (size_t)view->count);
  for (thud_index k = 0; joined != NULL && k < view->joint_count; k++) {
    const thud_joint *joint = &view->joints[k];
    if (joint->touch) continue;
    joined[joint->a] = true;
    if (joint->b >= 0) joined[joint->b] = true;
  }
  return joined;
}

/* Links of a mechanism are held by their joints, and need not touch anything. */
static thud_index find_of_material(const thud_bodies_view *view, const bool *joined, thud_index material,
                                   bool dynamic) {
  for (thud_index p = 0; p < view->part_count && material >= 0 && view->count > 1; p++) {
    thud_index i = view->part_body[p];
    if (view->part_material[p] == material && (view->role[i] == THUD_BODY_DYNAMIC) == dynamic && !joined[i]) return i;
  }
  return -1;
}

static bool any_moves_freely(const thud_bodies_view *view, const bool *joined) {
  for (thud_index i = 0; i < view->count; i++)
    if (view->role[i] == THUD_BODY_DYNAMIC && !joined[i]) return true;
  return false;
}

/* Under gravity what rests or rolls asks for friction; without gravity bodies that only collide do not. The friction of
 * two materials is their geometric mean: 0 as soon as one of them has none. */
static void check_materials(const bodies_scene *made, const thud_bodies_view *view, const bool *joined,
                            thud_report *report) {
  static const char cure[] = "name one (materials: {wood: {friction: 0.4}}), with friction: 0 if that is meant";
  if (thud_vec3_norm(view->gravity) == 0 || !any_moves_freely(view, joined)) return;
  thud_index i = find_of_material(view, joined, made->bare, true),
             under = find_of_material(view, joined, made->bare, false);
  if (i >= 0) {
    thud_report_warning(report, NAN, "no-material", "'%s' has no material and slides without friction; %s",
                        view->name[i], cure);
  } else if (under >= 0) {
    thud_report_warning(report, NAN, "no-material",
                        "'%s' has no material: everything slides on it without friction; %s", view->name[under], cure);
  } else {
    i = find_of_material(view, joined, made->slippery, true);
    if (i < 0) i = find_of_material(view, joined, made->slippery, false);
    if (i >= 0)
      thud_report_warning(report, NAN, "no-material",
                          "the material '%s' of '%s' has no 'friction': it slides on everything; add it "
                          "('friction: 0' if that is meant)",
                          view->material_names[made->slippery], view->name[i]);
  }
}

/* ---- open meshes ----------------------------------------------------------------------------------------------------- */

typedef struct mesh_side {
  double distance; /* to the nearest triangles */
  double height;   /* above their planes, summed */
  int count;       /* of them */
} mesh_side;

/* The point of a triangle that is nearest to x. */
static thud_vec3 nearest_in_triangle(const thud_vec3 corner[3], thud_vec3 x) {
  thud_vec3 a = corner[0], ab = thud_vec3_subtract(corner[1], a), ac = thud_vec3_subtract(corner[2], a);
  thud_vec3 normal = thud_vec3_cross(ab, ac), to = thud_vec3_subtract(x, a);
  double area = thud_vec3_dot(normal, normal);
  double v = thud_vec3_dot(thud_vec3_cross(to, ac), normal) / area,
         w = thud_vec3_dot(thud_vec3_cross(ab, to), normal) / area;
  if (v >= 0 && w >= 0 && v + w <= 1)
    return thud_vec3_add(a, thud_vec3_add(thud_vec3_scale(v, ab), thud_vec3_scale(w, ac)));
  thud_vec3 best = a;
  double least = INFINITY;
  for (int k = 0; k < 3; k++) {
    thud_vec3 from = corner[k], along = thud_vec3_subtract(corner[(k + 1) % 3], from);
    double part = thud_vec3_dot(thud_vec3_subtract(x, from), along) / thud_vec3_dot(along, along);
    thud_vec3 point = thud_vec3_add(from, thud_vec3_scale(fmin(1, fmax(0, part)), along));
    if (thud_vec3_distance(point, x) < least) best = point;
    least = fmin(least, thud_vec3_distance(point, x));
  }
  return best;
}

/* Of an edge or a corner several triangles are equally near. */
static mesh_side look_at_mesh(const thud_shape_def *mesh, thud_vec3 x) {
  const double same = 1e-9;
  mesh_side side = {.distance = INFINITY};
  for (size_t k = 0; k < (size_t)mesh->triangle_count; k++) {
    thud_vec3 corner[3], normal = {0, 0, 0};
    for (size_t i = 0; i < 3; i++) corner[i] = thud_vec3_load(mesh->points + 3 * (size_t)mesh->triangles[3 * k + i]);
    thud_vec3 point = nearest_in_triangle(corner, x);
    double distance = thud_vec3_distance(point, x);
    if (distance > side.distance * (1 + same)) continue;
    thud_vec3_normalise(
        thud_vec3_cross(thud_vec3_subtract(corner[1], corner[0]), thud_vec3_subtract(corner[2], corner[0])), &normal);
    if (distance < side.distance * (1 - same)) side = (mesh_side){.distance = distance};
    side.height += thud_vec3_dot(thud_vec3_subtract(x, point), normal);
    side.count++;
  }
  return side;
}

/* 1: the body is where contacts push it to, -1: behind; 0: beside the mesh, or on it. */
static int side_of_body(const thud_shape_def *mesh, const thud_pose *pose, thud_vec3 centre) {
  const double clear = 0.3; /* cosine */
  mesh_side side = look_at_mesh(mesh, thud_pose_point_inverse(pose, centre));
  double cosine = side.height / (side.distance * side.count);
  return cosine > clear ? 1 : cosine < -clear ? -1 : 0;
}

thud_index thud_bodies_find_turned_mesh(const thud_bodies_view *view) {
  enum { LOOKED_AT = 200 };
  for (thud_index p = 0; p < view->part_count; p++) {
    thud_shape_def mesh = thud_shape_get_def(view->part_shape[p]);
    thud_index owner = view->part_body[p], behind = 0, front = 0, looked = 0;
    if (!mesh.open || mesh.triangle_count == 0) continue;
    thud_pose pose = thud_pose_compose(&view->pose[owner], &view->part_pose[p]);
    for (thud_index i = 0; i < view->count && looked < LOOKED_AT; i++) {
      if (view->role[i] != THUD_BODY_DYNAMIC || i == owner) continue;
      int side = side_of_body(&mesh, &pose, view->pose[i].position);
      behind += side < 0;
      front += side > 0;
      looked++;
    }
    if (behind > 0 && front == 0) return owner;
  }
  return -1;
}

/* ---- flat scenes ----------------------------------------------------------------------------------------------------- */

/* Nothing begins or moves out of the plane across axis k, and gravity lies in it. */
static bool is_flat(const thud_bodies_view *view, int k) {
  const double rounding = 1e-12;
  double first = NAN, size = 0;
  for (thud_index i = 0; i < view->count; i++) size = fmax(size, thud_vec3_norm(view->pose[i].position));
  for (thud_index i = 0; i < view->count; i++) {
    double position[3], velocity[3], spin[3];
    thud_vec3_store(view->pose[i].position, position);
    thud_vec3_store(view->velocity[i], velocity);
    thud_vec3_store(view->spin[i], spin);
    if (view->role[i] == THUD_BODY_KINEMATIC || view->def[i].force != NULL) return false;
    if (view->role[i] == THUD_BODY_FIXED) continue;
    if (isnan(first)) first = position[k];
    if (fabs(position[k] - first) > rounding * size || velocity[k] != 0) return false;
    for (int j = 0; j < 3; j++)
      if (j != k && spin[j] != 0) return false;
  }
  return !isnan(first);
}

static void note_flat(const bodies_scene *made, const thud_bodies_view *view, thud_report *report) {
  const double along[3] = {view->gravity.x, view->gravity.y, view->gravity.z};
  enum { FEW = 2 };
  if (made->planar || view->count <= FEW) return;
  for (int k = 0; k < 3; k++)
    if (along[k] == 0 && is_flat(view, k)) {
      thud_report_line(report, "note",
                       "all bodies begin and move in the plane across %c: with planar: true the motion "
                       "has half the unknowns",
                       'x' + k);
      return;
    }
}

/* ---- the whole ------------------------------------------------------------------------------------------------------- */

void thud_bodies_report_traps(const bodies_scene *made, bool checking, thud_report *report) {
  thud_bodies_view view;
  if (thud_bodies_get(made->bodies, &view) != THUD_OK) return;
  scene_scales scales;
  thud_error error = thud_bodies_find_scales(made->scene, &view, &scales);
  if (error != THUD_OK) report->error = error;
  if (error != THUD_OK) return;
  thud_scales_report(made->scene, &scales, report);
  check_gravity(made, &view, report);
  check_direction(made, &view, report);
  check_densities(made, report);
  check_angles(made, report);
  bool *joined = find_joined(made, &view);
  if (joined == NULL)
    report->error = THUD_ERROR_MEMORY;
  else
    check_materials(made, &view, joined, report);
  thud_free(made->context, joined);
  if (made->turned_mesh >= 0)
    thud_report_warning(
        report, NAN, "mesh-winding",
        "the open mesh of '%s' turns its inner side to the bodies, which are pushed out through it; turn "
        "its triangles over (swap two corners of each)",
        view.name[made->turned_mesh]);
  if (checking) note_flat(made, &view, report);
}
