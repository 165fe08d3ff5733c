/* thud_verify_record: from a file to a list of checks. */
#include "base/base.h"
#include "verify/bodies/verify_bodies.h"
#include "verify/sweeping/verify_sweeping.h"
#include "verify/verify_defaults.h"
#include "verify/system/verify_system_frames.h"
#include "verify/friction/verify_friction.h"
#include "verify/line/verify_line.h"
#include "verify/verify_result.h"
#include "verify/half_plane/verify_punch.h"
#include "verify/quasistatic/verify_quasistatic.h"
#include "verify/surface/verify_surface.h"
#include "verify/system/verify_system.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static const thud_option_key verify_keys[] = {
    {.name = "tolerance",
     .type = THUD_OPTION_REAL,
     .offset = offsetof(thud_verify_options, tolerance),
     .default_value = 0,
     .minimum = 0,
     .maximum = 1,
     .unit = "1",
     .help = "relative to the largest |u|; 0: the larger of 1e-8 and the scene's own tolerance"},
    {.name = "trajectory_tolerance",
     .type = THUD_OPTION_REAL,
     .offset = offsetof(thud_verify_options, trajectory_tolerance),
     .default_value = 0,
     .minimum = 0,
     .maximum = 1,
     .unit = "rad",
     .help = "accepted angle between an increment of a trajectory and the normal cone, 0: 0.01; of motions: accepted "
             "part of the largest acceleration, 0: 0.001"},
    {.name = "trajectory_samples",
     .type = THUD_OPTION_INT,
     .offset = offsetof(thud_verify_options, trajectory_samples),
     .default_value = 32,
     .minimum = 1,
     .maximum = 1000000,
     .unit = "1",
     .help = "times at which each piece of a trajectory of expressions is asked"},
    {.name = "seal",
     .type = THUD_OPTION_BOOL,
     .offset = offsetof(thud_verify_options, seal),
     .default_value = 1,
     .minimum = 0,
     .maximum = 1,
     .unit = "1",
     .help = "also ask whether the record was changed after it was written"},
};

static const thud_option_table verify_table = {.name = "verify",
                                               .struct_size = sizeof(thud_verify_options),
                                               .keys = verify_keys,
                                               .count = sizeof verify_keys / sizeof *verify_keys};

const thud_option_table *thud_verify_option_table(void) { return &verify_table; }

/* The resolved scene (NULL: it cannot be read, see structure) beside the one that was given. */
static thud_error check_resolved(thud_context *context, const thud_record_info *info, const thud_tree *resolved,
                                 thud_verify_result *result) {
  thud_verify_check check = thud_verify_check_new("resolved");
  thud_tree *given = NULL;
  thud_error error = thud_tree_read_text(context, "scene", info->scene, strlen(info->scene), &given);
  if (error == THUD_ERROR_MEMORY) return error;
  if (error != THUD_OK)
    thud_verify_fail(&check, NAN, SIZE_MAX, "the scene as given cannot be read: %s",
                     thud_context_last_message(context));
  else if (resolved == NULL)
    thud_verify_skip(&check, THUD_VERIFY_NOT_CHECKABLE, "the resolved scene cannot be used: see structure");
  else
    thud_verify_check_resolved(given, resolved, &check, result);
  error = given != NULL ? thud_verify_check_source(context, info->source, given, &check) : THUD_OK;
  thud_tree_destroy(given);
  if (error != THUD_OK) return error;
  thud_verify_result_insert(result, 1, &check);
  return THUD_OK;
}

/* ---- kinds ---------------------------------------------------------------------------------------------------- */

/* The checks of one kind of motion. tree is the resolved scene, NULL when it cannot be read (read_error says why); a
 * scene that is not of this kind fails the check of the structure. */
typedef struct record_checks {
  const char *name;
  thud_error (*check)(thud_context *context, thud_record_reader *reader, const thud_tree *tree, thud_error read_error,
                      const thud_verify_options *options, thud_verify_result *result);
} record_checks;

static thud_error check_system(thud_context *context, thud_record_reader *reader, const thud_tree *tree,
                               thud_error read_error, const thud_verify_options *options, thud_verify_result *result) {
  if (read_error != THUD_OK || !thud_verify_is_system(tree)) /* fails there, with the reason */
    return thud_verify_sweeping_record(context, reader, tree, read_error, options, result);
  return thud_verify_system_record(context, reader, tree, options->tolerance, result);
}

static const record_checks kinds[] = {
    {"sweeping", thud_verify_sweeping_record},
    {"stepping", check_system},
    {"event-driven", check_system},
    {"friction", thud_verify_friction_record},
    {"quasistatic", thud_verify_quasi_record},
    {"string", thud_verify_string_record},
    {"beam", thud_verify_beam_record},
    {"membrane", thud_verify_surface_record},
    {"plate", thud_verify_surface_record},
    {"half-plane", thud_verify_punch_record},
    {"bodies", thud_verify_bodies_record},
};
enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

/* The record says of which kind it is; the scene must agree, which the check of the structure asks. */
static thud_error check_motion(thud_context *context, thud_record_reader *reader, const thud_verify_options *options,
                               thud_verify_result *result) {
  thud_record_info info = thud_record_reader_info(reader);
  size_t k = 0;
  while (k < KIND_COUNT && strcmp(kinds[k].name, info.kind) != 0) k++;
  if (k == KIND_COUNT) return thud_verify_other_record(context, reader, result);
  thud_tree *tree = NULL;
  thud_error error = thud_tree_read_text(context, "resolved scene", info.resolved, strlen(info.resolved), &tree);
  error = kinds[k].check(context, reader, tree, error, options, result);
  if (error == THUD_OK && result->checked_unit == NULL) { /* kinds whose laws are asked of every row */
    size_t rows = info.rows[THUD_RECORD_FRAMES];
    thud_verify_result_cover(result, "rows", result->checks[0].status != THUD_VERIFY_FAILED ? rows : 0, rows, -1);
  }
  if (error == THUD_OK) error = check_resolved(context, &info, tree, result);
  thud_tree_destroy(tree);
  return error;
}

/* The seal comes last: where the motion itself says what is wrong, that is the reason. */
static thud_error check_record(thud_context *context, thud_record_reader *reader, const thud_verify_options *options,
                               thud_verify_result *result) {
  thud_verify_result made;
  thud_verify_check seal = thud_verify_check_new("seal");
  thud_error error = check_motion(context, reader, options, &made);
  if (error != THUD_OK) return error;
  if (options->seal)
    error = thud_verify_check_seal(reader, &seal);
  else
    thud_verify_skip(&seal, THUD_VERIFY_NOT_CHECKED, "not asked");
  if (error != THUD_OK) return error;
  thud_verify_result_add(&made, &seal);
  thud_verify_result_judge(&made);
  *result = made;
  return THUD_OK;
}

thud_error thud_verify_record(thud_context *context, const char *path, const thud_verify_options *options,
                              thud_verify_result *result) {
  THUD_REQUIRE(context, context, path, result);
  thud_verify_options chosen;
  thud_error error = thud_options_take(context, &verify_table, options, &chosen);
  if (error != THUD_OK) return error;
  thud_record_reader *reader = NULL;
  error = thud_record_open(context, path, &reader);
  if (error != THUD_OK) return error;
  error = check_record(context, reader, &chosen, result);
  thud_record_reader_destroy(reader);
  return error;
}
