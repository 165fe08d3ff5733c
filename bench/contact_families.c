/* Generated families of contact problems, ten of growing size each: what `auto` is judged on. Every other family is held
 * back: constants are chosen on the others alone. All are functions of the family and the size, with fixed seeds. */
#include "assembly.h"
#include "contact.h"
#include "random_problems.h"

#include <math.h>
#include <stdio.h>

enum { SIZES = 10 };
static const double pi = 3.14159265358979323846;

typedef struct draft {
  thud_random random;
  int size; /* 0..SIZES-1 */
  assembly set;
  assembly_form form;
} draft;

static double uniform(draft *d, double low, double high) { return thud_random_uniform(&d->random, low, high); }

/* Small velocities of everything, so that some contacts open and some slide. */
static void stir(draft *d, double speed) {
  for (size_t k = 0; k < d->set.body_count; k++)
    for (int i = 0; i < 6; i++) d->set.bodies[k].velocity[i] += speed * thud_random_normal(&d->random);
}

static thud_index add_ball(draft *d, double x, double y, double z, double radius, double mass) {
  double turn = (d->set.planar ? 0.5 : 0.4) * mass * radius * radius;
  return assembly_add_body(&d->set, &(assembly_body){.place = {x, y, z}, .mass = mass, .inertia = {turn, turn, turn}});
}

/* A contact of a with b (or the world) at the place, the normal towards a. */
static void touch(draft *d, thud_index a, thud_index b, const double place[3], const double normal[3], double mu) {
  assembly_contact contact = {.a = a, .b = b, .mu = mu};
  for (int i = 0; i < 3; i++) {
    contact.place[i] = place[i];
    contact.normal[i] = normal[i];
  }
  assembly_add_contact(&d->set, &contact);
}

/* ---- balls -------------------------------------------------------------------------------------------------------- */

/* Balls of random radius about 1/2 whose places are those of a lattice that was shaken: those that come close touch. */
static void touch_neighbours(draft *d, const double *radius, double slack, double mu) {
  for (size_t a = 0; a < d->set.body_count; a++) {
    const double *p = d->set.bodies[a].place;
    double height = d->set.planar ? p[1] : p[2];
    if (height < radius[a] + slack)
      touch(d, (thud_index)a, ASSEMBLY_WORLD, (double[3]){p[0], d->set.planar ? 0 : p[1], d->set.planar ? p[2] : 0},
            (double[3]){0, d->set.planar, !d->set.planar}, mu);
    for (size_t b = 0; b < a; b++) {
      const double *q = d->set.bodies[b].place;
      double normal[3] = {p[0] - q[0], p[1] - q[1], p[2] - q[2]};
      double distance = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
      if (distance >= radius[a] + radius[b] + slack) continue;
      double share = radius[b] / (radius[a] + radius[b]), place[3];
      for (int i = 0; i < 3; i++) place[i] = q[i] + share * normal[i];
      touch(d, (thud_index)a, (thud_index)b, place, normal, mu);
    }
  }
}

enum { MOST_BALLS = 4096 };

/* A heap on a face-centred lattice (planar: hexagonal) of so many layers, the upper ones smaller. */
static void heap_of_balls(draft *d, int layers, double spread, double mu) {
  static double radius[MOST_BALLS];
  size_t count = 0;
  for (int z = 0; z < layers; z++)
    for (int y = 0; y < (d->set.planar ? 1 : layers - z); y++)
      for (int x = 0; x < layers - z && count < MOST_BALLS; x++, count++) {
        double r = 0.5 * (1 + uniform(d, -spread, spread)), shake = 0.1 * spread;
        double px = x + 0.5 * z + uniform(d, -shake, shake), py = y + 0.5 * z + uniform(d, -shake, shake);
        double rise = 0.5 + z * (d->set.planar ? sqrt(0.75) : sqrt(0.5));
        radius[count] = r;
        if (d->set.planar)
          add_ball(d, px, rise, 0, r, 4 * r * r);
        else
          add_ball(d, px, py, rise, r, 8 * r * r * r);
      }
  touch_neighbours(d, radius, 0.5 * spread, mu);
}

static void spheres(draft *d) {
  heap_of_balls(d, 2 + d->size, 0.06, uniform(d, 0.2, 0.8));
  stir(d, 0.02);
}

static void discs(draft *d) {
  d->set.planar = true;
  d->form.dimension = 2;
  heap_of_balls(d, 3 + 3 * d->size, 0.06, uniform(d, 0.2, 0.8));
  stir(d, 0.02);
}

static void rolling_spheres(draft *d) {
  d->form.dimension = 5;
  d->form.mu_rolling = 0.05;
  heap_of_balls(d, 2 + d->size, 0.06, uniform(d, 0.3, 0.6));
  stir(d, 0.05);
}

static void spinning_spheres(draft *d) {
  d->form.dimension = d->size % 2 == 0 ? 4 : 6;
  d->form.mu_spinning = 0.03;
  d->form.mu_rolling = 0.05;
  heap_of_balls(d, 2 + d->size, 0.06, uniform(d, 0.3, 0.6));
  stir(d, 0.05);
}

static void frictionless_spheres(draft *d) {
  d->form.dimension = 1;
  heap_of_balls(d, 3 + d->size, 0.06, 0);
  stir(d, 0.05);
}

/* A column of balls whose masses differ by up to 1e6, heavy on light. */
static void mass_ratios(draft *d) {
  static double radius[MOST_BALLS];
  int count = 4 + 4 * d->size;
  double decades = 2 + 4.0 * (d->size % 5) / 4;
  for (int k = 0; k < count; k++) {
    radius[k] = 0.5;
    add_ball(d, uniform(d, -0.05, 0.05), uniform(d, -0.05, 0.05), 0.5 + k, 0.5, pow(10, k % 2 == 1 ? decades : 0));
  }
  touch_neighbours(d, radius, 0.02, 0.5);
  stir(d, 0.01);
}

/* A heap in millimetres, metres or kilometres, whose masses differ by up to 1e6 at random and whose friction lies between
 * 0.01 and 3. */
static void badly_scaled(draft *d) {
  static const double lengths[] = {1e-3, 1, 1e3};
  double length = lengths[d->size % 3];
  heap_of_balls(d, 2 + d->size, 0.06, 0.5);
  for (size_t k = 0; k < d->set.body_count; k++) {
    assembly_body *body = &d->set.bodies[k];
    double factor = pow(10, uniform(d, -3, 3));
    body->mass *= factor;
    for (int i = 0; i < 3; i++) {
      body->place[i] *= length;
      body->inertia[i] *= factor * length * length;
    }
  }
  for (size_t k = 0; k < d->set.contact_count; k++) {
    for (int i = 0; i < 3; i++) d->set.contacts[k].place[i] *= length;
    d->set.contacts[k].mu = pow(10, uniform(d, -2, 0.5));
  }
}

/* Discs between two walls that converge downwards at nearly the angle of friction: wedged or not is nearly undecided. */
static void near_critical(draft *d) {
  d->set.planar = true;
  d->form.dimension = 2;
  double mu = uniform(d, 0.3, 1.2), angle = atan(mu) * (1 + uniform(d, -0.01, 0.01));
  double across[2] = {cos(angle),
                      sin(angle)}; /* the normal of the left wall; that of the right one is its mirror image */
  for (int k = 0; k <= 3 + 3 * d->size; k++) {
    double r = 0.5 * pow(1.15, k % 20), height = 2 * r * (1 + 0.6 * k);
    thud_index disc = add_ball(d, 0, height, 0, r, 4 * r * r);
    touch(d, disc, ASSEMBLY_WORLD, (double[3]){-r * across[0], height - r * across[1], 0},
          (double[3]){across[0], across[1], 0}, mu);
    touch(d, disc, ASSEMBLY_WORLD, (double[3]){r * across[0], height - r * across[1], 0},
          (double[3]){-across[0], across[1], 0}, mu);
    if (disc > 0) touch(d, disc, disc - 1, (double[3]){0, height - r, 0}, (double[3]){0, 1, 0}, mu);
  }
  stir(d, 0.05);
}

/* ---- boxes -------------------------------------------------------------------------------------------------------- */

static thud_index add_box(draft *d, const double place[3], const double edge[3], double mass) {
  assembly_body body = {.mass = mass};
  for (int i = 0; i < 3; i++) {
    body.place[i] = place[i];
    body.inertia[i] = mass / 12 * (edge[(i + 1) % 3] * edge[(i + 1) % 3] + edge[(i + 2) % 3] * edge[(i + 2) % 3]);
  }
  return assembly_add_body(&d->set, &body);
}

/* Four contacts at the corners of the horizontal rectangle. */
static void touch_patch(draft *d, thud_index a, thud_index b, const double low[2], const double high[2], double z,
                        double mu) {
  for (int corner = 0; corner < 4; corner++)
    touch(d, a, b, (double[3]){corner % 2 ? high[0] : low[0], corner / 2 ? high[1] : low[1], z}, (double[3]){0, 0, 1},
          mu);
}

/* Bricks 2 x 1 x 1 in running bond: each on the halves of the two below. */
static void bricks(draft *d) {
  int wide = 2 + d->size / 2, high = 2 + d->size;
  double mu = uniform(d, 0.4, 0.8);
  for (int z = 0; z < high; z++)
    for (int x = 0; x < wide; x++) {
      double left = 2 * x + z % 2;
      thud_index brick = add_box(d, (double[3]){left + 1, 0.5, z + 0.5}, (double[3]){2, 1, 1}, 2);
      if (z == 0) touch_patch(d, brick, ASSEMBLY_WORLD, (double[2]){left, 0}, (double[2]){left + 2, 1}, 0, mu);
      for (int side = 0; z > 0 && side < 2; side++) {
        int below = x - 1 + side + z % 2;
        if (below < 0 || below >= wide) continue;
        double from = left + side;
        touch_patch(d, brick, brick - wide + (below - x), (double[2]){from, 0}, (double[2]){from + 1, 1}, z, mu);
      }
    }
  stir(d, 0.02);
}

/* Unit cubes on a lattice: four contacts on every face that two share, beside each other too, and under the lowest. */
static void box_piles(draft *d) {
  int wide = 2 + d->size / 2, deep = 1 + d->size / 5, high = 2 + (d->size + 1) / 2;
  double mu = uniform(d, 0.3, 0.7);
  for (int z = 0; z < high; z++)
    for (int y = 0; y < deep; y++)
      for (int x = 0; x < wide; x++) {
        thud_index box = add_box(d, (double[3]){x + 0.5, y + 0.5, z + 0.5}, (double[3]){1, 1, 1}, 1);
        touch_patch(d, box, z == 0 ? ASSEMBLY_WORLD : box - wide * deep, (double[2]){x, y}, (double[2]){x + 1, y + 1},
                    z, mu);
        for (int corner = 0; corner < 4; corner++) {
          double one = corner % 2, other = corner / 2;
          if (x > 0) touch(d, box, box - 1, (double[3]){x, y + one, z + other}, (double[3]){1, 0, 0}, mu);
          if (y > 0) touch(d, box, box - wide, (double[3]){x + one, y, z + other}, (double[3]){0, 1, 0}, mu);
        }
      }
  stir(d, 0.02);
}

/* The same bond in the plane: two contacts on each of the two halves, and two between neighbours. */
static void planar_walls(draft *d) {
  int wide = 2 + d->size, high = 3 + d->size;
  double mu = uniform(d, 0.3, 0.9);
  d->set.planar = true;
  d->form.dimension = 2;
  for (int y = 0; y < high; y++)
    for (int x = 0; x < wide; x++) {
      double left = 2 * x + y % 2;
      thud_index brick = add_box(d, (double[3]){left + 1, y + 0.5, 0}, (double[3]){2, 1, 1}, 2);
      for (int half = 0; half < 2; half++) {
        if (x > 0) touch(d, brick, brick - 1, (double[3]){left, y + half, 0}, (double[3]){1, 0, 0}, mu);
        int below = y > 0 ? x - 1 + half + y % 2 : x;
        if (below < 0 || below >= wide) continue;
        for (int end = 0; end < 2; end++)
          touch(d, brick, y == 0 ? ASSEMBLY_WORLD : brick - wide + (below - x), (double[3]){left + half + end, y, 0},
                (double[3]){0, 1, 0}, mu);
      }
    }
  stir(d, 0.02);
}

/* A table on many legs that carries boxes: the forces of the legs are far from unique. */
static void hyperstatic(draft *d) {
  int legs = 3 + 2 * d->size;
  double span = legs - 1, mu = 0.5;
  thud_index table = add_box(d, (double[3]){span / 2, span / 2, 0.5}, (double[3]){span, span, 1}, span * span);
  for (int x = 0; x < legs; x++)
    for (int y = 0; y < legs; y++) touch(d, table, ASSEMBLY_WORLD, (double[3]){x, y, 0}, (double[3]){0, 0, 1}, mu);
  for (int x = 0; x + 1 < legs; x += 2) {
    thud_index box = add_box(d, (double[3]){x + 0.5, span / 2, 1.5}, (double[3]){1, 1, 1}, 1 + x);
    touch_patch(d, box, table, (double[2]){x, span / 2 - 0.5}, (double[2]){x + 1, span / 2 + 0.5}, 1, mu);
  }
  stir(d, 0.02);
}

/* A semicircular arch of voussoirs of thickness 0.2, four contacts in every joint; planar frames turned in space. */
static void arches(draft *d) {
  int count = 5 + 4 * d->size;
  double inner = 0.9, outer = 1.1, mu = 0.7, depth = 0.3;
  for (int k = 0; k <= count; k++) {
    double joint = pi * k / count, middle = pi * (k + 0.5) / count;
    thud_index block = (thud_index)k;
    if (k < count)
      add_box(d, (double[3]){cos(middle), 0, sin(middle)}, (double[3]){0.2, depth, pi / count},
              0.2 * depth * pi / count);
    for (int corner = 0; corner < 4; corner++) {
      double radius = corner % 2 ? outer : inner, y = corner / 2 ? depth / 2 : -depth / 2;
      double place[3] = {radius * cos(joint), y, radius * sin(joint)}, normal[3] = {-sin(joint), 0, cos(joint)};
      if (k == count) /* the other springing: the last block stands on the ground */
        touch(d, block - 1, ASSEMBLY_WORLD, place, (double[3]){sin(joint), 0, -cos(joint)}, mu);
      else
        touch(d, block, k == 0 ? ASSEMBLY_WORLD : block - 1, place, normal, mu);
    }
  }
}

/* ---- long bodies and machines -------------------------------------------------------------------------------------- */

/* Logs in layers, each layer across the one below: a contact at every crossing. */
static void capsules(draft *d) {
  int per_layer = 2 + d->size / 2, layers = 2 + d->size;
  double length = per_layer, mu = uniform(d, 0.2, 0.7);
  for (int z = 0; z < layers; z++)
    for (int k = 0; k < per_layer; k++) {
      bool along_x = z % 2 == 0;
      double aside = k + 0.5 + uniform(d, -0.2, 0.2), middle = length / 2;
      double place[3] = {along_x ? middle : aside, along_x ? aside : middle, 0.2 + 0.4 * z};
      double edge[3] = {along_x ? length : 0.4, along_x ? 0.4 : length, 0.4};
      thud_index log = add_box(d, place, edge, length);
      for (int j = 0; z > 0 && j < per_layer; j++) {
        thud_index below = (thud_index)((z - 1) * per_layer + j);
        const double *other = d->set.bodies[below].place;
        touch(d, log, below, (double[3]){along_x ? other[0] : place[0], along_x ? place[1] : other[1], 0.4 * z},
              (double[3]){0, 0, 1}, mu);
      }
      for (int end = 0; z == 0 && end < 2; end++)
        touch(d, log, ASSEMBLY_WORLD, (double[3]){end * length, place[1], 0}, (double[3]){0, 0, 1}, mu);
    }
  stir(d, 0.02);
}

/* Links that hang between two hooks: each pulls the next in two points. */
static void chains(draft *d) {
  int links = 4 + 6 * d->size;
  double mu = uniform(d, 0.1, 0.5);
  for (int k = 0; k < links; k++) {
    double share = (k + 0.5) / links, sag = 4 * share * (1 - share);
    add_box(d, (double[3]){k + 0.5, 0, -0.3 * sag * links / 4}, (double[3]){1.2, 0.6, 0.2}, 1);
  }
  /* Between two links, and between the last one and its hook: the left one cannot leave the right one leftwards. */
  for (int k = 0; k <= links; k++) {
    double share = (double)k / links, slope = -0.3 * (1 - 2 * share), height = -0.3 * share * (1 - share) * links;
    thud_index left = (thud_index)k - 1, right = k < links ? (thud_index)k : ASSEMBLY_WORLD;
    for (int side = -1; side <= 1; side += 2) {
      double place[3] = {k, 0.1 * side, height}, along[3] = {1, 0.3 * side, slope};
      if (k > 0)
        touch(d, left, right, place, along, mu);
      else
        touch(d, 0, ASSEMBLY_WORLD, place, (double[3]){-1, 0.3 * side, -slope}, mu);
    }
  }
  stir(d, 0.05);
}

/* Vehicles with six wheels on hinges, on rough ground. */
static void rovers(draft *d) {
  for (int n = 0; n <= d->size; n++) {
    double at = 6 * n, mu = uniform(d, 0.3, 1);
    thud_index hull = add_box(d, (double[3]){at, 0, 1}, (double[3]){3, 1.5, 0.5}, 50);
    for (int k = 0; k < 6; k++) {
      double x = at + k / 2 - 1, y = k % 2 ? 1 : -1;
      thud_index wheel = add_ball(d, x, y, 0.4, 0.4, 2);
      assembly_add_joint(
          &d->set, &(assembly_joint){.a = wheel, .b = hull, .place = {x, y, 0.4}, .hinge = true, .axis = {0, 1, 0}});
      double tilt = uniform(d, -0.3, 0.3), side = uniform(d, -0.1, 0.1), normal[3] = {tilt, side, 1};
      touch(d, wheel, ASSEMBLY_WORLD, (double[3]){x - 0.4 * tilt, y - 0.4 * side, 0}, normal, mu);
    }
  }
  d->form.form = THUD_FORM_TWO_BLOCK;
  stir(d, 0.1);
}

/* The same with wheels that resist rolling. */
static void rolling_rovers(draft *d) {
  d->form.dimension = 5;
  d->form.mu_rolling = 0.02;
  rovers(d);
}

/* Rods linked by pins, lying on the ground in zigzag, two contacts each; planar. */
static void linkages(draft *d) {
  int rods = 3 + 5 * d->size;
  d->set.planar = true;
  d->form.dimension = 2;
  double mu = uniform(d, 0.2, 0.9);
  for (int k = 0; k < rods; k++) {
    thud_index rod = add_box(d, (double[3]){k, 0.3, 0}, (double[3]){1.1, 0.1, 0.1}, 1);
    double low = k % 2 ? 0.5 : -0.5; /* the lower end is on the left of even rods */
    touch(d, rod, ASSEMBLY_WORLD, (double[3]){k + low, 0, 0}, (double[3]){0, 1, 0}, mu);
    if (k > 0)
      assembly_add_joint(&d->set, &(assembly_joint){.a = rod, .b = rod - 1, .place = {k - 0.5, k % 2 ? 0.6 : 0, 0}});
  }
  d->form.form = THUD_FORM_TWO_BLOCK;
  stir(d, 0.1);
}

/* ---- the table ---------------------------------------------------------------------------------------------------- */

/* Families that are not assemblies of rigid bodies. */
static thud_error flexible_bars(thud_context *context, draft *d, thud_test_problem *made) {
  thud_test_shape shape = thud_test_shape_of(d->size % 2 == 0 ? 3 : 2, 4 + 6 * d->size);
  return thud_test_flexible_global(context, &d->random, &shape, 40 + 60 * d->size, 1 + d->size, 0, made);
}
static thud_error gyroscopic_bars(thud_context *context, draft *d, thud_test_problem *made) {
  thud_test_shape shape = thud_test_shape_of(3, 4 + 6 * d->size);
  return thud_test_flexible_global(context, &d->random, &shape, 40 + 60 * d->size, 0, 0.3, made);
}
static thud_error random_dense(thud_context *context, draft *d, thud_test_problem *made) {
  thud_test_shape shape = thud_test_shape_of(3, 3 + 6 * d->size);
  shape.bodies = shape.bodies / 2 + 1; /* W is singular */
  return thud_test_random_local(context, &d->random, &shape, THUD_MATRIX_DENSE, made);
}

typedef struct family {
  const char *name;
  void (*fill)(draft *);
  thud_error (*make)(thud_context *, draft *, thud_test_problem *); /* where fill is NULL */
} family;

/* Every other one, from the second on, is held back. */
static const family families[] = {
    {"spheres", spheres, NULL},
    {"discs", discs, NULL},
    {"bricks", bricks, NULL},
    {"capsules", capsules, NULL},
    {"chains", chains, NULL},
    {"arches", arches, NULL},
    {"rovers", rovers, NULL},
    {"linkages", linkages, NULL},
    {"hyperstatic", hyperstatic, NULL},
    {"mass-ratios", mass_ratios, NULL},
    {"rolling-spheres", rolling_spheres, NULL},
    {"spinning-spheres", spinning_spheres, NULL},
    {"near-critical", near_critical, NULL},
    {"frictionless-spheres", frictionless_spheres, NULL},
    {"flexible-bars", NULL, flexible_bars},
    {"gyroscopic-bars", NULL, gyroscopic_bars},
    {"random-dense", NULL, random_dense},
    {"badly-scaled", badly_scaled, NULL},
    {"box-piles", box_piles, NULL},
    {"planar-walls", planar_walls, NULL},
    {"rolling-rovers", rolling_rovers, NULL},
};

/* Forms in turn, where the family leaves them open. */
static assembly_form form_of(int size) {
  static const thud_contact_form forms[] = {THUD_FORM_LOCAL, THUD_FORM_TWO_BLOCK, THUD_FORM_LOCAL, THUD_FORM_GLOBAL};
  return (assembly_form){.dimension = 3,
                         .form = forms[size % 4],
                         .storage = size % 4 == 0 ? THUD_MATRIX_BLOCKS : THUD_MATRIX_DENSE,
                         .step = 0.005};
}

static thud_error make_member(thud_context *context, const family *from, int size, thud_owned_problem **made) {
  draft d = {.random = thud_random_seed(7919 * (uint64_t)(from - families) + (uint64_t)size + 1),
             .size = size,
             .form = form_of(size)};
  if (from->fill != NULL) {
    from->fill(&d);
    thud_error error = assembly_make_problem(context, &d.set, &d.form, made);
    assembly_free(&d.set);
    return error;
  }
  thud_test_problem work = {0};
  thud_error error = from->make(context, &d, &work);
  if (error == THUD_OK) error = thud_contact_copy(context, work.problem, made);
  thud_test_problem_destroy(&work);
  return error;
}

void bench_problems_of_families(thud_context *context, bool held_back, bool quick, bench_problems *problems) {
  for (size_t k = held_back; k < sizeof families / sizeof *families; k += 2)
    for (int size = 0; size < (quick ? 3 : SIZES); size++) {
      char name[64];
      snprintf(name, sizeof name, "%s-%d", families[k].name, size);
      bench_problem *problem = bench_problems_add(problems, name);
      bench_stop_on(context, make_member(context, &families[k], size, &problem->made));
      problem->problem = thud_owned_problem_view(problem->made);
      problem->part = held_back ? "held-back" : "chosen";
    }
}
