/* A folder of its own for every test that writes files. */
#ifndef THUD_TEST_SCRATCH_FOLDER_H
#define THUD_TEST_SCRATCH_FOLDER_H

#include <stddef.h>

/* Setup and teardown for cmocka. */
int thud_test_folder_make(void **state);
int thud_test_folder_remove(void **state);

const char *thud_test_folder(void);
/* Path of a file in the folder; valid until the fourth call from now. */
const char *thud_test_path(const char *name);
/* Number of files in the folder: none may be forgotten there. */
size_t thud_test_folder_files(void);
void thud_test_folder_empty(void);

#endif
