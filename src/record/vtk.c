/* Fields on meshes as .vtu files: XML with arrays in base64, each behind its length in bytes. */
#include "record/vtk.h"
#include "base/base.h"
#include "record/base64.h"
#include "record/csv.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

static void put_letters(void *stream, const char letters[4]) { fwrite(letters, 1, 4, stream); }

/* ---- arrays ------------------------------------------------------------------------------------------------------------ */

void thud_vtk_write_text(FILE *stream, const char *text) {
  for (; *text != '\0'; text++) {
    switch (*text) {
    case '&': fputs("&amp;", stream); break;
    case '<': fputs("&lt;", stream); break;
    case '>': fputs("&gt;", stream); break;
    case '"': fputs("&quot;", stream); break;
    default: fputc(*text, stream);
    }
  }
}

/* The bytes of an array begin with their number; close_array ends what follows. */
static thud_base64 open_bytes(FILE *stream, size_t bytes) {
  thud_base64 out = {.put = put_letters, .user = stream};
  uint64_t length = bytes;
  thud_base64_add(&out, &length, sizeof length);
  return out;
}

/* The opening tag and the length. */
static thud_base64 open_array(FILE *stream, const char *type, const char *name, size_t width, size_t bytes) {
  fprintf(stream, "        <DataArray type=\"%s\" Name=\"", type);
  thud_vtk_write_text(stream, name);
  fprintf(stream, "\" NumberOfComponents=\"%zu\" format=\"binary\">\n", width);
  return open_bytes(stream, bytes);
}

static void close_array(thud_base64 *out) {
  thud_base64_end(out);
  fputs("\n        </DataArray>\n", out->user);
}

static void put_reals(FILE *stream, const thud_vtk_field *field, size_t count) {
  size_t bytes = field->width * count * sizeof(double);
  thud_base64 out = open_array(stream, "Float64", field->name, field->width, bytes);
  thud_base64_add(&out, field->values, bytes);
  close_array(&out);
}

static void put_integers(FILE *stream, const char *name, size_t count, const size_t *values) {
  thud_base64 out = open_array(stream, "Int64", name, 1, count * sizeof(int64_t));
  for (size_t k = 0; k < count; k++) {
    int64_t value = (int64_t)values[k];
    thud_base64_add(&out, &value, sizeof value);
  }
  close_array(&out);
}

static void put_types(FILE *stream, const thud_vtk_mesh *mesh) {
  thud_base64 out = open_array(stream, "UInt8", "types", 1, mesh->cells);
  thud_base64_add(&out, mesh->types, mesh->cells);
  close_array(&out);
}

/* Texts of the whole file, each with its final 0. */
static void put_texts(FILE *stream, size_t count, const char *const *texts) {
  size_t bytes = 0;
  for (size_t k = 0; k < count; k++) bytes += strlen(texts[k]) + 1;
  fprintf(stream,
          "    <FieldData>\n        <Array type=\"String\" Name=\"names\" NumberOfTuples=\"%zu\" format=\"binary\">\n",
          count);
  thud_base64 out = open_bytes(stream, bytes);
  for (size_t k = 0; k < count; k++) thud_base64_add(&out, texts[k], strlen(texts[k]) + 1);
  thud_base64_end(&out);
  fputs("\n        </Array>\n    </FieldData>\n", stream);
}

/* ---- one state ----------------------------------------------------------------------------------------------------------- */

static size_t corner_count(const thud_vtk_mesh *mesh) { return mesh->cells > 0 ? mesh->ends[mesh->cells - 1] : 0; }

static thud_error check_fields(thud_context *context, size_t count, const thud_vtk_field *fields, size_t places) {
  size_t numbers;
  if (count > 0 && fields == NULL) return thud_fail(context, THUD_ERROR_ARGUMENT, "vtk: fields are needed");
  for (size_t k = 0; k < count; k++)
    if (fields[k].name == NULL || fields[k].width == 0 || (places > 0 && fields[k].values == NULL) ||
        !thud_size_multiply(fields[k].width, places, &numbers) || numbers > SIZE_MAX / sizeof(double))
      return thud_fail(context, THUD_ERROR_ARGUMENT, "vtk: field %zu needs a name, a width and its values", k);
  return THUD_OK;
}

static thud_error check_state(thud_context *context, const thud_vtk_state *state) {
  const thud_vtk_mesh *mesh = &state->mesh;
  if ((mesh->points > 0 && mesh->places == NULL) ||
      (mesh->cells > 0 && (mesh->types == NULL || mesh->ends == NULL || mesh->corners == NULL)))
    return thud_fail(context, THUD_ERROR_ARGUMENT, "vtk: the mesh needs its places, types, ends and corners");
  for (size_t k = 1; k < mesh->cells; k++)
    if (mesh->ends[k] < mesh->ends[k - 1])
      return thud_fail(context, THUD_ERROR_ARGUMENT, "vtk: the ends of the cells fall at cell %zu", k);
  for (size_t k = 0; k < corner_count(mesh); k++)
    if (mesh->corners[k] >= mesh->points)
      return thud_fail(context, THUD_ERROR_ARGUMENT, "vtk: corner %zu is point %zu, but there are %zu", k,
                       mesh->corners[k], mesh->points);
  const thud_vtk_field places = {.name = "Points", .width = 3, .values = mesh->places};
  thud_error error = check_fields(context, 1, &places, mesh->points);
  if (error == THUD_OK) error = check_fields(context, state->point_field_count, state->point_fields, mesh->points);
  if (error == THUD_OK) error = check_fields(context, state->cell_field_count, state->cell_fields, mesh->cells);
  return error;
}

static void put_fields(FILE *stream, const char *where, size_t count, const thud_vtk_field *fields, size_t places) {
  fprintf(stream, "      <%s>\n", where);
  for (size_t k = 0; k < count; k++) put_reals(stream, &fields[k], places);
  fprintf(stream, "      </%s>\n", where);
}

static const char *byte_order(void) {
  const uint16_t one = 1;
  unsigned char first;
  memcpy(&first, &one, 1);
  return first == 1 ? "LittleEndian" : "BigEndian";
}

static thud_error write_part(thud_context *context, const thud_vtk_part *part, FILE *stream) {
  const thud_vtk_state *state = &part->state;
  thud_error error = check_state(context, state);
  if (error != THUD_OK) return error;
  for (size_t k = 0; k < part->text_count; k++)
    if (part->texts == NULL || part->texts[k] == NULL)
      return thud_fail(context, THUD_ERROR_ARGUMENT, "vtk: text %zu of %zu is missing", k, part->text_count);
  const thud_vtk_mesh *mesh = &state->mesh;
  const thud_vtk_field places = {.name = "Points", .width = 3, .values = mesh->places};
  errno = 0;
  fprintf(stream,
          "<?xml version=\"1.0\"?>\n<!-- thud " THUD_VERSION " -->\n"
          "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"%s\" header_type=\"UInt64\">\n"
          "  <UnstructuredGrid>\n",
          byte_order());
  if (part->text_count > 0) put_texts(stream, part->text_count, part->texts);
  fprintf(stream, "    <Piece NumberOfPoints=\"%zu\" NumberOfCells=\"%zu\">\n", mesh->points, mesh->cells);
  put_fields(stream, "Points", 1, &places, mesh->points);
  fputs("      <Cells>\n", stream);
  put_integers(stream, "connectivity", corner_count(mesh), mesh->corners);
  put_integers(stream, "offsets", mesh->cells, mesh->ends);
  put_types(stream, mesh);
  fputs("      </Cells>\n", stream);
  put_fields(stream, "PointData", state->point_field_count, state->point_fields, mesh->points);
  put_fields(stream, "CellData", state->cell_field_count, state->cell_fields, mesh->cells);
  fputs("    </Piece>\n  </UnstructuredGrid>\n</VTKFile>\n", stream);
  return thud_csv_flush(context, stream);
}

thud_error thud_vtk_write(thud_context *context, const thud_vtk_state *state, FILE *stream) {
  THUD_REQUIRE(context, context, state, stream);
  return write_part(context, &(thud_vtk_part){.state = *state}, stream);
}

/* The arguments of thud_vtk_export_part. */
typedef struct vtk_file {
  thud_context *context;
  const thud_vtk_part *part;
} vtk_file;

static thud_error write_file(void *user, FILE *stream) {
  const vtk_file *file = user;
  return write_part(file->context, file->part, stream);
}

thud_error thud_vtk_export_part(thud_context *context, const thud_vtk_part *part, const char *path, bool overwrite) {
  vtk_file file = {.context = context, .part = part};
  return thud_csv_write_file(context, path, overwrite, write_file, &file);
}

thud_error thud_vtk_export(thud_context *context, const thud_vtk_state *state, const char *path, bool overwrite) {
  THUD_REQUIRE(context, context, state, path);
  return thud_vtk_export_part(context, &(thud_vtk_part){.state = *state}, path, overwrite);
}
