/* Title and units in the pictures of studies. */
#include "cli/study.h"

#include <stdio.h>
#include <string.h>

/* The text of an entry of a map; "" when there is none. */
static const char *entry(const thud_node *map, const char *key) {
  const thud_node *node = map != NULL && thud_node_get_kind(map) == THUD_NODE_MAP ? thud_node_find(map, key) : NULL;
  return node != NULL && thud_node_get_kind(node) == THUD_NODE_STRING ? thud_node_string(node) : "";
}

const char *study_scene_title(const cli_call *call, const thud_tree *tree) {
  const char *title = entry(thud_tree_root(tree), "title");
  return title[0] != '\0' ? title : call->operands[0];
}

const char *study_time_unit(const thud_tree *tree) {
  const thud_node *units = thud_node_find(thud_tree_root(tree), "units");
  const char *unit = entry(units, "t");
  return unit[0] != '\0' ? unit : "s";
}

void study_unit(const thud_tree *tree, const char *name, char unit[STUDY_UNIT]) {
  const thud_node *units = thud_node_find(thud_tree_root(tree), "units");
  char of[STUDY_UNIT];
  size_t length = strlen(name);
  bool rate = length > 1 && length < sizeof of && name[length - 1] == '\'';
  snprintf(of, sizeof of, "%.*s", (int)(rate ? length - 1 : length), name);
  const char *found = length < sizeof of ? entry(units, of) : "";
  unit[0] = '\0';
  if (strcmp(name, "t") == 0)
    snprintf(unit, STUDY_UNIT, "%s", study_time_unit(tree));
  else if (found[0] != '\0' && rate)
    snprintf(unit, STUDY_UNIT, "%.60s/%.60s", found, study_time_unit(tree));
  else
    snprintf(unit, STUDY_UNIT, "%s", found);
}

thud_plot_figure study_step_figure(const thud_tree *tree, const char *title, const thud_plot_panel *panel) {
  return (thud_plot_figure){.title = title,
                            .x_label = "step",
                            .x_unit = study_time_unit(tree),
                            .x_log = true,
                            .panel_count = 1,
                            .panels = panel};
}
