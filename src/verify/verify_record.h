/* The shell of the checker: one record on its way through the checks, and what each kind of motion brings for it.
 *
 * The shell opens the record, reads its scenes, makes the list of checks, says of those that cannot be asked why not, asks
 * whether the run has ended, holds the resolved scene against the given one and looks at the seal. A kind of motion is one
 * row: names of its checks, its reading of the scene, its laws. */
#ifndef THUD_SRC_VERIFY_VERIFY_RECORD_H
#define THUD_SRC_VERIFY_VERIFY_RECORD_H

#include "thud/record.h"
#include "verify/verify_defaults.h"
#include "verify/verify_result.h"
#include "verify/verify_scene.h"

/* What the rows say of `observe`, `until` and `when` (verify_observe.c). */
typedef struct verify_seen {
  bool asked;              /* the scene has any of them */
  thud_verify_check check; /* "observed" */
  bool ended;              /* by `until`, at the last row */
  thud_tree *tree; /* the resolved scene with the times at which its data have switched; NULL: it cannot be used */
  size_t when_count;
  double *when; /* [when_count] for each of `changes`: when its condition held first; NAN: at no row */
} verify_seen;

typedef struct verify_record {
  thud_context *context;
  const verify_record_kind *kind;
  thud_record_reader *reader;
  thud_record_info info;
  const thud_tree *tree; /* the resolved scene */
  const thud_verify_options *options;
  thud_verify_check *checks; /* those of the kind, in its order */
  bool unusable;             /* the rows cannot be asked anything: the structure says why */
  size_t asked, all;         /* units of the motion whose laws were asked, of how many */
  size_t contacts;           /* whose laws were asked */
  verify_seen seen;
} verify_record;

enum { VERIFY_DEFAULT_LISTS = 2 };

struct verify_record_kind {
  const char *name;    /* as records have it */
  const char *section; /* key of its scenes; NULL: those without any other section */
  /* Names of the checks, NULL at the end. The first one is the structure; where it fails, the others up to "finished"
   * cannot be asked. "finished" itself is asked by the shell, what comes after it is there without frames, too. */
  const char *const *checks;
  const verify_default *defaults[VERIFY_DEFAULT_LISTS]; /* of its scenes; each ends with a NULL path */
  const char *added; /* key that the run adds to the resolved scene and a check of the kind asks; NULL: none */
  const char *unit;  /* what the laws are asked of; NULL: of every row */
  bool has_contacts; /* which are counted */
  bool goes_on;      /* laws are asked though the structure has failed, unless the rows are unusable */
  size_t size;       /* of the scene as `read` makes it */
  thud_error (*read)(const verify_record *record, void *scene); /* leaves nothing behind when it fails */
  thud_error (*check)(verify_record *record, void *scene);
  void (*release)(void *scene);
  /* Whether check k has no place in records of such a scene (NULL: it could not be read); NULL: all have. */
  bool (*leaves_out)(const void *scene, size_t k);
  /* The summary's figures against the rows, when `check` calls thud_verify_check_summary with what it has read of them. */
  thud_error (*compare)(verify_record *record, void *motion, const thud_node *summary, thud_verify_check *check);
  /* Trajectories from elsewhere against a scene of this kind; NULL: they cannot be judged. */
  thud_error (*trajectory)(thud_context *context, const thud_tree *tree, const char *path,
                           const thud_verify_options *options, thud_verify_result *result);
};

extern const verify_record_kind thud_verify_sweeping_kind, thud_verify_stepping_kind, thud_verify_event_kind,
    thud_verify_friction_kind, thud_verify_quasi_kind, thud_verify_string_kind, thud_verify_beam_kind,
    thud_verify_membrane_kind, thud_verify_plate_kind, thud_verify_punch_kind, thud_verify_solid_kind,
    thud_verify_bodies_kind;

/* The kind of a scene; NULL: none of the library's. */
const verify_record_kind *thud_verify_kind_of(const thud_node *root);

/* The check "summary": what the summary shares with those of all kinds, then the kind's `compare`. false in *compared (which
 * may be NULL): there is no summary, or none that can be read. */
thud_error thud_verify_check_summary(verify_record *record, void *motion, bool *compared);

/* ---- times and numbers of rows ---------------------------------------------------------------------------------------- */

typedef enum verify_times_order {
  VERIFY_TIMES_INCREASE,
  VERIFY_TIMES_HAVE_SIDES, /* several rows share a time in the order of their sides: left, value, right */
  VERIFY_TIMES_REPEAT      /* rows share times and sides in an order that the kind asks for itself */
} verify_times_order;

/* What a scene says of the times of its rows. */
typedef struct verify_times {
  const verify_scene *scene;
  verify_times_order order;
  bool nodes;     /* rows are at nodes of equal steps */
  double longest; /* time between two rows at most; INFINITY: any */
} verify_times;

/* Rows of equal steps, thinned out or not. */
verify_times thud_verify_equal_steps(const verify_scene *scene, bool nodes, verify_times_order order);
/* Row k, at t on this side (0 where rows have none), after one at `before`. */
void thud_verify_check_time(const verify_times *times, size_t k, double t, double side, double before,
                            double side_before, thud_verify_check *structure);
/* The first of the rows is the start, the last one of a run that went there the end. */
void thud_verify_check_ends(const verify_scene *scene, size_t count, double first, double last, bool finished,
                            thud_verify_check *structure);
/* All rows; side may be NULL. Says how many there are. */
void thud_verify_check_times(const verify_times *times, size_t count, const double *t, const double *side,
                             bool finished, thud_verify_check *structure);
bool thud_verify_all_finite(size_t count, const double *x);

/* ---- the run -------------------------------------------------------------------------------------------------------- */

/* The motion went to its end: the verdict is "good", or "coarse" of time stepping. */
bool thud_verify_ran_to_end(const thud_record_info *info);
/* The run was of this kind and by this method. */
void thud_verify_check_made_by(const thud_record_info *info, const char *kind, const char *method,
                               thud_verify_check *structure);

#endif
