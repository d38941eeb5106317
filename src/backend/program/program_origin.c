/* What goes into a build: the command, the source and what it reads, the compiler, the machine. */
#include "backend/program/program_origin.h"

#include "build/build_deps.h"
#include "build/source_text.h"
#include "wire/message_text.h"
#include "backend/program/program_plan.h"
#include "build/toolchain.h"

#include <stdlib.h>

/* ---- What it depends on ---- */

/* The folders behind -I: the next word, or the rest of this one. */
static json_t *includes_of(const json_t *words)
{
  json_t *includes = json_array();

  for (size_t i = 0; i < json_array_size(words); i++) {
    const char *word = json_string_value(json_array_get(words, i));
    if (!word || !hone__starts_with(word, "-I")) continue;
    if (!word[2])
      word = json_string_value(json_array_get(words, i + 1));
    else
      word += 2;
    if (word && word[0] == '/') json_array_append_new(includes, json_string(word));
  }
  return includes;
}

/* Without the compiler's list: a source of C that includes nothing but headers of the system. */
static bool is_closed(const struct hone__program_origin *origin, const json_t *includes)
{
  struct hone__source_text source;
  hone_status status;
  bool closed;

  if (!origin->language->is_c || json_array_size(includes)) return false;
  status = hone__source_text_read(origin->source, &source);
  closed = !status && !source.is_open;
  hone_status_free(status);
  hone__source_text_release(&source);
  return closed;
}

json_t *hone__program_origin_deps(const struct hone__program_origin *origin, const char *list,
                                  bool *out_are_all)
{
  json_t *includes = includes_of(origin->words);
  json_t *deps = hone__program_imports(origin->language, origin->source, includes);
  bool listed = hone__build_deps_add_listed(deps, list, origin->source, origin->directory,
                                            hone__program_digest);

  hone__build_deps_add_named(deps, origin->words, 1, origin->source, origin->directory,
                             hone__program_digest);
  *out_are_all =
      origin->is_template || listed || !origin->language->in_room || is_closed(origin, includes);
  json_decref(includes);
  return deps;
}

/* ---- Its key ---- */

static void identify_environment(const struct hone__program_origin *origin,
                                 struct hone__digester *digester)
{
  hone__toolchain_identify_environment(digester);
  if (origin->is_template) hone__toolchain_identify_variables(origin->words, digester);
  hone__digest_add_text(digester, getenv("MODULAR_MOJO_MAX_IMPORT_PATH"));
  hone__toolchain_identify_processor(digester); /* -march=native, and Mojo, which builds for it */
}

static void identify_compiler(const struct hone__program_origin *origin,
                              struct hone__digester *digester)
{
  json_t *words = json_array();

  json_array_append(words, json_array_get(origin->words, 0));
  hone__toolchain_identify(words, origin->directory, !origin->is_template, digester);
  json_decref(words);
}

void hone__program_origin_key(const struct hone__program_origin *origin,
                              char out_key[HONE__DIGEST_SIZE])
{
  struct hone__digester *digester = hone__digest_begin();
  char *words = json_dumps(origin->words, JSON_COMPACT);

  hone__digest_add_text(digester, "program 2");
  hone__digest_add_text(digester, words);
  hone__digest_add_text(digester, origin->source);
  hone__digest_add_text(digester, hone__message_text(origin->candidate, "source_digest"));
  hone__digest_add_text(digester, hone__message_text(origin->candidate, "wrapper"));
  hone__digest_add_text(digester, origin->directory);
  identify_compiler(origin, digester);
  identify_environment(origin, digester);
  hone__digest_end(digester, out_key);
  free(words);
}
