/* Which nodes slip in a step of friction: found in one pass over the chain of cells.
 *
 * In terms of the tensions N_c of the cells the step is a projection,
 *   min sum (h_c/2k) (N_c - a_c)^2,   |N_c - N_{c+1} - f_j| <= b_j at the node j between cells c and c+1,
 * a_c: the tension of the displacements before with the new end values. Dynamic programming over the cells: F_c(N), the least
 * sum of the cells up to c that ends with N_c = N, is convex and piecewise quadratic; F_{c+1} is F_c cut open at its minimum
 * z_c, moved apart by 2 b_j, plus a square. The slope of F_c is kept as two stacks of breaks, left and right of z_c, whose
 * places move with their stack. Backwards, N_c is z_c or the nearest tension that N_{c+1} allows: there the node slips. */
#include "motions/line/line.h"

typedef struct slip_stack {
  elastic_slip_break *items;
  thud_index count;
  double moved; /* of all places */
} slip_stack;

typedef struct slip_chain {
  slip_stack left, right;
  double z;     /* the minimum of F */
  double curve; /* second derivative of F there */
} slip_chain;

static void push(slip_stack *stack, double place, double more) {
  stack->items[stack->count++] = (elastic_slip_break){.place = place - stack->moved, .more = more};
}

/* F becomes min of F over [N + f - b, N + f + b]. */
static void cut_open(slip_chain *chain, double f, double b) {
  if (b > 0) {
    push(&chain->left, chain->z, chain->curve);
    push(&chain->right, chain->z, chain->curve);
    chain->curve = 0;
  }
  chain->left.moved -= f + b;
  chain->right.moved -= f - b;
  chain->z -= f;
}

/* While z lies beyond the next break of `from`, that break changes its stack; toward: -1 for the left one. */
static void cross(slip_chain *chain, slip_stack *from, slip_stack *to, double toward) {
  while (from->count > 0) {
    const elastic_slip_break next = from->items[from->count - 1];
    double place = next.place + from->moved;
    if (toward * (chain->z - place) <= 0) return;
    double slope = chain->curve * (place - chain->z);
    from->count--;
    push(to, place, -next.more);
    chain->curve += next.more;
    chain->z = place - slope / chain->curve;
  }
}

/* F gets w (N - a)^2/2 more. */
static void add_square(slip_chain *chain, double w, double a) {
  chain->z = (chain->curve * chain->z + w * a) / (chain->curve + w);
  chain->curve += w;
  cross(chain, &chain->left, &chain->right, -1);
  cross(chain, &chain->right, &chain->left, 1);
}

void thud_line_find_slip(thud_line *line, const double *f, const double *bound, const double ends[2],
                         const double *before) {
  thud_index cells = line->n - 1;
  double *z = line->work, N = 0;
  slip_chain chain = {.left = {.items = line->slip}, .right = {.items = line->slip + 2 * (ptrdiff_t)line->n}};
  for (thud_index c = 0; c < cells; c++) {
    double from = c == 0 ? ends[0] : before[c], to = c + 1 == cells ? ends[1] : before[c + 1];
    double w = (line->x[c + 1] - line->x[c]) / line->extension;
    if (c > 0) cut_open(&chain, f[c], bound[c]);
    add_square(&chain, w, (to - from) / w);
    z[c] = chain.z;
  }
  N = z[cells - 1];
  for (thud_index c = cells - 1; c-- > 0;) {
    double b = bound[c + 1], low = N + f[c + 1] - b, high = N + f[c + 1] + b;
    N = z[c] <= low ? low : z[c] >= high ? high : z[c];
    line->longitudinal.side[c + 1] = (signed char)(N == low ? KINK_ABOVE : N == high ? KINK_BELOW : KINK_AT);
  }
}
