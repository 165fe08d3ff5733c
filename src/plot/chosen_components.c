/* Components that were asked for by name: each has to be in one of the panels. */
#include "base/json.h"
#include "plot/picture.h"

#include <string.h>

enum { MOST_SHOWN = 24 }; /* names in a message */

/* Number of the listed name; SIZE_MAX: it is not in the list. */
static size_t place_in(const char *list, const char *name) {
  size_t length = strlen(name), place = 0;
  for (const char *p = list; *p != '\0'; place++) {
    size_t word = strcspn(p, ",");
    if (word == length && strncmp(p, name, length) == 0) return place;
    p += word + (p[word] == ',');
  }
  return SIZE_MAX;
}

void thud_plot_meet_components(thud_picture *picture, const plot_reading *reading, const char *components) {
  for (size_t c = 0; components != NULL && c < reading->width; c++) {
    size_t place = place_in(components, reading->names[c]);
    if (place < PLOT_MOST_LISTED) picture->met[place] = true;
  }
}

/* A name of the state or of the reactions that is not among the first `count`. */
static size_t add_names(const plot_record *record, size_t count, const char **names) {
  for (size_t k = 0; k < record->usual_count; k++) {
    const thud_record_channel *channel = thud_plot_channel(record, record->sources[k]);
    for (size_t c = 0; c < channel->width && channel->components != NULL && count < PLOT_MOST_SERIES; c++) {
      bool known = false;
      for (size_t j = 0; j < count && !known; j++) known = strcmp(names[j], channel->components[c]) == 0;
      if (!known) names[count++] = channel->components[c];
    }
  }
  return count;
}

static thud_error fail_component(const thud_picture *picture, const char *name) {
  const char *names[PLOT_MOST_SERIES] = {NULL};
  size_t count = 0;
  for (size_t k = 0; k < picture->record_count; k++) count = add_names(&picture->records[k], count, names);
  const char *near = thud_suggest(name, names, count);
  thud_text list = thud_text_new(picture->context);
  for (size_t k = 0; k < count && k < MOST_SHOWN; k++) thud_text_print(&list, "%s%s", k > 0 ? ", " : "", names[k]);
  if (count > MOST_SHOWN) thud_text_print(&list, " and %zu more", count - MOST_SHOWN);
  thud_error error =
      near != NULL ? thud_fail(picture->context, THUD_ERROR_NOT_FOUND,
                               "[unknown-channel] --components: the panels have no component '%s' (did you mean '%s'?)",
                               name, near)
                   : thud_fail(picture->context, THUD_ERROR_NOT_FOUND,
                               "[unknown-channel] --components: the panels have no component '%s'; the record has %s",
                               name, thud_text_chars(&list));
  thud_text_free(&list);
  return error;
}

thud_error thud_plot_check_met(const thud_picture *picture, const char *components) {
  const char *p = components;
  for (size_t place = 0; p != NULL && *p != '\0' && place < PLOT_MOST_LISTED; place++) {
    size_t word = strcspn(p, ",");
    if (!picture->met[place]) {
      char *name = thud_strndup(picture->context, p, word);
      if (name == NULL) return THUD_ERROR_MEMORY;
      thud_error error = place_in(components, name) < place ? THUD_OK : fail_component(picture, name);
      thud_free(picture->context, name);
      if (error != THUD_OK) return error;
    }
    p += word + (p[word] == ',');
  }
  return THUD_OK;
}
