/* What goes into a build: the command, the source and what it reads, the compiler, the machine. */
#include "backend/program/program_origin.h"

#include "build/build_deps.h"
#include "build/source_text.h"
#include "backend/program/program_plan.h"
#include "build/toolchain.h"

#include <stdlib.h>

static const char *const *words_of(const struct hone__program_origin *origin)
{
  return (const char *const *)origin->candidate->build;
}

/* ---- What it depends on ---- */

/* The folders after -I: the next word, or the rest of this one. */
static void find_includes(const char *const *words, struct hone__words *includes)
{
  for (; *words; words++) {
    const char *folder = *words + 2;
    if (!hone__starts_with(*words, "-I")) continue;
    if (!*folder) folder = words[1];
    if (folder && folder[0] == '/') hone__words_add(includes, folder);
  }
}

/* Without the compiler's list: a source of C that includes nothing but headers of the system. */
static bool is_closed(const struct hone__program_origin *origin, const struct hone__words *includes)
{
  struct hone__build_source_text source;
  hone_status status;
  bool closed;

  if (!origin->language->is_c || includes->count) return false;
  status = hone__build_source_text_read(origin->candidate->source, &source);
  closed = !status && !source.is_open;
  hone_status_free(status);
  hone__build_source_text_release(&source);
  return closed;
}

void hone__program_origin_deps(const struct hone__program_origin *origin, const char *list,
                               struct hone__pairs *deps, bool *out_are_all)
{
  const char *source = origin->candidate->source;
  struct hone__words includes = {0};
  bool listed;

  find_includes(words_of(origin), &includes);
  hone__program_imports(origin->language, source, hone__words_list(&includes), deps);
  listed = hone__build_deps_add_listed(deps, list, source, origin->directory, hone__program_digest);
  hone__build_deps_add_named(deps, words_of(origin), 1, source, origin->directory,
                             hone__program_digest);
  *out_are_all = origin->candidate->template || listed || !origin->language->worker_words ||
                 is_closed(origin, &includes);
  hone__words_release(&includes);
}

/* ---- Its key ---- */

static void identify_environment(const struct hone__program_origin *origin,
                                 struct hone__digester *digester)
{
  hone__toolchain_identify_environment(digester);
  if (origin->candidate->template) hone__toolchain_identify_variables(words_of(origin), digester);
  hone__digest_add_text(digester, getenv("MODULAR_MOJO_MAX_IMPORT_PATH"));
  hone__toolchain_identify_processor(digester); /* -march=native, and Mojo, which builds for it */
}

static void identify_compiler(const struct hone__program_origin *origin,
                              struct hone__digester *digester)
{
  const char *const words[] = {words_of(origin)[0], NULL};

  hone__toolchain_identify(words, origin->directory, !origin->candidate->template, digester);
}

void hone__program_origin_key(const struct hone__program_origin *origin,
                              char out_key[HONE__DIGEST_SIZE])
{
  const struct hone__program_candidate *candidate = origin->candidate;
  struct hone__digester *digester = hone__digest_begin();

  hone__digest_add_text(digester, "program 3");
  for (const char *const *word = words_of(origin); *word; word++)
    hone__digest_add_text(digester, *word);
  hone__digest_add_text(digester, NULL);
  hone__digest_add_text(digester, candidate->source);
  hone__digest_add_text(digester, candidate->source_digest);
  hone__digest_add_text(digester, candidate->wrapper);
  hone__digest_add_text(digester, origin->directory);
  identify_compiler(origin, digester);
  identify_environment(origin, digester);
  hone__digest_end(digester, out_key);
}
