#include "thud/base.h"

const char *thud_error_name(thud_error error) {
  switch (error) {
#define THUD_ERROR_NAME(name, number, text)                                                                            \
  case name: return #name;
    THUD_ERROR_TABLE(THUD_ERROR_NAME)
#undef THUD_ERROR_NAME
  }
  return "unknown error";
}

const char *thud_error_text(thud_error error) {
  switch (error) {
#define THUD_ERROR_TEXT(name, number, text)                                                                            \
  case name: return text;
    THUD_ERROR_TABLE(THUD_ERROR_TEXT)
#undef THUD_ERROR_TEXT
  }
  return "unknown error";
}
