/* What a user's first program does: includes everything, makes a context, computes, and reads an error message. */
#include <thud/thud.h>

#include <stdio.h>
#include <string.h>

int main(void) {
  thud_context *context;
  if (thud_context_create(NULL, &context) != THUD_OK) return 1;
  const double x[2] = {3, 4};
  double norm = thud_norm2(context, 2, x);
  thud_piecewise *piecewise = NULL;
  thud_error error = thud_piecewise_create(context, 0, 0, 0, NULL, x, NULL, &piecewise);
  bool good = norm == 5 && error == THUD_ERROR_ARGUMENT && strlen(thud_context_last_message(context)) > 0;
  thud_context_destroy(context);
  if (strcmp(thud_version(), THUD_VERSION) != 0) good = false;
  printf("%s\n", thud_version());
  return good ? 0 : 1;
}
