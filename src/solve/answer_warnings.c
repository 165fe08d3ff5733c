/* Warnings of an answer: what the verdict alone does not say. */
#include "solve/answer.h"

#include <math.h>

/* Asymmetry of W (relative to its largest entry) from which a person should hear of it. */
static const double ASYMMETRY_SHOWN = 1e-10;
/* Penetration velocity and defect of complementarity of a solved problem, in tolerances, from which a person should
 * hear of it. */
static const double PENETRATION_SHOWN = 1e3, DEFECT_SHOWN = 1e3;

const char *thud_answer_warning_name(thud_answer_warning_code code) {
  switch (code) {
  case THUD_ANSWER_ASYMMETRIC: return "asymmetric-matrix";
  case THUD_ANSWER_NEGATIVE_DIAGONAL: return "negative-diagonal";
  case THUD_ANSWER_IDLE_IMPULSES: return "idle-impulses";
  case THUD_ANSWER_PENETRATION: return "hidden-penetration";
  case THUD_ANSWER_UNSEEN_IMPULSES: return "unseen-impulses";
  case THUD_ANSWER_ENUMERATION_CUT: return "enumeration-cut";
  case THUD_ANSWER_FORCES_CUT: return "forces-cut";
  case THUD_ANSWER_WARNING_CODES: break;
  }
  return "";
}

thud_text *thud_answer_warn(answer_work *work, thud_answer_warning_code code) {
  size_t k = work->found.warning_count++;
  work->found.warnings[k].code = code;
  return &work->messages[k];
}

void thud_answer_warn_of_matrices(answer_work *work, const thud_contact_diagnosis *found) {
  if (found->asymmetry > ASYMMETRY_SHOWN)
    thud_text_print(thud_answer_warn(work, THUD_ANSWER_ASYMMETRIC),
                    "the matrix is not symmetric: max |W_ij - W_ji| / max |W| = %.2e", found->asymmetry);
  if (found->negative_diagonal >= 0)
    thud_text_print(thud_answer_warn(work, THUD_ANSWER_NEGATIVE_DIAGONAL), "diagonal entry %d is %s",
                    (int)found->negative_diagonal,
                    work->problem->form == THUD_FORM_GLOBAL ? "not positive" : "negative");
  if (found->zero_rows > 0)
    thud_text_print(thud_answer_warn(work, THUD_ANSWER_IDLE_IMPULSES), "%d of the normal impulses move%s nothing",
                    (int)found->zero_rows, found->zero_rows == 1 ? "s" : "");
}

/* The natural map hardly sees a penetration beside a very large mu (|u_N| / mu). */
static void warn_of_penetration(answer_work *work) {
  const thud_contact_residual *residual = &work->found.residual;
  double tolerance = work->options->solver.tolerance;
  if (work->found.verdict == THUD_ANSWER_INFEASIBLE || !(residual->residual <= tolerance)) return;
  if (!(residual->penetration > PENETRATION_SHOWN * tolerance * residual->scale)) return;
  thud_text_print(thud_answer_warn(work, THUD_ANSWER_PENETRATION),
                  "the residual is within the tolerance, but contact %d is still approached with velocity %.3g: the "
                  "residual does not see it beside so large a coefficient of friction; do not rely on this answer",
                  (int)residual->penetration_contact, residual->penetration * work->unit);
  work->found.verdict = THUD_ANSWER_BEST_EFFORT;
  work->reason.length = 0;
  thud_text_print(&work->reason, "contact %d is approached with velocity %.3g, which the residual does not see",
                  (int)residual->penetration_contact, residual->penetration * work->unit);
}

/* sum |r.u~| / (|r| |q|) and the cone excess / |r|: 0 for a solution, in all units. */
static thud_error measure_defect(const answer_work *work, double *defect) {
  const thud_contact_problem *problem = work->problem;
  size_t d = (size_t)problem->dimension;
  double sum = 0, size = 0;
  for (thud_index k = 0; k < problem->contacts; k++) {
    const double *r = work->r + (size_t)k * d, *u = work->u + (size_t)k * d;
    double product = 0, shift = 0;
    thud_error error = d > 1 ? thud_contact_shift(problem, k, u, &shift) : THUD_OK;
    if (error != THUD_OK) return error;
    for (size_t i = 0; i < d; i++) {
      product += r[i] * (u[i] + (i == 0 ? shift : 0));
      size = hypot(size, r[i]);
    }
    sum += fabs(product);
  }
  const thud_contact_residual *residual = &work->found.residual;
  *defect = size > 0 ? fmax(sum / size / residual->scale, residual->cone_excess / size) : 0;
  return THUD_OK;
}

/* Where impulses are very small numbers beside velocities (light bodies), any impulse of the right size is a small
 * error for the natural map (|min(r, u)| <= r). */
static void warn_of_units(answer_work *work) {
  double defect;
  if (measure_defect(work, &defect) != THUD_OK) return;
  if (!(defect > DEFECT_SHOWN * work->options->solver.tolerance)) return;
  thud_text_print(thud_answer_warn(work, THUD_ANSWER_UNSEEN_IMPULSES),
                  "the residual is within the tolerance, but it hardly sees the impulses, which are very small numbers "
                  "in these units: they miss the contact law by %.1e of their size; choose a smaller tolerance or a "
                  "smaller unit of mass",
                  defect);
}

void thud_answer_warn_of_residual(answer_work *work) {
  warn_of_penetration(work);
  if (work->found.verdict == THUD_ANSWER_SOLVED) warn_of_units(work);
}
