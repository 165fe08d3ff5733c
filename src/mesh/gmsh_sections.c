/* Sections of Gmsh's files, formats 2.2 and 4.1. */
#include "base/base.h"
#include "mesh/gmsh.h"

#include <stdio.h>
#include <string.h>

enum { LINE = 1, TRIANGLE = 2, POINT = 15 };

#define KEEP(file, list, item)                                                                                         \
  (thud_array_reserve((file)->in.context, &(file)->list##s, &(file)->list##_room, (file)->list##_count + 1,            \
                      sizeof *(file)->list##s) == THUD_OK                                                              \
       ? ((file)->list##s[(file)->list##_count++] = (item), THUD_OK)                                                   \
       : THUD_ERROR_MEMORY)

/* ---- format and names ------------------------------------------------------------------------------------------------ */

/* Bytes begin behind the end of the line. */
static void enter(gmsh_file *file) {
  if (!file->in.binary) return;
  thud_gmsh_end_line(&file->in);
  file->in.at += file->in.at < file->in.size;
}

static thud_error read_format(gmsh_file *file) {
  char version[32];
  int64_t binary = 0, size = 0, one = 0;
  thud_error error = thud_gmsh_word(&file->in, version, sizeof version);
  if (error == THUD_OK) error = thud_gmsh_integer(&file->in, false, &binary);
  if (error == THUD_OK) error = thud_gmsh_integer(&file->in, false, &size);
  if (error != THUD_OK) return error;
  file->fourth = strcmp(version, "4.1") == 0;
  if (!file->fourth && strcmp(version, "2.2") != 0)
    return thud_gmsh_fail(&file->in, "format %s; 2.2 and 4.1 are read (gmsh -format msh41)", version);
  if (size != 8 || binary < 0 || binary > 1)
    return thud_gmsh_fail(&file->in, "file type %lld with numbers of %lld bytes; 0 or 1 with 8 are read",
                          (long long)binary, (long long)size);
  thud_gmsh_end_line(&file->in);
  if (binary == 0) return THUD_OK;
  file->in.binary = true;
  enter(file);
  error = thud_gmsh_integer(&file->in, false, &one);
  if (error == THUD_OK && one != 1)
    error = thud_gmsh_fail(&file->in, "the bytes of numbers are in another machine's order");
  return error;
}

/* dimension tag "name": text in binary files, too. */
static thud_error read_names(gmsh_file *file) {
  gmsh_cursor *in = &file->in;
  bool binary = in->binary;
  size_t count = 0;
  in->binary = false;
  thud_error error = thud_gmsh_count(in, false, 6, &count);
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    int64_t dimension = 0;
    gmsh_group group = {0};
    error = thud_gmsh_integer(in, false, &dimension);
    if (error == THUD_OK) error = thud_gmsh_integer(in, false, &group.tag);
    if (error != THUD_OK) break;
    size_t start = in->at;
    thud_gmsh_end_line(in);
    const char *open = memchr(in->bytes + start, '"', in->at - start);
    const char *close = open != NULL ? memchr(open + 1, '"', (size_t)(in->bytes + in->at - open - 1)) : NULL;
    if (close == NULL || close == open + 1 || (size_t)(close - open) > sizeof group.name)
      error = thud_gmsh_fail(in, "a physical group without a name in \"\", or with one of more than %zu bytes",
                             sizeof group.name - 1);
    else
      memcpy(group.name, open + 1, (size_t)(close - open - 1));
    if (error == THUD_OK && dimension == 1) error = KEEP(file, group, group);
  }
  in->binary = binary;
  return error;
}

/* ---- entities of 4.1 -------------------------------------------------------------------------------------------------- */

static thud_error skip_integers(gmsh_cursor *in, size_t count) {
  int64_t value;
  thud_error error = THUD_OK;
  for (size_t k = 0; k < count && error == THUD_OK; k++) error = thud_gmsh_integer(in, false, &value);
  return error;
}

static thud_error read_entity(gmsh_file *file, int dimension) {
  gmsh_cursor *in = &file->in;
  gmsh_curve curve = {0};
  size_t count = 0;
  double number;
  thud_error error = thud_gmsh_integer(in, false, &curve.tag);
  for (int k = 0; k < (dimension == 0 ? 3 : 6) && error == THUD_OK; k++) error = thud_gmsh_real(in, &number);
  if (error == THUD_OK) error = thud_gmsh_count(in, true, 1, &count);
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    error = thud_gmsh_integer(in, false, &curve.group);
    if (error == THUD_OK && dimension == 1) error = KEEP(file, curve, curve);
  }
  if (error != THUD_OK || dimension == 0) return error;
  error = thud_gmsh_count(in, true, 1, &count);
  return error == THUD_OK ? skip_integers(in, count) : error;
}

static thud_error read_entities(gmsh_file *file) {
  size_t count[4] = {0};
  thud_error error = THUD_OK;
  enter(file);
  for (int d = 0; d < 4 && error == THUD_OK; d++) error = thud_gmsh_count(&file->in, true, 4, &count[d]);
  for (int d = 0; d < 4; d++)
    for (size_t k = 0; k < count[d] && error == THUD_OK; k++) error = read_entity(file, d);
  return error;
}

/* ---- nodes -------------------------------------------------------------------------------------------------------------- */

static thud_error read_place(gmsh_cursor *in, gmsh_node *node) {
  thud_error error = thud_gmsh_real(in, &node->x);
  if (error == THUD_OK) error = thud_gmsh_real(in, &node->y);
  return error == THUD_OK ? thud_gmsh_real(in, &node->z) : error;
}

static thud_error read_old_nodes(gmsh_file *file) {
  size_t count = 0;
  bool binary = file->in.binary;
  file->in.binary = false; /* the count is text */
  thud_error error = thud_gmsh_count(&file->in, false, 8, &count);
  file->in.binary = binary;
  enter(file);
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    gmsh_node node = {.index = -1};
    error = thud_gmsh_integer(&file->in, false, &node.tag);
    if (error == THUD_OK) error = read_place(&file->in, &node);
    if (error == THUD_OK) error = KEEP(file, node, node);
  }
  return error;
}

static thud_error read_node_block(gmsh_file *file) {
  gmsh_cursor *in = &file->in;
  int64_t head[3];
  size_t count = 0, first = file->node_count;
  thud_error error = THUD_OK;
  for (int k = 0; k < 3 && error == THUD_OK; k++) error = thud_gmsh_integer(in, false, &head[k]);
  if (error == THUD_OK) error = thud_gmsh_count(in, true, 8, &count);
  if (error == THUD_OK && head[2] != 0) error = thud_gmsh_fail(in, "nodes with parameters are not read");
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    gmsh_node node = {.index = -1};
    error = thud_gmsh_integer(in, true, &node.tag);
    if (error == THUD_OK) error = KEEP(file, node, node);
  }
  for (size_t k = 0; k < count && error == THUD_OK; k++) error = read_place(in, &file->nodes[first + k]);
  return error;
}

/* ---- elements ------------------------------------------------------------------------------------------------------------ */

static int corners_of(int64_t type) { return type == POINT ? 1 : type == LINE ? 2 : type == TRIANGLE ? 3 : 0; }

static thud_error refuse_type(const gmsh_cursor *in, int64_t type) {
  return thud_gmsh_fail(in, "elements of type %lld; lines (1), triangles (2) and points (15) are read",
                        (long long)type);
}

static thud_error read_corners(gmsh_file *file, int64_t type, bool wide, gmsh_element *element) {
  thud_error error = THUD_OK;
  element->line = file->in.binary ? file->in.at : file->in.line;
  for (int c = 0; c < corners_of(type) && error == THUD_OK; c++)
    error = thud_gmsh_integer(&file->in, wide, &element->node[c]);
  return error;
}

/* Tags of one element of 2.2: the first is the physical group. */
static thud_error read_tags(gmsh_file *file, size_t count, gmsh_element *element) {
  thud_error error = THUD_OK;
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    int64_t tag = 0;
    error = thud_gmsh_integer(&file->in, false, &tag);
    if (k == 0) element->group = tag;
  }
  return error;
}

static thud_error keep_element(gmsh_file *file, int64_t type, gmsh_element element) {
  if (type == TRIANGLE) return KEEP(file, triangle, element);
  return type == LINE && element.group != 0 ? KEEP(file, line, element) : THUD_OK;
}

static thud_error read_old_element(gmsh_file *file, int64_t type, size_t tags) {
  gmsh_element element = {.node = {-1, -1, -1}};
  thud_error error = read_tags(file, tags, &element);
  if (error == THUD_OK) error = read_corners(file, type, false, &element);
  return error == THUD_OK ? keep_element(file, type, element) : error;
}

static thud_error read_text_elements(gmsh_file *file, size_t count) {
  thud_error error = THUD_OK;
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    int64_t tag = 0, type = 0;
    size_t tags = 0;
    error = thud_gmsh_integer(&file->in, false, &tag);
    if (error == THUD_OK) error = thud_gmsh_integer(&file->in, false, &type);
    if (error == THUD_OK && corners_of(type) == 0) error = refuse_type(&file->in, type);
    if (error == THUD_OK) error = thud_gmsh_count(&file->in, false, 1, &tags);
    if (error == THUD_OK) error = read_old_element(file, type, tags);
  }
  return error;
}

static thud_error read_binary_elements(gmsh_file *file, size_t count) {
  thud_error error = THUD_OK;
  while (count > 0 && error == THUD_OK) {
    int64_t type = 0, tag;
    size_t some = 0, tags = 0;
    error = thud_gmsh_integer(&file->in, false, &type);
    if (error == THUD_OK && corners_of(type) == 0) error = refuse_type(&file->in, type);
    if (error == THUD_OK) error = thud_gmsh_count(&file->in, false, 4, &some);
    if (error == THUD_OK) error = thud_gmsh_count(&file->in, false, 1, &tags);
    if (error == THUD_OK && (some == 0 || some > count))
      error = thud_gmsh_fail(&file->in, "a block of %zu elements where %zu are left", some, count);
    for (size_t k = 0; k < some && error == THUD_OK; k++) {
      error = thud_gmsh_integer(&file->in, false, &tag);
      if (error == THUD_OK) error = read_old_element(file, type, tags);
    }
    count -= error == THUD_OK ? some : count;
  }
  return error;
}

static thud_error read_old_elements(gmsh_file *file) {
  size_t count = 0;
  bool binary = file->in.binary;
  file->in.binary = false;
  thud_error error = thud_gmsh_count(&file->in, false, 4, &count);
  file->in.binary = binary;
  if (error != THUD_OK || !binary) return error == THUD_OK ? read_text_elements(file, count) : error;
  enter(file);
  return read_binary_elements(file, count);
}

/* A line of 4.1 is in the groups of its curve. */
static thud_error keep_in_groups(gmsh_file *file, int64_t type, int64_t entity, gmsh_element element) {
  thud_error error = THUD_OK;
  if (type != LINE) return keep_element(file, type, element);
  for (size_t k = 0; k < file->curve_count && error == THUD_OK; k++) {
    if (file->curves[k].tag != entity) continue;
    element.group = file->curves[k].group;
    error = keep_element(file, type, element);
  }
  return error;
}

static thud_error read_element_block(gmsh_file *file) {
  int64_t head[3] = {0}, tag;
  size_t count = 0;
  thud_error error = THUD_OK;
  for (int k = 0; k < 3 && error == THUD_OK; k++) error = thud_gmsh_integer(&file->in, false, &head[k]);
  if (error == THUD_OK && corners_of(head[2]) == 0) error = refuse_type(&file->in, head[2]);
  if (error == THUD_OK) error = thud_gmsh_count(&file->in, true, 4, &count);
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    gmsh_element element = {.node = {-1, -1, -1}};
    error = thud_gmsh_integer(&file->in, true, &tag);
    if (error == THUD_OK) error = read_corners(file, head[2], true, &element);
    if (error == THUD_OK) error = keep_in_groups(file, head[2], head[1], element);
  }
  return error;
}

/* Blocks of nodes or elements after the head of the section. */
static thud_error read_blocks(gmsh_file *file, thud_error (*read)(gmsh_file *file)) {
  size_t blocks = 0;
  int64_t number;
  enter(file);
  thud_error error = thud_gmsh_count(&file->in, true, 4, &blocks);
  for (int k = 0; k < 3 && error == THUD_OK; k++) error = thud_gmsh_integer(&file->in, true, &number);
  for (size_t k = 0; k < blocks && error == THUD_OK; k++) error = read(file);
  return error;
}

/* ---- the whole ------------------------------------------------------------------------------------------------------------- */

static thud_error skip_to_end(gmsh_file *file, const char *end) {
  size_t length = strlen(end);
  for (; file->in.size - file->in.at >= length; file->in.at++) {
    if (memcmp(file->in.bytes + file->in.at, end, length) == 0) return THUD_OK;
    file->in.line += file->in.bytes[file->in.at] == '\n';
  }
  return thud_gmsh_fail(&file->in, "there is no %s", end);
}

thud_error thud_gmsh_read_section(gmsh_file *file, const char *name) {
  char end[80], word[80];
  thud_error error = THUD_OK;
  snprintf(end, sizeof end, "$End%.60s", name + 1);
  if (strcmp(name, "$MeshFormat") == 0)
    error = read_format(file);
  else if (strcmp(name, "$PhysicalNames") == 0)
    error = read_names(file);
  else if (strcmp(name, "$Entities") == 0 && file->fourth)
    error = read_entities(file);
  else if (strcmp(name, "$Nodes") == 0)
    error = file->fourth ? read_blocks(file, read_node_block) : read_old_nodes(file);
  else if (strcmp(name, "$Elements") == 0)
    error = file->fourth ? read_blocks(file, read_element_block) : read_old_elements(file);
  else
    error = skip_to_end(file, end);
  if (error != THUD_OK) return error;
  error = thud_gmsh_word(&file->in, word, sizeof word);
  if (error == THUD_OK && strcmp(word, end) != 0)
    error = thud_gmsh_fail(&file->in, "%s is expected here: a count of this section is wrong", end);
  return error;
}
