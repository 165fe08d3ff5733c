#include "kinds/quasistatic/quasistatic_critical.h"
#include "base/base.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Contacts for which a run looks at all combinations by itself (milliseconds), and beyond which `check` samples less. */
enum { EXACT_IN_RUNS = 6, MANY = 60, FEW_SAMPLES = 200 };

static double largest_mu(const quasistatic_scene *built) {
  double largest = 0;
  for (thud_index i = 0; i < built->problem.contacts; i++) largest = fmax(largest, built->mu[i]);
  return largest;
}

static thud_error find(const quasistatic_scene *built, const thud_motion *motion, thud_critical **critical) {
  const thud_quasistatic_problem *problem = &built->problem;
  thud_context *context = built->scene->context;
  thud_critical_options options = thud_critical_options_default();
  double most = largest_mu(built), *ratio = most > 0 ? THUD_NEW_ARRAY(context, double, problem->contacts) : NULL;
  if (most > 0 && ratio == NULL) return THUD_ERROR_MEMORY;
  for (thud_index i = 0; ratio != NULL && i < problem->contacts; i++) ratio[i] = built->mu[i] / most;
  options.continuum = built->continuum;
  if (problem->contacts > MANY) options.samples = FEW_SAMPLES;
  thud_error error = thud_critical_find(context, problem->contacts, problem->dimension,
                                        thud_quasistatic_motion_stiffness(motion), ratio, &options, critical);
  thud_free(context, ratio);
  return error;
}

thud_error thud_quasistatic_report_critical(const quasistatic_scene *built, const thud_motion *motion,
                                            thud_report *report) {
  const thud_quasistatic_problem *problem = &built->problem;
  thud_critical *critical = NULL;
  char text[600], key[80];
  if (problem->dimension == 1) return THUD_OK;
  if (thud_quasistatic_motion_stiffness(motion) == NULL ||
      problem->contacts * problem->dimension > THUD_CRITICAL_MAX_SIZE) {
    thud_report_line(report, "friction", "critical coefficients are not known: %s",
                     thud_quasistatic_motion_stiffness(motion) == NULL ? "rows of the contacts depend on each other"
                                                                       : "there are too many contacts");
    return THUD_OK;
  }
  thud_error error = find(built, motion, &critical);
  if (error != THUD_OK) return error;
  double mu = largest_mu(built);
  for (size_t k = 0; k < critical->row_count; k++) {
    const thud_critical_row *row = &critical->rows[k];
    thud_critical_describe(row, mu, text, sizeof text);
    thud_report_line(report, k == 0 ? "friction" : "", "%s", text);
    snprintf(key, sizeof key, "critical_%s", thud_critical_name(row->id));
    for (char *p = key; *p != '\0'; p++)
      if (*p == '-') *p = '_';
    thud_report_number(report, key, row->value);
    snprintf(key + strlen(key), sizeof key - strlen(key),
             "_kind"); /* the number is null for every mu, and for unknown */
    thud_report_string(report, key, isinf(row->value) ? "every mu" : thud_critical_kind_name(row->kind));
  }
  const thud_critical_row *rate = thud_critical_get(critical, THUD_CRITICAL_RATE);
  if (rate != NULL && mu >= rate->value)
    thud_report_warning(report, NAN, "beyond-critical",
                        "mu = %.6g is at or above %.6g, from where on rate solutions may be missing or several", mu,
                        rate->value);
  thud_critical_destroy(critical);
  return THUD_OK;
}

void thud_quasistatic_report_uniqueness(const quasistatic_scene *built, const thud_motion *motion,
                                        thud_report *report) {
  const thud_quasistatic_problem *problem = &built->problem;
  const thud_quasistatic_motion_info info = thud_quasistatic_motion_get_info(motion);
  thud_critical *critical = NULL;
  bool coulomb = problem->dimension > 1 && built->method != THUD_QUASISTATIC_THRESHOLD;
  bool known = coulomb && problem->contacts <= EXACT_IN_RUNS && thud_quasistatic_motion_stiffness(motion) != NULL;
  if (!coulomb) return;
  if (known && find(built, motion, &critical) != THUD_OK) critical = NULL;
  const thud_critical_row *rate = critical != NULL ? thud_critical_get(critical, THUD_CRITICAL_RATE) : NULL;
  bool below = rate != NULL && largest_mu(built) < (1 - THUD_CRITICAL_MARGIN) * rate->low,
       proved = below || info.proved;
  const char *what = proved ? "proved" : info.examined ? "examined" : "not examined";
  thud_report_string(report, "uniqueness", what);
  if (proved && !below)
    thud_report_line(report, "uniqueness", "one rate solution for every load: mu is below lmin(K)/|K_N|");
  else if (proved)
    thud_report_line(report, "uniqueness", "one rate solution for every load: mu is below %.6g", rate->low);
  else if (info.examined)
    thud_report_line(report, "uniqueness", "all solutions were looked for: at most %zu at a node", info.most_solutions);
  else if (rate != NULL)
    thud_report_line(
        report, "uniqueness",
        "not examined, and mu = %.6g is not below %.6g: there may be other motions (method event-driven and "
        "--branch look for them)",
        largest_mu(built), rate->low);
  else
    thud_report_line(report, "uniqueness", "not examined: other solutions were not looked for");
  thud_critical_destroy(critical);
}
