/* Rows of Siconos out of a table of an earlier run: its solvers do not change while thud is worked on. */
#include "contact.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 1024, MOST_FIELDS = 32 };

/* The columns that are read. */
enum { PROBLEM, SOLVER, STATUS, RESIDUAL, ITERATIONS, SECONDS, FIRST_SECONDS, NOTE, COLUMNS };
static const char *const columns[COLUMNS] = {"problem",    "solver",  "status",        "residual",
                                             "iterations", "seconds", "first_seconds", "note"};

/* Cuts the line at its commas; the number of fields. Names of problems hold no commas here. */
static size_t split(char *line, char *fields[MOST_FIELDS]) {
  size_t count = 0;
  line[strcspn(line, "\n")] = 0;
  for (char *at = line; at != NULL && count < MOST_FIELDS; count++) {
    fields[count] = at;
    at = strchr(at, ',');
    if (at != NULL) *at++ = 0;
  }
  return count;
}

/* Where the columns are, by the head of the table; the number of its fields, 0 when one of the columns is missing. */
static size_t read_head(FILE *file, size_t place[COLUMNS]) {
  char line[LINE], *fields[MOST_FIELDS];
  size_t count = fgets(line, sizeof line, file) != NULL ? split(line, fields) : 0;
  for (int c = 0; c < COLUMNS; c++) {
    place[c] = 0;
    while (place[c] < count && strcmp(fields[place[c]], columns[c]) != 0) place[c]++;
    if (place[c] == count) return 0;
  }
  return count;
}

static double number(const char *text) { return *text != 0 ? strtod(text, NULL) : NAN; }

static thud_compare_status status_of(const char *word) {
  for (int status = THUD_COMPARE_SOLVED; status < THUD_COMPARE_REFUSED; status++)
    if (strcmp(word, thud_compare_status_name((thud_compare_status)status)) == 0) return (thud_compare_status)status;
  return THUD_COMPARE_REFUSED;
}

static void take_row(thud_compare *table, char *const fields[MOST_FIELDS], const size_t place[COLUMNS],
                     const compare_solver *solvers, size_t count) {
  thud_compare_result result = {.problem = thud_compare_problem_count(table) - 1,
                                .other = true,
                                .status = status_of(fields[place[STATUS]]),
                                .residual = number(fields[place[RESIDUAL]]),
                                .iterations = atoi(fields[place[ITERATIONS]]),
                                .seconds = number(fields[place[SECONDS]]),
                                .first_seconds = number(fields[place[FIRST_SECONDS]])};
  snprintf(result.note, sizeof result.note, "%s", fields[place[NOTE]]);
  for (size_t k = 0; k < count; k++) {
    if (!solvers[k].other || strcmp(solvers[k].name, fields[place[SOLVER]]) != 0) continue;
    snprintf(result.solver, sizeof result.solver, "%s", solvers[k].name);
    snprintf(result.family, sizeof result.family, "%s", solvers[k].family);
    bench_stop_on(table->context, thud_compare_add_result(table, &result));
  }
}

void bench_table_repeat(thud_compare *table) {
  size_t last = thud_compare_problem_count(table) - 1;
  for (size_t k = 0; last > 0 && k < thud_compare_result_count(table, last - 1); k++) {
    thud_compare_result result = *thud_compare_result_at(table, last - 1, k); /* the table may move */
    result.problem = last;
    if (result.other) bench_stop_on(table->context, thud_compare_add_result(table, &result));
  }
}

void bench_table_reuse(thud_compare *table, const char *path, const compare_solver *solvers, size_t count) {
  const char *name = thud_compare_problem_at(table, thud_compare_problem_count(table) - 1)->name;
  char line[LINE], *fields[MOST_FIELDS];
  size_t place[COLUMNS], width = 0;
  FILE *file = fopen(path, "r");
  if (file != NULL) width = read_head(file, place);
  if (width == 0) {
    fprintf(stderr, "bench-contact: no table of an earlier run '%s'\n", path);
    exit(2);
  }
  while (fgets(line, sizeof line, file) != NULL)
    if (split(line, fields) == width && strcmp(fields[place[PROBLEM]], name) == 0)
      take_row(table, fields, place, solvers, count);
  fclose(file);
}
