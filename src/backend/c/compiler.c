/* One command builds one candidate: the default words, or those of a template. */
#include "backend/c/compiler.h"

#include "backend/command_template.h"

static void add_word(struct hone__words *words, const char *word)
{
  hone__words_add(words, word);
}

/* ---- The command ---- */

/* Libraries must follow the objects that need them. */
static bool is_library(const char *flag)
{
  size_t length = strlen(flag);

  return hone__starts_with(flag, "-l") ||
         (flag[0] != '-' && length > 2 && strcmp(flag + length - 2, ".a") == 0);
}

static void add_flags(struct hone__words *words, const struct hone__kernel_candidate *candidate,
                      bool libraries)
{
  for (size_t i = 0; i < candidate->flags_count; i++)
    if (is_library(candidate->flags[i]) == libraries) add_word(words, candidate->flags[i]);
}

static void add_includes(struct hone__words *words, const struct hone__kernel_candidate *candidate)
{
  struct hone__text word = {0};

  for (size_t i = 0; i < candidate->includes_count; i++) {
    word.length = 0;
    hone__text_addf(&word, "-I%s", candidate->includes[i]);
    add_word(words, word.data);
  }
  hone__text_release(&word);
}

static void add_defines(struct hone__words *words, const struct hone__kernel_candidate *candidate)
{
  struct hone__text word = {0};

  for (size_t i = 0; i < candidate->defines_count; i++) {
    word.length = 0;
    hone__text_addf(&word, "-D%s=%s", candidate->defines[i].name, candidate->defines[i].value);
    add_word(words, word.data);
  }
  hone__text_release(&word);
}

static const char *compiler_of(const struct hone__kernel_candidate *candidate)
{
  return candidate->compiler ? candidate->compiler : "";
}

void hone__compiler_add(struct hone__words *words, const struct hone__kernel_candidate *candidate)
{
  hone_status status = hone__words_split(words, compiler_of(candidate));

  if (status) add_word(words, compiler_of(candidate)); /* a quote in a file's name */
  hone_status_free(status);
}

static void add_all_flags(struct hone__words *words, const struct hone__kernel_candidate *candidate)
{
  add_flags(words, candidate, false);
  add_flags(words, candidate, true);
}

static const struct list_word {
  const char *word;
  void (*add)(struct hone__words *words, const struct hone__kernel_candidate *candidate);
} list_words[] = {
    {"{flags}", add_all_flags},
    {"{includes}", add_includes},
    {"{defines}", add_defines},
    {"{compiler}", hone__compiler_add},
};
enum { LIST_WORD_COUNT = sizeof list_words / sizeof *list_words };

static const struct list_word *find_list_word(const char *word)
{
  for (size_t i = 0; i < LIST_WORD_COUNT; i++)
    if (strcmp(list_words[i].word, word) == 0) return &list_words[i];
  return NULL;
}

/* Words of the spec's command; the driver has replaced all names except these. */
static void add_command_words(const struct hone__kernel_candidate *candidate, const char *source,
                              const char *output, const char *deps, struct hone__words *words)
{
  struct hone__pairs values = {0};

  hone__pairs_add(&values, "source", source);
  hone__pairs_add(&values, "output", output);
  hone__pairs_add(&values, "compiler", compiler_of(candidate));
  hone__pairs_add(&values, "depfile", deps ? deps : "kernel.d");
  for (size_t i = 0; i < candidate->command_count; i++) {
    const struct list_word *list = find_list_word(candidate->command[i]);
    const char *const one[] = {candidate->command[i], NULL};
    if (list)
      list->add(words, candidate);
    else
      hone__command_fill(one, &values, words);
  }
  hone__pairs_release(&values);
}

void hone__compiler_words(const struct hone__kernel_candidate *candidate, const char *source,
                          const char *output, const char *deps, struct hone__words *out_words)
{
  if (candidate->command) {
    add_command_words(candidate, source, output, deps, out_words);
    return;
  }
  hone__compiler_add(out_words, candidate);
  add_flags(out_words, candidate, false);
  add_includes(out_words, candidate);
  add_defines(out_words, candidate);
  add_word(out_words, "-shared");
  add_word(out_words, "-fPIC");
  add_word(out_words, "-Wl,--build-id=none"); /* equal code gives equal bytes */
  add_word(out_words,
           "-Wl,-Bsymbolic"); /* use the kernel's `index` or `gamma`, not that of the C library */
  if (deps) {
    add_word(out_words, "-fdiagnostics-color=never");
    add_word(out_words, "-MD");
    add_word(out_words, "-MF");
    add_word(out_words, deps);
  }
  add_word(out_words, "-o");
  add_word(out_words, output);
  add_word(out_words, source);
  add_flags(out_words, candidate, true);
  if (candidate->math.type != HONE_BOOL || candidate->math.integer) add_word(out_words, "-lm");
}
