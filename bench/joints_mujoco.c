/* MuJoCo with its semi-implicit Euler and its Runge-Kutta of order 4: trees in generalised coordinates, loops closed by soft
 * `connect` constraints, soft contacts and limits; solver and softness at their defaults. */
#include "joints.h"

#include <mujoco/mujoco.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM_PER_PART = 1024, MESSAGE = 256 };

typedef struct world {
  const bench_mechanism *mechanism;
  mjModel *model;
  mjData *data;
} world;

typedef struct text {
  char *begin;
  size_t used, room;
} text;

static void put(text *to, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int length = vsnprintf(to->begin + to->used, to->room - to->used, format, list);
  va_end(list);
  if (length > 0) to->used += (size_t)length;
  if (to->used >= to->room) to->used = to->room - 1;
}

/* Instead of a file of warnings in the working folder; step() looks for them. */
static void ignore(const char *message) { (void)message; }

/* The joint that a body hangs from, NULL: it is free. */
static const bench_pin *joint_of(const bench_mechanism *m, int body) {
  for (int k = 0; k < m->pin_count; k++)
    if (m->pins[k].a == body) return &m->pins[k];
  return NULL;
}

/* Point and axis of the world in the frame of a body at the start. */
static void to_local(const bench_link *link, const double *point, const double *axis, double *local, double *turned) {
  mjtNum back[4], arm[3];
  mju_negQuat(back, link->start.rotation);
  mju_sub3(arm, point, link->start.position);
  mju_rotVecQuat(local, arm, back);
  mju_rotVecQuat(turned, axis, back);
}

static void put_joint(text *to, const bench_mechanism *m, int body) {
  const bench_pin *pin = joint_of(m, body);
  double local[3], axis[3];
  if (pin == NULL) {
    put(to, "<freejoint/>");
    return;
  }
  to_local(&m->links[body], pin->point, pin->axis, local, axis);
  put(to, "<joint type=\"%s\" pos=\"%.17g %.17g %.17g\"", pin->kind == BENCH_PIN_HINGE ? "hinge" : "ball", local[0],
      local[1], local[2]);
  if (pin->kind == BENCH_PIN_HINGE) put(to, " axis=\"%.17g %.17g %.17g\"", axis[0], axis[1], axis[2]);
  if (pin->limited) put(to, " limited=\"true\" range=\"%.17g %.17g\"", pin->limit[0], pin->limit[1]);
  put(to, "/>");
}

static void put_link(text *to, const bench_mechanism *m, int body) {
  const bench_link *link = &m->links[body];
  const bench_pin *pin = joint_of(m, body);
  double place[3], turn[4];
  memcpy(place, link->start.position, sizeof place);
  memcpy(turn, link->start.rotation, sizeof turn);
  if (pin != NULL && pin->b >= 0) {
    const bench_link *parent = &m->links[pin->b];
    mjtNum back[4];
    mju_negQuat(back, parent->start.rotation);
    mju_mulQuat(turn, back, link->start.rotation);
    to_local(parent, link->start.position, link->start.position, place, back);
  }
  put(to, "<body name=\"b%d\" pos=\"%.17g %.17g %.17g\" quat=\"%.17g %.17g %.17g %.17g\">", body, place[0], place[1],
      place[2], turn[0], turn[1], turn[2], turn[3]);
  put_joint(to, m, body);
  put(to, "<inertial pos=\"0 0 0\" mass=\"%.17g\" diaginertia=\"%.17g %.17g %.17g\"/>", link->mass, link->inertia[0],
      link->inertia[1], link->inertia[2]);
  if (link->radius > 0)
    put(to, "<geom type=\"capsule\" size=\"%.17g %.17g\" contype=\"0\" conaffinity=\"1\" friction=\"%.17g\"/>",
        link->radius, link->half, m->friction);
  for (int child = body + 1; child < m->count; child++) {
    const bench_pin *next = joint_of(m, child);
    if (next != NULL && next->b == body) put_link(to, m, child);
  }
  put(to, "</body>\n");
}

static void put_loops(text *to, const bench_mechanism *m) {
  put(to, "<equality>\n");
  for (int k = 0; k < m->pin_count; k++) {
    const bench_pin *pin = &m->pins[k];
    double local[3], axis[3];
    if (pin == joint_of(m, pin->a)) continue;
    to_local(&m->links[pin->a], pin->point, pin->axis, local, axis);
    put(to, "<connect body1=\"b%d\" body2=\"b%d\" anchor=\"%.17g %.17g %.17g\"/>\n", pin->a, pin->b, local[0], local[1],
        local[2]);
  }
  put(to, "</equality>\n");
}

static void put_model(text *to, const bench_mechanism *m, double step, const char *integrator) {
  put(to,
      "<mujoco><compiler angle=\"radian\" inertiafromgeom=\"false\" balanceinertia=\"false\"/>\n"
      "<option timestep=\"%.17g\" gravity=\"0 %.17g 0\" integrator=\"%s\"/>\n<size njmax=\"2000\" "
      "nconmax=\"200\"/>\n<worldbody>\n",
      step, -m->gravity, integrator);
  if (m->floor)
    put(to,
        "<geom type=\"plane\" size=\"0 0 1\" zaxis=\"0 1 0\" contype=\"1\" conaffinity=\"0\" friction=\"%.17g\"/>\n",
        m->friction);
  for (int i = 0; i < m->count; i++) {
    const bench_pin *pin = joint_of(m, i);
    if (pin == NULL || pin->b < 0) put_link(to, m, i);
  }
  put(to, "</worldbody>\n");
  put_loops(to, m);
  put(to, "</mujoco>\n");
}

static mjModel *compile(const bench_mechanism *m, double step, const char *integrator) {
  text model = {.room = (size_t)(m->count + m->pin_count + 4) * ROOM_PER_PART};
  char message[MESSAGE] = "";
  mjModel *made = NULL;
  mjVFS *files = malloc(sizeof *files);
  model.begin = calloc(model.room, 1);
  if (files != NULL && model.begin != NULL) {
    put_model(&model, m, step, integrator);
    mj_defaultVFS(files);
    if (mj_makeEmptyFileVFS(files, "model.xml", (int)model.used) == 0) {
      memcpy(files->filedata[0], model.begin, model.used);
      made = mj_loadXML("model.xml", files, message, sizeof message);
      if (made == NULL) fprintf(stderr, "bench-joints: mujoco: %s\n", message); /* its parser nests 100 deep at most */
    }
    mj_deleteVFS(files);
  }
  free(files);
  free(model.begin);
  return made;
}

/* Rates of the joints from the velocities of the bodies. */
static void set_velocities(world *w) {
  const bench_mechanism *m = w->mechanism;
  for (int i = 0; i < m->count; i++) {
    char name[16];
    snprintf(name, sizeof name, "b%d", i);
    int id = mj_name2id(w->model, mjOBJ_BODY, name);
    mjtNum *to = w->data->qvel + w->model->body_dofadr[id];
    const bench_pin *pin = joint_of(m, i);
    const bench_link *link = &m->links[i];
    double local[3], spin[3], relative[3];
    memcpy(relative, link->start.spin, sizeof relative);
    if (pin != NULL && pin->b >= 0) mju_subFrom3(relative, m->links[pin->b].start.spin);
    to_local(link, link->start.position, relative, local, spin);
    if (pin == NULL)
      mju_copy3(to, link->start.velocity), mju_copy3(to + 3, spin);
    else if (pin->kind == BENCH_PIN_BALL)
      mju_copy3(to, spin);
    else
      *to = mju_dot3(relative, pin->axis);
  }
}

static void destroy(void *given) {
  world *w = given;
  if (w->data != NULL) mj_deleteData(w->data);
  if (w->model != NULL) mj_deleteModel(w->model);
  free(w);
}

static void *create_with(const bench_mechanism *mechanism, double step, const char *integrator) {
  world *w = calloc(1, sizeof *w);
  if (w == NULL) return NULL;
  mju_user_warning = ignore;
  w->mechanism = mechanism;
  w->model = compile(mechanism, step, integrator);
  if (w->model != NULL) w->data = mj_makeData(w->model);
  if (w->data == NULL) return destroy(w), NULL;
  set_velocities(w);
  return w;
}
static void *create_euler(const bench_mechanism *m, double step) { return create_with(m, step, "Euler"); }
static void *create_rk4(const bench_mechanism *m, double step) { return create_with(m, step, "RK4"); }

/* A warning is what MuJoCo says of velocities that are no numbers any more, after which it starts anew. */
static int step(void *given) {
  world *w = given;
  mj_step(w->model, w->data);
  return w->data->warning[mjWARN_BADQACC].number + w->data->warning[mjWARN_BADQVEL].number +
             w->data->warning[mjWARN_BADQPOS].number >
         0;
}

static void states(void *given, bench_state *to) {
  world *w = given;
  mj_kinematics(w->model, w->data);
  mj_comPos(w->model, w->data);
  mj_comVel(w->model, w->data);
  for (int i = 0; i < w->mechanism->count; i++) {
    char name[16];
    mjtNum velocity[6];
    snprintf(name, sizeof name, "b%d", i);
    int id = mj_name2id(w->model, mjOBJ_BODY, name);
    mj_objectVelocity(w->model, w->data, mjOBJ_BODY, id, velocity, 0);
    mju_copy3(to[i].position, w->data->xipos + 3 * id);
    mju_copy4(to[i].rotation, w->data->xquat + 4 * id);
    mju_copy3(to[i].spin, velocity);
    mju_copy3(to[i].velocity, velocity + 3);
  }
}

const bench_joint_engine bench_joint_engines[] = {
    {"mujoco", "semi-implicit Euler (default)", create_euler, step, states, destroy},
    {"mujoco-rk4", "Runge-Kutta of order 4", create_rk4, step, states, destroy},
    {.name = NULL}};
