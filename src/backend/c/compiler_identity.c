/* The identity of a build. It is computed from the source's text, without a preprocessor, which
 * would take longer than a cache hit saves: a define counts only if the source can see its name, or
 * if that is uncertain. A command of the spec may use all of its words: all count.
 */
#include "backend/c/compiler.h"

#include "backend/c/c_object.h"
#include "backend/command_template.h"
#include "backend/kernel/compiler_words.h"
#include "backend/kernel/pipeline.h"
#include "build/toolchain.h"

#include <stdlib.h>

/* ---- What the source can see ---- */

bool hone__compiler_is_open(const struct hone__kernel_candidate *candidate,
                            const struct hone__build_source_text *source)
{
  static const char *const readers[] = {"-I", "-i", "@", "-B", "--sysroot", "-fprofile-use"};

  if (source->is_open || candidate->includes_count) return true;
  for (size_t i = 0; i < candidate->flags_count; i++) {
    if (candidate->flags[i][0] != '-') return true;
    for (size_t k = 0; k < sizeof readers / sizeof *readers; k++)
      if (hone__starts_with(candidate->flags[i], readers[k])) return true;
  }
  return false;
}

/* ## may create the name from parts, the first of which occurs in the text. */
static bool may_be_pasted(const struct hone__text *text, const char *name)
{
  for (size_t length = 1; length < strlen(name); length++)
    if (hone__build_source_has_word(text, name, length)) return true;
  return false;
}

/* System headers test such names too. */
static bool is_reserved(const char *name)
{
  return name[0] == '_' || strcmp(name, "NDEBUG") == 0;
}

/* The source's text with the values of all defines, which may name other defines. */
static void add_values(const struct hone__kernel_candidate *candidate, struct hone__text *text)
{
  for (size_t i = 0; i < candidate->defines_count; i++) {
    hone__text_add(text, "\n");
    hone__text_add(text, candidate->defines[i].value);
  }
}

static bool has_command(const struct hone__kernel_candidate *candidate)
{
  return candidate->command != NULL;
}

/* An entry that only a compiler can find is part of what is compiled. */
static bool names_entries(const struct hone__kernel_candidate *candidate)
{
  struct hone__text entries = {0};
  bool names;

  hone__pipeline_entries(candidate, &entries);
  names = entries.length && !hone__c_entry_is_plain(entries.data);
  hone__text_release(&entries);
  return names;
}

static void identify_entries(const struct hone__kernel_candidate *candidate,
                             struct hone__digester *digester)
{
  struct hone__text entries = {0};

  if (!names_entries(candidate)) return;
  hone__pipeline_entries(candidate, &entries);
  hone__digest_add_text(digester, entries.data);
  hone__text_release(&entries);
}

static void identify_defines(const struct hone__kernel_candidate *candidate,
                             const struct hone__build_source_text *source,
                             struct hone__digester *digester)
{
  size_t count = candidate->defines_count, given = candidate->given_defines;
  bool all = has_command(candidate) || hone__compiler_is_open(candidate, source) ||
             names_entries(candidate); /* which may name any of them */
  struct hone__text text = {0};

  hone__text_addn(&text, source->text.data ? source->text.data : "", source->text.length);
  add_values(candidate, &text);
  for (size_t i = 0; i < count; i++) {
    const char *name = candidate->defines[i].name;
    if (!all && i + given < count && !is_reserved(name) &&
        !hone__build_source_has_word(&text, name, strlen(name)) &&
        !(source->has_pastes && may_be_pasted(&text, name)))
      continue;
    hone__digest_add_text(digester, name);
    hone__digest_add_text(digester, candidate->defines[i].value);
  }
  hone__digest_add_text(digester, NULL);
  hone__text_release(&text);
}

/* Of `build.defines`. */
static void identify_given(const struct hone__kernel_candidate *candidate,
                           struct hone__digester *digester)
{
  size_t count = candidate->defines_count;

  for (size_t i = count - candidate->given_defines; i < count; i++) {
    hone__digest_add_text(digester, candidate->defines[i].name);
    hone__digest_add_text(digester, candidate->defines[i].value);
  }
}

/* ---- Which compiler ---- */

static void identify_compiler(const struct hone__kernel_candidate *candidate, const char *folder,
                              bool ask, struct hone__digester *digester)
{
  struct hone__words words = {0};

  if (has_command(candidate)) /* a script, and its arguments; it may write a source */
    hone__toolchain_identify(candidate->command, folder, false, digester);
  hone__kernel_add_compiler(&words, candidate);
  hone__toolchain_identify((const char *const *)words.data, folder, ask, digester);
  hone__words_release(&words);
}

static void identify_environment(const struct hone__kernel_candidate *candidate,
                                 struct hone__digester *digester)
{
  bool native = false;

  hone__toolchain_identify_environment(digester);
  for (size_t i = 0; i < candidate->flags_count; i++)
    native = native || strstr(candidate->flags[i], "native");
  if (has_command(candidate)) hone__toolchain_identify_variables(candidate->command, digester);
  if (native || has_command(candidate)) hone__toolchain_identify_processor(digester);
}

static void identify_list(const char *const *list, size_t count, struct hone__digester *digester)
{
  for (size_t i = 0; i < count; i++)
    hone__digest_add_text(digester, list[i]);
  hone__digest_add_text(digester, NULL);
}

static const char *or_empty(const char *text)
{
  return text ? text : "";
}

void hone__compiler_identify(const struct hone__kernel_candidate *candidate,
                             const struct hone__build_source_text *source, const char *folder,
                             bool ask, struct hone__digester *digester)
{
  hone__digest_add_text(digester, "c 4"); /* and the command's implicit additions */
  hone__digest_add_text(digester, source->digest);
  hone__digest_add_text(digester, or_empty(candidate->language));
  hone__digest_add_text(digester, or_empty(candidate->compiler));
  identify_list(candidate->flags, candidate->flags_count, digester);
  identify_list(candidate->includes, candidate->includes_count, digester);
  identify_list(candidate->command, candidate->command_count, digester);
  if (!has_command(candidate) || hone__command_mentions(candidate->command, "defines"))
    identify_defines(candidate, source, digester);
  else
    identify_given(candidate, digester);
  if (hone__compiler_is_open(candidate, source) || has_command(candidate)) {
    hone__digest_add_text(digester, folder);
    hone__digest_add_text(digester, or_empty(candidate->source));
  }
  identify_entries(candidate, digester);
  identify_compiler(candidate, folder, ask, digester);
  identify_environment(candidate, digester);
}
