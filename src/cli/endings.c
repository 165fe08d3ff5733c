/* Names of files that are written: their endings say the format. */
#include "cli/cli.h"

#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* Folders and names of what is open already are refused where files are written, with sentences of their own. */
static bool is_elsewhere(const char *path) {
  struct stat status;
  bool open = strcmp(path, "-") == 0 || strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0;
  return open || path[strlen(path) - 1] == '/' || (stat(path, &status) == 0 && S_ISDIR(status.st_mode));
}

static const char *ending_of(const char *path) {
  const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path, *dot = strrchr(name, '.');
  return dot != NULL && dot != name ? dot : name + strlen(name);
}

int cli_find_ending(const char *path, const char *const *endings) {
  const char *ending = ending_of(path);
  for (int k = 0; endings[k] != NULL; k++)
    if (strcasecmp(ending, endings[k]) == 0) return k;
  return -1;
}

/* ".h5", ".png or .svg", ".png, .svg or .pdf" */
static void list_endings(const char *const *endings, char *text, size_t capacity) {
  size_t used = 0;
  text[0] = '\0';
  for (size_t k = 0; endings[k] != NULL && used < capacity; k++) {
    const char *between = k == 0 ? "" : endings[k + 1] == NULL ? " or " : ", ";
    used += (size_t)snprintf(text + used, capacity - used, "%s%s", between, endings[k]);
  }
}

bool cli_check_ending(const cli_call *call, const char *flag, const char *path, const char *what,
                      const char *const *endings) {
  char list[100];
  if (path == NULL || path[0] == '\0' || is_elsewhere(path)) return true;
  if (!cli_output_is_no_input(call, path)) return false;
  if (cli_find_ending(path, endings) >= 0) return true;
  list_endings(endings, list, sizeof list);
  const char *ending = ending_of(path);
  size_t length = strlen(path) - strlen(ending);
  cli_complain("[file-ending] %s: --%s %s: the name of %s ends in %s (such as %.*s%s)", call->command->name, flag, path,
               what, list, length < 200 ? (int)length : 200, path, endings[0]);
  return false;
}
