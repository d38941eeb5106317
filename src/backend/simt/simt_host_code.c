/* A function without __device__ and __global__ may be one of the device nevertheless, by a macro
 * that hides these words. So it is dropped only if its body has what no device can do. */
#include "backend/simt/simt_host_code.h"

#include "source/c_tokens.h"

#include <ctype.h>
#include <string.h>

static const char *const words_of_devices[] = {"__device__", "__global__", NULL};
static const char *const words_of_hosts[] = {
    "fprintf", "stderr",       "stdout",          "exit", "fopen", "fclose", "getenv",
    "atoi",    "rand",         "srand",           "cout", "cerr",  "vector", "string",
    "chrono",  "gettimeofday", "checkCudaErrors", NULL};

static bool is_one_of(const struct hone__code_token *token, const char *const *words)
{
  while (*words && !hone__code_token_is(token, *words))
    words++;
  return *words;
}

/* "cudaMalloc(": of a library's name, and no type. */
static bool calls_library(const struct hone__code_token *token)
{
  size_t prefix = strncmp(token->text, "cuda", 4) == 0  ? 4
                  : strncmp(token->text, "hip", 3) == 0 ? 3
                                                        : 0;

  return prefix && token->length > prefix && isupper((unsigned char)token->text[prefix]) &&
         *token[1].text == '(';
}

static bool has_word(const struct hone__code_token *list, size_t begin, size_t end,
                     const char *const *words)
{
  while (begin < end && !is_one_of(&list[begin], words))
    begin++;
  return begin < end;
}

static bool needs_host(const struct hone__code_token *list, size_t begin, size_t end)
{
  for (size_t i = begin; i < end; i++)
    if (strncmp(list[i].text, "<<<", 3) == 0 || calls_library(&list[i]) ||
        is_one_of(&list[i], words_of_hosts))
      return true;
  return false;
}

/* A function from `begin` on, whose body is between `open` and `close`. */
static bool is_of_host(const struct hone__code_token *list, size_t begin, size_t open, size_t close)
{
  static const char *const main_name[] = {"main", NULL};

  if (!open || *list[open - 1].text != ')' || has_word(list, begin, open, words_of_devices))
    return false;
  return has_word(list, begin, open, main_name) || needs_host(list, open, close);
}

static void overwrite(char *text, const struct hone__code_token *list, size_t begin, size_t end)
{
  for (size_t i = begin; i <= end; i++)
    memset(text + (list[i].text - text), ' ', list[i].length);
}

void hone__simt_host_code_drop(char *text)
{
  struct hone__code_tokens tokens = {0};
  size_t begin = 0, close;

  hone__code_tokens_read(text, &tokens);
  for (size_t i = 0; i < tokens.count; i++) {
    char mark = *tokens.list[i].text;
    if (mark == ';' || mark == '}') begin = i + 1;
    if (mark != '{') continue;
    if (hone__code_tokens_is_outer_brace(&tokens, i)) {
      begin = i + 1;
      continue;
    }
    close = hone__code_tokens_end(&tokens, i);
    if (close == tokens.count) break; /* of branches of the preprocessor, perhaps */
    if (is_of_host(tokens.list, begin, i, close)) overwrite(text, tokens.list, begin, close);
    if (*tokens.list[i - (i > 0)].text == ')') begin = close + 1;
    i = close;
  }
  hone__code_tokens_release(&tokens);
}
