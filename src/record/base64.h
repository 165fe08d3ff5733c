/* Bytes as letters (RFC 4648, section 4), as they come: whatever takes four letters at a time is the output. */
#ifndef THUD_SRC_RECORD_BASE64_H
#define THUD_SRC_RECORD_BASE64_H

#include <stddef.h>

typedef struct thud_base64 {
  void (*put)(void *user, const char letters[4]);
  void *user;
  unsigned char held[3];
  int count; /* of bytes held */
} thud_base64;

void thud_base64_add(thud_base64 *encoder, const void *bytes, size_t count);
/* The last one or two bytes, with = behind them. */
void thud_base64_end(thud_base64 *encoder);

#endif
