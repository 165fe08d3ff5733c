/* Meshes from Gmsh's files, formats 2.2 and 4.1, and into them. */
#include "base/base.h"
#include "base/json.h"
#include "mesh/triangle_mesh.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what a file holds ------------------------------------------------------------------------------------------- */

/* Where reading is. Numbers are words of text, or bytes of the machine in binary sections. */
typedef struct gmsh_cursor {
  thud_context *context;
  const char *name, *bytes;
  size_t size, at, line;
  bool binary;
} gmsh_cursor;

typedef struct gmsh_node {
  int64_t tag;
  double x, y, z;
  thud_index index; /* in the mesh, -1: not used yet */
} gmsh_node;

typedef struct gmsh_element { /* lines and triangles */
  int64_t node[3];            /* tags; a line has two, then -1 */
  int64_t group;              /* physical tag of a line, 0: none */
  size_t line;                /* of the file, for messages */
} gmsh_element;

/* Names of physical groups of lines, and the groups of curves (format 4.1). */
typedef struct gmsh_group {
  int64_t tag;
  char name[128];
} gmsh_group;
typedef struct gmsh_curve {
  int64_t tag, group;
} gmsh_curve;

typedef struct gmsh_file {
  gmsh_cursor in;
  bool fourth; /* format 4.1 */
  gmsh_node *nodes;
  gmsh_element *triangles, *lines;
  gmsh_group *groups;
  gmsh_curve *curves;
  size_t node_count, triangle_count, line_count, group_count, curve_count;
  size_t node_room, triangle_room, line_room, group_room, curve_room;
} gmsh_file;

/* ---- words and numbers ------------------------------------------------------------------------------------------- */

/* THUD_ERROR_FORMAT with "name, line 7: " (binary: "byte 123") in front. */
static thud_error gmsh_fail(const gmsh_cursor *in, const char *format, ...) THUD_PRINTF(2, 3);
static thud_error gmsh_fail(const gmsh_cursor *in, const char *format, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return thud_fail(in->context, THUD_ERROR_FORMAT, "[bad-mesh-file] %s, %s %zu: %s", in->name,
                   in->binary ? "byte" : "line", in->binary ? in->at : in->line, text);
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/* The next word of text. */
static thud_error gmsh_word(gmsh_cursor *in, char *word, size_t capacity) {
  size_t length = 0;
  for (; in->at < in->size && is_blank(in->bytes[in->at]); in->at++) in->line += in->bytes[in->at] == '\n';
  while (in->at + length < in->size && !is_blank(in->bytes[in->at + length])) length++;
  if (length == 0) return gmsh_fail(in, "the file ends here, in the middle of a section");
  if (length >= capacity) return gmsh_fail(in, "a word of %zu bytes", length);
  memcpy(word, in->bytes + in->at, length);
  word[length] = '\0';
  in->at += length;
  return THUD_OK;
}

/* Passes the rest of the line. */
static void gmsh_end_line(gmsh_cursor *in) {
  while (in->at < in->size && in->bytes[in->at] != '\n') in->at++;
}

static thud_error take_bytes(gmsh_cursor *in, void *to, size_t count) {
  if (in->size - in->at < count) return gmsh_fail(in, "the file ends in the middle of a section");
  memcpy(to, in->bytes + in->at, count);
  in->at += count;
  return THUD_OK;
}

/* wide: 8 bytes in binary files, otherwise 4. */
static thud_error gmsh_integer(gmsh_cursor *in, bool wide, int64_t *value) {
  char word[64], *end;
  int32_t narrow = 0;
  if (in->binary && wide) return take_bytes(in, value, sizeof *value);
  thud_error error = in->binary ? take_bytes(in, &narrow, sizeof narrow) : gmsh_word(in, word, sizeof word);
  if (error != THUD_OK) return error;
  *value = narrow;
  if (in->binary) return THUD_OK;
  long long number = strtoll(word, &end, 10);
  if (*end != '\0' || end == word || strlen(word) > 18) return gmsh_fail(in, "'%s' is no whole number", word);
  *value = number;
  return THUD_OK;
}

static thud_error gmsh_real(gmsh_cursor *in, double *value) {
  char word[64];
  thud_error error = in->binary ? take_bytes(in, value, sizeof *value) : gmsh_word(in, word, sizeof word);
  if (error != THUD_OK) return error;
  if (in->binary ? !isfinite(*value) : !thud_parse_double(word, value))
    return gmsh_fail(in, "'%s' is no finite number", in->binary ? "a coordinate" : word);
  return THUD_OK;
}

/* A number of things of which each needs `least` bytes at least. */
static thud_error gmsh_count(gmsh_cursor *in, bool wide, size_t least, size_t *count) {
  int64_t value = 0;
  thud_error error = gmsh_integer(in, wide, &value);
  if (error != THUD_OK) return error;
  if (value < 0 || (uint64_t)value > (in->size - in->at) / least + 1)
    return gmsh_fail(in, "a count of %lld, for which the file is too short", (long long)value);
  *count = (size_t)value;
  return THUD_OK;
}

enum { LINE = 1, TRIANGLE = 2, POINT = 15 };

#define KEEP(file, list, item)                                                                                         \
  (thud_array_reserve((file)->in.context, &(file)->list##s, &(file)->list##_room, (file)->list##_count + 1,            \
                      sizeof *(file)->list##s) == THUD_OK                                                              \
       ? ((file)->list##s[(file)->list##_count++] = (item), THUD_OK)                                                   \
       : THUD_ERROR_MEMORY)

/* ---- sections: format and names ---------------------------------------------------------------------------------- */

/* Bytes begin behind the end of the line. */
static void enter(gmsh_file *file) {
  if (!file->in.binary) return;
  gmsh_end_line(&file->in);
  file->in.at += file->in.at < file->in.size;
}

static thud_error read_format(gmsh_file *file) {
  char version[32];
  int64_t binary = 0, size = 0, one = 0;
  thud_error error = gmsh_word(&file->in, version, sizeof version);
  if (error == THUD_OK) error = gmsh_integer(&file->in, false, &binary);
  if (error == THUD_OK) error = gmsh_integer(&file->in, false, &size);
  if (error != THUD_OK) return error;
  file->fourth = strcmp(version, "4.1") == 0;
  if (!file->fourth && strcmp(version, "2.2") != 0)
    return gmsh_fail(&file->in, "format %s; 2.2 and 4.1 are read (gmsh -format msh41)", version);
  if (size != 8 || binary < 0 || binary > 1)
    return gmsh_fail(&file->in, "file type %lld with numbers of %lld bytes; 0 or 1 with 8 are read", (long long)binary,
                     (long long)size);
  gmsh_end_line(&file->in);
  if (binary == 0) return THUD_OK;
  file->in.binary = true;
  enter(file);
  error = gmsh_integer(&file->in, false, &one);
  if (error == THUD_OK && one != 1) error = gmsh_fail(&file->in, "the bytes of numbers are in another machine's order");
  return error;
}

/* dimension tag "name": text in binary files, too. */
static thud_error read_names(gmsh_file *file) {
  gmsh_cursor *in = &file->in;
  bool binary = in->binary;
  size_t count = 0;
  in->binary = false;
  thud_error error = gmsh_count(in, false, 6, &count);
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    int64_t dimension = 0;
    gmsh_group group = {0};
    error = gmsh_integer(in, false, &dimension);
    if (error == THUD_OK) error = gmsh_integer(in, false, &group.tag);
    if (error != THUD_OK) break;
    size_t start = in->at;
    gmsh_end_line(in);
    const char *open = memchr(in->bytes + start, '"', in->at - start);
    const char *close = open != NULL ? memchr(open + 1, '"', (size_t)(in->bytes + in->at - open - 1)) : NULL;
    if (close == NULL || close == open + 1 || (size_t)(close - open) > sizeof group.name)
      error = gmsh_fail(in, "a physical group without a name in \"\", or with one of more than %zu bytes",
                        sizeof group.name - 1);
    else
      memcpy(group.name, open + 1, (size_t)(close - open - 1));
    if (error == THUD_OK && dimension == 1) error = KEEP(file, group, group);
  }
  in->binary = binary;
  return error;
}

/* ---- entities of 4.1 --------------------------------------------------------------------------------------------- */

static thud_error skip_integers(gmsh_cursor *in, size_t count) {
  int64_t value;
  thud_error error = THUD_OK;
  for (size_t k = 0; k < count && error == THUD_OK; k++) error = gmsh_integer(in, false, &value);
  return error;
}

static thud_error read_entity(gmsh_file *file, int dimension) {
  gmsh_cursor *in = &file->in;
  gmsh_curve curve = {0};
  size_t count = 0;
  double number;
  thud_error error = gmsh_integer(in, false, &curve.tag);
  for (int k = 0; k < (dimension == 0 ? 3 : 6) && error == THUD_OK; k++) error = gmsh_real(in, &number);
  if (error == THUD_OK) error = gmsh_count(in, true, 1, &count);
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    error = gmsh_integer(in, false, &curve.group);
    if (error == THUD_OK && dimension == 1) error = KEEP(file, curve, curve);
  }
  if (error != THUD_OK || dimension == 0) return error;
  error = gmsh_count(in, true, 1, &count);
  return error == THUD_OK ? skip_integers(in, count) : error;
}

static thud_error read_entities(gmsh_file *file) {
  size_t count[4] = {0};
  thud_error error = THUD_OK;
  enter(file);
  for (int d = 0; d < 4 && error == THUD_OK; d++) error = gmsh_count(&file->in, true, 4, &count[d]);
  for (int d = 0; d < 4; d++)
    for (size_t k = 0; k < count[d] && error == THUD_OK; k++) error = read_entity(file, d);
  return error;
}

/* ---- nodes ------------------------------------------------------------------------------------------------------- */

static thud_error read_place(gmsh_cursor *in, gmsh_node *node) {
  thud_error error = gmsh_real(in, &node->x);
  if (error == THUD_OK) error = gmsh_real(in, &node->y);
  return error == THUD_OK ? gmsh_real(in, &node->z) : error;
}

static thud_error read_old_nodes(gmsh_file *file) {
  size_t count = 0;
  bool binary = file->in.binary;
  file->in.binary = false; /* the count is text */
  thud_error error = gmsh_count(&file->in, false, 8, &count);
  file->in.binary = binary;
  enter(file);
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    gmsh_node node = {.index = -1};
    error = gmsh_integer(&file->in, false, &node.tag);
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
  for (int k = 0; k < 3 && error == THUD_OK; k++) error = gmsh_integer(in, false, &head[k]);
  if (error == THUD_OK) error = gmsh_count(in, true, 8, &count);
  if (error == THUD_OK && head[2] != 0) error = gmsh_fail(in, "nodes with parameters are not read");
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    gmsh_node node = {.index = -1};
    error = gmsh_integer(in, true, &node.tag);
    if (error == THUD_OK) error = KEEP(file, node, node);
  }
  for (size_t k = 0; k < count && error == THUD_OK; k++) error = read_place(in, &file->nodes[first + k]);
  return error;
}

/* ---- elements ---------------------------------------------------------------------------------------------------- */

static int corners_of(int64_t type) { return type == POINT ? 1 : type == LINE ? 2 : type == TRIANGLE ? 3 : 0; }

static thud_error refuse_type(const gmsh_cursor *in, int64_t type) {
  return gmsh_fail(in, "elements of type %lld; lines (1), triangles (2) and points (15) are read", (long long)type);
}

static thud_error read_corners(gmsh_file *file, int64_t type, bool wide, gmsh_element *element) {
  thud_error error = THUD_OK;
  element->line = file->in.binary ? file->in.at : file->in.line;
  for (int c = 0; c < corners_of(type) && error == THUD_OK; c++)
    error = gmsh_integer(&file->in, wide, &element->node[c]);
  return error;
}

/* Tags of one element of 2.2: the first is the physical group. */
static thud_error read_tags(gmsh_file *file, size_t count, gmsh_element *element) {
  thud_error error = THUD_OK;
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    int64_t tag = 0;
    error = gmsh_integer(&file->in, false, &tag);
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
    error = gmsh_integer(&file->in, false, &tag);
    if (error == THUD_OK) error = gmsh_integer(&file->in, false, &type);
    if (error == THUD_OK && corners_of(type) == 0) error = refuse_type(&file->in, type);
    if (error == THUD_OK) error = gmsh_count(&file->in, false, 1, &tags);
    if (error == THUD_OK) error = read_old_element(file, type, tags);
  }
  return error;
}

static thud_error read_binary_elements(gmsh_file *file, size_t count) {
  thud_error error = THUD_OK;
  while (count > 0 && error == THUD_OK) {
    int64_t type = 0, tag;
    size_t some = 0, tags = 0;
    error = gmsh_integer(&file->in, false, &type);
    if (error == THUD_OK && corners_of(type) == 0) error = refuse_type(&file->in, type);
    if (error == THUD_OK) error = gmsh_count(&file->in, false, 4, &some);
    if (error == THUD_OK) error = gmsh_count(&file->in, false, 1, &tags);
    if (error == THUD_OK && (some == 0 || some > count))
      error = gmsh_fail(&file->in, "a block of %zu elements where %zu are left", some, count);
    for (size_t k = 0; k < some && error == THUD_OK; k++) {
      error = gmsh_integer(&file->in, false, &tag);
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
  thud_error error = gmsh_count(&file->in, false, 4, &count);
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
  for (int k = 0; k < 3 && error == THUD_OK; k++) error = gmsh_integer(&file->in, false, &head[k]);
  if (error == THUD_OK && corners_of(head[2]) == 0) error = refuse_type(&file->in, head[2]);
  if (error == THUD_OK) error = gmsh_count(&file->in, true, 4, &count);
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    gmsh_element element = {.node = {-1, -1, -1}};
    error = gmsh_integer(&file->in, true, &tag);
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
  thud_error error = gmsh_count(&file->in, true, 4, &blocks);
  for (int k = 0; k < 3 && error == THUD_OK; k++) error = gmsh_integer(&file->in, true, &number);
  for (size_t k = 0; k < blocks && error == THUD_OK; k++) error = read(file);
  return error;
}

/* ---- any section ------------------------------------------------------------------------------------------------- */

static thud_error skip_to_end(gmsh_file *file, const char *end) {
  size_t length = strlen(end);
  for (; file->in.size - file->in.at >= length; file->in.at++) {
    if (memcmp(file->in.bytes + file->in.at, end, length) == 0) return THUD_OK;
    file->in.line += file->in.bytes[file->in.at] == '\n';
  }
  return gmsh_fail(&file->in, "there is no %s", end);
}

/* Reads one section after its name. */
static thud_error gmsh_read_section(gmsh_file *file, const char *name) {
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
  error = gmsh_word(&file->in, word, sizeof word);
  if (error == THUD_OK && strcmp(word, end) != 0)
    error = gmsh_fail(&file->in, "%s is expected here: a count of this section is wrong", end);
  return error;
}

/* ---- from a file to a mesh --------------------------------------------------------------------------------------- */

static int compare_tags(const void *p, const void *q) {
  const gmsh_node *a = p, *b = q;
  return (a->tag > b->tag) - (a->tag < b->tag);
}

static thud_error read_sections(gmsh_file *file) {
  char word[80];
  bool any = false;
  thud_error error = THUD_OK;
  while (error == THUD_OK) {
    size_t at = file->in.at;
    while (at < file->in.size && strchr(" \t\r\n", file->in.bytes[at]) != NULL && file->in.bytes[at] != '\0') at++;
    if (at == file->in.size) break;
    error = gmsh_word(&file->in, word, sizeof word);
    if (error != THUD_OK) break;
    if (word[0] != '$' || (!any && strcmp(word, "$MeshFormat") != 0))
      error = gmsh_fail(&file->in, "%s, not '%.40s'",
                        any ? "a section is expected" : "a mesh of Gmsh begins with $MeshFormat", word);
    else
      error = gmsh_read_section(file, word);
    any = true;
  }
  if (error == THUD_OK && file->triangle_count == 0) error = gmsh_fail(&file->in, "there are no triangles");
  return error;
}

static thud_error sort_nodes(gmsh_file *file) {
  qsort(file->nodes, file->node_count, sizeof *file->nodes, compare_tags);
  for (size_t k = 1; k < file->node_count; k++)
    if (file->nodes[k].tag == file->nodes[k - 1].tag)
      return gmsh_fail(&file->in, "node %" PRId64 " is there twice", file->nodes[k].tag);
  return THUD_OK;
}

static gmsh_node *find_node(const gmsh_file *file, int64_t tag) {
  const gmsh_node key = {.tag = tag};
  return file->node_count > 0 ? bsearch(&key, file->nodes, file->node_count, sizeof key, compare_tags) : NULL;
}

/* Arrays of the mesh. */
typedef struct gmsh_arrays {
  double *xy;
  thud_index *triangle, *edge, *group;
  const char **names;
  thud_index nodes, edges;
} gmsh_arrays;

/* Nodes of triangles are numbered in the order of their tags. */
static thud_error take_triangles(gmsh_file *file, gmsh_arrays *made) {
  double z = 0;
  for (size_t k = 0; k < 3 * file->triangle_count; k++) {
    const gmsh_element *element = &file->triangles[k / 3];
    gmsh_node *node = find_node(file, element->node[k % 3]);
    file->in.line = element->line;
    if (node == NULL) return gmsh_fail(&file->in, "there is no node %" PRId64, element->node[k % 3]);
    if (k == 0) z = node->z;
    if (node->z != z)
      return gmsh_fail(&file->in, "node %" PRId64 " is at z = %g, others at %g: the mesh is not plane", node->tag,
                       node->z, z);
    node->index = 0;
  }
  for (size_t k = 0; k < file->node_count; k++) {
    gmsh_node *node = &file->nodes[k];
    if (node->index < 0) continue;
    node->index = made->nodes++;
    made->xy[2 * (ptrdiff_t)node->index] = node->x;
    made->xy[2 * (ptrdiff_t)node->index + 1] = node->y;
  }
  for (size_t k = 0; k < 3 * file->triangle_count; k++)
    made->triangle[k] = find_node(file, file->triangles[k / 3].node[k % 3])->index;
  return THUD_OK;
}

static size_t find_group(gmsh_file *file, int64_t tag) {
  size_t k = 0;
  while (k < file->group_count && file->groups[k].tag != tag) k++;
  return k;
}

static thud_error take_lines(gmsh_file *file, gmsh_arrays *made) {
  for (size_t k = 0; k < file->line_count; k++) {
    const gmsh_element *line = &file->lines[k];
    size_t group = find_group(file, line->group);
    file->in.line = line->line;
    if (group == file->group_count) {
      thud_error error =
          thud_array_reserve(file->in.context, &file->groups, &file->group_room, group + 1, sizeof *file->groups);
      if (error != THUD_OK) return error;
      file->groups[file->group_count++] = (gmsh_group){.tag = line->group};
      snprintf(file->groups[group].name, sizeof file->groups[group].name, "%" PRId64, line->group);
    }
    for (int e = 0; e < 2; e++) {
      const gmsh_node *node = find_node(file, line->node[e]);
      if (node == NULL || node->index < 0)
        return gmsh_fail(&file->in, "the line has the node %" PRId64 ", which no triangle has", line->node[e]);
      made->edge[2 * k + (size_t)e] = node->index;
    }
    made->group[k] = (thud_index)group;
  }
  made->edges = (thud_index)file->line_count;
  return THUD_OK;
}

static thud_error make_mesh(gmsh_file *file, gmsh_arrays *made, thud_mesh **mesh) {
  thud_context *context = file->in.context;
  if (file->triangle_count > INT32_MAX / 8 || file->node_count > INT32_MAX / 8 || file->line_count > INT32_MAX / 8)
    return gmsh_fail(&file->in, "the mesh is too large");
  made->xy = THUD_NEW_ARRAY(context, double, 2 * file->node_count);
  made->triangle = THUD_NEW_ARRAY(context, thud_index, 3 * file->triangle_count);
  made->edge = THUD_NEW_ARRAY(context, thud_index, 2 * file->line_count);
  made->group = THUD_NEW_ARRAY(context, thud_index, file->line_count);
  if (made->xy == NULL || made->triangle == NULL || made->edge == NULL || made->group == NULL) return THUD_ERROR_MEMORY;
  thud_error error = take_triangles(file, made);
  if (error == THUD_OK) error = take_lines(file, made);
  if (error != THUD_OK) return error;
  made->names = THUD_NEW_ARRAY(context, const char *, file->group_count);
  if (made->names == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < file->group_count; k++) made->names[k] = file->groups[k].name;
  const thud_mesh_definition definition = {.nodes = made->nodes,
                                           .xy = made->xy,
                                           .triangles = (thud_index)file->triangle_count,
                                           .triangle = made->triangle,
                                           .edges = made->edges,
                                           .edge = made->edge,
                                           .edge_group = made->group,
                                           .groups = (thud_index)file->group_count,
                                           .group_names = made->names};
  error = thud_mesh_create(context, &definition, mesh);
  if (error == THUD_OK || error == THUD_ERROR_MEMORY) return error;
  return thud_fail_within(context, THUD_ERROR_FORMAT, "%s", file->in.name);
}

thud_error thud_mesh_read_gmsh(thud_context *context, const char *name, const char *bytes, size_t size,
                               thud_mesh **mesh) {
  THUD_REQUIRE(context, context, name, size == 0 || bytes, mesh);
  gmsh_file file = {.in = {.context = context, .name = name, .bytes = bytes, .size = size, .line = 1}};
  gmsh_arrays made = {0};
  thud_error error = read_sections(&file);
  if (error == THUD_OK) error = sort_nodes(&file);
  if (error == THUD_OK) error = make_mesh(&file, &made, mesh);
  void *const arrays[] = {file.nodes, file.triangles, file.lines, file.groups, file.curves,
                          made.xy,    made.triangle,  made.edge,  made.group,  (void *)made.names};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(context, arrays[k]);
  return error;
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

static void write_nodes(const thud_mesh *mesh, thud_text *text) {
  char x[THUD_DOUBLE_CAPACITY], y[THUD_DOUBLE_CAPACITY];
  thud_text_print(text, "$Nodes\n%td\n", (ptrdiff_t)mesh->nodes);
  for (thud_index i = 0; i < mesh->nodes; i++) {
    thud_format_double(mesh->xy[2 * (ptrdiff_t)i], x, sizeof x);
    thud_format_double(mesh->xy[2 * (ptrdiff_t)i + 1], y, sizeof y);
    thud_text_print(text, "%td %s %s 0\n", (ptrdiff_t)i + 1, x, y);
  }
  thud_text_print(text, "$EndNodes\n");
}

thud_error thud_mesh_write_gmsh(const thud_mesh *mesh, char **text) {
  THUD_REQUIRE_OF(mesh, text);
  thud_text made = thud_text_new(mesh->context);
  ptrdiff_t number = 1;
  thud_text_print(&made, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n%td\n", (ptrdiff_t)mesh->groups);
  for (thud_index k = 0; k < mesh->groups; k++)
    thud_text_print(&made, "1 %td \"%s\"\n", (ptrdiff_t)k + 1, mesh->group_names[k]);
  thud_text_print(&made, "$EndPhysicalNames\n");
  write_nodes(mesh, &made);
  thud_text_print(&made, "$Elements\n%td\n", (ptrdiff_t)mesh->edges + mesh->triangles);
  for (thud_index k = 0; k < mesh->edges; k++)
    thud_text_print(&made, "%td 1 2 %td 1 %td %td\n", number++, (ptrdiff_t)mesh->edge_group[k] + 1,
                    (ptrdiff_t)mesh->edge[2 * (ptrdiff_t)k] + 1, (ptrdiff_t)mesh->edge[2 * (ptrdiff_t)k + 1] + 1);
  for (thud_index t = 0; t < mesh->triangles; t++) {
    const thud_index *corner = mesh->triangle + 3 * (ptrdiff_t)t;
    thud_text_print(&made, "%td 2 2 0 1 %td %td %td\n", number++, (ptrdiff_t)corner[0] + 1, (ptrdiff_t)corner[1] + 1,
                    (ptrdiff_t)corner[2] + 1);
  }
  thud_text_print(&made, "$EndElements\n");
  if (made.error == THUD_OK) *text = thud_strdup(mesh->context, thud_text_chars(&made));
  thud_error error = made.error != THUD_OK ? made.error : *text == NULL ? THUD_ERROR_MEMORY : THUD_OK;
  thud_text_free(&made);
  return error;
}

void thud_mesh_free_text(const thud_mesh *mesh, char *text) {
  THUD_REQUIRE_OR(, mesh);
  thud_free(mesh->context, text);
}
