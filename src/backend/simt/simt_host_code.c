/* A function without __device__ and __global__ may be one of the device nevertheless, by a macro
 * that hides these words. So it is dropped only if its body has what no device can do. */
#include "backend/simt/simt_host_code.h"

#include "base/text.h"
#include "source/c_tokens.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *const words_of_devices[] = {"__device__", "__global__", NULL};
static const char *const memories_of_devices[] = {"__constant__", "__shared__", "__managed__",
                                                  NULL};
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

struct compiler_log { /* NULL: what the words say counts */
  const char *text, *name;
};

struct function { /* from token `begin` on, its body between `open` and `close` */
  size_t begin, open, close;
};

static const char *skip_word(const char *text, const char *word)
{
  return hone__starts_with(text, word) ? text + strlen(word) : text;
}

/* The line of an error in this file, at the beginning of a line of the log; 0: there is none. A
 * warning may be about a variable that is called error. */
static long error_line(const char *at, const char *name)
{
  size_t length = strlen(name);
  char *end;
  long line;

  if (strncmp(at, name, length) != 0 || (at[length] != '(' && at[length] != ':')) return 0;
  line = strtol(at + length + 1, &end, 10);
  at = end + strspn(end, "0123456789:) ");
  at = skip_word(skip_word(at, "fatal "), "catastrophic ");
  return hone__starts_with(at, "error") ? line : 0;
}

static bool has_error(const struct compiler_log *log, long first, long last)
{
  for (const char *at = log->text; *at; at += strcspn(at, "\n"), at += *at == '\n') {
    long line = error_line(at, log->name);
    if (line && first <= line && line <= last) return true;
  }
  return false;
}

static bool is_of_host(const struct hone__code_token *list, const struct function *f,
                       const struct compiler_log *log)
{
  static const char *const main_name[] = {"main", NULL};

  if (!f->open || *list[f->open - 1].text != ')' ||
      has_word(list, f->begin, f->open, words_of_devices))
    return false;
  if (log) return has_error(log, list[f->begin].line, list[f->close].line);
  return has_word(list, f->begin, f->open, main_name) || needs_host(list, f->open, f->close);
}

static void overwrite(char *text, const struct hone__code_token *list, size_t begin, size_t end)
{
  for (size_t i = begin; i <= end; i++)
    memset(text + (list[i].text - text), ' ', list[i].length);
}

/* `FILE *log;`, `std::string name(int);`, `using std::endl;`, a struct: from token `begin` on to
 * its semicolon. Only a compiler can tell. */
static bool is_declaration_of_host(const struct hone__code_token *list, size_t begin, size_t end,
                                   const struct compiler_log *log)
{
  return log && begin < end && !has_word(list, begin, end, words_of_devices) &&
         !has_word(list, begin, end, memories_of_devices) &&
         has_error(log, list[begin].line, list[end].line);
}

static bool drop(char *text, const struct compiler_log *log)
{
  struct hone__code_tokens tokens = {0};
  size_t begin = 0, close;
  bool has_dropped = false;

  hone__code_tokens_read(text, &tokens);
  for (size_t i = 0; i < tokens.count; i++) {
    char mark = *tokens.list[i].text;
    if (mark == ';' && is_declaration_of_host(tokens.list, begin, i, log)) {
      overwrite(text, tokens.list, begin, i);
      has_dropped = true;
    }
    if (mark == ';' || mark == '}') begin = i + 1;
    if (mark != '{') continue;
    if (hone__code_tokens_is_outer_brace(&tokens, i)) {
      begin = i + 1;
      continue;
    }
    close = hone__code_tokens_end(&tokens, i);
    if (close == tokens.count) break; /* of branches of the preprocessor, perhaps */
    if (is_of_host(tokens.list, &(struct function){begin, i, close}, log)) {
      overwrite(text, tokens.list, begin, close);
      has_dropped = true;
    }
    if (*tokens.list[i - (i > 0)].text == ')') begin = close + 1;
    i = close;
  }
  hone__code_tokens_release(&tokens);
  return has_dropped;
}

void hone__simt_host_code_drop(char *text)
{
  drop(text, NULL);
}

bool hone__simt_host_code_drop_at(char *text, const char *log, const char *name)
{
  const struct compiler_log compiler_log = {log, name};

  return drop(text, &compiler_log);
}
