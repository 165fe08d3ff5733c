/* What Gmsh's files hold, formats 2.2 and 4.1. */
#include "mesh/gmsh.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- words and numbers ------------------------------------------------------------------------------------------- */

thud_error thud_gmsh_fail(const gmsh_cursor *in, const char *format, ...) {
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
  if (length == 0) return thud_gmsh_fail(in, "the file ends here, in the middle of a section");
  if (length >= capacity) return thud_gmsh_fail(in, "a word of %zu bytes", length);
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
  if (in->size - in->at < count) return thud_gmsh_fail(in, "the file ends in the middle of a section");
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
  if (*end != '\0' || end == word || strlen(word) > 18) return thud_gmsh_fail(in, "'%s' is no whole number", word);
  *value = number;
  return THUD_OK;
}

static thud_error gmsh_real(gmsh_cursor *in, double *value) {
  char word[64];
  thud_error error = in->binary ? take_bytes(in, value, sizeof *value) : gmsh_word(in, word, sizeof word);
  if (error != THUD_OK) return error;
  if (in->binary ? !isfinite(*value) : !thud_parse_double(word, value))
    return thud_gmsh_fail(in, "'%s' is no finite number", in->binary ? "a coordinate" : word);
  return THUD_OK;
}

/* A number of things of which each needs `least` bytes at least. */
static thud_error gmsh_count(gmsh_cursor *in, bool wide, size_t least, size_t *count) {
  int64_t value = 0;
  thud_error error = gmsh_integer(in, wide, &value);
  if (error != THUD_OK) return error;
  if (value < 0 || (uint64_t)value > (in->size - in->at) / least + 1)
    return thud_gmsh_fail(in, "a count of %lld, for which the file is too short", (long long)value);
  *count = (size_t)value;
  return THUD_OK;
}

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
    return thud_gmsh_fail(&file->in, "format %s; 2.2 and 4.1 are read (gmsh -format msh41)", version);
  if (size != 8 || binary < 0 || binary > 1)
    return thud_gmsh_fail(&file->in, "file type %lld with numbers of %lld bytes; 0 or 1 with 8 are read",
                          (long long)binary, (long long)size);
  gmsh_end_line(&file->in);
  if (binary == 0) return THUD_OK;
  file->in.binary = true;
  enter(file);
  error = gmsh_integer(&file->in, false, &one);
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
  thud_error error = gmsh_count(in, false, 6, &count);
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    gmsh_group group = {0};
    error = gmsh_integer(in, false, &group.dimension);
    if (error == THUD_OK) error = gmsh_integer(in, false, &group.tag);
    if (error != THUD_OK) break;
    size_t start = in->at;
    gmsh_end_line(in);
    const char *open = memchr(in->bytes + start, '"', in->at - start);
    const char *close = open != NULL ? memchr(open + 1, '"', (size_t)(in->bytes + in->at - open - 1)) : NULL;
    if (close == NULL || close == open + 1 || (size_t)(close - open) > sizeof group.name)
      error = thud_gmsh_fail(in, "a physical group without a name in \"\", or with one of more than %zu bytes",
                             sizeof group.name - 1);
    else
      memcpy(group.name, open + 1, (size_t)(close - open - 1));
    if (error == THUD_OK && (file->solid || group.dimension == 1)) error = KEEP(file, group, group);
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
  gmsh_member entity = {.dimension = dimension};
  size_t count = 0;
  double number;
  thud_error error = gmsh_integer(in, false, &entity.tag);
  for (int k = 0; k < (dimension == 0 ? 3 : 6) && error == THUD_OK; k++) error = gmsh_real(in, &number);
  if (error == THUD_OK) error = gmsh_count(in, true, 1, &count);
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    error = gmsh_integer(in, false, &entity.group);
    if (error == THUD_OK && (file->solid || dimension == 1)) error = KEEP(file, member, entity);
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
  if (error == THUD_OK && head[2] != 0) error = thud_gmsh_fail(in, "nodes with parameters are not read");
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    gmsh_node node = {.index = -1};
    error = gmsh_integer(in, true, &node.tag);
    if (error == THUD_OK) error = KEEP(file, node, node);
  }
  for (size_t k = 0; k < count && error == THUD_OK; k++) error = read_place(in, &file->nodes[first + k]);
  return error;
}

/* ---- elements ---------------------------------------------------------------------------------------------------- */

static const struct {
  int64_t type;
  int nodes, dimension;
} types[] = {{GMSH_LINE, 2, 1},      {GMSH_TRIANGLE, 3, 2},       {GMSH_TETRAHEDRON, 4, 3}, {GMSH_LINE3, 3, 1},
             {GMSH_TRIANGLE6, 6, 2}, {GMSH_TETRAHEDRON10, 10, 3}, {GMSH_POINT, 1, 0}};

static int place_of(int64_t type) {
  int k = (int)(sizeof types / sizeof *types);
  while (k-- > 0 && types[k].type != type) {
  }
  return k;
}

int thud_gmsh_corners(int64_t type) {
  int k = place_of(type);
  return k < 0 ? 0 : types[k].nodes;
}

/* Whether elements of a type are read at all. */
static bool is_read(const gmsh_file *file, int64_t type) {
  return file->solid ? place_of(type) >= 0 : type == GMSH_POINT || type == GMSH_LINE || type == GMSH_TRIANGLE;
}

static thud_error refuse_type(const gmsh_file *file, int64_t type) {
  if (file->solid)
    return thud_gmsh_fail(
        &file->in,
        "elements of type %lld; points (15), lines (1, 8), triangles (2, 9) and tetrahedra (4, 11) of "
        "first and second order are read",
        (long long)type);
  return thud_gmsh_fail(&file->in, "elements of type %lld; lines (1), triangles (2) and points (15) are read",
                        (long long)type);
}

static thud_error read_corners(gmsh_file *file, int64_t type, bool wide, gmsh_element *element) {
  thud_error error = THUD_OK;
  element->type = (int)type;
  element->line = file->in.binary ? file->in.at : file->in.line;
  for (int c = 0; c < thud_gmsh_corners(type) && error == THUD_OK; c++)
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

/* What is smaller than the mesh's elements is there for its group. */
static thud_error keep_element(gmsh_file *file, gmsh_element element) {
  int dimension = types[place_of(element.type)].dimension;
  if (dimension == 3) return KEEP(file, tetrahedron, element);
  if (dimension == 2) return KEEP(file, triangle, element);
  if (element.group == 0) return THUD_OK;
  if (dimension == 1) return KEEP(file, line, element);
  return file->solid ? KEEP(file, point, element) : THUD_OK;
}

static const gmsh_element no_nodes = {.node = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1}};

static thud_error read_old_element(gmsh_file *file, int64_t type, size_t tags) {
  gmsh_element element = no_nodes;
  thud_error error = read_tags(file, tags, &element);
  if (error == THUD_OK) error = read_corners(file, type, false, &element);
  return error == THUD_OK ? keep_element(file, element) : error;
}

static thud_error read_text_elements(gmsh_file *file, size_t count) {
  thud_error error = THUD_OK;
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    int64_t tag = 0, type = 0;
    size_t tags = 0;
    error = gmsh_integer(&file->in, false, &tag);
    if (error == THUD_OK) error = gmsh_integer(&file->in, false, &type);
    if (error == THUD_OK && !is_read(file, type)) error = refuse_type(file, type);
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
    if (error == THUD_OK && !is_read(file, type)) error = refuse_type(file, type);
    if (error == THUD_OK) error = gmsh_count(&file->in, false, 4, &some);
    if (error == THUD_OK) error = gmsh_count(&file->in, false, 1, &tags);
    if (error == THUD_OK && (some == 0 || some > count))
      error = thud_gmsh_fail(&file->in, "a block of %zu elements where %zu are left", some, count);
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

/* An element of 4.1 is in the groups of its entity: once for each, but elements of the mesh in the first one only. */
static thud_error keep_in_groups(gmsh_file *file, int64_t entity, gmsh_element element) {
  int dimension = types[place_of(element.type)].dimension;
  bool any = false;
  thud_error error = THUD_OK;
  for (size_t k = 0; k < file->member_count && error == THUD_OK; k++) {
    if (file->members[k].tag != entity || file->members[k].dimension != dimension) continue;
    element.group = file->members[k].group;
    error = keep_element(file, element);
    any = true;
  }
  return any || error != THUD_OK ? error : keep_element(file, element);
}

static thud_error read_element_block(gmsh_file *file) {
  int64_t head[3] = {0}, tag;
  size_t count = 0;
  thud_error error = THUD_OK;
  for (int k = 0; k < 3 && error == THUD_OK; k++) error = gmsh_integer(&file->in, false, &head[k]);
  if (error == THUD_OK && !is_read(file, head[2])) error = refuse_type(file, head[2]);
  if (error == THUD_OK) error = gmsh_count(&file->in, true, 4, &count);
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    gmsh_element element = no_nodes;
    error = gmsh_integer(&file->in, true, &tag);
    if (error == THUD_OK) error = read_corners(file, head[2], true, &element);
    if (error == THUD_OK) error = keep_in_groups(file, head[1], element);
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
  return thud_gmsh_fail(&file->in, "there is no %s", end);
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
    error = thud_gmsh_fail(&file->in, "%s is expected here: a count of this section is wrong", end);
  return error;
}

/* ---- the whole file ---------------------------------------------------------------------------------------------- */

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
      error = thud_gmsh_fail(&file->in, "%s, not '%.40s'",
                             any ? "a section is expected" : "a mesh of Gmsh begins with $MeshFormat", word);
    else
      error = gmsh_read_section(file, word);
    any = true;
  }
  if (error == THUD_OK && file->triangle_count == 0 && file->tetrahedron_count == 0)
    error =
        thud_gmsh_fail(&file->in, file->solid ? "there are no triangles and no tetrahedra" : "there are no triangles");
  return error;
}

static thud_error sort_nodes(gmsh_file *file) {
  qsort(file->nodes, file->node_count, sizeof *file->nodes, compare_tags);
  for (size_t k = 1; k < file->node_count; k++)
    if (file->nodes[k].tag == file->nodes[k - 1].tag)
      return thud_gmsh_fail(&file->in, "node %" PRId64 " is there twice", file->nodes[k].tag);
  return THUD_OK;
}

gmsh_node *thud_gmsh_find_node(const gmsh_file *file, int64_t tag) {
  const gmsh_node key = {.tag = tag};
  return file->node_count > 0 ? bsearch(&key, file->nodes, file->node_count, sizeof key, compare_tags) : NULL;
}

size_t thud_gmsh_find_group(gmsh_file *file, int64_t dimension, int64_t tag) {
  size_t k = 0;
  while (k < file->group_count && (file->groups[k].tag != tag || file->groups[k].dimension != dimension)) k++;
  if (k < file->group_count) return k;
  if (thud_array_reserve(file->in.context, &file->groups, &file->group_room, k + 1, sizeof *file->groups) != THUD_OK)
    return SIZE_MAX;
  file->groups[file->group_count++] = (gmsh_group){.dimension = dimension, .tag = tag};
  snprintf(file->groups[k].name, sizeof file->groups[k].name, "%" PRId64, tag);
  return k;
}

thud_error thud_gmsh_read(gmsh_file *file) {
  thud_error error = read_sections(file);
  return error == THUD_OK ? sort_nodes(file) : error;
}

void thud_gmsh_free(gmsh_file *file) {
  void *const arrays[] = {file->nodes,        file->points, file->lines,  file->triangles,
                          file->tetrahedrons, file->groups, file->members};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(file->in.context, arrays[k]);
}
