/* A program that also uses libthud-io: reads a tree from text, and refuses a text that is none. */
#include <thud/io.h>

#include <stdio.h>
#include <string.h>

int main(void) {
  thud_context *context;
  if (thud_context_create(NULL, &context) != THUD_OK) return 1;
  const char *whole = "a: [1, 2]\n", *broken = "a: [1, 2\n";
  thud_tree *tree = NULL, *none = NULL;
  thud_error read = thud_tree_read_text(context, "text", whole, strlen(whole), &tree);
  thud_error refused = thud_tree_read_text(context, "text", broken, strlen(broken), &none);
  bool good = read == THUD_OK && refused != THUD_OK && strlen(thud_context_last_message(context)) > 0;
  thud_tree_destroy(tree);
  thud_context_destroy(context);
  printf("%s\n", thud_version());
  return good ? 0 : 1;
}
