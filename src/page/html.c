/* The file: template, viewer, JSON and blocks. */
#include "page/page.h"
#include "page/viewer.h"
#include "record/csv.h"

#include <errno.h>
#include <string.h>

/* A page asks nobody for anything. */
#define POLICY                                                                                                         \
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; worker-src blob:"

typedef struct html_file {
  const page_build *page;
  const char *title;
} html_file;

static void write_escaped(FILE *stream, const char *text) {
  for (; *text != '\0'; text++) switch (*text) {
    case '&': fputs("&amp;", stream); break;
    case '<': fputs("&lt;", stream); break;
    case '>': fputs("&gt;", stream); break;
    case '"': fputs("&quot;", stream); break;
    default: fputc(*text, stream);
    }
}

/* Within JSON '<' occurs in texts only; as an escape it never ends the element. Separators of lines and paragraphs are
 * escaped by the writer of texts already, but not in summaries. */
static void write_json(FILE *stream, const char *text) {
  for (const char *p = text; *p != '\0';) {
    size_t length = strcspn(p, "<\xe2");
    fwrite(p, 1, length, stream);
    p += length;
    if (*p == '<') {
      fputs("\\u003c", stream);
      p++;
    } else if (strncmp(p, "\xe2\x80\xa8", 3) == 0 || strncmp(p, "\xe2\x80\xa9", 3) == 0) {
      fputs((unsigned char)p[2] == 0xa8 ? "\\u2028" : "\\u2029", stream);
      p += 3;
    } else if (*p != '\0') {
      fputc(*p++, stream);
    }
  }
}

/* RFC 4648, in one line. */
static void write_base64(FILE *stream, size_t count, const unsigned char *bytes) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  enum { TRIPLES = 1024 };
  char text[4 * TRIPLES];
  size_t used = 0;
  for (size_t k = 0; k < count; k += 3) {
    size_t left = count - k;
    uint32_t bits =
        (uint32_t)bytes[k] << 16 | (uint32_t)(left > 1 ? bytes[k + 1] : 0) << 8 | (left > 2 ? bytes[k + 2] : 0);
    for (int j = 0; j < 4; j++) text[used++] = digits[bits >> (18 - 6 * j) & 63];
    if (left < 3) text[used - 1] = '=';
    if (left < 2) text[used - 2] = '=';
    if (used < sizeof text && left > 3) continue;
    fwrite(text, 1, used, stream);
    used = 0;
  }
}

static thud_error write_file(void *user, FILE *stream) {
  const html_file *file = user;
  const page_blocks *blocks = &file->page->blocks;
  errno = 0;
  fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"" POLICY "\">\n"
        "<meta name=\"generator\" content=\"thud " THUD_VERSION "\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
        stream);
  write_escaped(stream, file->title);
  fputs("</title>\n<style>", stream);
  fwrite(thud_viewer_style, 1, thud_viewer_style_length, stream);
  fputs("</style>\n</head>\n<body>\n<noscript>This page shows its motions with JavaScript, which is switched off "
        "here. Nothing is loaded from anywhere.</noscript>\n<div id=\"app\"></div>\n"
        "<script type=\"application/json\" id=\"thud-page\">",
        stream);
  write_json(stream, thud_text_chars(&file->page->text));
  fputs("</script>\n", stream);
  for (size_t k = 0; k < blocks->count; k++) {
    fprintf(stream, "<script type=\"text/plain\" id=\"thud-block-%zu\">", k);
    write_base64(stream, blocks->items[k].count, blocks->items[k].data);
    fputs("</script>\n", stream);
  }
  fputs("<script>", stream);
  fwrite(thud_viewer_script, 1, thud_viewer_script_length, stream);
  fputs("</script>\n</body>\n</html>\n", stream);
  return thud_csv_flush(file->page->context, stream);
}

thud_error thud_page_write_html(const page_build *page, const char *title, const char *path) {
  html_file file = {page, title};
  return thud_csv_write_file(page->context, path, page->options.overwrite, write_file, &file);
}
