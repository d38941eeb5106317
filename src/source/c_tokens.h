/* c_tokens.h - the tokens of a source in C, C++, CUDA or OpenCL, without comments and preprocessor
 * lines.
 */
#ifndef HONE_SOURCE_C_TOKENS_H
#define HONE_SOURCE_C_TOKENS_H

#include "base/memory.h"

#include <stdbool.h>

struct hone__code_token {
  const char *text; /* in the source */
  size_t length;
  int line;             /* from 1 */
  bool after_directive; /* a preprocessor line precedes it */
};

struct hone__code_tokens { /* { 0 } is empty */
  struct hone__code_token *list;
  size_t count, capacity;
};

void hone__code_tokens_read(const char *source, struct hone__code_tokens *tokens);
void hone__code_tokens_release(struct hone__code_tokens *tokens);

bool hone__code_token_is(const struct hone__code_token *token, const char *text);
/* A name or a keyword. */
bool hone__code_token_is_word(const struct hone__code_token *token);
/* The index of the bracket that closes the one at `open`; the number of tokens if there is none. */
size_t hone__code_tokens_end(const struct hone__code_tokens *tokens, size_t open);
/* A brace that does not start a new level: of `extern "C"` or of a namespace. */
bool hone__code_tokens_is_outer_brace(const struct hone__code_tokens *tokens, size_t at);

#endif
