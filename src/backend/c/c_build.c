/* A build is one compiler process in a room of its own, unless the cache has its answer. */
#include "backend/c/c_backend.h"

#include "backend/build_cache.h"
#include "backend/build_outcome.h"
#include "backend/build_room.h"
#include "backend/c/compiler.h"
#include "backend/kernel/kernel_build.h"
#include "backend/message_text.h"

#include <stdlib.h>

struct build {
  const json_t *candidate;
  const char *source; /* absolute */
  char *folder;       /* where the compiler runs */
  double timeout_s;
  struct hone_source_text text;
  char key[HONE_DIGEST_SIZE];
  struct hone_build_room room;
  struct hone_answer *answer;
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
                                  struct hone_text *out_command)
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

/* What a stranger's command reads is not known. */
static const char *cache_key(const struct build *build)
{
  return json_object_get(build->candidate, "command") && is_open(build) ? NULL : build->key;
}

/* True if these are all: a compiler that fails may not have come to writing its list. */
static bool add_deps(const struct build *build, const char *source, json_t *deps)
{
  static const char *const words[] = {"flags", "command"};
  bool listed = hone__build_deps_add_listed(deps, build->room.deps, source, build->folder,
                                            hone__dependency_digest);

  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    hone__build_deps_add_named(deps, json_object_get(build->candidate, words[i]), 0, source,
                               build->folder, hone__dependency_digest);
  return listed || !is_open(build);
}

/* ---- Building ---- */

static void compile(struct build *build)
{
  const char *source = hone__kernel_short_name(build->source, build->folder);
  const struct hone_build_room *room = &build->room;
  json_t *words = hone__compiler_words(build->candidate, source, room->object, room->deps);
  struct hone_child_result result = {0};
  struct hone_build_end end = {.key = cache_key(build),
                               .deps = json_array(),
                               .program = hone__message_word(words, 0),
                               .result = &result};

  if (hone__build_room_run(room, words, build->folder, build->timeout_s, NULL, &result,
                           build->answer)) {
    end.deps_are_all = add_deps(build, source, end.deps);
    hone__build_cache_end(&end, room, build->answer);
  }
  json_decref(end.deps);
  hone__child_result_release(&result);
  json_decref(words);
}

static bool read_source(struct build *build)
{
  struct hone_digester *digester;

  if (!hone__kernel_source_read(build->candidate, build->answer, &build->text)) return false;
  digester = hone__digest_begin();
  hone__compiler_identify(build->candidate, &build->text, build->folder, true, digester);
  hone__digest_end(digester, build->key);
  return true;
}

void hone__c_build(const json_t *setup, const json_t *job, struct hone_answer *answer)
{
  struct build build = {.candidate = json_object_get(job, "candidate"), .answer = answer};

  if (!answer->head) answer->head = json_object();
  build.source = hone__message_text(build.candidate, "source");
  if (!*build.source) {
    hone__build_fail(answer, HONE_OUTCOME_PROTOCOL, "a build without a source");
    return;
  }
  build.timeout_s = hone__build_timeout_s(setup, job);
  build.folder = hone__build_directory(hone__message_text(setup, "folder"), build.source);
  hone__kernel_add_command(setup, build.candidate, hone__c_build_command, answer);
  if (read_source(&build) &&
      !hone__build_cache_answer(cache_key(&build), hone__dependency_digest, job, answer) &&
      hone__build_room_enter(&build.room, "kernel.so", answer))
    compile(&build);
  hone__build_room_leave(&build.room);
  free(build.folder);
  hone__source_text_release(&build.text);
}
