#include "thud/tree.h"

#include "failing_allocator.h"
#include "testing.h"
#include "tree/parse.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int set_up(void **state) {
  *state = thud_test_context(1);
  return 0;
}

static int tear_down(void **state) {
  thud_test_context_end(*state);
  return 0;
}

static const char good_scene[] = "# A comment\n"
                                 "thud: 1\n"
                                 "title: \"Bouncing \\\"particle\\\"\\tn\\u00e4chster\\u2028\"\n"
                                 "parameters: {g: 2.0, mass: 0x10, oct: 0o17, tiny: -1.5e-3}\n"
                                 "system:\n"
                                 "  coordinates: [q, y, no]\n"
                                 "  kinetic_energy: 0.5*q'^2\n"
                                 "  forces: {q: g, y: \"min(q, y)\"}\n"
                                 "  mass: &M [[1, 0], [0, 2.5]]\n"
                                 "  again: *M\n"
                                 "  constraints:\n"
                                 "    - {name: floor, phi: q, restitution: 0.5}\n"
                                 "    - name: wall\n"
                                 "      phi: 'q - 1'\n"
                                 "initial: {q: -1, \"q'\": 0}\n"
                                 "flags: [true, False, ~, null, on, yes, '1', !!str 2, +7, .5, 1., 1e3, 1_0, 08]\n"
                                 "note: |\n"
                                 "  two\n"
                                 "  lines\n"
                                 "simulate: {method: event-driven, end: 4}\n";

static thud_tree *parse(thud_context *context, const char *text) {
  thud_tree *tree = NULL;
  thud_error error = thud_tree_read_text(context, "a.yaml", text, strlen(text), &tree);
  if (error != THUD_OK) fail_msg("%s", thud_context_last_message(context));
  return tree;
}

/* Node at a path of keys and indices separated by dots; fails the test when it is not there. */
static const thud_node *at(const thud_tree *tree, const char *path) {
  const thud_node *node = thud_tree_root(tree);
  char step[64];
  for (const char *rest = path; *rest != '\0';) {
    size_t length = strcspn(rest, ".");
    thud_assert_less(length, sizeof step);
    memcpy(step, rest, length);
    step[length] = '\0';
    node = thud_node_get_kind(node) == THUD_NODE_MAP ? thud_node_find(node, step)
                                                     : thud_node_item(node, (size_t)strtoul(step, NULL, 10));
    if (node == NULL) fail_msg("nothing at '%s' of '%s'", step, path);
    rest += length + (rest[length] == '.');
  }
  return node;
}

static double number_at(const thud_tree *tree, const char *path) {
  double value = NAN;
  assert_int_equal(thud_node_read_number(at(tree, path), &value), THUD_OK);
  return value;
}

static const char *string_at(const thud_tree *tree, const char *path) {
  const char *value = NULL;
  assert_int_equal(thud_node_read_string(at(tree, path), &value), THUD_OK);
  return value;
}

static void a_scene_is_read_with_core_types_and_places(void **state) {
  thud_context *context = *state;
  thud_tree *tree = parse(context, good_scene);
  thud_assert_equal(number_at(tree, "thud"), 1);
  assert_string_equal(string_at(tree, "title"), "Bouncing \"particle\"\tn\xC3\xA4"
                                                "chster\xE2\x80\xA8");
  thud_assert_equal(number_at(tree, "parameters.g"), 2);
  thud_assert_equal(number_at(tree, "parameters.mass"), 16);
  thud_assert_equal(number_at(tree, "parameters.oct"), 15);
  thud_assert_equal(number_at(tree, "parameters.tiny"), -1.5e-3);
  assert_string_equal(string_at(tree, "system.coordinates.1"), "y");
  assert_string_equal(string_at(tree, "system.coordinates.2"), "no");
  assert_string_equal(string_at(tree, "system.kinetic_energy"), "0.5*q'^2");
  assert_string_equal(string_at(tree, "system.constraints.1.phi"), "q - 1");
  thud_assert_equal(number_at(tree, "initial.q'"), 0);
  thud_assert_equal(number_at(tree, "system.again.1.1"), 2.5);
  assert_string_equal(string_at(tree, "note"), "two\nlines\n");
  static const thud_node_kind kinds[] = {THUD_NODE_BOOL,   THUD_NODE_BOOL,   THUD_NODE_NULL,   THUD_NODE_NULL,
                                         THUD_NODE_STRING, THUD_NODE_STRING, THUD_NODE_STRING, THUD_NODE_STRING,
                                         THUD_NODE_NUMBER, THUD_NODE_NUMBER, THUD_NODE_NUMBER, THUD_NODE_NUMBER,
                                         THUD_NODE_STRING, THUD_NODE_NUMBER};
  const thud_node *flags = at(tree, "flags");
  assert_int_equal(thud_node_count(flags), sizeof kinds / sizeof *kinds);
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    assert_int_equal(thud_node_get_kind(thud_node_item(flags, k)), kinds[k]);
  assert_true(thud_node_bool(thud_node_item(flags, 0)) && !thud_node_bool(thud_node_item(flags, 1)));
  const thud_node *phi = at(tree, "system.constraints.0.phi");
  char path[64];
  thud_node_path(phi, path, sizeof path);
  assert_string_equal(path, "/system/constraints/0/phi");
  assert_int_equal(thud_node_line(phi), 12);
  assert_int_equal(thud_node_column(phi), 26);
  thud_node_path(phi, path, 12);
  assert_string_equal(path, "/system/...");
  size_t length = 0;
  assert_string_equal(thud_tree_source(tree, &length), good_scene);
  assert_int_equal(length, sizeof good_scene - 1);
  assert_string_equal(thud_tree_name(tree), "a.yaml");
  assert_null(thud_node_item(flags, 99));
  assert_null(thud_node_key(flags, 99));
  assert_null(thud_node_find(flags, "x"));
  thud_tree_destroy(tree);
}

static void json_is_read_too(void **state) {
  thud_context *context = *state;
  thud_tree *tree =
      parse(context, "\xEF\xBB\xBF{\n\t\"a\":1,\"b\":[true,null,\"x\\/\\u00e9\\n\"],\r\n\t\"c/~\":{}}\r\n");
  thud_assert_equal(number_at(tree, "a"), 1);
  assert_int_equal(thud_node_column(at(tree, "a")), 6);
  assert_string_equal(string_at(tree, "b.2"), "x/\xC3\xA9\n");
  char path[64];
  thud_node_path(at(tree, "c/~"), path, sizeof path);
  assert_string_equal(path, "/c~1~0");
  thud_tree_destroy(tree);
}

static void trouble_is_named_with_its_line_and_column(void **state) {
  thud_context *context = *state;
  static const struct {
    const char *text;
    thud_error error;
    const char *starts, *says;
  } cases[] = {
      {"", THUD_ERROR_SYNTAX, "f:1:1: ", "nothing here"},
      {"# only a comment\n", THUD_ERROR_SYNTAX, "f:2:1: ", "nothing here"},
      {"a: 1\nb: [1, 2\nc: 3\n", THUD_ERROR_SYNTAX, "f:3:2: ", "close the ["},
      {"a: {b: 1\n", THUD_ERROR_SYNTAX, "f:2:1: ",
       "f:2:1: did not find expected ',' or '}' (while parsing a flow mapping that starts in line 1); close the { or "
       "put the text into quotes"},
      {"a: b: c\n", THUD_ERROR_SYNTAX, "f:1:5: ",
       "f:1:5: mapping values are not allowed in this context; indent by spaces, and put a text that contains ': ' "
       "into quotes"},
      {"a:\n\tb: 1\n", THUD_ERROR_SYNTAX, "f:2:1: ",
       "f:2:1: found character that cannot start any token (while scanning for the next token that starts in line 2); "
       "indent with spaces, not tabs, and put a text that starts with @, ` or % into quotes"},
      {"a: @x\n", THUD_ERROR_SYNTAX, "f:1:4: ",
       "f:1:4: found character that cannot start any token (while scanning for the next token that starts in line 1); "
       "indent with spaces, not tabs, and put a text that starts with @, ` or % into quotes"},
      {"a: 'open\n", THUD_ERROR_SYNTAX, "f:2:1: ",
       "f:2:1: found unexpected end of stream (while scanning a quoted scalar that starts in line 1); a quote is "
       "opened and not closed"},
      {"a: \"\\q\"\n", THUD_ERROR_SYNTAX, "f:1:5: ", "backslash"},
      {"a: \"\\ud83d\\ude00\"\n", THUD_ERROR_SYNTAX, "f:1:7: ",
       "f:1:7: found invalid Unicode character escape code (while parsing a quoted scalar that starts in line 1); "
       "write the character itself instead of a pair of \\u escapes"},
      {"a: 1\n b: 2\n", THUD_ERROR_SYNTAX, "f:2:3: ",
       "f:2:3: mapping values are not allowed in this context; indent by spaces, and put a text that contains ': ' "
       "into quotes"},
      {"a:\n  b: 1\n c: 2\n", THUD_ERROR_SYNTAX, "f:3:2: ",
       "f:3:2: did not find expected key (while parsing a block mapping that starts in line 1); entries of one map "
       "start in the same column"},
      {"- 1\n- 2\nc: 3\n", THUD_ERROR_SYNTAX, "f:3:1: ",
       "f:3:1: did not find expected '-' indicator (while parsing a block collection that starts in line 1); entries "
       "of one sequence start in the same column"},
      {"a: 1\nbb: 2\n\na: 3\n", THUD_ERROR_SYNTAX,
       "f:4:1: /a: ", "f:4:1: /a: the key 'a' is there already at 1:1; keep one"},
      {"s: {x: 1, \"x\": 2}\n", THUD_ERROR_SYNTAX,
       "f:1:11: /s/x: ", "f:1:11: /s/x: the key 'x' is there already at 1:5; keep one"},
      {"a: .nan\n", THUD_ERROR_NOT_FINITE,
       "f:1:4: /a: ", "f:1:4: /a: .nan is not a finite number; numbers must be below 1.8e308 (a text needs quotes)"},
      {"a: [1, -.INF]\n", THUD_ERROR_NOT_FINITE, "f:1:8: /a/1: ",
       "f:1:8: /a/1: -.INF is not a finite number; numbers must be below 1.8e308 (a text needs quotes)"},
      {"a: 1e999\n", THUD_ERROR_NOT_FINITE, "f:1:4: /a: ", "1e999"},
      {"base: &b {x: 1}\nc:\n  <<: *b\n", THUD_ERROR_SYNTAX,
       "f:3:3: ", "f:3:3: merge keys (<<) are not part of YAML 1.2; write the entries out"},
      {"a: 1\n---\nb: 2\n", THUD_ERROR_SYNTAX, "f:2:1: ", "second document"},
      {"a: *nowhere\n", THUD_ERROR_SYNTAX, "f:1:4: /a: ", "&nowhere"},
      {"a: &a [1, *a]\n", THUD_ERROR_SYNTAX, "f:1:11: /a/1: ", "&a"},
      {"? [1, 2]\n: 3\n", THUD_ERROR_SYNTAX, "f:1:3: ", "f:1:3: a collection cannot be a key; keys are plain names"},
      {"a: &x 1\n*x : 2\n", THUD_ERROR_SYNTAX, "f:2:1: ", "f:2:1: an alias cannot be a key; keys are plain names"},
      {"a: !thing 3\n", THUD_ERROR_SYNTAX,
       "f:1:4: /a: ", "f:1:4: /a: the tag '!thing' is not used in scenes; leave it out"},
      {"a: !!set {x: 1}\n", THUD_ERROR_SYNTAX,
       "f:1:4: /a: ", "f:1:4: /a: the tag 'tag:yaml.org,2002:set' is not used in scenes; leave it out"},
      {"a: \"x\\0y\"\n", THUD_ERROR_SYNTAX, "f:1:4: /a: ", "NUL"},
      {"\"x\\0y\": 1\n", THUD_ERROR_SYNTAX, "f:1:1: ", "NUL"},
      {"f: {gap: min(x, y)}\n", THUD_ERROR_SYNTAX, "f:1:10: /f/gap: ",
       "f:1:10: /f/gap: 'min(x' ends before its ')': inside [ ] and { } a comma ends the value; put it into quotes"},
      {"f: [max(x, y)]\n", THUD_ERROR_SYNTAX, "f:1:5: /f/0: ",
       "f:1:5: /f/0: 'max(x' ends before its ')': inside [ ] and { } a comma ends the value; put it into quotes"},
      {"a: \xFFx\n", THUD_ERROR_SYNTAX, "f:1:4: ", "f:1:4: byte 0xFF is not UTF-8; save the file as UTF-8"},
      {"b: 1\na: \xC3\n", THUD_ERROR_SYNTAX, "f:2:4: ", "f:2:4: byte 0xC3 is not UTF-8; save the file as UTF-8"},
      {"a: \xC0\x80\n", THUD_ERROR_SYNTAX, "f:1:4: ", "not UTF-8"},
      {"a: \xED\xA0\x80\n", THUD_ERROR_SYNTAX, "f:1:4: ", "not UTF-8"},
      {"a: \xF4\x90\x80\x80\n", THUD_ERROR_SYNTAX, "f:1:4: ", "not UTF-8"},
      {"a: \xC3\xA4\x07\n", THUD_ERROR_SYNTAX,
       "f:1:5: ", "f:1:5: control character U+0007; remove it or write \"\\u0007\""},
      {"{\"a\": 1,, \"b\": 2}", THUD_ERROR_SYNTAX, "f:1:9: ", ""},
      {"{\"a\": 1} trailing", THUD_ERROR_SYNTAX, "f:1:10: ", ""},
      {"[1, 2", THUD_ERROR_SYNTAX, "f:1:6: ", "close the ["},
      {"a: 1\nb: '\xC3\xA4", THUD_ERROR_SYNTAX, "f:2:6: ",
       "f:2:6: found unexpected end of stream (while scanning a quoted scalar that starts in line 2); a quote is "
       "opened and not closed"},
      {"]", THUD_ERROR_SYNTAX, "f:1:1: ", ""},
      {"a: |x\n  b\n", THUD_ERROR_SYNTAX, "f:1:5: ", ""},
      {"%YAML 9.9\n---\na: 1\n", THUD_ERROR_SYNTAX, "f:1:1: ", "incompatible"},
      {"a: *\n", THUD_ERROR_SYNTAX, "f:1:5: ",
       "f:1:5: did not find expected alphabetic or numeric character (while scanning an alias that starts in line 1); "
       "a text that starts with * or & must be put into quotes"},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    thud_tree *tree = NULL;
    thud_error error = thud_tree_read_text(context, "f", cases[k].text, strlen(cases[k].text), &tree);
    const char *message = thud_context_last_message(context);
    bool good = error == cases[k].error && strncmp(message, cases[k].starts, strlen(cases[k].starts)) == 0 &&
                strstr(message, cases[k].says) != NULL && strchr(message, '\n') == NULL && tree == NULL;
    if (!good) fail_msg("case %zu '%s': error %d, message '%s'", k, cases[k].text, (int)error, message);
  }
  thud_tree *tree = NULL;
  assert_int_equal(thud_tree_read_text(context, "f", "a: \0b", 5, &tree), THUD_ERROR_SYNTAX);
  thud_test_message_has(context, "f:1:4: a NUL byte; a scene is a text file in UTF-8 (not UTF-16)", NULL);
  assert_int_equal(thud_tree_read_text(context, NULL, "a", 1, &tree), THUD_ERROR_ARGUMENT);
  assert_null(tree);
}

static void expect_overflow(thud_context *context, const char *text, const char *says) {
  thud_tree *tree = NULL;
  assert_int_equal(thud_tree_read_text(context, "f", text, strlen(text), &tree), THUD_ERROR_OVERFLOW);
  thud_test_message_has(context, says, NULL);
  assert_null(tree);
}

static void sizes_are_bounded(void **state) {
  thud_context *context = *state;
  /* a billion laughs: ten levels of ten */
  char text[4096] = "a0: &a0 [lol]\n";
  for (int k = 1; k <= 10; k++) {
    size_t used = strlen(text);
    snprintf(text + used, sizeof text - used, "a%d: &a%d [*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d]\n", k, k,
             k - 1, k - 1, k - 1, k - 1, k - 1, k - 1, k - 1, k - 1, k - 1, k - 1);
  }
  uint64_t before = thud_context_allocation_count(context);
  expect_overflow(context, text, "f: /a5/3/6/2/6: aliases (*name) repeat more than 100000 values; write less of them");
  thud_assert_less(thud_context_allocation_count(context) - before, 5000);

  memset(text, '[', 61);
  text[61] = '\0';
  expect_overflow(context, text,
                  "f:1:61: "
                  "/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/"
                  "0/0/0/0/0/0/0/0/0/0/0: more than 60 collections inside each other; flatten the file");
  memset(text + 60, ']', 60);
  text[120] = '\0';
  thud_tree *tree = parse(context, text);
  thud_tree_destroy(tree);
  /* depth through aliases */
  strcpy(text, "a: &a ");
  memset(text + 6, '[', 40);
  memset(text + 46, ']', 40);
  strcpy(text + 86, "\nb: ");
  memset(text + 90, '[', 30);
  strcpy(text + 120, "*a");
  memset(text + 122, ']', 30);
  strcpy(text + 152, "\n");
  expect_overflow(context, text,
                  "f: "
                  "/b/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/"
                  "0/0/0/0/0/0/0/0/0/0/0: more than 60 collections inside each other; flatten the file");

  char *many = calloc(40000, 1);
  assert_non_null(many);
  for (int k = 0; k <= THUD_TREE_MAX_ANCHORS; k++) sprintf(many + strlen(many), "- &a%d 1\n", k);
  expect_overflow(context, many, "f:1001:3: /1000: more than 1000 anchors (&name); repeat the text instead");
  memset(many, 'k', THUD_TREE_MAX_KEY + 1);
  strcpy(many + THUD_TREE_MAX_KEY + 1, ": 1\n");
  expect_overflow(context, many, "f:1:1: a key of more than 128 bytes; shorten it");
  free(many);
  size_t huge = (size_t)THUD_TREE_MAX_BYTES + 1;
  char *large = calloc(huge, 1);
  assert_non_null(large);
  assert_int_equal(thud_tree_read_text(context, "f", large, huge, &tree), THUD_ERROR_OVERFLOW);
  thud_test_message_has(context, "f: larger than 64 MiB; keep bulky data in other files", NULL);
  free(large);
}

static void files_are_read_or_refused_by_name(void **state) {
  thud_context *context = *state;
  thud_tree *tree = NULL;
  char folder[] = "thud-scene-XXXXXX", path[64];
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/s.yaml", folder);
  assert_int_equal(thud_tree_read_file(context, path, &tree), THUD_ERROR_FILE);
  thud_test_message_has(context, path, "s.yaml: cannot be read: No such file or directory", NULL);
  assert_int_equal(thud_tree_read_file(context, folder, &tree), THUD_ERROR_FILE);
  thud_test_message_has(context, folder, ": is a folder; give a scene file", NULL);
  assert_null(tree);
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(good_scene, 1, sizeof good_scene - 1, file), sizeof good_scene - 1);
  assert_int_equal(fclose(file), 0);
  assert_int_equal(thud_tree_read_file(context, path, &tree), THUD_OK);
  thud_assert_equal(number_at(tree, "parameters.g"), 2);
  assert_string_equal(thud_tree_name(tree), path);
  thud_tree_destroy(tree);
  tree = NULL;
  assert_int_equal(truncate(path, (off_t)THUD_TREE_MAX_BYTES + 1), 0);
  assert_int_equal(thud_tree_read_file(context, path, &tree), THUD_ERROR_OVERFLOW);
  assert_null(tree);
  assert_int_equal(unlink(path), 0);
  assert_int_equal(rmdir(folder), 0);
  assert_int_equal(thud_tree_read_file(context, NULL, &tree), THUD_ERROR_ARGUMENT);
}

static void getters_say_what_was_expected_and_what_is_there(void **state) {
  thud_context *context = *state;
  thud_tree *tree = parse(context, "a: abc\nb: 3\nc: [1, x]\nd: {k: 1}\ne: true\nf: ~\nr: [[1, 2], [3]]\n"
                                   "m: [[1, 2], [3, 4]]\ng: 2.5\nh: [[1, x]]\ni: []\nj: [3]\n");
  const thud_node *root = thud_tree_root(tree), *node = root;
  double x = 7, four[4] = {7, 7, 7, 7};
  const char *text = "untouched";
  bool truth = true;
  int64_t whole = 7;
  int choice = 7;
  size_t rows = 7, columns = 7;
  static const char *const choices[] = {"event-driven", "abd", "moreau", NULL};
  static const char *const allowed[] = {"a", "b", "cc", "d"};
  assert_int_equal(thud_node_read_number(at(tree, "a"), &x), THUD_ERROR_SCHEMA);
  thud_test_message_has(context, "a.yaml:1:4: /a: expected a number, got the string 'abc'", NULL);
  assert_int_equal(thud_node_read_string(at(tree, "b"), &text), THUD_ERROR_SCHEMA);
  thud_test_message_has(context, "a.yaml:2:4: /b: expected a string, got the number 3", NULL);
  assert_int_equal(thud_node_read_bool(at(tree, "c"), &truth), THUD_ERROR_SCHEMA);
  thud_test_message_has(context, "a.yaml:3:4: /c: expected true or false, got a sequence of 2", NULL);
  assert_int_equal(thud_node_expect(at(tree, "e"), THUD_NODE_MAP), THUD_ERROR_SCHEMA);
  thud_test_message_has(context, "a.yaml:5:4: /e: expected a map, got true", NULL);
  assert_int_equal(thud_node_expect(at(tree, "d"), THUD_NODE_SEQUENCE), THUD_ERROR_SCHEMA);
  thud_test_message_has(context, "a.yaml:4:4: /d: expected a sequence, got a map of 1", NULL);
  assert_int_equal(thud_node_read_number(at(tree, "f"), &x), THUD_ERROR_SCHEMA);
  thud_test_message_has(context, "a.yaml:6:4: /f: expected a number, got nothing (null)", NULL);
  assert_int_equal(thud_node_require(root, "thud", &node), THUD_ERROR_SCHEMA);
  thud_test_message_has(context, "a.yaml:1:1: the key 'thud' is missing; add 'thud: ...'", NULL);
  assert_int_equal(thud_node_require(at(tree, "b"), "thud", &node), THUD_ERROR_SCHEMA);
  assert_int_equal(thud_node_check_keys(root, allowed, 4), THUD_ERROR_SCHEMA);
  thud_test_message_has(context, "a.yaml:3:1: /c: unknown key 'c' (did you mean 'cc'?)", NULL);
  assert_int_equal(thud_node_check_keys(at(tree, "b"), allowed, 4), THUD_ERROR_SCHEMA);
  assert_int_equal(thud_node_read_choice(at(tree, "a"), choices, &choice), THUD_ERROR_SCHEMA);
  thud_test_message_has(context, "a.yaml:1:4: /a: 'abc' is none of event-driven, abd, moreau (did you mean 'abd'?)",
                        NULL);
  assert_int_equal(thud_node_read_integer(at(tree, "g"), 0, 10, &whole), THUD_ERROR_SCHEMA);
  thud_test_message_has(context, "a.yaml:9:4: /g: expected a whole number from 0 to 10, got the number 2.5", NULL);
  assert_int_equal(thud_node_read_integer(at(tree, "b"), 4, 10, &whole), THUD_ERROR_SCHEMA);
  assert_int_equal(thud_node_read_integer(at(tree, "b"), 0, 2, &whole), THUD_ERROR_SCHEMA);
  assert_int_equal(thud_node_read_numbers(at(tree, "c"), 2, four), THUD_ERROR_SCHEMA);
  thud_test_message_has(context, "a.yaml:3:8: /c/1: expected a number, got the string 'x'", NULL);
  assert_int_equal(thud_node_read_numbers(at(tree, "j"), 2, four), THUD_ERROR_SCHEMA);
  thud_test_message_has(context, "a.yaml:12:4: /j: expected 2 numbers, got 1", NULL);
  assert_int_equal(thud_node_matrix_shape(at(tree, "r"), &rows, &columns), THUD_ERROR_SCHEMA);
  thud_test_message_has(context, "a.yaml:7:13: /r/1: this row has 1 entries, the first row has 2; make them equal",
                        NULL);
  assert_int_equal(thud_node_matrix_shape(at(tree, "i"), &rows, &columns), THUD_ERROR_SCHEMA);
  assert_int_equal(thud_node_matrix_shape(at(tree, "j"), &rows, &columns), THUD_ERROR_SCHEMA);
  thud_test_message_has(context, "a.yaml:12:5: /j/0: expected a row of the matrix: a sequence, got the number 3", NULL);
  assert_int_equal(thud_node_read_matrix(at(tree, "m"), 2, 3, four), THUD_ERROR_SCHEMA);
  thud_test_message_has(context, "a.yaml:8:4: /m: expected a matrix of 2 x 3, got 2 x 2", NULL);
  assert_int_equal(thud_node_read_matrix(at(tree, "h"), 1, 2, four), THUD_ERROR_SCHEMA);
  thud_test_message_has(context, "a.yaml:10:9: /h/0/1: expected a number, got the string 'x'", NULL);
  /* nothing was written by a failed call */
  thud_assert_equal(x, 7);
  assert_true(truth);
  thud_assert_equal(whole, 7);
  thud_assert_equal(choice, 7);
  thud_assert_equal(rows, 7);
  thud_assert_equal(columns, 7);
  assert_ptr_equal(node, root);
  for (int k = 0; k < 4; k++) thud_assert_equal(four[k], 7);
  assert_string_equal(text, "untouched");
  assert_int_equal(thud_node_read_matrix(at(tree, "m"), 2, 2, four), THUD_OK);
  for (int k = 0; k < 4; k++) thud_assert_equal(four[k], k + 1);
  assert_int_equal(thud_node_read_integer(at(tree, "b"), 3, 3, &whole), THUD_OK);
  assert_int_equal(whole, 3);
  assert_int_equal(thud_node_require(root, "b", &node), THUD_OK);
  assert_ptr_equal(node, at(tree, "b"));
  thud_tree_destroy(tree);
}

static void missing_keys_are_named_with_what_may_stand_there(void **state) {
  thud_context *context = *state;
  thud_tree *tree = parse(context, "kind: hinge\nother: slide\n"), *copy = NULL;
  const thud_node *root = thud_tree_root(tree), *node = root;
  static const char *const choices[] = {"ball", "hinge", NULL};
  int choice = 7;
  assert_int_equal(thud_node_require_as(root, "length", "a number > 0", &node), THUD_ERROR_SCHEMA);
  thud_test_message_has(context, "the key 'length' is missing; add 'length: ...', a number > 0", NULL);
  assert_ptr_equal(node, root);
  assert_int_equal(thud_node_require_choice(root, "joint", choices, &choice), THUD_ERROR_SCHEMA);
  thud_test_message_has(context, "the key 'joint' is missing; add 'joint: ...', one of ball, hinge", NULL);
  assert_int_equal(thud_node_require_choice(root, "other", choices, &choice), THUD_ERROR_SCHEMA);
  thud_test_message_has(context, "/other: 'slide' is none of ball, hinge", NULL);
  assert_int_equal(choice, 7);
  assert_int_equal(thud_node_require_choice(root, "kind", choices, &choice), THUD_OK);
  assert_int_equal(choice, 1);
  const thud_tree_value value = {.kind = THUD_NODE_NUMBER, .number = 0};
  assert_int_equal(thud_tree_add(tree, root, "friction", &value, NULL), THUD_OK);
  assert_true(thud_node_is_added(thud_node_find(root, "friction")));
  assert_false(thud_node_is_added(thud_node_find(root, "kind")));
  assert_false(thud_node_is_added(NULL));
  assert_int_equal(thud_tree_copy(context, tree, &copy), THUD_OK);
  assert_true(thud_node_is_added(thud_node_find(thud_tree_root(copy), "friction")));
  assert_false(thud_node_is_added(thud_node_find(thud_tree_root(copy), "kind")));
  thud_tree_destroy(copy);
  thud_tree_destroy(tree);
}

static void unknown_keys_and_choices_get_a_suggestion(void **state) {
  thud_context *context = *state;
  thud_tree *tree = parse(context, "paramters: 1\nmethod: moreua\ngood: event-driven\n");
  static const char *const allowed[] = {"method", "parameters"}, *const choices[] = {"moreau", "event-driven", NULL};
  assert_int_equal(thud_node_check_keys(thud_tree_root(tree), allowed, 2), THUD_ERROR_SCHEMA);
  thud_test_message_has(context, "a.yaml:1:1: /paramters: unknown key 'paramters' (did you mean 'parameters'?)", NULL);
  int choice = -1;
  assert_int_equal(thud_node_read_choice(at(tree, "method"), choices, &choice), THUD_ERROR_SCHEMA);
  thud_test_message_has(context,
                        "a.yaml:2:9: /method: 'moreua' is none of moreau, event-driven (did you mean 'moreau'?)", NULL);
  assert_int_equal(thud_node_fail_within(at(tree, "method"), THUD_ERROR_SCHEMA), THUD_ERROR_SCHEMA);
  thud_test_message_has(
      context,
      "a.yaml:2:9: /method: a.yaml:2:9: /method: 'moreua' is none of moreau, event-driven (did you mean 'moreau'?)",
      NULL);
  assert_int_equal(choice, -1);
  assert_int_equal(thud_node_read_choice(at(tree, "good"), choices, &choice), THUD_OK);
  assert_int_equal(choice, 1);
  assert_int_equal(thud_node_expect(at(tree, "good"), THUD_NODE_NULL), THUD_ERROR_SCHEMA);
  thud_tree_destroy(tree);
}

/* Columns inside a string lead to the place in the file when the string is there letter by letter. */
static void trouble_inside_a_string_is_placed_in_the_file(void **state) {
  thud_context *context = *state;
  thud_tree *tree = parse(context, "a: x + yy\nb: 'x + yy'\nc: \"x +\\tyy\"\nd: \"\xC3\xA4 + yy\"\n");
  static const struct {
    const char *key, *place;
    int byte;
  } cases[] = {{"a", "a.yaml:1:8: /a: inner:1:1: byte 0xFF is not UTF-8; save the file as UTF-8", 5},
               {"b", "a.yaml:2:9: /b: inner:1:1: byte 0xFF is not UTF-8; save the file as UTF-8", 5},
               {"c", "a.yaml:3:4: /c: inner:1:1: byte 0xFF is not UTF-8; save the file as UTF-8", 5},
               {"d", "a.yaml:4:9: /d: inner:1:1: byte 0xFF is not UTF-8; save the file as UTF-8", 6},
               {"a", "a.yaml:1:4: /a: inner:1:1: byte 0xFF is not UTF-8; save the file as UTF-8", 1},
               {"a", "a.yaml:1:10: /a: inner:1:1: byte 0xFF is not UTF-8; save the file as UTF-8", 7}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    /* any failed call leaves a message; an unreadable text is the simplest */
    thud_tree *none = NULL;
    assert_int_equal(thud_tree_read_text(context, "inner", "\xFF", 1, &none), THUD_ERROR_SYNTAX);
    assert_int_equal(thud_node_fail_within_at(at(tree, cases[k].key), cases[k].byte, THUD_ERROR_SYNTAX),
                     THUD_ERROR_SYNTAX);
    thud_test_message_has(context, cases[k].place, "not UTF-8", NULL);
  }
  thud_tree_destroy(tree);
}

static void values_are_set_by_dotted_paths(void **state) {
  thud_context *context = *state;
  thud_tree *tree = parse(context, good_scene);
  assert_int_equal(thud_tree_set(tree, "g", "9.81"), THUD_OK);
  thud_assert_equal(number_at(tree, "parameters.g"), 9.81);
  assert_int_equal(thud_tree_set(tree, "system.constraints.1.phi", "min(q, 2*q) - 1"), THUD_OK);
  assert_string_equal(string_at(tree, "system.constraints.1.phi"), "min(q, 2*q) - 1");
  assert_int_equal(thud_tree_set(tree, "system.constraints.0.friction", "{mu: 0.3, slip: [\"y'\"]}"), THUD_OK);
  thud_assert_equal(number_at(tree, "system.constraints.0.friction.mu"), 0.3);
  assert_int_equal(thud_tree_set(tree, "initial.q'", "-2"), THUD_OK);
  thud_assert_equal(number_at(tree, "initial.q'"), -2);
  assert_int_equal(thud_tree_set(tree, "system.mass.0.1", "7"), THUD_OK);
  thud_assert_equal(number_at(tree, "system.mass.0.1"), 7);
  thud_assert_equal(number_at(tree, "system.again.0.1"), 0); /* aliases are copies */
  const thud_node *mu = at(tree, "system.constraints.0.friction.mu");
  assert_int_equal(thud_node_line(mu), 0);
  assert_int_equal(thud_node_expect(mu, THUD_NODE_STRING), THUD_ERROR_SCHEMA);
  thud_test_message_has(
      context,
      "--set system.constraints.0.friction: /system/constraints/0/friction/mu: expected a string, got the number 0.3",
      NULL);

  static const struct {
    const char *path, *value;
    thud_error error;
    const char *says;
  } cases[] = {
      {"mas", "1", THUD_ERROR_NOT_FOUND, "--set mas: there is no parameter 'mas' (did you mean 'mass'?)"},
      {"title", "x", THUD_ERROR_NOT_FOUND, "--set title: there is no parameter 'title'"},
      {"simulat.end", "1", THUD_ERROR_NOT_FOUND,
       "--set simulat.end: there is no key 'simulat' (did you mean 'simulate'?)"},
      {"system.constraints.2.phi", "1", THUD_ERROR_NOT_FOUND,
       "--set system.constraints.2.phi: '2' is not an index of a sequence of 2; they count from 0"},
      {"system.constraints.x", "1", THUD_ERROR_NOT_FOUND,
       "--set system.constraints.x: 'x' is not an index of a sequence of 2; they count from 0"},
      {"thud.version", "1", THUD_ERROR_NOT_FOUND, "--set thud.version: 'version' cannot be looked up in the number 1"},
      {"system..x", "1", THUD_ERROR_ARGUMENT, "names of 1 to 128 bytes"},
      {"system.", "1", THUD_ERROR_ARGUMENT, "names of 1 to 128 bytes"},
      {"", "1", THUD_ERROR_ARGUMENT, "--set takes a path and a value"},
      {"g", "[1, 2", THUD_ERROR_SYNTAX,
       "--set g: column 6: did not find expected ',' or ']' (while parsing a flow sequence that starts in line 1); "
       "close the [ or put the text into quotes"},
      {"g", ".inf", THUD_ERROR_NOT_FINITE,
       "--set g: /parameters/g: .inf is not a finite number; numbers must be below 1.8e308 (a text needs quotes)"},
      {"g", "", THUD_ERROR_SYNTAX, "nothing here"},
      {"g", "{a: 1, a: 2}", THUD_ERROR_SYNTAX, "--set g: /parameters/g/a: the key 'a' is written twice; keep one"},
      {"g", "1\n--- 2", THUD_ERROR_SYNTAX, "second document"},
      {"g", "\xFF", THUD_ERROR_SYNTAX, "not UTF-8"},
  };
  char *before = NULL, *after = NULL;
  assert_int_equal(thud_tree_write_json(tree, &before), THUD_OK);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    thud_error error = thud_tree_set(tree, cases[k].path, cases[k].value);
    if (error != cases[k].error) fail_msg("'%s' = '%s': error %d", cases[k].path, cases[k].value, (int)error);
    thud_test_message_has(context, cases[k].says, NULL);
  }
  assert_int_equal(thud_tree_write_json(tree, &after), THUD_OK);
  assert_string_equal(before, after); /* failed calls change nothing */
  thud_tree_free_text(tree, before);
  thud_tree_free_text(tree, after);
  thud_tree_destroy(tree);
  tree = parse(context, "a: 1\n");
  assert_int_equal(thud_tree_set(tree, "g", "1"), THUD_ERROR_NOT_FOUND);
  thud_test_message_has(context, "--set g: a bare name means a parameter, but the scene has none; write a dotted path",
                        NULL);
  thud_tree_destroy(tree);
}

/* ---- round trips --------------------------------------------------------------------------------------- */

static bool same_nodes(const thud_node *a, const thud_node *b) {
  if (thud_node_get_kind(a) != thud_node_get_kind(b) || thud_node_count(a) != thud_node_count(b)) return false;
  double x = thud_node_number(a), y = thud_node_number(b);
  if (memcmp(&x, &y, sizeof x) != 0 || thud_node_bool(a) != thud_node_bool(b)) return false;
  if (thud_node_get_kind(a) == THUD_NODE_STRING && strcmp(thud_node_string(a), thud_node_string(b)) != 0) return false;
  for (size_t k = 0; k < thud_node_count(a); k++) {
    if (thud_node_get_kind(a) == THUD_NODE_MAP && strcmp(thud_node_key(a, k), thud_node_key(b, k)) != 0) return false;
    if (!same_nodes(thud_node_item(a, k), thud_node_item(b, k))) return false;
  }
  return true;
}

static void assert_round_trip(thud_context *context, const thud_tree *tree) {
  char *text = NULL, *again = NULL;
  assert_int_equal(thud_tree_write_json(tree, &text), THUD_OK);
  thud_tree *back = parse(context, text);
  if (!same_nodes(thud_tree_root(tree), thud_tree_root(back))) fail_msg("does not read back: %s", text);
  assert_int_equal(thud_tree_write_json(back, &again), THUD_OK);
  assert_string_equal(text, again);
  thud_tree_free_text(tree, text);
  thud_tree_free_text(back, again);
  thud_tree_destroy(back);
}

static void written_trees_read_back_the_same(void **state) {
  thud_context *context = *state;
  static const char *const texts[] = {
      good_scene,
      "[]",
      "{}",
      "3",
      "~",
      "'text'",
      "- -0.0\n- 0.1\n- 1e-308\n- 1.7976931348623157e308\n- 5e-324\n",
      "a: \"\\x01\\e\\x7f\\x85\\x9f\\L\\P\\uFEFF\\uFFFE\\uFFFF\\U0001F600 \\\\ \\\" / \\r\\n\\t\"\n",
      "\"k\\n\\u2028\": {\"\": [[], {}, [[]]]}\n",
      "a: 'true'\nb: '~'\nc: '1'\nd: ' x '\ne: \"\"\nf: '# no comment'\ng: '<<'\n'<<': 1\n",
  };
  for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
    thud_tree *tree = parse(context, texts[k]);
    assert_round_trip(context, tree);
    thud_tree_destroy(tree);
  }
}

static void append_random_value(thud_random *random, int depth, char *out, size_t room) {
#define APPEND(...) (void)snprintf(out + strlen(out), room - strlen(out), __VA_ARGS__)
  uint32_t kind = thud_random_below(random, depth > 0 ? 7 : 5);
  if (kind == 0) APPEND("null");
  if (kind == 1) APPEND("%s", thud_random_below(random, 2) ? "true" : "false");
  if (kind == 2) APPEND("%.17g", thud_random_normal(random) * pow(10, thud_random_uniform(random, -300, 300)));
  if (kind == 3) APPEND("%u", thud_random_below(random, 1000));
  if (kind == 4) {
    APPEND("\"");
    for (uint32_t k = thud_random_below(random, 6); k > 0; k--)
      APPEND("\\u%04x", 1 + thud_random_below(random, 0xD7FF));
    APPEND("\"");
  }
  if (kind >= 5) {
    APPEND("%s", kind == 5 ? "[" : "{");
    for (uint32_t k = 0, n = thud_random_below(random, 5); k < n; k++) {
      if (k > 0) APPEND(",");
      if (kind == 6) APPEND("\"k%u\\u%04x\":", k, 1 + thud_random_below(random, 0xD7FF));
      append_random_value(random, depth - 1, out, room);
    }
    APPEND("%s", kind == 5 ? "]" : "}");
  }
#undef APPEND
}

static void random_trees_read_back_the_same(void **state) {
  thud_context *context = *state;
  thud_random random = thud_random_seed(11);
  static char text[200000];
  for (int round = 0; round < 500; round++) {
    text[0] = '\0';
    append_random_value(&random, 4, text, sizeof text);
    thud_tree *tree = parse(context, text);
    assert_round_trip(context, tree);
    thud_tree_destroy(tree);
  }
}

/* Thousands of damaged scenes: each is read or refused with a place, and what is read can be written and read back. */
static void damaged_scenes_never_crash(void **state) {
  thud_context *context = *state;
  thud_random random = thud_random_seed(5);
  static const char spice[] = "[]{}:,-&*!|>'\"%@`#?\n\t \\<~.0eE+\xC3\xFF";
  char text[sizeof good_scene + 64];
  int read = 0, refused = 0;
  for (int round = 0; round < 6000; round++) {
    size_t length = sizeof good_scene - 1;
    memcpy(text, good_scene, length);
    for (uint32_t k = 1 + thud_random_below(&random, 4); k > 0; k--) {
      size_t place = thud_random_below(&random, (uint32_t)length);
      uint32_t how = thud_random_below(&random, 4);
      if (how == 0) text[place] = (char)thud_random_below(&random, 256);
      if (how == 1) text[place] = spice[thud_random_below(&random, sizeof spice - 1)];
      if (how == 2) memmove(text + place, text + place + 1, --length - place);
      if (how == 3) {
        memmove(text + place + 1, text + place, length++ - place);
        text[place] = spice[thud_random_below(&random, sizeof spice - 1)];
      }
    }
    if (thud_random_below(&random, 8) == 0) length = thud_random_below(&random, (uint32_t)length);
    thud_tree *tree = NULL;
    thud_error error = thud_tree_read_text(context, "f", text, length, &tree);
    if (error == THUD_OK) {
      read++;
      assert_round_trip(context, tree);
      thud_tree_destroy(tree);
    } else {
      int line = 0, column = 0;
      refused++;
      if (sscanf(thud_context_last_message(context), "f:%d:%d: ", &line, &column) != 2 || line < 1 || column < 1)
        fail_msg("no place in '%s'", thud_context_last_message(context));
    }
  }
  thud_assert_greater(read, 500);
  thud_assert_greater(refused, 500);
}

static thud_error use_everything(thud_context *context, void *user) {
  const char *scene = user;
  thud_tree *tree = NULL;
  char *text = NULL;
  thud_error error = thud_tree_read_text(context, "a.yaml", scene, strlen(scene), &tree);
  if (error != THUD_OK) {
    assert_null(tree);
    return error;
  }
  error = thud_tree_set(tree, "system.constraints.0.friction", "{mu: 0.3, slip: [1, 2, 3]}");
  if (error == THUD_OK) error = thud_tree_write_json(tree, &text);
  if (error != THUD_OK) assert_null(text);
  thud_tree_free_text(tree, text);
  thud_tree_destroy(tree);
  return error;
}

static thud_error read_a_file(thud_context *context, void *user) {
  thud_tree *tree = NULL;
  thud_error error = thud_tree_read_file(context, user, &tree);
  if (error != THUD_OK) assert_null(tree);
  thud_tree_destroy(tree);
  return error;
}

static void every_failed_allocation_is_survived(void **state) {
  (void)state;
  /* enough of everything that each kind of allocation is once the one that needs a new block */
  static char scene[40000];
  strcpy(scene, good_scene);
  for (int k = 0; k < 400; k++)
    sprintf(scene + strlen(scene), "k%d: &a%d {x: [%d, 'some text %d'], y: *M, \"%0*d\": 1}\n", k, k, k, k, k % 90, 7);
  thud_assert_greater(thud_test_sweep_allocations(use_everything, scene), 40);
  char path[] = "thud-sweep-XXXXXX";
  int descriptor = mkstemp(path);
  thud_assert_at_least(descriptor, 0);
  assert_int_equal(write(descriptor, good_scene, sizeof good_scene - 1), sizeof good_scene - 1);
  assert_int_equal(close(descriptor), 0);
  thud_assert_greater(thud_test_sweep_allocations(read_a_file, path), 5);
  assert_int_equal(unlink(path), 0);
}

/* Bytes that are no UTF-8 are left out of messages, one by one; control characters become blanks. */
static void messages_are_one_line_of_utf8(void **state) {
  thud_context *context = *state;
  assert_int_equal(thud_tree_fail_at(context, THUD_ERROR_SYNTAX, "f", 3, 7, "%s",
                                     "a\xff"
                                     "b\xc3\xa9\xe2\x82"
                                     "c\nd"),
                   THUD_ERROR_SYNTAX);
  assert_string_equal(thud_context_last_message(context), "f:3:7: ab\xc3\xa9"
                                                          "c d");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(a_scene_is_read_with_core_types_and_places, set_up, tear_down),
      cmocka_unit_test_setup_teardown(json_is_read_too, set_up, tear_down),
      cmocka_unit_test_setup_teardown(trouble_is_named_with_its_line_and_column, set_up, tear_down),
      cmocka_unit_test_setup_teardown(sizes_are_bounded, set_up, tear_down),
      cmocka_unit_test_setup_teardown(files_are_read_or_refused_by_name, set_up, tear_down),
      cmocka_unit_test_setup_teardown(getters_say_what_was_expected_and_what_is_there, set_up, tear_down),
      cmocka_unit_test_setup_teardown(missing_keys_are_named_with_what_may_stand_there, set_up, tear_down),
      cmocka_unit_test_setup_teardown(unknown_keys_and_choices_get_a_suggestion, set_up, tear_down),
      cmocka_unit_test_setup_teardown(trouble_inside_a_string_is_placed_in_the_file, set_up, tear_down),
      cmocka_unit_test_setup_teardown(values_are_set_by_dotted_paths, set_up, tear_down),
      cmocka_unit_test_setup_teardown(written_trees_read_back_the_same, set_up, tear_down),
      cmocka_unit_test_setup_teardown(random_trees_read_back_the_same, set_up, tear_down),
      cmocka_unit_test_setup_teardown(messages_are_one_line_of_utf8, set_up, tear_down),
      cmocka_unit_test_setup_teardown(damaged_scenes_never_crash, set_up, tear_down),
      cmocka_unit_test_setup_teardown(every_failed_allocation_is_survived, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
