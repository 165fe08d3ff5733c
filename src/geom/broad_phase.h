/* Inside of the broad phase.
 *
 * Boxes are sorted into size classes by powers of 2; a class has cells a little larger than its largest box, so that two
 * boxes of one class overlap only when their low corners lie in the same or in adjacent cells. The cells divide y and z
 * only: a row holds the boxes with low corners in one cell (y, z), sorted by low.x, and rows are swept along x against
 * each other. A row visits the adjacent rows of its class and those of larger classes that its boxes can reach.
 *
 * Where that takes far more tests than there are overlaps (flat or long boxes, many in one place), the search is given up
 * and repeated with a tree of boxes. What is found is the same. */
#ifndef THUD_SRC_GEOM_BROAD_PHASE_H
#define THUD_SRC_GEOM_BROAD_PHASE_H

#include "base/base.h"
#include "thud/geom.h"

enum {
  THUD_BROAD_LOWEST = -1000,  /* exponents of the size classes; smaller boxes are taken for larger ones */
  THUD_BROAD_HIGHEST = 1000,  /* larger boxes and coordinates count as infinite */
  THUD_BROAD_CELL_BITS = 40,  /* a box's class is raised until its cell numbers have at most so many bits */
  THUD_BROAD_WIDE_MAX = 8,    /* so many boxes of the largest classes are tested against all instead */
  THUD_BROAD_TASKS_MAX = 128, /* chunks of boxes for the threads; fixed by the number of boxes alone */
  THUD_BROAD_CHUNK_MIN = 512,
  THUD_BROAD_PATIENCE = 6 /* tests per box and bit of their number, and per overlap, before rows are given up */
};

/* A box in the order of rows, one cache line. */
typedef struct thud_broad_entry {
  thud_bounds bounds;
  thud_index box, group, row; /* row -1: tested against all */
  bool still;
} thud_broad_entry;

typedef struct thud_broad_row {
  int64_t y, z; /* the cell */
  thud_index level, start, count;
  double low_y, low_z, high_y, high_z; /* of all its boxes together */
} thud_broad_row;

typedef struct thud_broad_level {
  double scale; /* edge of the cells */
  double inverse;
  thud_index count; /* boxes */
} thud_broad_level;

/* Pairs found by one chunk of boxes; beyond the capacity pairs are only counted. */
typedef struct thud_broad_task {
  thud_index_pair *pairs;
  size_t capacity, count;
  uint64_t tests, lookups;
  uint64_t overlaps; /* also of those that are left out */
  uint64_t patience; /* tests without an overlap before it is given up */
  bool given_up;
} thud_broad_task;

/* Node of the tree, stored in preorder. */
typedef struct thud_broad_node {
  thud_bounds bounds;
  thud_index first, count; /* keys of a leaf; count 0: the two below follow */
  thud_index skip;         /* the node behind all that is below */
} thud_broad_node;

/* Slot of the table of rows; the tag tells most rows apart without reading them. */
typedef struct thud_broad_slot {
  uint32_t tag;   /* upper half of the hash */
  thud_index row; /* row + 1, 0 where free */
} thud_broad_slot;

typedef struct thud_broad_key {
  double x;
  thud_index box;
} thud_broad_key;

/* Grown together: one number of elements for all. */
typedef struct thud_broad_boxes {
  int16_t *classes;          /* exponent of the size class, or one of the two numbers below */
  thud_index *rows;          /* row of a box */
  thud_broad_key *keys;      /* in the order of rows */
  thud_broad_key *scratch;   /* for merging */
  thud_broad_entry *entries; /* rows first, then the wide ones */
  thud_broad_row *row_table;
  size_t *firsts; /* [n+1] where the pairs of a first box start */
} thud_broad_boxes;
#define THUD_BROAD_NONE INT16_MIN /* NaN or empty */
#define THUD_BROAD_WIDE INT16_MAX

struct thud_broad_phase {
  thud_context *context;
  /* the question */
  thud_index count;
  const thud_bounds *boxes;
  const bool *still;
  const thud_index *groups;
  /* the grid */
  thud_broad_level levels[THUD_BROAD_HIGHEST - THUD_BROAD_LOWEST + 1];
  int16_t used[THUD_BROAD_HIGHEST - THUD_BROAD_LOWEST + 1]; /* levels with boxes, ascending */
  int used_count;
  thud_broad_boxes at;
  size_t box_capacity;
  thud_index row_count, gridded, entry_count;
  thud_broad_slot *slots; /* open addressing */
  size_t slot_capacity, slot_count;
  thud_broad_node *nodes;
  size_t node_capacity;
  thud_index node_count; /* 0: rows are searched */
  /* the answer */
  size_t chunk, task_count;
  uint64_t tests_in_vain;
  thud_broad_task tasks[THUD_BROAD_TASKS_MAX];
  thud_index *seconds;
  size_t second_capacity;
  thud_index_pair *pairs;
  size_t pair_capacity, pair_count;
};

/* Work of the last call: boxes held against each other (also in vain, before rows were given up), and rows looked for. */
uint64_t thud_broad_phase_tests(const thud_broad_phase *phase);
uint64_t thud_broad_phase_lookups(const thud_broad_phase *phase);

/* Fills entries, rows and slots from the boxes. */
thud_error thud_broad_phase_fill(thud_broad_phase *phase);
/* The row of a cell, NULL when it is empty. */
const thud_broad_row *thud_broad_phase_row(const thud_broad_phase *phase, thud_index level, int64_t y, int64_t z);
/* Makes the tree of all boxes in rows; the keys are its leaves from then on. */
thud_error thud_broad_phase_plant(thud_broad_phase *phase);
/* Tests one entry against those behind it by the tree. */
void thud_broad_phase_descend(const thud_broad_phase *phase, thud_index entry, thud_broad_task *task);
/* Called with the number of a box. */
typedef void (*thud_broad_visit_fn)(void *user, thud_index box);
/* Keeps boxes (copied) for the two questions below, until the next call or thud_broad_phase_find. */
thud_error thud_broad_phase_hold(thud_broad_phase *phase, thud_index count, const thud_bounds *boxes);
/* Those that meet a box, and those that meet a ray up to *limit of its way, which `visit` may make smaller. */
void thud_broad_phase_meet_box(const thud_broad_phase *phase, const thud_bounds *box, thud_broad_visit_fn visit,
                               void *user);
void thud_broad_phase_meet_ray(const thud_broad_phase *phase, const thud_ray *ray, const double *limit,
                               thud_broad_visit_fn visit, void *user);
/* Fills the tasks. */
thud_error thud_broad_phase_search(thud_broad_phase *phase);
/* Collects the pairs of the tasks in order. */
thud_error thud_broad_phase_collect(thud_broad_phase *phase);

/* floor for numbers that fit; the baseline processor has no instruction for it. Monotone. */
static inline int64_t thud_broad_cell(double x) {
  int64_t whole = (int64_t)x;
  return whole - (x < (double)whole);
}

/* Without branches: which of the comparisons fails is not predictable. */
static inline bool thud_broad_overlap(const thud_bounds *a, const thud_bounds *b) {
  return ((a->low.x <= b->high.x) & (b->low.x <= a->high.x) & (a->low.y <= b->high.y) & (b->low.y <= a->high.y) &
          (a->low.z <= b->high.z) & (b->low.z <= a->high.z)) != 0;
}

/* One pair of boxes; the caller counts the test. Without branches as well: the pair is written in any case, at the place
 * where the next one goes or, without room, at the last place, which is never read. */
static inline void thud_broad_test(thud_broad_task *task, const thud_broad_entry *a, const thud_broad_entry *b) {
  bool overlap = thud_broad_overlap(&a->bounds, &b->bounds);
  bool left_out = (a->still & b->still) | ((a->group >= 0) & (a->group == b->group));
  size_t last = task->capacity - 1, place = task->count < last ? task->count : last;
  task->pairs[place].first = a->box < b->box ? a->box : b->box;
  task->pairs[place].second = a->box < b->box ? b->box : a->box;
  task->overlaps += overlap;
  task->count += overlap & !left_out;
}

#endif
