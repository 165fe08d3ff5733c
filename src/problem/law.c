/* Friction laws of native problems: sets in the syntax of scenes, read and written. */
#include "convex/set.h"
#include "scene/build.h"
#include "problem/native.h"

#include <math.h>
#include <string.h>

thud_error thud_native_read_law(thud_context *context, const thud_node *node, thud_index dimension, thud_set **law) {
  /* A scene without time: its expressions know no variable, so that every number is a constant. */
  thud_scene scene = {.context = context};
  thud_error error = thud_expr_scope_create(context, &scene.scope);
  if (error != THUD_OK) return error;
  scene_numbers numbers = {.scene = &scene};
  error = thud_scene_build_set(&numbers, node, dimension, law);
  thud_scene_numbers_free(&numbers);
  thud_expr_scope_destroy(scene.scope);
  return error;
}

/* ---- writing ------------------------------------------------------------------------------------------ */

/* How a part of a set's parameters is written. */
typedef enum part_form {
  PART_ABSENT = 0,
  PART_SCALAR,
  PART_VECTOR,  /* n numbers */
  PART_COUNTED, /* m numbers */
  PART_ROWS,    /* m rows of n numbers, stored by rows */
  PART_SQUARE,  /* n x n, stored by columns */
  PART_IMAGE,   /* n x (dimension of the operand), stored by columns */
  PART_PREIMAGE /* (dimension of the operand) x n, stored by columns */
} part_form;

typedef enum operand_form { OPERANDS_NONE = 0, OPERAND_BESIDE, OPERAND_ALONE, OPERANDS_LISTED } operand_form;

typedef struct set_writer {
  const char *kind; /* as thud_set_kind names it */
  const char *key;  /* as scenes name it */
  struct {
    const char *key;
    part_form form;
  } parts[2];
  operand_form operands;
  const char *extra; /* a further key: "dimension" or "equalities" */
} set_writer;

static const set_writer writers[] = {
    {"half-space", "half_space", {{"normal", PART_VECTOR}, {"offset", PART_SCALAR}}, OPERANDS_NONE, NULL},
    {"box", "box", {{"lower", PART_VECTOR}, {"upper", PART_VECTOR}}, OPERANDS_NONE, NULL},
    {"ball", "ball", {{"centre", PART_VECTOR}, {"radius", PART_SCALAR}}, OPERANDS_NONE, NULL},
    {"ellipsoid", "ellipsoid", {{"centre", PART_VECTOR}, {"shape", PART_SQUARE}}, OPERANDS_NONE, NULL},
    {"Coulomb cone", "coulomb_cone", {{"mu", PART_SCALAR}}, OPERANDS_NONE, "dimension"},
    {"Coulomb dual cone", "coulomb_dual_cone", {{"mu", PART_SCALAR}}, OPERANDS_NONE, "dimension"},
    {"polyhedron", "polyhedron", {{"A", PART_ROWS}, {"b", PART_COUNTED}}, OPERANDS_NONE, "equalities"},
    {"affine set", "affine", {{"A", PART_ROWS}, {"b", PART_COUNTED}}, OPERANDS_NONE, NULL},
    {"cone of gradients", "cone", {{"gradients", PART_ROWS}}, OPERANDS_NONE, NULL},
    {"cone of generators", "cone", {{"generators", PART_ROWS}}, OPERANDS_NONE, NULL},
    {"half-line", "half_line", {{"origin", PART_VECTOR}, {"direction", PART_VECTOR}}, OPERANDS_NONE, NULL},
    {"segment", "segment", {{"from", PART_VECTOR}, {"to", PART_VECTOR}}, OPERANDS_NONE, NULL},
    {"product", "product", {{NULL, PART_ABSENT}}, OPERANDS_LISTED, NULL},
    {"sum", "sum", {{NULL, PART_ABSENT}}, OPERANDS_LISTED, NULL},
    {"intersection", "intersection", {{NULL, PART_ABSENT}}, OPERANDS_LISTED, NULL},
    {"translation", "translation", {{"by", PART_VECTOR}}, OPERAND_BESIDE, NULL},
    {"scaling", "scaling", {{"by", PART_SCALAR}}, OPERAND_BESIDE, NULL},
    {"linear image", "image", {{"matrix", PART_IMAGE}}, OPERAND_BESIDE, NULL},
    {"linear preimage", "preimage", {{"matrix", PART_PREIMAGE}}, OPERAND_BESIDE, NULL},
    {"polar", "polar", {{NULL, PART_ABSENT}}, OPERAND_ALONE, NULL},
};

static void print_number(thud_text *text, double value) {
  char number[THUD_DOUBLE_CAPACITY];
  thud_format_double(value, number, sizeof number); /* infinite bounds become null, which is how scenes write them */
  thud_text_print(text, "%s", number);
}

void thud_native_print_numbers(thud_text *text, size_t count, const double *numbers) {
  thud_text_print(text, "[");
  for (size_t k = 0; k < count; k++) {
    if (k > 0) thud_text_print(text, k % 10 == 0 ? ",\n      " : ", ");
    print_number(text, numbers[k]);
  }
  thud_text_print(text, "]");
}

/* rows x columns numbers, entry (i, j) at i*row_step + j*column_step. */
static void print_matrix(thud_text *text, size_t rows, size_t columns, size_t row_step, size_t column_step,
                         const double *entries) {
  for (size_t i = 0; i < rows; i++) {
    thud_text_print(text, i > 0 ? ", [" : "[[");
    for (size_t j = 0; j < columns; j++) {
      if (j > 0) thud_text_print(text, ", ");
      print_number(text, entries[i * row_step + j * column_step]);
    }
    thud_text_print(text, "]");
  }
  thud_text_print(text, "]");
}

/* Prints one part and returns how many parameters it took. */
static size_t print_part(thud_text *text, const thud_set *set, part_form form, const double *values) {
  size_t n = (size_t)set->n, m = (size_t)set->m, c = set->child_count > 0 ? (size_t)set->children[0]->n : 0;
  switch (form) {
  case PART_SCALAR: print_number(text, values[0]); return 1;
  case PART_VECTOR: thud_native_print_numbers(text, n, values); return n;
  case PART_COUNTED: thud_native_print_numbers(text, m, values); return m;
  case PART_ROWS: print_matrix(text, m, n, n, 1, values); return m * n;
  case PART_SQUARE: print_matrix(text, n, n, 1, n, values); return n * n;
  case PART_IMAGE: print_matrix(text, n, c, 1, n, values); return n * c;
  case PART_PREIMAGE: print_matrix(text, c, n, 1, c, values); return n * c;
  default: return 0;
  }
}

static thud_error print_operands(thud_context *context, const thud_set *set, thud_text *text) {
  thud_error error = THUD_OK;
  thud_text_print(text, "[");
  for (thud_index k = 0; k < set->child_count && error == THUD_OK; k++) {
    if (k > 0) thud_text_print(text, ", ");
    error = thud_native_print_law(context, set->children[k], text);
  }
  thud_text_print(text, "]");
  return error;
}

static const set_writer *find_writer(const thud_set *set) {
  for (size_t k = 0; k < sizeof writers / sizeof *writers; k++)
    if (strcmp(writers[k].kind, set->kind->kind) == 0) return &writers[k];
  return NULL;
}

static thud_error print_fields(thud_context *context, const thud_set *set, const set_writer *writer, thud_text *text) {
  const double *values = set->own;
  thud_error error = THUD_OK;
  thud_text_print(text, "{");
  for (int k = 0; k < 2 && writer->parts[k].form != PART_ABSENT; k++) {
    thud_text_print(text, "%s%s: ", k > 0 ? ", " : "", writer->parts[k].key);
    values += print_part(text, set, writer->parts[k].form, values);
  }
  if (writer->extra != NULL)
    thud_text_print(text, ", %s: %d", writer->extra,
                    (int)(strcmp(writer->extra, "dimension") == 0 ? set->n : set->equalities));
  if (writer->operands == OPERAND_BESIDE) {
    thud_text_print(text, ", set: ");
    error = thud_native_print_law(context, set->children[0], text);
  }
  thud_text_print(text, "}");
  return error;
}

thud_error thud_native_print_law(thud_context *context, const thud_set *law, thud_text *text) {
  const set_writer *writer = find_writer(law);
  if (writer == NULL || (writer->parts[0].form == PART_ROWS && law->m == 0))
    return thud_fail(context, THUD_ERROR_UNSUPPORTED, "[bad-problem-file] a %s%s cannot be written as a friction law",
                     thud_set_kind(law), writer != NULL ? " without rows" : "");
  thud_error error = THUD_OK;
  thud_text_print(text, "{%s: ", writer->key);
  if (writer->operands == OPERANDS_LISTED)
    error = print_operands(context, law, text);
  else if (writer->operands == OPERAND_ALONE)
    error = thud_native_print_law(context, law->children[0], text);
  else
    error = print_fields(context, law, writer, text);
  thud_text_print(text, "}");
  return error;
}
