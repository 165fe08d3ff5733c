/* Balls fall onto a plate, one more every 0.1 s; one is kicked, one pushed by a force for a while, one taken out, and the
 * plate becomes slippery: a recorded motion of rigid bodies that the program changes while it runs. The changes are in
 * the record, and `thud verify balls.h5` knows them.
 *
 * Usage: changed_bodies [balls.h5]. Exit status: 0 good, 1 the run ended early, 2 thud reported an error. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <thud/io.h>

enum { BALLS = 6, STEPS = 500, PER_BALL = 50 };

/* Bodies that come later are in the scene as well, with `absent`: the record has a column for each of them. */
static const char SCENE[] = "thud: 1\n"
                            "title: Balls that a program drops and kicks\n"
                            "materials:\n"
                            "  wood: {friction: 0.5, restitution: 0.3, density: 700}\n"
                            "  ice: {friction: 0.02, restitution: 0.3, density: 900}\n"
                            "bodies:\n"
                            "  - {name: plate, shape: plane, fixed: true, material: wood}\n"
                            "  - {generate: grid, name: ball, counts: [6, 1, 1], spacing: 0.3,\n"
                            "     body: {shape: {sphere: 0.05}, material: wood, absent: true}}\n"
                            "simulate: {end: 1, step: 0.002}\n";

static thud_body_id ball(const thud_bodies *bodies, int number) {
  char name[16];
  snprintf(name, sizeof name, "ball-%d", number);
  return thud_bodies_find(bodies, name);
}

/* Ball `number` comes in above the plate, turning. */
static thud_error drop(thud_motion *motion, const thud_bodies *bodies, int number) {
  thud_body_state state = {.position = {0.12 * number, 0, 0.6}, .rotation = thud_quat_identity(), .spin = {0, 20, 0}};
  return thud_body_motion_add(motion, ball(bodies, number), &state);
}

static thud_error kick(thud_motion *motion, thud_body_id id) {
  thud_body_state state;
  thud_body_push impulse = thud_body_push_default();
  thud_error error = thud_body_motion_get_state(motion, id, &state);
  if (error != THUD_OK) return error;
  impulse.force = thud_vec3_make(-0.5, 0.3, 0.8); /* N s, at its lowest point */
  impulse.at_point = true;
  impulse.point = thud_vec3_add(state.position, thud_vec3_make(0, 0, -0.05));
  return thud_body_motion_apply_impulse(motion, id, &impulse);
}

static thud_error push(thud_motion *motion, thud_body_id id) {
  thud_body_push force = thud_body_push_default();
  force.force = thud_vec3_make(0, 2, 0); /* N */
  force.torque = thud_vec3_make(0.01, 0, 0);
  force.lasting = true;
  return thud_body_motion_apply_force(motion, id, &force);
}

/* What happens after so many steps. */
static thud_error change(thud_motion *motion, const thud_bodies *bodies, int step) {
  thud_error error = THUD_OK;
  if (step % PER_BALL == 0 && step / PER_BALL < BALLS) error = drop(motion, bodies, step / PER_BALL + 1);
  if (error == THUD_OK && step == 275) error = kick(motion, ball(bodies, 2));
  if (error == THUD_OK && step == 290) error = push(motion, ball(bodies, 3));
  if (error == THUD_OK && step == 340) error = thud_body_motion_release_forces(motion, ball(bodies, 3));
  if (error == THUD_OK && step == 350) error = thud_body_motion_remove(motion, ball(bodies, 1));
  if (error == THUD_OK && step == 400)
    error = thud_body_motion_set_material(motion, thud_bodies_find(bodies, "plate"), -1, 1);
  return error;
}

static thud_error go(thud_run *run, bool *refused) {
  thud_bodies *bodies = NULL;
  thud_motion *motion = NULL;
  bool going = true;
  thud_error error = thud_run_step(run, &going); /* the start */
  if (error == THUD_OK) error = thud_run_body_motion(run, &bodies, &motion);
  for (int step = 0; step < STEPS && going && error == THUD_OK; step++) {
    error = change(motion, bodies, step);
    if (error == THUD_OK) error = thud_run_step(run, &going);
    /* The id of a ball that was taken out is of none any more; those of the others stay. */
    if (step == 360) *refused = kick(motion, ball(bodies, 1)) == THUD_ERROR_NOT_FOUND;
  }
  return error;
}

static thud_error run_scene(thud_context *context, const char *record, bool *good) {
  thud_run_options options = thud_run_options_default();
  thud_run_result result = {0};
  thud_tree *tree = NULL;
  thud_scene *scene = NULL;
  thud_run *run = NULL;
  bool refused = false;
  options.record = record;
  options.overwrite = true;
  thud_error error = thud_tree_read_text(context, "balls", SCENE, strlen(SCENE), &tree);
  if (error == THUD_OK) error = thud_scene_build(context, tree, &scene);
  if (error == THUD_OK) error = thud_run_create(scene, &options, &run);
  if (error == THUD_OK) error = go(run, &refused);
  if (error == THUD_OK) error = thud_run_finish(run, &result);
  if (error == THUD_OK) printf("%s", result.report);
  if (error == THUD_OK && refused) printf("the id of the ball that was taken out is refused\n");
  *good = error == THUD_OK && result.verdict == THUD_VERDICT_GOOD && refused;
  thud_run_result_free(context, &result);
  thud_run_destroy(run);
  thud_scene_destroy(scene);
  thud_tree_destroy(tree);
  return error;
}

int main(int count, char **arguments) {
  thud_context *context = NULL;
  bool good = false;
  if (thud_context_create(NULL, &context) != THUD_OK) return 2;
  thud_error error = run_scene(context, count > 1 ? arguments[1] : "balls.h5", &good);
  if (error != THUD_OK) fprintf(stderr, "changed_bodies: %s\n", thud_context_last_message(context));
  thud_context_destroy(context);
  return error != THUD_OK ? 2 : good ? 0 : 1;
}
