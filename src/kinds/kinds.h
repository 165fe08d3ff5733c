/* The kinds of motion that the library knows: one row each in kind_table.c. */
#ifndef THUD_SRC_KINDS_KINDS_H
#define THUD_SRC_KINDS_KINDS_H

#include "thud/elastic.h"
#include "thud/kind.h"

extern const thud_kind thud_kind_sweeping, thud_kind_stepping, thud_kind_event_driven, thud_kind_quasistatic,
    thud_kind_friction, thud_kind_string, thud_kind_beam, thud_kind_membrane, thud_kind_plate, thud_kind_half_plane,
    thud_kind_solid, thud_kind_bodies;
/* How they are studied (thud/study.h). */
extern const struct thud_kind_study thud_system_study, thud_quasistatic_study;
/* The motion of rigid bodies that a built scene has, once its run has begun; bodies may be NULL. */
thud_error thud_kind_bodies_motion(void *motion, thud_bodies **bodies, thud_motion **moving);

/* ---- motions judged by refinement (limit_report.c) ---- */

/* Class, exponents and levels of a judgement; `list` is the key of the levels. */
void thud_limit_report(thud_report *report, const char *list, int levels, const thud_limit_level *rows,
                       const thud_limit_judgement *judgement);
/* The figures do not tell whether there is a limit. */
bool thud_limit_is_open(const thud_limit_judgement *judgement);
void thud_limit_warn(thud_report *report, double t, const thud_limit_judgement *judgement);
/* A motion without a limit has failed, one that may have none is coarse. */
void thud_limit_reached(thud_context *context, int levels, const thud_limit_level *rows,
                        const thud_limit_judgement *judgement, thud_reached *reached);
/* The figures of the message: "0.05, 0.02, 0.04". */
void thud_limit_write_figures(int count, const double *figures, char *text, size_t capacity);

/* ---- what kinds of Lagrangian motions share (kind_system.c) ---- */

/* Energies and losses of a ledger, two lines. */
void thud_system_report_energy(thud_report *report, const thud_ledger *ledger);
/* Multiple impacts on constraints that are not orthogonal. */
void thud_system_warn_multiple(thud_report *report, const thud_system *system, const char *code, size_t impacts,
                               double cosine, double t, thud_index first, thud_index second);
/* The names of the constraints whose bits are set: "e1, e2". */
void thud_system_list_constraints(const thud_system *system, uint64_t set, char *names, size_t capacity);
/* Constraints (bits) whose gradients have become dependent during the run; 0: none. */
void thud_system_warn_unqualified(thud_report *report, const thud_system *system, uint64_t set, double t);
void thud_system_warn_accumulations(thud_report *report, const thud_system *system, size_t count, double t,
                                    thud_index constraint);
void thud_system_warn_reduced(thud_report *report, double t, const char *code, size_t impacts);
/* How many percussions act, and what was kept of their families; nothing for a system without loads. */
void thud_system_report_loads(thud_report *report, const thud_system *system);
/* A family was cut off with more left than its tolerance. */
void thud_system_warn_truncated(thud_report *report, const thud_system *system, double t);
/* Gaps that are no distances, slips that are not tangential, friction that gives energy (ledger NULL: not known). */
void thud_system_warn_friction(thud_report *report, const thud_scene *scene, const thud_ledger *ledger);
/* NULL: no such constraint. */
const char *thud_system_constraint_name(const thud_system *system, thud_index i);
/* What `thud check` says of a system at its start; run: the last line. */
thud_error thud_system_report_check(const thud_scene *scene, thud_report *report, int series_order);
/* Names and units of the scene's rows. */
thud_row_names thud_system_row_names(const thud_scene *scene);

#endif
