/* A build is one compiler process in a folder of its own, unless the cache has its answer. */
#include "backend/c/c_backend.h"

#include "build/build_cache.h"
#include "build/build_includes.h"
#include "build/build_outcome.h"
#include "build/build_folder.h"
#include "backend/c/compiler.h"
#include "backend/command_template.h"
#include "backend/kernel/kernel_build.h"
#include "wire/message_text.h"

#include <stdlib.h>

struct build {
  const json_t *candidate;
  const char *source; /* absolute */
  char *folder;       /* where the compiler runs */
  double timeout_s;
  struct hone__source_text text;
  json_t *command;   /* of the spec; NULL: none */
  json_t *seen;      /* files that such a command may read, as they are before it runs */
  bool seen_are_all; /* as far as the source's lines tell */
  char key[HONE__DIGEST_SIZE];
  struct hone__build_folder workdir;
  struct hone__answer *answer;
};

/* ---- Commands for people ---- */

/* Whether the words mean the same elsewhere. */
static bool needs_folder(const json_t *candidate)
{
  const json_t *flags = json_object_get(candidate, "flags");

  if (json_object_get(candidate, "command")) return true;
  for (size_t i = 0; i < json_array_size(flags); i++) {
    const char *flag = json_string_value(json_array_get(flags, i));
    if (flag && (flag[0] != '-' || strchr("IiLB", flag[1])) && flag[0] != '/') return true;
  }
  return false;
}

hone_status hone__c_build_command(const json_t *setup, const json_t *candidate,
                                  struct hone__text *out_command)
{
  const char *source = hone__message_text(candidate, "source");
  json_t *words;

  if (!*source) return hone__error(HONE_INVALID_ARGUMENT, "a candidate without a source");
  words = hone__compiler_words(candidate, source, "kernel.so", NULL);
  hone__kernel_print_command(setup, words, needs_folder(candidate), out_command);
  json_decref(words);
  return NULL;
}

/* ---- The cache ---- */

bool hone__c_deps_are_current(const json_t *deps)
{
  return hone__build_deps_are_current(deps, hone__dependency_digest);
}

static bool is_open(const struct build *build)
{
  return hone__compiler_is_open(build->candidate, &build->text);
}

/* Whether the files that a command of the spec reads can be known: it may tell them itself. */
static bool is_traceable(const struct build *build)
{
  return build->seen_are_all || hone__command_mentions(build->command, "depfile");
}

static const char *cache_key(const struct build *build)
{
  return build->command && !is_traceable(build) ? NULL : build->key;
}

/* What it names, what the source includes, and what lies beside it. */
static void look_around(struct build *build)
{
  const char *source = hone__kernel_short_name(build->source, build->folder);
  json_t *words = hone__compiler_words(build->candidate, source, "{output}", "{depfile}");
  json_t *as_flags = json_copy((json_t *)build->candidate); /* -I may stand in any of them */

  json_object_set(as_flags, "flags", words);
  build->seen_are_all = hone__build_includes(as_flags, build->folder, build->seen);
  json_decref(as_flags);
  hone__build_deps_add_named(build->seen, words, 0, source, build->folder, hone__dependency_digest);
  hone__build_deps_add_siblings(build->seen, build->source);
  json_decref(words);
}

/* True if these are all: a compiler that fails may not have come to writing its list. */
static bool add_deps(const struct build *build, const char *source, json_t *deps)
{
  bool listed = hone__build_deps_add_listed(deps, build->workdir.deps, source, build->folder,
                                            hone__dependency_digest);

  if (build->command) {
    json_array_extend(deps, build->seen);
    return listed || build->seen_are_all;
  }
  hone__build_deps_add_named(deps, json_object_get(build->candidate, "flags"), 0, source,
                             build->folder, hone__dependency_digest);
  return listed || !is_open(build);
}

/* ---- Building ---- */

static void compile(struct build *build)
{
  const char *source = hone__kernel_short_name(build->source, build->folder);
  const struct hone__build_folder *workdir = &build->workdir;
  json_t *words = hone__compiler_words(build->candidate, source, workdir->object, workdir->deps);
  struct hone__child_result result = {0};
  struct hone__build_end end = {
      .key = cache_key(build),
      .deps = json_array(),
      .program = hone__message_word(words, 0),
      .result = &result,
      .macros = {json_object_get(build->candidate, "defines"), build->source, build->folder}};

  if (hone__build_folder_run(workdir, words, build->folder, build->timeout_s, NULL, &result,
                             build->answer)) {
    end.deps_are_all = add_deps(build, source, end.deps);
    hone__build_cache_end(&end, workdir, build->answer);
  }
  json_decref(end.deps);
  hone__child_result_release(&result);
  json_decref(words);
}

static bool read_source(struct build *build)
{
  struct hone__digester *digester;

  if (!hone__kernel_source_read(build->candidate, build->answer, &build->text)) return false;
  digester = hone__digest_begin();
  hone__compiler_identify(build->candidate, &build->text, build->folder, true, digester);
  hone__digest_end(digester, build->key);
  if (build->command) look_around(build);
  return true;
}

void hone__c_build(const json_t *setup, const json_t *job, struct hone__answer *answer)
{
  struct build build = {
      .candidate = json_object_get(job, "candidate"), .seen = json_array(), .answer = answer};

  build.command = json_object_get(build.candidate, "command");
  if (!answer->head) answer->head = json_object();
  build.source = hone__message_text(build.candidate, "source");
  if (!*build.source) {
    hone__build_fail(answer, HONE__OUTCOME_PROTOCOL, "a build without a source");
    json_decref(build.seen);
    return;
  }
  build.timeout_s = hone__build_timeout_s(setup, job);
  build.folder = hone__build_directory(hone__message_text(setup, "folder"), build.source);
  hone__kernel_add_command(setup, build.candidate, hone__c_build_command, answer);
  if (read_source(&build) &&
      !hone__build_cache_answer(cache_key(&build), hone__dependency_digest, job, answer) &&
      hone__build_folder_enter(&build.workdir, "kernel.so", answer))
    compile(&build);
  hone__build_folder_leave(&build.workdir);
  json_decref(build.seen);
  free(build.folder);
  hone__source_text_release(&build.text);
}
