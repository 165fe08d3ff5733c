/* Time scales of rigid bodies at their start: what a step has to resolve. */
#include "kinds/bodies/bodies_scales.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

/* Steps that a period, a fall across the smallest body, and the way across a body should take; and the fewest, below which a
 * run is warned of. Springs are implicit: what they miss is damped, not unstable. */
static const double PER_PERIOD = 40, PER_FALL = 40, PER_CROSSING = 4, PER_FALLEN_CROSSING = 2;
static const double FEWEST_PER_PERIOD = 4, FEWEST_PER_CROSSING = 0.25;
enum { PATH_SAMPLES = 200 };

double thud_bodies_thinnest_part(const thud_bodies_view *view, thud_index body) {
  double thinnest = INFINITY;
  for (thud_index p = view->part_start[body]; p < view->part_start[body + 1]; p++) {
    double thickness = thud_shape_thickness(view->part_shape[p]);
    if (thickness > 0) thinnest = fmin(thinnest, thickness);
  }
  return thinnest;
}

static bool is_dynamic(const thud_bodies_view *view, thud_index i) { return view->role[i] == THUD_BODY_DYNAMIC; }

/* Thinnest body that forces move, -1: none has a size. */
static thud_index thinnest_body(const thud_bodies_view *view) {
  thud_index found = -1;
  for (thud_index i = 0; i < view->count; i++)
    if (is_dynamic(view, i) && isfinite(thud_bodies_thinnest_part(view, i)) &&
        (found < 0 || thud_bodies_thinnest_part(view, i) < thud_bodies_thinnest_part(view, found)))
      found = i;
  return found;
}

/* Height of the lowest body, along gravity. */
static double lowest_height(const thud_bodies_view *view, thud_vec3 up) {
  double lowest = INFINITY;
  for (thud_index i = 0; i < view->count; i++) lowest = fmin(lowest, thud_vec3_dot(up, view->pose[i].position));
  return lowest;
}

static void add_falls(scene_scales *scales, const thud_bodies_view *view, thud_index thinnest) {
  double g = thud_vec3_norm(view->gravity), size = thud_bodies_thinnest_part(view, thinnest);
  if (g > 0)
    thud_scales_add(scales, sqrt(2 * size / g), PER_FALL, 0, "the time in which '%s' falls by its thickness",
                    view->name[thinnest]);
}

/* The way across the body itself at its speed at the start, and at the speed that it can fall to. */
static void add_crossings(scene_scales *scales, const thud_bodies_view *view) {
  double g = thud_vec3_norm(view->gravity);
  thud_vec3 up = g > 0 ? thud_vec3_scale(-1 / g, view->gravity) : thud_vec3_make(0, 0, 0);
  double lowest = lowest_height(view, up);
  for (thud_index i = 0; i < view->count; i++) {
    double size = thud_bodies_thinnest_part(view, i), speed = thud_vec3_norm(view->velocity[i]);
    double height = thud_vec3_dot(up, view->pose[i].position) - lowest;
    if (!is_dynamic(view, i) || !isfinite(size)) continue;
    thud_scales_add(scales, size / speed, PER_CROSSING, FEWEST_PER_CROSSING,
                    "the time in which '%s' crosses its thickness at the start", view->name[i]);
    thud_scales_add(scales, size / sqrt(speed * speed + 2 * g * height), PER_FALLEN_CROSSING, 0,
                    "the time in which '%s' crosses its thickness after its fall", view->name[i]);
    thud_scales_add(scales, 2 * PI / thud_vec3_norm(view->spin[i]), PER_PERIOD, FEWEST_PER_PERIOD, "one turn of '%s'",
                    view->name[i]);
  }
}

static void add_springs(scene_scales *scales, const thud_bodies_view *view) {
  for (thud_index k = 0; k < view->spring_count; k++) {
    thud_index a = view->spring_a[k], b = view->spring_b[k];
    double light = is_dynamic(view, a) ? 1 / view->mass[a] : 0;
    if (b >= 0 && is_dynamic(view, b)) light += 1 / view->mass[b];
    thud_scales_add(scales, 2 * PI / sqrt(view->springs[k].stiffness * light), PER_PERIOD, 0,
                    "the period of spring '%s'", view->springs[k].name);
  }
}

/* Bodies on given paths, as fast as they get at any of the samples. */
static void add_paths(scene_scales *scales, const thud_scene *scene, const thud_bodies_view *view,
                      thud_index thinnest) {
  for (thud_index i = 0; i < view->count; i++) {
    const thud_body_def *def = &view->def[i];
    const bodies_path *path = def->path_user;
    if (view->role[i] != THUD_BODY_KINEMATIC || def->path == NULL || path->told != NULL) continue;
    double speed = 0, spin = 0;
    for (int k = 0; k <= PATH_SAMPLES; k++) {
      thud_pose pose;
      thud_vec3 velocity, turning;
      double t = scene->start + (scene->end - scene->start) * k / PATH_SAMPLES;
      if (def->path(def->path_user, t, &pose, &velocity, &turning) != 0) break;
      speed = fmax(speed, thud_vec3_norm(velocity));
      spin = fmax(spin, thud_vec3_norm(turning));
    }
    thud_scales_add(scales, 2 * PI / spin, PER_PERIOD, FEWEST_PER_PERIOD, "one turn of '%s'", view->name[i]);
    if (thinnest >= 0)
      thud_scales_add(scales, thud_bodies_thinnest_part(view, thinnest) / speed, PER_CROSSING, 0,
                      "the time in which '%s' moves by the thickness of '%s'", view->name[i], view->name[thinnest]);
  }
}

/* A body at its start, whose force is asked for at other times. */
typedef struct force_probe {
  const thud_body_def *def;
  thud_body_state state;
} force_probe;

static bool sample_force(void *user, double t, double *value) {
  const force_probe *probe = user;
  thud_vec3 force = {0, 0, 0}, torque = {0, 0, 0};
  if (probe->def->force(probe->def->force_user, t, &probe->state, &force, &torque) != 0) return false;
  *value = force.x + force.y + force.z + torque.x + torque.y + torque.z;
  return true;
}

/* The largest slope of the force on a body, by place and by velocity, and its turns in time. */
static thud_error add_force(scene_scales *scales, thud_scene *scene, const thud_bodies_view *view, thud_index i) {
  const thud_body_def *def = &view->def[i];
  double by_place[36] = {0}, by_velocity[36] = {0}, stiffness = 0, damping = 0, period = 0;
  force_probe probe = {def, {view->pose[i].position, view->pose[i].rotation, view->velocity[i], view->spin[i]}};
  if (def->slope != NULL && def->slope(def->force_user, scene->start, &probe.state, by_place, by_velocity) == 0)
    for (size_t row = 0; row < 3; row++)
      for (size_t column = 0; column < 3; column++) {
        stiffness = fmax(stiffness, fabs(by_place[6 * row + column]));
        damping = fmax(damping, fabs(by_velocity[6 * row + column]));
      }
  thud_scales_add(scales, 2 * PI * sqrt(view->mass[i] / stiffness), PER_PERIOD, 0,
                  "the period of the force on '%s' at the start", view->name[i]);
  thud_scales_add(scales, view->mass[i] / damping, PER_CROSSING, 0, "the time in which the force on '%s' damps it",
                  view->name[i]);
  thud_error error = thud_scales_period(scene, sample_force, &probe, &period);
  thud_scales_add(scales, period, PER_PERIOD, FEWEST_PER_PERIOD, "the period of the force on '%s'", view->name[i]);
  return error;
}

/* Many bodies of a pattern share their force: the first ones stand for all. */
static thud_error add_forces(scene_scales *scales, thud_scene *scene, const thud_bodies_view *view) {
  enum { LOOKED_AT = 20 };
  thud_error error = THUD_OK;
  for (thud_index i = 0, looked = 0; i < view->count && looked < LOOKED_AT && error == THUD_OK; i++) {
    const bodies_force *law = view->def[i].force_user;
    if (!is_dynamic(view, i) || view->def[i].force == NULL || law->told != NULL) continue;
    error = add_force(scales, scene, view, i);
    looked++;
  }
  return error;
}

thud_error thud_bodies_find_scales(thud_scene *scene, const thud_bodies_view *view, scene_scales *scales) {
  *scales = thud_scales_new(scene->end - scene->start);
  thud_index thinnest = thinnest_body(view);
  if (thinnest >= 0) add_falls(scales, view, thinnest);
  add_crossings(scales, view);
  add_springs(scales, view);
  add_paths(scales, scene, view, thinnest);
  return add_forces(scales, scene, view);
}
