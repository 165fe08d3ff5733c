#include "scratch_folder.h"

#include "testing.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[64];

int thud_test_folder_make(void **state) {
  (void)state;
  strcpy(folder, "/tmp/thud-test-XXXXXX");
  return mkdtemp(folder) == NULL;
}

const char *thud_test_folder(void) { return folder; }

const char *thud_test_path(const char *name) {
  static char path[4][384];
  static int turn;
  turn = (turn + 1) % 4;
  snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
  return path[turn];
}

static size_t count_files(bool remove_them) {
  size_t count = 0;
  DIR *listing = opendir(folder);
  assert_non_null(listing);
  for (struct dirent *entry; (entry = readdir(listing)) != NULL;) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    count++;
    if (remove_them) remove(thud_test_path(entry->d_name));
  }
  closedir(listing);
  return count;
}

size_t thud_test_folder_files(void) { return count_files(false); }
void thud_test_folder_empty(void) { count_files(true); }

int thud_test_folder_remove(void **state) {
  (void)state;
  thud_test_folder_empty();
  return rmdir(folder);
}
