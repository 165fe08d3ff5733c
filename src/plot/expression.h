/* Names and expressions of a record's scene. */
#ifndef THUD_SRC_PLOT_EXPRESSION_H
#define THUD_SRC_PLOT_EXPRESSION_H

#include "plot/picture.h"
#include "thud/expr.h"
#include "thud/tree.h"

typedef struct plot_scope plot_scope;

/* The names that expressions of this record may use; made once, owned by the record. */
thud_error thud_plot_scope(thud_picture *picture, plot_record *record, plot_scope **scope);
/* Root of the resolved scene; NULL: the record holds none. */
const thud_node *thud_plot_scope_root(const plot_scope *scope);
/* The section of a scene that describes its motion; NULL: the scene has none. */
const thud_node *thud_plot_section(const thud_node *root);
/* The text of a key; NULL: there is none. */
const char *thud_plot_text_at(const thud_node *map, const char *key);
thud_error thud_plot_scope_compile(const plot_scope *scope, const char *text, thud_expr **expr);
/* Slots of t and of a name (-1: none), and how many there are. */
thud_index thud_plot_scope_time(const plot_scope *scope);
thud_index thud_plot_scope_find(const plot_scope *scope, const char *name);
size_t thud_plot_scope_size(const plot_scope *scope);

#endif
