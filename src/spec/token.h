/* token.h - the words, numbers and signs of an expression's text. */
#ifndef HONE_SPEC_TOKEN_H
#define HONE_SPEC_TOKEN_H

#include "base/status.h"
#include "spec/expression.h"

enum hone_token_kind {
  HONE_TOKEN_END,
  HONE_TOKEN_NUMBER,
  HONE_TOKEN_STRING,
  HONE_TOKEN_WORD, /* a name with a `$` in front is one too */
  HONE_TOKEN_SIGN,
  HONE_TOKEN_BAD /* the error is described */
};

struct hone_token {
  enum hone_token_kind kind;
  uint32_t begin, end;
  struct hone_value value; /* of a number or string; 2^63, which fits only behind a minus sign, is
                              INT64_MIN */
};

struct hone_scanner {
  const char *text;
  struct hone_arena *arena;
  struct hone_syntax_error *error;
  bool failed;
};

/* The token at `from` or behind it. */
struct hone_token hone__scan(struct hone_scanner *scanner, uint32_t from);

/* Describes an error; the first one stays. Returns NULL, for those who return a node. */
void *hone__scan_fail(struct hone_scanner *scanner, uint32_t offset, const char *format, ...)
    HONE__PRINTF(3, 4);

extern const char hone__does_not_fit[];

#endif
