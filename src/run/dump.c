#include "run/dump.h"
#include "thud/problem.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RESIDUAL, CONTACTS, ITERATIONS, TIME, PENETRATION, VARIABLES };
static const char *const names[VARIABLES] = {"residual", "contacts", "iterations", "t", "penetration"};
static const char prefix[] = "step-";

/* ---- start ------------------------------------------------------------------------------------------------------------------- */

static thud_error compile(run_dump *dump, const char *condition) {
  thud_expr_place place = {0};
  thud_error error = thud_expr_scope_create(dump->context, &dump->scope);
  for (size_t k = 0; k < VARIABLES && error == THUD_OK; k++)
    error = thud_expr_scope_add_variable(dump->scope, names[k], NULL);
  if (error == THUD_OK) error = thud_expr_compile(dump->context, dump->scope, condition, &place, &dump->condition);
  return error == THUD_OK || error == THUD_ERROR_MEMORY
             ? error
             : thud_fail_within(dump->context, error,
                                "--dump-if '%s' (of residual, contacts, iterations, t, penetration)", condition);
}

/* Problems of another run would be taken for those of this one. */
static thud_error check_empty(const run_dump *dump) {
  DIR *directory = opendir(dump->directory);
  thud_error error = THUD_OK;
  if (directory == NULL)
    return thud_fail(dump->context, THUD_ERROR_FILE, "%s cannot be read: %s", dump->directory, strerror(errno));
  for (struct dirent *entry; error == THUD_OK && (entry = readdir(directory)) != NULL;)
    if (strncmp(entry->d_name, prefix, strlen(prefix)) == 0)
      error = thud_fail(dump->context, THUD_ERROR_EXISTS,
                        "%s holds problems already; remove them, or replace them with --force", dump->directory);
  closedir(directory);
  return error;
}

static thud_error make_directory(run_dump *dump) {
  if (mkdir(dump->directory, 0777) == 0) {
    dump->made = true;
    return THUD_OK;
  }
  struct stat there;
  int why = errno;
  if (why != EEXIST)
    return thud_fail(dump->context, THUD_ERROR_FILE, "the directory %s cannot be made: %s", dump->directory,
                     strerror(why));
  if (stat(dump->directory, &there) != 0 || !S_ISDIR(there.st_mode))
    return thud_fail(dump->context, THUD_ERROR_FILE, "%s is no directory", dump->directory);
  return dump->overwrite ? THUD_OK : check_empty(dump);
}

thud_error thud_run_dump_create(thud_context *context, const thud_kind *kind, const thud_run_options *options,
                                run_dump *dump) {
  *dump = (run_dump){.context = context, .overwrite = options->overwrite || options->resume};
  if (options->dump_directory == NULL && options->dump_if == NULL) return THUD_OK;
  if (options->dump_directory == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "--dump-if says which problems go into the directory of "
                     "--dump-problems, which is missing");
  if (kind->problem == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "motions of the kind '%s' have no contact problems to dump; those of 'bodies' do", kind->name);
  thud_error error = options->dump_if != NULL ? compile(dump, options->dump_if) : THUD_OK;
  if (error != THUD_OK) return error;
  dump->directory = thud_strdup(context, options->dump_directory);
  return dump->directory != NULL ? make_directory(dump) : THUD_ERROR_MEMORY;
}

void thud_run_dump_free(run_dump *dump, bool discard) {
  if (dump->context == NULL) return;
  if (discard && dump->made) (void)rmdir(dump->directory);
  thud_expr_destroy(dump->condition);
  thud_expr_scope_destroy(dump->scope);
  thud_free(dump->context, dump->directory);
  *dump = (run_dump){0};
}

/* ---- files --------------------------------------------------------------------------------------------------------------------- */

static thud_error write_as(const run_dump *dump, const thud_kind_problem *found, const thud_contact_problem *problem,
                           thud_problem_format format, const char *extension) {
  char description[200];
  thud_text path = thud_text_new(dump->context);
  thud_text_print(&path, "%s/%s%08zu.%s", dump->directory, prefix, found->step, extension);
  snprintf(description, sizeof description, "step %zu, to t = %.17g: residual %.3g, %.0f iterations", found->step,
           found->t, found->residual, found->iterations);
  const thud_problem_contents contents = {
      .problem = problem, .title = "contacts of rigid bodies", .description = description, .solution = {.r = found->r}};
  thud_error error = path.error;
  if (error == THUD_OK)
    error = thud_problem_write(dump->context, thud_text_chars(&path), format, &contents, dump->overwrite);
  thud_text_free(&path);
  return error;
}

/* FCLIB in the global form; what such files cannot hold (spinning friction, friction with directions) in the native
 * format. */
static thud_error write_problem(const run_dump *dump, const thud_kind_problem *found) {
  thud_owned_problem *global = NULL;
  thud_error error = thud_contact_to_global(dump->context, found->problem, &global);
  if (error != THUD_OK) return error;
  const thud_contact_problem *view = thud_owned_problem_view(global);
  error = thud_problem_check_writable(dump->context, dump->directory, THUD_PROBLEM_FORMAT_FCLIB, view);
  error = error == THUD_ERROR_UNSUPPORTED ? write_as(dump, found, view, THUD_PROBLEM_FORMAT_NATIVE, "yaml")
          : error == THUD_OK              ? write_as(dump, found, view, THUD_PROBLEM_FORMAT_FCLIB, "hdf5")
                                          : error;
  thud_owned_problem_destroy(global);
  return error;
}

thud_error thud_run_dump_step(run_dump *dump, const thud_kind *kind, const void *motion) {
  thud_kind_problem found = {0};
  if (dump->directory == NULL) return THUD_OK;
  thud_error error = kind->problem(motion, &found);
  if (error != THUD_OK || found.problem == NULL || found.step == dump->last) return error;
  dump->last = found.step;
  double variables[VARIABLES] = {found.residual, found.contacts, found.iterations, found.t, found.penetration};
  double holds = dump->condition != NULL ? thud_expr_evaluate(dump->condition, variables) : 1;
  if (holds == 0 || isnan(holds)) return THUD_OK;
  error = write_problem(dump, &found);
  if (error == THUD_OK) dump->count++;
  return error;
}
