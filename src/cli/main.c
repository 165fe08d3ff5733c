/* thud: nonsmooth mechanics on the command line. */
#include "cli/terminal.h"
#include "base/base.h"
#include "base/json.h"

#include <errno.h>
#include <cblas.h>
#include <hdf5.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const cli_command *const commands[] = {&cli_run,   &cli_check,  &cli_verify, &cli_plot,       &cli_export,
                                              &cli_new,   &cli_schema, &cli_solve,  &cli_compare,    &cli_convert,
                                              &cli_study, &cli_info,   &cli_report, &cli_completion, &cli_explain};
enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

const cli_command *cli_command_at(size_t k) { return k < COMMAND_COUNT ? commands[k] : NULL; }

static volatile sig_atomic_t interruptions;

static void on_signal(int number) {
  if (interruptions++ == 0) return;
  signal(number, SIG_DFL);
  raise(number);
}

void cli_catch_signals(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_signal;
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  struct sigaction hangup;
  if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN) /* nohup */
    sigaction(SIGHUP, &action, NULL);
}

bool cli_interrupted(void) { return interruptions > 0; }

int cli_end_output(void) {
  static bool failed; /* what could not be written stays in the buffer: one message is enough */
  if (fflush(stdout) == 0 && ferror(stdout) == 0 && !failed) return CLI_GOOD;
  if (!failed) cli_complain("[file] cannot write to standard output: %s", strerror(errno));
  failed = true;
  return CLI_BAD_INPUT;
}

int cli_write_out(const char *text) {
  cli_put(stdout, text);
  return cli_end_output();
}

int cli_write_file_result(const cli_call *call, const char *path) {
  thud_text text = thud_text_new(call->context);
  thud_json json = thud_json_new(&text);
  thud_json_begin_object(&json);
  thud_json_string_field(&json, "verdict", "good");
  thud_json_string_field(&json, "file", path);
  thud_json_end_object(&json);
  thud_text_print(&text, "\n");
  int code = text.error == THUD_OK ? cli_write_out(thud_text_chars(&text)) : CLI_INTERNAL;
  thud_text_free(&text);
  return code;
}

bool cli_output_is_no_input(const cli_call *call, const char *output) {
  struct stat out, in;
  if (output == NULL || stat(output, &out) != 0) return true;
  for (int k = 0; k < call->operand_count; k++)
    if (stat(call->operands[k], &in) == 0 && in.st_dev == out.st_dev && in.st_ino == out.st_ino) {
      cli_complain("%s: '%s' is the file to be read; choose another name for what is written", call->command->name,
                   output);
      return false;
    }
  return true;
}

char *cli_name_beside(const cli_call *call, const char *path, const char *suffix) {
  const char *slash = strrchr(path, '/'), *stem = slash != NULL ? slash + 1 : path;
  const char *dot = strrchr(stem, '.');
  size_t length = dot != NULL && dot != stem ? (size_t)(dot - stem) : strlen(stem);
  char *name = thud_alloc(call->context, length + strlen(suffix) + 1, 1);
  if (name == NULL) return NULL;
  memcpy(name, stem, length);
  memcpy(name + length, suffix, strlen(suffix) + 1);
  return name;
}

int cli_exit_code(thud_error error) {
  switch (error) {
  case THUD_OK: return CLI_GOOD;
  case THUD_ERROR_MEMORY:
  case THUD_ERROR_INTERNAL: return CLI_INTERNAL;
  case THUD_ERROR_INTERRUPTED: return CLI_INTERRUPTED;
  default: return CLI_BAD_INPUT;
  }
}

int cli_report_error(const cli_call *call, thud_error error) {
  const char *message = thud_context_last_message(call->context);
  bool told = error != THUD_ERROR_MEMORY || strstr(message, "memory") != NULL; /* else: of a question asked before */
  if (message[0] == '\0' || !told) message = thud_error_text(error);
  const char *code = message == thud_error_text(error) ? thud_error_code(error) : thud_context_last_code(call->context);
  cli_complain_as(code, "%s", message);
  if (call->json) {
    thud_text text = thud_text_new(call->context);
    thud_json json = thud_json_new(&text);
    thud_json_begin_object(&json);
    thud_json_string_field(&json, "verdict", "failed");
    thud_json_string_field(&json, "error", thud_error_name(error));
    thud_json_string_field(&json, "code", code);
    thud_json_string_field(&json, "reason", message);
    thud_json_end_object(&json);
    thud_text_print(&text, "\n");
    if (text.error == THUD_OK) cli_write_out(thud_text_chars(&text));
    thud_text_free(&text);
  }
  return cli_exit_code(error);
}

static void print_usage(FILE *stream) {
  fprintf(stream,
          "thud %s: nonsmooth mechanics: unilateral constraints, impacts, dry friction\n\n"
          "Usage: thud COMMAND [options] [arguments]\n\nCommands:\n",
          thud_version());
  for (size_t k = 0; k < COMMAND_COUNT; k++) fprintf(stream, "  %-10s %s\n", commands[k]->name, commands[k]->summary);
  fprintf(stream, "\n  thud COMMAND --help   options of a command\n  man thud-COMMAND      the manual page of a "
                  "command\n  thud --version        the version\n"
                  "  thud explain CODE     the word in [ ] behind a message\n"
                  "\nExit codes: 0 good, 1 bad verdict, 2 bad input, 3 internal error, 130 interrupted.\n");
}

const cli_command *cli_flag_owner(const char *name) {
  for (size_t k = 0; k < COMMAND_COUNT; k++)
    for (size_t i = 0; i < commands[k]->flag_count; i++)
      if (strcmp(commands[k]->flags[i].name, name) == 0) return commands[k];
  return NULL;
}

static bool is_dash(const char *name) { return name != NULL && strcmp(name, "-") == 0; }

/* '-' where it cannot stand for a stream would be a file of that name; false after a message. */
static bool streams_fit(const cli_call *call) {
  const char *name = call->command->name;
  bool scene = call->command->reads_stdin || cli_given(call, "trajectory");
  int inputs = 0;
  for (int k = 0; k < call->operand_count; k++) inputs += is_dash(call->operands[k]);
  bool other = is_dash(cli_value(call, "trajectory", 0)) || is_dash(cli_value(call, "resume", 0));
  if ((inputs > 0 && !scene) || other)
    cli_complain("%s: '-': only scenes are read from standard input; give a file (./- for one of that name)", name);
  else if (inputs > 1)
    cli_complain("%s: standard input ('-') can be read once only", name);
  else if (is_dash(cli_value(call, "output", 0)) && !call->command->writes_stdout)
    cli_complain("%s: --output -: this file cannot go to standard output; give it a name (./- for that one)", name);
  else
    return true;
  return false;
}

static const cli_command *find_command(const char *word) {
  const char *names[COMMAND_COUNT];
  for (size_t k = 0; k < COMMAND_COUNT; k++) {
    names[k] = commands[k]->name;
    if (strcmp(names[k], word) == 0) return commands[k];
  }
  const char *near = thud_suggest(word, names, COMMAND_COUNT);
  if (near != NULL)
    cli_complain("unknown command '%s' (did you mean '%s'?)", word, near);
  else
    cli_complain("unknown command '%s'; see 'thud --help'", word);
  return NULL;
}

static int print_version(bool as_json) {
  if (as_json)
    printf("{\"version\": \"%s\"}\n", thud_version());
  else
    printf("thud %s\n", thud_version());
  return CLI_GOOD;
}

static void log_warning(void *user, thud_log_level level, const char *message) {
  (void)user;
  if (level >= THUD_LOG_WARNING) cli_print(stderr, "thud: warning: %s\n", message);
}

enum { BLAS_MEBIBYTES = 136 };

bool cli_blas_has_memory(const cli_call *call, int threads) {
  return thud_need_memory(call->context, "OpenBLAS", (size_t)threads * BLAS_MEBIBYTES) == THUD_OK;
}

/* Gives OpenBLAS the working memory of the first thread as long as there is some; the solution of I x = 0 asks for it. */
static thud_error prepare_blas(const cli_call *call) {
  enum { SIZE = 64 };
  if (!cli_blas_has_memory(call, 1)) return THUD_ERROR_MEMORY;
  double *matrix = THUD_NEW_ARRAY(call->context, double, (SIZE + 1) * SIZE);
  if (matrix == NULL) return THUD_ERROR_MEMORY;
  cblas_dtrsv(CblasColMajor, CblasUpper, CblasNoTrans, CblasUnit, SIZE, matrix, SIZE, matrix + (size_t)SIZE * SIZE, 1);
  thud_free(call->context, matrix);
  return THUD_OK;
}

static int run_command(const cli_command *command, int argc, char **argv) {
  thud_context_options options = thud_context_options_default();
  options.logger = log_warning;
  cli_call call = {0};
  int exit_code = CLI_INTERNAL;
  if (thud_context_create(&options, &call.context) != THUD_OK) {
    cli_complain("[memory] out of memory");
    return CLI_INTERNAL;
  }
  bool runs = cli_parse(command, argc, argv, &call, &exit_code);
  if (runs && !streams_fit(&call)) {
    runs = false;
    exit_code = CLI_BAD_INPUT;
  }
  if (runs) {
    thud_error error = command->computes ? prepare_blas(&call) : THUD_OK;
    exit_code = error == THUD_OK ? command->run(&call) : cli_report_error(&call, error);
  }
  cli_call_free(&call);
  thud_context_destroy(call.context);
  return exit_code;
}

/* help and --version, or a command. */
static int answer(int argc, char **argv) {
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
    const cli_command *topic = argc > 2 ? find_command(argv[2]) : NULL;
    if (argc > 2 && topic == NULL) return CLI_BAD_INPUT;
    if (topic != NULL)
      cli_print_help(topic, stdout);
    else
      print_usage(stdout);
    return CLI_GOOD;
  }
  if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "version") == 0)
    return print_version(argc > 2 && strcmp(argv[2], "--json") == 0);
  const cli_command *command = find_command(argv[1]);
  return command != NULL ? run_command(command, argc - 2, argv + 2) : CLI_BAD_INPUT;
}

int main(int argc, char **argv) {
  cli_end_startup();
  /* HDF5 forgets some bytes when it meets a damaged file and would complain about them on stderr at the end. */
  H5dont_atexit();
  openblas_set_num_threads(1); /* OpenBLAS spreads even matrices of size 20 over threads, and loses by it */
  signal(SIGXFSZ, SIG_IGN);    /* a file that grows beyond its limit is a failed write with a message, not a death */
  if (argc < 2) {
    print_usage(stderr);
    return CLI_BAD_INPUT;
  }
  int code = answer(argc, argv), written = cli_end_output();
  return code > written ? code : written;
}
