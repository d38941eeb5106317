/* How often a kernel runs over all its elements: a first size must not make it take minutes. */
#include "sketch/sketch.h"

#include "source/c_tokens.h"

/* `for (int j = 0; j < n; j++)`, between the two brackets. A loop that starts at the index of a
 * thread is divided among the threads. */
static bool runs_over(const struct hone__code_tokens *tokens, size_t open, size_t close,
                      const char *size)
{
  bool has_bound = false, from_start = false;

  for (size_t i = open + 1; i + 2 < close; i++) {
    const struct hone__code_token *token = &tokens->list[i];
    bool is_start = hone__code_token_is(token + 1, "0") || hone__code_token_is(token + 1, "1");
    if (hone__code_token_is(token, "=") && is_start && hone__code_token_is(token + 2, ";"))
      from_start = true;
    if (hone__code_token_is(token, "<") && hone__code_token_is(token + 1, size)) has_bound = true;
  }
  return has_bound && from_start;
}

/* The end of the statement after the bracket at `close`. */
static size_t body_end(const struct hone__code_tokens *tokens, size_t close)
{
  size_t at = close + 1;

  while (at < tokens->count && !hone__code_token_is(&tokens->list[at], "{") &&
         !hone__code_token_is(&tokens->list[at], ";")) {
    bool opens = hone__code_token_is(&tokens->list[at], "(");
    at = opens ? hone__code_tokens_end(tokens, at) + 1 : at + 1;
  }
  if (at < tokens->count && hone__code_token_is(&tokens->list[at], "{"))
    return hone__code_tokens_end(tokens, at);
  return at < tokens->count ? at : tokens->count;
}

static bool is_loop(const struct hone__code_tokens *tokens, size_t at)
{
  return (hone__code_token_is(&tokens->list[at], "for") ||
          hone__code_token_is(&tokens->list[at], "while")) &&
         hone__code_token_is(&tokens->list[at + 1], "(");
}

/* The depth of nested loops over this size; NULL: over any. */
static unsigned depth_of(const struct hone__code_tokens *tokens, size_t begin, size_t end,
                         const char *size)
{
  size_t ends[8];
  unsigned open = 0, deepest = 0;

  for (size_t i = begin; i + 1 < end; i++) {
    size_t close;
    while (open && i >= ends[open - 1])
      open--;
    if (!is_loop(tokens, i)) continue;
    close = hone__code_tokens_end(tokens, i + 1);
    if (close >= end || (size && !runs_over(tokens, i + 1, close, size))) continue;
    if (open < sizeof ends / sizeof *ends) ends[open++] = body_end(tokens, close);
    if (open > deepest) deepest = open;
  }
  return deepest;
}

unsigned hone__sketch_passes(const struct hone__sketch *sketch, const char *size)
{
  bool has_threads =
      sketch->language == HONE__SKETCH_CUDA || sketch->language == HONE__SKETCH_OPENCL;
  struct hone__code_tokens tokens = {0};
  unsigned depth;

  hone__code_tokens_read(sketch->text, &tokens);
  depth = depth_of(&tokens, 0, tokens.count, size);
  hone__code_tokens_release(&tokens);
  return depth + has_threads;
}

unsigned hone__sketch_nesting(const struct hone__sketch *sketch, const char *function)
{
  struct hone__code_tokens tokens = {0};
  size_t begin, end;
  unsigned depth = 0;

  hone__code_tokens_read(sketch->source, &tokens);
  if (hone__sketch_body_of(&tokens, function, &begin, &end))
    depth = depth_of(&tokens, begin, end, NULL);
  hone__code_tokens_release(&tokens);
  return depth;
}
