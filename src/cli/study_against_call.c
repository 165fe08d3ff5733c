/* thud study --against event-driven: one study per method. */
#include "base/base.h"
#include "cli/study.h"

#include <string.h>

enum { MOST_METHODS = 8 };

/* "moreau,mabrouk" as numbers of methods; false after saying what is wrong. */
static bool read_methods(const cli_call *call, int *methods, size_t *count) {
  const char *text = cli_value(call, "method", 0);
  const char *const *names = thud_options_find(thud_stepping_option_table(), "method")->choices;
  *count = 0;
  if (text == NULL) {
    methods[(*count)++] = THUD_AGAINST_SCENE_METHOD;
    return true;
  }
  for (bool more = true; more && *count < MOST_METHODS;) {
    size_t length = strcspn(text, ","), k = 0;
    while (names[k] != NULL && (strlen(names[k]) != length || strncmp(names[k], text, length) != 0)) k++;
    if (names[k] == NULL) {
      cli_complain("study: --method needs methods of time stepping, like moreau-jean or moreau,mabrouk, not '%.*s'",
                   (int)length, text);
      return false;
    }
    methods[(*count)++] = (int)k;
    more = text[length] == ',';
    text += length + 1;
  }
  return true;
}

int study_run_against(const cli_call *call, thud_tree *tree, const thud_study_options *options, const bool *shown) {
  int methods[MOST_METHODS], code = CLI_GOOD;
  size_t count, made = 0;
  thud_against studies[MOST_METHODS];
  const char *against = cli_value(call, "against", 0);
  if (strcmp(against, THUD_STUDY_AGAINST) != 0) {
    cli_complain("study: --against needs %s, not '%s'", THUD_STUDY_AGAINST, against);
    return CLI_BAD_INPUT;
  }
  if (cli_given(call, "impacts") && thud_study_kind_of(tree) == THUD_STUDY_OF_QUASISTATIC) {
    cli_complain("study: --impacts is for 'system' scenes: quasi-static motions have none");
    return CLI_BAD_INPUT;
  }
  if (!read_methods(call, methods, &count)) return CLI_BAD_INPUT;
  thud_error error = THUD_OK;
  for (; made < count && error == THUD_OK && !cli_interrupted(); made += error == THUD_OK) {
    thud_against_options chosen = thud_against_options_default();
    chosen.study = *options;
    chosen.method = methods[made];
    error = thud_study_against(call->context, tree, &chosen, &studies[made]);
  }
  if (*shown) fprintf(stderr, "\r      \r");
  if (error == THUD_ERROR_INTERRUPTED && made > 0) { /* in the first level of a method: those before are complete */
    cli_complain_as(thud_context_last_code(call->context), "%s; the methods before are complete",
                    thud_context_last_message(call->context));
    error = THUD_OK;
  }
  code = error == THUD_OK ? study_print_against(call, tree, made, studies) : cli_report_error(call, error);
  if (code == CLI_GOOD && cli_interrupted()) code = CLI_INTERRUPTED;
  for (size_t k = 0; k < made; k++) {
    if (code == CLI_GOOD && studies[k].flags != 0) code = CLI_BAD_VERDICT;
    thud_against_free(&studies[k]);
  }
  return code;
}
