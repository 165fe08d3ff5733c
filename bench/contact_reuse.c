/* Rows of Siconos out of a table of an earlier run: its solvers do not change while thud is worked on. */
#include "contact.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 1024, FIELDS = 12 };

/* Cuts the line at its commas; the number of fields. Names of problems hold no commas here. */
static int split(char *line, char *fields[FIELDS]) {
  int count = 0;
  line[strcspn(line, "\n")] = 0;
  for (char *at = line; at != NULL && count < FIELDS; count++) {
    fields[count] = at;
    at = strchr(at, ',');
    if (at != NULL) *at++ = 0;
  }
  return count;
}

static double number(const char *text) { return *text != 0 ? strtod(text, NULL) : NAN; }

static bench_status status_of(const char *word) {
  for (int status = BENCH_SOLVED; status < BENCH_REFUSED; status++)
    if (strcmp(word, bench_status_word((bench_status)status)) == 0) return (bench_status)status;
  return BENCH_REFUSED;
}

static void take_row(char *fields[FIELDS], const bench_solver *solvers, size_t count, const bench_problem *problem,
                     bench_table *table) {
  bench_result result = {.status = status_of(fields[6]), .residual = number(fields[7])};
  result.run.iterations = atoi(fields[8]);
  result.run.seconds = number(fields[9]);
  result.run.first_seconds = number(fields[10]);
  snprintf(result.run.note, sizeof result.run.note, "%s", fields[11]);
  for (size_t k = 0; k < count; k++)
    if (solvers[k].siconos && strcmp(solvers[k].name, fields[4]) == 0)
      bench_table_add(table, problem, &solvers[k], &result);
}

void bench_table_repeat(bench_table *table, const bench_problem *problem) {
  size_t to = table->count;
  while (to > 0 && table->rows[to - 1].problem == problem) to--;
  for (size_t k = 0; k < to; k++)
    if (table->rows[k].solver.siconos && table->rows[k].problem == table->rows[to - 1].problem) {
      bench_row row = table->rows[k]; /* the table may move */
      bench_table_add(table, problem, &row.solver, &row.result);
    }
}

void bench_table_reuse(bench_table *table, const char *folder, const bench_problem *problem,
                       const bench_solver *solvers, size_t count) {
  char *path = bench_table_path(table, folder, "", ".csv"), line[LINE], *fields[FIELDS];
  FILE *file = fopen(path, "r");
  if (file == NULL) {
    fprintf(stderr, "bench-contact: no table of an earlier run '%s'\n", path);
    exit(2);
  }
  while (fgets(line, sizeof line, file) != NULL)
    if (split(line, fields) == FIELDS && strcmp(fields[0], problem->name) == 0)
      take_row(fields, solvers, count, problem, table);
  fclose(file);
  free(path);
}
