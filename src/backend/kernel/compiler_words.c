#include "backend/kernel/compiler_words.h"

static void add_word(struct hone__words *words, const char *prefix, const char *word,
                     const char *value)
{
  struct hone__text text = {0};

  hone__text_addf(&text, "%s%s%s%s", prefix, word, value ? "=" : "", value ? value : "");
  hone__words_add(words, text.data);
  hone__text_release(&text);
}

void hone__kernel_add_compiler(struct hone__words *words,
                               const struct hone__kernel_candidate *candidate)
{
  const char *compiler = candidate->compiler ? candidate->compiler : "";
  hone_status status = hone__words_split(words, compiler);

  if (status) hone__words_add(words, compiler); /* a quote in a file's name */
  hone_status_free(status);
}

/* Libraries must follow the objects that need them. */
static bool is_library(const char *flag)
{
  size_t length = strlen(flag);

  return hone__starts_with(flag, "-l") ||
         (flag[0] != '-' && length > 2 && strcmp(flag + length - 2, ".a") == 0);
}

void hone__kernel_add_flags(struct hone__words *words,
                            const struct hone__kernel_candidate *candidate, bool libraries)
{
  for (size_t i = 0; i < candidate->flags_count; i++)
    if (is_library(candidate->flags[i]) == libraries) hone__words_add(words, candidate->flags[i]);
}

void hone__kernel_add_includes(struct hone__words *words,
                               const struct hone__kernel_candidate *candidate)
{
  for (size_t i = 0; i < candidate->includes_count; i++)
    add_word(words, "-I", candidate->includes[i], NULL);
}

void hone__kernel_add_defines(struct hone__words *words,
                              const struct hone__kernel_candidate *candidate)
{
  for (size_t i = 0; i < candidate->defines_count; i++)
    add_word(words, "-D", candidate->defines[i].name, candidate->defines[i].value);
}
