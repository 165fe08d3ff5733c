#include "record/unit.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

void thud_record_unit_per(const char *unit, const char *time, size_t size, char *text) {
  size_t length = strlen(unit), tail = strlen(time);
  bool density = length > 0 && tail > 0;
  bool product =
      density && length > tail + 1 && unit[length - tail - 1] == ' ' && strcmp(unit + length - tail, time) == 0;
  bool rate = density && length > tail + 1 && unit[length - tail - 1] == '/' && strcmp(unit + length - tail, time) == 0;
  if (product)
    snprintf(text, size, "%.*s", (int)(length - tail - 1), unit);
  else if (rate)
    snprintf(text, size, "%s^2", unit);
  else
    snprintf(text, size, "%s%s%s", unit, density ? "/" : "", density ? time : "");
}
