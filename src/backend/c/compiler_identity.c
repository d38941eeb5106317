/* What tells one build from another. It is found by looking at the source, not by running a
 * preprocessor, which would take longer than a hit in the cache saves: a define counts only if the
 * source can see its name. Where that cannot be told, it counts. A command of the spec may do
 * anything with what it is given: all of its words count. */
#include "backend/c/compiler.h"

#include "backend/command_template.h"
#include "wire/message_text.h"
#include "build/toolchain.h"

#include <stdlib.h>

/* ---- What the source can see ---- */

bool hone__compiler_is_open(const json_t *candidate, const struct hone__source_text *source)
{
  static const char *const readers[] = {"-I", "-i", "@", "-B", "--sysroot", "-fprofile-use"};
  const json_t *flags = json_object_get(candidate, "flags");

  if (source->is_open || json_array_size(json_object_get(candidate, "includes"))) return true;
  for (size_t i = 0; i < json_array_size(flags); i++) {
    if (hone__message_word(flags, i)[0] != '-') return true;
    for (size_t k = 0; k < sizeof readers / sizeof *readers; k++)
      if (hone__starts_with(hone__message_word(flags, i), readers[k])) return true;
  }
  return false;
}

/* ## may make the name of pieces, the first of which stands somewhere. */
static bool may_be_pasted(const struct hone__text *text, const char *name)
{
  for (size_t length = 1; length < strlen(name); length++)
    if (hone__source_has_word(text, name, length)) return true;
  return false;
}

/* Headers of the system look at such names too. */
static bool is_reserved(const char *name)
{
  return name[0] == '_' || strcmp(name, "NDEBUG") == 0;
}

/* The source's text with the values of all defines, which may name other defines. */
static void add_values(const json_t *defines, struct hone__text *text)
{
  for (size_t i = 0; i < json_array_size(defines); i++) {
    hone__text_add(text, "\n");
    hone__text_add(text, hone__message_word(json_array_get(defines, i), 1));
  }
}

static bool has_command(const json_t *candidate)
{
  return json_object_get(candidate, "command") != NULL;
}

static void identify_defines(const json_t *candidate, const struct hone__source_text *source,
                             struct hone__digester *digester)
{
  const json_t *defines = json_object_get(candidate, "defines");
  size_t count = json_array_size(defines);
  size_t given = (size_t)json_integer_value(json_object_get(candidate, "given_defines"));
  bool all = has_command(candidate) || hone__compiler_is_open(candidate, source);
  struct hone__text text = {0};

  hone__text_addn(&text, source->text.data ? source->text.data : "", source->text.length);
  add_values(defines, &text);
  for (size_t i = 0; i < count; i++) {
    const char *name = hone__message_word(json_array_get(defines, i), 0);
    if (!all && i + given < count && !is_reserved(name) &&
        !hone__source_has_word(&text, name, strlen(name)) &&
        !(source->has_pastes && may_be_pasted(&text, name)))
      continue;
    hone__digest_add_text(digester, name);
    hone__digest_add_text(digester, hone__message_word(json_array_get(defines, i), 1));
  }
  hone__digest_add_text(digester, NULL);
  hone__text_release(&text);
}

/* ---- Which compiler ---- */

static void identify_compiler(const json_t *candidate, const char *folder, bool ask,
                              struct hone__digester *digester)
{
  const json_t *command = json_object_get(candidate, "command");
  json_t *words = json_array();

  if (command) /* a script, and what it is given */
    json_array_extend(words, (json_t *)command);
  else
    hone__compiler_add(words, candidate);
  hone__toolchain_identify(words, folder, ask && !command, digester);
  json_decref(words);
}

static void identify_environment(const json_t *candidate, struct hone__digester *digester)
{
  const json_t *flags = json_object_get(candidate, "flags");
  bool native = false;

  hone__toolchain_identify_environment(digester);
  for (size_t i = 0; i < json_array_size(flags); i++)
    native = native || strstr(hone__message_word(flags, i), "native");
  if (has_command(candidate))
    hone__toolchain_identify_variables(json_object_get(candidate, "command"), digester);
  if (native || has_command(candidate)) hone__toolchain_identify_processor(digester);
}

static void identify_list(const json_t *candidate, const char *key, struct hone__digester *digester)
{
  const json_t *list = json_object_get(candidate, key);

  for (size_t i = 0; i < json_array_size(list); i++)
    hone__digest_add_text(digester, hone__message_word(list, i));
  hone__digest_add_text(digester, NULL);
}

void hone__compiler_identify(const json_t *candidate, const struct hone__source_text *source,
                             const char *folder, bool ask, struct hone__digester *digester)
{
  hone__digest_add_text(digester, "c 3"); /* and what the command adds by itself */
  hone__digest_add_text(digester, source->digest);
  hone__digest_add_text(digester, hone__message_text(candidate, "language"));
  hone__digest_add_text(digester, hone__message_text(candidate, "compiler"));
  identify_list(candidate, "flags", digester);
  identify_list(candidate, "includes", digester);
  identify_list(candidate, "command", digester);
  if (!has_command(candidate) ||
      hone__command_mentions(json_object_get(candidate, "command"), "defines"))
    identify_defines(candidate, source, digester);
  if (hone__compiler_is_open(candidate, source) || has_command(candidate)) {
    hone__digest_add_text(digester, folder);
    hone__digest_add_text(digester, hone__message_text(candidate, "source"));
  }
  identify_compiler(candidate, folder, ask, digester);
  identify_environment(candidate, digester);
}
