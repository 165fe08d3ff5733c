/* A record of particles on a line: balance of momentum, friction law, percussions, energy, by formulas of its own.
 *
 * Event-driven records hold every event, so that between two rows the data are smooth and the modes do not change:
 *   M (v-_k - v_{k-1}) = int p - V (q_k - q_{k-1}) - K int q + R_k,
 * int q by the trapezoidal rule with its first correction (error about h^5 q''''/720), int p and int N by Gauss. A row
 * of the implicit scheme holds its step: M (v - v-) + h V v + h K q = h p + R. */
#include "verify/dense.h"
#include "verify/line.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double DEFAULT_TOLERANCE = 1e-8;

enum { KINETIC, POTENTIAL, WORK, IMPACT, FRICTION, VISCOUS, SCHEME, DEFECT, IDENTITY, LEDGER };
enum { STRUCTURE, INITIAL, MOMENTUM, POSITION, LAW, PERCUSSIONS, ENERGY, FINISHED, CHECKS };
static const char *const names[CHECKS] = {"structure", "initial",     "momentum", "position",
                                          "friction",  "percussions", "energy",   "finished"};

typedef struct line_frames {
  thud_context *context;
  verify_line *line;
  size_t n, count;
  double *t, *step;                                          /* [count] */
  double *q, *v_left, *v, *reaction, *bound, *atom, *mode;   /* [count x n] */
  double *ledger;                                            /* [count x LEDGER] */
  double *error, *size, *work, *impulse, *friction, *ground; /* [n] */
  double tolerance;
} line_frames;

static const double *row(const line_frames *f, const double *array, size_t k) { return array + k * f->n; }

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static thud_error read_channel(const line_frames *f, thud_record_reader *reader, const char *role, size_t width,
                               double **values, thud_verify_check *structure) {
  size_t channel, total;
  if (!thud_size_multiply(f->count, width, &total)) return THUD_ERROR_OVERFLOW;
  *values = THUD_NEW_ARRAY(f->context, double, total);
  if (*values == NULL) return THUD_ERROR_MEMORY;
  if (thud_record_find_role(reader, role, &channel) != THUD_OK) {
    verify_fail(structure, NAN, SIZE_MAX, "the record has no channel for the %s", role);
    return THUD_OK;
  }
  if (thud_record_reader_channel(reader, channel)->width != width) {
    verify_fail(structure, NAN, SIZE_MAX, "the %s has not %zu components", role, width);
    return THUD_OK;
  }
  thud_error error = thud_record_read(reader, channel, 0, f->count, *values);
  for (size_t k = 0; k < total && error == THUD_OK; k++)
    if (!isfinite((*values)[k])) {
      verify_fail(structure, NAN, k / width, "the %s is not finite", role);
      break;
    }
  return error;
}

static thud_error read_frames(line_frames *f, thud_record_reader *reader, thud_verify_check *structure) {
  size_t n = f->n;
  const struct {
    const char *role;
    size_t width;
    double **values;
  } channels[] = {{"time", 1, &f->t},
                  {"step", 1, &f->step},
                  {"position", n, &f->q},
                  {"velocity", n, &f->v},
                  {"velocity_left", n, &f->v_left},
                  {"reaction", n, &f->reaction},
                  {"bound", n, &f->bound},
                  {"atom", n, &f->atom},
                  {"mode", n, &f->mode},
                  {"ledger", LEDGER, &f->ledger}};
  thud_error error = THUD_OK;
  for (size_t k = 0; k < sizeof channels / sizeof *channels && error == THUD_OK; k++)
    error = read_channel(f, reader, channels[k].role, channels[k].width, channels[k].values, structure);
  double **const scratch[] = {&f->error, &f->size, &f->work, &f->impulse, &f->friction, &f->ground};
  for (size_t k = 0; k < sizeof scratch / sizeof *scratch && error == THUD_OK; k++) {
    *scratch[k] = THUD_NEW_ARRAY(f->context, double, n);
    if (*scratch[k] == NULL) error = THUD_ERROR_MEMORY;
  }
  return error;
}

static void free_frames(line_frames *f) {
  double *const arrays[] = {f->t,    f->step,   f->q,     f->v_left, f->v,    f->reaction, f->bound,    f->atom,
                            f->mode, f->ledger, f->error, f->size,   f->work, f->impulse,  f->friction, f->ground};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(f->context, arrays[k]);
}

static void check_structure(const line_frames *f, const thud_record_info *info, thud_verify_check *check) {
  const verify_scene *scene = &f->line->scene;
  if (f->count == 0) {
    verify_fail(check, NAN, SIZE_MAX, "the record has no frames");
    return;
  }
  if (strcmp(info->method, scene->method) != 0)
    verify_fail(check, NAN, SIZE_MAX, "the record was made by the method '%s', its scene says '%s'", info->method,
                scene->method);
  if (f->t[0] != scene->start) verify_fail(check, f->t[0], 0, "the record does not begin at the start");
  if (strcmp(info->verdict, "good") == 0 && f->t[f->count - 1] != scene->end)
    verify_fail(check, f->t[f->count - 1], f->count - 1, "the record does not reach the end");
  for (size_t k = 1; k < f->count; k++) {
    double passed = f->t[k] - f->t[k - 1], rounding = 1e-12 * (fabs(f->t[k]) + fabs(scene->end - scene->start));
    if (passed < 0) verify_fail(check, f->t[k], k, "times go backwards");
    if (f->line->implicit ? f->step[k] > passed + rounding : fabs(f->step[k] - passed) > rounding)
      verify_fail(check, f->t[k], k, "the step is %g, %g has passed since the row before", f->step[k], passed);
  }
}

static void check_initial(const line_frames *f, thud_verify_check *check) {
  for (size_t i = 0; i < f->n; i++) {
    double size = 1e-15 * (fabs(f->line->q0[i]) + fabs(f->line->v0[i]));
    verify_tally(check, fabs(f->q[i] - f->line->q0[i]), size, 0, f->t[0], 0);
    verify_tally(check, fabs(f->v_left[i] - f->line->v0[i]), size, 0, f->t[0], 0);
  }
}

/* ---- data over a step -------------------------------------------------------------------------------------------- */

/* Gauss with five points; what three points make of it bounds the error. */
static double integrate(const line_frames *f, const verify_value *value, double from, double h, double *accuracy) {
  static const double nodes[] = {0, 0.53846931010568309, 0.90617984593866399};
  static const double weights[] = {0.56888888888888889, 0.47862867049936647, 0.23692688505618909};
  const double outer = 0.77459666924148338;
  const verify_scene *scene = &f->line->scene;
  double middle = from + h / 2, five = 0;
  for (int k = 0; k < 3; k++)
    for (int sign = k == 0 ? 1 : -1; sign <= 1; sign += 2)
      five += weights[k] * verify_value_at(scene, value, middle + sign * nodes[k] * h / 2, THUD_SIDE_VALUE);
  double three = 8 * verify_value_at(scene, value, middle, THUD_SIDE_VALUE) / 9;
  for (int sign = -1; sign <= 1; sign += 2)
    three += 5 * verify_value_at(scene, value, middle + sign * outer * h / 2, THUD_SIDE_VALUE) / 9;
  *accuracy += fabs(five - three) * h / 2;
  return five * h / 2;
}

static void add_product(size_t n, const double *A, double factor, const double *x, double *sum, double *size) {
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) {
      sum[i] += factor * A[i * n + j] * x[j];
      size[i] += fabs(factor * A[i * n + j] * x[j]);
    }
}

/* Atoms in ]from, to]; with from == to the one at that time. Returns how many. */
static size_t add_atoms(const line_frames *f, double from, double to, double *bound) {
  size_t found = 0;
  for (size_t k = 0; k < f->line->atom_count; k++) {
    const verify_atom *atom = &f->line->atoms[k];
    bool inside = from == to ? atom->t == to : atom->t > from && atom->t <= to;
    if (!inside) continue;
    found++;
    for (size_t i = 0; i < f->n; i++) bound[i] += atom->bound[i];
  }
  return found;
}

/* Beginning of the implicit step that ends at t. */
static double step_start(const line_frames *f, double t) {
  const verify_scene *scene = &f->line->scene;
  double span = scene->end - scene->start, k = round((t - scene->start) / span * scene->steps);
  return scene->start + span * (k - 1) / scene->steps;
}

/* ---- momentum, position ------------------------------------------------------------------------------------------ */

/* What is left of the balance over the arc that ends in row k; extra[i]: how well the integrals are known. */
static void balance_arc(line_frames *f, size_t k, double *extra) {
  const verify_line *line = f->line;
  size_t n = f->n;
  double h = f->step[k], from = f->t[k] - h, lag = 0;
  const double *q = row(f, f->q, k), *old = row(f, f->q, k - 1), *u = row(f, f->v_left, k), *v = row(f, f->v, k - 1);
  for (size_t i = 0; i < n; i++) {
    double accuracy = 0;
    f->error[i] -= integrate(f, &line->force[i], from, h, &accuracy);
    f->impulse[i] = accuracy;
    double correction = h * h * (v[i] - u[i]) / 12;
    f->work[i] = h * (q[i] + old[i]) / 2 + correction;
    lag = fmax(lag, fabs(correction));
  }
  add_product(n, line->stiffness, 1, f->work, f->error, f->size);
  for (size_t i = 0; i < n; i++) f->work[i] = q[i] - old[i];
  add_product(n, line->viscosity, 1, f->work, f->error, f->size);
  /* The next term of the rule is about (h w)^2/60 of its correction, w^2 the fastest square frequency. */
  double square = line->inverse_norm * (line->stiffness_norm + line->viscosity_norm / h);
  for (size_t i = 0; i < n; i++) extra[i] = f->impulse[i] + line->stiffness_norm * lag * fmin(1, h * h * square / 10);
}

static void check_momentum(line_frames *f, size_t k, thud_verify_check *check) {
  const verify_line *line = f->line;
  size_t n = f->n;
  bool arc = !line->implicit && f->step[k] > 0;
  const double *after = arc ? row(f, f->v_left, k) : row(f, f->v, k);
  const double *before = arc ? row(f, f->v, k - 1) : row(f, f->v_left, k);
  memset(f->error, 0, n * sizeof(double));
  memset(f->size, 0, n * sizeof(double));
  memset(f->ground, 0, n * sizeof(double));
  add_product(n, line->mass, 1, after, f->error, f->size);
  add_product(n, line->mass, -1, before, f->error, f->size);
  if (arc) {
    balance_arc(f, k, f->ground);
  } else if (f->step[k] > 0) {
    double h = f->step[k];
    add_product(n, line->viscosity, h, after, f->error, f->size);
    add_product(n, line->stiffness, h, row(f, f->q, k), f->error, f->size);
    for (size_t i = 0; i < n; i++)
      f->error[i] -= h * verify_value_at(&line->scene, &line->force[i], f->t[k], THUD_SIDE_VALUE);
  }
  for (size_t i = 0; i < n; i++) {
    double reaction = row(f, f->reaction, k)[i];
    verify_tally(check, fabs(f->error[i] - reaction), f->tolerance * (f->size[i] + fabs(reaction)) + f->ground[i], 0,
                 f->t[k], k);
  }
}

/* Largest acceleration that the forces of row k allow. */
static double acceleration(line_frames *f, size_t k) {
  const verify_line *line = f->line;
  double largest = 0;
  memset(f->error, 0, f->n * sizeof(double));
  memset(f->size, 0, f->n * sizeof(double));
  add_product(f->n, line->stiffness, 1, row(f, f->q, k), f->error, f->size);
  add_product(f->n, line->viscosity, 1, row(f, f->v, k), f->error, f->size);
  for (size_t i = 0; i < f->n; i++) {
    double force = verify_value_at(&line->scene, &line->force[i], f->t[k], THUD_SIDE_VALUE);
    double normal = verify_value_at(&line->scene, &line->density[i], f->t[k], THUD_SIDE_VALUE);
    largest = fmax(largest, f->size[i] + fabs(force) + line->friction[i] * fabs(normal));
  }
  return line->inverse_norm * largest;
}

/* q moves with the velocities: exactly in an implicit step, with the ground while it sticks, and otherwise within what
 * the accelerations A at both ends allow: |q_k - q_{k-1} - h (v_{k-1} + v-_k)/2| <= A h^2/2. */
static void check_position(line_frames *f, size_t k, thud_verify_check *check) {
  const verify_line *line = f->line;
  double h = f->step[k];
  if (fabs(f->t[k] - f->t[k - 1] - h) > 1e-9 * h) return;
  double reach = line->implicit ? 0 : fmax(acceleration(f, k), acceleration(f, k - 1)) * h * h / 2;
  for (size_t i = 0; i < f->n; i++) {
    double q = row(f, f->q, k)[i], old = row(f, f->q, k - 1)[i], v = row(f, f->v, k)[i];
    double last = row(f, f->v, k - 1)[i], left = row(f, f->v_left, k)[i], accuracy = 0;
    bool sticks = !line->implicit && row(f, f->mode, k - 1)[i] == 0 && row(f, f->bound, k)[i] > 0;
    double path = line->implicit ? h * v
                  : sticks       ? integrate(f, &line->transport[i], f->t[k] - h, h, &accuracy)
                                 : h * (last + left) / 2;
    double rounding = f->tolerance * (fabs(q) + fabs(old) + h * (fabs(v) + fabs(last)));
    verify_tally(check, fabs(q - old - path), rounding + accuracy + (sticks ? 0 : reach), 0, f->t[k], k);
  }
}

/* ---- friction ---------------------------------------------------------------------------------------------------- */

/* The bound of row k by the scene, and how well it is known. */
static size_t find_bound(line_frames *f, size_t k, double *accuracy) {
  const verify_line *line = f->line;
  double h = f->step[k], t = f->t[k];
  size_t found = 0;
  *accuracy = 0;
  memset(f->friction, 0, f->n * sizeof(double));
  if (h == 0) return f->atom[k * f->n] != 0 ? add_atoms(f, t, t, f->friction) : 0;
  for (size_t i = 0; i < f->n; i++)
    f->friction[i] =
        line->friction[i] * (line->implicit ? h * verify_value_at(&line->scene, &line->density[i], t, THUD_SIDE_VALUE)
                                            : integrate(f, &line->density[i], t - h, h, accuracy));
  if (line->implicit) found = add_atoms(f, step_start(f, t), t, f->friction);
  return found;
}

static void check_law(line_frames *f, size_t k, thud_verify_check *check, thud_verify_check *percussions) {
  const verify_line *line = f->line;
  double accuracy, t = f->t[k];
  size_t found = find_bound(f, k, &accuracy);
  bool atom = f->atom[k * f->n] != 0, arc = !line->implicit && f->step[k] > 0;
  if (atom != (found > 0))
    verify_fail(percussions, t, k, atom ? "there is no atom here" : "an atom of the scene was left out");
  for (size_t i = 0; i < f->n; i++) {
    double bound = row(f, f->bound, k)[i], reaction = row(f, f->reaction, k)[i], v = row(f, f->v, k)[i];
    double w = verify_value_at(&line->scene, &line->transport[i], t, THUD_SIDE_RIGHT);
    /* A short arc's length is known as well as its ends. */
    double blur = arc ? 4 * DBL_EPSILON * fabs(t) / f->step[k] : 0;
    double slack = (f->tolerance + blur) * (bound + fabs(reaction)) + accuracy;
    verify_tally(check, fabs(bound - f->friction[i]), slack, 0, t, k);
    verify_tally(check, fabs(reaction) - bound, slack, 0, t, k);
    double way = arc ? row(f, f->mode, k - 1)[i] : fabs(v - w) > f->tolerance * (fabs(v) + fabs(w)) ? v - w : 0;
    if (way != 0) verify_tally(check, fabs(reaction + copysign(bound, way)), slack, 0, t, k);
    /* A stuck particle moves with the ground. */
    double left = verify_value_at(&line->scene, &line->transport[i], t, THUD_SIDE_LEFT);
    if (arc && way == 0 && bound > 0)
      verify_tally(check, fabs(row(f, f->v_left, k)[i] - left), f->tolerance * (fabs(left) + fabs(v)), 0, t, k);
  }
}

/* ---- energy ------------------------------------------------------------------------------------------------------ */

static double form(const line_frames *f, const double *A, const double *x) {
  double sum = 0;
  for (size_t i = 0; i < f->n; i++) sum += x[i] * verify_dot(f->n, A + i * f->n, x);
  return sum / 2;
}

/* Energies of the row, the balance since the start, and losses that never become smaller. */
static void check_energy(const line_frames *f, size_t k, thud_verify_check *check) {
  const double *ledger = f->ledger + k * LEDGER, *before = k > 0 ? ledger - LEDGER : NULL;
  double kinetic = form(f, f->line->mass, row(f, f->v, k));
  double potential = form(f, f->line->stiffness, row(f, f->q, k));
  double start = form(f, f->line->mass, f->line->v0) + form(f, f->line->stiffness, f->line->q0);
  double size = start + kinetic + potential + fabs(ledger[WORK]) + fabs(ledger[IMPACT]) + fabs(ledger[FRICTION]) +
                fabs(ledger[VISCOUS]) + fabs(ledger[SCHEME]);
  double balance =
      kinetic + potential - start - ledger[WORK] + ledger[IMPACT] + ledger[FRICTION] + ledger[VISCOUS] + ledger[SCHEME];
  verify_tally(check, fabs(ledger[KINETIC] - kinetic), f->tolerance * size, 0, f->t[k], k);
  verify_tally(check, fabs(ledger[POTENTIAL] - potential), f->tolerance * size, 0, f->t[k], k);
  verify_tally(check, fabs(balance), f->tolerance * size, 0, f->t[k], k);
  for (int loss = IMPACT; before != NULL && loss <= SCHEME; loss++)
    verify_tally(check, before[loss] - ledger[loss], f->tolerance * size, 0, f->t[k], k);
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

static void check_rows(line_frames *f, const thud_record_info *info, thud_verify_check *checks) {
  size_t atoms = 0;
  check_initial(f, &checks[INITIAL]);
  for (size_t k = 0; k < f->count; k++) {
    check_energy(f, k, &checks[ENERGY]);
    atoms += f->atom[k * f->n] != 0;
    if (k == 0) continue;
    if (f->step[k] > 0 || f->atom[k * f->n] != 0) check_momentum(f, k, &checks[MOMENTUM]);
    if (f->step[k] > 0 || f->atom[k * f->n] != 0) check_law(f, k, &checks[LAW], &checks[PERCUSSIONS]);
    if (f->step[k] > 0) check_position(f, k, &checks[POSITION]);
  }
  bool complete = strcmp(info->verdict, "good") == 0 && !f->line->implicit;
  if (complete && atoms != f->line->atom_count)
    verify_fail(&checks[PERCUSSIONS], NAN, SIZE_MAX, "%zu percussions, the scene has %zu", atoms, f->line->atom_count);
}

static thud_error check_record(thud_context *context, thud_record_reader *reader, verify_line *line, double tolerance,
                               thud_verify_check *checks) {
  thud_record_info info = thud_record_reader_info(reader);
  line_frames frames = {.context = context,
                        .line = line,
                        .n = line->n,
                        .count = info.rows,
                        .tolerance = tolerance > 0 ? tolerance : DEFAULT_TOLERANCE};
  thud_error error = read_frames(&frames, reader, &checks[STRUCTURE]);
  if (error == THUD_OK && checks[STRUCTURE].status == THUD_VERIFY_PASSED)
    check_structure(&frames, &info, &checks[STRUCTURE]);
  if (error == THUD_OK && checks[STRUCTURE].status == THUD_VERIFY_PASSED) check_rows(&frames, &info, checks);
  free_frames(&frames);
  return error;
}

thud_error verify_line_record(thud_context *context, thud_record_reader *reader, const thud_tree *tree,
                              double tolerance, thud_verify_result *result) {
  thud_record_info info = thud_record_reader_info(reader);
  thud_verify_check checks[CHECKS];
  verify_line *line = NULL;
  for (int k = 0; k < CHECKS; k++) checks[k] = verify_check_new(names[k]);
  thud_error error = verify_line_create(context, tree, &line);
  if (error == THUD_OK) {
    error = check_record(context, reader, line, tolerance, checks);
  } else if (error != THUD_ERROR_MEMORY) {
    verify_fail(&checks[STRUCTURE], NAN, SIZE_MAX, "the scene in the record cannot be used: %s",
                thud_context_last_message(context));
    error = THUD_OK;
  }
  verify_line_destroy(line);
  if (error != THUD_OK) return error;
  if (!info.finished)
    verify_fail(&checks[FINISHED], NAN, SIZE_MAX, "unfinished record: the run is still going on or was killed");
  else if (strcmp(info.verdict, "good") != 0)
    verify_fail(&checks[FINISHED], NAN, SIZE_MAX, "the run itself ended with the verdict '%s': %s", info.verdict,
                info.reason);
  *result = (thud_verify_result){0};
  for (int k = 0; k < CHECKS; k++) {
    if (checks[STRUCTURE].status == THUD_VERIFY_FAILED && k > STRUCTURE && k < FINISHED)
      verify_skip(&checks[k], THUD_VERIFY_NOT_CHECKABLE, "the frames cannot be used: see structure");
    verify_result_add(result, &checks[k]);
  }
  verify_result_judge(result);
  return THUD_OK;
}
