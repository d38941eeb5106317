/* A build is one compiler process in a folder of its own, unless the cache has its answer. */
#include "backend/c/c_backend.h"

#include "build/build_includes.h"
#include "backend/c/compiler.h"
#include "backend/command_template.h"
#include "backend/kernel/kernel_build.h"
#include "wire/message_text.h"

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

static bool is_open(const struct hone__kernel_build *build)
{
  return hone__compiler_is_open(build->candidate, &build->text);
}

static void identify(const struct hone__kernel_build *build, struct hone__digester *digester)
{
  hone__compiler_identify(build->candidate, &build->text, build->folder, true, digester);
}

/* What a command of the spec may read, as it is before it runs: what it names, what the source
 * includes, and what lies beside it. deps_are_all: as far as the source's lines tell. */
static void look_around(struct hone__kernel_build *build)
{
  const char *source = hone__kernel_short_name(build->source, build->folder);
  json_t *words = hone__compiler_words(build->candidate, source, "{output}", "{depfile}");
  json_t *as_flags = json_copy((json_t *)build->candidate); /* -I may stand in any of them */

  json_object_set(as_flags, "flags", words);
  build->deps_are_all = hone__build_includes(as_flags, build->folder, build->deps);
  json_decref(as_flags);
  hone__build_deps_add_named(build->deps, words, 0, source, build->folder, hone__dependency_digest);
  hone__build_deps_add_siblings(build->deps, build->source);
  json_decref(words);
}

/* A compiler lists what it read; a command of the spec may do so. */
static void look(struct hone__kernel_build *build)
{
  const json_t *command = json_object_get(build->candidate, "command");

  if (command) look_around(build);
  build->is_cached = !command || build->deps_are_all || hone__command_mentions(command, "depfile");
}

/* A compiler that fails may not have come to writing its list. */
static void add_deps(struct hone__kernel_build *build, const char *source)
{
  json_t *seen = build->deps;
  bool listed;

  build->deps = json_array();
  listed = hone__build_deps_add_listed(build->deps, build->workdir.deps, source, build->folder,
                                       hone__dependency_digest);
  if (json_object_get(build->candidate, "command")) {
    json_array_extend(build->deps, seen);
    build->deps_are_all = listed || build->deps_are_all;
  } else {
    hone__build_deps_add_named(build->deps, json_object_get(build->candidate, "flags"), 0, source,
                               build->folder, hone__dependency_digest);
    build->deps_are_all = listed || !is_open(build);
  }
  json_decref(seen);
}

/* ---- Building ---- */

static void compile(struct hone__kernel_build *build)
{
  const char *source = hone__kernel_short_name(build->source, build->folder);
  const struct hone__build_folder *workdir = &build->workdir;
  json_t *words = hone__compiler_words(build->candidate, source, workdir->object, workdir->deps);
  struct hone__child_result result = {0};

  if (hone__build_folder_run(workdir, words, build->folder, build->timeout_s, NULL, &result,
                             build->answer)) {
    add_deps(build, source);
    hone__kernel_build_end(build, hone__message_word(words, 0), &result, NULL, NULL);
  }
  hone__child_result_release(&result);
  json_decref(words);
}

void hone__c_build(const json_t *setup, const json_t *job, struct hone__answer *answer)
{
  static const struct hone__kernel_compiler compiler = {.object = "kernel.so",
                                                        .print = hone__c_build_command,
                                                        .identify = identify,
                                                        .look = look,
                                                        .compile = compile};

  hone__kernel_build(&compiler, setup, job, answer);
}
