#include "solve/product_two_block.h"
#include "contact/discs.h"

#include <string.h>

/* Bodies or contacts to a task: whole numbers of cache lines, and long against waking a thread. */
enum { BODIES_PER_TASK = 512, CONTACTS_PER_TASK = 1024, BLOCK_MAX = 6 };

struct thud_two_block_product {
  thud_context *context;
  thud_contact_problem problem; /* arrays borrowed */
  size_t d, n, contacts, bodies, rows;
  thud_index *start;  /* [bodies+1] sides of contacts that touch each body, */
  thud_index *touch;  /* [2*contacts] by contacts: 2*contact + side */
  thud_index *jstart; /* [bodies+1] the same of the joints' rows */
  thud_index *jtouch; /* [2*rows] 2*row + side */
  thud_index *joint;  /* [rows] joint of each row */
  double *v;          /* [bodies*n] */
  const double *x;    /* of the product under way */
  double *y;
};

/* ---- create, destroy -------------------------------------------------------------------------------------- */

thud_error thud_two_block_product_create(thud_context *context, const thud_contact_problem *problem,
                                         thud_two_block_product **product) {
  thud_two_block_product *made = THUD_NEW(context, thud_two_block_product);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->context = context;
  made->d = (size_t)problem->dimension;
  made->n = (size_t)problem->two_block.block;
  made->contacts = (size_t)problem->contacts;
  made->bodies = (size_t)problem->two_block.bodies;
  made->rows = (size_t)problem->bilateral;
  made->start = THUD_NEW_ARRAY(context, thud_index, made->bodies + 1);
  made->touch = THUD_NEW_ARRAY(context, thud_index, 2 * made->contacts);
  made->jstart = THUD_NEW_ARRAY(context, thud_index, made->bodies + 1);
  made->jtouch = THUD_NEW_ARRAY(context, thud_index, 2 * made->rows);
  made->joint = THUD_NEW_ARRAY(context, thud_index, made->rows);
  made->v = THUD_NEW_ARRAY(context, double, made->bodies * made->n);
  if (made->start == NULL || made->touch == NULL || made->jstart == NULL || made->jtouch == NULL ||
      made->joint == NULL || made->v == NULL) {
    thud_two_block_product_destroy(made);
    return THUD_ERROR_MEMORY;
  }
  *product = made;
  return THUD_OK;
}

void thud_two_block_product_destroy(thud_two_block_product *product) {
  if (product == NULL) return;
  thud_context *context = product->context;
  void *arrays[] = {product->start, product->touch, product->jstart, product->jtouch, product->joint, product->v};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(context, arrays[k]);
  thud_free(context, product);
}

/* ---- who touches whom ---------------------------------------------------------------------------------------- */

/* Lists, for each body, the rows or contacts k with a[of(k)] or b[of(k)] equal to it; owner NULL: of(k) = k. b may be
 * -1, the world. */
static void list_sides(size_t bodies, size_t count, const thud_index *owner, const thud_index *a, const thud_index *b,
                       thud_index *start, thud_index *touch) {
  memset(start, 0, (bodies + 1) * sizeof *start);
  for (size_t k = 0; k < count; k++) {
    size_t at = owner != NULL ? (size_t)owner[k] : k;
    start[a[at] + 1]++;
    if (b[at] >= 0) start[b[at] + 1]++;
  }
  for (size_t body = 0; body < bodies; body++) start[body + 1] += start[body];
  for (size_t k = 0; k < count; k++) {
    size_t at = owner != NULL ? (size_t)owner[k] : k;
    touch[start[a[at]]++] = (thud_index)(2 * k);
    if (b[at] >= 0) touch[start[b[at]]++] = (thud_index)(2 * k + 1);
  }
  for (size_t body = bodies; body > 0; body--) start[body] = start[body - 1]; /* each had moved on to the next */
  start[0] = 0;
}

void thud_two_block_product_update(thud_two_block_product *product, const thud_contact_problem *problem) {
  const thud_two_block *two = &problem->two_block;
  product->problem = *problem;
  list_sides(product->bodies, product->contacts, NULL, two->body_a, two->body_b, product->start, product->touch);
  for (thud_index j = 0; j < two->joints; j++)
    for (thud_index row = two->joint_start[j]; row < two->joint_start[j + 1]; row++) product->joint[row] = j;
  list_sides(product->bodies, product->rows, product->joint, two->joint_a, two->joint_b, product->jstart,
             product->jtouch);
}

/* ---- products --------------------------------------------------------------------------------------------------- */

/* load[n] += J' x, J row-major d x n; d and n are constants where it is inlined. */
static inline void add_impulse(size_t d, size_t n, const double *J, const double *x, double *load) {
  for (size_t i = 0; i < d; i++)
    for (size_t j = 0; j < n; j++) load[j] += J[i * n + j] * x[i];
}

/* y[d] += J v */
static inline void add_velocity(size_t d, size_t n, const double *J, const double *v, double *y) {
  for (size_t i = 0; i < d; i++)
    for (size_t j = 0; j < n; j++) y[i] += J[i * n + j] * v[j];
}

/* v = M^-1 B' x of one body. */
static inline void move_body(const thud_two_block_product *product, size_t d, size_t n, size_t body) {
  const thud_two_block *two = &product->problem.two_block;
  double load[BLOCK_MAX] = {0}, *v = product->v + body * n;
  for (thud_index p = product->start[body]; p < product->start[body + 1]; p++) {
    size_t contact = (size_t)product->touch[p] / 2;
    const double *J = product->touch[p] % 2 == 0 ? two->jacobian_a : two->jacobian_b;
    add_impulse(d, n, J + contact * d * n, product->x + contact * d, load);
  }
  for (thud_index p = product->jstart[body]; p < product->jstart[body + 1]; p++) {
    size_t row = (size_t)product->jtouch[p] / 2;
    const double *J = product->jtouch[p] % 2 == 0 ? two->joint_jacobian_a : two->joint_jacobian_b;
    add_impulse(1, n, J + row * n, product->x + product->contacts * d + row, load);
  }
  for (size_t i = 0; i < n; i++) v[i] = 0;
  add_velocity(n, n, two->inverse_mass + body * n * n, load, v);
}

/* y of one contact, from the motion v of all bodies. */
static inline void contact_velocity(const thud_two_block_product *product, size_t d, size_t n, size_t contact,
                                    const double *v, double *y) {
  const thud_two_block *two = &product->problem.two_block;
  thud_index a = two->body_a[contact], b = two->body_b[contact];
  add_velocity(d, n, two->jacobian_a + contact * d * n, v + (size_t)a * n, y);
  if (b >= 0) add_velocity(d, n, two->jacobian_b + contact * d * n, v + (size_t)b * n, y);
}

static void row_velocity(const thud_two_block_product *product, size_t row, const double *v, double *y) {
  const thud_two_block *two = &product->problem.two_block;
  size_t n = product->n;
  thud_index a = two->joint_a[product->joint[row]], b = two->joint_b[product->joint[row]];
  add_velocity(1, n, two->joint_jacobian_a + row * n, v + (size_t)a * n, y);
  if (b >= 0) add_velocity(1, n, two->joint_jacobian_b + row * n, v + (size_t)b * n, y);
}

static void move_some(void *user, size_t task) {
  const thud_two_block_product *product = user;
  size_t first = task * BODIES_PER_TASK;
  size_t end = first + BODIES_PER_TASK < product->bodies ? first + BODIES_PER_TASK : product->bodies;
  if (product->d == 3 && product->n == 6)
    for (size_t body = first; body < end; body++) move_body(product, 3, 6, body);
  else
    for (size_t body = first; body < end; body++) move_body(product, product->d, product->n, body);
}

static inline void fresh_velocity(const thud_two_block_product *product, size_t d, size_t n, size_t contact) {
  double u[THUD_CONTACT_DIMENSION_MAX] = {0};
  contact_velocity(product, d, n, contact, product->v, u);
  for (size_t i = 0; i < d; i++) product->y[contact * d + i] = u[i];
}

static void read_some(void *user, size_t task) {
  const thud_two_block_product *product = user;
  size_t first = task * CONTACTS_PER_TASK;
  size_t end = first + CONTACTS_PER_TASK < product->contacts ? first + CONTACTS_PER_TASK : product->contacts;
  if (product->d == 3 && product->n == 6)
    for (size_t k = first; k < end; k++) fresh_velocity(product, 3, 6, k);
  else
    for (size_t k = first; k < end; k++) fresh_velocity(product, product->d, product->n, k);
}

void thud_two_block_product_apply(thud_two_block_product *product, const double *x, double *y) {
  product->x = x;
  product->y = y;
  thud_parallel_for(product->context, (product->bodies + BODIES_PER_TASK - 1) / BODIES_PER_TASK, move_some, product);
  thud_parallel_for(product->context, (product->contacts + CONTACTS_PER_TASK - 1) / CONTACTS_PER_TASK, read_some,
                    product);
  for (size_t row = 0; row < product->rows; row++) {
    double *u = y + product->contacts * product->d + row;
    *u = 0;
    row_velocity(product, row, product->v, u);
  }
}

/* ---- diagonal, free velocity --------------------------------------------------------------------------------- */

/* block[d*d] += J M^-1 J', column-major. */
static void add_block(size_t d, size_t n, const double *J, const double *inverse_mass, double *block) {
  for (size_t j = 0; j < d; j++) {
    double v[BLOCK_MAX] = {0};
    add_velocity(n, n, inverse_mass, J + j * n, v);
    add_velocity(d, n, J, v, block + j * d);
  }
}

static void contact_block(const thud_two_block_product *product, size_t contact, double *block) {
  const thud_two_block *two = &product->problem.two_block;
  size_t d = product->d, n = product->n, place = contact * d * n;
  thud_index a = two->body_a[contact], b = two->body_b[contact];
  memset(block, 0, d * d * sizeof *block);
  add_block(d, n, two->jacobian_a + place, two->inverse_mass + (size_t)a * n * n, block);
  if (b >= 0) add_block(d, n, two->jacobian_b + place, two->inverse_mass + (size_t)b * n * n, block);
}

void thud_two_block_product_blocks(const thud_two_block_product *product, double *blocks) {
  for (size_t k = 0; k < product->contacts; k++) contact_block(product, k, blocks + k * product->d * product->d);
}

void thud_two_block_product_diagonal(const thud_two_block_product *product, double *diagonal) {
  const thud_two_block *two = &product->problem.two_block;
  size_t d = product->d, n = product->n;
  for (size_t k = 0; k < product->contacts; k++) {
    double block[THUD_CONTACT_DIMENSION_MAX * THUD_CONTACT_DIMENSION_MAX];
    contact_block(product, k, block);
    for (size_t i = 0; i < d; i++) diagonal[k * d + i] = block[i * d + i];
  }
  for (size_t row = 0; row < product->rows; row++) {
    thud_index a = two->joint_a[product->joint[row]], b = two->joint_b[product->joint[row]];
    double *entry = diagonal + product->contacts * d + row;
    *entry = 0;
    add_block(1, n, two->joint_jacobian_a + row * n, two->inverse_mass + (size_t)a * n * n, entry);
    if (b >= 0) add_block(1, n, two->joint_jacobian_b + row * n, two->inverse_mass + (size_t)b * n * n, entry);
  }
}

void thud_two_block_product_free_velocity(const thud_two_block_product *product, double *q) {
  const thud_two_block *two = &product->problem.two_block;
  size_t d = product->d, size = product->contacts * d;
  for (size_t i = 0; i < size; i++) q[i] = two->w != NULL ? two->w[i] : 0;
  for (size_t k = 0; k < product->contacts; k++)
    contact_velocity(product, d, product->n, k, two->free_velocity, q + k * d);
  for (size_t row = 0; row < product->rows; row++) {
    q[size + row] = two->joint_w != NULL ? two->joint_w[row] : 0;
    row_velocity(product, row, two->free_velocity, q + size + row);
  }
}
