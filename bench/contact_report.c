/* Tables of the benchmark: every row as CSV, and per problem the best of Siconos beside auto. */
#include "contact.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void bench_table_add(bench_table *table, const bench_problem *problem, const bench_solver *solver,
                     const bench_result *result) {
  if (table->count == table->capacity) {
    table->capacity = 2 * table->capacity + 256;
    table->rows = realloc(table->rows, table->capacity * sizeof *table->rows);
    if (table->rows == NULL) abort();
  }
  table->rows[table->count++] = (bench_row){.problem = problem, .solver = *solver, .result = *result};
}

double bench_row_seconds(const bench_row *row) {
  return row->result.status == BENCH_SOLVED ? fmax(row->result.run.seconds, 1e-6 * BENCH_FLOOR_MICROSECONDS) : INFINITY;
}

size_t bench_table_end_of_problem(const bench_table *table, size_t from) {
  size_t to = from;
  while (to < table->count && table->rows[to].problem == table->rows[from].problem) to++;
  return to;
}

const bench_row *bench_row_of_auto(const bench_table *table, size_t from, size_t to) {
  for (size_t k = from; k < to; k++)
    if (strcmp(table->rows[k].solver.name, "auto") == 0) return &table->rows[k];
  return NULL;
}

const bench_row *bench_row_of_best(const bench_table *table, size_t from, size_t to, bool siconos) {
  const bench_row *best = NULL;
  for (size_t k = from; k < to; k++) {
    const bench_row *row = &table->rows[k];
    if (row->solver.siconos != siconos || row->result.status != BENCH_SOLVED) continue;
    if (strcmp(row->solver.name, "auto") == 0) continue;
    if (best == NULL || row->result.run.seconds < best->result.run.seconds) best = row;
  }
  return best;
}

char *bench_table_path(const bench_table *table, const char *folder, const char *infix, const char *suffix) {
  size_t length = strlen(folder) + strlen(table->set) + strlen(infix) + strlen(table->tolerance) + strlen(suffix) + 3;
  char *path = bench_alloc(length, 1);
  snprintf(path, length, "%s/%s-%s%s%s", folder, table->set, infix, table->tolerance, suffix);
  return path;
}

static FILE *open_for_writing(const char *path) {
  FILE *file = fopen(path, "w");
  if (file == NULL) {
    fprintf(stderr, "bench-contact: cannot write '%s'\n", path);
    exit(2);
  }
  return file;
}

const char *bench_status_word(bench_status status) {
  static const char *const words[] = {"solved", "unsolved", "time", "crash", "refused"};
  return words[status];
}

/* A number and a comma, or the comma alone where there is none. */
static void print_number(FILE *file, int digits, double value) {
  if (isfinite(value)) fprintf(file, "%.*g", digits, value);
  fputc(',', file);
}

void bench_table_write_csv(const bench_table *table, const char *folder) {
  char *path = bench_table_path(table, folder, "", ".csv");
  FILE *file = open_for_writing(path);
  fprintf(file, "problem,kind,dimension,contacts,solver,tolerance,status,residual,iterations,seconds,first_seconds,"
                "note\n");
  for (size_t k = 0; k < table->count; k++) {
    const bench_row *row = &table->rows[k];
    const thud_contact_problem *problem = row->problem->problem;
    const bench_result *result = &row->result;
    fprintf(file, "%s,%s,%d,%d,%s,%s,%s,", row->problem->name, thud_problem_kind_name(thud_problem_kind_of(problem)),
            (int)problem->dimension, (int)problem->contacts, row->solver.name, table->tolerance,
            bench_status_word(result->status));
    print_number(file, 3, result->residual);
    fprintf(file, "%d,", result->run.iterations);
    print_number(file, 4, result->run.seconds);
    print_number(file, 4, result->run.first_seconds);
    fprintf(file, "%s\n", result->run.note);
  }
  fclose(file);
  free(path);
}

/* ---- the summary ------------------------------------------------------------------------------------------------- */

/* Regrets are counted up to each of these, and above. */
static const double regret_bounds[] = {1, 1.15, 1.5, 2, 3};
enum { REGRETS = sizeof regret_bounds / sizeof *regret_bounds };

/* Figures over the problems that are not trivial. */
typedef struct tally {
  size_t problems, auto_solved, siconos_solved, either;
  size_t compared; /* solved by both */
  double log_sum;  /* of their ratios */
  double worst;
  const char *worst_name;
  size_t above_three;
  double first_log_sum; /* the same with create + solve */
  /* Regret: time(auto) / time(best single method of thud). */
  size_t own_solved, lost; /* by some single method; of those not by auto */
  size_t regrets[REGRETS + 1];
  double regret_log_sum, worst_regret;
  const char *worst_regret_name;
} tally;

static void count_problem(tally *sum, const bench_row *mine, const bench_row *theirs) {
  bool solved = mine != NULL && mine->result.status == BENCH_SOLVED;
  sum->problems++;
  sum->auto_solved += solved;
  sum->siconos_solved += theirs != NULL;
  sum->either += solved || theirs != NULL;
  if (!solved || theirs == NULL) return;
  double ratio = bench_row_seconds(mine) / bench_row_seconds(theirs);
  double first = fmax(mine->result.run.first_seconds, 1e-6 * BENCH_FLOOR_MICROSECONDS) / bench_row_seconds(theirs);
  sum->compared++;
  sum->log_sum += log(ratio);
  sum->first_log_sum += log(first);
  sum->above_three += ratio > 3;
  if (ratio <= sum->worst) return;
  sum->worst = ratio;
  sum->worst_name = mine->problem->name;
}

static void count_regret(tally *sum, const bench_row *mine, const bench_row *best) {
  if (best == NULL) return;
  sum->own_solved++;
  if (mine == NULL || mine->result.status != BENCH_SOLVED) {
    sum->lost++;
    return;
  }
  double regret = bench_row_seconds(mine) / bench_row_seconds(best);
  size_t bin = 0;
  while (bin < REGRETS && regret > regret_bounds[bin]) bin++;
  sum->regrets[bin]++;
  sum->regret_log_sum += log(regret);
  if (regret <= sum->worst_regret) return;
  sum->worst_regret = regret;
  sum->worst_regret_name = best->problem->name;
}

/* A time for people. */
static const char *time_text(double seconds, char text[24]) {
  if (seconds < 1e-3)
    snprintf(text, 24, "%.3g us", 1e6 * seconds);
  else if (seconds < 1)
    snprintf(text, 24, "%.3g ms", 1e3 * seconds);
  else
    snprintf(text, 24, "%.3g s", seconds);
  return text;
}

/* "siconos-" says nothing in a column about Siconos. */
static const char *short_name(const bench_solver *solver) {
  return strncmp(solver->name, "siconos-", 8) == 0 ? solver->name + 8 : solver->name;
}

static void print_best(FILE *file, const bench_row *best) {
  char text[24];
  if (best == NULL)
    fprintf(file, "- | - | ");
  else
    fprintf(file, "%s | %s | ", short_name(&best->solver), time_text(best->result.run.seconds, text));
}

static void print_problem(FILE *file, const bench_table *table, size_t from, size_t to, tally *sum) {
  const bench_row *mine = bench_row_of_auto(table, from, to), *theirs = bench_row_of_best(table, from, to, true);
  const bench_problem *problem = table->rows[from].problem;
  char text[24];
  fprintf(file, "| %s | %d | %d | ", problem->name, (int)problem->problem->dimension, (int)problem->problem->contacts);
  print_best(file, theirs);
  if (mine == NULL)
    fprintf(file, "- | - | - | ");
  else if (mine->result.status != BENCH_SOLVED)
    fprintf(file, "%s (%.1e) | - | %s | ", bench_status_word(mine->result.status), mine->result.residual,
            mine->result.run.note);
  else if (theirs == NULL)
    fprintf(file, "%s | - | %s | ", time_text(mine->result.run.seconds, text), mine->result.run.note);
  else
    fprintf(file, "%s | %.2f | %s | ", time_text(mine->result.run.seconds, text),
            bench_row_seconds(mine) / bench_row_seconds(theirs), mine->result.run.note);
  print_best(file, bench_row_of_best(table, from, to, false));
  fprintf(file, "%s\n", problem->trivial ? "r = 0 solves it: not counted |" : "|");
  if (problem->trivial) return;
  count_problem(sum, mine, theirs);
  count_regret(sum, mine, bench_row_of_best(table, from, to, false));
}

static void print_regret(FILE *file, const tally *sum) {
  if (sum->own_solved == sum->lost) return;
  fprintf(
      file,
      "\nRegret, time(auto) / time(best single method of thud): geometric mean %.2f, worst %.2f (%s), lost %zu of %zu;",
      exp(sum->regret_log_sum / (double)(sum->own_solved - sum->lost)), sum->worst_regret, sum->worst_regret_name,
      sum->lost, sum->own_solved);
  for (size_t k = 0; k < REGRETS; k++) fprintf(file, " up to %g: %zu,", regret_bounds[k], sum->regrets[k]);
  fprintf(file, " above: %zu.\n", sum->regrets[REGRETS]);
}

static void print_tally(FILE *file, const tally *sum) {
  fprintf(file, "\n%zu problems; solved by auto: %zu, by the best of Siconos: %zu, by one of the two: %zu.\n",
          sum->problems, sum->auto_solved, sum->siconos_solved, sum->either);
  if (sum->compared == 0) return;
  double count = (double)sum->compared;
  fprintf(file,
          "Over the %zu that both solve, times below %d us counted as that: geometric mean of time(auto) / time(best of"
          " Siconos) %.2f (create + solve: %.2f), worst %.2f (%s), above 3: %zu.\n",
          sum->compared, BENCH_FLOOR_MICROSECONDS, exp(sum->log_sum / count), exp(sum->first_log_sum / count),
          sum->worst, sum->worst_name, sum->above_three);
}

static void print_summary(const bench_table *table, FILE *file) {
  tally sum = {.worst_name = "-", .worst_regret_name = "-"};
  fprintf(file, "# %s at %s\n\n", table->set, table->tolerance);
  if (table->reused) fprintf(file, "Siconos' times are those of an earlier run.\n\n");
  fprintf(file,
          "| problem | dim | contacts | best of Siconos | its time | auto | ratio | auto used | best of thud | its "
          "time | remark |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
  for (size_t from = 0, to; from < table->count; from = to) {
    to = bench_table_end_of_problem(table, from);
    print_problem(file, table, from, to, &sum);
  }
  print_tally(file, &sum);
  print_regret(file, &sum);
}

void bench_table_write_summary(const bench_table *table, const char *folder) {
  char *path = bench_table_path(table, folder, "", ".md");
  FILE *file = open_for_writing(path);
  print_summary(table, file);
  fclose(file);
  print_summary(table, stdout);
  printf("\n");
  fflush(stdout);
  free(path);
}
