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

const char *thud_error_code(thud_error error) {
  switch (error) {
  case THUD_OK: break;
  case THUD_ERROR_MEMORY: return "memory";
  case THUD_ERROR_ARGUMENT: return "argument";
  case THUD_ERROR_DIMENSION: return "wrong-dimension";
  case THUD_ERROR_OVERFLOW: return "too-large";
  case THUD_ERROR_NOT_FINITE: return "not-finite";
  case THUD_ERROR_NOT_SPD: return "not-positive-definite";
  case THUD_ERROR_SINGULAR: return "singular";
  case THUD_ERROR_EMPTY_SET: return "empty-set";
  case THUD_ERROR_UNQUALIFIED: return "unqualified";
  case THUD_ERROR_UNSUPPORTED: return "unsupported";
  case THUD_ERROR_NOT_CONVERGED: return "not-converged";
  case THUD_ERROR_CALLBACK: return "callback";
  case THUD_ERROR_SYNTAX: return "syntax";
  case THUD_ERROR_SCHEMA: return "schema";
  case THUD_ERROR_FILE: return "file";
  case THUD_ERROR_FORMAT: return "format";
  case THUD_ERROR_EXISTS: return "exists";
  case THUD_ERROR_NOT_FOUND: return "not-found";
  case THUD_ERROR_INTERRUPTED: return "interrupted";
  case THUD_ERROR_INTERNAL: return "internal";
  }
  return "";
}
