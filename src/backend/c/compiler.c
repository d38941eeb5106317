/* One command builds one candidate: its own words, or those of a template. */
#include "backend/c/compiler.h"

#include "build/command.h"
#include "backend/command_template.h"
#include "wire/message_text.h"

static void add_word(json_t *words, const char *word)
{
  json_array_append_new(words, json_string(word));
}

/* ---- The command ---- */

/* Libraries count only behind what needs them. */
static bool is_library(const char *flag)
{
  size_t length = strlen(flag);

  return hone__starts_with(flag, "-l") ||
         (flag[0] != '-' && length > 2 && strcmp(flag + length - 2, ".a") == 0);
}

static void add_flags(json_t *words, const json_t *candidate, bool libraries)
{
  const json_t *flags = json_object_get(candidate, "flags");

  for (size_t i = 0; i < json_array_size(flags); i++)
    if (is_library(hone__message_word(flags, i)) == libraries)
      add_word(words, hone__message_word(flags, i));
}

static void add_includes(json_t *words, const json_t *candidate)
{
  const json_t *includes = json_object_get(candidate, "includes");
  struct hone__text word = {0};

  for (size_t i = 0; i < json_array_size(includes); i++) {
    word.length = 0;
    hone__text_addf(&word, "-I%s", hone__message_word(includes, i));
    add_word(words, word.data);
  }
  hone__text_release(&word);
}

static void add_defines(json_t *words, const json_t *candidate)
{
  const json_t *defines = json_object_get(candidate, "defines");
  struct hone__text word = {0};

  for (size_t i = 0; i < json_array_size(defines); i++) {
    const json_t *pair = json_array_get(defines, i);
    word.length = 0;
    hone__text_addf(&word, "-D%s=%s", hone__message_word(pair, 0), hone__message_word(pair, 1));
    add_word(words, word.data);
  }
  hone__text_release(&word);
}

void hone__compiler_add(json_t *words, const json_t *candidate)
{
  hone_status status = hone__command_split(hone__message_text(candidate, "compiler"), words);

  if (status)
    add_word(words, hone__message_text(candidate, "compiler")); /* a quote in a file's name */
  hone_status_free(status);
}

static void add_all_flags(json_t *words, const json_t *candidate)
{
  add_flags(words, candidate, false);
  add_flags(words, candidate, true);
}

static const struct list_word {
  const char *word;
  void (*add)(json_t *words, const json_t *candidate);
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

/* Words of the spec's command; the driver has replaced all names but these. */
static void add_template_words(json_t *words, const json_t *candidate, const json_t *values)
{
  const json_t *command = json_object_get(candidate, "command");

  for (size_t i = 0; i < json_array_size(command); i++) {
    const struct list_word *list = find_list_word(hone__message_word(command, i));
    struct hone__text text = {0};
    if (list) {
      list->add(words, candidate);
      continue;
    }
    hone__command_fill_word(hone__message_word(command, i), values, &text);
    add_word(words, text.data ? text.data : "");
    hone__text_release(&text);
  }
}

static json_t *command_words(const json_t *candidate, const char *source, const char *output,
                             const char *deps)
{
  json_t *words = json_array();
  json_t *values =
      json_pack("{ss ss ss ss}", "source", source, "output", output, "compiler",
                hone__message_text(candidate, "compiler"), "depfile", deps ? deps : "kernel.d");

  add_template_words(words, candidate, values);
  json_decref(values);
  return words;
}

json_t *hone__compiler_words(const json_t *candidate, const char *source, const char *output,
                             const char *deps)
{
  json_t *words;

  if (json_object_get(candidate, "command")) return command_words(candidate, source, output, deps);
  words = json_array();
  hone__compiler_add(words, candidate);
  add_flags(words, candidate, false);
  add_includes(words, candidate);
  add_defines(words, candidate);
  add_word(words, "-shared");
  add_word(words, "-fPIC");
  add_word(words, "-Wl,--build-id=none"); /* equal code gives equal bytes */
  add_word(words, "-Wl,-Bsymbolic"); /* its own `index` or `gamma`, not that of the C library */
  if (deps) {
    add_word(words, "-fdiagnostics-color=never");
    add_word(words, "-MD");
    add_word(words, "-MF");
    add_word(words, deps);
  }
  add_word(words, "-o");
  add_word(words, output);
  add_word(words, source);
  add_flags(words, candidate, true);
  if (!json_is_false(json_object_get(candidate, "math"))) add_word(words, "-lm");
  return words;
}
