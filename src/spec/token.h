/* token.h - the words, numbers and signs of an expression's text. */
#ifndef HONE_SPEC_TOKEN_H
#define HONE_SPEC_TOKEN_H

#include "base/status.h"
#include "spec/expression.h"

enum hone__token_kind {
  HONE__TOKEN_END,
  HONE__TOKEN_NUMBER,
  HONE__TOKEN_STRING,
  HONE__TOKEN_WORD, /* a name with a `$` in front is one too */
  HONE__TOKEN_SIGN,
  HONE__TOKEN_BAD /* the error is described */
};

struct hone__token {
  enum hone__token_kind kind;
  uint32_t begin, end;
  struct hone_value value; /* of a number or string; 2^63, which fits only after a minus sign, is
                              INT64_MIN */
};

struct hone__scanner {
  const char *text;
  struct hone__arena *arena;
  struct hone__syntax_error *error;
  bool failed;
};

/* The token at `from` or after it. */
struct hone__token hone__scan(struct hone__scanner *scanner, uint32_t from);

/* Describes an error; the first one stays. Returns NULL, for callers that return a node. */
void *hone__scan_fail(struct hone__scanner *scanner, uint32_t offset, const char *format, ...)
    HONE__PRINTF(3, 4);

extern const char hone__does_not_fit[];

#endif
