/* Files that thud wrote and can write again: pictures, pages, tables and fields are known by marks within them, so that
 * they are replaced without --force. Records, scenes and contact problems hold what may not come back. */
#include "cli/cli.h"
#include "base/base.h"

#include <string.h>

enum { LOOKED_AT = 8192 }; /* bytes at each end of a file */

/* ---- marks --------------------------------------------------------------------------------------------------------- */

static uint32_t big_endian(const unsigned char *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* A chunk tEXt "Software: thud ..." in front of the dots. */
static bool is_own_png(const unsigned char *head, size_t count) {
  static const char mark[] = "Software\0thud ";
  if (count < 8 || memcmp(head, "\x89PNG\r\n\x1a\n", 8) != 0) return false;
  for (size_t k = 8; k + 12 <= count;) {
    size_t length = big_endian(head + k), rest = count - k - 12;
    if (memcmp(head + k + 4, "IDAT", 4) == 0 || length > rest) return false;
    if (memcmp(head + k + 4, "tEXt", 4) == 0 && length >= sizeof mark - 1 &&
        memcmp(head + k + 8, mark, sizeof mark - 1) == 0)
      return true;
    k += length + 12;
  }
  return false;
}

static bool holds(const char *text, size_t count, const char *mark) {
  size_t length = strlen(mark);
  for (size_t k = 0; k + length <= count; k++)
    if (text[k] == mark[0] && memcmp(text + k, mark, length) == 0) return true;
  return false;
}

/* True if the name of a column without its unit and component, "before" of "before[x] [m]", is in the list. */
static bool is_named(const char *column, size_t length, const char *const *names, size_t count) {
  size_t bare = 0;
  while (bare < length && strchr(" [,\r\n", column[bare]) == NULL) bare++;
  for (size_t k = 0; k < count; k++)
    if (strlen(names[k]) == bare && memcmp(column, names[k], bare) == 0) return true;
  return false;
}

/* With its end. */
static size_t line_length(const char *text, size_t count) {
  const char *end = memchr(text, '\n', count);
  return end != NULL ? (size_t)(end - text) + 1 : count;
}

/* A comment would disturb the programs that read tables: they are known by the names of their columns. */
static bool is_own_table(const char *text, size_t count) {
  static const char *const starts[] = {"level,steps,step,", "level,rate,steps,", "method,level,", "problem,part,kind,"};
  static const char *const telling[] = {"side", "step", "t_end", "kind", "residual", "defect", "dissipation"};
  for (size_t k = 0; k < sizeof starts / sizeof *starts; k++)
    if (count > strlen(starts[k]) && memcmp(text, starts[k], strlen(starts[k])) == 0) return true;
  static const char *const sweeps[] = {",t,quantity\n", ",verdict,time,solutions,"};
  if (count > 4 && memcmp(text, "run,", 4) == 0)
    return holds(text, line_length(text, count), sweeps[0]) || holds(text, line_length(text, count), sweeps[1]);
  if (count < 2 || text[0] != 't' || strchr(", ", text[1]) == NULL) return false;
  for (size_t k = 0; k < count && text[k] != '\n'; k++)
    if (text[k] == ',' && is_named(text + k + 1, count - k - 1, telling, sizeof telling / sizeof *telling)) return true;
  return false;
}

static bool is_own(const char *head, size_t head_count, const char *tail, size_t tail_count) {
  static const char *const marks[] = {"<meta name=\"generator\" content=\"thud ", "<metadata>thud ",
                                      "<!-- thud "}; /* pages, SVG, fields */
  if (is_own_png((const unsigned char *)head, head_count)) return true;
  if (head_count > 5 && memcmp(head, "%PDF-", 5) == 0) return holds(tail, tail_count, "/Creator (thud ");
  if (head_count > 0 && head[0] == '<')
    for (size_t k = 0; k < sizeof marks / sizeof *marks; k++)
      if (holds(head, head_count, marks[k])) return true;
  return is_own_table(head, head_count) || holds(tail, tail_count, "\n<!-- thud ");
}

/* ---- files --------------------------------------------------------------------------------------------------------- */

static bool is_own_file(FILE *file) {
  char head[LOOKED_AT], tail[LOOKED_AT];
  size_t head_count = fread(head, 1, sizeof head, file), tail_count = 0;
  if (fseek(file, 0, SEEK_END) == 0) {
    long size = ftell(file);
    if (size >= 0 && fseek(file, size > LOOKED_AT ? size - LOOKED_AT : 0, SEEK_SET) == 0)
      tail_count = fread(tail, 1, sizeof tail, file);
  }
  return is_own(head, head_count, tail, tail_count);
}

bool cli_may_replace(const cli_call *call, const char *path) {
  if (cli_given(call, "force")) return true;
  FILE *file = path != NULL && strcmp(path, "-") != 0 ? fopen(path, "rb") : NULL;
  if (file == NULL) return false;
  bool own = is_own_file(file);
  fclose(file);
  return own;
}
