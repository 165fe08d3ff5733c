/* Matrix Market; the first two bytes are the expected sizes. */
#include "fuzz_support.h"
#include "problem/matrix_market.h"

#include <string.h>

/* What was read must print and read back as the same. */
static void check_round_trip(thud_context *context, thud_owned_problem *owned, const thud_matrix *matrix) {
  thud_text text = thud_text_new(context), again = thud_text_new(context);
  thud_matrix back = {0};
  fuzz_demand(thud_matrix_market_print(context, matrix, &text) == THUD_OK, "what was read can be printed");
  thud_error error = thud_matrix_market_read_text(context, "printed", thud_text_chars(&text), text.length, matrix->rows,
                                                  matrix->columns, owned, &back);
  fuzz_demand(error == THUD_OK, "what was printed can be read");
  fuzz_demand(thud_matrix_market_print(context, &back, &again) == THUD_OK, "what was read can be printed again");
  fuzz_demand(strcmp(thud_text_chars(&text), thud_text_chars(&again)) == 0, "the round trip changes nothing");
  thud_text_free(&text);
  thud_text_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 2) return 0;
  thud_context *context = fuzz_context(2000000 + 500 * size);
  thud_owned_problem *owned = NULL;
  thud_matrix matrix = {0};
  fuzz_demand(thud_owned_problem_create(context, &owned) == THUD_OK, "an empty problem can be made");
  thud_error error = thud_matrix_market_read_text(context, "input", (const char *)data + 2, size - 2, data[0], data[1],
                                                  owned, &matrix);
  fuzz_demand(error == THUD_OK || thud_context_last_message(context)[0] != '\0', "a failure has a message");
  if (error == THUD_OK) check_round_trip(context, owned, &matrix);
  thud_owned_problem_destroy(owned);
  fuzz_context_end(context);
  return 0;
}
