/* The problems of the benchmark: files of a folder, and generated piles of boxes. */
#include "contact.h"
#include "random_problems.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bench_problem *bench_problems_add(bench_problems *problems, const char *name) {
  if (problems->count == problems->capacity) {
    problems->capacity = 2 * problems->capacity + 16;
    problems->list = realloc(problems->list, problems->capacity * sizeof *problems->list);
    if (problems->list == NULL) abort();
  }
  bench_problem *problem = &problems->list[problems->count++];
  *problem = (bench_problem){.name = bench_alloc(strlen(name) + 1, 1)};
  strcpy(problem->name, name);
  return problem;
}

static void read_problem(thud_context *context, const char *path, bench_problems *problems) {
  thud_problem_file *file;
  if (thud_problem_read(context, path, NULL, &file) != THUD_OK) {
    fprintf(stderr, "left out: %s\n", thud_context_last_message(context));
    return;
  }
  const char *slash = strrchr(path, '/');
  bench_problem *problem = bench_problems_add(problems, slash != NULL ? slash + 1 : path);
  problem->file = file;
  problem->problem = thud_problem_file_contents(file).problem;
}

void bench_problems_of_path(thud_context *context, const char *path, bench_problems *problems) {
  compare_files files = {.context = context};
  if (thud_compare_find_files(path, &files) != THUD_OK) {
    fprintf(stderr, "bench-contact: %s\n", thud_context_last_message(context));
    exit(2);
  }
  for (size_t k = 0; k < files.count; k++) read_problem(context, files.paths[k], problems);
  thud_compare_files_free(&files);
}

/* ---- piles ------------------------------------------------------------------------------------------------------- */

typedef thud_error (*pile_fn)(thud_context *, thud_random *, const thud_test_pile *, thud_test_problem *);

static void add_pile(thud_context *context, const char *shape, pile_fn make, const thud_test_pile *pile,
                     bench_problems *problems) {
  char name[96];
  thud_random random = thud_random_seed(11);
  thud_test_problem made;
  bench_stop_on(context, make(context, &random, pile, &made));
  snprintf(name, sizeof name, "%s-%dx%dx%d%s", shape, (int)pile->nx, (int)pile->ny, (int)pile->nz,
           pile->mass_ratio > 1 ? "-heavy-top" : "");
  bench_problem *problem = bench_problems_add(problems, name);
  problem->made = made.owned;
  problem->problem = made.problem;
  strncat(name, "-local", sizeof name - strlen(name) - 1);
  problem = bench_problems_add(problems, name);
  problem->other_form_above = true;
  bench_stop_on(context, thud_contact_to_local(context, made.problem, THUD_MATRIX_BLOCKS, &problem->made));
  problem->problem = thud_owned_problem_view(problem->made);
}

void bench_problems_of_boxes(thud_context *context, bool quick, bench_problems *problems) {
  static const struct {
    const char *shape;
    pile_fn make;
    thud_index nx, ny, nz;
    double mass_ratio;
  } piles[] = {
      {"wall", thud_test_wall_of_boxes, 3, 1, 3, 1},         {"pyramid", thud_test_pyramid_of_boxes, 4, 1, 4, 1},
      {"stack", thud_test_stack_of_boxes, 1, 1, 20, 1},      {"stack", thud_test_stack_of_boxes, 1, 1, 10, 1000},
      {"wall", thud_test_wall_of_boxes, 6, 1, 6, 1},         {"wall", thud_test_wall_of_boxes, 3, 3, 3, 1},
      {"pyramid", thud_test_pyramid_of_boxes, 10, 1, 10, 1}, {"wall", thud_test_wall_of_boxes, 12, 1, 8, 1},
  };
  for (size_t k = 0; k < (quick ? 2 : sizeof piles / sizeof *piles); k++) {
    thud_test_pile pile = {.nx = piles[k].nx,
                           .ny = piles[k].ny,
                           .nz = piles[k].nz,
                           .dimension = 3,
                           .mu = 0.5,
                           .mass_ratio = piles[k].mass_ratio,
                           .noise = 0.02};
    add_pile(context, piles[k].shape, piles[k].make, &pile, problems);
  }
}

void bench_problems_destroy(bench_problems *problems) {
  for (size_t k = 0; k < problems->count; k++) {
    thud_problem_file_destroy(problems->list[k].file);
    thud_owned_problem_destroy(problems->list[k].made);
    free(problems->list[k].name);
  }
  free(problems->list);
  *problems = (bench_problems){0};
}
